//! Distributions keep their laws, and what cannot be one is refused by name.
//!
//! | law | against |
//! |---|---|
//! | the coordinate of (wave, lane, element) | a count over the lists, digit by digit |
//! | each coordinate is held `replicas` times | all lanes, tried |
//! | the owner of a coordinate, copy by copy | all lanes, tried |
//! | the plan | the coordinate |
//! | bases, and back | the coordinate, the bases again |
//! | the coordinate that kernels compute | the coordinate of the encoding |

use proptest::prelude::*;
use std::collections::BTreeMap;
use tiledesc::distribution::{DistributionError, Encoding, Place};
use tiledesc::prelude::*;
use tiledesc_host::exchange::triton::Registers;
use tiledesc_host::exchange::{ck, linear};

/// A distribution as lists: factors of the repetitions and of each dimension, and the indices
/// (major, minor) that wave, lane and thread list.
#[derive(Clone, Debug)]
struct Lists {
    factors: Vec<Vec<u32>>,
    owners: [Vec<(usize, usize)>; 3],
}

impl Lists {
    fn encoding(&self) -> Result<Encoding, DistributionError> {
        let index = |owner: &[(usize, usize)], which: fn(&(usize, usize)) -> usize| {
            owner.iter().map(|at| which(at) as u32).collect::<Vec<u32>>()
        };
        let major = self.owners.each_ref().map(|owner| index(owner, |at| at.0));
        let minor = self.owners.each_ref().map(|owner| index(owner, |at| at.1));
        let hs: Vec<&[u32]> = self.factors[1..].iter().map(Vec::as_slice).collect();
        let ps = |all: &[Vec<u32>; 3]| [all[0].clone(), all[1].clone()];
        let (major_ps, minor_ps) = (ps(&major), ps(&minor));
        Encoding::ck(
            &self.factors[0],
            &hs,
            (&[&major_ps[0], &major_ps[1]], &[&minor_ps[0], &minor_ps[1]]),
            (&major[2], &minor[2]),
        )
    }

    /// Every (wave, lane, element), its coordinate and its repetition, by counting: each owner's
    /// digits run like those of a clock, the last fastest.
    fn all(&self) -> Vec<([u32; 3], Vec<u32>)> {
        let mut all = Vec::new();
        let clocks = self.owners.each_ref().map(|owner| self.readings(owner));
        for (wave, wave_digits) in clocks[0].iter().enumerate() {
            for (lane, lane_digits) in clocks[1].iter().enumerate() {
                for (element, element_digits) in clocks[2].iter().enumerate() {
                    let digits: BTreeMap<_, _> = [wave_digits, lane_digits, element_digits]
                        .into_iter()
                        .flatten()
                        .copied()
                        .collect();
                    let index = |(major, lengths): (usize, &Vec<u32>)| {
                        (0..).zip(lengths).fold(0, |index, (minor, length)| {
                            index * length + digits.get(&(major, minor)).unwrap_or(&0)
                        })
                    };
                    let indices = self.factors.iter().enumerate().map(index).collect();
                    all.push(([wave as u32, lane as u32, element as u32], indices));
                }
            }
        }
        all
    }

    fn readings(&self, owner: &[(usize, usize)]) -> Vec<Vec<((usize, usize), u32)>> {
        owner.iter().fold(vec![Vec::new()], |readings, at| {
            let length = self.factors[at.0][at.1];
            let turn = |reading: Vec<_>| {
                (0..length).map(move |digit| [reading.clone(), vec![(*at, digit)]].concat())
            };
            readings.into_iter().flat_map(turn).collect()
        })
    }
}

