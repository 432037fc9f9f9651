//! The cost of a load in memory: the lines that one instruction touches, and the fewest possible.
//!
//! ```text
//!   16 bytes a lane, swizzled rows of 128 bytes     8 lines of 128, the fewest: it stays inside them
//!   4 bytes a lane, floats transposed into LDS     64 lines of 64, where 4 would do
//! ```

use super::plan::{DirectLoad, Unit};
use tiledesc_transforms::List;

impl DirectLoad<'_> {
    /// The memory lines, of the given size in bytes, that one instruction touches in a tensor that begins at a line; `None` if
    /// that depends on a pitch of the run time that is not stated to be whole lines.
    ///
    /// # Panics
    ///
    /// Without such a wave or load, or with lines of 0 bytes.
    #[must_use]
    #[track_caller]
    pub const fn lines(&self, wave: u32, load: u32, line: u32) -> Option<u32> {
        self.refuse_absent(wave, load, 0);
        refuse_no_line(line);
        let mut lines = Lines::NONE;
        let mut lane = 0;
        while lane < self.request.transfer.wave() {
            if let Some(unit) = self.unit(wave, load, lane) {
                let Some((first, rows)) = self.line(&unit, line) else { return None };
                let mut here = first / line as u64;
                while here <= (first + self.data() as u64 - 1) / line as u64 {
                    lines.add(here, rows);
                    here += 1;
                }
            }
            lane += 1;
        }
        Some(lines.count as u32)
    }

    /// The fewest memory lines of the given size that one instruction can touch: its data in one piece.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    /// use tiledesc::direct::{Request, Source};
    /// use tiledesc::Plan;
    ///
    /// // Floats that are transposed on their way into LDS: each lane reads from a row of its own.
    /// let columns = Plan::naive(&[128, 64], &[1, 128])?;
    /// let loads = Request::new(&columns, 32, Source::rows(4096), &gfx942::global_load_lds_b32);
    /// let plan = loads.plan().unwrap();
    /// assert_eq!((plan.lines(0, 0, 64), plan.fewest_lines(64)), (Some(64), 4));
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// With lines of 0 bytes.
    #[must_use]
    #[track_caller]
    pub const fn fewest_lines(&self, line: u32) -> u32 {
        refuse_no_line(line);
        let lines = self.request.transfer.wave() * self.data() / line;
        if lines > 1 { lines } else { 1 }
    }

    /// The known part of a unit's source byte, and its indices along dimensions whose stride is a
    /// whole number of lines that only the run time knows.
    const fn line(&self, unit: &Unit, line: u32) -> Option<(u64, List)> {
        let source = &self.request.source;
        let (mut known, mut rows, mut d) = (unit.coordinate, unit.coordinate, 0);
        while d < known.len() {
            if source.open() >> d & 1 == 0 {
                rows = rows.with(d, 0);
            } else {
                let Some(stride) = source.stated(d) else { return None };
                if !(stride as u64 * self.request.bits as u64).is_multiple_of(line as u64 * 8) {
                    return None;
                }
                known = known.with(d, 0);
            }
            d += 1;
        }
        match self.source_of(&Unit { coordinate: known, part: unit.part }) {
            Some(byte) => Some((byte, rows)),
            None => None,
        }
    }
}

const EMPTY: List = List::pair(0, 0);

/// Lines that differ.
struct Lines {
    /// At most two for each lane: a unit is narrower than a line.
    found: [(u64, List); 256],
    count: usize,
}

impl Lines {
    const NONE: Self = Self { found: [(0, EMPTY); 256], count: 0 };

    const fn add(&mut self, line: u64, rows: List) {
        let mut i = 0;
        while i < self.count {
            let (other, others) = &self.found[i];
            if *other == line && others.is_same(&rows) {
                return;
            }
            i += 1;
        }
        if self.count < self.found.len() {
            self.found[self.count] = (line, rows);
            self.count += 1;
        }
    }
}

/// Refuses lines of 0 bytes, on the caller's line.
#[track_caller]
const fn refuse_no_line(line: u32) {
    assert!(line > 0, "a memory line of 0 bytes");
}
