//! Accesses of any kind as a few lists of units, which a layout only has to place.
//!
//! A verdict asks each lane of each instruction for its coordinate, its offset and its bytes, and where a
//! pattern is not an xor of columns the compiler takes 0.05 s and more for one layout. None of that but the offset
//! is the layout's. So a search asks once: of each [kind](crate::access::repeats) of instructions the first,
//! of its phases the different units, each as a row and a place along it. A pad is then a multiplication, an
//! addition and a bit in a word of banks:
//!
//! ```text
//!   128x96 halves, read ds_read_b128 by MfmaRows<32>, gfx942: units of 16 bytes, 8 groups of banks
//!
//!   lanes of phase 0      0  1  2  3  20  21  22  23
//!   row, unit along it    0  1  2  3  20  21  22  23, unit 0
//!   rows of 12 units      0  12 24 36 240 ..          groups 0 4 0 4 0 4 0 4: 4-way
//!   rows of 13 units      0  13 26 39 260 ..          groups 0 5 2 7 4 1 6 3: free
//! ```
//!
//! Lanes that touch the same unit touch it on every layout, so that they are left out beforehand. What has
//! two addresses has no such list: the second is a fixed number of bytes behind the first, wherever that is.

use super::base::Base;
use super::masks::Masked;
use super::shape::Use;
use crate::access::addresses::Addresses;
use crate::access::numbered::NumberClasses;
use crate::access::placed::Placed;
use crate::access::repeats::Repeats;
use crate::access::strides::strides;
use crate::bank::planes::{PLANES, add_word, fullest};
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;
use tiledesc_transforms::{Digits, List, Plan};

/// Units of one instruction: three dwords a lane of 12 bytes.
const MOST_UNITS: usize = 3 * Phases::LANES;

/// The row of a unit, and which it is along it: of 16 bits each, since a search keeps many.
pub(super) type Unit = (u16, u16);

/// One instruction that stands for others, by one source.
#[derive(Clone, Copy)]
struct Shot {
    /// Phase by phase: the row, and the unit along it.
    units: [Unit; MOST_UNITS],
    /// The end of each phase.
    ends: [u8; Phases::LANES],
    phases: usize,
    /// A unit is `1 << shift` bytes, in one of `last + 1` groups of banks.
    shift: u32,
    last: u32,
    /// How often it is done.
    times: u64,
    /// Whether it is by the other of two sources that disagree.
    is_rival: bool,
    /// Whether there are two.
    is_disputed: bool,
    /// The unit of lane 0.
    lane_0: Unit,
    /// The earlier list that this one repeats, moved along rows and by whole units; its own number if it repeats none.
    moved: usize,
}

impl Shot {
    const NONE: Self = Self {
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

/// The lists of all accesses that have one.
#[derive(Clone, Copy)]
pub(crate) struct Shots {
    list: [Shot; Self::MOST],
    len: usize,
}

/// Which instructions a layout treats alike.
#[derive(Clone, Copy)]
pub(crate) enum Together {
    /// Those whose coordinates are the others', moved: of strides.
    Moved,
    /// Of these those that begin as far into a pack and are rotated by as much: of rotated packs.
    Turned { pack: u32 },
    /// Those whose numbers in the tile differ by whole periods, in elements: of pads at intervals, of which a
    /// period is some.
    Numbered { period: u64 },
    /// None.
    Apart,
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
            Self::Rows { .. } => 1,
            Self::Intervals { .. } => 4,
            Self::Turned { .. } | Self::Flipped(_) => 8,
        }
    }
}

impl Shots {
    /// Lists that are kept.
    pub(crate) const MOST: usize = 64;

    /// None yet.
    pub(crate) const NONE: Self = Self { list: [Shot::NONE; Self::MOST], len: 0 };

    /// Units of all lists: what one layout costs to judge.
    pub(crate) const fn units(&self) -> u64 {
        let (mut units, mut i) = (0, 0);
        while i < self.len {
            let Shot { ends, phases, .. } = &self.list[i];
            units += if *phases == 0 { 0 } else { ends[*phases - 1] as u64 };
            i += 1;
        }
        units
    }

