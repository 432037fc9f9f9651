//! The advice of a refused statement on other layouts.
//!
//! ```text
//!   Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, 4064 bytes more
//!
//!   Least: recipe::RowPad<F16, M<96>, K<96>, Padding<8>>: 24 cycles, floor 16: the least that the compiler tries
//!   `tiledesc find` searches further
//! ```
//!
//! `refusal.rs` asks for these lines, and the [search](crate::search) finds the layouts. If laying the accesses over the
//! tile once more is too much work for the compiler, the line is "`tiledesc find` searches for a layout".

use crate::access::placed::Placed;
use crate::chip::instruction::Instruction;
use crate::recipe::{Shape, Spec};
use crate::search::{TO_LAY, TO_REFUSE, Use};
use tiledesc_transforms::{Text, say};

/// The number of copies of a layout, one after the other, each at a multiple of this many bytes.
#[derive(Clone, Copy)]
pub(crate) struct Copies {
    pub(crate) count: u32,
    pub(crate) alignment: u32,
}

impl Copies {
    /// A single copy of a layout.
    pub(crate) const ONE: Self = Self { count: 1, alignment: 1 };

    /// Bytes of all copies of this many.
    const fn bytes(self, one: u64) -> u64 {
        one.next_multiple_of(self.alignment as u64) * (self.count as u64 - 1) + one
    }
}

/// Instructions that are counted to lay the uses over rows in order: about a millisecond of the compiler's each.
const fn counted_in_order(tile: Shape, uses: &[Use<'_>]) -> u64 {
    let Ok(plan) = tile.rows_in_order() else { return 0 };
    let (mut counted, mut i) = (0, 0);
    while i < uses.len() {
        let Use { lanes, instruction, .. } = uses[i];
        if let Ok(placed) = Placed::new(&plan, tile.bits, lanes, instruction) {
            counted += placed.steps_to_count();
        }
        i += 1;
    }
    counted
}

impl Shape {
    /// Appends what costs least, and the pad that is free too.
    pub(crate) const fn explain(
        self,
        text: Text,
        element: &str,
        space: u64,
        uses: &[Use<'_>],
        copies: Copies,
    ) -> Text {
        if counted_in_order(self, uses) > TO_LAY {
            return text.str("\n`tiledesc find` searches for a layout");
        }
        let Ok((found, pad)) = self.propose(uses, TO_REFUSE) else { return text };
        if !found.is_free {
            let text = found.explain(text.str("\nLeast: "), element);
            return text.str("\n`tiledesc find` searches further");
        }
        self.explain_free(text, element, space, uses, copies, (found.layout, pad))
    }

    /// Appends a layout that is free, and the pad that is free too.
    pub(super) const fn explain_free(
        self,
        text: Text,
        element: &str,
        space: u64,
        uses: &[Use<'_>],
        copies: Copies,
        (layout, pad): (Spec, Option<Spec>),
    ) -> Text {
        let text = layout.explain(text.str("\nFree instead: "), element, self);
        if layout.scheme().is_padded() {
            let text = self.explain_more_bytes(text, layout, space);
            return self.explain_no_room(text, layout, uses, copies);
        }
        match pad {
            Some(pad) if self.row_without_room(pad, uses, copies).is_none() => {
                self.explain_more_bytes(pad.explain(text.str("; or "), element, self), pad, space)
            }
            _ => text,
        }
    }

    /// The instruction on whose chip all copies of a layout do not fit, and their bytes.
    const fn row_without_room<'a>(
        self,
        layout: Spec,
        uses: &[Use<'a>],
        copies: Copies,
    ) -> Option<(&'a Instruction, u64)> {
        let (Ok(plan), mut i) = (layout.plan(self), 0) else { return None };
        let bytes = copies.bytes((plan.element_space() * self.bits as u64).div_ceil(8));
        while i < uses.len() {
            if !uses[i].instruction.holds(bytes) {
                return Some((uses[i].instruction, bytes));
            }
            i += 1;
        }
        None
    }

    /// " (4 buffers of it take 81792 bytes, more than gfx942 has)", if they do not fit.
    const fn explain_no_room(
        self,
        text: Text,
        layout: Spec,
        uses: &[Use<'_>],
        copies: Copies,
    ) -> Text {
        match self.row_without_room(layout, uses, copies) {
            Some((row, bytes)) => say!(text:
                " (", copies.count, " buffers of it take ", bytes, " bytes, more than ", str(row.chip()), " has)"
            ),
            None => text,
        }
    }

    /// ", 4064 bytes more"
    const fn explain_more_bytes(self, text: Text, remedy: Spec, space: u64) -> Text {
        match remedy.plan(self) {
            Ok(plan) if plan.element_space() > space => {
                let more = (plan.element_space() - space) * self.bits as u64 / 8;
                say!(text: ", ", more, " bytes more")
            }
            _ => text,
        }
    }
}
