//! Masks: each bit of a line's number flips any bits of a pack's place in the line. Rows may end anywhere.
//!
//! CK Tile's layered xor, its form with masks, rows joined of lines and swizzles of the dense offset are one family; how
//! rows and lines divide each other decides only what is printed:
//!
//! ```text
//!   128x32 halves on gfx950, lines of 256 bytes: bit 8 flips 4 and 5, bit 9 flips 5            4 rows to a line
//!     GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>
//!   128x128 floats on 32 banks, lines of 128 bytes: bits 7, 8, 9 flip 2, 3, 4                  4 lines to a row
//!     Joined<GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>, Lines<4>>
//!   64x96 halves, lines of 128 bytes: bit 9 flips 5                                            a line and a half to a row
//!     DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![0, 0, 2]>
//! ```

use super::answer::Extent;
use super::best::Best;
use super::linear::{self, Form, Linear};
use super::question::Question;
use core::ops::Range;
use tiledesc::List;
use tiledesc::recipe::Spec;

/// Masks that a layout holds.
const MOST_MASKS: u32 = List::CAPACITY as u32;

/// Masks that most tiles need: the fewest are tried first.
const FEW_MASKS: u32 = 4;

/// Lines of memory whose packs change places: one round of the banks, or the longest that divide the tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pack_bits: u32,
    line_bits: u32,
    /// The end of the bits that flip something.
    end: u32,
}

pub(super) fn search(
    question: &Question<'_>,
    linear: Option<&Linear>,
    best: &mut Best<'_>,
) -> Extent {
    let Some(linear) = linear else { return Extent::Nothing };
    for lines in (1..=FEW_MASKS).flat_map(|masks| Lines::of_each_round(question, linear, masks)) {
        if best.below() > question.floor
            && let Some(columns) = linear.simplest(&lines, question.floor)
        {
            best.offer(question, lines.recipe(question, &columns));
        }
    }
    let of_lines = |lines: Lines| linear::search(question, linear, &lines, best);
    let all = Lines::of_each_round(question, linear, MOST_MASKS).into_iter().map(of_lines);
    let extent = all.reduce(Extent::and).unwrap_or(Extent::Nothing);
    // Others of as few cycles may take fewer address instructions.
    let is_conflicting = (question.floor + 1..u64::MAX).contains(&best.weight());
    for lines in (1..=FEW_MASKS).flat_map(|masks| Lines::of_each_round(question, linear, masks)) {
        if is_conflicting && let Some(columns) = linear.simplest(&lines, best.weight()) {
            best.offer(question, lines.recipe(question, &columns));
        }
    }
    extent
}

impl Lines {
    /// Lines of each number of banks, where so many bits of a line's number flip something.
    pub(super) fn of_each_round(question: &Question<'_>, linear: &Linear, masks: u32) -> Vec<Self> {
        let longest = question.byte(question.elements()).trailing_zeros();
        let of_round = |end: u32| {
            let line_bits = end.min(longest);
            Self { pack_bits: linear.pack_bits, line_bits, end: linear.end.min(line_bits + masks) }
        };
        let can_be =
            |lines: &Self| lines.pack_bits < lines.line_bits && lines.line_bits < lines.end;
        let mut all: Vec<_> =
            question.bank_ends().into_iter().map(of_round).filter(can_be).collect();
        all.dedup();
        all
    }
}

/// Whether each bit flips its own, as many as there are: CK Tile's xor.
fn is_ck(masks: &[u32], packs: u32, bits: u32) -> bool {
    masks.len() as u32 == packs.ilog2().min(bits)
        && masks.iter().enumerate().all(|(bit, mask)| *mask == 1 << bit)
}

impl Form for Lines {
    fn chosen(&self) -> Range<u32> {
        self.line_bits..self.end
    }

    fn flipped(&self) -> Range<u32> {
        self.pack_bits..self.line_bits
    }

    /// First the mask of the bit below, shifted by one; then those of fewer bits, and of these the smaller.
    fn choices(&self, bit: u32, columns: &[u32], is_used: bool) -> Vec<u32> {
        let own = 1 << bit;
        if !is_used {
            return vec![own];
        }
        let below = 1 << (bit - 1);
        let shifted = (columns[bit as usize - 1] & !below) << 1;
        let mut masks: Vec<u32> = (0..1 << (self.line_bits - self.pack_bits))
            .map(|mask| mask << self.pack_bits)
            .collect();
        masks.sort_unstable_by_key(|mask| (*mask != shifted, mask.count_ones(), *mask));
        masks.into_iter().map(|mask| own | mask).collect()
    }

    /// What is pasted: rows to a line, lines to a row, or the offset where rows and lines end anywhere.
    fn recipe(&self, question: &Question<'_>, columns: &[u32]) -> Spec {
        let (pack, packs) = (question.pack, 1 << (self.line_bits - self.pack_bits));
        let (row, line) = (question.recipe_tile.columns, pack * packs);
        let mask = |column: &u32| (column & ((1 << self.line_bits) - 1)) >> self.pack_bits;
        let mut masks: Vec<u32> = columns[self.line_bits as usize..].iter().map(mask).collect();
        while masks.last() == Some(&0) {
            masks.pop();
        }
        let bits = columns.len() as u32 - self.line_bits;
        let list = List::new(&masks);
        if line.is_multiple_of(row) && question.recipe_tile.rows.is_multiple_of(line / row) {
            match is_ck(&masks, packs, bits) {
                true => Spec::gemm_xor_layer(pack, line / row),
                false => Spec::gemm_xor_bits(pack, line / row, list),
            }
        } else if row.is_multiple_of(line) && row.is_power_of_two() {
            match row / line {
                1 => Spec::gemm_xor_bits(pack, 1, list),
                lines => Spec::gemm_xor_bits(pack, 1, list).joined(lines),
            }
        } else {
            Spec::dense_xor(pack, packs, list)
        }
    }

    fn step(&self, columns: &mut [u32], random: u64) -> bool {
        let bit = |bits: Range<u32>, shift: u32| {
            bits.start + (random >> shift) as u32 % bits.len() as u32
        };
        columns[bit(self.chosen(), 33) as usize] ^= 1 << bit(self.flipped(), 45);
        true
    }

    /// The least of those whose first bit flips any bits, and each further one the next bit of the line, from the lowest.
    fn start(&self, linear: &Linear) -> Option<Vec<u32>> {
        let mut columns = linear.in_order();
        for (bit, flipped) in (self.line_bits + 1..self.end).zip(self.flipped()) {
            columns[bit as usize] |= 1 << flipped;
        }
        let first = self.line_bits as usize;
        let (mut least, mut best) = (u64::MAX, columns.clone());
        for mask in 0..1 << self.flipped().len() {
            columns[first] = 1 << first | mask << self.pack_bits;
            let cycles = linear.cycles(&columns, least);
            if cycles < least {
                (least, best) = (cycles, columns.clone());
            }
        }
        Some(best)
    }
}
