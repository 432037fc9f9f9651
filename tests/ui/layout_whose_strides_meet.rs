// Attempt: two strides of 3; no stride exceeds the reach of the smaller ones.
use tiledesc::prelude::*;

layout! { type Steps = Layout<F16, Naive<seq![3, 64, 2], seq![2, 3, 3]>>; }

fn main() {}
