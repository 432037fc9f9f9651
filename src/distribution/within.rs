//! Distributions of distributions: waves and iterations around a matrix instruction, and the
//! same with its dimensions swapped.
//!
//! ```text
//!   outer   m [again 2, wave 2],          k [deep 4];    wave (wave),      thread (again, deep)
//!   inner   m [row 32],                   k [part 2, pack 8]; lane (part, row), thread (pack)
//!   within  m [again 2, wave 2, row 32],  k [deep 4, part 2, pack 8];
//!           wave (wave), lane (part, row), thread (again, deep, pack)
//! ```
//!
//! Source: CK Tile, `make_embed_tile_distribution_encoding`.

use super::draft::{Draft, GONE, Places};
use super::encoding::Encoding;
use super::fault::{DistributionError, Owner};
use super::typed::{Distribution, OperandOf};
use core::marker::PhantomData;
use tiledesc_transforms::{List, attempt, down, range};

impl Encoding {
    /// This one around another: repetitions, each dimension, and what wave, lane and thread
    /// list, are those of this one followed by those of `inner`. CK Tile's
    /// `make_embed_tile_distribution_encoding`.
    ///
    /// ```
    /// use tiledesc::{distribution::{DistributionError, Encoding}, matrix::mfma};
    /// use tiledesc::prelude::*;
    ///
    /// // 2 waves, each with 2 operands of 32 rows and 4 of 16 columns.
    /// let waves = [("m", &[("again", 2), ("wave", 2)][..]), ("k", &[("deep", 4)])];
    /// let waves = Encoding::named(&[], &waves, &["wave"], &[], &["again", "deep"])?;
    /// let read = waves.around(&mfma::F16_32x32x16::A::ENCODING?)?;
    /// assert_eq!((read.lengths().as_slice(), read.elements()), (&[128, 64][..], 2 * 4 * 8));
    /// // Wave 1, lane 33; again 1, deep 2, pack 5: row 64 + 32 + 1, column 2 * 16 + 8 + 5.
    /// assert_eq!(read.coordinate(1, 33, (4 + 2) * 8 + 5)?, [97, 45]);
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::RanksDiffer`], [`DistributionError::NamesDiffer`], too many factors, too large; [`DistributionError::EndsWithin`] where the
    /// inner tile ends before its factors do and is repeated, [`DistributionError::Together`] where one number counts
    /// two dimensions.
    pub const fn around(&self, inner: &Self) -> Result<Self, DistributionError> {
        if self.rank() != inner.rank() {
            let (outer, inner) = (self.rank() as u32, inner.rank() as u32);
            return Err(DistributionError::RanksDiffer { outer, inner });
        }
        let lengths = attempt!(self.lengths_around(inner));
        attempt!(self.is_named_as(inner));
        let mut draft = Draft::new();
        let (mut first, mut second) = ([GONE; Self::MOST_FACTORS], [GONE; Self::MOST_FACTORS]);
        range!(group, 0..self.rank() + 1, {
            if group > 0 {
                let (name, other) = (self.dimensions[group - 1], inner.dimensions[group - 1]);
                attempt!(draft.dimension(if name.is_empty() { other } else { name }));
            }
            attempt!(draft.factors_of(self, group, &mut first));
            attempt!(draft.factors_of(inner, group, &mut second));
        });
        range!(i, 0..3, {
            attempt!(draft.owned_as_in(self, Owner::ALL[i], &first));
            attempt!(draft.owned_as_in(inner, Owner::ALL[i], &second));
        });
        Ok(attempt!(draft.finish()).ending_at(&lengths))
    }

    /// The lengths of the tile of both. The outer factors count whole inner tiles, so that the inner one may end
    /// before its factors do only where it is not repeated.
    const fn lengths_around(&self, inner: &Self) -> Result<List, DistributionError> {
        attempt!(self.check_apart());
        attempt!(inner.check_apart());
        let mut lengths = self.lengths();
        range!(d, 0..self.rank(), {
            let (length, covered) = (inner.cover().lengths[d], inner.covered(d + 1));
            let times = self.covered(d + 1);
            if length < covered && times > 1 {
                let dimension = inner.dimension_name(d);
                return Err(DistributionError::EndsWithin { dimension, length, covered, times });
            }
            // Of more than 32 bits the draft is refused.
            lengths = lengths.with(d, lengths.at(d).saturating_mul(length));
        });
        Ok(lengths)
    }

    /// The lengths in the other order.
    const fn lengths_turned(&self) -> List {
        let (of, mut lengths) = (self.lengths(), self.lengths());
        range!(d, 0..self.rank(), {
            lengths = lengths.with(d, of.at(self.rank() - 1 - d));
        });
        lengths
    }

    /// The dimensions in the other order, and the thread's factors too: what CK Tile shuffles a
    /// fetch to (`make_shuffled_2d_static_tile_distribution`), to store it transposed. As a type:
    /// [`Shuffled`].
    ///
    /// ```
    /// use tiledesc::distribution::{DistributionError, ThreadRaked};
    /// use tiledesc::prelude::*;
    ///
    /// // 4 rows of 8 neighbours a lane; then 8 rows of 4.
    /// let fetch = ThreadRaked::<U128, U64, U8, U4>::ENCODING?;
    /// let store = fetch.shuffled()?;
    /// assert_eq!((store.lengths().as_slice(), store.ys().as_slice()), (&[64, 128][..], &[8, 4][..]));
    /// assert_eq!(fetch.coordinate(1, 9, 2 * 8 + 3)?, [38, 11]);
    /// assert_eq!(store.coordinate(1, 9, 3 * 4 + 2)?, [11, 38]);
    /// // Transposed alone, the lane's registers stay as they are.
    /// assert_eq!(fetch.transposed()?.coordinate(1, 9, 2 * 8 + 3)?, [11, 38]);
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::Together`] where one number counts two dimensions.
    pub const fn shuffled(&self) -> Result<Self, DistributionError> {
        let mut places = [GONE; Self::MOST_FACTORS];
        let mut draft = attempt!(self.turned(&mut places));
        down!(place, 0..self.listed_by(Owner::Thread), {
            attempt!(draft.claim(Owner::Thread, places[self.listed(Owner::Thread, place)]));
        });
        Ok(attempt!(draft.finish()).ending_at(&self.lengths_turned()))
    }

    /// Only the dimensions in the other order: every lane holds the same elements in the same registers, at
    /// exchanged coordinates. As a type: [`Transposed`].
    ///
    /// # Errors
    ///
    /// [`DistributionError::Together`] where one number counts two dimensions.
    pub const fn transposed(&self) -> Result<Self, DistributionError> {
        let mut places = [GONE; Self::MOST_FACTORS];
        let mut draft = attempt!(self.turned(&mut places));
        attempt!(draft.owned_as_in(self, Owner::Thread, &places));
        Ok(attempt!(draft.finish()).ending_at(&self.lengths_turned()))
    }

    /// The dimensions in the other order, with what waves and lanes own of them.
    const fn turned(&self, places: &mut Places) -> Result<Draft, DistributionError> {
        attempt!(self.check_apart());
        let mut draft = Draft::new();
        attempt!(draft.group(self, 0, places));
        down!(group, 1..self.rank() + 1, { attempt!(draft.group(self, group, places)) });
        attempt!(draft.owned_as_in(self, Owner::Wave, places));
        attempt!(draft.owned_as_in(self, Owner::Lane, places));
        Ok(draft)
    }
}

/// One distribution around another: a block as waves and iterations around a matrix
/// instruction.
///
/// ```
/// use tiledesc::{distribution::Within, matrix::mfma};
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 2 x 2 waves, each of which has 2 instructions along m and 4 along k.
///     type Waves:
///         m [again 2, wave 2], k [deep 4];
///         repeat [n 2], wave (wave, n), thread (again, deep);
/// }
/// // 16 of k: one 32x32x16 of gfx950, two 32x32x8 of gfx942.
/// type Read = Within<Waves, mfma::Operand<U32, U16>>;
/// assert_eq!((Read::WAVES, Read::LANES_PER_WAVE, Read::ELEMENTS), (4, 64, 64));
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! { ABlock on gfx942: read ds_read_b128 by Read }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Within<Outer, Inner>(PhantomData<(Outer, Inner)>);

impl<Outer: Distribution, Inner: Distribution> Distribution for Within<Outer, Inner> {
    const ENCODING: Result<Encoding, DistributionError> = match (&Outer::ENCODING, &Inner::ENCODING)
    {
        (Ok(outer), Ok(inner)) => outer.around(inner),
        (Err(fault), _) | (_, Err(fault)) => Err(*fault),
    };
    const OPERAND_OF: Option<&'static OperandOf> = match Inner::OPERAND_OF {
        Some(operand) => Some(operand),
        None => Outer::OPERAND_OF,
    };
}

