//! Another access in place of one, where no layout is free of conflicts in all that are asked for.
//!
//! A layout is searched for fixed accesses, and sometimes it is the access that cannot be: lanes that take 16 bytes each
//! go in phases of eight, and half as many bytes in twice as many instructions are other phases. So each access is
//! exchanged for others of its chip, and the search is asked again:
//!
//! | instead | what lanes hold | tried |
//! |---|---|---|
//! | the other rows that a matrix instruction may have | other elements | first |
//! | each access in parts, in order ([`Split`](crate::pattern::Split)) | the same | next |
//! | parts crossed by a bit of the lane's number | the same | then |
//! | the pattern by a narrower instruction | other elements, unless it is a distribution | last |
//!
//! ```text
//!   64x96 halves on gfx942, written row by row by ds_write_b128      floor   least   otherwise
//!   read by 16 rows and by 32                                          288     416   288: both by 32 rows
//!   read down columns by ds_read_u16                                   288     896   288: ds_write_b32
//! ```
//!
//! Only patterns of the whole tile are changed, so that as many bytes are moved, and only where all accesses are of one
//! chip.

use super::base::Base;
use super::claims::columns;
use super::effort::Effort;
use super::price::{BEGUN, CLAIMED, Price};
use super::shape::{Shape, Use};
use super::spec::Spec;
use super::synthesis::{Proposal, Synthesis};
use crate::access::placed::Placed;
use crate::chip::instruction::Instruction;
use crate::chip::rows_of;
use crate::pattern::Parts;
use tiledesc_transforms::{Text, number::is_same, say};

/// Accesses of a question that is asked again: each try is a copy of them.
const MOST: usize = 16;

/// Rows of the operands of matrix instructions.
const ROWS: [u32; 2] = [16, 32];

/// One access changed, and the layout of the fewest cycles with it.
///
/// ```
/// use tiledesc::search::{Shape, Use};
/// use tiledesc::{chip::gfx942, pattern::Lanes};
///
/// let tile = Shape { rows: 64, columns: 96, bits: 16 };
/// let uses = [
///     Use::new(Lanes::row_major(), &gfx942::ds_write_b128),
///     Use::new(Lanes::rows(16), &gfx942::ds_read_b128),
///     Use::new(Lanes::rows(32), &gfx942::ds_read_b128),
/// ];
/// let found = tile.synthesize(&uses)?;
/// assert_eq!((found.cycles(), found.floor()), (416, 288));
/// let change = tile.change(&uses, &found).unwrap();
/// assert_eq!((change.access(), change.rows()), (1, Some(32)));
/// assert_eq!((change.cycles(), change.is_free()), (288, true));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    access: usize,
    row: &'static str,
    rows: Option<u32>,
    parts: Parts,
    layout: Spec,
    cycles: u64,
    floor: u64,
}

impl Change {
    /// The number of the access, from 0.
    #[must_use]
    pub const fn access(&self) -> usize {
        self.access
    }

