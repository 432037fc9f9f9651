//! Windows: over any view, every element of the tensor once, and nothing outside of it.

use proptest::prelude::*;
use std::collections::BTreeSet;
use support::attempt::caught;
use tiledesc::access::AccessError;
use tiledesc::chip::{self, Chip};
use tiledesc::distribution::{BlockRaked, DimensionName, Shuffled, ThreadRaked, WarpRaked};
use tiledesc::prelude::*;
use tiledesc::transforms::{OfRank, Rank};

/// Moves a window over a whole view, block after block; says how often each offset is touched, and
/// compares each vector with coordinates asked one by one.
fn touched<V, T, P, const R: usize>(view: V, tile: [u32; R]) -> Vec<u32>
where
    V: Descriptor,
    T: Distribution,
    P: Number,
    [u32; R]: OfRank<<V::Rank as Rank>::Dimensions>,
{
    let window = Window::<_, T, P, R>::new(view).unwrap();
    let lengths = view.lengths();
    let blocks: Vec<u32> = (0..R).map(|d| lengths[d].div_ceil(tile[d])).collect();
    let mut touched = vec![0; view.plan().unwrap().element_space() as usize];
    for block in 0..blocks.iter().product() {
        let mut rest = block;
        let mut origin = [0; R];
        for d in (0..R).rev() {
            origin[d] = rest % blocks[d] * tile[d];
            rest /= blocks[d];
        }
        // The same place, by a move.
        let mut moved = window.at(origin.map(|index| index + 64));
        moved.move_by([-64; R]);
        assert_eq!(moved.origin(), origin);
        for (wave, lane) in
            (0..T::WAVES).flat_map(|wave| (0..T::LANES_PER_WAVE).map(move |lane| (wave, lane)))
        {
            let (mut elements, mut calls) = (vec![false; T::ELEMENTS], 0);
            moved.each(wave, lane, |offset, valid, first| {
                calls += 1;
                for i in 0..P::N as usize {
                    assert!(!core::mem::replace(&mut elements[first + i], true));
                    let (held, is_held) = T::masked::<R>(wave, lane, first + i);
                    let index = core::array::from_fn(|d| origin[d] + held[d]);
                    let expected = view.valid_offset::<u32, R>(index).filter(|_| is_held);
                    assert_eq!(valid.then(|| offset + i as u32), expected, "{index:?}");
                    if let Some(offset) = expected {
                        touched[offset as usize] += 1;
                    }
                }
            });
            assert_eq!(calls, Window::<V, T, P, R>::COUNT);
            assert!(elements.into_iter().all(|seen| seen));
        }
    }
    touched
}

distribution! {
    /// Rows apart by waves.
    type Fetch:
        m [again 4, wave 4, row 8],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// 128 elements a lane, one by one.
    type Many: m [again 16, row 8], k [chunk 8, deep 8]; lane (row, chunk), thread (again, deep);
    /// Contiguous along both dimensions.
    type Square: m [row 16, four 4], k [column 4, other 4]; lane (row, column), thread (four, other);
    type Turned: m [row 16, four 4], k [column 4, other 4]; lane (row, column), thread (other, four);
    type Cube: b [batch 2], m [row 16], k [part 4, pack 4]; lane (row, part), thread (batch, pack);
    /// Tiles that the factors do not divide.
    type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
    type Again: (m, k) [again 4, lane 64, part 4] of (22, 40); lane (lane), thread (again, part);
    type Rows: m [again 4, row 8] of 31, k [part 32, four 4] of 100; wave (row), lane (part), thread (again, four);
    type Long: (m, k) [again 40, lane 64] of (31, 80); lane (lane), thread (again);
    /// 40 vectors of 2, of which every second one begins within four elements that are counted as one.
    type Longer: (m, k) [again 20, lane 64, part 4] of (50, 100); lane (lane), thread (again, part);
    /// Vectors of 3, which no alignment suits.
    type Threes: m [row 16], k [chunk 4, part 3]; lane (row, chunk), thread (part);
}

