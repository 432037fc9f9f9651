//! A line of AMDGPU assembly as words: a mnemonic, operands, modifiers.
//!
//! ```text
//!   ds_read2_b64 v[2:5], v55 offset0:4 offset1:8        ; a comment
//!   mnemonic     operands    modifiers
//!
//!   v_dual_mov_b32 v6, 0 :: v_dual_and_b32 v67, 7, v0   two in a line
//! ```
//!
//! Registers, integers and labels are distinguished; any other operand (a floating-point number, `-v3`, `|v3|`) is
//! [`Operand::Other`], whose value is not known.

use crate::text::{number, separated};
use std::borrow::Cow;

/// A file of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum File {
    /// Vector registers.
    V,
    /// Accumulation registers of gfx908 to gfx950.
    A,
    /// Scalar registers; `flat_scratch` is 102, `xnack_mask` 104, VCC 106, `ttmp0` 108, M0 124.
    S,
}

/// The number of `flat_scratch` among the scalar registers, before `xnack_mask`: chips that have them have no `s102`.
const FLAT_SCRATCH: usize = 102;
/// The number of VCC among the scalar registers.
pub(crate) const VCC: usize = 106;
/// `ttmp0` among the scalar registers.
pub(crate) const TTMP: usize = 108;
/// The number of M0 among the scalar registers.
pub(crate) const M0: usize = 124;
/// The name of what [`Words::undefined`] makes.
pub(crate) const UNDEFINED: &str = "implicit-def";
/// How the names of what [`Words::unknown`] makes end.
pub(crate) const OF_CALL: &str = "_of_call";
/// The number of scalar registers.
pub(crate) const SCALARS: usize = 128;

/// Registers that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Register {
    /// The registers' file.
    pub(crate) file: File,
    /// The first.
    pub(crate) first: usize,
    /// The number of registers.
    pub(crate) count: usize,
    /// The half of a register, if only its lower or upper 16 bits are meant.
    pub(crate) half: Option<Half>,
}

impl Register {
    /// Scalar registers.
    pub(crate) const fn scalars(first: usize, count: usize) -> Self {
        Self { file: File::S, first, count, half: None }
    }

    /// Each of them by itself, and whole.
    pub(crate) fn each(self) -> impl Iterator<Item = Self> {
        let one = move |first| Self { first, count: 1, half: None, ..self };
        (self.first..self.first + self.count).map(one)
    }
}

/// 16 bits of a register, or 32 lanes of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    /// `v3.l`, `exec_lo`
    Low,
    /// `v3.h`, `exec_hi`
    High,
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// Registers.
    Register(Register),
    /// An integer.
    Number(i64),
    /// The lanes that are on: `exec`, and `exec_lo` in a wave of 32.
    Exec,
    /// Half of them: `exec_lo` or `exec_hi` of a wave of 64.
    ExecHalf(Half),
    /// The condition code.
    Scc,
    /// An empty operand: `off`, `null`.
    Null,
    /// A label or a symbol.
    Name(String),
    /// Something else.
    Other,
}

impl Operand {
    /// Returns whether it names one of these registers.
    pub(crate) fn overlaps(&self, register: Register) -> bool {
        matches!(self, Self::Register(one) if one.file == register.file
            && one.first < register.first + register.count
            && register.first < one.first + one.count)
    }

    /// The scalar registers, if it names some.
    pub(crate) fn scalar(&self) -> Option<Register> {
        match self {
            Self::Register(one) if one.file == File::S => Some(*one),
            _ => None,
        }
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// The name of the instruction.
    pub(crate) name: String,
    /// The operands.
    pub(crate) operands: Vec<Operand>,
    /// The words that follow without a comma, `offset:16` as a pair.
    pub(crate) modifiers: Vec<(String, String)>,
    /// The text of an instruction on LDS, or of one that turns indices of registers on; empty of others.
    pub(crate) text: Box<str>,
}

impl Words {
    /// The instructions of a line without its comment: one, or two that are issued together.
    #[must_use]
    pub(crate) fn of_line(line: &str) -> Vec<Self> {
        line.split(" :: ").map(Self::new).collect()
    }

    /// Marks registers of which LLVM states that any content will do: no instruction, and yet a fact about them.
    pub(crate) fn undefined(register: Register) -> Self {
        Self::marker(UNDEFINED.to_string(), register)
    }

