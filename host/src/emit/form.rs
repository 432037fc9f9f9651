//! The form of written code: a language, elements or bytes, fused or by stages.

use super::expression::Expression;
use super::language::{Function, Language, Program, Returns, Writing};
use crate::Error;
use tiledesc::Plan;
use tiledesc::layout::{bytes_of, sized};

/// A form of code: a language, elements or bytes, fused or by stages.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::{self, Emit};
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let bytes = Tile::default().emit(emit::C.bytes(), "a_byte", ["m", "k"])?;
/// assert!(bytes.contains("return ((m << 6) + (k ^ (m & 7) << 3)) << 1;"));
/// // For a reader who follows the transforms one by one: 8 operations, where fused has 5.
/// let staged = Tile::default().emit(emit::C.staged(), "a_offset", ["m", "k"])?;
/// assert!(staged.contains("return ((k >> 3 ^ (m & 7)) << 3) + (m << 6) + (k & 7);"));
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Form {
    language: &'static Language,
    unit: OffsetUnit,
    staged: bool,
    narrow: bool,
}

/// The unit of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OffsetUnit {
    Elements,
    /// Bytes, of elements as wide as the layout's.
    Bytes,
    /// Bytes, of elements of the given width in bits.
    BytesOf(u32),
}

impl Form {
    pub(super) const fn new(language: &'static Language) -> Self {
        Self { language, unit: OffsetUnit::Elements, staged: false, narrow: false }
    }

