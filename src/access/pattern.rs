//! Patterns: which coordinate each lane of a wave touches in one instruction.
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
//! | pattern | lane l touches | the whole tile |
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
//! ([`ColumnMajor`]: the first). [`Whole<P>`](Whole) is a pattern in all
//! instructions that cover the tile.

use crate::access::distribution::{
    BlockRaked, Distribution, DistributionError, Encoded, Encoding, Reduced, Shuffled, ThreadRaked,
    Transposed, WarpRaked, Within,
};
use crate::chip::phases::Phases;
use tiledesc_transforms::List;

/// Which coordinate each lane touches first; the instruction's width says how
/// many elements it takes from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<'a> {
    walk: Walk<'a>,
    whole: bool,
}

/// The lanes of one instruction of a table: coordinates, `None` for an inactive
/// lane.
pub type Row = [Option<List>; Phases::LANES];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk<'a> {
    RowMajor,
    ColumnMajor,
    Column,
    Strided {
        stride: u32,
    },
    Diagonal,
    Rows {
        rows: u32,
        repeated: bool,
    },
    Table {
        instructions: &'a [Row],
        along: usize,
    },
    Distributed(&'a Encoding),
    /// A distribution that cannot be: refused where the pattern is laid over a layout.
    Refused(&'a DistributionError),
}

/// A tile, and what one instruction takes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) tile: List,
    /// The dimension along which a lane takes its elements.
    pub(crate) along: usize,
    /// Elements that a lane takes along it.
    pub(crate) pack: u32,
    /// Lanes that supply an address.
    pub(crate) lanes: u32,
}

impl<'a> Lanes<'a> {
    const fn of(walk: Walk<'a>) -> Self {
        Self { walk, whole: false }
    }

    /// Consecutive packs along the last dimension, then the next row. Tiles
    /// of any rank.
    #[must_use]
    pub const fn row_major() -> Self {
        Self::of(Walk::RowMajor)
    }

    /// Consecutive packs along dimension 0, then the next column. Tiles of
    /// any rank.
    #[must_use]
    pub const fn column_major() -> Self {
        Self::of(Walk::ColumnMajor)
    }

    /// Lane l at row l, column 0.
    #[must_use]
    pub const fn column() -> Self {
        Self::of(Walk::Column)
    }

    /// Lane l at element l * `stride`, in row-major order. Tiles of any rank.
    #[must_use]
    pub const fn strided(stride: u32) -> Self {
        Self::of(Walk::Strided { stride })
    }

    /// Lane l at row l and pack l, counted around the row.
    #[must_use]
    pub const fn diagonal() -> Self {
        Self::of(Walk::Diagonal)
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
        Self::of(Walk::Rows { rows, repeated: false })
    }

    /// Lane l at row l mod `rows`, always in the same pack.
    ///
    /// # Panics
    ///
    /// With 0 rows.
    #[must_use]
    #[track_caller]
    pub const fn repeated_rows(rows: u32) -> Self {
        assert!(rows > 0, "an operand has at least one row");
        Self::of(Walk::Rows { rows, repeated: true })
    }

    /// A table: one row an instruction. A lane takes its elements along dimension
    /// `along`. The table may be made at run time:
    ///
    /// ```
    /// use tiledesc::{List, Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// // A kernel's trace: where each lane read.
    /// let trace: Vec<[u32; 2]> = (0..64).map(|lane| [lane % 32, lane / 32 * 8]).collect();
    /// let row = std::array::from_fn(|lane| Some(List::new(&trace[lane])));
    /// let plan = Plan::naive(&[128, 64], &[64, 1]).unwrap();
    /// let rows = [row];
    /// let read = Placed::new(&plan, 16, Lanes::table(&rows, 1), &gfx942::ds_read_b128)?;
    /// assert_eq!(read.verdict()?.degree(), 8);
    /// # Ok::<(), tiledesc::AccessError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// With an empty table.
    #[must_use]
    #[track_caller]
    pub const fn table(instructions: &'a [Row], along: usize) -> Self {
        assert!(!instructions.is_empty(), "a pattern has at least one instruction");
        Self::of(Walk::Table { instructions, along })
    }

