//! Where a jump by a register goes, and what a call may write.
//!
//! A branch reaches 128 KiB. LLVM and Tensile go further by an address, and Tensile calls its activations by one:
//!
//! ```text
//!   s_getpc_b64 s[80:81]                        a jump: to the label, if the sum is the label's distance,
//!   s_add_i32 s82, label_end, 4                 or to the address that the numbers add up to,
//!   s_add_u32 s80, s80, s82                     in a disassembly
//!   s_addc_u32 s81, s81, 0
//!   s_setpc_b64 s[80:81]
//!
//!   s_swappc_b64 s[58:59], s[12:13]             a call: of any code whose label was named for an address,
//!   label_gelu: .. s_setpc_b64 s[58:59]         up to the jump back
//! ```
//!
//! A call may write the registers that its code names, and no others. Where the code does more than name registers (a loop over
//! `exec`, an access of LDS, a call in a call), the call may write any register.

use super::function::Instruction;
use super::text::{File, Half, Operand, Register, Words, is_symbol};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a function by which its jumps are resolved; instructions are counted from 0.
pub(super) struct Jumps<'f> {
    /// The instructions behind labels.
    pub(super) labels: &'f BTreeMap<String, usize>,
    /// The instructions at addresses, as a disassembler prints them.
    pub(super) addresses: &'f BTreeMap<u64, usize>,
    /// The distances to labels that instructions add.
    pub(super) named: &'f BTreeMap<usize, Distance>,
}

/// A distance to a label, as an instruction names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distance {
    pub(super) label: String,
    /// The label from which it counts, and which word of it is meant; without, it counts from the instruction's last 4 bytes.
    pub(super) from: Option<(String, Half)>,
}

