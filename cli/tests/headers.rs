//! Emitted headers, compiled: every offset, and the way back, against the library's plans. A project
//! of C++ whose build checks its tiles: it builds, and with a conflict it does not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tiledesc::{F16, Plan, recipe};

const TOOL: &str = env!("CARGO_BIN_EXE_tiledesc");

/// A new folder below the one that cargo gives to tests.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{}{said}",
        String::from_utf8_lossy(&output.stdout)
    );
    output
}

const TILES: &str = r#"version = 1
[tile.swizzled]
element = "f16"
shape = { m = 64, k = 64 }
recipe = "gemm-xor"
kpack = 8
chips = ["gfx942", "gfx950"]
write = [{ op = "ds_write_b128", by = "row-major" }]
read = [
    { op = "ds_read_b128", by = "mfma-rows 16" },
    { op = "ds_read_b128", by = "m [wave 2, row 32], k [deep 4, part 2, half 8]; wave (wave), lane (part, row), thread (deep, half)" },
    { op = "ds_read_b64", by = "mfma-rows 16" },
]
[tile.layered]
element = "f16"
shape = { m = 64, k = 32 }
recipe = "gemm-xor"
kpack = 8
[tile.padded]
element = "f16"
shape = { m = 32, k = 48 }
recipe = "row-pad"
padding = 8
[tile.lines]
element = "f16"
shape = { m = 64, k = 32 }
recipe = "gemm-tdm"
padding = 8
[tile.bits]
element = "f16"
shape = { m = 64, k = 64 }
recipe = "gemm-xor-bits"
kpack = 8
mldslayer = 1
masks = [1, 2, 4, 0, 1]
[tile.fmha]
element = "f16"
shape = { n = 64, k = 32 }
recipe = "fmha-k-whole-k"
buffers = 1
[tile.columns]
element = "f16"
shape = { k = 8, m = 32 }
strides = [1, 12]
"#;

