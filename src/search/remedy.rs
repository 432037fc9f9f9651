//! Layouts of a tile by the recipe that makes them, and those that are free.
//!
//! A tile of 128x64 halves has eight row pads and four xor swizzles worth trying.
//! Which of them are free depends on all accesses together: a pad of 16 elements
//! frees the 16-row read of gfx942 and no pad frees the 16-row and the 32-row read.
//! So nothing is suggested by rule of thumb; each candidate is judged against every
//! access of the statement.
//!
//! | candidate | costs |
//! |---|---|
//! | [`RowMajor`](type@crate::recipe::RowMajor) | nothing |
//! | [`GemmXor`](type@crate::recipe::GemmXor), or [`GemmXor64`](type@crate::recipe::GemmXor64) on 64 banks, with the MLdsLayer that CK takes | nothing |
//! | [`GemmXorLayer`](type@crate::recipe::GemmXorLayer), with another MLdsLayer up to 8 | nothing |
//! | [`GemmXorBits`](type@crate::recipe::GemmXorBits), with the masks of `masks` | nothing |
//! | the same in a [`Joined`](crate::recipe::Joined), of rows that are several rounds of all banks | nothing |
//! | [`LinearPacks`](type@crate::recipe::LinearPacks), where none of these is free | nothing |
//! | [`RowPad`](type@crate::recipe::RowPad), up to one round of all banks | its bytes |
//! | [`RowShift`](type@crate::recipe::RowShift), of rows that are no powers of two | a remainder for each address |
//! | each of these in a [`Transposed`](crate::recipe::Transposed), where lanes take packs of columns | as it does |

use super::masks::{Layering, Masked};
use super::shape::unfilled;
use crate::access::placed::Placed;
use crate::element::F8;
use crate::recipe;
use tiledesc_transforms::{Error, List, Plan, Text, attempt, say};

pub use super::shape::{Shape, Use};

/// The largest MLdsLayer that is tried.
pub(crate) const MOST_LAYERS: u32 = 8;

/// A layout of a tile, as a recipe with its numbers.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, remedy::{Remedy, Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 32, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// // Two rows to a line of 128 bytes: row 2 is line 1, whose packs are xor-ed with 1.
/// let two = Remedy::XorLayer { pack: 8, layers: 2 };
/// assert_eq!(two.plan(tile)?.offset(&[2, 0])?, 64 + 8);
/// // Of four, rows 0 and 2 of a line are 128 bytes apart: all 32 banks once.
/// let four = Remedy::XorLayer { pack: 8, layers: 4 };
/// let free = [two, four].map(|each| (each.layers(), each.is_free(tile, &[read])));
/// assert_eq!(free, [(Some(2), true), (Some(4), false)]);
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Row by row, as it stands.
    InOrder,
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
    /// Rows of several lines of all banks, with a mask for each bit of a line's number: in a
    /// [`Joined`](crate::recipe::Joined).
    XorLines {
        /// KPack, in elements.
        pack: u32,
        /// Lines to a row.
        lines: u32,
        /// The masks.
        masks: List,
    },
    /// Packs that are placed bit by bit.
    LinearPacks {
        /// KPack, in elements.
        pack: u32,
        /// The columns, in packs.
        columns: List,
    },
    /// Rows of plain memory with elements after each.
    RowPad {
        /// Elements after each row.
        elements: u32,
    },
    /// Packs rotated by the row.
    Rotated {
        /// KPack, in elements.
        pack: u32,
    },
    /// One of these for the tile with its dimensions exchanged: columns are contiguous.
    ByColumns(ByColumns),
}

