//! Address instructions, register by register.
//!
//! | test | promise |
//! |---|---|
//! | `addresses_of_long_accesses` | of accesses of more than 64 instructions each address is made anew, is an xor away from the first, or is a constant of the instruction, as comparing all lanes says |

use std::collections::BTreeSet;
use tiledesc::List;
use tiledesc::access::Placed;
use tiledesc::chip::sm_90;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::address_instructions;

/// Address registers of one wave, counted lane by lane: instructions of addresses of `whole` each; `None` of more than 64
/// registers.
fn counted(placed: &Placed<'_, '_>, whole: u32) -> Option<u32> {
    let (mut made, mut sum): (Vec<Vec<u32>>, u32) = (Vec::new(), 0);
    for step in 0..placed.instructions() {
        let touched = placed.touched(step).unwrap();
        let here: Vec<u32> = (0..64).filter_map(|lane| touched.addresses().get(lane)).collect();
        let apart = |register: &Vec<u32>, by: fn(u32, u32) -> u32| {
            let all: BTreeSet<_> = register.iter().zip(&here).map(|(a, b)| by(*a, *b)).collect();
            if all.len() == 1 { all.first().copied() } else { None }
        };
        let sums = made.iter().filter_map(|one| apart(one, |from, to| to.wrapping_sub(from)));
        if sums.into_iter().any(|sum| placed.instruction().reaches(sum)) {
            continue;
        }
        let xor = made.first().and_then(|first| apart(first, |from, to| from ^ to));
        sum += if xor.is_some() { 1 } else { whole };
        made.push(here);
    }
    (made.len() <= 64).then_some(sum)
}

/// A byte at a time by columns, and others of more than 64 instructions: an address in order takes two terms however
/// many there are.
#[test]
fn addresses_of_long_accesses() {
    let mut tried = 0;
    for columns in [32, 64, 128, 256] {
        let tile = Shape { rows: 64, columns, bits: 8 };
        for lanes in [Lanes::column(), Lanes::row_major(), Lanes::rows(16)] {
            let uses = [Use::new(lanes, &sm_90::ld_shared_b8)];
            let lists = List::new(&[4, 8, 16]);
            let long = u64::from(columns * 2);
            for spec in [
                Spec::row_major(),
                Spec::row_pad(4),
                Spec::interval_pad(128, 4),
                Spec::gemm_xor(4),
                Spec::gemm_xor_layer(1, 1),
                Spec::gemm_xor_bits(1, 2, lists),
                Spec::row_shift(4),
            ] {
                let plan = spec.plan(tile).unwrap();
                let placed = Placed::new(&plan, 8, lanes, uses[0].instruction).unwrap();
                assert_eq!(placed.instructions(), long);
                // Of a first instruction alone: the terms.
                let one = [Use::new(lanes.first(), &sm_90::ld_shared_b8)];
                let whole = address_instructions(tile, spec, &one).unwrap();
                let found = address_instructions(tile, spec, &uses);
                assert_eq!(found, counted(&placed, whole), "{columns} {spec:?} {lanes:?}");
                tried += 1;
                if !matches!(spec.scheme(), Scheme::PaddedRows | Scheme::InOrder) {
                    continue;
                }
                assert_eq!(found, Some(2), "{columns} {spec:?} {lanes:?}");
            }
        }
    }
    assert_eq!(tried, 84);
    // Addresses that are no constant away from each other take two terms each, also beyond 64 registers.
    let table: Vec<Row> = (1..=65_u32)
        .map(|step| {
            core::array::from_fn(|lane| {
                (lane < 32).then(|| List::pair(0, lane as u32 * step % 256))
            })
        })
        .collect();
    let of = |steps: usize| {
        let uses = [Use::new(Lanes::table(&table[..steps], 1), &sm_90::ld_shared_b8)];
        address_instructions(Shape { rows: 64, columns: 256, bits: 8 }, Spec::row_major(), &uses)
    };
    assert_eq!([of(64), of(65)], [Some(128), Some(130)]);
}
