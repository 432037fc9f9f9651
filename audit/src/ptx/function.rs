//! A function of a text: its instructions, and the scopes in which its registers, labels and calls' parameters stand.
//!
//! ```text
//!   { .reg .b32 %r<9>;        %r1 of the kernel
//!     { .reg .b32 %r1;        %r1 of inline assembly, another one
//!       wait: @p bra wait; }  a label that others may have, too
//!   }
//! ```

use super::text::{Guard, Name, OF_CALL, Operand, Register, operand};
use crate::place::Loc;
use crate::resources::Resources;
use crate::text::separated;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// How wide a register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Predicate,
    Bits16,
    Bits32,
    Bits64,
    /// 8 or 128 bits, or a vector: nothing is known of it.
    Other,
}

/// An instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instruction {
    pub(crate) guard: Option<Guard>,
    pub(crate) name: Box<str>,
    pub(crate) operands: Vec<Operand>,
    /// The text behind the guard, of what may be an access; empty of others.
    pub(crate) text: Box<str>,
    /// The line of the text, from 1.
    pub(crate) line: usize,
    /// File and line of the source.
    pub(crate) loc: Option<Arc<Loc>>,
    /// Where it branches to: an index of an instruction, which may be one past the last.
    pub(crate) target: Option<usize>,
    /// Whether its generic address is known to be one of global memory.
    pub(crate) is_global: bool,
}

/// A kernel, or a function that one calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The names of its parameters and of its results, `None` of one in a register. A kernel has none.
    pub(crate) given: Vec<Option<Box<str>>>,
    pub(crate) results: Vec<Option<Box<str>>>,
    /// The number of names that were made for it.
    pub(crate) own_names: usize,
    pub(crate) required: Option<[u32; 3]>,
    pub(crate) most: Option<u32>,
    pub(crate) parameters: BTreeSet<Box<str>>,
    /// Variables in local memory, with their bytes and the zeros at the end of their addresses, if only one has the name.
    pub(crate) locals: BTreeMap<Box<str>, Option<(u32, u32)>>,
    /// Its instructions, as many as are kept of a kernel at most.
    pub(crate) code: Vec<Instruction>,
    /// How many more it has.
    pub(crate) left_out: usize,
    pub(crate) registers: Vec<Kind>,
    /// What is said of it.
    pub(crate) resources: Resources,
    /// Whether its last `}` is there.
    pub(crate) is_whole: bool,
    /// Whether it was translated from SASS; the texts of its instructions are SASS then.
    pub(crate) is_translated: bool,
}

/// A scope's registers: names, and names with a number below a limit.
#[derive(Default)]
pub(super) struct Scope<'t> {
    pub(super) names: HashMap<&'t str, Kind>,
    /// `%r<714>`: the limits of a name's declarations, ascending.
    families: HashMap<&'t str, Vec<(u64, Kind)>>,
    pub(super) known: HashMap<&'t str, Register>,
    pub(super) labels: HashMap<&'t str, usize>,
    pub(super) branches: Vec<(usize, &'t str)>,
    pub(super) lists: HashMap<&'t str, Vec<&'t str>>,
    /// Unique names of the parameters of calls: compilers name the first one of every call `param0`.
    of_calls: HashMap<Box<str>, Box<str>>,
}

/// A function as it is read.
pub(super) struct Open<'t> {
    pub(super) function: Function,
    /// Whether its instructions are kept: those of a kernel, or of a function that is asked for.
    pub(super) is_kept: bool,
    /// Instructions that are kept.
    most: usize,
    pub(super) scopes: Vec<Scope<'t>>,
}

impl<'t> Scope<'t> {
    /// Declares `%r<714>`; of a number that is declared twice the first holds.
    pub(super) fn family(&mut self, name: &'t str, count: u64, kind: Kind) {
        let known = self.families.entry(name).or_default();
        if known.last().is_none_or(|(last, _)| *last < count) {
            known.push((count, kind));
        }
    }

    /// What a name is declared as.
    fn kind(&self, word: &str) -> Option<Kind> {
        if let Some(kind) = self.names.get(word) {
            return Some(*kind);
        }
        let digits = word.len() - word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (family, number) = word.split_at(word.len() - digits);
        let number = number.parse::<u64>().ok()?;
        let known = self.families.get(family)?;
        known.get(known.partition_point(|(count, _)| *count <= number)).map(|(_, kind)| *kind)
    }
}

