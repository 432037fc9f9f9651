// Attempt: the thread before the lane.
use tiledesc::prelude::*;

distribution! {
    type Held: m [row 16], k [part 4, half 2];
        thread (half), lane (part, row);
}

fn main() {}
