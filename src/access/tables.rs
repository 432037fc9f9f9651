//! Tables that go on along the tile: instructions that are the one before, moved.
//!
//! Nothing says beforehand which instructions of a table do the same to the banks, but most go on along the tile:
//!
//! ```text
//!   34x66 floats read down columns: lane l of instruction s at (l % 32 + 1, 2 * s + l / 32)
//!
//!   instruction 0, bytes    264  528  792 ..
//!   instruction 1, bytes    272  536  800 ..     each 8 further: two whole units, as many conflicts
//! ```
//!
//! So the lanes of an instruction are compared with those that were counted last, and left at the first that is not
//! moved as the others are. Only what is not moved gets addresses of its own.

use super::addresses::Addresses;
use super::flips::Flips;
use super::placed::Placed;
use crate::chip::phases::Phases;
use crate::distribution::Reach;
use tiledesc_transforms::List;
use tiledesc_transforms::number::head;

impl Placed<'_, '_> {
    /// Whether the lanes of an instruction of a table of two indices, on a layout of these strides, are some that were
    /// accepted, all moved by the same whole units. `None` where that is not known without their addresses.
    pub(crate) const fn is_moved_in_table(
        &self,
        step: u64,
        strides: &Option<List>,
        from: &Addresses,
        unit: u32,
    ) -> Option<bool> {
        let Some(grid) = self.byte_grid(strides) else { return None };
        if step >= self.table.len() as u64 || from.active == 0 {
            return None;
        }
        let ByteGrid { origin, last, each } = grid;
        let (row, lanes) = (&self.table[step as usize], self.reach.lanes as usize);
        let active = from.active & u64::MAX >> (Phases::LANES - lanes);
        let bytes = head(&from.bytes, lanes);
        let Some((by, idle)) = List::pairs_further(row, bytes, active, last, each) else {
            return Some(false);
        };
        if idle + active.count_ones() as usize != lanes {
            return Some(false);
        }
        Some((by + origin as i64) % unit as i64 == 0)
    }

    /// The addresses of an instruction of a table of two indices on a layout of strides, in a loop that calls nothing;
    /// `None` where a lane must be looked at closely, or is refused.
    pub(super) const fn addresses_in_grid(
        &self,
        step: u64,
        strides: &Option<List>,
    ) -> Option<Addresses> {
        let Some(grid) = self.byte_grid(strides) else { return None };
        if step >= self.table.len() as u64 {
            return None;
        }
        let ByteGrid { origin, last, each } = grid;
        let (row, lanes) = (&self.table[step as usize], self.reach.lanes as usize);
        match List::pairs_at(row, lanes, last, each, origin) {
            None | Some((_, 0)) => None,
            Some((bytes, active)) => Some(Addresses { bytes, active }),
        }
    }

    /// The addresses of an instruction of a table of two indices on a layout that is [numbered](crate::Numbered): sums of
    /// strides, and a look at what is flipped of each; `None` where a lane must be looked at closely, or is refused.
    /// An offset of the plan takes the compiler 20 times as long: 1.7 M instructions a lane.
    pub(super) const fn addresses_in_numbers(&self, step: u64) -> Option<Addresses> {
        let (Some(numbered), Some(flips)) = (&self.numbered, self.flips()) else { return None };
        let Reach { tile, along, pack, .. } = &self.reach;
        let Some(most) = self.limit.checked_sub(self.end) else { return None };
        let strides = numbered.strides();
        if !self.whole || tile.len() != 2 || step >= self.table.len() as u64 {
            return None;
        }
        // A number is one of whole packs exactly if its index along them is.
        if *pack > 1 && (strides.at(*along) != 1 || !strides.at(1 - *along).is_multiple_of(*pack)) {
            return None;
        }
        let each = [strides.at(0) as u64, strides.at(1) as u64];
        let (row, lanes) = (&self.table[step as usize], self.reach.lanes as usize);
        let last = [tile.at(0) - 1, tile.at(1) - 1];
        let (mut bytes, active) = match List::pairs_at(row, lanes, last, each, 0) {
            None | Some((_, 0)) => return None,
            Some(numbers) => numbers,
        };
        let (from, bits, pack, mut lane) = (flips.from, self.bits as u64, *pack, 0);
        while lane < lanes {
            if active >> lane & 1 == 1 {
                let number = bytes[lane];
                let offset = number ^ flips.table[(number >> from & Flips::LAST) as usize];
                let bit = offset as u64 * bits;
                if number % pack != 0 || bit & 7 != 0 || bit >> 3 > most {
                    return None;
                }
                bytes[lane] = (bit >> 3) as u32;
            }
            lane += 1;
        }
        Some(Addresses { bytes, active })
    }

