// Attempt: more lanes than 32 bits count.
use tiledesc::prelude::*;

distribution! {
    type Held: m [row 65536], k [part 65536];
        lane (part, row);
}

fn main() {}
