//! The programs: their tables are the library's addresses, and compilers leave every access in them.
//!
//! | | judge |
//! |---|---|
//! | tables | read back from the text |
//! | HIP, gfx942 | Debian's `clang-19` (or `CLANG`); accesses counted in its assembly |
//! | CUDA, sm_80 and sm_90 | `nvcc` (or `NVCC`), host and device; accesses counted by the `nvdisasm` beside it |
//!
//! Without a compiler a test prints `skipped` and why.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tiledesc::chip::{self, Access};
use tiledesc_validation::list::patterns;
use tiledesc_validation::ptx;
use tiledesc_validation::source::program;

/// Two rounds of 32 accesses without a branch.
const ACCESSES: usize = 64;

#[test]
fn tables_hold_the_addresses_of_the_library() {
    for name in ["sm_80", "sm_90", "gfx942", "gfx1100", "gfx1201"] {
        let text = program(name).unwrap();
        let wave = chip::find(name).unwrap().wave() as usize;
        assert!(text.contains(&format!("LANES = {wave}, ")), "{name}");
        let begin = text.find("static const Pattern patterns[] = {\n").unwrap();
        let mut lines = text[begin..].lines().skip(1);
        for pattern in patterns(name).unwrap() {
            let line = lines.next().unwrap().trim();
            let (fields, addresses) = line[1..].trim_end_matches("}},").split_once(", {").unwrap();
            let fields: Vec<_> = fields.split(", ").map(|field| field.trim_matches('"')).collect();
            assert_eq!(fields[..2], [pattern.name(), pattern.instruction().name()]);
            let (hash, kernel) = (fields[2], fields[3]);
            assert_eq!(u32::from_str_radix(hash, 16).unwrap(), pattern.fingerprint().unwrap());
            let function = format!("time_{}<<<", pattern.instruction().name().replace('.', "_"));
            assert!(
                text.contains(&format!("case {kernel}: {function}")),
                "{name} {}",
                pattern.id()
            );
            let touched = pattern.placed().unwrap().touched(0).unwrap();
            let numbers: Vec<u32> =
                addresses.split(", ").map(|n| n.trim_end_matches('u').parse().unwrap()).collect();
            assert_eq!(numbers.len(), wave);
            for (lane, number) in numbers.iter().enumerate() {
                let idle = if pattern.instruction().needs_whole_wave() {
                    touched.addresses().get(0)
                } else {
                    None
                };
                let wanted = touched.addresses().get(lane).or(idle).unwrap_or(u32::MAX);
                assert_eq!(*number, wanted, "{name} {} lane {lane}", pattern.id());
            }
            // Lane 0 writes the cycles.
            assert_ne!(numbers[0], u32::MAX);
        }
        assert_eq!(lines.next(), Some("};"));
    }
}

#[test]
fn memory_holds_every_access_and_fits_a_block() {
    for name in ["sm_80", "sm_90", "gfx942"] {
        let text = program(name).unwrap();
        let dwords = text.split_once("DWORDS = ").unwrap().1.split_once(',').unwrap().0;
        let bytes = 4 * dwords.parse::<u32>().unwrap();
        assert!(bytes <= 48 << 10, "{name}: static shared memory has 48 KiB, this is {bytes}");
        for pattern in patterns(name).unwrap() {
            let addresses = pattern.addresses().unwrap();
            let last = (0..64).filter_map(|lane| addresses.get(lane)).max().unwrap();
            assert!(last + pattern.instruction().bytes() <= bytes, "{name} {}", pattern.id());
        }
    }
}

fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn write(chip: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("validation");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, program(chip).unwrap()).unwrap();
    path
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn ptxas_leaves_every_access_of_the_ptx() {
    let nvcc = env::var("NVCC").unwrap_or_else(|_| "nvcc".to_owned());
    let beside = |name| Path::new(&nvcc).with_file_name(name).to_string_lossy().into_owned();
    let (ptxas, nvdisasm) = (beside("ptxas"), beside("nvdisasm"));
    if version(&ptxas).is_none() || version(&nvdisasm).is_none() {
        return support::skipped!(
            "{ptxas} or {nvdisasm} is not installed (NVCC names their folder's nvcc)"
        );
    }
    for chip in ["sm_80", "sm_90"] {
        let source = write(chip, &format!("{chip}.ptx"));
        fs::write(&source, ptx::program(chip).unwrap().unwrap()).unwrap();
        let cubin = source.with_extension("ptx.cubin");
        let arch = format!("-arch={chip}");
        succeeds(Command::new(&ptxas).arg(arch).arg("-o").arg(&cubin).arg(&source));
        let text = succeeds(Command::new(&nvdisasm).arg(cubin));
        let kernels = counted(&text, |line| line.strip_prefix(".text.")?.strip_suffix(':'));
        for pattern in patterns(chip).unwrap() {
            let name = pattern.instruction().name();
            let counts = &kernels[format!("time_{}", name.replace('.', "_")).as_str()];
            let clears = match name {
                "st.shared.b32" => kernels["time_ld_shared_b32"]["STS"],
                _ => 0,
            };
            assert_eq!(counts[machine(name)], ACCESSES / 2 + clears, "{chip} {name}");
            assert_eq!(counts["CS2R"], 2, "{chip} {name}: the clock");
        }
    }
    println!("ptxas takes both texts");
}

/// How often each kernel has each word, where a line `opens` names the kernel that begins.
fn counted<'t>(
    text: &'t str,
    opens: impl Fn(&'t str) -> Option<&'t str>,
) -> BTreeMap<&'t str, BTreeMap<&'t str, usize>> {
    let mut counts: BTreeMap<_, BTreeMap<_, usize>> = BTreeMap::new();
    let mut kernel = "";
    for line in text.lines() {
        kernel = opens(line).unwrap_or(kernel);
        for word in line.split_whitespace() {
            *counts.entry(kernel).or_default().entry(word).or_default() += 1;
        }
    }
    counts
}

