//! Which generic addresses lie in shared memory, and which in global memory.
//!
//! ```text
//!   mov.u64 %rd1, tile;  cvta.shared.u64 %rd2, %rd1;      the address of a variable in shared memory, made generic
//!   mad.wide.u32 %rd3, %r1, 4, %rd2;                      still in that variable: integers alone were added
//!   selp.b64 %rd4, %rd2, %rd3, %p1;                       both are
//!   ld.f32 %f1, [%rd4];                                   an access to shared memory
//!   add.s64 %rd5, %rd2, %rd6;                             %rd6 came from memory, and may be anything
//!   ld.param.u64 %rd7, [f_param_0];                       what the host hands over: of global memory, if it is an address
//!   cvta.global.u64 %rd8, %rd9;                           of global memory
//! ```
//!
//! An address that is computed from one of shared memory and from integers stays in that variable, or the program is wrong.
//! All that is ever written to a register counts, whatever the path. The host knows no address in shared or in local memory, so that an
//! access by a kernel's parameter, and by numbers that were added, is to global memory.
//!
//! Source: NVIDIA, "CUDA C++ Programming Guide", "Device Memory Space Specifiers": an address of a `__shared__` variable can be used in
//! device code only. LLVM takes kernel arguments so, too (`NVPTXLowerArgs.cpp`, `AMDGPUTargetMachine::getAssumedAddrSpace`).

use super::flow::{SPACES, held, read};
use super::function::{Function, Instruction};
use super::row;
use super::text::{Name, Operand};

/// What a register may hold: nothing that is written, or any of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Holds {
    /// A generic address in shared memory.
    shared: bool,
    /// An address in global memory, or a number of the host.
    global: bool,
    /// A number that no address went into.
    number: bool,
    /// Another address, or what may be one.
    other: bool,
}

impl Holds {
    const NOTHING: Self = Self { shared: false, global: false, number: false, other: false };
    const SHARED: Self = Self { shared: true, ..Self::NOTHING };
    const GLOBAL: Self = Self { global: true, ..Self::NOTHING };
    const NUMBER: Self = Self { number: true, ..Self::NOTHING };
    const OTHER: Self = Self { other: true, ..Self::NOTHING };

    const fn or(self, other: Self) -> Self {
        Self {
            shared: self.shared | other.shared,
            global: self.global | other.global,
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

    /// A number, also one of the host: what is multiplied is no address.
    const fn is_factor(self) -> bool {
        !self.shared && !self.other
    }

    const fn is_number(self) -> bool {
        !self.shared && !self.global && !self.other
    }
}

/// For each register whether it only holds generic addresses in shared memory.
pub(super) fn shared(function: &Function) -> Vec<bool> {
    // Few programs have such addresses.
    if !function.code.iter().any(|one| one.name.starts_with("cvta.shared")) {
        return vec![false; function.registers.len()];
    }
    all(function).into_iter().map(|one| one == Holds::SHARED).collect()
}

fn all(function: &Function) -> Vec<Holds> {
    held(function, Holds::NOTHING, Holds::or, |one, _, all| written(function, one, all))
}

/// A copy of a function in which accesses are marked whose generic addresses are known to be of global memory; `None` if there are
/// none.
pub(super) fn told(function: &Function) -> Option<Function> {
    let places = |one: &Instruction| {
        let mut parts = one.name.split('.');
        let at = match parts.next()? {
            "ld" | "ldu" | "atom" => 1,
            "st" | "red" => 0,
            _ => return None,
        };
        let is_generic =
            !parts.any(|part| SPACES.contains(&part) || ["async", "bulk"].contains(&part));
        match one.operands.get(at) {
            Some(Operand::Address(Some(Name::Register(register)), _)) if is_generic => {
                Some(*register)
            }
            _ => None,
        }
    };
    // Few programs have such addresses.
    if function.is_translated || !function.code.iter().any(|one| places(one).is_some()) {
        return None;
    }
    let holds = all(function);
    let is_global =
        |one: &Instruction| places(one).is_some_and(|register| holds[register] == Holds::GLOBAL);
    let marks: Vec<bool> = function.code.iter().map(is_global).collect();
    marks.contains(&true).then(|| {
        let mut function = function.clone();
        function.code.iter_mut().zip(marks).for_each(|(one, mark)| one.is_global = mark);
        function
    })
}

/// Returns whether an access has its address in one of these registers.
pub(super) fn is_by(registers: &[bool], one: &Instruction) -> bool {
    match row::address(one) {
        Some(Operand::Address(Some(Name::Register(register)), _)) => registers[*register],
        _ => false,
    }
}

/// What an instruction writes.
fn written(function: &Function, one: &Instruction, all: &[Holds]) -> Holds {
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
        ("cvta", Some("global"), _) => Holds::GLOBAL,
        ("mov" | "cvt", _, [from]) => *from,
        ("selp", _, [a, b, _]) => a.or(*b),
        ("add" | "and" | "or" | "xor", _, [a, b]) => a.with(*b),
        ("sub", _, [a, b]) if b.is_number() => *a,
        ("mad", _, [a, b, c]) if a.is_factor() && b.is_factor() => c.with(Holds::NUMBER),
        ("mul" | "shl", _, [a, b]) if a.is_factor() && b.is_factor() => Holds::NUMBER,
        // A number of fewer bits is no address, and no function of numbers is one.
        ("ld" | "ldu", ..) if !["64", "128"].iter().any(|bits| one.name.ends_with(bits)) => {
            Holds::NUMBER
        }
        (base, ..) if NUMBERS.contains(&base) && from.iter().all(|one| one.is_number()) => {
            Holds::NUMBER
        }
        ("ld", Some("param" | "param::entry"), _) if is_of_host(function, one) => Holds::GLOBAL,
        _ => Holds::OTHER,
    }
}

/// Returns whether a load is of a parameter of the kernel.
fn is_of_host(function: &Function, one: &Instruction) -> bool {
    match one.operands.get(1) {
        Some(Operand::Address(Some(Name::Symbol(name)), _)) => function.parameters.contains(name),
        _ => false,
    }
}

/// Functions of numbers.
const NUMBERS: [&str; 27] = [
    "mul", "mad", "mul24", "mad24", "sad", "sub", "shl", "shr", "neg", "abs", "not", "cnot", "min",
    "max", "div", "rem", "bfe", "bfi", "bfind", "setp", "prmt", "lop3", "shf", "popc", "clz",
    "brev", "shfl",
];
