//! A shared layout of any kind, as the IR or Gluon prints it.

use super::fields::Fields;
use super::text::{self, Reader, lengths as least};
use super::{Bases, Nvmma, Padded, Swizzled, partitioned};
use crate::Error;
use tiledesc::{List, Plan};

/// The plan of a tile in a layout that the IR or Gluon prints.
///
/// | text | kind |
/// |---|---|
/// | `#ttg.swizzled_shared<..>`, `#ttg.amd_rotating_shared<..>`, `SwizzledSharedLayout(..)` | [`Swizzled`], which needs the lengths |
/// | `#ttg.padded_shared<..>`, `PaddedSharedLayout(..)`, `PaddedSharedLayout.with_identity_for(..)` | [`Padded`] |
/// | `#ttg.nvmma_shared<..>`, `NVMMASharedLayout(..)` | [`Nvmma`], which needs the lengths |
/// | `#ttg.shared_linear<..>`, `SharedLinearLayout(..)` | [`Bases`] |
/// | `#ttg.partitioned_shared<..>`, `PartitionedSharedLayout(..)` | refused: its partitions lie in memories of their own; the sentence has the layout of one |
///
/// The alias of the IR's head may stand before it: `#shared = #ttg.swizzled_shared<..>`.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::triton::shared;
///
/// let text = "SharedLinearLayout(offset_bases=[[0, 1], [1, 1]], block_bases=[], alignment=16)";
/// assert_eq!(shared(text, None).unwrap().offset(&[1, 0]), Ok(3));
/// let swizzled = "SwizzledSharedLayout(8, 1, 8, [1, 0])";
/// assert_eq!(shared(swizzled, Some(List::pair(128, 64))).unwrap().offset(&[1, 0]), Ok(72));
/// assert_eq!(
///     shared(swizzled, None).unwrap_err().to_string(),
///     "at byte 0: expected a layout that says its shape",
/// );
/// ```
///
/// # Errors
///
/// Another text, with the byte; lengths that the layout cannot have.
pub fn shared(text: &str, lengths: Option<List>) -> Result<Plan, Error> {
    let sized = || lengths.ok_or_else(|| Error::syntax(0, "a layout that says its shape"));
    let plan = match text::name(text) {
        "#ttg.padded_shared" | "PaddedSharedLayout" | "with_identity_for" => {
            Padded::parse(text)?.plan()
        }
        "#ttg.shared_linear" | "SharedLinearLayout" => {
            let images = if is_gluon(text) { of_gluon(text)? } else { of_attribute(text)? };
            let lengths = lengths.unwrap_or_else(|| least(&images));
            Bases::new(lengths, &images).and_then(|bases| bases.plan())
        }
        "#ttg.nvmma_shared" | "NVMMASharedLayout" => {
            return Nvmma::parse(text)?.plan(sized()?);
        }
        "#ttg.partitioned_shared" | "PartitionedSharedLayout" => {
            return Err(partitioned::refused(text, lengths));
        }
        _ => {
            let swizzled = Swizzled::parse(text)?;
            swizzled.plan(sized()?)
        }
    };
    Ok(plan?)
}

/// The bits of an element, where the text says them: of an [`Nvmma`].
///
/// ```
/// use tiledesc_host::exchange::triton::element_bits;
///
/// assert_eq!(element_bits("NVMMASharedLayout(swizzle_byte_width=64, element_bitwidth=8)"), Ok(Some(8)));
/// assert_eq!(element_bits("SwizzledSharedLayout(8, 1, 8, [1, 0])"), Ok(None));
/// ```
///
/// # Errors
///
/// An `nvmma_shared` that cannot be read.
pub fn element_bits(text: &str) -> Result<Option<u32>, Error> {
    match text::name(text) {
        "#ttg.nvmma_shared" | "NVMMASharedLayout" => {
            Nvmma::parse(text).map(|layout| Some(layout.element_bits()))
        }
        _ => Ok(None),
    }
}

/// Returns whether a text is Gluon's, a call, and not the IR's.
///
/// ```
/// use tiledesc_host::exchange::triton::is_gluon;
///
/// assert!(is_gluon("SwizzledSharedLayout(8, 1, 8, [1, 0])"));
/// assert!(!is_gluon("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"));
/// ```
#[must_use]
pub fn is_gluon(text: &str) -> bool {
    text.contains('(')
}

/// The images of `SharedLinearLayout(offset_bases=[[0, 1], ..], block_bases=[], alignment=16)`.
fn of_gluon(text: &str) -> Result<Vec<List>, Error> {
    let names = ["`offset_bases`", "`block_bases`", "`alignment`"];
    let (_, fields) = Fields::parse(text, ["SharedLinearLayout"], names)?;
    fields.one_block(1)?;
    fields.images(0)
}

/// The images of `#ttg.shared_linear<{offset = [[0, 1], ..], block = []}, alignment = 16>`.
fn of_attribute(text: &str) -> Result<Vec<List>, Error> {
    let mut reader = Reader { text, at: text::name_at(text) };
    reader.needs("#ttg.shared_linear<{", "`#ttg.shared_linear<{`")?;
    reader.needs("offset", "`offset`")?;
    reader.needs("=", "`=`")?;
    let images = reader.images()?;
    if reader.takes(",") {
        reader.needs("block", "`block`")?;
        reader.needs("=", "`=`")?;
        if !text::are_still(&reader.images()?) {
            return reader.expected("a layout of one block");
        }
    }
    reader.needs("}", "`}`")?;
    if reader.takes(",") {
        reader.needs("alignment", "`alignment`")?;
        reader.needs("=", "`=`")?;
        reader.number()?;
    }
    reader.needs(">", "`>`")?;
    reader.ends()?;
    Ok(images)
}
