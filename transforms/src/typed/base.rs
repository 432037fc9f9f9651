//! The descriptors that others are made of: one transform over memory, and where it begins.
//!
//! | CK Tile | here | strides of `[128, 64]` | element space |
//! |---|---|---|---|
//! | `make_naive_tensor_descriptor` | [`Naive<L, S>`](Naive) | given | 1 + sum (length - 1) * stride |
//! | `make_naive_tensor_descriptor_packed` | [`Packed<L>`](Packed) | 64, 1 | 8192 |
//! | `make_naive_tensor_descriptor_aligned` | [`Aligned<L, A>`](Aligned) | 72, 1 for A = 24 | 9208 |
//! | `..._with_offset` | [`NaiveWithOffset`], [`PackedWithOffset`] | given | as above, the offset not counted |
//! | `transform_tensor_descriptor` | [`Transformed`](crate::Transformed) | | that of its base |

use crate::error::Error;
use crate::index::Index;
use crate::number::formula::Formula;
use crate::number::list::List;
use crate::number::{Length, Number, NumberError, first};
use crate::plan::Plan;
use crate::plan::compose::aligned_strides;
use crate::sequence::{ConstExtents, Lengths, Sequence};
use crate::transform::{Checks, Embed, Offset, Op, Transform, Unmerge, length_value};
use crate::typed::adaptor::Adaptor;
use crate::typed::form::{Form, Steps};
use crate::typed::rank::{MultiIndex, RankedLengths};
use core::marker::PhantomData;
use tiledesc_macros::Phantom;
use typenum::U1;

/// The beginning of a base in memory: its first element, or `O` elements later.
trait Start: Copy {
    const KNOWN: Result<Option<u32>, NumberError>;
    const FORMULA: Option<&'static Formula>;
    fn value(&self) -> Result<Option<u32>, NumberError>;
    fn shift<I: Index>(&self, offset: I) -> I;
}

#[derive(Clone, Copy, Debug, Default)]
struct First;

impl Start for First {
    const KNOWN: Result<Option<u32>, NumberError> = Ok(None);
    const FORMULA: Option<&'static Formula> = None;

    fn value(&self) -> Result<Option<u32>, NumberError> {
        Ok(None)
    }

    #[inline(always)]
    fn shift<I: Index>(&self, offset: I) -> I {
        offset
    }
}

impl<O: Length> Start for O {
    const KNOWN: Result<Option<u32>, NumberError> = match O::KNOWN {
        Ok(offset) => Ok(Some(offset)),
        Err(fault) => Err(fault),
    };
    const FORMULA: Option<&'static Formula> = Some(<O as Length>::FORMULA);

    fn value(&self) -> Result<Option<u32>, NumberError> {
        length_value(self).map(Some)
    }

    /// `offset`'s rule over the first dimension of memory; its length does not enter.
    #[inline(always)]
    fn shift<I: Index>(&self, offset: I) -> I {
        below(&Offset::new(U1::new(), *self), &[offset])
    }
}

/// A transform over memory: what every base is inside.
#[derive(Clone, Copy, Debug, Default)]
struct Over<T, O> {
    transform: T,
    start: O,
}

impl<T: Transform, O: Start> Over<T, O> {
    const STEPS: &'static Steps = once!(Steps::Base { op: T::OP, start: O::KNOWN });
    const FORM: Form = Form::Base { op: T::FORM, offset: O::FORMULA };

    fn plan(&self) -> Result<Plan, Error> {
        plan(self.transform.op(), self.start.value())
    }

    /// Itself, if it can be.
    fn checked(self) -> Result<Self, Error> {
        self.plan().map(|_| self)
    }

    #[inline(always)]
    fn offset<I: Index>(&self, top: &[I]) -> I {
        self.start.shift(below(&self.transform, top))
    }
}

/// The one lower index of a transform.
#[inline(always)]
fn below<I: Index>(transform: &impl Transform, top: &[I]) -> I {
    let mut low = [top[0].clone()];
    transform.lower(top, &mut low);
    let [offset] = low;
    offset
}