fn plans() -> [(&'static str, Plan); 7] {
    let names = ["swizzled", "layered", "padded", "lines", "bits", "fmha", "columns"];
    let plans = [
        recipe::GemmXor::<F16>([64, 64, 8]),
        recipe::GemmXor::<F16>([64, 32, 8]),
        recipe::RowPad::<F16>([32, 48, 8]),
        recipe::GemmTdm::<F16>([64, 32, 8]),
        recipe::GemmXorBits::<F16>([64, 64, 8, 1], &[1, 2, 4, 0, 1]),
        recipe::FmhaKWholeK::<F16>([64, 32, 1]),
        Plan::naive(&[8, 32], &[1, 12]),
    ];
    let mut plans = plans.into_iter();
    names.map(|name| (name, plans.next().unwrap().unwrap()))
}

/// The dimensions of a tile by their names in the file.
fn dimensions(name: &str) -> [&'static str; 2] {
    match name {
        "fmha" => ["n", "k"],
        "columns" => ["k", "m"],
        _ => ["m", "k"],
    }
}

/// A program that prints all offsets and bytes, and refuses a way back that leads elsewhere.
fn program(header: &str) -> String {
    // HIP and CUDA have namespaces: here that of `tiles.toml`.
    let using = if header.ends_with(".hpp") || header.ends_with(".cuh") {
        "using namespace tiles;\n"
    } else {
        ""
    };
    let mut text = format!(
        "#include <stdio.h>\n#include \"{header}\"\n{using}int main(void) {{\n  unsigned i, j;\n"
    );
    for (name, plan) in plans() {
        let ([a, b], lengths) = (dimensions(name), plan.lengths());
        text += &format!(
            "  for (i = 0; i < {}u; i++) for (j = 0; j < {}u; j++) {{\n\
             \x20   unsigned o = {name}_offset(i, j);\n\
             \x20   if ({name}_{a}_at(o) != i || {name}_{b}_at(o) != j) return 1;\n\
             \x20   if (o >= {name}_SPACE) return 2;\n\
             \x20   printf(\"%u %u\\n\", o, {name}_byte(i, j));\n  }}\n",
            lengths.at(0),
            lengths.at(1)
        );
    }
    for (name, waves) in [("write", 1), ("read", 1), ("read2", 2)] {
        let name = format!("swizzled_{name}");
        text += &format!(
            "  for (i = 0; i < {name}_WAVES * {name}_LANES; i++) for (j = 0; j < {name}_COUNT; j++) {{\n\
             \x20   unsigned w = i / {name}_LANES, l = i % {name}_LANES, e = {name}_element(j);\n\
             \x20   unsigned o = {name}_address(w, l, j) + {name}_immediate(j);\n\
             \x20   if (o != swizzled_byte({name}_m(w, l, e), {name}_k(w, l, e))) return 3;\n  }}\n\
             \x20 if ({name}_WAVES != {waves}) return 4;\n"
        );
    }
    let name = "swizzled_write";
    text += &format!(
        "  for (i = 0; i < {name}_LANES; i++) for (j = 0; j < {name}_rows_COUNT; j++) {{\n\
         \x20   unsigned e = {name}_rows_element(j), m = 30 + {name}_m(0, i, e), k = 80 + {name}_k(0, i, e);\n\
         \x20   if ({name}_rows_offset(30, 80, 1000, 0, i, e) != m * 1000 + k) return 5;\n\
         \x20   if ({name}_rows_valid(30, 80, 60, 112, 0, i, e) != (m < 60 && k < 112)) return 6;\n  }}\n\
         \x20 if ({name}_rows_VECTOR != 8 || {name}_rows_COUNT * 8 != {name}_ELEMENTS) return 7;\n"
    );
    text + "  return 0;\n}\n"
}

fn offsets() -> String {
    let mut lines = String::new();
    for (_, plan) in plans() {
        for id in 0..plan.elements() {
            let offset = plan.offset(plan.nth(id).as_slice()).unwrap();
            lines += &format!("{offset} {}\n", 2 * offset);
        }
    }
    lines
}

/// A tile that 256 threads cover and do not divide, and the tile after it in memory.
const HALO: &str = r#"version = 1
[tile.halo]
element = "f16"
shape = { m = 22, k = 40 }
recipe = "row-pad"
padding = 8
chips = ["gfx942"]
write = [{ op = "ds_write_b64", by = "(m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part)" }]
"#;

const STORE: &str = r#"#include <stdio.h>
#include "halo.h"
int main(void) {
  static unsigned short lds[22 * 48 + 1024], i, j, e, written;
  for (i = 0; i < 256; i++) for (j = 0; j < halo_write_COUNT; j++) {
    unsigned first = halo_write_element(j), w = i / 64, l = i % 64;
    if (!halo_write_valid(w, l, first)) continue;
    for (e = 0; e < 4; e++) {
      unsigned at = halo_write_address(w, l, j) + halo_write_immediate(j) + 2 * e;
      if (at != halo_byte(halo_write_m(w, l, first + e), halo_write_k(w, l, first + e))) return 1;
      lds[at / 2] += 1;
      written++;
    }
  }
  for (i = 0; i < 22 * 48 + 1024; i++) if (lds[i] != (i < 22 * 48 && i % 48 < 40)) return 2;
  return written == 880 ? 0 : 3;
}
"#;

/// An accumulator, stored by the lanes that hold it and by those that address it.
const ACCUMULATOR: &str = r#"version = 1
chips = ["sm_90"]
[distribution]
acc = "m [half 2, row 8], n [again 2, quad 4, two 2]; lane (row, quad), thread (again, half, two)"
[tile.C]
element = "f16"
shape = { m = 16, n = 16 }
strides = [16, 1]
write.own = { op = "st.shared.b32", by = "acc" }
write.matrices = { op = "stmatrix.x2", by = "acc" }
"#;

const HOLD: &str = r#"#include "acc.h"
int main(void) {
  unsigned l, e;
  if (C_matrices_LANES != C_own_LANES || C_matrices_ELEMENTS != C_own_ELEMENTS) return 1;
  for (l = 0; l < C_own_LANES; l++) for (e = 0; e < C_own_ELEMENTS; e++) {
    if (C_matrices_m(0, l, e) != C_own_m(0, l, e) || C_matrices_n(0, l, e) != C_own_n(0, l, e)) return 2;
    if (C_matrices_rows_offset(3, 5, 100, 0, l, e) != C_own_rows_offset(3, 5, 100, 0, l, e)) return 3;
  }
  if (C_matrices_m(0, 5, 0) != 1 || C_matrices_n(0, 5, 0) != 2 || C_matrices_ELEMENTS != 8) return 4;
  return C_matrices_COUNT == 2 && C_matrices_element(1) == 4 ? 0 : 5;
}
"#;

/// A header says of one text the same, whichever instruction stores what lanes hold.
#[test]
fn stmatrix_stores_what_lanes_hold() {
    if !is_there("cc") {
        return support::skipped!("cc is not installed");
    }
    let path = folder("accumulator");
    fs::write(path.join("acc.toml"), ACCUMULATOR).unwrap();
    fs::write(path.join("hold.c"), HOLD).unwrap();
    let mut emit = Command::new(TOOL);
    succeeds(emit.args(["emit", "acc.toml", "--lang", "c", "-o", "acc.h"]).current_dir(&path));
    let mut compile = Command::new("cc");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "hold", "hold.c"];
    succeeds(compile.args(flags).current_dir(&path));
    succeeds(&mut Command::new(path.join("hold")));
}

