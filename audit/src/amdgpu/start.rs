//! What is known when a wave begins: its registers, from the shape of the block and from what the text states.
//!
//! | block of gfx942 | `v0` of wave 1 |
//! |---|---|
//! | 128,2,1, stated | lane + 64, and y = 0 in bits 10 to 19 |
//! | a line of 256 at most, x alone wanted | lane + 64 |
//! | of unknown shape, a wave in one row | u + lane, where 64 divides u |
//! | of unknown shape, a wave in any rows | unknown |

use super::metadata::Stated;
use super::pointer::Kind;
use super::state::State;
use crate::kernel::Block;
use crate::value::{Reason, Value, Why};
use std::collections::BTreeMap;
use tiledesc::chip::Chip;

/// The facts that are known before the program begins.
#[derive(Clone, Debug)]
pub(crate) struct Start<'t> {
    pub(crate) chip: &'static Chip,
    /// Lanes of a wave.
    pub(crate) wave: usize,
    /// The number of the wave in its block.
    pub(crate) number: usize,
    pub(crate) block: Block,
    pub(crate) rows: Rows,
    pub(crate) stated: &'t Stated,
    pub(crate) symbols: &'t BTreeMap<String, u32>,
    /// Whether buffer instructions reach scratch memory.
    pub(crate) scratch_by_buffer: bool,
    /// Whether there are flat addresses, so that kinds are followed.
    pub(crate) follows: bool,
}

/// Chips whose `v0` has x, y and z in 10 bits each (LLVM, "User Guide for AMDGPU Backend", initial kernel execution
/// state: packed work-item ids).
fn is_packed(chip: &Chip) -> bool {
    !matches!(chip.product(), "gfx906" | "gfx908" | "gfx1030")
}

/// The assumption about a block whose shape is not stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// None: a wave may span several rows.
    Unsaid,
    /// A wave is in one row, of any number of rows.
    Some,
    /// There is only that row, of whole waves.
    One,
}

/// Returns whether buffer instructions reach scratch memory.
pub(super) fn scratch_by_buffer(chip: &Chip) -> bool {
    matches!(chip.product(), "gfx906" | "gfx908" | "gfx90a" | "gfx1030")
}

impl Start<'_> {
    /// The registers when the kernel begins.
    pub(crate) fn state(&self) -> State {
        let mut state = State::new(self.wave);
        state.packet = self.stated.packet();
        if self.follows {
            state.follow(self.stated.pointer());
        }
        let number = Some(Kind::Number);
        let reason = Reason { at: 0, why: Why::Start };
        let in_rows = self.rows != Rows::Unsaid;
        let Some(block) = self.block.shape() else {
            // Packed, y and z lie above x.
            let row = if in_rows { Value::in_row(self.wave) } else { Value::Unknown(reason) };
            state.write(0, row, number, 0);
            (1..3).for_each(|i| state.write(i, self.across(reason), number, 0));
            return state;
        };
        let is_stated = matches!(self.block, Block::Stated(_));
        let of = |item: &dyn Fn([u32; 3]) -> u32| {
            let first = self.number * self.wave;
            Value::lanes(self.wave, |lane| item(Block::item(block, (first + lane) as u32)))
        };
        if is_packed(self.chip) {
            let all = of(&|[x, y, z]| x | y << 10 | z << 20);
            let value = match (all.known(), self.stated.items != Some(0) && !is_stated) {
                (Some(f), true) if in_rows => Value::Sum { k: 10, f: f.clone() },
                (Some(f), true) => Value::Part { bits: 10, f: f.clone(), reason },
                _ => all,
            };
            state.write(0, value, number, 0);
        } else {
            for i in 0..3 {
                let is_known = i == 0 || is_stated;
                let value = if is_known { of(&|item| item[i]) } else { self.across(reason) };
                state.write(i, value, number, 0);
            }
        }
        state
    }

    /// y or z of a block whose shape is not stated.
    fn across(&self, reason: Reason) -> Value {
        if self.rows != Rows::Unsaid { Value::shared(0) } else { Value::Unknown(reason) }
    }

    /// x, y and z of a block as the launch has them, as far as they are known.
    pub(super) fn sizes(&self) -> [Option<u32>; 3] {
        match self.block {
            Block::Stated(sizes) => sizes.map(Some),
            Block::Line(_) => [None, Some(1), Some(1)],
            Block::Unknown if self.rows == Rows::One => [None, Some(1), Some(1)],
            Block::Unknown => [None; 3],
        }
    }

    /// Returns whether `ttmp8` has the wave's number in bits 25 to 29.
    pub(super) fn has_number(&self) -> bool {
        self.chip.name().starts_with("gfx12")
    }
}
