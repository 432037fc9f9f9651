//! The ready-made patterns, by formulas of their own: the coordinate of every lane in any
//! instruction, tiles that they do not divide, and the distribution that each is where it is one.
//!
//! 30,000 random tiles, packs, lanes and patterns; of a tile of powers of two that a pattern
//! covers once, a distribution is demanded, and it must have the same accesses.

use std::collections::BTreeMap;
use support::fuzz::{Dice, cases};
use support::walked::Said;
use tiledesc::chip::gfx942;
use tiledesc::distribution::{Distribution, DistributionError, Encoding};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{
    access::{AccessError, Placed},
    chip::{Instruction, Phases},
};

/// A tile of bytes, packs and lanes.
#[derive(Clone, Debug)]
struct Case {
    said: Said,
    whole: bool,
    tile: Vec<u32>,
    pack: u32,
    lanes: u32,
}

impl Case {
    fn random(dice: &mut Dice) -> Self {
        let said = match dice.below(7) {
            0 => Said::RowMajor,
            1 => Said::ColumnMajor,
            2 => Said::Column,
            3 => Said::Strided(dice.of(&[0, 1, 2, 3, 4, 5, 8, 16, 24, 32, 65])),
            4 => Said::Diagonal,
            5 => Said::Rows(dice.of(&[1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128])),
            _ => Said::Repeated(dice.of(&[1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 64, 96])),
        };
        let any_rank = matches!(said, Said::RowMajor | Said::ColumnMajor | Said::Strided(_));
        let rank = if any_rank { dice.of(&[1, 2, 2, 2, 3, 4]) } else { 2 };
        let (bits, most) = (dice.one_in(2), if rank > 2 { 4 } else { 8 });
        let mut length =
            |most| if bits { 1 << dice.below(most) } else { 1 + dice.below(1 << most) };
        let mut tile: Vec<u32> = (0..rank).map(|_| length(most)).collect();
        let pack = if bits { 1 << dice.below(5) } else { dice.of(&[1, 2, 3, 4, 6, 8, 12, 16]) };
        let lanes = if bits { 1 << dice.below(7) } else { 1 + dice.below(64) };
        // Mostly whole packs.
        let along = if said == Said::ColumnMajor { 0 } else { tile.len() - 1 };
        if !dice.one_in(8) {
            tile[along] = tile[along].next_multiple_of(pack);
        }
        Self { said, whole: dice.one_in(2), tile, pack, lanes }
    }

