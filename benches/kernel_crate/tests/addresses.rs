//! The formulas are those of the layouts, so that the difference of their compile times is what the layouts cost.

// A crate of its own where it is measured.
#[allow(unreachable_pub)]
#[path = "../by_hand/lib.rs"]
mod by_hand;

use tiledesc_kernel_crate::{attention, gemm, memory, softmax};

type Byte = fn(u32, u32) -> u32;

/// A tile: rows, columns, and the byte of an element, by a layout and by hand.
const TILES: [(u32, u32, Byte, Byte); 12] = [
    (128, 64, gemm::f16::a, by_hand::gemm::f16::a),
    (256, 64, gemm::f16::tall_a, by_hand::gemm::f16::tall_a),
    (128, 32, gemm::f16::b, by_hand::gemm::f16::b),
    (64, 128, gemm::bf16::a, by_hand::gemm::bf16::a),
    (128, 128, gemm::bf16::b, by_hand::gemm::bf16::b),
    (256, 32, gemm::bf16::tall_a, by_hand::gemm::bf16::tall_a),
    (128, 128, gemm::f8::a, by_hand::gemm::f8::a),
    (64, 64, gemm::f8::b, by_hand::gemm::f8::b),
    (128, 64, attention::value, by_hand::attention::value),
    (64, 96, attention::key, by_hand::attention::key),
    (64, 64, softmax::score, by_hand::softmax::score),
    (64, 100, softmax::wide, by_hand::softmax::wide),
];

#[test]
fn are_the_same_by_hand() {
    for (tile, (rows, columns, layout, by_hand)) in TILES.iter().enumerate() {
        for (m, k) in (0..*rows).flat_map(|m| (0..*columns).map(move |k| (m, k))) {
            assert_eq!(layout(m, k), by_hand(m, k), "tile {tile} at ({m}, {k})");
        }
    }
    let tiles = (memory::A, memory::B, memory::VALUES);
    assert_eq!(tiles, (by_hand::memory::A, by_hand::memory::B, by_hand::memory::VALUES));
}

/// A function that moves a thread's elements to LDS.
type Store = fn(&mut [u16], &[u16], u32, u32);

/// LDS after four waves have stored their elements, all different.
fn stored(store: Store, elements: u32) -> Vec<u16> {
    let mut lds = vec![0; 1 << 14];
    for thread in 0..256 {
        let tile: Vec<u16> = (0..elements).map(|i| (1 + thread * elements + i) as u16).collect();
        store(&mut lds, &tile, thread / 64, thread % 64);
    }
    lds
}

#[test]
fn are_stored_and_loaded_the_same_by_hand() {
    let stores: [(Store, Store, u32); 3] = [
        (gemm::f16::store_a, by_hand::gemm::f16::store_a, 32),
        (attention::store_values, by_hand::attention::store_values, 32),
        (attention::store_keys, by_hand::attention::store_keys, 24),
    ];
    for (layout, by_hand, elements) in stores {
        assert_eq!(stored(layout, elements), stored(by_hand, elements));
    }
    let lds = stored(gemm::f16::store_a, 32);
    for (wave, lane) in (0..4).flat_map(|wave| (0..64).map(move |lane| (wave, lane))) {
        let (mut layout, mut hand) = ([0; 64], [0; 64]);
        gemm::f16::load_a(&lds, &mut layout, wave, lane);
        by_hand::gemm::f16::load_a(&lds, &mut hand, wave, lane);
        assert_eq!(layout, hand, "wave {wave}, lane {lane}");
    }
}
