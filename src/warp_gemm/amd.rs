//! The matrix instructions of AMD's chips.
//!
//! Names of gfx908 to gfx942, of gfx11 and gfx12: ROCm/amd_matrix_instruction_calculator. Those that gfx950 adds and the
//! one that it drops (xf32), and those of gfx1250: LLVM, `llvm/docs/AMDGPU` and `VOP3PInstructions.td`.

use super::named::Named;
use super::row::{InstructionRow, On, held, instruction_rows};
use super::sought::Sought;
#[cfg(test)]
use crate::distribution::{Distribution, OperandOf};
use crate::matrix::mfma;
use crate::matrix::wmma::gfx11::{self, wave64 as gfx11_wave64};
use crate::matrix::wmma::gfx12::{self, wave64 as gfx12_wave64};
use tiledesc_transforms::Lit;

pub(super) const GFX908_90A: &[&str] = &["gfx908", "gfx90a"];
pub(super) const GFX90A: &[&str] = &["gfx90a"];
pub(super) const GFX942: &[&str] = &["gfx942"];
const GFX942_950: &[&str] = &["gfx942", "gfx950"];
pub(super) const GFX950: &[&str] = &["gfx950"];
pub(super) const GFX11: &[&str] = gfx11::CHIPS;
pub(super) const GFX12: &[&str] = gfx12::CHIPS;
const GFX11_WAVE64: &[&str] = gfx11_wave64::CHIPS;
const GFX12_WAVE64: &[&str] = gfx12_wave64::CHIPS;
pub(super) const GFX1250: &[&str] = &["gfx1250"];

