//! Which lanes are on: where a program that ignored it would say something wrong.

use super::{amdgpu, bytes, reached};
use tiledesc_audit::{Kernel, Options, Outcome, Ruling, audit};

fn kernel(code: &str) -> Kernel {
    amdgpu("gfx942", 64, code)
}

/// A mask that is known is a set of lanes. Without it all 64 addresses would be those of the lower half: 32-way.
#[test]
fn a_known_mask_is_a_set_of_lanes() {
    let kernel = kernel(
        "v_lshlrev_b32_e32 v1, 2, v0
         v_cmp_gt_u32_e32 vcc, 32, v0
         s_and_saveexec_b64 s[2:3], vcc
         v_lshlrev_b32_e32 v1, 7, v0
         ds_read_b32 v2, v1
         s_or_b64 exec, exec, s[2:3]
         ds_read_b32 v2, v1",
    );
    assert_eq!(reached(&kernel, 0).on, Some(u64::from(u32::MAX)));
    let all = bytes(&kernel, 1).unwrap();
    assert_eq!((all[31], all[32]), (31 << 7, 32 << 2));
    let report = kernel.report();
    assert!(report.lines[0].found.starts_with("32-way: lanes 0 and 1"), "{report}");
}

/// Under a mask that depends on data the new address holds, and after it neither the old nor the new one.
#[test]
fn an_unknown_mask_leaves_either() {
    let kernel = kernel(
        "global_load_dword v3, v[4:5], off
         v_lshlrev_b32_e32 v1, 2, v0
         v_cmp_gt_u32_e32 vcc, 32, v3
         s_and_saveexec_b64 s[2:3], vcc
         v_lshlrev_b32_e32 v1, 7, v0
         ds_read_b32 v2, v1
         s_or_b64 exec, exec, s[2:3]
         ds_read_b32 v2, v1
         v_lshlrev_b32_e32 v1, 4, v0
         ds_read_b32 v2, v1",
    );
    assert_eq!(bytes(&kernel, 0).unwrap()[3], 3 << 7);
    assert_eq!(reached(&kernel, 0).on, None);
    assert_eq!(bytes(&kernel, 1), None);
    assert_eq!((bytes(&kernel, 2).unwrap()[3], reached(&kernel, 2).on), (3 << 4, Some(u64::MAX)));
    let report = kernel.report();
    assert!(
        report.lines[1].found.contains("by some lanes, and by which depends on data"),
        "{report}"
    );
}

/// LLVM says by a comment where any content of a register is as good. Lanes that another path gave a value have that value
/// where both meet; of what is computed from such a register nothing is known, for `0 & v1` is 0 of any v1.
#[test]
fn an_undefined_register_is_what_the_other_path_brings() {
    let kernel = kernel(
        "global_load_dword v3, v[4:5], off
         v_lshlrev_b32_e32 v1, 4, v0
         ; implicit-def: $vgpr1_vgpr2
         v_cmp_gt_u32_e32 vcc, 32, v3
         v_and_b32_e32 v2, 0, v2
         s_and_saveexec_b64 s[2:3], vcc
         v_lshlrev_b32_e32 v1, 7, v0
         v_mov_b32_e32 v2, 4
         s_or_b64 exec, exec, s[2:3]
         ds_read_b32 v6, v1
         ds_read_b32 v6, v2",
    );
    assert_eq!(bytes(&kernel, 0).unwrap()[3], 3 << 7);
    assert_eq!(bytes(&kernel, 1), None);
}

