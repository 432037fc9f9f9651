//! What an instruction of PTX does to the registers of a warp.
//!
//! Definitions: NVIDIA, "Parallel Thread Execution ISA", chapter 9, "Instruction Set". Integer instructions by their
//! definition; of a function that is not followed the result is the same in all lanes if its operands are, and unknown else.

use super::flow::{Named, data};
use super::function::{Instruction, Kind};
use super::local::Touch;
use super::start::Start;
use super::text::{Guard, Name, Operand, Register, WARP};
use crate::pages::Pages;
use crate::value::wide::{self, Wide};
use crate::value::{Reason, Value, Why};

/// The registers that addresses depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) file: Pages,
}

/// Integers of a type, or bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

impl Type {
    /// `u32`, `s16`, `b64`; `pred` has one bit.
    pub(super) fn parse(word: &str) -> Option<Self> {
        if word == "pred" {
            return Some(Self { bits: 1, signed: false });
        }
        let bits = match word.get(1..)? {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        match word.as_bytes()[0] {
            b's' => Some(Self { bits, signed: true }),
            b'u' | b'b' => Some(Self { bits, signed: false }),
            _ => None,
        }
    }
}

/// An instruction at work.
pub(crate) struct Step<'s, 't> {
    pub(crate) start: &'s Start<'t>,
    pub(crate) state: &'s mut State,
    pub(crate) at: usize,
    /// Whether some lanes may have ended before: nobody knows what a shuffle brings of such a lane, and it has no vote.
    pub(crate) are_fewer: bool,
}

impl Step<'_, '_> {
    fn unknown(&self, why: Why) -> Value {
        Value::Unknown(Reason { at: self.at, why })
    }

    fn register(&self, register: Register) -> Wide {
        let slot = self.start.needed.slots[register];
        let Some(first) = self.state.file.get(slot) else {
            return wide::unknown(self.at, Why::Computed);
        };
        match self.start.function.registers[register] {
            Kind::Bits64 => [first.clone(), self.state.file.read(slot + 1)],
            Kind::Other => wide::unknown(self.at, Why::Computed),
            _ => wide::narrow(first.clone()),
        }
    }

    /// An operand; of an address its bytes.
    pub(crate) fn operand(&self, operand: &Operand) -> Wide {
        match operand {
            Operand::Name(name) => self.name(name),
            Operand::Not(register) => {
                let [bit, _] = self.register(*register);
                wide::narrow(bit.xor(&Value::constant(1), self.at))
            }
            Operand::Number(number) => wide::constant(number.cast_unsigned()),
            Operand::Address(base, offset) => {
                let offset = wide::constant(offset.cast_unsigned());
                match base {
                    Some(name) => wide::add(&self.name(name), &offset, self.at),
                    None => offset,
                }
            }
            _ => wide::unknown(self.at, Why::Computed),
        }
    }

    fn name(&self, name: &Name) -> Wide {
        match name {
            Name::Register(register) => self.register(*register),
            Name::Symbol(name) => match self.start.symbols.get(name) {
                Some(zeros) => wide::narrow(Value::shared(*zeros)),
                None => [Value::shared(0), Value::shared(0)],
            },
            Name::Special(name) => self.start.special(name, self.at),
        }
    }

    /// The lanes that take part: 1 or 0 in each.
    pub(crate) fn guard(&self, guard: Guard) -> Value {
        let [bit, _] = self.register(guard.predicate);
        if guard.negated { bit.xor(&Value::constant(1), self.at) } else { bit }
    }

    fn put(&mut self, register: Register, value: Wide, bit: Option<&Value>) {
        let slot = self.start.needed.slots[register];
        if self.state.file.get(slot).is_none() {
            return;
        }
        let [lower, upper] = value;
        let kind = self.start.function.registers[register];
        let lower = match kind {
            Kind::Bits16 => lower.and(&Value::constant(0xffff), self.at),
            Kind::Other => self.unknown(Why::Computed),
            _ => lower,
        };
        let halves = [Some(lower), (kind == Kind::Bits64).then_some(upper)];
        for (i, value) in halves.into_iter().flatten().enumerate() {
            self.write(slot + i, value, bit);
        }
    }

