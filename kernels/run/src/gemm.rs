//! C = A * B^T in CubeCL: any M, N and K, a block of 256 units for each tile of C, two buffers of A
//! and B in shared memory, and C through it, so that rows of C are stored as rows.
// CubeCL's macro writes a module for each kernel, and no documentation for it.
#![allow(missing_docs)]

use core::marker::PhantomData;
use cubecl::prelude::*;
use tiledesc::prelude::*;
use tiledesc_cubecl::{Rows, Spread, Tiled, Window};

distribution! {
    /// How a block moves a tile: 16 bytes of 32 bits a unit, neighbours along k.
    pub type Fetch<M, K>:
        m [again (M * K / 1024), wave 4, row (256 / K)], k [chunk (K / 4), v 4];
        wave (wave), lane (row, chunk), thread (again, v);
    /// What a unit computes of C: 4 columns of every 32nd row and column.
    pub type Held<M, N>:
        m [wave 4, row 8, im (M / 32)], n [again (N / 32), column 8, jn 4];
        wave (wave), lane (row, column), thread (im, again, jn);
    /// What it reads of A for that: its rows, whole.
    pub type ReadA<M, K>:
        m [wave 4, row 8, im (M / 32)], k [step (K / 4), v 4];
        repeat [copy 8], wave (wave), lane (row, copy), thread (im, step, v);
    /// And of B: its columns.
    pub type ReadB<N, K>:
        n [again (N / 32), column 8, jn 4], k [step (K / 4), v 4];
        repeat [waves 4, copy 8], wave (waves), lane (copy, column), thread (again, jn, step, v);
}

/// A tile of C and the step along K, with who moves, reads and holds what.
pub trait Block: 'static + Send + Sync {
    /// Rows and columns of C, and the step.
    const TILE: [u32; 3];
    /// How A is fetched.
    type FetchA: Spread<(u32, u32)>;
    /// How B is.
    type FetchB: Spread<(u32, u32)>;
    /// What a unit reads of A.
    type ReadA: Spread<(u32, u32)>;
    /// And of B.
    type ReadB: Spread<(u32, u32)>;
    /// What it holds of C.
    type Held: Spread<(u32, u32)>;
    /// How C is stored.
    type Store: Spread<(u32, u32)>;
}

/// A block of `M` by `N` of C, `K` at a time.
#[derive(Debug)]
pub struct Tile<M, N, K>(PhantomData<(M, N, K)>);

impl<M, N, K> Block for Tile<M, N, K>
where
    M: Number + Send + Sync + 'static,
    N: Number + Send + Sync + 'static,
    K: Number + Send + Sync + 'static,
{
    const TILE: [u32; 3] = [M::N, N::N, K::N];
    type FetchA = Fetch<M, K>;
    type FetchB = Fetch<N, K>;
    type ReadA = ReadA<M, K>;
    type ReadB = ReadB<N, K>;
    type Held = Held<M, N>;
    type Store = Fetch<M, N>;
}

/// A layout of a tile, rows and columns.
pub trait Tile2: Tiled<(u32, u32)> {}
impl<L: Tiled<(u32, u32)>> Tile2 for L {}

/// Elements of a tile in shared memory, rounded up to whole vectors of 4.
#[must_use]
pub const fn space<L: Tile2>() -> usize {
    L::SPACE.next_multiple_of(4)
}

/// Elements of shared memory: two buffers of A and B, and later C in their place.
#[must_use]
pub const fn shared_elements<A: Tile2, B: Tile2, C: Tile2>() -> usize {
    let buffers = 2 * (space::<A>() + space::<B>());
    if buffers > C::SPACE { buffers } else { C::SPACE }
}

/// What a unit holds of a tile in global memory; zeros where that ends.
#[cube]
pub(crate) fn fetch<F: Float, V: Size, T: Spread<(u32, u32)>>(
    from: &Tensor<Vector<F, V>>,
    window: &Window<Rows>,
    wave: u32,
    lane: u32,
) -> Array<Vector<F, V>> {
    let v = V::value();
    let mut held = Array::<Vector<F, V>>::new(comptime!(T::ELEMENTS / v));
    #[unroll]
    for i in 0..comptime!(T::ELEMENTS / v) {
        let (at, valid) = window.vector::<T, V>(wave, lane, comptime!(i * v));
        if valid {
            held[i] = from[at];
        }
    }
    held
}

/// Into shared memory, in the layout `L`, `base` vectors from its beginning.
#[cube]
pub(crate) fn store<F: Float, V: Size, T: Spread<(u32, u32)>, L: Tile2>(
    lds: &mut Shared<[Vector<F, V>]>,
    base: u32,
    held: &Array<Vector<F, V>>,
    wave: u32,
    lane: u32,
) {
    let v = V::value();
    #[unroll]
    for i in 0..comptime!(T::ELEMENTS / v) {
        let at = L::vector_at::<V>(T::coordinate_of(wave, lane, comptime!(i * v)));
        lds[(base + at) as usize] = held[i];
    }
}

