//! `functions.rs`, compiled as a separate crate: its assembly and its LLVM IR.
//!
//! It is compiled by the `cargo` that runs the test, optimised, without the caller's
//! `RUSTFLAGS`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};
use support::root;

/// What rustc made of the functions.
pub(crate) struct Compiled {
    /// Assembly of the host, in Intel's syntax.
    pub(crate) assembly: String,
    /// LLVM IR of the host, without vectors.
    pub(crate) ir: String,
}

/// The folder of what these tests make.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codegen")
}

/// What `rustc -vV` says.
pub(crate) fn rustc_version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| rustc(&["-vV"]))
}

/// The host's triple.
pub(crate) fn host() -> &'static str {
    let host = rustc_version().lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap_or("unknown")
}

/// What rustc prints.
pub(crate) fn rustc(arguments: &[&str]) -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(arguments).output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All functions, compiled once.
pub(crate) fn compiled() -> &'static Compiled {
    static COMPILED: OnceLock<Compiled> = OnceLock::new();
    COMPILED.get_or_init(compile)
}

/// The manifest is made here and not kept, so that cargo writes nothing into
/// the sources. It takes the workspace's lock file: then the packages are those
/// of this very test, they have been fetched already, and no network is needed.
fn compile() -> Compiled {
    let folder = folder();
    fs::create_dir_all(&folder).unwrap();
    let manifest = format!(
        "[package]\nname = \"functions\"\nedition = \"2024\"\n\
         [lib]\npath = {:?}\n\
         [dependencies]\ntiledesc = {{ path = {:?} }}\n\
         [profile.release]\ncodegen-units = 1\n\
         [workspace]\n",
        root().join("tests/codegen/functions.rs"),
        root(),
    );
    write_if_new(&folder.join("Cargo.toml"), &manifest);
    // The first run adds this package to the copy; cargo would ask for the
    // packages again if it were copied each time.
    if let Ok(lock) = fs::read_to_string(root().join("Cargo.lock")) {
        write_if_new(&folder.join("workspace.lock"), &lock)
            .then(|| fs::write(folder.join("Cargo.lock"), &lock).unwrap());
    }
    let [assembly, ir] = ["functions.s", "functions.ll"].map(|name| folder.join(name));
    let emit = format!("--emit=asm={},llvm-ir={}", assembly.display(), ir.display());
    // Cargo does not emit again what it built before, even if the files are gone, or
    // another compiler has written them since.
    let other_compiler = write_if_new(&folder.join("rustc.txt"), rustc_version());
    let target = folder.join("target");
    if target.exists() && (other_compiler || !assembly.exists() || !ir.exists()) {
        fs::remove_dir_all(&target).unwrap();
    }
    let build = |network: &[&str]| {
        Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["rustc", "--release", "--lib", "--target", host()])
            .args(network)
            .arg("--manifest-path")
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target)
            .args(["--", &emit])
            .args(["-C", "llvm-args=-x86-asm-syntax=intel"])
            // The IR is read for GPUs, whose lanes are vectors already.
            .args(["-C", "no-vectorize-loops", "-C", "no-vectorize-slp"])
            .env_clear()
            .envs(env::vars_os().filter(|(name, _)| !changes_code(name)))
            // Empty, this one takes precedence over the others and over files.
            .env("CARGO_ENCODED_RUSTFLAGS", "")
            .output()
            .expect("cargo runs")
    };
    let mut output = build(&["--offline"]);
    if !output.status.success() {
        output = build(&[]);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tests/codegen/functions.rs does not compile:\n{said}");
    let read = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}\n{said}", path.display()))
    };
    Compiled { assembly: read(&assembly), ir: read(&ir) }
}

/// Whether a variable adds to every build of the caller's: that is not what is counted.
fn changes_code(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name == "CARGO_INCREMENTAL" || name.starts_with("CARGO_PROFILE_RELEASE_")
}

/// Writes a file unless it says this already; whether it did.
fn write_if_new(path: &Path, text: &str) -> bool {
    let new = fs::read_to_string(path).ok().as_deref() != Some(text);
    if new {
        fs::write(path, text).unwrap();
    }
    new
}
