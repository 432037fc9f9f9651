//! Factors, and who owns which: a distribution as plain data.

use super::cover::Cover;
use super::fault::{DimensionName, DistributionError, FactorName, Owner};
use tiledesc_transforms::{Error, List, attempt, range};

/// Nobody, in a factor's field.
pub(super) const NOBODY: u32 = u32::MAX;

/// A factor of a tile dimension, or of the repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    pub(super) name: &'static str,
    pub(super) length: u32,
    /// The stride of its digit in its dimension.
    pub(super) stride: u32,
    /// 0 for a repetition, 1 for the first dimension: CK's major index.
    pub(super) group: u32,
    /// An [`Owner`], or [`NOBODY`]. Not an `Option`, whose uninitialised bytes the compiler tracks in
    /// every copy: see DESIGN, "What the compiler pays for".
    pub(super) owner: u32,
    /// The stride of its digit in its owner's number.
    pub(super) below: u32,
}

impl Factor {
    const NONE: Self = Self { name: "", length: 1, stride: 1, group: 0, owner: NOBODY, below: 1 };

    pub(super) const fn owner(&self) -> Option<Owner> {
        match self.owner {
            0 => Some(Owner::Wave),
            1 => Some(Owner::Lane),
            2 => Some(Owner::Thread),
            _ => None,
        }
    }

    /// Returns whether `faster` is the next digit both of the dimension and of the owner's number.
    pub(super) const fn continues(&self, faster: &Self) -> bool {
        faster.group == self.group
            && faster.owner == self.owner
            && self.stride as u64 == faster.stride as u64 * faster.length as u64
            && self.below as u64 == faster.below as u64 * faster.length as u64
    }
}

/// The holders of a tile's elements, as plain data: CK Tile's `tile_distribution_encoding`.
///
/// Each dimension is a product of *factors*, slowest first, and each factor is a digit of the number of the wave, of the lane, or
/// of an element in its lane. So one list gives both the place in the tile of an element of a lane, and the holder of a
/// coordinate.
///
/// ```
/// use tiledesc::distribution::{DistributionError, Encoding, Place};
///
/// // 256 lanes take 128 rows of 64, 8 elements at a time and 4 times.
/// const FETCH: Encoding = match Encoding::named(
///     &[],
///     &[("m", &[("again", 4), ("wave", 4), ("row", 8)]), ("k", &[("chunk", 8), ("half", 8)])],
///     &["wave"],
///     &["row", "chunk"],
///     &["again", "half"],
/// ) {
///     Ok(encoding) => encoding,
///     Err(_) => panic!(),
/// };
/// assert_eq!(FETCH.lengths(), [128, 64]);
/// assert_eq!((FETCH.waves(), FETCH.lanes(), FETCH.elements()), (4, 64, 32));
/// // Again 4, half 8: a lane's registers are an array of these lengths.
/// assert_eq!((FETCH.ys().as_slice(), FETCH.element(&[2, 3])?), (&[4, 8][..], 19));
/// // Wave 1, lane 10 = row 1, chunk 2; element 19 = again 2, half 3.
/// assert_eq!(FETCH.coordinate(1, 10, 19)?, [2 * 32 + 8 + 1, 2 * 8 + 3]);
/// assert_eq!(FETCH.owner(&[73, 19])?, Place { wave: 1, lane: 10, element: 19 });
/// # Ok::<(), DistributionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The factors of the repetitions, then those of each dimension, slowest first.
    pub(super) factors: [Factor; Self::MOST_FACTORS],
    pub(super) count: usize,
    pub(super) dimensions: [&'static str; List::CAPACITY],
    pub(super) rank: usize,
    pub(super) cover: Cover,
    pub(super) replicas: u32,
    /// The first factor of each group; after the last group, how many there are.
    pub(super) begins: [u32; List::CAPACITY + 2],
    /// The factors that each owner lists, slowest first.
    pub(super) lists: [List; 3],
    /// The numbers of waves, lanes and elements.
    pub(super) numbers: [u32; 3],
}

/// The wave and the lane that hold an element, and its place in the lane's registers.
///
/// ```
/// use tiledesc::{distribution::{BlockRaked, Distribution}, prelude::*};
///
/// type Fetch = BlockRaked<U128, U64, U8, U4>;
/// let owner = Fetch::owner([41, 9]);
/// assert_eq!((owner.wave, owner.lane, owner.element), (1, 9, 9));
/// assert_eq!(Fetch::coordinate(1, 9, 9), [41, 9]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The wave.
    pub wave: u32,
    /// The lane in its wave.
    pub lane: u32,
    /// The element in its lane.
    pub element: u32,
}

