//! A distribution as a type: what a kernel is generic over.

use super::encoding::{Encoding, Factor};
use super::fault::{DistributionError, Owner};
use tiledesc_transforms::say;

/// Who holds which element of a tile, as a type: [`distribution!`](crate::distribution!) makes
/// one of named factors, [`Encoded`](super::Encoded) of CK Tile's six parameters.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 256 lanes take 128 rows of 64 halves, 8 each.
///     type Fetch:
///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
/// }
/// assert_eq!((Fetch::WAVES, Fetch::LANES_PER_WAVE, Fetch::ELEMENTS), (4, 64, 32));
/// // In a kernel: a few shifts, masks and adds.
/// assert_eq!(Fetch::coordinate(1, 10, 19), [73, 19]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a distribution",
    note = "write one with `distribution!`, or `Encoded<..>` of CK Tile's six parameters"
)]
pub trait Distribution {
    /// Its factors and owners, or why there is none.
    const ENCODING: Result<Encoding, DistributionError>;

    /// The number of waves; 1 if waves own nothing.
    const WAVES: u32 = sound::<Self>().waves();
    /// The number of lanes of a wave.
    const LANES_PER_WAVE: u32 = sound::<Self>().lanes();
    /// The number of elements of a lane: the length of its array of registers.
    const ELEMENTS: usize = sound::<Self>().elements() as usize;

    /// The coordinate of an element of a lane, for kernels: nothing is interpreted and nothing
    /// checked. The coordinate of a lane or an element that does not exist is meaningless.
    #[inline(always)]
    #[must_use]
    fn coordinate<const RANK: usize>(wave: u32, lane: u32, element: usize) -> [u32; RANK] {
        const { has_rank::<Self>(RANK) };
        Self::indices(wave, lane, element)
    }

    /// The first of so many indices; those that no dimension has are 0.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn indices<const RANK: usize>(wave: u32, lane: u32, element: usize) -> [u32; RANK] {
        let (numbers, mut index) = ([wave, lane, element as u32], [0; RANK]);
        macro_rules! unrolled {
            ($($i:literal)*) => {$(
                if const { $i < Of::<Self>::TERMS.count } {
                    let term = const { Of::<Self>::TERMS.terms[$i] };
                    index[term.dimension] += term.part(numbers[term.owner]);
                }
            )*};
        }
        unrolled!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        index
    }
}

/// Refuses what is no distribution, on the caller's line: what
/// [`distribution!`](crate::distribution!) does.
///
/// # Panics
///
/// With the fault, after the name.
#[track_caller]
pub const fn check_factors<T: Distribution + ?Sized>(name: &str) {
    if let Err(fault) = &T::ENCODING {
        fault.refuse(name)
    }
}

/// The encoding of a type that has one.
#[track_caller]
const fn sound<T: Distribution + ?Sized>() -> Encoding {
    match T::ENCODING {
        Ok(encoding) => encoding,
        Err(fault) => fault.text().refuse(),
    }
}

#[track_caller]
const fn has_rank<T: Distribution + ?Sized>(rank: usize) {
    let ours = sound::<T>().rank();
    if ours != rank {
        let text = say!(Text::new(): rank, " indices of a distribution of ", ours, " dimensions");
        text.refuse()
    }
}

/// The digits of a type's coordinates.
struct Of<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: Distribution + ?Sized> Of<T> {
    /// None of what is no distribution, which [`has_rank`] has refused.
    const TERMS: Terms = match &T::ENCODING {
        Ok(encoding) => Terms::of(encoding),
        Err(_) => Terms::of(&Encoding::EMPTY),
    };
}

/// A digit of an owner's number, and what it adds to which index.
#[derive(Clone, Copy)]
struct Term {
    owner: usize,
    below: u32,
    /// 0 if nothing is above it in the number, so that no remainder is taken.
    length: u32,
    dimension: usize,
    stride: u32,
}

impl Term {
    const fn of(factor: &Factor, owner: Owner, encoding: &Encoding) -> Self {
        let Factor { length, stride, group, below, .. } = *factor;
        let owner = owner as usize;
        let is_top = below as u64 * length as u64 == encoding.numbers[owner] as u64;
        let length = if is_top { 0 } else { length };
        Self { owner, below, length, dimension: group as usize - 1, stride }
    }

    #[inline(always)]
    const fn part(&self, number: u32) -> u32 {
        let quotient = number / self.below;
        (if self.length == 0 { quotient } else { quotient % self.length }) * self.stride
    }
}

/// Factors that are neighbours both in their dimension and in their owner are one digit.
struct Terms {
    terms: [Term; Encoding::MOST_FACTORS],
    count: usize,
}

impl Terms {
    const fn of(encoding: &Encoding) -> Self {
        let none = Term { owner: 0, below: 1, length: 0, dimension: 0, stride: 0 };
        let mut made = Self { terms: [none; Encoding::MOST_FACTORS], count: 0 };
        let mut at = encoding.begin(1);
        while at < encoding.count {
            let mut factor = encoding.factors[at];
            at += 1;
            while at < encoding.count && factor.continues(&encoding.factors[at]) {
                let length = factor.length * encoding.factors[at].length;
                factor = encoding.factors[at];
                factor.length = length;
                at += 1;
            }
            let Some(owner) = factor.owner() else { continue };
            if factor.length > 1 {
                made.terms[made.count] = Term::of(&factor, owner, encoding);
                made.count += 1;
            }
        }
        made
    }
}

impl Factor {
    /// Whether `faster` is the next digit both of the dimension and of the owner's number.
    const fn continues(&self, faster: &Self) -> bool {
        faster.group == self.group
            && faster.owner == self.owner
            && self.stride as u64 == faster.stride as u64 * faster.length as u64
            && self.below as u64 == faster.below as u64 * faster.length as u64
    }
}
