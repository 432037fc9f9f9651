//! The cycles for which a matrix instruction keeps the matrix pipe of its SIMD busy, and the products of an SM in a clock.
//!
//! ```text
//!   gfx942   v_mfma_f32_32x32x8_f16           32 cycles   16,384 products: 2,048 FLOP a clock of a CU
//!   gfx950   v_mfma_f32_16x16x16_f16          16 cycles    4,096 products: 2,048
//!   gfx950   v_mfma_f32_16x16x32_f16          16 cycles    8,192 products: 4,096, measured
//!   gfx1201  v_wmma_f32_16x16x16_f16          16 cycles    4,096 products: 2,048 of a WGP
//!   sm_90    wgmma.m64n256k16.f32.f16.f16     no source    4,096 FLOP a clock of an SM
//! ```
//!
//! Every figure is the instruction's own: the shapes that gfx950 took over from gfx942 run at the rate of gfx942, so no
//! formula goes from one shape to another. AMD's calculator (`tests/golden/amd/cycles.json`) and LLVM's scheduling model
//! were read apart; they agree on gfx908, gfx90a and gfx942 in all 79 instructions.

use super::MatrixInstruction;
use super::amd::{GFX11, GFX12, GFX90A, GFX908_90A, GFX942, GFX950, GFX1250};
use crate::chip::Evidence::{self, Documented, Inferred, Measured};
use crate::chip::evidence::sourced;

/// The cycles that a matrix instruction of AMD occupies its SIMD, and how we know.
///
/// ```
/// use tiledesc::chip::{Evidence, gfx942, gfx950};
/// use tiledesc::warp_gemm;
///
/// let mfma = warp_gemm::find(&gfx950, "v_mfma_f32_16x16x32_f16")?.cycles().unwrap();
/// assert_eq!((mfma.cycles(), mfma.evidence()), (16, Evidence::Measured));
/// let mfma = warp_gemm::find(&gfx942, "v_mfma_f32_16x16x16_f16")?.cycles().unwrap();
/// assert_eq!((mfma.cycles(), mfma.evidence()), (16, Evidence::Documented));
/// assert!(mfma.source().starts_with("ROCm/amd_matrix_instruction_calculator"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycles {
    cycles: u32,
    evidence: Evidence,
    source: &'static str,
}

impl Cycles {
    /// Cycles of one SIMD; a CU, and on RDNA a WGP, has four. Independent instructions of its waves follow each other at this
    /// distance.
    #[must_use]
    pub const fn cycles(&self) -> u32 {
        self.cycles
    }

    sourced! {}
}

/// The floating-point operations that all matrix pipes of an SM do in a clock, at most, and how we know. Half of them
/// are products.
///
/// ```
/// use tiledesc::chip::{sm_75, sm_90};
/// use tiledesc::warp_gemm;
///
/// let rate = warp_gemm::find(&sm_90, "wgmma.m64n256k16.f32.f16.f16")?.rate().unwrap();
/// // 2 x 64 x 256 x 16 operations: 128 clocks.
/// assert_eq!((rate.most(), 2 * 64 * 256 * 16 / rate.most()), (4096, 128));
/// let rate = warp_gemm::find(&sm_75, "mma.m16n8k8.f32.f16.f16.f32")?.rate().unwrap();
/// assert_eq!((rate.most(), rate.least()), (1024, 512));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    most: u32,
    least: u32,
    evidence: Evidence,
    source: &'static str,
}

impl Rate {
    /// FLOP a clock and SM of the fastest product with this chip.
    #[must_use]
    pub const fn most(&self) -> u32 {
        self.most
    }

    /// FLOP a clock and SM of the slowest product with this chip: sums in f32 are half as fast on GeForce cards of sm_75,
    /// sm_86 and sm_89.
    #[must_use]
    pub const fn least(&self) -> u32 {
        self.least
    }

    sourced! {}
}

// How long it takes.
impl MatrixInstruction {
    /// The cycles that it occupies the matrix pipe of a SIMD; `None` of NVIDIA's, for which no source states any (see
    /// [`rate`](Self::rate)). A CU has four SIMDs, and so has a WGP of RDNA.
    ///
    /// ```
    /// use tiledesc::chip::{gfx90a, gfx942, gfx950, sm_80};
    /// use tiledesc::warp_gemm;
    ///
    /// let cycles = |chip, name| warp_gemm::find(chip, name).unwrap().cycles().map(|one| one.cycles());
    /// assert_eq!(cycles(&gfx90a, "v_mfma_f32_32x32x8f16"), Some(64));
    /// assert_eq!(cycles(&gfx942, "v_mfma_f32_32x32x8_f16"), Some(32));
    /// // As fast as on gfx942, where 32x32x16 does twice the work in these 32 cycles.
    /// assert_eq!(cycles(&gfx950, "v_mfma_f32_32x32x8_f16"), Some(32));
    /// assert_eq!(cycles(&gfx950, "v_mfma_f32_32x32x16_f16"), Some(32));
    /// assert_eq!(cycles(&sm_80, "mma.m16n8k16.f32.f16.f16.f32"), None);
    /// ```
    #[must_use]
    pub fn cycles(&self) -> Option<Cycles> {
        let is_own = |row: &&Row| {
            row.chips.contains(&self.chip().product()) && row.names.contains(&self.name())
        };
        TABLE.iter().flat_map(|rows| rows.iter()).find(is_own).map(|row| row.cycles)
    }

