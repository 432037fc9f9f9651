//! A number added to a linear map: when the sum is an xor of columns.
//!
//! The sum is followed bit by bit, each bit being an xor of inputs. A carry is the
//! majority of three of those, and that is such an xor only if two of them are equal or
//! opposite; else no columns make that bit. So the answer is exact, for any number.

use crate::linear::Linear;

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
        let mut inputs = 0;
        range!(i, 0..map.inputs, {
            inputs |= (map.columns[i] >> p & 1) << i;
        });
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
        range!(i, 0..map.inputs, {
            map.columns[i] ^= (self.inputs >> i & 1) << p;
        });
        map.constant ^= (self.is_opposite as u32) << p;
    }
}