const fn plan(
    op: Result<Op, NumberError>,
    start: Result<Option<u32>, NumberError>,
) -> Result<Plan, Error> {
    match (op, start) {
        (Ok(op), Ok(start)) => Plan::base(op, start),
        (Err(fault), _) | (_, Err(fault)) => Err(Error::Number(fault)),
    }
}

/// The bases, each with what it is inside and where that is found.
macro_rules! bases {
    ($(
        $Name:ident<L $(: $Sequence:ident)? $(, $P:ident: $Bound:ident)*>: $Over:ty = |$base:pat_param| $over:expr
            $(, of $form:expr)?;
    )*) => {$(
        impl<L: RankedLengths $(+ $Sequence)? $(, $P: $Bound)*> Adaptor for $Name<L $(, $P)*> {
            type Rank = L::Rank;
            type BottomRank = U1;
            type Moving = u32;

            const PLAN: Result<Plan, Error> = *Self::PLANNED;
            const PLANNED: &'static Result<Plan, Error> = once!(Self::STEPS.plan());
            const STEPS: &'static Steps = <$Over>::STEPS;
            const FORM: &'static Form = &bases!(@form [$($form)?] <$Over>::FORM);
            const CHECKS: Checks = Checks::none(true);

            fn plan(&self) -> Result<Plan, Error> {
                let $base = self;
                $over.plan()
            }

            #[inline(always)]
            fn lengths(&self) -> MultiIndex<L::Rank> {
                let $base = self;
                let mut lengths = MultiIndex::default();
                $over.transform.lengths(|i, length| lengths[i] = length);
                lengths
            }

            #[inline(always)]
            fn lower<I: Index>(&self, top: &[I]) -> [I; 1] {
                let $base = self;
                [$over.offset(top)]
            }

            #[inline(always)]
            fn start(&self, top: &[u32]) -> u32 {
                let $base = self;
                $over.offset(top)
            }

            /// Affine: what the difference adds.
            #[inline(always)]
            fn advance(&self, moving: &mut u32, _: &[u32], diff: &[u32]) {
                let zero = self.start(&[0; List::CAPACITY][..diff.len()]);
                *moving = moving.wrapping_add(self.start(diff).wrapping_sub(zero));
            }

            #[inline(always)]
            fn bottom_of(moving: &u32) -> u32 {
                *moving
            }

            #[inline(always)]
            fn accepts(&self, _: &u32, _: &[u32]) -> Option<bool> {
                None
            }

            #[inline(always)]
            fn accepts_top<I: Index>(&self, _: &[I]) -> Option<I::Mask> {
                None
            }
        }
    )*};
    (@form [$form:expr] $inside:expr) => { $form };
    (@form [] $inside:expr) => { $inside };
}

bases! {
    Naive<L, S: Lengths>: Over<Embed<L, S>, First> = |base| base.0;
    Packed<L>: Over<Unmerge<L>, First> = |base| base.0;
    Aligned<L: Sequence, A: Number>: OverRows<L, A> = |_| OverRows::<L, A>::default(),
        of Form::Aligned { lengths: L::FORMULAS, align: <A as Number>::FORMULA };
    NaiveWithOffset<L, S: Lengths, O: Length>: Over<Embed<L, S>, O> = |base| base.0;
    PackedWithOffset<L, O: Length>: Over<Unmerge<L>, O> = |base| base.0;
}

/// Dimensions of lengths `L` with strides `S`: one [`Embed`] over memory.
///
/// ```
/// use tiledesc_transforms::*;
///
/// type Pitched = Naive<seq![7, 13], seq![16, 1]>;
/// assert_eq!(Pitched::PLAN.unwrap().element_space(), 109);
/// assert_eq!(Pitched::default().at([2u32, 5]), 37);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Naive<L, S>(Over<Embed<L, S>, First>);

