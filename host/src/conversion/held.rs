//! A tile in the registers of a block, over bits.
//!
//! A conversion is between two ways to hold the same tile. Each is a map over bits: which element each bit of
//! a register's, a lane's and a wave's number brings.
//! ```text
//!   m [row 8, again 2], k [chunk 4, half 2]; lane (row, chunk), thread (again, half)
//!
//!   register bit   0: half        1          the number of the element, k fastest
//!                  1: again       8
//!   lane bit       0, 1: chunk    2, 4
//!                  2, 3, 4: row   16, 32, 64
//! ```
//!
//! A bit that brings 0 belongs to a lane or a wave that holds what another one holds, too.

use crate::Error;
use crate::exchange::linear;
use tiledesc::distribution::Encoding;
use tiledesc::{Linear, List};

/// The element that each bit of register, lane and wave contributes: one side of a [`Conversion`](super::Conversion).
///
/// ```
/// use tiledesc::distribution::{DistributionError, Encoding};
/// use tiledesc_host::conversion::Held;
///
/// let quads = Encoding::ck(&[], &[&[8], &[4, 2]], (&[&[1, 2]], &[&[0, 0]]), (&[2], &[1]))?;
/// let held = Held::from_encoding(&quads).unwrap();
/// assert_eq!((held.registers(), held.lanes()), (&[1][..], &[2, 4, 8, 16, 32][..]));
/// // One wave holds all 2^6 elements.
/// assert_eq!((held.waves(), held.bits()), (&[][..], 6));
/// # Ok::<(), DistributionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    lengths: List,
    map: Linear,
    /// Bits of the register's number, and of those that are the lane's the end.
    ends: [usize; 2],
}

impl Held {
    /// The elements that the lanes of a distribution hold.
    ///
    /// # Errors
    ///
    /// As [`linear::from_encoding`].
    pub fn from_encoding(encoding: &Encoding) -> Result<Self, Error> {
        let map = linear::from_encoding(encoding)?;
        let [registers, lanes] =
            [encoding.elements(), encoding.lanes()].map(|number| number.trailing_zeros() as usize);
        Self::new(encoding.lengths(), map, registers, lanes)
    }

    /// A map from (register, lane, wave), the bits of the register lowest, to the number of the element in a tile of
    /// these lengths, the last dimension fastest. A map can also express swizzles in registers, which factors cannot:
    ///
    /// ```
    /// use tiledesc_host::conversion::Held;
    /// use tiledesc_host::exchange::triton::Registers;
    ///
    /// let bases = "register = [[0, 1]], lane = [[1, 1], [2, 0]], warp = []";
    /// let swizzled = Registers::parse(bases)?;
    /// let map = *swizzled.named_linear()?.map();
    /// let held = Held::new(swizzled.lengths(), map, swizzled.register().len(), swizzled.lane().len())?;
    /// // Register 1 of lane 1: (1, 0) of a tile of 4x2.
    /// assert_eq!(held.element(0, 1, 1), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Lengths that are not powers of two; fewer bits of the map than those of register and lane; an element that is not in
    /// exactly one register of one lane, but for lanes and waves that hold the same.
    pub fn new(lengths: List, map: Linear, registers: usize, lanes: usize) -> Result<Self, Error> {
        let ends = [registers, registers + lanes];
        if let Some(&length) = lengths.as_slice().iter().find(|length| !length.is_power_of_two()) {
            return Err(Error::number(format!(
                "a tile of length {length}: a conversion is of powers of two"
            )));
        }
        if ends[1] > map.inputs() {
            let (bits, wanted) = (map.inputs(), ends[1]);
            return Err(Error::number(format!(
                "the map has {bits} bits, but register and lane have {wanted}"
            )));
        }
        let held = Self { lengths, map, ends };
        let brings = |column: &&u32| **column != 0;
        let needed = map.columns().iter().filter(brings).count();
        let (bits, rank) = (held.bits(), map.rank() as usize);
        let beyond = map.columns().iter().any(|column| column.unbounded_shr(bits as u32) != 0);
        let whole = needed == rank && rank == bits && !beyond && map.constant() == 0;
        if !whole || !held.registers().iter().all(|column| *column != 0) {
            return Err(Error::number(format!(
                "{needed} bits of registers, lanes and waves bring {rank} of the {bits} bits of an element: each is to be \
                 brought once, and by registers"
            )));
        }
        Ok(held)
    }

    /// The lengths of the tile.
    #[must_use]
    pub fn lengths(&self) -> List {
        self.lengths
    }

    /// Bits of an element's number: the tile has two to the power of it.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.lengths.as_slice().iter().map(|length| length.trailing_zeros() as usize).sum()
    }

    /// The number that each bit of the register's number contributes.
    #[must_use]
    pub fn registers(&self) -> &[u32] {
        &self.map.columns()[..self.ends[0]]
    }

    /// The number that each bit of the lane's number contributes.
    #[must_use]
    pub fn lanes(&self) -> &[u32] {
        &self.map.columns()[self.ends[0]..self.ends[1]]
    }

    /// The number that each bit of the wave's number contributes.
    #[must_use]
    pub fn waves(&self) -> &[u32] {
        &self.map.columns()[self.ends[1]..]
    }

    /// The number of the element in a register of a lane of a wave.
    #[must_use]
    pub fn element(&self, wave: u32, lane: u32, register: u32) -> u32 {
        let [lanes, waves] = self.ends.map(|end| end as u32);
        self.map.apply(wave.unbounded_shl(waves) | lane.unbounded_shl(lanes) | register)
    }

    /// Lanes and waves together.
    pub(super) fn others(&self) -> impl Iterator<Item = u32> + '_ {
        self.map.columns()[self.ends[0]..].iter().copied()
    }

    /// The bits of a register's number whose columns sum up to one of their sums.
    pub(super) fn register_of(&self, sum: u32) -> u32 {
        let Some(back) = Linear::new(self.registers(), 0).ok().and_then(|map| map.inverse()) else {
            return 0;
        };
        back.apply(sum)
    }

    /// Returns whether each bit brings a bit of its own, as those of all factors do.
    pub(super) fn is_of_factors(&self) -> bool {
        self.map.columns().iter().all(|column| column.count_ones() <= 1)
    }
}
