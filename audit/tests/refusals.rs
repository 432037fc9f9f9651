//! Texts that are not programs: a sentence each, and never a panic.

use std::fs;
use std::io::Read;
use support::fuzz::Dice;
use tiledesc_audit::{Options, Outcome, audit};

fn refused(text: &str) -> String {
    audit(text, &Options::default()).unwrap_err().to_string()
}

const HEAD: &str = ".amdgcn_target \"x--gfx942\"\n.type f,@function\nf:\n";

#[test]
fn a_sentence_each() {
    assert_eq!(refused(""), "neither AMDGPU assembly nor PTX nor SASS");
    assert_eq!(refused("mov.u32 %r1, %tid.x;"), "neither AMDGPU assembly nor PTX nor SASS");
    assert_eq!(refused(".amdgcn_target \"x--gfx942\""), "no kernel was found in the text");
    let radv = "Compute Shader:\ndisasm:\nBB0:\n\ts_waitcnt lgkmcnt(0)    ; bf8cc07f\n\ts_endpgm    ; bf810000\n";
    let said = "a shader dump of Mesa's RADV is not read: it does not say what the registers hold when the shader begins";
    assert_eq!(refused(radv), said);
    assert_eq!(
        refused(&format!("{HEAD}v_mov_b32 v0, v1\n")),
        "f: the text ends before the program does"
    );
    assert_eq!(
        refused(&format!("{HEAD}s_cbranch_scc0 .L7\ns_endpgm\n")),
        "f: the branch in line 4 goes to a label that is not in the text"
    );
    let other = HEAD.replace("gfx942", "gfx1152") + "s_endpgm\n";
    let said = "gfx1152: there are no rows for this chip; its nearest relative with rows is gfx1151: state it, as in \
         --chip gfx1151, and its rows are taken";
    assert_eq!(refused(&other), said);
    let nameless = HEAD.lines().skip(1).collect::<Vec<_>>().join("\n") + "\ns_endpgm\n";
    assert_eq!(
        refused(&nameless),
        "the text does not name its chip: state it, as in --chip gfx942"
    );
    let one = Options { kernel: Some("g".to_string()), ..Options::default() };
    let said = audit(&format!("{HEAD}s_endpgm\n"), &one).unwrap_err().to_string();
    assert_eq!(said, "no kernel is called `g`; there is f");
}

const PTX: &str = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry f()\n.reqntid 32\n{\n\
     .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n";

/// The same of PTX.
#[test]
fn a_sentence_each_of_ptx() {
    assert_eq!(refused(".version 8.0\n.target sm_90\n"), "no kernel was found in the text");
    let cut = "f: the text ends before the program does";
    assert_eq!(refused(&format!("{PTX}mov.u32 %r1, 0;\n")), cut);
    let target = "f: the branch in line 8 goes to a label that is not in the text";
    assert_eq!(refused(&format!("{PTX}bra $L7;\n}}\n")), target);
    let other = PTX.replace("sm_90a", "sm_52") + "}\n";
    assert!(
        refused(&other).starts_with("sm_52: there are no rows for this chip"),
        "{}",
        refused(&other)
    );
    let nameless = PTX.replace(".target sm_90a\n", "") + "}\n";
    assert!(refused(&nameless).starts_with("the text does not name its chip"));
    let kernels = audit(&format!("{PTX}ret;\n}}\n"), &Options::default()).unwrap();
    assert!(
        kernels[0].report().head.ends_with("0 shared-memory instructions"),
        "{}",
        kernels[0].report()
    );
}

/// Sizes that no access has, and scopes without an end.
#[test]
fn what_no_compiler_writes() {
    let wide = "ld.shared.v4000000000.b64 %f1, [%r1];";
    for code in [wide, "ld.shared.b %f1, [%r1];", "@p;", "{;}", "ld.shared.f32;", "bfe.u32 %r1;"] {
        let text = format!("{PTX}{code}\n}}\n");
        match audit(&text, &Options::default()) {
            Ok(kernels) => {
                let report = kernels[0].report();
                assert_eq!(report.count(Outcome::Free), 0, "{code}: {report}");
            }
            Err(refusal) => assert!(refusal.to_string().ends_with("no declared register to write")),
        }
    }
    let open = format!("{PTX}{}", "{".repeat(1_000_000));
    assert_eq!(refused(&open), "f: the text ends before the program does");
}

/// What has no row is listed by name, with the reason.
#[test]
fn what_is_listed_of_ptx() {
    for (code, said) in [
        ("ld.f32 %f1, [%rd1];", "a generic address, which may be in shared or in global memory"),
        ("ld.shared::cluster.f32 %f1, [%rd1];", "may be in another block's shared memory"),
        (
            "atom.shared.add.u32 %r1, [%r2], 1;",
            "an atomic: no source says what they cost, beyond 1 cycle at least",
        ),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [%r2];",
            "moves a block of bytes, without an address a lane",
        ),
        (
            "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 {%r1, %r2}, [%rd1];",
            "the chip has no row of it",
        ),
        ("call.uni (retval0), other, (param0);", "calls a function, whose accesses are not listed"),
        ("mbarrier.init.shared::cta.b64 [%r1], 1;", "a barrier's word, the same for all lanes"),
    ] {
        let kernels = audit(&format!("{PTX}{code}\n}}\n"), &Options::default()).unwrap();
        let report = kernels[0].report();
        assert_eq!((report.lines.len(), report.lines[0].found.as_str()), (1, said), "{code}");
        assert_eq!(report.count(Outcome::Listed), 1);
    }
}

