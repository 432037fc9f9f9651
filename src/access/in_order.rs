//! An access over a tile in order, without a layout.
//!
//! The first question of a search is where lanes are in the tile row by row, or column by column. Of
//! lengths that are powers of two that is no question to a plan: bit `b` of an index is bit `b` of the
//! element's number, further up by the bits of the contiguous index; and whatever the lengths, consecutive lanes
//! count these numbers. This spares the compiler a plan, its digits and the access laid over it (see DESIGN, "What the
//! compiler pays for"):
//!
//! ```text
//!   128x32 halves by rows: number = 32 m + k        lane l at row l % 16, pack l / 16
//!   bit of the lane      1    2    4    8   16   32
//!   flips in m           1    2    4    8    0    0        5 bits up
//!   flips in k           0    0    0    0    8   16
//!   number              32   64  128  256    8   16
//! ```

use super::columns::Columns;
use super::placed::Placed;
use super::refusal::no_instruction;
use crate::chip::instruction::Instruction;
use crate::distribution::{Reach, Walk};
use crate::pattern::Lanes;
use tiledesc_transforms::List;

/// A pattern over a tile of two lengths, of which the one `along` is contiguous, in elements of the
/// given width in bits: the lanes of all instructions. `None` where only a [`Placed`] tells, or
/// refuses.
pub(crate) const fn in_order(
    tile: [u32; 2],
    along: usize,
    element: u32,
    lanes: Lanes<'_>,
    row: &Instruction,
) -> Option<(Walk, Columns)> {
    let (bytes, length) = (row.bytes(), tile[along]);
    if element == 0 || tile[0] == 0 || tile[1] == 0 {
        return None;
    }
    if !element.is_power_of_two() {
        return None;
    }
    let pack = bytes * 8 / element;
    let space = (tile[0] as u64 * tile[1] as u64 * element as u64).div_ceil(8);
    if pack == 0 || !length.is_multiple_of(pack) || pack * element != bytes * 8 {
        return None;
    }
    if !row.holds(space) || no_instruction(row).is_some() || lanes.along(2) != along {
        return None;
    }
    // A distribution's lanes take their elements along what is contiguous.
    let Ok(None) = lanes.encoding() else { return None };
    let addressed = row.service().phases.addressed() as u32;
    let reach = Reach { tile: List::pair(tile[0], tile[1]), along, pack, lanes: addressed };
    let walk = lanes.walk(&reach);
    // The second address of a later instruction may be outside the tile.
    if walk.instructions() > 1 && row.parts() > 1 {
        return None;
    }
    let columns = if !walk.is_linear(pack) {
        let strides = if along == 0 { List::pair(1, length) } else { List::pair(length, 1) };
        let Some(apart) = walk.lane_apart(&strides) else { return None };
        Columns::in_sequence(0, apart, addressed, element, row, space)
    } else if length.is_power_of_two() && pack.is_power_of_two() {
        let mut first = [length.trailing_zeros(); 2];
        first[along] = 0;
        let bits = addressed.trailing_zeros() as usize;
        Columns::of_elements(0, walk.numbers(bits, first), bits, element, row, space)
    } else {
        None
    };
    match columns {
        Some(columns) => Some((walk, columns)),
        None => None,
    }
}

impl Placed<'_, '_> {
    /// Whether the layout is the tile's rows in order, from byte 0 on, with nothing between or behind them.
    pub(crate) const fn is_rows_in_order(&self) -> bool {
        let (Some(strides), Some(digits)) = (self.strides(), &self.digits) else { return false };
        let tile = self.reach.tile;
        if tile.len() != 2 || digits.origin() != 0 {
            return false;
        }
        let [rows, columns] = [tile.at(0), tile.at(1)];
        let bits = rows as u64 * columns as u64 * self.bits as u64;
        strides.at(0) == columns && strides.at(1) == 1 && self.space == bits.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::columns::Alike;
    use crate::chip::{gfx942, gfx950, sm_90};
    use tiledesc_transforms::Plan;

    /// The same lanes as on the plan, and on the same tiles.
    #[test]
    fn as_placed() {
        let patterns = [
            Lanes::row_major(),
            Lanes::column_major(),
            Lanes::rows(16),
            Lanes::rows(32),
            Lanes::repeated_rows(16),
            Lanes::diagonal(),
            Lanes::strided(3),
            Lanes::strided(8),
        ];
        let rows = [
            &gfx942::ds_read_b128,
            &gfx942::ds_write_b64,
            &gfx942::ds_read_u16,
            &gfx942::ds_read_b96,
            &gfx942::ds_read2_b32.offsets(0, 64),
            &gfx950::ds_read_b128,
            &sm_90::ld_shared_b128,
        ];
        let (mut known, mut unknown) = (0, 0);
        for tile in
            [[128, 32], [128, 64], [16, 8], [64, 48], [48, 64], [8, 1024], [1024, 256], [0, 64]]
        {
            for (along, strides) in [(0, [1, tile[0]]), (1, [tile[1], 1])] {
                let plan = Plan::naive(&tile, &strides);
                for bits in [4, 8, 12, 16, 32] {
                    for lanes in patterns.into_iter().flat_map(|lanes| [lanes.first(), lanes]) {
                        for row in rows {
                            let found = in_order(tile, along, bits, lanes, row);
                            let placed = plan
                                .as_ref()
                                .ok()
                                .and_then(|plan| Placed::new(plan, bits, lanes, row).ok());
                            let wanted = placed.as_ref().and_then(|placed| placed.alike());
                            match (found, wanted) {
                                (Some((walk, columns)), Some(Alike::Columns(wanted))) => {
                                    assert_eq!(columns, *wanted, "{tile:?} {bits} {lanes:?}");
                                    let placed = placed.as_ref().unwrap();
                                    assert_eq!(walk.instructions(), placed.instructions());
                                    known += 1;
                                }
                                (None, Some(Alike::Columns(_))) => unknown += 1,
                                (None, _) => {}
                                (Some(_), wanted) => panic!("{tile:?} {bits} {lanes:?} {wanted:?}"),
                            }
                        }
                    }
                }
            }
        }
        // Of linear tiles those by packs of the other index alone are left to the plan.
        assert!(known > 500 && unknown * 10 < known, "{known} known, {unknown} not");
    }
}