/// A layout of a tile with its dimensions exchanged, in a
/// [`Transposed`](crate::recipe::Transposed).
///
/// ```
/// use tiledesc::{chip::gfx942::ds_write_b128, pattern::Lanes, remedy::{Remedy, Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let found = tile.synthesize(&[Use::new(Lanes::column_major(), &ds_write_b128)])?;
/// let Remedy::ByColumns(columns) = found.layout() else { panic!("packs are down a column") };
/// assert_eq!(columns.recipe(), Remedy::InOrder);
/// assert_eq!(
///     found.layout().text("F16", tile).as_str(),
///     "recipe::Transposed<recipe::RowMajor<F16, M<64>, K<128>>>",
/// );
/// # Ok::<(), tiledesc::synthesis::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByColumns {
    // A type cannot hold itself: which one, its pack, its other number, its masks or columns.
    kind: u8,
    pack: u32,
    number: u32,
    masks: List,
}

impl ByColumns {
    /// Of a layout by rows; one by columns is already.
    pub(crate) const fn of(recipe: Remedy) -> Self {
        let none = List::EMPTY;
        let (kind, pack, number, masks) = match recipe {
            Remedy::InOrder => (0, 1, 0, none),
            Remedy::Xor { pack, banks } => (1, pack, banks, none),
            Remedy::XorLayer { pack, layers } => (2, pack, layers, none),
            Remedy::XorBits { pack, layers, masks } => (3, pack, layers, masks),
            Remedy::RowPad { elements } => (4, 1, elements, none),
            Remedy::Rotated { pack } => (5, pack, 0, none),
            Remedy::XorLines { pack, lines, masks } => (6, pack, lines, masks),
            Remedy::LinearPacks { pack, columns } => (7, pack, 0, columns),
            Remedy::ByColumns(columns) => return columns,
        };
        Self { kind, pack, number, masks }
    }

    /// The layout of the exchanged tile.
    #[must_use]
    pub const fn recipe(self) -> Remedy {
        let Self { kind, pack, number, masks } = self;
        match kind {
            0 => Remedy::InOrder,
            1 => Remedy::Xor { pack, banks: number },
            2 => Remedy::XorLayer { pack, layers: number },
            3 => Remedy::XorBits { pack, layers: number, masks },
            4 => Remedy::RowPad { elements: number },
            5 => Remedy::Rotated { pack },
            6 => Remedy::XorLines { pack, lines: number, masks },
            _ => Remedy::LinearPacks { pack, columns: masks },
        }
    }
}

impl Remedy {
    /// The layout itself.
    ///
    /// # Errors
    ///
    /// As the recipe.
    pub const fn plan(self, tile: Shape) -> Result<Plan, Error> {
        let Shape { rows, columns: deep, .. } = tile;
        match self {
            Self::Xor { pack, banks } => recipe::gemm_xor(rows, deep, pack, tile.layers_on(banks)),
            Self::XorLayer { pack, layers } => recipe::gemm_xor(rows, deep, pack, layers),
            Self::XorBits { pack, layers, masks } => {
                // With an element of 8 bits, bytes fit wherever elements do.
                recipe::GemmXorBits::<F8>([rows, deep, pack, layers], masks.as_slice())
            }
            Self::XorLines { lines, .. } => {
                let (recipe, narrow) = self.of_recipe(tile);
                recipe::joined(&attempt!(recipe.plan(narrow)), lines)
            }
            Self::LinearPacks { pack, columns } => {
                recipe::LinearPacks::<F8>([rows, deep, pack], columns.as_slice())
            }
            Self::InOrder => tile.rows_in_order(),
            Self::RowPad { elements } => {
                Plan::naive(&[rows, deep], &[deep.saturating_add(elements), 1])
            }
            Self::Rotated { pack } => recipe::RowShift::<F8>([rows, deep, pack]),
            Self::ByColumns(_) => {
                let (recipe, exchanged) = self.of_recipe(tile);
                recipe::transposed(&attempt!(recipe.plan(exchanged)))
            }
        }
    }

