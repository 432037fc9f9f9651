//! A layout in the words of `descriptor!`, from its plan: the nodes in their order, as many in a stage as take what is on top.

use std::fmt::Write;
use tiledesc::{Node, Op, Plan};

/// Writes the stages of a plan as text that `request::stages` reads back to the same map, or explains why it cannot.
pub(crate) fn write(plan: &Plan) -> Result<String, String> {
    if plan.bottom_count() != 1 {
        return Err("it is an adaptor: it has no offset".to_string());
    }
    let (base, first) = written_base(plan)?;
    let mut text = base;
    let mut top: Vec<u32> = plan.nodes()[first - 1].upper.as_slice().to_vec();
    let mut rest = &plan.nodes()[first..];
    let lengths = hidden_lengths(plan);
    while !rest.is_empty() {
        let taken = rest.iter().take_while(|node| is_ready(node, &top)).count();
        // Only those over this stage's own dimensions: `is_ready` sees to it.
        let (here, later) = rest.split_at(taken.max(1));
        top = write_stage(&mut text, here, &top, &lengths)?;
        rest = later;
    }
    reordered(&mut text, &top, plan.top().as_slice(), &lengths);
    Ok(text)
}

/// The base, and how many nodes it is.
fn written_base(plan: &Plan) -> Result<(String, usize), String> {
    let nodes = plan.nodes();
    let (offset, skip) = match nodes.first().map(|node| node.op) {
        Some(Op::Offset { offset, .. }) => (Some(offset), 1),
        _ => (None, 0),
    };
    let suffix = offset.map(|offset| format!(" offset {offset}")).unwrap_or_default();
    match nodes.get(skip).map(|node| node.op) {
        Some(Op::Unmerge { lengths }) => {
            Ok((format!("packed {:?}{suffix};\n", lengths.as_slice()), skip + 1))
        }
        Some(Op::Embed { lengths, strides }) => {
            let (lengths, strides) = (lengths.as_slice(), strides.as_slice());
            Ok((format!("naive {lengths:?} strides {strides:?}{suffix};\n"), skip + 1))
        }
        _ => Err("its base is neither `naive` nor `packed`".to_string()),
    }
}

/// The length of each hidden dimension that a transform gives.
fn hidden_lengths(plan: &Plan) -> Vec<u32> {
    let mut lengths = vec![0; plan.hidden_count()];
    for node in plan.nodes() {
        if let Ok(upper) = node.op.upper_lengths() {
            for (id, length) in node.upper.as_slice().iter().zip(upper.as_slice()) {
                lengths[*id as usize] = *length;
            }
        }
    }
    lengths
}

/// Returns whether all that a transform takes is on top.
fn is_ready(node: &Node, top: &[u32]) -> bool {
    node.lower.as_slice().iter().all(|id| top.contains(id))
}

/// Writes one stage; dimensions that no transform takes pass through. Returns the new top.
fn write_stage(
    text: &mut String,
    nodes: &[Node],
    top: &[u32],
    lengths: &[u32],
) -> Result<Vec<u32>, String> {
    let position = |id: u32| top.iter().position(|here| *here == id);
    let (mut words, mut new_top) = (Vec::new(), Vec::new());
    for node in nodes {
        let below: Option<Vec<_>> = node.lower.as_slice().iter().map(|id| position(*id)).collect();
        let below = below.ok_or("a transform takes a dimension that is not on top")?;
        let above = upper_words(node.upper.as_slice(), &mut new_top);
        words.push(format!("{} ({}) -> ({above})", op_words(&node.op)?, joined(&below)));
    }
    let taken = |id: &u32| nodes.iter().any(|node| node.lower.as_slice().contains(id));
    for (i, id) in top.iter().enumerate().filter(|(_, id)| !taken(id)) {
        let above = upper_words(&[*id], &mut new_top);
        words.push(format!("pass[{}] ({i}) -> ({above})", lengths[*id as usize]));
    }
    let _ = writeln!(text, "{};", words.join(", "));
    Ok(new_top)
}

fn upper_words(ids: &[u32], new_top: &mut Vec<u32>) -> String {
    let first = new_top.len();
    new_top.extend(ids);
    joined(&(first..new_top.len()).collect::<Vec<_>>())
}

fn joined(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// A last stage that only reorders, if the order differs.
fn reordered(text: &mut String, top: &[u32], wanted: &[u32], lengths: &[u32]) {
    if top == wanted {
        return;
    }
    let pass = |(i, id): (usize, &u32)| {
        let above = wanted.iter().position(|other| other == id).unwrap_or(i);
        format!("pass[{}] ({i}) -> ({above})", lengths[*id as usize])
    };
    let words: Vec<_> = top.iter().enumerate().map(pass).collect();
    let _ = writeln!(text, "{};", words.join(", "));
}

fn op_words(op: &Op) -> Result<String, String> {
    let unchecked = |skip: &bool| if *skip { ", unchecked" } else { "" };
    Ok(match op {
        Op::PassThrough { length } => format!("pass[{length}]"),
        Op::Pad { low_length, left, right, skip_check } => {
            format!("pad[{low_length}, {left}, {right}{}]", unchecked(skip_check))
        }
        Op::LeftPad { low_length, left, skip_check } => {
            format!("left_pad[{low_length}, {left}{}]", unchecked(skip_check))
        }
        Op::RightPad { low_length, right, skip_check } => {
            format!("right_pad[{low_length}, {right}{}]", unchecked(skip_check))
        }
        Op::Embed { lengths, strides } => {
            format!("embed{:?} strides {:?}", lengths.as_slice(), strides.as_slice())
        }
        Op::Merge { lengths } => format!("merge{:?}", lengths.as_slice()),
        Op::Unmerge { lengths } => format!("unmerge{:?}", lengths.as_slice()),
        Op::Freeze { index } => format!("freeze[{index}]"),
        Op::Insert { length } => format!("insert[{length}]"),
        Op::Replicate { lengths } => format!("replicate{:?}", lengths.as_slice()),
        Op::Slice { low_length, begin, end } => format!("slice[{low_length}, {begin}, {end}]"),
        Op::Modulo { modulus, length } => format!("modulo[{modulus}, {length}]"),
        Op::Xor { length0, length1 } => format!("xor[{length0}, {length1}]"),
        Op::XorBits { length0, length1, masks } => {
            format!("xor_bits[{length0}, {length1}] masks {:?}", masks.as_slice())
        }
        Op::LinearBits { length, columns } => {
            format!("linear_bits[{length}] columns {:?}", columns.as_slice())
        }
        Op::Offset { length, offset } => format!("offset[{length}, {offset}]"),
        Op::Indexing { length, cached } => format!("indexing[{length}, {cached}]"),
        Op::CyclicShift { length0, length1 } => format!("cyclic_shift[{length0}, {length1}]"),
        Op::InverseCyclicShift { length0, length1 } => {
            format!("inverse_cyclic_shift[{length0}, {length1}]")
        }
        Op::Functor { .. } => {
            return Err("it looks up a table, which has no form as text".to_string());
        }
        other => return Err(format!("it has a transform without words here: {other:?}")),
    })
}
