//! The claims of a kernel's accesses on the banks of a tile, as the [descent](super::descent) takes them.
//!
//! A layout that permutes whole packs moves them to other banks, and leaves a pattern what it is: which
//! dwords one phase touches together. So each access is laid over the row-major tile once, and not for each
//! candidate:
//!
//! ```text
//!   128x64 halves on gfx942, 32 banks   dwords of a phase: the sums of   cycles: no conflicts   row by row
//!   ds_write_b128, row by row           1, 2, 4, 8, 16                            8              8
//!   ds_read_b128 by 16 rows             1, 2, 32, 64, 132                         8             32
//!   ds_read_b128 by 32 rows             1, 2, 32, 64, 640                         8             64
//! ```
//!
//! Where two sources disagree on the phases of an instruction, an access has a claim by each.

use super::claim::Claim;
use super::price::{COMPARED, SAMPLED};
use super::weight::Weight;
use crate::access::addresses::Addresses;
use crate::access::columns::{Alike, Columns};
use crate::access::placed::Placed;
use crate::access::repeats::Repeats;
use crate::bank::rank::{are_apart, served};
use crate::bank::span::Span;
use crate::chip::instruction::{Access, Instruction, Service};

/// The claims of all accesses, on dwords of the tile.
#[derive(Clone, Copy)]
pub(crate) struct Claims {
    list: [Claim; Self::MOST],
    len: usize,
    /// The bits that choose among the most banks of all.
    bank_bits: u32,
    base_cycles: u64,
    rival_cycles: u64,
}

/// What an access takes of the tile row by row.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    /// Cycles without conflicts.
    pub(crate) floor: u64,
    /// The same by the other source, where two disagree; else the same.
    pub(crate) rival_floor: u64,
    /// All cycles.
    pub(super) weight: Weight,
}

impl Claims {
    /// Different accesses that are searched for together.
    pub(crate) const MOST: usize = super::claim::MOST;

    /// None yet.
    pub(crate) const NONE: Self = Self {
        list: [Claim::NONE; Self::MOST],
        len: 0,
        bank_bits: 0,
        base_cycles: 0,
        rival_cycles: 0,
    };

