//! A write and a read of one byte by two waves are named if and only if no barrier lies between them: random programs without
//! branches, each access run lane by lane by a formula of this file.
//!
//! | claimed | must be |
//! |---|---|
//! | the pairs of lines | those in which a lane of one wave writes a byte that a lane of another one reads, and no barrier between |
//! | of pairs with an address or lanes that are not known | none |
//! | the lanes and the byte of a pair | the one writes the byte, the other reads it, in two waves |
//!
//! Ways that part and meet, and loops, have programs of their own. A plain run has 200 programs of each kind.

use core::fmt::Write;
use std::collections::BTreeSet;
use support::fuzz::Dice;
use tiledesc_audit::{Kernel, Options, Unordered, audit};

/// An access as it is run: where each lane begins, and what is known of it.
struct Access {
    writes: bool,
    bytes: u32,
    /// Bytes from the lane's address on at which it touches `bytes` bytes.
    parts: Vec<u32>,
    array: usize,
    /// `((lane * factor + term) & mask) << shift`
    numbers: [u32; 4],
    /// The lanes below it are on.
    below: u32,
    is_known: bool,
}

impl Access {
    fn of(dice: &mut Dice, arrays: u32) -> Self {
        let bytes = dice.of(&[1, 2, 4, 4, 8, 16]);
        let shift = dice.of(&[0, 1, 2, 4]).max(u32::ilog2(bytes));
        let mask = dice.of(&[u32::MAX, 31, 63, 127, 1, 96]);
        let below = if dice.one_in(3) { dice.below(260) } else { u32::MAX };
        let pair = bytes == 4 && dice.one_in(4);
        Self {
            writes: dice.one_in(2),
            bytes,
            parts: if pair { vec![0, 4 * (1 + dice.below(40))] } else { vec![4 * dice.below(9)] },
            array: dice.below(arrays) as usize,
            numbers: [dice.of(&[0, 1, 1, 2, 3]), dice.below(70), mask, shift],
            below,
            is_known: !dice.one_in(6),
        }
    }

    /// The bytes of a lane of the block; none if it is off.
    fn touched(&self, lane: u32) -> BTreeSet<u32> {
        let [factor, term, mask, shift] = self.numbers;
        let first = ((lane * factor + term) & mask) << shift;
        let each = |part: &u32| first + part..first + part + self.bytes;
        let on = lane < self.below;
        self.parts.iter().filter(|_| on).flat_map(each).collect()
    }

    fn meets(&self, other: &Self, lanes: u32, wave: u32) -> bool {
        let touched = |one: &Self| Vec::from_iter((0..lanes).map(|lane| one.touched(lane)));
        let (ours, others) = (touched(self), touched(other));
        let is_apart = |a: usize, b: usize| a as u32 / wave != b as u32 / wave;
        (0..ours.len())
            .any(|a| (0..others.len()).any(|b| is_apart(a, b) && !ours[a].is_disjoint(&others[b])))
    }
}

/// What a line of a program is.
enum One {
    Access(Access),
    /// It orders waves, or it does not.
    Other(bool),
}

/// A program with the access of each line that has one, and the lines that order waves.
#[derive(Default)]
struct Program {
    text: String,
    lines: Vec<(usize, One)>,
}

impl Program {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").unwrap();
    }

    fn put(&mut self, text: &str, one: One) {
        self.line(text);
        self.lines.push((self.text.lines().count(), one));
    }

    /// The pairs of lines that a run of all lanes shows, of accesses that are known.
    fn pairs(&self, lanes: u32, wave: u32) -> BTreeSet<[usize; 2]> {
        let mut all = BTreeSet::new();
        for (i, (a, one)) in self.lines.iter().enumerate() {
            let One::Access(one) = one else { continue };
            let orders = |(_, one): &&(usize, One)| !matches!(one, One::Other(true));
            for (b, other) in self.lines[i + 1..].iter().take_while(orders) {
                let One::Access(other) = other else { continue };
                let is_pair = one.writes != other.writes && one.array == other.array;
                if is_pair && one.is_known && other.is_known && one.meets(other, lanes, wave) {
                    all.insert(if one.writes { [*a, *b] } else { [*b, *a] });
                }
            }
        }
        all
    }

    fn access(&self, line: usize) -> &Access {
        match self.lines.iter().find(|(at, _)| *at == line) {
            Some((_, One::Access(one))) => one,
            _ => panic!("line {line} is no access"),
        }
    }

    fn is_held_to(&self, kernel: &Kernel, lanes: u32) {
        let wave = kernel.wave as u32;
        let claimed = Vec::from_iter(kernel.unordered.iter().flat_map(|one| &one.lines));
        let set: BTreeSet<_> = claimed.iter().map(|lines| **lines).collect();
        assert_eq!(set, self.pairs(lanes, wave), "{lanes} lanes\n{}", self.text);
        assert_eq!(set.len(), claimed.len(), "{}", self.text);
        for one in &kernel.unordered {
            let sides = [&one.write, &one.read];
            let lanes = sides.map(|side| side.wave as u32 * wave + side.lane as u32);
            assert_ne!(one.write.wave, one.read.wave);
            assert_eq!(sides.map(|side| side.line), one.lines[0]);
            for (side, lane) in sides.into_iter().zip(lanes) {
                let touched = self.access(side.line).touched(lane);
                assert!(touched.contains(&one.byte), "{one}\n{}", self.text);
            }
        }
    }
}

