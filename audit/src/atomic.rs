//! Atomics of LDS and shared memory: no source says what the banks make of them, so that they are counted as the least that is
//! certain, the cycles of a write of as many bytes without conflicts.
//!
//! ```text
//!   ds_add_u32, gfx942                 2 cycles at least, as ds_write_b32
//!   atom.shared.cas.b64, ATOMS.CAS.64  2, as st.shared.b64
//! ```

use tiledesc::chip::Chip;

/// The cycles of an atomic at least; `None` if the chip has no such write.
pub(crate) fn least(opcode: &str, chip: &Chip) -> Option<u64> {
    let bits = match () {
        () if opcode.contains("128") => 128,
        () if opcode.contains("64") || opcode.contains("x2") => 64,
        () => 32,
    };
    let names = ["ds_write_b", "ds_store_b", "st.shared.b"].map(|name| format!("{name}{bits}"));
    let row = names.iter().find_map(|name| chip.instruction(name).ok())?;
    Some((row.service().phases.count() * row.parts()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiledesc::chip::{gfx942, gfx1100, sm_90};

    #[test]
    fn cycles() {
        assert_eq!(least("ds_add_u32", &gfx942), Some(2));
        assert_eq!(least("ds_cmpst_rtn_b64", &gfx942), Some(4));
        assert_eq!(least("ds_add_rtn_u32", &gfx1100), Some(1));
        assert_eq!(
            ["atom.shared.add.u32", "red.shared.add.u64", "ATOMS.ADD"]
                .map(|one| least(one, &sm_90)),
            [Some(1), Some(2), Some(1)]
        );
    }
}
