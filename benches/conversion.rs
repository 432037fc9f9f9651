//! How long a conversion between two distributions takes to find: layout, instructions, proof.
//!
//! The cases are those of `tests/golden/triton`, by the rows of each chip.
//!
//! | chip | cases | microseconds a conversion, on 2 shared cores |
//! |---|---|---|
//! | gfx942 | 12 | 27 |
//! | gfx950 | 12 | 27 |
//! | sm80 | 16 | 29 |
//! | sm90 | 16 | 26 |
//!
//! Beside it: Triton 3.9 takes 70 ms to compile one conversion to a cubin, all passes included,
//! measured through its Python package on the machine that wrote the tables; its search alone has
//! no entry there. Its `bank_conflicts` of one 128x64 layout takes 41.5 us, a Python call.
//!
//! ```text
//! cargo bench --bench conversion
//! ```

use core::hint::black_box;
use core::time::Duration;
use criterion::Criterion;
use serde_json::Value;
use tiledesc::chip::{self, Chip};
use tiledesc::{Linear, List};
use tiledesc_host::conversion::{Conversion, Held};

struct Case {
    sides: [Held; 2],
    bits: u32,
}

fn number(json: &Value) -> u32 {
    json.as_u64().and_then(|number| u32::try_from(number).ok()).expect("a natural number")
}

fn items(json: &Value) -> &[Value] {
    json.as_array().expect("a list")
}

/// What bases hold of a tile.
fn held(shape: [u32; 2], bases: &Value) -> Held {
    let of = |name: &str| -> Vec<u32> {
        let element = |at: &Value| number(&at[0]) * shape[1] + number(&at[1]);
        items(&bases[name]).iter().map(element).collect()
    };
    let [registers, lanes, waves] = ["reg", "lane", "warp"].map(of);
    let map = Linear::new(&[&registers[..], &lanes, &waves].concat(), 0).unwrap();
    Held::new(List::new(&shape), map, registers.len(), lanes.len()).unwrap()
}

fn cases(name: &str) -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/triton");
    let text = std::fs::read_to_string(format!("{folder}/convert_layout_{name}.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let case = |json: &Value| {
        let shape = [0, 1].map(|d: usize| number(&json["shape"][d]));
        let sides = ["src_linear", "dst_linear"].map(|side| held(shape, &json[side]));
        Case { sides, bits: 8 * number(&json["elem_bytes"]) }
    };
    items(&json["cases"]).iter().map(case).collect()
}

fn find(cases: &[Case], chip: &Chip) -> u64 {
    let cycles = |case: &Case| {
        let [from, to] = &case.sides;
        let found = Conversion::by(black_box(from), to, case.bits, chip.rows());
        found.unwrap().cycles()
    };
    cases.iter().map(cycles).sum()
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for (name, chip) in
        [("gfx942", "gfx942"), ("gfx950", "gfx950"), ("sm80", "sm_80"), ("sm90", "sm_90")]
    {
        let (cases, chip) = (cases(name), chip::find(chip).unwrap());
        let label = format!("conversion/{name}, {} cases", cases.len());
        criterion.bench_function(&label, |bencher| bencher.iter(|| find(&cases, chip)));
    }
    criterion.final_summary();
}
