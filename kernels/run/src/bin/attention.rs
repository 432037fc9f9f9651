//! Attention forward in f32 and f16, heads of 32 and 64, with the K and V recipes.

use cubecl::prelude::*;
use half::f16;
use run::attention::{
    FetchV, HeldP, QUERIES, ReadK, ReadP, ReadQ, ReadV, attention, shared_elements,
};
use run::gemm::{Fetch, Tile2};
use run::{Gpu, Progress, Table};
use tiledesc::prelude::*;
use tiledesc::recipe::FmhaVSize;
use tiledesc_cubecl::{RowsLaunch, Touch};

/// The tiles of a head of `D` columns, in an element.
macro_rules! tiles {
    ($($module:ident: $E:ident, $D:literal;)*) => {$(
        mod $module {
            use super::*;
            layout! {
                pub(crate) type Queries = recipe::RowPad<$E, M<32>, K<$D>, Padding<4>>;
                pub(crate) type Keys = recipe::FmhaK<$E, N<32>, K<$D>>;
                pub(crate) type Values = recipe::FmhaV<$E, N<$D>, K<32>, Buffers<1>, FmhaVSize<$E, N<$D>, K<32>>>;
                pub(crate) type Weights = recipe::RowPad<$E, M<32>, K<32>, Padding<4>>;
            }
        }
    )*};
}

tiles! {
    f32_32: F32, 32;
    f32_64: F32, 64;
    f16_32: F16, 32;
    f16_64: F16, 64;
}

/// Heads, queries and keys.
type Shape = [usize; 3];

/// Runs a shape; the largest difference from attention in f64.
fn run<F, D, Q: Tile2, K: Tile2, V: Tile2, P: Tile2>(
    gpu: &Gpu,
    [heads, queries, keys]: Shape,
) -> f64
where
    F: Float + CubeElement + Into<f64>,
    D: Number + Send + Sync + 'static,
{
    let d = D::N as usize;
    let shared = shared_elements::<Q, K, V, P>() * size_of::<F>() + 1024;
    assert!(
        shared <= gpu.shared_memory(),
        "{shared} bytes of shared memory are more than there are"
    );
    // Between -1 and 1, in steps of 1/8: exact in both elements. Without a period, so that the largest
    // score grows from tile to tile.
    let value = |i: usize, by: u32| {
        let mixed = (i as u32).wrapping_mul(0x9e37_79b1).wrapping_add(by).wrapping_mul(0x85eb_ca6b);
        i64::from((mixed ^ mixed >> 15) % 17) - 8
    };
    let fill = |rows: usize, by| -> Vec<F> {
        (0..heads * rows * d).map(|i| F::from_int(value(i, by)) / F::from_int(8)).collect()
    };
    let (q, k, v) = (fill(queries, 7), fill(keys, 5), fill(keys, 3));
    let scale = 1.0 / (d as f32).sqrt();
    let output = gpu.tensor(&[heads * queries, d], &vec![F::from_int(-99); heads * queries * d]);
    let width = D::N;
    attention::launch::<F, D, Q, K, V, P>(
        gpu.client(),
        CubeCount::Static(queries.div_ceil(QUERIES) as u32, heads as u32, 1),
        CubeDim::new_1d(256),
        4,
        gpu.tensor(&[heads * queries, d], &q).into_arg(),
        gpu.tensor(&[heads * keys, d], &k).into_arg(),
        gpu.tensor(&[heads * keys, d], &v).into_arg(),
        output.clone().into_arg(),
        RowsLaunch::new(queries as u32, width, width),
        RowsLaunch::new(keys as u32, width, width),
        scale,
    );
    let got: Vec<F> = gpu.read(&output);
    let mut worst = 0f64;
    for (row, got) in got.chunks(d).enumerate() {
        let first = row / queries * keys;
        let naive = naive(
            &q[row * d..][..d],
            &k[first * d..][..keys * d],
            &v[first * d..][..keys * d],
            scale,
        );
        for (got, naive) in got.iter().zip(naive) {
            let got: f64 = (*got).into();
            worst = worst.max((got - naive).abs());
        }
    }
    worst
}

