//! Local memory: what a thread keeps there, at places that the text tells, is followed as registers are.
//!
//! ```text
//!   .local .align 16 .b8 __local_depot0[64];
//!   mov.u64 %SPL, __local_depot0;            cvta.local.u64 %SP, %SPL;
//!   add.u64 %rd2, %SPL, 16;                  all that is ever written to %rd2 is byte 16
//!   st.local.v2.u32 [%rd2+8], {%r1, %r2};    words 6 and 7
//!   ld.local.u32 %r3, [%rd2+12];             word 7: what %r2 was
//!   st.local.u32 [%rd3], %r4;                %rd3 was computed: every word may be what %r4 is
//!   ld.local.u32 %r5, [%rd4];                .., the same in all lanes: one of the words
//! ```
//!
//! A generic store may be one to local memory only where a generic address of it was made.

use super::flow::{SPACES, element, held};
use super::function::{Function, Instruction, Kind};
use super::text::{Name, Operand};
use std::collections::BTreeMap;

/// What an instruction does to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// It loads from words, each element from `each` of them.
    Load { first: u32, count: u32, each: u32 },
    /// It stores to words; `each` is 0 if an element is less than one.
    Store { first: u32, count: u32, each: u32 },
    /// It loads a word, and which is computed.
    LoadSome,
    /// It stores to a word, and which is computed.
    StoreSome,
    /// It may write any word.
    Any,
}

/// What the instructions of a kernel do to its local memory.
#[derive(Debug, Default)]
pub(crate) struct Local {
    touches: BTreeMap<usize, Touch>,
    /// The stores to each word.
    stores: BTreeMap<u32, Vec<usize>>,
    /// How many words there are.
    pub(crate) words: u32,
}

/// Words of local memory at most of which a computed one is told.
const SOME: u32 = 64;

/// What a register may hold: nothing that is written, a byte of a variable, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nothing,
    At(Variable, i64),
    Other,
}

/// A variable in local memory: its first word, its bytes, and zeros at the end of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variable {
    first: u32,
    bytes: u32,
    zeros: u32,
}

impl Place {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            _ if self == other => self,
            _ => Self::Other,
        }
    }

    fn far(self, bytes: i64) -> Self {
        match self {
            Self::At(variable, at) => Self::At(variable, at.wrapping_add(bytes)),
            other => other,
        }
    }

    /// The place whose address has these bits, too, if none of them is set in this one's.
    fn with_bits(self, bits: i64) -> Self {
        match self {
            Self::At(variable, at) if at & bits == 0 && bits >> variable.zeros == 0 => {
                Self::At(variable, at | bits)
            }
            Self::Nothing => self,
            _ => Self::Other,
        }
    }

    /// The first word and the number of words of an access of `bytes` bytes; `None` where they leave the variable.
    fn words(self, bytes: u32) -> Option<[u32; 2]> {
        let Self::At(variable, at) = self else { return None };
        let at = u32::try_from(at).ok()?;
        if bytes == 0 || at.checked_add(bytes)? > variable.bytes {
            return None;
        }
        let first = at / 4;
        Some([variable.first + first, (at + bytes).div_ceil(4) - first])
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::At(_, at) if at % 4 == 0)
    }
}

impl Local {
    pub(crate) fn new(function: &Function) -> Self {
        let mut local = Self::default();
        let variables = variables(function);
        if variables.is_empty() {
            return local;
        }
        let ends = variables.values().map(|one| one.first + one.bytes.div_ceil(4));
        local.words = ends.max().unwrap_or(0);
        let is_regular = local.words <= SOME && variables.values().all(|one| one.zeros >= 2);
        let places = places(function, &variables);
        let is_generic =
            |one: &Instruction| one.name.starts_with("cvta.local") || one.name.starts_with("call");
        let is_made_generic = function.code.iter().any(is_generic);
        for (at, one) in function.code.iter().enumerate() {
            let touch = match touch(one, is_made_generic, &places, &variables) {
                Some(Touch::LoadSome) if !is_regular => continue,
                Some(Touch::StoreSome) if !is_regular => Touch::Any,
                Some(touch) => touch,
                None => continue,
            };
            if let Touch::Store { first, count, .. } = touch {
                (first..first + count)
                    .for_each(|word| local.stores.entry(word).or_default().push(at));
            }
            local.touches.insert(at, touch);
        }
        local
    }

    /// What an instruction does to local memory, if anything.
    pub(crate) fn touch(&self, at: usize) -> Option<Touch> {
        self.touches.get(&at).copied()
    }

    /// Returns whether an instruction loads from a place in local memory that is known, or stores there.
    pub(crate) fn is_at(&self, at: usize) -> bool {
        matches!(self.touch(at), Some(Touch::Load { .. } | Touch::Store { .. }))
    }

    /// Returns whether an instruction may write local memory.
    pub(crate) fn writes(&self, at: usize) -> bool {
        self.touch(at).is_some_and(|touch| !matches!(touch, Touch::Load { .. } | Touch::LoadSome))
    }

    /// The stores to a word.
    pub(crate) fn stores(&self, word: u32) -> &[usize] {
        self.stores.get(&word).map_or(&[], |all| all)
    }

