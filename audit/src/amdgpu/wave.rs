//! The effect of an instruction on the registers of a wave, and the accesses to LDS on its way.
//!
//! ```text
//!   v_swap_b32 v1, v2        all is read before anything is written
//!   ds_read_b32 v1, v1       an access at v1 in the lanes that are on, and then v1 is what was loaded
//!   s_mystery s0             an instruction that is not known: no register is known after it
//! ```
//!
//! | file | concept |
//! |---|---|
//! | `names` | what an instruction writes, and where it has an address, by its name |
//! | `operand` | operands as they are read and written |
//! | `memory` | loads, stores and spills |
//! | `pointer` | numbers and halves of pointers |
//! | `operation` | results of integer instructions |
//! | `scalar`, `vector` | scalar and vector instructions |

mod memory;
mod names;
mod operand;
mod operation;
mod pointer;
mod scalar;
mod vector;

pub(super) use names::{ATOMICS, destination, lds_address, written};

use super::function::Instruction;
use super::global;
use super::mode::Mode;
use super::pointer::{Kind, Space};
use super::scalar::{Mask, Scalar};
use super::start::Start;
use super::state::{State, place};
use super::text::{OF_CALL, Register, SCALARS, UNDEFINED, Words};
use crate::value::Value;
use names::{QUIET, names_its_destination};
use std::collections::BTreeMap;

/// An access to LDS or to global memory, as it is found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) at: usize,
    /// The number of the instruction, of two that are issued together.
    pub(crate) part: usize,
    pub(crate) memory: Memory,
    /// The bytes' address, without immediates.
    pub(crate) address: Value,
    /// The lanes that are on, if they are known.
    pub(crate) on: Option<u64>,
    /// The values that are written, in numbers of 32 bits.
    pub(crate) stored: Vec<Value>,
}

/// The memory that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Lds,
    Global,
    /// That of a flat address, if it is known.
    Flat(Option<Space>),
}

/// A write of an instruction, done after everything is read.
enum Write {
    Vector(Register, usize, Value),
    Scalar(usize, Scalar),
    Mask(usize, Option<Mask>),
    Exec(Option<Mask>),
}

/// An instruction at work.
pub(crate) struct Step<'s, 't> {
    pub(crate) start: &'s Start<'t>,
    pub(crate) state: &'s mut State,
    pub(crate) at: usize,
    writes: Vec<Write>,
    /// The kinds of what is written, of scalars and of vector registers by their places, as far as they are told.
    kinds: BTreeMap<(bool, usize), Kind>,
    /// The condition code, if it is written.
    scc: Option<Option<bool>>,
}

/// Does an instruction; accesses are added to `found`.
pub(crate) fn step(
    start: &Start<'_>,
    state: &mut State,
    at: usize,
    instruction: &Instruction,
    found: &mut Vec<Found>,
) {
    // The first way to a block made none of its sets, and a join keeps only what both ways know: so a set that was made
    // here before, in a loop, has lost its name.
    debug_assert!(!state.names(at), "the set of instruction {at} is made again and known still");
    let mut step = Step { start, state, at, writes: Vec::new(), kinds: BTreeMap::new(), scc: None };
    for (part, words) in instruction.words.iter().enumerate() {
        let named = step.plain_move(words);
        let words = named.as_ref().unwrap_or(words);
        if let Some(address) = lds_address(words) {
            let address = step.vector(address);
            let on = step.state.exec().lanes();
            let stored = step.stored(words);
            found.push(Found { at, part, memory: Memory::Lds, address, on, stored });
        }
        if let Some(place) = global::place(words, instruction.spills, start.scratch_by_buffer) {
            let (address, on) = (step.global(&place), step.state.exec().lanes());
            let memory =
                if place.is_flat { Memory::Flat(step.space(words)) } else { Memory::Global };
            found.push(Found { at, part, memory, address, on, stored: Vec::new() });
        }
        if start.follows {
            step.follow(words);
        }
        step.words(words, instruction.spills);
    }
    step.finish();
}

impl Step<'_, '_> {
    fn finish(self) {
        let Self { start, state, at, writes, kinds, scc, .. } = self;
        if let Some(scc) = scc {
            state.scc = scc;
        }
        let mut exec = None;
        for write in writes {
            match write {
                Write::Vector(register, i, value) => {
                    if let Some(place) = place(register) {
                        let kind = kinds.get(&(false, place + i)).copied();
                        state.write(place + i, value, kind, at);
                    }
                }
                Write::Scalar(index, mut scalar) if index < SCALARS => {
                    if start.follows {
                        let is_known = scalar.value.number().is_some();
                        let own = if is_known { Kind::Number } else { scalar.kind };
                        scalar.kind = kinds.get(&(true, index)).copied().unwrap_or(own);
                    }
                    state.set_scalar(index, scalar);
                }
                Write::Scalar(..) => {}
                Write::Mask(first, mask) => {
                    state.set_mask(first, mask);
                    for index in first..first + start.wave / 32 {
                        let kind = kinds.get(&(true, index));
                        kind.into_iter().for_each(|kind| state.set_kind(index, *kind));
                    }
                }
                Write::Exec(mask) => exec = Some(mask),
            }
        }
        match exec {
            Some(Some(Mask::Set(set))) => state.turn_at(set, at),
            Some(_) => {
                let all = state.all();
                let some = state.sets.part_of(all, at);
                state.turn(some);
            }
            None => {}
        }
    }

    /// Does an instruction, by its family.
    fn words(&mut self, words: &Words, spills: bool) {
        let name = words.name.as_str();
        let is_quiet = || QUIET.iter().any(|quiet| name.starts_with(quiet));
        if name.starts_with("s_") && is_quiet() && !name.contains("_rtn") {
            if name.starts_with("s_barrier_") {
                self.scc = Some(None);
            }
            return;
        }
        if name == UNDEFINED {
            return self.forget(words.operands.first());
        }
        if !names_its_destination(words) {
            return self.foreign();
        }
        if name.ends_with(OF_CALL) {
            return self.lose(words.operands.first());
        }
        let mode = self.state.mode;
        match name.split_once('_').map_or("", |(family, _)| family) {
            "s" => self.scalar_instruction(words),
            "exp" => {}
            "v" | "ds" | "global" | "flat" | "buffer" | "tbuffer" | "scratch" | "image"
                if mode.is_foreign() =>
            {
                self.foreign();
            }
            "v" if mode != Mode::PLAIN => self.blurred(words),
            "v" => self.vector_instruction(words),
            "scratch" if mode.may_skip => self.foreign(),
            "ds" | "global" | "flat" | "buffer" | "tbuffer" | "scratch" | "image" => {
                match mode.may_skip && spills {
                    true => self.foreign(),
                    false => self.memory_instruction(words, spills),
                }
            }
            _ => self.foreign(),
        }
    }

    /// Does a vector instruction that may read other registers than it names, or may be skipped.
    fn blurred(&mut self, words: &Words) {
        let writes_more = ["v_cmpx", "v_swap", "v_permlane", "v_movrel"];
        if writes_more.iter().any(|one| words.name.starts_with(one)) {
            return self.foreign();
        }
        self.lose(words.operands.first());
        // The carry of an addition; of others it is read.
        self.lose(words.operands.get(1).filter(|one| one.scalar().is_some()));
    }

    /// Does an instruction that is not known: no register is known after it.
    fn foreign(&mut self) {
        self.writes.clear();
        self.kinds.clear();
        self.state.lose_all(self.at);
    }

    // Memory.
}
