//! The matrix instructions of NVIDIA's chips. Shapes, types, and the first capability that has each: PTX ISA, `mma` and
//! `wgmma.mma_async`. Integers of A and of B have a sign each (`.atype`, `.btype`), in the same fragments;
//! NVIDIA/cutlass has all four of `mma` from sm_80 on and of `wgmma` (`mma_sm80.hpp`, `mma_sm90_gmma.hpp`).

use super::named::Named;
use super::row::{InstructionRow, On, held, instruction_rows};
use super::sought::Sought;
use crate::matrix::{mma, wgmma};
use tiledesc_transforms::Lit;

/// The chips of instructions for sm_70 only: later chips have them for compatibility.
const SM_70: On = On::Chips(&["sm_70"]);
const SM_75: On = On::Since(75);
const SM_80: On = On::Since(80);
const SM_89: On = On::Since(89);
const SM_90: On = On::Since(90);

/// A, and B, of 16x8 and K of k, P elements in 32 bits.
type A<const K: usize, const P: usize> = mma::A<Lit<K>, Lit<P>>;
type B<const K: usize, const P: usize> = mma::B<Lit<K>, Lit<P>>;
/// A of 8x8.
type Short<const K: usize, const P: usize> = mma::ShortA<Lit<K>, Lit<P>>;

instruction_rows! { mma
    SM_70, mma::quad_pair::Operand, mma::quad_pair::Operand, mma::quad_pair::CF32, 16 32: "m8n8k4.f32.f16.f16.f32";
    SM_70, mma::quad_pair::Operand, mma::quad_pair::Operand, mma::quad_pair::CF16, 16 16: "m8n8k4.f16.f16.f16.f16";
    SM_75, A<8, 2>, B<8, 2>, mma::C, 16 32: "m16n8k8.f32.f16.f16.f32";
    SM_75, A<8, 2>, B<8, 2>, mma::C, 16 16: "m16n8k8.f16.f16.f16.f16";
    SM_80, A<8, 2>, B<8, 2>, mma::C, 16 32: "m16n8k8.f32.bf16.bf16.f32";
    SM_80, A<16, 2>, B<16, 2>, mma::C, 16 32: "m16n8k16.f32.f16.f16.f32" "m16n8k16.f32.bf16.bf16.f32";
    SM_80, A<16, 2>, B<16, 2>, mma::C, 16 16: "m16n8k16.f16.f16.f16.f16";
    SM_80, A<4, 1>, B<4, 1>, mma::C, 32 32: "m16n8k4.f32.tf32.tf32.f32";
    SM_80, A<8, 1>, B<8, 1>, mma::C, 32 32: "m16n8k8.f32.tf32.tf32.f32";
    SM_80, Short<4, 1>, B<4, 1>, mma::ShortC, 64 64: "m8n8k4.f64.f64.f64.f64";
    SM_90, A<4, 1>, B<4, 1>, mma::C, 64 64: "m16n8k4.f64.f64.f64.f64";
    SM_90, A<8, 1>, B<8, 1>, mma::C, 64 64: "m16n8k8.f64.f64.f64.f64";
    SM_90, A<16, 1>, B<16, 1>, mma::C, 64 64: "m16n8k16.f64.f64.f64.f64";
    SM_75, Short<16, 4>, B<16, 4>, mma::ShortC, 8 32: "m8n8k16.s32.s8.s8.s32" "m8n8k16.s32.u8.u8.s32"
        "m8n8k16.s32.s8.u8.s32" "m8n8k16.s32.u8.s8.s32";
    SM_80, A<16, 4>, B<16, 4>, mma::C, 8 32: "m16n8k16.s32.s8.s8.s32" "m16n8k16.s32.u8.u8.s32"
        "m16n8k16.s32.s8.u8.s32" "m16n8k16.s32.u8.s8.s32";
    SM_80, A<32, 4>, B<32, 4>, mma::C, 8 32: "m16n8k32.s32.s8.s8.s32" "m16n8k32.s32.u8.u8.s32"
        "m16n8k32.s32.s8.u8.s32" "m16n8k32.s32.u8.s8.s32";
    SM_75, Short<32, 8>, B<32, 8>, mma::ShortC, 4 32: "m8n8k32.s32.s4.s4.s32" "m8n8k32.s32.u4.u4.s32"
        "m8n8k32.s32.s4.u4.s32" "m8n8k32.s32.u4.s4.s32";
    SM_80, A<32, 8>, B<32, 8>, mma::C, 4 32: "m16n8k32.s32.s4.s4.s32" "m16n8k32.s32.u4.u4.s32"
        "m16n8k32.s32.s4.u4.s32" "m16n8k32.s32.u4.s4.s32";
    SM_80, A<64, 8>, B<64, 8>, mma::C, 4 32: "m16n8k64.s32.s4.s4.s32" "m16n8k64.s32.u4.u4.s32"
        "m16n8k64.s32.s4.u4.s32" "m16n8k64.s32.u4.s4.s32";
    SM_75, Short<128, 32>, B<128, 32>, mma::ShortC, 1 32: "m8n8k128.s32.b1.b1.s32.xor.popc";
    SM_80, Short<128, 32>, B<128, 32>, mma::ShortC, 1 32: "m8n8k128.s32.b1.b1.s32.and.popc";
    SM_80, A<128, 32>, B<128, 32>, mma::C, 1 32: "m16n8k128.s32.b1.b1.s32.xor.popc" "m16n8k128.s32.b1.b1.s32.and.popc";
    SM_80, A<256, 32>, B<256, 32>, mma::C, 1 32: "m16n8k256.s32.b1.b1.s32.xor.popc" "m16n8k256.s32.b1.b1.s32.and.popc";
    SM_89, A<16, 4>, B<16, 4>, mma::C, 8 32: "m16n8k16.f32.e4m3.e4m3.f32" "m16n8k16.f32.e5m2.e5m2.f32";
    SM_89, A<32, 4>, B<32, 4>, mma::C, 8 32: "m16n8k32.f32.e4m3.e4m3.f32" "m16n8k32.f32.e4m3.e5m2.f32"
        "m16n8k32.f32.e5m2.e4m3.f32" "m16n8k32.f32.e5m2.e5m2.f32";
    SM_89, A<32, 4>, B<32, 4>, mma::C, 8 16: "m16n8k32.f16.e4m3.e4m3.f16" "m16n8k32.f16.e5m2.e5m2.f16";
}

