//! Instructions on memory: what is loaded, what is stored to LDS, and what is spilled to scratch memory and read again.
//!
//! ```text
//!   scratch_store_b64 off, v[2:3], off offset:8     dwords 2 and 3 of scratch memory are v2 and v3
//!   scratch_load_b32 v4, off, off offset:12         v4 is what v3 was
//!   scratch_store_b8 off, v2, off offset:9          dword 2 is not known any more
//!   flat_store_dword v[2:3], v4                     no dword is, unless `pointer` tells that it is other memory
//! ```

use super::names::ATOMICS;
use super::{Step, Write, global};
use crate::amdgpu::state::{ACCUMULATORS, SCRATCH, SLOTS};
use crate::amdgpu::text::{File, Operand, Register, Words};
use crate::value::{Reason, Value, Why};
use crate::width;

impl Step<'_, '_> {
    pub(super) fn memory_instruction(&mut self, words: &Words, spills: bool) {
        let name = words.name.as_str();
        let stores = name.contains("_store") || name.contains("_write");
        if name.starts_with("scratch_") || (spills && name.starts_with("buffer_")) {
            return self.scratch(words, stores);
        }
        let may_be_private = name.starts_with("flat_") && self.space(words).is_none()
            || name.starts_with("buffer_") && self.start.scratch_by_buffer;
        if may_be_private && (stores || name.contains("atomic")) {
            self.state.lose_scratch(self.at);
        }
        let quiet = ["_wb", "_inv", "_gl0", "_gl1", "prefetch", "ds_nop", "ds_gws"];
        let lds = name.contains("_lds") || words.modifier("lds").is_some();
        let silent = ATOMICS.iter().any(|one| name.starts_with(one)) && !name.contains("_rtn");
        let returns = name.contains("_rtn");
        if stores && !returns || lds || silent || quiet.iter().any(|one| name.contains(one)) {
            return;
        }
        let loaded = self.loaded();
        let count = match words.operands.first() {
            Some(Operand::Register(register)) => register.count,
            _ => 0,
        };
        self.put_all(words.operands.first(), vec![loaded; count]);
    }

    /// `scratch_store_b64 off, v[2:3], off offset:8`, `buffer_load_dword v1, off, s[0:3], 0 offset:4`.
    fn scratch(&mut self, words: &Words, stores: bool) {
        let first = words.offset("offset").and_then(|offset| usize::try_from(offset).ok());
        let by_buffer = words.name.starts_with("buffer_");
        let (data, others) = match (by_buffer, stores, &words.operands[..]) {
            (false, true, [address, data, base]) => {
                (Some(data), address == &Operand::Null && base == &Operand::Null)
            }
            (false, false, [data, address, base]) => {
                (Some(data), address == &Operand::Null && base == &Operand::Null)
            }
            (true, _, [data, address, _, base]) => {
                (Some(data), address == &Operand::Null && base == &Operand::Number(0))
            }
            _ => (None, false),
        };
        let words_of = |name: &str| {
            ["dword", "_b32", "_b64", "_b96", "_b128"].iter().any(|width| name.contains(width))
                && !name.contains("d16")
        };
        let register = match data {
            Some(Operand::Register(register)) if others && words_of(&words.name) => Some(*register),
            _ => None,
        };
        let slot = first.filter(|offset| offset % 4 == 0).map(|offset| offset / 4);
        let slots = slot.zip(register).filter(|(slot, register)| slot + register.count <= SLOTS);
        match (slots, stores) {
            (Some((slot, register)), true) => {
                for i in 0..register.count {
                    let value = self.nth(&Operand::Register(register), i);
                    let kind = self.kind(&Operand::Register(register), i);
                    self.note(slot_of(slot), i, kind);
                    self.writes.push(Write::Vector(slot_of(slot), i, value));
                }
            }
            (Some((slot, register)), false) => {
                let values = (0..register.count).map(|i| self.state.read(SCRATCH + slot + i));
                let values = values.collect();
                for i in 0..register.count {
                    self.note(register, i, self.state.kind(SCRATCH + slot + i));
                }
                self.put_all(data, values);
            }
            (None, true) => match first.filter(|_| others).zip(width::bytes(&words.name)) {
                // Part of a word, or more than one word with a part of one.
                Some((first, bytes)) => {
                    for slot in first / 4..(first + bytes).div_ceil(4).min(SLOTS) {
                        self.writes.push(Write::Vector(slot_of(slot), 0, self.loaded()));
                    }
                }
                None => self.state.lose_scratch(self.at),
            },
            (None, false) => {
                let loaded = self.loaded();
                self.put_all(data.or(words.operands.first()), vec![loaded; 16]);
            }
        }
    }

    /// The values that an instruction writes to LDS, the registers of each of its operands; of a half in the upper
    /// bits, that half.
    pub(super) fn stored(&self, words: &Words) -> Vec<Value> {
        if !["ds_write", "ds_store"].iter().any(|one| words.name.starts_with(one)) {
            return Vec::new();
        }
        let each = |operand| {
            let count = match operand {
                &Operand::Register(register) => register.count,
                _ => 1,
            };
            (0..count).map(move |i| self.nth(operand, i))
        };
        let all = words.operands.iter().skip(1).flat_map(each);
        match words.name.ends_with("_d16_hi") {
            true => all.map(|one| one.shr(&Value::constant(16), false, self.at)).collect(),
            false => all.collect(),
        }
    }

    fn loaded(&self) -> Value {
        Value::Unknown(Reason { at: self.at, why: Why::Loaded })
    }

    /// The lower 32 bits of each lane's address in global memory.
    pub(super) fn global(&self, place: &global::Place<'_>) -> Value {
        if place.is_indexed {
            return self.unknown();
        }
        let parts = place.parts.iter().flatten().map(|part| self.vector(part));
        let offset = Value::constant(place.offset as u32);
        parts.fold(offset, |sum, part| sum.add(&part, self.at))
    }
}

/// A dword of scratch memory, as a register.
fn slot_of(slot: usize) -> Register {
    Register { file: File::A, first: SCRATCH - ACCUMULATORS + slot, count: 1, half: None }
}
