//! The way back through the transforms, one after the other from memory up: for layouts whose offset is no sum of strides
//! times bits, as a rotation of rows by [`CyclicShift`](tiledesc::Op::CyclicShift).
//!
//! ```text
//!   8 rows of 12, chunk 5 of row 3 at (5 + 3) % 12    row = o / 12    chunk = (o % 12 + (12 - o / 12 % 12)) % 12
//! ```

use super::expression::Expression;
use tiledesc::{Extent, Index, List, Node, Op, Plan};

/// One expression for each dimension; `None` where a transform has no way back that a formula says.
pub(super) fn raised(plan: &Plan) -> Option<Vec<Expression>> {
    let space = u32::try_from(plan.element_space() + u64::from(plan.origin())).ok()?;
    let mut hidden: Vec<Option<Expression>> = vec![None; plan.hidden_count()];
    *hidden.first_mut()? = Some(Expression::coordinate(0, space));
    for node in plan.nodes() {
        raise(node, &mut hidden)?;
    }
    plan.top().as_slice().iter().map(|id| hidden.get(*id as usize)?.clone()).collect()
}

/// The dimensions above a transform, of those below it.
fn raise(node: &Node, hidden: &mut [Option<Expression>]) -> Option<()> {
    let lower = node.lower.as_slice().iter();
    let lower: Vec<_> = lower.map(|id| hidden.get(*id as usize)?.clone()).collect::<Option<_>>()?;
    for (id, up) in node.upper.as_slice().iter().zip(above(&node.op, &lower)?) {
        *hidden.get_mut(*id as usize)? = Some(up);
    }
    Some(())
}

fn above(op: &Op, low: &[Expression]) -> Option<Vec<Expression>> {
    let number = Expression::number;
    Some(match *op {
        Op::PassThrough { .. } => vec![low.first()?.clone()],
        // A valid coordinate is below the length in either.
        Op::RightPad { .. } => vec![low.first()?.clone()],
        Op::LeftPad { left, .. } | Op::Pad { left, .. } => vec![low.first()?.add(&number(left))],
        Op::Slice { begin, .. } => vec![low.first()?.sub(&number(begin))],
        Op::Offset { offset, .. } => vec![low.first()?.sub(&number(offset))],
        Op::Embed { lengths, strides } => digits(low.first()?, &lengths, &strides)?,
        Op::Unmerge { lengths } => digits(low.first()?, &lengths, &packed(&lengths)?)?,
        Op::Merge { lengths } => vec![sum(low, &packed(&lengths)?)?],
        Op::Xor { length1, .. } => {
            let [row, at] = low else { return None };
            vec![row.clone(), at.xor(&row.rem(Extent::constant(length1)))]
        }
        Op::CyclicShift { length1, .. } => {
            let [row, at] = low else { return None };
            let length = Extent::constant(length1);
            let back = number(length1).sub(&row.rem(length));
            vec![row.clone(), at.add(&back).rem(length)]
        }
        Op::InverseCyclicShift { length1, .. } => {
            let [row, at] = low else { return None };
            vec![row.clone(), at.add(row).rem(Extent::constant(length1))]
        }
        _ => return None,
    })
}

/// The strides of lengths side by side.
fn packed(lengths: &List) -> Option<List> {
    let mut strides = vec![1_u32; lengths.len()];
    for d in (1..lengths.len()).rev() {
        strides[d - 1] = strides[d].checked_mul(lengths.at(d))?;
    }
    Some(List::new(&strides))
}

/// The indices of a number, by dividing; only where each stride is larger than all below it reach.
fn digits(number: &Expression, lengths: &List, strides: &List) -> Option<Vec<Expression>> {
    let mut order: Vec<_> = (0..lengths.len()).filter(|d| lengths.at(*d) > 1).collect();
    order.sort_by_key(|d| strides.at(*d));
    let mut reached = 0_u64;
    for d in &order {
        let stride = u64::from(strides.at(*d));
        if stride <= reached {
            return None;
        }
        reached += stride * u64::from(lengths.at(*d) - 1);
    }
    let (mut all, mut rest) = (vec![Expression::number(0); lengths.len()], number.clone());
    for d in order.into_iter().rev() {
        let stride = Extent::constant(strides.at(d));
        all[d] = rest.div(stride);
        rest = rest.rem(stride);
    }
    Some(all)
}

fn sum(low: &[Expression], strides: &List) -> Option<Expression> {
    let terms = low.iter().zip(strides.as_slice());
    let terms = terms.map(|(one, stride)| one.mul(Extent::constant(*stride)));
    terms.reduce(|all, one| all.add(&one))
}
