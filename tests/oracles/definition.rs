//! Each way that answers without counting, against the definition: every lane of every instruction, its bytes by the
//! plan, and distinct dwords per phase and bank ([`Numbers::count`]).
//!
//! | test | what answers |
//! |---|---|
//! | `verdicts` | a verdict, with the lanes that meet and without: columns, sums, runs, row ends, classes by number, kinds of instructions, tables |
//! | `handed_addresses` | what a kernel adds or flips from its first address on, and `touched` |
//! | `answers` | the cycles that `synthesize` promises of its answer |
//! | `bank/fast/outlined.rs` | what a statement asks first: an outline |
//!
//! Layouts and accesses are one step away from the kind that a fast way knows (`support::nearly`): that is where one took
//! rows of 40, 64 apart, for linear and let a statement pass that conflicts. `cargo xtask test --deep` asks for more of them.

use std::rc::Rc;
use support::count::{Row as Numbers, counted, every_block_is_even};
use support::definition::{Judged, Layout, Sent};
use support::fuzz::{Dice, cases, seed};
use support::nearly;
use support::walked::any_row;
use tiledesc::access::{AccessError, Placed, Route};
use tiledesc::bank::Verdict;
use tiledesc::chip::{Access, Immediate, Instruction, Phases, gfx942};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::Shape;
use tiledesc::search::Use;
use tiledesc::{List, Op, Plan};

/// The numbers of a verdict; of a race the degree of the instruction that has it is shown, and not compared.
fn told(verdict: &Verdict<'_>, wanted: &Judged) -> Judged {
    let race = verdict.conflicts().race.is_some();
    Judged {
        degree: if race { wanted.degree } else { verdict.degree() },
        base_cycles: verdict.base_cycles(),
        conflict_cycles: verdict.conflict_cycles(),
        race,
        rival: verdict.rival_degree().zip(verdict.rival_cycles()),
    }
}

#[derive(Debug)]
enum Pattern {
    Ready(nearly::Access),
    Table(Vec<Row>),
    Held(Box<Encoding>),
}

/// A layout, an access, and where that sends its lanes.
#[derive(Debug)]
struct Question {
    layout: Rc<Layout>,
    bits: u32,
    row: Instruction,
    along: usize,
    pattern: Pattern,
    sent: Sent,
}

impl Question {
    /// An access to a layout, or to one of its own.
    fn random(dice: &mut Dice, layout: &Rc<Layout>) -> Option<Self> {
        let (bits, row, pack) = Self::moved(dice)?;
        let made = match dice.below(3) {
            0 => Self::held(dice, (bits, row, pack), nearly::layout_of),
            1 => Self::ready(dice, layout, bits, row),
            _ => Self::ready(dice, layout, bits, row).map(|ready| ready.shaken(dice)),
        };
        made.filter(Self::is_short)
    }

    /// The definition asks each element of each lane.
    fn is_short(&self) -> bool {
        self.sent.len() <= 64
    }

    /// Bits of an element, an instruction, and elements of a lane.
    fn moved(dice: &mut Dice) -> Option<(u32, Instruction, u32)> {
        let bits = dice.of(&[4, 8, 16, 16, 24, 32, 64]);
        let row = match dice.below(8) {
            0 => {
                let near = Immediate::unsigned(dice.of(&[6, 9, 12, 16]), dice.of(&[1, 4]));
                support::own_row!(&mut *dice, Instruction, Phases).with_immediate(near)
            }
            _ => any_row(dice).0,
        };
        let pack = row.bytes() * 8 / bits;
        (pack * bits == row.bytes() * 8).then_some((bits, row, pack))
    }

    fn ready(dice: &mut Dice, layout: &Rc<Layout>, bits: u32, row: Instruction) -> Option<Self> {
        let access = nearly::Access::random(dice);
        let (along, lengths) = (access.said.along(), layout.plan.lengths());
        let (pack, lanes) = (row.bytes() * 8 / bits, row.service().phases.addressed() as u32);
        let sent = access.sent([lengths.at(0), lengths.at(1)], pack, lanes)?;
        let layout = Rc::clone(layout);
        Some(Self { layout, bits, row, along, pattern: Pattern::Ready(access), sent })
    }

    /// A table of nearly the same coordinates.
    fn shaken(self, dice: &mut Dice) -> Self {
        let sent = nearly::shaken(dice, self.sent);
        Self { pattern: Pattern::Table(nearly::table(&sent)), sent, ..self }
    }

