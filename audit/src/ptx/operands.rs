//! Whether an access to shared memory is one: it has the operands of its row, declared, and no modifiers but its own.
//!
//! ```text
//!   ld.shared.v2.b32 {%r1, %r2}, [%r3+16];      registers, address
//!   st.shared.b32 [smem+4], 0;                  address, registers or constants
//!   ld.shared.b32 %r1, [%nosuch];               `%nosuch` is not declared
//!   ld.shared.b32 %r1;                          the address is missing
//! ```
//!
//! A text may be cut off, edited by hand, or of a later version. What it says then of an address is not guessed.

use super::function::{Function, Instruction, Kind};
use super::text::{Name, Operand};
use crate::text::{parts, separated};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the names of a text.
pub(super) struct Declared<'t> {
    pub(super) function: &'t Function,
    /// Variables in shared memory.
    pub(super) symbols: &'t BTreeMap<Box<str>, u32>,
    /// Variables elsewhere.
    pub(super) variables: &'t BTreeSet<Box<str>>,
}

impl Declared<'_> {
    /// What is wrong with an instruction that has a row, if anything is.
    pub(super) fn misread(&self, one: &Instruction) -> Option<String> {
        let (name, rest) = one.text.split_once(char::is_whitespace).unwrap_or((&one.text, ""));
        let said: Vec<&str> = separated(rest).collect();
        if parts(rest).count() != said.len().max(1) {
            return Some("an operand is empty".to_string());
        }
        let said = |i: usize| said.get(i).copied().unwrap_or("");
        if let Some(guard) = one.guard
            && self.function.registers[guard.predicate] != Kind::Predicate
        {
            return Some("its guard is not a declared predicate".to_string());
        }
        let operands = |least: usize, most: usize| match one.operands.len() {
            many if many < least => Some("an operand is missing".to_string()),
            many if many > most => Some(format!("`{}` is one operand too many", said(most))),
            _ => None,
        };
        let base = name.split('.').next().unwrap_or("");
        if base == "wmma" {
            let address = usize::from(name.starts_with("wmma.load"));
            let stride = one.operands.get(2);
            return operands(2, 3)
                .or_else(|| self.of_address(&one.operands[address], said(address)))
                .or_else(|| {
                    let is_wrong = stride.is_some_and(|one| !is_plain(one));
                    is_wrong.then(|| format!("`{}` is not a register or a number", said(2)))
                });
        }
        let (address, data) = if base.starts_with("st") || base == "cp" { (0, 1) } else { (1, 0) };
        operands(2, if base == "cp" { 5 } else { 2 })
            .or_else(|| if base.ends_with("matrix") { None } else { unknown_modifier(name) })
            .or_else(|| self.of_address(&one.operands[address], said(address)))
            .or_else(|| match base {
                // Where it copies from is no matter of shared memory, but that it says so is.
                "cp" => self.of_source(&one.operands[1], said(1)).or_else(|| {
                    let mut rest = one.operands.iter().enumerate().skip(2);
                    rest.find(|(_, one)| !is_plain(one))
                        .map(|(i, _)| format!("`{}` is not a register or a number", said(i)))
                }),
                _ => of_data(&one.operands[data], said(data), registers(name), base),
            })
    }

    fn of_source(&self, operand: &Operand, said: &str) -> Option<String> {
        let is_one = match operand {
            Operand::Address(Some(Name::Register(_)) | None, _) => true,
            Operand::Address(Some(Name::Symbol(name)), _) => self.variables.contains(name),
            _ => false,
        };
        (!is_one).then(|| format!("`{said}` is not an address"))
    }

    fn of_address(&self, operand: &Operand, said: &str) -> Option<String> {
        let inner = said.trim_matches(['[', ']']);
        let base = inner.split(['+', ' ']).next().unwrap_or(inner);
        match operand {
            Operand::Address(None, _) => None,
            Operand::Address(Some(Name::Register(register)), _) => {
                let kind = self.function.registers[*register];
                (!matches!(kind, Kind::Bits32 | Kind::Bits64))
                    .then(|| format!("`{base}` is not a register of 32 or 64 bits"))
            }
            Operand::Address(Some(Name::Symbol(name)), _) if self.symbols.contains_key(name) => {
                None
            }
            Operand::Address(Some(Name::Symbol(_)), _) => {
                Some(format!("`{base}` is not declared in shared memory"))
            }
            Operand::Address(Some(Name::Special(_)), _) => {
                Some(format!("`{base}` is not declared"))
            }
            _ => Some(format!("`{said}` is not an address")),
        }
    }
}