    /// What is exchanged or joined, and the tile that it is of; itself and the tile where nothing is.
    pub(crate) const fn of_recipe(self, tile: Shape) -> (Self, Shape) {
        match self {
            Self::ByColumns(by) => (by.recipe(), tile.transposed()),
            Self::XorLines { pack, lines, masks } => {
                (Self::XorBits { pack, layers: 1, masks }, tile.in_lines(lines))
            }
            layout => (layout, tile),
        }
    }

    /// The same with other masks.
    pub(crate) const fn with_masks(self, masks: List) -> Self {
        match self {
            Self::XorBits { pack, layers, .. } => Self::XorBits { pack, layers, masks },
            Self::XorLines { pack, lines, .. } => Self::XorLines { pack, lines, masks },
            layout => layout,
        }
    }

    /// Whether columns are contiguous.
    pub(crate) const fn is_by_columns(&self) -> bool {
        matches!(self, Self::ByColumns(_))
    }

    /// Whether it is a pad behind each row, or each column.
    pub(crate) const fn is_pad(&self) -> bool {
        match self {
            Self::RowPad { .. } => true,
            Self::ByColumns(by) => matches!(by.recipe(), Self::RowPad { .. }),
            _ => false,
        }
    }

    /// MLdsLayer, if it has another than CK's choice.
    #[must_use]
    pub const fn layers(self) -> Option<u32> {
        match self {
            Self::XorLayer { layers, .. } | Self::XorBits { layers, .. } => Some(layers),
            Self::XorLines { .. } => Some(1),
            Self::ByColumns(by) => by.recipe().layers(),
            _ => None,
        }
    }

    /// The swizzle of a layout without padding: masks over a layering.
    pub(crate) const fn masked(self, tile: Shape) -> Option<Masked> {
        let (pack, masks) = match self {
            Self::InOrder => return Some(Masked { layering: None, masks: List::EMPTY }),
            Self::Xor { pack, .. } | Self::XorLayer { pack, .. } => (pack, None),
            Self::XorBits { pack, masks, .. } => (pack, Some(masks)),
            Self::LinearPacks { .. } | Self::RowPad { .. } | Self::Rotated { .. } => return None,
            Self::ByColumns(_) | Self::XorLines { .. } => {
                let (recipe, tile) = self.of_recipe(tile);
                return recipe.masked(tile);
            }
        };
        let layers = self.rows_to_a_line(tile);
        let Some(layering) = Layering::new(tile, pack, layers) else { return None };
        let masks = match masks {
            Some(masks) => masks,
            None => layering.single_bits(),
        };
        Some(Masked { layering: Some(layering), masks })
    }

    /// MLdsLayer, CK's choice included; 1 where rows are not layered.
    pub(crate) const fn rows_to_a_line(self, tile: Shape) -> u32 {
        match self {
            Self::Xor { banks, .. } => tile.layers_on(banks),
            Self::XorLayer { layers, .. } | Self::XorBits { layers, .. } => layers,
            Self::InOrder
            | Self::XorLines { .. }
            | Self::LinearPacks { .. }
            | Self::RowPad { .. }
            | Self::Rotated { .. } => 1,
            Self::ByColumns(by) => by.recipe().rows_to_a_line(tile.transposed()),
        }
    }

    /// KPack; 1 where no packs are exchanged.
    pub(crate) const fn pack(self) -> u32 {
        match self {
            Self::Xor { pack, .. }
            | Self::XorLayer { pack, .. }
            | Self::XorBits { pack, .. }
            | Self::XorLines { pack, .. }
            | Self::LinearPacks { pack, .. }
            | Self::Rotated { pack } => pack,
            Self::InOrder | Self::RowPad { .. } => 1,
            Self::ByColumns(by) => by.recipe().pack(),
        }
    }

    /// Terms of an offset, about as many instructions as an address takes.
    pub(crate) const fn terms(self, tile: Shape) -> u32 {
        match (self, self.masked(tile)) {
            (_, Some(masked)) => masked.terms(),
            // 11 gfx942 instructions, where a xor of three terms takes 4 (`tests/codegen`).
            (Self::Rotated { .. }, _) => 8,
            (Self::ByColumns(by), _) => by.recipe().terms(tile.transposed()),
            (Self::LinearPacks { pack, columns }, _) => distances(tile, pack, &columns),
            _ => 2,
        }
    }

