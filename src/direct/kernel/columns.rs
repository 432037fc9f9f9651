//! The coordinates that the lanes of a direct load read, as columns of bits.
//!
//! Where a lane reads in load 0 is an xor of columns, one for each bit of lane and wave. Bits that move by
//! the same distance are moved together:
//!
//! ```text
//!   128 x 64 halves, swizzled, 16 bytes a lane, 4 waves      bits    moved by
//!     m    lane 8, 16, 32    to 1, 2, 4                      0x38       -3
//!          wave 1, 2         to 32, 64                       0x3        +5
//!     k    lane 1, 2, 4      to 8, 16, 32                    0x7        +3
//!          lane 8, 16, 32    to 8, 16, 32  (the xor)         0x38        0
//! ```

use super::super::plan::DirectLoad;
use tiledesc_transforms::{List, Text, attempt, range, say, unrolled};

/// The coordinates that the lanes of load 0 read, as columns: of lane bits, then of wave bits.
struct SourceColumns {
    columns: [List; Self::BITS],
    lane_bits: usize,
    bits: usize,
    constant: List,
}

impl SourceColumns {
    /// 64 lanes, 64 waves.
    const BITS: usize = 12;

    /// The columns, after every lane was compared with them.
    const fn new(plan: &DirectLoad<'_>) -> Result<Self, Text> {
        let (lanes, waves) = (plan.transfer().wave(), plan.waves());
        if !waves.is_power_of_two() || waves > 64 {
            return Err(say!(Text::new(): "waves are a power of two up to 64"));
        }
        let constant = attempt!(read(plan, 0, 0));
        let lane_bits = lanes.ilog2() as usize;
        let bits = lane_bits + waves.ilog2() as usize;
        let mut all = Self { columns: [constant; Self::BITS], lane_bits, bits, constant };
        let mut b = 0;
        while b < bits {
            all.columns[b] = attempt!(all.column(plan, b));
            b += 1;
        }
        if !plan.is_linear() || plan.idle() > 0 {
            attempt!(all.compare(plan));
        }
        Ok(all)
    }

    /// The flips of a bit, by the first lane that has it as its highest and loads something; nothing, if none does.
    const fn column(&self, plan: &DirectLoad<'_>, bit: usize) -> Result<List, Text> {
        let mut n = 1 << bit;
        while n < 2 << bit {
            let (wave, lane) = self.place(n);
            if plan.unit(wave, 0, lane).is_some() {
                let here = attempt!(read(plan, wave, lane));
                return Ok(flipped(&here, &self.sum(n & ((1 << bit) - 1))));
            }
            n += 1;
        }
        Ok(flipped(&self.constant, &self.constant))
    }

    /// The wave and the lane of a number of both.
    const fn place(&self, n: u32) -> (u32, u32) {
        (n >> self.lane_bits, n & ((1 << self.lane_bits) - 1))
    }

    /// The columns of a number's bits, summed up from the constant.
    const fn sum(&self, n: u32) -> List {
        let (mut here, mut b) = (self.constant, 0);
        while b < self.bits {
            if n >> b & 1 == 1 {
                here = flipped(&here, &self.columns[b]);
            }
            b += 1;
        }
        here
    }

    /// Compares all lanes; where the lanes of wave 0 and of another follow the same columns, lane 0 of that one.
    const fn compare(&self, plan: &DirectLoad<'_>) -> Result<(), Text> {
        let is_known = plan.follows_columns(0, 0);
        range!(wave, 0..plan.waves(), {
            let follows = is_known && plan.follows_columns(wave, 0);
            let lanes = if follows { 1 } else { plan.transfer().wave() };
            range!(lane, 0..lanes, {
                let n = wave << self.lane_bits | lane;
                if plan.unit(wave, 0, lane).is_some()
                    && !self.sum(n).is_same(&attempt!(read(plan, wave, lane)))
                {
                    return Err(say!(Text::new():
                        "the source of lane ", lane, " of wave ", wave, " is not an xor of columns: ask the plan"
                    ));
                }
            });
        });
        Ok(())
    }

