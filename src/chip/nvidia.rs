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
//! | which lanes of 4 bytes, of loads and of stores | 5.x and newer, documented: all of the warp | CUDA C++ Best Practices Guide, "Shared Memory and Memory Banks" |
//! | which lanes of a 128-bit load | 8.6 (A10) and 9.0 (H100), documented | NVIDIA developer forum thread 373160 |
//! | how many wavefronts it takes, merged or not | the same, measured by ncu, of two patterns | the same |
//! | how many requests it takes, merged or not | 7.0 and 7.5, documented | thread 77228 |
//! | which lanes of `ldmatrix.x4` | 7.5, documented | thread 278716 and the PTX documentation that it quotes; bitsandbytes commit b64bb913 |
//!
//! A row says how sure it is which lanes are served together; how many wavefronts are measured tells no more than that
//! they can be. All else is inferred: 8 bytes from 128 bits, 1 and 2 bytes from 4, stores from loads, other forms of `ldmatrix` from
//! `.x4`, `stmatrix` from `ldmatrix`, other chips from these. In thread 373160 lane l reads 16 bytes at 32 * (l mod 16),
//! 8 wavefronts, and at 32 * (l / 16), 2 wavefronts, which are 4 without merging. The matrices of one instruction are
//! assumed not to merge. That a phase without an active lane costs a wavefront is assumed from MI200; it changes
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
use crate::chip::evidence::Evidence;
use crate::chip::fragments::Fragments;
use crate::chip::immediate::Immediate;
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;

/// The evidence for a row of a chip and the words of its source, or the reason why no source is needed.
///
/// | argument | holds |
/// |---|---|
/// | `$as` | what is made of it: `evidence!` or `sentence!` |
/// | `$source` | who speaks of the chip: `Answer` (the forum's answer on requests), `Profile` (the profile of 128-bit loads), or `Unknown(reason)` |
/// | `$kind $size` | the row: `load` or `store` and bytes; `ldmatrix`, `transposed`, `stmatrix` or `tall` and matrices |
macro_rules! known {
    // What is said of every chip.
    ($as:ident $source:ident $(($reason:literal))? load 4) => {
        known!(@$as Documented, "CUDA C++ Best Practices Guide, Shared Memory and Memory Banks")
    };
    ($as:ident $source:ident $(($reason:literal))? store 4) => {
        known!(@$as Documented, "CUDA C++ Best Practices Guide, Shared Memory and Memory Banks")
    };
    ($as:ident $source:ident $(($reason:literal))? load 1) => { known!($as narrow) };
    ($as:ident $source:ident $(($reason:literal))? load 2) => { known!($as narrow) };
    ($as:ident $source:ident $(($reason:literal))? store 1) => { known!($as narrow) };
    ($as:ident $source:ident $(($reason:literal))? store 2) => { known!($as narrow) };
    ($as:ident narrow) => {
        known!(@$as Inferred, "as 4 bytes a lane, of which the guide speaks")
    };
    // What the sources speak of: accesses of 16 bytes, and `ldmatrix.x4`.
    ($as:ident Answer load 16) => {
        known!(@$as Inferred, "4 requests by NVIDIA developer forum, thread 77228; which lanes, as sm_86")
    };
    ($as:ident Answer load $bytes:tt) => {
        known!(
            @$as Inferred,
            "128 bytes a request, as 16 bytes a lane; the source speaks of no other width"
        )
    };
    ($as:ident Profile load 16) => {
        known!(@$as Documented, "NVIDIA developer forum, thread 373160, of A10 and H100")
    };
    ($as:ident Answer ldmatrix 4) => {
        known!(@$as Documented, "NVIDIA developer forum, thread 278716; bitsandbytes commit b64bb913")
    };
    ($as:ident Answer ldmatrix $count:tt) => {
        known!(@$as Inferred, "as ldmatrix.x4, of which the source speaks")
    };
    // What follows from another row, whatever the source.
    ($as:ident Answer transposed $count:tt) => {
        known!(@$as Inferred, "as ldmatrix.x4, of which the source speaks")
    };
    ($as:ident Answer store $bytes:tt) => {
        known!(@$as Inferred, "as the load")
    };
    ($as:ident Profile store 16) => {
        known!(@$as Inferred, "as the load, of which the source speaks")
    };
    ($as:ident $source:ident $(($reason:literal))? stmatrix $count:tt) => {
        known!(@$as Inferred, "as ldmatrix")
    };
    ($as:ident $source:ident $(($reason:literal))? tall $count:tt) => {
        known!(@$as Inferred, "16 rows as two matrices of 8; no source was found")
    };
    // What no source speaks of.
    ($as:ident Unknown($reason:literal) $kind:ident $size:tt) => {
        known!(@$as Inferred, $reason)
    };
    ($as:ident $source:ident $kind:ident $size:tt) => {
        known!(@$as Inferred, "as sm_75; no source was found")
    };
    // The words and the constants of a source.
    (@evidence $evidence:ident, $source:literal) => {
        (Evidence::$evidence, $source)
    };
    (@sentence $evidence:ident, $source:literal) => {
        concat!(words!(@evidence $evidence), ": ", $source, ".")
    };
}

