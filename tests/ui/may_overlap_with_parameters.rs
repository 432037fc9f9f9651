// Attempt: a layout with parameters, which is checked where it is used.
use tiledesc::prelude::*;

layout! {
    /// Taps of a row.
    #[may_overlap]
    type Window<const N: usize> = Layout<F16, Naive<seq![N, 3], seq![1, 1]>>;
}

fn main() {}
