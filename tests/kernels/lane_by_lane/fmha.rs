//! Attention forward of halves: O = softmax(Q K^T / 8) V, of 64 deep heads and any number of
//! queries and keys. A block of four waves has 128 queries, and takes 64 keys at a time.
//!
//! ```text
//!   Q                 Window               in registers all along
//!   K   LDS by rows   Window .. Accesses   read along the head
//!   V   LDS turned    Window, exchange ..  read along the keys
//!   S = K Q^T         a lane has a query: its maximum and sum go over its own registers and one
//!                     other lane's
//!   P                 S in the registers where the next instruction wants it: exchange moves nothing
//! ```
//!
//! Swapped operands: S and O lie transposed, so that what belongs to a query is in one lane.

use super::backend::{
    Registers, View, convert, from_lane, lanes, load, multiply, permute, read, store, write,
};
use half::f16;
use tiledesc::access::AccessError;
use tiledesc::prelude::*;
use tiledesc::{
    distribution::{
        Exchange, Reduced, Shuffled, ThreadRaked, Transposed as Turned, Within, exchange,
    },
    matrix::mfma,
};

distribution! {
    type WavesQ: m [wave 4], k [deep 4]; wave (wave), thread (deep);
    type WavesK: n [across 2], k [deep 4]; repeat [all 4], wave (all), thread (across, deep);
    type WavesP: m [wave 4], k [deep 8]; wave (wave), thread (deep);
    type WavesV: n [across 2], k [deep 8]; repeat [all 4], wave (all), thread (across, deep);
}
/// 16 bytes along the head, for two instructions of 32x32x8.
type Along = mfma::Operand<U32, U16>;
type Query = Within<WavesQ, Along>;
type Key = Within<WavesK, Along>;
type Weights = Within<WavesP, mfma::F16_32x32x8::A>;
type Value = Within<WavesV, mfma::F16_32x32x8::B>;
product! {
    /// 4 neighbouring keys of a query in a lane.
    type Scores = Query x Key by v_mfma_f32_32x32x8_f16 swapped on gfx942;
    /// 4 neighbouring channels.
    type Output = Weights x Value by v_mfma_f32_32x32x8_f16 swapped on gfx942;
}

/// How 64 keys are fetched, and how V lies in registers then: 4 keys of a channel together.
type Fetch = ThreadRaked<U64, U64, U8, U4>;
type FetchV = ThreadRaked<U64, U64, U4, U4>;
const TURN: Exchange<Turned<FetchV>, Shuffled<FetchV>> = exchange().in_registers();
const KEEP: Exchange<Scores, Weights> = exchange().in_registers();

layout! {
    type KTile = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;
    /// Channels by keys. `GemmXorLayer` of 4 layers is 4-way in the read, CK Tile's `FmhaV` 2-way
    /// in the write; the error of each named this one.
    type VTile =
        recipe::GemmXorBits<F16, M<64>, K<64>, KPack<4>, MLdsLayer<1>, seq![4, 8, 1, 2, 4, 8]>;
}
assert_conflict_free! {
    KTile on gfx942: write ds_write_b128 by Fetch, read ds_read_b128 by Key;
    VTile on gfx942: write ds_write_b64 by Shuffled<FetchV>, read ds_read_b64 by Value
}

/// Of `queries` and `keys`, row-major with 64 channels.
pub(crate) fn attention(
    [q, k, v]: [&[u16]; 3],
    [queries, keys]: [u32; 2],
) -> Result<Vec<u16>, AccessError> {
    let view = |rows| Naive::rows(rows, 64).whole();
    let of_q: Window<View, Query, VectorSize<8>> = Window::new(view(queries)?)?;
    let of_k: Window<View, Fetch, VectorSize<8>> = Window::new(view(keys)?)?;
    let of_v: Window<View, FetchV, VectorSize<4>> = Window::new(view(keys)?)?;
    let of_o: Window<View, Output, VectorSize<4>> = Window::new(view(queries)?)?;
    let mut o = vec![0; q.len()];
    for first in (0..queries).step_by(128) {
        let query = load(q, &of_q.at([first, 0]));
        let mut state = State::new();
        for key in (0..keys).step_by(64) {
            let (mut lds_k, mut lds_v) = ([0; KTile::SPACE as usize], [0; VTile::SPACE as usize]);
            write::<Fetch, KTile, VectorSize<8>>(&load(k, &of_k.at([key, 0])), &mut lds_k, 0);
            let turned = permute(&load(v, &of_v.at([key, 0])), TURN);
            write::<Shuffled<FetchV>, VTile, VectorSize<4>>(&turned, &mut lds_v, 0);
            // A barrier.
            let of_keys = read::<Key, KTile, VectorSize<8>>(&lds_k, 0);
            let of_values = read::<Value, VTile, VectorSize<4>>(&lds_v, 0);
            state.step(&query, &of_keys, &of_values, keys - key);
        }
        store(&state.result(), &mut o, &of_o.at([first, 0]));
    }
    Ok(o)
}

