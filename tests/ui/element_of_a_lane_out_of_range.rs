// Attempt: the fifth of 4 neighbours that a lane holds.
use tiledesc::{distribution::element, matrix::mfma};

const FIFTH: usize = element::<mfma::F16_32x32x8::C, 2>([1, 4]);

fn main() {
    let _ = FIFTH;
}
