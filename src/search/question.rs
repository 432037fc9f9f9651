//! The demands of a kernel's accesses on a tile.
//!
//! Each access is laid over the tile in order, rows contiguous or columns: what is wrong with it on any layout, its
//! cycles with and without conflicts, and its [claim](super::claims) on the banks, if its lanes are xors of columns.
//!
//! ```text
//!   128x64 halves on gfx942   write along rows   read by 16 rows   read by 32 rows   sum
//!   without conflicts                128               128               128         384
//!   row by row                       128               512              1024        1664
//! ```

use super::claims::Claims;
use super::error::{MOST_BITS, SynthesisError};
use super::uses::{Needs, Use, unfilled};
use super::weight::Weight;
use crate::access::columns::Columns;
use crate::access::placed::Placed;
use crate::element::ElementName;
use crate::recipe::{Shape, Spec};
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{Digits, Error, Plan, attempt};

/// A tile in one order of memory, and its uses.
#[derive(Clone, Copy)]
pub(super) struct Question<'a, 'u> {
    pub(super) tile: Shape,
    /// The tile whose rows are contiguous: exchanged where columns are.
    pub(super) recipe_tile: Shape,
    is_by_columns: bool,
    pub(super) uses: &'a [Use<'u>],
    pub(super) needs: Needs,
    pub(super) claims: Claims,
    /// Whether all uses have a claim.
    pub(super) is_linear: bool,
    /// Instructions that were counted to lay the uses.
    pub(super) laid: u64,
    /// The weight of the tile in order.
    pub(super) weight: Weight,
    /// Why it does not hold all uses, which another layout may.
    pub(super) misfit: Option<SynthesisError>,
}

/// Instructions of an access that each have a claim of their own, where not all are alike.
const MOST_CLAIMED: u64 = 4;

/// Packs of padding that are tried.
pub(super) const MOST_PADS: u32 = 4;

