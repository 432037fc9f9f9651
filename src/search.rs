//! The layout of a tile for everything that a kernel does to it, as the compiler finds it.
//!
//! ```text
//!   128x64 halves on gfx942, written row by row, read as operands of 16 rows and of 32     cycles
//!     row by row                                                                             1664
//!     GemmXor of packs of 8                                                                   384   the floor
//! ```
//!
//! rustc's interpreter is about a thousand times slower than the machine. So what it looks for is a short list, which
//! frees 213 of 213 tiles of GEMMs whose lengths are powers of two, and 490 of 492 of others; `tiledesc_host::search` and
//! `tiledesc find` search all families to the end, in a millisecond. What they find the compiler verifies.
//!
//! | file | concept |
//! |---|---|
//! | [`Shape`], [`Use`], [`Fill`] | a tile, what a kernel does to it, and the direct load that fills it |
//! | [`Spec`], [`Scheme`] | a layout of it as data: the recipe that makes it, and its numbers |
//! | `weight` | the cycles of all uses, where two sources disagree by both |
//! | `claim`, `claims` | what an access asks of the banks, and what it loses; what all ask of a tile |
//! | `descent`, `masks` | the masks of the fewest cycles, by branch and bound |
//! | `question` | a tile and its uses, in one order of memory |
//! | `short_list` | the layouts that are tried |
//! | [`Synthesis`], [`SynthesisError`] | what was found, or why nothing was |

pub(crate) mod claim;
mod claims;
pub(crate) mod descent;
pub(crate) mod error;
pub(crate) mod fill;
mod masks;
mod question;
pub(crate) mod shape;
mod short_list;
pub(crate) mod spec;
pub(crate) mod synthesis;
pub(crate) mod weight;

/// Packs of padding that are tried.
const MOST_PADS: u32 = 4;

pub use error::SynthesisError;
pub use fill::Fill;
pub use shape::{Shape, Use};
pub(crate) use short_list::TO_REFUSE;
pub use spec::{Scheme, Spec};
pub use synthesis::Synthesis;