/// Both branches of a condition that depends on data write what they read themselves; all lanes are on after it.
#[test]
fn an_else_turns_on_the_other_lanes() {
    let kernel = kernel(
        "global_load_dword v3, v[4:5], off
         v_cmp_gt_u32_e32 vcc, 32, v3
         s_and_saveexec_b64 s[2:3], vcc
         s_xor_b64 s[2:3], exec, s[2:3]
         v_lshlrev_b32_e32 v1, 7, v0
         ds_read_b32 v2, v1
         s_or_saveexec_b64 s[2:3], s[2:3]
         s_xor_b64 exec, exec, s[2:3]
         v_lshlrev_b32_e32 v1, 3, v0
         ds_read_b32 v2, v1
         s_or_b64 exec, exec, s[2:3]
         v_lshlrev_b32_e32 v1, 2, v0
         ds_read_b32 v2, v1",
    );
    assert_eq!(bytes(&kernel, 0).unwrap()[3], 3 << 7);
    assert_eq!(bytes(&kernel, 1).unwrap()[3], 3 << 3);
    assert_eq!(reached(&kernel, 2).on, Some(u64::MAX));
    assert_eq!(kernel.report().count(Outcome::Unknown), 0);
}

/// What a register held before it was loaded anew says nothing.
#[test]
fn a_load_is_unknown() {
    let kernel = kernel("v_lshlrev_b32_e32 v1, 2, v0\nds_read_b32 v1, v1\nds_read_b32 v2, v1");
    assert_eq!(bytes(&kernel, 1), None);
    let report = kernel.report();
    assert_eq!(report.lines[1].found, "unknown: its address was loaded from memory at line 5");
}

/// A block of two dimensions: x and y in 10 bits each, and without its shape a wave is taken to lie in one row.
#[test]
fn the_shape_of_a_block_counts() {
    let text = ".amdgcn_target \"x--gfx942\"\n.type f,@function\nf:\nv_bfe_u32 v1, v0, 10, 10\n\
                v_lshlrev_b32_e32 v1, 8, v1\nds_read_b32 v2, v1\ns_endpgm\n";
    let of = |block| audit(text, &Options { block, ..Options::default() }).unwrap().remove(0);
    let square = of(Some([16, 16, 1]));
    // Two rows of 16 lanes in each phase.
    assert_eq!((square.sites[0].reached.len(), square.report().worst()), (4, 2));
    let report = of(None).report();
    let found = &report.lines[0].found;
    assert_eq!(found, "free of conflicts, if x of the block is a multiple of 64", "{report}");
}

/// Scalars that are kept in lanes of a vector register come back, masks too.
#[test]
fn a_mask_that_is_spilled_comes_back() {
    let kernel = kernel(
        "global_load_dword v3, v[4:5], off
         v_cmp_gt_u32_e32 vcc, 32, v3
         s_and_saveexec_b64 s[2:3], vcc
         v_writelane_b32 v9, s2, 0
         v_writelane_b32 v9, s3, 1
         s_mov_b64 s[2:3], 0
         v_readlane_b32 s6, v9, 0
         v_readlane_b32 s7, v9, 1
         s_or_b64 exec, exec, s[6:7]
         ds_read_b32 v2, v0",
    );
    assert_eq!(reached(&kernel, 0).on, Some(u64::MAX));
}

/// Where names of registers are shifted, and after a call, nothing is known of any.
#[test]
fn registers_that_are_not_named() {
    for (code, judged) in [
        ("s_set_gpr_idx_on s4, 8\nv_mov_b32_e32 v2, v3\ns_set_gpr_idx_off", true),
        ("s_swappc_b64 s[30:31], s[16:17]", true),
        ("v_movreld_b32_e32 v2, v3", true),
        ("s_set_gpr_idx_on s4, 9\nv_lshlrev_b32_e32 v1, 2, v0", false),
        ("s_setvskip s4, 0\nscratch_load_dword v2, off, s2\ns_setvskip 0, 0", true),
    ] {
        let after = if judged { "v_lshlrev_b32_e32 v1, 2, v0\n" } else { "" };
        let kernel = kernel(&format!("{code}\n{after}ds_read_b32 v5, v1"));
        let last = kernel.sites.len() - 1;
        assert_eq!(bytes(&kernel, last), None, "{code}: v0 is not known either");
        assert_eq!(reached(&kernel, last).on, None, "{code}");
    }
}