instruction_rows! { mfma
    GFX908_90A {
        F32_32x32x1 32 32 "v_mfma_f32_32x32x1f32";
        F32_16x16x1 32 32 "v_mfma_f32_16x16x1f32";
        F32_4x4x1 32 32 "v_mfma_f32_4x4x1f32";
        F32_32x32x2 32 32 "v_mfma_f32_32x32x2f32";
        F32_16x16x4 32 32 "v_mfma_f32_16x16x4f32";
        F16_32x32x4 16 32 "v_mfma_f32_32x32x4f16";
        F16_16x16x4 16 32 "v_mfma_f32_16x16x4f16";
        F16_4x4x4 16 32 "v_mfma_f32_4x4x4f16";
        F16_32x32x8 16 32 "v_mfma_f32_32x32x8f16";
        F16_16x16x16 16 32 "v_mfma_f32_16x16x16f16";
        I8_32x32x4 8 32 "v_mfma_i32_32x32x4i8";
        I8_16x16x4 8 32 "v_mfma_i32_16x16x4i8";
        I8_4x4x4 8 32 "v_mfma_i32_4x4x4i8";
        I8_32x32x8 8 32 "v_mfma_i32_32x32x8i8";
        I8_16x16x16 8 32 "v_mfma_i32_16x16x16i8";
        BF16_32x32x2 16 32 "v_mfma_f32_32x32x2bf16";
        BF16_16x16x2 16 32 "v_mfma_f32_16x16x2bf16";
        BF16_4x4x2 16 32 "v_mfma_f32_4x4x2bf16";
        BF16_32x32x4 16 32 "v_mfma_f32_32x32x4bf16";
        BF16_16x16x8 16 32 "v_mfma_f32_16x16x8bf16";
    }
    GFX90A {
        BF16_32x32x4_2B 16 32 "v_mfma_f32_32x32x4bf16_1k";
        BF16_16x16x4 16 32 "v_mfma_f32_16x16x4bf16_1k";
        BF16_4x4x4 16 32 "v_mfma_f32_4x4x4bf16_1k";
        BF16_32x32x8 16 32 "v_mfma_f32_32x32x8bf16_1k";
        BF16_16x16x16 16 32 "v_mfma_f32_16x16x16bf16_1k";
        F64_16x16x4 64 64 "v_mfma_f64_16x16x4f64";
        F64_4x4x4 64 64 "v_mfma_f64_4x4x4f64";
    }
    GFX942 {
        XF32_32x32x4 32 32 "v_mfma_f32_32x32x4_xf32";
        XF32_16x16x8 32 32 "v_mfma_f32_16x16x8_xf32";
    }
    GFX942_950 {
        F32_32x32x1 32 32 "v_mfma_f32_32x32x1_2b_f32";
        F32_16x16x1 32 32 "v_mfma_f32_16x16x1_4b_f32";
        F32_4x4x1 32 32 "v_mfma_f32_4x4x1_16b_f32";
        F32_32x32x2 32 32 "v_mfma_f32_32x32x2_f32";
        F32_16x16x4 32 32 "v_mfma_f32_16x16x4_f32";
        F16_32x32x4 16 32 "v_mfma_f32_32x32x4_2b_f16";
        F16_16x16x4 16 32 "v_mfma_f32_16x16x4_4b_f16";
        F16_4x4x4 16 32 "v_mfma_f32_4x4x4_16b_f16";
        F16_32x32x8 16 32 "v_mfma_f32_32x32x8_f16";
        F16_16x16x16 16 32 "v_mfma_f32_16x16x16_f16";
        BF16_32x32x4_2B 16 32 "v_mfma_f32_32x32x4_2b_bf16";
        BF16_16x16x4 16 32 "v_mfma_f32_16x16x4_4b_bf16";
        BF16_4x4x4 16 32 "v_mfma_f32_4x4x4_16b_bf16";
        BF16_32x32x8 16 32 "v_mfma_f32_32x32x8_bf16";
        BF16_16x16x16 16 32 "v_mfma_f32_16x16x16_bf16";
        I8_32x32x4 8 32 "v_mfma_i32_32x32x4_2b_i8";
        I8_16x16x4 8 32 "v_mfma_i32_16x16x4_4b_i8";
        I8_4x4x4 8 32 "v_mfma_i32_4x4x4_16b_i8";
        I8_32x32x16 8 32 "v_mfma_i32_32x32x16_i8";
        I8_16x16x32 8 32 "v_mfma_i32_16x16x32_i8";
        F64_16x16x4 64 64 "v_mfma_f64_16x16x4_f64";
        F64_4x4x4 64 64 "v_mfma_f64_4x4x4_4b_f64";
        F8_32x32x16 8 32 "v_mfma_f32_32x32x16_fp8_fp8";
        F8_32x32x16 8 32 "v_mfma_f32_32x32x16_fp8_bf8";
        F8_32x32x16 8 32 "v_mfma_f32_32x32x16_bf8_fp8";
        F8_32x32x16 8 32 "v_mfma_f32_32x32x16_bf8_bf8";
        F8_16x16x32 8 32 "v_mfma_f32_16x16x32_fp8_fp8";
        F8_16x16x32 8 32 "v_mfma_f32_16x16x32_fp8_bf8";
        F8_16x16x32 8 32 "v_mfma_f32_16x16x32_bf8_fp8";
        F8_16x16x32 8 32 "v_mfma_f32_16x16x32_bf8_bf8";
    }
    GFX950 {
        F16_32x32x16 16 32 "v_mfma_f32_32x32x16_f16";
        F16_16x16x32 16 32 "v_mfma_f32_16x16x32_f16";
        BF16_32x32x16 16 32 "v_mfma_f32_32x32x16_bf16";
        BF16_16x16x32 16 32 "v_mfma_f32_16x16x32_bf16";
        I8_32x32x32 8 32 "v_mfma_i32_32x32x32_i8";
        I8_16x16x64 8 32 "v_mfma_i32_16x16x64_i8";
        F8_32x32x64 8 32 "v_mfma_f32_32x32x64_f8f6f4";
        F8_16x16x128 8 32 "v_mfma_f32_16x16x128_f8f6f4";
        F8F6F4_32x32x64 6 32 "v_mfma_f32_32x32x64_f8f6f4 cbsz:2 blgp:2";
        F8F6F4_16x16x128 6 32 "v_mfma_f32_16x16x128_f8f6f4 cbsz:2 blgp:2";
        F8F6F4_32x32x64 4 32 "v_mfma_f32_32x32x64_f8f6f4 cbsz:4 blgp:4";
        F8F6F4_16x16x128 4 32 "v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4";
    }
}

