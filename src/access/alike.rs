//! Instructions that are alike: what the first does to the banks, all do.
//!
//! A tile of 128x64 fp16 is read by 16 instructions of 64 lanes. Where each bit of a lane's
//! number, and of an instruction's, moves the address by itself, the other fifteen differ from
//! the first by a constant: xor-ed, or added without a carry. A constant that is a multiple of
//! a dword and of the alignment moves all dwords of a phase from banks to other banks and
//! keeps their number. So one is asked, and of it only where lane 0 is and the lanes with one bit.
//!
//! | layout | address of lane l in instruction s | asked |
//! |---|---|---|
//! | linear (xor, row-major) | constant ^ columns of l ^ columns of s | 7 coordinates; the degree is a rank |
//! | strides times digits (padded rows) | constant + strides of l + strides of s | 7 coordinates; 64 sums are counted |
//! | any other, and two addresses | computed one by one | every lane of every instruction |

use super::addresses::Addresses;
use super::columns::{Alike, BYTE, Columns};
use super::placed::Placed;
use super::refusal::MOST_BYTES;
use super::strides::strides;
use crate::chip::phases::Phases;
use tiledesc_transforms::{Digits, List};

impl Placed<'_, '_> {
    /// The lanes of the first instruction, if all are known to be alike.
    pub(super) const fn find_alike(&self) -> Option<Alike> {
        let Some(digits) = &self.digits else { return None };
        if !self.whole || !self.bits.is_power_of_two() {
            return None;
        }
        // The second address of a later instruction may be outside the tile, and all of one beyond 32 bits.
        let is_beyond = self.instruction.parts() > 1 || self.limit < self.space;
        if self.walk.instructions() > 1 && is_beyond {
            return None;
        }
        if !self.walk.is_linear(self.reach.pack) {
            return self.in_sequence(digits);
        }
        if digits.is_linear() {
            match self.columns(digits) {
                Some(columns) => Some(Alike::Columns(columns)),
                None => None,
            }
        } else {
            self.sums(digits)
        }
    }

    /// Consecutive lanes of a tile in order.
    const fn in_sequence(&self, digits: &Digits) -> Option<Alike> {
        let Some(strides) = strides(digits) else { return None };
        let Some(apart) = self.walk.lane_apart(&strides) else { return None };
        let (lanes, row) = (self.reach.lanes, self.instruction);
        match Columns::in_sequence(digits.origin(), apart, lanes, self.bits, row, self.limit) {
            Some(columns) => Some(Alike::Columns(columns)),
            None => None,
        }
    }

    /// Bits of a lane's number.
    const fn lane_bits(&self) -> usize {
        self.reach.lanes.trailing_zeros() as usize
    }

    /// Bytes of an offset in elements, if they are whole.
    const fn bytes_of(&self, elements: u32) -> Option<u32> {
        let bits = elements as u64 * self.bits as u64;
        if bits & 7 == 0 && bits >> BYTE < MOST_BYTES { Some((bits >> BYTE) as u32) } else { None }
    }

    const fn columns(&self, digits: &Digits) -> Option<Columns> {
        let bits = self.lane_bits();
        let lanes = self.walk.flips(bits, digits, 0);
        let (constant, row) = (digits.constant(0), self.instruction);
        Columns::of_elements(constant, lanes, bits, self.bits, row, self.limit)
    }

    /// The addresses of the first instruction, if the others add constants to them that are
    /// multiples of a dword and of the alignment.
    const fn sums(&self, digits: &Digits) -> Option<Alike> {
        let alignment = self.instruction.alignment();
        let unit = if alignment > 4 { alignment } else { 4 };
        let Some(origin) = self.bytes_of(digits.origin()) else { return None };
        let (bits, count) = (self.lane_bits(), digits.count());
        let taken = self.taken(digits.rank());
        let mut flips = [[0; Columns::BITS]; List::CAPACITY];
        let mut strides = [0; List::CAPACITY];
        let mut steps = LaneStrides { first: origin as u64, adds: [0; Columns::BITS], meet: false };
        let mut d = 0;
        while d < count {
            let Some(stride) = self.bytes_of(digits.stride(d)) else { return None };
            strides[d] = stride;
            flips[d] = self.walk.flips(bits, digits, d);
            let lanes = steps.take(digits.constant(d), &flips[d], stride);
            let further = further(digits, d, &taken);
            // Without a carry, and multiples: of a power of two a sum is one if each column is.
            let whole = (further as u64 * stride as u64).is_multiple_of(unit as u64);
            if further & lanes != 0 || !whole {
                return None;
            }
            d += 1;
        }
        if steps.meet {
            return self.lane_by_lane(digits, origin, &flips, &strides);
        }
        if steps.last() + self.end > self.limit {
            return None;
        }
        let disjoint = steps.are_apart(bits, self.end);
        Some(Alike::Sums { addresses: steps.addresses(bits), disjoint })
    }

