//! Calls of SASS: where they return, and what they may write.
//!
//! | `CALL` | writes |
//! |---|---|
//! | of a place in the same section | what the instructions from there on write |
//! | of another section of the text | what the instructions of that section write |
//! | of a function that the text does not list | anything, and its accesses are not listed |
//!
//! A function returns to an address in a register, or in two: before the call these are set to that of the next instruction.
//!
//! ```text
//!   MOV R2, 0x40                            MOV R20, 32@lo((k + .L_x_0@srel))
//!   CALL.REL.NOINC 0x70                     MOV R21, 32@hi((k + .L_x_0@srel))
//!   ..                                      CALL.ABS.NOINC `(shuffle)
//!   RET.REL.NODEC R2 0x0                .L_x_0:
//! ```
//!
//! A call whose return is not seen is refused. Another section is followed if it does not call, all its lanes return by one
//! register, and it does not write that one.

use super::operand::{Operand, Place, Register};
use super::text::{Line, Section};
use super::translate::Translator;
use super::ways::{Behind, Call, Far, Ways, base, ways};
use super::writer::named;
use crate::error::Error;
use crate::ptx::flow::destinations;
use crate::ptx::function::Instruction;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Instructions of another section that are followed, at most: the functions that compilers call so have about 10 to 100.
const MOST: usize = 1000;

/// Half of an address behind a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// The address in its section.
    Near,
    Low,
    High,
}

impl<'t> Translator<'_, 't> {
    /// The ways from an instruction that is called.
    pub(super) fn ways(&mut self, to: usize) -> Ways {
        let section = self.section;
        *self.calls.ways.entry(to).or_insert_with(|| ways(section, to))
    }

    pub(super) fn call(&mut self, at: usize, ways: Ways) {
        let target = self.section.code[at].operands.last().copied();
        let written = self.writer.code.len();
        self.writer.forget_all();
        let is_listed = self.writer.code.len();
        self.writer.access("call", Vec::new());
        self.calls.all.push(Call { raw: at, at: written, target, is_listed });
        if ways.exits {
            // Nobody knows which lanes.
            self.narrow_unknown();
            self.writer.guarded("ret", Vec::new());
        }
    }

    /// Notes what each call may write, and unlists calls of functions that access nothing.
    pub(super) fn called(&mut self) -> Result<(), Error> {
        for call in self.calls.all.clone() {
            let near = self.section.called(&self.section.code[call.raw]);
            let far = if near.is_none() { self.far(call)? } else { None };
            self.returns_here(call.raw, far.as_ref().map(|far| far.by))?;
            let near = near.and_then(|to| self.behind(to));
            let Some(behind) = near.as_ref().or(far.as_deref().map(|far| &far.behind)) else {
                continue;
            };
            let all = behind.writes.iter().copied().map(named).collect();
            self.writer.code[call.at].operands = vec![crate::ptx::text::Operand::Vector(all)];
            if !behind.touches {
                // An instruction that does nothing.
                self.writer.code[call.is_listed].name = "membar".into();
            }
        }
        Ok(())
    }

    /// Another section that is called; `None` if the text does not list it.
    fn far(&mut self, call: Call<'t>) -> Result<Option<Rc<Far>>, Error> {
        let line = self.section.code[call.raw].line;
        let refuse = |why: &str| Error::call(self.section.name, line, why);
        let Some(name) = call.target.and_then(name_of) else {
            return Err(refuse("what it calls has no name there, as nvdisasm gives it"));
        };
        let Some(section) = self.program.section(name) else { return Ok(None) };
        let program = self.program;
        let followed = || Far::new(section, Translator::new(program, section).ok()?).map(Rc::new);
        let far = self.calls.far.entry(name).or_insert_with(followed);
        far.clone().map(Some).ok_or_else(|| refuse(&format!("{name} is not followed to its end")))
    }

    /// What the function at an instruction may do; `None` if it cannot be followed.
    fn behind(&self, raw: usize) -> Option<Behind> {
        let code = &self.writer.code;
        let mut behind = Behind { writes: BTreeSet::new(), touches: false };
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
            behind.writes.extend(destinations(one));
            behind.touches |= is_counted(one);
            open.extend(one.target);
            let goes_on = !["bra", "ret", "trap"].contains(&base) || one.guard.is_some();
            open.extend(goes_on.then_some(at + 1));
        }
        Some(behind)
    }

    /// Whether the address behind a call is where the function returns to: in the same block a register is set to it, or two
    /// are, which nothing writes up to the call. Of another section these are the two that it returns by.
    fn returns_here(&self, raw: usize, by: Option<Register>) -> Result<(), Error> {
        let first = self.entries.range(..=raw).next_back().copied().unwrap_or(0);
        let set = |half: Half| -> Vec<Register> {
            let is_it =
                |at: &usize| set_to(self.section, &self.section.code[*at], raw + 1) == Some(half);
            let register = |at: usize| {
                let to = Operand::parse(self.section.code[at].operands.first()?).register()?;
                (!self.writes(at + 1..raw, to)).then_some(to)
            };
            (first..raw).filter(is_it).filter_map(register).collect()
        };
        let high = set(Half::High);
        let is_pair = |low: &Register| {
            by.is_none_or(|by| by == *low) && low.after(1).is_some_and(|one| high.contains(&one))
        };
        if by.is_none() && !set(Half::Near).is_empty() || set(Half::Low).iter().any(is_pair) {
            return Ok(());
        }
        let why = "no register that it returns by is set to the address behind it";
        Err(Error::call(self.section.name, self.section.code[raw].line, why))
    }

    /// Returns whether one of some instructions may write a register.
    fn writes(&self, lines: std::ops::Range<usize>, one: Register) -> bool {
        let register = self.writer.register(one);
        let written = &self.writer.code[self.begins[lines.start]..self.begins[lines.end]];
        written.iter().any(|one| destinations(one).contains(&register))
    }
}