/// What a command prints of a file.
fn printed(path: &Path, command: &[&str]) -> String {
    let output = Command::new(TOOL).args(command).current_dir(path).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The functions of a header whose names begin with a word, without it.
fn functions(header: &str, word: &str) -> Vec<String> {
    let heads = header.lines().filter_map(|line| line.strip_prefix("static inline unsigned "));
    let names = heads.filter_map(|head| head.split_once('('));
    names.filter_map(|(name, _)| name.strip_prefix(word).map(str::to_string)).collect()
}

/// A pattern says what lanes address, a distribution what they hold: the line of the verdict says which. Where no source says who
/// gets what, or what they get is no distribution, a header has addresses alone.
#[test]
fn verdicts_say_what_by_speaks_of() {
    let path = folder("by");
    let tiles = "version = 1\n\
        [tile.A]\nchips = [\"sm_90\"]\nelement = \"f16\"\nshape = { m = 16, k = 16 }\nstrides = [24, 1]\n\
        read.rows = { op = \"ldmatrix.x4\", by = \"ldmatrix-rows 16\" }\n\
        read.twice = { op = \"ldmatrix.x4\", by = \"wmma-rows 16\" }\n\
        read.held = { op = \"ldmatrix.x4\", by = \"m [half 2, row 8], k [deep 2, quad 4, two 2]; lane (row, quad), thread (deep, half, two)\" }\n\
        read.own = { op = \"ld.shared.b128\", by = \"mfma-rows 16\" }\n\
        [tile.B]\nchips = [\"gfx1250\"]\nelement = \"f4\"\nshape = { m = 32, k = 64 }\nstrides = [64, 1]\n\
        read = [{ op = \"ds_load_tr4_b64\", by = \"mfma-rows 16\" }]\n";
    fs::write(path.join("by.toml"), tiles).unwrap();
    let said = printed(&path, &["check", "by.toml"]);
    for line in [
        "A rows sm_90 ldmatrix.x4 ldmatrix-rows 16 (what lanes address)  free",
        "A twice sm_90 ldmatrix.x4 wmma-rows 16 (what lanes address)  free",
        "lane (row, quad), thread (deep, half, two) (what lanes hold)  free",
        "A own sm_90 ld.shared.b128 mfma-rows 16  free",
        "B gfx1250 ds_load_tr4_b64 mfma-rows 16 (what lanes address)  2-way",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    let header = printed(&path, &["emit", "by.toml", "--lang", "c"]);
    let rows = ["row_m", "row_k", "address", "immediate"];
    let all = [&["m", "k"], &rows[..], &["element"]].concat();
    assert_eq!(functions(&header, "A_rows_"), all);
    assert_eq!(functions(&header, "A_held_"), all);
    assert_eq!(functions(&header, "A_own_"), ["m", "k", "address", "immediate", "element"]);
    assert_eq!(functions(&header, "A_twice_"), rows);
    assert_eq!(functions(&header, "B_read_"), rows);
    for why in [
        "// A_twice: addresses alone, no elements: what lanes get from ldmatrix.x4 by these addresses is not a distribution.\n",
        "// B_read: addresses alone, no elements: no source says what each lane gets from ds_load_tr4_b64.\n",
    ] {
        assert!(header.contains(why), "{header}");
    }
}

/// Lanes that hold nothing write nothing: what lies behind the tile stays untouched.
#[test]
fn idle_lanes_are_masked() {
    if !is_there("cc") {
        return support::skipped!("cc is not installed");
    }
    let path = folder("idle_lanes");
    fs::write(path.join("halo.toml"), HALO).unwrap();
    fs::write(path.join("store.c"), STORE).unwrap();
    let mut emit = Command::new(TOOL);
    succeeds(emit.args(["emit", "halo.toml", "--lang", "c", "-o", "halo.h"]).current_dir(&path));
    let mut compile = Command::new("cc");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "store", "store.c"];
    succeeds(compile.args(flags).current_dir(&path));
    succeeds(&mut Command::new(path.join("store")));
}

#[test]
fn headers_compute_what_the_library_computes() {
    let path = folder("headers");
    fs::write(path.join("tiles.toml"), TILES).unwrap();
    for (lang, header, compiler, options) in [
        ("c", "tiles.h", "cc", ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1"].as_slice()),
        (
            "hip",
            "tiles.hpp",
            "c++",
            &["-std=c++14", "-xc++", "-D__host__=", "-D__device__=", "-Wall", "-Werror"],
        ),
        (
            "cuda",
            "tiles.cuh",
            "c++",
            &["-std=c++14", "-xc++", "-D__host__=", "-D__device__=", "-Wall", "-Werror"],
        ),
        (
            "glsl",
            "tiles.glsl",
            "c++",
            &["-std=c++14", "-xc++", "-Duint=unsigned", "-Wall", "-Werror"],
        ),
        (
            "msl",
            "tiles.metal",
            "c++",
            &[
                "-std=c++14",
                "-xc++",
                "-Duint=unsigned",
                "-Dulong=unsigned long",
                "-Dconstant=",
                "-Wall",
                "-Werror",
            ],
        ),
    ] {
        succeeds(
            Command::new(TOOL)
                .args(["emit", "tiles.toml", "--lang", lang, "-o", header])
                .current_dir(&path),
        );
        if !is_there(compiler) {
            support::skipped!("{compiler} is not installed");
            continue;
        }
        fs::write(path.join("main.c"), program(header)).unwrap();
        let mut compile = Command::new(compiler);
        succeeds(compile.args(options).args(["main.c", "-o", lang]).current_dir(&path));
        let ran = succeeds(Command::new(path.join(lang)).current_dir(&path));
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), offsets(), "{lang}");
    }
}

