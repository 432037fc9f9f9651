//! Any linear layout of packs: a column for each bit of a pack's number.
//!
//! An xor of rows moves packs within a line, which is not always enough. On gfx950 a wide read has 64
//! banks and a narrow access 32, so the bit between the two is a bank for one and flips banks for the other:
//!
//! ```text
//!   LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 12, 26]>
//!
//!   bit of the pack's number    0  1  2   3   4    5   6       0 to 2 along a row of 8 packs, 3 up down the rows
//!   place of the pack           1  2  4  12  26   32  64       12 = 8 ^ 4, 26 = 16 ^ 8 ^ 2
//! ```

use crate::element::Element;
use tiledesc_transforms::{Error, Plan, descriptor};

descriptor! {
    type Placed<M, K, P, Columns>:
        packed [K/P*M, P];
        linear_bits[K/P*M] columns Columns (0) -> (0),   pass[P] (1) -> (1);
        merge[K/P*M, P] (0, 1) -> (0);
        unmerge[M, K] (0) -> (0, 1);
}

recipe! {
    /// `M` rows, `K` deep, whose packs of `KPack` elements are placed bit by bit: every linear layout
    /// of packs.
    ///
    /// * CK Tile: none; Triton's shared linear layouts, whose bases these are.
    /// * Offset: `KPack * (Columns[0] if bit 0 of p ^ Columns[1] if bit 1 of p ^ ..) + k % KPack`, of
    ///   the pack's number p = m * K/KPack + k/KPack; a bit without a column keeps its place.
    /// * Refuses: a number of packs that is not a power of two; a K that is not a multiple of KPack; more
    ///   columns than p has bits; a column that leaves the tile, or is an xor of others.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// layout! { type Tile = recipe::LinearPacks<F16, M<8>, K<64>, KPack<8>, seq![1, 2, 4, 9, 18, 36]>; }
    /// // GemmXor: row 3 is bits 3 and 4 of a pack's number, its third pack bit 1.
    /// assert_eq!(Tile::offset([3, 17]), ((9 ^ 18) ^ 2) * 8 + 1);
    /// assert_eq!(Tile::offset([3, 17]), <recipe::GemmXor<F16, M<8>, K<64>, KPack<8>>>::offset([3, 17]));
    /// ```
    #[doc(alias = "bases")]
    pub type LinearPacks<E, M, K, KPack; Columns> = Placed<M, K, KPack, Columns>;
}

/// The plan of a [`LinearPacks`](type@LinearPacks) of numbers that only the run time knows, in this
/// order: `M`, `K`, `KPack`; and up to twelve columns.
///
/// ```
/// use tiledesc::{F16, recipe};
///
/// let plan = recipe::LinearPacks::<F16>([8, 64, 8], &[1, 2, 4, 9, 18, 36])?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(201));
/// # Ok::<(), tiledesc::Error>(())
/// ```
///
/// # Errors
///
/// The errors of the type, in the same sentences; more than twelve columns.
#[allow(non_snake_case)]
pub const fn LinearPacks<E: Element>(numbers: [u32; 3], columns: &[u32]) -> Result<Plan, Error> {
    of_list!(LinearPacks, E, numbers, columns, ["M" 0 "K" 1 "KPack" 2], [3 4 5 6 7 8 9 10 11 12 13 14])
}