    /// One dimension, its bits grouped by the distance that they move.
    const fn moves(&self, dimension: usize) -> Result<BitMoves, Text> {
        let mut moves = BitMoves {
            list: [BitMove::NONE; BitMoves::MOST],
            constant: self.constant.at(dimension),
        };
        let (mut count, mut distance) = (0, -31);
        while distance < 32 {
            let (mut lane, mut wave, mut b) = (0, 0, 0);
            while b < self.bits {
                let of_lane = b < self.lane_bits;
                let bit = if of_lane { b } else { b - self.lane_bits };
                let to = bit as i32 + distance;
                if to >= 0 && to < 32 && self.columns[b].at(dimension) >> to & 1 == 1 {
                    if of_lane { lane |= 1 << bit } else { wave |= 1 << bit }
                }
                b += 1;
            }
            if lane | wave != 0 {
                let (lane, wave) =
                    (open(lane, self.lane_bits), open(wave, self.bits - self.lane_bits));
                if count == BitMoves::MOST {
                    return Err(say!(Text::new(): "more than 16 distances: ask the plan"));
                }
                moves.list[count] = BitMove { lane, wave, distance };
                count += 1;
            }
            distance += 1;
        }
        Ok(moves)
    }
}

/// Returns the coordinates that the lanes of load 0 read, dimension by dimension.
pub(super) const fn all_moves(plan: &DirectLoad<'_>) -> Result<[BitMoves; List::CAPACITY], Text> {
    let columns = attempt!(SourceColumns::new(plan));
    let (mut all, mut d) = (BitMoves::NONE, 0);
    while d < columns.constant.len() {
        all[d] = attempt!(columns.moves(d));
        d += 1;
    }
    Ok(all)
}

/// A mask that reaches the topmost bit, and all above it, where there is nothing: then
/// no instruction masks.
const fn open(mask: u32, bits: usize) -> u32 {
    if bits > 0 && mask >> (bits - 1) & 1 == 1 { mask | u32::MAX << bits } else { mask }
}

/// Returns what a lane of load 0 reads.
pub(super) const fn read(plan: &DirectLoad<'_>, wave: u32, lane: u32) -> Result<List, Text> {
    match plan.unit(wave, 0, lane) {
        Some(unit) if unit.part() == 0 => Ok(unit.coordinate()),
        Some(_) => Err(say!(Text::new(): "a lane brings a part of an element: ask the plan")),
        None => Err(say!(Text::new():
            "lane ", lane, " of wave ", wave, " is idle in load 0: ask the plan"
        )),
    }
}

const fn flipped(one: &List, other: &List) -> List {
    let (mut flips, mut d) = (*one, 0);
    while d < one.len() {
        flips = flips.with(d, one.at(d) ^ other.at(d));
        d += 1;
    }
    flips
}

/// Bits of lane and wave that move by the same distance; down if it is negative.
#[derive(Clone, Copy, Debug)]
struct BitMove {
    lane: u32,
    wave: u32,
    distance: i32,
}

impl BitMove {
    const NONE: Self = Self { lane: 0, wave: 0, distance: 0 };

    #[inline(always)]
    const fn moved(self, bits: u32) -> u32 {
        if self.distance < 0 { bits >> -self.distance } else { bits << self.distance }
    }
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct BitMoves {
    list: [BitMove; Self::MOST],
    constant: u32,
}

impl BitMoves {
    const MOST: usize = 16;

    pub(super) const NONE: [Self; List::CAPACITY] =
        [Self { list: [BitMove::NONE; Self::MOST], constant: 0 }; List::CAPACITY];

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn apply(&self, wave: u32, lane: u32) -> u32 {
        let mut index = self.constant;
        // No loop: LLVM does not unroll one before it has copied the table.
        unrolled!(place, 16, 16, {
            let moves = self.list[place];
            index ^= moves.moved(lane & moves.lane) ^ moves.moved(wave & moves.wave);
        });
        index
    }
}
