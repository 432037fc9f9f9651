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
use std::collections::BTreeSet;
use tiledesc::List;
use tiledesc::recipe::Spec;

/// The most rows to a line of CK Tile's xors.
const MOST_LAYERS: u32 = 8;

pub(super) fn search(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    for recipe in of_ck(question) {
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

/// The xors that CK Tile takes: for each number of banks, and with 1 to 8 rows to a line.
fn of_ck(question: &Question<'_>) -> Vec<Spec> {
    let (columns, pack) = (question.recipe_tile.columns, question.pack);
    let packs = columns.checked_div(pack).unwrap_or(0);
    if pack == 0 || !columns.is_multiple_of(pack) || !packs.is_power_of_two() {
        return Vec::new();
    }
    let has_64 = question.phases.iter().any(|phase| phase.banks.bits().end > 7);
    let mut ck = vec![Spec::gemm_xor_64(pack), Spec::gemm_xor(pack)];
    ck.rotate_left(usize::from(!has_64));
    ck.extend((0..=MOST_LAYERS.ilog2()).map(|log2| Spec::gemm_xor_layer(pack, 1 << log2)));
    let mut layers = BTreeSet::new();
    ck.retain(|recipe| layers.insert(recipe.layers(question.recipe_tile)));
    ck
}

/// All of them: the widest last, of these the lowest first.
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
