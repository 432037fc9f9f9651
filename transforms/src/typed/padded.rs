//! Any descriptor as a whole number of tiles: each dimension padded on the right.
//!
//! ```text
//!   lengths [10, 42], tiles of [8, 16]
//!
//!   dimension 0:   0 .. 10 | 10 .. 16      right_pad of 6
//!   dimension 1:   0 .. 42 | 42 .. 48      right_pad of 6
//! ```

use crate::error::Error;
use crate::number::list::List;
use crate::number::{Dyn, Lit};
use crate::transform::{Checked, RightPad, no_zero};
use crate::typed::adaptor::{Adaptor, Transformed};
use crate::typed::rank::Rank;
use crate::typed::stage::{Stage, Wiring};
use tiledesc_macros::each;
use typenum::{U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12};

type Right = RightPad<Dyn, Dyn, Checked>;

/// A rank, and one right pad for each of its dimensions.
#[doc(hidden)]
pub trait EachPadded: Rank {
    /// A tuple of right pads.
    type Pads: Stage<Self::Ids, Self::Ids>;
    /// Each of its own dimension.
    type Ids: Wiring<Total = Self>;
    /// The pads made by `pad` for each dimension.
    fn pads(pad: impl Fn(usize) -> Right) -> Self::Pads;
}

/// A descriptor with each dimension padded on the right, at run time: what
/// [`padded_to`](crate::Descriptor::padded_to) makes.
pub type PaddedTo<D> = Transformed<
    D,
    <<D as Adaptor>::Rank as EachPadded>::Pads,
    <<D as Adaptor>::Rank as EachPadded>::Ids,
    <<D as Adaptor>::Rank as EachPadded>::Ids,
>;

pub(crate) fn padded_to<D>(descriptor: D, tile: &[u32]) -> Result<PaddedTo<D>, Error>
where
    D: Adaptor<Rank: EachPadded>,
{
    no_zero("padded_to", &List::from_slice(tile)?)?;
    let lengths = descriptor.lengths();
    let pads = <D::Rank as EachPadded>::pads(|i| {
        let beyond = lengths[i] % tile[i];
        RightPad::new(Dyn(lengths[i]), Dyn(if beyond == 0 { 0 } else { tile[i] - beyond }))
    });
    let ids = <D::Rank as EachPadded>::Ids::default();
    descriptor.transform(pads, ids, ids)
}

// Ranks 1 to 12: a pad for each dimension, and its id.
each! { 1..=12:
    impl EachPadded for #U {
        type Pads = (#(Right,)*);
        type Ids = (#((Lit<#>,),)*);

        fn pads(pad: impl Fn(usize) -> Right) -> Self::Pads {
            (#(pad(#),)*)
        }
    }
}
