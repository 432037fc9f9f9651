//! Patterns: which coordinate each lane of a wave touches in each instruction.
//!
//! The same tile is written one way and read another: of 128x64 fp16, a wave's
//! 64 lanes write 8 rows of 8 packs, and read 16 rows of 4. A layout is free of
//! conflicts only for the patterns it was asked about.
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
//! ([`ColumnMajor`]: the first). A pattern is all the instructions of the right column, and
//! [`First<P>`](First) the first alone.
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

mod distributed;
mod named;
mod ready;

use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use crate::distribution::{
    BlockRaked, Distribution, DistributionError, Encoded, Encoding, OperandOf, Reach, Reduced,
    Shuffled, ThreadRaked, Transposed, Walk, WarpRaked, Within,
};
pub use named::{Named, PatternError};
use ready::Ready;
pub(crate) use ready::operand_rows;
use tiledesc_transforms::List;

/// Which coordinate each lane touches first; the instruction's width says how
/// many elements it takes from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<'a> {
    rule: LaneRule<'a>,
    /// The first instruction alone, and not all that it takes to visit the tile.
    is_first: bool,
    feeds: Feeds,
}

/// The matrix instructions whose operand a pattern says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feeds {
    /// None: it may be any access.
    Any,
    /// One with this many rows.
    Rows,
    /// This one.
    One(&'static OperandOf),
}

/// Why no matrix instruction is fed by an access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Misfit {
    /// No instruction of such a wave has an operand with this many rows.
    Operand { rows: u32, wave: u32 },
    /// The one whose operand it is, is of other chips.
    OtherChip { operand: &'static str, chips: &'static [&'static str], chip: &'static str },
}

