//! The degree of a linear access is a rank.
//!
//! Counting takes the addresses of 64 lanes and compares dwords. Where address and phases are linear over the bits of a lane's
//! number none of that is needed:
//!
//! ```text
//!   128x64 fp16, row-major, ds_read_b128 by 16 rows on gfx942: lane l at row l % 16, pack l / 16
//!
//!   lane bit        1    2    4    8   16   32      byte  128  256  512  1024   16   32
//!   phase of lane 0: masks 1, 2, 20                 byte  128  256  528 = 512 ^ 16
//!   its dwords: masks and vector, in dwords         32, 64, 132; 1, 2
//!   below bank 32:                                  0,  0,  4;   1, 2      rank 3 of 5
//!
//!   degree = 2^(5 - 3) = 4, in every phase
//! ```
//!
//! Why: the dwords of a phase are a constant xor-ed with the sums of those columns, so there
//! are 2^rank of them; their banks are the sums of the columns below the number of banks. Each
//! bank that is met is met by equally many dwords, the quotient. The code needs one basis and no quotient: 1 and 2 never lead to
//! another access, and of an [echelon basis](super::span) of 32, 64, 132 the numbers without a bit below 32 are those whose sums
//! are in one bank, 2^2 = 4. Another phase, register, step
//! or wave differs by an xor with a constant, which moves banks and keeps the number. Bits below
//! a dword drop out, so that lanes that share a dword do not count.
//!
//! | falls back to counting | why |
//! |---|---|
//! | addresses that are not xors of columns | padded rows, tables |
//! | inactive lanes | a part of a coset |
//! | 12 bytes a lane | three dwords are not a power of two |
//! | phases that are not cosets | user-defined rows |
//! | two lanes that write a byte, two addresses of a write | the race is found, and named, lane by lane |
//!
//! The crate of kernels costs as much without it, since outlines decide its linear accesses by the same sums. Where a plan is
//! judged a read takes the compiler 1.8 ms in place of 8.5 ms, a tile of 8 to 32 reads 1.9 ms in place of 202 ms.

use super::span::Span;
use crate::access::columns::Columns;
use crate::bank::conflicts::Conflicts;
use crate::chip::cosets::Cosets;
use crate::chip::instruction::{Access, Instruction};
use tiledesc_transforms::all;

impl Conflicts {
    /// Returns the conflicts of addresses that are an xor of columns, if a rank decides them; all lanes are active and no address
    /// is refused.
    #[inline]
    pub(crate) const fn by_rank(columns: &Columns, instruction: &Instruction) -> Option<Self> {
        let bytes = instruction.bytes();
        // The bytes of an access are as many sums more: of an aligned power of two.
        if !bytes.is_power_of_two() || columns.mask() & (bytes - 1) != 0 {
            return None;
        }
        let parts = instruction.parts();
        let write = matches!(instruction.access(), Access::Write);
        if parts > 1 {
            // Whole dwords further on, banks are others and as many.
            let whole = (instruction.part(0) | instruction.part(1)).is_multiple_of(4);
            if write || !whole {
                return None;
            }
        }
        if write && !are_apart(columns, bytes) {
            return None;
        }
        let merged = columns.are_merged(instruction);
        let service = instruction.served(merged);
        let Some(cosets) = service.phases.cosets() else { return None };
        let degree = degree(columns, cosets, service.banks);
        let base_cycles = (service.phases.count() * parts) as u32;
        let conflict_cycles = base_cycles * (degree - 1);
        Some(Self { base_cycles, conflict_cycles, phase: 0, degree, race: None, merged })
    }
}

/// The degree of each phase whose lanes are the sums of masks. The first dword of each aligned
/// access is enough: its other dwords are not multiples of the access size, so they are never in the same bank.
#[inline]
const fn degree(columns: &Columns, cosets: &Cosets, banks: u32) -> u32 {
    Span::NONE.and_first(columns, cosets).size_within(banks)
}

/// Returns whether no two lanes touch the same `bytes`, aligned to as many.
#[inline]
pub(crate) const fn are_apart(columns: &Columns, bytes: u32) -> bool {
    let mut span = Span::NONE;
    all!(b, 0..columns.bits(), span.add(columns.column(b) / bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::addresses::Addresses;
    use crate::chip::phases::Phases;
    use crate::chip::{gfx942, gfx1250, sm_90};

    /// Returns whether a rank decides the conflicts.
    fn tells(addresses: &Addresses, row: &Instruction) -> bool {
        Columns::from_addresses(addresses, row.service().phases.addressed())
            .is_some_and(|columns| Conflicts::by_rank(&columns, row).is_some())
    }

    fn wave(lanes: u32, address: impl Fn(u32) -> u32) -> Addresses {
        Addresses::from_fn(|lane| (lane < lanes).then(|| address(lane)))
    }

    #[test]
    fn where_the_theorem_holds() {
        let rows = wave(64, |lane| 128 * lane);
        assert!(tells(&rows, &gfx942::ds_read_b128) && tells(&rows, &gfx942::ds_read_b32));
        assert!(tells(&rows, &gfx942::ds_write_b128) && tells(&rows, &gfx942::ds_read_u16));
        // Two addresses that are whole dwords apart; merged phases; a wave of 32.
        assert!(tells(&rows, &gfx942::ds_read2_b64.offsets(0, 3)));
        let pairs = wave(32, |lane| lane / 2 * 16);
        assert!(tells(&pairs, &sm_90::ld_shared_b128) && tells(&pairs, &gfx1250::ds_load_b64));
    }

    /// Each reason that the module names, and no other.
    #[test]
    fn where_lanes_are_counted() {
        let rows = wave(64, |lane| 128 * lane);
        let refused: [(&str, Addresses, Instruction); 6] = [
            ("no xor of columns", wave(64, |lane| 144 * lane), gfx942::ds_read_b128),
            ("inactive lanes", wave(63, |lane| 128 * lane), gfx942::ds_read_b128),
            ("12 bytes a lane", rows, gfx942::ds_read_b96),
            (
                "phases that are not cosets",
                rows,
                gfx942::ds_read_b128.phases({
                    let mut lanes = [[0; 16]; 4];
                    let mut lane = 0;
                    while lane < 64 {
                        // Lanes 0 to 14 and 63, and so on.
                        lanes[lane / 16][lane % 16] =
                            if lane % 16 < 15 { lane } else { (lane + 48) % 64 };
                        lane += 1;
                    }
                    Phases::groups(&[&lanes[0], &lanes[1], &lanes[2], &lanes[3]])
                }),
            ),
            ("two lanes write a byte", wave(64, |lane| lane / 2 * 16), gfx942::ds_write_b128),
            ("two addresses of a write", rows, gfx942::ds_write2_b64.offsets(0, 1)),
        ];
        for (reason, addresses, row) in refused {
            assert!(!tells(&addresses, &row), "{reason}");
        }
    }
}
