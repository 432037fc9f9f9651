// Attempt: registers for as many elements as a lane of a wrong distribution holds.
use tiledesc::prelude::*;

distribution! {
    type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again);
}

fn main() {
    let held = [0u16; Fetch::ELEMENTS];
    assert_eq!(held[0], 0);
}
