//! Where an instruction finds its bytes in global memory.
//!
//! ```text
//!   ld.global.nc.v4.f32 {..}, [%rd1+16]               16 bytes at %rd1 + 16
//!   cp.async.cg.shared.global [%r1], [%rd2], 16       16 bytes at %rd2
//!   ld.f32 %f1, [%rd3]                                at %rd3, where `generic` tells that it is global
//! ```
//!
//! Two lanes of an access are taken to be less than 2 GiB apart, so that the lower halves of their addresses tell their distance.

use super::function::Instruction;
use super::row;
use super::text::Operand;
use crate::kernel::Moved;

/// The operand with an address in global memory, of a load, a store, or a copy from there.
pub(super) fn address(one: &Instruction, is_translated: bool) -> Option<&Operand> {
    moved(one, is_translated)?;
    match one.name.split('.').next()? {
        // Of what was translated the sum of the lower halves stands last.
        "ld" if is_translated => one.operands.get(2),
        "st" => one.operands.first(),
        _ => one.operands.get(1),
    }
}

/// What a lane moves between registers or shared memory and global memory.
pub(super) fn moved(one: &Instruction, is_translated: bool) -> Option<Moved> {
    let parts: Vec<&str> = one.name.split('.').collect();
    if !parts.contains(&"global") && !one.is_global {
        return None;
    }
    let bytes = match parts[0] {
        "ld" | "ldu" | "st" if is_translated => of_sass(&one.text),
        "ld" | "ldu" | "st" => row::bits(&parts)?.checked_div(8)?,
        "cp" if parts.contains(&"async") => match one.operands.get(2)? {
            Operand::Number(bytes @ (4 | 8 | 16)) => *bytes as u32,
            _ => return None,
        },
        _ => return None,
    };
    // An address that is no multiple of the bytes is a fault.
    (bytes.is_power_of_two() && bytes <= 32).then_some(Moved { bytes, alignment: bytes })
}

/// The bytes of `LDG.E.128.CONSTANT`.
fn of_sass(text: &str) -> u32 {
    let name = text.split_whitespace().next().unwrap_or("");
    let of = |part: &str| match part {
        "U8" | "S8" => Some(1),
        "U16" | "S16" => Some(2),
        "64" => Some(8),
        "128" => Some(16),
        "256" => Some(32),
        _ => None,
    };
    name.split('.').find_map(of).unwrap_or(4)
}
