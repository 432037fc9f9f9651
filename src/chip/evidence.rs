//! How sure a row of the hardware table is: measured, documented, or inferred from other rows.

/// How sure a row is.
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
    /// Its source states it.
    Documented,
    /// Its source measured it, by counters or by latency.
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

/// What every figure says of itself, beside its fields `evidence` and `source`.
macro_rules! sourced {
    () => {
        /// How sure the figures are.
        #[must_use]
        pub const fn evidence(&self) -> $crate::chip::Evidence {
            self.evidence
        }

        /// Where the figures are from, or what they were inferred from.
        #[must_use]
        pub const fn source(&self) -> &'static str {
            self.source
        }
    };
}
pub(crate) use sourced;
