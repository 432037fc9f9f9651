//! The row of an instruction on LDS, or why it has none.
//!
//! ```text
//!   ds_read_b128 v[2:5], v1 offset:16          its row, and 16 bytes
//!   ds_read2_b64 v[2:5], v1 offset1:8          its row with both offsets: 0 and 64 bytes
//!   ds_add_u32 v1, v2                          an atomic
//!   global_load_lds_dword v[2:3], off          a load straight to LDS
//! ```

use super::operands;
use super::text::Words;
use crate::kernel::{Row, Unjudged};
use tiledesc::chip::Chip;

/// The row of an instruction on LDS with its immediates, or why it has none.
pub(super) fn find(words: &Words, chip: &Chip, wave: usize) -> Option<Result<Row, Unjudged>> {
    let name = words.name.as_str();
    if name.contains("_load_lds")
        || words.modifier("lds").is_some()
        || name.contains("_load_async_to_lds")
    {
        return Some(Err(Unjudged::Direct));
    }
    if name.starts_with("flat_") && !name.contains("prefetch") {
        return Some(Err(Unjudged::Flat));
    }
    if name.starts_with("s_swappc") || name.starts_with("s_call") {
        return Some(Err(Unjudged::Call));
    }
    let rest = name.strip_prefix("ds_")?;
    if rest.starts_with("nop") || rest.starts_with("gws") {
        return None;
    }
    if ["bpermute", "permute", "swizzle"].iter().any(|one| rest.starts_with(one)) {
        return Some(Err(Unjudged::Permute));
    }
    let unread = |why| Some(Err(Unjudged::Unread { why, text: words.text.clone() }));
    if !operands::exists(name) {
        return unread("there is no such instruction".to_string());
    }
    if words.modifier("gds").is_some() {
        return Some(Err(Unjudged::NoRow));
    }
    let Ok(row) = chip.instruction(name) else {
        let is_access = ["read", "load", "write", "store_"].iter().any(|one| rest.starts_with(one));
        return Some(Err(if is_access { Unjudged::NoRow } else { Unjudged::Atomic }));
    };
    if let Some(why) = operands::misread(words, row, chip) {
        return unread(why);
    }
    if chip.wave() as usize != wave {
        return Some(Err(Unjudged::Wave { wave, rows: chip.wave() as usize }));
    }
    let number = |name: &str| words.offset(name).and_then(|offset| u32::try_from(offset).ok());
    let pair = row.parts() == 2
        || name.contains("2addr")
        || name.contains("read2")
        || name.contains("write2");
    let offsets = match pair {
        true => match (number("offset0"), number("offset1")) {
            (Some(first @ 0..256), Some(second @ 0..256)) => {
                Some((row.offsets(first as u8, second as u8), 0))
            }
            _ => None,
        },
        false => number("offset").map(|offset| (*row, offset)),
    };
    let row = |(row, offset)| Row { row, offset, times: 1, joined: 1 };
    Some(offsets.map(row).ok_or(Unjudged::Offset))
}
