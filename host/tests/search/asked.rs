//! Random questions: a tile of any lengths, and up to five things that a kernel does to it.
//!
//! | of | what |
//! |---|---|
//! | tiles | lengths of every kind up to some number; 8, 16 and 32 bits |
//! | rows | all of a chip's, those that are disputed more often; now and then rows of two chips |
//! | lanes | every ready-made pattern, `first` and `times`, tables of which some lanes hold nothing, distributions |
//! | fills | now and then a direct load of the chip, by one to four waves |

use std::sync::LazyLock;
use support::fuzz::Dice;
use tiledesc::List;
use tiledesc::access::Placed;
use tiledesc::chip::{CHIPS, Chip, Instruction, Phases};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::search::{Fill, Shape, Spec, Use};

/// A question, asked of tiles whose lanes are those of tables and distributions that live as long as the program.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) tile: Shape,
    pub(crate) uses: Vec<Use<'static>>,
}

/// A length: often small, seldom a power of two.
fn length(dice: &mut Dice, most: u32) -> u32 {
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

pub(crate) fn distribution(dice: &mut Dice) -> Encoding {
    let (lanes, wide): (u32, u32) = (dice.of(&[32, 64]), dice.of(&[1, 2, 4, 8]));
    let row = 1 << dice.below(lanes.ilog2() + 1);
    let (part, again, deep) = (lanes / row, 1 + dice.below(3), 1 + dice.below(3));
    let m = [("again", again), ("row", row)];
    let k = [("deep", deep), ("part", part), ("pack", wide * dice.of(&[1, 2]))];
    let lane = if dice.one_in(2) { ["part", "row"] } else { ["row", "part"] };
    let thread =
        dice.of(&[["again", "deep", "pack"], ["deep", "again", "pack"], ["pack", "again", "deep"]]);
    Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &lane, &thread).unwrap()
}

fn pattern(dice: &mut Dice) -> Lanes<'static> {
    let lanes = match dice.below(9) {
        0 => Lanes::row_major(),
        1 => Lanes::column(),
        2 => Lanes::diagonal(),
        3 => Lanes::rows(16),
        4 => Lanes::rows(32),
        5 => Lanes::repeated_rows(16),
        6 => Lanes::strided(1 + dice.below(9)),
        7 => Lanes::table(&TABLES[dice.below(TABLES.len() as u32) as usize], 1),
        _ => Lanes::column_major(),
    };
    if dice.below(2) == 0 { lanes } else { lanes.first() }
}

fn is_disputed(row: &Instruction) -> bool {
    row.rival().is_some()
}

fn chip(dice: &mut Dice) -> &'static Chip {
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

/// Whether a tile in order holds an access.
pub(crate) fn fits(tile: Shape, one: &Use<'_>) -> bool {
    let plan = Spec::row_major().plan(tile).unwrap();
    let placed = Placed::new(&plan, tile.bits, one.lanes, one.instruction);
    let verdict = placed.and_then(|placed| placed.verdict());
    verdict.is_ok_and(|verdict| verdict.conflicts().race.is_none())
}

impl Question {
    /// Of lengths up to so much: accesses that the tile in order holds, but now and then whatever comes.
    pub(crate) fn random(dice: &mut Dice, most: u32) -> Option<Self> {
        let bits = dice.of(&[8, 16, 16, 32]);
        let held = dice.one_in(8).then(|| {
            let all = &*DISTRIBUTIONS;
            &all[dice.below(all.len() as u32) as usize]
        });
        let tile = match held.map(Encoding::lengths) {
            Some(lengths) => Shape { rows: lengths.at(0), columns: lengths.at(1), bits },
            None => Shape { rows: length(dice, most), columns: length(dice, most), bits },
        };
        let one = chip(dice);
        let chips = if dice.one_in(12) { vec![one, chip(dice)] } else { vec![one] };
        let (wanted, is_any) = (1 + dice.below(5) as usize, dice.one_in(16));
        let mut uses = Vec::new();
        for _ in 0..40 {
            let lanes = match held {
                Some(held) if dice.one_in(2) => Lanes::distributed(held),
                _ => pattern(dice),
            };
            let access = Use::new(lanes, row(dice, &chips)).times(1 + dice.below(3));
            if uses.len() < wanted && (is_any || fits(tile, &access)) {
                uses.push(access);
            }
        }
        let transfers = one.transfers();
        if chips.len() == 1 && !transfers.is_empty() && dice.one_in(4) {
            let transfer = &transfers[dice.below(transfers.len() as u32) as usize];
            let fill = Fill::by(transfer, 1 << dice.below(3));
            uses = uses.into_iter().map(|one| one.filled_by(fill)).collect();
        }
        (!uses.is_empty()).then_some(Self { tile, uses })
    }
}

/// Accesses as a failed test shows them: names, and of long lists the beginning.
pub(crate) fn told(uses: &[Use<'_>]) -> String {
    let one = |one: &Use<'_>| {
        let (row, lanes) = (one.instruction, format!("{:?}", one.lanes));
        let lanes: String = lanes.chars().take(120).collect();
        let fill = one.fill.map(|fill| fill.transfer().name());
        format!("{} {} times {} by {lanes} {fill:?}\n", row.chip(), row.name(), one.times)
    };
    uses.iter().map(one).collect()
}
