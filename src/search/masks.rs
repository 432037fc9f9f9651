//! Masks over one layering of a tile: which bits of a line's number flip which bits of a pack's.
//!
//! Rows of 128 bytes all begin in bank 0 of 32, so that lanes which read one pack of each row wait for each
//! other. A swizzle moves the packs of a line to other places of the line, by the line's number. A tile whose
//! rows are joined in layers, `L` to a line, is row-major memory in which each bit of the line's number may
//! flip bits of the pack below it ([`GemmXorBits`](type@crate::recipe::GemmXorBits)):
//!
//! ```text
//!   128x32 halves, packs of 8, L = 4, in dwords
//!
//!   bit    0   1 | 2   3   4   5 | 6   7   8   9   10
//!          pack  |  pack's number| line's number            a line is 4 rows of 16 dwords
//!                 \ flipped     /  \ flips        /
//!
//!   seq![3, 2]: bit 6 flips bits 2 and 3, bit 7 flips bit 3; line 1 has its pack 0 at place 3
//! ```
//!
//! The masks of the fewest cycles are found by the [descent](super::descent). Of 213 tiles of GEMMs that were
//! tried all have free masks; single shifts serve 204 of them.

use super::claim::LossTally;
use super::claims::Claims;
use super::descent::{Descent, Flips, descend};
use crate::bank::span::Span;
use crate::recipe::Shape;
use tiledesc_transforms::List;

/// The order of a tile before masks; all lengths are powers of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layering {
    /// Bits of a pack, which stays together.
    log2_pack_bits: u32,
    /// Bits of a line of packs, which are exchanged.
    log2_line_bits: u32,
    /// The lines, rounded up.
    log2_lines: u32,
}

/// Bits of a dword, as a power of two.
const DWORD: u32 = 5;

impl Layering {
    /// `layers` rows to a line; `None` if masks have no place in it: lengths that are no powers
    /// of two, a line of one pack, rows that fill no lines.
    pub(super) const fn new(tile: Shape, pack: u32, layers: u32) -> Option<Self> {
        let Shape { rows, columns, bits } = tile;
        let line_bits = columns as u64 * layers as u64 * bits as u64;
        let pack_bits = pack as u64 * bits as u64;
        // A pack is of one row.
        if pack_bits == 0 || pack_bits >= line_bits || layers == 0 || columns < pack {
            return None;
        }
        if line_bits > 1 << 31 || line_bits < 1 << DWORD {
            return None;
        }
        let layer = layers as u64;
        // Powers of two: of each a call would be as much work as all of this.
        let odd = line_bits & (line_bits - 1) | pack_bits & (pack_bits - 1) | layer & (layer - 1);
        if odd != 0 || rows & (layers - 1) != 0 {
            return None;
        }
        Some(Self {
            log2_pack_bits: pack_bits.trailing_zeros(),
            log2_line_bits: line_bits.trailing_zeros(),
            log2_lines: (rows / layers).next_power_of_two().trailing_zeros(),
        })
    }

    /// The first bit of a line's number, in dwords.
    const fn first(&self) -> u32 {
        self.log2_line_bits - DWORD
    }

    /// The bits of a line's number that flip their own in `GemmXorLayer`.
    const fn shifted(&self) -> u32 {
        let (width, most) = (self.log2_line_bits - self.log2_pack_bits, List::CAPACITY as u32);
        let count = if self.log2_lines < width { self.log2_lines } else { width };
        if count < most { count } else { most }
    }

    /// The cycles that all accesses lose where each bit flips its own, or some of them if they are no less than `most`.
    pub(super) const fn lost(&self, claims: &Claims, most: u64) -> u64 {
        let (mut tally, least) = LossTally::new(claims.as_slice(), 0, Span::BITS);
        let (first, distance) = (self.first(), self.log2_line_bits - self.log2_pack_bits);
        let (mut lost, mut bit) = (least - claims.base_cycles, tally.fewest_bank_bits());
        while bit < first + self.log2_lines && lost < most {
            let own = 1 << bit;
            let is_flipping = first <= bit && bit < first + self.shifted();
            let number = if is_flipping { own | own >> distance } else { own };
            lost += tally.put(number, bit, most - lost);
            bit += 1;
        }
        lost
    }

    /// The masks, in packs, of the fewest cycles, below some; of this many nodes.
    pub(super) const fn least(&self, claims: &Claims, below: u64, nodes: u32) -> (Descent, List) {
        let (first, most) = (self.first(), List::CAPACITY as u32);
        let bank_bits = claims.most_bank_bits();
        let flips = Flips {
            first,
            end: first + if self.log2_lines < most { self.log2_lines } else { most },
            all: first + self.log2_lines,
            low: self.log2_pack_bits.saturating_sub(DWORD),
            top: if first < bank_bits { first } else { bank_bits },
        };
        let found = descend(claims.as_slice(), flips, below, nodes);
        (found, self.packs(&found, &flips))
    }

    /// The masks in packs, without those of the highest bits that are 0.
    const fn packs(&self, found: &Descent, flips: &Flips) -> List {
        let (mut masks, mut len, mut bit) = ([0; List::CAPACITY], 0, flips.first);
        while bit < flips.end {
            let mask = found.masks[bit as usize];
            let at = (bit - flips.first) as usize;
            masks[at] = ((mask as u64) << DWORD >> self.log2_pack_bits) as u32;
            if mask != 0 {
                len = at + 1;
            }
            bit += 1;
        }
        List::of_first(masks, len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx950;
    use crate::pattern::Lanes;
    use crate::search::claims::tests::of_all;
    use crate::search::descent::MOST_NODES;

    /// The example of this module and of the descent: 18 of 2^20 choices are looked at.
    #[test]
    fn lines_of_four_rows() {
        let tile = Shape { rows: 128, columns: 32, bits: 16 };
        let claims = of_all(
            tile,
            &[
                (Lanes::row_major(), &gfx950::ds_write_b128),
                (Lanes::rows(16), &gfx950::ds_read_b128),
                (Lanes::rows(32), &gfx950::ds_read_b128),
            ],
        );
        let layering = Layering::new(tile, 8, 4).unwrap();
        let (found, masks) = layering.least(&claims, u64::MAX, MOST_NODES);
        let pack_bits = layering.log2_line_bits - layering.log2_pack_bits;
        assert_eq!((pack_bits, layering.log2_lines), (4, 5));
        assert_eq!((found.nodes, found.cycles, masks.as_slice()), (18, Some(16), &[3, 2][..]));
    }
}
