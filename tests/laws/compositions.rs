//! The laws, over generated compositions: several transforms deep, every kind of
//! transform, static and run-time lengths.
//!
//! | law | how it is checked |
//! |---|---|
//! | injective, bijective, in bounds | the library's answer, compared with a count of every offset |
//! | round trip | the inverse of every offset is its coordinate, for injective compositions |
//! | plan == typed | the plan of a type and the type itself, `u32` and `u64`, numbers and `Dyn` |
//! | move == fresh evaluation | random walks, out of range as well |
//! | digits == map | its offsets and its blocks, at every coordinate |
//! | guarantee is exact | the vector length, compared with trying every length |
//! | blocks are contiguous | of ready-made layouts, compared with the offset of every element |

use proptest::array::uniform1;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, TestRunner};
use std::collections::HashMap;
use support::count::every_block_is_even;
use support::fuzz::cases;
use tiledesc::prelude::*;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::transforms::{OfRank, Rank};
use tiledesc::{Error, Op, Slice, Xor};
use tiledesc::{InverseCyclicShift, LeftPad, List, Modulo, Pad as PadBoth, Position, Vector};
use tiledesc_proptest::{composition, coordinate_of, index_of, unchecked_composition};

/// How many properties below share the cases of the laws.
const LAWS: u32 = 14;

/// Compositions that once broke a law are in the regressions file, and tried first;
/// `cargo xtask test --deep` asks for more than 256.
fn config() -> ProptestConfig {
    let file = FileFailurePersistence::Direct(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/laws/compositions.regressions"
    ));
    let cases = cases("laws").div_ceil(LAWS);
    ProptestConfig { cases, failure_persistence: Some(Box::new(file)), ..Default::default() }
}

/// What `law::injective` must say, found by counting.
fn shared_offset(plan: &Plan) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut seen: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut shared = None;
    plan.for_each_valid(|index, offset| {
        if let Some(first) = seen.insert(offset, index.to_vec()) {
            shared.get_or_insert((first, index.to_vec()));
        }
        Ok(())
    })
    .unwrap();
    shared
}

/// Whether a proof may leave a plan undecided.
fn is_large(plan: &Plan) -> bool {
    plan.elements() * plan.nodes().len() as u64 > Plan::MOST_PROVED
}

