//! The layout that costs least: found, proven, and judged by the analyzer.
//!
//! | test | promise |
//! |---|---|
//! | `as_every_choice_of_masks` | on 400 random small problems the cycles are the least of all masks, tried one by one |
//! | `gemm_tiles_are_free`, `with_the_diagonal`, `tiles_of_floats_are_free` | tiles of GEMMs are free, and with which layouts |
//! | `several_chips` | one layout for gfx942 and gfx950 |
//! | `filled_directly` | of a tile that a direct load fills, every candidate can be filled, and none that can is lost |
//! | `lengths_of_any_kind` | where lanes are not xors of columns candidates are judged |
//! | `each_candidate_once` | no layout is listed twice |
//! | `by_columns_as_by_rows` | exchanged accesses have the same candidates, columns in place of rows |
//! | `whole_tiles_by_columns` | so have the instructions of a whole tile |
//! | `columns_where_rows_conflict` | columns are tried where rows have conflicts, and judged |
//! | `lines_of_wide_rows`, `declared_lines` | of rows that fill all banks more than once, masks of their lines are the least of all, tried one by one; declared and pasted |
//! | `a_loss_that_comes_anyhow` | what every layout loses does not hide what the best one does not |
//! | `addresses_as_of_the_plan` | address instructions are those of the plan's addressing |
//! | `addresses_of_long_accesses` | so are those of more than 64 accesses, register by register |
//! | `table_of_the_book` | recipes on chips, as `docs/src/which_layout.md` has them |
//! | `printed_lines_are_types`, `declared` | what is printed compiles and is what was found; so is what `synthesize!` declares |
//! | `what_another_layout_bears`, `widths_of_any_kind` | what the tile in order does not bear; elements of 0 bits and of 24 |
//! | `refusals_say_why` | what cannot be searched, with the numbers |

use std::collections::BTreeSet;
use tiledesc::chip::{self, gfx942, gfx950, gfx1100, sm_80};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M};
use tiledesc::search::{Candidate, Fill, Optimality, Shape, Use};
use tiledesc::search::{Scheme, Spec};
use tiledesc::{List, access::Placed, chip::Instruction};

/// The cycles of all accesses, by the analyzer.
fn judged(plan: &Plan, tile: Shape, uses: &[Use<'_>]) -> u64 {
    let cycles = |access: &Use<'_>| {
        let placed = Placed::new(plan, tile.bits, access.lanes, access.instruction).unwrap();
        placed.verdict().unwrap().active_cycles() * u64::from(access.times)
    };
    uses.iter().map(cycles).sum()
}

fn fits(tile: Shape, access: &Use<'_>) -> bool {
    let plain = Spec::row_major().plan(tile).unwrap();
    Placed::new(&plain, tile.bits, access.lanes, access.instruction)
        .is_ok_and(|placed| placed.verdict().is_ok())
}

const CHIPS: [(&Instruction, &Instruction); 2] = [
    (&gfx942::ds_write_b128, &gfx942::ds_read_b128),
    (&gfx950::ds_write_b128, &gfx950::ds_read_b128),
];

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
                    let mut uses = vec![Use::new(Lanes::row_major(), store)];
                    let read = |rows: &u32| Use::new(Lanes::rows(*rows), load);
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
fn gemm_tiles_are_free() {
    let (mut shifts, mut masks, mut pads) = (0, 0, 0);
    for (tile, uses) in gemms() {
        let found = tile.synthesize(&uses).unwrap();
        assert_eq!(found.optimality(), Optimality::Floor, "{tile:?}: {found}");
        assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.floor(), "{tile:?}: {found}");
        pads += u32::from(tile.row_pad(&uses).is_some());
        match found.layout().scheme() {
            Scheme::MaskedLayers => {
                let (layers, found) = (found.layers(), found.layout().list());
                // 64 bytes a row on gfx950: no layer of single bits and no pad.
                assert_eq!((tile.columns * tile.bits, layers), (512, 4), "{tile:?}");
                assert_eq!(
                    (found.as_slice(), tile.row_pad(&uses)),
                    (&[3, 2][..], None),
                    "{tile:?}"
                );
                masks += 1;
            }
            _ => shifts += 1,
        }
    }
    assert_eq!((shifts, masks, pads), (204, 9, 86));
}

