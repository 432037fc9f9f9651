//! What an instruction reads, writes and stores, by its name and operands alone.
//!
//! | `st.shared.v2.f32 [%r1+8], {%f1, %f2}` | |
//! |---|---|
//! | [`destinations`] | none |
//! | [`read`] of its operands | `%r1`; `%f1`, `%f2` |
//! | [`data`], an [`element`] | `{%f1, %f2}`, 32 bits |

use super::function::{Function, Instruction};
use super::text::{Name, Operand, Register};

/// The functions of their operands alone.
pub(crate) const FUNCTIONS: [&str; 34] = [
    "mov", "add", "sub", "mul", "mad", "fma", "div", "rem", "abs", "neg", "min", "max", "rcp",
    "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "cvt", "set", "setp", "slct", "selp",
    "copysign", "testp", "sad", "mul24", "mad24", "bmsk", "szext", "prmt", "bfe",
];

/// A name in its parts, `ld`, `shared` and `b32`: read once, not each time that a warp does the instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named<'f> {
    pub(crate) parts: Vec<&'f str>,
    /// Whether it is a function of its operands alone.
    pub(crate) is_function: bool,
}

impl<'f> Named<'f> {
    pub(crate) fn new(name: &'f str) -> Self {
        let parts = Vec::from_iter(name.split('.'));
        let is_function = FUNCTIONS.contains(&parts[0]);
        Self { parts, is_function }
    }
}

/// The registers that an instruction writes.
pub(crate) fn destinations(one: &Instruction) -> Vec<Register> {
    let mut parts = one.name.split('.');
    let base = parts.next().unwrap_or("");
    let loads = one.name.contains(".ld")
        || one.name.contains(".load")
        || one.name.contains(".mma")
        || one.name.contains("ld_reduce");
    let is_quiet = match base {
        "bar" | "barrier" => !one.name.contains(".red"),
        "wmma" | "multimem" => !loads,
        "tcgen05" => !one.name.contains(".ld"),
        // Their first operand is not a destination.
        "st" | "red" | "bra" | "brx" | "ret" | "exit" | "trap" | "brkpt" | "membar" | "fence"
        | "cp" | "nanosleep" | "prefetch" | "prefetchu" | "stmatrix" | "setmaxnreg"
        | "griddepcontrol" | "pmevent" | "discard" | "applypriority" | "stackrestore" | "sust"
        | "sured" | "tensormap" => true,
        _ => false,
    };
    let mut all = Vec::new();
    if !is_quiet && let Some(first) = one.operands.first() {
        registers(first, &mut all);
    }
    all
}

/// Functions of integers and bits, and loads, which have a destination as [`FUNCTIONS`] have.
const OTHERS: [&str; 15] = [
    "and", "or", "xor", "not", "cnot", "lop3", "shl", "shr", "shf", "bfi", "brev", "cvta", "ld",
    "ldu", "ldmatrix",
];

/// Returns whether an instruction should write a register but names none that is declared, so that it is not known which
/// one it changes.
pub(crate) fn writes_nothing(one: &Instruction) -> bool {
    let base = one.name.split('.').next().unwrap_or("");
    let mut all = Vec::new();
    one.operands.first().into_iter().for_each(|first| registers(first, &mut all));
    // What is dropped has the name `_`.
    let is_dropped = matches!(
        one.operands.first(),
        Some(Operand::Other | Operand::Vector(_) | Operand::Both(_))
    );
    (FUNCTIONS.contains(&base) || OTHERS.contains(&base)) && all.is_empty() && !is_dropped
}

/// The registers that an operand names, but for those of an address.
fn registers(operand: &Operand, all: &mut Vec<Register>) {
    match operand {
        Operand::Name(Name::Register(register)) => all.push(*register),
        Operand::Vector(parts) | Operand::Both(parts) => {
            parts.iter().for_each(|part| registers(part, all));
        }
        _ => {}
    }
}

/// The registers on which what an instruction writes depends, as far as that is followed.
pub(crate) fn sources(one: &Instruction) -> Vec<Register> {
    let mut all = Vec::new();
    all.extend(one.guard.map(|guard| guard.predicate));
    for operand in one.operands.iter().skip(1) {
        read(operand, &mut all);
    }
    all
}

/// The registers that an operand reads.
pub(crate) fn read(operand: &Operand, all: &mut Vec<Register>) {
    match operand {
        Operand::Name(Name::Register(register))
        | Operand::Not(register)
        | Operand::Address(Some(Name::Register(register)), _) => all.push(*register),
        Operand::Vector(parts) | Operand::Both(parts) => {
            parts.iter().for_each(|part| read(part, all));
        }
        _ => {}
    }
}

/// What each register holds, whatever the path: all that is ever written to it, joined by `or` until nothing changes.
pub(crate) fn held<T: Copy + PartialEq>(
    function: &Function,
    nothing: T,
    or: impl Fn(T, T) -> T,
    written: impl Fn(&Instruction, Register, &[T]) -> T,
) -> Vec<T> {
    let mut all = vec![nothing; function.registers.len()];
    let mut readers = vec![Vec::new(); all.len()];
    for (at, one) in function.code.iter().enumerate() {
        sources(one).into_iter().for_each(|register| readers[register].push(at));
    }
    let mut open = Vec::from_iter((0..function.code.len()).rev());
    while let Some(at) = open.pop() {
        let one = &function.code[at];
        for register in destinations(one) {
            let now = or(all[register], written(one, register, &all));
            if now != all[register] {
                all[register] = now;
                open.extend(&readers[register]);
            }
        }
    }
    all
}

/// The operands that an instruction stores.
pub(crate) fn data(one: &Instruction) -> &[Operand] {
    match one.name.split('.').next() {
        Some("st" | "stmatrix") => one.operands.get(1..).unwrap_or(&[]),
        _ => &[],
    }
}

/// The state spaces in an instruction's name; without one its address is generic.
pub(crate) const SPACES: [&str; 9] = [
    "shared",
    "shared::cta",
    "shared::cluster",
    "global",
    "local",
    "const",
    "param",
    "param::entry",
    "param::func",
];

/// The bits of an element: 32 of `st.shared.v4.b32`.
pub(crate) fn element(name: &str) -> Option<u32> {
    let (_, kind) = name.rsplit_once('.')?;
    let bits = kind.strip_prefix("bf").or_else(|| kind.get(1..))?;
    bits.parse().ok()
}
