//! Layouts that are linear over bits: all lanes are proven at once, by the columns of the inverse.

use super::plan::{DirectLoad, Unit};

impl DirectLoad<'_> {
    /// Whether the columns of the inverse prove all lanes at once: the tile is dense and whole
    /// chunks, each bit below a unit is that bit of the source's contiguous dimension, and no other
    /// bit flips it.
    pub(super) const fn is_proven(&self) -> bool {
        let Some(inverse) = &self.inverse.linear else { return false };
        let elements = self.inverse.plan.elements();
        let all = elements * self.request.bits as u64;
        if elements != self.inverse.to
            || self.inverse.from > 0
            || self.data() != self.step()
            || !self.request.source.is_affine()
            || !all.is_multiple_of(self.chunk() as u64 * 8)
        {
            return false;
        }
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
