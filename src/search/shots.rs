//! Accesses of any kind as a few lists of units, which a layout only has to place.
//!
//! A verdict asks each lane of each instruction for its coordinate, its offset and its bytes, and where a
//! pattern is not an xor of columns the compiler takes 0.05 s and more for one layout. None of that but the offset
//! is the layout's. So a search asks once: of each [kind](crate::access::repeats) of instructions the first,
//! of its phases the different units, each as a row and a place along it, a [shot](super::shot). Which instructions
//! are of one kind depends on the layout:
//!
//! ```text
//!   128x96 halves, ds_read_b128 by 32 rows on gfx942: 24 instructions
//!
//!   rows apart            1 list      each is the first, moved
//!   apart                 24 lists    none stands for another
//! ```
//!
//! Lanes that touch the same unit touch it on every layout, so that they are left out beforehand. What has
//! two addresses has no such list: the second is a fixed number of bytes behind the first, wherever that is.

use super::base::Base;
use super::effort::Effort;
use super::price::{CLASSED, LISTED};
use super::shape::Use;
use super::shot::{Lost, Place, Served, Shot, Unit, in_units};
use crate::access::addresses::Addresses;
use crate::access::classes::NumberClasses;
use crate::access::placed::Placed;
use crate::access::repeats::Repeats;
use crate::access::strides::strides;
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use tiledesc_transforms::{Digits, List, Plan};

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

impl Shots {
    /// Lists that are kept.
    pub(crate) const MOST: usize = 64;

    /// None yet.
    pub(crate) const NONE: Self = Self { list: [Shot::NONE; Self::MOST], len: 0 };

    /// Units of all lists: what one layout costs to judge.
    pub(crate) const fn units(&self) -> u64 {
        let (mut units, mut i) = (0, 0);
        while i < self.len {
            units += self.list[i].len() as u64;
            i += 1;
        }
        units
    }

    /// Adds an access that is accepted on the tile in order, for layouts that treat some instructions alike;
    /// false if it has no lists, or too many, or if the effort does not cover its classes. How many classes there are is
    /// not known until they are gathered, so they are charged here.
    pub(crate) const fn add(
        &mut self,
        base: &Base,
        plan: &Plan,
        digits: &Option<Digits>,
        access: &Use<'_>,
        together: Together,
        effort: &mut Effort,
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
        if let Together::Numbered { period } = together {
            if !effort.afford(CLASSED) {
                return false;
            }
            if let Some(classes) = placed.number_classes_by(&base.strides(), period) {
                let count = classes.count() as u64;
                let lanes = instruction.service().phases.addressed() as u64;
                return self.has_room(count, instruction)
                    && effort.afford(count * LISTED * lanes)
                    && self.add_classes(base, &placed, &classes, shift, times);
            }
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
            let (_, column) = base.row_and_column(&placed.first_coordinate(step, 0));
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
                let (row, along) = unit_at(base, &placed.first_coordinate(step, 0), shift);
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
        let (row, along) = unit_at(base, &placed.first_coordinate(step, 0), shift);
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
            let (mut unit, units) = (0, shot.len());
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
        let own = Served { by: row.served(is_merged), is_rival: false };
        if !self.put(units, active, row, own, [shift as u64, times]) {
            return false;
        }
        match row.rival() {
            Some(by) if !row.is_settled() => {
                let rival = Served { by, is_rival: true };
                self.put(units, active, row, rival, [shift as u64, times])
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

    /// The same by one source.
    const fn put(
        &mut self,
        units: &[Unit; Phases::LANES],
        active: u64,
        row: &Instruction,
        served: Served<'_>,
        [shift, times]: [u64; 2],
    ) -> bool {
        if self.len == Self::MOST || (served.by.banks * 4) >> shift > 64 {
            return false;
        }
        let mut shot = Shot::of(units, active, row, served, shift as u32);
        (shot.times, shot.moved) = (times, self.len);
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
            lost.units += shot.len() as u64 * place.price();
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

/// Whether a place is among those of some lists.
const fn is_among(places: &[u64; Shots::MOST], [mut i, end]: [usize; 2], place: u64) -> bool {
    while i < end && places[i] != place {
        i += 1;
    }
    i < end
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
        let at = placed.first_coordinate(step, lane);
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
                        let is_known =
                            shots.add(&base, &plain, &plain.digits(), &access, together, &mut {
                                Effort::RUN_TIME
                            });
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
