//! rocprof-compute's LDS tutorial, from the model: the counters of its two kernels on
//! an MI250, for 1 to 256 work-items.
//!
//! `cargo run --release -p tiledesc-examples --example omniperf_lds`
//!
//! One work-item that reads 4 bytes is counted as 256 bytes, and 64 that read from one
//! bank as a conflict rate of 96.875 %. Both follow from one rule: a wave is served in
//! two phases of 32 lanes, and a phase costs its cycle even if it is empty.
//!
//! The tutorial (ROCm/rocm-systems, rocprofiler-compute, lds-examples.rst) prints
//! 1 and 2 work-items and plots counts up to 20 and rates up to 64; beyond that the
//! conflicts are a prediction. Every number of work-items is checked.

use tiledesc::chip::gfx90a::ds_read_b32;
use tiledesc::{access::Addresses, bank::conflicts};
use tiledesc_host::counters::Lds;

/// The rows that are printed.
const ROWS: [u32; 21] =
    [1, 2, 3, 5, 10, 20, 31, 32, 33, 48, 63, 64, 65, 96, 128, 129, 160, 192, 193, 224, 256];
/// Points of the plot of rates: work-items, percent.
const RATED: [u32; 7] = [1, 20, 31, 32, 33, 48, 64];
const RATES: [f64; 7] = [0.0, 29.6875, 46.875, 48.4375, 48.4375, 71.875, 96.875];

/// Counters of `items` work-items of which each reads the dword `stride * item`.
fn kernel(items: u32, stride: u32) -> Lds {
    let wave = |first: u32| {
        let address = |item: u32| (item < items).then_some(4 * stride * item);
        let lanes = Addresses::from_fn(|lane| address(first + lane));
        Lds::of_one(&conflicts(&lanes, &ds_read_b32).unwrap())
    };
    (0..items).step_by(64).map(wave).fold(Lds::default(), Lds::plus)
}

/// The tutorial's figure, which must be ours; "-" if it has none.
fn published<T: PartialEq + ToString>(ours: T, figure: Option<T>) -> String {
    let Some(figure) = figure else { return "-".into() };
    assert!(ours == figure, "{} of the model, {} published", ours.to_string(), figure.to_string());
    figure.to_string()
}

fn load(items: u32) -> String {
    let theory = kernel(items, 1).theoretical_bytes();
    let figure = published(theory, Some(256 * u64::from(items.div_ceil(64))));
    format!("{items:>5} {theory:>6} {figure:>9} {:>9}", 4 * items)
}

fn conflict(items: u32) -> String {
    let lds = kernel(items, 32);
    let (index, conflict, rate) = (lds.idx_active, lds.bank_conflict, lds.conflict_rate().unwrap());
    let plotted = (items <= 20).then_some(u64::from(items));
    let plus = published(index, plotted.map(|n| n + 1));
    let minus = published(conflict, plotted.map(|n| n - 1));
    let point = published(rate, RATED.iter().position(|n| *n == items).map(|at| RATES[at]));
    let curve = "#".repeat(rate as usize / 4);
    let counts = format!("{items:>5} {index:>5} {plus:>9} {conflict:>8} {minus:>9}");
    format!("{counts} {rate:>8.4} {point:>9} |{curve}")
}

fn print(title: &str, row: fn(u32) -> String) {
    println!("{title}");
    let rows = (1..=256).map(|items| (items, row(items)));
    rows.filter(|(items, _)| ROWS.contains(items)).for_each(|(_, row)| println!("{row}"));
}

fn main() {
    println!("load: work-item i reads dword i. Bytes, in theory and in effect.\n");
    print("items theory published effective", load);
    println!("\nconflicts: work-item i reads dword 32 * i. Cycles, and the conflict rate in %.\n");
    print("items index published conflict published     rate published", conflict);
}
