//! One access done as several narrower ones, so that each lane ends with the same elements.
//!
//! A lane that stores 8 bytes by `st_shared_b64` may store them by two `st_shared_b32`. A narrower pattern is something
//! else: `RowMajor` by packs of half the size gives the lanes other elements, and a kernel holds what it holds. The order
//! of the parts may depend on the lane, and then different banks are touched:
//!
//! ```text
//!   lane l, instruction i       RowMajor by b64     by b32        Split<RowMajor, 2, 0>   Split<RowMajor, 2, 4>
//!   a row of 32 floats          2l                  l + 32i       2l + i                  2l + (i ^ l / 4 % 2)
//! ```
//!
//! The pair of 4-byte stores in place of 8 is that of Dao-AILab/quack (`gemm_sm90.py`, `epi_r2s_pair_xor`).

use super::{LaneRule, Lanes, Row};
use crate::distribution::{Reach, Walk};
use crate::pattern::Pattern;
use tiledesc_transforms::List;

/// In how many parts an access is done, and which lanes take them in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) count: u32,
    /// By what a lane's number is divided to cross the parts; 0 if they are in order.
    pub(crate) lane: u32,
}

impl Parts {
    /// The largest number of parts: the vectors of a row are as many as a wave has lanes.
    const MOST: u32 = 64;

    /// An access by one instruction.
    pub(super) const WHOLE: Self = Self { count: 1, lane: 0 };

    pub(super) const fn are_crossed(self) -> bool {
        self.lane != 0
    }

    /// The reach of all parts together; `None` of an access that is not in parts.
    pub(super) const fn widened(self, reach: &Reach) -> Option<Reach> {
        match self.count {
            1 => None,
            count => Some(Reach { pack: reach.pack.saturating_mul(count), ..*reach }),
        }
    }
}

/// The rows of a table, in the order in which each lane takes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<'a> {
    rows: &'a [Row],
    /// Instructions: all of the rows, or the first alone.
    steps: usize,
    parts: Parts,
}

impl<'a> Table<'a> {
    /// The empty table, of a pattern that is not a table.
    pub(super) const NONE: Self = Self { rows: &[], steps: 0, parts: Parts::WHOLE };

    pub(super) const fn new(rows: &'a [Row], is_first: bool, parts: Parts) -> Self {
        Self { rows, steps: if is_first { 1 } else { rows.len() }, parts }
    }

    /// Returns whether the pattern is no table.
    pub(crate) const fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// The number of instructions.
    pub(crate) const fn len(&self) -> usize {
        self.steps
    }

    /// The first coordinates of all lanes in an instruction; `None` where they take rows in turns. Tables in order are read
    /// so: a call for each lane makes a statement of 69 instructions a tenth dearer.
    pub(crate) const fn row(&self, step: usize) -> Option<&'a Row> {
        if self.parts.are_crossed() || step >= self.steps { None } else { Some(&self.rows[step]) }
    }

    /// The first coordinate of a lane in an instruction; `None` if it is inactive.
    pub(crate) const fn at(&self, step: usize, lane: usize) -> &'a Option<List> {
        let turn = match self.parts.lane {
            0 => 0,
            bit => lane / bit as usize % self.parts.count as usize,
        };
        &self.rows[step ^ turn][lane]
    }
}

impl<'a> Lanes<'a> {
    /// Returns the lanes with each access in `parts` instructions of a part of its bytes: in the i-th lane l moves part i, or, if
    /// `lane` is not 0, part i ^ l / `lane` % `parts`. A lane holds what it would by one wide instruction.
    ///
    /// ```
    /// use tiledesc::{List, access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[64, 64])?;
    /// let halves = Lanes::rows(16).split(2, 4).unwrap();
    /// let read = Placed::new(&tile, 16, halves, &gfx942::ds_read_b64).unwrap();
    /// // Lane 20 holds columns 8 to 15 of row 4, and reads the second half first.
    /// let at = |step| read.touched(step).unwrap().coordinate(20).unwrap();
    /// assert_eq!((at(0), at(1)), (List::pair(4, 12), List::pair(4, 8)));
    /// assert_eq!(read.instructions(), 16);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    ///
    /// The parts of a table are its own rows: of each `parts` that follow each other lane l takes row i ^ l / `lane` %
    /// `parts` in the i-th instruction.
    ///
    /// `None` of parts that are split already, and unless `parts` is a power of two from 2 to 64 and `lane` 0 or one below
    /// 64. Of a table they are a divisor of its rows, and `lane` is not 0, which would leave it as it is.
    #[must_use]
    pub const fn split(self, parts: u32, lane: u32) -> Option<Self> {
        let is_known = parts.is_power_of_two() && 1 < parts && parts <= Parts::MOST;
        if !is_known || self.parts.count > 1 || lane != 0 && !(lane.is_power_of_two() && lane < 64)
        {
            return None;
        }
        if let LaneRule::Table { instructions, .. } = self.rule
            && (lane == 0 || !instructions.len().is_multiple_of(parts as usize))
        {
            return None;
        }
        // Not in place: rustc 1.95 hands a closure that is called twice with the same lanes what the first call has
        // made of them (https://github.com/rust-lang/rust/issues/155241).
        Some(Self { parts: Parts { count: parts, lane }, ..self })
    }

