//! CK Tile's parameters: KPack and MLdsLayer of a layout, however it was composed.
//!
//! CK describes an operand tile by its recipe: M rows of K, packs of KPack, MLdsLayer
//! rows in a line, and the swizzle follows. A layout from elsewhere has no such names;
//! its columns do:
//!
//! ```text
//!   columns of k:  1 2 4 | 8 16 32          KPack 8: from 8 on, chunks are xor-ed
//!   columns of m:  72 144 288 | 512 ..      64 + 8: a row a line, MLdsLayer 1
//! ```
//!
//! | | CK Tile | here |
//! |---|---|---|
//! | counts | elements | elements |
//! | KPack = K, MLdsLayer = 1 | - | row-major: there is nothing to xor |
//!
//! Source: ROCm/composable_kernel, gemm_universal_pipeline_ag_bg_cr_policy.hpp.

use tiledesc::distribution::{DistributionError, Encoding, Owner};
use tiledesc::recipe;
use tiledesc::{Error, List, Node, Op, Plan};

/// The parameters of [`GemmXorLayer`](type@tiledesc::recipe::GemmXorLayer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// KPack, in elements.
    pub pack: u32,
    /// MLdsLayer, in rows.
    pub layers: u32,
}

impl Parameters {
    /// The layout of these parameters, of `rows` x `columns` elements.
    ///
    /// ```
    /// use tiledesc_host::exchange::ck::Parameters;
    ///
    /// let plan = Parameters { pack: 8, layers: 1 }.plan(128, 64).unwrap();
    /// assert_eq!(plan.offset(&[3, 17]), Ok(201));
    /// ```
    ///
    /// # Errors
    ///
    /// Parameters that do not divide the tile.
    pub fn plan(&self, rows: u32, columns: u32) -> Result<Plan, Error> {
        recipe::gemm_xor(rows, columns, self.pack, self.layers)
    }
}

/// The parameters of the universal GEMM's layout that has these offsets; of several the
/// largest KPack, then the fewest layers.
///
/// ```
/// use tiledesc_host::exchange::ck::{self, Parameters};
/// use tiledesc::{Plan, prelude::*};
///
/// layout! {
///     type ABlock = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
///     type Chunks = recipe::XorPreshuffle<F16, M<128>, K<64>, KPack<8>>;
/// }
/// assert_eq!(ck::parameters(&ABlock::PLAN), Ok(Some(Parameters { pack: 8, layers: 2 })));
/// // Composed otherwise, and the same.
/// assert_eq!(ck::parameters(&Chunks::PLAN), Ok(Some(Parameters { pack: 8, layers: 1 })));
/// let rows = Plan::packed(&[128, 64]).unwrap();
/// assert_eq!(ck::parameters(&rows), Ok(Some(Parameters { pack: 64, layers: 1 })));
/// let columns = Plan::naive(&[128, 64], &[1, 128]).unwrap();
/// assert_eq!(ck::parameters(&columns), Ok(None));
/// ```
///
/// # Errors
///
/// A tile that is not two-dimensional, or a map that is not linear.
pub fn parameters(plan: &Plan) -> Result<Option<Parameters>, Error> {
    let lengths = plan.lengths();
    if lengths.len() != 2 {
        return Err(Error::Rank { wanted: 2, given: lengths.len() as u32 });
    }
    let map = plan.linear()?;
    let (rows, depth) = (lengths.at(0), lengths.at(1));
    let halved = core::iter::successors(Some(depth), |pack| Some(pack / 2));
    // A line that 32 bits do not count is all rows: row-major, found with one layer.
    let most = rows.min(u32::MAX / depth.max(1));
    let layers = || core::iter::successors(Some(1u32), |layers| layers.checked_mul(2));
    let all = halved.take_while(|pack| *pack > 0).flat_map(|pack| {
        layers().take_while(|layers| *layers <= most).map(move |layers| Parameters { pack, layers })
    });
    let has_map = |found: &Parameters| {
        let candidate = found.plan(rows, depth).and_then(|plan| plan.linear());
        candidate.is_ok_and(|other| other == map)
    };
    Ok(all.into_iter().find(has_map))
}

/// The adaptor of a distribution from (wave, lane, Y..) to the tile's coordinate, or from (lane, Y..) if waves own nothing: CK
/// Tile's `ps_ys_to_xs`, with the hidden ids that CK hands out. They are those of X, then of R, then of the factors of X0, X1, ..,
/// then of P.
///
/// ```
/// use tiledesc::distribution::Encoding;
/// use tiledesc_host::exchange::ck;
///
/// // dist_mfma_f16_32x32x8_A: lane = (part, row), a lane holds 4 along k.
/// let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1])).unwrap();
/// let plan = ck::graph(&a).unwrap();
/// assert_eq!(plan.lengths(), [64, 4]);
/// assert_eq!(plan.top(), [5, 4]);
/// assert_eq!(plan.bottom(&[33, 2]).unwrap(), [1, 6]);
/// ```
///
/// # Errors
///
/// [`DistributionError::TooMany`]: more than 12 P and Y dimensions.
pub fn graph(encoding: &Encoding) -> Result<Plan, DistributionError> {
    encoding.check_divided()?;
    let rank = encoding.rank() as u32;
    let factors: Vec<_> = encoding.named_factors().collect();
    // The factors have the ids after those of X.
    let mut ids = rank..;
    let mut nodes = Vec::new();
    for group in 0..=rank {
        let of_group = factors.iter().filter(|(name, _)| {
            name.dimension.map_or(0, |dimension| dimension.number + 1) == group
        });
        let lengths: Vec<u32> = of_group.map(|(_, length)| *length).collect();
        let upper: Vec<u32> = ids.by_ref().take(lengths.len()).collect();
        let (lengths, upper) = (List::new(&lengths), List::new(&upper));
        nodes.push(match group.checked_sub(1) {
            None => Node { op: Op::Replicate { lengths }, lower: List::EMPTY, upper },
            Some(x) => Node { op: Op::Unmerge { lengths }, lower: List::new(&[x]), upper },
        });
    }
    let listed = |owner| encoding.list_of(owner);
    let mut top = Vec::new();
    for owner in [Owner::Wave, Owner::Lane] {
        let list = listed(owner);
        if owner == Owner::Wave && list.is_empty() {
            continue;
        }
        let lengths: Vec<u32> = list.as_slice().iter().map(|at| factors[*at as usize].1).collect();
        let lower: Vec<u32> = list.as_slice().iter().map(|at| at + rank).collect();
        let op = match &lengths[..] {
            [] => Op::Insert { length: 1 },
            lengths => Op::Merge { lengths: List::new(lengths) },
        };
        top.extend(ids.next());
        nodes.push(Node { op, lower: List::new(&lower), upper: List::new(&top[top.len() - 1..]) });
    }
    top.extend(listed(Owner::Thread).as_slice().iter().map(|at| at + rank));
    if top.len() > List::CAPACITY {
        let most = List::CAPACITY as u32;
        return Err(DistributionError::TooMany { what: "P and Y dimensions", most });
    }
    let bottom: Vec<u32> = (0..rank).collect();
    Plan::graph(&bottom, &nodes, &top).map_err(DistributionError::Coordinate)
}
