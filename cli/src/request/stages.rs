//! Stages as text: the words of `descriptor!`, read into a plan and written from one.
//!
//! ```text
//!   naive [8, 128, 8] strides [8, 64, 1];
//!   xor[128, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
//!   pass[128] (1) -> (0),           merge[8, 8] (0, 2) -> (1);
//! ```
//!
//! What is composed is checked by the library, in its sentences.

use crate::request::reader::{Reader, Syntax};
use crate::request::spelling::did_you_mean;
use tiledesc::{Error, List, NumberError, Op, Plan};

/// The plan of stages.
pub(crate) fn parse(text: &str) -> Result<Plan, Syntax> {
    let mut reader = Reader::new(text);
    let plan = base(&mut reader)?;
    above(&mut reader, plan)
}

/// The plan of stages over another one, in place of a base.
pub(crate) fn over(text: &str, plan: Plan) -> Result<Plan, Syntax> {
    let mut reader = Reader::new(text);
    if reader.is_at_end() {
        return Err(reader.expected("a transform, as in `slice[128, 0, 64] (0) -> (0)`"));
    }
    above(&mut reader, plan)
}

fn above(reader: &mut Reader<'_>, mut plan: Plan) -> Result<Plan, Syntax> {
    while !reader.is_at_end() {
        plan = stage(reader, &plan)?;
    }
    Ok(plan)
}

fn base(reader: &mut Reader<'_>) -> Result<Plan, Syntax> {
    reader.blanks();
    let at = reader.at;
    let wanted =
        "a base, `naive [8, 16] strides [16, 1];`, `packed [8, 16];` or `aligned [8, 16] to 32;`";
    let made = match reader.name() {
        Some("naive") => {
            let lengths = reader.numbers("[", "]")?;
            reader.wants("strides")?;
            let strides = reader.numbers("[", "]")?;
            match offset(reader)? {
                None => Plan::naive(&lengths, &strides),
                Some(offset) => Plan::naive_with_offset(&lengths, &strides, offset),
            }
        }
        Some("packed") => {
            let lengths = reader.numbers("[", "]")?;
            match offset(reader)? {
                None => Plan::packed(&lengths),
                Some(offset) => Plan::packed_with_offset(&lengths, offset),
            }
        }
        Some("aligned") => {
            let lengths = reader.numbers("[", "]")?;
            reader.wants("to")?;
            Plan::aligned(&lengths, reader.number()?)
        }
        _ => {
            reader.at = at;
            return Err(reader.expected(wanted));
        }
    };
    reader.wants(";")?;
    made.or_else(|error| reader.here(at, error))
}

fn offset(reader: &mut Reader<'_>) -> Result<Option<u32>, Syntax> {
    if reader.takes("offset") { reader.number().map(Some) } else { Ok(None) }
}

/// `xor[8, 16] (0, 1) -> (0, 1), pass[8] (2) -> (2);`
fn stage(reader: &mut Reader<'_>, plan: &Plan) -> Result<Plan, Syntax> {
    reader.blanks();
    let at = reader.at;
    let (mut ops, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        ops.push(transform(reader)?);
        lower.push(reader.numbers("(", ")")?);
        reader.wants("->")?;
        upper.push(reader.numbers("(", ")")?);
        if ops.len() > List::CAPACITY {
            return reader.here(at, format!("a stage has at most {} transforms", List::CAPACITY));
        }
        // The last one may end without it.
        if reader.takes(";") || reader.is_at_end() {
            break;
        }
        if !reader.takes(",") {
            return Err(reader.expected("`,` or `;`"));
        }
    }
    let below: Vec<&[u32]> = lower.iter().map(Vec::as_slice).collect();
    let above: Vec<&[u32]> = upper.iter().map(Vec::as_slice).collect();
    plan.transform(&ops, &below, &above).or_else(|error| reader.here(at, error))
}

/// The spelling of each transform: its name and the number of its numbers, if that is fixed.
const TRANSFORMS: &[(&str, Option<usize>)] = &[
    ("pass", Some(1)),
    ("pass_through", Some(1)),
    ("merge", None),
    ("unmerge", None),
    ("replicate", None),
    ("embed", None),
    ("xor", Some(2)),
    ("xor_bits", Some(2)),
    ("linear_bits", Some(1)),
    ("cyclic_shift", Some(2)),
    ("inverse_cyclic_shift", Some(2)),
    ("pad", Some(3)),
    ("left_pad", Some(2)),
    ("right_pad", Some(2)),
    ("slice", Some(3)),
    ("offset", Some(2)),
    ("modulo", Some(2)),
    ("indexing", Some(2)),
    ("freeze", Some(1)),
    ("insert", Some(1)),
];

fn transform(reader: &mut Reader<'_>) -> Result<Op, Syntax> {
    reader.blanks();
    let at = reader.at;
    let name = reader.name().unwrap_or("");
    let names = TRANSFORMS.iter().map(|(name, _)| *name);
    let Some((_, wanted)) = TRANSFORMS.iter().find(|(known, _)| *known == name) else {
        let near = did_you_mean(name, names);
        return reader.here(at, format!("`{name}` is not a transform{near}"));
    };
    let (numbers, unchecked) = parameters(reader)?;
    if wanted.is_some_and(|wanted| wanted != numbers.len()) {
        let wanted = wanted.unwrap_or(0);
        let message = format!("{name} has {wanted} numbers, and {} are given", numbers.len());
        return reader.here(at, message);
    }
    if unchecked && !name.ends_with("pad") {
        return reader.here(at, format!("{name} cannot be `unchecked`: only pads can"));
    }
    let also = match name {
        "embed" => named_list(reader, "strides")?,
        "xor_bits" => named_list(reader, "masks")?,
        "linear_bits" => named_list(reader, "columns")?,
        _ => Vec::new(),
    };
    op(name, &numbers, &also, unchecked).or_else(|error| reader.here(at, Error::Number(error)))
}

