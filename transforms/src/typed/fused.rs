//! The fused offset: few shifts, masks and xors in place of the stages.
//!
//! The 128x64 xor tile has five transforms. Stage by stage its offset takes chunks
//! apart and puts them together again; LLVM does not see that they fit:
//!
//! ```text
//!   staged   ((k / 8) ^ (m % 8)) * 8 + m * 64 + k % 8        9 x86-64 instructions and ret
//!   fused    m * 64 + (k ^ (m % 8 * 8))                       5
//! ```
//!
//! Where a map only moves bits, its columns show which bit goes where, and its terms (`terms.rs`, with a trace) are constants of
//! the type. A map without digits may have those of its coordinate's number (`numbered.rs`); the number is a sum of strides first.
//! Nothing of them is left at run time. A coordinate out of range has a meaningless offset, as it had before.
//!
//! A further layout costs the compiler one call of a function that all have in common, which LLVM copies as far as the constants
//! of the layout lead. So that function has no reference to an index, no `Option` and no panic, and whatever can be known from
//! the terms is in them. What that saves is in DESIGN, "What the compiler pays for".

use crate::index::Index;
use crate::linear::terms::{Join, Terms};
use crate::number::extent::Extent;
use crate::number::list::List;
use crate::typed::adaptor::Adaptor;
use core::array;
use core::marker::PhantomData;
use tiledesc_macros::each;
use typenum::{U1, Unsigned};

/// The terms of a type.
struct Of<D>(PhantomData<D>);

/// The fused form of a type.
struct Fused {
    /// `TOO_MANY` where it is not.
    terms: Terms,
    /// The strides of the number that the terms are of; empty where they are of the coordinate.
    strides: List,
}

impl<D: Adaptor> Of<D> {
    /// By reference, so that the compiler does not copy all for each.
    const FUSED: &'static Fused = once!(match &D::DIGITS {
        Some(digits) => Fused { terms: Terms::or_too_many(digits), strides: List::EMPTY },
        None => Self::of_number(),
    });
    /// How it is evaluated, as a number, which the compiler follows before it makes code:
    ///
    /// | of at most | 4 terms | 8 terms | 16 terms | more |
    /// |---|---|---|---|---|
    /// | the coordinate | 0 | 1 | 2 | 3: stage by stage |
    /// | its number | 4 | 5 | 6 | 3 |
    const BRANCH: u32 = {
        let Fused { terms: Terms { count, .. }, strides } = Self::FUSED;
        match (*count > 4) as u32 + (*count > 8) as u32 + (*count > Terms::MOST) as u32 {
            branch @ 0..3 if !strides.is_empty() => 4 + branch,
            branch => branch,
        }
    };

    /// The terms of the number of a coordinate, where the coordinate has none. A function, because the constants
    /// that a body names are evaluated whether it gets to them or not.
    const fn of_number() -> Fused {
        match &D::NUMBERED {
            Some(numbered) => {
                let terms = Terms::or_too_many(numbered.digits());
                Fused { terms, strides: numbered.strides() }
            }
            None => Fused { terms: Terms::TOO_MANY, strides: List::EMPTY },
        }
    }
}

/// Evaluates the stages of a type that is not fused. Behind a constant, because a function that is named in a branch is compiled
/// whether it is called or not, and so is all that it names.
struct Stages<D, I, const R: usize>(PhantomData<(D, I)>);

impl<D: Adaptor<BottomRank = U1> + Default, I: Index, const R: usize> Stages<D, I, R> {
    const AT: fn([I; R]) -> I = if Of::<D>::BRANCH == 3 { staged::<D, I, R> } else { no_stages };
}

/// The offset by the rules of the transforms, of the first indices, as many as there are dimensions.
#[inline(always)]
fn staged<D: Adaptor<BottomRank = U1> + Default, I: Index, const R: usize>(index: [I; R]) -> I {
    let [offset] = D::default().lower(&index[..D::Rank::USIZE]);
    offset
}

/// The placeholder for the stages of a type that has no need of them.
fn no_stages<I: Index, const R: usize>(index: [I; R]) -> I {
    index[0].clone()
}

/// The offset at a coordinate, times `unit`, by the function for as many terms; for a type that is not fused by the last
/// argument.
macro_rules! choose {
    ($D:ident, $index:ident, $unit:expr, else $stages:expr) => {{
        let Fused { terms, strides } = Of::<$D>::FUSED;
        match Of::<$D>::BRANCH {
            // Terms of the coordinate.
            0 => up_to_4(terms, $index, $unit),
            1 => up_to_8(terms, $index, $unit),
            2 => up_to_16(terms, $index, $unit),
            // Terms of the coordinate's number.
            4 => up_to_4(terms, number_of($index, strides), $unit),
            5 => up_to_8(terms, number_of($index, strides), $unit),
            6 => up_to_16(terms, number_of($index, strides), $unit),
            // Not fused.
            _ => $stages,
        }
    }};
}

