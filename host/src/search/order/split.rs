//! Narrower instructions, in order: what was served together no longer is, as the phases of a chip's rows differ.
//!
//! ```text
//!   gfx942, ds_read_b128: lanes 0-3 and 20-23, 16 bytes each    two ds_read_b64 for each: 8 bytes each of other lanes
//! ```
//!
//! On the same layout that seldom takes fewer cycles; it is of use where a layout is sought with it.

use super::{Other, by_fewer_bytes, in_parts};
use tiledesc::chip::Instruction;
use tiledesc::search::Use;

pub(super) fn orders<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    by_fewer_bytes(one, rows).flat_map(|(with, parts)| in_parts(with, parts, &[0])).collect()
}
