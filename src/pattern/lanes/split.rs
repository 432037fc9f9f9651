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

use super::{LaneRule, Lanes};
use crate::distribution::{Encoding, Reach, Walk};
use crate::pattern::Pattern;

/// In how many parts an access is done, and which lanes take them in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) count: u32,
    /// By what a lane's number is divided to cross the parts; 0 if they are in order.
    pub(crate) lane: u32,
}

impl Parts {
    /// As many vectors of a row as a wave has lanes.
    const MOST: u32 = 64;

    /// An access by one instruction.
    pub(super) const WHOLE: Self = Self { count: 1, lane: 0 };

    pub(super) const fn are_crossed(self) -> bool {
        self.lane != 0
    }

    /// What all parts take together; `None` of an access that is not in parts.
    pub(super) const fn widened(self, reach: &Reach) -> Option<Reach> {
        match self.count {
            1 => None,
            count => Some(Reach { pack: reach.pack.saturating_mul(count), ..*reach }),
        }
    }
}

impl<'a> Lanes<'a> {
    /// Each access in `parts` instructions of a part of its bytes: in the i-th lane l moves part i, or, if `lane` is not
    /// 0, part i ^ l / `lane` % `parts`. A lane holds what it would by one wide instruction.
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
    /// `None` of a table, whose rows name each part themselves, of parts that are split already, and unless `parts` is
    /// a power of two from 2 to 64 and `lane` 0 or one below 64.
    #[must_use]
    pub const fn split(self, parts: u32, lane: u32) -> Option<Self> {
        let is_known = parts.is_power_of_two() && 1 < parts && parts <= Parts::MOST;
        if !is_known || self.parts.count > 1 || lane != 0 && !(lane.is_power_of_two() && lane < 64)
        {
            return None;
        }
        if matches!(self.rule, LaneRule::Table { .. }) {
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
        let walk = match self.wide(wide) {
            Some(encoding) => encoding.walk_in_parts(reach.along, reach.pack, [count, lane]),
            None => None,
        };
        match walk {
            Some(walk) if self.is_first => walk.first(),
            Some(walk) => walk,
            None => Walk::new(0, reach.lanes),
        }
    }

    /// All wide accesses as a distribution.
    const fn wide(&self, wide: &Reach) -> Option<Encoding> {
        Self { parts: Parts::WHOLE, is_first: false, ..*self }.over(wide)
    }
}

/// The accesses of `P`, each done by `PARTS` instructions of a part of its bytes: in the i-th of them lane l moves part
/// i ^ l / `LANE` % `PARTS`, or part i if `LANE` is 0. So a statement can ask whether two narrow instructions do better
/// than the wide one, where the lanes must hold the same:
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
/// as by `P`. A table ([`pattern!`](crate::pattern!)) says its parts row by row, and does not compile here.
#[derive(Clone, Copy, Debug)]
pub struct Split<P, const PARTS: u32, const LANE: u32>(pub P);

#[diagnostic::do_not_recommend]
impl<P: Pattern, const PARTS: u32, const LANE: u32> Pattern for Split<P, PARTS, LANE> {
    const LANES: Lanes<'static> = match P::LANES.split(PARTS, LANE) {
        Some(lanes) => lanes,
        None => panic!(
            "Split<P, PARTS, LANE>: PARTS is a power of two from 2 to 64, LANE is 0 or one below 64, and P is neither a table nor split already"
        ),
    };
}
