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
//! The last two numbers of `xor_shuffle` may be left out or 0, as in all that IREE makes of itself: rows are side by
//! side, and each has its own phase. It is the swizzle of Triton's `vec = access_width, perPhase = per_phase,
//! maxPhase = row_width / access_width`, but a tile's row may be longer or shorter than a row of the shuffle.
//!
//! Source: iree-org/iree, the tests of `xor_shuffle`, pull request 21562, and `RotateRowsAttr` in `IREECodegenAttrs.cpp`.

use super::linear::{self, odd_length};
use crate::Error;
use core::fmt;
use core::str::FromStr;
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
/// let plan = shuffled.plan(List::pair(128, 64))?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(3 * 64 + (17 / 8 ^ 3) * 8 + 17 % 8));
/// assert_eq!(shuffled.to_string(), "#iree_codegen.xor_shuffle<64, 8>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What is refused:
///
/// ```
/// use tiledesc_host::exchange::iree::Swizzle;
///
/// let refused = |text: &str| text.parse::<Swizzle>().unwrap_err().to_string();
/// assert_eq!(
///     refused("rotate_rows<64, 24>"),
///     "rotate_rows<64, 24>: 64 elements of a row are not whole chunks of 24",
/// );
/// assert_eq!(
///     refused("xor_shuffle<48, 8>"),
///     "xor_shuffle<48, 8>: both numbers must be powers of two, and a chunk no longer than a row",
/// );
/// assert_eq!(
///     refused("#iree_codegen.xor_shuffle<64, 8, 72>"),
///     "rows of 64 elements, 72 apart: only rows side by side are read",
/// );
/// assert_eq!(
///     refused("shuffle<64, 8>"),
///     "expected `#iree_codegen.xor_shuffle<row_width, access_width>`",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    row_width: u32,
    access_width: u32,
    moves: Moves,
}

/// How the chunks of a row move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    /// `xor_shuffle`: the key of the xor changes every `per_phase` rows.
    Xor { per_phase: u32 },
    /// `rotate_rows`.
    Rotate,
}

impl Swizzle {
    /// The layout of a tile of these lengths, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// More than 32 bits; for `xor_shuffle` a length that is not a power of two, for `rotate_rows` a tile that is not whole
    /// rows.
    pub fn plan(&self, lengths: List) -> Result<Plan, tiledesc::Error> {
        match self.moves {
            Moves::Xor { per_phase } => self.shuffled(lengths, per_phase),
            Moves::Rotate => self.rotated(lengths),
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

    fn shuffled(&self, lengths: List, per_phase: u32) -> Result<Plan, tiledesc::Error> {
        odd_length(lengths.as_slice())?;
        let bits = lengths.elements().ilog2() as usize;
        if bits > Linear::BITS {
            return Err(tiledesc::Error::TooManyBits { columns: bits as u32 });
        }
        let phases = self.row_width / self.access_width;
        let column = |bit: usize| {
            let row = (1_u64 << bit >> self.row_width.ilog2()) as u32;
            (1 << bit) ^ (self.access_width * (row / per_phase % phases))
        };
        let columns: Vec<u32> = (0..bits).map(column).collect();
        linear::plan(&Linear::new(&columns, 0)?, lengths.as_slice())
    }

    fn rotated(&self, lengths: List) -> Result<Plan, tiledesc::Error> {
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

/// The most elements of two layouts that are compared: a tenth of a second.
const MOST_COMPARED: u64 = 1 << 20;

impl FromStr for Swizzle {
    type Err = Error;

    /// Reads the attribute, with or without its dialect.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.contains("rotate_rows") {
            true => rotation(text),
            false => shuffle(text),
        }
    }
}

fn rotation(text: &str) -> Result<Swizzle, Error> {
    let refused = || Error::no_text("#iree_codegen.rotate_rows<row_width, access_width>");
    let [row_width, access_width] = numbers(text, "rotate_rows").ok_or_else(refused)?[..] else {
        return Err(refused());
    };
    if access_width == 0 || row_width == 0 || row_width % access_width != 0 {
        return Err(Error::number(format!(
            "rotate_rows<{row_width}, {access_width}>: {row_width} elements of a row are not whole chunks of {access_width}"
        )));
    }
    Ok(Swizzle { row_width, access_width, moves: Moves::Rotate })
}

fn shuffle(text: &str) -> Result<Swizzle, Error> {
    let refused = || Error::no_text("#iree_codegen.xor_shuffle<row_width, access_width>");
    let (row_width, access_width, stride, per_phase) =
        match numbers(text, "xor_shuffle").ok_or_else(refused)?[..] {
            [row, access] => (row, access, 0, 0),
            [row, access, stride] => (row, access, stride, 0),
            [row, access, stride, per_phase] => (row, access, stride, per_phase),
            _ => return Err(refused()),
        };
    let per_phase = per_phase.max(1);
    let are_powers = [row_width, access_width, per_phase].iter().all(|one| one.is_power_of_two());
    if !are_powers || access_width > row_width {
        return Err(Error::number(format!(
            "xor_shuffle<{row_width}, {access_width}>: both numbers must be powers of two, and a chunk no longer than a row"
        )));
    }
    if stride != 0 && stride != row_width {
        return Err(Error::no_form(format!(
            "rows of {row_width} elements, {stride} apart: only rows side by side are read"
        )));
    }
    Ok(Swizzle { row_width, access_width, moves: Moves::Xor { per_phase } })
}

/// The numbers of an attribute of this name, with or without its dialect.
fn numbers(text: &str, name: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    let text = text.strip_prefix("#iree_codegen.").unwrap_or(text);
    let numbers = text.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>')?;
    numbers.split(',').map(|word| word.trim().parse().ok()).collect()
}

impl fmt::Display for Swizzle {
    /// Prints the text that IREE prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row_width: row, access_width: access, moves } = self;
        match moves {
            Moves::Rotate => write!(f, "#iree_codegen.rotate_rows<{row}, {access}>"),
            Moves::Xor { per_phase: 1 } => write!(f, "#iree_codegen.xor_shuffle<{row}, {access}>"),
            Moves::Xor { per_phase } => {
                write!(f, "#iree_codegen.xor_shuffle<{row}, {access}, {row}, {per_phase}>")
            }
        }
    }
}
