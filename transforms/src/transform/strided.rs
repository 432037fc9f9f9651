//! Strides: do two coordinates of a strided box have one sum?
//!
//! They do exactly if a *difference* of coordinates, d_i in -(l_i - 1) to l_i - 1 and not
//! all 0, has the sum 0:
//!
//! ```text
//!   lengths [3, 64, 2], strides [2, 3, 3]     0 * 2 + 1 * 3 - 1 * 3 = 0
//!   so (0, 0, 1) and (0, 1, 0) meet, at 3
//! ```
//!
//! Of two strides that is one division: they meet exactly if s_j / g < l_i and s_i / g < l_j,
//! where g is their greatest common divisor. Of more, the differences are searched, the
//! largest stride first. Two things keep the search short: what is left must be within the
//! reach of the smaller strides, and a multiple of their common divisor. And where the common
//! divisor of the larger strides exceeds the reach of the smaller ones, both parts are 0 by
//! themselves: rows of 72 of 64 contiguous elements are two questions of one stride each.

use super::gcd;
use crate::number::list::List;

/// The result of a search of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    /// No two coordinates have one sum.
    Never,
    /// Coordinates that differ by this many steps along each dimension have one sum.
    At([i64; List::CAPACITY]),
    /// The search was given up.
    Unknown,
}

/// Dimensions of more than one index, the largest stride first.
pub(crate) struct Strided {
    strides: [u64; List::CAPACITY],
    /// The largest difference of two indices.
    widths: [u64; List::CAPACITY],
    /// The dimension of each.
    dimensions: [usize; List::CAPACITY],
    len: usize,
    /// The reach of the strides after a place together, and their common divisor.
    reach: [u64; List::CAPACITY],
    common: [u64; List::CAPACITY],
    /// Differences tried so far.
    tried: u32,
}

impl Strided {
    /// The most differences that are tried. Three strides of lengths up to 1024 take fewer.
    pub(crate) const MOST_TRIED: u32 = 8192;

    /// Finds two coordinates with one sum, of dimensions with these strides, in which two indices are at most `widths` apart.
    pub(crate) const fn meet(strides: &[u64], widths: &[u64]) -> Sum {
        let mut all = Self::sorted(strides, widths);
        let (mut end, mut reach, mut at) = (all.len, 0u64, all.len);
        while at > 0 {
            at -= 1;
            if all.strides[at] == 0 {
                return all.one_step(at);
            }
            reach = reach.saturating_add(all.strides[at].saturating_mul(all.widths[at]));
            // Sums are taken modulo 2^32.
            if reach >= 1 << 32 {
                return Sum::Unknown;
            }
            if all.common_before(at) > reach || at == 0 {
                match all.group(at, end) {
                    Sum::Never => (end, reach) = (at, 0),
                    decided => return decided,
                }
            }
        }
        Sum::Never
    }

    const fn sorted(strides: &[u64], widths: &[u64]) -> Self {
        let none = [0; List::CAPACITY];
        let mut all = Self {
            strides: none,
            widths: none,
            dimensions: [0; List::CAPACITY],
            len: 0,
            reach: none,
            common: none,
            tried: 0,
        };
        let mut i = 0;
        while i < strides.len() {
            if widths[i] > 0 {
                let mut at = all.len;
                while at > 0 && all.strides[at - 1] < strides[i] {
                    all.strides[at] = all.strides[at - 1];
                    all.widths[at] = all.widths[at - 1];
                    all.dimensions[at] = all.dimensions[at - 1];
                    at -= 1;
                }
                (all.strides[at], all.widths[at], all.dimensions[at]) = (strides[i], widths[i], i);
                all.len += 1;
            }
            i += 1;
        }
        all
    }

    /// A step along a dimension of stride 0 changes nothing.
    const fn one_step(&self, mut at: usize) -> Sum {
        while at > 0 && self.strides[at - 1] == 0 {
            at -= 1;
        }
        let mut steps = [0; List::CAPACITY];
        steps[self.dimensions[at]] = 1;
        Sum::At(steps)
    }

