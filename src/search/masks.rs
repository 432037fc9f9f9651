//! Masks that free all accesses at once: one subspace that avoids several.
//!
//! A tile of rows in layers, `L` to a line, is row-major memory in which each bit of the line's
//! number may flip bits of the pack below it ([`GemmXorBits`](struct@crate::recipe::GemmXorBits)).
//! An access is free if no sum of what its phase touches, but 0, is in bank 0 with it:
//!
//! ```text
//!   D   sums of the phase's lane masks and of the vector's dwords, one set for each access
//!   N   what is in bank 0: for each bit p above the banks, p together with the mask that it flips
//!   free: D and N have only 0 in common, that is, their numbers together are independent
//! ```
//!
//! So the masks are chosen from the highest bit down, each one such that p and its mask are no
//! sum of what is there, in every access; where none is, the bit above is chosen again. It ends
//! with masks, or with the proof that no masks over this layering free them all. Of 213 tiles of
//! GEMMs that were tried all have some; single shifts serve 204 of them.

use super::remedy::{Shape, Use};
use crate::access::columns::Alike;
use crate::access::placed::Placed;
use crate::bank::span::Span;
use tiledesc_transforms::{List, Plan};

/// Choices that are looked at before the search is given up.
const MOST_CHOICES: u32 = 20_000;
/// Accesses that are searched for together.
const MOST_USES: usize = 8;

/// What a phase of an access touches, in dwords, and then what is in bank 0 with it.
#[derive(Clone, Copy)]
struct Taken {
    sums: Span<32>,
    banks: u32,
}

/// A search over one layering.
struct Search {
    uses: [Taken; MOST_USES],
    count: usize,
    /// The first bit of a line's number, in dwords, and how many there are.
    line: u32,
    bits: u32,
    /// Dwords of a pack, as a shift, and packs of a line.
    pack: u32,
    packs: u32,
}

