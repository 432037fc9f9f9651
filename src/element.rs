//! Element types: how many **bits** an element has, and what holds it.
//!
//! A descriptor counts elements; memory counts bytes. Widths are in bits, so the size
//! of an fp4 tile is right: two elements share a byte, whereas CK Tile's `sizeof` is 1
//! and gives twice the size.
//!
//! | type | bits | [`Storage`](Element::Storage) | CK Tile |
//! |---|---|---|---|
//! | [`F64`], [`F32`] | 64, 32 | `f64`, `f32` | `double`, `float` |
//! | [`F16`], [`BF16`] | 16 | `u16` | `fp16_t`, `bf16_t` |
//! | [`F8`], [`BF8`] | 8 | `u8` | `fp8_t` (e4m3), `bf8_t` (e5m2) |
//! | [`F6`] | 6 | `u8`: four elements in three | e2m3 and e3m2 |
//! | [`F4`] | 4 | `u8`: two elements in one | `pk_fp4_t` holds two |
//! | [`I64`], [`I32`], [`I16`], [`I8`] | 64 to 8 | `i64` to `i8` | `int64_t` to `int8_t` |
//! | [`I4`] | 4 | `u8`: two elements in one | half a `pk_int4_t` |
//! | [`Complex128`], [`Complex64`] | 128, 64 | `[f64; 2]`, `[f32; 2]` | none; an FFT's |
//!
//! The storage is the Rust type of the element (`f32`) or, if stable Rust has none, the
//! unsigned integer that holds its bits. Elements narrower than a byte are packed into
//! bytes.

use tiledesc_macros::Phantom;
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{Number, Text, say};

/// An element type: its width, from which layouts compute bytes, and the type that holds it,
/// from which kernels make their arrays.
///
/// ```
/// use tiledesc::prelude::*;
///
/// /// Three 4-byte colours.
/// struct Rgb;
/// impl Element for Rgb {
///     type Storage = [u32; 3];
///     const BITS: u32 = 96;
///     const NAME: &'static str = "rgb";
/// }
/// layout! { type Image = recipe::RowMajor<Rgb, M<4>, K<8>>; }
/// assert_eq!(Image::BYTES, 384);
/// ```
///
/// The memory of a tile is one `Storage` per element; for packed elements, `Tile::BYTES` bytes:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
///     type Packed4 = recipe::RowMajor<F4, M<128>, K<64>>;
/// }
/// let mut lds = [<F16 as Element>::Storage::default(); ABlock::SPACE as usize];
/// lds[ABlock::at([3u32, 17]) as usize] = 0x3c00; // 1.0
/// assert_eq!(size_of_val(&lds), 16384);
///
/// let packed = [<F4 as Element>::Storage::default(); Packed4::BYTES as usize];
/// assert_eq!(size_of_val(&packed), 4096);
///
/// /// In a kernel that is generic over its element:
/// fn clear<E: Element>(lds: &mut [E::Storage]) {
///     lds.fill(E::Storage::default());
/// }
/// clear::<F16>(&mut lds);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    note = "use `F16`, `BF16`, `F8`, `F32`, `I32` for both `i32` and `u32`, .., or implement `Element` with the width in bits"
)]
pub trait Element: 'static {
    /// The type that holds an element in an array: [`BITS`](Self::BITS) bits wide. Elements
    /// narrower than a byte are packed into bytes; for them, this is `u8`. A layout of elements
    /// that do not fit it is refused.
    type Storage: Copy + Default + 'static;
    /// The width, in bits.
    const BITS: u32;
    /// The name in reports.
    const NAME: &'static str;
    /// The name in code, as it appears in the layouts that errors suggest.
    const TYPE: &'static str = Self::NAME;
}

/// The facts that a tool knows of an [`Element`] type.
///
/// ```
/// let half = tiledesc::ELEMENTS.iter().find(|element| element.code == "F16").unwrap();
/// assert_eq!((half.name, half.bits), ("fp16", 16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ElementName {
    /// The name in reports: `fp16`.
    pub name: &'static str,
    /// The name in code: `F16`.
    pub code: &'static str,
    /// The width, in bits.
    pub bits: u32,
}

