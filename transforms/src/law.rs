//! The laws of a layout, as functions whose error names the coordinates that break them.
//!
//! | law | says | cost |
//! |---|---|---|
//! | [`injective`] | no two coordinates share an offset | structure, else every coordinate |
//! | [`bijective`] | injective, and every element of the space has a coordinate | structure, else every coordinate |
//! | [`in_bounds`] | every valid offset lies in the element space | structure, else every coordinate |
//! | [`round_trip`] | the inverse of an offset is its coordinate | every coordinate |
//! | [`functor`] | a function's `apply` agrees with its `TABLE` | every entry |
//!
//! The functions here try every coordinate (0.1 us each) where structure does not decide,
//! up to [`Plan::MOST_VISITED`], and belong in tests. In a constant that takes far longer: there,
//! use [`Plan::prove_injective`], which decides most layouts by structure. What neither decides is
//! an error that says so.
//!
//! Structure: xor, merge, unmerge, pass_through, cyclic shifts, slices and pads
//! are injective for their lengths; replicate, insert and a modulo that wraps around
//! are not; an embed is injective if no difference of coordinates has the sum 0, and that is
//! searched. A composition of injective transforms is injective. If that does not decide, a
//! [linear](crate::Linear) map is injective if and only if its columns are independent.

mod proof;

use crate::error::Error;
use crate::number::list::List;
use crate::plan::Plan;
use crate::transform::Function;
use crate::typed::descriptor::Descriptor;

/// Checks that no two valid coordinates share an offset.
///
/// ```
/// use tiledesc_transforms::{Naive, law, seq};
///
/// type Overlapping = Naive<seq![4, 8], seq![4, 1]>;
/// assert_eq!(
///     law::injective::<Overlapping>().unwrap_err().to_string(),
///     "not injective: coordinates (0, 4) and (1, 0) share offset 4",
/// );
/// ```
///
/// # Errors
///
/// [`Error::Collision`] with two coordinates and their offset.
pub fn injective<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.injective()
}

/// Checks that every element of the element space has exactly one coordinate.
///
/// ```
/// use tiledesc_transforms::{Naive, law, seq};
///
/// type Padded = Naive<seq![4, 8], seq![10, 1]>;
/// assert_eq!(law::bijective::<Naive<seq![4, 8], seq![8, 1]>>(), Ok(()));
/// // 32 elements in a space of 38.
/// assert!(law::bijective::<Padded>().is_err());
/// ```
///
/// # Errors
///
/// [`Error::Collision`], [`Error::OutOfSpace`], or [`Error::Holes`].
pub fn bijective<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.bijective()
}

/// Checks that every valid coordinate is in the element space.
///
/// ```
/// use tiledesc_transforms::{Naive, law, seq};
///
/// assert_eq!(law::in_bounds::<Naive<seq![4, 8], seq![10, 1]>>(), Ok(()));
/// ```
///
/// # Errors
///
/// [`Error::OutOfSpace`] with the coordinate.
pub fn in_bounds<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.in_bounds()
}

/// The inverse leads from every valid coordinate's offset back to it.
///
/// ```
/// use tiledesc_transforms::{Naive, law, seq};
///
/// assert_eq!(law::round_trip::<Naive<seq![4, 8], seq![10, 1]>>(), Ok(()));
/// ```
///
/// # Errors
///
/// [`Error::RoundTrip`] with both coordinates, [`Error::NoCoordinate`].
pub fn round_trip<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.round_trip()
}

/// A function's `apply` agrees with its `TABLE`.
///
/// ```
/// use tiledesc_transforms::{Extent, Function, Index, law};
///
/// struct Twice;
/// impl Function for Twice {
///     const TABLE: &'static [u32] = &[0, 2, 4, 7];
///     fn apply<I: Index>(index: &I) -> I {
///         index.mul(Extent::constant(2))
///     }
/// }
/// assert_eq!(
///     law::functor::<Twice>().unwrap_err().to_string(),
///     "functor: at 3 the table says 7 and apply computes 6",
/// );
/// ```
///
/// # Errors
///
/// [`Error::FunctionDiffers`].
pub fn functor<F: Function>() -> Result<(), Error> {
    for (index, value) in F::TABLE.iter().enumerate() {
        let computed = F::apply(&(index as u32));
        if computed != *value {
            let (index, table) = (index as u32, *value);
            return Err(Error::FunctionDiffers { index, table, computed });
        }
    }
    Ok(())
}

impl Plan {
    /// The most coordinates that the laws of this module visit, in all: about seven seconds of a release build.
    pub const MOST_VISITED: u64 = 1 << 26;

