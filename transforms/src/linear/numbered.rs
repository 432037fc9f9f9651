//! Digits of a coordinate's number: swizzles and pads that do not know where a row ends.
//!
//! In a row of 96 the next row begins in the middle of a round of banks. A swizzle of the dense offset, as
//! CuTe's, or a pad after every 256 elements first counts the tile through, row by row, and then takes that
//! one number apart. `96 * m` carries into the bits that are flipped, so the map has no
//! [digits](crate::Digits) of m and k. It has digits of the number:
//!
//! ```text
//!   number   96 * m + k                    of (3, 17): 305
//!   digits   number ^ number / 64 % 8 * 8  305 ^ 4 * 8 = 273
//! ```
//!
//! So the offset is two steps, a sum and a few shifts, in place of a division for each transform. From some
//! bit of the number on nothing is flipped, and the offset only goes on: the *period*. Two accesses whose
//! numbers differ by whole periods do the same to all banks but for a rotation.

use crate::linear::digits::Digits;
use crate::number::list::{Fold, List};
use crate::plan::Plan;
use crate::transform::Op;

/// The number of a coordinate, and the digits of that number.
///
/// ```
/// use tiledesc_transforms::{List, Numbered, Op, Plan};
///
/// // 8 elements after every 256, of rows of 96.
/// let lines = Plan::naive(&[24, 256], &[264, 1])?;
/// let one = lines.transform(&[Op::Merge { lengths: List::pair(24, 256) }], &[&[0, 1]], &[&[0]])?;
/// let rows = one.transform(&[Op::Unmerge { lengths: List::pair(64, 96) }], &[&[0]], &[&[0, 1]])?;
/// assert!(rows.digits().is_none());
/// let numbered = rows.numbered().unwrap();
/// assert_eq!(numbered.offset(&List::pair(3, 17)), Some(305 + 8));
/// assert_eq!((numbered.period(), numbered.gain()), (256, 264));
/// # Ok::<(), tiledesc_transforms::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    /// The number of a coordinate, as digits of it.
    number: Digits,
    /// The strides of the number, one for each dimension.
    strides: List,
    /// The offset, as digits of the number.
    digits: Digits,
    log2_period: u32,
    gain: u32,
}

impl Plan {
    /// The number of a coordinate and its digits: of a map that has no [digits](Self::digits) of its own, since
    /// it first counts its coordinates through.
    #[must_use]
    pub const fn numbered(&self) -> Option<Numbered> {
        if self.bottom_count != 1 || self.top.len() < 2 {
            return None;
        }
        let Some((below, strides)) = self.below_number() else { return None };
        let Ok(sum) = Self::naive(self.lengths().as_slice(), strides.as_slice()) else {
            return None;
        };
        match (sum.digits(), below.digits()) {
            (Some(number), Some(digits)) if number.origin() == 0 => {
                let (log2_period, gain) = digits.period(0);
                Some(Numbered { number, strides, digits, log2_period, gain })
            }
            _ => None,
        }
    }

    /// Returns the map of the number alone, and the stride of each index in the number; `None` where no transform makes one
    /// number of all indices.
    #[doc(hidden)]
    #[must_use]
    pub const fn below_number(&self) -> Option<(Self, List)> {
        // The top dimension that is passed through to a hidden one, plus one.
        let mut tops = [0u8; Self::MOST_HIDDEN];
        let rank = self.top.len();
        range!(d, 0..rank, {
            tops[self.top.at(d) as usize] = d as u8 + 1;
        });
        down!(above, 0..self.node_count, {
            let node = &self.nodes[above];
            let inner = match node.op {
                Op::PassThrough { .. } => {
                    tops[node.lower.at(0) as usize] = tops[node.upper.at(0) as usize];
                    continue;
                }
                Op::Unmerge { lengths } => match lengths.reverse_exclusive_scan(Fold::Product) {
                    Ok(strides) => strides,
                    Err(_) => return None,
                },
                Op::Embed { strides, .. } => strides,
                _ => return None,
            };
            if inner.len() != rank {
                return None;
            }
            let mut strides = inner;
            range!(i, 0..rank, {
                let top = tops[node.upper.at(i) as usize];
                if top == 0 {
                    return None;
                }
                strides = strides.with(top as usize - 1, inner.at(i));
            });
            let mut below = *self;
            below.node_count = above;
            below.top = List::one(node.lower.at(0));
            return Some((below, strides));
        });
        None
    }
}

impl Numbered {
    /// The offset of a coordinate, in elements; `None` if it is out of range.
    #[must_use]
    pub const fn offset(&self, index: &List) -> Option<u32> {
        match self.number.offset(index) {
            Some(number) => self.digits.offset(&List::one(number)),
            None => None,
        }
    }

    /// The number of a coordinate as digits: strides times indices.
    #[must_use]
    pub const fn number(&self) -> &Digits {
        &self.number
    }

    /// The stride of each index in the number, in elements.
    #[must_use]
    pub const fn strides(&self) -> List {
        self.strides
    }

