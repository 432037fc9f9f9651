//! Exchanges in registers: a tile that lanes hold in one way is to be held in another.
//!
//! ```text
//!   m [lane 64, row 4], k [column 4]; lane (lane), thread (row, column)    to
//!   m [lane 64, row 4], k [column 4]; lane (lane), thread (column, row)    registers 0 4 8 12 1 ..
//!   m [row 4, lane 64], k [column 4]; lane (lane), thread (row, column)    through LDS: lane 1 has
//!                                                                          rows 1, 65, .. and not 4 to 7
//! ```
//!
//! A coordinate is the sum of what wave, lane and element bring, and what a number brings is a list of
//! digits, each with its step. Two such lists are one map iff they bring the same at the place values
//! of both: take neighbours of one step for one digit; the first digit that is not in both differs
//! in its step, which is seen at its place value, or in its length, which is seen at the place value
//! above the shorter one. Digits of repetitions have step 0. So a dozen numbers are tried, and not
//! all lanes. Each lane holds the same elements in both ways iff three pairs of lists are one map:
//!
//! * that of the elements, in the order of the tile (`sweep`): then lane 0 holds the same, and what
//!   is swept first in the one is swept first in the other, which is the permutation of all lanes;
//! * that of the lanes and that of the waves: then each begins at the same coordinate in both.
//!
//! None of it needs powers of two. CK Tile's `shuffle_tile` demands equal R, H and P and permutes Y; its `transpose_tile2d` is an
//! exchange with a [`Transposed`](super::Transposed).

use super::encoding::Encoding;
use super::fault::{DistributionError, Owner};
use super::typed::Distribution;
use core::marker::PhantomData;
use tiledesc_macros::Phantom;
use tiledesc_transforms::{List, Text, all, attempt, range, say, unrolled};

/// The registers of a lane that holds a tile in one way, as the registers that hold it in
/// another: what [`Encoding::exchange`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    from: [u16; Self::MOST],
    elements: usize,
    elsewhere: Option<Elsewhere>,
}

/// The reason why lanes cannot keep a tile to themselves: an element has to come from another lane.
///
/// ```
/// use tiledesc::{distribution::exchange, matrix::mfma};
/// use tiledesc::prelude::*;
///
/// // What one product leaves in registers is not an operand of the next.
/// let moves = exchange::<mfma::F16_32x32x8::Ct, mfma::Operand<U32, U32>>();
/// assert_eq!(
///     moves.elsewhere().unwrap().to_string(),
///     "lane 0 of wave 0 must hold (0, 4), which another lane holds; exchange through LDS instead",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Elsewhere {
    /// Lanes hold more elements in one way than in the other: repetitions were added or dropped.
    Elements {
        /// Elements of a lane before.
        from: u32,
        /// Elements of a lane after.
        to: u32,
    },
    /// A lane is to hold an element that it does not have.
    Coordinate {
        /// The first wave with such a lane.
        wave: u32,
        /// The first lane of that wave.
        lane: u32,
        /// The element.
        coordinate: List,
    },
}

impl Elsewhere {
    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Elements { from, to } => say!(text:
                "a lane holds ", from, " elements before and ", to, " after; exchange through LDS instead"
            ),
            Self::Coordinate { wave, lane, coordinate } => say!(text:
                "lane ", lane, " of wave ", wave, " must hold ", coordinate(coordinate.as_slice()),
                ", which another lane holds; exchange through LDS instead"
            ),
        }
    }
}

impl core::fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl Moves {
    /// The most elements of a lane: 512 registers of two halves each.
    pub const MOST: usize = 1024;

    const fn elsewhere_of(elsewhere: Elsewhere) -> Self {
        Self { from: [0; Self::MOST], elements: 0, elsewhere: Some(elsewhere) }
    }

    /// The source of each element: element j of the second way is element `permutation[j]` of the first, in every lane. `None` if
    /// an element comes from another lane.
    #[must_use]
    pub const fn permutation(&self) -> Option<&[u16]> {
        if self.is_through_lds() { None } else { Some(self.from.split_at(self.elements).0) }
    }

