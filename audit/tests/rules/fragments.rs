//! `wmma`: which bytes ptxas has each lane address, and what that costs.

use super::ptx as kernel;
use tiledesc_audit::{Kernel, Ruling, Unjudged, Verdict};

fn judged(kernel: &Kernel, n: usize) -> Verdict {
    match &kernel.rulings()[n] {
        Ruling::Judged(verdict) => *verdict,
        other => panic!("{other:?}: {}", kernel.report()),
    }
}

fn cycles(kernel: &Kernel, n: usize) -> [u32; 3] {
    let verdict = judged(kernel, n);
    [verdict.degree, verdict.cycles, verdict.free]
}

const FOUR: &str = "{%f1, %f2, %f3, %f4}";
const EIGHT: &str = "{%r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18}";

fn load(matrix: &str, order: &str, kind: &str, stride: &str) -> Kernel {
    kernel(&format!(
        "mov.u32 %r1, tile; mov.u32 %r2, 72;
         wmma.load.{matrix}.sync.aligned.{order}.m16n16k16.shared.{kind} {EIGHT}, [%r1+64]{stride};"
    ))
}

/// Eight lines of 16 bytes in each of 4 phases: of 128 bytes they begin in one bank, of 144 in eight times four, and of 32 in two.
#[test]
fn halves_are_read_by_ldmatrix() {
    for (matrix, order) in [("a", "row"), ("a", "col"), ("b", "row"), ("b", "col")] {
        let of = |stride| cycles(&load(matrix, order, "f16", stride), 0);
        assert_eq!(of(", 64"), [8, 32, 4], "{matrix} {order}");
        assert_eq!(of(", %r2"), [1, 4, 4], "{matrix} {order}");
        // 16 halves a line if no stride is named: lines 0 and 4 are 128 bytes apart.
        assert_eq!(of(""), [2, 8, 4], "{matrix} {order}");
    }
    // 16 bytes a line: 8 lines are 32 banks, in 2 phases.
    assert_eq!(cycles(&load("a", "row", "s8", ", 16"), 0), [1, 2, 2]);
    assert_eq!(cycles(&load("b", "col", "u8", ", 128"), 0), [8, 16, 2]);
    // ptxas reads bytes one by one here, and of other shapes something else.
    assert_eq!(load("b", "row", "s8", ", 16").rulings(), [Ruling::Unjudged(Unjudged::NoRow)]);
}

/// 8 lines of 4 pairs in each of four instructions of 8 bytes, which take two phases; by columns 4 lines of 8 words, eight times.
#[test]
fn accumulators_are_stored_by_several_instructions() {
    let of = |order: &str, stride: u32| {
        let code = format!(
            "mov.u32 %r1, tile;
             wmma.store.d.sync.aligned.{order}.m16n16k16.shared.f32 [%r1], {EIGHT}, {stride};"
        );
        cycles(&kernel(&code), 0)
    };
    // Half a warp has 4 lines of 8 words: of 256 bytes they share 8 banks, of 288 they fill 32.
    assert_eq!(of("row", 64), [4, 32, 8]);
    assert_eq!(of("row", 72), [1, 8, 8]);
    // Lines 0, 2, 4, 6 of 8 words: of 68 words each they begin 8 banks apart.
    assert_eq!(of("col", 64), [4, 32, 8]);
    assert_eq!(of("col", 68), [1, 8, 8]);
    // 8 lines of 4 words of two halves: of 72 halves they fill the banks.
    for (stride, expected) in [(64, [8, 32, 4]), (72, [1, 4, 4])] {
        let code = format!(
            "mov.u32 %r1, tile;
             wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r1], {FOUR}, {stride};"
        );
        assert_eq!(cycles(&kernel(&code), 0), expected);
    }
}

/// By a generic address of shared memory there are four reads of 4 bytes a lane.
#[test]
fn generic_fragments_are_read_by_words() {
    let of = |stride: u32| {
        let code = format!(
            "mov.u64 %d1, tile; cvta.shared.u64 %d2, %d1;
             wmma.load.a.sync.aligned.row.m16n16k16.f16 {EIGHT}, [%d2], {stride};"
        );
        cycles(&kernel(&code), 0)
    };
    assert_eq!(of(64), [8, 32, 4]);
    assert_eq!(of(72), [1, 4, 4]);
}

/// An address that data decides is one for all lanes; a stride that is not known leaves the lines' places unknown.
#[test]
fn one_address_for_all_lanes() {
    let code = |address: &str, stride: &str| {
        format!(
            "ld.param.u32 %r2, [n]; mov.u32 %r1, tile;
             wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {EIGHT}, [{address}], {stride};"
        )
    };
    assert_eq!(cycles(&kernel(&code("%r9", "64")), 0), [8, 32, 4]);
    assert!(matches!(kernel(&code("%r1", "%r2")).rulings()[0], Ruling::Unknown(_)));
    let undeclared = kernel(&code("%nosuch", "64"));
    let said = &undeclared.report().lines[0].found;
    assert!(said.starts_with("cannot tell: `%nosuch` is not declared"), "{said}");
}
