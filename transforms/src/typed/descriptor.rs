//! Descriptors: adaptors whose bottom is one offset into memory.
//!
//! | CK Tile | here | strides of `[128, 64]` | element space |
//! |---|---|---|---|
//! | `make_naive_tensor_descriptor` | [`Naive<L, S>`](Naive) | given | 1 + sum (length - 1) * stride |
//! | `make_naive_tensor_descriptor_packed` | [`Packed<L>`](Packed) | 64, 1 | 8192 |
//! | `make_naive_tensor_descriptor_aligned` | [`Aligned<L, A>`](Aligned) | 72, 1 for A = 24 | 9208 |
//! | `..._with_offset` | [`NaiveWithOffset`], [`PackedWithOffset`] | given | as above, the offset not counted |
//! | `transform_tensor_descriptor` | [`Transformed`](crate::Transformed) | | that of its base |
//!
//! All sizes are in elements. A descriptor of numbers occupies no memory; one
//! with [`Dyn`](struct@crate::Dyn) lengths holds those. `new` returns an [`Error`] with
//! the numbers in it when sizes make no sense, or when the element space
//! exceeds 32-bit offsets (CK returns 131,073 for the space of 65537 x 65537).

use crate::error::Error;
use crate::index::{Index, both};
use crate::number::extent::Extent;
use crate::number::list::List;
use crate::number::sequence::{ConstExtents, Lengths, Sequence};
use crate::number::{Dyn, Fault, Length, Number, phantom};
use crate::plan::Plan;
use crate::plan::compose::aligned_strides;
use crate::transform::{Checks, Embed, Offset, Op, Transform, Unmerge, length_value};
use crate::typed::adaptor::Adaptor;
use crate::typed::coordinate::Coordinate;
use crate::typed::fused;
use crate::typed::padded::{EachPadded, PaddedTo, padded_to};
use crate::typed::rank::{MultiIndex, OfRank, Rank, RankedLengths};
use core::fmt::Debug;
use typenum::U1;

