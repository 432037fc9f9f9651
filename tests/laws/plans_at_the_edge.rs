//! Plans at the edge: graphs that are not trees, sizes near 2^32, adaptors asked for
//! offsets, packs that are split. Each gives a correct answer or an error with the
//! numbers; none panics.

use core::time::Duration;
use std::time::Instant;
#[cfg(debug_assertions)]
use support::attempt::caught;
use tiledesc::chip::gfx942;
use tiledesc::prelude::*;
use tiledesc::sequence::ReverseExclusiveScan;
use tiledesc::transforms::{Bottom, Wiring};
use tiledesc::{Error, Op};
use tiledesc::{Function, List, Node, SingleStage, Vector, access::AccessError};

fn pass(lower: u32, upper: u32) -> Node {
    let (lower, upper) = (List::new(&[lower]), List::new(&[upper]));
    Node { op: Op::PassThrough { length: 4 }, lower, upper }
}

#[track_caller]
fn refused<T: core::fmt::Debug>(result: Result<T, Error>, sentence: &str) {
    assert_eq!(result.unwrap_err().to_string(), sentence);
}

#[test]
fn graphs_that_are_no_trees() {
    let two_over_one = [pass(0, 1), pass(0, 2)];
    refused(Plan::graph(&[0], &two_over_one, &[1, 2]), "lower dimension 0 is taken twice");
    refused(Plan::graph(&[0], &[pass(0, 1)], &[1, 1]), "upper dimension 1 is given twice");
    refused(Plan::graph(&[0], &[pass(0, 1)], &[1, 0]), "upper dimension 0 is given twice");
    refused(Plan::graph(&[0, 0], &[pass(0, 1)], &[1]), "lower dimension 0 is taken twice");
    refused(
        Plan::graph(&[0, 1], &[pass(0, 2), pass(1, 3)], &[2]),
        "dimension 3 leads nowhere: no transform takes it, and it is not a top dimension",
    );
    // R of a distribution: replicated along, and in no lane.
    let copies = Op::Replicate { lengths: List::new(&[2]) };
    let r = Node { op: copies, lower: List::EMPTY, upper: List::new(&[1]) };
    refused(
        Plan::graph(&[0], &[r, pass(0, 2)], &[2]),
        "dimension 1 leads nowhere: no transform takes it, and it is not a top dimension",
    );
    refused(
        Plan::graph(&[0], &[pass(5, 1)], &[1]),
        "dimension 5 is taken before a transform gives it",
    );
    refused(
        Plan::graph(&[0], &[pass(0, 1)], &[1, 2]),
        "dimension 2 is taken before a transform gives it",
    );
    assert!(Plan::graph(&[0], &[pass(0, 1)], &[1]).is_ok());
    // Of one index, which is 0: CK's R of length 1 is in no lane.
    let lengths = List::new(&[4, 1]);
    let rows =
        Node { op: Op::Unmerge { lengths }, lower: List::new(&[0]), upper: List::new(&[1, 2]) };
    let plan = Plan::graph(&[0], &[rows], &[1]).unwrap();
    assert_eq!((plan.offset(&[3]), plan.coordinate_of(3)), (Ok(3), Ok(List::new(&[3]))));
    assert_eq!((plan.prove_bijective(), plan.linear().unwrap().columns()), (Ok(()), &[1, 2][..]));
}

/// A stage has as many lower lists and as many upper lists as transforms; each is asked.
#[test]
fn stages_of_other_sizes() {
    let pass = Op::PassThrough { length: 4 };
    let plan = Plan::packed(&[4, 4]).unwrap();
    let (one, two): (&[&[u32]], &[&[u32]]) = (&[&[0, 1]], &[&[0], &[1]]);
    assert!(plan.transform(&[pass, pass], two, two).is_ok());
    refused(
        plan.transform(&[pass, pass], one, two),
        "stage 1: 2 transforms but 1 lower list and 2 upper lists",
    );
    refused(
        plan.transform(&[pass, pass], two, one),
        "stage 1: 2 transforms but 2 lower lists and 1 upper list",
    );
    refused(
        plan.transform(&[pass], two, two),
        "stage 1: 1 transform but 2 lower lists and 2 upper lists",
    );
}

