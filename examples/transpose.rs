//! A 32x32 transpose of floats through shared memory, on NVIDIA.
//!
//! `cargo run --release -p tiledesc-examples --example transpose`
//!
//! A warp stores the tile by rows and loads it by columns. In a row-major tile all 32
//! elements of a column are in the same bank: 1024 wavefronts instead of 32. A pad of one
//! float per row avoids that for 124 bytes, the xor swizzle for none.

use tiledesc::Tile;
use tiledesc::chip::sm_90::{ld_shared_b32, st_shared_b32};
use tiledesc::prelude::*;
use tiledesc_host::counters::Ncu;

layout! {
    type Plain = recipe::RowMajor<F32, M<32>, K<32>>;
    type Padded = recipe::RowPad<F32, M<32>, K<32>, Padding<1>>;
    type Swizzled = recipe::XorPreshuffle<F32, M<32>, K<32>, KPack<1>>;
}

// `Plain` in place of one of these does not compile.
assert_conflict_free! {
    Padded on sm_80: write st_shared_b32 by RowMajor, read ld_shared_b32 by Column;
    Padded on sm_90: write st_shared_b32 by RowMajor, read ld_shared_b32 by Column;
    Swizzled on sm_80: write st_shared_b32 by RowMajor, read ld_shared_b32 by Column;
    Swizzled on sm_90: write st_shared_b32 by RowMajor, read ld_shared_b32 by Column;
}
assert_bijective! { Plain, Swizzled }
assert_injective! { Padded }

/// What the warp does: rows in, columns out.
fn transpose(from: &[f32], at: fn([u32; 2]) -> u32) -> Vec<f32> {
    let mut shared = vec![0.0; Padded::SPACE as usize];
    let tile = || (0..32).flat_map(|step| (0..32).map(move |lane| [step, lane]));
    tile().zip(from).for_each(|([row, lane], value)| shared[at([row, lane]) as usize] = *value);
    tile().map(|[column, lane]| shared[at([lane, column]) as usize]).collect()
}

/// Bytes, and n-way and wavefronts of both accesses over the whole tile.
fn show<T: Tile>(name: &str, _: T, at: fn([u32; 2]) -> u32) {
    let store = LayoutOf::<T>::verdict::<RowMajor>(&st_shared_b32).unwrap();
    let load = LayoutOf::<T>::verdict::<Column>(&ld_shared_b32).unwrap();
    let from: Vec<f32> = (0..1024u16).map(f32::from).collect();
    let to = transpose(&from, at);
    assert!((0..1024).all(|i| to[i] == from[i % 32 * 32 + i / 32]), "{name} does not transpose");
    print!("{name:9} {:>5}", LayoutOf::<T>::BYTES);
    for counters in [Ncu::from_verdict(&store), Ncu::from_verdict(&load)] {
        print!("  {:>5} {:>10}", counters.n_way().unwrap(), counters.wavefronts);
    }
    println!();
}

fn main() {
    println!("{:15}{:>18}{:>18}", "32x32 floats", "store rows", "load columns");
    println!("one warp  bytes  n-way wavefronts  n-way wavefronts");
    show("plain", Plain::default(), Plain::at);
    show("padded", Padded::default(), Padded::at);
    show("swizzled", Swizzled::default(), Swizzled::at);
}