/// C = A * B^T, of which A is M x K and B is N x K.
#[cube(launch)]
pub fn gemm<F: Float, V: Size, T: Block, A: Tile2, B: Tile2, C: Tile2>(
    a: &Tensor<Vector<F, V>>,
    b: &Tensor<Vector<F, V>>,
    c: &mut Tensor<Vector<F, V>>,
    rows_a: Rows,
    rows_b: Rows,
    rows_c: Rows,
) {
    let v = V::value();
    let [tile_m, tile_n, tile_k] = comptime!(T::TILE);
    let (wave, lane) = (UNIT_POS / 64, UNIT_POS % 64);
    let (m, n) = (CUBE_POS_Y * tile_m, CUBE_POS_X * tile_n);
    let vectors = comptime!(shared_elements::<A, B, C>() / v);
    let mut lds = Shared::<[Vector<F, V>]>::new_slice(vectors);
    let size_a = comptime!((space::<A>() / v) as u32);
    let size_b = comptime!((space::<B>() / v) as u32);
    let buffer = comptime!(size_a + size_b);

    let mut sums = Array::<Vector<f32, V>>::new(comptime!(T::Held::ELEMENTS));
    let first_a = fetch::<F, V, T::FetchA>(a, &Window::<Rows>::new(rows_a, m, 0u32), wave, lane);
    let first_b = fetch::<F, V, T::FetchB>(b, &Window::<Rows>::new(rows_b, n, 0u32), wave, lane);
    store::<F, V, T::FetchA, A>(&mut lds, 0u32, &first_a, wave, lane);
    store::<F, V, T::FetchB, B>(&mut lds, size_a, &first_b, wave, lane);
    sync_cube();
    let steps = rows_a.columns.div_ceil(tile_k);
    for step in 0..steps {
        // The next tile is on its way while this one is used. After the last, all of it is zeros.
        let next = (step + 1) * tile_k;
        let next_a = fetch::<F, V, T::FetchA>(a, &Window::<Rows>::new(rows_a, m, next), wave, lane);
        let next_b = fetch::<F, V, T::FetchB>(b, &Window::<Rows>::new(rows_b, n, next), wave, lane);
        let here = (step % 2) * buffer;
        multiply::<F, V, T, A, B>(&lds, here, here + size_a, &mut sums, wave, lane);
        let there = ((step + 1) % 2) * buffer;
        store::<F, V, T::FetchA, A>(&mut lds, there, &next_a, wave, lane);
        store::<F, V, T::FetchB, B>(&mut lds, there + size_a, &next_b, wave, lane);
        sync_cube();
    }
    let mut held = Array::<Vector<F, V>>::new(comptime!(T::Held::ELEMENTS / v));
    #[unroll]
    for i in 0..comptime!(T::Held::ELEMENTS / v) {
        let mut vector = Vector::<F, V>::zeroed();
        #[unroll]
        for j in 0..v {
            vector.insert(j, F::cast_from(total::<V>(sums[comptime!(i * v + j)])));
        }
        held[i] = vector;
    }
    store::<F, V, T::Held, C>(&mut lds, 0u32, &held, wave, lane);
    sync_cube();
    let window = Window::<Rows>::new(rows_c, m, n);
    #[unroll]
    for i in 0..comptime!(T::Store::ELEMENTS / v) {
        let (at, valid) = window.vector::<T::Store, V>(wave, lane, comptime!(i * v));
        if valid {
            let from = C::vector_at::<V>(T::Store::coordinate_of(wave, lane, comptime!(i * v)));
            c[at] = lds[from as usize];
        }
    }
}

/// Adds the products of a tile, vector by vector along K.
#[cube]
pub(crate) fn multiply<F: Float, V: Size, T: Block, A: Tile2, B: Tile2>(
    lds: &Shared<[Vector<F, V>]>,
    base_a: u32,
    base_b: u32,
    sums: &mut Array<Vector<f32, V>>,
    wave: u32,
    lane: u32,
) {
    let v = V::value();
    let k = comptime!(T::TILE[2] as usize);
    let (rows, columns) = comptime!((T::ReadA::ELEMENTS / k, T::ReadB::ELEMENTS / k));
    for e in 0..comptime!((k / v) as u32) {
        let along = e * comptime!(v as u32);
        let mut a = Array::<Vector<f32, V>>::new(rows);
        #[unroll]
        for i in 0..rows {
            let (m, _) = T::ReadA::coordinate_of(wave, lane, comptime!(i * k));
            a[i] = Vector::cast_from(lds[(base_a + A::vector_at::<V>((m, along))) as usize]);
        }
        #[unroll]
        for j in 0..columns {
            let (n, _) = T::ReadB::coordinate_of(wave, lane, comptime!(j * k));
            let at = base_b + B::vector_at::<V>((n, along));
            let b = Vector::<f32, V>::cast_from(lds[at as usize]);
            #[unroll]
            for i in 0..rows {
                sums[comptime!(i * columns + j)] += a[i] * b;
            }
        }
    }
}

/// The sum of a vector.
#[cube]
pub(crate) fn total<V: Size>(vector: Vector<f32, V>) -> f32 {
    let v = V::value();
    let mut sum = vector.extract(0usize);
    #[unroll]
    for i in 1..v {
        sum += vector.extract(i);
    }
    sum
}