/// An array in registers that a loop goes through: in each round it is known which of them is written.
#[test]
fn an_array_in_registers() {
    let of = |rounds: &str| {
        // Around it is a loop too long for copies.
        let long = "v_add_u32_e32 v9, v9, v9\n".repeat(400);
        let code = format!(
            ".Lall:
             {long}
             v_lshlrev_b32_e32 v1, 2, v0
             s_mov_b32 s4, 0
             .Lloop:
             s_mov_b32 m0, s4
             s_add_u32 s4, s4, 1
             s_cmp_lg_u32 s4, {rounds}
             v_movreld_b32_e32 v4, v2
             ds_read_b32 v2, v1
             s_cbranch_scc1 .Lloop
             ds_read_b32 v3, v1
             s_sub_u32 s7, s7, 1
             s_cmp_lg_u32 s7, 0
             s_cbranch_scc1 .Lall"
        );
        let text = kernel(&code);
        [0, 1].map(|n| bytes(&text, n).is_some())
    };
    assert_eq!(of("8"), [true, true]);
    assert_eq!(of("s6"), [false, false], "any register may be written");
}

/// Where registers that are read are indexed, or instructions may be skipped, what they write is unknown, and nothing else.
#[test]
fn registers_that_are_read_by_another_name() {
    for (on, off) in [
        ("s_set_gpr_idx_on s4, 1", "s_set_gpr_idx_off"),
        ("s_set_gpr_idx_on s4, gpr_idx(SRC0,SRC1)", "s_set_gpr_idx_off"),
        ("s_setvskip s4, 3", "s_setvskip 0, 0"),
    ] {
        let kernel = kernel(&format!(
            "v_lshlrev_b32_e32 v1, 2, v0
             v_lshlrev_b32_e32 v2, 3, v0
             s_mov_b32 s6, 64
             s_mov_b32 m0, 64
             {on}
             v_lshlrev_b32_e32 v2, 4, v0
             global_atomic_add v7, v8, s[8:9]
             global_load_dword v7, v[8:9], off
             v_add_co_u32_e64 v3, s[6:7], v0, v0
             {off}
             v_add_u32_e32 v4, s6, v0
             ds_read_b32 v5, v1
             ds_read_b32 v5, v2
             ds_read_b32 v5, v4
             v_mov_b32_e32 v6, m0
             ds_read_b32 v5, v6
             v_lshlrev_b32_e32 v2, 4, v0
             ds_read_b32 v5, v2"
        ));
        let found = [0, 1, 2, 3, 4].map(|n| bytes(&kernel, n).map(|all| all[5]));
        let m0 = on.starts_with("s_setvskip").then_some(64);
        assert_eq!(found, [Some(20), None, None, m0, Some(80)], "{on}");
        assert_eq!(reached(&kernel, 0).on, Some(u64::MAX), "{on}");
    }
    let kernel = kernel("s_setvskip 6, 0\nv_lshlrev_b32_e32 v1, 2, v0\nds_read_b32 v2, v1");
    assert_eq!(bytes(&kernel, 0).unwrap()[5], 20, "bit 0 of 6 is clear");
}

/// Both halves of the lanes get a number, one after the other.
#[test]
fn lanes_that_are_named_by_halves() {
    let on = |code: &str| {
        let kernel = kernel(&format!(
            "s_mov_b64 exec, s[4:5]
             v_lshlrev_b32_e32 v1, 2, v0
             {code}
             ds_read_b32 v5, v0"
        ));
        reached(&kernel, 0).on
    };
    assert_eq!(on("s_mov_b32 exec_lo, -1\ns_mov_b32 exec_hi, -1"), Some(u64::MAX));
    assert_eq!(on("s_mov_b32 exec_hi, 0\ns_mov_b32 exec_lo, 0xff"), Some(0xff));
    assert_eq!(on("s_mov_b32 exec_lo, -1\ns_mov_b32 exec_lo, -1"), None);
    let jumped = "s_cbranch_scc0 .L1\ns_mov_b32 exec_lo, -1\n.L1:\ns_mov_b32 exec_hi, -1";
    assert_eq!(on(jumped), None, "the first half may have been jumped over");
}

