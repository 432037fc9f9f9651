//! What an access asks of a layout, and what several lose by what is in bank 0.
//!
//! A number that is in bank 0 and a sum of what one phase touches, or of that and of what is there already,
//! doubles the cycles. Most of a search is this question, and its undoing:
//!
//! ```text
//!   a choice and its undoing, of three accesses        instructions of rustc, about
//!   put into each by a call, and taken from each       550,000
//!   put by one call, and taken back by a copy          210,000
//! ```

use crate::bank::span::{Span, add};

/// Different accesses that are searched for together.
pub(super) const MOST: usize = 32;

const BITS: usize = Span::BITS as usize;

/// What an access asks of the layout: its phases in different banks.
#[derive(Clone, Copy)]
pub(crate) struct Claim {
    /// What one phase touches: offsets in the base, in units that the caller chooses; what shares
    /// a dword is either among them or left out.
    pub(super) touched: Span,
    /// The first bit of an offset above the banks.
    pub(super) line: u32,
    /// Cycles without conflicts.
    pub(super) cycles: u64,
}

impl Claim {
    /// Nothing.
    pub(crate) const NONE: Self = Self::new(Span::NONE, 0, 0);

    /// A phase that touches these sums, on banks below bit `line`; all phases together take
    /// `cycles` without conflicts.
    pub(crate) const fn new(touched: Span, line: u32, cycles: u64) -> Self {
        Self { touched, line, cycles }
    }

    /// The least that any linear layout leaves it at in which a bit above the banks flips only bits from
    /// `low` to `top`. Sums of what is touched that have, below the banks, no other bits than those are in
    /// at most 2^(top - low) banks.
    pub(super) const fn least(&self, low: u32, top: u32) -> u64 {
        let (top, sums) = if top < self.line {
            let others = bits(0, low) | bits(top, self.line);
            (top, self.touched.dimension() - self.touched.without(!others).dimension())
        } else {
            (self.line, (self.touched.lowest() >> low).count_ones())
        };
        self.cycles << sums.saturating_sub(top.saturating_sub(low))
    }
}

/// The bits from one to another.
const fn bits(from: u32, end: u32) -> u32 {
    if from < end { (u32::MAX >> (Span::BITS - (end - from))) << from } else { 0 }
}

/// Claims, and what is in bank 0: which is taken back by a copy of the [state](State).
pub(super) struct Tally {
    /// What is touched, and what is in bank 0 beside it.
    bases: [[u32; BITS]; MOST],
    lines: [u32; MOST],
    /// Cycles that none of the layouts in question is below.
    least: [u64; MOST],
    pub(super) state: State,
    count: usize,
    /// The first bits above the fewest banks and above the most.
    ends: [u32; 2],
}

/// Of each claim which numbers its basis has, and the cycles by that.
#[derive(Clone, Copy)]
pub(super) struct State {
    lowest: [u32; MOST],
    cycles: [u64; MOST],
}

impl Tally {
    /// Of claims on which nothing is lost yet, where a bit above the banks flips only bits from `low` to
    /// `top`; and the cycles that no such layout is below. A loss that comes anyhow is paid at once: else
    /// a branch that loses elsewhere is found out at its end, and 20,000 masks are soon looked at.
    pub(super) const fn of(claims: &[Claim], low: u32, top: u32) -> (Self, u64) {
        let mut tally = Self {
            bases: [[0; BITS]; MOST],
            lines: [0; MOST],
            least: [0; MOST],
            state: State { lowest: [0; MOST], cycles: [0; MOST] },
            count: claims.len(),
            ends: [Span::BITS, 0],
        };
        let (mut all, mut i) = (0, 0);
        while i < claims.len() {
            let claim = &claims[i];
            let (line, least) = (claim.line, claim.least(low, top));
            tally.bases[i] = *claim.touched.basis();
            tally.lines[i] = line;
            tally.least[i] = least;
            tally.state.lowest[i] = claim.touched.lowest();
            tally.state.cycles[i] = claim.cycles;
            all += least;
            if line < tally.ends[0] {
                tally.ends[0] = line;
            }
            if line > tally.ends[1] {
                tally.ends[1] = line;
            }
            i += 1;
        }
        (tally, all)
    }

    /// The first bit above the fewest banks.
    pub(super) const fn first_line(&self) -> u32 {
        self.ends[0]
    }

    /// The first bit above the most banks that a bit is above; 0 if it is above none.
    pub(super) const fn line_up_to(&self, bit: u32) -> u32 {
        if self.ends[1] <= bit {
            return self.ends[1];
        }
        let (mut line, mut i) = (0, 0);
        while i < self.count {
            let of_this = self.lines[i];
            if of_this <= bit && of_this > line {
                line = of_this;
            }
            i += 1;
        }
        line
    }

    /// A number is in bank 0 of all accesses whose banks a bit is above; the cycles that this costs, or
    /// some of them if they are no less than `room`. From the last on: writes come first and lose least.
    pub(super) const fn put(&mut self, number: u32, bit: u32, room: u64) -> u64 {
        let (mut more, mut i) = (0, self.count);
        while i > 0 {
            i -= 1;
            if self.lines[i] > bit {
                continue;
            }
            let basis = &mut self.bases[i];
            let mut lowest = self.state.lowest[i];
            if add!(basis, lowest, number) {
                self.state.lowest[i] = lowest;
            } else {
                let (before, least) = (self.state.cycles[i], self.least[i]);
                self.state.cycles[i] = before * 2;
                more += if before >= least { before } else { (before * 2).saturating_sub(least) };
                if more >= room {
                    return more;
                }
            }
        }
        more
    }
}
