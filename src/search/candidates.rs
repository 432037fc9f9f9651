//! The sweep: every pad, swizzle, layer and mask of a tile, by what it costs.
//!
//! The layout of the fewest cycles need not be what a kernel wants: a pad that is 2-way may be worth it where
//! address instructions are dear. So each candidate has its cycles, bytes and address instructions:
//! ```text
//!   128x64 halves on gfx942: written row by row, read by 16 rows and by 32 rows
//!
//!   cycles  bytes  address
//!       24  16384        9  recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>
//!       32  18416        6  recipe::RowPad<F16, M<128>, K<64>, Padding<8>>
//!      104  16384        6  recipe::RowMajor<F16, M<128>, K<64>>
//! ```

use super::base::Base;
use super::candidate::Candidate;
use super::descent::MOST_NODES;
use super::effort::Effort;
use super::error::SynthesisError;
use super::question::Question;
use super::shape::{Shape, Use};
use super::spec::Spec;
use tiledesc_transforms::attempt;

/// All candidates of a tile, the least first.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let all = tile.candidates(&[read])?;
/// assert!(all.as_slice().is_sorted_by_key(|one| one.cycles()));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    tile: Shape,
    list: [Candidate; Self::MOST],
    len: usize,
    floor: u64,
}

impl Candidates {
    /// Row by row, the recipes of a shift, masks of two layerings and of lines, packs bit by bit, pads of a dword
    /// up to 64 banks, and the least at each interval; column by column the same.
    const MOST: usize = 176;

    /// The candidates, the least first: by cycles, bytes, address instructions.
    #[must_use]
    pub const fn as_slice(&self) -> &[Candidate] {
        self.list.split_at(self.len).0
    }

    /// The cycles without any conflict.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// Puts one behind all that are not greater.
    const fn insert(&mut self, candidate: Candidate) {
        if self.len == Self::MOST {
            return;
        }
        let mut at = self.len;
        while at > 0 && candidate.is_less(&self.list[at - 1]) {
            self.list[at] = self.list[at - 1];
            at -= 1;
        }
        self.list[at] = candidate;
        self.len += 1;
    }

