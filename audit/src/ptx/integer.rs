//! Integer instructions that have one result.

use super::function::Instruction;
use super::step::{Step, Type};
use super::text::{Operand, WARP};
use crate::text;
use crate::value::wide::{self, Wide};
use crate::value::{Lanes, Value};
use std::cmp::Ordering;

/// Modifiers that change what is computed, or what it is computed of.
const OTHERS: [&str; 3] = ["sat", "ftz", "approx"];

impl Step<'_, '_> {
    /// An operand of a type, extended to 32 bits, or to 64.
    fn typed(&self, operand: &Operand, kind: Type) -> Wide {
        let [lower, upper] = self.operand(operand);
        let lower = self.extended(lower, kind);
        match kind.bits {
            64 => [lower, upper],
            _ => wide::extended(&lower, kind.signed, self.at),
        }
    }

    /// The bits of a type, extended to 32.
    fn extended(&self, value: Value, kind: Type) -> Value {
        if kind.bits >= 32 {
            return value;
        }
        let at = self.at;
        if kind.signed {
            let up = Value::constant(32 - kind.bits);
            return value.shl(&up, at).shr(&up, true, at);
        }
        value.and(&Value::constant((1 << kind.bits) - 1), at)
    }

    /// The result of an instruction that has one; `None` if it is not followed.
    pub(super) fn value(&self, one: &Instruction, parts: &[&str]) -> Option<Wide> {
        let (base, last) = (parts[0], *parts.last()?);
        let [_, from @ ..] = &one.operands[..] else { return None };
        if base == "cvta" {
            return self.generic(from, parts);
        }
        if parts.iter().any(|part| OTHERS.contains(part)) {
            return None;
        }
        if base == "cvt" {
            return self.converted(from, parts);
        }
        // `selp.f32` moves bits.
        let kind = match (base, last) {
            ("selp", "f16" | "bf16") => Type { bits: 16, signed: false },
            ("selp", "f32") => Type { bits: 32, signed: false },
            ("selp", "f64") => Type { bits: 64, signed: false },
            _ => Type::parse(last)?,
        };
        if base == "selp" {
            let [yes, no, bit] = from else { return None };
            let (yes, no, bit) = (self.operand(yes), self.operand(no), self.operand(bit));
            return Some([0, 1].map(|i| Value::chosen(&bit[0], &yes[i], &no[i], WARP, self.at)));
        }
        let is_wide = parts.get(1) == Some(&"wide");
        let values: Vec<Wide> = match (base, from) {
            // The count of a shift has 32 bits.
            ("shl" | "shr", [a, count]) => vec![self.typed(a, kind), self.operand(count)],
            ("mad", [a, b, c]) if is_wide => {
                let wider = Type { bits: 2 * kind.bits, signed: kind.signed };
                vec![self.typed(a, kind), self.typed(b, kind), self.typed(c, wider)]
            }
            // Of 32 bits no upper half is looked at.
            _ if kind.bits <= 32 && !is_wide => {
                let lower = |one| wide::narrow(self.extended(self.operand(one)[0].clone(), kind));
                from.iter().map(lower).collect()
            }
            _ => from.iter().map(|one| self.typed(one, kind)).collect(),
        };
        if is_wide {
            return self.widened(base, kind, &values);
        }
        match kind.bits {
            64 => self.of_64(base, parts, kind, &values),
            32 => Some(wide::narrow(self.of_32(base, parts, kind, &values)?)),
            1 => Some(wide::narrow(self.of_bit(base, &values)?)),
            16 => {
                let value = self.of_16(base, parts, kind, &values)?;
                Some(wide::narrow(value))
            }
            _ => None,
        }
    }

    /// `mul.wide.u32`, `mad.wide.s16`: the result has twice the bits.
    fn widened(&self, base: &str, kind: Type, values: &[Wide]) -> Option<Wide> {
        let [a, b, rest @ ..] = values else { return None };
        let product = match kind.bits {
            16 => wide::narrow(a[0].mul(&b[0], self.at)),
            32 => wide::product(&a[0], &b[0], kind.signed, self.at),
            _ => return None,
        };
        match (base, rest) {
            ("mul", []) => Some(product),
            ("mad", [c]) => Some(wide::add(&product, c, self.at)),
            _ => None,
        }
    }

