//! The laws of a layout, as functions whose error names the coordinates that break them.
//!
//! | law | says | cost |
//! |---|---|---|
//! | [`injective`] | no two coordinates share an offset | structure, else every coordinate |
//! | [`bijective`] | injective, and every element of the space has a coordinate | every coordinate |
//! | [`in_bounds`] | every valid offset lies in the element space | every coordinate |
//! | [`round_trip`] | the inverse of an offset is its coordinate | every coordinate |
//! | [`functor`] | a function's `apply` agrees with its `TABLE` | every entry |
//!
//! The functions here try every coordinate (0.1 us each) and belong in tests.
//! In a constant, 8192 coordinates would take the compiler 0.4 s; there, use
//! [`Plan::prove_injective`], which decides by structure in a fraction of a
//! millisecond.
//!
//! Structure: xor, merge, unmerge, pass_through, cyclic shifts, slices and pads
//! are injective for their lengths; replicate, insert and a modulo that wraps around
//! are not; an embed is injective if each stride exceeds the reach of all smaller ones.
//! A composition of injective transforms is injective. If that does not decide, a
//! [linear](Linear) map is injective if and only if its columns are independent.

use crate::error::Error;
use crate::linear::Linear;
use crate::number::list::List;
use crate::plan::Plan;
use crate::transform::{Function, Injective};
use crate::typed::descriptor::Descriptor;

/// No two valid coordinates share an offset.
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

/// Every element of the element space has exactly one coordinate.
///
/// # Errors
///
/// [`Error::Collision`], [`Error::OutOfSpace`], or [`Error::Holes`].
pub fn bijective<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.bijective()
}

/// Every valid coordinate lies in the element space.
///
/// # Errors
///
/// [`Error::OutOfSpace`] with the coordinate.
pub fn in_bounds<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.in_bounds()
}

/// The inverse leads from every valid coordinate's offset back to it.
///
/// # Errors
///
/// [`Error::RoundTrip`] with both coordinates, [`Error::NoCoordinate`].
pub fn round_trip<D: Descriptor>() -> Result<(), Error> {
    D::PLAN?.round_trip()
}

