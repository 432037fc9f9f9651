//! Windows: the part of a tensor in global memory that a block of lanes moves at once.
//!
//! A matrix of 150 rows of 200 is read in tiles of 128x64 by 256 lanes, 8 elements at a time. Two
//! questions come with each of the 8 tiles, for each of a lane's 4 loads: where, and is it still in the
//! matrix? By hand that is 35 lines of index arithmetic; CK Tile's `tile_window` and this are one.
//!
//! ```text
//!             0        64       128      192 200
//!         0   +--------+--------+--------+-+
//!             | window |   move_by([0, 64])  -->
//!       128   +--------+--------+--------+-+
//!       150   +........+........+........+.+     a load is valid or not, as a whole:
//!       256   +--------+--------+--------+-+     vectors of 8 end where the matrix ends
//! ```
//!
//! That one test a vector is enough is checked, not assumed: [`Window::new`] looks at the view on the host and refuses one whose
//! rows end within a vector, or begin within one. CK Tile tests the first element of a vector, too, and leaves the rest to its
//! caller (`tile_window.hpp`, `buffer_view.hpp`).

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use super::accesses::or_nowhere;
use super::error::AccessError;
#[cfg(debug_assertions)]
use crate::distribution::refuse_swapped;
use crate::distribution::{DimensionName, Distribution, bounds, further};
use core::marker::PhantomData;
use tiledesc_macros::each;
use tiledesc_transforms::{
    Descriptor, Error, List, Number, OfRank, Plan, Rank, Text, all, known, range, say, unrolled,
};

/// A window of the distribution `T` over the view `V` of a tensor: its lanes move `P` elements at a
/// time.
///
/// In global memory a lane addresses what it holds, so a window speaks of both.
///
/// The host makes it, once, of a view, a [`Descriptor`] of lengths that may be known at run time only. The kernel puts it
/// [`at`](Self::at) an origin, reads from it what to load, and moves it.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 256 lanes take 128 rows of 64, 8 each.
///     type Fetch:
///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
/// }
/// // On the host. A matrix of 150 rows of 200.
/// let window = Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole()?)?;
///
/// // In the kernel: lane 9 of wave 1 holds rows 9 + 32 * again, columns 8 to 15.
/// let mut a = window.at([128, 0]);
/// a.move_by([0, 64]);
/// let mut loads = Vec::new();
/// a.each(1, 9, |offset, valid, first| loads.push((offset, valid, first)));
/// assert_eq!(loads[0], ((128 + 9) * 200 + 64 + 8, true, 0));
/// assert_eq!(loads.iter().map(|load| load.1).collect::<Vec<_>>(), [true, false, false, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A view has at most 2^32 elements, since a lane computes its offsets in 32 bits; a larger one is refused. Of a larger tensor a
/// view is what a block needs of it, behind a base of 64 bits that all lanes share:
///
/// ```
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// // 31 GB of halves.
/// let (rows, columns) = (125_000, 125_000);
/// assert_eq!(
///     Naive::rows(rows, columns).whole().unwrap_err().to_string(),
///     "the element space of 15625000000 elements exceeds 32-bit offsets (at most 4294967296)",
/// );
/// // On the host: a window for blocks of 128 rows, and one for the last, which has 72.
/// type Fetch = BlockRaked<U128, U64, U8, U4>;
/// let block = |rows| Naive::rows(rows, columns).whole();
/// let full = Window::<_, Fetch, VectorSize<8>>::new(block(128)?)?;
/// let last = Window::<_, Fetch, VectorSize<8>>::new(block(rows % 128)?)?;
///
/// // In the kernel, of block 976.
/// let first = 128 * 976;
/// let base = u64::from(first) * u64::from(columns);
/// let window = if first + 128 <= rows { full } else { last }.at([0, 64]);
/// let mut loads = Vec::new();
/// window.each(0, 9, |offset, valid, _| loads.extend(valid.then(|| base + u64::from(offset))));
/// // Lane 9 of wave 0: rows 1, 33 and 65 of the block, column 72; row 97 is not in the tensor.
/// assert_eq!((loads[0], loads.len()), ((128 * 976 + 1) * 125_000 + 72, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Window<V, T, P, const RANK: usize = 2> {
    view: V,
    origin: [u32; RANK],
    /// The dimension along which a lane's vectors run.
    along: usize,
    moves: PhantomData<(T, P)>,
}