    /// What lanes touch that hold a tile as a distribution says: all accesses of wave 0, then
    /// those of wave 1, and so on. A lane takes its elements along the last dimension along
    /// which it holds enough of them and the layout keeps them together.
    ///
    /// ```
    /// use tiledesc::{Placed, Plan, chip::gfx942, distribution::Encoding, pattern::Lanes};
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
        Self::of(Walk::Distributed(encoding))
    }

    /// The same of a type; a distribution that cannot be is refused where the pattern is laid over
    /// a layout.
    #[must_use]
    pub const fn of_distribution<T: Distribution + ?Sized>() -> Lanes<'static> {
        match const { &T::ENCODING } {
            Ok(encoding) => Lanes::distributed(encoding),
            Err(fault) => Lanes::of(Walk::Refused(fault)),
        }
    }

    /// The distribution, if the pattern is one.
    pub(crate) const fn encoding(&self) -> Result<Option<&'a Encoding>, &'a DistributionError> {
        match self.walk {
            Walk::Distributed(encoding) => Ok(Some(encoding)),
            Walk::Refused(fault) => Err(fault),
            _ => Ok(None),
        }
    }

    /// The number of waves whose instructions these are: of other patterns, one for all.
    pub(crate) const fn waves(&self) -> u32 {
        match self.walk {
            Walk::Distributed(encoding) => encoding.waves(),
            _ => 1,
        }
    }

    /// The same in all instructions that cover the tile, and not in the first only.
    #[must_use]
    pub const fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// The dimension along which a lane takes its elements.
    pub(crate) const fn along(&self, rank: usize) -> usize {
        match self.walk {
            Walk::ColumnMajor => 0,
            Walk::Table { along, .. } => along,
            _ => rank.saturating_sub(1),
        }
    }

    /// Whether the pattern has a meaning for tiles of any rank.
    pub(crate) const fn takes_any_rank(&self) -> bool {
        use Walk::{ColumnMajor, Distributed, RowMajor, Strided, Table};
        matches!(self.walk, RowMajor | ColumnMajor | Strided { .. } | Table { .. } | Distributed(_))
    }

    /// Whether a lane's coordinate counts whole packs of the tile.
    pub(crate) const fn takes_packs(&self) -> bool {
        use Walk::{Distributed, Strided, Table};
        !matches!(self.walk, Strided { .. } | Table { .. } | Distributed(_))
    }

    /// The number of instructions.
    pub(crate) const fn instructions(&self, reach: &Reach) -> u64 {
        if let Walk::Table { instructions, .. } = self.walk {
            return instructions.len() as u64;
        }
        if let Walk::Distributed(encoding) = self.walk {
            return encoding.waves() as u64 * (encoding.elements() / reach.pack) as u64;
        }
        if !self.whole {
            return 1;
        }
        let (lanes, pack) = (reach.lanes as u64, reach.pack as u64);
        match self.walk {
            Walk::RowMajor | Walk::ColumnMajor => reach.elements().div_ceil(pack * lanes),
            Walk::Strided { stride: 0 }
            | Walk::Table { .. }
            | Walk::Distributed(_)
            | Walk::Refused(_) => 1,
            Walk::Strided { stride } => reach.elements().div_ceil(stride as u64 * lanes),
            Walk::Diagonal => (reach.tile.at(0) as u64).div_ceil(lanes),
            Walk::Column => reach.blocks(reach.lanes, reach.pack),
            Walk::Rows { rows, repeated } => reach.blocks(rows, reach.depth(rows, repeated)),
        }
    }

    /// Whether each bit of a lane's number adds bits of its own to the coordinate, and each
    /// instruction further ones, all within the tile. So it is where lengths that are divided
    /// by are powers of two, and the instructions fill the tile.
    pub(crate) const fn is_linear(&self, reach: &Reach) -> bool {
        if !reach.lanes.is_power_of_two() || !reach.pack.is_power_of_two() {
            return false;
        }
        match self.walk {
            Walk::RowMajor => reach.is_counted(reach.pack, self.whole, false),
            Walk::ColumnMajor => reach.is_counted(reach.pack, self.whole, true),
            Walk::Strided { stride } => {
                let packs = stride.is_multiple_of(reach.pack) && stride.is_power_of_two();
                packs && reach.is_counted(stride, self.whole, false)
            }
            Walk::Diagonal => {
                let packs = (reach.tile.at(1) / reach.pack).is_power_of_two();
                packs && reach.is_filled([reach.lanes, reach.pack], self.whole)
            }
            Walk::Column => reach.is_filled([reach.lanes, reach.pack], self.whole),
            Walk::Rows { rows, repeated } => {
                let block = [rows, reach.depth(rows, repeated)];
                rows.is_power_of_two() && reach.is_filled(block, self.whole)
            }
            Walk::Distributed(encoding) => encoding.is_linear(),
            Walk::Table { .. } | Walk::Refused(_) => false,
        }
    }

    /// The coordinate that a lane touches first in an instruction; outside the tile
    /// if that is too small. `None` for an inactive lane.
    pub(crate) const fn coordinate(&self, step: u32, lane: u32, reach: &Reach) -> Option<List> {
        if let Walk::Distributed(encoding) = self.walk {
            return Some(reach.held(encoding, step, lane));
        }
        let number = reach.number(step, lane);
        Some(match self.walk {
            Walk::RowMajor => reach.linear(number, reach.pack, false),
            Walk::ColumnMajor => reach.linear(number, reach.pack, true),
            Walk::Strided { stride } => reach.linear(number.saturating_mul(stride), 1, false),
            Walk::Diagonal => {
                let packs = reach.tile.at(1) / reach.pack;
                List::pair(number, number % packs * reach.pack)
            }
            Walk::Column => reach.block(step, [reach.lanes, reach.pack], [lane, 0]),
            Walk::Rows { rows, repeated } => {
                let pack = if repeated { 0 } else { lane / rows };
                let within = [lane % rows, pack * reach.pack];
                reach.block(step, [rows, reach.depth(rows, repeated)], within)
            }
            Walk::Table { instructions, .. } => return instructions[step as usize][lane as usize],
            Walk::Distributed(_) | Walk::Refused(_) => return None,
        })
    }
}