/// Transfers of two widths on three chips: what a direct load can fill, and cycles as of the same
/// candidates where lanes store them. Once on 211 tiles with 1,028 such pads: 101 had another layout,
/// 23 of them one of more cycles.
#[test]
fn filled_directly() {
    let transfers = [
        (&gfx942::global_load_lds_b32, &gfx942::ds_read_b64, 16),
        (&gfx950::global_load_lds_b32, &gfx950::ds_read_b128, 32),
        (&gfx950::global_load_lds_b128, &gfx950::ds_read_b64, 16),
        (&gfx950::global_load_lds_b128, &gfx950::ds_read_b128, 16),
        (&sm_80::cp_async_b128, &sm_80::ld_shared_b64, 8),
    ];
    let (mut tiles, mut pads, mut lost, mut wider) = (0, 0, 0, 0);
    for (transfer, load, operand) in transfers {
        for (bits, rows, columns) in [8, 16].into_iter().flat_map(|bits| {
            [32, 64].into_iter().flat_map(move |m| [32, 96, 512].map(|k| (bits, m, k)))
        }) {
            let (tile, fill) = (Shape { rows, columns, bits }, Fill::by(transfer, 2));
            let read = Use::new(Lanes::rows(operand), load);
            let plain = Spec::row_major().plan(tile).unwrap();
            if !fits(tile, &read) {
                continue;
            }
            let filled = [read.filled_by(fill)];
            if let Err(error) = fill.plan(&plain, bits) {
                let said = tile.synthesize(&filled).unwrap_err().to_string();
                assert!(said.ends_with(&error.to_string()), "{said}");
                continue;
            }
            tiles += 1;
            let (all, stored) =
                (tile.candidates(&filled).unwrap(), tile.candidates(&[read]).unwrap());
            let can_be = |candidate: &&Candidate| {
                fill.plan(&candidate.layout().plan(tile).unwrap(), bits).is_ok()
            };
            // None that cannot be filled, and of pads each that can.
            assert_eq!(all.as_slice().iter().filter(can_be).count(), all.as_slice().len());
            let is_pad = |candidate: &&Candidate| candidate.layout().scheme() == Scheme::PaddedRows;
            let step = transfer.data().max(load.bytes()) * 8 / bits;
            for pad in stored.as_slice().iter().filter(is_pad).filter(can_be) {
                let elements = pad.layout().pad();
                if elements.is_multiple_of(step) {
                    assert!(all.as_slice().contains(pad), "{tile:?}: {pad:?}");
                    pads += 1;
                }
            }
            let found = tile.synthesize(&filled).unwrap();
            let least = all.as_slice()[0];
            assert_eq!(found.cycles(), least.cycles(), "{tile:?}: {found}, {least:?}");
            assert!(fill.plan(&found.plan().unwrap(), bits).is_ok(), "{tile:?}: {found}");
            assert_eq!(judged(&found.plan().unwrap(), tile, &filled), found.cycles());
            let free = tile.synthesize(&[read]).unwrap();
            assert!(free.cycles() <= found.cycles());
            lost += u32::from(free.cycles() < found.cycles());
            wider += u32::from(free.layout() != found.layout());
        }
    }
    println!(
        "{tiles} tiles, {pads} pads; {wider} of another layout than stored, {lost} of more cycles"
    );
    assert!(tiles > 30 && pads > 100 && wider > 10, "{tiles}, {pads}, {wider}");
}

/// Write, both operands, a column, and the diagonal on which xor_t is 8-way (rocm-libraries
/// 11597): few answers serve all tiles.
#[test]
fn with_the_diagonal() {
    let answer = |chip: &str, bytes: u32| match (chip, bytes) {
        ("gfx942", 64) => (2, &[1, 2, 4][..]),
        ("gfx942", _) => (1, &[6, 1, 2][..]),
        (_, 64) => (4, &[3, 2][..]),
        (_, 128) => (2, &[1, 2, 4, 8][..]),
        _ => (1, &[12, 1, 2, 4][..]),
    };
    let mut tiles = 0;
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
                let plan = found.plan().unwrap();
                assert_eq!(judged(&plan, tile, &uses), found.floor(), "{tile:?}: {found}");
                let masks = found.masks();
                let wanted = answer(load.chip(), columns * bits / 8);
                assert_eq!((found.layers(), masks.as_slice()), wanted, "{tile:?}: {found}");
                tiles += 1;
            }
        }
    }
    assert_eq!(tiles, 61);
}

/// 32 x 32 floats and 32 lanes: rows and columns by a shift, the diagonal too by mixed masks.
#[test]
fn tiles_of_floats_are_free() {
    let tile = Shape { rows: 32, columns: 32, bits: 32 };
    let read = |lanes| Use::new(lanes, &sm_80::ld_shared_b32);
    let all = [read(Lanes::row_major()), read(Lanes::column()), read(Lanes::diagonal())];
    let two = tile.synthesize(&all[..2]).unwrap();
    assert_eq!(
        two.to_string(),
        "recipe::GemmXor<F32, M<32>, K<32>, KPack<1>>: 64 cycles, the floor: no layout does better"
    );
    assert_eq!(two.masks(), [1, 2, 4, 8, 16]);
    let three = tile.synthesize(&all).unwrap();
    assert_eq!(three.masks(), [24, 1, 2, 4, 8]);
    assert_eq!((three.cycles(), three.optimality()), (65, Optimality::Floor));
}

/// One layout for two chips, where the one that CK takes for either is 2-way on the other.
#[test]
fn several_chips() {
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let uses: Vec<_> = CHIPS
        .into_iter()
        .flat_map(|(store, load)| {
            let read = |rows| Use::new(Lanes::rows(rows), load);
            [Use::new(Lanes::row_major(), store), read(16), read(32)]
        })
        .collect();
    let found = tile.synthesize(&uses).unwrap();
    assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.floor());
    assert_eq!((found.layers(), found.masks().as_slice()), (1, &[4, 1, 2, 4][..]));
    for ck in [Spec::gemm_xor(8), Spec::gemm_xor_64(8)] {
        let plan = ck.plan(tile).unwrap();
        assert!(judged(&plan, tile, &uses) > found.floor(), "{ck:?}");
    }
}

/// Rows of 96 halves are not a power of two: rotations and pads are judged, and nothing is claimed
/// of what was not tried.
#[test]
fn lengths_of_any_kind() {
    let tile = Shape { rows: 64, columns: 96, bits: 16 };
    let uses = [
        Use::new(Lanes::row_major(), &gfx942::ds_write_b128),
        Use::new(Lanes::rows(16), &gfx942::ds_read_b128),
    ];
    let found = tile.synthesize(&uses).unwrap();
    assert_eq!(found.cycles(), judged(&found.plan().unwrap(), tile, &uses));
    let all = tile.candidates(&uses).unwrap();
    let shift = |candidate: &&Candidate| candidate.layout() == Spec::row_shift(8);
    let shift = all.as_slice().iter().find(shift).unwrap();
    assert!(shift.cycles() >= found.cycles() && all.as_slice()[0] == *found.best());
    println!("{all}{found}");
}

/// Numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % end
    }
}

/// An access of random columns: lane bit b flips these rows and packs.
struct Columns {
    rows: Vec<Row>,
    bytes: Vec<u32>,
    row: &'static Instruction,
    times: u32,
}

