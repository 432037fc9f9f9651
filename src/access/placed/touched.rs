//! The byte address of each lane in one instruction, by the cheapest way that the layout has.
//!
//! | pattern | layout | a lane's address |
//! |---|---|---|
//! | a table of two indices | strides | a sum, in a loop that calls next to nothing: 30 us of the compiler each |
//! | a table | digits, of indices or of the element's number | all lanes by each column |
//! | digits | strides | digit by digit, all lanes at once |
//! | digits, or a table | transforms without pads | their rules for all lanes at once |
//! | any | any | its coordinate, the offset, and whether the pack is whole there: 85 us and more |

use super::Placed;
use crate::access::addresses::Addresses;
use crate::access::error::AccessError;
use crate::access::refusal::{AddressError, MOST_BYTES};
use crate::access::strides::strides;
use crate::access::vectors::together;
use crate::chip::phases::Phases;
use crate::distribution::{MOST_LANES, Reach};
use tiledesc_transforms::{Error, List, range};

/// The coordinates and byte addresses that the lanes touch in one instruction.
///
/// The coordinates are those that lanes address. By `ldmatrix` and the like they hold something else: see
/// [`Placed::distribution`].
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let first = ABlock::placed::<MfmaRows<16>>(&ds_read_b128)?.touched(0)?;
/// // Lane 19 reads row 3, pack 1, which lies where pack 1 xor 3 would without the swizzle.
/// assert_eq!(first.coordinate(19).unwrap(), [3, 8]);
/// assert_eq!(first.addresses().get(19), Some(3 * 128 + 2 * 16));
/// # Ok::<(), tiledesc::access::AccessError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Empty for an inactive lane. Not an `Option`, whose uninitialised bytes the compiler tracks in
    /// every copy: see DESIGN, "What the compiler pays for".
    coordinates: [List; Phases::LANES],
    addresses: Addresses,
}

impl Touched {
    const NOTHING: Self =
        Self { coordinates: [List::EMPTY; Phases::LANES], addresses: Addresses::NONE };

    /// The coordinate of the first element that a lane addresses; `None` if it is inactive.
    #[must_use]
    pub const fn coordinate(&self, lane: usize) -> Option<List> {
        if self.addresses.get(lane).is_some() { Some(self.coordinates[lane]) } else { None }
    }

    /// The byte addresses.
    #[must_use]
    pub const fn addresses(&self) -> &Addresses {
        &self.addresses
    }
}

/// A layout of strides of two dimensions, for lanes that are computed one by one.
struct Strided {
    strides: [u64; 2],
    lengths: [u32; 2],
    /// The dimension along which a pack runs, and its elements.
    along: usize,
    pack: u32,
    origin: u64,
    bits: u64,
    /// The last byte at which an access may begin.
    most: u64,
}

impl Placed<'_, '_> {
    /// Returns what the lanes touch in instruction `step`, from 0.
    ///
    /// # Errors
    ///
    /// [`AccessError`]: a lane outside the tile or in padding, elements that are not contiguous, an
    /// instruction after the last, or without an active lane. A distribution may have such: of waves that
    /// hold nothing of a tile that it [covers](crate::distribution::Encoding::covering).
    pub const fn touched(&self, step: u64) -> Result<Touched, AccessError> {
        self.touched_by(step, &self.strides())
    }

    /// The byte of lane 0 in instruction `step`, where all are alike; by [strides](Self::strides) that all share.
    pub(in crate::access) const fn first_byte(
        &self,
        step: u64,
        strides: &Option<List>,
    ) -> Result<u32, AccessError> {
        match self.first_of(step, 0) {
            Some(coordinate) => self.address(0, &coordinate, strides),
            None => Err(AccessError::Idle { step, instructions: self.instructions() }),
        }
    }

    /// The strides of the layout, if it is one of strides.
    pub(crate) const fn strides(&self) -> Option<List> {
        match &self.digits {
            Some(digits) => strides(digits),
            None => None,
        }
    }

    /// The addresses of instruction `step`, by [strides](Self::strides) that all instructions share.
    pub(crate) const fn addresses_by(
        &self,
        step: u64,
        strides: &Option<List>,
    ) -> Result<Addresses, AccessError> {
        if let Some(addresses) = self.addresses_at_once(step, strides) {
            return Ok(addresses);
        }
        match self.touched_by(step, strides) {
            Ok(touched) => Ok(touched.addresses),
            Err(misfit) => Err(misfit),
        }
    }

