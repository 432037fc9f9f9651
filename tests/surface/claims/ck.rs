//! CK Tile's documentation.

#[test]
fn a_row_major_tile_conflicts_4_way() {
    use tiledesc::chip::gfx942::{ds_read_b128, ds_write_b128};
    use tiledesc::prelude::*;

    layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    let read = Plain::verdict::<First<MfmaRows<16>>>(&ds_read_b128).unwrap();
    assert_eq!((read.degree(), read.active_cycles(), read.conflict_cycles()), (4, 32, 24));

    let lanes =
        |row: &'static tiledesc::chip::Instruction, phase| row.service().phases.lanes(phase);
    assert_eq!(lanes(&ds_write_b128, 1), [8, 9, 10, 11, 12, 13, 14, 15]);
    assert_eq!(lanes(&ds_read_b128, 0), [0, 1, 2, 3, 20, 21, 22, 23]);
    assert_eq!(lanes(&ds_read_b128, 1), [4, 5, 6, 7, 16, 17, 18, 19]);
}

#[test]
fn the_formula_is_of_one_layer() {
    use tiledesc::prelude::*;
    layout! {
        type One = recipe::GemmXorLayer<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>>;
        type Two = recipe::GemmXorLayer<F16, M<128>, K<32>, KPack<8>, MLdsLayer<2>>;
    }
    let page = |packs: u32, m: u32, k: u32| (m * packs + ((k / 8) ^ (m % packs))) * 8 + k % 8;
    let line = |m: u32, k: u32| (m / 2 * 8 + ((m % 2 * 4 + k / 8) ^ (m / 2 % 8))) * 8 + k % 8;
    let all = |columns: u32| (0..128).flat_map(move |m| (0..columns).map(move |k| [m, k]));
    assert!(all(64).all(|[m, k]| One::at([m, k]) == page(8, m, k)));
    assert!(all(32).all(|[m, k]| Two::at([m, k]) == line(m, k)));
    assert_eq!(all(32).filter(|[m, k]| Two::at([*m, *k]) != page(4, *m, *k)).count(), 3584);
}

#[test]
fn an_example_that_passes_layer_0_uses_half_of_the_tile() {
    use std::collections::BTreeSet;
    use tiledesc::prelude::*;
    layout! { type Layered = recipe::GemmXorLayer<F16, M<128>, K<64>, KPack<8>, MLdsLayer<2>>; }
    let passed = |layer: fn(u32) -> u32| -> usize {
        let of = |m: u32, k: u32| Layered::at([m / 2 * 2 + layer(m), k]);
        (0..128).flat_map(|m| (0..64).map(move |k| of(m, k))).collect::<BTreeSet<u32>>().len()
    };
    assert_eq!((passed(|m| m % 2), passed(|_| 0)), (8192, 4096));
}

#[test]
fn mlds_layer_shrinks_and_a_pack_of_bytes_has_16() {
    use tiledesc::prelude::*;
    assert_eq!([16, 32, 64, 128].map(|k| recipe::mlds_layer(k, 16, 32)), [4, 2, 1, 1]);
    // 16 bytes of a one-byte type are 16 elements. In packs of 2 no 16 of them stay side by side.
    layout! {
        type Pack16 = recipe::GemmXor<F8, M<128>, K<128>, KPack<16>>;
        type Pack2 = recipe::GemmXor<F8, M<128>, K<128>, KPack<2>>;
    }
    use tiledesc::chip::gfx942::ds_read_b128;
    assert_eq!(Pack16::degree::<MfmaRows<16>>(&ds_read_b128), 1);
    assert!(Pack2::verdict::<MfmaRows<16>>(&ds_read_b128).is_err());
}

#[test]
fn what_a_pad_costs() {
    use tiledesc::prelude::*;
    layout! { type Padded = recipe::FlatmmPad<F16, M<128>, K<64>, KPack<8>>; }
    assert_eq!(Padded::SPACE, 8192 + 56); // 0.7 %
    layout! { type Rows = recipe::RowPad<F16, M<128>, K<64>, Padding<16>>; }
    assert_eq!(Rows::SPACE, 8192 + 127 * 16); // 24.8 %, of row-major rows
}

#[test]
fn the_tile_of_the_asynchronous_gemm_conflicts() {
    use tiledesc::chip::gfx942::ds_read_b128;
    use tiledesc::prelude::*;
    layout! { type Async = recipe::GemmAsync<F16, M<128>, K<64>, KPack<8>>; }
    let rows = [
        Async::degree::<MfmaRows<16>>(&ds_read_b128),
        Async::degree::<MfmaRows<32>>(&ds_read_b128),
    ];
    assert_eq!(rows, [4, 8]);
}

#[test]
fn the_sample_analyzer_knows_no_phases() {
    use tiledesc::chip::gfx942::ds_read_b128;
    use tiledesc::prelude::*;
    layout! {
        type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
        type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    }
    let sample = |byte: fn([u32; 2]) -> u32| -> usize {
        let mut lanes = [0; 32];
        (0..32).for_each(|l| lanes[(byte([l % 16, l / 16 * 8]) / 4 % 32) as usize] += 1);
        lanes.into_iter().max().unwrap()
    };
    assert_eq!((sample(Plain::byte_at), Plain::degree::<MfmaRows<16>>(&ds_read_b128)), (16, 4));
    assert_eq!((sample(ABlock::byte_at), ABlock::degree::<MfmaRows<16>>(&ds_read_b128)), (4, 1));
}

#[test]
fn spaces_and_coordinates() -> Result<(), tiledesc::Error> {
    use tiledesc::prelude::*;
    assert_eq!(Plan::naive(&[3, 4], &[8, 1])?.element_space(), 20); // 2 * 8 + 3 + 1
    assert_eq!(Plan::naive(&[4, 5], &[8, 1])?.element_space(), 29); // 3 * 8 + 4 + 1
    layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    assert_eq!(ABlock::PLAN.coordinate_of(201)?, [3, 17]); // what CK's code does not have
    Ok(())
}

#[test]
fn morton_order() {
    use tiledesc::prelude::*;
    descriptor! {
        type Morton: packed [2, 2, 2, 2]; merge[2, 2] (0, 2) -> (0), merge[2, 2] (1, 3) -> (1);
        type Printed: packed [2, 2, 2, 2]; merge[2, 2] (2, 0) -> (0), merge[2, 2] (3, 1) -> (1);
    }
    layout! { type Right = Layout<F16, Morton>; type Page = Layout<F16, Printed>; }
    let row = |of: fn([u32; 2]) -> u32, y: u32| [0, 1, 2, 3].map(|x| of([y, x]));
    assert_eq!([row(Right::at, 0), row(Right::at, 1)], [[0, 1, 4, 5], [2, 3, 6, 7]]);
    assert_eq!([row(Page::at, 0), row(Page::at, 1)], [[0, 4, 1, 5], [8, 12, 9, 13]]);
}