#[test]
fn every_element_once() {
    let sizes = [[1, 8], [128, 64], [150, 200], [127, 72], [129, 136]];
    for [m, k] in sizes {
        let view = Naive::rows(m, k).whole().unwrap();
        let once = vec![1; (m * k) as usize];
        assert_eq!(touched::<_, Fetch, U8, 2>(view, [128, 64]), once);
        assert_eq!(touched::<_, ThreadRaked<U128, U64, U8, U4>, U8, 2>(view, [128, 64]), once);
        assert_eq!(touched::<_, WarpRaked<U128, U64, U8, U4>, U4, 2>(view, [128, 64]), once);
        assert_eq!(touched::<_, BlockRaked<U128, U64, U8, U4>, U2, 2>(view, [128, 64]), once);
        assert_eq!(touched::<_, Many, U1, 2>(view, [128, 64]), once);
        assert_eq!(touched::<_, Many, U8, 2>(view, [128, 64]), once);
    }
    for [m, k] in [[22, 40], [44, 80], [50, 100], [31, 200], [1, 4]] {
        let (view, once) = (Naive::rows(m, k).whole().unwrap(), vec![1; (m * k) as usize]);
        assert_eq!(touched::<_, Halo, U4, 2>(view, [22, 40]), once);
        assert_eq!(touched::<_, Again, U2, 2>(view, [22, 40]), once);
        assert_eq!(touched::<_, Rows, U4, 2>(view, [31, 100]), once);
        assert_eq!(touched::<_, Long, U1, 2>(view, [31, 80]), once);
        assert_eq!(touched::<_, Longer, U2, 2>(view, [50, 100]), once);
    }
    // Rows of any length, one element at a time.
    for [m, k] in [[1, 1], [3, 65], [129, 7]] {
        let view = Naive::rows(m, k).whole().unwrap();
        assert_eq!(touched::<_, Fetch, U1, 2>(view, [128, 64]), vec![1; (m * k) as usize]);
    }
    // A pitch: what is between the rows is not touched.
    let view = Naive::rows(10, 24).pitch(32).whole().unwrap();
    let found = touched::<_, Fetch, U8, 2>(view, [128, 64]);
    assert!(found.iter().enumerate().all(|(at, &times)| times == u32::from(at % 32 < 24)));
    // Padding, and three dimensions.
    let view = Naive::rows(10, 24).padded_to([128, 64]).unwrap();
    assert_eq!(touched::<_, Fetch, U8, 2>(view, [128, 64]), vec![1; 240]);
    let view = Packed::new([Dyn(3), Dyn(17), Dyn(20)]).unwrap();
    assert_eq!(touched::<_, Cube, U4, 3>(view, [2, 16, 16]), vec![1; 3 * 17 * 20]);
}

/// Before the begin and after the end nothing is valid, and the way back is there.
#[test]
fn outside_of_the_view() {
    let window =
        Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole().unwrap()).unwrap();
    for step in [[-128, 0], [0, -64], [256, 0], [0, 256], [i32::MIN, 0], [i32::MAX, 64]] {
        let mut moved = window;
        moved.move_by(step);
        for lane in 0..64 {
            moved.each(0, lane, |_, valid, _| assert!(!valid, "{step:?} {lane}"));
        }
        moved.move_by(step.map(i32::wrapping_neg));
        assert_eq!(moved.origin(), [0, 0]);
    }
}

/// The vectors' dimension is the one along which the view is contiguous.
#[test]
fn columns_are_rows_of_another_view() {
    let columns = Naive::new([Dyn(72), Dyn(30)], (Lit::<1>, Dyn(72))).unwrap();
    let rows = Naive::rows(30, 72).whole().unwrap();
    assert_eq!(touched::<_, Turned, U4, 2>(columns, [64, 16]), vec![1; 72 * 30]);
    assert_eq!(touched::<_, Square, U4, 2>(rows, [64, 16]), vec![1; 72 * 30]);
    assert_eq!(Window::<_, Turned, VectorSize<4>>::new(columns).unwrap().along(), 0);
    assert_eq!(Window::<_, Square, VectorSize<4>>::new(rows).unwrap().along(), 1);
    // Single elements lie along any dimension: the last is taken.
    assert_eq!(Window::<_, Square, VectorSize<1>>::new(rows).unwrap().along(), 1);
    type Fetched = Shuffled<ThreadRaked<U64, U64, U4, U4>>;
    let rows = Naive::rows(64, 100).whole().unwrap();
    // Four neighbouring rows of a thread-raked fetch are consecutive after the shuffle.
    assert_eq!(touched::<_, Fetched, U4, 2>(rows, [64, 64]), vec![1; 6400]);
}

