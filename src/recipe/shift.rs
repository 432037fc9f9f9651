//! The swizzle for rows of any length: packs rotated by the row.
//!
//! ```text
//!   naive         [K/P, M, P] | [P, K, 1]
//!   cyclic_shift  on (M, K/P)              chunk' = (chunk + m) mod K/P
//!   merge         (K/P, P) -> K
//! ```

use tiledesc_transforms::descriptor;

descriptor! {
    type Rotated<K, M, P>:
        naive [K/P, M, P] strides [P, K, 1];
        cyclic_shift[M, K/P] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
        pass[M] (1) -> (0),                      merge[K/P, P] (0, 2) -> (1);
}

recipe! {
    /// Packs of `KPack` rotated by the row, for rows whose number of packs is not a power of two.
    ///
    /// * CK Tile: `cyclic_shift_t` (2026), in a plain tile.
    /// * Offset: `m*K + ((k/P + m) % (K/P))*P + k%P`,
    ///   P = KPack.
    /// * Refuses: a K that is not a multiple of KPack.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Tile = recipe::RowShift<F16, M<64>, K<96>, KPack<8>>;
    /// assert_eq!(Tile::offset([11, 17]), 11 * 96 + (2 + 11) % 12 * 8 + 1);
    /// ```
    #[example([64, 96, 8], [11, 17], 1065)]
    pub type RowShift<E, M, K, KPack> = Rotated<K, M, KPack>;
}
