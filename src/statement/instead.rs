//! What a statement that is refused says of other layouts.
//!
//! ```text
//!   Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, 4064 bytes more
//!
//!   Tried, not free: xor with up to 8 layers, row pads of less than 64 elements
//!   Least: recipe::RowPad<F16, M<96>, K<96>, Padding<8>>: 24 cycles, floor 16: the least of those tried
//! ```

use crate::chip::instruction::Instruction;
use crate::search::effort::Effort;
use crate::search::known::Known;
use crate::search::remedy::MOST_LAYERS;
use crate::search::searched::Optimality;
use crate::search::shape::{Shape, Use};
use crate::search::spec::Spec;
use crate::search::synthesis::{Proposal, Synthesis};
use tiledesc_transforms::{Text, say};

/// How many of a layout there are, one after the other, each at a multiple of this many bytes.
#[derive(Clone, Copy)]
pub(crate) struct Copies {
    pub(crate) count: u32,
    pub(crate) alignment: u32,
}

impl Copies {
    /// A layout that stands alone.
    pub(crate) const ONE: Self = Self { count: 1, alignment: 1 };

    /// Bytes of all copies of this many.
    const fn bytes(self, one: u64) -> u64 {
        one.next_multiple_of(self.alignment as u64) * (self.count as u64 - 1) + one
    }
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
        known: Option<Known<'_, '_>>,
    ) -> Text {
        let mut effort = Effort::REFUSED;
        let Ok(question) = self.question_knowing(uses, known) else { return text };
        // The statement's own verdicts took about as long as laying its accesses, or as the one that is known to have been
        // dear, and are part of what it costs.
        let laid = question.laid_units();
        effort.lay(match known {
            Some(known) if known.units() > laid => known.units(),
            _ => laid,
        });
        let proposal = self.propose_by(&question, uses, &mut effort);
        let Ok(Proposal { found, .. }) = proposal else { return text };
        if !matches!(found.optimality(), Optimality::Floor) {
            return self.least(text, element, &found, uses, question.laid_units());
        }
        let text = found.layout().explain(text.str("\nFree instead: "), element, self);
        let layout = found.layout();
        if layout.scheme().is_padded() {
            return self.room(self.cost(text, layout, space), layout, uses, copies);
        }
        let by_columns = layout.is_transposed();
        let pad = if by_columns == question.is_by_columns() {
            question.free_pad(&mut effort)
        } else {
            self.free_pad(uses, by_columns, &mut effort)
        };
        match pad {
            Some(pad) if self.beyond(pad, uses, copies).is_none() => {
                self.cost(pad.explain(text.str("; or "), element, self), pad, space)
            }
            _ => text,
        }
    }

    /// The instruction on whose chip all copies of a layout do not fit, and their bytes.
    const fn beyond<'a>(
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
    const fn room(self, text: Text, layout: Spec, uses: &[Use<'_>], copies: Copies) -> Text {
        match self.beyond(layout, uses, copies) {
            Some((row, bytes)) => say!(text:
                " (", copies.count, " buffers of it take ", bytes, " bytes, more than ", str(row.chip()), " has)"
            ),
            None => text,
        }
    }

    /// Nothing is free: what was tried, and what costs least.
    const fn least(
        self,
        text: Text,
        element: &str,
        found: &Synthesis,
        uses: &[Use<'_>],
        laid: u64,
    ) -> Text {
        let text = text.str("\nTried, not free: ");
        let has_xor = self.columns.is_power_of_two();
        let numbers = [MOST_LAYERS, self.pad_round(uses)];
        let text = found.searched().explain(text, numbers, has_xor).str("\nLeast: ");
        self.change_to(found.explain(text, element), element, found, uses, laid)
    }

    /// "\nFree with ds_read_b64 in place of ds_read_b128: recipe::..: 288 cycles", if the access may change.
    const fn change_to(
        self,
        text: Text,
        element: &str,
        found: &Synthesis,
        uses: &[Use<'_>],
        laid: u64,
    ) -> Text {
        let mut effort = Effort::CHANGE;
        let Some(change) = self.change_within(uses, found, laid, &mut effort) else { return text };
        let text = text.str(if change.is_free() { "\nFree with " } else { "\nLess with " });
        let text = change.explain(text, uses).str(": ");
        let text = change.layout().explain(text, element, self);
        say!(text: ": ", change.cycles(), " cycles")
    }

    /// ", 4064 bytes more"
    const fn cost(self, text: Text, remedy: Spec, space: u64) -> Text {
        match remedy.plan(self) {
            Ok(plan) if plan.element_space() > space => {
                let more = (plan.element_space() - space) * self.bits as u64 / 8;
                say!(text: ", ", more, " bytes more")
            }
            _ => text,
        }
    }
}
