//! CuTe's swizzled layouts: `Sw<B,M,S> o offset o shape:stride`.
//!
//! CUTLASS prints the operand tile of a Hopper matrix instruction, 8 rows of 64 halves, as
//!
//! ```text
//! Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)
//! ```
//!
//! Its element (3, 17) is at offset 201, and three conventions are on the way there:
//!
//! | | CuTe | here |
//! |---|---|---|
//! | which dimension runs fastest in a running number | the first: (3, 17) is 3 + 8 * 17 = 139 | the last: 3 * 64 + 17 = 209 |
//! | what `Sw` counts after `smem_ptr[16b]` | bytes: 3,4,3 | elements: 3,3,3 ([`Swizzle::recast`]) |
//! | what the third number is | a distance: bits 6..9 are read, 3 above the flipped 3..6 | the same; other libraries give the place 6 |
//!
//! A text without a pointer is read as one of elements, as a layout is evaluated; the CuTe DSL prints a tensor whose pointer
//! is swizzled in bytes in the same words, which [`Composed::in_bytes_of`] reads.
//!
//! So 209 is `0b0_1101_0001`, its bits 6..9 are 3, and `209 ^ (3 << 3)` is 201.
//!
//! | file | concept |
//! |---|---|
//! | [`Swizzle`] | the xor: bits that flip other bits |
//! | [`Strided`] | shape and stride, nested, first mode fastest |
//! | [`Composed`] | both with an offset: parse, print, offsets, columns, the way back |
//! | [`Composed::of_plan`] | one of our layouts in such a form, or the reason why it has none |
//! | [`Composed::plan`] | such a form as one of our plans: for verdicts and code |
//! | [`parse`] | its text, and CuTe's algebra in it: compositions, complements, divisions, products |
//!
//! Sources: NVIDIA/cutlass, `include/cute/swizzle.hpp`, `swizzle_layout.hpp`,
//! `pointer_flagged.hpp`, and `media/docs/cpp/cute/01_layout.md`.

mod algebra;
mod carry;
mod composed;
mod of_digits;
mod of_plan;
mod strided;
mod swizzle;
mod text;
mod to_plan;

pub use composed::{Composed, Fastest};
pub use strided::Strided;
pub use swizzle::Swizzle;

pub(in crate::exchange) use swizzle::width;

use crate::Error;

/// Reads CuTe's text, a layout alone or after a swizzle: [`Composed::parse`].
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::exchange::cute;
///
/// let tile = cute::parse("Sw<3,3,3> o 0 o (_128,_64):(_64,_1)").unwrap();
/// assert_eq!(tile.to_plan().unwrap().offset(&[3, 17]), Ok(201));
/// assert_eq!(
///     cute::parse("(128;64):(64,1)").unwrap_err().to_string(),
///     "at byte 4: expected `,` or `)`",
/// );
/// ```
///
/// # Errors
///
/// As [`Composed::parse`].
pub fn parse(text: &str) -> Result<Composed, Error> {
    Composed::parse(text)
}