    fn held(
        dice: &mut Dice,
        (bits, row, pack): (u32, Instruction, u32),
        layout_of: impl Fn(&mut Dice, &[u32]) -> Option<Plan>,
    ) -> Option<Self> {
        // What others hand round is in `fragments.rs`.
        if ["matrix", "_tr"].iter().any(|kind| row.name().contains(kind)) {
            return None;
        }
        let covered = nearly::distribution(dice, row.service().phases.addressed() as u32);
        let tile = covered.tile();
        let plan = layout_of(dice, &tile)?;
        // The last dimension along which lanes hold packs and the layout keeps them together.
        let holds = |d: &usize| nearly::sent_by(&covered, *d, pack).is_some();
        let along: Vec<usize> = (0..tile.len()).rev().filter(holds).collect();
        let keeps =
            |d: &&usize| tile[**d].is_multiple_of(pack) && every_block_is_even(&plan, **d, pack, 1);
        let along = *along.iter().find(keeps).or(along.first())?;
        let sent = nearly::sent_by(&covered, along, pack)?;
        let pattern = Pattern::Held(Box::new(covered.encoding().ok()?));
        Some(Self { layout: Rc::new(Layout::new(plan)), bits, row, along, pattern, sent })
    }

    fn lanes(&self) -> Lanes<'_> {
        match &self.pattern {
            Pattern::Ready(access) if access.first => access.said.lanes().first(),
            Pattern::Ready(access) => access.said.lanes(),
            Pattern::Table(rows) => Lanes::table(rows, self.along),
            Pattern::Held(encoding) => Lanes::distributed(encoding),
        }
    }

    fn placed(&self) -> Result<Placed<'_, '_>, AccessError> {
        Placed::new(&self.layout.plan, self.bits, self.lanes(), &self.row)
    }

    /// Whether a kernel has addresses of all its accesses.
    fn is_addressed(&self) -> bool {
        self.placed().is_ok_and(|placed| placed.addressing().is_ok())
    }

    fn numbers(&self) -> Numbers {
        support::row!(&self.row, Access::Write)
    }

    fn judged(&self) -> Option<Judged> {
        self.layout.judge(self.bits, &self.numbers(), self.along, &self.sent)
    }

    fn bytes(&self) -> Option<Vec<Vec<Option<u32>>>> {
        self.layout.bytes(self.bits, &self.numbers(), self.along, &self.sent)
    }
}

/// Questions without end, some to each of many layouts.
fn questions(mut dice: Dice) -> impl Iterator<Item = Question> {
    let mut layout = None;
    core::iter::from_fn(move || {
        if layout.is_none() || dice.one_in(8) {
            layout =
                nearly::layout(&mut dice).map(|plan| Rc::new(Layout::new(plan))).or(layout.take());
        }
        Some(layout.as_ref().and_then(|layout| Question::random(&mut dice, layout)))
    })
    .flatten()
}

/// Distributions over layouts that repeat themselves, of several accesses that a kernel has addresses of.
fn rounds(mut dice: Dice) -> impl Iterator<Item = Question> {
    let held = move || {
        let moved = Question::moved(&mut dice);
        Some(moved.and_then(|moved| Question::held(&mut dice, moved, nearly::repeating)))
    };
    let is_asked = |question: &Question| {
        let plan = &question.layout.plan;
        let has_rounds =
            plan.digits().is_none() && (plan.numbered().is_some() || plan.turned().is_some());
        question.sent.len() > 1 && question.is_short() && has_rounds && question.is_addressed()
    };
    core::iter::from_fn(held).flatten().filter(is_asked)
}

#[test]
fn verdicts() {
    let count = cases("verdicts by definition");
    let [mut judged, mut free, mut races, mut refused] = [0; 4];
    for question in questions(Dice(seed(101))) {
        if judged == count {
            break;
        }
        let wanted = question.judged();
        let placed = question.placed();
        let found = placed.as_ref().map_err(|error| *error).and_then(Placed::verdict);
        let (verdict, wanted) = match (&found, wanted) {
            (Ok(verdict), Some(wanted)) => (verdict, wanted),
            (Err(_), None) => {
                refused += 1;
                continue;
            }
            (found, wanted) => {
                panic!("{found:?}, by definition {wanted:?}: {} {question:?}", question.row.name())
            }
        };
        assert_eq!(told(verdict, &wanted), wanted, "{question:?}");
        assert_eq!(verdict.is_free(), wanted.is_free(), "{question:?}");
        // The same without a word of who meets, as `Layout::degree` and a search ask.
        if judged % 2 == 0 {
            let without_pair = placed.and_then(|placed| placed.verdict_without_pair()).unwrap();
            assert_eq!(told(&without_pair, &wanted), wanted, "{question:?}");
        }
        judged += 1;
        free += u32::from(wanted.is_free());
        races += u32::from(wanted.race);
    }
    println!("{judged} judged, {free} free, {races} race; {refused} refused by both");
    assert!(free > judged / 10 && judged - free > judged / 4 && races > judged / 50);
}

