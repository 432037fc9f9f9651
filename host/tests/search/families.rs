//! Where all of a family is claimed, no layout of it is better than the answer: each is a formula here, and counted.
//!
//! | test | promise |
//! |---|---|
//! | `small_tiles` | of a wave of eight lanes on eight and on four banks |
//! | `tiles_of_chips` | of the rows of all chips |
//!
//! ```text
//!   family          counted of it                                                             rows contiguous, and columns
//!   Shifts          every width, from every bit of a line's number to every bit of the line
//!   RowPads         every number of elements up to three rounds of the banks
//!   Rotation        the only one
//!   Masks           lines of every length, every choice up to 4,096, of more some
//!   Packs           every bijective linear layout of up to 8 packs and of some tiles of 16, of more some
//!   IntervalPads    after every 64 to 1024 bytes, or all that divide one row, every number of elements up to two rounds
//! ```

use crate::costs::{Access, Laid, accesses, is_less};
use support::asked::{KINDS, Question, fits, told};
use support::bits::sum;
use support::fuzz::{Dice, cases, seed};
use tiledesc::List;
use tiledesc::chip::{Instruction, Phases};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::Shape;
use tiledesc::search::Use;
use tiledesc_host::search::{Answer, Extent, Family, find};

const FAMILIES: [Family; 6] = [
    Family::Shifts,
    Family::RowPads,
    Family::Rotation,
    Family::Masks,
    Family::Packs,
    Family::IntervalPads,
];

/// A tile in one order of memory.
struct Order {
    tile: Shape,
    /// Elements that are contiguous.
    row: u32,
    elements: u32,
    /// Elements of the widest access.
    widest: u32,
    /// The same, and at least a dword.
    pack: u32,
    /// Elements of a round of each number of banks.
    rounds: Vec<u32>,
}

/// What is told of a layout: where an element is by its number in order.
type Told<'f> = &'f mut dyn FnMut(&dyn Fn(u32) -> u32);