/// A rule of make or CMake is done when the header is newer than its file; a rule with a stamp wants the header's time
/// kept, so that nothing is compiled anew.
#[test]
fn unchanged_headers_keep_their_time_where_a_build_asks_for_it() {
    let path = folder("again");
    fs::write(path.join("tiles.toml"), TILES).unwrap();
    let emit = |option: &[&str]| {
        let arguments =
            ["emit", "tiles.toml", "--lang", "c", "-o", "out/", "--depfile", "out/tiles.d"];
        let said =
            succeeds(Command::new(TOOL).args(arguments).args(option).current_dir(&path)).stderr;
        String::from_utf8(said).unwrap()
    };
    let written = || fs::metadata(path.join("out/swizzled.h")).unwrap().modified().unwrap();
    assert_eq!(emit(&[]).matches(": written").count(), 7);
    let first = written();
    assert_eq!(emit(&["--if-changed"]).matches(": unchanged").count(), 7);
    assert_eq!(written(), first);
    assert_eq!(emit(&[]).matches(": written").count(), 7);
    assert!(written() > first);
    fs::write(path.join("out/swizzled.h"), "other").unwrap();
    assert_eq!(emit(&["--if-changed"]).matches(": unchanged").count(), 6);
    let depfile = fs::read_to_string(path.join("out/tiles.d")).unwrap();
    assert!(
        depfile.starts_with("out/swizzled.h out/layered.h ") && depfile.ends_with(": tiles.toml\n")
    );
    let listed = ["emit", "tiles.toml", "--lang", "c", "-o", "new/", "--list-outputs"];
    let listed = succeeds(Command::new(TOOL).args(listed).current_dir(&path)).stdout;
    assert_eq!(String::from_utf8(listed).unwrap().lines().count(), 7);
    assert!(!path.join("new").exists());
}

