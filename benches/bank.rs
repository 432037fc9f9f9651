//! How long one exact conflict count takes, compared with a histogram of banks.
//!
//! The rule is counted lane by lane where no theorem answers first, so this is what a layout
//! without structure costs. The yardstick is what NVlabs/cuda-oxide does, 22 to 43 ns here: 32 lanes,
//! each of which adds one to the bank of its address. Ours counts 64 lanes, with phases, dwords
//! and broadcast, in 90 to 1,070 ns.
//!
//! | | is answered by | ratio, on 2 cores |
//! |---|---|---|
//! | a free swizzle | a bit for each group of banks | 3.7 |
//! | 2-way, 4-way, 8-way; 32 lanes in one bank | the distinct units of each group | 12, 11, 22; 48 |
//! | padded rows; on gfx950, `ds_read_b96`, `ds_read2_b64` | the same | 15; 11, 28, 7.4 |
//! | random addresses of 16, 12 and 4 bytes | the same | 9.1, 23, 8.6 |
//! | writes: swizzled, padded, random | the same, and whether two lanes write one byte | 13, 13, 22 |
//! | a verdict of one instruction and of a whole tile: free; 4-way, with who meets; padded | rank; rank; runs | 1.9, 2.0; 7.9, 8.2; 32, 33 |
//!
//! Compare the ratio: both are measured in turns, and each case has a line that a script can
//! read, `bank CASE RATIO`.
//!
//! ```text
//! cargo bench --bench bank
//! cargo bench --bench bank -- --ratios    # the ratios alone
//! ```

use core::hint::black_box;
use core::time::Duration;
use criterion::{Criterion, criterion_group};
use std::time::Instant;
use tiledesc::access::Addresses;
use tiledesc::bank::conflicts;
use tiledesc::chip::gfx942::{
    ds_read_b32, ds_read_b64, ds_read_b96, ds_read_b128, ds_read2_b64, ds_write_b128,
};
use tiledesc::chip::gfx950;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{access::Placed, chip::Instruction};

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

#[inline(never)]
fn guess(offsets: &[usize; 32]) -> usize {
    histogram(black_box(offsets), black_box(2))
}

/// One instruction: its name, the degree that is true, and 64 addresses.
struct Case {
    name: &'static str,
    degree: u32,
    row: Instruction,
    addresses: Addresses,
}

impl Case {
    fn new(
        name: &'static str,
        degree: u32,
        row: Instruction,
        address: impl Fn(u32) -> u32,
    ) -> Self {
        let addresses = Addresses::from_fn(|lane| Some(address(lane)));
        Self { name, degree, row, addresses }
    }

    fn of(
        name: &'static str,
        degree: u32,
        row: Instruction,
        plan: &Plan,
        lanes: Lanes<'_>,
    ) -> Self {
        let placed = Placed::new(plan, 16, lanes, &row).unwrap();
        let addresses = *placed.touched(0).unwrap().addresses();
        Self { name, degree, row, addresses }
    }

    fn all() -> Vec<Self> {
        let (rows16, rows32) = (Lanes::rows(16), Lanes::rows(32));
        // Multiples of a lane's bytes below 64 KB, by PCG's output function.
        let random = |bytes: u32| {
            move |lane: u32| {
                let state = lane.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
                ((word >> 22) ^ word) % (65_536 / bytes) * bytes
            }
        };
        let cases = vec![
            Self::of("xor_free", 1, ds_read_b128, &Xor::PLAN, rows16),
            Self::of("xor_2way", 2, gfx950::ds_read_b128, &Xor::PLAN, rows32),
            Self::of("row_major_4way", 4, ds_read_b128, &Rows::PLAN, rows16),
            Self::of("row_major_8way", 8, ds_read_b128, &Rows::PLAN, rows32),
            Self::of("padded", 2, ds_read_b128, &Padded::PLAN, rows16),
            Self::of("padded_gfx950", 2, gfx950::ds_read_b128, &Padded::PLAN, rows16),
            Self::new("broadcast", 1, ds_read_b128, |_| 64),
            Self::new("random", 4, ds_read_b128, random(16)),
            Self::new("b32_column", 32, ds_read_b32, |lane| 128 * lane),
            Self::new("b32_random", 5, ds_read_b32, random(4)),
            Self::new("b64_16way", 16, ds_read_b64, |lane| 256 * lane),
            Self::new("b96", 2, ds_read_b96, |lane| 12 * lane),
            Self::new("b96_random", 3, ds_read_b96, random(12)),
            Self::new("read2", 1, ds_read2_b64.offsets(0, 9), |lane| 72 * lane),
            Self::of("write", 1, ds_write_b128, &Xor::PLAN, Lanes::row_major()),
            Self::of("write_padded", 1, ds_write_b128, &Padded::PLAN, Lanes::row_major()),
            Self::new("write_random", 5, ds_write_b128, random(16)),
        ];
        for case in &cases {
            if case.exact() != case.degree {
                println!("{} {}", case.name, case.exact());
            }
        }
        cases
    }