impl Order {
    fn of(tile: Shape, uses: &[Use<'_>], is_by_columns: bool) -> Self {
        let row = if is_by_columns { tile.rows } else { tile.columns };
        let bytes = uses.iter().map(|one| one.instruction.bytes()).max().unwrap();
        let [widest, pack] = [bytes, bytes.max(4)].map(|bytes| (bytes * 8 / tile.bits).max(1));
        let rows = || uses.iter().map(|one| one.instruction);
        let services =
            rows().map(Instruction::service).chain(rows().filter_map(Instruction::rival));
        let mut rounds: Vec<u32> = services.map(|one| one.banks * 32 / tile.bits).collect();
        rounds.sort_unstable();
        rounds.dedup();
        let elements = tile.rows * tile.columns;
        Self { tile, row, elements, widest, pack, rounds }
    }

    /// Whether rows are whole packs that a bit of an element's number can flip.
    fn has_packs(&self, pack: u32) -> bool {
        pack.is_power_of_two() && self.row.is_multiple_of(pack)
    }

    /// Tells every layout of a family, or some of those that are too many; whether there is one.
    fn each(&self, family: Family, dice: &mut Dice, told: Told<'_>) -> bool {
        let mut is_any = false;
        let mut told = |place: &dyn Fn(u32) -> u32| {
            is_any = true;
            told(place);
        };
        match family {
            Family::Shifts => self.shifts(&mut told),
            Family::RowPads => self.row_pads(&mut told),
            Family::Rotation => self.rotation(&mut told),
            Family::Masks => self.masks(dice, &mut told),
            Family::Packs => self.packs(dice, &mut told),
            Family::IntervalPads => self.interval_pads(&mut told),
        }
        is_any
    }

    fn shifts(&self, told: Told<'_>) {
        if !self.has_packs(self.pack) {
            return;
        }
        let (longest, end) = (self.elements.trailing_zeros(), self.elements.next_power_of_two());
        for round in &self.rounds {
            let [pack, line] = [self.pack.ilog2(), round.ilog2().min(longest)];
            for (from, to) in
                (line..end.ilog2()).flat_map(|from| (pack..line).map(move |to| (from, to)))
            {
                for width in 1..=(end.ilog2() - from).min(line - to) {
                    told(&|n| n ^ (n >> from & ((1 << width) - 1)) << to);
                }
            }
        }
    }

    fn row_pads(&self, told: Told<'_>) {
        if self.row == self.elements {
            return;
        }
        let most = 3 * self.rounds.last().unwrap();
        (1..=most).for_each(|pad| told(&|n| n + n / self.row * pad));
    }

    fn interval_pads(&self, told: Told<'_>) {
        let most = 2 * self.rounds.last().unwrap();
        let some = || [64, 128, 256, 512, 1024].map(|bytes| bytes * 8 / self.tile.bits).to_vec();
        let is_one_row = self.row == self.elements;
        for every in if is_one_row { (2..self.elements).collect() } else { some() } {
            let is_whole = every < self.elements && self.elements.is_multiple_of(every);
            if is_whole && every != self.row {
                (1..=most).for_each(|pad| told(&|n| n + n / every * pad));
            }
        }
    }

    fn rotation(&self, told: Told<'_>) {
        let (pack, packs) = (self.widest, self.row / self.widest);
        let is_one_row = self.row == self.elements;
        if !is_one_row && self.row.is_multiple_of(pack) && !packs.is_power_of_two() {
            told(&|n| {
                let (row, column) = (n / self.row, n % self.row);
                row * self.row + (column / pack + row) % packs * pack + column % pack
            });
        }
    }

    fn masks(&self, dice: &mut Dice, told: Told<'_>) {
        let pack = self.widest;
        if !self.has_packs(pack) {
            return;
        }
        let lines = (1..).map(|log2| pack << log2);
        for line in lines.take_while(|line| self.elements.is_multiple_of(*line)) {
            let (packs, bits) = (line / pack, (self.elements / line).next_power_of_two().ilog2());
            let mut tell = |masks: &[u32]| told(&|n| n ^ (sum(masks, n / line) * pack));
            match packs.checked_pow(bits).filter(|choices| *choices <= 4096) {
                _ if bits == 0 => {}
                Some(choices) => (0..choices).for_each(|choice| {
                    let mask = |bit| choice / packs.pow(bit) % packs;
                    tell(&(0..bits).map(mask).collect::<Vec<_>>());
                }),
                None => (0..150).for_each(|_| {
                    tell(&(0..bits).map(|_| dice.below(packs)).collect::<Vec<_>>());
                }),
            }
        }
    }

    fn packs(&self, dice: &mut Dice, told: Told<'_>) {
        let Shape { rows, columns, .. } = self.tile;
        let is_even = rows.is_power_of_two() && columns.is_power_of_two();
        if !is_even || !self.has_packs(self.pack) || self.elements <= self.pack {
            return;
        }
        let (pack, bits) = (self.pack, (self.elements / self.pack).ilog2());
        let mut tell = |columns: &[u32]| told(&|n| sum(columns, n / pack) * pack + n % pack);
        if bits < 4 || bits == 4 && dice.one_in(8) {
            every_basis(bits, &mut Vec::new(), &mut tell);
        } else {
            (0..300).for_each(|_| tell(&basis(bits, dice)));
        }
    }
}

/// Whether columns and one more are independent.
fn is_independent(columns: &[u32], one: u32) -> bool {
    (0..1 << columns.len()).all(|some| sum(columns, some) != one)
}

/// Every list of as many independent columns as bits.
fn every_basis(bits: u32, columns: &mut Vec<u32>, each: &mut dyn FnMut(&[u32])) {
    if columns.len() as u32 == bits {
        return each(columns);
    }
    for one in 1..1 << bits {
        if is_independent(columns, one) {
            columns.push(one);
            every_basis(bits, columns, each);
            columns.pop();
        }
    }
}

/// One of them.
fn basis(bits: u32, dice: &mut Dice) -> Vec<u32> {
    let mut columns = Vec::new();
    while (columns.len() as u32) < bits {
        let one = dice.below(1 << bits);
        if is_independent(&columns, one) {
            columns.push(one);
        }
    }
    columns
}

/// What a claim says, against every layout of the family: how many were counted.
fn check(found: &Answer, uses: &[Use<'_>], family: Family, dice: &mut Dice) -> Result<u32, String> {
    let (tile, best) = (found.tile, found.best);
    let all: Vec<Access<'_>> = accesses(tile, uses).unwrap();
    let (mut counted, mut better, mut is_any) = (0, None, false);
    for is_by_columns in [false, true] {
        let order = Order::of(tile, uses, is_by_columns);
        is_any |= order.each(family, dice, &mut |place| {
            let laid = Laid::by(tile, is_by_columns, place);
            let than = best.weight + u64::from(laid.bytes < best.bytes);
            counted += 1;
            if better.is_none() && is_less(&laid, &all, than) {
                better = Some(laid.places.iter().take(100).copied().collect::<Vec<_>>());
            }
        });
    }
    match better {
        Some(places) => Err(format!("{family:?} has a better one: elements are at {places:?} ..")),
        None if !is_any => Err(format!("{family:?}, of which there is none")),
        None => Ok(counted),
    }
}

/// A wave of eight lanes on eight banks, so that small tiles have conflicts; four of half the lanes each.
const LANES: Phases = Phases::contiguous(8).of_wave(8);
const HALVES: Phases = Phases::contiguous(4).of_wave(8);
static ROWS: [Instruction; 5] = [
    Instruction::read("eight", 4).phases(LANES).banks(8),
    Instruction::read("pairs", 8).phases(HALVES).banks(8),
    Instruction::read("four", 4).phases(HALVES).banks(4),
    Instruction::read("narrow", 2).phases(LANES).banks(8),
    Instruction::read("byte", 1).phases(LANES).banks(4),
];

/// A tile with an instruction of random lanes that are, by a toss, an xor of columns.
fn table(dice: &mut Dice, tile: Shape) -> Vec<Row> {
    let pack = 1 << dice.below(3);
    let packs = (tile.rows * tile.columns / pack).max(1);
    let flips: Vec<u32> = (0..3).map(|_| dice.below(packs)).collect();
    let is_xor = dice.one_in(2);
    let row = core::array::from_fn(|lane| {
        let any = dice.below(packs);
        let element = if is_xor { sum(&flips, lane as u32 % 8) } else { any } * pack;
        (lane < 8 && element < tile.rows * tile.columns)
            .then(|| List::pair(element / tile.columns, element % tile.columns))
    });
    vec![row]
}

/// Some reads that a small tile bears.
fn reads<'a>(dice: &mut Dice, tile: Shape, tables: &'a [Vec<Row>]) -> Vec<Use<'a>> {
    let reads = (0..2 + dice.below(4)).map(|_| {
        let lanes = match dice.below(10) {
            0 => Lanes::row_major(),
            1 => Lanes::rows(2),
            2 => Lanes::rows(4),
            3 => Lanes::column(),
            4 => Lanes::diagonal(),
            5 => Lanes::column_major(),
            6 => Lanes::strided(1 + dice.below(4)),
            _ => Lanes::table(&tables[dice.below(tables.len() as u32) as usize], 1),
        };
        let lanes = if dice.one_in(3) { lanes } else { lanes.first() };
        Use::new(lanes, &ROWS[dice.below(5) as usize]).times(1 + dice.below(3))
    });
    reads.filter(|one| fits(tile, one)).collect()
}

