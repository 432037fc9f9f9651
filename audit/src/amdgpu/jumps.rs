//! Where a jump by a register goes.
//!
//! A branch reaches 128 KiB. LLVM and Tensile go further by an address:
//!
//! ```text
//!   s_getpc_b64 s[80:81]                        a jump: to the label, if the sum is the label's distance,
//!   s_add_i32 s82, label_end, 4                 or to the address that the numbers add up to,
//!   s_add_u32 s80, s80, s82                     in a disassembly
//!   s_addc_u32 s81, s81, 0
//!   s_setpc_b64 s[80:81]
//! ```

use super::distance::{Distance, Run};
use super::function::Instruction;
use super::text::{Half, Operand, Register};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The facts of a function by which its jumps are resolved; instructions are counted from 0.
pub(super) struct Jumps<'f> {
    /// The instructions behind labels.
    pub(super) labels: &'f BTreeMap<String, usize>,
    /// The instructions at addresses, as a disassembler prints them.
    pub(super) addresses: &'f BTreeMap<u64, usize>,
    /// The distances to labels that instructions add.
    pub(super) named: &'f BTreeMap<usize, Distance>,
}

impl Jumps<'_> {
    pub(super) fn resolve_jumps(&self, code: &mut [Instruction]) {
        let before = entered(code);
        let mut resolved = Vec::new();
        for begin in 0..code.len() {
            let Some(register) = address(&code[begin]) else { continue };
            let Some(end) = end_of_jump(code, begin, register, &before) else { continue };
            let Some(target) = self.target(code, begin, end, register) else { continue };
            lead(&mut code[begin..end], register, Some(target));
            resolved.push((begin, end, register));
        }
        // No jump whose target is known by now may enter the computation of another.
        let after = entered(code);
        for (begin, end, register) in resolved {
            if end_of_jump(code, begin, register, &after).is_none() {
                lead(&mut code[begin..end], register, None);
            }
        }
    }

    /// The target of a jump whose address is computed between two instructions.
    pub(super) fn target(
        &self,
        code: &[Instruction],
        begin: usize,
        end: usize,
        register: Register,
    ) -> Option<usize> {
        /// A distance in bytes that no program adds by itself.
        const FAR: i32 = 0x5a_d3f8;
        let Some(first) = self.named.range(begin..end).next() else {
            // The address is that of the instruction behind `s_getpc_b64`.
            let from = address_of(self.addresses, begin + 1)?;
            let distance = self.distance(code, begin, end, register, None)?;
            return self.addresses.get(&from.wrapping_add(distance)).copied();
        };
        let label = &first.1.label;
        let target = *self.labels.get(label)?;
        // Nobody knows how far it is, so any distance must add up to itself.
        let sign = if target > begin { 1 } else { -1 };
        let adds_up = |far: i32| {
            let found = self.distance(code, begin, end, register, Some((label, far)));
            found == Some(i64::from(far).cast_unsigned())
        };
        [FAR, 3 * FAR].iter().all(|far| adds_up(sign * far)).then_some(target)
    }

    /// What is added to the address that `s_getpc_b64` gives, up to the jump or to the end, if a label is so far away.
    fn distance(
        &self,
        code: &[Instruction],
        begin: usize,
        end: usize,
        register: Register,
        label: Option<(&String, i32)>,
    ) -> Option<u64> {
        let mut run = Run::default();
        let mut at = begin + 1;
        while at < end && jump(&code[at]) != Some(register) {
            let [words] = &code[at].words[..] else { return None };
            run.named = self.named.get(&at).and_then(|one| self.named(one, at, begin, label?));
            at = if run.branches(words)? {
                code[at].target.filter(|target| *target > at)?
            } else {
                at + 1
            };
            run.step(words, register)?;
        }
        run.carry.is_none().then_some(run.distance)
    }

    /// The word of a distance that an instruction adds, if its label is so far behind `s_getpc_b64`.
    fn named(
        &self,
        one: &Distance,
        at: usize,
        begin: usize,
        (label, far): (&String, i32),
    ) -> Option<i32> {
        let word = match &one.from {
            Some((from, half)) if self.labels.get(from) == Some(&(begin + 1)) => match half {
                Half::Low => far,
                Half::High => far >> 31,
            },
            // The first instruction's own 4 bytes come before those of the distance.
            None if at == begin + 1 => far - 4,
            _ => return None,
        };
        (one.label == *label).then_some(word)
    }
}

