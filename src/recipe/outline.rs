//! Outlines of recipes: the facts that follow from their numbers without a plan.
//!
//! | outline | recipes | of which |
//! |---|---|---|
//! | [`rows`] | rows, with or without a pad | all |
//! | [`layers`] | packs xor-ed within layers of rows | K, KPack and MLdsLayer are powers of two |
//!
//! Where an outline is not sure there is none, and the plan decides, or refuses. See `Outline`. The recipes compare their
//! outlines with the plans of the same numbers.

use crate::layout::Outline;
use tiledesc_transforms::{Digits, Lengths, List, Number};

/// More elements are left to the plan, which refuses some.
const MOST: u64 = 1 << 31;

/// The rows of [`RowPad`](type@super::RowPad).
pub(super) const fn rows<M: Number, K: Number, Padding: Number>() -> Option<Outline> {
    if has_fault::<M>() || has_fault::<K>() || has_fault::<Padding>() {
        return None;
    }
    of_rows(M::N, K::N, Padding::N)
}

/// The layers of [`GemmXorLayer`](type@super::GemmXorLayer).
pub(super) const fn layers<M: Number, K: Number, P: Number, L: Number>() -> Option<Outline> {
    if has_fault::<M>() || has_fault::<K>() || has_fault::<P>() || has_fault::<L>() {
        return None;
    }
    of_layers([M::N, K::N, P::N, L::N])
}

/// The layers of [`GemmXorBits`](type@super::GemmXorBits), with masks.
pub(super) const fn masked_layers<M: Number, K: Number, P: Number, L: Number, Masks: Lengths>()
-> Option<Outline> {
    if has_fault::<M>() || has_fault::<K>() || has_fault::<P>() || has_fault::<L>() {
        return None;
    }
    match &Masks::KNOWN {
        Ok(masks) => of_masked_layers([M::N, K::N, P::N, L::N], masks),
        Err(_) => None,
    }
}

const fn has_fault<N: Number>() -> bool {
    N::FAULT.is_some()
}

pub(crate) const fn of_rows(rows: u32, columns: u32, pad: u32) -> Option<Outline> {
    let stride = columns as u64 + pad as u64;
    if rows == 0 || columns == 0 || stride > MOST {
        return None;
    }
    let space = (rows as u64 - 1) * stride + columns as u64;
    if space > MOST {
        return None;
    }
    let pack = 1 << (columns | stride as u32).trailing_zeros();
    match Digits::of_rows([rows, columns], stride as u32) {
        Some(digits) => Some(Outline::new(digits, space, pack)),
        None => None,
    }
}

const fn of_layers(numbers: [u32; 4]) -> Option<Outline> {
    let Some(mut layers) = Layers::new(numbers) else { return None };
    // Bit b of the layer's number flips bit b of the pack's.
    let mut flips = numbers[2];
    while flips < layers.line && layers.input < layers.end {
        layers.flip(flips);
        flips <<= 1;
    }
    Some(layers.outline)
}

const fn of_masked_layers(numbers: [u32; 4], masks: &List) -> Option<Outline> {
    let Some(mut layers) = Layers::new(numbers) else { return None };
    let (pack, count, mut b) = (numbers[2], masks.len(), 0);
    while b < count {
        let flips = masks.at(b) as u64 * pack as u64;
        // A mask that leaves the line is refused by the plan, whatever bits a layer has.
        if flips >= layers.line as u64 {
            return None;
        }
        if layers.input < layers.end {
            layers.flip(flips as u32);
        }
        b += 1;
    }
    Some(layers.outline)
}

/// Packed rows of a power of two, and the bits of a layer's number.
struct Layers {
    outline: Outline,
    /// Elements of a line: a layer of rows.
    line: u32,
    /// The next bit of an element's number that is one of its layer's, and the bit after the last.
    input: usize,
    end: usize,
}

impl Layers {
    const fn new([rows, columns, pack, layers]: [u32; 4]) -> Option<Self> {
        let elements = rows as u64 * columns as u64;
        if rows == 0 || columns == 0 || pack == 0 || layers == 0 || elements > MOST {
            return None;
        }
        let rest = columns & (columns - 1) | pack & (pack - 1) | layers & (layers - 1);
        if rest != 0 || pack > columns || rows & (layers - 1) != 0 {
            return None;
        }
        let Some(digits) = Digits::of_rows([rows, columns], columns) else { return None };
        let line = columns * layers;
        let end = if elements > 1 { (elements - 1).ilog2() as usize + 1 } else { 0 };
        let outline = Outline::new(digits, elements, pack);
        Some(Self { outline, line, input: line.trailing_zeros() as usize, end })
    }

    const fn flip(&mut self, flips: u32) {
        self.outline.flip_also(self.input, flips);
        self.input += 1;
    }
}

/// The layers of these numbers, with masks or without.
#[cfg(test)]
pub(crate) fn of_numbers(numbers: [u32; 4], masks: Option<&[u32]>) -> Option<Outline> {
    match masks {
        Some(masks) => of_masked_layers(numbers, &List::new(masks)),
        None => of_layers(numbers),
    }
}

/// Asserts that an outline keeps its promises, by the plan of the same numbers; returns whether there is an outline.
#[cfg(test)]
pub(super) fn is_kept(
    outline: Option<Outline>,
    plan: &Result<tiledesc_transforms::Plan, tiledesc_transforms::Error>,
    what: &str,
) -> bool {
    let Some(outline) = outline else { return false };
    let plan = plan.as_ref().unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(Some(*outline.digits()), plan.digits(), "{what}");
    assert_eq!((outline.space(), plan.origin()), (plan.element_space(), 0), "{what}");
    assert_eq!(plan.prove_injective(), Ok(()), "{what}");
    assert!(outline.pack() == 1 || outline.digits().is_contiguous(1, outline.pack()), "{what}");
    true
}

/// Asserts that the outline of a type is that of its own plan.
#[cfg(test)]
pub(super) fn assert_kept<T: crate::layout::Tile>() {
    use crate::layout::Recipe;
    use tiledesc_transforms::Adaptor;
    let name = <T::Recipe as Recipe<T::Element>>::NAME;
    let outline = <T::Recipe as Recipe<T::Element>>::OUTLINE;
    assert!(is_kept(*outline, T::Descriptor::PLANNED, name), "{name} has no outline");
}
