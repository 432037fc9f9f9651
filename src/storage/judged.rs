//! What a statement is about: a layout, or buffers of one.
//!
//! ```text
//!   ABlock on gfx942: ..                  judged from byte 0 on
//!   Buffered<ABlock, U2> on gfx942: ..    and what holds there holds 16384 bytes further
//! ```
//!
//! A trait and not two functions of one name, so that a statement may name a parameter of a kernel, `L: RankedTile<2>`.

use super::error::StorageError;
use super::stored::{Size, Stored};
use crate::chip::instruction::Instruction;
use crate::layout::{Tile, check};
use crate::statement::instead::Copies;
use crate::statement::refusal;
use crate::statement::stated_access::StatedAccess;
use tiledesc_transforms::attempt;

/// A layout, or copies of one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a layout nor `Buffered` of one",
    note = "take a recipe such as `recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>`, or declare a layout with `layout!`"
)]
pub trait Judged: Stored {
    /// The layout.
    type Tile: Tile;

    /// The number of copies; `None` of the layout itself.
    const BUFFERS: Option<u32>;
}

impl<T: Tile> Judged for T {
    type Tile = T;
    const BUFFERS: Option<u32> = None;
}

/// Refuses what conflicts in one access, on any chip; of buffers also instructions whose conflicts or alignment another buffer
/// would change: the check of [`assert_conflict_free!`](crate::assert_conflict_free!).
///
/// # Panics
///
/// As the statement, on the caller's line.
#[doc(hidden)]
#[track_caller]
pub const fn refuse_access<L: Judged, const CHIPS: usize, const ACCESSES: usize>(
    layout: &str,
    accesses: &[[StatedAccess<'_>; ACCESSES]; CHIPS],
    access: usize,
) {
    let Some(count) = L::BUFFERS else {
        return refusal::refuse_on_chips::<L::Tile, CHIPS, ACCESSES>(
            layout,
            accesses,
            access,
            Copies::ONE,
        );
    };
    // Once for a statement: a bare layout was not declared, and may overlap itself.
    if access == 0 {
        check::<L::Tile>(layout);
    }
    let copies = match L::SIZE {
        Ok(size) => Copies { count, alignment: size.alignment() },
        Err(error) => error.refuse(layout),
    };
    refusal::refuse_on_chips::<L::Tile, CHIPS, ACCESSES>(layout, accesses, access, copies);
    let mut chip = 0;
    while chip < CHIPS {
        let stated = &accesses[chip][access];
        if let Err(error) = alike(L::SIZE, count, stated.instruction()) {
            error.explain(stated.head(layout)).refuse()
        }
        chip += 1;
    }
}

/// Checks that an instruction does to all buffers what it does to one.
pub(super) const fn alike(
    size: Result<Size, StorageError>,
    buffers: u32,
    instruction: &Instruction,
) -> Result<(), StorageError> {
    let size = attempt!(size);
    let (alignment, unit) = (instruction.alignment(), instruction.moved_unit());
    let distance = size.distance();
    if buffers > 1 && !distance.is_multiple_of(unit) {
        let is_alignment = !distance.is_multiple_of(alignment);
        let unit = if is_alignment { alignment } else { unit };
        return Err(StorageError::Apart { distance, unit, is_alignment });
    }
    if size.alignment() < unit {
        return Err(StorageError::Unaligned { alignment: size.alignment(), unit });
    }
    if let Some(memory) = instruction.too_small_for(size.bytes() as u64) {
        let (bytes, chip) = (size.bytes(), instruction.chip());
        return Err(StorageError::Memory { bytes, chip, memory });
    }
    Ok(())
}
