//! The LDS of a kernel: the places of what it holds, while it is needed.
//!
//! A GEMM keeps A and B twice, so that one pair is fetched while the other is read, and C in
//! their place when all products are done. Written by hand, these sums are never checked:
//!
//! ```text
//!   128x128x64 fp16 on gfx942       bytes         where
//!   a   2 x 16384                   32768             0   a(k % 2) = 0, 16384
//!   b   2 x 16384                   32768         32768   b(k % 2) = 32768, 49152
//!   then c  128x128                 32768             0   a and b are over
//!   in all                                        65536   of the 65536 that gfx942 has
//! ```
//!
//! | file | concept |
//! |---|---|
//! | [`Stored`], [`Size`] | what occupies memory: a layout, or several copies of it |
//! | [`Buffered`] | copies of a layout one after another, each as free of conflicts as one |
//! | `judged` | what a statement is about: a layout, or buffers of one |
//! | [`Accessing`] | the alignment that the accesses of a kernel need |
//! | [`Arena`] | places for all buffers that are live together, within the memory of a chip |
//! | [`StorageError`] | what does not fit, in sentences |

mod accessing;
mod arena;
mod buffered;
mod error;
// Public for the macros alone.
#[doc(hidden)]
pub mod judged;
mod stored;

pub use accessing::Accessing;
pub use arena::Arena;
pub use buffered::Buffered;
pub use error::StorageError;
pub use stored::{Size, Stored};