/// A transform by its name, of as many numbers as it has, and of strides, masks or columns.
fn op(name: &str, numbers: &[u32], also: &[u32], skip_check: bool) -> Result<Op, NumberError> {
    let list = |numbers: &[u32]| List::from_slice(numbers);
    let lengths = list(numbers)?;
    let at = |i: usize| numbers[i];
    Ok(match name {
        "merge" => Op::Merge { lengths },
        "unmerge" => Op::Unmerge { lengths },
        "replicate" => Op::Replicate { lengths },
        "embed" => Op::Embed { lengths, strides: list(also)? },
        "xor" => Op::Xor { length0: at(0), length1: at(1) },
        "xor_bits" => Op::XorBits { length0: at(0), length1: at(1), masks: list(also)? },
        "linear_bits" => Op::LinearBits { length: at(0), columns: list(also)? },
        "cyclic_shift" => Op::CyclicShift { length0: at(0), length1: at(1) },
        "inverse_cyclic_shift" => Op::InverseCyclicShift { length0: at(0), length1: at(1) },
        "pad" => Op::Pad { low_length: at(0), left: at(1), right: at(2), skip_check },
        "left_pad" => Op::LeftPad { low_length: at(0), left: at(1), skip_check },
        "right_pad" => Op::RightPad { low_length: at(0), right: at(1), skip_check },
        "slice" => Op::Slice { low_length: at(0), begin: at(1), end: at(2) },
        "offset" => Op::Offset { length: at(0), offset: at(1) },
        "modulo" => Op::Modulo { modulus: at(0), length: at(1) },
        "indexing" => Op::Indexing { length: at(0), cached: at(1) },
        "freeze" => Op::Freeze { index: at(0) },
        "insert" => Op::Insert { length: at(0) },
        _ => Op::PassThrough { length: at(0) },
    })
}

/// `[8, 0, 2, unchecked]`
fn parameters(reader: &mut Reader<'_>) -> Result<(Vec<u32>, bool), Syntax> {
    reader.wants("[")?;
    let mut unchecked = false;
    let numbers = reader.until("]", |reader| {
        if unchecked {
            return Err(reader.expected("`]`"));
        }
        unchecked = reader.takes("unchecked");
        if unchecked { Ok(None) } else { reader.number().map(Some) }
    })?;
    let numbers: Vec<_> = numbers.into_iter().flatten().collect();
    if numbers.len() > List::CAPACITY {
        return Err(reader.expected("at most 12 numbers"));
    }
    Ok((numbers, unchecked))
}

fn named_list(reader: &mut Reader<'_>, name: &str) -> Result<Vec<u32>, Syntax> {
    reader.wants(name)?;
    reader.numbers("[", "]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiledesc::prelude::*;

    /// Gives the same tokens to the macro and, as text, to the reader.
    macro_rules! same {
        ($($words:tt)*) => {{
            descriptor! { type Typed: $($words)* }
            assert_eq!(parse(stringify!($($words)*)), Ok(<Typed as Adaptor>::PLAN.unwrap()));
        }};
    }

    #[test]
    fn the_words_are_those_of_the_macro() {
        same! { packed [128, 64]; }
        same! { naive [8, 128, 8] strides [8, 64, 1]; xor[128, 8] (1, 0) -> (1, 0), pass[8] (2) -> (2); }
        same! { packed [64 div 24, 4] offset 1 * 100 + 2; right_pad[64 div 24, 6, unchecked] (0) -> (0), pass[4] (1) -> (1); }
        same! { aligned [9, 21] to 16; }
        same! { naive [64/8*2, 64, 8] strides [8, 64*2, 1]; pass_through[16] (0) -> (1), merge[64, 8] (1, 2) -> (0); }
        same! { packed [16, 8]; xor_bits[16, 8] masks [1, 2, 4, 1] (0, 1) -> (0, 1); }
        same! { packed [16, 8]; linear_bits[16] columns [2, 1, 12] (0) -> (0), pass[8] (1) -> (1); }
        same! { packed [24]; embed[4, 6] strides [6, 1] (0) -> (0, 1); slice[4, 1, 3] (0) -> (1), pad[6, 1, 2] (1) -> (0); }
        same! { packed [8, 6]; freeze[3] (0) -> (), modulo[6, 12] (1) -> (0); pass[12] (0) -> (1), insert[5] () -> (0); }
        same! { packed [8, 8]; cyclic_shift[8, 8] (0, 1) -> (0, 1); inverse_cyclic_shift[8, 8] (0, 1) -> (1, 0); }
        same! { packed [30]; offset[10, 20] (0) -> (0); left_pad[10, 2] (0) -> (0); unmerge[3, 4] (0) -> (0, 1); }
        same! { packed [4, 8]; indexing[6, 2] (0) -> (0), pass[8] (1) -> (1); }
    }
}
