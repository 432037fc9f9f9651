//! Swizzles of the dense offset that are free of conflicts: of tiles whose rows are any length.
//!
//! In a tile of 64x96 halves 96 is not an xor of columns, so that nothing of the [masks](super::masks) over rows
//! holds. But a swizzle of the dense offset is linear over the bits of that one number, and so the question
//! is again a few numbers: two lanes of a phase meet in a bank exactly if their numbers differ in what the
//! masks put into bank 0.
//!
//! ```text
//!   64x96 halves on gfx942, packs of 8, 8 packs to a line; numbers of packs: 12 * row + pack
//!
//!   lanes of a phase   numbers   xor        line  place      masks must not make of the line
//!   rows 0 and 2       0, 24     24         3     0          0
//!   rows 1 and 3       12, 36    40         5     0          0
//!   rows 2 and 3       24, 36    60         7     4          4
//! ```
//!
//! So each access is looked at once, and what its pairs of lanes forbid is a table: by the xor of two lines
//! the places that their masks must not add up to. A single shift is asked in one operation a row of it;
//! where none is free, masks are chosen bit by bit, and a branch ends at the first row that it meets. What is
//! found is free, what is not found does not exist: of all masks from `SOURCES` bits of a line's number.
//!
//! A sum with `96 * row` carries, so instructions differ. They are asked by [classes](crate::access::numbered),
//! fewer bits of a line's number first, since these have fewer.

use super::candidate::Candidate;
use super::descent::after;
use super::question::Question;
use super::searched::Extent;
use super::shape::{Shape, Use, unfilled};
use super::spec::Spec;
use crate::access::addresses::Addresses;
use crate::access::numbered::NumberClasses;
use crate::access::placed::Placed;
use crate::bank::conflicts::service;
use crate::chip::instruction::Service;
use crate::chip::phases::Phases;
use tiledesc_transforms::{List, Plan, attempt};

/// Bits of a line's number that flip places: few first, for most tiles need no more.
const SOURCES: [u32; 2] = [4, MOST_SOURCES];
const MOST_SOURCES: u32 = 10;
/// Masks that are looked at before the search is given up.
const MOST_LOOKS: u32 = 2_000;

/// The packs of a tile, counted through, in lines of memory.
#[derive(Clone, Copy)]
struct Lines {
    /// Elements of a pack.
    pack: u32,
    log2_pack_bits: u32,
    /// Packs to a line, as a power of two.
    log2_width: u32,
    /// Bits of a line's number that flip something.
    sources: u32,
}

/// What the masks of two lines must not add up to, by the xor of the lines.
struct Forbidden {
    places: [u64; 1 << MOST_SOURCES],
    /// The xors of which something is forbidden: those with highest bit b from 2^b on.
    lines: [u16; 1 << MOST_SOURCES],
    counts: [u16; MOST_SOURCES as usize],
}

impl Lines {
    /// Lines that fill this many banks, or what divides the tile of them; `None` where less than two packs do.
    const fn of(tile: Shape, pack: u32, banks: u32, sources: u32) -> Option<Self> {
        let Shape { rows, columns, bits } = tile;
        // A dword at least: what shares one has no conflict.
        let pack = if pack * bits < 32 { 32 / bits } else { pack };
        let pack_bits = pack as u64 * bits as u64;
        if pack == 0 || !columns.is_multiple_of(pack) || !pack_bits.is_power_of_two() {
            return None;
        }
        let packs = rows as u64 * (columns / pack) as u64;
        let log2_pack_bits = pack_bits.trailing_zeros();
        let fills = (banks * 32).ilog2().saturating_sub(log2_pack_bits);
        let divides = packs.trailing_zeros();
        let log2_width = if divides < fills { divides } else { fills };
        // Of more packs a place is not a bit of a word.
        if log2_width == 0 || log2_width > 6 {
            return None;
        }
        let lines = packs >> log2_width;
        let bits = if lines > 1 { (lines - 1).ilog2() + 1 } else { 0 };
        let sources = if bits < sources { bits } else { sources };
        Some(Self { pack, log2_pack_bits, log2_width, sources })
    }

    const fn layout(&self, masks: List) -> Spec {
        Spec::dense_xor(self.pack, 1 << self.log2_width, masks)
    }
}

impl Forbidden {
    const NOTHING: Self = Self {
        places: [0; 1 << MOST_SOURCES],
        lines: [0; 1 << MOST_SOURCES],
        counts: [0; MOST_SOURCES as usize],
    };

