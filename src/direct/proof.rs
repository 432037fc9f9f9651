//! Proofs that spare a look at every element.
//!
//! | layout | proven by | asked |
//! |---|---|---|
//! | dense, linear over bits | the columns of the inverse | nothing |
//! | dense, any other, as rows of 96 halves | blocks of a unit along the source's rows are contiguous in LDS and fill it: each begins at a multiple of a unit | nothing |
//! | padded rows | the same blocks, whose columns and strides are multiples of a unit | each lane once: it has a block, or nothing |
//! | a chunk that is all data, of digits | the bits that a lane adds are bits of the lowest digit: lanes are xors of columns, the same in each such chunk | lane 0 |
//! | any other | | each lane for each element |
//!
//! Computing the coordinate of each element takes the compiler seconds for a tile of ordinary size (see DESIGN, "What the
//! compiler pays for").

use super::plan::{DirectLoad, Unit};
use tiledesc_transforms::{Digits, List};

impl DirectLoad<'_> {
    /// Returns whether the columns of the inverse prove all lanes at once: the tile is dense and whole
    /// chunks, each bit below a unit is that bit of the source's contiguous dimension, and no other
    /// bit flips it.
    pub(super) const fn is_proven(&self) -> bool {
        if !self.is_dense() {
            return false;
        }
        if self.blocks().is_some() {
            return true;
        }
        let Some(inverse) = self.inverse.linear() else { return false };
        let elements = self.inverse.plan.elements();
        let (low, inputs) = (self.elements().ilog2(), elements.ilog2());
        let (mut unit, mut b) = (0, 0);
        while b < low {
            let column = inverse.columns()[b as usize];
            let contribution = self.contribution(column);
            if !column.is_power_of_two() || !matches!(contribution, Some(c) if c == 1 << b) {
                return false;
            }
            unit |= column;
            b += 1;
        }
        let mut others = inverse.constant();
        while b < inputs {
            others |= inverse.columns()[b as usize];
            b += 1;
        }
        others & unit == 0 && self.is_aligned(inputs, unit)
    }

    /// Returns whether elements and whole chunks fill the tile, from a source of strides.
    const fn is_dense(&self) -> bool {
        let elements = self.inverse.plan.elements();
        let all = elements * self.request.bits as u64;
        elements == self.inverse.to
            && self.inverse.from == 0
            && self.data() == self.step()
            && self.request.source.is_affine()
            && all.is_multiple_of(self.chunk() as u64 * 8)
    }

    /// Returns whether a lane has a block of a unit or no element at all.
    pub(super) const fn has_blocks(&self) -> bool {
        if self.data() != self.step() || !self.request.source.is_affine() {
            return false;
        }
        match (self.blocks(), &self.inverse.digits) {
            (Some(along), Some(digits)) => begin_aligned(digits, along, self.elements()),
            // A block along the one dimension of stride 1 is a block of the number.
            (Some(along), None) => match &self.inverse.numbered {
                Some(numbered) => {
                    numbered.is_contiguous(along, self.elements())
                        && begin_aligned(numbered.digits(), 0, self.elements())
                }
                None => false,
            },
            _ => false,
        }
    }

    /// The dimension of whose indices a unit is a block, contiguous here and there; of a unit of one
    /// element any.
    const fn blocks(&self) -> Option<usize> {
        let (plan, source, unit) = (self.inverse.plan, &self.request.source, self.elements());
        let (lengths, mut along, mut d) = (plan.lengths(), None, 0);
        while d < lengths.len() {
            let Some(stride) = source.stated(d) else { return None };
            if unit > 1
                && matches!(source.stride(d), Some(1))
                && lengths.at(d).is_multiple_of(unit)
                && self.are_contiguous(d, unit)
            {
                along = Some(d);
            } else if !stride.is_multiple_of(unit) && lengths.at(d) > 1 {
                return None;
            }
            d += 1;
        }
        if unit == 1 { Some(0) } else { along }
    }

    /// Returns whether blocks of a unit along a dimension are contiguous: by digits where the layout has them, which
    /// is cheaper for the compiler than the guarantee of a vector.
    const fn are_contiguous(&self, d: usize, unit: u32) -> bool {
        if let Some(digits) = &self.inverse.digits {
            return digits.is_contiguous(d, unit);
        }
        if let Some(numbered) = &self.inverse.numbered
            && numbered.is_contiguous(d, unit)
        {
            return true;
        }
        match self.inverse.plan.vector(d) {
            Ok(vector) => vector.stride == 1 && vector.length.is_multiple_of(unit),
            Err(_) => false,
        }
    }

    /// Returns whether each lane of a load brings data, at an xor of columns: the same columns in all such loads.
    pub(super) const fn follows_columns(&self, wave: u32, load: u32) -> bool {
        let Some(lanes) = self.lane_bits() else { return false };
        let (bits, byte) = (self.request.bits as u64, self.base(wave, load) - self.request.begin);
        let end = (byte + self.chunk()) as u64 * 8;
        let is_filled =
            self.idle == 0 || self.inverse.dense().is_some() && end <= self.inverse.to * bits;
        is_filled && self.inverse.adds_bits(byte as u64 * 8 / bits, lanes)
    }

    /// The bits of each index in which the lanes of such a load differ.
    pub(super) const fn flips_of_lanes(&self) -> Option<List> {
        match self.lane_bits() {
            Some(lanes) => self.inverse.flips_of(lanes),
            None => None,
        }
    }

    /// The bits that lanes add to an offset, if a wave has a power of two of lanes, a power of two of elements apart.
    const fn lane_bits(&self) -> Option<u32> {
        let (wave, step) = (self.transfer().wave(), self.step() * 8 / self.request.bits);
        if self.transfer().stride().is_none() || !wave.is_power_of_two() || !step.is_power_of_two()
        {
            return None;
        }
        Some((wave - 1) * step)
    }

    /// The first byte of LDS that a lane without data would write, of a dense tile of any lengths.
    pub(super) const fn end_of_dense_tile(&self) -> Option<u32> {
        let is_whole = (self.chunk() * 8).is_multiple_of(self.request.bits);
        if self.inverse.dense().is_none() || self.transfer().stride().is_none() || !is_whole {
            return None;
        }
        let bytes = (self.inverse.to * self.request.bits as u64).div_ceil(8) as u32;
        Some(self.request.begin + bytes.next_multiple_of(self.step()))
    }

    /// The amount that a bit of the coordinate's number adds to the source, in elements, if that is known.
    const fn contribution(&self, bit: u32) -> Option<u64> {
        let coordinate = self.inverse.plan.nth(bit as u64);
        match self.request.source.offset(coordinate.as_slice()) {
            Ok(offset) => offset,
            Err(_) => None,
        }
    }

    /// Returns whether every bit of the coordinate's number but those inside a unit keeps the source aligned.
    const fn is_aligned(&self, inputs: u32, unit: u32) -> bool {
        let mut b = 0;
        while b < inputs {
            let coordinate = self.inverse.plan.nth(1 << b);
            if unit >> b & 1 == 0 && self.check_source(&Unit { coordinate, part: 0 }).is_err() {
                return false;
            }
            b += 1;
        }
        true
    }
}

/// Returns whether each block of a unit along a dimension begins at a multiple of a unit. A digit is an xor of
/// columns, so it is a multiple of every power of two that all of them are.
const fn begin_aligned(digits: &Digits, along: usize, unit: u32) -> bool {
    if !unit.is_power_of_two() {
        return false;
    }
    let (mut all, mut digit) = (digits.origin(), 0);
    while digit < digits.count() {
        let stride = digits.stride(digit);
        all |= digits.constant(digit).wrapping_mul(stride);
        let mut d = 0;
        while d < digits.rank() {
            let mut b = if d == along { unit.trailing_zeros() as usize } else { 0 };
            while b < digits.bits(d) {
                all |= digits.column(digit, d, b).wrapping_mul(stride);
                b += 1;
            }
            d += 1;
        }
        digit += 1;
    }
    all & (unit - 1) == 0
}
