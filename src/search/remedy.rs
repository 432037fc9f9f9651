//! What would fix it: layouts of the same tile, tried and found free.
//!
//! A tile of 128x64 halves has eight row pads and four xor swizzles worth trying.
//! Which of them are free depends on all accesses together: a pad of 16 elements
//! frees the 16-row read of gfx942 and no pad frees the 16-row and the 32-row read.
//! So nothing is suggested by rule of thumb; each candidate is judged against every
//! access of the statement.
//!
//! | candidate | costs |
//! |---|---|
//! | [`GemmXor`](struct@crate::recipe::GemmXor), or [`GemmXor64`](struct@crate::recipe::GemmXor64) on 64 banks, with the MLdsLayer that CK takes | nothing |
//! | [`GemmXorLayer`](struct@crate::recipe::GemmXorLayer), with another MLdsLayer up to 8 | nothing |
//! | [`GemmXorBits`](struct@crate::recipe::GemmXorBits), with the masks of `masks` | nothing |
//! | [`RowPad`](struct@crate::recipe::RowPad), up to one round of all banks | its bytes |

use crate::access::pattern::Lanes;
use crate::access::placed::Placed;
use crate::chip::instruction::Instruction;
use crate::element::F8;
use crate::recipe;
use tiledesc_transforms::{Error, List, Plan, Text, say};

/// The largest MLdsLayer that is tried.
const MOST_LAYERS: u32 = 8;

/// One access that a layout must bear.
#[derive(Clone, Copy, Debug)]
pub struct Use<'a> {
    /// Which coordinate each lane touches.
    pub lanes: Lanes<'a>,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// How often it is done: in a loop over K each operand is read as often as the loop turns.
    pub times: u32,
}

impl<'a> Use<'a> {
    /// Once.
    #[must_use]
    pub const fn new(lanes: Lanes<'a>, instruction: &'a Instruction) -> Self {
        Self { lanes, instruction, times: 1 }
    }

    /// So often.
    #[must_use]
    pub const fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }
}

/// A layout of the same tile that was tried and found free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// The xor recipe, packs of `pack` elements, with the MLdsLayer that CK takes for a chip of
    /// `banks` banks, 32 or 64.
    Xor {
        /// KPack, in elements.
        pack: u32,
        /// Banks.
        banks: u32,
    },
    /// The xor recipe with another MLdsLayer.
    XorLayer {
        /// KPack, in elements.
        pack: u32,
        /// MLdsLayer, in rows.
        layers: u32,
    },
    /// The xor recipe with a mask for each bit of a layer's number.
    XorBits {
        /// KPack, in elements.
        pack: u32,
        /// MLdsLayer, in rows.
        layers: u32,
        /// The masks.
        masks: List,
    },
    /// Rows of plain memory with elements after each.
    RowPad {
        /// Elements after each row.
        elements: u32,
    },
}

/// A two-dimensional tile of elements of some bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// M, in elements.
    pub rows: u32,
    /// K, in elements.
    pub columns: u32,
    /// Bits of an element.
    pub bits: u32,
}

impl Remedy {
    /// The layout itself.
    ///
    /// # Errors
    ///
    /// As the recipe.
    pub const fn plan(self, tile: Shape) -> Result<Plan, Error> {
        let Shape { rows, columns, bits } = tile;
        match self {
            Self::Xor { pack, banks } => {
                recipe::gemm_xor(rows, columns, pack, recipe::mlds_layer(columns, bits, banks))
            }
            Self::XorLayer { pack, layers } => recipe::gemm_xor(rows, columns, pack, layers),
            Self::XorBits { pack, layers, masks } => {
                // With an element of 8 bits, bytes fit wherever elements do.
                recipe::GemmXorBits::<F8>([rows, columns, pack, layers], masks.as_slice())
            }
            Self::RowPad { elements } => {
                Plan::naive(&[rows, columns], &[columns.saturating_add(elements), 1])
            }
        }
    }

