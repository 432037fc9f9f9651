//! A GEMM on MI300 from global memory to global memory, of any lengths: C = A x B', here 150 x 200 with 136 of k.
//!
//! `cargo run --release -p tiledesc-examples --example whole_gemm`
//!
//! Blocks of 128 x 128 by four waves; tiles of A and of B twice in LDS, then C in their place. No index is computed here:
//! windows give offsets in tensors and mask the edges, `access!` and `convert!` addresses in LDS, `product!` registers.

use tiledesc::distribution::{BlockRaked, Within};
use tiledesc::storage::{Arena, Buffered};
use tiledesc::transforms::RunTimeRows as View;
use tiledesc::{access::AccessError, chip::gfx942, matrix::mfma, prelude::*};

distribution! {
    type WavesA: m [down 2, wave 2], k [deep 4]; repeat [across 2], wave (wave, across), thread (down, deep);
    type WavesB: n [across 2, wave 2], k [deep 4]; repeat [down 2], wave (down, wave), thread (across, deep);
}
type Fetch = BlockRaked<U128, U64, U8, U4>;
type Rows = BlockRaked<U128, U128, U4, U4>;
layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
access! {
    Buffered<Tile, U2> on gfx942:
        type Store = write ds_write_b128 by Fetch,
        type ReadA = read ds_read_b128 by Within<WavesA, mfma::Operand<U32, U16>>,
        type ReadB = read ds_read_b128 by Within<WavesB, mfma::Operand<U32, U16>>,
}
product! { type Sums = ReadA x ReadB by v_mfma_f32_32x32x8_f16 on gfx942; }
convert! { type Block = F32 [128, 128] on gfx942: type StoreC from Sums, type LoadC to Rows; }

type Twice = Buffered<Tile, U2>;
const LOOP: Arena = Arena::on(&gfx942)
    .holds::<Twice>("a")
    .accessed_by::<Store>()
    .accessed_by::<ReadA>()
    .holds::<Twice>("b")
    .accessed_by::<Store>()
    .accessed_by::<ReadB>();
const LDS: Arena = LOOP.then().holds::<Block>("c").accessed_by::<StoreC>().accessed_by::<LoadC>();

struct Gemm {
    a: Window<View, Fetch, VectorSize<8>>,
    b: Window<View, Fetch, VectorSize<8>>,
    c: Window<View, Rows, VectorSize<4>>,
    depth: u32,
}

impl Gemm {
    fn new([m, n, k]: [u32; 3]) -> Result<Self, AccessError> {
        let view = |rows, columns| Naive::rows(rows, columns).whole();
        let (a, b) = (Window::new(view(m, k)?)?, Window::new(view(n, k)?)?);
        Ok(Self { a, b, c: Window::new(view(m, n)?)?, depth: k })
    }

    /// A workgroup: its lanes run one after another, up to a barrier.
    fn block(&self, [m, n]: [u32; 2], [a, b]: [&[u16]; 2], c: &mut [f32]) {
        let mut lds = vec![0; LOOP.bytes() as usize / 2];
        let mut sums = [[[0.0; Sums::ELEMENTS]; 64]; 4];
        for step in 0..self.depth.div_ceil(64) {
            let [at_a, at_b] = ["a", "b"].map(|name| LOOP.at(name) + Twice::begin_of(step % 2));
            let a = (self.a.at([m, 64 * step]), a, at_a);
            let b = (self.b.at([n, 64 * step]), b, at_b);
            for (wave, lane) in threads() {
                for (window, from, base) in [&a, &b] {
                    let mut held = [0; Fetch::ELEMENTS];
                    window.each_into(wave, lane, &mut held, |at, halves: &mut [u16; 8]| {
                        halves.copy_from_slice(&from[at.index()..][..8]);
                    });
                    Store::each_from(wave, lane, &held, |at, halves: &[u16; 8]| {
                        lds[at.after(*base).index::<u16>()..][..8].copy_from_slice(halves);
                    });
                }
            }
            // A barrier. The buffers of the next step are others.
            for (wave, sums) in (0..).zip(&mut sums) {
                let held = core::array::from_fn(|lane| read(&lds, [at_a, at_b], wave, lane as u32));
                Sums::each(|a, b, c| mfma(&held, [a.start, b.start], sums, c.start));
            }
        }
        let mut lds = vec![0.0; LDS.bytes() as usize / 4];
        for (wave, lane) in threads() {
            let sums = &sums[wave as usize][lane as usize];
            StoreC::each_from(wave, lane, sums, |at, float: &[f32; 1]| {
                lds[at.after(LDS.at("c")).index::<f32>()] = float[0];
            });
        }
        let window = self.c.at([m, n]);
        for (wave, lane) in threads() {
            let mut row = [0.0; Rows::ELEMENTS];
            LoadC::each_into(wave, lane, &mut row, |at, floats: &mut [f32; 4]| {
                floats.copy_from_slice(&lds[at.after(LDS.at("c")).index::<f32>()..][..4]);
            });
            window.each_from(wave, lane, &row, |at, floats: &[f32; 4]| {
                c[at.index()..][..4].copy_from_slice(floats);
            });
        }
    }
}

