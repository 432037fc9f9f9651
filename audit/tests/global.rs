//! Global memory: each access beside a count of the test's own, and small kernels of known cost.

use std::collections::BTreeSet;
use support::fuzz::{Dice, times};
use tiledesc::chip;
use tiledesc_audit::value::{Lanes, Value};
use tiledesc_audit::{Coalescing, Moved, Options, Reached, Shape, Unjudged, audit};

/// The fewest and the most units of `unit` bytes that lanes touch, a byte at a time, over all bases that the facts allow.
fn counted(lanes: &[u64], bytes: u64, bases: &[u64], unit: u64) -> (u32, u32) {
    let of = |base: &u64| {
        let bytes = lanes.iter().flat_map(|lane| (0..bytes).map(move |byte| base + lane + byte));
        bytes.map(|byte| byte / unit).collect::<BTreeSet<_>>().len() as u32
    };
    let all = || bases.iter().map(of);
    (all().min().unwrap(), all().max().unwrap())
}

/// Random addresses of each kind: rows, strides, pieces, and anything.
fn random(dice: &mut Dice, wave: usize, bytes: u32) -> Vec<u32> {
    let (kind, by) = (dice.below(4), bytes * dice.below(40));
    let (piece, pitch) = (1 << dice.below(5), bytes * dice.below(1000));
    let any = Vec::from_iter((0..wave).map(|_| bytes * dice.below(1 << 10)));
    let of = |lane: usize| match kind {
        0 => by * lane as u32,
        1 => lane as u32 % piece * bytes + lane as u32 / piece * pitch,
        2 => bytes * (lane as u32 ^ by & 15),
        _ => any[lane],
    };
    (0..wave).map(of).collect()
}

#[test]
fn what_is_touched() {
    let mut dice = Dice(59);
    for _ in 0..times(500) {
        let chip = ["gfx90a", "gfx942", "gfx1100", "sm_90"][dice.below(4) as usize];
        let is_cuda = chip.starts_with("sm_");
        let chip = chip::find(chip).unwrap();
        let (lines, wave) = (chip.lines().unwrap(), chip.wave() as usize);
        let bytes = [1, 2, 4, 8, 16][dice.below(5) as usize];
        let alignment = if is_cuda { bytes } else { bytes.min(4) };
        // Multiples of 2^k, and as many bytes after it in each lane.
        let k = dice.below(10);
        let after = alignment * dice.below(8);
        let f = random(&mut dice, wave, bytes);
        let on = if dice.below(4) == 0 { u64::from(dice.below(u32::MAX)) | 1 } else { u64::MAX };
        let address = Value::Sum { k, f: Lanes::from_fn(wave, |lane| f[lane].wrapping_add(after)) };
        let reached = Reached { wave: 0, address, on: Some(on), stored: Vec::new() };
        let found = Coalescing::new(Moved { bytes, alignment }, &reached, wave, &lines).unwrap();
        let is_on = |lane: &usize| on >> lane & 1 == 1;
        let lanes = Vec::from_iter((0..wave).filter(is_on).map(|lane| u64::from(f[lane] + after)));
        // Every base that is a multiple of 2^k and lets each lane be aligned.
        let bases = (0..256_u64).filter(|base| base % (1 << k) == 0);
        let bases = Vec::from_iter(
            bases.filter(|base| (base + lanes[0]).is_multiple_of(u64::from(alignment))),
        );
        let sectors = counted(&lanes, bytes.into(), &bases, lines.sector().into());
        let touched = counted(&lanes, bytes.into(), &bases, lines.bytes().into());
        assert_eq!((found.best.sectors, found.worst.sectors), sectors, "{reached:?} {chip:?}");
        assert_eq!((found.best.lines, found.worst.lines), touched, "{reached:?} {chip:?}");
        let (unique, _) = counted(&lanes, bytes.into(), &[0], 1);
        assert_eq!(found.least.sectors, unique.div_ceil(lines.sector()), "{reached:?}");
        assert_eq!(found.least.lines, unique.div_ceil(lines.bytes()), "{reached:?}");
    }
}

/// The lines on global memory of a text's only kernel, and their sum.
fn found(text: &str) -> (Vec<String>, String) {
    let options = Options { block: Some([64, 1, 1]), ..Options::default() };
    let kernels = audit(text, &options).unwrap();
    let report = kernels[0].global_report();
    let lines = report.lines.iter().map(|line| format!("{} {}", line.opcode, line.found));
    (lines.collect(), report.sum.unwrap_or_default())
}

