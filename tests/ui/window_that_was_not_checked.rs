// Attempt: a window is placed that may have been refused.
use tiledesc::distribution::BlockRaked;
use tiledesc::prelude::*;

fn main() {
    let view = Naive::rows(150, 200).whole().unwrap();
    let window = Window::<_, BlockRaked<U128, U64, U8, U4>, VectorSize<8>>::new(view);
    let _ = window.at([128, 0]);
}
