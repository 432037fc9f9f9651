// Attempt: 100 rows, 32 at a time; a recipe of plain numbers.
use tiledesc::distribution::{BlockRaked, check_factors};
use tiledesc::prelude::*;

const _: () = check_factors::<BlockRaked<Lit<100>, U64, U8, U4>>("Fetch");
layout! { type Tile = recipe::GemmXor<F16, Lit<128>, Lit<60>, U8>; }

fn main() {}