/// Returns whether a dimension has a name, and it is this one: `m` is `M`.
const fn is_name(name: &str, of_tile: &str) -> bool {
    !name.is_empty() && name.eq_ignore_ascii_case(of_tile)
}

impl Encoding {
    /// The most factors of all dimensions together. CK Tile's largest has 12.
    pub const MOST_FACTORS: usize = 32;

    pub(super) const EMPTY: Self = Self {
        factors: [Factor::NONE; Self::MOST_FACTORS],
        count: 0,
        dimensions: [""; List::CAPACITY],
        rank: 0,
        cover: Cover::NONE,
        replicas: 1,
        begins: [0; List::CAPACITY + 2],
        lists: [List::EMPTY; 3],
        numbers: [1; 3],
    };

    /// The number of tile dimensions.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The lengths of the tile, in elements.
    #[must_use]
    pub const fn lengths(&self) -> List {
        List::new(self.cover.lengths.split_at(self.rank).0)
    }

    /// Returns whether some lane holds nothing at one of its elements, because the factors [cover](Self::covering) more than the
    /// tile.
    #[must_use]
    pub const fn has_idle_lanes(&self) -> bool {
        self.cover.has_idle()
    }

    pub(crate) const fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The number of waves.
    #[must_use]
    pub const fn waves(&self) -> u32 {
        self.numbers[Owner::Wave as usize]
    }

    /// The number of lanes of a wave.
    #[must_use]
    pub const fn lanes(&self) -> u32 {
        self.numbers[Owner::Lane as usize]
    }

    /// The number of elements of a lane.
    #[must_use]
    pub const fn elements(&self) -> u32 {
        self.numbers[Owner::Thread as usize]
    }

    /// The number of lanes that hold each coordinate.
    #[must_use]
    pub const fn replicas(&self) -> u32 {
        self.replicas
    }

    /// The lengths of the factors that the thread owns, as it lists them: CK's Y dimensions.
    #[must_use]
    pub const fn ys(&self) -> List {
        self.lengths_of(Owner::Thread)
    }

    /// The lengths of the factors of an owner, as it lists them.
    pub(super) const fn lengths_of(&self, owner: Owner) -> List {
        let mut lengths = self.lists[owner as usize];
        range!(place, 0..self.listed_by(owner), {
            lengths = lengths.with(place, self.factors[self.listed(owner, place)].length);
        });
        lengths
    }

    /// The number of the element at a Y index: CK's `ys_to_d`, row-major.
    ///
    /// # Errors
    ///
    /// [`DistributionError::Coordinate`]: a wrong number of indices, one out of range.
    pub const fn element(&self, ys: &[u32]) -> Result<u32, DistributionError> {
        attempt!(in_range(&self.ys(), ys));
        let mut element = 0;
        range!(place, 0..ys.len(), {
            element += ys[place] * self.factors[self.listed(Owner::Thread, place)].below;
        });
        Ok(element)
    }

    /// The coordinate of an element of a lane.
    ///
    /// # Errors
    ///
    /// [`DistributionError::OutOfRange`]; [`DistributionError::Idle`] where the lane holds nothing.
    pub const fn coordinate(
        &self,
        wave: u32,
        lane: u32,
        element: u32,
    ) -> Result<List, DistributionError> {
        let numbers = [wave, lane, element];
        range!(i, 0..3, {
            if numbers[i] >= self.numbers[i] {
                let owner = Owner::ALL[i];
                let (number, numbers) = (numbers[i], self.numbers[i]);
                return Err(DistributionError::OutOfRange { owner, number, numbers });
            }
        });
        match self.cover.coordinate(self.counted(numbers), self.rank) {
            Some(coordinate) => Ok(coordinate),
            None => Err(DistributionError::Idle { wave, lane, element }),
        }
    }

    /// The coordinate of a wave, a lane and an element that exist, where all lanes hold all their elements.
    pub(crate) const fn at(&self, numbers: [u32; 3]) -> List {
        List::of_first(self.counted(numbers), self.rank)
    }

