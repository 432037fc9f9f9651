//! Every linear layout of whole packs as a type: a column for each bit of a pack's number.
//!
//! A tile of 8x8 packs has 10^18 linear layouts, and xors of rows are few of them. Where a diagonal and
//! small vectors leave a conflict in all of those, some other is free, and six numbers say which:
//!
//! ```text
//!   LinearPacks<seq![8, 64], Lit<8>, seq![1, 2, 4, 9, 18, 36]>      8 rows of 8 packs of 8 elements
//!
//!   bit of the pack's number    0   1   2    3   4   5       counted along the last dimension
//!   flips, of the place         1   2   4    9  18  36       bit 3, the row's first: 8 packs on, and 1
//! ```
//!
//! That one is the xor of the row's number. Triton calls the columns `bases`.

use crate::error::Error;
use crate::index::Index;
use crate::number::extent::Extent;
use crate::number::list::List;
use crate::number::sequence::{Lengths, Sequence};
use crate::number::{Number, NumberError, first, phantom};
use crate::plan::Plan;
use crate::transform::Checks;
use crate::typed::adaptor::Adaptor;
use crate::typed::form::Steps;
use crate::typed::rank::{MultiIndex, RankedLengths};
use typenum::U1;

phantom! {
    /// Dimensions of lengths `L`, powers of two, whose packs of `P` elements along the last one are
    /// placed bit by bit: bit `b` of a pack's number, counted along the last dimension, flips
    /// `Columns[b]` of its place, in packs. A bit without a column flips its own.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// type Swizzled = LinearPacks<seq![8, 64], Lit<8>, seq![1, 2, 4, 9, 18, 36]>;
    /// // Row 3 is bits 3 and 4 of a pack's number, and its third pack bit 1.
    /// assert_eq!(Swizzled::default().at([3u32, 17]), ((9 ^ 18) ^ 2) * 8 + 1);
    /// // The same as a xor of rows.
    /// let rows = Packed::new(seq![8, 8, 8])?
    ///     .transform((Xor::new(Lit::<8>, Lit::<8>), PassThrough::new(Lit::<8>)), lower![[0, 1], [2]], upper![[0, 1], [2]])?;
    /// assert_eq!(rows.at([3u32, 2, 1]), Swizzled::default().at([3, 17]));
    /// # Ok::<(), Error>(())
    /// ```
    LinearPacks<L, P, Columns>
}

impl<L: Sequence, P: Number, C: Lengths> LinearPacks<L, P, C> {
    const COLUMNS: Result<List, NumberError> = match (first(&[L::FAULT, P::FAULT]), C::KNOWN) {
        (Some(fault), _) => Err(fault),
        (None, columns) => columns,
    };
    const MADE: Result<Plan, Error> = match &Self::COLUMNS {
        Ok(columns) => Plan::linear_packs(L::VALUES.as_slice(), P::N, columns.as_slice()),
        Err(fault) => Err(Error::Number(*fault)),
    };

    /// The place of a pack.
    #[inline(always)]
    fn place<I: Index>(pack: &I) -> I {
        let columns = const {
            match Self::COLUMNS {
                Ok(columns) => columns,
                Err(_) => List::EMPTY,
            }
        };
        let beyond = 1 << columns.len();
        let mut place = pack.clone().over(beyond).mul(Extent::constant(beyond));
        for b in 0..columns.len() {
            let bit = pack.clone().over(1 << b).low(2);
            // Bit by bit, for an index over bits multiplies by powers of two only.
            let mut column = columns.at(b);
            while column != 0 {
                place = place.xor(&bit.mul(Extent::constant(1 << column.trailing_zeros())));
                column &= column - 1;
            }
        }
        place
    }
}

impl<L: RankedLengths + Sequence, P: Number, C: Lengths> Adaptor for LinearPacks<L, P, C> {
    type Rank = L::Rank;
    type BottomRank = U1;
    type Moving = u32;

    const PLAN: Result<Plan, Error> = *Self::PLANNED;
    const PLANNED: &'static Result<Plan, Error> = once!(Self::MADE);
    const STEPS: &'static Steps = &Steps::Plan(Self::PLANNED);
    const CHECKS: Checks = Checks::none(true);

    fn plan(&self) -> Result<Plan, Error> {
        Self::PLAN
    }

    #[inline(always)]
    fn lengths(&self) -> MultiIndex<L::Rank> {
        let mut lengths = MultiIndex::default();
        for (length, &value) in lengths.iter_mut().zip(L::VALUES.as_slice()) {
            *length = value;
        }
        lengths
    }

    #[inline(always)]
    fn lower<I: Index>(&self, top: &[I]) -> [I; 1] {
        let mut number = top[0].clone();
        for (index, &length) in top.iter().zip(L::VALUES.as_slice()).skip(1) {
            number = number.mul(Extent::constant(length)).add(index);
        }
        let place = Self::place(&number.clone().over(P::N));
        [place.mul(Extent::constant(P::N)).add(&number.low(P::N))]
    }

    #[inline(always)]
    fn start(&self, top: &[u32]) -> u32 {
        let [offset] = self.lower(top);
        offset
    }

    #[inline(always)]
    fn advance(&self, moving: &mut u32, top: &[u32], _: &[u32]) {
        *moving = self.start(top);
    }

    #[inline(always)]
    fn bottom_of(moving: &u32) -> u32 {
        *moving
    }

    #[inline(always)]
    fn accepts(&self, _: &u32, _: &[u32]) -> Option<bool> {
        None
    }

    #[inline(always)]
    fn accepts_top<I: Index>(&self, _: &[I]) -> Option<I::Mask> {
        None
    }
}
