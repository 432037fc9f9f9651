//! Emitted code computes what the layout computes.
//!
//! | what | judge |
//! |---|---|
//! | C as C99 and C++17, HIP as C++14 | the machine's compilers, all warnings errors, at every coordinate |
//! | GLSL | naga; as C++, with a type defined; C's grammar with a `u` on every number |
//! | MSL | the text of C but for a name, and so its grammar; as C++14, with a type and an address space defined |
//! | whole headers | the same compilers and naga, and the device, at every lane and access: `headers` |
//! | WGSL | naga; WGSL's grammar, which is stricter; a software Vulkan device where one is installed and wgpu is built (`KERNELS=1`) |
//! | formulas | their grammar, computed at every coordinate |
//! | parentheses | without any pair of them the text is no more of the grammar, or means something else |
//! | names | naga's lists and the compiler's macros; what is accepted compiles |

mod cases;
mod compilers;
mod fuzz;
mod grammar;
mod headers;
mod vulkan;

use cases::{Case, compositions, expressions, layouts, texts};
use compilers::{GLSL_SHIM, MSL_SHIM, compare, program, run};
use grammar::{Grammar, without_a_pair};
use naga::front::{glsl, wgsl};
use naga::keywords::wgsl::{BUILTIN_IDENTIFIERS, RESERVED};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::process::Command;
use std::sync::LazyLock;
use tiledesc::prelude::*;
use tiledesc::{Extent, Index};
use tiledesc_host::emit::{self, Emit, Expression, Form};
use tiledesc_host::exchange::cute;
use tiledesc_host::exchange::gmma::Atom;
use tiledesc_host::exchange::triton::Bases;
use tiledesc_host::{Error, ErrorKind};

layout! { type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
layout! { type RowPad = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
layout! { type Fp4 = recipe::RowMajor<F4, M<64>, K<128>>; }
layout! { type Cyclic = Layout<F32, CyclicRows>; }
layout! { type Below = Layout<F16, BelowXor>; }
layout! { type Tower = Layout<F32, OddTower>; }
layout! { type Channels = Layout<F32, TwoShifts>; }

descriptor! {
    type CyclicRows:
        packed [16, 12];
        cyclic_shift[16, 12] (0, 1) -> (0, 1);
    type BelowXor:
        packed [8, 8];
        xor[8, 8] (0, 1) -> (0, 1);
        pass[8] (0) -> (0),   slice[8, 1, 7] (1) -> (1);
    type OddTower:
        packed [6, 7, 5];
        pass[6] (0) -> (0),   merge[7, 5] (1, 2) -> (1);
        merge[6, 35] (0, 1) -> (0);
    type TwoShifts:
        packed [6, 10, 7];
        cyclic_shift[6, 10] (0, 1) -> (0, 1), pass[7] (2) -> (2);
        merge[6, 10] (0, 1) -> (0), pass[7] (2) -> (1);
        cyclic_shift[60, 7] (0, 1) -> (0, 1);
        merge[60, 7] (0, 1) -> (0);
}

/// Everything that is compared: made once, which takes as long as a compiler needs for it.
fn all() -> &'static [Case] {
    static ALL: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let mut cases = layouts();
        cases.extend(texts(100));
        cases.extend(compositions(150));
        cases.extend(expressions(150));
        cases
    });
    &ALL
}

/// Compiles, runs and compares.
fn compiled(compiler: &str, standard: &str, file: &str, text: impl Fn(&Case) -> &str) {
    let cases = all();
    let Some(words) = run(compiler, standard, file, &program(cases, text)) else { return };
    let compared = compare(cases, &words);
    println!("{compiler} {standard}: {} functions, {compared} coordinates", cases.len());
}

#[test]
fn c_computes_the_offsets() {
    compiled("cc", "-std=c99", "offsets.c", |case| &case.c);
}

#[test]
fn c_is_cpp() {
    compiled("c++", "-std=c++17", "offsets.cpp", |case| &case.c);
}

#[test]
fn hip_computes_the_offsets() {
    let cases = all();
    let source = format!(
        "#define __host__\n#define __device__\n{}\nstatic_assert(xor_fused(3, 17) == 201, \"\");\n",
        program(cases, |case| &case.hip)
    );
    let Some(words) = run("c++", "-std=c++14", "hip.cpp", &source) else { return };
    println!("HIP: {} functions, {} coordinates", cases.len(), compare(cases, &words));
}

