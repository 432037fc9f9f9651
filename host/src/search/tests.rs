//! The descents against every choice of a form, on small tiles of random accesses.
//!
//! | test | promise |
//! |---|---|
//! | `the_least_of_every_choice` | what a descent finds takes the fewest cycles of all choices of masks, and of packs; it finds nothing exactly where none is below what is to be beaten |
//! | `free_where_one_choice_is` | columns without any conflict are found exactly where some choice has none |
//! | `the_least_of_every_linear_layout` | the choices of packs miss no linear layout: of up to 16 packs all are counted |

use super::form::Form;
use super::linear::Linear;
use super::masks::Lines;
use super::packs::Packs;
use super::question::Question;
use support::bits::sum;
use support::fuzz::{Dice, cases, seed};
use tiledesc::List;
use tiledesc::chip::{Instruction, Phases};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::Shape;
use tiledesc::search::Use;

/// A wave of eight lanes on eight banks, so that small tiles have conflicts; four of half the lanes each.
const LANES: Phases = Phases::contiguous(8).of_wave(8);
const HALVES: Phases = Phases::contiguous(4).of_wave(8);
static ROWS: [Instruction; 4] = [
    Instruction::read("eight", 4).phases(LANES).banks(8),
    Instruction::read("pairs", 8).phases(HALVES).banks(8),
    Instruction::read("four", 4).phases(HALVES).banks(4),
    Instruction::read("narrow", 2).phases(LANES).banks(8),
];

/// An instruction of eight lanes, one in three idle by a toss; an xor of columns, or anywhere.
fn table(dice: &mut Dice, tile: Shape) -> Vec<Row> {
    let packs = tile.rows * tile.columns / 4;
    let flips: Vec<u32> = (0..3).map(|_| dice.below(packs)).collect();
    let (is_xor, has_idle) = (dice.one_in(2), dice.one_in(3));
    let row = core::array::from_fn(|lane| {
        let number = if is_xor { sum(&flips, lane as u32 % 8) } else { dice.below(packs) };
        let is_idle = lane > 7 || has_idle && lane > 0 && dice.one_in(3);
        let element = number % packs * 4;
        (!is_idle).then(|| List::pair(element / tile.columns, element % tile.columns))
    });
    vec![row]
}

/// A form with every choice of it, as many as can be counted.
struct Case<'f> {
    linear: &'f Linear,
    form: &'f dyn Form,
    choices: Vec<Vec<u32>>,
}

impl Case<'_> {
    fn least(&self) -> u64 {
        let cycles = |columns: &Vec<u32>| self.linear.cycles(columns, u64::MAX);
        self.choices.iter().map(cycles).min().unwrap()
    }
}

/// Every choice of the columns from a bit on; given up after 20,000.
fn every_choice(form: &dyn Form, bit: u32, columns: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    if all.len() > 20_000 {
        return;
    }
    if bit == form.chosen().end {
        return all.push(columns.clone());
    }
    for column in form.choices(bit, columns, true) {
        columns[bit as usize] = column;
        every_choice(form, bit + 1, columns, all);
    }
    columns[bit as usize] = 1 << bit;
}

/// Calls `tell` with the forms of random questions.
fn each_case(own: u64, mut tell: impl FnMut(&Question<'_>, &Case<'_>)) {
    let mut dice = Dice(seed(own));
    for _ in 0..cases("descents") {
        let bits = dice.of(&[8, 16, 16, 32]);
        let [rows, columns] = [2 << dice.below(3), 4 << dice.below(2)];
        let rows = if dice.one_in(3) { rows + 1 + dice.below(3) } else { rows };
        let tile = Shape { rows, columns, bits };
        let tables: Vec<_> = (0..4).map(|_| table(&mut dice, tile)).collect();
        let drawn: Vec<_> =
            tables.iter().map(|_| (dice.below(4) as usize, 1 + dice.below(3))).collect();
        let uses: Vec<_> = drawn
            .into_iter()
            .zip(&tables)
            .map(|((row, times), table)| Use::new(Lanes::table(table, 1), &ROWS[row]).times(times))
            .collect();
        let Ok(orders) = Question::of_both_orders(tile, &uses) else { continue };
        for question in &orders {
            let Some(linear) = question.linear() else { continue };
            let lines = Lines::of_each_round(question, linear, 8);
            let packs = Packs::new(question, linear);
            let lines = lines.iter().map(|lines| lines as &dyn Form);
            for form in lines.chain(packs.iter().map(|packs| packs as &dyn Form)) {
                let mut choices = Vec::new();
                every_choice(form, form.chosen().start, &mut linear.columns.clone(), &mut choices);
                if choices.len() <= 20_000 {
                    tell(question, &Case { linear, form, choices });
                }
            }
        }
    }
}

