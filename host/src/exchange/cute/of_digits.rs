//! Forms of layouts that are not linear: padded rows, lengths that are not powers of two.
//!
//! Rows of 64 every 72 have no columns, for 72 + 8 carries, and still CuTe has a form of them: `(128,64):(72,1)`. What
//! they have is digits, and a digit without an xor is a sum of strides:
//!
//! ```text
//!   digits     72 * m,  1 * k                  strides    72 144 288 ..    1 2 4 ..
//! ```
//!
//! Where an xor is below such a stride, a swizzle of the offset may or may not do the same. It does not if two bits of
//! a coordinate together are elsewhere than their sum; below every swizzle two such bits are looked for, so that "none"
//! is a proof. Where there are no two, the modes of each dimension are read off its offsets, each as long as its stride
//! goes on, and all elements are tried, up to 65,536:
//!
//! ```text
//!   offsets                         0 3 6 5 8 11     6 and 3 add up to 5: they flip
//!   the first mode, the rest of it  0 3 6 | 5 ..     (3,2):(3,5), and 3 is not a power of two
//! ```

use super::composed::{Composed, Fastest};
use super::of_plan::{bits, cut, modes, no_form, untangled};
use super::strided::Strided;
use super::swizzle::{Swizzle, swizzles};
use crate::{Error, ErrorKind};
use tiledesc::{Digits, Linear, List};

/// The most elements that are tried one by one.
const MOST_TRIED: u64 = 1 << 16;

impl Composed {
    /// The form of digits, of a layout of these lengths: without a swizzle if
    /// there is one.
    pub(super) fn of_digits(digits: &Digits, shape: &[u32]) -> Result<Self, Error> {
        let inputs = Inputs::new(shape);
        if let Some((offset, strides)) = inputs.sums(digits)
            && let Ok(layout) = modes(&strides, shape, Fastest::Last)
        {
            return Self::new(Swizzle::NONE, offset, layout);
        }
        let below = |swizzle| Below::new(digits, &inputs, swizzle);
        let refused = match below(Swizzle::NONE).form() {
            Ok(form) => return Ok(form),
            Err(refused) => refused,
        };
        if let Some(map) = inputs.map(digits)
            && let Ok(form) = untangled(&map, shape, Fastest::Last)
        {
            return Ok(form);
        }
        // For nearly all swizzles two steps do not add up; which two is not needed.
        let adding = swizzles(u32::BITS).map(below).filter(|below| below.adds_up().is_ok());
        adding
            .map(|below| below.of_strides())
            .find(|form| {
                form.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::Undecided)
            })
            .unwrap_or(Err(refused))
    }
}

/// The bits of a coordinate.
struct Inputs {
    /// The dimension and the bit of its index, those of the last dimension first.
    bits: Vec<(usize, usize)>,
    origin: List,
    lengths: List,
}

impl Inputs {
    fn new(shape: &[u32]) -> Self {
        let of = |d: usize| (0..bits(shape[d])).map(move |bit| (d, bit));
        // A plan with digits has at most 32 of them.
        let bits = (0..shape.len()).rev().flat_map(of).take(Linear::BITS).collect();
        let origin = List::of_first([0; List::CAPACITY], shape.len());
        Self { bits, origin, lengths: List::new(shape) }
    }

    /// The bits of a digit that each bit of the coordinate flips.
    fn columns(&self, digits: &Digits, digit: usize) -> Vec<u32> {
        self.bits.iter().map(|(d, bit)| digits.column(digit, *d, *bit)).collect()
    }

    /// The offset and the strides of digits in which no two bits meet.
    fn sums(&self, digits: &Digits) -> Option<(u32, Vec<u32>)> {
        let (mut offset, mut strides) = (digits.origin(), vec![0u32; self.bits.len()]);
        for d in 0..digits.count() {
            let (mut taken, stride) = (digits.constant(d), digits.stride(d));
            offset = offset.wrapping_add(taken.wrapping_mul(stride));
            for (sum, column) in strides.iter_mut().zip(self.columns(digits, d)) {
                if column & taken != 0 {
                    return None;
                }
                taken |= column;
                *sum = sum.wrapping_add(column.wrapping_mul(stride));
            }
        }
        Some((offset, strides))
    }

    /// The columns of digits that are only bits, though of lengths that need not be powers
    /// of two.
    fn map(&self, digits: &Digits) -> Option<Linear> {
        if digits.count() != 1 || digits.stride(0) != 1 || digits.origin() != 0 {
            return None;
        }
        Linear::new(&self.columns(digits, 0), digits.constant(0)).ok()
    }
}

/// A layout as it is below a swizzle.
struct Below<'a> {
    digits: &'a Digits,
    inputs: &'a Inputs,
    swizzle: Swizzle,
    /// The offset of the first element.
    offset: u32,
}

