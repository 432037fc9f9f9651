//! A layout whose rows are each several rows of another, one after the other.
//!
//! A row of 128 floats is 512 bytes, four rounds of 32 banks. A recipe xor-s whole rows, so lanes that
//! are 32 floats apart in one row stay in one bank; and a pad comes once in a row. Of a narrow
//! tile whose rows are one round each, either is done in every round:
//!
//! ```text
//!   GemmXorBits<F32, M<512>, K<32>, ..>                       512 rows of 32, each xor-ed by its own number
//!   Joined<GemmXorBits<F32, M<512>, K<32>, ..>, Lines<4>>     128 rows of 128, each four of those
//!
//!   joined(m, k) = layout(4 * m + k / 32, k % 32)
//! ```

use super::of;
use super::transposed::LengthOf;
use crate::element::Element;
use crate::layout::{Layout, Recipe, Tile};
use crate::parameter::misplaced;
use core::marker::PhantomData;
use tiledesc_macros::Phantom;
use tiledesc_transforms::{
    Error, Extent, Length, List, Lit, Merge, Number, NumberError, Op, PassThrough, Plan,
    Transformed, Unmerge, attempt,
};
use typenum::U2;

/// A layout of two dimensions with `Lines` rows of `T` to a row: `(m, k)` is where `T` has `(Lines * m + k / width, k % width)`,
/// of rows of `width` elements.
///
/// The names of parameters are those of `T`: its `M` counts the narrow rows.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     type Wide = recipe::Joined<
///         recipe::GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>, Lines<4>>;
///     type Plain = recipe::GemmXor<F32, M<128>, K<128>, KPack<1>>;
/// }
/// assert_eq!(Wide::LENGTHS, [128, 128]);
/// // Line 4 * 3 + 2 = 14, whose bits 1 and 2 flip 2 and 4.
/// assert_eq!(Wide::offset([3, 64]), 14 * 32 + 6);
/// // Lanes 8 floats apart along a row: the xor of whole rows moves all of them alike.
/// use tiledesc::chip::sm_80::st_shared_b32;
/// assert_eq!(Plain::degree::<Strided<8>>(&st_shared_b32), 4);
/// assert_eq!(Wide::degree::<Strided<8>>(&st_shared_b32), 1);
/// ```
pub type Joined<T, Lines> = Layout<<T as Tile>::Element, of::Joined<<T as Tile>::Recipe, Lines>>;

impl<E: Element, R: Recipe<E>, Lines: Number> Recipe<E> for of::Joined<R, Lines> {
    type Rank = U2;
    type Descriptor = JoinedRows<Layout<E, R>, Lines>;
    const NAME: &'static str = "Joined";
    const DIMENSIONS: [&'static str; 2] = R::DIMENSIONS;
}

/// The descriptor of a layout, with several of its rows to a row.
pub type JoinedRows<T, Lines> = Transformed<
    Transformed<
        <T as Tile>::Descriptor,
        (Unmerge<(RowsOver<T, Lines>, Lines)>, PassThrough<LengthOf<T, 1>>),
        ((Lit<0>,), (Lit<1>,)),
        ((Lit<0>, Lit<1>), (Lit<2>,)),
    >,
    (PassThrough<RowsOver<T, Lines>>, Merge<(Lines, LengthOf<T, 1>)>),
    ((Lit<0>,), (Lit<1>, Lit<2>)),
    ((Lit<0>,), (Lit<1>,)),
>;

/// The rows of a layout over how many are joined.
#[derive(Phantom)]
pub struct RowsOver<T, Lines>(PhantomData<(T, Lines)>);

impl<T: Tile, Lines: Number> RowsOver<T, Lines> {
    const MADE: Result<u32, NumberError> =
        match (misplaced(&[(Lines::N, Lines::NAME)], &["Lines"]), LengthOf::<T, 0>::KNOWN) {
            (Some(fault), _) | (None, Err(fault)) => Err(fault),
            (None, Ok(rows)) => over(rows, Lines::N),
        };
}

impl<T: Tile, Lines: Number> Length for RowsOver<T, Lines> {
    const KNOWN: Result<u32, NumberError> = Self::MADE;

    #[inline(always)]
    fn extent(&self) -> Extent {
        const {
            match Self::MADE {
                Ok(rows) => Extent::constant(rows),
                // The layout itself says what is wrong with it.
                Err(_) => Extent::constant(1),
            }
        }
    }
}

const fn over(rows: u32, lines: u32) -> Result<u32, NumberError> {
    if lines > 0 && rows.is_multiple_of(lines) {
        return Ok(rows / lines);
    }
    Err(NumberError::NotDivisible { dividend: (rows, "rows"), divisor: (lines, "Lines") })
}

/// A plan of two dimensions with `lines` of its rows to a row.
///
/// ```
/// use tiledesc::{Plan, recipe::joined};
///
/// // A float after every 32.
/// let padded = joined(&Plan::naive(&[512, 32], &[33, 1])?, 4)?;
/// assert_eq!(padded.lengths(), [128, 128]);
/// assert_eq!(padded.offset(&[3, 70]), Ok((4 * 3 + 2) * 33 + 6));
/// # Ok::<(), tiledesc::Error>(())
/// ```
///
/// # Errors
///
/// Another number of dimensions, rows that are not a multiple of `lines`.
pub const fn joined(plan: &Plan, lines: u32) -> Result<Plan, Error> {
    let lengths = plan.lengths();
    if lengths.len() != 2 {
        return Err(Error::Rank { wanted: 2, given: lengths.len() as u32 });
    }
    let rows = attempt!(over(lengths.at(0), lines) => Error::Number);
    let width = lengths.at(1);
    let split =
        [Op::Unmerge { lengths: List::pair(rows, lines) }, Op::PassThrough { length: width }];
    let apart = attempt!(plan.transform(&split, &[&[0], &[1]], &[&[0, 1], &[2]]));
    let joined =
        [Op::PassThrough { length: rows }, Op::Merge { lengths: List::pair(lines, width) }];
    apart.transform(&joined, &[&[0], &[1, 2]], &[&[0], &[1]])
}
