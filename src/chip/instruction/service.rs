//! The service of lanes: those that are served together, the number of banks, and the evidence.
//!
//! Evidence belongs to what it was stated of: where banks, phases or another fact of a row change, the row is inferred
//! until its evidence is stated anew.

use crate::chip::evidence::Evidence;
use crate::chip::phases::Phases;

/// Phases and banks, and the evidence for them.
///
/// ```
/// use tiledesc::chip::{Evidence, gfx942::ds_read_b128};
///
/// let service = ds_read_b128.service();
/// assert_eq!((service.banks, service.phases.count()), (32, 8));
/// assert_eq!(service.phases.lanes(0), [0, 1, 2, 3, 20, 21, 22, 23]);
/// assert_eq!(service.evidence, Evidence::Measured);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Service {
    /// Banks of 4 bytes that the lanes of a phase share; a power of two.
    pub banks: u32,
    /// The lanes that are served together.
    pub phases: Phases,
    /// The evidence for the phases and banks.
    pub evidence: Evidence,
    /// The source; for inferred rows, the reason.
    pub source: &'static str,
    /// Whether evidence was stated for these banks and phases.
    pub(super) stated: bool,
}

/// A fact of a row for which its evidence counts.
#[derive(Clone, Copy)]
pub(super) enum Fact {
    Banks,
    Phases,
    Width,
    Addresses,
    Alignment,
    Chip,
}

impl Fact {
    /// Why a row is inferred that another one with this evidence was changed into.
    const fn changed_from(self, evidence: Evidence) -> &'static str {
        macro_rules! changed {
            ($what:literal) => {
                match evidence {
                    Evidence::Measured => concat!($what, " changed from a measured row"),
                    Evidence::Documented => concat!($what, " changed from a documented row"),
                    Evidence::Inferred => concat!($what, " changed from an inferred row"),
                }
            };
        }
        match self {
            Self::Banks => changed!("banks"),
            Self::Phases => changed!("phases"),
            Self::Width => changed!("width"),
            Self::Addresses => changed!("number of addresses"),
            Self::Alignment => changed!("alignment"),
            Self::Chip => changed!("chip"),
        }
    }
}

impl Service {
    pub(super) const fn new(
        banks: u32,
        phases: Phases,
        evidence: Evidence,
        source: &'static str,
    ) -> Self {
        Self { banks, phases, evidence, source, stated: true }
    }

    /// Returns the service as inferred after a change of a fact that its source does not mention. The first reason stays.
    pub(super) const fn after_change_of(self, fact: Fact) -> Self {
        if !self.stated {
            return self;
        }
        let source = fact.changed_from(self.evidence);
        Self { evidence: Evidence::Inferred, source, stated: false, ..self }
    }

    pub(super) const fn with_banks(self, banks: u32) -> Self {
        let known = if banks == self.banks { self } else { self.after_change_of(Fact::Banks) };
        Self { banks, ..known }
    }

    pub(super) const fn with_phases(self, phases: Phases) -> Self {
        // Of what nothing is stated nothing changes, and lanes need not be compared.
        let same = !self.stated || phases.are(&self.phases);
        let known = if same { self } else { self.after_change_of(Fact::Phases) };
        Self { phases, ..known }
    }
}
