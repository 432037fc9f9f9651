//! What a scalar register holds: a number that all lanes share, and perhaps half of a mask of lanes.
//!
//! ```text
//!   v_cmp_lt_u32 vcc, v0, v1         vcc_lo and vcc_hi: halves of the set of lanes that pass
//!   s_cselect_b64 s[0:1], -1, 0      all lanes or none, which is not known
//!   s_mov_b32 s2, s0                 the first half still
//! ```

use super::mask::Set;
use super::pointer::Kind;
use crate::value::Value;

/// A mask of lanes in a scalar register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// The lanes of a set.
    Set(Set),
    /// All lanes of a set, or none.
    Whole(Set),
}

/// A scalar register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) value: Value,
    /// The mask, and which half of it the register has.
    pub(crate) mask: Option<(Mask, usize)>,
    pub(crate) kind: Kind,
}

impl Scalar {
    /// A scalar of this value, which is the same in all lanes.
    pub(crate) fn new(value: Value) -> Self {
        let value = if value.is_shared() { value } else { Value::shared(0) };
        Self { value, mask: None, kind: Kind::Other }
    }

    pub(super) fn join(&self, other: &Self, at: usize) -> Self {
        if self == other {
            return self.clone();
        }
        let mask = self.mask.filter(|_| self.mask == other.mask);
        let kind = self.kind.or(other.kind);
        Self { mask, kind, ..Self::new(self.value.join(&other.value, at)) }
    }
}

impl Mask {
    /// The set, if the mask is not of all of its lanes or none.
    pub(crate) fn exact(self) -> Option<Set> {
        match self {
            Self::Set(set) => Some(set),
            Self::Whole(_) => None,
        }
    }

    pub(crate) fn set(&self) -> Set {
        match self {
            Self::Set(set) | Self::Whole(set) => *set,
        }
    }

    pub(super) const fn set_mut(&mut self) -> &mut Set {
        match self {
            Self::Set(set) | Self::Whole(set) => set,
        }
    }
}
