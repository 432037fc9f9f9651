//! The A operand of CK Tile's GEMM tiles in LDS: row-major, padded, xor.
//!
//! `cargo run --release -p tiledesc-examples --example gemm_lds`

use tiledesc::prelude::*;
use tiledesc::recipe::{FlatmmPad, GemmXor, K, M, MLdsLayerOf, RowMajor as Rows};
use tiledesc::{Tile, chip::gfx942, pattern::Pattern};

/// How many lanes wait for one bank; `None` if the tile is too small for the wave.
fn ways<T: Tile, P: Pattern>(write: bool) -> Option<u32> {
    let instruction = if write { gfx942::ds_write_b128 } else { gfx942::ds_read_b128 };
    LayoutOf::<T>::verdict::<P>(&instruction).ok().map(|verdict| verdict.degree())
}

/// Prints LDS bytes, ways and offsets of one layout; returns its worst ways.
fn cell<T: Tile>(_: T) -> u32 {
    let all =
        [ways::<T, RowMajor>(true), ways::<T, MfmaRows<16>>(false), ways::<T, MfmaRows<32>>(false)];
    let [write, r16, r32] = all.map(|ways| ways.map_or("-".into(), |ways| ways.to_string()));
    let [a, b] = [[1, 0], [13, 8]].map(|at| LayoutOf::<T>::PLAN.offset(&at).unwrap());
    print!(" {:>8} {write:>3} {r16:>3} {r32:>3} {a:>6} {b:>6}", LayoutOf::<T>::BYTES);
    all.into_iter().flatten().max().unwrap_or(0)
}

fn tile<E: Element, const MB: usize, const KB: usize, const P: usize>() -> [u32; 3] {
    let layers = MLdsLayerOf::<E, K<KB>, Lit<32>>::N;
    print!("{:>4} {:>7} {layers:>2}", E::NAME, format!("{MB}x{KB}"));
    let row_major = cell(Rows::<E, M<MB>, K<KB>>::default());
    let padded = cell(FlatmmPad::<E, M<MB>, K<KB>, KPack<P>>::default());
    let xor = cell(GemmXor::<E, M<MB>, K<KB>, KPack<P>>::default());
    println!();
    [row_major, padded, xor]
}

fn main() {
    println!("{:15}{:^35}{:^35}{:^35}", "", "row-major", "(M+1)*KPack pad", "xor + MLdsLayer");
    let [bytes, wr, r16, r32, a, b] = ["bytes", "wr", "r16", "r32", "(1,0)", "(13,8)"];
    let head = format!(" {bytes:>8} {wr:>3} {r16:>3} {r32:>3} {a:>6} {b:>6}");
    println!("type    tile  L{head}{head}{head}");
    let tiles = [
        tile::<F16, 64, 16, 8>(),
        tile::<F16, 128, 32, 8>(),
        tile::<F16, 256, 32, 8>(),
        tile::<F16, 128, 64, 8>(),
        tile::<BF16, 256, 64, 8>(),
        tile::<F16, 128, 128, 8>(),
        tile::<F8, 64, 32, 16>(),
        tile::<F8, 128, 64, 16>(),
        tile::<F8, 256, 128, 16>(),
        tile::<F32, 128, 16, 4>(),
        tile::<F32, 128, 32, 4>(),
        tile::<F32, 64, 64, 4>(),
    ];
    let [row_major, padded, xor] = [0, 1, 2].map(|i| tiles.iter().map(|t| t[i]).max().unwrap());
    println!(
        "\nOn gfx942, lanes that wait for one bank: wr, ds_write_b128 row by row; r16 and r32,"
    );
    println!("ds_read_b128 of 16 and 32 MFMA rows. 1 is conflict-free. Offsets are in elements.");
    println!("Worst of all: {row_major}-way row-major, {padded}-way padded, {xor}-way with xor.");
}
