// Attempt: k is empty.
use tiledesc::prelude::*;

distribution! {
    type Held: m [row 16], k [];
        lane (row);
}

fn main() {}