/// The lanes of one instruction of a table: coordinates, `None` for an inactive
/// lane.
pub type Row = [Option<List>; Phases::LANES];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneRule<'a> {
    Ready(Ready),
    Table {
        instructions: &'a [Row],
        along: usize,
    },
    Distributed(&'a Encoding),
    /// An invalid distribution: refused where the pattern is laid over a layout.
    Refused(&'a DistributionError),
}

impl<'a> Lanes<'a> {
    const fn of(rule: LaneRule<'a>) -> Self {
        Self { rule, is_first: false, feeds: Feeds::Any }
    }

    const fn ready(ready: Ready) -> Self {
        Self::of(LaneRule::Ready(ready))
    }

    /// Consecutive packs along the last dimension, then the next row. Tiles
    /// of any rank.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[128, 64])?;
    /// let access = Placed::new(&tile, 16, Lanes::row_major(), &gfx942::ds_write_b128).unwrap();
    /// assert_eq!(access.touched(0).unwrap().coordinate(9).unwrap(), [1, 8]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn row_major() -> Self {
        Self::ready(Ready::Counted { stride: None, first_is_fastest: false })
    }

    /// Consecutive packs along dimension 0, then the next column. Tiles of
    /// any rank.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::naive(&[128, 64], &[1, 128])?;
    /// let access = Placed::new(&tile, 16, Lanes::column_major(), &gfx942::ds_write_b128).unwrap();
    /// assert_eq!(access.touched(0).unwrap().coordinate(17).unwrap(), [8, 1]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn column_major() -> Self {
        Self::ready(Ready::Counted { stride: None, first_is_fastest: true })
    }

    /// Lane l at row l, column 0.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[64, 64])?;
    /// let access = Placed::new(&tile, 32, Lanes::column(), &gfx942::ds_read_b32).unwrap();
    /// assert_eq!(access.touched(0).unwrap().coordinate(9).unwrap(), [9, 0]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn column() -> Self {
        Self::ready(Ready::Blocks { rows: None, repeated: false })
    }

    /// Lane l at element l * `stride`, in row-major order. Tiles of any rank.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[64, 64])?;
    /// let access = Placed::new(&tile, 32, Lanes::strided(2), &gfx942::ds_read_b32).unwrap();
    /// assert_eq!(access.touched(0).unwrap().coordinate(33).unwrap(), [1, 2]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn strided(stride: u32) -> Self {
        Self::ready(Ready::Counted { stride: Some(stride), first_is_fastest: false })
    }

    /// Lane l at row l and pack l, counted around the row.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[128, 64])?;
    /// let access = Placed::new(&tile, 16, Lanes::diagonal(), &gfx942::ds_read_b128).unwrap();
    /// assert_eq!(access.touched(0).unwrap().coordinate(9).unwrap(), [9, 8]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn diagonal() -> Self {
        Self::ready(Ready::Diagonal)
    }

    /// Lane l at row l mod `rows`, pack l / `rows`: a matrix operand.
    ///
    /// # Panics
    ///
    /// With 0 rows.
    #[must_use]
    #[track_caller]
    pub const fn rows(rows: u32) -> Self {
        assert!(rows > 0, "an operand has at least one row");
        Self::ready(Ready::Blocks { rows: Some(rows), repeated: false })
    }

    /// Lane l at row l mod `rows`, always in the same pack.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[128, 64])?;
    /// let access = Placed::new(&tile, 16, Lanes::repeated_rows(16), &gfx942::ds_read_b128).unwrap();
    /// assert_eq!(access.touched(0).unwrap().coordinate(17).unwrap(), [1, 0]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// With 0 rows.
    #[must_use]
    #[track_caller]
    pub const fn repeated_rows(rows: u32) -> Self {
        assert!(rows > 0, "an operand has at least one row");
        Self::ready(Ready::Blocks { rows: Some(rows), repeated: true })
    }

    /// A table: one row an instruction. A lane takes its elements along dimension
    /// `along`. The table may be made at run time:
    ///
    /// ```
    /// use tiledesc::{List, access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// // A kernel's trace: where each lane read.
    /// let trace: Vec<[u32; 2]> = (0..64).map(|lane| [lane % 32, lane / 32 * 8]).collect();
    /// let row = std::array::from_fn(|lane| Some(List::new(&trace[lane])));
    /// let plan = Plan::naive(&[128, 64], &[64, 1]).unwrap();
    /// let rows = [row];
    /// let read = Placed::new(&plan, 16, Lanes::table(&rows, 1), &gfx942::ds_read_b128)?;
    /// assert_eq!(read.verdict()?.degree(), 8);
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// With an empty table.
    #[must_use]
    #[track_caller]
    pub const fn table(instructions: &'a [Row], along: usize) -> Self {
        assert!(!instructions.is_empty(), "a pattern has at least one instruction");
        Self::of(LaneRule::Table { instructions, along })
    }

    /// The accesses of a distribution: all of wave 0, then those of wave 1, and so on. A lane takes its
    /// elements along the last dimension along which it holds enough of them and the layout keeps them
    /// together.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, distribution::Encoding, pattern::Lanes};
    ///
    /// let fetch = Encoding::named(
    ///     &[],
    ///     &[("m", &[("wave", 4), ("row", 8), ("again", 4)]), ("k", &[("chunk", 8), ("half", 8)])],
    ///     &["wave"],
    ///     &["row", "chunk"],
    ///     &["again", "half"],
    /// )?;
    /// let rows = Plan::naive(&[128, 64], &[64, 1])?;
    /// let writes = Placed::new(&rows, 16, Lanes::distributed(&fetch), &gfx942::ds_write_b128)?;
    /// assert_eq!(writes.instructions(), 16);
    /// // Wave 1, its access 2, lane 9: row 1 * 32 + 1 * 4 + 2, chunk 1.
    /// assert_eq!(writes.touched(4 + 2)?.coordinate(9).unwrap(), [38, 8]);
    /// assert_eq!(writes.verdict()?.degree(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn distributed(encoding: &'a Encoding) -> Self {
        Self::of(LaneRule::Distributed(encoding))
    }

    /// The same of a type; a distribution that cannot be is refused where the pattern is laid over
    /// a layout.
    ///
    /// ```
    /// use tiledesc::distribution::ThreadRaked;
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes, prelude::*};
    ///
    /// type Fetch = ThreadRaked<U128, U64, U8, U4>;
    /// // Rows of 64 with 8 elements of padding.
    /// let rows = Plan::naive(&[128, 64], &[72, 1])?;
    /// let lanes = Lanes::of_distribution::<Fetch>();
    /// let writes = Placed::new(&rows, 16, lanes, &gfx942::ds_write_b128)?;
    /// // 4 waves of 4 writes each; lane 9 of the first takes the second 8 of row 4.
    /// assert_eq!(writes.instructions(), 16);
    /// assert_eq!(writes.touched(0)?.coordinate(9).unwrap(), [4, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn of_distribution<T: Distribution + ?Sized>() -> Lanes<'static> {
        let mut lanes = match const { &T::ENCODING } {
            Ok(encoding) => Lanes::distributed(encoding),
            Err(fault) => Lanes::of(LaneRule::Refused(fault)),
        };
        if let Some(operand) = T::OPERAND_OF {
            lanes.feeds = Feeds::One(operand);
        }
        lanes
    }

    /// The distribution that the pattern is on a tile, in all its instructions over it: accesses
    /// of `pack` elements by `lanes` lanes. So what was judged as a pattern can be held by a kernel:
    ///
    /// ```
    /// use tiledesc::distribution::{Distribution, DistributionError, Encoding};
    /// use tiledesc::{chip::gfx942, pattern::Lanes, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_conflict_free! { ABlock on gfx942: read ds_read_b128 by MfmaRows<16>; }
    ///
    /// /// All that `MfmaRows<16>` reads: m [8, 16], k [2, 4, 8].
    /// struct Held;
    /// impl Distribution for Held {
    ///     const ENCODING: Result<Encoding, DistributionError> =
    ///         Ok(Lanes::rows(16).distribution(&[128, 64], 8, 64).unwrap());
    /// }
    /// assert_eq!((Held::LANES_PER_WAVE, Held::ELEMENTS), (64, 128));
    /// // Lane 17 of instruction 9, and the last element of its pack.
    /// assert_eq!(Held::coordinate(0, 17, 9 * 8 + 7), [17, 47]);
    /// type Reads = Accesses<Held, ABlock, VectorSize<8>>;
    /// assert_eq!((Reads::COUNT, Reads::ADDRESSING.registers()), (16, 2));
    /// // 8 instructions of 16 rows are 128 of the 136.
    /// assert_eq!(Lanes::rows(16).distribution(&[136, 64], 8, 64), None);
    /// ```
    ///
    /// `None` where it is none: lanes leave the tile, elements are touched by no instruction or by
    /// two (the lanes of one may share them), the pattern is a table or a distribution of another tile.
    #[must_use]
    pub const fn distribution(&self, tile: &[u32], pack: u32, lanes: u32) -> Option<Encoding> {
        match List::from_slice(tile) {
            Ok(tile) if pack > 0 && lanes > 0 && tile.elements() > 0 => {
                self.over(&Reach { along: self.along(tile.len()), tile, pack, lanes })
            }
            _ => None,
        }
    }

    /// The same of what an instruction takes.
    pub(crate) const fn over(&self, reach: &Reach) -> Option<Encoding> {
        match self.rule {
            LaneRule::Ready(ready) if ready.takes(reach) => {
                ready.walk(reach, !self.is_first).encoding(reach)
            }
            LaneRule::Distributed(encoding) if !self.is_first && encoding.is_over(reach) => {
                Some(*encoding)
            }
            _ => None,
        }
    }

    /// The distribution, if the pattern was made of one.
    pub(crate) const fn encoding(&self) -> Result<Option<&'a Encoding>, &'a DistributionError> {
        match self.rule {
            LaneRule::Distributed(encoding) => Ok(Some(encoding)),
            LaneRule::Refused(fault) => Err(fault),
            LaneRule::Ready(_) | LaneRule::Table { .. } => Ok(None),
        }
    }

    /// The rows of a table; of any other pattern none.
    pub(crate) const fn table_rows(&self) -> &'a [Row] {
        match self.rule {
            LaneRule::Table { instructions, .. } if self.is_first => instructions.split_at(1).0,
            LaneRule::Table { instructions, .. } => instructions,
            _ => &[],
        }
    }

    /// The first of its instructions alone: of a distribution, access 0 of wave 0. See [`First`].
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// // 40 rows are two and a half times 16.
    /// let rows = Plan::naive(&[40, 64], &[72, 1])?;
    /// let placed = |lanes| Placed::new(&rows, 16, lanes, &gfx942::ds_read_b128);
    /// assert_eq!(placed(Lanes::rows(16).first())?.instructions(), 1);
    /// assert!(placed(Lanes::rows(16))?.verdict().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn first(mut self) -> Self {
        self.is_first = true;
        self
    }

    /// The same as the operand that its name says it is, of which a matrix instruction must have as many rows.
    const fn of_a_matrix(mut self) -> Self {
        self.feeds = Feeds::Rows;
        self
    }

    /// The rows of the operand that it reads, if it is one.
    pub(crate) const fn operand_rows(&self) -> Option<u32> {
        match self.rule {
            LaneRule::Ready(Ready::Blocks { rows, repeated: false }) => rows,
            _ => None,
        }
    }

    /// The same for an operand with the given number of rows.
    pub(crate) const fn with_operand_rows(mut self, rows: u32) -> Self {
        self.rule = LaneRule::Ready(Ready::Blocks { rows: Some(rows), repeated: false });
        self
    }

    /// Whether it is the first instruction alone.
    pub(crate) const fn is_first(&self) -> bool {
        self.is_first
    }

    /// Whether it is what lanes hold of an operand, by its name.
    pub(crate) const fn is_operand(&self) -> bool {
        matches!(self.feeds, Feeds::One(_))
    }

    /// Why no matrix instruction is fed by such an access.
    pub(crate) const fn misfit(&self, instruction: &Instruction) -> Option<Misfit> {
        match (self.feeds, self.rule) {
            (Feeds::Rows, LaneRule::Ready(ready)) => {
                let wave = instruction.service().phases.wave() as u32;
                match ready.misfit(wave) {
                    Some(rows) => Some(Misfit::Operand { rows, wave }),
                    None => None,
                }
            }
            (Feeds::One(operand), _) if !operand.is_on(instruction.chip()) => {
                let (chip, OperandOf { name, chips }) = (instruction.chip(), *operand);
                Some(Misfit::OtherChip { operand: name, chips, chip })
            }
            _ => None,
        }
    }

    /// The dimension along which a lane takes its elements.
    pub(crate) const fn along(&self, rank: usize) -> usize {
        match self.rule {
            LaneRule::Ready(ready) => ready.along(rank),
            LaneRule::Table { along, .. } => along,
            LaneRule::Distributed(_) | LaneRule::Refused(_) => rank.saturating_sub(1),
        }
    }

    /// Whether the pattern has a meaning for tiles of any rank.
    pub(crate) const fn takes_any_rank(&self) -> bool {
        !matches!(self.rule, LaneRule::Ready(ready) if !ready.takes_any_rank())
    }

    /// Whether a lane's coordinate counts whole packs of the tile.
    pub(crate) const fn takes_packs(&self) -> bool {
        matches!(self.rule, LaneRule::Ready(ready) if ready.takes_packs())
    }

    /// What one instruction of a ready-made pattern covers of a tile: rows and columns, or 0 and how many elements
    /// in order.
    pub(crate) const fn covers(&self, reach: &Reach) -> Option<[u32; 2]> {
        match self.rule {
            LaneRule::Ready(ready) => Some(ready.covers(reach)),
            _ => None,
        }
    }

    /// What each lane touches of a tile, but for a table's.
    pub(crate) const fn walk(&self, reach: &Reach) -> Walk {
        match self.rule {
            LaneRule::Ready(ready) => ready.walk(reach, !self.is_first),
            LaneRule::Distributed(encoding) if self.is_first => {
                encoding.walk(reach.along, reach.pack).first()
            }
            LaneRule::Distributed(encoding) => encoding.walk(reach.along, reach.pack),
            LaneRule::Table { .. } => {
                Walk::new(0, reach.lanes).of(self.table_rows().len() as u64, false)
            }
            LaneRule::Refused(_) => Walk::new(0, reach.lanes),
        }
    }
}

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
}

