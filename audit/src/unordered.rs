//! A write and a read of one byte by two waves, in an order that no barrier decides.
//!
//! ```text
//!   may be a race: ds_write_b32 at line 6 by lane 0 of wave 1 and ds_read_b32 at line 7 by lane 63 of wave 0
//!   access byte 256, and no barrier orders them
//! ```

use crate::place::Place;
use std::fmt;
use std::sync::Arc;

/// One of two accesses to a byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The instruction.
    pub opcode: String,
    /// The line of the source, `attention.py:13`, or of the text.
    pub place: String,
    /// The line of the source with the calls that led there, if the text names it.
    pub source: Option<Arc<Place>>,
    /// The line in the text, from 1.
    pub line: usize,
    /// The wave's number in its block.
    pub wave: usize,
    /// The lane of the wave.
    pub lane: usize,
}

/// A byte that a lane writes and a lane of another wave reads, with no barrier between the two: perhaps a data race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unordered {
    /// The write.
    pub write: Side,
    /// The read.
    pub read: Side,
    /// The byte; in a variable that the text names, from its begin on.
    pub byte: u32,
    /// The variable, as the source calls it.
    pub variable: Option<String>,
    /// Whether the later of the two is in the next round of a loop.
    pub is_next_round: bool,
    /// The block, if it is taken to be so and not stated.
    pub taken: Option<[u32; 3]>,
    /// The lines in the text of all pairs that are alike, those of the write first.
    pub lines: Vec<[usize; 2]>,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { opcode, place, wave, lane, .. } = self;
        write!(f, "{opcode} at {place} by lane {lane} of wave {wave}")
    }
}

impl fmt::Display for Unordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { write, read, byte, .. } = self;
        let of = self.variable.as_ref().map_or(String::new(), |name| format!(" of {name}"));
        let round = if self.is_next_round { " from one round of the loop to the next" } else { "" };
        write!(f, "may be a race: {write} and {read} access byte {byte}{of}, ")?;
        write!(f, "and no barrier orders them{round}")?;
        if let Some([x, y, z]) = self.taken {
            write!(f, ", in blocks of {x},{y},{z}")?;
        }
        match self.lines.len() {
            0 | 1 => Ok(()),
            many => write!(f, "; {} more like it", many - 1),
        }
    }
}