/// An adaptor whose bottom is one offset, in elements.
pub trait Descriptor: Adaptor<BottomRank = U1> {
    /// The offset of a coordinate, in elements: what kernels run.
    ///
    /// Of a composition of numbers that only moves bits it is a few shifts, masks and
    /// xors, found by the compiler; of any other, of `Dyn` lengths above all, the rules
    /// of the transforms, one after the other. The caller knows the index to be in
    /// range and outside of padding: nothing is checked, nothing panics, and elsewhere
    /// the result means nothing.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let rows = Naive::new([Dyn(7), Dyn(13)], [Dyn(16), Dyn(1)])?;
    /// assert_eq!(rows.at([2u32, 5]), 37);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn at<I: Index, const R: usize>(&self, index: [I; R]) -> I
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        const { refuse_wrong::<Self>() };
        if const { fused::is_fused::<Self>() } {
            fused::terms::<Self, I, R>(&index, 1)
        } else {
            self.staged(index)
        }
    }

    /// [`at`](Self::at) by the rules of the transforms, fused or not, out of range as
    /// well: what tests compare it with.
    #[doc(hidden)]
    #[inline(always)]
    fn staged<I: Index, const R: usize>(&self, index: [I; R]) -> I
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        const { refuse_wrong::<Self>() };
        let [offset] = self.lower(&index);
        offset
    }

    /// The offset of a coordinate, in elements, or `None` of one that is out of range or
    /// in padding (CK `coordinate_has_valid_offset`): the masked load of a kernel.
    ///
    /// A comparison for each dimension, no branch and no panic. Where a pad checks an
    /// index, that comparison is its range as well.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// // 10 rows of 40, seen as whole tiles of 8 x 16.
    /// let a = Naive::rows(10, 40).padded_to([8, 16])?;
    /// assert_eq!(a.lengths().as_slice(), [16, 48]);
    /// assert_eq!(a.valid_offset([9u32, 39]), Some(399));
    /// assert_eq!(a.valid_offset([9u32, 40]), None);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    fn valid_offset<I, const R: usize>(&self, index: [I; R]) -> Option<I>
    where
        I: Index<Mask = bool>,
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let (offset, valid) = self.masked(index);
        if valid { Some(offset) } else { None }
    }

    /// The offset of a coordinate, in elements, and whether it may be used, for any
    /// [`Index`]: an emitter gets an expression and a condition.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let a = Naive::rows(10, 40).padded_to([8, 16])?;
    /// assert_eq!(a.masked([9u64, 39]), (399, true));
    /// assert!(!a.masked([10u64, 0]).1);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    fn masked<I: Index, const R: usize>(&self, index: [I; R]) -> (I, I::Mask)
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let valid = self.mask_of(&index);
        (self.at(index), valid)
    }

    /// The offset of the first of `elements` elements along `dimension`, or `None` unless
    /// all of them are in range and outside of padding: a masked vector load.
    ///
    /// `elements` is a power of two, and `index[dimension]` is a multiple of it. What is
    /// asked depends on the type: with right pads alone, the last element; with other
    /// pads, the first and the last; where a `merge`, `xor` or the like is above a pad,
    /// every element. Where the vector guarantee along the dimension
    /// ([`Plan::vector`], asked once, on the host) is a multiple of `elements`, padding
    /// begins only between vectors, and [`valid_offset`](Self::valid_offset) of the first
    /// element is enough. Whether the elements are contiguous the guarantee says too.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let a = Naive::rows(10, 42).padded_to([8, 16])?;
    /// assert_eq!(a.valid_vector([9u32, 32], 1, 8), Some(410));
    /// assert_eq!(a.valid_vector([9u32, 40], 1, 8), None); // 42 to 47 are padding
    /// assert_eq!(a.valid_vector([9u32, 40], 1, 2), Some(418));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    fn valid_vector<I, const R: usize>(
        &self,
        index: [I; R],
        dimension: usize,
        elements: u32,
    ) -> Option<I>
    where
        I: Index<Mask = bool>,
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let (offset, valid) = self.masked_vector(index, dimension, elements);
        if valid { Some(offset) } else { None }
    }

    /// [`valid_vector`](Self::valid_vector) for any [`Index`], as [`masked`](Self::masked).
    #[inline(always)]
    #[must_use]
    fn masked_vector<I: Index, const R: usize>(
        &self,
        index: [I; R],
        dimension: usize,
        elements: u32,
    ) -> (I, I::Mask)
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let mask_of_element = |element: u32| {
            let mut index = index.clone();
            if let Some(along) = index.get_mut(dimension) {
                *along = along.add(&along.constant(Extent::constant(element)));
            }
            self.mask_of(&index)
        };
        let last = elements.saturating_sub(1);
        let mut valid = mask_of_element(last);
        if const { !Self::CHECKS.intervals } {
            for element in 0..last {
                valid = I::both(&valid, &mask_of_element(element));
            }
        } else if const { !Self::CHECKS.prefixes } && last > 0 {
            valid = I::both(&self.mask_of(&index), &valid);
        }
        (self.at(index), valid)
    }

    /// Whether an index is in range and in no padding.
    #[doc(hidden)]
    #[inline(always)]
    fn mask_of<I: Index>(&self, index: &[I]) -> I::Mask {
        const { refuse_wrong::<Self>() };
        match both::<I>(self.in_range(index), self.accepts_top(index)) {
            Some(mask) => mask,
            // Nothing limits it: 0 < 1.
            None => index[0].constant(Extent::constant(0)).below(Extent::constant(1)),
        }
    }

    /// The descriptor with each dimension padded on the right to a whole number of tiles,
    /// at run time: a tensor of any size as tiles of one.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let images = Packed::new([Dyn(3), Dyn(30), Dyn(50)])?.padded_to([1, 16, 16])?;
    /// assert_eq!(images.lengths().as_slice(), [3, 32, 64]);
    /// assert_eq!(images.valid_offset([2u32, 29, 49]), Some(4499));
    /// assert_eq!(images.valid_offset([2u32, 30, 0]), None);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A tile of length 0, a padded length beyond 32 bits.
    fn padded_to<const R: usize>(&self, tile: [u32; R]) -> Result<PaddedTo<Self>, Error>
    where
        Self::Rank: EachPadded,
        [u32; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        padded_to(*self, &tile)
    }

    /// [`at`](Self::at) of a type that has one value, in `unit`s of which an element has
    /// several: bytes. The value is not made where the offset is fused: making it is a
    /// tenth of what a layout costs the compiler.
    #[doc(hidden)]
    #[inline(always)]
    fn at_of_type<I: Index, const R: usize>(index: [I; R], unit: u32) -> I
    where
        Self: Default,
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        if const { fused::is_fused::<Self>() } {
            fused::terms::<Self, I, R>(&index, unit)
        } else {
            // Whoever asks has refused what cannot be: a second error would say it again.
            let [offset] = Self::default().lower(&index);
            offset.mul(Extent::constant(unit))
        }
    }

    /// A coordinate that can move. It holds its descriptor, which is nothing where all
    /// lengths are numbers; of a reference it holds the reference.
    #[inline(always)]
    fn coordinate<const R: usize>(self, index: [u32; R]) -> Coordinate<Self, R>
    where
        [u32; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        const { refuse_wrong::<Self>() };
        Coordinate::new(self, index)
    }
}

