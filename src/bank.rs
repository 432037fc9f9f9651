//! The bank rule: distinct dwords per bank and phase.
//!
//! ```text
//!   bank(byte) = byte / 4 mod banks
//!   degree     = the most distinct dwords in one bank, over all phases
//!   conflict   = sum over phases of max(0, degree - 1)     cycles, as SQ_LDS_BANK_CONFLICT counts
//! ```
//!
//! Lanes that touch the same dword cost nothing (broadcast). Inactive lanes are
//! ignored. Source: the phases of each [`Instruction`]; the counting is
//! checked by hand in `tests/bank.rs` and against the model tables of
//! `tests/golden/ck_tile`.

use crate::instruction::{Instruction, Phases};

/// The byte address of each lane, `None` for an inactive one.
pub type Addresses = [Option<u32>; Phases::LANES];

/// What one instruction does to the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflicts {
    /// The most distinct dwords in one bank of one phase; 1 is conflict-free, 0
    /// means that no lane is active.
    pub degree: u32,
    /// Extra cycles over all phases.
    pub cycles: u32,
    /// The first phase with that degree.
    pub phase: usize,
    /// A bank with that degree, in that phase.
    pub bank: usize,
    /// Two lanes that meet there in different dwords, if the degree exceeds 1.
    pub lanes: Option<[usize; 2]>,
}

/// Counts the conflicts of one instruction.
///
/// ```
/// use tiledesc::{bank, target::gfx942};
///
/// // Every lane reads 16 bytes, 128 bytes apart: all in one group of banks.
/// let mut addresses = [None; 64];
/// for (lane, address) in addresses.iter_mut().enumerate() {
///     *address = Some(128 * lane as u32);
/// }
/// let conflicts = bank::conflicts(&addresses, &gfx942::ds_read_b128);
/// assert_eq!((conflicts.degree, conflicts.cycles), (8, 56));
/// ```
#[must_use]
pub const fn conflicts(addresses: &Addresses, instruction: &Instruction) -> Conflicts {
    let mut worst = Conflicts { degree: 0, cycles: 0, phase: 0, bank: 0, lanes: None };
    let mut phase = 0;
    while phase < instruction.phases.count() {
        let here = in_phase(addresses, instruction, phase);
        worst.cycles += here.degree.saturating_sub(1);
        if here.degree > worst.degree {
            worst = Conflicts { cycles: worst.cycles, ..here };
        }
        phase += 1;
    }
    worst
}

/// One phase: a table of distinct dwords per bank.
const fn in_phase(addresses: &Addresses, instruction: &Instruction, phase: usize) -> Conflicts {
    // 16 bytes touch 5 dwords where they are not aligned.
    let mut dwords = [0u32; 5 * Phases::LANES];
    let mut owners = [0usize; 5 * Phases::LANES];
    let mut len = 0;
    let mut lane = 0;
    while lane < Phases::LANES {
        if let (Some(address), true) = (addresses[lane], instruction.phases.of(lane) == phase) {
            let mut dword = address / 4;
            let last = (address as u64 + instruction.bytes as u64).saturating_sub(1) / 4;
            while dword as u64 <= last {
                if position(&dwords, len, dword) == len && len < dwords.len() {
                    dwords[len] = dword;
                    owners[len] = lane;
                    len += 1;
                }
                dword += 1;
            }
        }
        lane += 1;
    }
    let banks = if instruction.banks == 0 { 1 } else { instruction.banks };
    fullest(&dwords, &owners, len, banks, phase)
}

const fn position(dwords: &[u32], len: usize, dword: u32) -> usize {
    let mut i = 0;
    while i < len && dwords[i] != dword {
        i += 1;
    }
    i
}

/// The bank with the most dwords, and the first two lanes that meet in it.
const fn fullest(
    dwords: &[u32],
    owners: &[usize],
    len: usize,
    banks: usize,
    phase: usize,
) -> Conflicts {
    let mut worst = Conflicts { degree: 0, cycles: 0, phase, bank: 0, lanes: None };
    let mut i = 0;
    while i < len {
        let bank = dwords[i] as usize % banks;
        let mut count = 1;
        let mut j = 0;
        let mut first = i;
        while j < i {
            if dwords[j] as usize % banks == bank {
                count += 1;
                first = if j < first { j } else { first };
            }
            j += 1;
        }
        if count > worst.degree {
            let lanes = match worst.lanes {
                Some(lanes) if worst.bank == bank => Some(lanes),
                _ if count > 1 => Some([owners[first], owners[i]]),
                _ => None,
            };
            worst = Conflicts { degree: count, cycles: 0, phase, bank, lanes };
        }
        i += 1;
    }
    worst
}
