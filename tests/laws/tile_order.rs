//! The elements of a lane in the order of the tile, and the lanes that share them.
//!
//! | law | against |
//! |---|---|
//! | a sweep is in the order of the coordinates | the lane's coordinates, sorted |
//! | what kernels sweep, who holds a coordinate, the element at a Y index | the encoding |
//! | a butterfly | all lanes: a number with that bit changed, and any other bit |
//! | its bits | the kernel of the distribution over bits |
//! | the sums of rows and columns of accumulators | naive sums |

use support::fuzz::Dice;
use support::lists::Lists;
use tiledesc::List;
use tiledesc::distribution::{DistributionError, Place, Reduced, ThreadRaked, Within};
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;

/// Random distributions that are small enough to try all lanes.
fn lists(seed: u64) -> impl Iterator<Item = Lists> {
    let mut dice = Dice(seed);
    core::iter::repeat_with(move || Lists::random(&mut dice)).filter(|lists| lists.product() < 4000)
}

#[test]
fn sweeps_are_sorted() {
    for lists in lists(3).take(400) {
        let encoding = lists.encoding().unwrap();
        let first = lists.coordinate([0; 3]);
        for lane in lists.held() {
            let from_first = |at: &Vec<u32>| -> Vec<u32> {
                at.iter().zip(&lane[0]).map(|(index, first)| index - first).collect()
            };
            let mut wanted: Vec<(Vec<u32>, u32)> = lane.iter().map(from_first).zip(0..).collect();
            wanted.sort();
            for (step, (offset, element)) in (0..).zip(&wanted) {
                let (ours, at) = encoding.swept(step).unwrap();
                assert_eq!((ours, at.as_slice()), (*element, &offset[..]), "{lists:?}");
                // The place from the lane's first leads back.
                let place: Vec<u32> = offset.iter().zip(&first).map(|(a, b)| a + b).collect();
                assert_eq!(encoding.owner(&place).unwrap().element, *element);
            }
            assert!(encoding.swept(wanted.len() as u32).is_err());
        }
    }
}

/// Whether a lane holds what another does, element by element.
fn is_shared(lists: &Lists, [wave, lane]: [u32; 2], by: [u32; 2]) -> bool {
    (0..lists.numbers(2)).all(|element| {
        lists.coordinate([wave, lane, element]) == lists.coordinate([by[0], by[1], element])
    })
}

#[test]
fn butterflies_are_the_bits_that_change_nothing() {
    let (mut found, mut refused) = (0, 0);
    for lists in lists(4).filter(|lists| lists.product() < 600).take(3000) {
        let encoding = lists.encoding().unwrap();
        let butterfly = match encoding.butterfly() {
            Ok(butterfly) => butterfly,
            Err(DistributionError::NotPowerOfTwo { length, .. }) => {
                assert!(!length.is_power_of_two() && encoding.replicas() > 1);
                refused += 1;
                continue;
            }
            Err(other) => panic!("{other}"),
        };
        let (waves, lanes) = (lists.numbers(0), lists.numbers(1));
        let bits = butterfly.lanes().len() + butterfly.waves().len();
        assert_eq!(encoding.replicas(), 1 << bits, "{lists:?}");
        found += usize::from(bits > 0);
        for (wave, lane) in (0..waves).flat_map(|wave| (0..lanes).map(move |lane| (wave, lane))) {
            for mask in butterfly.lanes() {
                assert!((lane ^ mask) < lanes);
                assert!(is_shared(&lists, [wave, lane], [wave, lane ^ mask]), "{lists:?}");
            }
            for mask in butterfly.waves() {
                assert!((wave ^ mask) < waves);
                assert!(is_shared(&lists, [wave, lane], [wave ^ mask, lane]), "{lists:?}");
            }
        }
        // No other bit does, or the lanes of one element would be more than its replicas.
        if let Ok(map) = tiledesc_host::exchange::linear::from_encoding(&encoding) {
            let elements = lists.numbers(2).trailing_zeros();
            let wave_bit = elements + lanes.trailing_zeros();
            let lanes = butterfly.lanes().iter().map(|mask| mask << elements);
            let waves = butterfly.waves().iter().map(|mask| mask << wave_bit);
            let mut ours: Vec<u32> = lanes.chain(waves).collect();
            let mut kernel = map.kernel().vectors().to_vec();
            ours.sort_unstable();
            kernel.sort_unstable();
            assert_eq!(ours, kernel, "{lists:?}");
        }
    }
    assert!(found > 300 && refused > 300, "{found} {refused}");
}

