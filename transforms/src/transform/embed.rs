//! `embed`: several dimensions with strides, laid over one.
//!
//! ```text
//!   upper  u0   u1   u2        lower index: u0 * s0 + u1 * s1 + u2 * s2
//!            \   |   /
//!   lower      offset          reaches up to 1 + sum (length - 1) * stride
//!
//!   CK Tile: make_embed_transform(lengths, strides)
//! ```
//!
//! A naive descriptor is one embed over memory. Strides may overlap (a sliding
//! window of a convolution does, on purpose) and may be 0. Injective exactly if
//! no two coordinates have one sum; when each stride, in ascending order,
//! exceeds the reach of all smaller ones, that is plain to see, and otherwise
//! the differences of coordinates are searched (`strided.rs`).

use super::{Demand, Demands, Run, gcd, no_zero, transform};
use crate::error::Error;
use crate::number::list::List;

transform! {
    /// Dimensions of `lengths` with `strides`, in elements.
    ///
    /// ```
    /// use tiledesc_transforms::{Embed, Transform, seq};
    ///
    /// let pitched = Embed::new(seq![7, 13], seq![16, 1]);
    /// let mut low = [0u32];
    /// pitched.lower(&[2, 5], &mut low);
    /// assert_eq!(low, [37]);
    /// ```
    Embed::new { lengths: L is Lengths, strides: S is Lengths }
    upper each lengths
    rule |up, low| {
        let count = strides.len();
        if count > 0 {
            let mut sum = up[0].mul(strides.at(0));
            let mut i = 1;
            while i < count {
                sum = sum.add(&up[i].mul(strides.at(i)));
                i += 1;
            }
            low[0] = sum;
        }
    }
    always valid
}

impl Plain {
    pub(crate) const NAME: &'static str = "embed";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::AtLeast(self.span()))
    }

    /// 1 + the largest offset, saturated.
    const fn span(self) -> u64 {
        let (lengths, strides) = (self.lengths.count, self.strides.count);
        let count = if lengths < strides { lengths } else { strides } as usize;
        // Twelve products do not leave 128 bits: nothing saturates before the end.
        let mut span = 1u128;
        let mut i = 0;
        while i < count {
            let length = self.lengths.items[i] as u128;
            if length > 1 {
                span += (length - 1) * self.strides.items[i] as u128;
            }
            i += 1;
        }
        if span > u64::MAX as u128 { u64::MAX } else { span as u64 }
    }

    pub(crate) const fn check(self, _: &List) -> Result<(), Error> {
        let lengths = self.lengths.count;
        let strides = self.strides.count;
        if lengths != strides {
            return Err(Error::StridesDiffer { lengths, strides });
        }
        no_zero(Self::NAME, &self.lengths)
    }

    /// Positions of the dimensions with more than one index, largest stride first.
    const fn by_stride(self) -> ([usize; List::CAPACITY], usize) {
        let count = self.lengths.count as usize;
        let mut order = [0; List::CAPACITY];
        let mut len = 0;
        let mut i = 0;
        while i < count {
            if self.lengths.items[i] > 1 {
                let stride = self.strides.items[i];
                let mut at = len;
                while at > 0 && self.strides.items[order[at - 1]] < stride {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = i;
                len += 1;
            }
            i += 1;
        }
        (order, len)
    }

    /// Divides by the strides, largest first; exact when they span.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        let (order, len) = self.by_stride();
        let mut i = 0;
        while i < self.lengths.len() {
            up[i] = 0;
            i += 1;
        }
        let mut rest = low[0];
        let mut at = 0;
        while at < len {
            let (length, stride) = (self.lengths.at(order[at]), self.strides.at(order[at]));
            if stride == 0 {
                return false;
            }
            let digit = rest / stride;
            up[order[at]] = if digit < length { digit } else { length - 1 };
            rest -= up[order[at]] * stride;
            at += 1;
        }
        rest == 0
    }

    /// Returns whether each stride exceeds the reach of all smaller ones.
    pub(crate) const fn injective(self) -> bool {
        let (order, len) = self.by_stride();
        let mut reach = 0u64;
        let mut at = len;
        while at > 0 {
            at -= 1;
            let i = order[at];
            let stride = self.strides.items[i] as u64;
            if stride <= reach {
                return false;
            }
            reach += (self.lengths.items[i] as u64 - 1) * stride;
        }
        true
    }

    /// Walking one dimension walks below by its stride. A break below at multiples
    /// of p is met at multiples of p / stride, if all other dimensions contribute
    /// whole vectors or less than a step.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let mut i = 0;
        while i < self.lengths.len() {
            up[i] = self.one_run(i, low[0]);
            i += 1;
        }
    }

    const fn one_run(self, i: usize, low: Run) -> Run {
        let (l, s) = (self.lengths.as_slice(), self.strides.as_slice());
        let step = s[i] as u64;
        let stride = low.stride.wrapping_mul(step as i64);
        if low.period == 0 || step == 0 {
            return Run { period: 0, stride };
        }
        let (mut common, mut below) = (low.period, 0);
        let mut j = 0;
        while j < l.len() {
            if j != i && l[j] > 1 {
                if s[j] as u64 >= step {
                    common = gcd(common, s[j] as u64);
                } else {
                    below += (l[j] as u64 - 1) * s[j] as u64;
                }
            }
            j += 1;
        }
        // A period that is not a multiple of the step has no common divisor that is.
        if below >= step || common % step != 0 {
            return Run { period: 1, stride };
        }
        Run { period: common / step, stride }
    }
}