fn amd(chip: &str, body: &str) -> (Vec<String>, String) {
    found(&format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\n.type f,@function\nf:\n{body}\ns_endpgm\n"
    ))
}

#[test]
fn kernels_of_amd() {
    let body = "v_and_b32_e32 v0, 63, v0\n\
        v_lshlrev_b32_e32 v1, 2, v0\n\
        v_lshlrev_b32_e32 v2, 10, v0\n\
        v_mov_b32_e32 v3, 0\n\
        global_load_dword v4, v1, s[4:5]\n\
        global_load_dword v5, v2, s[4:5] offset:16\n\
        global_load_dword v6, v3, s[4:5]\n\
        v_lshl_add_u64 v[8:9], v[2:3], 0, s[6:7]\n\
        global_store_dword v[8:9], v6, off\n\
        buffer_load_dwordx4 v[12:15], v2, s[8:11], 0 offen\n\
        buffer_load_dword v12, v2, s[8:11], 0 idxen\n\
        global_load_dword v4, v4, s[4:5]";
    let (lines, sum) = amd("gfx942", body);
    let rows = "1024 bytes apart: 64 lines of 128 bytes, where 2 would do";
    let of_unknown = "as from a pitch of the run time";
    assert_eq!(lines[0], "global_load_dword contiguous: 2 to 3 lines of 128 bytes");
    assert_eq!(lines[1], format!("global_load_dword {rows}"));
    assert_eq!(lines[2], "global_load_dword one address: 1 line of 128 bytes");
    assert_eq!(lines[3], format!("global_store_dword {rows}"));
    assert!(
        lines[4].ends_with("apart: 64 to 128 lines of 128 bytes, where 8 would do"),
        "{lines:?}"
    );
    assert!(lines[5].starts_with("buffer_load_dword unknown:") && lines[5].ends_with(of_unknown));
    assert!(lines[6].starts_with("global_load_dword gathered:"), "{lines:?}");
    assert_eq!(
        sum,
        "global memory: 7 instructions: 2 touch the fewest lines if their bases are aligned to 128 bytes, \
         3 more than the fewest, 2 unknown"
    );
    let (lines, sum) = amd("gfx1100", "v_and_b32_e32 v0, 31, v0\nglobal_load_u8 v4, v0, s[4:5]");
    assert_eq!(lines, ["global_load_u8 contiguous: 1 to 2 lines of 128 bytes (inferred)"]);
    assert!(
        sum.ends_with("1 touch the fewest lines if their bases are aligned to 128 bytes"),
        "{sum}"
    );
    let (lines, sum) = amd("gfx1250", "global_load_b32 v4, v0, s[4:5]");
    assert_eq!((lines.len(), sum.contains("no source says")), (0, true), "{sum}");
    // Scratch memory is not global.
    let (lines, _) = amd("gfx90a", "buffer_load_dword v1, off, s[0:3], 0 offset:4");
    assert_eq!(lines.len(), 0);
}

/// A flat address is judged where it was an argument that points to global memory, is counted where it is in LDS, and is listed
/// where it may be in either.
#[test]
fn flat_addresses() {
    let body = "s_load_dwordx2 s[4:5], s[0:1], 0x8\n\
        s_load_dword s6, s[0:1], 0x10\n\
        s_mov_b64 s[8:9], src_shared_base\n\
        v_lshlrev_b32_e32 v2, 10, v0\n\
        v_mov_b32_e32 v3, 0\n\
        v_lshl_add_u64 v[4:5], v[2:3], 0, s[4:5]\n\
        flat_load_dword v1, v[4:5] offset:16\n\
        v_mov_b32_e32 v6, v2\n\
        v_mov_b32_e32 v7, s9\n\
        flat_store_dword v[6:7], v1\n\
        s_cmp_eq_u32 s6, 0\n\
        s_cselect_b32 s11, s9, s5\n\
        s_cselect_b32 s10, s8, s4\n\
        v_lshl_add_u64 v[8:9], s[10:11], 0, v[2:3]\n\
        flat_store_dwordx4 v[8:9], v[12:15]\n";
    let text = |arguments: &str| {
        format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:\n{body}s_endpgm\n\
             .amdhsa_kernel f\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n\
             .amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n{arguments}    .name: f\n.end_amdgpu_metadata\n"
        )
    };
    let argument = |offset: u32, size: u32, rest: &str| {
        format!("      - {rest}\n        .offset: {offset}\n        .size: {size}\n")
    };
    let buffer = ".address_space: global\n        .value_kind: global_buffer";
    let all = argument(8, 8, buffer) + &argument(16, 4, ".value_kind: by_value");
    let rows = "flat_load_dword 1024 bytes apart: 64 lines of 128 bytes, where 2 would do";
    assert_eq!(found(&text(&all)).0, [rows]);
    let sites = |arguments: &str| {
        let options = Options { block: Some([64, 1, 1]), ..Options::default() };
        let kernel = audit(&text(arguments), &options).unwrap().remove(0);
        kernel.sites.into_iter().map(|site| site.access.unwrap_err()).collect::<Vec<_>>()
    };
    assert_eq!(sites(&all), [Unjudged::FlatLds, Unjudged::Flat]);
    // A structure may hold any pointer.
    let none = argument(8, 16, ".value_kind: by_value");
    assert_eq!(found(&text(&none)).0.len(), 0);
    assert_eq!(sites(&none), [Unjudged::Flat, Unjudged::FlatLds, Unjudged::Flat]);
}

