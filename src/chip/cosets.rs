//! Phases that are the cosets of one set of lane masks.
//!
//! A table of 64 lanes states which are served together. That of each chip has more order than a table: two lanes are in one
//! phase exactly if their numbers, xor-ed, are a sum of a few masks. With those, the degree of a linear access is a rank
//! (`bank/fast/rank.rs`), and no lane is looked at.
//!
//! | | lanes of phase 0 | masks |
//! |---|---|---|
//! | 8 consecutive lanes | 0 to 7 | 1, 2, 4 |
//! | gfx942 `ds_read_b128` | 0-3, 20-23 | 1, 2, 20 |
//! | gfx950 `ds_read_b128` | 0-3, 12-15, 20-27 | 1, 2, 12, 20 |
//! | gfx942 `ds_read_b96` | 0 to 7, and so on | 1, 2, 4 |

/// Masks whose sums are the lanes of phase 0; those of every other phase are these, xor-ed
/// with one of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cosets {
    masks: [u8; Self::MOST],
    count: u8,
}

impl Cosets {
    /// 64 lanes have six bits.
    const MOST: usize = 6;

    /// Returns the cosets of phases by lane, `addressed` lanes in `count` phases; `None` if they are not cosets.
    pub(super) const fn new(phase_of: &[u8], addressed: usize, count: usize) -> Option<Self> {
        if !addressed.is_power_of_two() {
            return None;
        }
        let mut cosets = Self { masks: [0; Self::MOST], count: 0 };
        let (mut lane, mut spanned) = (1, 1u64);
        while lane < addressed {
            if phase_of[lane] == phase_of[0] && spanned >> lane & 1 == 0 {
                spanned |= shifted(spanned, lane);
                cosets.masks[cosets.count as usize] = lane as u8;
                cosets.count += 1;
            }
            lane += 1;
        }
        // Phases that are unions of cosets, and too many for anything but single ones.
        let fits = count << cosets.count == addressed;
        if fits && cosets.keep(phase_of, addressed) { Some(cosets) } else { None }
    }

    /// Returns the cosets of phases of consecutive lanes, 2^`bits` in each.
    pub(super) const fn of_lowest(bits: u32) -> Self {
        let mut cosets = Self { masks: [0; Self::MOST], count: bits as u8 };
        let mut bit = 0;
        while bit < bits {
            cosets.masks[bit as usize] = 1 << bit;
            bit += 1;
        }
        cosets
    }

    /// Returns whether no mask leads from a lane to another phase.
    const fn keep(&self, phase_of: &[u8], addressed: usize) -> bool {
        let mut i = 0;
        while i < self.count as usize {
            let mut lane = 0;
            while lane < addressed {
                if phase_of[lane] != phase_of[lane ^ self.masks[i] as usize] {
                    return false;
                }
                lane += 1;
            }
            i += 1;
        }
        true
    }

    /// The number of masks.
    pub(crate) const fn count(&self) -> usize {
        self.count as usize
    }

    /// One of them. Not by a slice, which is expensive in a constant: see DESIGN, "What the compiler
    /// pays for".
    pub(crate) const fn mask(&self, i: usize) -> u8 {
        self.masks[i]
    }

    /// All of them.
    pub(crate) const fn masks(&self) -> &[u8] {
        self.masks.split_at(self.count as usize).0
    }

    /// The number of first masks that are the single bits 1, 2, 4 and so on: these bits count consecutive lanes, and no other
    /// mask contains them.
    pub(crate) const fn consecutive_bits(&self) -> usize {
        let mut bits = 0;
        while bits < self.count as usize && self.masks[bits] == 1 << bits {
            bits += 1;
        }
        bits
    }
}

/// The lanes of a set, each xor-ed with `by`.
const fn shifted(set: u64, by: usize) -> u64 {
    let (mut found, mut rest) = (0, set);
    while rest != 0 {
        found |= 1 << (rest.trailing_zeros() as usize ^ by);
        rest &= rest - 1;
    }
    found
}
