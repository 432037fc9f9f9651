//! The promise as a statement: a layout that conflicts does not compile.
//!
//! One statement holds everything that a kernel does to a tile, because a remedy
//! must serve all of it: a pad that frees the read may break the write.
//!
//! ```text
//! error: Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0: lanes 0 and 1,
//!        (0, 0) and (1, 0), bytes 0 and 128, bank 0
//!        Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, ..
//! ```
//!
//! Here are the three macros and their pages. `macros/src/statement.rs` reads their tokens, `refusal.rs` judges the accesses.

/// Refuses, at compile time, layouts whose wave accesses conflict.
///
/// One statement for a layout, a chip and any number of accesses; the error
/// names the phase, the bank, and two lanes with coordinates and bytes, and a layout
/// of the same tile that was tried and found free in all of them:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
/// assert_conflict_free! { Plain on gfx942: read ds_read_b128 by MfmaRows<16> }
/// // Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0:
/// // lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0
/// // Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, ...
/// ```
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     ABlock on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32>,
/// }
///
/// // The two offsets of a `ds_read2`, as the instruction has them: any constants. In the last instructions of the
/// // tile the second address would be outside of it: `first` states one alone.
/// layout! { type Floats = recipe::RowMajor<F32, M<64>, K<64>>; }
/// const ROW: u8 = 64;
/// assert_conflict_free! { Floats on gfx942: read ds_read2_b32(0, ROW) by first RowMajor }
///
/// // Any type, and several chips at once: a remedy must serve all of them.
/// mod tiles {
///     use tiledesc::prelude::*;
///     layout! { pub type A = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// }
/// assert_conflict_free! {
///     tiles::A on gfx942, gfx90a: read ds_read_b128 by MfmaRows<16>;
///     recipe::RowMajor<F32, U64, U32> on gfx942: write ds_write_b32 by RowMajor
/// }
/// ```
///
/// Words after `as` demand evidence of the rows; they hold for every chip and access of the statement. A row with weaker evidence
/// is refused, though the access is free by it:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     Tile on gfx942 as measured: read ds_read_b128 by MfmaRows<16>;
///     Tile on gfx942, gfx950 as documented: read ds_read_b128 by MfmaRows<16>
/// }
/// ```
///
/// | `as` | rows that are accepted |
/// |---|---|
/// | nothing, or `inferred` | all |
/// | `documented` | those that a source states or measured |
/// | `measured` | those that a source measured |
/// | `disputed` | as without it; of two sources that disagree, the row's own counts |
/// | `rival` | as without it; of two sources that disagree, the other counts |
///
/// A statement has one word of the first three at most, and one of the last two.
///
/// Where two sources disagree on a row (gfx950, up to 4 bytes per lane) and only one finds the access free, the statement is
/// refused, with both figures, until it states which one counts:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::RowMajor<F32, M<2>, K<64>>; }
/// pattern! { Halves(lane) => [lane / 32, lane % 32]; }
/// // 32 lanes at a time on 32 banks by rocKE: free; 64 on 64 banks by amd-shark-ai: 2-way.
/// assert_conflict_free! { Tile on gfx950 as disputed: read ds_read_b32 by Halves }
/// ```
///
/// A tile that a direct load fills is declared so first: then a layout that its waves cannot fill is refused, and what is free
/// instead can be filled too. Without it a row pad may be suggested, which lane 8 of 64 would write:
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc::storage::Buffered;
///
/// layout! { type ABlock = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     Buffered<ABlock, U2> on gfx950:
///         filled by global_load_lds_b128 by 4 waves,
///         read ds_read_b128 by MfmaRows<16>
/// }
/// ```
///
/// The chip is a module of [`chip`](crate::chip), or one of your own with such
/// constants (by a path, `crate::mine`, if it has the name of one of ours):
///
/// ```
/// use tiledesc::prelude::*;
///
/// #[allow(non_upper_case_globals)]
/// mod vx {
///     use tiledesc::chip::{Instruction, Phases};
///
///     pub const vx_read_b64: Instruction = Instruction::read("vx_read_b64", 8)
///         .banks(64)
///         .phases(Phases::contiguous(32))
///         .on("vx", 64 * 1024)
///         .source("measured here, 2026-11");
/// }
/// layout! { type Tile = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>; }
/// assert_conflict_free! { Tile on vx: read vx_read_b64 by MfmaRows<32> }
/// # fn main() {}
/// ```
#[doc(alias = "bank conflict")]
#[macro_export]
macro_rules! assert_conflict_free {
    ($($statements:tt)+) => { $crate::__assertions! { {$crate} $($statements)+ } };
}

