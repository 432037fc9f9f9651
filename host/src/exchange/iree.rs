//! IREE's swizzles: chunks of a row xor-ed with the row's number, or rotated by it, of an allocation without dimensions.
//!
//! ```text
//!   #iree_codegen.xor_shuffle<row_width, access_width, row_stride, per_phase>
//!   #iree_codegen.xor_shuffle<64, 8>                                              rows of 64 elements, chunks of 8
//!
//!   row     element / row_width              phase   row / per_phase  mod  row_width / access_width
//!   chunk   element % row_width / access_width  xor  phase
//!
//!   #iree_codegen.rotate_rows<row_width, access_width>
//!   chunk   (element % row_width / access_width + row)  mod  row_width / access_width
//! ```
//!
//! The last two numbers of `xor_shuffle` may be left out or 0, as in all that IREE makes of itself: rows are side by side, and each has its own phase. It is the swizzle of
//! Triton's `vec = access_width, perPhase = per_phase, maxPhase = row_width / access_width`, but a tile's row may be
//! longer or shorter than a row of the shuffle.
//!
//! Source: iree-org/iree, the tests of `xor_shuffle`, pull request 21562, and `RotateRowsAttr` in `IREECodegenAttrs.cpp`.

use crate::Error;
use tiledesc::{Linear, List, NumberError, Op, Plan};

/// A swizzle of either kind.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::iree::Swizzle;
///
/// let rotated: Swizzle = "#iree_codegen.rotate_rows<48, 8>".parse()?;
/// let plan = rotated.plan(List::pair(20, 48))?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(3 * 48 + (17 / 8 + 3) % 6 * 8 + 17 % 8));
/// assert_eq!(rotated.to_string(), "#iree_codegen.rotate_rows<48, 8>");
/// let shuffled: Swizzle = "xor_shuffle<64, 8>".parse()?;
/// assert_eq!(shuffled.plan(List::pair(128, 64))?.offset(&[3, 17]), Ok(201));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Swizzle {
    /// `xor_shuffle`.
    Xor(XorShuffle),
    /// `rotate_rows`.
    Rotate(RotateRows),
}

impl Swizzle {
    /// The layout of a tile of these lengths, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// Those of [`XorShuffle::plan`] and [`RotateRows::plan`].
    pub fn plan(&self, lengths: List) -> Result<Plan, tiledesc::Error> {
        match self {
            Self::Xor(one) => one.plan(lengths),
            Self::Rotate(one) => one.plan(lengths),
        }
    }

    /// The attribute of a plan of two dimensions; `None` of any other, also of one with more elements than are compared.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::exchange::iree::Swizzle;
    ///
    /// descriptor! {
    ///     type Rotated:
    ///         packed [20, 6, 8];
    ///         cyclic_shift[20, 6] (0, 1) -> (0, 1), pass[8] (2) -> (2);
    ///         pass[20] (0) -> (0), merge[6, 8] (1, 2) -> (1);
    /// }
    /// layout! { type Tile = Layout<F16, Rotated>; }
    /// assert_eq!(Swizzle::from_plan(&Tile::PLAN).unwrap().to_string(), "#iree_codegen.rotate_rows<48, 8>");
    /// ```
    #[must_use]
    pub fn from_plan(plan: &Plan) -> Option<Self> {
        let lengths = plan.lengths();
        if lengths.len() != 2 || lengths.at(0) < 2 || plan.elements() > MOST_COMPARED {
            return None;
        }
        let row = lengths.at(1);
        // The first element of the second row is in its second chunk.
        let chunk = plan.offset(&[1, 0]).ok()?.checked_sub(row)?;
        let same = |other: Plan| {
            (0..plan.elements()).all(|number| {
                let index = plan.nth(number);
                plan.offset(index.as_slice()) == other.offset(index.as_slice())
            })
        };
        ["xor_shuffle", "rotate_rows"].iter().find_map(|name| {
            let one: Self = format!("{name}<{row}, {chunk}>").parse().ok()?;
            one.plan(lengths).is_ok_and(same).then_some(one)
        })
    }
}