    /// The same, whatever lanes flip of each digit.
    const fn lane_by_lane(
        &self,
        digits: &Digits,
        origin: u32,
        flips: &[[u32; Columns::BITS]; List::CAPACITY],
        strides: &[u32; List::CAPACITY],
    ) -> Option<Alike> {
        let bits = self.lane_bits();
        let mut bytes = [origin; Phases::LANES];
        let mut d = 0;
        while d < digits.count() {
            add_digit(&mut bytes, digits.constant(d), &flips[d], bits, strides[d]);
            d += 1;
        }
        let mut addresses = Addresses::NONE;
        let mut lane = 0;
        while lane < 1 << bits {
            if bytes[lane] as u64 + self.end > self.limit {
                return None;
            }
            addresses.set(lane, bytes[lane]);
            lane += 1;
        }
        Some(Alike::Sums { addresses, disjoint: false })
    }

    /// The bits of each index that lanes or the elements of a pack have.
    const fn taken(&self, rank: usize) -> [u32; List::CAPACITY] {
        let bits = self.lane_bits();
        let mut taken = [0; List::CAPACITY];
        taken[self.reach.along] = self.reach.pack - 1;
        let mut dimension = 0;
        while dimension < rank {
            taken[dimension] |= self.walk.taken(bits, dimension);
            dimension += 1;
        }
        taken
    }
}

/// All bits of a digit that the indices' bits flip which are not `taken`: what further instructions
/// add to it.
const fn further(digits: &Digits, digit: usize, taken: &[u32; List::CAPACITY]) -> u32 {
    let mut further = 0;
    let mut dimension = 0;
    while dimension < digits.rank() {
        let bits = digits.bits(dimension);
        let mut bit = 0;
        while bit < bits {
            if taken[dimension] >> bit & 1 == 0 {
                further |= digits.column(digit, dimension, bit);
            }
            bit += 1;
        }
        dimension += 1;
    }
    further
}

/// What each bit of a lane's number adds to its address, where no two flip a bit of a digit in
/// common: as of padded rows. Then 63 additions are all addresses, and the last is the largest.
struct LaneStrides {
    first: u64,
    adds: [u64; Columns::BITS],
    /// Two bits flip the same of some digit.
    meet: bool,
}

impl LaneStrides {
    /// Takes another digit, and tells which of its bits some lane has.
    const fn take(&mut self, constant: u32, flips: &[u32; Columns::BITS], stride: u32) -> u32 {
        let stride = stride as u64;
        let mut lanes = constant;
        let mut b = 0;
        while b < Columns::BITS {
            let flip = flips[b];
            self.meet |= lanes & flip != 0;
            self.adds[b] += flip as u64 * stride;
            lanes |= flip;
            b += 1;
        }
        self.first += constant as u64 * stride;
        lanes
    }

    /// The address of the last lane.
    const fn last(&self) -> u64 {
        let mut last = self.first;
        let mut b = 0;
        while b < Columns::BITS {
            last += self.adds[b];
            b += 1;
        }
        last
    }

    /// Whether no two lanes are nearer than `bytes`: each bit adds as much more than the smaller
    /// ones together.
    const fn are_apart(&self, bits: usize, bytes: u64) -> bool {
        let mut b = 0;
        while b < bits {
            let add = self.adds[b];
            let mut reach = bytes;
            let mut other = 0;
            while other < bits {
                // One that adds the same is not left out.
                if self.adds[other] <= add && other != b {
                    reach += self.adds[other];
                }
                other += 1;
            }
            if add < reach {
                return false;
            }
            b += 1;
        }
        true
    }

    /// The addresses of all lanes, if the last has one.
    const fn addresses(&self, bits: usize) -> Addresses {
        let mut bytes = [0; Phases::LANES];
        bytes[0] = self.first as u32;
        let mut b = 0;
        while b < bits {
            let (half, add) = (1 << b, self.adds[b] as u32);
            let mut lane = 0;
            while lane < half {
                bytes[half + lane] = bytes[lane] + add;
                lane += 1;
            }
            b += 1;
        }
        Addresses { bytes, active: u64::MAX >> (Phases::LANES - (1 << bits)) }
    }
}