/// One to three dimensions of factors of 1 to 5, up to two repetitions, owners in any order.
/// What it draws is a distribution: a factor may be left out only if its length is 1.
fn lists() -> impl Strategy<Value = Lists> {
    let factors = prop::collection::vec(prop::collection::vec(1u32..=5, 1..=3), 1..=3);
    let repeats = prop::collection::vec(1u32..=3, 0..=2);
    (repeats, factors, prop::collection::vec((0usize..3, any::<u32>()), 11))
        .prop_map(|(repeats, mut factors, draws)| {
            factors.insert(0, repeats);
            let mut places: Vec<_> = Vec::new();
            for (major, lengths) in factors.iter().enumerate() {
                for (minor, length) in lengths.iter().enumerate() {
                    let (owner, order) = draws[places.len()];
                    let left = *length == 1 && order % 2 == 0;
                    let owner = if major == 0 { owner % 2 } else { owner };
                    places.push((order, (!left).then_some(owner), (major, minor)));
                }
            }
            places.sort_unstable();
            let mut owners = [const { Vec::new() }; 3];
            for (_, owner, at) in places {
                if let Some(owner) = owner {
                    owners[owner].push(at);
                }
            }
            Lists { factors, owners }
        })
        .prop_filter("small enough to try all", |lists| {
            lists.factors.iter().flatten().product::<u32>() <= 20_000
        })
}

/// The same with lengths 1, 2 and 4.
fn powers_of_two(mut lists: Lists) -> Lists {
    for length in lists.factors.iter_mut().flatten() {
        *length = [1, 1, 2, 4, 4, 2][*length as usize];
    }
    lists
}

proptest! {
    #[test]
    fn coordinates_are_counted(lists in lists()) {
        let encoding = lists.encoding().unwrap();
        let mut held = BTreeMap::<Vec<u32>, u32>::new();
        for ([wave, lane, element], indices) in lists.all() {
            let (copy, index) = (indices[0], &indices[1..]);
            let ours = encoding.coordinate(wave, lane, element).unwrap();
            prop_assert_eq!(ours.as_slice(), index);
            let place = Place { wave, lane, element };
            prop_assert_eq!(encoding.owner_of_copy(index, copy), Ok(place));
            *held.entry(index.to_vec()).or_default() += 1;
        }
        let elements: u64 = encoding.lengths().elements();
        prop_assert_eq!(held.len() as u64, elements);
        prop_assert!(held.values().all(|times| *times == encoding.replicas()));
        for (index, _) in held {
            let Place { wave, lane, element } = encoding.owner(&index).unwrap();
            let ours = encoding.coordinate(wave, lane, element).unwrap();
            prop_assert_eq!(ours.as_slice(), index);
        }
    }

    #[test]
    fn the_plan_is_the_same_map(lists in lists()) {
        let encoding = lists.encoding().unwrap();
        let plan = ck::graph(&encoding).unwrap();
        let waves = !lists.owners[0].is_empty();
        for ([wave, lane, element], indices) in lists.all() {
            let ys = encoding.ys().nth(u64::from(element));
            prop_assert_eq!(encoding.element(ys.as_slice()), Ok(element));
            let mut top = if waves { vec![wave, lane] } else { vec![lane] };
            top.extend(ys.as_slice());
            let bottom = plan.bottom(&top).unwrap();
            prop_assert_eq!(bottom.as_slice(), &indices[1..]);
        }
    }

    /// Bases say the same map, and lead back to it; the coordinate is an xor of columns.
    #[test]
    fn bases_and_back(lists in lists().prop_map(powers_of_two)) {
        let encoding = lists.encoding().unwrap();
        let map = linear::from_encoding(&encoding).unwrap();
        let bits = [encoding.elements(), encoding.lanes()].map(u32::trailing_zeros);
        for ([wave, lane, element], indices) in lists.all() {
            let number = element | lane << bits[0] | wave << (bits[0] + bits[1]);
            let coordinate = encoding.lengths().nth(u64::from(map.apply(number)));
            prop_assert_eq!(coordinate.as_slice(), &indices[1..]);
        }
        let bases = Registers::from_encoding(&encoding).unwrap();
        let back = bases.encoding().unwrap();
        prop_assert_eq!(linear::from_encoding(&back), Ok(map));
        prop_assert_eq!((back.lengths(), back.replicas()), (encoding.lengths(), encoding.replicas()));
        prop_assert_eq!(Registers::from_encoding(&back), Ok(bases));
        // Of as few factors as there can be: once more changes nothing.
        prop_assert_eq!(Registers::from_encoding(&back).unwrap().encoding(), Ok(back));
    }

    /// One fault in a distribution that has none: it is found, and is the fault that was made.
    #[test]
    fn faults_are_found(lists in lists(), which in any::<prop::sample::Index>(), to in 0usize..3) {
        let owned: Vec<_> = (0..3).flat_map(|o| (0..lists.owners[o].len()).map(move |i| (o, i))).collect();
        prop_assume!(!owned.is_empty());
        let (owner, place) = owned[which.index(owned.len())];
        let at = lists.owners[owner][place];
        let length = lists.factors[at.0][at.1];

        let mut twice = lists.clone();
        twice.owners[to].push(at);
        let twice = twice.encoding();
        prop_assert!(matches!(twice, Err(DistributionError::OwnedTwice { .. })), "{twice:?}");

        let mut lost = lists.clone();
        lost.owners[owner].remove(place);
        match lost.encoding() {
            Ok(_) => prop_assert_eq!(length, 1),
            Err(DistributionError::OwnedByNobody { length: named, .. }) => prop_assert_eq!(named, length),
            Err(other) => prop_assert!(false, "{}", other),
        }

        let mut moved = lists.clone();
        moved.owners[owner].remove(place);
        moved.owners[2].push(at);
        let repeats = matches!(moved.encoding(), Err(DistributionError::ThreadRepeats { .. }));
        prop_assert_eq!(repeats, at.0 == 0);

        let mut zero = lists.clone();
        zero.factors[at.0][at.1] = 0;
        let zero = zero.encoding();
        prop_assert!(matches!(zero, Err(DistributionError::ZeroLength { .. })), "{zero:?}");
    }
}

