//! What holds of a layout, found by trying every coordinate, and what an instruction does to
//! the banks, found by sets of bytes: nothing of the library's reasoning is used.

use std::collections::{BTreeMap, BTreeSet};
use tiledesc::access::Addresses;
use tiledesc::bank::Conflicts;
use tiledesc::{
    Plan,
    chip::{Access, Instruction},
};

/// Whether every aligned block of `length` along a dimension is evenly spaced by
/// `stride`, and wholly in memory or wholly in padding.
pub fn every_block_is_even(plan: &Plan, dimension: usize, length: u32, stride: i64) -> bool {
    (0..plan.elements()).all(|id| {
        let index = plan.nth(id);
        let mut first = index.as_slice().to_vec();
        let within = first[dimension] % length;
        first[dimension] -= within;
        let (here, block) = (plan.evaluate(index.as_slice()), plan.evaluate(&first));
        let distance = i64::from(here[0].wrapping_sub(block[0]).cast_signed());
        let (here, block) = (plan.accepts(&here), plan.accepts(&block));
        here == block && (!here || distance == i64::from(within) * stride)
    })
}

/// What an instruction does to the banks.
#[derive(Debug, PartialEq, Eq)]
pub struct Counted {
    pub degree: u32,
    pub base_cycles: u32,
    pub conflict_cycles: u32,
    /// Whether two lanes write one byte.
    pub race: bool,
}

impl Counted {
    /// What the library says.
    pub fn of(found: &Conflicts) -> Self {
        Self {
            degree: found.degree(),
            base_cycles: found.base_cycles,
            conflict_cycles: found.conflict_cycles,
            race: found.race.is_some(),
        }
    }
}

/// Whether all active lanes agree with the lane at a distance, of those that supply an address.
fn agree(addresses: &Addresses, row: &Instruction, distance: usize) -> bool {
    let supplied = |lane: &usize| *lane < row.service().phases.addressed();
    let address = |lane: usize| Some(lane).filter(supplied).and_then(|lane| addresses.get(lane));
    (0..64).all(|lane| match (address(lane), address(lane ^ distance)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

/// The same counts by sets of bytes: dwords per (part, phase, bank).
pub fn counted(addresses: &Addresses, row: &Instruction) -> Counted {
    let service = match row.merged() {
        Some(merged) if agree(addresses, row, 1) || agree(addresses, row, 2) => merged,
        _ => row.service(),
    };
    let mut sets: BTreeMap<(usize, usize, u64), BTreeSet<u64>> = BTreeMap::new();
    let mut writers: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
    for (part, lane) in (0..row.parts()).flat_map(|part| (0..64).map(move |lane| (part, lane))) {
        let Some(phase) = service.phases.of(lane) else { continue };
        let Some(address) = addresses.get(lane) else { continue };
        for byte in (0..row.bytes()).map(|byte| u64::from(address + row.part(part) + byte)) {
            let dword = byte / 4;
            let bank = dword % u64::from(service.banks);
            sets.entry((part, phase, bank)).or_default().insert(dword);
            writers.entry(byte).or_default().insert(lane);
        }
    }
    let mut degrees: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for ((part, phase, _), dwords) in sets {
        let degree = degrees.entry((part, phase)).or_default();
        *degree = (*degree).max(dwords.len() as u32);
    }
    Counted {
        degree: degrees.values().copied().max().unwrap_or(0),
        base_cycles: (service.phases.count() * row.parts()) as u32,
        conflict_cycles: degrees.values().map(|degree| degree - 1).sum(),
        race: row.access() == Access::Write && writers.values().any(|lanes| lanes.len() > 1),
    }
}