    /// In how many parts.
    pub(crate) const fn parts(&self) -> Parts {
        self.parts
    }

    /// The walk of accesses in parts, of which one alone would reach so far. No coordinates, which is refused, where the
    /// wide accesses are no distribution of the tile.
    pub(super) const fn walk_in_parts(&self, reach: &Reach, wide: &Reach) -> Walk {
        let Parts { count, lane } = self.parts;
        // What lanes hold is the same, whether all of it is moved or the first instruction's part.
        let whole = Self { parts: Parts::WHOLE, is_first: false, ..*self };
        let walk = match whole.over(wide) {
            Some(encoding) => encoding.walk_in_parts(reach.along, reach.pack, [count, lane]),
            None => None,
        };
        match walk {
            Some(walk) if self.is_first => walk.first(),
            Some(walk) => walk,
            None => Walk::new(0, reach.lanes),
        }
    }
}

/// The accesses of `P`, each done by `PARTS` instructions of a part of its bytes: in the i-th of them lane l moves part i ^ l /
/// `LANE` % `PARTS`, or part i if `LANE` is 0. A statement can thus compare two narrow instructions with the wide one, where the
/// lanes must hold the same:
///
/// ```
/// use tiledesc::{chip::sm_90::{st_shared_b32, st_shared_b64}, prelude::*};
///
/// // 128x128 floats as the 128-byte swizzle of the TMA has them, written from an accumulator of wgmma:
/// // lane l has two floats of row l / 4.
/// distribution! {
///     type Accumulator: m [row 8], n [j 4, part 4, two 2]; lane (row, part), thread (j, two);
/// }
/// layout! { type Tile = recipe::GemmXor<F32, M<8>, K<32>, KPack<4>>; }
/// assert_eq!(Tile::verdict::<Accumulator>(&st_shared_b64).unwrap().degree(), 2);
/// assert_conflict_free! { Tile on sm_90: write st_shared_b32 by Split<Accumulator, 2, 4>; }
/// // In order each half meets the same half of another row.
/// let in_order = Tile::verdict::<Split<Accumulator, 2, 0>>(&st_shared_b32).unwrap();
/// assert_eq!((in_order.instructions(), in_order.degree()), (8, 2));
/// ```
///
/// The instruction may also be the one that is there, and the parts the vectors of a lane's row: each begins at another.
///
/// ```
/// use tiledesc::{chip::sm_90::ld_shared_b32, pattern::Column, prelude::*};
///
/// // 32x32 floats, each lane reads a row. In order all lanes are in one bank.
/// layout! { type Tile = recipe::RowMajor<F32, M<32>, K<32>>; }
/// assert_eq!(Tile::verdict::<Column>(&ld_shared_b32).unwrap().degree(), 32);
/// // In the i-th read lane l takes column i ^ l.
/// assert_conflict_free! { Tile on sm_90: read ld_shared_b32 by Split<Column, 32, 1>; }
/// ```
///
/// Where an instruction hands round what it reads, as `ldmatrix` does, lanes have no parts to cross, and it is judged
/// as by `P`. Of a table ([`pattern!`](crate::pattern!)) the parts are its own instructions:
///
/// ```
/// use tiledesc::{chip::sm_90::ld_shared_b32, prelude::*};
///
/// // 32x32 floats; each lane reads two columns of its row, 16 apart, which are in one bank with those of other rows.
/// layout! { type Tile = recipe::RowMajor<F32, M<32>, K<32>>; }
/// pattern! { Two(lane, step in 2) => [lane, 16 * step]; }
/// assert_eq!(Tile::verdict::<Two>(&ld_shared_b32).unwrap().degree(), 32);
/// // Half of the lanes begin with the other column.
/// assert_eq!(Tile::verdict::<Split<Two, 2, 1>>(&ld_shared_b32).unwrap().degree(), 16);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Split<P, const PARTS: u32, const LANE: u32>(pub P);

#[diagnostic::do_not_recommend]
impl<P: Pattern, const PARTS: u32, const LANE: u32> Pattern for Split<P, PARTS, LANE> {
    const LANES: Lanes<'static> = match P::LANES.split(PARTS, LANE) {
        Some(lanes) => lanes,
        None => panic!(
            "Split<P, PARTS, LANE>: PARTS is a power of two from 2 to 64, LANE is 0 or one below 64, and P is not split already; of a table PARTS divides its rows and LANE is not 0"
        ),
    };
}
