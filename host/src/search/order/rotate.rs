//! Lanes that begin at different vectors of what they hold in a row.
//!
//! ```text
//!   32x32 floats row by row on sm_90, each lane reads a row by 32 ld_shared_b32     cycles
//!     lane l takes column i in the i-th: all are in bank i                            1024
//!     lane l takes column i ^ l % 32: each is in a bank of its own                      32     `split 32 1 column`
//! ```
//!
//! A row of n vectors meets gcd(n, groups of banks) at a time, a power of two: so many are crossed.

use super::{BITS, Other, by_fewer_bytes, in_parts};
use tiledesc::chip::Instruction;
use tiledesc::search::Use;

/// Vectors of a lane that are exchanged.
const VECTORS: [u32; 6] = [2, 4, 8, 16, 32, 64];

pub(super) fn orders<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    let own = (!one.instruction.hands_round() && one.instruction.parts() == 1).then_some((one, 1));
    let rows = own.into_iter().chain(by_fewer_bytes(one, rows));
    let more = |(with, parts)| {
        let more = VECTORS.into_iter().filter(move |all| *all > parts);
        more.flat_map(move |all| in_parts(with, all, &BITS))
    };
    rows.flat_map(more).collect()
}
