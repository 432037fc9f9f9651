//! Layouts of packs that are placed bit by bit: the least of every linear layout.
//!
//! | test | promise |
//! |---|---|
//! | `as_every_linear_layout` | on random small problems the cycles are the least of all linear layouts of packs, each tried by counting |
//! | `where_masks_are_not_free` | on the chips' rows: as the analyzer judges, no worse than masks, and free where masks are not |
//! | `what_is_proven` | conflicts that no packs avoid are proven of all linear layouts; of other lengths of masks only |
//! | `declared_and_pasted` | what is printed compiles, and is what `synthesize!` declares, by rows and by columns |
//!
//! `FUZZ_CASES` asks for more problems (`tests/support/fuzz.rs`).

use support::bits::sums;
use support::fuzz::{Dice, cases};
use tiledesc::chip::{gfx950, sm_80};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::prelude::*;

use tiledesc::recipe::{K, M};
use tiledesc::search::Scheme;
use tiledesc::search::{Candidate, Optimality, Shape, Use};
use tiledesc::{
    List,
    access::Placed,
    chip::{Instruction, Phases},
};

/// Lanes that are an xor of columns of packs: the element of each, and the same as a table.
fn lanes(random: &mut Dice, tile: Shape, pack: u32, bits: u32) -> (Vec<u32>, Vec<Row>) {
    let all = tile.rows * tile.columns;
    let flips: Vec<u32> = (0..bits).map(|_| random.below(all / pack) * pack).collect();
    let elements = sums(&flips);
    let at = |element: u32| List::new(&[element / tile.columns, element % tile.columns]);
    let row = core::array::from_fn(|lane| elements.get(lane).map(|element| at(*element)));
    (elements, vec![row])
}

fn judged(plan: &Plan, tile: Shape, uses: &[Use<'_>]) -> u64 {
    let cycles = |access: &Use<'_>| {
        let placed = Placed::new(plan, tile.bits, access.lanes, access.instruction).unwrap();
        placed.verdict().unwrap().active_cycles() * u64::from(access.times)
    };
    uses.iter().map(cycles).sum()
}

/// A wave of eight lanes; eight banks, four of half the lanes each for some rows.
const LANES: Phases = Phases::contiguous(8).of_wave(8);
const HALVES: Phases = Phases::contiguous(4).of_wave(8);
static ROWS: [Instruction; 3] = [
    Instruction::read("eight", 4).phases(LANES).banks(8),
    Instruction::read("pairs", 8).phases(HALVES).banks(8),
    Instruction::read("four", 4).phases(HALVES).banks(4),
];

/// Cycles of an access of which each dword of the tile is in the bank that a table says.
fn counted(row: &Instruction, elements: &[u32], times: u32, bank: &[u32]) -> u64 {
    let (phases, words) = (&row.service().phases, row.bytes() / 4);
    let degree = |phase| {
        let lanes = phases.lanes(phase).iter();
        let mut dwords: Vec<u32> =
            lanes.flat_map(|lane| (0..words).map(|word| elements[*lane as usize] + word)).collect();
        dwords.sort_unstable();
        dwords.dedup();
        let mut banks = [0u64; 8];
        let mask = row.service().banks - 1;
        dwords.iter().for_each(|dword| banks[(bank[*dword as usize] & mask) as usize] += 1);
        *banks.iter().max().unwrap()
    };
    u64::from(times) * (0..phases.count()).map(degree).sum::<u64>()
}

/// Every choice of banks: each bit of a bank's number above a pack's is the parity of some bits of
/// the dword's number.
pub(crate) fn every_choice(bits: u32, low: u32, mut each: impl FnMut(&[u32])) {
    let (many, all) = (1u32 << (bits - low), 1usize << bits);
    let mut bank = vec![0; all];
    let free = 3 - low;
    for choice in 0..many.pow(free) {
        let parities: Vec<u32> = (0..free).map(|b| choice / many.pow(b) % many).collect();
        // No sum of them is nothing: else two dwords share a place.
        let sum = |some: u32| {
            (0..free).filter(|b| some >> b & 1 == 1).fold(0, |sum, b| sum ^ parities[b as usize])
        };
        if (1..1 << free).any(|some| sum(some) == 0) {
            continue;
        }
        for (dword, bank) in bank.iter_mut().enumerate() {
            let dword = dword as u32;
            let parity = |b: u32| (parities[b as usize] & dword >> low).count_ones() & 1;
            *bank = dword & ((1 << low) - 1)
                | (0..free).map(|b| parity(b) << (low + b)).fold(0, |bank, bit| bank | bit);
        }
        each(&bank);
    }
}