/// What a lane keeps of its query: channels of the result, the maximum, the sum of weights.
struct State {
    o: Registers<f32>,
    most: Registers<f32>,
    sum: Registers<f32>,
}

distribution! {
    /// One number for each query, in both lanes that have it.
    type Each: m [wave 4, query 32]; repeat [half 2], wave (wave), lane (half, query);
}

impl State {
    fn new() -> Self {
        Self {
            o: lanes::<Output, f32>(|_, _, _| ()),
            most: lanes::<Each, f32>(|_, _, of| of[0] = f32::NEG_INFINITY),
            sum: lanes::<Each, f32>(|_, _, _| ()),
        }
    }

    /// 64 more keys, of which some may be left.
    fn step(&mut self, q: &Registers<u16>, k: &Registers<u16>, v: &Registers<u16>, left: u32) {
        let mut scores = lanes::<Scores, f32>(|_, _, _| ());
        for (wave, scores) in scores.iter_mut().enumerate() {
            Scores::each(|of_q, of_k, of_scores| {
                multiply::<F16>(32, (&k[wave], of_k), (&q[wave], of_q), (scores, of_scores));
            });
        }
        let weights = lanes::<Scores, f32>(|wave, lane, weights| {
            for (element, weight) in weights.iter_mut().enumerate() {
                let [_, key] = Scores::coordinate(wave, lane, element);
                let score = scores[wave as usize][lane as usize][element] / 8.0;
                *weight = if key < left { score } else { f32::NEG_INFINITY };
            }
        });
        let weights = self.rescale(weights);
        let p = permute(&convert(&weights, |x: f32| f16::from_f32(x).to_bits()), KEEP);
        for (wave, o) in self.o.iter_mut().enumerate() {
            Output::each(|of_p, of_v, of_o| {
                multiply::<F16>(32, (&v[wave], of_v), (&p[wave], of_p), (o, of_o));
            });
        }
    }

    /// Scores to weights below the new maximum of each query, and all that was summed up before.
    fn rescale(&mut self, mut scores: Registers<f32>) -> Registers<f32> {
        let over_lanes = |of: Vec<f32>, f: fn(f32, f32) -> f32| {
            Reduced::<Scores, 1>::BUTTERFLY.lanes().iter().fold(of, |of, mask| {
                of.iter().zip(from_lane(&of, *mask)).map(|(own, other)| f(*own, other)).collect()
            })
        };
        for (wave, scores) in scores.iter_mut().enumerate() {
            let own = scores.iter().map(|lane| lane.iter().copied().fold(f32::MIN, f32::max));
            let most = over_lanes(own.collect(), f32::max);
            for (lane, most) in most.iter().enumerate() {
                let before = core::mem::replace(&mut self.most[wave][lane][0], *most);
                let most = before.max(*most);
                self.most[wave][lane][0] = most;
                scores[lane].iter_mut().for_each(|score| *score = (*score - most).exp());
                let shrink = (before - most).exp();
                self.o[wave][lane].iter_mut().for_each(|o| *o *= shrink);
                self.sum[wave][lane][0] *= shrink;
            }
            let own = scores.iter().map(|lane| lane.iter().sum());
            for (lane, sum) in over_lanes(own.collect(), |a, b| a + b).into_iter().enumerate() {
                self.sum[wave][lane][0] += sum;
            }
        }
        scores
    }

    fn result(&self) -> Registers<u16> {
        lanes::<Output, u16>(|wave, lane, result| {
            let sum = self.sum[wave as usize][lane as usize][0];
            let o = &self.o[wave as usize][lane as usize];
            result.iter_mut().zip(o).for_each(|(to, o)| *to = f16::from_f32(o / sum).to_bits());
        })
    }
}
