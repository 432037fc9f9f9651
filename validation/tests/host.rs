//! The host's half of the programs, on the CPU: the machine's C++ compiler (or `CXX`) builds it over a device of
//! its own, `host/device.hpp`, and what it prints is a record that agrees with the model.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tiledesc_validation::compare::Comparison;
use tiledesc_validation::list::patterns;
use tiledesc_validation::ptx;
use tiledesc_validation::record::Record;
use tiledesc_validation::source::program;

/// The program without its kernels, which the device of the CPU stands for.
fn host(chip: &str) -> String {
    let text = program(chip).unwrap();
    let kernels = text.find("extern \"C\" __global__").unwrap();
    let check = text.find("#define CHECK(").unwrap();
    let guard = "#ifndef DEVICE_ONLY\n";
    let rest = if text[..check].ends_with(guard) { check - guard.len() } else { check };
    let text = format!("#include <device.hpp>\n{}{}", &text[..kernels], &text[rest..]);
    text.replace(": time_", ": simulate(\"")
        .replace("<<<1, LANES>>>(addresses, cycles, sink)", "\", LANES, addresses, cycles)")
}

fn build(compiler: &str, chip: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("host").join(chip);
    fs::create_dir_all(folder.join("hip")).unwrap();
    let device = include_str!("host/device.hpp");
    let device = if chip.starts_with("sm") { device.into() } else { device.replace("cuda", "hip") };
    fs::write(folder.join("device.hpp"), device).unwrap();
    fs::write(folder.join("hip/hip_runtime.h"), "").unwrap();
    fs::write(folder.join("host.cpp"), host(chip)).unwrap();
    let out = folder.join("host");
    let mut command = Command::new(compiler);
    command.args([
        "-std=c++17",
        "-O1",
        "-w",
        "-D__CUDACC_VER_MAJOR__=0",
        "-D__CUDACC_VER_MINOR__=0",
    ]);
    command.arg("-I").arg(&folder).arg("-o").arg(&out).arg(folder.join("host.cpp"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    out
}

/// The compiler, or `None`, which is said.
fn compiler() -> Option<String> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        support::skipped!("{compiler} is not installed (CXX names another)");
        return None;
    }
    Some(compiler)
}

/// What `command` prints on a device is a record that agrees; on another device it exits with 1.
fn judge(chip: &str, other: &str, command: impl Fn() -> Command) {
    let output = command().env("DEVICE", chip).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record = Record::parse(&String::from_utf8(output.stdout).unwrap()).unwrap();
    assert_eq!((record.header("chip"), record.header("device")), (Some(chip), Some("CPU")));
    assert_eq!(record.header("clock"), Some("1000 MHz"));
    assert_eq!(record.timed().len(), patterns(chip).unwrap().len());
    let comparison = Comparison::new(&record).unwrap();
    assert_eq!(comparison.disagreements().count(), 0, "{comparison}");
    for fit in comparison.fits() {
        assert_eq!((fit.latency, fit.wavefront), (25.0, 2.0), "{chip} {}", fit.instruction);
    }
    let output = command().env("DEVICE", other).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{chip} on {other}");
    let said = String::from_utf8_lossy(&output.stderr);
    let refusal = format!("this program is for {chip}, and the device is {other}");
    assert!(said.contains(&refusal), "{said}");
}

#[test]
fn what_the_program_prints_is_a_record() {
    let Some(compiler) = compiler() else { return };
    for (chip, other) in [("sm_80", "sm_86"), ("sm_90", "sm_89"), ("gfx942", "gfx90a")] {
        let program = build(&compiler, chip);
        judge(chip, other, || Command::new(&program));
    }
}

#[test]
fn what_the_loader_of_ptx_prints_is_a_record() {
    let Some(compiler) = compiler() else { return };
    if Command::new("python3").arg("--version").output().is_err() {
        return support::skipped!("python3 is not installed");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
    fs::create_dir_all(&folder).unwrap();
    let library = folder.join("libcuda.so");
    let mut build = Command::new(compiler);
    build.args(["-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-o"]).arg(&library);
    let output = build.arg(root.join("tests/host/driver.cpp")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (chip, other) in [("sm_80", "sm_86"), ("sm_90", "sm_89")] {
        let text = ptx::program(chip).unwrap().unwrap();
        let path = folder.join(format!("{chip}.ptx"));
        fs::write(&path, text).unwrap();
        judge(chip, other, || {
            let mut command = Command::new("python3");
            command.arg(root.join("run_ptx.py")).arg(&path).env("LIBCUDA", &library);
            command
        });
    }
}
