//! Stages as text: the words of `descriptor!`, read into a plan and written from one.
//!
//! ```text
//!   naive [8, 128, 8] strides [8, 64, 1];
//!   xor[128, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
//!   pass[128] (1) -> (0),           merge[8, 8] (0, 2) -> (1);
//! ```
//!
//! Numbers may be sums, products and quotients of numbers, as in the macro: `64/8*2`. What is
//! composed is checked by the library, in its sentences.

use std::fmt::Write;
use tiledesc::{List, Node, Op, Plan};

/// What is wrong with a text, and at which byte of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Words of a text, one after the other.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Parentheses that are open in a number.
    depth: usize,
}

/// No formula needs more, and each is a call deeper.
const MOST_PARENTHESES: usize = 64;

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn blanks(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.blanks();
        self.at == self.text.len()
    }

    pub(crate) fn takes(&mut self, words: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(words);
        self.at += if found { words.len() } else { 0 };
        found
    }

    pub(crate) fn wants(&mut self, words: &str) -> Result<(), Syntax> {
        if self.takes(words) { Ok(()) } else { Err(self.expected(&format!("`{words}`"))) }
    }

    pub(crate) fn expected(&mut self, what: &str) -> Syntax {
        self.blanks();
        let next: String =
            self.rest().chars().take_while(|c| !c.is_whitespace()).take(12).collect();
        let found = if next.is_empty() { "the end".to_string() } else { format!("`{next}`") };
        Syntax { at: self.at, message: format!("{what} is expected, and {found} stands there") }
    }

    fn here<T>(&self, at: usize, message: impl ToString) -> Result<T, Syntax> {
        Err(Syntax { at, message: message.to_string() })
    }

    /// Letters, digits and `_`, not a digit first.
    pub(crate) fn name(&mut self) -> Option<&'a str> {
        self.blanks();
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest().find(|c| !is_letter(c)).unwrap_or(self.rest().len());
        let name = &self.rest()[..end];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.at += end;
        Some(name)
    }

    fn digits(&mut self) -> Result<u64, Syntax> {
        self.blanks();
        let at = self.at;
        if self.takes("(") {
            if self.depth == MOST_PARENTHESES {
                return self.here(at, format!("more than {MOST_PARENTHESES} parentheses are open"));
            }
            self.depth += 1;
            let value = self.sum()?;
            self.depth -= 1;
            self.wants(")")?;
            return Ok(value);
        }
        let end = self.rest().find(|c: char| !c.is_ascii_digit() && c != '_');
        let digits = self.rest()[..end.unwrap_or(self.rest().len())].replace('_', "");
        if digits.is_empty() {
            return Err(self.expected("a number"));
        }
        self.at += end.unwrap_or(self.rest().len());
        match digits.parse::<u64>() {
            Ok(value) if value <= u64::from(u32::MAX) => Ok(value),
            _ => self.here(at, format!("{digits} is more than 4294967295")),
        }
    }

    /// Factors, from the left: `64/8*2` is 16. A quotient must be whole.
    fn product(&mut self) -> Result<u64, Syntax> {
        let mut value = self.digits()?;
        loop {
            self.blanks();
            let at = self.at;
            let next = if self.takes("*") {
                let by = self.digits()?;
                value.checked_mul(by)
            } else if self.takes("/") {
                let by = self.digits()?;
                if by == 0 || value % by != 0 {
                    return self.here(at, format!("{value} is not a multiple of {by}"));
                }
                Some(value / by)
            } else if self.rest().starts_with("div ") && self.takes("div") {
                let by = self.digits()?;
                value.checked_div(by)
            } else {
                return Ok(value);
            };
            value = match next {
                Some(next) if next <= u64::from(u32::MAX) => next,
                _ => return self.here(at, "the number is more than 4294967295, or divided by 0"),
            };
        }
    }

    fn sum(&mut self) -> Result<u64, Syntax> {
        let mut value = self.product()?;
        loop {
            self.blanks();
            let at = self.at;
            let next = if self.takes("+") {
                let more = self.product()?;
                value.checked_add(more)
            } else if !self.rest().starts_with("->") && self.takes("-") {
                let less = self.product()?;
                value.checked_sub(less)
            } else {
                return Ok(value);
            };
            value = match next {
                Some(next) if next <= u64::from(u32::MAX) => next,
                _ => return self.here(at, "the number is below 0 or above 4294967295"),
            };
        }
    }

    pub(crate) fn number(&mut self) -> Result<u32, Syntax> {
        self.sum().map(|value| value as u32)
    }

    /// Numbers between brackets, at most as many as a list holds.
    pub(crate) fn numbers(&mut self, open: &str, close: &str) -> Result<Vec<u32>, Syntax> {
        self.wants(open)?;
        let mut numbers = Vec::new();
        while !self.takes(close) {
            if !numbers.is_empty() {
                self.wants(",")?;
                if self.takes(close) {
                    break;
                }
            }
            if numbers.len() == List::CAPACITY {
                return Err(self.expected(&format!("`{close}` after {} numbers", List::CAPACITY)));
            }
            numbers.push(self.number()?);
        }
        Ok(numbers)
    }
}

/// The plan of stages.
pub(crate) fn parse(text: &str) -> Result<Plan, Syntax> {
    let mut reader = Reader::new(text);
    let mut plan = base(&mut reader)?;
    while !reader.is_at_end() {
        plan = stage(&mut reader, &plan)?;
    }
    Ok(plan)
}

