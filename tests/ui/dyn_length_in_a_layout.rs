// Attempt: a run-time length in `layout!`.
use tiledesc::prelude::*;

layout! { type Tile = Layout<F16, Packed<(Lit<8>, Dyn)>>; }

fn main() {}
