// Attempt: rows of 8 elements every 4.
use tiledesc::prelude::*;

type Overlapping = Layout<F16, Naive<seq![4, 8], seq![4, 1]>>;
assert_injective! { Overlapping }

fn main() {}
