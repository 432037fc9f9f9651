//! Linear maps with names: what a name says of random maps, compared with evaluation.
//!
//! | test | promise |
//! |---|---|
//! | `named_maps_meet_by_name`, `named_maps_back` | composition by name, one output, the map back |
//! | `registers_to_bytes` | a layout after a distribution: the offset of every register of every lane |
//! | `names_that_do_not_fit` | every refusal, in its words |

use proptest::prelude::*;
use std::collections::BTreeSet;
use tiledesc::distribution::{BlockRaked, Encoding, ThreadRaked, WarpRaked, Within};
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;
use tiledesc::recipe::{GemmXor, K, M};
use tiledesc::{Linear, List};
use tiledesc_host::Error;
use tiledesc_host::exchange::linear::{self, NamedBits, NamedLinear};

/// Names of a few bits each.
fn names() -> impl Strategy<Value = Vec<NamedBits>> {
    let some = prop::sample::subsequence(vec!["m", "k", "n", "lane", "register"], 1..=4);
    some.prop_shuffle().prop_flat_map(|names| {
        let bits = prop::collection::vec(0..4u32, names.len());
        bits.prop_map(move |bits| names.iter().copied().zip(bits).collect())
    })
}

fn bits(names: &[NamedBits]) -> u32 {
    names.iter().map(|(_, bits)| bits).sum()
}

/// A random map of these inputs and outputs.
fn named(inputs: Vec<NamedBits>, outputs: Vec<NamedBits>) -> impl Strategy<Value = NamedLinear> {
    let space = 1u32 << bits(&outputs);
    let columns = prop::collection::vec(0..space, bits(&inputs) as usize);
    (columns, 0..space).prop_map(move |(columns, constant)| {
        NamedLinear::new(Linear::new(&columns, constant).unwrap(), &inputs, &outputs).unwrap()
    })
}

/// Two maps that meet: the second takes in another order what the first gives.
fn chains() -> impl Strategy<Value = [NamedLinear; 2]> {
    (names(), names(), names()).prop_flat_map(|(inputs, between, outputs)| {
        (Just(between.clone()).prop_shuffle()).prop_flat_map(move |shuffled| {
            let second = named(shuffled, outputs.clone());
            (named(inputs.clone(), between.clone()), second).prop_map(|(a, b)| [a, b])
        })
    })
}

/// All indices of some names, the last fastest.
fn all_indices(names: &[NamedBits]) -> impl Iterator<Item = Vec<u32>> {
    (0..1u32 << bits(names)).map(|number| {
        let mut rest = number;
        let digits = names.iter().rev().map(|(_, bits)| {
            let digit = rest & ((1 << bits) - 1);
            rest >>= bits;
            digit
        });
        let mut digits: Vec<u32> = digits.collect();
        digits.reverse();
        digits
    })
}

proptest! {
    #[test]
    fn named_maps_meet_by_name([first, second] in chains()) {
        let both = second.after(&first).unwrap();
        prop_assert_eq!((both.inputs(), both.outputs()), (first.inputs(), second.outputs()));
        for (number, index) in all_indices(first.inputs()).enumerate() {
            let given = first.apply(&index).unwrap();
            let taken: Vec<u32> = second.inputs().iter().map(|(name, _)| {
                let place = first.outputs().iter().position(|(given, _)| given == name);
                given.at(place.unwrap())
            }).collect();
            let result = second.apply(&taken).unwrap();
            prop_assert_eq!(both.apply(&index).unwrap(), result);
            // As columns the numbers are those of the digits, and every output is one alone.
            let packed = both.map().apply(number as u32);
            let digits = all_indices(both.outputs()).nth(packed as usize).unwrap();
            prop_assert_eq!(result, List::new(&digits));
            for ((name, _), digit) in both.outputs().iter().zip(digits) {
                prop_assert_eq!(both.output(name).unwrap().apply(&index).unwrap(), [digit]);
            }
        }
        // As a plan, whose dimensions are the inputs; `linear_plans` has which maps are one.
        let lengths: Vec<u32> = both.inputs().iter().map(|(_, bits)| 1 << bits).collect();
        prop_assert_eq!(both.plan(), linear::plan(both.map(), &lengths).map_err(Error::from));
        for (number, index) in all_indices(both.inputs()).enumerate() {
            prop_assert_eq!(both.indices(number as u32), List::new(&index));
            if let Ok(plan) = both.plan() {
                prop_assert_eq!(plan.offset(&index), Ok(both.map().apply(number as u32)));
            }
        }
        // One bit of one input: its columns, and their images.
        let nothing = vec![0; both.inputs().len()];
        for (place, (name, bits)) in both.inputs().iter().enumerate() {
            let columns = both.input(name).unwrap();
            prop_assert_eq!(columns.len(), *bits as usize);
            for (bit, column) in columns.iter().enumerate() {
                let mut index = nothing.clone();
                index[place] = 1 << bit;
                let (to, from) = (both.apply(&index).unwrap(), both.apply(&nothing).unwrap());
                let flips: Vec<u32> =
                    to.as_slice().iter().zip(from.as_slice()).map(|(to, from)| to ^ from).collect();
                prop_assert_eq!(both.image(name, bit).unwrap(), List::new(&flips));
                let digits = all_indices(both.outputs()).nth(*column as usize).unwrap();
                prop_assert_eq!(flips, digits);
            }
        }
    }

    #[test]
    fn named_maps_back([map, _] in chains()) {
        let results: BTreeSet<Vec<u32>> = all_indices(map.inputs())
            .map(|index| map.apply(&index).unwrap().as_slice().to_vec())
            .collect();
        let bijective = bits(map.inputs()) == bits(map.outputs())
            && results.len() == 1 << bits(map.inputs());
        match map.inverse() {
            None => prop_assert!(!bijective),
            Some(back) => {
                prop_assert!(bijective);
                prop_assert_eq!((back.inputs(), back.outputs()), (map.outputs(), map.inputs()));
                for index in all_indices(map.inputs()) {
                    let there = map.apply(&index).unwrap();
                    prop_assert_eq!(back.apply(there.as_slice()).unwrap(), List::new(&index));
                }
            }
        }
    }
}