/// Each access of a wave is where its route leads: a constant is the same in every wave.
fn hands_out(
    question: &Question,
    placed: &Placed<'_, '_>,
    routes: &[Route],
    (wave, bytes): (usize, &[Vec<Option<u32>>]),
) {
    let mut registers: Vec<usize> = Vec::new();
    for (access, route) in routes.iter().enumerate() {
        let touched = placed.touched((wave * routes.len() + access) as u64).ok();
        for (lane, byte) in bytes[access].iter().enumerate() {
            let what = || format!("access {access}, lane {lane}, {route:?}: {question:?}");
            let asked = touched.and_then(|touched| touched.addresses().get(lane));
            assert_eq!(asked, *byte, "{}", what());
            let Some(byte) = byte else { continue };
            let reached = match *route {
                Route::Computed => *byte,
                Route::Xor { constant } => bytes[0][lane].unwrap() ^ constant,
                Route::Immediate { register, offset } => {
                    bytes[registers[register]][lane].unwrap() + offset
                }
            };
            assert_eq!(reached, *byte, "{}", what());
        }
        if !matches!(route, Route::Immediate { .. }) {
            registers.push(access);
        }
    }
}

/// What a kernel computes from its first addresses on, as `Accesses` and emitted headers do, is each lane's byte.
#[test]
fn handed_addresses() {
    let count = cases("addresses by definition");
    let [mut asked, mut repeating] = [0; 2];
    let [mut immediate, mut flipped, mut in_waves] = [0; 3];
    // Each of which a kernel has addresses is followed by a distribution over what repeats itself.
    let mut rounds = rounds(Dice(seed(109)));
    let with_rounds = |question: Question| {
        let round = if question.is_addressed() { rounds.next() } else { None };
        [Some((question, false)), round.map(|round| (round, true))].into_iter().flatten()
    };
    for (question, is_round) in questions(Dice(seed(103))).flat_map(with_rounds) {
        if asked == count {
            break;
        }
        let Ok(placed) = question.placed() else { continue };
        let (Ok(found), Ok(())) = (placed.addressing(), placed.check()) else { continue };
        let bytes =
            question.bytes().unwrap_or_else(|| panic!("refused by definition: {question:?}"));
        let waves = bytes.len() / found.routes().len();
        for (wave, bytes) in bytes.chunks(found.routes().len()).enumerate() {
            hands_out(&question, &placed, found.routes(), (wave, bytes));
        }
        let of_kind = |wanted: fn(&Route) -> bool| {
            found.routes().iter().filter(|route| wanted(route)).count()
        };
        immediate += of_kind(|route| matches!(route, Route::Immediate { .. }));
        flipped += of_kind(|route| matches!(route, Route::Xor { .. }));
        in_waves += usize::from(waves > 1);
        asked += 1;
        repeating += u32::from(is_round);
    }
    println!(
        "{asked} asked, {repeating} repeat, {in_waves} in waves, {immediate} immediates, {flipped} xors"
    );
    let asked = asked as usize;
    assert!(immediate > asked && flipped > asked / 20 && in_waves > asked / 3);
    assert!(repeating > count / 3);
}

/// The accesses of a question to the search: ready-made patterns that fit the tile in order.
fn uses(dice: &mut Dice, tile: Shape, rows: &[Instruction]) -> Vec<(Use<'static>, nearly::Access)> {
    let plain = Plan::packed(&[tile.rows, tile.columns]).unwrap();
    let mut made = Vec::new();
    for row in rows {
        let access = nearly::Access::random(dice);
        let lanes = access.said.lanes();
        let lanes = if access.first { lanes.first() } else { lanes };
        // Leaked: a use borrows its instruction, and a test has few.
        let row: &'static Instruction = Box::leak(Box::new(*row));
        if Placed::new(&plain, tile.bits, lanes, row).is_ok_and(|one| one.verdict().is_ok()) {
            made.push((Use::new(lanes, row).times(1 + dice.below(3)), access));
        }
    }
    made
}

