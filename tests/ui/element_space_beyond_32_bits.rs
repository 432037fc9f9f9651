// Attempt: 65537 by 65537 elements with 32-bit offsets.
use tiledesc::prelude::*;

layout! { type PackedTile = Layout<F16, Packed<seq![65537, 65537]>>; }
layout! { type NaiveTile = Layout<F16, Naive<seq![65537, 65537], seq![65537, 1]>>; }

fn main() {}
