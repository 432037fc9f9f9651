//! A distribution over bits: which coordinate each bit of a number brings.

use super::encoding::Encoding;
use super::fault::{DistributionError, Owner};
use tiledesc_transforms::{Linear, attempt, down, range};

impl Encoding {
    /// The map from (element, lane, wave), the bits of the element lowest, to the number of the
    /// coordinate, the last dimension fastest, as in [`Plan::linear`](crate::Plan::linear). So
    /// `layout.linear().after(&it)` is the offset of a register of a lane.
    ///
    /// ```
    /// use tiledesc::distribution::{DistributionError, Encoding};
    /// use tiledesc::prelude::*;
    ///
    /// // dist_mfma_f16_32x32x8_A: 4 elements along k, lane = (part, row), rows of 8.
    /// let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1]))?;
    /// let map = a.linear()?;
    /// assert_eq!(map.columns(), [1, 2, 8, 16, 32, 64, 128, 4]);
    /// // Its place in rows of 8 swizzled halves: element 1 of lane 9.
    /// layout! { type Tile = recipe::GemmXor<F16, M<32>, K<8>, KPack<4>>; }
    /// let offsets = Tile::PLAN.linear().unwrap().after(&map);
    /// assert_eq!(offsets.apply(9 << 2 | 1), Tile::at([9, 1]));
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::NotPowerOfTwo`] of a factor, [`DistributionError::TooLarge`] of a tile
    /// of more than 2^32 elements, more than 32 bits.
    pub const fn linear(&self) -> Result<Linear, DistributionError> {
        if self.has_idle_lanes() {
            attempt!(self.check_divided());
        }
        if self.lengths().elements() > 1 << 32 {
            return Err(DistributionError::TooLarge { what: "a tile's elements" });
        }
        let (mut columns, mut bits) = ([0; 3 * Linear::BITS], 0);
        let owners = [Owner::Thread, Owner::Lane, Owner::Wave];
        range!(at, 0..self.count, {
            let length = self.factors[at].length;
            if !length.is_power_of_two() {
                let factor = self.name_of(at);
                return Err(DistributionError::NotPowerOfTwo { factor, length });
            }
        });
        range!(i, 0..owners.len(), {
            down!(place, 0..self.listed_by(owners[i]), {
                bits = self.bits_of(self.listed(owners[i], place), &mut columns, bits);
            });
        });
        Ok(attempt!(Linear::new(columns.split_at(bits).0, 0) => DistributionError::Coordinate))
    }

    /// The columns of a factor's bits, its lowest first, after the first `bits`.
    const fn bits_of(
        &self,
        at: usize,
        columns: &mut [u32; 3 * Linear::BITS],
        mut bits: usize,
    ) -> usize {
        let factor = &self.factors[at];
        let unit = factor.stride as u64 * self.behind(factor.group);
        range!(bit, 0..factor.length.ilog2(), {
            columns[bits] = if factor.group == 0 { 0 } else { (unit << bit) as u32 };
            bits += 1;
        });
        bits
    }

    /// The elements of the dimensions after that of a group.
    const fn behind(&self, group: u32) -> u64 {
        let mut elements = 1;
        range!(dimension, group as usize..self.rank, {
            elements *= self.cover.lengths[dimension] as u64;
        });
        elements
    }
}
