//! Every macro reads the same numbers: any integer literal, a number's type, a constant of the user's.

use tiledesc::chip::gfx942;
use tiledesc::prelude::*;

mod sizes {
    pub(super) const WAVES: u32 = 4;
    pub(super) const CYCLES: u64 = 336;
    pub(super) type Rows = tiledesc::Lit<128>;
}

descriptor! {
    type Hexadecimal: packed [0x80, 6_4u32];
    type Named<K>:
        naive [sizes::Rows, K / 8usize, 8] strides [K, 8, 0b1];
        pass[recipe::M<128>] (0x0) -> (0), merge[K / 8, 8] (1, 2) -> (1);
}

distribution! {
    type Fetch: m [wave 0x4, row recipe::M<16>], k [chunk (64 / 8), half 8_u32];
        wave (wave), lane (row), thread (chunk, half);
}

pattern! { Steps(lane, step in 0x4) => [lane % 16, 8 * step]; }

layout! {
    type ABlock = recipe::GemmXor<F16, M<0x80>, K<6_4>, KPack<8>>;
}

// As a remedy prints it; the chip by the name of its type.
assert_conflict_free! {
    recipe::GemmXor<F16, M<0x80>, 6_4, KPack<8>> on Gfx942: read ds_read_b128 by MfmaRows<16>
}
access! { recipe::GemmXor<F16, M<128>, K<64>, KPack<8>> on gfx942: type Reads = read ds_read_b128 by Fetched }
distribution! {
    type Fetched: m [again 8, row U16], k [deep 2, chunk 4, half 8]; lane (chunk, row), thread (again, deep, half);
}

assert_direct_load! { recipe::GemmXor<F16, M<128>, K<64>, KPack<8>> on Gfx950: global_load_lds_b128 by 4 waves, from rows of 64 }
assert_direct_load! { ABlock on gfx950: global_load_lds_b128 by sizes::WAVES waves, from rows of 2 * 0x20 }

direct_load! {
    type LoadA = ABlock on gfx950: global_load_lds_b128 by 0x4 waves, from rows of multiples of 0b1000;
}

synthesize! {
    type Halves = F16 [0x40, 96] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16> times sizes::WAVES,
        read  ds_read_b128  by MfmaRows<32>
    => recipe::DenseXor<F16, M<0x40>, K<96>, KPack<8>, LinePacks<8>, seq![0x2]>;
    at most 2 * sizes::CYCLES cycles;
}

#[test]
fn numbers_are_read_alike() {
    assert_eq!(Hexadecimal::PLAN, <Packed<seq![128, 64]> as Adaptor>::PLAN);
    assert_eq!(Named([64]).unwrap().offset(&[3, 17]), Ok(3 * 64 + 17));
    assert_eq!(<number!(sizes::Rows / 0x8 * (2 + 1_0u8) - recipe::M<12> div 5)>::N, 190);
    assert_eq!(Fetch::coordinate(1, 3, 9), [19, 9]);
    assert_eq!(ABlock::offset([3, 17]), 201);
    assert_eq!(ABlock::verdict::<Steps>(&gfx942::ds_read_b128).unwrap().instructions(), 4);
    assert_eq!((LoadA::LOADS, Reads::COUNT, Reads::BYTES), (4, 16, 16));
    assert_eq!(core::any::type_name::<U100>(), core::any::type_name::<tiledesc::Lit<100>>());
    assert_eq!((Halves.cycles, Halves.floor), (672, 576));
}
