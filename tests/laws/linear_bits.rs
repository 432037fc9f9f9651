//! `linear_bits`, an index whose bits are placed one by one, and layouts of packs that are.
//!
//! | test | promise |
//! |---|---|
//! | `offsets_are_the_xor_of_columns` | offsets are what an xor of columns says, at every coordinate; dependent columns are refused; vectors and the inverse are those of the offsets |
//! | `types_are_their_plans` | a type's offset, fused or not, moved or made, is its plan's |
//! | `refusals_say_why` | the sentences |

use std::collections::BTreeSet;
use support::fuzz::Dice;
use tiledesc::List;
use tiledesc::prelude::*;
use tiledesc::transforms::{OfRank, Rank};
use tiledesc::{Error, Op};

/// A tile of three dimensions, the place of whose packs is `linear_bits`.
fn placed(lengths: [u32; 3], pack: u32, columns: &[u32]) -> Result<Plan, Error> {
    let packs = lengths.iter().product::<u32>() / pack;
    let place = Op::LinearBits { length: packs, columns: List::new(columns) };
    let [number, tile] = [&[packs, pack][..], &lengths].map(List::new);
    Plan::packed(&[packs, pack])?
        .transform(&[place, Op::PassThrough { length: pack }], &[&[0], &[1]], &[&[0], &[1]])?
        .transform(&[Op::Merge { lengths: number }], &[&[0, 1]], &[&[0]])?
        .transform(&[Op::Unmerge { lengths: tile }], &[&[0]], &[&[0, 1, 2]])
}

#[test]
fn offsets_are_the_xor_of_columns() {
    let (mut random, mut bijections) = (Dice(1), 0);
    for case in 0..300 {
        let lengths: [u32; 3] = [1 << random.below(4), 1 << random.below(3), 1 << random.below(6)];
        let pack = 1 << random.below(lengths[2].ilog2() + 1);
        let packs: u32 = lengths.iter().product::<u32>() / pack;
        let bits = packs.ilog2();
        // Most often each column has a bit that none before it has.
        let columns: Vec<u32> =
            (0..bits.min(1 + random.below(12)))
                .map(|b| {
                    if random.below(8) > 0 {
                        1 << b | random.below(1 << b)
                    } else {
                        random.below(64)
                    }
                })
                .collect();
        let place = |number: u32| {
            (0..32)
                .filter(|b| (number / pack) >> b & 1 == 1)
                .fold(0, |place, b| place ^ columns.get(b as usize).copied().unwrap_or(1 << b))
        };
        let offset = |number: u32| place(number) * pack + number % pack;
        let all = packs * pack;
        let seen: BTreeSet<u32> = (0..all).map(offset).collect();
        let is_bijection = seen.len() as u32 == all && seen.last() == Some(&(all - 1));
        bijections += u32::from(is_bijection);
        let plan = match placed(lengths, pack, &columns) {
            Ok(plan) => plan,
            Err(error) => {
                assert!(!is_bijection, "case {case}: {columns:?}: {error}");
                continue;
            }
        };
        assert!(is_bijection && plan.injective().is_ok(), "case {case}: {columns:?}");
        for number in 0..all {
            let at = [
                number / (lengths[1] * lengths[2]),
                number / lengths[2] % lengths[1],
                number % lengths[2],
            ];
            assert_eq!(plan.offset(&at), Ok(offset(number)), "case {case}: {columns:?}");
            assert_eq!(plan.coordinate_of(offset(number)).unwrap(), at, "case {case}: {columns:?}");
        }
        // The longest vectors that begin at all their multiples.
        let whole =
            |length: u32| (0..all).all(|n| offset(n) == offset(n / length * length) + n % length);
        let longest = (0..=lengths[2].ilog2()).rev().map(|b| 1 << b).find(|length| whole(*length));
        assert_eq!(plan.vector(2).unwrap().length, longest.unwrap(), "case {case}: {columns:?}");
    }
    assert!((100..290).contains(&bijections), "{bijections} are bijections");
}

