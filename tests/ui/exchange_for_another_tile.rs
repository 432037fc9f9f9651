// Attempt: from a fetch to its shuffle, whose tile is the transpose.
use tiledesc::distribution::{Exchange, Shuffled, ThreadRaked, exchange};
use tiledesc::prelude::*;

type Fetch = ThreadRaked<U128, U64, U8, U4>;

const SHUFFLE: Exchange<Fetch, Shuffled<Fetch>> = exchange();

fn main() {
    let _ = SHUFFLE;
}
