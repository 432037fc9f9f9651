//! The run-time constructor of a descriptor whose parameter is not a number.
use tiledesc::prelude::*;

descriptor! {
    type Gathered<F>:
        packed [4];
        functor[F] (0) -> (0);
}

fn main() {
    let _ = Gathered([4]);
}
