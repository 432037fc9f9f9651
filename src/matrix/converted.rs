//! An operand of a tile whose elements the kernel converts.

use crate::distribution::{Distribution, DistributionError, Encoding, OperandOf};
use core::marker::PhantomData;

/// The operand `T` of a tile that stores other elements, which the kernel converts between the read and the matrix instruction:
/// int8 weights of an fp16 product.
///
/// A and B of an instruction are of its own element, and a tile of any other is refused; a kernel that converts states it:
///
/// ```
/// use tiledesc::access::AccessError;
/// use tiledesc::chip::gfx942::ds_read_b32;
/// use tiledesc::matrix::{Converted, mfma};
/// use tiledesc::prelude::*;
///
/// type A = mfma::F16_32x32x8::A;
/// layout! { type Weights = recipe::RowMajor<I8, M<32>, K<8>>; }
/// let refused = Weights::verdict::<A>(&ds_read_b32).unwrap_err();
/// assert!(refused.to_string().starts_with(
///     "the operand of mfma::F16_32x32x8 is F16, but the tile is I8; if the kernel converts what it reads, write"
/// ));
/// // A lane reads 4 bytes, and makes 4 halves of them. Rows of 8 bytes begin in every other bank.
/// assert_eq!(Weights::verdict::<Converted<A>>(&ds_read_b32)?.degree(), 2);
/// # Ok::<(), AccessError>(())
/// ```
///
/// Results need no such word: C is stored as whatever the epilogue makes of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Converted<T>(PhantomData<T>);

impl<T: Distribution> Converted<T> {
    const OF: Option<OperandOf> = match T::OPERAND_OF {
        Some(of) => Some(OperandOf { elements: &[], is_converted: true, ..*of }),
        None => None,
    };
}

impl<T: Distribution> Distribution for Converted<T> {
    const ENCODING: Result<Encoding, DistributionError> = T::ENCODING;
    const OPERAND_OF: Option<&'static OperandOf> = Self::OF.as_ref();
}