instruction_rows! { wmma
    GFX11, gfx11, {
        gfx11::Operand, 16 32 "v_wmma_f32_16x16x16_f16";
        gfx11::Operand, 16 32 "v_wmma_f32_16x16x16_bf16";
        gfx11::Operand, 16 16 "v_wmma_f16_16x16x16_f16";
        gfx11::Operand, 16 16 "v_wmma_bf16_16x16x16_bf16";
        gfx11::Operand, 8 32 "v_wmma_i32_16x16x16_iu8";
        gfx11::Operand, 4 32 "v_wmma_i32_16x16x16_iu4";
    }
    GFX12, gfx12, {
        gfx12::Operand<Lit<16>>, 16 32 "v_wmma_f32_16x16x16_f16";
        gfx12::Operand<Lit<16>>, 16 32 "v_wmma_f32_16x16x16_bf16";
        gfx12::Operand<Lit<16>>, 16 16 "v_wmma_f16_16x16x16_f16";
        gfx12::Operand<Lit<16>>, 16 16 "v_wmma_bf16_16x16x16_bf16";
        gfx12::Operand<Lit<16>>, 8 32 "v_wmma_i32_16x16x16_iu8";
        gfx12::Operand<Lit<16>>, 4 32 "v_wmma_i32_16x16x16_iu4";
        gfx12::Contiguous<Lit<32>>, 4 32 "v_wmma_i32_16x16x32_iu4";
        gfx12::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_fp8_fp8";
        gfx12::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_fp8_bf8";
        gfx12::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_bf8_fp8";
        gfx12::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_bf8_bf8";
    }
    // The calculator's 16x16x16_iu4 of gfx12 has lanes that hold nothing.
    GFX11_WAVE64, gfx11_wave64, {
        gfx11_wave64::Operand, 16 32 "v_wmma_f32_16x16x16_f16";
        gfx11_wave64::Operand, 16 32 "v_wmma_f32_16x16x16_bf16";
        gfx11_wave64::Operand, 16 16 "v_wmma_f16_16x16x16_f16";
        gfx11_wave64::Operand, 16 16 "v_wmma_bf16_16x16x16_bf16";
        gfx11_wave64::Operand, 8 32 "v_wmma_i32_16x16x16_iu8";
        gfx11_wave64::Operand, 4 32 "v_wmma_i32_16x16x16_iu4";
    }
    GFX12_WAVE64, gfx12_wave64, {
        gfx12_wave64::Operand<Lit<16>>, 16 32 "v_wmma_f32_16x16x16_f16";
        gfx12_wave64::Operand<Lit<16>>, 16 32 "v_wmma_f32_16x16x16_bf16";
        gfx12_wave64::Operand<Lit<16>>, 16 16 "v_wmma_f16_16x16x16_f16";
        gfx12_wave64::Operand<Lit<16>>, 16 16 "v_wmma_bf16_16x16x16_bf16";
        gfx12_wave64::Operand<Lit<16>>, 8 32 "v_wmma_i32_16x16x16_iu8";
        gfx12_wave64::Operand<Lit<32>>, 4 32 "v_wmma_i32_16x16x32_iu4";
        gfx12_wave64::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_fp8_fp8";
        gfx12_wave64::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_fp8_bf8";
        gfx12_wave64::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_bf8_fp8";
        gfx12_wave64::Operand<Lit<16>>, 8 32 "v_wmma_f32_16x16x16_bf8_bf8";
    }
    GFX1250, gfx12, {
        gfx12::Operand<Lit<32>>, 16 32 "v_wmma_f32_16x16x32_f16";
        gfx12::Operand<Lit<32>>, 16 32 "v_wmma_f32_16x16x32_bf16";
        gfx12::Operand<Lit<32>>, 16 16 "v_wmma_f16_16x16x32_f16";
        gfx12::Operand<Lit<32>>, 16 16 "v_wmma_bf16_16x16x32_bf16";
        gfx12::Operand<Lit<64>>, 8 32 "v_wmma_f32_16x16x64_fp8_fp8";
        gfx12::Operand<Lit<64>>, 8 32 "v_wmma_f32_16x16x64_fp8_bf8";
        gfx12::Operand<Lit<64>>, 8 32 "v_wmma_f32_16x16x64_bf8_fp8";
        gfx12::Operand<Lit<64>>, 8 32 "v_wmma_f32_16x16x64_bf8_bf8";
        gfx12::Wide<Lit<128>>, 8 32 "v_wmma_f32_16x16x128_fp8_fp8";
        gfx12::Wide<Lit<128>>, 8 32 "v_wmma_f32_16x16x128_fp8_bf8";
        gfx12::Wide<Lit<128>>, 8 32 "v_wmma_f32_16x16x128_bf8_fp8";
        gfx12::Wide<Lit<128>>, 8 32 "v_wmma_f32_16x16x128_bf8_bf8";
        gfx12::Operand<Lit<64>>, 8 16 "v_wmma_f16_16x16x64_fp8_fp8";
        gfx12::Operand<Lit<64>>, 8 16 "v_wmma_f16_16x16x64_fp8_bf8";
        gfx12::Operand<Lit<64>>, 8 16 "v_wmma_f16_16x16x64_bf8_fp8";
        gfx12::Operand<Lit<64>>, 8 16 "v_wmma_f16_16x16x64_bf8_bf8";
        gfx12::Wide<Lit<128>>, 8 16 "v_wmma_f16_16x16x128_fp8_fp8";
        gfx12::Wide<Lit<128>>, 8 16 "v_wmma_f16_16x16x128_fp8_bf8";
        gfx12::Wide<Lit<128>>, 8 16 "v_wmma_f16_16x16x128_bf8_fp8";
        gfx12::Wide<Lit<128>>, 8 16 "v_wmma_f16_16x16x128_bf8_bf8";
        gfx12::Operand<Lit<64>>, 8 32 "v_wmma_i32_16x16x64_iu8";
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::NAMED;
    use crate::ELEMENTS;
    use crate::matrix::kind::takes;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    /// Operands are refused on chips without their instruction, so both tables have the same chips.
    #[test]
    fn operands_name_the_chips_of_their_rows() {
        for (name, _, operand, _) in NAMED {
            let rows = NAMED.iter().filter(|row| row.0 == *name).flat_map(|row| row.1);
            let rows: BTreeSet<_> = rows.copied().collect();
            assert_eq!(rows, operand.chips.iter().copied().collect(), "{name}");
            assert_eq!(operand.name.strip_prefix("mfma::"), Some(*name));
        }
    }

    /// An operand is of the elements that its instructions take by their names; those of f8f6f4 also of 8 bits in the order
    /// of 6 and 4.
    #[test]
    fn operands_are_of_the_elements_of_their_rows() {
        for (name, _, operand, _) in NAMED {
            let rows = NAMED.iter().filter(|row| row.0 == *name).map(|row| row.3);
            let is_mixed = |bits| name.starts_with("F8F6F4") && bits == 8;
            let is_taken = |code, bits| {
                rows.clone().any(|(row, from)| takes(row, code) && (from == bits || is_mixed(bits)))
            };
            let taken: Vec<_> = ELEMENTS
                .iter()
                .filter(|one| is_taken(one.code, one.bits))
                .map(|one| one.code)
                .collect();
            let own: BTreeSet<_> = operand.elements.iter().map(|one| one.code).collect();
            assert_eq!(own, taken.into_iter().collect(), "{name}");
        }
    }
}
