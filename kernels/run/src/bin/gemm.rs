//! C = A * B^T in f32 and f16, in blocks of two sizes and four layouts of shared memory.

use cubecl::prelude::*;
use half::f16;
use run::gemm::{Block, Fetch, ReadA, ReadB, Tile, Tile2, gemm, shared_elements};
use run::{Gpu, Progress, Table};
use tiledesc::prelude::*;
use tiledesc_cubecl::{Rows, RowsLaunch, Touch};

type Small = Tile<U32, U32, U32>;
type Large = Tile<U64, U64, U16>;

/// The layouts of A, B and C of a block, in an element.
macro_rules! layouts {
    ($($module:ident: $E:ident [$M:literal, $N:literal, $K:literal], chunk $P:literal, read $read:ident write $write:ident;)*) => {$(
        mod $module {
            use super::*;
            layout! {
                pub(crate) type PlainA = recipe::RowMajor<$E, M<$M>, K<$K>>;
                pub(crate) type PlainB = recipe::RowMajor<$E, M<$N>, K<$K>>;
                pub(crate) type PaddedA = recipe::RowPad<$E, M<$M>, K<$K>, Padding<$P>>;
                pub(crate) type PaddedB = recipe::RowPad<$E, M<$N>, K<$K>, Padding<$P>>;
                pub(crate) type XorA = recipe::GemmXor<$E, M<$M>, K<$K>, KPack<$P>>;
                pub(crate) type XorB = recipe::GemmXor<$E, M<$N>, K<$K>, KPack<$P>>;
                pub(crate) type C = recipe::CShuffle<$E, M<$M>, N<$N>>;
            }
            type Write = Fetch<Lit<$M>, Lit<$K>>;
            type Rows = ReadA<Lit<$M>, Lit<$K>>;
            type Columns = ReadB<Lit<$N>, Lit<$K>>;
            synthesize! {
                pub(crate) type FoundA = $E [$M, $K] on gfx942:
                    write $write by Write,
                    read  $read  by Rows;
                pub(crate) type FoundB = $E [$N, $K] on gfx942:
                    write $write by Write,
                    read  $read  by Columns;
            }
        }
    )*};
}

layouts! {
    small_f32: F32 [32, 32, 32], chunk 4, read ds_read_b128 write ds_write_b128;
    large_f32: F32 [64, 64, 16], chunk 4, read ds_read_b128 write ds_write_b128;
    small_f16: F16 [32, 32, 32], chunk 4, read ds_read_b64 write ds_write_b64;
    large_f16: F16 [64, 64, 16], chunk 4, read ds_read_b64 write ds_write_b64;
}

/// A shape and how its elements are made.
type Run = fn(&Gpu, [usize; 3]) -> Result<(), String>;

/// Runs a shape and compares it with the naive product: exactly, for all sums are integers that
/// both elements hold.
fn run<F, T: Block, A: Tile2, B: Tile2, C: Tile2>(
    gpu: &Gpu,
    [m, n, k]: [usize; 3],
) -> Result<(), String>
where
    F: Float + CubeElement,
{
    let shared = shared_elements::<A, B, C>() * size_of::<F>();
    if shared > gpu.shared_memory() {
        return Err(format!(
            "{shared} bytes of shared memory, the device has {}",
            gpu.shared_memory()
        ));
    }
    let [wm, wn, wk] = [m, n, k].map(|length| length as u32);
    let packed = |rows, columns| Rows { rows, columns, pitch: columns };
    let rows = [packed(wm, wk), packed(wn, wk), packed(wm, wn)];
    let vector = rows.iter().map(Rows::whole_vectors).fold(4, u32::min) as usize;
    let [rows_a, rows_b, rows_c] = rows.map(RowsLaunch::from);
    let value = |i: usize, by: usize| (i * by % 5) as i64 - 2;
    let fill =
        |length: usize, by| (0..length).map(|i| F::from_int(value(i, by))).collect::<Vec<F>>();
    let a = gpu.tensor(&[m, k], &fill(m * k, 7));
    let b = gpu.tensor(&[n, k], &fill(n * k, 3));
    let c = gpu.tensor(&[m, n], &vec![F::from_int(-99); m * n]);
    gemm::launch::<F, T, A, B, C>(
        gpu.client(),
        CubeCount::Static(wn.div_ceil(T::TILE[1]), wm.div_ceil(T::TILE[0]), 1),
        CubeDim::new_1d(256),
        vector,
        a.into_arg(),
        b.into_arg(),
        c.clone().into_arg(),
        rows_a,
        rows_b,
        rows_c,
    );
    let got: Vec<F> = gpu.read(&c);
    for (i, got) in got.into_iter().enumerate() {
        let (row, column) = (i / n, i % n);
        let products = (0..k).map(|k0| value(row * k + k0, 7) * value(column * k + k0, 3));
        let naive = F::from_int(products.sum());
        if got != naive {
            return Err(format!("C[{row}][{column}] is {got:?}, not {naive:?}"));
        }
    }
    Ok(())
}

