//! An access on a chip as a statement has it, and how sure its row must be.
//!
//! ```text
//!   Plain on gfx942 as measured: read ds_read_b128 by MfmaRows<16> times 4
//!            chip   demand       says instruction     pattern            uses
//! ```

use crate::bank::verdict::Verdict;
use crate::chip::evidence::Evidence;
use crate::chip::instruction::{Access, Instruction};
use crate::layout::{Apart, Sampled, Tile, place};
use crate::pattern::Pattern;
use crate::search::Use;
use tiledesc_transforms::{Text, say};

/// One access of [`assert_conflict_free!`](crate::assert_conflict_free!), on one chip.
#[derive(Clone, Copy, Debug)]
pub struct StatedAccess<'a> {
    chip: &'a str,
    pattern: &'a str,
    pub(super) says: Access,
    pub(super) uses: Use<'a>,
    demand: RowDemand,
    /// Bytes that its pattern moves; 0 of one that moves what the instruction does.
    moves: u32,
    /// The layout that its pattern accesses, if it is of one.
    accessed: Option<&'static Sampled>,
}

/// The demands of a statement on its rows, by the words after `as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowDemand {
    least: Evidence,
    source: RowSource,
}

/// The source that counts if two disagree on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowSource {
    Both,
    Own,
    Rival,
}

impl RowDemand {
    /// Any evidence, and each source where two disagree.
    pub const ANY: Self = Self { least: Evidence::Inferred, source: RowSource::Both };

    /// `as measured` and the like: rows that are less sure are refused.
    #[doc(hidden)]
    #[must_use]
    pub const fn at_least(self, least: Evidence) -> Self {
        Self { least, ..self }
    }

    /// `as disputed`: the row's own source counts.
    #[doc(hidden)]
    #[must_use]
    pub const fn disputed(self) -> Self {
        Self { source: RowSource::Own, ..self }
    }

    /// `as rival`: the other source counts.
    #[doc(hidden)]
    #[must_use]
    pub const fn rival(self) -> Self {
        Self { source: RowSource::Rival, ..self }
    }

    /// The row as the statement takes it.
    #[doc(hidden)]
    #[must_use]
    pub const fn row(self, row: Instruction) -> Instruction {
        match self.source {
            RowSource::Both => row,
            RowSource::Own => row.as_disputed(),
            RowSource::Rival => row.as_rival(),
        }
    }
}

impl<'a> StatedAccess<'a> {
    /// An access as the statement has it; the chip by the name that the statement gives it.
    #[doc(hidden)]
    #[must_use]
    pub const fn new<P: Pattern>(
        chip: &'a str,
        pattern: &'a str,
        says: Access,
        instruction: &'a Instruction,
    ) -> Self {
        let uses = Use::new(P::LANES, instruction);
        let (moves, accessed) = (P::MOVES, P::ACCESSED);
        Self { chip, pattern, says, uses, demand: RowDemand::ANY, moves, accessed }
    }

    /// Returns the access with the demands of its statement on rows.
    #[doc(hidden)]
    #[must_use]
    pub const fn demanding(mut self, demand: RowDemand) -> Self {
        self.demand = demand;
        self
    }

    /// Returns the access done `times` times: its weight in a search.
    #[doc(hidden)]
    #[must_use]
    pub const fn times(mut self, times: u32) -> Self {
        self.uses = self.uses.times(times);
        self
    }

    /// Returns the access with its pattern by this name.
    pub(super) const fn by(mut self, pattern: &'a str) -> Self {
        self.pattern = pattern;
        self
    }

