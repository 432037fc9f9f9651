//! Blocks whose shape nobody states: a wave lies in one row, and what rests on that says so.

use super::ptx_of;
use tiledesc_audit::value::Value;
use tiledesc_audit::{Kernel, Options, Ruling, audit};

const IF: &str = ", if x of the block is a multiple of";

fn amdgpu(chip: &str, code: &str) -> Kernel {
    let text = format!(".amdgcn_target \"x--{chip}\"\n.type f,@function\nf:\n{code}\ns_endpgm\n");
    audit(&text, &Options::default()).unwrap().remove(0)
}

/// u and what each lane adds, of the only wave.
fn address(kernel: &Kernel, n: usize) -> Option<(u32, Vec<u32>)> {
    let [one] = &kernel.sites[n].reached[..] else { panic!("{:?}", kernel.sites[n]) };
    match &one.address {
        Value::Sum { k, f } => Some((*k, (0..kernel.wave).map(|lane| f.get(lane)).collect())),
        _ => None,
    }
}

fn lanes(wave: u32, of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..wave).map(of).collect()
}

/// `tile[y][x]` of words, `tile[x][y]`, and one whose address is of the lane alone.
#[test]
fn the_report_says_once_what_is_taken_and_at_each_verdict_that_rests_on_it() {
    let code = "mov.u32 %r1, %tid.y; mov.u32 %r2, tile; mov.u32 %r8, %laneid;
         mad.lo.s32 %r3, %r1, 32, %r0; shl.b32 %r3, %r3, 2; add.s32 %r3, %r3, %r2;
         ld.shared.f32 %f1, [%r3];
         mad.lo.s32 %r4, %r0, 32, %r1; shl.b32 %r4, %r4, 2; add.s32 %r4, %r4, %r2;
         ld.shared.f32 %f1, [%r4];
         shl.b32 %r5, %r8, 2; add.s32 %r5, %r5, %r2; ld.shared.f32 %f1, [%r5];";
    let kernel = ptx_of("", code);
    assert_eq!(address(&kernel, 0), Some((7, lanes(32, |lane| 4 * lane))));
    assert_eq!(address(&kernel, 1), Some((2, lanes(32, |lane| 128 * lane))));
    let report = kernel.report_all();
    assert_eq!(
        report.head,
        "f, sm_90, 1 wave of 32 (taking x of a block as a multiple of 32; --block states its shape), \
         3 shared-memory instructions, all addresses known"
    );
    let found: Vec<_> = report.lines.iter().map(|line| line.found.as_str()).collect();
    assert_eq!(found[0], format!("free of conflicts{IF} 32"));
    assert_eq!(found[1], format!("32-way: lanes 0 and 1, 128 bytes apart{IF} 32"));
    assert_eq!(found[2], "free of conflicts");
    let rests = kernel.rulings().into_iter().map(|one| match one {
        Ruling::Judged(verdict) => verdict.in_rows,
        other => panic!("{other:?}"),
    });
    assert_eq!(Vec::from_iter(rests), [true, true, false]);
}

/// A stated block of 16 by 16 is not what is taken: two rows a warp.
#[test]
fn a_stated_shape_is_exact() {
    let code = "mov.u32 %r1, %tid.y; mov.u32 %r2, tile;
         mad.lo.s32 %r4, %r0, 32, %r1; shl.b32 %r4, %r4, 2; add.s32 %r4, %r4, %r2;
         ld.shared.f32 %f1, [%r4];";
    let found = |block: &str| ptx_of(block, code).report().lines[0].found.clone();
    assert_eq!(found(""), format!("32-way: lanes 0 and 1, 128 bytes apart{IF} 32"));
    // y is 0 in lanes 0 to 15, and 1 in the others, which have a bank of their own.
    assert_eq!(found(".reqntid 16, 16, 1"), "16-way: lanes 0 and 1, 128 bytes apart");
    // At most 256 in a line: y is the same in all lanes of a warp.
    assert_eq!(found(".maxntid 256"), "32-way: lanes 0 and 1, 128 bytes apart");
}

