//! Emitted code computes what the layout computes: C by the machine's compiler at every
//! coordinate, WGSL by naga's judgement, formulas by their text.

use core::fmt::Write as _;
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::path::PathBuf;
use std::process::Command;
use tiledesc::emit::{self, Form};
use tiledesc::prelude::*;

layout! { type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
layout! { type Layered = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>; }
layout! { type Padded = recipe::GemmV1Pad<F16, M<128>, K<64>>; }
layout! { type Lines = recipe::FmhaV<F16, N<64>, K<32>, Buffers<2>, recipe::FmhaVSize<F16, N<64>, K<32>>>; }
layout! { type Cyclic = Layout<F32, CyclicRows>; }
layout! { type Odd = Layout<F32, OddTile>; }
layout! { type Columns = recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>; }
layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
layout! { type RowPad = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
layout! { type Fp4 = recipe::RowMajor<F4, M<64>, K<128>>; }
layout! { type Below = Layout<F16, BelowXor>; }
layout! { type Window = Layout<F16, Shifted>; }

descriptor! {
    /// Each row turned by its number.
    type CyclicRows:
        packed [16, 12];
        cyclic_shift[16, 12] (0, 1) -> (0, 1);
    /// Nothing here is a power of two.
    type OddTile:
        naive [6, 7, 5] strides [36, 5, 1];
        pass[6] (0) -> (0),   merge[7, 5] (1, 2) -> (1);
    /// A sum under an xor.
    type BelowXor:
        packed [8, 8];
        xor[8, 8] (0, 1) -> (0, 1);
        pass[8] (0) -> (0),   slice[8, 1, 7] (1) -> (1);
    /// The middle of a tile, and two rows of padding before it.
    type Shifted:
        naive [8, 16] strides [24, 1];
        left_pad[8, 2] (0) -> (0),   slice[16, 3, 11] (1) -> (1);
}

/// One layout in one form.
struct Case {
    name: String,
    c: String,
    wgsl: String,
    /// Coordinates and what the plan says of them.
    rows: Vec<(Vec<u32>, u64)>,
}

/// Every form of every layout.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! add {
        ($($Layout:ident $names:expr;)*) => {$(
            for (suffix, form) in [
                ("fused", emit::C),
                ("staged", emit::C.staged()),
                ("fused_bytes", emit::C.bytes()),
                ("staged_bytes", emit::C.bytes().staged()),
            ] {
                let name = format!("{}_{suffix}", stringify!($Layout).to_lowercase());
                let bits = if suffix.ends_with("bytes") { $Layout::BYTE_BITS } else { 8 };
                cases.push(Case {
                    c: $Layout::emit(form, &name, $names).unwrap(),
                    wgsl: $Layout::emit(in_wgsl(form), &name, $names).unwrap(),
                    rows: rows(&$Layout::PLAN, bits),
                    name,
                });
            }
        )*};
    }
    add! {
        Xor ["m", "k"];
        Layered ["m", "k"];
        Padded ["m", "k"];
        Lines ["n", "k"];
        Cyclic ["row", "column"];
        Odd ["i", "j"];
        Columns ["mn", "k"];
        Rows ["m", "k"];
        RowPad ["m", "k"];
        Fp4 ["m", "k"];
        Below ["y", "x"];
        Window ["y", "x"];
    }
    cases
}

/// The width of a layout's element.
trait ByteBits {
    const BYTE_BITS: u32;
}
impl<E: Element, D> ByteBits for Layout<E, D> {
    const BYTE_BITS: u32 = E::BITS;
}

fn in_wgsl(form: Form) -> Form {
    [emit::WGSL, emit::WGSL.bytes(), emit::WGSL.staged(), emit::WGSL.bytes().staged()]
        .into_iter()
        .zip([emit::C, emit::C.bytes(), emit::C.staged(), emit::C.bytes().staged()])
        .find_map(|(wgsl, c)| (c == form).then_some(wgsl))
        .unwrap()
}

