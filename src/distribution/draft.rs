//! A distribution as it is being written: factors one after another, then who owns which. Here
//! every fault is found, whichever way the distribution was spelled.

use super::encoding::{Encoding, Factor, NOBODY};
use super::fault::{DimensionName, DistributionError, FactorName, Owner};
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{List, NumberError, any, attempt, down, range};

/// Digits that are no distribution, without the reason.
pub(super) struct Misfit;

pub(super) const fn misfit(_: DistributionError) -> Misfit {
    Misfit
}

/// The place of each factor of an encoding in a draft, or [`GONE`].
pub(super) type Places = [usize; Encoding::MOST_FACTORS];

/// No factor of the draft.
pub(super) const GONE: usize = usize::MAX;

pub(super) struct Draft {
    made: Encoding,
}

impl Draft {
    pub(super) const fn new() -> Self {
        Self { made: Encoding::EMPTY }
    }

    /// Ends the factors of the repetitions, or of the last dimension, and begins a dimension.
    pub(super) const fn dimension(&mut self, name: &'static str) -> Result<(), DistributionError> {
        attempt!(self.end_dimension());
        if self.made.rank == List::CAPACITY {
            return Err(too_many("dimensions", List::CAPACITY));
        }
        let is_second = any!(d, 0..self.made.rank, is_same(self.made.dimensions[d], name));
        if is_second && !name.is_empty() {
            return Err(DistributionError::SameName { name, factors: None });
        }
        self.made.dimensions[self.made.rank] = name;
        self.made.rank += 1;
        self.made.begins[self.made.rank + 1] = self.made.count as u32;
        Ok(())
    }

    const fn end_dimension(&self) -> Result<(), DistributionError> {
        let Some(last) = self.made.rank.checked_sub(1) else { return Ok(()) };
        if self.made.begin(self.made.rank) == self.made.count {
            let dimension = DimensionName { name: self.made.dimensions[last], number: last as u32 };
            return Err(DistributionError::NoFactors { dimension });
        }
        Ok(())
    }

    /// A further factor of the last dimension; of the repetitions before the first one.
    pub(super) const fn factor(
        &mut self,
        name: &'static str,
        length: Result<u32, NumberError>,
    ) -> Result<(), DistributionError> {
        let (at, group) = (self.made.count, self.made.rank as u32);
        let length = match length {
            Ok(length) => length,
            Err(fault) => {
                return Err(DistributionError::Length { factor: self.next(name), fault });
            }
        };
        if at == Encoding::MOST_FACTORS {
            return Err(too_many("factors", Encoding::MOST_FACTORS));
        }
        if at - self.made.begin(self.made.rank) == List::CAPACITY {
            return Err(too_many("factors of a dimension", List::CAPACITY));
        }
        self.made.factors[at] = Factor { name, length, stride: 1, group, owner: NOBODY, below: 1 };
        self.made.count += 1;
        self.made.begins[self.made.rank + 1] = self.made.count as u32;
        if length == 0 {
            return Err(DistributionError::ZeroLength { factor: self.made.name_of(at) });
        }
        Ok(())
    }

    /// A factor that is to be added, as a sentence names it.
    const fn next(&self, name: &'static str) -> FactorName {
        let position = (self.made.count - self.made.begin(self.made.rank)) as u32;
        let dimension = match self.made.rank.checked_sub(1) {
            Some(last) => {
                Some(DimensionName { name: self.made.dimensions[last], number: last as u32 })
            }
            None => None,
        };
        FactorName { name, position, dimension }
    }

    /// The number of factors so far.
    pub(super) const fn count(&self) -> usize {
        self.made.count
    }

    /// Adds the factors of a group; `places` receives where each went.
    pub(super) const fn factors_of(
        &mut self,
        of: &Encoding,
        group: usize,
        places: &mut Places,
    ) -> Result<(), DistributionError> {
        range!(at, of.begin(group)..of.begin(group + 1), {
            places[at] = self.made.count;
            attempt!(self.factor(of.factors[at].name, Ok(of.factors[at].length)));
        });
        Ok(())
    }

    /// A dimension with its factors, or the repetitions, which are group 0.
    pub(super) const fn group(
        &mut self,
        of: &Encoding,
        group: usize,
        places: &mut Places,
    ) -> Result<(), DistributionError> {
        if let Some(dimension) = group.checked_sub(1) {
            attempt!(self.dimension(of.dimensions[dimension]));
        }
        self.factors_of(of, group, places)
    }

    /// An owner lists what it did, but for what is gone.
    pub(super) const fn owned_as_in(
        &mut self,
        of: &Encoding,
        owner: Owner,
        places: &Places,
    ) -> Result<(), DistributionError> {
        range!(place, 0..of.listed_by(owner), {
            let to = places[of.listed(owner, place)];
            if to != GONE {
                attempt!(self.claim(owner, to));
            }
        });
        Ok(())
    }

