//! The search for the masks of the fewest cycles, with a proof that no others take fewer.
//!
//! A tile of 128x32 halves in lines of four rows has 5 bits of a line's number, each of which may flip any of
//! the 4 bits of a pack's number: 2^20 choices. A mask that parts the lanes of one access may join those of
//! another, so no access can be served alone. Of those choices the search below looks at 18.
//!
//! Bank 0 holds the sums of a few numbers, one for each bit above the banks: the bit, together with the mask that it flips. An
//! access is free if its phase has none of those sums but 0:
//!
//! ```text
//!   D   sums of what one phase touches: of its lane masks, of the bits of a vector
//!   N   sums of what is in bank 0: each bit p above the banks, together with the mask that it flips
//!
//!   cycles = cycles without conflicts * 2^(numbers of N that are sums of D and of N's others)
//! ```
//!
//! Masks are chosen from the highest bit down. A bit whose number, mask included, is already a sum of what an
//! access has doubles the cycles of that access; a branch that costs as much as the best answer is left. So
//! what comes out takes the fewest cycles of all masks, proven, unless [`MOST_NODES`] cut the search short:
//!
//! ```text
//!   128x32 halves on gfx950, 64 banks; dwords: a pack is bits 0 and 1, a line of four rows bits 0 to 5
//!
//!   read by 16 rows   D = sums of 1, 2 (the pack)   16, 32   64 ^ 128   64 ^ 4
//!   read by 32 rows   D = sums of 1, 2              16, 32   64 ^ 128   64 ^ 256
//!   from the top      1024, 512 and 256 flip nothing; 128 flips 8; 64 flips 4 and 8: seq![3, 2] in packs
//! ```
//!
//! The order of the masks is that of the fewest instructions: first the mask of the bit above, shifted down by
//! one, so that a single shift comes out where one serves; then masks of fewer bits, and of equally many bits
//! the larger.

use super::claim::{Claim, LossTally};
use crate::bank::span::Span;

/// Masks that are looked at before the search is given up.
pub const MOST_NODES: u32 = 20_000;

const BITS: usize = Span::BITS as usize;

/// The bits of an offset that flip others, and those that may be flipped.
#[derive(Clone, Copy, Debug)]
pub struct Flips {
    /// The first bit that flips others.
    pub first: u32,
    /// The end of those.
    pub end: u32,
    /// The end of all bits: those between the banks and the first that flips others, and those from
    /// the end on, are in bank 0 as they are.
    pub all: u32,
    /// The bits that may be flipped, from the lowest to the top; by a bit below the top only bits
    /// below the banks of some access, itself above them.
    pub low: u32,
    /// The end of those that may be flipped.
    pub top: u32,
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct Descent {
    /// The cycles of all accesses together, if they are fewer than what was to be beaten.
    pub cycles: Option<u64>,
    /// The bits that each bit of an offset flips.
    pub masks: [u32; BITS],
    /// Masks that were looked at.
    pub nodes: u32,
    /// True if the search was given up: the masks are not proven to be the least.
    pub is_cut: bool,
}

/// The masks of the fewest cycles for all claims together, fewer than `below`; of this many nodes at most.
#[doc(hidden)]
#[must_use]
pub const fn descend(claims: &[Claim], flips: Flips, below: u64, most: u32) -> Descent {
    let (mut tally, mut cost) = LossTally::new(claims, flips.low, flips.top);
    let mut bit = tally.fewest_bank_bits();
    while bit < flips.all {
        if bit < flips.first || bit >= flips.end {
            cost += tally.put(1 << bit, bit, u64::MAX);
        }
        bit += 1;
    }
    let found = Descent { cycles: None, masks: [0; BITS], nodes: 0, is_cut: false };
    let chosen = [0; BITS];
    let mut search = MaskSearch { tally, flips, least: cost, best: 0, most, chosen, found };
    // First what loses nothing, which leaves most branches at once; then what loses less.
    if cost < below {
        search.best = cost + 1;
        search.descend(flips.end, cost);
    }
    if search.found.cycles.is_none() && !search.found.is_cut && cost + 1 < below {
        search.best = below;
        search.descend(flips.end, cost);
    }
    search.found
}

struct MaskSearch {
    tally: LossTally,
    flips: Flips,
    /// Cycles that are enough to stop.
    least: u64,
    /// Cycles that are to be beaten.
    best: u64,
    /// Nodes that are looked at.
    most: u32,
    /// The mask of each bit, such that both together are in bank 0.
    chosen: [u32; BITS],
    found: Descent,
}

impl MaskSearch {
    /// Chooses the masks of the bits below `end`; those above cost so much.
    const fn descend(&mut self, end: u32, cost: u64) {
        if end <= self.flips.first {
            self.best = cost;
            self.found.cycles = Some(cost);
            self.found.masks = self.flipped();
            return;
        }
        let bit = end - 1;
        let (before, reach) = (self.tally.state, self.tally.most_bank_bits_up_to(bit));
        let reach = if reach < self.flips.top { reach } else { self.flips.top };
        let width = reach.saturating_sub(self.flips.low);
        let (hint, mut next) = (self.hint(bit, width), Some(0));
        let mut mask = hint;
        loop {
            if self.found.nodes >= self.most {
                self.found.is_cut = true;
                return;
            }
            self.found.nodes += 1;
            let flipped = mask << self.flips.low;
            self.chosen[bit as usize] = flipped;
            let lost = self.tally.put(1 << bit | flipped, bit, self.best - cost);
            if cost + lost < self.best {
                self.descend(bit, cost + lost);
            }
            self.tally.state = before;
            if self.found.is_cut || self.best <= self.least {
                return;
            }
            // The hint has been.
            if let Some(same) = next
                && same == hint
            {
                next = after(same, width);
            }
            let Some(this) = next else { return };
            mask = this;
            next = after(this, width);
        }
    }