    /// Returns whether an element comes from another lane.
    #[must_use]
    pub const fn is_through_lds(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// The first element that does, or that there are not equally many; `None` if lanes keep
    /// theirs.
    #[must_use]
    pub const fn elsewhere(&self) -> Option<Elsewhere> {
        self.elsewhere
    }

    /// Returns whether nothing moves: both ways are one.
    #[must_use]
    pub const fn is_identity(&self) -> bool {
        !self.is_through_lds() && all!(j, 0..self.elements, self.from[j] as usize == j)
    }
}

impl Encoding {
    /// Returns the moves of lanes that hold a tile in this way and are to hold it in another: permute their registers, or go
    /// through LDS.
    ///
    /// ```
    /// use tiledesc::distribution::{DistributionError, Encoding};
    ///
    /// // Two rows of three a lane, row by row or column by column.
    /// let of = |thread: &[&'static str]| {
    ///     let dimensions = [("m", &[("lane", 64), ("row", 2)][..]), ("k", &[("column", 3)])];
    ///     Encoding::named(&[], &dimensions, &[], &["lane"], thread)
    /// };
    /// let (rows, columns) = (of(&["row", "column"])?, of(&["column", "row"])?);
    /// let moves = rows.exchange(&columns)?;
    /// assert_eq!(moves.permutation(), Some(&[0, 3, 1, 4, 2, 5][..]));
    /// assert_eq!((moves.is_identity(), rows.exchange(&rows)?.is_identity()), (false, true));
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::OtherTile`], [`DistributionError::OtherNumber`] of waves or lanes; more than 1024 elements of a lane.
    /// For tiles that the factors [cover](Self::covering) and do not divide [`DistributionError::OtherCover`] and
    /// [`DistributionError::Together`], where they do so in two ways; what is beyond the tile is moved with the rest.
    pub const fn exchange(&self, to: &Self) -> Result<Moves, DistributionError> {
        attempt!(self.is_comparable(to));
        attempt!(self.is_named_as(to));
        attempt!(self.is_covered_as(to));
        let (from_elements, to_elements) = (self.elements(), to.elements());
        if from_elements != to_elements {
            let (from, to) = (from_elements, to_elements);
            return Ok(Moves::elsewhere_of(Elsewhere::Elements { from, to }));
        }
        if to_elements as usize > Moves::MOST {
            let most = Moves::MOST as u32;
            return Err(DistributionError::TooMany { what: "elements of a lane", most });
        }
        let mut moves =
            Moves { from: [0; Moves::MOST], elements: to_elements as usize, elsewhere: None };
        range!(element, 0..to_elements, {
            match self.held_first(&to.counted([0, 0, element])) {
                Some(from) => moves.from[element as usize] = from as u16,
                None => return Ok(Moves::elsewhere_of(self.lacking(to, 0, 0))),
            }
        });
        // Every digit adds by itself, so that all lanes move theirs alike unless they begin elsewhere.
        if let Some([wave, lane]) = self.first_that_moves(to) {
            return Ok(Moves::elsewhere_of(self.lacking(to, wave, lane)));
        }
        Ok(moves)
    }

    /// Refuses a distribution whose factors count further, or not as far, or other dimensions together: what is beyond the tile
    /// moves with the rest, as if it were there.
    const fn is_covered_as(&self, to: &Self) -> Result<(), DistributionError> {
        range!(d, 1..self.rank(), {
            if self.cover().carries(d) != to.cover().carries(d) {
                let (first, second) = (self.dimension_name(d - 1), self.dimension_name(d));
                return Err(DistributionError::Together { first, second });
            }
        });
        range!(d, 0..self.rank(), {
            let (from, to) = (self.covered(d + 1), to.covered(d + 1));
            if from != to {
                let dimension = self.dimension_name(d);
                return Err(DistributionError::OtherCover { dimension, from, to });
            }
        });
        Ok(())
    }

    /// Refuses a distribution of another tile, or of other lanes.
    const fn is_comparable(&self, to: &Self) -> Result<(), DistributionError> {
        let (from_tile, to_tile) = (self.lengths(), to.lengths());
        if !from_tile.is_same(&to_tile) {
            return Err(DistributionError::OtherTile { from: from_tile, to: to_tile });
        }
        let owners = [Owner::Wave, Owner::Lane];
        range!(i, 0..owners.len(), {
            let (owner, from, to) = (owners[i], self.numbers[i], to.numbers[i]);
            if from != to {
                return Err(DistributionError::OtherNumber { owner, from, to });
            }
        });
        Ok(())
    }

    /// The first wave and lane whose first element is elsewhere in the other one, if there are any: of all numbers that bring
    /// something else the first is a place value.
    const fn first_that_moves(&self, to: &Self) -> Option<[u32; 2]> {
        let owners = [Owner::Lane, Owner::Wave];
        range!(i, 0..owners.len(), {
            let mut numbers = [0; 3];
            let (here, there) = (self.moved_to(to, owners[i]), to.moved_to(self, owners[i]));
            let first = if here < there { here } else { there };
            if first != NO_NUMBER {
                numbers[owners[i] as usize] = first;
                return Some([numbers[0], numbers[1]]);
            }
        });
        None
    }

    /// The least place value of an owner at which the other one is elsewhere.
    const fn moved_to(&self, to: &Self, owner: Owner) -> u32 {
        let mut first = NO_NUMBER;
        range!(place, 0..self.listed_by(owner), {
            let factor = &self.factors[self.listed(owner, place)];
            let mut numbers = [0; 3];
            numbers[owner as usize] = factor.below;
            if factor.length > 1
                && factor.below < first
                && !self.at(numbers).is_same(&to.at(numbers))
            {
                first = factor.below;
            }
        });
        first
    }

    /// The element of lane 0 of wave 0 at a coordinate, if that lane holds it: no other owner has a digit there.
    const fn held_first(&self, index: &[u32; List::CAPACITY]) -> Option<u32> {
        let mut element = 0;
        range!(at, self.begin(1)..self.count, {
            let factor = &self.factors[at];
            if factor.length > 1 {
                let digit = index[factor.group as usize - 1] / factor.stride % factor.length;
                if factor.owner == Owner::Thread as u32 {
                    element += digit * factor.below;
                } else if digit > 0 {
                    return None;
                }
            }
        });
        Some(element)
    }

    /// An element that a lane holds in the other one and not in this one, of the tile if one is. The lane is the first; or the first
    /// that moves, where the first does not: then what it holds are the first lane's elements a digit further in another
    /// place, none of which are the same.
    const fn lacking(&self, to: &Self, wave: u32, lane: u32) -> Elsewhere {
        let mut beyond = None;
        range!(element, 0..to.elements(), {
            let counted = to.counted([wave, lane, element]);
            if wave + lane > 0 || self.held_first(&counted).is_none() {
                if let Some(coordinate) = to.cover().coordinate(counted, to.rank()) {
                    return Elsewhere::Coordinate { wave, lane, coordinate };
                }
                beyond = if beyond.is_some() { beyond } else { Some(element) };
            }
        });
        let coordinate = to.at([wave, lane, if let Some(element) = beyond { element } else { 0 }]);
        Elsewhere::Coordinate { wave, lane, coordinate }
    }
}

/// More than any place value.
const NO_NUMBER: u32 = u32::MAX;

/// The moves of a lane that holds a tile by `From` and is to hold it by `To`: see [`exchange`].
#[derive(Phantom)]
pub struct Exchange<From, To>(PhantomData<(From, To)>);

/// Returns the exchange from the registers of one distribution to those of another of the same tile and the same lanes: a
/// permutation, if all lanes hold the same elements in both, and else the news that it takes LDS.
///
/// ```
/// use tiledesc::distribution::{Exchange, Shuffled, ThreadRaked, Transposed, exchange};
/// use tiledesc::matrix::mfma;
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 4x4 elements a lane, row by row.
///     type Quad: m [lane 64, row 4], k [column 4]; lane (lane), thread (row, column);
///     /// The same, column by column.
///     type QuadT: m [lane 64, row 4], k [column 4]; lane (lane), thread (column, row);
/// }
/// const S: Exchange<Quad, QuadT> = exchange::<Quad, QuadT>();
/// assert_eq!(S.permutation().unwrap()[..4], [0, 4, 8, 12]);
///
/// // In a kernel: moves of registers, which the compiler renames.
/// let rows: [u32; 16] = core::array::from_fn(|element| element as u32);
/// let columns = exchange::<Quad, QuadT>().apply(rows);
/// assert_eq!(columns[..4], [0, 4, 8, 12]);
///
/// // CK Tile's shuffle of a fetch, which is to be stored transposed.
/// type Fetch = ThreadRaked<U128, U64, U8, U4>;
/// let shuffle = exchange::<Transposed<Fetch>, Shuffled<Fetch>>();
/// assert_eq!(shuffle.permutation().unwrap()[..5], [0, 8, 16, 24, 1]);
///
/// // The rows of a fetch are not those of a matrix instruction's lanes.
/// assert!(exchange::<ThreadRaked<U32, U8, U4, U1>, mfma::F16_32x32x8::A>().is_through_lds());
/// ```
///
/// # Panics
///
/// In a constant, on the caller's line: if one of them is not a distribution, if tiles, waves or lanes differ, with
/// the numbers; if a lane has more than 1024 elements. Elsewhere every method of what it returns refuses the
/// same when code is generated, so that such a program does not compile either.
#[must_use]
#[track_caller]
pub const fn exchange<From: Distribution, To: Distribution>() -> Exchange<From, To> {
    // No `const {}` block: in a user's constant the error would stand here and not on the user's line.
    Exchange::<From, To>::check();
    Exchange(PhantomData)
}

impl<From: Distribution, To: Distribution> Exchange<From, To> {
    /// The moves as data, or why there are none.
    pub const MOVES: Result<Moves, DistributionError> = match (&From::ENCODING, &To::ENCODING) {
        (Ok(from), Ok(to)) => from.exchange(to),
        (Err(fault), _) | (_, Err(fault)) => Err(*fault),
    };