    /// All that a question chooses from.
    const fn gather(&mut self, question: &Question<'_, '_>, uses: &[Use<'_>]) {
        let mut run_time = Effort::RUN_TIME;
        let effort = &mut run_time;
        if question.out.is_none() {
            self.insert(question.plain());
        }
        let mut i = 0;
        while i < Question::READY_MADE {
            if let Some(recipe) = question.ready_made(i)
                && let Some(candidate) = question.recipe(recipe, u64::MAX)
            {
                self.insert(question.priced(candidate));
            }
            i += 1;
        }
        let mut number = question.searches();
        while number > 0 {
            number -= 1;
            if let Some((Some(candidate), _)) =
                question.searched(number, [0, u64::MAX], MOST_NODES, effort)
                && !self.has(candidate.layout())
                && let Some(candidate) = question.of_all(candidate)
            {
                self.insert(question.priced(candidate));
            }
        }
        if let Ok(candidate) = question.dense(effort) {
            self.insert(candidate);
        }
        let least = if self.len > 0 { self.list[0].weight() } else { u64::MAX };
        if least > self.floor
            && let (Some(candidate), _) = question.linear(least, effort)
            && let Some(candidate) = question.of_all(candidate)
        {
            self.insert(question.priced(candidate));
        }
        let (step, round) = (self.tile.pad_step(uses), self.tile.pad_round(uses));
        let mut elements = step;
        while step > 0 && elements < round {
            if let Some(candidate) = question.pad(elements) {
                self.insert(candidate);
            }
            elements += step;
        }
        let [mut log2_every, last] = Question::interval_range();
        while log2_every <= last {
            if let Some(candidate) = question.least_of_interval(log2_every) {
                self.insert(candidate);
            }
            log2_every += 1;
        }
        let mut i = 0;
        while i < self.len {
            self.list[i] = question.settled(self.list[i]);
            i += 1;
        }
    }

    /// Whether some candidate is the same swizzle, perhaps of other rows to a line.
    const fn has(&self, layout: Spec) -> bool {
        let Some(masked) = layout.masked(self.tile) else { return false };
        let bytes = self.list[0].bytes();
        let mut i = 0;
        while i < self.len {
            let other = self.list[i].layout();
            if other.is_transposed() == layout.is_transposed()
                && let Some(swizzle) = other.masked(self.tile)
                && swizzle.is_same(&masked, bytes)
            {
                return true;
            }
            i += 1;
        }
        false
    }
}

impl Shape {
    /// Every layout that [`synthesize`](Self::synthesize) chooses from, with its costs: for tables,
    /// and for kernels that trade cycles for bytes or instructions.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Spec, Use};
    /// use tiledesc::{chip::gfx1100, pattern::Lanes};
    ///
    /// // Rows of 64 bytes and a WMMA operand on gfx11: no pad is 4-way, 16 halves are 2-way, 8 are
    /// // free (ROCm/rocm-libraries issue 10891, where a pad that is chosen by rule does nothing).
    /// let tile = Shape { rows: 128, columns: 32, bits: 16 };
    /// let read = [Use::new(Lanes::repeated_rows(16), &gfx1100::ds_load_b128)];
    /// let all = tile.candidates(&read)?;
    /// let cycles = |layout| {
    ///     let found = all.as_slice().iter().find(|candidate| candidate.layout() == layout);
    ///     found.unwrap().cycles() / all.floor()
    /// };
    /// assert_eq!(cycles(Spec::row_major()), 4);
    /// assert_eq!(cycles(Spec::row_pad(16)), 2);
    /// assert_eq!(cycles(Spec::row_pad(8)), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`].
    pub const fn candidates(self, uses: &[Use<'_>]) -> Result<Candidates, SynthesisError> {
        let question = attempt!(self.question(uses));
        let (plain, floor) = (question.plain(), question.floor);
        let mut all = Candidates { tile: self, list: [plain; Candidates::MOST], len: 0, floor };
        all.gather(&question, uses);
        if let Some(question) = self.other_question(uses, &all.list[0], floor) {
            all.gather(&question, uses);
        }
        Ok(all)
    }

    /// The same of both orders of memory, columns even where rows are free: what
    /// [`synthesize_both_ways`](Self::synthesize_both_ways) chooses from.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Spec, Use};
    /// use tiledesc::{chip::sm_75::st_shared_b32, pattern::Lanes};
    ///
    /// let tile = Shape { rows: 8, columns: 32, bits: 32 };
    /// let all = tile.candidates_both_ways(&[Use::new(Lanes::column_major(), &st_shared_b32)])?;
    /// assert_eq!(all.as_slice()[0].layout(), Spec::row_major().transposed());
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`], if neither order holds all uses.
    pub const fn candidates_both_ways(
        self,
        uses: &[Use<'_>],
    ) -> Result<Candidates, SynthesisError> {
        let rows = self.candidates_one_way(Base::rows(self), uses);
        let columns = self.candidates_one_way(Base::columns(self), uses);
        match (rows, columns) {
            (Ok(mut rows), Ok(columns)) => {
                let mut i = 0;
                while i < columns.len {
                    rows.insert(columns.list[i]);
                    i += 1;
                }
                Ok(rows)
            }
            (Ok(all), Err(_)) | (Err(_), Ok(all)) => Ok(all),
            // In the words for both.
            (Err(_), Err(_)) => self.candidates(uses),
        }
    }

    const fn candidates_one_way(
        self,
        base: Base,
        uses: &[Use<'_>],
    ) -> Result<Candidates, SynthesisError> {
        let question = attempt!(base.question(uses));
        let (plain, floor) = (question.plain(), question.floor);
        let mut all = Candidates { tile: self, list: [plain; Candidates::MOST], len: 0, floor };
        all.gather(&question, uses);
        match question.out {
            Some(error) if all.len == 0 => Err(error),
            _ => Ok(all),
        }
    }
}

/// A line for each candidate: cycles, bytes, address instructions, and what a user pastes.
impl core::fmt::Display for Candidates {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("cycles   bytes address\n")?;
        self.as_slice().iter().try_for_each(|candidate| {
            let line = candidate.layout().text(self.tile.element(), self.tile);
            let [cycles, bytes] = [candidate.cycles(), candidate.bytes()];
            writeln!(f, "{cycles:6} {bytes:7} {:7}  {line}", candidate.address_instructions())
        })
    }
}
