//! The fused offset: few shifts, masks and xors in place of the stages.
//!
//! The 128x64 xor tile has five transforms. Stage by stage its offset takes chunks
//! apart and puts them together again; LLVM does not see that they fit:
//!
//! ```text
//!   staged   ((k / 8) ^ (m % 8)) * 8 + m * 64 + k % 8        9 x86-64 instructions and ret
//!   fused    m * 64 + (k ^ (m % 8 * 8))                       6
//! ```
//!
//! Where a map only moves bits, its columns say which bit goes where, and its terms
//! (`terms.rs`) are constants of the type. Nothing of them is left at run
//! time. A coordinate out of range has a meaningless offset, as it had before.

use crate::index::Index;
use crate::linear::terms::{Join, Term, Terms};
use crate::number::extent::Extent;
use crate::typed::descriptor::Descriptor;
use crate::typed::rank::{OfRank, Rank};
use core::marker::PhantomData;

/// The terms of a type.
struct Of<D>(PhantomData<D>);

impl<D: Descriptor> Of<D> {
    const FOUND: Option<Terms> = match &D::DIGITS {
        Some(digits) => Terms::of(digits),
        None => None,
    };
    const IS_FUSED: bool = Self::FOUND.is_some();
    /// By reference, so that the compiler does not copy all for each.
    const TERMS: &'static Terms = match &Self::FOUND {
        Some(terms) => terms,
        None => &Terms::NONE,
    };
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
/// // Padded rows are two terms as well; twelve columns are no bits: by stages.
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
    let mut sum = Sum::new();
    macro_rules! unrolled {
        ($($i:literal)*) => {$(
            if const { $i < Of::<D>::TERMS.count } {
                let term = const { Of::<D>::TERMS.at($i) };
                sum.take(term, &index[term.dimension]);
            }
        )*};
    }
    unrolled!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    let constant = |value| index[0].constant(Extent::constant(value));
    match sum.end() {
        None => constant(const { Of::<D>::TERMS.constant ^ Of::<D>::TERMS.flipped }),
        Some(offset) if const { Of::<D>::TERMS.constant != 0 } => {
            offset.add(&constant(Of::<D>::TERMS.constant))
        }
        Some(offset) if const { Of::<D>::TERMS.flipped != 0 } => {
            offset.xor(&constant(Of::<D>::TERMS.flipped))
        }
        Some(offset) => offset,
    }
}

/// The terms so far. One function for all layouts, so that a layout costs the compiler
/// no more than its calls.
pub(super) struct Sum<I> {
    quotients: [Option<I>; Terms::SHARED],
    sum: Option<I>,
    cluster: Option<I>,
    layer: Option<I>,
    /// Of the last term.
    scale: u32,
    besides: u32,
}

impl<I: Index> Sum<I> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let quotients = [None, None, None, None];
        Self { quotients, sum: None, cluster: None, layer: None, scale: 1, besides: 0 }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, term: &Term, index: &I) {
        let part = Some(match self.quotients.get_mut(term.quotient) {
            Some(kept) => part(kept.get_or_insert_with(|| divided(index, term.divisor)), term),
            None => part(&divided(index, term.divisor), term),
        });
        match term.joins {
            Join::Sum => self.layer = plus(self.layer.take(), part),
            Join::Layer => {
                self.end_layer();
                self.layer = part;
            }
            Join::Cluster => {
                self.sum = self.end();
                self.layer = part;
            }
        }
        (self.scale, self.besides) = (term.scale, term.besides);
    }

    #[inline(always)]
    fn end_layer(&mut self) {
        let layer = self.layer.take();
        if self.besides > 0 {
            let again = layer.clone().map(|layer| scaled(layer, self.besides));
            self.sum = plus(self.sum.take(), again);
        }
        self.cluster = xor(self.cluster.take(), layer);
    }

    /// The sum, with the cluster that is open.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Option<I> {
        self.end_layer();
        plus(self.sum.take(), self.cluster.take().map(|all| scaled(all, self.scale)))
    }
}

/// The bits of a term, from its quotient.
#[inline(always)]
fn part<I: Index>(quotient: &I, term: &Term) -> I {
    if term.modulus > 0 {
        scaled(quotient.rem(Extent::constant(term.modulus)), term.factor)
    } else {
        scaled(quotient.clone(), term.factor)
    }
}

#[inline(always)]
fn divided<I: Index>(index: &I, by: u32) -> I {
    if by > 1 { index.div(Extent::constant(by)) } else { index.clone() }
}

#[inline(always)]
fn scaled<I: Index>(part: I, by: u32) -> I {
    if by == 1 { part } else { part.mul(Extent::constant(by)) }
}

#[inline(always)]
fn plus<I: Index>(a: Option<I>, b: Option<I>) -> Option<I> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.add(&b)),
        (a, b) => a.or(b),
    }
}

#[inline(always)]
fn xor<I: Index>(a: Option<I>, b: Option<I>) -> Option<I> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.xor(&b)),
        (a, b) => a.or(b),
    }
}
