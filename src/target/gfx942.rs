//! gfx942 (MI300): 64 lanes a wave, 64 KiB of LDS, 32 banks of 4 bytes.

use crate::instruction::{Instruction, Phases};

/// The name in reports.
pub const NAME: &str = "gfx942";

/// Reads 16 bytes a lane. Its phases are not consecutive lanes: 0-3 go with
/// 20-23.
pub const ds_read_b128: Instruction = Instruction::read("ds_read_b128", 16)
    .phases(Phases::halves(&[
        &[0, 1, 2, 3, 20, 21, 22, 23],
        &[4, 5, 6, 7, 16, 17, 18, 19],
        &[8, 9, 10, 11, 28, 29, 30, 31],
        &[12, 13, 14, 15, 24, 25, 26, 27],
    ]))
    .source(
        "CK Tile docs, lds_bank_conflicts.rst; measured by nod-ai/amd-shark-ai, cdna3info.md \
         (56 conflict cycles at full conflict = 8 phases x 7)",
    );

/// Writes 16 bytes a lane, 8 consecutive lanes a phase.
pub const ds_write_b128: Instruction = Instruction::write("ds_write_b128", 16)
    .phases(Phases::contiguous(8))
    .source("CK Tile docs, lds_bank_conflicts.rst");
