// Attempt: both dimensions are m.
use tiledesc::prelude::*;

distribution! {
    type Held: m [row 16], m [part 4];
        lane (part, row);
}

fn main() {}