#[test]
fn answers() {
    let (mut dice, count) = (Dice(seed(107)), cases("answers by definition"));
    let [mut asked, mut free] = [0; 2];
    while asked < count {
        let nearly::Rows { rows, columns, .. } = nearly::Rows::random(&mut dice);
        let tile = Shape { rows, columns, bits: dice.of(&[8, 16, 16, 32]) };
        let chip_rows: Vec<Instruction> =
            (0..1 + dice.below(3)).map(|_| any_row(&mut dice).0).collect();
        let uses = uses(&mut dice, tile, &chip_rows);
        let all: Vec<Use<'_>> = uses.iter().map(|(one, _)| *one).collect();
        if all.is_empty() {
            continue;
        }
        let Ok(found) = tile.synthesize(&all) else { continue };
        let layout = Layout::new(found.plan().unwrap());
        let mut cycles = 0;
        for (one, access) in &uses {
            let row = one.instruction;
            let pack = row.bytes() * 8 / tile.bits;
            let lanes = row.service().phases.addressed() as u32;
            let sent = access.sent([tile.rows, tile.columns], pack, lanes).unwrap();
            let numbers: Numbers = support::row!(row, Access::Write);
            let judged = layout.judge(tile.bits, &numbers, access.said.along(), &sent);
            let judged =
                judged.unwrap_or_else(|| panic!("refused by definition: {found} {access:?}"));
            assert!(!judged.race, "{found} {access:?}");
            cycles += (judged.base_cycles + judged.conflict_cycles) * u64::from(one.times);
        }
        assert_eq!(found.cycles, cycles, "{tile:?} {found} {uses:?}");
        asked += 1;
        free += u32::from(found.cycles == found.floor);
    }
    println!("{asked} answers, {free} at the floor");
    assert!(free > asked / 4 && asked - free > asked / 20, "{asked} {free}");
}

/// The two smallest of the kind: rows of 40 that lie 64 apart, and all lanes at one place.
#[test]
fn rows_apart_by_a_power_of_two() {
    use tiledesc::prelude::*;
    layout! { type Apart = recipe::RowPad<F16, M<64>, K<40>, Padding<24>>; }
    assert_eq!(Apart::degree::<RowMajor>(&gfx942::ds_read_b32), 2);
    let verdict = Apart::verdict::<RowMajor>(&gfx942::ds_read_b32).unwrap();
    assert_eq!(
        verdict.found().as_str(),
        "2-way in phase 0: lanes 0 and 20, (0, 0) and (1, 0), bytes 0 and 128, bank 0"
    );
    // A tile of one column, where lanes at one place were taken for lanes one behind the other.
    layout! { type OneColumn = recipe::RowMajor<F32, M<64>, K<1>>; }
    let write = OneColumn::verdict::<First<Strided<0>>>(&gfx942::ds_write_b32).unwrap();
    assert!(write.conflicts().race.is_some() && !write.is_free());
    let one = List::pair(0, 0);
    let plan = Plan::naive(&[64, 40], &[64, 1]).unwrap();
    let table: [Row; 1] = [[Some(one); 64]];
    let write = Placed::new(&plan, 16, Lanes::table(&table, 1), &gfx942::ds_write_b16_d16_hi);
    assert!(!write.unwrap().verdict().unwrap().is_free());
}

/// Rows of 16 that begin 8 apart, and a swizzle of that number: two lanes write one element.
#[test]
fn coordinates_that_share_a_number() {
    let number = Plan::packed(&[512]).unwrap().xor_fields(6, 3, 3).unwrap();
    let rows = Op::Embed { lengths: List::pair(32, 16), strides: List::pair(8, 1) };
    let plan = number.transform(&[rows], &[&[0]], &[&[0, 1]]).unwrap();
    let write = Placed::new(&plan, 16, Lanes::row_major(), &gfx942::ds_write_b128).unwrap();
    assert!(write.verdict().unwrap().conflicts().race.is_some());
}

/// From column 8 on row r lies where row r ^ 8 did: 4 rows further on is so in memory for some lanes, and not for others.
#[test]
fn rows_flipped_by_an_index_that_stays() {
    let whole = Plan::naive(&[32, 16], &[33, 1]).unwrap();
    let xor = Op::XorBits { length0: 16, length1: 32, masks: List::new(&[0, 0, 0, 8]) };
    let xor = whole.transform(&[xor], &[&[1, 0]], &[&[1, 0]]).unwrap();
    let part = |low_length, begin, end| Op::Slice { low_length, begin, end };
    let parts = [part(32, 0, 24), part(16, 8, 16)];
    let plan = xor.transform(&parts, &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    let rows = [("m", &[("half", 2), ("again", 3), ("row", 4)][..]), ("k", &[("column", 8)])];
    let held = Encoding::named(&[], &rows, &[], &["row", "half", "column"], &["again"]).unwrap();
    let row = gfx942::ds_read_b32;
    let read = Placed::new(&plan, 32, Lanes::distributed(&held), &row).unwrap();
    let one = |step| counted(read.touched(step).unwrap().addresses(), &row).conflict_cycles;
    let cycles: u64 = (0..3).map(|step| u64::from(one(step))).sum();
    assert_eq!(read.verdict().unwrap().conflict_cycles(), cycles);
}
