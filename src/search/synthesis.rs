//! The layout of the fewest cycles that the compiler finds: of a [short list](super::short_list), judged.
//!
//! ```text
//!   128x32 halves on gfx950: written row by row, read as operands of 16 rows and of 32 rows
//!
//!   recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>
//!   128 cycles, the floor: no layout does better
//! ```

use super::error::SynthesisError;
use super::question::Question;
use super::short_list::{Best, TO_FIND, TO_REFUSE};
use super::uses::Use;
use crate::recipe::{Shape, Spec};
use tiledesc_transforms::{Error, Plan, attempt};

/// A layout that was found for a tile and its accesses, and what it costs.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let found = tile.synthesize(&[Use::new(Lanes::rows(16), &ds_read_b128)])?;
/// assert_eq!((found.layout, found.cycles, found.floor), (Spec::gemm_xor(8), 128, 128));
/// assert_eq!(
///     found.to_string(),
///     "recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>: 128 cycles, the floor: no layout does better",
/// );
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Synthesis {
    /// The tile.
    pub tile: Shape,
    /// The layout.
    pub layout: Spec,
    /// Cycles of all accesses, by the rows' own sources.
    pub cycles: u64,
    /// Cycles of all accesses, by the sources that dispute rows; equal where no row is disputed or the others agree.
    pub rival_cycles: u64,
    /// Cycles without any conflict: no layout takes fewer.
    pub floor: u64,
    /// True if there is no conflict, by any source.
    pub is_free: bool,
}

impl Shape {
    /// The layout of the fewest cycles of a [short list](crate::search), as [`synthesize!`](crate::synthesize!) finds it:
    /// in a constant, too. `tiledesc_host::search::find` searches further, and faster.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
    ///
    /// // Rows of 192 bytes have no xor of their own packs: the dense offset has one.
    /// let tile = Shape { rows: 64, columns: 96, bits: 16 };
    /// let read = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
    /// assert!(tile.synthesize(&[read])?.is_free);
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`]: an access that no layout holds, and why.
    pub const fn synthesize(self, uses: &[Use<'_>]) -> Result<Synthesis, SynthesisError> {
        match self.propose(uses, TO_FIND) {
            Ok((found, _)) => Ok(found),
            Err(error) => Err(error),
        }
    }

    /// Returns the layout of [`synthesize`](Self::synthesize), counting so many instructions; and the first pad of the list that
    /// is free beside a layout without padding, if the count reaches so far.
    pub(crate) const fn propose(
        self,
        uses: &[Use<'_>],
        most: u64,
    ) -> Result<(Synthesis, Option<Spec>), SynthesisError> {
        let mut question = attempt!(Question::of_rows_or_columns(self, uses));
        let mut best = question.least(most);
        // Where rows have conflicts and no access moves several elements, columns may have none.
        if best.lost > 0
            && !question.is_only_order()
            && question.laid <= best.left
            && let Ok(columns) = Question::new(self, uses, true)
        {
            let other = columns.least(most);
            if other.lost < best.lost {
                (question, best) = (columns, other);
            }
        }
        let (Best { layout, lost, .. }, floor) = (best, question.weight.floor);
        if let (u64::MAX, Some(misfit)) = (lost, question.misfit) {
            return Err(misfit);
        }
        let ([cycles, rival_cycles], is_free) = (question.by_source(&best), lost == 0);
        let pad = if most == TO_REFUSE && is_free && !layout.scheme().is_padded() {
            question.free_pad(&best)
        } else {
            None
        };
        Ok((Synthesis { tile: self, layout, cycles, rival_cycles, floor, is_free }, pad))
    }
}

impl Question<'_, '_> {
    /// The cycles by each source: one number where no row is disputed, else those of a verdict.
    const fn by_source(&self, best: &Best) -> [u64; 2] {
        if let Some(told) = best.by_source {
            return told;
        }
        if self.needs.is_disputed
            && let Some(weight) = best.layout.weight(self.tile, self.uses)
        {
            return weight.by_source;
        }
        [self.weight.floor + best.lost; 2]
    }
}

impl Synthesis {
    /// The placeholder where nothing was found.
    pub(crate) const fn unknown(tile: Shape) -> Self {
        let layout = Spec::row_major();
        Self { tile, layout, cycles: 0, rival_cycles: 0, floor: 0, is_free: false }
    }

    /// The more of its own cycles and those by other sources: what `at most` counts.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, pattern::Lanes, recipe::Shape, search::Use};
    ///
    /// let tile = Shape { rows: 64, columns: 4, bits: 32 };
    /// let reads = [&gfx950::ds_read_b32, &gfx950::ds_read_b128];
    /// let found = tile.synthesize(&reads.map(|read| Use::new(Lanes::column().first(), read)))?;
    /// assert_eq!((found.cycles, found.rival_cycles, found.most_cycles()), (12, 8, 12));
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn most_cycles(&self) -> u64 {
        if self.cycles < self.rival_cycles { self.rival_cycles } else { self.cycles }
    }

    /// The layout as a plan.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::Shape, search::Use};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let found = tile.synthesize(&[Use::new(Lanes::rows(16), &ds_read_b128)])?;
    /// assert_eq!(found.plan().unwrap().offset(&[3, 17]), Ok(201));
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None: what was found is a layout of the tile.
    pub const fn plan(&self) -> Result<Plan, Error> {
        self.layout.plan(self.tile)
    }
}