/// Rows of `wgmma` of these N: k and P of A, the bits of an element of A and B and of D, the types.
macro_rules! wgmma {
    ($($List:ident [$($kind:tt)+] $n:tt;)*) => {$(
        wgmma! { @list $List [$($kind)+] $n }
    )*};
    (@list $List:ident [$({$k:literal $p:literal $from:literal $to:literal $types:literal})+] $n:tt) => {
        pub(super) const $List: &[&[InstructionRow]] =
            &[$(wgmma! { @rows $k $p $from $to $types $n }),+];
    };
    (@rows $k:literal $p:literal $from:literal $to:literal $types:literal [$($n:literal)+]) => {
        &[$(InstructionRow {
            name: concat!("wgmma.m64n", $n, "k", $k, ".", $types),
            on: On::Chips(&["sm_90"]),
            bits: [$from, $from, $to],
            a: held::<wgmma::A<Lit<$k>, Lit<$p>>>(),
            b: None,
            c: held::<wgmma::Accumulator<Lit<$n>>>(),
            swapped_c: None,
        }),+]
    };
}

wgmma! {
    WGMMA [
        {16 2 16 32 "f32.f16.f16"} {16 2 16 16 "f16.f16.f16"} {16 2 16 32 "f32.bf16.bf16"} {8 1 32 32 "f32.tf32.tf32"}
        {32 4 8 32 "f32.e4m3.e4m3"} {32 4 8 32 "f32.e4m3.e5m2"} {32 4 8 32 "f32.e5m2.e4m3"} {32 4 8 32 "f32.e5m2.e5m2"}
        {32 4 8 16 "f16.e4m3.e4m3"} {32 4 8 16 "f16.e5m2.e5m2"}
    ] [
        8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248
        256
    ];
    // Of integers, N is a multiple of 16 from 32 on.
    WGMMA_OF_INTEGERS [{32 4 8 32 "s32.s8.s8"} {32 4 8 32 "s32.u8.u8"} {32 4 8 32 "s32.s8.u8"}
        {32 4 8 32 "s32.u8.s8"} {256 32 1 32 "s32.b1.b1.and.popc"}] [
        8 16 24 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256
    ];
}
