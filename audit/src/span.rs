//! A number of cycles that is known, or lies between two, or is at least one.
//!
//! ```text
//!   576             every access is known
//!   320 to 576      a branch of the loop jumps over some, or which lanes are on depends on data
//!   at least 320    the address of some is not known
//! ```

use std::fmt;
use std::ops::Add;

/// Cycles from one number to another, which may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// In units of 1 / [`PARTS`] cycle.
    least: u64,
    most: Option<u64>,
}

/// The parts of a cycle: a warp of a `wgmma` of 8 columns takes an eighth of one on `sm_90`, by integers of 8 bits.
const PARTS: u64 = 64;

impl Span {
    /// No cycle.
    pub(crate) const NONE: Self = Self { least: 0, most: Some(0) };
    /// Any number of cycles.
    pub(crate) const UNKNOWN: Self = Self { least: 0, most: None };

    /// As many cycles.
    pub(crate) const fn exactly(cycles: u64) -> Self {
        Self::between(cycles, cycles)
    }

    /// Cycles from one number to another.
    pub(crate) const fn between(least: u64, most: u64) -> Self {
        Self { least: least * PARTS, most: Some(most * PARTS) }
    }

    /// As many cycles or more.
    pub(crate) const fn at_least(cycles: u64) -> Self {
        Self { least: cycles * PARTS, most: None }
    }

    /// The time of some work at a rate of so much a cycle, or of a lower one.
    pub(crate) const fn of_work(work: u64, [fast, slow]: [u64; 2]) -> Self {
        Self { least: work * PARTS / fast, most: Some((work * PARTS).div_ceil(slow)) }
    }

    /// As often.
    pub(crate) fn times(self, times: u64) -> Self {
        let of = |cycles: u64| cycles.saturating_mul(times);
        Self { least: of(self.least), most: self.most.map(of) }
    }

    /// The fewest cycles.
    #[must_use]
    pub const fn least(self) -> u64 {
        self.least.div_ceil(PARTS)
    }

    /// The most cycles, if they are known.
    #[must_use]
    pub fn most(self) -> Option<u64> {
        self.most.map(|most| most.div_ceil(PARTS))
    }

    /// The cycles, if one number is known.
    #[must_use]
    pub fn exact(self) -> Option<u64> {
        self.most().filter(|most| *most == self.least())
    }

    /// The cycles of optional work: from 0 to the same maximum.
    pub(crate) const fn or_none(self) -> Self {
        Self { least: 0, ..self }
    }

    /// Either of two spans.
    pub(crate) fn or(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(a, b)| a.max(b));
        Self { least: self.least.min(other.least), most }
    }

    /// The larger of two.
    pub(crate) fn max(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(a, b)| a.max(b));
        Self { least: self.least.max(other.least), most }
    }

    /// The smaller of two.
    pub(crate) fn min(self, other: Self) -> Self {
        let most = match (self.most, other.most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { least: self.least.min(other.least), most }
    }

    /// Returns whether it is more than another, whatever both are.
    pub(crate) fn is_above(self, other: Self) -> bool {
        other.most.is_some_and(|most| self.least > most)
    }

    /// Returns whether it is no less than another, whatever both are.
    pub(crate) fn is_no_less(self, other: Self) -> bool {
        other.most.is_some_and(|most| self.least >= most)
    }

    /// `1.13` of 576 over 512, `at least 1.13` where either may be another number; `None` over 0.
    pub(crate) fn over(self, other: Self) -> Option<String> {
        let below = other.most.filter(|most| *most > 0)?;
        let hundredths = (200 * self.least + below) / (2 * below);
        let word =
            if [self, other].iter().all(|one| one.exact().is_some()) { "" } else { "at least " };
        Some(format!("{word}{}.{:02}", hundredths / 100, hundredths % 100))
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(a, b)| a + b);
        Self { least: self.least + other.least, most }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least(), self.most()) {
            (0, None) => f.write_str("not known"),
            (least, None) => write!(f, "at least {least}"),
            (least, Some(most)) if least == most => write!(f, "{least}"),
            (least, Some(most)) => write!(f, "{least} to {most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums keep what is not known, and fractions of a cycle are rounded once.
    #[test]
    fn sums() {
        let half = Span::of_work(1, [2, 2]);
        assert_eq!((half + half).to_string(), "1");
        assert_eq!(half.times(3).to_string(), "2");
        assert_eq!((Span::exactly(4) + Span::at_least(3)).to_string(), "at least 7");
        assert_eq!(Span::exactly(4).or_none().to_string(), "0 to 4");
        assert_eq!(Span::UNKNOWN.to_string(), "not known");
        assert_eq!(Span::between(3, 9).max(Span::exactly(5)).to_string(), "5 to 9");
    }

    /// One is above another only if it is for all numbers that both may be.
    #[test]
    fn comparisons() {
        let [few, many] = [Span::between(1, 4), Span::at_least(5)];
        assert!(many.is_above(few) && !few.is_no_less(many) && !few.is_above(many));
        assert!(!Span::exactly(4).is_above(few) && Span::exactly(4).is_no_less(few));
        assert_eq!(Span::exactly(576).over(Span::exactly(512)).unwrap(), "1.13");
        assert_eq!(many.over(few).unwrap(), "at least 1.25");
        assert_eq!(many.over(Span::NONE), None);
    }
}
