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
//! `FUZZ_CASES` asks for more pairs (`tests/support/fuzz.rs`).

#[path = "support/fuzz.rs"]
mod fuzz;

use fuzz::{Dice, cases};
use std::collections::BTreeSet;
use tiledesc::distribution::matrix::mfma;
use tiledesc::distribution::{
    BlockRaked, DistributionError, Elsewhere, Encoding, Exchange, Moves, Shuffled, ThreadRaked,
    Transposed, WarpRaked, Within, exchange,
};
use tiledesc::prelude::*;

/// A factor: its group, 0 for repetitions, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Factor {
    group: usize,
    length: u32,
}

/// A distribution as a list of factors in their order, and what wave, lane and thread list.
#[derive(Clone, Debug)]
struct Lists {
    rank: usize,
    factors: Vec<Factor>,
    owners: [Vec<usize>; 3],
}

impl Lists {
    /// One to three dimensions of up to three factors, up to two repetitions.
    fn random(dice: &mut Dice) -> Self {
        let rank = 1 + dice.below(3) as usize;
        let mut made = Self { rank, factors: Vec::new(), owners: [const { Vec::new() }; 3] };
        for group in 0..=rank {
            let count = if group == 0 { dice.below(3) } else { 1 + dice.below(3) };
            for _ in 0..count {
                let length = dice.of(&[1, 2, 2, 3, 4, 4, 5, 6, 8]);
                let owner = dice.below(if group == 0 { 2 } else { 3 }) as usize;
                let at = made.factors.len();
                made.factors.push(Factor { group, length });
                let place = dice.below(made.owners[owner].len() as u32 + 1) as usize;
                made.owners[owner].insert(place, at);
            }
        }
        made
    }

    fn product(&self) -> u32 {
        self.factors.iter().map(|factor| factor.length).product()
    }

    /// A factor in two, neighbours in their owner, or not.
    fn split(&mut self, dice: &mut Dice, backwards: bool) {
        let at = dice.below(self.factors.len() as u32) as usize;
        let Factor { group, length } = self.factors[at];
        let high = dice.of(&[2, 3, 4]);
        if !length.is_multiple_of(high) {
            return;
        }
        self.factors[at].length = high;
        self.factors.insert(at + 1, Factor { group, length: length / high });
        for listed in self.owners.iter_mut().flatten() {
            *listed += usize::from(*listed > at);
        }
        for owner in &mut self.owners {
            if let Some(place) = owner.iter().position(|listed| *listed == at) {
                owner.insert(if backwards { place } else { place + 1 }, at + 1);
            }
        }
    }

    fn swap(&mut self, dice: &mut Dice, owner: usize) {
        let count = self.owners[owner].len() as u32;
        if count > 1 {
            let (one, other) = (dice.below(count) as usize, dice.below(count) as usize);
            self.owners[owner].swap(one, other);
        }
    }

    /// Two factors of one length change their owners: the tile and all numbers stay.
    fn trade(&mut self, dice: &mut Dice) {
        let (one, other) = (dice.below(3) as usize, dice.below(3) as usize);
        let (Some(first), Some(second)) =
            (self.owners[one].len().checked_sub(1), self.owners[other].len().checked_sub(1))
        else {
            return;
        };
        let (first, second) =
            (dice.below(first as u32 + 1) as usize, dice.below(second as u32 + 1) as usize);
        let (a, b) = (self.owners[one][first], self.owners[other][second]);
        let repeats = |at: usize, to: usize| self.factors[at].group == 0 && to == 2;
        if self.factors[a].length == self.factors[b].length
            && !repeats(a, other)
            && !repeats(b, one)
        {
            self.owners[one][first] = b;
            self.owners[other][second] = a;
        }
    }

    /// The same tile and the same numbers, perhaps in other lanes.
    fn changed(&self, dice: &mut Dice) -> Self {
        let mut made = self.clone();
        for _ in 0..dice.below(8) {
            match dice.below(12) {
                0..=2 => made.split(dice, false),
                3 => made.split(dice, true),
                4..=8 => made.swap(dice, 2),
                9 | 10 => {
                    let owner = dice.below(2) as usize;
                    made.swap(dice, owner);
                }
                _ => made.trade(dice),
            }
        }
        made
    }

