//! How long one search for a layout takes on this machine, judged by the analyzer included.
//!
//! Triton's own figure is milliseconds of a compilation; a sweep over tiles asks thousands of
//! times. Lines for scripts: `search CASE MICROSECONDS`.
//!
//! ```text
//! cargo bench --bench search
//! ```

use core::hint::black_box;
use criterion::{Criterion, criterion_group};
use std::time::Instant;
use tiledesc::chip::Instruction;
use tiledesc::chip::{gfx942, gfx950};
use tiledesc::pattern::Lanes;
use tiledesc::recipe::Shape;
use tiledesc::search::Use;
use tiledesc_host::search::find;

/// A tile of halves, its accesses, and what comes out.
struct Case {
    name: &'static str,
    tile: Shape,
    uses: Vec<Use<'static>>,
    masks: &'static [u32],
}

fn case(
    name: &'static str,
    [rows, columns]: [u32; 2],
    [store, load]: [&'static Instruction; 2],
    reads: &[Lanes<'static>],
    masks: &'static [u32],
) -> Case {
    let mut uses = vec![Use::new(Lanes::row_major(), store)];
    uses.extend(reads.iter().map(|lanes| Use::new(*lanes, load)));
    Case { name, tile: Shape { rows, columns, bits: 16 }, uses, masks }
}

fn cases() -> [Case; 4] {
    let operands = [Lanes::rows(16), Lanes::rows(32)];
    let all = [Lanes::rows(16), Lanes::rows(32), Lanes::column(), Lanes::diagonal()];
    let mi300 = [&gfx942::ds_write_b128, &gfx942::ds_read_b128];
    let mi350 = [&gfx950::ds_write_b128, &gfx950::ds_read_b128];
    [
        case("shift", [128, 64], mi300, &operands, &[]),
        case("masks", [128, 32], mi350, &operands, &[3, 2]),
        case("five_accesses", [128, 64], mi300, &all, &[6, 1, 2]),
        case("five_accesses_gfx950", [128, 128], mi350, &all, &[12, 1, 2, 4]),
    ]
}

fn search(case: &Case) -> u64 {
    find(black_box(case.tile), black_box(&case.uses)).unwrap().best.cycles
}

fn searches(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    for case in cases() {
        group.bench_function(case.name, |b| b.iter(|| search(&case)));
    }
    group.finish();
}

/// Microseconds of one call: the least of some turns.
fn microseconds(case: &Case) -> f64 {
    let turn = |_| {
        let start = Instant::now();
        (0..200).for_each(|_| _ = black_box(search(case)));
        start.elapsed().as_nanos() as f64 / 200e3
    };
    (0..20).map(turn).fold(f64::INFINITY, f64::min)
}

criterion_group!(benches, searches);

fn main() {
    for case in cases() {
        let found = find(case.tile, &case.uses).unwrap();
        assert!(found.is_free(), "{found}");
        assert_eq!(found.best.layout.list().as_slice(), case.masks, "{found}");
        println!("search {} {:.1}", case.name, microseconds(&case));
    }
    if !std::env::args().any(|argument| argument == "--ratios") {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
}
