//! What a linear map costs at run time: to build, rank, invert, compose.
//!
//! A search over layouts needs thousands of inverses. Triton's `LinearLayout` took 19
//! us for one inversion (by its own harness, on another machine). For the 128x64 xor
//! tile, 13 columns, on the machine of the first measurement:
//!
//! | | us |
//! |---|---|
//! | `build`: the map from a plan | 0.56 |
//! | `rank` | 0.01 |
//! | `invert` | 0.14 |
//! | `compose`: one map after another | 0.14 |
//!
//! ```text
//! cargo bench --bench linear
//! ```

use core::hint::black_box;
use core::time::Duration;
use criterion::{Criterion, criterion_group, criterion_main};
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }

fn forms(c: &mut Criterion) {
    let plan = Tile::PLAN;
    let map = plan.linear().unwrap();
    let back = map.inverse().unwrap();
    let mut group = c.benchmark_group("xor_128x64");
    group.bench_function("build", |b| b.iter(|| black_box(&plan).linear().unwrap()));
    group.bench_function("rank", |b| b.iter(|| black_box(&map).rank()));
    group.bench_function("invert", |b| b.iter(|| black_box(&map).inverse().unwrap()));
    group.bench_function("compose", |b| b.iter(|| black_box(&back).after(black_box(&map))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = forms
}
criterion_main!(benches);
