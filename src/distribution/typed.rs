//! A distribution as a type: what a kernel is generic over.

mod swept;

pub use self::swept::Sweep;
use super::butterfly::Butterfly;
use super::cover::Cover;
use super::encoding::{Encoding, Place};
use super::fault::{DistributionError, Owner};
use super::terms::Terms;
use crate::element::ElementName;
use core::marker::PhantomData;
use tiledesc_transforms::{List, any, known, range, say, unrolled};

/// The lanes of the widest wave of any chip: 64.
pub const MOST_LANES: usize = 64;

/// A matrix instruction by name, and the chips that have it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandOf {
    pub name: &'static str,
    pub chips: &'static [&'static str],
    /// The elements that it may have; none where a tile of any may be meant: shapes of several instructions, and results,
    /// which kernels convert before they store them.
    pub elements: &'static [ElementName],
    /// Whether the kernel makes them of other elements, those of the tile.
    pub is_converted: bool,
}

impl OperandOf {
    /// Of any elements.
    pub(crate) const fn of_any(name: &'static str, chips: &'static [&'static str]) -> Self {
        Self { name, chips, elements: &[], is_converted: false }
    }

    /// Returns whether a tile of such elements may hold it.
    pub(crate) const fn takes(&self, tile: &ElementName) -> bool {
        let all = self.elements;
        all.is_empty() || any!(i, 0..all.len(), all[i].may_be(tile))
    }
}

/// Who holds which element of a tile, as a type: [`distribution!`](crate::distribution!) makes
/// one of named factors, [`Encoded`](super::Encoded) of CK Tile's six parameters. The operands of matrix instructions are
/// some, too: `A`, `B`, `C` and `Ct` in the module of each, such as [`mfma::F16_32x32x8`](crate::matrix::mfma::F16_32x32x8).
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
    /// The factors and owners, or why there are none.
    const ENCODING: Result<Encoding, DistributionError>;

    /// The matrix instruction whose operand it is, if its name is that of one.
    #[doc(hidden)]
    const OPERAND_OF: Option<&'static OperandOf> = None;

    /// The number of waves; 1 if waves own nothing.
    const WAVES: u32 = sound::<Self>().waves();
    /// The number of lanes of a wave.
    const LANES_PER_WAVE: u32 = sound::<Self>().lanes();
    /// The number of elements of a lane: the length of its array of registers.
    const ELEMENTS: usize = sound::<Self>().elements() as usize;

    /// The number of lanes that hold each coordinate.
    const REPLICAS: u32 = sound::<Self>().replicas();
    /// The bits of lanes and waves that change nothing of what they hold: over these a sum goes.
    /// See [`Encoding::butterfly`].
    ///
    /// The row sums of an accumulator, lane by lane and then between lanes:
    ///
    /// ```
    /// use tiledesc::{distribution::Reduced, matrix::mfma};
    /// use tiledesc::prelude::*;
    ///
    /// type C = mfma::F16_32x32x8::C;
    /// type Sums = Reduced<C, 1>;
    /// let product = |m: u32, n: u32| 100 * m + n * n;
    ///
    /// let mut sums = [[0; Sums::ELEMENTS]; 64];
    /// for lane in 0..64 {
    ///     C::sweep().for_each(|(element, [row, _])| {
    ///         let [m, n] = C::coordinate(0, lane, element);
    ///         sums[lane as usize][Sums::owner([row]).element as usize] += product(m, n);
    ///     });
    /// }
    /// for mask in Sums::BUTTERFLY.lanes() {
    ///     let before = sums; // `ds_swizzle` or `shfl.bfly`: all lanes at once
    ///     for lane in 0..64 {
    ///         for (sum, other) in sums[lane].iter_mut().zip(before[lane ^ *mask as usize]) {
    ///             *sum += other;
    ///         }
    ///     }
    /// }
    /// for (lane, element) in (0..64).flat_map(|lane| (0..16).map(move |element| (lane, element))) {
    ///     let [m] = Sums::coordinate(0, lane, element);
    ///     assert_eq!(sums[lane as usize][element], (0..32).map(|n| product(m, n)).sum::<u32>());
    /// }
    /// assert_eq!((Sums::REPLICAS, Sums::BUTTERFLY.lanes()), (32, &[1, 2, 4, 8, 16][..]));
    /// ```
    const BUTTERFLY: Butterfly = match sound::<Self>().butterfly() {
        Ok(butterfly) => butterfly,
        Err(fault) => fault.text().refuse(),
    };

