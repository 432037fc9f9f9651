// Attempt: a tile of three dimensions for a kernel of two.
use tiledesc::prelude::*;

fn store<T: RankedTile<2>>(m: u32, k: u32) -> u32 {
    LayoutOf::<T>::at([m, k])
}

layout! { type Tile = Layout<F16, Packed<seq![4, 8, 16]>>; }

fn main() {
    store::<Tile>(0, 0);
}
