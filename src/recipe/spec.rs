//! A layout of a tile as a choice: a scheme, its numbers, and what is done with the tile first.
//!
//! The sentence that a user pastes, the plan, the declared type and the words of the command line are four
//! spellings of one choice, so each is read off the same fields:
//!
//! ```text
//!   recipe        pack  layers  list       pad  lines  transposed
//!   GemmXorBits      8       4  [3, 2]       0      1  no           GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>
//!   GemmXorBits      1       1  [1, 2, 4]    0      4  no           Joined<GemmXorBits<F32, M<512>, K<32>, ..>, Lines<4>>
//!   RowPad           1       1  []           8      1  yes          Transposed<RowPad<F16, M<64>, K<128>, Padding<8>>>
//! ```
//!
//! A scheme is one row of `every_scheme!`.

use super::shape::Shape;
use crate::element::F8;
use crate::recipe;
use tiledesc_transforms::{Error, List, Plan, Text, attempt, say};

/// Calls a macro with every scheme: its recipe, its constructor, the parameters after M and K with the fields
/// that hold them, the name of its list if it has one, and what its plan is. No scheme has the name of a type:
/// rustc would print that type with its path in everybody's errors.
macro_rules! every_scheme {
    ($listed:ident) => {
        $listed! {
            /// Row by row, in order.
            InOrder of RowMajor row_major {} = |tile, spec| tile.rows_in_order();
            /// The xor recipe of packs of `pack` elements, with the MLdsLayer that CK takes for 32 banks.
            Swizzled of GemmXor gemm_xor { KPack pack }
                = |tile, spec| recipe::gemm_xor(tile.rows, tile.columns, spec.pack, tile.layers_on(32));
            /// The xor recipe of packs of `pack` elements, with the MLdsLayer that CK takes for 64 banks.
            Swizzled64 of GemmXor64 gemm_xor_64 { KPack pack }
                = |tile, spec| recipe::gemm_xor(tile.rows, tile.columns, spec.pack, tile.layers_on(64));
            /// The xor recipe with `layers` rows in a layer.
            SwizzledLayers of GemmXorLayer gemm_xor_layer { KPack pack, MLdsLayer layers }
                = |tile, spec| recipe::gemm_xor(tile.rows, tile.columns, spec.pack, spec.layers);
            /// The xor recipe with a mask for each bit of a layer's number.
            MaskedLayers of GemmXorBits gemm_xor_bits { KPack pack, MLdsLayer layers } Masks list
                = |tile, spec| recipe::GemmXorBits::<F8>(
                    [tile.rows, tile.columns, spec.pack, spec.layers], spec.list.as_slice(),
                );
            /// Packs flipped within lines of memory, whatever the length of a row.
            DenseSwizzled of DenseXor dense_xor { KPack pack, LinePacks line } Masks list
                = |tile, spec| recipe::DenseXor::<F8>(
                    [tile.rows, tile.columns, spec.pack, spec.line], spec.list.as_slice(),
                );
            /// Packs that are placed bit by bit.
            BitByBit of LinearPacks linear_packs { KPack pack } Columns list
                = |tile, spec| recipe::LinearPacks::<F8>(
                    [tile.rows, tile.columns, spec.pack], spec.list.as_slice(),
                );
            /// Rows with `pad` elements after each.
            PaddedRows of RowPad row_pad { Padding pad }
                = |tile, spec| Plan::naive(
                    &[tile.rows, tile.columns], &[tile.columns.saturating_add(spec.pad), 1],
                );
            /// `pad` elements after every `every` elements, whatever the length of a row.
            PaddedIntervals of IntervalPad interval_pad { Every every, Padding pad }
                = |tile, spec| recipe::IntervalPad::<F8>(
                    [tile.rows, tile.columns, spec.every, spec.pad],
                );
            /// Packs rotated by the row.
            RotatedRows of RowShift row_shift { KPack pack }
                = |tile, spec| recipe::RowShift::<F8>([tile.rows, tile.columns, spec.pack]);
        }
    };
}
pub(crate) use every_scheme;