    const fn touched_by(&self, step: u64, strides: &Option<List>) -> Result<Touched, AccessError> {
        if step >= self.instructions() {
            return Err(AccessError::Step { step, instructions: self.instructions() });
        }
        let mut touched = Touched::NOTHING;
        range!(lane, 0..self.reach.lanes, {
            if let Some(coordinate) = self.first_of(step, lane) {
                let address = match self.address(lane, &coordinate, strides) {
                    Ok(address) => address,
                    Err(misfit) => return Err(self.in_step(misfit, step)),
                };
                touched.coordinates[lane as usize] = coordinate;
                touched.addresses.set(lane as usize, address);
            }
        });
        if touched.addresses.active() == 0 && !self.walk.has_idle_lanes() {
            return Err(AccessError::Idle { step, instructions: self.instructions() });
        }
        Ok(touched)
    }

    /// The addresses of all lanes together; `None` where a lane must be looked at closely, or is refused.
    const fn addresses_at_once(&self, step: u64, strides: &Option<List>) -> Option<Addresses> {
        if step >= self.instructions() {
            return None;
        }
        let is_table = !self.table.is_empty();
        if self.has_whole_packs && !is_table && self.walk.is_within() {
            let Some(offsets) = self.offsets_in_walk(step as u32, strides) else { return None };
            return self.at_bytes(offsets, u64::MAX >> (u64::BITS - self.reach.lanes));
        }
        if let Some(tile) = self.strided(strides)
            && let Some(addresses) = self.addresses_by_strides(step, &tile)
        {
            return Some(addresses);
        }
        if !self.has_whole_packs || !is_table {
            return None;
        }
        let Some((mut indices, active)) = self.indices_in_table(step as usize) else { return None };
        if let (None, Some(numbered)) = (&self.digits, &self.numbered) {
            indices[0] = numbered.number().offsets(&indices);
        }
        match self.offsets_of(&indices) {
            Some(offsets) => self.at_bytes(offsets, active),
            None => None,
        }
    }

    /// The addresses by a table of two indices, or by a walk of which some lanes hold nothing, in a loop that calls next to
    /// nothing: a call for each lane is half of what an address costs. `None` where a lane is outside, torn, within a byte or
    /// beyond the memory.
    const fn addresses_by_strides(&self, step: u64, tile: &Strided) -> Option<Addresses> {
        let held = if self.table.is_empty() { self.walk.lane_pairs(step as u32) } else { None };
        let listed = match self.table.row(step as usize) {
            Some(listed) => listed,
            None if held.is_some() => &[None; MOST_LANES],
            None => return None,
        };
        let mut addresses = Addresses::NONE;
        range!(lane, 0..self.reach.lanes as usize, {
            let [row, column] = match &held {
                Some((_, active)) if *active >> lane & 1 == 0 => continue,
                Some(([rows, columns], _)) => [rows[lane], columns[lane]],
                None => match &listed[lane] {
                    Some(at) => match at.items() {
                        (index, 2) => [index[0], index[1]],
                        _ => return None,
                    },
                    None => continue,
                },
            };
            let index = if tile.along == 0 { row } else { column };
            let torn = index as u64 + tile.pack as u64 > tile.lengths[tile.along] as u64;
            if row >= tile.lengths[0] || column >= tile.lengths[1] || torn {
                return None;
            }
            // A stride may count down: the sum wraps around, as 32 bits do.
            let first = tile.origin + row as u64 * tile.strides[0];
            let offset = (first & u32::MAX as u64) + column as u64 * tile.strides[1];
            let bit = (offset & u32::MAX as u64) * tile.bits;
            if bit & 7 != 0 || bit >> 3 > tile.most {
                return None;
            }
            addresses.bytes[lane] = (bit >> 3) as u32;
            addresses.active |= 1 << lane;
        });
        if addresses.active == 0 { None } else { Some(addresses) }
    }

    /// Returns the strides by which lanes are computed one by one on a layout of strides of two dimensions; `None` of any other
    /// layout, and where a pack may be torn.
    const fn strided(&self, strides: &Option<List>) -> Option<Strided> {
        let (Some(strides), Some(digits)) = (strides, &self.digits) else { return None };
        let Some(most) = self.limit.checked_sub(self.bytes_to_end) else { return None };
        let Reach { tile, along, pack, .. } = self.reach;
        if tile.len() != 2 || pack == 0 || !self.has_packs(strides) {
            return None;
        }
        Some(Strided {
            strides: [strides.at(0) as u64, strides.at(1) as u64],
            lengths: [tile.at(0), tile.at(1)],
            along,
            pack,
            origin: digits.origin() as u64,
            bits: self.bits as u64,
            most,
        })
    }