/// The least of every linear layout, each tried by counting dwords in banks.
#[test]
fn as_every_linear_layout() {
    let (mut random, mut better, mut conflicts) = (Dice(3), 0, 0);
    let cases = cases("linear layouts");
    for case in 0..cases {
        // One in many has 262,144 choices.
        let rows = if case % 64 == 0 { 8 } else { 2 + 2 * random.below(2) };
        let tile = Shape { rows, columns: 8, bits: 32 };
        let bits = (tile.rows * tile.columns).ilog2();
        let accesses: Vec<_> = (0..2 + random.below(4))
            .map(|_| {
                let row = &ROWS[random.below(3) as usize];
                let (elements, table) = lanes(&mut random, tile, row.bytes() / 4, 3);
                (row, elements, table, 1 + random.below(3))
            })
            .collect();
        let uses: Vec<_> = accesses
            .iter()
            .map(|(row, _, table, times)| Use::new(Lanes::table(table, 1), row).times(*times))
            .collect();
        let low = accesses.iter().map(|(row, ..)| row.bytes().ilog2() - 2).max().unwrap();
        let mut least = u64::MAX;
        every_choice(bits, low, |bank| {
            let cycles = accesses
                .iter()
                .map(|(row, elements, _, times)| counted(row, elements, *times, bank));
            least = least.min(cycles.sum());
        });

        let all = tile.candidates(&uses).unwrap();
        let swizzle = |one: &&Candidate| one.bytes() == u64::from(tile.rows * tile.columns * 4);
        let by_masks = |one: &&Candidate| one.layout().scheme() != Scheme::BitByBit;
        let cycles = |found: Option<&Candidate>| found.unwrap().cycles();
        let found = all.as_slice().iter().find(swizzle);
        assert_eq!(cycles(found), least, "case {case}, {tile:?}\n{all}");
        assert_eq!(judged(&found.unwrap().layout().plan(tile).unwrap(), tile, &uses), least);
        let masks = cycles(all.as_slice().iter().filter(swizzle).find(by_masks));
        better += u32::from(least < masks);

        let best = tile.synthesize(&uses).unwrap();
        assert_eq!(best.cycles(), cycles(all.as_slice().first()), "case {case}: {best}\n{all}");
        let floor = best.cycles() == best.floor();
        let wanted = if floor { Optimality::Floor } else { Optimality::Linear };
        assert_eq!(best.optimality(), wanted, "case {case}: {best}\n{all}");
        conflicts += u32::from(least > best.floor());
    }
    println!("{better} of {cases} better than masks, {conflicts} with conflicts in all");
    assert!(better > 5 && conflicts > 5, "{better} better, {conflicts} with conflicts");
}

/// The chips' rows, on tiles of which lanes take rows, columns, diagonals and random xors of packs.
#[test]
fn where_masks_are_not_free() {
    let rows: [&Instruction; 4] =
        [&sm_80::ld_shared_b32, &sm_80::st_shared_b64, &gfx950::ds_read_b64, &gfx950::ds_read_b128];
    let (mut random, mut placed, mut free, mut beaten, mut tried) = (Dice(11), 0, 0, 0, 0);
    for case in 0..cases("accesses of tiles") {
        let bits = [16, 32][random.below(2) as usize];
        let tile = Shape { rows: 8 << random.below(4), columns: 32 << random.below(3), bits };
        let tables: Vec<_> = (0..4)
            .map(|i| lanes(&mut random, tile, (rows[i].bytes() * 8 / bits).max(1), 6).1)
            .collect();
        let uses: Vec<_> = (0..3 + random.below(2) as usize)
            .map(|i| {
                let lanes = match random.below(7) {
                    0 => Lanes::row_major(),
                    1 => Lanes::diagonal(),
                    2 => Lanes::strided(2 << random.below(3)),
                    3 => Lanes::column_major(),
                    4 => Lanes::table(&tables[i], 1),
                    _ => Lanes::rows(1 << random.below(6)),
                };
                let row = rows[random.below(4) as usize];
                Use::new(lanes, row).times(1 + random.below(3))
            })
            .collect();
        let (Ok(all), Ok(found)) = (tile.candidates(&uses), tile.synthesize(&uses)) else {
            continue;
        };
        tried += 1;
        assert_eq!(found.cycles(), all.as_slice()[0].cycles(), "case {case}: {found}\n{all}");
        assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.cycles(), "{case}: {found}");
        let of_packs = |one: &Candidate| one.layout().scheme() == Scheme::BitByBit;
        let all = all.as_slice();
        let Some(any) = all.iter().find(|one| of_packs(one)) else { continue };
        assert_eq!(judged(&any.layout().plan(tile).unwrap(), tile, &uses), any.cycles(), "{case}");
        let masks = all.iter().filter(|one| one.bytes() == any.bytes() && !of_packs(one));
        assert!(masks.map(Candidate::cycles).min().unwrap() > any.cycles(), "{case}: {any:?}");
        placed += 1;
        free += u32::from(any.cycles() == found.floor());
        let pads = all.iter().filter(|one| one.bytes() > any.bytes());
        beaten +=
            u32::from(pads.map(Candidate::cycles).min().is_some_and(|least| least < any.cycles()));
    }
    println!(
        "{tried} tried: {placed} better than masks, {free} of them free; a pad beats {beaten}"
    );
    assert!(placed > 2 && free > 0, "{placed} better than masks, {free} free");
}