    fn of_bit(&self, base: &str, values: &[Wide]) -> Option<Value> {
        let at = self.at;
        match (base, values) {
            ("and", [a, b]) => Some(a[0].and(&b[0], at)),
            ("or", [a, b]) => Some(a[0].or(&b[0], at)),
            ("xor", [a, b]) => Some(a[0].xor(&b[0], at)),
            ("not", [a]) => Some(a[0].xor(&Value::constant(1), at)),
            _ => None,
        }
    }

    /// Numbers that are extended to 32 bits; whoever writes the result cuts it.
    fn of_16(&self, base: &str, parts: &[&str], kind: Type, values: &[Wide]) -> Option<Value> {
        match base {
            "add" | "sub" | "neg" | "and" | "or" | "xor" | "not" | "shl" | "shr" | "min"
            | "max" | "div" | "rem" => self.of_32(base, parts, kind, values),
            "mul" | "mad" if parts.get(1) == Some(&"lo") => self.of_32(base, parts, kind, values),
            _ => None,
        }
    }

    fn of_32(&self, base: &str, parts: &[&str], kind: Type, values: &[Wide]) -> Option<Value> {
        let at = self.at;
        let lower: Vec<&Value> = values.iter().map(|value| &value[0]).collect();
        let mode = parts.get(1).copied().unwrap_or("");
        let signed = kind.signed;
        Some(match (base, &lower[..]) {
            ("add", [a, b]) => a.add(b, at),
            ("sub", [a, b]) => a.sub(b, at),
            ("neg", [a]) => Value::constant(0).sub(a, at),
            ("abs", [a]) => Value::apply([a], at, |[a]| a.cast_signed().unsigned_abs()),
            ("mul", [a, b]) if mode == "lo" => a.mul(b, at),
            ("mul", [a, b]) if mode == "hi" => wide::product(a, b, signed, at)[1].clone(),
            ("mad", [a, b, c]) if mode == "lo" => a.mul(b, at).add(c, at),
            ("mad", [a, b, c]) if mode == "hi" => wide::product(a, b, signed, at)[1].add(c, at),
            ("mul24", [a, b]) if mode == "lo" => self.product_24(a, b, signed),
            ("mad24", [a, b, c]) if mode == "lo" => self.product_24(a, b, signed).add(c, at),
            ("min" | "max", [a, b]) => {
                let of = |n: u32| if signed { n as i32 as u64 } else { n.into() };
                let is_less = |a: u32, b: u32| order(of(a), of(b), signed).is_lt();
                Value::apply(
                    [a, b],
                    at,
                    |[a, b]| if is_less(a, b) == (base == "min") { a } else { b },
                )
            }
            ("div" | "rem", [a, b]) => self.divided(base, a, b, signed)?,
            ("and", [a, b]) => a.and(b, at),
            ("or", [a, b]) => a.or(b, at),
            ("xor", [a, b]) => a.xor(b, at),
            ("not", [a]) => a.not(at),
            ("cnot", [a]) => Value::apply([a], at, |[a]| u32::from(a == 0)),
            ("shl", [a, count]) => self.shl(a, count),
            ("shr", [a, count]) => self.shr(a, count, signed),
            ("shf", [a, b, count]) => self.funnel(parts, a, b, count)?,
            ("bfe", [a, first, bits]) => self.field(a, first, bits, signed),
            ("bfi", [a, b, first, bits]) => self.inserted(a, b, first, bits),
            ("lop3", [a, b, c, table]) if parts.len() == 2 => {
                Value::by_table(table.number()?, [a, b, c], at)
            }
            ("prmt", [a, b, select]) if parts.len() == 2 => {
                Value::apply([a, b, select], at, permuted)
            }
            ("bmsk", [a, b]) if mode == "clamp" => {
                Value::apply([a, b], at, |[a, b]| mask(a, b, true))
            }
            ("bmsk", [a, b]) if mode == "wrap" => {
                Value::apply([a, b], at, |[a, b]| mask(a, b, false))
            }
            ("popc", [a]) => Value::apply([a], at, |[a]| a.count_ones()),
            ("clz", [a]) => Value::apply([a], at, |[a]| a.leading_zeros()),
            ("brev", [a]) => Value::apply([a], at, |[a]| a.reverse_bits()),
            ("bfind", [a]) if !signed && parts.len() == 2 => {
                Value::apply([a], at, |[a]| a.checked_ilog2().unwrap_or(u32::MAX))
            }
            _ => return None,
        })
    }

