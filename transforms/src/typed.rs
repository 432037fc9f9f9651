//! Compositions as types: what kernels run.
//!
//! | file | concept |
//! |---|---|
//! | [`rank`] | how many indices a coordinate has, known to the type system |
//! | [`ranked`] | that rank as a bound that one can type |
//! | [`stage`] | transforms side by side, wired to dimensions below and above |
//! | [`adaptor`] | stages on top of each other |
//! | [`coordinate`] | a coordinate that moves |
//! | [`descriptor`] | an adaptor whose bottom is one offset |
//! | `outside` | the indices that a debug build refuses |
//! | [`base`] | the descriptors that others are made of: one transform over memory |
//! | [`rows`] | a matrix whose size is known only at run time |
//! | [`form`] | the same stages, for numbers known only at run time |
//! | [`of_numbers`] | what the function of a `descriptor!` needs from its type |
//! | [`padded`] | any descriptor as a whole number of tiles |
//! | [`fused`] | that offset in a few shifts, masks and xors |
//! | [`symbolic`] | a plan's offset by the same rules, over any index |
//!
//! An offset, from the call to machine code, with files from the root of the repository:
//!
//! | step | by | file | when |
//! |---|---|---|---|
//! | a value is asked | `Descriptor::at` | `transforms/src/typed/descriptor.rs` | inlined into the kernel |
//! | or a type that has one value | `Descriptor::at_of_type` | `transforms/src/typed/descriptor.rs` | inlined into the kernel |
//! | the function for as many terms is chosen | `choose!` | `transforms/src/typed/fused.rs` | by rustc |
//! | the map's digits: which bits of an index go where | `Adaptor::DIGITS` | `transforms/src/typed/adaptor.rs` | by rustc, once for each type |
//! | of a map without digits: the digits of a coordinate's number | `Adaptor::NUMBERED` | `transforms/src/typed/adaptor.rs` | by rustc, once for each type |
//! | the terms of either: which bits move together | `Terms::new` | `transforms/src/linear/terms.rs` | by rustc, once for each type |
//! | the number itself, a sum of strides | `number_of` | `transforms/src/typed/fused.rs` | inlined, for a map without digits |
//! | the sum of at most 4, 8 or 16 terms | `up_to_4` | `transforms/src/typed/fused.rs` | inlined; steps of absent terms fall away |
//! | without either kind of digits, or of more terms: stage by stage | `Adaptor::lower` | `transforms/src/typed/adaptor.rs` | inlined |
//! | transform by transform | `Stage::lower` | `transforms/src/typed/stage.rs` | inlined |
//! | a division or a product by a constant | `Index` | `transforms/src/index.rs` | a shift, a mask or a multiplication |

pub(crate) mod adaptor;
pub(crate) mod base;
pub(crate) mod coordinate;
pub(crate) mod descriptor;
pub(crate) mod form;
mod fused;
mod of_numbers;
#[cfg(debug_assertions)]
mod outside;
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
