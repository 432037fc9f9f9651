//! What does not fit into the memory of a block, in one sentence with the numbers.

use tiledesc_transforms::{Error, Text, say};

/// Why something has no place.
///
/// Its `Display` is the sentence that the compiler prints for the same mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageError {
    /// The layout cannot be.
    Layout(Error),
    /// Buffers without a buffer.
    NoCopies,
    /// An alignment that is not a power of two.
    Alignment {
        /// The alignment, in bytes.
        alignment: u64,
    },
    /// More than 32 bits of bytes.
    TooLarge {
        /// How many.
        bytes: u64,
    },
    /// More than the chip has.
    Full {
        /// Its name.
        name: &'static str,
        /// Its bytes.
        bytes: u32,
        /// The first byte that it could have.
        begin: u64,
        /// How many others are alive.
        others: u32,
        /// The chip.
        chip: &'static str,
        /// The bytes that the chip has.
        memory: u32,
    },
    /// Buffers that take more than the chip has.
    Memory {
        /// Their bytes.
        bytes: u32,
        /// The chip.
        chip: &'static str,
        /// The bytes that the chip has.
        memory: u32,
    },
    /// Buffers that are no whole number of elements apart.
    Fraction {
        /// Bytes from one buffer to the next.
        distance: u32,
        /// Bits of an element.
        bits: u32,
    },
    /// Two of one name.
    SameName {
        /// The name.
        name: &'static str,
    },
    /// Nothing has the name.
    Unknown,
    /// What is dropped has been dropped before.
    Dropped {
        /// Its name.
        name: &'static str,
    },
    /// It does not begin where its accesses want it.
    Misplaced {
        /// Its name.
        name: &'static str,
        /// The byte: that of the first copy, or the distance between copies.
        byte: u32,
        /// Whether it is the distance.
        is_distance: bool,
        /// What it should be a multiple of, in bytes.
        alignment: u64,
    },
    /// Buffers whose accesses differ from those of one.
    Apart {
        /// Bytes from one buffer to the next.
        distance: u32,
        /// What they should be a multiple of.
        unit: u32,
        /// Whether addresses would be misaligned; else other elements would share a dword.
        is_alignment: bool,
    },
    /// More than an arena can hold.
    TooMany {
        /// The limit.
        most: u32,
    },
}

impl StorageError {
    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Layout(error) => error.explain(text),
            Self::NoCopies => text.str("0 buffers are no memory"),
            Self::Alignment { alignment } => say!(text:
                "an alignment of ", alignment, " bytes is not a power of two up to 2147483648"
            ),
            Self::TooLarge { bytes } => say!(text: bytes, " bytes do not fit into 32 bits"),
            Self::Full { name, bytes, begin, others, chip, memory } => {
                let text = say!(text: str(name), " takes ", bytes, " bytes from ", begin, " on");
                let text = match others {
                    0 => text,
                    1 => text.str(", after one other that is alive"),
                    _ => say!(text: ", beside ", others, " others that are alive"),
                };
                let end = begin + bytes as u64;
                say!(text: ": to byte ", end, " of the ", memory, " that ", str(chip), " has")
            }
            Self::Memory { bytes, chip, memory } => say!(text:
                "all buffers take ", bytes, " bytes, of the ", memory, " that ", str(chip), " has"
            ),
            Self::Fraction { distance, bits } => say!(text:
                "the buffers are ", distance, " bytes apart, no whole number of elements of ", bits,
                " bits"
            ),
            Self::SameName { name } => say!(text: "two have the name \"", str(name), "\""),
            Self::Unknown => text.str("nothing has this name"),
            Self::Dropped { name } => say!(text: str(name), " was dropped before"),
            Self::Misplaced { name, byte, is_distance, alignment } => {
                let text = say!(text: str(name));
                let text = text.str(if is_distance { " has buffers " } else { " begins at byte " });
                let text = say!(text: byte);
                let text = text.str(if is_distance { " bytes apart" } else { "" });
                say!(text: ", which is not a multiple of ", alignment)
            }
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
            Self::TooMany { most } => say!(text: "an arena holds at most ", most),
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