/// Keys that come by direct loads, read as fragments; and a header of another kernel, also called `tiles.hpp`, of
/// which a tile has the same name.
const ATTENTION: &str = r#"#define __host__
#define __device__
#include "attention/tiles.hpp"
#include "gemm/tiles.hpp"
using namespace attention;
static_assert(gemm::K_LENGTH_D == 64 && K_LENGTH_D == 128, "two tiles of one name");
static unsigned lds[K_BYTES / 2];
int main() {
  for (unsigned w = 0; w < K_fill_WAVES; w++) for (unsigned l = 0; l < K_fill_LANES; l++)
    for (unsigned i = 0; i < K_fill_LOADS; i++) for (unsigned e = 0; e < K_fill_BYTES / 2; e++) {
      unsigned s = K_fill_s(w, l, i), d = K_fill_d(w, l, i) + e;
      if (K_fill_offset(70000, 0, 70000, w, l, i) + e != (70000ull + s) * 70000 + d) return 1;
      if (K_fill_whole(0, 0, 64, 100, w, l, i) != (K_fill_d(w, l, i) + 7 < 100)) return 2;
      lds[(K_fill_base(w, i) + 16 * l) / 2 + e] = 1 + s * 128 + d;
    }
  for (unsigned l = 0; l < K_fragments_LANES; l++) for (unsigned i = 0; i < K_fragments_COUNT; i++)
    for (unsigned e = 0; e < 8; e++) {
      unsigned at = K_fragments_address(0, l, i) + K_fragments_immediate(i), first = K_fragments_element(i);
      unsigned s = K_fragments_s(0, l, first + e), d = K_fragments_d(0, l, first + e);
      if (lds[at / 2 + e] != 1 + s * 128 + d) return 3;
    }
  return V_fetch_rows_whole(0, 0, 64, 128, 0, 0, 0) ? 0 : 4;
}
"#;

#[test]
fn two_headers_of_one_name_live_in_one_program() {
    let path = project("two_headers");
    let attention = fs::read_to_string(path.join("attention.toml")).unwrap();
    assert!(attention.lines().count() < 40 && attention.contains("fill = "));
    let mut check = Command::new(TOOL);
    succeeds(check.args(["check", "attention.toml", "--strict"]).current_dir(&path));
    let gemm = "version = 1\nname = \"gemm\"\n[tile.K]\nelement = \"f16\"\nshape = { s = 64, d = 64 }\n\
                strides = [64, 1]\n";
    fs::write(path.join("gemm.toml"), gemm).unwrap();
    for name in ["attention", "gemm"] {
        let (file, header) = (format!("{name}.toml"), format!("{name}/tiles.hpp"));
        let mut emit = Command::new(TOOL);
        succeeds(emit.args(["emit", &file, "--lang", "hip", "-o", &header]).current_dir(&path));
    }
    if !is_there("c++") {
        return support::skipped!("c++ is not installed");
    }
    fs::write(path.join("both.cpp"), ATTENTION).unwrap();
    let flags = ["-std=c++14", "-Wall", "-Wextra", "-Werror", "-o", "both", "both.cpp"];
    succeeds(Command::new("c++").args(flags).current_dir(&path));
    succeeds(&mut Command::new(path.join("both")));
}

/// Copies the project that `README.md` shows.
fn project(name: &str) -> PathBuf {
    let (from, to) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/project"), folder(name));
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    to
}

/// The project with a layout that conflicts.
fn spoil(path: &Path) {
    let tiles = fs::read_to_string(path.join("tiles.toml")).unwrap();
    let plain = tiles.replace("recipe = \"gemm-xor\"\nkpack = 8", "strides = [64, 1]");
    assert_ne!(tiles, plain);
    fs::write(path.join("tiles.toml"), plain).unwrap();
}

const CONFLICT: &str = "tiles.toml:7: A gfx942 ds_read_b128 mfma-rows 16  4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0)";

