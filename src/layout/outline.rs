//! A layout in outline: its digits and its size, for recipes whose numbers alone determine them.
//!
//! A plan of a swizzled tile is the larger part of what a declaration costs the compiler (see DESIGN, "What the compiler pays
//! for"), and mostly nobody needs it: that the layout can be, that no two elements meet, and where a wave's lanes are follow from
//! the recipe's numbers where these are powers of two.
//!
//! ```text
//!   recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>      outline: bit 0 to 2 of m flip bit 3 to 5, 8192 elements
//!   recipe::GemmXor<F16, M<128>, K<96>, KPack<24>>     none: the plan tells
//!   recipe::GemmXor<F16, M<128>, K<96>, KPack<32>>     none: the plan refuses it
//! ```
//!
//! A recipe that has an outline promises three things: its plan can be composed, its digits are these, and no two
//! coordinates share an offset. Recipes compare theirs with their plans.

use super::faults::faults;
use super::{Recipe, Tile};
use core::marker::PhantomData;
use tiledesc_transforms::{Adaptor, Digits};

/// The facts known of a layout before it has a plan.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    digits: Digits,
    /// Elements from the first to the last.
    space: u64,
    /// The number of elements along the last dimension that are known to be consecutive, and to begin at a multiple of that
    /// number.
    pack: u32,
}

impl Outline {
    /// Digits, elements from the first to the last, and those that aligned packs along the last dimension keep together,
    /// a power of two.
    pub(crate) const fn new(digits: Digits, space: u64, pack: u32) -> Self {
        Self { digits, space, pack }
    }

    /// Lets a bit of an element's number flip more than itself, of digits that are linear.
    pub(crate) const fn flip_also(&mut self, input: usize, flips: u32) {
        self.digits.flip_also(input, flips);
    }

    /// The digits of its plan.
    #[must_use]
    pub const fn digits(&self) -> &Digits {
        &self.digits
    }

    /// The number of elements along the last dimension that are known to be consecutive, and to begin at a multiple of that
    /// number.
    #[must_use]
    pub const fn pack(&self) -> u32 {
        self.pack
    }

    /// The element space of its plan.
    #[must_use]
    pub const fn space(&self) -> u64 {
        self.space
    }
}

/// A type with a constant that is true if a layout with an outline has nothing to refuse.
struct Admitted<T>(PhantomData<T>);

impl<T: Tile> Admitted<T> {
    const IS: bool = match <T::Recipe as Recipe<T::Element>>::OUTLINE {
        Some(outline) => faults::<T>(outline.space).is_none(),
        None => false,
    };
}

/// The outline of a layout with nothing to refuse; `None` where the plan decides.
pub(crate) const fn outline<T: Tile>() -> Option<&'static Outline> {
    if Admitted::<T>::IS { <T::Recipe as Recipe<T::Element>>::OUTLINE.as_ref() } else { None }
}

/// The digits of a layout, by its outline if it has one.
pub(crate) const fn digits<T: Tile>() -> Option<Digits> {
    match outline::<T>() {
        Some(outline) => Some(outline.digits),
        None => digits_of_plan::<T>(),
    }
}

/// A function, because the constants that a body names are evaluated whether it gets to them or not.
const fn digits_of_plan<T: Tile>() -> Option<Digits> {
    T::Descriptor::DIGITS
}
