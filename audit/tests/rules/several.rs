//! An access with several addresses of one wave: rounds of a loop, and paths that bring another one each. The worst is said.

use super::{amdgpu, bytes, ptx, ptx_of};
use tiledesc_audit::value::Value;
use tiledesc_audit::{Kernel, Ruling, Verdict};

fn verdict(kernel: &Kernel, n: usize) -> Verdict {
    match kernel.sites[n].ruling(kernel.wave) {
        Ruling::Judged(verdict) => verdict,
        other => panic!("{other:?}"),
    }
}

/// How far lane 1 is from lane 0, for each address of the only wave.
fn strides(kernel: &Kernel, n: usize) -> Vec<Option<u32>> {
    let stride = |value: &Value| match value {
        Value::Sum { f, .. } => Some(f.get(1).wrapping_sub(f.get(0))),
        _ => None,
    };
    kernel.sites[n].reached.iter().map(|one| stride(&one.address)).collect()
}

/// A loop that reads words a stride apart, which doubles until a limit.
fn doubling(limit: &str) -> String {
    format!(
        "mov.u32 %r1, 4;
         ld.param.u32 %r7, [n];
         $L1:
         mul.lo.s32 %r2, %r0, %r1;
         ld.shared.f32 %f1, [%r2];
         shl.b32 %r1, %r1, 1;
         setp.lt.u32 %p1, %r1, {limit};
         @%p1 bra $L1;"
    )
}

/// Each round has a stride of its own. Where nobody knows how many rounds there are, those in which a lane would be beyond
/// the memory do not come to pass.
#[test]
fn a_stride_that_doubles() {
    let known = ptx(&doubling("64"));
    assert_eq!(strides(&known, 0), [4, 8, 16, 32].map(Some));
    assert_eq!(verdict(&known, 0).degree, 8);
    let unknown = ptx(&doubling("%r7"));
    let all = strides(&unknown, 0);
    assert_eq!(all[..6], [4, 8, 16, 32, 64, 128].map(Some));
    assert!(all.iter().all(Option::is_some), "{all:?}");
    assert_eq!(verdict(&unknown, 0).degree, 32);
    // A stride that data decides is none of these.
    let data = doubling("64").replace("mov.u32 %r1, 4", "mov.u32 %r1, %r9");
    assert!(matches!(ptx(&data).sites[0].ruling(32), Ruling::Unknown(_)));
}

/// `for (s = 32; s > 0; s >>= 1)` in scalars of AMD, in waves of 64.
#[test]
fn a_stride_that_halves() {
    let kernel = amdgpu(
        "gfx942",
        64,
        "s_movk_i32 s4, 0x40
         .LBB0_1:
         v_mul_lo_u32 v1, s4, v0
         ds_read_b32 v2, v1
         s_lshr_b32 s4, s4, 1
         s_cmp_gt_u32 s4, 4
         s_cbranch_scc1 .LBB0_1",
    );
    assert_eq!(strides(&kernel, 0), [64, 32, 16, 8].map(Some));
    // 32 lanes a phase, in two banks.
    assert_eq!(verdict(&kernel, 0).degree, 16);
}

