//! Direct loads: memory to LDS without registers, where the lane's LDS address is not its choice.
//!
//! `global_load_lds` writes lane L at `base + 16 * L`. A swizzled layout is possible because each lane chooses where it *reads*.
//! The question is therefore which element belongs at the byte that a lane writes, and where that element is in memory.
//!
//! <div style="overflow-x: auto">
#![doc = include_str!("../docs/src/figures/direct.svg")]
//! </div>
//!
//! ```text
//!   128 x 64 halves, swizzled by packs of 8; 16 bytes a lane; rows of 8192 halves in memory
//!
//!   load 0 of wave 0    lane 0     1     2  ..   7     8     9        lane 9 writes byte 144:
//!     LDS byte               0    16    32     112   128   144        row 1, place 1 of 8,
//!     reads row              0     0     0       0     1     1        which holds pack 1 ^ 1 = 0
//!     and pack               0     1     2       7     1     0
//! ```
//!
//! | file | concept |
//! |---|---|
//! | [`Source`] | where the tile's elements lie in memory; pitches may be unknown |
//! | [`Request`] | tile, source, transfer, waves: what to plan |
//! | [`Fill`] | a transfer that brings a whole tile, and the layouts that it can fill |
//! | [`DirectLoad`] | the plan: for each wave, load and lane both addresses |
//! | [`SourceRoute`] | how one load's source follows from the first one's |
//! | [`Widest`] | the widest transfer that has a plan, and why wider ones are refused |
//! | [`DirectLoads`] | the same in a kernel; [`direct_load!`](crate::direct_load!) names it, [`assert_direct_load!`](crate::assert_direct_load!) and [`check_direct_load!`](crate::check_direct_load!) only check |
//! | [`DirectError`] | why a plan is impossible, with the numbers |
//!
//! Loads complete in no particular order; the wave must wait for them (`vmcnt`), and other waves
//! see them after a barrier. The tile itself begins in LDS at a multiple of the transfer's stride,
//! and in memory at a multiple of its bytes of data. Reads of the tile are judged as usual: the
//! layout is the same.

mod fill;
mod inverse;
mod kernel;
mod lines;
pub(crate) mod loading;
mod own;
mod plan;
mod proof;
mod refusal;
mod request;
mod route;
mod source;
pub(crate) mod statement;
mod widest;

pub use fill::Fill;
pub use kernel::DirectLoads;
#[doc(hidden)]
pub use loading::end_of_tile;
pub use plan::{DirectLoad, Unit};
pub use refusal::DirectError;
pub use request::{Order, Request};
pub use route::{SourceRoute, Steps};
pub use source::{Source, Stride};
#[doc(hidden)]
pub use statement::Statement;
pub use widest::{Tried, Widest};
