//! A verdict in words: the stable text, and the part of it that is in an error.

use super::{Cost, Verdict};
use crate::chip::evidence::Evidence;
use tiledesc_transforms::{Text, say};

impl Verdict<'_> {
    /// "4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0",
    /// and what it rests on if that is not sure.
    pub(crate) const fn finding(&self, text: Text) -> Text {
        let Some(meeting) = &self.meeting else {
            return self.doubts(text.str("free of conflicts"));
        };
        if self.conflicts.race.is_some() {
            let text = meeting.explain(self.in_instruction(text.str("data race")).str(": "));
            // A race does not depend on phases, so the sentence need not say how sure they are.
            return match self.degree() {
                0 | 1 => text,
                degree => say!(text: "; ", degree, "-way"),
            };
        }
        let text = self.in_instruction(say!(text: self.degree(), "-way"));
        let text = text.str(if self.step == 0 { " in phase " } else { ", phase " });
        let text = meeting.explain(say!(text: self.conflicts.phase, ": "));
        self.doubts(say!(text: ", bank ", meeting.bank))
    }

    /// Returns the finding without the counts of [`text`](Self::text): "4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes
    /// 0 and 128, bank 0", or "free of conflicts"; and the evidence if that is not sure.
    #[must_use]
    pub const fn found(&self) -> Text {
        self.finding(Text::new())
    }

    const fn in_instruction(&self, text: Text) -> Text {
        if self.step == 0 { text } else { say!(text: " in instruction ", self.step) }
    }

    /// Appends what a reader who relies on the verdict must know.
    const fn doubts(&self, text: Text) -> Text {
        let service = self.weakest();
        let text = if let Evidence::Inferred = service.evidence {
            say!(text: " (phases inferred: ", str(service.source), ")")
        } else {
            text
        };
        match (self.rival, self.instruction.rival()) {
            (Some(Cost { degree, .. }), Some(rival)) if degree != self.degree() => {
                let text = text.str(" (disputed: ");
                let text = if degree > 1 { say!(text: degree, "-way") } else { text.str("free") };
                say!(text: " by ", str(rival.source), ")")
            }
            _ => text,
        }
    }

    /// The verdict as one paragraph of a stable form.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let verdict = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(
    ///     verdict.to_string(),
    ///     "ds_read_b128 on gfx942: 4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), \
    ///      bytes 0 and 128, bank 0. 16 instructions: 128 cycles without conflicts, 384 more with \
    ///      them: efficiency 25.0%. Phases and banks: measured (nod-ai/amd-shark-ai, \
    ///      empirical-lds/cdna3info.md). A static model: not of arbitration, nor of other waves.",
    /// );
    /// ```
    #[must_use]
    pub const fn text(&self) -> Text {
        let text = Text::new().str(self.instruction.name());
        let chip = self.instruction.chip();
        let text = if chip.is_empty() { text } else { say!(text: " on ", str(chip)) };
        let text = self.finding(text.str(": ")).str(". ");
        let text = if self.instructions > 1 {
            say!(text: self.instructions, " instructions: ")
        } else {
            text
        };
        say!(text:
            self.base_cycles(), " cycles without conflicts, ", self.conflict_cycles(),
            " more with them: efficiency ", self.per_mille() as u64 / 10, ".",
            self.per_mille() as u64 % 10, "%. Phases and banks: ",
            str(self.weakest().evidence.name()), " (", str(self.weakest().source),
            "). A static model: not of arbitration, nor of other waves."
        )
    }
}

impl core::fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}
