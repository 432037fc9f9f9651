// Attempt: conversions between lanes that do not meet.
use tiledesc::distribution::{BlockRaked, ThreadRaked};
use tiledesc::prelude::*;

distribution! {
    type Rows: m [again 4, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half);
    type Narrow: m [again 8, wave 4, row 4], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half);
    type Turned: k [again 2, wave 4, row 8], m [chunk 16, half 8]; wave (wave), lane (row), thread (again, chunk, half);
}

convert! { type Waves = F16 [128, 64] on gfx942: type WavesStores from Rows, type WavesLoads to Narrow; }
convert! { type Tiles = F16 [128, 64] on gfx942: type TilesStores from Rows, type TilesLoads to BlockRaked<U64, U64, U8, U4>; }
convert! { type Limit = F16 [128, 64] on gfx942: type LimitStores from Rows, type LimitLoads to ThreadRaked<U128, U64, U8, U4>; at most 32 cycles; }
convert! { type Names = F16 [64, 128] on gfx942: type NamesStores from Rows, type NamesLoads to Turned; }
convert! { type NoLoads = F16 [128, 64] on gfx942: type NoStores from Rows; }
convert! { type Instruction = F16 [128, 64] on gfx942: type By from Rows by ds_write_b128, type To to Rows; }

fn main() {}