const K: DimensionName = DimensionName { name: "k", number: 1 };

#[test]
fn views_for_which_one_test_is_not_enough() {
    let refused = |m, k, pitch| {
        let view = Naive::rows(m, k).pitch(pitch).whole().unwrap();
        Window::<_, Fetch, VectorSize<8>>::new(view).unwrap_err()
    };
    for (m, k, pitch, whole) in [(10, 42, 42, 2), (10, 44, 48, 4), (10, 48, 49, 1), (10, 64, 68, 4)]
    {
        assert_eq!(refused(m, k, pitch), AccessError::View { vector: 8, along: K, whole });
    }
    assert_eq!(
        refused(10, 42, 42).to_string(),
        "vectors of 8 along k do not all lie aligned and entirely inside or outside the view; vectors of 2 do",
    );
    let columns = Naive::new([Dyn(64), Dyn(16)], (Lit::<1>, Dyn(64))).unwrap();
    assert_eq!(
        Window::<_, Fetch, VectorSize<8>>::new(columns).unwrap_err(),
        AccessError::View { vector: 8, along: K, whole: 1 },
    );
    // Every second element of memory: aligned, but not contiguous.
    let spread = Naive::new([Dyn(4), Dyn(64)], (Dyn(128), Lit::<2>)).unwrap();
    assert_eq!(
        Window::<_, Fetch, VectorSize<8>>::new(spread).unwrap_err(),
        AccessError::View { vector: 8, along: K, whole: 1 },
    );
    // More elements are whole than a vector has, but a vector of 3 begins within them.
    assert_eq!(
        Window::<_, Threes, U3>::new(Naive::rows(16, 12).whole().unwrap()).unwrap_err(),
        AccessError::View { vector: 3, along: K, whole: 4 },
    );
    // Padding within a vector.
    let padded = Naive::rows(10, 42).padded_to([8, 16]).unwrap();
    assert_eq!(
        Window::<_, Fetch, VectorSize<8>>::new(padded).unwrap_err(),
        AccessError::View { vector: 8, along: K, whole: 2 },
    );
    // Memory begins at a multiple of 8 and ends within a vector: elements 8 to 11 of 12.
    let rows = Naive::new([Dyn(3), Dyn(4)], (Dyn(8), Lit::<1>)).unwrap();
    let ids = ((Lit::<0>,), (Lit::<1>,));
    let pads = (PassThrough::new(Dyn(3)), Pad::new(Dyn(4), Dyn(8), Dyn(0)));
    let cut = rows.transform(pads, ids, ids).unwrap();
    assert_eq!(
        Window::<_, Fetch, VectorSize<8>>::new(cut).unwrap_err(),
        AccessError::View { vector: 8, along: K, whole: 4 },
    );
    // One row needs no pitch, and a large matrix is not walked.
    assert!(
        Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(1, 48).pitch(49).whole().unwrap())
            .is_ok()
    );
    assert!(
        Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(500_000, 8000).whole().unwrap()).is_ok()
    );
}

/// Debug builds check that a window begins at a whole vector along the vectors' own dimension, and there only.
#[test]
#[cfg(debug_assertions)]
fn origins_within_a_vector() {
    let columns = Naive::new([Dyn(72), Dyn(30)], (Lit::<1>, Dyn(72))).unwrap();
    let window = Window::<_, Turned, VectorSize<4>>::new(columns).unwrap();
    assert_eq!(window.at([8, 3]).origin(), [8, 3]);
    let is_refused = |run: &dyn Fn()| {
        let panic = caught(run).unwrap_err();
        panic.sentence.ends_with(", but its vectors of 4 begin at multiples of 4")
    };
    assert!(is_refused(&|| _ = window.at([2, 4])));
    assert!(is_refused(&|| {
        let mut moved = window;
        moved.move_by([-6, 0]);
    }));
}

