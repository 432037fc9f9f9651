//! The answer of a search, and how far each family was searched, as data: sentences are made where they are shown.
//!
//! ```text
//!   halves on gfx942                       masks   linear packs   row pads   it is said
//!   64x64, a column read by ds_read_u16    all     all            all        no linear layout of packs does better
//!   64x96, written, read by 16 and by 32   all     none exist     all        no masks over packs do better
//! ```

use super::candidate::Candidate;
use core::fmt;
use tiledesc::recipe::Shape;
use tiledesc::statement::costs;
use tiledesc::transforms::Text;

/// The extent to which a family of layouts was searched for one that is better than the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The tile has no such layout, or none was needed.
    Nothing,
    /// Some layouts of the family: the search was cut.
    Part,
    /// All layouts of the family.
    All,
}

/// A family of layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Xors of a single shift: some bits of a line's number flip as many bits of a pack's place in the line, in order.
    Shifts,
    /// Elements after each row.
    RowPads,
    /// Packs rotated by the row.
    Rotation,
    /// Masks over packs: each bit of a line's number flips any bits of a pack's place in the line.
    Masks,
    /// Linear layouts that keep packs whole.
    Packs,
    /// Elements after every 64, 128, 256, 512 or 1024 bytes; of a single row after all that divide it into at most 4096.
    IntervalPads,
}

impl Extent {
    /// The extent of two searches together.
    pub(super) fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Part }
    }
}

/// The proof that the best layout has, from the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// The best has no conflict: no layout takes fewer cycles.
    Floor,
    /// No linear layout of packs takes fewer.
    Linear,
    /// No masks over packs take fewer.
    Masks,
    /// The best is the least of those that were tried.
    Tried,
}

impl Known {
    /// "no layout does better"
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Floor => "no layout does better",
            Self::Linear => "no linear layout of packs does better",
            Self::Masks => "no masks over packs do better",
            Self::Tried => "the least of those tried",
        }
    }
}

/// The result of [`find`](super::find).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The tile.
    pub tile: Shape,
    /// The layout that costs least.
    pub best: Candidate,
    /// Cycles of all accesses without any conflict: no layout takes fewer.
    pub floor: u64,
    /// The extent to which each family was searched.
    pub searched: Vec<(Family, Extent)>,
}

impl Answer {
    /// Returns whether the best has no conflict, by any source.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.best.weight <= self.floor
    }

    /// The extent to which a family was searched.
    #[must_use]
    pub fn extent(&self, family: Family) -> Extent {
        let found = self.searched.iter().find(|(searched, _)| *searched == family);
        found.map_or(Extent::Nothing, |(_, extent)| *extent)
    }

    /// The proof that the best layout has.
    #[must_use]
    pub fn known(&self) -> Known {
        self.known_of(self.best.weight)
    }

    /// The proof for any layout of such a [weight](Candidate::weight), also of one that was not tried: where no other
    /// takes less than the best, none takes less than a layout that takes no more than the best.
    #[must_use]
    pub fn known_of(&self, weight: u64) -> Known {
        let is_all = |family| self.extent(family) == Extent::All;
        match () {
            () if weight <= self.floor => Known::Floor,
            () if weight > self.best.weight => Known::Tried,
            () if is_all(Family::Packs) => Known::Linear,
            () if is_all(Family::Masks) => Known::Masks,
            () => Known::Tried,
        }
    }

    /// "352 cycles, floor 288: no masks over packs do better"
    #[must_use]
    pub fn proof(&self) -> String {
        self.proof_of(self.best.cycles, self.best.rival_cycles, self.best.weight)
    }

    /// The proof for any layout of such costs, as text.
    #[must_use]
    pub fn proof_of(&self, cycles: u64, rival_cycles: u64, weight: u64) -> String {
        let known = self.known_of(weight);
        let is_free = known == Known::Floor;
        let costs = costs(Text::new(), [cycles, rival_cycles], self.floor, is_free);
        format!("{}: {}", costs.as_str(), known.sentence())
    }

    /// The line that a user pastes, of elements of this name, and what is known of it.
    #[must_use]
    pub fn text(&self, element: &str) -> String {
        format!("{}: {}", self.best.layout.text(element, self.tile).as_str(), self.proof())
    }
}

/// Prints the line for the ready-made element of as many bits.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(self.tile.element()))
    }
}