    #[inline(never)]
    fn exact(&self) -> u32 {
        conflicts(black_box(&self.addresses), black_box(&self.row)).unwrap().degree()
    }

    /// What the histogram takes: the offsets of the first 32 lanes, in halves.
    fn offsets(&self) -> [usize; 32] {
        core::array::from_fn(|lane| self.addresses.get(lane).unwrap() as usize / 2)
    }
}

fn counts(c: &mut Criterion) {
    for case in Case::all() {
        let mut group = c.benchmark_group(format!("count/{}", case.name));
        let offsets = case.offsets();
        group.bench_function("exact", |b| b.iter(|| case.exact()));
        group.bench_function("histogram", |b| b.iter(|| guess(&offsets)));
        group.finish();
    }
}

/// The verdicts of layouts and lanes, laid: one instruction of a tile, and all of them.
fn placed(plan: &Plan) -> [(&'static str, Placed<'_, 'static>); 2] {
    let rows = Lanes::rows(16);
    [("one", rows.first()), ("whole", rows)]
        .map(|(reach, lanes)| (reach, Placed::new(plan, 16, lanes, &ds_read_b128).unwrap()))
}

#[inline(never)]
fn verdict(placed: &Placed<'_, '_>) -> u32 {
    black_box(placed).verdict().unwrap().degree()
}

/// From the plan on: digits, lanes, checks, counts.
fn verdicts(c: &mut Criterion) {
    let mut group = c.benchmark_group("verdict");
    for (name, plan) in [("xor", Xor::PLAN), ("row_major", Rows::PLAN), ("row_pad", Padded::PLAN)] {
        for (reach, lanes) in [("one", Lanes::rows(16).first()), ("whole", Lanes::rows(16))] {
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

/// Both side by side, in turns, so that a busy machine slows both; a line that a script can
/// read.
fn ratio<T, U>(
    name: &str,
    rounds: usize,
    mut guess: impl FnMut() -> T,
    mut exact: impl FnMut() -> U,
) {
    let turns: Vec<(f64, f64)> =
        (0..rounds).map(|_| (time(500, &mut guess), time(500, &mut exact))).collect();
    let of = |value: fn(&(f64, f64)) -> f64| median(turns.iter().map(value).collect());
    let (guess, exact, ratio) = (of(|t| t.0), of(|t| t.1), of(|t| t.1 / t.0));
    println!("bank {name} {ratio:.2}    {exact:.1} ns, histogram {guess:.1} ns");
}

fn ratios(rounds: usize) {
    println!(
        "bank CASE RATIO: time of an exact count to that of a histogram, medians of {rounds} turns"
    );
    for case in Case::all() {
        let offsets = case.offsets();
        ratio(case.name, rounds, || guess(&offsets), || case.exact());
    }
    let offsets = Case::all()[0].offsets();
    for (name, plan) in
        [("tile", &Xor::PLAN), ("tile_4way", &Rows::PLAN), ("padded_tile", &Padded::PLAN)]
    {
        for (reach, placed) in placed(plan) {
            ratio(&format!("{reach}_{name}"), rounds, || guess(&offsets), || verdict(&placed));
        }
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
    // `cargo test --benches` only looks whether it runs; `--ratios` asks for the ratios alone.
    let measure = std::env::args().any(|argument| argument == "--bench");
    let wants_all = !std::env::args().any(|argument| argument == "--ratios");
    if wants_all {
        benches();
    }
    ratios(if measure { 500 } else { 1 });
    if wants_all {
        Criterion::default().configure_from_args().final_summary();
    }
}
