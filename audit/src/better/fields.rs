//! Several fields at once: the search for layouts, over bytes as a tile, 128 to a row.

use crate::kernel::Kernel;
use crate::moved::{Field, Move, Touch, single};
use tiledesc::List;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::Shape;
use tiledesc::search::Use;
use tiledesc_host::search::{Candidate, candidates, find};

/// Bytes of a row of the tile: lines of 1 to 8 rows are searched.
const COLUMNS: u32 = 128;

/// The mask that the search finds for accesses, if it finds one.
pub(super) fn searched(kernel: &Kernel, shapes: &[(Touch, u64)], zeros: u32) -> Option<Move> {
    let mut asked: Vec<(&'static _, [Row; 1], u64)> = Vec::new();
    for (touch, weight) in shapes {
        let row = kernel.chip.instruction(touch.name).ok()?;
        let one = kernel.chip.instruction(&single(touch.name)).ok()?;
        for part in 0..row.parts() {
            asked.push((one, [row_of(touch, part)], *weight));
        }
    }
    let end =
        asked.iter().flat_map(|(_, [row], _)| row.iter().flatten()).map(|at| at.at(0)).max()? + 1;
    let tile = Shape { rows: end.next_power_of_two(), columns: COLUMNS, bits: 8 };
    let least = asked.iter().map(|(_, _, weight)| *weight).min()?.max(1);
    if tile.rows.ilog2() + COLUMNS.ilog2() > zeros {
        return None;
    }
    let uses = asked.iter().map(|(row, lanes, weight)| {
        let times = u32::try_from(weight / least).unwrap_or(u32::MAX).max(1);
        Use::new(Lanes::table(lanes, 1), row).times(times)
    });
    let uses: Vec<_> = uses.collect();
    let mask = |one: &Candidate| mask(tile, one);
    // Where the least is no mask, the least that is one.
    mask(&find(tile, &uses).ok()?.best)
        .or_else(|| candidates(tile, &uses).ok()?.iter().find_map(mask))
}

/// The fields that a layout flips, if it only moves bytes below the highest bit of their address.
fn mask(tile: Shape, one: &Candidate) -> Option<Move> {
    let bytes = tile.rows * COLUMNS;
    let plan = one.layout.plan(tile).ok().filter(|_| one.bytes == u64::from(bytes))?;
    let flips = |bit: u32| {
        let byte = 1 << bit;
        Some(plan.offset(&[byte / COLUMNS, byte % COLUMNS]).ok()? ^ byte)
    };
    let flips: Option<Vec<u32>> = (0..bytes.trailing_zeros()).map(flips).collect();
    fields(&flips?)
}

fn row_of(touch: &Touch, part: usize) -> Row {
    let mut row = [None; 64];
    for (slot, lane) in row.iter_mut().zip(&touch.lanes) {
        *slot = lane.map(|bytes| List::new(&[bytes[part] / COLUMNS, bytes[part] % COLUMNS]));
    }
    row
}

/// Fields of what each bit flips, all by the same distance; `None` if a bit flips itself or one above.
fn fields(flips: &[u32]) -> Option<Move> {
    let is_below = |(bit, flips): (usize, &u32)| *flips < 1 << bit;
    if !flips.iter().enumerate().all(is_below) {
        return None;
    }
    let mut all = Vec::new();
    for distance in 1..flips.len() {
        let moves = |bit: usize| bit >= distance && flips[bit] >> (bit - distance) & 1 == 1;
        let moving: Vec<_> = (0..flips.len()).filter(|bit| moves(*bit)).collect();
        let Some(from) = moving.first() else { continue };
        let bits = moving.iter().fold(0, |bits, bit| bits | 1 << (bit - from));
        all.push(Field { from: *from as u32, bits, to: (from - distance) as u32 });
    }
    (!all.is_empty()).then_some(Move::Mask(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit 8 flips 4 and 5, bit 9 flips 5: two distances.
    #[test]
    fn fields_of_flips() {
        let mut flips = [0; 12];
        (flips[8], flips[9]) = (1 << 4 | 1 << 5, 1 << 5);
        let Some(to) = fields(&flips) else { panic!() };
        assert_eq!(to.to_string(), "byte ^ (byte >> 8 & 1) << 5 ^ (byte >> 8 & 3) << 4");
        for bit in 0..12 {
            assert_eq!(to.apply(1 << bit), 1 << bit ^ flips[bit as usize]);
        }
        flips[3] = 1 << 7;
        assert_eq!(fields(&flips), None);
    }
}
