//! Lanes that are served together, and the banks that serve them.
//!
//! ```text
//!   128x64 halves, ds_read_b128 by 16 rows on gfx942
//!
//!   phase 0     lanes 0-3 and 20-23     (0, 0) (1, 0) (2, 0) (3, 0) (4, 8) (5, 8) (6, 8) (7, 8)
//!   a lane moves one unit of 16 bytes; 32 banks are 8 groups of 16 bytes
//!   row by row  bytes                   0 128 256 384 528 656 784 912
//!               groups                  0   0   0   0   1   1   1   1     4 units in one group: 4 cycles, 3 of them lost
//! ```

use tiledesc::chip::{Instruction, Service};

/// A row and a column of the tile whose rows are contiguous.
pub(super) type Element = [u32; 2];

/// The banks as they serve the lanes of a phase: in units that a lane always moves whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Banks {
    /// A unit is `1 << shift` bytes.
    pub(super) shift: u32,
    /// Groups of banks that each hold a unit: a power of two.
    pub(super) groups: u32,
    /// Bytes that a lane moves.
    bytes: u32,
    /// The alignment of its first byte.
    alignment: u32,
    /// Bytes from a lane's address to what it moves in this part of the instruction.
    pub(super) offset: u32,
}

impl Banks {
    pub(super) fn new(row: &Instruction, service: &Service, part: usize) -> Self {
        let (bytes, alignment) = (row.bytes(), row.alignment());
        // Aligned lanes move whole units: 12 bytes at multiples of 8 are no whole units of 8.
        let is_whole = alignment >= bytes || bytes.is_multiple_of(alignment);
        let unit = if is_whole { alignment.max(4) } else { 4 };
        Self {
            shift: unit.ilog2(),
            groups: service.banks * 4 / unit,
            bytes,
            alignment,
            offset: row.part(part),
        }
    }

    /// The units of some lanes by the bytes at which they begin: each once, in order.
    pub(super) fn units(self, mut begins: Vec<u32>) -> impl Iterator<Item = u32> {
        begins.sort_unstable();
        let mut next = 0;
        begins.into_iter().flat_map(move |begin| {
            let first = begin + self.offset;
            let units =
                (first >> self.shift).max(next)..((first + self.bytes - 1) >> self.shift) + 1;
            next = units.end;
            units
        })
    }

    /// The bits of a byte's address that choose its group.
    pub(super) fn bits(self) -> core::ops::Range<u32> {
        self.shift..self.shift + self.groups.ilog2()
    }

    /// The most of some different units in one group.
    pub(super) fn fullest(self, units: impl Iterator<Item = u32>) -> u64 {
        let (mut groups, mut most) = ([0u16; 64], 0);
        units.for_each(|unit| {
            let group = &mut groups[(unit & (self.groups - 1)) as usize % 64];
            *group += 1;
            most = most.max(*group);
        });
        u64::from(most)
    }
}

/// Lanes that are served together: what they touch, each element once.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    pub(super) banks: Banks,
    pub(super) elements: Vec<Element>,
    /// The number of times that such a phase is served.
    pub(super) times: u64,
}

impl Phase {
    /// The cycles lost where `byte` returns the byte of an element; `None` if one is not aligned there.
    pub(super) fn lost(&self, byte: impl Fn(Element) -> u32) -> Option<u64> {
        let begins: Vec<u32> = self.elements.iter().map(|element| byte(*element)).collect();
        let is_aligned = begins.iter().all(|begin| begin.is_multiple_of(self.banks.alignment));
        let fullest = || self.banks.fullest(self.banks.units(begins));
        is_aligned.then(|| self.times * fullest().saturating_sub(1))
    }
}
