//! Fast ways to the bytes of lanes: each says at once what a lane's coordinate, the layout's offset and a sum say 64 times.
//!
//! [`Placed::touched`](super::Placed::touched) asks lane by lane. Each file here knows more of some patterns and layouts, says
//! nothing of others, and opens with what it saves. That they say the same is tested by definition
//! (`tests/oracles/definition.rs`).
//!
//! | file | of which layouts | instead of |
//! |---|---|---|
//! | `columns` | xors of bits | the lanes of all instructions |
//! | `kinds` | any by digits | all instructions but one of each kind |
//! | `rounds` | swizzles of the dense offset, pads at intervals, rotated rows | the lanes of all accesses of a kernel |
//! | `runs` | strides | the lanes of an instruction |
//! | `strides` | strides | the digits of an offset |

pub(crate) mod columns;
pub(crate) mod kinds;
pub(super) mod rounds;
pub(crate) mod runs;
pub(crate) mod strides;