/// An answer about `injective` is what counting says, and a collision is one.
fn decided_as_counted(plan: &Plan, answer: Result<(), Error>) -> Result<(), TestCaseError> {
    let counted = shared_offset(plan);
    match answer {
        Ok(()) => prop_assert_eq!(counted, None),
        Err(Error::Collision { first, second, offset }) => {
            prop_assert!(counted.is_some());
            prop_assert_ne!(first, second);
            prop_assert_eq!(plan.offset(first.as_slice()), Ok(offset));
            prop_assert_eq!(plan.offset(second.as_slice()), Ok(offset));
        }
        Err(other) => prop_assert!(false, "{}", other),
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn injective(plan in unchecked_composition(4)) {
        decided_as_counted(&plan, plan.injective())?;
    }

    /// The proof from structure is right whenever it decides, and decides every plan that is
    /// small enough to be tried.
    #[test]
    fn proof_of_injective(plan in unchecked_composition(4)) {
        match plan.prove_injective() {
            Err(Error::Undecided { .. }) => prop_assert!(is_large(&plan)),
            decided => decided_as_counted(&plan, decided)?,
        }
    }

    #[test]
    fn proof_of_in_bounds(plan in unchecked_composition(3)) {
        let mut outside = Vec::new();
        plan.for_each_valid(|index, offset| {
            if u64::from(offset.wrapping_sub(plan.origin())) >= plan.element_space() {
                outside.push((List::new(index), offset));
            }
            Ok(())
        }).unwrap();
        prop_assert_eq!(plan.in_bounds().is_ok(), outside.is_empty());
        match plan.prove_in_bounds() {
            Ok(()) => prop_assert!(outside.is_empty()),
            Err(Error::OutOfSpace { coordinate, offset, .. }) => {
                prop_assert!(outside.contains(&(coordinate, offset)));
            }
            Err(error @ Error::Undecided { .. }) => {
                prop_assert!(is_large(&plan));
                prop_assert!(error.to_string().ends_with("use law::in_bounds in a test"));
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn proof_of_bijective(plan in unchecked_composition(3)) {
        match plan.prove_bijective() {
            Ok(()) => prop_assert_eq!(plan.bijective(), Ok(())),
            Err(Error::Undecided { .. }) => prop_assert!(is_large(&plan)),
            Err(_) => prop_assert!(plan.bijective().is_err()),
        }
    }

    #[test]
    fn bijective(plan in unchecked_composition(4)) {
        let mut offsets = Vec::new();
        plan.for_each_valid(|_, offset| { offsets.push(offset); Ok(()) }).unwrap();
        offsets.sort_unstable();
        let origin = plan.origin();
        let every: Vec<u32> = (0..plan.element_space() as u32).map(|o| o + origin).collect();
        prop_assert_eq!(plan.bijective().is_ok(), offsets == every);
    }

    #[test]
    fn round_trip(plan in composition(4)) {
        if shared_offset(&plan).is_none() {
            prop_assert_eq!(plan.round_trip(), Ok(()));
        }
    }

    /// An offset without a coordinate is said to have none.
    #[test]
    fn no_invented_coordinates(plan in composition(4)) {
        let mut known = HashMap::new();
        plan.for_each_valid(|index, offset| { known.insert(offset, index.to_vec()); Ok(()) })
            .unwrap();
        for offset in 0..plan.element_space() as u32 + plan.origin() + 3 {
            match plan.coordinate_of(offset) {
                Ok(index) => prop_assert_eq!(plan.offset(index.as_slice()), Ok(offset)),
                Err(error) => prop_assert_eq!(error, Error::NoCoordinate { offset }),
            }
            if !known.contains_key(&offset) {
                prop_assert!(plan.coordinate_of(offset).is_err());
            }
        }
    }

    #[test]
    fn in_bounds(plan in composition(4)) {
        let mut inside = true;
        plan.for_each_valid(|_, offset| {
            inside &= u64::from(offset.wrapping_sub(plan.origin())) < plan.element_space();
            Ok(())
        }).unwrap();
        prop_assert!(inside, "a sound composition leaves its element space");
        prop_assert_eq!(plan.in_bounds(), Ok(()));
    }

    #[test]
    fn a_move_is_a_fresh_evaluation(
        (plan, start) in unchecked_composition(4).prop_flat_map(|plan| {
            let start = index_of(&plan);
            (Just(plan), start)
        }),
        steps in vec(vec(-5..6i32, 12), 1..12),
    ) {
        let mut at = Position::new(&plan, &start).unwrap();
        for step in steps {
            at.step(&step[..plan.rank()]);
            let fresh = Position::new(&plan, at.index().as_slice()).unwrap();
            prop_assert_eq!(at.hidden(), fresh.hidden());
            prop_assert_eq!(at.is_valid(), plan.offset(at.index().as_slice()).is_ok());
        }
    }

    #[test]
    fn guarantee_is_exact(plan in unchecked_composition(3)) {
        for dimension in 0..plan.rank() {
            let found = plan.vector(dimension).unwrap();
            prop_assert_eq!(found, largest_vector(&plan, dimension), "dimension {}", dimension);
            prop_assert_eq!(
                plan.alignment(dimension).unwrap(),
                counted_alignment(&plan, dimension, found.length),
                "alignment of dimension {}", dimension
            );
        }
    }
}

proptest! {
    // Most compositions have no digits, so more of them are tried.
    #![proptest_config(ProptestConfig { cases: cases("digits"), ..config() })]

    /// Digits are the map, and the blocks that it calls contiguous are.
    #[test]
    fn digits_are_the_map(plan in (1..5usize).prop_flat_map(unchecked_composition)) {
        let Some(digits) = plan.digits() else { return Ok(()) };
        for id in 0..plan.elements() {
            let index = plan.nth(id);
            prop_assert_eq!(digits.offset(&index), plan.offset(index.as_slice()).ok());
        }
        for dimension in 0..plan.rank() {
            let length = plan.lengths().as_slice()[dimension];
            prop_assert_eq!(digits.offset(&plan.nth(0).with(dimension, length)), None);
            for block in [1, 2, 4, 8].into_iter().filter(|block| length % block == 0) {
                // Digits that only together are contiguous are not seen to be.
                if digits.is_contiguous(dimension, block) {
                    prop_assert!(every_block_is_even(&plan, dimension, block, 1));
                }
            }
        }
    }
}

/// Every strided box of so many dimensions, with lengths and strides of these.
fn boxes(rank: usize, lengths: core::ops::RangeInclusive<u32>, strides: u32) -> Vec<[Vec<u32>; 2]> {
    let mut all = vec![[Vec::new(), Vec::new()]];
    for _ in 0..rank {
        let longer = |[l, s]: &[Vec<u32>; 2], length, stride| {
            [[l.as_slice(), &[length]].concat(), [s.as_slice(), &[stride]].concat()]
        };
        all = all
            .iter()
            .flat_map(|box_| {
                let each = lengths.clone().flat_map(|l| (0..=strides).map(move |s| (l, s)));
                each.map(move |(length, stride)| longer(box_, length, stride)).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// Strided boxes are decided as counting decides them: as they are, and below so many
/// copies that nothing is small enough to be tried.
#[test]
fn every_small_strided_box() {
    const COPIES: u32 = Plan::MOST_PROVED as u32 + 1;
    let (mut plans, mut overlap) = (0, 0);
    for (rank, lengths, strides) in [(1, 1..=9, 9), (2, 1..=6, 9), (3, 1..=4, 6), (4, 1..=3, 4)] {
        for [lengths, strides] in boxes(rank, lengths, strides) {
            let plan = Plan::naive(&lengths, &strides).unwrap();
            let shared = shared_offset(&plan).is_some();
            let apart = plan.element_space() as u32;
            let (many, far) =
                ([&[COPIES], &lengths[..]].concat(), [&[apart], &strides[..]].concat());
            for plan in [plan, Plan::naive(&many, &far).unwrap()] {
                match plan.prove_injective() {
                    Ok(()) => assert!(!shared, "{plan:?}"),
                    Err(Error::Collision { first, second, offset }) => {
                        assert!(shared, "{plan:?}");
                        assert_ne!(first, second);
                        assert_eq!(plan.offset(first.as_slice()), Ok(offset));
                        assert_eq!(plan.offset(second.as_slice()), Ok(offset));
                    }
                    Err(other) => panic!("{plan:?}: {other}"),
                }
            }
            (plans, overlap) = (plans + 1, overlap + u32::from(shared));
        }
    }
    println!("{plans} boxes, {overlap} of them overlap");
    assert!(plans > 75_000 && overlap > 30_000, "{plans} {overlap}");
}

type Stage<'s> = (&'s [Op], &'s [&'s [u32]], &'s [&'s [u32]]);

fn stages(base: Plan, stages: &[Stage<'_>]) -> Plan {
    stages.iter().fold(base, |plan, (ops, lower, upper)| plan.transform(ops, lower, upper).unwrap())
}

/// A convolution's input as a matrix: two taps meet at one element, and not in the padding.
fn im2col([n, h, w, c]: [u32; 4], taps: u32, stride: u32, dilation: u32, pad: u32) -> Plan {
    let out = |length| (length + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
    let pass = |length| Op::PassThrough { length };
    let border = |low_length| Op::Pad { low_length, left: pad, right: pad, skip_check: false };
    let window = |length| Op::Embed {
        lengths: List::new(&[taps, out(length)]),
        strides: List::new(&[dilation, stride]),
    };
    let one: &[&[u32]] = &[&[0], &[1], &[2], &[3]];
    stages(
        Plan::packed(&[n, h, w, c]).unwrap(),
        &[
            (&[pass(n), border(h), border(w), pass(c)], one, one),
            (&[pass(n), window(h), window(w), pass(c)], one, &[&[0], &[1, 2], &[3, 4], &[5]]),
            (
                &[
                    Op::Merge { lengths: List::new(&[n, out(h), out(w)]) },
                    Op::Merge { lengths: List::new(&[taps, taps, c]) },
                ],
                &[&[0, 2, 4], &[1, 3, 5]],
                &[&[0], &[1]],
            ),
        ],
    )
}

/// Windows whose first taps lie in padding: the collision is found further in.
#[test]
fn convolutions_overlap() {
    let shapes = [
        ([2, 6, 6, 4], 3, 1, 1, 1),
        ([2, 28, 28, 64], 3, 1, 1, 1),
        ([4, 224, 224, 3], 7, 2, 1, 3),
        ([1, 56, 56, 8], 5, 2, 2, 4),
    ];
    for (shape, taps, stride, dilation, pad) in shapes {
        let plan = im2col(shape, taps, stride, dilation, pad);
        let Err(Error::Collision { first, second, offset }) = plan.prove_injective() else {
            panic!("{shape:?} {taps}: {:?}", plan.prove_injective());
        };
        assert_ne!(first, second);
        assert_eq!(plan.offset(first.as_slice()), Ok(offset), "{shape:?}");
        assert_eq!(plan.offset(second.as_slice()), Ok(offset), "{shape:?}");
    }
    // Windows that stand side by side share nothing.
    assert_eq!(im2col([4, 224, 224, 3], 4, 4, 1, 0).prove_injective(), Ok(()));
}

/// What comes at all decides: a slice of an overlapping dimension may not overlap, and
/// padding that counts as valid may.
#[test]
fn coordinates_that_come() {
    let plan = |lengths: &[u32], strides: &[u32]| Plan::naive(lengths, strides).unwrap();
    let pass = |length| Op::PassThrough { length };
    let two: &[&[u32]] = &[&[0], &[1]];
    let part = |begin, end| Op::Slice { low_length: 64, begin, end };
    let overlapping = plan(&[40_000, 64], &[60, 1]);
    for (begin, end, shared) in [(0, 61, true), (4, 64, false), (0, 60, false), (3, 64, true)] {
        let cut = stages(overlapping, &[(&[pass(40_000), part(begin, end)], two, two)]);
        assert_eq!(cut.prove_injective().is_err(), shared, "{begin} {end}");
    }
    for (skip_check, right) in [(false, 4), (true, 4), (true, 0)] {
        let pad = Op::RightPad { low_length: 60, right, skip_check };
        let padded = stages(plan(&[40_000, 60], &[60, 1]), &[(&[pass(40_000), pad], two, two)]);
        let expected = if skip_check && right > 0 {
            Err(Error::Collision { first: List::pair(0, 60), second: List::pair(1, 0), offset: 60 })
        } else {
            Ok(())
        };
        assert_eq!(padded.prove_injective(), expected);
    }
    // Of a dimension all of which is padding, no coordinate is left to overlap.
    let pad = Op::RightPad { low_length: 64, right: 8, skip_check: false };
    let behind = Op::Slice { low_length: 72, begin: 64, end: 72 };
    let nothing = stages(
        overlapping,
        &[(&[pass(40_000), pad], two, two), (&[pass(40_000), behind], two, two)],
    );
    assert_eq!(nothing.prove_injective(), Ok(()));
    // A ring that a slice takes one round of, wherever it begins.
    let ring = |begin, end| {
        let part = Op::Slice { low_length: 90_000, begin, end };
        let ring = Op::Modulo { modulus: 30_000, length: 90_000 };
        let one: &[&[u32]] = &[&[0]];
        stages(Plan::packed(&[30_000]).unwrap(), &[(&[ring], one, one), (&[part], one, one)])
    };
    assert_eq!(ring(7, 30_007).prove_injective(), Ok(()));
    assert_eq!(
        ring(7, 30_008).prove_injective().unwrap_err().to_string(),
        "not injective: coordinates (0) and (30000) share offset 7",
    );
}

/// An embed over a merge whose digits are not side by side in memory: for every small one the
/// guarantee is what trying every length finds.
#[test]
fn embeds_over_gapped_merges() {
    let over = |merged: [u32; 2], lengths: [u32; 2], strides: [u32; 2]| {
        let merge = Op::Merge { lengths: List::new(&merged) };
        let embed = Op::Embed { lengths: List::new(&lengths), strides: List::new(&strides) };
        let plan = Plan::naive(&merged, &[2 * merged[1], 1]).unwrap();
        let plan = plan.transform(&[merge], &[&[0, 1]], &[&[0]]).unwrap();
        plan.transform(&[embed], &[&[0]], &[&[0, 1]])
    };
    // Every fourth step of 2 leaves its 8.
    let plan = over([4, 8], [16, 2], [2, 1]).unwrap();
    assert_eq!(plan.vector(0), Ok(Vector { length: 4, stride: 2 }));
    assert_eq!(plan.vector(1), Ok(Vector { length: 2, stride: 1 }));
    let mut plans = 0;
    for merged in [[4, 8], [3, 6], [2, 12]] {
        for (s, t) in (0..7).flat_map(|s| (0..7).map(move |t| (s, t))) {
            for (l, m) in (1..17).flat_map(|l| (1..6).map(move |m| (l, m))) {
                let Ok(plan) = over(merged, [l, m], [s, t]) else { continue };
                plans += 1;
                for dimension in 0..2 {
                    let expected = largest_vector(&plan, dimension);
                    let found = plan.vector(dimension).unwrap();
                    assert_eq!(found, expected, "{merged:?} {l} {m} strides {s} {t}: {dimension}");
                }
            }
        }
    }
    assert!(plans > 3000, "{plans}");
}

/// What the strategies draw: the shapes that once hid faults.
#[test]
fn shapes_drawn() {
    let mut runner = TestRunner::deterministic();
    let (mut early, mut nothing_valid, mut all_in_padding) = (0, 0, 0);
    for _ in 0..2000 {
        let plan = composition(4).new_tree(&mut runner).unwrap().current();
        let ends_early = |node: &tiledesc::Node| matches!(node.op, Op::Slice { low_length, end, .. } if end < low_length);
        early += u32::from(plan.nodes().iter().any(ends_early));
        let mut valid = 0;
        plan.for_each_valid(|_, _| {
            valid += 1;
            Ok(())
        })
        .unwrap();
        nothing_valid += u32::from(valid == 0);
        all_in_padding += u32::from(valid == 0 && plan.elements() > 1);
    }
    println!("{early} end early, {nothing_valid} all in padding, {all_in_padding} of several");
    assert!(early > 150 && nothing_valid > 40 && all_in_padding > 20);
}

/// Every part of a dimension that a transform permutes, folds or splits, above strides that
/// overlap: what comes below it is never thought to be less than it is.
#[test]
fn parts_of_what_transforms_make() {
    let below = Plan::naive(&[2, 4, 8], &[5, 100, 1]).unwrap();
    let pass = |length| Op::PassThrough { length };
    let xor = Op::Xor { length0: 4, length1: 8 };
    let shift = Op::CyclicShift { length0: 4, length1: 8 };
    let back = Op::InverseCyclicShift { length0: 4, length1: 8 };
    let merge = Op::Merge { lengths: List::new(&[4, 8]) };
    let ring = Op::Modulo { modulus: 8, length: 20 };
    let table = Op::Functor { table: &[3, 7, 2, 6, 1, 5, 0, 4] };
    let (one, two): (&[&[u32]], &[&[u32]]) = (&[&[0], &[1], &[2]], &[&[0], &[1, 2]]);
    let (mut shared, mut plans) = (0, 0);
    let folded: &[&[u32]] = &[&[0], &[1]];
    let forms: [Stage<'_>; 6] = [
        (&[pass(2), xor], two, two),
        (&[pass(2), shift], two, two),
        (&[pass(2), back], two, two),
        (&[pass(2), pass(4), ring], one, one),
        (&[pass(2), pass(4), table], one, one),
        (&[pass(2), merge], two, folded),
    ];
    for form in forms {
        let plan = stages(below, &[form]);
        let last = plan.rank() - 1;
        let low_length = plan.lengths().as_slice()[last];
        for (begin, end) in (0..low_length).flat_map(|b| (b + 1..=low_length).map(move |e| (b, e)))
        {
            let part = Op::Slice { low_length, begin, end };
            let plan = if last == 1 {
                stages(plan, &[(&[pass(2), part], folded, folded)])
            } else {
                stages(plan, &[(&[pass(2), pass(4), part], one, one)])
            };
            let counted = shared_offset(&plan).is_some();
            assert_eq!(plan.prove_injective().is_err(), counted, "{plan:?}");
            (plans, shared) = (plans + 1, shared + u32::from(counted));
        }
    }
    println!("{plans} parts, {shared} of them overlap");
    assert!(plans > 800 && shared > 400 && plans - shared > 100, "{plans} {shared}");
}

/// Pads that let their padding through above what flips bits: an index may leave one dimension
/// or both, and what then comes below it is never thought to be less than it is.
#[test]
fn xors_below_open_pads() {
    let pad = |low_length, left, right| Op::Pad { low_length, left, right, skip_check: true };
    let two: &[&[u32]] = &[&[0], &[1]];
    let both: &[&[u32]] = &[&[0, 1]];
    let (mut plans, mut shared, mut outside) = (0, 0, 0);
    for (rows, columns) in [(1, 2), (2, 2), (2, 4), (4, 2), (4, 4), (3, 8)] {
        let masks = List::new(&[1, columns - 1]);
        let flips = [
            Op::Xor { length0: rows, length1: columns },
            Op::XorBits { length0: rows, length1: columns, masks },
            Op::CyclicShift { length0: rows, length1: columns },
        ];
        for (flip, strides) in flips.iter().flat_map(|flip| {
            [[columns, 1], [columns + 3, 1], [1, rows], [2, 1]].map(|strides| (flip, strides))
        }) {
            for sides in 0..81 {
                let side = |n: u32| sides / 3u32.pow(n) % 3;
                let pads = [pad(rows, side(0), side(1)), pad(columns, side(2), side(3))];
                let base = Plan::naive_with_offset(&[rows, columns], &strides, 40).unwrap();
                let plan = stages(base, &[(&[*flip], both, both), (&pads, two, two)]);
                let counted = shared_offset(&plan).is_some();
                assert_eq!(plan.prove_injective().is_err(), counted, "{plan:?}");
                let inside = plan.in_bounds().is_ok();
                assert_eq!(plan.prove_in_bounds().is_ok(), inside, "{plan:?}");
                plans += 1;
                shared += u32::from(counted);
                outside += u32::from(!inside);
            }
        }
    }
    println!("{plans} plans, {shared} share an offset, {outside} leave the space");
    assert!(plans > 5000 && shared > 1000 && outside > 1000 && outside < plans);
}

/// Which of two rounds of a ring each of 3000 rows is looked up in.
const fn rounds(twice: Option<usize>) -> [u32; 3000] {
    let (mut table, mut i) = ([0; 3000], 0);
    while i < 3000 {
        table[i] = i as u32 + if i % 2 == 1 { 3000 } else { 0 };
        i += 1;
    }
    if let Some(at) = twice {
        table[at] = (table[at - 2000] + 3000) % 6000;
    }
    table
}

/// What structure does not decide and is too large for a proof, every offset decides, window
/// by window: 3000 rows 100 apart are five windows of 65,536.
#[test]
fn laws_of_what_is_undecided() {
    const ONCE: [u32; 3000] = rounds(None);
    const TWICE: [u32; 3000] = rounds(Some(2741));
    let gathered = |table: &'static [u32]| {
        let (ring, gather) = (Op::Modulo { modulus: 3000, length: 6000 }, Op::Functor { table });
        let one: &[&[u32]] = &[&[0], &[1]];
        let pass = Op::PassThrough { length: 3 };
        stages(
            Plan::naive(&[3000, 3], &[100, 1]).unwrap(),
            &[(&[ring, pass], one, one), (&[gather, pass], one, one)],
        )
    };
    let (once, twice) = (gathered(&ONCE), gathered(&TWICE));
    let undecided = Err(Error::Undecided { law: "injective", elements: 9000 });
    assert_eq!((once.prove_injective(), once.injective()), (undecided, Ok(())));
    assert_eq!(
        twice.injective().unwrap_err().to_string(),
        "not injective: coordinates (741, 0) and (2741, 0) share offset 74100",
    );
    assert_eq!(once.round_trip(), Ok(()));
}

/// What bits cannot say: padding, and other numbers than powers of two to divide by. A sum with a carry is one of
/// indices.
#[test]
fn what_has_no_digits() {
    let form = |lengths: &[u32], op: Op| {
        let tile = Plan::packed(lengths).unwrap();
        let all: Vec<u32> = (0..lengths.len() as u32).collect();
        let upper: Vec<u32> = (0..op.upper_lengths().unwrap().len() as u32).collect();
        tile.transform(&[op], &[&all], &[&upper]).unwrap().digits().is_some()
    };
    let right_pad = |right| Op::RightPad { low_length: 8, right, skip_check: false };
    let merge = |lengths: &[u32]| Op::Merge { lengths: List::new(lengths) };
    assert!(form(&[8], Op::PassThrough { length: 8 }));
    assert!(!form(&[8], right_pad(3)));
    assert!(!form(&[8], Op::LeftPad { low_length: 8, left: 1, skip_check: true }));
    assert!(form(&[6, 8], merge(&[6, 8])));
    assert!(!form(&[8, 6], merge(&[8, 6])));
    assert!(form(&[8], Op::Modulo { modulus: 8, length: 32 }));
    assert!(!form(&[6], Op::Modulo { modulus: 6, length: 32 }));
    assert!(form(&[8], Op::Slice { low_length: 8, begin: 4, end: 8 }));
    assert!(form(&[8], Op::Slice { low_length: 8, begin: 1, end: 8 }));
    let pairs =
        |length: u32| Op::Embed { lengths: List::pair(length / 2, 2), strides: List::pair(2, 1) };
    let sums = Plan::packed(&[34, 66]).unwrap();
    let sums = sums.transform(&[pairs(34), pairs(66)], &[&[0], &[1]], &[&[0, 1], &[2, 3]]).unwrap();
    let digits = sums.digits().unwrap();
    for id in 0..sums.elements() {
        let at = sums.nth(id);
        assert_eq!(digits.offset(&at), sums.offset(at.as_slice()).ok());
    }

    let tile = recipe::gemm_xor(128, 64, 8, 1).unwrap().digits().unwrap();
    assert!(tile.is_contiguous(1, 8) && !tile.is_contiguous(1, 16) && !tile.is_contiguous(0, 2));
    assert!(!tile.is_contiguous(1, 1 << 30), "more bits than an index has");
    let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap().digits().unwrap();
    assert!(padded.is_contiguous(1, 64) && !padded.is_contiguous(1, 3));
    // A step along the columns is one of memory, and flips the row as well.
    let rows = Plan::naive(&[8, 8], &[9, 1]).unwrap();
    let xor = Op::Xor { length0: 8, length1: 8 };
    let turned = rows.transform(&[xor], &[&[1, 0]], &[&[1, 0]]).unwrap().digits().unwrap();
    assert_eq!((turned.count(), turned.is_contiguous(1, 2)), (2, false));
}

/// The largest block length that holds everywhere, every length tried.
fn largest_vector(plan: &Plan, dimension: usize) -> Vector {
    let length = plan.lengths().as_slice()[dimension];
    for block in (2..=length).rev() {
        let stride = first_step(plan, dimension);
        if every_block_is_even(plan, dimension, block, stride) {
            return Vector { length: block, stride };
        }
    }
    Vector { length: 1, stride: 0 }
}

/// The first step along a dimension from memory to memory.
fn first_step(plan: &Plan, dimension: usize) -> i64 {
    let step = |id| {
        let index = plan.nth(id);
        let mut next = index.as_slice().to_vec();
        next[dimension] += 1;
        let (here, there) = (plan.offset(index.as_slice()).ok()?, plan.offset(&next).ok()?);
        Some(i64::from(there.wrapping_sub(here).cast_signed()))
    };
    (0..plan.elements()).find_map(step).unwrap_or(0)
}

fn counted_alignment(plan: &Plan, dimension: usize, block: u32) -> u32 {
    let mut bits = 1 << 31;
    for id in 0..plan.elements() {
        let index = plan.nth(id);
        if index.as_slice()[dimension].is_multiple_of(block) {
            bits |= plan.offset(index.as_slice()).unwrap_or(0);
        }
    }
    1 << bits.trailing_zeros()
}

/// A type, and the same descriptor from run-time lengths: their plans and their
/// typed rules agree at random coordinates, out of range as well, and so do
/// their moving coordinates.
fn typed_agrees<D, E, const R: usize>(run_time: E, index: [u32; R], steps: &[[i32; R]])
where
    D: Descriptor + Default,
    E: Descriptor<Rank = D::Rank>,
    [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    [u64; R]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = D::PLAN.unwrap();
    assert_eq!(run_time.plan().unwrap(), plan, "the same plan from numbers and from values");
    let expected = plan.evaluate(&index)[0];
    assert_eq!(D::default().staged(index), expected, "typed at {index:?}");
    assert_eq!(run_time.staged(index), expected, "run time at {index:?}");
    let in_range = plan.offset(&index).is_ok();
    if in_range {
        assert_eq!(D::default().staged(index.map(u64::from)), u64::from(expected), "u64");
        assert_eq!((D::default().at(index), run_time.at(index)), (expected, expected), "at");
    }
    let (mut a, mut b) = (D::default().coordinate(index), run_time.coordinate(index));
    for step in steps {
        a.step(*step);
        b.step(*step);
        let fresh = plan.evaluate(&a.index())[0];
        assert_eq!((a.offset(), b.offset()), (fresh, fresh), "moved to {:?}", a.index());
        let valid = plan.offset(&a.index()).is_ok();
        assert_eq!((a.is_valid(), b.is_valid()), (valid, valid), "validity of {:?}", a.index());
    }
}

descriptor! {
    type Layered:
        naive [8, 32, 8] strides [8, 64, 1];
        xor[32, 8] (1, 0) -> (1, 0),    pass[8] (2) -> (2);
        unmerge[2, 4] (0) -> (0, 2),    pass[32] (1) -> (1),   pass[8] (2) -> (3);
        merge[32, 2] (1, 0) -> (0),     merge[4, 8] (2, 3) -> (1);
    type Ring:
        packed [6, 12, 5];
        modulo[6, 14] (0) -> (0),   cyclic_shift[12, 5] (1, 2) -> (2, 1);
        left_pad[14, 3] (0) -> (0),   pass[5] (1) -> (1),   slice[12, 2, 11] (2) -> (2);
    type Window:
        packed [3, 40];
        freeze[2] (0) -> (),   offset[30, 7] (1) -> (0);
        embed[4, 9] strides [3, 2] (0) -> (1, 0);
        inverse_cyclic_shift[9, 4] (0, 1) -> (0, 1);
        pad[9, 1, 2] (0) -> (0),   pass[4] (1) -> (1);
}
descriptor! {
    type Shifts:
        packed [7, 12, 3];
        inverse_cyclic_shift[7, 12] (0, 1) -> (0, 1),   pass[3] (2) -> (2);
        merge[7, 12, 3] (0, 1, 2) -> (0);
}

fn layered() -> Result<impl Descriptor<Rank = <Layered as Adaptor>::Rank>, Error> {
    Naive::new([Dyn(8), Dyn(32), Dyn(8)], [Dyn(8), Dyn(64), Dyn(1)])?
        .transform(
            (Xor::new(Dyn(32), Dyn(8)), PassThrough::new(Dyn(8))),
            lower![[1, 0], [2]],
            upper![[1, 0], [2]],
        )?
        .transform(
            (Unmerge::new([Dyn(2), Dyn(4)]), PassThrough::new(Dyn(32)), PassThrough::new(Dyn(8))),
            lower![[0], [1], [2]],
            upper![[0, 2], [1], [3]],
        )?
        .transform(
            (Merge::new([Dyn(32), Dyn(2)]), Merge::new([Dyn(4), Dyn(8)])),
            lower![[1, 0], [2, 3]],
            upper![[0], [1]],
        )
}

fn ring() -> Result<impl Descriptor<Rank = <Ring as Adaptor>::Rank>, Error> {
    Packed::new((Lit::<6>, Dyn(12), Dyn(5)))?
        .transform(
            (Modulo::new(Dyn(6), Dyn(14)), CyclicShift::new(Dyn(12), Dyn(5))),
            lower![[0], [1, 2]],
            upper![[0], [2, 1]],
        )?
        .transform(
            (
                LeftPad::new(Dyn(14), Dyn(3)),
                PassThrough::new(Dyn(5)),
                Slice::new(Dyn(12), Dyn(2), Dyn(11)),
            ),
            lower![[0], [1], [2]],
            upper![[0], [1], [2]],
        )
}

fn shifts() -> Result<impl Descriptor<Rank = <Shifts as Adaptor>::Rank>, Error> {
    Packed::new([Dyn(7), Dyn(12), Dyn(3)])?
        .transform(
            (InverseCyclicShift::new(Dyn(7), Dyn(12)), PassThrough::new(Dyn(3))),
            lower![[0, 1], [2]],
            upper![[0, 1], [2]],
        )?
        .transform((Merge::new([Dyn(7), Dyn(12), Dyn(3)]),), lower![[0, 1, 2]], upper![[0]])
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn plan_is_typed_layered(
        index in [0..80u32, 0..40u32],
        steps in vec([-9..9i32, -9..9i32], 0..6),
    ) {
        typed_agrees::<Layered, _, 2>(layered().unwrap(), index, &steps);
    }

    #[test]
    fn plan_is_typed_ring(
        index in [0..20u32, 0..5u32, 0..9u32],
        steps in vec([0..3i32, -2..3i32, -2..3i32], 0..6),
    ) {
        typed_agrees::<Ring, _, 3>(ring().unwrap(), index, &steps);
    }

    #[test]
    fn plan_is_typed_shifts(index in uniform1(0..252u32), steps in vec(uniform1(-9..9i32), 0..6)) {
        typed_agrees::<Shifts, _, 1>(shifts().unwrap(), index, &steps);
    }

    #[test]
    fn plan_is_typed_window(index in coordinate_of::<Window>()) {
        let plan = Window::PLAN.unwrap();
        prop_assert_eq!(Window::default().masked(index).0, plan.evaluate(&index)[0]);
    }
}

/// Chained adaptors agree with their plan, and move.
#[test]
fn chained_adaptors() -> Result<(), Error> {
    let below = tiledesc::SingleStage::adaptor(
        (Merge::new(seq![4, 16]), PassThrough::new(Lit::<8>)),
        lower![[0, 1], [2]],
        upper![[0], [1]],
    )?;
    let above = tiledesc::SingleStage::adaptor(
        (Unmerge::new(seq![2, 32]), Unmerge::new(seq![2, 4])),
        lower![[0], [1]],
        upper![[2, 0], [1, 3]],
    )?;
    let chain = below.chain(above)?;
    let plan = chain.plan()?;
    assert_eq!(plan.lengths(), [32, 2, 2, 4]);
    for id in 0..plan.elements() {
        let index = plan.nth(id);
        let bottom = plan.bottom(index.as_slice())?;
        assert_eq!(chain.lower(index.as_slice()).as_slice(), bottom.as_slice(), "{index:?}");
    }
    let over_memory = Packed::new(seq![4, 16, 8])?.chain(chain)?;
    let mut at = over_memory.coordinate([3, 0, 1, 2]);
    at.step([5, 1, -1, 1]);
    assert_eq!(at.offset(), over_memory.at([8u32, 1, 0, 3]));
    let error = Packed::new(seq![4, 15, 8])?.chain(chain).unwrap_err();
    assert_eq!(error.to_string(), "chain: dimension 1 has length 15 below and 16 above");
    Ok(())
}

/// The laws of the recipes, tile by tile.
#[test]
fn recipes() {
    layout! {
        type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
        type Layered4 = recipe::GemmXor<F8, M<64>, K<32>, KPack<16>>;
        type Odd = recipe::GemmXor<F16, M<96>, K<32>, KPack<4>>;
        type Columns =
            recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
        type Padded = recipe::FlatmmPad<F16, M<128>, K<64>, KPack<8>>;
    }
    law::bijective::<Xor>().unwrap();
    law::bijective::<Layered4>().unwrap();
    law::bijective::<Odd>().unwrap();
    law::bijective::<Columns>().unwrap();
    law::injective::<Padded>().unwrap();
    law::round_trip::<Columns>().unwrap();
    let holes = law::bijective::<Padded>().unwrap_err();
    assert_eq!(holes, Error::Holes { space: 8248, elements: 8192 });
}

/// Lists one after the other: in order, and up to 12.
#[test]
fn lists_one_after_the_other() {
    let (one, other) = (List::new(&[4, 3, 5]), List::new(&[9, 8]));
    assert_eq!(one.concat(&other).unwrap(), [4, 3, 5, 9, 8]);
    assert_eq!(other.concat(&one).unwrap(), [9, 8, 4, 3, 5]);
    assert!(List::EMPTY.is_empty() && !one.is_empty() && one.len() == 3);
    assert_eq!((one.concat(&List::EMPTY).unwrap(), List::EMPTY.concat(&one).unwrap()), (one, one));
    let (seven, five) = (List::iota(7), List::iota(5));
    let all = seven.concat(&five).unwrap();
    assert_eq!(all, [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4]);
    assert_eq!(all.len(), List::CAPACITY);
    let error = seven.concat(&List::iota(6)).unwrap_err();
    assert_eq!(error, tiledesc::NumberError::TooLong { length: 13 });
}

/// The lists of sequences obey their inverses.
#[test]
fn sequences() {
    let map = List::new(&[2, 0, 3, 1]);
    let list = List::new(&[10, 11, 12, 13]);
    let there = list.reorder_new_to_old(&map).unwrap();
    assert_eq!(there, [12, 10, 13, 11]);
    assert_eq!(there.reorder_old_to_new(&map).unwrap(), list);
    assert_eq!(map.inverse().unwrap().inverse().unwrap(), map);
    assert!(!List::new(&[0, 0]).is_permutation());
    type Front<S> = tiledesc::sequence::PopBack<S>;
    assert_eq!(<Front<seq![4, 3, 5]> as Sequence>::VALUES, [4, 3]);
    assert_eq!(<Front<seq![4]> as Sequence>::VALUES, List::EMPTY);
}

/// Unused kinds of the typed pads, once each.
#[test]
fn pads_by_type() {
    type Both = PadBoth<Lit<6>, Lit<2>, Lit<3>, tiledesc::Checked>;
    type Padded = Transformed<Packed<seq![6]>, (Both,), lower![[0]], upper![[0]]>;
    let mut at = Padded::default().coordinate([1]);
    assert!(!at.is_valid());
    at.step([1]);
    assert!(at.is_valid());
    assert_eq!(at.offset(), 0);
}

/// Blocks of every layout are contiguous where each element's offset says so.
#[test]
fn blocks_as_offsets_say() {
    let (mut whole, mut torn) = (0, 0);
    for [rows, columns] in [[16, 64], [12, 24], [8, 96], [6, 20], [20, 6]] {
        let tile = Shape { rows, columns, bits: 16 };
        let packed = [2, 3, 4, 6, 8].map(|pack| [Spec::row_shift(pack), Spec::gemm_xor(pack)]);
        let padded = [Spec::row_major(), Spec::row_pad(8), Spec::interval_pad(32, 4)];
        for spec in packed.into_iter().flatten().chain(padded) {
            let Ok(plan) = spec.plan(tile) else { continue };
            for elements in (1..=12).filter(|elements| columns % elements == 0) {
                let follows = |row, at: u32| {
                    let [before, here] = [at - 1, at].map(|k| plan.offset(&[row, k]).unwrap());
                    at.is_multiple_of(elements) || here == before.wrapping_add(1)
                };
                let wanted = (0..rows).all(|row| (1..columns).all(|at| follows(row, at)));
                let told = plan.has_blocks(1, elements).unwrap();
                assert_eq!(told, wanted, "{spec:?} {tile:?} {elements}");
                whole += u32::from(told);
                torn += u32::from(!wanted);
            }
        }
    }
    assert!(whole > 80 && torn > 40, "{whole} {torn}");
}
