//! The search through all linear layouts of whole packs: which bits of an element's number are its bank, and
//! what flips them.
//!
//! [Masks](super::masks) flip bits of a line of memory that is there beforehand: the banks are the lowest bits
//! of a row, or of several rows. For 138 of 97,784 sets of three accesses another choice of banks takes fewer
//! cycles, all on gfx950; 130 of those are free by it, where no masks and no pad are:
//!
//! ```text
//!   128x32 floats on gfx950, packs of 4: 8 to a row; read by 16 bytes (64 banks) and by 4 (32 banks)
//!
//!   bit of a pack's number   0  1  2    3     4    5   6
//!   its place                1  2  4  8^4  16^8^2 32  64     banks: 1 2 4, and 8 for the wide read
//! ```
//!
//! Each bit, from the lowest up, is a bank bit of its own, or lies above the banks and is, with some of the
//! bank bits before it, in bank 0. Every linear layout comes up once, but for what it does above the banks,
//! which no access sees. Accesses with fewer banks than others have one bank bit less: that one is, with some
//! of those of all, in bank 0 for them.
//!
//! Where there can be a free layout is known beforehand. A phase with more sums, those of a vector's bits
//! aside, than there are banks left conflicts in every layout; of 62,805 random problems without such a phase
//! all but 30 had a layout that is free in all accesses.

use super::claim::{Claim, LossTally};
use super::claims::Claims;
use super::descent::after;
use super::shape::Shape;
use crate::bank::span::Span;
use tiledesc_transforms::List;

/// Columns of packs that are searched: as many as a declared type holds, 11 bits each.
pub(crate) const MOST_COLUMNS: u32 = 11;

/// Choices that are looked at before the search is given up. Where there is a free layout 414 are enough
/// for 99 problems in 100.
pub(super) const MOST_LOOKS: u32 = 10_000;

/// Bits of a dword, as a power of two.
const DWORD: u32 = 5;

const BITS: usize = Span::BITS as usize;

/// The bits of an element's number that are placed, in dwords of the tile row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// The first bit above the packs, which stay whole.
    low: u32,
    /// The end of the bits that are placed; those from here on stay.
    end: u32,
    /// The end of the tile.
    tile_end: u32,
    /// The bits that choose among the fewest banks, and among the most.
    bank_bits: [u32; 2],
}

/// What was found.
#[derive(Clone, Copy)]
pub(crate) struct Placement {
    /// The cycles of all accesses together, if they are fewer than what was to be beaten.
    pub(crate) cycles: Option<u64>,
    /// Of each bit of a pack's number the bits of its place that it flips.
    pub(crate) columns: List,
    /// Choices that were looked at.
    pub(crate) looks: u32,
    /// Whether the search was given up.
    pub(crate) is_cut: bool,
}

impl Places {
    /// Of a tile in packs of this many elements; `None` of lengths that are not powers of two, of a tile
    /// that is smaller than the banks, or with three different numbers of them.
    pub(crate) const fn of(claims: &Claims, tile: Shape, pack: u32) -> Option<Self> {
        let Shape { rows, columns, bits } = tile;
        let tile_bits = rows as u64 * columns as u64 * bits as u64;
        let pack_bits = pack as u64 * bits as u64;
        if !tile_bits.is_power_of_two()
            || !pack_bits.is_power_of_two()
            || !columns.is_power_of_two()
        {
            return None;
        }
        let Some(bank_bits) = claims.fewest_and_most_bank_bits() else { return None };
        let tile_end = tile_bits.trailing_zeros().saturating_sub(DWORD);
        let low = pack_bits.trailing_zeros().saturating_sub(DWORD);
        let most = low + MOST_COLUMNS;
        let end = if tile_end < most { tile_end } else { most };
        if bank_bits[0] < low || end < bank_bits[1] {
            return None;
        }
        Some(Self { low, end, tile_end, bank_bits })
    }

    /// Elements of the packs that stay whole: at least a dword.
    pub(crate) const fn pack(&self, bits: u32) -> u32 {
        (1 << (self.low + DWORD)) / bits
    }

    /// The first bit that this many columns can place, and the end of these bits.
    pub(super) const fn range(&self, columns: u32) -> [u32; 2] {
        let most = self.low + columns;
        [self.low, if self.tile_end < most { self.tile_end } else { most }]
    }

    /// The end of the bits that choose among the most banks.
    pub(super) const fn bank_end(&self) -> u32 {
        self.bank_bits[1]
    }