/// The most elements of two layouts that are compared: a tenth of a second.
const MOST_COMPARED: u64 = 1 << 20;

impl core::str::FromStr for Swizzle {
    type Err = Error;

    /// Reads the attribute, with or without its dialect.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.contains("rotate_rows") {
            true => text.parse().map(Self::Rotate),
            false => text.parse().map(Self::Xor),
        }
    }
}

impl core::fmt::Display for Swizzle {
    /// Prints the text that IREE prints.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Xor(one) => one.fmt(f),
            Self::Rotate(one) => one.fmt(f),
        }
    }
}

/// A `rotate_rows`: the chunks of a row begin as many places further as the row's number says.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::iree::RotateRows;
///
/// let rows: RotateRows = "#iree_codegen.rotate_rows<64, 4>".parse()?;
/// assert_eq!(rows.plan(List::pair(16, 64))?.offset(&[5, 62]), Ok(5 * 64 + (15 + 5) % 16 * 4 + 2));
/// let odd = "rotate_rows<64, 24>".parse::<RotateRows>().unwrap_err();
/// assert_eq!(odd.to_string(), "rotate_rows<64, 24>: 64 elements of a row are not whole chunks of 24");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotateRows {
    row_width: u32,
    access_width: u32,
}

impl core::str::FromStr for RotateRows {
    type Err = Error;

    /// Reads the attribute, with or without its dialect.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || Error::no_text("#iree_codegen.rotate_rows<row_width, access_width>");
        match numbers(text, "rotate_rows").ok_or_else(refused)?[..] {
            [row_width, access_width]
                if access_width == 0 || row_width == 0 || row_width % access_width != 0 =>
            {
                Err(Error::number(format!(
                    "rotate_rows<{row_width}, {access_width}>: {row_width} elements of a row are not whole chunks of {access_width}"
                )))
            }
            [row_width, access_width] => Ok(Self { row_width, access_width }),
            _ => Err(refused()),
        }
    }
}

impl RotateRows {
    /// The layout of a tile of these lengths, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// A tile that is not whole rows, more than 32 bits.
    pub fn plan(&self, lengths: List) -> Result<Plan, tiledesc::Error> {
        let (chunk, chunks) = (self.access_width, self.row_width / self.access_width);
        let elements = lengths.elements();
        let elements =
            u32::try_from(elements).map_err(|_| tiledesc::Error::SpaceTooLarge { elements })?;
        if !elements.is_multiple_of(self.row_width) {
            let (dividend, divisor) = ((elements, ""), (self.row_width, "row_width"));
            return Err(tiledesc::Error::Number(NumberError::NotDivisible { dividend, divisor }));
        }
        let rows = elements / self.row_width;
        let rotated = Op::CyclicShift { length0: rows, length1: chunks };
        let dimensions: Vec<u32> = (0..lengths.len() as u32).collect();
        Plan::packed(&[rows, chunks, chunk])?
            .transform(
                &[rotated, Op::PassThrough { length: chunk }],
                &[&[0, 1], &[2]],
                &[&[0, 1], &[2]],
            )?
            .transform(
                &[Op::Merge { lengths: List::new(&[rows, chunks, chunk]) }],
                &[&[0, 1, 2]],
                &[&[0]],
            )?
            .transform(&[Op::Unmerge { lengths }], &[&[0]], &[&dimensions])
    }
}

impl core::fmt::Display for RotateRows {
    /// Prints the text that IREE prints.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "#iree_codegen.rotate_rows<{}, {}>", self.row_width, self.access_width)
    }
}

/// The numbers of an attribute of this name, with or without its dialect.
fn numbers(text: &str, name: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    let text = text.strip_prefix("#iree_codegen.").unwrap_or(text);
    let numbers = text.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>')?;
    numbers.split(',').map(|word| word.trim().parse().ok()).collect()
}

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
        let given = numbers(text, "xor_shuffle").ok_or_else(refused)?;
        let (mut all, count) = ([0; 4], given.len());
        all.get_mut(..count).ok_or_else(refused)?.copy_from_slice(&given);
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
