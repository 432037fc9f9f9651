// Attempt: a kernel generic over its depth, with no bound.
use tiledesc::prelude::*;

fn address<K>(m: u32, k: u32) -> u32 {
    recipe::GemmXor::<F16, U128, K, U8>::at([m, k])
}

fn main() {}
