//! CuTe's TV layouts as distributions: thread and value hold the element of that number.

use support::fuzz::{Dice, cases};
use tiledesc::List;
use tiledesc_host::exchange::cute::Strided;
use tiledesc_host::exchange::tv;

/// Every thread's values, by the formula of CuTe alone.
fn holds_its_numbers(
    text: &str,
    layout: &Strided,
    threads: u32,
    covered: [u32; 2],
    tile: [u32; 2],
    lanes: u32,
) {
    let registers = tv::registers(
        text,
        List::pair(covered[0], covered[1]),
        List::pair(tile[0], tile[1]),
        lanes,
    );
    let held = registers
        .and_then(|registers| registers.encoding())
        .unwrap_or_else(|why| panic!("{text}: {why}"));
    assert_eq!((held.lanes(), held.waves()), (lanes, threads / lanes), "{text}");
    let values = covered[0] * covered[1] / threads;
    let again = [tile[0] / covered[0], tile[1] / covered[1]];
    assert_eq!(held.elements(), values * again[0] * again[1], "{text}");
    for thread in 0..threads {
        for element in 0..held.elements() {
            let (value, copy) = (element % values, element / values);
            let number = layout.at(u64::from(thread + threads * value)).unwrap();
            let row = number % covered[0] + copy % again[0] * covered[0];
            let column = number / covered[0] + copy / again[0] * covered[1];
            let found = held.coordinate(thread / lanes, thread % lanes, element).unwrap();
            assert_eq!(
                found,
                [row, column],
                "{text}: thread {thread}, value {value} of copy {copy}"
            );
        }
    }
}

/// What the CuTe DSL and C++ print of instructions and tiled copies.
#[test]
fn layouts_as_they_are_printed() {
    for (text, threads, covered, tile) in [
        // SM80_16x8_Row, the result of mma.m16n8.
        ("((_4,_8),(_2,_2)):((_32,_1),(_16,_8))", 32, [16, 8], [64, 32]),
        // A tiled copy of (32,8):(8,1) threads and (1,8) values: over 32 x 64.
        ("((8,32),8):((256,1),32)", 256, [32, 64], [128, 64]),
    ] {
        let composed = tiledesc_host::exchange::cute::parse(text).unwrap();
        holds_its_numbers(text, composed.layout(), threads, covered, tile, 32);
    }
}

/// Any bits of the number of an element, dealt to threads and values in runs.
#[test]
fn any_bits() {
    let mut dice = Dice(5);
    for _ in 0..cases("tv layouts") {
        let lanes = [32, 64][dice.below(2) as usize];
        let (rows, columns) = (2 + dice.below(4), 2 + dice.below(5));
        let bits = rows + columns;
        let of_threads = 32u32.max(lanes).ilog2() + dice.below(2);
        if of_threads > bits {
            continue;
        }
        let mut all: Vec<u32> = (0..bits).collect();
        for last in (1..bits).rev() {
            all.swap(last as usize, dice.below(last + 1) as usize);
        }
        let (threads, values) = all.split_at(of_threads as usize);
        let shape = |bits: &[u32]| vec![2; bits.len()];
        let stride = |bits: &[u32]| bits.iter().map(|bit| 1 << bit).collect::<Vec<u32>>();
        // A form has at most 12 numbers; no value is one of length 1.
        if all.len() > 12 {
            continue;
        }
        let (value_shape, value_stride) =
            if values.is_empty() { (vec![1], vec![0]) } else { (shape(values), stride(values)) };
        let Ok(layout) =
            Strided::nested(&[&shape(threads), &value_shape], &[&stride(threads), &value_stride])
        else {
            continue;
        };
        let covered = [1 << rows, 1 << columns];
        let tile = [covered[0] << dice.below(2), covered[1] << dice.below(2)];
        holds_its_numbers(&layout.to_string(), &layout, 1 << of_threads, covered, tile, lanes);
    }
}

#[test]
fn what_is_no_tv_layout() {
    let said = |text: &str, covered: [u32; 2], tile: [u32; 2]| {
        let [covered, tile] = [covered, tile].map(|[rows, columns]| List::pair(rows, columns));
        tv::registers(text, covered, tile, 32).unwrap_err().to_string()
    };
    let row = "((_4,_8),(_2,_2)):((_32,_1),(_16,_8))";
    assert_eq!(said(row, [16, 4], [16, 4]), "the TV layout reaches element 64 of a tile of 64",);
    assert_eq!(
        said(row, [16, 8], [24, 8]),
        "a TV layout of a tile of (16, 8) cannot be repeated over one of (24, 8): powers of two are wanted, none larger",
    );
    assert_eq!(
        said("(16,8):(1,16)", [16, 8], [16, 8]),
        "the TV layout has 16 threads, but a wave has 32 lanes",
    );
    assert_eq!(
        said("(32,2,2):(1,32,64)", [16, 8], [16, 8]),
        "a TV layout has two modes, of threads and of values, but this one has 3",
    );
    assert_eq!(
        said("(32,3):(1,32)", [16, 8], [16, 8]),
        "mode 1 has length 3, which is not a power of two"
    );
    assert_eq!(
        said("Sw<3,3,3> o 0 o (32,4):(1,32)", [16, 8], [16, 8]),
        "a TV layout has no swizzle and no offset",
    );
}