    /// Returns whether packs are contiguous on a layout of these strides, wherever they begin: of neighbours one element apart,
    /// and of one element.
    pub(in crate::access) const fn has_packs(&self, strides: &List) -> bool {
        self.reach.pack == 1 || strides.at(self.reach.along) == 1
    }

    /// The addresses of the active lanes at offsets in elements; `None` where one is within a byte or beyond the memory.
    const fn at_bytes(&self, mut offsets: [u32; Phases::LANES], active: u64) -> Option<Addresses> {
        let Some(most) = self.limit.checked_sub(self.bytes_to_end) else { return None };
        let bits = self.bits as u64;
        range!(lane, 0..Phases::LANES, {
            let bit = if active >> lane & 1 == 1 { offsets[lane] as u64 * bits } else { 0 };
            if bit & 7 != 0 || bit >> 3 > most {
                return None;
            }
            offsets[lane] = (bit >> 3) as u32;
        });
        Some(Addresses { bytes: offsets, active })
    }

    /// The offset of each lane at these indices; the first is the element's number on a layout that counts it. Lane by lane an
    /// offset takes the compiler 1.7 million instructions where the digits are of a number.
    const fn offsets_of(
        &self,
        indices: &[[u32; Phases::LANES]; List::CAPACITY],
    ) -> Option<[u32; Phases::LANES]> {
        match (&self.digits, &self.numbered) {
            (Some(digits), _) => Some(digits.offsets(indices)),
            (None, Some(numbered)) => Some(numbered.digits().offsets(indices)),
            (None, None) => self.plan.offsets(indices),
        }
    }

    /// The indices of the lanes by dimension, and which lanes are active; `None` if one begins outside the tile or within a
    /// pack, or if none is active.
    const fn indices_in_table(
        &self,
        step: usize,
    ) -> Option<([[u32; Phases::LANES]; List::CAPACITY], u64)> {
        let Reach { tile, along, pack, .. } = self.reach;
        let Some(row) = self.table.row(step) else { return None };
        let (mut indices, mut active) = ([[0; Phases::LANES]; List::CAPACITY], 0u64);
        range!(lane, 0..self.reach.lanes as usize, {
            if let Some(at) = &row[lane] {
                let (index, rank) = at.items();
                let rank = rank as usize;
                if rank != tile.len() || pack == 0 || !index[along].is_multiple_of(pack) {
                    return None;
                }
                range!(d, 0..rank, {
                    if index[d] >= tile.at(d) {
                        return None;
                    }
                    indices[d][lane] = index[d];
                });
                active |= 1 << lane;
            }
        });
        if active == 0 { None } else { Some((indices, active)) }
    }

    /// The offset of each lane, in elements: a sum on a layout of strides, else the digits of all indices, or of the
    /// element's number.
    const fn offsets_in_walk(
        &self,
        step: u32,
        strides: &Option<List>,
    ) -> Option<[u32; Phases::LANES]> {
        if let (Some(strides), Some(digits)) = (strides, &self.digits) {
            return self.walk.lane_numbers(strides, digits.origin(), step);
        }
        let mut indices = [[0; Phases::LANES]; List::CAPACITY];
        if let (None, Some(numbered)) = (&self.digits, &self.numbered) {
            let numbers = self.walk.lane_numbers(&numbered.strides(), 0, step);
            let Some(numbers) = numbers else { return None };
            indices[0] = numbers;
            return self.offsets_of(&indices);
        }
        let rank = self.reach.tile.len();
        range!(d, 0..rank, {
            let mut one = [0; List::CAPACITY];
            one[d] = 1;
            let index = self.walk.lane_numbers(&List::of_first(one, rank), 0, step);
            let Some(index) = index else { return None };
            indices[d] = index;
        });
        self.offsets_of(&indices)
    }

    /// The refusal of a lane, with what instruction `step` knows of it: the length that all its lanes need, or that it
    /// is one after the first.
    const fn in_step(&self, misfit: AccessError, step: u64) -> AccessError {
        if let AccessError::BeyondSpace { lane, end, space, .. } = misfit {
            return AccessError::BeyondSpace { lane, end, space, step };
        }
        let AccessError::Tile { tile, lane, coordinate, dimension, .. } = misfit else {
            return misfit;
        };
        if step > 0
            && let Some(covers) = self.lanes.covers(&self.reach)
        {
            let step = step as u32;
            return AccessError::Uneven { tile, covers, step, coordinate };
        }
        let pack = if dimension as usize == self.reach.along { self.reach.pack } else { 1 };
        let mut enough = 0;
        range!(other, 0..self.reach.lanes, {
            if let Some(at) = self.first_of(step, other) {
                let end = at.at(dimension as usize).saturating_add(pack);
                enough = if end > enough { end } else { enough };
            }
        });
        AccessError::Tile { tile, lane, coordinate, dimension, enough }
    }