fn threads() -> impl Iterator<Item = (u32, u32)> {
    (0..4).flat_map(|wave| (0..64).map(move |lane| (wave, lane)))
}

/// A and B of a lane.
fn read(lds: &[u16], [a, b]: [u32; 2], wave: u32, lane: u32) -> [[u16; 64]; 2] {
    let mut held = [[0; 64]; 2];
    ReadA::each_into(wave, lane, &mut held[0], |at, halves: &mut [u16; 8]| {
        halves.copy_from_slice(&lds[at.after(a).index::<u16>()..][..8]);
    });
    ReadB::each_into(wave, lane, &mut held[1], |at, halves: &mut [u16; 8]| {
        halves.copy_from_slice(&lds[at.after(b).index::<u16>()..][..8]);
    });
    held
}

/// What the instruction adds to the registers of 64 lanes, as its own operands say.
fn mfma(
    held: &[[[u16; 64]; 2]; 64],
    [a, b]: [usize; 2],
    sums: &mut [[f32; Sums::ELEMENTS]; 64],
    c: usize,
) {
    use mfma::F16_32x32x8::{A, B, C};
    let (mut of_a, mut of_b) = ([[0.0; 8]; 32], [[0.0; 8]; 32]);
    for (lane, held) in (0..).zip(held) {
        for element in 0..A::ELEMENTS {
            let ([m, k], [n, l]) =
                (A::coordinate(0, lane, element), B::coordinate(0, lane, element));
            of_a[m as usize][k as usize] = f32::from(held[0][a + element]);
            of_b[n as usize][l as usize] = f32::from(held[1][b + element]);
        }
    }
    for (lane, sums) in (0..).zip(sums) {
        for register in 0..C::ELEMENTS {
            let [m, n] = C::coordinate(0, lane, register);
            let products = of_a[m as usize].iter().zip(of_b[n as usize]).map(|(a, b)| a * b);
            sums[c + register] += products.sum::<f32>();
        }
    }
}

fn main() -> Result<(), AccessError> {
    let [m, n, k] = [150, 200, 136];
    let number = |row: u32, deep: u32| ((row * 31 + deep * 7) % 13) as u16;
    let tensor =
        |rows, first| (0..rows * k).map(|i| number(first + i / k, i % k)).collect::<Vec<_>>();
    let (a, b, mut c) = (tensor(m, 0), tensor(n, 5), vec![f32::NAN; (m * n) as usize]);
    let kernel = Gemm::new([m, n, k])?;
    for row in (0..m).step_by(128) {
        for column in (0..n).step_by(128) {
            kernel.block([row, column], [&a, &b], &mut c);
        }
    }
    for (i, found) in (0..).zip(c) {
        let product = |deep| f32::from(number(i / n, deep) * number(5 + i % n, deep));
        assert_eq!(found, (0..k).map(product).sum::<f32>(), "row {}, column {}", i / n, i % n);
    }
    println!("{m} x {n} sums of {k} products are right; C goes through LDS by {Block}");
    Ok(())
}
