//! The evidence for a chip's rows, counted.
//!
//! ```
//! let tally = tiledesc::chip::gfx950.tally();
//! assert_eq!(
//!     tally.to_string(),
//!     "34 rows: 7 measured, 1 documented, 26 inferred; 20 of them disputed",
//! );
//! ```

use super::{Evidence, Instruction};

/// Rows by how sure they are.
///
/// ```
/// use tiledesc::chip::{CHIPS, Tally};
///
/// let all = CHIPS.iter().fold(Tally::NONE, |all, chip| all.plus(chip.tally()));
/// println!("{all}");
/// assert_eq!(all.rows(), CHIPS.iter().map(|chip| chip.rows().len()).sum::<usize>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Rows that a source measured.
    pub measured: usize,
    /// Rows that a source states.
    pub documented: usize,
    /// Rows that follow from others.
    pub inferred: usize,
    /// Rows, of all of these, that another source contradicts.
    pub disputed: usize,
}

impl Tally {
    /// No rows.
    pub const NONE: Self = Self { measured: 0, documented: 0, inferred: 0, disputed: 0 };

    pub(super) const fn new(rows: &[Instruction]) -> Self {
        let (mut tally, mut i) = (Self::NONE, 0);
        while i < rows.len() {
            match rows[i].service().evidence {
                Evidence::Measured => tally.measured += 1,
                Evidence::Documented => tally.documented += 1,
                Evidence::Inferred => tally.inferred += 1,
            }
            tally.disputed += rows[i].rival().is_some() as usize;
            i += 1;
        }
        tally
    }

    /// Returns the sum of both.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            measured: self.measured + other.measured,
            documented: self.documented + other.documented,
            inferred: self.inferred + other.inferred,
            disputed: self.disputed + other.disputed,
        }
    }

    /// The number of all rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.measured + self.documented + self.inferred
    }
}

impl core::fmt::Display for Tally {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { measured, documented, inferred, disputed } = self;
        write!(
            f,
            "{} rows: {measured} measured, {documented} documented, {inferred} inferred; {disputed} \
             of them disputed",
            self.rows(),
        )
    }
}