/// An error says the stage that it is in, counted from 1; memory is none.
/// The first number that no dimension has, below and above.
#[test]
fn dimensions_that_do_not_exist() {
    let tile = Plan::packed(&[8, 16]).unwrap();
    let pass = [8, 16, 1].map(|length| Op::PassThrough { length });
    let three: [&[u32]; 3] = [&[0], &[1], &[2]];
    let sentence = "stage 1: lower dimension 2 does not exist: there are 2 dimensions";
    refused(tile.transform(&pass, &three, &three), sentence);
    refused(tile.transform(&pass[..2], &[&[0], &[2]], &three[..2]), sentence);
    refused(
        tile.transform(&pass[..2], &three[..2], &[&[0], &[2]]),
        "stage 1: no transform gives upper dimension 1 (number the new dimensions from 0)",
    );
}

#[test]
fn stages_are_counted() {
    let mut plan = Plan::packed(&[4, 4]).unwrap();
    let both: &[&[u32]] = &[&[0], &[1]];
    for stage in 1..5 {
        let pass = |length| [Op::PassThrough { length }; 2];
        refused(
            plan.transform(&pass(5), both, both),
            &format!("stage {stage}: pass_through[5] needs length 5, but dimension 0 has length 4"),
        );
        plan = plan.transform(&pass(4), both, both).unwrap();
    }
}

/// An alignment that is not a number has no rows, however good the lengths are; of two faults the
/// first is named.
#[test]
fn alignments_that_are_no_numbers() {
    type Faulty<A, B> = tiledesc::number::Div<A, B>;
    type Rows<L, A> = tiledesc::Aligned<L, A>;
    let alignment = <Rows<seq![9, 21], Faulty<Lit<64>, Lit<24>>>>::PLAN;
    refused(alignment, "64 is not a multiple of 24");
    let length = <Rows<(Lit<9>, Faulty<Lit<10>, Lit<4>>), Lit<16>>>::PLAN;
    refused(length, "10 is not a multiple of 4");
    let both = <Rows<(Lit<9>, Faulty<Lit<10>, Lit<4>>), Faulty<Lit<64>, Lit<24>>>>::PLAN;
    refused(both, "10 is not a multiple of 4");
}

/// Rows begin at multiples of the alignment and hold a row, no further apart than that takes;
/// what is above them is packed.
#[test]
fn aligned_rows() {
    for align in 1..9u32 {
        for (a, b, c) in
            (1..4).flat_map(|a| (1..4).flat_map(move |b| (1..20).map(move |c| (a, b, c))))
        {
            let plan = Plan::aligned(&[a, b, c], align).unwrap();
            let row = (c..).find(|row| row.is_multiple_of(align)).unwrap();
            for (i, j, k) in [(0, 0, c - 1), (0, b - 1, 0), (a - 1, 0, 0), (a - 1, b - 1, c - 1)] {
                assert_eq!(
                    plan.offset(&[i, j, k]),
                    Ok((i * b + j) * row + k),
                    "{a} {b} {c} {align}"
                );
            }
            let line = Plan::aligned(&[c], align).unwrap();
            assert_eq!((line.offset(&[c - 1]), line.element_space()), (Ok(c - 1), c.into()));
        }
    }
    refused(Plan::aligned(&[4, 4], 0), "a number is divided by zero");
}

/// No dimension has length 0, whichever transform says it.
#[test]
fn lengths_of_zero() {
    let pair = |a, b| List::pair(a, b);
    let says = |op: Op, lower: usize, upper: usize| {
        let ids = |count: usize| List::iota(count).as_slice().to_vec();
        let plan = Plan::adaptor(&[op], &[&ids(lower)], &[&ids(upper)]);
        plan.unwrap_err().to_string()
    };
    let masks = List::new(&[1]);
    for (zero, other) in [(0, 8), (8, 0), (0, 0)] {
        for (op, name, lower, upper) in [
            (Op::Xor { length0: zero, length1: other }, "xor", 2, 2),
            (Op::XorBits { length0: zero, length1: other, masks }, "xor_bits", 2, 2),
            (Op::CyclicShift { length0: zero, length1: other }, "cyclic_shift", 2, 2),
            (
                Op::InverseCyclicShift { length0: zero, length1: other },
                "inverse_cyclic_shift",
                2,
                2,
            ),
            (Op::Merge { lengths: pair(zero, other) }, "merge", 2, 1),
            (Op::Unmerge { lengths: pair(zero, other) }, "unmerge", 1, 2),
            (Op::Embed { lengths: pair(zero, other), strides: pair(1, 1) }, "embed", 1, 2),
            (Op::Replicate { lengths: pair(zero, other) }, "replicate", 0, 2),
        ] {
            let sentence = format!("{name}[{zero}, {other}] has a length of 0");
            assert!(says(op, lower, upper).contains(&sentence), "{}", says(op, lower, upper));
        }
    }
}

