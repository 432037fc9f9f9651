//! Scalar instructions: numbers that all lanes share, and masks of lanes.
//!
//! A result that is not followed is still the same in all lanes. Masks turn lanes on, so they are followed as sets even
//! where no lane of them is known.
//!
//! Definitions: AMD, instruction set architecture documents of CDNA3, RDNA3 and RDNA4, "SOP1" to "SOPP".

use super::operation::{of_test, of_two, of_wide, signed_field};
use super::{Step, Write};
use crate::amdgpu::calls::FOLLOWED;
use crate::amdgpu::mask::Set;
use crate::amdgpu::mode::Indexes;
use crate::amdgpu::pointer::Kind;
use crate::amdgpu::scalar::{Mask, Scalar};
use crate::amdgpu::text::{File, M0, Operand, Register, TTMP, Words};
use crate::value::{Lanes, Reason, Value, Why};

impl Step<'_, '_> {
    pub(super) fn scalar_instruction(&mut self, words: &Words) {
        let name = words.name.strip_prefix("s_").unwrap_or(&words.name);
        if name.starts_with("cbranch") || name == "branch" || name.starts_with("setpc") {
            return;
        }
        if self.mode_instruction(name, words) {
            return;
        }
        if words.modifier(FOLLOWED).is_some() {
            self.scc = Some(None);
            return;
        }
        let foreign = ["swappc", "call", "movreld", "rfe", "subvector"];
        if foreign.iter().any(|one| name.starts_with(one)) {
            return self.foreign();
        }
        let loads = [
            "load",
            "buffer_load",
            "scratch_load",
            "atc_probe",
            "getreg",
            "getpc",
            "memtime",
            "memrealtime",
        ];
        if loads.iter().any(|one| name.starts_with(one)) {
            return match self.sizes(name, words) {
                Some(sizes) => self.writes.extend(sizes),
                None => self.lose(words.operands.first()),
            };
        }
        if ["store", "buffer_store", "scratch_store"].iter().any(|one| name.starts_with(one)) {
            return;
        }
        if let Some(test) = name.strip_prefix("cmp_").or_else(|| name.strip_prefix("cmpk_")) {
            return self.scc_of_test(words, test);
        }
        if name.starts_with("bitcmp") {
            self.scc = Some(None);
            return;
        }
        if self.mask_instruction(name, words)
            || self.cselect(name, words)
            || self.number_instruction(name, words)
        {
            return;
        }
        self.scc = Some(None);
        self.lose(words.operands.first());
        if name.contains("exec") || name.contains("wrexec") {
            self.writes.push(Write::Exec(None));
        }
    }

    /// `s_load_dwordx2 s[0:1], s[4:5], 0x4`: x, y and z of a block, in 16 bits each from byte 4 on of the packet of the launch.
    ///
    /// Source: HSA Foundation, "HSA Platform System Architecture Specification", "Kernel Dispatch Packet"; what follows z is 0.
    fn sizes(&self, name: &str, words: &Words) -> Option<Vec<Write>> {
        let [Operand::Register(to), Operand::Register(from), offset] = &words.operands[..] else {
            return None;
        };
        let first = match offset {
            Operand::Number(offset) => u32::try_from(*offset).ok()?,
            Operand::Null => 0,
            _ => return None,
        };
        let moves_words = ["load_dword", "load_b"].iter().any(|one| name.starts_with(one));
        let is_packet = from.file == File::S && from.count == 2;
        let is_packet = is_packet && Some(from.first) == self.state.packet;
        if !is_packet || !moves_words || first % 4 != 0 || !words.modifiers.is_empty() {
            return None;
        }
        let word = |i: usize| match (first.wrapping_add(4 * i as u32), self.start.sizes()) {
            (4, [Some(x), Some(y), _]) => Value::constant(x | y << 16),
            // The same x in all lanes, and y above it.
            (4, [None, Some(y), _]) => Value::Among {
                k: 32,
                open: 0xffff,
                f: Lanes::Same(y << 16),
                reason: Reason { at: self.at, why: Why::Loaded },
            },
            (8, [_, _, Some(z)]) => Value::constant(z),
            _ => Value::shared(0),
        };
        let write = |i| {
            Write::Scalar(to.first + i, Scalar { value: word(i), mask: None, kind: Kind::Other })
        };
        (to.file == File::S).then(|| (0..to.count).map(write).collect())
    }

