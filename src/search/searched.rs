//! What a search looked at, as data: each family of layouts, and how far. A sentence about other layouts is made
//! of it, so that none is said of a family which nobody searched.
//!
//! ```text
//!   halves on gfx942                       masks     linear packs   row pads   says
//!   64x96, written, read by 16 and by 32   nothing   nothing        all        the least of those tried
//!   64x64, a column read by ds_read_u16    all       all            all        no linear layout of packs does better
//! ```

use tiledesc_transforms::{Text, say};

/// How far a family of layouts was searched.
///
/// ```
/// use tiledesc::search::{Extent, Shape, Use};
/// use tiledesc::{chip::gfx942, pattern::Lanes};
///
/// // Rows of 96 halves have no masks; every pad leaves a conflict in one of two reads.
/// let tile = Shape { rows: 64, columns: 96, bits: 16 };
/// let write = Use::new(Lanes::row_major().first(), &gfx942::ds_write_b128);
/// let [one, other] =
///     [16, 32].map(|rows| Use::new(Lanes::rows(rows).first(), &gfx942::ds_read_b128));
/// let found = tile.synthesize(&[write, one, other])?;
/// assert_eq!((found.searched().masks, found.searched().pads), (Extent::Nothing, Extent::All));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// None of its layouts, or it has none for this tile.
    Nothing,
    /// Some: the search was cut.
    Part,
    /// All.
    All,
}

impl Extent {
    const fn is_all(self) -> bool {
        matches!(self, Self::All)
    }

    /// Of two searches together: what both have.
    pub(super) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, Self::All) => Self::All,
            (Self::Nothing, Self::Nothing) => Self::Nothing,
            _ => Self::Part,
        }
    }
}

/// How far each family was searched for layouts of fewer cycles than the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Searched {
    /// Xors of a single shift, and rotated rows.
    pub recipes: Extent,
    /// Masks over packs, in lines of rows and of parts of rows.
    pub masks: Extent,
    /// Swizzles of the dense offset, of rows that are not a power of two: those that are free of conflicts.
    pub dense: Extent,
    /// Linear layouts that keep packs whole.
    pub linear: Extent,
    /// Pads behind rows, of less than one round of all banks.
    pub pads: Extent,
    /// The same pads at intervals of 64 to 1024 bytes, powers of two.
    pub intervals: Extent,
    /// Whether the search was ended before it had tried all that it tries.
    pub has_ended: bool,
    /// Whether what was found is as few cycles as were asked for, so that no fewer were sought.
    pub is_enough: bool,
}

impl Searched {
    /// No family: where the best is at the floor nothing has to be.
    pub(crate) const NOTHING: Self = Self {
        recipes: Extent::Nothing,
        masks: Extent::Nothing,
        dense: Extent::Nothing,
        linear: Extent::Nothing,
        pads: Extent::Nothing,
        intervals: Extent::Nothing,
        has_ended: false,
        is_enough: false,
    };

    /// The same, and how far swizzles of the dense offset were searched before.
    pub(super) const fn with_dense(self, dense: &Self) -> Self {
        Self { dense: dense.dense, has_ended: self.has_ended || dense.has_ended, ..self }
    }

