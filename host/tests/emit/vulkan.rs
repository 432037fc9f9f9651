//! WGSL on a Vulkan device, where a software one (Mesa's lavapipe) is installed.
//!
//! The program in `device/` is built on demand: wgpu and its 80 packages are not a dependency of the workspace, and
//! take 60 s of processor time, an eighth of a clean `cargo test`. `KERNELS=1` asks for it, as it does in the gate; once
//! it is built, every run uses it. Without the program or the device the test says what is missing and passes.

use super::cases::Case;
use super::compilers::folder;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where Vulkan loaders look for devices.
const ICD: [&str; 4] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/opt/homebrew/share/vulkan/icd.d",
];

/// The offsets of all functions at all their coordinates, as words of the machine.
///
/// # Errors
///
/// What is missing.
pub(crate) fn words(cases: &[Case]) -> Result<Vec<u8>, String> {
    let entries: Vec<_> = cases.iter().map(|case| (&case.name[..], case.offsets.len())).collect();
    run("offsets", &module(cases), &entries)
}

/// What the entry points `run_<name>` of a module write, each so many words.
///
/// # Errors
///
/// What is missing.
pub(crate) fn run(file: &str, module: &str, entries: &[(&str, usize)]) -> Result<Vec<u8>, String> {
    let icd = lavapipe().ok_or("lavapipe (Mesa's Vulkan device in software) is not installed")?;
    let program = built()?;
    let (shader, out) =
        (folder("device").join(file).with_extension("wgsl"), folder("device").join(file));
    fs::write(&shader, module).unwrap();
    let entries = entries.iter().map(|(name, words)| format!("run_{name}:{words}"));
    let output = Command::new(program)
        .arg(&shader)
        .arg(&out)
        .args(entries)
        .env("VK_DRIVER_FILES", &icd)
        .env("VK_ICD_FILENAMES", &icd)
        .output()
        .unwrap();
    match output.status.code() {
        Some(0) => Ok(fs::read(out).unwrap()),
        Some(2) => Err(format!("no device: {}", said(&output))),
        _ => panic!("{}", said(&output)),
    }
}

/// The file that describes the software device.
fn lavapipe() -> Option<PathBuf> {
    let entries = ICD.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lvp_icd"))
    })
}

/// The program of `device/`, by its own lock file; first from the packages at hand.
fn built() -> Result<PathBuf, String> {
    let target = folder("device").join("target");
    let program = target.join("debug").join("device").with_extension(env::consts::EXE_EXTENSION);
    let asked = |name| env::var_os(name).is_some_and(|value| value == "1");
    if !(program.exists() || asked("KERNELS") || asked("TILEDESC_COMPLETE")) {
        return Err("wgpu is not built here yet, which takes a minute (KERNELS=1 builds it)".into());
    }
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("emit/device/Cargo.toml");
    let build = |network: &[&str]| {
        Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--locked", "--quiet"])
            .args(network)
            .arg("--manifest-path")
            .arg(&manifest)
            .arg("--target-dir")
            .arg(&target)
            .env("CARGO_ENCODED_RUSTFLAGS", "")
            .env_remove("CARGO_BUILD_TARGET")
            .output()
            .expect("cargo runs")
    };
    let mut output = build(&["--offline"]);
    if !output.status.success() {
        output = build(&[]);
    }
    match output.status.success() {
        true => Ok(program),
        false => Err(format!("host/tests/emit/device is not built: {}", said(&output))),
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// All functions, and for each an entry point that calls it at its coordinates.
fn module(cases: &[Case]) -> String {
    let mut text = OFFSETS.to_owned();
    for Case { name, wgsl, lengths, steps, .. } in cases {
        text += wgsl;
        text += &entry(name, name, lengths, steps);
    }
    text
}

/// What entry points write to.
pub(crate) const OFFSETS: &str =
    "@group(0) @binding(0) var<storage, read_write> offsets: array<u32>;\n";

/// The entry point `run_<label>` that calls a function at every so many-th index of each dimension.
pub(crate) fn entry(label: &str, name: &str, lengths: &[u32], steps: &[u32]) -> String {
    let mut rest = "id.x".to_owned();
    let mut index = Vec::new();
    let mut words = 1;
    for (length, step) in lengths.iter().zip(steps).rev() {
        let count = length.div_ceil(*step);
        index.push(format!("{rest} % {count}u * {step}u"));
        rest = format!("{rest} / {count}u");
        words *= count;
    }
    index.reverse();
    format!(
        "@compute @workgroup_size(64)
fn run_{label}(@builtin(global_invocation_id) id: vec3u) {{
    if (id.x < {words}u) {{ offsets[id.x] = u32({name}({})); }}
}}
",
        index.join(", "),
    )
}
