//! The program that times a chip's patterns: one file of CUDA or HIP, with all addresses in it.
//!
//! One warp or wave goes through [`ACCESSES`] accesses to the same addresses, each of which waits for the
//! one before: what is read is or-ed into the next address (it is all zeros, which the compiler cannot
//! know), and a write is followed by a free read of a dword that goes into the next address. So the cycles
//! are latency + wavefronts * cycles of one, however well the hardware overlaps independent accesses.

use crate::list::patterns;
use crate::pattern::Pattern;
use crate::record::COLUMNS;
use core::fmt::Write;
use std::collections::BTreeSet;
use tiledesc::chip::{self, ChipError};
use tiledesc::chip::{Access, Instruction};

/// The number of accesses that are timed; a clock's two reads cost a thousandth of them.
pub const ACCESSES: u32 = 4096;

/// The number of accesses without a branch in between.
pub(crate) const UNROLLED: u32 = 32;

/// An address of a lane that does nothing.
const IDLE: u32 = u32::MAX;

/// The program for a chip: CUDA where its name begins with `sm_`, HIP else.
///
/// ```
/// let text = tiledesc_validation::source::program("sm_90").unwrap();
/// assert!(text.contains("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"));
/// assert!(tiledesc_validation::source::program("gfx942").unwrap().contains("ds_read_b128 %0, %1"));
/// ```
///
/// # Errors
///
/// [`ChipError`]: no rows of this chip.
pub fn program(chip: &str) -> Result<String, ChipError> {
    let wave = chip::find(chip)?.wave();
    let all = patterns(chip)?;
    let names: BTreeSet<_> = all.iter().map(|pattern| pattern.instruction().name()).collect();
    let dialect = Dialect { chip, cuda: chip.starts_with("sm_") };
    let mut text = dialect.opening(wave, dwords(&all));
    for name in &names {
        let instruction = all.iter().map(Pattern::instruction).find(|row| row.name() == *name);
        text.extend(instruction.map(|row| dialect.kernel(row)));
    }
    text.push_str(dialect.host());
    text.push_str(&table(&all, wave));
    text.push_str(&dispatch(&names));
    text.push_str(&MAIN.replace("CHIP", chip).replace("COLUMNS", COLUMNS));
    text.push_str(dialect.end());
    Ok(text)
}

/// Dwords of shared memory that all patterns need.
pub(crate) fn dwords(all: &[Pattern]) -> u32 {
    let end = |pattern: &Pattern| {
        let active = (0..64).filter_map(|lane| addresses(pattern, lane)).max().unwrap_or(0);
        active + pattern.instruction().bytes()
    };
    all.iter().map(end).max().unwrap_or(0).div_ceil(4)
}

fn addresses(pattern: &Pattern, lane: usize) -> Option<u32> {
    pattern.addresses().ok()?.get(lane)
}

/// A lane's address in the table. A lane that supplies none to `ldmatrix` takes part all the same.
pub(crate) fn entry(pattern: &Pattern, lane: u32) -> u32 {
    let idle = if pattern.instruction().needs_whole_wave() { addresses(pattern, 0) } else { None };
    addresses(pattern, lane as usize).or(idle).unwrap_or(IDLE)
}

pub(crate) fn function(name: &str) -> String {
    format!("time_{}", name.replace('.', "_"))
}

/// `{"stride1", "ld.shared.b32", "2ff77d36", time_ld_shared_b32, {0, 4, 8, ..}}`
fn table(all: &[Pattern], wave: u32) -> String {
    let mut text = String::from(
        "struct Pattern {\n    const char *name, *instruction, *fingerprint;\n    int kernel;\n    \
         unsigned addresses[LANES];\n};\n\nstatic const Pattern patterns[] = {\n",
    );
    let names: BTreeSet<_> = all.iter().map(|pattern| pattern.instruction().name()).collect();
    for pattern in all {
        let name = pattern.instruction().name();
        let hash = pattern.fingerprint().unwrap_or(0);
        let kernel = names.iter().position(|other| *other == name).unwrap_or(0);
        let entries: Vec<_> = (0..wave).map(|lane| format!("{}u", entry(pattern, lane))).collect();
        let (own, entries) = (pattern.name(), entries.join(", "));
        let _ = writeln!(
            text,
            "    {{\"{own}\", \"{name}\", \"{hash:08x}\", {kernel}, {{{entries}}}}},"
        );
    }
    text + "};\n\n"
}

fn dispatch(names: &BTreeSet<&str>) -> String {
    let mut text = String::from(
        "static void launch(int kernel, const unsigned *addresses, long long *cycles, unsigned *sink) {\n    \
         switch (kernel) {\n",
    );
    for (kernel, name) in names.iter().enumerate() {
        let function = function(name);
        let _ = writeln!(
            text,
            "    case {kernel}: {function}<<<1, LANES>>>(addresses, cycles, sink); break;"
        );
    }
    text + "    }\n}\n\n"
}

struct Dialect<'a> {
    chip: &'a str,
    cuda: bool,
}

