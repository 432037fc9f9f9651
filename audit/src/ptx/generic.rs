//! Which generic addresses lie in shared memory.
//!
//! ```text
//!   mov.u64 %rd1, tile;  cvta.shared.u64 %rd2, %rd1;      the address of a variable in shared memory, made generic
//!   mad.wide.u32 %rd3, %r1, 4, %rd2;                      still in that variable: integers alone were added
//!   selp.b64 %rd4, %rd2, %rd3, %p1;                       both are
//!   ld.f32 %f1, [%rd4];                                   an access to shared memory
//!   add.s64 %rd5, %rd2, %rd6;                             %rd6 came from memory, and may be anything
//! ```
//!
//! An address that is computed from one of shared memory and from integers stays in that variable, or the program is wrong.
//! All that is ever written to a register counts, whatever the path.

use super::flow::{held, read};
use super::function::{Function, Instruction};
use super::row;
use super::text::{Name, Operand};

/// What a register may hold: nothing that is written, or any of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Holds {
    /// A generic address in shared memory.
    shared: bool,
    /// A number that no address went into.
    number: bool,
    /// Another address, or what may be one.
    other: bool,
}

impl Holds {
    const NOTHING: Self = Self { shared: false, number: false, other: false };
    const SHARED: Self = Self { shared: true, ..Self::NOTHING };
    const NUMBER: Self = Self { number: true, ..Self::NOTHING };
    const OTHER: Self = Self { other: true, ..Self::NOTHING };

    const fn or(self, other: Self) -> Self {
        Self {
            shared: self.shared | other.shared,
            number: self.number | other.number,
            other: self.other | other.other,
        }
    }

    /// What comes of both in one number: an address stays one if numbers alone were added. Of what is not written yet nothing
    /// comes, so that what is found only grows.
    fn with(self, other: Self) -> Self {
        if [self, other].contains(&Self::NOTHING) {
            return Self::NOTHING;
        }
        match (self.is_number(), other.is_number()) {
            (true, _) => other,
            (false, true) => self,
            (false, false) => Self::OTHER,
        }
    }

    const fn is_number(self) -> bool {
        !self.shared && !self.other
    }
}

/// For each register whether it only holds generic addresses in shared memory.
pub(super) fn shared(function: &Function) -> Vec<bool> {
    // Few programs have such addresses.
    if !function.code.iter().any(|one| one.name.starts_with("cvta.shared")) {
        return vec![false; function.registers.len()];
    }
    let all = held(function, Holds::NOTHING, Holds::or, |one, _, all| written(one, all));
    all.into_iter().map(|one| one == Holds::SHARED).collect()
}

/// Whether an access has its address in one of these registers.
pub(super) fn is_by(registers: &[bool], one: &Instruction) -> bool {
    match row::address(one) {
        Some(Operand::Address(Some(Name::Register(register)), _)) => registers[*register],
        _ => false,
    }
}

/// What an instruction writes.
fn written(one: &Instruction, all: &[Holds]) -> Holds {
    let of = |operand: &Operand| match operand {
        // The address of a variable, of whatever space.
        Operand::Name(Name::Symbol(_)) => Holds::OTHER,
        other => {
            let mut from = Vec::new();
            read(other, &mut from);
            let holds = from.iter().map(|register| all[*register]).reduce(Holds::or);
            holds.unwrap_or(Holds::NUMBER)
        }
    };
    let from: Vec<Holds> = one.operands.iter().skip(1).map(of).collect();
    let mut parts = one.name.split('.');
    match (parts.next().unwrap_or(""), parts.next(), &from[..]) {
        ("cvta", Some("shared" | "shared::cta"), _) => Holds::SHARED,
        ("mov" | "cvt", _, [from]) => *from,
        ("selp", _, [a, b, _]) => a.or(*b),
        ("add" | "and" | "or" | "xor", _, [a, b]) => a.with(*b),
        ("sub", _, [a, b]) if b.is_number() => *a,
        ("mad", _, [a, b, c]) if a.is_number() && b.is_number() => c.with(Holds::NUMBER),
        // A number of fewer bits is no address, and no function of numbers is one.
        ("ld" | "ldu", ..) if !["64", "128"].iter().any(|bits| one.name.ends_with(bits)) => {
            Holds::NUMBER
        }
        (base, ..) if NUMBERS.contains(&base) && from.iter().all(|one| one.is_number()) => {
            Holds::NUMBER
        }
        _ => Holds::OTHER,
    }
}

/// Functions of numbers.
const NUMBERS: [&str; 27] = [
    "mul", "mad", "mul24", "mad24", "sad", "sub", "shl", "shr", "neg", "abs", "not", "cnot", "min",
    "max", "div", "rem", "bfe", "bfi", "bfind", "setp", "prmt", "lop3", "shf", "popc", "clz",
    "brev", "shfl",
];
