//! Attention forward, softmax(Q * K^T * scale) * V, with the K and V recipes of CK Tile's FMHA.
//!
//! A block has 32 queries and walks the keys by 32. Scores are a product of Q and K, what is added
//! to the result one of P and V: both the GEMM's, on tiles of other layouts. V is transposed on its
//! way, so that keys are neighbours.
// CubeCL's macro writes a module for each kernel, and no documentation for it.
#![allow(missing_docs)]

use crate::gemm::{Block, Held, ReadA, ReadB, Tile, Tile2, fetch, multiply, space, store, total};
use cubecl::prelude::*;
use cubecl::std::tensor::layout::Layout as _;
use cubecl::std::tensor::layout::LayoutExpand;
use tiledesc::prelude::*;
use tiledesc_cubecl::{Rows, Spread, Window};

distribution! {
    /// V as keys of a column: 4 of each, so that they are one vector when they are stored.
    pub type FetchV<D>:
        d [again (D / 32), column 32], key [wave 4, half 2, v 4];
        wave (wave), lane (half, column), thread (again, v);
}

/// Queries and keys of a block.
pub const QUERIES: usize = 32;

/// The scores' block, for a head of `D`.
pub type Scores<D> = Tile<U32, U32, D>;
/// The result's.
pub type Outputs<D> = Tile<U32, D, U32>;
/// What a unit reads of K, and of V.
pub type ReadK<D> = ReadB<U32, D>;
/// Of V, as (column, key).
pub type ReadV<D> = ReadB<D, U32>;
/// Of Q.
pub type ReadQ<D> = ReadA<U32, D>;
/// Of the probabilities.
pub type ReadP = ReadA<U32, U32>;
/// The probabilities that it holds.
pub type HeldP = Held<U32, U32>;

/// Elements of shared memory of the four tiles.
#[must_use]
pub const fn shared_elements<Q: Tile2, K: Tile2, V: Tile2, P: Tile2>() -> usize {
    space::<Q>() + space::<K>() + space::<V>() + space::<P>()
}

/// V of a tile of keys: vectors of keys, of which those past the end are zeros.
#[cube]
fn fetch_v<F: Float, S: Size, T: Spread<(u32, u32)>>(
    from: &Tensor<F>,
    rows: &Rows,
    first: u32,
    wave: u32,
    lane: u32,
) -> Array<Vector<F, S>> {
    let s = S::value();
    let mut held = Array::<Vector<F, S>>::new(comptime!(T::ELEMENTS / s));
    #[unroll]
    for i in 0..comptime!(T::ELEMENTS / s) {
        let mut vector = Vector::<F, S>::zeroed();
        #[unroll]
        for j in 0..s {
            let (d, key) = T::coordinate_of(wave, lane, comptime!(i * s + j));
            let (at, valid) = rows.to_source_pos_checked((first + key, d));
            if valid {
                vector.insert(j, from[at]);
            }
        }
        held[i] = vector;
    }
    held
}

/// Attention of the head `CUBE_POS_Y`: queries, keys and columns of all heads one after another.
#[cube(launch)]
pub fn attention<
    F: Float,
    S: Size,
    D: Number + Send + Sync + 'static,
    Q: Tile2,
    K: Tile2,
    V: Tile2,
    P: Tile2,
