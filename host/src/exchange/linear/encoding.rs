//! The map of a distribution: which coordinate each bit of a number brings.

use tiledesc::distribution::{DistributionError, Encoding};
use tiledesc::{Linear, List};

/// Returns the map from (element, lane, wave), the bits of the element lowest, to the number of the coordinate, the last
/// dimension fastest, as in [`Plan::linear`](tiledesc::Plan::linear). So `layout.linear().after(&it)` is the offset of a register
/// of a lane.
///
/// ```
/// use tiledesc::distribution::{DistributionError, Encoding};
/// use tiledesc::prelude::*;
/// use tiledesc_host::exchange::linear;
///
/// // dist_mfma_f16_32x32x8_A: 4 elements along k, lane = (part, row), rows of 8.
/// let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1]))?;
/// let map = linear::from_encoding(&a)?;
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
/// [`DistributionError::NotPowerOfTwo`] of a factor, [`DistributionError::TooLarge`] of a tile of more than 2^32 elements, more
/// than 32 bits.
pub fn from_encoding(encoding: &Encoding) -> Result<Linear, DistributionError> {
    if encoding.has_idle_lanes() {
        encoding.check_divided()?;
    }
    let lengths = encoding.lengths();
    if lengths.elements() > 1 << 32 {
        return Err(DistributionError::TooLarge { what: "a tile's elements" });
    }
    let odd = encoding.named_factors().find(|(_, length)| !length.is_power_of_two());
    if let Some((factor, length)) = odd {
        return Err(DistributionError::NotPowerOfTwo { factor, length });
    }
    let mut columns = Vec::new();
    for (owner, numbers) in
        [encoding.elements(), encoding.lanes(), encoding.waves()].iter().enumerate()
    {
        for bit in 0..numbers.trailing_zeros() {
            let mut place = [0; 3];
            place[owner] = 1 << bit;
            let [element, lane, wave] = place;
            columns.push(number(&lengths, &encoding.coordinate(wave, lane, element)?));
        }
    }
    Linear::new(&columns, 0).map_err(DistributionError::Coordinate)
}

/// The number of a coordinate of a tile, the last dimension fastest.
pub(in crate::exchange) fn number(lengths: &List, index: &List) -> u32 {
    let each = lengths.as_slice().iter().zip(index.as_slice());
    each.fold(0, |number: u32, (length, index)| number.wrapping_mul(*length) + index)
}
