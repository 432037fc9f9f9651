//! Instructions on global memory, by the names of either vendor: how many bytes a lane moves.
//!
//! ```text
//!   global_load_dwordx4   buffer_store_b128   flat_load_b128   ld_global_v4_f32   st_global_b128   load_b128      16 bytes
//!   global_load_ushort    global_store_short  ld_global_u16                                                        2
//! ```
//!
//! Which lines a wave touches depends on nothing else of them. Sources: LLVM, AMDGPU's instruction syntax; PTX ISA, `ld` and `st`.

use tiledesc_transforms::{all, range};

/// What a name begins with, the longer before the shorter.
const BEGINS: &[&str] = &[
    "global_load_",
    "global_store_",
    "buffer_load_",
    "buffer_store_",
    "flat_load_",
    "flat_store_",
    "ld_global_nc_",
    "ld_global_",
    "st_global_",
    "load_",
    "store_",
];

/// How many of a unit.
const TIMES: &[(&str, u32)] = &[("v2_", 2), ("v4_", 4), ("", 1)];

/// What a name ends with, and the bytes of it.
const ENDS: &[(&str, u32)] = &[
    ("ubyte", 1),
    ("sbyte", 1),
    ("byte", 1),
    ("b8", 1),
    ("u8", 1),
    ("s8", 1),
    ("i8", 1),
    ("ushort", 2),
    ("sshort", 2),
    ("short", 2),
    ("b16", 2),
    ("u16", 2),
    ("s16", 2),
    ("i16", 2),
    ("f16", 2),
    ("dword", 4),
    ("b32", 4),
    ("u32", 4),
    ("s32", 4),
    ("f32", 4),
    ("dwordx2", 8),
    ("b64", 8),
    ("u64", 8),
    ("s64", 8),
    ("f64", 8),
    ("dwordx3", 12),
    ("b96", 12),
    ("dwordx4", 16),
    ("b128", 16),
];

/// Returns the bytes that a lane moves by a load from global memory or a store to it; `None` of a name that is neither. PTX's
/// names have `_` for `.`.
///
/// ```
/// use tiledesc::chip::global_bytes;
///
/// let of = ["global_load_dwordx4", "buffer_load_ushort", "ld_global_v4_f32", "load_b128", "ds_read_b128"];
/// assert_eq!(of.map(global_bytes), [Some(16), Some(2), Some(16), Some(16), None]);
/// ```
#[must_use]
pub const fn global_bytes(name: &str) -> Option<u32> {
    let name = name.as_bytes();
    range!(i, 0..BEGINS.len(), {
        let begin = BEGINS[i].as_bytes();
        range!(j, 0..TIMES.len(), {
            let (times, count) = (TIMES[j].0.as_bytes(), TIMES[j].1);
            range!(k, 0..ENDS.len(), {
                let end = ENDS[k].0.as_bytes();
                let length = begin.len() + times.len() + end.len();
                if name.len() == length
                    && is_at(name, 0, begin)
                    && is_at(name, begin.len(), times)
                    && is_at(name, begin.len() + times.len(), end)
                {
                    return Some(count * ENDS[k].1);
                }
            });
        });
    });
    None
}

const fn is_at(name: &[u8], at: usize, word: &[u8]) -> bool {
    all!(i, 0..word.len(), name[at + i] == word[i])
}
