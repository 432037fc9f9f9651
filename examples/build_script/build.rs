//! Writes `tiles.hpp` and compiles `kernel.cpp` with it; a conflict does not compile.
//!
//! The layout is checked when this script is compiled. In a project of yours the last step is `hipcc` or
//! `nvcc`; here it is the machine's C++ compiler, `$CXX` or `c++`, and `kernel.cpp` runs on the CPU.

use core::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};
use tiledesc::{chip::gfx942, prelude::*};
use tiledesc_host::emit::{HIP, Header};

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx942: read ds_read_b128 by MfmaRows<32> }

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=kernel.cpp");
    println!("cargo:rerun-if-env-changed=CXX");
    let reads = ABlock::placed::<MfmaRows<32>>(&gfx942::ds_read_b128)?;
    let held = reads.distribution().ok_or("the rows do not divide the tile")?;
    let mut header = Header::new(HIP);
    header.layout("A", &["m", "k"], &ABlock::default())?.blank();
    header.verdict("A_read", &reads)?.distribution("A_read", &["m", "k"], &held)?;
    header.accesses("A_read", &reads)?;

    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("tiles.hpp"), header.file("tiles", &["Made by build.rs."]))?;
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let program = out.join("kernel");
    let compiled = Command::new(&compiler)
        .args(["-std=c++14", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(out)
        .args(["kernel.cpp", "-o"])
        .arg(&program)
        .status();
    match compiled {
        Ok(status) if !status.success() => return Err("kernel.cpp is not compiled".into()),
        Ok(_) => println!("cargo:rustc-env=KERNEL={}", program.display()),
        Err(_) => println!("cargo:warning=skipped: no compiler {compiler} for kernel.cpp"),
    }
    Ok(())
}
