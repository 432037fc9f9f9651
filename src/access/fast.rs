//! Fast ways to the bytes of lanes: each says at once what a lane's coordinate, the layout's offset and a sum say 64 times.
//!
//! [`Placed::touched`](super::Placed::touched) asks lane by lane. Each file here knows more of some patterns and layouts, says
//! nothing of others, and opens with what it saves. That they say the same is tested by definition
//! (`tests/oracles/definition.rs`).
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
