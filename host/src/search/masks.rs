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
use super::columns;
use super::form::Form;
use super::linear::{Linear, mask_of, sums_of};
use super::question::Question;
use core::ops::Range;
use tiledesc::List;
use tiledesc::recipe::Spec;

/// Masks that most tiles need.
const FEW_MASKS: u32 = 4;

/// Lines of memory whose packs change places: one round of the banks, or the longest that divide the tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pack_bits: u32,
    line_bits: u32,
    /// The end of the bits that flip something.
    end: u32,
    /// The masks of bits that a bit may flip: fewer bits first, and of these the smaller.
    masks: Vec<u32>,
}

pub(super) fn search(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    let Some(linear) = question.linear() else { return Extent::Nothing };
    let of_most = |masks| Lines::of_each_round(question, linear, masks);
    let offer_simplest = |masks: u32, cycles: u64, best: &mut Best<'_>| {
        for lines in of_most(masks) {
            if let Some(columns) = linear.simplest(&lines, cycles) {
                best.offer(question, lines.recipe(question, &columns));
            }
        }
    };
    // Of all masks only some may be looked at.
    offer_simplest(FEW_MASKS, question.floor, best);
    let all = of_most(List::CAPACITY as u32).into_iter();
    let extent = all.map(|lines| columns::search(question, linear, &lines, best));
    // Fewer masks of as few cycles may take fewer address instructions.
    let extent = extent.reduce(Extent::and).unwrap_or(Extent::Nothing);
    (1..=FEW_MASKS).for_each(|masks| offer_simplest(masks, best.weight(), best));
    extent
}

impl Lines {
    /// Lines of each number of banks, where so many bits of a line's number flip something.
    pub(super) fn of_each_round(question: &Question<'_>, linear: &Linear, masks: u32) -> Vec<Self> {
        let longest = question.byte(question.elements()).trailing_zeros();
        let of_round = |end: u32| {
            let (pack_bits, line_bits) = (linear.pack_bits, end.min(longest));
            let end = linear.end.min(line_bits + masks);
            Self { pack_bits, line_bits, end, masks: sums_of(mask_of(pack_bits..line_bits)) }
        };
        let mut all: Vec<_> = question.bank_ends().into_iter().map(of_round).collect();
        all.retain(|one| one.pack_bits < one.line_bits && one.line_bits < one.end);
        all.dedup();
        all
    }
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
        let shifted = (columns[bit as usize - 1] & !(1 << (bit - 1))) << 1;
        let mut choices: Vec<u32> = self.masks.iter().map(|mask| own | mask).collect();
        if let Some(at) = self.masks.iter().position(|mask| *mask == shifted) {
            choices[..=at].rotate_right(1);
        }
        choices
    }

    /// The recipe that is pasted: rows to a line, lines to a row, or the offset where rows and lines end anywhere.
    fn recipe(&self, question: &Question<'_>, columns: &[u32]) -> Spec {
        let (pack, packs) = (question.pack, 1 << self.flipped().len());
        let (row, line) = (question.recipe_tile.columns, pack * packs);
        let mask = |column: &u32| (column & ((1 << self.line_bits) - 1)) >> self.pack_bits;
        let mut masks: Vec<u32> = columns[self.line_bits as usize..].iter().map(mask).collect();
        let ck: Vec<u32> = (0..masks.len().min(self.flipped().len())).map(|bit| 1 << bit).collect();
        while masks.pop_if(|last| *last == 0).is_some() {}
        let list = List::new(&masks);
        let is_lines =
            line.is_multiple_of(row) && question.recipe_tile.rows.is_multiple_of(line / row);
        match row / line {
            _ if question.is_one_row() => Spec::dense_xor(pack, packs, list),
            _ if is_lines && masks == ck => Spec::gemm_xor_layer(pack, line / row),
            _ if is_lines => Spec::gemm_xor_bits(pack, line / row, list),
            lines if row.is_multiple_of(line) && row.is_power_of_two() => {
                Spec::gemm_xor_bits(pack, 1, list).joined(lines)
            }
            _ => Spec::dense_xor(pack, packs, list),
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
        let mut columns = linear.columns.clone();
        for (bit, flipped) in (self.line_bits + 1..self.end).zip(self.flipped()) {
            columns[bit as usize] |= 1 << flipped;
        }
        let mut least = (u64::MAX, None);
        for mask in 0..1 << self.flipped().len() {
            columns[self.line_bits as usize] = 1 << self.line_bits | mask << self.pack_bits;
            let cycles = linear.cycles(&columns, least.0);
            if cycles < least.0 {
                least = (cycles, Some(columns.clone()));
            }
        }
        least.1
    }
}