/// Steps that are not sums of strides.
enum Steps {
    /// A step backwards, in elements.
    Negative(i64),
    /// Two steps and the step of both, which is another than their sum.
    NoSum { one: i64, other: i64, both: i64 },
}

impl From<Steps> for Error {
    fn from(steps: Steps) -> Self {
        no_form(&match steps {
            Steps::Negative(stride) => format!(
                "stride {stride} is negative, and no single swizzle makes all such strides positive"
            ),
            Steps::NoSum { one, other, both } => format!(
                "steps of {one} and {other} elements make one of {both}, and no single swizzle makes all such steps add up"
            ),
        })
    }
}

impl<'a> Below<'a> {
    fn new(digits: &'a Digits, inputs: &'a Inputs, swizzle: Swizzle) -> Self {
        let mut below = Self { digits, inputs, swizzle, offset: 0 };
        below.offset = below.at(&inputs.origin);
        below
    }

    fn form(&self) -> Result<Composed, Error> {
        self.adds_up()?;
        self.of_strides()
    }

    /// The form of a layout of which every two bits add up.
    fn of_strides(&self) -> Result<Composed, Error> {
        let elements = self.inputs.lengths.elements();
        if elements > MOST_TRIED {
            let refused = format!(
                "below {} every two bits add up; whether all do is not known: {elements} elements are too many to try",
                self.swizzle
            );
            return Err(Error::new(ErrorKind::Undecided, refused));
        }
        let modes = (0..self.inputs.lengths.len()).map(|dimension| self.modes(dimension));
        let layout = Strided::of_modes(&modes.collect::<Result<Vec<_>, _>>()?)?;
        self.is(&layout)?;
        Composed::new(self.swizzle, self.offset, layout)
    }

    /// The offset of a coordinate in range.
    fn at(&self, index: &List) -> u32 {
        self.digits.offset(index).map_or(0, |offset| self.swizzle.apply(offset))
    }

    /// The step from the first element to one of this coordinate.
    fn step(&self, index: &List) -> i64 {
        self.at(index) as i64 - self.offset as i64
    }

    /// Refuses two bits of a coordinate whose steps do not add up to the step of both. Bits of one index are passed
    /// over if its length is not a power of two: a mode may be 3 long.
    fn adds_up(&self) -> Result<(), Steps> {
        let (inputs, mut steps) = (self.inputs, Vec::new());
        for (to, bit) in inputs.bits.iter().copied() {
            let here = inputs.origin.with(to, 1 << bit);
            let other = self.step(&here);
            if other < 0 {
                return Err(Steps::Negative(other));
            }
            for ((along, bit), one) in inputs.bits.iter().copied().zip(steps.iter().copied()) {
                let both = self.step(&here.with(along, here.at(along) | 1 << bit));
                let adds = along != to || inputs.lengths.at(to).is_power_of_two();
                if adds && both != one + other {
                    return Err(Steps::NoSum { one, other, both });
                }
            }
            steps.push(other);
        }
        Ok(())
    }

    /// The modes of a dimension, each as long as its stride goes on.
    fn modes(&self, dimension: usize) -> Result<Vec<(u32, u32)>, Error> {
        let (whole, mut unit) = (self.inputs.lengths.at(dimension), 1);
        let mut modes = Vec::new();
        while modes.is_empty() || unit < whole {
            let (length, stride) = self.mode(dimension, unit)?;
            if !(whole / unit).is_multiple_of(length) {
                return Err(cut(whole, dimension, unit * length));
            }
            modes.push((length, stride));
            unit *= length;
        }
        Ok(modes)
    }

    /// The length and stride of the mode whose step is `unit` of the index.
    fn mode(&self, dimension: usize, unit: u32) -> Result<(u32, u32), Error> {
        let left = self.inputs.lengths.at(dimension) / unit;
        if left == 1 {
            return Ok((1, 0));
        }
        let step = |i: u32| self.step(&self.inputs.origin.with(dimension, i * unit));
        let stride = step(1);
        if stride < 0 {
            return Err(Steps::Negative(stride).into());
        }
        let end = (2..left).find(|i| step(*i) != i64::from(*i) * stride).unwrap_or(left);
        Ok((end, stride as u32))
    }

    /// Refuses a layout that is another at some element.
    fn is(&self, layout: &Strided) -> Result<(), Error> {
        for number in 0..layout.size() {
            let index = self.inputs.lengths.reverse().nth(number).reverse();
            let modes = layout.nth(number).unwrap_or(List::EMPTY);
            let (both, mut sum, mut other) = (self.step(&index), 0, 0);
            for (step, stride) in modes.as_slice().iter().zip(layout.stride().as_slice()) {
                other = if *step > 0 { sum } else { other };
                sum += i64::from(*step) * i64::from(*stride);
            }
            if both != sum {
                return Err(Steps::NoSum { one: sum - other, other, both }.into());
            }
        }
        Ok(())
    }
}