>(
    q: &Tensor<Vector<F, S>>,
    k: &Tensor<Vector<F, S>>,
    v: &Tensor<F>,
    output: &mut Tensor<Vector<F, S>>,
    queries: Rows,
    keys: Rows,
    scale: f32,
) {
    let s = S::value();
    let (wave, lane) = (UNIT_POS / 64, UNIT_POS % 64);
    let head = CUBE_POS_Y;
    // Rows of other heads come before: a window begins that much further down.
    let (rows_before, keys_before) = (head * queries.rows, head * keys.rows);
    let row = CUBE_POS_X * comptime!(QUERIES as u32);
    let all_queries =
        Rows { rows: rows_before + queries.rows, columns: queries.columns, pitch: queries.pitch };
    let all_keys = Rows { rows: keys_before + keys.rows, columns: keys.columns, pitch: keys.pitch };

    let elements = comptime!(shared_elements::<Q, K, V, P>() / s);
    let mut lds = Shared::<[Vector<F, S>]>::new_slice(elements);
    let at_k = comptime!((space::<Q>() / s) as u32);
    let at_v = comptime!(((space::<Q>() + space::<K>()) / s) as u32);
    let at_p = comptime!(((space::<Q>() + space::<K>() + space::<V>()) / s) as u32);
    let mut parts = Shared::<[f32]>::new_slice(256usize);
    let mine = UNIT_POS / 8 * 8;

    let window = Window::<Rows>::new(all_queries, rows_before + row, 0u32);
    let held = fetch::<F, S, <Scores<D> as Block>::FetchA>(q, &window, wave, lane);
    store::<F, S, <Scores<D> as Block>::FetchA, Q>(&mut lds, 0u32, &held, wave, lane);

    let mut result = Array::<Vector<f32, S>>::new(comptime!(<Outputs<D> as Block>::Held::ELEMENTS));
    let mut largest = comptime!(-1.0e30f32).runtime();
    let mut sum = comptime!(0.0f32).runtime();
    let tiles = keys.rows.div_ceil(comptime!(QUERIES as u32).runtime());
    for tile in 0..tiles {
        let first = tile * comptime!(QUERIES as u32);
        let window = Window::<Rows>::new(all_keys, keys_before + first, 0u32);
        let next_k = fetch::<F, S, <Scores<D> as Block>::FetchB>(k, &window, wave, lane);
        let next_v = fetch_v::<F, S, FetchV<D>>(v, &all_keys, keys_before + first, wave, lane);
        sync_cube();
        store::<F, S, <Scores<D> as Block>::FetchB, K>(&mut lds, at_k, &next_k, wave, lane);
        store::<F, S, FetchV<D>, V>(&mut lds, at_v, &next_v, wave, lane);
        sync_cube();

        let mut products = Array::<Vector<f32, S>>::new(comptime!(HeldP::ELEMENTS));
        multiply::<F, S, Scores<D>, Q, K>(&lds, 0u32, at_k, &mut products, wave, lane);
        let mut scores = Array::<f32>::new(comptime!(HeldP::ELEMENTS));
        let mut most = comptime!(-1.0e30f32).runtime();
        #[unroll]
        for i in 0..comptime!(HeldP::ELEMENTS) {
            let (_row, key) = <HeldP as Spread<(u32, u32)>>::coordinate_of(wave, lane, i);
            let score = total::<S>(products[i]) * scale;
            scores[i] = select(first + key < keys.rows, score, comptime!(-1.0e30f32).runtime());
            most = max(most, scores[i]);
        }
        // The largest of a row: 8 units have 4 keys each.
        parts[UNIT_POS as usize] = most;
        sync_cube();
        let mut new = largest;
        #[unroll]
        for i in 0..8u32 {
            new = max(new, parts[(mine + i) as usize]);
        }
        let shrink = f32::exp(largest - new);
        largest = new;
        sum *= shrink;
        let mut held = Array::<Vector<F, S>>::new(comptime!(HeldP::ELEMENTS / s));
        #[unroll]
        for i in 0..comptime!(HeldP::ELEMENTS / s) {
            let mut vector = Vector::<F, S>::zeroed();
            #[unroll]
            for j in 0..s {
                let weight = f32::exp(scores[comptime!(i * s + j)] - new);
                sum += weight;
                vector.insert(j, F::cast_from(weight));
            }
            held[i] = vector;
        }
        store::<F, S, HeldP, P>(&mut lds, at_p, &held, wave, lane);
        #[unroll]
        for i in 0..comptime!(<Outputs<D> as Block>::Held::ELEMENTS) {
            result[i] *= Vector::<f32, S>::new(shrink);
        }
        sync_cube();
        multiply::<F, S, Outputs<D>, P, V>(&lds, at_p, at_v, &mut result, wave, lane);
    }
    sync_cube();
    parts[UNIT_POS as usize] = sum;
    sync_cube();
    let mut all = comptime!(0.0f32).runtime();
    #[unroll]
    for i in 0..8u32 {
        all += parts[(mine + i) as usize];
    }
    let window = Window::<Rows>::new(all_queries, rows_before + row, 0u32);
    #[unroll]
    for i in 0..comptime!(<Outputs<D> as Block>::Held::ELEMENTS / s) {
        let (at, valid) =
            window.vector::<<Outputs<D> as Block>::Held, S>(wave, lane, comptime!(i * s));
        if valid {
            let mut vector = Vector::<F, S>::zeroed();
            #[unroll]
            for j in 0..s {
                vector.insert(j, F::cast_from(total::<S>(result[comptime!(i * s + j)]) / all));
            }
            output[at] = vector;
        }
    }
}