    /// The FLOP that an SM's matrix pipes do in a clock on such elements, in dense products; `None` of AMD's (see
    /// [`cycles`](Self::cycles)), and where no source was found.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, sm_80, sm_100};
    /// use tiledesc::warp_gemm;
    ///
    /// let most = |chip, name| warp_gemm::find(chip, name).unwrap().rate().map(|rate| rate.most());
    /// assert_eq!(most(&sm_80, "mma.m16n8k16.f32.f16.f16.f32"), Some(2048));
    /// assert_eq!(most(&sm_100, "mma.m16n8k32.f32.e4m3.e4m3.f32"), Some(16384));
    /// assert_eq!(most(&sm_80, "mma.m16n8k64.s32.s4.s4.s32"), None);
    /// assert_eq!(most(&gfx942, "v_mfma_f32_32x32x8_f16"), None);
    /// ```
    #[must_use]
    pub fn rate(&self) -> Option<Rate> {
        let mut kinds = self.name().split('.').skip(2);
        let (to, from) = (kinds.next()?, kinds.next()?);
        let row = RATES
            .iter()
            .find(|row| row.chips.contains(&self.chip().name()) && row.from.contains(&from))?;
        let least = if row.half_into_f32 && to == "f32" { row.flop / 2 } else { row.flop };
        Some(Rate { most: row.flop, least, evidence: row.evidence, source: row.source })
    }
}

/// Instructions of some chips that take the same cycles, by the same source.
struct Row {
    chips: &'static [&'static str],
    names: &'static [&'static str],
    cycles: Cycles,
}

/// Rows: chips with their evidence and its source, then the cycles and the names of those that take them.
macro_rules! rows {
    ($([$($chips:ident $evidence:ident $source:ident),+] $timed:tt)+) => {
        const TABLE: &[&[Row]] = &[$($(rows!(@of $chips $evidence $source $timed)),+),+];
    };
    (@of $chips:ident $evidence:ident $source:ident { $($cycles:literal: $($name:literal)+;)+ }) => {
        &[$(Row {
            chips: $chips,
            names: &[$($name),+],
            cycles: Cycles { cycles: $cycles, evidence: $evidence, source: $source },
        }),+]
    };
}

const BOTH: &str =
    "ROCm/amd_matrix_instruction_calculator, 2025-05-20; LLVM, SISchedule.td, passes of 4 cycles";
const CALCULATOR: &str = "ROCm/amd_matrix_instruction_calculator, 2025-05-20";
const CALCULATOR_12: &str = "ROCm/amd_matrix_instruction_calculator, 2025-05-20; so is AMD's peak of an RX 9070 XT, \
    779 int8 TOPS with sparsity, and not LLVM's model, 8 cycles for halves and 16 for integers";
const LLVM_950: &str = "LLVM, SISchedule.td, SIDPGFX950FullSpeedModel, passes of 4 cycles";
const COUNTED_950: &str = "Hardcode84/7, WaveGfx950F16Gemm4Wave.md, 1,073,741,824 busy cycles of 67,108,864 MFMA; \
    facebookexperimental/triton pull request 2507, 17 by s_memtime; LLVM, SISchedule.td, 4 passes of 4 cycles";
const LLVM_1250: &str =
    "LLVM, SISchedule.td, GFX125xCommonWriteRes alone, whose like for gfx12 AMD's own peak refutes";