/// GLSL and MSL are C++ but for a type and an address space.
#[test]
fn shading_languages_are_cpp() {
    let cases = all();
    for (file, standard, shim, text) in [
        ("glsl.cpp", "-std=c++17", GLSL_SHIM, (|case| &case.glsl) as fn(&Case) -> &str),
        ("msl.cpp", "-std=c++14", MSL_SHIM, |case| &case.msl),
    ] {
        let source = format!("{shim}{}", program(cases, text));
        let Some(words) = run("c++", standard, file, &source) else { return };
        println!("{file}: {} functions, {} coordinates", cases.len(), compare(cases, &words));
    }
}

#[test]
fn clang_agrees() {
    // Debian's, or `CLANG`.
    let clang = std::env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    compiled(&clang, "-std=c99", "clang.c", |case| &case.c);
}

#[test]
fn vulkan_computes_the_offsets() {
    let mut cases = layouts();
    cases.extend(expressions(60));
    match vulkan::words(&cases) {
        Ok(words) => println!("{} functions, {} coordinates", cases.len(), compare(&cases, &words)),
        Err(why) => support::skipped!("{why}"),
    }
}

#[test]
fn naga_accepts() {
    for Case { name, wgsl: text, .. } in all() {
        let module = wgsl::parse_str(text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|e| panic!("{name}: {e:?}\n{text}"));
    }
}

/// GLSL's judge is naga's front end, which takes a whole shader.
pub(crate) fn glsl_is_valid(text: &str) {
    let shader = format!("#version 450\nlayout(local_size_x = 64) in;\n{text}void main() {{}}\n");
    let options = glsl::Options::from(naga::ShaderStage::Compute);
    let module = glsl::Frontend::default().parse(&options, &shader);
    let module = module.unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
}

#[test]
fn naga_accepts_glsl() {
    for case in all() {
        glsl_is_valid(&case.glsl);
    }
}

/// MSL is C with another name for `unsigned`.
#[test]
fn msl_is_c() {
    for case in all() {
        assert_eq!(case.msl, case.c.replace("unsigned", "uint"));
    }
}

fn written(case: &Case) -> [(Grammar, &str); 5] {
    [
        (Grammar::C, &case.c),
        (Grammar::Glsl, &case.glsl),
        (Grammar::Wgsl, &case.wgsl),
        (Grammar::Plain, &case.plain),
        (Grammar::Latex, &case.latex),
    ]
}

