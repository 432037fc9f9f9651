//! The search for the layout of the fewest cycles, and the statements that demand one.
//!
//! | file | concept |
//! |---|---|
//! | [`Shape`], [`Use`], [`Fill`] | a tile, what a kernel does to it, and the direct load that fills it |
//! | [`Spec`], [`Scheme`] | a layout of it as data: the recipe that makes it, and its numbers |
//! | `base`, `remedy` | rows or columns that are contiguous; which layouts are free |
//! | `claim`, `descent` | what one access asks and loses; the masks of the fewest cycles: numbers, banks, costs, and nothing else |
//! | `places`, `climb` | every linear layout of packs: which bits are the banks; a climb where these are too many |
//! | `dense`, `forbidden` | swizzles of the dense offset, for rows of any length; what lanes forbid them |
//! | `claims`, `masks`, `steps`, `laid` | what accesses ask of it, masks over rows in layers, address instructions, the accesses over the tile in order |
//! | `weight` | the cycles of all uses, where two sources disagree of both |
//! | `question`, `answer` | what accesses ask of a tile; the candidates in the order in which they are asked, and the least of them |
//! | [`Candidate`], [`SynthesisError`] | a candidate layout and its costs; why no layout was found |
//! | `shot`, `shots`, `listed`, `pads`, `intervals`, `mixed` | an instruction as the units that its lanes touch; accesses of any kind as lists of these; pads behind rows and at intervals, counted on them; masks where some access is not linear |
//! | `price`, [`Effort`], [`Searched`], [`Optimality`] | what its work costs; how much a search may do; what it looked at, as data; what that proves |
//! | [`Synthesis`] | the layout that costs least, judged |
//! | [`Candidates`] | all candidates, by cost |
//! | [`Change`] | the access to change where no layout is free |

mod answer;
mod base;
mod candidate;
mod candidates;
pub(crate) mod change;
pub(crate) mod claim;
mod claims;
mod climb;
mod dense;
pub(crate) mod descent;
pub(crate) mod effort;
pub(crate) mod error;
pub(crate) mod fill;
mod forbidden;
mod intervals;
pub(crate) mod known;
pub(crate) mod laid;
mod listed;
mod masks;
mod mixed;
mod pads;
pub(crate) mod places;
mod price;
pub(crate) mod question;
pub(crate) mod remedy;
pub(crate) mod searched;
pub(crate) mod shape;
mod shot;
mod shots;
pub(crate) mod spec;
mod steps;
pub(crate) mod synthesis;
mod weight;

pub use candidate::Candidate;
pub use candidates::Candidates;
pub use change::Change;
pub use effort::Effort;
pub use error::SynthesisError;
pub use fill::Fill;
pub use searched::{Extent, Optimality, Searched};
pub use shape::{Shape, Use};
pub use spec::{Scheme, Spec};
pub use synthesis::Synthesis;
