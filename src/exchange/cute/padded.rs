//! Forms of layouts that are not linear: padded rows, lengths that are no powers of two.
//!
//! Rows of 64 every 72 have no columns, for 72 + 8 carries, and still CuTe says them:
//! `(128,64):(72,1)`. What they have is digits, and a digit without a xor is a sum of
//! strides:
//!
//! ```text
//!   digits     72 * m,  1 * k                  strides    72 144 288 ..    1 2 4 ..
//! ```
//!
//! Where a xor lies under such a stride, a swizzle of the offset may or may not do the
//! same. It does not if two bits of a coordinate together lie elsewhere than their sum;
//! for every swizzle two such bits are looked for, so that "none" is a proof. Where there
//! are no two, all elements are tried, up to 65,536.

use super::composed::{Composed, Fastest};
use super::find::{Search, bits, modes, untangling};
use super::refused::Refused;
use super::swizzle::Swizzle;
use tiledesc_transforms::{Digits, Linear, List};

/// More elements than are tried one by one.
const MOST_TRIED: u64 = 1 << 16;

/// Strides, one for each bit of the running number, its last dimension fastest.
type Strides = [u32; Linear::BITS];

impl Composed {
    /// The form of digits, of a layout of these lengths.
    pub(super) const fn of_digits(digits: &Digits, shape: &[u32]) -> Result<Self, Refused> {
        let inputs = Inputs::of(shape);
        if digits.count() == 1 && digits.stride(0) == 1 && digits.origin() == 0 {
            // A map of bits, and only the lengths are no powers of two.
            let columns = inputs.columns(digits, 0);
            let map = match Linear::new(columns.split_at(inputs.count).0, digits.constant(0)) {
                Ok(map) => map,
                Err(error) => return Err(Refused::Map(error)),
            };
            let (swizzle, strides) = attempt!(untangling(&map));
            let layout = attempt!(modes(&strides, shape, Fastest::Last));
            return Self::new(swizzle, swizzle.apply(map.constant()), layout);
        }
        match inputs.sums(digits) {
            Some((offset, strides)) => {
                Self::new(Swizzle::NONE, offset, attempt!(modes(&strides, shape, Fastest::Last)))
            }
            None => inputs.swizzled(digits, shape),
        }
    }
}

/// The bits of a coordinate: the last dimension's first.
struct Inputs {
    dimension: [usize; Linear::BITS],
    value: [u32; Linear::BITS],
    count: usize,
    origin: List,
    lengths: List,
}

impl Inputs {
    const fn of(shape: &[u32]) -> Self {
        let lengths = List::new(shape);
        let mut inputs = Self {
            dimension: [0; Linear::BITS],
            value: [0; Linear::BITS],
            count: 0,
            origin: zeros(shape.len()),
            lengths,
        };
        let mut dimension = shape.len();
        while dimension > 0 {
            dimension -= 1;
            let mut b = 0;
            // A plan with digits has at most 32 of them.
            while b < bits(shape[dimension]) && inputs.count < Linear::BITS {
                inputs.dimension[inputs.count] = dimension;
                inputs.value[inputs.count] = 1 << b;
                inputs.count += 1;
                b += 1;
            }
        }
        inputs
    }

    /// What each bit flips of a digit.
    const fn columns(&self, digits: &Digits, digit: usize) -> Strides {
        let (mut columns, mut b) = ([0; Linear::BITS], 0);
        while b < self.count {
            let of_dimension = digits.columns(digit, self.dimension[b]);
            columns[b] = of_dimension[self.value[b].trailing_zeros() as usize];
            b += 1;
        }
        columns
    }

    /// The offset and the strides of digits in which no two bits meet.
    const fn sums(&self, digits: &Digits) -> Option<(u32, Strides)> {
        let (mut offset, mut strides, mut d) = (digits.origin(), [0u32; Linear::BITS], 0);
        while d < digits.count() {
            let (columns, stride) = (self.columns(digits, d), digits.stride(d));
            let mut taken = digits.constant(d);
            offset = offset.wrapping_add(taken.wrapping_mul(stride));
            let mut b = 0;
            while b < self.count {
                if columns[b] & taken != 0 {
                    return None;
                }
                taken |= columns[b];
                strides[b] = strides[b].wrapping_add(columns[b].wrapping_mul(stride));
                b += 1;
            }
            d += 1;
        }
        Some((offset, strides))
    }