    /// The source of each register; `None` if one comes from another lane: see [`Moves::permutation`].
    #[must_use]
    pub const fn permutation(self) -> Option<&'static [u16]> {
        const { Self::check() };
        match const { &Self::MOVES } {
            Ok(moves) => moves.permutation(),
            Err(_) => None,
        }
    }

    /// Returns whether an element comes from another lane, so that the tile goes through LDS.
    #[must_use]
    pub const fn is_through_lds(self) -> bool {
        const { Self::check() };
        !matches!(const { &Self::MOVES }, Ok(moves) if !moves.is_through_lds())
    }

    /// The first element that comes from another lane; `None` if lanes keep theirs.
    #[must_use]
    pub const fn elsewhere(self) -> Option<Elsewhere> {
        const { Self::check() };
        match const { &Self::MOVES } {
            Ok(moves) => moves.elsewhere(),
            Err(_) => None,
        }
    }

    /// Returns the exchange if it is in registers: for constants, so that one through LDS does not compile.
    ///
    /// ```
    /// use tiledesc::distribution::{Exchange, Shuffled, ThreadRaked, Transposed, exchange};
    /// use tiledesc::prelude::*;
    ///
    /// type Fetch = ThreadRaked<U128, U64, U8, U4>;
    /// const SHUFFLE: Exchange<Transposed<Fetch>, Shuffled<Fetch>> = exchange().in_registers();
    /// assert!(!SHUFFLE.is_through_lds());
    /// ```
    ///
    /// # Panics
    ///
    /// On the caller's line, with an element that comes from another lane: in a constant when it is compiled, elsewhere when it
    /// runs. Where a refusal is a case of its own, see [`elsewhere`](Self::elsewhere).
    #[must_use]
    #[track_caller]
    pub const fn in_registers(self) -> Self {
        match self.elsewhere() {
            Some(elsewhere) => elsewhere.explain(Text::new()).refuse(),
            None => self,
        }
    }

