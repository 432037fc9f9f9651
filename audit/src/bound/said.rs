//! The sentence of a bound.
//!
//! ```text
//!   loop at gemm.hip:41: LDS 576 cycles a trip, MFMA 512: LDS-bound by 1.13; without conflicts 320: MFMA-bound by 1.60
//!   loop at gemm.hip:41: LDS 576 cycles a trip, MFMA 2048: MFMA-bound by 3.56; without conflicts 320, which changes nothing
//!   each instruction once: shared memory at least 96 cycles, MMA 128: which is more is not known
//! ```

use super::{Bound, By};
use crate::span::Span;
use std::fmt;

/// What a bound leaves out and assumes; printed once, below the bounds.
pub const LEFT_OUT: &str = "bounds, not times: without waits, other instructions and global memory; wave n is on SIMD n mod 4";

impl Bound {
    /// Its cycles and what bounds it, without a word of conflicts.
    pub(crate) fn now(&self) -> String {
        let is_weak = self.is_inferred && self.by() != By::Open;
        let inferred = if is_weak { " (inferred)" } else { "" };
        format!("{}{}{inferred}", self.cycles_of(), self.verdict(self.memory))
    }

    /// The sentence after a move of bytes: `then loop at gemm.hip:41: LDS 320 cycles a trip, MFMA 512: MFMA-bound by 1.60`
    pub(crate) fn after(&self, before: &Self) -> String {
        let nothing = before.by() == By::Matrix && self.by() == By::Matrix;
        format!("then {}{}", self.now(), if nothing { ", as before" } else { "" })
    }

    /// `loop at gemm.hip:41: LDS 576 cycles a trip, MFMA 512`
    fn cycles_of(&self) -> String {
        let (head, trip) = match (&self.place, self.stated) {
            (Some(place), _) => (format!("loop at {place}"), " a trip"),
            (None, Some(1)) => ("a trip of 1 wave".to_string(), ""),
            (None, Some(waves)) => (format!("a trip of {waves} waves"), ""),
            (None, None) => ("each instruction once".to_string(), ""),
        };
        let waves = if self.is_of_four { " of 4 waves" } else { "" };
        let [memory, matrix] = self.units;
        let cycles = |unit: &str, span: Span| match span {
            Span::UNKNOWN => format!("{unit} not known"),
            span => format!("{unit} {span} cycles{trip}{waves}"),
        };
        let parts = match [self.memory, self.matrix] {
            [Span::NONE, pipe] => format!("{}, no {memory}", cycles(matrix, pipe)),
            [banks, Span::NONE] => format!("{}, no {matrix}", cycles(memory, banks)),
            [banks, pipe] => format!("{}, {matrix} {pipe}", cycles(memory, banks)),
        };
        format!("{head}: {parts}")
    }

    /// `: LDS-bound by 1.13`
    fn verdict(&self, memory: Span) -> String {
        let bound = |unit: &str, more: Span, less: Span| {
            let by = more.over(less).map_or(String::new(), |by| format!(" by {by}"));
            format!(": {}-bound{by}", unit.replace(' ', "-"))
        };
        match self.by_either(memory) {
            By::Memory => bound(self.units[0], memory, self.matrix),
            By::Matrix => bound(self.units[1], self.matrix, memory),
            By::Open => ": which is more is not known".to_string(),
            By::Nothing => String::new(),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.now())?;
        if self.free == self.memory {
            return Ok(());
        }
        write!(f, "; without conflicts {}", self.free)?;
        match self.by() == By::Matrix {
            true => f.write_str(", which changes nothing"),
            false => f.write_str(&self.verdict(self.free)),
        }
    }
}
