//! A layout in the words of the IR and of Gluon.
//!
//! | a layout | in the IR | in Gluon |
//! |---|---|---|
//! | rows whose chunks are xor-ed with the row's number | `#ttg.swizzled_shared<..>` | `SwizzledSharedLayout(..)` |
//! | pads after every so many elements | `#ttg.padded_shared<..>` | `PaddedSharedLayout.with_identity_for(..)`, `PaddedSharedLayout(..)` |
//! | any other that is linear over bits | `#ttg.shared_linear<..>` | `SharedLinearLayout(..)` |

use super::{Bases, Padded, Swizzled};
use crate::Error;
use tiledesc::Plan;

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
            "{elements} elements take {space} places, and the gaps are not pads of a power of two at intervals of a power of two"
        )),
        _ => why.into(),
    }
}
