//! Forms of layouts that are not linear: padded rows, lengths that are not powers of two.
//!
//! Rows of 64 every 72 have no columns, for 72 + 8 carries, and still CuTe says them:
//! `(128,64):(72,1)`. What they have is digits, and a digit without an xor is a sum of
//! strides:
//!
//! ```text
//!   digits     72 * m,  1 * k                  strides    72 144 288 ..    1 2 4 ..
//! ```
//!
//! Where an xor lies under such a stride, a swizzle of the offset may or may not do the
//! same. It does not if two bits of a coordinate together lie elsewhere than their sum;
//! below every swizzle two such bits are looked for, so that "none" is a proof. Where
//! there are no two, the modes of each dimension are read off its offsets, each as long as
//! its stride goes on, and all elements are tried, up to 65,536:
//!
//! ```text
//!   offsets                         0 3 6 5 8 11     6 and 3 add up to 5: they flip
//!   the first mode, the rest of it  0 3 6 | 5 ..     (3,2):(3,5), and 3 is not a power of two
//! ```

use super::composed::{Composed, Fastest};
use super::error::CuteError;
use super::of_plan::{Swizzles, bits, modes, untangled};
use super::strided::{Strided, Tuple};
use super::swizzle::Swizzle;
use tiledesc_transforms::{Digits, Linear, List, attempt};

/// More elements than are tried one by one.
const MOST_TRIED: u64 = 1 << 16;

/// Strides, one for each bit of the running number, its last dimension fastest.
type Strides = [u32; Linear::BITS];

impl Composed {
    /// The form of digits, of a layout of these lengths: without a swizzle if
    /// there is one.
    pub(super) const fn of_digits(digits: &Digits, shape: &[u32]) -> Result<Self, CuteError> {
        let inputs = Inputs::of(shape);
        if let Some((offset, strides)) = inputs.sums(digits)
            && let Ok(layout) = modes(&strides, shape, Fastest::Last)
        {
            return Self::new(Swizzle::NONE, offset, layout);
        }
        let refused = match inputs.form(digits, Swizzle::NONE) {
            Ok(form) => return Ok(form),
            Err(refused) => refused,
        };
        if let Some(map) = inputs.map(digits)
            && let Ok(form) = untangled(&map, shape, Fastest::Last)
        {
            return Ok(form);
        }
        let mut swizzles = Swizzles::within(u32::BITS);
        while let Some(swizzle) = swizzles.next() {
            let form = inputs.form(digits, swizzle);
            if let Ok(_) | Err(CuteError::NotTried { .. }) = form {
                return form;
            }
        }
        Err(refused)
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
            let bit = self.value[b].trailing_zeros() as usize;
            columns[b] = digits.column(digit, self.dimension[b], bit);
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

    /// The columns of digits that are only bits, though of lengths that need not be powers
    /// of two.
    const fn map(&self, digits: &Digits) -> Option<Linear> {
        if digits.count() != 1 || digits.stride(0) != 1 || digits.origin() != 0 {
            return None;
        }
        let columns = self.columns(digits, 0);
        match Linear::new(columns.split_at(self.count).0, digits.constant(0)) {
            Ok(map) => Some(map),
            Err(_) => None,
        }
    }

    const fn form(&self, digits: &Digits, swizzle: Swizzle) -> Result<Composed, CuteError> {
        let mut below = Below { digits, inputs: self, swizzle, offset: 0 };
        below.offset = below.at(&self.origin);
        below.form()
    }

    const fn elements(&self) -> u64 {
        self.lengths.elements()
    }
}

/// A layout as it is below a swizzle.
struct Below<'a> {
    digits: &'a Digits,
    inputs: &'a Inputs,
    swizzle: Swizzle,
    /// Where its first element lies.
    offset: u32,
}