    /// Marks a register that a call may write.
    pub(crate) fn unknown(register: Register) -> Self {
        let name = if register.file == File::S { "s" } else { "v" };
        Self::marker(format!("{name}{OF_CALL}"), register)
    }

    fn marker(name: String, register: Register) -> Self {
        let operands = vec![Operand::Register(register)];
        Self { name, operands, modifiers: Vec::new(), text: "".into() }
    }

    fn new(text: &str) -> Self {
        let text = text.trim();
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let is_kept = name.starts_with("ds_") || name == "s_set_gpr_idx_on";
        let (mut operands, mut modifiers) = (Vec::new(), Vec::new());
        for part in separated(rest).take(OPERANDS) {
            let joined = without_blanks(part);
            let mut words = joined.split_whitespace();
            let Some(first) = words.next() else { continue };
            // Of an instruction without operands, and between modifiers with commas in their brackets.
            if is_modifier(first) {
                modifiers.push(modifier(first));
            } else {
                operands.push(operand(first));
            }
            for word in words {
                // Between operands the assembler takes a blank for a comma; on LDS a text without it is rather damaged.
                match !is_kept && (is_register_or_mask(word) || number(word).is_some()) {
                    true => operands.push(operand(word)),
                    false => modifiers.push(modifier(word)),
                }
            }
        }
        let text = if is_kept { text } else { "" };
        Self { name: name.to_string(), operands, modifiers, text: text.into() }
    }

    /// The text of an operand of an instruction on LDS.
    #[must_use]
    pub(crate) fn said(&self, operand: usize) -> &str {
        let (_, rest) = self.text.split_once(char::is_whitespace).unwrap_or(("", ""));
        let words = separated(rest).filter_map(|part| part.split_whitespace().next());
        words.filter(|word| !is_modifier(word)).nth(operand).unwrap_or("")
    }

    /// The text of a modifier.
    #[must_use]
    pub(crate) fn modifier(&self, name: &str) -> Option<&str> {
        let found = self.modifiers.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The number of a modifier: 0 if it is absent, `None` if it is not a number.
    #[must_use]
    pub(crate) fn offset(&self, name: &str) -> Option<i64> {
        self.modifier(name).map_or(Some(0), number)
    }
}

/// A part of an instruction without blanks around colons: `offset: 8` is `offset:8`.
fn without_blanks(part: &str) -> Cow<'_, str> {
    if !part.contains(": ") && !part.contains(" :") {
        return Cow::Borrowed(part);
    }
    Cow::Owned(part.split(':').map(str::trim).collect::<Vec<_>>().join(":"))
}

fn is_modifier(word: &str) -> bool {
    word.split_once(':').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    })
}

fn modifier(word: &str) -> (String, String) {
    let (name, value) = word.split_once(':').unwrap_or((word, ""));
    (name.to_string(), value.to_string())
}

/// The most operands of an instruction: those of images have some 20.
const OPERANDS: usize = 64;

/// Returns whether names of symbols and labels have such a character.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.$".contains(c)
}

/// Returns whether a word can be the name of a symbol or a label.
pub(super) fn is_symbol(word: &str) -> bool {
    word.starts_with(|c: char| is_of_name(c) && !c.is_ascii_digit()) && word.chars().all(is_of_name)
}

/// Returns whether a word is a register, or the mask of lanes that are on.
pub(super) fn is_register_or_mask(word: &str) -> bool {
    !matches!(operand(word), Operand::Name(_) | Operand::Number(_) | Operand::Other)
}