distribution! {
    /// No powers of two, neighbours in the dimension that are not in the lane.
    type Odd:
        m [far 3, near 5, one 1, lonely 2], k [chunk 7, piece 2, pair 2];
        repeat [copy 3], wave (copy, chunk), lane (far, near, piece), thread (pair, lonely);
    type Fetch:
        m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    type Turned:
        m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (half, again);
    type Alone: x [all 12]; thread (all);
    type Nothing: x [lane 12]; lane (lane);
    type Waves: m [again 2, wave 2], n [more 3, across 2];
        wave (wave, across), thread (more, again);
}

fn same<T: Distribution, const RANK: usize>() {
    let encoding = T::ENCODING.unwrap();
    assert_eq!(T::REPLICAS, encoding.replicas());
    let mut steps = 0;
    for (step, (element, offset)) in (0..).zip(T::sweep::<RANK>()) {
        let (ours, at) = encoding.swept(step).unwrap();
        assert_eq!((ours as usize, at.as_slice()), (element, &offset[..]));
        steps += 1;
    }
    assert_eq!((steps, T::sweep::<RANK>().len()), (T::ELEMENTS, T::ELEMENTS));
    // Folded as a whole, and what is left of it.
    let mut folded = Vec::new();
    T::sweep::<RANK>().for_each(|step| folded.push(step));
    assert!(T::sweep().eq(folded.iter().copied()));
    let mut rest = T::sweep::<RANK>();
    let first = rest.next();
    folded.clear();
    rest.for_each(|step| folded.push(step));
    assert!(T::sweep().eq(first.into_iter().chain(folded)));
    let backwards: Vec<_> = T::sweep::<RANK>().rev().collect();
    let forwards: Vec<_> = T::sweep::<RANK>().collect();
    assert!(backwards.iter().rev().eq(&forwards));
    for number in 0..encoding.lengths().elements() {
        let at: List = encoding.lengths().nth(number);
        let index: [u32; RANK] = at.as_slice().try_into().unwrap();
        let ours: Place = T::owner(index);
        assert_eq!(ours, encoding.owner(&index).unwrap());
    }
}

fn same_elements<T: Distribution, const YS: usize>() {
    let encoding = T::ENCODING.unwrap();
    for number in 0..encoding.elements() {
        let ys: [u32; YS] = encoding.ys().nth(number.into()).as_slice().try_into().unwrap();
        assert_eq!(T::element(ys), number as usize);
        assert_eq!(tiledesc::distribution::element::<T, YS>(ys), number as usize);
    }
}

#[test]
fn kernels_compute_the_same() {
    same::<Odd, 2>();
    same::<Fetch, 2>();
    same::<Turned, 2>();
    same::<Alone, 1>();
    same::<Nothing, 1>();
    same::<ThreadRaked<Lit<96>, U64, U4, U2>, 2>();
    // 300 elements: more than are unrolled.
    same::<ThreadRaked<Lit<300>, Lit<300>, Lit<5>, Lit<5>, Lit<60>>, 2>();
    same::<Within<Waves, mfma::F16_32x32x8::C>, 2>();
    same::<Reduced<Within<Waves, mfma::F16_32x32x8::C>, 1>, 1>();
    same_elements::<Odd, 2>();
    same_elements::<Fetch, 2>();
    same_elements::<Alone, 1>();
    same_elements::<Nothing, 0>();
    same_elements::<Within<Waves, mfma::F16_32x32x8::C>, 4>();
}

