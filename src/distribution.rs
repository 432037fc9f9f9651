//! Distributions: the elements of a tile that each lane of each wave holds.
//!
//! A tile of 128x64 is in the registers of 256 lanes before it is written to LDS, and again after it is read. A distribution
//! gives each lane its elements, as CK Tile's tile distributions do:
//!
//! ```text
//!   m = 128 = again 4 . wave 4 . row 8        wave w    wave = w
//!   k =  64 = chunk 8 . half 8                lane l    row = l / 8, chunk = l % 8
//!                                             element e again = e / 8, half = e % 8
//!
//!   wave 1, lane 10, element 19   ->   m = 2 * 32 + 1 * 8 + 1 = 73,  k = 2 * 8 + 3 = 19
//! ```
//!
//! | file | concept |
//! |---|---|
//! | [`Encoding`] | factors and their owners, as plain data; coordinates there and back |
//! | `cover` | a tile that the factors do not divide; no lane holds what lies beyond it |
//! | `spelling` | by names, and by CK Tile's six parameters |
//! | `packs` | the elements of a lane, as many at a time as an instruction moves |
//! | `addressed` | which lane supplies the address of what another lane receives |
//! | `walk` | which coordinate each lane touches in each instruction, as digits |
//! | `crossing` | an access in parts that lanes take in orders of their own |
//! | `factored` | the distribution of such digits, if there is one |
//! | [`Distribution`], [`Encoded`] | a distribution as a type: for kernels. [`distribution!`](crate::distribution!) names one: it is a [pattern](mod@crate::pattern) too, and stands there |
//! | [`ThreadRaked`], [`WarpRaked`], [`BlockRaked`] | how a block fetches a tile |
//! | [`Covering`] | one over a tile that its factors do not divide |
//! | [`Reduced`], [`Slice`] | a dimension summed up, a dimension cut |
//! | [`Butterfly`] | the lanes over which a sum goes |
//! | `sweep` | the elements of a lane in the order of the tile |
//! | `terms` | a coordinate as a sum: what each digit of wave, lane and element adds |
//! | [`Within`], [`Shuffled`], [`Transposed`] | waves and iterations around another; the dimensions swapped |
//! | [`ProductSteps`] | who holds a product by a matrix instruction, and the registers of each; [`ProductFault`]: why not |
//! | [`exchange`] | from one to another: a permutation of registers, or through LDS |
//! | [`DistributionError`] | what cannot be a distribution, in sentences |
//!
//! Sources: CK Tile, `tile_distribution_encoding.hpp`, `tile_distribution.hpp`; the tables
//! `dist_*` of its own numbers. What CK does not check is refused here: a factor with two owners or
//! none, a repetition within a lane's own elements.

mod addressed;
mod butterfly;
mod cover;
mod covering;
mod crossing;
mod draft;
mod encoded;
mod encoding;
mod exchange;
mod factored;
mod fault;
mod no_matrix;
mod numbers;
mod packs;
mod part;
mod product;
mod product_fault;
mod raked;
pub(crate) mod shares;
mod spelling;
mod sweep;
mod terms;
mod typed;
mod walk;
mod within;

pub use butterfly::Butterfly;
pub use covering::Covering;
pub use encoded::{Encoded, Sequences};
pub use encoding::{Encoding, Place};
pub use exchange::{Elsewhere, Exchange, Moves, exchange};
pub use fault::{DimensionName, DistributionError, FactorName, Owner};
pub use no_matrix::NoMatrix;
pub(crate) use numbers::gcd;
pub use part::{Reduced, Slice};
pub use product::ProductSteps;
pub(crate) use product::{Instructed, product};
pub use product_fault::ProductFault;
pub use raked::{BlockRaked, ThreadRaked, WarpRaked};
pub use spelling::{NamedDimension, NamedFactor};
#[doc(hidden)]
pub use typed::OperandOf;
#[doc(hidden)]
pub use typed::elements_of;
pub use typed::{Distribution, MOST_LANES, Sweep, check_factors, element};
pub(crate) use typed::{bounds, further};
#[cfg(debug_assertions)]
pub(crate) use typed::{refuse_absent, refuse_swapped};
pub(crate) use walk::{Counter, Digit, Reach, Walk};
pub use within::{Shuffled, Transposed, Within};
