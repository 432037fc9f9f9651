//! Linear maps as transforms, and with names.
//!
//! A [`Linear`] map is a list of columns, which proofs copy and compare at compile time. This module has what
//! is only wanted on a person's machine: a plan with these columns ([`plan`]), the map of a distribution
//! ([`from_encoding`]), and names for their bits ([`NamedLinear`]), as Triton's `LinearLayout` has them.

mod encoding;
mod factors;
mod named;

pub use encoding::from_encoding;
pub(super) use encoding::number;
pub use factors::plan;
pub(super) use factors::{moved, odd_length};
pub use named::{NamedBits, NamedLinear};

#[cfg(doc)]
use tiledesc::Linear;
