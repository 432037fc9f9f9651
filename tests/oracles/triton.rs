//! Triton's bases, written and read: the shared layouts of `tests/golden/triton`, composed
//! of our transforms, have Triton's bases, and Triton's bases give our offsets.

use serde_json::Value;
use support::{int, naturals};
use tiledesc::exchange::triton::Bases;
use tiledesc::prelude::*;
use tiledesc::{Linear, List};

fn cases(file: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/triton/");
    let text = std::fs::read_to_string(format!("{folder}{file}")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    json["cases"].as_array().unwrap().clone()
}

fn bases(case: &Value) -> Bases {
    let images: Vec<List> = case["shared_offset_bases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|image| List::new(&naturals(image)))
        .collect();
    Bases::new(List::new(&naturals(&case["shape"])), &images).unwrap()
}

/// Triton's swizzled shared layout of our transforms: in each row chunks of `vec`, xor-ed
/// with `row / per_phase mod max_phase`; the rows are those of the slower dimension.
fn swizzled(shape: &[u32], shared: &Value) -> Result<Plan, Error> {
    let number = |key: &str| u32::try_from(int(&shared[key])).unwrap();
    let (vec, per_phase, phases) = (number("vec"), number("per_phase"), number("max_phase"));
    let order = naturals(&shared["order"]);
    let (fast, slow) = (order[0] as usize, order[1] as usize);
    let (rows, columns) = (shape[slow], shape[fast]);
    let chunks = columns / vec;
    // (outer, phase, within, high chunks, low chunks, vec); the xor is on the low ones.
    let low = phases.min(chunks);
    let within = per_phase.min(rows);
    let round = (rows / within).min(phases).max(1);
    let base = [rows / within / round, round, within, chunks / low, low, vec];
    let pass = |length| Op::PassThrough { length };
    let packed = Plan::packed(&base)?;
    let xored = packed.transform(
        &[
            pass(base[0]),
            Op::Xor { length0: round, length1: low },
            pass(within),
            pass(base[3]),
            pass(vec),
        ],
        &[&[0], &[1, 4], &[2], &[3], &[5]],
        &[&[0], &[1, 4], &[2], &[3], &[5]],
    )?;
    let row = Op::Merge { lengths: List::new(&base[..3]) };
    let column = Op::Merge { lengths: List::new(&base[3..]) };
    xored.transform(&[row, column], &[&[0, 1, 2], &[3, 4, 5]], &[&[slow as u32], &[fast as u32]])
}

#[test]
fn swizzled_tiles() {
    let cases = cases("shared_conflicts_swizzled.json");
    for (i, case) in cases.iter().enumerate() {
        let shape = naturals(&case["shape"]);
        let plan = swizzled(&shape, &case["shared"]).unwrap_or_else(|e| panic!("[{i}]: {e}"));
        assert_eq!(Bases::of(&plan), Ok(bases(case)), "[{i}]: {}", case["shared"]);
        assert_eq!(bases(case).linear(), plan.linear(), "[{i}]");
    }
    println!("{} swizzled layouts", cases.len());
}

/// Bases in, and every offset back to its coordinate.
#[test]
fn hardware_swizzles_round_trip() {
    let cases = cases("shared_conflicts_nvmma.json");
    for (i, case) in cases.iter().enumerate() {
        let (bases, shape) = (bases(case), naturals(&case["shape"]));
        let map = bases.linear().unwrap_or_else(|e| panic!("[{i}]: {e}"));
        let coordinate = |offset: u32| {
            let bits = bases.images().iter().enumerate().filter(|(b, _)| offset >> b & 1 == 1);
            bits.fold([0, 0], |[row, column], (_, image)| [row ^ image.at(0), column ^ image.at(1)])
        };
        for offset in 0..shape[0] * shape[1] {
            let [row, column] = coordinate(offset);
            assert_eq!(map.apply(row * shape[1] + column), offset, "[{i}]");
        }
    }
    println!("{} hardware swizzles", cases.len());
}

#[test]
fn refusals_say_why() {
    let lengths = List::new(&[4, 4]);
    let says = |lengths, images: &[List]| Bases::new(lengths, images).unwrap_err().to_string();
    let image = |row, column| List::pair(row, column);
    assert_eq!(says(List::new(&[4, 6]), &[]), "length 6 of dimension 1 is not a power of two");
    assert_eq!(says(lengths, &[image(0, 4)]), "index 4 is out of range: dimension 1 has length 4",);
    // Column 1 twice, and so never row 2.
    let twice = [image(0, 1), image(0, 1), image(1, 0), image(0, 2)];
    let holes = Bases::new(lengths, &twice).unwrap().linear().unwrap_err();
    assert!(matches!(holes, Error::Holes { space: 16, .. }), "{holes}");
    let padded = Plan::naive(&[4, 4], &[8, 1]).unwrap();
    assert!(matches!(Bases::of(&padded), Err(Error::Holes { .. })));
    let based = Plan::naive_with_offset(&[4, 4], &[4, 1], 16).unwrap();
    assert!(Bases::of(&based).is_err());
    assert_eq!(Linear::BITS, 32);
}
