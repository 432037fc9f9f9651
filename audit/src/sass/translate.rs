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
//! | `CALL` of a place from which nothing returns | a branch: some are written so |
//! | another `CALL` | writes what the function's instructions write: see `call` |
//!
//! Compilers write registers of the warp only where a warp is together, or where no other way reads them: of lanes that part
//! the one way is not run before the other.

use super::effect::Effect;
use super::matrix;
use super::memory::words_of_stack;
use super::operand::{One, Operand};
use super::text::{Line, Program, Section};
use super::ways::{Calls, Ways};
use super::writer::{Made, Writer, named, shared};
use crate::error::{Error, INSTRUCTIONS};
use crate::ptx::function::Function;
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

pub(super) struct Translator<'l, 't> {
    pub(super) program: &'l Program<'t>,
    pub(super) section: &'l Section<'t>,
    pub(super) writer: Writer<'t>,
    /// Where each instruction begins in what is written.
    pub(super) begins: Vec<usize>,
    /// Branches in what is written, and the instructions that they go to.
    branches: Vec<(usize, usize)>,
    pub(super) calls: Calls<'t>,
    /// Where blocks begin.
    pub(super) entries: BTreeSet<usize>,
}

/// A function as a kernel of PTX.
pub(super) fn function(program: &Program<'_>, section: &Section<'_>) -> Result<Function, Error> {
    let mut translator = Translator::new(program, section)?;
    translator.called()?;
    let is_whole = translator.ends();
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

impl<'l, 't> Translator<'l, 't> {
    /// The instructions of a function, whose calls may write anything yet.
    pub(super) fn new(program: &'l Program<'t>, section: &'l Section<'t>) -> Result<Self, Error> {
        let instructions = section.code.len();
        if instructions > MOST {
            return Err(Error::too_many(section.name, instructions, INSTRUCTIONS, MOST));
        }
        let is_new = |name: &str| name.trim_end_matches(['a', 'f']).len() > "sm_90".len();
        // From sm_100 on the shape of a block lies elsewhere.
        let shape = if program.chip.is_some_and(is_new) { 0x360 } else { 0 };
        let entries = section.entries();
        let mut translator = Translator {
            program,
            section,
            writer: Writer::new(shape, words_of_stack(section, &entries)),
            begins: Vec::new(),
            branches: Vec::new(),
            calls: Calls::default(),
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
        // Where lanes go that return.
        translator.writer.guard = None;
        translator.writer.push("ret", Vec::new());
        for (at, to) in std::mem::take(&mut translator.branches) {
            translator.writer.code[at].target = Some(translator.begins[to]);
        }
        Ok(translator)
    }

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
            "RET" => self.writer.guarded("ret", Vec::new()),
            "CALL" => match section.called(line) {
                Some(to) => match self.ways(to) {
                    Ways { returns: false, .. } => return self.branch(at, &parts),
                    ways => self.call(at, ways),
                },
                None => self.call(at, Ways::default()),
            },
            // Of lanes that wait for others, some may go on elsewhere.
            "WARPSYNC" if parts.contains(&"COLLECTIVE") => return self.may_branch(at),
            _ => self.other(base, parts, line),
        }
        Ok(())
    }

    fn other(&mut self, base: &str, parts: Vec<&str>, line: &Line<'t>) {
        let operands = line.operands.iter().map(|word| Operand::parse(word)).collect();
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
        match Effect::new(base, &one.parts) {
            Effect::Order => writer.guarded("bar.sass", Vec::new()),
            Effect::Nothing => {}
            Effect::Function(count) => {
                // An upper half is one of a sum with 64 bits.
                let is_upper = base == "IMAD" && one.has("HI");
                let from = writer.reads(&rest[bits..], count > 1 || is_upper);
                let bits = rest[..bits].iter().map(Operand::register);
                let more = (0..count).map(|by| first.and_then(|one| one.after(by)));
                let to: Vec<_> = match one.operands.first() {
                    Some(one) if one.is_bit() => std::iter::once(first).chain(bits).collect(),
                    _ => more.chain(bits).collect(),
                };
                let made = |to| (to, Made::new("fma.ftz", from.clone()));
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
            let one = Operand::parse(condition);
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

    /// Takes some lanes of the guard; which is not known.
    pub(super) fn narrow_unknown(&mut self) {
        let bit = self.writer.make_bit("unknown", []);
        self.narrow(bit);
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
        let index = Operand::parse(words.split_whitespace().next().unwrap_or(""));
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

    /// Returns whether the last instruction ends the function, or goes elsewhere.
    pub(super) fn ends(&self) -> bool {
        let is_padding = |line: &&Line<'_>| line.name == "NOP";
        let last = self.section.code.iter().rev().find(|line| !is_padding(line));
        let ends = ["EXIT", "KILL", "RET", "BRA", "BRX", "BRXU", "JMP", "JMX"];
        last.is_some_and(|last| {
            last.guard.is_none() && ends.contains(&last.name.split('.').next().unwrap_or(""))
        })
    }
}
