//! What is said of layouts is what counting each lane finds.
//!
//! | test | promise |
//! |---|---|
//! | `every_answer` | of random questions of every kind: the cycles by both sources, the bytes and the address instructions of the answer, that it holds each access, the floor, and whether that is reached |
//! | `every_candidate` | the same of each candidate; none is cheaper than the answer or listed twice, and the front is those that no other beats |
//! | `every_free_pad` | the pad is free and no smaller one is; where none is returned, no pad is free |
//! | `every_refusal` | where nothing is found no pad holds the accesses either, rows contiguous or columns |

use crate::costs::{Costs, Laid, accesses, costs};
use support::asked::{KINDS, Kind, Question, told};
use support::fuzz::{Dice, cases, seed};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::{SynthesisError, Use};
use tiledesc_host::search::{
    Candidate, Known, address_instructions, candidates, find, free_pad, front,
};

/// All that a candidate says of itself, by counting.
fn check(tile: Shape, uses: &[Use<'_>], one: &Candidate) -> Result<(), String> {
    let all = accesses(tile, uses).ok_or("the lanes are not of this tile")?;
    let laid = Laid::of(tile, one.layout).ok_or("there is no such layout")?;
    let counted = costs(&laid, &all).ok_or("an access is not held")?;
    let (cycles, rival_cycles, weight) = (one.cycles, one.rival_cycles, one.weight);
    let plan = one.layout.plan(tile).map_err(|error| error.to_string())?;
    let is_filled = |fill: tiledesc::direct::Fill<'_>| fill.plan(&plan, tile.bits).is_ok();
    let mut fills = uses.iter().filter_map(|one| one.fill);
    match () {
        () if counted != (Costs { cycles, rival_cycles, weight }) => Err(format!("{counted:?}")),
        () if laid.bytes != one.bytes => Err(format!("{} bytes", laid.bytes)),
        () if address_instructions(tile, one.layout, uses) != one.address_instructions => {
            Err("other address instructions".to_owned())
        }
        () if !fills.all(is_filled) => Err("no direct load fills it".to_owned()),
        () => Ok(()),
    }
}

/// What decides between two candidates, first things first.
fn key(one: &Candidate) -> [u64; 3] {
    [one.weight, one.bytes, one.address_instructions.map_or(u64::MAX, u64::from)]
}

/// Whether one is no worse in anything and better in something.
fn is_beaten(one: &Candidate, by: &Candidate) -> bool {
    let (one, by) = (key(one), key(by));
    one != by && (0..3).all(|i| by[i] <= one[i])
}

/// How many answers of a kind were what.
#[derive(Debug, Default)]
struct Answers {
    asked: u32,
    floors: u32,
    proven: u32,
    disputed: u32,
    filled: u32,
}

/// Checks the answers to so many questions of a kind.
fn answers(kind: Kind, all: u32) -> Answers {
    let (mut dice, mut seen) = (Dice(seed(29 + kind as u64)), Answers::default());
    for case in 0..all {
        let Some(Question { tile, uses }) = Question::of(kind, &mut dice, 160) else { continue };
        let Ok(found) = find(tile, &uses) else { continue };
        let says = |error: &str| {
            format!("{kind:?}, case {case}: {error}: {tile:?} {found}\n{}", told(&uses))
        };
        if let Err(error) = check(tile, &uses, &found.best) {
            panic!("{}", says(&error));
        }
        let floor: u64 = accesses(tile, &uses).unwrap().iter().map(|one| one.floor()).sum();
        assert_eq!(found.floor, floor, "{}", says("the floor"));
        assert!(found.best.weight >= floor, "{}", says("below the floor"));
        assert_eq!(found.known() == Known::Floor, found.best.weight == floor, "{}", says("known"));
        seen.asked += 1;
        seen.floors += u32::from(found.known() == Known::Floor);
        seen.proven += u32::from(matches!(found.known(), Known::Linear | Known::Masks));
        seen.disputed += u32::from(uses.iter().any(|one| one.instruction.rival().is_some()));
        seen.filled += u32::from(uses[0].fill.is_some());
    }
    println!("{kind:?}: of {all} {seen:?}");
    seen
}

#[test]
fn every_answer() {
    let all = cases("searches");
    let seen = KINDS.map(|kind| answers(kind, all));
    let sum = |of: fn(&Answers) -> u32| seen.iter().map(of).sum::<u32>();
    let asked = sum(|one| one.asked);
    assert!(asked * 3 > all * KINDS.len() as u32 && sum(|one| one.floors) > asked / 8);
    assert!(seen.iter().all(|one| one.asked > 0) && sum(|one| one.proven) > 0);
    assert!(sum(|one| one.disputed) > 0 && sum(|one| one.filled) > 0);
}

#[test]
fn every_candidate() {
    let (mut dice, all) = (Dice(seed(30)), cases("tables of candidates"));
    let (mut listed, mut chosen) = (0, 0);
    for case in 0..all {
        let Some(Question { tile, uses }) = Question::random(&mut dice, 96) else { continue };
        let (Ok(found), Ok(all)) = (find(tile, &uses), candidates(tile, &uses)) else { continue };
        let says = |error: &str| format!("case {case}: {error}: {tile:?} {found}\n{}", told(&uses));
        for one in &all {
            if let Err(error) = check(tile, &uses, one) {
                panic!("{one:?}: {}", says(&error));
            }
            assert!(key(one)[..2] >= key(&found.best)[..2], "{one:?}: {}", says("cheaper"));
        }
        assert!(all.is_sorted_by_key(key), "{}", says("the order"));
        let best = |one: &&Candidate| !all.iter().any(|other| is_beaten(one, other));
        let wanted: Vec<_> = all.iter().filter(best).copied().collect();
        assert_eq!(front(&all), wanted, "{}", says("the front"));
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other.layout != one.layout), "{}", says("twice"));
        }
        (listed, chosen) = (listed + all.len(), chosen + wanted.len());
    }
    println!("{listed} candidates, {chosen} of them of the fronts");
    assert!(listed > chosen && chosen > all as usize / 4);
}

