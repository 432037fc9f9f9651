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
use crate::typed::adaptor::Adaptor;
use core::marker::PhantomData;

/// The terms of a type.
struct Of<D>(PhantomData<D>);

impl<D: Adaptor> Of<D> {
    /// By reference, so that the compiler does not copy all for each; `TOO_MANY` where it is not fused.
    const TERMS: &'static Terms = once!(match &D::DIGITS {
        Some(digits) => match Terms::of(digits) {
            Some(terms) => terms,
            None => Terms::TOO_MANY,
        },
        None => Terms::TOO_MANY,
    });
    const IS_FUSED: bool = Self::TERMS.count <= Terms::MOST;
}

/// Whether the map of a type has few enough terms.
pub(crate) const fn is_fused<D: Adaptor>() -> bool {
    Of::<D>::IS_FUSED
}

/// The sum of a type's terms at a coordinate, times `unit`: no value of the type is needed.
///
/// Each addend is multiplied by itself. LLVM does not do so where it knows an index to be
/// small: `lane % 16` of the xor tile in bytes is 10 instructions, 12 as a sum times 2.
#[inline(always)]
pub(crate) fn terms<D: Adaptor, I: Index, const R: usize>(index: &[I; R], unit: u32) -> I {
    // One constant: one for each term, and for whether there is one, was a tenth of all that the
    // compiler does for an offset, and LLVM reads them as well.
    let terms = Of::<D>::TERMS;
    let mut sum = Sum::new(terms, unit);
    macro_rules! unrolled {
        ($($i:literal)*) => {$(
            if $i < terms.count {
                let term = terms.at($i);
                sum.take(term, &index[term.dimension]);
            }
        )*};
    }
    unrolled!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    sum.finish(terms, &index[0])
}

/// The terms so far. One function for all layouts, so that a layout costs the compiler
/// no more than its calls.
pub(super) struct Sum<I> {
    /// What each addend is multiplied by.
    unit: u32,
    /// What the whole is multiplied by instead, where a bit is flipped in all of it and the
    /// unit is not a power of two: 12 * (k ^ 3) is not 12 * k ^ 36.
    unit_of_all: u32,
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
    pub(super) fn new(terms: &Terms, unit: u32) -> Self {
        let each = terms.flipped == 0 || unit.is_power_of_two();
        Self {
            unit: if each { unit } else { 1 },
            unit_of_all: if each { 1 } else { unit },
            quotients: [None, None, None, None],
            sum: None,
            cluster: None,
            layer: None,
            scale: 1,
            besides: 0,
        }
    }

    /// The sum with what is added to all, or flipped in all; `context` is any index.
    #[inline(always)]
    pub(super) fn finish(mut self, terms: &Terms, context: &I) -> I {
        let unit = self.unit;
        let constant = |value: u32| context.constant(Extent::constant(value.wrapping_mul(unit)));
        let offset = match self.end() {
            None => constant(terms.constant ^ terms.flipped),
            Some(offset) if terms.constant != 0 => offset.add(&constant(terms.constant)),
            Some(offset) if terms.flipped != 0 => offset.xor(&constant(terms.flipped)),
            Some(offset) => offset,
        };
        scaled(offset, self.unit_of_all)
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
            let again =
                layer.clone().map(|layer| scaled(layer, self.besides.wrapping_mul(self.unit)));
            self.sum = plus(self.sum.take(), again);
        }
        self.cluster = xor(self.cluster.take(), layer);
    }

    /// The sum, with the cluster that is open.
    #[inline(always)]
    fn end(&mut self) -> Option<I> {
        self.end_layer();
        plus(
            self.sum.take(),
            self.cluster.take().map(|all| scaled(all, self.scale.wrapping_mul(self.unit))),
        )
    }
}

/// The bits of a term, from its quotient. Moduli are powers of two, and a mask is what
/// the index `lane % 16` of a kernel wants: of a remainder LLVM makes a comparison where
/// it knows that the index is small (13 instructions for 12).
#[inline(always)]
fn part<I: Index>(quotient: &I, term: &Term) -> I {
    if term.modulus > 0 {
        scaled(quotient.low_bits(Extent::constant(term.modulus)), term.factor)
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
