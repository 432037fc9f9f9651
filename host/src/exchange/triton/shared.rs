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
            let images = if text.contains('(') { of_gluon(text)? } else { of_attribute(text)? };
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

/// A layout as the attribute of the IR: `swizzled_shared` where it is one, else `padded_shared` or `shared_linear`.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::exchange::triton::{attribute, gluon};
///
/// layout! { type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>";
/// assert_eq!(attribute(&Xor::PLAN)?, text);
/// assert_eq!(gluon(&Xor::PLAN)?, "gl.SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0])");
///
/// layout! { type Rows = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
/// assert_eq!(attribute(&Rows::PLAN)?, "#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [128, 64]}>");
/// assert_eq!(gluon(&Rows::PLAN)?, "gl.PaddedSharedLayout.with_identity_for([[64, 8]], [128, 64], [1, 0])");
///
/// layout! { type Lines = recipe::GemmXor<F16, M<16>, K<32>, KPack<8>>; }
/// let bases = "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [9, 0]]";
/// assert_eq!(attribute(&Lines::PLAN)?, format!("#ttg.shared_linear<{{offset = {bases}}}, alignment = 16>"));
/// assert_eq!(gluon(&Lines::PLAN)?, format!("gl.SharedLinearLayout(offset_bases={bases})"));
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// A layout of which Triton has none of these: a length that is not a power of two, gaps that are no pads of its, a map that
/// adds with a carry.
pub fn attribute(plan: &Plan) -> Result<String, Error> {
    written(plan, |form| match form {
        Form::Swizzled(one) => one.to_string(),
        Form::Padded(one) => one.to_string(),
        Form::Linear(bases) => format!("#ttg.shared_linear<{{offset = {bases}}}, alignment = 16>"),
    })
}

/// A layout as Gluon's constructor, with `gl` for `triton.experimental.gluon.language`: as [`attribute`].
///
/// # Errors
///
/// As [`attribute`].
pub fn gluon(plan: &Plan) -> Result<String, Error> {
    let words = |form: Form| match form {
        Form::Swizzled(one) => one.gluon(),
        Form::Padded(one) => one.gluon(),
        Form::Linear(bases) => format!("SharedLinearLayout(offset_bases={bases})"),
    };
    written(plan, |form| format!("gl.{}", words(form)))
}

/// A layout as bases, `{ offset = [[0, 1], ..] }`, or as the attribute of rows with pads.
///
/// ```
/// use tiledesc::Plan;
/// use tiledesc_host::exchange::triton::bases_or_padded;
///
/// assert_eq!(bases_or_padded(&Plan::packed(&[2, 4])?)?, "{ offset = [[0, 1], [0, 2], [1, 0]] }");
/// let odd = bases_or_padded(&Plan::packed(&[2, 12])?).unwrap_err();
/// assert_eq!(
///     odd.to_string(),
///     "length 12 of dimension 1 is not a power of two (nearest: 8 and 16), as all lengths of Triton's layouts are",
/// );
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// As [`attribute`].
pub fn bases_or_padded(plan: &Plan) -> Result<String, Error> {
    match (Bases::from_plan(plan), Padded::from_plan(plan)) {
        (Ok(bases), _) => Ok(format!("{{ offset = {bases} }}")),
        (Err(_), Ok(padded)) => Ok(padded.to_string()),
        (Err(why), Err(_)) => Err(none(why)),
    }
}

/// A kind of shared layout that a plan is.
enum Form {
    Swizzled(Swizzled),
    Padded(Padded),
    Linear(Bases),
}

fn written(plan: &Plan, text: impl FnOnce(Form) -> String) -> Result<String, Error> {
    if let Some(one) = Swizzled::from_plan(plan) {
        return Ok(text(Form::Swizzled(one)));
    }
    match (Bases::from_plan(plan), Padded::from_plan(plan)) {
        (Ok(bases), _) => Ok(text(Form::Linear(bases))),
        (Err(_), Ok(padded)) => Ok(text(Form::Padded(padded))),
        (Err(why), Err(_)) => Err(none(why)),
    }
}

/// The reason why Triton has no layout of a plan that has no bases.
fn none(why: tiledesc::Error) -> Error {
    match why {
        tiledesc::Error::NotLinear { length: Some(_) } => {
            Error::no_form(format!("{why}, as all lengths of Triton's layouts are"))
        }
        tiledesc::Error::Holes { space, elements } if space > elements => Error::no_form(format!(
            "{elements} elements take {space} places, and the gaps are not pads of a power of two after every so many elements"
        )),
        _ => why.into(),
    }
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

/// The images of `SharedLinearLayout(offset_bases=[[0, 1], ..], block_bases=[], alignment=16)`.
fn of_gluon(text: &str) -> Result<Vec<List>, Error> {
    let names = ["offsetbases", "blockbases", "alignment"];
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
