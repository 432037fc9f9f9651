//! PTX: which lanes are on, and what they bring where they join.

use super::{bytes, ptx as kernel, reached};
use tiledesc_audit::value::{Lanes, Value};
use tiledesc_audit::{Kernel, Outcome, Reached};

/// How far each lane's address is from lane 0's.
fn distances(kernel: &Kernel, n: usize) -> Option<Vec<u32>> {
    match &reached(kernel, n).address {
        Value::Sum { f, .. } => {
            Some((0..32).map(|lane| f.get(lane).wrapping_sub(f.get(0))).collect())
        }
        _ => None,
    }
}

const APART: &str = "setp.lt.u32 %p1, %r9, 7;\n";

/// A branch whose lanes are known: in it they are on, after it all are, and each has what it wrote.
#[test]
fn a_known_branch_is_a_set_of_lanes() {
    let kernel = kernel(
        "setp.gt.u32 %p1, %r0, 15;
         shl.b32 %r1, %r0, 2;
         @%p1 bra $L1;
         shl.b32 %r1, %r0, 7;
         ld.shared.f32 %f1, [%r1];
         $L1:
         ld.shared.f32 %f1, [%r1];",
    );
    assert_eq!(reached(&kernel, 0).on, Some(0xffff));
    assert_eq!(reached(&kernel, 1).on, Some(0xffff_ffff));
    let all = distances(&kernel, 1).unwrap();
    assert_eq!((all[15], all[16]), (15 << 7, 16 << 2));
    assert!(
        kernel.report().lines[0].found.starts_with("16-way: lanes 0 and 1"),
        "{}",
        kernel.report()
    );
}

/// A branch that depends on data: after it a register is the one or the other, and what was not written is as before.
#[test]
fn an_unknown_branch_leaves_either() {
    let code = format!(
        "{APART}ld.param.u32 %r2, [n];
         shl.b32 %r1, %r0, 2;
         shl.b32 %r3, %r0, 2;
         add.u32 %r3, %r3, %r2;
         @%p1 bra $L1;
         shl.b32 %r1, %r0, 7;
         ld.shared.f32 %f1, [%r1];
         $L1:
         ld.shared.f32 %f1, [%r1];
         ld.shared.f32 %f1, [%r3];"
    );
    let kernel = kernel(&code);
    assert_eq!(distances(&kernel, 0).unwrap()[3], 3 << 7);
    assert_eq!(reached(&kernel, 0).on, None);
    assert_eq!((distances(&kernel, 1), reached(&kernel, 1).on), (None, Some(0xffff_ffff)));
    assert_eq!(distances(&kernel, 2).unwrap()[3], 12);
    let report = kernel.report();
    assert!(
        report.lines[1].found.contains("by some lanes, and by which depends on data"),
        "{report}"
    );
}

/// A branch that all lanes take alike leaves one number that all share, though nobody knows it.
#[test]
fn a_branch_of_all_lanes_leaves_one_number() {
    let kernel = kernel(
        "ld.param.u32 %r2, [n];
         setp.eq.u32 %p1, %r2, 0;
         shl.b32 %r1, %r0, 2;
         @%p1 bra $L1;
         add.u32 %r1, %r1, 4096;
         $L1:
         ld.shared.f32 %f1, [%r1];",
    );
    assert!(matches!(&reached(&kernel, 0).address, Value::Sum { k: 12, .. }));
    assert_eq!(distances(&kernel, 0).unwrap()[3], 12);
}

/// A guard that all lanes share writes all lanes or none, as two paths do: a move, a load, and a choice.
#[test]
fn a_guard_of_all_lanes_leaves_one_number() {
    let kernel = kernel(
        "ld.param.u32 %r2, [n];
         setp.eq.u32 %p1, %r2, 0;
         shl.b32 %r1, %r0, 2;
         add.u32 %r3, %r1, 4096;
         mov.u32 %r4, %r1;
         @%p1 mov.u32 %r4, %r3;
         ld.shared.f32 %f1, [%r4];
         mov.u32 %r5, 64;
         @!%p1 ld.param.u32 %r5, [n];
         mad.lo.u32 %r6, %r5, 4, %r1;
         ld.shared.f32 %f1, [%r6];
         selp.b32 %r7, %r1, %r3, %p1;
         ld.shared.f32 %f1, [%r7];",
    );
    for (n, zeros) in [(0, 12), (1, 2), (2, 12)] {
        let address = &reached(&kernel, n).address;
        assert!(matches!(address, Value::Sum { k, .. } if *k == zeros), "{n}: {address:?}");
        assert_eq!(distances(&kernel, n).unwrap()[3], 12, "{n}");
    }
}

