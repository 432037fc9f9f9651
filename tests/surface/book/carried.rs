//! What each source carries, as read in it, and when it was last read.
//!
//! A row of a chip may name a source only for lanes that stand here, and is no surer than the source. What is here
//! of other rows must agree with them: a source that contradicts a row is either its rival, or one of the two is wrong.

use tiledesc::chip::Evidence::{self, Documented, Measured};

/// A source: its name in the tables, what it is, where it is found, and when it was last read.
///
/// It is found by its key among the published figures, or by its address.
pub(super) struct Source {
    pub name: &'static str,
    pub is: &'static str,
    pub at: &'static str,
    pub read: &'static str,
}

/// What a source carries of an instruction.
///
/// "How many cycles" may be measured where "which lanes" is not: many maps of lanes give one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// Which lanes are served together, and on how many banks: `32 banks, 0-3 20-23 of 8` is the first of 8 phases.
    Lanes(&'static str),
    /// On how many banks.
    Banks(u32),
    /// How many cycles a pattern takes.
    Cycles,
}

/// A statement of a source: of these instructions of these chips.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    pub source: &'static str,
    pub chips: &'static [&'static str],
    pub rows: &'static [&'static str],
    pub fact: Fact,
    pub evidence: Evidence,
    /// By which method.
    pub how: &'static str,
}

const fn source(
    name: &'static str,
    is: &'static str,
    at: &'static str,
    read: &'static str,
) -> Source {
    Source { name, is, at, read }
}

const SHARK_942: &str = "nod-ai/amd-shark-ai, empirical-lds/cdna3info.md";
const SHARK_950: &str = "nod-ai/amd-shark-ai, empirical-lds/cdna4info.md";
const SHARK_11: &str = "nod-ai/amd-shark-ai, empirical-lds/rdna3info.md";
const SHARK_12: &str = "nod-ai/amd-shark-ai, empirical-lds/rdna4info.md";
const CK: &str = "CK Tile documentation, lds_bank_conflicts.rst";
const HIPKITTENS: &str = "HazyResearch/HipKittens, paper_experiments/phases";
const HIPKITTENS_TR: &str = "HazyResearch/HipKittens, v_stage_st of an attention kernel";
const TRITON_12: &str = "triton-lang/triton pull request 11365, of b96 and b128 on GFX12";
const OMNIPERF: &str = "rocprof-compute documentation, ldsconflictrate.svg";
const LOOM: &str = "ROCm/hrx-system, Loom, lds_bank_service.py";
const ROCKE: &str = "ROCm/rocm-libraries, rocKE, analysis/lds/profiles";
const ROCROLLER: &str = "ROCm/rocm-libraries, rocRoller, LDSBankModel.cpp";
const REVIEW: &str = "ROCm/rocm-libraries pull request 3668, a review by rocRoller's author";
const TENSILE: &str = "ROCm/rocm-libraries, TensileLite, LdsPadding.py";
const FORUM_LDSM: &str = "NVIDIA developer forum, thread 278716; bitsandbytes commit b64bb913";
const FORUM_LDS: &str = "NVIDIA developer forum, thread 373160, of A10 and H100";
const FORUM_PAIRS: &str = "NVIDIA developer forum, thread 77228, of compute capability 7.0 to 7.5";
const GUIDE: &str = "CUDA C++ Best Practices Guide, Shared Memory and Memory Banks";
const FLYDSL: &str = "ROCm/FlyDSL, lds-optimization notes";
const QUACK: &str = "Dao-AILab/quack, gemm_sm90.py, epi_r2s_pair_xor";

/// When the sources were read, but for those that say another date.
pub(super) const TODAY: &str = "2026-11-23";

