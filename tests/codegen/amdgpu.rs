//! The same functions for AMD GPUs, from the host's LLVM IR.
//!
//! An offset is integer arithmetic, so its IR is the same for every machine but in the
//! attributes that name the host. Those are taken out; `amdgpu.py` gives the rest to the
//! LLVM that the Rust toolchain itself carries.

use super::compiled::{compiled, folder, rustc};
use super::listing::{Listings, listings, name_of};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use support::root;

/// The exit status of `amdgpu.py` for an LLVM without the back end.
const NO_BACK_END: i32 = 3;

/// The functions and the kernel on a chip, or why this machine cannot tell; compiled once.
pub(crate) fn listings_of(chip: &'static str) -> Result<Listings, String> {
    static KNOWN: Mutex<BTreeMap<&str, Result<Listings, String>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(chip).or_insert_with(|| translated(chip)).clone()
}

fn translated(chip: &str) -> Result<Listings, String> {
    let [source, target] = ["ll", "s"].map(|end| folder().join(format!("{chip}.{end}")));
    fs::write(&source, source_of_kernel(&foreign(&compiled().ir))).unwrap();
    let output = Command::new("python3")
        .arg(root().join("tests/codegen/amdgpu.py"))
        .args([libllvm()?, source, chip.into(), target.clone()])
        .output()
        .map_err(|error| format!("python3: {error}"))?;
    let [said, wrong] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    match output.status.code() {
        Some(0) => Ok(listings(&fs::read_to_string(target).unwrap(), ';')),
        Some(NO_BACK_END) => Err(format!("the toolchain's LLVM: {said}")),
        _ => panic!("amdgpu.py: {wrong}"),
    }
}

/// The toolchain's LLVM, a library of its own on Linux.
fn libllvm() -> Result<PathBuf, String> {
    let folder = PathBuf::from(rustc(&["--print", "sysroot"]).trim()).join("lib");
    let entries = fs::read_dir(&folder).map_err(|error| format!("the toolchain: {error}"))?;
    let mut names = entries.flatten().map(|entry| entry.path());
    let is_llvm = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libLLVM") && name.contains(".so.")
    };
    names.find(is_llvm).ok_or_else(|| "the toolchain has no libLLVM of its own".to_owned())
}

/// IR without what names the host, its functions ready to be inlined.
fn foreign(ir: &str) -> String {
    let host = ["target triple", "target datalayout", "!llvm.module.flags", "!llvm.ident"];
    let lines = ir.lines().filter(|line| !host.iter().any(|what| line.starts_with(what)));
    lines.map(|line| if line.starts_with("attributes #") { plain(line) } else { line.to_owned() } + "\n").collect()
}

/// An attribute group without the attributes that only the host has. Those with a value
/// (`"target-cpu"="x86-64"`) are all of that kind.
fn plain(group: &str) -> String {
    let words = group.split(' ').filter(|word| {
        !word.starts_with('"') && !["nonlazybind", "uwtable", "noinline"].contains(word)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The IR with the kernel behind it, which calls two of its functions.
fn source_of_kernel(ir: &str) -> String {
    let kernel = fs::read_to_string(root().join("tests/codegen/kernel.ll")).unwrap();
    let symbol = |form: &str| {
        let words = ir
            .split(['@', '('])
            .find(|word| name_of(word) == Some(("staging".to_owned(), format!("ours_{form}"))));
        words.unwrap_or_else(|| panic!("no function {form}")).to_owned()
    };
    let kernel = kernel.replace("@writes(", &format!("@{}(", symbol("writes")));
    format!("{ir}\n{}", kernel.replace("@reads(", &format!("@{}(", symbol("reads"))))
}
