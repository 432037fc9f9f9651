//! NVIDIA's chips: 32 lanes per warp, 32 banks of 4 bytes, one module per compute
//! capability.
//!
//! | access | a phase is | if lanes agree in pairs |
//! |---|---|---|
//! | up to 32 bits | 32 lanes | - |
//! | 64 bits | 16 lanes | 32 lanes |
//! | 128 bits | 8 lanes | 16 lanes |
//! | `ldmatrix`, `stmatrix`, each matrix | the 8 lanes that supply its rows | - |
//!
//! Lanes agree in pairs if, for every active lane i, lane i xor 1 is inactive or at
//! the same address, or if the same holds of lane i xor 2.
//!
//! | what | is known of | from |
//! |---|---|---|
//! | loads and their merging | 7.0 and 7.5, documented | NVIDIA developer forum thread 77228 |
//! | 128-bit loads and their merging | 8.6 (A10) and 9.0 (H100), measured by ncu | thread 373160 |
//! | `ldmatrix` | 7.5, documented | thread 278716 and the PTX documentation that it quotes; bitsandbytes commit b64bb913 |
//!
//! All else is inferred: stores from loads, `stmatrix` from `ldmatrix`, other chips from these. In
//! thread 373160 lane l reads 16 bytes at 32 * (l mod 16), 8 wavefronts, and at 32 * (l / 16), 2
//! wavefronts, which are 4 without merging. The matrices of one instruction are assumed not to
//! merge. That a phase without an active lane costs a wavefront is assumed from MI200; it changes
//! the cycles of a partial warp, and no degree. A `cp.async` of 16 bytes has no row: use
//! `st_shared_b128`. TMA and wgmma are not wave instructions.
//!
//! `ldmatrix.m16n16` takes 8-bit elements and always transposes: a matrix has 16 rows of 16 bytes, of 16 lanes. That they are
//! served as two matrices of 8 rows is inferred. `stmatrix.m16n8` writes 8 rows of 16 bytes a matrix. Shapes and chips:
//! PTX ISA 8.6; NVIDIA/cccl, `ptx/instructions/generated/stmatrix.h`, lists 10.0, 10.3, 12.0 and 12.1.
//!
//! Memory of a block: CUDA C++ Programming Guide, technical specifications per compute
//! capability.

use super::{Chip, lanes};
use crate::chip::instruction::{Access, Evidence, Immediate, Instruction};
use crate::chip::phases::Phases;

const LOADS: &str = "NVIDIA developer forum, thread 77228, of compute capability 7.0 to 7.5";
const PROFILED: &str = "NVIDIA developer forum, thread 373160, ncu on A10 and H100";
const MATRICES: &str = "NVIDIA developer forum, thread 278716; bitsandbytes commit b64bb913";
const AS_LOAD: &str = "as the load, of which the source speaks";
const AS_LDMATRIX: &str = "as ldmatrix, of which the source speaks";
const AS_TWO_MATRICES: &str = "16 rows as two matrices of 8; no source was found";
const AS_SM_75: &str = "as sm_75; no source was found";
const AS_SM_90: &str = "as sm_90; no source was found";

/// Phases of this many consecutive lanes of a warp.
const fn warp(together: usize) -> Phases {
    lanes(together).of_wave(WARP as usize)
}

/// Lanes of a warp.
const WARP: u32 = 32;

/// What sources say of a chip.
#[derive(Clone, Copy)]
struct Known {
    name: &'static str,
    memory: u32,
    source: Source,
}

/// The chips that a source speaks of.
#[derive(Clone, Copy)]
enum Source {
    /// The forum's answer on loads.
    Answer,
    /// The profile of 128-bit loads.
    Profile,
    /// None; the reason for what is inferred.
    None(&'static str),
}

impl Known {
    const fn inferred(self) -> (Evidence, &'static str) {
        match self.source {
            Source::None(reason) => (Evidence::Inferred, reason),
            Source::Answer | Source::Profile => (Evidence::Inferred, AS_SM_75),
        }
    }

    /// How sure phases and merging of an access are, and why.
    const fn of_access(self, access: Access, bytes: u32) -> (Evidence, &'static str) {
        match (self.source, access) {
            (Source::Answer, Access::Read) => (Evidence::Documented, LOADS),
            (Source::Answer, Access::Write) => (Evidence::Inferred, AS_LOAD),
            (Source::Profile, Access::Read) if bytes == 16 => (Evidence::Measured, PROFILED),
            (Source::Profile, Access::Write) if bytes == 16 => (Evidence::Inferred, AS_LOAD),
            _ => self.inferred(),
        }
    }

