//! Adaptors: transforms wired to each other, from a *top* towards the user to a
//! *bottom* towards memory.
//!
//! ```text
//!   Transformed<Below, (Xor<..>, PassThrough<..>), lower![[1, 0], [2]], upper![[1, 0], [2]]>
//!
//!   top     1     0      2       upper ids: the new dimension that each transform gives
//!           |     |      |
//!           [ xor ]   [ pass ]
//!           |     |      |
//!   below   1     0      2       lower ids: the dimension of `Below` that it takes
//! ```
//!
//! An adaptor is a value; one whose lengths are all numbers occupies no memory.
//! It has two evaluations of one set of rules: [`Adaptor::lower`], recursion
//! over the typed list, which kernels inline; and [`Adaptor::PLAN`], plain data
//! for the compiler and for proofs.
//!
//! | CK Tile | here |
//! |---|---|
//! | `make_single_stage_tensor_adaptor(trs, lows, ups)` | [`SingleStage::adaptor`] |
//! | `transform_tensor_adaptor(old, trs, lows, ups)` | [`Transformed`], [`Adaptor::transform`] |
//! | `chain_tensor_adaptors(a0, a1)` | [`Chained`], [`Adaptor::chain`] |

use crate::error::Error;
use crate::index::{Index, both};
use crate::linear::{Digits, Numbered};
use crate::number::extent::Extent;
use crate::plan::Plan;
use crate::transform::Checks;
use crate::typed::form::{Form, Steps};
use crate::typed::rank::{MultiIndex, Rank};
use crate::typed::stage::{Stage, Wiring};
use core::fmt::Debug;
use core::marker::PhantomData;
use generic_array::sequence::GenericSequence;
use tiledesc_macros::Phantom;

/// A map from top indices to bottom indices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a descriptor or adaptor",
    note = "compose one with `descriptor!`, `Naive`, `Packed` and `Transformed`, or take a recipe; rows of run-time lengths \
            become one by `Naive::rows(m, k).whole()?` or `.padded_to([128, 64])?`"
)]
pub trait Adaptor: Copy {
    /// The number of top dimensions.
    type Rank: Rank;
    /// The number of bottom dimensions.
    type BottomRank: Rank;
    /// The indices of all dimensions below the top, for moving coordinates.
    type Moving: Clone + Debug;

    /// The adaptor as plain data, built by the compiler; an error if it cannot
    /// be composed or a length is known only at run time.
    const PLAN: Result<Plan, Error>;

    /// The plan without a copy.
    #[doc(hidden)]
    const PLANNED: &'static Result<Plan, Error> = &Self::PLAN;

    /// The steps by which its plan is built.
    #[doc(hidden)]
    const STEPS: &'static Steps = &Steps::Plan(Self::PLANNED);

    /// The digits of the map, if it has one bottom and any digits. The compiler finds them once for a type, for the
    /// fused offset and every verdict by a plan. Those of a layout may be its outline's.
    const DIGITS: Option<Digits> = match Self::PLANNED {
        Ok(plan) => plan.digits(),
        Err(_) => None,
    };

    /// The number of a coordinate and its digits, of a map that has none of its own.
    #[doc(hidden)]
    const NUMBERED: Option<Numbered> = match (&Self::DIGITS, Self::PLANNED) {
        (None, Ok(plan)) => plan.numbered(),
        _ => None,
    };

    /// The adaptor of numbers known only at run time.
    #[doc(hidden)]
    const FORM: &'static Form = &Form::Plan(Self::PLANNED);

    /// The adaptor as plain data, with its run-time lengths.
    ///
    /// # Errors
    ///
    /// What is wrong with the composition.
    fn plan(&self) -> Result<Plan, Error>;

    /// The lengths of the top dimensions, in elements.
    fn lengths(&self) -> MultiIndex<Self::Rank>;

    /// From top indices to bottom indices: the evaluation that kernels run.
    ///
    /// `top` has [`Rank`](Self::Rank) elements; no index is checked.
    fn lower<I: Index>(&self, top: &[I]) -> <Self::BottomRank as Rank>::Array<I>;

    /// The indices below a top index.
    fn start(&self, top: &[u32]) -> Self::Moving;

    /// Moves by `diff`: `top` is the new top index. Dimensions that do not
    /// change are not computed again.
    fn advance(&self, moving: &mut Self::Moving, top: &[u32], diff: &[u32]);

