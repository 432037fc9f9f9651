//! Compositions as types: what kernels run.
//!
//! | file | concept |
//! |---|---|
//! | [`rank`] | how many indices a coordinate has, known to the type system |
//! | [`stage`] | transforms side by side, wired to dimensions below and above |
//! | [`adaptor`] | stages on top of each other |
//! | [`coordinate`] | a coordinate that moves |
//! | [`descriptor`] | an adaptor whose bottom is one offset |
//! | [`base`] | the descriptors that others are made of: one transform over memory |
//! | [`rows`] | a matrix whose size is known only at run time |
//! | [`form`] | the same stages, for numbers known only at run time |
//! | [`of_numbers`] | what the function of a `descriptor!` needs from its type |
//! | [`padded`] | any descriptor as a whole number of tiles |
//! | [`fused`] | that offset in a few shifts, masks and xors |
//! | [`symbolic`] | a plan's offset by the same rules, over any index |

pub(crate) mod adaptor;
pub(crate) mod base;
pub(crate) mod coordinate;
pub(crate) mod descriptor;
pub(crate) mod form;
mod fused;
mod of_numbers;
pub(crate) mod padded;
pub(crate) mod rank;
pub(crate) mod ranked;
mod rows;
pub(crate) mod stage;
mod symbolic;

pub use adaptor::{Adaptor, Bottom, Chained, SingleStage, Transformed};
pub use base::{Aligned, AlignedStrides, Naive, NaiveWithOffset, Packed, PackedWithOffset};
pub use coordinate::{Coordinate, Position};
pub use descriptor::{Descriptor, offset_of};
#[doc(hidden)]
pub use form::{Form, Steps};
#[doc(hidden)]
pub use of_numbers::OfNumbers;
pub use padded::{EachPadded, PaddedTo};
pub use rank::{Dimensions, Ids, MultiIndex, OfRank, Rank, RankedLengths};
pub use ranked::Ranked;
pub use rows::{Rows, RunTimeRows};
pub use stage::{Stage, Wiring};
