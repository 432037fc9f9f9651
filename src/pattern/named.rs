//! The ready-made patterns by name: what [`NAMED`](super::NAMED) lists.

use super::Lanes;

/// A ready-made pattern with its name.
///
/// ```
/// use tiledesc::pattern::NAMED;
///
/// let rows = NAMED.iter().find(|named| named.name() == "MfmaRows").unwrap();
/// assert_eq!(rows.parameter(), Some("R"));
/// assert!(rows.page()[0].contains("operand of a matrix instruction"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Named {
    name: &'static str,
    parameter: &'static [&'static str],
    page: &'static [&'static str],
    lanes: fn(u32) -> Lanes<'static>,
}

impl Named {
    pub(super) const fn new(
        name: &'static str,
        parameter: &'static [&'static str],
        page: &'static [&'static str],
        lanes: fn(u32) -> Lanes<'static>,
    ) -> Self {
        Self { name, parameter, page, lanes }
    }

    /// The name in code: `MfmaRows`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the pattern's number, if it takes one: `R`.
    #[must_use]
    pub fn parameter(&self) -> Option<&'static str> {
        self.parameter.first().copied()
    }

    /// The pattern's page in this documentation, line by line, in Markdown.
    #[must_use]
    pub const fn page(&self) -> &'static [&'static str] {
        self.page
    }

    /// Returns the pattern with a number, which it ignores if it takes none; `None` of 0 where it takes one.
    ///
    /// ```
    /// use tiledesc::pattern::NAMED;
    ///
    /// let rows = NAMED.iter().find(|named| named.name() == "MfmaRows").unwrap();
    /// assert_eq!(rows.lanes(16).unwrap().operand_rows(), Some(16));
    /// assert_eq!(rows.lanes(0), None);
    /// ```
    #[must_use]
    pub fn lanes(&self, number: u32) -> Option<Lanes<'static>> {
        (number > 0 || self.parameter.is_empty()).then(|| (self.lanes)(number))
    }
}
