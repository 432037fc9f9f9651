//! Random questions of a search: a tile of any lengths, and up to five things that a kernel does to it.
//!
//! | of | what |
//! |---|---|
//! | tiles | lengths of every kind up to some number; 8, 16 and 32 bits |
//! | rows | all of a chip's, those that are disputed more often; now and then rows of two chips |
//! | lanes | every ready-made pattern, `first` and `times`, tables of which some lanes hold nothing, distributions |
//! | fills | now and then a direct load of the chip, by one to four waves |
//!
//! A [`Kind`] asks for one of these alone.

use crate::fuzz::Dice;
use std::sync::LazyLock;
use tiledesc::List;
use tiledesc::access::Placed;
use tiledesc::chip::{CHIPS, Chip, Instruction, Phases, Transfer, gfx942, gfx950, sm_80};
use tiledesc::direct::Fill;
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;

/// A question, asked of tiles whose lanes are those of tables and distributions that live as long as the program.
#[derive(Clone, Debug)]
pub struct Question {
    pub tile: Shape,
    pub uses: Vec<Use<'static>>,
}

/// A length: often small, seldom a power of two.
pub fn length(dice: &mut Dice, most: u32) -> u32 {
    match dice.below(4) {
        0 => 1 << dice.below(most.ilog2() + 1),
        1 => 8 * (1 + dice.below(most / 8)),
        _ => 1 + dice.below(most),
    }
}

static TABLES: LazyLock<Vec<Vec<Row>>> = LazyLock::new(|| {
    let mut dice = Dice(7);
    (0..120).map(|_| table(&mut dice)).collect()
});

/// Lanes of several instructions one by one: counted along rows of some width, as a halo is; one instruction that goes on
/// along the tile; or anything.
fn table(dice: &mut Dice) -> Vec<Row> {
    let [rows, packs] = [1 + dice.below(40), 1 + dice.below(40)];
    let pack = dice.of(&[1, 1, 2, 4, 8]);
    let (steps, lanes) = (1 + dice.below(40), dice.of(&[32, 64]));
    let [down, along] = [dice.below(3), dice.below(5)];
    let (form, idle) = (dice.below(3), dice.one_in(3));
    let first: Vec<[u32; 2]> = (0..lanes).map(|_| [dice.below(rows), dice.below(packs)]).collect();
    let of_lane = |step: u32, lane: u32| {
        let number = step * lanes + lane;
        let [m, k] = match form {
            0 => [number / packs, number % packs],
            1 => [lane % rows + step * down, lane / rows + step * along],
            _ => first[(lane as usize * 7 + step as usize / 3) % first.len()],
        };
        let is_idle = idle && lane > 0 && (number.is_multiple_of(11) || lane > 40);
        (!is_idle).then(|| List::pair(m, k * pack))
    };
    let row = |step: u32| {
        let mut row = [None; Phases::LANES];
        (0..lanes).for_each(|lane| row[lane as usize] = of_lane(step, lane));
        row
    };
    (0..steps).map(row).collect()
}

/// Distributions of tiles of 16 to 128 rows: lanes in rows or in columns, the packs of a lane in any order.
static DISTRIBUTIONS: LazyLock<Vec<Encoding>> = LazyLock::new(|| {
    let mut dice = Dice(11);
    (0..120).map(|_| distribution(&mut dice)).collect()
});

pub fn distribution(dice: &mut Dice) -> Encoding {
    let (lanes, wide) = (dice.of(&[32, 64]), dice.of(&[1, 2, 4, 8]));
    distribution_of(dice, lanes, wide)
}

/// Of so many lanes, whose packs have `wide` or twice as many elements.
pub fn distribution_of(dice: &mut Dice, lanes: u32, wide: u32) -> Encoding {
    let row = 1 << dice.below(lanes.ilog2() + 1);
    let (part, again, deep) = (lanes / row, 1 + dice.below(3), 1 + dice.below(3));
    let m = [("again", again), ("row", row)];
    let k = [("deep", deep), ("part", part), ("pack", wide * dice.of(&[1, 2]))];
    let lane = if dice.one_in(2) { ["part", "row"] } else { ["row", "part"] };
    let thread =
        dice.of(&[["again", "deep", "pack"], ["deep", "again", "pack"], ["pack", "again", "deep"]]);
    Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &lane, &thread).unwrap()
}