impl Columns {
    fn random(random: &mut Random, tile: Shape, row: &'static Instruction) -> Self {
        let pack = row.bytes() * 8 / tile.bits;
        let flips: Vec<[u32; 2]> = (0..6)
            .map(|_| [random.below(tile.rows), random.below(tile.columns / pack) * pack])
            .collect();
        let at = |lane: usize| {
            let chosen = (0..6).filter(|bit| lane >> bit & 1 == 1);
            chosen.fold([0, 0], |[m, k], bit| [m ^ flips[bit][0], k ^ flips[bit][1]])
        };
        let bytes = |lane| (at(lane)[0] * tile.columns + at(lane)[1]) * tile.bits / 8;
        Self {
            rows: vec![core::array::from_fn(|lane| Some(List::new(&at(lane))))],
            bytes: (0..64).map(bytes).collect(),
            row,
            times: 1 + random.below(3),
        }
    }

    /// Cycles of one instruction whose lanes are at these addresses: in each phase the bank with
    /// the most different vectors, or dwords of narrower ones.
    fn cycles(&self, moved: impl Fn(u32) -> u32) -> u64 {
        let (phases, unit) = (&self.row.service().phases, self.row.bytes().max(4));
        let groups = self.row.service().banks * 4 / unit;
        let degree = |phase| {
            let lanes = phases.lanes(phase);
            let mut units: Vec<u32> =
                lanes.iter().map(|lane| moved(self.bytes[*lane as usize]) / unit).collect();
            units.sort_unstable();
            units.dedup();
            let mut banks = [0u8; 64];
            units.iter().for_each(|unit| banks[(unit % groups) as usize] += 1);
            u64::from(*banks.iter().max().unwrap())
        };
        u64::from(self.times) * (0..phases.count()).map(degree).sum::<u64>()
    }
}

/// The least of all masks, each tried by listing dwords, on tiles whose lines are those of the
/// search; and what comes out is what the analyzer says.
#[test]
fn as_every_choice_of_masks() {
    let rows: [[&Instruction; 3]; 2] = [
        [&gfx942::ds_read_b128, &gfx942::ds_read_b64, &gfx942::ds_read_u16],
        [&gfx950::ds_read_b128, &gfx950::ds_read_b64, &gfx950::ds_read_b128],
    ];
    let (mut random, mut conflicts) = (Random(7), 0);
    let cases = support::fuzz::cases("choices of masks");
    for case in 0..cases {
        let chip = random.below(2) as usize;
        let line = [32, 64][chip] * 2;
        let columns = line >> random.below(2);
        let layers = line / columns;
        let tile = Shape { rows: layers * [8, 4][chip], columns, bits: 16 };
        let mut accesses = vec![Columns::random(&mut random, tile, rows[chip][0])];
        for _ in 0..1 + random.below(5) {
            let row = rows[chip][random.below(3) as usize];
            accesses.push(Columns::random(&mut random, tile, row));
        }
        let uses: Vec<_> = accesses
            .iter()
            .map(|access| Use::new(Lanes::table(&access.rows, 1), access.row).times(access.times))
            .collect();
        // Packs of 8 halves; a line is as many bytes as all banks.
        let (packs, bits) = (line / 8, (tile.rows / layers).ilog2());
        let least = (0..packs.pow(bits)).map(|choice| {
            let mask = |b: u32| choice / packs.pow(b) % packs;
            let moved = |byte: u32| {
                let flips = (0..bits).filter(|b| (byte / (2 * line)) >> b & 1 == 1);
                flips.fold(byte, |moved, b| moved ^ mask(b) << 4)
            };
            accesses.iter().map(|access| access.cycles(moved)).sum::<u64>()
        });
        let least = least.min().unwrap();

        let all = tile.candidates(&uses).unwrap();
        let swizzles = all.as_slice().iter().filter(|candidate| {
            !matches!(
                candidate.layout().scheme(),
                Scheme::PaddedRows | Scheme::RotatedRows | Scheme::BitByBit
            )
        });
        assert_eq!(
            swizzles.map(Candidate::cycles).min(),
            Some(least),
            "case {case}, {tile:?}\n{all}"
        );
        for candidate in all.as_slice().iter().step_by(1 + case as usize % 8) {
            let plan = candidate.layout().plan(tile).unwrap();
            assert_eq!(
                judged(&plan, tile, &uses),
                candidate.cycles(),
                "case {case}: {candidate:?}"
            );
        }

        let found = tile.synthesize(&uses).unwrap();
        assert_eq!(found.cycles(), all.as_slice()[0].cycles(), "case {case}: {found}\n{all}");
        let floor = found.cycles() == found.floor();
        let wanted = if floor { Optimality::Floor } else { Optimality::Linear };
        assert_eq!(found.optimality(), wanted, "case {case}: {found}");
        conflicts += u32::from(!floor);
    }
    println!("{conflicts} of {cases} with conflicts that no masks avoid");
    assert!(conflicts > cases / 14, "{conflicts}");
}

/// No layout is listed twice under two names.
#[test]
fn each_candidate_once() {
    for (tile, uses) in gemms().into_iter().step_by(11) {
        let all = tile.candidates(&uses).unwrap();
        let mut seen = BTreeSet::new();
        for candidate in all.as_slice() {
            let plan = candidate.layout().plan(tile).unwrap();
            let offsets: Vec<u32> = (0..plan.elements())
                .map(|id| plan.offset(plan.nth(id).as_slice()).unwrap())
                .collect();
            assert!(seen.insert(offsets), "{tile:?}: {candidate:?}\n{all}");
        }
    }
}

/// Rows of a table with rows and columns exchanged.
fn exchanged(rows: &[Row]) -> Vec<Row> {
    let exchange = |at: &List| List::new(&[at.at(1), at.at(0)]);
    rows.iter().map(|row| core::array::from_fn(|lane| row[lane].as_ref().map(exchange))).collect()
}