/// The first modifier that neither `ld`, `st` nor `cp.async` has.
fn unknown_modifier(name: &str) -> Option<String> {
    let mut parts = name.split('.');
    let is_known = |part: &str| match part {
        "ld" | "st" | "cp" | "async" | "weak" | "relaxed" | "acquire" | "release" | "volatile"
        | "mmio" | "cta" | "cluster" | "gpu" | "sys" | "shared" | "shared::cta" | "global"
        | "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "unified" => true,
        "v2" | "v4" | "v8" | "b8" | "b16" | "b32" | "b64" | "b128" | "u8" | "u16" | "u32"
        | "u64" | "s8" | "s16" | "s32" | "s64" | "f32" | "f64" => true,
        _ => ["L1::", "L2::"].iter().any(|cache| part.starts_with(cache)),
    };
    let unknown = parts.find(|part| !is_known(part))?;
    Some(format!("`.{unknown}` is not a modifier of it"))
}

/// How many registers an instruction moves.
fn registers(name: &str) -> usize {
    let has = |part: &str| name.split('.').any(|one| one == part);
    let count = |of: [(&str, usize); 3]| of.into_iter().find(|(part, _)| has(part)).map(|(_, n)| n);
    let vector = count([("v2", 2), ("v4", 4), ("v8", 8)]);
    let matrices = || count([("x1", 1), ("x2", 2), ("x4", 4)]);
    let each = if has("m16n16") { 2 } else { 1 };
    match name.contains("matrix") {
        true => matrices().unwrap_or(1) * each,
        false => vector.unwrap_or(1),
    }
}

/// Registers, or what is stored.
fn of_data(operand: &Operand, said: &str, count: usize, base: &str) -> Option<String> {
    let parts = match operand {
        Operand::Vector(parts) => &parts[..],
        one => std::slice::from_ref(one),
    };
    if parts.len() != count {
        return Some(format!("`{said}` is {} and {count} are moved", parts.len()));
    }
    if count > 1 && !matches!(operand, Operand::Vector(_)) {
        return Some(format!("`{said}` is not a vector"));
    }
    let inner = said.trim_matches(['{', '}']);
    let words: Vec<_> = separated(inner).collect();
    let wrong = parts.iter().zip(words).find(|(part, word)| !is_datum(part, word, base));
    wrong.map(|(part, word)| match part {
        Operand::Name(Name::Special(_)) => format!("`{word}` is not declared"),
        _ => format!("`{word}` is not a register"),
    })
}

fn is_plain(operand: &Operand) -> bool {
    matches!(operand, Operand::Name(Name::Register(_)) | Operand::Number(_))
}

/// A register; of a store a constant, too, and of a load `_`, which is dropped.
fn is_datum(part: &Operand, word: &str, base: &str) -> bool {
    match part {
        Operand::Name(Name::Register(_)) => true,
        Operand::Number(_) => base == "st",
        Operand::Other if word == "_" => base == "ld",
        Operand::Other if base == "st" => {
            let digits = word.strip_prefix("0f").or_else(|| word.strip_prefix("0d"));
            digits.is_some_and(|digits| {
                [8, 16].contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_hexdigit())
            })
        }
        _ => false,
    }
}
