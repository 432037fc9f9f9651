//! The bank rule: distinct dwords per bank and phase.
//!
//! <div style="overflow-x: auto">
#![doc = include_str!("../docs/src/figures/phases.svg")]
//! </div>
//!
//! ```text
//!   bank(byte)  = byte / 4 mod banks
//!   degree(p)   = the most distinct dwords in one bank in phase p; 0 if no lane is active
//!   base        = the number of phases; those without an active lane cost a cycle too
//!   conflict    = sum over phases of max(0, degree - 1)     as SQ_LDS_BANK_CONFLICT counts
//!   active      = base + conflict                           as SQ_LDS_IDX_ACTIVE counts
//! ```
//!
//! | 64 lanes read 16 bytes each on gfx942 | degree | conflict | active |
//! |---|---|---|---|
//! | the same 16 bytes (broadcast) | 1 | 0 | 8 |
//! | 16 bytes apart | 1 | 0 | 8 |
//! | 32 bytes apart | 2 | 8 | 16 |
//! | 128 bytes apart | 8 | 56 | 64 |
//!
//! That an empty phase costs a cycle was measured on MI200 (rocprof-compute's tutorial, 1 to 32
//! work-items); for other chips it is assumed. The last two lines were measured on MI300X
//! (nod-ai/amd-shark-ai, cdna3info.md: 512 and 3584 conflict cycles for 64 reads). Several lanes
//! may read one dword without a conflict, whichever of its bytes they read. They may also write
//! one dword without a conflict; but if they write the same byte, the result is undefined: a data
//! race.
//!
//! | file | concept |
//! |---|---|
//! | [`rule`] | the rule, dword by dword: what all others must equal |
//! | [`Conflicts`] | the count of one instruction |
//! | `fast` | the degree of linear accesses and of runs of lanes, without asking each lane |
//! | `units` | the pieces that a bank serves whole, so that a lane is one number and not four dwords |
//! | [`Crowd`] | the lanes that meet in a bank |
//! | [`Verdict`] | the rule over a whole pattern and layout, with a witness; its `ways` choose how, its `words` say it |
//! | [`Judge`] | verdicts on values: plans, linear maps, other libraries' notations |
//!
//! # Who is asked for a degree
//!
//! The library never asks the rule itself, only its tests do. The first of these that can tell answers, each as the rule
//! would:
//!
//! | asked | of which accesses | file |
//! |---|---|---|
//! | `outlined::degree` | linear, on a layout in outline, which has no plan yet | `fast/outlined.rs` |
//! | `Conflicts::by_rank` | addresses that are xors of columns: one rank for all instructions | `fast/rank.rs` |
//! | `RunWords` | strides, where no two lanes share a byte: a word of banks for each run of lanes | `fast/runs.rs` |
//! | `count` | any: lane by lane, in one instruction of each kind | `conflicts.rs`, `units.rs` |
//!
//! Statements and [`Layout::degree`](crate::Layout::degree) begin with the first. Every verdict begins with the second:
//! `Placed::verdict_without_pair` in `verdict/ways.rs` asks the last three in this order. Which two lanes meet, a `Meeting`, is found
//! afterwards, in the one phase that is shown.

pub(crate) mod conflicts;
pub(crate) mod crowd;
mod fast;
mod judge;
pub mod rule;
pub(crate) mod units;
pub(crate) mod verdict;

pub use conflicts::{Conflicts, conflicts, phase};
pub use crowd::Crowd;
use fast::runs;
#[doc(hidden)]
pub use fast::span::Span;
pub(crate) use fast::{outlined, span};
pub use judge::Judge;
pub use verdict::Verdict;
