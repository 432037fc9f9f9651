//! Narrower instructions, where some lanes begin with another part than the rest: each instruction then touches every part.
//!
//! ```text
//!   128x64 halves, 72 to a row, gfx942, 16 rows read by                                    cycles
//!     ds_read_b128                                                                   2-way    256
//!     two ds_read_b64 for each, where lanes with bit 8 take the second half first     free    128   `split 2 8`
//! ```

use super::{BITS, Other, by_fewer_bytes, in_parts};
use tiledesc::chip::Instruction;
use tiledesc::search::Use;

pub(super) fn orders<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    by_fewer_bytes(one, rows).flat_map(|(with, parts)| in_parts(with, parts, &BITS)).collect()
}
