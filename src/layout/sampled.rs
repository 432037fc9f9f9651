//! Where some elements of a layout lie: what tells it from another one of the same size.
//!
//! ```text
//!                                            (127, 63)   (64, 32)   (1, 0)   (2, 0)  ..
//!   RowMajor<F16, M<128>, K<64>>                  8191       4128       64      128
//!   GemmXor<F16, M<128>, K<64>, KPack<8>>         8135       4128       72      144
//! ```
//!
//! Of a layout that is an xor of columns, or a sum of strides, the coordinates of one bit each determine all others. Where one of
//! two layouts is neither, and these coordinates do not tell them apart, all vectors are compared, 64 at a time: for 64 x 96 halves
//! in `DenseXor`'s packs of eight the compiler executes 445 M instructions.

use super::{Tile, digits, known};
use crate::element::Element;
use tiledesc_transforms::{Digits, List, Plan, Text, range, say};

/// The bits at which some elements of a layout begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    lengths: List,
    bits: [u64; Self::MOST],
    count: usize,
    /// Whether these bits determine all others.
    is_whole: bool,
    /// The layout and the bits of an element.
    layout: Option<(&'static Plan, u32)>,
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
    pub const NOTHING: Self = Self {
        lengths: List::EMPTY,
        bits: [0; Self::MOST],
        count: 0,
        is_whole: false,
        layout: None,
    };

    /// Where some elements of a layout lie.
    pub(crate) const fn new<T: Tile>() -> Self {
        match known::<T>() {
            Ok(plan) => Self::by(plan, digits::<T>(), T::Element::BITS),
            Err(_) => Self::NOTHING,
        }
    }

    /// The same of a layout as data.
    pub(crate) const fn of_plan(plan: &'static Plan, bits: u32) -> Self {
        Self::by(plan, plan.digits(), bits)
    }

    const fn by(plan: &'static Plan, digits: Option<Digits>, bits: u32) -> Self {
        let (is_whole, layout) = (digits.is_some(), Some((plan, bits)));
        let mut sampled = Self { lengths: plan.lengths(), is_whole, layout, ..Self::NOTHING };
        let most = if is_whole { Self::MOST } else { Self::FEW };
        while sampled.count < most
            && let Some(coordinate) = coordinate(&sampled.lengths, sampled.count)
        {
            let offset = match &digits {
                Some(digits) => digits.offset(&coordinate),
                None => offset(plan, &coordinate),
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
        match (self.is_whole && other.is_whole, self.layout, other.layout) {
            (false, Some(one), Some(another)) => apart_anywhere(one, another),
            _ => None,
        }
    }
}

/// Compares two layouts of the same tile, with the bits of their elements, in all of their vectors.
const fn apart_anywhere(one: (&Plan, u32), other: (&Plan, u32)) -> Option<Apart> {
    let (lengths, pack) = (one.0.lengths(), common_pack(one.0, other.0));
    let mut next = [0; List::CAPACITY];
    let mut left = lengths.elements();
    while left > 0 {
        let mut asked = [[0; LANES]; List::CAPACITY];
        range!(lane, 0..LANES, {
            range!(d, 0..lengths.len(), { asked[d][lane] = next[d] });
            // Behind the last comes the first again.
            left = left.saturating_sub(step(&mut next, &lengths, pack) as u64);
        });
        let bits = [places(one, &asked), places(other, &asked)];
        range!(lane, 0..LANES, {
            if bits[0][lane] != bits[1][lane] {
                let coordinate = of_lane(&asked, lane, lengths.len());
                return Some(Apart { coordinate, bits: [bits[0][lane], bits[1][lane]] });
            }
        });
    }
    None
}

/// Coordinates that a plan is asked for at once.
const LANES: usize = 64;

/// The number of elements along the last dimension that both keep together, from multiples of it on.
const fn common_pack(one: &Plan, other: &Plan) -> u32 {
    let Some(along) = one.rank().checked_sub(1) else { return 1 };
    match (one.vector(along), other.vector(along)) {
        (Ok(one), Ok(other)) if one.stride == 1 && other.stride == 1 => {
            let (mut gcd, mut rest) = (one.length, other.length);
            while rest > 0 {
                (gcd, rest) = (rest, gcd % rest);
            }
            gcd
        }
        _ => 1,
    }
}

/// Moves an index to the next pack of the tile, and returns how many elements the pack has that it leaves.
const fn step(index: &mut [u32; List::CAPACITY], lengths: &List, pack: u32) -> u32 {
    let last = lengths.len() - 1;
    let left = lengths.at(last) - index[last];
    if left > pack {
        index[last] += pack;
        return pack;
    }
    index[last] = 0;
    let mut d = last;
    while d > 0 {
        d -= 1;
        index[d] += 1;
        if index[d] < lengths.at(d) {
            break;
        }
        index[d] = 0;
    }
    left
}

/// The bits at which elements begin; [`u64::MAX`] of padding.
const fn places(
    (plan, bits): (&Plan, u32),
    asked: &[[u32; LANES]; List::CAPACITY],
) -> [u64; LANES] {
    let mut places = [u64::MAX; LANES];
    let offsets = plan.offsets(asked);
    range!(lane, 0..LANES, {
        let offset = match &offsets {
            Some(offsets) => Some(offsets[lane]),
            None => offset(plan, &of_lane(asked, lane, plan.rank())),
        };
        if let Some(offset) = offset {
            places[lane] = offset as u64 * bits as u64;
        }
    });
    places
}

/// The offset of an element; `None` in padding.
const fn offset(plan: &Plan, coordinate: &List) -> Option<u32> {
    match plan.offset(coordinate.as_slice()) {
        Ok(offset) => Some(offset),
        Err(_) => None,
    }
}

const fn of_lane(asked: &[[u32; LANES]; List::CAPACITY], lane: usize, rank: usize) -> List {
    let mut index = [0; List::CAPACITY];
    range!(d, 0..rank, { index[d] = asked[d][lane] });
    List::of_first(index, rank)
}

/// "at byte 16382", or "at bit 12" within one.
pub(crate) const fn place(text: Text, bits: u64) -> Text {
    match bits {
        u64::MAX => text.str("nowhere"),
        _ if bits.is_multiple_of(8) => say!(text: "at byte ", bits / 8),
        _ => say!(text: "at bit ", bits),
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

    descriptor! {
        /// Packs of 8 in 32 rows, rotated by the row.
        type Turned:
            naive [32, 8, 8] strides [64, 8, 1];
            cyclic_shift[32, 8] (0, 1) -> (0, 1),   pass[8] (2) -> (2);
            pass[32] (0) -> (0),   merge[8, 8] (1, 2) -> (1);
        /// The same in packs of 4.
        type Halves:
            naive [32, 8, 2, 4] strides [64, 8, 4, 1];
            cyclic_shift[32, 8] (0, 1) -> (0, 1),   pass[2] (2) -> (2),   pass[4] (3) -> (3);
            pass[32] (0) -> (0),   merge[8, 2, 4] (1, 2, 3) -> (1);
        /// Rows 4 to 27 in another order: all coordinates that are asked at first are where `Turned` has them.
        type Reordered:
            naive [32, 8, 8] strides [64, 8, 1];
            cyclic_shift[32, 8] (0, 1) -> (0, 1),   pass[8] (2) -> (2);
            linear_bits[32] columns [1, 2, 5, 9, 16] (0) -> (0),   merge[8, 8] (1, 2) -> (1);
    }

    /// Where all elements are, and what is kept of it, which is as the plan has it.
    fn sample<T: Tile>() -> (Vec<u32>, Sampled) {
        let (sampled, plan) = (Sampled::new::<T>(), known::<T>().unwrap());
        let bits = |at: &[u32]| plan.offset(at).unwrap() * T::Element::BITS;
        assert!(sampled.count >= Sampled::FEW);
        assert_eq!(Sampled::of_plan(plan, T::Element::BITS), sampled);
        for i in 0..sampled.count {
            let at = coordinate(&plan.lengths(), i).unwrap();
            assert_eq!(sampled.bits[i], u64::from(bits(at.as_slice())));
        }
        let numbers = 0..plan.lengths().elements() as u32;
        let all = numbers.map(|number| bits(&[number / 64, number % 64])).collect();
        (all, sampled)
    }

    /// Two layouts differ where they do, and a layout by another name does not differ at all.
    #[test]
    fn as_the_plans_have_them() {
        let all = [
            sample::<Layout<F16, Packed<seq![16, 64]>>>(),
            sample::<Layout<F16, Naive<seq![16, 64], seq![64, 1]>>>(),
            sample::<Layout<F16, Naive<seq![16, 64], seq![1, 16]>>>(),
            sample::<Layout<F16, Naive<seq![16, 64], seq![72, 1]>>>(),
            sample::<Layout<F16, Xor<tiledesc_transforms::Lit<8>>>>(),
            sample::<Layout<F16, Xor<tiledesc_transforms::Lit<4>>>>(),
            sample::<Layout<F16, Rotated>>(),
        ];
        for (places, one) in &all {
            for (others, other) in &all {
                assert_eq!(one.apart(other).is_none(), places == others);
            }
        }
    }

    /// Layouts that a few coordinates do not tell apart are compared everywhere.
    #[test]
    fn rotations_that_differ_in_rows_that_are_not_asked() {
        let [(places, turned), (halves, same), (others, reordered)] = [
            sample::<Layout<F16, Turned>>(),
            sample::<Layout<F16, Halves>>(),
            sample::<Layout<F16, Reordered>>(),
        ];
        assert_eq!(turned.bits, reordered.bits);
        assert!(places == halves && places != others);
        assert!(turned.apart(&same).is_none());
        let Apart { coordinate, bits } = turned.apart(&reordered).unwrap();
        assert_eq!(coordinate.as_slice(), [4, 0]);
        assert_eq!(bits, [4 * 64 + 4 * 8, 5 * 64 + 5 * 8].map(|element| element * 16));
    }
}
