//! Where an instruction finds its bytes in global memory.
//!
//! ```text
//!   global_load_dword v1, v[2:3], off offset:16          v2 + 16: of 64 bits the lower half
//!   global_store_b64 v2, v[4:5], s[6:7]                  v2 + s6
//!   buffer_load_dwordx4 v[4:7], v2, s[8:11], s3 offen    s8 + v2 + s3
//!   buffer_load_dword v4, v2, s[8:11], 0 idxen           not known: the stride is in the descriptor
//!   flat_load_dword v1, v[2:3] offset:16                 v2 + 16, where `pointer` tells that it is global
//! ```
//!
//! Two lanes of an access are taken to be less than 2 GiB apart, so that the lower halves tell their distance.

use super::text::{Operand, Words};
use crate::kernel::Moved;
use crate::width;

/// The parts of an address, which are added.
pub(super) struct Place<'w> {
    pub(super) parts: [Option<&'w Operand>; 3],
    pub(super) offset: i64,
    /// Whether a stride that the descriptor holds is part of it.
    pub(super) is_indexed: bool,
    /// Whether it may be of other memory.
    pub(super) is_flat: bool,
}

/// Returns where an instruction finds its bytes in global memory; `None` if it is no load or store of it whose width its name
/// says.
pub(super) fn place(words: &Words, spills: bool, scratch_by_buffer: bool) -> Option<Place<'_>> {
    moved(&words.name)?;
    let at = |i: usize| words.operands.get(i);
    let is_direct = words.modifier("lds").is_some() || words.name.contains("_load_lds");
    let is_store = words.name.contains("_store");
    let offset = words.offset("offset")?;
    if words.name.starts_with("flat_") {
        let [a, b, rest @ ..] = &words.operands[..] else { return None };
        let is_pair = rest.iter().all(|one| *one == Operand::Null);
        let address = if is_store { a } else { b };
        let parts = [Some(address), None, None];
        return is_pair.then_some(Place { parts, offset, is_indexed: false, is_flat: true });
    }
    if words.name.starts_with("global_") {
        let (address, base) = match (is_direct, is_store) {
            (true, _) => (0, 1),
            (false, true) => (0, 2),
            (false, false) => (1, 2),
        };
        let parts = [Some(at(address)?), at(base), None];
        return Some(Place { parts, offset, is_indexed: false, is_flat: false });
    }
    let first = usize::from(!is_direct);
    let (lane, descriptor) = (at(first)?, at(first + 1)?);
    if spills || scratch_by_buffer && is_scratch(descriptor) {
        return None;
    }
    let is_indexed = words.modifier("idxen").is_some() || words.modifier("tfe").is_some();
    let lane = words.modifier("offen").and(Some(lane));
    let parts = [lane, Some(descriptor), at(first + 2)];
    Some(Place { parts, offset, is_indexed, is_flat: false })
}

/// The descriptor of scratch memory, where compilers keep it.
fn is_scratch(descriptor: &Operand) -> bool {
    descriptor.scalar().is_some_and(|one| one.first == 0)
}

/// What a lane moves by an instruction of this name.
pub(super) fn moved(name: &str) -> Option<Moved> {
    let families = ["global_", "buffer_", "flat_"];
    let rest = families.iter().find_map(|family| name.strip_prefix(family));
    let others = ["addtid", "format", "block", "_async_"];
    if !rest.is_some_and(|rest| rest.starts_with("load_") || rest.starts_with("store_"))
        || others.iter().any(|word| name.contains(word))
    {
        return None;
    }
    let bytes = u32::try_from(width::bytes(name)?).ok()?;
    // Dwords and more are fetched by dwords.
    Some(Moved { bytes, alignment: bytes.min(4) })
}
