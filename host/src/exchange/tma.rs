//! TMA's swizzle modes: what the tensor copy engine of sm_90 and later does to addresses.
//!
//! The engine xors bits of the shared-memory *address*, not of the offset in the tile. A
//! tile whose base is not a multiple of the pattern's repeat is therefore stored with the
//! pattern shifted, and every read by offset is wrong:
//!
//! | mode | xor on byte addresses | CuTe, in bytes | base must be a multiple of |
//! |---|---|---|---|
//! | [`None`](Mode::None) | - | `Sw<0,4,3>` | 128 |
//! | [`B32`](Mode::B32) | bit 4 with bit 7 | `Sw<1,4,3>` | 256 |
//! | [`B64`](Mode::B64) | bits 5:4 with bits 8:7 | `Sw<2,4,3>` | 512 |
//! | [`B128`](Mode::B128) | bits 6:4 with bits 9:7 | `Sw<3,4,3>` | 1024 |
//! | [`B128Atom32`](Mode::B128Atom32) | bits 6:5 with bits 8:7 | `Sw<2,5,2>` | 1024; by its masks 512 would do |
//! | `B128Atom32Flip8`, `B128Atom64` | not documented | refused | - |
//!
//! A base is a multiple of 8 spans. For [`B128Atom32`](Mode::B128Atom32) that is twice the repeat: the PTX ISA names
//! one boundary for all swizzles of 128 bytes, and no source states that half of it is enough.
//!
//! Sources: CUDA Driver API, tensor map (`CU_TENSOR_MAP_SWIZZLE_*`, the modes, their numbers, and 128 bytes
//! of alignment without one); NVIDIA/cutlass for the masks, as `tests/golden/cute`
//! computed them; PTX ISA, shared memory descriptor of `tcgen05`, for where the repeating
//! pattern of a 32-, 64- and 128-byte swizzle begins.

use super::cute::{Composed, Strided, Swizzle, width};
use crate::Error;

/// A swizzle mode of a tensor map.
///
/// ```
/// use tiledesc_host::exchange::tma::Mode;
///
/// let mode = Mode::B64;
/// assert_eq!(mode.name(), "SWIZZLE_64B");
/// // Of byte addresses; a pattern keeps lines of 64 bytes together.
/// assert_eq!((mode.swizzle()?.to_string().as_str(), mode.span()?), ("Sw<2,4,3>", 64));
/// assert_eq!(
///     Mode::B128Atom64.swizzle().unwrap_err().to_string(),
///     "SWIZZLE_128B_ATOM_64B: NVIDIA does not document its pattern, so it has no address here",
/// );
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `SWIZZLE_NONE`.
    None,
    /// `SWIZZLE_32B`.
    B32,
    /// `SWIZZLE_64B`.
    B64,
    /// `SWIZZLE_128B`.
    B128,
    /// `SWIZZLE_128B_ATOM_32B`.
    B128Atom32,
    /// `SWIZZLE_128B_ATOM_32B_FLIP_8B`: its pattern is not documented.
    B128Atom32Flip8,
    /// `SWIZZLE_128B_ATOM_64B`: its pattern is not documented.
    B128Atom64,
}

