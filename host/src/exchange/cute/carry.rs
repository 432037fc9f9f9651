//! Strides add and columns flip: when an offset plus strides is an xor of columns.
//!
//! Below a swizzle CuTe adds. 64 + 8 is 64 ^ 8, but 72 + 8 is 80 and 72 ^ 8 is 64, so a
//! tile with rows of 72 has no columns. Numbers that share a bit carry, and with an
//! offset that need not matter:
//!
//! ```text
//!   x y   1 + 3x + 2y        3 and 2 share a bit, and still
//!   0 0   1
//!   1 0   4                  1 + 3x + 2y = 1 ^ 5x ^ 2y
//!   0 1   3
//!   1 1   6
//! ```
//!
//! The sum is followed bit by bit, each bit being an xor of inputs. A carry is the
//! majority of three of those, and that is such an xor only if two of them are equal or
//! opposite; else no columns make that bit. So the answer is exact, for any offset.

use tiledesc::Linear;

/// Returns the columns of `offset + sum of strides[b] over the bits b of x`, without the offset. The sum must fit in 32
/// bits.
///
/// # Errors
///
/// The position of the first stride that makes it no xor.
pub(super) fn columns(offset: u32, strides: &[u32]) -> Result<Vec<u32>, usize> {
    let mut flips = [0; Linear::BITS];
    let carries = |(b, stride): (usize, &u32)| !add(offset, *stride, 1 << b, &mut flips);
    match strides.iter().enumerate().position(carries) {
        Some(b) => Err(b),
        None => Ok(strides.iter().map(|stride| offset.wrapping_add(*stride) ^ offset).collect()),
    }
}

/// Adds a stride where `input` is set. `flips[p]` are the inputs that flip bit `p` of the
/// offset; `false` if a bit would take a product of inputs.
fn add(offset: u32, stride: u32, input: u32, flips: &mut [u32; Linear::BITS]) -> bool {
    let mut carry = 0;
    for (p, flips) in flips.iter_mut().enumerate() {
        let (sum, added) = (*flips, if stride >> p & 1 == 1 { input } else { 0 });
        *flips ^= added ^ carry;
        let opposite = offset >> p & 1 == 1;
        carry = if added == carry {
            added
        } else if sum == added {
            if opposite { carry } else { added }
        } else if sum == carry {
            if opposite { added } else { carry }
        } else {
            return false;
        };
    }
    true
}

/// Returns what stride `b` cannot be added to: of the strides before it, the offset and their
/// sums the first that shares a bit with it.
pub(super) fn meets(offset: u32, strides: &[u32], b: usize) -> u32 {
    let (stride, before) = (strides[b], &strides[..b]);
    if let Some(one) = before.iter().find(|one| **one & stride != 0) {
        return *one;
    }
    let all = before.iter().fold(offset, |all, one| all.wrapping_add(*one));
    if offset & stride != 0 { offset } else { all }
}

#[cfg(test)]
mod tests {
    use super::{columns, meets};

    #[test]
    fn a_base_takes_up_a_carry() {
        assert_eq!(columns(1, &[3, 2]), Ok(vec![5, 2]));
        // Without the 1 the map has no columns: 3 and 2 carry.
        assert_eq!(columns(0, &[3, 2]), Err(1));
        assert_eq!(meets(0, &[3, 2], 1), 3);
    }
}