impl<T: Adaptor<BottomRank = U1>> Descriptor for T {}

/// A composition of numbers that cannot be does not compile, wherever it is used;
/// one with `Dyn` lengths was checked when its value was made.
const fn refuse_wrong<D: Adaptor>() {
    match D::PLAN {
        Ok(_) | Err(Error::Number(Fault::NotKnown)) => {}
        Err(error) => error.refuse(""),
    }
}

/// What a base descriptor gives its [`Adaptor`] implementation.
trait Base: Copy {
    const PLAN: Result<Plan, Error>;
    fn plan(&self) -> Result<Plan, Error>;
    fn lengths(&self, set: impl FnMut(usize, u32));
    fn offset<I: Index>(&self, top: &[I]) -> I;
}

macro_rules! bases {
    ($($Name:ident<L $(, $P:ident: $Bound:ident)*>;)*) => {$(
        impl<L: RankedLengths $(, $P: $Bound)*> Adaptor for $Name<L $(, $P)*>
        where
            Self: Base,
        {
            type Rank = L::Rank;
            type BottomRank = U1;
            type Moving = u32;

            const PLAN: Result<Plan, Error> = <Self as Base>::PLAN;

            fn plan(&self) -> Result<Plan, Error> {
                Base::plan(self)
            }

            #[inline(always)]
            fn lengths(&self) -> MultiIndex<L::Rank> {
                let mut lengths = MultiIndex::default();
                Base::lengths(self, |i, length| lengths[i] = length);
                lengths
            }

            #[inline(always)]
            fn lower<I: Index>(&self, top: &[I]) -> [I; 1] {
                [Base::offset(self, top)]
            }

            #[inline(always)]
            fn start(&self, top: &[u32]) -> u32 {
                Base::offset(self, top)
            }

            /// Affine: what the difference adds.
            #[inline(always)]
            fn advance(&self, moving: &mut u32, _: &[u32], diff: &[u32]) {
                let zero = Base::offset(self, &[0; List::CAPACITY][..diff.len()]);
                *moving = moving.wrapping_add(Base::offset(self, diff).wrapping_sub(zero));
            }

            #[inline(always)]
            fn bottom_of(moving: &u32) -> u32 {
                *moving
            }

            const CHECKS: Checks = Checks::none(true);

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
}

bases! {
    Naive<L, S: Lengths>;
    Packed<L>;
    Aligned<L, A: Number>;
    NaiveWithOffset<L, S: Lengths, O: Length>;
    PackedWithOffset<L, O: Length>;
}

/// The transform over memory, as constants and at run time.
macro_rules! one {
    ($low:ident, $transform:expr, $top:ident) => {{
        let mut $low = [$top[0].clone()];
        $transform.lower($top, &mut $low);
        let [offset] = $low;
        offset
    }};
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
pub struct Naive<L, S> {
    embed: Embed<L, S>,
}

impl<L: RankedLengths, S: Lengths> Naive<L, S> {
    /// The descriptor of these lengths and strides.
    ///
    /// # Errors
    ///
    /// Sizes that differ, a length of 0, a space beyond 32-bit offsets.
    pub fn new(lengths: L, strides: S) -> Result<Self, Error> {
        let made = Self { embed: Embed::new(lengths, strides) };
        Adaptor::plan(&made).map(|_| made)
    }
}

/// A matrix in memory whose size only the run time knows, row after row: not yet a
/// descriptor, because its size is not yet checked.
///
/// ```
/// use tiledesc_transforms::*;
///
/// let (m, k) = (10, 40);
/// let whole = Naive::rows(m, k).whole()?;
/// assert_eq!(whole.at([3u32, 17]), 137);
/// let pitched = Naive::rows(m, k).pitch(64).padded_to([8, 16])?;
/// assert_eq!(pitched.valid_offset([3u32, 17]), Some(209));
/// assert_eq!(pitched.valid_offset([3u32, 40]), None);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    lengths: [u32; 2],
    pitch: u32,
}

/// The descriptor of [`Rows`]: the pitch is known at run time, and elements of a row are
/// contiguous.
pub type RunTimeRows = Naive<[Dyn; 2], (Dyn, U1)>;

impl RunTimeRows {
    /// A matrix of `m` rows of `k` elements, row after row.
    #[must_use]
    pub const fn rows(m: u32, k: u32) -> Rows {
        Rows { lengths: [m, k], pitch: k }
    }
}

impl Rows {
    /// The same, with each row beginning `pitch` elements after the one before.
    #[must_use]
    pub const fn pitch(self, pitch: u32) -> Self {
        Self { pitch, ..self }
    }

    /// Its descriptor.
    ///
    /// # Errors
    ///
    /// A length of 0, a space beyond 32-bit offsets.
    pub fn whole(self) -> Result<RunTimeRows, Error> {
        Naive::new(self.lengths.map(Dyn), (Dyn(self.pitch), U1::new()))
    }

    /// Its descriptor as a whole number of tiles; the rest of the last ones is padding.
    ///
    /// # Errors
    ///
    /// As [`whole`](Self::whole), and a tile of length 0.
    pub fn padded_to(self, tile: [u32; 2]) -> Result<PaddedTo<RunTimeRows>, Error> {
        self.whole()?.padded_to(tile)
    }
}

impl<L: RankedLengths, S: Lengths> Base for Naive<L, S> {
    const PLAN: Result<Plan, Error> = base(<Embed<L, S>>::OP, Ok(None));

    fn plan(&self) -> Result<Plan, Error> {
        base(self.embed.op(), Ok(None))
    }

    #[inline(always)]
    fn lengths(&self, set: impl FnMut(usize, u32)) {
        self.embed.lengths(set);
    }

    #[inline(always)]
    fn offset<I: Index>(&self, top: &[I]) -> I {
        one!(low, self.embed, top)
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
pub struct Packed<L> {
    unmerge: Unmerge<L>,
}

impl<L: RankedLengths> Packed<L> {
    /// The descriptor of these lengths.
    ///
    /// # Errors
    ///
    /// A length of 0, a space beyond 32-bit offsets.
    pub fn new(lengths: L) -> Result<Self, Error> {
        let made = Self { unmerge: Unmerge::new(lengths) };
        Adaptor::plan(&made).map(|_| made)
    }
}

impl<L: RankedLengths> Base for Packed<L> {
    const PLAN: Result<Plan, Error> = base(<Unmerge<L>>::OP, Ok(None));

    fn plan(&self) -> Result<Plan, Error> {
        base(self.unmerge.op(), Ok(None))
    }

    #[inline(always)]
    fn lengths(&self, set: impl FnMut(usize, u32)) {
        self.unmerge.lengths(set);
    }

    #[inline(always)]
    fn offset<I: Index>(&self, top: &[I]) -> I {
        one!(low, self.unmerge, top)
    }
}

phantom! {
    /// Dimensions of lengths `L` whose rows are a multiple of `A` elements apart.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// type Rows = Aligned<seq![9, 21], Lit<16>>; // strides [32, 1]
    /// assert_eq!(Rows::PLAN.unwrap().element_space(), 277);
    /// assert_eq!(Rows::default().at([2u32, 5]), 69);
    /// ```
    Aligned<L, A>
}

impl<L: Sequence, A: Number> Aligned<L, A> {
    const STRIDES: Result<List, Error> = aligned_strides(&L::VALUES, A::N);
    const OP: Result<Op, Error> = match (Self::STRIDES, L::FAULT, A::FAULT) {
        (_, Some(fault), _) | (_, _, Some(fault)) => Err(Error::Number(fault)),
        (Ok(strides), ..) => Ok(Op::Embed { lengths: L::VALUES, strides }),
        (Err(error), ..) => Err(error),
    };
}

impl<L: RankedLengths + Sequence, A: Number> Base for Aligned<L, A> {
    const PLAN: Result<Plan, Error> = match Self::OP {
        Ok(op) => Plan::base(op, None),
        Err(error) => Err(error),
    };

    fn plan(&self) -> Result<Plan, Error> {
        <Self as Base>::PLAN
    }

    #[inline(always)]
    fn lengths(&self, set: impl FnMut(usize, u32)) {
        Embed::new(L::default(), AlignedStrides::<L, A>::default()).lengths(set);
    }

    #[inline(always)]
    fn offset<I: Index>(&self, top: &[I]) -> I {
        one!(low, Embed::new(L::default(), AlignedStrides::<L, A>::default()), top)
    }
}

phantom! {
    /// The strides of [`Aligned`], as lengths.
    AlignedStrides<L, A>
}

impl<L: Sequence, A: Number> Lengths for AlignedStrides<L, A> {
    const COUNT: usize = L::VALUES.len();
    const KNOWN: Result<List, Fault> = match <Aligned<L, A>>::STRIDES {
        Ok(strides) => Ok(strides),
        Err(_) => Ok(List::EMPTY),
    };
    type Extents = ConstExtents;

    #[inline(always)]
    fn extents(&self) -> ConstExtents {
        const {
            match <Aligned<L, A>>::STRIDES {
                Ok(strides) => ConstExtents::new(&strides),
                Err(_) => ConstExtents::new(&List::EMPTY),
            }
        }
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
pub struct NaiveWithOffset<L, S, O> {
    embed: Embed<L, S>,
    offset: O,
}

impl<L: RankedLengths, S: Lengths, O: Length> NaiveWithOffset<L, S, O> {
    /// The descriptor of these lengths, strides and offset, in elements.
    ///
    /// # Errors
    ///
    /// As [`Naive::new`].
    pub fn new(lengths: L, strides: S, offset: O) -> Result<Self, Error> {
        let made = Self { embed: Embed::new(lengths, strides), offset };
        Adaptor::plan(&made).map(|_| made)
    }
}

impl<L: RankedLengths, S: Lengths, O: Length> Base for NaiveWithOffset<L, S, O> {
    const PLAN: Result<Plan, Error> = base(<Embed<L, S>>::OP, known(O::KNOWN));

    fn plan(&self) -> Result<Plan, Error> {
        base(self.embed.op(), Ok(Some(length_value(&self.offset)?)))
    }

    #[inline(always)]
    fn lengths(&self, set: impl FnMut(usize, u32)) {
        self.embed.lengths(set);
    }

    #[inline(always)]
    fn offset<I: Index>(&self, top: &[I]) -> I {
        let here = one!(low, self.embed, top);
        shift(&here, self.offset)
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
pub struct PackedWithOffset<L, O> {
    unmerge: Unmerge<L>,
    offset: O,
}

impl<L: RankedLengths, O: Length> PackedWithOffset<L, O> {
    /// The descriptor of these lengths and this offset, in elements.
    ///
    /// # Errors
    ///
    /// As [`Packed::new`].
    pub fn new(lengths: L, offset: O) -> Result<Self, Error> {
        let made = Self { unmerge: Unmerge::new(lengths), offset };
        Adaptor::plan(&made).map(|_| made)
    }
}

impl<L: RankedLengths, O: Length> Base for PackedWithOffset<L, O> {
    const PLAN: Result<Plan, Error> = base(<Unmerge<L>>::OP, known(O::KNOWN));

    fn plan(&self) -> Result<Plan, Error> {
        base(self.unmerge.op(), Ok(Some(length_value(&self.offset)?)))
    }

    #[inline(always)]
    fn lengths(&self, set: impl FnMut(usize, u32)) {
        self.unmerge.lengths(set);
    }

    #[inline(always)]
    fn offset<I: Index>(&self, top: &[I]) -> I {
        let here = one!(low, self.unmerge, top);
        shift(&here, self.offset)
    }
}

/// `offset`'s rule over the first dimension of memory; its length does not enter.
#[inline(always)]
fn shift<I: Index, O: Length>(index: &I, offset: O) -> I {
    let mut low = [index.clone()];
    Offset::new(typenum::U1::new(), offset).lower(core::slice::from_ref(index), &mut low);
    let [shifted] = low;
    shifted
}

const fn base(op: Result<Op, Fault>, offset: Result<Option<u32>, Fault>) -> Result<Plan, Error> {
    match (op, offset) {
        (Ok(op), Ok(offset)) => Plan::base(op, offset),
        (Err(fault), _) | (_, Err(fault)) => Err(Error::Number(fault)),
    }
}

const fn known(offset: Result<u32, Fault>) -> Result<Option<u32>, Fault> {
    match offset {
        Ok(offset) => Ok(Some(offset)),
        Err(fault) => Err(fault),
    }
}
