//! IREE's `xor_shuffle`: chunks of a row xor-ed with the row's number, of an allocation without dimensions.
//!
//! ```text
//!   #iree_codegen.xor_shuffle<row_width, access_width, row_stride, per_phase>
//!   #iree_codegen.xor_shuffle<64, 8>                                              rows of 64 elements, chunks of 8
//!
//!   row     element / row_width              phase   row / per_phase  mod  row_width / access_width
//!   chunk   element % row_width / access_width  xor  phase
//! ```
//!
//! The last two numbers may be left out or 0: rows are side by side, and each has its own phase. It is the swizzle of
//! Triton's `vec = access_width, perPhase = per_phase, maxPhase = row_width / access_width`, but a tile's row may be
//! longer or shorter than a row of the shuffle.
//!
//! Source: iree-org/iree, the tests of `xor_shuffle` and pull request 21562.

use crate::Error;
use tiledesc::{Linear, List, Plan};

/// An `xor_shuffle`.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::iree::XorShuffle;
///
/// let shuffle: XorShuffle = "#iree_codegen.xor_shuffle<64, 8>".parse()?;
/// let plan = shuffle.plan(List::pair(128, 64))?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(3 * 64 + (17 / 8 ^ 3) * 8 + 17 % 8));
/// assert_eq!(shuffle.to_string(), "#iree_codegen.xor_shuffle<64, 8>");
/// let odd = "xor_shuffle<48, 8>".parse::<XorShuffle>().unwrap_err();
/// assert_eq!(odd.to_string(), "xor_shuffle<48, 8>: both numbers must be powers of two, and a chunk no longer than a row");
/// let text = "rotate_rows<64, 8>".parse::<XorShuffle>().unwrap_err();
/// assert_eq!(text.to_string(), "expected `#iree_codegen.xor_shuffle<row_width, access_width>`");
/// let apart = "#iree_codegen.xor_shuffle<64, 8, 72>".parse::<XorShuffle>().unwrap_err();
/// assert_eq!(apart.to_string(), "rows of 64 elements, 72 apart: only rows side by side are read");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XorShuffle {
    row_width: u32,
    access_width: u32,
    per_phase: u32,
}

impl core::str::FromStr for XorShuffle {
    type Err = Error;

    /// Reads the attribute, with or without its dialect.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || Error::no_text("#iree_codegen.xor_shuffle<row_width, access_width>");
        let text = text.trim();
        let text = text.strip_prefix("#iree_codegen.").unwrap_or(text);
        let numbers = text.strip_prefix("xor_shuffle<").and_then(|rest| rest.strip_suffix('>'));
        let mut all = [0_u32; 4];
        let mut count = 0;
        for word in numbers.ok_or_else(refused)?.split(',') {
            let slot = all.get_mut(count).ok_or_else(refused)?;
            *slot = word.trim().parse().map_err(|_| refused())?;
            count += 1;
        }
        let [row, access, stride, per_phase] = all;
        let per_phase = per_phase.max(1);
        match () {
            () if count < 2 => Err(refused()),
            () if !row.is_power_of_two()
                || !access.is_power_of_two()
                || !per_phase.is_power_of_two()
                || access > row =>
            {
                Err(Error::number(format!(
                    "xor_shuffle<{row}, {access}>: both numbers must be powers of two, and a chunk no longer than a row"
                )))
            }
            () if stride != 0 && stride != row => Err(Error::no_form(format!(
                "rows of {row} elements, {stride} apart: only rows side by side are read"
            ))),
            () => Ok(Self { row_width: row, access_width: access, per_phase }),
        }
    }
}

impl XorShuffle {
    /// The layout of a tile of these lengths, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// A length that is not a power of two, more than 32 bits.
    pub fn plan(&self, lengths: List) -> Result<Plan, tiledesc::Error> {
        for d in 0..lengths.len() {
            if !lengths.at(d).is_power_of_two() {
                return Err(tiledesc::Error::NotLinear { length: Some((d as u32, lengths.at(d))) });
            }
        }
        let bits = lengths.elements().ilog2() as usize;
        if bits > Linear::BITS {
            return Err(tiledesc::Error::TooManyBits { columns: bits as u32 });
        }
        let phases = self.row_width / self.access_width;
        let mut columns = [0; Linear::BITS];
        for (b, column) in columns.iter_mut().enumerate().take(bits) {
            let row = (1_u64 << b >> self.row_width.ilog2()) as u32;
            *column = (1 << b) ^ (self.access_width * (row / self.per_phase % phases));
        }
        super::linear::plan(&Linear::new(&columns[..bits], 0)?, lengths.as_slice())
    }
}

impl core::fmt::Display for XorShuffle {
    /// Prints the text that IREE prints.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { row_width, access_width, per_phase } = self;
        write!(f, "#iree_codegen.xor_shuffle<{row_width}, {access_width}")?;
        if *per_phase > 1 { write!(f, ", {row_width}, {per_phase}>") } else { f.write_str(">") }
    }
}
