//! Which instructions order the warps of a block, and what a loop's end depends on.

use super::flow::{destinations, read, sources};
use super::function::{Function, Instruction};
use crate::between::{self, Placed, Together, Touch};
use crate::kernel::{Array, Kernel, Within};
use crate::unordered::Unordered;

/// Accesses that are together, if there are any.
pub(super) fn together(kernel: &Kernel, function: &Function) -> Option<Together> {
    between::together(kernel, |at| touch(&function.code[at]))
}

/// The writes and reads of one byte by two warps that no barrier orders.
pub(super) fn unordered(
    kernel: &Kernel,
    arrays: &[Array],
    within: &[Option<Within>],
    together: &Together,
) -> Vec<Unordered> {
    let mut placed = Vec::new();
    for (at, site) in kernel.sites.iter().enumerate() {
        placed.push(match within.get(at) {
            Some(Some(within)) => Placed { array: Some(within.array), reached: &within.reached },
            _ => Placed { array: None, reached: &site.reached },
        });
    }
    between::unordered(kernel, arrays, together, &placed)
}

/// Words of loads and stores that order others, or that waves wait for.
const STRONG: [&str; 6] = ["volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"];

/// Returns whether an instruction waits, others may wait for it, or it begins or ends such a wait: barriers, atomics, fences,
/// sleep, calls.
fn orders(one: &Instruction) -> bool {
    let mut parts = one.name.split('.');
    match parts.next().unwrap_or("") {
        // Of a warp's own lanes.
        "bar" if one.name.starts_with("bar.warp") => false,
        "bar" | "barrier" | "mbarrier" | "atom" | "red" | "fence" | "membar" | "nanosleep"
        | "call" | "multimem" | "griddepcontrol" | "unknown" => true,
        _ => parts.any(|part| STRONG.contains(&part)),
    }
}

fn touch(one: &Instruction) -> Touch {
    let base = one.name.split('.').next().unwrap_or("");
    let mut reads = sources(one);
    let branches = ["bra", "brx"].contains(&base) || one.guard.is_some() && base == "ret";
    if branches {
        one.operands.iter().for_each(|operand| read(operand, &mut reads));
    }
    let loads =
        ["ld", "ldu", "ldmatrix", "atom", "tex", "tld4", "suld", "mbarrier"].contains(&base);
    Touch { reads, writes: destinations(one), loads, branches, orders: orders(one) }
}
