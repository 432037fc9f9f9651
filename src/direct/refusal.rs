//! Why a tile cannot be loaded directly.
//!
//! [`DirectError`] has the table of its families: the request, the layout, an address, the amount.

use crate::chip::Transfer;
use core::num::NonZero;
use tiledesc_transforms::{Error, List, Text, say};

/// The reason why a tile cannot be loaded directly, with the numbers.
///
/// Reported where a load is planned: by [`Request::plan`](super::Request::plan), `assert_direct_load!` and
/// `direct_load!`, and by statements and searches of a tile that is `filled by` a transfer.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the request | `NoTransfer`, `Named`, `Unknown`, `NoWaves`, `Units` | [`Chip::transfer`](crate::chip::Chip::transfer), statements; `Units` also by a plan |
/// | the layout: what a lane writes is not what belongs there | `Padding`, `Widened`, `BehindTile`, `Apart`, `Lanes` | [`Request::plan`](super::Request::plan) |
/// | an address | `Misaligned`, `SourceMisaligned`, `BeyondBase` | [`Request::plan`](super::Request::plan) |
/// | the amount | `Waves`, `TooMany`, `Memory` | [`Request::plan`](super::Request::plan) |
///
/// It wraps [`Error`] (`Layout`) for an invalid layout or source.
/// [`SynthesisError::Fill`](crate::search::SynthesisError::Fill) wraps it where no layout can be filled.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::direct::DirectError;
///
/// let printed = [
///     (
///         DirectError::no_transfer(16, "gfx942"),
///         "no transfer of 16 bytes on gfx942 (there is one on gfx950)",
///     ),
///     (
///         DirectError::Padding { chunk: 0, lane: 8, byte: 128, data: 16, whole: 1024, hole: None },
///         "the chunk at byte 0: lane 8 would write bytes 128 to 143, which are padding (pad behind multiples of 1024 bytes, or allow idle lanes)",
///     ),
///     (DirectError::Misaligned { byte: 136, alignment: 16 }, "LDS byte 136 is not aligned to 16"),
///     (
///         DirectError::TooMany { chunks: 300, most: 256 },
///         "300 chunks are too many: a plan holds 256",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectError {
    /// The layout or the source is invalid.
    Layout(Error),
    /// The chip has no transfer of this many bytes.
    NoTransfer {
        /// Bytes.
        data: u32,
        /// The chip.
        chip: &'static str,
        /// One that has it.
        elsewhere: Option<&'static str>,
    },
    /// The chip has a transfer of this width, under another name.
    Named {
        /// The name that another chip has for it.
        name: &'static str,
        /// The chip.
        chip: &'static str,
        /// The chip's own name for it.
        instead: &'static str,
    },
    /// No chip has a transfer of this name.
    Unknown {
        /// The name.
        name: &'static str,
        /// The chip.
        chip: &'static str,
    },
    /// The bytes that a lane writes beyond its data belong to an element.
    Widened {
        /// Bytes that a lane writes.
        stride: u32,
        /// Bytes of its data.
        data: u32,
        /// The LDS byte that would be lost.
        byte: u64,
        /// The coordinate of that element.
        coordinate: List,
    },
    /// The bytes that the last lane writes beyond its data are past the layout's end, where another tile may begin.
    BehindTile {
        /// Bytes that a lane writes.
        stride: u32,
        /// Bytes of its data.
        data: u32,
        /// Bytes of the layout.
        bytes: u64,
        /// The end of what the lane would write.
        end: u64,
    },
    /// A lane would write padding.
    Padding {
        /// LDS byte at which the chunk begins.
        chunk: u64,
        /// The lane.
        lane: u32,
        /// The first byte it would write.
        byte: u64,
        /// Bytes of data.
        data: u32,
        /// Bytes of a chunk.
        whole: u32,
        /// A byte of these that is padding, if others hold an element.
        hole: Option<u64>,
    },
    /// Neighbours in LDS are not neighbours in the source, or vice versa.
    Apart {
        /// The first LDS byte of the lane.
        byte: u32,
        /// Bytes of its data.
        data: u8,
        /// The coordinate there.
        first: List,
        /// The one that should follow.
        second: List,
        /// Elements from one to the other, less the 1 that there should be; `None` if only the
        /// run time knows.
        excess: Option<NonZero<i64>>,
        /// Elements that are together.
        kept: u8,
        /// Elements that must be.
        needed: u8,
        /// True if they are neighbours in the source, which LDS takes apart.
        in_lds: bool,
    },
    /// The source address of a lane is not a multiple of its data.
    SourceMisaligned {
        /// The coordinate.
        coordinate: List,
        /// The byte of the coordinate in the source, as far as known.
        byte: u64,
        /// True if a pitch of the run time is in that byte.
        is_least: bool,
        /// The alignment that the address needs, in bytes.
        alignment: u32,
    },
    /// An LDS address lacks the alignment that the transfer needs.
    Misaligned {
        /// The LDS byte.
        byte: u64,
        /// The alignment that the LDS byte needs, in bytes.
        alignment: u32,
    },
    /// Too few elements for the lanes of the last chunk.
    Lanes {
        /// Lanes that have one.
        lanes: u32,
        /// Lanes of a wave.
        wave: u32,
    },
    /// Chunks that cannot be divided among the waves.
    Waves {
        /// The number of chunks.
        chunks: u64,
        /// Bytes of one.
        chunk: u32,
        /// The waves.
        waves: u32,
    },
    /// Elements and the bytes of a lane do not divide each other.
    Units {
        /// Bytes of data.
        data: u32,
        /// Bits of an element.
        bits: u32,
    },
    /// A base that the base's register cannot hold.
    BeyondBase {
        /// The LDS byte.
        byte: u64,
        /// Bits of the register.
        bits: u32,
        /// The chip.
        chip: &'static str,
    },
    /// More bytes, to the end of the layout, than a block has on the chip.
    Memory {
        /// The bytes.
        bytes: u64,
        /// The chip.
        chip: &'static str,
        /// The bytes that it has.
        memory: u32,
    },
    /// More chunks than a plan can hold.
    TooMany {
        /// Chunks.
        chunks: u64,
        /// The limit.
        most: u32,
    },
    /// Waves without a number.
    NoWaves,
}

