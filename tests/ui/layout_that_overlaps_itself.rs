// Attempt: rows of 64 elements every 48.
use tiledesc::prelude::*;

layout! { type Tight = Layout<F16, Naive<seq![128, 64], seq![48, 1]>>; }

fn main() {}
