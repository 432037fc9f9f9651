//! Where a jump by a register goes, and what a call may write.
//!
//! A branch reaches 128 KiB. LLVM and Tensile go further by an address, and Tensile calls its activations by one:
//!
//! ```text
//!   s_getpc_b64 s[80:81]                        a jump: to the label, if it is the only one that is named
//!   s_add_i32 s82, label_end, 4                 between the two, or to the address that the numbers
//!   s_add_u32 s80, s80, s82                     add up to, in a disassembly
//!   s_addc_u32 s81, s81, 0
//!   s_setpc_b64 s[80:81]
//!
//!   s_swappc_b64 s[58:59], s[12:13]             a call: of any code whose label was named for an address,
//!   label_gelu: .. s_setpc_b64 s[58:59]         up to the jump back
//! ```
//!
//! Of a call it is known which registers its code names; it may write these and no others. What is more (a loop over `exec`,
//! an access of LDS, a call in a call) leaves a call as one that may write any register.

use super::function::Instruction;
use super::text::{File, Half, Operand, Register, Words};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a function by which its jumps are resolved; instructions are counted from 0.
pub(super) struct Jumps<'f> {
    /// The instructions behind labels.
    pub(super) labels: &'f BTreeMap<String, usize>,
    /// The instructions at addresses, as a disassembler prints them.
    pub(super) addresses: &'f BTreeMap<u64, usize>,
    /// The labels that instructions name, other than branches.
    pub(super) named: &'f BTreeMap<usize, String>,
}