/// A loop in a loop whose strides depend on each other: bitonic sorting.
#[test]
fn strides_of_two_loops() {
    let kernel = ptx("mov.u32 %r1, 2;
         $L1:
         shr.u32 %r2, %r1, 1;
         $L2:
         sub.s32 %r3, %r2, 1;
         and.b32 %r4, %r0, %r3;
         shl.b32 %r5, %r0, 1;
         sub.s32 %r5, %r5, %r4;
         shl.b32 %r5, %r5, 2;
         ld.shared.f32 %f1, [%r5];
         shr.u32 %r2, %r2, 1;
         setp.ne.s32 %p1, %r2, 0;
         @%p1 bra $L2;
         shl.b32 %r1, %r1, 1;
         setp.lt.u32 %p2, %r1, 33;
         @%p2 bra $L1;");
    // s = 1, 2, 4, 8, 16: words 2 lane - (lane & s - 1).
    assert_eq!(kernel.sites[0].reached.len(), 5);
    assert_eq!(verdict(&kernel, 0).degree, 2);
}

const BY_ROW: &str = "shl.b32 %r1, %r0, 2;\n";
const BY_COLUMN: &str = "shl.b32 %r1, %r0, 7;\n";

/// All lanes read a row, or all read a column: free, or 32-way.
#[test]
fn two_paths() {
    let read = "ld.shared.f32 %f1, [%r1];";
    let all = "ld.param.u32 %r7, [n]; setp.lt.u32 %p1, %r7, 5;\n";
    let branch = format!("{BY_ROW}{all}@%p1 bra $L1;\n{BY_COLUMN}$L1:\n{read}");
    let kernel = ptx(&branch);
    let mut found = strides(&kernel, 0);
    found.sort_unstable();
    assert_eq!((found, verdict(&kernel, 0).degree), (vec![Some(4), Some(128)], 32));
    // A select of two strides by what all lanes share.
    let select = format!("{all}selp.b32 %r2, 4, 132, %p1; mul.lo.s32 %r1, %r0, %r2;\n{read}");
    let kernel = ptx(&select);
    let mut found = strides(&kernel, 0);
    found.sort_unstable();
    assert_eq!((found, verdict(&kernel, 0).degree), (vec![Some(4), Some(132)], 1));
    // Lane by lane, by data: any mix of the two.
    let mixed = branch.replace("%r7, 5", "%r9, 5");
    assert!(matches!(ptx(&mixed).sites[0].ruling(32), Ruling::Unknown(_)));
}

/// Lanes that leave a loop in different rounds do not share which of two strides they read with: only the low bits in which
/// both agree are known, and 132 is 4 and a whole row of banks.
#[test]
fn buffers_of_different_rounds() {
    let code = "ld.param.u32 %r7, [n];
         mov.u32 %r3, 0;
         $L1:
         setp.lt.u32 %p1, %r7, 5;
         selp.b32 %r2, 4, 132, %p1;
         mul.lo.s32 %r1, %r0, %r2;
         ld.volatile.global.u32 %r7, [%d7];
         add.s32 %r3, %r3, 1;
         setp.lt.u32 %p2, %r3, LIMIT;
         @%p2 bra $L1;
         ld.shared.f32 %f1, [%r1];";
    let all = code.replace("ld.volatile.global.u32 %r7, [%d7]", "ld.param.u32 %r7, [n]");
    assert_eq!(verdict(&ptx(&all.replace("LIMIT", "3")), 0).degree, 1);
    let one_by_one = all.replace("LIMIT", "%r9");
    assert_eq!(verdict(&ptx(&one_by_one), 0).degree, 1);
    let apart = ptx(&one_by_one.replace("132", "68"));
    assert!(matches!(apart.sites[0].ruling(32), Ruling::Unknown(_)));
}

/// Two tiles of which a kernel's argument names one, xor-ed with the lanes' bytes.
#[test]
fn a_number_that_is_one_of_two() {
    let kernel = amdgpu(
        "gfx942",
        64,
        "s_cmp_lt_i32 s8, 5
         s_cselect_b32 s1, 0, 0x1010
         v_lshlrev_b32 v1, 3, v0
         v_xor_b32 v1, s1, v1
         ds_read_b64 v[2:3], v1",
    );
    assert_eq!(kernel.sites[0].reached.len(), 2);
    assert_eq!(verdict(&kernel, 0).degree, 1);
}

/// Low bits that each lane has of its own move with a shuffle.
#[test]
fn low_bits_between_lanes() {
    let kernel = ptx("setp.lt.u32 %p1, %r9, 7;
         shl.b32 %r1, %r0, 2;
         add.s32 %r2, %r1, 4096;
         selp.b32 %r3, %r1, %r2, %p1;
         shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;
         and.b32 %r5, %r4, 127;
         ld.shared.f32 %f1, [%r5];");
    assert_eq!(bytes(&kernel, 0), Some((0..32).map(|lane| 4 * (lane ^ 1)).collect()));
}

/// Warps of a row that nobody states: each is looked at by itself where one for all leaves an address unknown.
#[test]
fn a_row_warp_by_warp() {
    // Bits 5 and 4 of x below its lowest four: (x & 15) << 2 | (x & 48) >> 4.
    let code = "and.b32 %r1, %r0, 15; shl.b32 %r1, %r1, 2;
         and.b32 %r2, %r0, 48; shr.u32 %r2, %r2, 4; or.b32 %r3, %r1, %r2;
         shl.b32 %r3, %r3, 2; ld.shared.f32 %f1, [%r3];";
    let kernel = ptx_of("", code);
    assert_eq!(kernel.sites[0].reached.len(), 32);
    let one = verdict(&kernel, 0);
    assert_eq!((one.degree, one.in_rows), (2, true));
    let stated = ptx_of(".reqntid 64, 1, 1", code);
    assert_eq!((stated.sites[0].reached.len(), verdict(&stated, 0).in_rows), (2, false));
}

/// Half a word that is stored to scratch memory loses that word and no other.
#[test]
fn half_a_spilled_word() {
    let spilled = |store: &str| {
        let code = format!(
            "v_lshlrev_b32 v1, 2, v0
             scratch_store_b32 off, v1, off offset:4
             scratch_store_b32 off, v1, off offset:8
             {store}
             scratch_load_b32 v2, off, off offset:4
             scratch_load_b32 v3, off, off offset:8
             ds_read_b32 v4, v2
             ds_read_b32 v4, v3"
        );
        let kernel = amdgpu("gfx942", 64, &code);
        [0, 1].map(|n| bytes(&kernel, n).is_some())
    };
    assert_eq!(spilled("scratch_store_b16 off, v0, off offset:6"), [false, true]);
    assert_eq!(spilled("scratch_store_byte off, v0, off offset:8"), [true, false]);
    // Two words from byte 6 on, three of them touched.
    assert_eq!(spilled("scratch_store_dwordx2 off, v[4:5], off offset:6"), [false, false]);
    assert_eq!(spilled("scratch_store_b16 v5, v0, off offset:12"), [false, false]);
}

/// `v_cmpx` of known values turns off known lanes.
#[test]
fn lanes_that_fail_a_test() {
    let read = |compare: &str| {
        let code = format!("v_lshlrev_b32 v1, 2, v0\n{compare}\nds_read_b32 v4, v1");
        amdgpu("gfx942", 64, &code).sites[0].reached[0].on
    };
    assert_eq!(read("v_cmpx_gt_u32_e32 vcc, 8, v0"), Some(0xff));
    assert_eq!(read("v_cmpx_gt_u32_e32 8, v0"), Some(0xff));
    assert_eq!(read("global_load_dword v0, v[2:3], off\nv_cmpx_gt_u32_e32 vcc, 8, v0"), None);
}