    fn pattern(&self) -> Lanes<'static> {
        let lanes = self.said.lanes();
        if self.whole { lanes } else { lanes.first() }
    }

    /// The tile, contiguous along the dimension of the packs.
    fn plan(&self) -> Plan {
        let mut strides = vec![1; self.tile.len()];
        for d in 1..self.tile.len() {
            if self.said == Said::ColumnMajor {
                strides[d] = strides[d - 1] * self.tile[d - 1];
            } else {
                let d = self.tile.len() - 1 - d;
                strides[d] = strides[d + 1] * self.tile[d + 1];
            }
        }
        Plan::naive(&self.tile, &strides).unwrap()
    }

    fn along(&self) -> usize {
        if self.said == Said::ColumnMajor { 0 } else { self.tile.len() - 1 }
    }

    /// Rows and columns of a block, and how many blocks stand one below the other.
    fn block(&self) -> [u64; 3] {
        let (lanes, pack) = (u64::from(self.lanes), u64::from(self.pack));
        let [rows, parts] = match self.said {
            Said::Column => [lanes, 1],
            Said::Rows(rows) => [u64::from(rows), (lanes / u64::from(rows)).max(1)],
            Said::Repeated(rows) => [u64::from(rows), 1],
            _ => unreachable!("no block"),
        };
        [rows, parts * pack, u64::from(self.tile[0]).div_ceil(rows)]
    }

    fn instructions(&self) -> u64 {
        let elements: u64 = self.tile.iter().map(|length| u64::from(*length)).product();
        let taken = |of: u64, each: u64| of.div_ceil(each * u64::from(self.lanes));
        match self.said {
            _ if !self.whole => 1,
            Said::Strided(0) => 1,
            Said::Strided(stride) => taken(elements, u64::from(stride)),
            Said::RowMajor | Said::ColumnMajor => taken(elements, u64::from(self.pack)),
            Said::Diagonal => taken(u64::from(self.tile[0]), 1),
            _ => {
                let [_, columns, down] = self.block();
                down * u64::from(self.tile[1]).div_ceil(columns)
            }
        }
    }

    /// Where a lane begins.
    fn coordinate(&self, step: u64, lane: u64) -> Vec<u64> {
        let (lanes, pack) = (u64::from(self.lanes), u64::from(self.pack));
        let counted = step * lanes + lane;
        // The index of an element, the first dimension without an end.
        let unfolded = |mut element: u64, lengths: &[u32]| {
            let mut index = vec![0; lengths.len()];
            for d in (1..lengths.len()).rev() {
                index[d] = element % u64::from(lengths[d]);
                element /= u64::from(lengths[d]);
            }
            index[0] = element;
            index
        };
        match self.said {
            Said::RowMajor => unfolded(counted * pack, &self.tile),
            Said::Strided(stride) => unfolded(counted * u64::from(stride), &self.tile),
            Said::ColumnMajor => {
                let turned: Vec<_> = self.tile.iter().rev().copied().collect();
                let mut index = unfolded(counted * pack, &turned);
                index.reverse();
                index
            }
            Said::Diagonal => vec![counted, counted * pack % u64::from(self.tile[1])],
            Said::Column | Said::Rows(_) | Said::Repeated(_) => {
                let [rows, columns, down] = self.block();
                let part = if matches!(self.said, Said::Rows(_)) { lane / rows } else { 0 };
                vec![step % down * rows + lane % rows, step / down * columns + part * pack]
            }
        }
    }

    /// The first lane of an instruction that leaves the tile, with the first element that does, the
    /// dimension, and the length that would do for all lanes.
    fn leaves(&self, step: u64) -> Option<(u32, Vec<u64>, usize, u64)> {
        let along = self.along();
        let firsts: Vec<_> = (0..u64::from(self.lanes)).map(|l| self.coordinate(step, l)).collect();
        let outside = |at: &[u64]| (0..at.len()).find(|d| at[*d] >= u64::from(self.tile[*d]));
        for (lane, first) in firsts.iter().enumerate() {
            for element in 0..u64::from(self.pack) {
                let mut at = first.clone();
                at[along] += element;
                if let Some(dimension) = outside(&at) {
                    let more = if dimension == along { u64::from(self.pack) } else { 1 };
                    let enough = firsts.iter().map(|at| at[dimension] + more).max().unwrap();
                    return Some((u32::try_from(lane).unwrap(), at, dimension, enough));
                }
            }
        }
        None
    }

    /// How many lanes touch each element, if it is so many of one instruction for each.
    fn covers(&self) -> Option<u32> {
        let elements: u32 = self.tile.iter().product();
        let mut held = vec![None; elements as usize];
        for step in 0..self.instructions() {
            for lane in 0..u64::from(self.lanes) {
                let mut at = self.coordinate(step, lane);
                for _ in 0..self.pack {
                    let number = at.iter().zip(&self.tile).try_fold(0, |number, (i, n)| {
                        let n = u64::from(*n);
                        (*i < n).then_some(number * n + i)
                    })?;
                    let touched = held[usize::try_from(number).unwrap()].get_or_insert((step, 0));
                    if touched.0 != step {
                        return None;
                    }
                    touched.1 += 1;
                    at[self.along()] += 1;
                }
            }
        }
        let copies = held[0]?.1;
        held.iter().all(|touched| touched.is_some_and(|(_, n)| n == copies)).then_some(copies)
    }
}