    /// Returns the registers of a lane that holds the tile by `To`, made from those of one that holds it by `From`: moves and
    /// nothing else. Another number of registers, or an element that comes from another lane, is an error when code is generated.
    ///
    /// ```compile_fail
    /// use tiledesc::{distribution::exchange, matrix::mfma};
    ///
    /// type Sums = mfma::F16_32x32x8::Ct;
    /// type Operand = mfma::Operand<tiledesc::Lit<32>, tiledesc::Lit<32>>;
    /// let operand = exchange::<Sums, Operand>().apply([0.0; 16]);
    /// // error: lane 0 of wave 0 must hold (0, 4), which another lane holds; exchange through LDS instead
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn apply<E: Copy, const N: usize>(self, registers: [E; N]) -> [E; N] {
        const { Self::check_registers(N) };
        let from = const { &Self::SOURCES };
        let mut moved = registers;
        unrolled!(element, 256, N, { moved[element] = registers[from[element] as usize] });
        // Accumulators of a block are 256 at most; beyond, the compiler unrolls if it likes.
        for element in 256..N {
            moved[element] = registers[from[element] as usize];
        }
        moved
    }

    /// Refuses distributions between which there is no exchange, not even through LDS.
    #[track_caller]
    const fn check() {
        if let Err(fault) = &Self::MOVES {
            fault.text().refuse()
        }
    }

    const SOURCES: [u16; Moves::MOST] = match &Self::MOVES {
        Ok(moves) => moves.from,
        Err(_) => [0; Moves::MOST],
    };

    #[track_caller]
    const fn check_registers(registers: usize) {
        match &Self::MOVES {
            Err(fault) => fault.text().refuse(),
            Ok(moves) => {
                if let Some(elsewhere) = moves.elsewhere {
                    elsewhere.explain(Text::new()).refuse()
                }
                if moves.elements != registers {
                    let elements = moves.elements;
                    say!(Text::new():
                        registers, " registers of a lane that holds ", elements, " elements"
                    )
                    .refuse()
                }
            }
        }
    }
}
