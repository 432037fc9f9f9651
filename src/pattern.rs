//! Patterns: which coordinate each lane of a wave touches in each instruction.
//!
//! A tile is written one way and read another: of 128x64 fp16, a wave's 64 lanes write 8 rows of 8 packs, and read 16 rows of 4.
//! A layout is free of conflicts only for the patterns for which it was judged.
//!
//! ```text
//!   RowMajor, packs of 8 of a 64-wide row        MfmaRows<16>, packs of 8
//!   lane  0 -> (0,  0)    lane 8 -> (1, 0)       lane  0 -> (0, 0)   lane 16 -> (0, 8)
//!   lane  1 -> (0,  8)    ...                    lane  1 -> (1, 0)   ...
//! ```
//!
//! | pattern | lane l touches in the first instruction | in the others |
//! |---|---|---|
//! | [`RowMajor`] | pack l, row by row | 64 packs further each instruction |
//! | [`ColumnMajor`] | pack l along dimension 0, column by column | the same |
//! | [`Column`] | row l, column 0 | further rows, then further columns |
//! | [`Strided<S>`](Strided) | element l * S in row-major order | 64 * S elements further |
//! | [`Diagonal`] | row l, pack l mod packs | further rows |
//! | [`MfmaRows<R>`](MfmaRows) | row l mod R, pack l / R | further rows, then packs |
//! | [`LdmatrixRows<R>`](LdmatrixRows) | the same: the row that lane l supplies | the same |
//! | [`WmmaRows<R>`](WmmaRows) | row l mod R, pack 0: lanes from R on repeat the first | the same |
//! | [`distribution!`](crate::distribution!) | the elements it holds | all waves, all accesses |
//! | [`pattern!`](crate::pattern!) | what you say | as many instructions as you say |
//!
//! A pack is as many elements as the instruction moves, along the last dimension
//! ([`ColumnMajor`]: the first). A pattern is all the instructions of the right column,
//! [`First<P>`](First) the first alone, and [`Split<P, ..>`](Split) the same by narrower instructions.
//!
//! Every pattern but a table is made of digits of the lane's number and the instruction's, as a
//! distribution is. Where a ready-made one divides its tile, it [is](Lanes::distribution) one, and
//! each instruction an access of it:
//!
//! | pattern | distribution of a tile of m by k |
//! |---|---|
//! | `MfmaRows<R>`, `LdmatrixRows<R>` | `m [again, row R], k [deep, part, pack]; lane (part, row), thread (deep, again, pack)` |
//! | `Column` | the same, with as many rows as lanes: `m [again, row], k [deep, pack]; lane (row), ..` |
//! | `WmmaRows<R>` | `m [again, row R], k [deep, pack]; repeat [copy], lane (copy, row), ..` |
//! | `RowMajor` | `m [again, row], k [chunk, pack]; lane (row, chunk), thread (again, pack)` |
//! | `RowMajor`, more packs a row than lanes | `m [again], k [deep, chunk, pack]; lane (chunk), thread (again, deep, pack)` |
//! | `ColumnMajor` | as `RowMajor`, with k before m |
//! | `Strided<S>` | `RowMajor`, if S is the pack: else it leaves elements out, or takes them twice |
//! | `Diagonal` | `Column`, of a tile one pack wide: else it leaves elements out |

mod declared;
mod distributed;
mod lanes;
mod named;
mod ready;

use crate::distribution::Distribution;
use crate::layout::Sampled;
pub(crate) use lanes::Table;
pub use lanes::{Lanes, Row, Split};
pub use named::Named;
pub(crate) use ready::operand_rows;

/// A pattern as a type, for [`assert_conflict_free!`](crate::assert_conflict_free!).
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::{Lanes, Pattern}, prelude::*};
///
/// /// Reads of 32 rows, by another name.
/// struct Operand;
/// impl Pattern for Operand {
///     const LANES: Lanes<'static> = Lanes::rows(32);
/// }
/// layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
/// assert_eq!(Rows::degree::<Operand>(&ds_read_b128), 8);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an access pattern",
    note = "use `RowMajor`, `MfmaRows<16>` or another of `tiledesc::pattern`, or `pattern!` or `distribution!` for one of your own"
)]
pub trait Pattern {
    /// The lanes.
    const LANES: Lanes<'static>;

    /// Bytes that each access moves, of a pattern that is of one width, as a kernel's [`Accesses`](crate::access::Accesses) are:
    /// a statement by it refuses an instruction of another. 0 of a pattern of any width.
    const MOVES: u32 = 0;

    /// The layout that is accessed, of a pattern that is of one, as a kernel's accesses are.
    #[doc(hidden)]
    const ACCESSED: Option<&'static Sampled> = None;
}

/// Each distribution is the pattern of its accesses, so a kernel that is generic over one may state it.
#[diagnostic::do_not_recommend]
impl<T: Distribution> Pattern for T {
    const LANES: Lanes<'static> = Lanes::of_distribution::<Self>();
}

/// A pattern by its value, `MfmaRows::<16>`, where lanes are taken.
impl<P: Pattern> From<P> for Lanes<'static> {
    fn from(_: P) -> Self {
        P::LANES
    }
}