/// The inverse of a random map is seldom asked for: of reordered bits there always is one.
#[test]
fn named_swizzles_back() {
    type Tile = GemmXor<F16, M<128>, K<64>, KPack<8>>;
    let tile = NamedLinear::from_plan(&Tile::PLAN, &["m", "k"]).unwrap();
    let back = tile.inverse().unwrap();
    for index in all_indices(tile.inputs()) {
        let offset = tile.apply(&index).unwrap();
        assert_eq!(offset, [Tile::at([index[0], index[1]])]);
        assert_eq!(back.apply(offset.as_slice()).unwrap(), List::new(&index));
    }
    // A row of 72: there are offsets that nothing has.
    let gaps = Plan::naive(&[8, 64], &[128, 1]).unwrap();
    let gaps = NamedLinear::from_plan(&gaps, &["m", "k"]).unwrap();
    assert_eq!((gaps.outputs(), gaps.inverse()), (&[("offset", 10)][..], None));
}

/// A layout after a distribution is the offset of each register of each lane of each wave.
#[test]
fn registers_to_bytes() {
    fn check<T: Distribution>(tile: &Plan) {
        let encoding = T::ENCODING.unwrap();
        let first = NamedLinear::from_encoding(&encoding).unwrap();
        let names: Vec<&'static str> = first.outputs().iter().map(|(name, _)| *name).collect();
        let tile_map = NamedLinear::from_plan(tile, &names).unwrap();
        let offsets = tile_map.after(&first).unwrap();
        assert_eq!(
            offsets.map(),
            &tile.linear().unwrap().after(&linear::from_encoding(&encoding).unwrap())
        );
        for index in all_indices(offsets.inputs()) {
            let at = encoding.coordinate(index[0], index[1], index[2]).unwrap();
            assert_eq!(first.apply(&index).unwrap(), at);
            let offset = tile.offset(at.as_slice()).unwrap();
            assert_eq!(offsets.apply(&index).unwrap(), [offset], "{index:?}");
        }
    }
    distribution! {
        type Waves:
            m [again 2, wave 2], k [deep 4];
            repeat [n 2], wave (wave, n), thread (again, deep);
    }
    type Swizzled = GemmXor<F16, M<128>, K<64>, KPack<8>>;
    let rows = Plan::naive(&[128, 64], &[128, 1]).unwrap();
    for tile in [Swizzled::PLAN, rows] {
        check::<ThreadRaked<U128, U64, U8, U4>>(&tile);
        check::<WarpRaked<U128, U64, U8, U4>>(&tile);
        check::<BlockRaked<U128, U64, U8, U4>>(&tile);
        check::<Within<Waves, mfma::F16_32x32x16::A>>(&tile);
    }
    check::<mfma::F16_32x32x8::Ct>(&recipe::GemmXor::<F16>([32, 32, 4]).unwrap());
}