    /// The cycles that no linear layout is below.
    pub(crate) const fn least(&self, claims: &[Claim]) -> u64 {
        let (mut least, mut i) = (0, 0);
        while i < claims.len() {
            least += claims[i].least(self.low, self.bank_bits[1]);
            i += 1;
        }
        least
    }

    /// The layout of the fewest cycles below `below`, of this many looks.
    pub(crate) const fn search(&self, claims: &[Claim], below: u64, most: u32) -> Placement {
        let (mut tally, least) = LossTally::of(claims, self.low, self.bank_bits[1]);
        let (mut cost, mut bit) = (least, self.end);
        while bit < self.tile_end {
            cost += tally.put(1 << bit, bit, u64::MAX);
            bit += 1;
        }
        let mut search = PlaceSearch {
            tally,
            places: *self,
            least,
            best: least + 1,
            banks: [0; 2],
            chosen: [0; BITS],
            most,
            found: Placement { cycles: None, columns: List::EMPTY, looks: 0, is_cut: false },
        };
        // First what loses no more than it must, which leaves most branches at once.
        if least < below && cost <= least {
            search.descend(self.low, cost);
        }
        if search.found.cycles.is_none() && !search.found.is_cut && cost < below {
            search.best = below;
            search.descend(self.low, cost);
        }
        // Bits that stay may do better elsewhere.
        if search.best > least && self.end < self.tile_end {
            search.found.is_cut = true;
        }
        search.found
    }
}

struct PlaceSearch {
    tally: LossTally,
    places: Places,
    /// Cycles that are enough to stop.
    least: u64,
    /// Cycles that are to be beaten.
    best: u64,
    /// The bits that are banks: of all accesses, and of those with the most banks only.
    banks: [u32; 2],
    /// Of each other bit the banks that are in bank 0 with it.
    chosen: [u32; BITS],
    /// Choices that are looked at.
    most: u32,
    found: Placement,
}

impl PlaceSearch {
    /// Places the bits from `bit` on; those before cost so much.
    const fn descend(&mut self, bit: u32, cost: u64) {
        let Places { low, end, bank_bits: [fewest, most], .. } = self.places;
        if bit == end {
            self.best = cost;
            self.found.cycles = Some(cost);
            self.found.columns = self.columns();
            return;
        }
        let [of_all, of_some] = self.banks;
        let missing = fewest - low - of_all.count_ones();
        let missing_of_some = most - fewest - of_some.count_ones();
        if missing > 0 {
            self.banks[0] |= 1 << bit;
            self.descend(bit + 1, cost);
            self.banks[0] = of_all;
        }
        if missing_of_some > 0 && !self.is_done() {
            self.banks[1] |= 1 << bit;
            self.flip(bit, fewest, of_all, cost);
            self.banks[1] = of_some;
        }
        if end - bit > missing + missing_of_some && !self.is_done() {
            self.flip(bit, most, of_all | of_some, cost);
        }
    }

    const fn is_done(&self) -> bool {
        self.found.is_cut || self.best <= self.least
    }

    /// A bit is in bank 0 with each choice of some banks, for accesses of up to `bank_bits`.
    const fn flip(&mut self, bit: u32, bank_bits: u32, among: u32, cost: u64) {
        let (width, mut next) = (among.count_ones(), Some(0));
        let before = self.tally.state;
        while let Some(mask) = next {
            if self.found.looks >= self.most {
                self.found.is_cut = true;
            }
            if self.is_done() {
                return;
            }
            self.found.looks += 1;
            let flipped = spread(mask, among);
            self.chosen[bit as usize] = flipped;
            let lost = self.tally.put(1 << bit | flipped, bank_bits, self.best - cost);
            if cost + lost < self.best {
                self.descend(bit + 1, cost + lost);
            }
            self.tally.state = before;
            next = after(mask, width);
        }
    }

    /// The places of the bits: banks in their order, above them the others in theirs.
    const fn columns(&self) -> List {
        let Places { low, end, bank_bits, .. } = self.places;
        let [of_all, of_some] = self.banks;
        let (mut columns, mut bit) = ([0; BITS], low);
        let mut next = [low, bank_bits[0], bank_bits[1]];
        while bit < end {
            let region = if of_all >> bit & 1 == 1 { 0 } else { 2 - (of_some >> bit & 1) as usize };
            let mut column = 1 << next[region];
            next[region] += 1;
            let mut flipped = if region == 0 { 0 } else { self.chosen[bit as usize] };
            while flipped != 0 {
                column ^= columns[flipped.trailing_zeros() as usize];
                flipped &= flipped - 1;
            }
            columns[bit as usize] = column;
            bit += 1;
        }
        let (mut packs, mut count, mut i) = ([0; List::CAPACITY], 0, 0);
        while i < (end - low) as usize {
            packs[i] = columns[low as usize + i] >> low;
            // A bit without a column stays.
            if packs[i] != 1 << i {
                count = i + 1;
            }
            i += 1;
        }
        List::of_first(packs, count)
    }
}

