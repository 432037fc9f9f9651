//! What a call hands over: parameters and results as registers.
//!
//! | caller | function | handed over |
//! |---|---|---|
//! | `st.param.b32 [param0], %r1` | `ld.param.u32 %r1, [f_param_0]` | 32 bits |
//! | `st.param.v2.b32 [param0+8], {%r1, %r2}` | `ld.param.b32 %r1, [f_param_0+12]` | the second |
//! | `st.param.b32 [param0], %r1` | `ld.param.u8 %rs1, [f_param_0]` | 32 bits, of which the lowest 8 are loaded |
//! | `st.param.b32 [param0], %r1` | `ld.param.b64 %rd1, [f_param_0]` | nothing: the function loads what is not known |
//! | `mov.b64 %rd1, param0`, or one parameter in two calls | | nothing of it |
//!
//! Source: NVIDIA, "Parallel Thread Execution ISA", "Function declarations and definitions", "Parameter state space".

use super::copied::{Call, Copy, each_name};
use super::flow::element;
use super::function::{Function, Instruction, Kind};
use super::text::{Name, OF_CALL, Operand, Register};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Bytes of a parameter that are stored or loaded at once: where they begin, and how many bits they have.
type Element = (i64, u32);

/// The register in which each element of a parameter is handed over.
#[derive(Debug, Default)]
pub(super) struct Handed {
    stored: HashMap<(Box<str>, Element), Register>,
    loaded: HashMap<(Box<str>, Element), Register>,
}

impl Handed {
    /// What is handed over at the calls in whose place there are copies; registers for it are added.
    pub(super) fn new(
        function: &Function,
        copies: &BTreeMap<usize, Copy<'_>>,
        registers: &mut Vec<Kind>,
    ) -> Self {
        let mut handed = Self::default();
        let own = Uses::by_parameter(function);
        let mut of_called = HashMap::new();
        for (at, copy) in copies {
            let Some(call) = Call::from_instruction(&function.code[*at]) else { continue };
            let key: *const Function = copy.called;
            let theirs = of_called.entry(key).or_insert_with(|| Uses::by_parameter(copy.called));
            let given = call.given.iter().zip(&copy.called.given).map(|pair| (pair, true));
            let results = call.results.iter().zip(&copy.called.results).map(|pair| (pair, false));
            for ((operand, parameter), is_given) in given.chain(results) {
                let (Operand::Name(Name::Symbol(name)), Some(parameter)) = (operand, parameter)
                else {
                    continue;
                };
                let both = own.get(&**name).zip(theirs.get(&**parameter));
                let (Some((here, there)), Some(inside)) = (both, copy.name(parameter)) else {
                    continue;
                };
                let (from, to) = if is_given { (&**name, inside) } else { (inside, &**name) };
                for (stored, loaded) in here.agreed(there, is_given) {
                    let register =
                        handed.stored.entry((from.into(), stored)).or_insert_with(|| {
                            registers.extend(kind_of(stored.1));
                            registers.len() - 1
                        });
                    handed.loaded.insert((to.into(), loaded), *register);
                }
            }
        }
        handed
    }

    /// Adds an instruction to a function; of what is handed over a move of each element.
    pub(super) fn push(&self, one: Instruction, whole: &mut Function) {
        let Some(moved) = Transfer::from_instruction(&one, &whole.registers) else {
            return whole.code.push(one);
        };
        let handed = if moved.is_store { &self.stored } else { &self.loaded };
        let handed = |element: Element| handed.get(&(moved.name.into(), element)).copied();
        if moved.elements.iter().all(|(element, _)| handed(*element).is_none()) {
            return whole.code.push(one);
        }
        let mut moves = Vec::new();
        for (element, operand) in &moved.elements {
            let (far, bits) = *element;
            let operand = (*operand).clone();
            let named = |register| Operand::Name(Name::Register(register));
            let (name, operands) = match (handed(*element), moved.is_store) {
                (None, true) => continue,
                (None, false) => {
                    let place = Operand::Address(Some(Name::Symbol(moved.name.into())), far);
                    (format!("ld.param.b{bits}"), vec![operand, place])
                }
                (Some(register), true) => (format!("mov.b{bits}"), vec![named(register), operand]),
                (Some(register), false) => {
                    let from = named(register);
                    let widths = [&operand, &from].map(|one| width(one, &whole.registers));
                    let sign = if moved.is_signed { 's' } else { 'u' };
                    let name = match widths {
                        [Some(to), Some(from)] if to != bits || from != bits => {
                            format!("cvt.{sign}{to}.{sign}{bits}")
                        }
                        _ => format!("mov.b{bits}"),
                    };
                    (name, vec![operand, from])
                }
            };
            let name = name.into();
            moves.push(Instruction { name, operands, text: Box::default(), ..one.clone() });
        }
        whole.code.extend(moves);
    }
}

