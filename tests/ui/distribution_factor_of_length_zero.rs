// Attempt: a factor without an index.
use tiledesc::prelude::*;

distribution! {
    type Held: m [row 16], k [part 4, half 0];
        lane (part, row), thread (half);
}

fn main() {}
