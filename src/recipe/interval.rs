//! A pad after every interval of elements, wherever a row ends.
//!
//! A pad after each row costs as many pads as there are rows, and a transfer that writes the pad itself
//! counts elements and knows nothing of rows. So Triton's `padded_shared`, the tensor data mover of gfx1250
//! and TensileLite's `LdsBlockSizePerPad` put `Padding` elements after every `Every`, counted through the
//! tile:
//!
//! ```text
//!   128x32 halves, 8 after every 128: four rows to a line of 256 bytes
//!
//!   offset    m = 0: 0    m = 1: 32    m = 2: 64    m = 3: 96    | 8 |    m = 4: 136
//!
//!   naive     [M*K/N, N] | [N + P, 1]
//!   merge     (line, place) -> 1 number
//!   unmerge   number -> (M, K)
//! ```

use tiledesc_transforms::descriptor;

descriptor! {
    type Intervals<M, K, N, P>:
        naive [M*K/N, N] strides [N + P, 1];
        merge[M*K/N, N] (0, 1) -> (0);
        unmerge[M, K] (0) -> (0, 1);
}

recipe! {
    /// `M` rows, `K` deep, one after the other, with `Padding` elements after every `Every`, which need not be a row, or a number
    /// of rows.
    ///
    /// * CK Tile: none; Triton's `#ttg.padded_shared<[Every:+Padding]>`, TensileLite's `LdsBlockSizePerPad`
    ///   and `LdsPad`, in bytes and elements. [`GemmTdm`](type@super::GemmTdm) is the case of whole rows.
    /// * Offset: `n + n / Every * Padding`, of n = m*K + k.
    /// * Refuses: a tile that is not a multiple of Every elements.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// layout! { type Tile = recipe::IntervalPad<F16, M<64>, K<96>, Every<256>, Padding<8>>; }
    /// assert_eq!(Tile::offset([3, 17]), 305 + 8);
    /// // 24 lines of 256, and 23 pads between them.
    /// assert_eq!(Tile::SPACE, 64 * 96 + 23 * 8);
    /// ```
    #[doc(alias = "padded_shared")]
    #[doc(alias = "LdsBlockSizePerPad")]
    #[example([64, 96, 256, 8], [3, 17], 313)]
    pub type IntervalPad<E, M, K, Every, Padding> = Intervals<M, K, Every, Padding>;
}
