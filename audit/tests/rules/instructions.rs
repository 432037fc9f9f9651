//! What single instructions give, where a definition has a corner: each address is written here by hand.
//!
//! Definitions: AMD, instruction set architecture documents of CDNA3, RDNA3 and RDNA4; NVIDIA, PTX ISA, chapters 9 and 10.
//! `None` is what must not be said to be known.

use super::{amdgpu, bytes, ptx, ptx_of, reached};

type Wanted = Option<fn(u32) -> u32>;

/// The byte that each lane reads in the end.
fn check(code: &str, kernel: &tiledesc_audit::Kernel, wanted: Wanted) {
    let wanted = wanted.map(|byte| (0..kernel.wave as u32).map(byte).collect::<Vec<_>>());
    assert_eq!(bytes(kernel, 0), wanted, "{code}");
}

/// The address is in `v1`.
#[test]
fn instructions_of_amdgpu() {
    const RULES: [(&str, u32, &str, Wanted); 31] = [
        // A field of 32 bits is all of the register.
        ("gfx942", 64, "s_movk_i32 s4, 0x1234; s_bfe_u32 s5, s4, 0x200000; v_mov_b32 v1, s5", Some(|_| 0x1234)),
        // A shift of 64 bits counts to 63.
        ("gfx942", 64, "s_mov_b64 s[4:5], 5; s_lshl_b64 s[4:5], s[4:5], 36; v_mov_b32 v1, s5", Some(|_| 80)),
        // 32 of the 64 lanes of a mask are one register, and the next is not written.
        ("gfx942", 64, "s_movk_i32 s5, 0x100; s_cmp_lg_u32 s2, 0; s_cselect_b32 s4, -1, 0; v_mov_b32 v1, s5", Some(|_| 0x100)),
        // The number of the wave stands in ttmp8 of gfx12, and whatever the driver wrote in that of the others.
        ("gfx1201", 32, "s_bfe_u32 s4, ttmp8, 0x50019; v_mov_b32 v1, s4", Some(|_| 0)),
        ("gfx942", 64, "s_bfe_u32 s4, ttmp8, 0x50019; v_mov_b32 v1, s4", None),
        // Selectors 8 to 11 are the signs of bytes 1, 3, 5, 7: here of bit 15 and of bit 31 of v3, as bytes 0 and 1.
        ("gfx942", 64, "s_mov_b32 s4, 0x0c0c0908; v_lshlrev_b32 v3, 13, v0; v_lshl_or_b32 v3, v0, 30, v3; v_perm_b32 v1, v0, v3, s4",
            Some(|lane| [0, 0xff][lane as usize >> 2 & 1] | [0, 0xff00][lane as usize >> 1 & 1])),
        ("gfx942", 64, "v_mov_b32 v6, v0; v_mov_b32 v7, 0; v_mov_b32 v8, 64; v_mov_b32 v9, 0;
            v_lshl_add_u64 v[2:3], v[6:7], 4, v[8:9]; v_mov_b32 v1, v2", Some(|lane| 16 * lane + 64)),
        // The second half counts the lanes from 32 on.
        ("gfx942", 64, "v_mbcnt_lo_u32_b32 v1, -1, 0; v_mbcnt_hi_u32_b32 v1, -1, v1", Some(|lane| lane)),
        // A result that is held within the range is not the sum of 32 bits.
        ("gfx942", 64, "v_add_u32_e64 v1, v0, -16", Some(|lane| lane.wrapping_sub(16))),
        ("gfx942", 64, "v_add_u32_e64 v1, v0, -16 clamp", None),
        // Half of a destination keeps what stood there.
        ("gfx90a", 64, "v_mov_b32_sdwa v1, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0", Some(|lane| lane)),
        ("gfx90a", 64, "v_mov_b32_sdwa v1, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD", None),
        // Both operands of a swap are written.
        ("gfx1100", 32, "v_mov_b32 v1, 64; v_mov_b32 v3, 8; v_swap_b32 v1, v3; v_add_nc_u32 v1, v1, v0", Some(|lane| 8 + lane)),
        ("gfx1100", 32, "v_mov_b32 v1, 64; v_mov_b32 v3, 8; v_swap_b16 v1.l, v3.l", None),
        ("gfx1100", 32, "v_mov_b32 v1, 64; v_mov_b32 v3, 8; v_swap_b16 v3.l, v1.l", None),
        // Of no lane that is on the first is lane 0, and it may hold what stood there before.
        ("gfx942", 64, "v_mov_b32 v1, 0x84; global_load_dword v3, v[4:5], off; v_cmp_gt_u32 vcc, 32, v3; s_and_saveexec_b64 s[2:3], vcc;
            v_mov_b32 v1, 64; v_readfirstlane_b32 s5, v1; s_or_b64 exec, exec, s[2:3]; v_mov_b32 v1, s5", None),
        // A lane that is off is read all the same.
        ("gfx942", 64, "v_lshlrev_b32 v1, 2, v0; v_cmp_gt_u32 vcc, 32, v0; s_and_saveexec_b64 s[2:3], vcc;
            v_mov_b32 v1, 64; v_readlane_b32 s5, v1, 40; s_or_b64 exec, exec, s[2:3]; v_mov_b32 v1, s5", Some(|_| 160)),
        // Of 16 bits the upper half of the destination is 0 or what it was.
        ("gfx1100", 32, "v_lshrrev_b16 v9, 1, v0; v_and_b32 v1, 0xfc, v9", Some(|lane| lane >> 1 & 0xfc)),
        ("gfx942", 64, "v_mul_lo_u16 v3, v0, v0; v_lshlrev_b32 v1, 16, v3", Some(|lane| (lane * lane) << 16)),
        ("gfx942", 64, "v_ashrrev_i16 v3, 4, 0xf880; v_add_u16 v3, v0, v3; v_and_b32 v1, 0xffff, v3", Some(|lane| 0xff88 + lane)),
        ("gfx90a", 64, "v_add_u16 v1, v0, v0", None),
        ("gfx1100", 32, "v_lshlrev_b32 v3, 5, v0; v_or_b32 v3, s4, v3; v_lshrrev_b16 v3, 1, v3; v_and_b32 v3, 0xfc, v3;
            v_and_b32 v1, 3, v3", Some(|_| 0)),
        // A register of this name is one like any other.
        ("gfx90a", 64, "s_add_u32 flat_scratch_lo, s6, s9; s_addc_u32 flat_scratch_hi, s7, 0; v_mov_b32 v1, v0", Some(|lane| lane)),
        // What is read is not named, and what is written is.
        ("gfx1100", 32, "v_mov_b32 v1, 64; v_movrels_b32 v2, v3", Some(|_| 64)),
        ("gfx1100", 32, "v_mov_b32 v1, 64; v_movrels_b32 v1, v3", None),
        // .. but where M0 is known.
        ("gfx1100", 32, "s_mov_b32 m0, 2; v_lshlrev_b32 v3, 2, v0; v_movrels_b32 v1, v1", Some(|lane| 4 * lane)),
        ("gfx1100", 32, "s_mov_b32 m0, 1; v_lshlrev_b32 v3, 2, v0; v_movreld_b32_e32 v0, v3", Some(|lane| 4 * lane)),
        ("gfx1100", 32, "s_mov_b32 m0, 3; v_mov_b32 v1, 64; v_movreld_b32_e32 v0, v1", Some(|_| 64)),
        ("gfx1100", 32, "s_mov_b32 m0, 256; v_mov_b32 v1, 64; v_movreld_b32_e32 v0, v1", None),
        ("gfx1100", 32, "s_mov_b32 m0, s4; v_mov_b32 v1, 64; v_movreld_b32_e32 v2, v0", None),
        ("gfx1100", 32, "s_mov_b32 m0, 3; v_mov_b32 v1, 64; v_movreld_b32_dpp v2, v0", None),
    ];
    for (chip, lanes, code, wanted) in RULES {
        let lines = code.replace("; ", "\n").replace(';', "");
        check(code, &amdgpu(chip, lanes, &format!("{lines}\nds_read_b32 v2, v1")), wanted);
    }
}

/// A wave of 32 has its mask in `exec_lo`, of which a part remains.
#[test]
fn the_mask_of_a_wave_of_32() {
    let code =
        "v_cmp_gt_u32_e32 vcc_lo, 16, v0\ns_and_b32 exec_lo, exec_lo, vcc_lo\nds_load_b32 v2, v0";
    assert_eq!(reached(&amdgpu("gfx1100", 32, code), 0).on, Some(0xffff));
}

/// A comparison that a modifier changes is not followed.
#[test]
fn a_comparison_with_a_modifier() {
    let on = |modifier: &str| {
        let code = format!(
            "v_cmp_gt_u32_e64 s[4:5], 32, v0{modifier}\ns_and_saveexec_b64 s[2:3], s[4:5]\nds_read_b32 v2, v0"
        );
        reached(&amdgpu("gfx942", 64, &code), 0).on
    };
    assert_eq!((on(""), on(" clamp")), (Some(u64::from(u32::MAX)), None));
}

/// The address is in `%r1`.
#[test]
fn instructions_of_ptx() {
    const RULES: [(&str, Wanted); 12] = [
        ("shfl.sync.idx.b32 %r1, %r0, 20, 31, -1;", Some(|_| 20)),
        // Lanes that take no part may have ended.
        ("shfl.sync.idx.b32 %r1, %r0, 20, 31, 0xffff;", None),
        (
            "setp.lt.u32 %p1, %r0, 16; mov.u32 %r1, 20; @%p1 shfl.sync.idx.b32 %r1, %r0, 20, 31, -1;",
            None,
        ),
        ("setp.lt.u32 %p1, %r0, 4; vote.sync.ballot.b32 %r1, %p1, -1;", Some(|_| 15)),
        ("setp.lt.u32 %p1, %r0, 4; vote.sync.ballot.b32 %r1, %p1, 0xffff;", None),
        ("setp.lt.u32 %p1, %r0, 4; mov.u32 %r1, 15; @%p1 vote.sync.ballot.b32 %r1, %p1, -1;", None),
        ("mov.u32 %r1, %lanemask_eq;", Some(|lane| 1 << lane)),
        ("mov.u32 %r1, %lanemask_lt;", Some(|lane| (1 << lane) - 1)),
        ("mov.u32 %r1, %lanemask_ge;", Some(|lane| u32::MAX << lane)),
        ("mov.u32 %r1, %lanemask_gt;", Some(|lane| u32::MAX << lane << 1)),
        // What tensor memory holds, and what the lanes of a block say together.
        ("mov.u32 %r1, 64; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", None),
        ("mov.u32 %r1, 64; bar.red.popc.u32 %r1, 0, %p1;", None),
    ];
    for (code, wanted) in RULES {
        check(code, &ptx(&format!("{code}\nld.shared.f32 %f1, [%r1];")), wanted);
    }
}

/// Where a program says how many lanes a block has at most, but not their shape: y and the lengths are the launch's.
#[test]
fn the_shape_that_a_launch_chooses() {
    let rules: [(&str, Wanted, Wanted); 4] = [
        ("%tid.x", Some(|lane| lane), Some(|lane| lane)),
        ("%tid.y", Some(|_| 0), None),
        ("%ntid.x", Some(|_| 32), None),
        ("%ntid.y", Some(|_| 1), None),
    ];
    for (register, stated, left) in rules {
        let code = format!("mov.u32 %r1, {register};\nld.shared.f32 %f1, [%r1];");
        check(register, &ptx(&code), stated);
        check(register, &ptx_of(".maxntid 32", &code), left);
    }
}

/// What `printf` and `assert` call is of the driver, and another function may touch anything.
#[test]
fn calls_of_the_system() {
    let sites = |call: &str| {
        ptx(&format!(
            "{{\n.param .b64 param0;\n{call}\n}}\nshl.b32 %r1, %r0, 2;\nld.shared.b32 %r2, [%r1];"
        ))
        .sites
        .len()
    };
    for (call, count) in [
        ("call.uni __assertfail, (param0, param0);", 1),
        ("call.uni (param0), vprintf, (param0, param0);", 1),
        ("call.uni (param0), reduce, (param0);", 2),
        ("call (param0), %d1, (param0), list;", 2),
    ] {
        assert_eq!(sites(call), count, "{call}");
    }
}