impl<L: RankedLengths, S: Lengths> Naive<L, S> {
    /// The descriptor of these lengths and strides.
    ///
    /// # Errors
    ///
    /// Sizes that differ, a length of 0, a space beyond 32-bit offsets.
    pub fn new(lengths: L, strides: S) -> Result<Self, Error> {
        Over { transform: Embed::new(lengths, strides), start: First }.checked().map(Self)
    }
}

/// Dimensions of lengths `L`, the last fastest, without gaps: one [`Unmerge`]
/// over memory.
///
/// ```
/// use tiledesc_transforms::*;
///
/// let rows = Packed::new(seq![8, 1536])?;
/// assert_eq!(rows.at([2u32, 5]), 3077);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Packed<L>(Over<Unmerge<L>, First>);

impl<L: RankedLengths> Packed<L> {
    /// The descriptor of these lengths.
    ///
    /// # Errors
    ///
    /// A length of 0, a space beyond 32-bit offsets.
    pub fn new(lengths: L) -> Result<Self, Error> {
        Over { transform: Unmerge::new(lengths), start: First }.checked().map(Self)
    }
}

/// A [`Naive`] descriptor that starts at element `O` of memory.
///
/// The element space is counted from there, as in CK Tile.
///
/// ```
/// use tiledesc_transforms::*;
///
/// let second = NaiveWithOffset::new(seq![4, 6], seq![8, 1], Lit::<100>)?;
/// assert_eq!(second.at([1u32, 2]), 110);
/// assert_eq!(second.plan()?.element_space(), 30);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NaiveWithOffset<L, S, O>(Over<Embed<L, S>, O>);

impl<L: RankedLengths, S: Lengths, O: Length> NaiveWithOffset<L, S, O> {
    /// The descriptor of these lengths, strides and offset, in elements.
    ///
    /// # Errors
    ///
    /// As [`Naive::new`].
    pub fn new(lengths: L, strides: S, offset: O) -> Result<Self, Error> {
        Over { transform: Embed::new(lengths, strides), start: offset }.checked().map(Self)
    }
}

/// A [`Packed`] descriptor that starts at element `O` of memory.
///
/// ```
/// use tiledesc_transforms::*;
///
/// type Second = PackedWithOffset<seq![5, 6, 4], Lit<11>>;
/// assert_eq!(Second::default().at([1u32, 0, 2]), 37);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PackedWithOffset<L, O>(Over<Unmerge<L>, O>);

impl<L: RankedLengths, O: Length> PackedWithOffset<L, O> {
    /// The descriptor of these lengths and this offset, in elements.
    ///
    /// # Errors
    ///
    /// As [`Packed::new`].
    pub fn new(lengths: L, offset: O) -> Result<Self, Error> {
        Over { transform: Unmerge::new(lengths), start: offset }.checked().map(Self)
    }
}

/// Dimensions of lengths `L` whose rows are a multiple of `A` elements apart.
///
/// ```
/// use tiledesc_transforms::*;
///
/// type Rows = Aligned<seq![9, 21], Lit<16>>; // strides [32, 1]
/// assert_eq!(Rows::PLAN.unwrap().element_space(), 277);
/// assert_eq!(Rows::default().at([2u32, 5]), 69);
/// ```
#[derive(Phantom)]
pub struct Aligned<L, A>(PhantomData<(L, A)>);

type OverRows<L, A> = Over<Embed<L, AlignedStrides<L, A>>, First>;

/// The strides of [`Aligned`], as lengths.
#[derive(Phantom)]
pub struct AlignedStrides<L, A>(PhantomData<(L, A)>);

impl<L: Sequence, A: Number> Lengths for AlignedStrides<L, A> {
    const COUNT: usize = L::VALUES.len();
    const KNOWN: Result<List, NumberError> = match first(&[L::FAULT, A::FAULT]) {
        Some(fault) => Err(fault),
        None => aligned_strides(&L::VALUES, A::N),
    };
    type Extents = ConstExtents;

    #[inline(always)]
    fn extents(&self) -> ConstExtents {
        const {
            match Self::KNOWN {
                Ok(strides) => ConstExtents::new(&strides),
                Err(_) => ConstExtents::new(&List::EMPTY),
            }
        }
    }
}
