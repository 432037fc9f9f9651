//! Distributions in kernels: which coordinate an element of a lane has.
//!
//! The digits of a wave's and a lane's number are found when the kernel is expanded, and what is
//! written is a division, a remainder and a product for each, powers of two as shifts and masks.
//! An element's own part is a constant, since its number is.

use crate::index::Traced;
use crate::rank::Coordinate;
use cubecl::ir::Scope;
use cubecl::prelude::*;
use cubecl::unexpanded;
use tiledesc::distribution::{Distribution, Encoding};
use tiledesc::{Extent, Index, Op, Plan};

/// A distribution that a `#[cube]` function asks for coordinates: every
/// [`tiledesc::distribution!`] of as many dimensions as `C` has indices.
///
/// ```
/// use cubecl::prelude::*;
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::{Spread, Tiled};
///
/// /// Stores what a unit holds, vector by vector.
/// #[cube]
/// fn store<F: Float, N: Size, T: Spread<(u32, u32)>, A: Tiled<(u32, u32)>>(
///     lds: &mut Shared<[Vector<F, N>]>, held: &Array<Vector<F, N>>,
/// ) {
///     let n = N::value();
///     #[unroll]
///     for i in 0..comptime!(T::ELEMENTS / n) {
///         let at = T::coordinate_of(UNIT_POS / 64, UNIT_POS % 64, comptime!(i * n));
///         lds[A::vector_at::<N>(at) as usize] = held[i];
///     }
/// }
///
/// distribution! { type Rows: m [row 64], k [half 8]; lane (row), thread (half); }
/// fn main() {
///     assert_eq!(Rows::ELEMENTS, 8);
/// }
/// ```
pub trait Spread<C: CubeType>: Distribution + 'static + Send + Sync {
    /// The coordinate of an element of a lane.
    #[must_use]
    fn coordinate_of(_wave: u32, _lane: u32, _element: usize) -> C {
        unexpanded!()
    }
    /// What [`coordinate_of`](Self::coordinate_of) expands to.
    fn __expand_coordinate_of(
        scope: &Scope,
        wave: NativeExpand<u32>,
        lane: NativeExpand<u32>,
        element: usize,
    ) -> C::ExpandType;
}

macro_rules! of_rank {
    ($($rank:literal $C:ty;)*) => {$(
        impl<T: Distribution + 'static + Send + Sync> Spread<$C> for T {
            fn __expand_coordinate_of(
                scope: &Scope,
                wave: NativeExpand<u32>,
                lane: NativeExpand<u32>,
                element: usize,
            ) -> <$C as CubeType>::ExpandType {
                let numbers = [Traced::new(scope, wave), Traced::new(scope, lane)];
                let index = coordinate_in::<T, _, $rank>(&numbers, element);
                <$C as Coordinate<$rank>>::of_indices(index.map(Traced::value))
            }
        }
    )*};
}

of_rank! {
    1 u32;
    2 (u32, u32);
    3 (u32, u32, u32);
    4 (u32, u32, u32, u32);
}

/// The coordinate of an element of a lane over any [`Index`], of the numbers of wave and lane: an
/// expression of `tiledesc::emit`, say.
///
/// ```
/// use tiledesc::emit::{self, Expression};
/// use tiledesc::prelude::*;
///
/// distribution! { type Fetch: m [wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (half); }
/// let numbers = [Expression::coordinate(0, 4), Expression::coordinate(1, 64)];
/// let [_, k] = tiledesc_cubecl::coordinate_in::<Fetch, _, 2>(&numbers, 5);
/// assert_eq!(emit::TEXT.function("k", &["w", "l"], &k)?, "k(w, l) = 8 * (l mod 8) + 5");
/// # Ok::<(), emit::EmitError>(())
/// ```
///
/// # Panics
///
/// With an element that does not exist, or a distribution of more than 12 digits of lanes and
/// elements.
#[must_use]
pub fn coordinate_in<T: Distribution, I: Index, const R: usize>(
    numbers: &[I; 2],
    element: usize,
) -> [I; R] {
    const { has_rank::<T>(R) };
    let (encoding, digits) = match (&T::ENCODING, digits::<T>()) {
        (Ok(encoding), Some(digits)) => (encoding, digits),
        _ => panic!("a distribution of more than 12 digits of lanes and elements"),
    };
    let own = encoding.coordinate(0, 0, element as u32);
    let own = own.unwrap_or_else(|fault| panic!("{fault}"));
    core::array::from_fn(|dimension| {
        let parts = digits.iter().filter(|digit| digit.dimension == dimension);
        let parts = parts.map(|digit| digit.part(&numbers[digit.owner]));
        let constant = Extent::constant(own.at(dimension));
        match parts.reduce(|all, part| all.add(&part)) {
            None => numbers[0].constant(constant),
            Some(sum) if constant.value() == 0 => sum,
            Some(sum) => sum.add(&sum.constant(constant)),
        }
    })
}

