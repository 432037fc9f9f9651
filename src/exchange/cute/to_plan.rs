//! CuTe's form as a plan: what a verdict, an address or a kernel is made of.
//!
//! ```text
//!   Sw<3,3,3> o 8 o ((8,16),64):((64,512),1)
//!
//!   merge      (16, 8) -> 128 rows, 64            nested modes are one dimension
//!   embed      strides 512, 64, 1
//!   offset     8
//!   xor        bits 6 to 8 into bits 3 to 5       of 8704 elements: whole rounds of 512
//! ```
//!
//! Without a swizzle the embed lies over memory. Of a layout of powers of two whose offset
//! carries, and still makes columns, the plan is made of those if it holds them.

use super::composed::{Composed, Fastest};
use super::strided::Strided;
use super::swizzle::Swizzle;
use crate::layout::Mapping;
use tiledesc_transforms::{Error, List, Op, Plan, attempt};

impl Composed {
    /// The same layout as a plan: a dimension for each mode that is nested in no other,
    /// the same offset at the same coordinate.
    ///
    /// ```
    /// use tiledesc::exchange::cute::Composed;
    ///
    /// let tile = Composed::parse("Sw<3,3,3> o 0 o ((8,16),64):((64,512),1)").unwrap();
    /// let plan = tile.plan().unwrap();
    /// assert_eq!(plan.lengths(), [128, 64]);
    /// // Row 11 is (3, 1).
    /// assert_eq!(plan.offset(&[11, 17]), Ok(tile.offset_of(&[3, 1, 17]).unwrap()));
    /// ```
    ///
    /// The element space of a swizzled one is a multiple of the swizzle's round, of 512
    /// elements for `Sw<3,3,3>`.
    ///
    /// # Errors
    ///
    /// A dimension of more than 32 bits; more than 2^32 - 1 elements below a swizzle.
    pub const fn plan(&self) -> Result<Plan, Error> {
        let plan = attempt!(self.composed());
        let lengths = plan.lengths();
        if plan.linear().is_err()
            && let Ok(map) = self.linear(Fastest::Last)
            && let Ok(columns) = map.plan(lengths.as_slice())
        {
            return Ok(columns);
        }
        Ok(plan)
    }

    const fn composed(&self) -> Result<Plan, Error> {
        let (shape, stride) = (self.layout().shape(), self.layout().stride());
        let Some(swizzle) = self.effective() else {
            let (lengths, strides) = (shape.as_slice(), stride.as_slice());
            let plan = match self.offset() {
                0 => attempt!(Plan::naive(lengths, strides)),
                offset => attempt!(Plan::naive_with_offset(lengths, strides, offset)),
            };
            return self.merged(&plan);
        };
        let (source, target) = (swizzle.source_mask(), swizzle.flipped_mask());
        let round = 1 << (32 - (source | target).leading_zeros());
        let cosize = self.layout().cosize();
        let memory = (cosize + self.offset() as u64).div_ceil(round) * round;
        if memory > u32::MAX as u64 {
            return Err(Error::TooLarge { what: "elements below a swizzle", most: u32::MAX });
        }
        let (from, into) = (source.trailing_zeros(), target.trailing_zeros());
        let mut plan = attempt!(Plan::packed(&[memory as u32]));
        plan = attempt!(plan.xor_fields(from, into, swizzle.bits()));
        if self.offset() > 0 {
            let offset = Op::Offset { length: cosize as u32, offset: self.offset() };
            plan = attempt!(plan.transform(&[offset], &[&[0]], &[&[0]]));
        }
        let embed = Op::Embed { lengths: *shape, strides: *stride };
        let flat = List::iota(shape.len());
        self.merged(&attempt!(plan.transform(&[embed], &[&[0]], &[flat.as_slice()])))
    }

    /// The swizzle without bits that no offset has; `None` if it moves nothing.
    const fn effective(&self) -> Option<Swizzle> {
        let last = self.layout().cosize() + self.offset() as u64 - 1;
        let (swizzle, width) = (self.swizzle(), 64 - last.leading_zeros());
        let (source, mut bits) = (swizzle.source_mask(), swizzle.bits());
        while bits > 0 && source.trailing_zeros() + bits > width {
            bits -= 1;
        }
        if bits == 0 {
            return None;
        }
        // Of a swizzle that shifts left the lowest bits stay as well.
        match Swizzle::new(bits, swizzle.base(), swizzle.shift()) {
            Ok(swizzle) => Some(swizzle),
            Err(_) => None,
        }
    }

    /// The flat modes, as dimensions of a plan, as those that are nested in no other.
    const fn merged(&self, plan: &Plan) -> Result<Plan, Error> {
        let (layout, modes) = (self.layout(), self.layout().shape().len());
        let mut ops = [Op::Freeze { index: 0 }; List::CAPACITY];
        let (mut lower, mut outer, mut mode) = ([List::EMPTY; List::CAPACITY], 0, 0);
        while mode < modes {
            let (mut end, mut lengths, mut ids) = (mode + 1, List::EMPTY, List::EMPTY);
            while end < modes && !layout.begins_mode(end) {
                end += 1;
            }
            // The slowest first.
            let mut last = end;
            while last > mode {
                last -= 1;
                lengths = attempt!(lengths.push_back(layout.shape().at(last)) => Error::Number);
                ids = attempt!(ids.push_back(last as u32) => Error::Number);
            }
            ops[outer] = match lengths.len() {
                1 => Op::PassThrough { length: lengths.at(0) },
                _ => Op::Merge { lengths },
            };
            lower[outer] = ids;
            (mode, outer) = (end, outer + 1);
        }
        if outer == modes {
            return Ok(*plan);
        }
        let all = List::iota(List::CAPACITY);
        let (mut below, mut above, mut i) =
            ([&[] as &[u32]; List::CAPACITY], [&[] as &[u32]; List::CAPACITY], 0);
        while i < outer {
            below[i] = lower[i].as_slice();
            above[i] = all.as_slice().split_at(i).1.split_at(1).0;
            i += 1;
        }
        plan.transform(ops.split_at(outer).0, below.split_at(outer).0, above.split_at(outer).0)
    }
}

impl Mapping for Composed {
    fn to_plan(&self) -> Result<Plan, Error> {
        self.plan()
    }

    /// Those after `smem_ptr[..]`.
    fn element_bits(&self) -> Option<u32> {
        self.pointer_bits()
    }
}

impl Mapping for Strided {
    fn to_plan(&self) -> Result<Plan, Error> {
        Composed::from(*self).plan()
    }
}