    /// The byte address of the pack at a coordinate.
    const fn address(
        &self,
        lane: u32,
        coordinate: &List,
        strides: &Option<List>,
    ) -> Result<u32, AccessError> {
        let first = match self.offset_by(coordinate, strides) {
            Ok(offset) => offset,
            Err(error) => return Err(self.outside(lane, coordinate, error)),
        };
        let whole = self.has_whole_packs
            && coordinate.at(self.reach.along).is_multiple_of(self.reach.pack)
            || self.is_within_row(coordinate, strides);
        if !whole && let Err(misfit) = self.check_contiguous(lane, coordinate, first) {
            return Err(misfit);
        }
        let bit = first as u64 * self.bits as u64;
        if !bit.is_multiple_of(8) {
            return Err(AccessError::WithinByte { lane, bit });
        }
        let end = bit / 8 + self.bytes_to_end;
        if end > self.limit {
            return Err(self.beyond(lane, end));
        }
        Ok((bit / 8) as u32)
    }

    /// Returns whether a pack ends within the tile, on a layout of strides along which neighbours are one element apart.
    const fn is_within_row(&self, at: &List, strides: &Option<List>) -> bool {
        let Reach { tile, along, pack, .. } = &self.reach;
        let end = at.at(*along) as u64 + *pack as u64;
        matches!(strides, Some(strides) if strides.at(*along) == 1) && end <= tile.at(*along) as u64
    }

    /// After the layout, or after what an address can name.
    const fn beyond(&self, lane: u32, end: u64) -> AccessError {
        if end > self.space {
            return AccessError::BeyondSpace { lane, end, space: self.space, step: 0 };
        }
        let (lane, memory) = (lane as usize, MOST_BYTES);
        AccessError::Address(AddressError::BeyondMemory { lane, end, memory })
    }

    /// The offset in elements: by digits where there are some, which are cheaper for the compiler than
    /// the plan.
    pub(in crate::access) const fn offset(&self, coordinate: &List) -> Result<u32, Error> {
        if let Some(digits) = &self.digits
            && let Some(offset) = digits.offset(coordinate)
        {
            return Ok(offset);
        }
        if let Some(numbered) = &self.numbered
            && let Some(offset) = numbered.offset(coordinate)
        {
            return Ok(offset);
        }
        self.plan.offset(coordinate.as_slice())
    }

    /// Returns the offset in elements, by strides where the layout is one of strides.
    const fn offset_by(&self, coordinate: &List, strides: &Option<List>) -> Result<u32, Error> {
        if let (Some(strides), Some(digits)) = (strides, &self.digits)
            && let Some(offset) = by_strides(digits.origin(), strides, coordinate, &self.reach.tile)
        {
            return Ok(offset);
        }
        self.offset(coordinate)
    }

    const fn outside(&self, lane: u32, coordinate: &List, error: Error) -> AccessError {
        match error {
            Error::OutOfRange { dimension, .. } => AccessError::Tile {
                tile: self.reach.tile,
                lane,
                coordinate: *coordinate,
                dimension,
                // All lanes are looked at by whoever knows the instruction.
                enough: 0,
            },
            // A walk of wide accesses that have no parts has no coordinates.
            Error::Rank { given: 0, .. } if self.lanes.parts().count > 1 => {
                let Reach { pack, along, .. } = self.reach;
                let parts = self.lanes.parts().count;
                AccessError::Parts { parts, pack: pack.saturating_mul(parts), along: along as u32 }
            }
            Error::Rank { wanted, given } => {
                AccessError::Coordinates { indices: given, rank: wanted }
            }
            _ => AccessError::Padding { lane, coordinate: *coordinate },
        }
    }

    /// Refuses a pack that is torn apart, element by element, and one that a pad whose check is
    /// skipped lets begin below 0.
    const fn check_contiguous(&self, lane: u32, at: &List, first: u32) -> Result<(), AccessError> {
        let (pack, along) = (self.reach.pack, self.reach.along);
        if first.checked_add(pack - 1).is_none() {
            let end = (first as u64 + pack as u64) * self.bits as u64 / 8;
            return Err(AccessError::BeyondSpace { lane, end, space: self.space, step: 0 });
        }
        let mut element = 1;
        while element < pack {
            let coordinate = at.with(along, at.at(along).saturating_add(element));
            match self.offset(&coordinate) {
                Ok(offset) if offset == first + element => element += 1,
                Ok(_) => {
                    let together = together(self.plan, along);
                    let coordinate = *at;
                    return Err(AccessError::NotContiguous {
                        lane,
                        coordinate,
                        pack,
                        along: along as u32,
                        together,
                    });
                }
                Err(error) => return Err(self.outside(lane, &coordinate, error)),
            }
        }
        Ok(())
    }
}