impl Dialect<'_> {
    fn opening(&self, wave: u32, dwords: u32) -> String {
        let (chip, head) = (self.chip, if self.cuda { CUDA } else { HIP });
        format!(
            "// Written by `validation write {chip}`; the README of `validation` says how to run it.\n\n\
             {head}\nenum {{ LANES = {wave}, DWORDS = {dwords}, ACCESSES = {ACCESSES}, UNROLLED = {UNROLLED} }};\n\
             static const unsigned IDLE = {IDLE}u;\n\n"
        )
    }

    /// The kernel of an instruction.
    fn kernel(&self, row: &Instruction) -> String {
        let body = match row.access() {
            Access::Read => self.read(row),
            Access::Write => self.write(row),
        };
        let body = body.replace('\n', "\n                ");
        KERNEL.replace("NAME", &function(row.name())).replace("BODY", &body)
    }

    fn read(&self, row: &Instruction) -> String {
        let count = (row.bytes() / 4) as usize;
        if self.cuda {
            let count = matrices(row.name()).unwrap_or(count);
            let outputs: Vec<_> = (0..count).map(|i| format!("\"=r\"(data[{i}])")).collect();
            let registers = registers(0, count);
            let mnemonic = ptx(row.name(), count);
            let outputs = outputs.join(", ");
            let found = found(count);
            return format!(
                "unsigned data[{count}];\n\
                 asm volatile(\"{mnemonic} {registers}, [%{count}];\" : {outputs} : \"r\"(at) : \"memory\");\n\
                 at ^= {found};"
            );
        }
        let (name, found) = (row.name(), if count == 1 { "data".into() } else { found(count) });
        let (dwords, wait) = (amd(count), self.wait());
        format!(
            "{dwords} data;\n\
             asm volatile(\"{name} %0, %1\\n\\t{wait}\" : \"=v\"(data) : \"v\"(at) : \"memory\");\n\
             at ^= {found};"
        )
    }

    fn write(&self, row: &Instruction) -> String {
        let count = (row.bytes() / 4) as usize;
        if self.cuda {
            let count = matrices(row.name()).unwrap_or(count);
            let mnemonic = ptx(row.name(), count);
            let registers = if count == 1 {
                "{%1}".into()
            } else {
                format!("{{{}}}", ["%1"].repeat(count).join(", "))
            };
            let registers =
                if mnemonic.starts_with("st.") && count == 1 { "%1".into() } else { registers };
            return format!(
                "asm volatile(\"{mnemonic} [%0], {registers};\" :: \"r\"(at), \"r\"(zero) : \"memory\");\n\
                 asm volatile(\"ld.volatile.shared.u32 %0, [%1];\" : \"=r\"(zero) : \"r\"(own) : \"memory\");\n\
                 at ^= zero;"
            );
        }
        let (name, dwords, wait) = (row.name(), amd(count), self.wait());
        let read = if name.starts_with("ds_write") { "ds_read_b32" } else { "ds_load_b32" };
        let data = if count == 1 { "zero".into() } else { format!("{dwords}(zero)") };
        format!(
            "asm volatile(\"{name} %0, %1\" :: \"v\"(at), \"v\"({data}) : \"memory\");\n\
             asm volatile(\"{read} %0, %1\\n\\t{wait}\" : \"=v\"(zero) : \"v\"(own) : \"memory\");\n\
             at ^= zero;"
        )
    }

    fn wait(&self) -> &'static str {
        if self.chip.starts_with("gfx12") { "s_wait_dscnt 0x0" } else { "s_waitcnt lgkmcnt(0)" }
    }

    fn host(&self) -> &'static str {
        if self.cuda { CUDA_HOST } else { HIP_HOST }
    }

    fn end(&self) -> &'static str {
        if self.cuda { "" } else { "#endif\n" }
    }
}

/// Registers of a lane: dwords, or matrices.
pub(crate) fn width(row: &Instruction) -> usize {
    matrices(row.name()).unwrap_or((row.bytes() / 4) as usize)
}

/// The PTX of an instruction.
pub(crate) fn mnemonic(row: &Instruction) -> String {
    ptx(row.name(), width(row))
}

/// The matrices of `ldmatrix.x4`.
fn matrices(name: &str) -> Option<usize> {
    name.split_once("matrix.x")?.1.parse().ok()
}

/// The PTX of an instruction of `count` registers.
fn ptx(name: &str, count: usize) -> String {
    if let Some((kind, _)) = name.split_once("matrix.x") {
        return format!("{kind}matrix.sync.aligned.m8n8.x{count}.shared.b16");
    }
    let kind = if name.starts_with("ld") { "ld" } else { "st" };
    let vector = if count == 1 { String::new() } else { format!(".v{count}") };
    format!("{kind}.volatile.shared{vector}.u32")
}

fn registers(first: usize, count: usize) -> String {
    let names: Vec<_> = (first..first + count).map(|i| format!("%{i}")).collect();
    format!("{{{}}}", names.join(", "))
}

fn found(count: usize) -> String {
    (0..count).map(|i| format!("data[{i}]")).collect::<Vec<_>>().join(" | ")
}

fn amd(count: usize) -> String {
    if count == 1 { "unsigned".into() } else { format!("Dwords{count}") }
}

// Of CUDA, of HIP, and of both.
const CUDA: &str = include_str!("source/cuda_head.cu");
const HIP: &str = include_str!("source/hip_head.hip");
const KERNEL: &str = include_str!("source/kernel.cpp");
const CUDA_HOST: &str = include_str!("source/cuda_host.cu");
const HIP_HOST: &str = include_str!("source/hip_host.hip");
const MAIN: &str = include_str!("source/main.cpp");
