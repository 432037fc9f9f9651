// Attempt: names for what lanes do not hold as they address it.
use tiledesc::distribution::BlockRaked;
use tiledesc::matrix::mma;
use tiledesc::prelude::*;

layout! {
    type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Tile = recipe::GemmXor<F16, M<128>, K<8>, KPack<8>>;
    type Small = recipe::RowPad<F16, M<16>, K<16>, Padding<8>>;
}
distribution! { type Apart: m [row 64, two 2], k [eight 8]; lane (row), thread (eight, two); }

access! { Block on gfx942: type Loads = read ds_read_b128 by MfmaRows<16> }
access! { Tile on gfx942: type Stores = write ds_write_b128 by Apart }
access! { Small on sm_80: type Operand = read ldmatrix_x4 by mma::A<U16, U2> }
access! { Small on gfx942: type Larger = write ds_write_b128 by BlockRaked<U128, U64, U8, U4> }

fn main() {}