    /// Where the packs of a table of two indices lie on a layout of these strides, if each that begins in the tile lies in
    /// memory, at a whole byte.
    const fn byte_grid(&self, strides: &Option<List>) -> Option<ByteGrid> {
        let (Some(strides), Some(digits)) = (strides, &self.digits) else { return None };
        let Reach { tile, along, pack, .. } = &self.reach;
        // Where neighbours are one element apart packs may begin anywhere, and nowhere else.
        if tile.len() != 2 || *pack == 0 || tile.at(*along) < *pack || !self.has_packs(strides) {
            return None;
        }
        let (bits, (strides, _)) = (self.bits as u64, strides.items());
        let [down, right] = [strides[0] as u64 * bits, strides[1] as u64 * bits];
        let origin = digits.origin() as u64 * bits;
        // Where the last packs begin.
        let (mut last, along, pack) = ([tile.at(0) - 1, tile.at(1) - 1], *along, *pack);
        last[along] -= pack - 1;
        let end = origin + last[0] as u64 * down + last[1] as u64 * right;
        let Some(most) = self.limit.checked_sub(self.end) else { return None };
        // Strides that count down wrap around; elements of less than a byte begin within one.
        if end > u32::MAX as u64 * bits || (down | right | origin) & 7 != 0 || end >> 3 > most {
            return None;
        }
        let each = [down >> 3, right >> 3];
        Some(ByteGrid { origin: origin >> 3, last, each })
    }
}

/// Where packs lie, in bytes: the first one, how much further one is by each index, and the last index of each dimension.
struct ByteGrid {
    origin: u64,
    last: [u32; 2],
    each: [u64; 2],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::error::AccessError;
    use crate::chip::{gfx942, gfx950};
    use crate::element::F8;
    use crate::pattern::{Lanes, Row};
    use crate::recipe;
    use alloc::vec::Vec;
    use tiledesc_transforms::Plan;

    /// On swizzles of the dense offset, of which some lanes hold nothing and some packs begin between packs: each address is
    /// the plan's.
    #[test]
    fn tables_of_numbers() {
        let (mut told, mut left) = (0, 0);
        for (row, pack) in [(&gfx942::ds_read_b32, 1), (&gfx942::ds_read_b64, 2)] {
            for (columns, apart) in [(66, 1), (96, 1), (72, 2), (100, pack)] {
                let plan = recipe::DenseXor::<F8>([40, columns, pack, 4], &[1, 2, 3]).unwrap();
                let at = |lane: u32, step: u32| {
                    let along = (lane / 16 * 2 + step) * apart % (columns - 1);
                    (lane % 9 != step % 9).then(|| List::pair(lane % 16 + step, along))
                };
                let table: Vec<Row> = (0..20)
                    .map(|step| core::array::from_fn(|lane| at(lane as u32, step)))
                    .collect();
                let placed = Placed::new(&plan, 32, Lanes::table(&table, 1), row).unwrap();
                assert!(placed.numbered().is_some());
                for step in 0..20 {
                    let Some(addresses) = placed.addresses_in_numbers(u64::from(step)) else {
                        left += 1;
                        continue;
                    };
                    for lane in 0..Phases::LANES as u32 {
                        let byte = at(lane, step).map(|at| 4 * plan.offset(at.as_slice()).unwrap());
                        assert_eq!(addresses.get(lane as usize), byte, "{step} {lane}");
                        told += 1;
                    }
                }
            }
        }
        assert!(told > 5000 && left > 10, "{told} {left}");
    }

    /// Packs of three floats begin anywhere in rows of 80, which packs do not divide: every address is right up to the end of
    /// a row, packs beyond it are refused, and an instruction that is the one before, moved, is recognised.
    #[test]
    fn packs_begin_anywhere_in_a_row() {
        // From element 12 on.
        let plan = Plan::naive_with_offset(&[64, 80], &[84, 1], 12).unwrap();
        let (mut same, mut refused, mut moved) = (0, 0, 0);
        for (row, pack) in
            [(&gfx942::ds_read_b96, 3), (&gfx950::ds_read_b96, 3), (&gfx942::ds_read_b32, 1)]
        {
            for along in [0, 1, 2, 5] {
                let at = |lane: u32, step: u32| {
                    List::pair(lane % 16 + step, (lane / 16 * pack + along * step) % 80)
                };
                let table: Vec<Row> = (0..40)
                    .map(|step| core::array::from_fn(|lane| Some(at(lane as u32, step))))
                    .collect();
                let placed = Placed::new(&plan, 32, Lanes::table(&table, 1), row).unwrap();
                let strides = placed.strides();
                let mut before = None;
                for step in 0..40 {
                    let told = placed.addresses_by(step, &strides);
                    let lanes = 0..Phases::LANES as u32;
                    let fits = lanes.clone().all(|lane| at(lane, step as u32).at(1) + pack <= 80);
                    let Ok(addresses) = told else {
                        assert!(!fits && matches!(told, Err(AccessError::Tile { .. })), "{told:?}");
                        refused += 1;
                        continue;
                    };
                    assert!(fits);
                    for lane in lanes {
                        let at = at(lane, step as u32);
                        let byte = 4 * (12 + at.at(0) * 84 + at.at(1));
                        assert_eq!(addresses.get(lane as usize), Some(byte), "{step} {lane}");
                    }
                    if let Some(before) = &before {
                        let is_moved = addresses.is_moved(before, 4);
                        assert_eq!(
                            placed.is_moved_in_table(step, &strides, before, 4),
                            Some(is_moved)
                        );
                        moved += u32::from(is_moved);
                    }
                    before = Some(addresses);
                    same += 1;
                }
            }
        }
        assert!(same > 300 && refused > 5 && moved > 200, "{same} {refused} {moved}");
    }
}