    pub(crate) const fn uses(&self) -> Use<'a> {
        self.uses
    }

    pub(crate) const fn chip(&self) -> &str {
        let stated = self.uses.instruction.chip();
        if stated.is_empty() { self.chip } else { stated }
    }

    pub(crate) const fn instruction(&self) -> &'a Instruction {
        self.uses.instruction
    }

    /// Returns whether its instruction reads where the verb is `read`, and writes where it is `write`.
    pub(super) const fn is_of_its_verb(&self) -> bool {
        self.says.is(self.uses.instruction.access())
    }

    /// Returns whether its pattern is a distribution, which says what lanes hold.
    pub(super) const fn is_by_a_distribution(&self) -> bool {
        matches!(self.uses.lanes.encoding(), Ok(Some(_)))
    }

    /// How often each element is written, by waves that hold the same: 1 of a read, and of one instruction.
    pub(super) const fn times_written(&self) -> u32 {
        match (self.says, self.uses.lanes.encoding()) {
            (Access::Write, Ok(Some(encoding))) if !self.uses.lanes.is_first() => {
                encoding.replicas()
            }
            _ => 1,
        }
    }

    /// Returns whether its instruction moves what its pattern does.
    pub(super) const fn is_of_its_width(&self) -> bool {
        self.moves == 0 || self.moves == self.uses.instruction.bytes()
    }

    /// "the accesses move 8 bytes at a time, but ds_write_b128 moves 16"
    pub(super) const fn other_width(&self, text: Text) -> Text {
        let row = self.uses.instruction;
        say!(text:
            "the accesses move ", self.moves, " bytes at a time, but ", str(row.name()), " moves ", row.bytes()
        )
    }

    /// Returns whether its pattern accesses the tile, or is of no layout.
    pub(super) const fn is_of_its_layout<T: Tile>(&self) -> bool {
        let Some(accessed) = self.accessed else { return true };
        let own = Sampled::new::<T>();
        // What is wrong with a layout itself is said elsewhere.
        let is_known = !own.lengths().is_empty() && !accessed.lengths().is_empty();
        !is_known || own.lengths().is_same(accessed.lengths()) && own.apart(accessed).is_none()
    }

    /// "the accesses are of another layout: (1, 0) is at byte 144 of Tile, at byte 128 of theirs"
    pub(super) const fn other_layout<T: Tile>(&self, layout: &str) -> Text {
        let (text, own) = (self.head(layout), Sampled::new::<T>());
        let Some(accessed) = self.accessed else { return text };
        if !own.lengths().is_same(accessed.lengths()) {
            return say!(text:
                "the accesses are of a tile of ", list(accessed.lengths().as_slice()), ", but the layout's tile is ",
                list(own.lengths().as_slice())
            );
        }
        let text = text.str("the accesses are of another layout");
        let Some(Apart { coordinate, bits: [here, there] }) = own.apart(accessed) else {
            return text;
        };
        let text = place(say!(text: ": ", coordinate(coordinate.as_slice()), " is "), here);
        place(say!(text: " of ", str(layout), ", "), there).str(" of theirs")
    }

    /// Returns whether its degree decides: no evidence is demanded, which only a verdict knows, it is of its verb and width, and
    /// no two waves write one element.
    pub(super) const fn is_decided_by_degree(&self) -> bool {
        matches!(self.demand.least, Evidence::Inferred)
            && self.is_of_its_verb()
            && self.is_of_its_width()
            && self.times_written() == 1
    }

    /// "Plain: ds_read_b128 on gfx942 by MfmaRows<16>: "
    pub(crate) const fn head(&self, layout: &str) -> Text {
        say!(Text::new():
            str(layout), ": ", str(self.uses.instruction.name()), " on ", str(self.chip()), " by ",
            str(self.pattern), ": "
        )
    }

    /// Returns whether its row is less sure than the statement demands.
    pub(crate) const fn is_weak(&self, verdict: &Verdict<'_>) -> bool {
        verdict.weakest().evidence.is_weaker_than(self.demand.least)
    }

    /// "free of conflicts, but inferred (as gfx942), and the statement asks for measured"
    pub(crate) const fn weak(&self, text: Text, verdict: &Verdict<'_>) -> Text {
        let service = verdict.weakest();
        let text = if verdict.is_free() { text.str("free of conflicts, but ") } else { text };
        say!(text:
            "its phases and banks are ", str(service.evidence.name()), " (",
            str(service.source), "), and the statement says `as ",
            str(self.demand.least.name()), "`"
        )
    }

    /// What is found of an access that is not free, as a sentence.
    pub(super) const fn finding(&self, text: Text, verdict: &Verdict<'_>) -> Text {
        if verdict.is_free_but_disputed() {
            self.disputed(text, verdict)
        } else {
            verdict.finding(text)
        }
    }

    /// "disputed: free of conflicts by its row, 2-way by another source", both sources, and the
    /// two ways out.
    const fn disputed(&self, text: Text, verdict: &Verdict<'_>) -> Text {
        let Some(rival) = self.uses.instruction.rival() else { return text };
        let ours = verdict.service();
        say!(text:
            "disputed: free of conflicts by its row, ", verdict.worst_degree(), "-way by another \
             source\nThe row: ", str(ours.evidence.name()), ", ", str(ours.source), "\nThe other: ",
            str(rival.evidence.name()), ", ", str(rival.source), "\nTo go by the row, write `on ",
            str(self.chip()), " as disputed`; to go by the other, `as rival`"
        )
    }
}
