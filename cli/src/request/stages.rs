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
use tiledesc::{List, Op, Plan};

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

/// The numbers of a transform; a plain one has no list, and checks.
struct Numbers {
    given: List,
    /// Strides, masks or columns.
    list: List,
    skip_check: bool,
}

impl Numbers {
    fn at(&self, place: usize) -> u32 {
        self.given.at(place)
    }
}

/// A transform: its name, the number of its numbers, if that is fixed, and what they make.
type Transform = (&'static str, Option<usize>, fn(Numbers) -> Op);

const TRANSFORMS: &[Transform] = &[
    ("pass", Some(1), |it| Op::PassThrough { length: it.at(0) }),
    ("pass_through", Some(1), |it| Op::PassThrough { length: it.at(0) }),
    ("merge", None, |it| Op::Merge { lengths: it.given }),
    ("unmerge", None, |it| Op::Unmerge { lengths: it.given }),
    ("replicate", None, |it| Op::Replicate { lengths: it.given }),
    ("embed", None, |it| Op::Embed { lengths: it.given, strides: it.list }),
    ("xor", Some(2), |it| Op::Xor { length0: it.at(0), length1: it.at(1) }),
    ("xor_bits", Some(2), |it| Op::XorBits {
        length0: it.at(0),
        length1: it.at(1),
        masks: it.list,
    }),
    ("linear_bits", Some(1), |it| Op::LinearBits { length: it.at(0), columns: it.list }),
    ("cyclic_shift", Some(2), |it| Op::CyclicShift { length0: it.at(0), length1: it.at(1) }),
    ("inverse_cyclic_shift", Some(2), |it| Op::InverseCyclicShift {
        length0: it.at(0),
        length1: it.at(1),
    }),
    ("pad", Some(3), |it| Op::Pad {
        low_length: it.at(0),
        left: it.at(1),
        right: it.at(2),
        skip_check: it.skip_check,
    }),
    ("left_pad", Some(2), |it| Op::LeftPad {
        low_length: it.at(0),
        left: it.at(1),
        skip_check: it.skip_check,
    }),
    ("right_pad", Some(2), |it| Op::RightPad {
        low_length: it.at(0),
        right: it.at(1),
        skip_check: it.skip_check,
    }),
    ("slice", Some(3), |it| Op::Slice { low_length: it.at(0), begin: it.at(1), end: it.at(2) }),
    ("offset", Some(2), |it| Op::Offset { length: it.at(0), offset: it.at(1) }),
    ("modulo", Some(2), |it| Op::Modulo { modulus: it.at(0), length: it.at(1) }),
    ("indexing", Some(2), |it| Op::Indexing { length: it.at(0), cached: it.at(1) }),
    ("freeze", Some(1), |it| Op::Freeze { index: it.at(0) }),
    ("insert", Some(1), |it| Op::Insert { length: it.at(0) }),
];

fn transform(reader: &mut Reader<'_>) -> Result<Op, Syntax> {
    reader.blanks();
    let at = reader.at;
    let name = reader.name().unwrap_or("");
    let Some((_, wanted, op)) = TRANSFORMS.iter().find(|(known, ..)| *known == name) else {
        let near = did_you_mean(name, TRANSFORMS.iter().map(|(name, ..)| *name));
        return reader.here(at, format!("`{name}` is not a transform{near}"));
    };
    let (numbers, skip_check) = parameters(reader)?;
    if let Some(wanted) = wanted.filter(|wanted| *wanted != numbers.len()) {
        let message = format!("{name} has {wanted} numbers, and {} are given", numbers.len());
        return reader.here(at, message);
    }
    if skip_check && !name.ends_with("pad") {
        return reader.here(at, format!("{name} cannot be `unchecked`: only pads can"));
    }
    let list = match name {
        "embed" => named_list(reader, "strides")?,
        "xor_bits" => named_list(reader, "masks")?,
        "linear_bits" => named_list(reader, "columns")?,
        _ => Vec::new(),
    };
    Ok(op(Numbers { given: List::new(&numbers), list: List::new(&list), skip_check }))
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