/// The most instructions from `s_getpc_b64` to the last jump. The longest that is known computes on 9 lines.
const LONGEST: usize = 16;

/// The address of an instruction: they rise together.
fn address_of(addresses: &BTreeMap<u64, usize>, at: usize) -> Option<u64> {
    let (mut low, mut high) = (*addresses.keys().next()?, *addresses.keys().next_back()?);
    while low <= high {
        let middle = low + (high - low) / 2;
        let (address, found) = addresses.range(middle..).next()?;
        match found.cmp(&at) {
            Ordering::Equal => return Some(*address),
            Ordering::Less => low = address.checked_add(1)?,
            Ordering::Greater => high = middle.checked_sub(1)?,
        }
    }
    None
}

/// The register pair that a jump goes by.
pub(super) fn jump(one: &Instruction) -> Option<Register> {
    match &one.words[..] {
        [words] if words.name.starts_with("s_setpc") => pair(words.operands.first()),
        _ => None,
    }
}

pub(super) fn pair(operand: Option<&Operand>) -> Option<Register> {
    operand?.scalar().filter(|one| one.count == 2)
}

/// Gives the jumps by a register pair among these instructions their target.
fn lead(code: &mut [Instruction], register: Register, target: Option<usize>) {
    let jumps = code.iter_mut().filter(|one| jump(one) == Some(register));
    jumps.for_each(|one| one.target = target);
}

/// The first and the last branch to each instruction.
pub(super) type Entered = BTreeMap<usize, [usize; 2]>;

pub(super) fn entered(code: &[Instruction]) -> Entered {
    let mut all = Entered::new();
    for (at, one) in code.iter().enumerate() {
        let Some(target) = one.target else { continue };
        all.entry(target).and_modify(|[_, last]| *last = at).or_insert([at, at]);
    }
    all
}

/// The register pair that an instruction writes an address of code to.
pub(super) fn address(one: &Instruction) -> Option<Register> {
    match &one.words[..] {
        [words] if words.name == "s_getpc_b64" => pair(words.operands.first()),
        _ => None,
    }
}

/// The instruction behind the last jump by the address that an instruction writes, if nothing else leads into the code between
/// the two, and it does nothing but compute the address.
fn end_of_jump(
    code: &[Instruction],
    begin: usize,
    register: Register,
    entered: &Entered,
) -> Option<usize> {
    const COMPUTE: [&str; 9] = [
        "s_add_i32",
        "s_add_u32",
        "s_addc_u32",
        "s_sub_u32",
        "s_subb_u32",
        "s_abs_i32",
        "s_cmp_ge_i32",
        "s_nop",
        "s_cbranch_scc",
    ];
    let computes = |one: &Instruction| {
        let [words] = &one.words[..] else { return false };
        jump(one) == Some(register) || COMPUTE.iter().any(|name| words.name.starts_with(name))
    };
    let last = code.len().min(begin + LONGEST);
    let length = code[begin + 1..last].iter().take_while(|one| computes(one)).count();
    let within = begin + 1..begin + 1 + length;
    let end = within.clone().rev().find(|at| jump(&code[*at]) == Some(register))? + 1;
    let mut sources = entered.range(begin + 1..end).map(|(_, sources)| sources);
    sources.all(|[first, last]| begin < *first && *last < end).then_some(end)
}
