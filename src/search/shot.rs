//! One instruction as the units that its lanes touch, and what a layout makes of them.
//!
//! A layout is judged by a multiplication, an addition and a bit in a word of banks for each unit, where a verdict takes a
//! coordinate, an offset and bytes:
//!
//! ```text
//!   128x96 halves, ds_read_b128 by 32 rows on gfx942, phase 0: units of 16 bytes, 8 groups of banks
//!
//!   row, unit along it    0  1  2  3  20  21  22  23, unit 0
//!   rows of 12 units      0  12 24 36 240 ..            groups 0 4 0 4 0 4 0 4: 4-way
//!   rows of 13 units      0  13 26 39 260 ..            groups 0 5 2 7 4 1 6 3: free
//! ```

use super::base::Base;
use super::masks::Masked;
use super::price::{APART, FLIPPED, INTERVALS};
use crate::bank::planes::{PLANES, add_word, fullest};
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;

/// Units of one instruction: three dwords a lane of 12 bytes.
const MOST_UNITS: usize = 3 * Phases::LANES;

/// The row of a unit, and which it is along it: of 16 bits each, since a search keeps many.
pub(super) type Unit = (u16, u16);

/// One instruction that stands for others, by one source.
#[derive(Clone, Copy)]
pub(super) struct Shot {
    /// Phase by phase: the row, and the unit along it.
    pub(super) units: [Unit; MOST_UNITS],
    /// The end of each phase.
    pub(super) ends: [u8; Phases::LANES],
    pub(super) phases: usize,
    /// A unit is `1 << shift` bytes, in one of `last + 1` groups of banks.
    pub(super) shift: u32,
    pub(super) last: u32,
    /// How often it is done.
    pub(super) times: u64,
    /// Whether it is by the other of two sources that disagree.
    pub(super) is_rival: bool,
    /// Whether there are two.
    pub(super) is_disputed: bool,
    /// The unit of lane 0.
    pub(super) lane_0: Unit,
    /// The earlier list that this one repeats, moved along rows and by whole units; its own number if it repeats none.
    pub(super) moved: usize,
}

impl Shot {
    pub(super) const NONE: Self = Self {
        units: [(0, 0); MOST_UNITS],
        ends: [0; Phases::LANES],
        phases: 0,
        shift: 2,
        last: 0,
        times: 0,
        is_rival: false,
        is_disputed: false,
        lane_0: (0, 0),
        moved: 0,
    };
}

/// Cycles by the row's own source, and those that its rival counts more or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Conflict cycles by the rows.
    pub(crate) own: u64,
    /// Conflict cycles by the rivals of disputed rows.
    pub(crate) rival: u64,
    /// The part of `own` that comes from rows on which the sources agree.
    pub(crate) settled: u64,
    /// What it cost to place them, in units of the effort.
    pub(crate) units: u64,
}

impl Lost {
    pub(crate) const NONE: Self = Self { own: 0, rival: 0, settled: 0, units: 0 };

    /// Both: what a search compares.
    pub(crate) const fn sum(&self) -> u64 {
        self.own + self.rival
    }
}

/// By whom an instruction is served.
#[derive(Clone, Copy)]
pub(super) struct Served<'a> {
    pub(super) by: &'a Service,
    /// Whether that is the other of two sources that disagree.
    pub(super) is_rival: bool,
}

/// Where a layout puts a unit.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Rows this many elements apart.
    Rows { apart: u32 },
    /// Rows one behind the other, with `pad` elements after every `1 << log2_every` bytes.
    Intervals { log2_every: u32, pad: u32 },
    /// Packs of a row rotated by the row.
    Turned { pack: u32 },
    /// Masks over rows in order.
    Flipped(Masked),
}

impl Place {
    /// What a unit costs to place, in units of the effort.
    pub(super) const fn price(&self) -> u64 {
        match self {
            Self::Rows { .. } => APART,
            Self::Intervals { .. } => INTERVALS,
            Self::Turned { .. } | Self::Flipped(_) => FLIPPED,
        }
    }
}

impl Shot {
    /// An instruction that is done once.
    pub(super) const fn of(
        units: &[Unit; Phases::LANES],
        active: u64,
        row: &Instruction,
        served: Served<'_>,
        shift: u32,
    ) -> Self {
        let Served { by: service, is_rival } = served;
        let mut shot = Self {
            shift,
            last: ((service.banks * 4) >> shift) - 1,
            is_rival,
            is_disputed: row.rival().is_some() && !row.is_settled(),
            lane_0: units[0],
            ..Self::NONE
        };
        let each = if row.bytes() > 1 << shift { (row.bytes() >> shift) as u16 } else { 1 };
        let (mut end, count) = (0, service.phases.count());
        while shot.phases < count {
            let (lanes, begin, mut i) = (service.phases.lanes(shot.phases), end, 0);
            // Behind all that came before is new, as every unit is of most patterns; and so is what has a number of seven
            // bits of which none is known.
            let (mut last, mut known) = (0, 0u128);
            while i < lanes.len() {
                let lane = lanes[i] as usize;
                i += 1;
                let (row, first) = units[lane];
                let mut more = 0;
                while more < each && active >> lane & 1 == 1 {
                    let number = (row as u32) << 16 | (first + more) as u32;
                    let bit = 1 << ((row as u32 * 5 + (first + more) as u32) % u128::BITS);
                    if end == begin
                        || number > last
                        || known & bit == 0
                        || !holds(&shot.units, begin, end, (row, first + more))
                    {
                        shot.units[end] = (row, first + more);
                        end += 1;
                        known |= bit;
                    }
                    last = if number > last { number } else { last };
                    more += 1;
                }
            }
            shot.ends[shot.phases] = end as u8;
            shot.phases += 1;
        }
        shot
    }