#[test]
fn clang_leaves_every_access() {
    let clang = env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let targets = Command::new(&clang).arg("--print-targets").output();
    let Ok(targets) = targets else {
        return support::skipped!("{clang} is not installed (CLANG names another)");
    };
    if !String::from_utf8_lossy(&targets.stdout).contains("amdgcn") {
        return support::skipped!("{clang} has no target amdgcn");
    }
    let (source, out) = (write("gfx942", "gfx942.hip"), "gfx942.s");
    let out = source.with_file_name(out);
    succeeds(
        Command::new(&clang)
            .args(["-x", "hip", "--offload-device-only", "--offload-arch=gfx942", "-nogpulib"])
            .args(["-nogpuinc", "-DDEVICE_ONLY", "-O3", "-Wall", "-Wextra", "-Werror", "-S", "-o"])
            .arg(&out)
            .arg(&source),
    );
    let text = fs::read_to_string(out).unwrap();
    let kernels = counted(&text, |line| {
        line.strip_prefix("time_").and_then(|_| line.split_once(':')).map(|(name, _)| name)
    });
    for row in chip::find("gfx942").unwrap().rows() {
        let name = row.name();
        let Some(counts) = kernels.get(format!("time_{name}").as_str()) else { continue };
        // Of 8192 dwords, memory is cleared by one write in a loop; rounds stay a loop or do not.
        let clears = usize::from(name == "ds_write_b32");
        let found = counts[name] - clears;
        assert!(found == ACCESSES || found == ACCESSES / 2, "{name}: {found}");
        if row.access() == Access::Write {
            assert_eq!(counts["ds_read_b32"], found, "{name}");
        }
        assert_eq!(counts["s_memtime"], 2 * found / (ACCESSES / 2), "{name}");
        println!("{name}: {found}");
    }
    assert_eq!(kernels.keys().filter(|name| name.starts_with("time_")).count(), 6);
}

#[test]
fn hips_headers_take_the_hosts_half() {
    let clang = env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let Ok(include) = env::var("HIP_INCLUDE") else {
        return support::skipped!("HIP_INCLUDE names no folder of HIP's headers");
    };
    if version(&clang).is_none() {
        return support::skipped!("{clang} is not installed (CLANG names another)");
    }
    let source = write("gfx942", "host.hip");
    succeeds(
        Command::new(&clang)
            .args([
                "-x",
                "hip",
                "--offload-host-only",
                "-nogpulib",
                "-nogpuinc",
                "-Wall",
                "-Werror",
            ])
            .args(["-D__HIP_PLATFORM_AMD__", "-S", "-o"])
            .arg(source.with_extension("host.s"))
            .arg("-isystem")
            .arg(include)
            .arg(&source),
    );
}

/// The machine's word of an instruction in PTX.
fn machine(name: &str) -> &'static str {
    match name {
        "ld.shared.b32" => "LDS",
        "ld.shared.b64" => "LDS.64",
        "ld.shared.b128" => "LDS.128",
        "st.shared.b32" => "STS",
        "st.shared.b64" => "STS.64",
        "st.shared.b128" => "STS.128",
        "ldmatrix.x1" => "LDSM.16.M88",
        "ldmatrix.x2" => "LDSM.16.M88.2",
        "ldmatrix.x4" => "LDSM.16.M88.4",
        "stmatrix.x1" => "STSM.16.M88",
        "stmatrix.x2" => "STSM.16.M88.2",
        "stmatrix.x4" => "STSM.16.M88.4",
        other => panic!("{other}"),
    }
}

#[test]
fn nvcc_leaves_every_access() {
    let nvcc = env::var("NVCC").unwrap_or_else(|_| "nvcc".to_owned());
    if version(&nvcc).is_none() {
        return support::skipped!("{nvcc} is not installed (NVCC names another)");
    }
    let beside = Path::new(&nvcc).with_file_name("nvdisasm").to_string_lossy().into_owned();
    for chip in ["sm_80", "sm_90"] {
        let source = write(chip, &format!("{chip}.cu"));
        let compile = |out: &str, how: &str| {
            let out = source.with_extension(out);
            let mut command = Command::new(&nvcc);
            command.args(["-O3", "-Werror", "all-warnings", how, "-o"]).arg(&out).arg(&source);
            succeeds(command.arg(format!("-arch={chip}")));
            out
        };
        compile("o", "-c");
        let cubin = compile("cubin", "-cubin");
        if version(&beside).is_none() {
            support::skipped!("{beside} is not installed, so no machine code is read");
            continue;
        }
        let text = succeeds(Command::new(&beside).arg(cubin));
        let kernels = counted(&text, |line| line.strip_prefix(".text.")?.strip_suffix(':'));
        let all = patterns(chip).unwrap();
        for name in all.iter().map(|pattern| pattern.instruction().name()) {
            let counts = &kernels[format!("time_{}", name.replace('.', "_")).as_str()];
            // Memory is cleared by single dwords.
            let clears =
                if name == "st.shared.b32" { kernels["time_ld_shared_b32"]["STS"] } else { 0 };
            assert_eq!(counts[machine(name)], ACCESSES + clears, "{chip} {name}");
            if name.starts_with("st") {
                assert_eq!(counts["LDS"], ACCESSES, "{chip} {name}");
            }
            assert_eq!(counts["CS2R"], 2, "{chip} {name}: the clock");
        }
    }
    println!("nvcc takes both programs");
}