    /// Writes a value; with a bit in the lanes that have it.
    fn write(&mut self, slot: usize, value: Value, bit: Option<&Value>) {
        let of = |bit| Value::chosen(bit, &value, &self.state.file.read(slot), WARP, self.at);
        let value = bit.map(of).unwrap_or(value);
        self.state.file.write(slot, value);
    }

    /// Does to local memory what an instruction does to it.
    fn keep(&mut self, one: &Instruction) {
        let start = self.start;
        match start.local.touch(self.at) {
            Some(Touch::Store { first, count, each }) => {
                let parts = data(one).first().map_or(&[][..], Operand::parts);
                let bit = one.guard.map(|guard| self.guard(guard));
                for (word, slot) in start.needed.words.range(first..first + count) {
                    let at = (word - first) as usize;
                    let part = at.checked_div(each as usize).and_then(|i| parts.get(i));
                    let value = match part {
                        Some(part) => self.operand(part)[at % each as usize].clone(),
                        None => self.unknown(Why::Loaded),
                    };
                    self.write(*slot, value, bit.as_ref());
                }
            }
            Some(Touch::StoreSome) => {
                let [address, data] = &one.operands[..] else { return };
                let bit = one.guard.map(|guard| self.guard(guard));
                // All lanes store to one word, or each to its own.
                let alike = self.operand(address).iter().chain(&bit).all(Value::is_shared);
                let [data, _] = self.operand(data);
                for slot in start.needed.words.values() {
                    let old = self.state.file.read(*slot);
                    let new = match alike {
                        true => old.join(&data, self.at),
                        false => old.either(&data, u64::MAX, self.at),
                    };
                    self.state.file.write(*slot, new);
                }
            }
            Some(Touch::Any) => {
                let unknown = self.unknown(Why::Loaded);
                let file = &mut self.state.file;
                start.needed.words.values().for_each(|slot| file.write(*slot, unknown.clone()));
            }
            _ => {}
        }
    }

    /// The values that a load from local memory brings, if its words are followed.
    fn kept(&self, one: &Instruction, parts: &[&str]) -> Option<Vec<Wide>> {
        let start = self.start;
        let (first, each) = match start.local.touch(self.at)? {
            Touch::Load { first, each, .. } => (first, each),
            Touch::LoadSome => return self.some_kept(one),
            _ => return None,
        };
        let word = |word: u32| {
            match self.state.file.read(*start.needed.words.get(&word)?) {
                // Where it is loaded says more than where it may have been stored.
                Value::Unknown(Reason { at, why: Why::Loaded }) if start.local.writes(at) => None,
                value => Some(value),
            }
        };
        let signed = parts.last()?.starts_with('s');
        let element = |i: u32| match each {
            2 => {
                let [lower, upper] = [word(first + 2 * i), word(first + 2 * i + 1)]
                    .map(|half| half.unwrap_or_else(|| self.unknown(Why::Loaded)));
                Some([lower, upper])
            }
            _ => Some(wide::extended(&word(first + i)?, signed, self.at)),
        };
        let to = one.operands.first()?.parts();
        let wanted = (0..).zip(to).filter(|(_, to)| matches!(to, Operand::Name(Name::Register(_))));
        let unknown = || wide::unknown(self.at, Why::Loaded);
        Some(wanted.map(|(i, _)| element(i).unwrap_or_else(unknown)).collect())
    }

    /// The value that a load brings from a word that is computed: if all lanes load the same, as if each word came on a path of its own.
    fn some_kept(&self, one: &Instruction) -> Option<Vec<Wide>> {
        let start = self.start;
        let is_shared = self.operand(one.operands.get(1)?).iter().all(Value::is_shared);
        if !is_shared || start.needed.words.len() < start.local.words as usize {
            return None;
        }
        let words = start.needed.words.values().map(|slot| self.state.file.read(*slot));
        let value = words.reduce(|all, word| all.join(&word, self.at))?;
        let signed = one.name.ends_with("s32");
        Some(vec![wide::extended(&value, signed, self.at)])
    }