/// Each distribution of this crate is the pattern of its accesses, and so is each that
/// `distribution!` makes. Not every type that is one: then a type of one's own could not be both.
macro_rules! distributions {
    ($($Name:ident<$($P:ident),+>;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($P),+> Pattern for $Name<$($P),+>
        where
            Self: Distribution,
        {
            const LANES: Lanes<'static> = Lanes::of_distribution::<Self>();
        }
    )*};
}

distributions! {
    Encoded<Rs, Hs, PsMajor, PsMinor, YsMajor, YsMinor>;
    ThreadRaked<Y, X, V, W, L>;
    WarpRaked<Y, X, V, W, L>;
    BlockRaked<Y, X, V, W, L>;
    Within<Outer, Inner>;
    Shuffled<T>;
    Transposed<T>;
}

/// A pattern by its value, `MfmaRows::<16>`, where lanes are taken.
impl<P: Pattern> From<P> for Lanes<'static> {
    fn from(_: P) -> Self {
        P::LANES
    }
}

#[diagnostic::do_not_recommend]
impl<T, const DIM: usize> Pattern for Reduced<T, DIM>
where
    Self: Distribution,
{
    const LANES: Lanes<'static> = Lanes::of_distribution::<Self>();
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
    /// The rows that lanes supply to `ldmatrix` and `stmatrix`: lane l row l mod R,
    /// pack l / R, packs of 16 bytes. R is 16 for the operand A of an `mma` of 16
    /// rows, 8 for B of 8 columns. The operand itself says them too: `ldmatrix_x4 by` [`mma::A<..>`](crate::matrix::mma::A).
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
}