/// A mask over the bits of another: its bit 0 is their lowest.
const fn spread(mut mask: u32, mut among: u32) -> u32 {
    let mut spread = 0;
    while mask != 0 {
        if mask & 1 == 1 {
            spread |= among & among.wrapping_neg();
        }
        mask >>= 1;
        among &= among.wrapping_sub(1);
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::descent::tests::Random;
    use alloc::vec::Vec;

    /// Numbers of which none is a sum of the others; below a bit a vector's.
    fn phase(random: &mut Random, bits: u32, low: u32, bank_bits: u32) -> Vec<u32> {
        let (mut span, mut numbers) = (Span::NONE, Vec::new());
        let vector = random.below(low + 1);
        let mut next = 0;
        while span.dimension() < bank_bits {
            let number = match random.below(3) {
                _ if next < vector => 1 << next,
                0 => 1 << random.below(bits),
                1 => 1 << random.below(bits) | 1 << random.below(bits),
                _ => random.below(1 << bits),
            };
            next += 1;
            let number = if next > vector { number >> vector << vector } else { number };
            if span.add(number) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// The fullest bank of a phase, with the dwords at these places.
    fn degree(numbers: &[u32], bank_bits: u32, place: impl Fn(u32) -> u32) -> u64 {
        let mut sums = Vec::from([0u32]);
        for number in numbers {
            sums.extend(sums.clone().iter().map(|sum| sum ^ number));
        }
        let mut banks = alloc::vec![0; 1 << bank_bits];
        sums.iter().for_each(|sum| banks[place(*sum) as usize % (1 << bank_bits)] += 1);
        banks.into_iter().max().unwrap()
    }

    /// Places are a bijection, cost what is said, and are free of all conflicts where the sums leave
    /// room for it, but for a problem in thousands.
    #[test]
    fn free_where_there_is_room() {
        let (mut random, mut problems, mut none) = (Random(5), 0, 0);
        for case in 0..CASES {
            let bank_bits = if random.below(2) == 0 { [5, 5] } else { [4, 5] };
            let (low, all) = (random.below(3), 8 + random.below(5));
            let end = all.min(low + MOST_COLUMNS);
            let places = Places { low, end, tile_end: all, bank_bits };
            let phases: Vec<_> = (0..2 + random.below(4))
                .map(|_| {
                    let banks = bank_bits[random.below(2) as usize];
                    (phase(&mut random, all, low, banks), banks, u64::from(1 + random.below(4)))
                })
                .collect();
            let claims: Vec<_> = phases
                .iter()
                .map(|(numbers, banks, cycles)| {
                    let mut touched = Span::NONE;
                    numbers.iter().for_each(|number| _ = touched.add(*number));
                    Claim::new(touched, *banks, *cycles)
                })
                .collect();
            let (least, floor) =
                (places.least(&claims), phases.iter().map(|(.., cycles)| cycles).sum());
            let has_room = least == floor && places.end == all;
            problems += u32::from(has_room);
            let found = places.search(&claims, u64::MAX, MOST_LOOKS);
            let Some(cycles) = found.cycles else {
                assert!(found.is_cut);
                none += u32::from(has_room);
                continue;
            };
            none += u32::from(has_room && cycles > floor);
            assert!(cycles >= least, "case {case}: {cycles} of at least {least}");
            let column = |bit: u32| match bit.checked_sub(low).map(|b| b as usize) {
                Some(b) if b < found.columns.len() => found.columns.at(b) << low,
                _ => 1 << bit,
            };
            let place = |number: u32| {
                let bits = (0..all).filter(|bit| number >> bit & 1 == 1);
                bits.fold(0, |place, bit| place ^ column(bit))
            };
            let mut span = Span::NONE;
            assert!((0..all).all(|bit| span.add(column(bit)) && column(bit) < 1 << all));
            let counted = phases
                .iter()
                .map(|(numbers, banks, cycles)| cycles * degree(numbers, *banks, place));
            assert_eq!(cycles, counted.sum::<u64>(), "case {case}: {places:?} {phases:?}");
        }
        assert!(problems > CASES / 3 && none * 200 < problems, "{none} of {problems} are not free");
    }

    const CASES: u32 = 600;
}
