//! A row of the table of matrix instructions: what is the same on all its chips.

use crate::distribution::{Distribution, Encoding};

/// What stands in the table of an instruction: the same on all its chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstructionRow {
    pub(super) name: &'static str,
    pub(super) on: On,
    /// Bits of an element of A, of B and of C.
    pub(super) bits: [u32; 3],
    pub(super) a: &'static Encoding,
    /// `None` if the instruction reads it from memory by itself.
    pub(super) b: Option<&'static Encoding>,
    pub(super) c: &'static Encoding,
    /// C of swapped operands; `None` if they cannot be swapped.
    pub(super) swapped_c: Option<&'static Encoding>,
}

/// The chips of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// These.
    Chips(&'static [&'static str]),
    /// NVIDIA's of this compute capability, times ten, and later.
    Since(u32),
}

impl On {
    pub(super) fn has(self, chip: &str) -> bool {
        match self {
            Self::Chips(names) => names.contains(&chip),
            Self::Since(first) => capability(chip).is_some_and(|number| number >= first),
        }
    }
}

/// 90 of `sm_90`.
pub(super) fn capability(chip: &str) -> Option<u32> {
    chip.strip_prefix("sm_")?.parse().ok()
}

/// What lanes hold of an operand, for the table.
pub(super) const fn held<T: Distribution>() -> &'static Encoding {
    match const { &T::ENCODING } {
        Ok(encoding) => encoding,
        Err(fault) => fault.text().refuse(),
    }
}