    /// Adds an access that is accepted on the tile in order, for layouts that treat some instructions alike;
    /// false if it has no lists, or too many.
    pub(crate) const fn add(
        &mut self,
        base: &Base,
        plan: &Plan,
        digits: &Option<Digits>,
        access: &Use<'_>,
        together: Together,
    ) -> bool {
        let Use { lanes, instruction, times, .. } = *access;
        let placed = Placed::with_digits(plan, *digits, base.tile.bits, lanes, instruction);
        let Ok(placed) = placed else { return false };
        // Rows of one element follow each other as the elements of a row do, until a layout moves them apart.
        if placed.pack() > 1 && placed.along() != base.along() {
            return false;
        }
        let Some(shift) = unit_of(instruction, base) else { return false };
        let is_strided = match digits {
            Some(digits) => strides(digits).is_some(),
            None => false,
        };
        if !is_strided {
            return false;
        }
        let times = times as u64;
        let are_listed = placed.listed().is_some();
        // What takes each instruction for itself is left before the first, if there are too many.
        let each = matches!(together, Together::Apart)
            || are_listed && !matches!(together, Together::Moved);
        if each && !self.has_room(placed.instructions(), instruction) {
            return false;
        }
        if are_listed {
            return self.add_table(base, &placed, together, shift, times);
        }
        let repeats = placed.repeats();
        if let Together::Moved = together {
            return self.add_moved(base, &placed, &repeats, shift, times);
        }
        if let Together::Numbered { period } = together
            && let Some(classes) = placed.number_classes_by(&base.strides(), period)
        {
            return self.has_room(classes.count() as u64, instruction)
                && self.add_classes(base, &placed, &classes, shift, times);
        }
        let turn = match together {
            Together::Turned { pack } => in_units(pack, base, shift),
            _ => None,
        };
        self.add_each(
            base,
            &placed,
            &repeats,
            [
                shift,
                match turn {
                    Some(pack) => pack,
                    None => 0,
                },
            ],
            times,
        )
    }

    /// Whether this many more instructions have room, by each source.
    const fn has_room(&self, instructions: u64, row: &Instruction) -> bool {
        let sources = if row.rival().is_some() && !row.is_settled() { 2 } else { 1 };
        self.len as u64 + instructions * sources <= Self::MOST as u64
    }

    /// The instructions that others repeat; of those that are the first, moved, the first for each place of a
    /// dword at which lane 0 begins.
    const fn add_moved(
        &mut self,
        base: &Base,
        placed: &Placed<'_, '_>,
        repeats: &Repeats,
        shift: u32,
        times: u64,
    ) -> bool {
        let (mut places, begin, mut step) = ([u64::MAX; Self::MOST], self.len, 0);
        let strides = placed.strides();
        while step < repeats.end() {
            let times = repeats.of(placed.walk(), step) * times;
            let (here, mut list) = (self.len, begin);
            let (_, column) = base.row_and_column(&placed.coordinate(step, 0));
            let place = column as u64 * base.tile.bits as u64 % (8 << shift);
            while times > 0 && repeats.are_moved() && list < here {
                if places[list] == place {
                    self.list[list].times += times;
                }
                list += 1;
            }
            let is_known = repeats.are_moved() && is_among(&places, [begin, here], place);
            if times > 0
                && !is_known
                && !self.take(base, placed, step, [shift as u64, times], &strides)
            {
                return false;
            }
            let mut list = here;
            while list < self.len {
                places[list] = place;
                list += 1;
            }
            step += 1;
        }
        true
    }