    /// The counts of the factors of each dimension, for numbers that exist.
    pub(crate) const fn counted(&self, numbers: [u32; 3]) -> [u32; List::CAPACITY] {
        let mut index = [0; List::CAPACITY];
        range!(at, self.begin(1)..self.count, {
            let factor = &self.factors[at];
            // Every factor but one of length 1 has an owner.
            if factor.length > 1 {
                let digit = numbers[factor.owner as usize] / factor.below % factor.length;
                index[factor.group as usize - 1] += digit * factor.stride;
            }
        });
        index
    }

    /// Refuses a coordinate of another rank, or out of range.
    #[cfg(debug_assertions)]
    pub(super) const fn check_coordinate(&self, index: &[u32]) -> Result<(), DistributionError> {
        in_range(&self.lengths(), index)
    }

    /// Returns the holder of a coordinate; of several lanes that do, the one whose repetitions are 0.
    ///
    /// # Errors
    ///
    /// [`DistributionError::Coordinate`]: a wrong number of indices, one out of range.
    pub const fn owner(&self, index: &[u32]) -> Result<Place, DistributionError> {
        self.owner_of_copy(index, 0)
    }

    /// Returns the holder of copy `copy` of a coordinate, from 0 to [`replicas`](Self::replicas).
    ///
    /// ```
    /// use tiledesc::distribution::Encoding;
    ///
    /// // A gfx11 WMMA holds 16 rows twice: in lanes 0 to 15 and in lanes 16 to 31.
    /// let rows = ("m", &[("row", 16)][..]);
    /// let wmma = Encoding::named(
    ///     &[("copy", 2)], &[rows, ("k", &[("pack", 16)])], &[], &["copy", "row"], &["pack"],
    /// )
    /// .unwrap();
    /// assert_eq!(wmma.owner_of_copy(&[3, 5], 1).unwrap().lane, 19);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`owner`](Self::owner), and a copy that does not exist.
    pub const fn owner_of_copy(
        &self,
        index: &[u32],
        copy: u32,
    ) -> Result<Place, DistributionError> {
        attempt!(in_range(&self.lengths(), index));
        attempt!(in_range(&List::new(&[self.replicas]), &[copy]));
        let counted = self.cover.numbers(index);
        let mut numbers = [0; 3];
        range!(at, 0..self.count, {
            let factor = &self.factors[at];
            if factor.length > 1 {
                let whole =
                    if factor.group == 0 { copy } else { counted[factor.group as usize - 1] };
                let digit = whole / factor.stride % factor.length;
                numbers[factor.owner as usize] += digit * factor.below;
            }
        });
        Ok(Place { wave: numbers[0], lane: numbers[1], element: numbers[2] })
    }

    /// Joins factors that are neighbours both in their dimension and in their owner's number: `k [b 3, c 4]; thread (b, c)`
    /// becomes `k [c 12]; thread (c)`. Every lane holds what it did.
    pub(super) const fn neighbours_joined(&self) -> Self {
        let (mut made, mut places) = (*self, [0; Self::MOST_FACTORS]);
        (made.count, made.lists) = (0, [List::EMPTY; 3]);
        range!(group, 0..self.rank + 1, {
            let begin = made.count;
            made.begins[group] = begin as u32;
            range!(at, self.begin(group)..self.begin(group + 1), {
                let factor = self.factors[at];
                let is_next = group > 0 && made.count > begin;
                if is_next && made.factors[made.count - 1].continues(&factor) {
                    let length = made.factors[made.count - 1].length * factor.length;
                    made.factors[made.count - 1] = Factor { length, ..factor };
                } else {
                    made.factors[made.count] = factor;
                    made.count += 1;
                }
                places[at] = made.count - 1;
            });
        });
        made.begins[self.rank + 1] = made.count as u32;
        range!(owner, 0..made.lists.len(), {
            let mut listed = 0u64;
            range!(place, 0..self.lists[owner].len(), {
                let to = places[self.lists[owner].at(place) as usize];
                if listed >> to & 1 == 0
                    && let Ok(longer) = made.lists[owner].push_back(to as u32)
                {
                    made.lists[owner] = longer;
                    listed |= 1 << to;
                }
            });
        });
        made
    }

    /// The number that the factors of a group count.
    pub(super) const fn covered(&self, group: usize) -> u32 {
        let first = self.begin(group);
        if first == self.begin(group + 1) {
            return 1;
        }
        self.factors[first].stride * self.factors[first].length
    }

    /// The first factor of a group.
    pub(super) const fn begin(&self, group: usize) -> usize {
        self.begins[group] as usize
    }

