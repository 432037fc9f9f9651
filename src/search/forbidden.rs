//! What the lanes of some instructions forbid a swizzle of the dense offset, and masks that meet none of it.
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
//! So what pairs of lanes forbid is a table: by the xor of two lines the places that their masks must not add up to.
//! A single shift is asked in one operation a row of it; where none is free, masks are chosen bit by bit, and a
//! branch ends at the first row that it meets.

use super::descent::after;
use super::shape::Shape;
use super::spec::Spec;
use crate::access::addresses::Addresses;
use crate::chip::instruction::Service;
use crate::chip::phases::Phases;
use tiledesc_transforms::List;

/// Bits of a line's number that flip places, at most.
pub(super) const MOST_SOURCES: u32 = 10;
/// Masks that are looked at before the search is given up.
const MOST_LOOKS: u32 = 2_000;

/// The packs of a tile, counted through, in lines of memory.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// Elements of a pack.
    pub(super) pack: u32,
    pub(super) log2_pack_bits: u32,
    /// Packs to a line, as a power of two.
    pub(super) log2_width: u32,
    /// Bits of a line's number that flip something.
    pub(super) sources: u32,
}

/// What the masks of two lines must not add up to, by the xor of the lines.
pub(super) struct Forbidden {
    places: [u64; 1 << MOST_SOURCES],
    /// The xors of which something is forbidden: those with highest bit b from 2^b on.
    lines: [u16; 1 << MOST_SOURCES],
    counts: [u16; MOST_SOURCES as usize],
}

impl Lines {
    /// Lines that fill this many banks, or what divides the tile of them; `None` where less than two packs do.
    pub(super) const fn of(tile: Shape, pack: u32, banks: u32, sources: u32) -> Option<Self> {
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

    pub(super) const fn layout(&self, masks: List) -> Spec {
        Spec::dense_xor(self.pack, 1 << self.log2_width, masks)
    }
}

impl Forbidden {
    pub(super) const NOTHING: Self = Self {
        places: [0; 1 << MOST_SOURCES],
        lines: [0; 1 << MOST_SOURCES],
        counts: [0; MOST_SOURCES as usize],
    };

    /// Adds the pairs of lanes of one instruction by each source, with its addresses in the dense tile; false where two
    /// lanes meet by all masks.
    pub(super) const fn add(
        &mut self,
        addresses: &Addresses,
        served: &Service,
        rival: Option<&Service>,
        lines: &Lines,
    ) -> bool {
        let is_open = self.add_phases(addresses, served, lines);
        match rival {
            Some(rival) => is_open && self.add_phases(addresses, rival, lines),
            None => is_open,
        }
    }

    /// The same by one source.
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