distribution! {
    /// Neighbours in m that are neighbours in the lane, and some that are not; lengths that are
    /// no powers of two; a factor of length 1 that nobody owns.
    type Odd:
        m [far 3, near 5, one 1, lonely 2], k [chunk 7, piece 2, pair 2];
        repeat [copy 3], wave (copy, chunk), lane (far, near, piece), thread (pair, lonely);
    type Fetch:
        m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// The same for any tile.
    type Rows<M, K, V, W>:
        m [again (M * K / V / 64 / W), wave W, row (64 * V / K)], k [chunk (K / V), element V];
        wave (wave), lane (row, chunk), thread (again, element);
    /// All in one lane, and one dimension.
    type Alone: x [all 12]; thread (all);
}
type Operand =
    Encoded<seq![16], lists![[4], [1, 16]], lists![[0, 2, 1]], lists![[0, 0, 0]], seq![2], seq![1]>;

fn same<T: Distribution, const RANK: usize>() {
    let encoding = T::ENCODING.unwrap();
    assert_eq!((T::WAVES, T::LANES_PER_WAVE), (encoding.waves(), encoding.lanes()));
    assert_eq!(T::ELEMENTS as u32, encoding.elements());
    for wave in 0..T::WAVES {
        for lane in 0..T::LANES_PER_WAVE {
            for element in 0..T::ELEMENTS {
                let ours = T::coordinate::<RANK>(wave, lane, element);
                assert_eq!(encoding.coordinate(wave, lane, element as u32).unwrap(), ours);
            }
        }
    }
    // One by one, and as kernels do it, in a whole sweep or in the rest of one.
    let (mut whole, mut rest) = (Vec::new(), Vec::new());
    T::sweep::<RANK>().for_each(|at| whole.push(at));
    let mut sweep = T::sweep::<RANK>();
    rest.extend(sweep.next());
    sweep.for_each(|at| rest.push(at));
    let mut single = T::sweep::<RANK>();
    let singles: Vec<_> = core::iter::from_fn(|| single.next()).collect();
    assert_eq!(singles.len(), T::ELEMENTS);
    assert_eq!((&whole, &rest), (&singles, &singles));
}