    fn of_64(&self, base: &str, parts: &[&str], kind: Type, values: &[Wide]) -> Option<Wide> {
        let at = self.at;
        let mode = parts.get(1).copied().unwrap_or("");
        Some(match (base, values) {
            ("add", [a, b]) => wide::add(a, b, at),
            ("sub", [a, b]) => wide::sub(a, b, at),
            ("neg", [a]) => wide::sub(&wide::constant(0), a, at),
            ("mul", [a, b]) if mode == "lo" => wide::mul(a, b, at),
            ("mad", [a, b, c]) if mode == "lo" => wide::add(&wide::mul(a, b, at), c, at),
            ("and", [a, b]) => wide::bits(a, b, at, |a, b| a & b),
            ("or", [a, b]) => wide::bits(a, b, at, |a, b| a | b),
            ("xor", [a, b]) => wide::bits(a, b, at, |a, b| a ^ b),
            ("not", [a]) => [a[0].not(at), a[1].not(at)],
            ("shl", [a, count]) => wide::shl(a, &count[0], at),
            ("shr", [a, count]) => wide::shr(a, &count[0], kind.signed, at),
            ("min" | "max", [a, b]) => {
                let is_less = |a: u64, b: u64| order(a, b, kind.signed).is_lt();
                wide::apply(a, b, at, |a, b| if is_less(a, b) == (base == "min") { a } else { b })
            }
            _ => return None,
        })
    }

    /// From 32 on nothing is left of a number, where AMD's shifts begin anew.
    fn shl(&self, a: &Value, count: &Value) -> Value {
        let [lower, _] = wide::shl(&wide::narrow(a.clone()), count, self.at);
        lower
    }

    fn shr(&self, a: &Value, count: &Value, signed: bool) -> Value {
        match (count.number(), signed) {
            (Some(0..32), _) => a.shr(count, signed, self.at),
            (Some(_), false) => Value::constant(0),
            (Some(_), true) => a.shr(&Value::constant(31), true, self.at),
            (None, false) => {
                Value::apply([a, count], self.at, |[a, count]| a.checked_shr(count).unwrap_or(0))
            }
            (None, true) => Value::apply([a, count], self.at, |[a, count]| {
                (a.cast_signed() >> count.min(31)).cast_unsigned()
            }),
        }
    }

    /// `shf.l.wrap.b32 d, a, b, c`: 32 bits of the 64 of b and a.
    fn funnel(&self, parts: &[&str], a: &Value, b: &Value, count: &Value) -> Option<Value> {
        let (left, wraps) = match (parts.get(1)?, parts.get(2)?) {
            (&"l", &"wrap") => (true, true),
            (&"l", &"clamp") => (true, false),
            (&"r", &"wrap") => (false, true),
            (&"r", &"clamp") => (false, false),
            _ => return None,
        };
        let (both, at) = ([a.clone(), b.clone()], self.at);
        let count = match wraps {
            true => count.and(&Value::constant(31), at),
            false => Value::apply([count], at, |[count]| count.min(32)),
        };
        let [lower, upper] = match left {
            true => wide::shl(&both, &count, at),
            false => wide::shr(&both, &count, false, at),
        };
        Some(if left { upper } else { lower })
    }

    /// `bfe.u32 d, a, first, bits`
    fn field(&self, a: &Value, first: &Value, bits: &Value, signed: bool) -> Value {
        match (first.number(), bits.number(), signed) {
            (Some(first), Some(bits), false) => {
                let mask = 1_u64.checked_shl(bits & 0xff).unwrap_or(0).wrapping_sub(1) as u32;
                self.shr(a, &Value::constant(first & 0xff), false)
                    .and(&Value::constant(mask), self.at)
            }
            _ => Value::apply([a, first, bits], self.at, |[a, first, bits]| {
                let (first, bits) = (first & 0xff, bits & 0xff);
                let last = (first + bits).saturating_sub(1).min(31);
                let sign = signed && bits > 0 && a >> last & 1 == 1;
                let bit = |i: u32| {
                    if i < bits && first + i <= 31 { a >> (first + i) & 1 == 1 } else { sign }
                };
                (0..32).fold(0, |all, i| all | u32::from(bit(i)) << i)
            }),
        }
    }

