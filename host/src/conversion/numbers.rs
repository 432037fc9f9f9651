//! Numbers of a tile's elements, xor for `+`: lists, sums, what two have in common.
//!
//! A tile's layout is linear over the bits of an element's number, so every question about it is one about sums:
//! whether a number is a sum of others, which sums two lists share, and which mask separates some sums from others.
//!
//! ```text
//!   numbers        1, 6, 64
//!   sums           0, 1, 6, 7, 64, 65, 70, 71
//!   mask 2         1 of 6, 7, 70 and 71; 0 of 0, 1, 64 and 65
//!   in common with 7, 64: the sums 0, 7, 64, 71
//! ```

use tiledesc::Linear;
use tiledesc::bank::Span;

/// NumberList in the order in which they were put there.
#[derive(Clone, Copy)]
pub(super) struct NumberList {
    items: [u32; Linear::BITS],
    len: usize,
}

impl NumberList {
    pub(super) const NONE: Self = Self { items: [0; Linear::BITS], len: 0 };

    pub(super) fn new(items: impl IntoIterator<Item = u32>) -> Self {
        let mut all = Self::NONE;
        for item in items {
            all.push(item);
        }
        all
    }

    /// A number more; there are never more than bits of a map.
    pub(super) fn push(&mut self, item: u32) {
        self.items[self.len] = item;
        self.len += 1;
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.items[..self.len]
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.as_slice().iter().copied()
    }

    /// The sum of those whose bits are set.
    pub(super) fn sum(&self, bits: u32) -> u32 {
        self.iter().enumerate().fold(0, |sum, (i, item)| sum ^ ((bits >> i & 1) * item))
    }

    /// The map to the numbers from what is to be their sum: bit `i` where the `i`-th is needed.
    pub(super) fn back(&self) -> Option<Linear> {
        Linear::new(self.as_slice(), 0).ok()?.inverse()
    }
}

/// All sums of some numbers.
pub(super) fn span(numbers: impl IntoIterator<Item = u32>) -> Span {
    with(Span::NONE, numbers)
}

/// A span with further numbers.
pub(super) fn with(mut span: Span, numbers: impl IntoIterator<Item = u32>) -> Span {
    for number in numbers {
        span.add(number);
    }
    span
}

/// NumberList whose sums are those which independent `numbers` and `others` have in common; of those
/// that are single bits single bits, ascending.
pub(super) fn meet(numbers: &[u32], others: &[u32]) -> NumberList {
    let lowest = |number: u32| number.trailing_zeros() as usize;
    // By its lowest bit a sum of both, and the part of it that is a sum of `numbers`.
    let mut rows = [(0, 0); Linear::BITS];
    for other in span(others.iter().copied()).numbers() {
        rows[lowest(other)] = (other, 0);
    }
    let mut met = Span::NONE;
    for &number in numbers {
        let (mut rest, mut part) = (number, number);
        while rest != 0 && rows[lowest(rest)].0 != 0 {
            let (row, its) = rows[lowest(rest)];
            (rest, part) = (rest ^ row, part ^ its);
        }
        if rest == 0 {
            met.add(part);
        } else {
            rows[lowest(rest)] = (rest, part);
        }
    }
    sparse(&met)
}

/// The list of numbers with the same sums, ascending by their lowest bits, which no two share.
fn sparse(of: &Span) -> NumberList {
    let mut numbers = NumberList::new(of.numbers());
    for i in (0..numbers.len).rev() {
        let lowest = numbers.items[i].trailing_zeros();
        for j in 0..i {
            if numbers.items[j] >> lowest & 1 == 1 {
                numbers.items[j] ^= numbers.items[i];
            }
        }
    }
    numbers
}

/// The parity of a number's bits under a mask.
pub(super) fn parity(mask: u32, number: u32) -> u32 {
    (mask & number).count_ones() & 1
}

/// The sums of numbers whose parity under every mask is 0.
pub(super) fn unseen(numbers: impl IntoIterator<Item = u32>, masks: &[u32]) -> Span {
    let (mut seen, mut left) = ([(0u32, 0); Linear::BITS], Span::NONE);
    for mut number in numbers {
        let mut says = masks.iter().rev().fold(0, |says, mask| says << 1 | parity(*mask, number));
        while says != 0 && seen[says.ilog2() as usize].0 != 0 {
            let (other, its) = seen[says.ilog2() as usize];
            (says, number) = (says ^ other, number ^ its);
        }
        if says == 0 {
            left.add(number);
        } else {
            seen[says.ilog2() as usize] = (says, number);
        }
    }
    left
}

/// A mask over `bits` bits that is 1 of a number and 0 of a span, and 0 of single bits beside
/// them; `None` if the span has the number.
pub(super) fn mask(zero: &Span, one: u32, bits: usize) -> Option<u32> {
    let mut all = *zero;
    if !all.add(one) {
        return None;
    }
    let mut columns = NumberList::new(zero.numbers());
    let place = columns.len();
    columns.push(one);
    let units = (0..bits).map(|bit| 1 << bit);
    for unit in units.filter(|unit| all.add(*unit)) {
        columns.push(unit);
    }
    let back = columns.back()?;
    Some((0..bits).map(|bit| (back.columns()[bit] >> place & 1) << bit).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn sums(numbers: &[u32]) -> BTreeSet<u32> {
        let all = NumberList::new(numbers.iter().copied());
        (0..1 << numbers.len()).map(|bits| all.sum(bits)).collect()
    }

    /// Some numbers of six bits, independent.
    fn some(seed: &mut u32, count: usize) -> Vec<u32> {
        let (mut found, mut all) = (Vec::new(), Span::NONE);
        while found.len() < count {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = *seed >> 26;
            if all.add(number) {
                found.push(number);
            }
        }
        found
    }

    /// Against all sums, listed.
    #[test]
    fn by_all_sums() {
        let mut seed = 1;
        for case in 0..300 {
            let (first, second) =
                (some(&mut seed, 1 + case % 4), some(&mut seed, 1 + case / 4 % 4));
            let common: BTreeSet<u32> =
                sums(&first).intersection(&sums(&second)).copied().collect();
            assert_eq!(sums(meet(&first, &second).as_slice()), common, "{first:?} {second:?}");

            let says_0 = |sum: &u32| second.iter().all(|mask| parity(*mask, *sum) == 0);
            let wanted: BTreeSet<u32> = sums(&first).into_iter().filter(says_0).collect();
            let left = NumberList::new(unseen(first.iter().copied(), &second).numbers());
            assert_eq!(sums(left.as_slice()), wanted, "{first:?} {second:?}");

            let (one, zero) = (first[0], span(second.iter().copied()));
            match mask(&zero, one, 6) {
                None => assert!(sums(&second).contains(&one)),
                Some(mask) => {
                    assert_eq!(parity(mask, one), 1);
                    assert!(second.iter().all(|number| parity(mask, *number) == 0));
                }
            }
        }
    }

    #[test]
    fn single_bits_stay_single() {
        assert_eq!(meet(&[1, 2, 4, 8], &[8, 2, 16]).as_slice(), [2, 8]);
        assert_eq!(meet(&[3, 2], &[1, 2, 4]).as_slice(), [1, 2]);
    }
}