    /// The first instruction of each class.
    const fn add_classes(
        &mut self,
        base: &Base,
        placed: &Placed<'_, '_>,
        classes: &NumberClasses,
        shift: u32,
        times: u64,
    ) -> bool {
        let (row, tile, mut class) = (placed.instruction(), base.recipe_tile, 0);
        let strides = placed.strides();
        let bytes = tile.rows as u64 * tile.columns as u64 * tile.bits as u64 / 8;
        // All units of the tile have numbers of 16 bits, and addresses do not say which phases are served.
        let are_numbered = bytes >> shift <= 1 << 16 && row.merged().is_none();
        while class < classes.count() {
            let (first, of_class) = classes.at(class);
            let is_taken = if are_numbered {
                let (units, active) = units_by_number(base, placed, classes, class, shift);
                self.put_both(&units, active, row, false, shift, of_class * times)
            } else {
                self.take(base, placed, first, [shift as u64, of_class * times], &strides)
            };
            if !is_taken {
                return false;
            }
            class += 1;
        }
        true
    }

    /// Every instruction: one that others repeat by its lanes, the others as that one moved. Of rotated packs
    /// of this many units, two that begin as far into a pack, and are rotated by as much, are one.
    const fn add_each(
        &mut self,
        base: &Base,
        placed: &Placed<'_, '_>,
        repeats: &Repeats,
        [shift, pack]: [u32; 2],
        times: u64,
    ) -> bool {
        let (mut keys, begin) = ([None; Self::MOST], self.len);
        let strides = placed.strides();
        let packs = match in_units(base.recipe_tile.columns, base, shift) {
            Some(row) if pack > 0 && row >= pack => row / pack,
            _ => 0,
        };
        let mut step = 0;
        while step < placed.instructions() {
            let (first, here) = (repeats.first(placed.walk(), step), self.len);
            let mut key = (first, 0, step as u32);
            if packs > 0 {
                let (row, along) = unit_at(base, &placed.coordinate(step, 0), shift);
                let (row, along) = (row as u32, along as u32);
                key = (first, (row + along / pack) % packs, along % pack);
                if self.is_counted(&keys, begin, key, times) {
                    step += 1;
                    continue;
                }
            }
            let is_taken = match self.of_first(&keys, begin, first) {
                Some(lists) => self.take_moved(base, placed, lists, [step, times], shift),
                None => self.take(base, placed, step, [shift as u64, times], &strides),
            };
            if !is_taken {
                return false;
            }
            let mut list = here;
            while list < self.len {
                keys[list] = Some(key);
                list += 1;
            }
            step += 1;
        }
        true
    }

    /// The lists of the first instruction that is repeated, if they are there: one, and one of its rival.
    const fn of_first(
        &self,
        keys: &[Option<(u64, u32, u32)>; Self::MOST],
        mut list: usize,
        first: u64,
    ) -> Option<[usize; 2]> {
        while list < self.len {
            if let Some((other, ..)) = keys[list]
                && other == first
            {
                let both = list + 1 < self.len && self.list[list + 1].is_rival;
                return Some([list, list + 1 + both as usize]);
            }
            list += 1;
        }
        None
    }

    /// Counts an instruction on the lists of the same key, if there are any.
    const fn is_counted(
        &mut self,
        keys: &[Option<(u64, u32, u32)>; Self::MOST],
        mut list: usize,
        (first, turn, within): (u64, u32, u32),
        times: u64,
    ) -> bool {
        let mut is_counted = false;
        while list < self.len {
            if let Some((other, other_turn, other_within)) = keys[list]
                && other == first
                && other_turn == turn
                && other_within == within
            {
                self.list[list].times += times;
                is_counted = true;
            }
            list += 1;
        }
        is_counted
    }

    /// An instruction whose units are those of lists that were taken, moved by as much as lane 0 is.
    const fn take_moved(
        &mut self,
        base: &Base,
        placed: &Placed<'_, '_>,
        [from, end]: [usize; 2],
        [step, times]: [u64; 2],
        shift: u32,
    ) -> bool {
        let (row, along) = unit_at(base, &placed.coordinate(step, 0), shift);
        let (first_row, first_along) = self.list[from].lane_0;
        let by = (row.wrapping_sub(first_row), along.wrapping_sub(first_along));
        self.put_moved([from, end], by, times)
    }