/// The sources, in the order of the page.
pub(super) const SOURCES: [Source; 20] = [
    source(SHARK_942, "latencies and counters of MI300X", "shark942", TODAY),
    source(SHARK_950, "latencies of MI350X", "shark950", TODAY),
    source(SHARK_11, "latencies of W7900", "sharkr3", TODAY),
    source(SHARK_12, "latencies of RX 9070 XT", "sharkr4", TODAY),
    source(
        LOOM,
        "AMD's Loom compiler: a table calibrated on silicon; no figures printed",
        "https://github.com/ROCm/hrx-system/blob/083c4e5d2374f4b5ffef1eae3b865aa189954a21/loom/py/loom/target/arch/amdgpu/lds_bank_service.py",
        "2026-11-23, in the version of 2026-09-25, later than the commit linked",
    ),
    source(
        ROCKE,
        "AMD's rocKE: an empirical rule, called measured on gfx90a and observed on gfx950; no figures printed",
        "https://github.com/ROCm/rocm-libraries/blob/4e05b9a1c1eecb618cdbc4f065c224ef744b8716/dnn-providers/hip-kernel-provider/rocke/platform/python/rocke/analysis/lds/profiles/gfx90a.py",
        "2026-11-23; pull requests 11094, 11096 and 11097, then open",
    ),
    source(
        HIPKITTENS,
        "a counter on MI350X, with its results",
        "https://github.com/HazyResearch/HipKittens/tree/f09e9685c4c6aaa41fb3ebd4fe4ca664938589e1/analysis/paper_experiments/phases",
        TODAY,
    ),
    source(
        HIPKITTENS_TR,
        "a user's kernel: a derivation, and the profiler's count for the whole tile",
        "https://github.com/HazyResearch/HipKittens",
        "2026-11-23, in a copy that names no commit",
    ),
    source(
        OMNIPERF,
        "a counter on MI250, plotted",
        "omni_svg_rate",
        "not reached on 2026-11-23; before that, at the commit linked",
    ),
    source(
        ROCROLLER,
        "AMD's model of latencies, with a test on hardware",
        "https://github.com/ROCm/rocm-libraries/blob/9f2b6979cfa9b58f31987c665bc89cd90953a619/shared/rocroller/lib/source/LDSBankModel.cpp",
        TODAY,
    ),
    source(
        REVIEW,
        "a sentence of 2026-01-06",
        "https://github.com/ROCm/rocm-libraries/pull/3668",
        TODAY,
    ),
    source(
        FLYDSL,
        "notes on kernel optimization: times of two strides on MI355X",
        "https://github.com/ROCm/FlyDSL/blob/33fdb0343dacc68614a645b9192ddd1474de4567/.claude/skills/lds-optimization/SKILL.md",
        TODAY,
    ),
    source(
        TENSILE,
        "the rule of AMD's search for pads on gfx1250",
        "https://github.com/ROCm/rocm-libraries/blob/3e43c541ca48c42d4ca9375d67836011ef5cafa2/projects/hipblaslt/tensilelite/Tensile/SolutionStructs/LdsPadding.py",
        TODAY,
    ),
    source(CK, "AMD's documentation", "ck-doc-banks", TODAY),
    source(TRITON_12, "a review", "triton11365", TODAY),
    source(
        GUIDE,
        "NVIDIA's guide",
        "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html#shared-memory-and-memory-banks",
        "2026-11-23, in copies of its text",
    ),
    source(
        FORUM_LDS,
        "a question with ncu's figures, and the answer",
        "https://forums.developer.nvidia.com/t/373160",
        TODAY,
    ),
    source(FORUM_PAIRS, "NVIDIA's answer", "nv77228", TODAY),
    source(
        FORUM_LDSM,
        "a question that quotes the PTX documentation; a swizzle built on it",
        "bnb",
        "2026-11-23 the thread; the commit was not reached",
    ),
    source(
        QUACK,
        "a comment in a GEMM, \"ncu-verified\"",
        "https://github.com/Dao-AILab/quack/blob/c8ec317/quack/gemm_sm90.py",
        "2026-11-23, in a copy that names no commit",
    ),
];

/// A line for each statement, under its source, chips, evidence and method.
///
/// | argument | holds |
/// |---|---|
/// | `$source: $($chip)+, $evidence, $how` | whose, of which chips, how sure, by which method |
/// | `$fact($of)` | a variant of `Fact`, and what it holds |
/// | `$row` | the instructions that it is said of |
macro_rules! carried {
    ($($source:ident, [$($chip:literal)+], $evidence:ident, $how:literal {
        $($fact:ident $(($of:literal))? [$($row:literal)+];)+
    })+) => {
        /// Statements that share their source, chips, evidence and method.
        const GROUPS: &[Group] = &[$(Group {
            source: $source,
            chips: &[$($chip),+],
            evidence: $evidence,
            how: $how,
            facts: &[$((Fact::$fact $(($of))?, &[$($row),+])),+],
        }),+];
    };
}

/// Statements that share their source, chips, evidence and method.
struct Group {
    source: &'static str,
    chips: &'static [&'static str],
    evidence: Evidence,
    how: &'static str,
    facts: &'static [(Fact, &'static [&'static str])],
}

/// What each source carries.
pub(super) fn carried() -> impl Iterator<Item = Carried> {
    GROUPS.iter().flat_map(|&Group { source, chips, evidence, how, facts }| {
        facts.iter().map(move |&(fact, rows)| Carried { source, chips, rows, fact, evidence, how })
    })
}