impl Function {
    /// Makes a name that nothing else has: no parameter of another call, and nothing in a function that it calls.
    pub(super) fn own_name(&mut self, name: &str) -> Box<str> {
        self.own_names += 1;
        format!("{name}{OF_CALL}{}", self.own_names).into()
    }
}

/// The head of a function that is no kernel, `.func (.param .b32 result) name(.param .b64 a)`, without its comments: its name,
/// and what is in the brackets of its results and its parameters.
pub(super) fn head_of(head: &str) -> [String; 3] {
    let lines = head.lines().map(|line| line.split("//").next().unwrap_or(""));
    let head = lines.collect::<Vec<_>>().join(" ");
    let (_, rest) = head.split_once(".func").unwrap_or(("", ""));
    let (results, rest) = bracketed(rest);
    let end = rest.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let (given, _) = bracketed(rest);
    [name, results, given].map(str::to_string)
}

/// The text within leading brackets, and the rest.
fn bracketed(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let parts = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    parts.map_or(("", text), |(inner, rest)| (inner, rest.trim_start()))
}

impl Open<'_> {
    /// A function that is no kernel.
    pub(super) fn of_function(head: &str, most: usize) -> Self {
        let [name, results, given] = head_of(head);
        let function = Function { name, ..Function::default() };
        let mut open = Self { function, is_kept: true, most, scopes: vec![Scope::default()] };
        open.function.results = separated(&results).map(|one| open.formal(one)).collect();
        open.function.given = separated(&given).map(|one| open.formal(one)).collect();
        open
    }

    /// `.param .align 8 .b8 name[16]`
    fn formal(&mut self, words: &str) -> Option<Box<str>> {
        let words = words.strip_prefix(".param")?;
        words.split_whitespace().next_back().map(|name| self.parameter(name))
    }

    /// Declares a parameter or a result of a call, or of the function itself.
    pub(super) fn parameter(&mut self, name: &str) -> Box<str> {
        let name = name.split('[').next().unwrap_or(name).trim();
        let own = self.function.own_name(name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.of_calls.insert(name.into(), own.clone());
        }
        own
    }
}

impl<'t> Open<'t> {
    pub(super) fn new(head: &str, most: usize) -> Self {
        let (is_kept, rest) = match head.split_once(".entry") {
            Some((_, rest)) => (true, rest),
            None => (false, ""),
        };
        let (name, rest) = rest.split_once('(').unwrap_or((rest, ""));
        let (parameters, tuning) = rest.split_once(')').unwrap_or((rest, ""));
        let last = |one: &str| {
            let word = one.split_whitespace().last()?;
            Some(Box::from(word.split('[').next()?))
        };
        let mut function = Function {
            // A kernel without parameters may have no brackets.
            name: name.split_whitespace().next().unwrap_or("").to_string(),
            parameters: parameters.split(',').filter_map(last).collect(),
            ..Function::default()
        };
        let tuning = if rest.is_empty() { name } else { tuning };
        for (word, most) in [(".reqntid", false), (".maxntid", true)] {
            let Some((_, numbers)) = tuning.split_once(word) else { continue };
            let numbers = numbers.split(['.', '\n']).next().unwrap_or("");
            let numbers: Vec<u32> =
                numbers.split(',').map_while(|one| one.trim().parse().ok()).collect();
            let shape = match numbers[..] {
                [x] => [x, 1, 1],
                [x, y] => [x, y, 1],
                [x, y, z] => [x, y, z],
                _ => continue,
            };
            if most {
                function.most = shape.iter().try_fold(1_u32, |all, one| all.checked_mul(*one));
            } else {
                function.required = Some(shape);
            }
        }
        Self { function, is_kept, most, scopes: vec![Scope::default()] }
    }