    /// Calls `visit` with every valid coordinate and its offset, the last
    /// dimension fastest. Coordinates in padding are left out.
    ///
    /// ```
    /// use tiledesc_transforms::{Error, List, Op, Plan};
    ///
    /// // 2 rows of 3, padded to 4.
    /// let keep = Op::PassThrough { length: 2 };
    /// let pad = Op::RightPad { low_length: 3, right: 1, skip_check: false };
    /// let rows = Plan::packed(&[2, 3])?.transform(&[keep, pad], &[&[0], &[1]], &[&[0], &[1]])?;
    /// let mut found = Vec::new();
    /// rows.for_each_valid(|index, offset| {
    ///     found.push((List::new(index), offset));
    ///     Ok(())
    /// })?;
    /// assert_eq!(found.len(), 6);
    /// assert_eq!(found[3], (List::pair(1, 0), 3));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first error of `visit`.
    pub fn for_each_valid(
        &self,
        mut visit: impl FnMut(&[u32], u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let lengths = self.lengths();
        let mut index = [0; List::CAPACITY];
        let index = &mut index[..lengths.len()];
        for _ in 0..self.elements() {
            let hidden = self.evaluate(index);
            if self.accepts(&hidden) {
                visit(index, hidden[0])?;
            }
            advance(index, &lengths);
        }
        Ok(())
    }

    /// Checks that no two valid coordinates share an offset: by structure, else tried at every coordinate.
    ///
    /// # Errors
    ///
    /// [`Error::Collision`]; [`Error::TooManyToTry`] where structure does not decide and
    /// coordinates would have to be visited more often than [`MOST_VISITED`](Self::MOST_VISITED).
    pub fn injective(&self) -> Result<(), Error> {
        match self.prove_injective() {
            Err(Error::Undecided { .. }) => self.every_offset_once(),
            decided => decided,
        }
    }

    /// Without an allocator: a window of offsets at a time, from the smallest offset
    /// upwards; windows without an offset are skipped.
    fn every_offset_once(&self) -> Result<(), Error> {
        const WORDS: usize = 1024;
        const WINDOW: u64 = 64 * WORDS as u64;
        let (mut from, mut visited) = (Some(0), 0u64);
        while let Some(least) = from {
            visited = visited.saturating_add(self.elements());
            self.affordable("injective", visited)?;
            let mut seen = [0u64; WORDS];
            from = None;
            self.for_each_valid(|index, offset| {
                let offset = u64::from(offset);
                let Some(slot) = offset.checked_sub(least) else { return Ok(()) };
                if slot >= WINDOW {
                    from = Some(from.map_or(offset, |next| next.min(offset)));
                    return Ok(());
                }
                let (word, bit) = (&mut seen[slot as usize / 64], 1 << (slot % 64));
                if *word & bit != 0 {
                    return Err(self.collision_with(index, offset as u32));
                }
                *word |= bit;
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The first coordinate with an offset, and another one with it.
    fn collision_with(&self, second: &[u32], offset: u32) -> Error {
        let mut first = List::new(second);
        let _ = self.for_each_valid(|index, here| {
            if here == offset {
                first = List::new(index);
                return Err(Error::NoMemory);
            }
            Ok(())
        });
        Error::Collision { first, second: List::new(second), offset }
    }

    /// Refuses to visit more coordinates than the limit.
    const fn affordable(&self, law: &'static str, visited: u64) -> Result<(), Error> {
        if visited <= Self::MOST_VISITED {
            return Ok(());
        }
        let (elements, most) = (self.elements(), Self::MOST_VISITED);
        Err(Error::TooManyToTry { law, elements, most })
    }

    /// Checks that every element of the space has exactly one coordinate.
    ///
    /// # Errors
    ///
    /// As [`law::bijective`](bijective).
    pub fn bijective(&self) -> Result<(), Error> {
        self.in_bounds()?;
        self.injective()?;
        if !self.has_padding() {
            return self.no_holes(self.elements());
        }
        self.affordable("bijective", self.elements())?;
        let mut elements = 0;
        self.for_each_valid(|_, _| {
            elements += 1;
            Ok(())
        })?;
        self.no_holes(elements)
    }

    const fn no_holes(&self, elements: u64) -> Result<(), Error> {
        if elements == self.element_space() {
            return Ok(());
        }
        Err(Error::Holes { space: self.element_space(), elements })
    }

    /// Checks that every valid coordinate is in the element space.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfSpace`]; [`Error::TooManyToTry`].
    pub fn in_bounds(&self) -> Result<(), Error> {
        if !matches!(self.prove_in_bounds(), Err(Error::Undecided { .. })) {
            return self.prove_in_bounds();
        }
        self.affordable("in bounds", self.elements())?;
        self.for_each_valid(|index, offset| self.within_space(List::new(index), offset))
    }

    const fn within_space(&self, coordinate: List, offset: u32) -> Result<(), Error> {
        let space = self.element_space();
        if (offset.wrapping_sub(self.origin()) as u64) < space {
            return Ok(());
        }
        Err(Error::OutOfSpace { coordinate, offset, space })
    }

    /// The inverse leads from every valid coordinate's offset back to it.
    ///
    /// # Errors
    ///
    /// As [`law::round_trip`](round_trip).
    pub fn round_trip(&self) -> Result<(), Error> {
        self.has_memory()?;
        self.affordable("invertible", self.elements())?;
        self.for_each_valid(|index, offset| {
            let (coordinate, back) = (List::new(index), self.coordinate_of(offset)?);
            if coordinate == back {
                return Ok(());
            }
            Err(Error::RoundTrip { coordinate, offset, back })
        })
    }
}

/// The next coordinate, the last dimension fastest.
pub(crate) const fn advance(index: &mut [u32], lengths: &List) {
    let mut i = lengths.len();
    while i > 0 {
        i -= 1;
        index[i] += 1;
        if index[i] < lengths.at(i) {
            return;
        }
        index[i] = 0;
    }
}
