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
//! Nothing is derived a second time: a layout computes with any [`Index`](crate::Index), and
//! here the index is an expression. It simplifies itself as it grows, by the lengths of
//! the layout: `k % 64` of 64 columns is `k`. A layout that looks up a table is refused,
//! and so is a name that is none.
//!
//! Arithmetic is unsigned, in 32 bits, and wraps around. As at run time
//! ([`Layout::at`]), a coordinate out of range has a meaningless offset.

mod c;
mod error;
mod expression;
mod infix;
mod latex;
mod name;
mod plain;
mod wgsl;

pub use error::Error;
pub use expression::Expression;

use crate::element::Element;
use crate::layout::{Layout, in_bytes};
use alloc::string::String;
use alloc::vec::Vec;
use tiledesc_transforms::{Descriptor, OfRank, Rank};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Hip,
    Wgsl,
    Latex,
    Plain,
}

/// What to write: a language, elements or bytes, fused or by stages.
///
/// ```
/// use tiledesc::{emit, prelude::*};
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let bytes = Tile::emit(emit::C.bytes(), "a_byte", ["m", "k"])?;
/// assert!(bytes.contains("return ((m << 6) + (k ^ (m & 7) << 3)) << 1;"));
/// # Ok::<(), emit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    language: Language,
    bytes: bool,
    staged: bool,
}

/// C, since C99: a `static inline` function of `unsigned`, which must have 32 bits.
pub const C: Form = Form::of(Language::C);
/// HIP and CUDA C++, since C++14: a `__host__ __device__ constexpr` function.
pub const HIP: Form = Form::of(Language::Hip);
/// WGSL: a function of `u32`.
pub const WGSL: Form = Form::of(Language::Wgsl);
/// A formula for LaTeX's math mode; `\oplus` is the exclusive or.
pub const LATEX: Form = Form::of(Language::Latex);
/// A formula for people, in ASCII.
pub const PLAIN: Form = Form::of(Language::Plain);

impl Form {
    const fn of(language: Language) -> Self {
        Self { language, bytes: false, staged: false }
    }

    /// The offset in bytes and not in elements: of the byte in which an element begins.
    #[must_use]
    pub const fn bytes(mut self) -> Self {
        self.bytes = true;
        self
    }

    /// Stage by stage, as the layout was written, and not fused.
    #[must_use]
    pub const fn staged(mut self) -> Self {
        self.staged = true;
        self
    }

    /// The function `name` of `coordinates`, which returns `offset`.
    fn write(self, name: &str, coordinates: &[&str], offset: &Expression) -> Result<String, Error> {
        name::check(self.language, name, coordinates)?;
        offset.check()?;
        Ok(match self.language {
            Language::C => c::function("static inline", name, coordinates, offset),
            Language::Hip => {
                c::function("__host__ __device__ constexpr", name, coordinates, offset)
            }
            Language::Wgsl => wgsl::function(name, coordinates, offset),
            Language::Latex => latex::formula(name, coordinates, offset),
            Language::Plain => plain::formula(name, coordinates, offset),
        })
    }
}

impl<E, D> Layout<E, D> {
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
    ///     Tile::emit(emit::PLAIN, "offset", ["m", "k"])?,
    ///     "offset(m, k) = 64 * m + (k xor 8 * (m mod 8))",
    /// );
    /// # Ok::<(), emit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name that is no identifier, that the language reserves, or that is given
    /// twice; a layout that looks up a table.
    pub fn emit<'a, const R: usize>(
        form: Form,
        name: &str,
        coordinates: [&'a str; R],
    ) -> Result<String, Error>
    where
        E: Element,
        D: Descriptor + Default,
        [&'a str; R]: OfRank<<D::Rank as Rank>::Dimensions>,
        [Expression; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        const { Self::check_size("") };
        let lengths = D::default().lengths();
        let index = core::array::from_fn(|i| Expression::coordinate(i, lengths[i]));
        let offset = if form.staged { D::default().offset(index) } else { Self::at(index) };
        let offset = if form.bytes { in_bytes::<E, _>(&offset) } else { offset };
        form.write(name, &coordinates, &offset)
    }
}

/// `m, k` with each name written by `one`.
fn listed(names: &[&str], one: impl Fn(&str) -> String) -> String {
    names.iter().map(|name| one(name)).collect::<Vec<_>>().join(", ")
}