impl Far {
    /// A section from its begin to its returns; `None` if it may go elsewhere.
    fn new(section: &Section<'_>, translator: Translator<'_, '_>) -> Option<Self> {
        let ends = ["CALL", "EXIT", "KILL", "JMX", "JMXU"];
        let is_odd = |line: &Line<'_>| ends.contains(&base(line));
        if section.code.is_empty() || section.code.len() > MOST || section.code.iter().any(is_odd) {
            return None;
        }
        let mut all = section.code.iter().filter(|line| base(line) == "RET").map(returns_by);
        let by = all.next()??;
        let behind = translator.behind(0)?;
        let of_files = translator.writer.all();
        let mut behind = Behind { writes: behind.writes, ..behind };
        behind.writes.retain(|one| of_files.contains(one));
        let pair = [Some(by), by.after(1)].into_iter().flatten();
        let is_kept = pair
            .map(|one| translator.writer.register(one))
            .all(|one| !behind.writes.contains(&one));
        (is_kept && translator.ends() && all.all(|one| one == Some(by)))
            .then_some(Self { behind, by })
    }
}

/// The name in `` `(shuffle) ``.
fn name_of(word: &str) -> Option<&str> {
    word.strip_prefix('`')?.strip_prefix('(')?.strip_suffix(')')
}

/// The register of `RET.ABS.NODEC R20 0x0`, which holds an address of 64 bits.
fn returns_by(line: &Line<'_>) -> Option<Register> {
    let words: Vec<_> = line.operands.iter().flat_map(|one| one.split_whitespace()).collect();
    let [register, "0x0"] = words[..] else { return None };
    let one = Operand::parse(register);
    one.register().filter(|_| line.name.contains(".ABS") && one.is_plain() && !one.is_bit())
}

/// Whether an instruction sets a register to the address of another, or to half of it: `MOV R20, 32@lo((k + .L_x_0@srel))`.
fn set_to(section: &Section<'_>, line: &Line<'_>, to: usize) -> Option<Half> {
    let is_move = line.name.starts_with("MOV") || line.name.starts_with("IMAD.MOV");
    let word = line.operands.last().filter(|_| is_move && line.guard.is_none())?;
    if let Place::Number(number) = Operand::parse(word).place {
        let address = section.code.get(to)?.address;
        return (u64::try_from(number) == Ok(address)).then_some(Half::Near);
    }
    let (half, rest) = match word.strip_prefix("32@lo((") {
        Some(rest) => (Half::Low, rest),
        None => (Half::High, word.strip_prefix("32@hi((")?),
    };
    let (name, label) = rest.strip_suffix("@srel))")?.split_once(" + ")?;
    (name == section.name && section.labels.get(label) == Some(&to)).then_some(half)
}

/// Returns whether an instruction may access shared memory or is a matrix product.
fn is_counted(one: &Instruction) -> bool {
    let is_silent = |name: &str| one.name.contains(name);
    let is_access = !one.text.is_empty() && !is_silent(".global.") && !is_silent(".local.");
    is_access || one.name.starts_with("mma.")
}
