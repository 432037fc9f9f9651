//! Which accesses of a declared layout are free, from where the search laid them.
//!
//! The search lays every access over the tile in order. On a linear layout of the same tile each lane's
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
use crate::element::Element;
use crate::layout::{Tile, known, outline};
use crate::search::laid::Laid;
use tiledesc_transforms::{Adaptor, Digits};

/// The accesses that are known to be free on a layout of this tile, as bits; of others the verdict tells.
pub(super) const fn free<T: Tile>(laid: &Laid, accesses: &[StatedAccess<'_>]) -> u64 {
    if let Some(outline) = outline::<T>() {
        let bytes = (outline.space() * T::Element::BITS as u64).div_ceil(8);
        return free_on(outline.digits(), T::Element::BITS, bytes, laid, accesses);
    }
    free_by_plan::<T>(laid, accesses)
}

/// The same where there is no outline. A function, because the constants that a body names are evaluated whether it
/// gets to them or not.
const fn free_by_plan<T: Tile>(laid: &Laid, accesses: &[StatedAccess<'_>]) -> u64 {
    let (Ok(plan), Some(digits)) = (known::<T>(), &T::Descriptor::DIGITS) else { return 0 };
    free_on(digits, T::Element::BITS, space(plan, T::Element::BITS), laid, accesses)
}

/// The same of digits and of a size in bytes.
const fn free_on(
    digits: &Digits,
    bits: u32,
    space: u64,
    laid: &Laid,
    accesses: &[StatedAccess<'_>],
) -> u64 {
    if !digits.is_linear() {
        return 0;
    }
    let (mut free, mut contiguous, mut i) = (0, 0, 0);
    while i < accesses.len() && i < Laid::MOST {
        let (access, pack) = (&accesses[i], accesses[i].instruction().bytes() * 8 / bits);
        // What holds of a pack holds of its halves.
        if pack > contiguous && digits.is_contiguous(1, pack) {
            contiguous = pack;
        }
        if pack <= contiguous
            && access.is_plain()
            && access.uses().lanes.misfit(access.instruction()).is_none()
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
    use super::*;
    use crate::access::in_order::in_order;
    use crate::access::placed::Placed;
    use crate::chip::{gfx90a, gfx942, gfx950};
    use crate::pattern::Lanes;
    use crate::recipe;
    use tiledesc_transforms::Plan;

    /// As the verdict says it, of layouts that are free and of those that are not.
    #[test]
    fn as_verdicts() {
        let patterns =
            [Lanes::row_major(), Lanes::rows(16), Lanes::rows(32), Lanes::repeated_rows(16)];
        let rows = [
            &gfx942::ds_read_b128,
            &gfx942::ds_write_b128,
            &gfx942::ds_read2_b32.offsets(0, 16),
            &gfx950::ds_read_b128,
            &gfx950::ds_write_b64,
            &gfx950::ds_read_u16,
            &gfx90a::ds_read_b32,
        ];
        let (mut free, mut conflicts, mut others) = (0, 0, 0);
        for (m, k) in [(128, 64), (64, 32), (32, 256), (256, 256)] {
            let layouts = [
                Plan::naive(&[m, k], &[k, 1]),
                Plan::naive_with_offset(&[m, k], &[k, 1], 8 * m * k),
                Plan::naive(&[m, k], &[k + 8, 1]),
                recipe::gemm_xor(m, k, 8, 1),
                recipe::gemm_xor(m, k, 4, 2),
                recipe::GemmXorBits::<crate::element::F16>([m, k, 8, 2], &[3, 1, 2]),
            ];
            for plan in layouts.map(Result::unwrap) {
                let digits = plan.digits().unwrap();
                for (lanes, row) in patterns.iter().flat_map(|lanes| rows.map(|row| (lanes, row))) {
                    for lanes in [lanes.first(), *lanes] {
                        let Some((_, columns)) = in_order([m, k], 1, 16, lanes, row) else {
                            continue;
                        };
                        let pack = row.bytes() * 8 / 16;
                        let placed = Placed::new(&plan, 16, lanes, row);
                        let verdict = placed.and_then(|placed| placed.verdict());
                        let known = digits.is_linear()
                            && digits.is_contiguous(1, pack)
                            && is_free(&columns, &digits, 16, row, space(&plan, 16));
                        match verdict {
                            Ok(verdict) if verdict.is_free() && digits.is_linear() => {
                                free += u32::from(known);
                                others += u32::from(!known && row.rival().is_none());
                            }
                            _ => {
                                assert!(!known, "{m}x{k} {lanes:?} {}", row.name());
                                conflicts += 1;
                            }
                        }
                    }
                }
            }
        }
        // Of packs that are whole where lanes are, and torn elsewhere, the verdict is asked.
        assert!(free > 100 && conflicts > 100 && others < 5, "{free} {conflicts} {others}");
    }
}