/// Of two values with unknown numbers of their own each lane has the low bits of the one or the other; a mask takes them out.
#[test]
fn low_bits_outlive_a_choice_of_each_lane() {
    let begin = "ld.param.u32 %r2, [n];
         shl.b32 %r3, %r2, 8;
         shl.b32 %r4, %r2, 9;
         shl.b32 %r1, %r0, 2;
         add.u32 %r3, %r3, %r1;
         setp.gt.u32 %p2, %r0, 15;";
    let end = "and.b32 %r6, %r5, 255;\nld.shared.f32 %f1, [%r5];\nld.shared.f32 %f1, [%r6];";
    let of = |code: &str| kernel(&format!("{begin}\n{APART}\n{code}\n{end}"));
    let known = |code: &str| {
        let kernel = of(code);
        assert!(matches!(reached(&kernel, 0).address, Value::Part { bits: 8, .. }), "{code}");
        bytes(&kernel, 1).unwrap()
    };
    // Which lane has which is known: two strides.
    let all = known("mad.lo.u32 %r4, %r0, 8, %r4;\nselp.b32 %r5, %r4, %r3, %p2;");
    let wanted = |lane: u32| if lane > 15 { (8 * lane) & 255 } else { 4 * lane };
    assert_eq!(all, (0..32).map(wanted).collect::<Vec<_>>());
    // Which is not: both have the same low bits.
    let same: Vec<u32> = (0..32).map(|lane| 4 * lane).collect();
    assert_eq!(known("add.u32 %r4, %r4, %r1;\nselp.b32 %r5, %r4, %r3, %p1;"), same);
    assert_eq!(known("add.u32 %r5, %r4, %r1;\n@%p1 mov.u32 %r5, %r3;"), same);
    // Two paths that all lanes take alike.
    let paths = "mov.u32 %r5, %r1;\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra $L1;\nshl.b32 %r7, %r0, 8;\nadd.u32 %r5, %r1, %r7;\n$L1:";
    let kernel = of(paths);
    assert_eq!((kernel.sites[0].reached.len(), bytes(&kernel, 1).unwrap()), (2, same));
}

/// The low bits of a sum, a product, a shift and an exclusive or are those of what is known of their operands.
#[test]
fn low_bits_are_computed_with() {
    let kernel = kernel(
        "ld.param.u32 %r2, [n];
         shl.b32 %r3, %r2, 8;
         shl.b32 %r4, %r2, 9;
         setp.gt.u32 %p2, %r0, 15;
         selp.b32 %r5, %r4, %r3, %p2;
         add.u32 %r5, %r5, %r0;
         mul.lo.u32 %r5, %r5, 12;
         sub.u32 %r5, %r5, 4;
         shl.b32 %r5, %r5, 1;
         shr.u32 %r5, %r5, 2;
         xor.b32 %r5, %r5, %r0;
         and.b32 %r6, %r5, 255;
         ld.shared.f32 %f1, [%r6];",
    );
    let wanted = |lane: u32| (((12 * lane).wrapping_sub(4) << 1 >> 2) ^ lane) & 255;
    assert_eq!(bytes(&kernel, 0), Some((0..32).map(wanted).collect()));
}

/// What lanes that leave a loop one by one have counted, each has by itself; in the loop they count together.
#[test]
fn a_loop_that_lanes_leave_one_by_one() {
    let of = |row: u32| {
        kernel(&format!(
            "shl.b32 %r1, %r0, 2;
             mov.u32 %r2, 0;
             $L1:
             mul.lo.u32 %r3, %r2, {row};
             add.u32 %r3, %r3, %r1;
             ld.shared.f32 %f1, [%r3];
             add.u32 %r2, %r2, 1;
             setp.lt.u32 %p1, %r2, %r9;
             @%p1 bra $L1;
             ld.shared.f32 %f1, [%r3];
             ld.shared.f32 %f1, [%r1];",
        ))
    };
    let kernel = of(64);
    assert_eq!(distances(&kernel, 0).unwrap()[3], 12);
    assert_eq!((reached(&kernel, 0).on, distances(&kernel, 1)), (None, None));
    assert_eq!(
        (distances(&kernel, 2).unwrap()[3], reached(&kernel, 2).on),
        (12, Some(0xffff_ffff))
    );
    assert_eq!(kernel.report().count(Outcome::Unknown), 1);
    // Rows of all banks: each lane is in a bank of its own, whatever its row.
    assert_eq!(of(128).report().count(Outcome::Free), 3);
}

