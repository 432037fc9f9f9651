//! Vector instructions: the integer ones by their definition, of all others the destination is unknown.
//!
//! Definitions: AMD, instruction set architecture documents of CDNA3, RDNA3 and RDNA4, "VOP1" to "VOP3P".

use super::operation::{of_halves, of_test, of_three, of_two, of_wide};
use super::{Step, Write};
use crate::amdgpu::mask::Set;
use crate::amdgpu::mode::Mode;
use crate::amdgpu::scalar::{Mask, Scalar};
use crate::amdgpu::state::place;
use crate::amdgpu::text::{File, M0, Operand, Register, VCC, Words};
use crate::value::wide;
use crate::value::{Lanes, Reason, Value, Why};

/// Modifiers that this file reads, or that change nothing of a result that it computes.
const READ: [&str; 5] = ["bitop3", "src0_sel", "src1_sel", "dst_sel", "dst_unused"];

/// Vector registers that an instruction can name.
const NAMED: usize = 256;

impl Step<'_, '_> {
    /// The plain move that `v_movreld_b32 v2, v5` is, which writes `v[2 + M0]`, or `v_movrels_b32`, which reads `v[5 + M0]`: if M0
    /// is known, as it is in each round of a loop over an array in registers.
    pub(super) fn plain_move(&self, words: &Words) -> Option<Words> {
        let name = words.name.strip_prefix("v_movrel")?;
        let counted = match name.strip_suffix("_e32").or(name.strip_suffix("_e64")).unwrap_or(name)
        {
            "d_b32" => 0,
            "s_b32" => 1,
            _ => return None,
        };
        let is_plain = self.state.mode == Mode::PLAIN && words.modifiers.is_empty();
        let far = self.state.scalar(M0).value.number().filter(|_| is_plain)?;
        let mut plain = Words { name: "v_mov_b32".to_string(), ..words.clone() };
        let Some(Operand::Register(Register { file: File::V, first, count: 1, half: None })) =
            plain.operands.get_mut(counted)
        else {
            return None;
        };
        *first = first.checked_add(far as usize).filter(|first| *first < NAMED)?;
        Some(plain)
    }

    pub(super) fn vector_instruction(&mut self, words: &Words) {
        let name = words.name.strip_prefix("v_").unwrap_or(&words.name);
        let name = name.strip_prefix("dual_").unwrap_or(name);
        let ends = ["_e32", "_e64", "_sdwa"];
        let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        if name == "movrels_b32" {
            // It reads a register that it does not name.
            return self.lose(words.operands.first());
        }
        if ["movrel", "swaprel"].iter().any(|one| name.starts_with(one)) {
            return self.foreign();
        }
        if let Some(test) = name.strip_prefix("cmpx_") {
            return self.compare_exec(words, test);
        }
        if let Some(test) = name.strip_prefix("cmp_") {
            return self.compare(words, test);
        }
        if name == "nop" || name.ends_with("_nop") {
            return;
        }
        let plain = words.modifiers.iter().all(|(name, _)| READ.contains(&name.as_str()));
        if !plain || words.name.ends_with("_dpp") || !self.followed(name, words) {
            self.lose_vector(words, name);
        }
    }

    /// The destination, and what else some instructions write.
    fn lose_vector(&mut self, words: &Words, name: &str) {
        self.lose(words.operands.first());
        if name.contains("swap") {
            return self.lose(words.operands.get(1));
        }
        let second = [
            "_co_",
            "div_scale",
            "mad_u64",
            "mad_i64",
            "mad_co",
            "add_u32",
            "sub_u32",
            "subrev_u32",
        ];
        if words.operands.get(1).is_some_and(|one| one.scalar().is_some())
            && words.operands.len() > 3
            && second.iter().any(|one| name.contains(one))
        {
            self.put_mask(words.operands.get(1), None);
        }
    }

    /// `v_cmp_lt_u32_e32 vcc, s0, v1`; lanes that are off get a 0.
    fn compare(&mut self, words: &Words, test: &str) {
        let [to, a, b] = &words.operands[..] else {
            self.lose(words.operands.first());
            return self.put_mask(words.operands.first(), None);
        };
        let mask = self.tested(words, test, [a, b]);
        self.put_mask(Some(to), Some(mask));
    }

