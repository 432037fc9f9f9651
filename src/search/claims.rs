//! What the accesses of a kernel ask of a tile's layout, as the [descent](super::descent) takes it.
//!
//! A pattern over the row-major tile says which dwords one phase touches. A layout that permutes
//! whole packs moves them to other banks and leaves the pattern what it is, so the tile is laid
//! out once, and not for each candidate.

use super::claim::Claim;
use crate::access::columns::{Alike, Columns};
use crate::access::placed::Placed;
use crate::bank::rank::{are_apart, served};
use crate::bank::span::Span;
use crate::chip::instruction::{Access, Instruction, Service};

/// The claims of all accesses, on dwords of the tile.
#[derive(Clone, Copy)]
pub(crate) struct Claims {
    list: [Claim; Self::MOST],
    len: usize,
    line: u32,
    cycles: u64,
    rivals: u64,
}

/// What an access takes of the tile row by row.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    /// Cycles without conflicts.
    pub(crate) floor: u64,
    /// All cycles; where two sources disagree with the conflicts of both.
    pub(crate) cycles: u64,
}

impl Claims {
    /// Different accesses that are searched for together.
    pub(crate) const MOST: usize = super::claim::MOST;

    /// None yet.
    pub(crate) const NONE: Self =
        Self { list: [Claim::NONE; Self::MOST], len: 0, line: 0, cycles: 0, rivals: 0 };

    /// Adds an access of columns that is done so often; what it takes row by row. `None` if it has no
    /// claim (phases that are no cosets, 12 bytes, two addresses, a race), or there are too many.
    pub(crate) const fn add(
        &mut self,
        columns: &Columns,
        row: &Instruction,
        times: u64,
    ) -> Option<Taken> {
        let bytes = row.bytes();
        if row.parts() > 1 || !bytes.is_power_of_two() {
            return None;
        }
        if row.access().is(Access::Write) && !are_apart(columns, bytes) {
            return None;
        }
        let (service, _) = served(columns, row);
        let Some(taken) = self.put(columns, service, bytes, times) else { return None };
        // Of two sources that disagree both count, unless the row says which.
        match row.rival() {
            Some(rival) if !row.is_settled() => match self.put(columns, rival, bytes, times) {
                Some(more) => {
                    self.rivals += more.floor;
                    let cycles = taken.cycles + more.cycles - more.floor;
                    Some(Taken { cycles, ..taken })
                }
                None => None,
            },
            _ => Some(taken),
        }
    }

    const fn put(
        &mut self,
        columns: &Columns,
        service: &Service,
        bytes: u32,
        times: u64,
    ) -> Option<Taken> {
        let Some(cosets) = service.phases.cosets() else { return None };
        if self.len == Self::MOST || !service.banks.is_power_of_two() {
            return None;
        }
        let touched = Span::touched(columns, cosets, bytes);
        let line = service.banks.trailing_zeros();
        let floor = times * service.phases.count() as u64;
        self.list[self.len] = Claim::new(touched, line, floor);
        self.len += 1;
        self.cycles += floor;
        self.line = if line > self.line { line } else { self.line };
        Some(Taken { floor, cycles: floor * touched.size_within(service.banks) as u64 })
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn at(&self, i: usize) -> &Claim {
        &self.list[i]
    }

    /// All of them.
    pub(crate) const fn as_slice(&self) -> &[Claim] {
        self.list.split_at(self.len).0
    }

    /// The first bit, in dwords, above the banks of all.
    pub(crate) const fn line(&self) -> u32 {
        self.line
    }

    /// The first bits above the fewest banks and above the most; `None` if some access has others.
    pub(crate) const fn lines(&self) -> Option<[u32; 2]> {
        let (mut least, mut i) = (self.line, 0);
        while i < self.len {
            let line = self.list[i].line;
            least = if line < least { line } else { least };
            i += 1;
        }
        let (mut both, mut i) = (true, 0);
        while i < self.len {
            let line = self.list[i].line;
            both = both && (line == least || line == self.line);
            i += 1;
        }
        if both { Some([least, self.line]) } else { None }
    }

    /// Whether some access has its banks below this bit.
    pub(crate) const fn has_line(&self, line: u32) -> bool {
        let mut i = 0;
        while i < self.len && self.list[i].line != line {
            i += 1;
        }
        i < self.len
    }

    /// The cycles of all without conflicts.
    pub(crate) const fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Of these the cycles that are by other sources, and none of the kernel.
    pub(crate) const fn rivals(&self) -> u64 {
        self.rivals
    }
}

/// Instructions of a table that are looked at.
const MOST_SAMPLES: u64 = 64;

/// What each bit of a lane's number flips, the same in all instructions; `None` if that is not
/// so, or packs are not aligned to themselves. By digits, or else lane by lane.
pub(crate) const fn columns(placed: &Placed<'_, '_>) -> Option<Columns> {
    let aligned = placed.instruction().bytes() - 1;
    match placed.alike() {
        Some(Alike::Columns(columns)) => return Some(*columns),
        None if placed.instructions() <= MOST_SAMPLES => {}
        _ => return None,
    }
    let (mut first, mut step) = (None, 0);
    while step < placed.instructions() {
        let Ok(touched) = placed.touched(step) else { return None };
        let lanes = placed.instruction().service().phases.addressed();
        let Some(here) = Columns::of(touched.addresses(), lanes) else { return None };
        let first = match first {
            None => {
                first = Some(here);
                here
            }
            Some(first) => first,
        };
        if here.mask() & aligned != 0 || !here.flips_as(&first) {
            return None;
        }
        step += 1;
    }
    first
}
