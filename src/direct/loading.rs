//! The lanes of a direct load that have something to load.
//!
//! A lane that is idle must not be issued: it would write what is after the tile, and read past the source. Whether it is costs a
//! comparison, or a bit of a constant:
//!
//! ```text
//!   31 x 32 halves, 16 bytes a lane                 lanes 60 to 63 of load 1    byte 1984 and beyond
//!   32 rows of 64 bytes, 64 bytes of pad after each  lanes 4 to 7 of every 8     mask 0x0f0f..
//! ```

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use super::plan::DirectLoad;
use tiledesc_transforms::{Text, say};

/// The lanes of a load that have something to load.
#[derive(Clone, Copy, Debug)]
pub(super) enum Loading {
    /// All.
    All,
    /// Lanes that write before this byte, `stride` bytes from lane to lane: of a tile that ends within a chunk.
    Before { end: u32, stride: u32 },
    /// A bit for each lane, the same in all waves: of padding between rows.
    Lanes(u64),
}

impl Loading {
    /// Returns whether a lane of a wave whose load begins at `base` has.
    #[inline(always)]
    pub(super) const fn holds(self, base: u32, lane: u32) -> bool {
        match self {
            Self::All => true,
            Self::Before { end, stride } => base + lane * stride < end,
            Self::Lanes(lanes) => lanes >> lane & 1 == 1,
        }
    }

    /// Returns the lanes of a load that have something to load. `end` is the byte at which the tile ends, if nothing before it
    /// is idle.
    pub(super) const fn new(
        plan: &DirectLoad<'_>,
        load: u32,
        end: Option<u32>,
    ) -> Result<Self, Text> {
        if plan.idle() == 0 {
            return Ok(Self::All);
        }
        let Some(stride) = plan.transfer().stride() else { return Ok(Self::All) };
        if let Some(end) = end {
            return Ok(Self::Before { end, stride });
        }
        let (lanes, mut wave) = (loading(plan, 0, load), 1);
        while wave < plan.waves() {
            if loading(plan, wave, load) != lanes {
                return Err(say!(Text::new():
                    "load ", load, ": other lanes are idle in wave ", wave, " than in wave 0: ask the plan"
                ));
            }
            wave += 1;
        }
        Ok(Self::Lanes(lanes))
    }
}

/// The lanes that load something, as bits.
const fn loading(plan: &DirectLoad<'_>, wave: u32, load: u32) -> u64 {
    let (mut lanes, mut lane) = (0, 0);
    while lane < plan.transfer().wave() {
        if plan.unit(wave, load, lane).is_some() {
            lanes |= 1 << lane;
        }
        lane += 1;
    }
    lanes
}

/// The first byte that an idle lane would write, if every lane before it loads and none after it.
#[doc(hidden)]
#[must_use]
pub const fn end_of_tile(plan: &DirectLoad<'_>) -> Option<u32> {
    if let Some(end) = plan.end_of_dense_tile() {
        return Some(end);
    }
    let (mut first_idle, mut last_loading) = (u32::MAX, 0);
    let mut place = 0;
    let (lanes, loads) = (plan.transfer().wave(), plan.loads());
    while place < plan.waves() * loads * lanes {
        let (lane, load, wave) = (place % lanes, place / lanes % loads, place / lanes / loads);
        let byte = plan.lds(wave, load, lane);
        if plan.unit(wave, load, lane).is_some() {
            last_loading = if byte > last_loading { byte } else { last_loading };
        } else {
            first_idle = if byte < first_idle { byte } else { first_idle };
        }
        place += 1;
    }
    if last_loading < first_idle { Some(first_idle) } else { None }
}