    /// The bottom index, first dimension.
    fn bottom_of(moving: &Self::Moving) -> u32;

    /// Returns whether every transform accepts its indices; `None` if they do, wherever they are.
    fn accepts(&self, moving: &Self::Moving, top: &[u32]) -> Option<bool>;

    /// The part of its transforms' checks that is known from the type alone.
    #[doc(hidden)]
    const CHECKS: Checks;

    /// Returns whether every transform accepts its indices at a top index.
    #[doc(hidden)]
    fn accepts_top<I: Index>(&self, top: &[I]) -> Option<I::Mask>;

    /// Returns whether a top index is in range, as far as the transforms at the top do not check more than that.
    #[doc(hidden)]
    #[inline(always)]
    fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        let mut mask = None;
        for (index, length) in top.iter().zip(&self.lengths()) {
            mask = both::<I>(mask, Some(index.below(Extent::constant(*length))));
        }
        mask
    }

    /// A further stage of transforms on top.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let rows = Packed::new(seq![128, 8])?;
    /// let swizzled = rows.transform((Xor::new(Lit::<128>, Lit::<8>),), lower![[0, 1]], upper![[0, 1]])?;
    /// assert_eq!(swizzled.at([10u32, 5]), 87);
    /// assert_eq!(size_of_val(&swizzled), 0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Whatever [`Plan::transform`] refuses.
    fn transform<T, Lo, Up>(
        self,
        transforms: T,
        lower: Lo,
        upper: Up,
    ) -> Result<Transformed<Self, T, Lo, Up>, Error>
    where
        T: Stage<Lo, Up>,
        Up: Wiring<Total: Rank>,
        Lo: Wiring,
    {
        let _ = (lower, upper);
        let made = Transformed { below: self, transforms, wiring: PhantomData };
        made.plan().map(|_| made)
    }

    /// An adaptor whose bottom is this one's top.
    ///
    /// # Errors
    ///
    /// Lengths that differ where the two meet.
    fn chain<A: Adaptor<BottomRank = Self::Rank>>(
        self,
        above: A,
    ) -> Result<Chained<Self, A>, Error> {
        let made = Chained { below: self, above };
        made.plan().map(|_| made)
    }
}

/// A reference is what it refers to. A coordinate of one holds 8 bytes for a descriptor
/// whose run-time lengths are many more.
impl<A: Adaptor> Adaptor for &A {
    type Rank = A::Rank;
    type BottomRank = A::BottomRank;
    type Moving = A::Moving;

    const PLAN: Result<Plan, Error> = A::PLAN;
    const PLANNED: &'static Result<Plan, Error> = A::PLANNED;
    const STEPS: &'static Steps = A::STEPS;
    const FORM: &'static Form = A::FORM;
    const DIGITS: Option<Digits> = A::DIGITS;
    const NUMBERED: Option<Numbered> = A::NUMBERED;
    const CHECKS: Checks = A::CHECKS;

    fn plan(&self) -> Result<Plan, Error> {
        (**self).plan()
    }

    #[inline(always)]
    fn lengths(&self) -> MultiIndex<A::Rank> {
        (**self).lengths()
    }

    #[inline(always)]
    fn lower<I: Index>(&self, top: &[I]) -> <A::BottomRank as Rank>::Array<I> {
        (**self).lower(top)
    }

    #[inline(always)]
    fn start(&self, top: &[u32]) -> A::Moving {
        (**self).start(top)
    }

    #[inline(always)]
    fn advance(&self, moving: &mut A::Moving, top: &[u32], diff: &[u32]) {
        (**self).advance(moving, top, diff);
    }

    #[inline(always)]
    fn bottom_of(moving: &A::Moving) -> u32 {
        A::bottom_of(moving)
    }

    #[inline(always)]
    fn accepts(&self, moving: &A::Moving, top: &[u32]) -> Option<bool> {
        (**self).accepts(moving, top)
    }

    #[inline(always)]
    fn accepts_top<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        (**self).accepts_top(top)
    }

    #[inline(always)]
    fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        (**self).in_range(top)
    }
}

/// A stage of transforms over an adaptor or descriptor.
///
/// `T` is a tuple of transforms, `Lo` and `Up` are `lower![..]` and `upper![..]`.
pub struct Transformed<Below, T, Lo, Up> {
    below: Below,
    transforms: T,
    wiring: PhantomData<(Lo, Up)>,
}

