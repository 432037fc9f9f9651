//! The fused offset: few shifts, masks and xors in place of the stages.
//!
//! The 128x64 xor tile has five transforms. Stage by stage its offset takes chunks
//! apart and puts them together again; LLVM does not see that they fit:
//!
//! ```text
//!   staged   ((k / 8) ^ (m % 8)) * 8 + m * 64 + k % 8        10 x86-64 instructions and ret
//!   fused    m * 64 + (k ^ (m % 8 * 8))                       6
//! ```
//!
//! Where the digits of a map are one, its columns say which bit goes where. Bits of one
//! dimension that move by one distance are a *term*: a shift, and a mask where other
//! bits of the dimension do not come along. Terms whose bits meet are xor-ed, the others
//! added: an address unit adds for nothing. No mask is spent on what the lengths
//! exclude, so a coordinate out of range has a meaningless offset, as it had before.
//!
//! The terms are constants of the type; nothing of this is left at run time.

use crate::descriptor::Descriptor;
use crate::index::Index;
use crate::magic::Extent;
use crate::plan::Plan;
use crate::rank::{OfRank, Rank};
use core::marker::PhantomData;

/// Bits of one index, moved: `index[dimension] / divisor % modulus * factor`.
#[derive(Clone, Copy)]
struct Term {
    dimension: usize,
    divisor: u32,
    /// 0 if there is nothing to cut off.
    modulus: u32,
    factor: u32,
    /// The bits of the offset that it may set.
    bits: u32,
    /// Whether it is added to what came before, and the next are xor-ed to it.
    starts: bool,
}

/// The terms of a map.
#[derive(Clone, Copy)]
struct Fused {
    terms: [Term; Self::MOST],
    count: usize,
    constant: u32,
}

impl Term {
    const NONE: Self =
        Self { dimension: 0, divisor: 1, modulus: 0, factor: 1, bits: 0, starts: false };

    #[inline(always)]
    fn of<I: Index>(self, index: &I) -> I {
        let mut part = index.clone();
        if self.divisor > 1 {
            part = part.div(Extent::constant(self.divisor));
        }
        if self.modulus > 0 {
            part = part.rem(Extent::constant(self.modulus));
        }
        if self.factor > 1 {
            part = part.mul(Extent::constant(self.factor));
        }
        part
    }
}

impl Fused {
    /// More terms than any recipe has; a map of more is evaluated by stages.
    const MOST: usize = 16;

    /// The terms of a plan, if its digits are one and the terms are few.
    const fn of(plan: &Plan) -> Option<Self> {
        let Some(digits) = plan.digits() else { return None };
        let Some((columns, constant)) = digits.joint() else { return None };
        let mut fused = Self { terms: [Term::NONE; Self::MOST], count: 0, constant };
        let mut dimension = 0;
        while dimension < plan.rank() {
            let (first, width) = digits.input_bits(dimension);
            if !fused.add_dimension(dimension, columns.split_at(first).1.split_at(width).0) {
                return None;
            }
            dimension += 1;
        }
        Some(fused.in_clusters())
    }

    /// Adds the terms of a dimension; false if they are too many.
    const fn add_dimension(&mut self, dimension: usize, columns: &[u32]) -> bool {
        // Bits of the offset that no term sets yet, by bit of the index.
        let mut left = [0; 32];
        let mut b = 0;
        while b < columns.len() {
            left[b] = columns[b];
            b += 1;
        }
        b = 0;
        while b < columns.len() {
            while left[b] != 0 {
                if self.count == Self::MOST {
                    return false;
                }
                let to = left[b].trailing_zeros() as usize;
                // The bits above that move as far come along.
                let mut count = 0;
                while b + count < columns.len()
                    && to + count < 32
                    && left[b + count] >> (to + count) & 1 == 1
                {
                    left[b + count] ^= 1 << (to + count);
                    count += 1;
                }
                self.terms[self.count] = Term {
                    dimension,
                    divisor: 1 << b,
                    modulus: if b + count == columns.len() { 0 } else { 1 << count },
                    factor: 1 << to,
                    bits: (((1u64 << count) - 1) << to) as u32,
                    starts: false,
                };
                self.count += 1;
            }
            b += 1;
        }
        true
    }

