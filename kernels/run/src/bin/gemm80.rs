//! The GEMM of the book's page "A GEMM in CubeCL in 80 lines": f32, C = A * B^T, one buffer.

// The page shows what follows, up to the next line of dashes; `tests/surface/book.rs` compares. ------------
use cubecl::prelude::*;
use tiledesc::prelude::*;
use tiledesc_cubecl::{Rows, Spread, Tiled, TiledBy, Window};

distribution! {
    /// A block of 256 units fetches 64 rows of 16, a vector of 4 each.
    type Fetch: m [wave 4, row 16], k [chunk 4, v 4]; wave (wave), lane (row, chunk), thread (v);
    /// A unit computes 4 by 4 of C's 64 by 64,
    type Held: m [row 16, im 4], n [wave 4, column 4, jn 4];
        wave (wave), lane (row, column), thread (im, jn);
    /// for which it reads 4 rows of A,
    type ReadA: m [row 16, im 4], k [step 4, v 4];
        repeat [waves 4, copy 4], wave (waves), lane (row, copy), thread (im, step, v);
    /// and 4 of B.
    type ReadB: n [wave 4, column 4, jn 4], k [step 4, v 4];
        repeat [copy 16], wave (wave), lane (copy, column), thread (jn, step, v);
}

synthesize! {
    /// Found by the compiler: neither the stores nor the reads have a bank conflict on MI300.
    type A = F32 [64, 16] on gfx942: write ds_write_b128 by Fetch, read ds_read_b128 by ReadA;
    type B = F32 [64, 16] on gfx942: write ds_write_b128 by Fetch, read ds_read_b128 by ReadB;
}

type At = (u32, u32);
type Four = Vector<f32, Const<4>>;

/// Four neighbours of a row, zeros where the matrix ends.
#[cube]
fn load(from: &Tensor<Four>, rows: Rows, row: u32, column: u32, wave: u32, lane: u32) -> Four {
    let window = Window::<Rows>::new(rows, row, column);
    let (at, valid) = window.vector::<Fetch, Const<4>>(wave, lane, 0usize);
    if valid { from[at] } else { Four::zeroed() }
}

#[cube(launch)]
fn gemm(
    a: &Tensor<Four>,
    b: &Tensor<Four>,
    c: &mut Tensor<f32>,
    rows: Rows,
    columns: Rows,
    out: Rows,
) {
    let (wave, lane) = (UNIT_POS / 64, UNIT_POS % 64);
    let (m0, n0) = (CUBE_POS_Y * 64, CUBE_POS_X * 64);
    let mut lds_a = Shared::<[Four]>::new_slice(comptime!(<A as Tiled<At>>::SPACE / 4));
    let mut lds_b = Shared::<[Four]>::new_slice(comptime!(<B as Tiled<At>>::SPACE / 4));
    let mut sums = Array::<Four>::new(16usize);
    for step in 0..rows.columns.div_ceil(16u32) {
        let stored = <Fetch as Spread<At>>::coordinate_of(wave, lane, 0usize);
        let to_a = <A as TiledBy<At, 4>>::whole_vector_at(stored);
        let to_b = <B as TiledBy<At, 4>>::whole_vector_at(stored);
        lds_a[to_a as usize] = load(a, rows, m0, step * 16, wave, lane);
        lds_b[to_b as usize] = load(b, columns, n0, step * 16, wave, lane);
        sync_cube();
        for k in 0..4u32 {
            #[unroll]
            for i in 0..4usize {
                let (m, _) = <ReadA as Spread<At>>::coordinate_of(wave, lane, comptime!(16 * i));
                let from_a = lds_a[<A as TiledBy<At, 4>>::whole_vector_at((m, 4 * k)) as usize];
                #[unroll]
                for j in 0..4usize {
                    let (n, _) =
                        <ReadB as Spread<At>>::coordinate_of(wave, lane, comptime!(16 * j));
                    let from_b = <B as TiledBy<At, 4>>::whole_vector_at((n, 4 * k));
                    sums[comptime!(4 * i + j)] += from_a * lds_b[from_b as usize];
                }
            }
        }
        sync_cube();
    }
    let window = Window::<Rows>::new(out, m0, n0);
    #[unroll]
    for i in 0..16usize {
        let (at, valid) = window.vector::<Held, Const<1>>(wave, lane, i);
        let sum = sums[i];
        if valid {
            c[at] = sum.extract(0usize)
                + sum.extract(1usize)
                + sum.extract(2usize)
                + sum.extract(3usize);
        }
    }
}
// --------------------------------------------------------------------------------------------------

// And what follows, which launches it. ------------------------------------------------------------
use cubecl::std::tensor::TensorHandle;

/// C of a device: M, N, K, and the elements of A and B.
fn product(client: &Client, [m, n, k]: [u32; 3], a: &[f32], b: &[f32]) -> Vec<f32> {
    let packed = |rows, columns| Rows { rows, columns, pitch: columns };
    let [of_a, of_b, of_c] = [packed(m, k), packed(n, k), packed(m, n)];
    assert!(of_a.whole_vectors() >= 4, "K = {k} is not a multiple of 4");
    let tensor = |rows: Rows, data: &[f32]| {
        let shape = [rows.rows, rows.columns].map(|length| length as usize);
        let handle = client.create_from_slice(f32::as_bytes(data));
        TensorHandle::new_contiguous(shape.to_vec(), handle, f32::cube_type())
    };
    let c = tensor(of_c, &vec![f32::NAN; (m * n) as usize]);
    gemm::launch(
        client,
        CubeCount::Static(n.div_ceil(64), m.div_ceil(64), 1),
        CubeDim::new_1d(Fetch::WAVES * Fetch::LANES_PER_WAVE),
        tensor(of_a, a).into_arg(),
        tensor(of_b, b).into_arg(),
        c.clone().into_arg(),
        of_a.into(),
        of_b.into(),
        of_c.into(),
    );
    f32::from_bytes(&client.read_one_unchecked(c.handle)).to_vec()
}
// --------------------------------------------------------------------------------------------------

use run::{Gpu, Table};
use tiledesc_cubecl::Touch;

fn main() {
    let Some(gpu) = Gpu::find() else { return };
    let shapes = [[64, 64, 16], [70, 50, 36], [33, 65, 20], [1, 3, 132]];
    for shape in shapes {
        let [m, n, k] = shape.map(|length| length as usize);
        let value = |i: usize, by: usize| (i * by % 5) as f32 - 2.0;
        let fill = |count: usize, by| (0..count).map(|i| value(i, by)).collect::<Vec<f32>>();
        let got = product(gpu.client(), shape, &fill(m * k, 7), &fill(n * k, 3));
        for (i, got) in got.into_iter().enumerate() {
            let (row, column) = (i / n, i % n);
            let naive: f32 =
                (0..k).map(|at| value(row * k + at, 7) * value(column * k + at, 3)).sum();
            assert_eq!(got, naive, "M, N, K = {shape:?}: C[{row}][{column}]");
        }
    }
    println!("gemm80: {} shapes, exact", shapes.len());
    if let Some(mut table) = Table::of_device(gpu.name(), "gfx942") {
        let store = Touch::write::<Fetch>("store", 4);
        table.layout("A", &A::PLAN, 32, &[store, Touch::read::<ReadA>("read", 4)]);
        table.layout("B", &B::PLAN, 32, &[store, Touch::read::<ReadB>("read", 4)]);
        print!("{table}");
    }
}