    /// `bfi.b32 d, a, b, first, bits`: a in some bits of b.
    fn inserted(&self, a: &Value, b: &Value, first: &Value, bits: &Value) -> Value {
        let mask = |first: u32, bits: u32| {
            let low = 1_u64.checked_shl(bits & 0xff).unwrap_or(0).wrapping_sub(1) as u32;
            low.checked_shl(first & 0xff).unwrap_or(0)
        };
        match (first.number(), bits.number()) {
            (Some(first), Some(bits)) => {
                let inside = Value::constant(mask(first, bits));
                let moved = self.shl(a, &Value::constant(first & 0xff));
                Value::bits([&moved, b, &inside], self.at, |[a, b, inside]| {
                    a & inside | b & !inside
                })
            }
            _ => Value::apply([a, b, first, bits], self.at, |[a, b, first, bits]| {
                let inside = mask(first, bits);
                a.checked_shl(first & 0xff).unwrap_or(0) & inside | b & !inside
            }),
        }
    }

    fn product_24(&self, a: &Value, b: &Value, signed: bool) -> Value {
        Value::apply([a, b], self.at, |[a, b]| match signed {
            true => {
                let of = |n: u32| n.cast_signed() << 8 >> 8;
                of(a).wrapping_mul(of(b)).cast_unsigned()
            }
            false => (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff),
        })
    }

    /// By 0 nobody says what comes out.
    fn divided(&self, base: &str, a: &Value, b: &Value, signed: bool) -> Option<Value> {
        let power = b.number().filter(|b| b.is_power_of_two() && !signed);
        if let Some(power) = power {
            return Some(match base {
                "div" => a.shr(&Value::constant(power.ilog2()), false, self.at),
                _ => a.and(&Value::constant(power - 1), self.at),
            });
        }
        let is_fine = |n: u32| n != 0 && (!signed || n != u32::MAX);
        if b.known().is_some_and(|each| !each.all(is_fine)) {
            return None;
        }
        Some(Value::apply([a, b], self.at, |[a, b]| match (base, signed) {
            ("div", false) => a / b,
            ("div", true) => (a.cast_signed() / b.cast_signed()).cast_unsigned(),
            (_, false) => a % b,
            (_, true) => (a.cast_signed() % b.cast_signed()).cast_unsigned(),
        }))
    }

    /// `cvt.u64.u32`, `cvt.s32.s8`: of integers.
    fn converted(&self, from: &[Operand], parts: &[&str]) -> Option<Wide> {
        let ([from], [_, to, kind]) = (from, parts) else { return None };
        let (to, kind) = (Type::parse(to)?, Type::parse(kind)?);
        let [lower, upper] = self.typed(from, kind);
        if to.bits == 64 {
            return Some([lower, upper]);
        }
        // A wider register takes the sign, too.
        Some(wide::extended(&self.extended(lower, to), to.signed, self.at))
    }

    /// `cvta.to.shared.u64`: shared memory is a window of the generic addresses, and begins where nobody says, at a
    /// multiple of how its variables are aligned.
    fn generic(&self, from: &[Operand], parts: &[&str]) -> Option<Wide> {
        let [from] = from else { return None };
        let [lower, _] = self.operand(from);
        let (window, upper) = match (parts.get(1)?, parts.get(2)) {
            (&"shared" | &"shared::cta", _) => {
                (Value::shared(self.start.alignment), Value::shared(0))
            }
            (&"to", Some(&"shared" | &"shared::cta")) => {
                (Value::shared(self.start.alignment), Value::constant(0))
            }
            _ => (Value::shared(0), self.operand(from)[1].clone()),
        };
        let upper = if upper.is_shared() {
            upper
        } else {
            wide::unknown(self.at, crate::value::Why::Computed)[1].clone()
        };
        Some([lower.add(&window, self.at), upper])
    }

