//! Packs that are placed bit by bit: columns for the bits of a pack's number alone.

use crate::error::Error;
use crate::linear::Linear;
use crate::linear::factors::bits_of;
use crate::number::NumberError;
use crate::plan::Plan;

impl Plan {
    /// Dimensions of these lengths, powers of two, whose packs along the last one are placed by
    /// columns: bit `b` of a pack's number, counted along the last dimension, flips `columns[b]` of its
    /// place, in packs. A bit without a column flips its own.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let swizzled = Plan::linear_packs(&[8, 64], 8, &[1, 2, 4, 9, 18, 36])?;
    /// assert_eq!(swizzled.offset(&[3, 17]), Ok(((9 ^ 18) ^ 2) * 8 + 1));
    /// // Two rows of four packs.
    /// assert_eq!(
    ///     Plan::linear_packs(&[2, 32], 8, &[1, 2, 4, 8]).unwrap_err().to_string(),
    ///     "a shape of 6 bits for a map of 7",
    /// );
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotLinear`] with a length that is no power of two; a last length that is no multiple of
    /// `pack`; [`Error::Shape`] with more columns than a pack's number has bits; as [`Linear::plan`].
    pub const fn linear_packs(lengths: &[u32], pack: u32, columns: &[u32]) -> Result<Self, Error> {
        let bits = attempt!(bits_of(lengths));
        let Some(last) = lengths.last() else {
            return Err(Error::Rank { wanted: 1, given: 0 });
        };
        if pack == 0 || !last.is_multiple_of(pack) {
            let fault = NumberError::NotDivisible { dividend: (*last, ""), divisor: (pack, "") };
            return Err(Error::Number(fault));
        }
        let low = pack.trailing_zeros();
        let map = low + columns.len() as u32;
        if map > bits {
            return Err(Error::Shape { shape: bits, map });
        }
        attempt!(placed(bits, low, columns)).plan(lengths)
    }
}

/// The map of all bits of an element's number.
const fn placed(bits: u32, low: u32, columns: &[u32]) -> Result<Linear, Error> {
    let beyond = Error::TooLarge { what: "bits of an offset", most: 31 };
    if bits > 31 {
        return Err(beyond);
    }
    let (mut all, mut b) = ([0; Linear::BITS], 0);
    while b < bits {
        all[b as usize] = 1 << b;
        if b >= low && ((b - low) as usize) < columns.len() {
            let column = (columns[(b - low) as usize] as u64) << low;
            if column >> 31 != 0 {
                return Err(beyond);
            }
            all[b as usize] = column as u32;
        }
        b += 1;
    }
    Linear::new(all.split_at(bits as usize).0, 0)
}