/// Adds a digit to the address of each lane: that of a lane is that of the lane without its
/// lowest bit, xor-ed with what the bit flips.
const fn add_digit(
    bytes: &mut [u32; 1 << Columns::BITS],
    first: u32,
    flips: &[u32; Columns::BITS],
    bits: usize,
    stride: u32,
) {
    let mut values = [first; 1 << Columns::BITS];
    bytes[0] = bytes[0].wrapping_add(first.wrapping_mul(stride));
    let mut b = 0;
    while b < bits {
        let half = 1 << b;
        let mut lane = 0;
        while lane < half {
            values[half + lane] = values[lane] ^ flips[b];
            let more = values[half + lane].wrapping_mul(stride);
            bytes[half + lane] = bytes[half + lane].wrapping_add(more);
            lane += 1;
        }
        b += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::instruction::Instruction;
    use crate::chip::{gfx942, sm_90};
    use crate::pattern::Lanes;
    use tiledesc_transforms::Plan;

    /// What is asked of a row-major tile of 128x64 halves with rows so far apart.
    fn asked(pitch: u32, lanes: Lanes<'_>, row: &Instruction) -> &'static str {
        let plan = Plan::naive(&[128, 64], &[pitch, 1]).unwrap();
        match Placed::new(&plan, 16, lanes, row).unwrap().alike() {
            Some(Alike::Columns(_)) => "columns",
            Some(Alike::Sums { disjoint: true, .. }) => "sums",
            Some(Alike::Sums { .. }) => "sums that meet",
            None => "every lane",
        }
    }

    /// One instruction stands for all where they are known to be alike, and nowhere else.
    #[test]
    fn one_for_all() {
        let (rows, read) = (Lanes::rows(16), &gfx942::ds_read_b128);
        assert_eq!(asked(64, rows, read), "columns");
        assert_eq!(asked(72, rows.first(), read), "sums");
        assert_eq!(asked(72, rows, read), "sums");
        // Two lanes of a row read the same; rows begin within the one before.
        assert_eq!(asked(72, Lanes::repeated_rows(16), read), "sums that meet");
        assert_eq!(asked(24, rows, read), "sums that meet");
        // Instructions that begin within a dword; two addresses, one of them outside the tile.
        let half = Instruction::read("u16", 2);
        assert_eq!(asked(65, Lanes::row_major(), &half), "every lane");
        assert_eq!(asked(66, Lanes::row_major(), &half), "sums");
        let pair = gfx942::ds_read2_b64.offsets(0, 1);
        assert_eq!(asked(64, Lanes::row_major().first(), &pair), "columns");
        assert_eq!(asked(64, Lanes::row_major(), &pair), "every lane");
        // Lanes that are not digits of their number.
        assert_eq!(asked(64, Lanes::diagonal().first(), &half), "columns");
        assert_eq!(asked(64, Lanes::strided(3), &half), "every lane");
    }

    /// Of tiles of any lengths, from any element of memory on: where the lanes of all instructions are said to flip the
    /// same, every lane of every instruction does.
    #[test]
    fn lanes_in_sequence() {
        let rows = [
            &gfx942::ds_read_b128,
            &gfx942::ds_write_b64,
            &gfx942::ds_read_b32,
            &gfx942::ds_read_u16,
            &gfx942::ds_read_b96,
            &gfx942::ds_read2_b32.offsets(0, 8),
            &sm_90::ld_shared_b32,
        ];
        let patterns = [1, 2, 3, 4, 8].map(Lanes::strided);
        let patterns = patterns.into_iter().chain([
            Lanes::row_major(),
            Lanes::column_major(),
            Lanes::column(),
        ]);
        let questions = patterns.flat_map(|lanes| rows.map(|row| (lanes, row)));
        let (mut known, mut apart) = (0, 0);
        for (lanes, row) in questions {
            for (m, k) in [6, 32, 48].into_iter().flat_map(|m| (3..26).map(move |k| (m, 8 * k))) {
                for (origin, bits) in [(0, 32), (8, 32), (64, 16), (256, 16), (100, 8), (512, 8)] {
                    let plan = Plan::packed_with_offset(&[m, k], origin).unwrap();
                    let Ok(placed) = Placed::new(&plan, bits, lanes, row) else { continue };
                    if placed.walk().is_linear(placed.pack()) {
                        continue;
                    }
                    let Some(Alike::Columns(columns)) = placed.alike() else {
                        apart += 1;
                        continue;
                    };
                    for step in 0..placed.instructions() {
                        let touched = placed.touched(step).unwrap();
                        let byte = |lane| touched.addresses().get(lane).unwrap();
                        assert_eq!((byte(0) - columns.address(0)) % row.alignment().max(4), 0);
                        assert_eq!(byte(0) & columns.all_flips(), 0, "{m} {k} {origin} {lanes:?}");
                        for lane in 0..row.service().phases.addressed() {
                            let flips = columns.address(lane as u8) ^ columns.address(0);
                            assert_eq!(byte(lane) ^ byte(0), flips, "{m} {k} {origin} {lanes:?}");
                        }
                    }
                    known += 1;
                }
            }
        }
        assert!(known > 500 && apart > 500, "{known} known, {apart} not");
    }
}