/// Attention of one query.
fn naive<F: Copy + Into<f64>>(q: &[F], k: &[F], v: &[F], scale: f32) -> Vec<f64> {
    let d = q.len();
    let score = |key: &[F]| -> f64 {
        q.iter().zip(key).map(|(a, b)| (*a).into() * (*b).into()).sum::<f64>() * f64::from(scale)
    };
    let scores: Vec<f64> = k.chunks(d).map(score).collect();
    let largest = scores.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
    let all: f64 = weights.iter().sum();
    let column =
        |i: usize| -> f64 { weights.iter().zip(v.chunks(d)).map(|(w, v)| w * v[i].into()).sum() };
    (0..d).map(|i| column(i) / all).collect()
}

type Run = fn(&Gpu, Shape) -> f64;

macro_rules! case {
    ($module:ident, $F:ty, $D:ty) => {
        run::<$F, $D, $module::Queries, $module::Keys, $module::Values, $module::Weights> as Run
    };
}

/// V is at most 1. In f32 the sums of 200 products and `exp` lose some 1e-6; in f16 the weights and
/// the result are rounded by 2^-11 each.
const BOUNDS: [f64; 2] = [1e-5, 1.5e-3];

fn main() {
    let Some(gpu) = Gpu::find() else { return };
    let shapes = [[1, 32, 32], [2, 50, 70], [3, 33, 129], [1, 7, 5]];
    let cases = [
        ("f32, head of 32", BOUNDS[0], case!(f32_32, f32, U32)),
        ("f32, head of 64", BOUNDS[0], case!(f32_64, f32, U64)),
        ("f16, head of 32", BOUNDS[1], case!(f16_32, f16, U32)),
        ("f16, head of 64", BOUNDS[1], case!(f16_64, f16, U64)),
    ];
    let has_halves = gpu.has::<f16>("f16");
    let mut progress = Progress::new("attention", shapes.len() * cases.len());
    for (name, bound, run) in cases {
        if name.starts_with("f16") && !has_halves {
            continue;
        }
        let mut worst = 0f64;
        for shape in shapes {
            let difference = run(&gpu, shape);
            assert!(
                difference <= bound,
                "attention {name}, heads, queries, keys = {shape:?}: {difference:e} from the naive result"
            );
            worst = worst.max(difference);
            progress.step();
        }
        println!(
            "attention {name}: {} shapes, within {worst:.1e} (bound {bound:.1e})",
            shapes.len()
        );
    }
    if let Some(table) = table(gpu.name()) {
        print!("{table}");
    }
}

/// What the analyzer says of the accesses.
fn table(device: &str) -> Option<Table> {
    let mut table = Table::of_device(device, "gfx942")?;
    macro_rules! lines {
        ($title:literal, $module:ident, $bits:literal, $D:ty) => {
            let mut line = |name: &str, plan: &Plan, touches: &[Touch<'_>]| {
                table.layout(&format!("{} {name}", $title), plan, $bits, touches);
            };
            line(
                "Q, padded",
                &$module::Queries::PLAN,
                &[Touch::write::<Fetch<U32, $D>>("store", 4), Touch::read::<ReadQ<$D>>("read", 4)],
            );
            line(
                "K, FmhaK",
                &$module::Keys::PLAN,
                &[Touch::write::<Fetch<U32, $D>>("store", 4), Touch::read::<ReadK<$D>>("read", 4)],
            );
            line(
                "V, FmhaV",
                &$module::Values::PLAN,
                &[Touch::write::<FetchV<$D>>("store", 4), Touch::read::<ReadV<$D>>("read", 4)],
            );
            line(
                "P, padded",
                &$module::Weights::PLAN,
                &[Touch::write::<HeldP>("store", 4), Touch::read::<ReadP>("read", 4)],
            );
        };
    }
    lines!("f32", f32_64, 32, U64);
    lines!("f16", f16_64, 16, U64);
    Some(table)
}