    /// `v_cmpx_lt_u32_e32 s0, v1`, before gfx10 `v_cmpx_lt_u32_e32 vcc, s0, v1`: turns off the lanes that fail the test.
    fn compare_exec(&mut self, words: &Words, test: &str) {
        let mask = match &words.operands[..] {
            [a, b] | [Operand::Register(Register { file: File::S, .. }), a, b] => {
                self.tested(words, test, [a, b])
            }
            _ => Mask::Set(self.state.sets.part_of(self.state.exec(), self.at)),
        };
        if let [first, _, _] = &words.operands[..]
            && first.scalar().is_some()
        {
            self.put_mask(Some(first), Some(mask));
        }
        let on = match mask {
            Mask::Set(set) => set,
            Mask::Whole(set) => self.state.sets.part_of(set, self.at),
        };
        self.writes.push(Write::Exec(Some(Mask::Set(on))));
    }

    /// The lanes that are on and pass a test: `lt_u32` of two operands.
    fn tested(&mut self, words: &Words, test: &str, [a, b]: [&Operand; 2]) -> Mask {
        let (a, b) = (self.vector(a), self.vector(b));
        let is = of_test(test).filter(|_| words.modifiers.is_empty());
        let result = is.map(|is| Value::apply([&a, &b], self.at, |[a, b]| u32::from(is(a, b))));
        let mask = result.and_then(|result| self.mask_of(&result));
        let exec = self.state.exec();
        mask.unwrap_or_else(|| Mask::Set(self.state.sets.part_of(exec, self.at)))
    }

    /// The lanes that are on and have a 1, of a number that is 0 or 1 in each lane; `None` if it is not known.
    fn mask_of(&self, bit: &Value) -> Option<Mask> {
        let exec = self.state.exec();
        let of = |bits: &Lanes| Set { bits: exec.bits & bits.set(self.state.wave()), ..exec };
        let whole = || bit.is_shared().then_some(Mask::Whole(exec));
        bit.known().map(|bits| Mask::Set(of(bits))).or_else(whole)
    }

    /// An instruction whose result is followed; whether it is one.
    fn followed(&mut self, name: &str, words: &Words) -> bool {
        let at = self.at;
        let [to, from @ ..] = &words.operands[..] else { return false };
        match name {
            "readfirstlane_b32" => return self.read_first_lane(to, from),
            "readlane_b32" => return self.read_lane(to, from),
            "writelane_b32" => return self.write_lane(to, from),
            "cndmask_b32" => return self.select(to, from),
            "swap_b32" => return self.swap(to, from),
            "mad_u64_u32" | "mad_nc_u64_u32" => return self.mad_wide(words),
            _ if name.ends_with("64") => return self.wide(name, to, from).is_some(),
            _ => {}
        }
        if let Some((sign, carries)) = carry_of(name, words) {
            return self.with_carry(words, sign, carries);
        }
        let Some(values) = self.sources(words, from) else { return false };
        let value = match (name, &values[..]) {
            ("mov_b32" | "accvgpr_write_b32" | "accvgpr_read_b32" | "accvgpr_mov_b32", [a]) => {
                a.clone()
            }
            ("mov_b16", [a]) if is_half(to) => a.clone(),
            ("not_b32", [a]) => a.not(at),
            ("bfrev_b32", [a]) => Value::apply([a], at, |[a]| a.reverse_bits()),
            ("mbcnt_lo_u32_b32" | "mbcnt_hi_u32_b32", [mask, base]) => {
                let Some(mask) = mask.number() else { return false };
                let first = if name.contains("_hi_") { 32 } else { 0 };
                let below = |lane: usize| (1_u64 << lane.saturating_sub(first).min(32)) - 1;
                let count = |lane| (u64::from(mask) & below(lane)).count_ones();
                base.add(&Value::lanes(self.state.wave(), count), at)
            }
            _ => {
                let found = of_two(name, &values, at)
                    .or_else(|| of_three(name, words, &values, at))
                    .or_else(|| self.of_halves(name, &values));
                let Some(value) = found else { return false };
                value
            }
        };
        self.put(Some(to), value);
        true
    }

    /// The result of an operation on the lower 16 bits of its operands. The upper ones are 0 up to gfx9, and stay what they are
    /// later: nothing is known of them.
    fn of_halves(&self, name: &str, values: &[Value]) -> Option<Value> {
        let at = self.at;
        let low = of_halves(name, values, at)?.and(&Value::constant(0xffff), at);
        let upper = self.unknown().shl(&Value::constant(16), at);
        // As a sum, since only that keeps both the lanes' part of the lower half and what they share of it.
        Some(low.add(&upper, at))
    }

