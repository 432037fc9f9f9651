//! Bytes that a read finds and that no write of its tile has put there.
//!
//! ```text
//!   write  lane * 4            bytes 0 .. 256
//!   read   lane * 4 + 1024     bytes 1024 .. 1280: none of them was written
//! ```

use crate::report::access::Unwritten;
use crate::request::spelling::{coordinate as coordinate_of, plural};
use tiledesc::access::Placed;

/// A set of bytes.
pub(crate) struct Bytes {
    is_in: Vec<bool>,
    count: u64,
}

impl Bytes {
    /// An empty set of bytes below `space`.
    pub(crate) fn none(space: u64) -> Self {
        Self { is_in: vec![false; usize::try_from(space).unwrap_or(0)], count: 0 }
    }

    /// The number of bytes in the set.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Adds those that an access touches; `None` if that is not known.
    pub(crate) fn add_all(&mut self, placed: &Placed<'_, '_>) -> Option<()> {
        each_run(placed, |_, _, first, bytes| {
            (first..first + bytes).for_each(|byte| self.add(byte));
        })
    }

    fn add(&mut self, byte: u64) {
        if let Some(is_in) = self.is_in.get_mut(byte as usize) {
            self.count += u64::from(!*is_in);
            *is_in = true;
        }
    }

    fn has(&self, byte: u64) -> bool {
        self.is_in.get(byte as usize).copied().unwrap_or(false)
    }

    /// The bytes of a read that are not in the set; `has_coordinates` unless the tile is of bytes.
    pub(crate) fn missed(&self, read: &Placed<'_, '_>, has_coordinates: bool) -> Option<Unwritten> {
        let (mut missed, mut first) = (Self::none(self.is_in.len() as u64), None);
        each_run(read, |instruction, lane, from, bytes| {
            for byte in (from..from + bytes).filter(|byte| !self.has(*byte)) {
                missed.add(byte);
                first = first.or(Some((instruction, lane, byte)));
            }
        })?;
        let (instruction, lane, byte) = first?;
        let coordinate = read.touched(instruction).ok()?.coordinate(lane);
        let coordinate = coordinate.filter(|_| has_coordinates);
        let at = coordinate.map(|at| coordinate_of(at.as_slice()) + ", ").unwrap_or_default();
        let sentence = format!(
            "reads {} that no stated write covers, first in instruction {instruction}: lane {lane}, {at}byte {byte}",
            plural(missed.count, "byte")
        );
        let coordinate = coordinate.map(|at| at.as_slice().to_vec());
        Some(Unwritten { bytes: missed.count, instruction, lane, coordinate, byte, sentence })
    }
}

/// Calls `f` with the instruction, the lane, the first byte and the number of bytes of each run of bytes that a lane
/// touches; `None` if that is not known of all.
fn each_run(placed: &Placed<'_, '_>, mut f: impl FnMut(u64, usize, u64, u64)) -> Option<()> {
    let row = placed.instruction();
    for step in 0..placed.instructions() {
        let touched = placed.touched(step).ok()?;
        for lane in 0..64 {
            let Some(address) = touched.addresses().get(lane) else { continue };
            for part in 0..row.parts() {
                let first = u64::from(address) + u64::from(row.part(part));
                f(step, lane, first, u64::from(row.bytes()));
            }
        }
    }
    Some(())
}