impl Distance {
    /// `label_end`, `(label_end-.Lhere)&4294967295`, `(label_end-.Lhere)>>32`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let name = |text: &str| is_symbol(text).then(|| text.to_string());
        let Some(rest) = text.strip_prefix('(') else {
            return Some(Self { label: name(text)?, from: None });
        };
        let (difference, word) = rest.split_once(')')?;
        let half = match word {
            "&4294967295" | "&0xffffffff" => Half::Low,
            ">>32" => Half::High,
            _ => return None,
        };
        let (label, from) = difference.split_once('-')?;
        Some(Self { label: name(label)?, from: Some((name(from)?, half)) })
    }
}

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
        if written.iter().any(|one| overlaps(&Operand::Register(*one), by)) {
            return;
        }
        for at in calls {
            if let [words] = &mut code[at].words[..] {
                words.modifiers.push((FOLLOWED.to_string(), String::new()));
                code[at].words.extend(written.iter().map(|one| Words::unknown(*one)));
            }
        }
    }

    fn resolve_jumps(&self, code: &mut [Instruction]) {
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

    /// The target of a jump whose address is computed between two instructions.
    fn target(
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
/// Instructions from `s_getpc_b64` to the carry.
const COMPUTED: usize = 4;

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
    words.operands.iter().take(places).any(|one| overlaps(one, register))
}

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

/// The sum of an address, instruction by instruction.
#[derive(Default)]
struct Run {
    numbers: BTreeMap<usize, i32>,
    /// From the instruction behind `s_getpc_b64`.
    distance: u64,
    /// The condition code after a comparison.
    holds: Option<bool>,
    /// The instruction that takes the carry of the last sum.
    carry: Option<&'static str>,
    /// The distance that the instruction names.
    named: Option<i32>,
}

impl Run {
    fn number(&self, operand: Option<&Operand>) -> Option<i32> {
        match operand? {
            Operand::Number(number) => Some(*number as i32),
            Operand::Register(one) if one.file == File::S && one.count == 1 => {
                self.numbers.get(&one.first).copied()
            }
            Operand::Name(_) | Operand::Other => self.named,
            _ => None,
        }
    }

    /// Returns whether an instruction is a branch that is taken.
    fn branches(&self, words: &Words) -> Option<bool> {
        match words.name.as_str() {
            "s_cbranch_scc1" => self.holds,
            "s_cbranch_scc0" => self.holds.map(|holds| !holds),
            _ => Some(false),
        }
    }

    fn step(&mut self, words: &Words, address: Register) -> Option<()> {
        let name = words.name.as_str();
        if matches!(name, "s_cbranch_scc1" | "s_cbranch_scc0" | "s_nop") {
            return Some(());
        }
        let [left, right] = [1, 2].map(|at| self.number(words.operands.get(at)));
        if name == "s_cmp_ge_i32" && self.carry.is_none() {
            self.holds = Some(self.number(words.operands.first())? >= left?);
            return Some(());
        }
        self.holds = None;
        let Some(Operand::Register(to)) = words.operands.first() else { return None };
        if overlaps(&Operand::Register(*to), address) {
            return self.add(words, to.first == address.first, right?);
        }
        let value = match name {
            "s_add_i32" => left?.wrapping_add(right?),
            "s_abs_i32" => left?.wrapping_abs(),
            _ => return None,
        };
        let is_free = to.file == File::S && to.count == 1 && self.carry.is_none();
        self.numbers.insert(to.first, value);
        is_free.then_some(())
    }

    /// Adds a number to the lower or the upper word of the address, each to itself and the one right behind the other.
    fn add(&mut self, words: &Words, is_lower: bool, number: i32) -> Option<()> {
        let word = u64::from(number.cast_unsigned());
        let (carry, sum) = match (words.name.as_str(), is_lower) {
            ("s_add_u32", true) => (Some("s_addc_u32"), self.distance.wrapping_add(word)),
            ("s_sub_u32", true) => (Some("s_subb_u32"), self.distance.wrapping_sub(word)),
            ("s_addc_u32", false) => (None, self.distance.wrapping_add(word << 32)),
            ("s_subb_u32", false) => (None, self.distance.wrapping_sub(word << 32)),
            _ => return None,
        };
        let is_next = match is_lower {
            true => self.carry.is_none(),
            false => self.carry == Some(words.name.as_str()),
        };
        (self.carry, self.distance) = (carry, sum);
        (is_next && words.operands.first() == words.operands.get(1)).then_some(())
    }
}

/// The modifier of a call that writes no more than the words behind it say.
pub(super) const FOLLOWED: &str = "followed";

/// The register pair that a jump goes by.
pub(super) fn jump(one: &Instruction) -> Option<Register> {
    match &one.words[..] {
        [words] if words.name.starts_with("s_setpc") => pair(words.operands.first()),
        _ => None,
    }
}

/// The register pair that a call leaves the way back in, and the pair that it goes by.
fn call(one: &Instruction) -> Option<[Register; 2]> {
    match &one.words[..] {
        [words] if words.name.starts_with("s_swappc") => {
            Some([pair(words.operands.first())?, pair(words.operands.get(1))?])
        }
        _ => None,
    }
}

fn pair(operand: Option<&Operand>) -> Option<Register> {
    operand?.scalar().filter(|one| one.count == 2)
}

/// Gives the jumps by a register pair among these instructions their target.
fn lead(code: &mut [Instruction], register: Register, target: Option<usize>) {
    let jumps = code.iter_mut().filter(|one| jump(one) == Some(register));
    jumps.for_each(|one| one.target = target);
}

/// The first and the last branch to each instruction.
type Entered = BTreeMap<usize, [usize; 2]>;

fn entered(code: &[Instruction]) -> Entered {
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

fn overlaps(operand: &Operand, register: Register) -> bool {
    matches!(operand, Operand::Register(one) if one.file == register.file
        && one.first < register.first + register.count
        && register.first < one.first + one.count)
}

/// The registers that code names, from these instructions to the jumps back; `None` if it does what is not followed.
fn written(
    code: &[Instruction],
    mut open: Vec<usize>,
    back: Register,
) -> Option<BTreeSet<Register>> {
    let half = |first| Register::scalars(first, 1);
    let mut registers = BTreeSet::from([half(back.first), half(back.first + 1)]);
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
        let is_way_back = |operand: &Operand| overlaps(operand, back);
        if !names_what_it_writes(words) || words.operands.iter().any(is_way_back) {
            return None;
        }
        for operand in &words.operands {
            match operand {
                Operand::Register(one) => {
                    registers.extend((one.first..one.first + one.count).map(|first| Register {
                        first,
                        count: 1,
                        half: None,
                        ..*one
                    }));
                }
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
