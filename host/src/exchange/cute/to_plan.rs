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
//! Without a swizzle the embed is directly above memory. If the lengths are powers of two and the offset carries, and
//! still makes columns, the plan is made of the columns if it holds them.

use super::composed::{Composed, Fastest};
use super::strided::Strided;
use super::swizzle::Swizzle;
use crate::exchange::linear;
use tiledesc::Mapping;
use tiledesc::{Error, List, Op, Plan};

impl Composed {
    /// The layout as a plan: a dimension for each mode that is nested in no other, the same offset at the same
    /// coordinate.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Composed;
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
    pub fn plan(&self) -> Result<Plan, Error> {
        let plan = self.composed()?;
        let lengths = plan.lengths();
        if plan.linear().is_err()
            && let Ok(map) = self.linear(Fastest::Last)
            && let Ok(columns) = linear::plan(&map, lengths.as_slice())
        {
            return Ok(columns);
        }
        Ok(plan)
    }

    fn composed(&self) -> Result<Plan, Error> {
        let (shape, stride) = (self.layout().shape(), self.layout().stride());
        let Some(swizzle) = self.effective() else {
            let (lengths, strides) = (shape.as_slice(), stride.as_slice());
            let plan = match self.offset() {
                0 => Plan::naive(lengths, strides)?,
                offset => Plan::naive_with_offset(lengths, strides, offset)?,
            };
            return self.merged(&plan);
        };
        let (source, target) = (swizzle.source_mask(), swizzle.flipped_mask());
        let round = 1 << (32 - (source | target).leading_zeros());
        let cosize = self.layout().cosize();
        let memory = (cosize + u64::from(self.offset())).next_multiple_of(round);
        let memory = u32::try_from(memory)
            .map_err(|_| Error::TooLarge { what: "elements below a swizzle", most: u32::MAX })?;
        let (from, into) = (source.trailing_zeros(), target.trailing_zeros());
        let mut plan = Plan::packed(&[memory])?.xor_fields(from, into, swizzle.bits())?;
        if self.offset() > 0 {
            let offset = Op::Offset { length: cosize as u32, offset: self.offset() };
            plan = plan.transform(&[offset], &[&[0]], &[&[0]])?;
        }
        let embed = Op::Embed { lengths: *shape, strides: *stride };
        let flat = List::iota(shape.len());
        self.merged(&plan.transform(&[embed], &[&[0]], &[flat.as_slice()])?)
    }

    /// The swizzle without bits that no offset has; `None` if it moves nothing.
    fn effective(&self) -> Option<Swizzle> {
        let last = self.layout().cosize() + u64::from(self.offset()) - 1;
        let (swizzle, width) = (self.swizzle(), u64::BITS - last.leading_zeros());
        let source = swizzle.source_mask().trailing_zeros();
        let bits = swizzle.bits().min(width.saturating_sub(source));
        // Of a swizzle that shifts left the lowest bits stay as well.
        Swizzle::new(bits, swizzle.base(), swizzle.shift()).ok().filter(|_| bits > 0)
    }

    /// The flat modes, as dimensions of a plan, as those that are nested in no other.
    fn merged(&self, plan: &Plan) -> Result<Plan, Error> {
        let (layout, shape) = (self.layout(), self.layout().shape());
        let modes: Vec<u32> = (0..shape.len() as u32).collect();
        let outer: Vec<_> = modes.chunk_by(|_, next| !layout.begins_mode(*next as usize)).collect();
        if outer.len() == modes.len() {
            return Ok(*plan);
        }
        // The slowest first.
        let lower: Vec<Vec<u32>> =
            outer.iter().map(|modes| modes.iter().rev().copied().collect()).collect();
        let op = |modes: &Vec<u32>| match modes[..] {
            [one] => Op::PassThrough { length: shape.at(one as usize) },
            _ => {
                let lengths: Vec<_> = modes.iter().map(|mode| shape.at(*mode as usize)).collect();
                Op::Merge { lengths: List::new(&lengths) }
            }
        };
        let ops: Vec<Op> = lower.iter().map(op).collect();
        let below: Vec<&[u32]> = lower.iter().map(Vec::as_slice).collect();
        let above: Vec<&[u32]> = modes[..outer.len()].chunks(1).collect();
        plan.transform(&ops, &below, &above)
    }
}

impl Mapping for Composed {
    fn to_plan(&self) -> Result<Plan, Error> {
        self.plan()
    }

    /// The bits of `smem_ptr[..]`.
    fn element_bits(&self) -> Option<u32> {
        self.pointer_bits()
    }
}

impl Mapping for Strided {
    fn to_plan(&self) -> Result<Plan, Error> {
        Composed::from(*self).plan()
    }
}
