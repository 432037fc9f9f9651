//! The error of a conversion that cannot be made, and its sentences.

use tiledesc::chip::Access;
use tiledesc::distribution::DistributionError;
use tiledesc::{Error, List};

/// Why two distributions have no [`Conversion`](super::Conversion).
///
/// Reported by [`Held::of`](super::Held::of) and [`Held::new`](super::Held::new) for one side, and by
/// [`Conversion::between`](super::Conversion::between) and [`Conversion::by`](super::Conversion::by) for both.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | one side | `Lengths`, `Bits`, `Elements` | [`Held::new`](super::Held::new) |
/// | the two sides together | `Tiles`, `Waves` | [`Conversion::by`](super::Conversion::by) |
/// | the element | `Width`, `NoPair` | [`Conversion::by`](super::Conversion::by) |
/// | the chip | `NoInstruction`, `Memory` | [`Conversion::by`](super::Conversion::by) |
///
/// It wraps [`DistributionError`] (`Distribution`) and [`Error`] (`Layout`). Nothing wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::conversion::ConversionError;
///
/// let printed = [
///     (
///         ConversionError::Bits { bits: 5, wanted: 6 },
///         "the map has 5 bits, but register and lane have 6",
///     ),
///     (ConversionError::Waves { from: 4, to: 2 }, "4 waves write the tile, but 2 read it"),
///     (
///         ConversionError::Width { bits: 24 },
///         "a conversion needs elements of a power of two of at most 128 bits, not 24",
///     ),
///     (
///         ConversionError::Memory { bytes: 131_072, memory: 65_536 },
///         "the tile takes 131072 bytes, but a block has 65536",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConversionError {
    /// A distribution that is not made of bits.
    Distribution(DistributionError),
    /// A length of the tile that is not a power of two.
    Lengths {
        /// The length.
        length: u32,
    },
    /// Fewer bits than register and lane have.
    Bits {
        /// Bits of the map.
        bits: usize,
        /// Bits of register and lane.
        wanted: usize,
    },
    /// Bits of registers, lanes and waves that reach an element twice or not at all.
    Elements {
        /// Bits of an element's number.
        bits: usize,
        /// Bits that bring something.
        needed: usize,
        /// The rank of those bits: how many bring something else than the others.
        rank: usize,
    },
    /// Distributions of two different tiles.
    Tiles {
        /// The lengths of what is written.
        from: List,
        /// The lengths of what is read.
        to: List,
    },
    /// Blocks of different sizes.
    Waves {
        /// Waves that write.
        from: u64,
        /// Waves that read.
        to: u64,
    },
    /// Elements that are not a power of two up to 128 bits.
    Width {
        /// Bits of an element.
        bits: u32,
    },
    /// Instructions of different chips.
    Chips {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// No instruction fits.
    NoInstruction {
        /// Reads or writes.
        access: Access,
        /// Lanes of a wave.
        lanes: u64,
        /// Bits of all registers of a lane.
        bits: u64,
    },
    /// Elements of less than a byte that no two lanes hold in pairs.
    NoPair {
        /// Bits of an element.
        bits: u32,
    },
    /// The tile is larger than the memory of a block.
    Memory {
        /// Bytes of the tile.
        bytes: u64,
        /// Bytes that a block can have.
        memory: u32,
    },
    /// The layout has no plan.
    Layout(Error),
}

impl core::fmt::Display for ConversionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Distribution(error) => error.fmt(f),
            Self::Lengths { length } => {
                write!(f, "a tile of length {length}: a conversion is of powers of two")
            }
            Self::Bits { bits, wanted } => {
                write!(f, "the map has {bits} bits, but register and lane have {wanted}")
            }
            Self::Elements { bits, needed, rank } => write!(
                f,
                "{needed} bits of registers, lanes and waves bring {rank} of the {bits} bits of an \
                 element: each is to be brought once, and by registers"
            ),
            Self::Tiles { from, to } => {
                write!(f, "the tile written is {from:?}, but the tile read is {to:?}")
            }
            Self::Chips { one, other } => {
                write!(
                    f,
                    "the instructions are of {one} and {other}, but a conversion is on one chip"
                )
            }
            Self::Waves { from, to } => {
                write!(f, "{from} waves write the tile, but {to} read it")
            }
            Self::Width { bits } => {
                write!(
                    f,
                    "a conversion needs elements of a power of two of at most 128 bits, not {bits}"
                )
            }
            Self::NoInstruction { access, lanes, bits } => {
                let does = match access {
                    Access::Read => "reads",
                    Access::Write => "writes",
                };
                write!(f, "no instruction {does} {bits} bits of each of {lanes} lanes")
            }
            Self::NoPair { bits } => write!(
                f,
                "elements of {bits} bits are written and read by bytes, and no register has two that \
                 both sides hold"
            ),
            Self::Memory { bytes, memory } => {
                write!(f, "the tile takes {bytes} bytes, but a block has {memory}")
            }
            Self::Layout(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ConversionError {}
