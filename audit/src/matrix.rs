//! The matrix instructions of a kernel: how long one of a wave keeps the matrix pipe of its SIMD busy.
//!
//! ```text
//!   gfx942  v_mfma_f32_32x32x8_f16                32 cycles of a SIMD
//!   sm_80   mma.m16n8k16.f32.f16.f16.f32          4,096 FLOP, of 2,048 a clock and SM: 8 of one of its four parts
//!   sm_90   wgmma.m64n256k16.f32.f16.f16          524,288 FLOP of four warps, of 4,096: 128 of all four
//!           B by a descriptor                     8,192 bytes of shared memory: 64 cycles, a quarter a warp
//! ```

use crate::span::Span;
use tiledesc::chip::{Chip, Evidence};
use tiledesc::warp_gemm::{self, MatrixInstruction};

/// The SIMDs of a CU or of a WGP of RDNA, the parts of an SM.
pub(crate) const QUARTERS: usize = 4;

/// Bytes of operands that an SM reads in a cycle.
const OPERAND_BYTES: u64 = 128;

/// A matrix instruction of a kernel, as each wave issues it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    /// The index among the kernel's instructions.
    pub(crate) at: usize,
    /// Cycles of its SIMD.
    pub(crate) pipe: Span,
    /// Cycles of shared memory that operands take which a descriptor names.
    pub(crate) memory: Span,
    /// Whether a figure is inferred.
    pub(crate) is_inferred: bool,
}

impl Matrix {
    /// An instruction whose time no source gives; with operands by descriptor, its bytes are unknown as well.
    pub(crate) const fn unknown(at: usize, by_descriptor: bool) -> Self {
        let memory = if by_descriptor { Span::UNKNOWN } else { Span::NONE };
        Self { at, pipe: Span::UNKNOWN, memory, is_inferred: false }
    }

    /// An instruction of AMD by its name, with the modifiers that decide how long it takes.
    pub(crate) fn of_amd(at: usize, name: &str, chip: &Chip) -> Self {
        let found = warp_gemm::find(chip, name).ok().and_then(|one| one.cycles());
        let none = Self::unknown(at, false);
        found.map_or(none, |one| Self {
            pipe: Span::exactly(one.cycles().into()),
            is_inferred: one.evidence() == Evidence::Inferred,
            ..none
        })
    }

    /// An instruction of NVIDIA, from the shape and the types in its name, `m16n8k16` and `f32.f16.f16`, that `warps` warps
    /// issue together.
    pub(crate) fn of_nvidia(
        at: usize,
        [m, n, k]: [u64; 3],
        types: [&str; 2],
        warps: u64,
        chip: &Chip,
    ) -> Self {
        let rate = like(chip, types).and_then(|one| one.rate());
        let none = Self::unknown(at, false);
        rate.map_or(none, |rate| Self {
            // A part of the SM has a quarter of its rate.
            pipe: Span::of_work(
                2 * m * n * k * QUARTERS as u64,
                [rate.most(), rate.least()].map(|flop| u64::from(flop) * warps),
            ),
            is_inferred: rate.evidence() == Evidence::Inferred,
            ..none
        })
    }

    /// Makes it optional: some waves may skip it.
    pub(crate) const fn or_none(self) -> Self {
        Self { pipe: self.pipe.or_none(), memory: self.memory.or_none(), ..self }
    }

    /// Adds `bytes` bytes of shared memory, which `warps` warps read together.
    pub(crate) fn with_bytes(self, bytes: u64, warps: u64) -> Self {
        Self { memory: Span::of_work(bytes, [OPERAND_BYTES * warps; 2]), ..self }
    }
}

/// An instruction of the chip with these types of D and A; all of them run at one rate.
fn like(chip: &Chip, types: [&str; 2]) -> Option<MatrixInstruction> {
    let is_like = |one: &MatrixInstruction| one.name().split('.').skip(2).take(2).eq(types);
    warp_gemm::instructions(chip).find(is_like)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiledesc::chip::{gfx942, gfx1250, sm_80, sm_86, sm_90, sm_103};

    /// The figures of the module's head, and instructions without a source.
    #[test]
    fn figures() {
        let amd = |name, chip| Matrix::of_amd(0, name, chip).pipe.to_string();
        assert_eq!(amd("v_mfma_f32_32x32x8_f16", &gfx942), "32");
        assert_eq!(amd("v_smfmac_f32_16x16x32_f16", &gfx942), "not known");
        assert!(Matrix::of_amd(0, "v_wmma_f32_16x16x32_f16", &gfx1250).is_inferred);
        let nvidia = |shape, types, warps, chip| {
            Matrix::of_nvidia(0, shape, types, warps, chip).pipe.to_string()
        };
        assert_eq!(nvidia([16, 8, 16], ["f32", "f16"], 1, &sm_80), "8");
        assert_eq!(nvidia([64, 256, 16], ["f32", "f16"], 4, &sm_90), "128");
        // A GeForce card sums in f32 at half the rate.
        assert_eq!(nvidia([16, 8, 16], ["f32", "f16"], 1, &sm_86), "16 to 32");
        assert_eq!(nvidia([16, 8, 16], ["f32", "f16"], 1, &sm_103), "not known");
        let wgmma = Matrix::of_nvidia(0, [64, 256, 16], ["f32", "f16"], 4, &sm_90);
        assert_eq!(wgmma.with_bytes(256 * 16 * 2, 4).memory.to_string(), "16");
    }
}