/// Whatever a search by rows finds, one by columns finds for exchanged accesses: as many cycles,
/// bytes and address instructions, and the analyzer says so.
#[test]
fn by_columns_as_by_rows() {
    let (mut random, mut swizzled) = (Random(3), 0);
    for case in 0..100 {
        let [rows, columns] = [32 << random.below(2), [32, 64, 96][random.below(3) as usize]];
        let tile = Shape { rows, columns, bits: 16 };
        let reads = [&gfx942::ds_read_b128, &gfx950::ds_read_b64, &gfx942::ds_read_u16];
        let accesses: Vec<_> = (0..1 + random.below(3))
            .map(|i| Columns::random(&mut random, tile, reads[i as usize]))
            // Xor-ed packs of 12 a row may be outside the tile.
            .filter(|one| one.rows[0].iter().flatten().all(|at| at.at(1) < columns))
            .collect();
        // Single elements fit either way.
        if accesses.iter().all(|one| one.row.bytes() * 8 == tile.bits) {
            continue;
        }
        let tables: Vec<_> = accesses.iter().map(|one| exchanged(&one.rows)).collect();
        let by_rows: Vec<_> = accesses
            .iter()
            .map(|one| Use::new(Lanes::table(&one.rows, 1), one.row).times(one.times))
            .collect();
        let by_columns: Vec<_> = tables
            .iter()
            .zip(&accesses)
            .map(|(rows, one)| Use::new(Lanes::table(rows, 0), one.row).times(one.times))
            .collect();
        let [wanted, found] = [(tile, &by_rows), (tile.transposed(), &by_columns)]
            .map(|(tile, uses)| tile.candidates(uses).unwrap());
        assert_eq!(wanted.as_slice().len(), found.as_slice().len(), "case {case}");
        for (row, column) in wanted.as_slice().iter().zip(found.as_slice()) {
            let costs = |one: &Candidate| (one.cycles(), one.bytes(), one.address_instructions());
            let by_columns = row.layout().transposed();
            assert_eq!((column.layout(), costs(column)), (by_columns, costs(row)), "case {case}");
        }
        for candidate in found.as_slice().iter().step_by(3) {
            let plan = candidate.layout().plan(tile.transposed()).unwrap();
            let cycles = judged(&plan, tile.transposed(), &by_columns);
            assert_eq!(cycles, candidate.cycles(), "case {case}: {candidate:?}");
        }
        let (one, other) = (
            tile.synthesize(&by_rows).unwrap(),
            tile.transposed().synthesize(&by_columns).unwrap(),
        );
        assert_eq!((one.cycles(), one.floor()), (other.cycles(), other.floor()), "case {case}");
        assert_eq!((one.masks(), one.layers()), (other.masks(), other.layers()), "case {case}");
        assert_eq!(one.optimality(), other.optimality(), "case {case}");
        swizzled += u32::from(!one.masks().is_empty());
    }
    assert!(swizzled > 30, "{swizzled}");
}

/// Of several instructions, and of waves: those of a whole tile, down its columns and along its rows.
#[test]
fn whole_tiles_by_columns() {
    for (rows, columns) in [(128, 64), (64, 32), (256, 16), (96, 64)] {
        let tile = Shape { rows, columns, bits: 16 };
        for (store, load) in CHIPS {
            let [down, along] = [Lanes::column_major(), Lanes::row_major()]
                .map(|lanes| [Use::new(lanes, store), Use::new(lanes, load)]);
            let by_columns = tile.candidates(&down).unwrap();
            let by_rows = tile.transposed().candidates(&along).unwrap();
            let costs = |one: &Candidate| (one.cycles(), one.bytes(), one.address_instructions());
            let both = [&by_columns, &by_rows].map(|all| all.as_slice().iter().map(costs));
            let [found, wanted] = both.map(Iterator::collect::<Vec<_>>);
            assert_eq!(found, wanted, "{tile:?}");
            assert!(found.iter().any(|costs| costs.2 > found[0].2), "{tile:?}");
        }
    }
}

/// Single elements fit either way: columns are a power of two, but rows of any length have a dense swizzle.
#[test]
fn rows_of_any_length_before_columns() {
    let tile = Shape { rows: 64, columns: 12, bits: 32 };
    let uses = [
        Use::new(Lanes::column_major(), &sm_80::st_shared_b32),
        Use::new(Lanes::rows(8), &sm_80::ld_shared_b32),
    ];
    let found = tile.synthesize(&uses).unwrap();
    assert_eq!(
        found.to_string(),
        "recipe::DenseXor<F32, M<64>, K<12>, KPack<1>, LinePacks<32>, seq![1, 2]>: 48 cycles, the floor: \
         no layout does better"
    );
    assert_eq!(judged(&found.plan().unwrap(), tile, &uses), 48);
    let all = tile.candidates(&uses).unwrap();
    assert_eq!(all.as_slice()[0], *found.best());
    assert!(all.as_slice().iter().all(|one| !one.layout().is_transposed()), "{all}");
    for candidate in all.as_slice() {
        let plan = candidate.layout().plan(tile).unwrap();
        assert_eq!(judged(&plan, tile, &uses), candidate.cycles(), "{candidate:?}");
    }
}

