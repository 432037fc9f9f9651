//! A shared layout of any kind, as the IR or Gluon prints it.

use super::fields::Fields;
use super::text::lengths as least;
use super::{Bases, Padded, Swizzled};
use crate::Error;
use tiledesc::{List, Plan};

/// The plan of a tile in a layout that the IR or Gluon prints.
///
/// | text | kind |
/// |---|---|
/// | `#ttg.swizzled_shared<..>`, `#ttg.amd_rotating_shared<..>`, `SwizzledSharedLayout(..)` | [`Swizzled`], which needs the lengths |
/// | `#ttg.padded_shared<..>`, `PaddedSharedLayout(..)` | [`Padded`] |
/// | `SharedLinearLayout(..)` | [`Bases`] |
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
    let plan = if text.contains("padded_shared") || text.contains("PaddedShared") {
        Padded::parse(text)?.plan()
    } else if text.contains("SharedLinear") {
        let (_, fields) =
            Fields::of(text, ["SharedLinearLayout"], ["offsetbases", "blockbases", "alignment"])?;
        fields.one_block(1)?;
        let images = fields.images(0)?;
        let lengths = lengths.unwrap_or_else(|| least(&images));
        Bases::new(lengths, &images).and_then(|bases| bases.plan())
    } else {
        let swizzled = Swizzled::parse(text)?;
        let Some(lengths) = lengths else {
            return Err(Error::syntax(0, "a layout that says its shape"));
        };
        swizzled.plan(lengths)
    };
    Ok(plan?)
}
