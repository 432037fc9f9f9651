//! Conversions that `convert!` declares, carried out lane by lane: each lane gets what it is to hold, in as few cycles as the
//! search at run time finds of plain instructions.

use tiledesc::Tile;
use tiledesc::chip::{Chip, gfx942, gfx950};
use tiledesc::distribution::{BlockRaked, Distribution, Within};
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;
use tiledesc::statement::Converted;
use tiledesc_host::conversion::Conversion;

distribution! {
    /// 2 x 2 waves, each of 2 x 2 results of a matrix instruction.
    type Waves: m [again 2, wave 2], n [deep 2, beside 2]; wave (wave, beside), thread (again, deep);
    type Rows: m [again 2, row 16], n [chunk 4, half 8]; lane (row, chunk), thread (again, half);
    type Tall: m [wave 4, row 16], k [quarter 4, half 16]; wave (wave), lane (row, quarter), thread (half);
}
type Results = Within<Waves, mfma::F16_32x32x8::Ct>;

mod epilogue {
    use super::*;
    convert! { pub(super) type Tile = F16 [128, 128] on gfx942: pub(super) type Stores from Results, pub(super) type Loads to BlockRaked<U128, U128, U8, U4>; }
}
mod small {
    use super::*;
    convert! { pub(super) type Tile = F16 [32, 32] on gfx942: pub(super) type Stores from mfma::F16_32x32x8::Ct, pub(super) type Loads to Rows; }
}
mod wide {
    use super::*;
    convert! { pub(super) type Tile = F16 [64, 64] on gfx950: pub(super) type Stores from BlockRaked<U64, U64, U8, U4>, pub(super) type Loads to Tall; }
}

/// Stores a number for each element, loads by the other distribution, and compares every register.
macro_rules! carried_out {
    ($module:ident, $From:ty, $To:ty, $chip:expr, $columns:literal) => {{
        const STORED: usize = <$module::Stores as Width>::WIDTH;
        const LOADED: usize = <$module::Loads as Width>::WIDTH;
        let number = |[m, n]: [u32; 2]| m * $columns + n;
        let mut lds = vec![u32::MAX; 1 << 15];
        for wave in 0..<$From>::WAVES {
            for lane in 0..64 {
                let held: [u32; <$From>::ELEMENTS] = core::array::from_fn(|element| {
                    number(<$From>::coordinate(wave, lane, element))
                });
                $module::Stores::each_from(wave, lane, &held, |at, held: &[u32; STORED]| {
                    lds[at.index::<u16>()..][..STORED].copy_from_slice(held);
                });
            }
        }
        for wave in 0..<$To>::WAVES {
            for lane in 0..64 {
                let mut held = [0; <$To>::ELEMENTS];
                $module::Loads::each_into(wave, lane, &mut held, |at, held: &mut [u32; LOADED]| {
                    held.copy_from_slice(&lds[at.index::<u16>()..][..LOADED]);
                });
                for (element, held) in held.into_iter().enumerate() {
                    assert_eq!(held, number(<$To>::coordinate(wave, lane, element)));
                }
            }
        }
        compared::<$From, $To>(&$module::Tile, &$chip);
    }};
}

/// Elements of an access.
trait Width {
    const WIDTH: usize;
}
impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Width for Accesses<T, L, P> {
    const WIDTH: usize = P::N as usize;
}

/// The search at run time, which tries all linear layouts, has the same floor and takes no more.
fn compared<From: Distribution, To: Distribution>(found: &Converted, chip: &Chip) {
    let sought =
        Conversion::between(&From::ENCODING.unwrap(), &To::ENCODING.unwrap(), 16, chip).unwrap();
    let waves = u64::from(From::WAVES);
    let floor = waves * sought.floor().iter().sum::<u64>();
    assert_eq!(floor, found.least, "{found}, {sought}");
    assert!(waves * sought.cycles() <= found.cycles, "{found}, {sought}");
    assert!(found.is_free, "{found}");
}

#[test]
fn lanes_get_what_they_are_to_hold() {
    carried_out!(epilogue, Results, BlockRaked<U128, U128, U8, U4>, gfx942, 128);
    carried_out!(small, mfma::F16_32x32x8::Ct, Rows, gfx942, 32);
    carried_out!(wide, BlockRaked<U64, U64, U8, U4>, Tall, gfx950, 64);
    let said = [epilogue::Tile.to_string(), small::Tile.to_string(), wide::Tile.to_string()];
    println!("{said:#?}");
}