carried! {
    SHARK_942, ["gfx942"], Measured, "lanes listed phase by phase, with the counter and the latency of 6 to 8 strides" {
        Lanes("32 banks, 0-31 of 2") ["ds_read_b32"];
        Lanes("32 banks, 0-15 of 4") ["ds_read_b64"];
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b128"];
    }
    SHARK_950, ["gfx950"], Documented, "one phase of 64 lanes" {
        Lanes("64 banks, 0-63 of 1") ["ds_read_b32"];
    }
    SHARK_950, ["gfx950"], Measured, "the latency of pairs of lanes on one bank" {
        Lanes("64 banks, 0-31 of 2") ["ds_read_b64"];
        Lanes("64 banks, 0-3 12-15 20-27 of 4") ["ds_read_b128"];
    }
    SHARK_11, ["gfx1100"], Measured, "one phase of the whole wave, by the latency of 8 strides" {
        Lanes("32 banks, 0-31 of 1") ["ds_read_b32"];
    }
    SHARK_11, ["gfx1100"], Measured, "the latency of pairs of lanes on one bank" {
        Lanes("32 banks, 0-15 of 2") ["ds_read_b64"];
        Lanes("32 banks, 0-3 20-23 of 4") ["ds_read_b128"];
    }
    SHARK_12, ["gfx1201"], Measured, "one phase of the whole wave, by the latency of 8 strides" {
        Lanes("32 banks, 0-31 of 1") ["ds_read_b32"];
    }
    SHARK_12, ["gfx1201"], Measured, "the latency of pairs of lanes on one bank" {
        Lanes("32 banks, 0-15 of 2") ["ds_read_b64"];
        Lanes("32 banks, 0-7 of 4") ["ds_read_b128"];
    }
    LOOM, ["gfx942"], Measured, "controls on the chip rule out crossed phases and the whole wave" {
        Lanes("32 banks, 0-31 of 2") ["ds_read_u16" "ds_write_b16" "ds_read_b32" "ds_write_b32"];
        Lanes("32 banks, 0-15 of 4") ["ds_read_b64" "ds_write_b64"];
    }
    LOOM, ["gfx942"], Measured, "controls on the chip separate the phases of reads from those of writes" {
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b128"];
        Lanes("32 banks, 0-7 of 8") ["ds_write_b128"];
    }
    LOOM, ["gfx1100" "gfx1151"], Measured,
        "controls on the chips, in waves of 32 and 64, rule out crossed phases and the whole wave" {
        Lanes("32 banks, 0-31 of 1") [
            "ds_read_u16" "ds_read_u16_d16" "ds_read_u16_d16_hi" "ds_write_b16" "ds_read_b32" "ds_write_b32"
        ];
        Lanes("32 banks, 0-15 of 2") ["ds_read_b64" "ds_write_b64"];
    }
    LOOM, ["gfx1100" "gfx1151"], Measured,
        "controls on the chips, in waves of 32 and 64, separate the phases of reads from those of writes" {
        Lanes("32 banks, 0-3 20-23 of 4") ["ds_read_b128"];
        Lanes("32 banks, 0-7 of 4") ["ds_write_b128"];
    }
    LOOM, ["gfx1100::wave64" "gfx1151::wave64"], Measured,
        "controls on the chips, in waves of 32 and 64, rule out crossed phases and the whole wave" {
        Lanes("32 banks, 0-31 of 2") [
            "ds_read_u16" "ds_read_u16_d16" "ds_read_u16_d16_hi" "ds_write_b16" "ds_read_b32" "ds_write_b32"
        ];
        Lanes("32 banks, 0-15 of 4") ["ds_read_b64" "ds_write_b64"];
    }
    LOOM, ["gfx1100::wave64" "gfx1151::wave64"], Measured,
        "controls on the chips, in waves of 32 and 64, separate the phases of reads from those of writes" {
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b128"];
        Lanes("32 banks, 0-7 of 8") ["ds_write_b128"];
    }
    ROCKE, ["gfx90a"], Measured, "called measured, instruction by instruction" {
        Lanes("32 banks, 0-31 of 2") ["ds_read_b32" "ds_write_b32"];
        Lanes("32 banks, 0-15 of 4") ["ds_read_b64" "ds_write_b64"];
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b128"];
        Lanes("32 banks, 0-7 of 8") ["ds_write_b128"];
    }
    ROCKE, ["gfx942"], Documented, "the reviewed rules of gfx90a" {
        Lanes("32 banks, 0-31 of 2") ["ds_read_b32" "ds_write_b32"];
        Lanes("32 banks, 0-15 of 4") ["ds_read_b64" "ds_write_b64"];
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b128"];
        Lanes("32 banks, 0-7 of 8") ["ds_write_b128"];
    }
    ROCKE, ["gfx950"], Measured, "called observed, instruction by instruction" {
        Lanes("32 banks, 0-31 of 2") ["ds_read_b32" "ds_write_b32"];
        Lanes("64 banks, 0-31 of 2") ["ds_read_b64"];
        Lanes("32 banks, 0-15 of 4") ["ds_write_b64"];
        Lanes("64 banks, 0-3 12-15 20-27 of 4") ["ds_read_b128"];
        Lanes("32 banks, 0-7 of 8") ["ds_write_b128"];
    }
    HIPKITTENS, ["gfx950"], Measured, "two active lanes and a counter, all 2016 pairs; then the banks, dword by dword" {
        Lanes("64 banks, 0-31 of 2") ["ds_read_b64"];
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b96"];
        Lanes("64 banks, 0-3 12-15 20-27 of 4") ["ds_read_b128"];
        Lanes("32 banks, 0-15 of 4") ["ds_write_b64"];
    }
    HIPKITTENS_TR, ["gfx950"], Documented, "a swizzle is derived from it" {
        Lanes("64 banks, 0-31 of 2") ["ds_read_b64_tr_b16"];
    }
    HIPKITTENS_TR, ["gfx950"], Measured, "32 conflicts predicted of 16 instructions, 32.5 by the profiler" {
        Cycles ["ds_read_b64_tr_b16"];
    }
    OMNIPERF, ["gfx90a"], Measured,
        "a counter, with 1 to 64 active lanes on one bank: lane 32 begins the second phase" {
        Lanes("32 banks, 0-31 of 2") ["ds_read_b32"];
    }
    ROCROLLER, ["gfx950"], Documented, "with a latency test; its lanes are those of the return port" {
        Banks(64) ["ds_read_b64" "ds_read_b128"];
        Banks(32) ["ds_read_b32" "ds_read_b96" "ds_write_b32" "ds_write_b64" "ds_write_b96" "ds_write_b128"];
    }
    REVIEW, ["gfx950"], Documented, "names `ds_read_b32` and the writes" {
        Banks(64) ["ds_read_b64" "ds_read_b128"];
        Banks(32) ["ds_read_b32" "ds_write_b32" "ds_write_b64" "ds_write_b96" "ds_write_b128"];
    }
    FLYDSL, ["gfx950"], Measured, "12.70 ms at a stride of 32 dwords, 12.75 at 64, 7.41 at 1: 64 banks would double it" {
        Banks(32) ["ds_read_b32"];
    }
    TENSILE, ["gfx1250"], Documented, "if all addresses are multiples of 8" {
        Lanes("64 banks, 0-31 of 1") ["ds_load_tr4_b64" "ds_load_tr8_b64"];
    }
    TENSILE, ["gfx1250"], Documented, "two batches if an address is not a multiple of 8" {
        Lanes("64 banks, 0-15 of 2") ["ds_load_tr4_b64_align4" "ds_load_tr8_b64_align4"];
    }
    TENSILE, ["gfx1250"], Documented, "16 lanes, half a wave" {
        Lanes("64 banks, 0-15 of 2") ["ds_load_tr16_b128"];
    }
    TENSILE, ["gfx1250"], Documented, "one bank per lane" {
        Banks(64) ["ds_read_b32"];
    }
    CK, ["gfx942"], Documented, "lane by lane" {
        Lanes("32 banks, 0-7 of 8") ["ds_write_b128"];
        Lanes("32 banks, 0-3 20-23 of 8") ["ds_read_b128"];
    }
    TRITON_12, ["gfx1201"], Documented, "quotes AMD's hardware document" {
        Lanes("32 banks, 0-7 of 4") ["ds_read_b96" "ds_read_b128"];
    }
    GUIDE, ["sm_70" "sm_75" "sm_80" "sm_86" "sm_87" "sm_89" "sm_90" "sm_100" "sm_103" "sm_120" "sm_121"], Documented,
        "stated, of compute capability 5.x and newer: 32 banks, and any threads of a warp can conflict" {
        Lanes("32 banks, 0-31 of 1") ["ld.shared.b32" "st.shared.b32"];
    }
    FORUM_LDS, ["sm_86" "sm_90"], Documented, "quarters of a warp" {
        Lanes("32 banks, 0-7 of 4") ["ld.shared.b128"];
    }
    FORUM_LDS, ["sm_86" "sm_90"], Measured, "wavefronts by ncu, two patterns: 8, and 2 where lanes agree in pairs" {
        Cycles ["ld.shared.b128"];
    }
    FORUM_PAIRS, ["sm_70" "sm_75"], Documented, "4 requests, 2 where lanes agree in pairs" {
        Cycles ["ld.shared.b128"];
    }
    FORUM_LDSM, ["sm_75"], Documented, "lanes 0-7, 8-15, 16-23 and 24-31, one transaction each" {
        Lanes("32 banks, 0-7 of 4") ["ldmatrix.x4"];
    }
    QUACK, ["sm_90"], Measured, "one pattern is 2-way by ncu, and free when it is split into two stores of 4 bytes" {
        Cycles ["st.shared.b64" "st.shared.b32"];
    }
}