    /// Does an instruction.
    pub(crate) fn instruction(&mut self, one: &Instruction) {
        self.keep(one);
        let to = &self.start.needed.writes[self.at];
        if to.iter().all(|register| self.start.needed.slots[*register] == usize::MAX) {
            return;
        }
        let name = &self.start.needed.names[self.at];
        let mut values = self.values(one, &name.parts, to.len()).unwrap_or_default();
        // All is read before anything is written: the first of two destinations may be the guard, or an operand.
        values.resize_with(to.len(), || self.others(one, name));
        let bit = one.guard.map(|guard| self.guard(guard));
        for (register, value) in to.iter().zip(values) {
            self.put(*register, value, bit.as_ref());
        }
    }

    /// The result of a function that is not followed: one value in all lanes if its operands are.
    fn others(&self, one: &Instruction, name: &Named<'_>) -> Wide {
        if !name.is_function {
            let memory = ["ld", "ldu", "tex", "ldmatrix", "atom", "suld", "tld4"];
            let is_memory = memory.contains(&name.parts[0]);
            return wide::unknown(self.at, if is_memory { Why::Loaded } else { Why::Computed });
        }
        let mut shared = true;
        for operand in one.operands.iter().skip(1) {
            // A number that is no integer is the same in all lanes.
            let is_number = matches!(operand, Operand::Other);
            shared &= is_number || self.operand(operand).iter().all(Value::is_shared);
        }
        if shared {
            [Value::shared(0), Value::shared(0)]
        } else {
            wide::unknown(self.at, Why::Computed)
        }
    }

    /// The values that an instruction writes, as far as they are followed.
    fn values(&self, one: &Instruction, parts: &[&str], count: usize) -> Option<Vec<Wide>> {
        match parts[0] {
            "mov" => self.moved(one, count),
            "ld" | "ldu" => self.loaded(one, parts, count),
            "setp" => self.compared(one, parts),
            "shfl" => self.shuffled(one, parts),
            "vote" | "redux" => self.voted(one, parts),
            "any" => Some(vec![self.of_any_lane(one)?]),
            _ => Some(vec![self.value(one, parts)?]),
        }
    }

    /// `mov.b64 {%r1, %r2}, %rd1`, `mov.b64 %rd1, {%r1, %r2}`, `mov.u32 %r1, %tid.x`
    fn moved(&self, one: &Instruction, count: usize) -> Option<Vec<Wide>> {
        let [to, from] = &one.operands[..] else { return None };
        let at = self.at;
        match (to, from) {
            (Operand::Vector(to), _) => {
                let [lower, upper] = self.operand(from);
                let half = |value: &Value, i: u32| {
                    let down = value.shr(&Value::constant(16 * i), false, at);
                    wide::narrow(down.and(&Value::constant(0xffff), at))
                };
                // A part that is not wanted is not a register.
                let all = match (one.name.ends_with("64"), to.len()) {
                    (true, 2) => vec![wide::narrow(lower), wide::narrow(upper)],
                    (true, 4) => {
                        vec![half(&lower, 0), half(&lower, 1), half(&upper, 0), half(&upper, 1)]
                    }
                    (false, 2) if one.name.ends_with("32") => {
                        vec![half(&lower, 0), half(&lower, 1)]
                    }
                    _ => return None,
                };
                let wanted = to
                    .iter()
                    .zip(all)
                    .filter(|(to, _)| matches!(to, Operand::Name(Name::Register(_))));
                Some(wanted.map(|(_, value)| value).collect())
            }
            (_, Operand::Vector(from)) => {
                let from: Vec<Value> =
                    from.iter().map(|one| self.operand(one)[0].clone()).collect();
                let both = |a: &Value, b: &Value| a.or(&b.shl(&Value::constant(16), at), at);
                match (one.name.ends_with("64"), &from[..]) {
                    (true, [a, b]) => Some(vec![[a.clone(), b.clone()]]),
                    (true, [a, b, c, d]) => Some(vec![[both(a, b), both(c, d)]]),
                    (false, [a, b]) if one.name.ends_with("32") => {
                        Some(vec![wide::narrow(both(a, b))])
                    }
                    _ => None,
                }
            }
            (_, Operand::Other) => None,
            _ if count == 1 => Some(vec![self.operand(from)]),
            _ => None,
        }
    }