/// The width of such a block is a multiple of 32, and its height any number.
#[test]
fn strides_of_the_blocks_width() {
    let code = |part: &str| {
        format!(
            "mov.u32 %r1, %ntid.{part}; shl.b32 %r2, %r1, 2; shl.b32 %r3, %r0, 2;
             add.s32 %r4, %r2, %r3; ld.shared.f32 %f1, [%r4];"
        )
    };
    let ramp = |k| Some((k, lanes(32, |lane| 4 * lane)));
    assert_eq!(address(&ptx_of("", &code("x")), 0), ramp(7));
    assert_eq!(address(&ptx_of("", &code("y")), 0), ramp(2));
}

/// Registers of their own, and one of three fields of 10 bits.
#[test]
fn waves_of_amd() {
    let apart = "v_lshlrev_b32 v3, 2, v0\nv_lshl_add_u32 v4, v1, 8, v3\nds_read_b32 v5, v4";
    let kernel = amdgpu("gfx906", apart);
    assert_eq!(address(&kernel, 0), Some((8, lanes(64, |lane| 4 * lane))));
    assert!(kernel.report().head.contains("(taking x of a block as a multiple of 64; "));
    let packed = "v_and_b32 v1, 0x3ff, v0\nv_bfe_u32 v2, v0, 10, 10\nv_lshlrev_b32 v3, 2, v1
         v_lshl_add_u32 v4, v2, 7, v3\nds_read_b32 v5, v4";
    for (chip, wave) in [("gfx942", 64), ("gfx1100", 32)] {
        let kernel = amdgpu(chip, packed);
        assert_eq!(address(&kernel, 0), Some((7, lanes(wave, |lane| 4 * lane))), "{chip}");
        assert!(kernel.report().lines[0].found.ends_with(&format!("{IF} {wave}")), "{chip}");
    }
}

/// LLVM keeps arrays of lanes in LDS, lane by lane as `(x * Y + y) * Z + z` counts them, and reads Y and Z from the packet of the
/// launch. Where nobody states them, they are taken to be 1, and each verdict that rests on it says so.
#[test]
fn a_stride_of_the_blocks_height() {
    let code = "s_load_dwordx2 s[8:9], s[4:5], 0x4
         v_and_b32 v1, 0x3ff, v0
         v_bfe_u32 v2, v0, 10, 10
         s_lshr_b32 s8, s8, 16
         s_mul_i32 s8, s8, s9
         v_mul_lo_u32 v3, s8, v1
         v_mad_u32_u24 v3, v2, s9, v3
         v_lshlrev_b32 v3, 4, v3
         ds_write_b128 v3, v[4:7]
         v_lshlrev_b32 v4, 2, v1
         ds_read_b32 v5, v4
         v_mbcnt_lo_u32_b32 v6, -1, 0
         v_mbcnt_hi_u32_b32 v6, -1, v6
         v_lshlrev_b32 v6, 2, v6
         ds_read_b32 v5, v6";
    let of = |directives: &str, code: &str, block| {
        let text = format!(
            ".amdgcn_target \"x--gfx90a\"\n.amdhsa_kernel f\n{directives}\n.end_amdhsa_kernel\n\
             .type f,@function\nf:\n{code}\ns_endpgm\n"
        );
        audit(&text, &Options { block, ..Options::default() }).unwrap().remove(0)
    };
    let buffer = ".amdhsa_user_sgpr_private_segment_buffer 1\n.amdhsa_user_sgpr_dispatch_ptr 1";
    let report = of(buffer, code, None).report_all();
    let taken = "(taking a block as one row of a multiple of 64; --block states its shape)";
    assert!(report.head.contains(taken), "{report}");
    let found: Vec<_> = report.lines.iter().map(|line| line.found.as_str()).collect();
    let if_one = "free of conflicts, if the block is one row of a multiple of 64";
    assert_eq!(found[..2], [if_one; 2]);
    assert!(!found[2].contains("if the block"), "{report}");
    // Stated, it is exact: a column of 8 is 8 times 16 bytes from lane to lane.
    let worst = |block| of(buffer, code, Some(block)).report_all().worst();
    assert_eq!((worst([64, 1, 1]), worst([64, 8, 1]), worst([16, 2, 8])), (1, 8, 8));
    // Where the packet is must be said, and its address must be there still.
    let is_known = |directives: &str, code: &str| address(&of(directives, code, None), 0).is_some();
    assert!(is_known(buffer, code));
    for (directives, code) in [
        ("", code.to_string()),
        (".amdhsa_user_sgpr_dispatch_ptr 1", code.to_string()),
        (buffer, format!("s_mov_b32 s5, 0\n{code}")),
        (buffer, format!("s_mov_b64 s[4:5], s[6:7]\n{code}")),
        (buffer, code.replace("0x4\n", "0x6\n")),
        (buffer, code.replace("0x4\n", "s7\n")),
    ] {
        assert!(!is_known(directives, &code), "{directives}\n{code}");
    }
}

