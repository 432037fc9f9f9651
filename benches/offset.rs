//! How long one offset takes, in four spellings and as an interpreted plan.
//!
//! A 128x64 fp16 tile has 8192 offsets, and each comes before a load or a store. With
//! its numbers in the code, the formula is six to ten instructions. With the same
//! numbers in a struct, it has five divisions and remainders; read from a plan, it is
//! a loop over transforms. On the machine of the first measurement:
//!
//! | ns per offset, called | 128x64 | 64x32, two layers |
//! |---|---|---|
//! | `typed` | 1.5 | 1.0 |
//! | `by_hand` | 1.6 | 1.0 |
//! | `magic` | 1.9 | 2.1 |
//! | `strided` | 4.3 | 4.3 |
//! | `plan` | 62 | 61 |
//!
//! | spelling | what it knows at compile time |
//! |---|---|
//! | `typed` | everything: `Tile::at` |
//! | `by_hand` | everything: the formula, written out |
//! | `magic` | which transforms; lengths are `Dyn`, divided by multiplication |
//! | `strided` | which formula; the numbers are fields, divided with `/` and `%` |
//! | `plan` | nothing: `Plan::offset`, as proofs and pictures use it |
//!
//! | group | what it shows |
//! |---|---|
//! | `called` | one offset on its own, through a function pointer: the call costs about the same in all |
//! | `in_a_loop` | all offsets of the tile in one loop, where the compiler hoists what is constant in a row and uses vectors if it can |
//!
//! `typed` should equal `by_hand` in both groups. Do not conclude more from this: a
//! difference of one instruction is below the noise of a shared machine, so
//! criterion cannot see it. `tests/codegen` counts instructions and can.
//!
//! ```text
//! cargo bench --bench offset
//! ```

use core::hint::black_box;
use core::time::Duration;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tiledesc::Error;
use tiledesc::Xor;
use tiledesc::prelude::*;

layout! {
    type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Layered = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
}

/// The xor tile with its numbers as fields: what a library without types does.
#[derive(Clone, Copy)]
struct Strided {
    layers: u32,
    chunks: u32,
    pack: u32,
}

impl Strided {
    #[inline]
    fn offset(&self, m: u32, k: u32) -> u32 {
        let Self { layers, chunks, pack } = *self;
        let (row, line) = (m / layers, chunks * layers);
        let chunk = (m % layers * chunks + k / pack) ^ (row % line);
        row * line * pack + chunk * pack + k % pack
    }
}

/// The tile's transforms over lengths known only at run time.
type Magic = Transformed<
    Transformed<
        Naive<[Dyn; 3], [Dyn; 3]>,
        (Xor<Dyn, Dyn>, PassThrough<Dyn>),
        lower![[1, 0], [2]],
        upper![[1, 0], [2]],
    >,
    (PassThrough<Dyn>, Merge<[Dyn; 2]>),
    lower![[1], [0, 2]],
    upper![[0], [1]],
>;

fn magic(m: u32, k: u32, p: u32) -> Result<Magic, Error> {
    Naive::new([Dyn(k / p), Dyn(m), Dyn(p)], [Dyn(p), Dyn(k), Dyn(1)])?
        .transform(
            (Xor::new(Dyn(m), Dyn(k / p)), PassThrough::new(Dyn(p))),
            lower![[1, 0], [2]],
            upper![[1, 0], [2]],
        )?
        .transform(
            (PassThrough::new(Dyn(m)), Merge::new([Dyn(k / p), Dyn(p)])),
            lower![[1], [0, 2]],
            upper![[0], [1]],
        )
}

/// The same with layers of rows.
type MagicLayered = Transformed<
    Transformed<
        Transformed<
            Naive<[Dyn; 3], [Dyn; 3]>,
            (Xor<Dyn, Dyn>, PassThrough<Dyn>),
            lower![[1, 0], [2]],
            upper![[1, 0], [2]],
        >,
        (Unmerge<[Dyn; 2]>, PassThrough<Dyn>, PassThrough<Dyn>),
        lower![[0], [1], [2]],
        upper![[0, 2], [1], [3]],
    >,
    (Merge<[Dyn; 2]>, Merge<[Dyn; 2]>),
    lower![[1, 0], [2, 3]],
    upper![[0], [1]],