    /// The mask that is tried first: that of the bit above, shifted down by one, if nothing falls
    /// off; of a bit that some access has among its banks none.
    const fn hint(&self, bit: u32, width: u32) -> u32 {
        if bit + 1 >= self.flips.end || bit < self.flips.top {
            return 0;
        }
        let above = self.chosen[bit as usize + 1] >> self.flips.low;
        if above & 1 == 0 && above >> 1 < 1 << width { above >> 1 } else { 0 }
    }

    /// Returns the flips of each bit, of masks that are in bank 0 with it: a flipped bit that flips others itself does not flip
    /// them once more.
    const fn flipped(&self) -> [u32; BITS] {
        let (mut masks, mut bit) = ([0; BITS], self.flips.first);
        while bit < self.flips.end {
            let mask = self.chosen[bit as usize];
            masks[bit as usize] = mask;
            let mut rest = mask >> self.flips.first << self.flips.first;
            while rest != 0 {
                masks[bit as usize] ^= masks[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            bit += 1;
        }
        masks
    }
}

/// The mask after another: the next smaller of as many bits, or the largest of one more.
pub(super) const fn after(mask: u32, width: u32) -> Option<u32> {
    let ones = mask.count_ones();
    let is_smallest = mask & mask.wrapping_add(1) == 0;
    if !is_smallest {
        // The complements grow: the lowest one of a run moves up, the rest of the run down.
        let complement = !mask & ((1 << width) - 1);
        let lowest = complement & complement.wrapping_neg();
        let moved = complement + lowest;
        let grown = (((moved ^ complement) >> 2) >> lowest.trailing_zeros()) | moved;
        return Some(!grown & ((1 << width) - 1));
    }
    if ones == width {
        return None;
    }
    Some(((1 << (ones + 1)) - 1) << (width - ones - 1))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A few random bits, the same in every run.
    pub(in crate::search) struct Random(pub(in crate::search) u64);

    impl Random {
        pub(in crate::search) fn below(&mut self, end: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as u32 % end
        }
    }

    #[test]
    fn fewer_bits_first() {
        for width in 0..6 {
            let mut found = Vec::from([0]);
            while let Some(mask) = after(found[found.len() - 1], width) {
                found.push(mask);
            }
            let mut wanted: Vec<u32> = (0..1 << width).collect();
            wanted.sort_by_key(|mask| (mask.count_ones(), u32::MAX - mask));
            assert_eq!(found, wanted);
        }
    }

    /// The numbers that one phase touches, its banks and its cycles.
    struct Phase {
        numbers: Vec<u32>,
        bank_bits: u32,
        cycles: u64,
    }

    /// Cycles by counting: the fullest bank of the offsets of all sums.
    fn counted(phases: &[Phase], masks: &[u32; BITS]) -> u64 {
        let cost = |phase: &Phase| {
            let mut offsets: Vec<u32> = Vec::from([0u32]);
            for number in &phase.numbers {
                offsets.extend(offsets.clone().iter().map(|other| other ^ number));
            }
            for offset in &mut offsets {
                let flipped = (0..32).filter(|bit| *offset >> bit & 1 == 1);
                *offset ^= flipped.fold(0, |flips, bit| flips ^ masks[bit]);
            }
            offsets.sort_unstable();
            offsets.dedup();
            let banks = 1 << phase.bank_bits;
            let in_bank = |bank| offsets.iter().filter(|offset| **offset % banks == bank).count();
            phase.cycles * (0..banks).map(in_bank).max().unwrap() as u64
        };
        phases.iter().map(cost).sum()
    }

    fn descended(phases: &[Phase], flips: Flips) -> Descent {
        let claim = |phase: &Phase| {
            let mut touched = Span::NONE;
            phase.numbers.iter().for_each(|number| _ = touched.add(*number));
            Claim::new(touched, phase.bank_bits, phase.cycles)
        };
        let claims: Vec<Claim> = phases.iter().map(claim).collect();
        descend(&claims, flips, u64::MAX, MOST_NODES)
    }

    /// Against every choice of masks, on one number of banks and on two.
    #[test]
    fn least_of_all() {
        let (mut random, mut conflicts, mut mixed) = (Random(1), 0, 0);
        for case in 0..400 {
            let (low, top) = (random.below(2), 3);
            let first = if random.below(2) == 0 { top - 1 } else { top + random.below(2) };
            let flips = Flips { first, end: first + 3, all: first + 3, low, top };
            let phases: Vec<Phase> = (0..1 + random.below(4))
                .map(|_| Phase {
                    numbers: (0..top).map(|_| random.below(1 << flips.end)).collect(),
                    bank_bits: if random.below(3) == 0 { top - 1 } else { top },
                    cycles: u64::from(1 + random.below(4)),
                })
                .collect();
            let found = descended(&phases, flips);
            assert!(!found.is_cut);
            assert_eq!(found.cycles, Some(counted(&phases, &found.masks)), "case {case}");
            let (choices, mut least) = (1u32 << (top - low), u64::MAX);
            for choice in 0..choices.pow(3) {
                let mut masks = [0; BITS];
                for (digit, bit) in (first..flips.end).enumerate() {
                    let mask = choice / choices.pow(digit as u32) % choices;
                    // A bit flips only bits below it.
                    masks[bit as usize] = (mask << low) & ((1 << bit) - 1);
                }
                least = least.min(counted(&phases, &masks));
            }
            assert_eq!(found.cycles, Some(least), "case {case}");
            conflicts += u32::from(least > phases.iter().map(|phase| phase.cycles).sum());
            mixed += u32::from(phases.iter().any(|phase| phase.bank_bits != phases[0].bank_bits));
        }
        assert!(conflicts > 40 && mixed > 100, "{conflicts} with conflicts, {mixed} mixed");
    }

    /// Returns whether some three numbers have no sum in common with any phase but 0, whatever layout it is
    /// whose bank 0 they are: of numbers of six bits on eight banks.
    fn is_free_by_any_layout(phases: &[Phase]) -> bool {
        let sums = |numbers: &[u32]| {
            numbers.iter().fold(1u64, |sums, number| {
                (0..64)
                    .filter(|sum| sums >> sum & 1 == 1)
                    .fold(sums, |all, sum| all | 1 << (sum ^ number))
            })
        };
        let touched = phases.iter().fold(1, |all, phase| all | sums(&phase.numbers));
        let apart = |number: &u32| touched >> number & 1 == 0;
        let free: Vec<u32> = (1..64).filter(apart).collect();
        free.iter().any(|one| {
            let others = free.iter().filter(|other| *other > one && apart(&(*other ^ one)));
            let others: Vec<u32> = others.copied().collect();
            others.iter().any(|two| {
                let fits = |three: &&u32| {
                    *three > two
                        && **three != one ^ two
                        && sums(&[*one, *two, **three]) & touched == 1
                };
                others.iter().any(|three| fits(&three))
            })
        })
    }

    /// Where a phase of some access fills a line, as a write along rows does, masks are free if any
    /// linear layout is: what is in bank 0 has no sum within the line, so that each bit above has one
    /// mask. Without such an access it need not be so.
    #[test]
    fn free_by_masks_if_at_all() {
        let (mut random, flips) = (Random(11), Flips { first: 3, end: 6, all: 6, low: 0, top: 3 });
        let (mut free, mut others) = (0, 0);
        for case in 0..600 {
            let random_phase = |random: &mut Random| Phase {
                numbers: (0..3).map(|_| random.below(64)).collect(),
                bank_bits: 3,
                cycles: 1,
            };
            let mut phases: Vec<Phase> =
                (0..4 + random.below(20)).map(|_| random_phase(&mut random)).collect();
            let with_line = case % 2 == 0;
            if with_line {
                phases.push(Phase { numbers: Vec::from([1, 2, 4]), bank_bits: 3, cycles: 1 });
            }
            let is_free = is_free_by_any_layout(&phases);
            let by_masks = descended(&phases, flips).cycles == Some(phases.len() as u64);
            if with_line {
                assert_eq!(by_masks, is_free, "case {case}");
                free += u32::from(is_free);
            } else {
                assert!(is_free || !by_masks, "case {case}");
                others += u32::from(is_free != by_masks);
            }
        }
        assert!(
            (30..250).contains(&free) && others > 0,
            "{free} free, {others} by other layouts alone"
        );
    }

    /// Fewer than what is to be beaten, or nothing.
    #[test]
    fn bounds() {
        // Two numbers of 4 banks that fall into one: bit 2 flips bit 0 or bit 1.
        let flips = Flips { first: 2, end: 3, all: 3, low: 0, top: 2 };
        let phase = |cycles| {
            let mut touched = Span::NONE;
            assert!(touched.add(4) && touched.add(2));
            [Claim::new(touched, 2, cycles)]
        };
        let below = |most| descend(&phase(8), flips, most, MOST_NODES);
        let found = below(9);
        assert_eq!((found.cycles, found.masks[2], found.nodes), (Some(8), 1, 3));
        let none = below(8);
        assert_eq!((none.cycles, none.nodes, none.is_cut), (None, 0, false));
    }
}