    pub(super) fn instruction(&mut self, words: &'t str, line: usize, loc: Option<Arc<Loc>>) {
        if self.function.code.len() >= self.most {
            self.function.left_out += 1;
            return;
        }
        let mut words = words.trim();
        let mut guard = None;
        if let Some(rest) = words.strip_prefix('@') {
            let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let (negated, name) = match word.strip_prefix('!') {
                Some(name) => (true, name),
                None => (false, word),
            };
            words = rest.trim_start();
            // A guard that nobody declares is unknown, as is a register that nobody writes.
            let predicate = match self.name(name) {
                Name::Register(register) => register,
                _ => self.new_register(Kind::Other),
            };
            guard = Some(Guard { predicate, negated });
        }
        let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return;
        }
        let operands: Vec<_> =
            separated(rest).map(|word| operand(word, &mut |name| self.name(name))).collect();
        if name.starts_with("brx") {
            return self.switch(rest, operands, line, loc);
        }
        let at = self.function.code.len();
        let is_branch = name == "bra" || name.starts_with("bra.");
        if is_branch && let Some(scope) = self.scopes.last_mut() {
            scope.branches.push((at, rest.trim()));
        }
        let may_access = ["ld", "st", "cp", "wmma"].iter().any(|one| name.starts_with(one));
        let text = if may_access { words } else { "" };
        let (name, text) = (name.into(), text.into());
        let one = Instruction { guard, name, operands, text, line, loc, ..Instruction::default() };
        self.function.code.push(one);
    }

    /// `brx.idx %r1, list;` goes to any of the list: a branch for each.
    fn switch(
        &mut self,
        rest: &'t str,
        operands: Vec<Operand>,
        line: usize,
        loc: Option<Arc<Loc>>,
    ) {
        let list = separated(rest).nth(1).unwrap_or("");
        let scope = self.scopes.iter().rev().find(|scope| scope.lists.contains_key(list));
        let targets = scope.map(|scope| scope.lists[list].clone()).unwrap_or_default();
        let index: Vec<_> = operands.into_iter().take(1).collect();
        // Of an unknown list, to a place that is not there.
        for target in if targets.is_empty() { vec![list] } else { targets } {
            let at = self.function.code.len();
            if let Some(scope) = self.scopes.last_mut() {
                scope.branches.push((at, target));
            }
            let (name, operands, loc) = ("brx.idx".into(), index.clone(), loc.clone());
            self.function.code.push(Instruction {
                name,
                operands,
                line,
                loc,
                ..Instruction::default()
            });
        }
        let name = "trap".into();
        self.function.code.push(Instruction { name, line, loc, ..Instruction::default() });
    }

    /// Declares a variable in local memory, `__local_depot0[64]`, whose elements have `element` bytes; `None` if its type is
    /// not followed. A name that is declared twice is followed no more.
    pub(super) fn variable(&mut self, name: &str, element: Option<u32>, zeros: u32) {
        let end = name.find(['[', ' ', '=']).unwrap_or(name.len());
        let (name, dimensions) = name.split_at(end);
        let counts = dimensions.split('[').skip(1).map(|count| {
            count.split(']').next().and_then(|count| count.trim().parse::<u32>().ok())
        });
        let bytes = counts.fold(element, |all, count| all?.checked_mul(count?));
        let known = self.function.locals.contains_key(name);
        let local = bytes.filter(|_| !known).map(|bytes| (bytes, zeros));
        self.function.locals.insert(name.into(), local);
    }

    fn new_register(&mut self, kind: Kind) -> Register {
        self.function.registers.push(kind);
        self.function.registers.len() - 1
    }

    /// What a name stands for, in the innermost scope that declares it.
    fn name(&mut self, word: &'t str) -> Name {
        for i in (0..self.scopes.len()).rev() {
            if let Some(register) = self.scopes[i].known.get(word) {
                return Name::Register(*register);
            }
            if let Some(kind) = self.scopes[i].kind(word) {
                let register = self.new_register(kind);
                self.scopes[i].known.insert(word, register);
                return Name::Register(register);
            }
            if let Some(own) = self.scopes[i].of_calls.get(word) {
                return Name::Symbol(own.clone());
            }
        }
        if word.starts_with('%') { Name::Special(word.into()) } else { Name::Symbol(word.into()) }
    }

    /// A label is of the scope in which it stands, or of one around it.
    pub(super) fn close_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for (at, label) in scope.branches {
            match (scope.labels.get(label), self.scopes.last_mut()) {
                (Some(target), _) => self.function.code[at].target = Some(*target),
                (None, Some(around)) => around.branches.push((at, label)),
                (None, None) => {}
            }
        }
    }

    pub(super) fn close(mut self) -> Function {
        // Where lanes go that return, and what a label at the end means.
        let line = self.function.code.last().map_or(0, |one| one.line);
        let end = Instruction { name: "ret".into(), line, ..Instruction::default() };
        self.function.code.push(end);
        while !self.scopes.is_empty() {
            self.close_scope();
        }
        self.function
    }
}