    /// Adds the pairs of lanes of an access; `None` where its phases are not known beforehand, false where
    /// two lanes meet by all masks.
    const fn add(
        &mut self,
        placed: &Placed<'_, '_>,
        classes: &NumberClasses,
        lines: &Lines,
        bits: u32,
    ) -> Option<bool> {
        let row = placed.instruction();
        let (bytes, lanes) = (row.bytes(), row.service().phases.addressed());
        if row.parts() > 1 || bytes != row.alignment() {
            return None;
        }
        let (mut addresses, mut class) = (Addresses::NONE, 0);
        while class < classes.count() {
            let mut lane = 0;
            while lane < lanes {
                let bit = classes.number(class, lane) as u64 * bits as u64;
                if !bit.is_multiple_of(8 * bytes as u64) {
                    return None;
                }
                addresses.set(lane, (bit / 8) as u32);
                lane += 1;
            }
            let (served, _) = service(&addresses, row);
            let mut is_open = self.add_phases(&addresses, served, lines);
            if let Some(rival) = row.rival()
                && !row.is_settled()
            {
                is_open = is_open && self.add_phases(&addresses, rival, lines);
            }
            if !is_open {
                return Some(false);
            }
            class += 1;
        }
        Some(true)
    }

    /// The same of one instruction, with its addresses in the dense tile.
    const fn add_phases(
        &mut self,
        addresses: &Addresses,
        service: &Service,
        lines: &Lines,
    ) -> bool {
        // Lanes in another part of a pack, or of the banks above a line, stay apart.
        let (shift, last) = (lines.log2_pack_bits - 3, (1 << lines.sources) - 1);
        let (pack_bytes, width) = (1 << shift, 1 << lines.log2_width);
        let banks = (service.banks * 4 / pack_bytes).wrapping_sub(1);
        let apart = (pack_bytes - 1) & !3 | (banks & !(width - 1)) << shift;
        let (count, mut phase) = (service.phases.count(), 0);
        while phase < count {
            let lanes = service.phases.lanes(phase);
            let (mut before, mut one) = ([0; Phases::LANES], 0);
            while one < lanes.len() {
                let address = addresses.bytes[lanes[one] as usize];
                let mut other = 0;
                while other < one {
                    let differs = address ^ before[other];
                    other += 1;
                    if differs & apart != 0 || differs < 4 {
                        continue;
                    }
                    let number = differs >> shift;
                    let line = (number >> lines.log2_width & last) as usize;
                    // Most pairs differ as others did.
                    let is_known = self.places[line] >> (number & (width - 1) & banks) & 1 == 1;
                    if !is_known && !self.add_pair(differs, service.banks, lines) {
                        return false;
                    }
                }
                before[one] = address;
                one += 1;
            }
            phase += 1;
        }
        true
    }

    /// Two lanes whose addresses differ so; false if they meet by all masks.
    const fn add_pair(&mut self, differs: u32, banks: u32, lines: &Lines) -> bool {
        let pack_bytes = 1 << (lines.log2_pack_bits - 3);
        // Another part of a pack, or of the banks above a line, stays apart.
        let (within, width) = (differs & (pack_bytes - 1) & !3, 1 << lines.log2_width);
        let (number, reach) = (differs >> (lines.log2_pack_bits - 3), banks * 4 / pack_bytes);
        let banks = reach.wrapping_sub(1);
        if differs < 4 || within != 0 || number & banks & !(width - 1) != 0 {
            return true;
        }
        let line = (number >> lines.log2_width & ((1 << lines.sources) - 1)) as usize;
        let place = number & (width - 1);
        if self.places[line] == 0 && line > 0 {
            let bit = line.ilog2() as usize;
            self.lines[(1 << bit) + self.counts[bit] as usize] = line as u16;
            self.counts[bit] += 1;
        }
        // What lies above the banks of a narrow access may be anything.
        let unseen = (width - 1) & !banks;
        let mut more = 0;
        loop {
            self.places[line] |= 1 << ((place & banks) | more);
            if more == unseen {
                break;
            }
            more = (more | !unseen).wrapping_add(1) & unseen;
        }
        self.places[0] & 1 == 0
    }

    /// Whether single shifts are free: bit `from` and the `count` - 1 above flip places from bit `to` on.
    const fn allows_shift(&self, from: u32, to: u32, count: u32, sources: u32) -> bool {
        let mask = (1 << count) - 1;
        let mut bit = 0;
        while bit < sources {
            let (mut i, end) =
                (1usize << bit, (1usize << bit) + self.counts[bit as usize] as usize);
            while i < end {
                let line = self.lines[i] as usize;
                if self.places[line] >> ((line as u32 >> from & mask) << to) & 1 != 0 {
                    return false;
                }
                i += 1;
            }
            bit += 1;
        }
        true
    }