fn small_tile(dice: &mut Dice) -> Shape {
    let bits = dice.of(&[8, 16, 16, 32]);
    let length = |dice: &mut Dice| match dice.below(2) {
        0 => 1 << dice.below(5),
        _ => 1 + dice.below(24),
    };
    Shape { rows: length(dice), columns: length(dice), bits }
}

/// How many layouts were counted for the claims of each family.
#[derive(Debug, Default)]
struct Claims {
    claims: [u32; 6],
    counted: [u32; 6],
}

impl Claims {
    fn check(&mut self, case: u32, tile: Shape, uses: &[Use<'_>], dice: &mut Dice) {
        let Ok(found) = find(tile, uses) else { return };
        for (i, family) in FAMILIES.into_iter().enumerate() {
            if found.extent(family) == Extent::All {
                self.claims[i] += 1;
                match check(&found, uses, family, dice) {
                    Ok(counted) => self.counted[i] += counted,
                    Err(error) => panic!("case {case}: {found}: {error}\n{}", told(uses)),
                }
            }
        }
    }
}

#[test]
fn small_tiles() {
    let (mut dice, all) = (Dice(seed(17)), cases("claimed families"));
    let mut claims = Claims::default();
    for case in 0..all {
        let tile = small_tile(&mut dice);
        let tables: Vec<_> = (0..4).map(|_| table(&mut dice, tile)).collect();
        let uses = reads(&mut dice, tile, &tables);
        claims.check(case, tile, &uses, &mut dice);
    }
    println!("of {all} tiles {claims:?}");
    assert!(claims.claims.iter().all(|claims| *claims > 0), "{claims:?}");
}

#[test]
fn tiles_of_chips() {
    let (mut dice, all) = (Dice(seed(18)), cases("claimed families") / 12);
    let mut claims = Claims::default();
    for case in 0..all {
        let kind = KINDS[case as usize % KINDS.len()];
        let Some(Question { tile, uses }) = Question::of(kind, &mut dice, 48) else { continue };
        let uses: Vec<_> = uses.into_iter().map(|one| Use { fill: None, ..one }).collect();
        claims.check(case, tile, &uses, &mut dice);
    }
    println!("of {all} tiles of chips {claims:?}");
    assert!(claims.claims.iter().filter(|claims| **claims > 0).count() > 1, "{claims:?}");
}