    /// The form under some swizzle, or under none.
    const fn swizzled(&self, digits: &Digits, shape: &[u32]) -> Result<Composed, Refused> {
        let (mut search, mut next) = (Search::within(Linear::BITS as u32), Some(Swizzle::NONE));
        let mut refused = None;
        while let Some(swizzle) = next {
            match self.apart(digits, &swizzle) {
                Ok(_) if self.elements() > MOST_TRIED => {
                    return Err(Refused::NotTried { swizzle, elements: self.elements() });
                }
                Ok((offset, strides)) if self.adds_up(digits, &swizzle, offset, &strides) => {
                    let layout = attempt!(modes(&strides, shape, Fastest::Last));
                    return Composed::new(swizzle, offset, layout);
                }
                Err((one, other)) if refused.is_none() => {
                    refused = Some(Refused::NoSwizzle { one, other });
                }
                _ => {}
            }
            next = search.next();
        }
        match refused {
            Some(refused) => Err(refused),
            // Not reached: no swizzle comes first, and two bits that meet were found.
            None => Err(Refused::NoSwizzle { one: 0, other: 0 }),
        }
    }

    const fn elements(&self) -> u64 {
        let (mut elements, mut i) = (1u64, 0);
        while i < self.lengths.len() {
            elements *= self.lengths.at(i) as u64;
            i += 1;
        }
        elements
    }

    /// Whether strides and offset give every coordinate below a swizzle.
    const fn adds_up(
        &self,
        digits: &Digits,
        swizzle: &Swizzle,
        offset: u32,
        strides: &Strides,
    ) -> bool {
        let mut number = 0;
        while number < self.elements() {
            let (mut index, mut rest, mut i) = (self.origin, number, self.lengths.len());
            while i > 0 {
                i -= 1;
                let length = self.lengths.at(i) as u64;
                index = index.with(i, (rest % length) as u32);
                rest /= length;
            }
            let (mut sum, mut b) = (offset, 0);
            while b < self.count {
                let is_set = index.at(self.dimension[b]) & self.value[b] != 0;
                sum = sum.wrapping_add(if is_set { strides[b] } else { 0 });
                b += 1;
            }
            match self.below(digits, swizzle, &index) {
                Some(at) if at == sum => number += 1,
                _ => return false,
            }
        }
        true
    }

    /// Where a coordinate lies below a swizzle; `None` if it is out of range.
    const fn below(&self, digits: &Digits, swizzle: &Swizzle, index: &List) -> Option<u32> {
        match digits.offset(index) {
            Some(offset) => Some(swizzle.apply(offset)),
            None => None,
        }
    }

    /// The offset and the strides that single bits have below a swizzle, if every two of
    /// them add up; else the strides of two that do not.
    const fn apart(
        &self,
        digits: &Digits,
        swizzle: &Swizzle,
    ) -> Result<(u32, Strides), (u32, u32)> {
        let Some(offset) = self.below(digits, swizzle, &self.origin) else { return Err((0, 0)) };
        let (mut strides, mut b) = ([0; Linear::BITS], 0);
        while b < self.count {
            let here = self.origin.with(self.dimension[b], self.value[b]);
            if let Some(at) = self.below(digits, swizzle, &here) {
                strides[b] = match at.checked_sub(offset) {
                    Some(stride) => stride,
                    None => return Err((offset, at)),
                };
            }
            let mut a = 0;
            while a < b {
                let both = here.with(self.dimension[a], here.at(self.dimension[a]) | self.value[a]);
                let sum = offset as u64 + strides[a] as u64 + strides[b] as u64;
                if let Some(at) = self.below(digits, swizzle, &both)
                    && at as u64 != sum
                {
                    return Err((strides[a], strides[b]));
                }
                a += 1;
            }
            b += 1;
        }
        Ok((offset, strides))
    }
}

const fn zeros(len: usize) -> List {
    let (mut zeros, mut i) = (List::iota(len), 0);
    while i < len {
        zeros = zeros.with(i, 0);
        i += 1;
    }
    zeros
}