/// Names of a scope are its own; a label in it, too.
#[test]
fn a_scope_has_names_of_its_own() {
    let kernel = kernel(
        "shl.b32 %r1, %r0, 2;
         { .reg .b32 %r1; .reg .pred p; ld.volatile.global.u32 %r1, [%d8]; wait: setp.eq.u32 p, %r1, 0; @p bra.uni wait; }
         { .reg .b32 %r1; wait: mov.u32 %r1, 0; @%p1 bra.uni wait; }
         ld.shared.v2.f32 {%f1, %f2}, [%r1+8];",
    );
    assert_eq!(distances(&kernel, 0).unwrap()[3], 12);
    assert_eq!(reached(&kernel, 0).on, Some(0xffff_ffff));
}

/// A variable of shared memory, generic addresses and back, guards, and pairs of 16 bits.
#[test]
fn addresses_of_many_kinds() {
    let kernel = kernel(
        "mov.u64 %d1, tile;
         cvta.shared.u64 %d2, %d1;
         mul.wide.u32 %d3, %r0, 4;
         add.s64 %d2, %d2, %d3;
         cvta.to.shared.u64 %d4, %d2;
         setp.lt.u32 %p1, %r0, 8;
         @%p1 st.shared.f32 [%d4+16], %f1;
         cvt.u16.u32 %h1, %r0;
         shl.b16 %h2, %h1, 13;
         mov.b32 %r1, {%h2, %h1};
         shf.l.wrap.b32 %r2, %r1, %r1, 16;
         shl.b32 %r2, %r2, 1;
         @!%p1 ld.shared.f32 %f1, [%r2];",
    );
    assert_eq!((distances(&kernel, 0).unwrap()[3], reached(&kernel, 0).on), (12, Some(0xff)));
    let expected = |lane: u32| ((lane << 13 & 0xffff) << 16 | lane) << 1;
    assert_eq!(distances(&kernel, 1).unwrap(), (0..32).map(expected).collect::<Vec<_>>());
    assert_eq!(reached(&kernel, 1).on, Some(0xffff_ff00));
}

/// `brx.idx` goes to each place of its list.
#[test]
fn a_switch_goes_to_all_its_targets() {
    let kernel = kernel(
        "ld.param.u32 %r2, [n];
         shl.b32 %r1, %r0, 2;
         list: .branchtargets $A, $B;
         brx.idx %r2, list;
         $A:
         shl.b32 %r1, %r0, 3;
         $B:
         ld.shared.f32 %f1, [%r1];",
    );
    let far = |one: &Reached| match &one.address {
        Value::Sum { f, .. } => f.get(1).wrapping_sub(f.get(0)),
        other => panic!("{other:?}"),
    };
    let mut all = Vec::from_iter(kernel.sites[0].reached.iter().map(far));
    all.sort_unstable();
    assert_eq!(all, [4, 8]);
    assert_eq!(kernel.report().worst(), 2, "{}", kernel.report());
}

/// After a call a register that the function returns is not known, others are.
#[test]
fn a_call_returns_what_nobody_knows() {
    let kernel = kernel(
        "shl.b32 %r1, %r0, 2;
         { .param .b32 retval0; call.uni (retval0), other, (); ld.param.b32 %r2, [retval0]; }
         ld.shared.f32 %f1, [%r1];
         ld.shared.f32 %f1, [%r2];",
    );
    assert_eq!((distances(&kernel, 1).unwrap()[1], distances(&kernel, 2)), (4, None));
}

/// Two numbers that all lanes share, and nothing else is known of either: lanes that bring one each do not share it, although
/// what is known of both is the same.
#[test]
fn lanes_that_bring_two_shared_numbers_share_none() {
    let kernel = kernel(
        "ld.param.u32 %r2, [n];
         shl.b32 %r1, %r2, 4;
         setp.lt.u32 %p1, %r2, 7;
         setp.gt.u32 %p2, %r0, 15;
         @%p2 bra $L1;
         mul.lo.u32 %r1, %r2, 48;
         setp.lt.u32 %p1, %r2, 9;
         $L1: ld.shared.f32 %f1, [%r1];
         @%p1 bra $L2;
         ld.shared.f32 %f1, [%r0];
         $L2:",
    );
    // Of either only that 16 divides it.
    let zeros = Lanes::Same(0);
    let address = &reached(&kernel, 0).address;
    assert!(matches!(address, Value::Part { bits: 4, f, .. } if *f == zeros), "{address:?}");
    assert_eq!(reached(&kernel, 1).on, None);
}