fn operand(word: &str) -> Operand {
    match word {
        "exec" => return Operand::Exec,
        "exec_lo" => return Operand::ExecHalf(Half::Low),
        "exec_hi" => return Operand::ExecHalf(Half::High),
        "off" | "null" => return Operand::Null,
        "scc" | "src_scc" => return Operand::Scc,
        _ => {}
    }
    if let Some(register) = register(word) {
        return Operand::Register(register);
    }
    if let Some(number) = number(word) {
        return Operand::Number(number);
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.$@".contains(c);
    let begins = |c: char| c.is_ascii_alphabetic() || "_.$".contains(c);
    // A register that no chip has is not a symbol.
    let register = |c: char| "vsa".contains(c);
    let is_register = word
        .strip_prefix("acc")
        .or(word.strip_prefix(register))
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if word.chars().all(is_name) && word.starts_with(begins) && !is_register {
        return Operand::Name(word.to_string());
    }
    Operand::Other
}

/// `v12`, `v[2:5]`, `v3.l`, `s[0:1]`, `vcc_lo`, `a7`, `acc[0:3]`, `ttmp8`, `m0`.
pub(super) fn register(word: &str) -> Option<Register> {
    let scalars = |first, count| Some(Register::scalars(first, count));
    match word {
        "vcc" => return scalars(VCC, 2),
        "vcc_lo" => return scalars(VCC, 1),
        "vcc_hi" => return scalars(VCC + 1, 1),
        "m0" => return scalars(M0, 1),
        "flat_scratch" => return scalars(FLAT_SCRATCH, 2),
        "flat_scratch_lo" => return scalars(FLAT_SCRATCH, 1),
        "flat_scratch_hi" => return scalars(FLAT_SCRATCH + 1, 1),
        "xnack_mask" => return scalars(FLAT_SCRATCH + 2, 2),
        "xnack_mask_lo" => return scalars(FLAT_SCRATCH + 2, 1),
        "xnack_mask_hi" => return scalars(FLAT_SCRATCH + 3, 1),
        _ => {}
    }
    let (word, half) = match (word.strip_suffix(".l"), word.strip_suffix(".h")) {
        (Some(rest), _) => (rest, Some(Half::Low)),
        (_, Some(rest)) => (rest, Some(Half::High)),
        _ => (word, None),
    };
    let (file, base, most, rest) = match word.strip_prefix("ttmp") {
        Some(rest) => (File::S, TTMP, M0, rest),
        // `acc[0:3]` is another name of `a[0:3]`.
        None if word.starts_with("acc") => (File::A, 0, 512, &word[3..]),
        None if word.starts_with('v') => (File::V, 0, 1024, &word[1..]),
        None if word.starts_with('a') => (File::A, 0, 512, &word[1..]),
        None if word.starts_with('s') => (File::S, 0, VCC, &word[1..]),
        None => return None,
    };
    let index = |text: &str| text.parse::<usize>().ok().filter(|_| !text.starts_with('+'));
    let (first, last) = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(range) => match range.split_once(':') {
            Some((first, last)) => (index(first)?, index(last)?),
            None => (index(range)?, index(range)?),
        },
        None => (index(rest)?, index(rest)?),
    };
    let fits = first <= last && last < most && base + last < most && last - first < 64;
    fits.then(|| Register { file, first: base + first, count: last - first + 1, half })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line() {
        let [one] = &Words::of_line("ds_read2_b64 v[2:5], v55 offset0:4 offset1:8")[..] else {
            panic!()
        };
        assert_eq!((one.name.as_str(), one.offset("offset1")), ("ds_read2_b64", Some(8)));
        let first = Register { file: File::V, first: 2, count: 4, half: None };
        assert_eq!(one.operands[0], Operand::Register(first));
        let two = Words::of_line("v_dual_mov_b32 v6, 0 :: v_dual_and_b32 v67, 7, v0");
        assert_eq!((two.len(), two[1].operands.len()), (2, 3));
        let spaced = &Words::of_line("ds_read2_b64 v[2:5], v55 offset0: 4 offset1 : 8")[0];
        assert_eq!((spaced.offset("offset0"), spaced.offset("offset1")), (Some(4), Some(8)));
        let dpp = &Words::of_line("v_mov_b32_dpp v1, v2 quad_perm:[1,0,3,2] row_mask:0xf")[0];
        assert_eq!(dpp.modifier("quad_perm"), Some("[1,0,3,2]"));
    }

    #[test]
    fn what_is_no_register_or_number() {
        for word in ["-v3", "|v3|", "1.0", "v[5:2]", "s[0:200]", "v99999", "v[0:99]", "s+1"] {
            assert_eq!(operand(word), Operand::Other, "{word}");
        }
        assert_eq!((number("0xffffffffffffffff"), number("0")), (Some(-1), Some(0)));
        assert_eq!((number("010"), number("-010"), number("08")), (Some(8), Some(-8), None));
    }
}
