// Attempt: the row is in the lane and in its elements.
use tiledesc::prelude::*;

distribution! {
    type Held: m [wave 4, row 16], k [part 4, half 2];
        wave (wave), lane (part, row), thread (row, half);
}

fn main() {}