    /// Whether single shifts are free: bit `from` and the `count` - 1 above flip places from bit `to` on. Adds what it
    /// looks at to `rows`.
    const fn allows_shift(
        &self,
        [from, to, count]: [u32; 3],
        sources: u32,
        rows: &mut u64,
    ) -> bool {
        let mask = (1 << count) - 1;
        let mut bit = 0;
        while bit < sources {
            let (mut i, end) =
                (1usize << bit, (1usize << bit) + self.counts[bit as usize] as usize);
            while i < end {
                let line = self.lines[i] as usize;
                *rows += 1;
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
    const fn shift(&self, lines: &Lines, rows: &mut u64) -> Option<List> {
        let Lines { log2_width: width, sources, .. } = *lines;
        let mut count = if width < sources { width } else { sources };
        while count > 0 {
            let mut from = 0;
            while from + count <= sources {
                let mut to = 0;
                while to + count <= width {
                    *rows += 1;
                    if self.allows_shift([from, to, count], sources, rows) {
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

    /// Masks by which nothing forbidden is met, after at most `most` steps: a row of the table is one, a look at a mask two
    /// more.
    pub(super) const fn masks(&self, lines: &Lines, most: u64) -> Found {
        let mut rows = 0;
        if let Some(masks) = self.shift(lines, &mut rows) {
            return Found { masks: Some(masks), steps: rows, is_cut: false };
        }
        let masks = [0; MOST_SOURCES as usize];
        let mut search = Masks { forbidden: self, lines: *lines, masks, looks: 0, rows, most };
        let masks = if search.descend(0) { Some(search.list()) } else { None };
        Found { masks, steps: search.steps(), is_cut: search.is_cut() }
    }
}

/// Pairs of lanes that are served together, by each source.
pub(super) const fn pairs_of(served: &Service, rival: Option<&Service>) -> u64 {
    let (mut pairs, mut phase) = (0, 0);
    while phase < served.phases.count() {
        let lanes = served.phases.lanes(phase).len() as u64;
        pairs += lanes * lanes.saturating_sub(1) / 2;
        phase += 1;
    }
    match rival {
        Some(rival) => pairs + pairs_of(rival, None),
        None => pairs,
    }
}

/// What a search for masks found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) masks: Option<List>,
    /// The steps that it took.
    pub(super) steps: u64,
    /// Whether it ended before it had looked at all masks.
    pub(super) is_cut: bool,
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

/// By `i` the places whose number has bit `i` clear, one bit each.
const CLEAR: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// Places, one bit each, whose numbers a mask flips.
const fn flipped(mut places: u64, mut mask: u32) -> u64 {
    while mask != 0 {
        let bit = mask.trailing_zeros();
        let (clear, by) = (CLEAR[bit as usize], 1 << bit);
        places = (places & clear) << by | places >> by & clear;
        mask &= mask - 1;
    }
    places
}

/// Any masks, bit by bit.
struct Masks<'a> {
    forbidden: &'a Forbidden,
    lines: Lines,
    masks: [u32; MOST_SOURCES as usize],
    looks: u32,
    rows: u64,
    most: u64,
}

impl Masks<'_> {
    /// Whether it has looked at as much as it may.
    const fn is_cut(&self) -> bool {
        self.looks == MOST_LOOKS || self.steps() > self.most
    }

    const fn steps(&self) -> u64 {
        self.rows + 2 * self.looks as u64
    }

    /// Whether masks of the bits from `bit` on go with those before.
    const fn descend(&mut self, bit: u32) -> bool {
        if bit == self.lines.sources {
            return true;
        }
        let (taken, mut next) = (self.taken(bit), Some(0));
        while let Some(mask) = next {
            if self.is_cut() {
                return false;
            }
            self.looks += 1;
            self.masks[bit as usize] = mask;
            if taken >> mask & 1 == 0 && self.descend(bit + 1) {
                return true;
            }
            next = after(mask, self.lines.log2_width);
        }
        false
    }

    /// The masks of a bit, one bit each, that put some line with this as its highest bit in a forbidden place.
    const fn taken(&mut self, bit: u32) -> u64 {
        let first = 1usize << bit;
        let (mut i, end) = (first, first + self.forbidden.counts[bit as usize] as usize);
        let (mut taken, all) = (0, u64::MAX >> (64 - (1 << self.lines.log2_width)));
        while i < end && taken != all {
            let line = self.forbidden.lines[i] as u32;
            self.rows += 1;
            let (mut rest, mut place) = (line ^ first as u32, 0);
            while rest != 0 {
                place ^= self.masks[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            taken |= flipped(self.forbidden.places[line as usize], place);
            i += 1;
        }
        taken
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
        let found = cut.masks(&lines, u64::MAX);
        assert_eq!((found.masks, found.is_cut), (None, true));
        for (allowed, wanted) in [
            (&[(4, 5), (5, 2), (6, 3), (7, 4)][..], Some([7, 6, 5])),
            (&[(4, 5), (5, 2), (6, 3), (7, 5)][..], None),
        ] {
            let (whole, lines) = forbidden(3, allowed);
            assert_eq!(has_masks(3, allowed), wanted.is_some());
            let found = whole.masks(&lines, u64::MAX);
            let masks = found.masks.map(|masks| [0, 1, 2].map(|bit| masks.at(bit)));
            assert_eq!((masks, found.is_cut), (wanted, false));
            // Half as many rows are too few, which is not said to be all.
            if wanted.is_none() {
                let cut = whole.masks(&lines, found.steps / 2);
                assert_eq!((cut.masks, cut.is_cut), (None, true));
            }
        }
    }
}
