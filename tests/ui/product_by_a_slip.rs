// Attempt: products that are misspelled.
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;

type A = mfma::F16_32x32x8::A;
type B = mfma::F16_32x32x8::B;

product! {
    type NoFactors = A by v_mfma_f32_32x32x8_f16 on gfx942;
    type NoName = A x B on gfx942;
    type NoElements = A x B by 32x32x8 on gfx942;
    type NoShape = A x B by 32x32 of F16 on gfx942;
    type NoChip = A x B by v_mfma_f32_32x32x8_f16;
    Scores = A x B by v_mfma_f32_32x32x8_f16 on gfx942;
    type Unbounded<C> = A x B by 32x32x8 of F16 on C;
    type Sold = A x B by v_mfma_f32_32x32x8_f16 on mi300x;
    type Tile = recipe::RowMajor<F16, U32, U8> x B by v_mfma_f32_32x32x8_f16 on gfx942;
}

fn main() {}