/// The addresses say which phases serve a transposed load of 8 bytes: 32 lanes where all are multiples of 8, else 16.
#[test]
fn a_transposed_load_is_judged_as_its_addresses_are_aligned() {
    let kernel = amdgpu(
        "gfx1250",
        32,
        "v_lshlrev_b32_e32 v1, 3, v0
         ds_load_tr8_b64 v[2:3], v1
         ds_load_tr8_b64 v[2:3], v1 offset:4
         ds_load_tr8_b64 v[2:3], v1 offset:2
         ds_load_tr16_b128 v[2:5], v1 offset:4",
    );
    let found: Vec<_> = kernel.rulings();
    let cycles = |n: usize| match &found[n] {
        Ruling::Judged(verdict) => Ok((verdict.degree, verdict.cycles)),
        Ruling::Refused(error) => Err(error.to_string()),
        other => panic!("{other:?}"),
    };
    assert_eq!((cycles(0), cycles(1)), (Ok((1, 1)), Ok((1, 2))));
    assert_eq!(cycles(2), Err("byte 2 of lane 0 is not aligned to 4".to_owned()));
    let other = "byte 4 of lane 0 is not aligned to 16; some hardware accepts that, but no source says at what cost";
    assert_eq!(cycles(3), Err(other.to_owned()));
}

/// A scalar that is kept in a lane is gone when the register is written.
#[test]
fn a_write_ends_what_a_lane_keeps() {
    let kernel = kernel(
        "s_movk_i32 s4, 0x1000
         v_writelane_b32 v5, s4, 3
         v_readlane_b32 s5, v5, 3
         v_mov_b32_e32 v1, s5
         ds_read_b32 v2, v1
         v_lshlrev_b32_e32 v5, 3, v0
         v_readlane_b32 s5, v5, 3
         v_mov_b32_e32 v1, s5
         ds_read_b32 v2, v1",
    );
    assert_eq!(bytes(&kernel, 0).unwrap()[7], 0x1000);
    assert_eq!(bytes(&kernel, 1).unwrap()[7], 3 << 3);
}

/// A condition that two paths leave otherwise chooses neither.
#[test]
fn paths_that_leave_other_conditions_choose_neither() {
    let kernel = kernel(
        "s_mov_b32 s4, 0
         s_cmp_lg_u32 s2, 0
         s_cbranch_scc1 .L1
         s_cmp_eq_u32 s4, 1
         s_branch .L2
         .L1:
         s_cmp_eq_u32 s4, 0
         .L2:
         s_cselect_b32 s5, 0x100, 64
         v_mov_b32_e32 v1, s5
         ds_read_b32 v2, v1",
    );
    let mut all = Vec::from_iter(kernel.sites[0].reached.iter().map(|one| one.address.number()));
    all.sort_unstable();
    assert_eq!(all, [Some(64), Some(256)]);
}

/// Where one of two paths has shifted the names of registers, what is written next may be any register.
#[test]
fn names_that_one_path_has_shifted_stay_shifted() {
    let code = |shift: &str| {
        kernel(&format!(
            "s_cmp_lg_u32 s2, 0
             s_cbranch_scc1 .L1
             {shift}
             .L1:
             v_mov_b32_e32 v1, 64
             ds_read_b32 v2, v1"
        ))
    };
    assert_eq!(bytes(&code("s_nop 0"), 0).unwrap()[5], 64);
    assert_eq!(bytes(&code("s_set_gpr_idx_on s4, gpr_idx(DST)"), 0), None);
}

