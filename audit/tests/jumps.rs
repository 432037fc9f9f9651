//! Jumps by a register are followed to the label or the address that is computed, and calls write what their code names.
//!
//! Random calls are audited twice: as they are, and with the code in their place. What the audit knows of an address behind
//! the call must be what it is there. A plain run has 200 programs.

use core::fmt::Write;
use support::fuzz::Dice;
use tiledesc_audit::{Error, Kernel, Options, Outcome, audit};

const HEAD: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:\n";

fn kernel(code: &str) -> Result<Kernel, Error> {
    let options = Options { block: Some([64, 1, 1]), ..Options::default() };
    audit(&format!("{HEAD}{code}"), &options).map(|mut kernels| kernels.remove(0))
}

fn degrees(code: &str) -> Vec<Option<u32>> {
    let kernel = kernel(code).unwrap();
    let mut lines = kernel.report_all().lines;
    lines.sort_by_key(|line| line.lines.clone());
    lines.iter().map(|line| line.verdict.as_ref().map(|one| one.degree)).collect()
}

/// 128 bytes from lane to lane on one way, 4 on the other: a jump that is not followed would leave only one of them.
#[test]
fn a_jump_goes_to_its_label() {
    let far = |jump: &str| {
        format!(
            "v_lshlrev_b32 v1, 2, v0\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 here\n{jump}here:\n\
             v_lshlrev_b32 v1, 7, v0\nthere:\nds_read_b32 v2, v1\ns_endpgm\n"
        )
    };
    let near = kernel(&far("s_branch there\n")).unwrap();
    let llvm = "s_getpc_b64 s[8:9]\n.Lpost:\ns_add_u32 s8, s8, (there-.Lpost)&4294967295\n\
        s_addc_u32 s9, s9, (there-.Lpost)>>32\ns_setpc_b64 s[8:9]\n";
    let tensile = "s_getpc_b64 s[8:9]\ns_add_i32 s10, there, 0x4\ns_add_u32 s8, s8, s10\ns_addc_u32 s9, s9, 0\n\
        s_setpc_b64 s[8:9]\n";
    let older = "s_getpc_B64 s[8:9]\ns_add_i32 s10, there, 0x4\ns_cmp_ge_i32 s10, 0x0\ns_cbranch_scc1 up\n\
        s_abs_i32 s10, s10\ns_sub_u32 s8, s8, s10\ns_subb_u32 s9, s9, 0\ns_setpc_b64 s[8:9]\nup:\n\
        s_add_u32 s8, s8, s10\ns_addc_u32 s9, s9, 0\ns_setpc_b64 s[8:9]\n";
    for jump in [llvm, tensile, older] {
        let found = kernel(&far(jump)).unwrap();
        assert_eq!(found.sites[0].reached, near.sites[0].reached, "{jump}");
    }
    let refused = |jump: &str| kernel(&far(jump)).unwrap_err().to_string();
    let why = |line| format!("f: where the jump in line {line} goes is not in the text");
    assert_eq!(refused("s_setpc_b64 s[8:9]\n"), why(7));
    assert_eq!(refused(&tensile.replace("0x4", "0x8")), why(11));
    assert_eq!(refused(&tensile.replace("there", "nowhere")), why(11));
    // A table of jumps goes on from its label, and what is added to another register is not added to this one.
    for (line, more) in [
        (12, tensile.replace("s_setpc", "s_add_u32 s8, s8, s20\ns_addc_u32 s9, s9, 0\ns_setpc")),
        (11, tensile.replace("s8, s8, s10", "s8, s20, s10")),
        (11, tensile.replace("there", "there+8")),
        (11, tensile.replace("s_add_u32", "s_sub_u32")),
        (11, tensile.replace("s_add_i32 s10", "s_add_i32 s8")),
        (11, llvm.replace("there-", "there+8-")),
        (11, llvm.replace("-.Lpost", "-here")),
        (12, tensile.replace("s_add_i32", "s_nop 0\ns_add_i32")),
    ] {
        assert!([line, line + 1].map(why).contains(&refused(&more)), "{more}");
    }
    // Whoever jumps between the two brings another address.
    let entered = tensile.replace("s_add_u32 s8", "inside:\ns_add_u32 s8");
    assert_eq!(refused(&format!("s_cbranch_vccz inside\n{entered}")), why(13));
    // That of a function that was called.
    assert!(kernel("s_setpc_b64 s[30:31]\n").is_ok());
}

