//! The effect of an instruction on the registers of a wave, and the accesses to LDS on its way.

use super::function::Instruction;
use super::global;
use super::mask::Set;
use super::pointer::{Argument, Kind, Space};
use super::state::{ACCUMULATORS, Mask, Mode, SCRATCH, SLOTS, Scalar, State, place};
use super::text::{File, Half, OF_CALL, Operand, Register, SCALARS, TTMP, UNDEFINED, Words};
use crate::kernel::Block;
use crate::value::wide::Wide;
use crate::value::{Reason, Value, Why};
use crate::width;
use std::collections::BTreeMap;

/// The facts that are known before the program begins.
#[derive(Clone, Debug)]
pub(crate) struct Start<'t> {
    /// Lanes of a wave.
    pub(crate) wave: usize,
    /// The number of the wave in its block.
    pub(crate) number: usize,
    /// x, y and z of a block, if they are known.
    pub(crate) block: Option<[u32; 3]>,
    /// Whether the shape is stated; else y and z are as the launch has them.
    pub(crate) stated: bool,
    /// Whether a wave is in one row of a block whose shape is not stated.
    pub(crate) in_rows: bool,
    /// Whether `v0` has x, y and z in 10 bits each.
    pub(crate) packed: bool,
    /// Whether the kernel wants y and z, or nothing shows that it does not.
    pub(crate) wants_all: bool,
    /// Whether `ttmp8` has the wave's number in bits 25 to 29.
    pub(crate) ttmp8: bool,
    /// Whether buffer instructions reach scratch memory.
    pub(crate) scratch_by_buffer: bool,
    /// The first of the two scalars that point to the packet of the launch.
    pub(crate) packet: Option<usize>,
    /// x, y and z of the block as the packet has them, as far as they are known.
    pub(crate) sizes: [Option<u32>; 3],
    /// Whether there are flat addresses, so that kinds are followed.
    pub(crate) follows: bool,
    /// The first of the two scalars that point to the arguments, and these.
    pub(crate) pointer: Option<usize>,
    pub(crate) arguments: &'t [Argument],
    pub(crate) symbols: &'t BTreeMap<String, u32>,
}

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

impl Start<'_> {
    /// The registers when the kernel begins.
    pub(crate) fn state(&self) -> State {
        let mut state = State::new(self.wave);
        state.packet = self.packet;
        if self.follows {
            state.follow(self.pointer);
        }
        let number = Some(Kind::Number);
        let reason = Reason { at: 0, why: Why::Start };
        let Some(block) = self.block else {
            // Packed, y and z lie above x.
            let row = if self.in_rows { Value::in_row(self.wave) } else { Value::Unknown(reason) };
            state.write(0, row, number, 0);
            (1..3).for_each(|i| state.write(i, self.across(reason), number, 0));
            return state;
        };
        let of = |item: &dyn Fn([u32; 3]) -> u32| {
            let first = self.number * self.wave;
            Value::lanes(self.wave, |lane| item(Block::item(block, (first + lane) as u32)))
        };
        if self.packed {
            let all = of(&|[x, y, z]| x | y << 10 | z << 20);
            let value = match (all.known(), self.wants_all && !self.stated) {
                (Some(f), true) if self.in_rows => Value::Sum { k: 10, f: f.clone() },
                (Some(f), true) => Value::Part { bits: 10, f: f.clone(), reason },
                _ => all,
            };
            state.write(0, value, number, 0);
        } else {
            for i in 0..3 {
                let is_known = i == 0 || self.stated;
                let value = if is_known { of(&|item| item[i]) } else { self.across(reason) };
                state.write(i, value, number, 0);
            }
        }
        state
    }

    /// y or z of a block whose shape is not stated.
    fn across(&self, reason: Reason) -> Value {
        if self.in_rows { Value::shared(0) } else { Value::Unknown(reason) }
    }
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

/// The operand with an address in LDS.
pub(crate) fn lds_address(words: &Words) -> Option<&Operand> {
    let rest = words.name.strip_prefix("ds_")?;
    let reads = ["read", "load"].iter().any(|word| rest.starts_with(word));
    let writes = ["write", "store"].iter().any(|word| rest.starts_with(word));
    if rest.contains("addtid") || words.modifier("gds").is_some() {
        return None;
    }
    if reads {
        words.operands.get(1)
    } else if writes {
        words.operands.first()
    } else {
        None
    }
}

