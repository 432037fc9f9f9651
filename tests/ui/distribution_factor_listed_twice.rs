// Attempt: the lane lists a factor twice.
use tiledesc::prelude::*;

distribution! {
    type Held: m [wave 4, row 16], k [part 4, half 2];
        wave (wave), lane (part, row, part), thread (half);
}

fn main() {}
