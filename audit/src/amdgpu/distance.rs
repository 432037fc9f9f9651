//! Distances that code adds to an address: as it names them, and as it adds them up.
//!
//! ```text
//!   s_add_u32 s80, s80, label_end                                   from the instruction's last 4 bytes on
//!   s_add_u32 s80, s80, (label_end-.Lhere)&4294967295               from `.Lhere` on, the lower word
//!   s_add_i32 s82, label_end, 4;  s_add_u32 s80, s80, s82;  s_addc_u32 s81, s81, 0
//! ```

use super::text::{File, Half, Operand, Register, Words, is_symbol};
use std::collections::BTreeMap;

/// A distance to a label, as an instruction names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distance {
    pub(super) label: String,
    /// The label from which it counts, and which word of it is meant; without, it counts from the instruction's last 4 bytes.
    pub(super) from: Option<(String, Half)>,
}

impl Distance {
    /// `label_end`, `(label_end-.Lhere)&4294967295`, `(label_end-.Lhere)>>32`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let name = |text: &str| is_symbol(text).then(|| text.to_string());
        let Some(rest) = text.strip_prefix('(') else {
            return Some(Self { label: name(text)?, from: None });
        };
        let (difference, word) = rest.split_once(')')?;
        let half = match word {
            "&4294967295" | "&0xffffffff" => Half::Low,
            ">>32" => Half::High,
            _ => return None,
        };
        let (label, from) = difference.split_once('-')?;
        Some(Self { label: name(label)?, from: Some((name(from)?, half)) })
    }
}

/// The sum of an address, instruction by instruction.
#[derive(Default)]
pub(super) struct Run {
    numbers: BTreeMap<usize, i32>,
    /// From the instruction behind `s_getpc_b64`.
    pub(super) distance: u64,
    /// The condition code after a comparison.
    holds: Option<bool>,
    /// The instruction that takes the carry of the last sum.
    pub(super) carry: Option<&'static str>,
    /// The distance that the instruction names.
    pub(super) named: Option<i32>,
}

impl Run {
    fn number(&self, operand: Option<&Operand>) -> Option<i32> {
        match operand? {
            Operand::Number(number) => Some(*number as i32),
            Operand::Register(one) if one.file == File::S && one.count == 1 => {
                self.numbers.get(&one.first).copied()
            }
            Operand::Name(_) | Operand::Other => self.named,
            _ => None,
        }
    }

    /// Returns whether an instruction is a branch that is taken.
    pub(super) fn branches(&self, words: &Words) -> Option<bool> {
        match words.name.as_str() {
            "s_cbranch_scc1" => self.holds,
            "s_cbranch_scc0" => self.holds.map(|holds| !holds),
            _ => Some(false),
        }
    }

    pub(super) fn step(&mut self, words: &Words, address: Register) -> Option<()> {
        let name = words.name.as_str();
        if matches!(name, "s_cbranch_scc1" | "s_cbranch_scc0" | "s_nop") {
            return Some(());
        }
        let [left, right] = [1, 2].map(|at| self.number(words.operands.get(at)));
        if name == "s_cmp_ge_i32" && self.carry.is_none() {
            self.holds = Some(self.number(words.operands.first())? >= left?);
            return Some(());
        }
        self.holds = None;
        let Some(Operand::Register(to)) = words.operands.first() else { return None };
        if Operand::Register(*to).overlaps(address) {
            return self.add(words, to.first == address.first, right?);
        }
        let value = match name {
            "s_add_i32" => left?.wrapping_add(right?),
            "s_abs_i32" => left?.wrapping_abs(),
            _ => return None,
        };
        let is_free = to.file == File::S && to.count == 1 && self.carry.is_none();
        self.numbers.insert(to.first, value);
        is_free.then_some(())
    }

    /// Adds a number to the lower or the upper word of the address, each to itself and the one right behind the other.
    fn add(&mut self, words: &Words, is_lower: bool, number: i32) -> Option<()> {
        let word = u64::from(number.cast_unsigned());
        let (carry, sum) = match (words.name.as_str(), is_lower) {
            ("s_add_u32", true) => (Some("s_addc_u32"), self.distance.wrapping_add(word)),
            ("s_sub_u32", true) => (Some("s_subb_u32"), self.distance.wrapping_sub(word)),
            ("s_addc_u32", false) => (None, self.distance.wrapping_add(word << 32)),
            ("s_subb_u32", false) => (None, self.distance.wrapping_sub(word << 32)),
            _ => return None,
        };
        let is_next = match is_lower {
            true => self.carry.is_none(),
            false => self.carry == Some(words.name.as_str()),
        };
        (self.carry, self.distance) = (carry, sum);
        (is_next && words.operands.first() == words.operands.get(1)).then_some(())
    }
}