/// Patterns of your own, by a formula. A table of the run time is [`Lanes::table`].
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
    // `__pattern!` has the legend of what is handed on.
    // No further pattern.
    () => {};
    // A condition of one declaration, which would be one of half of what it becomes.
    ($(#[doc = $doc:expr])* #[cfg $condition:tt] $($rest:tt)*) => {
        $crate::__cfg_inside! { "pattern" }
    };
    // With constants as parameters, or none.
    (
        $(#[$doc:meta])*
        $vis:vis $Name:ident $(<$(const $C:ident: $T:ident),+ $(,)?>)?
        ($lane:ident $(, $step:ident in $steps:expr)?) => [$($index:expr),+ $(,)?]
        $(if $active:expr)? $(, along $along:expr)?;
        $($rest:tt)*
    ) => {
        $crate::__pattern! {
            [$(#[$doc])*] [$vis] $Name [$($(const $C: $T),+)?] [$($($C),+)?] [;]
            [$lane $($step, $steps)?] [$($index),+] [$($active)?] [$($along)?]
        }
        $crate::pattern! { $($rest)* }
    };
    // With numbers as parameters, which the type must hold.
    (
        $(#[$doc:meta])*
        $vis:vis $Name:ident <$($N:ident: Number),+ $(,)?>
        ($lane:ident $(, $step:ident in $steps:expr)?) => [$($index:expr),+ $(,)?]
        $(if $active:expr)? $(, along $along:expr)?;
        $($rest:tt)*
    ) => {
        $crate::__pattern! {
            [$(#[$doc])*] [$vis] $Name [$($N: $crate::Number),+] [$($N),+]
            [(::core::marker::PhantomData<($($N,)+)>);]
            [$lane $($step, $steps)?] [$($index),+] [$($active)?] [$($along)?]
        }
        $crate::pattern! { $($rest)* }
    };
    // Not of the form.
    ($Name:ident $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "pattern `", ::core::stringify!($Name), "`: write `Name(lane) => [index, index];`, with `, step in 4` ",
            "behind the lane, `if condition` or `, along 0` behind the coordinate"
        ));
    };
}

/// One pattern: its table, made by the compiler.
///
/// | argument | holds |
/// |---|---|
/// | 1, 2 | attributes; visibility |
/// | `$parameters`, `$arguments` | the parameters as declared, and their names |
/// | `$body` | what follows the struct's head: `;`, or a `PhantomData` of the parameters |
/// | `$lane $step, $steps` | the names of the indices, and how many instructions there are, if it says so |
/// | `$index` | the coordinate, an expression a dimension |
/// | `$active`, `$along` | the condition of an active lane, and the dimension of the pack; or `[]` |
#[doc(hidden)]
#[macro_export]
macro_rules! __pattern {
    (
        [$(#[$doc:meta])*] [$vis:vis] $Name:ident [$($parameters:tt)*] [$($arguments:tt)*]
        [$($body:tt)*] [$lane:ident $($step:ident, $steps:expr)?] [$($index:expr),+]
        [$($active:expr)?] [$($along:expr)?]
    ) => {
        $crate::__declared! { {$Name}
            $(#[$doc])*
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            $vis struct $Name<$($parameters)*> $($body)*
        }

        impl<$($parameters)*> $Name<$($arguments)*> {
            /// The coordinate of each lane, instruction by instruction.
            const TABLE: [$crate::pattern::Row; $crate::__or!([$($steps)?] 1)] = {
                let mut table = [
                    [::core::option::Option::None; $crate::chip::Phases::LANES];
                    $crate::__or!([$($steps)?] 1)
                ];
                let mut at = 0;
                while at < table.len() * $crate::chip::Phases::LANES {
                    let $lane = (at % $crate::chip::Phases::LANES) as u32;
                    $(let $step = (at / $crate::chip::Phases::LANES) as u32;)?
                    if $crate::__or!([$($active)?] true) {
                        table[at / $crate::chip::Phases::LANES][at % $crate::chip::Phases::LANES] =
                            ::core::option::Option::Some($crate::List::new(&[$($index),+]));
                    }
                    at += 1;
                }
                table
            };
            /// The number of indices.
            const RANK: usize = [$(::core::stringify!($index)),+].len();
        }

        impl<$($parameters)*> $crate::pattern::Pattern for $Name<$($arguments)*> {
            const LANES: $crate::pattern::Lanes<'static> = $crate::pattern::Lanes::table(
                &Self::TABLE,
                $crate::__or!([$($along)?] Self::RANK - 1),
            );
        }
    };
}

/// `$given`, or `$else` where the brackets are empty.
#[doc(hidden)]
#[macro_export]
macro_rules! __or {
    ([$given:expr] $else:expr) => {
        $given
    };
    ([] $else:expr) => {
        $else
    };
}
