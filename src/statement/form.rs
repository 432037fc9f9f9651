//! The form of a declared layout: numbers that a search found, as the recipe of a type.
//!
//! A type cannot hold what a constant found, only numbers can be its parameters. So the scheme is one number, which
//! names the recipe, and masks or columns are another:
//!
//! ```text
//!   GemmXorBits of KPack<8>, MLdsLayer<4>, seq![3, 2]     FormOf<4 * scheme + 2 * joined + transposed>
//!   seq![3, 2]                                            PackedList<2 << 10 | 3, and above bit 121 the width 10>
//! ```

use crate::recipe::of;
use crate::recipe::spec::{Scheme, Spec, every_scheme};
use tiledesc_transforms::{Extent, Lengths, List, NumberError};

/// A scheme, perhaps joined, perhaps transposed, as one number.
pub(super) const fn form(scheme: Scheme, is_joined: bool, is_transposed: bool) -> usize {
    4 * scheme as usize + 2 * is_joined as usize + is_transposed as usize
}

/// A list as one number: items of ten or eleven bits, and how many bits an item has on top. One
/// constant and not a tuple of twelve: see DESIGN, "What the compiler pays for".
#[derive(Clone, Copy, Debug, Default)]
pub struct PackedList<const ITEMS: u128>;

/// Columns of a layout that places packs bit by bit, each of as many bits.
const MOST_COLUMNS: u32 = 11;
/// Bits of a mask: twelve of them are a list.
const MASK_BITS: u32 = 10;
/// The first bit of an item's width, above eleven columns of as many bits.
const WIDTH: u32 = MOST_COLUMNS * MOST_COLUMNS;

impl<const ITEMS: u128> PackedList<ITEMS> {
    const ITEM_BITS: u32 = (ITEMS >> WIDTH) as u32;
    const COUNT: usize = {
        let items = ITEMS % (1 << WIDTH);
        (u128::BITS - items.leading_zeros()).div_ceil(Self::ITEM_BITS) as usize
    };
    const LIST: List = {
        let (mut items, mut i) = ([0; List::CAPACITY], 0);
        while i < Self::COUNT {
            items[i] = (ITEMS >> (Self::ITEM_BITS * i as u32)) as u32 % (1 << Self::ITEM_BITS);
            i += 1;
        }
        List::of_first(items, Self::COUNT)
    };
}

/// The list of a layout as one number: its columns, or its masks.
pub(super) const fn packed(spec: &Spec) -> u128 {
    let width = match spec.scheme() {
        Scheme::BitByBit => MOST_COLUMNS,
        _ => MASK_BITS,
    };
    let (items, mut packed, mut i) = (spec.list(), (width as u128) << WIDTH, 0);
    while i < items.len() {
        packed |= (items.at(i) as u128) << (width * i as u32);
        i += 1;
    }
    packed
}

/// The items of a run-time value, which are constants, too.
#[derive(Clone, Copy, Debug)]
pub struct ListExtents([Extent; List::CAPACITY], usize);

impl ListExtents {
    pub(super) const fn new(list: &List) -> Self {
        let (mut items, mut i) = ([Extent::constant(1); List::CAPACITY], 0);
        while i < list.len() {
            items[i] = Extent::constant(list.at(i));
            i += 1;
        }
        Self(items, list.len())
    }
}

impl AsRef<[Extent]> for ListExtents {
    #[inline(always)]
    fn as_ref(&self) -> &[Extent] {
        &self.0[..self.1]
    }
}

impl<const ITEMS: u128> Lengths for PackedList<ITEMS> {
    const COUNT: usize = Self::COUNT;
    const KNOWN: Result<List, NumberError> = Ok(Self::LIST);
    type Extents = ListExtents;

    #[inline(always)]
    fn extents(&self) -> ListExtents {
        const { ListExtents::new(&Self::LIST) }
    }
}

/// The form of a declared layout, by its number.
#[derive(Clone, Copy, Debug)]
pub struct FormOf<const NUMBER: usize>;

/// The recipe of a form, with its parameters.
pub trait RecipeOf<M, K, KPack, MLdsLayer, LinePacks, Every, Padding, Lines, Items> {
    /// The recipe of the layout.
    type Recipe;
}

/// Expands to the recipe of each form of a declared layout, from the rows of `every_scheme!`: four forms a scheme, as it is,
/// transposed, of joined rows, and both. `$Parameter` are the recipe's parameters after M and K, `$Items` its list; plans and
/// fields of a row are not read here.
///
/// | rule | writes |
/// |---|---|
/// | `@one` | `RecipeOf` of one form, by its number |
/// | `@items` | the parameter that stands for a list |
macro_rules! forms {
    ($(
        #[doc = $doc:literal]
        $Scheme:ident of $Recipe:ident $new:ident { $($Parameter:ident $field:ident),* } $($Items:ident $list:ident)? = |$tile:ident, $spec:ident| $plan:expr;
    )*) => {$(
        forms!(@one $Scheme, false, false, of::$Recipe<M, K $(, $Parameter)* $(, forms!(@items $Items))?>);
        forms!(@one $Scheme, false, true, of::Transposed<of::$Recipe<M, K $(, $Parameter)* $(, forms!(@items $Items))?>>);
        forms!(@one $Scheme, true, false, of::Joined<of::$Recipe<M, K $(, $Parameter)* $(, forms!(@items $Items))?>, Lines>);
        forms!(@one $Scheme, true, true, of::Transposed<of::Joined<of::$Recipe<M, K $(, $Parameter)* $(, forms!(@items $Items))?>, Lines>>);
    )*};
    // One form.
    (@one $Scheme:ident, $joined:literal, $transposed:literal, $Recipe:ty) => {
        impl<M, K, KPack, MLdsLayer, LinePacks, Every, Padding, Lines, Items>
            RecipeOf<M, K, KPack, MLdsLayer, LinePacks, Every, Padding, Lines, Items>
            for FormOf<{ form(Scheme::$Scheme, $joined, $transposed) }>
        {
            type Recipe = $Recipe;
        }
    };
    // Masks and columns alike.
    (@items $Items:ident) => { Items };
}
every_scheme!(forms);