rows! {
    [GFX908_90A Documented BOTH] {
        8: "v_mfma_f32_4x4x1f32" "v_mfma_f32_4x4x4f16" "v_mfma_i32_4x4x4i8" "v_mfma_f32_4x4x2bf16";
        32: "v_mfma_f32_16x16x1f32" "v_mfma_f32_16x16x4f32" "v_mfma_f32_16x16x4f16" "v_mfma_f32_16x16x16f16"
            "v_mfma_i32_16x16x4i8" "v_mfma_i32_16x16x16i8" "v_mfma_f32_16x16x2bf16" "v_mfma_f32_16x16x8bf16";
        64: "v_mfma_f32_32x32x1f32" "v_mfma_f32_32x32x2f32" "v_mfma_f32_32x32x4f16" "v_mfma_f32_32x32x8f16"
            "v_mfma_i32_32x32x4i8" "v_mfma_i32_32x32x8i8" "v_mfma_f32_32x32x2bf16" "v_mfma_f32_32x32x4bf16";
    }
    [GFX90A Documented BOTH] {
        8: "v_mfma_f32_4x4x4bf16_1k";
        16: "v_mfma_f64_4x4x4f64";
        32: "v_mfma_f32_16x16x4bf16_1k" "v_mfma_f32_16x16x16bf16_1k" "v_mfma_f64_16x16x4f64";
        64: "v_mfma_f32_32x32x4bf16_1k" "v_mfma_f32_32x32x8bf16_1k";
    }
    [GFX942 Documented BOTH] {
        16: "v_mfma_f32_16x16x8_xf32";
        32: "v_mfma_f32_32x32x4_xf32" "v_mfma_f64_16x16x4_f64";
    }
    [GFX942 Documented BOTH, GFX950 Documented LLVM_950] {
        8: "v_mfma_f32_4x4x1_16b_f32" "v_mfma_f32_4x4x4_16b_f16" "v_mfma_f32_4x4x4_16b_bf16" "v_mfma_i32_4x4x4_16b_i8";
        16: "v_mfma_f32_16x16x16_f16" "v_mfma_f32_16x16x16_bf16" "v_mfma_i32_16x16x32_i8" "v_mfma_f64_4x4x4_4b_f64"
            "v_mfma_f32_16x16x32_fp8_fp8" "v_mfma_f32_16x16x32_fp8_bf8"
            "v_mfma_f32_16x16x32_bf8_fp8" "v_mfma_f32_16x16x32_bf8_bf8";
        32: "v_mfma_f32_16x16x1_4b_f32" "v_mfma_f32_16x16x4_f32" "v_mfma_f32_16x16x4_4b_f16"
            "v_mfma_f32_16x16x4_4b_bf16" "v_mfma_i32_16x16x4_4b_i8" "v_mfma_f32_32x32x8_f16"
            "v_mfma_f32_32x32x8_bf16" "v_mfma_i32_32x32x16_i8" "v_mfma_f32_32x32x16_fp8_fp8"
            "v_mfma_f32_32x32x16_fp8_bf8" "v_mfma_f32_32x32x16_bf8_fp8" "v_mfma_f32_32x32x16_bf8_bf8";
        64: "v_mfma_f32_32x32x1_2b_f32" "v_mfma_f32_32x32x2_f32" "v_mfma_f32_32x32x4_2b_f16"
            "v_mfma_f32_32x32x4_2b_bf16" "v_mfma_i32_32x32x4_2b_i8";
    }
    [GFX950 Measured COUNTED_950] {
        16: "v_mfma_f32_16x16x32_f16";
    }
    [GFX950 Documented LLVM_950] {
        16: "v_mfma_f32_16x16x32_bf16" "v_mfma_i32_16x16x64_i8" "v_mfma_f32_16x16x128_f8f6f4 cbsz:2 blgp:2"
            "v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4";
        32: "v_mfma_f32_32x32x16_f16" "v_mfma_f32_32x32x16_bf16" "v_mfma_i32_32x32x32_i8"
            "v_mfma_f32_16x16x128_f8f6f4" "v_mfma_f32_32x32x64_f8f6f4 cbsz:2 blgp:2"
            "v_mfma_f32_32x32x64_f8f6f4 cbsz:4 blgp:4";
        64: "v_mfma_f32_32x32x64_f8f6f4" "v_mfma_f64_16x16x4_f64";
    }
    [GFX11 Documented CALCULATOR] {
        16: "v_wmma_i32_16x16x16_iu4";
        32: "v_wmma_f32_16x16x16_f16" "v_wmma_f32_16x16x16_bf16" "v_wmma_f16_16x16x16_f16"
            "v_wmma_bf16_16x16x16_bf16" "v_wmma_i32_16x16x16_iu8";
    }
    [GFX12 Documented CALCULATOR_12] {
        8: "v_wmma_i32_16x16x16_iu8" "v_wmma_i32_16x16x16_iu4" "v_wmma_i32_16x16x32_iu4"
            "v_wmma_f32_16x16x16_fp8_fp8" "v_wmma_f32_16x16x16_fp8_bf8"
            "v_wmma_f32_16x16x16_bf8_fp8" "v_wmma_f32_16x16x16_bf8_bf8";
        16: "v_wmma_f32_16x16x16_f16" "v_wmma_f32_16x16x16_bf16" "v_wmma_f16_16x16x16_f16"
            "v_wmma_bf16_16x16x16_bf16";
    }
    [GFX1250 Inferred LLVM_1250] {
        8: "v_wmma_f32_16x16x32_f16" "v_wmma_f32_16x16x32_bf16" "v_wmma_f16_16x16x32_f16" "v_wmma_bf16_16x16x32_bf16"
            "v_wmma_f32_16x16x64_fp8_fp8" "v_wmma_f32_16x16x64_fp8_bf8"
            "v_wmma_f32_16x16x64_bf8_fp8" "v_wmma_f32_16x16x64_bf8_bf8"
            "v_wmma_f16_16x16x64_fp8_fp8" "v_wmma_f16_16x16x64_fp8_bf8"
            "v_wmma_f16_16x16x64_bf8_fp8" "v_wmma_f16_16x16x64_bf8_bf8"
            "v_wmma_f32_16x16x128_fp8_fp8" "v_wmma_f32_16x16x128_fp8_bf8"
            "v_wmma_f32_16x16x128_bf8_fp8" "v_wmma_f32_16x16x128_bf8_bf8"
            "v_wmma_f16_16x16x128_fp8_fp8" "v_wmma_f16_16x16x128_fp8_bf8"
            "v_wmma_f16_16x16x128_bf8_fp8" "v_wmma_f16_16x16x128_bf8_bf8";
        16: "v_wmma_i32_16x16x64_iu8";
    }
}

