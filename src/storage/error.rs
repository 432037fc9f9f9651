//! The refusals of what does not fit into the memory of a block, in one sentence with the numbers.
//!
//! [`StorageError`] has the table of its families: sizes, buffers, room, names, places.

use crate::layout::place;
use tiledesc_transforms::{Error, List, Text, say};

/// The reason why a buffer cannot be placed.
///
/// Reported where LDS is shared out: by [`Size`](super::Size), [`Buffered`](super::Buffered) and
/// [`Arena`](super::Arena). In a constant it stops the build at the line of the arena's step.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | a size | `NoCopies`, `Alignment`, `TooLarge` | [`Size::times`](super::Size::times), [`Size::aligned`](super::Size::aligned) |
/// | buffers: further ones would not behave as the first | `Apart`, `Unaligned`, `Fraction`, `Memory` | [`Buffered::are_alike`](super::Buffered::are_alike), [`Buffered::plan`](super::Buffered::plan) |
/// | the room that is left | `Full`, `TooMany` | [`Arena::with`](super::Arena::with) |
/// | a name | `SameName`, `Unknown`, `Dropped`, `Ended` | [`Arena::with`](super::Arena::with), and asking for it |
/// | accesses that a place does not suit | `Misplaced`, `Small`, `OtherTile`, `OtherLayout`, `NothingHeld` | [`Arena::accessed_by`](super::Arena::accessed_by) |
///
/// It wraps [`Error`] (`Layout`). Nothing wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::storage::StorageError;
///
/// let printed = [
///     (
///         StorageError::Alignment { alignment: 48 },
///         "an alignment of 48 bytes is not a power of two up to 2147483648",
///     ),
///     (
///         StorageError::Apart { distance: 5112, unit: 16, is_alignment: true },
///         "the buffers are 5112 bytes apart, which is not a multiple of 16: buffer 1 is misaligned",
///     ),
///     (StorageError::TooMany { most: 32 }, "an arena holds at most 32 buffers"),
///     (StorageError::Dropped { name: "a" }, "a was dropped before"),
///     (
///         StorageError::Misplaced { name: "a", distance: 5112, alignment: 16 },
///         "a has copies 5112 bytes apart, which is not a multiple of 16: write `Buffered<_, _, Lit<16>>`",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
///
/// Its `Display` is the sentence that the compiler prints for the same mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageError {
    /// The layout is invalid.
    Layout(Error),
    /// Zero buffers.
    NoCopies,
    /// An alignment that is not a power of two.
    Alignment {
        /// The alignment, in bytes.
        alignment: u64,
    },
    /// More than 32 bits of bytes.
    TooLarge {
        /// The number of bytes.
        bytes: u64,
    },
    /// More than the chip has.
    Full {
        /// The name of the buffer.
        name: &'static str,
        /// The bytes of the buffer.
        bytes: u32,
        /// The first byte that it could have.
        begin: u64,
        /// The number of other buffers that are alive.
        others: u32,
        /// The chip.
        chip: &'static str,
        /// The bytes that the chip has.
        memory: u32,
    },
    /// Buffers that take more than the chip has.
    Memory {
        /// The bytes of all buffers.
        bytes: u32,
        /// The chip.
        chip: &'static str,
        /// The bytes that the chip has.
        memory: u32,
    },
    /// Buffers that are not a whole number of elements apart.
    Fraction {
        /// Bytes from one buffer to the next.
        distance: u32,
        /// Bits of an element.
        bits: u32,
    },
    /// Two buffers with one name.
    SameName {
        /// The name.
        name: &'static str,
    },
    /// No buffer has the name.
    Unknown,
    /// The buffer to drop has been dropped before.
    Dropped {
        /// The name of the buffer.
        name: &'static str,
    },
    /// The buffer whose place is asked for has ended.
    Ended {
        /// The name of the buffer.
        name: &'static str,
        /// What lives in its place now; "" if nothing does yet.
        now: &'static str,
    },
    /// Copies that do not all begin where their accesses need them.
    Misplaced {
        /// The name of the copies.
        name: &'static str,
        /// Bytes from one to the next.
        distance: u32,
        /// The alignment that the distance should have, in bytes.
        alignment: u64,
    },
    /// Accesses of a layout that is larger than what is held.
    Small {
        /// The name of the buffer.
        name: &'static str,
        /// Bytes of one copy.
        bytes: u32,
        /// Bytes of the layout that is accessed.
        wanted: u32,
    },
    /// Accesses of a tile of other lengths than the one that is held.
    OtherTile {
        /// The name of the buffer.
        name: &'static str,
        /// The lengths of the tile that is held.
        held: List,
        /// Those of the one that is accessed; by reference, since 128 bytes are too large for a result.
        accessed: &'static List,
    },
    /// Accesses of another layout of the tile that is held.
    OtherLayout {
        /// The name of the buffer.
        name: &'static str,
        /// An element that the two have at different places.
        coordinate: List,
        /// The bits at which it begins, in the layout that is held and in the one that is accessed; [`u64::MAX`] of padding.
        bits: [u64; 2],
    },
    /// Accesses to a buffer that does not exist yet or was dropped.
    NothingHeld,
    /// Buffers whose accesses differ from those of one.
    Apart {
        /// Bytes from one buffer to the next.
        distance: u32,
        /// The number of bytes whose multiple the distance should be.
        unit: u32,
        /// True if addresses would be misaligned; else other elements would share a dword.
        is_alignment: bool,
    },
    /// Memory that is less aligned than its accesses need.
    Unaligned {
        /// The alignment of the memory, in bytes.
        alignment: u32,
        /// The alignment that the memory should have, in bytes.
        unit: u32,
    },
    /// More than an arena can hold.
    TooMany {
        /// The limit.
        most: u32,
    },
}