#[test]
fn a_project_with_a_makefile_fails_on_a_conflict() {
    if !is_there("make") || !is_there("c++") {
        return support::skipped!("make or c++ is not installed");
    }
    let path = project("make");
    let make = || {
        let mut make = Command::new("make");
        make.arg(format!("TILEDESC={TOOL}")).current_dir(&path);
        make
    };
    succeeds(&mut make());
    let ran = succeeds(&mut Command::new(path.join("kernel")));
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "201\n");
    spoil(&path);
    let failed = make().output().unwrap();
    assert!(!failed.status.success());
    assert!(String::from_utf8_lossy(&failed.stdout).contains(CONFLICT));
}

#[test]
fn a_project_with_cmake_fails_on_a_conflict() {
    if !is_there("cmake") || !is_there("c++") {
        return support::skipped!("cmake or c++ is not installed");
    }
    for (generator, tool) in [("Unix Makefiles", "make"), ("Ninja", "ninja")] {
        match is_there(tool) {
            true => cmake(generator, &project(&format!("cmake_{tool}"))),
            false => support::skipped!("{tool} is not installed"),
        }
    }
}

fn cmake(generator: &str, path: &Path) {
    let configure = format!("-DTILEDESC={TOOL}");
    let build = || {
        let mut cmake = Command::new("cmake");
        cmake.args(["--build", "build"]).current_dir(path);
        cmake
    };
    let words = ["-G", generator, "-S", ".", "-B", "build", &configure];
    succeeds(Command::new("cmake").args(words).current_dir(path));
    succeeds(&mut build());
    let ran = succeeds(&mut Command::new(path.join("build/kernel")));
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "201\n");
    // Of the same text, but newer: the tiles are checked once, and at the build after that nothing is done.
    let touched = fs::read(path.join("tiles.toml")).unwrap();
    fs::write(path.join("tiles.toml"), touched).unwrap();
    let said = || String::from_utf8(succeeds(&mut build()).stdout).unwrap();
    let compiled = || fs::metadata(path.join("build/kernel")).unwrap().modified().unwrap();
    let (first, once, again) = (compiled(), said(), said());
    let checks = |said: &str| said.contains("free of conflicts");
    assert_eq!([checks(&once), checks(&again)], [true, false], "{generator}: {once}{again}");
    assert_eq!(compiled(), first, "{generator}: no kernel is compiled anew");
    // Ninja says itself that there was nothing to do.
    assert!(generator != "Ninja" || again == "ninja: no work to do.\n", "{again}");
    spoil(path);
    let failed = build().output().unwrap();
    assert!(!failed.status.success());
    assert!(String::from_utf8_lossy(&failed.stdout).contains(CONFLICT));
}

/// A write and a read of one name: each has its own functions. Two reads of a name are refused.
#[test]
fn a_write_and_a_read_may_share_a_name() {
    let file = |read: &str| {
        format!(
            "version = 1\nchips = [\"gfx942\"]\n[tile.A]\nelement = \"f16\"\nshape = {{ m = 64, k = 64 }}\nstrides = [72, 1]\n\
             write.tile = {{ op = \"ds_write_b128\", by = \"row-major\" }}\n{read}"
        )
    };
    let emit = |text: &str| {
        tiledesc_cli::run(["tiledesc", "emit", "-", "--lang", "c"], &mut text.as_bytes())
    };
    let shared = emit(&file("read.tile = { op = \"ds_read_b64\", by = \"row-major\" }\n"));
    assert_eq!(shared.err, "");
    for name in ["A_write_tile_COUNT 8u", "A_read_tile_COUNT 16u", "A_write_tile_rows_valid("] {
        assert!(shared.out.contains(name), "{name}\n{}", shared.out);
    }
    let alone = emit(&file("read = [{ op = \"ds_read_b64\", by = \"row-major\" }]\n")).out;
    assert!(alone.contains("A_tile_COUNT 8u") && alone.contains("A_read_COUNT 16u"), "{alone}");
    let twice = "read = [{ name = \"t\", op = \"ds_read_b64\", by = \"row-major\" }, { name = \"t\", op = \"ds_read_b32\", by = \"row-major\" }]\n";
    let refused = emit(&file(twice)).err;
    assert!(refused.ends_with("two reads of tile A are called `t`\n"), "{refused}");
}
