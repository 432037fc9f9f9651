//! Forms: of all layouts that cost the same, one of few xors.
//!
//! An offset is written as a base, in which each bit of the element's number has a place, and
//! masks: a bit from the banks on flips bits of its line. The base has the vectors lowest, and
//! above them the tile row by row, or column by column; the masks are those that the
//! [descent](super::super::descent) finds first, which are a single shift where one serves:
//!
//! ```text
//!   128x64 halves, 2 + 4 bits of a row below the banks of 32 dwords
//!   bit of the offset    6   7   8   9  ..
//!   flips                8  16  32   -       bits 6, 7, 8 shifted by 3: Sw<3,3,3>
//! ```
//!
//! A base in which no masks are as cheap leaves the layout as it was [placed](super::place).

use super::numbers::{Numbers, span};
use super::place::{Demand, Room};
use super::vectors::Vectors;
use crate::search::descent::{Claim, Flips, descend};
use tiledesc_transforms::{Linear, List};

/// The layout with the fewest different shifts, of bases row by row and column by column, that
/// costs no more than `cycles`.
pub(super) fn simplest(
    vectors: &Vectors,
    demands: &[Demand; 2],
    lengths: &List,
    cycles: u64,
) -> Option<Linear> {
    let bits = lengths.as_slice().iter().map(|length| length.trailing_zeros()).sum();
    let room = Room::new(vectors.masks.as_slice(), bits as usize);
    let rows = Numbers::of(vectors.low.iter().chain(room.units()));
    let first = over(&rows, vectors, demands, cycles);
    if matches!(first, Some((_, 0 | 1))) {
        return first.map(|(layout, _)| layout);
    }
    let mut columns = vectors.low;
    let mut taken = span(columns.iter());
    let by_columns = (0..bits).map(|bit| 1 << transposed(lengths, bit));
    let units = by_columns.filter(|unit| room.has(*unit)).chain(room.units());
    for unit in units.filter(|unit| taken.add(*unit)) {
        columns.push(unit);
    }
    let second = over(&columns, vectors, demands, cycles);
    let found = [first, second].into_iter().flatten().min_by_key(|(_, shifts)| *shifts);
    found.map(|(layout, _)| layout)
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

/// The masks over a base, and how many different shifts they are.
fn over(
    base: &Numbers,
    vectors: &Vectors,
    demands: &[Demand; 2],
    cycles: u64,
) -> Option<(Linear, usize)> {
    let back = base.back()?;
    let claim = |demand: &Demand| {
        let touched = span(demand.touched.numbers().map(|number| back.apply(number)));
        Claim::new(touched, demand.line as u32, demand.cycles)
    };
    let mut claims = demands.each_ref().map(claim);
    let end = base.len() as u32;
    let lines = demands.map(|demand| demand.line as u32);
    let first = lines[0].min(lines[1]).min(end);
    let top = lines[0].max(lines[1]).min(end);
    let flips = Flips { first, end, low: vectors.low.len() as u32, top };
    let found = descend(&mut claims, flips, cycles + 1);
    found.cycles?;
    let flipped = Numbers::of((0..end).map(|bit| 1 << bit | found.masks[bit as usize]));
    let layout = Linear::new(flipped.as_slice(), 0).ok()?.after(&back);
    let layout = Linear::new(&layout.columns()[..base.len()], 0).ok()?;
    Some((layout, shifts(&found.masks[..base.len()])))
}

/// Different distances from bits to those that they flip.
fn shifts(masks: &[u32]) -> usize {
    let mut seen = 0u32;
    for (bit, mask) in masks.iter().enumerate() {
        for flipped in (0..bit).filter(|flipped| mask >> flipped & 1 == 1) {
            seen |= 1 << (bit - flipped);
        }
    }
    seen.count_ones() as usize
}
