//! A change that is proposed is real: it takes fewer cycles, by counting, and lanes hold the same where it says so.
//!
//! | test | promise |
//! |---|---|
//! | `every_change` | of random questions with conflicts; of those without nothing is proposed |
//! | `distributions_in_parts` | of distributions, and of all orders of the parts the first of the fewest cycles |

use crate::costs::{Laid, accesses, costs};
use std::collections::BTreeSet;
use support::asked::{Question, distribution, fits, told};
use support::fuzz::{Dice, cases, seed};
use tiledesc::access::Placed;
use tiledesc::chip::gfx950;
use tiledesc::pattern::Lanes;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::{Change, change, find};

/// The elements that each lane moves on a layout, in all its instructions; `None` of lanes that are not of this tile.
fn held(tile: Shape, layout: Spec, one: &Use<'_>) -> Option<Vec<BTreeSet<[u32; 2]>>> {
    let plan = layout.plan(tile).unwrap();
    let placed = Placed::new(&plan, tile.bits, one.lanes, one.instruction).ok()?;
    let lanes = one.instruction.service().phases.addressed();
    let mut held = vec![BTreeSet::new(); lanes];
    for (step, lane) in
        (0..placed.instructions()).flat_map(|step| (0..lanes).map(move |lane| (step, lane)))
    {
        let Some(first) = placed.coordinate(step, lane) else { continue };
        for further in 0..placed.pack() {
            let mut at = [first.at(0), first.at(1)];
            at[placed.along()] += further;
            held[lane].insert(at);
        }
    }
    Some(held)
}

/// Whether each lane moves the same elements as by another access, on a layout that was found for this one.
pub(crate) fn holds_the_same(tile: Shape, layout: Spec, one: &Use<'_>, other: &Use<'_>) -> bool {
    let orders = [Spec::row_major(), Spec::row_major().transposed()];
    let other = orders.into_iter().find_map(|order| held(tile, order, other));
    other.is_some() && held(tile, layout, one) == other
}

/// What is said of a change, by counting.
fn check(
    tile: Shape,
    uses: &[Use<'_>],
    weight: u64,
    change: &Change<'_>,
) -> Result<(), &'static str> {
    let mut changed = uses.to_vec();
    let own = uses[change.access];
    changed[change.access] = change.with;
    let best = change.answer.best;
    let laid = Laid::of(tile, best.layout).ok_or("no layout")?;
    let all = accesses(tile, &changed).ok_or("lanes of no tile")?;
    let counted = costs(&laid, &all).ok_or("not held")?;
    let [row, with] = [own.instruction, change.with.instruction];
    let parts = row.bytes() / with.bytes();
    match change.split {
        _ if (counted.cycles, counted.weight) != (best.cycles, best.weight) => Err("other cycles"),
        _ if best.weight >= weight => Err("no fewer cycles"),
        _ if row.access() != with.access() || row.chip() != with.chip() => Err("another access"),
        Some([said, lane])
            // More parts than of one instruction are vectors of a lane's row.
            if said < parts || own.lanes.split(said, lane) != Some(change.with.lanes) =>
        {
            Err("split otherwise")
        }
        Some(_) if !holds_the_same(tile, best.layout, &change.with, &own) => {
            Err("lanes hold other elements")
        }
        _ => Ok(()),
    }
}

/// Any question, and distributions that are written wide.
fn question(dice: &mut Dice) -> Option<Question> {
    let Question { tile, uses } = Question::random(dice, 96)?;
    let uses = uses.into_iter().map(|one| Use { fill: None, ..one }).take(3).collect();
    Some(Question { tile, uses })
}

#[test]
fn every_change() {
    let (mut dice, all) = (Dice(seed(8)), cases("changed searches"));
    let (mut asked, mut split, mut crossed, mut others) = (0, 0, 0, 0);
    while asked < all {
        let Some(Question { tile, uses }) = question(&mut dice) else { continue };
        let Ok(found) = find(tile, &uses) else { continue };
        if found.is_free() {
            assert!(change(tile, &uses, &found).is_none());
            continue;
        }
        asked += 1;
        let Some(change) = change(tile, &uses, &found) else { continue };
        let text = change.text(&uses, |[parts, lane]| format!("Split<_, {parts}, {lane}>"));
        if let Err(error) = check(tile, &uses, found.best.weight, &change) {
            panic!("{asked}: {error}: {found}: {text}\n{}", told(&uses));
        }
        assert!(text.contains(change.with.instruction.name()), "{text}");
        split += u32::from(change.split.is_some());
        crossed += u32::from(change.split.is_some_and(|[_, lane]| lane > 0));
        others += u32::from(change.split.is_none());
    }
    println!(
        "{asked} with conflicts: {split} split, {crossed} of them crossed; {others} otherwise"
    );
    assert!(split > 0 || others > 0, "{asked}");
}

/// Lanes that write whole packs of a distribution, beside others' reads: the parts of each lane are those it held, and of
/// all orders of the parts the first of the fewest cycles is said.
#[test]
fn distributions_in_parts() {
    let (mut dice, all) = (Dice(seed(9)), cases("changed searches"));
    let (mut proposed, mut crossed) = (0, 0);
    for _ in 0..all {
        let held = distribution(&mut dice);
        let tile = Shape { rows: held.lengths().at(0), columns: held.lengths().at(1), bits: 16 };
        let rows = gfx950.rows();
        let of = |dice: &mut Dice| &rows[dice.below(rows.len() as u32) as usize];
        let mut uses = vec![
            Use::new(Lanes::distributed(&held), &gfx950::ds_write_b128),
            Use::new(Lanes::column(), of(&mut dice)),
            Use::new(Lanes::rows(16), of(&mut dice)),
        ];
        uses.retain(|one| fits(tile, one));
        let Ok(found) = find(tile, &uses) else { continue };
        let Some(change) = change(tile, &uses, &found) else { continue };
        if let Err(error) = check(tile, &uses, found.best.weight, &change) {
            panic!("{error}: {found}: {change:?}\n{}", told(&uses));
        }
        let Some([parts, lane]) = change.split else { continue };
        let weight = |lane: u32| {
            let mut changed = uses.clone();
            let lanes = uses[change.access].lanes.split(parts, lane).unwrap();
            changed[change.access] = Use { lanes, ..change.with };
            find(tile, &changed).unwrap().best.weight
        };
        let others = [0, 1, 2, 4, 8, 16, 32].map(|lane| (weight(lane), lane));
        let (fewest, first) = (change.answer.best.weight, others.iter().min().unwrap());
        assert!((fewest, lane) == *first || fewest < first.0, "{change:?} {others:?}");
        proposed += 1;
        crossed += u32::from(lane > 0);
    }
    println!("{proposed} in parts, {crossed} of them crossed");
    assert!(proposed >= crossed && (all < 200 || crossed > 0), "{proposed}");
}
