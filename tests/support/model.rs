//! A plan's offsets, computed a second time: each transform's rule from its formula in CK Tile's
//! terms, in 64 bits cut to 32 after each step, and the graph walked by dimension numbers.
//! Nothing of the library's evaluation is used.

use tiledesc::{Op, Plan};

/// Where a coordinate leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Memory(u32),
    Padding,
    /// An index that a pad without a check let through, where a table has no entry.
    Nowhere,
}

/// The offset of a coordinate that is in range.
pub fn place(plan: &Plan, index: &[u32]) -> Place {
    let mut known = vec![0; 256];
    for (id, index) in plan.top().as_slice().iter().zip(index) {
        known[*id as usize] = u64::from(*index);
    }
    let mut valid = true;
    // A transform is listed behind those below it.
    for node in plan.nodes().iter().rev() {
        let upper: Vec<u64> = node.upper.as_slice().iter().map(|id| known[*id as usize]).collect();
        let Some((lower, accepted)) = rule(&node.op, &upper) else { return Place::Nowhere };
        valid &= accepted;
        assert_eq!(lower.len(), node.lower.len(), "{:?}", node.op);
        for (id, index) in node.lower.as_slice().iter().zip(lower) {
            known[*id as usize] = index;
        }
    }
    if valid { Place::Memory(known[0] as u32) } else { Place::Padding }
}

/// Every coordinate, the last dimension fastest.
pub fn coordinates(lengths: &[u32]) -> Vec<Vec<u32>> {
    lengths.iter().fold(vec![Vec::new()], |all, length| {
        let longer = |index: Vec<u32>| (0..*length).map(move |i| [&index[..], &[i]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

fn cut(value: u64) -> u64 {
    value & u64::from(u32::MAX)
}

/// `a - b` of 32 bits.
fn minus(a: u64, b: u32) -> u64 {
    cut(a + (1 << 32) - u64::from(b))
}

/// The lower indices, and whether the upper ones have a place; `None` if no rule says.
fn rule(op: &Op, up: &[u64]) -> Option<(Vec<u64>, bool)> {
    let n = u64::from;
    let checked = |index: u64, left: u32, low: u32, skip: bool| {
        let inside = index >= n(left) && index < n(left) + n(low);
        (vec![minus(index, left)], skip || inside)
    };
    let always = |low: Vec<u64>| (low.into_iter().map(cut).collect(), true);
    Some(match *op {
        Op::PassThrough { .. } => always(vec![up[0]]),
        Op::Pad { low_length, left, skip_check, .. }
        | Op::LeftPad { low_length, left, skip_check } => {
            checked(up[0], left, low_length, skip_check)
        }
        Op::RightPad { low_length, skip_check, .. } => checked(up[0], 0, low_length, skip_check),
        Op::Embed { strides, .. } => {
            let terms = up.iter().zip(strides.as_slice());
            always(vec![terms.fold(0, |sum, (index, stride)| cut(sum + cut(index * n(*stride))))])
        }
        // The first index has no end.
        Op::Merge { lengths } => {
            let (mut rest, mut low) = (up[0], Vec::new());
            for length in lengths.as_slice()[1..].iter().rev() {
                low.push(rest % n(*length));
                rest /= n(*length);
            }
            low.push(rest);
            low.reverse();
            always(low)
        }
        Op::Unmerge { lengths } => {
            let digits = up.iter().zip(lengths.as_slice());
            always(vec![digits.fold(0, |number, (index, length)| cut(number * n(*length)) + index)])
        }
        Op::Freeze { index } => always(vec![n(index)]),
        Op::Insert { .. } | Op::Replicate { .. } => always(vec![]),
        Op::Slice { begin, .. } => always(vec![up[0] + n(begin)]),
        Op::Modulo { modulus, .. } => always(vec![up[0] % n(modulus)]),
        Op::Offset { offset, .. } => always(vec![up[0] + n(offset)]),
        Op::Indexing { cached, .. } => always(vec![n(cached)]),
        Op::Xor { length0, length1 } => {
            let key = if length0 <= length1 { up[0] } else { up[0] % n(length1) };
            always(vec![up[0], up[1] ^ key])
        }
        Op::XorBits { masks, .. } => {
            let flips = masks.as_slice().iter().enumerate().filter(|(b, _)| up[0] >> b & 1 == 1);
            always(vec![up[0], flips.fold(up[1], |index, (_, mask)| index ^ n(*mask))])
        }
        Op::LinearBits { columns, .. } => {
            let column = |b: usize| columns.as_slice().get(b).map_or(1 << b, |column| n(*column));
            let set = (0..32).filter(|b| up[0] >> b & 1 == 1);
            always(vec![set.fold(0, |place, b| place ^ column(b))])
        }
        Op::CyclicShift { length1, .. } => always(vec![up[0], cut(up[1] + up[0]) % n(length1)]),
        Op::InverseCyclicShift { length1, .. } => {
            let back = n(length1) - up[0] % n(length1);
            always(vec![up[0], cut(up[1] + back) % n(length1)])
        }
        Op::Functor { table } => always(vec![n(*table.get(up[0] as usize)?)]),
        ref other => panic!("a transform without a model: {other:?}"),
    })
}
