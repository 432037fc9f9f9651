//! Masked offsets, at every coordinate and beyond.
//!
//! | test | promise |
//! |---|---|
//! | `masked_is_the_plan` | an offset or nothing, as the plan says, in 32 and 64 bits, in range and out of it |
//! | `vectors_are_all_their_elements` | a vector is valid exactly if each of its elements is |
//! | `moved_is_fresh` | a coordinate that has moved is the one made there |
//! | `coordinates_of_run_time_lengths_are_small` | a coordinate of a descriptor with run-time lengths is small |

use proptest::prelude::*;
use tiledesc::Error;
use tiledesc::prelude::*;
use tiledesc::transforms::{OfRank, PaddedTo, Rank};
use tiledesc::{Checked, LeftPad, Pad as PadBoth, Unchecked};

type RunTime2 = PaddedTo<Naive<[Dyn; 2], (Dyn, U1)>>;

/// 10 rows of 42 as tiles of 8 x 16.
fn ragged() -> RunTime2 {
    Naive::rows(10, 42).pitch(50).padded_to([8, 16]).unwrap()
}

/// A convolution's border on both sides, and a checked pad below an unchecked one.
fn bordered() -> Result<impl Descriptor<Rank = typenum::U2>, Error> {
    Packed::new([Dyn(9), Dyn(12)])?
        .transform(
            (PadBoth::new(Dyn(9), Dyn(2), Dyn(3)), LeftPad::new(Dyn(12), Dyn(4))),
            lower![[0], [1]],
            upper![[0], [1]],
        )?
        .transform(
            (PadBoth::new(Dyn(14), Dyn(1), Dyn(1)).skip_check(), PassThrough::new(Dyn(16))),
            lower![[0], [1]],
            upper![[0], [1]],
        )
}

/// A pad below a merge: the valid indices are not an interval.
fn merged() -> Result<impl Descriptor<Rank = typenum::U2>, Error> {
    Packed::new([Dyn(3), Dyn(5), Dyn(7)])?
        .transform(
            (
                RightPad::new(Dyn(3), Dyn(1)),
                RightPad::new(Dyn(5), Dyn(3)),
                RightPad::new(Dyn(7), Dyn(1)),
            ),
            lower![[0], [1], [2]],
            upper![[0], [1], [2]],
        )?
        .transform(
            (PassThrough::new(Dyn(4)), Merge::new([Dyn(8), Dyn(8)])),
            lower![[0], [1, 2]],
            upper![[0], [1]],
        )
}

descriptor! {
    /// A swizzle above a pad, all numbers.
    type Swizzled:
        packed [14, 6];
        right_pad[14, 2] (0) -> (0),   right_pad[6, 2] (1) -> (1);
        xor[16, 8] (0, 1) -> (0, 1);
    /// No pads at all.
    type Plain:
        packed [8, 8, 8];
        xor[8, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
        pass[8] (1) -> (0),           merge[8, 8] (0, 2) -> (1);
    /// Padding before both dimensions, and none after them.
    type Late:
        packed [6, 9];
        left_pad[6, 3] (0) -> (0),   left_pad[9, 7] (1) -> (1);
    /// A slice of a ring, above a pad.
    type Sliced:
        packed [6, 9];
        pad[6, 1, 1] (0) -> (0),   right_pad[9, 3] (1) -> (1);
        modulo[8, 20] (0) -> (0),   slice[12, 1, 11] (1) -> (1);
}

type Uncheckedly = tiledesc::Transformed<
    Packed<seq![6, 8]>,
    (PadBoth<Lit<6>, Lit<1>, Lit<1>, Unchecked>, tiledesc::RightPad<Lit<8>, Lit<8>, Checked>),
    lower![[0], [1]],
    upper![[0], [1]],
>;

/// What `test` says of every coordinate, and of some out of range.
fn everywhere(lengths: &[u32], mut test: impl FnMut([u32; 2])) {
    for row in (0..lengths[0] + 3).chain([u32::MAX - 1, u32::MAX]) {
        for column in (0..lengths[1] + 9).chain([u32::MAX - 7, u32::MAX]) {
            test([row, column]);
        }
    }
}

fn masked<D: Descriptor>(name: &str, tile: D)
where
    D::Rank: Rank<Array<u32> = [u32; 2]>,
    [u32; 2]: OfRank<<D::Rank as Rank>::Dimensions>,
    [u64; 2]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = tile.plan().unwrap();
    let mut valid = 0;
    everywhere(plan.lengths().as_slice(), |index| {
        let expected = plan.offset(&index).ok();
        assert_eq!(tile.valid_offset(index), expected, "{name} {index:?}");
        // Indices that wrap around in 32 bits do so in 64 elsewhere.
        let space = plan.element_space();
        let fits = index.iter().all(|i| *i < 1 << 31)
            && expected.is_none_or(|offset| u64::from(offset) < space);
        if fits {
            let wide = tile.valid_offset(index.map(u64::from));
            assert_eq!(wide, expected.map(u64::from), "{name} {index:?} in 64 bits");
        }
        assert_eq!(tile.masked(index).1, expected.is_some(), "{name} {index:?}");
        assert_eq!((&tile).coordinate(index).is_valid(), expected.is_some(), "{name} {index:?}");
        valid += u32::from(expected.is_some());
    });
    assert!(valid > 0, "{name}: nothing is valid");
}

