//! The evidence for a row of the hardware table: measured, documented, or inferred from other rows.

/// The evidence for a row.
///
/// ```
/// use tiledesc::chip::{Evidence, gfx1201};
///
/// assert_eq!(gfx1201::ds_read_b96.service().evidence, Evidence::Documented);
/// assert!(Evidence::Measured > Evidence::Documented && Evidence::Documented > Evidence::Inferred);
/// assert_eq!(Evidence::Measured.name(), "measured");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// We found no source that states or measured it; it follows from rows that are known.
    Inferred,
    /// The source states the figures.
    Documented,
    /// The source measured the figures, by counters or by latency.
    Measured,
}

impl Evidence {
    /// The word that verdicts print: `inferred`, `documented` or `measured`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inferred => "inferred",
            Self::Documented => "documented",
            Self::Measured => "measured",
        }
    }

    pub(crate) const fn is_weaker_than(self, other: Self) -> bool {
        (self as u8) < other as u8
    }
}

/// The methods of every figure for its fields `evidence` and `source`.
macro_rules! sourced {
    () => {
        /// The evidence for the figures.
        #[must_use]
        pub const fn evidence(&self) -> $crate::chip::Evidence {
            self.evidence
        }

        /// The source of the figures, or the facts from which they were inferred.
        #[must_use]
        pub const fn source(&self) -> &'static str {
            self.source
        }
    };
}
pub(crate) use sourced;
