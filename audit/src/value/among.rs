//! Bits that depend on data, in some places of a number: an index in a table, a digit that picks a row of counters.
//!
//! ```text
//!   (data & 15) << 2             0 + bits of 0x3c              one of 16 dwords
//!   data << 9 | 4 lane           4 lane + bits of 0xfffffe00   the lane's own bank, in one of many rows
//! ```
//!
//! Each lane has bits of its own. What is added to them, taken from them or multiplied with them leaves bits in known places;
//! any other operation leaves the low bits below them.

use super::Value::{self, Among, Part, Sum, Unknown};
use super::{Lanes, Reason, Why, low};

/// A value as `u + f(lane)`, u a multiple of 2^k, and bits of `open`.
struct Spread {
    k: u32,
    open: u32,
    f: Lanes,
    reason: Option<Reason>,
}

impl Value {
    /// `u + f(lane)` and bits of `open`, which differ from lane to lane.
    pub(super) fn among(k: u32, open: u32, f: &Lanes, reason: Reason) -> Self {
        // Where all bits from some place on are open, those of u and f say nothing there.
        let top = 32 - open.leading_ones();
        let (k, f) = match top {
            32 => (k, f.clone()),
            top => (if k >= top { 32 } else { k }, f.map(|number| number & low(top))),
        };
        match (open, Self::sum(k, f)) {
            (0, sum) => sum,
            (open, Sum { k: 32, f }) if open == !low(top) => Self::part(top, &f, reason),
            (open, Sum { k, f }) => Among { k, open, f, reason },
            (_, other) => other,
        }
    }

    fn spread(&self) -> Option<Spread> {
        let (k, open, f, reason) = match self {
            Sum { k, f } => (*k, 0, f.clone(), None),
            Part { bits, f, reason } => (32, !low(*bits), f.clone(), Some(*reason)),
            Among { k, open, f, reason } => (*k, *open, f.clone(), Some(*reason)),
            Unknown(reason) => (32, u32::MAX, Lanes::ZERO, Some(*reason)),
            _ => return None,
        };
        Some(Spread { k, open, f, reason })
    }

    /// Which bits are open, and the others: each bit by itself, so that nothing is carried into a known one.
    pub(super) fn by_bits(&self) -> (u32, Lanes) {
        match self {
            Sum { k, f } => (!low(*k), f.clone()),
            Part { bits, f, .. } => (!low(*bits), f.clone()),
            Among { k: 32, open, f, .. } if f.all(|number| number & open == 0) => {
                (*open, f.clone())
            }
            Among { k, open, f, .. } => (!low(*k.min(&open.trailing_zeros())), f.clone()),
            _ => (u32::MAX, Lanes::ZERO),
        }
    }

    /// The sum of two of which one has open bits, or the difference; `None` if another rule is as good.
    pub(super) fn sum_of_open(&self, other: &Self, subtracts: bool) -> Option<Self> {
        if !matches!(
            (self, other),
            (Among { .. } | Part { .. }, _) | (_, Among { .. } | Part { .. })
        ) {
            return None;
        }
        let (a, b) = (self.spread()?, other.spread()?);
        let reason = a.reason.into_iter().chain(b.reason).min()?;
        let f = match subtracts {
            false => a.f.with(&b.f, u32::wrapping_add),
            // Less some bits of a mask is less all of them, and the other bits more.
            true => a.f.with(&b.f, |a, g| a.wrapping_sub(g).wrapping_sub(b.open)),
        };
        Some(Self::among(a.k.min(b.k), either_or_both(a.open, b.open), &f, reason))
    }

    /// The product with a number that all lanes have.
    pub(super) fn times(&self, number: u32) -> Option<Self> {
        let Spread { k, open, f, reason } = self.spread()?;
        let zeros = number.trailing_zeros().min(32);
        let (most, least) = (u64::from(open) * u64::from(number), open.trailing_zeros() + zeros);
        let open = match u32::try_from(most) {
            _ if number.is_power_of_two() => open << zeros,
            Ok(most) => low(32 - most.leading_zeros()) & !low(least.min(32)),
            Err(_) if least < 32 => !low(least),
            Err(_) => 0,
        };
        let f = f.map(|one| one.wrapping_mul(number));
        Some(Self::among((k + zeros).min(32), open, &f, reason?))
    }

    /// What is left of known and open bits that are shifted to the right.
    pub(super) fn shifted_right(&self, by: u32, signed: bool, reason: Reason) -> Self {
        let shift = |number: u32| match signed {
            true => (number.cast_signed() >> by).cast_unsigned(),
            false => number >> by,
        };
        let (open, f) = self.by_bits();
        Self::among(32, shift(open), &f.map(|number| shift(number & !open)), reason)
    }

    /// What is known where each lane has the value of a round of its own: u then differs from lane to lane, so its bits are as
    /// open as those that depend on data.
    pub(crate) fn of_own_rounds(&self, at: usize) -> Self {
        let value = self.plain(at);
        match value.spread() {
            Some(Spread { k, open, f, reason }) if k < 32 => {
                let reason = reason.unwrap_or(Reason { at, why: Why::Mask });
                Self::among(32, either_or_both(open, !low(k)), &f, reason)
            }
            _ => value,
        }
    }

    /// One value for two that differ by a number which all lanes share.
    pub(super) fn meet_open(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Among { k, open, f, reason }, Among { k: l, open: too, f: g, .. }) if open == too => {
                let distance = g.with(f, u32::wrapping_sub).same()?;
                Some(Self::among(Self::zeros(*k.min(l), distance), *open, f, *reason))
            }
            _ => None,
        }
    }
}

/// The bits that a sum of bits of two masks may have.
fn either_or_both(a: u32, b: u32) -> u32 {
    if a & b == 0 {
        return a | b;
    }
    let all = a | b;
    // One bit more than the highest.
    low(33 - all.leading_zeros()) & !low(all.trailing_zeros())
}
