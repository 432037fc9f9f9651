//! Emitted code: the offset of a layout as a function in another language.
//!
//! The 128x64 xor tile has five transforms and 8192 coordinates; in a kernel of another
//! language it is one line, printed from the type:
//!
//! ```text
//!   staged   ((k >> 3 ^ (m & 7)) << 3) + (m << 6) + (k & 7)    8 operations
//!   fused    (m << 6) + (k ^ (m & 7) << 3)                     5
//! ```
//!
//! | [`Form`] | one function of | `m * 64 + (k ^ m % 8 * 8)` |
//! |---|---|---|
//! | [`C`] | `unsigned`, C99 | `(m << 6) + (k ^ (m & 7) << 3)` |
//! | [`HIP`], [`CUDA`] | the same, `__host__ __device__ constexpr` of C++14 | the same |
//! | [`WGSL`] | `u32` | `(m << 6u) + (k ^ ((m & 7u) << 3u))` |
//! | [`GLSL`] | `uint` | `(m << 6u) + (k ^ (m & 7u) << 3u)` |
//! | [`MSL`] | `uint`, `static inline` | `(m << 6) + (k ^ (m & 7) << 3)` |
//! | [`LATEX`] | a formula | `64 m + (k \oplus 8 (m \bmod 8))` |
//! | [`TEXT`] | a formula | `64 * m + (k xor 8 * (m mod 8))` |
//!
//! A [`Header`] is a whole file: constants, the way back ([`inverse`]), distributions, addresses
//! with immediates, windows with masks, verdicts as comments.
//!
//! Nothing is derived a second time: a layout computes with any [`Index`](crate::Index), and
//! here the index is an expression. It simplifies itself as it grows, by the lengths of
//! the layout: `k % 64` of 64 columns is `k`. A term that costs three operations or a division and
//! is needed twice becomes a local; parentheses appear only where the language or its compilers ask
//! for them. A layout that looks up a table is refused, because in a kernel it would be a load. So
//! is an invalid identifier.
//!
//! Arithmetic is unsigned, in 32 bits, and wraps around. As at run time
//! ([`Layout::at`](crate::Layout::at)), a coordinate out of range has a meaningless offset.

mod c;
mod error;
mod expression;
mod form;
mod formula;
mod glsl;
mod header;
mod hip;
mod infix;
mod inverse;
mod language;
mod latex;
mod msl;
mod no_inverse;
mod text;
mod wgsl;

pub use c::C;
pub use error::EmitError;
pub use expression::{Condition, Expression};
pub use form::Form;
pub use glsl::GLSL;
pub use header::Header;
pub use hip::{CUDA, HIP};
pub use inverse::inverse;
pub use latex::LATEX;
pub use msl::MSL;
pub use no_inverse::NoInverse;
pub use text::TEXT;
pub use wgsl::WGSL;

use crate::element::Element;
use crate::layout::{Dimensions, Layout, Mapping, Recipe, check_size};
use alloc::string::String;
use tiledesc_transforms::{Adaptor, Descriptor, OfRank};

/// All languages: elements, fused.
///
/// ```
/// use tiledesc::emit;
///
/// let languages = emit::FORMS.map(|form| (form.language(), form.extension()));
/// assert!(languages.contains(&("WGSL", "wgsl")));
/// ```
pub const FORMS: [Form; 8] = [C, HIP, CUDA, WGSL, GLSL, MSL, LATEX, TEXT];

impl<E, R> Layout<E, R> {
    /// The offset as a function in another language, with names of your choice.
    ///
    /// ```
    /// use tiledesc::{emit, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!(
    ///     Tile::emit(emit::HIP, "a_offset", ["m", "k"])?,
    ///     "__host__ __device__ constexpr unsigned a_offset(unsigned m, unsigned k) {
    ///     return (m << 6) + (k ^ (m & 7) << 3);
    /// }
    /// ",
    /// );
    /// assert_eq!(
    ///     Tile::emit(emit::WGSL, "a_offset", ["m", "k"])?,
    ///     "fn a_offset(m: u32, k: u32) -> u32 {
    ///     return (m << 6u) + (k ^ ((m & 7u) << 3u));
    /// }
    /// ",
    /// );
    /// assert_eq!(
    ///     Tile::emit(emit::TEXT, "offset", ["m", "k"])?,
    ///     "offset(m, k) = 64 * m + (k xor 8 * (m mod 8))",
    /// );
    /// # Ok::<(), emit::EmitError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name that is not an identifier, that the language keeps for itself, or that is
    /// given twice; a layout that looks up a table.
    pub fn emit<'a, const N: usize>(
        form: Form,
        name: &str,
        coordinates: [&'a str; N],
    ) -> Result<String, EmitError>
    where
        E: Element,
        R: Recipe<E, Descriptor: Default>,
        [&'a str; N]: OfRank<Dimensions<Self>>,
        [Expression; N]: OfRank<Dimensions<Self>>,
    {
        const { check_size::<Self>("") };
        let descriptor = R::Descriptor::default();
        let lengths = descriptor.lengths();
        let index = core::array::from_fn(|i| Expression::coordinate(i, lengths[i]));
        let offset = if form.is_staged() {
            descriptor.staged(index)
        } else {
            R::Descriptor::at_of_type(index, 1)
        };
        form.function(name, &coordinates, &form.counted(offset, Some(E::BITS))?)
    }
}

/// The offset of any [`Mapping`] as code: what [`Layout::emit`](crate::Layout::emit) is for a type.
///
/// ```
/// use tiledesc::exchange::cute;
/// use tiledesc::{emit, prelude::*};
///
/// let tile = cute::parse("Sw<3,3,3> o 0 o (128,64):(64,1)")?;
/// assert_eq!(
///     tile.emit(emit::HIP, "a_offset", ["m", "k"])?,
///     "__host__ __device__ constexpr unsigned a_offset(unsigned m, unsigned k) {
///     return (m << 6) + (k ^ (m & 7) << 3);
/// }
/// ",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Emit: Mapping {
    /// The offset as a function in another language, with a name for each dimension: fused
    /// if the map has few terms, else by stages.
    ///
    /// # Errors
    ///
    /// As [`Layout::emit`](crate::Layout::emit); a layout that cannot be, another number of names than
    /// dimensions, bytes of elements of no known width.
    fn emit<'a>(
        &self,
        form: Form,
        name: &str,
        coordinates: impl AsRef<[&'a str]>,
    ) -> Result<String, EmitError> {
        let plan = self.to_plan().map_err(EmitError::Layout)?;
        form.of_plan(&plan, self.element_bits(), name, coordinates.as_ref())
    }
}

impl<T: Mapping + ?Sized> Emit for T {}