impl Reach {
    /// The number of a lane, counted over all instructions.
    const fn number(&self, step: u32, lane: u32) -> u32 {
        if step == 0 { lane } else { step.saturating_mul(self.lanes).saturating_add(lane) }
    }

    const fn elements(&self) -> u64 {
        self.tile.elements()
    }

    /// The first coordinate of a lane's access, the accesses wave by wave.
    const fn held(&self, encoding: &Encoding, step: u32, lane: u32) -> List {
        let accesses = encoding.elements() / self.pack;
        let element = encoding.first_of_access(step % accesses, self.along, self.pack);
        encoding.at([step / accesses, lane, element])
    }

    /// Whether lanes that are `distance` elements apart count within the tile and bit by bit.
    const fn is_counted(&self, distance: u32, whole: bool, first_is_fastest: bool) -> bool {
        let rank = self.tile.len();
        let fastest = self.tile.at(if first_is_fastest { 0 } else { rank - 1 });
        let slowest = if first_is_fastest { rank - 1 } else { 0 };
        let mut dimension = 0;
        while dimension < rank {
            if dimension != slowest && !self.tile.at(dimension).is_power_of_two() {
                return false;
            }
            dimension += 1;
        }
        let reach = distance as u64 * self.lanes as u64;
        let fills = self.elements().is_multiple_of(reach);
        fastest.is_multiple_of(self.pack) && if whole { fills } else { reach <= self.elements() }
    }