    const fn of_matrices(self, access: Access) -> (Evidence, &'static str) {
        match (self.source, access) {
            (_, Access::Write) => (Evidence::Inferred, AS_LDMATRIX),
            (Source::Answer, Access::Read) => (Evidence::Documented, MATRICES),
            _ => self.inferred(),
        }
    }

    const fn of_sass(self, row: Instruction) -> Instruction {
        row.on(self.name, self.memory).with_immediate(Immediate::SASS)
    }

    /// An access in which each lane has its own address.
    const fn shared(self, row: Instruction) -> Instruction {
        let together = if row.bytes() <= 4 { 32 } else { 128 / row.bytes() as usize };
        let (evidence, source) = self.of_access(row.access(), row.bytes());
        let row = self.of_sass(row).phases(warp(together)).known(evidence, source);
        if together == 32 {
            return row;
        }
        row.merging(warp(2 * together), evidence, source)
    }

    /// `count` matrices of 16 rows of 16 bytes, of 16 lanes each.
    const fn tall_matrices(self, row: Instruction, count: usize) -> Instruction {
        self.matrices(row, 2 * count).known(Evidence::Inferred, AS_TWO_MATRICES)
    }

    /// `count` matrices of 8 rows of 16 bytes; lanes 8i to 8i + 7 supply the rows of
    /// matrix i. All lanes take part (PTX: `.sync.aligned`), so all that have an address are
    /// active.
    const fn matrices(self, row: Instruction, count: usize) -> Instruction {
        let (evidence, source) = self.of_matrices(row.access());
        let row = self.of_sass(row).phases(warp(8).only(8 * count));
        row.known(evidence, source).whole_wave()
    }
}

/// The constants of a chip, and the list of them.
macro_rules! rows {
    (shared; $($more:tt)*) => {
        rows! {
            ld_shared_b8 = KNOWN.shared(Instruction::read("ld.shared.b8", 1));
            ld_shared_b16 = KNOWN.shared(Instruction::read("ld.shared.b16", 2));
            ld_shared_b32 = KNOWN.shared(Instruction::read("ld.shared.b32", 4));
            ld_shared_b64 = KNOWN.shared(Instruction::read("ld.shared.b64", 8));
            ld_shared_b128 = KNOWN.shared(Instruction::read("ld.shared.b128", 16));
            st_shared_b8 = KNOWN.shared(Instruction::write("st.shared.b8", 1));
            st_shared_b16 = KNOWN.shared(Instruction::write("st.shared.b16", 2));
            st_shared_b32 = KNOWN.shared(Instruction::write("st.shared.b32", 4));
            st_shared_b64 = KNOWN.shared(Instruction::write("st.shared.b64", 8));
            st_shared_b128 = KNOWN.shared(Instruction::write("st.shared.b128", 16));
            $($more)*
        }
    };
    (shared ldmatrix; $($more:tt)*) => {
        rows! { shared;
            ldmatrix_x1 = KNOWN.matrices(Instruction::read("ldmatrix.x1", 16), 1);
            ldmatrix_x2 = KNOWN.matrices(Instruction::read("ldmatrix.x2", 16), 2);
            ldmatrix_x4 = KNOWN.matrices(Instruction::read("ldmatrix.x4", 16), 4);
            ldmatrix_x1_trans = ldmatrix_x1.named("ldmatrix.x1.trans");
            ldmatrix_x2_trans = ldmatrix_x2.named("ldmatrix.x2.trans");
            ldmatrix_x4_trans = ldmatrix_x4.named("ldmatrix.x4.trans");
            $($more)*
        }
    };
    (shared ldmatrix stmatrix bytes;) => {
        rows! { shared ldmatrix stmatrix;
            ldmatrix_m16n16_x1_trans_b8 =
                KNOWN.tall_matrices(Instruction::read("ldmatrix.m16n16.x1.trans.b8", 16), 1);
            ldmatrix_m16n16_x2_trans_b8 =
                KNOWN.tall_matrices(Instruction::read("ldmatrix.m16n16.x2.trans.b8", 16), 2);
            stmatrix_m16n8_x1_trans_b8 = stmatrix_x1.named("stmatrix.m16n8.x1.trans.b8");
            stmatrix_m16n8_x2_trans_b8 = stmatrix_x2.named("stmatrix.m16n8.x2.trans.b8");
            stmatrix_m16n8_x4_trans_b8 = stmatrix_x4.named("stmatrix.m16n8.x4.trans.b8");
        }
    };
    (shared ldmatrix stmatrix; $($more:tt)*) => {
        rows! { shared ldmatrix;
            stmatrix_x1 = KNOWN.matrices(Instruction::write("stmatrix.x1", 16), 1);
            stmatrix_x2 = KNOWN.matrices(Instruction::write("stmatrix.x2", 16), 2);
            stmatrix_x4 = KNOWN.matrices(Instruction::write("stmatrix.x4", 16), 4);
            stmatrix_x1_trans = stmatrix_x1.named("stmatrix.x1.trans");
            stmatrix_x2_trans = stmatrix_x2.named("stmatrix.x2.trans");
            stmatrix_x4_trans = stmatrix_x4.named("stmatrix.x4.trans");
            $($more)*
        }
    };
    ($($name:ident = $row:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`: see the table of the chips.")]
            pub const $name: Instruction = $row;
        )*
        const ROWS: &[Instruction] = &[$($name),*];
    };
    (@vectors $($vector:ident $name:literal = $plain:ident;)*) => {
        $(
            #[doc = concat!("[`", stringify!($plain), "`], as PTX names a vector.")]
            pub const $vector: Instruction = $plain.named($name);
        )*
        const VECTORS: &[Instruction] = &[$($vector),*];
    };
}

/// A module per chip.
macro_rules! chips {
    ($($(#[$doc:meta])* $chip:ident: $memory:literal KiB, $source:expr, $($kinds:ident)+;)*) => {$(
        $(#[$doc])*
        #[allow(non_upper_case_globals)]
        pub mod $chip {
            #[allow(unused_imports, unreachable_pub, reason = "the oldest have none")]
            pub use crate::chip::transfer::$chip::*;
            use super::{Chip, Known, Source, WARP};
            #[allow(unused_imports, reason = "not every chip is inferred")]
            use super::{AS_SM_75, AS_SM_90};
            use crate::chip::instruction::Instruction;

            const KNOWN: Known = Known {
                name: stringify!($chip),
                memory: $memory * 1024,
                source: $source,
            };
            rows! { $($kinds)+; }
            rows! { @vectors
                ld_shared_v2_b32 "ld.shared.v2.b32" = ld_shared_b64;
                ld_shared_v4_b32 "ld.shared.v4.b32" = ld_shared_b128;
                ld_shared_v2_b64 "ld.shared.v2.b64" = ld_shared_b128;
                st_shared_v2_b32 "st.shared.v2.b32" = st_shared_b64;
                st_shared_v4_b32 "st.shared.v4.b32" = st_shared_b128;
                st_shared_v2_b64 "st.shared.v2.b64" = st_shared_b128;
            }

            pub(in crate::chip) const CHIP: Chip = Chip {
                name: KNOWN.name,
                wave: WARP,
                lds: KNOWN.memory,
                banks: 32,
                rows: ROWS,
                renamed: VECTORS,
            };
        }
    )*};
}

chips! {
    /// Volta (V100): 96 KiB per block.
    sm_70: 96 KiB, Source::Answer, shared;
    /// Turing: 64 KiB per block.
    sm_75: 64 KiB, Source::Answer, shared ldmatrix;
    /// Ampere (A100): 163 KiB per block.
    sm_80: 163 KiB, Source::None(AS_SM_75), shared ldmatrix;
    /// Ampere (RTX 30): 99 KiB per block.
    sm_86: 99 KiB, Source::Profile, shared ldmatrix;
    /// Ampere (Orin): 163 KiB per block.
    sm_87: 163 KiB, Source::None(AS_SM_75), shared ldmatrix;
    /// Ada (RTX 40, L4): 99 KiB per block.
    sm_89: 99 KiB, Source::None(AS_SM_75), shared ldmatrix;
    /// Hopper (H100): 227 KiB per block.
    sm_90: 227 KiB, Source::Profile, shared ldmatrix stmatrix;
    /// Blackwell (B200): 227 KiB per block; we found nothing that says that its phases
    /// differ.
    sm_100: 227 KiB, Source::None(AS_SM_90), shared ldmatrix stmatrix bytes;
    /// Blackwell (B300): 227 KiB per block; as [`sm_100`].
    sm_103: 227 KiB, Source::None(AS_SM_90), shared ldmatrix stmatrix bytes;
    /// Blackwell (RTX 50): 99 KiB per block; as [`sm_100`].
    sm_120: 99 KiB, Source::None(AS_SM_90), shared ldmatrix stmatrix bytes;
    /// Blackwell (GB10, DGX Spark): 99 KiB per block; as [`sm_100`].
    sm_121: 99 KiB, Source::None(AS_SM_90), shared ldmatrix stmatrix bytes;
}
