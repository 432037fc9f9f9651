//! What a statement that declares a layout leaves with it: its accesses, as the search laid them, and the
//! numbers of its type.
//!
//! A line is 1.1 M instructions of rustc wherever it is typed; so it is typed in the constant that has what
//! was found, and the judge takes it from there.

use super::laid::Laid;
use super::line::Line;

/// The accesses of a statement that declares a layout: typed once, for the search and for the judge. And the
/// numbers of its type.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Statement {
    pub numbers: Numbers,
    pub(super) lines: &'static [Line<'static>],
    /// Those of one chip, which come one after the other.
    pub(super) of_chip: usize,
    pub(super) laid: Laid,
}

/// The parameters of the type that is declared. Fields: a constant that calls a method is 0.46 M
/// instructions of rustc, one that takes a field 0.15.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Which recipe, by rows or by columns.
    pub form: usize,
    pub rows: usize,
    pub columns: usize,
    pub pack: usize,
    pub layers: usize,
    /// A padding, or the lines that are joined.
    pub padding: usize,
    /// Masks or columns of packs, as one number.
    pub list: u128,
}

impl Numbers {
    const NONE: Self =
        Self { form: 0, rows: 0, columns: 0, pack: 0, layers: 0, padding: 0, list: 0 };
}

impl Statement {
    /// Of a layout that no statement declares.
    pub(crate) const NONE: Self =
        Self { numbers: Numbers::NONE, lines: &[], of_chip: 1, laid: Laid::NONE };

    /// Of a layout that was found, with what the search knows of the accesses.
    pub(super) const fn of(laid: Laid) -> Self {
        Self { laid, ..Self::NONE }
    }
}

/// Any two: what was asked is nothing of what was found.
impl PartialEq for Statement {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Statement {}

impl core::fmt::Debug for Statement {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} accesses", self.lines.len())
    }
}
