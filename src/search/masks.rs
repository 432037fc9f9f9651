//! Masks over one layering of a tile, by the [descent](super::descent).
//!
//! A tile of rows in layers, `L` to a line, is row-major memory in which each bit of the line's
//! number may flip bits of the pack below it ([`GemmXorBits`](struct@crate::recipe::GemmXorBits)):
//!
//! ```text
//!   128x32 halves, packs of 8, L = 4, in dwords
//!
//!   bit    0   1 | 2   3   4   5 | 6   7   8   9   10
//!          pack  |  pack's number| line's number            a line is 4 rows of 16 dwords
//!                 \ flipped     /  \ flips        /
//! ```
//!
//! Of 213 tiles of GEMMs that were tried all have free masks; single shifts serve 204 of them.

use super::claims::{Claims, MOST_CLAIMS};
use super::descent::{Descent, Flips, descend};
use super::remedy::{Shape, Use};
use tiledesc_transforms::List;

/// How a tile is laid out before masks: packs of so many bits, so many bits to a line.
#[derive(Clone, Copy)]
pub(crate) struct Layering {
    /// Bits of a pack, of a line, of the number of a line, as powers of two.
    pack: u32,
    line: u32,
    lines: u32,
}

/// Bits of a dword, as a power of two.
const DWORD: u32 = 5;

impl Layering {
    /// `layers` rows to a line; `None` if that is no layering of masks: lengths that are no
    /// powers of two, a line of one pack.
    pub(crate) const fn new(tile: Shape, pack: u32, layers: u32) -> Option<Self> {
        let Shape { rows, columns, bits } = tile;
        let line = columns as u64 * layers as u64 * bits as u64;
        let pack = pack as u64 * bits as u64;
        let powers = rows.is_power_of_two() && layers.is_power_of_two() && line.is_power_of_two();
        if !powers || !pack.is_power_of_two() || pack >= line || layers > rows || line > 1 << 31 {
            return None;
        }
        Some(Self {
            pack: pack.trailing_zeros(),
            line: line.trailing_zeros(),
            lines: (rows / layers).trailing_zeros(),
        })
    }

    /// The masks, in packs, of the fewest cycles below `below`.
    pub(crate) const fn least(&self, claims: &Claims, below: u64) -> (Descent, List) {
        let first = self.line.saturating_sub(DWORD);
        let most = List::CAPACITY as u32;
        let flips = Flips {
            first,
            end: first + if self.lines < most { self.lines } else { most },
            low: self.pack.saturating_sub(DWORD),
            top: if first < claims.line() { first } else { claims.line() },
        };
        let mut these = [claims.at(0); MOST_CLAIMS];
        let mut i = 0;
        while i < claims.len() {
            these[i] = claims.at(i);
            let mut bit = these[i].line();
            while bit < first + self.lines {
                // Bits between the banks and a line flip nothing, and neither do more than a list holds.
                if bit < first || bit >= flips.end {
                    these[i] = these[i].in_bank_0(1 << bit);
                }
                bit += 1;
            }
            i += 1;
        }
        let found = descend(these.split_at_mut(claims.len()).0, flips, below);
        (found, self.packs(&found, &flips))
    }

    /// The masks in packs, without those of the highest bits that are 0.
    const fn packs(&self, found: &Descent, flips: &Flips) -> List {
        let (mut masks, mut len, mut bit) = ([0; List::CAPACITY], 0, flips.first);
        while bit < flips.end {
            let mask = found.masks[bit as usize];
            let at = (bit - flips.first) as usize;
            masks[at] = ((mask as u64) << DWORD >> self.pack) as u32;
            if mask != 0 {
                len = at + 1;
            }
            bit += 1;
        }
        List::new(masks.split_at(len).0)
    }
}

impl Shape {
    /// One mask for each bit of the line's number, such that packs of `pack` elements, `layers`
    /// rows to a line, are free in every use; `None` if there are none, or an access does not say
    /// by columns what it touches.
    ///
    /// ```
    /// use tiledesc::remedy::{Shape, Use};
    /// use tiledesc::{pattern::Lanes, chip::gfx950};
    ///
    /// // Rows of 64 bytes on gfx950: no layer of `GemmXor` serves both operands.
    /// let tile = Shape { rows: 128, columns: 32, bits: 16 };
    /// let read = |rows| Use::new(Lanes::rows(rows), &gfx950::ds_read_b128);
    /// assert_eq!(tile.masks(8, 4, &[read(16), read(32)]).unwrap(), [3, 2]);
    /// assert_eq!(tile.swizzle(&[read(16), read(32)]).unwrap().layers(), Some(4));
    /// ```
    #[must_use]
    pub const fn masks(self, pack: u32, layers: u32, uses: &[Use<'_>]) -> Option<List> {
        let Some(layering) = Layering::new(self, pack, layers) else { return None };
        let Some(claims) = Claims::of(self, uses) else { return None };
        let (found, masks) = layering.least(&claims, claims.cycles() + 1);
        match found.cycles {
            Some(_) => Some(masks),
            None => None,
        }
    }
}
