//! Triton's register layouts as distributions, and back to the same bases.
//!
//! ```text
//! GOLDEN_TRITON=<folder> cargo test --release -p tiledesc-host-tests --test exchange oracle_registers:: -- --nocapture
//! ```
//!
//! | field | of |
//! |---|---|
//! | `src_linear`, `dst_linear` | `convert_layout_*`: what Triton converts |
//! | `register_linear` | `shared_conflicts_*`: what it stores |
//! | `src`, `dst` | `synthesis_unit_tests` |
//!
//! The other fields of these tables: `oracle_conversions` and `oracle_triton`.
//!
//! Every lane's every element is where the bases say, by xors written here; and what is no
//! distribution is refused because a bit of it moves two bits of the tile, or moves what
//! another one moves, or a register moves nothing.

use serde_json::Value;
use std::path::PathBuf;
use support::bits::sums;
use tiledesc::List;
use tiledesc::distribution::Encoding;
use tiledesc_host::ErrorKind;
use tiledesc_host::exchange::linear;
use tiledesc_host::exchange::triton::Registers;

type Bases = [Vec<Vec<u32>>; 3];

#[derive(Default)]
struct Tally {
    tables: usize,
    layouts: usize,
    elements: usize,
    refused: usize,
}

#[test]
fn every_register_layout_of_the_folder() {
    let mut tally = Tally::default();
    for path in tables() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let fields: &[&str] = match json["kind"].as_str().unwrap() {
            "convert_layout" => &["src_linear", "dst_linear"],
            "shared_conflicts" => &["register_linear"],
            "synthesis_unit_tests" => &["src", "dst"],
            _ => continue,
        };
        tally.tables += 1;
        for (i, case) in json["cases"].as_array().unwrap().iter().enumerate() {
            for field in fields {
                let shape = naturals(&case["shape"]);
                layout(&format!("{name}[{i}].{field}"), &shape, &case[*field], &mut tally);
            }
        }
    }
    println!(
        "{} tables, {} register layouts of {} elements to a distribution and back; {} swizzle",
        tally.tables, tally.layouts, tally.elements, tally.refused
    );
    assert!(tally.layouts > 0, "the folder holds no register layouts");
}

/// The tables of the folder: `GOLDEN_TRITON`, or the committed one.
fn tables() -> Vec<PathBuf> {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/triton");
    let folder = std::env::var_os("GOLDEN_TRITON").map_or(committed.into(), PathBuf::from);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths
}

fn naturals(json: &Value) -> Vec<u32> {
    let list = json.as_array().unwrap_or_else(|| panic!("not a list: {json}"));
    list.iter().map(|item| item.as_u64().unwrap() as u32).collect()
}

fn layout(id: &str, shape: &[u32], json: &Value, tally: &mut Tally) {
    let part = |name: &str| -> Vec<Vec<u32>> {
        json[name]
            .as_array()
            .unwrap_or_else(|| panic!("{id}: no {name}"))
            .iter()
            .map(naturals)
            .collect()
    };
    let bases: Bases = ["reg", "lane", "warp"].map(part);
    let lists: [Vec<List>; 3] =
        bases.each_ref().map(|images| images.iter().map(|image| List::new(image)).collect());
    let registers = Registers::new(List::new(shape), lists.each_ref().map(Vec::as_slice))
        .unwrap_or_else(|error| panic!("{id}: {error}"));
    match registers.encoding() {
        Ok(encoding) => {
            assert!(!swizzles(shape, &bases), "{id}: a swizzle became {encoding:?}");
            every_element(id, &bases, &encoding, tally);
            assert_eq!(
                Registers::from_encoding(&encoding),
                Ok(registers.clone()),
                "{id}: other bases"
            );
            assert_eq!(
                Registers::parse(&registers.to_string()),
                Ok(registers.clone()),
                "{id}: text"
            );
            assert_eq!(
                registers.named_linear().unwrap().map(),
                &linear::from_encoding(&encoding).unwrap(),
                "{id}: the map with names"
            );
            tally.layouts += 1;
        }
        Err(error) => {
            assert!(swizzles(shape, &bases), "{id}: {error}");
            tally.refused += 1;
        }
    }
}

