//! The swizzle of the dense offset: packs flipped within lines of memory, wherever a row ends.
//!
//! Rows of 96 halves are 192 bytes, one and a half rounds of 32 banks. Their 12 packs are not a power of two, so
//! no xor of a row's packs stays within the row. But 64 such rows are 96 lines of 128 bytes, and of a line
//! the 8 packs may change places as they like:
//!
//! ```text
//!   number of a pack    12 * m + k / 8       = line * 8 + place     row 3 begins at line 4, place 4
//!   its place           place ^ Masks[b] for each bit b of the line's number
//!
//!   naive     [K/P*M/L, L, P]
//!   xor_bits  on (line, place)
//!   merge     (line, place, P) -> 1 number
//!   unmerge   number -> (M, K)
//! ```
//!
//! CuTe's `Sw<B,M,S>` over a row-major tile is the case in which the masks are 1, 2, 4 .. from some bit on.

use crate::element::Element;
use tiledesc_transforms::{Error, Plan, descriptor};

descriptor! {
    type Dense<M, K, P, L, Masks>:
        packed [K/P*M/L, L, P];
        xor_bits[K/P*M/L, L] masks Masks (0, 1) -> (0, 1),   pass[P] (2) -> (2);
        merge[K/P*M/L, L, P] (0, 1, 2) -> (0);
        unmerge[M, K] (0) -> (0, 1);
}

recipe! {
    /// `M` rows, `K` deep, one after the other, in lines of `LinePacks` packs of `KPack` elements whatever the length of a row;
    /// each bit of a line's number flips a mask of a pack's place in the line.
    ///
    /// Rows of any length, without a byte of padding: the swizzle of CuTe, FlyDSL and hipKittens, which xor
    /// the offset and not the coordinate.
    ///
    /// * CK Tile: none; CuTe's `Sw<B,M,S> o 0 o (M,K):(K,1)` has the masks 1, 2, 4 .. behind S - B zeros.
    /// * Offset: `n ^ (the xor of Masks[b] over the bits b of n / (LinePacks*KPack)) * KPack`, of
    ///   n = m*K + k.
    /// * Refuses: a K that is not a multiple of KPack; packs that do not fill whole lines; a LinePacks that is
    ///   not a power of two; a mask that is not less than LinePacks.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// layout! { type Tile = recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![1, 2, 4]>; }
    /// // Element 305 lies in line 4, which flips 4 packs.
    /// assert_eq!(Tile::offset([3, 17]), 305 ^ 4 * 8);
    /// assert_eq!(Tile::BYTES, 64 * 96 * 2);
    /// ```
    #[doc(alias = "swizzle")]
    pub type DenseXor<E, M, K, KPack, LinePacks; Masks> = Dense<M, K, KPack, LinePacks, Masks>;
}

/// The plan of a [`DenseXor`](type@DenseXor) of numbers that only the run time knows, in this order:
/// `M`, `K`, `KPack`, `LinePacks`; and up to twelve masks.
///
/// ```
/// use tiledesc::{F16, recipe};
///
/// let plan = recipe::DenseXor::<F16>([64, 96, 8, 8], &[1, 2, 4])?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(305 ^ 4 * 8));
/// # Ok::<(), tiledesc::Error>(())
/// ```
///
/// # Errors
///
/// The errors of the type, in the same sentences; more than twelve masks.
#[allow(non_snake_case)]
pub const fn DenseXor<E: Element>(numbers: [u32; 4], masks: &[u32]) -> Result<Plan, Error> {
    of_list!(
        DenseXor, E, numbers, masks,
        ["M" 0 "K" 1 "KPack" 2 "LinePacks" 3], [4 5 6 7 8 9 10 11 12 13 14 15]
    )
}