/// What to do about accesses in another layout.
const HOLD: &str = "; hold what is accessed, or bytes: `holds_bytes`";

impl StorageError {
    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Layout(error) => error.explain(text),
            Self::NoCopies => text.str("0 buffers: at least one is needed"),
            Self::Alignment { alignment } => say!(text:
                "an alignment of ", alignment, " bytes is not a power of two up to 2147483648"
            ),
            Self::TooLarge { bytes } => say!(text: bytes, " bytes do not fit into 32 bits"),
            Self::Full { name, bytes, begin, others, chip, memory } => {
                let last = (begin + bytes as u64).saturating_sub(1);
                let text = say!(text: str(name), " does not fit: it would take bytes ", begin, " to ", last);
                let text = say!(text: ", but ", str(chip), " has ", memory);
                match others {
                    0 => text,
                    1 => text.str(" (1 other buffer is live)"),
                    _ => say!(text: " (", others, " other buffers are live)"),
                }
            }
            Self::Memory { bytes, chip, memory } => say!(text:
                "all buffers together take ", bytes, " bytes, but ", str(chip), " has ", memory
            ),
            Self::Fraction { distance, bits } => say!(text:
                "the buffers are ", distance, " bytes apart, which is not a whole number of ", bits,
                "-bit elements"
            ),
            Self::SameName { name } => say!(text: "two buffers have the name \"", str(name), "\""),
            Self::Unknown => text.str("no buffer has this name"),
            Self::Dropped { name } => say!(text: str(name), " was dropped before"),
            Self::Ended { name, now } => {
                let text = say!(text: str(name), " has ended");
                let text = if now.is_empty() { text } else { say!(text: ", and ", str(now), " lies in its place") };
                text.str(": ask the arena in which it lives, the one before `.then()` or `.drops(..)`")
            }
            Self::Misplaced { name, distance, alignment } => say!(text:
                str(name), " has copies ", distance, " bytes apart, which is not a multiple of ", alignment,
                ": write `Buffered<_, _, Lit<", alignment, ">>`"
            ),
            Self::Small { name, bytes, wanted } => say!(text:
                str(name), " has ", bytes, " bytes, and its accesses are of a layout of ", wanted
            ),
            Self::OtherTile { name, held, accessed } => say!(text:
                str(name), " is held as a tile of ", list(held.as_slice()), " and accessed as one of ",
                list(accessed.as_slice()), str(HOLD)
            ),
            Self::OtherLayout { name, coordinate, bits: [held, accessed] } => {
                let text = say!(text:
                    str(name), " is accessed in another layout than it is held in: ", coordinate(coordinate.as_slice()), " is "
                );
                let text = place(place(text, held).str(" of the one, "), accessed);
                text.str(" of the other").str(HOLD)
            }
            Self::NothingHeld => text.str(
                "accesses are of what was held last, and nothing was, or it is over: write `accessed_by` \
                 behind `holds`"
            ),
            Self::Apart { distance, unit, is_alignment } => {
                let text = say!(text:
                    "the buffers are ", distance, " bytes apart, which is not a multiple of ", unit
                );
                text.str(if is_alignment {
                    ": buffer 1 is misaligned"
                } else {
                    ": in buffer 1 other elements share a dword"
                })
            }
            Self::Unaligned { alignment, unit } => say!(text:
                "the buffers begin at a multiple of ", alignment, " bytes, and the access needs one of ", unit
            ),
            Self::TooMany { most } => say!(text: "an arena holds at most ", most, " buffers"),
        }
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

impl core::fmt::Display for StorageError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for StorageError {}