/// Fields of no bits are not dimensions: a plan has 64, and swizzles are many.
#[test]
fn fields_of_no_bits_are_left_out() {
    let fields = |length: u32, from, into, width| {
        let plan = Plan::packed(&[length]).unwrap().xor_fields(from, into, width).unwrap();
        let apart = plan.nodes().iter().rev().find_map(|node| match node.op {
            Op::Merge { lengths } => Some(lengths.as_slice().to_vec()),
            _ => None,
        });
        apart.unwrap()
    };
    assert_eq!(fields(64, 3, 0, 3), [8, 8]);
    assert_eq!(fields(64, 0, 3, 3), [8, 8]);
    assert_eq!(fields(128, 3, 0, 3), [2, 8, 8]);
    assert_eq!(fields(128, 4, 0, 3), [8, 2, 8]);
    assert_eq!(fields(128, 4, 1, 3), [8, 8, 2]);
    assert_eq!(fields(1024, 5, 1, 3), [4, 8, 2, 8, 2]);
    assert_eq!(fields(192, 3, 0, 3), [3, 8, 8]);
}

/// The alignment is looked up for as many blocks as the limit says, and one more is too many; where
/// rows only add to the offset it needs no looking.
#[test]
fn alignment_at_its_limit() {
    let rows = |rows| Plan::naive(&[rows, 2], &[2, 1]).unwrap().alignment(1);
    assert_eq!((rows(65_536), rows(65_537)), (Ok(2), Ok(2)));
    let xor = |rows| tiledesc::recipe::gemm_xor(rows, 16, 8, 1).unwrap().alignment(1);
    assert_eq!((xor(32_768), xor(32_769)), (Ok(8), Ok(1)));
}

/// A slice says the length of its dimension, and ends within it, whatever is below.
#[test]
fn slices_of_another_length() {
    let of = |length: u32, low_length: u32, begin: u32, end: u32| {
        let slice = Op::Slice { low_length, begin, end };
        Plan::packed(&[length]).unwrap().transform(&[slice], &[&[0]], &[&[0]])
    };
    refused(
        of(12, 8, 4, 10),
        "stage 1: slice[8, 4, 10] needs length 8, but dimension 0 has length 12",
    );
    refused(
        of(12, 8, 4, 7),
        "stage 1: slice[8, 4, 7] needs length 8, but dimension 0 has length 12",
    );
    refused(
        of(8, 8, 4, 10),
        "stage 1: slice[8, 4, 10] needs at least length 10, but dimension 0 has length 8",
    );
    refused(of(8, 8, 6, 4), "slice: its end 4 is not greater than its begin 6");
    for (length, begin, end) in
        (1..9).flat_map(|l| (0..9).flat_map(move |b| (0..12).map(move |e| (l, b, e))))
    {
        for low_length in 1..9 {
            let fits = low_length == length && begin < end && end <= length;
            assert_eq!(of(length, low_length, begin, end).is_ok(), fits);
        }
    }
    // An adaptor's bottom has the length that is declared.
    let slice = Op::Slice { low_length: 8, begin: 4, end: 10 };
    refused(
        Plan::adaptor(&[slice], &[&[0]], &[&[0]]),
        "stage 1: slice[8, 4, 10] needs at least length 10, but dimension 0 has length 8",
    );
}

