//! The same headers for GPUs: every function is called in a kernel, and compilers for AMD's and NVIDIA's chips take it
//! without a warning. What it returns is asked on the CPU.

use super::Random;
use core::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What stands in for HIP's headers, which no test needs.
const HIP: &str = "#define __host__ __attribute__((host))\n\
                   #define __device__ __attribute__((device))\n\
                   #define __global__ __attribute__((global))\n";

/// A program of the headers of some files, a kernel each.
fn kernels<'a>(before: &str, kind: &str, files: impl Iterator<Item = (u32, &'a Random)>) -> String {
    let (mut includes, mut text) = (String::new(), String::new());
    for (number, random) in files {
        writeln!(includes, "#include \"f{number}.h\"").unwrap();
        writeln!(
            text,
            "extern \"C\" {kind} void kernel{number}(unsigned long long *out, unsigned i0, unsigned i1, unsigned i2) {{"
        )
        .unwrap();
        for (at, call) in random.calls.iter().enumerate() {
            writeln!(text, "    out[{at}] = {};", call.code).unwrap();
        }
        text += "    (void)i0, (void)i1, (void)i2;\n}\n";
    }
    format!("{before}{includes}{text}")
}

/// The compiler by a variable of the environment or by its name, if it is there.
pub(crate) fn compiler(variable: &str, name: &str) -> Option<String> {
    let name = std::env::var(variable).unwrap_or_else(|_| name.to_string());
    Command::new(&name).arg("--version").output().is_ok().then_some(name)
}

fn compiles(folder: &Path, compiler: &str, words: &[&str]) {
    let output = Command::new(compiler).args(words).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", said.chars().take(3000).collect::<String>());
}

/// Compiles the headers in a folder for a chip of AMD's and for one of NVIDIA's, where a compiler is there.
pub(crate) fn compile(folder: &Path, files: &[(u32, Random)]) {
    let of = |is_c: bool| {
        let these = files.iter().filter(move |(_, random)| (random.lang == "c") == is_c);
        these.map(|(number, random)| (*number, random))
    };
    let chip = if files.first().is_some_and(|(first, _)| first / 50 % 2 == 1) {
        "gfx1201"
    } else {
        "gfx942"
    };
    if let Some(clang) = compiler("CLANG", "clang-19") {
        fs::write(folder.join("amd.hip"), kernels(HIP, "__global__", of(false))).unwrap();
        let kernel = "__attribute__((amdgpu_kernel))";
        fs::write(folder.join("amd.cpp"), kernels("", kernel, of(true))).unwrap();
        let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"];
        let (arch, cpu) = (format!("--offload-arch={chip}"), format!("-mcpu={chip}"));
        let hip =
            ["-x", "hip", "--offload-device-only", &arch, "-nogpulib", "-nogpuinc", "amd.hip"];
        let plain = ["-x", "c++", "--target=amdgcn-amd-amdhsa", &cpu, "-nogpulib", "amd.cpp"];
        compiles(folder, &clang, &[&strict[..], &hip].concat());
        compiles(folder, &clang, &[&strict[..], &plain].concat());
    }
    if let Some(nvcc) = compiler("NVCC", "nvcc") {
        fs::write(folder.join("nvidia.cu"), kernels("", "__global__", of(false))).unwrap();
        let words =
            ["-arch=sm_90", "-Werror", "all-warnings", "-ptx", "-o", "nvidia.ptx", "nvidia.cu"];
        compiles(folder, &nvcc, &words);
    }
}