/// A function's `apply` agrees with its `TABLE`.
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
    /// Calls `visit` with every valid coordinate and its offset, the last
    /// dimension fastest.
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

    /// No two valid coordinates share an offset, tried at every coordinate.
    ///
    /// # Errors
    ///
    /// [`Error::Collision`].
    pub fn injective(&self) -> Result<(), Error> {
        self.has_memory()?;
        match self.prove_injective() {
            Err(Error::Undecided { .. }) => self.every_offset_once(),
            decided => decided,
        }
    }

    /// Without an allocator: a window of 1024 offsets at a time, from the smallest
    /// offset upwards; windows without an offset are skipped.
    fn every_offset_once(&self) -> Result<(), Error> {
        const BUCKET: u64 = 1024;
        let mut from = Some(0);
        while let Some(least) = from {
            let mut first = [const { None }; BUCKET as usize];
            from = None;
            self.for_each_valid(|index, offset| {
                let Some(slot) = (offset as u64).checked_sub(least) else { return Ok(()) };
                if slot >= BUCKET {
                    from = Some(from.map_or(offset as u64, |next: u64| next.min(offset as u64)));
                    return Ok(());
                }
                match first[slot as usize].replace(List::new(index)) {
                    Some(first) => {
                        Err(Error::Collision { first, second: List::new(index), offset })
                    }
                    None => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// Every element of the space has exactly one coordinate.
    ///
    /// # Errors
    ///
    /// As [`law::bijective`](bijective).
    pub fn bijective(&self) -> Result<(), Error> {
        self.in_bounds()?;
        self.injective()?;
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

    /// Every valid coordinate lies in the element space.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfSpace`].
    pub fn in_bounds(&self) -> Result<(), Error> {
        self.has_memory()?;
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
        self.for_each_valid(|index, offset| {
            let (coordinate, back) = (List::new(index), self.coordinate_of(offset)?);
            if coordinate == back {
                return Ok(());
            }
            Err(Error::RoundTrip { coordinate, offset, back })
        })
    }

    /// Proves from the structure that no two coordinates share an offset; falls
    /// back to trying pairs for plans of at most 64 coordinates. For constants.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// const ROWS: Plan = match Plan::naive(&[128, 64], &[72, 1]) { Ok(p) => p, Err(_) => panic!() };
    /// const PROVEN: bool = ROWS.prove_injective().is_ok();
    /// assert!(PROVEN);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Collision`] with two coordinates, [`Error::Undecided`].
    pub const fn prove_injective(&self) -> Result<(), Error> {
        attempt!(self.has_memory());
        let mut all = true;
        let mut n = 0;
        while n < self.nodes().len() {
            match self.nodes()[n].op.injective() {
                Injective::Yes => {}
                Injective::Unknown => all = false,
                Injective::No(first, second) => {
                    all = false;
                    attempt!(self.confirm(n, &first, &second));
                }
            }
            n += 1;
        }
        if all {
            return Ok(());
        }
        if let Ok(map) = self.linear() {
            return self.independent(&map);
        }
        if self.elements() <= 64 {
            return self.try_pairs();
        }
        Err(Error::Undecided { law: "injective", elements: self.elements() })
    }

    /// If the columns of a linear map are independent, no two coordinates collide.
    /// Otherwise the first coordinate collides with any vector of the kernel.
    const fn independent(&self, map: &Linear) -> Result<(), Error> {
        let kernel = map.kernel();
        if kernel.is_empty() {
            return Ok(());
        }
        let (first, second) = (self.nth(0), self.nth(kernel.get(0) as u64));
        Err(Error::Collision { first, second, offset: map.constant() })
    }

    /// Proves that every valid coordinate lies in the element space. For constants.
    ///
    /// If the lengths of a composition agree, each transform stays inside the dimension
    /// below it; only padding that is reported as valid may leave, and is undecided.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert!(Plan::naive(&[128, 64], &[72, 1]).unwrap().prove_in_bounds().is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] with unchecked padding.
    pub const fn prove_in_bounds(&self) -> Result<(), Error> {
        attempt!(self.has_memory());
        let mut n = 0;
        while n < self.nodes().len() {
            if self.nodes()[n].op.leaves_dimension() {
                return Err(Error::Undecided { law: "in bounds", elements: self.elements() });
            }
            n += 1;
        }
        Ok(())
    }

    /// Proves from the structure that every element of the space has exactly one
    /// coordinate. For constants.
    ///
    /// # Errors
    ///
    /// As [`prove_injective`](Self::prove_injective), and [`Error::Holes`].
    pub const fn prove_bijective(&self) -> Result<(), Error> {
        attempt!(self.prove_injective());
        if !self.has_padding() {
            return self.no_holes(self.elements());
        }
        // Coordinates in padding have no place, and unchecked ones may lie outside.
        if self.elements() > 64 {
            return Err(Error::Undecided { law: "bijective", elements: self.elements() });
        }
        let (mut found, mut id) = (0, 0);
        while id < self.elements() {
            let coordinate = self.nth(id);
            if let Ok(offset) = self.offset(coordinate.as_slice()) {
                attempt!(self.within_space(coordinate, offset));
                found += 1;
            }
            id += 1;
        }
        self.no_holes(found)
    }

    /// Whether a pad adds indices that the dimension below does not have.
    const fn has_padding(&self) -> bool {
        let mut n = 0;
        while n < self.nodes().len() {
            if self.nodes()[n].op.padding() > 0 {
                return true;
            }
            n += 1;
        }
        false
    }

    /// Two upper coordinates of node `n` collide below it: do two top coordinates
    /// collide? The nodes above are inverted; what cannot be inverted is undecided.
    const fn confirm(&self, n: usize, first: &List, second: &List) -> Result<(), Error> {
        let (one, other) = match (self.lift(n, first), self.lift(n, second)) {
            (Some(one), Some(other)) => (one, other),
            _ => return Ok(()),
        };
        match (self.offset(one.as_slice()), self.offset(other.as_slice())) {
            (Ok(a), Ok(b)) if a == b && !same(&one, &other) => {
                let (first, second) =
                    if before(&one, &other) { (one, other) } else { (other, one) };
                Err(Error::Collision { first, second, offset: a })
            }
            _ => Ok(()),
        }
    }

    /// The top coordinate whose index at node `n`'s upper dimensions is `upper`,
    /// all else 0.
    const fn lift(&self, n: usize, upper: &List) -> Option<List> {
        let mut hidden = [0; Self::MOST_HIDDEN];
        let node = &self.nodes()[n];
        let mut i = 0;
        while i < upper.len() {
            hidden[node.upper.as_slice()[i] as usize] = upper.as_slice()[i];
            i += 1;
        }
        let mut m = n + 1;
        while m < self.nodes().len() {
            if !self.nodes()[m].raise(&mut hidden) {
                return None;
            }
            m += 1;
        }
        let index = crate::plan::gather(&hidden, &self.top());
        Some(List::new(index.split_at(self.rank()).0))
    }

    const fn try_pairs(&self) -> Result<(), Error> {
        let mut second = 0;
        while second < self.elements() {
            let there = self.nth(second);
            let mut first = 0;
            while first < second {
                let here = self.nth(first);
                match (self.offset(here.as_slice()), self.offset(there.as_slice())) {
                    (Ok(a), Ok(b)) if a == b => {
                        return Err(Error::Collision { first: here, second: there, offset: a });
                    }
                    _ => {}
                }
                first += 1;
            }
            second += 1;
        }
        Ok(())
    }
}

const fn same(a: &List, b: &List) -> bool {
    !before(a, b) && !before(b, a)
}

/// Lexicographic order of two coordinates of one rank.
const fn before(a: &List, b: &List) -> bool {
    let mut i = 0;
    while i < a.len() {
        if a.as_slice()[i] != b.as_slice()[i] {
            return a.as_slice()[i] < b.as_slice()[i];
        }
        i += 1;
    }
    false
}

/// The next coordinate, the last dimension fastest.
fn advance(index: &mut [u32], lengths: &List) {
    for (index, length) in index.iter_mut().zip(lengths.as_slice()).rev() {
        *index += 1;
        if *index < *length {
            return;
        }
        *index = 0;
    }
}