/// Out of range CK's rules give other numbers; the pages of xor, left_pad and right_pad say
/// which.
#[test]
fn out_of_range_is_not_cks() {
    // CK: u1 xor (u0 mod L1), also where L0 does not exceed L1.
    let ck = |u0: u32, u1: u32, length1: u32| u1 ^ (u0 % length1);
    for (length0, length1) in [(4u32, 8u32), (8, 8), (128, 8)] {
        let xor = Op::Xor { length0, length1 };
        let plan = Plan::packed(&[length0, length1]).unwrap();
        let plan = plan.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap();
        for (u0, u1) in
            (0..2 * length0.max(length1)).flat_map(|u0| (0..length1).map(move |u1| (u0, u1)))
        {
            let ours = plan.evaluate(&[u0, u1])[0] - u0 * length1;
            let same = ours == ck(u0, u1, length1);
            assert_eq!(same, length0 > length1 || u0 < length1, "{length0} {length1}: {u0} {u1}");
        }
    }
    // CK: left_pad asks u >= left alone, right_pad u < low alone, and both of a signed index.
    let valid = |op, index: u32| {
        let plan = Plan::packed(&[6]).unwrap().transform(&[op], &[&[0]], &[&[0]]).unwrap();
        plan.accepts(&plan.evaluate(&[index]))
    };
    let left_pad = Op::LeftPad { low_length: 6, left: 2, skip_check: false };
    let right_pad = Op::RightPad { low_length: 6, right: 2, skip_check: false };
    for index in -4i32..12 {
        let (left, right) = (index >= 2, index < 6);
        assert_eq!(valid(left_pad, index.cast_unsigned()), left && index < 8, "{index}");
        assert_eq!(valid(right_pad, index.cast_unsigned()), right && index >= 0, "{index}");
    }
}

#[test]
fn adaptors_have_no_offsets() {
    type Folded = SingleStage<(Merge<seq![2, 3]>,), lower![[0, 1]], upper![[0]]>;
    let plan = Folded::PLAN.unwrap();
    let sentence = "an adaptor has no offsets; laws and inverses are about descriptors";
    refused(plan.injective(), sentence);
    refused(plan.round_trip(), sentence);
    refused(plan.prove_bijective(), sentence);
    refused(plan.coordinate_of(0), sentence);
    let chained = Packed::new(seq![2, 3])
        .unwrap()
        .chain(Bottom::<<upper![[0, 1]] as Wiring>::Total>::default());
    refused(chained.map(|_| ()), "chain: the adaptor above has no transforms");
}

#[test]
fn scans_do_not_saturate() {
    type Wide = ReverseExclusiveScan<seq![2, 65536, 65536, 2]>;
    type Strided = Naive<seq![2, 1, 1, 1], Wide>;
    refused(Strided::PLAN, "the number 8589934592 does not fit into 32 bits");
}

#[test]
fn proofs_over_padding() {
    let pad = |right| Op::RightPad { low_length: 4, right, skip_check: false };
    let sparse = Plan::naive(&[4], &[2]).unwrap();
    let sparse = sparse.transform(&[pad(3)], &[&[0]], &[&[0]]).unwrap();
    refused(
        sparse.prove_bijective(),
        "not a bijection: 4 coordinates for an element space of 7 (injective allows gaps)",
    );
    let padded = Plan::packed(&[4]).unwrap().transform(&[pad(3)], &[&[0]], &[&[0]]).unwrap();
    assert_eq!(padded.prove_bijective(), Ok(()));
    // However many coordinates there are: every element has one, or a slice left some out.
    let stages = |length: u32, end: u32| {
        let ops = [
            Op::Slice { low_length: length, begin: 0, end },
            Op::RightPad { low_length: end, right: 3, skip_check: false },
        ];
        let one: &[&[u32]] = &[&[0]];
        let plan = Plan::packed(&[length]).unwrap();
        let whole = Op::RightPad { low_length: length, right: 3, skip_check: false };
        let whole = plan.transform(&[whole], one, one).unwrap();
        let cut = ops.iter().fold(plan, |plan, op| plan.transform(&[*op], one, one).unwrap());
        (whole.prove_bijective(), cut.prove_bijective(), cut.bijective())
    };
    let holes = |space, elements| Err(Error::Holes { space, elements });
    assert_eq!(stages(8, 6), (Ok(()), holes(8, 6), holes(8, 6)));
    let undecided = Err(Error::Undecided { law: "bijective", elements: 20_002 });
    assert_eq!(stages(20_000, 19_999), (Ok(()), undecided, holes(20_000, 19_999)));
}