impl<'a, 'u> Question<'a, 'u> {
    /// Returns the question of rows that are contiguous, or of columns where some access needs columns.
    pub(super) const fn of_rows_or_columns(
        tile: Shape,
        uses: &'a [Use<'u>],
    ) -> Result<Self, SynthesisError> {
        attempt!(tile.check(uses));
        let rows = match Self::new(tile, uses, false) {
            Err(rows) => rows,
            question => return question,
        };
        if rows.needs_together(0).is_none() {
            return Err(rows);
        }
        match Self::new(tile, uses, true) {
            Err(columns) => Err(SynthesisError::of_both(rows, columns)),
            question => question,
        }
    }

    /// Returns the question of one order.
    pub(super) const fn new(
        tile: Shape,
        uses: &'a [Use<'u>],
        is_by_columns: bool,
    ) -> Result<Self, SynthesisError> {
        let mut question = Self {
            tile,
            recipe_tile: if is_by_columns { tile.transposed() } else { tile },
            is_by_columns,
            uses,
            needs: Needs::new(uses),
            claims: Claims::NONE,
            is_linear: true,
            laid: 0,
            weight: Weight::NONE,
            misfit: None,
        };
        let plan = match question.layout(Spec::row_major()).plan(tile) {
            Ok(plan) => plan,
            Err(error) => return Err(SynthesisError::Layout(error)),
        };
        if let Some(error) = unfilled(&plan, tile.bits, uses) {
            return Err(SynthesisError::Fill(error));
        }
        let (digits, mut i) = (plan.digits(), 0);
        while i < uses.len() {
            attempt!(question.add(&plan, &digits, i));
            i += 1;
        }
        Ok(question)
    }

    const fn add(
        &mut self,
        plan: &Plan,
        digits: &Option<Digits>,
        i: usize,
    ) -> Result<(), SynthesisError> {
        let (Use { lanes, instruction: row, times, .. }, access) = (self.uses[i], i as u32 + 1);
        let placed = match Placed::with_digits(
            plan,
            *digits,
            ElementName::of_bits(self.tile.bits),
            lanes,
            row,
        ) {
            Ok(placed) => placed,
            Err(misfit) => {
                return Err(SynthesisError::Misfit { access, misfit, is_in_order: false });
            }
        };
        let judged = placed.verdict_without_pair();
        let misfit = attempt!(SynthesisError::in_order(&judged, access, row));
        if misfit.is_some() {
            self.misfit = misfit;
        }
        let weight = match judged {
            Ok(verdict) => Weight::new(&verdict, times),
            Err(misfit) => match self.weight_on_first_pad(Use { fill: None, ..self.uses[i] }) {
                Some(weight) => weight,
                None => return Err(SynthesisError::Misfit { access, misfit, is_in_order: true }),
            },
        };
        self.weight = self.weight.and(weight);
        self.laid += placed.steps_to_count();
        self.is_linear = self.is_linear && self.claim(&placed, times as u64);
        Ok(())
    }

    /// Takes an access by its claim, if it has one: all instructions together, or each of a few.
    const fn claim(&mut self, placed: &Placed<'_, '_>, times: u64) -> bool {
        let (row, mut step) = (placed.instruction(), 0);
        if let Some(columns) = placed.columns() {
            return self.claims.add(columns, row, times * placed.instructions());
        }
        let (strides, lanes) = (placed.strides(), row.service().phases.addressed());
        while placed.instructions() <= MOST_CLAIMED && step < placed.instructions() {
            let Ok(addresses) = placed.addresses_by(step, &strides) else { return false };
            let Some(columns) = Columns::from_addresses(&addresses, lanes) else { return false };
            if !self.claims.add(&columns, row, times) {
                return false;
            }
            step += 1;
        }
        step == placed.instructions()
    }

    /// Returns the weight of a use on the first pad that holds it.
    const fn weight_on_first_pad(&self, one: Use<'_>) -> Option<Weight> {
        let (mut packs, mut left, all) = (1, u64::MAX, u64::MAX);
        while packs <= MOST_PADS {
            if let Some(pad) = self.pad(packs)
                && let Some(weight) = Weight::judged(pad, self.tile, &[one], &mut left, all)
            {
                return Some(weight);
            }
            packs += 1;
        }
        None
    }

    /// Returns the layout with a pad of `packs` accesses after each row, of a dword at least, so that addresses stay aligned;
    /// `None` for a pad of 0, and for one that goes round all banks.
    pub(super) const fn pad(&self, packs: u32) -> Option<Spec> {
        let Needs { widest, banks, .. } = self.needs;
        let bytes = if widest < 4 { 4 } else { widest };
        let (pad, round) = (packs * (bytes * 8 / self.tile.bits), banks * 32 / self.tile.bits);
        if 0 < pad && pad < round { Some(self.layout(Spec::row_pad(pad))) } else { None }
    }

    /// The packs that stay together, in elements.
    pub(super) const fn pack(&self) -> u32 {
        self.needs.widest * 8 / self.tile.bits
    }

    /// A recipe of the tile whose rows are contiguous as a layout of the tile.
    pub(super) const fn layout(&self, recipe: Spec) -> Spec {
        if self.is_by_columns { recipe.transposed() } else { recipe }
    }

    /// Returns whether an access moves several elements along what is contiguous, so that there is no other order.
    pub(super) const fn is_only_order(&self) -> bool {
        self.is_by_columns || self.needs.widest * 8 > self.tile.bits
    }
}

impl Shape {
    /// Checks that layouts of a tile can be searched for these uses, whichever of its dimensions is contiguous.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::Shape, search::{SynthesisError, Use}};
    ///
    /// let (tile, read) = (Shape { rows: 128, columns: 64, bits: 16 }, Use::new(Lanes::rows(16), &ds_read_b128));
    /// assert_eq!(tile.check(&[read]), Ok(()));
    /// assert_eq!(tile.check(&[read, read.times(0)]), Err(SynthesisError::Unweighted { access: 2 }));
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`]: no use, a use of weight 0, a fill of another chip, an element of 0 bits, more than 2^20 elements.
    pub const fn check(self, uses: &[Use<'_>]) -> Result<(), SynthesisError> {
        if uses.is_empty() {
            return Err(SynthesisError::NoUse);
        }
        let mut i = 0;
        while i < uses.len() {
            let access = i as u32 + 1;
            if uses[i].times == 0 {
                return Err(SynthesisError::Unweighted { access });
            }
            if let Some(fill) = &uses[i].fill {
                let (fill, chip) = (fill.transfer().chip(), uses[i].instruction.chip());
                if !fill.is_empty() && !chip.is_empty() && !is_same(fill, chip) {
                    return Err(SynthesisError::OtherChip { access, chip, fill });
                }
            }
            i += 1;
        }
        if self.bits == 0 {
            return Err(SynthesisError::Layout(Error::NoBits));
        }
        let Self { rows, columns, .. } = self;
        if rows as u64 * columns as u64 > 1 << MOST_BITS {
            return Err(SynthesisError::Coordinates { rows, columns });
        }
        Ok(())
    }
}