    /// `s_set_gpr_idx_on s51, gpr_idx(SRC0)`: from here on names of vector registers are others than they seem, until it is
    /// turned off. `s_setvskip s20, 0`: from here on vector instructions are skipped if bit 0 of s20 is set.
    fn mode_instruction(&mut self, name: &str, words: &Words) -> bool {
        match name {
            "set_gpr_idx_on" => {
                self.writes.push(Write::Scalar(M0, Scalar::new(Value::shared(0))));
                let mode = &mut self.state.mode;
                // Bit 3 of a number stands for the register that is written.
                let writes = match (&words.operands[..], words.said(1)) {
                    ([_, Operand::Number(bits)], _) => bits >> 3 & 1 == 1,
                    (_, said) => !said.starts_with("gpr_idx(") || said.contains("DST"),
                };
                mode.indexes = if writes { Indexes::All } else { Indexes::Sources };
            }
            "set_gpr_idx_off" => self.state.mode.indexes = Indexes::None,
            _ if name.starts_with("set_gpr_idx") || name == "set_vgpr_msb" => {
                self.foreign();
                let is_off = words.operands.first() == Some(&Operand::Number(0));
                self.state.mode.indexes = if is_off { Indexes::None } else { Indexes::All };
            }
            "setvskip" => {
                let number = |at: usize| match words.operands.get(at) {
                    Some(Operand::Number(number)) => Some(*number),
                    _ => None,
                };
                let bit = number(0).zip(number(1)).map(|(bits, at)| bits >> (at & 31) & 1);
                self.state.mode.may_skip = bit != Some(0);
            }
            _ => return false,
        }
        true
    }

    /// `s_cmp_lt_i32 s0, 5`.
    fn scc_of_test(&mut self, words: &Words, test: &str) {
        let known = match &words.operands[..] {
            [a, b] => self.vector(a).number().zip(self.vector(b).number()),
            _ => None,
        };
        self.scc = Some(known.zip(of_test(test)).map(|((a, b), is)| is(a, b)));
    }

    /// Instructions on masks of as many lanes as a wave has.
    fn mask_instruction(&mut self, name: &str, words: &Words) -> bool {
        let bits = if self.state.wave() == 64 { "_b64" } else { "_b32" };
        let Some(name) = name.strip_suffix(bits) else { return false };
        // In a wave of 32 a mask looks like any other number.
        let is_mask = |operand: &Operand| {
            *operand == Operand::Exec
                || operand.scalar().is_some_and(|one| self.state.scalar(one.first).mask.is_some())
        };
        // It takes part of the lanes that are on, whatever number names them.
        if let Some(operation) = name.strip_suffix("_saveexec") {
            return self.save_exec(operation, words);
        }
        if !words.operands.iter().any(is_mask) && self.state.wave() == 32 {
            return false;
        }
        let (at, all) = (self.at, self.state.all());
        let (to, mask) = match (name, &words.operands[..]) {
            ("mov", [to, from]) => (to, self.mask(from)),
            ("not", [to, from]) => {
                let set = match self.mask(from) {
                    Some(Mask::Set(set)) => self.state.sets.minus(all, set, at),
                    _ => self.state.sets.part_of(all, at),
                };
                (to, Some(Mask::Set(set)))
            }
            (_, [to, a, b]) => {
                let (a, b) = (self.mask(a), self.mask(b));
                let Some(mask) = self.combined(name, a, b) else { return false };
                // Lanes of which nothing is known are the same ones wherever the register is read.
                let named = || Mask::Set(self.state.sets.part_of(all, at));
                (to, Some(mask.unwrap_or_else(named)))
            }
            _ => return false,
        };
        self.put_mask(Some(to), mask);
        if name != "mov" {
            let known = mask.and_then(Mask::exact).and_then(Set::lanes);
            self.scc = Some(known.map(|lanes| lanes != 0));
        }
        true
    }

