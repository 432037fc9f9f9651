//! A direct load in a kernel: one coordinate a lane, the rest constants.
//!
//! Where a lane reads in load 0 is an xor of [columns], a shift and a mask for each group of bits that move by the same
//! distance. A further load is that, some indices further.

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

mod columns;

use self::columns::{BitMoves, all_moves, read};
use super::loading::{Loading, end_of_tile};
use super::plan::DirectLoad;
use super::refusal::DirectError;
use super::request::Order;
use super::route::SourceRoute;
use crate::access::or_nowhere;
#[cfg(debug_assertions)]
use crate::distribution::refuse_absent;
use crate::layout::Tile;
use tiledesc_transforms::{Descriptor, List, OfRank, Rank, Text, attempt, known, say, unrolled};

/// The loads that [`direct_load!`](crate::direct_load!) names.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// direct_load! { type LoadA = ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192; }
/// assert_eq!(LoadA::LOADS, 4);
/// // Wave 1 begins at row 32; its lane 9 reads pack 0 of row 33.
/// assert_eq!(LoadA::first::<2>(1, 9), [33, 0]);
/// ```
pub trait DirectLoads {
    /// The plan.
    const PLAN: Result<DirectLoad<'static>, DirectError>;

    /// The layout that is filled.
    #[doc(hidden)]
    type Filled: Tile;

    /// Loads of a lane.
    const LOADS: usize = known(&Self::PLAN).loads() as usize;

    // What is wrong is a value up to a `check_..`, with which each function of a kernel begins: a
    // constant that panics is an error of its own wherever it is named, and none of them on the user's
    // line.

    #[doc(hidden)]
    const TABULATED: Result<LoadTable, Text> = match &Self::PLAN {
        Ok(plan) => LoadTable::new(plan),
        Err(error) => Err(error.explain(Text::new())),
    };

    /// No loads of what is refused.
    #[doc(hidden)]
    const TABLE: LoadTable = match &Self::TABULATED {
        Ok(table) => *table,
        Err(_) => LoadTable::NONE,
    };

    #[doc(hidden)]
    const MOVED: Result<[BitMoves; List::CAPACITY], Text> = match &Self::PLAN {
        Ok(plan) => all_moves(plan),
        Err(error) => Err(error.explain(Text::new())),
    };

    #[doc(hidden)]
    const MOVES: [BitMoves; List::CAPACITY] = match &Self::MOVED {
        Ok(moves) => *moves,
        Err(_) => BitMoves::NONE,
    };

    /// Returns where a lane reads in load 0: the coordinate of its first element, if it has one there.
    ///
    /// `wave` and `lane` are below the numbers of waves and of lanes, which only a debug build checks. Elements
    /// larger than a unit and maps that are not xors of columns are refused where it is called, by
    /// `cargo build`; in generic code `cargo check` does not see it.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn first<const RANK: usize>(wave: u32, lane: u32) -> [u32; RANK] {
        const { check_first::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_swapped::<Self>(wave, lane);
        first::<Self, RANK>(wave, lane)
    }

