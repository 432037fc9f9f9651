//! A transposition through shared memory: rows in, columns out, 32 by 32 at a time.

use cubecl::prelude::*;
use run::{Gpu, Progress, Table};
use tiledesc::prelude::*;
use tiledesc_cubecl::{Rows, RowsLaunch, Spread, Tiled, Touch, Window};

distribution! {
    /// 256 units take 32 rows of 32, 4 rows apart by 8.
    type ByRows: m [again 4, wave 4, row 2], k [column 32]; wave (wave), lane (row, column), thread (again);
    /// The same of the transposed tile: a lane's columns are the tile's rows.
    type ByColumns: m [row 32], k [again 4, wave 4, column 2]; wave (wave), lane (column, row), thread (again);
}

layout! {
    type Plain = recipe::RowMajor<F32, M<32>, K<32>>;
    type Padded = recipe::RowPad<F32, M<32>, K<32>, Padding<1>>;
    type Xor = recipe::GemmXor<F32, M<32>, K<32>, KPack<1>>;
}

/// `output[k][m] = input[m][k]`, through a tile of the layout `A`.
#[cube(launch)]
fn transpose<F: Float, A: Tiled<(u32, u32)>>(
    input: &Tensor<F>,
    output: &mut Tensor<F>,
    from: Rows,
    to: Rows,
) {
    let (wave, lane) = (UNIT_POS / 64, UNIT_POS % 64);
    let (row, column) = (CUBE_POS_Y * 32, CUBE_POS_X * 32);
    let mut lds = Shared::<[F]>::new_slice(comptime!(A::SPACE));

    let source = Window::<Rows>::new(from, row, column);
    #[unroll]
    for i in 0..comptime!(ByRows::ELEMENTS) {
        let (at, valid) = source.vector::<ByRows, Const<1>>(wave, lane, i);
        if valid {
            let (m, k) = <ByRows as Spread<(u32, u32)>>::coordinate_of(wave, lane, i);
            lds[A::element_at((m, k)) as usize] = input[at];
        }
    }
    sync_cube();
    let target = Window::<Rows>::new(to, column, row);
    #[unroll]
    for i in 0..comptime!(ByRows::ELEMENTS) {
        let (at, valid) = target.vector::<ByRows, Const<1>>(wave, lane, i);
        if valid {
            let (k, m) = <ByRows as Spread<(u32, u32)>>::coordinate_of(wave, lane, i);
            output[at] = lds[A::element_at((m, k)) as usize];
        }
    }
}

fn run<A: Tiled<(u32, u32)>>(gpu: &Gpu, rows: usize, columns: usize) -> bool {
    let data: Vec<f32> = (0..rows * columns).map(|i| i as f32).collect();
    let input = gpu.tensor(&[rows, columns], &data);
    let output = gpu.tensor(&[columns, rows], &vec![-1f32; rows * columns]);
    let [m, k] = [rows as u32, columns as u32];
    transpose::launch::<f32, A>(
        gpu.client(),
        CubeCount::Static(k.div_ceil(32), m.div_ceil(32), 1),
        CubeDim::new_1d(256),
        input.into_arg(),
        output.clone().into_arg(),
        RowsLaunch::new(m, k, k),
        RowsLaunch::new(k, m, m),
    );
    let got: Vec<f32> = gpu.read(&output);
    let naive = (0..columns).flat_map(|k| (0..rows).map(move |m| (m * columns + k) as f32));
    got.into_iter().eq(naive)
}

/// Whether a matrix of the given rows and columns comes out transposed.
type Run = fn(&Gpu, usize, usize) -> bool;

fn main() {
    let Some(gpu) = Gpu::find() else { return };
    let shapes = [(32, 32), (33, 70), (100, 31), (150, 200), (1, 257)];
    let layouts: [(&str, Run); 3] =
        [("row-major", run::<Plain>), ("padded", run::<Padded>), ("xor", run::<Xor>)];
    let mut progress = Progress::new("transpose", shapes.len() * layouts.len());
    for (name, run) in layouts {
        for (rows, columns) in shapes {
            assert!(run(&gpu, rows, columns), "{name}, {rows} x {columns}: not the transpose");
            progress.step();
        }
        println!("transpose, {name}: {} shapes, exact", shapes.len());
    }
    let touches =
        [Touch::write::<ByRows>("write rows", 1), Touch::read::<ByColumns>("read columns", 1)];
    if let Some(mut table) = Table::of_device(gpu.name(), "gfx942") {
        table.layout("row-major", &Plain::PLAN, 32, &touches);
        table.layout("padded", &Padded::PLAN, 32, &touches);
        table.layout("xor", &Xor::PLAN, 32, &touches);
        print!("{table}");
    }
}