fn amdgpu(dice: &mut Dice) -> Program {
    let mut program = Program::default();
    program.line(".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:");
    program.line("s_load_dword s4, s[0:1], 0x0\nglobal_load_dword v9, v[4:5], off");
    for _ in 0..4 + dice.below(9) {
        if dice.one_in(4) {
            let other = dice.of(&[
                ("s_barrier", true),
                ("s_barrier", true),
                ("ds_add_u32 v8, v9", true),
                ("s_waitcnt lgkmcnt(0)", false),
                ("ds_bpermute_b32 v8, v8, v9", false),
            ]);
            program.put(other.0, One::Other(other.1));
            continue;
        }
        let one = Access::of(dice, 1);
        let [factor, term, mask, shift] = one.numbers;
        program.line(&format!("v_mul_u32_u24_e32 v1, {factor}, v0\nv_add_u32_e32 v1, {term}, v1"));
        program
            .line(&format!("v_and_b32_e32 v1, {mask:#x}, v1\nv_lshlrev_b32_e32 v1, {shift}, v1"));
        let by_mask = one.below < u32::MAX;
        let is_of_data = !one.is_known && by_mask;
        if !one.is_known && !by_mask {
            program.line("v_add_u32_e32 v1, s4, v1");
        }
        if by_mask {
            let of = if is_of_data { "v9" } else { "v0" };
            let below = one.below;
            program.line(&format!(
                "v_cmp_gt_u32_e32 vcc, {below}, {of}\ns_and_saveexec_b64 s[10:11], vcc"
            ));
        }
        let (verb, bits) = (if one.writes { "write" } else { "read" }, 8 * one.bytes);
        let kind = match (one.writes, bits) {
            (false, 8 | 16) => format!("u{bits}"),
            _ => format!("b{bits}"),
        };
        let name = match one.parts[..] {
            [_, _] => format!("ds_{verb}2_{kind}"),
            _ => format!("ds_{verb}_{kind}"),
        };
        let data = match bits / 32 {
            0 | 1 if one.parts.len() == 2 && !one.writes => "v[12:13]".to_string(),
            0 | 1 => "v12".to_string(),
            many => format!("v[12:{}]", 11 + many),
        };
        let offsets = match one.parts[..] {
            [_, second] => format!("offset1:{}", second / 4),
            ref parts => format!("offset:{}", parts[0]),
        };
        let operands = match (one.writes, one.parts.len()) {
            (true, 2) => format!("v1, {data}, v13 {offsets}"),
            (true, _) => format!("v1, {data} {offsets}"),
            _ => format!("{data}, v1 {offsets}"),
        };
        program.put(&format!("{name} {operands}"), One::Access(one));
        if by_mask {
            program.line("s_or_b64 exec, exec, s[10:11]");
        }
    }
    program.line("s_endpgm");
    program
}

