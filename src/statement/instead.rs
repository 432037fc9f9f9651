//! What a statement that is refused says of other layouts.
//!
//! ```text
//!   Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, 4064 bytes more
//!
//!   Tried, not free: xor with up to 8 layers, row pads of less than 64 elements
//!   Least: recipe::RowPad<F16, M<96>, K<96>, Padding<8>>: 24 cycles, floor 16: the least of those tried
//! ```

use crate::search::question::Optimality;
use crate::search::remedy::MOST_LAYERS;
use crate::search::shape::{Shape, Use};
use crate::search::spec::{Scheme, Spec};
use crate::search::synthesis::Synthesis;
use tiledesc_transforms::{Text, say};

impl Shape {
    /// Appends what costs least, and the pad that is free too.
    pub(crate) const fn explain(
        self,
        text: Text,
        element: &str,
        space: u64,
        uses: &[Use<'_>],
    ) -> Text {
        let Ok(found) = self.synthesize(uses) else { return text };
        if !matches!(found.optimality(), Optimality::Floor) {
            return self.least(text, element, &found, uses);
        }
        let text = found.layout().explain(text.str("\nFree instead: "), element, self);
        match (found.layout(), self.pad(uses, found.layout().is_transposed())) {
            (layout, _) if matches!(layout.scheme(), Scheme::PaddedRows) => {
                self.cost(text, layout, space)
            }
            (_, Some(pad)) => self.cost(pad.explain(text.str("; or "), element, self), pad, space),
            (_, None) => text,
        }
    }

    /// Nothing is free: what was tried, and what costs least.
    const fn least(self, text: Text, element: &str, found: &Synthesis, uses: &[Use<'_>]) -> Text {
        let text = say!(text: "\nTried, not free: xor with up to ", MOST_LAYERS, " layers");
        let text = match found.optimality() {
            Optimality::Linear => text.str(", all linear layouts of packs"),
            Optimality::Exhausted => text.str(", all masks"),
            _ => text,
        };
        let text =
            say!(text: ", row pads of less than ", self.pad_round(uses), " elements\nLeast: ");
        found.explain(text, element)
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
