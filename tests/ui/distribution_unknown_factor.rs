// Attempt: a name with a letter more.
use tiledesc::prelude::*;

distribution! {
    type Held: m [wave 4, row 16], k [part 4, half 2];
        wave (wave), lane (part, rows), thread (half);
}

fn main() {}
