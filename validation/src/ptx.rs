//! The measurement for a machine that has NVIDIA's driver and no compiler: PTX, with the addresses in its comments,
//! which `run_ptx.py` loads through the driver.

use crate::list::patterns;
use crate::pattern::Pattern;
use crate::source::{ACCESSES, UNROLLED, dwords, entry, function, mnemonic, width};
use core::fmt::Write;
use std::collections::BTreeMap;
use tiledesc::chip::{self, ChipError};
use tiledesc::chip::{Access, Instruction};

/// Kernels in PTX, below a comment a pattern: name, instruction, fingerprint, kernel, addresses.
///
/// `None` for a chip that is not NVIDIA's.
///
/// ```
/// let text = tiledesc_validation::ptx::program("sm_90").unwrap().unwrap();
/// assert!(text.contains("ld.volatile.shared.v2.u32 {%d0, %d1}, [%at];"));
/// assert!(tiledesc_validation::ptx::program("gfx942").unwrap().is_none());
/// ```
///
/// # Errors
///
/// [`ChipError`]: no rows of this chip.
pub fn program(chip: &str) -> Result<Option<String>, ChipError> {
    let wave = chip::find(chip)?.wave();
    let all = patterns(chip)?;
    if !chip.starts_with("sm_") {
        return Ok(None);
    }
    let mut text = format!("//# chip {chip}\n//# accesses {ACCESSES}\n");
    for pattern in &all {
        let _ = writeln!(text, "//@ {}", comment(pattern, wave));
    }
    // The oldest version that has the chip would do; drivers take any that is not newer than they are.
    let version = if chip.len() > "sm_90".len() { "8.8" } else { "7.8" };
    let _ = writeln!(text, ".version {version}\n.target {chip}\n.address_size 64\n");
    let rows: BTreeMap<_, _> =
        all.iter().map(Pattern::instruction).map(|row| (row.name(), row)).collect();
    for row in rows.values() {
        text.push_str(&kernel(row, 4 * dwords(&all)));
    }
    Ok(Some(text))
}

fn comment(pattern: &Pattern, wave: u32) -> String {
    let instruction = pattern.instruction().name();
    let hash = pattern.fingerprint().unwrap_or(0);
    let addresses: Vec<_> = (0..wave).map(|lane| entry(pattern, lane).to_string()).collect();
    let (name, kernel) = (pattern.name(), function(instruction));
    format!("{name},{instruction},{hash:08x},{kernel},{}", addresses.join(","))
}

fn kernel(row: &Instruction, bytes: u32) -> String {
    let body = body(row).repeat(UNROLLED as usize);
    let text = KERNEL.replace("NAME", &function(row.name())).replace("BYTES", &bytes.to_string());
    let text = text.replace("TIMES", &(ACCESSES / UNROLLED).to_string());
    text.replace("BODY", body.trim_end())
}

fn body(row: &Instruction) -> String {
    let count = width(row);
    let mnemonic = mnemonic(row);
    let one = count == 1 && !mnemonic.contains("matrix");
    let list = |name: &dyn Fn(usize) -> String| {
        let names = (0..count).map(name).collect::<Vec<_>>().join(", ");
        if one { names } else { format!("{{{names}}}") }
    };
    if row.access() == Access::Write {
        let zeros = list(&|_| "%zero".into());
        return format!(
            "    {mnemonic} [%at], {zeros};\n    ld.volatile.shared.u32 %zero, [%own];\n    \
             xor.b32 %at, %at, %zero;\n"
        );
    }
    let mut text = format!("    {mnemonic} {}, [%at];\n", list(&|i| format!("%d{i}")));
    for i in 1..count {
        let _ = writeln!(text, "    or.b32 %d0, %d0, %d{i};");
    }
    text + "    xor.b32 %at, %at, %d0;\n"
}

const KERNEL: &str = include_str!("source/kernel.ptx");
