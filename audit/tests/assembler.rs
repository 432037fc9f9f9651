//! Assembly by hand is judged as what an assembler makes of it: macros, symbols, repetitions, conditions.
//!
//! Random texts are written twice: with all of these, and as the plain instructions that they mean, which this file writes along
//! with them. Where `llvm-mc` is installed, it says the same of the plain text. A plain run has 200 texts.

use core::fmt::Write;
use std::collections::BTreeMap;
use std::process::Command;
use support::fuzz::Dice;
use tiledesc_audit::{Error, Kernel, Options, audit};

const HEAD: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\n.type f,@function\nf:\n";

fn kernel(code: &str, symbols: &[(&str, i64)]) -> Result<Kernel, Error> {
    let symbols = symbols.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let options = Options { block: Some([64, 1, 1]), symbols, ..Options::default() };
    let text = format!("{HEAD}{code}\ns_endpgm\n");
    audit(&text, &options).map(|mut kernels| kernels.remove(0))
}

/// The instructions on LDS with their addresses, without lines.
fn accesses(kernel: &Kernel) -> Vec<String> {
    let all = kernel.sites.iter();
    all.map(|site| format!("{} {:?} {:?}", site.opcode, site.access, site.reached[0].address))
        .collect()
}

/// A text as it is written, and the plain instructions that it means.
#[derive(Default)]
struct Twice {
    written: String,
    plain: String,
    symbols: BTreeMap<String, i64>,
    /// Macros, repetitions and conditions that are open.
    depth: usize,
    macros: usize,
}

impl Twice {
    /// A number below 8, and an expression that means it.
    fn number(&self, dice: &mut Dice) -> (i64, String) {
        let number = dice.below(8) as i64;
        let symbol = self.symbols.iter().nth(dice.below(1 + self.symbols.len() as u32) as usize);
        let text = match (symbol, dice.below(4)) {
            (Some((name, value)), 0) => format!("{name}+{}", number - value),
            (Some((name, value)), 1) => format!("({}-{name})", number + value),
            (Some((name, value)), 2) => format!("{number} + ({name} - {value})*3"),
            (_, 0) => format!("{number:#x}"),
            (_, 1) => format!("({number}*4)>>2"),
            (_, 2) => format!("{number} | {number} & 7"),
            _ => number.to_string(),
        };
        (number, text)
    }

    /// An instruction: `v1` to `v8` hold addresses.
    fn instruction(&mut self, dice: &mut Dice) {
        let [(to, to_text), (from, from_text), (n, n_text)] = [(); 3].map(|()| self.number(dice));
        let (to, from) = (to + 1, from + 1);
        let (written, plain) = match dice.below(4) {
            0 => (
                format!("v_lshlrev_b32 v[{to_text}+1], {n_text}, v0"),
                format!("v_lshlrev_b32 v{to}, {n}, v0"),
            ),
            1 => (
                format!("V_ADD_U32 v[1+{to_text}], v[{from_text}+1], v[{from_text}+1]"),
                format!("v_add_u32 v{to}, v{from}, v{from}"),
            ),
            2 => (
                format!(
                    "ds_read_b64 v[{to_text}+10:{to_text}+11], v[{from_text}+1] offset:({n_text})*8"
                ),
                format!("ds_read_b64 v[{}:{}], v{from} offset:{}", to + 9, to + 10, n * 8),
            ),
            _ => (
                format!(
                    "ds_write2_b32 v[{from_text}+1], v[1+{to_text}], v0 offset0:{n_text} offset1:{to_text}"
                ),
                format!("ds_write2_b32 v{from}, v{to}, v0 offset0:{n} offset1:{}", to - 1),
            ),
        };
        let comment = dice.of(&["", " // a + b", " ; c", " /* d */"]);
        writeln!(self.written, "  {written}{comment}").unwrap();
        writeln!(self.plain, "{plain}").unwrap();
    }