fn ptx(dice: &mut Dice, lanes: u32) -> Program {
    let mut program = Program::default();
    program.line(".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 a[8192];");
    program.line(".extern .shared .align 16 .b8 b[];");
    program.line(&format!(".visible .entry f(.param .u32 n)\n.reqntid {lanes}, 1, 1\n{{"));
    program.line(".reg .b32 %r<99>;\n.reg .b16 %h<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<2>;");
    program.line("mov.u32 %r0, %tid.x;\nld.param.u32 %r4, [n];\nld.global.u32 %r9, [%d8];");
    for i in 0..4 + dice.below(9) {
        if dice.one_in(4) {
            let other = dice.of(&[
                ("bar.sync 0;", true),
                ("barrier.sync.aligned 0;", true),
                ("red.shared.add.u32 [a], %r9;", true),
                ("bar.warp.sync -1;", false),
                ("cp.async.wait_all;", false),
            ]);
            program.put(other.0, One::Other(other.1));
            continue;
        }
        let one = Access { parts: vec![4 * dice.below(9)], ..Access::of(dice, 2) };
        let ([factor, term, mask, shift], array) = (one.numbers, ["a", "b"][one.array]);
        program.line(&format!("mul.lo.u32 %r1, %r0, {factor};\nadd.u32 %r1, %r1, {term};"));
        program.line(&format!("and.b32 %r1, %r1, {mask:#x};\nshl.b32 %r1, %r1, {shift};"));
        // Compilers give each address a register of its own.
        let (base, place) = (20 + 2 * i, 21 + 2 * i);
        program.line(&format!("mov.u32 %r{base}, {array};\nadd.u32 %r{place}, %r1, %r{base};"));
        let by_mask = one.below < u32::MAX;
        if !one.is_known && !by_mask {
            program.line(&format!("add.u32 %r{place}, %r{place}, %r4;"));
        }
        if by_mask {
            let of = if one.is_known { "%r0" } else { "%r9" };
            program.line(&format!("setp.lt.u32 %p1, {of}, {};", one.below));
        }
        let (kind, data) = match one.bytes {
            1 => ("u8", "%h1"),
            2 => ("u16", "%h1"),
            4 => ("u32", "%r12"),
            8 => ("u64", "%d1"),
            _ => ("v4.u32", "{%r12, %r13, %r14, %r15}"),
        };
        let guard = if by_mask { "@%p1 " } else { "" };
        let place = format!("[%r{place}+{}]", one.parts[0]);
        let text = match one.writes {
            true => format!("{guard}st.shared.{kind} {place}, {data};"),
            false => format!("{guard}ld.shared.{kind} {data}, {place};"),
        };
        program.put(&text, One::Access(one));
    }
    program.line("ret;\n}");
    program
}

fn kernel(text: &str, lanes: u32) -> Kernel {
    let options = Options { block: Some([lanes, 1, 1]), ..Options::default() };
    audit(text, &options).unwrap_or_else(|why| panic!("{why}\n{text}")).remove(0)
}

#[test]
fn random_programs() {
    let (mut there, numbers) = ([0, 0], support::fuzz::numbers(200));
    let cases = numbers.end - numbers.start;
    for seed in numbers {
        let mut dice = Dice(seed);
        let lanes = dice.of(&[64, 128, 200, 256]);
        for (kind, program) in [amdgpu(&mut dice), ptx(&mut dice, lanes)].into_iter().enumerate() {
            let kernel = kernel(&program.text, lanes);
            program.is_held_to(&kernel, lanes);
            there[kind] += kernel.unordered.len();
        }
    }
    println!("{there:?} kinds of pairs in {cases} programs of AMDGPU and of PTX");
    assert!(there.iter().all(|many| *many as u64 > cases / 2), "{there:?}: a check of little");
}

/// A program of 128 lanes in which `W` writes a dword a lane, `R` reads the other wave's, and `=` is a barrier.
fn said(code: &str) -> Vec<Unordered> {
    let mut text = String::from(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:\ns_load_dword s4, s[0:1], 0x0\n\
         s_load_dword s5, s[0:1], 0x4\nv_lshlrev_b32_e32 v1, 2, v0\nv_xor_b32_e32 v2, 0x100, v1\n",
    );
    for word in code.split_whitespace() {
        let line = match word {
            "W" => "ds_write_b32 v1, v3",
            "R" => "ds_read_b32 v4, v2",
            "=" => "s_barrier",
            "if" => "s_cmp_eq_u32 s4, 0\ns_cbranch_scc1 .Lelse",
            "else" => "s_branch .Lend\n.Lelse:",
            "end" => ".Lend:",
            "fi" => ".Lelse:",
            "do" => ".Lloop:",
            "while" => "s_sub_u32 s5, s5, 1\ns_cmp_lg_u32 s5, 0\ns_cbranch_scc1 .Lloop",
            "until" => "v_readfirstlane_b32 s6, v4\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 .Lloop",
            other => panic!("{other}"),
        };
        text += &format!("{line}\n");
    }
    kernel(&(text + "s_endpgm\n"), 128).unordered
}

