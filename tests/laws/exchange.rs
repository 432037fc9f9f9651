//! Exchanges in registers: what is found by digits is what trying all lanes finds.
//!
//! | law | against |
//! |---|---|
//! | in registers or through LDS | the elements of every lane as sets |
//! | the permutation | every element of every lane |
//! | the element that comes from elsewhere | the elements of that lane |
//! | tiles, waves or lanes that differ | the numbers |
//! | CK Tile's shuffle of its three fetches | the coordinates that kernels compute |
//!
//! `cargo xtask test --deep` asks for more pairs (`tests/support/fuzz.rs`).

use std::collections::BTreeSet;
use support::fuzz::{Dice, cases};
use support::lists::{Factor, Lists};
use tiledesc::distribution::{
    BlockRaked, DistributionError, Elsewhere, Encoding, Exchange, Moves, Shuffled, ThreadRaked,
    Transposed, WarpRaked, Within, exchange,
};
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;

/// What came of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Identity,
    InRegisters,
    ThroughLds,
    Refused,
}

/// Tries all lanes.
fn check(from: &Lists, to: &Lists) -> Outcome {
    let found = from.encoding().unwrap().exchange(&to.encoding().unwrap());
    let differs = [0, 1].map(|owner| from.numbers(owner) != to.numbers(owner));
    match &found {
        Err(DistributionError::OtherTile { .. }) => {
            assert_ne!(from.tile(), to.tile());
            return Outcome::Refused;
        }
        Err(DistributionError::OtherNumber { owner, from: f, to: t }) => {
            assert!(differs[*owner as usize]);
            assert_eq!([*f, *t], [from, to].map(|lists| lists.numbers(*owner as usize)));
            return Outcome::Refused;
        }
        Err(other) => panic!("{other}"),
        Ok(_) => assert!(from.tile() == to.tile() && differs == [false; 2]),
    }
    let (moves, before, after) = (found.unwrap(), from.held(), to.held());
    let sets = |all: &[Vec<Vec<u32>>]| -> Vec<BTreeSet<Vec<u32>>> {
        all.iter().map(|lane| lane.iter().cloned().collect()).collect()
    };
    let same = sets(&before) == sets(&after);
    assert_eq!(moves.permutation().is_some(), same, "{from:?}\n{to:?}");
    assert_eq!(moves.is_through_lds(), !same);
    let Some(permutation) = moves.permutation() else {
        match moves.elsewhere().unwrap() {
            Elsewhere::Elements { from, to } => {
                assert_eq!([from, to].map(|n| n as usize), [before[0].len(), after[0].len()]);
                assert_ne!(from, to);
            }
            Elsewhere::Coordinate { wave, lane, coordinate } => {
                let at = (wave * from.numbers(1) + lane) as usize;
                assert!(after[at].contains(&coordinate.as_slice().to_vec()));
                assert!(!before[at].contains(&coordinate.as_slice().to_vec()));
                // The first lane of which it is so.
                assert_eq!(sets(&before[..at]), sets(&after[..at]));
            }
            other => panic!("{other}"),
        }
        return Outcome::ThroughLds;
    };
    assert_eq!(permutation.len(), before[0].len());
    for (before, after) in before.iter().zip(&after) {
        for (after, source) in after.iter().zip(permutation) {
            assert_eq!(&before[usize::from(*source)], after, "{from:?}\n{to:?}");
        }
    }
    assert_eq!(moves.is_identity(), before == after);
    if moves.is_identity() { Outcome::Identity } else { Outcome::InRegisters }
}

#[test]
fn all_lanes_agree() {
    let mut dice = Dice(15);
    let mut outcomes = Vec::new();
    while outcomes.len() < cases("exchanges") as usize {
        let one = Lists::random(&mut dice);
        if one.product() > 4000 {
            continue;
        }
        let other = if dice.one_in(20) { Lists::random(&mut dice) } else { one.changed(&mut dice) };
        let most = one.numbers(2).max(other.numbers(2));
        if other.product() > 4000 || most > Moves::MOST as u32 {
            continue;
        }
        outcomes.push(check(&one.changed(&mut dice), &other));
    }
    let tally = [Outcome::Identity, Outcome::InRegisters, Outcome::ThroughLds, Outcome::Refused]
        .map(|wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count());
    println!("{} pairs: identity, in registers, through LDS, refused: {tally:?}", outcomes.len());
    // Each kind is tried, and not by accident.
    assert!(tally.iter().all(|count| count * 40 > outcomes.len()), "{tally:?}");
}

/// The lengths 2 and 3 in one order and in the other: no factors in common, and still one map.
#[test]
fn no_common_factors() {
    let of = |[high, low]: [u32; 2], owner: usize| {
        let mut owners = [const { Vec::new() }; 3];
        owners[owner] = vec![0, 1];
        let factors = [high, low].map(|length| Factor { group: 1, length }).to_vec();
        Lists { rank: 1, factors, owners }
    };
    for owner in 0..3 {
        assert_eq!(check(&of([2, 3], owner), &of([3, 2], owner)), Outcome::Identity);
        let mut turned = of([3, 2], owner);
        turned.owners[owner].reverse();
        let wanted = if owner == 2 { Outcome::InRegisters } else { Outcome::ThroughLds };
        assert_eq!(check(&of([2, 3], owner), &turned), wanted);
    }
}

