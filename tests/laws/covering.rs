//! Tiles that the factors of a distribution do not divide: every lane holds what counting says, or nothing,
//! and every element of the tile is held as often as there are copies.
//!
//! Counted by hand: the coordinates of each dimension in their order, of which a number beyond the last has
//! none (`support::lists::Covered`). `FUZZ_CASES` asks for more (`tests/support/fuzz.rs`).

use std::collections::BTreeMap;
use support::fuzz::{Dice, cases};
use support::lists::{Covered, Factor, Lists};
use tiledesc::distribution::{BlockRaked, Covering, DistributionError, Encoding};
use tiledesc::prelude::*;

#[test]
fn every_lane_holds_what_counting_says() {
    let (cases, mut dice) = (cases("covered tiles"), Dice(43));
    let (mut idle, mut whole, mut carried) = (0, 0, 0);
    for _ in 0..cases {
        let lists = Lists::random(&mut dice);
        let covered = Covered::random(&mut dice, lists);
        if covered.lists.product() > 2048 || covered.tile().len() > 6 {
            continue;
        }
        let encoding = covered.encoding().unwrap();
        assert_eq!(encoding.lengths().as_slice(), covered.tile());
        let (held, lanes) = (covered.held(), covered.lists.numbers(1));
        let mut holders = BTreeMap::new();
        for (lane, elements) in held.iter().enumerate() {
            let (wave, lane) = (lane as u32 / lanes, lane as u32 % lanes);
            for (element, wanted) in elements.iter().enumerate() {
                let element = element as u32;
                let numbers = [wave, lane, element];
                let index = encoding.index_of(&numbers);
                match wanted {
                    Some(at) => {
                        let found = encoding.coordinate(wave, lane, element).unwrap();
                        assert_eq!(found.as_slice(), at, "{covered:?}");
                        assert_eq!(index[..at.len()], at[..], "{covered:?}");
                        assert_ne!(encoding.mask_of(&numbers), Some(false), "{covered:?}");
                        holders.entry(at.clone()).or_insert_with(Vec::new).push(numbers);
                    }
                    None => {
                        let found = encoding.coordinate(wave, lane, element);
                        assert_eq!(found, Err(DistributionError::Idle { wave, lane, element }));
                        assert_eq!(encoding.mask_of(&numbers), Some(false), "{covered:?}");
                    }
                }
            }
        }
        assert_eq!(holders.len(), covered.tile().iter().product::<u32>() as usize, "{covered:?}");
        for (at, holders) in &holders {
            assert_eq!(holders.len() as u32, encoding.replicas());
            for copy in 0..encoding.replicas() {
                let place = encoding.owner_of_copy(at, copy).unwrap();
                assert!(holders.contains(&[place.wave, place.lane, place.element]), "{covered:?}");
            }
        }
        let is_idle = held.iter().flatten().any(Option::is_none);
        assert_eq!(encoding.has_idle_lanes(), is_idle, "{covered:?}");
        idle += u32::from(is_idle);
        whole += u32::from(!is_idle);
        carried += u32::from(covered.parts.iter().any(|part| part.len() > 1));
    }
    println!("{cases} cases: {idle} with idle lanes, {whole} without, {carried} counted as one");
    assert!(idle > cases / 8 && whole > cases / 100 && carried > cases / 8);
}