#[test]
fn the_least_of_every_choice() {
    let (mut counted, mut conflicts) = (0, 0);
    each_case(1, |question, case| {
        let (linear, least) = (case.linear, case.least());
        for below in [u64::MAX, least + 7, least + 1, least, least.saturating_sub(1)] {
            let (found, is_cut) = linear.descend(case.form, below);
            let cycles = found.map(|columns| linear.cycles(&columns, u64::MAX));
            let wanted = (least < below).then_some(least);
            assert!(is_cut || cycles == wanted, "{:?} {below} {cycles:?}", question.tile);
            assert!(!is_cut, "{:?}", question.tile);
        }
        counted += 1;
        conflicts += u32::from(least > linear.floor);
    });
    println!("{counted} forms, {conflicts} with conflicts in all");
    assert!(conflicts * 10 > counted && conflicts < counted);
}

#[test]
fn free_where_one_choice_is() {
    let (mut counted, mut free) = (0, 0);
    each_case(2, |question, case| {
        let (found, is_cut) = case.linear.descend(case.form, case.linear.floor + 1);
        assert!(!is_cut, "{:?}", question.tile);
        let cycles = found.map(|columns| case.linear.cycles(&columns, u64::MAX));
        let wanted = (case.least() == case.linear.floor).then_some(case.linear.floor);
        assert_eq!(cycles, wanted, "{:?}", question.tile);
        counted += 1;
        free += u32::from(cycles.is_some());
    });
    println!("{counted} forms, {free} free");
    assert!(free * 10 > counted && free < counted);
}

/// Every list of as many independent columns as bits.
fn every_basis(bits: u32, columns: &mut Vec<u32>, each: &mut dyn FnMut(&[u32])) {
    if columns.len() as u32 == bits {
        return each(columns);
    }
    for one in 1..1 << bits {
        if (0..1 << columns.len()).all(|some| sum(columns, some) != one) {
            columns.push(one);
            every_basis(bits, columns, each);
            columns.pop();
        }
    }
}

#[test]
fn the_least_of_every_linear_layout() {
    let (mut counted, mut all_of_16) = (0, 0);
    each_case(3, |question, case| {
        let Some(packs) = Packs::new(question, case.linear) else { return };
        let (low, bits) = (packs.placed.start, packs.placed.len() as u32);
        // Of 16 packs there are 20,160: one question in eight.
        if bits > 4 || bits == 4 && counted % 8 > 0 {
            counted += u32::from(bits == 4);
            return;
        }
        let mut least = u64::MAX;
        every_basis(bits, &mut Vec::new(), &mut |columns| {
            let mut all = case.linear.columns.clone();
            let at = low as usize..packs.placed.end as usize;
            all[at].iter_mut().zip(columns).for_each(|(place, column)| *place = column << low);
            least = least.min(case.linear.cycles(&all, least));
        });
        let found = case.linear.descend(&packs, u64::MAX).0.unwrap();
        assert_eq!(case.linear.cycles(&found, u64::MAX), least, "{:?}", question.tile);
        counted += 1;
        all_of_16 += u32::from(bits == 4);
    });
    println!("{counted} questions, {all_of_16} of 16 packs");
    assert!(counted > 0 && all_of_16 > 0);
}