/// The address instructions of a swizzle, without its plan, are those of the plan.
#[test]
fn addresses_as_of_the_plan() {
    for (tile, uses) in gemms().into_iter().step_by(7) {
        for candidate in tile.candidates(&uses).unwrap().as_slice() {
            let plan = candidate.layout().plan(tile).unwrap();
            let addressing = |access: &Use<'_>| {
                let placed = Placed::new(&plan, tile.bits, access.lanes, access.instruction);
                placed.unwrap().addressing()
            };
            // More than 64 instructions have no addressing.
            let Ok(all) = uses.iter().map(addressing).collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            let whole = match candidate.layout().scheme() {
                Scheme::InOrder | Scheme::PaddedRows => 2,
                // One for each distance by which a bit of the row, or of its line, moves.
                Scheme::MaskedLayers => {
                    let masks = candidate.layout().list();
                    let flips = masks.as_slice().iter().enumerate().flat_map(|(from, mask)| {
                        (0..12)
                            .filter(move |to| mask >> to & 1 == 1)
                            .map(move |to| to - from as i32)
                    });
                    2 + flips.collect::<BTreeSet<_>>().len()
                }
                _ => 3,
            };
            let wanted: usize = all.iter().map(|addressing| addressing.instructions(whole)).sum();
            assert_eq!(
                candidate.address_instructions() as usize,
                wanted,
                "{tile:?}: {candidate:?}"
            );
        }
    }
}

/// Address registers of one wave, counted lane by lane: instructions of addresses of `whole` each; `None` of more than 64
/// registers.
fn counted(placed: &Placed<'_, '_>, whole: u32) -> Option<u32> {
    let (mut made, mut sum): (Vec<Vec<u32>>, u32) = (Vec::new(), 0);
    for step in 0..placed.instructions() {
        let touched = placed.touched(step).unwrap();
        let here: Vec<u32> = (0..64).filter_map(|lane| touched.addresses().get(lane)).collect();
        let apart = |register: &Vec<u32>, by: fn(u32, u32) -> u32| {
            let all: BTreeSet<_> = register.iter().zip(&here).map(|(a, b)| by(*a, *b)).collect();
            if all.len() == 1 { all.first().copied() } else { None }
        };
        let sums = made.iter().filter_map(|one| apart(one, |from, to| to.wrapping_sub(from)));
        if sums.into_iter().any(|sum| placed.instruction().reaches(sum)) {
            continue;
        }
        let xor = made.first().and_then(|first| apart(first, |from, to| from ^ to));
        sum += if xor.is_some() { 1 } else { whole };
        made.push(here);
    }
    (made.len() <= 64).then_some(sum)
}

/// A byte at a time by columns, and others of more than 64 instructions: an address in order takes two terms however
/// many there are.
#[test]
fn addresses_of_long_accesses() {
    let mut tried = 0;
    for columns in [32, 64, 128, 256] {
        let tile = Shape { rows: 64, columns, bits: 8 };
        for lanes in [Lanes::column(), Lanes::row_major(), Lanes::rows(16)] {
            let uses = [Use::new(lanes, &chip::sm_90::ld_shared_b8)];
            let lists = List::new(&[4, 8, 16]);
            let long = u64::from(columns * 2);
            for spec in [
                Spec::row_major(),
                Spec::row_pad(4),
                Spec::interval_pad(128, 4),
                Spec::gemm_xor(4),
                Spec::gemm_xor_layer(1, 1),
                Spec::gemm_xor_bits(1, 2, lists),
                Spec::row_shift(4),
            ] {
                let plan = spec.plan(tile).unwrap();
                let placed = Placed::new(&plan, 8, lanes, uses[0].instruction).unwrap();
                assert_eq!(placed.instructions(), long);
                // Of a first instruction alone: the terms.
                let one = [Use::new(lanes.first(), &chip::sm_90::ld_shared_b8)];
                let whole = tile.address_instructions(spec, &one).unwrap();
                let found = tile.address_instructions(spec, &uses);
                assert_eq!(found, counted(&placed, whole), "{columns} {spec:?} {lanes:?}");
                tried += 1;
                if !matches!(spec.scheme(), Scheme::PaddedRows | Scheme::InOrder) {
                    continue;
                }
                assert_eq!(found, Some(2), "{columns} {spec:?} {lanes:?}");
            }
        }
    }
    assert_eq!(tried, 84);
    // Nobody has more than 64 address registers: of as many addresses as that two terms each, of more nothing is said.
    let table: Vec<Row> = (1..=65_u32)
        .map(|step| {
            core::array::from_fn(|lane| {
                (lane < 32).then(|| List::pair(0, lane as u32 * step % 256))
            })
        })
        .collect();
    let of = |steps: usize| {
        let uses = [Use::new(Lanes::table(&table[..steps], 1), &chip::sm_90::ld_shared_b8)];
        Shape { rows: 64, columns: 256, bits: 8 }.address_instructions(Spec::row_major(), &uses)
    };
    assert_eq!([of(64), of(65)], [Some(128), None]);
}

/// A tile in order that the accesses do not fit is not the end of the search: a row pad serves them, and is found.
#[test]
fn what_another_layout_serves() {
    let writes = gfx942::ds_write2_b32.offsets(0, 4);
    let reads = gfx942::ds_read2_b32.offsets(0, 32);
    let of = |rows, columns| Shape { rows, columns, bits: 32 };
    for (tile, lanes, instruction, pad, fault) in [
        (of(64, 2), Lanes::rows(32).first(), &writes, 5, "data race: lanes 2 and 0"),
        (
            of(33, 16),
            Lanes::rows(32).first(),
            &reads,
            3,
            "lane 31 would touch byte 2115, outside the layout's 2112 bytes",
        ),
    ] {
        let in_order = Plan::packed(&[tile.rows, tile.columns]).unwrap();
        let said = match Placed::new(&in_order, 32, lanes, instruction).unwrap().verdict() {
            Ok(verdict) => verdict.to_string(),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(fault), "{said}");
        let uses = [Use::new(lanes, instruction)];
        assert!(Spec::row_pad(pad).is_free(tile, &uses));
        let found = tile.synthesize(&uses).unwrap();
        assert_eq!(found.optimality(), Optimality::Floor, "{found}");
        let plan = found.plan().unwrap();
        let placed = Placed::new(&plan, 32, lanes, instruction).unwrap();
        assert!(placed.verdict().unwrap().is_free(), "{found}");
    }
}

