//! Tiles that the factors of a distribution do not divide: every lane holds what counting says, or nothing,
//! and every element of the tile is held as often as there are copies.
//!
//! Counted by hand: the coordinates of each dimension in their order, of which a number beyond the last has
//! none (`support::lists::Covered`). `cargo xtask test --deep` asks for more (`tests/support/fuzz.rs`).

use std::collections::{BTreeMap, BTreeSet};
use support::fuzz::{Dice, cases};
use support::lists::{Covered, Factor, Lists};
use tiledesc::distribution::{BlockRaked, Covering, DistributionError, Encoding};
use tiledesc::prelude::*;
use tiledesc_host::exchange::{ck, linear};

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

/// What every lane of each wave holds, element by element.
fn held(encoding: &Encoding) -> Vec<Vec<Option<Vec<u32>>>> {
    let lanes = (0..encoding.waves()).flat_map(|w| (0..encoding.lanes()).map(move |l| [w, l]));
    let of = |[wave, lane]: [u32; 2]| {
        let elements = 0..encoding.elements();
        let at = |element| encoding.coordinate(wave, lane, element).ok();
        elements.map(|element| at(element).map(|at| at.as_slice().to_vec())).collect()
    };
    lanes.map(of).collect()
}

/// The same of a whole tile, without what lies beyond these lengths.
fn cut(whole: &Encoding, lengths: &[u32]) -> Vec<Vec<Option<Vec<u32>>>> {
    let inside = |at: &Vec<u32>| at.iter().zip(lengths).all(|(index, length)| index < length);
    let mut all = held(whole);
    for element in all.iter_mut().flatten() {
        *element = element.take().filter(inside);
    }
    all
}

