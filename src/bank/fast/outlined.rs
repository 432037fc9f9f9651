//! Conflicts on a layout in outline: what a statement tries before it needs a plan.
//!
//! On a linear layout every lane's address is its element's number in the tile, moved by the layout's digits, so neither a plan
//! nor a placement is needed to show that an access is free:
//!
//! ```text
//!   128x32 halves, lane l reads row l % 16, pack l / 16       bit of the lane   1    2    4    8   16   32
//!   in order, in elements                                                      32   64  128  256    8   16
//!   GemmXor<F16, M<128>, K<32>, KPack<8>>                                      32   72  144  288    8   16
//! ```
//!
//! Nothing is refused here: where something may be wrong, or is not known, the plan decides.
//!
//! Without it every statement about an xor tile waits for a plan: see DESIGN, "What the compiler pays for".

use super::span::{Span, add};
use crate::access::misfit::misfit;
use crate::chip::instruction::{Access, Instruction};
use crate::distribution::Reach;
use crate::element::{Element, ElementName};
use crate::layout::{Outline, Tile, outline};
use crate::pattern::Lanes;
use tiledesc_transforms::range;

/// The degree of each instruction of an access, by a rank from the layout's outline, if nothing is refused; `None` where a
/// verdict must decide.
pub(crate) const fn degree<T: Tile>(lanes: &Lanes<'_>, row: &Instruction) -> Option<u32> {
    match outline::<T>() {
        Some(outline) => on_outline(outline, &ElementName::new::<T::Element>(), lanes, row),
        None => None,
    }
}

/// The cycles of all instructions of an access that is free by its [`degree`].
pub(crate) const fn cycles<T: Tile>(lanes: &Lanes<'_>, row: &Instruction) -> u64 {
    match outline::<T>() {
        Some(outline) => cycles_on(outline, T::Element::BITS, lanes, row),
        None => 0,
    }
}

/// The cycles of an access of elements of this many bits: one for each phase, in which some lane of whole waves always is.
const fn cycles_on(outline: &Outline, bits: u32, lanes: &Lanes<'_>, row: &Instruction) -> u64 {
    let phases = &row.service().phases;
    let (tile, pack) = (outline.digits().lengths(), row.bytes() * 8 / bits);
    let reach = Reach { tile, along: lanes.along(2), pack, lanes: phases.addressed() as u32 };
    lanes.walk(&reach).instructions() * phases.count() as u64
}

