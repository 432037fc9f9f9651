//! The row of an instruction on shared memory, or why it has none.
//!
//! ```text
//!   ld.shared.v4.b32                                 ld.shared.b128
//!   ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16   ldmatrix.x4.trans
//!   ld.f32 of an address that came from shared memory    ld.shared.b32
//!   cp.async.cg.shared.global [..], [..], 16         st.shared.b128: the bytes that it writes to shared memory
//! ```

use super::flow::SPACES;
use super::fragment::Fragment;
use super::function::Instruction;
use super::text::{Name, Operand};
use crate::kernel::{Row, Unjudged};
use tiledesc::chip::Chip;

/// The operand with an address in shared memory, of an instruction that has a row.
pub(crate) fn address(one: &Instruction) -> Option<&Operand> {
    match one.name.split('.').next()? {
        "ld" | "ldmatrix" => one.operands.get(1),
        "st" | "stmatrix" | "cp" => one.operands.first(),
        "wmma" if one.name.starts_with("wmma.load.") => one.operands.get(1),
        "wmma" if one.name.starts_with("wmma.store.") => one.operands.first(),
        _ => None,
    }
}

/// Its name, with the bytes of a copy; of what was translated that in the text.
pub(crate) fn named(one: &Instruction, is_translated: bool) -> String {
    if is_translated {
        return one.text.split_whitespace().next().unwrap_or("").to_string();
    }
    match (one.name.split('.').next(), one.operands.get(2)) {
        (Some("cp"), Some(Operand::Number(bytes))) => format!("{} {bytes}", one.name),
        _ => one.name.to_string(),
    }
}

/// The row of an instruction, or why it has none; `None` if it does not touch shared memory. With `in_shared` its address, if
/// it is generic, is one of shared memory.
pub(crate) fn find(
    one: &Instruction,
    in_shared: bool,
    chip: &Chip,
) -> Option<Result<Row, Unjudged>> {
    let row = |(name, times): (String, u32)| match chip.instruction(&name) {
        Ok(row) => Ok(Row { row: *row, offset: 0, times, joined: 1 }),
        Err(_) => Err(Unjudged::NoRow),
    };
    name(one, in_shared).transpose().map(|found| found.and_then(row))
}

/// The name of its row, and how many of it there are.
fn name(one: &Instruction, in_shared: bool) -> Result<Option<(String, u32)>, Unjudged> {
    let parts: Vec<&str> = one.name.split('.').collect();
    let has = |word: &str| parts.contains(&word);
    let is_generic = !SPACES.iter().any(|one| has(one));
    // Matrices lie in shared memory, whatever the address.
    let in_shared = in_shared || ["ldmatrix", "stmatrix"].contains(&parts[0]);
    let is_shared = has("shared") || has("shared::cta") || is_generic && in_shared;
    let has_space = !is_generic || is_shared;
    let name = match parts[0] {
        _ if one.is_global => return Ok(None),
        "ld" | "st" if has("async") || has("bulk") => return Err(Unjudged::Cluster),
        _ if has("shared::cluster") && parts[0] != "tcgen05" && !has("bulk") => {
            return Err(Unjudged::Cluster);
        }
        "ld" | "st" | "ldmatrix" | "stmatrix" | "ldu" if !has_space => {
            return Err(Unjudged::Generic);
        }
        "ld" | "st" | "ldmatrix" | "stmatrix" if !is_shared => return Ok(None),
        "ld" | "st" => format!("{}.shared.b{}", parts[0], bits(&parts).ok_or(Unjudged::NoRow)?),
        "ldmatrix" | "stmatrix" => matrices(&parts),
        "cp" if has("bulk") && (is_shared || has("shared::cluster")) => return Err(Unjudged::Bulk),
        "cp" if has("bulk") => return Ok(None),
        "cp" if has("async") && is_shared && !has("mbarrier") => match one.operands.get(2) {
            Some(Operand::Number(bytes @ (4 | 8 | 16))) => format!("st.shared.b{}", 8 * bytes),
            _ => return Err(Unjudged::NoRow),
        },
        "cp" if has("mbarrier") => return Err(Unjudged::Barrier),
        "atom" | "red" if is_shared => return Err(Unjudged::Atomic),
        "atom" | "red" if !has_space => return Err(Unjudged::Generic),
        "wmma" if is_shared => {
            let found = Fragment::from_instruction(one).ok_or(Unjudged::NoRow)?;
            return Ok(Some((found.row.to_string(), found.times)));
        }
        "wmma" if (has("load") || has("store")) && !has_space => return Err(Unjudged::Generic),
        "mbarrier" => return Err(Unjudged::Barrier),
        "tcgen05" if has("commit") || has("alloc") => return Err(Unjudged::Barrier),
        "tcgen05" if has("mma") || has("cp") => return Err(Unjudged::Descriptor),
        "wgmma" if has("mma_async") => return Err(Unjudged::Descriptor),
        "call" if !is_of_system(one) => return Err(Unjudged::Call),
        _ => return Ok(None),
    };
    Ok(Some((name, 1)))
}

/// The functions behind `printf` and `assert`, which every driver has: they touch no variable of the program's shared memory.
///
/// Source: NVIDIA, "PTX Writer's Guide to Interoperability", "System Calls".
const OF_SYSTEM: [&str; 2] = ["vprintf", "__assertfail"];

/// `call.uni (retval0), vprintf, (param0, param1)`
fn is_of_system(one: &Instruction) -> bool {
    let named = one.operands.iter().find_map(|operand| match operand {
        Operand::Name(Name::Symbol(name)) => Some(&**name),
        _ => None,
    });
    named.is_some_and(|name| OF_SYSTEM.contains(&name))
}

/// The bits of `v4.b32`.
pub(super) fn bits(parts: &[&str]) -> Option<u32> {
    let bits = parts.last()?.get(1..)?.parse::<u32>().ok()?;
    let count =
        parts.iter().find_map(|part| part.strip_prefix('v')?.parse::<u32>().ok()).unwrap_or(1);
    bits.checked_mul(count)
}

/// `ldmatrix.x4.trans`, `ldmatrix.m16n16.x1.trans.b8`
fn matrices(parts: &[&str]) -> String {
    let kept =
        |part: &&&str| !["sync", "aligned", "m8n8", "shared", "shared::cta", "b16"].contains(*part);
    parts.iter().filter(kept).copied().collect::<Vec<_>>().join(".")
}
