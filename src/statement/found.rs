//! The results of a search, or why it found nothing, as sentences: of the compiler, and of who searches at run time.
//!
//! ```text
//!   recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>: 128 cycles, the floor: no layout does better
//!   recipe::RowPad<F16, M<96>, K<96>, Padding<8>>: 24 cycles, floor 16: the least that the compiler tries
//!   access 1: lanes 0 and 16 write the same byte, whatever the layout
//! ```

use crate::search::{MOST_BITS, Synthesis, SynthesisError};
use tiledesc_transforms::{Text, say};

impl Synthesis {
    /// The line that a user pastes, of elements of this name, and what is known of it.
    #[must_use]
    pub const fn text(&self, element: &str) -> Text {
        self.explain(Text::new(), element)
    }

    pub(crate) const fn explain(&self, text: Text, element: &str) -> Text {
        let text = self.layout.explain(text, element, self.tile);
        let Self { cycles, rival_cycles, floor, is_free, .. } = *self;
        let text = costs(text.str(": "), [cycles, rival_cycles], floor, is_free);
        text.str(if is_free {
            ": no layout does better"
        } else {
            ": the least that the compiler tries"
        })
    }
}

/// Appends "352 cycles, floor 288": the cycles by each source, and those without conflicts.
#[doc(hidden)]
#[must_use]
pub const fn costs(
    text: Text,
    [cycles, rival_cycles]: [u64; 2],
    floor: u64,
    is_free: bool,
) -> Text {
    let text = say!(text: cycles, str(if cycles == 1 { " cycle, " } else { " cycles, " }));
    match (is_free, cycles == floor, rival_cycles == cycles) {
        (true, ..) => text.str("the floor"),
        (_, true, _) => say!(text:
            "the floor by its own rows; ", rival_cycles, " by the other source, with conflicts"
        ),
        (.., true) => say!(text: "floor ", floor),
        _ => say!(text: rival_cycles, " by the other source, floor ", floor),
    }
}

impl core::fmt::Display for Synthesis {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text(self.tile.element()).as_str())
    }
}

const IN_ORDER: &str = "the search begins with the tile in order, where ";
const ANOTHER_LAYOUT: &str =
    "; another layout may work: declare one, and judge it with `assert_conflict_free!`";

impl SynthesisError {
    /// Appends the sentence to a text.
    pub(crate) const fn explain(self, text: Text) -> Text {
        let text = match self.access() {
            Some(access) => say!(text: "access ", access, ": "),
            None => text,
        };
        self.reason(text)
    }

    /// Appends the sentence without the access.
    pub(crate) const fn reason(self, text: Text) -> Text {
        match self {
            Self::NoUse => text.str("no access is stated, so every layout is free"),
            Self::Coordinates { rows, columns } => say!(text:
                "the tile has ", rows, " * ", columns, " elements; more than 2^", MOST_BITS,
                " are not searched"
            ),
            Self::Unweighted { .. } => {
                text.str("its weight is 0: leave it out, or weigh it at least 1")
            }
            Self::Layout(error) => error.explain(text),
            Self::Crossed { along, down } => say!(text:
                "access ", along, " moves several elements of a row, access ", down,
                " several of a column: no layout has both contiguous"
            ),
            Self::OtherChip { chip, fill, .. } => say!(text:
                "it is of ", str(chip), ", but the tile is filled by a direct load of ", str(fill)
            ),
            Self::Misfit { misfit, is_in_order: false, .. } => misfit.explain(text),
            Self::Misfit { misfit, .. } => misfit.explain(text.str(IN_ORDER)).str(ANOTHER_LAYOUT),
            Self::Race { lanes, is_in_order, .. } => say!(text:
                str(if is_in_order { IN_ORDER } else { "" }), "lanes ", lanes[0], " and ", lanes[1],
                " write the same byte", str(if is_in_order { ANOTHER_LAYOUT } else { ", whatever the layout" })
            ),
            Self::Fill(error) => {
                error.explain(text.str("a direct load cannot fill the tile row by row: "))
            }
        }
    }
}

impl core::fmt::Display for SynthesisError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for SynthesisError {}