/// A distribution with its dimensions in the other order, and the thread's factors too: see
/// [`Encoding::shuffled`].
///
/// ```
/// use tiledesc::distribution::{Shuffled, ThreadRaked};
/// use tiledesc::prelude::*;
///
/// // 128 rows of 64 are fetched, 8 columns and 4 rows a lane, and stored as 64 rows of 128.
/// type Fetch = ThreadRaked<U128, U64, U8, U4>;
/// assert_eq!(Fetch::coordinate(1, 9, 2 * 8 + 3), [32 + 4 + 2, 8 + 3]);
/// assert_eq!(Shuffled::<Fetch>::coordinate(1, 9, 3 * 4 + 2), [8 + 3, 32 + 4 + 2]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shuffled<T>(PhantomData<T>);

impl<T: Distribution> Distribution for Shuffled<T> {
    const ENCODING: Result<Encoding, DistributionError> = match &T::ENCODING {
        Ok(encoding) => encoding.shuffled(),
        Err(fault) => Err(*fault),
    };
    const OPERAND_OF: Option<&'static OperandOf> = T::OPERAND_OF;
}

/// A distribution with its dimensions in the other order, and the registers as they are: the tile
/// read as its transpose. See [`Encoding::transposed`].
///
/// ```
/// use tiledesc::distribution::{ThreadRaked, Transposed};
/// use tiledesc::prelude::*;
///
/// type Fetch = ThreadRaked<U128, U64, U8, U4>;
/// assert_eq!(Fetch::coordinate(1, 9, 2 * 8 + 3), [32 + 4 + 2, 8 + 3]);
/// assert_eq!(Transposed::<Fetch>::coordinate(1, 9, 2 * 8 + 3), [8 + 3, 32 + 4 + 2]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Transposed<T>(PhantomData<T>);

impl<T: Distribution> Distribution for Transposed<T> {
    const ENCODING: Result<Encoding, DistributionError> = match &T::ENCODING {
        Ok(encoding) => encoding.transposed(),
        Err(fault) => Err(*fault),
    };
    const OPERAND_OF: Option<&'static OperandOf> = T::OPERAND_OF;
}
