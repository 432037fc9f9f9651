//! Generic addresses: those that came from shared memory are judged, and all others are not.

use super::{ptx as kernel, reached};
use tiledesc_audit::value::Value;
use tiledesc_audit::{Kernel, Outcome, Unjudged};

const POINTERS: &str = "mov.u64 %d1, tile; cvta.shared.u64 %d2, %d1; mul.wide.u32 %d3, %r0, 8;\n";

fn distances(kernel: &Kernel, n: usize) -> Option<Vec<u32>> {
    match &reached(kernel, n).address {
        Value::Sum { f, .. } => {
            Some((0..32).map(|lane| f.get(lane).wrapping_sub(f.get(0))).collect())
        }
        _ => None,
    }
}

/// Two words a lane, by way of a sum, a choice of two, a loop that goes on by 256 bytes, and halves that are put together.
#[test]
fn what_came_from_shared_memory_is_judged() {
    for code in [
        "add.s64 %d4, %d2, %d3;",
        "mad.wide.u32 %d4, %r0, 8, %d2;",
        "setp.lt.s32 %p1, %r9, 7; add.s64 %d5, %d2, 1024; selp.b64 %d6, %d2, %d5, %p1; add.s64 %d4, %d6, %d3;",
        "ld.param.u32 %r1, [n]; mul.wide.u32 %d5, %r1, 256; add.s64 %d6, %d2, %d5; add.s64 %d4, %d3, %d6;",
        "add.s64 %d4, %d2, %d3; mov.u32 %r1, 0; $L1: add.s64 %d4, %d4, 256; add.s32 %r1, %r1, 1;
         setp.lt.s32 %p1, %r1, 9; @%p1 bra $L1;",
        "add.s64 %d5, %d2, %d3; mov.b64 {%r1, %r2}, %d5; mov.b64 %d4, {%r1, %r2};",
    ] {
        let code = format!("{POINTERS}{code}\nld.f32 %f1, [%d4];\nst.v2.f32 [%d4], {{%f1, %f1}};");
        let kernel = kernel(&code);
        // Of a choice by data each lane has its own.
        if !code.contains("selp") {
            let expected = Vec::from_iter((0..32).map(|lane| 8 * lane));
            assert_eq!(distances(&kernel, 0), Some(expected), "{code}");
            let report = kernel.report();
            let found = &report.lines[0].found;
            assert!(
                found.starts_with("2-way: lanes 0 and 16, 128 bytes apart"),
                "{code}\n{report}"
            );
            assert_eq!(report.lines[1].outcome, Outcome::Free, "{report}");
        }
        assert!(kernel.sites.iter().all(|site| site.access.is_ok()), "{code}");
    }
}

/// One way on which another number comes is enough.
#[test]
fn what_may_be_elsewhere_is_not() {
    for code in [
        // A pointer that came from memory, or is one of global or local memory.
        "ld.global.u64 %d4, [%d8];",
        "cvta.local.u64 %d4, %d3;",
        // A choice, or a path, of two.
        "ld.global.u64 %d5, [%d8]; setp.lt.s32 %p1, %r9, 7; selp.b64 %d4, %d2, %d5, %p1;",
        "mov.u64 %d4, %d2; setp.lt.s32 %p1, %r9, 7; @%p1 bra $L1; ld.global.u64 %d4, [%d8]; $L1:",
        "mov.u64 %d4, %d2; setp.lt.s32 %p1, %r9, 7; @%p1 mov.b64 %d4, {%r1, %r9};",
        // How far two lie apart, and what is as far from another.
        "ld.global.u64 %d5, [%d8]; sub.s64 %d6, %d5, %d2; add.s64 %d4, %d2, %d6;",
        "add.s64 %d4, %d2, %d2;",
        // An address in shared memory is not a generic address.
        "mov.u64 %d4, tile;",
    ] {
        let kernel = kernel(&format!("{POINTERS}{code}\nld.f32 %f1, [%d4];"));
        let access = &kernel.sites.last().unwrap().access;
        assert_eq!(access.as_ref().err(), Some(&Unjudged::Generic), "{code}");
    }
}

/// `ldmatrix` reads shared memory, whatever its address is called.
#[test]
fn matrices_lie_in_shared_memory() {
    let kernel = kernel(&format!(
        "{POINTERS}mad.wide.u32 %d4, %r0, 16, %d2;
         ldmatrix.sync.aligned.m8n8.x4.b16 {{%r1, %r2, %r3, %r4}}, [%d4];"
    ));
    assert_eq!(kernel.report().count(Outcome::Free), 1, "{}", kernel.report());
}

/// What the host hands over is of global memory, whatever numbers are added; with what came from elsewhere it may be anywhere.
#[test]
fn what_the_host_hands_over_is_global() {
    let rows = "32 bytes apart: 32 sectors of 32 bytes in 8 to 9 lines, where 4 would do";
    for code in [
        "ld.param.u64 %d4, [p]; mad.wide.u32 %d4, %r0, 32, %d4;",
        "ld.param.u64 %d4, [p]; shl.b64 %d5, %d4, 5; mad.wide.u32 %d4, %r0, 32, %d4;",
        "ld.param.u64 %d7, [p]; cvta.global.u64 %d5, %d7; mul.wide.u32 %d6, %r0, 32; add.s64 %d4, %d5, %d6;",
    ] {
        let kernel = kernel(&format!("{code}\nld.f32 %f1, [%d4];\nred.add.u32 [%d4], %r0;"));
        assert_eq!(kernel.sites.len(), 0, "{code}");
        let found: Vec<_> = kernel.global_report().lines.into_iter().map(|one| one.found).collect();
        assert_eq!(found.last().map(String::as_str), Some(rows), "{code}");
    }
    for code in [
        "ld.param.u64 %d4, [p]; ld.param.u64 %d5, [p]; sub.s64 %d5, %d4, %d5; add.s64 %d4, %d4, %d5;",
        "ld.param.u64 %d4, [p]; setp.lt.s32 %p1, %r9, 7; @%p1 cvta.shared.u64 %d4, %d3;",
        "ld.param.u64 %d4, [p]; ld.volatile.global.u64 %d5, [%d8]; add.s64 %d4, %d4, %d5;",
    ] {
        let kernel = kernel(&format!("{code}\nld.f32 %f1, [%d4];"));
        let access = &kernel.sites.last().unwrap().access;
        assert_eq!(access.as_ref().err(), Some(&Unjudged::Generic), "{code}");
    }
}