    /// MLdsLayer, if it has another than CK's choice.
    #[must_use]
    pub const fn layers(self) -> Option<u32> {
        match self {
            Self::XorLayer { layers, .. } | Self::XorBits { layers, .. } => Some(layers),
            Self::Xor { .. } | Self::RowPad { .. } => None,
        }
    }

    /// Whether it is free in every use.
    #[must_use]
    pub const fn is_free(self, tile: Shape, uses: &[Use<'_>]) -> bool {
        let Ok(plan) = self.plan(tile) else { return false };
        let mut i = 0;
        while i < uses.len() {
            let placed = Placed::new(&plan, tile.bits, uses[i].lanes, uses[i].instruction);
            let Ok(placed) = placed else { return false };
            match placed.verdict() {
                Ok(verdict) if verdict.is_free() => i += 1,
                _ => return false,
            }
        }
        true
    }

    /// Appends how a user writes it.
    const fn explain(self, text: Text, element: &str, tile: Shape) -> Text {
        match self {
            Self::Xor { pack, banks } => {
                let text = say!(text:
                    "recipe::GemmXor", str(if banks == 64 { "64<" } else { "<" }), str(element)
                );
                tile.parameters(text, pack).str(">")
            }
            Self::XorLayer { pack, layers } => {
                let text = say!(text: "recipe::GemmXorLayer<", str(element));
                let text = tile.parameters(text, pack).str(", MLdsLayer<");
                say!(text: layers, ">>")
            }
            Self::XorBits { pack, layers, masks } => {
                let text = say!(text: "recipe::GemmXorBits<", str(element));
                let text = tile.parameters(text, pack).str(", MLdsLayer<");
                say!(text: layers, ">, seq!", list(masks.as_slice()), ">")
            }
            Self::RowPad { elements } => {
                let text = tile.rows_and_columns(say!(text: "recipe::RowPad<", str(element)));
                say!(text: ", Padding<", elements, ">>")
            }
        }
    }
}

impl Shape {
    /// The tile of a plan; `None` unless it has two dimensions.
    #[must_use]
    pub const fn of(plan: &Plan, bits: u32) -> Option<Self> {
        let lengths = plan.lengths();
        match lengths.as_slice() {
            [rows, columns] => Some(Self { rows: *rows, columns: *columns, bits }),
            _ => None,
        }
    }

    /// ", M<128>, K<64>"
    const fn rows_and_columns(self, text: Text) -> Text {
        say!(text: ", M<", self.rows, ">, K<", self.columns, ">")
    }

    /// ", M<128>, K<64>, KPack<8>"
    const fn parameters(self, text: Text, pack: u32) -> Text {
        self.rows_and_columns(text).str(", KPack<").number(pack as u64).str(">")
    }