/// As `llvm-objdump -d` prints them, up and down.
#[test]
fn a_jump_goes_to_its_address() {
    let text = |jump: &str| {
        format!(
            ".amdgcn_target \"x--gfx942\"\n0000000000001000 <f>:\n\tv_lshlrev_b32 v1, 2, v0 // 000000001000: 0\n\
             \ts_branch 3 // 000000001004: 0 <f+0x14>\n\tds_read_b32 v2, v1 // 000000001008: 0\n\
             \ts_endpgm // 000000001010: 0\n\ts_getpc_b64 s[8:9] // 000000001014: 0\n{jump}"
        )
    };
    let read = |jump: &str| {
        let options = Options { block: Some([64, 1, 1]), ..Options::default() };
        audit(&text(jump), &options).map(|kernels| kernels[0].report_all().count(Outcome::Free))
    };
    // From 0x1018 to 0x1008.
    let up = "\ts_add_u32 s8, s8, 0xfffffff0 // 000000001018: 0\n\ts_addc_u32 s9, s9, -1 // 000000001020: 0\n\
        \ts_setpc_b64 s[8:9] // 000000001024: 0\n";
    assert_eq!(read(up).unwrap(), 1);
    let older = "\ts_add_i32 s10, 0xffffffec, 4 // 000000001018: 0\n\ts_cmp_ge_i32 s10, 0 // 000000001020: 0\n\
        \ts_cbranch_scc1 4 // 000000001024: 0 <f+0x38>\n\ts_abs_i32 s10, s10 // 000000001028: 0\n\
        \ts_sub_u32 s8, s8, s10 // 00000000102c: 0\n\ts_subb_u32 s9, s9, 0 // 000000001030: 0\n\
        \ts_setpc_b64 s[8:9] // 000000001034: 0\n\ts_add_u32 s8, s8, s10 // 000000001038: 0\n\
        \ts_addc_u32 s9, s9, 0 // 00000000103c: 0\n\ts_setpc_b64 s[8:9] // 000000001040: 0\n";
    assert_eq!(read(older).unwrap(), 1);
    let refused = read(&up.replace("0xfffffff0", "0xfffffff2")).unwrap_err().to_string();
    assert_eq!(refused, "f: where the jump in line 10 goes is not in the text");
}

/// A call of one of two functions, and what is known behind it.
fn called(body: &str, other: &str) -> String {
    format!(
        "v_lshlrev_b32 v1, 7, v0\nv_lshlrev_b32 v2, 2, v0\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 second\n\
         s_getpc_b64 s[12:13]\ns_add_i32 s8, one, 0x4\ns_add_u32 s12, s12, s8\ns_addc_u32 s13, s13, 0\ns_branch go\n\
         second:\ns_getpc_b64 s[12:13]\ns_add_i32 s8, two, 0x4\ns_add_u32 s12, s12, s8\ns_addc_u32 s13, s13, 0\n\
         go:\ns_swappc_b64 s[58:59], s[12:13]\nds_read_b32 v9, v1\nds_read_b32 v9, v2\ns_endpgm\n\
         one:\n{body}s_setpc_b64 s[58:59]\ntwo:\n{other}s_setpc_b64 s[58:59]\n"
    )
}