    /// Of rows and of columns: what is known of both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            recipes: self.recipes.and(other.recipes),
            masks: self.masks.and(other.masks),
            dense: self.dense.and(other.dense),
            linear: self.linear.and(other.linear),
            pads: self.pads.and(other.pads),
            intervals: self.intervals.and(other.intervals),
            has_ended: self.has_ended || other.has_ended,
            is_enough: self.is_enough || other.is_enough,
        }
    }

    /// Appends the families that were tried, as a list: where rows are packs in a power of two or not, with
    /// pads below this many elements.
    pub(crate) const fn explain(
        &self,
        text: Text,
        [layers, round]: [u32; 2],
        has_xor: bool,
    ) -> Text {
        let text = match (self.recipes, has_xor) {
            (Extent::All, true) => say!(text: "xor with up to ", layers, " layers"),
            (Extent::All, false) => text.str("rotated rows"),
            (_, true) => text.str("some xors"),
            (_, false) => text.str("rows in order"),
        };
        let text = match (self.linear, self.masks) {
            (Extent::All, _) => text.str(", all linear layouts of packs"),
            (_, Extent::All) => text.str(", all masks"),
            (_, Extent::Part) => text.str(", some masks"),
            _ => text,
        };
        let text = match self.dense {
            Extent::All => text.str(", all swizzles of the dense offset"),
            Extent::Part => text.str(", some swizzles of the dense offset"),
            Extent::Nothing => text,
        };
        let text = match (self.pads, self.intervals) {
            (Extent::Nothing, _) => return text,
            (Extent::Part, _) => return text.str(", some row pads"),
            (Extent::All, Extent::All) => text.str(", row pads and interval pads"),
            (Extent::All, _) => text.str(", row pads"),
        };
        let text = say!(text: " of less than ", round, " elements");
        match self.intervals {
            Extent::Part => text.str(", some interval pads"),
            _ => text,
        }
    }
}

/// What is known of the layouts that were not chosen.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// assert_eq!(tile.synthesize(&[read])?.optimality(), tiledesc::search::Optimality::Floor);
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// The cycles are those of the instructions without any conflict: no layout of any kind
    /// takes fewer with these instructions.
    Floor,
    /// No linear layout of packs as wide as the widest access takes fewer, all of them considered.
    Linear,
    /// No masks over packs take fewer, nor over lines of rows that fill all banks more than
    /// once, all of them considered.
    Exhausted,
    /// The best of those tried: masks were not searched, or the search was cut at 20,000 nodes.
    Open,
    /// The least of those that were tried before the search was ended, as one of a statement is after a
    /// fraction of a second. At run time, and on the command line, it goes on.
    Ended,
    /// As few as `at most` asks for; fewer were not sought.
    Enough,
}

impl Optimality {
    /// What cycles of such a floor say where so much was searched.
    pub(crate) const fn of(searched: &Searched, is_floor: bool) -> Self {
        if is_floor {
            Self::Floor
        } else if searched.linear.is_all() {
            Self::Linear
        } else if searched.masks.is_all() {
            Self::Exhausted
        } else if searched.is_enough {
            Self::Enough
        } else if searched.has_ended {
            Self::Ended
        } else {
            Self::Open
        }
    }

    /// The sentence, for a floor of this many cycles.
    ///
    /// ```
    /// use tiledesc::search::Optimality;
    ///
    /// let text = Optimality::Linear.text(16);
    /// assert_eq!(text.as_str(), "floor 16: no linear layout of packs does better");
    /// ```
    #[must_use]
    pub const fn text(self, floor: u64) -> Text {
        self.explain(Text::new(), floor)
    }

    /// Appends the same.
    pub(crate) const fn explain(self, text: Text, floor: u64) -> Text {
        match self {
            Self::Floor => say!(text: "the floor: ", str(self.known())),
            _ => say!(text: "floor ", floor, ": ", str(self.known())),
        }
    }

    /// What is known of other layouts.
    pub(super) const fn known(self) -> &'static str {
        match self {
            Self::Floor => "no layout does better",
            Self::Linear => "no linear layout of packs does better",
            Self::Exhausted => "no masks over packs do better",
            Self::Open => "the least of those tried",
            Self::Enough => "as few as the statement asks for",
            Self::Ended => {
                "the least of those tried before the search was ended; `tiledesc find` goes on"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns together: a family is searched whole only where both were, and not at all only where neither was.
    #[test]
    fn two_searches_have_what_both_have() {
        let extents = [Extent::Nothing, Extent::Part, Extent::All];
        for (i, one) in extents.into_iter().enumerate() {
            for (j, other) in extents.into_iter().enumerate() {
                let both = if i == j { one } else { Extent::Part };
                assert_eq!(one.and(other), both);
                let of = |masks| Searched { masks, ..Searched::NOTHING };
                assert_eq!(of(one).and(of(other)), of(both));
            }
        }
    }
}
