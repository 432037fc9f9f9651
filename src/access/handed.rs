//! Operands by instructions that hand round what lanes address, and what would bring a distribution that one does not.
//!
//! ```text
//!   ldmatrix.x4 by A of m16n8k16    lanes give rows, and get 4 x 2 halves     judged by the rows
//!   ldmatrix.x4 by B                a lane holds 2 matrices                   "..; ldmatrix.x2 does"
//!   ld.shared.b128 by A             a lane's halves are contiguous in twos    "..; ldmatrix.x4 brings them"
//! ```

use super::error::AccessError;
use super::vectors::is_contiguous;
use crate::chip::instruction::Instruction;
use crate::chip::rows_of;
use crate::distribution::{Encoding, Reach};
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{Digits, List, Plan, range};

/// The lanes that give the address of what a distribution's lanes hold, if the instruction hands it round, and the dimension
/// along which a lane's elements run.
pub(super) const fn row_addresses(
    encoding: &Encoding,
    tile: &List,
    instruction: &Instruction,
    bits: u32,
) -> Option<(Encoding, usize)> {
    if instruction.fragments().is_own() || !encoding.is_of(tile) {
        return None;
    }
    instruction.addresses_along(encoding, bits)
}

/// A layout, as far as an instruction in place of another is looked for.
#[derive(Clone, Copy)]
pub(super) struct Over<'a> {
    pub(super) plan: &'a Plan,
    pub(super) digits: &'a Option<Digits>,
    pub(super) encoding: &'a Encoding,
    pub(super) reach: Reach,
    pub(super) bits: u32,
}

impl Over<'_> {
    /// A misfit of an instruction, with one that would do.
    pub(super) const fn explained(
        &self,
        misfit: AccessError,
        instruction: &Instruction,
    ) -> AccessError {
        let is_own = instruction.fragments().is_own();
        match misfit {
            AccessError::Tail { pack, along, tail, .. } if is_own => {
                let instead = self.instead_of(instruction);
                AccessError::Tail { pack, along, tail, instead }
            }
            AccessError::Tail { .. } | AccessError::Lanes { .. } if !is_own => {
                self.other_fragments(instruction)
            }
            misfit => misfit,
        }
    }

    /// Returns the error that lanes do not hold what an instruction hands to them.
    pub(super) const fn other_fragments(&self, instruction: &Instruction) -> AccessError {
        AccessError::Fragments {
            name: instruction.name(),
            access: instruction.access(),
            is_known: instruction.fragments().are_known(),
            instead: self.instead_of(instruction),
        }
    }

    /// The widest instruction of the same chip that would move what lanes hold, if the layout lets it; of these one that
    /// hands it round, since it moves more. Empty if no instruction would.
    const fn instead_of(&self, instruction: &Instruction) -> &'static str {
        self.best(rows_of(instruction.chip()), instruction)
    }

    const fn best(&self, rows: &'static [Instruction], other: &Instruction) -> &'static str {
        let (mut name, mut most) = ("", 0);
        range!(i, 0..rows.len(), {
            let (row, moved) = (&rows[i], self.moved_by(&rows[i]));
            let same = is_same(row.name(), other.name()) || !row.access().is(other.access());
            if !same && moved > most {
                (name, most) = (row.name(), moved);
            }
        });
        name
    }

    /// Bytes that an instruction moves, counted twice if it hands them round; 0 if lanes do not hold them.
    const fn moved_by(&self, row: &Instruction) -> u32 {
        let lanes = row.service().phases.addressed() as u32;
        if row.parts() != 1 || !(row.bytes() * 8).is_multiple_of(self.bits) {
            return 0;
        }
        let reach = Reach { pack: row.bytes() * 8 / self.bits, lanes, ..self.reach };
        if !row.fragments().is_own() {
            return match row_addresses(self.encoding, &reach.tile, row, self.bits) {
                Some((_, along)) if self.keeps(along, reach.pack) => 2 * lanes * row.bytes(),
                _ => 0,
            };
        }
        let mut along = reach.tile.len();
        while along > 0 {
            along -= 1;
            let holds =
                self.encoding.lanes() == lanes && self.encoding.has_packs(along, reach.pack);
            if holds && self.keeps(along, reach.pack) {
                return lanes * row.bytes();
            }
        }
        0
    }

    /// Returns whether the layout keeps this many neighbours along a dimension together.
    const fn keeps(&self, along: usize, pack: u32) -> bool {
        is_contiguous(self.plan, self.digits, along, pack)
    }
}
