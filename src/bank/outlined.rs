//! Conflicts on a layout in outline: what a statement asks before it asks a plan.
//!
//! On a linear layout every lane's address is its element's number in the tile, moved by the layout's digits, so
//! neither a plan nor a placement is needed to say that an access is free:
//!
//! ```text
//!   128x32 halves, lane l reads row l % 16, pack l / 16       bit of the lane   1    2    4    8   16   32
//!   in order, in elements                                                      32   64  128  256    8   16
//!   GemmXor<F16, M<128>, K<32>, KPack<8>>                                      32   72  144  288    8   16
//! ```
//!
//! Nothing is refused here: where something may be wrong, or is not known, the plan is asked.

use super::conflicts::Conflicts;
use super::span::{Span, add};
use crate::access::columns::Columns;
use crate::chip::instruction::{Access, Instruction};
use crate::element::Element;
use crate::layout::{Outline, Tile, outline};
use crate::pattern::Lanes;
use tiledesc_transforms::Digits;

/// The degree of each instruction of an access, which a rank tells by the layout's outline, and of which nothing is
/// refused; `None` where a verdict must tell.
pub(crate) const fn degree<T: Tile>(lanes: &Lanes<'_>, row: &Instruction) -> Option<u32> {
    match outline::<T>() {
        Some(outline) => on_outline(outline, T::Element::BITS, lanes, row),
        None => None,
    }
}

/// The same of elements of a width in bits.
const fn on_outline(
    outline: &Outline,
    bits: u32,
    lanes: &Lanes<'_>,
    row: &Instruction,
) -> Option<u32> {
    let (digits, bytes) = (outline.digits(), row.bytes());
    // Whole bytes, so that packs are as aligned as what an instruction moves.
    if bits & 7 != 0 || bits & (bits - 1) != 0 || !digits.is_linear() {
        return None;
    }
    let (space, pack) = (outline.space() * (bits / 8) as u64, bytes * 8 / bits);
    if pack == 0 || pack * bits != bytes * 8 || pack & (pack - 1) != 0 || pack > outline.pack() {
        return None;
    }
    let wave = row.service().phases.addressed() as u32;
    if wave == 0 || wave & (wave - 1) != 0 || !row.is_simple(space) || lanes.misfit(row).is_some() {
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
    // As `rank.rs` has it, of masks of lanes that are numbers of elements.
    let mut basis = [0; Span::BITS as usize];
    let mut lowest = 0u32;
    let mut i = 0;
    let count = cosets.count();
    while i < count {
        let mask = cosets.mask(i) as u32;
        let number = (mask & !(u32::MAX << down)) << high | (mask & packs) >> down << low;
        add!(basis, lowest, digits.flips_of(number) << up >> 2);
        i += 1;
    }
    Some(1 << (lowest >> service.banks.trailing_zeros()).count_ones())
}

/// The conflicts of lanes in order on a linear layout of `space` bytes, whose packs are whole; `None` of a row on which
/// two sources disagree, too.
pub(crate) const fn by_digits(
    in_order: &Columns,
    digits: &Digits,
    bits: u32,
    row: &Instruction,
    space: u64,
) -> Option<Conflicts> {
    if row.rival().is_some() || !row.holds(space) {
        return None;
    }
    match in_order.moved(digits, bits, row, space) {
        Some(columns) => Conflicts::by_rank(&columns, row),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::placed::Placed;
    use crate::chip::{gfx90a, gfx942, gfx950, gfx1100, sm_90};
    use crate::element::{F16, F32};
    use crate::pattern::Lanes;
    use crate::recipe;
    use crate::recipe::outline::of_numbers;
    use tiledesc_transforms::{Error, Plan};

    const PATTERNS: [Lanes<'static>; 15] = [
        Lanes::row_major(),
        Lanes::column_major(),
        Lanes::column(),
        Lanes::rows(4),
        Lanes::rows(8),
        Lanes::rows(16),
        Lanes::rows(24),
        Lanes::rows(32),
        Lanes::rows(64),
        Lanes::repeated_rows(16),
        Lanes::diagonal(),
        Lanes::strided(3),
        Lanes::strided(8),
        Lanes::rows(16).split(2, 0).unwrap(),
        Lanes::row_major().split(2, 4).unwrap(),
    ];

    const ROWS: &[&Instruction] = &[
        &gfx942::ds_read_b128,
        &gfx942::ds_write_b128,
        &gfx942::ds_read_b96,
        &gfx942::ds_read_u16,
        &gfx942::ds_read2_b32.offsets(0, 16),
        &gfx942::ds_read2_b64,
        &gfx90a::ds_read_b32,
        &gfx950::ds_read_b128,
        &gfx950::ds_write_b64,
        &gfx950::ds_read_b32,
        &gfx950::ds_read_b64_tr_b16,
        &gfx1100::ds_load_b128,
        &sm_90::ld_shared_b128,
        &sm_90::ld_shared_b64,
        &sm_90::st_shared_b32,
        &sm_90::ldmatrix_x1,
        &sm_90::ldmatrix_x4,
        // Of a memory that few tiles fit, and addresses that few packs have.
        &gfx942::ds_read_b64.on("small", 4096),
    ];

    /// As the verdict on the plan says, of accesses that a rank tells; nothing of what it refuses.
    fn compare(outline: &Outline, plan: &Plan, bits: u32, counts: &mut [u32; 3]) {
        for lanes in PATTERNS.into_iter().flat_map(|lanes| [lanes.first(), lanes]) {
            for row in ROWS {
                let found = on_outline(outline, bits, &lanes, row);
                let verdict =
                    Placed::new(plan, bits, lanes, row).and_then(|placed| placed.verdict());
                match (found, verdict) {
                    (Some(degree), Ok(verdict)) => {
                        let races = verdict.conflicts().race.is_some();
                        let wanted = (verdict.degree(), verdict.rival_degree(), races);
                        assert_eq!((degree, None, false), wanted, "{lanes:?} {}", row.name());
                        counts[usize::from(degree > 1)] += 1;
                    }
                    (None, verdict) => counts[2] += u32::from(verdict.is_ok()),
                    (Some(_), Err(error)) => panic!("{lanes:?} {}: {error}", row.name()),
                }
            }
        }
    }

    #[test]
    fn as_verdicts() {
        let mut counts = [0; 3];
        for (m, k) in
            [(1, 8), (16, 16), (48, 64), (64, 32), (80, 32), (128, 64), (96, 128), (32, 256)]
        {
            for layers in [1, 2, 4] {
                let numbers = [m, k, 8, layers];
                let layered = of_numbers(numbers, None);
                let plan = recipe::GemmXorLayer::<F16>(numbers);
                pair(layered, plan, &mut counts);
                let masks: &[u32] = if k == 32 { &[3, 2] } else { &[1, 2, 4, 0, 1] };
                let masked = of_numbers(numbers, Some(masks));
                pair(masked, recipe::GemmXorBits::<F16>(numbers, masks), &mut counts);
            }
            // Packs of one element: other instructions find theirs torn.
            let numbers = [m, k, 1, 1];
            pair(of_numbers(numbers, None), recipe::GemmXorLayer::<F32>(numbers), &mut counts);
        }
        let [free, conflicts, unknown] = counts;
        assert!(free > 1000 && conflicts > 1000, "{free} {conflicts} {unknown}");
    }

    fn pair(outline: Option<Outline>, plan: Result<Plan, Error>, counts: &mut [u32; 3]) {
        if let (Some(outline), Ok(plan)) = (outline, plan) {
            for bits in [4, 8, 12, 16, 32] {
                compare(&outline, &plan, bits, counts);
            }
        }
    }
}
