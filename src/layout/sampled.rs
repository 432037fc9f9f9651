//! Where some elements of a layout lie: what tells it from another one of the same size.
//!
//! ```text
//!                                            (127, 63)   (64, 32)   (1, 0)   (2, 0)  ..
//!   RowMajor<F16, M<128>, K<64>>                  8191       4128       64      128
//!   GemmXor<F16, M<128>, K<64>, KPack<8>>         8135       4128       72      144
//! ```
//!
//! Of a layout that is an xor of columns, or a sum of strides, the coordinates of one bit each determine all others. Of any
//! other a few coordinates are asked, since each takes the compiler a fifth of a millisecond: such layouts may pass for each
//! other, but one is never taken for another than itself.

use super::{Tile, digits, known};
use crate::element::Element;
use tiledesc_transforms::{Digits, List, Plan, range};

/// The bits at which some elements of a layout begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    lengths: List,
    bits: [u64; Self::MOST],
    count: usize,
}

/// An element that two layouts have at different places: its coordinate, and the bits at which it begins.
pub(crate) struct Apart {
    pub(crate) coordinate: List,
    pub(crate) bits: [u64; 2],
}

impl Sampled {
    /// Bits of the indices of 2^20 elements, and two coordinates more.
    const MOST: usize = 22;
    const FEW: usize = 4;

    /// Of what is no layout, or of one that cannot be.
    pub const NOTHING: Self = Self { lengths: List::EMPTY, bits: [0; Self::MOST], count: 0 };

    /// Where some elements of a layout lie.
    pub(crate) const fn of<T: Tile>() -> Self {
        match known::<T>() {
            Ok(plan) => Self::by(plan, digits::<T>(), T::Element::BITS),
            Err(_) => Self::NOTHING,
        }
    }

    /// The same of a layout as data.
    pub(crate) const fn of_plan(plan: &Plan, bits: u32) -> Self {
        Self::by(plan, plan.digits(), bits)
    }

    const fn by(plan: &Plan, digits: Option<Digits>, bits: u32) -> Self {
        let mut sampled = Self { lengths: plan.lengths(), ..Self::NOTHING };
        let most = if digits.is_some() { Self::MOST } else { Self::FEW };
        while sampled.count < most
            && let Some(coordinate) = coordinate(&sampled.lengths, sampled.count)
        {
            let offset = match &digits {
                Some(digits) => digits.offset(&coordinate),
                None => match plan.offset(coordinate.as_slice()) {
                    Ok(offset) => Some(offset),
                    Err(_) => None,
                },
            };
            sampled.bits[sampled.count] = match offset {
                Some(offset) => offset as u64 * bits as u64,
                // Padding is nowhere.
                None => u64::MAX,
            };
            sampled.count += 1;
        }
        sampled
    }

    /// The lengths of the tile; none of what is no layout.
    pub(crate) const fn lengths(&self) -> &List {
        &self.lengths
    }

    /// Returns an element that another layout of the same tile has elsewhere.
    pub(crate) const fn apart(&self, other: &Self) -> Option<Apart> {
        let count = if self.count < other.count { self.count } else { other.count };
        range!(i, 0..count, {
            if self.bits[i] != other.bits[i]
                && let Some(coordinate) = coordinate(&self.lengths, i)
            {
                return Some(Apart { coordinate, bits: [self.bits[i], other.bits[i]] });
            }
        });
        None
    }
}

/// The coordinate that is asked as the `number`-th: the last, the middle, then those of one bit. `None` after them.
const fn coordinate(lengths: &List, number: usize) -> Option<List> {
    let mut index = [0; List::CAPACITY];
    if number < 2 {
        range!(d, 0..lengths.len(), {
            index[d] = if number == 0 { lengths.at(d) - 1 } else { lengths.at(d) / 2 };
        });
        return Some(List::of_first(index, lengths.len()));
    }
    let mut left = number - 2;
    range!(d, 0..lengths.len(), {
        let bits = (u32::BITS - (lengths.at(d) - 1).leading_zeros()) as usize;
        if left < bits {
            index[d] = 1 << left;
            return Some(List::of_first(index, lengths.len()));
        }
        left -= bits;
    });
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::F16;
    use crate::layout::Layout;
    use alloc::vec::Vec;
    use tiledesc_transforms::{Naive, Packed, descriptor, seq};

    fn asked(lengths: &[u32]) -> Vec<Vec<u32>> {
        let lengths = List::new(lengths);
        (0..).map_while(|n| coordinate(&lengths, n)).map(|at| at.as_slice().to_vec()).collect()
    }

    #[test]
    fn coordinates_of_one_bit() {
        let all = asked(&[3, 4]);
        assert_eq!(all, [[2, 3], [1, 2], [1, 0], [2, 0], [0, 1], [0, 2]]);
        assert_eq!(asked(&[1]), [[0], [0]]);
    }

    descriptor! {
        /// Packs of `P` elements, xor-swizzled by the row.
        type Xor<P>:
            naive [16, 64 / P, P] strides [64, P, 1];
            xor[16, 64 / P] (0, 1) -> (0, 1),   pass[P] (2) -> (2);
            pass[16] (0) -> (0),   merge[64 / P, P] (1, 2) -> (1);
        /// Packs of 8, rotated by the row: no digits.
        type Rotated:
            naive [16, 8, 8] strides [64, 8, 1];
            cyclic_shift[16, 8] (0, 1) -> (0, 1),   pass[8] (2) -> (2);
            pass[16] (0) -> (0),   merge[8, 8] (1, 2) -> (1);
    }

    /// Where all elements are, and what is kept of it, which is as the plan has it.
    fn of<T: Tile>() -> (Vec<u32>, Sampled) {
        let (sampled, plan) = (Sampled::of::<T>(), known::<T>().unwrap());
        let bits = |at: &[u32]| plan.offset(at).unwrap() * T::Element::BITS;
        assert!(sampled.count >= Sampled::FEW);
        assert_eq!(Sampled::of_plan(plan, T::Element::BITS), sampled);
        for i in 0..sampled.count {
            let at = coordinate(&plan.lengths(), i).unwrap();
            assert_eq!(sampled.bits[i], u64::from(bits(at.as_slice())));
        }
        let all = (0..16 * 64).map(|number| bits(&[number / 64, number % 64])).collect();
        (all, sampled)
    }

    /// Two layouts differ where they do, and a layout by another name does not differ at all.
    #[test]
    fn as_the_plans_have_them() {
        let all = [
            of::<Layout<F16, Packed<seq![16, 64]>>>(),
            of::<Layout<F16, Naive<seq![16, 64], seq![64, 1]>>>(),
            of::<Layout<F16, Naive<seq![16, 64], seq![1, 16]>>>(),
            of::<Layout<F16, Naive<seq![16, 64], seq![72, 1]>>>(),
            of::<Layout<F16, Xor<tiledesc_transforms::Lit<8>>>>(),
            of::<Layout<F16, Xor<tiledesc_transforms::Lit<4>>>>(),
            of::<Layout<F16, Rotated>>(),
        ];
        for (places, one) in &all {
            for (others, other) in &all {
                assert_eq!(one.apart(other).is_none(), places == others);
            }
        }
    }
}
