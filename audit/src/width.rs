//! The bytes that a lane moves by an instruction of AMD, as its name says.
//!
//! ```text
//!   global_load_lds_dword     4        scratch_store_d16_hi_b16     2
//!   buffer_load_dwordx4      16        tensor_load_to_lds           not said
//! ```

/// The endings of names, longer ones before those that they begin with.
const WIDTHS: [(&str, usize); 20] = [
    ("_dwordx2", 8),
    ("_dwordx3", 12),
    ("_dwordx4", 16),
    ("_dword", 4),
    ("_ushort", 2),
    ("_sshort", 2),
    ("_short", 2),
    ("_ubyte", 1),
    ("_sbyte", 1),
    ("_byte", 1),
    ("_b128", 16),
    ("_b16", 2),
    ("_b32", 4),
    ("_b64", 8),
    ("_b96", 12),
    ("_b8", 1),
    ("_u16", 2),
    ("_i16", 2),
    ("_u8", 1),
    ("_i8", 1),
];

/// The bytes that each lane moves; `None` if the name does not say.
pub(crate) fn bytes(name: &str) -> Option<usize> {
    WIDTHS.iter().find(|(width, _)| name.contains(width)).map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn widths() {
        for (name, bytes) in [
            ("global_load_lds_dword", Some(4)),
            ("buffer_load_dwordx2", Some(8)),
            ("buffer_load_dwordx4", Some(16)),
            ("global_load_lds_ushort", Some(2)),
            ("global_load_async_to_lds_b64", Some(8)),
            ("scratch_store_d16_hi_b16", Some(2)),
            ("scratch_store_b128", Some(16)),
            ("scratch_store_byte_d16_hi", Some(1)),
            ("global_load_d16_hi_u8", Some(1)),
            ("buffer_load_i16", Some(2)),
            ("tensor_load_to_lds", None),
        ] {
            assert_eq!(super::bytes(name), bytes, "{name}");
        }
    }
}
