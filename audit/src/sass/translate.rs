//! A function of SASS as a kernel of PTX: its instructions, where its branches go, and what its calls may write.
//!
//! | SASS | PTX |
//! |---|---|
//! | `@P0 BRA`, `BRA.U UP0`, `BRA P0` | `@p bra`; of both predicates if there are two |
//! | `BRA.DIV UR4` | a branch that all lanes take or none |
//! | `EXIT`, `KILL`, `RET` | `ret` |
//! | `BRX`, `BRXU`, `JMX` | `brx.idx`, to each of the targets that are listed |
//! | `BAR`, `MEMBAR` | `bar`: what orders warps |
//! | `BSSY`, `BSYNC` | nothing: lanes come together where all ways meet, as in PTX |
//! | `CALL` in a function where nothing returns | a branch: some are written so |
//! | `CALL` of a function beside the kernel | writes what that function's instructions write |
//! | another `CALL` | may write anything |
//!
//! Compilers write registers of the warp only where a warp is together, or where no other way reads them: of lanes that part
//! the one way is not run before the other.
//!
//! A function that is called returns to an address in a register: before the call one is set to that of the next instruction.

use super::effect::{Effect, orders};
use super::matrix;
use super::memory::words_of_stack;
use super::operand::{One, Operand, Place};
use super::text::{Line, Program, Section};
use super::writer::{Made, Writer, named, shared};
use crate::error::{Error, INSTRUCTIONS};
use crate::ptx::flow::destinations;
use crate::ptx::function::{Function, Instruction};
use crate::ptx::text::{Guard, Operand as Word};
use std::collections::BTreeSet;

/// Instructions of a function at most.
const MOST: usize = 100_000;

/// The warp's instructions whose names are those of the lanes' with a `U` before.
const OF_WARP: [&str; 26] = [
    "UMOV", "UIADD", "UIADD3", "UVIADD", "UIMAD", "ULEA", "USHF", "ULOP3", "UPLOP3", "UISETP",
    "USEL", "UPRMT", "UIMNMX", "UVIMNMX", "UIABS", "UPOPC", "UBREV", "UFLO", "USGXT", "UBMSK",
    "UI2F", "UF2I", "UFADD", "UFMUL", "UFFMA", "UMUFU",
];

/// A call: the instruction, and that which makes what it may write unknown.
struct Call<'l> {
    raw: usize,
    at: usize,
    target: Option<&'l str>,
    /// Whether the kernel's own accesses may be behind it.
    is_listed: Option<usize>,
}

struct Translator<'l, 't> {
    section: &'l Section<'t>,
    writer: Writer<'t>,
    /// Where each instruction begins in what is written.
    begins: Vec<usize>,
    /// Branches in what is written, and the instructions that they go to.
    branches: Vec<(usize, usize)>,
    calls: Vec<Call<'t>>,
    /// Returns, which go to an address in a register.
    returns: BTreeSet<usize>,
    /// Where blocks begin.
    entries: BTreeSet<usize>,
}

/// A function as a kernel of PTX.
pub(super) fn function(program: &Program<'_>, section: &Section<'_>) -> Result<Function, Error> {
    let instructions = section.code.len();
    if instructions > MOST {
        return Err(Error::too_many(section.name, instructions, INSTRUCTIONS, MOST));
    }
    let is_new = |name: &str| name.trim_end_matches(['a', 'f']).len() > "sm_90".len();
    // From sm_100 on the shape of a block lies elsewhere.
    let shape = if program.chip.is_some_and(is_new) { 0x360 } else { 0 };
    let entries = section.entries();
    let mut translator = Translator {
        section,
        writer: Writer::new(shape, words_of_stack(section, &entries)),
        begins: Vec::new(),
        branches: Vec::new(),
        calls: Vec::new(),
        returns: BTreeSet::new(),
        entries,
    };
    for at in 0..instructions {
        translator.begins.push(translator.writer.code.len());
        if translator.entries.contains(&at) {
            translator.writer.begin_block();
        }
        translator.instruction(at)?;
    }
    translator.begins.push(translator.writer.code.len());
    let is_whole = translator.ends();
    // Where lanes go that return.
    translator.writer.guard = None;
    translator.writer.push("ret", Vec::new());
    for (at, to) in std::mem::take(&mut translator.branches) {
        translator.writer.code[at].target = Some(translator.begins[to]);
    }
    translator.called()?;
    let threads = program.threads.get(section.name).copied().unwrap_or_default();
    Ok(Function {
        name: section.name.to_string(),
        required: threads.required,
        most: threads.most,
        resources: threads.resources,
        code: translator.writer.code,
        registers: translator.writer.registers,
        is_whole,
        is_translated: true,
        ..Function::default()
    })
}