/// How many pairs there are in one round, and how many from one to the next.
fn counted(code: &str) -> [usize; 2] {
    let all = said(code);
    let many = |next: bool| {
        let of = all.iter().filter(|one| one.is_next_round == next);
        of.map(|one| one.lines.len()).sum()
    };
    [many(false), many(true)]
}

#[test]
fn ways_that_part() {
    for (code, wanted) in [
        ("W R", [1, 0]),
        ("R W", [1, 0]),
        ("W = R", [0, 0]),
        // Who writes goes on to the read, and who reads has written.
        ("if W fi R", [1, 0]),
        ("W if R fi", [1, 0]),
        ("if W R fi", [1, 0]),
        // No wave does both.
        ("if W else R end", [0, 0]),
        ("if W else = end R", [1, 0]),
        // Which way is taken is not known.
        ("W if = fi R", [0, 0]),
        // Of a loop the last round and the next.
        ("do W = R while", [0, 1]),
        ("do W = R = while", [0, 0]),
        ("do = W = R while", [0, 0]),
        ("do R while = W", [0, 0]),
        ("W do R while", [1, 0]),
        ("do W while R", [1, 0]),
        ("W do = R while", [0, 0]),
        // A wave may wait for what another writes.
        ("W do R until", [0, 0]),
        ("do R until W", [0, 0]),
        ("do W R until", [1, 0]),
        ("do W R while", [1, 0]),
    ] {
        assert_eq!(counted(code), wanted, "{code}");
    }
}

#[test]
fn what_is_said() {
    let said = |code: &str| said(code)[0].to_string();
    assert_eq!(
        said("W R"),
        "may be a race: ds_write_b32 at line 8 by lane 0 of wave 0 and ds_read_b32 at line 9 by lane 0 of wave 1 \
         access byte 0, and no barrier orders them"
    );
    let rounds = said("do W = R while");
    assert!(
        rounds.ends_with("and no barrier orders them from one round of the loop to the next"),
        "{rounds}"
    );
    assert!(said("W W R").ends_with("orders them; 1 more like it"));
    // What is taken of the block is said; and of one wave there is nothing to say.
    let text = ".version 8.0\n.target sm_90\n.shared .align 4 .b8 s[4096];\n.visible .entry f()\n{\n.reg .b32 %r<9>;\n\
                mov.u32 %r1, %tid.x;\nshl.b32 %r1, %r1, 2;\nmov.u32 %r2, s;\nadd.u32 %r4, %r1, %r2;\n\
                st.shared.u32 [%r4], %r1;\nld.shared.u32 %r3, [s+128];\nret;\n}\n";
    let of = |text: &str| {
        let kernel = audit(text, &Options::default()).unwrap().remove(0);
        kernel.unordered.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(of(text), Vec::<String>::new());
    let at_most = text.replace("f()\n", "f()\n.maxntid 64, 1, 1\n");
    let pair = "st.shared.u32 at line 12 by lane 0 of wave 1 and ld.shared.u32 at line 13 by lane 0 of wave 0";
    let wanted = format!(
        "may be a race: {pair} access byte 128 of s, and no barrier orders them, in blocks of 64,1,1"
    );
    assert_eq!(of(&at_most), [wanted]);
}

/// SASS has barriers, too.
#[test]
fn of_sass() {
    let of = |between: &str| {
        let text = format!(
            "\tcode for sm_80\n\t\tFunction : k\n        /*0000*/   S2R R0, SR_TID.X ;\n        /*0010*/   LOP3.LUT R2, R0, 0x20, RZ, 0x3c, !PT ;\n        \
             /*0020*/   STS [R0.X4], R3 ;\n        /*0030*/   {between} ;\n        /*0040*/   LDS R4, [R2.X4] ;\n        /*0050*/   EXIT ;\n"
        );
        kernel(&text, 64).unordered.len()
    };
    assert_eq!([of("NOP"), of("BAR.SYNC.DEFER_BLOCKING 0x0"), of("MEMBAR.ALL.CTA")], [1, 0, 0]);
}