    /// Whether it is free of conflicts in every use. False also of a layout that cannot be, that an
    /// access does not fit, or that the direct load of a use cannot fill.
    #[must_use]
    pub const fn is_free(self, tile: Shape, uses: &[Use<'_>]) -> bool {
        let Ok(plan) = self.plan(tile) else { return false };
        if unfilled(&plan, tile.bits, uses).is_some() {
            return false;
        }
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

    /// The line that a user pastes, of elements of this name.
    ///
    /// ```
    /// use tiledesc::remedy::{Remedy, Shape};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let pad = Remedy::RowPad { elements: 8 };
    /// assert_eq!(pad.text("F16", tile).as_str(), "recipe::RowPad<F16, M<128>, K<64>, Padding<8>>");
    /// ```
    #[must_use]
    pub const fn text(self, element: &str, tile: Shape) -> Text {
        self.explain(Text::new(), element, tile)
    }

    /// Appends how a user writes it.
    pub(crate) const fn explain(self, text: Text, element: &str, tile: Shape) -> Text {
        match self {
            Self::InOrder => {
                tile.rows_and_columns(say!(text: "recipe::RowMajor<", str(element))).str(">")
            }
            Self::Rotated { pack } => {
                tile.parameters(say!(text: "recipe::RowShift<", str(element)), pack).str(">")
            }
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
            Self::LinearPacks { pack, columns } => {
                let text = say!(text: "recipe::LinearPacks<", str(element));
                let text = tile.parameters(text, pack);
                say!(text: ", seq!", list(columns.as_slice()), ">")
            }
            Self::XorLines { lines, .. } => {
                let (recipe, narrow) = self.of_recipe(tile);
                let text = recipe.explain(text.str("recipe::Joined<"), element, narrow);
                say!(text: ", Lines<", lines, ">>")
            }
            Self::ByColumns(_) => {
                let (recipe, exchanged) = self.of_recipe(tile);
                recipe.explain(text.str("recipe::Transposed<"), element, exchanged).str(">")
            }
        }
    }
}

/// The terms of an offset that is placed bit by bit: the distances by which bits move, of rows and of
/// columns.
const fn distances(tile: Shape, pack: u32, columns: &List) -> u32 {
    let (first, deep) = (pack.trailing_zeros(), tile.columns.trailing_zeros());
    let all = (tile.rows.trailing_zeros() + deep) as usize;
    // What has no column stays, in packs of one element or more.
    let (mut moves, mut b) = ([0u64; 2], 0);
    while b < all {
        let (of_row, pack_bit) = (b >= deep as usize, b.wrapping_sub(first as usize));
        let mut place = 1 << b;
        if pack_bit < columns.len() {
            place = (columns.at(pack_bit) as u64) << first;
        }
        while place != 0 {
            moves[of_row as usize] |= 1 << (32 + place.trailing_zeros() - b as u32);
            place &= place - 1;
        }
        b += 1;
    }
    moves[0].count_ones() + moves[1].count_ones()
}

impl Shape {
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
        self.pad(uses, false)
    }

    /// The smallest pad behind rows, or behind columns, that is free.
    pub(crate) const fn pad(self, uses: &[Use<'_>], by_columns: bool) -> Option<Remedy> {
        let (step, round) = (self.pad_step(uses), self.pad_round(uses));
        let mut elements = step;
        while step > 0 && elements < round {
            let pad = Remedy::RowPad { elements };
            let pad = if by_columns { Remedy::ByColumns(ByColumns::of(pad)) } else { pad };
            if pad.is_free(self, uses) {
                return Some(pad);
            }
            elements += step;
        }
        None
    }
}