    /// The coordinate of an element of a lane, for kernels: nothing is interpreted, and a release build
    /// checks nothing.
    ///
    /// Another number of indices is an error of `cargo build`, and so is a distribution with lanes that hold nothing: see
    /// [`masked`](Self::masked). In generic code `cargo check` does not see it.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or an element that does not exist, and of a wave where waves own
    /// something: wave and lane may be swapped.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn coordinate<const RANK: usize>(wave: u32, lane: u32, element: usize) -> [u32; RANK] {
        const { all_hold::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_numbers::<Self>(wave, lane, element);
        Self::carried(Self::counted(wave, lane, element), element)
    }

    /// Returns the coordinate of an element of a lane, of any distribution, and whether the lane holds the element at all: one
    /// that [covers](super::Covering) its tile has lanes that hold nothing. The coordinate is meaningless where the lane holds
    /// nothing, and nothing may be loaded or stored there. Where every lane holds all its elements the second value is the
    /// constant `true`.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     /// A halo of 22x40 by 256 threads: 220 vectors of 4.
    ///     type Halo:
    ///         (m, k) [wave 4, lane 64, part 4] of (22, 40);
    ///         wave (wave), lane (lane), thread (part);
    /// }
    /// assert_eq!(Halo::masked(3, 27, 0), ([21, 36], true));
    /// assert!(!Halo::masked::<2>(3, 28, 0).1);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`coordinate`](Self::coordinate).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn masked<const RANK: usize>(wave: u32, lane: u32, element: usize) -> ([u32; RANK], bool) {
        const { has_rank::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_numbers::<Self>(wave, lane, element);
        let counted = Self::counted(wave, lane, element);
        (Self::carried(counted, element), Self::held(counted, const { bounds::<Self>(0) }))
    }