    /// Whether blocks of these lengths fill the tile; one block, whether it fits.
    const fn is_filled(&self, [rows, depth]: [u32; 2], whole: bool) -> bool {
        let (m, k) = (self.tile.at(0), self.tile.at(1));
        let fills = m.is_multiple_of(rows) && k.is_multiple_of(depth);
        if whole { fills } else { rows <= m && depth <= k }
    }

    /// Pack `number` of the tile, the last dimension fastest, or the first. The
    /// slowest index has no end, so that what is outside the tile is seen to be.
    const fn linear(&self, number: u32, pack: u32, first_is_fastest: bool) -> List {
        let (rank, mut index) = (self.tile.len(), self.tile);
        let (mut rest, mut unit, mut i) = (number, pack, 0);
        while i < rank {
            let dimension = if first_is_fastest { i } else { rank - 1 - i };
            let length =
                if unit == 1 { self.tile.at(dimension) } else { self.tile.at(dimension) / unit };
            i += 1;
            if i == rank || length == 0 {
                index = index.with(dimension, rest.saturating_mul(unit));
                rest = 0;
            } else {
                index = index.with(dimension, rest % length * unit);
                rest /= length;
            }
            unit = 1;
        }
        index
    }

    /// Columns that an operand of `rows` rows covers in one instruction.
    const fn depth(&self, rows: u32, repeated: bool) -> u32 {
        let packs = if repeated || rows > self.lanes { 1 } else { self.lanes / rows };
        packs.saturating_mul(self.pack)
    }

    /// Blocks of `rows` by `depth` that cover a two-dimensional tile.
    const fn blocks(&self, rows: u32, depth: u32) -> u64 {
        self.tile.at(0).div_ceil(rows) as u64 * self.tile.at(1).div_ceil(depth) as u64
    }

    /// A place within block `step`, the blocks column by column.
    const fn block(&self, step: u32, [rows, depth]: [u32; 2], within: [u32; 2]) -> List {
        // The first block, which is all that most patterns ask for.
        if step == 0 {
            return List::pair(within[0], within[1]);
        }
        let in_a_column = self.tile.at(0).div_ceil(rows);
        List::pair(
            (step % in_a_column).saturating_mul(rows).saturating_add(within[0]),
            (step / in_a_column).saturating_mul(depth).saturating_add(within[1]),
        )
    }
}

/// A pattern as a type, for [`assert_conflict_free!`](crate::assert_conflict_free!).
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

#[diagnostic::do_not_recommend]
impl<T, const DIM: usize> Pattern for Reduced<T, DIM>
where
    Self: Distribution,
{
    const LANES: Lanes<'static> = Lanes::of_distribution::<Self>();
}

