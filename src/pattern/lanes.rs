//! A pattern as data: a rule by which each lane of each instruction has a coordinate.
//!
//! | rule | made by | is a distribution |
//! |---|---|---|
//! | ready-made, digits of lane and instruction | [`Lanes::rows`], [`Lanes::row_major`], .. | where it divides the tile |
//! | a distribution | [`Lanes::distributed`] | yes |
//! | a table, a coordinate a lane | [`Lanes::table`], [`pattern!`](crate::pattern!) | no |

mod split;

use super::ready::Ready;
use crate::distribution::{
    Distribution, DistributionError, Encoding, MOST_LANES, OperandOf, Reach, Walk,
};
pub use split::Split;
pub(crate) use split::{Parts, Table};
use tiledesc_transforms::List;

/// The coordinate that each lane touches first; the instruction's width gives the number of elements from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<'a> {
    rule: LaneRule<'a>,
    /// The first instruction alone, and not all that it takes to visit the tile.
    is_first: bool,
    feeds: Feeds,
    /// Whether each access is done in parts.
    parts: Parts,
}

/// The matrix instructions whose operand a pattern is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feeds {
    /// None: it may be any access.
    Any,
    /// One with this many rows.
    Rows,
    /// This one.
    One(&'static OperandOf),
}

/// The lanes of one instruction of a table: coordinates, `None` for an inactive
/// lane.
pub type Row = [Option<List>; MOST_LANES];

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
    const fn new(rule: LaneRule<'a>) -> Self {
        Self { rule, is_first: false, feeds: Feeds::Any, parts: Parts::WHOLE }
    }

    const fn ready(ready: Ready) -> Self {
        Self::new(LaneRule::Ready(ready))
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
        Self::ready(Ready::InOrder { first_is_fastest: false })
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
        Self::ready(Ready::InOrder { first_is_fastest: true })
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
        Self::ready(Ready::Column)
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
        Self::ready(Ready::Strided { stride })
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
        Self::ready(Ready::Blocks { rows, repeated: false })
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
        Self::ready(Ready::Blocks { rows, repeated: true })
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
        Self::new(LaneRule::Table { instructions, along })
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
        Self::new(LaneRule::Distributed(encoding))
    }

    /// Returns the lanes of a distribution type; an invalid one is refused where the pattern is laid over a layout.
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
            Err(fault) => Lanes::new(LaneRule::Refused(fault)),
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
    /// The distribution is of what lanes address; by `ldmatrix` and the like they hold something else: see
    /// [`Placed::distribution`](crate::access::Placed::distribution).
    ///
    /// `None` where no distribution is equal to the pattern: lanes leave the tile, elements are touched by no instruction or by
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

    /// Returns the distribution of what these lanes address over a given reach.
    pub(crate) const fn over(&self, reach: &Reach) -> Option<Encoding> {
        match self.parts.widened(reach) {
            Some(_) if self.parts.are_crossed() => None,
            Some(wide) => Self { parts: Parts::WHOLE, ..*self }.over(&wide),
            None => self.whole_over(reach),
        }
    }

    /// Returns the distribution of accesses that are not in parts.
    const fn whole_over(&self, reach: &Reach) -> Option<Encoding> {
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

    /// Returns whether the pattern is made of a distribution, so that lanes hold the same elements by any instruction.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, pattern::Lanes, prelude::*};
    ///
    /// assert!(Lanes::of_distribution::<mma::A<U16, U2>>().is_distributed());
    /// assert!(!Lanes::rows(16).is_distributed());
    /// ```
    #[must_use]
    pub const fn is_distributed(&self) -> bool {
        matches!(self.rule, LaneRule::Distributed(_))
    }

    /// The rows of a table; of any other pattern none.
    pub(crate) const fn table_rows(&self) -> Table<'a> {
        match self.rule {
            LaneRule::Table { instructions, .. } => {
                Table::new(instructions, self.is_first, self.parts)
            }
            _ => Table::NONE,
        }
    }

    /// The first of its instructions alone: of a distribution, access 0 of wave 0. See [`First`](super::First).
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

    /// Returns the lanes as the operand of their name; a matrix instruction must have as many rows.
    pub(super) const fn of_a_matrix(mut self) -> Self {
        self.feeds = Feeds::Rows;
        self
    }

    /// The rows of the operand of a matrix instruction that [`Lanes::rows`] reads; of any other pattern `None`.
    ///
    /// ```
    /// use tiledesc::pattern::Lanes;
    ///
    /// assert_eq!(Lanes::rows(16).operand_rows(), Some(16));
    /// assert_eq!(Lanes::rows(16).with_operand_rows(32).operand_rows(), Some(32));
    /// assert_eq!(Lanes::row_major().operand_rows(), None);
    /// ```
    #[must_use]
    pub const fn operand_rows(&self) -> Option<u32> {
        match self.rule {
            LaneRule::Ready(Ready::Blocks { rows, repeated: false }) => Some(rows),
            _ => None,
        }
    }

    /// Returns these lanes for an operand with the given number of rows: see [`operand_rows`](Self::operand_rows).
    #[must_use]
    pub const fn with_operand_rows(mut self, rows: u32) -> Self {
        self.rule = LaneRule::Ready(Ready::Blocks { rows, repeated: false });
        self
    }

    /// Returns whether the pattern is the first instruction alone, of a tile whose other instructions are not stated.
    ///
    /// ```
    /// use tiledesc::pattern::Lanes;
    ///
    /// assert_eq!([Lanes::rows(16), Lanes::rows(16).first()].map(|lanes| lanes.is_first()), [false, true]);
    /// ```
    #[must_use]
    pub const fn is_first(&self) -> bool {
        self.is_first
    }

    /// The matrix instruction whose operand the pattern is, if it names one.
    pub(crate) const fn operand(&self) -> Option<&'static OperandOf> {
        match self.feeds {
            Feeds::One(operand) => Some(operand),
            Feeds::Any | Feeds::Rows => None,
        }
    }

    /// Returns the rows of the operand if no matrix instruction of such a wave has as many.
    pub(crate) const fn rows_beyond(&self, wave: u32) -> Option<u32> {
        match (self.feeds, self.rule) {
            (Feeds::Rows, LaneRule::Ready(ready)) => ready.misfit(wave),
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

    /// Returns whether the pattern has a meaning for tiles of any rank.
    pub(crate) const fn takes_any_rank(&self) -> bool {
        !matches!(self.rule, LaneRule::Ready(ready) if !ready.takes_any_rank())
    }

    /// Returns whether a lane's coordinate counts whole packs of the tile.
    pub(crate) const fn takes_packs(&self) -> bool {
        matches!(self.rule, LaneRule::Ready(ready) if ready.takes_packs())
    }

    /// The part of a tile that one instruction of a ready-made pattern covers: rows and columns, or 0 and the number of elements
    /// in order.
    pub(crate) const fn covers(&self, reach: &Reach) -> Option<[u32; 2]> {
        match self.rule {
            LaneRule::Ready(ready) => Some(ready.covers(reach)),
            _ => None,
        }
    }

    /// The number of bits of a lane's number that count rows, and of those after them that count packs, in the order of a tile
    /// whose rows are a power of two; `None` where only a [walk](Self::walk) decides it. Packs and lanes are powers of two.
    pub(crate) const fn lane_bits(&self, tile: List, pack: u32, lanes: u32) -> Option<[u32; 2]> {
        match self.rule {
            LaneRule::Ready(ready) if self.parts.count == 1 => {
                ready.lane_bits(&tile, pack, lanes, !self.is_first)
            }
            _ => None,
        }
    }

    /// Returns the walk of the lanes over a tile, but for a table's.
    pub(crate) const fn walk(&self, reach: &Reach) -> Walk {
        if let LaneRule::Table { .. } = self.rule {
            return Walk::new(0, reach.lanes)
                .with_instructions(self.table_rows().len() as u64, false);
        }
        if let Some(wide) = self.parts.widened(reach) {
            return self.walk_in_parts(reach, &wide);
        }
        match self.rule {
            LaneRule::Ready(ready) => ready.walk(reach, !self.is_first),
            LaneRule::Distributed(encoding) if self.is_first => {
                encoding.walk(reach.along, reach.pack).first()
            }
            LaneRule::Distributed(encoding) => encoding.walk(reach.along, reach.pack),
            LaneRule::Table { .. } | LaneRule::Refused(_) => Walk::new(0, reach.lanes),
        }
    }
}
