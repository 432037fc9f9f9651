//! Strides add and columns flip: when an offset plus strides is an xor of columns.
//!
//! Below a swizzle CuTe adds. 64 + 8 is 64 ^ 8, but 72 + 8 is 80 and 72 ^ 8 is 64, so a
//! tile with rows of 72 has no columns. Numbers that share a bit carry, and with an
//! offset that need not matter:
//!
//! ```text
//!   x y   1 + 3x + 2y        3 and 2 share a bit, and still
//!   0 0   1
//!   1 0   4                  1 + 3x + 2y = 1 ^ 5x ^ 2y
//!   0 1   3
//!   1 1   6
//! ```
//!
//! The sum is followed bit by bit, each bit being an xor of inputs. A carry is the
//! majority of three of those, and that is such an xor only if two of them are equal or
//! opposite; else no columns make that bit. So the answer is exact, for any offset.
//!
//! ```
//! use tiledesc_transforms::carry;
//!
//! assert_eq!(carry::columns(1, &[3, 2]).unwrap()[..2], [5, 2]);
//! // Without the 1 there are none: 3 and 2 carry.
//! assert_eq!(carry::columns(0, &[3, 2]), Err(1));
//! assert_eq!(carry::meets(0, &[3, 2], 1), 3);
//! ```

use crate::linear::Linear;

/// Columns of `offset + sum of strides[b] over the bits b of x`, without the offset; those after
/// the last stride are 0. The sum must fit in 32 bits.
///
/// # Errors
///
/// The position of the first stride that makes it no xor.
pub const fn columns(offset: u32, strides: &[u32]) -> Result<[u32; Linear::BITS], usize> {
    let mut flips = [0; Linear::BITS];
    let mut b = 0;
    while b < strides.len() {
        if !add(offset, strides[b], 1 << b, &mut flips) {
            return Err(b);
        }
        b += 1;
    }
    let (mut columns, mut b) = ([0; Linear::BITS], 0);
    while b < strides.len() {
        columns[b] = offset.wrapping_add(strides[b]) ^ offset;
        b += 1;
    }
    Ok(columns)
}

/// Adds a stride where `input` is set. `flips[p]` are the inputs that flip bit `p` of the
/// offset; `false` if a bit would take a product of inputs.
const fn add(offset: u32, stride: u32, input: u32, flips: &mut [u32; Linear::BITS]) -> bool {
    let (mut carry, mut p) = (0, 0);
    while p < Linear::BITS && (carry != 0 || stride >> p != 0) {
        let (sum, added) = (flips[p], if stride >> p & 1 == 1 { input } else { 0 });
        flips[p] ^= added ^ carry;
        let opposite = offset >> p & 1 == 1;
        carry = if added == carry {
            added
        } else if sum == added {
            if opposite { carry } else { added }
        } else if sum == carry {
            if opposite { added } else { carry }
        } else {
            return false;
        };
        p += 1;
    }
    true
}

/// What stride `b` cannot be added to: of the strides before it, the offset and their
/// sums the first that shares a bit with it.
#[must_use]
pub const fn meets(offset: u32, strides: &[u32], b: usize) -> u32 {
    let (stride, mut a, mut all) = (strides[b], 0, offset);
    while a < b {
        if strides[a] & stride != 0 {
            return strides[a];
        }
        all = all.wrapping_add(strides[a]);
        a += 1;
    }
    if offset & stride != 0 { offset } else { all }
}

/// The map plus a number; `None` unless that is an xor of columns. For x of 4 bits, 8 + x is: bit 3
/// of x flips 8 and 16. The sums must fit in 32 bits.
pub(crate) const fn based(map: &Linear, number: u32) -> Option<Linear> {
    let (mut sum, mut carry, mut p) = (*map, Form::number(false), 0);
    while p < Linear::BITS && (number >> p != 0 || !carry.is(Form::number(false))) {
        let (bit, is_set) = (Form::of_bit(map, p), number >> p & 1 == 1);
        carry.flip(&mut sum, p);
        Form::number(is_set).flip(&mut sum, p);
        // The majority: of a set bit `or`, which is `and` of opposites, of the others `and`.
        carry = match bit.flipped(is_set).and(carry.flipped(is_set)) {
            Some(both) => both.flipped(is_set),
            None => return None,
        };
        p += 1;
    }
    Some(sum)
}

/// An xor of inputs, or its opposite.
#[derive(Clone, Copy)]
struct Form {
    inputs: u32,
    is_opposite: bool,
}

impl Form {
    const fn number(is_set: bool) -> Self {
        Self { inputs: 0, is_opposite: is_set }
    }

    /// Bit `p` of a map.
    const fn of_bit(map: &Linear, p: usize) -> Self {
        let (mut inputs, mut i) = (0, 0);
        while i < map.inputs {
            inputs |= (map.columns[i] >> p & 1) << i;
            i += 1;
        }
        Self { inputs, is_opposite: map.constant >> p & 1 == 1 }
    }

    const fn is(self, other: Self) -> bool {
        self.inputs == other.inputs && self.is_opposite == other.is_opposite
    }

    const fn flipped(self, by: bool) -> Self {
        Self { inputs: self.inputs, is_opposite: self.is_opposite != by }
    }

    /// Both; `None` where that is a product of inputs.
    const fn and(self, other: Self) -> Option<Self> {
        let none = Self::number(false);
        if self.is(none) || other.is(none) || self.is(other.flipped(true)) {
            Some(none)
        } else if self.inputs == 0 || self.is(other) {
            Some(other)
        } else if other.inputs == 0 {
            Some(self)
        } else {
            None
        }
    }

    /// Xor-s it into bit `p` of a map.
    const fn flip(self, map: &mut Linear, p: usize) {
        let mut i = 0;
        while i < map.inputs {
            map.columns[i] ^= (self.inputs >> i & 1) << p;
            i += 1;
        }
        map.constant ^= (self.is_opposite as u32) << p;
    }
}