    /// The units of lists that were taken, moved by this much, as those of another instruction.
    pub(super) const fn put_moved(
        &mut self,
        [from, end]: [usize; 2],
        (to_row, to_along): Unit,
        times: u64,
    ) -> bool {
        let mut i = from;
        while i < end {
            if self.len == Self::MOST {
                return false;
            }
            let mut shot = self.list[i];
            let (mut unit, units) = (0, shot.ends[shot.phases - 1] as usize);
            while unit < units {
                let (row, along) = shot.units[unit];
                shot.units[unit] = (row.wrapping_add(to_row), along.wrapping_add(to_along));
                unit += 1;
            }
            let (row, along) = shot.lane_0;
            shot.lane_0 = (row.wrapping_add(to_row), along.wrapping_add(to_along));
            shot.times = times;
            self.list[self.len] = shot;
            self.len += 1;
            i += 1;
        }
        true
    }

    /// Each list of a table once, weighted by its moved copies: for layouts that treat the copies alike, as pads behind
    /// rows do.
    pub(super) const fn once_each(&self) -> Self {
        let (mut once, mut at, mut i) = (Self::NONE, [0; Self::MOST], 0);
        while i < self.len {
            let shot = &self.list[i];
            if shot.moved == i {
                at[i] = once.len;
                once.list[once.len] = *shot;
                once.len += 1;
            } else {
                once.list[at[shot.moved]].times += shot.times;
            }
            i += 1;
        }
        once
    }

    /// One instruction, by each source.
    pub(super) const fn take(
        &mut self,
        base: &Base,
        placed: &Placed<'_, '_>,
        step: u64,
        [shift, times]: [u64; 2],
        strides: &Option<List>,
    ) -> bool {
        let (row, shift) = (placed.instruction(), shift as u32);
        let (units, ids) = units(base, placed, step, shift, strides);
        let lanes = row.service().phases.addressed();
        let is_merged = row.merged().is_some() && (ids.agree(1, lanes) || ids.agree(2, lanes));
        self.put_both(&units, ids.active(), row, is_merged, shift, times)
    }

    /// The units of one instruction, by each source.
    pub(super) const fn put_both(
        &mut self,
        units: &[Unit; Phases::LANES],
        active: u64,
        row: &Instruction,
        is_merged: bool,
        shift: u32,
        times: u64,
    ) -> bool {
        if !self.put(units, active, row, row.served(is_merged), shift, times, false) {
            return false;
        }
        match row.rival() {
            Some(rival) if !row.is_settled() => {
                self.put(units, active, row, rival, shift, times, true)
            }
            _ => true,
        }
    }

