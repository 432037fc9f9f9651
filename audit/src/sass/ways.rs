//! What is known of the calls of a function of SASS: where the ways of called code end, and what it may write.

use super::operand::Register;
use super::text::{Line, Section};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is known of the calls of a function.
#[derive(Default)]
pub(super) struct Calls<'t> {
    pub(super) all: Vec<Call<'t>>,
    /// Ways from places of the section that are called.
    pub(super) ways: BTreeMap<usize, Ways>,
    /// Other sections, as they were followed.
    pub(super) far: BTreeMap<&'t str, Option<Rc<Far>>>,
}

/// A call: the instruction, and that which makes what it may write unknown.
#[derive(Clone, Copy)]
pub(super) struct Call<'t> {
    pub(super) raw: usize,
    pub(super) at: usize,
    pub(super) target: Option<&'t str>,
    /// Whether the kernel's own accesses may be behind it.
    pub(super) is_listed: usize,
}

/// How the ways from an instruction may end.
#[derive(Clone, Copy, Default)]
pub(super) struct Ways {
    /// Back behind the call.
    pub(super) returns: bool,
    /// With lanes that are done.
    pub(super) exits: bool,
}

/// What a function may do: the registers that it writes, and whether it contains accesses or products.
pub(super) struct Behind {
    pub(super) writes: BTreeSet<usize>,
    pub(super) touches: bool,
}

/// Another section, and the register that holds where it returns.
pub(super) struct Far {
    pub(super) behind: Behind,
    pub(super) by: Register,
}

/// How the ways from an instruction of a section may end.
pub(super) fn ways(section: &Section<'_>, from: usize) -> Ways {
    let (mut ways, mut seen, mut open) = (Ways::default(), BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        let Some(line) = section.code.get(at).filter(|_| seen.insert(at)) else { continue };
        let base = base(line);
        ways.returns |= base == "RET";
        ways.exits |= ["EXIT", "KILL"].contains(&base);
        let goes = ["BRA", "JMP", "CALL", "WARPSYNC"].contains(&base);
        let to = line.operands.last().filter(|_| goes).and_then(|word| section.place(word));
        open.extend(to);
        open.extend(line.targets.iter().filter_map(|label| section.labels.get(label).copied()));
        let ends = ["BRA", "JMP", "BRX", "BRXU", "JMX", "JMXU", "EXIT", "KILL", "RET"];
        let is_sure = line.guard.is_none()
            && (base != "BRA" || line.name == "BRA" && line.operands.len() == 1);
        open.extend((!is_sure || !ends.contains(&base)).then_some(at + 1));
    }
    ways
}

/// The name of an instruction without its modifiers.
pub(super) fn base<'t>(line: &Line<'t>) -> &'t str {
    line.name.split('.').next().unwrap_or("")
}
