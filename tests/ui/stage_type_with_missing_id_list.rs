// Attempt: two transforms, one list of upper ids, as a type.
use tiledesc::prelude::*;

type Padded = Transformed<
    Packed<seq![8, 16]>,
    (PassThrough<Lit<8>>, PassThrough<Lit<16>>),
    lower![[0], [1]],
    upper![[0]],
>;
layout! { type Tile = Layout<F16, Padded>; }

fn main() {}
