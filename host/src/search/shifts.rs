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
use tiledesc::recipe::{Shape, Spec};

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
    let (Shape { columns, bits, .. }, pack) = (question.recipe_tile, question.pack);
    let packs = columns.checked_div(pack).unwrap_or(0);
    if pack == 0 || !columns.is_multiple_of(pack) || !packs.is_power_of_two() {
        return Vec::new();
    }
    let has_64 = question.phases.iter().any(|phase| phase.banks.bits().end > 7);
    let layers = |banks: u32| (banks * 32 / (columns * bits).max(1)).max(1);
    let mut ck = [(layers(64), Spec::gemm_xor_64(pack)), (layers(32), Spec::gemm_xor(pack))];
    ck.rotate_left(usize::from(!has_64));
    let others = (0..=MOST_LAYERS.ilog2()).map(|log2| 1 << log2);
    let others = others.filter(|rows| *rows != ck[0].0 && *rows != ck[1].0);
    let others = others.map(|rows| Spec::gemm_xor_layer(pack, rows));
    let differ = 1 + usize::from(ck[0].0 != ck[1].0);
    ck[..differ].iter().map(|(_, recipe)| *recipe).chain(others).collect()
}

/// All of them: the widest last, of these the lowest first.
fn each(lines: &Lines, linear: &Linear) -> Vec<Vec<u32>> {
    let (flipped, flipping) = (lines.flipped(), lines.chosen());
    let mut all = Vec::new();
    for width in 1..=flipped.len().min(flipping.len()) as u32 {
        for from in flipping.start..=flipping.end - width {
            for to in flipped.start..=flipped.end - width {
                let mut columns = linear.in_order();
                (0..width).for_each(|bit| columns[(from + bit) as usize] |= 1 << (to + bit));
                all.push(columns);
            }
        }
    }
    all
}