/// What is made of a distribution that covers its tile is that of the whole one, and ends where the tile does.
#[test]
fn what_is_made_of_them() {
    let (cases, mut dice) = (cases("parts of covered tiles"), Dice(47));
    let (mut parts, mut tails, mut exchanged, mut around) = (0, 0, 0, 0);
    for _ in 0..cases {
        let lists = Lists::random(&mut dice);
        if lists.product() > 1024 {
            continue;
        }
        let ends = |lists: &Lists, dice: &mut Dice| -> Vec<Vec<u32>> {
            let end = |length| if dice.one_in(2) { vec![1 + dice.below(length)] } else { vec![] };
            lists.tile().into_iter().map(end).collect()
        };
        let covered = Covered { parts: ends(&lists, &mut dice), lists };
        let (whole, encoding) = (covered.lists.encoding().unwrap(), covered.encoding().unwrap());
        let lengths = covered.tile();
        let turned: Vec<u32> = lengths.iter().copied().rev().collect();
        assert_eq!(held(&encoding), cut(&whole, &lengths));
        let of = |made: Encoding, whole: Encoding, lengths: &[u32]| {
            assert_eq!(made.lengths().as_slice(), lengths, "{covered:?}");
            assert!(held(&made) == cut(&whole, lengths), "{covered:?}");
        };
        of(encoding.transposed().unwrap(), whole.transposed().unwrap(), &turned);
        of(encoding.shuffled().unwrap(), whole.shuffled().unwrap(), &turned);
        let d = dice.below(lengths.len() as u32) as usize;
        if lengths.len() > 1 {
            let rest = [&lengths[..d], &lengths[d + 1..]].concat();
            of(encoding.reduced(d).unwrap(), whole.reduced(d).unwrap(), &rest);
        }

        // A part has the elements of the tile between its ends, in the registers that it says.
        let begin = dice.below(lengths[d]);
        let end =
            if dice.one_in(2) { lengths[d] } else { begin + 1 + dice.below(lengths[d] - begin) };
        if let Ok(part) = encoding.slice(d, begin, end) {
            let is_of = |at: &&Vec<u32>| (begin..end).contains(&at[d]);
            let mut shifted = held(&part.encoding);
            shifted.iter_mut().flatten().flatten().for_each(|at| at[d] += begin);
            for (lane, (has, of)) in shifted.iter().zip(held(&encoding)).enumerate() {
                let wanted: BTreeSet<_> = of.iter().flatten().filter(is_of).collect();
                assert_eq!(
                    has.iter().flatten().collect::<BTreeSet<_>>(),
                    wanted,
                    "{covered:?} {lane}"
                );
            }
            parts += 1;
            tails += u32::from(part.encoding.has_idle_lanes());
        } else {
            // Nor has the whole such a part.
            assert!(whole.slice(d, begin, end).is_err(), "{covered:?} {d} {begin} {end}");
        }

        // Around another: whole inner tiles, or one that ends early and stands alone.
        let mut inner = Lists::random(&mut dice);
        inner.rank = covered.lists.rank;
        if let (Ok(_), true) =
            (inner.encoding(), inner.factors.iter().all(|f| f.group <= inner.rank))
        {
            let inner = Covered { parts: ends(&inner, &mut dice), lists: inner };
            let tiles: Vec<_> = covered.lists.tile().into_iter().zip(inner.lists.tile()).collect();
            let repeats = |d: usize| inner.tile()[d] < tiles[d].1 && tiles[d].0 > 1;
            let wanted: Vec<u32> = lengths.iter().zip(inner.tile()).map(|(a, b)| a * b).collect();
            let made = encoding.around(&inner.encoding().unwrap());
            if (0..lengths.len()).any(repeats) {
                assert!(matches!(made, Err(DistributionError::EndsWithin { .. })), "{made:?}");
            } else if covered.lists.product() * inner.lists.product() < 4096 {
                of(made.unwrap(), whole.around(&inner.lists.encoding().unwrap()).unwrap(), &wanted);
                around += 1;
            }
        }

        // To other lanes and registers: what a lane is to hold is where the permutation says.
        let to = Covered { lists: covered.lists.changed(&mut dice), parts: covered.parts.clone() };
        let moves = encoding.exchange(&to.encoding().unwrap());
        let of_whole = whole.exchange(&to.lists.encoding().unwrap());
        match (moves, of_whole) {
            (Ok(moves), Ok(of_whole)) => {
                assert_eq!(moves.permutation(), of_whole.permutation());
                let Some(permutation) = moves.permutation() else { continue };
                for (before, after) in covered.held().iter().zip(to.held()) {
                    for (after, source) in after.iter().zip(permutation) {
                        assert_eq!(&before[usize::from(*source)], after, "{covered:?} {to:?}");
                    }
                }
                exchanged += 1;
            }
            (moves, of_whole) => assert_eq!(moves.err(), of_whole.err()),
        }
    }
    println!(
        "{cases} cases: {parts} parts, {tails} of them with tails, {around} around, {exchanged} exchanged"
    );
    assert!(tails > cases / 20 && around > cases / 100 && exchanged > cases / 20);
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
    assert_eq!(rows.covering(&[&[30], &[]]).unwrap_err().to_string(), undivided);
    assert_eq!(linear::from_encoding(&rows).unwrap_err().to_string(), undivided);
    assert_eq!(ck::graph(&rows).unwrap_err().to_string(), undivided);

    // One number over both dimensions has no part along one of them.
    let run = Lists {
        rank: 1,
        factors: [4, 8, 8].map(|length| Factor { group: 1, length }).to_vec(),
        owners: [vec![], vec![0, 1], vec![2]],
    };
    let all = run.encoding().unwrap().covering(&[&[31, 8]]).unwrap();
    let refused: [Result<Encoding, DistributionError>; 5] = [
        all.reduced(1),
        all.slice(1, 0, 4).map(|slice| slice.encoding),
        all.around(&all),
        all.transposed(),
        all.shuffled(),
    ];
    for refused in refused {
        assert_eq!(
            refused.unwrap_err().to_string(),
            "dimension 0 and dimension 1 are counted as one number, and here each is asked by itself"
        );
    }
    assert!(all.exchange(&all).unwrap().is_identity());
    assert_eq!(
        rows.exchange(&all).unwrap_err().to_string(),
        "dimension 0 and dimension 1 are counted as one number, and here each is asked by itself"
    );
    // An inner tile that ends early, repeated.
    assert_eq!(
        whole.around(&rows).unwrap_err().to_string(),
        "dimension 0 of the inner distribution ends at 31 of 32, and the outer one repeats it 32 times: the tile \
         would have holes"
    );
    // 31 rows by 32 lanes, or by 16 that hold two each.
    let of = |factors: &[(usize, u32)], owners| {
        let factors =
            factors.iter().map(|(group, length)| Factor { group: *group, length: *length });
        Lists { rank: 1, factors: factors.collect(), owners }.encoding().unwrap()
    };
    let more = of(&[(1, 4), (1, 16)], [vec![], vec![1], vec![0]]).covering(&[&[31]]).unwrap();
    let less = of(&[(1, 2), (1, 16)], [vec![], vec![1], vec![0]]).covering(&[&[31]]).unwrap();
    assert_eq!(
        more.exchange(&less).unwrap_err().to_string(),
        "dimension 0 is covered by factors of 64 and by factors of 32: they end in other registers"
    );
    // Elements that one number counts row by row are as linear as those of each dimension.
    let run = whole.covering(&[&[4, 8], &[]]).unwrap();
    let columns = |of| linear::from_encoding(of).unwrap().columns().to_vec();
    assert_eq!(columns(&run), columns(&whole));
}