/// [`assert_conflict_free!`](crate::assert_conflict_free!) inside a function that is generic over
/// the tile: checked for each tile that it is called with.
///
/// ```
/// use tiledesc::prelude::*;
///
/// fn kernel<M: Number, K: Number>(lds: &mut [u16], m: u32, k: u32, v: u16) {
///     check_conflict_free! {
///         recipe::GemmXor<F16, M, K, U8> on gfx942 as documented:
///             write ds_write_b128 by RowMajor;
///         recipe::GemmXor<F16, M, K, U8> on gfx942, gfx90a:
///             write ds_write_b128 by RowMajor,
///             read  ds_read_b128  by MfmaRows<16>
///     }
///     lds[recipe::GemmXor::<F16, M, K, U8>::at([m, k]) as usize] = v;
/// }
/// let mut lds = [0; 8192];
/// kernel::<U128, U64>(&mut lds, 3, 17, 7);
/// assert_eq!(lds[201], 7);
/// ```
///
/// The tile itself may be the parameter, and the distribution:
///
/// ```
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// fn stage<L: RankedTile<2>, Fetch: Distribution>(m: u32, k: u32) -> u32 {
///     check_conflict_free! { L on gfx942: write ds_write_b128 by Fetch, read ds_read_b128 by MfmaRows<16> }
///     LayoutOf::<L>::byte_at([m, k])
/// }
/// let byte = stage::<recipe::GemmXor<F16, U128, U64, U8>, BlockRaked<U128, U64, U8, U4>>(3, 17);
/// assert_eq!(byte, 402);
/// ```
///
/// Stated by the kernel's own accesses, their width is judged with them: of another instruction than the statement's the error is
/// `the accesses move 8 bytes at a time, but ds_write_b128 moves 16`.
///
/// ```
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// type ATile<M> = recipe::GemmXor<F16, M, U64, U8>;
/// type Stores<M> = Accesses<BlockRaked<M, U64, U8, U4>, ATile<M>, VectorSize<8>>;
///
/// fn store<M: Number>(wave: u32, lane: u32, mut f: impl FnMut(u32)) {
///     check_conflict_free! { ATile<M> on gfx942, gfx950: write ds_write_b128 by Stores<M> }
///     Stores::<M>::each(wave, lane, |byte, immediate, _, _| f(byte + immediate));
/// }
/// let mut bytes = Vec::new();
/// store::<U128>(1, 9, |byte| bytes.push(byte));
/// assert_eq!(bytes, [1152, 5248, 9344, 13440]);
/// ```
///
/// The error names the function with its parameters, and the tile:
///
/// ```compile_fail,E0080
/// use tiledesc::prelude::*;
///
/// fn kernel<K: Number>(k: u32) -> u32 {
///     check_conflict_free! {
///         recipe::RowMajor<F16, U128, K> on gfx942: read ds_read_b128 by MfmaRows<16>
///     }
///     recipe::RowMajor::<F16, U128, K>::at([0u32, k])
/// }
/// kernel::<U64>(3);
/// ```
///
/// It comes when code is generated (`cargo build`, `cargo test`), for only then is it known
/// with what a generic function is called; `cargo check` does not see it.
#[macro_export]
macro_rules! check_conflict_free {
    ($($statements:tt)+) => { $crate::__checks! { {$crate} $($statements)+ } };
}

/// A statement whose accesses have names: refused as by [`assert_conflict_free!`](crate::assert_conflict_free!), and each name is
/// the type of the addresses, [`Accesses`](crate::access::Accesses).
///
/// Layout, distribution and width stand in one place, so no kernel stores by another distribution than was judged.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 256 lanes take 128 rows of 64 halves, 8 each.
///     type Fetch:
///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
/// }
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// access! {
///     ABlock on gfx942, gfx950:
///         /// Four stores a lane.
///         pub type StoreA = write ds_write_b128 by Fetch,
///         read ds_read_b128 by MfmaRows<16>,
/// }
///
/// // In the kernel: for each store its byte, the constant that the instruction encodes, whether the lane has it, and
/// // its first register.
/// let mut stores = Vec::new();
/// StoreA::each(0, 9, |byte, immediate, valid, first| stores.push((byte + immediate, valid, first)));
/// assert_eq!(stores[1], (ABlock::byte_at([33u32, 8]), true, 8));
/// assert_eq!((StoreA::COUNT, StoreA::BYTES), (4, 16));
/// ```
///
/// An access without a name is judged alone: of a pattern that is no distribution, of two addresses, by `ldmatrix`. Of
/// [`Buffered`](crate::storage::Buffered) the addresses are those of one buffer.
///
/// A conflict is the error of the statement; what no kernel can be given, of the name, by `cargo check` too:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// distribution! { type T: m [row 64, two 2], k [eight 8]; lane (row), thread (eight, two); }
/// layout! { type Tile = recipe::RowMajor<F16, M<128>, K<8>>; }
/// access! { Tile on gfx942: type Stores = write ds_write_b128 by T }
/// // error: Stores: the 8 elements of an access along k are not in consecutive registers: one is 2 after its neighbour
/// ```
#[doc(alias = "bank conflict")]
#[macro_export]
macro_rules! access {
    ($($statements:tt)+) => { $crate::__accesses! { {$crate} $($statements)+ } };
}
