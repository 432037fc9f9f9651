//! A family that a search claims to have tried has no better layout, wherever the search was cut.
//!
//! Of small tiles each choice of masks, of linear packs and of dense masks, each pad and each recipe is counted. With
//! any effort, and with any number of cycles that is enough, a family that is claimed has no layout of fewer cycles,
//! masks are not claimed where there are none, and a search that was not cut gives the whole answer.
//!
//! Layouts are formulas of this file, and cycles are counted dword by dword. `FUZZ_CASES` asks for more tiles
//! (`tests/support/fuzz.rs`).

use crate::least_linear_layouts::every_choice;
use support::bits::sum;
use support::fuzz::{Dice, cases};
use tiledesc::List;
use tiledesc::access::Placed;
use tiledesc::chip::{Instruction, Phases};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::search::{Effort, Extent, Optimality, Shape, Spec, Synthesis, Use};

/// A wave of eight lanes on eight banks, so that small tiles have conflicts; four of half the lanes each.
const LANES: Phases = Phases::contiguous(8).of_wave(8);
const HALVES: Phases = Phases::contiguous(4).of_wave(8);
static ROWS: [Instruction; 4] = [
    Instruction::read("eight", 4).phases(LANES).banks(8),
    Instruction::read("pairs", 8).phases(HALVES).banks(8),
    Instruction::read("four", 4).phases(HALVES).banks(4),
    Instruction::read("narrow", 2).phases(LANES).banks(8),
];

/// What an access touches: of each phase the bytes at which its lanes begin in the tile row by row.
struct Touched {
    phases: Vec<Vec<u32>>,
    bytes: u32,
    banks: u32,
    times: u64,
}

impl Touched {
    fn of(tile: Shape, access: &Use<'_>) -> Option<Self> {
        let (row, plan) = (access.instruction, Spec::row_major().plan(tile).ok()?);
        let placed = Placed::new(&plan, tile.bits, access.lanes, row).ok()?;
        let mut phases = Vec::new();
        for step in 0..placed.instructions() {
            let touched = placed.touched(step).ok()?;
            for phase in 0..row.service().phases.count() {
                let lanes = row.service().phases.lanes(phase).iter();
                let at = lanes.filter_map(|lane| touched.coordinate(*lane as usize));
                let byte = |at: List| (at.at(0) * tile.columns + at.at(1)) * tile.bits / 8;
                let begins: Vec<u32> = at.map(byte).collect();
                if begins.iter().any(|byte| !byte.is_multiple_of(row.alignment())) {
                    return None;
                }
                phases.push(begins);
            }
        }
        let (bytes, banks) = (row.bytes(), row.service().banks);
        Some(Self { phases, bytes, banks, times: u64::from(access.times) })
    }

    /// Cycles where `bank` says the number of a dword by the byte of the tile that lies in it.
    fn cycles(&self, dword: &dyn Fn(u32) -> u32) -> u64 {
        let of_phase = |begins: &Vec<u32>| {
            let words = |byte: &u32| {
                (0..self.bytes.div_ceil(4)).map(|word| dword(byte + 4 * word)).collect::<Vec<_>>()
            };
            let mut dwords: Vec<u32> = begins.iter().flat_map(words).collect();
            dwords.sort_unstable();
            dwords.dedup();
            let mut banks = [0u64; 64];
            dwords.iter().for_each(|dword| banks[(dword % self.banks) as usize] += 1);
            banks.into_iter().max().unwrap().max(1)
        };
        self.times * self.phases.iter().map(of_phase).sum::<u64>()
    }
}

fn cycles(all: &[Touched], byte_at: &dyn Fn(u32) -> u32) -> u64 {
    all.iter().map(|one| one.cycles(&|byte| byte_at(byte) / 4)).sum()
}

/// The fewest cycles of each family, each of its layouts counted; `None` if it has none, or too many.
#[derive(Clone, Copy, Debug, Default)]
struct Least {
    recipes: Option<u64>,
    masks: Option<u64>,
    dense: Option<u64>,
    linear: Option<u64>,
    pads: Option<u64>,
    intervals: Option<u64>,
    /// Whether rows, or lines of them, are several packs that masks can exchange.
    has_masks: bool,
}