>;

fn magic_layered(m: u32, k: u32, p: u32, l: u32) -> Result<MagicLayered, Error> {
    Naive::new([Dyn(k / p * l), Dyn(m / l), Dyn(p)], [Dyn(p), Dyn(k * l), Dyn(1)])?
        .transform(
            (Xor::new(Dyn(m / l), Dyn(k / p * l)), PassThrough::new(Dyn(p))),
            lower![[1, 0], [2]],
            upper![[1, 0], [2]],
        )?
        .transform(
            (
                Unmerge::new([Dyn(l), Dyn(k / p)]),
                PassThrough::new(Dyn(m / l)),
                PassThrough::new(Dyn(p)),
            ),
            lower![[0], [1], [2]],
            upper![[0, 2], [1], [3]],
        )?
        .transform(
            (Merge::new([Dyn(m / l), Dyn(l)]), Merge::new([Dyn(k / p), Dyn(p)])),
            lower![[1, 0], [2, 3]],
            upper![[0], [1]],
        )
}

/// One way to compute an offset, of state `S`.
type Offset<S> = fn(&S, u32, u32) -> u32;

/// A closure as a function pointer; the state says what its first argument is.
fn of<S>(_: &S, offset: Offset<S>) -> Offset<S> {
    offset
}

/// The sum of all offsets of a tile, so that none is left out.
#[inline(always)]
fn all<S>(state: &S, m: u32, k: u32, offset: impl Fn(&S, u32, u32) -> u32) -> u32 {
    let mut sum = 0u32;
    for row in 0..m {
        for column in 0..k {
            sum = sum.wrapping_add(offset(state, row, column));
        }
    }
    sum
}

/// One tile: every spelling in both groups, and proof that they agree.
macro_rules! tile {
    ($c:ident, $tile:literal, $m:literal x $k:literal; $($name:ident($state:expr) $offset:expr;)*) => {{
        let mut group = $c.benchmark_group(concat!("called/", $tile));
        group.throughput(Throughput::Elements($m * $k));
        let mut sums = Vec::new();
        $({
            let state = $state;
            let offset = of(&state, $offset);
            sums.push((stringify!($name), all(&state, $m, $k, offset)));
            group.bench_function(stringify!($name), |b| {
                let (state, offset) = (black_box(state), black_box(offset));
                b.iter(|| all(&state, $m, $k, offset));
            });
        })*
        group.finish();
        assert!(sums.iter().all(|(_, sum)| *sum == sums[0].1), "{sums:?}");

        let mut group = $c.benchmark_group(concat!("in_a_loop/", $tile));
        group.throughput(Throughput::Elements($m * $k));
        $({
            let state = $state;
            group.bench_function(stringify!($name), |b| {
                b.iter(|| all(&black_box(state), black_box($m), black_box($k), $offset));
            });
        })*
        group.finish();
    }};
}

fn offsets(c: &mut Criterion) {
    tile! { c, "xor_128x64", 128 x 64;
        typed(()) |(), m, k| Tile::at([m, k]);
        by_hand(()) |(), m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
        magic(magic(128, 64, 8).unwrap()) |tile, m, k| tile.at([m, k]);
        strided(Strided { layers: 1, chunks: 8, pack: 8 }) |tile, m, k| tile.offset(m, k);
        plan(Tile::PLAN) |plan, m, k| plan.offset(&[m, k]).unwrap();
    }
    tile! { c, "layered_64x32", 64 x 32;
        typed(()) |(), m, k| Layered::at([m, k]);
        by_hand(()) |(), m, k| {
            m / 2 * 64 + ((m % 2 * 4 + k / 8) ^ (m / 2 % 8)) * 8 + k % 8
        };
        magic(magic_layered(64, 32, 8, 2).unwrap()) |tile, m, k| tile.at([m, k]);
        strided(Strided { layers: 2, chunks: 4, pack: 8 }) |tile, m, k| tile.offset(m, k);
        plan(Layered::PLAN) |plan, m, k| plan.offset(&[m, k]).unwrap();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = offsets
}
criterion_main!(benches);
