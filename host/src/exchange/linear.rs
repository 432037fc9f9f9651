//! Linear maps as transforms, and with names.
//!
//! A [`Linear`] map is a list of columns, which proofs copy and compare at compile time. This module has two things that
//! are only wanted on a person's machine: a plan with these columns ([`plan`]), and names for their bits
//! ([`NamedLinear`]), as Triton's `LinearLayout` has them.

mod factors;
mod named;

pub use factors::plan;
pub use named::{End, NameError, NamedBits, NamedLinear};

#[cfg(doc)]
use tiledesc::Linear;