#[test]
fn a_kernel_of_nvidia() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry f(.param .u64 f_0)\n{\n\
        .reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 16 .b8 tile[512];\n\
        ld.param.u64 %rd1, [f_0];\n\
        cvta.to.global.u64 %rd2, %rd1;\n\
        mov.u32 %r1, %tid.x;\n\
        mul.wide.u32 %rd3, %r1, 4;\n\
        add.s64 %rd4, %rd2, %rd3;\n\
        ld.global.u32 %r2, [%rd4];\n\
        mul.wide.u32 %rd5, %r1, 1024;\n\
        add.s64 %rd6, %rd2, %rd5;\n\
        ld.global.nc.v2.u32 {%r3, %r4}, [%rd6+8];\n\
        st.global.u32 [%rd2], %r2;\n\
        shl.b32 %r5, %r1, 4;\n\
        mov.u32 %r6, tile;\n\
        add.s32 %r6, %r6, %r5;\n\
        cp.async.cg.shared.global [%r6], [%rd6], 16;\n\
        mul.wide.u32 %rd7, %r2, 4;\n\
        add.s64 %rd8, %rd2, %rd7;\n\
        ld.global.u32 %r7, [%rd8];\n\
        ret;\n}\n";
    let (lines, sum) = found(text);
    assert_eq!(lines[0], "ld.global.u32 contiguous: 4 to 5 sectors of 32 bytes in 1 to 2 lines");
    let rows = "1024 bytes apart: 32 sectors of 32 bytes in 32 lines";
    assert_eq!(lines[1], format!("ld.global.nc.v2.u32 {rows}, where 8 would do"));
    assert_eq!(lines[2], "st.global.u32 one address: 1 sector of 32 bytes in 1 line");
    assert_eq!(lines[3], format!("cp.async.cg.shared.global 16 {rows}, where 16 would do"));
    assert!(lines[4].starts_with("ld.global.u32 gathered: its address was loaded"), "{lines:?}");
    assert!(sum.ends_with("2 more than the fewest, 1 unknown"), "{sum}");
}

/// How bytes lie is said by what the lanes do, not by the order of their numbers.
#[test]
fn shapes() {
    let lines = chip::sm_90.lines().unwrap();
    let shape = |of: &dyn Fn(u32) -> u32| {
        let address = Value::lanes(32, |lane| of(lane as u32));
        let one = Reached { wave: 0, address, on: None, stored: Vec::new() };
        Coalescing::new(Moved { bytes: 4, alignment: 4 }, &one, 32, &lines).unwrap().shape
    };
    assert_eq!(shape(&|_| 8), Shape::Broadcast);
    assert_eq!(shape(&|lane| 4 * (lane ^ 5)), Shape::Contiguous);
    assert_eq!(shape(&|lane| 124 - 4 * lane), Shape::Contiguous);
    assert_eq!(shape(&|lane| 8 * lane), Shape::Strided(8));
    assert_eq!(shape(&|lane| 4 * (lane % 8) + lane / 8 * 512), Shape::Pieces(32));
    assert_eq!(shape(&|lane| if lane < 3 { 4 * lane } else { 4096 }), Shape::Scattered(2));
}