    /// How many lists there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Lists from one to another stand for this many more instructions.
    pub(super) const fn repeat(&mut self, [mut list, end]: [usize; 2], times: u64) {
        while list < end {
            self.list[list].times += times;
            list += 1;
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "a struct of them would be made to be taken apart"
    )]
    const fn put(
        &mut self,
        units: &[Unit; Phases::LANES],
        active: u64,
        row: &Instruction,
        service: &Service,
        shift: u32,
        times: u64,
        is_rival: bool,
    ) -> bool {
        if self.len == Self::MOST || (service.banks * 4) >> shift > 64 {
            return false;
        }
        let mut shot = Shot {
            shift,
            last: ((service.banks * 4) >> shift) - 1,
            times,
            is_rival,
            is_disputed: row.rival().is_some() && !row.is_settled(),
            lane_0: units[0],
            moved: self.len,
            ..Shot::NONE
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
        self.list[self.len] = shot;
        self.len += 1;
        true
    }

    /// The conflict cycles of a layout; of one of at least `most` some number that is no less. `None` if
    /// some unit is not kept together.
    pub(crate) const fn lost(&self, base: &Base, place: &Place, most: u64) -> Option<Lost> {
        let (mut lost, mut i) = (Lost::NONE, self.len);
        while i > 0 && lost.sum() < most {
            i -= 1;
            let shot = &self.list[i];
            let Some(conflicts) = shot.conflicts(base, place) else { return None };
            let units = if shot.phases == 0 { 0 } else { shot.ends[shot.phases - 1] as u64 };
            lost.units += units * place.price();
            if shot.is_rival {
                lost.rival += conflicts * shot.times;
            } else {
                lost.own += conflicts * shot.times;
                lost.settled += if shot.is_disputed { 0 } else { conflicts * shot.times };
            }
        }
        Some(lost)
    }
}

impl Shot {
    /// The conflict cycles of one instruction.
    const fn conflicts(&self, base: &Base, place: &Place) -> Option<u64> {
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

/// Whether a place is among those of some lists.
const fn is_among(places: &[u64; Shots::MOST], [mut i, end]: [usize; 2], place: u64) -> bool {
    while i < end && places[i] != place {
        i += 1;
    }
    i < end
}

/// So many elements as units; `None` if they are not whole ones.
const fn in_units(elements: u32, base: &Base, shift: u32) -> Option<u32> {
    let bits = elements as u64 * base.tile.bits as u64;
    if bits & ((8 << shift) - 1) == 0 { Some((bits >> 3 >> shift) as u32) } else { None }
}

/// The unit of an access as a power of two, as the analyzer has it: what a lane touches as a whole, at
/// least a dword. `None` if rows do not begin at units, or of two addresses.
const fn unit_of(row: &Instruction, base: &Base) -> Option<u32> {
    let alignment = row.alignment();
    let shift = if alignment < 4 { 2 } else { alignment.trailing_zeros() };
    let is_whole = in_units(base.recipe_tile.columns, base, shift).is_some();
    if row.parts() == 1 && is_whole && are_small(base, shift) { Some(shift) } else { None }
}

/// The row and the unit of each lane, and a number for each, the same for the same unit.
const fn units(
    base: &Base,
    placed: &Placed<'_, '_>,
    step: u64,
    shift: u32,
    strides: &Option<List>,
) -> ([Unit; Phases::LANES], Addresses) {
    let (mut units, mut ids) = ([(0, 0); Phases::LANES], Addresses::NONE);
    let (lanes, mut lane) = (placed.instruction().service().phases.addressed(), 0);
    if let Ok(addresses) = placed.addresses_by(step, strides) {
        let of_row = (base.recipe_tile.columns as u64 * base.tile.bits as u64 / 8) as u32;
        while lane < lanes {
            if addresses.active >> lane & 1 == 1 {
                let byte = addresses.bytes[lane];
                units[lane] = ((byte / of_row) as u16, ((byte % of_row) >> shift) as u16);
            }
            lane += 1;
        }
        return (units, addresses);
    }
    while lane < lanes {
        let at = placed.coordinate(step, lane);
        if !at.is_empty() {
            units[lane] = unit_at(base, &at, shift);
            // Where lanes agree they have one address, not one unit.
            ids.set(lane, base.number(&at) as u32);
        }
        lane += 1;
    }
    (units, ids)
}

/// The unit of each lane of a class as a number in the tile, of row 0, which is all that intervals ask; and the lanes.
const fn units_by_number(
    base: &Base,
    placed: &Placed<'_, '_>,
    classes: &NumberClasses,
    class: usize,
    shift: u32,
) -> ([Unit; Phases::LANES], u64) {
    let lanes = placed.instruction().service().phases.addressed();
    let (numbers, adds) = (classes.lanes(), classes.adds(class) as u64);
    let (mut units, mut lane, bits) = ([(0, 0); Phases::LANES], 0, base.tile.bits as u64);
    while lane < lanes {
        let number = (numbers[lane] as u64 + adds) & u32::MAX as u64;
        units[lane] = (0, ((number * bits / 8) >> shift) as u16);
        lane += 1;
    }
    (units, u64::MAX >> (Phases::LANES - lanes))
}

/// The row of a coordinate, and the unit along it: of a tile whose [rows and units](are_small) have 16 bits.
const fn unit_at(base: &Base, at: &List, shift: u32) -> Unit {
    let (row, column) = base.row_and_column(at);
    (row as u16, ((column as u64 * base.tile.bits as u64 / 8) >> shift) as u16)
}

/// Whether rows, and the units of a row, have numbers of 16 bits.
const fn are_small(base: &Base, shift: u32) -> bool {
    let units = (base.recipe_tile.columns as u64 * base.tile.bits as u64 / 8) >> shift;
    base.recipe_tile.rows <= 1 << 16 && units <= 1 << 16
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::{gfx942, gfx950, sm_90};
    use crate::pattern::Lanes;
    use crate::search::Shape;
    use crate::search::spec::Spec;
    use crate::search::weight::weight;
    use alloc::boxed::Box;
    use alloc::vec::Vec;

    /// As the verdict counts every instruction, of layouts of each kind.
    #[test]
    fn as_verdicts() {
        let rows = [
            &gfx942::ds_read_b128,
            &gfx942::ds_write_b64,
            &gfx942::ds_read_b96,
            &gfx942::ds_read_u16,
            &gfx950::ds_read_b64_tr_b16,
            &gfx950::ds_read_b32,
            &sm_90::ld_shared_b128,
        ];
        let patterns = [
            Lanes::row_major(),
            Lanes::rows(16),
            Lanes::repeated_rows(16),
            Lanes::column(),
            Lanes::diagonal(),
            Lanes::strided(8),
            Lanes::strided(3),
        ];
        let (mut compared, mut conflicts) = (0, 0);
        for (m, k) in [(64, 64), (64, 96), (30, 88), (128, 32), (32, 24), (96, 160)] {
            let tile = Shape { rows: m, columns: k, bits: 16 };
            let base = Base::rows(tile);
            let plain = tile.rows_in_order().unwrap();
            for (row, lanes) in rows.into_iter().flat_map(|row| patterns.map(|lanes| (row, lanes)))
            {
                for access in [Use::new(lanes.first(), row).times(2), Use::new(lanes, row)] {
                    if weight(&plain, 16, &[access]).is_none() {
                        continue;
                    }
                    let lists = |together| {
                        let mut shots = Shots::NONE;
                        let is_known = shots.add(&base, &plain, &plain.digits(), &access, together);
                        is_known.then(|| Box::new(shots))
                    };
                    let pack = row.bytes().max(4) * 8 / 16;
                    let (Some(few), Some(apart)) = (lists(Together::Moved), lists(Together::Apart))
                    else {
                        continue;
                    };
                    let Some(turned) = lists(Together::Turned { pack }) else { continue };
                    let floor = weight(&plain, 16, &[access]).unwrap().sum
                        - few.lost(&base, &Place::Rows { apart: k }, u64::MAX).unwrap().sum();
                    let mut places = Vec::from([
                        (Spec::row_pad(8), Place::Rows { apart: k + 8 }, &few),
                        (Spec::row_pad(24), Place::Rows { apart: k + 24 }, &few),
                        (Spec::row_shift(pack), Place::Turned { pack }, &turned),
                        (Spec::row_shift(pack), Place::Turned { pack }, &apart),
                    ]);
                    let every = [64u32, 256].map(|every| {
                        let period = Together::Numbered { period: u64::from(every) };
                        (every, lists(period).unwrap())
                    });
                    for (every, shots) in &every {
                        let place = Place::Intervals { log2_every: (every * 2).ilog2(), pad: 8 };
                        places.push((Spec::interval_pad(*every, 8), place, shots));
                    }
                    if let Some(masked) = Spec::gemm_xor(pack).masked(tile) {
                        places.push((Spec::gemm_xor(pack), Place::Flipped(masked), &apart));
                    }
                    for (layout, place, shots) in places {
                        let Ok(plan) = layout.plan(tile) else { continue };
                        let Some(wanted) = weight(&plan, 16, &[access]).map(|weight| weight.sum)
                        else {
                            continue;
                        };
                        let lost = shots.lost(&base, &place, u64::MAX).unwrap().sum();
                        assert_eq!(
                            floor + lost,
                            wanted,
                            "{tile:?} {layout:?} {} {lanes:?}",
                            row.name()
                        );
                        compared += 1;
                        conflicts += u32::from(lost > 0);
                    }
                }
            }
        }
        assert!(compared > 400 && conflicts > 150, "{compared} compared, {conflicts} conflict");
    }
}