    /// Terms whose bits meet behind each other.
    const fn in_clusters(mut self) -> Self {
        let mut done = 0;
        while done < self.count {
            self.terms[done].starts = true;
            let mut cluster = self.terms[done].bits;
            done += 1;
            let mut i = done;
            while i < self.count {
                if self.terms[i].bits & cluster != 0 {
                    cluster |= self.terms[i].bits;
                    let term = self.terms[i];
                    self.terms[i] = self.terms[done];
                    self.terms[done] = term;
                    done += 1;
                    i = done;
                } else {
                    i += 1;
                }
            }
        }
        self
    }

    const fn bits(&self) -> u32 {
        let (mut bits, mut i) = (0, 0);
        while i < self.count {
            bits |= self.terms[i].bits;
            i += 1;
        }
        bits
    }
}

/// The terms of a type.
struct Of<D>(PhantomData<D>);

impl<D: Descriptor> Of<D> {
    const FUSED: Option<Fused> = match &D::PLAN {
        Ok(plan) => Fused::of(plan),
        Err(_) => None,
    };
    const IS_FUSED: bool = Self::FUSED.is_some();
    const COUNT: usize = match Self::FUSED {
        Some(fused) => fused.count,
        None => 0,
    };
    const CONSTANT: u32 = match Self::FUSED {
        Some(fused) => fused.constant,
        None => 0,
    };
    const BITS: u32 = match Self::FUSED {
        Some(fused) => fused.bits(),
        None => 0,
    };

    const fn term(i: usize) -> Term {
        match Self::FUSED {
            Some(fused) => fused.terms[i],
            None => Term::NONE,
        }
    }
}

/// The offset of a coordinate by the fused form, or by stages where there is none.
///
/// ```
/// use tiledesc_transforms::{Naive, descriptor, fused, seq};
///
/// descriptor! {
///     type Tile:
///         packed [8, 128, 8];
///         xor[128, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
///         pass[128] (1) -> (0),           merge[8, 8] (0, 2) -> (1);
/// }
/// assert_eq!(fused::offset::<Tile, u32, 2>([3, 17]), 3 * 8 + (2 ^ 3) * 1024 + 1);
/// // Strides of 72 add with a carry: by stages.
/// assert_eq!(fused::offset::<Naive<seq![128, 64], seq![72, 1]>, u32, 2>([3, 17]), 233);
/// ```
#[inline(always)]
#[must_use]
pub fn offset<D, I, const R: usize>(index: [I; R]) -> I
where
    D: Descriptor + Default,
    I: Index,
    [I; R]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    if const { Of::<D>::IS_FUSED } { terms::<D, I, R>(&index) } else { D::default().offset(index) }
}

#[inline(always)]
fn terms<D: Descriptor, I: Index, const R: usize>(index: &[I; R]) -> I {
    let mut sum: Option<I> = None;
    let mut cluster: Option<I> = None;
    macro_rules! unrolled {
        ($($i:literal)*) => {$(
            if const { $i < Of::<D>::COUNT } {
                let term = const { Of::<D>::term($i) };
                let part = term.of(&index[term.dimension]);
                if term.starts {
                    sum = plus(sum, cluster);
                    cluster = Some(part);
                } else {
                    cluster = Some(match cluster {
                        Some(cluster) => cluster.xor(&part),
                        None => part,
                    });
                }
            }
        )*};
    }
    unrolled!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    let constant = || index[0].constant(Extent::constant(Of::<D>::CONSTANT));
    match plus(sum, cluster) {
        None => constant(),
        Some(offset) if const { Of::<D>::CONSTANT == 0 } => offset,
        Some(offset) if const { Of::<D>::CONSTANT & Of::<D>::BITS == 0 } => offset.add(&constant()),
        Some(offset) => offset.xor(&constant()),
    }
}

#[inline(always)]
fn plus<I: Index>(sum: Option<I>, cluster: Option<I>) -> Option<I> {
    match (sum, cluster) {
        (Some(sum), Some(cluster)) => Some(sum.add(&cluster)),
        (sum, cluster) => sum.or(cluster),
    }
}
