//! A block of a GEMM on MI300, 128 x 128 of C with 64 of k, from LDS to sums: every address and every register by types.
//!
//! `cargo run --release -p tiledesc-examples --example gemm`
//!
//! Four waves, two by two. The statements are judged, `access!` gives the addresses, and `product!` checks that the lanes'
//! rows and k meet in the instruction, says who holds the sums, and loops over the instructions of a wave.

use tiledesc::distribution::{BlockRaked, Within};
use tiledesc::{matrix::mfma, prelude::*};

distribution! {
    /// Two reads of 32 rows a wave, four along k; and the same of B, by the waves across.
    type WavesA: m [down 2, wave 2], k [deep 4]; repeat [across 2], wave (wave, across), thread (down, deep);
    type WavesB: n [across 2, wave 2], k [deep 4]; repeat [down 2], wave (down, wave), thread (across, deep);
}
type Fetch = BlockRaked<U128, U64, U8, U4>;
layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
access! {
    Tile on gfx942:
        type Store = write ds_write_b128 by Fetch,
        type ReadA = read ds_read_b128 by Within<WavesA, mfma::Operand<U32, U16>>,
        type ReadB = read ds_read_b128 by Within<WavesB, mfma::Operand<U32, U16>>,
}
product! { type Sums = ReadA x ReadB by v_mfma_f32_32x32x8_f16 on gfx942; }

/// A and B of a lane: 8 reads of 16 bytes each.
fn read(lds: &[[u16; Tile::SPACE as usize]; 2], wave: u32, lane: u32) -> [[u16; 64]; 2] {
    let mut held = [[0; 64]; 2];
    ReadA::each(wave, lane, |byte, immediate, _, first| {
        held[0][first..first + 8].copy_from_slice(&lds[0][(byte + immediate) as usize / 2..][..8]);
    });
    ReadB::each(wave, lane, |byte, immediate, _, first| {
        held[1][first..first + 8].copy_from_slice(&lds[1][(byte + immediate) as usize / 2..][..8]);
    });
    held
}

/// What the instruction adds to a register of a lane, as its own operands say.
fn mfma(held: &[[[u16; 64]; 2]; 64], [a, b]: [usize; 2], lane: u32, register: usize) -> f32 {
    use mfma::F16_32x32x8::{A, B, C};
    let [m, n] = C::coordinate(0, lane, register);
    let product = |k| {
        let (of_a, of_b) = (A::owner([m, k]), B::owner([n, k]));
        let a = held[of_a.lane as usize][0][a + of_a.element as usize];
        f32::from(a) * f32::from(held[of_b.lane as usize][1][b + of_b.element as usize])
    };
    (0..8).map(product).sum()
}

fn main() {
    let number = |tile: u32, row: u32, k: u32| ((row * 31 + k * 7 + tile * 5) % 13) as u16;
    let mut lds = [[0; Tile::SPACE as usize]; 2];
    for (wave, lane) in (0..256).map(|thread| (thread / 64, thread % 64)) {
        Store::each(wave, lane, |byte, immediate, _, first| {
            for (tile, i) in (0..2).flat_map(|tile| (0..8).map(move |i| (tile, i))) {
                let [row, k] = Fetch::coordinate(wave, lane, first + i);
                lds[tile][(byte + immediate) as usize / 2 + i] = number(tile as u32, row, k);
            }
        });
    }
    for wave in 0..4 {
        let held = core::array::from_fn(|lane| read(&lds, wave, lane as u32));
        let mut sums = [[0.0; Sums::ELEMENTS]; 64];
        Sums::each(|a, b, c| {
            for (lane, sums) in (0..).zip(&mut sums) {
                for (register, sum) in sums[c.clone()].iter_mut().enumerate() {
                    *sum += mfma(&held, [a.start, b.start], lane, register);
                }
            }
        });
        for (lane, register) in (0..64).flat_map(|lane| (0..Sums::ELEMENTS).map(move |i| (lane, i)))
        {
            let [m, n] = Sums::coordinate(wave, lane, register);
            let product = |k| f32::from(number(0, m, k)) * f32::from(number(1, n, k));
            assert_eq!(sums[lane as usize][register], (0..64).map(product).sum());
        }
    }
    println!("128 x 128 sums are right, by {} {} a wave", Sums::STEPS.count(), Sums::INSTRUCTION);
}