fn vectors<D: Descriptor>(name: &str, tile: D)
where
    D::Rank: Rank<Array<u32> = [u32; 2]>,
    [u32; 2]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = tile.plan().unwrap();
    for (dimension, elements) in [(0, 1), (0, 2), (0, 8), (1, 2), (1, 4), (1, 8)] {
        everywhere(plan.lengths().as_slice(), |mut index| {
            index[dimension] = index[dimension] / elements * elements;
            let each = |element: u32| {
                let mut index = index;
                index[dimension] += element;
                plan.offset(&index).is_ok()
            };
            let expected = (0..elements).all(each).then(|| plan.offset(&index).unwrap());
            let found = tile.valid_vector(index, dimension, elements);
            assert_eq!(found, expected, "{name} {index:?}, {elements} along {dimension}");
        });
    }
}

macro_rules! of_all {
    ($test:ident) => {
        $test("ragged", ragged());
        $test("bordered", bordered().unwrap());
        $test("merged", merged().unwrap());
        $test("swizzled", Swizzled::default());
        $test("plain", Plain::default());
        $test("late", Late::default());
        $test("sliced", Sliced::default());
        $test("unchecked", Uncheckedly::default());
    };
}

#[test]
fn masked_is_the_plan() {
    of_all!(masked);
    layout! { type Tile = recipe::GemmXor<F16, M<32>, K<32>, KPack<8>>; }
    masked("layout", Tile::default());
}

#[test]
fn vectors_are_all_their_elements() {
    of_all!(vectors);
}

fn moved<D: Descriptor>(name: &str, tile: D, index: [u32; 2], steps: &[[i32; 2]])
where
    D::Rank: Rank<Array<u32> = [u32; 2]>,
    [u32; 2]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = tile.plan().unwrap();
    let mut at = tile.coordinate(index);
    for step in steps {
        at.step(*step);
        let here = plan.offset(&at.index()).ok();
        assert_eq!(at.is_valid().then(|| at.offset()), here, "{name} at {:?}", at.index());
    }
}

proptest! {
    #[test]
    fn moved_is_fresh(
        index in [0..12u32, 0..20u32],
        steps in proptest::collection::vec([-5..6i32, -9..10i32], 1..9),
    ) {
        let (index, steps) = (index, steps.as_slice());
        moved("ragged", ragged(), index, steps);
        moved("bordered", bordered().unwrap(), index, steps);
        moved("merged", merged().unwrap(), index, steps);
        moved("swizzled", Swizzled::default(), index, steps);
        moved("sliced", Sliced::default(), index, steps);
    }
}

/// 2 indices, the indices below the pads, and the offset; a reference to the descriptor.
#[test]
fn coordinates_of_run_time_lengths_are_small() {
    let a = ragged();
    assert_eq!(size_of_val(&(&a).coordinate([0, 0])), 8 + 4 * (2 + 2 + 1) + 4);
    let five = Packed::new([Dyn(2), Dyn(3), Dyn(4), Dyn(5), Dyn(6)]).unwrap();
    assert_eq!(size_of_val(&(&five).coordinate([0; 5])), 8 + 4 * (5 + 1));
    assert_eq!(size_of_val(&Swizzled::default().coordinate([0, 0])), 4 * (2 + 2 + 2 + 1));
}

/// Each dimension of each rank is padded to a multiple of its own tile.
#[test]
fn every_rank_is_padded() -> Result<(), Error> {
    macro_rules! ranks {
        ($($rank:literal)*) => {$({
            const TILE: [u32; $rank] = {
                let (mut tile, mut i) = ([1; $rank], 0);
                while i < $rank {
                    tile[i] = 1 + i as u32 % 3;
                    i += 1;
                }
                tile
            };
            let padded = Packed::new([Dyn(2); $rank])?.padded_to(TILE)?;
            let plan = padded.plan()?;
            let lengths: Vec<u32> = TILE.iter().map(|tile| 2u32.div_ceil(*tile) * tile).collect();
            assert_eq!(plan.lengths().as_slice(), lengths, "rank {}", $rank);
            let last = plan.offset(&[1; $rank]);
            assert_eq!(last, Ok(2u32.pow($rank) - 1), "rank {}", $rank);
        })*};
    }
    ranks!(1 2 3 4 5 6 7 8 9 10 11 12);
    Ok(())
}

/// A transform takes up to 12 dimensions: one index is taken apart into as many of length 2.
#[test]
fn as_many_dimensions_as_there_are() -> Result<(), Error> {
    macro_rules! merged {
        ($($count:literal: $($id:literal)*;)*) => {$({
            let tile = Packed::new([Dyn(2); $count])?.transform(
                (Merge::new([Dyn(2); $count]),),
                lower![[$($id),*]],
                upper![[0]],
            )?;
            assert_eq!(tile.plan()?.lengths(), [1 << $count]);
            let last: u32 = (1 << $count) - 1;
            assert_eq!((tile.at([last]), tile.at([last - 1])), (last, last - 1));
        })*};
    }
    merged! {
        1: 0;
        2: 0 1;
        3: 0 1 2;
        4: 0 1 2 3;
        5: 0 1 2 3 4;
        6: 0 1 2 3 4 5;
        7: 0 1 2 3 4 5 6;
        8: 0 1 2 3 4 5 6 7;
        9: 0 1 2 3 4 5 6 7 8;
        10: 0 1 2 3 4 5 6 7 8 9;
        11: 0 1 2 3 4 5 6 7 8 9 10;
        12: 0 1 2 3 4 5 6 7 8 9 10 11;
    }
    Ok(())
}