/// The rate of the SMs of some chips on elements of these types, in a clock.
struct RateRow {
    chips: &'static [&'static str],
    from: &'static [&'static str],
    flop: u32,
    /// Whether GeForce cards sum in f32 at half the rate.
    half_into_f32: bool,
    evidence: Evidence,
    source: &'static str,
}

impl RateRow {
    const fn new(
        chips: &'static [&'static str],
        from: &'static [&'static str],
        flop: u32,
        evidence: Evidence,
        source: &'static str,
    ) -> Self {
        Self { chips, from, flop, half_into_f32: false, evidence, source }
    }

    /// Returns the row of chips whose GeForce cards are slower.
    const fn halved(self) -> Self {
        Self { half_into_f32: true, ..self }
    }
}

const HALVES: &[&str] = &["f16", "bf16"];
const FP8: &[&str] = &["e4m3", "e5m2"];
const INT8: &[&str] = &["s8", "u8"];
const TF32: &[&str] = &["tf32"];
const F64: &[&str] = &["f64"];

const V100: &str = "NVIDIA, V100 white paper: 8 tensor cores of 64 FMA";
const TURING: &str = "NVIDIA, Turing white paper, appendix B; arXiv 2206.02874, table 5, measured 509, 255 and 1,013 FMA";
const GA102: &str =
    "NVIDIA, GA102 white paper, table 6: 512 FMA; tc-benchmark, README, measured 512 and 256";
const BLACKWELL: &str = "NVIDIA/cudnn-frontend, benchmark, _BLACKWELL_DC_FLOPS_PER_CLOCK_PER_SM; pytorch/pytorch, torch/cuda/_device_limits.py, once corrected";
const LIMITS: &str =
    "pytorch/pytorch, torch/cuda/_device_limits.py, by NVIDIA's H100 white paper, table 2";

/// Chips, elements, FLOP, evidence and source.
const RATES: &[RateRow] = &[
    RateRow::new(&["sm_70"], HALVES, 1024, Documented, V100),
    RateRow::new(&["sm_75"], HALVES, 1024, Measured, TURING).halved(),
    RateRow::new(&["sm_75"], INT8, 2048, Measured, TURING),
    RateRow::new(&["sm_80"], HALVES, 2048, Documented, LIMITS),
    RateRow::new(&["sm_80"], TF32, 1024, Documented, LIMITS),
    RateRow::new(&["sm_80"], INT8, 4096, Documented, LIMITS),
    RateRow::new(&["sm_80"], F64, 128, Documented, LIMITS),
    RateRow::new(&["sm_86", "sm_89"], HALVES, 1024, Measured, GA102).halved(),
    RateRow::new(&["sm_90"], HALVES, 4096, Documented, LIMITS),
    RateRow::new(&["sm_90"], TF32, 2048, Documented, LIMITS),
    RateRow::new(&["sm_90"], FP8, 8192, Documented, LIMITS),
    RateRow::new(&["sm_90"], INT8, 8192, Documented, LIMITS),
    RateRow::new(&["sm_90"], F64, 256, Documented, LIMITS),
    RateRow::new(&["sm_100"], HALVES, 8192, Documented, BLACKWELL),
    RateRow::new(&["sm_100"], TF32, 4096, Documented, BLACKWELL),
    RateRow::new(&["sm_100"], FP8, 16384, Documented, BLACKWELL),
    RateRow::new(&["sm_100"], INT8, 16384, Documented, BLACKWELL),
];
