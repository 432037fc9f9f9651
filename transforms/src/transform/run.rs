//! Runs: what a walk along one dimension does to the offset, and where it breaks.
//! The currency of vector guarantees; each transform's `run` changes it.

/// The change of the offset while one dimension is walked and all others stay.
///
/// Every step adds `stride`, except at some multiples of `period` (and nowhere
/// when `period` is 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) period: u64,
    pub(crate) stride: i64,
}

impl Run {
    /// Nothing is known: any step may break.
    pub(crate) const BROKEN: Self = Self { period: 1, stride: 0 };
    /// Walking changes nothing.
    pub(crate) const STILL: Self = Self { period: 0, stride: 0 };

    /// Returns the run with further breaks at multiples of `position` (none for 0).
    pub(crate) const fn broken_at(self, position: u64) -> Self {
        Self { period: gcd(self.period, position), stride: self.stride }
    }

    /// Returns the run begun `distance` earlier or later: its breaks move with it, so only common divisors remain.
    pub(crate) const fn moved_by(self, distance: u64) -> Self {
        if self.period == 0 { self } else { self.broken_at(distance) }
    }
}

/// The greatest common divisor; `gcd(0, n) = n`.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
