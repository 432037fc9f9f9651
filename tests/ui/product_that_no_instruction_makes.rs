// Attempt: products by instructions that the chip lacks, of other elements, and of lanes that hold something else.
use tiledesc::distribution::Within;
use tiledesc::matrix::{mfma, mma, wmma};
use tiledesc::prelude::*;

layout! { type Block = recipe::GemmXor<BF16, M<32>, K<8>, KPack<4>>; }
access! { Block on gfx942: type Read = read ds_read_b64 by mfma::Operand<U32, U8> }
distribution! {
    type Waves: m [wave 2], k [deep 1]; wave (wave), thread (deep);
    type Turned: k [part 2, pack 4], m [row 32]; lane (part, row), thread (pack);
    type Columns: n [row 32], k [part 2, pack 4]; lane (part, row), thread (pack);
}
type A = mfma::F16_32x32x8::A;
type B = mfma::F16_32x32x8::B;

product! { type Later = A x B by v_mfma_f32_32x32x16_f16 on gfx942; }
product! { type Shape = A x B by 48x16x16 of F16 on gfx942; }
product! { type Gmma = A x B by wgmma.m64n8k16.f32.f16.f16 on sm_90; }
product! { type Other = A x B by v_mfma_f32_32x32x8_bf16 on gfx942; }
product! { type Tile = Read x mfma::Operand<U32, U8> by v_mfma_f32_32x32x8_f16 on gfx942; }
product! { type Rows = mfma::Operand<U16, U16> x mfma::Operand<U32, U16> by v_mfma_f32_32x32x8_f16 on gfx942; }
product! { type Order = mfma::Operand<U32, U16> x mfma::Halved<U32, U16> by v_mfma_f32_32x32x8_f16 on gfx942; }
product! { type Lengths = mfma::Operand<U32, U16> x B by v_mfma_f32_32x32x8_f16 on gfx942; }
product! { type Lanes = wmma::gfx11::Operand x wmma::gfx11::Operand by v_mfma_f32_16x16x16_f16 on gfx942; }
product! { type Apart = Within<Waves, A> x Within<Waves, B> by v_mfma_f32_32x32x8_f16 on gfx942; }
product! { type Names = Columns x Turned by v_mfma_f32_32x32x8_f16 on gfx942; }
product! { type Swapped = mma::A<U16, U2> x mma::B<U16, U2> by mma.m16n8k16.f32.f16.f16.f32 swapped on sm_80; }

fn main() {}
