//! Texts that are no program: a sentence each, and never a panic.

use std::fs;
use std::path::Path;
use support::fuzz::Dice;
use tiledesc_audit::{Options, audit};

fn refused(text: &str) -> String {
    audit(text, &Options::default()).unwrap_err().to_string()
}

const HEAD: &str = ".amdgcn_target \"x--gfx942\"\n.type f,@function\nf:\n";

#[test]
fn a_sentence_each() {
    assert_eq!(refused(""), "not AMDGPU assembly");
    assert_eq!(refused("mov.u32 %r1, %tid.x;"), "not AMDGPU assembly");
    assert_eq!(refused(".amdgcn_target \"x--gfx942\""), "no kernel was found in the text");
    assert_eq!(
        refused(&format!("{HEAD}v_mov_b32 v0, v1\n")),
        "f: the text ends before the program does"
    );
    assert_eq!(
        refused(&format!("{HEAD}s_cbranch_scc0 .L7\ns_endpgm\n")),
        "f: the branch in line 4 goes to a label that is not in the text"
    );
    let other = HEAD.replace("gfx942", "gfx1152") + "s_endpgm\n";
    let said = "gfx1152: no rows of this chip; its nearest relative with rows is gfx1151";
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

/// Mutated programs: nothing panics, nothing hangs. `AUDIT_MUTANTS` is their number.
#[test]
fn mutated_programs() {
    let mutants: u64 = std::env::var("AUDIT_MUTANTS").map_or(40, |n| n.parse().unwrap());
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let texts = ["gemm-gfx950", "layer_norm-gfx1100", "transpose-gfx1201"];
    let texts =
        texts.map(|name| fs::read_to_string(data.join(name).with_extension("amdgcn")).unwrap());
    let (mut judged, mut refused) = (0, 0);
    for seed in 0..mutants {
        let mut dice = Dice(seed);
        let mut lines: Vec<String> = texts[seed as usize % 3].lines().map(str::to_string).collect();
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
    assert_eq!(refused(&long), "f: 200001 instructions, and at most 200000 are judged");
    let branches: String = (0..10_000).map(|i| format!("s_cbranch_scc0 .L{i}\n.L{i}:\n")).collect();
    let said = "f: 10001 blocks between branches, and at most 10000 are judged";
    assert_eq!(refused(&format!("{HEAD}{branches}s_endpgm\n")), said);
}
