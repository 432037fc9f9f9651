//! The part of a composition's checks that types alone decide: whether there are any, and along which indices.
//!
//! ```text
//!   valid indices of a dimension    | a vector of n asks
//!   0 .. low            a prefix    | its last element
//!   left .. left + low  an interval | its first and its last
//!   anything else                   | every one
//! ```
//!
//! A right pad's are a prefix, and stay one below whatever maps larger indices to larger
//! ones. Below a `merge` or an `xor` they may be anything.

/// The checks of a transform, a stage or a composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// There are some.
    pub(crate) any: bool,
    /// The map below is affine.
    affine: bool,
    /// A larger index in range is mapped to a larger or the same one.
    monotone: bool,
    pub(crate) intervals: bool,
    pub(crate) prefixes: bool,
}

impl Checks {
    /// A transform or base that has none.
    pub(crate) const fn none(affine: bool) -> Self {
        Self { any: false, affine, monotone: affine, intervals: true, prefixes: true }
    }

    /// An affine transform whose valid indices, if they are `checked`, begin with 0.
    pub(crate) const fn prefix(checked: bool) -> Self {
        Self { any: checked, ..Self::none(true) }
    }

    /// One whose valid indices begin later. Those before wrap around.
    pub(crate) const fn interval(checked: bool) -> Self {
        Self { any: checked, monotone: false, prefixes: !checked, ..Self::none(true) }
    }

    /// Two transforms side by side.
    pub(crate) const fn beside(self, other: Self) -> Self {
        Self {
            any: self.any || other.any,
            affine: self.affine && other.affine,
            monotone: self.monotone && other.monotone,
            intervals: self.intervals && other.intervals,
            prefixes: self.prefixes && other.prefixes,
        }
    }

    /// A stage and what is below it.
    pub(crate) const fn over(self, below: Self) -> Self {
        let (intervals, prefixes) = (
            !below.any || self.affine && below.intervals,
            !below.any || self.monotone && below.prefixes,
        );
        Self {
            any: self.any || below.any,
            affine: self.affine && below.affine,
            monotone: self.monotone && below.monotone,
            intervals: self.intervals && intervals,
            prefixes: self.prefixes && prefixes,
        }
    }
}
