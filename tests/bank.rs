//! The bank rule, case by case, and against a counter written another way.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tiledesc::bank::{Addresses, Conflicts, conflicts};
use tiledesc::target::gfx942::{ds_read_b128, ds_write_b128};
use tiledesc::{Instruction, Phases};

fn lanes(address: impl Fn(u32) -> Option<u32>) -> Addresses {
    core::array::from_fn(|lane| address(lane as u32))
}

#[track_caller]
fn case(found: Conflicts, degree: u32, cycles: u32) {
    assert_eq!((found.degree, found.cycles), (degree, cycles), "{found:?}");
}

#[test]
fn broadcast_is_free() {
    case(conflicts(&lanes(|_| Some(48)), &ds_read_b128), 1, 0);
    // Two rows that differ in every second lane.
    case(conflicts(&lanes(|lane| Some(lane % 2 * 128)), &ds_read_b128), 2, 8);
}

#[test]
fn parts_of_one_dword_do_not_conflict() {
    let bytes = Instruction::read("b8", 1);
    case(conflicts(&lanes(Some), &bytes), 1, 0);
}

#[test]
fn inactive_lanes_do_not_count() {
    case(conflicts(&lanes(|_| None), &ds_read_b128), 0, 0);
    case(conflicts(&lanes(|lane| (lane < 2).then_some(lane * 128)), &ds_read_b128), 2, 1);
    // Lanes 0 and 4 are served in different phases.
    case(conflicts(&lanes(|lane| (lane % 4 == 0).then_some(lane * 128)), &ds_read_b128), 2, 8);
}

#[test]
fn more_banks_conflict_less() {
    let wide = Instruction::read("wide", 4).banks(64).phases(Phases::contiguous(64));
    case(conflicts(&lanes(|lane| Some(4 * lane)), &wide), 1, 0);
    case(conflicts(&lanes(|lane| Some(4 * lane)), &wide.banks(32)), 2, 1);
}

/// The same counts by sets: dwords per (phase, bank).
fn counted(addresses: &Addresses, instruction: &Instruction) -> (u32, u32) {
    let mut sets: BTreeMap<(usize, u64), BTreeSet<u64>> = BTreeMap::new();
    for (lane, address) in addresses.iter().enumerate() {
        let Some(address) = address.map(u64::from) else { continue };
        for byte in address..address + u64::from(instruction.bytes) {
            let dword = byte / 4;
            let key = (instruction.phases.of(lane), dword % instruction.banks as u64);
            sets.entry(key).or_default().insert(dword);
        }
    }
    let mut phases: BTreeMap<usize, u32> = BTreeMap::new();
    for ((phase, _), dwords) in sets {
        let degree = phases.entry(phase).or_default();
        *degree = (*degree).max(dwords.len() as u32);
    }
    (phases.values().copied().max().unwrap_or(0), phases.values().map(|d| d - 1).sum())
}

proptest! {
    #[test]
    fn agrees_with_sets(
        words in proptest::collection::vec(proptest::option::of(0..2048u32), 64),
        bytes in proptest::sample::select(vec![1u32, 2, 4, 8, 12, 16]),
        banks in proptest::sample::select(vec![32usize, 64]),
        phases in 0..4usize,
        aligned in any::<bool>(),
    ) {
        let phases = match phases {
            0 => ds_read_b128.phases,
            1 => ds_write_b128.phases,
            2 => Phases::contiguous(32),
            _ => Phases::contiguous(64),
        };
        let instruction = Instruction::read("drawn", bytes).banks(banks).phases(phases);
        let unit = if aligned { bytes } else { 1 };
        let addresses = lanes(|lane| words[lane as usize].map(|word| word * unit));
        let found = conflicts(&addresses, &instruction);
        prop_assert_eq!((found.degree, found.cycles), counted(&addresses, &instruction));
        if let Some([one, other]) = found.lanes {
            prop_assert_eq!(instruction.phases.of(one), found.phase);
            prop_assert_eq!(instruction.phases.of(other), found.phase);
        }
        prop_assert_eq!(found.lanes.is_some(), found.degree > 1);
    }
}