impl Jumps<'_> {
    /// Gives jumps by a register their targets, and calls the registers that they may write.
    pub(super) fn resolve(&self, code: &mut [Instruction]) {
        let entered = entered(code);
        for begin in 0..code.len() {
            let Some(register) = address(&code[begin]) else { continue };
            let Some(end) = end_of_jump(code, begin, register, &entered) else { continue };
            let Some(target) = self.target(code, begin, end, register) else { continue };
            for one in &mut code[begin..end] {
                if jump(one) == Some(register) {
                    one.target = Some(target);
                }
            }
        }
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

    /// The code that calls go to by a register pair, if on each way to them it got the address of some.
    fn called(&self, code: &[Instruction], calls: &[usize], by: Register) -> Option<Vec<usize>> {
        /// Instructions from `s_getpc_b64` to the carry.
        const LENGTH: usize = 4;
        let mut from: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, one) in code.iter().enumerate() {
            let name = one.words[0].name.as_str();
            let goes_on =
                name != "s_branch" && jump(one).is_none() && !name.starts_with("s_endpgm");
            let next = goes_on.then_some(at + 1);
            next.into_iter()
                .chain(one.target)
                .for_each(|next| from.entry(next).or_default().push(at));
        }
        let (mut open, mut seen) = (calls.to_vec(), BTreeSet::new());
        let mut begins = Vec::new();
        while let Some(at) = open.pop() {
            let before = from.get(&at).map_or(&[][..], Vec::as_slice);
            if at == 0 || before.is_empty() {
                return None;
            }
            for &at in before.iter().filter(|at| seen.insert(**at)) {
                let writes =
                    |words: &&Words| words.operands.first().is_some_and(|one| overlaps(one, by));
                match code[at].words.iter().find(writes).map(|words| words.name.as_str()) {
                    None | Some("s_add_u32" | "s_addc_u32") => open.push(at),
                    Some("s_getpc_b64") if address(&code[at]) == Some(by) => {
                        let mut labels = self.named.range(at..at + LENGTH).map(|(_, name)| name);
                        begins.push(*self.labels.get(labels.next()?)?);
                        if labels.next().is_some() {
                            return None;
                        }
                    }
                    Some(_) => return None,
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
        let labels: BTreeSet<_> = self.named.range(begin..end).map(|(_, name)| name).collect();
        if let Some(label) = labels.first() {
            // The 4 bytes are those of `s_getpc_b64`'s successor before its literal.
            let is_label = |words: &Words| {
                let mut numbers =
                    words.operands.iter().filter(|one| matches!(one, Operand::Number(_)));
                numbers.all(|one| matches!(one, Operand::Number(0 | 4)))
            };
            let is_one = labels.len() == 1
                && code[begin..end].iter().flat_map(|one| &one.words).all(is_label);
            return is_one.then(|| self.labels.get(*label).copied())?;
        }
        // The address is that of the instruction behind `s_getpc_b64`.
        let from = address_of(self.addresses, begin + 1)?;
        let mut run = Run { numbers: BTreeMap::new(), distance: 0, holds: None };
        let mut at = begin + 1;
        while at < end && jump(&code[at]) != Some(register) {
            let [words] = &code[at].words[..] else { return None };
            at = if run.branches(words)? {
                code[at].target.filter(|target| *target > at)?
            } else {
                at + 1
            };
            run.step(words, register)?;
        }
        self.addresses.get(&from.wrapping_add(run.distance)).copied()
    }
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
struct Run {
    numbers: BTreeMap<usize, i32>,
    /// From the instruction behind `s_getpc_b64`.
    distance: u64,
    /// The condition code.
    holds: Option<bool>,
}

impl Run {
    fn number(&self, operand: Option<&Operand>) -> Option<i32> {
        match operand? {
            Operand::Number(number) => Some(*number as i32),
            Operand::Register(one) if one.file == File::S => self.numbers.get(&one.first).copied(),
            _ => None,
        }
    }

    /// Whether an instruction is a branch that is taken.
    fn branches(&self, words: &Words) -> Option<bool> {
        match words.name.as_str() {
            "s_cbranch_scc1" => self.holds,
            "s_cbranch_scc0" => self.holds.map(|holds| !holds),
            _ => Some(false),
        }
    }

    fn step(&mut self, words: &Words, address: Register) -> Option<()> {
        let [left, right] = [1, 2].map(|at| self.number(words.operands.get(at)));
        let to = match words.operands.first() {
            Some(Operand::Register(one)) => one.first,
            _ => usize::MAX,
        };
        let word = |value: i32| u64::from(value.cast_unsigned());
        match words.name.as_str() {
            "s_add_u32" if to == address.first => {
                self.distance = self.distance.wrapping_add(word(right?));
            }
            "s_sub_u32" if to == address.first => {
                self.distance = self.distance.wrapping_sub(word(right?));
            }
            "s_addc_u32" if to == address.first + 1 => {
                self.distance = self.distance.wrapping_add(word(right?) << 32);
            }
            "s_subb_u32" if to == address.first + 1 => {
                self.distance = self.distance.wrapping_sub(word(right?) << 32);
            }
            "s_add_i32" => drop(self.numbers.insert(to, left?.wrapping_add(right?))),
            "s_abs_i32" => drop(self.numbers.insert(to, left?.wrapping_abs())),
            "s_cmp_ge_i32" => self.holds = Some(self.number(words.operands.first())? >= left?),
            "s_cbranch_scc1" | "s_cbranch_scc0" | "s_nop" => {}
            _ => return None,
        }
        Some(())
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
    match operand {
        Some(Operand::Register(one)) if one.file == File::S && one.count == 2 => Some(*one),
        _ => None,
    }
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
fn address(one: &Instruction) -> Option<Register> {
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
    /// The longest that is known computes on 9 lines.
    const LONGEST: usize = 16;
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
    let half = |first| Register { file: File::S, first, count: 1, half: None };
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
        let is_plain = (name.starts_with("v_")
            || name.starts_with("s_")
            || name.starts_with("buffer_")
            || name.starts_with("global_"))
            && ![
                "setpc",
                "swappc",
                "call",
                "cmpx",
                "movrel",
                "idx",
                "mode",
                "saveexec",
                "wrexec",
                "lds",
                "writelane",
                "mfma",
                "wmma",
            ]
            .iter()
            .any(|part| name.contains(part))
            && words.modifier("lds").is_none();
        if !is_plain {
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
