//! Addresses that depend on data, and conflict with none of it.
//!
//! ```text
//!   table[data & 15]             16 dwords in 16 banks: two lanes read one dword or two banks
//!   count[data >> 4][lane]       the bank is the lane's own, whatever the row
//! ```
//!
//! Each lane may touch what its address is with any choice of its open bits. An access is free if no two lanes can touch different
//! dwords of one bank in one phase.

use crate::kernel::{Reached, Row};
use crate::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use tiledesc::chip::{Access, Instruction};

/// Returns whether an access is free of conflicts and of data races, whatever the open bits of its address are.
pub(crate) fn is_free(row: &Row, reached: &Reached, wave: usize) -> bool {
    let is_it =
        |of: &Instruction| Lanes::new(row, of, reached, wave).is_some_and(|one| one.is_free());
    is_it(&row.row) && (row.row.rival().is_none() || is_it(&row.row.as_rival()))
}

/// The lanes of a wave at an access.
struct Lanes<'r> {
    row: &'r Instruction,
    /// The first byte of each lane that is on, without its open bits.
    first: Vec<Option<u32>>,
    /// Open bits that choose a bank.
    open: u32,
    /// Open bits that choose a row of banks: with one of them a lane's dword is not known.
    rows: u32,
}

impl<'r> Lanes<'r> {
    /// `None` if an address may be misaligned, or if the cost depends on whether lanes agree.
    fn new(row: &Row, of: &'r Instruction, reached: &Reached, wave: usize) -> Option<Self> {
        let (k, open, f) = match &reached.address {
            Value::Among { k, open, f, .. } => (*k, *open, f),
            Value::Part { bits, f, .. } => (32, u32::MAX << bits, f),
            _ => return None,
        };
        let (alignment, period) = (of.alignment(), 4 * of.service().banks);
        let is_on = |lane: usize| reached.on.is_none_or(|on| on >> lane & 1 == 1);
        let byte = |lane: usize| is_on(lane).then(|| f.get(lane).wrapping_add(row.offset));
        let first = Vec::from_iter((0..wave).map(byte));
        let is_aligned = first.iter().flatten().all(|byte| byte.is_multiple_of(alignment));
        let is_u_aligned = k >= 2 && (k == 32 || (1_u32 << k).is_multiple_of(alignment));
        if of.merged().is_some()
            || !is_aligned
            || !is_u_aligned
            || !open.is_multiple_of(alignment)
            || !period.is_power_of_two()
        {
            return None;
        }
        let rows = open & !(period - 1);
        Some(Self { row: of, first, open: open & !rows, rows })
    }

    /// The bytes that a lane may touch in one of the instruction's addresses.
    fn touched(&self, part: usize, lane: usize) -> impl Iterator<Item = u32> {
        let first = self.first.get(lane).copied().flatten();
        let begin = first.map(|first| first.wrapping_add(self.row.part(part)));
        let bytes: Range<u32> = 0..self.row.bytes();
        begin.into_iter().flat_map(move |begin| {
            let bytes = bytes.clone();
            choices(self.open).flat_map(move |bits| {
                bytes.clone().map(move |byte| begin.wrapping_add(bits).wrapping_add(byte))
            })
        })
    }

    fn is_free(&self) -> bool {
        let phases = &self.row.service().phases;
        let parts = 0..self.row.parts();
        let each = parts.flat_map(|part| (0..phases.count()).map(move |phase| (part, phase)));
        let is_write = self.row.access() == Access::Write;
        each.into_iter().all(|(part, phase)| self.is_phase_free(part, phases.lanes(phase)))
            && !(is_write && self.may_race())
    }

    /// Returns whether no two lanes of a phase can touch different dwords of one bank.
    fn is_phase_free(&self, part: usize, lanes: &[u8]) -> bool {
        let many = self.row.service().banks;
        let mut banks: Vec<Option<Bank>> = vec![None; many as usize];
        for lane in lanes.iter().map(|lane| usize::from(*lane)) {
            let mut last = None;
            for dword in self.touched(part, lane).map(|byte| byte / 4) {
                if last.replace(dword) == Some(dword) {
                    continue;
                }
                let new = Bank { lane, dword, is_one_lane: true, is_one_dword: self.rows == 0 };
                let bank = banks[(dword % many) as usize].get_or_insert(new);
                bank.is_one_lane &= bank.lane == lane;
                bank.is_one_dword &= bank.dword == dword;
                if !bank.is_one_lane && !bank.is_one_dword {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether two lanes can write one byte.
    fn may_race(&self) -> bool {
        let mut owners = BTreeMap::new();
        // Below the first open bit of a row bytes are known.
        let known = (self.rows & self.rows.wrapping_neg()).wrapping_sub(1);
        for part in 0..self.row.parts() {
            for lane in 0..self.first.len() {
                for byte in self.touched(part, lane) {
                    if *owners.entry(byte & known).or_insert(lane) != lane {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// What lanes of a phase may touch in a bank: the first of them, and whether all others are of that lane or of that dword. Where
/// neither holds, two lanes differ in both.
#[derive(Clone, Copy)]
struct Bank {
    lane: usize,
    dword: u32,
    is_one_lane: bool,
    is_one_dword: bool,
}

/// All numbers that have no other bits than these.
fn choices(bits: u32) -> impl Iterator<Item = u32> + Clone {
    let next = move |choice: &u32| Some(choice.wrapping_sub(bits) & bits).filter(|next| *next != 0);
    std::iter::successors(Some(0), next)
}