impl Below<'_> {
    const fn form(&self) -> Result<Composed, CuteError> {
        attempt!(self.adds_up());
        let elements = self.inputs.elements();
        if elements > MOST_TRIED {
            return Err(CuteError::NotTried { swizzle: self.swizzle.numbers(), elements });
        }
        let (mut lengths, mut strides) = (Tuple::EMPTY.open(), Tuple::EMPTY.open());
        let mut dimension = 0;
        while dimension < self.inputs.lengths.len() {
            (lengths, strides) = attempt!(self.modes(dimension, lengths, strides));
            dimension += 1;
        }
        let layout = attempt!(Strided::of(lengths.close(), strides.close()));
        attempt!(self.is(&layout));
        Composed::new(self.swizzle, self.offset, layout)
    }

    /// Where a coordinate in range lies.
    const fn at(&self, index: &List) -> u32 {
        match self.digits.offset(index) {
            Some(offset) => self.swizzle.apply(offset),
            None => 0,
        }
    }

    /// How far after the first element one lies.
    const fn step(&self, index: &List) -> i64 {
        self.at(index) as i64 - self.offset as i64
    }

    /// Refuses two bits of a coordinate of which the steps are not that of both. Bits of
    /// one index are passed over if its length is not a power of two: a mode may be 3 long.
    const fn adds_up(&self) -> Result<(), CuteError> {
        let (inputs, mut steps, mut b) = (self.inputs, [0; Linear::BITS], 0);
        while b < inputs.count {
            let (to, mut a) = (inputs.dimension[b], 0);
            let here = inputs.origin.with(to, inputs.value[b]);
            steps[b] = self.step(&here);
            if steps[b] < 0 {
                return Err(CuteError::Negative { stride: steps[b] });
            }
            while a < b {
                let along = inputs.dimension[a];
                let both = here.with(along, here.at(along) | inputs.value[a]);
                let adds = along != to || inputs.lengths.at(to).is_power_of_two();
                if adds && self.step(&both) != steps[a] + steps[b] {
                    let both = self.step(&both);
                    return Err(CuteError::NoSum { one: steps[a], other: steps[b], both });
                }
                a += 1;
            }
            b += 1;
        }
        Ok(())
    }

    /// Appends the modes of a dimension: each as long as its stride goes on.
    const fn modes(
        &self,
        dimension: usize,
        mut lengths: Tuple,
        mut strides: Tuple,
    ) -> Result<(Tuple, Tuple), CuteError> {
        let (whole, mut unit) = (self.inputs.lengths.at(dimension), 1);
        let nested = attempt!(self.mode(dimension, unit)).0 < whole;
        if nested {
            (lengths, strides) = (lengths.open(), strides.open());
        }
        loop {
            let (length, stride) = attempt!(self.mode(dimension, unit));
            if !(whole / unit).is_multiple_of(length) {
                let (dimension, at) = (dimension as u32, unit * length);
                return Err(CuteError::Cut { length: whole, dimension, at });
            }
            lengths = attempt!(lengths.push(length, false));
            strides = attempt!(strides.push(stride, false));
            unit *= length;
            if unit == whole {
                break;
            }
        }
        if nested {
            (lengths, strides) = (lengths.close(), strides.close());
        }
        Ok((lengths, strides))
    }

    /// Length and stride of the mode of which a step is `unit` of the index.
    const fn mode(&self, dimension: usize, unit: u32) -> Result<(u32, u32), CuteError> {
        let left = self.inputs.lengths.at(dimension) / unit;
        if left == 1 {
            return Ok((1, 0));
        }
        let stride = self.step(&self.inputs.origin.with(dimension, unit));
        if stride < 0 {
            return Err(CuteError::Negative { stride });
        }
        let mut i = 2;
        while i < left
            && self.step(&self.inputs.origin.with(dimension, i * unit)) == i as i64 * stride
        {
            i += 1;
        }
        Ok((i, stride as u32))
    }

    /// Refuses a layout that is another at some element.
    const fn is(&self, layout: &Strided) -> Result<(), CuteError> {
        let mut number = 0;
        while let Some(modes) = layout.nth(number) {
            let (mut index, mut rest, mut i) = (self.inputs.origin, number, 0);
            while i < index.len() {
                let length = self.inputs.lengths.at(i) as u64;
                index = index.with(i, (rest % length) as u32);
                rest /= length;
                i += 1;
            }
            let (both, mut sum, mut other, mut m) = (self.step(&index), 0, 0, 0);
            while m < modes.len() {
                other = if modes.at(m) > 0 { sum } else { other };
                sum += modes.at(m) as i64 * layout.stride().at(m) as i64;
                m += 1;
            }
            if both != sum {
                return Err(CuteError::NoSum { one: sum - other, other, both });
            }
            number += 1;
        }
        Ok(())
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
