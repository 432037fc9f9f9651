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
//! Sources: CUDA Driver API, tensor map (`CU_TENSOR_MAP_SWIZZLE_*`, the modes and 128 bytes
//! of alignment without one); NVIDIA/cutlass for the masks, as `tests/golden/cute`
//! computed them; PTX ISA, shared memory descriptor of `tcgen05`, for where the repeating
//! pattern of a 32-, 64- and 128-byte swizzle begins.

use super::cute::{Composed, CuteError, Strided, Swizzle};
use core::fmt;

/// A swizzle mode of a tensor map.
///
/// ```
/// use tiledesc_host::exchange::tma::{Mode, TmaError};
///
/// let mode = Mode::B64;
/// assert_eq!(mode.name(), "SWIZZLE_64B");
/// // Of byte addresses; a pattern keeps lines of 64 bytes together.
/// assert_eq!((mode.swizzle()?.to_string().as_str(), mode.span()?), ("Sw<2,4,3>", 64));
/// assert_eq!(
///     Mode::B128Atom64.swizzle().unwrap_err().to_string(),
///     "SWIZZLE_128B_ATOM_64B: NVIDIA does not document its pattern, so it has no address here",
/// );
/// # Ok::<(), TmaError>(())
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

/// Why a mode gives no address.
///
/// Reported where a byte of a tile is looked for: by [`Mode::address`] and its like.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the mode | `Undocumented` | [`Mode::swizzle`], [`Mode::span`], [`Mode::base_alignment`] |
/// | the address | `Base`, `Beyond` | [`Mode::address`] |
///
/// It wraps [`CuteError`] (`Form`), by [`Mode::tile`]. Nothing wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::exchange::tma::{Mode, TmaError};
///
/// let printed = [
///     (
///         TmaError::Undocumented { mode: Mode::B128Atom64 },
///         "SWIZZLE_128B_ATOM_64B: NVIDIA does not document its pattern, so it has no address here",
///     ),
///     (
///         TmaError::Base { mode: Mode::B128, base: 512, alignment: 1024 },
///         "SWIZZLE_128B: a tile at byte 512 would be stored with the pattern shifted: its base must be a multiple of 1024",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TmaError {
    /// The pattern is not documented.
    Undocumented {
        /// The mode.
        mode: Mode,
    },
    /// The base is off its alignment.
    Base {
        /// The mode.
        mode: Mode,
        /// The byte address of the tile.
        base: u32,
        /// The alignment of a base, in bytes.
        alignment: u32,
    },
    /// A box that CuTe's form cannot express.
    Form(CuteError),
    /// A byte beyond 32-bit addresses.
    Beyond {
        /// The byte address of the tile.
        base: u32,
        /// The byte in it.
        offset: u32,
    },
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

    /// The swizzle, of byte addresses.
    ///
    /// # Errors
    ///
    /// [`TmaError::Undocumented`].
    pub fn swizzle(self) -> Result<Swizzle, TmaError> {
        let (bits, base, shift) = match self {
            Self::None => (0, 4, 3),
            Self::B32 => (1, 4, 3),
            Self::B64 => (2, 4, 3),
            Self::B128 => (3, 4, 3),
            Self::B128Atom32 => (2, 5, 2),
            _ => return Err(TmaError::Undocumented { mode: self }),
        };
        Swizzle::new(bits, base, shift).map_err(TmaError::Form)
    }

    /// The number of bytes that the pattern keeps together: 16 without one, else 32, 64 or 128.
    ///
    /// # Errors
    ///
    /// [`TmaError::Undocumented`].
    pub fn span(self) -> Result<u32, TmaError> {
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
    /// [`TmaError::Undocumented`].
    pub fn base_alignment(self) -> Result<u32, TmaError> {
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
    /// [`TmaError`]: an undocumented mode, a base off its alignment, an address of more than
    /// 32 bits.
    pub fn address(self, base: u32, offset: u32) -> Result<u32, TmaError> {
        let (swizzle, alignment) = (self.swizzle()?, self.base_alignment()?);
        if !base.is_multiple_of(alignment) {
            return Err(TmaError::Base { mode: self, base, alignment });
        }
        let address = base.checked_add(offset).ok_or(TmaError::Beyond { base, offset })?;
        Ok(swizzle.apply(address))
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
    /// [`TmaError::Undocumented`]; [`TmaError::Form`] of elements that are not a byte, nor a
    /// part or a multiple of one by a power of two, of no rows or of more than 32 bits count.
    pub fn tile(self, rows: u32, bits: u32) -> Result<Composed, TmaError> {
        let (swizzle, span) = (self.swizzle()?, self.span()?);
        if bits == 0 || !(8 * span).is_multiple_of(bits) {
            return Err(TmaError::Form(CuteError::Width { from: 8, to: bits }));
        }
        let line = 8 * span / bits;
        let layout = Strided::new(&[rows, line], &[line, 1]).map_err(TmaError::Form)?;
        Composed::in_bytes(swizzle, bits, layout.fixed()).map_err(TmaError::Form)
    }
}

impl fmt::Display for TmaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undocumented { mode } => write!(
                f,
                "{}: NVIDIA does not document its pattern, so it has no address here",
                mode.name()
            ),
            Self::Base { mode, base, alignment } => write!(
                f,
                "{}: a tile at byte {base} would be stored with the pattern shifted: its base must be a multiple of \
                 {alignment}",
                mode.name()
            ),
            Self::Form(error) => write!(f, "{error}"),
            Self::Beyond { base, offset } => {
                write!(f, "byte {offset} of a tile at byte {base}: an address has 32 bits")
            }
        }
    }
}

impl core::error::Error for TmaError {}
