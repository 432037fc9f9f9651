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
//! Nothing is derived a second time: a layout computes with any [`Index`](tiledesc::Index), and here the index is an
//! expression. It simplifies itself as it grows, by the lengths of the layout: `k % 64` of 64 columns is `k`. A term
//! that costs three operations or a division and is needed twice becomes a local; parentheses appear only where the
//! language or its compilers want them. A layout that looks up a table is refused, because in a kernel it would be a
//! load; if its [`Function`](tiledesc::Function) computes as well, the type does, `Tile::at` of [`Expression`]s, which
//! [`Form::function`] writes. So is an invalid identifier.
//!
//! Arithmetic is unsigned, in 32 bits, and wraps around. As at run time
//! ([`Layout::at`](tiledesc::Layout::at)), a coordinate out of range has a meaningless offset.

mod c;
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
mod raised;
mod text;
mod wgsl;

pub use c::C;
pub use expression::{Condition, Expression};
pub use form::Form;
pub use glsl::GLSL;
pub use header::Header;
pub use hip::{CUDA, HIP};
pub use inverse::inverse;
pub use latex::LATEX;
pub use msl::MSL;
pub use text::TEXT;
pub use wgsl::WGSL;

use crate::Error;
use tiledesc::Mapping;

/// All languages: elements, fused.
///
/// ```
/// use tiledesc_host::emit;
///
/// let languages = emit::FORMS.map(|form| (form.language(), form.extension()));
/// assert!(languages.contains(&("WGSL", "wgsl")));
/// ```
pub const FORMS: [Form; 8] = [C, HIP, CUDA, WGSL, GLSL, MSL, LATEX, TEXT];

/// The offset of any [`Mapping`] as code: of a [`Layout`](tiledesc::Layout), a [`Plan`](tiledesc::Plan), a text of CuTe.
///
/// ```
/// use tiledesc_host::exchange::cute;
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::{self, Emit};
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let hip = Tile::default().emit(emit::HIP, "a_offset", ["m", "k"])?;
/// assert_eq!(
///     hip,
///     "__host__ __device__ constexpr unsigned a_offset(unsigned m, unsigned k) {
///     return (m << 6) + (k ^ (m & 7) << 3);
/// }
/// ",
/// );
/// assert_eq!(
///     Tile::default().emit(emit::WGSL, "a_offset", ["m", "k"])?,
///     "fn a_offset(m: u32, k: u32) -> u32 {
///     return (m << 6u) + (k ^ ((m & 7u) << 3u));
/// }
/// ",
/// );
/// assert_eq!(
///     Tile::default().emit(emit::TEXT, "offset", ["m", "k"])?,
///     "offset(m, k) = 64 * m + (k xor 8 * (m mod 8))",
/// );
///
/// let text = cute::parse("Sw<3,3,3> o 0 o (128,64):(64,1)")?;
/// assert_eq!(text.emit(emit::HIP, "a_offset", ["m", "k"])?, hip);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Emit: Mapping {
    /// The offset as a function in another language, with a name for each dimension: fused
    /// if the map has few terms, else by stages.
    ///
    /// # Errors
    ///
    /// A name that is not an identifier, that the language keeps for itself, or that is given twice; another number of
    /// names than dimensions; an invalid layout, or one that looks up a table; bytes of elements of no known width.
    fn emit<'a>(
        &self,
        form: Form,
        name: &str,
        coordinates: impl AsRef<[&'a str]>,
    ) -> Result<String, Error> {
        let plan = self.to_plan()?;
        form.of_plan(&plan, self.element_bits(), name, coordinates.as_ref())
    }
}

impl<T: Mapping + ?Sized> Emit for T {}