#[test]
fn kernels_compute_the_same() {
    same::<Odd, 2>();
    same::<Fetch, 2>();
    same::<Rows<U128, U64, U8, U4>, 2>();
    same::<Rows<Lit<96>, U64, U4, U2>, 2>();
    same::<Alone, 1>();
    same::<Operand, 2>();
    // 288 elements a lane: more than are unrolled.
    same::<Rows<Lit<288>, U64, U8, U1>, 2>();
    assert_eq!(Fetch::coordinate(1, 10, 19), [73, 19]);
    let (fetch, rows) = (Fetch::ENCODING.unwrap(), Rows::<U128, U64, U8, U4>::ENCODING.unwrap());
    assert_eq!(fetch.coordinate(3, 63, 31), rows.coordinate(3, 63, 31));
    assert_eq!(size_of::<Fetch>(), 0);
}

/// What a user reads, with names and without.
#[test]
fn refusals_say_why() {
    type Factors = &'static [(&'static str, u32)];
    type Names = &'static [&'static str];
    fn of(repeat: Factors, m: Factors, k: Factors, [wave, lane, thread]: [Names; 3]) -> String {
        match Encoding::named(repeat, &[("m", m), ("k", k)], wave, lane, thread) {
            Ok(encoding) => panic!("{encoding:?}"),
            Err(error) => error.to_string(),
        }
    }
    const M: Factors = &[("wave", 4), ("row", 16)];
    const K: Factors = &[("part", 4), ("half", 2)];
    let said = [
        (
            of(&[], M, K, [&["wave"], &["part", "row"], &["row", "half"]]),
            r#"factor "row" of m is owned by lane and by thread"#,
        ),
        (
            of(&[], M, K, [&["wave"], &["part", "row", "part"], &["half"]]),
            r#"factor "part" of k is owned by lane twice"#,
        ),
        (
            of(&[], M, K, [&["wave"], &["part", "row"], &[]]),
            r#"factor "half" of k (length 2) has no owner: no lane would hold its other elements"#,
        ),
        (
            of(&[("copy", 2)], M, K, [&["wave"], &["part", "row"], &["half"]]),
            r#"the repetition "copy" (length 2) has no owner: no lane would hold its other copies"#,
        ),
        (
            of(&[("copy", 2)], M, K, [&["wave"], &["part", "row"], &["copy", "half"]]),
            r#"thread owns the repetition "copy": a lane would hold one element twice"#,
        ),
        (
            of(&[], M, K, [&["wave"], &["part", "rows"], &["half"]]),
            r#"lane owns "rows", which no dimension has"#,
        ),
        (
            of(&[], M, &[("row", 4)], [&["wave"], &["row"], &[]]),
            r#"two factors have the name "row": one of m and one of k"#,
        ),
        (
            of(&[], M, &[("part", 0)], [&["wave"], &["row"], &[]]),
            r#"factor "part" of k has a length of 0"#,
        ),
        (
            of(&[], &[], K, [&[], &["part"], &["half"]]),
            "m has no factors; write one factor of length 1 for a dimension of length 1",
        ),
        (
            of(&[], &[("a", 65536), ("b", 65536)], K, [&["a"], &["b"], &["part", "half"]]),
            "the number of a tile's elements does not fit into 32 bits",
        ),
        (
            of(&[], &[("a", 65536)], &[("b", 65536)], [&[], &["a", "b"], &[]]),
            "the number of lanes does not fit into 32 bits",
        ),
        (
            of(&[], &[("a", 1); 13], K, [&[], &[], &[]]),
            "too many factors of a dimension (the limit is 12)",
        ),
    ];
    for (ours, wanted) in said {
        assert_eq!(ours, wanted);
    }
    let twice = Encoding::named(&[], &[("m", &[("a", 1)]), ("m", &[("b", 1)])], &[], &[], &[]);
    assert_eq!(twice.unwrap_err().to_string(), r#"two dimensions have the name "m""#);
    let none = Encoding::named(&[], &[], &[], &[], &[]);
    assert_eq!(none.unwrap_err().to_string(), "a distribution has at least one dimension");
}