    /// Adds an access of columns that is done so often; what it takes row by row. `None` if it has no
    /// claim (phases that are not cosets, 12 bytes, a pack that is not aligned to itself, two addresses, a race), or there are too many.
    pub(crate) const fn add(
        &mut self,
        columns: &Columns,
        row: &Instruction,
        times: u64,
    ) -> Option<Taken> {
        let bytes = row.bytes();
        if row.parts() > 1 || bytes != row.alignment() {
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
                    self.rival_cycles += more.floor;
                    let ([own, _], [rival, _]) = (taken.weight.by_source, more.weight.by_source);
                    let weight = Weight { sum: own + rival - more.floor, by_source: [own, rival] };
                    Some(Taken { weight, rival_floor: more.floor, ..taken })
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
        let bank_bits = service.banks.trailing_zeros();
        let floor = times * service.phases.count() as u64;
        self.list[self.len] = Claim::new(touched, bank_bits, floor);
        self.len += 1;
        self.base_cycles += floor;
        self.bank_bits = if bank_bits > self.bank_bits { bank_bits } else { self.bank_bits };
        let cycles = floor * touched.size_within(service.banks) as u64;
        let weight = Weight { sum: cycles, by_source: [cycles; 2] };
        Some(Taken { floor, rival_floor: floor, weight })
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

    /// The bits of a dword's number that choose among the most banks of all.
    pub(crate) const fn bank_bits(&self) -> u32 {
        self.bank_bits
    }

    /// The bits that choose among the fewest banks, and among the most; `None` if an access has a third
    /// number of banks.
    pub(crate) const fn fewest_and_most_bank_bits(&self) -> Option<[u32; 2]> {
        let (mut fewest, mut i) = (self.bank_bits, 0);
        while i < self.len {
            let bank_bits = self.list[i].bank_bits;
            fewest = if bank_bits < fewest { bank_bits } else { fewest };
            i += 1;
        }
        let (mut both, mut i) = (true, 0);
        while i < self.len {
            let bank_bits = self.list[i].bank_bits;
            both = both && (bank_bits == fewest || bank_bits == self.bank_bits);
            i += 1;
        }
        if both { Some([fewest, self.bank_bits]) } else { None }
    }

    /// Whether an access has 2^`bank_bits` banks.
    pub(crate) const fn has_bank_bits(&self, bank_bits: u32) -> bool {
        let mut i = 0;
        while i < self.len && self.list[i].bank_bits != bank_bits {
            i += 1;
        }
        i < self.len
    }

    /// The cycles of all without conflicts.
    pub(crate) const fn base_cycles(&self) -> u64 {
        self.base_cycles
    }

    /// Of these the cycles that rival sources count once more: the kernel does not take them.
    pub(crate) const fn rival_cycles(&self) -> u64 {
        self.rival_cycles
    }
}

/// Instructions of a table that are looked at.
const MOST_SAMPLES: u64 = 64;

/// What each bit of a lane's number flips, the same in all instructions; `None` if that is not
/// so, or packs are not aligned to themselves. By digits, or else lane by lane, at a cost that is added to
/// `units`.
pub(crate) const fn columns(placed: &Placed<'_, '_>, units: &mut u64) -> Option<Columns> {
    match placed.alike() {
        Some(Alike::Columns(columns)) => return Some(*columns),
        None if placed.instructions() <= MOST_SAMPLES => {}
        _ => return None,
    }
    // Of a table whose last instruction is not full no lane's number is made of bits.
    if !placed.is_full(placed.instructions() - 1) {
        return None;
    }
    // Those that others repeat, if all begin where these lanes flip nothing.
    let repeats = placed.repeats();
    if repeats.end() < placed.instructions() {
        match sampled(placed, &Some(repeats), units) {
            Some(columns) if placed.begin_apart(columns.mask()) => return Some(columns),
            Some(_) => {}
            // All are no more alike than these.
            None => return None,
        }
    }
    sampled(placed, &None, units)
}

/// The columns of every instruction, or of those that others repeat, if all flip the same.
const fn sampled(
    placed: &Placed<'_, '_>,
    repeats: &Option<Repeats>,
    units: &mut u64,
) -> Option<Columns> {
    let aligned = placed.instruction().bytes() - 1;
    let end = match repeats {
        Some(repeats) => repeats.end(),
        None => placed.instructions(),
    };
    let (strides, mut first, mut step) = (placed.strides(), None, 0);
    let mut begin = Addresses::NONE;
    let (lanes, is_table) =
        (placed.instruction().service().phases.addressed(), placed.listed().is_some());
    while step < end {
        if let Some(repeats) = repeats
            && repeats.of(placed.walk(), step) == 0
        {
            step += 1;
            continue;
        }
        if first.is_some() && is_table {
            *units += lanes as u64 * COMPARED;
        }
        // Moved to where these lanes flip nothing, it is the first again.
        if let Some(first) = &first
            && placed.is_moved_apart(step, &strides, &begin, first)
        {
            step += 1;
            continue;
        }
        *units += SAMPLED;
        let Ok(addresses) = placed.addresses_by(step, &strides) else { return None };
        let Some(here) = Columns::of(&addresses, lanes) else { return None };
        let first = match first {
            None => {
                (first, begin) = (Some(here), addresses);
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chip::gfx942;
    use crate::pattern::Lanes;
    use crate::search::shape::Shape;
    use alloc::vec::Vec;

    /// The claims of some accesses over a tile row by row, and what each takes there.
    pub(in crate::search) fn of_all(
        tile: Shape,
        accesses: &[(Lanes<'_>, &Instruction)],
    ) -> (Claims, Vec<Taken>) {
        let plan = tile.rows_in_order().unwrap();
        let mut claims = Claims::NONE;
        let add = |(lanes, row): &(Lanes<'_>, &Instruction)| {
            let placed = Placed::new(&plan, tile.bits, *lanes, row).unwrap();
            claims.add(&columns(&placed, &mut 0).unwrap(), row, 1).unwrap()
        };
        let taken = accesses.iter().map(add).collect();
        (claims, taken)
    }

    /// The example of the module.
    #[test]
    fn three_accesses() {
        let tile = Shape { rows: 128, columns: 64, bits: 16 };
        let (claims, taken) = of_all(
            tile,
            &[
                (Lanes::row_major(), &gfx942::ds_write_b128),
                (Lanes::rows(16), &gfx942::ds_read_b128),
                (Lanes::rows(32), &gfx942::ds_read_b128),
            ],
        );
        let touched = [[1, 2, 4, 8, 16], [1, 2, 32, 64, 132], [1, 2, 32, 64, 640]];
        for (i, cycles) in [8, 32, 64].into_iter().enumerate() {
            let claim = claims.at(i);
            assert_eq!(claim.touched.dimension(), 5);
            assert!(touched[i].iter().all(|number| claim.touched.holds(*number)));
            assert_eq!((claim.bank_bits, taken[i].floor, taken[i].weight.sum), (5, 8, cycles));
        }
    }
}
