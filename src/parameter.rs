//! The names of tile parameters, as CK Tile has them.
//!
//! `recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>` names each number, and an error does too:
//! `K = 64 is not a multiple of KPack = 24`. Each is a [`Number`], so a recipe takes any other number in its place; but not one
//! by another name, which two swapped parameters would have:
//!
//! ```text
//! error: ABlock: K<64> stands where M belongs
//! ```
//!
//! | place | names it takes |
//! |---|---|
//! | `M` of a recipe without `N`: the rows of either operand | `M`, `N`, `MN` |
//! | `MN` | `MN`, `M`, `N` |
//! | `RepM`, `RepN` | `Rep` |
//! | any other | its own |

use tiledesc_transforms::number::{fits, is_same};
use tiledesc_transforms::{Number, NumberError};

// Public for the prelude alone.
#[doc(hidden)]
pub mod literals;

/// The table of names.
macro_rules! parameters {
    ($($(#[$doc:meta])* $Name:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use tiledesc::{Number, parameter::", stringify!($Name), "};")]
        ///
        #[doc = concat!("assert_eq!(<", stringify!($Name), "<8>>::N, 8);")]
        #[doc = concat!("assert_eq!(<", stringify!($Name), "<8>>::NAME, \"", stringify!($Name), "\");")]
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Name<const VALUE: usize>;

        impl<const VALUE: usize> Number for $Name<VALUE> {
            const N: u32 = VALUE as u32;
            const FAULT: Option<NumberError> = fits(VALUE as u64);
            const NAME: &'static str = stringify!($Name);
        }
    )*};
}

parameters! {
    /// Rows of the tile (CK `MPerBlock`).
    M;
    /// Columns of the tile (CK `NPerBlock`).
    N;
    /// Rows of an operand, be it M or N (CK `MNPerBlock`).
    MN;
    /// Depth of the tile (CK `KPerBlock`).
    K;
    /// Elements of K that stay together (CK `KPack`, `kKPerThread`).
    KPack;
    /// Rows of M that share a row of LDS (CK `MLdsLayer`).
    MLdsLayer;
    /// Rows of a narrow tile to one row of a wide one.
    Lines;
    /// Packs to a line of memory, within which they change places.
    LinePacks;
    /// Elements from pad to pad.
    Every;
    /// Elements of padding after each row, or at each interval.
    Padding;
    /// Elements of one vector load or store.
    VectorSize;
    /// Waves of the block.
    Warps;
    /// Threads of the block.
    BlockSize;
    /// Rows of one matrix instruction (CK `MPerXdl`).
    MPerXdl;
    /// Consecutive buffers.
    Buffers;
    /// Number of the buffer, from 0.
    Buffer;
    /// Outer iterations over K.
    KIter;
    /// Repetitions.
    Rep;
}

/// A number with a name in the place of another, among the parameters of a recipe: each with its value and its name, or "", and
/// the name of its place.
pub(crate) const fn misplaced(
    given: &[(u32, &'static str)],
    places: &[&'static str],
) -> Option<NumberError> {
    let (mut i, count) = (0, given.len());
    while i < count {
        if !belongs(given[i].1, places[i], places) {
            return Some(NumberError::Misplaced { given: given[i], place: places[i] });
        }
        i += 1;
    }
    None
}

const fn belongs(name: &str, place: &str, places: &[&str]) -> bool {
    if is_same(name, place) || name.is_empty() {
        return true;
    }
    match place.as_bytes() {
        b"MN" => holds(&["M", "N"], name),
        b"M" => !holds(places, "N") && holds(&["N", "MN"], name),
        b"RepM" | b"RepN" => is_same(name, "Rep"),
        _ => false,
    }
}

/// The names of the parameters that are the two dimensions of a recipe; "" of plain numbers, and where other parameters than two
/// are dimensions.
pub(crate) const fn dimensions(given: &[&'static str], places: &[&str]) -> [&'static str; 2] {
    let (mut names, mut count, mut i) = (["", ""], 0, 0);
    while i < places.len() {
        if holds(&["M", "N", "MN", "K"], places[i]) {
            if count < 2 {
                names[count] = given[i];
            }
            count += 1;
        }
        i += 1;
    }
    if count == 2 { names } else { ["", ""] }
}

const fn holds(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if is_same(names[i], name) {
            return true;
        }
        i += 1;
    }
    false
}