/// Every second float, of a tile in packs of four: 32 lanes at 32 floats that 8 packs' banks have.
#[test]
fn what_is_proven() {
    let uses = [
        Use::new(Lanes::row_major().first(), &sm_80::st_shared_b128),
        Use::new(Lanes::strided(2).first(), &sm_80::ld_shared_b32),
    ];
    let said = |rows: u32, columns: u32| {
        let found = Shape { rows, columns, bits: 32 }.synthesize(&uses).unwrap();
        assert_eq!((found.cycles(), found.floor()), (6, 5), "{found}");
        (found.optimality(), found.to_string())
    };
    let (proven, text) = said(128, 64);
    assert_eq!(proven, Optimality::Linear);
    assert!(text.ends_with(": 6 cycles, floor 5: no linear layout of packs does better"), "{text}");
    // 8,192 packs.
    assert_eq!(said(512, 64).0, Optimality::Linear);
    let (proven, text) = said(96, 64);
    assert_eq!(proven, Optimality::Exhausted);
    assert!(text.ends_with(": 6 cycles, floor 5: no masks over packs do better"), "{text}");
}

pattern! {
    /// Four columns of a row, row after row.
    Across4(lane) => [lane / 4, lane % 4];
}

synthesize! {
    /// Stored and read along rows, and read four rows at a time. On gfx950 the wide read has 64 banks and
    /// the others 32: masks and pads leave one of the reads 2-way.
    type Rows4 = F32 [128, 32] on gfx950:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by RowMajor,
        read  ds_read_b32   by MfmaRows<4>;
    /// The same down the columns.
    type Columns4 = F32 [32, 128] on gfx950:
        write ds_write_b128 by ColumnMajor,
        read  ds_read_b128  by ColumnMajor,
        read  ds_read_b32   by Across4;
}

/// What is found compiles, declared and pasted.
#[test]
fn declared_and_pasted() {
    type Pasted = recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 12, 26]>;
    assert_eq!(
        Rows4.to_string(),
        "recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 12, 26]>: \
         320 cycles, the floor: no layout does better",
    );
    assert_eq!(Rows4::PLAN, Pasted::PLAN);
    assert_eq!(Rows4::PLAN, Rows4.plan().unwrap());
    // Rows 1 and 2 are 8 packs and 16 on: bits 3 and 4 of a pack's number.
    assert_eq!([Rows4::offset([1, 0]), Rows4::offset([2, 5])], [4 * 12, 4 * (26 ^ 1) + 1]);
    let tile = Shape { rows: 128, columns: 32, bits: 32 };
    let uses = [
        Use::new(Lanes::row_major(), &gfx950::ds_write_b128),
        Use::new(Lanes::row_major(), &gfx950::ds_read_b128),
        Use::new(Lanes::rows(4), &gfx950::ds_read_b32),
    ];
    let all = tile.candidates(&uses).unwrap();
    let others = all.as_slice().iter().filter(|one| one.layout().scheme() != Scheme::BitByBit);
    assert_eq!(others.map(Candidate::cycles).min(), Some(448), "{all}");

    type PastedDown = recipe::Transposed<
        recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 12, 26]>,
    >;
    assert_eq!(
        Columns4.to_string(),
        "recipe::Transposed<recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, \
         seq![1, 2, 4, 12, 26]>>: 194 cycles, the floor: no layout does better",
    );
    assert_eq!(Columns4::PLAN, PastedDown::PLAN);
    assert_eq!(Columns4::PLAN, Columns4.plan().unwrap());
}