/// The same by CK's parameters, which have no names.
#[test]
fn refusals_without_names_say_why() {
    type Indices<'a> = (&'a [u32], &'a [u32]);
    fn of(rs: &[u32], (major, minor): Indices<'_>, ys: Indices<'_>) -> String {
        let made = Encoding::ck(rs, &[&[32], &[2, 4]], (&[major], &[minor]), ys);
        made.unwrap_err().to_string()
    }
    let said = [
        (
            of(&[], (&[2, 1], &[0, 0]), (&[2, 2], &[1, 0])),
            "factor 0 of dimension 1 is owned by lane and by thread",
        ),
        (
            of(&[], (&[2], &[0]), (&[2], &[1])),
            "factor 0 of dimension 0 (length 32) has no owner: no lane would hold its other elements",
        ),
        (
            of(&[2], (&[2, 1], &[0, 0]), (&[2], &[1])),
            "repetition 0 (length 2) has no owner: no lane would hold its other copies",
        ),
        (
            of(&[2], (&[2, 1], &[0, 0]), (&[0, 2], &[0, 1])),
            "thread owns repetition 0: a lane would hold one element twice",
        ),
        (
            of(&[], (&[2, 1], &[0, 1]), (&[2], &[1])),
            "lane owns factor 1 of dimension 0, but there is only 1",
        ),
        (
            of(&[], (&[2, 3], &[0, 0]), (&[2], &[1])),
            "lane owns factor 0 of dimension 2, but there are none",
        ),
        (of(&[], (&[0, 3], &[0, 0]), (&[2], &[1])), "lane owns repetition 0, but there are none"),
        (of(&[], (&[2, 1], &[0]), (&[2], &[1])), "ps: 2 major indices but 1 minor ones"),
        (of(&[], (&[2, 1], &[0, 0]), (&[2], &[])), "ys: 1 major indices but 0 minor ones"),
    ];
    for (ours, wanted) in said {
        assert_eq!(ours, wanted);
    }
    let three = Encoding::ck(&[], &[&[32]], (&[&[1], &[], &[]], &[&[0], &[], &[]]), (&[], &[]));
    assert_eq!(
        three.unwrap_err().to_string(),
        "3 partition dimensions are given; a distribution has one (lane) or two (wave, lane)",
    );
}

/// What does not exist of a distribution that does.
#[test]
fn questions_without_an_answer() {
    let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1])).unwrap();
    let said = |error: DistributionError| error.to_string();
    assert_eq!(
        said(a.coordinate(1, 0, 0).unwrap_err()),
        "wave 1 does not exist: the number of waves is 1"
    );
    assert_eq!(
        said(a.coordinate(0, 64, 0).unwrap_err()),
        "lane 64 does not exist: the number of lanes is 64"
    );
    assert_eq!(
        said(a.coordinate(0, 0, 4).unwrap_err()),
        "element 4 does not exist: the number of elements is 4"
    );
    assert_eq!(
        said(a.owner(&[32, 0]).unwrap_err()),
        "index 32 is out of range: dimension 0 has length 32"
    );
    assert_eq!(said(a.owner(&[1]).unwrap_err()), "2 indices are wanted but 1 is given");
    assert_eq!(
        said(a.element(&[4]).unwrap_err()),
        "index 4 is out of range: dimension 0 has length 4"
    );
    assert!(a.owner_of_copy(&[0, 0], 1).is_err());
    assert!(a.element(&[]).is_err());
}
