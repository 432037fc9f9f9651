//! Two lanes that write one byte in one instruction: whether they write the same.
//!
//! ```text
//!   v_lshrrev_b32 v1, 1, v0       lanes 0 and 1 have one address, and so have 2 and 3, ..
//!   v_lshlrev_b32 v1, 2, v1
//!   ds_write_b32 v1, v1           the same value: each of the two is redundant
//!   ds_write_b32 v1, v0           0 and 1: a data race
//!   ds_write_b32 v1, v2           v2 loaded from memory: may be a data race
//! ```
//!
//! A value is `u + f(lane)`, and u is one number in all lanes: of lanes a and b with `f(a) = f(b)` all bytes are equal.
//! If they differ, the lowest byte in which f(a) and f(b) differ differs for any u, because what is below is equal, and
//! so is the carry. Higher bytes depend on u.

use crate::kernel::Reached;
use crate::value::Value;
use std::collections::BTreeMap;
use tiledesc::chip::Instruction;

/// The values of lanes that write one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Values {
    /// Equal values: it does not matter whose remains.
    Same,
    /// Values that are not known, or of which it is not known whether both lanes are on.
    Unknown,
    /// Different values: it is not determined which remains.
    Different,
}

impl Values {
    /// The word for programs: `same`, `unknown`, `different`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Unknown => "unknown",
            Self::Different => "different",
        }
    }
}

/// Two lanes that write one byte, of all such pairs one whose values agree least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The wave's number in its block.
    pub wave: usize,
    /// The lanes.
    pub lanes: [usize; 2],
    /// The values that they write.
    pub values: Values,
}

/// A byte of what a lane writes: which of the stored numbers, and which byte of it.
#[derive(Clone, Copy)]
struct Written {
    lane: usize,
    number: usize,
    byte: u32,
}

impl Race {
    /// The worst race of an instruction that writes, with the byte at which each lane that is on begins.
    pub(crate) fn worst(
        row: &Instruction,
        begins: &[Option<u32>],
        reached: &Reached,
    ) -> Option<Self> {
        let mut all: BTreeMap<u32, Vec<Written>> = BTreeMap::new();
        let numbers = row.bytes().div_ceil(4) as usize;
        let lanes = row.service().phases.addressed();
        for (lane, begin) in begins.iter().enumerate().take(lanes) {
            let Some(begin) = begin else { continue };
            for (part, at) in
                (0..row.parts()).flat_map(|part| (0..row.bytes()).map(move |at| (part, at)))
            {
                let number = part * numbers + at as usize / 4;
                let written = Written { lane, number, byte: at % 4 };
                let place = begin.wrapping_add(row.part(part)).wrapping_add(at);
                all.entry(place).or_default().push(written);
            }
        }
        let mut worst: Option<Self> = None;
        for there in all.values() {
            for (i, a) in there.iter().enumerate() {
                for b in there[..i].iter().filter(|b| b.lane != a.lane) {
                    let values = match values(reached, *a, *b) {
                        // Perhaps only one of them is on.
                        Values::Different if reached.on.is_none() => Values::Unknown,
                        values => values,
                    };
                    if worst.is_none_or(|worst| values > worst.values) {
                        worst = Some(Self { wave: reached.wave, lanes: [b.lane, a.lane], values });
                    }
                }
            }
        }
        worst
    }
}

/// Compares the values of two bytes.
fn values(reached: &Reached, a: Written, b: Written) -> Values {
    let stored = |one: Written| reached.stored.get(one.number);
    let (Some(one), Some(two)) = (stored(a), stored(b)) else { return Values::Unknown };
    let known = |value: &Value, one: Written| {
        let (bits, f) = value.lower()?;
        (bits >= 8 * (one.byte + 1)).then(|| f.get(one.lane) >> (8 * one.byte) & 0xff)
    };
    if let (Some(x), Some(y)) = (known(one, a), known(two, b)) {
        return if x == y { Values::Same } else { Values::Different };
    }
    match one {
        // One number of the instruction has one u.
        Value::Sum { f, .. } if (a.number, a.byte) == (b.number, b.byte) => {
            let apart = f.get(a.lane) ^ f.get(b.lane);
            match apart.trailing_zeros() / 8 {
                first if first > a.byte => Values::Same,
                first if first == a.byte => Values::Different,
                _ => Values::Unknown,
            }
        }
        _ => Values::Unknown,
    }
}