impl ElementName {
    /// Returns the name, the code and the width of a type.
    pub(crate) const fn new<E: Element>() -> Self {
        Self { name: E::NAME, code: E::TYPE, bits: E::BITS }
    }

    /// Returns the name of an element whose width alone is known.
    pub(crate) const fn of_bits(bits: u32) -> Self {
        Self { name: "", code: "", bits }
    }

    /// Returns whether a tile of the other may be a tile of this one: elements of this crate by their names, one of the user's
    /// own by its width, as nothing else of it is known.
    pub(crate) const fn may_be(&self, other: &Self) -> bool {
        self.bits == other.bits
            && (is_same(self.code, other.code) || !self.is_known() || !other.is_known())
    }

    /// Returns whether it is an element of this crate.
    const fn is_known(&self) -> bool {
        let mut i = 0;
        while i < ELEMENTS.len() {
            if is_same(ELEMENTS[i].code, self.code) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// `BF16`; of one without a name `of 16 bits`.
    pub(crate) const fn explain(&self, text: Text) -> Text {
        if self.code.is_empty() {
            say!(text: "of ", self.bits, " bits")
        } else {
            text.str(self.code)
        }
    }
}

/// The table of element types.
macro_rules! elements {
    ($($(#[$doc:meta])* $Name:ident $name:literal $bits:literal in $Storage:ty;)*) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use tiledesc::{Element, ", stringify!($Name), "};")]
        ///
        #[doc = concat!("assert_eq!(", stringify!($Name), "::BITS, ", $bits, ");")]
        #[doc = concat!("assert_eq!(", stringify!($Name), "::NAME, ", stringify!($name), ");")]
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Name;

        impl Element for $Name {
            type Storage = $Storage;
            const BITS: u32 = $bits;
            const NAME: &'static str = $name;
            const TYPE: &'static str = stringify!($Name);
        }
        const _: () = assert!(8 * size_of::<$Storage>() == if $bits < 8 { 8 } else { $bits });
    )*
        /// The element types of this crate, for tools that read one from a file.
        ///
        /// ```
        /// use tiledesc::ELEMENTS;
        ///
        /// let half = ELEMENTS.iter().find(|element| element.name == "fp16").unwrap();
        /// assert_eq!((half.code, half.bits), ("F16", 16));
        /// ```
        pub const ELEMENTS: &[ElementName] =
            &[$(ElementName { name: $name, code: stringify!($Name), bits: $bits }),*];
    };
}

elements! {
    /// IEEE double precision, 64 bits.
    F64 "fp64" 64 in f64;
    /// IEEE single precision, 32 bits.
    F32 "fp32" 32 in f32;
    /// IEEE half precision, 16 bits.
    F16 "fp16" 16 in u16;
    /// bfloat16, 16 bits.
    BF16 "bf16" 16 in u16;
    /// 8-bit float e4m3.
    F8 "fp8" 8 in u8;
    /// 8-bit float e5m2.
    BF8 "bf8" 8 in u8;
    /// 6-bit float.
    F6 "fp6" 6 in u8;
    /// 4-bit float e2m1.
    F4 "fp4" 4 in u8;
    /// 64-bit integer.
    I64 "int64" 64 in i64;
    /// 32-bit integer.
    I32 "int32" 32 in i32;
    /// 16-bit integer.
    I16 "int16" 16 in i16;
    /// 8-bit integer.
    I8 "int8" 8 in i8;
    /// 4-bit integer.
    I4 "int4" 4 in u8;
    /// Two doubles, a complex number of 128 bits: CUDA's and HIP's `double2`.
    Complex128 "complex128" 128 in [f64; 2];
    /// Two floats, a complex number of 64 bits: CUDA's and HIP's `float2`.
    Complex64 "complex64" 64 in [f32; 2];
}

/// The width of an element type as a number, in bits.
///
/// ```
/// use tiledesc::{F4, Bits, Number};
///
/// assert_eq!(<Bits<F4>>::N, 4);
/// ```
#[derive(Phantom)]
pub struct Bits<E>(core::marker::PhantomData<E>);

impl<E: Element> Number for Bits<E> {
    const N: u32 = E::BITS;
    const NAME: &'static str = "bits of an element";
}