/// A digit of the number of a wave (owner 0) or a lane (1), and what it adds to which index.
#[derive(Clone, Copy, Debug)]
struct Digit {
    owner: usize,
    below: u32,
    length: u32,
    is_top: bool,
    dimension: usize,
    stride: u32,
}

impl Digit {
    fn part<I: Index>(&self, number: &I) -> I {
        let quotient = number.div(Extent::constant(self.below));
        let digit =
            if self.is_top { quotient } else { quotient.rem(Extent::constant(self.length)) };
        digit.mul(Extent::constant(self.stride))
    }

    /// Whether `faster` is the next digit both of the number and of the dimension.
    fn continues(&self, faster: &Self) -> bool {
        (self.owner, self.dimension) == (faster.owner, faster.dimension)
            && self.below == faster.below * faster.length
            && self.stride == faster.stride * faster.length
    }
}

/// The digits of waves and lanes, from the distribution's graph: merges of a number's factors, and
/// unmerges of a dimension into them.
fn digits<T: Distribution>() -> Option<Vec<Digit>> {
    let encoding = T::ENCODING.ok()?;
    let plan = encoding.plan().ok()?;
    let first = if has_waves(&plan, &encoding) { 0 } else { 1 };
    let mut digits: Vec<Digit> = Vec::new();
    for (number, owner) in (first..2).enumerate() {
        let id = plan.top().at(number);
        let node = plan.nodes().iter().find(|node| node.upper.as_slice() == [id])?;
        let Op::Merge { lengths } = node.op else { continue };
        let whole: u32 = lengths.as_slice().iter().product();
        let mut above = 1;
        for (&length, &factor) in lengths.as_slice().iter().zip(node.lower.as_slice()) {
            let is_top = above == 1;
            above *= length;
            let Some((dimension, stride)) = place(&plan, encoding.rank(), factor) else { continue };
            let below = whole / above;
            let digit = Digit { owner, below, length, is_top, dimension, stride };
            match digits.last_mut() {
                _ if length == 1 => {}
                Some(last) if last.continues(&digit) => {
                    *last = Digit { length: last.length * length, is_top: last.is_top, ..digit };
                }
                _ => digits.push(digit),
            }
        }
    }
    Some(digits)
}

/// Whether the first number of the graph is the wave's: it has the lane's and the elements' too.
fn has_waves(plan: &Plan, encoding: &Encoding) -> bool {
    plan.top().len() == encoding.ys().len() + 2
}

/// The dimension of a factor and its stride there; none of a repetition.
fn place(plan: &Plan, rank: usize, factor: u32) -> Option<(usize, u32)> {
    for node in plan.nodes() {
        let Op::Unmerge { lengths } = node.op else { continue };
        let Some(at) = node.upper.as_slice().iter().position(|&id| id == factor) else { continue };
        let dimension = *node.lower.as_slice().first()? as usize;
        let stride = lengths.as_slice()[at + 1..].iter().product();
        return (dimension < rank).then_some((dimension, stride));
    }
    None
}

#[track_caller]
const fn has_rank<T: Distribution>(rank: usize) {
    if let Ok(encoding) = &T::ENCODING {
        assert!(encoding.rank() == rank, "the distribution has another number of dimensions");
    }
}
