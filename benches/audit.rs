//! How long a compiled kernel takes to audit, a wave: from its text to every lane's address and the verdicts.
//!
//! The programs are Triton's, as they are committed beside the audit's tests. Lines for scripts:
//! `audit CASE LINES MICROSECONDS`.
//!
//! ```text
//! cargo bench --bench audit
//! ```

use core::hint::black_box;
use criterion::{Criterion, criterion_group};
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Instant;
use tiledesc_audit::{Options, audit};

/// Programs of 1,086 to 7,725 lines, of blocks of 4 waves.
const PROGRAMS: [&str; 5] = [
    "gemm-gfx942.amdgcn",
    "attention-gfx942.amdgcn",
    "attention-gfx90a.amdgcn",
    "attention-gfx1100.amdgcn",
    "attention-sm_80.ptx",
];
const WAVES: u32 = 4;

fn program(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../audit/tests/data");
    let mut text = String::new();
    let file = File::open(data.join(format!("{name}.gz"))).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// The lines of its report.
fn lines(text: &str) -> usize {
    let kernels = audit(black_box(text), &Options::default()).unwrap();
    kernels.iter().map(|kernel| kernel.report().lines.len()).sum()
}

fn audits(c: &mut Criterion) {
    let mut group = c.benchmark_group("audit");
    for name in PROGRAMS {
        let text = program(name);
        group.bench_function(name, |b| b.iter(|| lines(&text)));
    }
    group.finish();
}

/// Microseconds of a wave: the least of some turns.
fn microseconds(text: &str) -> f64 {
    let turn = |_| {
        let start = Instant::now();
        black_box(lines(text));
        start.elapsed().as_nanos() as f64 / 1e3
    };
    (0..40).map(turn).fold(f64::INFINITY, f64::min) / f64::from(WAVES)
}

criterion_group!(benches, audits);

fn main() {
    for name in PROGRAMS {
        let text = program(name);
        println!("audit {name} {} {:.0}", text.lines().count(), microseconds(&text));
    }
    if !std::env::args().any(|argument| argument == "--ratios") {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
}