    /// Masks of a single shift, the widest and the lowest first.
    const fn shift(&self, lines: &Lines) -> Option<List> {
        let Lines { log2_width: width, sources, .. } = *lines;
        let mut count = if width < sources { width } else { sources };
        while count > 0 {
            let mut from = 0;
            while from + count <= sources {
                let mut to = 0;
                while to + count <= width {
                    if self.allows_shift(from, to, count, sources) {
                        return Some(shifted(from, to, count));
                    }
                    to += 1;
                }
                from += 1;
            }
            count -= 1;
        }
        None
    }

    /// Masks by which nothing forbidden is met; if there are none, how many were asked.
    const fn masks(&self, lines: &Lines) -> Result<List, Extent> {
        if let Some(masks) = self.shift(lines) {
            return Ok(masks);
        }
        let masks = [0; MOST_SOURCES as usize];
        let mut search = Masks { forbidden: self, lines: *lines, masks, looks: 0 };
        if search.descend(0) {
            return Ok(search.list());
        }
        Err(if search.looks == MOST_LOOKS { Extent::Part } else { Extent::All })
    }
}

/// The masks of a single shift.
const fn shifted(from: u32, to: u32, count: u32) -> List {
    let (mut masks, mut bit) = ([0; List::CAPACITY], 0);
    while bit < count {
        masks[(from + bit) as usize] = 1 << (to + bit);
        bit += 1;
    }
    List::of_first(masks, (from + count) as usize)
}

/// Any masks, bit by bit.
struct Masks<'a> {
    forbidden: &'a Forbidden,
    lines: Lines,
    masks: [u32; MOST_SOURCES as usize],
    looks: u32,
}