/// The first of two predicates may be the guard: the second is written by the lanes that the guard had on before.
#[test]
fn a_guard_is_read_before_either_predicate_is_written() {
    let kernel = kernel(
        "setp.gt.u32 %p1, %r0, 15;
         setp.lt.u32 %p2, %r0, 32;
         @!%p1 setp.lt.u32 %p1|%p2, %r0, 99;
         selp.u32 %r1, 4, 8, %p1;
         selp.u32 %r2, 1024, 0, %p2;
         mad.lo.u32 %r3, %r0, %r1, %r2;
         ld.shared.f32 %f1, [%r3];",
    );
    // The lower half writes both: %p1 is true in all lanes then, %p2 in the upper half alone.
    let wanted: Vec<u32> =
        (0..32).map(|lane| 4 * lane + if lane > 15 { 1024 } else { 0 }).collect();
    assert_eq!(bytes(&kernel, 0), Some(wanted));
}

/// A lane that has ended has no vote, and what a shuffle brings of it is not known.
#[test]
fn lanes_that_have_ended_bring_nothing() {
    let both = "shfl.sync.idx.b32 %r1|%p2, %r0, 20, 31, -1;
         ld.shared.f32 %f1, [%r1];
         setp.gt.u32 %p3, %r0, 3;
         vote.sync.ballot.b32 %r2, %p3, -1;
         ld.shared.f32 %f1, [%r2];";
    let known = |code: &str| {
        let kernel = kernel(&format!("{code}\n{both}"));
        [0, 1].map(|n| bytes(&kernel, n).map(|lanes| lanes[0]))
    };
    assert_eq!(known(""), [Some(20), Some(0xffff_fff0)]);
    // By a guard, and by a branch around it.
    assert_eq!(known("setp.gt.u32 %p1, %r0, 15;\n@%p1 ret;"), [None, None]);
    assert_eq!(known("setp.gt.u32 %p1, %r0, 15;\n@!%p1 bra $L1;\nret;\n$L1:"), [None, None]);
    // All or none end by a number that all lanes share.
    let all = known("ld.param.u32 %r5, [n];\nsetp.gt.u32 %p1, %r5, 15;\n@%p1 ret;");
    assert_eq!(all, [Some(20), Some(0xffff_fff0)]);
}

/// An access of a size that no instruction has is listed, not left out.
#[test]
fn a_size_that_no_row_has_is_listed() {
    for size in ["v3.f32", "v4.f64", "f16x2", "b0"] {
        let kernel = kernel(&format!("ld.shared.{size} %r1, [%r0];"));
        assert_eq!(kernel.report().count(Outcome::Listed), 1, "{size}: {}", kernel.report());
    }
}

/// Of a loop that lanes leave one by one each lane has the address of its own last round: bits that all rounds leave alone are
/// known, and bits that depend on data beside them are no reason to take the rest for one number that all lanes share.
#[test]
fn lanes_that_leave_in_rounds_of_their_own() {
    let address = |begin: &str, limit: &str, round: u32| {
        let code = format!(
            "ld.param.u32 %r3, [n];
             {begin}
             mov.u32 %r2, 0;
             $L1:
             add.u32 %r1, %r1, {round};
             add.u32 %r2, %r2, 1;
             setp.lt.u32 %p1, %r2, {limit};
             @%p1 bra $L1;
             ld.shared.f32 %f1, [%r1];"
        );
        reached(&kernel(&code), 0).address.clone()
    };
    let data = "shl.b32 %r1, %r9, 16;\nshl.b32 %r4, %r3, 8;\nadd.u32 %r1, %r1, %r4;";
    let own = "shl.b32 %r1, %r0, 2;";
    let known = |begin: &str, round: u32| match address(begin, "%r9", round) {
        Value::Part { bits, f, .. } => (bits, (0..32).map(|lane| f.get(lane)).max()),
        other => panic!("{other:?}"),
    };
    assert_eq!(known(data, 32), (5, Some(0)));
    assert_eq!(known(data, 0x2_0000), (8, Some(0)));
    assert_eq!(known(own, 256), (8, Some(4 * 31)));
    // All leave in one round: a number that all lanes share, beside the bits of data and of the lane.
    let shared = address(data, "%r3", 32);
    assert!(matches!(shared, Value::Among { k: 5, open: 0xffff_0000, .. }), "{shared:?}");
    let shared = address(own, "%r3", 256);
    assert!(matches!(shared, Value::Sum { k: 8, .. }), "{shared:?}");
}
