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
//! | form | one function of | `m * 64 + (k ^ m % 8 * 8)` |
//! |---|---|---|
//! | [`C`] | `unsigned`, C99 | `(m << 6) + (k ^ (m & 7) << 3)` |
//! | [`HIP`] | the same, `__host__ __device__ constexpr` of C++14 | the same |
//! | [`WGSL`] | `u32` | `(m << 6u) + (k ^ ((m & 7u) << 3u))` |
//! | [`LATEX`] | a formula | `64 m + (k \oplus 8 (m \bmod 8))` |
//! | [`PLAIN`] | a formula | `64 * m + (k xor 8 * (m mod 8))` |
//!
//! Nothing is derived a second time: a layout computes with any [`Index`](crate::Index), and
//! here the index is an expression. It simplifies itself as it grows, by the lengths of
//! the layout: `k % 64` of 64 columns is `k`. What costs three operations or a division
//! and is needed twice is a local; parentheses stand only where the language or its
//! compilers ask for them. A layout that looks up a table is refused: in a kernel it would
//! be a load. So is a name that is none.
//!
//! Arithmetic is unsigned, in 32 bits, and wraps around. As at run time
//! ([`Layout::at`]), a coordinate out of range has a meaningless offset.

mod c;
mod error;
mod expression;
mod formula;
mod infix;
mod latex;
mod name;
mod plain;
mod wgsl;

pub use error::Error;
pub use expression::Expression;

use crate::element::Element;
use crate::layout::{Layout, Mapping, bytes_of, sized};
use alloc::string::String;
use alloc::vec::Vec;
use tiledesc_transforms::{Descriptor, OfRank, Plan, Rank};

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
    unit: Unit,
    staged: bool,
}

/// What an offset counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Elements,
    /// Of elements as wide as the layout says.
    Bytes,
    /// Of elements of so many bits.
    BytesOf(u32),
}

/// C, since C99, and C++: a `static inline` function of `unsigned`, which must have 32 bits.
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
        Self { language, unit: Unit::Elements, staged: false }
    }

    /// The offset in bytes and not in elements: of the byte in which an element begins.
    #[must_use]
    pub const fn bytes(mut self) -> Self {
        self.unit = Unit::Bytes;
        self
    }

    /// The same, of elements of `bits` bits: for what does not know its element, as a
    /// [`Plan`](crate::Plan).
    ///
    /// ```
    /// use tiledesc::{Plan, emit, prelude::*};
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1])?;
    /// let text = rows.emit(emit::PLAIN.bytes_of(F16::BITS), "byte", ["m", "k"]).unwrap();
    /// assert_eq!(text, "byte(m, k) = 2 * (72 * m + k)");
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn bytes_of(mut self, bits: u32) -> Self {
        self.unit = Unit::BytesOf(bits);
        self
    }

    /// An offset in elements, of a map whose elements may have a width.
    fn counted(self, offset: Expression, bits: Option<u32>) -> Result<Expression, Error> {
        match (self.unit, bits) {
            (Unit::Elements, _) => Ok(offset),
            (Unit::BytesOf(bits), _) | (Unit::Bytes, Some(bits)) => Ok(bytes_of(&offset, bits)),
            (Unit::Bytes, None) => Err(Error::NoElement),
        }
    }

    /// Stage by stage, as the layout was written, and not fused.
    #[must_use]
    pub const fn staged(mut self) -> Self {
        self.staged = true;
        self
    }

    /// The function `name` of `coordinates`, which returns `offset`: what
    /// [`Layout::emit`] writes, of an [`Expression`] of your own. The form's unit and road
    /// are those of the expression.
    ///
    /// ```
    /// use tiledesc::emit::{self, Expression};
    /// use tiledesc::{Extent, Index};
    ///
    /// let (lane, step) = (Expression::coordinate(0, 64), Expression::coordinate(1, 4));
    /// let row = lane.rem(Extent::constant(16)).add(&step.mul(Extent::constant(16)));
    /// assert_eq!(
    ///     emit::PLAIN.function("row", &["lane", "step"], &row)?,
    ///     "row(lane, step) = (lane mod 16) + 16 * step",
    /// );
    /// # Ok::<(), emit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Layout::emit`]; a coordinate of the expression that has no name.
    pub fn function(
        self,
        name: &str,
        coordinates: &[&str],
        offset: &Expression,
    ) -> Result<String, Error> {
        name::check(self.language, name, coordinates)?;
        offset.check(coordinates.len())?;
        Ok(match self.language {
            Language::C => c::function("static inline", name, coordinates, offset),
            Language::Hip => {
                c::function("__host__ __device__ constexpr", name, coordinates, offset)
            }
            Language::Wgsl => wgsl::function(name, coordinates, offset),
            Language::Latex => latex::LATEX.formula(name, coordinates, offset),
            Language::Plain => plain::PLAIN.formula(name, coordinates, offset),
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
    /// A name that is no identifier, that the language keeps for itself, or that is given
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
        form.function(name, &coordinates, &form.counted(offset, Some(E::BITS))?)
    }
}

/// The offset of any [`Mapping`] as code: what [`Layout::emit`] is for a type.
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
    /// As [`Layout::emit`]; a layout that cannot be, another number of names than
    /// dimensions, bytes of elements of no known width.
    fn emit<'a>(
        &self,
        form: Form,
        name: &str,
        coordinates: impl AsRef<[&'a str]>,
    ) -> Result<String, Error> {
        let plan = self.to_plan().map_err(Error::Layout)?;
        form.of_plan(&plan, self.element_bits(), name, coordinates.as_ref())
    }
}

impl<T: Mapping + ?Sized> Emit for T {}

impl Form {
    fn of_plan(
        self,
        plan: &Plan,
        bits: Option<u32>,
        name: &str,
        coordinates: &[&str],
    ) -> Result<String, Error> {
        if let (Unit::BytesOf(bits), _) | (Unit::Bytes, Some(bits)) = (self.unit, bits) {
            sized(Ok(*plan), bits).map_err(Error::Layout)?;
        }
        let (lengths, context) = (plan.lengths(), Expression::number(0));
        let each = lengths.as_slice().iter().enumerate();
        let index: Vec<_> = each.map(|(i, length)| Expression::coordinate(i, *length)).collect();
        if coordinates.len() != index.len() {
            let (wanted, given) = (index.len() as u32, coordinates.len() as u32);
            return Err(Error::Layout(tiledesc_transforms::Error::Rank { wanted, given }));
        }
        let offset =
            if self.staged { plan.staged(&index, &context) } else { plan.fused(&index, &context) };
        let offset = self.counted(offset.map_err(Error::Layout)?, bits)?;
        self.function(name, coordinates, &offset)
    }
}

/// `m, k` with each name written by `one`.
fn listed(names: &[&str], one: impl Fn(&str) -> String) -> String {
    names.iter().map(|name| one(name)).collect::<Vec<_>>().join(", ")
}
