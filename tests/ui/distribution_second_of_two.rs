// Attempt: the first is sound, the second is not.
use tiledesc::prelude::*;

distribution! {
    type Sound: m [row 16], k [part 4, half 2]; lane (part, row), thread (half);
    type Lost: m [row 16], k [part 4, half 2]; lane (part), thread (half);
}

fn main() {}