/// Phases of this many consecutive lanes of a warp.
const fn warp(together: usize) -> Phases {
    lanes(together).of_wave(WARP as usize)
}

/// Lanes of a warp.
const WARP: u32 = 32;

/// The facts that the rows of a chip share.
#[derive(Clone, Copy)]
struct Known {
    name: &'static str,
    memory: u32,
}

impl Known {
    const fn of_sass(self, row: Instruction) -> Instruction {
        row.on(self.name, self.memory).with_immediate(Immediate::SASS)
    }

    /// An access in which each lane has its own address.
    const fn shared(self, row: Instruction, known: (Evidence, &'static str)) -> Instruction {
        let together = if row.bytes() <= 4 { 32 } else { 128 / row.bytes() as usize };
        let (evidence, source) = known;
        let row = self.of_sass(row).phases(warp(together)).known(evidence, source);
        if together == 32 {
            return row;
        }
        row.merging(warp(2 * together), evidence, source)
    }

    /// `count` matrices of 8 rows of 16 bytes; lanes 8i to 8i + 7 supply the rows of
    /// matrix i. All lanes take part (PTX: `.sync.aligned`), so all that have an address are
    /// active. A matrix of 16 rows counts as two.
    const fn matrices(
        self,
        row: Instruction,
        known: (Evidence, &'static str),
        count: usize,
        fragments: Fragments,
    ) -> Instruction {
        let row = self.of_sass(row).phases(warp(8).only(8 * count));
        row.known(known.0, known.1).whole_wave().handing(fragments)
    }
}

/// The constants of a chip, and the list of them. The words `shared ldmatrix stmatrix bytes` are what a chip has;
/// each is replaced by its rows, last word first, until only rows are left.
///
/// | argument | holds |
/// |---|---|
/// | `$known` | the source, as `known!` reads it |
/// | `$name $ptx = $kind $size` | a row: its name here and in PTX, the kind with bytes or matrices; of matrices their `Fragments` behind |
/// | `$more` | the rows of the words that were replaced |
///
/// | rule | writes |
/// |---|---|
/// | `@each`, `@one` | the constants |
/// | `@list` | the rows with their documentation |
/// | `@words` | the documentation of a row |
/// | `@row` | the row itself |
/// | `@vectors` | the names that PTX has for vectors |
macro_rules! rows {
    // Loads and stores.
    ([$($known:tt)*] shared; $($more:tt)*) => {
        rows! { [$($known)*]
            ld_shared_b8 "ld.shared.b8" = load 1;
            ld_shared_b16 "ld.shared.b16" = load 2;
            ld_shared_b32 "ld.shared.b32" = load 4;
            ld_shared_b64 "ld.shared.b64" = load 8;
            ld_shared_b128 "ld.shared.b128" = load 16;
            st_shared_b8 "st.shared.b8" = store 1;
            st_shared_b16 "st.shared.b16" = store 2;
            st_shared_b32 "st.shared.b32" = store 4;
            st_shared_b64 "st.shared.b64" = store 8;
            st_shared_b128 "st.shared.b128" = store 16;
            $($more)*
        }
    };
    // Matrices of 16 bits, read.
    ([$($known:tt)*] shared ldmatrix; $($more:tt)*) => {
        rows! { [$($known)*] shared;
            ldmatrix_x1 "ldmatrix.x1" = ldmatrix 1 Matrices;
            ldmatrix_x2 "ldmatrix.x2" = ldmatrix 2 Matrices;
            ldmatrix_x4 "ldmatrix.x4" = ldmatrix 4 Matrices;
            ldmatrix_x1_trans "ldmatrix.x1.trans" = transposed 1 TransposedMatrices;
            ldmatrix_x2_trans "ldmatrix.x2.trans" = transposed 2 TransposedMatrices;
            ldmatrix_x4_trans "ldmatrix.x4.trans" = transposed 4 TransposedMatrices;
            $($more)*
        }
    };
    // Matrices of bytes.
    ([$($known:tt)*] shared ldmatrix stmatrix bytes;) => {
        rows! { [$($known)*] shared ldmatrix stmatrix;
            ldmatrix_m16n16_x1_trans_b8 "ldmatrix.m16n16.x1.trans.b8" = tall 2 TallMatrices;
            ldmatrix_m16n16_x2_trans_b8 "ldmatrix.m16n16.x2.trans.b8" = tall 4 TallMatrices;
            stmatrix_m16n8_x1_trans_b8 "stmatrix.m16n8.x1.trans.b8" = stmatrix 1 TransposedBytes;
            stmatrix_m16n8_x2_trans_b8 "stmatrix.m16n8.x2.trans.b8" = stmatrix 2 TransposedBytes;
            stmatrix_m16n8_x4_trans_b8 "stmatrix.m16n8.x4.trans.b8" = stmatrix 4 TransposedBytes;
        }
    };
    // Matrices of 16 bits, written.
    ([$($known:tt)*] shared ldmatrix stmatrix; $($more:tt)*) => {
        rows! { [$($known)*] shared ldmatrix;
            stmatrix_x1 "stmatrix.x1" = stmatrix 1 Matrices;
            stmatrix_x2 "stmatrix.x2" = stmatrix 2 Matrices;
            stmatrix_x4 "stmatrix.x4" = stmatrix 4 Matrices;
            stmatrix_x1_trans "stmatrix.x1.trans" = stmatrix 1 TransposedMatrices;
            stmatrix_x2_trans "stmatrix.x2.trans" = stmatrix 2 TransposedMatrices;
            stmatrix_x4_trans "stmatrix.x4.trans" = stmatrix 4 TransposedMatrices;
            $($more)*
        }
    };
    // Rows alone. The size stays tokens, `tt`: a `literal` would match no number in `known!` and `@order`.
    ([$($known:tt)*] $($name:ident $ptx:literal = $kind:ident $size:tt $($fragments:ident)?;)*) => {
        rows! { @each [$($known)*] $([$name $ptx $kind [$($fragments)?] $size])* }
        const ROWS: &[Instruction] = &[$($name),*];
        /// The rows with their documentation.
        #[cfg(test)]
        pub(in crate::chip) const WORDS: &[(Instruction, &str)] =
            rows!(@list [$($known)*] $([$name $ptx $kind [$($fragments)?] $size])*);
    };
    // The constants.
    (@each $known:tt $($row:tt)*) => {$( rows! { @one $known $row } )*};
    (@one $known:tt [$name:ident $ptx:literal $kind:ident [$($fragments:ident)?] $size:tt]) => {
        #[doc = rows!(@words $known $ptx $kind $size)]
        pub const $name: Instruction = rows!(@row $known $kind $($fragments)? $ptx, $size);
    };
    // With their documentation, for the tests.
    (@list $known:tt $([$name:ident $ptx:literal $kind:ident $fragments:tt $size:tt])*) => {
        &[$(($name, rows!(@words $known $ptx $kind $size))),*]
    };
    // The documentation.
    (@words [$($known:tt)*] $ptx:literal $kind:ident $size:tt) => {
        concat!("`", $ptx, "`: 32 banks, ", rows!(@order $kind $size), "; ", known!(sentence $($known)* $kind $size))
    };
    // The row: an access with an address a lane, or matrices.
    (@row [$($known:tt)*] load $ptx:literal, $bytes:tt) => {
        KNOWN.shared(Instruction::read($ptx, $bytes), known!(evidence $($known)* load $bytes))
    };
    (@row [$($known:tt)*] store $ptx:literal, $bytes:tt) => {
        KNOWN.shared(Instruction::write($ptx, $bytes), known!(evidence $($known)* store $bytes))
    };
    (@row [$($known:tt)*] stmatrix $fragments:ident $ptx:literal, $count:tt) => {
        KNOWN.matrices(
            Instruction::write($ptx, 16), known!(evidence $($known)* stmatrix $count), $count, Fragments::$fragments,
        )
    };
    (@row [$($known:tt)*] $matrices:ident $fragments:ident $ptx:literal, $count:tt) => {
        KNOWN.matrices(
            Instruction::read($ptx, 16), known!(evidence $($known)* $matrices $count), $count, Fragments::$fragments,
        )
    };
    // Other names.
    (@vectors $($vector:ident $name:literal = $plain:ident;)*) => {
        $(
            #[doc = concat!("[`", stringify!($plain), "`], as PTX names a vector.")]
            pub const $vector: Instruction = $plain.named($name);
        )*
        const VECTORS: &[Instruction] = &[$($vector),*];
    };
    // The phases in words.
    (@order load 8) => {
        "a phase is 16 consecutive lanes, 32 if lanes agree in pairs"
    };
    (@order load 16) => {
        "a phase is 8 consecutive lanes, 16 if lanes agree in pairs"
    };
    (@order load $bytes:tt) => {
        "a phase is 32 consecutive lanes"
    };
    (@order store $bytes:tt) => {
        rows!(@order load $bytes)
    };
    (@order $matrices:ident $count:tt) => {
        "a phase is 8 consecutive lanes"
    };
}

/// A module per chip: its KiB, who speaks of it, and what it has, as `known!` and `rows!` read them.
macro_rules! chips {
    ($($(#[$doc:meta])* $chip:ident: $memory:literal KiB, [$($source:tt)+] $($kinds:ident)+;)*) => {$(
        $(#[$doc])*
        #[allow(non_upper_case_globals)]
        pub mod $chip {
            #[allow(unused_imports, unreachable_pub, reason = "the oldest have none")]
            pub use crate::chip::transfer::$chip::*;
            use super::{Chip, Known, WARP};
            use crate::chip::evidence::Evidence;
            #[allow(unused_imports, reason = "the oldest have no matrices")]
            use crate::chip::fragments::Fragments;
            use crate::chip::instruction::Instruction;

            const KNOWN: Known = Known { name: stringify!($chip), memory: $memory * 1024 };
            rows! { [$($source)+] $($kinds)+; }
            rows! { @vectors
                ld_shared_v2_b32 "ld.shared.v2.b32" = ld_shared_b64;
                ld_shared_v4_b32 "ld.shared.v4.b32" = ld_shared_b128;
                ld_shared_v2_b64 "ld.shared.v2.b64" = ld_shared_b128;
                st_shared_v2_b32 "st.shared.v2.b32" = st_shared_b64;
                st_shared_v4_b32 "st.shared.v4.b32" = st_shared_b128;
                st_shared_v2_b64 "st.shared.v2.b64" = st_shared_b128;
            }

            pub(in crate::chip) const LDS: u32 = KNOWN.memory;
            pub(in crate::chip) const CHIP: Chip = Chip {
                name: KNOWN.name,
                wave: WARP,
                lds: LDS,
                banks: 32,
                rows: ROWS,
                renamed: VECTORS,
            };
        }
    )*};
}

chips! {
    /// Volta (V100): 96 KiB per block.
    sm_70: 96 KiB, [Answer] shared;
    /// Turing: 64 KiB per block.
    sm_75: 64 KiB, [Answer] shared ldmatrix;
    /// Ampere (A100): 163 KiB per block.
    sm_80: 163 KiB, [Unknown("as sm_75; no source was found")] shared ldmatrix;
    /// Ampere (RTX 30): 99 KiB per block.
    sm_86: 99 KiB, [Profile] shared ldmatrix;
    /// Ampere (Orin): 163 KiB per block.
    sm_87: 163 KiB, [Unknown("as sm_75; no source was found")] shared ldmatrix;
    /// Ada (RTX 40, L4): 99 KiB per block.
    sm_89: 99 KiB, [Unknown("as sm_75; no source was found")] shared ldmatrix;
    /// Hopper (H100): 227 KiB per block.
    sm_90: 227 KiB, [Profile] shared ldmatrix stmatrix;
    /// Blackwell (B200): 227 KiB per block; we found no source by which its phases differ.
    sm_100: 227 KiB, [Unknown("as sm_90; no source was found")] shared ldmatrix stmatrix bytes;
    /// Blackwell (B300): 227 KiB per block; as [`sm_100`].
    sm_103: 227 KiB, [Unknown("as sm_90; no source was found")] shared ldmatrix stmatrix bytes;
    /// Blackwell (RTX 50): 99 KiB per block; as [`sm_100`].
    sm_120: 99 KiB, [Unknown("as sm_90; no source was found")] shared ldmatrix stmatrix bytes;
    /// Blackwell (GB10, DGX Spark): 99 KiB per block; as [`sm_100`].
    sm_121: 99 KiB, [Unknown("as sm_90; no source was found")] shared ldmatrix stmatrix bytes;
}
