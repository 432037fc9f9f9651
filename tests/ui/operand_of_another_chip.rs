// Attempt: an operand of an instruction of gfx950, read on gfx942.
use tiledesc::distribution::Within;
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;

distribution! { type Waves: m [again 2, wave 2], k [deep 4]; wave (wave), thread (again, deep); }
layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! {
    Tile on gfx942: read ds_read_b128 by Within<Waves, mfma::F16_32x32x16::A>
}

fn main() {}