/// In a wave of 32 a number that nobody knows may name lanes: those that were on come back after it.
#[test]
fn lanes_that_a_number_names() {
    let kernel = super::amdgpu(
        "gfx1100",
        32,
        "v_lshlrev_b32_e32 v1, 2, v0
         v_lshlrev_b32_e32 v2, 2, v0
         s_load_b32 s4, s[0:1], null
         s_and_saveexec_b32 s2, s4
         ds_load_b32 v3, v1
         v_lshlrev_b32_e32 v2, 7, v0
         s_or_b32 exec_lo, exec_lo, s2
         ds_load_b32 v3, v1
         ds_load_b32 v3, v2",
    );
    assert_eq!((reached(&kernel, 0).on, bytes(&kernel, 0).unwrap()[3]), (None, 12));
    assert_eq!((reached(&kernel, 1).on, bytes(&kernel, 1).unwrap()[3]), (Some(0xffff_ffff), 12));
    // What was written in some lanes is the one or the other in each.
    assert_eq!(bytes(&kernel, 2), None);
}

/// Lanes of two conditions, of which the one is of floating point and the other of all lanes or none: nobody knows them, and they are
/// the same ones in both copies of code that a compiler has written twice, one on each path. All lanes are on after it.
#[test]
fn lanes_of_which_nothing_is_known_are_the_same_when_read_again() {
    let copy = |to: &str| {
        format!(
            "s_and_saveexec_b64 s[8:9], s[6:7]
             s_xor_b64 s[8:9], exec, s[8:9]
             {to}"
        )
    };
    let (first, second) = (copy("s_cbranch_execnz .L2"), copy("s_cbranch_execz .L3"));
    let code = |lanes: &str| {
        kernel(&format!(
            "s_cmp_lt_i32 s4, 2
             s_cselect_b64 s[6:7], -1, 0
             v_cmp_gt_f32_e32 vcc, v5, v6
             {lanes}
             s_cmp_lg_u32 s5, 0
             s_cbranch_scc0 .L1
             {first}
             s_branch .L3
             .L1:
             {second}
             .L2:
             v_lshlrev_b32_e32 v1, 7, v0
             .L3:
             s_andn2_saveexec_b64 s[8:9], s[8:9]
             v_lshlrev_b32_e32 v1, 3, v0
             ds_read_b32 v2, v1
             s_or_b64 exec, exec, s[8:9]
             v_lshlrev_b32_e32 v1, 2, v0
             ds_read_b32 v2, v1"
        ))
    };
    for lanes in [
        "s_or_b64 s[6:7], s[6:7], vcc",
        "s_xnor_b64 s[6:7], vcc, s[12:13]",
        "s_not_b64 s[6:7], s[12:13]",
        "s_load_dwordx2 s[6:7], s[2:3], 0x8",
    ] {
        let kernel = code(lanes);
        assert_eq!((reached(&kernel, 0).on, bytes(&kernel, 0).unwrap()[3]), (None, 3 << 3));
        let after = reached(&kernel, 1).on;
        // A number from memory has a name where all lanes are on, and each copy gives it one of its own.
        let is_named = !lanes.contains("load");
        assert_eq!(after, is_named.then_some(u64::MAX), "{lanes}");
    }
    // Another number in between.
    let other = kernel(
        "s_load_dwordx2 s[6:7], s[2:3], 0x8
         s_and_saveexec_b64 s[8:9], s[6:7]
         s_or_b64 exec, exec, s[8:9]
         s_and_saveexec_b64 s[10:11], s[6:7]
         ds_read_b32 v2, v0
         s_andn2_b64 exec, exec, s[6:7]
         ds_read_b32 v2, v0
         s_mov_b64 exec, s[10:11]
         s_load_dwordx2 s[6:7], s[2:3], 0x10
         s_and_saveexec_b64 s[10:11], s[6:7]
         ds_read_b32 v2, v0",
    );
    let on = [0, 1, 2].map(|n| reached(&other, n).on);
    assert_eq!(on, [None, Some(0), None]);
}