/// Widths that no element has: 0 is refused by all, and of 24 bits the line names no half.
#[test]
fn widths_of_any_kind() {
    let tile = Shape { rows: 64, columns: 64, bits: 0 };
    let read = Use::new(Lanes::rows(16), &gfx950::ds_read_b128);
    let fill = Fill::by(&gfx950::global_load_lds_b128, 4);
    for uses in [[read], [read.filled_by(fill)]] {
        assert!(!Spec::row_pad(8).is_free(tile, &uses));
        assert_eq!(tile.row_pad(&uses), None);
        assert_eq!(tile.synthesize(&uses).unwrap_err().to_string(), "an element has 0 bits");
        assert_eq!(tile.candidates(&uses).unwrap_err().to_string(), "an element has 0 bits");
    }
    assert!(fill.plan(&Plan::packed(&[64, 64]).unwrap(), 0).is_err());
    let tile = Shape { bits: 24, ..tile };
    let found = tile.synthesize(&[Use::new(Lanes::rows(16), &gfx942::ds_read_b96)]).unwrap();
    assert!(found.to_string().starts_with("recipe::GemmXorLayer<E, M<64>, K<64>, KPack<4>"));
}

#[test]
fn refusals_say_why() {
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let said = |tile: Shape, uses: &[Use<'_>]| tile.synthesize(uses).unwrap_err().to_string();
    assert_eq!(said(tile, &[]), "no access is stated, so every layout is free");
    let read = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
    let short = Shape { columns: 16, ..tile };
    let narrow = said(short, &[Use::new(Lanes::row_major(), &gfx942::ds_write_b128), read]);
    assert_eq!(
        narrow,
        "access 2: lane 32 would touch (0, 16), outside the tile of [128, 16]: dimension 1 needs a length of 32 or more"
    );
    let large = said(Shape { rows: 1024, ..tile }, &[read]);
    assert_eq!(large, "access 1: the layout takes 131072 bytes, but a block has 65536");
    let huge = said(Shape { rows: 1 << 20, ..tile }, &[read]);
    assert_eq!(huge, "the tile has 1048576 * 64 elements; more than 2^20 are not searched");
    let race = said(tile, &[Use::new(Lanes::repeated_rows(16), &gfx942::ds_write_b128)]);
    assert_eq!(race, "access 1: lanes 0 and 16 write the same byte, whatever the layout");
    let unweighted = [read, read.times(0)];
    let weightless = "access 2: its weight is 0: leave it out, or weigh it at least 1";
    assert_eq!(said(tile, &unweighted), weightless);
    assert_eq!(tile.candidates(&unweighted).unwrap_err().to_string(), weightless);
    let columns = Use::new(Lanes::column_major(), &gfx942::ds_write_b128);
    let crossed = "access 2 moves several elements of a row, access 1 several of a column: \
                   no layout has both contiguous";
    assert_eq!(said(tile, &[columns, read]), crossed);
}

/// The degrees of a layout for the accesses of the table: "1 4 8".
fn degrees(plan: &Plan, tile: Shape, uses: &[Use<'_>]) -> String {
    let degree = |access: &Use<'_>| {
        let placed = Placed::new(plan, tile.bits, access.lanes, access.instruction).unwrap();
        placed.verdict().unwrap().worst_degree().to_string()
    };
    uses.iter().map(degree).collect::<Vec<_>>().join(" ")
}

/// The table of the book: recipes on chips, and what is found for each.
fn recipes_on_chips() -> String {
    let chips = [
        chip::gfx908,
        chip::gfx90a,
        chip::gfx942,
        chip::gfx950,
        chip::gfx1030,
        chip::gfx1100,
        chip::gfx1101,
        chip::gfx1151,
        chip::gfx1200,
        chip::gfx1201,
        chip::gfx1250,
        chip::sm_80,
        chip::sm_90,
        chip::sm_100,
        chip::sm_120,
    ];
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let layouts = [
        ("`RowMajor`", Spec::row_major()),
        ("`RowPad` 8", Spec::row_pad(8)),
        ("`RowPad` 16", Spec::row_pad(16)),
        ("`GemmXor`", Spec::gemm_xor(8)),
        ("`GemmXor64`", Spec::gemm_xor_64(8)),
        ("`seq![4, 1, 2, 4]`", Spec::gemm_xor_bits(8, 1, List::new(&[4, 1, 2, 4]))),
    ];
    let mut table = String::from("| chip |");
    layouts.iter().for_each(|(name, _)| table += &format!(" {name} |"));
    table += " found |\n|---|";
    table += &"---|".repeat(layouts.len() + 1);
    // Chips whose cells are alike share a row.
    let mut rows: Vec<(String, String)> = Vec::new();
    for chip in chips {
        let row = |names: [&str; 2]| {
            names.into_iter().find_map(|name| chip.instruction(name).ok()).unwrap()
        };
        let (store, load) =
            (row(["ds_write_b128", "st_shared_b128"]), row(["ds_read_b128", "ld_shared_b128"]));
        let uses = [
            Use::new(Lanes::row_major(), store),
            Use::new(Lanes::rows(16), load),
            Use::new(Lanes::rows(32), load),
        ];
        let mut cells = String::new();
        for (_, layout) in layouts {
            cells += &format!(" {} |", degrees(&layout.plan(tile).unwrap(), tile, &uses));
        }
        let found = tile.synthesize(&uses).unwrap();
        assert_eq!(found.optimality(), Optimality::Floor, "{}", chip.name());
        let text = found.layout().text("F16", tile).to_string();
        let name = &text["recipe::".len()..text.find('<').unwrap()];
        cells += &match found.layout().scheme() {
            Scheme::MaskedLayers => format!(" `seq!{:?}` |", found.masks()),
            _ => format!(" `{name}` |"),
        };
        match rows.iter_mut().find(|(_, others)| *others == cells) {
            Some((names, _)) => *names += &format!(", {}", chip.name()),
            None => rows.push((chip.name().to_string(), cells)),
        }
    }
    rows.iter().for_each(|(names, cells)| table += &format!("\n| {names} |{cells}"));
    table
}

/// The book's table is what the analyzer says; `BLESS=1` writes it.
#[test]
fn table_of_the_book() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/which_layout.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (begin, end) = ("<!-- recipes on chips -->\n", "\n<!-- end -->");
    let from = text.find(begin).unwrap() + begin.len();
    let to = text.rfind(end).unwrap().max(from);
    let table = recipes_on_chips();
    if std::env::var_os("BLESS").is_some() {
        let written = format!("{}{table}{}", &text[..from], &text[to..]);
        std::fs::write(page, written).unwrap();
    } else {
        assert_eq!(
            &text[from..to],
            table,
            "BLESS=1 cargo test --test oracles synthesis:: writes it"
        );
    }
}