    /// The sources, those of SDWA as it selects them; `None` if it writes a part of the destination.
    fn sources(&self, words: &Words, from: &[Operand]) -> Option<Vec<Value>> {
        if words.modifier("dst_sel").is_some_and(|part| part != "DWORD") {
            return None;
        }
        let at = self.at;
        let select = |value: Value, part: &str| {
            let (first, mask) = match part {
                "DWORD" => return Some(value),
                "WORD_0" => (0, 0xffff),
                "WORD_1" => (16, 0xffff),
                "BYTE_0" => (0, 0xff),
                "BYTE_1" => (8, 0xff),
                "BYTE_2" => (16, 0xff),
                "BYTE_3" => (24, 0xff),
                _ => return None,
            };
            let shifted = value.shr(&Value::constant(first), false, at);
            Some(shifted.and(&Value::constant(mask), at))
        };
        let values = from.iter().enumerate().map(|(i, operand)| {
            let part = words.modifier(if i == 0 { "src0_sel" } else { "src1_sel" });
            select(self.vector(operand), part.unwrap_or("DWORD"))
        });
        values.collect()
    }

    /// Reads the first lane that is on, and lane 0 if none is: then the values of the lanes that are on do not apply.
    fn read_first_lane(&mut self, to: &Operand, from: &[Operand]) -> bool {
        let [from] = from else { return false };
        let first = self
            .state
            .exec()
            .lanes()
            .map(|lanes| if lanes == 0 { 0 } else { lanes.trailing_zeros() as usize });
        let value = match (from, self.state.exec().lanes()) {
            (Operand::Register(register), None | Some(0)) => match place(*register) {
                Some(place) => self.state.read_any(place),
                None => self.vector(from),
            },
            _ => self.vector(from),
        };
        self.put(Some(to), in_lane(&value, first));
        true
    }

    fn read_lane(&mut self, to: &Operand, from: &[Operand]) -> bool {
        let [Operand::Register(register), lane] = from else { return false };
        let (Some(place), lane) = (place(*register), self.vector(lane).number()) else {
            return false;
        };
        let lane = lane.map(|lane| lane as usize & (self.state.wave() - 1));
        let kept = lane.and_then(|lane| self.state.kept(place, lane).cloned());
        match (kept, to.scalar()) {
            (Some(kept), Some(to)) => self.writes.push(Write::Scalar(to.first, kept)),
            _ => self.put(Some(to), in_lane(&self.state.read_any(place), lane)),
        }
        true
    }

    /// A scalar is kept in a lane: so compilers spill scalars.
    fn write_lane(&mut self, to: &Operand, from: &[Operand]) -> bool {
        let (Operand::Register(register), [from, lane]) = (to, from) else { return false };
        let Some(place) = place(*register) else { return false };
        let scalar = match from.scalar() {
            Some(one) => self.state.scalar(one.first),
            None => Scalar::new(self.vector(from)),
        };
        match self.vector(lane).number() {
            Some(lane) => {
                let lane = lane as usize & (self.state.wave() - 1);
                self.state.keep(place, lane, scalar, self.at);
            }
            None => {
                self.state.lose(place, Reason { at: self.at, why: Why::Computed });
            }
        }
        true
    }

    /// `v_cndmask_b32_e64 v0, a, b, mask` is b where the mask is set.
    fn select(&mut self, to: &Operand, from: &[Operand]) -> bool {
        let vcc = Operand::Register(Register::scalars(VCC, self.state.wave() / 32));
        let [a, b, mask @ ..] = from else { return false };
        let bit = self.bit(mask.first().unwrap_or(&vcc));
        let (no, yes) = (self.vector(a), self.vector(b));
        self.put(Some(to), Value::chosen(&bit, &yes, &no, self.state.wave(), self.at));
        true
    }

    /// The bit of a mask in each lane that is on, as a number; any bit for a lane that is off.
    fn bit(&self, mask: &Operand) -> Value {
        let (sets, exec) = (&self.state.sets, self.state.exec());
        let covers = |set: Set| sets.is_within(exec, Set { bits: u64::MAX, ..set });
        match self.mask(mask) {
            Some(Mask::Set(set)) if covers(set) && exec.bits & !set.bits == 0 => Value::constant(1),
            Some(Mask::Set(set)) if covers(set) && exec.bits & set.bits == 0 => Value::constant(0),
            Some(Mask::Set(set)) if covers(set) => {
                Value::lanes(self.state.wave(), |lane| (set.bits >> lane & 1) as u32)
            }
            Some(Mask::Whole(set)) if sets.is_within(exec, set) => Value::shared(0),
            _ => self.unknown(),
        }
    }