/// Sums along a dimension as a kernel makes them: each lane what it holds, then a butterfly
/// between the lanes of a wave, then one between waves.
fn sums<T: Distribution, const DIM: usize>(value: impl Fn(u32, u32) -> u64) {
    type Sums<T, const DIM: usize> = Reduced<T, DIM>;
    let (waves, lanes) = (T::WAVES as usize, T::LANES_PER_WAVE as usize);
    let mut sums = vec![vec![0u64; Sums::<T, DIM>::ELEMENTS]; waves * lanes];
    for (number, sums) in sums.iter_mut().enumerate() {
        T::sweep::<2>().for_each(|(element, offset)| {
            let [m, n] = T::coordinate((number / lanes) as u32, (number % lanes) as u32, element);
            let to = Sums::<T, DIM>::owner([offset[1 - DIM]]).element as usize;
            sums[to] += value(m, n);
        });
    }
    let butterfly = Sums::<T, DIM>::BUTTERFLY;
    let waves_apart = butterfly.waves().iter().map(|mask| *mask as usize * lanes);
    for mask in butterfly.lanes().iter().map(|mask| *mask as usize).chain(waves_apart) {
        let before = sums.clone();
        for (number, sums) in sums.iter_mut().enumerate() {
            for (sum, other) in sums.iter_mut().zip(&before[number ^ mask]) {
                *sum += other;
            }
        }
    }
    let lengths = T::ENCODING.unwrap().lengths();
    for (number, sums) in sums.iter().enumerate() {
        for (element, sum) in sums.iter().enumerate() {
            let (wave, lane) = ((number / lanes) as u32, (number % lanes) as u32);
            let [kept] = Sums::<T, DIM>::coordinate(wave, lane, element);
            let all = (0..lengths.at(DIM)).map(|summed| match DIM {
                0 => value(summed, kept),
                _ => value(kept, summed),
            });
            assert_eq!(*sum, all.sum::<u64>());
        }
    }
}

#[test]
fn sums_of_accumulators() {
    let value = |m: u32, n: u32| (u64::from(m) * 1_000_003) ^ (u64::from(n) * 77_777);
    sums::<mfma::F16_32x32x8::C, 0>(value);
    sums::<mfma::F16_32x32x8::C, 1>(value);
    sums::<mfma::F16_32x32x8::Ct, 1>(value);
    sums::<mfma::F16_16x16x16::C, 1>(value);
    sums::<Within<Waves, mfma::F16_32x32x8::C>, 0>(value);
    sums::<Within<Waves, mfma::F16_32x32x8::C>, 1>(value);
    sums::<Fetch, 0>(value);
    sums::<Turned, 1>(value);
}

#[test]
fn refusals_say_why() {
    distribution! {
        type Three: m [row 8]; repeat [copy 3], lane (copy, row);
        type Above: m [row 3]; repeat [copy 2], lane (copy, row);
        type Below: m [row 3]; repeat [copy 2], lane (row, copy);
    }
    let said = |encoding: Result<tiledesc::distribution::Encoding, _>| {
        encoding.unwrap().butterfly().unwrap_err().to_string()
    };
    assert_eq!(
        said(Three::ENCODING),
        r#"the repetition "copy" has length 3, which is not a power of two"#
    );
    // Lane 4 holds what lane 1 does, and 4 ^ 1 = 5; lane 5 what lane 2 does, and 5 ^ 2 = 7.
    assert_eq!(
        said(Above::ENCODING),
        r#"factor "row" of m has length 3, which is not a power of two"#
    );
    assert_eq!(Below::BUTTERFLY.lanes(), [1]);
    assert_eq!(
        Fetch::ENCODING.unwrap().swept(32).unwrap_err().to_string(),
        "element 32 does not exist: the number of elements is 32",
    );
}