    /// The result of a load: lanes that load from one address get one value, unless another may write meanwhile.
    fn loaded(&self, one: &Instruction, parts: &[&str], count: usize) -> Option<Vec<Wide>> {
        if let Some(kept) = self.kept(one, parts) {
            return Some(kept);
        }
        let address = one.operands.get(1)?;
        let has = |word: &str| parts.contains(&word);
        let is_kernels = match address {
            Operand::Address(Some(Name::Symbol(name)), _) => {
                self.start.function.parameters.contains(name)
            }
            _ => false,
        };
        let is_read_only = has("const") || has("param") && is_kernels || has("param::entry");
        let is_weak = !["volatile", "relaxed", "acquire", "mmio"].iter().any(|word| has(word));
        let is_plain = is_weak && (has("global") || has("shared") || has("shared::cta"));
        let is_shared = || self.operand(address).iter().all(Value::is_shared);
        let same = (is_read_only || is_plain) && is_shared();
        same.then(|| vec![[Value::shared(0), Value::shared(0)]; count])
    }

    /// `shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1`
    fn shuffled(&self, one: &Instruction, parts: &[&str]) -> Option<Vec<Wide>> {
        let [to, from, b, c, members] = &one.operands[..] else { return None };
        let number = |operand: &Operand| self.operand(operand)[0].number();
        let value = self.operand(from)[0].clone();
        let (b, c) = (number(b)?, number(c)?);
        if number(members)? != u32::MAX || one.guard.is_some() || self.are_fewer {
            return None;
        }
        let (b, last, mask) = ((b & 31) as usize, (c & 31) as usize, (c >> 8 & 31) as usize);
        let mode = *parts.get(2)?;
        let source = |lane: usize| {
            let most = lane & mask | last & !mask;
            let (from, fits) = match mode {
                "up" => (
                    lane.wrapping_sub(b),
                    lane.cast_signed() - b.cast_signed() >= most.cast_signed(),
                ),
                "down" => (lane + b, lane + b <= most),
                "bfly" => (lane ^ b, lane ^ b <= most),
                _ => (lane & mask | b & !mask, (lane & mask | b & !mask) <= most),
            };
            if fits && from < WARP { (from, 1) } else { (lane, 0) }
        };
        let value = value.between(WARP, &|lane| source(lane).0);
        let mut all = vec![wide::narrow(value)];
        if matches!(to, Operand::Both(_)) {
            all.push(wide::narrow(Value::lanes(WARP, |lane| source(lane).1)));
        }
        Some(all)
    }

    /// The value of one lane, no matter which, that all lanes get: a register of the warp in SASS.
    fn of_any_lane(&self, one: &Instruction) -> Option<Wide> {
        let [value, _] = self.operand(one.operands.get(1)?);
        let Value::Sum { k, f } = value else {
            return Some(wide::narrow(Value::shared(0)));
        };
        let of = |lane: usize| Value::shared(k).add(&Value::constant(f.get(lane)), self.at);
        let one = (1..WARP).fold(of(0), |all, lane| all.join(&of(lane), self.at));
        Some(wide::narrow(one))
    }

    /// The result that all lanes of a warp get alike.
    fn voted(&self, one: &Instruction, parts: &[&str]) -> Option<Vec<Wide>> {
        let members = self.operand(one.operands.last()?)[0].number()?;
        if members != u32::MAX || one.guard.is_some() {
            return None;
        }
        let from = self.operand(one.operands.get(1)?)[0].clone();
        let bits = from.known().map(|each| each.set(WARP) as u32).filter(|_| !self.are_fewer);
        let value = match (parts[0], parts.get(2), bits) {
            ("vote", Some(&"any"), Some(bits)) => Value::constant(u32::from(bits != 0)),
            ("vote", Some(&"all"), Some(bits)) => Value::constant(u32::from(bits == u32::MAX)),
            ("vote", Some(&"ballot"), Some(bits)) => Value::constant(bits),
            _ => Value::shared(0),
        };
        Some(vec![wide::narrow(value)])
    }
}
