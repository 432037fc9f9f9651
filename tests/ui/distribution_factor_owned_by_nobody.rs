// Attempt: nobody holds the second half.
use tiledesc::prelude::*;

distribution! {
    type Held: m [wave 4, row 16], k [part 4, half 2];
        wave (wave), lane (part, row);
}

fn main() {}