    /// The language's name: `WGSL`.
    #[must_use]
    pub const fn language(self) -> &'static str {
        self.language.title
    }

    /// The file extension: `wgsl`.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        self.language.extension
    }

    /// The offset in bytes and not in elements: of the byte in which an element begins.
    #[must_use]
    pub const fn bytes(mut self) -> Self {
        self.unit = OffsetUnit::Bytes;
        self
    }

    /// The offset in bytes, of elements of `bits` bits: for what does not know its element, as a
    /// [`Plan`](tiledesc::Plan).
    ///
    /// ```
    /// use tiledesc::{Plan, prelude::*};
    /// use tiledesc_host::emit::{self, Emit};
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1])?;
    /// let text = rows.emit(emit::TEXT.bytes_of(F16::BITS), "byte", ["m", "k"]).unwrap();
    /// assert_eq!(text, "byte(m, k) = 2 * (72 * m + k)");
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn bytes_of(mut self, bits: u32) -> Self {
        self.unit = OffsetUnit::BytesOf(bits);
        self
    }

    /// An offset in elements, of a map whose elements may have a width.
    pub(super) fn counted(
        self,
        offset: Expression,
        bits: Option<u32>,
    ) -> Result<Expression, Error> {
        match (self.unit, bits) {
            (OffsetUnit::Elements, _) => Ok(offset),
            (OffsetUnit::BytesOf(bits), _) | (OffsetUnit::Bytes, Some(bits)) => {
                Ok(bytes_of(&offset, bits))
            }
            (OffsetUnit::Bytes, None) => Err(Error::number(
                "the width of an element is not known: write `.bytes_of(16)` for 16 bits",
            )),
        }
    }

    /// Stage by stage, as the layout was written, and not fused.
    #[must_use]
    pub const fn staged(mut self) -> Self {
        self.staged = true;
        self
    }

    /// Offsets in a tensor, [`Header::rows`](super::Header::rows), in 32 bits also where the language has 64: then a
    /// function returns whether they fit.
    #[must_use]
    pub const fn narrow(mut self) -> Self {
        self.narrow = true;
        self
    }

    /// Returns whether offsets in a tensor have 64 bits.
    ///
    /// ```
    /// use tiledesc_host::emit::{HIP, WGSL};
    ///
    /// assert!(HIP.is_wide() && !HIP.narrow().is_wide() && !WGSL.is_wide());
    /// ```
    #[must_use]
    pub const fn is_wide(self) -> bool {
        !self.narrow && self.has_wide()
    }

    /// Returns whether the language has numbers of 64 bits.
    pub(super) const fn has_wide(self) -> bool {
        matches!(self.program(), Some(program) if program.wide)
    }

    /// Returns whether the language's headers may be in a [`namespace`](super::Header::namespace).
    ///
    /// ```
    /// use tiledesc_host::emit::{C, CUDA, HIP};
    ///
    /// assert!(HIP.has_namespaces() && CUDA.has_namespaces() && !C.has_namespaces());
    /// ```
    #[must_use]
    pub const fn has_namespaces(self) -> bool {
        matches!(self.program(), Some(program) if program.namespaces)
    }

    /// The function `name` of `coordinates`, which returns `offset`: what
    /// [`Emit::emit`](crate::emit::Emit::emit) writes, of an [`Expression`] of your own. Unit and way of the form
    /// are those of the expression.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Expression};
    /// use tiledesc::{Extent, Index};
    ///
    /// let (lane, step) = (Expression::coordinate(0, 64), Expression::coordinate(1, 4));
    /// let row = lane.rem(Extent::constant(16)).add(&step.mul(Extent::constant(16)));
    /// assert_eq!(
    ///     emit::TEXT.function("row", &["lane", "step"], &row)?,
    ///     "row(lane, step) = (lane mod 16) + 16 * step",
    /// );
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Emit::emit`](crate::emit::Emit::emit); a coordinate of the expression that has no name.
    pub fn function(
        self,
        name: &str,
        coordinates: &[&str],
        offset: &Expression,
    ) -> Result<String, Error> {
        self.write(&Function { name, coordinates, returns: Returns::Value(offset) })
    }

    /// Writes any function, if the language has such.
    pub(super) fn write(self, function: &Function<'_>) -> Result<String, Error> {
        let Function { name, coordinates, returns } = function;
        self.language.check(name, coordinates)?;
        function.expressions().into_iter().try_for_each(|each| each.check(coordinates.len()))?;
        match (&self.language.writes, returns) {
            (Writing::Program(program), _) => Ok((program.function)(function)),
            (Writing::Formula(formula), Returns::Value(value)) => {
                Ok(formula(name, coordinates, value))
            }
            (Writing::Formula(_), _) => Err(Error::no_form(format!(
                "{} has formulas only; tables and conditions are written in a language of programs",
                self.language()
            ))),
        }
    }

    /// The beginning of a comment.
    pub(super) const fn comment(self) -> &'static str {
        self.language.comment
    }

    /// The writers of a language of programs; `None` for one of formulas.
    pub(super) const fn program(self) -> Option<&'static Program> {
        match &self.language.writes {
            Writing::Program(program) => Some(program),
            Writing::Formula(_) => None,
        }
    }

    /// Refuses the name of a constant, as that of a function.
    pub(super) fn check_name(self, name: &str) -> Result<(), Error> {
        self.language.check(name, &[])
    }

    /// The function of a plan, whose elements may have a width.
    pub(super) fn of_plan(
        self,
        plan: &Plan,
        bits: Option<u32>,
        name: &str,
        coordinates: &[&str],
    ) -> Result<String, Error> {
        if let (OffsetUnit::BytesOf(bits), _) | (OffsetUnit::Bytes, Some(bits)) = (self.unit, bits)
        {
            sized(Ok(*plan), bits)?;
        }
        let offset = self.counted(self.offset_of(plan, coordinates.len())?, bits)?;
        self.function(name, coordinates, &offset)
    }

    /// The offset of a plan, in elements, with one name for each dimension.
    pub(super) fn offset_of(self, plan: &Plan, names: usize) -> Result<Expression, Error> {
        let (lengths, context) = (plan.lengths(), Expression::number(0));
        let each = lengths.as_slice().iter().enumerate();
        let index: Vec<_> = each.map(|(i, length)| Expression::coordinate(i, *length)).collect();
        check_names(names, index.len())?;
        let offset =
            if self.staged { plan.staged(&index, &context) } else { plan.fused(&index, &context) };
        Ok(offset?)
    }
}

/// Refuses more or fewer names than dimensions.
pub(super) fn check_names(names: usize, dimensions: usize) -> Result<(), Error> {
    if names == dimensions {
        return Ok(());
    }
    Err(Error::number(format!(
        "a layout of {dimensions} dimensions needs as many names, and {names} are given"
    )))
}
