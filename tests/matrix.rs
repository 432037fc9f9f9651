//! Matrix instructions: what lanes hold of their operands.
//!
//! | promise | against |
//! |---|---|
//! | `mma` and `wgmma` hold what PTX says | PTX ISA's formulas of row and column, written out for each shape |

use tiledesc::Lit;
use tiledesc::distribution::matrix::{mma, wgmma};
use tiledesc::prelude::*;

/// Every element of every lane of every wave is where the formula says.
fn is<T: Distribution>(what: &str, formula: impl Fn(u32, u32, u32) -> Vec<u32>) {
    let of = T::ENCODING.unwrap_or_else(|fault| panic!("{what}: {fault}"));
    for wave in 0..of.waves() {
        for lane in 0..of.lanes() {
            for i in 0..of.elements() {
                let ours = of.coordinate(wave, lane, i).unwrap();
                assert_eq!(
                    ours.as_slice(),
                    formula(wave, lane, i),
                    "{what}: ({wave}, {lane}, {i})"
                );
            }
        }
    }
}

/// PTX ISA, "Register Fragments for wgmma.mma_async": the figure of D, for each N, and of A, for
/// each width of an element.
#[test]
fn wgmma_as_ptx_draws_it() {
    fn accumulator<const N: usize>() {
        assert_eq!(wgmma::Accumulator::<Lit<N>>::ENCODING.unwrap().lengths(), [64, N as u32]);
        assert_eq!(wgmma::Accumulator::<Lit<N>>::ELEMENTS, N / 2);
        is::<wgmma::Accumulator<Lit<N>>>(&format!("D of N = {N}"), |warp, lane, i| {
            let (group, in_group) = (lane >> 2, lane & 3);
            let row = 16 * warp + group + if i % 4 < 2 { 0 } else { 8 };
            vec![row, i / 4 * 8 + in_group * 2 + (i & 1)]
        });
    }
    macro_rules! each {
        ($($n:literal)*) => { $(accumulator::<$n>();)* };
    }
    each!(8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200
        208 216 224 232 240 248 256);
    // Of k there are 32 bytes: in each of two halves a lane holds 4 bytes of two rows.
    fn a<const K: usize, const P: usize>() {
        is::<wgmma::A<Lit<K>, Lit<P>>>(&format!("A of K = {K}"), |warp, lane, i| {
            let (p, (group, in_group)) = (P as u32, (lane >> 2, lane & 3));
            let row = 16 * warp + group + if (i / p) % 2 == 0 { 0 } else { 8 };
            vec![row, in_group * p + i % p + if i < 2 * p { 0 } else { 4 * p }]
        });
    }
    a::<8, 1>();
    a::<16, 2>();
    a::<32, 4>();
}