    /// `setp.lt.and.s32 %p1|%p2, a, b, %p3`
    pub(super) fn compared(&self, one: &Instruction, parts: &[&str]) -> Option<Vec<Wide>> {
        let [to, a, b, rest @ ..] = &one.operands[..] else { return None };
        let kind = Type::parse(parts.last()?)?;
        if parts.contains(&"ftz") {
            return None;
        }
        let (test, boolean) = (parts.get(1)?, parts.get(2..parts.len() - 1)?);
        let (a, b, at) = (self.typed(a, kind), self.typed(b, kind), self.at);
        let is = text::test(test)?;
        let signed = kind.signed && !["lo", "ls", "hi", "hs"].contains(test);
        let all = [&a[0], &a[1], &b[0], &b[1]];
        let both = |lower: u32, upper: u32| u64::from(upper) << 32 | u64::from(lower);
        let yes = Value::apply(all, at, |[a, c, b, d]| {
            u32::from(is(order(both(a, c), both(b, d), signed)))
        });
        let is_alike = || alike(test, &a[0], &b[0]) || alike(turned(test), &b[0], &a[0]);
        let yes = match yes {
            Value::Unknown(_) if kind.bits <= 32 && is_alike() => Value::shared(0),
            yes => yes,
        };
        let no = yes.xor(&Value::constant(1), at);
        let with = |bit: Value| match (boolean, rest) {
            ([], []) => Some(bit),
            ([word], [other]) => {
                let [other, _] = self.operand(other);
                match *word {
                    "and" => Some(bit.and(&other, at)),
                    "or" => Some(bit.or(&other, at)),
                    "xor" => Some(bit.xor(&other, at)),
                    _ => None,
                }
            }
            _ => None,
        };
        let mut all = vec![wide::narrow(with(yes)?)];
        if let Operand::Both(to) = to {
            if to.contains(&Operand::Other) {
                return None;
            }
            all.push(wide::narrow(with(no)?));
        }
        Some(all)
    }
}

/// How two numbers compare, of 64 bits or extended to them.
fn order(a: u64, b: u64, signed: bool) -> Ordering {
    if signed { a.cast_signed().cmp(&b.cast_signed()) } else { a.cmp(&b) }
}

/// Whether a test has the same result in all lanes though they differ: lanes 32 n to 32 n + 31 are all below 64, or none is.
fn alike(test: &str, lanes: &Value, other: &Value) -> bool {
    let (Value::Sum { k, f }, Value::Sum { k: l, f: Lanes::Same(number) }) = (lanes, other) else {
        return false;
    };
    // The least number for which the test comes out as for all above it.
    let first = match test {
        "lt" | "lo" | "ge" | "hs" => *number,
        "gt" | "hi" | "le" | "ls" => number.wrapping_add(1),
        _ => return false,
    };
    let is_in_a_row = |k: u32| f.all(|one| one < 1 << k) && first.is_multiple_of(1 << k);
    *k < 32 && l >= k && is_in_a_row(*k)
}

/// The test that says of b and a what another says of a and b.
fn turned(test: &str) -> &str {
    match test {
        "lt" => "gt",
        "gt" => "lt",
        "le" => "ge",
        "ge" => "le",
        "lo" => "hi",
        "hi" => "lo",
        "ls" => "hs",
        "hs" => "ls",
        other => other,
    }
}

/// `bmsk.clamp.b32` and `bmsk.wrap.b32`: a mask of `count` bits from bit `first` up; 0 if `count` is 0 or `first` is past bit 31.
/// `wrap` uses only the lower 5 bits of both numbers.
fn mask(first: u32, count: u32, clamps: bool) -> u32 {
    let (first, count) = if clamps { (first, count) } else { (first & 31, count & 31) };
    let below = |bits: u32| 1_u64.checked_shl(bits).map_or(u32::MAX, |bit| (bit - 1) as u32);
    if first > 31 { 0 } else { below(count.min(32)) << first }
}

/// `prmt.b32`: four of eight bytes, or the signs of some.
fn permuted([a, b, select]: [u32; 3]) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    (0..4).fold(0, |all, i| {
        let nibble = select >> (4 * i) & 15;
        let byte = (bytes >> (8 * (nibble & 7))) as u32 & 0xff;
        let byte = if nibble < 8 {
            byte
        } else if byte & 0x80 == 0 {
            0
        } else {
            0xff
        };
        all | byte << (8 * i)
    })
}
