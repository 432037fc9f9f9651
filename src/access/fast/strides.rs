//! Layouts of strides: an offset that is the sum of index times stride.
//!
//! Rows in order and padded rows are such layouts, and so are most that a search begins with. What a lane
//! touches is then a multiplication and an addition for each dimension, where digits are an xor for each bit:
//!
//! ```text
//!   128x64 halves, rows 72 apart    (19, 8)    72 * 19 + 8 = 1376
//! ```
//!
//! Without strides padded rows have no runs: see DESIGN, "What the compiler pays for".

use tiledesc_transforms::{Digits, List, range};

/// Bits of an index.
const BITS: usize = u32::BITS as usize;

/// The stride of each dimension, if an offset is the sum of index times stride.
pub(crate) const fn strides(digits: &Digits) -> Option<List> {
    let mut strides = [0u32; List::CAPACITY];
    let (count, rank) = (digits.count(), digits.rank());
    range!(digit, 0..count, {
        let (mut taken, stride) = (digits.constant(digit), digits.stride(digit));
        if taken != 0 {
            return None;
        }
        range!(d, 0..rank, {
            let (mut columns, bits) = ([0; BITS], digits.bits(d));
            digits.flip(&mut columns, 0, bits, (digit, d, 0));
            let first = columns[0];
            range!(b, 0..bits, {
                // A digit is an xor: no bit may be there twice, and none fall off.
                let column = columns[b];
                if column as u64 != (first as u64) << b || column & taken != 0 {
                    return None;
                }
                taken |= column;
            });
            if first != 0 {
                strides[d] = strides[d].wrapping_add(first.wrapping_mul(stride));
            }
        });
    });
    Some(List::of_first(strides, rank))
}