/// In kernels, of types: all lanes of some.
#[test]
fn in_kernels() {
    distribution! {
        type Rows: m [again 4, wave 2, row 4] of 31, k [part 2, pack 4]; wave (wave), lane (row, part), thread (again, pack);
        type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
        type Deep: b [batch 2], (m, h, k) [again 3, lane 16, pack 2] of (5, 3, 6); wave (batch), lane (lane), thread (again, pack);
        type Sized<M, K>: (m, k) [wave 4, lane 64, part 4] of (M + 2, K * 2); wave (wave), lane (lane), thread (part);
        // The tile ends within a vector, or its rows do; and it ends with one, but lanes count elements.
        type Cut: m [lane 8, part 4] of 30; lane (lane), thread (part);
        type Torn: (m, k) [lane 8, part 4] of (5, 6); lane (lane), thread (part);
        type Again: m [again 4, row 8] of 24; lane (row), thread (again);
        // Nothing beyond: a number that goes on, and no idle lane.
        type Full: (m, k) [lane 32, part 2] of (4, 16); lane (lane), thread (part);
    }
    fn check<T: Distribution, const RANK: usize>() -> usize {
        let encoding = T::ENCODING.unwrap();
        let mut idle = 0;
        for wave in 0..T::WAVES {
            for lane in 0..T::LANES_PER_WAVE {
                for element in 0..T::ELEMENTS {
                    let (at, valid) = T::masked::<RANK>(wave, lane, element);
                    match encoding.coordinate(wave, lane, element as u32) {
                        Ok(wanted) => {
                            assert!(valid);
                            assert_eq!(wanted.as_slice(), at);
                            let place = encoding.owner(&at).unwrap();
                            assert_eq!(T::owner(at), place);
                        }
                        Err(_) => {
                            assert!(!valid);
                            idle += 1;
                        }
                    }
                }
            }
        }
        idle
    }
    assert_eq!(check::<Rows, 2>(), 8);
    assert_eq!(check::<Halo, 2>(), 36 * 4);
    assert_eq!(check::<Deep, 4>(), 2 * (96 - 90));
    assert_eq!(check::<Sized<Lit<20>, Lit<20>>, 2>(), 36 * 4);
    assert_eq!((check::<Cut, 1>(), check::<Torn, 2>(), check::<Again, 1>()), (2, 2, 8));
    assert_eq!(check::<Full, 2>(), 0);
    assert_eq!(Full::coordinate(0, 9, 1), [1, 3]);
    assert_eq!(check::<Covering<BlockRaked<U32, U64, U8, U4>, lists![[31], []]>, 2>(), 64);
}

/// What cannot be covered, and what is not to be asked of what is.
#[test]
fn refusals() {
    let factors = [(1, 4), (1, 8), (2, 8)].map(|(group, length)| Factor { group, length }).to_vec();
    let lists = Lists { rank: 2, factors, owners: [vec![], vec![0, 1], vec![2]] };
    let whole = lists.encoding().unwrap();
    let says = |parts: &[&[u32]]| whole.covering(parts).unwrap_err().to_string();
    assert_eq!(says(&[&[33], &[]]), "the factors of dimension 0 cover 32 of its 33 elements");
    assert_eq!(says(&[&[7, 5], &[]]), "the factors of dimension 0 cover 32 of its 35 elements");
    let large = [u32::MAX, u32::MAX, u32::MAX];
    assert_eq!(
        says(&[&large, &[]]),
        "the factors of dimension 0 cover 32 of its 18446744073709551615 elements"
    );
    assert_eq!(says(&[&[0], &[]]), "the factors of dimension 0 cover 32 of its 0 elements");
    assert_eq!(says(&[&[31]]), "1 length is given for 2 dimensions");
    assert_eq!(says(&[&[1; 13], &[]]), "too many dimensions (the limit is 12)");
    assert_eq!(says(&[&[1; 7], &[1; 6]]), "too many dimensions (the limit is 12)");

    let rows = whole.covering(&[&[31], &[]]).unwrap();
    let undivided = "dimension 0 (length 31) is not the product of its factors";
    let refused: [Result<Encoding, DistributionError>; 5] = [
        rows.covering(&[&[30], &[]]),
        rows.reduced(1),
        rows.slice(1, 0, 4).map(|slice| slice.encoding),
        rows.around(&whole),
        rows.transposed(),
    ];
    for refused in refused {
        assert_eq!(refused.unwrap_err().to_string(), undivided);
    }
    assert_eq!(rows.linear().unwrap_err().to_string(), undivided);
    assert_eq!(rows.plan().unwrap_err().to_string(), undivided);
    assert_eq!(rows.exchange(&rows).unwrap_err().to_string(), undivided);
    // Elements that one number counts row by row are as linear as those of each dimension.
    let run = whole.covering(&[&[4, 8], &[]]).unwrap();
    assert_eq!(run.linear().unwrap().columns(), whole.linear().unwrap().columns());
}
