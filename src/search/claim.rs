//! The demands of an access on a layout, and its loss by the numbers that a layout puts into bank 0.
//!
//! A search looks at thousands of layouts and cannot count lanes on each. On a linear layout it need not: two
//! dwords of a phase share a bank exactly if their xor is in bank 0. So an access is a basis of what one
//! phase touches, and a layout a list of numbers in bank 0, one for each bit above the banks:
//!
//! ```text
//!   128x64 halves on gfx942, read by 16 rows: a phase touches the sums of 1, 2, 32, 64 and 132; 8 cycles
//!
//!   row by row: in bank 0   a sum?   cycles           GemmXor: in bank 0   a sum?   cycles
//!    32                     yes      8 * 2 = 16        32 ^ 4              no       8
//!    64                     yes      16 * 2 = 32       64 ^ 8              no       8
//!   128                     no       32               128 ^ 16             no       8
//!   256, 512 .. 2048        no       32               256, 512 .. 2048     no       8
//! ```
//!
//! The rule: a number that is put into bank 0 and is a sum of what a phase touches, and of what is there
//! already, doubles the cycles. Any other number joins the basis, and costs nothing.

use crate::access::columns::Columns;
use crate::bank::span::{Span, add};
use crate::chip::instruction::Service;
use tiledesc_transforms::range;

/// Different accesses that are tallied together.
pub(crate) const MOST: usize = 32;

const BITS: usize = Span::BITS as usize;

/// A demand of an access on the layout: the phases of the access are in different banks.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The touched offsets of one phase: in the base, in units that the caller chooses; what shares a dword is either among them
    /// or left out.
    pub(crate) touched: Span,
    /// The low bits of an offset that choose its bank; in units smaller than a dword, its part of a dword too.
    pub(crate) bank_bits: u32,
    /// Cycles without conflicts.
    pub(crate) base_cycles: u64,
}

impl Claim {
    /// Nothing.
    pub(crate) const NONE: Self = Self::new(Span::NONE, 0, 0);

    /// A phase that touches these sums, in banks that the low `bank_bits` of an offset choose; all phases
    /// together take `base_cycles` without conflicts.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(touched: Span, bank_bits: u32, base_cycles: u64) -> Self {
        Self { touched, bank_bits, base_cycles }
    }

    /// Returns the claim of an access of columns of `bytes` bytes a lane, done so often; `None` of phases that are no cosets.
    pub(crate) const fn from_columns(
        columns: &Columns,
        service: &Service,
        bytes: u32,
        times: u64,
    ) -> Option<Self> {
        match service.phases.cosets() {
            Some(cosets) if service.banks.is_power_of_two() => Some(Self::new(
                Span::touched(columns, cosets, bytes),
                service.banks.trailing_zeros(),
                times * service.phases.count() as u64,
            )),
            _ => None,
        }
    }

    /// The least that any linear layout leaves it at in which a bit above the banks flips only bits from
    /// `low` to `top`. Sums of what is touched that have, below the banks, no other bits than those are in
    /// at most 2^(top - low) banks.
    pub(crate) const fn least(&self, low: u32, top: u32) -> u64 {
        let (top, sums) = if top < self.bank_bits {
            let others = bits(0, low) | bits(top, self.bank_bits);
            (top, self.touched.dimension() - self.touched.without(!others).dimension())
        } else {
            (self.bank_bits, (self.touched.lowest() >> low).count_ones())
        };
        self.base_cycles << sums.saturating_sub(top.saturating_sub(low))
    }
}

/// The bits from one to another.
const fn bits(from: u32, end: u32) -> u32 {
    if from < end { (u32::MAX >> (Span::BITS - (end - from))) << from } else { 0 }
}

/// Claims, and what they lose by what is in bank 0: which is taken back by a copy of the [state](State).
pub(crate) struct LossTally {
    /// The touched numbers, and those in bank 0 beside them.
    bases: [[u32; BITS]; MOST],
    bank_bits: [u32; MOST],
    /// The fewest cycles of any layout in question.
    least: [u64; MOST],
    pub(crate) state: State,
    count: usize,
    fewest_bank_bits: u32,
    most_bank_bits: u32,
}