    /// The result of an operation on two masks: `None` if it is not one of masks, `Some(None)` if nothing is known.
    fn combined(&mut self, name: &str, a: Option<Mask>, b: Option<Mask>) -> Option<Option<Mask>> {
        let (at, sets) = (self.at, &mut self.state.sets);
        let known = |mask: Option<Mask>| mask.and_then(Mask::exact);
        Some(match name {
            "and" => match (a, b) {
                (Some(Mask::Set(a)), Some(Mask::Set(b))) => Some(Mask::Set(sets.and(a, b, at))),
                (Some(Mask::Whole(a) | Mask::Set(a)), Some(Mask::Whole(b) | Mask::Set(b))) => {
                    Some(Mask::Whole(sets.and(a, b, at)))
                }
                // Of a mask of which nothing is known only that it is part of the other.
                (Some(mask), None) | (None, Some(mask)) => {
                    Some(Mask::Set(sets.part_of(mask.set(), at)))
                }
                (None, None) => None,
            },
            "or" => known(a).zip(known(b)).map(|(a, b)| Mask::Set(sets.or(a, b, at))),
            "xor" => known(a).zip(known(b)).map(|(a, b)| Mask::Set(sets.xor(a, b, at))),
            "andn2" | "and_not1" => match (a, known(b)) {
                (Some(Mask::Set(a)), Some(b)) => Some(Mask::Set(sets.minus(a, b, at))),
                (Some(a), _) => Some(Mask::Set(sets.part_of(a.set(), at))),
                _ => None,
            },
            "nand" | "nor" | "xnor" | "orn2" | "or_not1" => None,
            _ => return None,
        })
    }

    /// `s_and_saveexec_b64 s[0:1], vcc` and its like: the first operand gets the lanes that were on.
    fn save_exec(&mut self, operation: &str, words: &Words) -> bool {
        let [to, from] = &words.operands[..] else { return false };
        let (exec, at) = (self.state.exec(), self.at);
        let known = match self.mask(from) {
            Some(Mask::Set(set)) => Some(set),
            None if exec == self.state.all() => self.named(from),
            _ => None,
        };
        let sets = &mut self.state.sets;
        let new = match (operation, known) {
            ("and", Some(set)) => Some(sets.and(exec, set, at)),
            ("and", None) => Some(sets.part_of(exec, at)),
            ("or", Some(set)) => Some(sets.or(exec, set, at)),
            ("xor", Some(set)) => Some(sets.xor(exec, set, at)),
            // The operand without the lanes that were on.
            ("andn2" | "and_not1", Some(set)) => Some(sets.minus(set, exec, at)),
            // The lanes that were on without the operand.
            ("andn1" | "and_not0", Some(set)) => Some(sets.minus(exec, set, at)),
            _ => None,
        };
        self.put_mask(Some(to), Some(Mask::Set(exec)));
        self.writes.push(Write::Exec(new.map(Mask::Set)));
        let lanes = new.and_then(Set::lanes);
        self.scc = Some(lanes.map(|lanes| lanes != 0));
        true
    }

    /// A name for the lanes in a register of which nothing is known: where it is read again they are the same ones.
    fn named(&mut self, operand: &Operand) -> Option<Set> {
        let halves = self.state.wave() / 32;
        let one = operand.scalar().filter(|one| one.count == halves && one.half.is_none())?;
        Some(self.state.name_mask(one.first, self.at))
    }

    /// `s_cselect_b32 s0, -1, 0`.
    fn cselect(&mut self, name: &str, words: &Words) -> bool {
        let ("cselect_b32" | "cselect_b64", [to, a, b]) = (name, &words.operands[..]) else {
            return false;
        };
        let picked = match self.state.scc {
            Some(true) => Some(a),
            Some(false) => Some(b),
            None => None,
        };
        let ends = |a: &Operand, b: &Operand| *a == Operand::Number(-1) && *b == Operand::Number(0);
        let is_mask = (name == "cselect_b64") == (self.state.wave() == 64);
        if picked.is_none() && is_mask && (ends(a, b) || ends(b, a)) {
            let all = self.state.all();
            self.put_mask(Some(to), Some(Mask::Whole(all)));
            return true;
        }
        let words = if name == "cselect_b64" { 2 } else { 1 };
        let values = (0..words).map(|i| match picked {
            Some(one) => self.nth(one, i),
            None => self.nth(a, i).join(&self.nth(b, i), self.at),
        });
        let values = values.collect();
        self.put_all(Some(to), values);
        true
    }

