//! Rotations: an offset as strides and one number that starts over.
//!
//! Where packs are rotated by the row, an offset has no bits of its own for each index: `chunk + row` carries, and is
//! reduced modulo a length that may be any number. It is one number modulo the row nevertheless:
//!
//! ```text
//!   rows of 96, packs of 8     ((k / 8 + m) mod 12) * 8 + k % 8   =   (k + 8 * m) mod 96
//!   offset                     96 * m + (k + 8 * m) mod 96
//! ```

use crate::number::list::List;
use crate::plan::Plan;
use crate::transform::Op;

/// An offset as the sum of indices times strides and a multiple of a number that starts over: of a map that rotates
/// one index by others.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    /// The numbers added to the offset for 1 of each index, and for no index at all.
    pub strides: List,
    pub origin: u32,
    /// The number: what it takes of each index, and of no index at all.
    pub numbers: List,
    pub first: u32,
    /// The value at which the number starts over, and the factor by which it is added to the offset.
    pub modulus: u32,
    pub times: u32,
}

/// A value as a sum: the factors of each index, of 1, of a quotient and a remainder, and of what was rotated.
type Sum = [u32; Sums::TERMS];

/// The terms that values are sums of, beside the indices.
struct Sums {
    /// The index that was divided, and the divisor.
    split: Option<(usize, u32)>,
    rotated: Option<Rotated>,
}

/// An index, or a quotient of one, plus a sum of indices, modulo a length.
#[derive(Clone, Copy)]
struct Rotated {
    of: usize,
    by: Sum,
    length: u32,
}

impl Sums {
    const ONE: usize = List::CAPACITY;
    const QUOTIENT: usize = Self::ONE + 1;
    const REMAINDER: usize = Self::ONE + 2;
    const ROTATED: usize = Self::ONE + 3;
    const TERMS: usize = Self::ONE + 4;
    const ZERO: Sum = [0; Self::TERMS];

    /// One term alone.
    const fn only(term: usize) -> Sum {
        let mut sum = Self::ZERO;
        sum[term] = 1;
        sum
    }

    /// The term that a value is, if it is one alone.
    const fn term_of(sum: &Sum) -> Option<usize> {
        let mut found = None;
        range!(term, 0..Self::TERMS, {
            match (sum[term], found) {
                (0, _) => {}
                (1, None) => found = Some(term),
                _ => return None,
            }
        });
        found
    }

    /// The quotient and the remainder of an index; `None` where another one was divided.
    const fn divided(&mut self, upper: &Sum, by: u32) -> Option<[Sum; 2]> {
        match (Self::term_of(upper), self.split) {
            (Some(index), None) if index < Self::ONE => self.split = Some((index, by)),
            (Some(index), Some((other, length))) if index == other && by == length => {}
            _ => return None,
        }
        Some([Self::only(Self::QUOTIENT), Self::only(Self::REMAINDER)])
    }

    /// What is rotated by a sum of indices, forth or back; `None` where something was before.
    const fn rotate(&mut self, of: &Sum, by: &Sum, length: u32, back: bool) -> Option<Sum> {
        let Some(term) = Self::term_of(of) else { return None };
        let is_index = term < Self::ONE || term == Self::QUOTIENT;
        let is_sum = all!(term, Self::QUOTIENT..Self::TERMS, by[term] == 0);
        if self.rotated.is_some() || !is_index || !is_sum || length == 0 {
            return None;
        }
        let mut turns = Self::ZERO;
        range!(term, 0..Self::QUOTIENT, {
            let forth = by[term] % length;
            turns[term] = if back && forth > 0 { length - forth } else { forth };
        });
        self.rotated = Some(Rotated { of: term, by: turns, length });
        Some(Self::only(Self::ROTATED))
    }
}

impl Plan {
    /// The offset of a map that rotates an index, or packs of it, once; `None` of any other.
    #[doc(hidden)]
    #[must_use]
    pub const fn turned(&self) -> Option<Turned> {
        if self.bottom_count != 1 {
            return None;
        }
        let mut sums = Sums { split: None, rotated: None };
        let mut hidden = [Sums::ZERO; Self::MOST_HIDDEN];
        range!(d, 0..self.top.len(), { hidden[self.top.at(d) as usize] = Sums::only(d) });
        range!(below, 0..self.node_count, {
            let node = &self.nodes[self.node_count - 1 - below];
            let [first, second] = [node.upper.items[0] as usize, node.upper.items[1] as usize];
            let lower = [node.lower.items[0] as usize, node.lower.items[1] as usize];
            match node.op {
                Op::PassThrough { .. } => hidden[lower[0]] = hidden[first],
                Op::Merge { lengths } if lengths.len() == 2 => {
                    let Some(parts) = sums.divided(&hidden[first], lengths.at(1)) else {
                        return None;
                    };
                    [hidden[lower[0]], hidden[lower[1]]] = parts;
                }
                Op::CyclicShift { length0, length1 }
                | Op::InverseCyclicShift { length0, length1 } => {
                    let back = matches!(node.op, Op::InverseCyclicShift { .. });
                    // Both below 32 bits together, as the rule adds them; and the sum as it stands, not modulo 2^32.
                    let is_exact =
                        length0 as u64 + length1 as u64 <= 1 << 32 && self.is_exact(&hidden[first]);
                    let rotated = sums.rotate(&hidden[second], &hidden[first], length1, back);
                    let (true, Some(rotated)) = (is_exact, rotated) else { return None };
                    hidden[lower[0]] = hidden[first];
                    hidden[lower[1]] = rotated;
                }
                _ if node.op.is_affine() && node.op.is_always_valid() => {
                    range!(term, 0..Sums::TERMS, {
                        let (mut up, mut any) = ([0; List::CAPACITY], term == Sums::ONE);
                        range!(i, 0..node.upper.len(), {
                            up[i] = hidden[node.upper.at(i) as usize][term];
                            any |= up[i] != 0;
                        });
                        let low = if term == Sums::ONE {
                            Some(node.op.apply(&up))
                        } else {
                            node.op.shift(&up)
                        };
                        let (true, Some(low)) = (any, low) else { continue };
                        range!(i, 0..node.lower.len(), {
                            hidden[node.lower.at(i) as usize][term] = low[i];
                        });
                    });
                }
                _ => return None,
            }
        });
        match sums.rotated {
            Some(rotated) => self.summed(&hidden[0], &rotated, sums.split),
            None => None,
        }
    }