pub fn pattern(dice: &mut Dice) -> Lanes<'static> {
    let lanes = match dice.below(9) {
        0 => Lanes::row_major(),
        1 => Lanes::column(),
        2 => Lanes::diagonal(),
        3 => Lanes::rows(16),
        4 => Lanes::rows(32),
        5 => Lanes::repeated_rows(16),
        6 => Lanes::strided(1 + dice.below(9)),
        7 => some_table(dice),
        _ => Lanes::column_major(),
    };
    if dice.below(2) == 0 { lanes } else { lanes.first() }
}

fn some_table(dice: &mut Dice) -> Lanes<'static> {
    Lanes::table(&TABLES[dice.below(TABLES.len() as u32) as usize], 1)
}

fn is_disputed(row: &Instruction) -> bool {
    row.rival().is_some()
}

pub fn chip(dice: &mut Dice) -> &'static Chip {
    let disputed: Vec<&Chip> =
        CHIPS.iter().filter(|chip| chip.rows().iter().any(is_disputed)).collect();
    let any = &CHIPS[dice.below(CHIPS.len() as u32) as usize];
    if dice.one_in(3) { dice.of(&disputed) } else { any }
}

/// A row of one of these chips; two addresses are some units apart.
fn row(dice: &mut Dice, chips: &[&'static Chip]) -> &'static Instruction {
    let rows = dice.of(chips).rows();
    let any = &rows[dice.below(rows.len() as u32) as usize];
    match rows.iter().find(|row| is_disputed(row)) {
        Some(disputed) if dice.one_in(8) => disputed,
        _ if ["read2", "write2", "2addr"].iter().any(|two| any.name().contains(two)) => {
            Box::leak(Box::new(any.offsets(0, dice.of(&[1, 2, 4, 16, 32, 33]))))
        }
        _ => any,
    }
}

/// Returns whether a tile in order holds an access.
pub fn fits(tile: Shape, one: &Use<'_>) -> bool {
    let plan = Spec::row_major().plan(tile).unwrap();
    let placed = Placed::new(&plan, tile.bits, one.lanes, one.instruction);
    let verdict = placed.and_then(|placed| placed.verdict());
    verdict.is_ok_and(|verdict| verdict.conflicts().race.is_none())
}

/// Direct loads, each with a read of the same chip and the rows of its operand.
pub const DIRECT_LOADS: [(&Transfer, &Instruction, u32); 5] = [
    (&gfx942::global_load_lds_b32, &gfx942::ds_read_b64, 16),
    (&gfx950::global_load_lds_b32, &gfx950::ds_read_b128, 32),
    (&gfx950::global_load_lds_b128, &gfx950::ds_read_b64, 16),
    (&gfx950::global_load_lds_b128, &gfx950::ds_read_b128, 16),
    (&sm_80::cp_async_b128, &sm_80::ld_shared_b64, 8),
];

/// What a question is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whatever there is.
    Any,
    /// The rows of one chip, on a tile that holds the accesses in order.
    OneChip,
    /// A direct load fills the tile.
    Filled,
    /// Two to five accesses of gfx950, of every width.
    Sets,
    /// The same of gfx942, too: one layout for both.
    TwoChips,
    /// No length is a power of two.
    AnyLength,
    /// Lanes of tables alone.
    Tables,
}

/// All kinds.
pub const KINDS: [Kind; 7] = [
    Kind::Any,
    Kind::OneChip,
    Kind::Filled,
    Kind::Sets,
    Kind::TwoChips,
    Kind::AnyLength,
    Kind::Tables,
];

impl Question {
    /// Of lengths up to so much: accesses that the tile in order holds, but now and then whatever comes.
    pub fn random(dice: &mut Dice, most: u32) -> Option<Self> {
        Self::of(Kind::Any, dice, most)
    }

    /// The same of a kind.
    pub fn of(kind: Kind, dice: &mut Dice, most: u32) -> Option<Self> {
        let bits = dice.of(&[8, 16, 16, 32]);
        let held = (kind == Kind::Any && dice.one_in(8)).then(|| {
            let all = &*DISTRIBUTIONS;
            &all[dice.below(all.len() as u32) as usize]
        });
        let length = |dice: &mut Dice| match kind {
            Kind::Sets | Kind::TwoChips => 8 << dice.below((most / 8).ilog2() + 1),
            // Few others divide into the chunks of several waves.
            Kind::Filled => 8 << dice.below((most / 8).ilog2() + 1),
            Kind::AnyLength => loop {
                let one = length(dice, most);
                if !one.is_power_of_two() {
                    return one;
                }
            },
            _ => length(dice, most),
        };
        let tile = match held.map(Encoding::lengths) {
            Some(lengths) => Shape { rows: lengths.at(0), columns: lengths.at(1), bits },
            None => Shape { rows: length(dice), columns: length(dice), bits },
        };
        let chips = kind.chips(dice);
        let (mut wanted, is_any) =
            (1 + dice.below(5) as usize, kind == Kind::Any && dice.one_in(16));
        if matches!(kind, Kind::Sets | Kind::TwoChips) {
            wanted = wanted.max(2);
        }
        let mut uses = Vec::new();
        for _ in 0..40 {
            let lanes = match held {
                Some(held) if dice.one_in(2) => Lanes::distributed(held),
                _ if kind == Kind::Tables => some_table(dice),
                _ => pattern(dice),
            };
            let access = Use::new(lanes, kind.row(dice, &chips)).times(1 + dice.below(3));
            let on_both = (kind == Kind::TwoChips).then(|| on_the_other(access, &chips)).flatten();
            let both: Vec<_> = [Some(access), on_both].into_iter().flatten().collect();
            if uses.len() < wanted && (is_any || both.iter().all(|one| fits(tile, one))) {
                uses.extend(both);
            }
        }
        let transfers = if chips.len() == 1 { chips[0].transfers() } else { &[] };
        if !transfers.is_empty() && (kind == Kind::Filled || kind == Kind::Any && dice.one_in(4)) {
            let transfer = &transfers[dice.below(transfers.len() as u32) as usize];
            let fill = Fill::by(transfer, 1 << dice.below(3));
            uses = uses.into_iter().map(|one| one.filled_by(fill)).collect();
        }
        (!uses.is_empty()).then_some(Self { tile, uses })
    }
}

impl Kind {
    fn chips(self, dice: &mut Dice) -> Vec<&'static Chip> {
        match self {
            Self::Sets => vec![&gfx950],
            Self::TwoChips => vec![&gfx950, &gfx942],
            Self::Filled => loop {
                let one = chip(dice);
                if !one.transfers().is_empty() {
                    return vec![one];
                }
            },
            _ => {
                let one = chip(dice);
                if self == Self::Any && dice.one_in(12) { vec![one, chip(dice)] } else { vec![one] }
            }
        }
    }

    /// Of sets the plain rows alone, of two chips one of the first.
    fn row(self, dice: &mut Dice, chips: &[&'static Chip]) -> &'static Instruction {
        loop {
            let one = row(dice, if self == Self::TwoChips { &chips[..1] } else { chips });
            if !matches!(self, Self::Sets | Self::TwoChips)
                || one.parts() == 1 && !one.hands_round()
            {
                return one;
            }
        }
    }
}

/// The same access of the second chip.
fn on_the_other(one: Use<'static>, chips: &[&'static Chip]) -> Option<Use<'static>> {
    let row = chips[1].instruction(one.instruction.name()).ok()?;
    Some(Use { instruction: row, ..one })
}

/// Accesses as a failed test shows them: names, and of long lists the beginning.
pub fn told(uses: &[Use<'_>]) -> String {
    let one = |one: &Use<'_>| {
        let (row, lanes) = (one.instruction, format!("{:?}", one.lanes));
        let lanes: String = lanes.chars().take(120).collect();
        let fill = one.fill.map(|fill| fill.transfer().name());
        format!("{} {} times {} by {lanes} {fill:?}\n", row.chip(), row.name(), one.times)
    };
    uses.iter().map(one).collect()
}