    /// Calls `f` with the LDS byte of each load's base, how many steps along each dimension its source is
    /// from the lane's [`first`](Self::first), in wrapping numbers, and whether the lane loads at all;
    /// unrolled by the compiler. More than 64 loads are refused, and a load that is no such constant away,
    /// by `cargo build`: `cargo check` does not see it.
    ///
    /// A lane that is idle must not be issued: it would write what is after the tile, and read past the source; in a build with
    /// debug assertions its step along the contiguous dimension is beyond any tensor. Where the plan has no idle lane the last
    /// value is the constant `true`.
    ///
    /// A step is the same in all lanes, so that it may be a scalar. Of `GemmXor64`, gfx950's own swizzle, it is one where chunks
    /// are dealt in turn:
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type ABlock = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>; }
    /// direct_load! {
    ///     type LoadA = ABlock on gfx950: global_load_lds_b128 by 4 waves interleaved, from rows of multiples of 8;
    /// }
    /// let mut steps = Vec::new();
    /// LoadA::each_step(1, 9, |_, step: [u32; 2], _| steps.push(step));
    /// assert_eq!(steps, [[0, 0], [32, 0], [64, 0], [96, 0]]);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type ABlock = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>; }
    /// direct_load! { type LoadA = ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of multiples of 8; }
    /// LoadA::each_step(1, 9, |_, _: [u32; 2], _| ());
    /// // load 1 is load 0 xor-ed with a constant, and no step: use `each`; or deal the chunks `interleaved`, by which each
    /// // load is a step
    /// ```
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn each_step<const RANK: usize>(
        wave: u32,
        lane: u32,
        mut f: impl FnMut(u32, [u32; RANK], bool),
    ) {
        const { check_steps::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_swapped::<Self>(wave, lane);
        each_load::<Self, RANK>(wave, lane, |base, further, loads| {
            f(base, or_beyond::<Self, RANK>(further.sum, loads), loads);
        });
    }

    /// Calls `f` with the LDS byte of each load's base, the coordinate that the lane reads, and whether it loads at all, as
    /// [`each_step`](Self::each_step) does; for layouts in which a load may be an xor of the first one, too.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::RowMajor<F16, M<31>, K<32>>; }
    /// direct_load! {
    ///     type LoadTile = Tile on gfx950: global_load_lds_b128 by 1 wave, from rows of 4096, with idle lanes;
    /// }
    /// // 31 rows of 64 bytes are 124 units of 16: four lanes of the second load have none.
    /// let mut last = Vec::new();
    /// for lane in 58..62 {
    ///     LoadTile::each(0, lane, |base, [row, column], valid| last.push((base, row, column, valid)));
    /// }
    /// assert_eq!(last[3], (1024, 30, 24, true)); // lane 59
    /// assert!(!last[5].3); // lane 60
    /// ```
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn each<const RANK: usize>(wave: u32, lane: u32, mut f: impl FnMut(u32, [u32; RANK], bool)) {
        const { check_all::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_swapped::<Self>(wave, lane);
        let first = first::<Self, RANK>(wave, lane);
        each_load::<Self, RANK>(wave, lane, |base, further, loads| {
            f(base, or_beyond::<Self, RANK>(further.apply(first), loads), loads);
        });
    }

    /// Calls `f` with the LDS byte of each load's base, the offset in elements of what the lane reads, and whether it loads, of a
    /// tile that lies at an origin in a tensor, whose edges it may cross: a lane loads if all that it brings is in the tensor.
    ///
    /// The bytes of LDS of a lane that does not load keep what they had: clear them, or mask what is computed from them. In a
    /// build with debug assertions its offset is beyond any memory.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// direct_load! { type LoadA = ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of multiples of 8; }
    /// // 150 rows of 200, the last of them 128 + 21; wave 0 brings rows 128 to 159.
    /// let a = Naive::rows(150, 200).whole()?;
    /// let mut loads = Vec::new();
    /// LoadA::each_in(&a, [128, 64], 0, 9, |lds, element, valid| loads.push((lds, element, valid)));
    /// assert_eq!(loads[1], (1024, (128 + 9) * 200 + 64, true));
    /// assert_eq!([0, 1, 2, 3].map(|load: usize| loads[load].2), [true, true, true, false]);
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist, and of an origin at which a lane's elements
    /// would not be aligned.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn each_in<V: Descriptor, const RANK: usize>(
        view: &V,
        origin: [u32; RANK],
        wave: u32,
        lane: u32,
        mut f: impl FnMut(u32, u32, bool),
    ) where
        [u32; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
    {
        const { check_all::<Self>(RANK) };
        #[cfg(debug_assertions)]
        refuse_swapped::<Self>(wave, lane);
        let (along, elements) = const { brought::<Self>() };
        #[cfg(debug_assertions)]
        refuse_origin(origin[along], elements);
        let first = first::<Self, RANK>(wave, lane);
        each_load::<Self, RANK>(wave, lane, |base, further, loads| {
            let mut index = further.apply(first);
            for (index, origin) in index.iter_mut().zip(origin) {
                *index = index.wrapping_add(origin);
            }
            let (offset, begins) = view.masked(index);
            index[along] = index[along].wrapping_add(elements - 1);
            let valid = loads & begins & view.masked(index).1;
            f(base, or_nowhere(offset, valid), valid);
        });
    }
}

/// A coordinate that a lane reads; in a debug build that of an idle lane is beyond any tensor, so that a slice refuses what is
/// made of it on the line of whoever ignores that the lane is idle. It is so along the contiguous dimension, whose stride is 1:
/// an offset that is computed before the lane is asked about does not overflow.
#[inline(always)]
fn or_beyond<L: DirectLoads + ?Sized, const RANK: usize>(
    index: [u32; RANK],
    loads: bool,
) -> [u32; RANK] {
    #[cfg(debug_assertions)]
    if !loads {
        let mut beyond = index;
        beyond[const { brought::<L>().0 }] = or_nowhere(0, false);
        return beyond;
    }
    let _ = loads;
    index
}

/// Calls `f` for each load: its base, how it follows from load 0, and whether the lane loads. Unrolled: each load is constants.
#[inline(always)]
fn each_load<L: DirectLoads + ?Sized, const RANK: usize>(
    wave: u32,
    lane: u32,
    mut f: impl FnMut(u32, Further<RANK>, bool),
) {
    unrolled!(load, 64, L::TABLE.count as usize, {
        let further = known!(Further::<RANK>::new(&L::TABLE, load));
        let base = further.base + wave * const { L::TABLE.share };
        #[allow(clippy::needless_borrow, reason = "without it the whole table is copied")]
        let loading = known!((&L::TABLE).loads[load].loading);
        f(base, further, loading.holds(base, lane));
    });
}

/// The dimension along which a lane's elements lie in memory, and how many it brings.
const fn brought<L: DirectLoads + ?Sized>() -> (usize, u32) {
    match &L::PLAN {
        Ok(plan) => (plan.along(), plan.elements()),
        Err(_) => (0, 1),
    }
}

/// Refuses an origin at which what a lane brings would begin within an aligned unit.
#[cfg(debug_assertions)]
#[track_caller]
fn refuse_origin(origin: u32, elements: u32) {
    assert!(
        origin.is_multiple_of(elements),
        "the tile begins at element {origin} of its rows, but a lane brings {elements} at a time: a multiple of {elements}"
    );
}

/// Returns the coordinate that a lane reads in load 0, of a load that is checked.
#[inline(always)]
fn first<L: DirectLoads + ?Sized, const RANK: usize>(wave: u32, lane: u32) -> [u32; RANK] {
    let mut index = [0; RANK];
    unrolled!(d, 12, RANK, { index[d] = known!((&L::MOVES)[d]).apply(wave, lane) });
    index
}

// Each is the first statement of the function that the user calls and of none that it calls: then the
// compiler adds the user's line.

/// Checks the demands of [`DirectLoads::first`].
#[track_caller]
const fn check_first<L: DirectLoads + ?Sized>(rank: usize) {
    let plan = known(&L::PLAN);
    sound(&check_rank(plan, rank));
    sound(&L::MOVED);
}

/// Checks the demands of [`DirectLoads::each`].
#[track_caller]
const fn check_all<L: DirectLoads + ?Sized>(rank: usize) {
    check_first::<L>(rank);
    sound(&L::TABULATED);
}

/// Checks the demands of [`DirectLoads::each_step`].
#[track_caller]
const fn check_steps<L: DirectLoads + ?Sized>(rank: usize) {
    let plan = known(&L::PLAN);
    sound(&check_rank(plan, rank));
    sound(&L::TABULATED);
    if let Err(text) = L::TABLE.check_steps() {
        with_other_order(plan, text).refuse()
    }
}

/// Appends the other order of the chunks, if by it each load is a step: of `GemmXor64` a wave's next eight rows are an xor away,
/// and those behind the other waves' a step.
const fn with_other_order(plan: &DirectLoad<'_>, text: Text) -> Text {
    let (order, says) = match plan.is_blocked() {
        true => (Order::Interleaved, "deal the chunks `interleaved`"),
        false => (Order::Blocked, "leave out `interleaved`"),
    };
    match plan.request.order(order).plan() {
        Ok(plan) => match LoadTable::new(&plan) {
            Ok(table) if table.check_steps().is_ok() => {
                say!(text: "; or ", str(says), ", by which each load is a step")
            }
            _ => text,
        },
        Err(_) => text,
    }
}

/// Refuses a wave and a lane that do not exist, in debug builds: kernels leave this to their caller.
#[cfg(debug_assertions)]
#[track_caller]
fn refuse_swapped<L: DirectLoads + ?Sized>(wave: u32, lane: u32) {
    if let Ok(plan) = &L::PLAN {
        refuse_absent(wave, lane, plan.waves(), plan.transfer().wave());
    }
}

/// Refuses what is not a direct load, in its own sentence.
#[track_caller]
const fn sound<T>(result: &Result<T, Text>) {
    if let Err(text) = result {
        text.refuse()
    }
}

/// The plan, or the sentence.
#[track_caller]
const fn known<'a>(plan: &'a Result<DirectLoad<'static>, DirectError>) -> &'a DirectLoad<'static> {
    match plan {
        Ok(plan) => plan,
        Err(error) => error.refuse(""),
    }
}

