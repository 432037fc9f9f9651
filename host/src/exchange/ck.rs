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

use tiledesc::recipe;
use tiledesc::{Error, Plan};

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
