//! What ptxas makes one instruction of several: neighbours that one register addresses.
//!
//! ```text
//!   ld.shared.f32 %f1, [%r5];         LDS.128 R4, [R0.X16]       four lanes' words each 16 bytes apart: 4-way one by one,
//!   ld.shared.f32 %f2, [%r5+4];                                  and free as what runs
//!   ld.shared.f32 %f3, [%r5+8];
//!   ld.shared.f32 %f4, [%r5+12];
//! ```
//!
//! It is a model, and says so at each line. It joins only where ptxas was seen to (13.5.37, 55 forms for sm_80 and sm_90, and
//! 400 random programs for sm_80, `tests/joins.rs`):
//!
//! | joined | |
//! |---|---|
//! | loads, or stores, of 2, 4 or 8 bytes each, into one of 4, 8 or 16 | not of 1 byte, nor `volatile`, nor under a guard |
//! | of one block, by one register and constants | the register is not written in between |
//! | with nothing in between that may touch the same bytes | a store between loads, a barrier, an atomic |
//! | stores that follow each other | loads in any order |
//! | all of the wide one, at a multiple of its bytes | a variable lies at a multiple of 16 if it is the only one, or says so |

use super::flow::destinations;
use super::function::{Function, Instruction};
use super::program::Text;
use super::row;
use super::text::{Name, Operand, Register};
use crate::graph::Graph;
use crate::kernel::{Kernel, Reached, Row, Unjudged};
use crate::value::Value;
use std::collections::BTreeMap;

/// A register in which an address was made, and how often it was written before.
type Base = (Register, usize);

/// Accesses of one base, by their distance from it.
type Group = BTreeMap<i64, usize>;

/// Accesses that may be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    is_store: bool,
    bytes: u32,
    base: Base,
}

/// Makes one access of those that ptxas joins, in the place of the first; the others are parts of it.
pub(super) fn join(kernel: &mut Kernel, function: &Function, text: &Text) {
    let place: BTreeMap<usize, usize> =
        kernel.sites.iter().enumerate().map(|(site, one)| (one.at, site)).collect();
    for (kind, group) in groups(function, &kernel.graph) {
        let sites: Option<Group> =
            group.into_iter().map(|(far, at)| Some((far, *place.get(&at)?))).collect();
        let Some(mut sites) = sites else { continue };
        let mut order: Vec<usize> = sites.values().copied().collect();
        order.sort_unstable();
        // Stores stay in the order of the text: those in between would have to move.
        let are_neighbours = |parts: &[usize]| {
            let begin =
                parts.iter().min().and_then(|first| order.iter().position(|one| one == first));
            begin.is_some_and(|begin| {
                order[begin..].iter().take(parts.len()).all(|one| parts.contains(one))
            })
        };
        for wide in [16, 8, 4].into_iter().filter(|wide| *wide > kind.bytes) {
            let begins: Vec<i64> = sites.keys().copied().collect();
            for begin in begins {
                let parts: Option<Vec<usize>> = (0..wide / kind.bytes)
                    .map(|i| sites.get(&(begin + i64::from(i * kind.bytes))).copied())
                    .collect();
                if let Some(parts) = parts.filter(|parts| is_joined(kernel, text, parts[0], wide))
                    && (!kind.is_store || are_neighbours(&parts))
                    && merge(kernel, &parts, wide, kind.is_store)
                {
                    sites.retain(|_, site| !parts.contains(site));
                }
            }
        }
    }
}

/// Returns whether an access, made wider, is at a multiple of its bytes in every wave.
fn is_joined(kernel: &Kernel, text: &Text, first: usize, wide: u32) -> bool {
    let Some(Some(within)) = kernel.within.get(first) else { return false };
    let zeros = text.symbols.values().nth(within.array).copied().unwrap_or(0);
    let is_begin = text.symbols.len() == 1 || zeros >= wide.trailing_zeros();
    let is_at = |one: &Reached| match (&one.address, one.on) {
        (Value::Sum { k, f }, Some(on)) => {
            let is_on = |lane: &usize| on >> lane & 1 == 1;
            *k >= wide.trailing_zeros()
                && (0..kernel.wave).filter(is_on).all(|lane| f.get(lane).is_multiple_of(wide))
        }
        _ => false,
    };
    is_begin && !within.reached.is_empty() && within.reached.iter().all(is_at)
}

/// Joins accesses, in the order of their bytes; whether they are joined.
fn merge(kernel: &mut Kernel, parts: &[usize], wide: u32, is_store: bool) -> bool {
    let name = format!("{}.shared.b{}", if is_store { "st" } else { "ld" }, 8 * wide);
    let Ok(row) = kernel.chip.instruction(&name) else { return false };
    let mut reached = kernel.sites[parts[0]].reached.clone();
    for part in parts {
        let others = &kernel.sites[*part].reached;
        let is_same = |(a, b): (&Reached, &Reached)| a.wave == b.wave && a.on == b.on;
        if others.len() != reached.len() || !reached.iter().zip(others).all(is_same) {
            return false;
        }
    }
    // What lanes store to one byte is compared word by word.
    for (i, one) in reached.iter_mut().enumerate() {
        one.stored =
            parts.iter().flat_map(|part| kernel.sites[*part].reached[i].stored.clone()).collect();
        if one.stored.len() != wide as usize / 4 {
            one.stored.clear();
        }
    }
    let (within, Some(first)) = (kernel.within[parts[0]].clone(), parts.iter().min()) else {
        return false;
    };
    let joined = parts.len() as u32;
    for part in parts {
        kernel.apart.push((*part, kernel.sites[*part].clone()));
        kernel.sites[*part].access = Err(Unjudged::Joined);
    }
    let site = &mut kernel.sites[*first];
    site.access = Ok(Row { row: *row, offset: 0, times: 1, joined });
    site.reached = reached;
    kernel.within[*first] = within;
    true
}

