// Attempt: integer literals as indices at run time.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }

fn main() {
    println!("{}", Tile::at([1, 2]));
}
