//! The demands of a kernel's accesses on the place that they go to.
//!
//! A layout is judged from byte 0 on; its place in memory must not change the verdict:
//!
//! ```text
//!   first byte a multiple of                               or else
//!     16    ds_write_b128                                  misaligned
//!      4    ds_write_b16                                   two lanes share other banks
//!    512    an address that is another one xor 448         the address of another element
//! ```
//!
//! So the arena takes the number from the accesses, and no one writes it.

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use super::stored::{Size, Stored};
use crate::access::Accesses;
use crate::direct::DirectLoads;
use crate::distribution::Distribution;
use crate::layout::{Sampled, Tile};
use crate::statement::converting::{Addressed, HeldOf, Side};
use tiledesc_transforms::{Number, Text};

/// A type that knows its needs of the memory that it accesses: [`Accesses`] of a distribution and a layout, and the loads that
/// [`direct_load!`](crate::direct_load!) names.
///
/// ```
/// use tiledesc::access::Accesses;
/// use tiledesc::distribution::ThreadRaked;
/// use tiledesc::prelude::*;
/// use tiledesc::storage::Accessing;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// type Stores = Accesses<ThreadRaked<U128, U64, U8, U4>, ABlock, VectorSize<8>>;
/// let needs = Stores::NEEDS.unwrap();
/// assert_eq!((needs.bytes(), needs.alignment()), (16_384, 512));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what it needs of memory",
    note = "`Accesses<Distribution, Layout, VectorSize<8>>` does, and what `direct_load!` declares"
)]
pub trait Accessing {
    /// The bytes that it may touch, and what the first must be a multiple of; or why it cannot be.
    const NEEDS: Result<Size, Text>;
    /// Where some elements of the layout that is accessed lie.
    #[doc(hidden)]
    const SAMPLED: &'static Sampled = &Sampled::NOTHING;
}

impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Accessing for Accesses<T, L, P> {
    const NEEDS: Result<Size, Text> = match &Self::ROUTED {
        Ok(addressing) => size_of::<L>(addressing.alignment()),
        Err(text) => Err(*text),
    };
    const SAMPLED: &'static Sampled = &Sampled::new::<L>();
}

impl<Q, L, const SIDE: usize> Accessing for Side<Q, L, SIDE>
where
    Q: HeldOf<SIDE>,
    L: Tile<Descriptor: Default>,
{
    const NEEDS: Result<Size, Text> = Addressed::<Q, L, SIDE>::NEEDS;
    const SAMPLED: &'static Sampled = &Sampled::new::<L>();
}

impl<D: DirectLoads> Accessing for D {
    const NEEDS: Result<Size, Text> = match &D::PLAN {
        Ok(plan) => aligned(Size::new(plan.end() as u32), plan.transfer().alignment() as u64),
        Err(error) => Err(error.explain(Text::new())),
    };
    const SAMPLED: &'static Sampled = &Sampled::new::<D::Filled>();
}

/// A layout at a multiple of this many bytes.
const fn size_of<L: Tile>(alignment: u64) -> Result<Size, Text> {
    match L::SIZE {
        Ok(size) => aligned(size, alignment),
        Err(error) => Err(error.explain(Text::new())),
    }
}

const fn aligned(size: Size, alignment: u64) -> Result<Size, Text> {
    match size.aligned(alignment) {
        Ok(size) => Ok(size),
        Err(error) => Err(error.explain(Text::new())),
    }
}