/// Plain accesses of one base, with nothing in between that may touch their bytes.
fn groups(function: &Function, graph: &Graph) -> Vec<(Kind, Group)> {
    let mut done = Vec::new();
    for block in &graph.blocks {
        let mut open: BTreeMap<Kind, Group> = BTreeMap::new();
        let mut writes: BTreeMap<Register, usize> = BTreeMap::new();
        // Registers that are a base and a constant.
        let mut sums: BTreeMap<Register, (Base, i64)> = BTreeMap::new();
        for at in block.clone() {
            let one = &function.code[at];
            let base = |register: Register| {
                let plain = ((register, writes.get(&register).copied().unwrap_or(0)), 0);
                sums.get(&register).copied().unwrap_or(plain)
            };
            let access = plain(one).map(|(is_store, bytes, register, far)| {
                let (base, begin) = base(register);
                (Kind { is_store, bytes, base }, begin.wrapping_add(far))
            });
            let touches = may_touch(one);
            // Loads among loads, stores among stores of the same base.
            let stays = |open: &Kind| match &access {
                Some((kind, _)) if kind.is_store => open == kind,
                Some(_) => !open.is_store,
                None => !touches,
            };
            let ended: BTreeMap<Kind, Group>;
            (open, ended) = open.into_iter().partition(|(kind, _)| stays(kind));
            done.extend(ended);
            if let Some((kind, far)) = access {
                open.entry(kind).or_default().entry(far).or_insert(at);
            }
            let sum = sum(one).map(|(to, from, far)| {
                let (base, begin) = base(from);
                (to, (base, begin.wrapping_add(far)))
            });
            for register in destinations(one) {
                *writes.entry(register).or_insert(0) += 1;
                sums.remove(&register);
            }
            sums.extend(sum);
        }
        done.extend(open);
    }
    done.retain(|(_, group)| group.len() > 1);
    done
}

/// `add.s32 %r6, %r5, 4`: a register that is another and a constant.
fn sum(one: &Instruction) -> Option<(Register, Register, i64)> {
    let [
        Operand::Name(Name::Register(to)),
        Operand::Name(Name::Register(from)),
        Operand::Number(far),
    ] = &one.operands[..]
    else {
        return None;
    };
    let is_sum =
        one.guard.is_none() && ["add.s32", "add.u32", "add.s64", "add.u64"].contains(&&*one.name);
    is_sum.then_some((*to, *from, *far))
}

/// A load or a store that is joined with others: whether it stores, its bytes, the register and the constant of its address.
fn plain(one: &Instruction) -> Option<(bool, u32, Register, i64)> {
    let parts: Vec<&str> = one.name.split('.').collect();
    let (base, rest) = parts.split_first()?;
    let is_plain =
        |part: &&str| ["weak", "shared", "shared::cta", "v2", "v4"].contains(part) || is_type(part);
    let is_one = ["ld", "st"].contains(base) && one.guard.is_none();
    if !is_one || !parts.iter().any(|part| part.starts_with("shared")) || !rest.iter().all(is_plain)
    {
        return None;
    }
    let bytes = row::bits(&parts)? / 8;
    match row::address(one)? {
        Operand::Address(Some(Name::Register(register)), far) if [2, 4, 8].contains(&bytes) => {
            Some((*base == "st", bytes, *register, *far))
        }
        _ => None,
    }
}

/// `f32`, `bf16`, `b64`
fn is_type(part: &str) -> bool {
    let bits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
    !part.starts_with('v') && part.len() > bits.len() && ["16", "32", "64"].contains(&bits)
}

/// Returns whether an instruction may touch shared memory, or waits for others that do.
fn may_touch(one: &Instruction) -> bool {
    if one.is_global {
        return false;
    }
    let parts: Vec<&str> = one.name.split('.').collect();
    let elsewhere = ["global", "local", "const", "param", "param::entry", "param::func"];
    match parts[0] {
        "ld" | "st" | "ldu" | "atom" | "red" => !parts.iter().any(|part| elsewhere.contains(part)),
        "prefetch" | "prefetchu" => false,
        base => {
            ["bar", "barrier", "membar", "fence", "call", "cp", "mbarrier", "ldmatrix", "stmatrix"]
                .contains(&base)
                || [
                    "wmma",
                    "wgmma",
                    "tcgen05",
                    "multimem",
                    "st",
                    "elect",
                    "griddepcontrol",
                    "nanosleep",
                ]
                .contains(&base)
        }
    }
}
