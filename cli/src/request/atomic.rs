//! Atomics by their names. No source says how the banks serve them, so each is taken as a read of its width, in which lanes
//! of one address are served at once: more is not certain. AMD counts lanes of one address apart (`SQ_LDS_ADDR_CONFLICT`).
//!
//! ```text
//!   ds_add_u32, ds_add_rtn_u64, ds_max_f32, ds_cmpst_b32      as ds_read_b32, ds_read_b64
//!   atom.shared.add.u32, red.shared.max.s64, ATOMS.ADD        as ld.shared.b32, ld.shared.b64
//! ```

use tiledesc::chip::{Chip, Instruction};

/// Why the phases of an atomic are those of a read.
const REASON: &str = "as a read of its width; no source says how atomics are served, and lanes of one address may take longer";

/// What AMD's atomics do: the word behind `ds_`.
const AMD: [&str; 22] = [
    "add",
    "sub",
    "rsub",
    "inc",
    "dec",
    "min",
    "max",
    "and",
    "or",
    "xor",
    "mskor",
    "wrxchg",
    "storexchg",
    "cmpst",
    "cmpstore",
    "wrap",
    "pk",
    "condxchg32",
    "cond",
    "subrev",
    "fadd",
    "bitop",
];

/// The row of an atomic on a chip, if that is what a name calls.
pub(crate) fn row(op: &str, chip: &Chip) -> Option<Instruction> {
    let bits = match chip.name().starts_with("sm_") {
        true => of_nvidia(op)?,
        false => of_amd(op)?,
    };
    let (like, name) = match (chip.name().starts_with("sm_"), bits) {
        (true, 32) => ("ld.shared.b32", "atom.shared.b32"),
        (true, 64) => ("ld.shared.b64", "atom.shared.b64"),
        (false, 32) => ("ds_read_b32", "ds_atomic_b32"),
        (false, 64) => ("ds_read_b64", "ds_atomic_b64"),
        _ => return None,
    };
    chip.instruction(like).ok().map(|row| row.named(name).inferred(REASON))
}

/// The bits of `ds_add_rtn_u32`.
fn of_amd(op: &str) -> Option<u32> {
    let parts: Vec<&str> = op.strip_prefix("ds_")?.split('_').collect();
    let (first, last) = (parts.first()?, parts.last()?);
    if !AMD.contains(first) || parts.len() < 2 {
        return None;
    }
    match *last {
        "u32" | "i32" | "b32" | "f32" | "f16" | "bf16" | "rtn"
            if *first == "pk" || *last != "f16" =>
        {
            Some(32)
        }
        "u64" | "i64" | "b64" | "f64" => Some(64),
        _ => None,
    }
}

/// The bits of `atom.shared.add.u32`, of `red.shared.add.u64`, of `ATOMS.ADD.64`.
fn of_nvidia(op: &str) -> Option<u32> {
    let parts: Vec<&str> = op.split('.').collect();
    let (first, rest) = parts.split_first()?;
    match *first {
        "ATOMS" if rest.contains(&"64") => Some(64),
        "ATOMS" => Some(32),
        "atom" | "red" if rest.iter().any(|part| part.starts_with("shared")) => {
            match *rest.last()? {
                "u32" | "s32" | "b32" | "f32" | "f16x2" | "bf16x2" => Some(32),
                "u64" | "s64" | "b64" | "f64" => Some(64),
                _ => None,
            }
        }
        _ => None,
    }
}