impl DirectError {
    /// Returns the error that a chip has no transfer of this many bytes, with the chip of its vendor that has one: for a program
    /// that gets `None` from [`Chip::transfer`](crate::chip::Chip::transfer).
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, direct::DirectError};
    ///
    /// let wide = gfx942.transfer(16).ok_or(DirectError::no_transfer(16, "gfx942"));
    /// assert_eq!(
    ///     wide.unwrap_err().to_string(),
    ///     "no transfer of 16 bytes on gfx942 (there is one on gfx950)",
    /// );
    /// ```
    #[must_use]
    pub const fn no_transfer(data: u32, chip: &'static str) -> Self {
        Self::NoTransfer { data, chip, elsewhere: crate::chip::transfer::elsewhere(data, chip) }
    }

    pub(super) const fn units(transfer: &Transfer, bits: u32) -> Self {
        Self::Units { data: transfer.data(), bits }
    }

    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Layout(error) => error.explain(text),
            Self::NoTransfer { data, chip, elsewhere } => {
                let text = say!(text: "no transfer of ", data, " bytes on ", str(chip));
                match elsewhere {
                    Some(other) => say!(text: " (there is one on ", str(other), ")"),
                    None => text,
                }
            }
            Self::Named { name, chip, instead } => say!(text:
                str(chip), " has no ", str(name), ": there it is ", str(instead)
            ),
            Self::Unknown { name, chip } => {
                let text = say!(text: "no chip has a transfer named ", str(name), "; ", str(chip));
                crate::chip::transfer::listed(text, chip)
            }
            Self::Widened { stride, data, byte, coordinate } => say!(text:
                "a lane writes ", stride, " bytes for ", data, " of data, and byte ", byte,
                " of LDS belongs to ", coordinate(coordinate.as_slice())
            ),
            Self::BehindTile { stride, data, bytes, end } => say!(text:
                "a lane writes ", stride, " bytes for ", data, " of data, the last one up to byte ", end - 1,
                ", and the layout has ", bytes, " bytes (a slice of longer rows has them)"
            ),
            Self::Padding { chunk, lane, byte, data, whole, hole } => {
                let text = say!(text: "the chunk at byte ", chunk, ": lane ", lane);
                let text = say!(text: " would write bytes ", byte, " to ", byte + data as u64 - 1);
                match hole {
                    Some(hole) => say!(text: ", of which byte ", hole, " is padding"),
                    None => say!(text:
                        ", which are padding (pad behind multiples of ", whole,
                        " bytes, or allow idle lanes)"
                    ),
                }
            }
            Self::Apart { .. } => self.explain_apart(text),
            Self::SourceMisaligned { coordinate, byte, is_least, alignment } => {
                let text = say!(text: "the source of ", coordinate(coordinate.as_slice()));
                let text =
                    text.str(if is_least { " can begin at byte " } else { " begins at byte " });
                say!(text: byte, ", which is not aligned to ", alignment)
            }
            Self::Misaligned { byte, alignment } => {
                say!(text: "LDS byte ", byte, " is not aligned to ", alignment)
            }
            Self::Lanes { lanes, wave } => {
                say!(text: "the last chunk occupies only ", lanes, " of ", wave, " lanes")
            }
            Self::Waves { chunks, chunk, waves } => say!(text:
                chunks, " chunks of ", chunk, " bytes cannot be divided evenly among ", waves, " waves"
            ),
            Self::Units { data, bits } => {
                let text = say!(text: data, " bytes are not a whole number of ");
                let text = if bits.is_multiple_of(8) {
                    say!(text: bits / 8, "-byte")
                } else {
                    say!(text: bits, "-bit")
                };
                say!(text: " elements, nor the reverse")
            }
            Self::BeyondBase { byte, bits, chip } => say!(text:
                "LDS byte ", byte, " is beyond the ", bits, " bits of M0 on ", str(chip)
            ),
            Self::Memory { bytes, chip, memory } => say!(text:
                "the layout takes ", bytes, " bytes of LDS, but ", str(chip), " has ", memory
            ),
            Self::TooMany { chunks, most } => {
                say!(text: chunks, " chunks are too many: a plan holds ", most)
            }
            Self::NoWaves => say!(text: "a load needs at least one wave"),
        }
    }

    const fn explain_apart(self, text: Text) -> Text {
        let Self::Apart { byte, data, first, second, excess, kept, needed, in_lds } = self else {
            return text;
        };
        let text = if in_lds {
            say!(text:
                coordinate(first.as_slice()), " and ", coordinate(second.as_slice()),
                " are neighbours in the source, in LDS "
            )
        } else {
            say!(text:
                "LDS bytes ", byte, " to ", byte as u64 + data as u64 - 1, " are ",
                coordinate(first.as_slice()), " and ", coordinate(second.as_slice()), ", "
            )
        };
        // Elements narrower than a byte are counted, others are measured.
        let (wanted, apart) = match data as i64 / needed as i64 {
            0 => (1, " elements apart"),
            bytes => (bytes, " bytes apart"),
        };
        let text = match excess {
            Some(excess) => say!(text: signed((excess.get() + 1) * wanted), str(apart)),
            None => say!(text: "a run-time pitch apart"),
        };
        let text = if in_lds { text } else { say!(text: " in the source") };
        let text = say!(text: ", not ", wanted, ": the layout keeps ", kept);
        let text = text.str(if kept == 1 { " element" } else { " elements" });
        say!(text: " together, the transfer needs ", needed)
    }

    /// Panics with the sentence, after a name if there is one: in a constant, on the user's line.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn refuse(self, name: &str) -> ! {
        let text = if name.is_empty() { Text::new() } else { say!(Text::new(): str(name), ": ") };
        self.explain(text).refuse()
    }
}

impl core::fmt::Display for DirectError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for DirectError {}
