//! Element types: how many **bits** an element has.
//!
//! A descriptor counts elements; memory counts bytes. Widths are in bits, so an
//! fp4 tile has the size it has: two elements share a byte, and CK Tile's
//! `sizeof`, which is 1 there, is off by two.
//!
//! | type | bits | CK Tile |
//! |---|---|---|
//! | [`F64`], [`F32`] | 64, 32 | `double`, `float` |
//! | [`F16`], [`BF16`] | 16 | `fp16_t`, `bf16_t` |
//! | [`F8`], [`BF8`] | 8 | `fp8_t` (e4m3), `bf8_t` (e5m2) |
//! | [`F6`] | 6 | e2m3 and e3m2 |
//! | [`F4`] | 4 | `pk_fp4_t` holds two |
//! | [`I32`], [`I8`], [`I4`] | 32, 8, 4 | `int32_t`, `int8_t`, half a `pk_int4_t` |

use tiledesc_transforms::Number;

/// An element type, of which a layout needs only the width.
///
/// ```
/// use tiledesc::prelude::*;
///
/// /// Three 4-byte colours.
/// struct Rgb;
/// impl Element for Rgb {
///     const BITS: u32 = 96;
///     const NAME: &'static str = "rgb";
/// }
/// layout! { type Image = recipe::RowMajor<Rgb, M<4>, K<8>>; }
/// assert_eq!(Image::BYTES, 384);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    note = "use `F16`, `BF16`, `F8`, `F4`, `F32`, ..., or implement `Element` with the width in bits"
)]
pub trait Element: 'static {
    /// The width, in bits.
    const BITS: u32;
    /// The name in reports.
    const NAME: &'static str;
    /// The name in code, as an error writes a layout that would do.
    const TYPE: &'static str = Self::NAME;
}

/// The table of element types.
macro_rules! elements {
    ($($(#[$doc:meta])* $Name:ident $name:literal $bits:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Name;

        impl Element for $Name {
            const BITS: u32 = $bits;
            const NAME: &'static str = $name;
            const TYPE: &'static str = stringify!($Name);
        }
    )*};
}

elements! {
    /// IEEE double precision, 64 bits.
    F64 "fp64" 64;
    /// IEEE single precision, 32 bits.
    F32 "fp32" 32;
    /// IEEE half precision, 16 bits.
    F16 "fp16" 16;
    /// bfloat16, 16 bits.
    BF16 "bf16" 16;
    /// 8-bit float e4m3.
    F8 "fp8" 8;
    /// 8-bit float e5m2.
    BF8 "bf8" 8;
    /// 6-bit float.
    F6 "fp6" 6;
    /// 4-bit float e2m1.
    F4 "fp4" 4;
    /// 32-bit integer.
    I32 "int32" 32;
    /// 8-bit integer.
    I8 "int8" 8;
    /// 4-bit integer.
    I4 "int4" 4;
}

/// The width of an element type as a number, in bits.
///
/// ```
/// use tiledesc::{F4, Bits, Number};
///
/// assert_eq!(<Bits<F4>>::N, 4);
/// ```
#[derive(Debug)]
pub struct Bits<E>(core::marker::PhantomData<E>);

impl<E> Clone for Bits<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Bits<E> {}
impl<E> Default for Bits<E> {
    fn default() -> Self {
        Self(core::marker::PhantomData)
    }
}
impl<E: Element> Number for Bits<E> {
    const N: u32 = E::BITS;
    const NAME: &'static str = "bits of an element";
}