/// The offset at a coordinate, times `unit`, of a type that has one value, which is not made where
/// the type is fused. Of an index of more dimensions, the first ones count.
#[inline(always)]
pub(crate) fn at_of_type<D, I: Index, const R: usize>(index: [I; R], unit: u32) -> I
where
    D: Adaptor<BottomRank = U1> + Default,
{
    choose!(D, index, unit, else Stages::<D, I, R>::AT(index).times(unit))
}

/// The offset at a coordinate, of a value.
#[inline(always)]
pub(crate) fn at<D: Adaptor<BottomRank = U1>, I: Index, const R: usize>(
    descriptor: &D,
    index: [I; R],
) -> I {
    choose!(D, index, 1, else {
        let [offset] = descriptor.lower(&index);
        offset
    })
}

/// The number of a coordinate, as the first index of one.
#[inline(always)]
pub(super) fn number_of<I: Index, const R: usize>(index: [I; R], strides: &List) -> [I; R] {
    let mut number = index[0].clone().times(strides.at(0));
    let mut d = 1;
    while d < strides.len() && d < R {
        number = number.plus(index[d].clone().times(strides.at(d)));
        d += 1;
    }
    array::from_fn(|_| number.clone())
}

each! { 4, 8, 16:
    /// The sum of at most so many terms at a coordinate, times `unit`. Most layouts have 4, and LLVM pays for those that are not
    /// there, too; none has more than 16.
    ///
    /// Each addend is multiplied by itself. LLVM does not do so where it knows an index to be
    /// small: `lane % 16` of the xor tile in bytes is 10 instructions, 12 as a sum times 2.
    ///
    /// Moduli are powers of two, and a mask is what the index `lane % 16` of a kernel wants: of a
    /// remainder LLVM makes a comparison where it knows that the index is small (13 instructions for
    /// 12).
    // The quotient of the last term is never used.
    #[allow(unused_assignments)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn #up_to_<I: Index, const R: usize>(
        terms: &Terms,
        index: [I; R],
        unit: u32,
    ) -> I {
        let any = index[0].clone();
        // Where a bit is flipped in all of it, and the unit is not a power of two, the whole
        // is multiplied: 12 * (k ^ 3) is not 12 * k ^ 36.
        let is_each = terms.flipped == 0 || unit.is_power_of_two();
        let (unit, unit_of_all) = if is_each { (unit, 1) } else { (1, unit) };
        // Placeholders: each is assigned before it is read.
        let [mut sum, mut cluster, mut group] = [any.clone(), any.clone(), any.clone()];
        let [mut kept_0, mut kept_1] = [any.clone(), any.clone()];
        let [mut kept_2, mut kept_3] = [any.clone(), any.clone()];
        #(if # < terms.count {
            let term = terms.at(#);
            // The quotient, kept for terms that divide alike.
            let quotient = if term.divides {
                // The remainder: no panic.
                index[term.dimension % R].clone().over(term.divisor)
            } else {
                match term.quotient {
                    0 => kept_0.clone(),
                    1 => kept_1.clone(),
                    2 => kept_2.clone(),
                    _ => kept_3.clone(),
                }
            };
            match term.quotient {
                0 => kept_0 = quotient.clone(),
                1 => kept_1 = quotient.clone(),
                2 => kept_2 = quotient.clone(),
                3 => kept_3 = quotient.clone(),
                _ => {}
            }
            // The part of the index, moved to where it lies, joins its group, the group its cluster, the cluster the sum.
            let part = quotient.times(term.inner).low(term.modulus).times(term.factor);
            group = match term.joins {
                Join::Sum => part.plus(group),
                Join::Group | Join::Cluster => part,
            };
            if term.ends_group {
                if term.besides > 0 {
                    let again = group.clone().times(term.besides.wrapping_mul(unit));
                    sum = if term.begins_sum { again } else { sum.plus(again) };
                }
                cluster = if term.begins_cluster {
                    group.clone()
                } else {
                    cluster.exclusive_or(group.clone())
                };
            }
            if term.ends_cluster {
                let all = cluster.clone().times(term.scale.wrapping_mul(unit));
                let is_first = term.begins_sum && term.besides == 0;
                sum = if is_first { all } else { sum.plus(all) };
            }
        })*
        let constant = |value: u32| any.constant(Extent::constant(value.wrapping_mul(unit)));
        let offset = if terms.count == 0 {
            constant(terms.constant ^ terms.flipped)
        } else if terms.constant != 0 {
            sum.plus(constant(terms.constant))
        } else if terms.flipped != 0 {
            sum.exclusive_or(constant(terms.flipped))
        } else {
            sum
        };
        offset.times(unit_of_all)
    }
}

/// An evaluation of a given rank.
#[cfg(debug_assertions)]
type Evaluation<const R: usize> = fn(&Terms, [u32; R], u32) -> u32;

/// Compiled with this crate, for tiles of two dimensions and for accesses: a debug build of kernels need not compile them
/// again, which took 40 million instructions.
#[cfg(debug_assertions)]
#[expect(dead_code, reason = "that it is there is enough")]
static COMPILED: ([Evaluation<2>; 2], [Evaluation<{ List::CAPACITY }>; 2]) =
    ([up_to_4, up_to_8], [up_to_4, up_to_8]);