/// In each language at every coordinate, by a parser of its grammar.
#[test]
fn grammars_compute_the_offsets() {
    let mut compared = 0;
    for case in all() {
        let names: Vec<&str> = case.names.iter().map(String::as_str).collect();
        let coordinates = case.coordinates();
        for (grammar, text) in written(case) {
            let parsed = grammar.parsed(text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
            for (index, offset) in coordinates.iter().zip(&case.offsets) {
                if let Some(offset) = offset {
                    assert_eq!(parsed.value(&names, index), *offset, "{index:?}:\n{text}");
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} values");
}

/// No pair of parentheses can be left out.
#[test]
fn parentheses_are_needed() {
    let mut pairs = 0;
    for case in all() {
        for (grammar, text) in written(case) {
            for (_, expression) in grammar.expressions(text) {
                let tree = grammar.expression(&expression);
                for shorter in without_a_pair(&expression) {
                    assert_ne!(grammar.expression(&shorter), tree, "{grammar:?}: {expression}");
                    pairs += 1;
                }
            }
        }
    }
    println!("{pairs} pairs");
}

/// What the judge must refuse, and naga does not.
#[test]
fn grammars_are_strict() {
    for text in
        ["a & b + c", "a << b + c", "a & b ^ c", "a + (b ^ c) & d", "a << 1u << 2u", "a + 1"]
    {
        assert!(Grammar::Wgsl.expression(text).is_err(), "{text}");
    }
    assert!(Grammar::Wgsl.expression("a * b + c - (a ^ b ^ c)").is_ok());
    for text in ["a ^ b + c", "a & b ^ c", "a << b + c", "a + 4294967295", "a + 3u"] {
        assert!(Grammar::C.expression(text).is_err(), "{text}");
    }
    assert!(Grammar::C.expression("a ^ (b + c) << 3 ^ (a & 7) * 4").is_ok());
    for text in ["a + b xor c", "a + b mod 8", "2 * a div 3", "a * 2", "a mod 3 mod 2"] {
        assert!(Grammar::Plain.expression(text).is_err(), "{text}");
    }
}

/// The expression behind `return`.
fn returned(text: Result<String, Error>) -> String {
    text.unwrap().split_once("return ").unwrap().1.split_once(';').unwrap().0.to_owned()
}

#[test]
fn text_of_code() {
    let xor = |form| returned(Swizzled::default().emit(form, "f", ["m", "k"]));
    assert_eq!(xor(emit::C), "(m << 6) + (k ^ (m & 7) << 3)");
    assert_eq!(xor(emit::HIP), "(m << 6) + (k ^ (m & 7) << 3)");
    assert_eq!(xor(emit::WGSL), "(m << 6u) + (k ^ ((m & 7u) << 3u))");
    assert_eq!(xor(emit::C.staged()), "((k >> 3 ^ (m & 7)) << 3) + (m << 6) + (k & 7)");
    assert_eq!(returned(Rows::default().emit(emit::C, "f", ["m", "k"])), "(m << 6) + k");
    assert_eq!(returned(RowPad::default().emit(emit::C, "f", ["m", "k"])), "m * 72 + k");
    assert_eq!(
        returned(Fp4::default().emit(emit::C.bytes(), "f", ["m", "k"])),
        "(m << 6) + (k >> 1)"
    );
    // Merged and packed: nothing is divided.
    assert_eq!(returned(Tower::default().emit(emit::C, "f", ["i"])), "i");
}

/// The table of the book: operators of the two forms.
#[test]
fn operations_of_the_book() {
    layout! {
        type Layered = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
        type Layers4 = recipe::GemmXorLayer<F16, M<64>, K<16>, KPack<4>, MLdsLayer<4>>;
    }
    let page = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/src/emitted_code.md"
    ))
    .unwrap();
    let operations = |text: Result<String, Error>| {
        let operators = ["+", "^", "&", "<<", ">>", "*", "/", "%"];
        text.unwrap().split_whitespace().filter(|word| operators.contains(word)).count()
    };
    macro_rules! row {
        ($Layout:ident, $name:literal) => {{
            let [staged, fused] = [emit::C.staged(), emit::C]
                .map(|form| operations($Layout::default().emit(form, "f", ["a", "b"])));
            let row = format!("| {} | {staged} | {fused} |\n", $name);
            assert!(page.contains(&row), "{row}");
        }};
    }
    row!(Swizzled, "xor 128x64");
    row!(Layered, "layered 64x32");
    row!(Layers4, "four layers, 64x16, packs of 4");
    row!(RowPad, "row pad: nothing to fuse");
}

/// What a length bounds is known: no quotient and no remainder of what is smaller.
#[test]
fn quotients_of_what_is_smaller() {
    let text = |index| returned(emit::C.function("f", &["i"], &index));
    let i = Expression::coordinate(0, 48);
    assert_eq!(text(i.div(Extent::constant(48))), "0");
    assert_eq!(text(i.mul(Extent::constant(2)).div(Extent::constant(95))), "0");
    assert_eq!(text(i.div(Extent::constant(47))), "i / 47");
    assert_eq!(text(i.rem(Extent::constant(48))), "i");
    assert_eq!(text(i.rem(Extent::constant(47))), "i % 47");
}

/// Divisions that come back are written once.
#[test]
fn locals() {
    assert_eq!(
        Channels::default().emit(emit::C, "f", ["t0"]).unwrap(),
        "static inline unsigned f(unsigned t0) {
    const unsigned t1 = t0 / 70;
    const unsigned t2 = t0 / 7;
    return (t1 * 10 + (t2 % 10 + t1) % 10) * 7 + (t0 % 7 + t2) % 7;
}
"
    );
    assert!(
        Channels::default()
            .emit(emit::WGSL, "t1", ["i"])
            .unwrap()
            .contains("    let t0 = i / 70u;\n")
    );
}

#[test]
fn coordinates_that_do_not_matter() {
    let text = emit::C.function("f", &["a", "b"], &Expression::coordinate(1, 8));
    assert_eq!(
        text.unwrap(),
        "static inline unsigned f(unsigned a, unsigned b) {\n    (void)a;\n    return b;\n}\n"
    );
    let text = emit::C.function("f", &[], &Expression::number(7));
    assert_eq!(text.unwrap(), "static inline unsigned f(void) {\n    return 7;\n}\n");
    let error = emit::C.function("f", &["a"], &Expression::coordinate(1, 8)).unwrap_err();
    assert_eq!(error.to_string(), "the coordinate of dimension 1 has no name: 1 are given");
}

/// A map that is not a type: Triton's bases, an atom, a plan; and what is wrong with one.
#[test]
fn any_mapping() {
    let text = "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)";
    let tile = cute::parse(text).unwrap();
    let names = ["m", "k"];
    let bytes = |map: &dyn Mapping| returned(map.emit(emit::C.bytes(), "f", names));
    assert_eq!(bytes(&tile), "((m << 6) + (k ^ m << 3)) << 1");
    assert_eq!(bytes(&Atom::named("Layout_K_SW128_Atom", 16).unwrap()), bytes(&tile));
    assert_eq!(bytes(&Swizzled::default()), "((m << 6) + (k ^ (m & 7) << 3)) << 1");
    let bases = Bases::from_plan(&tile.plan().unwrap()).unwrap();
    assert_eq!(returned(bases.emit(emit::C, "f", names)), "(m << 6) + (k ^ m << 3)");
    let refused = |form, names: &[&str]| bases.emit(form, "f", names).unwrap_err().to_string();
    assert_eq!(
        refused(emit::C.bytes(), &names),
        "the width of an element is not known: write `.bytes_of(16)` for 16 bits",
    );
    assert_eq!(
        refused(emit::C, &["i"]),
        "a layout of 2 dimensions needs as many names, and 1 are given"
    );
    let large = Plan::packed(&[65536, 65536]).unwrap();
    let wide = large.emit(emit::C.bytes_of(16), "f", names).unwrap_err();
    assert_eq!(wide.kind(), ErrorKind::Layout);
    let source = core::error::Error::source(&wide).unwrap().downcast_ref();
    assert!(matches!(source, Some(tiledesc::Error::BytesTooLarge { bits: 16, .. })), "{wide}");
}

/// A language says what it is called, in a sentence and in a file.
#[test]
fn languages() {
    let all = emit::FORMS;
    let names = ["C", "HIP", "CUDA", "WGSL", "GLSL", "MSL", "LaTeX", "plain text"];
    assert_eq!(all.map(Form::language), names);
    let extensions = ["h", "hpp", "cuh", "wgsl", "glsl", "metal", "tex", "txt"];
    assert_eq!(all.map(Form::extension), extensions);
}

#[test]
fn text_of_formulas() {
    let (latex, plain) = (emit::LATEX, emit::TEXT);
    let names = ["m", "k"];
    assert_eq!(
        Swizzled::default().emit(latex, "a_offset", names).unwrap(),
        r"\mathrm{a\_offset}(m, k) = 64 m + (k \oplus 8 (m \bmod 8))"
    );
    assert_eq!(
        Swizzled::default().emit(plain.bytes(), "a", names).unwrap(),
        "a(m, k) = 2 * (64 * m + (k xor 8 * (m mod 8)))"
    );
    assert_eq!(RowPad::default().emit(latex, "p", names).unwrap(), "p(m, k) = 72 m + k");
    assert_eq!(RowPad::default().emit(plain, "p", names).unwrap(), "p(m, k) = 72 * m + k");
    assert_eq!(
        Fp4::default().emit(latex.bytes(), "b", names).unwrap(),
        r"b(m, k) = 64 m + \lfloor k / 2 \rfloor"
    );
    let below = |form: Form| Below::default().emit(form.staged(), "b", ["y", "x"]).unwrap();
    assert_eq!(below(latex), r"b(y, x) = 8 y + (y \oplus (x + 1))");
    assert_eq!(below(plain), "b(y, x) = 8 * y + (y xor (x + 1))");
    let names = ["row", "column"];
    assert_eq!(
        Cyclic::default().emit(latex, "c", names).unwrap(),
        r"c(\mathrm{row}, \mathrm{column}) = 12 \mathrm{row} + ((\mathrm{column} + \mathrm{row}) \bmod 12)"
    );
    assert_eq!(
        Cyclic::default().emit(plain, "c", names).unwrap(),
        "c(row, column) = 12 * row + ((column + row) mod 12)"
    );
}

#[test]
fn names_refused() {
    #[track_caller]
    fn refused(form: Form, name: &str, m: &str, sentence: &str) {
        let error = Rows::default().emit(form, name, [m, "k"]).unwrap_err();
        assert_eq!(error.to_string(), sentence);
    }
    let no_name = "is not a name: write letters, digits and `_`, no digit first, not `_` alone";
    for name in ["", "2m", "a b", "a;", "ä", "_", "m)"] {
        for form in emit::FORMS {
            refused(form, name, "m", &format!("`{name}` {no_name}"));
            refused(form, "f", name, &format!("`{name}` {no_name}"));
        }
    }
    refused(emit::C, "f", "int", "`int` is a name that C keeps for itself");
    refused(emit::C, "linux", "m", "`linux` is a name that C keeps for itself");
    refused(emit::C, "f", "INT_MAX", "`INT_MAX` is a name that C keeps for itself");
    refused(emit::HIP, "M_PI", "m", "`M_PI` is a name that HIP keeps for itself");
    refused(emit::C, "f", "xor", "`xor` is a name that C keeps for itself");
    refused(emit::C, "memcpy", "m", "`memcpy` is a name that C keeps for itself");
    refused(emit::C, "_f", "m", "`_f` is a name that C keeps for itself");
    refused(emit::C, "f", "a__b", "`a__b` is a name that C keeps for itself");
    refused(emit::HIP, "f", "threadIdx", "`threadIdx` is a name that HIP keeps for itself");
    refused(
        emit::HIP,
        "f",
        "hipThreadIdx_x",
        "`hipThreadIdx_x` is a name that HIP keeps for itself",
    );
    refused(emit::HIP, "__f", "m", "`__f` is a name that HIP keeps for itself");
    refused(emit::HIP, "umin", "m", "`umin` is a name that HIP keeps for itself");
    refused(emit::WGSL, "f", "fn", "`fn` is a name that WGSL keeps for itself");
    refused(emit::WGSL, "f", "__m", "`__m` is a name that WGSL keeps for itself");
    refused(emit::WGSL, "u32", "m", "`u32` is a name that WGSL keeps for itself");
    refused(emit::CUDA, "f", "blockIdx", "`blockIdx` is a name that CUDA keeps for itself");
    refused(emit::GLSL, "f", "uint", "`uint` is a name that GLSL keeps for itself");
    refused(emit::GLSL, "gl_f", "m", "`gl_f` is a name that GLSL keeps for itself");
    refused(emit::MSL, "f", "threadgroup", "`threadgroup` is a name that MSL keeps for itself");
    refused(emit::MSL, "popcount", "m", "`popcount` is a name that MSL keeps for itself");
    assert!(Rows::default().emit(emit::MSL, "f", ["popcount", "k"]).is_ok());
    refused(emit::TEXT, "f", "mod", "`mod` is a name that plain text keeps for itself");
    refused(emit::C, "f", "k", "the name `k` is given twice");
    refused(emit::C, "m", "m", "the name `m` is given twice");
    assert!(Rows::default().emit(emit::WGSL, "f", ["int", "k"]).is_ok());
    assert!(Rows::default().emit(emit::WGSL, "f", ["INT_MAX", "k"]).is_ok());
}

/// naga keeps its lists by the specification.
#[test]
fn words_of_wgsl_refused() {
    let refused = |name: &str, m: &str| {
        let refused = Rows::default().emit(emit::WGSL, name, [m, "kk"]).unwrap_err();
        refused.to_string().ends_with(" is a name that WGSL keeps for itself")
    };
    for word in RESERVED {
        assert!(refused(word, "m") && refused("f", word), "{word}");
    }
    for word in BUILTIN_IDENTIFIERS {
        assert!(refused(word, "m"), "{word}");
    }
}

const HEADERS: &str = "assert complex ctype errno float inttypes limits locale math setjmp signal \
    stdarg stdbool stddef stdint stdio stdlib string time wchar wctype";

fn includes() -> String {
    HEADERS.split_whitespace().map(|header| format!("#include <{header}.h>\n")).collect()
}

/// A coordinate called like a macro would become something else.
#[test]
fn macros_of_c_refused() {
    if !cfg!(target_os = "linux") {
        return support::skipped!("the list of macros is that of gcc and glibc on Linux");
    }
    let path = compilers::folder("macros").join("headers.c");
    let lower = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let constants =
        "#include <float.h>\n#include <limits.h>\n#include <math.h>\n#include <stdint.h>\n";
    // What the headers define, and what gcc does where the standard is not asked for. Of names
    // in capitals each version of a library has some more: those of four headers are all known.
    let sources = [
        (includes(), "-std=c11", false),
        (String::new(), "-std=gnu11", false),
        (constants.to_owned(), "-std=gnu11", true),
    ];
    for (source, standard, capitals) in sources {
        std::fs::write(&path, source).unwrap();
        let output = Command::new("cc").args([standard, "-E", "-dM"]).arg(&path).output();
        let Ok(output) = output else { return support::skipped!("cc is not installed") };
        let listed = String::from_utf8(output.stdout).unwrap();
        let names = listed.lines().filter_map(|line| line.split_whitespace().nth(1));
        // A macro with arguments is none where no `(` follows.
        let missed: Vec<_> = names
            .filter(|name| !name.contains('('))
            .filter(|name| capitals && !name.starts_with('_') || lower(name))
            .filter(|name| Rows::default().emit(emit::C, "f", [*name, "kk"]).is_ok())
            .collect();
        assert!(missed.is_empty(), "{missed:?}");
    }
}

/// Behind all headers, with coordinates called like functions and types.
#[test]
fn accepted_names_compile() {
    for (compiler, standard, file) in
        [("cc", "-std=gnu11", "names.c"), ("c++", "-std=gnu++17", "names.cpp")]
    {
        let mut source = includes();
        // Shadowing is what is tried.
        source.push_str("#pragma GCC diagnostic ignored \"-Wshadow\"\n");
        for (i, name) in
            ["index", "y0", "abs", "time", "size_t", "uint32_t", "read"].into_iter().enumerate()
        {
            source.push_str(&Rows::default().emit(emit::C, &format!("f{i}"), [name, "k"]).unwrap());
        }
        source.push_str("int main(void) { return 0; }\n");
        run(compiler, standard, file, &source);
    }
}

/// Looks up, and computes nothing.
struct Backwards;
impl tiledesc::Function for Backwards {
    const TABLE: &'static [u32] = &[3, 2, 1, 0];
}
/// The same, computed.
struct Computed;
impl tiledesc::Function for Computed {
    const TABLE: &'static [u32] = &[3, 2, 1, 0];
    fn apply<I: Index>(index: &I) -> I {
        index.constant(tiledesc::Extent::constant(3)).sub(index)
    }
}
type Reversed<F> = Transformed<Naive<seq![4], seq![1]>, (Functor<F>,), lower![[0]], upper![[0]]>;
layout! { type LookedUp = Layout<F16, Reversed<Backwards>>; }
layout! { type Subtracted = Layout<F16, Reversed<Computed>>; }

#[test]
fn tables_refused() {
    let error = LookedUp::default().emit(emit::C, "f", ["i"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout looks up a table of 4 entries, which is not emitted; give its `Function` an `apply` that computes, \
         and write `form.function(name, names, &Tile::at(expressions))`"
    );
    // A plan has the table alone; the type computes with any index.
    assert_eq!(Subtracted::default().emit(emit::C, "f", ["i"]), Err(error));
    let offset = Subtracted::at([Expression::coordinate(0, 4)]);
    assert_eq!(returned(emit::C.function("f", &["i"], &offset)), "3 - i");
    // Of an index that is a number, the entry is known.
    assert_eq!(
        emit::C
            .function(
                "f",
                &[],
                &Expression::number(1).lookup(<Backwards as tiledesc::Function>::TABLE)
            )
            .unwrap(),
        emit::C.function("f", &[], &Expression::number(2)).unwrap(),
    );
}