    /// The common divisor of the strides before a place; 0 of none.
    const fn common_before(&self, at: usize) -> u64 {
        let (mut common, mut i) = (0, 0);
        while i < at {
            common = gcd(common, self.strides[i]);
            i += 1;
        }
        common
    }

    /// The strides from `begin` to `end`, whose sum is 0 whatever the others are.
    const fn group(&mut self, begin: usize, end: usize) -> Sum {
        let (mut reach, mut common, mut at) = (0, 0, end);
        while at > begin {
            at -= 1;
            (self.reach[at], self.common[at]) = (reach, common);
            reach += self.strides[at] * self.widths[at];
            common = gcd(common, self.strides[at]);
        }
        let mut steps = [0; List::CAPACITY];
        self.search(begin, end, 0, false, &mut steps)
    }

    /// Steps of the strides from `at` on that take `rest` to 0. If none before is taken,
    /// `moved` is false: then the first is positive, for a difference and its opposite are
    /// one question.
    const fn search(
        &mut self,
        at: usize,
        end: usize,
        rest: i64,
        moved: bool,
        steps: &mut [i64; List::CAPACITY],
    ) -> Sum {
        if at == end {
            return if moved && rest == 0 { Sum::At(*steps) } else { Sum::Never };
        }
        let Some((mut step, last, every)) = self.candidates(at, rest, moved) else {
            return Sum::Never;
        };
        let dimension = self.dimensions[at];
        while step <= last {
            self.tried += 1;
            if self.tried > Self::MOST_TRIED {
                return Sum::Unknown;
            }
            steps[dimension] = step;
            let left = rest + step * self.strides[at].cast_signed();
            match self.search(at + 1, end, left, moved || step != 0, steps) {
                Sum::Never => {}
                decided => return decided,
            }
            step += every;
        }
        steps[dimension] = 0;
        Sum::Never
    }

    /// The first and last number of steps at a place that leave what the strides after it
    /// reach, a multiple of their common divisor, and the distance of two such numbers.
    const fn candidates(&self, at: usize, rest: i64, moved: bool) -> Option<(i64, i64, i64)> {
        let (stride, reach) = (self.strides[at].cast_signed(), self.reach[at].cast_signed());
        let width = self.widths[at].cast_signed();
        let least = if moved { -width } else { 0 };
        let first = larger(least, -floor(reach + rest, stride));
        let last = smaller(width, floor(reach - rest, stride));
        if self.common[at] == 0 {
            // The last stride: one number of steps, or none.
            return if first <= last && rest % stride == 0 { Some((first, last, 1)) } else { None };
        }
        let both = gcd(self.strides[at], self.common[at]).cast_signed();
        if rest % both != 0 {
            return None;
        }
        let every = self.common[at].cast_signed() / both;
        let wanted = (-rest / both).rem_euclid(every) as i128;
        let turn = wanted * inverse(stride / both, every) as i128 % every as i128;
        let first = first + (turn as i64 - first).rem_euclid(every);
        if first <= last { Some((first, last, every)) } else { None }
    }
}

/// The number that `number` makes 1, modulo `modulus`, with which it has no common divisor.
const fn inverse(number: i64, modulus: i64) -> i64 {
    let (mut a, mut b) = (number.rem_euclid(modulus), modulus);
    let (mut of_a, mut of_b) = (1, 0);
    while b != 0 {
        (a, b, of_a, of_b) = (b, a % b, of_b, of_a - a / b * of_b);
    }
    of_a.rem_euclid(modulus)
}

const fn floor(number: i64, by: i64) -> i64 {
    number.div_euclid(by)
}

const fn larger(a: i64, b: i64) -> i64 {
    if a > b { a } else { b }
}

const fn smaller(a: i64, b: i64) -> i64 {
    if a < b { a } else { b }
}