    fn swap(&mut self, to: &Operand, from: &[Operand]) -> bool {
        let [from] = from else { return false };
        let (a, b) = (self.vector(to), self.vector(from));
        self.put(Some(to), b);
        self.put(Some(from), a);
        true
    }

    /// `v_add_co_u32 v2, vcc, v0, v1`, `v_addc_co_u32_e32 v3, vcc, v1, v2, vcc`.
    fn with_carry(&mut self, words: &Words, sign: Sign, carries: bool) -> bool {
        let at = self.at;
        let [to, out, a, b, rest @ ..] = &words.operands[..] else { return false };
        let (a, b) = (self.vector(a), self.vector(b));
        let carry = match (carries, rest) {
            (false, []) => Value::constant(0),
            (true, [mask]) => self.bit(mask),
            _ => return false,
        };
        let (a, b) = if sign == Sign::Reversed { (b, a) } else { (a, b) };
        let (value, carry_out) = match sign {
            Sign::Plus => (
                a.add(&b, at).add(&carry, at),
                Value::apply([&a, &b, &carry], at, |[a, b, c]| {
                    u32::from(u64::from(a) + u64::from(b) + u64::from(c) > u64::from(u32::MAX))
                }),
            ),
            _ => (
                a.sub(&b, at).sub(&carry, at),
                Value::apply([&a, &b, &carry], at, |[a, b, c]| {
                    u32::from(u64::from(a) < u64::from(b) + u64::from(c))
                }),
            ),
        };
        let mask = self.mask_of(&carry_out);
        self.put(Some(to), value);
        self.put_mask(Some(out), mask);
        true
    }

    /// `v_mad_u64_u32 v[4:5], s[0:1], v2, v3, v[6:7]`; `v_mad_nc_u64_u32` has no carry.
    fn mad_wide(&mut self, words: &Words) -> bool {
        let (to, carry, a, b, c) = match &words.operands[..] {
            [to, carry, a, b, c] => (to, Some(carry), a, b, c),
            [to, a, b, c] => (to, None, a, b, c),
            _ => return false,
        };
        let (at, c) = (self.at, [self.nth(c, 0), self.nth(c, 1)]);
        let product = wide::product(&self.vector(a), &self.vector(b), false, at);
        self.put_all(Some(to), wide::add(&product, &c, at).to_vec());
        self.put_mask(carry, None);
        true
    }

    /// 64 bits: the lower ones by the rules of 32, the upper ones if all is known.
    fn wide(&mut self, name: &str, to: &Operand, from: &[Operand]) -> Option<()> {
        let values = of_wide(name, &self.pairs(from), self.at)?;
        self.put_all(Some(to), values.to_vec());
        Some(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
    Reversed,
}

/// Additions and subtractions that write a carry, and whether they read one.
fn carry_of(name: &str, words: &Words) -> Option<(Sign, bool)> {
    let writes = matches!(
        words.operands.get(1),
        Some(Operand::Null | Operand::Register(Register { file: File::S, .. }))
    );
    let many = words.operands.len();
    Some(match name {
        "add_co_u32" if many == 4 => (Sign::Plus, false),
        "sub_co_u32" if many == 4 => (Sign::Minus, false),
        "subrev_co_u32" if many == 4 => (Sign::Reversed, false),
        "addc_co_u32" | "add_co_ci_u32" if many == 5 && writes => (Sign::Plus, true),
        "subb_co_u32" | "sub_co_ci_u32" if many == 5 && writes => (Sign::Minus, true),
        "subbrev_co_u32" | "subrev_co_ci_u32" if many == 5 && writes => (Sign::Reversed, true),
        _ => return None,
    })
}

fn is_half(to: &Operand) -> bool {
    matches!(to, Operand::Register(Register { half: Some(_), .. }))
}

/// A lane's value, as a scalar.
fn in_lane(value: &Value, lane: Option<usize>) -> Value {
    match (value, lane) {
        (Value::Sum { k, f }, Some(lane)) => {
            Value::shared(*k).add(&Value::constant(f.get(lane)), 0)
        }
        (Value::Sum { .. }, _) if value.is_shared() => value.clone(),
        _ => Value::shared(0),
    }
}
