//! PTX: registers that nothing wrote, as compilers leave them in parts that nobody needs.

use super::{bytes, ptx as kernel, reached};
use tiledesc_audit::value::Value;

fn times(factor: u32) -> Option<Vec<u32>> {
    Some((0..32).map(|lane| lane * factor).collect())
}

/// What is written beside a part that is not, is known, and so is what was written on one of two paths.
#[test]
fn what_was_written_is_known() {
    for code in [
        // A path that does not need it.
        "@%p1 bra $L1;\nmov.u32 %r2, %r1;\n$L1:",
        "selp.b32 %r2, %r1, %r50, %p1;",
        "@%p1 mov.u32 %r2, %r1;",
        "mov.u32 %r51, %r50;\n@%p1 mov.u32 %r51, %r1;\nmov.u32 %r2, %r51;",
        // The upper half of a pair.
        "mov.b64 %d1, {%r1, %r50};\ncvt.u32.u64 %r2, %d1;",
        "mov.b64 %d1, {%r1, %r50};\nadd.s64 %d1, %d1, 4;\nsub.s64 %d1, %d1, 4;\nmov.b64 {%r2, _}, %d1;",
        "mov.b64 %d1, {%r1, %r50};\nshl.b64 %d1, %d1, 1;\nand.b64 %d1, %d1, 255;\nshr.u64 %d1, %d1, 1;\ncvt.u32.u64 %r2, %d1;",
        "cvt.u16.u32 %h1, %r1;\nmov.b32 %r3, {%h1, %h2};\nand.b32 %r2, %r3, 65535;",
        "cvt.u16.u32 %h1, %r1;\nmov.b32 %r3, {%h1, %h2};\nmov.b32 {%h3, %h4}, %r3;\ncvt.u32.u16 %r2, %h3;",
        // Bits that are written over.
        "bfi.b32 %r3, %r1, %r50, 0, 8;\nand.b32 %r2, %r3, 255;",
        "and.b32 %r3, %r50, 0;\nor.b32 %r2, %r3, %r1;",
        "and.b32 %r3, %r50, -256;\nxor.b32 %r3, %r3, %r1;\nand.b32 %r2, %r3, 255;",
        "shl.b32 %r3, %r50, 7;\nadd.u32 %r3, %r3, %r1;\nand.b32 %r2, %r3, 127;",
    ] {
        let kernel = kernel(&format!(
            "setp.lt.u32 %p1, %r9, 7;\nshl.b32 %r1, %r0, 2;\n{code}\nld.shared.u32 %r5, [%r2];"
        ));
        assert_eq!(bytes(&kernel, 0), times(4), "{code}");
    }
}

/// What an operation makes of it is not.
#[test]
fn what_comes_of_it_is_not_known() {
    for code in [
        "add.u32 %r2, %r50, %r1;",
        "mul.lo.u32 %r3, %r50, 0;\nxor.b32 %r3, %r50, %r3;\nadd.u32 %r2, %r3, %r1;",
        "shr.u32 %r3, %r50, 4;\nor.b32 %r2, %r3, %r1;",
        "bfi.b32 %r2, %r1, %r50, 0, 8;",
    ] {
        let kernel = kernel(&format!("shl.b32 %r1, %r0, 2;\n{code}\nld.shared.u32 %r5, [%r2];"));
        let address = &reached(&kernel, 0).address;
        let is_open =
            matches!(address, Value::Part { .. } | Value::Among { .. } | Value::Unknown(_));
        assert!(is_open, "{code}: {address:?}");
    }
}