fn lower(least: &mut Option<u64>, cycles: u64) {
    *least = Some(least.map_or(cycles, |least| least.min(cycles)));
}

/// What may be packs: bytes of the widest access, and at least of one element.
fn pack_bytes(tile: Shape, uses: &[Use<'_>]) -> u32 {
    uses.iter().map(|one| one.instruction.bytes()).max().unwrap().max(tile.bits / 8)
}

/// The byte of a tile, whose lines of `line` bytes exchange their packs by a mask for each bit of a line's number.
fn masked(byte: u32, [line, pack]: [u32; 2], masks: &[u32]) -> u32 {
    byte ^ (sum(masks, byte / line) * pack)
}

/// Every choice of masks for lines of so many bytes, unless these are more than `most`.
fn every_mask(bytes: u32, [line, pack]: [u32; 2], most: u64, mut each: impl FnMut(&[u32])) {
    let (packs, bits) = (line / pack, bytes.div_ceil(line).next_power_of_two().ilog2());
    if u64::from(packs).checked_pow(bits).is_none_or(|choices| choices > most) {
        return;
    }
    for choice in 0..packs.pow(bits) {
        let masks: Vec<u32> = (0..bits).map(|bit| choice / packs.pow(bit) % packs).collect();
        each(&masks);
    }
}

impl Least {
    fn of(tile: Shape, uses: &[Use<'_>], all: &[Touched]) -> Self {
        let mut least = Self::default();
        least.with_masks(tile, uses, all);
        least.with_linear(tile, uses, all);
        least.with_dense(tile, uses, all);
        least.with_pads(tile, uses, all);
        least.with_recipes(tile, uses, all);
        least
    }

    /// Lines that are whole rows, or of which whole ones are a row.
    fn with_masks(&mut self, tile: Shape, uses: &[Use<'_>], all: &[Touched]) {
        let (row, pack) = (tile.columns * tile.bits / 8, pack_bytes(tile, uses));
        let bytes = tile.rows * row;
        for line in (1..9).map(|log2| pack << log2) {
            let is_line = line.is_multiple_of(row) || row.is_multiple_of(line);
            if row.is_multiple_of(pack) && bytes.is_multiple_of(line) && is_line && line >= 4 {
                self.has_masks = true;
                every_mask(bytes, [line, pack], 1 << 10, |masks| {
                    lower(&mut self.masks, cycles(all, &|byte| masked(byte, [line, pack], masks)));
                });
            }
        }
    }

    /// Each choice of banks that are parities of the bits of a dword's number.
    fn with_linear(&mut self, tile: Shape, uses: &[Use<'_>], all: &[Touched]) {
        let (bytes, pack) =
            (tile.rows * tile.columns * tile.bits / 8, pack_bytes(tile, uses).max(4));
        let low = (pack / 4).ilog2();
        if !tile.columns.is_power_of_two() || !bytes.is_power_of_two() || bytes < 4 * 8 {
            return;
        }
        let bits = (bytes / 4).ilog2();
        if (bits - low) * (3 - low) <= 12 {
            every_choice(bits, low, |bank| {
                let of = |one: &Touched| one.cycles(&|byte| of_bank(bank, byte));
                lower(&mut self.linear, all.iter().map(of).sum());
            });
        }
    }

    /// Lines that fill 32 or 64 banks, or divide the tile.
    fn with_dense(&mut self, tile: Shape, uses: &[Use<'_>], all: &[Touched]) {
        let (row, pack) = (tile.columns * tile.bits / 8, pack_bytes(tile, uses).max(4));
        if tile.columns.is_power_of_two() || !row.is_multiple_of(pack) {
            return;
        }
        let bytes = tile.rows * row;
        for banks in [32, 64] {
            let line = (pack << (bytes / pack).trailing_zeros()).min(4 * banks);
            if line > pack {
                every_mask(bytes, [line, pack], 1 << 15, |masks| {
                    lower(&mut self.dense, cycles(all, &|byte| masked(byte, [line, pack], masks)));
                });
            }
        }
    }

    /// Behind rows, and at intervals of 64 to 1024 bytes of which several are the tile.
    fn with_pads(&mut self, tile: Shape, uses: &[Use<'_>], all: &[Touched]) {
        let (row, pack) = (tile.columns * tile.bits / 8, pack_bytes(tile, uses).max(4));
        let banks = uses.iter().map(|one| one.instruction.service().banks).max().unwrap();
        for pad in (pack..4 * banks).step_by(pack as usize) {
            lower(&mut self.pads, cycles(all, &|byte| byte + byte / row * pad));
            for every in (6..=10).map(|log2| 1 << log2) {
                let is_whole = tile.rows * row > every && (tile.rows * row).is_multiple_of(every);
                if is_whole && every != row {
                    lower(&mut self.intervals, cycles(all, &|byte| byte + byte / every * pad));
                }
            }
        }
    }

    /// CK's xors of a single shift, by the layout's own plan.
    fn with_recipes(&mut self, tile: Shape, uses: &[Use<'_>], all: &[Touched]) {
        let pack = pack_bytes(tile, uses) * 8 / tile.bits;
        let layers = [1, 2, 4, 8].map(|layers| Spec::gemm_xor_layer(pack, layers));
        // Where rows are packs in a power of two a rotation is not tried.
        let is_even = (tile.columns / pack.max(1)).is_power_of_two();
        let shift = if is_even { Spec::row_major() } else { Spec::row_shift(pack) };
        for recipe in
            [Spec::gemm_xor(pack), Spec::gemm_xor_64(pack), shift].into_iter().chain(layers)
        {
            let Ok(plan) = recipe.plan(tile) else { continue };
            let place = |byte: u32| {
                let element = byte * 8 / tile.bits;
                let at = [element / tile.columns, element % tile.columns];
                plan.offset(&at).unwrap() * tile.bits / 8
            };
            lower(&mut self.recipes, cycles(all, &place));
        }
    }

    /// What is claimed holds: a family that was tried has no fewer cycles than what was found, of the dense offset
    /// none that is free.
    fn bears(&self, found: &Synthesis) -> Result<u32, &'static str> {
        let (searched, mut claimed) = (found.searched(), 0);
        if !self.has_masks && searched.masks == Extent::All {
            return Err("masks, of which there are none");
        }
        let by_rows = !found.layout().is_transposed();
        for (family, extent, least, bound) in [
            ("recipes", searched.recipes, self.recipes, found.cycles()),
            ("masks", searched.masks, self.masks, found.cycles()),
            ("linear", searched.linear, self.linear, found.cycles()),
            ("dense", searched.dense, self.dense, found.floor() + 1),
            ("pads", searched.pads, self.pads, found.cycles()),
            ("intervals", searched.intervals, self.intervals, found.cycles()),
        ] {
            if by_rows && extent == Extent::All {
                claimed += u32::from(least.is_some());
                if least.is_some_and(|least| least < bound) {
                    return Err(family);
                }
            }
        }
        Ok(claimed)
    }
}

/// The number of a dword whose bank is that of a table.
fn of_bank(bank: &[u32], byte: u32) -> u32 {
    // Dwords apart stay apart: the number of the dword above its bank.
    bank[(byte / 4) as usize] + 8 * (byte / 4)
}

/// One to four reads that the tile bears, some of a few random lanes.
fn reads<'a>(dice: &mut Dice, tile: Shape, tables: &'a [Vec<Row>]) -> Vec<Use<'a>> {
    let reads = (0..1 + dice.below(4)).map(|_| {
        let lanes = match dice.below(9) {
            0 => Lanes::row_major(),
            1 => Lanes::rows(2),
            2 => Lanes::rows(4),
            3 => Lanes::column(),
            4 => Lanes::diagonal(),
            5 => Lanes::strided(1 + dice.below(4)),
            _ => Lanes::table(&tables[dice.below(tables.len() as u32) as usize], 1),
        };
        let lanes = if dice.one_in(3) { lanes } else { lanes.first() };
        Use::new(lanes, &ROWS[dice.below(4) as usize]).times(1 + dice.below(3))
    });
    reads.filter(|one| Touched::of(tile, one).is_some()).collect()
}

/// An instruction of random lanes that are, by a toss, an xor of columns.
fn table(dice: &mut Dice, tile: Shape) -> Vec<Row> {
    let pack = 1 << dice.below(3);
    let packs = tile.rows * tile.columns / pack;
    let flips: Vec<u32> = (0..3).map(|_| dice.below(packs)).collect();
    let is_xor = dice.one_in(2);
    let number = |dice: &mut Dice, lane: usize| {
        let chosen = (0..3).filter(|bit| lane >> bit & 1 == 1);
        if is_xor { chosen.fold(0, |number, bit| number ^ flips[bit]) } else { dice.below(packs) }
    };
    let row = core::array::from_fn(|lane| {
        let element = number(dice, lane) * pack;
        (lane < 8 && element < tile.rows * tile.columns)
            .then(|| List::pair(element / tile.columns, element % tile.columns))
    });
    vec![row]
}

#[test]
fn wherever_a_search_is_cut() {
    let efforts = [0, 2, 6, 12, 20, 40, 80, 150, 300, 700, 2_000, 8_000, 100_000];
    let all = cases("families");
    let (mut dice, mut claimed, mut ended, mut enough, mut fewer) = (Dice(17), 0, 0, 0, 0);
    for case in 0..all {
        // All pairs of lengths, in an order of no length after the next; every second of powers of two.
        let [m, k] =
            [case / 2 * 101 % 529 / 23, case / 2 * 101 % 529 % 23].map(|length| length + 2);
        let tile = match case % 2 {
            0 => Shape { rows: m, columns: k, bits: 16 },
            _ => Shape { rows: 1 << (1 + m % 4), columns: 2 << (k % 4), bits: 16 << (k % 2) },
        };
        let tables: Vec<_> = (0..4).map(|_| table(&mut dice, tile)).collect();
        let uses = reads(&mut dice, tile, &tables);
        let Ok(whole) = tile.synthesize(&uses) else { continue };
        let touched: Vec<_> = uses.iter().filter_map(|one| Touched::of(tile, one)).collect();
        let least = Least::of(tile, &uses, &touched);
        for units in efforts {
            let effort = Effort::of_units(units);
            let bound = if dice.one_in(3) { whole.floor() + u64::from(dice.below(6)) } else { 0 };
            let found = tile.synthesize_within(&uses, effort.until(bound)).unwrap();
            let says = || {
                let searched = found.searched();
                format!(
                    "case {case}: {tile:?}, {units} units, {bound} enough: {found}, {searched:?}\n{least:?}\n{uses:?}"
                )
            };
            match least.bears(&found) {
                Ok(more) => claimed += more,
                Err(family) => panic!("{family}: {}", says()),
            }
            assert!(found.cycles() >= found.floor(), "{}", says());
            let optimality = found.optimality();
            assert_eq!(
                optimality == Optimality::Floor,
                found.cycles() == found.floor(),
                "{}",
                says()
            );
            if optimality == Optimality::Enough {
                assert!(found.cycles() <= bound, "{}", says());
                enough += 1;
            }
            // What is as few as were asked for says so, unless it is proven.
            let is_proven = matches!(
                optimality,
                Optimality::Floor | Optimality::Linear | Optimality::Exhausted
            );
            assert!(
                is_proven || found.cycles() > bound || optimality == Optimality::Enough,
                "{}",
                says()
            );
            // What was not cut is the answer.
            let searched = found.searched();
            if !searched.has_ended && found.cycles() > bound {
                assert_eq!(found, whole, "{}", says());
            }
            ended += u32::from(searched.has_ended);
            fewer += u32::from(whole.cycles() < found.cycles());
        }
    }
    println!(
        "{claimed} families claimed, {ended} searches cut, {enough} enough, {fewer} more cycles than uncut"
    );
    assert!(
        claimed > all && ended > all && enough > 0 && fewer > 0,
        "{claimed} {ended} {enough} {fewer}"
    );
}
