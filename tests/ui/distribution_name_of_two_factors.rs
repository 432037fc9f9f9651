// Attempt: one name in both dimensions.
use tiledesc::prelude::*;

distribution! {
    type Held: m [again 4, row 16], k [part 4, again 2];
        lane (part, row), thread (again);
}

fn main() {}
