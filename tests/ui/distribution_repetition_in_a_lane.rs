// Attempt: a lane holds its elements twice.
use tiledesc::prelude::*;

distribution! {
    type Held: m [wave 4, row 16], k [part 4, half 2];
        repeat [copy 2], wave (wave), lane (part, row), thread (copy, half);
}

fn main() {}
