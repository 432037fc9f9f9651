//! PTX: what is kept in local memory.

use super::{bytes, ptx as kernel, reached};
use tiledesc_audit::Outcome;
use tiledesc_audit::value::Value;

/// Local memory of 64 bytes with its pointers, as compilers write it, and each lane's dword.
const BEGIN: &str = ".local .align 16 .b8 __local_depot0[64];
     .reg .b64 %SP, %SPL;
     mov.u64 %SPL, __local_depot0;
     cvta.local.u64 %SP, %SPL;
     add.u64 %d1, %SPL, 16;
     shl.b32 %r1, %r0, 2;
     shl.b32 %r2, %r0, 4;
     mov.b64 %d2, {%r1, %r2};\n";

/// The kernel with local memory.
fn with(code: &str) -> tiledesc_audit::Kernel {
    kernel(&format!("{BEGIN}{code}"))
}

fn times(factor: u32) -> Option<Vec<u32>> {
    Some((0..32).map(|lane| lane * factor).collect())
}

/// A load from the words that were stored, whatever the vectors, the pointer, and the space that is named.
#[test]
fn a_word_is_what_was_stored() {
    let stores = [
        "st.local.u32 [%d1+4], %r1;\nst.local.f32 [%d1+8], %r2;",
        "st.local.v2.b32 [__local_depot0+20], {%r1, %r2};",
        "st.local.v4.u32 [%SPL+16], {0, %r1, %r2, 7};",
        "st.u32 [%SP+20], %r1;\nst.local.u32 [%SPL+24], %r2;",
        "add.s64 %d3, %SP, 20;\nst.v2.u32 [%d3], {%r1, %r2};",
        "or.b64 %d3, %d1, 4;\nst.local.v2.u32 [%d3], {%r1, %r2};",
        "sub.s64 %d3, %d1, -4;\nst.local.v2.b64 [%d3+-4], {%d2, %d2};\nst.local.b64 [%d3], %d2;",
    ];
    let loads = [
        "ld.local.u32 %r3, [%d1+4];\nld.local.s32 %r4, [__local_depot0+24];",
        "ld.local.v2.u32 {%r3, %r4}, [%SPL+20];",
        "ld.v4.u32 {_, %r3, %r4, _}, [%SP+16];",
        "ld.local.b64 %d4, [%SPL+20];\nmov.b64 {%r3, %r4}, %d4;",
    ];
    for (store, load) in stores.iter().flat_map(|store| loads.map(|load| (store, load))) {
        let code = format!("{store}\n{load}\nld.shared.u32 %r5, [%r3];\nld.shared.u32 %r5, [%r4];");
        let kernel = with(&code);
        assert_eq!((bytes(&kernel, 0), bytes(&kernel, 1)), (times(4), times(16)), "{code}");
        // Accesses to local memory are not accesses to shared memory.
        assert_eq!((kernel.sites.len(), kernel.report().count(Outcome::Listed)), (2, 0), "{code}");
    }
}

/// What may be another word since, is not known.
#[test]
fn a_word_is_lost() {
    let known = |code: &str| {
        let kernel = with(&format!(
            "st.local.v2.u32 [%d1], {{%r1, %r2}};\n{code}\nld.local.u32 %r3, [%d1+4];\n\
             ld.shared.u32 %r5, [%r3];"
        ));
        let n = kernel.sites.len() - 1;
        bytes(&kernel, n)
    };
    for code in [
        "",
        "st.local.u32 [%d1], %r9;",
        "st.local.u32 [%d1+8], %r9;",
        "st.global.u32 [%d8], %r9;",
        "ld.local.u32 %r4, [%d8];",
        "st.shared.u32 [%r9], %r9;",
    ] {
        assert_eq!(known(code), times(16), "{code}");
    }
    for code in [
        // By a pointer that a loop moves after another was derived from it.
        "ld.param.u32 %r6, [n];\nadd.s64 %d3, %d1, 8;\nLOOP:\nadd.s64 %d4, %d3, 4;\nst.local.u32 [%d4], %r9;\n\
         add.s64 %d3, %d3, -8;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra LOOP;",
        // By a place that is computed, by a generic address, by another function.
        "mul.wide.u32 %d5, %r9, 4;\nadd.s64 %d5, %d5, %d1;\nst.local.u32 [%d5], %r0;",
        "mul.wide.u32 %d5, %r9, 4;\nadd.s64 %d5, %d5, %d1;\nst.local.v2.u32 [%d5], {%r2, %r2};",
        "st.u32 [%d8], %r0;",
        "atom.add.u32 %r6, [%d8], 1;",
        "{ .param .b64 p; st.param.b64 [p], %SP; call.uni other, (p); }",
        // By bytes in it, by what is too wide, beyond its end, before its begin.
        "st.local.u8 [%d1+5], %r0;",
        "st.local.u16 [%SPL+22], %h1;",
        "st.local.b64 [%d1], %d8;",
        "st.local.u32 [%d1+48], %r0;",
        "st.local.u32 [%d1+-20], %r0;",
        // Of a pointer that has two values.
        "mov.u64 %d5, %d1;\nadd.s64 %d5, %d5, 16;\nst.local.u32 [%d5], %r0;",
        // Of a sum by `or` that carries, and of one that its alignment does not show.
        "or.b64 %d5, %d1, 16;\nst.local.u32 [%d5+16], %r0;",
        "or.b64 %d5, %SPL, 32;\nst.local.u32 [%d5], %r0;",
        // By some lanes.
        "setp.lt.u32 %p1, %r9, 7;\n@%p1 st.local.u32 [%d1+4], %r1;",
    ] {
        assert_eq!(known(code), None, "{code}");
    }
}