impl Masks<'_> {
    /// Whether masks of the bits from `bit` on go with those before.
    const fn descend(&mut self, bit: u32) -> bool {
        if bit == self.lines.sources {
            return true;
        }
        let mut next = Some(0);
        while let Some(mask) = next {
            if self.looks == MOST_LOOKS {
                return false;
            }
            self.looks += 1;
            self.masks[bit as usize] = mask;
            if self.allows(bit) && self.descend(bit + 1) {
                return true;
            }
            next = after(mask, self.lines.log2_width);
        }
        false
    }

    /// Whether nothing forbidden comes of the lines that have this bit as their highest.
    const fn allows(&self, bit: u32) -> bool {
        let first = 1usize << bit;
        let (mut i, end) = (first, first + self.forbidden.counts[bit as usize] as usize);
        while i < end {
            let line = self.forbidden.lines[i] as u32;
            let (mut rest, mut place) = (line, 0);
            while rest != 0 {
                place ^= self.masks[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            if self.forbidden.places[line as usize] >> place & 1 != 0 {
                return false;
            }
            i += 1;
        }
        true
    }

    const fn list(&self) -> List {
        let (mut masks, mut len, mut i) = ([0; List::CAPACITY], 0, 0);
        while i < self.masks.len() {
            masks[i] = self.masks[i];
            len = if self.masks[i] != 0 { i + 1 } else { len };
            i += 1;
        }
        List::of_first(masks, len)
    }
}

impl Question<'_, '_> {
    /// The same, where the tile in order has conflicts.
    pub(super) const fn dense_below_plain(&self) -> (Option<Candidate>, Extent) {
        if self.bare_plain().weight() > self.floor { self.dense() } else { (None, Extent::Nothing) }
    }

    /// A swizzle of the dense offset that is free in all accesses, of rows that are not a power of two; if there is
    /// none, how many were asked.
    pub(crate) const fn dense(&self) -> (Option<Candidate>, Extent) {
        let tile = self.base.recipe_tile;
        if self.pack == 0 || tile.columns.is_power_of_two() {
            return (None, Extent::Nothing);
        }
        let Ok(plan) = self.bare_plain().layout().plan(self.base.tile) else {
            return (None, Extent::Nothing);
        };
        // Masks of more bits are those of fewer too: the last decides, of both widths of a line.
        let (mut i, mut extent) = (0, Extent::Nothing);
        while i < SOURCES.len() {
            let (mut banks, before) = (0, extent);
            let mut of_widths = None;
            while banks < self.banks.len() {
                let lines = Lines::of(tile, self.pack, self.banks[banks], SOURCES[i]);
                if let Some(lines) = lines {
                    let here = match self.dense_in(&plan, &lines) {
                        Ok(candidate) => return (Some(candidate), Extent::Nothing),
                        Err(here) => here,
                    };
                    of_widths = match of_widths {
                        Some(extent) => Some(here.and(extent)),
                        None => Some(here),
                    };
                }
                banks += 1;
            }
            extent = match of_widths {
                Some(Extent::Nothing) | None if !matches!(before, Extent::Nothing) => Extent::Part,
                Some(extent) => extent,
                None => Extent::Nothing,
            };
            i += 1;
        }
        (None, extent)
    }

    /// The same in lines of one width; if there is none, how many were asked.
    const fn dense_in(&self, plan: &Plan, lines: &Lines) -> Result<Candidate, Extent> {
        let (bits, strides) = (self.base.tile.bits, self.base.strides());
        let period = (lines.pack as u64) << (lines.log2_width + lines.sources);
        let (mut forbidden, mut classes, mut i) = (Forbidden::NOTHING, 0, 0);
        let digits = plan.digits();
        while i < self.uses().len() {
            let Use { lanes, instruction, .. } = self.uses()[i];
            let placed = Placed::with_digits(plan, digits, bits, lanes, instruction);
            let Ok(placed) = placed else { return Err(Extent::Nothing) };
            let Some(found) = placed.number_classes_by(&strides, period) else {
                return Err(Extent::Nothing);
            };
            match forbidden.add(&placed, &found, lines, bits) {
                Some(true) => classes += found.count() as u32,
                Some(false) => return Err(Extent::All),
                None => return Err(Extent::Nothing),
            }
            i += 1;
        }
        let masks = attempt!(forbidden.masks(lines));
        match self.dense_by(lines.layout(masks), classes) {
            Some(candidate) => Ok(candidate),
            // Another one perhaps.
            None => Err(Extent::Part),
        }
    }

    /// A layout that is free in all accesses, of which so many instructions need an address of their own.
    const fn dense_by(&self, recipe: Spec, classes: u32) -> Option<Candidate> {
        let layout = self.base.layout(recipe);
        let Ok(plan) = layout.plan(self.base.tile) else { return None };
        if unfilled(&plan, self.base.tile.bits, self.uses()).is_some() {
            return None;
        }
        let terms = layout.terms(self.base.tile);
        let plain = self.bare_plain().weighing(self.floor);
        Some(Candidate { layout, address_instructions: classes * terms, ..plain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight lines of 2^width places, of which the xors of lines in the list allow one place each.
    fn forbidden(width: u32, allowed: &[(u32, u32)]) -> (Forbidden, Lines) {
        let lines = Lines { pack: 1, log2_pack_bits: 32u32.ilog2(), log2_width: width, sources: 3 };
        let mut forbidden = Forbidden::NOTHING;
        for (line, place) in allowed {
            for other in (0..1 << width).filter(|other| other != place) {
                assert!(forbidden.add_pair((line << width | other) << 2, 1 << width, &lines));
            }
        }
        (forbidden, lines)
    }

    /// Whether some choice of three masks meets nothing, each asked.
    fn has_masks(width: u32, allowed: &[(u32, u32)]) -> bool {
        let of = |choice: u32, line: u32| {
            let bits = (0..3).filter(|bit| line >> bit & 1 == 1);
            bits.fold(0, |place, bit| place ^ (choice >> (width * bit) & ((1 << width) - 1)))
        };
        (0..1 << (3 * width))
            .any(|choice| allowed.iter().all(|(line, place)| of(choice, *line) == *place))
    }

    /// Of 512 choices all are asked; of 32,768 some, and these are not said to be all: the one that is free has the last
    /// mask for its first bit.
    #[test]
    fn a_search_cut_short_says_so() {
        let free = [(4, 5), (5, 5 ^ 31), (6, 5 ^ 9), (7, 5 ^ 9 ^ 31)];
        let (cut, lines) = forbidden(5, &free);
        assert!(has_masks(5, &free));
        assert_eq!(cut.masks(&lines), Err(Extent::Part));
        for (allowed, wanted) in [
            (&[(4, 5), (5, 2), (6, 3), (7, 4)][..], Ok([7, 6, 5])),
            (&[(4, 5), (5, 2), (6, 3), (7, 5)][..], Err(Extent::All)),
        ] {
            let (whole, lines) = forbidden(3, allowed);
            assert_eq!(has_masks(3, allowed), wanted.is_ok());
            let found = whole.masks(&lines).map(|masks| [0, 1, 2].map(|bit| masks.at(bit)));
            assert_eq!(found, wanted);
        }
    }
}