/// The ready-made patterns.
macro_rules! patterns {
    ($($(#[$doc:meta])* $Name:ident $(<const $N:ident>)? = $lanes:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Name$(<const $N: u32>)?;

        impl$(<const $N: u32>)? Pattern for $Name$(<$N>)? {
            const LANES: Lanes<'static> = $lanes;
        }
    )*};
}

patterns! {
    /// A block of vectors, row by row: how a wave writes the tile it has loaded.
    RowMajor = Lanes::row_major();
    /// A block of vectors along dimension 0, column by column.
    ColumnMajor = Lanes::column_major();
    /// A column: lane l in row l. What a transpose reads.
    Column = Lanes::column();
    /// Every S-th element: lane l at element l * S of the tile in row-major order.
    Strided<const S> = Lanes::strided(S);
    /// A diagonal: lane l in row l, pack l mod packs.
    Diagonal = Lanes::diagonal();
    /// The A or B operand of a matrix instruction with `R` rows (16 or 32), packed
    /// along K: lane l reads row l mod R, pack l / R. Also of a gfx12 WMMA, in a wave
    /// of 32. Source: tables `dist_mfma_*` of CK Tile's own numbers.
    MfmaRows<const R> = Lanes::rows(R);
    /// The operand of a gfx11 WMMA with `R` rows (16): lane l reads row l mod R, and
    /// lanes from R on read what the first R do. Source: AMD GPUOpen, "How to
    /// accelerate AI applications on RDNA 3 using WMMA".
    WmmaRows<const R> = Lanes::repeated_rows(R);
    /// The rows that lanes supply to `ldmatrix` and `stmatrix`: lane l row l mod R,
    /// pack l / R, packs of 16 bytes. R is 16 for the operand A of an `mma` of 16
    /// rows, 8 for B of 8 columns.
    LdmatrixRows<const R> = Lanes::rows(R);
}

/// A pattern in all its instructions over the tile: all waves, all steps. The tile must
/// be a multiple of what they cover: 48 rows are refused by `Whole<MfmaRows<32>>`. A
/// [`Diagonal`] and a [`Strided`] touch a part of the tile, whole or not.
///
/// ```
/// use tiledesc::{chip::gfx942, prelude::*};
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let verdict = Tile::verdict::<Whole<MfmaRows<16>>>(&gfx942::ds_read_b128).unwrap();
/// assert_eq!((verdict.instructions(), verdict.degree()), (16, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Whole<P>(core::marker::PhantomData<P>);

impl<P: Pattern> Pattern for Whole<P> {
    const LANES: Lanes<'static> = P::LANES.whole();
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
    () => {};
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
    (
        $(#[$doc:meta])*
        $vis:vis $Name:ident <$($N:ident: Number),+ $(,)?>
        ($lane:ident $(, $step:ident in $steps:expr)?) => [$($index:expr),+ $(,)?]
        $(if $active:expr)? $(, along $along:expr)?;
        $($rest:tt)*
    ) => {
        $crate::__pattern! {
            [$(#[$doc])*] [$vis] $Name [$($N: $crate::Number),+] [$($N),+]
            [(core::marker::PhantomData<($($N,)+)>);]
            [$lane $($step, $steps)?] [$($index),+] [$($active)?] [$($along)?]
        }
        $crate::pattern! { $($rest)* }
    };
    ($Name:ident $($other:tt)*) => {
        compile_error!(concat!(
            "pattern `", stringify!($Name), "`: write `Name(lane) => [index, index];`, with `, step in 4` ",
            "behind the lane, `if condition` or `, along 0` behind the coordinate"
        ));
    };
}

/// One pattern: its table, made by the compiler.
#[doc(hidden)]
#[macro_export]
macro_rules! __pattern {
    (
        [$(#[$doc:meta])*] [$vis:vis] $Name:ident [$($parameters:tt)*] [$($arguments:tt)*]
        [$($body:tt)*] [$lane:ident $($step:ident, $steps:expr)?] [$($index:expr),+]
        [$($active:expr)?] [$($along:expr)?]
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $Name<$($parameters)*> $($body)*

        impl<$($parameters)*> $Name<$($arguments)*> {
            /// The coordinate of each lane, instruction by instruction.
            const TABLE: [$crate::pattern::Row; $crate::__or!([$($steps)?] 1)] = {
                let mut table = [[None; $crate::Phases::LANES]; $crate::__or!([$($steps)?] 1)];
                let mut at = 0;
                while at < table.len() * $crate::Phases::LANES {
                    let $lane = (at % $crate::Phases::LANES) as u32;
                    $(let $step = (at / $crate::Phases::LANES) as u32;)?
                    if $crate::__or!([$($active)?] true) {
                        table[at / $crate::Phases::LANES][at % $crate::Phases::LANES] =
                            Some($crate::List::new(&[$($index),+]));
                    }
                    at += 1;
                }
                table
            };
            /// The number of indices.
            const RANK: usize = [$(stringify!($index)),+].len();
        }

        impl<$($parameters)*> $crate::Pattern for $Name<$($arguments)*> {
            const LANES: $crate::pattern::Lanes<'static> = $crate::pattern::Lanes::table(
                &Self::TABLE,
                $crate::__or!([$($along)?] Self::RANK - 1),
            );
        }
    };
}

/// What is given, or else something.
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