// Derived, they would ask `T: Clone`, and there is no value of `T`.
impl<V: Copy, T, P, const RANK: usize> Copy for Window<V, T, P, RANK> {}
impl<V: Copy, T, P, const RANK: usize> Clone for Window<V, T, P, RANK> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

/// `at` of a window that may have been refused. Without it the compiler says at length what a descriptor is, which has an `at`,
/// too.
#[doc(hidden)]
pub trait MayBeRefused<W, const RANK: usize>: Sized {
    #[must_use]
    fn at(self, _: [u32; RANK]) -> W
    where
        Self: Checked<W>,
    {
        self.window()
    }
}

impl<V, T, P, const RANK: usize> MayBeRefused<Window<V, T, P, RANK>, RANK>
    for Result<Window<V, T, P, RANK>, AccessError>
{
}

/// What no `Result` is.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the window may have been refused: `Window::new` returns a `Result`",
    label = "no window yet",
    note = "write `Window::new(view)?`, or `Window::new(view).expect(\"vectors of this view\")`"
)]
pub trait Checked<W> {
    fn window(self) -> W;
}

impl<V, T, P, const RANK: usize> Window<V, T, P, RANK>
where
    V: Descriptor,
    T: Distribution,
    P: Number,
    [u32; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
{
    // What is wrong is a value up to `check`, with which each function that needs it begins: a constant
    // that panics is an error of its own wherever it is named, and none of them on the user's line.

    /// Elements of a vector; 1 if the number is invalid, which is refused where the window is made.
    pub const VECTOR: u32 = match P::FAULT {
        None => P::N,
        Some(_) => 1,
    };

    const HELD: Result<usize, Text> = match P::FAULT {
        None => last_held::<T>(Self::VECTOR, RANK),
        Some(fault) => Err(Error::Number(fault).text()),
    };

    /// The last dimension along which a lane holds vectors; 0 of what is refused.
    const LAST: usize = match Self::HELD {
        Ok(along) => along,
        Err(_) => 0,
    };

    /// The number of loads, or stores, of a lane.
    pub const COUNT: usize = {
        Self::check();
        Self::UNROLLED
    };

    /// The number of loads, or stores, of a lane; 0 of what is refused.
    const UNROLLED: usize = match (&Self::HELD, &T::ENCODING) {
        (Ok(_), Ok(encoding)) => encoding.elements() as usize / Self::VECTOR as usize,
        _ => 0,
    };

    /// Refuses vectors that a lane does not hold. In the function that the user calls and in none that
    /// it calls: then the compiler adds the user's line.
    #[track_caller]
    pub(super) const fn check() {
        if let Err(text) = &Self::HELD {
            text.refuse()
        }
    }

    /// A window at the origin of a view: for the host, once for a view.
    ///
    /// A lane's vectors run along the last dimension along which it holds `P` elements in consecutive registers and the view
    /// keeps them together.
    ///
    /// # Errors
    ///
    /// An invalid view; one along none of whose dimensions a vector is as a whole in memory or
    /// as a whole outside, and aligned: [`AccessError::View`], with the length of one that would be
    /// ([`Plan::vector`], [`Plan::alignment`]).
    ///
    /// Vectors that a lane does not hold are an error of `cargo build`; in generic code `cargo check` does not see it.
    pub fn new(view: V) -> Result<Self, AccessError> {
        const { Self::check() };
        let plan = view.plan().map_err(AccessError::Layout)?;
        for along in (0..=Self::LAST).rev().filter(|&along| holds::<T>(along, Self::VECTOR)) {
            if whole_vector(&plan, along)?.is_multiple_of(Self::VECTOR) {
                return Ok(Self { view, origin: [0; RANK], along, moves: PhantomData });
            }
        }
        let whole = whole_vector(&plan, Self::LAST)?;
        let along = const { name_of::<T>(Self::LAST) };
        Err(AccessError::View { vector: Self::VECTOR, along, whole })
    }

    /// Refuses a distribution that has the names of the view's dimensions at other places: a view has lengths and no names, so
    /// that of a square tile nobody else would see it.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Rows: m [row 64], k [one 64]; lane (row), thread (one);
    ///     type Turned: k [row 64], m [one 64]; lane (row), thread (one);
    /// }
    /// let view = Naive::rows(128, 128).whole()?;
    /// assert!(Window::<_, Rows, VectorSize<1>>::new(view)?.named(["m", "k"]).is_ok());
    /// let error = Window::<_, Turned, VectorSize<1>>::new(view)?.named(["m", "k"]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the distribution has the dimensions k, m, but the view has m, k: write them in the view's order",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError::ViewNames`], of the first two dimensions that have each other's names.
    pub fn named(self, names: [&'static str; RANK]) -> Result<Self, AccessError> {
        let own = core::array::from_fn::<_, RANK, _>(|d| name_of::<T>(d).name);
        let is = |one: &str, other: &str| !one.is_empty() && one.eq_ignore_ascii_case(other);
        for (d, e) in (0..RANK).flat_map(|d| (d + 1..RANK).map(move |e| (d, e))) {
            if is(own[d], names[e]) || is(own[e], names[d]) {
                let (distribution, view) = ([own[d], own[e]], [names[d], names[e]]);
                return Err(AccessError::ViewNames { distribution, view });
            }
        }
        Ok(self)
    }

    /// Returns the window with its first element at a coordinate of the view; for kernels.
    ///
    /// Along the vectors' dimension that is a multiple of `P`.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of an origin that is not.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    pub const fn at(mut self, origin: [u32; RANK]) -> Self {
        self.origin = origin;
        #[cfg(debug_assertions)]
        self.refuse_origin();
        self
    }

    /// Moves the window by a number of elements along each dimension; for kernels, as
    /// [`at`](Self::at). It may leave the view, where nothing is valid.
    ///
    /// # Panics
    ///
    /// As [`at`](Self::at).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub const fn move_by(&mut self, step: [i32; RANK]) {
        range!(d, 0..RANK, {
            self.origin[d] = self.origin[d].wrapping_add_signed(step[d]);
        });
        #[cfg(debug_assertions)]
        self.refuse_origin();
    }

    /// The coordinate of the view at which the window begins.
    #[must_use]
    pub const fn origin(&self) -> [u32; RANK] {
        self.origin
    }

    /// The dimension along which a lane's vectors run.
    #[must_use]
    pub const fn along(&self) -> usize {
        self.along
    }

    /// Calls `f` with the offset in elements, whether it is valid, and the first element in the
    /// lane's registers, of each vector of a lane; unrolled by the compiler. What is not valid must
    /// not be loaded or stored: its offset is meaningless, and in a build with debug assertions beyond any memory.
    /// [`each_from`](Self::each_from) and [`each_into`](Self::each_into) give the closure what is valid alone, and its elements.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist, as
    /// [`Distribution::coordinate`].
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each(&self, wave: u32, lane: u32, f: impl FnMut(u32, bool, usize)) {
        const { Self::check() };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        self.run(wave, lane, f);
    }

    #[inline(always)]
    #[allow(clippy::needless_return, reason = "of the last copy")]
    pub(super) fn run(&self, wave: u32, lane: u32, f: impl FnMut(u32, bool, usize)) {
        each! { 0..12:
            if const { # < RANK && holds::<T>(#, Self::VECTOR) }
                && (const { is_only::<T>(#, Self::VECTOR) } || self.along == #)
            {
                return self.each_along::<#>(wave, lane, f);
            }
        }
    }

    #[inline(always)]
    fn each_along<const ALONG: usize>(
        &self,
        wave: u32,
        lane: u32,
        mut f: impl FnMut(u32, bool, usize),
    ) {
        let first = T::counted::<RANK>(wave, lane, 0);
        let whole = const { is_whole::<T>() };
        let first = if whole { self.of_view(first) } else { first };
        unrolled!(access, 32, Self::UNROLLED, {
            let element = known!(first_of::<T>(access, ALONG, Self::VECTOR));
            let further = known!(further::<T>(first_of::<T>(access, ALONG, Self::VECTOR)));
            let (offset, valid) = self.further(whole, first, further, element);
            f(or_nowhere(offset, valid), valid, element);
        });
        for access in 32..Self::UNROLLED {
            let element = first_of::<T>(access, ALONG, Self::VECTOR);
            let (offset, valid) = self.further(whole, first, further::<T>(element), element);
            f(or_nowhere(offset, valid), valid, element);
        }
    }

    /// Returns the offset of an element that is further than a lane's first, and whether the lane holds it and it is in the view.
    /// Where the tile is not `whole`, the first is what the factors count, without the origin.
    #[inline(always)]
    fn further(
        &self,
        whole: bool,
        first: [u32; RANK],
        further: [u32; List::CAPACITY],
        element: usize,
    ) -> (u32, bool) {
        let mut index = first;
        for (index, further) in index.iter_mut().zip(further) {
            *index = index.wrapping_add(further);
        }
        if whole {
            return self.view.masked(index);
        }
        let (offset, valid) = self.view.masked(self.of_view(T::carried(index, element)));
        (offset, T::held(index, const { bounds::<T>(0) }) & valid)
    }

    /// A coordinate of the window, as one of the view.
    #[inline(always)]
    fn of_view(&self, mut index: [u32; RANK]) -> [u32; RANK] {
        for (index, origin) in index.iter_mut().zip(self.origin) {
            *index = index.wrapping_add(origin);
        }
        index
    }

    /// The view of the tensor.
    #[must_use]
    pub const fn view(&self) -> &V {
        &self.view
    }

    /// The first element of the vector that a lane moves in an access, as [`each`](Self::each) passes it.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8];
    ///         wave (wave), lane (row, chunk), thread (again, half);
    /// }
    /// let window = Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole()?)?;
    /// assert_eq!([0, 1, 2, 3].map(|access| window.first_element(access)), [0, 8, 16, 24]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_element(&self, access: usize) -> usize {
        first_of::<T>(access, self.along, Self::VECTOR)
    }

    /// A vector that begins within another may end outside the view.
    #[cfg(debug_assertions)]
    #[track_caller]
    const fn refuse_origin(&self) {
        let (origin, vector) = (self.origin[self.along], Self::VECTOR);
        if !origin.is_multiple_of(vector) {
            let dimension = name_of::<T>(self.along);
            let text = dimension
                .explain(say!(Text::new(): "the window begins at element ", origin, " of "));
            say!(text: ", but its vectors of ", vector, " begin at multiples of ", vector).refuse()
        }
    }
}

/// Returns whether the factors divide each dimension of the tile.
const fn is_whole<T: Distribution>() -> bool {
    match &T::ENCODING {
        Ok(encoding) => encoding.cover().is_whole(),
        Err(_) => true,
    }
}

/// The elements that are everywhere contiguous, aligned, and all inside the view or all outside.
fn whole_vector(plan: &Plan, along: usize) -> Result<u32, AccessError> {
    let vector = plan.vector(along).map_err(AccessError::Layout)?;
    let alignment = plan.alignment(along).map_err(AccessError::Layout)?;
    let contiguous = if vector.stride == 1 { vector.length } else { 1 };
    // The last vector of a dimension may be cut.
    let bits = contiguous | plan.lengths().at(along) | alignment;
    Ok(1 << bits.trailing_zeros())
}

/// Returns whether a lane holds vectors in consecutive registers along a dimension.
const fn holds<T: Distribution>(along: usize, vector: u32) -> bool {
    match &T::ENCODING {
        Ok(encoding) => along < encoding.rank() && encoding.has_vectors(along, vector),
        Err(_) => false,
    }
}

/// Returns whether it does along no other.
const fn is_only<T: Distribution>(along: usize, vector: u32) -> bool {
    all!(d, 0..List::CAPACITY, d == along || !holds::<T>(d, vector))
}

/// The last dimension along which a lane holds vectors, or the refusal of a distribution of another rank, or without vectors.
const fn last_held<T: Distribution>(vector: u32, rank: usize) -> Result<usize, Text> {
    let text = Text::new();
    Err(match &T::ENCODING {
        Err(fault) => fault.explain(text),
        Ok(encoding) if encoding.rank() != rank => say!(text:
            "the distribution has ", encoding.rank(), " dimensions, the view ", rank
        ),
        Ok(encoding) => match encoding.last_vectors(vector) {
            Ok(along) => return Ok(along),
            Err(misfit) => misfit.explain(text),
        },
    })
}

/// A dimension, as a sentence names it.
const fn name_of<T: Distribution>(dimension: usize) -> DimensionName {
    match &T::ENCODING {
        Ok(encoding) => encoding.dimension_name(dimension),
        Err(_) => DimensionName { name: "", number: dimension as u32 },
    }
}

/// The first element of an access.
const fn first_of<T: Distribution>(access: usize, along: usize, vector: u32) -> usize {
    match &T::ENCODING {
        Ok(encoding) => encoding.first_of_access(access as u32, along, vector) as usize,
        Err(_) => 0,
    }
}