fn base(reader: &mut Reader<'_>) -> Result<Plan, Syntax> {
    reader.blanks();
    let at = reader.at;
    let wanted =
        "a base, `naive [8, 16] strides [16, 1];`, `packed [8, 16];` or `aligned [8, 16] to 32;`,";
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
        if reader.takes(";") {
            break;
        }
        if !reader.takes(",") {
            return Err(reader.expected("`,` or `;`"));
        }
        // A comma before the end of the stage is allowed where the macro allows none.
        if reader.takes(";") {
            break;
        }
    }
    let below: Vec<&[u32]> = lower.iter().map(Vec::as_slice).collect();
    let above: Vec<&[u32]> = upper.iter().map(Vec::as_slice).collect();
    plan.transform(&ops, &below, &above).or_else(|error| reader.here(at, error))
}

/// How each transform is written: its name and how many numbers it has, if not any.
const TRANSFORMS: &[(&str, Option<usize>)] = &[
    ("pass", Some(1)),
    ("pass_through", Some(1)),
    ("merge", None),
    ("unmerge", None),
    ("replicate", None),
    ("embed", None),
    ("xor", Some(2)),
    ("xor_bits", Some(2)),
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
        let near = crate::fault::did_you_mean(name, names);
        return reader.here(at, format!("`{name}` is no transform{near}"));
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
    let list = |numbers: &[u32]| List::from_slice(numbers);
    let also = match name {
        "embed" => named_list(reader, "strides")?,
        "xor_bits" => named_list(reader, "masks")?,
        _ => Vec::new(),
    };
    let made = (|| {
        let lengths = list(&numbers)?;
        let at = |i: usize| numbers[i];
        Ok(match name {
            "merge" => Op::Merge { lengths },
            "unmerge" => Op::Unmerge { lengths },
            "replicate" => Op::Replicate { lengths },
            "embed" => Op::Embed { lengths, strides: list(&also)? },
            "xor" => Op::Xor { length0: at(0), length1: at(1) },
            "xor_bits" => Op::XorBits { length0: at(0), length1: at(1), masks: list(&also)? },
            "cyclic_shift" => Op::CyclicShift { length0: at(0), length1: at(1) },
            "inverse_cyclic_shift" => Op::InverseCyclicShift { length0: at(0), length1: at(1) },
            "pad" => {
                Op::Pad { low_length: at(0), left: at(1), right: at(2), skip_check: unchecked }
            }
            "left_pad" => Op::LeftPad { low_length: at(0), left: at(1), skip_check: unchecked },
            "right_pad" => Op::RightPad { low_length: at(0), right: at(1), skip_check: unchecked },
            "slice" => Op::Slice { low_length: at(0), begin: at(1), end: at(2) },
            "offset" => Op::Offset { length: at(0), offset: at(1) },
            "modulo" => Op::Modulo { modulus: at(0), length: at(1) },
            "indexing" => Op::Indexing { length: at(0), cached: at(1) },
            "freeze" => Op::Freeze { index: at(0) },
            "insert" => Op::Insert { length: at(0) },
            _ => Op::PassThrough { length: at(0) },
        })
    })();
    made.or_else(|error: tiledesc::NumberError| reader.here(at, tiledesc::Error::Number(error)))
}

/// `[8, 0, 2, unchecked]`
fn parameters(reader: &mut Reader<'_>) -> Result<(Vec<u32>, bool), Syntax> {
    reader.wants("[")?;
    let (mut numbers, mut unchecked) = (Vec::new(), false);
    while !reader.takes("]") {
        if !numbers.is_empty() {
            reader.wants(",")?;
        }
        if reader.takes("unchecked") {
            unchecked = true;
            reader.wants("]")?;
            break;
        }
        if numbers.len() == List::CAPACITY {
            return Err(reader.expected("`]` after 12 numbers"));
        }
        numbers.push(reader.number()?);
    }
    Ok((numbers, unchecked))
}

fn named_list(reader: &mut Reader<'_>, name: &str) -> Result<Vec<u32>, Syntax> {
    reader.wants(name)?;
    reader.numbers("[", "]")
}

/// The stages of a plan, as text that [`parse`] reads to the same map; or why there is none.
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

/// Whether all that a transform takes is on top.
fn is_ready(node: &Node, top: &[u32]) -> bool {
    node.lower.as_slice().iter().all(|id| top.contains(id))
}

/// Writes one stage; what no transform takes passes through. Returns the new top.
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
        Op::Offset { length, offset } => format!("offset[{length}, {offset}]"),
        Op::Indexing { length, cached } => format!("indexing[{length}, {cached}]"),
        Op::CyclicShift { length0, length1 } => format!("cyclic_shift[{length0}, {length1}]"),
        Op::InverseCyclicShift { length0, length1 } => {
            format!("inverse_cyclic_shift[{length0}, {length1}]")
        }
        _ => return Err("it looks up a table, which has no form as text".to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiledesc::prelude::*;

    /// The same tokens to the macro and, as text, to the reader.
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
        same! { packed [24]; embed[4, 6] strides [6, 1] (0) -> (0, 1); slice[4, 1, 3] (0) -> (1), pad[6, 1, 2] (1) -> (0); }
        same! { packed [8, 6]; freeze[3] (0) -> (), modulo[6, 12] (1) -> (0); pass[12] (0) -> (1), insert[5] () -> (0); }
        same! { packed [8, 8]; cyclic_shift[8, 8] (0, 1) -> (0, 1); inverse_cyclic_shift[8, 8] (0, 1) -> (1, 0); }
        same! { packed [30]; offset[10, 20] (0) -> (0); left_pad[10, 2] (0) -> (0); unmerge[3, 4] (0) -> (0, 1); }
        same! { packed [4, 8]; indexing[6, 2] (0) -> (0), pass[8] (1) -> (1); }
    }
}