    /// The instruction in place of its own; the same where other rows are read.
    #[must_use]
    pub const fn instruction(&self) -> &'static str {
        self.row
    }

    /// The rows of the operand that are read in place of its own, if it is these that change.
    #[must_use]
    pub const fn rows(&self) -> Option<u32> {
        self.rows
    }

    /// In how many parts each access is done, so that lanes hold the same, and by what a lane's number is divided to cross
    /// them, 0 where they are in order: what [`Lanes::split`](crate::pattern::Lanes::split) takes. `None` if lanes hold
    /// other elements than before.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Use};
    /// use tiledesc::{chip::gfx950, distribution::Encoding, pattern::Lanes};
    ///
    /// // 64x96 floats: four lanes to a row write two each, and a lane to a row reads four.
    /// let (m, k) = ([("again", 4), ("row", 16)], [("j", 12), ("part", 4), ("two", 2)]);
    /// let threads = ["again", "j", "two"];
    /// let held = Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &["row", "part"], &threads)?;
    /// let uses = [
    ///     Use::new(Lanes::distributed(&held), &gfx950::ds_write_b64),
    ///     Use::new(Lanes::column(), &gfx950::ds_read_b128),
    /// ];
    /// let tile = Shape { rows: 64, columns: 96, bits: 32 };
    /// let found = tile.synthesize(&uses)?;
    /// assert_eq!((found.cycles(), found.floor()), (384, 288));
    /// let change = tile.change(&uses, &found).unwrap();
    /// assert_eq!((change.split(), change.cycles()), (Some((2, 2)), 288));
    /// assert_eq!(
    ///     change.text(&uses).as_str(),
    ///     "two ds_write_b32 in place of each ds_write_b64, where lanes with bit 2 take the second half first \
    ///      (`Split<_, 2, 2>`)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn split(&self) -> Option<(u32, u32)> {
        match self.parts {
            Parts { count: 1, .. } => None,
            Parts { count, lane } => Some((count, lane)),
        }
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Spec {
        self.layout
    }

    /// Cycles of all accesses with it.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Whether these are without any conflict.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        self.cycles == self.floor
    }

    /// What changes, as `two ds_read_b64 in place of each ds_read_b128`, `ds_read_b64 in place of ds_read_b128`, or
    /// `ds_read_b128 by 16 rows in place of 32`; of the uses that it was asked for.
    #[must_use]
    pub const fn text(&self, uses: &[Use<'_>]) -> Text {
        self.explain(Text::new(), uses)
    }

    /// Appends the same.
    pub(crate) const fn explain(&self, text: Text, uses: &[Use<'_>]) -> Text {
        let one = &uses[self.access];
        if self.parts.count > 1 {
            return self.explain_parts(text, one);
        }
        match (self.rows, one.lanes.operand_rows()) {
            (Some(rows), Some(own)) => say!(text:
                str(self.row), " by ", rows, " rows in place of ", own
            ),
            _ => say!(text: str(self.row), " in place of ", str(one.instruction.name())),
        }
    }

    /// Appends "two st_shared_b32 in place of each st_shared_b64, where lanes with bit 4 take the second half first
    /// (`Split<_, 2, 4>`)".
    const fn explain_parts(&self, text: Text, one: &Use<'_>) -> Text {
        let Parts { count, lane } = self.parts;
        let number = match count {
            2 => "two ",
            4 => "four ",
            _ => "eight ",
        };
        let text = say!(text:
            str(number), str(self.row), " in place of each ", str(one.instruction.name())
        );
        match (count, lane) {
            (_, 0) if one.lanes.is_distributed() => text,
            (_, 0) => say!(text: " (`Split<_, ", count, ", 0>`)"),
            (2, _) => say!(text:
                ", where lanes with bit ", lane, " take the second half first (`Split<_, 2, ", lane, ">`)"
            ),
            _ => say!(text:
                ", where lane l takes part i ^ l / ", lane, " % ", count, " in the i-th (`Split<_, ", count, ", ",
                lane, ">`)"
            ),
        }
    }

    const fn of(access: usize, with: &Use<'_>, rows: Option<u32>, found: &Synthesis) -> Self {
        Self {
            access,
            row: with.instruction.name(),
            rows,
            parts: with.lanes.parts(),
            layout: found.layout(),
            cycles: found.cycles(),
            floor: found.floor(),
        }
    }
}

impl Shape {
    /// The one access that, done otherwise, leaves the fewest cycles: fewer than what was found for all as they are;
    /// `None` if none does, or what was found is free.
    #[must_use]
    pub const fn change(self, uses: &[Use<'_>], found: &Synthesis) -> Option<Change> {
        let mut effort = Effort::RUN_TIME;
        self.change_within(uses, found, 0, &mut effort)
    }

    /// The same as far as the effort reaches, which all tries share. To lay the accesses costs so many units each time.
    pub(crate) const fn change_within(
        self,
        uses: &[Use<'_>],
        found: &Synthesis,
        laid: u64,
        effort: &mut Effort,
    ) -> Option<Change> {
        if uses.is_empty() || uses.len() > MOST || found.cycles() == found.floor() {
            return None;
        }
        let chip = uses[0].instruction.chip();
        let (mut all, mut i) = ([uses[0]; MOST], 0);
        while i < uses.len() {
            if !is_same(uses[i].instruction.chip(), chip) {
                return None;
            }
            all[i] = uses[i];
            i += 1;
        }
        let mut tries =
            Tries { tile: self, all, count: uses.len(), laid, best: None, most: found.cycles() };
        let (rows, mut way) = (rows_of(chip), 0);
        while way < Way::ALL.len() {
            let mut i = 0;
            while i < uses.len() && !effort.has_ended() && !tries.is_free() {
                if !uses[i].lanes.is_first() {
                    match Way::ALL[way] {
                        Way::Rows => tries.other_rows(i, effort),
                        narrower => tries.narrower(i, rows, narrower, effort),
                    }
                }
                i += 1;
            }
            way += 1;
        }
        tries.best
    }
}

/// What is tried in place of an access.
#[derive(Clone, Copy)]
enum Way {
    /// The other rows of a matrix instruction.
    Rows,
    /// Narrower instructions in order, which move what the lanes hold by the wide one.
    Split,
    /// The same parts, crossed by a bit of the lane's number.
    Crossed,
    /// Other elements by a narrower instruction.
    Others,
}

impl Way {
    /// In the order in which they are tried: of as few cycles the first is said.
    const ALL: [Self; 4] = [Self::Rows, Self::Split, Self::Crossed, Self::Others];
}

struct Tries<'a> {
    tile: Shape,
    all: [Use<'a>; MOST],
    count: usize,
    /// What it costs to lay them, in units.
    laid: u64,
    best: Option<Change>,
    /// Cycles that are to be beaten.
    most: u64,
}

impl<'a> Tries<'a> {
    /// Plain rows of the chip that move half as many bytes, a quarter, down to a dword.
    const fn narrower(
        &mut self,
        access: usize,
        rows: &'static [Instruction],
        way: Way,
        effort: &mut Effort,
    ) {
        let own = self.all[access].instruction;
        // What an instruction hands round is in other lanes than a narrow one's.
        let is_plain = own.parts() == 1 && own.fragments().is_own();
        let mut bytes = own.bytes() / 2;
        while bytes >= 4 && is_plain {
            let mut i = 0;
            while i < rows.len() && !(rows[i].bytes() == bytes && rows[i].is_plain_as(own)) {
                i += 1;
            }
            if i < rows.len() {
                let with = Use { instruction: &rows[i], ..self.all[access] };
                match way {
                    Way::Split => self.split(access, with, [own.bytes() / bytes, 0], effort),
                    Way::Crossed => self.crossed(access, with, own.bytes() / bytes, effort),
                    // Its lanes hold the same by either instruction: that was tried.
                    Way::Others if with.lanes.is_distributed() => {}
                    _ => self.take(access, with, None, effort),
                }
            }
            bytes /= 2;
        }
    }

    /// The same elements by this many narrow instructions, crossed by a lane.
    const fn split(
        &mut self,
        access: usize,
        with: Use<'a>,
        [parts, lane]: [u32; 2],
        effort: &mut Effort,
    ) {
        if let Some(split) = with.lanes.split(parts, lane) {
            self.take(access, Use { lanes: split, ..with }, None, effort);
        }
    }

    /// The same for each bit of the lane's number.
    const fn crossed(&mut self, access: usize, with: Use<'a>, parts: u32, effort: &mut Effort) {
        let (lanes, mut lane) = (with.instruction.service().phases.addressed() as u32, 1);
        // What cannot be done in parts cannot be crossed either.
        if let Some(split) = with.lanes.split(parts, 0)
            && self.to_lay(&Use { lanes: split, ..with }).is_none()
        {
            return;
        }
        while lane < lanes && !effort.has_ended() && !self.is_free() {
            self.split(access, with, [parts, lane], effort);
            lane *= 2;
        }
    }

    /// Whether the best so far has no conflicts.
    const fn is_free(&self) -> bool {
        match &self.best {
            Some(best) => best.is_free(),
            None => false,
        }
    }

    /// The other rows that the operand of a matrix instruction has.
    const fn other_rows(&mut self, access: usize, effort: &mut Effort) {
        let own = self.all[access];
        let Some(rows) = own.lanes.operand_rows() else { return };
        let mut i = 0;
        while i < ROWS.len() {
            if ROWS[i] != rows && (rows == ROWS[0] || rows == ROWS[1]) {
                let with = Use { lanes: own.lanes.with_operand_rows(ROWS[i]), ..own };
                self.take(access, with, Some(ROWS[i]), effort);
            }
            i += 1;
        }
    }

    /// Asks the search with one access in place of another, if the effort reaches to lay them.
    const fn take(&mut self, access: usize, with: Use<'a>, rows: Option<u32>, effort: &mut Effort) {
        let own = self.all[access];
        self.all[access] = with;
        if effort.afford(BEGUN)
            && let Some([looked, laid]) = self.to_lay(&with)
            && effort.afford(looked)
            && effort.affords(self.laid + laid)
        {
            self.ask(access, rows, effort);
        }
        self.all[access] = own;
    }

    /// What it costs to look whether an access has a claim, and to lay it. `None` if it does not divide the tile so that its
    /// lanes have coordinates: parts of packs across the end of a row have none, and a question would lay all others
    /// before it says so.
    const fn to_lay(&self, with: &Use<'_>) -> Option<[u64; 2]> {
        let Ok(plan) = self.tile.rows_in_order() else { return Some([0; 2]) };
        // The question says why.
        let Ok(placed) = Placed::new(&plan, self.tile.bits, with.lanes, with.instruction) else {
            return Some([0; 2]);
        };
        if placed.listed().is_none() && !placed.walk().has_indices() {
            return None;
        }
        let mut looked = 0;
        let laid = match columns(&placed, &mut looked) {
            Some(_) => CLAIMED,
            None => Price::of(&Base::rows(self.tile), &placed, 0).laid,
        };
        Some([looked, looked + laid])
    }

    /// The same, with the other access in its place.
    const fn ask(&mut self, access: usize, rows: Option<u32>, effort: &mut Effort) {
        let (with, uses) = (self.all[access], self.all.split_at(self.count).0);
        let Ok(question) = self.tile.question(uses) else {
            effort.afford(self.laid);
            return;
        };
        let proposal = self.tile.propose_by(&question, uses, effort);
        if let Ok(Proposal { found, .. }) = proposal
            && found.cycles() < self.most
        {
            self.best = Some(Change::of(access, &with, rows, &found));
            self.most = found.cycles();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::sm_90;
    use crate::distribution::Encoding;
    use crate::pattern::{Lanes, Row};
    use crate::search::price::{COMPARED, JUDGED, SAMPLED};
    use tiledesc_transforms::List;

    /// Of 12,000 units 1,000 go to the question; accesses that cost more to lay than the others are not tried.
    #[test]
    fn to_lay_accesses_is_charged() {
        let tile = Shape { rows: 60, columns: 32, bits: 32 };
        let row = |step| -> Row {
            core::array::from_fn(|lane| (lane < 32).then(|| List::pair(step, lane as u32 * 3 % 32)))
        };
        let table: [Row; 1] = [row(0)];
        let tried = |laid: u64| {
            let access = Use::new(Lanes::table(&table[..1], 1), &sm_90::ld_shared_b32);
            let mut tries =
                Tries { tile, all: [access; MOST], count: 1, laid, best: None, most: u64::MAX };
            let mut effort = Effort::CHANGE;
            tries.take(0, access, None, &mut effort);
            (tries.is_free(), effort.has_ended())
        };
        // Its one instruction is looked at for a claim twice, before the question and by it; and each lane is judged.
        let own = 2 * SAMPLED + CLAIMED + 32 * (COMPARED + JUDGED);
        assert_eq!(tried(11_000 - own), (true, false));
        assert_eq!(tried(11_001 - own), (false, true));
    }

    /// Parts that do not divide the tile are no try: 24 rows are no blocks of 16, so nothing is laid or charged.
    #[test]
    fn what_is_not_of_the_tile_is_not_tried() {
        let tried = |rows: u32| {
            let tile = Shape { rows, columns: 32, bits: 16 };
            let lanes = Lanes::rows(16).split(2, 1).unwrap();
            let access = Use::new(lanes, &sm_90::ld_shared_b64);
            let mut tries =
                Tries { tile, all: [access; MOST], count: 1, laid: 0, best: None, most: u64::MAX };
            let mut effort = Effort::CHANGE;
            tries.take(0, access, None, &mut effort);
            let begun = effort == Effort::of_units(11_000);
            (tries.to_lay(&access).is_some(), tries.best.is_some(), begun)
        };
        assert_eq!((tried(32), tried(24)), ((true, true, false), (false, false, true)));
    }

    /// What is tried, and said, is crossed by the bit of the lane's number that was asked for.
    #[test]
    fn parts_are_crossed_as_asked() {
        let k = [("deep", 3), ("lane", 32), ("two", 2)];
        let m = [("again", 2)];
        let thread = ["again", "deep", "two"];
        let held = Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &["lane"], &thread).unwrap();
        let tile = Shape { rows: 2, columns: 192, bits: 32 };
        let store = Use::new(Lanes::distributed(&held), &sm_90::st_shared_b64);
        let with = Use { instruction: &sm_90::st_shared_b32, ..store };
        for lane in [0, 1, 2, 4, 8, 16] {
            let mut tries =
                Tries { tile, all: [store; MOST], count: 1, laid: 0, best: None, most: u64::MAX };
            tries.split(0, with, [2, lane], &mut { Effort::RUN_TIME });
            assert_eq!(tries.best.unwrap().split(), Some((2, lane)));
        }
    }
}
