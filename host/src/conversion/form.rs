//! Forms: of all layouts that cost the same, one of few xors.
//!
//! Many layouts take the same cycles, and the offset of some is one shift and one xor where that of others is
//! five. An offset is written as a base, in which each bit of the element's number has a place, and masks: a
//! bit above the banks flips bits among them.
//!
//! ```text
//!   128x64 halves, 3 bits of a vector, 3 more below the banks
//!   bit of the offset    6   7   8   9  ..
//!   flips                3   4   5   -       bits 6, 7, 8 shifted by 3: Sw<3,3,3>
//! ```
//!
//! The base has the vectors lowest, and above them the tile row by row; or column by column; or as it was
//! [placed](super::place), bits that flip others next to each other. The masks are those that the
//! descent of `tiledesc::search` finds first. Where there is a base with masks of a single shift, it is
//! taken; else the base of the fewest different shifts.

use super::numbers::{NumberList, span};
use super::place::{Demand, Room};
use super::vectors::Vectors;
use tiledesc::bank::Span;
use tiledesc::search::Claim;
use tiledesc::search::{Flips, MOST_NODES, descend};
use tiledesc::{Linear, List};

/// A layout that costs no more than `cycles`, and how many different shifts it is.
pub(super) fn simplest(
    vectors: &Vectors,
    demands: &[Demand; 2],
    placed: &NumberList,
    lengths: &List,
    cycles: u64,
) -> Option<(Linear, u32)> {
    let first = demands[0].bank_bits.min(demands[1].bank_bits);
    let [rows, columns] = bases(vectors, lengths);
    let bases = [rows, columns, in_runs(placed, vectors.low.len(), first)];
    let bases = bases.each_ref().map(|numbers| Basis::new(numbers, vectors, demands));
    let mut simplest: Option<(Linear, u32)> = None;
    for base in bases.iter().flatten() {
        if let Some(found) = base.descended(cycles)
            && simplest.is_none_or(|(_, shifts)| found.1 < shifts)
        {
            simplest = Some(found);
        }
        if matches!(simplest, Some((_, 0 | 1))) {
            break;
        }
    }
    simplest
}

/// The numbers of the bits of an offset: vectors, then rows, or columns.
fn bases(vectors: &Vectors, lengths: &List) -> [NumberList; 2] {
    let bits = lengths.as_slice().iter().map(|length| length.trailing_zeros()).sum();
    let room = Room::new(vectors.masks.as_slice(), bits as usize);
    let rows = NumberList::new(vectors.low.iter().chain(room.units()));
    let mut columns = vectors.low;
    let mut taken = span(columns.iter());
    let by_columns = (0..bits).map(|bit| 1 << transposed(lengths, bit));
    let units = by_columns.filter(|unit| room.has(*unit)).chain(room.units());
    for unit in units.filter(|unit| taken.add(*unit)) {
        columns.push(unit);
    }
    [rows, columns]
}

/// Reorders placed numbers, single bits alone, such that bits which flip others, and those that they flip, are runs:
/// where each flips one of its own, they are a single shift.
fn in_runs(placed: &NumberList, low: usize, first: usize) -> NumberList {
    let (vectors, above) = placed.as_slice().split_at(low);
    let (in_banks, high) = above.split_at(first.saturating_sub(low).min(above.len()));
    let flippable = in_banks.iter().fold(0, |all, unit| all | unit);
    let flips = || high.iter().filter(|number| **number & flippable != 0);
    let flipped = || flips().map(|number| number & flippable).filter(|unit| unit.is_power_of_two());
    let mut base = NumberList::new(vectors.iter().copied());
    let mut taken = span(flipped());
    let rest = in_banks.iter().copied().filter(|unit| taken.add(*unit));
    let mut seen = span(base.iter());
    let alone = high.iter().copied().filter(|number| number & flippable == 0);
    let order = rest.chain(flipped()).chain(flips().map(|number| number & !flippable)).chain(alone);
    for unit in order.filter(|unit| seen.add(*unit)) {
        base.push(unit);
    }
    // NumberList of several bits may have parts of vectors, or leave some out.
    let is_whole = base.len() == placed.len() && in_banks.iter().all(|unit| unit.is_power_of_two());
    if is_whole { base } else { *placed }
}

