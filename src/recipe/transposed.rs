//! A layout with its two dimensions exchanged: columns where it has rows.
//!
//! Every recipe of two dimensions keeps packs of its last one together. An operand that is stored
//! along its first dimension needs the same swizzle the other way round:
//!
//! ```text
//!   GemmXor<F16, M<64>, K<128>, KPack<8>>               64 rows of 128, packs of 8 along a row
//!   Transposed<GemmXor<F16, M<64>, K<128>, KPack<8>>>   128 rows of 64, packs of 8 down a column
//!
//!   transposed(m, k) = layout(k, m)
//! ```

use super::of;
use crate::element::Element;
use crate::layout::{Layout, Recipe, Tile, refused};
use core::marker::PhantomData;
use tiledesc_macros::Phantom;
use tiledesc_transforms::{
    Adaptor, Error, Extent, Length, Lit, NumberError, Op, PassThrough, Plan, Transformed,
};
use typenum::U2;

/// A layout of two dimensions with these exchanged: `(m, k)` is where `T` has `(k, m)`.
///
/// The names of parameters are those of `T`: its `M` is the length of the second dimension here.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type BBlock = recipe::Transposed<recipe::GemmXor<F16, M<64>, K<128>, KPack<8>>>; }
/// assert_eq!(BBlock::LENGTHS, [128, 64]);
/// assert_eq!(BBlock::offset([17, 3]), 3 * 128 + (2 ^ 3) * 8 + 1);
/// // Packs down a column, which is how lanes store it.
/// assert_eq!((BBlock::vector(0).length, BBlock::vector(1).length), (8, 1));
/// assert_conflict_free! { BBlock on gfx942: write ds_write_b128 by ColumnMajor }
/// ```
pub type Transposed<T> = Layout<<T as Tile>::Element, of::Transposed<<T as Tile>::Recipe>>;

impl<E: Element, R: Recipe<E>> Recipe<E> for of::Transposed<R> {
    type Rank = U2;
    type Descriptor = Exchanged<Layout<E, R>>;
    const NAME: &'static str = "Transposed";
}

/// The descriptor of a layout, with its two dimensions exchanged.
pub type Exchanged<T> = Transformed<
    <T as Tile>::Descriptor,
    (PassThrough<LengthOf<T, 0>>, PassThrough<LengthOf<T, 1>>),
    ((Lit<0>,), (Lit<1>,)),
    ((Lit<1>,), (Lit<0>,)),
>;

/// The length of a layout along a dimension.
#[derive(Phantom)]
pub struct LengthOf<T, const DIMENSION: usize>(PhantomData<T>);

impl<T: Tile, const DIMENSION: usize> LengthOf<T, DIMENSION> {
    const LENGTH: u32 = match T::Descriptor::PLANNED {
        Ok(plan) if DIMENSION < plan.lengths().len() => plan.lengths().at(DIMENSION),
        // The layout itself says what is wrong with it.
        _ => 1,
    };
}

// A length and no number: of numbers the compiler lists some where one is missing.
impl<T: Tile, const DIMENSION: usize> Length for LengthOf<T, DIMENSION> {
    const KNOWN: Result<u32, NumberError> = match refused::<T>() {
        Some(Error::Number(fault)) => Err(fault),
        _ => Ok(Self::LENGTH),
    };

    #[inline(always)]
    fn extent(&self) -> Extent {
        Extent::constant(Self::LENGTH)
    }
}

/// A plan of two dimensions with these exchanged.
///
/// ```
/// use tiledesc::{Plan, recipe::transposed};
///
/// let rows = Plan::naive(&[64, 128], &[136, 1])?;
/// assert_eq!(transposed(&rows)?.offset(&[17, 3]), rows.offset(&[3, 17]));
/// # Ok::<(), tiledesc::Error>(())
/// ```
///
/// # Errors
///
/// Another number of dimensions.
pub const fn transposed(plan: &Plan) -> Result<Plan, Error> {
    let lengths = plan.lengths();
    if lengths.len() != 2 {
        return Err(Error::Rank { wanted: 2, given: lengths.len() as u32 });
    }
    let pass =
        [Op::PassThrough { length: lengths.at(0) }, Op::PassThrough { length: lengths.at(1) }];
    plan.transform(&pass, &[&[0], &[1]], &[&[1], &[0]])
}
