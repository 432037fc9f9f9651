//! The terms of an offset: which bits of an index move together, and how far.
//!
//! The 128x64 xor tile has 13 columns and three terms. Its offset is their sum, with an
//! xor where they meet:
//!
//! ```text
//!   term                bits of the offset
//!   m * 64              6 to 12
//!   k                   0 to 5       these two meet: (k ^ m % 8 * 8)
//!   m % 8 * 8           3 to 5
//! ```
//!
//! Every [digit](crate::Digits) is made of terms, and its stride, be it a power of two or
//! the 72 of a padded row, is a factor of theirs. Terms of a digit whose bits meet are a
//! *cluster*. A cluster is an xor of *groups*, sums of terms that do not meet each other,
//! because GPUs shift and add in one instruction. A cluster that lies high is computed
//! low and moved once, because they also shift right and mask in one. A group that the
//! offset needs a second time, at another place, is computed once. And a remainder that is
//! added to what its quotient makes needs no mask: `k / 8 * 1032 + k % 8` is
//! `k / 8 * 1024 + k`.
//!
//! Evaluated one after the other (`typed/fused.rs`), the three terms of the tile are
//!
//! | term | joins as | then |
//! |---|---|---|
//! | `m % 8 * 8` | `Cluster` | it ends its group: cluster = `m % 8 * 8` |
//! | `k` | `Group` | it ends its group: cluster ^= `k`; and its cluster: sum = cluster |
//! | `m * 64` | `Cluster` | it ends both: sum += `m * 64` |
//!
//! | gfx942 vector instructions | terms xor-ed where they lie, other strides by stages | as here |
//! |---|---|---|
//! | layered 64x32 | 5 | 4 |
//! | FMHA backward, two iterations of K | 15 | 12 |
//! | column-major GEMM operand | 16 | 10 |
//! | TDM, a pad after four rows | 7 | 4 |
//!
//! No mask is spent on what the lengths exclude.

mod shorter;

use crate::linear::digits::Digits;

/// Bits of one index, moved: `index[dimension] / divisor * inner % modulus * factor`.
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub(crate) dimension: usize,
    pub(crate) divisor: u32,
    /// 1, or 1 + modulus / 2: the lowest bit flips the highest, too.
    pub(crate) inner: u32,
    /// 0 if there is nothing to cut off.
    pub(crate) modulus: u32,
    pub(crate) factor: u32,
    /// The bits of its digit that it may set.
    bits: u32,
    pub(crate) joins: Join,
    /// The factor of its whole cluster.
    pub(crate) scale: u32,
    /// A multiple of its group that the offset needs besides, or 0.
    pub(crate) besides: u32,
    /// The place of the quotient that is kept for terms that divide alike, or `Terms::SHARED`.
    pub(crate) quotient: usize,
    /// True if it divides; if not, it takes the quotient that was kept.
    pub(crate) divides: bool,
    /// True if it is the last of its group, and of its cluster.
    pub(crate) ends_group: bool,
    pub(crate) ends_cluster: bool,
    /// True if its group is the first of the cluster, and the first that the sum is made of.
    pub(crate) begins_cluster: bool,
    pub(crate) begins_sum: bool,
}

/// The way in which a term meets those before it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Join {
    /// The term starts a cluster.
    Cluster,
    /// The term starts a group of its cluster.
    Group,
    /// The term is added to its group.
    Sum,
}

/// The terms of a map.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    terms: [Term; Self::MOST],
    pub(crate) count: usize,
    /// The number added to the sum of all terms.
    pub(crate) constant: u32,
    /// The bits with which all is xor-ed.
    pub(crate) flipped: u32,
}

impl Term {
    const NONE: Self = Self {
        dimension: 0,
        divisor: 1,
        inner: 1,
        modulus: 0,
        factor: 1,
        bits: 0,
        joins: Join::Cluster,
        scale: 1,
        besides: 0,
        quotient: Terms::SHARED,
        divides: true,
        ends_group: true,
        ends_cluster: true,
        begins_cluster: true,
        begins_sum: true,
    };

    const fn is(&self, join: Join) -> bool {
        self.joins as u8 == join as u8
    }