impl Shape {
    /// One mask for each bit of the line's number, such that packs of `pack` elements, `layers`
    /// rows to a line, are free in every use; `None` if there are none, or no access says by
    /// columns what it touches.
    ///
    /// ```
    /// use tiledesc::remedy::{Shape, Use};
    /// use tiledesc::{pattern::Lanes, chip::gfx950};
    ///
    /// // Rows of 64 bytes on gfx950: no layer of `GemmXor` serves both operands.
    /// let tile = Shape { rows: 128, columns: 32, bits: 16 };
    /// let read = |rows| Use { lanes: Lanes::rows(rows), instruction: &gfx950::ds_read_b128 };
    /// assert_eq!(tile.masks(8, 4, &[read(16), read(32)]).unwrap(), [3, 2]);
    /// assert_eq!(tile.swizzle(&[read(16), read(32)]).unwrap().layers(), Some(4));
    /// ```
    #[must_use]
    pub const fn masks(self, pack: u32, layers: u32, uses: &[Use<'_>]) -> Option<List> {
        let Some(mut search) = Search::new(self, pack, layers, uses) else { return None };
        search.run()
    }
}

impl Search {
    const fn new(tile: Shape, pack: u32, layers: u32, uses: &[Use<'_>]) -> Option<Self> {
        let Shape { rows, columns, bits } = tile;
        let line = columns as u64 * layers as u64 * bits as u64 / 32;
        let pack_dwords = pack as u64 * bits as u64 / 32;
        let powers = rows.is_power_of_two() && line.is_power_of_two();
        if !powers || !pack_dwords.is_power_of_two() || pack_dwords >= line || layers > rows {
            return None;
        }
        if uses.len() > MOST_USES || line > 1 << 16 {
            return None;
        }
        let none = Taken { sums: Span::NONE, banks: 1 };
        let mut search = Self {
            uses: [none; MOST_USES],
            count: uses.len(),
            line: line.trailing_zeros(),
            bits: (rows / layers).trailing_zeros(),
            pack: pack_dwords.trailing_zeros(),
            packs: (line / pack_dwords) as u32,
        };
        let Ok(plan) = Plan::naive(&[rows, columns], &[columns, 1]) else { return None };
        let mut i = 0;
        while i < uses.len() {
            search.uses[i] = match touched(&plan, bits, &uses[i]) {
                Some(taken) => taken,
                None => return None,
            };
            // Between the banks and the line nothing is flipped that banks see.
            let mut between = 1u64 << search.line;
            while between > search.uses[i].banks as u64 {
                between /= 2;
                if !search.uses[i].sums.add(between as u32) {
                    return None;
                }
            }
            i += 1;
        }
        Some(search)
    }

    /// Chooses from the highest bit down, and again where it must.
    const fn run(&mut self) -> Option<List> {
        if self.bits as usize > List::CAPACITY {
            return None;
        }
        // Of each bit, the place of the mask in the order in which they are tried, and the sums
        // before it.
        let mut places = [0u32; List::CAPACITY];
        let mut masks = [0u32; List::CAPACITY];
        let mut before = [self.uses; List::CAPACITY];
        let (mut bit, mut choices) = (self.bits, 0);
        while bit > 0 {
            let b = bit as usize - 1;
            choices += 1;
            if choices > MOST_CHOICES {
                return None;
            }
            if places[b] == self.packs {
                // None is left: the bit above is chosen again.
                places[b] = 0;
                bit += 1;
                if bit > self.bits {
                    return None;
                }
                self.uses = before[bit as usize - 1];
                continue;
            }
            before[b] = self.uses;
            masks[b] =
                self.mask(places[b], if b + 1 < self.bits as usize { masks[b + 1] } else { 0 });
            places[b] += 1;
            if self.add(self.line + bit - 1, masks[b]) {
                bit -= 1;
            } else {
                self.uses = before[b];
            }
        }
        let mut len = self.bits as usize;
        while len > 0 && masks[len - 1] == 0 {
            len -= 1;
        }
        Some(shorter(masks, len))
    }

    /// Adds a bit with its mask to the sums of each access whose banks it is above.
    const fn add(&mut self, bit: u32, mask: u32) -> bool {
        let mut i = 0;
        while i < self.count {
            let banks = self.uses[i].banks;
            if 1u64 << bit >= banks as u64 {
                let flipped = (mask << self.pack) & (banks - 1);
                if !self.uses[i].sums.add(1 << bit | flipped) {
                    return false;
                }
            }
            i += 1;
        }
        true
    }

    /// The mask at a place of the order: half of the mask of the bit above, which makes single
    /// shifts come out first; then those of fewer bits, of as many the larger.
    const fn mask(&self, place: u32, above: u32) -> u32 {
        let hint = above / 2;
        if place == 0 {
            return hint;
        }
        let (mut ones, mut seen) = (0, 0);
        while ones <= self.packs.trailing_zeros() {
            let mut mask = self.packs;
            while mask > 0 {
                mask -= 1;
                if mask.count_ones() == ones && mask != hint {
                    seen += 1;
                    if seen == place {
                        return mask;
                    }
                }
            }
            ones += 1;
        }
        hint
    }
}

/// What a phase touches of a row-major tile, in dwords.
const fn touched(plan: &Plan, bits: u32, access: &Use<'_>) -> Option<Taken> {
    let row = access.instruction;
    let Ok(placed) = Placed::new(plan, bits, access.lanes, row) else { return None };
    let Some(Alike::Columns(columns)) = placed.alike() else { return None };
    let Some(cosets) = row.service().phases.cosets() else { return None };
    if row.parts() > 1 || !row.bytes().is_power_of_two() {
        return None;
    }
    let sums = Span::touched(columns, cosets.masks(), row.bytes());
    Some(Taken { sums, banks: row.service().banks })
}

const fn shorter(masks: [u32; List::CAPACITY], len: usize) -> List {
    let (mut list, mut i) = (List::EMPTY, 0);
    while i < len {
        list = match list.push_back(masks[i]) {
            Ok(list) => list,
            Err(_) => return list,
        };
        i += 1;
    }
    list
}
