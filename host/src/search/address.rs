//! The number of instructions that make the addresses of a lane.
//!
//! A kernel computes one address and gets the others from it: by a constant in the instruction, which costs nothing, or
//! by one xor. So a layout costs the terms of its offset for each address that is computed anew, and one for each xor:
//!
//! ```text
//!   128x64 halves, 16 reads of 32 rows, GemmXor: row, column, and a shift of the row: 3 terms
//!   reads 0, 1, 2, 3    32 rows on, adds 4096 each: constants of the instruction
//!   reads 4, 8, 12      16 columns on, flip 32, 64, 96: an xor each
//!   3 + 1 + 1 + 1 = 6 instructions for 16 reads
//! ```

use tiledesc::access::Placed;
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::Use;

/// Instructions that make the addresses of one lane in all uses of a layout: an address takes as many as the offset has
/// terms, one that is an xor away takes one, and a constant of the instruction none. `None` if the tile has no such
/// layout, if it does not hold a use, or if one needs more than 64 address registers.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
/// use tiledesc_host::search::address_instructions;
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = [Use::new(Lanes::rows(32), &ds_read_b128)];
/// assert_eq!(address_instructions(tile, Spec::gemm_xor(8), &read), Some(6));
/// assert_eq!(address_instructions(tile, Spec::row_pad(8), &read), Some(2));
/// ```
#[must_use]
pub fn address_instructions(tile: Shape, layout: Spec, uses: &[Use<'_>]) -> Option<u32> {
    let (plan, terms) = (layout.plan(tile).ok()?, terms(tile, &layout));
    let of_use = |one: &Use<'_>| {
        let placed = Placed::new(&plan, tile.bits, one.lanes, one.instruction).ok()?;
        placed.address_instructions(terms)
    };
    uses.iter().map(of_use).sum()
}

/// The terms of an offset: each about one instruction. Of one row there is a column alone.
fn terms(tile: Shape, layout: &Spec) -> u32 {
    let terms = terms_of_rows(tile, layout);
    match layout.scheme() {
        Scheme::BitByBit => terms,
        _ => terms - u32::from(tile.rows == 1),
    }
}

/// The terms of an offset of rows and columns.
fn terms_of_rows(tile: Shape, layout: &Spec) -> u32 {
    match layout.scheme() {
        // 11 gfx942 instructions, where an xor of three terms takes 4 (`tests/codegen`).
        Scheme::RotatedRows => 8,
        Scheme::BitByBit => distances_of_bits(tile, layout),
        Scheme::MaskedLayers | Scheme::DenseSwizzled => {
            let masks = layout.list();
            let masks = masks.as_slice().iter().enumerate();
            2 + masks.fold(0, |all, (bit, mask)| all | distances(bit, *mask)).count_ones()
        }
        Scheme::Swizzled | Scheme::Swizzled64 | Scheme::SwizzledLayers => 3,
        Scheme::PaddedIntervals => 3,
        // Row and column.
        _ => 2,
    }
}

/// The distances from a bit to those of its column, as bits: each takes a shift.
pub(super) fn distances(bit: usize, column: u32) -> u64 {
    u64::from(column) << (32 - bit)
}

/// The distances by which the bits of a row's index move, and those of a column's.
fn distances_of_bits(tile: Shape, layout: &Spec) -> u32 {
    let tile = if layout.is_transposed() { tile.transposed() } else { tile };
    let (first, deep) = (layout.pack().trailing_zeros(), tile.columns.trailing_zeros());
    let (columns, mut moves) = (layout.list(), [0u64; 2]);
    for bit in 0..tile.rows.trailing_zeros() + deep {
        // What has no column stays.
        let column = (bit.checked_sub(first)).and_then(|at| columns.as_slice().get(at as usize));
        let place = column.map_or(1 << bit, |column| column << first);
        moves[usize::from(bit >= deep)] |= distances(bit as usize, place);
    }
    moves.iter().map(|moves| moves.count_ones()).sum()
}
