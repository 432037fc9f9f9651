//! A 5x5 filter: 18x36 outputs need a halo of 22x40, which is 220 vectors of 4 for 256 threads.
//!
//! `cargo run --release -p tiledesc-examples --example halo`
//!
//! The last 36 threads have nothing to store. Where a kernel forgets to ask, they write the next tile; here every
//! address comes with `valid`, and the statement counts the lanes that store.

use tiledesc::chip::gfx942::ds_write_b64;
use tiledesc::prelude::*;

distribution! {
    /// One number over both dimensions: 880 of 1024 are elements.
    type Halo:
        (m, k) [wave 4, lane 64, part 4] of (22, 40);
        wave (wave), lane (lane), thread (part);
}
layout! { type Tile = recipe::RowMajor<F16, M<22>, K<40>>; }
access! { Tile on gfx942: type Store = write ds_write_b64 by Halo }

/// Columns of an image of 76 rows, its border of 2 included: 4x3 blocks.
const COLUMNS: usize = 3 * 36 + 4;

/// What each of 256 threads stores of the halo that begins at an element; how many store nothing.
fn stage(image: &[u16], lds: &mut [u16]) -> u32 {
    let mut idle = 0;
    for (wave, lane) in (0..4).flat_map(|wave| (0..64).map(move |lane| (wave, lane))) {
        Store::each(wave, lane, |address, immediate, valid, _| {
            let ([m, k], _) = Halo::masked(wave, lane, 0);
            let (from, to) =
                (m as usize * COLUMNS + k as usize, (address + immediate) as usize / 2);
            if valid {
                lds[to..to + 4].copy_from_slice(&image[from..from + 4]);
            }
            idle += u32::from(!valid);
        });
    }
    idle
}

/// The sum of 5x5 elements.
fn filter(at: impl Fn(usize, usize) -> u16) -> u16 {
    (0..25).map(|i| at(i / 5, i % 5)).sum()
}

fn main() {
    let image: Vec<u16> = (0..76 * COLUMNS).map(|i| (i * 7 % 251) as u16).collect();
    let (mut lds, mut idle) = ([0; Tile::SPACE as usize], 0);
    for first in (0..12).map(|block| block / 3 * 18 * COLUMNS + block % 3 * 36) {
        idle = stage(&image[first..], &mut lds);
        for [m, k] in (0..18 * 36).map(|output| [output / 36, output % 36]) {
            let found = filter(|i, j| lds[Tile::at([(m + i) as u32, (k + j) as u32]) as usize]);
            assert_eq!(found, filter(|i, j| image[first + (m + i) * COLUMNS + k + j]));
        }
    }
    println!("12 blocks of 18x36 outputs are right; {idle} of 256 threads store nothing");
    println!("{}", Tile::verdict::<Halo>(&ds_write_b64).unwrap());
}
