//! Layouts of strides: an offset that is the sum of index times stride.
//!
//! Rows in order and padded rows are such layouts, and so are most that a search begins with. What a lane
//! touches is then a multiplication and an addition for each dimension, where digits are an xor for each bit:
//!
//! ```text
//!   128x64 halves, rows 72 apart    (19, 8)    72 * 19 + 8 = 1376
//! ```

use tiledesc_transforms::{Digits, List};

/// The stride of each dimension, if an offset is the sum of index times stride.
pub(crate) const fn strides(digits: &Digits) -> Option<List> {
    let (mut strides, mut digit) = ([0u32; List::CAPACITY], 0);
    while digit < digits.count() {
        let (mut taken, mut d) = (digits.constant(digit), 0);
        if taken != 0 {
            return None;
        }
        while d < digits.rank() {
            let (mut b, bits) = (0, digits.bits(d));
            let first = if bits == 0 { 0 } else { digits.column(digit, d, 0) };
            while b < bits {
                let column = digits.column(digit, d, b);
                // A digit is an xor: no bit may be there twice, and none fall off.
                if column as u64 != (first as u64) << b || column & taken != 0 {
                    return None;
                }
                taken |= column;
                b += 1;
            }
            strides[d] = strides[d].wrapping_add(first.wrapping_mul(digits.stride(digit)));
            d += 1;
        }
        digit += 1;
    }
    Some(List::of_first(strides, digits.rank()))
}
