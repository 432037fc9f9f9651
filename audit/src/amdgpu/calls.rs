//! What a call by a register may write.
//!
//! ```text
//!   s_swappc_b64 s[58:59], s[12:13]             a call: of any code whose label was named for an address,
//!   label_gelu: .. s_setpc_b64 s[58:59]         up to the jump back
//! ```
//!
//! A call may write the registers that its code names, and no others. Where the code does more than name registers (a loop over
//! `exec`, an access of LDS, a call in a call), the call may write any register.

use super::function::Instruction;
use super::jumps::{Jumps, address, entered, jump, pair};
use super::text::{Half, Operand, Register, Words};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions from `s_getpc_b64` to the carry.
const COMPUTED: usize = 4;

impl Jumps<'_> {
    /// Gives jumps by a register their targets, and calls the registers that they may write.
    pub(super) fn resolve(&self, code: &mut [Instruction]) {
        self.resolve_jumps(code);
        let calls: Vec<_> = (0..code.len()).filter(|at| call(&code[*at]).is_some()).collect();
        let Some([back, by]) = calls.first().and_then(|at| call(&code[*at])) else { return };
        if calls.iter().any(|at| call(&code[*at]) != Some([back, by])) {
            return;
        }
        let begins = self.called(code, &calls, by);
        let Some(written) = begins.and_then(|begins| written(code, begins, back)) else { return };
        // A call may not write where the next one goes.
        if written.iter().any(|one| Operand::Register(*one).overlaps(by)) {
            return;
        }
        for at in calls {
            if let [words] = &mut code[at].words[..] {
                words.modifiers.push((FOLLOWED.to_string(), String::new()));
                code[at].words.extend(written.iter().map(|one| Words::unknown(*one)));
            }
        }
    }

    /// The code that calls go to by a register pair, if on each way to them it got the address of some.
    fn called(&self, code: &[Instruction], calls: &[usize], by: Register) -> Option<Vec<usize>> {
        let (from, entered) = (sources(code), entered(code));
        let (mut open, mut seen) = (calls.to_vec(), BTreeSet::new());
        let mut begins = Vec::new();
        // The instructions that compute an address in one go.
        let mut computed = BTreeSet::new();
        let goes = (0..code.len()).filter(|at| address(&code[*at]) == Some(by));
        let addresses: BTreeMap<_, _> = goes
            .filter_map(|at| {
                let end = code.len().min(at + COMPUTED);
                self.named.range(at..end).next()?;
                let is_entered = entered.range(at + 1..end).next().is_some();
                let target = self.target(code, at, end, by).filter(|_| !is_entered)?;
                computed.extend(at + 1..end);
                Some((at, target))
            })
            .collect();
        while let Some(at) = open.pop() {
            let before = from.get(&at).map_or(&[][..], Vec::as_slice);
            if at == 0 || before.is_empty() {
                return None;
            }
            for &at in before.iter().filter(|at| seen.insert(**at)) {
                if computed.contains(&at) || !code[at].words.iter().any(|one| writes(one, by)) {
                    open.push(at);
                } else {
                    begins.push(*addresses.get(&at)?);
                }
            }
        }
        Some(begins)
    }
}

/// The instructions from which each is reached.
fn sources(code: &[Instruction]) -> BTreeMap<usize, Vec<usize>> {
    let mut from: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, one) in code.iter().enumerate() {
        let name = one.words[0].name.as_str();
        let goes_on = name != "s_branch" && jump(one).is_none() && !name.starts_with("s_endpgm");
        let next = goes_on.then_some(at + 1);
        next.into_iter().chain(one.target).for_each(|next| from.entry(next).or_default().push(at));
    }
    from
}

/// Returns whether an instruction may write one of these scalars. Those on vectors write a mask as their second operand.
fn writes(words: &Words, register: Register) -> bool {
    let places = if words.name.starts_with("v_") { 2 } else { 1 };
    words.operands.iter().take(places).any(|one| one.overlaps(register))
}

/// The modifier of a call that writes no more than the words behind it say.
pub(super) const FOLLOWED: &str = "followed";

/// The register pair that a call leaves the way back in, and the pair that it goes by.
fn call(one: &Instruction) -> Option<[Register; 2]> {
    match &one.words[..] {
        [words] if words.name.starts_with("s_swappc") => {
            Some([pair(words.operands.first())?, pair(words.operands.get(1))?])
        }
        _ => None,
    }
}

/// The registers that code names, from these instructions to the jumps back; `None` if it does what is not followed.
fn written(
    code: &[Instruction],
    mut open: Vec<usize>,
    back: Register,
) -> Option<BTreeSet<Register>> {
    let mut registers = BTreeSet::from_iter(back.each());
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        let one = code.get(at)?;
        let [words] = &one.words[..] else { return None };
        let name = words.name.as_str();
        if name.starts_with("s_endpgm") || jump(one) == Some(back) {
            continue;
        }
        // The way back is the one that the call left.
        let is_way_back = |operand: &Operand| operand.overlaps(back);
        if !names_what_it_writes(words) || words.operands.iter().any(is_way_back) {
            return None;
        }
        for operand in &words.operands {
            match operand {
                Operand::Register(one) => registers.extend(one.each()),
                Operand::Exec | Operand::ExecHalf(Half::Low | Half::High) | Operand::Other
                    if words.operands.first() == Some(operand) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        if name == "s_branch" || name.starts_with("s_cbranch") {
            open.push(one.target?);
        }
        if name != "s_branch" {
            open.push(at + 1);
        }
    }
    Some(registers)
}

/// Returns whether an instruction of a call writes only registers that it names. Stores by buffer may write what was spilled.
fn names_what_it_writes(words: &Words) -> bool {
    const FAMILIES: [&str; 4] = ["v_", "s_", "buffer_load", "global_"];
    const MORE: [&str; 17] = [
        "setpc",
        "swappc",
        "call",
        "cmpx",
        "movrel",
        "idx",
        "mode",
        "setreg",
        "vskip",
        "msb",
        "barrier",
        "saveexec",
        "wrexec",
        "lds",
        "writelane",
        "mfma",
        "wmma",
    ];
    FAMILIES.iter().any(|family| words.name.starts_with(family))
        && !MORE.iter().any(|part| words.name.contains(part))
        && words.modifier("lds").is_none()
}
