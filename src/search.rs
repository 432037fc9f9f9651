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
//! | [`Use`] | what a kernel does to a tile, and the [direct load](crate::direct::Fill) that fills it |
//! | [`Weight`] | the cycles of all uses, where two sources disagree by both |
//! | `claim` | what a linear access asks of the banks, and what it loses by what a layout puts into bank 0 |
//! | `claims` | the claims of all accesses of a kernel |
//! | `descent`, `masks` | the masks of the fewest cycles, by branch and bound |
//! | `question` | a [tile](crate::recipe::Shape) and its uses, in one order of memory |
//! | `short_list` | the [layouts](crate::recipe::Spec) that are tried |
//! | [`Synthesis`], [`SynthesisError`] | what was found, or why nothing was |
//!
//! `synthesize!` and the remedy of a refused statement begin with the same function, and differ in how much they may count:
//!
//! ```text
//!   Shape::propose              synthesis.rs    contiguous rows; columns too, where rows have conflicts
//!     Question::of_rows_or_columns              question.rs     each access laid over the tile in order: its cycles, and its claim
//!     Question::least           short_list.rs   layout after layout, until one has no conflict
//!       Layering::lost, least   masks.rs        xors, if every access has a claim: by rank, without a verdict
//!       Weight::judged          weight.rs       any other layout: by the verdict on each access
//!     Question::free_pad        short_list.rs   a pad beside a swizzle, for the error
//! ```

mod claim;
mod claims;
pub(crate) mod descent;
mod error;
mod masks;
mod question;
mod short_list;
mod synthesis;
mod uses;
mod weight;

// Of conversions, which are searched for by `tiledesc-host`.
#[doc(hidden)]
pub use claim::Claim;
#[doc(hidden)]
pub use descent::{Descent, Flips, MOST_NODES, descend};
pub(crate) use error::MOST_BITS;
pub use error::SynthesisError;
pub(crate) use short_list::{MOST_USES, TO_LAY, TO_REFUSE};
pub use synthesis::Synthesis;
pub use uses::Use;
pub use weight::Weight;