    fn set(&mut self, dice: &mut Dice) {
        let (number, text) = self.number(dice);
        let name = dice.of(&["a", "b", "v_c", ".d"]);
        match dice.below(3) {
            0 => writeln!(self.written, ".set {name}, {text}").unwrap(),
            1 => writeln!(self.written, "{name} = {text}").unwrap(),
            _ => writeln!(self.written, "{name}={text}").unwrap(),
        }
        self.symbols.insert(name.to_string(), number);
    }

    /// Lines under a condition, and others under its contrary.
    fn condition(&mut self, dice: &mut Dice) {
        let (number, text) = self.number(dice);
        let holds = number > 3;
        match dice.below(3) {
            0 => writeln!(self.written, ".if {text} > 3").unwrap(),
            1 => writeln!(self.written, ".if !({text} <= 3) && 1").unwrap(),
            _ => writeln!(self.written, ".ifgt ({text})-3").unwrap(),
        }
        for branch in [true, false] {
            let (plain, symbols) = (self.plain.clone(), self.symbols.clone());
            self.lines(dice, 2);
            if branch != holds {
                // Under what does not hold, nothing is meant.
                (self.plain, self.symbols) = (plain, symbols);
            }
            self.written.push_str(if branch { ".else\n" } else { ".endif\n" });
        }
    }

    /// Lines again, of which a symbol counts the rounds.
    fn repetition(&mut self, dice: &mut Dice) {
        let name = format!(".n{}", self.depth);
        self.symbols.remove(&name);
        let (count, text) = self.number(dice);
        let count = count % 3;
        writeln!(self.written, "{name} = 0\n.rept ({text}) % 3\n  ds_read_b32 v[{name}+20], v[{name} + 1] offset:{name}*4\n{name} = {name} + 1\n.endr").unwrap();
        for n in 0..count {
            writeln!(self.plain, "ds_read_b32 v{}, v{} offset:{}", n + 20, n + 1, n * 4).unwrap();
        }
        self.symbols.insert(name, count);
    }

    /// A macro of a register, a number of bytes, and a second register with a default; and calls of it.
    fn macros(&mut self, dice: &mut Dice) {
        self.macros += 1;
        let name = format!(".m{}", self.macros);
        writeln!(self.written, ".macro {name} to, bytes:req other=3\n.if \\bytes > 8\n ds_read_b64 v[\\to+10:\\to+11], v[\\other] offset:\\bytes\n.else\n v_lshlrev_b32 v[\\to], \\bytes, v[\\other]\n.endif\nlabel_\\@\\():\n.endm").unwrap();
        for _ in 0..1 + dice.below(2) {
            let [(to, to_text), (bytes, bytes_text), (other, other_text)] =
                [(); 3].map(|()| self.number(dice));
            let (to, bytes) = (to + 1, bytes * 4);
            let (to_text, bytes_text) = (format!("({to_text}+1)"), format!("({bytes_text})*4"));
            let (call, other) = match dice.below(4) {
                0 => (format!("{name} {to_text}, {bytes_text}"), 3),
                1 => (format!("{name} {to_text} {bytes_text}, {other_text}"), other),
                2 => (format!("{name} bytes={bytes_text}, to={to_text}"), 3),
                _ => (format!("{name} {to_text}, {bytes_text}, other={other_text}"), other),
            };
            writeln!(self.written, "{call}").unwrap();
            match bytes > 8 {
                true => writeln!(
                    self.plain,
                    "ds_read_b64 v[{}:{}], v{other} offset:{bytes}",
                    to + 10,
                    to + 11
                )
                .unwrap(),
                false => writeln!(self.plain, "v_lshlrev_b32 v{to}, {bytes}, v{other}").unwrap(),
            }
        }
    }

    fn lines(&mut self, dice: &mut Dice, most: u32) {
        self.depth += 1;
        for _ in 0..1 + dice.below(most) {
            match dice.below(if self.depth < 4 { 9 } else { 5 }) {
                0..4 => self.instruction(dice),
                4 => self.set(dice),
                5 => self.condition(dice),
                6 => self.repetition(dice),
                _ => self.macros(dice),
            }
        }
        self.depth -= 1;
    }
}

