//! WGSL on a Vulkan device, where a software one (Mesa's lavapipe) is installed.
//!
//! Only then is the program in `device/` built: wgpu and its 80 packages are not a dependency
//! of the workspace. Without the device, or without the packages, the test says what is
//! missing and passes.

use super::cases::Case;
use super::compilers::folder;
use core::fmt::Write as _;
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
    let icd = lavapipe().ok_or("no lavapipe in the folders of Vulkan's loader")?;
    let program = built()?;
    let (shader, out) =
        (folder("device").join("offsets.wgsl"), folder("device").join("offsets.bin"));
    fs::write(&shader, module(cases)).unwrap();
    let entries = cases.iter().map(|case| format!("run_{}:{}", case.name, case.offsets.len()));
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
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emit/device/Cargo.toml");
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
        true => Ok(target.join("debug").join("device").with_extension(env::consts::EXE_EXTENSION)),
        false => Err(format!("tests/emit/device is not built: {}", said(&output))),
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// All functions, and for each an entry point that calls it at its coordinates.
fn module(cases: &[Case]) -> String {
    let mut text =
        "@group(0) @binding(0) var<storage, read_write> offsets: array<u32>;\n".to_owned();
    for case in cases {
        let Case { name, wgsl, .. } = case;
        let mut rest = "id.x".to_owned();
        let mut index = Vec::new();
        for (length, step) in case.lengths.iter().zip(&case.steps).rev() {
            let count = length.div_ceil(*step);
            index.push(format!("{rest} % {count}u * {step}u"));
            rest = format!("{rest} / {count}u");
        }
        index.reverse();
        write!(
            text,
            "{wgsl}@compute @workgroup_size(64)
fn run_{name}(@builtin(global_invocation_id) id: vec3u) {{
    if (id.x < {}u) {{ offsets[id.x] = {name}({}); }}
}}
",
            case.offsets.len(),
            index.join(", "),
        )
        .unwrap();
    }
    text
}
