//! A function as it is read: its instructions, and the labels and addresses by which its branches find their targets.
//!
//! ```text
//!   s_cbranch_scc1 .LBB0_2                                            a label
//!   s_cbranch_scc1 16   // 000000001904: bf850010 <gemm+0x48>         in a disassembly, bytes from a symbol on
//! ```

use super::distance::Distance;
use super::function::{Function, Instruction};
use super::jumps::Jumps;
use super::text::{Operand, Words, is_register_or_mask};
use crate::place::Place;
use crate::text::{number, separated};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A function as it is read.
#[derive(Default)]
pub(super) struct Open {
    function: Function,
    labels: BTreeMap<String, usize>,
    /// Addresses of instructions, as a disassembler prints them.
    addresses: BTreeMap<u64, usize>,
    /// Addresses of its symbols, as a disassembler prints them: its own, and those of labels.
    symbols: BTreeMap<String, u64>,
    /// Whether the last instruction goes on to the next.
    goes_on: bool,
    /// Symbols that are targets of its branches, as a disassembler prints them.
    targets: BTreeSet<String>,
    /// Instructions that are kept.
    most: usize,
    branches: Vec<(usize, Target)>,
    /// The distances to labels that instructions add.
    named: BTreeMap<usize, Distance>,
}

/// The target of a branch.
enum Target {
    Label(String),
    /// Bytes from a symbol on.
    Behind(String, u64),
}

impl Open {
    /// A function of this name, and its address if a disassembler prints it; at most `most` instructions are kept.
    pub(super) fn new(name: &str, address: Option<u64>, most: usize) -> Self {
        let function = Function { name: name.to_string(), ..Function::default() };
        let mut open = Self { function, most, ..Self::default() };
        address.into_iter().for_each(|address| open.symbol(name, address));
        open
    }

    /// Returns whether the symbol that follows is a label: code of the function leads there. Code by hand has symbols at its
    /// labels, and a disassembler prints them as those of functions.
    pub(super) fn reaches(&self, symbol: &str) -> bool {
        self.goes_on || self.targets.contains(symbol)
    }

    /// Takes a label with its address.
    pub(super) fn symbol(&mut self, name: &str, address: u64) {
        if self.symbols.len() <= self.most {
            self.symbols.insert(name.to_string(), address);
        }
        self.label(name);
    }

    pub(super) fn label(&mut self, name: &str) {
        if self.function.length <= self.most && self.labels.len() < self.most {
            self.labels.insert(name.to_string(), self.function.length);
        }
    }

    /// Takes an instruction, if there is room for it.
    pub(super) fn push(&mut self, instruction: Instruction) {
        self.function.length += 1;
        if self.function.length <= self.most {
            self.function.code.push(instruction);
        }
    }

    pub(super) fn instruction(
        &mut self,
        code: &str,
        comment: &str,
        line: usize,
        place: Option<Arc<Place>>,
    ) {
        let at = self.function.length;
        let address = address_of(comment);
        if address.is_some() {
            self.follow(code, comment);
        }
        if at >= self.most {
            self.function.length += 1;
            return;
        }
        if let Some(address) = address {
            self.addresses.insert(address, at);
        }
        let words = Words::of_line(code);
        if is_branch(&words[0].name) {
            let target = match words[0].operands.last() {
                Some(Operand::Name(name)) => Some(Target::Label(name.clone())),
                _ => behind(comment),
            };
            self.branches.extend(target.map(|target| (at, target)));
        } else if words[0].name.starts_with("s_add") {
            self.named.extend(distance_in(code).map(|distance| (at, distance)));
        }
        let spills = comment.contains("Folded Spill") || comment.contains("Folded Reload");
        self.push(Instruction { words, line, place, target: None, spills });
    }

    /// Notes where an instruction of a disassembly leads, kept or not: by that alone labels differ from functions.
    fn follow(&mut self, code: &str, comment: &str) {
        let (name, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
        if is_branch(name) && self.targets.len() <= MOST_TARGETS {
            self.targets.insert(rest.trim().to_string());
        }
        // Padding follows the end of a function, and does not go on to the next.
        let is_padding =
            matches!(name, "s_nop" | "s_code_end") || comment.trim_end().ends_with(": 00000000");
        self.goes_on = match name {
            "s_branch" => false,
            _ if name.starts_with("s_endpgm") || name.starts_with("s_setpc") => false,
            _ => self.goes_on || !is_padding,
        };
    }

    pub(super) fn close(mut self) -> Function {
        for (at, target) in &self.branches {
            self.function.code[*at].target = match target {
                Target::Label(name) => self.labels.get(name).copied(),
                Target::Behind(symbol, distance) => {
                    let begin = self.symbols.get(symbol);
                    let address = begin.and_then(|begin| begin.checked_add(*distance));
                    address.and_then(|address| self.addresses.get(&address)).copied()
                }
            };
        }
        let Self { labels, addresses, named, mut function, .. } = self;
        Jumps { labels: &labels, addresses: &addresses, named: &named }.resolve(&mut function.code);
        function
    }
}

/// The most branch targets of a function that are remembered, so that its labels are not taken for functions.
const MOST_TARGETS: usize = 1 << 20;

/// The distance to a label among operands: `label_end` of `s82, label_end, 0x4`.
fn distance_in(code: &str) -> Option<Distance> {
    let (_, operands) = code.split_once(char::is_whitespace)?;
    let mut operands = separated(operands);
    operands.find_map(|one| Distance::parse(one).filter(|_| !is_register_or_mask(one)))
}

fn is_branch(name: &str) -> bool {
    name.starts_with("s_cbranch") || name == "s_branch"
}

/// `// 000000001900: 20020086`.
fn address_of(comment: &str) -> Option<u64> {
    let (address, _) = comment.strip_prefix("//")?.split_once(':')?;
    u64::from_str_radix(address.trim(), 16).ok()
}

/// `.. <gemm+0x34>`: bytes from a symbol on.
fn behind(comment: &str) -> Option<Target> {
    let (_, name) = comment.split_once('<')?;
    let (name, _) = name.rsplit_once('>')?;
    let (symbol, distance) = name.rsplit_once('+').unwrap_or((name, "0"));
    Some(Target::Behind(symbol.to_string(), u64::try_from(number(distance)?).ok()?))
}