/// The kind of a register that has as many bits.
fn kind_of(bits: u32) -> Option<Kind> {
    match bits {
        16 => Some(Kind::Bits16),
        32 => Some(Kind::Bits32),
        64 => Some(Kind::Bits64),
        _ => None,
    }
}

/// The bits of a register that is one of numbers.
fn width(operand: &Operand, registers: &[Kind]) -> Option<u32> {
    let Operand::Name(Name::Register(register)) = operand else { return None };
    [16, 32, 64].into_iter().find(|bits| kind_of(*bits) == Some(registers[*register]))
}

/// What the instructions of a function do with a parameter.
#[derive(Clone, Debug, Default)]
struct Uses {
    loads: BTreeSet<Element>,
    stores: BTreeSet<Element>,
    calls: usize,
    /// Whether there is something else.
    others: bool,
}

impl Uses {
    /// Those of all parameters of calls that a function names.
    fn by_parameter(function: &Function) -> BTreeMap<&str, Self> {
        let mut all: BTreeMap<&str, Self> = BTreeMap::new();
        for one in &function.code {
            if let Some(moved) = Transfer::from_instruction(one, &function.registers) {
                let uses = all.entry(moved.name).or_default();
                let kept = if moved.is_store { &mut uses.stores } else { &mut uses.loads };
                kept.extend(moved.elements.iter().map(|(element, _)| *element));
                continue;
            }
            let is_call = Call::from_instruction(one).is_some();
            for operand in &one.operands {
                let in_call = is_call && matches!(operand, Operand::Vector(_));
                each_name(operand, &mut |name| {
                    let uses = all.entry(name).or_default();
                    uses.calls += usize::from(in_call);
                    uses.others |= !in_call;
                });
            }
        }
        all
    }

    /// What is stored to a caller's parameter or the function's own, and what is loaded from the other: all or the lowest bits of
    /// it. Nothing if something else is done to either.
    fn agreed(&self, function: &Self, is_given: bool) -> Vec<(Element, Element)> {
        let (from, to) = if is_given { (self, function) } else { (function, self) };
        let is_plain = !self.others && !function.others && self.calls == 1 && function.calls == 0;
        if !is_plain || !from.loads.is_empty() || !to.stores.is_empty() {
            return Vec::new();
        }
        let end = |one: &Element| one.0.saturating_add(i64::from(one.1 / 8));
        let overlap = |a: &Element, b: &Element| a.0 < end(b) && b.0 < end(a);
        let mut agreed = Vec::new();
        for loaded in &to.loads {
            let mut stores = from.stores.iter().filter(|one| overlap(one, loaded));
            let (Some(stored), None) = (stores.next(), stores.next()) else { continue };
            let is_within = stored.0 == loaded.0 && stored.1 >= loaded.1;
            if is_within && kind_of(stored.1).is_some() {
                agreed.push((*stored, *loaded));
            }
        }
        agreed
    }
}

/// A load of a parameter, or a store to it: `st.param.v2.b32 [param0+8], {%r1, %r2}`.
struct Transfer<'c> {
    name: &'c str,
    /// Each element, with what it is loaded to or stored from.
    elements: Vec<(Element, &'c Operand)>,
    is_store: bool,
    /// Whether what is loaded has a sign.
    is_signed: bool,
}

impl<'c> Transfer<'c> {
    fn from_instruction(one: &'c Instruction, registers: &[Kind]) -> Option<Self> {
        let mut parts = one.name.split('.');
        let (is_store, space, vector) = (parts.next()? == "st", parts.next()?, parts.next()?);
        if !["param", "param::func"].contains(&space) {
            return None;
        }
        let [first, second] = &one.operands[..] else { return None };
        let (address, data) = if is_store { (first, second) } else { (second, first) };
        let Operand::Address(Some(Name::Symbol(name)), begin) = address else { return None };
        let bits = element(&one.name).filter(|bits| [8, 16, 32, 64].contains(bits))?;
        let is_signed = one.name.rsplit('.').next()?.starts_with('s');
        let data = data.parts();
        let count = match vector.strip_prefix('v') {
            Some(count) => count.parse().ok()?,
            None => 1,
        };
        // What is stored has as many bits, what is loaded as many or more.
        let is_plain = |operand: &Operand| match operand {
            Operand::Name(Name::Register(_)) => match width(operand, registers) {
                Some(width) if is_store => width == bits || bits == 8,
                width => width.is_some_and(|width| width >= bits),
            },
            Operand::Name(Name::Symbol(name)) => is_store && !name.contains(OF_CALL),
            Operand::Number(_) | Operand::Other => is_store,
            _ => false,
        };
        if !name.contains(OF_CALL) || data.len() != count || !data.iter().all(is_plain) {
            return None;
        }
        let at = |i: i64| begin.checked_add(i.checked_mul(i64::from(bits / 8))?);
        let elements = (0..).zip(data).map(|(i, one)| Some(((at(i)?, bits), one)));
        Some(Self { name, elements: elements.collect::<Option<_>>()?, is_store, is_signed })
    }
}