impl<B: Clone, T: Clone, Lo, Up> Clone for Transformed<B, T, Lo, Up> {
    fn clone(&self) -> Self {
        Self { below: self.below.clone(), transforms: self.transforms.clone(), wiring: PhantomData }
    }
}
impl<B: Copy, T: Copy, Lo, Up> Copy for Transformed<B, T, Lo, Up> {}
impl<B: Default, T: Default, Lo, Up> Default for Transformed<B, T, Lo, Up> {
    #[inline(always)]
    fn default() -> Self {
        Self { below: B::default(), transforms: T::default(), wiring: PhantomData }
    }
}
impl<B: Debug, T: Debug, Lo, Up> Debug for Transformed<B, T, Lo, Up> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entry(&self.below).entry(&self.transforms).finish()
    }
}

impl<B, T, Lo, Up> Adaptor for Transformed<B, T, Lo, Up>
where
    B: Adaptor,
    T: Stage<Lo, Up>,
    Lo: Wiring,
    Up: Wiring<Total: Rank>,
{
    type Rank = Up::Total;
    type BottomRank = B::BottomRank;
    type Moving = Level<MultiIndex<B::Rank>, B::Moving>;

    const PLAN: Result<Plan, Error> = *Self::PLANNED;
    const PLANNED: &'static Result<Plan, Error> = once!(Self::STEPS.plan());
    const STEPS: &'static Steps =
        once!(Steps::Stage { below: B::STEPS, ops: T::OPS, lower: Lo::WIRES, upper: Up::WIRES });
    const FORM: &'static Form =
        &Form::Stage { below: B::FORM, ops: T::FORMS, lower: Lo::LISTS, upper: Up::LISTS };

    fn plan(&self) -> Result<Plan, Error> {
        self.transforms.stage(&self.below.plan()?)
    }

    #[inline(always)]
    fn lengths(&self) -> MultiIndex<Up::Total> {
        let mut lengths = MultiIndex::default();
        self.transforms.lengths(&mut lengths);
        lengths
    }

    #[inline(always)]
    fn lower<I: Index>(&self, top: &[I]) -> <B::BottomRank as Rank>::Array<I> {
        B::Rank::with(&top[0], |below| {
            self.transforms.lower(top, below);
            self.below.lower(below)
        })
    }

    #[inline(always)]
    fn start(&self, top: &[u32]) -> Self::Moving {
        let mut here = MultiIndex::default();
        self.transforms.lower(top, &mut here);
        let below = self.below.start(&here);
        Level { here, below }
    }

    #[inline(always)]
    fn advance(&self, moving: &mut Self::Moving, top: &[u32], diff: &[u32]) {
        let mut change = MultiIndex::<B::Rank>::default();
        self.transforms.advance(top, diff, &mut moving.here, &mut change);
        self.below.advance(&mut moving.below, &moving.here, &change);
    }

    #[inline(always)]
    fn bottom_of(moving: &Self::Moving) -> u32 {
        B::bottom_of(&moving.below)
    }

    #[inline(always)]
    fn accepts(&self, moving: &Self::Moving, top: &[u32]) -> Option<bool> {
        let here = self.transforms.accepts(top);
        both::<u32>(here, self.below.accepts(&moving.below, &moving.here))
    }

    const CHECKS: Checks = T::CHECKS.over(B::CHECKS);

    #[inline(always)]
    fn accepts_top<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        let here = self.transforms.accepts(top);
        if const { !B::CHECKS.any } {
            return here;
        }
        B::Rank::with(&top[0], |below| {
            self.transforms.lower(top, below);
            both::<I>(here, self.below.accepts_top(below))
        })
    }

    #[inline(always)]
    fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        self.transforms.in_range(top)
    }
}

/// The indices of one stage and of all below it.
#[derive(Clone, Debug)]
pub struct Level<Here, Below> {
    here: Here,
    below: Below,
}

/// The bottom dimensions of an adaptor, before any transform.
#[derive(Phantom)]
pub struct Bottom<R>(PhantomData<R>);

impl<R: Rank> Adaptor for Bottom<R> {
    type Rank = R;
    type BottomRank = R;
    type Moving = u32;

    const PLAN: Result<Plan, Error> = Plan::bottoms(R::USIZE);

    fn plan(&self) -> Result<Plan, Error> {
        Self::PLAN
    }

    /// A bottom has no limit.
    fn lengths(&self) -> MultiIndex<R> {
        MultiIndex::generate(|_| u32::MAX)
    }