/// A kernel is compiled for blocks of up to 1,024 lanes, and 512 of them fill LDS: no launch has more. An access of which even the
/// first wave is beyond LDS stays refused.
#[test]
fn waves_that_do_not_fit_are_not_there() {
    let of = |code: &str| {
        let text = format!(
            ".amdgcn_target \"x--gfx942\"\n.type f,@function\nf:\nv_and_b32 v1, 0x3ff, v0\n{code}\n\
             ds_write_b128 v1, v[4:7]\ns_endpgm\n.amdgpu_metadata\namdhsa.kernels:\n  - .name: f\n    \
             .max_flat_workgroup_size: 1024\n.end_amdgpu_metadata\n"
        );
        audit(&text, &Options::default()).unwrap().remove(0)
    };
    let waves = |kernel: &Kernel| kernel.sites[0].reached.len();
    let rows = of("v_lshlrev_b32 v1, 7, v1");
    assert_eq!((waves(&rows), rows.report().worst()), (8, 8));
    let from_the_end = of("v_sub_u32 v1, 127, v1\nv_lshlrev_b32 v1, 4, v1");
    assert_eq!((waves(&from_the_end), from_the_end.report().worst()), (2, 1));
    let beyond = of("v_lshlrev_b32 v1, 7, v1\nv_add_u32 v1, 0x10000, v1");
    assert_eq!(waves(&beyond), 16);
    assert!(matches!(beyond.rulings()[0], Ruling::Refused(_)), "{}", beyond.report());
}

/// The lanes of a row that begins at a multiple of 32 are all below 64, or none is; below 48 there may be some.
#[test]
fn whole_warps_take_one_way() {
    for (test, is_whole) in [
        ("lt.u32 %p1, %r0, 64", true),
        ("lt.s32 %p1, %r0, 64", true),
        ("ge.u32 %p1, %r0, %r7", true),
        ("gt.s32 %p1, %r0, 63", true),
        ("gt.u32 %p1, 96, %r0", true),
        ("le.u32 %p1, 96, %r0", true),
        ("lt.u32 %p1, %r0, 48", false),
        ("lt.u32 %p1, %r0, %r6", false),
        ("gt.s32 %p1, %r0, 64", false),
        ("lt.u32 %p1, 96, %r0", false),
        ("le.u32 %p1, %r0, 64", false),
        ("eq.u32 %p1, %r0, 64", false),
    ] {
        let code = format!(
            "mov.u32 %r6, %ntid.y; mov.u32 %r7, %ntid.x; mov.u32 %r2, tile; shl.b32 %r3, %r0, 2;
             add.s32 %r2, %r2, %r3; setp.{test}; @%p1 bra $L1; ld.shared.f32 %f1, [%r2]; $L1:"
        );
        let kernel = ptx_of("", &code);
        let on = is_whole.then_some(0xffff_ffff);
        assert_eq!(kernel.sites[0].reached[0].on, on, "{test}");
    }
}
