//! Fields of the bits of an index: what swizzles are made of.
//!
//! `Sw<3,3,3>` xors bits 6 to 8 of an offset into bits 3 to 5. As transforms that is an
//! unmerge into fields, an xor of two of them, and a merge:
//!
//! ```text
//!   offset, 13 bits     h h h h | y y y | z z z | l l l      fields of 4, 3, 3 and 3 bits
//!                                   \____xor__^
//! ```

use crate::error::Error;
use crate::number::NumberError;
use crate::number::list::{List, head};
use crate::plan::Plan;
use crate::transform::Op;

/// Transforms of one stage, and what they connect.
pub(crate) struct StageParts {
    ops: [Result<Op, NumberError>; List::CAPACITY],
    lower: [List; List::CAPACITY],
    upper: [List; List::CAPACITY],
    len: usize,
}

impl StageParts {
    pub(crate) const EMPTY: Self = Self {
        ops: [const { Ok(Op::Freeze { index: 0 }) }; List::CAPACITY],
        lower: [List::EMPTY; List::CAPACITY],
        upper: [List::EMPTY; List::CAPACITY],
        len: 0,
    };

    /// One more transform; refused after the twelfth.
    pub(crate) const fn push(&mut self, op: Op, lower: List, upper: List) -> Result<(), Error> {
        if self.len == List::CAPACITY {
            let most = List::CAPACITY as u32;
            return Err(Error::TooLarge { what: "transforms in a stage", most });
        }
        self.ops[self.len] = Ok(op);
        self.lower[self.len] = lower;
        self.upper[self.len] = upper;
        self.len += 1;
        Ok(())
    }

    /// A transform alone, between this many dimensions.
    const fn one(op: Op, lower: usize, upper: usize) -> Result<Self, Error> {
        let mut stage = Self::EMPTY;
        attempt!(stage.push(op, List::iota(lower), List::iota(upper)));
        Ok(stage)
    }

    /// A transform of two dimensions that stay where they are, as all others do.
    const fn beside(op: Op, both: List, lengths: &List) -> Result<Self, Error> {
        let (mut stage, mut i) = (Self::EMPTY, 0);
        attempt!(stage.push(op, both, both));
        while i < lengths.len() {
            let dimension = List::new(&[i as u32]);
            if i as u32 != both.at(0) && i as u32 != both.at(1) {
                let pass = Op::PassThrough { length: lengths.at(i) };
                attempt!(stage.push(pass, dimension, dimension));
            }
            i += 1;
        }
        Ok(stage)
    }

    pub(crate) const fn over(&self, plan: &Plan) -> Result<Plan, Error> {
        let (ops, lower) = (head(&self.ops, self.len), head(&self.lower, self.len));
        plan.stage(ops, lower, head(&self.upper, self.len))
    }
}

impl Plan {
    /// The only dimension with `width` bits from bit `from` on xor-ed into those from bit
    /// `into` on: one swizzle.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let tile = Plan::packed(&[512]).unwrap().xor_fields(6, 3, 3).unwrap();
    /// assert_eq!(tile.offset(&[3 * 64 + 17]), Ok(201));
    /// ```
    ///
    /// # Errors
    ///
    /// A plan of several dimensions; a length that is not a multiple of 2 to the power of
    /// the highest of these bits; fields that overlap; more transforms or dimensions than
    /// a plan holds.
    pub const fn xor_fields(&self, from: u32, into: u32, width: u32) -> Result<Self, Error> {
        if self.rank() != 1 {
            return Err(Error::Rank { wanted: 1, given: self.rank() as u32 });
        }
        let (low, high) = if from < into { (from, into) } else { (into, from) };
        let end = high as u64 + width as u64;
        if end > 31 || high - low < width {
            return Err(Error::Fields { from, into, width });
        }
        let field = 1 << width;
        // The slowest first; those of no bits are left out.
        let mut fields = List::EMPTY;
        let above = self.lengths().at(0) >> end;
        if above << end != self.lengths().at(0) || above > 1 {
            fields = attempt!(fields.push_back(above) => Error::Number);
        }
        let first = fields.len() as u32;
        fields = attempt!(fields.push_back(field) => Error::Number);
        if high - low > width {
            fields = attempt!(fields.push_back(1 << (high - low - width)) => Error::Number);
        }
        let second = fields.len() as u32;
        fields = attempt!(fields.push_back(field) => Error::Number);
        if low > 0 {
            fields = attempt!(fields.push_back(1 << low) => Error::Number);
        }
        let source = if low == from { second } else { first };
        let both = List::pair(source, first + second - source);
        let xor = Op::Xor { length0: field, length1: field };
        let apart = attempt!(StageParts::one(Op::Unmerge { lengths: fields }, 1, fields.len()));
        let together = attempt!(StageParts::one(Op::Merge { lengths: fields }, fields.len(), 1));
        let plan = attempt!(apart.over(self));
        let plan = attempt!(attempt!(StageParts::beside(xor, both, &fields)).over(&plan));
        together.over(&plan)
    }
}