/// The registers of a lane, moved as a kernel moves them, are those of the other distribution.
fn applied<From: Distribution, To: Distribution, const N: usize>() -> Moves {
    let exchange: Exchange<From, To> = exchange::<From, To>();
    assert!(!exchange.is_through_lds() && exchange.elsewhere().is_none());
    for wave in 0..From::WAVES {
        for lane in 0..From::LANES_PER_WAVE {
            let of = |element| From::coordinate::<2>(wave, lane, element);
            let registers: [[u32; 2]; N] = core::array::from_fn(of);
            let moved = exchange.apply(registers);
            assert_eq!(moved, core::array::from_fn(|to| To::coordinate::<2>(wave, lane, to)));
        }
    }
    Exchange::<From, To>::MOVES.unwrap()
}

/// CK Tile fetches a tile, shuffles it in registers and stores it transposed.
#[test]
fn the_shuffle_of_ck() {
    macro_rules! shuffles {
        ($($Raked:ident<$($number:ty),+> of $elements:literal;)*) => {$({
            type Fetch = $Raked<$($number),+>;
            let moves = applied::<Transposed<Fetch>, Shuffled<Fetch>, $elements>();
            assert!(!moves.is_identity());
            let back = applied::<Shuffled<Fetch>, Transposed<Fetch>, $elements>();
            let (there, back) = (moves.permutation().unwrap(), back.permutation().unwrap());
            assert!(there.iter().enumerate().all(|(j, from)| back[usize::from(*from)] == j as u16));
        })*};
    }
    shuffles! {
        ThreadRaked<U128, U64, U8, U4> of 32;
        WarpRaked<U128, U64, U8, U4> of 32;
        BlockRaked<U128, U64, U8, U4> of 32;
        ThreadRaked<U128, U64, U4, U2> of 64;
        // 300 registers: more than are unrolled one by one. 5 waves of 60 lanes.
        ThreadRaked<Lit<300>, Lit<300>, Lit<5>, Lit<5>, Lit<60>> of 300;
    }
    // Row by row of a lane becomes column by column.
    let shuffle = applied::<
        Transposed<ThreadRaked<U128, U64, U8, U4>>,
        Shuffled<ThreadRaked<U128, U64, U8, U4>>,
        32,
    >();
    let wanted: Vec<u16> = (0..8).flat_map(|half| (0..4).map(move |row| row * 8 + half)).collect();
    assert_eq!(shuffle.permutation().unwrap(), wanted);
}

/// CK Tile swizzles the columns of the first product of attention, so that what it returns is
/// the operand of the second: nothing moves. Without that it takes LDS.
#[test]
fn from_one_product_to_the_next() {
    distribution! {
        type Twice: m [one 1], k [deep 2]; thread (deep);
    }
    type P = Within<Twice, mfma::F16_32x32x16::A>;
    assert!(applied::<mfma::SwizzledC<U32, U32>, P, 16>().is_identity());
    let plain = exchange::<mfma::SwappedAccumulator<U32, U32>, P>();
    assert!(plain.is_through_lds() && plain.permutation().is_none());
    assert_eq!(
        plain.elsewhere().unwrap().to_string(),
        "lane 0 of wave 0 must hold (0, 4), which another lane holds; exchange through LDS instead",
    );
}

/// Lanes that hold the same, in any order of their repetitions.
#[test]
fn repetitions() {
    distribution! {
        type One: m [row 8], k [half 4]; repeat [copy 4, again 2], lane (again, copy, row), thread (half);
        type Other: m [row 8], k [half 2, pair 2]; repeat [copy 8], lane (copy, row), thread (half, pair);
        type Below: m [row 8], k [half 4]; repeat [copy 8], lane (row, copy), thread (half);
        type None: m [row 8], k [part 4, half 4]; repeat [copy 2], lane (copy, part, row), thread (half);
        type Half: m [row 8], k [part 2, half 2]; repeat [copy 4], lane (copy, part, row), thread (half);
    }
    assert!(applied::<One, Other, 4>().is_identity());
    let sentence = |encoding: Encoding| {
        let moves = One::ENCODING.unwrap().exchange(&encoding);
        moves.map_or_else(|e| e.to_string(), |moves| moves.elsewhere().unwrap().to_string())
    };
    assert_eq!(
        sentence(Below::ENCODING.unwrap()),
        "lane 1 of wave 0 must hold (0, 0), which another lane holds; exchange through LDS instead",
    );
    assert_eq!(sentence(None::ENCODING.unwrap()), "the tiles differ: [8, 4] and [8, 16]");
    assert_eq!(
        sentence(Half::ENCODING.unwrap()),
        "a lane holds 4 elements before and 2 after; exchange through LDS instead",
    );
}

#[test]
fn refusals_say_why() {
    let of = |waves, lanes, elements| {
        let m = ("m", &[("wave", waves), ("lane", lanes), ("element", elements)][..]);
        Encoding::named(&[], &[m], &["wave"], &["lane"], &["element"]).unwrap()
    };
    let said = |one: &Encoding, other: &Encoding| one.exchange(other).unwrap_err().to_string();
    assert_eq!(said(&of(4, 64, 8), &of(2, 64, 16)), "4 waves cannot hold what 2 waves do");
    assert_eq!(said(&of(4, 64, 8), &of(4, 32, 16)), "64 lanes cannot hold what 32 lanes do");
    assert_eq!(said(&of(4, 64, 8), &of(4, 64, 4)), "the tiles differ: [2048] and [1024]");
    assert_eq!(
        said(&of(1, 1, 1025), &of(1, 1, 1025)),
        "too many elements of a lane (the limit is 1024)",
    );
    assert!(of(1, 1, 1024).exchange(&of(1, 1, 1024)).unwrap().is_identity());
}
