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

use super::claim::{self, Claim};
use crate::access::columns::Columns;
use crate::chip::instruction::{Instruction, Service};

/// The claims of all accesses, on dwords of the tile.
#[derive(Clone, Copy)]
pub(super) struct Claims {
    list: [Claim; claim::MOST],
    len: usize,
    /// By how many bits an access chooses among its banks: a bit for each number.
    bank_bits: u32,
    /// The cycles of all without conflicts.
    pub(super) base_cycles: u64,
}

impl Claims {
    /// None yet.
    pub(super) const NONE: Self =
        Self { list: [Claim::NONE; claim::MOST], len: 0, bank_bits: 0, base_cycles: 0 };

    /// Adds an access of columns that is done so often; whether it has a claim: none has an access whose phases are no
    /// cosets, one of 12 bytes, of a pack that is not aligned to itself, of two addresses, or one too many.
    pub(super) const fn add(&mut self, columns: &Columns, row: &Instruction, times: u64) -> bool {
        let bytes = row.bytes();
        if row.parts() > 1 || bytes != row.alignment() || columns.mask() & (bytes - 1) != 0 {
            return false;
        }
        let service = row.served(columns.are_merged(row));
        let is_put = self.put(columns, service, bytes, times);
        // Of two sources that disagree both count, unless the row says which.
        match row.rival() {
            Some(rival) if is_put && !row.is_settled() => self.put(columns, rival, bytes, times),
            _ => is_put,
        }
    }

    const fn put(&mut self, columns: &Columns, service: &Service, bytes: u32, times: u64) -> bool {
        let Some(claim) = Claim::from_columns(columns, service, bytes, times) else { return false };
        if self.len == claim::MOST {
            return false;
        }
        self.list[self.len] = claim;
        self.len += 1;
        self.base_cycles += claim.base_cycles;
        self.bank_bits |= 1 << claim.bank_bits;
        true
    }

    pub(super) const fn as_slice(&self) -> &[Claim] {
        self.list.split_at(self.len).0
    }

    /// Returns whether an access has 2^`bank_bits` banks.
    pub(super) const fn has_bank_bits(&self, bank_bits: u32) -> bool {
        self.bank_bits >> bank_bits & 1 == 1
    }

    /// The bits that choose among the most banks of all.
    pub(super) const fn most_bank_bits(&self) -> u32 {
        (self.bank_bits | 1).ilog2()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::access::placed::Placed;
    use crate::chip::gfx942;
    use crate::pattern::Lanes;
    use crate::recipe::Shape;

    /// The claims of some accesses over a tile row by row.
    pub(in crate::search) fn of_all(tile: Shape, accesses: &[(Lanes<'_>, &Instruction)]) -> Claims {
        let plan = tile.rows_in_order().unwrap();
        let mut claims = Claims::NONE;
        for (lanes, row) in accesses {
            let placed = Placed::new(&plan, tile.bits, *lanes, row).unwrap();
            let Some(columns) = placed.columns() else { panic!("{placed:?}") };
            assert!(claims.add(columns, row, 1));
        }
        claims
    }

    /// The example of the module.
    #[test]
    fn three_accesses() {
        let tile = Shape { rows: 128, columns: 64, bits: 16 };
        let claims = of_all(
            tile,
            &[
                (Lanes::row_major(), &gfx942::ds_write_b128),
                (Lanes::rows(16), &gfx942::ds_read_b128),
                (Lanes::rows(32), &gfx942::ds_read_b128),
            ],
        );
        let touched = [[1, 2, 4, 8, 16], [1, 2, 32, 64, 132], [1, 2, 32, 64, 640]];
        for (i, degree) in [1, 4, 8].into_iter().enumerate() {
            let claim = &claims.as_slice()[i];
            assert_eq!(claim.touched.dimension(), 5);
            assert!(touched[i].iter().all(|number| claim.touched.holds(*number)));
            assert_eq!((claim.bank_bits, claim.base_cycles), (5, 8));
            assert_eq!(claim.touched.size_within(32), degree);
        }
    }
}