#[test]
fn vectors_near_the_end_of_32_bits() {
    let pad = Op::LeftPad { low_length: i32::MAX as u32, left: 1 << 31, skip_check: false };
    let plan = Plan::packed(&[i32::MAX as u32]).unwrap();
    let plan = plan.transform(&[pad], &[&[0]], &[&[0]]).unwrap();
    assert_eq!(plan.vector(0), Ok(Vector { length: 1 << 31, stride: 1 }));
}

/// A search ends at its limit, also where a dimension of one index has nothing to walk
/// along: that visited all 2^28 contexts, 5.4 s of a release build and no constant.
#[test]
fn searches_end() {
    const LINE: Plan = match Plan::packed(&[256, 128, 1]) {
        Ok(plan) => plan,
        Err(_) => panic!(),
    };
    const ONE: Vector = match LINE.vector(2) {
        Ok(vector) => vector,
        Err(_) => panic!(),
    };
    assert_eq!(ONE, Vector { length: 1, stride: 0 });

    let begun = Instant::now();
    let one = Vector { length: 1, stride: 0 };
    let wide = Plan::packed(&[16384, 16384, 1]).unwrap();
    assert_eq!((wide.vector(2), wide.alignment(2)), (Ok(one), Ok(1)));
    // Every index of the first dimension in padding, so that no step is found.
    let pass = |length| Op::PassThrough { length };
    let pad = Op::RightPad { low_length: 16384, right: 16384, skip_check: false };
    let part = Op::Slice { low_length: 32768, begin: 16384, end: 32768 };
    let stage = |plan: Plan, op, last| {
        plan.transform(&[pass(16384), op, pass(last)], &ONE_EACH, &ONE_EACH).unwrap()
    };
    const ONE_EACH: [&[u32]; 3] = [&[0], &[1], &[2]];
    for last in [1, 2] {
        let plan = Plan::packed(&[16384, 16384, last]).unwrap();
        let nothing = stage(stage(plan, pad, last), part, last);
        for dimension in 0..3 {
            nothing.vector(dimension).unwrap();
            nothing.alignment(dimension).unwrap();
        }
    }
    // A functor says nothing of its steps; what only adds to the offset is not varied.
    const GATHERED: Vector = {
        let ops = [Op::PassThrough { length: 16384 }, Op::Functor { table: &[0, 1, 2, 3] }];
        let plan = match Plan::packed(&[16384, 4]) {
            Ok(plan) => plan.transform(&ops, &[&[0], &[1]], &[&[0], &[1]]),
            Err(_) => panic!(),
        };
        match plan {
            Ok(plan) => match plan.vector(1) {
                Ok(vector) => vector,
                Err(_) => panic!(),
            },
            Err(_) => panic!(),
        }
    };
    assert_eq!(GATHERED, Vector { length: 4, stride: 1 });
    // Padding in the last of 2^26 blocks, at 3 of 4: not found, so nothing is promised.
    let pad = Op::RightPad { low_length: (1 << 28) - 1, right: 1, skip_check: false };
    let four = Op::Unmerge { lengths: List::new(&[1 << 26, 4]) };
    let line = Plan::packed(&[(1 << 28) - 1]).unwrap();
    let line = line.transform(&[pad], &[&[0]], &[&[0]]).unwrap();
    let blocks = line.transform(&[four], &[&[0]], &[&[0, 1]]).unwrap();
    assert_eq!(blocks.vector(1), Ok(one));
    // A ring says nothing of where it is inverted.
    let ring = Op::Modulo { modulus: 1 << 20, length: 1 << 21 };
    let ring = Plan::packed(&[1 << 20]).unwrap().transform(&[ring], &[&[0]], &[&[0]]).unwrap();
    let late = Op::Slice { low_length: 1 << 21, begin: 1 << 20, end: 1 << 21 };
    let late = ring.transform(&[late], &[&[0]], &[&[0]]).unwrap();
    refused(
        late.coordinate_of(40_000),
        "structure does not show whether the layout is invertible, and 1048576 coordinates are too \
         many to try (the limit is 65536)",
    );

    // 2^29 coordinates are more than the laws visit, 2^26.
    let skip = Op::RightPad { low_length: 16384, right: 16384, skip_check: true };
    let rows = Plan::packed(&[16384, 16384]).unwrap();
    let two: [&[u32]; 2] = [&[0], &[1]];
    let open = rows.transform(&[skip, pass(16384)], &two, &two).unwrap();
    let too_many = |law| {
        let most = 67_108_864;
        Err(Error::TooManyToTry { law, elements: 1 << 29, most })
    };
    assert_eq!(open.injective(), Ok(()));
    assert_eq!(open.in_bounds(), too_many("in bounds"));
    assert_eq!(open.bijective(), too_many("in bounds"));
    assert_eq!(open.round_trip(), too_many("invertible"));
    let strides = [117_994, 430_152, 8401, 127, 34_253, 6774];
    let boxed = Plan::naive(&[170, 6, 2, 2, 100, 62], &strides).unwrap();
    assert!(matches!(boxed.prove_injective(), Err(Error::Undecided { elements: 25_296_000, .. })));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// The sentence of a panic, and the file that it points to.
#[cfg(debug_assertions)]
fn panics(call: impl FnOnce() -> u64) -> (String, String) {
    let panic = caught(call).expect_err("no panic");
    (panic.sentence, panic.file)
}

/// In a debug build `at` refuses what its caller must know, on the caller's line; `at([1000,
/// 2000])` was 66000 of 8192 elements. Release code is as it was (`tests/codegen`).
#[cfg(debug_assertions)]
#[test]
fn at_is_checked_in_a_debug_build() {
    type Tile = recipe::GemmXor<F16, recipe::M<128>, recipe::K<64>, KPack<8>>;
    descriptor! {
        type Padded:
            packed [6, 5];
            left_pad[6, 2] (0) -> (0),   pass[5] (1) -> (1);
    }
    type Elements = Layout<F16, Padded>;
    let rows = Naive::new([Dyn(7), Dyn(13)], [Dyn(16), Dyn(1)]).unwrap();
    let said = |sentence: &str, seen: (String, String)| {
        assert_eq!(seen, (sentence.to_owned(), "tests/laws/plans_at_the_edge.rs".to_owned()));
    };
    let row = "index 1000 is out of range: dimension 0 has length 128";
    said(row, panics(|| Tile::at([1000u32, 2000]).into()));
    said(row, panics(|| Tile::byte_at([1000u64, 63])));
    said(row, panics(|| Tile::default().at([1000usize, 0]) as u64));
    let column = "index 64 is out of range: dimension 1 has length 64";
    said(column, panics(|| Tile::at([127u32, 64]).into()));
    said(
        "index 4294967295 is out of range: dimension 1 has length 64",
        panics(|| Tile::at([3, u128::MAX]) as u64),
    );
    said("index 13 is out of range: dimension 1 has length 13", panics(|| rows.at([6u64, 13])));
    let padding = "coordinate (1, 4) lies in padding and has no place in memory";
    said(padding, panics(|| Padded::default().at([1u64, 4])));
    said(padding, panics(|| Elements::byte_at([1u64, 4])));
    // What has a place is as ever, and a mask goes with any offset.
    assert_eq!((Tile::at([127u32, 63]), Elements::at([2u32, 4])), (8135, 4));
    assert_eq!(Padded::default().valid_offset([1u32, 4]), None);
    assert!(!rows.masked([7u32, 13]).1);
}

/// Unchecked padding leads indices out of their dimension, where a key of an xor is
/// no longer 0.
#[test]
fn vectors_out_of_a_dimension() {
    let xor = Op::Xor { length0: 1, length1: 8 };
    let ops =
        [Op::RightPad { low_length: 1, right: 3, skip_check: true }, Op::PassThrough { length: 8 }];
    let plan = Plan::packed(&[1, 8]).unwrap();
    let plan = plan.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap();
    assert_eq!(plan.vector(1).unwrap().length, 8);
    let plan = plan.transform(&ops, &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    assert_eq!(plan.vector(1).unwrap().length, 1);
}

/// Swaps the second and third element of every four.
struct Torn;

impl Function for Torn {
    const TABLE: &'static [u32] = &[0, 2, 1, 3, 4, 5, 6, 7];
}

#[test]
fn packs_torn_in_the_middle() {
    descriptor! {
        type Packs:
            packed [128, 8, 8];
            pass[128] (0) -> (0),   pass[8] (1) -> (1),   functor[Torn] (2) -> (2);
            pass[128] (0) -> (0),   merge[8, 8] (1, 2) -> (1);
    }
    let read = Layout::<F16, Packs>::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128);
    let coordinate = List::pair(0, 0);
    let torn = AccessError::NotContiguous { lane: 0, coordinate, pack: 8, along: 1, together: 1 };
    assert_eq!(read, Err(torn));
    assert_eq!(law::functor::<Torn>(), Ok(()));
}

/// A table without an entry twice is decided by its entries, however many coordinates there are.
#[test]
fn tables_are_decided_by_their_entries() {
    const TABLE: &[u32] = &[9000, 1, 64, 0, 63, 65, 4096, 2];
    let packed = Plan::packed(&[9001, 4096]).unwrap();
    let take = |table| {
        let ops = [Op::Functor { table }, Op::PassThrough { length: 4096 }];
        packed.transform(&ops, &[&[0], &[1]], &[&[0], &[1]]).unwrap()
    };
    assert_eq!(take(TABLE).prove_injective(), Ok(()));
    let twice = take(&[9000, 1, 64, 0, 63, 65, 4096, 64]).prove_injective().unwrap_err();
    let Error::Collision { first, second, .. } = twice else { panic!("{twice}") };
    assert_eq!((first.as_slice(), second.as_slice()), ([2, 0].as_slice(), [7, 0].as_slice()));
    // The sentence of the book's page on functors.
    let ops = [Op::Functor { table: &[7, 3, 9, 3] }, Op::PassThrough { length: 64 }];
    let rows = Plan::packed(&[128, 64]).unwrap();
    let rows = rows.transform(&ops, &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    assert_eq!(
        rows.prove_injective().unwrap_err().to_string(),
        "not injective: coordinates (1, 0) and (3, 0) share offset 192",
    );
}

/// An xor with a key that is frozen to 1 takes columns 1, 2, 3 to 0, 3, 2: as many as before, but of
/// four, so that rows 3 apart meet.
#[test]
fn a_frozen_key_flips_a_slice() {
    let base = Plan::naive(&[2, 2, 8], &[3, 100, 1]).unwrap();
    let pass = Op::PassThrough { length: 2 };
    let xor = [pass, Op::Xor { length0: 2, length1: 8 }];
    let flipped = base.transform(&xor, &[&[0], &[1, 2]], &[&[0], &[1, 2]]).unwrap();
    let sliced = |key, begin, end| {
        let freeze = Op::Freeze { index: key };
        let ops = [pass, freeze, Op::Slice { low_length: 8, begin, end }];
        flipped.transform(&ops, &[&[0], &[1], &[2]], &[&[0], &[], &[1]]).unwrap()
    };
    assert_eq!(sliced(0, 1, 4).prove_injective(), Ok(()));
    let met = sliced(1, 1, 4).prove_injective().unwrap_err();
    let Error::Collision { first, second, offset } = met else { panic!("{met}") };
    assert_eq!(offset, 103);
    let all = [first, second].map(|at| [at.at(0), at.at(1)]);
    assert!(all == [[0, 1], [1, 0]] || all == [[1, 0], [0, 1]], "{all:?}");
}

/// A constant, so that the compiler's own limit says when the search for breaks takes too long: there are more contexts
/// than are tried, and then none needs to be.
#[test]
fn a_shift_over_pads_is_not_searched() {
    const fn shifted() -> Result<Plan, Error> {
        let Ok(low) = Plan::naive(&[37_000, 41_000], &[41_000, 1]) else { panic!() };
        let pads = [
            Op::RightPad { low_length: 37_000, right: 892, skip_check: false },
            Op::RightPad { low_length: 41_000, right: 53, skip_check: false },
        ];
        let Ok(padded) = low.transform(&pads, &[&[0], &[1]], &[&[0], &[1]]) else { panic!() };
        let shift = Op::CyclicShift { length0: 37_892, length1: 41_053 };
        padded.transform(&[shift], &[&[0, 1]], &[&[0, 1]])
    }
    const FOUND: [Option<(Vector, u32)>; 2] = {
        let Ok(plan) = shifted() else { panic!() };
        let (mut found, mut d) = ([None; 2], 0);
        while d < 2 {
            if let (Ok(vector), Ok(alignment)) = (plan.vector(d), plan.alignment(d)) {
                found[d] = Some((vector, alignment));
            }
            d += 1;
        }
        found
    };
    assert_eq!(FOUND, [Some((Vector { length: 1, stride: 0 }, 1)); 2]);
}
