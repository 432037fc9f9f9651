//! How vector instructions differ from what they say: by indices of registers, or skipped.
//!
//! ```text
//!   s_set_gpr_idx_on s51, gpr_idx(SRC0)      v_mov_b32 v1, v2 reads v[2 + s51]
//!   s_setvskip s20, 0                        vector instructions are skipped if bit 0 of s20 is set
//! ```

/// How vector instructions differ from what they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    /// Which of their registers are others than they name.
    pub(crate) indexes: Indexes,
    /// Whether they may be skipped.
    pub(crate) may_skip: bool,
}

/// Registers that are counted from the one which an instruction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Indexes {
    /// None.
    None,
    /// Those that are read.
    Sources,
    /// All, or those of memory instructions, too.
    All,
}

impl Mode {
    /// Instructions do what they say.
    pub(crate) const PLAIN: Self = Self { indexes: Indexes::None, may_skip: false };

    /// Returns whether any register may be written.
    pub(crate) fn is_foreign(self) -> bool {
        self.indexes == Indexes::All
    }

    /// What may differ in one or the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self { indexes: self.indexes.max(other.indexes), may_skip: self.may_skip | other.may_skip }
    }
}
