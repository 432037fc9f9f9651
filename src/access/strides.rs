//! Layouts of strides: an offset that is the sum of index times stride.
//!
//! Rows in order and padded rows are such layouts, and so are most that a search begins with. What a lane
//! touches is then a multiplication and an addition for each dimension, where digits are an xor for each bit:
//!
//! ```text
//!   128x64 halves, rows 72 apart    (19, 8)    72 * 19 + 8 = 1376
//! ```

use tiledesc_transforms::{Digits, List};

/// Bits of an index.
const BITS: usize = u32::BITS as usize;

/// The stride of each dimension, if an offset is the sum of index times stride.
pub(crate) const fn strides(digits: &Digits) -> Option<List> {
    let (mut strides, mut digit) = ([0u32; List::CAPACITY], 0);
    let (count, rank) = (digits.count(), digits.rank());
    while digit < count {
        let (mut taken, stride, mut d) = (digits.constant(digit), digits.stride(digit), 0);
        if taken != 0 {
            return None;
        }
        while d < rank {
            let (mut columns, bits, mut b) = ([0; BITS], digits.bits(d), 0);
            digits.flip(&mut columns, 0, bits, (digit, d, 0));
            let first = columns[0];
            while b < bits {
                // A digit is an xor: no bit may be there twice, and none fall off.
                let column = columns[b];
                if column as u64 != (first as u64) << b || column & taken != 0 {
                    return None;
                }
                taken |= column;
                b += 1;
            }
            if first != 0 {
                strides[d] = strides[d].wrapping_add(first.wrapping_mul(stride));
            }
            d += 1;
        }
        digit += 1;
    }
    Some(List::of_first(strides, rank))
}