/// The bit of a number, the last dimension fastest, that has this place with the first fastest.
fn transposed(lengths: &List, place: u32) -> u32 {
    let (mut begin, mut above) = (0, 0);
    for length in lengths.as_slice() {
        above += length.trailing_zeros();
    }
    for length in lengths.as_slice() {
        let bits = length.trailing_zeros();
        above -= bits;
        if place < begin + bits {
            return above + place - begin;
        }
        begin += bits;
    }
    place
}

/// Places for the bits of an element's number, and the demands of the accesses on them.
struct Basis {
    back: Linear,
    touched: [Span; 2],
    bank_bits: [u32; 2],
    base_cycles: [u64; 2],
    /// The first bit above the vectors.
    low: u32,
    end: u32,
}

/// The bits that each bit of an offset flips.
type Masks = [u32; Span::BITS as usize];

impl Basis {
    fn new(numbers: &NumberList, vectors: &Vectors, demands: &[Demand; 2]) -> Option<Self> {
        let back = numbers.back()?;
        let touched =
            |demand: &Demand| span(demand.touched.numbers().map(|number| back.apply(number)));
        Some(Self {
            back,
            touched: demands.each_ref().map(touched),
            bank_bits: demands.map(|demand| demand.bank_bits as u32),
            base_cycles: demands.map(|demand| demand.base_cycles),
            low: vectors.low.len() as u32,
            end: numbers.len() as u32,
        })
    }

    /// The bits that choose among the fewer banks of the two sides, and among the more.
    fn reach(&self) -> [u32; 2] {
        let [first, second] = self.bank_bits.map(|bits| bits.min(self.end));
        [first.min(second), first.max(second)]
    }

    /// The masks of fewest cycles, if they are no more.
    fn descended(&self, cycles: u64) -> Option<(Linear, u32)> {
        let claim = |side: usize| {
            Claim::new(self.touched[side], self.bank_bits[side], self.base_cycles[side])
        };
        let [first, top] = self.reach();
        let flips = Flips { first, end: self.end, all: self.end, low: self.low, top };
        let found = descend(&[claim(0), claim(1)], flips, cycles + 1, MOST_NODES);
        found.cycles?;
        self.with(&found.masks)
    }

    /// The layout, and how many different shifts its masks are.
    fn with(&self, masks: &Masks) -> Option<(Linear, u32)> {
        let flipped = NumberList::new((0..self.end).map(|bit| 1 << bit | masks[bit as usize]));
        let layout = Linear::new(flipped.as_slice(), 0).ok()?.after(&self.back);
        let layout = Linear::new(&layout.columns()[..self.end as usize], 0).ok()?;
        Some((layout, shifts(masks)))
    }
}

/// Different distances from bits to those that they flip.
fn shifts(masks: &Masks) -> u32 {
    let mut seen = 0u32;
    for (bit, mask) in masks.iter().enumerate() {
        for flipped in (0..bit).filter(|flipped| mask >> flipped & 1 == 1) {
            seen |= 1 << (bit - flipped);
        }
    }
    seen.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_dimension_fastest() {
        let order = |lengths: &[u32], bits: u32| {
            let lengths = List::new(lengths);
            NumberList::new((0..bits).map(|place| transposed(&lengths, place)))
        };
        assert_eq!(order(&[4, 8], 5).as_slice(), [3, 4, 0, 1, 2]);
        assert_eq!(order(&[2, 4, 1, 2], 4).as_slice(), [3, 1, 2, 0]);
    }

    #[test]
    fn shifts_are_distances() {
        let mut masks = [0; Span::BITS as usize];
        assert_eq!(shifts(&masks), 0);
        (masks[6], masks[7]) = (1 << 3, 1 << 4);
        assert_eq!(shifts(&masks), 1);
        masks[9] = 1 << 3 | 1 << 6;
        assert_eq!(shifts(&masks), 2);
    }
}