/// Dimensions without names are Triton's; a constant and a name of no bits are printed.
#[test]
fn named_maps_are_printed() {
    let a =
        Encoding::ck(&[2], &[&[2], &[2, 2]], (&[&[0], &[2, 1]], &[&[0], &[0, 0]]), (&[2], &[1]));
    let printed = NamedLinear::from_encoding(&a.unwrap()).unwrap().to_string();
    assert_eq!(
        printed,
        " - register=1 -> (0, 1)\n - lane=1 -> (1, 0)\n   lane=2 -> (0, 2)\n - wave=1 -> (0, 0)\n\
         where out dims are: [dim0 (size 2), dim1 (size 4)]",
    );
    let map = Linear::new(&[2], 5).unwrap();
    let map = NamedLinear::new(map, &[("m", 0), ("k", 1)], &[("row", 1), ("byte", 2)]).unwrap();
    assert_eq!(
        map.to_string(),
        " - 0 -> (1, 1)\n - k=1 -> (0, 2)\n - m is a size 1 dimension\n\
         where out dims are: [row (size 2), byte (size 4)]",
    );
}

#[test]
fn names_that_do_not_fit() {
    let map = Linear::new(&[1, 2, 4], 0).unwrap();
    let of = |inputs: &[NamedBits], outputs: &[NamedBits]| NamedLinear::new(map, inputs, outputs);
    let said = |made: Result<NamedLinear, Error>| made.unwrap_err().to_string();
    let tile = of(&[("m", 1), ("k", 2)], &[("offset", 3)]).unwrap();
    assert_eq!(said(of(&[("m", 1), ("m", 2)], &[("offset", 3)])), "two inputs are named m",);
    assert_eq!(
        said(of(&[("m", 1), ("k", 1)], &[("offset", 3)])),
        "the names of the inputs cover 2 bits, but the map has 3",
    );
    assert_eq!(
        said(of(&[("m", 3)], &[("row", 1), ("k", 1)])),
        "the names of the outputs cover 2 bits, but the map has 3",
    );
    assert_eq!(
        said(of(&[("m", 3)], &[("a", 20), ("b", 20)])),
        "40 columns are too many: a map takes at most 32 bits",
    );
    assert_eq!(
        said(of(&[("m", 3)], &[("a", u32::MAX), ("b", 20)])),
        "4294967295 columns are too many: a map takes at most 32 bits",
    );
    assert_eq!(
        said(of(&[("", 0); 13], &[])),
        "13 names of inputs are too many: a map takes at most 12",
    );
    assert_eq!(said(tile.output("m")), "no output is named m");
    assert_eq!(tile.input("offset").unwrap_err().to_string(), "no input is named offset");
    assert_eq!(
        tile.image("k", 2).unwrap_err().to_string(),
        "bit 2 does not exist: the map has 2 bits",
    );
    assert_eq!(tile.apply(&[1, 4]).unwrap_err().to_string(), "k 4 does not exist: the length is 4",);
    assert_eq!(tile.apply(&[1]).unwrap_err().to_string(), "2 indices are wanted but 1 is given");
    let first = |outputs: &[NamedBits]| of(&[("lane", 3)], outputs).unwrap();
    assert_eq!(
        said(tile.after(&first(&[("m", 1), ("n", 2)]))),
        "the second map takes k, which the first does not give",
    );
    assert_eq!(
        said(tile.after(&first(&[("m", 1), ("k", 2), ("n", 0)]))),
        "the first map gives n, which the second does not take",
    );
    assert_eq!(
        said(tile.after(&first(&[("m", 2), ("k", 2)]))),
        "the first map gives m 2 bits, but the second takes 1",
    );
    assert!(tile.after(&first(&[("k", 2), ("m", 1)])).is_ok());
    let wide = Linear::new(&[1; 32], 0).unwrap();
    let wide = NamedLinear::new(wide, &[("m", 32)], &[("offset", 1)]).unwrap();
    assert!(wide.plan().unwrap_err().to_string().contains("bits of a dimension"));
    assert_eq!(wide.apply(&[u32::MAX]).unwrap(), [0]);
    let plan = Plan::packed(&[4, 6]).unwrap();
    assert_eq!(
        said(NamedLinear::from_plan(&plan, &["m", "k"])),
        "length 6 of dimension 1 is not a power of two (nearest: 4 and 8)",
    );
    let plan = Plan::packed(&[4, 8]).unwrap();
    assert_eq!(said(NamedLinear::from_plan(&plan, &["m"])), "2 indices are wanted but 1 is given");
}