/// Holds what a window says of its lines to the bytes of each load of each wave.
fn check_lines<T: Distribution, P: Number, E: Element>(lengths: [u32; 2], chip: &Chip) {
    let view = Naive::rows(lengths[0], lengths[1]).whole().unwrap();
    let window = Window::<_, T, P>::new(view).unwrap();
    let (sector, bytes) = (chip.lines().unwrap().sector(), P::N * E::BITS / 8);
    let (mut most, mut at) = (0, [0; 2]);
    for wave in 0..T::WAVES {
        let mut loads = vec![BTreeSet::new(); T::ELEMENTS / P::N as usize];
        for lane in 0..T::LANES_PER_WAVE {
            let mut load = loads.iter_mut();
            window.each(wave, lane, |offset, valid, _| {
                let sectors = load.next().unwrap();
                if valid {
                    let first = offset * E::BITS / 8;
                    sectors.extend((first..first + bytes).map(|byte| byte / sector));
                }
            });
        }
        for (load, sectors) in loads.iter().enumerate() {
            if sectors.len() > most {
                (most, at) = (sectors.len(), [wave, load as u32]);
            }
        }
    }
    let said = window.coalescing::<E>(chip).unwrap();
    let what = format!("{lengths:?} by {} of {} bits on {}", P::N, E::BITS, chip.name());
    assert_eq!((said.touched().sectors as usize, said.wave_and_access()), (most, at), "{what}");
}

#[test]
fn lines_are_those_of_the_bytes() {
    let tiles = [[128, 64], [150, 200], [9, 24], [3, 8]];
    // One chip for each tile, since their lines differ: all tiles on all chips take 20 s.
    let chips = ["gfx90a", "gfx942", "sm_90", "gfx90a"].map(|name| chip::find(name).unwrap());
    check_lines::<Many, VectorSize<1>, F8>([9, 24], chips[2]);
    for (lengths, chip) in tiles.into_iter().zip(chips) {
        check_lines::<Fetch, VectorSize<8>, F16>(lengths, chip);
        check_lines::<Fetch, VectorSize<4>, F16>(lengths, chip);
        check_lines::<Fetch, VectorSize<1>, F8>(lengths, chip);
        check_lines::<Turned, VectorSize<1>, F32>(lengths, chip);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..Default::default() })]
    /// Accepted exactly where vectors of 1, 2, 4 and 8 are whole and aligned, asked one by one.
    #[test]
    fn whole_vectors_only(
        rows in 1u32..6, columns in 1u32..40, beyond in 0u32..9, tile in 1u32..20, padded: bool,
    ) {
        let view = Naive::rows(rows, columns).pitch(columns + beyond);
        if padded {
            compare(view.padded_to([1, tile]).unwrap())?;
        } else {
            compare(view.whole().unwrap())?;
        }
    }
}

fn compare<V: Descriptor<Rank = typenum::U2> + core::fmt::Debug>(
    view: V,
) -> Result<(), TestCaseError> {
    let accepted = [
        Window::<_, Fetch, VectorSize<1>>::new(view).is_ok(),
        Window::<_, Fetch, VectorSize<2>>::new(view).is_ok(),
        Window::<_, Fetch, VectorSize<4>>::new(view).is_ok(),
        Window::<_, Fetch, VectorSize<8>>::new(view).is_ok(),
    ];
    let lengths = [view.lengths()[0], view.lengths()[1]];
    for (accepted, vector) in accepted.into_iter().zip([1, 2, 4, 8]) {
        let is_whole = |row: u32, first: u32| {
            let at = |i| view.valid_offset::<u32, 2>([row, first + i]);
            match at(0) {
                Some(offset) => {
                    offset % vector == 0 && (0..vector).all(|i| at(i) == Some(offset + i))
                }
                None => (0..vector).all(|i| at(i).is_none()),
            }
        };
        let firsts = (0..lengths[1]).step_by(vector as usize);
        let expected = (0..lengths[0]).all(|row| firsts.clone().all(|first| is_whole(row, first)));
        // What is cut off a padded length may be padding only: refused, although nothing is lost.
        let is_cut = !lengths[1].is_multiple_of(vector);
        prop_assert!(
            accepted == expected || is_cut && !accepted,
            "vectors of {vector} in {view:?}"
        );
    }
    Ok(())
}