/// The offset of a coordinate on a layout of strides; `None` outside.
const fn by_strides(origin: u32, strides: &List, at: &List, tile: &List) -> Option<u32> {
    if at.len() != tile.len() {
        return None;
    }
    let mut offset = origin;
    range!(d, 0..tile.len(), {
        let index = at.at(d);
        if index >= tile.at(d) {
            return None;
        }
        offset = offset.wrapping_add(index.wrapping_mul(strides.at(d)));
    });
    Some(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx942::{ds_read_b32, ds_read_b64};
    use crate::element::F8;
    use crate::pattern::{Lanes, Row};
    use crate::recipe;
    use alloc::vec::Vec;

    /// Addresses equal those of the lanes' coordinates, also where a stride counts down.
    #[test]
    fn lanes_are_as_coordinates_say() {
        let patterns = [
            Lanes::row_major(),
            Lanes::column(),
            Lanes::rows(16),
            Lanes::rows(32),
            Lanes::repeated_rows(16),
            Lanes::strided(3),
            Lanes::row_major().first(),
        ];
        let mut known = 0;
        for (rows, columns, pack) in
            [(128, 64, 8), (64, 96, 8), (64, 24, 4), (96, 40, 8), (256, 12, 1), (48, 104, 8)]
        {
            for (lanes, wave) in patterns.into_iter().flat_map(|lanes| [(lanes, 64), (lanes, 32)]) {
                let tile = List::pair(rows, columns);
                let walk = lanes.walk(&Reach { tile, along: 1, pack, lanes: wave });
                for (strides, origin) in [
                    (List::pair(columns + 8, 1), 0),
                    (List::pair(columns.wrapping_neg(), 1), (rows - 1) * columns),
                ] {
                    for step in 0..walk.instructions() as u32 {
                        let numbers = walk.lane_numbers(&strides, origin, step).unwrap();
                        for lane in 0..wave {
                            let at = walk.coordinate(step, lane).unwrap();
                            let row = at.at(0).wrapping_mul(strides.at(0));
                            let told = origin.wrapping_add(row).wrapping_add(at.at(1));
                            assert_eq!(numbers[lane as usize], told, "{lanes:?} {step} {lane}");
                            known += 1;
                        }
                    }
                }
            }
        }
        assert!(known > 100_000, "{known}");
    }

    /// Tables on swizzles of the dense offset and of layers, in which some lanes hold nothing and some packs begin within
    /// packs: each address is the plan's.
    #[test]
    fn tables_on_digits() {
        let (mut known, mut left) = (0, 0);
        for (row, pack) in [(&ds_read_b32, 1), (&ds_read_b64, 2)] {
            for (columns, apart) in [(66, 1), (96, 1), (72, 2), (100, pack), (64, pack)] {
                let dense = recipe::DenseXor::<F8>([40, columns, pack, 4], &[1, 2, 3]);
                let layered = recipe::gemm_xor(32, 64, pack, 1);
                let plan = if columns == 64 { layered } else { dense }.unwrap();
                let at = |lane: u32, step: u32| {
                    let along = (lane / 16 * 2 + step) * apart % (columns - 1);
                    (lane % 9 != step % 9).then(|| List::pair((lane % 16 + step) % 32, along))
                };
                let table: Vec<Row> = (0..20)
                    .map(|step| core::array::from_fn(|lane| at(lane as u32, step)))
                    .collect();
                let placed = Placed::new(&plan, 32, Lanes::table(&table, 1), row).unwrap();
                for step in 0..20 {
                    let Some(addresses) = placed.addresses_at_once(step.into(), &None) else {
                        left += 1;
                        continue;
                    };
                    for lane in 0..Phases::LANES as u32 {
                        let byte = at(lane, step).map(|at| 4 * plan.offset(at.as_slice()).unwrap());
                        assert_eq!(addresses.get(lane as usize), byte, "{step} {lane}");
                        known += 1;
                    }
                }
            }
        }
        assert!(known > 5000 && left > 10, "{known} {left}");
    }
}