/// A word that is computed, the same for all lanes: one of those that were stored, in a loop and one by one.
#[test]
fn a_computed_word_of_all_lanes() {
    let known = |code: &str| {
        let kernel = with(&format!(
            "ld.param.u32 %r7, [n];
             mul.wide.u32 %d5, %r7, 4;
             add.s64 %d5, %d5, %SPL;
             {code}
             ld.local.u32 %r3, [%d5];
             ld.shared.u32 %r5, [%r3];"
        ));
        kernel.sites[0].reached.iter().map(|one| one.address.clone()).collect::<Vec<_>>()
    };
    let row = |zeros: u32, addresses: &[Value]| match addresses {
        [Value::Sum { k, f }] => *k == zeros && (0..32).all(|lane| f.get(lane) == 4 * lane as u32),
        _ => false,
    };
    let four = "add.u32 %r3, %r1, 256;\nst.local.v2.u32 [%SPL], {%r1, %r3};\nadd.u32 %r3, %r1, 1024;\nst.local.u32 [%SPL+8], %r3;";
    assert!(row(8, &known(four)));
    let turns = "mov.u32 %r6, 0;
         $L1:
         mul.wide.u32 %d6, %r6, 4;
         add.s64 %d6, %d6, %SPL;
         shl.b32 %r4, %r6, 9;
         add.u32 %r4, %r4, %r1;
         st.local.u32 [%d6], %r4;
         add.u32 %r6, %r6, 1;
         setp.lt.u32 %p1, %r6, %r7;
         @%p1 bra $L1;";
    assert!(row(9, &known(turns)));
    // A word among them with another distance is another address.
    let add = "add.u32 %r8, %r1, 512;";
    let other = known(&format!("{four}\n{add}\nst.local.u32 [%SPL+12], %r2;"));
    assert!(other.len() == 2 && row(8, &other[..1]), "{other:?}");
    // Lanes that store apart, words that a lane chooses.
    for code in [
        "setp.lt.u32 %p1, %r9, 7;\n@%p1 st.local.u32 [%d5], %r8;",
        "mul.wide.u32 %d6, %r0, 4;\nadd.s64 %d6, %d6, %SPL;\nst.local.u32 [%d6], %r8;",
        "mul.wide.u32 %d6, %r0, 4;\nadd.s64 %d5, %d6, %SPL;",
    ] {
        let code = format!("{four}\n{add}\n{code}");
        let is_form = |one: &Value| matches!(one, Value::Sum { .. });
        assert!(!known(&code).iter().all(is_form), "{code}");
    }
}

/// A variable whose name another one has is not followed.
#[test]
fn two_of_a_name() {
    let kernel = with(
        ".local .align 4 .b32 a;
         mov.u64 %d3, a;
         st.local.u32 [%d3], %r1;
         { .local .align 4 .b32 a; st.local.u32 [a], %r2; }
         ld.local.u32 %r3, [%d3];
         ld.shared.u32 %r5, [%r3];",
    );
    assert_eq!(bytes(&kernel, 0), None);
}

/// Guards and branches: lanes that are known, and two paths that all lanes take alike.
#[test]
fn lanes_keep_their_own() {
    let half = |lane: u32| if lane > 15 { 16 * lane } else { 4 * lane };
    let wanted: Vec<u32> = (0..32).map(half).collect();
    for code in [
        "@%p1 st.local.u32 [%d1], %r2;",
        "@!%p1 bra $L1;\nst.local.u32 [%d1], %r2;\n$L1:",
        "@%p1 bra $L1;\nbra $L2;\n$L1: st.local.v2.u32 [%d1+-4], {0, %r2};\n$L2:",
    ] {
        let kernel = with(&format!(
            "setp.gt.u32 %p1, %r0, 15;\nst.local.u32 [%d1], %r1;\n{code}\n\
             ld.local.u32 %r3, [%d1];\nld.shared.u32 %r5, [%r3];"
        ));
        assert_eq!(bytes(&kernel, 0), Some(wanted.clone()), "{code}");
    }
    let kernel = with(
        "ld.param.u32 %r4, [n];
         setp.eq.u32 %p1, %r4, 0;
         st.local.u32 [%d1], %r1;
         @%p1 bra $L1;
         add.u32 %r5, %r1, 1024;
         st.local.u32 [%d1], %r5;
         $L1:
         ld.local.u32 %r3, [%d1];
         ld.shared.u32 %r5, [%r3];",
    );
    assert!(matches!(&reached(&kernel, 0).address, Value::Sum { k: 10, .. }));
}