/// Types, each as it was printed, with what it was found for.
macro_rules! pasted {
    ($($Type:ty, $tile:expr, $uses:expr;)*) => {$({
        let found = $tile.synthesize(&$uses).unwrap();
        let text = found.text();
        let (line, _) = text.as_str().split_once(": ").unwrap();
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(line), bare(stringify!($Type)), "{found}");
        assert_eq!(found.plan(), <$Type as Adaptor>::PLAN, "{found}");
    })*};
}

/// What is printed is a type, and the layout that was found.
#[test]
fn printed_lines_are_types() {
    let tile = |rows, columns, bits| Shape { rows, columns, bits };
    let mi300 = |rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128);
    let mi350 = |rows| Use::new(Lanes::rows(rows), &gfx950::ds_read_b128);
    let column = [
        Use::new(Lanes::row_major().first(), &sm_80::st_shared_b32),
        Use::new(Lanes::column().first(), &sm_80::ld_shared_b32),
    ];
    let rows = [Use::new(Lanes::row_major(), &gfx942::ds_write_b128)];
    let odd = [rows[0], mi300(16)];
    let three = [mi300(16), mi350(16), mi350(32)];
    let columns = [Use::new(Lanes::column_major(), &gfx942::ds_write_b128)];
    pasted! {
        recipe::RowMajor<F16, M<128>, K<64>>, tile(128, 64, 16), rows;
        recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>, tile(128, 64, 16), [mi300(16), mi300(32)];
        recipe::GemmXor64<F8, M<128>, K<128>, KPack<16>>, tile(128, 128, 8), [mi350(16), mi350(32)];
        recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>,
            tile(128, 32, 16), [mi350(16), mi350(32)];
        recipe::GemmXorBits<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![4, 1, 2, 4]>,
            tile(128, 64, 16), three;
        recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2]>, tile(64, 96, 16), odd;
        recipe::RowPad<F16, M<64>, K<96>, Padding<8>>, tile(64, 96, 16), [odd[0], odd[1], mi300(32)];
        recipe::DenseXor<F32, M<64>, K<48>, KPack<1>, LinePacks<32>, seq![1, 2, 4, 8]>, tile(64, 48, 32), column;
        recipe::Transposed<recipe::RowMajor<F16, M<64>, K<128>>>, tile(128, 64, 16), columns;
        recipe::Transposed<recipe::GemmXorBits<F16, M<64>, K<128>, KPack<8>, MLdsLayer<1>, seq![4]>>,
            tile(128, 64, 16), [columns[0], Use::new(Lanes::rows(16), &gfx942::ds_read_u16)];
    }
}

/// A tile's lengths may be constants.
const DEPTH: usize = 48;

synthesize! {
    /// Masks.
    type Bits = BF16 [128, 32] on gfx950:
        read ds_read_b128 by MfmaRows<16>, read ds_read_b128 by MfmaRows<32>,
    ;
    /// A pad, for two chips; and a swizzle of the dense offset.
    #[allow(dead_code)]
    type Padded = F16 [64, 96] on gfx942, gfx90a as inferred:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>;
    at most 832 cycles;
    type Dense = F16 [64, 96] on gfx942, gfx90a as inferred:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>;
    /// Dwords of lines of 128 bytes.
    pub(crate) type Swizzled = F32 [64, DEPTH] on sm_80:
        write st_shared_b32 by first RowMajor, read ld_shared_b32 by first Column times 2;
    /// Columns that are contiguous: masks, a pad.
    type ByColumns = F16 [128, 64] on gfx942 as inferred:
        write ds_write_b128 by ColumnMajor, read ds_read_u16 by MfmaRows<16>;
    type PaddedColumns = F16 [96, 64] on gfx942 as inferred:
        write ds_write_b128 by ColumnMajor, read ds_read_u16 by MfmaRows<16>;
    /// Nothing to swizzle.
    type Plain = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor;
}

/// A declared type is the layout that its constant names.
#[test]
fn declared() {
    assert_eq!(Bits::PLAN, Bits.plan().unwrap());
    assert_eq!((Bits.layers(), Bits::offset([4, 0])), (4, 128 + 3 * 8));
    assert_eq!(Padded::PLAN, Padded.plan().unwrap());
    assert_eq!((Padded.cycles(), Padded::BYTES), (832, (63 * 104 + 96) * 2));
    assert_eq!(Dense::PLAN, Dense.plan().unwrap());
    assert_eq!((Dense.cycles(), Dense::BYTES), (384, 64 * 96 * 2));
    assert_eq!(Swizzled::PLAN, Swizzled.plan().unwrap());
    // Element 191 lies in line 5, which flips 1 and 4.
    assert_eq!(Swizzled::offset([3, 47]), 191 ^ 5);
    assert_eq!(ByColumns::PLAN, ByColumns.plan().unwrap());
    assert_eq!(ByColumns::offset([9, 1]), 128 + (1 ^ 4) * 8 + 1);
    assert_eq!(PaddedColumns::PLAN, PaddedColumns.plan().unwrap());
    assert_eq!((Plain::offset([3, 17]), Plain.layout()), (209, Spec::row_major()));
}