/// The ready-made patterns, one a row: documentation, name with its number, lanes, and the example that its page
/// asserts, the coordinate `$at` of lane 17 of `$pattern`.
macro_rules! patterns {
    ($(
        $(#[doc = $doc:literal])* $Name:ident $(<const $N:ident>)? = $lanes:expr,
            lane 17 of $pattern:literal at $at:literal;
    )*) => {
        $(
            $(#[doc = $doc])*
            ///
            /// ```
            /// use tiledesc::{chip::gfx942::ds_read_b32, prelude::*};
            ///
            /// layout! { type Tile = recipe::RowMajor<F32, M<64>, K<64>>; }
            #[doc = concat!("let first = Tile::placed::<", $pattern, ">(&ds_read_b32)?.touched(0)?;")]
            #[doc = concat!("assert_eq!(first.coordinate(17).unwrap(), ", $at, ");")]
            /// # Ok::<(), tiledesc::access::AccessError>(())
            /// ```
            #[derive(Clone, Copy, Debug)]
            pub struct $Name$(<const $N: u32>)?;

            impl$(<const $N: u32>)? Pattern for $Name$(<$N>)? {
                const LANES: Lanes<'static> = $lanes;
            }
        )*
        /// The ready-made patterns by name, for tools that read one from a file.
        ///
        /// ```
        /// use tiledesc::pattern;
        ///
        /// let rows = pattern::NAMED.iter().find(|named| named.name() == "MfmaRows").unwrap();
        /// assert_eq!(rows.parameter(), Some("R"));
        /// ```
        pub const NAMED: &[Named] = &[$(Named::new(
            stringify!($Name),
            &[$(stringify!($N))?],
            &[$($doc),*],
            #[allow(non_snake_case)]
            |_number| {
                $(let $N = _number;)?
                $lanes
            },
        )),*];
    };
}

patterns! {
    /// A block of vectors, row by row: how a wave writes the tile it has loaded.
    RowMajor = Lanes::row_major(), lane 17 of "RowMajor" at "[0, 17]";
    /// A block of vectors along dimension 0, column by column.
    ColumnMajor = Lanes::column_major(), lane 17 of "ColumnMajor" at "[17, 0]";
    /// A column: lane l in row l. What a transpose reads.
    Column = Lanes::column(), lane 17 of "Column" at "[17, 0]";
    /// Every S-th element: lane l at element l * S of the tile in row-major order.
    Strided<const S> = Lanes::strided(S), lane 17 of "Strided<8>" at "[2, 8]";
    /// A diagonal: lane l in row l, pack l mod packs.
    Diagonal = Lanes::diagonal(), lane 17 of "Diagonal" at "[17, 17]";
    /// The A or B operand of a matrix instruction with `R` rows (4, 16, 32 or 64 in a wave of 64; 8, 16 or 32 in
    /// one of 32; others are refused), packed along K: lane l reads row l mod R, pack l / R. Also of a gfx12 WMMA, by
    /// packs of 8 in a wave of 32 and of 4 in one of 64. Source: tables `dist_mfma_*` of CK Tile's own numbers.
    MfmaRows<const R> = Lanes::rows(R).of_a_matrix(), lane 17 of "MfmaRows<16>" at "[1, 1]";
    /// The operand of a gfx11 WMMA with `R` rows (16): lane l reads row l mod R, and
    /// lanes from R on read what the first R do. Source: AMD GPUOpen, "How to
    /// accelerate AI applications on RDNA 3 using WMMA".
    WmmaRows<const R> = Lanes::repeated_rows(R).of_a_matrix(), lane 17 of "WmmaRows<16>" at "[1, 0]";
    /// The rows that lanes supply to `ldmatrix` and `stmatrix`: lane l row l mod R, pack l / R, packs of 16 bytes. R is 16 for
    /// the operand A of an `mma` of 16 rows, 8 for B of 8 columns. The operand gives the same rows: `ldmatrix_x4 by`
    /// [`mma::A<..>`](crate::matrix::mma::A).
    LdmatrixRows<const R> = Lanes::rows(R).of_a_matrix(), lane 17 of "LdmatrixRows<16>" at "[1, 1]";
}

/// The first instruction of a pattern alone; of a distribution, access 0 of wave 0. In statements it is the word
/// `first`: `read ds_read_b128 by first MfmaRows<16>`.
///
/// A pattern is every instruction that it takes to visit the tile, since one that comes later may conflict where the
/// first does not. One alone is for tiles that cannot be divided into such instructions evenly, and for a look at a
/// single one:
///
/// ```
/// use tiledesc::{chip::sm_90::ld_shared_b32, prelude::*};
///
/// layout! { type Tile = recipe::RowPad<F16, M<64>, K<96>, Padding<8>>; }
/// let first = Tile::verdict::<First<RowMajor>>(&ld_shared_b32).unwrap();
/// assert_eq!((first.instructions(), first.degree()), (1, 1));
/// // 64 lanes of the second begin in row 0, at column 64, and end in row 1.
/// let all = Tile::verdict::<RowMajor>(&ld_shared_b32).unwrap();
/// assert_eq!((all.instructions(), all.degree(), all.shown()), (96, 2, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct First<P>(pub P);

impl<P: Pattern> Pattern for First<P> {
    const LANES: Lanes<'static> = P::LANES.first();
    const MOVES: u32 = P::MOVES;
    const ACCESSED: Option<&'static Sampled> = P::ACCESSED;
}
