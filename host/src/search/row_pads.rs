//! Elements after each row: every pad up to one round of the banks, after which conflicts repeat.
//!
//! ```text
//!   128x96 halves on gfx942, written row by row, read by 32 rows
//!
//!   pad          0     8    16    24    32    40    48    56
//!   cycles     960   448   512   448   768   448   512   448     floor 384
//! ```
//!
//! A pad changes how far rows are apart and nothing else: phases are alike whose lanes are others', moved by rows and
//! columns.

use super::answer::Extent;
use super::best::Best;
use super::linear::Linear;
use super::phase::Phase;
use super::question::Question;
use tiledesc::search::Spec;

/// Elements that are placed before the search gives up: some 50 ms.
const MOST_PLACED: usize = 4_000_000;

pub(super) fn search(question: &Question<'_>, _: Option<&Linear>, best: &mut Best<'_>) -> Extent {
    let phases = question.alike(|phase| moved(question, phase));
    let (mut left, mut least, mut is_all) = (MOST_PLACED, u64::MAX, true);
    for pad in 1..question.round {
        let apart = question.recipe_tile.columns + pad;
        let byte = |[row, column]: [u32; 2]| question.byte(row * apart + column);
        let counted = question.cycles(&phases, best.most(least), &mut left, byte);
        if let Some(cycles) = counted
            && let Some(judged) = best.offer(question, Spec::row_pad(pad))
        {
            least = least.min(judged);
            is_all &= judged == cycles;
        }
        if left == 0 {
            return Extent::Part;
        }
    }
    if is_all { Extent::All } else { Extent::Part }
}

/// Lanes as seen from the first, and where in a unit that begins.
fn moved(question: &Question<'_>, phase: &Phase) -> Vec<u32> {
    let first = phase.elements[0];
    let within = question.byte(question.number(first)) & ((1 << phase.banks.shift) - 1);
    let from_first = |at: &[u32; 2]| [at[0].wrapping_sub(first[0]), at[1].wrapping_sub(first[1])];
    phase.elements.iter().flat_map(from_first).chain([within]).collect()
}
