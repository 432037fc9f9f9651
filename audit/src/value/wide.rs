//! Numbers of 64 bits, as two halves.
//!
//! ```text
//!   u + 16 lane, 0  <<  3       8 u + 128 lane, which needs no upper half, and above it the 3 bits that were shifted out
//! ```
//!
//! An address of shared memory needs the lower half alone, and of sums, products and shifts to the left the lower half
//! needs no upper one. What is known of the upper half is kept for shifts to the right, and for pairs that are taken apart.

use super::{Reason, Value, Why};

/// The lower and the upper half.
pub(crate) type Wide = [Value; 2];

fn join(lower: u32, upper: u32) -> u64 {
    u64::from(lower) | u64::from(upper) << 32
}

/// A number that every lane has.
pub(crate) fn constant(number: u64) -> Wide {
    [Value::constant(number as u32), Value::constant((number >> 32) as u32)]
}

/// A number of 32 bits, with nothing above.
pub(crate) fn narrow(lower: Value) -> Wide {
    [lower, Value::constant(0)]
}

/// Any function of two: lane by lane if both are known.
pub(crate) fn apply(a: &Wide, b: &Wide, at: usize, op: impl Fn(u64, u64) -> u64) -> Wide {
    let all = [&a[0], &a[1], &b[0], &b[1]];
    let both = |[a, b, c, d]: [u32; 4]| op(join(a, b), join(c, d));
    [
        Value::apply(all, at, |numbers| both(numbers) as u32),
        Value::apply(all, at, |numbers| (both(numbers) >> 32) as u32),
    ]
}

pub(crate) fn add(a: &Wide, b: &Wide, at: usize) -> Wide {
    let carry = Value::apply([&a[0], &b[0]], at, |[a, b]| u32::from(a.overflowing_add(b).1));
    [a[0].add(&b[0], at), a[1].add(&b[1], at).add(&carry, at)]
}

pub(crate) fn sub(a: &Wide, b: &Wide, at: usize) -> Wide {
    let borrow = Value::apply([&a[0], &b[0]], at, |[a, b]| u32::from(a < b));
    [a[0].sub(&b[0], at), a[1].sub(&b[1], at).sub(&borrow, at)]
}

pub(crate) fn mul(a: &Wide, b: &Wide, at: usize) -> Wide {
    let [_, upper] = apply(a, b, at, u64::wrapping_mul);
    [a[0].mul(&b[0], at), upper]
}

/// The product of two numbers of 32 bits.
pub(crate) fn product(a: &Value, b: &Value, signed: bool, at: usize) -> Wide {
    let upper = Value::apply([a, b], at, |[a, b]| {
        if signed {
            ((i64::from(a.cast_signed()) * i64::from(b.cast_signed())) >> 32) as u32
        } else {
            ((u64::from(a) * u64::from(b)) >> 32) as u32
        }
    });
    [a.mul(b, at), upper]
}

/// A number of 32 bits as one of 64.
pub(crate) fn extended(value: &Value, signed: bool, at: usize) -> Wide {
    let upper = if signed { value.shr(&Value::constant(31), true, at) } else { Value::constant(0) };
    [value.clone(), upper]
}

/// Each half by itself.
pub(crate) fn bits(a: &Wide, b: &Wide, at: usize, op: impl Fn(u32, u32) -> u32) -> Wide {
    [0, 1].map(|i| Value::bits([&a[i], &b[i]], at, |[a, b]| op(a, b)))
}

/// `a << b`, and 0 from 64 on.
pub(crate) fn shl(a: &Wide, b: &Value, at: usize) -> Wide {
    let Some(count) = b.number() else {
        return apply(a, &narrow(b.clone()), at, |a, b| a.checked_shl(b as u32).unwrap_or(0));
    };
    match count {
        0 => a.clone(),
        1..32 => {
            let [up, down] = [count, 32 - count].map(Value::constant);
            let upper = a[1].shl(&up, at).or(&a[0].shr(&down, false, at), at);
            [a[0].shl(&up, at), upper]
        }
        32..64 => [Value::constant(0), a[0].shl(&Value::constant(count - 32), at)],
        _ => constant(0),
    }
}

/// `a >> b`, of signed numbers or of unsigned ones; from 64 on as by 64.
pub(crate) fn shr(a: &Wide, b: &Value, signed: bool, at: usize) -> Wide {
    let Some(count) = b.number() else {
        return apply(a, &narrow(b.clone()), at, |a, b| match (signed, b.min(64) as u32) {
            (true, count) => (a.cast_signed() >> count.min(63)).cast_unsigned(),
            (false, count) => a.checked_shr(count).unwrap_or(0),
        });
    };
    let sign =
        || if signed { a[1].shr(&Value::constant(31), true, at) } else { Value::constant(0) };
    match count {
        0 => a.clone(),
        1..32 => {
            let [down, up] = [count, 32 - count].map(Value::constant);
            let lower = a[0].shr(&down, false, at).or(&a[1].shl(&up, at), at);
            [lower, a[1].shr(&down, signed, at)]
        }
        32..64 => [a[1].shr(&Value::constant(count - 32), signed, at), sign()],
        _ => [sign(), sign()],
    }
}

/// Nothing is known.
pub(crate) fn unknown(at: usize, why: Why) -> Wide {
    [Value::Unknown(Reason { at, why }), Value::Unknown(Reason { at, why })]
}