/// Instructions that write no register and have no effect that is followed.
const QUIET: [&str; 20] = [
    "s_waitcnt",
    "s_wait_",
    "s_nop",
    "s_barrier",
    "s_endpgm",
    "s_sendmsg",
    "s_setprio",
    "s_sleep",
    "s_clause",
    "s_delay_alu",
    "s_setreg",
    "s_dcache",
    "s_icache",
    "s_inst_prefetch",
    "s_prefetch",
    "s_code_end",
    "s_ttracedata",
    "s_sethalt",
    "s_trap",
    "s_set_inst_prefetch",
];

/// The atomics of LDS, which write no register but with `_rtn`.
pub(super) const ATOMICS: [&str; 14] = [
    "ds_add_",
    "ds_sub_",
    "ds_rsub_",
    "ds_inc_",
    "ds_dec_",
    "ds_min_",
    "ds_max_",
    "ds_and_",
    "ds_or_",
    "ds_xor_",
    "ds_mskor_",
    "ds_cmpst_",
    "ds_cmpstore_",
    "ds_pk_add_",
];

/// Instructions that write no register, and read their first operand.
const READERS: [&str; 9] = [
    "v_cmpx_",
    "v_nop",
    "s_cmp",
    "s_bitcmp",
    "s_cbranch",
    "s_branch",
    "s_set",
    "s_version",
    "s_wakeup",
];

/// The operand that an instruction writes, if it is a register.
pub(crate) fn destination(words: &Words) -> Option<&Operand> {
    let name = words.name.as_str();
    let begins = |all: &[&str]| all.iter().any(|one| name.starts_with(one));
    let stores = name.contains("store") || name.contains("_write") && name.starts_with("ds_");
    let is_silent =
        begins(&READERS) || begins(&QUIET) || begins(&ATOMICS) && !name.contains("_rtn");
    let first = words.operands.first().filter(|_| !stores && !is_silent);
    first.filter(|operand| matches!(operand, Operand::Register(_)))
}

/// The value of the register that an instruction has written, of several the first.
pub(crate) fn written(words: &Words, state: &State) -> Option<Value> {
    let Some(Operand::Register(register)) = destination(words) else { return None };
    match place(*register) {
        Some(place) => Some(state.read(place)),
        None => (register.first < SCALARS).then(|| state.scalar(register.first).value),
    }
}

