//! A distribution by CK Tile's six parameters, for ports.

use super::encoding::Encoding;
use super::fault::DistributionError;
use super::typed::Distribution;
use core::marker::PhantomData;
use tiledesc_macros::each;
use tiledesc_transforms::{List, NumberError, Sequence, attempt, range};

/// A distribution by CK Tile's six parameters: `tile_distribution_encoding<Rs, Hs, PsMajor,
/// PsMinor, YsMajor, YsMinor>`. Numbers may be parameters of a kernel.
///
/// ```
/// use tiledesc::prelude::*;
///
/// type ABlock = Encoded<
///     seq![2],
///     lists![[2, 2, 32], [4, 2, 8]],
///     lists![[1, 0], [2, 1]],
///     lists![[1, 0], [1, 2]],
///     seq![1, 2, 2],
///     seq![0, 0, 2],
/// >;
/// assert_eq!((ABlock::WAVES, ABlock::LANES_PER_WAVE, ABlock::ELEMENTS), (4, 64, 64));
/// assert_eq!(ABlock::coordinate(2, 33, 37), [64 + 32 + 1, 8 + 5]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Encoded<Rs, Hs, PsMajor, PsMinor, YsMajor, YsMinor>(
    PhantomData<(Rs, Hs, PsMajor, PsMinor, YsMajor, YsMinor)>,
);

impl<Rs, Hs, PsMajor, PsMinor, YsMajor, YsMinor> Distribution
    for Encoded<Rs, Hs, PsMajor, PsMinor, YsMajor, YsMinor>
where
    Rs: Sequence,
    Hs: Sequences,
    PsMajor: Sequences,
    PsMinor: Sequences,
    YsMajor: Sequence,
    YsMinor: Sequence,
{
    const ENCODING: Result<Encoding, DistributionError> = {
        match (list_of::<Rs>(), list_of::<YsMajor>(), list_of::<YsMinor>()) {
            (Ok(rs), Ok(major), Ok(minor)) => {
                of_lists(rs, Hs::LISTS, [PsMajor::LISTS, PsMinor::LISTS], [major, minor])
            }
            (Err(fault), ..) | (_, Err(fault), _) | (.., Err(fault)) => {
                Err(DistributionError::Number(fault))
            }
        }
    };
}

/// Sequences of numbers, one after another: what [`lists!`](crate::lists!) makes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of sequences",
    note = "write `lists![[2, 2, 32], [4, 2, 8]]`; at most 12 sequences"
)]
pub trait Sequences {
    /// The elements of each sequence.
    const LISTS: &'static [Result<List, NumberError>];
}

const fn list_of<S: Sequence>() -> Result<List, NumberError> {
    match S::FAULT {
        Some(fault) => Err(fault),
        None => Ok(S::VALUES),
    }
}

// Tuples of 0 to 12 sequences.
each! { 0..=12:
    impl<#(#T: Sequence),*> Sequences for (#(#T,)*) {
        const LISTS: &'static [Result<List, NumberError>] = &[#(list_of::<#T>()),*];
    }
}

type GivenLists<'a> = &'a [Result<List, NumberError>];

const fn of_lists(
    rs: List,
    hs: GivenLists<'_>,
    [major, minor]: [GivenLists<'_>; 2],
    [ys_major, ys_minor]: [List; 2],
) -> Result<Encoding, DistributionError> {
    let (hs_lists, major_lists, minor_lists) =
        (attempt!(all(hs)), attempt!(all(major)), attempt!(all(minor)));
    let (hs_slices, major_slices, minor_slices) =
        (slices(&hs_lists), slices(&major_lists), slices(&minor_lists));
    Encoding::ck(
        rs.as_slice(),
        hs_slices.split_at(hs.len()).0,
        (major_slices.split_at(major.len()).0, minor_slices.split_at(minor.len()).0),
        (ys_major.as_slice(), ys_minor.as_slice()),
    )
}

pub(super) const fn all(
    given: GivenLists<'_>,
) -> Result<[List; List::CAPACITY], DistributionError> {
    let mut lists = [List::EMPTY; List::CAPACITY];
    range!(i, 0..given.len(), {
        lists[i] = attempt!(given[i] => DistributionError::Number);
    });
    Ok(lists)
}

const fn slices(lists: &[List; List::CAPACITY]) -> [&[u32]; List::CAPACITY] {
    let mut slices = [&[] as &[u32]; List::CAPACITY];
    range!(i, 0..List::CAPACITY, {
        slices[i] = lists[i].as_slice();
    });
    slices
}

/// Sequences of numbers, one after another, as a type: CK Tile's `tuple<sequence<..>, ..>`.
///
/// ```
/// use tiledesc::{distribution::Sequences, lists};
///
/// type Hs<K> = lists![[32], [K / 8, 8]];
/// assert_eq!(<Hs<typenum::U64>>::LISTS[1].unwrap(), [8, 8]);
/// ```
#[macro_export]
macro_rules! lists {
    ($([$($numbers:tt)*]),* $(,)?) => { ($($crate::seq![$($numbers)*],)*) };
}