    /// Who holds a coordinate, for kernels: of several lanes that do, the one whose repetitions are
    /// 0. `cargo build` checks how many indices there are, and a release build nothing else; see [`Encoding::owner`].
    ///
    /// An element's place from its lane's first element leads to the same element:
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// type C = mfma::F16_32x32x8::C;
    /// let held = C::owner([8 + 4 + 2, 1]);
    /// assert_eq!((held.lane, held.element), (33, 6));
    /// assert_eq!(C::owner([8 + 2, 0]).element, 6);
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of an index that is out of range.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn owner<const RANK: usize>(index: [u32; RANK]) -> Place {
        const { has_rank::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_fault::<Self, _>(|encoding| encoding.check_coordinate(&index));
        let (mut numbers, mut counted) = ([0; 3], index);
        range!(d, 1..RANK, {
            if Of::<Self>::COVER.carries(d) {
                counted[d] += counted[d - 1] * Of::<Self>::COVER.lengths[d];
            }
        });
        unrolled!(i, 32, Of::<Self>::TERMS.count, {
            let term = known!(Of::<Self>::TERMS.terms[i]);
            numbers[term.owner] += term.digit_of(counted[term.dimension]) * term.below;
        });
        Place { wave: numbers[0], lane: numbers[1], element: numbers[2] }
    }

    /// The element at a Y index, one for each factor that the thread lists: its place in the
    /// lane's registers, for kernels. `cargo build` checks how many they are, and a release build nothing else; in
    /// constants [`element`](super::element()).
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// // thread (again, group): 4 rows, again every 8.
    /// assert_eq!(mfma::F16_32x32x8::C::element([1, 2]), 6);
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of an index that is out of range.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn element<const YS: usize>(ys: [u32; YS]) -> usize {
        const { has_ys::<Self>(YS) };
        #[cfg(debug_assertions)]
        refuse_fault::<Self, _>(|encoding| encoding.element(&ys));
        let mut element = 0;
        range!(place, 0..YS, {
            element += ys[place] * Of::<Self>::YS[place];
        });
        element as usize
    }

    /// The elements of a lane in the order of the tile, dimension by dimension: each with its place
    /// from the lane's first. CK Tile's `sweep_tile`; of an element alone, and in constants,
    /// [`Encoding::swept`].
    ///
    /// In a kernel write `for_each`: it is unrolled, so that registers are named. A `for` over more than a few elements may stay
    /// a loop, which indexes them. Another number of dimensions is an error of `cargo build`; in generic code `cargo check` does
    /// not see it.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     /// Two rows of three a lane, column by column in its registers.
    ///     type Columns: m [lane 64, row 2], k [column 3]; lane (lane), thread (column, row);
    /// }
    /// let swept: Vec<_> = Columns::sweep().collect();
    /// assert_eq!(swept[..4], [(0, [0, 0]), (2, [0, 1]), (4, [0, 2]), (1, [1, 0])]);
    /// ```
    #[inline(always)]
    #[must_use]
    fn sweep<const RANK: usize>() -> Sweep<Self, RANK> {
        const { is_divided::<Self>(RANK) };
        Sweep::all()
    }

    /// The counts of the factors of each dimension, in units where the tile is not divided by them; those of the first of every
    /// dimension, 0 for those that do not exist.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn counted<const RANK: usize>(wave: u32, lane: u32, element: usize) -> [u32; RANK] {
        let (numbers, mut index) = ([wave, lane, element as u32], [0; RANK]);
        unrolled!(i, 32, Of::<Self>::TERMS.count, {
            let term = known!(Of::<Self>::TERMS.terms[i].in_units(&Of::<Self>::UNITS));
            if term.stride > 0 {
                index[term.dimension] += term.part(&numbers[term.owner]);
            }
        });
        index
    }

    /// The coordinate of what is counted, of an element of the lane.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn carried<const RANK: usize>(counted: [u32; RANK], element: usize) -> [u32; RANK] {
        let mut index = counted;
        // From the last dimension on; dimension 0 goes on in none. A kernel's copies beyond the rank are evaluated, too, and
        // left out: those are of dimension 0.
        unrolled!(below, 12, RANK, {
            let d = known!((RANK - 1).saturating_sub(below));
            if known!(Of::<Self>::COVER.carries((RANK - 1).saturating_sub(below))) {
                let length = known!(Of::<Self>::unit_length((RANK - 1).saturating_sub(below)));
                (index[d.saturating_sub(1)], index[d]) = (index[d] / length, index[d] % length);
            }
            if known!(Of::<Self>::UNITS[(RANK - 1).saturating_sub(below)] > 1) {
                index[d] *= known!(Of::<Self>::UNITS[(RANK - 1).saturating_sub(below)]);
                index[d] += Of::<Self>::within_unit(d, element);
            }
        });
        index
    }

    /// Returns whether what is counted is below the bounds of the tile, or of an element: a comparison where the factors count
    /// further than the tile goes.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn held<const RANK: usize>(counted: [u32; RANK], bounds: [u32; List::CAPACITY]) -> bool {
        let mut held = true;
        unrolled!(d, 12, RANK, {
            if known!(Of::<Self>::COVER.bound(d) > 0) {
                held &= counted[d] < bounds[d];
            }
        });
        held
    }
}

