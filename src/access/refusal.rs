//! Why an instruction cannot be issued with some addresses.
//!
//! [`AddressError`] has the table of its families. It is the lowest of the hardware's errors: it knows of
//! lanes, addresses and a row, and of no layout.

use super::addresses::{Addresses, first_lanes};
use super::columns::Columns;
use crate::chip::CHIPS;
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use tiledesc_transforms::{Text, range, say};

/// The reason why an instruction cannot be issued with such addresses.
///
/// Reported where the hardware would refuse or misread: for addresses that are counted as they are
/// ([`bank::conflicts`](crate::bank::conflicts())), and for those that a layout and a pattern give.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | an address | `Misaligned`, `BeyondMemory` | [`bank::conflicts`](crate::bank::conflicts()), verdicts |
/// | the active lanes | `NoSuchLane`, `Inactive` | the same |
/// | the row: two addresses without their distance, or none of the chip | `Offsets`, `Absent` | the same, and statements |
///
/// It wraps nothing. [`AccessError::Address`](super::AccessError::Address) wraps it where the addresses
/// come from a layout.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::access::AddressError;
///
/// let printed = [
///     (
///         AddressError::Misaligned { lane: 1, address: 136, alignment: 16, looser: None },
///         "byte 136 of lane 1 is not aligned to 16; some hardware accepts that, but no source says at what cost",
///     ),
///     (
///         AddressError::Inactive { lane: 5 },
///         "lane 5 is inactive, but the instruction needs all lanes",
///     ),
///     (
///         AddressError::Offsets { name: "ds_read2_b64", unit: 8 },
///         "`ds_read2_b64` has two addresses: write `ds_read2_b64(0, D)` with the distance D in units of 8 bytes (of a row: `.offsets(0, D)`)",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the sentence of a variant says what its numbers are")]
pub enum AddressError {
    /// The byte `address` of `lane` is not a multiple of the instruction's `alignment`.
    ///
    /// AMD's hardware takes some such accesses: in unaligned mode (LLVM, `unaligned-access-mode`) `ds_write_b128` at a multiple
    /// of 4. LLVM ranks it below an aligned one; no source states how many cycles it takes, and which lanes are served together.
    /// So it is refused, like what NVIDIA faults on. A source does state it for gfx1250's transposed loads of 8 bytes: the chip's
    /// [row](crate::chip::Instruction::looser) `looser` takes multiples of 4.
    Misaligned { lane: usize, address: u32, alignment: u32, looser: Option<&'static str> },
    /// The access of `lane` ends at byte `end`, past the bytes that the `memory` has.
    BeyondMemory { lane: usize, end: u64, memory: u64 },
    /// Lane `lane` is active, and a `wave` has fewer.
    NoSuchLane { lane: usize, wave: usize },
    /// Lane `lane` is inactive, and the instruction needs all of them.
    Inactive { lane: usize },
    /// The instruction `name` has two addresses, and their offsets, in units of `unit` bytes, are not stated.
    Offsets { name: &'static str, unit: u32 },
    /// The `chip` has no instruction `name`.
    Absent { name: &'static str, chip: &'static str },
}

impl AddressError {
    /// Appends the sentence to a text.
    pub(crate) const fn explain(self, text: Text) -> Text {
        match self {
            Self::Misaligned { lane, address, alignment, looser } => {
                let text = say!(text: "byte ", address, " of lane ", lane, " is not aligned to ", alignment);
                // What is narrower has one form only.
                if alignment <= 4 {
                    return text;
                }
                if let Some(looser) = looser
                    && address.is_multiple_of(4)
                {
                    return say!(text: "; `", str(looser), "` takes multiples of 4");
                }
                text.str("; some hardware accepts that, but no source says at what cost")
            }
            Self::BeyondMemory { lane, end, memory } => say!(text:
                "lane ", lane, " would touch byte ", end.saturating_sub(1),
                ", beyond the memory of ", memory, " bytes"
            ),
            Self::NoSuchLane { lane, wave } => say!(text:
                "lane ", lane, " is active in a wave of ", wave
            ),
            Self::Inactive { lane } => say!(text:
                "lane ", lane, " is inactive, but the instruction needs all lanes"
            ),
            Self::Offsets { name, unit } => say!(text:
                "`", str(name), "` has two addresses: write `", str(name), "(0, D)` with the distance D in \
                 units of ", unit, " bytes (of a row: `.offsets(0, D)`)"
            ),
            Self::Absent { name, chip } => absent(text, name, chip),
        }
    }
}

/// Appends the chips that have what one lacks. A function, because the constants that a body names are evaluated whether it gets
/// to them or not, and all chips are a second of the compiler.
const fn absent(text: Text, name: &str, chip: &str) -> Text {
    let (mut text, mut others) = (say!(text: str(chip), " has no ", str(name)), 0);
    range!(i, 0..CHIPS.len(), {
        if CHIPS[i].has(name) {
            let between = if others == 0 { "; " } else { ", " };
            text = say!(text: str(between), str(CHIPS[i].name()));
            others += 1;
        }
    });
    text.str(match others {
        0 => "",
        1 => " has it",
        _ => " have it",
    })
}

impl core::fmt::Display for AddressError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for AddressError {}

/// The first invalid address. Most waves have none, which the bitwise or of all addresses shows already: no address exceeds it.
#[inline]
pub(crate) const fn refusal(
    addresses: &Addresses,
    instruction: &Instruction,
) -> Option<AddressError> {
    if let Some(error) = no_instruction(instruction) {
        return Some(error);
    }
    let phases = &instruction.service().phases;
    let (wave, addressed) = (first_lanes(phases.wave()), first_lanes(phases.addressed()));
    let mut bits = 0;
    range!(lane, 0..Phases::LANES, {
        bits |= addresses.bytes[lane];
    });
    let aligned = bits & (instruction.alignment() - 1) == 0;
    let within = bits as u64 + instruction.bytes_to_end() as u64 <= memory(instruction);
    let all = addresses.active & addressed == addressed;
    let lanes = addresses.active & !wave == 0 && (!instruction.needs_whole_wave() || all);
    if aligned && within && lanes { None } else { first_refusal(addresses, instruction) }
}

/// Why a row cannot be issued: its chip lacks the instruction, or its two offsets are not stated.
pub(crate) const fn no_instruction(row: &Instruction) -> Option<AddressError> {
    let name = row.name();
    if row.is_absent() {
        return Some(AddressError::Absent { name, chip: row.chip() });
    }
    match row.lacks_offsets() {
        Some(unit) => Some(AddressError::Offsets { name, unit }),
        None => None,
    }
}

/// Returns whether an instruction can have all addresses that are an xor of these columns, in lanes of
/// which `active` are: of as many as supply an address, none is inactive.
#[inline]
pub(crate) const fn accepts(columns: &Columns, active: u64, instruction: &Instruction) -> bool {
    let (bits, wave) = (columns.mask(), instruction.service().phases.wave());
    no_instruction(instruction).is_none()
        && bits & (instruction.alignment() - 1) == 0
        && bits as u64 + instruction.bytes_to_end() as u64 <= memory(instruction)
        && active & !first_lanes(wave) == 0
}

/// The bytes that an address of 32 bits can have: the memory of rows that state none.
pub(crate) const MOST_BYTES: u64 = 1 << 32;

const fn memory(instruction: &Instruction) -> u64 {
    match instruction.memory() {
        Some(memory) => memory as u64,
        None => MOST_BYTES,
    }
}

const fn first_refusal(addresses: &Addresses, instruction: &Instruction) -> Option<AddressError> {
    let phases = &instruction.service().phases;
    let (wave, addressed) = (phases.wave(), phases.addressed());
    let (alignment, memory) = (instruction.alignment(), memory(instruction));
    range!(lane, 0..Phases::LANES, {
        let address = addresses.bytes[lane];
        let end = address as u64 + instruction.bytes_to_end() as u64;
        if !addresses.is_active(lane) {
            if lane < addressed && instruction.needs_whole_wave() {
                return Some(AddressError::Inactive { lane });
            }
        } else if lane >= wave {
            return Some(AddressError::NoSuchLane { lane, wave });
        } else if lane >= addressed {
            // What such a lane holds is not an address: the instruction does not look at it.
        } else if !address.is_multiple_of(alignment) {
            let looser = instruction.looser();
            return Some(AddressError::Misaligned { lane, address, alignment, looser });
        } else if end > memory {
            return Some(AddressError::BeyondMemory { lane, end, memory });
        }
    });
    None
}