#[test]
fn a_text_is_judged_as_what_it_means() {
    let mut compared = 0;
    let mut asked = 0;
    for (at, seed) in support::fuzz::numbers(200).enumerate() {
        let mut dice = Dice(seed);
        let mut twice = Twice::default();
        for v in 1..9 {
            let begin = format!("v_mul_u32_u24 v{v}, {}, v0\n", 4 * v);
            twice.written += &begin;
            twice.plain += &begin;
        }
        twice.lines(&mut dice, 12);
        let what = format!("{seed}:\n{}\n{}", twice.written, twice.plain);
        let found =
            accesses(&kernel(&twice.written, &[]).unwrap_or_else(|error| panic!("{error} {what}")));
        assert_eq!(found, accesses(&kernel(&twice.plain, &[]).unwrap()), "{what}");
        compared += found.len();
        if at < 12 {
            asked += usize::from(is_what_llvm_means(&twice).unwrap_or(true));
        }
    }
    assert!(compared > 500, "{compared} accesses are a check of little");
    assert_eq!(asked, 12);
}

/// Whether `llvm-mc` makes the plain text of the written one; `None` if it is not installed.
fn is_what_llvm_means(twice: &Twice) -> Option<bool> {
    let folder = std::env::temp_dir().join(format!("tiledesc-assembler-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let printed = |text: &str| {
        let file = folder.join("f.s");
        std::fs::write(&file, text).unwrap();
        let words = ["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx908"];
        let made = Command::new("llvm-mc").args(words).arg(&file).output().ok()?;
        assert!(made.status.success(), "{}\n{text}", String::from_utf8_lossy(&made.stderr));
        let made = String::from_utf8(made.stdout).unwrap();
        let is_code =
            |line: &&str| ["v_", "ds_"].iter().any(|family| line.trim().starts_with(family));
        Some(made.lines().filter(is_code).map(str::to_string).collect::<Vec<_>>())
    };
    let both = printed(&twice.written).zip(printed(&twice.plain));
    if both.is_none() {
        support::skipped!("llvm-mc is not installed, so no assembler says what macros mean");
    }
    let is_same = both.map(|(written, plain)| written == plain);
    std::fs::remove_dir_all(&folder).unwrap();
    is_same
}

/// A kernel as people write one.
#[test]
fn symbols_macros_and_files_of_others() {
    let code = "/* the tile
 * of 16 rows */
.set v_sld, 3 // the address
#ds_read_b32 v1, v0
.macro .load n, i=0
  ds_read_b64 v[4+\\i:4+\\i+1], v[v_sld] offset:\\i*64
  .if \\n > 1
    .load \\n-1, \\i+2
  .endif
.endm
.ifndef ROWS
  ROWS = 16
.endif
start: v_lshlrev_b32 v[v_sld], 3, v0
.irp to, 20, 24
  .irpc from, 33
    ds_read_b32 v\\to, v\\from offset:ROWS
  .endr
.endr
.load 2
v_and_b32 v1, 7 v0
ds_write_b32 v1, v0";
    let kernel_of = |symbols: &[(&str, i64)]| kernel(code, symbols).unwrap();
    let lines: Vec<_> =
        kernel_of(&[]).sites.iter().map(|site| (site.line, site.opcode.clone())).collect();
    // A macro's lines are where they stand; HEAD has 3.
    let at = |line: usize, name: &str| (line + 3, name.to_string());
    let expected = [
        at(17, "ds_read_b32"),
        at(17, "ds_read_b32"),
        at(17, "ds_read_b32"),
        at(17, "ds_read_b32"),
        at(6, "ds_read_b64"),
        at(6, "ds_read_b64"),
        at(22, "ds_write_b32"),
    ];
    assert_eq!(lines, expected);
    let offsets = |kernel: &Kernel| {
        kernel.sites.iter().map(|site| site.access.as_ref().unwrap().offset).collect::<Vec<_>>()
    };
    assert_eq!(offsets(&kernel_of(&[])), [16, 16, 16, 16, 0, 128, 0]);
    assert_eq!(offsets(&kernel_of(&[("ROWS", 32)])), [32, 32, 32, 32, 0, 128, 0]);
}

#[test]
fn what_is_not_said_is_refused() {
    let said = |code: &str| kernel(code, &[]).unwrap_err().to_string();
    assert_eq!(
        said(".if HQ == 16\n.endif"),
        "line 4: `.if HQ == 16` depends on `HQ`, which the text does not define: state it, as in --defsym HQ=1"
    );
    assert!(kernel(".if HQ == 16\n.endif", &[("HQ", 1)]).is_ok());
    assert_eq!(said(".rept 1 +\n.endr"), "line 4: `.rept 1 +` is not an expression with a value");
    assert_eq!(
        said(".macro m a:req\n.endm\nm"),
        "line 6: the macro's parameter `a` has no argument"
    );
    assert_eq!(said(".macro m\nm\nm\n.endm\nm"), "line 5: macros make more than 1048576 lines");
    assert_eq!(said(".rept 4"), "line 4: `.rept` has no `.endr`");
    assert_eq!(said(".rept 1 - 2\n.endr"), "line 4: `.rept 1 - 2` is negative");
    assert_eq!(said(".if 1\nds_read_b32 v1, v0"), "line 4: `.if` has no `.endif`");
    assert_eq!(said("s_nop 0\n/* ds_read_b32 v1, v0"), "line 5: `/*` has no `*/`");
    assert_eq!(said(".macro m\n.exitm\n.endm\nm"), "line 5: `.exitm` is not read");
    assert_eq!(
        said(".ifdef .amdgcn.gfx_generation_number\n.endif"),
        "line 4: `.ifdef .amdgcn.gfx_generation_number` depends on `.amdgcn.gfx_generation_number`, which the text does not define: state it, as in --defsym .amdgcn.gfx_generation_number=1"
    );
    assert_eq!(said(".endif"), "line 4: `.endif` without `.if`");
    assert_eq!(said(".error \"no\""), "line 4: the text itself refuses to be assembled: \"no\"");
    let code = "is code that is not read: assemble the text, and give the code object";
    assert_eq!(said(".long 0xd8ec0000"), format!("f: `.long` in line 4 {code}"));
    assert_eq!(said(".GPR_ALLOC v_a"), format!("f: `.GPR_ALLOC` in line 4 {code}"));
    // After the end, words are data.
    assert!(kernel("s_endpgm\n.long 1", &[]).is_ok());
}

/// What `llvm-mc-14 -mcpu=gfx908` makes of each.
#[test]
fn what_an_assembler_reads_otherwise_than_one_may_think() {
    let same = |written: &str, plain: &str| {
        let [found, plain] = [written, plain].map(|code| {
            accesses(
                &kernel(&format!("v_lshlrev_b32 v2, 2, v0\n{code}\nds_read_b32 v3, v1"), &[])
                    .unwrap(),
            )
        });
        assert_eq!(found, plain, "{written}");
    };
    // Differences between blanks, and numbers behind a 0.
    for sum in ["8 - 4", "8 -4", "8-4", "4 | 0", "8 >> 1", "8>>1", "004", "!0 * 4", "(0 || 1) << 2"]
    {
        same(&format!("v_add_u32 v1, {sum}, v0"), "v_add_u32 v1, 4, v0");
        same(
            &format!("v_mov_b32 v1, v0\nds_read_b32 v3, v2 offset:{sum}"),
            "v_mov_b32 v1, v0\nds_read_b32 v3, v2 offset:4",
        );
    }
    same("v_mov_b32 v1, 010", "v_mov_b32 v1, 8");
    // Labels with and without blanks.
    let read = "v_mov_b32 v1, v0\nds_read_b32 v3, v2";
    for label in ["l:", "l: ", "l :", "1:"] {
        same(&read.replace("ds_", &format!("{label}ds_")), read);
    }
    let plain = "v_mov_b32 v1, v2";
    for written in [
        ".IF 0\nv_mov_b32 v1, 1\n.ELSE\nv_mov_b32 v1, v2\n.ENDIF",
        "l:\n.ifdef l\nv_mov_b32 v1, v2\n.endif\n.ifndef l\nv_mov_b32 v1, 0\n.endif",
        ".ifc a, \"a\"\nv_mov_b32 v1, 0\n.else\nv_mov_b32 v1, v2\n.endif",
        ".macro .iffy\n.endm\n.if 0\n.iffy\n.endif\nv_mov_b32 v1, v2",
        ".macro m\n.endm\nm = 2\nv_mov_b32 v1, v[m]",
        ".macro m a\nv_mov_b32 v1, v[1-(\\a)]\n.endm\na=2\nm a==2",
        ".macro m a b=7\nv_mov_b32 v1, v[\\a]\n.endm\nm 2 %b",
        ".ident \"/*\"\nv_mov_b32 v1, v2",
    ] {
        same(written, plain);
    }
}

#[test]
fn older_code_objects_name_their_chip() {
    let text = ".hsa_code_object_version 2,1\n.hsa_code_object_isa 9,0,10,\"AMD\",\"AMDGPU\"\n.amdgpu_hsa_kernel g\ng:\n\
        .amd_kernel_code_t\nis_ptr64 = 1\n.end_amd_kernel_code_t\nv_lshlrev_b32 v1, 7, v0\nds_read_b32 v2, v1\ns_endpgm\n";
    let [kernel] = &audit(text, &Options::default()).unwrap()[..] else { panic!() };
    assert_eq!((kernel.name.as_str(), kernel.chip.name(), kernel.sites.len()), ("g", "gfx90a", 1));
}

/// LLVM prints a register from v256 on by its low eight bits, then its whole name. Random registers are written both ways; a name
/// that does not fit is refused, and without the compiler's words the mode leaves all registers unknown.
#[test]
fn registers_above_the_first_256() {
    let judged = |code: &str| {
        let head = HEAD.replace("gfx908", "gfx1250");
        let options = Options { block: Some([32, 1, 1]), ..Options::default() };
        audit(&format!("{head}{code}s_endpgm\n"), &options).map(|mut kernels| kernels.remove(0))
    };
    let mode = "s_set_vgpr_msb 0x41   ;  msbs: dst=1 src0=1 src1=0 src2=0\n";
    for seed in support::fuzz::numbers(100) {
        let mut dice = Dice(seed);
        let [address, to] = [(); 2].map(|()| 256 + dice.below(764));
        let code = |name: &dyn Fn(u32, u32) -> String| {
            let [one, four] = [name(address, 1), name(to, 4)];
            // The register of the low eight bits is another one.
            let low = address % 256;
            format!(
                "v_lshlrev_b32 {one}, 4, v0\nv_mov_b32 v{low}, 0\nds_load_b128 {four}, {one} offset:32\n"
            )
        };
        let word = |first: u32, count: u32| match count {
            1 => format!("v{first}"),
            _ => format!("v[{first}:{}]", first + count - 1),
        };
        // Of four registers the first counts: the last may be in the next 256.
        let low =
            |first: u32, count| format!("{} /*{}*/", word(first % 256, count), word(first, count));
        let (printed, plain) = (judged(&(mode.to_string() + &code(&low))), judged(&code(&word)));
        let plain = accesses(&plain.unwrap());
        assert!(plain[0].contains("f: "), "{plain:?}");
        assert_eq!(accesses(&printed.unwrap()), plain, "seed {seed}");
    }
    let other = judged(&format!("{mode}v_mov_b32 v38 /*v295*/, 0\n")).unwrap_err();
    assert!(
        other.to_string().contains("`v38 /*v295*/`: v295 is not v38 plus a multiple of 256"),
        "{other}"
    );
    let by_hand =
        judged("v_lshlrev_b32 v1, 4, v0\ns_set_vgpr_msb 1\nds_load_b128 v[4:7], v1\n").unwrap();
    assert!(accesses(&by_hand)[0].contains("Unknown"), "{by_hand:?}");
}
