//! `pattern!` declares a pattern by a formula, and makes its table: a coordinate for each lane of each instruction.
//!
//! ```text
//!   Half(lane) => [lane, 0] if lane < 32;
//!   lane 0 -> (0, 0)   lane 1 -> (1, 0)   ..   lane 31 -> (31, 0)   lanes 32 to 63 are inactive
//! ```

/// Patterns of your own, by a formula. A table of the run time is [`Lanes::table`](crate::pattern::Lanes::table).
///
/// The coordinate may use the lane, the number of the instruction, and any
/// constant or `const fn`; a lane for which the condition does not hold is inactive. A pattern
/// may have const parameters, or numbers (`K: Number`); the number of instructions may be a
/// constant, though not one that depends on them.
///
/// ```
/// use tiledesc::{pattern, prelude::*, chip::gfx942};
///
/// const ORDER: [u32; 4] = [0, 2, 1, 3];
///
/// pattern! {
///     /// Every other row.
///     EveryOther(lane) => [2 * lane, 0];
///     /// Half a wave.
///     Half(lane) => [lane, 0] if lane < 32;
///     /// Four instructions, in an order of their own.
///     Steps(lane, step in 4) => [lane, 8 * ORDER[step as usize]];
///     /// Packs along dimension 0.
///     Down(lane) => [8 * (lane % 16), lane / 16], along 0;
///     /// Every S-th row.
///     Every<const S: u32>(lane) => [S * (lane % 16), 8 * (lane / 16)];
///     /// Rows of K elements, pack by pack.
///     Rows<K: Number>(lane) => [lane / (K::N / 8), lane % (K::N / 8) * 8];
/// }
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(Tile::degree::<EveryOther>(&gfx942::ds_read_b128), 2);
/// assert_eq!(Tile::degree::<Every<8>>(&gfx942::ds_read_b128), 4);
/// assert_eq!(Tile::degree::<Half>(&gfx942::ds_read_b128), 1);
/// assert_eq!(Tile::verdict::<Steps>(&gfx942::ds_read_b128).unwrap().instructions(), 4);
/// ```
#[macro_export]
macro_rules! pattern {
    ($($patterns:tt)*) => { $crate::__patterns! { {$crate} $($patterns)* } };
}
