extern crate std;

use super::*;
use crate::access::placed::Placed;
use crate::bank::outlined::on_outline;
use crate::bank::verdict::Verdict;
use crate::bank::{conflicts as counted, phase};
use crate::chip::CHIPS;
use crate::chip::phases::Phases;
use crate::element::ElementName;
use crate::layout::Outline;
use crate::pattern::{Lanes, Row};
use crate::recipe::outline::{of_numbers, of_rows};
use std::{println, vec::Vec};
use support::fuzz::{Dice, cases, seed};
use support::nearly::{self, Layers, Rows};
use tiledesc_transforms::Plan;

/// Lanes of any row that share dwords, banks or bytes, or do not, or are idle.
#[test]
fn counted_lanes() {
    let (mut dice, count) = (Dice(seed(211)), cases("lanes by the rule"));
    let rows: Vec<_> = CHIPS.iter().flat_map(|chip| chip.rows()).collect();
    let [mut asked, mut races, mut met] = [0; 3];
    while asked < count {
        let row = support::row_of!(&mut dice, &rows, Instruction, Phases);
        let (stride, wrap) = (dice.below(40), 1 + dice.below(64));
        let (jitter, idle) = (1 + dice.below(4), dice.of(&[0, 0, 1]) * dice.below(1 << 16));
        let noise: [u32; Phases::LANES] = core::array::from_fn(|_| dice.below(jitter));
        let lanes = Addresses::from_fn(|lane| {
            let unit = lane % wrap * stride + noise[lane as usize];
            (idle >> (lane % 16) & 1 == 0).then_some(unit * row.alignment())
        });
        let Ok(found) = counted(&lanes, &row) else { continue };
        assert_eq!(found, conflicts(&lanes, &row), "{} {lanes:?}", row.name());
        let degree = phase(&lanes, &row, found.phase).unwrap().degree;
        assert_eq!(degree, found.degree(), "{} {lanes:?}", row.name());
        asked += 1;
        races += u32::from(found.race.is_some());
        met += u32::from(found.degree() > 1);
    }
    assert!(races > asked / 20 && met > asked / 4, "{asked} {races} {met}");
}

/// The instruction that is shown, of all: the first of the highest degree, of those with a race if there are any.
fn shown(each: &[Conflicts]) -> usize {
    let has_race = each.iter().any(|found| found.race.is_some());
    let kept = each.iter().enumerate().filter(|(_, found)| !has_race || found.race.is_some());
    kept.rev().max_by_key(|(_, found)| found.degree).unwrap().0
}

/// A verdict is the sum of what each instruction does, by either source.
fn assert_is_sum(verdict: &Verdict<'_>, told: bool, placed: &Placed<'_, '_>, row: &Instruction) {
    let touched = |step| *placed.touched(step).unwrap().addresses();
    let lanes: Vec<Addresses> = (0..placed.instructions()).map(touched).collect();
    let of = |row: &Instruction| -> Vec<Conflicts> {
        lanes.iter().map(|lanes| conflicts(lanes, row)).collect()
    };
    let sums = |each: &[Conflicts]| {
        let degree = each.iter().map(Conflicts::degree).max().unwrap();
        let cycles = each.iter().map(|found| u64::from(found.active_cycles())).sum::<u64>();
        (degree, cycles)
    };
    let each = of(row);
    assert_eq!((verdict.degree(), verdict.active_cycles()), sums(&each), "{placed:?}");
    assert_eq!(
        verdict.conflicts().race.is_some(),
        each.iter().any(|found| found.race.is_some()),
        "{placed:?}"
    );
    if told {
        let shown = shown(&each);
        assert_eq!(verdict.shown(), shown as u64, "{placed:?}");
        assert_eq!(verdict.conflicts(), &each[shown], "{placed:?}");
    }
    let rival = row.rival().map(|_| sums(&of(&row.as_rival())));
    assert_eq!(verdict.rival_degree().zip(verdict.rival_cycles()), rival, "{placed:?}");
}

/// A layout of any kind, with an outline if it has one.
fn layout(dice: &mut Dice) -> Option<(Option<Outline>, Plan)> {
    match dice.below(4) {
        0 => {
            let tile @ Rows { rows, columns, pad } = Rows::random(dice);
            Some((of_rows(rows, columns, pad), tile.plan().ok()?))
        }
        1 => {
            let layers = Layers::random(dice);
            let outline = of_numbers(layers.numbers, layers.masks.as_deref());
            Some((outline, layers.plan().ok()?))
        }
        _ => Some((None, nearly::layout(dice)?)),
    }
}

/// Each way to a verdict, of layouts and accesses one step away from those that it knows.
#[test]
fn every_way() {
    let (mut dice, count) = (Dice(seed(223)), cases("ways by the rule"));
    let rows: Vec<_> = CHIPS.iter().flat_map(|chip| chip.rows()).collect();
    let [mut asked, mut outlined, mut ranks, mut runs, mut kinds, mut each, mut tables] = [0; 7];
    while asked < count {
        let Some((outline, plan)) = layout(&mut dice) else { continue };
        let row = support::row_of!(&mut dice, &rows, Instruction, Phases);
        let (bits, access) = (dice.of(&[8, 16, 16, 32]), nearly::Access::random(&mut dice));
        let lanes = support::lanes!(access.said, Lanes);
        let lanes = if access.first { lanes.first() } else { lanes };
        let table: Vec<Row> = if dice.one_in(6) {
            let (lengths, pack) = (plan.lengths(), row.bytes() * 8 / bits);
            let wave = row.service().phases.addressed() as u32;
            let sent = access.sent([lengths.at(0), lengths.at(1)], pack, wave);
            sent.map_or(Vec::new(), |sent| nearly::table(&nearly::shaken(&mut dice, sent)))
        } else {
            Vec::new()
        };
        let is_table = !table.is_empty();
        let lanes = if is_table { Lanes::table(&table, access.said.along()) } else { lanes };
        let Ok(placed) = Placed::new(&plan, bits, lanes, &row) else { continue };
        if placed.instructions() > 32 {
            continue;
        }
        let Ok(verdict) = placed.verdict() else { continue };
        assert_is_sum(&verdict, true, &placed, &row);
        assert_is_sum(&placed.verdict_without_pair().unwrap(), false, &placed, &row);
        if let Some(outline) = outline.filter(|_| !is_table)
            && let Some(degree) = on_outline(&outline, &ElementName::of_bits(bits), &lanes, &row)
        {
            assert_eq!(degree, verdict.degree(), "{placed:?}");
            outlined += 1;
        }
        asked += 1;
        let has_runs = placed.strides().is_some_and(|strides| placed.runs(&strides).is_some());
        match placed.columns() {
            Some(columns) if Conflicts::by_rank(columns, &row).is_some() => ranks += 1,
            _ if is_table => tables += 1,
            _ if has_runs => runs += 1,
            _ if placed.kinds().end() < placed.instructions() => kinds += 1,
            _ => each += 1,
        }
    }
    println!(
        "{outlined} outlined; {ranks} ranks, {runs} runs, {kinds} kinds, {each} one by one, {tables} tables"
    );
    let least = [outlined, ranks, runs, kinds, each, tables].into_iter().min().unwrap();
    assert!(least > asked / 50, "{outlined} {ranks} {runs} {kinds} {each} {tables}");
}
