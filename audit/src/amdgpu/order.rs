//! Which instructions order the waves of a block, and what a loop's end depends on.

use super::function::Instruction;
use super::text::{File, Operand, VCC, Words};
use super::wave::destination;
use crate::between::{self, Placed, Touch};
use crate::kernel::Kernel;
use crate::unordered::Unordered;

/// The writes and reads of one byte by two waves that no barrier orders.
pub(super) fn unordered(kernel: &Kernel, code: &[Instruction]) -> Vec<Unordered> {
    let touch = |at: usize| {
        let mut sum = Touch::default();
        code[at].words.iter().for_each(|words| touch(words, &mut sum));
        sum
    };
    let Some(together) = between::together(kernel, touch) else { return Vec::new() };
    let placed = kernel.sites.iter().map(|site| Placed { array: None, reached: &site.reached });
    let placed: Vec<_> = placed.collect();
    between::unordered(kernel, &[], &together, &placed)
}

/// What waits, what others may wait for, and what begins or ends such a wait: barriers, atomics, fences, sleep, calls.
const ORDERS: [&str; 10] = [
    "s_barrier",
    "s_sleep",
    "s_wakeup",
    "s_sendmsg",
    "s_swappc",
    "s_setpc",
    "s_call",
    "ds_gws",
    "buffer_wb",
    "global_wb",
];

fn orders(words: &Words) -> bool {
    let name = words.name.as_str();
    // Most instructions of a kernel, so they are told first.
    if name.starts_with("v_") {
        return false;
    }
    let is_plain = ["read", "write", "load", "store", "permute", "bpermute", "swizzle", "nop"];
    let is_atomic = match name.strip_prefix("ds_") {
        Some(rest) => !is_plain.iter().any(|one| rest.starts_with(one)),
        None => name.contains("atomic"),
    };
    let is_fence =
        ["buffer_", "global_"].iter().any(|one| name.starts_with(one)) && name.ends_with("_inv");
    is_atomic || is_fence || ORDERS.iter().any(|one| name.starts_with(one))
}

/// Numbers of the condition code and of the lanes that are on, and of the first register of each file.
const SCC: usize = 0;
const EXEC: usize = 1;
const FILE: usize = 1 << 16;

fn registers(operand: &Operand) -> Vec<usize> {
    match operand {
        Operand::Register(all) => {
            let first = all.first + (1 + all.file as usize) * FILE;
            (first..first + all.count).collect()
        }
        Operand::Exec | Operand::ExecHalf(_) => vec![EXEC],
        Operand::Scc => vec![SCC],
        _ => Vec::new(),
    }
}

/// Adds what an instruction touches: of scalar ones the condition code, too.
fn touch(words: &Words, sum: &mut Touch) {
    let name = words.name.as_str();
    let memory = ["ds_", "global_", "flat_", "buffer_", "tbuffer_", "scratch_", "s_"];
    let loads = ["_load", "_read", "_atomic", "_rtn"].iter().any(|one| name.contains(one));
    sum.loads |= loads && memory.iter().any(|one| name.starts_with(one));
    sum.branches |= name.starts_with("s_cbranch");
    sum.orders |= orders(words);
    sum.reads.extend(words.operands.iter().flat_map(registers));
    let vcc = VCC + (1 + File::S as usize) * FILE;
    match name.strip_prefix("s_cbranch_") {
        Some(rest) if rest.starts_with("vcc") => sum.reads.extend([vcc, vcc + 1]),
        Some(rest) if rest.starts_with("exec") => sum.reads.push(EXEC),
        _ if name.starts_with("s_") => sum.reads.push(SCC),
        _ => {}
    }
    sum.writes.extend(destination(words).into_iter().flat_map(registers));
    let is_lanes = |one: &&Operand| matches!(one, Operand::Exec | Operand::ExecHalf(_));
    if name.starts_with("s_") {
        sum.writes.push(SCC);
    }
    if name.contains("saveexec")
        || name.contains("cmpx")
        || words.operands.first().filter(is_lanes).is_some()
    {
        sum.writes.push(EXEC);
    }
    // A carry.
    let is_mask = |one: &&Operand| one.scalar().is_some();
    sum.writes.extend(words.operands.get(1).filter(is_mask).into_iter().flat_map(registers));
}
