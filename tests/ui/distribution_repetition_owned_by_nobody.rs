// Attempt: two copies, of which lanes hold one.
use tiledesc::prelude::*;

distribution! {
    type Held: m [wave 4, row 16], k [part 4, half 2];
        repeat [copy 2], wave (wave), lane (part, row), thread (half);
}

fn main() {}
