//! Types that take a place in memory.

use super::error::StorageError;
use crate::element::Element;
use crate::layout::{Tile, known};
use tiledesc_transforms::{Plan, attempt};

/// A place in memory, in bytes.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc::storage::{Buffered, Stored};
///
/// type Rows = recipe::RowPad<F16, U128, U64, U4>;
/// assert_eq!(Rows::SIZE?.bytes(), 127 * 136 + 128);
/// // The second copy begins at a multiple of 16 bytes.
/// let twice = Buffered::<Rows, U2>::SIZE?;
/// assert_eq!((twice.bytes(), twice.distance()), (17408 + 17400, 17408));
/// # Ok::<(), tiledesc::storage::StorageError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    bytes: u32,
    alignment: u32,
    distance: u32,
}

impl Size {
    /// The default alignment of a place: the widest access of a lane, 16 bytes.
    pub const ALIGNMENT: u32 = 16;

    /// This many bytes, beginning at a multiple of 16.
    #[must_use]
    pub const fn new(bytes: u32) -> Self {
        Self { bytes, alignment: Self::ALIGNMENT, distance: 0 }
    }

    /// Returns the size at a multiple of this many bytes.
    ///
    /// ```
    /// use tiledesc::storage::Size;
    ///
    /// assert_eq!(Size::new(256).aligned(128)?.alignment(), 128);
    /// assert_eq!(
    ///     Size::new(256).aligned(48).unwrap_err().to_string(),
    ///     "an alignment of 48 bytes is not a power of two up to 2147483648",
    /// );
    /// # Ok::<(), tiledesc::storage::StorageError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StorageError::Alignment`] of what is not a power of two.
    pub const fn aligned(self, alignment: u64) -> Result<Self, StorageError> {
        if !alignment.is_power_of_two() || alignment > 1 << 31 {
            return Err(StorageError::Alignment { alignment });
        }
        Ok(Self { alignment: alignment as u32, ..self })
    }

    /// `copies` of it, each at a multiple of the alignment.
    ///
    /// ```
    /// use tiledesc::storage::Size;
    ///
    /// let three = Size::new(40).times(3)?;
    /// // The second and the third begin at 48 and 96; nothing is behind the last.
    /// assert_eq!((three.distance(), three.bytes()), (48, 96 + 40));
    /// assert_eq!(Size::new(40).times(0).unwrap_err().to_string(), "0 buffers: at least one is needed");
    /// # Ok::<(), tiledesc::storage::StorageError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StorageError::NoCopies`] of 0, [`StorageError::TooLarge`] for 32 bits.
    pub const fn times(self, copies: u32) -> Result<Self, StorageError> {
        if copies == 0 {
            return Err(StorageError::NoCopies);
        }
        let distance = (self.bytes as u64).next_multiple_of(self.alignment as u64);
        let bytes = distance * (copies as u64 - 1) + self.bytes as u64;
        if bytes > u32::MAX as u64 {
            return Err(StorageError::TooLarge { bytes });
        }
        Ok(Self { bytes: bytes as u32, alignment: self.alignment, distance: distance as u32 })
    }

    /// The number of bytes, to the end of the last element.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The alignment of its first byte.
    #[must_use]
    pub const fn alignment(&self) -> u32 {
        self.alignment
    }

    /// Bytes of one copy.
    pub(super) const fn of_one(&self) -> u32 {
        match self.distance {
            0 => self.bytes,
            distance => (self.bytes - 1) % distance + 1,
        }
    }

    /// Bytes from one copy to the next; 0 of a single one.
    #[must_use]
    pub const fn distance(&self) -> u32 {
        self.distance
    }
}

/// A type that takes a place in memory: any layout, and [`Buffered`](super::Buffered) ones.
///
/// ```
/// use tiledesc::{prelude::*, storage::Stored};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(<ABlock as Stored>::SIZE?.bytes(), 16_384);
/// # Ok::<(), tiledesc::storage::StorageError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing to keep in memory",
    note = "keep a layout, `Buffered<layout, U2>`, or so many bytes: `.holds_bytes(name, 256)`"
)]
pub trait Stored {
    /// The size, or why there is none.
    const SIZE: Result<Size, StorageError>;
    /// Its layout, with the bits of an element; `None` of bytes.
    #[doc(hidden)]
    const LAYOUT: Option<(&'static Plan, u32)> = None;
}

impl<T: Tile> Stored for T {
    const SIZE: Result<Size, StorageError> = size::<T>();
    const LAYOUT: Option<(&'static Plan, u32)> = match known::<T>() {
        Ok(plan) => Some((plan, T::Element::BITS)),
        Err(_) => None,
    };
}

/// From byte 0 to the end of the last element.
const fn size<T: Tile>() -> Result<Size, StorageError> {
    let plan = attempt!(known::<T>() => StorageError::Layout);
    let elements = plan.element_space() + plan.origin() as u64;
    let bytes = (elements * T::Element::BITS as u64).div_ceil(8);
    if bytes > u32::MAX as u64 {
        return Err(StorageError::TooLarge { bytes });
    }
    Ok(Size::new(bytes as u32))
}