/// Where nothing is found no pad holds the accesses either, rows contiguous or columns.
#[test]
fn every_refusal() {
    let (mut dice, all) = (Dice(seed(31)), cases("refused searches"));
    let mut refused = 0;
    for case in 0..all {
        let Some(Question { tile, uses }) = Question::random(&mut dice, 96) else { continue };
        let Err(error) = find(tile, &uses) else { continue };
        assert_eq!(candidates(tile, &uses).unwrap_err(), error);
        if matches!(error, SynthesisError::OtherChip { .. }) {
            continue;
        }
        refused += 1;
        let Some(accesses) = accesses(tile, &uses) else { continue };
        for pad in 0..64 {
            let rows = Spec::row_pad(pad);
            for layout in [rows, rows.transposed()] {
                let Some(laid) = Laid::of(tile, layout) else { continue };
                let plan = layout.plan(tile).unwrap();
                let mut fills = uses.iter().filter_map(|one| one.fill);
                let is_held = costs(&laid, &accesses).is_some()
                    && fills.all(|fill| fill.plan(&plan, tile.bits).is_ok());
                let says =
                    || format!("case {case}: {layout:?} of {tile:?}: {error}\n{}", told(&uses));
                assert!(!is_held, "{}", says());
            }
        }
    }
    println!("{refused} of {all} refused");
    assert!(refused > 0);
}

/// The least free pad, by counting all of rows up to three rounds of the banks, and of intervals up to two.
#[test]
fn every_free_pad() {
    let (mut dice, all) = (Dice(seed(32)), cases("free pads"));
    let (mut found, mut none) = (0, 0);
    for case in 0..all {
        let question = Question::of(Kind::OneChip, &mut dice, 48);
        let Some(Question { tile, uses }) = question else { continue };
        let all = accesses(tile, &uses).unwrap();
        let floor: u64 = all.iter().map(|one| one.floor()).sum();
        let free = |layout: Spec| {
            let laid = Laid::of(tile, layout)?;
            costs(&laid, &all).filter(|costs| costs.weight == floor).map(|_| laid.bytes)
        };
        // Else a whole round of the banks is a pad, too.
        if free(Spec::row_major()).is_some() {
            continue;
        }
        let most = 3 * 64 * 32 / tile.bits;
        let intervals = [64, 128, 256, 512, 1024].map(|bytes| bytes * 8 / tile.bits);
        let elements = tile.rows * tile.columns;
        let is_whole = |every: &u32| *every < elements && elements.is_multiple_of(*every);
        let of_intervals = intervals
            .into_iter()
            .filter(is_whole)
            .flat_map(|every| (1..=most * 2 / 3).map(move |pad| Spec::interval_pad(every, pad)));
        let least = (1..=most).map(Spec::row_pad).chain(of_intervals).filter_map(free).min();
        let pad = free_pad(tile, &uses);
        let says = || format!("case {case}: {pad:?}, counted {least:?}: {tile:?}\n{}", told(&uses));
        assert_eq!(pad.map(|pad| pad.bytes), least, "{}", says());
        assert_eq!(pad.and_then(|pad| free(pad.layout)), least, "{}", says());
        found += u32::from(pad.is_some());
        none += u32::from(pad.is_none());
    }
    println!("{found} free pads, {none} tiles without");
    assert!(found > 0 && none > 0, "{found} {none}");
}
