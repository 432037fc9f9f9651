//! Fewer instructions for the same terms: nothing is computed twice, nothing cut off that
//! would be added again.
//!
//! | what | written | instead | instructions |
//! |---|---|---|---|
//! | a group that is needed twice | `row * 64 + ((m / 8) ^ row) * 4`, `row` of two terms | `row` once | column-major operand, gfx942: 13 to 10 |
//! | a remainder beside its quotient | `k / 8 * 1032 + k % 8` | `k / 8 * 1024 + k` | TDM's padded rows, x86-64: 10 to 6 |
//! | a quotient of two terms | `m / 2 * 64 + (m / 2 % 8 ^ ..) * 8` | `m / 2` once | FMHA backward, x86-64: 20 to 19 |

use super::{Join, Term, Terms};

impl Terms {
    /// Returns terms of the same offset that take fewer instructions.
    pub(super) const fn shorter(mut self) -> Self {
        self.reuse_groups();
        self.spare_remainders();
        self.reuse_quotients();
        self
    }

    /// Finds groups all of whose terms occur alone as well, in the same proportions.
    const fn reuse_groups(&mut self) {
        let mut first = 0;
        while first < self.count {
            let mut end = first + 1;
            while end < self.count && matches!(self.terms[end].joins, Join::Sum) {
                end += 1;
            }
            if !self.stands_alone(first)
                && let Some(multiple) = self.multiple(first, end)
            {
                range!(i, first..end, { self.terms[i].besides = multiple });
                first = self.without_multiples(first, end, multiple);
            } else {
                first = end;
            }
        }
    }

    /// Returns whether a term is a cluster.
    const fn stands_alone(&self, i: usize) -> bool {
        matches!(self.terms[i].joins, Join::Cluster)
            && (i + 1 == self.count || matches!(self.terms[i + 1].joins, Join::Cluster))
    }

    /// The factor by which every term of a group occurs alone as well.
    const fn multiple(&self, first: usize, end: usize) -> Option<u32> {
        range!(candidate, 0..self.count, {
            let factor = self.terms[candidate].factor;
            let multiple = factor / self.terms[first].factor;
            if all!(i, first..end, self.alone(&self.terms[i], multiple).is_some()) {
                return Some(multiple);
            }
        });
        None
    }

    /// The cluster that is a multiple of a term.
    const fn alone(&self, term: &Term, multiple: u32) -> Option<usize> {
        range!(i, 0..self.count, {
            if self.stands_alone(i)
                && self.terms[i].moves_as(term)
                && self.terms[i].factor == term.factor.wrapping_mul(multiple)
            {
                return Some(i);
            }
        });
        None
    }

    /// Takes the multiples of a group's terms out; where the group ends then.
    const fn without_multiples(&mut self, first: usize, mut end: usize, multiple: u32) -> usize {
        let mut left = end - first;
        while left > 0 {
            let term = self.terms[end - left];
            if let Some(alone) = self.alone(&term, multiple) {
                end -= (alone < end) as usize;
                self.count -= 1;
                range!(i, alone..self.count, { self.terms[i] = self.terms[i + 1] });
            }
            left -= 1;
        }
        end
    }

    /// Takes the whole index where a term is its remainder and another its quotient:
    /// `k / 4 * 516 + k % 4` is `k / 4 * 512 + k`.
    const fn spare_remainders(&mut self) {
        let mut low = self.count;
        while low > 0 {
            low -= 1;
            let mut high = 0;
            while high < self.count {
                if let Some(excess) = self.excess(low, high) {
                    self.terms[high].factor = excess;
                    self.terms[low].modulus *= self.terms[high].modulus;
                    // What this term meets now, and what meets it, comes again.
                    (low, high) = (self.count - 1, 0);
                } else {
                    high += 1;
                }
            }
        }
    }

    /// The rest of the factor of `high` where `low` does not stop below it, unless that is dearer to multiply by, or nothing is
    /// gained.
    const fn excess(&self, low: usize, high: usize) -> Option<u32> {
        let (low_term, high_term) = (&self.terms[low], &self.terms[high]);
        if low_term.dimension != high_term.dimension
            || low_term.inner | high_term.inner != 1
            || low_term.modulus == 0
            || low_term.divisor as u64 * low_term.modulus as u64 != high_term.divisor as u64
            || !self.stands_alone(low)
            || !self.stands_alone(high)
        {
            return None;
        }
        let reach = low_term.factor as u64 * low_term.modulus as u64;
        if reach >= high_term.factor as u64 {
            return None;
        }
        let excess = high_term.factor - reach as u32;
        let (before, now) = (high_term.factor.count_ones(), excess.count_ones());
        // A remainder of the whole index is spared; one of a part of it only grows.
        let gains = if high_term.modulus == 0 { now <= before } else { now < before };
        if gains { Some(excess) } else { None }
    }

    /// Finds the quotients that terms have in common.
    const fn reuse_quotients(&mut self) {
        let mut kept = 0;
        range!(i, 0..self.count, {
            range!(other, i + 1..self.count, {
                let (one, two) = (self.terms[i], self.terms[other]);
                if kept == Self::SHARED {
                    break;
                }
                if one.divisor > 1 && one.dimension == two.dimension && one.divisor == two.divisor {
                    if one.quotient == Self::SHARED {
                        self.terms[i].quotient = kept;
                        kept += 1;
                    }
                    self.terms[other].quotient = self.terms[i].quotient;
                }
            });
        });
    }
}