    #[inline(always)]
    fn lower<I: Index>(&self, top: &[I]) -> R::Array<I> {
        let mut bottom = R::fill(&top[0]);
        bottom.as_mut().clone_from_slice(top);
        bottom
    }

    fn start(&self, top: &[u32]) -> u32 {
        top[0]
    }

    fn advance(&self, moving: &mut u32, top: &[u32], _: &[u32]) {
        *moving = top[0];
    }

    fn bottom_of(moving: &u32) -> u32 {
        *moving
    }

    const CHECKS: Checks = Checks::none(true);

    fn accepts(&self, _: &u32, _: &[u32]) -> Option<bool> {
        None
    }

    fn accepts_top<I: Index>(&self, _: &[I]) -> Option<I::Mask> {
        None
    }

    fn in_range<I: Index>(&self, _: &[I]) -> Option<I::Mask> {
        None
    }
}

/// One stage of transforms over free bottom dimensions (CK
/// `make_single_stage_tensor_adaptor`).
pub type SingleStage<T, Lo, Up> = Transformed<Bottom<<Lo as Wiring>::Total>, T, Lo, Up>;

impl<R: Rank, T, Lo, Up> Transformed<Bottom<R>, T, Lo, Up>
where
    T: Stage<Lo, Up>,
    Lo: Wiring<Total = R>,
    Up: Wiring<Total: Rank>,
{
    /// The adaptor of one stage.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let merge = SingleStage::adaptor((Merge::new(seq![4, 16]),), lower![[0, 1]], upper![[0]])?;
    /// assert_eq!(merge.lower(&[37u32]), [2, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Whatever [`Plan::adaptor`] refuses.
    pub fn adaptor(transforms: T, lower: Lo, upper: Up) -> Result<Self, Error> {
        Bottom::<R>::default().transform(transforms, lower, upper)
    }
}

/// Two adaptors, one above the other (CK `chain_tensor_adaptors`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Chained<Below, Above> {
    below: Below,
    above: Above,
}

impl<B: Adaptor, A: Adaptor<BottomRank = B::Rank>> Adaptor for Chained<B, A> {
    type Rank = A::Rank;
    type BottomRank = B::BottomRank;
    type Moving = (A::Moving, Level<MultiIndex<B::Rank>, B::Moving>);

    const PLAN: Result<Plan, Error> = match (B::PLANNED, A::PLANNED) {
        (Ok(below), Ok(above)) => below.chain(above),
        (Err(error), _) | (_, Err(error)) => Err(*error),
    };

    fn plan(&self) -> Result<Plan, Error> {
        self.below.plan()?.chain(&self.above.plan()?)
    }

    fn lengths(&self) -> MultiIndex<A::Rank> {
        self.above.lengths()
    }

    #[inline(always)]
    fn lower<I: Index>(&self, top: &[I]) -> <B::BottomRank as Rank>::Array<I> {
        self.below.lower(self.above.lower(top).as_ref())
    }

    fn start(&self, top: &[u32]) -> Self::Moving {
        let mut here = MultiIndex::default();
        here.copy_from_slice(self.above.lower(top).as_ref());
        let below = self.below.start(&here);
        (self.above.start(top), Level { here, below })
    }

    fn advance(&self, moving: &mut Self::Moving, top: &[u32], diff: &[u32]) {
        let (above, level) = moving;
        self.above.advance(above, top, diff);
        let mut change = MultiIndex::<B::Rank>::default();
        for ((change, new), old) in
            change.iter_mut().zip(self.above.lower(top).as_ref()).zip(level.here.iter_mut())
        {
            *change = new.wrapping_sub(*old);
            *old = *new;
        }
        self.below.advance(&mut level.below, &level.here, &change);
    }

    fn bottom_of(moving: &Self::Moving) -> u32 {
        B::bottom_of(&moving.1.below)
    }

    const CHECKS: Checks = A::CHECKS.over(B::CHECKS);

    fn accepts(&self, moving: &Self::Moving, top: &[u32]) -> Option<bool> {
        let (above, level) = moving;
        both::<u32>(self.above.accepts(above, top), self.below.accepts(&level.below, &level.here))
    }

    #[inline(always)]
    fn accepts_top<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        let below = self.below.accepts_top(self.above.lower(top).as_ref());
        both::<I>(self.above.accepts_top(top), below)
    }

    #[inline(always)]
    fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        self.above.in_range(top)
    }
}