    /// Returns whether it is the other but for the factor.
    const fn moves_as(&self, other: &Self) -> bool {
        self.dimension == other.dimension
            && self.divisor == other.divisor
            && self.inner == other.inner
            && self.modulus == other.modulus
    }
}

impl Terms {
    /// More terms than any recipe has; a map of more is evaluated by stages.
    pub(crate) const MOST: usize = 16;
    /// Quotients that are kept; of more, terms divide again.
    pub(crate) const SHARED: usize = 4;
    const NONE: Self = Self { terms: [Term::NONE; Self::MOST], count: 0, constant: 0, flipped: 0 };

    /// The placeholder for the terms of a map that has none, or too many.
    pub(crate) const TOO_MANY: Self = Self { count: Self::MOST + 1, ..Self::NONE };

    /// The terms of a map, if they are few.
    pub(crate) const fn new(digits: &Digits) -> Option<Self> {
        let mut found = Self { constant: digits.origin(), ..Self::NONE };
        let fits = all!(d, 0..digits.count(), found.add_digit(digits, d));
        if fits { Some(found.shorter().in_steps()) } else { None }
    }

    /// The terms of a map, or [`TOO_MANY`](Self::TOO_MANY).
    pub(crate) const fn or_too_many(digits: &Digits) -> Self {
        match Self::new(digits) {
            Some(terms) => terms,
            None => Self::TOO_MANY,
        }
    }

    pub(crate) const fn at(&self, i: usize) -> &Term {
        &self.terms[i]
    }

    /// Records at each term what is done after it, so that nobody has to look at its neighbours.
    const fn in_steps(mut self) -> Self {
        let (mut kept, mut begins_sum, mut begins_cluster) = (0, true, true);
        range!(i, 0..self.count, {
            let next = i + 1;
            let ends_cluster = next == self.count || self.terms[next].is(Join::Cluster);
            let term = &mut self.terms[i];
            term.divides = term.quotient == kept || term.quotient == Self::SHARED;
            kept += (term.quotient == kept) as usize;
            term.ends_cluster = ends_cluster;
            (term.begins_sum, term.begins_cluster) = (begins_sum, begins_cluster);
            if ends_cluster || !self.terms[next].is(Join::Sum) {
                begins_sum = begins_sum && !ends_cluster && self.terms[i].besides == 0;
                begins_cluster = ends_cluster;
            } else {
                self.terms[i].ends_group = false;
            }
        });
        self
    }

    /// Adds the terms of a digit; false if they are too many, or its constant meets them
    /// and is not the whole offset's.
    const fn add_digit(&mut self, digits: &Digits, d: usize) -> bool {
        let (stride, constant) = (digits.stride(d), digits.constant(d));
        let first = self.count;
        if !all!(dimension, 0..digits.rank(), self.add_dimension(digits, d, dimension)) {
            return false;
        }
        let mut bits = 0;
        range!(i, first..self.count, {
            bits |= self.terms[i].bits;
        });
        if constant & bits == 0 {
            self.constant = self.constant.wrapping_add(constant.wrapping_mul(stride));
        } else if digits.is_linear() {
            self.flipped = constant;
        } else {
            return false;
        }
        self.in_clusters(first, stride);
        true
    }

    /// Adds the terms of a dimension; false if they are too many.
    const fn add_dimension(&mut self, digits: &Digits, d: usize, dimension: usize) -> bool {
        // Bits of the offset that no term sets yet, by bit of the index.
        let (mut left, end) = ([0; 32], digits.bits(dimension));
        digits.flip(&mut left, 0, end, (d, dimension, 0));
        let (first, mut b) = (self.count, 0);
        while b < end {
            while left[b] != 0 {
                if self.count == Self::MOST {
                    return false;
                }
                let to = left[b].trailing_zeros() as usize;
                // The bits above that move as far come along; of bit 32 there is none.
                let mut bit = 1 << to;
                let mut count = 0;
                while b + count < end && left[b + count] & bit != 0 {
                    left[b + count] ^= bit;
                    bit <<= 1;
                    count += 1;
                }
                if count == 1 && self.flips_highest(first, b as u32, to as u32) {
                    continue;
                }
                self.terms[self.count] = Term {
                    dimension,
                    divisor: 1 << b,
                    modulus: if b + count == end { 0 } else { 1 << count },
                    factor: 1 << to,
                    bits: (((1u64 << count) - 1) << to) as u32,
                    ..Term::NONE
                };
                self.count += 1;
            }
            b += 1;
        }
        true
    }