    /// Instructions on numbers.
    fn number_instruction(&mut self, name: &str, words: &Words) -> bool {
        let writes_scc = !["mov", "movk", "mul", "cmov", "pack", "sext", "brev", "bfm", "bitset"]
            .iter()
            .any(|quiet| name.starts_with(quiet));
        // The wave's number.
        let ttmp8 = Operand::Register(Register::scalars(TTMP + 8, 1));
        if let ("bfe_u32", [to, from, Operand::Number(0x50019)]) = (name, &words.operands[..])
            && *from == ttmp8
            && self.start.has_number()
        {
            self.put(Some(to), Value::constant(self.start.number as u32));
            self.scc = Some(Some(self.start.number != 0));
            return true;
        }
        let Some((to, values)) = self.result(name, words) else { return false };
        if writes_scc {
            self.scc = Some(scc_of_result(name, &values));
        }
        let copied = words.operands.get(1).filter(|_| name == "mov_b32").and_then(Operand::scalar);
        match (copied, to.scalar()) {
            // A half of a mask stays one.
            (Some(from), Some(to)) => {
                self.writes.push(Write::Scalar(to.first, self.state.scalar(from.first)));
            }
            _ => self.put_all(Some(&to), values),
        }
        true
    }

    fn result(&self, name: &str, words: &Words) -> Option<(Operand, Vec<Value>)> {
        let at = self.at;
        let (to, from) = words.operands.split_first()?;
        let one = |value| Some((to.clone(), vec![value]));
        if name.ends_with("64") {
            let values = of_wide(name, &self.pairs(from), at)?;
            return Some((to.clone(), values.to_vec()));
        }
        match (name, from) {
            ("mov_b32" | "movk_i32" | "sext_i32_i16", [a]) => {
                let a = self.vector(a);
                return match name {
                    "mov_b32" => one(a),
                    _ => one(Value::apply([&a], at, |[a]| i32::from(a as i16).cast_unsigned())),
                };
            }
            ("addk_i32" | "addk_co_i32" | "mulk_i32", [a]) => {
                let (a, to_value) = (self.vector(a), self.vector(to));
                return one(if name == "mulk_i32" {
                    to_value.mul(&a, at)
                } else {
                    to_value.add(&a, at)
                });
            }
            ("not_b32", [a]) => return one(self.vector(a).not(at)),
            ("brev_b32", [a]) => {
                return one(Value::apply([&self.vector(a)], at, |[a]| a.reverse_bits()));
            }
            _ => {}
        }
        let values = Vec::from_iter(from.iter().map(|one| self.vector(one)));
        let [a, b] = &values[..] else { return None };
        let exact = |op: fn(u32, u32) -> u32| Value::apply([a, b], at, |[a, b]| op(a, b));
        let shifted_add = |c| a.shl(&Value::constant(c), at).add(b, at);
        one(match name {
            "add_co_u32" | "add_co_i32" => a.add(b, at),
            "sub_co_u32" | "sub_co_i32" => a.sub(b, at),
            "mul_i32" => a.mul(b, at),
            "lshl_b32" => a.shl(b, at),
            "lshr_b32" => a.shr(b, false, at),
            "ashr_i32" => a.shr(b, true, at),
            "andn2_b32" | "and_not1_b32" => Value::bits([a, b], at, |[a, b]| a & !b),
            "orn2_b32" | "or_not1_b32" => Value::bits([a, b], at, |[a, b]| a | !b),
            "lshl1_add_u32" => shifted_add(1),
            "lshl2_add_u32" => shifted_add(2),
            "lshl3_add_u32" => shifted_add(3),
            "lshl4_add_u32" => shifted_add(4),
            "bfe_u32" => {
                let field = b.number()?;
                let width = (field >> 16 & 0x7f).min(32);
                let mask = if width == 32 { u32::MAX } else { (1 << width) - 1 };
                a.shr(&Value::constant(field & 31), false, at).and(&Value::constant(mask), at)
            }
            "bfe_i32" => {
                let field = b.number()?;
                let (first, width) = (field & 31, (field >> 16 & 0x7f).min(32));
                match width {
                    0 => Value::constant(0),
                    _ if first + width > 32 => return None,
                    32 => a.clone(),
                    _ => signed_field(a, first, width, at),
                }
            }
            "bfm_b32" => exact(|a, b| ((1 << (a & 31)) - 1) << (b & 31)),
            "pack_ll_b32_b16" => exact(|a, b| a & 0xffff | b << 16),
            _ => of_two(name, &values, at)?,
        })
    }
}

/// The condition code after an operation on numbers: of the bitwise ones whether the result is not 0.
fn scc_of_result(name: &str, values: &[Value]) -> Option<bool> {
    let bitwise =
        ["and", "or", "xor", "lsh", "ashr", "bfe", "not"].iter().any(|one| name.starts_with(one));
    if !bitwise || name.contains("_add_") || name.ends_with("64") {
        return None;
    }
    values.first()?.number().map(|number| number != 0)
}
