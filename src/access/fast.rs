//! Fast ways to the bytes of lanes: each gives at once what a lane's coordinate, the layout's offset and a sum give 64 times.
//!
//! [`Placed::touched`](super::Placed::touched) goes lane by lane. Each file here covers some patterns and layouts, and gives `None`
//! for others. What each saves is in DESIGN, "What the compiler pays for". A test compares each with the definition (`tests/oracles/definition.rs`).
//!
//! | file | of which layouts | instead of | asked by |
//! |---|---|---|---|
//! | `columns` | xors of bits | the lanes of all instructions | a `Placed` when it is made; then verdicts and searches |
//! | `kinds` | any by digits | all instructions but one of each kind | verdicts without columns |
//! | `rounds` | swizzles of the dense offset, pads at intervals, rotated rows | the lanes of all accesses of a kernel | accesses of kernels |
//! | `runs` | strides | the lanes of an instruction | verdicts, by `bank/fast/runs.rs` |
//! | `strides` | strides | the digits of an offset | whoever asks for lanes |

pub(crate) mod columns;
pub(crate) mod kinds;
pub(super) mod rounds;
pub(crate) mod runs;
pub(crate) mod strides;
