//! The results of AMDGPU's integer instructions, of values alone: no mask and no register.
//!
//! Definitions: AMD, instruction set architecture documents of CDNA3, RDNA3 and RDNA4, "VOP2", "VOP3" and "SOP2".

use crate::amdgpu::text::Words;
use crate::text::{self, number};
use crate::value::Value;
use crate::value::wide::{self, Wide};
use std::cmp::Ordering;

/// Instructions of two operands.
pub(super) fn of_two(name: &str, values: &[Value], at: usize) -> Option<Value> {
    let [a, b] = values else { return None };
    let low24 = |value: &Value| value.and(&Value::constant(0xff_ffff), at);
    let exact = |op: fn(u32, u32) -> u32| Value::apply([a, b], at, |[a, b]| op(a, b));
    Some(match name {
        "add_u32" | "add_nc_u32" | "add_i32" | "add_nc_i32" => a.add(b, at),
        "sub_u32" | "sub_nc_u32" | "sub_i32" | "sub_nc_i32" => a.sub(b, at),
        "subrev_u32" | "subrev_nc_u32" => b.sub(a, at),
        "mul_lo_u32" | "mul_lo_i32" => a.mul(b, at),
        "mul_u32_u24" => low24(a).mul(&low24(b), at),
        "mul_i32_i24" => exact(|a, b| signed24(a).wrapping_mul(signed24(b)).cast_unsigned()),
        "mul_hi_u32" => exact(|a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
        "and_b32" => a.and(b, at),
        "or_b32" => a.or(b, at),
        "xor_b32" => a.xor(b, at),
        "xnor_b32" => a.xor(b, at).not(at),
        "lshlrev_b32" => b.shl(a, at),
        "lshrrev_b32" => b.shr(a, false, at),
        "ashrrev_i32" => b.shr(a, true, at),
        "min_u32" => exact(u32::min),
        "max_u32" => exact(u32::max),
        "min_i32" => exact(|a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned()),
        "max_i32" => exact(|a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned()),
        "bcnt_u32_b32" => Value::apply([a], at, |[a]| a.count_ones()).add(b, at),
        _ => return None,
    })
}

/// Instructions of two operands of 16 bits, each in the lower half of a register: the lower half of the result.
pub(super) fn of_halves(name: &str, values: &[Value], at: usize) -> Option<Value> {
    let [a, b] = values else { return None };
    let half = |value: &Value| value.and(&Value::constant(0xffff), at);
    let by = |value: &Value| value.and(&Value::constant(15), at);
    let exact = |op: fn(u32, u32) -> u32| Value::apply([&half(a), &half(b)], at, |[a, b]| op(a, b));
    let signed = |number: u32| (number as u16).cast_signed();
    Some(match name {
        "add_u16" | "add_nc_u16" => a.add(b, at),
        "sub_u16" | "sub_nc_u16" => a.sub(b, at),
        "subrev_u16" => b.sub(a, at),
        "mul_lo_u16" => a.mul(b, at),
        "and_b16" => a.and(b, at),
        "or_b16" => a.or(b, at),
        "xor_b16" => a.xor(b, at),
        "lshlrev_b16" => b.shl(&by(a), at),
        "lshrrev_b16" => half(b).shr(&by(a), false, at),
        "ashrrev_i16" => {
            let upper = half(b).shl(&Value::constant(16), at);
            upper.shr(&by(a).add(&Value::constant(16), at), true, at)
        }
        "min_u16" => exact(u32::min),
        "max_u16" => exact(u32::max),
        "min_i16" => Value::apply([a, b], at, |[a, b]| signed(a).min(signed(b)) as u32),
        "max_i16" => Value::apply([a, b], at, |[a, b]| signed(a).max(signed(b)) as u32),
        _ => return None,
    })
}

fn signed24(number: u32) -> i32 {
    (number << 8).cast_signed() >> 8
}

/// Instructions of three operands.
pub(super) fn of_three(name: &str, words: &Words, values: &[Value], at: usize) -> Option<Value> {
    // Half of a pair on gfx1250, of a third operand of 0: LLVM writes 0x40 for "and", 0x54 for "or".
    if let ("bitop2_b32", [a, b]) = (name, values) {
        let values = [a.clone(), b.clone(), Value::constant(0)];
        return of_three("bitop3_b32", words, &values, at);
    }
    let [a, b, c] = values else { return None };
    let low24 = |value: &Value| value.and(&Value::constant(0xff_ffff), at);
    let exact = |op: fn(u32, u32, u32) -> u32| Value::apply([a, b, c], at, |[a, b, c]| op(a, b, c));
    Some(match name {
        "lshl_add_u32" => a.shl(b, at).add(c, at),
        "add_lshl_u32" => a.add(b, at).shl(c, at),
        "add3_u32" => a.add(b, at).add(c, at),
        "xad_u32" => a.xor(b, at).add(c, at),
        "lshl_or_b32" => a.shl(b, at).or(c, at),
        "and_or_b32" => Value::bits([a, b, c], at, |[a, b, c]| a & b | c),
        "or3_b32" => Value::bits([a, b, c], at, |[a, b, c]| a | b | c),
        "xor3_b32" => Value::bits([a, b, c], at, |[a, b, c]| a ^ b ^ c),
        "bfi_b32" => Value::bits([a, b, c], at, |[a, b, c]| a & b | !a & c),
        "bitop3_b32" => {
            let table =
                number(words.modifier("bitop3")?).filter(|table| (0..256).contains(table))?;
            Value::by_table(table as u32, [a, b, c], at)
        }
        "mad_u32_u24" => low24(a).mul(&low24(b), at).add(c, at),
        "mad_i32_i24" => {
            exact(|a, b, c| signed24(a).wrapping_mul(signed24(b)).cast_unsigned().wrapping_add(c))
        }
        "bfe_u32" => match (b.number(), c.number()) {
            (Some(first), Some(width)) => {
                let mask = (1_u32 << (width & 31)) - 1;
                a.shr(&Value::constant(first), false, at).and(&Value::constant(mask), at)
            }
            _ => exact(|a, b, c| a >> (b & 31) & ((1 << (c & 31)) - 1)),
        },
        "bfe_i32" => match (b.number(), c.number()) {
            (Some(first), Some(width)) => signed_field(a, first & 31, width & 31, at),
            _ => exact(signed_bits),
        },
        "alignbit_b32" => exact(|a, b, c| ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32),
        "alignbyte_b32" => {
            exact(|a, b, c| ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32)
        }
        "perm_b32" => exact(permuted),
        _ => return None,
    })
}

/// The signed field of `width` bits from bit `first` on; a field that reaches past bit 31 has the sign of bit 31.
fn signed_bits(a: u32, first: u32, width: u32) -> u32 {
    let (first, width) = (first & 31, width & 31);
    match width {
        0 => 0,
        _ if first + width > 32 => (a.cast_signed() >> first).cast_unsigned(),
        _ => ((a << (32 - first - width)).cast_signed() >> (32 - width)).cast_unsigned(),
    }
}

/// A signed field of known place, which is known where its bits are, whatever stands above them.
pub(super) fn signed_field(a: &Value, first: u32, width: u32, at: usize) -> Value {
    if a.known().is_some() || width == 0 || first + width > 32 {
        return Value::apply([a], at, |[a]| signed_bits(a, first, width));
    }
    let bits = a.and(&Value::constant(u32::MAX >> (32 - first - width)), at);
    Value::apply([&bits], at, |[bits]| signed_bits(bits, first, width))
}

/// Picks for each byte one of the 8 of both, of b first, or a sign, 0 or 0xff.
fn permuted(a: u32, b: u32, select: u32) -> u32 {
    let bytes = (u64::from(a) << 32 | u64::from(b)).to_le_bytes();
    let sign = |byte: usize| if bytes[byte] >> 7 == 1 { 0xff } else { 0 };
    let pick = |selected: u8| match selected {
        0..8 => bytes[usize::from(selected)],
        // The signs of the 16-bit halves, of b first.
        8..12 => sign(2 * usize::from(selected - 8) + 1),
        12 => 0,
        _ => 0xff,
    };
    u32::from_le_bytes(select.to_le_bytes().map(pick))
}

/// Instructions of 64 bits on scalars or vectors; a shift takes as many bits of its count as the width needs.
pub(super) fn of_wide(name: &str, values: &[Wide], at: usize) -> Option<Wide> {
    let by = |count: &Wide, mask: u32| Some(Value::constant(count[0].number()? & mask));
    Some(match (name, values) {
        ("mov_b64", [a]) => a.clone(),
        ("lshl_b64", [a, c]) | ("lshlrev_b64", [c, a]) => wide::shl(a, &by(c, 63)?, at),
        ("lshr_b64", [a, c]) | ("lshrrev_b64", [c, a]) => wide::shr(a, &by(c, 63)?, false, at),
        ("lshl_add_u64", [a, c, b]) => wide::add(&wide::shl(a, &by(c, 7)?, at), b, at),
        ("add_nc_u64" | "add_u64", [a, b]) => wide::add(a, b, at),
        _ => return None,
    })
}

/// A test of `v_cmp` or `s_cmp`: `lt_u32` of two numbers.
pub(super) fn of_test(test: &str) -> Option<impl Fn(u32, u32) -> bool> {
    let (test, kind) = test.split_once('_')?;
    let order: fn(u32, u32) -> Ordering = match kind {
        "u32" => |a, b| a.cmp(&b),
        "i32" => |a, b| a.cast_signed().cmp(&b.cast_signed()),
        _ => return None,
    };
    let is = text::test(test)?;
    Some(move |a, b| is(order(a, b)))
}
