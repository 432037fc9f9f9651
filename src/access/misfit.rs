//! Why no matrix instruction is fed by an access: an operand has the rows, the chips and the elements of its
//! instruction.
//!
//! ```text
//!   MfmaRows<8> on gfx942                      no matrix instruction of 64 lanes has 8 rows
//!   mfma::F16_32x32x16::A on gfx942            the instruction is gfx950's
//!   mfma::F16_32x32x16::A over a tile of bf16  the instruction takes fp16
//! ```

use super::error::AccessError;
use crate::chip::instruction::Instruction;
use crate::chip::rows_of;
use crate::distribution::OperandOf;
use crate::element::ElementName;
use crate::pattern::Lanes;
use tiledesc_transforms::any;
use tiledesc_transforms::number::is_same;

/// Returns why no matrix instruction is fed by such an access to a tile of such elements.
pub(crate) const fn misfit(
    lanes: &Lanes<'_>,
    instruction: &Instruction,
    tile: &ElementName,
) -> Option<AccessError> {
    let (wave, chip) = (instruction.service().phases.wave() as u32, instruction.chip());
    if let Some(rows) = lanes.rows_beyond(wave) {
        return Some(AccessError::Operand { rows, wave });
    }
    let Some(operand) = lanes.operand() else { return None };
    let OperandOf { name, chips, elements, .. } = *operand;
    if !is_on(chips, chip) {
        return Some(AccessError::OtherChip { operand: name, chips, chip });
    }
    if !operand.takes(tile) {
        return Some(AccessError::OtherElement { operand: name, elements, tile: *tile });
    }
    None
}

/// Returns whether a chip is among these. True also of a row without a chip, and of a chip of the user's own: what they have is
/// not known.
const fn is_on(chips: &[&str], chip: &str) -> bool {
    any!(i, 0..chips.len(), is_same(chips[i], chip)) || rows_of(chip).is_empty()
}
