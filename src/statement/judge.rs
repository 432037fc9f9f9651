//! Which accesses of a declared layout are free, from where the search laid them.
//!
//! The search lays every access over the tile in order. On a layout of the same tile that is linear by number each lane's
//! address is its element's number there, moved by the layout's digits:
//!
//! ```text
//!   128x32 halves, lane l reads row l % 16, pack l / 16       bit of the lane   1    2    4    8   16   32
//!   in order, in elements                                                      32   64  128  256    8   16
//!   GemmXorBits<.., MLdsLayer<4>, seq![3, 2]>                                  32   64  152  272    8   16
//! ```

use super::stated_access::StatedAccess;
use crate::access::columns::Columns;
use crate::access::placed::space;
use crate::bank::outlined::by_digits;
use crate::chip::instruction::Instruction;
use crate::element::ElementName;
use crate::layout::{Tile, known, outline};
use crate::search::laid::Laid;
use tiledesc_transforms::{Adaptor, Digits};

/// The accesses that are known to be free on a layout of this tile, as bits; of others the verdict tells.
pub(super) const fn free<T: Tile>(laid: &Laid, accesses: &[StatedAccess<'_>]) -> u64 {
    if let Some(outline) = outline::<T>() {
        let element = ElementName::of::<T::Element>();
        let bytes = (outline.space() * element.bits as u64).div_ceil(8);
        return free_on(outline.digits(), &element, bytes, laid, accesses);
    }
    free_by_plan::<T>(laid, accesses)
}

/// The same where there is no outline. A function, because the constants that a body names are evaluated whether it
/// gets to them or not.
const fn free_by_plan<T: Tile>(laid: &Laid, accesses: &[StatedAccess<'_>]) -> u64 {
    let (Ok(plan), Some(digits)) = (known::<T>(), &T::Descriptor::DIGITS) else { return 0 };
    let element = ElementName::of::<T::Element>();
    free_on(digits, &element, space(plan, element.bits), laid, accesses)
}

/// The same of digits and of a size in bytes.
const fn free_on(
    digits: &Digits,
    element: &ElementName,
    space: u64,
    laid: &Laid,
    accesses: &[StatedAccess<'_>],
) -> u64 {
    if !digits.is_linear_by_number() {
        return 0;
    }
    let (bits, mut free, mut contiguous, mut i) = (element.bits, 0, 0, 0);
    while i < accesses.len() && i < Laid::MOST {
        let (access, pack) = (&accesses[i], accesses[i].instruction().bytes() * 8 / bits);
        // What holds of a pack holds of its halves.
        if pack > contiguous && digits.is_contiguous(1, pack) {
            contiguous = pack;
        }
        if pack <= contiguous
            && access.is_plain()
            && access.uses().lanes.misfit(access.instruction(), element).is_none()
            && let Some(columns) = laid.get(i)
            && is_free(columns, digits, bits, access.instruction(), space)
        {
            free |= 1 << i;
        }
        i += 1;
    }
    free
}

/// Whether an access is free by rank, on a linear layout of this many bytes.
const fn is_free(
    in_order: &Columns,
    digits: &Digits,
    bits: u32,
    row: &Instruction,
    space: u64,
) -> bool {
    match by_digits(in_order, digits, bits, row, space) {
        Some(found) => found.degree() == 1,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::access::in_order::in_order;
    use crate::chip::CHIPS;
    use crate::chip::instruction::Access;
    use crate::chip::phases::Phases;
    use crate::pattern::Lanes;
    use std::{println, vec::Vec};
    use support::definition::Layout;
    use support::fuzz::{Dice, cases, seed};
    use support::nearly;

    /// What is taken for free where the search laid it is free by definition, of layouts that are nearly linear.
    #[test]
    fn by_definition() {
        let (mut dice, count) = (Dice(seed(17)), cases("laid accesses"));
        let rows: Vec<_> = CHIPS.iter().flat_map(|chip| chip.rows()).collect();
        let [mut free, mut left] = [0; 2];
        while free < count {
            let Some(plan) = nearly::layout(&mut dice) else { continue };
            let Some(digits) = plan.digits() else { continue };
            let tile = [plan.lengths().at(0), plan.lengths().at(1)];
            let layout = Layout::new(plan);
            for _ in 0..16 {
                let bits = dice.of(&[4, 8, 16, 16, 24, 32, 64]);
                let row = support::row_of!(&mut dice, &rows, Instruction, Phases);
                let access = nearly::Access::random(&mut dice);
                let lanes = support::lanes!(access.said, Lanes);
                let lanes = if access.first { lanes.first() } else { lanes };
                let Some((_, columns)) = in_order(tile, 1, bits, lanes, &row) else { continue };
                let mut laid = Laid::NONE;
                laid.keep(0, &columns);
                let use_of = crate::search::shape::Use::new(lanes, &row);
                let stated = StatedAccess::of(use_of);
                if free_on(
                    &digits,
                    &ElementName::of_bits(bits),
                    space(&layout.plan, bits),
                    &laid,
                    &[stated],
                ) == 0
                {
                    left += 1;
                    continue;
                }
                let (pack, lanes) = (row.bytes() * 8 / bits, row.service().phases.addressed());
                let sent = access.sent(tile, pack, lanes as u32);
                let judged = sent.and_then(|sent| {
                    let numbers = support::row!(&row, Access::Write);
                    layout.judge(bits, &numbers, access.said.along(), &sent)
                });
                let is_free = judged.is_some_and(|judged| judged.is_free());
                assert!(is_free, "{bits} bits, {} {access:?} {judged:?} {layout:?}", row.name());
                free += 1;
            }
        }
        println!("{free} taken for free, {left} left to the verdict");
        assert!(left > free / 4, "{free} {left}");
    }
}