/// The numbers that the basis of each claim has, and the cycles that follow.
#[derive(Clone, Copy)]
pub(crate) struct State {
    lowest: [u32; MOST],
    cycles: [u64; MOST],
}

impl LossTally {
    /// The tally of claims on which nothing is lost yet, where a bit above the banks flips only bits from `low` to
    /// `top`; and a bound: no such layout takes fewer cycles. A loss that no layout avoids is counted at once.
    /// Otherwise a branch that loses elsewhere is noticed only at its end, after 20,000 masks.
    pub(crate) const fn new(claims: &[Claim], low: u32, top: u32) -> (Self, u64) {
        let mut tally = Self {
            bases: [[0; BITS]; MOST],
            bank_bits: [0; MOST],
            least: [0; MOST],
            state: State { lowest: [0; MOST], cycles: [0; MOST] },
            count: claims.len(),
            fewest_bank_bits: Span::BITS,
            most_bank_bits: 0,
        };
        let mut all = 0;
        range!(i, 0..claims.len(), {
            let claim = &claims[i];
            let (bank_bits, least) = (claim.bank_bits, claim.least(low, top));
            tally.bases[i] = *claim.touched.basis();
            tally.bank_bits[i] = bank_bits;
            tally.least[i] = least;
            tally.state.lowest[i] = claim.touched.lowest();
            tally.state.cycles[i] = claim.base_cycles;
            all += least;
            if bank_bits < tally.fewest_bank_bits {
                tally.fewest_bank_bits = bank_bits;
            }
            if bank_bits > tally.most_bank_bits {
                tally.most_bank_bits = bank_bits;
            }
        });
        (tally, all)
    }

    /// The bits that choose among the fewest banks that a claim has.
    pub(crate) const fn fewest_bank_bits(&self) -> u32 {
        self.fewest_bank_bits
    }

    /// The bits that choose among the most banks that a claim has, of claims whose bits are all below
    /// `bit`; 0 if there is no such claim.
    pub(crate) const fn most_bank_bits_up_to(&self, bit: u32) -> u32 {
        if self.most_bank_bits <= bit {
            return self.most_bank_bits;
        }
        let mut most = 0;
        range!(i, 0..self.count, {
            let bank_bits = self.bank_bits[i];
            if bank_bits <= bit && bank_bits > most {
                most = bank_bits;
            }
        });
        most
    }

    /// A number is in bank 0 of all accesses whose banks a bit is above; the cycles that this costs, or
    /// some of them if they are no less than `room`. From the last on: writes come first and lose least.
    pub(crate) const fn put(&mut self, number: u32, bit: u32, room: u64) -> u64 {
        let (mut lost, mut i) = (0, self.count);
        while i > 0 {
            i -= 1;
            if self.bank_bits[i] > bit {
                continue;
            }
            let basis = &mut self.bases[i];
            let mut lowest = self.state.lowest[i];
            if add!(basis, lowest, number) {
                self.state.lowest[i] = lowest;
            } else {
                let (before, least) = (self.state.cycles[i], self.least[i]);
                self.state.cycles[i] = before * 2;
                lost += if before >= least { before } else { (before * 2).saturating_sub(least) };
                if lost >= room {
                    return lost;
                }
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The example of the module: the cycles after each number in bank 0.
    #[test]
    fn what_a_number_in_bank_0_costs() {
        let mut touched = Span::NONE;
        [1, 2, 32, 64, 132].iter().for_each(|number| assert!(touched.add(*number)));
        let after_each = |in_bank_0: [u32; 7]| {
            let (mut losses, mut cycles) = LossTally::new(&[Claim::new(touched, 5, 8)], 2, 5);
            let put = |number: u32| {
                cycles += losses.put(number, number.ilog2(), u64::MAX);
                cycles
            };
            in_bank_0.into_iter().map(put).collect::<Vec<_>>()
        };
        let row_by_row = after_each([32, 64, 128, 256, 512, 1024, 2048]);
        assert_eq!(row_by_row, [16, 32, 32, 32, 32, 32, 32]);
        let gemm_xor = after_each([32 ^ 4, 64 ^ 8, 128 ^ 16, 256, 512, 1024, 2048]);
        assert_eq!(gemm_xor, [8; 7]);
    }
}