/// The enum of the schemes and the constructors of a `Spec`, a row of `every_scheme!` each.
macro_rules! schemes {
    ($(
        #[doc = $doc:literal]
        $Scheme:ident of $Recipe:ident $new:ident { $($Parameter:ident $field:ident),* } $($Items:ident $list:ident)?
            = |$tile:ident, $spec:ident| $plan:expr;
    )*) => {
        /// The recipe of a choice, of those that a search chooses from.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Scheme {$(
            #[doc = $doc]
            #[doc = concat!(" In [`", stringify!($Recipe), "`](type@crate::recipe::", stringify!($Recipe), ").")]
            $Scheme,
        )*}

        impl Scheme {
            /// The name of its recipe.
            ///
            /// ```
            /// use tiledesc::recipe::Spec;
            ///
            /// assert_eq!(Spec::gemm_xor(8).scheme().name(), "GemmXor");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Scheme => stringify!($Recipe),)*
                }
            }

            /// The parameters of its recipe after `M` and `K`.
            ///
            /// ```
            /// use tiledesc::recipe::Spec;
            ///
            /// assert_eq!(Spec::gemm_xor_layer(8, 2).scheme().parameters(), ["KPack", "MLdsLayer"]);
            /// ```
            #[must_use]
            pub const fn parameters(self) -> &'static [&'static str] {
                match self {
                    $(Self::$Scheme => &[$(stringify!($Parameter)),*],)*
                }
            }

            /// The name of the list that comes last, if its recipe has one.
            ///
            /// ```
            /// use tiledesc::{List, recipe::Spec};
            ///
            /// assert_eq!(Spec::gemm_xor_bits(8, 4, List::new(&[3, 2])).scheme().list(), Some("Masks"));
            /// assert_eq!(Spec::row_pad(8).scheme().list(), None);
            /// ```
            #[must_use]
            pub const fn list(self) -> Option<&'static str> {
                match self {
                    $(Self::$Scheme => first(&[$(stringify!($Items))?]),)*
                }
            }
        }

        impl Spec {
            $(
                #[doc = $doc]
                #[must_use]
                pub const fn $new($($field: u32,)* $($list: List)?) -> Self {
                    Self { scheme: Scheme::$Scheme, $($field,)* $($list,)? ..Self::PLAIN }
                }
            )*

            /// The numbers of its recipe after `M` and `K`, by name.
            ///
            /// ```
            /// use tiledesc::recipe::Spec;
            ///
            /// let layered = Spec::gemm_xor_layer(8, 2);
            /// let numbers: Vec<_> = layered.numbers().collect();
            /// assert_eq!(numbers, [("KPack", 8), ("MLdsLayer", 2)]);
            /// ```
            pub fn numbers(&self) -> impl Iterator<Item = (&'static str, u32)> {
                self.scheme.parameters().iter().enumerate().map(|(i, name)| (*name, self.number(i)))
            }

            /// One of them.
            const fn number(&self, i: usize) -> u32 {
                let numbers: &[u32] = match self.scheme {
                    $(Scheme::$Scheme => &[$(self.$field),*],)*
                };
                numbers[i]
            }

            /// The layout of the tile that the recipe is of.
            const fn of_recipe(&self, tile: Shape) -> Result<Plan, Error> {
                match self.scheme {
                    $(Scheme::$Scheme => {
                        let ($tile, $spec) = (tile, self);
                        let _ = $spec; // row by row there is nothing to choose
                        $plan
                    })*
                }
            }
        }
    };
}
every_scheme!(schemes);

impl Scheme {
    /// Returns whether it leaves bytes out.
    pub(crate) const fn is_padded(self) -> bool {
        matches!(self, Self::PaddedRows | Self::PaddedIntervals)
    }
}

