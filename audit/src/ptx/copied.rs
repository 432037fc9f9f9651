//! A call as it is written, and a copy of a function with names of its own.

use super::function::{Function, Instruction};
use super::text::{Name, OF_CALL, Operand};
use std::collections::BTreeMap;

/// `call.uni (retval0), name, (param0, param1)`
pub(super) struct Call<'c> {
    pub(super) name: &'c str,
    pub(super) results: &'c [Operand],
    pub(super) given: &'c [Operand],
}

impl<'c> Call<'c> {
    pub(super) fn from_instruction(one: &'c Instruction) -> Option<Self> {
        if one.name.split('.').next() != Some("call") {
            return None;
        }
        let (results, rest) = match &one.operands[..] {
            [Operand::Vector(results), rest @ ..] => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let (name, given) = match rest {
            [Operand::Name(Name::Symbol(name))] => (name, &[][..]),
            [Operand::Name(Name::Symbol(name)), Operand::Vector(given)] => (name, &given[..]),
            _ => return None,
        };
        Some(Self { name, results, given })
    }

    /// Returns whether the function takes and gives as many, all of them in parameters and not in registers.
    pub(super) fn fits(&self, called: &Function) -> bool {
        let is_parameter = |one: &Operand| match one {
            Operand::Name(Name::Symbol(name)) => name.contains(OF_CALL),
            _ => false,
        };
        self.given.len() == called.given.len()
            && self.results.len() == called.results.len()
            && self.given.iter().chain(self.results).all(is_parameter)
            && called.given.iter().chain(&called.results).all(Option::is_some)
    }
}

/// A function in the place of one call: its registers, variables and parameters are its own.
pub(super) struct Copy<'f> {
    pub(super) called: &'f Function,
    /// The number of its first register.
    pub(super) first: usize,
    names: BTreeMap<&'f str, Box<str>>,
}

impl<'f> Copy<'f> {
    pub(super) fn new(called: &'f Function, whole: &mut Function) -> Self {
        let first = whole.registers.len();
        whole.registers.extend(&called.registers);
        let mut names = BTreeMap::new();
        let locals = called.locals.iter().filter(|(_, local)| local.is_some());
        for (name, local) in locals {
            let own = whole.own_name(name);
            whole.locals.insert(own.clone(), *local);
            names.insert(&**name, own);
        }
        for operand in called.code.iter().flat_map(|one| &one.operands) {
            each_name(operand, &mut |name| {
                names.entry(name).or_insert_with(|| whole.own_name(name));
            });
        }
        Self { called, first, names }
    }

    /// The name that a parameter of the function has here, if any instruction names it.
    pub(super) fn name(&self, parameter: &str) -> Option<&str> {
        self.names.get(parameter).map(|name| &**name)
    }

    pub(super) fn operand(&self, operand: &Operand) -> Operand {
        let all = |parts: &[Operand]| parts.iter().map(|part| self.operand(part)).collect();
        match operand {
            Operand::Name(name) => Operand::Name(self.named(name)),
            Operand::Not(register) => Operand::Not(self.first + register),
            Operand::Address(Some(name), far) => Operand::Address(Some(self.named(name)), *far),
            Operand::Vector(parts) => Operand::Vector(all(parts)),
            Operand::Both(parts) => Operand::Both(all(parts)),
            other => other.clone(),
        }
    }

    fn named(&self, name: &Name) -> Name {
        match name {
            Name::Register(register) => Name::Register(self.first + register),
            Name::Symbol(name) => Name::Symbol(self.names.get(&**name).unwrap_or(name).clone()),
            Name::Special(name) => Name::Special(name.clone()),
        }
    }
}

/// The parameters of calls that an operand names.
pub(super) fn each_name<'c>(operand: &'c Operand, take: &mut dyn FnMut(&'c str)) {
    match operand {
        Operand::Name(Name::Symbol(name)) | Operand::Address(Some(Name::Symbol(name)), _)
            if name.contains(OF_CALL) =>
        {
            take(name);
        }
        Operand::Vector(parts) | Operand::Both(parts) => {
            parts.iter().for_each(|part| each_name(part, take));
        }
        _ => {}
    }
}
