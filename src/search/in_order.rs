//! Accesses over the tile in order, for the judge of a declared layout.
//!
//! The search lays every access over the tile in order. On a linear layout of the same tile each lane's
//! address is its element's number there, moved: what the judge would else find once more from pattern,
//! digits and instruction, at twice the work of the compiler.
//!
//! ```text
//!   128x32 halves, lane l reads row l % 16, pack l / 16       bit of the lane   1    2    4    8   16   32
//!   in order, in elements                                                      32   64  128  256    8   16
//!   GemmXorBits<.., MLdsLayer<4>, seq![3, 2]>                                  32   64  152  272    8   16
//! ```

use super::assertion::Line;
use crate::access::columns::Columns;
use crate::bank::conflicts::Conflicts;
use crate::chip::instruction::Instruction;
use crate::element::Element;
use crate::layout::{Tile, known};
use tiledesc_transforms::{Adaptor, Digits};

/// The first accesses of a question, as they lie over the tile row by row; none of those whose lanes are no
/// xor of columns.
#[derive(Clone, Copy)]
pub(super) struct InOrder {
    columns: [Option<Columns>; Self::MOST],
}

impl InOrder {
    /// Accesses that are kept; of others the judge asks the pattern.
    pub(super) const MOST: usize = 8;

    /// None.
    pub(super) const NONE: Self = Self { columns: [None; Self::MOST] };

    /// Keeps an access.
    pub(super) const fn keep(&mut self, access: usize, columns: &Columns) {
        if access < Self::MOST {
            self.columns[access] = Some(*columns);
        }
    }

    /// The lines that are known to be free on a layout of this tile, as bits; of others the verdict tells.
    pub(super) const fn free<T: Tile>(&self, lines: &[Line<'_>]) -> u32 {
        let (Ok(plan), Some(digits)) = (known::<T>(), &T::Descriptor::DIGITS) else { return 0 };
        if !digits.is_linear() {
            return 0;
        }
        let bits = T::Element::BITS;
        let elements = plan.element_space() + plan.origin() as u64;
        let space = (elements * bits as u64).div_ceil(8);
        let (mut free, mut contiguous, mut i) = (0, 0, 0);
        while i < lines.len() && i < Self::MOST {
            let (line, pack) = (&lines[i], lines[i].instruction().bytes() * 8 / bits);
            // What holds of a pack holds of its halves.
            if pack > contiguous && digits.is_contiguous(1, pack) {
                contiguous = pack;
            }
            if pack <= contiguous
                && line.is_plain()
                && let Some(columns) = &self.columns[i]
                && is_free(columns, digits, bits, line.instruction(), space)
            {
                free |= 1 << i;
            }
            i += 1;
        }
        free
    }
}

/// Whether an access is free by rank, on so many bytes that are a linear layout.
const fn is_free(
    in_order: &Columns,
    digits: &Digits,
    bits: u32,
    row: &Instruction,
    space: u64,
) -> bool {
    if row.rival().is_some() {
        return false;
    }
    if let Some(memory) = row.memory()
        && space > memory as u64
    {
        return false;
    }
    let Some(columns) = in_order.moved(digits, bits, row, space) else { return false };
    match Conflicts::by_rank(&columns, row) {
        Some(found) => found.degree() == 1,
        None => false,
    }
}