/// Bits of an element, so that a pack of 3 or 6 is of 12 bytes.
fn bits(case: &Case) -> u32 {
    match case.pack {
        3 => 32,
        6 => 16,
        _ => 8,
    }
}

fn row(case: &Case) -> Instruction {
    let lanes = case.lanes as usize;
    Instruction::read("x", case.pack * bits(case) / 8)
        .phases(Phases::contiguous(lanes).of_wave(lanes))
}

/// What the library says of an instruction is what the formula says.
fn check(case: &Case, placed: &Placed<'_, '_>, step: u64) {
    match (placed.touched(step), case.leaves(step)) {
        (Ok(touched), None) => {
            for lane in 0..case.lanes {
                let found = touched.coordinate(lane as usize).unwrap();
                let found: Vec<_> = found.as_slice().iter().map(|i| u64::from(*i)).collect();
                assert_eq!(
                    found,
                    case.coordinate(step, u64::from(lane)),
                    "{case:?}, {step}, {lane}"
                );
            }
        }
        (
            Err(AccessError::Tile { lane, coordinate, dimension, enough, .. }),
            Some((first, at, outside, length)),
        ) if step == 0 => {
            let coordinate: Vec<_> = coordinate.as_slice().iter().map(|i| u64::from(*i)).collect();
            let found = (lane, coordinate, dimension as usize, u64::from(enough));
            assert_eq!(found, (first, at, outside, length), "{case:?}, {step}");
        }
        // Of an instruction after the first.
        (Err(AccessError::Uneven { coordinate, step: said, .. }), Some((_, at, ..))) => {
            let coordinate: Vec<_> = coordinate.as_slice().iter().map(|i| u64::from(*i)).collect();
            assert_eq!((coordinate, u64::from(said)), (at, step), "{case:?}, {step}");
            assert!(step > 0, "{case:?}");
        }
        (found, expected) => panic!("{case:?}, {step}: {found:?}, {expected:?}"),
    }
}

#[test]
fn every_pattern_is_its_formula() {
    let (mut dice, mut inside, mut outside) = (Dice(7), 0, 0);
    let count = cases("patterns by formula");
    for _ in 0..count {
        let case = Case::random(&mut dice);
        let (plan, row) = (case.plan(), row(&case));
        let columns = case.tile[case.along()];
        let placed = match Placed::new(&plan, bits(&case), case.pattern(), &row) {
            Err(AccessError::Packs { columns: found, pack }) => {
                let refused = (columns, case.pack) == (found, pack);
                assert!(
                    refused
                        && !columns.is_multiple_of(pack)
                        && !matches!(case.said, Said::Strided(_))
                );
                continue;
            }
            placed => placed.unwrap(),
        };
        assert_eq!(placed.instructions(), case.instructions(), "{case:?}");
        let last = placed.instructions() - 1;
        for step in [0, last, u64::from(dice.below(u32::try_from(last + 1).unwrap()))] {
            check(&case, &placed, step);
            *(if case.leaves(step).is_some() { &mut outside } else { &mut inside }) += 1;
        }
    }
    assert!(inside > count / 2 && outside > count / 2, "{inside} inside, {outside} outside");
}

