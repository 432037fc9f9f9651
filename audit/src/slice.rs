//! Why an address is what it is: the instructions that lead to it, with what is known of each register.
//!
//! ```text
//!   line 4  v_lshlrev_b32_e32 v1, 7, v0     128 lane
//!   line 5  s_load_dword s1, s[2:3], 0x0    the same in all lanes
//!   line 6  v_xor_b32_e32 v1, s1, v1        unknown: computed at line 6 in a way that is not followed
//!   line 7  ds_read_b32 v2, v1              unknown: its address was computed at line 6 in a way that is not followed
//! ```
//!
//! The instructions are those of the text before the access that its address depends on, the last that wrote each register first;
//! what another round of a loop brings is in the values. These are the first wave's, after the instruction.

use crate::kernel::Kernel;
use crate::value::{Lanes, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The value that each instruction of interest writes, in the first wave that gets there.
pub(crate) type Seen = BTreeMap<usize, Value>;

/// Instructions of a slice at most: more explain nothing.
const MOST: usize = 200;

/// The instructions before another one on which registers depend, in the order of the text. `step` says whether an instruction
/// writes one of them, and puts those that it reads in their place.
pub(crate) fn leading<R: Ord>(
    at: usize,
    mut open: BTreeSet<R>,
    step: impl Fn(usize, &mut BTreeSet<R>) -> bool,
) -> Vec<usize> {
    let mut all = Vec::new();
    for before in (0..at).rev() {
        if all.len() == MOST || open.is_empty() {
            break;
        }
        if step(before, &mut open) {
            all.push(before);
        }
    }
    all.reverse();
    all
}

/// An access with the instructions that lead to its address.
#[derive(Clone, Debug)]
pub struct Reasons {
    /// The kernel, as a report begins.
    pub head: String,
    /// The instructions in the order of the text, the access last.
    pub steps: Vec<Known>,
}

/// An instruction, and what is known of what it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The line of the text, from 1.
    pub line: usize,
    /// The instruction, as the text has it.
    pub text: String,
    /// What is known after it.
    pub known: String,
}

/// A kernel with the slice of one of its accesses.
pub(crate) struct Slice {
    pub(crate) kernel: Kernel,
    /// The instructions, in the order of the text.
    pub(crate) code: Vec<usize>,
    pub(crate) seen: Seen,
}

impl Slice {
    /// The instructions with what is known of each, for the access in a line of the text.
    pub(crate) fn reasons(&self, text: &str, line: usize) -> Option<Reasons> {
        let kernel = &self.kernel;
        let report = kernel.report_all();
        let access = report.lines.iter().find(|one| one.lines.contains(&line))?;
        let lines: Vec<&str> = text.lines().collect();
        let written = |line: usize| {
            let words = lines.get(line.checked_sub(1)?)?.split(['\t', ' ']);
            let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
            Some(words.join(" "))
        };
        let mut steps: Vec<Known> = Vec::new();
        for at in &self.code {
            let of = kernel.instructions[*at].0;
            let Some(value) = self.seen.get(at).filter(|_| of != line) else { continue };
            let known = said(value, kernel);
            let one = Known { line: of, text: written(of)?, known };
            // SASS is some instructions of PTX a line: the last says what it makes.
            match steps.last_mut().filter(|last| last.line == of) {
                Some(last) => *last = one,
                None => steps.push(one),
            }
        }
        steps.push(Known { line, text: written(line)?, known: access.found.clone() });
        Some(Reasons { head: report.head.clone(), steps })
    }
}

/// What is known of a value.
fn said(value: &Value, kernel: &Kernel) -> String {
    let why = |reason| kernel.why(reason).replace("its address ", "").replace("was ", "");
    match value {
        Value::Nothing => "any content will do".to_string(),
        Value::Sum { k: 32, f } => numbers(f, kernel.wave),
        Value::Sum { k, f: Lanes::Same(0) } => format!("the same in all lanes{}", multiple(*k)),
        Value::Sum { k, f } => {
            format!("u + {}, u the same in all lanes{}", numbers(f, kernel.wave), multiple(*k))
        }
        Value::OneOf(all) => {
            let all: Vec<_> = all.iter().map(|one| said(one, kernel)).collect();
            format!("one of {}", all.join("; or "))
        }
        Value::Part { bits, reason, .. } => {
            format!("only the low {bits} bits are known: {}", why(*reason))
        }
        Value::Among { k, open, f, reason } => {
            let u = if *k == 32 { "" } else { "u + " };
            let f = numbers(f, kernel.wave);
            format!("{u}{f}, and bits of {open:#x} that are not known: {}", why(*reason))
        }
        Value::Unknown(reason) => format!("unknown: {}", why(*reason)),
    }
}

fn multiple(k: u32) -> String {
    if k == 0 { String::new() } else { format!(", a multiple of {}", 1_u64 << k) }
}

/// The most pieces of a formula, and numbers of a list.
const PIECES: usize = 4;
const NUMBERS: usize = 8;

/// `128 lane`, `4 + 16 lane in 0 to 15, 64 in 16 to 63`, or the first of the numbers.
fn numbers(f: &Lanes, wave: usize) -> String {
    let of = |lane: usize| i64::from(f.get(lane).cast_signed());
    let mut pieces: Vec<(usize, usize, i64)> = Vec::new();
    let mut lane = 0;
    while lane < wave {
        let step = if lane + 1 < wave { of(lane + 1) - of(lane) } else { 0 };
        let mut end = lane;
        while end + 1 < wave && of(end + 1) - of(end) == step {
            end += 1;
        }
        pieces.push((lane, end, step));
        lane = end + 1;
        if pieces.len() > PIECES {
            let first: Vec<_> = (0..NUMBERS).map(|lane| f.get(lane).to_string()).collect();
            return format!("{}, .. in lanes 0, 1, ..", first.join(", "));
        }
    }
    let formula = |(begin, _, step): &(usize, usize, i64)| {
        let first = of(*begin) - step * *begin as i64;
        match (first, step) {
            (first, 0) => first.to_string(),
            (0, 1) => "lane".to_string(),
            (0, step) => format!("{step} lane"),
            (first, 1) => format!("{first} + lane"),
            (first, step) => format!("{first} + {step} lane"),
        }
    };
    match &pieces[..] {
        [one] => formula(one),
        all => {
            let part =
                |one: &(usize, usize, i64)| format!("{} in {} to {}", formula(one), one.0, one.1);
            all.iter().map(part).collect::<Vec<_>>().join(", ")
        }
    }
}

impl fmt::Display for Reasons {
    /// The kernel, then a line for each instruction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.head)?;
        let width = |of: &dyn Fn(&Known) -> usize| self.steps.iter().map(of).max().unwrap_or(0);
        let numbers = width(&|one| one.line.to_string().len());
        let texts = width(&|one| one.text.len()).min(60);
        self.steps.iter().try_for_each(|Known { line, text, known }| {
            writeln!(f, "  line {line:numbers$}  {text:texts$}  {known}")
        })
    }
}