fn agree<D, const R: usize>(layout: D)
where
    D: Descriptor + Default,
    [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = layout.plan().unwrap();
    let index = |id: u64| -> [u32; R] { plan.nth(id).as_slice().try_into().unwrap() };
    assert_eq!(layout.lengths().as_slice(), plan.lengths().as_slice());
    for id in 0..plan.elements() {
        let offset = plan.offset(&index(id)).unwrap();
        assert_eq!(
            [layout.at(index(id)), layout.staged(index(id))],
            [offset; 2],
            "{:?}",
            index(id)
        );
        assert_eq!(layout.valid_offset(index(id)), Some(offset));
        // From there to some other.
        let next = index(id * 7 % plan.elements());
        let mut moved = layout.coordinate(index(id));
        moved.step(core::array::from_fn(|d| next[d].wrapping_sub(index(id)[d]) as i32));
        assert_eq!((moved.index(), moved.offset()), (next, plan.offset(&next).unwrap()));
    }
}

descriptor! {
    type Swizzled: packed [64, 8];  linear_bits[64] columns [1, 2, 4, 9, 18, 36] (0) -> (0), pass[8] (1) -> (1);
    type Reversed: packed [64];  linear_bits[64] columns [32, 16, 8, 4, 2, 1] (0) -> (0);
    type InThree:
        packed [128];
        linear_bits[128] columns [64, 1, 2, 4, 8, 16, 32] (0) -> (0);
        unmerge[4, 2, 16] (0) -> (0, 1, 2);
    type Of<N, Columns>: packed [N, 4];  linear_bits[N] columns Columns (0) -> (0), pass[4] (1) -> (1);
}

#[test]
fn types_are_their_plans() {
    agree::<_, 2>(Swizzled::default());
    agree::<_, 1>(Reversed::default());
    agree::<_, 3>(InThree::default());
    agree::<_, 2>(<Of<Lit<32>, seq![1, 6, 12]>>::default());
    agree::<_, 2>(<Of<Lit<32>, seq![]>>::default());
    agree::<_, 2>(<recipe::LinearPacks<
        F32,
        recipe::M<16>,
        recipe::K<32>,
        KPack<4>,
        seq![1, 2, 4, 12, 26],
    >>::default());
    assert_eq!(size_of::<Swizzled>(), 0);
}

#[test]
fn refusals_say_why() {
    let said = |columns: &[u32], length| {
        let op = Op::LinearBits { length, columns: List::new(columns) };
        let plan = Plan::packed(&[length]).unwrap().transform(&[op], &[&[0]], &[&[0]]);
        plan.unwrap_err().to_string()
    };
    assert_eq!(
        said(&[1], 96),
        "length 96 of dimension 0 is not a power of two (nearest: 64 and 128)"
    );
    assert_eq!(
        said(&[1, 2, 4, 8], 8),
        "linear_bits: 4 columns are more than an index of a dimension of length 8 has bits",
    );
    assert_eq!(said(&[1, 8], 8), "linear_bits: the column 8 leaves a dimension of length 8");
    assert_eq!(
        said(&[1, 2, 3], 16),
        "linear_bits: the columns send index 7 to 0, where index 0 is",
    );
    let none = Op::LinearBits { length: 0, columns: List::new(&[1]) };
    assert_eq!(
        Plan::adaptor(&[none], &[&[0]], &[&[0]]).unwrap_err().to_string(),
        "linear_bits[0] has a length of 0; every dimension has at least one index",
    );
    // Bit 2 has no column, and stays where bit 0 is sent.
    assert_eq!(said(&[4, 2], 8), "linear_bits: the columns send index 5 to 0, where index 0 is",);
    assert_eq!(said(&[0], 2), "linear_bits: the columns send index 1 to 0, where index 0 is");
}