/// The degree, of an element.
pub(in crate::bank) const fn on_outline(
    outline: &Outline,
    element: &ElementName,
    lanes: &Lanes<'_>,
    row: &Instruction,
) -> Option<u32> {
    let (digits, bytes, bits) = (outline.digits(), row.bytes(), element.bits);
    // Whole bytes, so that packs are as aligned as what an instruction moves.
    if bits & 7 != 0 || bits & (bits - 1) != 0 || !digits.is_linear_by_number() {
        return None;
    }
    let (space, pack) = (outline.space() * (bits / 8) as u64, bytes * 8 / bits);
    if pack == 0 || pack * bits != bytes * 8 || pack & (pack - 1) != 0 || pack > outline.pack() {
        return None;
    }
    let wave = row.service().phases.addressed() as u32;
    let fits = row.is_simple(space) && misfit(lanes, row, element).is_none();
    if wave == 0 || wave & (wave - 1) != 0 || !fits {
        return None;
    }
    let Some([down, along]) = lanes.lane_bits(digits.lengths(), pack, wave) else { return None };
    // Lanes that share an element would write it twice, and may be served together.
    let is_shared = down + along < wave.trailing_zeros();
    if is_shared && (matches!(row.access(), Access::Write) || row.merged().is_some()) {
        return None;
    }
    let service = row.service();
    let Some(cosets) = service.phases.cosets() else { return None };
    let packs = if along == 0 { 0 } else { u32::MAX << down };
    let high = digits.lengths().at(1).trailing_zeros();
    let low = pack.trailing_zeros();
    let up = bits.trailing_zeros() - 3;
    // As a rank by columns, of masks of lanes that are numbers of elements.
    let mut basis = [0; Span::BITS as usize];
    let mut lowest = 0u32;
    let count = cosets.count();
    range!(i, 0..count, {
        let mask = cosets.mask(i) as u32;
        let number = (mask & !(u32::MAX << down)) << high | (mask & packs) >> down << low;
        add!(basis, lowest, digits.flips_of(number) << up >> 2);
    });
    Some(1 << (lowest >> service.banks.trailing_zeros()).count_ones())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::access::placed::Placed;
    use crate::chip::CHIPS;
    use crate::chip::instruction::Access;
    use crate::chip::phases::Phases;
    use crate::pattern::Lanes;
    use crate::recipe::outline::{of_numbers, of_rows};
    use std::{println, vec::Vec};
    use support::definition::Layout;
    use support::fuzz::{Dice, cases, seed};
    use support::nearly::{self, Layers, Rows};
    use support::walked::Said;
    use tiledesc_transforms::Plan;

    /// An outline and the plan of the same numbers.
    fn outlined(dice: &mut Dice) -> Option<(Outline, Plan)> {
        let (outline, plan) = if dice.one_in(2) {
            let tile @ Rows { rows, columns, pad } = Rows::random(dice);
            (of_rows(rows, columns, pad), tile.plan())
        } else {
            let layers = Layers::random(dice);
            (of_numbers(layers.numbers, layers.masks.as_deref()), layers.plan())
        };
        // A plan that is refused has no outline, which `recipe/outline.rs` tests.
        Some((outline?, plan.ok()?))
    }

    /// Degrees from an outline, without a plan, equal those of each lane of each instruction, of tiles that are nearly linear.
    #[test]
    fn by_definition() {
        let (mut dice, count) = (Dice(seed(7)), cases("outlined verdicts"));
        let rows: Vec<_> = CHIPS.iter().flat_map(|chip| chip.rows()).collect();
        let [mut told, mut free, mut left] = [0; 3];
        while told < count {
            let Some((outline, plan)) = outlined(&mut dice) else { continue };
            let layout = Layout::new(plan);
            for _ in 0..16 {
                let bits = dice.of(&[4, 8, 12, 16, 16, 24, 32, 64]);
                let row = support::row_of!(&mut dice, &rows, Instruction, Phases);
                let access = nearly::Access::random(&mut dice);
                // Most others are never told.
                let is_known = matches!(access.said, Said::RowMajor | Said::Column | Said::Rows(_))
                    || matches!(access.said, Said::Repeated(_));
                if !is_known && !dice.one_in(8) {
                    continue;
                }
                let lanes = support::lanes!(access.said, Lanes);
                let lanes = if access.first { lanes.first() } else { lanes };
                let lanes = if dice.one_in(8) { lanes.split(2, 0).unwrap() } else { lanes };
                let Some(degree) = on_outline(&outline, &ElementName::of_bits(bits), &lanes, &row)
                else {
                    left += 1;
                    continue;
                };
                let (pack, addressed) = (row.bytes() * 8 / bits, row.service().phases.addressed());
                let lengths = layout.plan.lengths();
                let sent = access.sent([lengths.at(0), lengths.at(1)], pack, addressed as u32);
                let numbers = support::row!(&row, Access::Write);
                let judged =
                    sent.and_then(|sent| layout.judge(bits, &numbers, access.said.along(), &sent));
                let what = (row.chip(), row.name(), bits, &access, &layout.plan);
                let judged = judged.unwrap_or_else(|| panic!("refused by definition: {what:?}"));
                assert_eq!((degree, false), (judged.degree, judged.race), "{what:?}");
                assert_eq!(judged.rival, None, "{what:?}");
                if degree == 1 {
                    let placed = Placed::new(&layout.plan, bits, lanes, &row).unwrap();
                    let cycles = placed.verdict_without_pair().unwrap().active_cycles();
                    assert_eq!(cycles_on(&outline, bits, &lanes, &row), cycles, "{what:?}");
                }
                told += 1;
                free += u32::from(degree == 1);
            }
        }
        println!("{told} told, {free} of them free, {left} left to the plan");
        assert!(free > told / 4 && told - free > told / 4, "{told} {free}");
    }
}