/// Returns whether it is known which register an instruction writes, if it writes one. It is not known of a line that
/// is cut off, or that names a register that does not exist.
fn names_its_destination(words: &Words) -> bool {
    let name = words.name.as_str();
    match words.operands.first() {
        Some(
            Operand::Register(_)
            | Operand::Exec
            | Operand::ExecHalf(_)
            | Operand::Null
            | Operand::Scc,
        ) => true,
        Some(Operand::Number(_)) if name.starts_with("s_") => true,
        _ if READERS.iter().any(|one| name.starts_with(one)) => true,
        _ if name.starts_with("v_") || name.starts_with("s_") => false,
        _ => !["load", "read"].iter().any(|one| name.contains(one)),
    }
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

    /// The values that an instruction writes to LDS, the registers of each of its operands; of a half in the upper
    /// bits, that half.
    fn stored(&self, words: &Words) -> Vec<Value> {
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

    fn unknown(&self) -> Value {
        Value::Unknown(Reason { at: self.at, why: Why::Computed })
    }

    fn loaded(&self) -> Value {
        Value::Unknown(Reason { at: self.at, why: Why::Loaded })
    }

    /// The lower 32 bits of each lane's address in global memory.
    fn global(&self, place: &global::Place<'_>) -> Value {
        if place.is_indexed {
            return self.unknown();
        }
        let parts = place.parts.iter().flatten().map(|part| self.vector(part));
        let offset = Value::constant(place.offset as u32);
        parts.fold(offset, |sum, part| sum.add(&part, self.at))
    }

    /// An operand's 32 bits, the first of several, in the lanes that are on.
    fn vector(&self, operand: &Operand) -> Value {
        self.nth(operand, 0)
    }

    /// The 32 bits of its register of this number; of an integer the lower or upper ones.
    fn nth(&self, operand: &Operand, i: usize) -> Value {
        match operand {
            Operand::Register(register) => {
                let value = match place(*register) {
                    Some(place) => self.state.read(place + i),
                    None if register.first + i < SCALARS => {
                        self.state.scalar(register.first + i).value
                    }
                    None => Value::shared(0),
                };
                match register.half {
                    None => value,
                    Some(Half::Low) => value.and(&Value::constant(0xffff), self.at),
                    Some(Half::High) => value.shr(&Value::constant(16), false, self.at),
                }
            }
            Operand::Number(number) => Value::constant((*number >> (32 * i.min(1))) as u32),
            Operand::Null => Value::constant(0),
            Operand::Exec => match self.state.exec().lanes() {
                Some(lanes) => Value::constant((lanes >> (32 * i.min(1))) as u32),
                None => Value::shared(0),
            },
            Operand::Scc => {
                self.state.scc.map_or(Value::shared(0), |bit| Value::constant(u32::from(bit)))
            }
            Operand::ExecHalf(_) => Value::shared(0),
            // An aperture begins at a multiple of 2^32.
            Operand::Name(name)
                if i == 0 && name.starts_with("src_") && name.ends_with("_base") =>
            {
                Value::constant(0)
            }
            Operand::Name(name) => {
                let name = name.split('@').next().unwrap_or(name);
                Value::shared(self.start.symbols.get(name).copied().unwrap_or(0))
            }
            Operand::Other => self.unknown(),
        }
    }

    /// The first two registers of each operand.
    fn pairs(&self, operands: &[Operand]) -> Vec<Wide> {
        operands.iter().map(|one| [self.nth(one, 0), self.nth(one, 1)]).collect()
    }

    /// A mask of lanes, if anything is known of it.
    fn mask(&self, operand: &Operand) -> Option<Mask> {
        let all = self.state.all();
        match operand {
            Operand::Exec => Some(Mask::Set(self.state.exec())),
            Operand::Number(number) => {
                Some(Mask::Set(Set::known(number.cast_unsigned() & all.bits)))
            }
            other => {
                let one = other.scalar().filter(|one| one.count == self.state.wave() / 32)?;
                self.state.mask(one.first)
            }
        }
    }

    /// Writes the first of the registers of an operand.
    fn put(&mut self, operand: Option<&Operand>, value: Value) {
        self.put_all(operand, vec![value]);
    }

    /// Writes the registers of an operand; of those that no value is given for, nothing is known.
    fn put_all(&mut self, operand: Option<&Operand>, values: Vec<Value>) {
        match operand {
            Some(Operand::Register(register)) => {
                let mut values = values.into_iter();
                for i in 0..register.count {
                    let value = values.next().unwrap_or_else(|| self.unknown());
                    if register.file == File::S {
                        self.writes.push(Write::Scalar(register.first + i, Scalar::new(value)));
                    } else {
                        let value = self.half_of(*register, value);
                        self.writes.push(Write::Vector(*register, i, value));
                    }
                }
            }
            Some(Operand::Exec | Operand::ExecHalf(_)) => {
                let value = values.first().and_then(Value::number);
                let whole = matches!(operand, Some(Operand::Exec)) && self.state.wave() == 32;
                let known =
                    value.filter(|_| whole).map(|bits| Mask::Set(Set::known(u64::from(bits))));
                self.writes.push(Write::Exec(known));
            }
            _ => {}
        }
    }

    /// A register's value after a write of its upper or lower 16 bits.
    fn half_of(&self, register: Register, value: Value) -> Value {
        let (Some(half), Some(place)) = (register.half, place(register)) else { return value };
        let (low, high) = (Value::constant(0xffff), Value::constant(0xffff_0000));
        let old = match self.state.read(place) {
            // The other half may still be anything.
            Value::Nothing => self.unknown(),
            old => old,
        };
        match half {
            Half::Low => old.and(&high, self.at).or(&value.and(&low, self.at), self.at),
            Half::High => {
                let moved = value.shl(&Value::constant(16), self.at);
                old.and(&low, self.at).or(&moved, self.at)
            }
        }
    }

    fn put_mask(&mut self, operand: Option<&Operand>, mask: Option<Mask>) {
        self.writes.extend(operand.and_then(|operand| match operand {
            Operand::Exec => Some(Write::Exec(mask)),
            Operand::ExecHalf(_) => Some(Write::Exec(None)),
            other => Some(Write::Mask(other.scalar()?.first, mask)),
        }));
    }

    /// Marks the registers of an operand, in the lanes that are on, as holding nothing of use: where two paths meet,
    /// the value is the other path's.
    fn forget(&mut self, operand: Option<&Operand>) {
        let Some(Operand::Register(register)) = operand else { return };
        if self.state.mode != Mode::PLAIN {
            return;
        }
        for i in 0..register.count {
            self.writes.push(Write::Vector(*register, i, Value::Nothing));
        }
    }

    /// Forgets the content of what an operand names.
    fn lose(&mut self, operand: Option<&Operand>) {
        self.put_all(operand, Vec::new());
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

    fn memory_instruction(&mut self, words: &Words, spills: bool) {
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
}

/// A dword of scratch memory, as a register.
fn slot_of(slot: usize) -> Register {
    Register { file: File::A, first: SCRATCH - ACCUMULATORS + slot, count: 1, half: None }
}

mod operation;
mod pointer;
mod scalar;
mod vector;