impl<'t> Translator<'_, 't> {
    fn instruction(&mut self, at: usize) -> Result<(), Error> {
        let section = self.section;
        let line = &section.code[at];
        if !self.writer.begin(line) {
            return Ok(());
        }
        let mut parts = line.name.split('.');
        let base = parts.next().unwrap_or("");
        let parts: Vec<&str> = parts.collect();
        match base {
            "BRA" | "JMP" => return self.branch(at, &parts),
            "BRX" | "BRXU" | "JMX" | "JMXU" => return self.switch(at),
            "EXIT" | "KILL" if line.operands.is_empty() => self.writer.guarded("ret", Vec::new()),
            "RET" => {
                self.returns.insert(self.writer.code.len());
                self.writer.guarded("ret", Vec::new());
            }
            "CALL" if !section.returns() => return self.branch(at, &parts),
            "CALL" => self.call(at),
            // Of lanes that wait for others, some may go on elsewhere.
            "WARPSYNC" if parts.contains(&"COLLECTIVE") => return self.may_branch(at),
            _ => self.other(base, parts, line),
        }
        Ok(())
    }

    fn other(&mut self, base: &str, parts: Vec<&str>, line: &Line<'t>) {
        let operands = line.operands.iter().map(|word| Operand::of(word)).collect();
        let base = if OF_WARP.contains(&base) { &base[1..] } else { base };
        let one = One { base, parts, operands, words: &line.operands };
        if self.writer.memory(&one) || self.writer.integer(&one) {
            return;
        }
        let writer = &mut self.writer;
        let is_bit = |one: &&Operand| one.is_bit() && !one.inverted;
        let (first, rest) = match one.operands.split_first() {
            Some((first, rest)) => (first.register(), rest),
            None => (None, &[][..]),
        };
        let bits = rest.iter().take_while(is_bit).count();
        match Effect::of(base, &one.parts) {
            Effect::Nothing if orders(base) => writer.guarded("bar.sass", Vec::new()),
            Effect::Nothing => {}
            Effect::Function(count) => {
                let from = writer.reads(&rest[bits..], count > 1);
                let bits = rest[..bits].iter().map(Operand::register);
                let more = (0..count).map(|by| first.and_then(|one| one.after(by)));
                let to: Vec<_> = match one.operands.first() {
                    Some(one) if one.is_bit() => std::iter::once(first).chain(bits).collect(),
                    _ => more.chain(bits).collect(),
                };
                let made = |to| (to, Made::of("fma.ftz", from.clone()));
                writer.give(to.into_iter().map(made).collect());
            }
            Effect::Some(count) => {
                let all = (0..count).filter_map(|by| first?.after(by));
                writer.forget(&all.collect::<Vec<_>>());
            }
            Effect::Product(count) => {
                let all = (0..count).filter_map(|by| first?.after(by));
                let name = matrix::name(base, &one.parts);
                writer.forget_by(&name, &all.collect::<Vec<_>>());
            }
            Effect::Named => {
                let registers = one.operands.iter().filter_map(Operand::register);
                let wide = if base == "CS2R" { 2 } else { 1 };
                let each = registers.flat_map(|one| (0..wide).filter_map(move |by| one.after(by)));
                writer.forget(&each.collect::<Vec<_>>());
            }
            Effect::Anything => {
                writer.forget_all();
                if base.ends_with("MMA") {
                    writer.guarded(matrix::UNKNOWN, vec![Word::Vector(Vec::new())]);
                }
            }
        }
    }

    /// The instruction that an operand names: by its label, or by its address.
    fn target(&self, at: usize, word: &str) -> Result<usize, Error> {
        let missing = || Error::target(self.section.name, self.section.code[at].line);
        self.section.place(word).ok_or_else(missing)
    }

    fn branch(&mut self, at: usize, parts: &[&str]) -> Result<(), Error> {
        let operands = &self.section.code[at].operands;
        let Some((target, conditions)) = operands.split_last() else { return Ok(()) };
        let to = self.target(at, target)?;
        if parts.contains(&"DIV") || parts.contains(&"CONV") {
            return self.may_branch(at);
        }
        for condition in conditions {
            let one = Operand::of(condition);
            let bit = if one.is_bit() { self.writer.source(&one) } else { Word::Other };
            self.narrow(bit);
        }
        self.branches.push((self.writer.code.len(), to));
        self.writer.guarded("bra", Vec::new());
        Ok(())
    }

    /// Takes the lanes of the guard for which a predicate holds, too.
    fn narrow(&mut self, bit: Word) {
        let writer = &mut self.writer;
        let both = match writer.guard {
            Some(guard) if guard.negated => {
                writer.make_bit("and.pred", [Word::Not(guard.predicate), bit])
            }
            Some(guard) => writer.make_bit("and.pred", [named(guard.predicate), bit]),
            None => writer.make_bit("mov.pred", [bit]),
        };
        if let Word::Name(crate::ptx::text::Name::Register(predicate)) = both {
            writer.guard = Some(Guard { predicate, negated: false });
        }
    }

    /// A branch that either all lanes take or none; which is not known.
    fn may_branch(&mut self, at: usize) -> Result<(), Error> {
        let target = self.section.code[at].operands.last().copied().unwrap_or("");
        let to = self.target(at, target)?;
        self.narrow(shared());
        self.branches.push((self.writer.code.len(), to));
        self.writer.guarded("bra", Vec::new());
        Ok(())
    }

    /// `BRX R2 -0xc0 (*"BRANCH_TARGETS .L_x_5,.L_x_6"*)`
    fn switch(&mut self, at: usize) -> Result<(), Error> {
        let line = &self.section.code[at];
        if line.targets.is_empty() {
            return Err(Error::indirect(self.section.name, line.line));
        }
        let words = line.operands.first().copied().unwrap_or("");
        let index = Operand::of(words.split_whitespace().next().unwrap_or(""));
        let index = self.writer.source(&index);
        // Lanes that the guard leaves out go on behind it.
        let guard = self.writer.guard;
        let index = if guard.is_some() { Word::Other } else { index };
        for target in &line.targets {
            let missing = || Error::target(self.section.name, line.line);
            let to = *self.section.labels.get(target).ok_or_else(missing)?;
            self.branches.push((self.writer.code.len(), to));
            self.writer.push("brx.idx", vec![index.clone()]);
        }
        if guard.is_none() {
            self.writer.push("trap", Vec::new());
        }
        Ok(())
    }

    fn call(&mut self, at: usize) {
        let line = &self.section.code[at];
        let target = line.operands.last().copied();
        self.calls.push(Call { raw: at, at: self.writer.code.len(), target, is_listed: None });
        self.writer.forget_all();
        let call = self.calls.len() - 1;
        self.calls[call].is_listed = Some(self.writer.code.len());
        self.writer.access("call", Vec::new());
    }

    /// Whether the last instruction ends the function, or goes elsewhere.
    fn ends(&self) -> bool {
        let is_padding = |line: &&Line<'_>| line.name == "NOP";
        let last = self.section.code.iter().rev().find(|line| !is_padding(line));
        let ends = ["EXIT", "KILL", "RET", "BRA", "BRX", "BRXU", "JMP", "JMX"];
        last.is_some_and(|last| {
            last.guard.is_none() && ends.contains(&last.name.split('.').next().unwrap_or(""))
        })
    }

    /// Notes what each call may write, and unlists calls of functions that access nothing.
    fn called(&mut self) -> Result<(), Error> {
        for i in 0..self.calls.len() {
            let (raw, at, target) = (self.calls[i].raw, self.calls[i].at, self.calls[i].target);
            let to = target.and_then(|target| self.target(raw, target).ok());
            let Some((writes, touches, returns)) = to.and_then(|to| self.behind(to)) else {
                self.returns_here(raw)?;
                continue;
            };
            if returns {
                self.returns_here(raw)?;
            }
            let all = writes.into_iter().map(named).collect();
            self.writer.code[at].operands = vec![Word::Vector(all)];
            if let Some(listed) = self.calls[i].is_listed.filter(|_| !touches) {
                // An instruction that does nothing.
                self.writer.code[listed].name = "membar".into();
            }
        }
        Ok(())
    }

    /// The registers that the function at an instruction writes, whether it contains accesses or products, and whether it returns;
    /// `None` if it cannot be followed.
    fn behind(&self, raw: usize) -> Option<(BTreeSet<usize>, bool, bool)> {
        let code = &self.writer.code;
        let (mut writes, mut touches, mut returns) = (BTreeSet::new(), false, false);
        let (mut seen, mut open) = (BTreeSet::new(), vec![self.begins[raw]]);
        while let Some(at) = open.pop() {
            if at >= code.len() || !seen.insert(at) {
                continue;
            }
            let one = &code[at];
            let base = one.name.split('.').next().unwrap_or("");
            if base == "call" {
                return None;
            }
            writes.extend(destinations(one));
            touches |= is_counted(one);
            returns |= self.returns.contains(&at);
            open.extend(one.target);
            let goes_on = !["bra", "ret", "trap"].contains(&base) || one.guard.is_some();
            open.extend(goes_on.then_some(at + 1));
        }
        Some((writes, touches, returns))
    }

    /// Whether a register is set to the address behind a call, where the function returns to.
    fn returns_here(&self, raw: usize) -> Result<(), Error> {
        let section = self.section;
        let next = section.code.get(raw + 1).map(|one| one.address);
        let sets = |line: &Line<'_>| {
            let is_move = line.name.starts_with("MOV") || line.name.starts_with("IMAD.MOV");
            let last = line.operands.last().map(|word| Operand::of(word).place);
            let address = match last {
                Some(Place::Number(number)) => u64::try_from(number).ok(),
                _ => None,
            };
            is_move && line.guard.is_none() && address == next
        };
        let first = self.entries.range(..=raw).next_back().copied().unwrap_or(0);
        match section.code[first..raw].iter().any(sets) {
            true => Ok(()),
            false => Err(Error::indirect(section.name, section.code[raw].line)),
        }
    }
}

/// Returns whether an instruction may access shared memory or is a matrix product.
fn is_counted(one: &Instruction) -> bool {
    let is_silent = |name: &str| one.name.contains(name);
    let is_access = !one.text.is_empty() && !is_silent(".global.") && !is_silent(".local.");
    is_access || one.name.starts_with("mma.")
}