    /// The distribution whose wave, lane and thread list what they did, but for what is gone.
    pub(super) const fn owned_as_before(
        mut self,
        of: &Encoding,
        places: &Places,
    ) -> Result<Encoding, DistributionError> {
        range!(i, 0..3, { attempt!(self.owned_as_in(of, Owner::ALL[i], places)) });
        self.finish()
    }

    /// Refuses names that are given twice, where owners go by them.
    pub(super) const fn names_differ(&self) -> Result<(), DistributionError> {
        range!(second, 0..self.made.count, {
            let name = self.made.factors[second].name;
            range!(first, 0..second, {
                if !name.is_empty() && is_same(self.made.factors[first].name, name) {
                    let both = (self.made.name_of(first), self.made.name_of(second));
                    return Err(DistributionError::SameName { name, factors: Some(both) });
                }
            });
        });
        Ok(())
    }

    /// An owner lists a factor by its name, after those it has listed.
    pub(super) const fn owns(
        &mut self,
        owner: Owner,
        name: &'static str,
    ) -> Result<(), DistributionError> {
        range!(at, 0..self.made.count, {
            if is_same(self.made.factors[at].name, name) {
                return self.claim(owner, at);
            }
        });
        Err(DistributionError::UnknownName { owner, name })
    }

    /// Lists a factor for an owner by CK's two indices: major 0 is the repetitions, minor the position.
    pub(super) const fn owns_at(
        &mut self,
        owner: Owner,
        major: u32,
        minor: u32,
    ) -> Result<(), DistributionError> {
        let factors = self.made.factors_of(major);
        if minor >= factors {
            return Err(DistributionError::NoSuchFactor { owner, major, minor, factors });
        }
        self.claim(owner, self.made.begin(major as usize) + minor as usize)
    }

    /// An owner lists factor `at`.
    pub(super) const fn claim(&mut self, owner: Owner, at: usize) -> Result<(), DistributionError> {
        let factor = self.made.name_of(at);
        if let Some(first) = self.made.factors[at].owner() {
            return Err(DistributionError::OwnedTwice { factor, first, second: owner });
        }
        if owner.is(Owner::Thread) && self.made.factors[at].group == 0 {
            return Err(DistributionError::ThreadRepeats { factor });
        }
        let Ok(longer) = self.made.lists[owner as usize].push_back(at as u32) else {
            return Err(too_many("factors of an owner", List::CAPACITY));
        };
        self.made.factors[at].owner = owner as u32;
        self.made.lists[owner as usize] = longer;
        Ok(())
    }

    /// The distribution, if every factor has its owner and all numbers fit into 32 bits.
    pub(super) const fn finish(mut self) -> Result<Encoding, DistributionError> {
        if self.made.rank == 0 {
            return Err(DistributionError::NoDimensions);
        }
        attempt!(self.end_dimension());
        range!(at, 0..self.made.count, {
            let Factor { length, owner, .. } = self.made.factors[at];
            if owner == NOBODY && length != 1 {
                let factor = self.made.name_of(at);
                return Err(DistributionError::OwnedByNobody { factor, length });
            }
        });
        attempt!(self.strides());
        attempt!(self.number(Owner::Wave, "waves"));
        attempt!(self.number(Owner::Lane, "lanes"));
        attempt!(self.number(Owner::Thread, "elements of a lane"));
        Ok(self.made)
    }

    /// The stride of each factor in its dimension, the last 1, and the lengths of dimensions.
    const fn strides(&mut self) -> Result<(), DistributionError> {
        let (mut group, mut at) = (self.made.rank, self.made.count);
        loop {
            let (mut stride, begin) = (1u64, self.made.begin(group));
            while at > begin {
                at -= 1;
                self.made.factors[at].stride = stride as u32;
                stride =
                    attempt!(product(stride, self.made.factors[at].length, "a tile's elements"));
            }
            if group == 0 {
                self.made.replicas = stride as u32;
                return Ok(());
            }
            group -= 1;
            self.made.cover.lengths[group] = stride as u32;
        }
    }

    /// The place value of each factor in its owner's number, the last 1, and how many there are.
    const fn number(&mut self, owner: Owner, what: &'static str) -> Result<(), DistributionError> {
        let mut below = 1u64;
        down!(place, 0..self.made.listed_by(owner), {
            let at = self.made.listed(owner, place);
            self.made.factors[at].below = below as u32;
            below = attempt!(product(below, self.made.factors[at].length, what));
        });
        self.made.numbers[owner as usize] = below as u32;
        Ok(())
    }
}

const fn product(below: u64, length: u32, what: &'static str) -> Result<u64, DistributionError> {
    let product = below * length as u64;
    if product > u32::MAX as u64 {
        return Err(DistributionError::TooLarge { what });
    }
    Ok(product)
}

const fn too_many(what: &'static str, most: usize) -> DistributionError {
    DistributionError::TooMany { what, most: most as u32 }
}