/// Bytes from one wave's base to the next one's; refused where waves are not equally far apart.
const fn share(plan: &DirectLoad<'_>) -> Result<u32, Text> {
    if plan.transfer().stride().is_none() {
        return Err(say!(Text::new(): "each lane has an LDS address of its own: ask the layout"));
    }
    let share = if plan.waves() > 1 { plan.base(1, 0) - plan.base(0, 0) } else { 0 };
    let mut load = 0;
    while load < plan.loads() {
        let mut wave = 0;
        while wave < plan.waves() {
            if plan.base(wave, load) != plan.base(0, load) + wave * share {
                return Err(say!(Text::new():
                    "load ", load, " of wave ", wave, " begins at byte ", plan.base(wave, load),
                    ", not ", share, " bytes after the wave before: ask the plan"
                ));
            }
            wave += 1;
        }
        load += 1;
    }
    Ok(share)
}

/// The constants by which each load follows from the first one.
///
/// Its idle lanes need no further check, lane by lane:
///
/// * A plan with idle lanes is no linear one (`is_dense` asks for whole chunks, and those behind the tile end it), so [`DirectLoad::route`] compares
///   each lane that loads with what it reads in load 0, and has no step or xor where it is idle there.
/// * What the lanes of load 0 read is compared with their columns, lane by lane, where lanes are idle.
/// * [`Loading`] is taken of every lane: the last that loads lies before the first that is idle, or the mask of wave 0 is
///   that of each wave; and each wave's base is compared with `share`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LoadTable {
    loads: [Load; Self::MOST],
    count: u32,
    share: u32,
}

