//! What is printed of an answer is a type, and the layout that was found: one of each family.

use tiledesc::chip::{gfx942, gfx950, sm_90};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M};
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::candidates;

/// The least candidate of a scheme.
fn least(tile: Shape, uses: &[Use<'_>], scheme: Scheme) -> Spec {
    let all = candidates(tile, uses).unwrap();
    all.iter().find(|one| one.layout.scheme() == scheme).unwrap().layout
}

macro_rules! printed {
    ($($Type:ty, $tile:expr, $scheme:expr, $uses:expr;)*) => {$({
        let (rows, columns, bits) = $tile;
        let tile = Shape { rows, columns, bits };
        let found = least(tile, &$uses, $scheme);
        let text = found.text(tile.element(), tile);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(text.as_str()), bare(stringify!($Type)));
        assert_eq!(found.plan(tile), <$Type as Adaptor>::PLAN, "{}", text.as_str());
    })*};
}

#[test]
fn printed_layouts_are_types() {
    let [write, float] = [&gfx942::ds_write_b128, &sm_90::st_shared_b32];
    let write = Use::new(Lanes::row_major(), write);
    let [one, other] = [16, 32].map(|rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128));
    let odd = [write, one, other];
    let floats =
        [Use::new(Lanes::row_major(), float), Use::new(Lanes::column(), &sm_90::ld_shared_b32)];
    let mixed = [
        Use::new(Lanes::row_major(), &gfx950::ds_write_b128),
        Use::new(Lanes::row_major(), &gfx950::ds_read_b128),
        Use::new(Lanes::rows(4), &gfx950::ds_read_b32),
    ];
    printed! {
        recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 5]>,
            (64, 96, 16), Scheme::DenseSwizzled, odd;
        recipe::RowShift<F16, M<64>, K<96>, KPack<8>>, (64, 96, 16), Scheme::RotatedRows, odd;
        recipe::RowPad<F32, M<32>, K<32>, Padding<1>>, (32, 32, 32), Scheme::PaddedRows, floats;
        recipe::IntervalPad<F16, M<128>, K<64>, Every<128>, Padding<16>>,
            (128, 64, 16), Scheme::PaddedIntervals, odd;
        recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>, (128, 64, 16), Scheme::Swizzled, odd;
        recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 10, 28]>,
            (128, 32, 32), Scheme::BitByBit, mixed;
    }
}