/// PTX ISA, "Matrix Fragments for mma": row and column of element i, as it writes them for each
/// shape.
#[test]
fn mma_as_ptx_writes_it() {
    let of = |lane: u32| (lane >> 2, lane % 4);
    // .m16n8k4 of tf32 and .f64, .m16n8k8 of these.
    is::<mma::A<U4, U1>>("m16n8k4 A", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i == 0 { group } else { group + 8 }, thread]
    });
    is::<mma::B<U4, U1>>("m16n8k4 B", |_, lane, _| vec![of(lane).0, of(lane).1]);
    is::<mma::A<U8, U1>>("m16n8k8 A of tf32", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i == 0 || i == 2 { group } else { group + 8 };
        vec![row, if i < 2 { thread } else { thread + 4 }]
    });
    is::<mma::B<U8, U1>>("m16n8k8 B of tf32", |_, lane, i| vec![of(lane).0, of(lane).1 + i * 4]);
    is::<mma::A<U16, U1>>("m16n8k16 A of f64", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i % 2 == 0 { group } else { group + 8 }, i / 2 * 4 + thread]
    });
    is::<mma::B<U16, U1>>("m16n8k16 B of f64", |_, lane, i| vec![of(lane).0, of(lane).1 + i * 4]);
    // .m16n8k8 and .m16n8k16 of .f16 and .bf16.
    is::<mma::A<U8, U2>>("m16n8k8 A of f16", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1)]
    });
    is::<mma::B<U8, U2>>("m16n8k8 B of f16", |_, lane, i| vec![of(lane).0, of(lane).1 * 2 + i]);
    is::<mma::A<U16, U2>>("m16n8k16 A of f16", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 2 || (4..6).contains(&i) { group } else { group + 8 };
        vec![row, thread * 2 + (i & 1) + if i < 4 { 0 } else { 8 }]
    });
    is::<mma::B<U16, U2>>("m16n8k16 B of f16", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 }]
    });
    // .m16n8k16 and .m16n8k32 of .u8, .s8, .e4m3 and .e5m2.
    is::<mma::A<U16, U4>>("m16n8k16 A of s8", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 4 { group } else { group + 8 }, thread * 4 + (i & 3)]
    });
    is::<mma::B<U16, U4>>("m16n8k16 B of s8", |_, lane, i| vec![of(lane).0, of(lane).1 * 4 + i]);
    is::<mma::A<U32, U4>>("m16n8k32 A of s8", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 4 || (8..12).contains(&i) { group } else { group + 8 };
        vec![row, thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 }]
    });
    is::<mma::B<U32, U4>>("m16n8k32 B of s8", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 }]
    });
    // .m16n8k32 and .m16n8k64 of .u4 and .s4.
    is::<mma::A<U32, U8>>("m16n8k32 A of s4", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 8 { group } else { group + 8 }, thread * 8 + (i & 7)]
    });
    is::<mma::A<U64, U8>>("m16n8k64 A of s4", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 8 || (16..24).contains(&i) { group } else { group + 8 };
        vec![row, thread * 8 + (i & 7) + if i < 16 { 0 } else { 32 }]
    });
    is::<mma::B<U64, U8>>("m16n8k64 B of s4", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 }]
    });
    // .m16n8k128 and .m16n8k256 of .b1.
    is::<mma::A<U128, U32>>("m16n8k128 A of b1", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 32 { group } else { group + 8 }, thread * 32 + (i & 0x1f)]
    });
    is::<mma::A<U256, U32>>("m16n8k256 A of b1", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 32 || (64..96).contains(&i) { group } else { group + 8 };
        vec![row, thread * 32 + (i & 0x1f) + if i < 64 { 0 } else { 128 }]
    });
    is::<mma::B<U256, U32>>("m16n8k256 B of b1", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 32 + (i & 0x1f) + if i < 32 { 0 } else { 128 }]
    });
    is::<mma::C>("C of m16n8", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1)]
    });
    // .m8n8k4 of .f64, .m8n8k16 of .s8, .m8n8k32 of .s4, .m8n8k128 of .b1.
    is::<mma::ShortA<U4, U1>>("m8n8k4 A", |_, lane, _| vec![lane >> 2, lane % 4]);
    is::<mma::ShortA<U16, U4>>("m8n8k16 A", |_, lane, i| vec![lane >> 2, lane % 4 * 4 + i]);
    is::<mma::ShortA<U32, U8>>("m8n8k32 A", |_, lane, i| vec![lane >> 2, lane % 4 * 8 + i]);
    is::<mma::ShortA<U128, U32>>("m8n8k128 A", |_, lane, i| vec![lane >> 2, lane % 4 * 32 + i]);
    is::<mma::ShortC>("C of m8n8", |_, lane, i| vec![lane >> 2, lane % 4 * 2 + i]);
}

/// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16": four products, of lanes 0-3 and 16-19, 4-7
/// and 20-23, and so on.
#[test]
fn quad_pairs_as_ptx_writes_them() {
    let product = |lane: u32| lane % 16 / 4;
    is::<mma::quad_pair::Operand>("A by rows", |_, lane, i| {
        vec![product(lane), if lane < 16 { lane % 4 } else { lane % 4 + 4 }, i]
    });
    is::<mma::quad_pair::CF16>("C of f16", |_, lane, i| {
        vec![product(lane), if lane < 16 { lane % 4 } else { lane % 4 + 4 }, i]
    });
    is::<mma::quad_pair::CF32>("C of f32", |_, lane, i| {
        let x = (lane & 0b1) + (i & 0b10);
        let row = if lane < 16 { x } else { x + 4 };
        vec![product(lane), row, (i & 0b100) + (lane & 0b10) + (i & 0b1)]
    });
}