/// An operand that is not understood is never free: each line with what is said of it. A byte order mark is no fault.
#[test]
fn what_is_not_understood() {
    let found = |text: &str| {
        let options = Options { block: Some([32, 1, 1]), ..Options::default() };
        let report =
            audit(text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"))[0].report();
        assert_eq!((report.lines.len(), report.count(Outcome::Unknown)), (1, 1), "{report}");
        report.lines[0].found.clone()
    };
    for (code, why) in [
        ("ds_read_b128 v[4:7], q1", "`q1` is not a vector register"),
        ("ds_read_b128 v[4:7]", "the address is missing"),
        ("ds_read_b32", "the destination is missing"),
        ("ds_write_b32 v0", "the datum is missing"),
        ("ds_read_b32 v2, v600", "gfx942 has no register `v600`"),
        ("ds_read_b32 v2, s3", "`s3` is not a vector register"),
        ("ds_read_b32 v2, a3", "`a3` is an accumulation register, which cannot be an address"),
        ("ds_read_b32 v2, v0 foo", "`foo` is no modifier of it"),
        ("ds_read_b32 v2, v0 offset:x", "`offset:x` has no number"),
        ("ds_read_b32 v2, v0 offset:4 offset:8", "`offset` is said twice"),
        ("ds_read_b32 v2, v0 offset0:4", "`offset0:4` is no modifier of it"),
        ("ds_read_b32 v2, v0, v3", "`v3` is one operand too many"),
        ("ds_read_b128 v2, v0", "`v2` has 1, and the destination is 4 registers"),
        ("ds_read_b12 v2, v0", "there is no such instruction"),
    ] {
        assert_eq!(
            found(&format!("{HEAD}{code}\ns_endpgm\n")),
            format!("cannot tell: {why}: {code}")
        );
    }
    for (code, why) in [
        ("ld.shared.f32 %f1, [%nosuch]", "`%nosuch` is not declared"),
        ("ld.shared.b32 %r1", "an operand is missing"),
        ("ld.shared.b32 %r1, [nosuch]", "`nosuch` is not declared in shared memory"),
        ("ld.shared.b32 %r1, [%r2], 5", "`5` is one operand too many"),
        ("ld.shared.b32 %r1, [%r2+foo]", "`[%r2+foo]` is not an address"),
        ("ld.shared.b32 %r1, %r2", "`%r2` is not an address"),
        ("ld.shared.foo.b32 %r1, [%r2]", "`.foo` is not a modifier of it"),
        ("st.shared.b32 [%r2], %zz", "`%zz` is not declared"),
    ] {
        let text = format!("{PTX}{code};\nret;\n}}\n");
        assert_eq!(found(&text), format!("cannot tell: {why}: {code}"));
    }
    let unwritten = format!("{PTX}ld.shared.b32 %zz, [%r2];\nret;\n}}\n");
    assert_eq!(
        refused(&unwritten),
        "f: ld.shared.b32 in line 8 names no declared register to write"
    );
    // What stands behind a line that is cut off may be written by it.
    let torn = format!("{HEAD}v_lshlrev_b32 v0, 2, v0\nv_lshl\nds_read_b32 v2, v0\ns_endpgm\n");
    assert_eq!(found(&torn), "unknown: an instruction at line 5 may write any register");
    let marked = format!("\u{feff}{HEAD}v_lshlrev_b32 v0, 2, v0\nds_read_b32 v2, v0\ns_endpgm\n");
    assert_eq!(audit(&marked, &Options::default()).unwrap()[0].chip.name(), "gfx942");
}

/// A kernel without LDS, and two in a text.
#[test]
fn what_is_no_fault() {
    let two = format!("{HEAD}s_endpgm\n.type g,@function\ng:\nds_read_b32 v1, v0\ns_endpgm\n");
    let kernels = audit(&two, &Options::default()).unwrap();
    assert_eq!(kernels.iter().map(|one| one.sites.len()).collect::<Vec<_>>(), [0, 1]);
    assert!(kernels[0].report().head.ends_with("0 LDS instructions"), "{}", kernels[0].report());
}

/// What `llvm-objdump -d` prints: labels with addresses, targets in comments.
#[test]
fn a_disassembly() {
    let text = "a.out:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n0000000000001900 <f>:\n\
        \tv_lshlrev_b32_e32 v1, 7, v0                                // 000000001900: 24020087\n\
        \ts_mov_b32 s4, 0                                            // 000000001904: BE840080\n\
        \tds_read_b32 v2, v1                                         // 000000001908: D86C0000 02000001\n\
        \ts_add_i32 s4, s4, 1                                        // 000000001910: 81048104\n\
        \ts_cmp_lt_i32 s4, s5                                        // 000000001914: BF040504\n\
        \ts_cbranch_scc1 65531                                       // 000000001918: BF85FFFB <f+0x8>\n\
        \ts_endpgm                                                   // 00000000191C: BF810000\n";
    let options =
        Options { chip: Some("gfx942".into()), block: Some([64, 1, 1]), ..Options::default() };
    let report = audit(text, &options).unwrap()[0].report();
    assert_eq!((report.worst(), report.lines[0].loops), (32, 1), "{report}");
}

/// Code by hand has symbols at its labels, which a disassembler prints as it prints functions: those that code before them
/// leads to are labels, whatever it leads to after them.
#[test]
fn a_disassembly_with_labels() {
    let text = "a.co:\tfile format elf64-amdgpu\n\n0000000000001900 <f>:\n\
        \tv_lshlrev_b32_e32 v1, 7, v0                                // 000000001900: 24020087\n\
        \ts_cbranch_scc1 last                                         // 000000001904: BF850005\n\n\
        0000000000001908 <again>:\n\
        \tds_read_b32 v2, v1                                         // 000000001908: D86C0000 02000001\n\
        \ts_cbranch_scc0 65533                                       // 000000001910: BF84FFFD <again>\n\
        \ts_endpgm                                                   // 000000001914: BF810000\n\
        \ts_nop 0                                                    // 000000001918: BF800000\n\n\
        000000000000191c <last>:\n\
        \tds_read_b32 v2, v1                                         // 00000000191C: D86C0000 02000001\n\
        \ts_cbranch_scc0 65531                                       // 000000001924: BF84FFFC <again+0x10>\n\
        \ts_endpgm                                                   // 000000001928: BF810000\n\
        \ts_nop 0                                                    // 00000000192C: BF800000\n\
        \tv_cndmask_b32_e32 v0, s0, v0, vcc                          // 000000001930: 00000000\n\n\
        0000000000001934 <g>:\n\
        \tds_read_b32 v2, v0                                         // 000000001934: D86C0000 02000000\n\
        \ts_cbranch_scc0 g                                           // 00000000193C: BF84FFFD\n\
        \ts_endpgm                                                   // 000000001940: BF810000\n";
    let options =
        Options { chip: Some("gfx942".into()), block: Some([64, 1, 1]), ..Options::default() };
    let kernels = audit(text, &options).unwrap();
    let found = kernels.iter().map(|one| {
        (one.name.as_str(), one.sites.iter().map(|site| site.loops).collect::<Vec<_>>())
    });
    assert_eq!(found.collect::<Vec<_>>(), [("f", vec![1, 1]), ("g", vec![1])]);
    assert_eq!(kernels[0].report().worst(), 32);
    assert_eq!(tiledesc_audit::names(text), ["f", "g"]);
}

/// Mutated programs: nothing panics, nothing hangs.
#[test]
fn mutated_programs() {
    let mutants: u64 = support::fuzz::times(40);
    let data = support::root().join("audit/tests/data");
    let texts = [
        "gemm-gfx950.amdgcn",
        "layer_norm-gfx1100.amdgcn",
        "transpose-gfx1201.amdgcn",
        "softmax-sm_90.ptx",
        "gemm-sm_80.ptx",
        "transpose-sm_100.ptx",
    ];
    let texts = texts.map(|name| {
        let mut text = String::new();
        let file = fs::File::open(data.join(format!("{name}.gz"))).unwrap();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    });
    let (mut judged, mut refused) = (0, 0);
    for seed in 0..mutants {
        let mut dice = Dice(seed);
        let mut lines: Vec<String> = texts[seed as usize % 6].lines().map(str::to_string).collect();
        for _ in 0..1 + dice.below(12) {
            let (at, from) =
                (dice.below(lines.len() as u32) as usize, dice.below(lines.len() as u32) as usize);
            let end = lines[at].len();
            match dice.below(7) {
                0 => lines[at] = lines[from].clone(),
                1 => drop(lines.remove(at)),
                2 => lines.swap(at, from),
                3 => lines[at].truncate(dice.below(end as u32 + 1) as usize),
                4 => lines[at] = lines[at].replace('v', "s"),
                5 => lines[at] = lines[at].replace(['0', '1'], "9999999999999999999"),
                _ => {
                    let at_byte = dice.below(end as u32 + 1) as usize;
                    lines[at].insert(
                        at_byte,
                        dice.of(&['[', ':', ',', '-', '|', 'é', ']', '\0', '.', ' ']),
                    );
                }
            }
        }
        match audit(&lines.join("\n"), &Options::default()) {
            Ok(kernels) => {
                judged += 1;
                kernels.iter().for_each(|kernel| drop(kernel.report().to_string()));
            }
            Err(refusal) => {
                refused += 1;
                assert!(!refusal.to_string().is_empty());
            }
        }
    }
    println!("{mutants} mutants: {judged} judged, {refused} refused");
    assert!(judged > 0);
}

/// Large texts are refused before they are gone through.
#[test]
fn what_is_too_much() {
    let long = format!("{HEAD}{}s_endpgm\n", "v_mov_b32 v0, v1\n".repeat(200_000));
    assert_eq!(refused(&long), "f: 200001 instructions are too many: at most 200000 are judged");
    let branches: String = (0..10_000).map(|i| format!("s_cbranch_scc0 .L{i}\n.L{i}:\n")).collect();
    let said = "f: 10001 blocks between branches are too many: at most 10000 are judged";
    assert_eq!(refused(&format!("{HEAD}{branches}s_endpgm\n")), said);
}

/// nvcc 3 declared functions without a semicolon, and a variable after one belongs to no function.
#[test]
fn functions_declared_alone() {
    let declared = ".visible .func f (.param .u64 f_a,\n .param .u32 f_b)\n\n .extern .shared .align 4 .b8 s[];\n";
    let text = format!(
        ".version 2.1\n.target sm_80\n.address_size 64\n{declared}.entry k ( .param .u64 k_a )\n {{\n .reg .b32 %r<3>;\n \
         ld.shared.b32 %r1, [s+4];\n ret;\n}}\n"
    );
    let kernels = audit(&text, &Options::default()).unwrap();
    assert_eq!(kernels[0].report_all().count(Outcome::Free), 1, "{}", kernels[0].report());
}

/// A kernel is found by its `.type`, however that is written, or by its `.amdhsa_kernel` behind the code.
#[test]
fn kernels_by_hand() {
    let code = "f:\nds_read_b32 v1, v0\ns_endpgm\n.amdhsa_kernel f\n.end_amdhsa_kernel\n";
    for kind in
        [".type f,@function", ".type f, @function", ".type f, %function", ".type f STT_FUNC", ""]
    {
        let text = format!(".amdgcn_target \"x--gfx942\"\n{kind}\n{code}");
        let kernels =
            audit(&text, &Options::default()).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(kernels[0].sites.len(), 1, "{kind}");
    }
    assert_eq!(
        refused(&format!(".amdgcn_target \"x--gfx942\"\n.type f, @object\n{}", &code[..36])),
        "no kernel was found in the text"
    );
}

/// A number as a label is the last one before, or the next one, and a number may be binary: the second read is 32-way.
#[test]
fn numbers_as_labels() {
    let text = format!(
        "{HEAD}v_lshlrev_b32_e32 v1, 0b10, v0\ns_cbranch_scc1 1f\nds_read_b32 v2, v1\n1:\nv_lshlrev_b32_e32 v1, 5, v1\n\
         s_cbranch_scc0 1f\ns_branch 2f\n1: ds_read_b32 v2, v1\n2:\ns_cbranch_vccz 1b\ns_endpgm\n"
    );
    let report = audit(&text, &Options::default()).unwrap()[0].report_all();
    let degrees: Vec<_> =
        report.lines.iter().map(|line| line.verdict.map(|one| one.degree)).collect();
    assert_eq!(degrees, [Some(1), Some(32)], "{report}");
}