/// The last `;` of a declaration may be left out, with a comma or without, behind a limit too.
#[test]
fn the_last_semicolon() {
    mod declared {
        use tiledesc::prelude::*;
        synthesize! { pub type One = F16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<32> }
        synthesize! { pub type Four = F16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<32> times 4, }
        synthesize! {
            pub type Halves = F16 [64, 96] on gfx942:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>,
                read ds_read_b128 by MfmaRows<32>; at most 416 cycles
        }
    }
    use declared::{Four, Halves, One};
    assert_eq!((One.cycles(), Four.cycles(), Halves.cycles()), (128, 512, 416));
}

/// Rows of several lines of all banks: where the lanes of a phase are in different lines of one row,
/// masks of whole rows move them alike. The least of every choice of masks, tried one by one.
#[test]
fn lines_of_wide_rows() {
    let (mut random, mut better, mut tried) = (Random(7), 0, 0);
    let rows = [&sm_80::st_shared_b128, &gfx942::ds_read_b64, &sm_80::ld_shared_b32];
    for _ in 0..1000 {
        if better == 20 {
            break;
        }
        let tile = Shape { rows: 1 << random.below(3), columns: 64 << random.below(2), bits: 32 };
        let lanes = |random: &mut Random| match random.below(4) {
            0 => Lanes::row_major(),
            1 => Lanes::diagonal(),
            2 => Lanes::strided(2 << random.below(3)),
            _ => Lanes::rows(1 << random.below(3)),
        };
        let uses: Vec<_> = (0..1 + random.below(3))
            .map(|i| Use::new(lanes(&mut random), rows[i as usize]).times(1 + random.below(4)))
            .filter(|access| fits(tile, access))
            .collect();
        let Ok(all) = tile.candidates(&uses) else { continue };
        let of_lines = |one: &&Candidate| one.layout().lines() > 1;
        let Some(found) = all.as_slice().iter().find(of_lines) else { continue };
        let (pack, lines) = (found.layout().pack(), found.layout().lines());
        assert_eq!(found.cycles(), judged(&found.layout().plan(tile).unwrap(), tile, &uses));
        let (packs, bits) = (32 / pack, (tile.rows * lines).ilog2());
        if packs.pow(bits) > 4096 {
            continue;
        }
        let choice = |number: u32| {
            let masks: Vec<_> = (0..bits).map(|b| number / packs.pow(b) % packs).collect();
            let layout = Spec::gemm_xor_bits(pack, 1, List::new(&masks)).joined(lines);
            judged(&layout.plan(tile).unwrap(), tile, &uses)
        };
        let least = (0..packs.pow(bits)).map(choice).min();
        assert_eq!(Some(found.cycles()), least, "{tile:?}: {found:?}");
        let by_rows =
            all.as_slice().iter().filter(|one| !of_lines(one) && one.bytes() == found.bytes());
        better += u32::from(by_rows.map(Candidate::cycles).min() > Some(found.cycles()));
        tried += 1;
    }
    assert_eq!((better, tried), (20, 71), "better than any masks of rows, of all");
}

/// Reads 4 floats apart in packs of 2 lose a cycle in every layout. The search counts that beforehand:
/// else it loses it in the other read first, and 20,000 masks of lines are looked at and none found.
#[test]
fn a_loss_that_comes_anyhow() {
    let tile = Shape { rows: 32, columns: 128, bits: 32 };
    let uses = [
        Use::new(Lanes::row_major().first(), &gfx1100::ds_store_b64),
        Use::new(Lanes::strided(4).first(), &gfx1100::ds_load_b32),
        Use::new(Lanes::rows(8).first(), &gfx1100::ds_load_b32),
    ];
    let found = tile.synthesize(&uses).unwrap();
    assert!(found.layout().lines() > 1, "{found}");
    assert_eq!((found.cycles(), found.floor()), (5, 4), "{found}");
    assert_eq!(found.optimality(), Optimality::Linear);
    assert_eq!(judged(&found.plan().unwrap(), tile, &uses), 5);
}

pattern! {
    /// Floats that are 8 apart down a column.
    DownBy8(lane) => [8 * lane % 128, lane / 16];
}

synthesize! {
    /// Written row by row, read 8 floats apart: 4-way by any masks of rows.
    type Lines128 = F32 [128, 128] on sm_80:
        write st_shared_b32 by RowMajor, read ld_shared_b32 by Strided<8>;
    /// The same down the columns.
    type LinesDown = F32 [128, 128] on sm_80:
        write st_shared_b64 by ColumnMajor, read ld_shared_b32 by DownBy8;
    at most 514 cycles;
}

/// What is found of them compiles, declared and pasted.
#[test]
fn declared_lines() {
    assert_eq!(
        Lines128.to_string(),
        "recipe::Joined<recipe::GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>, \
         Lines<4>>: 576 cycles, the floor: no layout does better",
    );
    type Pasted = recipe::Joined<
        recipe::GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>,
        Lines<4>,
    >;
    assert_eq!(Lines128::PLAN, Lines128.plan().unwrap());
    assert_eq!(Lines128::PLAN, Pasted::PLAN);
    // Line 14 of row 3: bits 1 and 2 flip 2 and 4.
    assert_eq!(Lines128::offset([3, 64]), 14 * 32 + 6);
    assert_eq!(
        LinesDown.to_string(),
        "recipe::Transposed<recipe::Joined<recipe::GemmXorBits<F32, M<512>, K<32>, KPack<2>, \
         MLdsLayer<1>, seq![1, 2]>, Lines<4>>>: 514 cycles, floor 513: no linear layout of packs does better",
    );
    assert_eq!(LinesDown::PLAN, LinesDown.plan().unwrap());
}