/// A distribution has the same accesses; where all is of powers of two, there is one wherever each
/// element is touched by one instruction, by as many lanes as any other.
#[test]
fn the_distribution_of_a_pattern() {
    let (mut dice, mut found, mut odd, mut repeated) = (Dice(11), BTreeMap::new(), 0, 0);
    for _ in 0..cases("distributions of patterns") {
        let case = Case::random(&mut dice);
        let (plan, row) = (case.plan(), row(&case));
        let Ok(placed) = Placed::new(&plan, bits(&case), case.pattern(), &row) else {
            assert_eq!(case.pattern().distribution(&case.tile, case.pack, case.lanes), None);
            continue;
        };
        let encoding = placed.distribution();
        assert_eq!(encoding, case.pattern().distribution(&case.tile, case.pack, case.lanes));
        let covers = case.covers();
        let Some(encoding) = encoding else {
            let bits = |n: u32| n.is_power_of_two();
            let bits = case.tile.iter().all(|n| bits(*n)) && bits(case.pack) && bits(case.lanes);
            // A diagonal of several packs a row adds one number to two indices.
            assert!(!bits || covers.is_none() || case.said == Said::Diagonal, "{case:?}");
            continue;
        };
        assert_eq!(Some(encoding.replicas()), covers, "{case:?}");
        assert_eq!(encoding.lengths().as_slice(), case.tile, "{case:?}");
        let same = Placed::new(&plan, bits(&case), Lanes::distributed(&encoding), &row);
        // A lane that holds all of a row could take its packs along another dimension.
        if let Ok(same) = &same {
            assert_eq!(same.instructions(), placed.instructions(), "{case:?}");
        }
        for step in 0..case.instructions() {
            for lane in 0..case.lanes {
                for element in 0..case.pack {
                    let register = u32::try_from(step).unwrap() * case.pack + element;
                    let held = encoding.coordinate(0, lane, register).unwrap();
                    let held: Vec<_> = held.as_slice().iter().map(|i| u64::from(*i)).collect();
                    let mut at = case.coordinate(step, u64::from(lane));
                    at[case.along()] += u64::from(element);
                    assert_eq!(held, at, "{case:?}, instruction {step}, lane {lane}");
                }
            }
        }
        let name = format!("{:?}", case.said);
        let name = name.split('(').next().unwrap().to_owned();
        *found.entry(name).or_insert(0) += 1;
        odd += u32::from(!case.tile.iter().all(|n| n.is_power_of_two()));
        repeated += u32::from(encoding.replicas() > 1);
    }
    assert_eq!(found.len(), 7, "{found:?}");
    assert!(
        found.values().all(|count| *count > 5) && odd > 15 && repeated > 15,
        "{found:?}, {odd} {repeated}"
    );
}

/// 4,294,967,295 lanes, counted over all instructions, are numbers of 32 bits; one more is not.
#[test]
fn the_most_lanes_of_a_distribution() {
    let row_major = Lanes::row_major();
    let most = row_major.distribution(&[65_537, 65_535], 1, 15).unwrap();
    assert_eq!((most.lanes(), most.elements()), (15, 286_331_153));
    let last = most.coordinate(0, 14, 286_331_152).unwrap();
    assert_eq!(last.as_slice(), [65_536, 65_534]);
    assert_eq!(row_major.distribution(&[65_536, 65_536], 1, 16), None);
}

layout! {
    type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
}

/// What `MfmaRows<16>` reads of either tile.
struct Held;

impl Distribution for Held {
    const ENCODING: Result<Encoding, DistributionError> =
        match ABlock::placed::<MfmaRows<16>>(&gfx942::ds_read_b128) {
            Ok(placed) => Ok(placed.distribution().unwrap()),
            Err(_) => panic!(),
        };
}

/// The pattern that was judged is what a kernel holds: the same addresses by `Accesses`.
#[test]
fn what_was_judged_is_held() {
    fn addresses<L: tiledesc::Tile<Descriptor: Default>>(lane: u32) -> Vec<u32> {
        let mut found = Vec::new();
        Accesses::<Held, L, VectorSize<8>>::each(0, lane, |address, immediate, _, first| {
            assert_eq!(first, found.len() * 8);
            found.push(address + immediate);
        });
        found
    }
    let read = &gfx942::ds_read_b128;
    let judged = |plan: &Plan, lane: usize| -> Vec<u32> {
        let placed = Placed::new(plan, 16, Lanes::rows(16), read).unwrap();
        let touched = (0..placed.instructions()).map(|step| placed.touched(step).unwrap());
        touched.map(|touched| touched.addresses().get(lane).unwrap()).collect()
    };
    for lane in 0..64 {
        assert_eq!(addresses::<ABlock>(lane), judged(&ABlock::PLAN, lane as usize));
        assert_eq!(addresses::<Padded>(lane), judged(&Padded::PLAN, lane as usize));
    }
}