    /// By CK's six parameters.
    fn encoding(&self) -> Result<Encoding, DistributionError> {
        let lengths = |group| {
            let of = self.factors.iter().filter(|factor| factor.group == group);
            of.map(|factor| factor.length).collect::<Vec<u32>>()
        };
        let major = |at: &usize| self.factors[*at].group as u32;
        let minor = |at: &usize| {
            let group = self.factors[*at].group;
            self.factors[..*at].iter().filter(|factor| factor.group == group).count() as u32
        };
        let majors =
            self.owners.each_ref().map(|owner| owner.iter().map(major).collect::<Vec<_>>());
        let minors =
            self.owners.each_ref().map(|owner| owner.iter().map(minor).collect::<Vec<_>>());
        let hs: Vec<Vec<u32>> = (1..=self.rank).map(lengths).collect();
        let hs: Vec<&[u32]> = hs.iter().map(Vec::as_slice).collect();
        let ps = (&[&majors[0][..], &majors[1]][..], &[&minors[0][..], &minors[1]][..]);
        Encoding::ck(&lengths(0), &hs, ps, (&majors[2], &minors[2]))
    }

    /// How many numbers an owner has.
    fn numbers(&self, owner: usize) -> u32 {
        self.owners[owner].iter().map(|at| self.factors[*at].length).product()
    }

    /// The lengths of the tile.
    fn tile(&self) -> Vec<u32> {
        let of = |group| self.factors.iter().filter(move |factor| factor.group == group);
        (1..=self.rank).map(|group| of(group).map(|factor| factor.length).product()).collect()
    }

    /// What each lane of each wave holds, element by element, by counting digits.
    fn held(&self) -> Vec<Vec<Vec<u32>>> {
        let lanes = (0..self.numbers(0)).flat_map(|w| (0..self.numbers(1)).map(move |l| [w, l]));
        let elements = |[wave, lane]: [u32; 2]| {
            (0..self.numbers(2)).map(move |element| self.coordinate([wave, lane, element]))
        };
        lanes.map(|lane| elements(lane).collect()).collect()
    }

    fn coordinate(&self, numbers: [u32; 3]) -> Vec<u32> {
        let mut digits = vec![0; self.factors.len()];
        for (list, mut number) in self.owners.iter().zip(numbers) {
            for at in list.iter().rev() {
                digits[*at] = number % self.factors[*at].length;
                number /= self.factors[*at].length;
            }
        }
        let mut index = vec![0; self.rank + 1];
        for (factor, digit) in self.factors.iter().zip(digits) {
            index[factor.group] = index[factor.group] * factor.length + digit;
        }
        index.split_off(1)
    }
}

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
    let plain = exchange::<mfma::Transposed<U32, U32>, P>();
    assert_eq!(
        plain.elsewhere().unwrap().to_string(),
        "lane 0 of wave 0 is to hold (0, 4), which another lane holds: through LDS",
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
        "lane 1 of wave 0 is to hold (0, 0), which another lane holds: through LDS",
    );
    assert_eq!(sentence(None::ENCODING.unwrap()), "a tile of [8, 4] is not one of [8, 16]");
    assert_eq!(
        sentence(Half::ENCODING.unwrap()),
        "lanes that hold 4 elements are to hold 2: through LDS",
    );
}

#[test]
fn refusals() {
    let of = |waves, lanes, elements| {
        let m = ("m", &[("wave", waves), ("lane", lanes), ("element", elements)][..]);
        Encoding::named(&[], &[m], &["wave"], &["lane"], &["element"]).unwrap()
    };
    let said = |one: &Encoding, other: &Encoding| one.exchange(other).unwrap_err().to_string();
    assert_eq!(said(&of(4, 64, 8), &of(2, 64, 16)), "4 waves cannot hold what 2 waves do");
    assert_eq!(said(&of(4, 64, 8), &of(4, 32, 16)), "64 lanes cannot hold what 32 lanes do");
    assert_eq!(said(&of(4, 64, 8), &of(4, 64, 4)), "a tile of [2048] is not one of [1024]");
    assert_eq!(
        said(&of(1, 1, 1025), &of(1, 1, 1025)),
        "too many elements of a lane (the limit is 1024)",
    );
    assert!(of(1, 1, 1024).exchange(&of(1, 1, 1024)).unwrap().is_identity());
}