const fn first(names: &[&'static str]) -> Option<&'static str> {
    match names {
        [name, ..] => Some(*name),
        [] => None,
    }
}

/// A layout of a tile, as a recipe with its numbers.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
///
/// let tile = Shape { rows: 128, columns: 32, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// // Two rows to a line of 128 bytes: row 2 is line 1, whose packs are xor-ed with 1.
/// let two = Spec::gemm_xor_layer(8, 2);
/// assert_eq!(two.plan(tile)?.offset(&[2, 0])?, 64 + 8);
/// // Of four, rows 0 and 2 of a line are 128 bytes apart: all 32 banks once.
/// let four = Spec::gemm_xor_layer(8, 4);
/// assert_eq!([two, four].map(|each| each.is_free(tile, &[read])), [true, false]);
/// // A pad of 8 elements behind each column.
/// let columns = Spec::row_pad(8).transposed();
/// assert_eq!(
///     columns.text("F16", tile).as_str(),
///     "recipe::Transposed<recipe::RowPad<F16, M<32>, K<128>, Padding<8>>>",
/// );
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    scheme: Scheme,
    pack: u32,
    layers: u32,
    line: u32,
    every: u32,
    pad: u32,
    list: List,
    lines: u32,
    is_transposed: bool,
}

impl Spec {
    /// Row by row: what a scheme does not choose. A constant, which costs the compiler less than a call.
    const PLAIN: Self = Self {
        scheme: Scheme::InOrder,
        pack: 1,
        layers: 1,
        line: 1,
        every: 1,
        pad: 0,
        list: List::EMPTY,
        lines: 1,
        is_transposed: false,
    };

    /// Returns the layout of narrow rows, `lines` of which are a row of the tile: in a [`Joined`](crate::recipe::Joined).
    ///
    /// ```
    /// use tiledesc::recipe::{Shape, Spec};
    ///
    /// // Rows of 128 floats are four lines of 32 banks; a float after each line.
    /// let tile = Shape { rows: 128, columns: 128, bits: 32 };
    /// let padded = Spec::row_pad(1).joined(4).plan(tile)?;
    /// assert_eq!(padded.offset(&[3, 70]), Ok((4 * 3 + 2) * 33 + 6));
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn joined(self, lines: u32) -> Self {
        Self { lines, ..self }
    }

    /// Returns the layout of the tile with its dimensions exchanged, so that columns are contiguous: in a
    /// [`Transposed`](crate::recipe::Transposed).
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { is_transposed: true, ..self }
    }

    /// The recipe.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// KPack, in elements; 1 where no packs are exchanged.
    #[must_use]
    pub const fn pack(&self) -> u32 {
        self.pack
    }

    /// Packs to a line of memory; 1 where there are no such lines.
    #[must_use]
    pub const fn line_packs(&self) -> u32 {
        self.line
    }

    /// Elements from pad to pad, of [`Scheme::PaddedIntervals`]; 1 of others.
    #[must_use]
    pub const fn every(&self) -> u32 {
        self.every
    }

    /// Elements of padding: after each row, or after every [`every`](Self::every) elements.
    #[must_use]
    pub const fn pad(&self) -> u32 {
        self.pad
    }

    /// The masks of [`Scheme::MaskedLayers`] and [`Scheme::DenseSwizzled`], the columns of [`Scheme::BitByBit`].
    #[must_use]
    pub const fn list(&self) -> List {
        self.list
    }

    /// Narrow rows to a row of the tile.
    #[must_use]
    pub const fn lines(&self) -> u32 {
        self.lines
    }

    /// Returns whether columns are contiguous.
    #[must_use]
    pub const fn is_transposed(&self) -> bool {
        self.is_transposed
    }

    /// MLdsLayer on a tile, CK's choice included; 1 where rows are not layered.
    ///
    /// ```
    /// use tiledesc::recipe::{Shape, Spec};
    ///
    /// // Rows of 64 bytes: two fill 32 banks, four fill 64.
    /// let tile = Shape { rows: 128, columns: 32, bits: 16 };
    /// assert_eq!([Spec::gemm_xor(8), Spec::gemm_xor_64(8)].map(|each| each.layers(tile)), [2, 4]);
    /// ```
    #[must_use]
    pub const fn layers(&self, tile: Shape) -> u32 {
        match self.scheme {
            Scheme::Swizzled => self.recipe_tile(tile).layers_on(32),
            Scheme::Swizzled64 => self.recipe_tile(tile).layers_on(64),
            _ => self.layers,
        }
    }

    /// The number of xors of CK Tile that a tile may have: for 32 banks, for 64, and of 1, 2, 4 and 8 rows to a line.
    #[doc(hidden)]
    pub const CK_XORS: usize = 6;

    /// Returns an xor of CK Tile by its number: for as many banks first, then for others, then by the rows to a line. `None` of one whose
    /// lines have as many rows as those of another before it, and where a row's packs are no power of two.
    #[doc(hidden)]
    #[must_use]
    pub const fn ck_xor(tile: Shape, pack: u32, banks: u32, number: usize) -> Option<Self> {
        if pack == 0
            || !tile.columns.is_multiple_of(pack)
            || !(tile.columns / pack).is_power_of_two()
        {
            return None;
        }
        let (of_32, of_64) = (Self::gemm_xor(pack), Self::gemm_xor_64(pack));
        let ck = if banks > 32 { [of_64, of_32] } else { [of_32, of_64] };
        let layers = [ck[0].layers(tile), ck[1].layers(tile)];
        let (recipe, rows) = match number {
            0 | 1 => (ck[number], layers[number]),
            _ => (Self::gemm_xor_layer(pack, 1 << (number - 2)), 1 << (number - 2)),
        };
        let is_new = number == 0 || rows != layers[0] && (number == 1 || rows != layers[1]);
        if is_new { Some(recipe) } else { None }
    }

    /// The tile that the recipe is of: exchanged, then in lines.
    pub(crate) const fn recipe_tile(&self, tile: Shape) -> Shape {
        let tile = if self.is_transposed { tile.transposed() } else { tile };
        if self.lines == 1 { tile } else { tile.in_lines(self.lines) }
    }

    /// Returns the plan of the layout over a tile.
    ///
    /// # Errors
    ///
    /// The errors of the recipe.
    pub const fn plan(&self, tile: Shape) -> Result<Plan, Error> {
        let mut plan = attempt!(self.of_recipe(self.recipe_tile(tile)));
        if self.lines != 1 {
            plan = attempt!(recipe::joined(&plan, self.lines));
        }
        if self.is_transposed { recipe::transposed(&plan) } else { Ok(plan) }
    }

    /// The line that a user pastes, of elements of this name.
    ///
    /// ```
    /// use tiledesc::recipe::{Shape, Spec};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let pad = Spec::row_pad(8);
    /// assert_eq!(pad.text("F16", tile).as_str(), "recipe::RowPad<F16, M<128>, K<64>, Padding<8>>");
    /// ```
    #[must_use]
    pub const fn text(&self, element: &str, tile: Shape) -> Text {
        self.explain(Text::new(), element, tile)
    }

    /// Appends the same.
    pub(crate) const fn explain(&self, text: Text, element: &str, tile: Shape) -> Text {
        let Shape { rows, columns, .. } = self.recipe_tile(tile);
        let text = if self.is_transposed { text.str("recipe::Transposed<") } else { text };
        let text = if self.lines == 1 { text } else { text.str("recipe::Joined<") };
        let mut text = say!(text:
            "recipe::", str(self.scheme.name()), "<", str(element), ", M<", rows, ">, K<", columns, ">"
        );
        let (names, mut i) = (self.scheme.parameters(), 0);
        while i < names.len() {
            text = say!(text: ", ", str(names[i]), "<", self.number(i), ">");
            i += 1;
        }
        if self.scheme.list().is_some() {
            text = say!(text: ", seq!", list(self.list.as_slice()));
        }
        text = text.str(">");
        if self.lines != 1 {
            text = say!(text: ", Lines<", self.lines, ">>");
        }
        if self.is_transposed { text.str(">") } else { text }
    }
}
