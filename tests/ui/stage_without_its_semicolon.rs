// Attempt: forget the semicolon after the last stage.
use tiledesc::prelude::*;

descriptor! {
    type Rows:
        packed [8, 16];
        merge[8, 16] (0, 1) -> (0)
}

fn main() {}