    /// The instructions that may write any word.
    pub(crate) fn anywhere(&self) -> impl Iterator<Item = usize> {
        let is = |touch: &Touch| matches!(touch, Touch::Any | Touch::StoreSome);
        self.touches.iter().filter(move |(_, touch)| is(touch)).map(|(at, _)| *at)
    }
}

/// The variables of a kernel; of two with one name neither.
fn variables(function: &Function) -> BTreeMap<&str, Variable> {
    let mut next = 0_u32;
    let mut all = BTreeMap::new();
    for (name, local) in &function.locals {
        let Some((bytes, zeros)) = *local else { continue };
        let Some(after) = next.checked_add(bytes.div_ceil(4)) else { break };
        all.insert(&**name, Variable { first: next, bytes, zeros });
        next = after;
    }
    all
}

/// What each register holds, whatever the path.
fn places(function: &Function, variables: &BTreeMap<&str, Variable>) -> Vec<Place> {
    held(function, Place::Nothing, Place::or, |one, register, all| {
        match function.registers[register] {
            Kind::Bits32 | Kind::Bits64 => written(one, all, variables),
            _ => Place::Other,
        }
    })
}

/// Where an operand points.
fn place(operand: &Operand, all: &[Place], variables: &BTreeMap<&str, Variable>) -> Place {
    let (name, offset) = match operand {
        Operand::Name(name) => (name, 0),
        Operand::Address(Some(name), offset) => (name, *offset),
        _ => return Place::Other,
    };
    let base = match name {
        Name::Register(register) => all[*register],
        Name::Symbol(name) => match variables.get(&**name) {
            Some(variable) => Place::At(*variable, 0),
            None => Place::Other,
        },
        Name::Special(_) => Place::Other,
    };
    base.far(offset)
}

/// What an instruction writes.
fn written(one: &Instruction, all: &[Place], variables: &BTreeMap<&str, Variable>) -> Place {
    let [Operand::Name(_), from @ ..] = &one.operands[..] else { return Place::Other };
    let place = |operand: &Operand| place(operand, all, variables);
    let mut parts = one.name.split('.');
    match (parts.next().unwrap_or(""), from) {
        ("mov", [from]) => place(from),
        ("cvta", [from]) if parts.any(|part| part == "local") => place(from),
        ("add", [from, Operand::Number(bytes)] | [Operand::Number(bytes), from]) => {
            place(from).far(*bytes)
        }
        // Of an aligned variable compilers write it for a sum.
        ("or", [from, Operand::Number(bits)]) => place(from).with_bits(*bits),
        ("sub", [from, Operand::Number(bytes)]) => place(from).far(bytes.wrapping_neg()),
        _ => Place::Other,
    }
}

/// What an instruction does to local memory; a generic access is one to it only if a generic address of it was made.
fn touch(
    one: &Instruction,
    is_made_generic: bool,
    all: &[Place],
    variables: &BTreeMap<&str, Variable>,
) -> Option<Touch> {
    let parts: Vec<&str> = one.name.split('.').collect();
    let is_local = parts.contains(&"local");
    let may_be = is_local || is_made_generic && !SPACES.iter().any(|one| parts.contains(one));
    let at = |operand: Option<&Operand>| {
        operand.map_or(Place::Other, |operand| place(operand, all, variables))
    };
    match parts[0] {
        "call" => Some(Touch::Any),
        "cvta" | "isspacep" | "prefetch" | "prefetchu" => None,
        _ if !may_be => None,
        "ld" | "ldu" => {
            let (place, [bits, elements]) = (at(one.operands.get(1)), shape(one, &parts)?);
            if is_local && place == Place::Other && [bits, elements] == [32, 1] {
                return Some(Touch::LoadSome);
            }
            let [first, count] = place.words(bits / 8 * elements)?;
            let is_whole = place.is_whole() && [32, 64].contains(&bits);
            is_whole.then_some(Touch::Load { first, count, each: bits / 32 })
        }
        "st" => {
            let (place, shape) = (at(one.operands.first()), shape(one, &parts));
            let words = shape.and_then(|[bits, elements]| {
                let [first, count] = place.words(bits / 8 * elements)?;
                let each = if place.is_whole() && [32, 64].contains(&bits) { bits / 32 } else { 0 };
                Some(Touch::Store { first, count, each })
            });
            let is_some = place == Place::Other && shape == Some([32, 1]);
            words.or(Some(if is_some { Touch::StoreSome } else { Touch::Any }))
        }
        // Of what has no space of its own: what writes to memory.
        "red" | "atom" | "wmma" | "stmatrix" | "cp" | "multimem" => Some(Touch::Any),
        _ => is_local.then_some(Touch::Any),
    }
}

/// The bits of an element, and how many there are.
fn shape(one: &Instruction, parts: &[&str]) -> Option<[u32; 2]> {
    let bits = element(&one.name).filter(|bits| [8, 16, 32, 64, 128].contains(bits))?;
    let elements = parts.iter().find_map(|part| part.strip_prefix('v')?.parse::<u32>().ok());
    Some([bits, elements.unwrap_or(1)]).filter(|[_, elements]| *elements <= 8)
}