impl Mode {
    /// The name in the CUDA Driver API, after `CU_TENSOR_MAP_`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "SWIZZLE_NONE",
            Self::B32 => "SWIZZLE_32B",
            Self::B64 => "SWIZZLE_64B",
            Self::B128 => "SWIZZLE_128B",
            Self::B128Atom32 => "SWIZZLE_128B_ATOM_32B",
            Self::B128Atom32Flip8 => "SWIZZLE_128B_ATOM_32B_FLIP_8B",
            Self::B128Atom64 => "SWIZZLE_128B_ATOM_64B",
        }
    }

    /// The number of the mode in a tensor map: `CUtensorMapSwizzle`.
    ///
    /// ```
    /// use tiledesc_host::exchange::tma::Mode;
    ///
    /// assert_eq!([Mode::None, Mode::B32, Mode::B64, Mode::B128].map(Mode::number), [0, 1, 2, 3]);
    /// ```
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::None => 0,
            Self::B32 => 1,
            Self::B64 => 2,
            Self::B128 => 3,
            Self::B128Atom32 => 4,
            Self::B128Atom32Flip8 => 5,
            Self::B128Atom64 => 6,
        }
    }

    /// The swizzle, of byte addresses.
    ///
    /// # Errors
    ///
    /// A mode whose pattern is not documented.
    pub fn swizzle(self) -> Result<Swizzle, Error> {
        let (bits, base, shift) = match self {
            Self::None => (0, 4, 3),
            Self::B32 => (1, 4, 3),
            Self::B64 => (2, 4, 3),
            Self::B128 => (3, 4, 3),
            Self::B128Atom32 => (2, 5, 2),
            _ => {
                return Err(Error::no_form(format!(
                    "{}: NVIDIA does not document its pattern, so it has no address here",
                    self.name()
                )));
            }
        };
        Swizzle::new(bits, base, shift)
    }

    /// The number of bytes that the pattern keeps together: 16 without one, else 32, 64 or 128.
    ///
    /// # Errors
    ///
    /// A mode whose pattern is not documented.
    pub fn span(self) -> Result<u32, Error> {
        self.swizzle().map(|swizzle| 1 << (swizzle.base() + swizzle.bits()))
    }

    /// The alignment of a tile's base, in bytes: 8 spans.
    ///
    /// ```
    /// use tiledesc_host::exchange::tma::Mode;
    ///
    /// assert_eq!(Mode::B64.base_alignment(), Ok(512));
    /// assert_eq!(Mode::B128Atom32.base_alignment(), Ok(1024));
    /// ```
    ///
    /// # Errors
    ///
    /// A mode whose pattern is not documented.
    pub fn base_alignment(self) -> Result<u32, Error> {
        self.span().map(|span| 8 * span)
    }

    /// The byte address at which the engine stores byte `offset` of a tile at `base`.
    ///
    /// ```
    /// use tiledesc_host::exchange::tma::Mode;
    ///
    /// // Row 3, chunk 2 of rows of 128 bytes.
    /// assert_eq!(Mode::B128.address(1024, 3 * 128 + 2 * 16), Ok(1024 + 3 * 128 + (2 ^ 3) * 16));
    /// assert_eq!(
    ///     Mode::B128.address(512, 0).unwrap_err().to_string(),
    ///     "SWIZZLE_128B: a tile at byte 512 would be stored with the pattern shifted: \
    ///      its base must be a multiple of 1024",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// An undocumented mode, a base off its alignment, an address of more than 32 bits.
    pub fn address(self, base: u32, offset: u32) -> Result<u32, Error> {
        let (swizzle, alignment) = (self.swizzle()?, self.base_alignment()?);
        if !base.is_multiple_of(alignment) {
            return Err(Error::number(format!(
                "{}: a tile at byte {base} would be stored with the pattern shifted: its base must be a multiple of \
                 {alignment}",
                self.name()
            )));
        }
        match base.checked_add(offset) {
            Some(address) => Ok(swizzle.apply(address)),
            None => Err(Error::too_large(format!(
                "byte {offset} of a tile at byte {base}: an address has 32 bits"
            ))),
        }
    }

    /// A box of `rows` lines of one [`span`](Self::span), as the engine stores it, in CuTe's
    /// form and so with a plan; elements of `bits` bits.
    ///
    /// ```
    /// use tiledesc_host::exchange::tma::Mode;
    ///
    /// let tile = Mode::B128.tile(8, 16).unwrap();
    /// assert_eq!(tile.to_string(), "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)");
    /// assert_eq!(tile.plan().unwrap().offset(&[3, 17]), Ok(201));
    /// ```
    ///
    /// # Errors
    ///
    /// An undocumented mode; elements that are not a byte, nor a part or a multiple of one by a power of two; no rows, or
    /// more than 32 bits count.
    pub fn tile(self, rows: u32, bits: u32) -> Result<Composed, Error> {
        let (swizzle, span) = (self.swizzle()?, self.span()?);
        if bits == 0 || !(8 * span).is_multiple_of(bits) {
            return Err(width(8, bits));
        }
        let line = 8 * span / bits;
        let layout = Strided::new(&[rows, line], &[line, 1])?;
        Composed::in_bytes(swizzle, bits, layout.fixed())
    }
}
