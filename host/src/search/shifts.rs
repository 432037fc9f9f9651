//! Xors of a single shift: some bits of a line's number flip as many bits of a pack's place in the line, in order.
//!
//! ```text
//!   lines of 128 bytes, packs of 16     bits 7, 8, 9 flip 4, 5, 6      GemmXor of rows of 128 bytes
//!                                       bits 8, 9 flip 4, 5            GemmXorBits<.., seq![0, 1, 2]>
//! ```
//!
//! An address takes the fewest instructions by these, so they come first; a tile has a few hundred. CK Tile's own are
//! offered even where they are no better than the best, since an equal one may take fewer instructions.

use super::answer::Extent;
use super::best::Best;
use super::form::Form;
use super::linear::Linear;
use super::masks::Lines;
use super::question::Question;
use tiledesc::List;
use tiledesc::recipe::Spec;

pub(super) fn search(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    let banks = question.bank_ends().first().map_or(0, |end| 1 << end >> 2);
    // One row has no other to be xor-ed with.
    let ck = if question.is_one_row() { 0 } else { Spec::CK_XORS };
    let of_ck = |number| Spec::ck_xor(question.recipe_tile, question.pack, banks, number);
    for recipe in (0..ck).filter_map(of_ck) {
        best.offer(question, recipe);
    }
    let Some(linear) = question.linear() else { return Extent::Nothing };
    let mut extent = Extent::Nothing;
    for lines in Lines::of_each_round(question, linear, List::CAPACITY as u32) {
        extent = Extent::All;
        for columns in each(&lines, linear) {
            if linear.cycles(&columns, best.to_beat()) < best.to_beat() {
                best.offer(question, lines.recipe(question, &columns));
            }
        }
    }
    if question.has_second_address() && extent == Extent::All { Extent::Part } else { extent }
}

/// Lists all shifts: the widest last, of these the lowest first.
fn each(lines: &Lines, linear: &Linear) -> Vec<Vec<u32>> {
    let (flipped, flipping) = (lines.flipped(), lines.chosen());
    let mut all = Vec::new();
    for width in 1..=flipped.len().min(flipping.len()) as u32 {
        for from in flipping.start..=flipping.end - width {
            for to in flipped.start..=flipped.end - width {
                let mut columns = linear.columns.clone();
                (0..width).for_each(|bit| columns[(from + bit) as usize] |= 1 << (to + bit));
                all.push(columns);
            }
        }
    }
    all
}
