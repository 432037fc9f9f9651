//! Digits of rows by their numbers, without a plan.
//!
//! A plan of a swizzled tile is four transforms and a dozen hidden dimensions, which the compiler checks one by one. Of
//! rows whose lengths are powers of two the result is known beforehand: bit `b` of an element's number is bit `b` of
//! its offset, and some bits flip a second one:
//!
//! ```text
//!   128x64, packs of 8, xor        number    1  2  4  8  16  32   64  128  256  512  1024  2048  4096
//!                                  also                            8   16   32
//! ```
//!
//! Whoever builds digits so promises that they are those of a plan; the promise is tested beside the recipe that makes it.

use super::{Digits, width};
use crate::index::Bits;
use crate::number::list::List;

impl Digits {
    /// Rows of `columns` elements, each row `stride` elements after the one before, as
    /// [`Plan::naive`](crate::Plan::naive) has them; `None` of an empty tile, and of more than 32 bits.
    ///
    /// ```
    /// use tiledesc_transforms::{Digits, Plan};
    ///
    /// let padded = Digits::of_rows([128, 64], 72).unwrap();
    /// assert_eq!((padded.count(), padded.stride(0)), (2, 72));
    /// assert_eq!(padded, Plan::naive(&[128, 64], &[72, 1]).unwrap().digits().unwrap());
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub const fn of_rows([rows, columns]: [u32; 2], stride: u32) -> Option<Self> {
        let (low, high) = (width(columns), width(rows));
        let inputs = low + high;
        if rows == 0 || columns == 0 || inputs > Bits::INPUTS as u32 {
            return None;
        }
        let mut found = Self::EMPTY;
        found.rank = 2;
        found.lengths[0] = rows;
        found.lengths[1] = columns;
        found.first[0] = low;
        found.inputs = inputs;
        // Packed rows of a power of two: an element's offset is its number.
        if stride == columns && columns.is_power_of_two() {
            found.digits[0] = Bits::input(0, inputs).settled();
            found.strides[0] = 1;
            found.digit_count = 1;
            return Some(found);
        }
        let indices = [Bits::input(low, high), Bits::input(0, low)];
        let (each, strides) = (List::pair(0, 1), List::pair(stride, 1));
        if found.sum_up(&indices, &each, &strides, 0) { Some(found) } else { None }
    }

    /// Lets a bit of an element's number flip more than itself, of rows that are [linear](Self::is_linear).
    ///
    /// ```
    /// use tiledesc_transforms::{Digits, List};
    ///
    /// let mut swizzled = Digits::of_rows([128, 8], 8).unwrap();
    /// for bit in 0..3 {
    ///     swizzled.flip_also(3 + bit, 1 << bit);
    /// }
    /// assert_eq!(swizzled.offset(&List::pair(10, 5)), Some(10 * 8 + 7));
    /// ```
    #[doc(hidden)]
    pub const fn flip_also(&mut self, input: usize, flips: u32) {
        self.digits[0].flip(input, flips);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    /// The digits of tiles of any lengths equal those of the plan.
    #[test]
    fn as_plans() {
        let (mut some, mut joint) = (0, 0);
        for rows in [0, 1, 2, 3, 8, 31, 64, 96, 1 << 16] {
            for columns in [0, 1, 2, 5, 8, 63, 64, 96, 1 << 15] {
                for pad in [0, 1, 3, 8, 32, 63, 64] {
                    let stride = columns + pad;
                    let plan = Plan::naive(&[rows, columns], &[stride, 1]);
                    let found = Digits::of_rows([rows, columns], stride);
                    match plan {
                        Ok(plan) => assert_eq!(found, plan.digits(), "{rows}x{columns}+{pad}"),
                        // Of bytes beyond 32 bits the plan tells.
                        Err(_) if rows * columns > 0 => continue,
                        Err(_) => assert_eq!(found, None, "{rows}x{columns}"),
                    }
                    some += usize::from(found.is_some());
                    joint += usize::from(found.is_some_and(|found| found.count() == 1));
                }
            }
        }
        assert!(some > 300 && joint > 100, "{some} {joint}");
    }
}
