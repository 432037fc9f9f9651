//! Dense layouts of which all lanes are proven at once.
//!
//! Linear over bits: by the columns of the inverse. Any other, as rows of 96 halves: blocks of a unit
//! along the source's rows that are contiguous in LDS, and fill it, each begin at a multiple of a unit.
//! Of 128x96 halves the compiler would ask 12,288 elements for their coordinates, in 10 s.

use super::plan::{DirectLoad, Unit};
use tiledesc_transforms::{Digits, Plan};

impl DirectLoad<'_> {
    /// Whether the columns of the inverse prove all lanes at once: the tile is dense and whole
    /// chunks, each bit below a unit is that bit of the source's contiguous dimension, and no other
    /// bit flips it.
    pub(super) const fn is_proven(&self) -> bool {
        if !self.is_dense() {
            return false;
        }
        if self.is_whole() {
            return true;
        }
        let Some(inverse) = &self.inverse.linear else { return false };
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

    /// Whether elements and whole chunks fill the tile, from a source of strides.
    const fn is_dense(&self) -> bool {
        let elements = self.inverse.plan.elements();
        let all = elements * self.request.bits as u64;
        elements == self.inverse.to
            && self.inverse.from == 0
            && self.data() == self.step()
            && self.request.source.is_affine()
            && all.is_multiple_of(self.chunk() as u64 * 8)
    }

    /// Of a dense tile whether a unit is a block of some dimension, contiguous here and there.
    const fn is_whole(&self) -> bool {
        let (plan, source, unit) = (self.inverse.plan, &self.request.source, self.elements());
        let digits = plan.digits();
        let (lengths, mut along, mut d) = (plan.lengths(), None, 0);
        while d < lengths.len() {
            let Some(stride) = source.stated(d) else { return false };
            if unit > 1
                && matches!(source.stride(d), Some(1))
                && lengths.at(d).is_multiple_of(unit)
                && are_contiguous(plan, &digits, d, unit)
            {
                along = Some(d);
            } else if !stride.is_multiple_of(unit) && lengths.at(d) > 1 {
                return false;
            }
            d += 1;
        }
        unit == 1 || along.is_some()
    }

    /// What a bit of the coordinate's number adds to the source, in elements, if that is known.
    const fn contribution(&self, bit: u32) -> Option<u64> {
        let coordinate = self.inverse.plan.nth(bit as u64);
        match self.request.source.offset(coordinate.as_slice()) {
            Ok(offset) => offset,
            Err(_) => None,
        }
    }

    /// Whether every bit of the coordinate's number but those inside a unit keeps the source aligned.
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

/// Whether blocks of a unit along a dimension are contiguous: by digits where the layout has them, as
/// the guarantee of a vector costs the compiler more.
const fn are_contiguous(plan: &Plan, digits: &Option<Digits>, d: usize, unit: u32) -> bool {
    if let Some(digits) = digits {
        return digits.is_contiguous(d, unit);
    }
    match plan.vector(d) {
        Ok(vector) => vector.stride == 1 && vector.length.is_multiple_of(unit),
        Err(_) => false,
    }
}