/// Every coordinate that has an offset, with `offset * bits / 8`.
fn rows(plan: &Plan, bits: u32) -> Vec<(Vec<u32>, u64)> {
    (0..plan.elements())
        .map(|id| plan.nth(id).as_slice().to_vec())
        .filter_map(|index| {
            let offset = plan.offset(&index).ok()?;
            Some((index, u64::from(offset) * u64::from(bits) / 8))
        })
        .collect()
}

/// A program of all functions that prints the number of what it compared.
fn program(cases: &[Case]) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    let mut main = String::from("int main(void) {\n    unsigned long compared = 0;\n");
    for Case { name, c, rows, .. } in cases {
        let rank = rows[0].0.len();
        text.push_str(c);
        let _ = write!(text, "static const unsigned {name}_rows[][{}] = {{", rank + 1);
        for (index, offset) in rows {
            let index: Vec<_> = index.iter().map(u32::to_string).collect();
            let _ = write!(text, "{{{},{offset}}},", index.join(","));
        }
        text.push_str("};\n");
        let given: Vec<_> = (0..rank).map(|i| format!("row[{i}]")).collect();
        let _ = writeln!(
            main,
            "    for (unsigned i = 0; i < {}; i++, compared++) {{
        const unsigned *row = {name}_rows[i];
        if ({name}({}) != row[{rank}]) {{ printf(\"{name} differs in row %u\\n\", i); return 1; }}
    }}",
            rows.len(),
            given.join(", ")
        );
    }
    format!("{text}{main}    printf(\"%lu\\n\", compared);\n    return 0;\n}}\n")
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("emit");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Compiles without a warning, runs, and returns what is printed.
fn run(compiler: &str, flags: &[&str], file: &str, source: &str) -> Option<String> {
    let (path, binary) = (folder().join(file), folder().join(format!("{file}.run")));
    std::fs::write(&path, source).unwrap();
    let compiled = Command::new(compiler)
        .args(flags)
        .args(["-O1", "-Wall", "-Werror", "-o"])
        .arg(&binary)
        .arg(&path)
        .output();
    let Ok(compiled) = compiled else {
        println!("skipped: no compiler {compiler}");
        return None;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = Command::new(&binary).output().unwrap();
    Some(String::from_utf8(printed.stdout).unwrap())
}

#[test]
fn c_computes_the_offsets() {
    let cases = cases();
    let coordinates: usize = cases.iter().map(|case| case.rows.len()).sum();
    let Some(printed) = run("cc", &["-std=c99"], "offsets.c", &program(&cases)) else {
        return println!("skipped: no C compiler");
    };
    assert_eq!(printed.trim(), coordinates.to_string());
    println!("{} functions, {coordinates} coordinates", cases.len());
}

#[test]
fn hip_is_constexpr() {
    let source = format!(
        "#define __host__\n#define __device__\n{}static_assert(a_offset(3, 17) == {}, \"\");\n\
         int main() {{ return 0; }}\n",
        Xor::emit(emit::HIP, "a_offset", ["m", "k"]).unwrap(),
        Xor::offset([3, 17]),
    );
    run("c++", &["-std=c++14"], "offsets.cpp", &source);
}

#[test]
fn naga_accepts() {
    for Case { name, wgsl: text, .. } in cases() {
        let module = wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|e| panic!("{name}: {e:?}\n{text}"));
    }
}

/// The expression behind `return`.
fn returned(text: &str) -> &str {
    text.split_once("return ").unwrap().1.split_once(';').unwrap().0
}

#[test]
fn text_of_code() {
    let c = |text: Result<String, emit::Error>| returned(&text.unwrap()).to_owned();
    let xor = |form| c(Xor::emit(form, "f", ["m", "k"]));
    assert_eq!(xor(emit::C), "(m << 6) + (k ^ (m & 7) << 3)");
    assert_eq!(xor(emit::HIP), "(m << 6) + (k ^ (m & 7) << 3)");
    assert_eq!(xor(emit::WGSL), "(m << 6u) + (k ^ ((m & 7u) << 3u))");
    assert_eq!(xor(emit::C.staged()), "((k >> 3 ^ (m & 7)) << 3) + (m << 6) + (k & 7)");
    assert_eq!(c(Rows::emit(emit::C, "f", ["m", "k"])), "(m << 6) + k");
    assert_eq!(c(RowPad::emit(emit::C, "f", ["m", "k"])), "m * 72 + k");
    assert_eq!(c(Fp4::emit(emit::C.bytes(), "f", ["m", "k"])), "((m << 7) + k) >> 1");
}

#[test]
fn text_of_formulas() {
    let (latex, plain) = (emit::LATEX, emit::PLAIN);
    let names = ["m", "k"];
    assert_eq!(
        Xor::emit(latex, "a_offset", names).unwrap(),
        r"\mathrm{a\_offset}(m, k) = 64 m + (k \oplus 8 (m \bmod 8))"
    );
    assert_eq!(
        Xor::emit(plain.bytes(), "a", names).unwrap(),
        "a(m, k) = 2 * (64 * m + (k xor 8 * (m mod 8)))"
    );
    assert_eq!(RowPad::emit(latex, "p", names).unwrap(), "p(m, k) = 72 m + k");
    assert_eq!(RowPad::emit(plain, "p", names).unwrap(), "p(m, k) = 72 * m + k");
    let below = |form: Form| Below::emit(form.staged(), "b", ["y", "x"]).unwrap();
    assert_eq!(below(latex), r"b(y, x) = 8 y + (y \oplus (x + 1))");
    assert_eq!(below(plain), "b(y, x) = 8 * y + (y xor (x + 1))");
    let names = ["row", "column"];
    assert_eq!(
        Cyclic::emit(latex, "c", names).unwrap(),
        r"c(\mathrm{row}, \mathrm{column}) = 12 \mathrm{row} + (\mathrm{column} + \mathrm{row}) \bmod 12"
    );
    assert_eq!(
        Cyclic::emit(plain, "c", names).unwrap(),
        "c(row, column) = 12 * row + (column + row) mod 12"
    );
}

#[test]
fn names_refused() {
    #[track_caller]
    fn refused(form: Form, name: &str, m: &str, sentence: &str) {
        let error = Rows::emit(form, name, [m, "k"]).unwrap_err();
        assert_eq!(error.to_string(), sentence);
    }
    let no_name = "is not a name: write letters, digits and `_`, no digit first, not `_` alone";
    for name in ["", "2m", "a b", "a;", "ä", "_", "m)"] {
        for form in [emit::C, emit::HIP, emit::WGSL, emit::LATEX, emit::PLAIN] {
            refused(form, name, "m", &format!("`{name}` {no_name}"));
            refused(form, "f", name, &format!("`{name}` {no_name}"));
        }
    }
    refused(emit::C, "f", "int", "`int` is a name that C keeps for itself");
    refused(emit::C, "linux", "m", "`linux` is a name that C keeps for itself");
    refused(emit::HIP, "f", "threadIdx", "`threadIdx` is a name that HIP keeps for itself");
    refused(emit::HIP, "__f", "m", "`__f` is a name that HIP keeps for itself");
    refused(emit::WGSL, "f", "fn", "`fn` is a name that WGSL keeps for itself");
    refused(emit::WGSL, "u32", "m", "`u32` is a name that WGSL keeps for itself");
    refused(emit::PLAIN, "f", "mod", "`mod` is a name that plain text keeps for itself");
    refused(emit::C, "f", "k", "the name `k` is given twice");
    refused(emit::C, "m", "m", "the name `m` is given twice");
    assert!(Rows::emit(emit::WGSL, "f", ["int", "k"]).is_ok());
}

/// Looks up, and computes nothing.
struct Backwards;
impl tiledesc::Function for Backwards {
    const TABLE: &'static [u32] = &[3, 2, 1, 0];
}
layout! { type Reversed = Layout<F16, Transformed<Naive<seq![4], seq![1]>, (Functor<Backwards>,), lower![[0]], upper![[0]]>>; }

#[test]
fn tables_refused() {
    let error = Reversed::emit(emit::C, "f", ["i"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout looks up a table of 4 entries, which is not emitted; give its `Function` an \
         `apply` that computes"
    );
}
