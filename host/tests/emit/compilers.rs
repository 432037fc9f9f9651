//! The machine's compilers: a program that calls every function at every coordinate.

use super::cases::Case;
use core::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// What no emitted line may cause.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"];

/// What makes C++ of MSL: `uint`, and that a constant's address space is none.
pub(crate) const MSL_SHIM: &str =
    "typedef unsigned uint;\ntypedef unsigned long ulong;\n#define constant\n";
/// What makes C++ of GLSL: `uint`. That a parameter is not read it cannot say.
pub(crate) const GLSL_SHIM: &str =
    "typedef unsigned uint;\n#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n";

/// A folder for what a test writes.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("emit").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A C or C++ program that writes all offsets of all functions as binary words.
pub(crate) fn program(cases: &[Case], text: impl Fn(&Case) -> &str) -> String {
    let mut functions = String::from(
        "#include <stdio.h>\nstatic void put(unsigned x) { fwrite(&x, sizeof x, 1, stdout); }\n",
    );
    let mut main = String::from("int main(void) {\n");
    for case in cases {
        functions.push_str(text(case));
        for (i, (length, step)) in case.lengths.iter().zip(&case.steps).enumerate() {
            writeln!(main, "    for (unsigned i{i} = 0; i{i} < {length}; i{i} += {step})").unwrap();
        }
        let given: Vec<_> = (0..case.lengths.len()).map(|i| format!("i{i}")).collect();
        writeln!(main, "        put({}({}));", case.name, given.join(", ")).unwrap();
    }
    format!("{functions}{main}    return 0;\n}}\n")
}

/// Compiles without a warning, runs, and returns what is printed; `None` without the
/// compiler.
pub(crate) fn run(compiler: &str, standard: &str, file: &str, source: &str) -> Option<Vec<u8>> {
    let (path, binary) =
        (folder("compiled").join(file), folder("compiled").join(format!("{file}.run")));
    std::fs::write(&path, source).unwrap();
    let mut command = Command::new(compiler);
    command.args([standard, "-O1"]).args(WARNINGS).arg("-o").arg(&binary).arg(&path);
    let Ok(compiled) = command.output() else {
        support::skipped!("{compiler} is not installed");
        return None;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = Command::new(&binary).output().unwrap();
    assert!(printed.status.success());
    Some(printed.stdout)
}

/// Compares words with what the library says; returns their number.
pub(crate) fn compare(cases: &[Case], words: &[u8]) -> usize {
    let mut words = words.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap()));
    let mut compared = 0;
    for case in cases {
        for (index, offset) in case.coordinates().iter().zip(&case.offsets) {
            let found = words.next().expect("an offset for each coordinate");
            if let Some(offset) = offset {
                assert_eq!(found, *offset, "{} at {index:?}:\n{}", case.name, case.c);
                compared += 1;
            }
        }
    }
    assert_eq!(words.next(), None);
    compared
}