/// The four layouts of a block and an element.
macro_rules! four {
    ($module:ident $F:ty, $Block:ty) => {
        [
            ("row-major", run::<$F, $Block, $module::PlainA, $module::PlainB, $module::C> as Run),
            ("padded", run::<$F, $Block, $module::PaddedA, $module::PaddedB, $module::C>),
            ("xor", run::<$F, $Block, $module::XorA, $module::XorB, $module::C>),
            ("synthesized", run::<$F, $Block, $module::FoundA, $module::FoundB, $module::C>),
        ]
    };
}

fn main() {
    let Some(gpu) = Gpu::find() else { return };
    let shapes =
        [[32, 32, 32], [64, 64, 64], [70, 50, 36], [33, 65, 17], [1, 3, 130], [129, 66, 98]];
    let cases = [
        ("f32, 32x32x32", four!(small_f32 f32, Small)),
        ("f32, 64x64x16", four!(large_f32 f32, Large)),
        ("f16, 32x32x32", four!(small_f16 f16, Small)),
        ("f16, 64x64x16", four!(large_f16 f16, Large)),
    ];
    let has_halves = gpu.has::<f16>("f16");
    let mut progress = Progress::new("gemm", shapes.len() * cases.len() * 4);
    for (block, layouts) in cases {
        if block.starts_with("f16") && !has_halves {
            continue;
        }
        for (layout, run) in layouts {
            for shape in shapes {
                if let Err(wrong) = run(&gpu, shape) {
                    panic!("{block}, {layout}, M, N, K = {shape:?}: {wrong}");
                }
                progress.step();
            }
            println!("gemm {block}, {layout}: {} shapes, exact", shapes.len());
        }
    }
    if let Some(table) = table(gpu.name()) {
        print!("{table}");
    }
}

/// What the analyzer says of the stores and reads of A and B.
fn table(device: &str) -> Option<Table> {
    let mut table = Table::of_device(device, "gfx942")?;
    macro_rules! lines {
        ($title:literal, $module:ident, $bits:literal, $M:ty, $N:ty, $K:ty) => {
            let a = [
                Touch::write::<Fetch<$M, $K>>("store A", 4),
                Touch::read::<ReadA<$M, $K>>("read A", 4),
            ];
            let b = [
                Touch::write::<Fetch<$N, $K>>("store B", 4),
                Touch::read::<ReadB<$N, $K>>("read B", 4),
            ];
            for (name, layout_a, layout_b) in [
                ("row-major", &$module::PlainA::PLAN, &$module::PlainB::PLAN),
                ("padded", &$module::PaddedA::PLAN, &$module::PaddedB::PLAN),
                ("xor", &$module::XorA::PLAN, &$module::XorB::PLAN),
                ("synthesized", &$module::FoundA::PLAN, &$module::FoundB::PLAN),
            ] {
                table.layout(&format!("{} {name}", $title), layout_a, $bits, &a);
                table.layout(&format!("{} {name}", $title), layout_b, $bits, &b);
            }
        };
    }
    lines!("f32 32x32x32", small_f32, 32, U32, U32, U32);
    lines!("f16 64x64x16", large_f16, 16, U64, U64, U16);
    Some(table)
}