    /// The offset as digits of the number, its one dimension.
    #[must_use]
    pub const fn digits(&self) -> &Digits {
        &self.digits
    }

    /// The elements after which the offset only goes on: it is [`gain`](Self::gain) more for each period of
    /// the number.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// // CuTe's Sw<3,3,3>: bits 6 to 8 flip bits 3 to 5.
    /// let swizzled = Plan::packed(&[96 * 64])?.xor_fields(6, 3, 3)?;
    /// let rows = swizzled.transform(
    ///     &[tiledesc_transforms::Op::Unmerge { lengths: tiledesc_transforms::List::pair(64, 96) }],
    ///     &[&[0]], &[&[0, 1]],
    /// )?;
    /// let numbered = rows.numbered().unwrap();
    /// assert_eq!((numbered.period(), numbered.gain()), (512, 512));
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn period(&self) -> u64 {
        1 << self.log2_period
    }

    /// The growth of the offset over a period of the number, in elements.
    #[must_use]
    pub const fn gain(&self) -> u32 {
        self.gain
    }

    /// The coordinate of a number, of indices below these lengths; `None` of a number that no coordinate has, or where strides do
    /// not decide it.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Op, Plan};
    ///
    /// let swizzled = Plan::packed(&[64 * 96])?.xor_fields(6, 3, 3)?;
    /// let rows = Op::Unmerge { lengths: List::pair(64, 96) };
    /// let rows = swizzled.transform(&[rows], &[&[0]], &[&[0, 1]])?;
    /// assert_eq!(rows.numbered().unwrap().index_of(305, &rows.lengths()), Some(List::pair(3, 17)));
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn index_of(&self, number: u32, lengths: &List) -> Option<List> {
        let (mut index, mut rest, mut above) = (*lengths, number, u64::MAX);
        range!(_i, 0..lengths.len(), {
            // The largest stride below the last one.
            let mut next = 0;
            let mut stride = 0;
            range!(d, 0..lengths.len(), {
                let this = self.strides.at(d) as u64;
                if this < above && this > stride {
                    (next, stride) = (d, this);
                }
            });
            if stride == 0 {
                return None;
            }
            let here = rest / stride as u32;
            if here >= lengths.at(next) {
                return None;
            }
            index = index.with(next, here);
            rest %= stride as u32;
            above = stride;
        });
        if rest == 0 { Some(index) } else { None }
    }

    /// Returns whether every block of `length` indices along a dimension, starting at a multiple of it, is contiguous; false also
    /// where that is not known.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Op, Plan};
    ///
    /// let swizzled = Plan::packed(&[64 * 96])?.xor_fields(6, 3, 3)?;
    /// let rows = Op::Unmerge { lengths: List::pair(64, 96) };
    /// let rows = swizzled.transform(&[rows], &[&[0]], &[&[0, 1]])?.numbered().unwrap();
    /// assert_eq!([8, 16].map(|length| rows.is_contiguous(1, length)), [true, false]);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn is_contiguous(&self, dimension: usize, length: u32) -> bool {
        if length == 0 || dimension >= self.strides.len() || self.strides.at(dimension) != 1 {
            return false;
        }
        let others = all!(other, 0..self.strides.len(), {
            other == dimension || self.strides.at(other).is_multiple_of(length)
        });
        others && self.digits.is_contiguous(0, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A swizzle of any length, and a pad: at each coordinate as the plan, and periodic.
    #[test]
    fn as_the_plan() {
        let swizzled = |m: u32, k| {
            let plan = Plan::packed(&[m * k]).unwrap().xor_fields(5, 3, 2).unwrap();
            let rows = Op::Unmerge { lengths: List::pair(m, k) };
            plan.transform(&[rows], &[&[0]], &[&[0, 1]]).unwrap()
        };
        let padded = |m: u32, k, every: u32, pad| {
            let plan = Plan::naive(&[m * k / every, every], &[every + pad, 1]).unwrap();
            let merge = Op::Merge { lengths: List::pair(m * k / every, every) };
            let one = plan.transform(&[merge], &[&[0, 1]], &[&[0]]).unwrap();
            let rows = Op::Unmerge { lengths: List::pair(m, k) };
            one.transform(&[rows], &[&[0]], &[&[1, 0]]).unwrap()
        };
        let plans = [
            (swizzled(64, 96), 128, 128),
            (swizzled(128, 7), 128, 128),
            (padded(64, 96, 256, 8), 256, 264),
            (padded(80, 24, 64, 5), 64, 69),
        ];
        for (plan, period, gain) in plans {
            assert!(plan.digits().is_none());
            let numbered = plan.numbered().unwrap();
            assert_eq!((numbered.period(), numbered.gain()), (period, gain));
            for id in 0..plan.elements() {
                let index = plan.nth(id);
                let offset = plan.offset(index.as_slice()).unwrap();
                assert_eq!(numbered.offset(&index), Some(offset));
                let number = numbered.number().offset(&index).unwrap();
                let low = numbered.digits().offset(&List::one(number % period as u32)).unwrap();
                assert_eq!(offset, low + number / period as u32 * gain);
            }
        }
    }
}