/// Refuses what is not a distribution, on the caller's line: what
/// [`distribution!`](crate::distribution!) does, for a type that is made in another way.
///
/// ```compile_fail
/// use tiledesc::distribution::check_factors;
/// use tiledesc::prelude::*;
///
/// // CK Tile's six parameters, with the last factor left out.
/// type Lost = Encoded<seq![], lists![[32], [2, 4]], lists![[2, 1]], lists![[0, 0]], seq![], seq![]>;
/// const _: () = check_factors::<Lost>("Lost");
/// // error: Lost: factor 1 of dimension 1 (length 4) has no owner: no lane would hold its other elements
/// ```
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

/// The elements of a lane, for a distribution that is refused where it is declared: then 1024, so that arrays of as many do not
/// repeat the error.
#[doc(hidden)]
#[must_use]
pub const fn elements_of(encoding: &Result<Encoding, DistributionError>) -> usize {
    match encoding {
        Ok(encoding) => encoding.elements() as usize,
        Err(_) => 1024,
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

/// Refuses a wave and a lane that do not exist, in debug builds: kernels leave this to their caller. Where waves own nothing any
/// wave exists.
#[cfg(debug_assertions)]
#[track_caller]
pub(crate) fn refuse_swapped<T: Distribution + ?Sized>(wave: u32, lane: u32) {
    if let Ok(encoding) = &T::ENCODING {
        refuse_absent(wave, lane, encoding.waves(), encoding.lanes());
    }
}

/// Refuses a wave and a lane that do not exist among `waves` and `lanes`.
#[cfg(debug_assertions)]
#[track_caller]
pub(crate) fn refuse_absent(wave: u32, lane: u32, waves: u32, lanes: u32) {
    assert!(lane < lanes, "lane {lane} of a wave of {lanes}: are wave and lane swapped?");
    assert!(waves == 1 || wave < waves, "wave {wave} of {waves}: are wave and lane swapped?");
}

/// Refuses a wave, a lane and an element that do not exist.
#[cfg(debug_assertions)]
#[track_caller]
fn refuse_numbers<T: Distribution + ?Sized>(wave: u32, lane: u32, element: usize) {
    refuse_swapped::<T>(wave, lane);
    if element >= Of::<T>::ELEMENTS && T::ENCODING.is_ok() {
        let number = u32::try_from(element).unwrap_or(u32::MAX);
        let (owner, numbers) = (Owner::Thread, Of::<T>::ELEMENTS as u32);
        panic!("{}", DistributionError::OutOfRange { owner, number, numbers });
    }
}

/// Refuses what a function of numbers would refuse, in debug builds.
#[cfg(debug_assertions)]
#[track_caller]
fn refuse_fault<T: Distribution + ?Sized, U>(
    ask: impl FnOnce(&Encoding) -> Result<U, DistributionError>,
) {
    if let Ok(encoding) = &T::ENCODING
        && let Err(fault) = ask(encoding)
    {
        panic!("{fault}");
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

/// Refuses another rank, and a distribution in which some lane holds nothing at an element.
#[track_caller]
const fn all_hold<T: Distribution + ?Sized>(rank: usize) {
    has_rank::<T>(rank);
    if sound::<T>().has_idle_lanes() {
        let text = say!(Text::new(): "some lanes hold nothing of the tile: `masked` says which");
        text.refuse()
    }
}

/// Refuses another rank, and a distribution with a dimension that is not the product of its factors.
#[track_caller]
const fn is_divided<T: Distribution + ?Sized>(rank: usize) {
    has_rank::<T>(rank);
    if let Err(fault) = sound::<T>().check_divided() {
        fault.text().refuse()
    }
}

/// Refuses a Y index of another length.
#[track_caller]
const fn has_ys<T: Distribution + ?Sized>(ys: usize) {
    let ours = sound::<T>().ys().len();
    if ours != ys {
        let text = say!(Text::new(): ys, " indices of a lane that lists ", ours, " factors");
        text.refuse()
    }
}

/// The element at a Y index, for constants: [`Distribution::element`], checked.
///
/// ```
/// use tiledesc::{distribution::element, matrix::mfma};
///
/// const SIXTH: usize = element::<mfma::F16_32x32x8::C, 2>([1, 2]);
/// assert_eq!(SIXTH, 6);
/// ```
///
/// # Panics
///
/// On the caller's line: with a wrong number of indices, or one out of range.
#[must_use]
#[track_caller]
pub const fn element<T: Distribution + ?Sized, const YS: usize>(ys: [u32; YS]) -> usize {
    match sound::<T>().element(&ys) {
        Ok(element) => element as usize,
        Err(fault) => fault.text().refuse(),
    }
}

/// The digits of a type's coordinates.
struct Of<T: ?Sized>(PhantomData<T>);

impl<T: Distribution + ?Sized> Of<T> {
    /// None of what is not a distribution, which [`has_rank`] has refused.
    const TERMS: Terms = match &T::ENCODING {
        Ok(encoding) => Terms::new(encoding),
        Err(_) => Terms::new(&Encoding::EMPTY),
    };

    /// By how many elements of a dimension its number is counted: by those of a vector, where all lanes have
    /// such; 1 where the factors divide the tile.
    const UNITS: [u32; List::CAPACITY] = Self::TERMS.units(&Self::COVER);

    const COVER: Cover = match &T::ENCODING {
        Ok(encoding) => *encoding.cover(),
        Err(_) => Cover::NONE,
    };

    /// The length of a dimension, in units.
    const fn unit_length(dimension: usize) -> u32 {
        Self::COVER.lengths[dimension] / Self::UNITS[dimension]
    }

    /// The place of an element of a lane within a unit of a dimension.
    #[inline(always)]
    fn within_unit(dimension: usize, element: usize) -> u32 {
        let mut within = 0;
        unrolled!(i, 32, Self::TERMS.count, {
            let term = known!(Self::TERMS.terms[i]);
            let unit = known!(Self::UNITS[Self::TERMS.terms[i].dimension]);
            if term.dimension == dimension && !term.stride.is_multiple_of(unit) {
                within += term.part(&(element as u32));
            }
        });
        within
    }

    /// Elements of a lane.
    const ELEMENTS: usize = match &T::ENCODING {
        Ok(encoding) => encoding.elements() as usize,
        Err(_) => 0,
    };

    /// The stride of each Y index in the number of an element.
    const YS: [u32; List::CAPACITY] = {
        let mut below = [0; List::CAPACITY];
        if let Ok(encoding) = &T::ENCODING {
            range!(place, 0..encoding.listed_by(Owner::Thread), {
                below[place] = encoding.factors[encoding.listed(Owner::Thread, place)].below;
            });
        }
        below
    };
}

/// The bounds of the numbers of a lane's first element, if the lane holds an element: as much less than the tile's as that
/// element is further. 0 where there is no bound.
pub(crate) const fn bounds<T: Distribution + ?Sized>(element: usize) -> [u32; List::CAPACITY] {
    let mut bounds = [0; List::CAPACITY];
    if !Of::<T>::COVER.has_idle() {
        return bounds;
    }
    let further = further::<T>(element);
    range!(d, 0..List::CAPACITY, {
        let bound = Of::<T>::COVER.bound(d) / Of::<T>::UNITS[d];
        bounds[d] = bound.saturating_sub(further[d]);
    });
    bounds
}

/// The distance of the factors of each dimension from the first element of a lane to another: the same in every lane, for no
/// factor has two owners.
pub(crate) const fn further<T: Distribution + ?Sized>(element: usize) -> [u32; List::CAPACITY] {
    let mut further = [0; List::CAPACITY];
    range!(i, 0..Of::<T>::TERMS.count, {
        let term = Of::<T>::TERMS.terms[i].in_units(&Of::<T>::UNITS);
        if term.owner == Owner::Thread as usize {
            let quotient = element as u32 / term.below;
            let digit = if term.length == 0 { quotient } else { quotient % term.length };
            further[term.dimension] += digit * term.stride;
        }
    });
    further
}
