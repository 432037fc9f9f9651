//! The weight of a layout: the cycles of all uses, each as often as it is issued, and where two sources disagree on a row the
//! conflicts of the other source too.
//!
//! ```text
//!   a read of 4 phases     by its own source    by the other    loses
//!   free by both                           4               4        0
//!   2-way by the other                     4               8        4
//! ```

use super::uses::{Use, unfilled};
use crate::access::placed::Placed;
use crate::bank::verdict::Verdict;
use crate::element::ElementName;
use crate::recipe::{Shape, Spec};

/// The weight of a layout in a search: the cycles of all uses.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let weight = Spec::row_major().weight(tile, &[Use::new(Lanes::rows(16), &ds_read_b128)]).unwrap();
/// assert_eq!((weight.floor, weight.lost, weight.by_source), (128, 384, [512, 512]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weight {
    /// The cycles without conflicts.
    pub floor: u64,
    /// The cycles of conflicts by the rows, and where two sources disagree on one by the other too.
    pub lost: u64,
    /// All cycles by the rows, and by the others where rows are disputed.
    pub by_source: [u64; 2],
}

impl Weight {
    /// The weight of no use.
    pub(super) const NONE: Self = Self { floor: 0, lost: 0, by_source: [0; 2] };

    /// The weight that an access adds, by its verdict and the number of times that it is done.
    ///
    /// ```
    /// use tiledesc::access::Placed;
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Weight};
    ///
    /// let plan = Spec::row_major().plan(Shape { rows: 128, columns: 64, bits: 16 }).unwrap();
    /// let verdict = Placed::new(&plan, 16, Lanes::rows(16), &ds_read_b128).unwrap().verdict().unwrap();
    /// assert_eq!(Weight::new(&verdict, 4).by_source, [4 * 512, 4 * 512]);
    /// ```
    #[must_use]
    pub const fn new(verdict: &Verdict<'_>, times: u32) -> Self {
        let (own, floor, times) = (verdict.active_cycles(), verdict.base_cycles(), times as u64);
        let rival = match verdict.rival_cycles() {
            Some(rival) if !verdict.instruction().is_settled() => rival,
            _ => own,
        };
        let lost = own - floor + verdict.disputed_cycles();
        let by_source = [own * times, rival * times];
        Self { floor: floor * times, lost: lost * times, by_source }
    }

    /// Returns the sum of both.
    pub(super) const fn and(self, other: Self) -> Self {
        let ([own, rival], [more, more_rival]) = (self.by_source, other.by_source);
        Self {
            floor: self.floor + other.floor,
            lost: self.lost + other.lost,
            by_source: [own + more, rival + more_rival],
        }
    }

    /// Returns the weight of a layout by the verdict, which counts no more instructions than are left; `None` of an invalid
    /// one, and as soon as it loses `most`. From the last access on: writes come first and lose least.
    pub(super) const fn judged(
        layout: Spec,
        tile: Shape,
        uses: &[Use<'_>],
        left: &mut u64,
        most: u64,
    ) -> Option<Self> {
        let Ok(plan) = layout.plan(tile) else { return None };
        if unfilled(&plan, tile.bits, uses).is_some() {
            return None;
        }
        let (digits, mut all, mut i) = (plan.digits(), 0, 0);
        // Of a layout that cannot be judged in all uses none is counted.
        while i < uses.len() && *left < u64::MAX {
            let Use { lanes, instruction: row, .. } = uses[i];
            let Ok(placed) =
                Placed::with_digits(&plan, digits, ElementName::of_bits(tile.bits), lanes, row)
            else {
                return None;
            };
            all += placed.steps_to_count();
            if all > *left {
                return None;
            }
            i += 1;
        }
        let (mut sum, mut i) = (Self::NONE, uses.len());
        while i > 0 && sum.lost < most {
            i -= 1;
            let Use { lanes, instruction: row, times, .. } = uses[i];
            let Ok(placed) =
                Placed::with_digits(&plan, digits, ElementName::of_bits(tile.bits), lanes, row)
            else {
                return None;
            };
            *left -= placed.steps_to_count();
            match placed.verdict_without_pair() {
                Ok(verdict) if verdict.conflicts().race.is_none() => {
                    sum = sum.and(Self::new(&verdict, times));
                }
                _ => return None,
            }
        }
        if sum.lost < most { Some(sum) } else { None }
    }
}

impl Spec {
    /// Returns the weight of the layout in all uses; `None` of an invalid layout, one that an access does not fit, on which
    /// lanes race, or that the direct load of a use cannot fill.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
    ///
    /// let (tile, uses) = (Shape { rows: 128, columns: 64, bits: 16 }, [Use::new(Lanes::rows(16), &ds_read_b128)]);
    /// let lost = |layout: Spec| layout.weight(tile, &uses).map(|weight| weight.lost);
    /// assert_eq!((lost(Spec::gemm_xor(8)), lost(Spec::row_major())), (Some(0), Some(384)));
    /// // 8 bytes after each row: half of the rows begin off the 16 bytes of the read.
    /// assert_eq!(lost(Spec::row_pad(4)), None);
    /// ```
    #[must_use]
    pub const fn weight(&self, tile: Shape, uses: &[Use<'_>]) -> Option<Weight> {
        let mut left = u64::MAX;
        Weight::judged(*self, tile, uses, &mut left, u64::MAX)
    }

    /// Returns whether the layout is free of conflicts in every use.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
    ///
    /// let (tile, read) = (Shape { rows: 128, columns: 64, bits: 16 }, Lanes::rows(16));
    /// let uses = [Use::new(read, &ds_read_b128)];
    /// assert!(Spec::gemm_xor(8).is_free(tile, &uses) && !Spec::row_major().is_free(tile, &uses));
    /// ```
    ///
    /// False also of an invalid layout, one that an
    /// access does not fit, or that the direct load of a use cannot fill.
    #[must_use]
    pub const fn is_free(&self, tile: Shape, uses: &[Use<'_>]) -> bool {
        let mut left = u64::MAX;
        Weight::judged(*self, tile, uses, &mut left, 1).is_some()
    }
}