    /// How many units there are.
    pub(super) const fn len(&self) -> usize {
        match self.phases.checked_sub(1) {
            Some(last) => self.ends[last] as usize,
            None => 0,
        }
    }

    /// The conflict cycles of one instruction.
    pub(super) const fn conflicts(&self, base: &Base, place: &Place) -> Option<u64> {
        let Some(step) = in_units(self.row_of(base, place), base, self.shift) else { return None };
        if let Place::Rows { .. } = place {
            return Some(self.conflicts_of_rows(step));
        }
        let Some((every, pad)) = self.interval(base, place) else { return None };
        let (mut conflicts, mut phase, mut i) = (0, 0, 0);
        while phase < self.phases {
            let (end, mut ones, mut planes) = (self.ends[phase] as usize, 0u64, [0u64; PLANES]);
            let mut is_crowded = false;
            while i < end {
                let (row, along) = (self.units[i].0 as u32, self.units[i].1 as u32);
                i += 1;
                let unit = row * step + along;
                let unit = match place {
                    Place::Intervals { .. } => unit + (unit >> every) * pad,
                    _ => self.moved(place, base, row, along, unit),
                };
                is_crowded |= add_word!(ones, planes, 1u64 << (unit & self.last));
            }
            if is_crowded {
                conflicts += fullest(ones, &planes) as u64 - 1;
            }
            phase += 1;
        }
        Some(conflicts)
    }

    /// The same of rows this many units apart: what most layouts that are tried are, so in the fewest steps.
    const fn conflicts_of_rows(&self, apart: u32) -> u64 {
        let (mut conflicts, mut phase, mut i, last) = (0, 0, 0, self.last);
        while phase < self.phases {
            let (end, mut ones, mut planes) = (self.ends[phase] as usize, 0u64, [0u64; PLANES]);
            let mut is_crowded = false;
            while i < end {
                let unit = self.units[i];
                let word = 1u64 << ((unit.0 as u32 * apart + unit.1 as u32) & last);
                i += 1;
                // Mostly nobody is there yet.
                if ones & word == 0 {
                    ones |= word;
                } else {
                    is_crowded |= add_word!(ones, planes, word);
                }
            }
            if is_crowded {
                conflicts += fullest(ones, &planes) as u64 - 1;
            }
            phase += 1;
        }
        conflicts
    }

    /// Elements from row to row.
    const fn row_of(&self, base: &Base, place: &Place) -> u32 {
        match place {
            Place::Rows { apart } => *apart,
            _ => base.recipe_tile.columns,
        }
    }

    /// The units from pad to pad, as a power of two, and those of a pad; `None` where either is not whole units.
    const fn interval(&self, base: &Base, place: &Place) -> Option<(u32, u32)> {
        let Place::Intervals { log2_every, pad } = place else { return Some((0, 0)) };
        match in_units(*pad, base, self.shift) {
            Some(pad) if *log2_every >= self.shift => Some((*log2_every - self.shift, pad)),
            _ => None,
        }
    }

    /// Where a unit is that is `unit` in order.
    const fn moved(&self, place: &Place, base: &Base, row: u32, along: u32, unit: u32) -> u32 {
        match place {
            Place::Rows { .. } | Place::Intervals { .. } => unit,
            Place::Flipped(masked) => masked.moved(unit << self.shift) >> self.shift,
            Place::Turned { pack } => {
                let bits = base.tile.bits;
                let pack = (*pack * bits / 8) >> self.shift;
                let packs = ((base.recipe_tile.columns as u64 * bits as u64 / 8) as u32
                    >> self.shift)
                    / pack;
                let turned = (along / pack + row) % packs;
                unit - along + turned * pack + along % pack
            }
        }
    }
}

/// So many elements as units; `None` if they are not whole ones.
pub(super) const fn in_units(elements: u32, base: &Base, shift: u32) -> Option<u32> {
    let bits = elements as u64 * base.tile.bits as u64;
    if bits & ((8 << shift) - 1) == 0 { Some((bits >> 3 >> shift) as u32) } else { None }
}

/// Whether a unit is among some.
const fn holds(units: &[Unit; MOST_UNITS], mut i: usize, end: usize, unit: Unit) -> bool {
    while i < end {
        let (row, along) = units[i];
        if along == unit.1 && row == unit.0 {
            return true;
        }
        i += 1;
    }
    false
}
