//! Which variable of shared memory an access is in, and at which bytes of it.
//!
//! ```text
//!   .shared .align 4 .b8 s[4096];                at a multiple of 4 that nobody says
//!   mov.u32 %r2, s;  mad.lo.u32 %r3, %r1, 128, %r2;
//!   ld.shared.f32 %f1, [%r3+4];                  128 * %r1 + 4 bytes behind its begin
//! ```
//!
//! A move of bytes belongs to the offset in the variable, which no alignment of the variable changes: where it lies turns all
//! banks by as much. So the kernel is gone through once more with each variable at 0. An address that is computed from a
//! variable's and from numbers stays in that variable, or the program is wrong. All that is ever written to a register counts,
//! whatever the path. What is not the same distance from lane to lane in both passes is left out.

use super::flow::held;
use super::function::{Function, Instruction};
use super::program::Text;
use super::row;
use super::text::{Name, Operand};
use crate::kernel::{Array, Reached, Site, Within};
use crate::value::Value;
use std::collections::BTreeMap;

/// What a register may hold: nothing that is written, a number, an address in a variable, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Nothing,
    Number,
    In(usize),
    Other,
}

use Holds::{In, Nothing, Number, Other};

impl Holds {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Nothing, one) | (one, Nothing) => one,
            _ if self == other => self,
            _ => Other,
        }
    }

    /// What comes of both in one number. Of what is not written yet nothing comes, so that what is found only grows.
    const fn with(self, other: Self) -> Self {
        match (self, other) {
            (Nothing, _) | (_, Nothing) => Nothing,
            (Number, one) | (one, Number) => one,
            _ => Other,
        }
    }
}

/// The variables of shared memory, by their places among the text's.
type Places<'t> = BTreeMap<&'t str, usize>;

/// The variables of a text, in the order of their names.
pub(super) fn all(text: &Text) -> Vec<Array> {
    let bytes = |name: &str| text.bytes.get(name).copied().flatten();
    let of = |name: &str| Array { name: name.to_string(), bytes: bytes(name) };
    text.symbols.keys().map(|name| of(name)).collect()
}

/// Bytes of the variables of shared memory that a kernel names; `None` if the text states none of them.
pub(super) fn declared(function: &Function, text: &Text) -> Option<u32> {
    let operands = function.code.iter().flat_map(|one| &one.operands);
    let named = operands.filter_map(|operand| match operand {
        Operand::Name(Name::Symbol(name)) | Operand::Address(Some(Name::Symbol(name)), _) => {
            Some(name)
        }
        _ => None,
    });
    let all: BTreeMap<_, u32> =
        named.filter_map(|name| Some((name, (*text.bytes.get(name)?)?))).collect();
    (!all.is_empty()).then(|| all.values().fold(0, |sum: u32, one| sum.saturating_add(*one)))
}

/// The text with each variable at 0.
pub(super) fn at_zero(text: &Text) -> Text {
    let symbols = text.symbols.keys().map(|name| (name.clone(), 32)).collect();
    Text { symbols, ..text.clone() }
}

/// For each access the variable that it is in, if that is known, and what each warp does there with the variable at 0; nothing
/// of an access that is not told to be the same then.
pub(super) fn within(
    function: &Function,
    text: &Text,
    sites: &[Site],
    at_zero: &[Site],
) -> Vec<Option<Within>> {
    let places: Places<'_> =
        text.symbols.keys().enumerate().map(|(i, name)| (&**name, i)).collect();
    let all = held(function, Nothing, Holds::or, |one, _, all| written(one, all, &places));
    let of = |(site, other): (&Site, &Site)| {
        let In(array) = holds(address(&function.code[site.at])?, &all, &places) else {
            return None;
        };
        let is_same = site.at == other.at
            && site.reached.len() == other.reached.len()
            && site.reached.iter().zip(&other.reached).all(|(a, b)| is_same(a, b));
        Some(Within { array, reached: if is_same { other.reached.clone() } else { Vec::new() } })
    };
    sites.iter().zip(at_zero).map(of).collect()
}

/// Returns whether a warp does the same in both passes, up to where the variable lies.
fn is_same(a: &Reached, b: &Reached) -> bool {
    let (Value::Sum { f, .. }, Value::Sum { f: g, .. }) = (&a.address, &b.address) else {
        return false;
    };
    let far = |lane: usize| f.get(lane).wrapping_sub(g.get(lane));
    a.wave == b.wave && a.on == b.on && (0..32).all(|lane| far(lane) == far(0))
}

/// The operand with the address of an access, atomics too.
fn address(one: &Instruction) -> Option<&Operand> {
    match one.name.split('.').next()? {
        "atom" => one.operands.get(1),
        "red" => one.operands.first(),
        _ => row::address(one),
    }
}

/// What an operand holds.
fn holds(operand: &Operand, all: &[Holds], places: &Places<'_>) -> Holds {
    let name = match operand {
        Operand::Name(name) | Operand::Address(Some(name), _) => name,
        Operand::Number(_) | Operand::Address(None, _) => return Number,
        Operand::Vector(parts) => {
            let parts = parts.iter().map(|one| holds(one, all, places));
            return parts.reduce(Holds::or).unwrap_or(Other);
        }
        Operand::Not(_) => return Number,
        _ => return Other,
    };
    match name {
        Name::Register(register) => all[*register],
        Name::Symbol(name) => places.get(&**name).map_or(Other, |at| In(*at)),
        Name::Special(_) => Number,
    }
}

/// What an instruction writes.
fn written(one: &Instruction, all: &[Holds], places: &Places<'_>) -> Holds {
    let from: Vec<Holds> =
        one.operands.iter().skip(1).map(|operand| holds(operand, all, places)).collect();
    match (one.name.split('.').next().unwrap_or(""), &from[..]) {
        // What is loaded is an index, as far as a variable is concerned.
        ("ld" | "ldu" | "ldmatrix" | "atom" | "shfl", _) => Number,
        ("mov" | "cvt" | "cvta", [from]) => *from,
        ("selp", [a, b, _]) => a.or(*b),
        ("add" | "and" | "or" | "xor", [a, b]) => a.with(*b),
        ("sub", [a, Number]) => *a,
        ("mad", [Number, Number, c]) => *c,
        ("lop3", [a, b, c, ..]) => a.with(*b).with(*c),
        _ if from.contains(&Nothing) => Nothing,
        _ if from.iter().all(|one| *one == Number) => Number,
        _ => Other,
    }
}