    /// Returns whether a sum of indices is below 2^32 without being reduced.
    const fn is_exact(&self, sum: &Sum) -> bool {
        let lengths = self.lengths();
        let mut most = sum[Sums::ONE] as u64;
        range!(d, 0..lengths.len(), {
            most = most.saturating_add(sum[d] as u64 * (lengths.at(d) as u64 - 1));
        });
        most <= u32::MAX as u64
    }

    /// The offset with the quotient and the remainder put together again; `None` where they do not fit.
    const fn summed(
        &self,
        offset: &Sum,
        rotated: &Rotated,
        split: Option<(usize, u32)>,
    ) -> Option<Turned> {
        let (index, divisor) = match split {
            Some((index, divisor)) => (index, divisor),
            None => (0, 1),
        };
        let [quotient, remainder] = [offset[Sums::QUOTIENT], offset[Sums::REMAINDER]];
        let of_quotient = rotated.of == Sums::QUOTIENT;
        let whole = if of_quotient { offset[Sums::ROTATED] } else { quotient };
        if split.is_some()
            && (remainder as u64 * divisor as u64 != whole as u64 || of_quotient && quotient != 0)
        {
            return None;
        }
        let (each, times, of) = match of_quotient {
            true => (divisor, remainder, index),
            false => (1, offset[Sums::ROTATED], rotated.of),
        };
        let modulus = rotated.length as u64 * each as u64;
        if modulus > u32::MAX as u64 {
            return None;
        }
        let rank = self.top.len();
        let (mut strides, mut numbers) = ([0; List::CAPACITY], [0; List::CAPACITY]);
        range!(d, 0..rank, {
            strides[d] = offset[d];
            numbers[d] = rotated.by[d] * each;
        });
        numbers[of] = (numbers[of] as u64 + 1).rem_euclid(modulus) as u32;
        if !of_quotient {
            strides[index] = strides[index].wrapping_add(remainder);
        }
        Some(Turned {
            strides: List::of_first(strides, rank),
            origin: offset[Sums::ONE],
            numbers: List::of_first(numbers, rank),
            first: rotated.by[Sums::ONE] * each,
            modulus: modulus as u32,
            times,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of packs, rotated by the row forth and back, in whole, shifted and transposed: each coordinate as the plan.
    #[test]
    fn as_the_plan() {
        let mut known = 0;
        for (m, chunks, pack) in [(64, 12, 8), (192, 12, 8), (31, 5, 1), (16, 8, 4), (7, 96, 2)] {
            for (pad, back, merged) in (0..16).map(|n| (n % 4 * 3, n & 4 > 0, n & 8 > 0)) {
                let stride = chunks * pack + pad;
                let plan =
                    Plan::naive_with_offset(&[m, chunks, pack], &[stride, pack, 1], pad).unwrap();
                let turn = match back {
                    true => Op::InverseCyclicShift { length0: m, length1: chunks },
                    false => Op::CyclicShift { length0: m, length1: chunks },
                };
                let pass = |length| Op::PassThrough { length };
                let plan = plan
                    .transform(&[turn, pass(pack)], &[&[0, 1], &[2]], &[&[0, 1], &[2]])
                    .unwrap();
                let plan = match merged {
                    true => {
                        let row = Op::Merge { lengths: List::pair(chunks, pack) };
                        plan.transform(&[row, pass(m)], &[&[1, 2], &[0]], &[&[0], &[1]]).unwrap()
                    }
                    false => plan,
                };
                assert!(plan.digits().is_none() || pack == 1 || chunks.is_power_of_two());
                let turned = plan.turned().unwrap();
                for id in 0..plan.elements() {
                    let at = plan.nth(id);
                    let sum = |first: u32, of: &List| {
                        let each = (0..at.len()).map(|d| u64::from(at.at(d)) * u64::from(of.at(d)));
                        u64::from(first) + each.sum::<u64>()
                    };
                    let number = sum(turned.first, &turned.numbers) % u64::from(turned.modulus);
                    let offset =
                        sum(turned.origin, &turned.strides) + number * u64::from(turned.times);
                    assert_eq!(offset, u64::from(plan.offset(at.as_slice()).unwrap()), "{at:?}");
                    known += 1;
                }
            }
        }
        assert!(known > 100_000, "{known}");
        assert!(Plan::packed(&[64, 96]).unwrap().turned().is_none());
    }
}