    /// The number of factors of a group; 0 of one that does not exist.
    pub(super) const fn factors_of(&self, group: u32) -> u32 {
        if group as usize > self.rank {
            return 0;
        }
        (self.begin(group as usize + 1) - self.begin(group as usize)) as u32
    }

    /// The factor at a place of an owner's list; there is one.
    pub(super) const fn listed(&self, owner: Owner, place: usize) -> usize {
        self.lists[owner as usize].at(place) as usize
    }

    /// The factors with their lengths: those of the repetitions, then those of each dimension, slowest first.
    #[doc(hidden)]
    pub fn named_factors(&self) -> impl Iterator<Item = (FactorName, u32)> + '_ {
        (0..self.count).map(|at| (self.name_of(at), self.factors[at].length))
    }

    /// The places of the factors that an owner lists, slowest first, among [all](Self::named_factors).
    #[doc(hidden)]
    #[must_use]
    pub const fn list_of(&self, owner: Owner) -> List {
        self.lists[owner as usize]
    }

    /// The number of factors that an owner lists.
    pub(super) const fn listed_by(&self, owner: Owner) -> usize {
        self.lists[owner as usize].len()
    }

    pub(super) const fn name_of(&self, at: usize) -> FactorName {
        let Factor { name, group, .. } = self.factors[at];
        let position = (at - self.begin(group as usize)) as u32;
        let dimension = match group.checked_sub(1) {
            Some(number) => Some(self.dimension_name(number as usize)),
            None => None,
        };
        FactorName { name, position, dimension }
    }

    /// The names of its two dimensions, if they are those of a tile's in the other order: `k [..], m [..]` of
    /// `M<128>, K<64>`. One of them alone may be a slip of the recipe's names, whose rows are M whatever they are.
    pub(crate) const fn exchanged(&self, [rows, columns]: [&str; 2]) -> Option<[&'static str; 2]> {
        let [first, second, ..] = self.dimensions;
        let is = self.rank == 2 && is_name(first, columns) && is_name(second, rows);
        if is { Some([first, second]) } else { None }
    }

    /// Refuses another distribution of the tile that has a name of this one at the other place.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Rows: m [row 64], k [half 8]; lane (row), thread (half);
    ///     type Turned: k [row 64], m [half 8]; lane (row), thread (half);
    /// }
    /// assert_eq!(Rows::ENCODING?.is_named_as(&Rows::ENCODING?), Ok(()));
    /// assert!(Rows::ENCODING?.is_named_as(&Turned::ENCODING?).is_err());
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::NamesDiffer`].
    pub const fn is_named_as(&self, of: &Self) -> Result<(), DistributionError> {
        let ([first, second, ..], [row, column, ..]) = (self.dimensions, of.dimensions);
        let is_exchanged = is_name(first, column) || is_name(second, row);
        if self.rank == 2 && of.rank == 2 && is_exchanged {
            let (one, other) = ([first, second], [row, column]);
            return Err(DistributionError::NamesDiffer { one, other });
        }
        Ok(())
    }

    /// Returns a dimension as a sentence names it; one that the tile does not have has no name.
    ///
    /// ```
    /// use tiledesc::distribution::Encoding;
    ///
    /// let rows = [("m", &[("row", 64)][..]), ("k", &[("pack", 4)][..])];
    /// let held = Encoding::named(&[], &rows, &[], &["row"], &["pack"])?;
    /// assert_eq!((held.dimension_name(1).name, held.dimension_name(1).number), ("k", 1));
    /// assert_eq!(held.dimension_name(20).name, "");
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    #[must_use]
    pub const fn dimension_name(&self, dimension: usize) -> DimensionName {
        let is_known = dimension < self.rank;
        let name = if is_known { self.dimensions[dimension] } else { "" };
        DimensionName { name, number: dimension as u32 }
    }
}

/// Refuses an index of another rank, or out of range.
const fn in_range(lengths: &List, index: &[u32]) -> Result<(), DistributionError> {
    let (wanted, given) = (lengths.len() as u32, index.len() as u32);
    if wanted != given {
        return Err(DistributionError::Coordinate(Error::Rank { wanted, given }));
    }
    range!(i, 0..index.len(), {
        let (dimension, index, length) = (i as u32, index[i], lengths.at(i));
        if index >= length {
            let error = Error::OutOfRange { dimension, index, length };
            return Err(DistributionError::Coordinate(error));
        }
    });
    Ok(())
}
