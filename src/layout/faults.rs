//! The faults of a layout, whatever its plan: a parameter in the place of another, elements that their storage does not hold,
//! bytes that 32 bits do not number.

use super::{Recipe, Tile};
use crate::element::Element;
use tiledesc_transforms::Error;

/// Returns the fault of a layout that ends `elements` elements after element 0, whatever its plan.
pub(super) const fn faults<T: Tile>(elements: u64) -> Option<Error> {
    if let Some(fault) = <T::Recipe as Recipe<T::Element>>::FAULT {
        return Some(Error::Number(fault));
    }
    let (bits, storage) =
        (T::Element::BITS, 8 * size_of::<<T::Element as Element>::Storage>() as u64);
    if storage < bits as u64 {
        return Some(Error::Storage { bits, storage });
    }
    // Of an empty tile the plan says what is wrong.
    if elements > 0 { too_large(elements, bits) } else { None }
}

/// The error of a layout that is too large: it ends `elements` elements after element 0.
pub(super) const fn too_large(elements: u64, bits: u32) -> Option<Error> {
    if bits == 0 {
        return Some(Error::NoBits);
    }
    let unit = if bits.is_multiple_of(8) { bits as u64 / 8 } else { bits as u64 };
    if elements * unit > 1 << 32 { Some(Error::BytesTooLarge { elements, bits }) } else { None }
}