#[test]
fn a_call_writes_what_its_code_names() {
    let call = None;
    assert_eq!(
        degrees(&called("v_mov_b32 v5, v6\n", "v_add_f32 v4, v6, v4\n")),
        [call, Some(32), Some(1)]
    );
    assert_eq!(degrees(&called("v_mov_b32 v5, v6\n", "v_mov_b32 v1, v4\n")), [call, None, Some(1)]);
    // Somebody else may have written the address.
    let other = |line: &str| called("", "").replace("go:\n", &format!("{line}go:\n"));
    assert_eq!(degrees(&other("s_nop 0\n")), [call, Some(32), Some(1)]);
    for line in
        ["s_load_dwordx2 s[12:13], s[0:1], 0x0\n", "s_mov_b32 s13, s5\n", "s_getpc_b64 s[12:13]\n"]
    {
        assert_eq!(degrees(&other(line)), [call, None, None], "{line}");
    }
    // Nor is it known where a sum with another register goes.
    let table = called("", "").replace("go:\n", "s_add_u32 s12, s12, s20\ngo:\n");
    assert_eq!(degrees(&table), [call, None, None]);
    // These may do more than their operands say.
    for more in [
        "s_mov_b64 exec, -1\n",
        "s_and_saveexec_b64 s[20:21], vcc\n",
        "v_cmpx_lt_u32 v5, v6\n",
        "v_writelane_b32 v5, s3, 4\n",
        "ds_read_b32 v5, v6\n",
        "s_swappc_b64 s[40:41], s[12:13]\n",
        "s_set_gpr_idx_on s3, 1\n",
        "s_setpc_b64 s[44:45]\n",
        "s_mov_b64 s[58:59], s[20:21]\n",
        "s_setvskip -1, 0\n",
        "buffer_store_dword v5, off, s[0:3], 0\n",
        "v_mfma_f32_4x4x1f32 a[0:3], v5, v6, a[0:3]\n",
        "s_branch nowhere\nnowhere2:\n",
    ] {
        let found = kernel(&called(more, ""));
        let known = found.map(|one| one.report_all().count(Outcome::Unknown));
        assert!(matches!(known, Ok(2) | Err(_)), "{more} {known:?}");
    }
}

/// A comparison before a call says nothing of the condition code behind it.
#[test]
fn a_call_writes_the_condition_code() {
    let code = called("s_cmp_eq_u32 s5, 0\n", "").replace(
        "ds_read_b32 v9, v1\n",
        "s_cselect_b32 s6, 2, 7\nv_lshlrev_b32 v1, s6, v0\nds_read_b32 v9, v1\n",
    );
    let code = code.replace("s_swappc", "s_cmp_eq_u32 0, 0\ns_swappc");
    assert_ne!(degrees(&code)[1], Some(1));
}

#[test]
fn what_is_known_behind_a_call_is_so() {
    let (mut known, mut unknown) = (0, 0);
    for seed in support::fuzz::numbers(200) {
        let mut dice = Dice(seed);
        let mut body = String::new();
        for _ in 0..1 + dice.below(4) {
            let [to, from, by] = [(); 3].map(|()| 1 + dice.below(6));
            let line = match dice.below(6) {
                0 => format!("v_lshlrev_b32 v{to}, {by}, v{from}"),
                1 => format!("v_add_co_u32 v{to}, vcc, v{from}, v{by}"),
                2 => format!("s_add_u32 s{to}, s{from}, {by}"),
                3 => format!("v_mov_b32 v{to}, s{from}"),
                4 => format!("v_swap_b32 v{to}, v{from}"),
                _ => format!("v_cndmask_b32 v{to}, v{from}, v{by}, vcc"),
            };
            writeln!(body, "{line}").unwrap();
        }
        let begin = "v_lshlrev_b32 v1, 7, v0\nv_lshlrev_b32 v2, 2, v0\nv_mov_b32 v3, 0\nv_cmp_gt_u32 vcc, 9, v0\n\
            s_mov_b32 s1, 8\ns_mov_b32 s2, 16\n";
        let end: String = (1..6).map(|at| format!("v_cndmask_b32 v8, v{at}, v0, vcc\nv_add_u32 v8, v8, s{at}\nds_read_b32 v9, v8\nds_read_b32 v9, v{at}\n")).collect();
        let call = format!(
            "{begin}s_getpc_b64 s[12:13]\ns_add_i32 s8, one, 0x4\ns_add_u32 s12, s12, s8\ns_addc_u32 s13, s13, 0\n\
             s_swappc_b64 s[58:59], s[12:13]\n{end}s_endpgm\none:\n{body}s_setpc_b64 s[58:59]\n"
        );
        let inline = kernel(&format!("{begin}{body}{end}s_endpgm\n")).unwrap();
        let call = kernel(&call).unwrap();
        let behind = call.sites.iter().filter(|site| site.opcode.starts_with("ds_"));
        for (one, expected) in behind.zip(&inline.sites) {
            let (one, expected) = (&one.reached[0].address, &expected.reached[0].address);
            match one.known() {
                Some(_) => {
                    known += 1;
                    assert_eq!(one, expected, "{seed}\n{body}");
                }
                None => unknown += 1,
            }
        }
    }
    assert!(
        known > 200 && unknown > 200,
        "{known} known and {unknown} unknown are a check of little"
    );
}
