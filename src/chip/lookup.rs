//! A chip or a row by a name that is data: of a file, a command line, a compiled kernel.
//!
//! | name | answer |
//! |---|---|
//! | `gfx942`, `ds_read_b128`, `ld.shared.b32` | the chip, the row |
//! | `MI300X`, `sm_90a`, `GFX942` | the name that it has here |
//! | `gfx941` | its nearest relative with rows |
//! | `gfx942`, `ds_read_b256` | the rows that there are |

use super::{CHIPS, Chip, Instruction, names};

/// The chip of this name, for tools that read the name from a file.
///
/// ```
/// use tiledesc::chip;
///
/// assert_eq!(chip::find("gfx942")?.instruction("ds_read_b128")?.bytes(), 16);
/// assert!(chip::find("gfx942")?.instruction("ds_load_b128").is_ok());
/// assert_eq!(
///     chip::find("gfx1152").unwrap_err().to_string(),
///     "there are no rows for this chip; its nearest relative with rows is gfx1151",
/// );
/// // Products and compilers have other names.
/// for name in ["MI300X", "GFX942", "Strix Halo", "sm90a"] {
///     assert!(matches!(chip::find(name), Err(chip::ChipError::Meant { .. })));
/// }
/// # Ok::<(), chip::ChipError>(())
/// ```
///
/// # Errors
///
/// [`ChipError::Meant`] of a name that a chip goes by elsewhere, else [`ChipError::NoChip`].
pub fn find(name: &str) -> Result<&'static Chip, ChipError> {
    let found = CHIPS.iter().find(|chip| chip.name == name);
    found.ok_or_else(|| match meant(name) {
        Some(meant) => ChipError::Meant { chip: meant },
        None => ChipError::NoChip { nearest: nearest(name) },
    })
}

/// The chip of a name that differs in case, or is a product's or a compiler's.
fn meant(name: &str) -> Option<&'static str> {
    let own = CHIPS.iter().map(Chip::name).find(|chip| names::is_alike(chip, name));
    own.or_else(|| listed_under(names::MEANT, name))
}

/// The chip of a row that holds this name.
fn listed_under(rows: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    let is_in = |(_, all): &&(_, &[&str])| all.iter().any(|one| names::is_alike(one, name));
    rows.iter().find(is_in).map(|(chip, _)| *chip)
}

/// The relative of a chip without rows; of one that no table has, the chip whose name shares the longest beginning, of
/// several the last, which is the newest.
fn nearest(name: &str) -> Option<&'static str> {
    let common =
        |chip: &&Chip| chip.name.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    // The letters before the number say no more than the vendor.
    let is_near =
        |chip: &&Chip| common(chip) > chip.name.bytes().take_while(|c| !c.is_ascii_digit()).count();
    let listed = listed_under(names::WITHOUT_ROWS, name);
    listed.or_else(|| CHIPS.iter().filter(is_near).max_by_key(common).map(Chip::name))
}

impl Chip {
    /// The row of an instruction, by its mnemonic in assembly (`ld.shared.b32`) or its name
    /// here (`ld_shared_b32`).
    ///
    /// # Errors
    ///
    /// [`ChipError::NoInstruction`].
    pub fn instruction(&self, name: &str) -> Result<&'static Instruction, ChipError> {
        let same = |row: &&Instruction| {
            row.name().len() == name.len()
                && row.name().bytes().map(in_code).eq(name.bytes().map(in_code))
        };
        let row = self.rows.iter().chain(self.renamed).find(same);
        row.ok_or(ChipError::NoInstruction { chip: self.name, rows: self.rows })
    }

    /// Returns whether it has an instruction of this name, as constants have it.
    pub(crate) const fn has(&self, name: &str) -> bool {
        is_among(self.rows, name) || is_among(self.renamed, name)
    }
}

const fn is_among(rows: &[Instruction], name: &str) -> bool {
    let mut i = 0;
    while i < rows.len() {
        if is_in_code(rows[i].name().as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

/// Returns whether a mnemonic has this name here.
const fn is_in_code(mnemonic: &[u8], name: &[u8]) -> bool {
    let mut i = 0;
    while i < mnemonic.len() && i < name.len() {
        if in_code(mnemonic[i]) != name[i] {
            return false;
        }
        i += 1;
    }
    mnemonic.len() == name.len()
}

/// Mnemonics have dots, constants cannot.
const fn in_code(byte: u8) -> u8 {
    if byte == b'.' { b'_' } else { byte }
}

/// No chip or no row has this name.
///
/// Reported where a chip or a row is looked up by a name that is data, as in a file. In Rust a wrong name is an
/// unresolved one.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the chip | `NoChip` | [`find`] |
/// | the row | `NoInstruction` | [`Chip::instruction`] |
///
/// It wraps nothing, and nothing wraps it. A matrix instruction that a chip lacks is a
/// [`NoMatrixInstruction`](crate::warp_gemm::NoMatrixInstruction), a transfer a
/// [`DirectError`](crate::direct::DirectError).
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::chip::ChipError;
///
/// let printed = [
///     (
///         ChipError::NoChip { nearest: Some("gfx942") },
///         "there are no rows for this chip; its nearest relative with rows is gfx942",
///     ),
///     (ChipError::NoInstruction { chip: "mine", rows: &[] }, "mine has no rows"),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChipError {
    /// No chip has this name here, but one has it elsewhere: `MI300X`, `sm_90a`, `GFX942`.
    Meant {
        /// The chip.
        chip: &'static str,
    },
    /// No chip has this name.
    NoChip {
        /// The chip with the nearest name, if any is near.
        nearest: Option<&'static str>,
    },
    /// The chip has no such row.
    NoInstruction {
        /// The chip.
        chip: &'static str,
        /// The rows of the chip.
        rows: &'static [Instruction],
    },
}

impl core::fmt::Display for ChipError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Meant { chip } => write!(f, "the chip is called `{chip}` here"),
            Self::NoChip { nearest: Some(nearest) } => {
                write!(
                    f,
                    "there are no rows for this chip; its nearest relative with rows is {nearest}"
                )
            }
            Self::NoChip { nearest: None } => {
                f.write_str("there are no rows for this chip; there are rows for ")?;
                listed(f, CHIPS.iter().map(Chip::name))
            }
            Self::NoInstruction { chip, rows } => {
                if rows.is_empty() {
                    return write!(f, "{chip} has no rows");
                }
                write!(f, "{chip} has no such row; it has ")?;
                listed(f, rows.iter().map(Instruction::name))
            }
        }
    }
}

impl core::error::Error for ChipError {}

fn listed<'a>(
    f: &mut core::fmt::Formatter<'_>,
    names: impl Iterator<Item = &'a str>,
) -> core::fmt::Result {
    for (i, name) in names.enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        f.write_str(name)?;
    }
    Ok(())
}