    /// Returns whether bit `b` of the index is the lowest of the last term, and `to` the highest bit that
    /// this term sets: then the product with one number moves both, since the carry falls off.
    /// `x ^ x % 2 * 4` is `x * 5 % 8` of x below 8.
    const fn flips_highest(&mut self, first: usize, b: u32, to: u32) -> bool {
        if self.count == first {
            return false;
        }
        let last = &mut self.terms[self.count - 1];
        let half = last.modulus / 2;
        let is_highest = half as u64 * last.factor as u64 == 1 << to;
        if last.divisor != 1 << b || half < 2 || last.inner > 1 || !is_highest {
            return false;
        }
        last.inner = 1 + half;
        true
    }

    /// Brings terms from `first` on whose bits meet together, each cluster in groups.
    const fn in_clusters(&mut self, mut first: usize, stride: u32) {
        while first < self.count {
            let end = self.gather(first);
            self.group(first, end);
            self.lower(first, end, stride);
            first = end;
        }
    }

    /// Brings all terms that meet a term of the cluster after its first; their end.
    const fn gather(&mut self, first: usize) -> usize {
        let (mut bits, mut end) = (self.terms[first].bits, first + 1);
        let mut i = end;
        while i < self.count {
            if self.terms[i].bits & bits != 0 {
                bits |= self.terms[i].bits;
                self.swap(i, end);
                end += 1;
                i = end;
            } else {
                i += 1;
            }
        }
        end
    }

    /// Brings terms of a cluster that do not meet each other together, as its groups.
    const fn group(&mut self, first: usize, end: usize) {
        // First a part of an index, where there is one: x86-64 copies a whole one that comes first.
        range!(part, first..end, {
            if self.terms[part].divisor > 1 || self.terms[part].modulus > 0 {
                self.swap(part, first);
                break;
            }
        });
        let mut done = first;
        while done < end {
            self.terms[done].joins = if done == first { Join::Cluster } else { Join::Group };
            let mut bits = self.terms[done].bits;
            done += 1;
            range!(i, done..end, {
                if self.terms[i].bits & bits == 0 {
                    bits |= self.terms[i].bits;
                    self.terms[i].joins = Join::Sum;
                    self.swap(i, done);
                    done += 1;
                }
            });
        }
    }

    /// Moves a cluster of several terms down, and its digit to where the stride puts it.
    const fn lower(&mut self, first: usize, end: usize, stride: u32) {
        if end - first == 1 {
            self.terms[first].factor = self.terms[first].factor.wrapping_mul(stride);
            return;
        }
        let mut scale = self.terms[first].factor;
        range!(i, first..end, {
            let factor = self.terms[i].factor;
            scale = if factor < scale { factor } else { scale };
        });
        range!(i, first..end, {
            self.terms[i].factor /= scale;
            self.terms[i].scale = scale.wrapping_mul(stride);
        });
    }

    const fn swap(&mut self, a: usize, b: usize) {
        let term = self.terms[a];
        self.terms[a] = self.terms[b];
        self.terms[b] = term;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trace in the head.
    #[test]
    fn the_xor_tile_has_three() {
        let mut digits = Digits::of_rows([128, 64], 64).unwrap();
        [8, 16, 32].iter().enumerate().for_each(|(bit, &flips)| digits.flip_also(6 + bit, flips));
        let terms = Terms::new(&digits).unwrap();
        let trace = [0, 1, 2].map(|i| {
            let Term { dimension, modulus, factor, ends_group, ends_cluster, joins, .. } =
                *terms.at(i);
            let starts = [Join::Cluster, Join::Group].map(|one| joins == one);
            ([dimension as u32, modulus, factor], starts, [ends_group, ends_cluster])
        });
        assert_eq!(terms.count, 3);
        assert_eq!(trace[0], ([0, 8, 8], [true, false], [true, false]));
        assert_eq!(trace[1], ([1, 0, 1], [false, true], [true, true]));
        assert_eq!(trace[2], ([0, 0, 64], [true, false], [true, true]));
    }
}