    /// The xor swizzle that is free in every use: as CK layers it for the banks of the chip,
    /// or for those of the other chips, or else with 1, 2, 4 or 8 rows in a layer; and if none of
    /// these is, with [masks](Self::masks).
    ///
    /// ```
    /// use tiledesc::remedy::{Remedy, Shape, Use};
    /// use tiledesc::{pattern::Lanes, chip::gfx950};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let read = Use::new(Lanes::rows(32), &gfx950::ds_read_b128);
    /// // CK's layering for 32 banks is 2-way there.
    /// assert_eq!(tile.swizzle(&[read]), Some(Remedy::Xor { pack: 8, banks: 64 }));
    /// ```
    #[must_use]
    pub const fn swizzle(self, uses: &[Use<'_>]) -> Option<Remedy> {
        let pack = widest(uses) * 8 / self.bits;
        if pack == 0 {
            return None;
        }
        let (as_ck, mut i) = (if most_banks(uses) > 32 { [64, 32] } else { [32, 64] }, 0);
        while i < as_ck.len() {
            let remedy = Remedy::Xor { pack, banks: as_ck[i] };
            if remedy.is_free(self, uses) {
                return Some(remedy);
            }
            i += 1;
        }
        let mut layers = 1;
        while layers <= MOST_LAYERS {
            let remedy = Remedy::XorLayer { pack, layers };
            if remedy.is_free(self, uses) {
                return Some(remedy);
            }
            layers *= 2;
        }
        self.swizzle_by_masks(pack, uses)
    }

    const fn swizzle_by_masks(self, pack: u32, uses: &[Use<'_>]) -> Option<Remedy> {
        // As many rows as fill the banks, then others.
        let natural = recipe::mlds_layer(self.columns, self.bits, most_banks(uses));
        let (mut layers, mut i) = (natural, 0);
        while i <= MOST_LAYERS.trailing_zeros() + 1 {
            if let Some(masks) = self.masks(pack, layers, uses) {
                let remedy = Remedy::XorBits { pack, layers, masks };
                if remedy.is_free(self, uses) {
                    return Some(remedy);
                }
            }
            layers = 1 << i;
            i += 1;
        }
        None
    }

    /// The smallest row pad that is free in every use, up to one round of all banks.
    ///
    /// ```
    /// use tiledesc::remedy::{Remedy, Shape, Use};
    /// use tiledesc::{pattern::Lanes, chip::gfx942};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let rows16 = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
    /// let rows32 = Use::new(Lanes::rows(32), &gfx942::ds_read_b128);
    /// assert_eq!(tile.row_pad(&[rows16]), Some(Remedy::RowPad { elements: 16 }));
    /// assert_eq!(tile.row_pad(&[rows32]), Some(Remedy::RowPad { elements: 8 }));
    /// assert_eq!(tile.row_pad(&[rows16, rows32]), None);
    /// ```
    #[must_use]
    pub const fn row_pad(self, uses: &[Use<'_>]) -> Option<Remedy> {
        // An address must stay aligned, and a dword is the least that helps.
        let step = (if widest(uses) < 4 { 4 } else { widest(uses) }) * 8 / self.bits;
        let round = most_banks(uses) * 32 / self.bits;
        let mut elements = step;
        while step > 0 && elements < round {
            let remedy = Remedy::RowPad { elements };
            if remedy.is_free(self, uses) {
                return Some(remedy);
            }
            elements += step;
        }
        None
    }

    /// Appends ". Free instead: ...", or that nothing was found.
    pub(crate) const fn explain(
        self,
        text: Text,
        element: &str,
        space: u64,
        uses: &[Use<'_>],
    ) -> Text {
        match (self.swizzle(uses), self.row_pad(uses)) {
            (None, None) => {
                let text = say!(text: "\nTried, not free: xor with up to ", MOST_LAYERS);
                let round = most_banks(uses) * 32 / self.bits;
                say!(text: " layers, row pads of less than ", round, " elements")
            }
            (Some(xor), None) => xor.explain(text.str("\nFree instead: "), element, self),
            (None, Some(pad)) => {
                let text = pad.explain(text.str("\nFree instead: "), element, self);
                self.cost(text, pad, space)
            }
            (Some(xor), Some(pad)) => {
                let text = xor.explain(text.str("\nFree instead: "), element, self);
                self.cost(pad.explain(text.str("; or "), element, self), pad, space)
            }
        }
    }

    /// ", 4064 bytes more"
    const fn cost(self, text: Text, remedy: Remedy, space: u64) -> Text {
        match remedy.plan(self) {
            Ok(plan) if plan.element_space() > space => {
                let more = (plan.element_space() - space) * self.bits as u64 / 8;
                say!(text: ", ", more, " bytes more")
            }
            _ => text,
        }
    }
}

/// The most bytes that a lane moves in any use.
const fn widest(uses: &[Use<'_>]) -> u32 {
    let (mut widest, mut i) = (0, 0);
    while i < uses.len() {
        let bytes = uses[i].instruction.bytes();
        widest = if bytes > widest { bytes } else { widest };
        i += 1;
    }
    widest
}

const fn most_banks(uses: &[Use<'_>]) -> u32 {
    let (mut most, mut i) = (0, 0);
    while i < uses.len() {
        let banks = uses[i].instruction.service().banks;
        most = if banks > most { banks } else { most };
        i += 1;
    }
    most
}
