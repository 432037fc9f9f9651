//! The transposition of a matrix of halves of any size: 64x64 of it in a block of 256 lanes.
//!
//! ```text
//!   rows of 4 in   Window        n n n n            4 rows of 4 a lane
//!   turned         exchange      m m m m            the same registers, column by column
//!   through LDS    Accesses      8 bytes a lane
//!   rows of 4 out  Window        of the other matrix
//! ```

use super::backend::{View, load, permute, read, store, write};
use tiledesc::access::AccessError;
use tiledesc::distribution::{
    BlockRaked, Exchange, Shuffled, ThreadRaked, Transposed as Turned, exchange,
};
use tiledesc::prelude::*;

/// 4 rows of 4 a lane.
type Fetch = ThreadRaked<U64, U64, U4, U4>;
/// The same of the transposed tile, by columns of what was fetched.
type Columns = Shuffled<Fetch>;
/// Whole rows of it.
type Rows = BlockRaked<U64, U64, U4, U4>;
const TURN: Exchange<Turned<Fetch>, Columns> = exchange().in_registers();

layout! { pub(crate) type Tile = recipe::GemmXorLayer<F16, M<64>, K<64>, KPack<4>, MLdsLayer<4>>; }
assert_conflict_free! {
    Tile on gfx942: write ds_write_b64 by Columns, read ds_read_b64 by Rows
}

/// The matrix of `from`, `m` by `n`, as one of `n` by `m`; both sizes are multiples of 4.
pub(crate) fn transpose(from: &[u16], [m, n]: [u32; 2]) -> Result<Vec<u16>, AccessError> {
    let view = |m, n| Naive::rows(m, n).whole();
    let source: Window<View, Fetch, VectorSize<4>> = Window::new(view(m, n)?)?;
    let target: Window<View, Rows, VectorSize<4>> = Window::new(view(n, m)?)?;
    let mut to = vec![0; from.len()];
    for row in (0..m).step_by(64) {
        for column in (0..n).step_by(64) {
            let mut lds = [0; Tile::SPACE as usize];
            let fetched = load(from, &source.at([row, column]));
            write::<Columns, Tile, VectorSize<4>>(&permute(&fetched, TURN), &mut lds, 0);
            // A barrier.
            let rows = read::<Rows, Tile, VectorSize<4>>(&lds, 0);
            store(&rows, &mut to, &target.at([column, row]));
        }
    }
    Ok(to)
}
