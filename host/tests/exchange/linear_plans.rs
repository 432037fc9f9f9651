//! A linear map as a plan: the same offset at every coordinate, the same columns, and few
//! enough transforms for every layout that somebody publishes.

use support::fuzz::{Dice, cases};
use tiledesc::{Error, Linear};
use tiledesc_host::exchange::linear;

/// One to three dimensions of so many bits.
fn lengths(dice: &mut Dice, bits: u32) -> Vec<u32> {
    let (a, b) = (dice.below(bits + 1), dice.below(bits + 1));
    let (low, high) = (a.min(b), a.max(b));
    match dice.below(3) {
        0 => vec![1 << bits],
        1 => vec![1 << a, 1 << (bits - a)],
        _ => vec![1 << low, 1 << (high - low), 1 << (bits - high)],
    }
}

/// Whether a map has a plan, which must be the map; else it is too large for one.
fn has_a_plan(case: u32, map: &Linear, lengths: &[u32]) -> bool {
    match linear::plan(map, lengths) {
        Ok(plan) => {
            for number in 0..1u32 << map.inputs() {
                let index = plan.nth(number.into());
                let offset = plan.offset(index.as_slice());
                assert_eq!(offset, Ok(map.apply(number)), "{case}: {map:?} {lengths:?}");
            }
            assert_eq!(plan.linear(), Ok(*map), "{case}: {map:?}");
            true
        }
        Err(Error::TooLarge { .. }) => false,
        Err(error) => panic!("{case}: {map:?}, {lengths:?}: {error}"),
    }
}

/// Columns of any kind: bits that are flipped in all, none, or twice.
#[test]
fn any_small_map() {
    let (count, mut dice, mut found) = (cases("plans of linear maps") / 6 * 5, Dice(1), 0);
    for case in 0..count {
        let (inputs, outputs) = (dice.below(6), dice.below(7));
        let columns: Vec<u32> = (0..inputs).map(|_| dice.below(1 << outputs)).collect();
        let constant = if dice.below(3) == 0 { dice.below(1 << outputs) } else { 0 };
        let map = Linear::new(&columns, constant).unwrap();
        found += u32::from(has_a_plan(case, &map, &lengths(&mut dice, inputs)));
    }
    println!("{found} of {count} small maps have a plan");
    assert!(found > count / 10 * 7, "{found}");
}

/// Bits in any order, flipped by any others: of up to twelve every such map has a plan.
#[test]
fn any_permutation_of_twelve_bits() {
    let mut dice = Dice(3);
    for case in 0..cases("plans of linear maps") / 2000 {
        let bits = 3 + dice.below(10);
        let mut columns: Vec<u32> = (0..bits).map(|b| 1 << b).collect();
        for last in (1..bits).rev() {
            columns.swap(last as usize, dice.below(last + 1) as usize);
        }
        for _ in 0..4 * bits {
            let [one, other] = [0, 1].map(|_| dice.below(bits) as usize);
            if one != other {
                columns[one] ^= columns[other];
            }
        }
        let map = Linear::new(&columns, 0).unwrap();
        assert!(has_a_plan(case, &map, &lengths(&mut dice, bits)), "{case}: {map:?}");
    }
}

/// Bits that change places, below one or two swizzles: every such map has a plan.
#[test]
fn swizzles_of_permutations() {
    let mut dice = Dice(2);
    for case in 0..cases("plans of linear maps") / 6 {
        let (bits, swizzles) = (3 + dice.below(8), 1 + dice.below(2));
        // Two runs of the bits in the other order.
        let turn = dice.below(bits);
        let place = |b: u32| 1 << ((b + turn) % bits);
        let mut columns: Vec<u32> = (0..bits).map(place).collect();
        for _ in 0..swizzles {
            let width = 1 + dice.below(bits / 2);
            let shift = width + dice.below(bits - 2 * width + 1);
            let base = dice.below(bits - shift - width + 1);
            let (from, into) = if dice.below(2) == 0 { (shift, 0) } else { (0, shift) };
            for column in &mut columns {
                *column ^= (*column >> (base + from) & ((1 << width) - 1)) << (base + into);
            }
        }
        let map = Linear::new(&columns, 0).unwrap();
        assert!(has_a_plan(case, &map, &lengths(&mut dice, bits)), "{case}: {map:?}");
    }
}

#[test]
fn what_is_no_plan() {
    let map = Linear::new(&[1, 2, 4], 0).unwrap();
    let refused = |lengths: &[u32]| linear::plan(&map, lengths).unwrap_err().to_string();
    assert_eq!(
        refused(&[3, 2]),
        "length 3 of dimension 0 is not a power of two (nearest: 2 and 4)"
    );
    assert_eq!(refused(&[4]), "a shape of 2 bits for a map of 3");
    let far = Linear::new(&[1 << 31], 0).unwrap();
    assert_eq!(
        linear::plan(&far, &[2]).unwrap_err().to_string(),
        "too many bits of an offset (the limit is 31)",
    );
}
