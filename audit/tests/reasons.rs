//! The instructions that lead to an address: all that it depends on, and what is known of each.

use support::fuzz::Dice;
use tiledesc_audit::{Kernel, Options, audit, why};

fn options() -> Options {
    Options { block: Some([64, 1, 1]), ..Options::default() }
}

fn kernel(text: &str) -> Kernel {
    audit(text, &options()).unwrap().remove(0)
}

/// Line, text and what is known, of each step.
fn steps(text: &str, at: &str) -> Vec<(usize, String, String)> {
    let reasons = why(text, &options(), at).unwrap().unwrap();
    reasons.steps.into_iter().map(|one| (one.line, one.text, one.known)).collect()
}

const AMD: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:\n";

/// Of a number from memory, of a shared one, and of lanes.
#[test]
fn what_is_known_of_each() {
    let text = format!(
        "{AMD}.file 1 \"/src\" \"k.hip\"\n.loc 1 7 0\ns_load_dword s4, s[0:1], 0x0\nv_mov_b32_e32 v9, v0\n\
         v_lshlrev_b32_e32 v1, 7, v0\ns_lshl_b32 s4, s4, 4\nv_add_u32_e32 v1, s4, v1\n.loc 1 8 0\nds_read_b32 v2, v1\n\
         .loc 1 9 0\nv_lshlrev_b32_e32 v2, 2, v2\nds_read_b32 v3, v2\ns_endpgm\n"
    );
    let said = steps(&text, "12");
    let known: Vec<_> = said.iter().map(|(line, _, known)| (*line, known.as_str())).collect();
    let found = "32-way: lanes 0 and 1, 128 bytes apart";
    let of = [
        (6, "the same in all lanes"),
        (8, "128 lane"),
        (9, "the same in all lanes, a multiple of 16"),
        (10, "u + 128 lane, u the same in all lanes, a multiple of 16"),
        (12, found),
    ];
    assert_eq!(known, of);
    assert_eq!(said[1].1, "v_lshlrev_b32_e32 v1, 7, v0");
    // The source's line names the same access.
    assert_eq!(steps(&text, "k.hip:8"), said);
    let loaded = steps(&text, "line 15");
    let unknown = "unknown: loaded from memory at k.hip:8";
    let ends: Vec<_> = loaded[loaded.len() - 3..].iter().map(|one| one.2.as_str()).collect();
    let low = "only the low 2 bits are known: loaded from memory at k.hip:8";
    assert_eq!(ends, [unknown, low, "unknown: its address was loaded from memory at k.hip:8"]);
    for nothing in ["8", "999", "k.hip:1"] {
        assert!(why(&text, &options(), nothing).unwrap().is_none(), "{nothing}");
    }
    assert!(why("int main() {}", &options(), "3").is_err());
}

/// SASS is told in its own lines.
#[test]
fn of_sass() {
    let text = "\tcode for sm_80\n\t\tFunction : k\n        /*0000*/   S2R R0, SR_TID.X ;\n        /*0010*/   MOV R9, R0 ;\n        \
                /*0020*/   LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT ;\n        /*0030*/   LDS R3, [R2.X16+0x80] ;\n        /*0040*/   EXIT ;\n";
    let said = steps(text, "6");
    let known: Vec<_> = said.iter().map(|(line, _, known)| (*line, known.as_str())).collect();
    assert_eq!(known[..2], [(3, "lane"), (5, "lane")]);
    assert!(known[2].0 == 6 && known[2].1.starts_with("4-way"), "{known:?}");
    assert!(said[1].1.starts_with("/*0020*/ LOP3.LUT R2, R0"), "{said:?}");
}

/// The instructions of a slice alone make the same addresses, of random programs in a line.
#[test]
fn a_slice_is_all_that_an_address_depends_on() {
    let (mut whole, mut kept) = (0, 0);
    for case in 0..support::fuzz::times(120) {
        let dice = &mut Dice(case);
        let is_amd = dice.one_in(2);
        let register =
            |number: u32| if is_amd { format!("v{number}") } else { format!("%r{number}") };
        let mut code = Vec::new();
        for _ in 0..16 {
            let [to, a, b] = [1 + dice.below(6), dice.below(7), dice.below(7)].map(register);
            let [number, shift] = [1 << dice.below(8), 1 + dice.below(5)];
            code.push(match (dice.below(5), is_amd) {
                (0, true) => format!("v_add_u32_e32 {to}, {a}, {b}"),
                (1, true) => format!("v_lshlrev_b32_e32 {to}, {shift}, {a}"),
                (2, true) => format!("v_xor_b32_e32 {to}, {number}, {a}"),
                (3, true) => format!("v_and_b32_e32 {to}, {number}, {a}"),
                (_, true) => format!("v_mov_b32_e32 {to}, {a}"),
                (0, false) => format!("add.u32 {to}, {a}, {b};"),
                (1, false) => format!("shl.b32 {to}, {a}, {shift};"),
                (2, false) => format!("xor.b32 {to}, {a}, {number};"),
                (3, false) => format!("and.b32 {to}, {a}, {number};"),
                (_, false) => format!("mov.u32 {to}, {a};"),
            });
        }
        let address = register(1 + dice.below(6));
        let (head, first, access, end) = match is_amd {
            true => (
                AMD,
                "v_mov_b32_e32 v0, v0".to_string(),
                format!("ds_read_u8 v9, {address}"),
                "s_endpgm\n",
            ),
            false => (
                ".version 8.0\n.target sm_90\n.visible .entry f() {\n.reg .b32 %r<9>;\n",
                "mov.u32 %r0, %tid.x;".to_string(),
                format!("ld.shared.u8 %r8, [{address}];"),
                "ret;\n}\n",
            ),
        };
        code.insert(0, first);
        let program = |code: &[String]| format!("{head}{}\n{access}\n{end}", code.join("\n"));
        let text = program(&code);
        let line = head.lines().count() + code.len() + 1;
        let slice: Vec<String> =
            steps(&text, &line.to_string()).into_iter().map(|one| one.1).collect();
        let (last, slice) = slice.split_last().unwrap();
        assert_eq!(last, &access);
        let addresses = |text: &str| {
            let reached = kernel(text).sites.remove(0).reached;
            reached.into_iter().map(|one| (one.wave, one.address)).collect::<Vec<_>>()
        };
        let shown = program(slice);
        let same = |a: &str, b: &str| {
            let known = |text| {
                addresses(text)
                    .iter()
                    .map(|(wave, value)| (*wave, value.known().cloned()))
                    .collect::<Vec<_>>()
            };
            known(a) == known(b)
        };
        assert!(same(&text, &shown), "case {case}\n{text}\n{shown}");
        whole += code.len();
        kept += slice.len();
    }
    println!("{kept} of {whole} instructions");
    assert!(kept < whole);
}