#[derive(Clone, Copy, Debug)]
struct Load {
    base: u32,
    sum: [u32; List::CAPACITY],
    xor: [u32; List::CAPACITY],
    is_sum: bool,
    loading: Loading,
}

impl LoadTable {
    const MOST: usize = 64;

    const NONE: Self = {
        let none = [0; List::CAPACITY];
        let none = Load { base: 0, sum: none, xor: none, is_sum: true, loading: Loading::All };
        Self { loads: [none; Self::MOST], count: 0, share: 0 }
    };

    const fn new(plan: &DirectLoad<'_>) -> Result<Self, Text> {
        let mut table = Self::NONE;
        table.share = attempt!(share(plan));
        let end = if plan.idle() > 0 { end_of_tile(plan) } else { None };
        if plan.loads() as usize > Self::MOST {
            return Err(say!(Text::new(): "a lane has more than 64 loads: ask the plan"));
        }
        let lane_flips = plan.lane_flips(0, plan.waves());
        while table.count < plan.loads() {
            table.loads[table.count as usize] =
                attempt!(Load::new(plan, table.count, end, &lane_flips));
            table.count += 1;
        }
        Ok(table)
    }

    const fn check_steps(&self) -> Result<(), Text> {
        let mut load = 0;
        while load < self.count {
            if !self.loads[load as usize].is_sum {
                return Err(say!(Text::new():
                    "load ", load, " is load 0 xor-ed with a constant, and no step: use `each`"
                ));
            }
            load += 1;
        }
        Ok(())
    }
}

impl Load {
    const fn new(
        plan: &DirectLoad<'_>,
        load: u32,
        end: Option<u32>,
        lane_flips: &Option<List>,
    ) -> Result<Self, Text> {
        let none = [0; List::CAPACITY];
        let loading = attempt!(Loading::new(plan, load, end));
        let base = plan.base(0, load);
        let mut all = Self { base, sum: none, xor: none, is_sum: true, loading };
        let (rank, mut d) = (attempt!(read(plan, 0, 0)).len(), 0);
        match plan.coordinate_route(lane_flips, load) {
            SourceRoute::Uniform { steps: Some(steps), .. } => {
                while d < rank {
                    all.sum[d] = steps.along(d) as u32;
                    d += 1;
                }
            }
            SourceRoute::Xor { coordinate: Some(flips), .. } => {
                all.is_sum = false;
                while d < rank {
                    all.xor[d] = flips.at(d);
                    d += 1;
                }
            }
            _ => {
                return Err(say!(Text::new():
                    "load ", load, " is neither a step nor an xor from load 0: ask the plan"
                ));
            }
        }
        Ok(all)
    }
}

/// The steps and xors of a later load, of as many dimensions as the source has.
#[derive(Clone, Copy)]
struct Further<const RANK: usize> {
    base: u32,
    sum: [u32; RANK],
    xor: [u32; RANK],
}

impl<const RANK: usize> Further<RANK> {
    const fn new(table: &LoadTable, load: usize) -> Self {
        let from = &table.loads[load];
        let mut all = Self { base: from.base, sum: [0; RANK], xor: [0; RANK] };
        let mut d = 0;
        while d < RANK && d < List::CAPACITY {
            all.sum[d] = from.sum[d];
            all.xor[d] = from.xor[d];
            d += 1;
        }
        all
    }

    #[inline(always)]
    fn apply(self, mut index: [u32; RANK]) -> [u32; RANK] {
        let mut d = 0;
        while d < RANK {
            index[d] = (index[d] ^ self.xor[d]).wrapping_add(self.sum[d]);
            d += 1;
        }
        index
    }
}

const fn check_rank(plan: &DirectLoad<'_>, rank: usize) -> Result<(), Text> {
    let own = attempt!(read(plan, 0, 0)).len();
    if own != rank {
        return Err(say!(Text::new(): "the tile has ", own, " dimensions, not ", rank));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
