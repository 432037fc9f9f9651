//! The offsets of recipes are the formulas that their documentation and the book
//! (`docs/src/layouts_and_recipes.md`) print, at every coordinate of a tile.

use tiledesc::Plan;
use tiledesc::prelude::*;
use tiledesc::recipe::{
    Buffers, Every, K, KIter, KPack, LinePacks, M, MN, N, Padding, Rep, VectorSize, Warps,
};

fn all(plan: Plan, formula: impl Fn(&[u32]) -> u32) {
    for id in 0..plan.elements() {
        let at = plan.nth(id);
        assert_eq!(plan.offset(at.as_slice()), Ok(formula(at.as_slice())), "{at:?}");
    }
}
fn xor(m: u32, k: u32, depth: u32, p: u32, l: u32) -> u32 {
    let line = ((m % l) * (depth / p) + k / p) ^ ((m / l) % (depth / p * l));
    (m / l) * depth * l + line * p + k % p
}
fn pad(m: u32, k: u32, rows: u32, p: u32) -> u32 {
    (k / p) * (rows + 1) * p + m * p + k % p
}
#[test]
fn rows_are_their_formulas() {
    all(recipe::RowMajor::<F16, M<128>, K<64>>::PLAN, |i| i[0] * 64 + i[1]);
    all(recipe::RowPad::<F16, M<128>, K<64>, Padding<8>>::PLAN, |i| i[0] * 72 + i[1]);
    all(recipe::RowShift::<F16, M<64>, K<96>, KPack<8>>::PLAN, |i| {
        i[0] * 96 + (i[1] / 8 + i[0]) % 12 * 8 + i[1] % 8
    });
    all(recipe::DenseXor::<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![3, 1, 4]>::PLAN, |i| {
        let x = i[0] * 96 + i[1];
        let line = x / 64;
        let mask = ((line & 1) * 3) ^ ((line >> 1) & 1) ^ (((line >> 2) & 1) * 4);
        x ^ (mask * 8)
    });
    all(recipe::IntervalPad::<F16, M<64>, K<96>, Every<256>, Padding<8>>::PLAN, |i| {
        let x = i[0] * 96 + i[1];
        x + x / 256 * 8
    });
    all(recipe::GemmAsync::<F16, M<128>, K<64>, KPack<8>>::PLAN, |i| i[0] * 64 + i[1]);
    all(recipe::GemmDsReadTr::<F16, K<64>, MN<128>>::PLAN, |i| i[0] * 128 + i[1]);
    all(recipe::BatchedTranspose::<F16, M<64>, N<64>, VectorSize<4>>::PLAN, |i| i[0] * 64 + i[1]);
    all(recipe::CShuffleColumn::<F16, M<128>, N<64>>::PLAN, |i| i[1] * 128 + i[0]);
}

#[test]
fn xors_are_their_formulas() {
    all(recipe::XorPreshuffle::<F16, M<128>, K<32>, KPack<8>>::PLAN, |i| xor(i[0], i[1], 32, 8, 1));
    all(recipe::GemmXor::<F16, M<128>, K<64>, KPack<8>>::PLAN, |i| xor(i[0], i[1], 64, 8, 1));
    all(recipe::GemmXor::<F16, M<128>, K<32>, KPack<8>>::PLAN, |i| xor(i[0], i[1], 32, 8, 2));
    all(recipe::GemmXor::<F8, M<128>, K<32>, KPack<16>>::PLAN, |i| xor(i[0], i[1], 32, 16, 4));
    all(recipe::GemmXor64::<F16, M<128>, K<64>, KPack<8>>::PLAN, |i| xor(i[0], i[1], 64, 8, 2));
    all(recipe::FmhaBwdX::<F16, MN<128>, K<32>, KPack<8>, KIter<2>>::PLAN, |i| {
        let (m, k) = (i[0], i[1] % 32);
        let line = (k / 8 * 2 + m % 2) ^ ((m / 2) % 8);
        i[1] / 32 * 128 * 32 + (m / 2) * 64 + line * 8 + k % 8
    });
}

#[test]
fn pads_are_their_formulas() {
    all(recipe::FlatmmPad::<F16, M<128>, K<64>, KPack<8>>::PLAN, |i| pad(i[0], i[1], 128, 8));
    all(recipe::GemmV1Pad::<F16, M<128>, K<64>>::PLAN, |i| pad(i[0], i[1], 128, 8));
    all(recipe::FmhaK::<F32, N<128>, K<64>>::PLAN, |i| pad(i[0], i[1], 128, 4));
    all(recipe::SplitKvCombine::<F32, M<32>, N<64>, KPack<4>>::PLAN, |i| pad(i[0], i[1], 32, 4));
    type Lse = recipe::SplitKvCombineTransposed<F32, M<32>, N<64>, KPack<4>>;
    all(Lse::PLAN, |i| pad(i[1], i[0], 32, 4));
}

#[test]
fn buffers_and_lines_are_their_formulas() {
    all(recipe::FmhaKWholeK::<F16, N<128>, K<32>, Buffers<2>>::PLAN, |i| {
        let (b, n, k) = (i[0] / 128, i[0] % 128, i[1]);
        b * (32 * 128 + 32 * 4 / 8) + k / 8 * (128 * 8 + 4) + k % 8 / 4 * 128 * 4 + n * 4 + k % 4
    });
    type V = recipe::FmhaV<F16, N<128>, K<32>, Buffers<2>, Lit<5000>>;
    all(V::PLAN, |i| {
        let (b, n, k) = (i[0] / 128, i[0] % 128, i[1]);
        b * 5000 + k / 8 * (128 / 8) * 72 + n / 8 * 72 + n % 8 * 8 + k % 8
    });
    type Store =
        recipe::FmhaKAsyncStore<F16, N<128>, K<32>, Warps<4>, recipe::Buffer<1>, Lit<5000>>;
    all(Store::PLAN, |i| 5000 + (i[0] * 4 + i[1]) * 136 + i[2]);
    type Load = recipe::FmhaKAsyncLoad<F16, N<128>, K<32>, Warps<4>, Buffers<2>, Lit<5000>>;
    all(Load::PLAN, |i| {
        let (w, g, n) = (i[0] % 4, i[0] / 4 % 4, i[0] / 16);
        n / 8 * 5000 + (n % 8 * 4 + w) * 136 + g * 32 + i[1]
    });
    all(recipe::MoeAStore::<F16, M<32>, K<64>, Warps<4>>::PLAN, |i| (i[0] * 4 + i[1]) * 136 + i[2]);
    all(recipe::MoeALoad::<F16, M<32>, K<64>, Warps<4>>::PLAN, |i| {
        let (w, g, issue) = (i[0] % 4, i[0] / 4 % 2, i[0] / 8);
        (issue * 4 + w) * 136 + g * 64 + i[1]
    });
    all(recipe::GemmTdm::<F16, M<64>, K<32>, Padding<8>>::PLAN, |i| {
        i[0] / 4 * (128 + 8) + i[0] % 4 * 32 + i[1]
    });
    all(recipe::MoeBridge::<F16, Rep<2>, Rep<2>, Warps<4>>::PLAN, |i| {
        let (rm, r) = (i[0] / 16, i[0] % 16);
        let (rn, w, a, b) = (i[1] / 64, i[1] / 16 % 4, i[1] / 4 % 4, i[1] % 4);
        ((((rm * 2 + rn) * 4 + w) * 4 + a) * 16 + r) * 4 + b
    });
}
