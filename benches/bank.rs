//! How long one exact conflict count takes, compared with a histogram of banks.
//!
//! A search for a layout needs thousands of counts, so an exact one must not cost
//! much more than an estimate. The yardstick is what NVlabs/cuda-oxide does, 19 ns when
//! first measured: 32 lanes, each of which adds one to the bank of its address. Ours
//! counts 64 lanes of `ds_read_b128` on gfx942, with phases, dwords and broadcast. On
//! the machine of the first measurement:
//!
//! | 16-row read, 128x64 fp16 | ways | histogram says | ns | exact, ns | ratio |
//! |---|---|---|---|---|---|
//! | `xor` | 1 | 4 | 23 | 36 | 1.6 |
//! | `row_major` | 4 | 16 | 28 | 231 | 8.4 |
//! | `row_pad` of 8 | 2 | 4 | 23 | 212 | 9.0 |
//! | `broadcast`: one address | 1 | 32 | 20 | 176 | 8.8 |
//!
//! Compare the ratio: both are measured in turns, and the ratio is printed last. If no
//! two lanes share a group of banks, one bit per lane proves it; otherwise dwords are
//! compared, phase by phase. A verdict also computes 64 offsets by digits and checks
//! them: 2.2 us per instruction, 39 us for a tile of 16.
//!
//! ```text
//! cargo bench --bench bank
//! ```

use core::hint::black_box;
use core::time::Duration;
use criterion::{Criterion, criterion_group};
use std::time::Instant;
use tiledesc::access::Addresses;
use tiledesc::bank::conflicts;
use tiledesc::chip::gfx942::ds_read_b128;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{Instruction, Placed};

layout! {
    type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
}

/// The yardstick: lanes per bank of one warp. It is what NVlabs/cuda-oxide counts;
/// neither vectors, nor phases, nor lanes that share a dword.
fn histogram(offsets: &[usize; 32], bytes: usize) -> usize {
    let (mut lanes, mut most) = ([0; 32], 0);
    for offset in offsets {
        let bank = offset * bytes / 4 % 32;
        lanes[bank] += 1;
        most = most.max(lanes[bank]);
    }
    most
}

/// One instruction: its name, the degree that is true, 64 addresses, and the offsets
/// of the first 32 lanes in halves.
struct Case {
    name: &'static str,
    degree: u32,
    addresses: Addresses,
    offsets: [usize; 32],
}

impl Case {
    fn new(name: &'static str, degree: u32, addresses: Addresses) -> Self {
        let offsets = core::array::from_fn(|lane| addresses.get(lane).unwrap() as usize / 2);
        Self { name, degree, addresses, offsets }
    }

    fn of(name: &'static str, degree: u32, plan: &Plan) -> Self {
        let placed = Placed::new(plan, 16, Lanes::rows(16), &ds_read_b128).unwrap();
        Self::new(name, degree, *placed.touched(0).unwrap().addresses())
    }

    fn all() -> [Self; 4] {
        let cases = [
            Self::of("xor", 1, &Xor::PLAN),
            Self::of("row_major", 4, &Rows::PLAN),
            Self::of("row_pad", 2, &Padded::PLAN),
            Self::new("broadcast", 1, Addresses::from_fn(|_| Some(64))),
        ];
        cases.iter().for_each(|case| assert_eq!(case.exact(&ds_read_b128), case.degree));
        cases
    }

    #[inline(never)]
    fn exact(&self, instruction: &Instruction) -> u32 {
        conflicts(black_box(&self.addresses), black_box(instruction)).unwrap().degree()
    }

    #[inline(never)]
    fn guess(&self) -> usize {
        histogram(black_box(&self.offsets), black_box(2))
    }
}

fn counts(c: &mut Criterion) {
    for case in Case::all() {
        let mut group = c.benchmark_group(format!("count/{}", case.name));
        group.bench_function("exact", |b| b.iter(|| case.exact(&ds_read_b128)));
        group.bench_function("histogram", |b| b.iter(|| case.guess()));
        group.finish();
    }
}

/// A whole verdict: offsets of the plan, checks, counts.
fn verdicts(c: &mut Criterion) {
    let mut group = c.benchmark_group("verdict");
    let rows = Lanes::rows(16);
    for (name, plan) in [("xor", Xor::PLAN), ("row_major", Rows::PLAN), ("row_pad", Padded::PLAN)] {
        for (reach, lanes) in [("one", rows), ("tile_of_16", rows.whole())] {
            group.bench_function(format!("{name}/{reach}"), |b| {
                b.iter(|| {
                    Placed::new(black_box(&plan), 16, lanes, &ds_read_b128)
                        .and_then(|placed| placed.verdict())
                        .unwrap()
                        .degree()
                });
            });
        }
    }
    group.finish();
}

/// Nanoseconds of one call.
fn time<T>(calls: u32, mut call: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| _ = black_box(call()));
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Both side by side, in turns, so that a busy machine slows both.
fn ratios(rounds: usize) {
    println!("ns a count, medians of {rounds} turns\n");
    println!("{:10} degree  guess  histogram  exact  ratio", "");
    for case in Case::all() {
        let turn = |_| (time(2000, || case.guess()), time(2000, || case.exact(&ds_read_b128)));
        let turns: Vec<(f64, f64)> = (0..rounds).map(turn).collect();
        let of = |value: fn(&(f64, f64)) -> f64| median(turns.iter().map(value).collect());
        let (guess, exact, ratio) = (of(|t| t.0), of(|t| t.1), of(|t| t.1 / t.0));
        print!("{:10} {:>6} {:>6}", case.name, case.degree, case.guess());
        println!(" {guess:>10.1} {exact:>6.1} {ratio:>6.2}");
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = counts, verdicts
}

fn main() {
    benches();
    // `cargo test --benches` only looks whether it runs.
    let measure = std::env::args().any(|argument| argument == "--bench");
    ratios(if measure { 500 } else { 1 });
    Criterion::default().configure_from_args().final_summary();
}
