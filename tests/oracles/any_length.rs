//! Rows of any length: a swizzle of the dense offset is found where one is free, and no pad does better.
//!
//! The tiles of GEMMs whose K is a multiple of 8 from 24 to 320, on four chips: written row by row, and read
//! whole as operands of 16 or of 32 rows. Of 492 with rows that are not a power of two all are at the floor; 328
//! of them by such a swizzle, where before a pad was taken. Answers are counted lane by lane, from the formulas
//! of the recipes' pages, for about as many tiles as `ANY_LENGTH_TILES` says.

use support::count::counted;
use tiledesc::access::Addresses;
use tiledesc::chip::{Instruction, gfx942, gfx950, gfx1100, sm_90};
use tiledesc::pattern::Lanes;
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::{Synthesis, Use};

/// A write and a read of 16 bytes.
const CHIPS: [[&Instruction; 2]; 4] = [
    [&gfx942::ds_write_b128, &gfx942::ds_read_b128],
    [&gfx950::ds_write_b128, &gfx950::ds_read_b128],
    [&gfx1100::ds_store_b128, &gfx1100::ds_load_b128],
    [&sm_90::st_shared_b128, &sm_90::ld_shared_b128],
];

/// Halves of 16 bytes.
const PACK: u32 = 8;

/// A tile with what a kernel does to it.
#[derive(Clone, Copy)]
struct Case {
    tile: Shape,
    rows: [&'static Instruction; 2],
    operand: u32,
}

impl Case {
    fn found(&self) -> Option<Synthesis> {
        let patterns = [Lanes::row_major(), Lanes::rows(self.operand)];
        let uses = [0, 1].map(|i| Use::new(patterns[i], self.rows[i]));
        self.tile.synthesize(&uses).ok()
    }

    /// The cycles of a layout, lane by lane.
    fn cycles(&self, offset: &dyn Fn(u32, u32) -> u32) -> u64 {
        let Shape { rows, columns, .. } = self.tile;
        let lanes = self.rows[0].service().phases.addressed() as u32;
        let (packs, deep) = (columns / PACK, lanes / self.operand);
        let along: Vec<_> = (0..rows * packs).map(|n| (n / packs, n % packs)).collect();
        let blocks = (0..packs / deep).flat_map(|k| (0..rows / self.operand).map(move |m| (m, k)));
        let operand = self.operand;
        let read: Vec<_> = blocks
            .flat_map(|(m, k)| {
                (0..lanes).map(move |l| (m * operand + l % operand, k * deep + l / operand))
            })
            .collect();
        let mut cycles = 0;
        for (row, places) in [(self.rows[0], along), (self.rows[1], read)] {
            for wave in places.chunks(lanes as usize) {
                let address = |l: u32| wave.get(l as usize).map(|(m, k)| 2 * offset(*m, k * PACK));
                let found = counted(&Addresses::from_fn(address), row);
                assert!(!found.race);
                cycles += u64::from(found.base_cycles + found.conflict_cycles);
            }
        }
        cycles
    }

    /// The offset in a layout that was found, by its page.
    fn offset(&self, layout: Spec, m: u32, k: u32) -> u32 {
        let (n, [pack, line]) = (m * self.tile.columns + k, [layout.pack(), layout.line_packs()]);
        match layout.scheme() {
            Scheme::DenseSwizzled => {
                let masks = layout.list();
                let bits = (0..masks.len()).filter(|b| (n / (pack * line)) >> b & 1 == 1);
                n ^ (bits.fold(0, |key, b| key ^ masks.at(b)) * pack)
            }
            Scheme::InOrder => n,
            Scheme::PaddedRows => n + m * layout.pad(),
            other => panic!("no formula of {other:?} here"),
        }
    }
}

/// All tiles with rows of a length that is not a power of two.
fn cases(rows: &[u32]) -> Vec<Case> {
    let mut all = Vec::new();
    for chip in CHIPS {
        for (m, k) in rows.iter().flat_map(|m| (24..=320).step_by(8).map(move |k: u32| (*m, k))) {
            if !k.is_power_of_two() {
                let tile = Shape { rows: m, columns: k, bits: 16 };
                all.extend([16, 32].map(|operand| Case { tile, rows: chip, operand }));
            }
        }
    }
    all
}

#[test]
fn at_the_floor_without_a_byte() {
    let mut dice = support::fuzz::Dice(29);
    let (mut tiles, mut at_floor, mut dense, mut tried) = (0, 0, 0, 0);
    let most: u32 = support::fuzz::times(24) as u32;
    let all = cases(&[32, 64, 128, 256]);
    let share = all.len() as u32 / most.max(1);
    for case in all {
        let Some(found) = case.found() else { continue };
        let (tile, layout) = (case.tile, found.layout);
        tiles += 1;
        at_floor += u32::from(found.cycles == found.floor);
        dense += u32::from(layout.scheme() == Scheme::DenseSwizzled);
        if share > 1 && dice.below(share) > 0 {
            continue;
        }
        tried += 1;
        let cycles = case.cycles(&|m, k| case.offset(layout, m, k));
        assert_eq!(found.cycles, cycles, "{found} of {tile:?} by {}", case.operand);
        if tile.rows <= 64 {
            for pad in (0..64).step_by(8) {
                let padded = case.cycles(&|m, k| m * (tile.columns + pad) + k);
                assert!(cycles <= padded, "a pad of {pad}: {padded}, {found} of {tile:?}");
            }
        }
    }
    println!("{tiles} tiles: {at_floor} at the floor, {dense} by a dense swizzle, {tried} counted");
    assert!(tiles >= 470 && at_floor + 2 >= tiles, "{at_floor} of {tiles}");
    assert!(dense * 2 > tiles, "{dense} of {tiles} are dense swizzles");
}