/// Whether bits of the layout are not bits of the tile, one each.
fn swizzles(shape: &[u32], bases: &Bases) -> bool {
    let images = bases.iter().flatten();
    let ones = |image: &Vec<u32>| image.iter().map(|by| by.count_ones()).sum::<u32>();
    let mut moved: Vec<&Vec<u32>> = images.clone().filter(|image| ones(image) > 0).collect();
    let count = moved.len();
    moved.sort();
    moved.dedup();
    let bits: u32 = shape.iter().map(|length| length.trailing_zeros()).sum();
    images.clone().any(|image| ones(image) > 1)
        || moved.len() < count
        || count < bits as usize
        || bases[0].iter().any(|image| ones(image) == 0)
}

fn every_element(id: &str, bases: &Bases, encoding: &Encoding, tally: &mut Tally) {
    let numbers = bases.each_ref().map(|images| 1u32 << images.len());
    assert_eq!([encoding.elements(), encoding.lanes(), encoding.waves()], numbers, "{id}");
    let [elements, lanes, waves] = bases.each_ref().map(|images| {
        let halves = |image: &Vec<u32>| match image[..] {
            [row, column] => row << 16 | column,
            _ => panic!("{id}: not a row and a column: {image:?}"),
        };
        sums(&images.iter().map(halves).collect::<Vec<_>>())
    });
    for (wave, of_wave) in (0..).zip(&waves) {
        for (lane, of_lane) in (0..).zip(&lanes) {
            for (element, of_element) in (0..).zip(&elements) {
                let wanted = of_wave ^ of_lane ^ of_element;
                let [row, column] = [wanted >> 16, wanted & 0xffff];
                assert_eq!(
                    encoding.coordinate(wave, lane, element).unwrap(),
                    [row, column],
                    "{id}"
                );
                tally.elements += 1;
            }
        }
    }
}

/// What bases say that no distribution does.
#[test]
fn refusals_say_why() {
    let said = |text: &str| match Registers::parse(text) {
        Ok(bases) => bases.encoding().unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    let cases = [
        // A tile of one element: of one dimension or of three.
        (
            "register = [], lane = [], warp = []",
            "at byte 35: expected an image, which gives the rank",
        ),
        (
            "register = [[0, 1], [0, 2]], lane = [[1, 4], [0, 4]], warp = []",
            "lane bit 0 moves dimensions 0 and 1: a swizzle in registers, which factors do not say",
        ),
        (
            "register = [[0, 1], [0, 3]], lane = [[1, 0]], warp = []",
            "register bit 1 moves dimension 1 by 3, which is not a power of two: a swizzle in \
             registers, which factors do not say",
        ),
        (
            "register = [[0, 1]], lane = [[1, 0], [0, 1]], warp = []",
            "register bit 0 and lane bit 1 both move dimension 1 by 1",
        ),
        ("register = [[0, 1]], lane = [[2, 0]], warp = []", "no bit moves dimension 0 by 1"),
        (
            "register = [[0, 1], [0, 0]], lane = [[1, 0]], warp = []",
            "register bit 1 moves nothing: a lane would hold one element twice",
        ),
        ("register = [[0, 1]], lane = [[1]], warp = []", "2 indices are wanted but 1 is given"),
        ("register = [[0, 1]] lane = []", "at byte 20: expected `,`"),
        ("register = [[0, 1]], lanes = []", "at byte 25: expected `=`"),
        ("register = [[0, x]], lane = []", "at byte 16: expected a number"),
        ("register = [], lane = [], warp = [] and", "at byte 36: expected the end"),
        ("#ttg.linear<{register = [], lane = [], warp = []", "at byte 48: expected `}>`"),
        (
            "register = [], lane = [], warp = [], block = [[1, 0]]",
            "at byte 53: expected a layout of one block",
        ),
        (
            "register = [[4294967296]], lane = [], warp = []",
            "at byte 22: expected a number below 2^31",
        ),
        (
            "register = [[2147483648]], lane = [], warp = []",
            "at byte 22: expected a number below 2^31",
        ),
    ];
    for (text, sentence) in cases {
        assert_eq!(said(text), sentence, "{text}");
    }
    let three = Encoding::ck(&[], &[&[3]], (&[&[1]], &[&[0]]), (&[], &[])).unwrap();
    assert_eq!(
        Registers::from_encoding(&three).unwrap_err().to_string(),
        "factor 0 of dimension 0 has length 3, which is not a power of two",
    );
    let twelve = Registers::new(List::new(&[12, 4]), [&[], &[], &[]]).unwrap_err();
    assert_eq!(twelve.kind(), ErrorKind::Layout);
    assert_eq!(
        twelve.to_string(),
        "length 12 of dimension 0 is not a power of two (nearest: 8 and 16)",
    );
}
