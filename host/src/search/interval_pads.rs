//! Elements after every power of two of bytes, wherever a row ends: the tensor data mover of gfx1250 writes such tiles.
//!
//! ```text
//!   128x32 halves on gfx1250, 64 banks, read by 16 rows in packs of 16 bytes
//!
//!   16 bytes after each row of 64 bytes    free    2,032 bytes more
//!   16 bytes after every 256 bytes         free      496 bytes more
//! ```
//!
//! The longest interval comes first, and of each the smallest pad: by bytes.

use super::answer::Extent;
use super::best::Best;
use super::linear::Linear;
use super::question::Question;
use tiledesc::search::Spec;

/// Intervals in bytes: those of the tensor data mover, but for the shortest, whose pads are half of the tile and more.
const INTERVALS: [u32; 5] = [1024, 512, 256, 128, 64];

/// Elements that are placed before the search gives up: some 50 ms.
const MOST_PLACED: usize = 4_000_000;

pub(super) fn search(question: &Question<'_>, _: Option<&Linear>, best: &mut Best<'_>) -> Extent {
    let (bits, mut left, mut extent) = (question.tile.bits, MOST_PLACED, Extent::Nothing);
    for bytes in INTERVALS {
        let every = bytes * 8 / bits;
        // Of whole rows it is a pad behind each, which was tried.
        let is_new = every < question.elements() && every != question.recipe_tile.columns;
        if !(bytes * 8).is_multiple_of(bits)
            || !question.elements().is_multiple_of(every)
            || !is_new
        {
            continue;
        }
        let is_all = search_interval(question, every, &mut left, best) && extent != Extent::Part;
        extent = if is_all { Extent::All } else { Extent::Part };
    }
    extent
}

/// Offers the pads of an interval; whether all were counted.
fn search_interval(
    question: &Question<'_>,
    every: u32,
    left: &mut usize,
    best: &mut Best<'_>,
) -> bool {
    // Phases that are whole intervals apart are alike.
    let phases = question.alike(|phase| {
        let first = question.number(phase.elements[0]);
        let from_first = phase.elements.iter().map(|at| question.number(*at).wrapping_sub(first));
        from_first.chain([first % every]).collect()
    });
    let (mut least, mut is_all) = (u64::MAX, true);
    for pad in 1..question.round {
        let byte = |at| {
            let number = question.number(at);
            question.byte(number + number / every * pad)
        };
        // A larger pad is a choice only if it takes fewer cycles.
        let most = best.most(least).min(least - 1);
        if let Some(cycles) = question.cycles(&phases, most, left, byte)
            && let Some(judged) = best.offer(question, Spec::interval_pad(every, pad))
        {
            least = least.min(judged);
            is_all &= judged == cycles;
        }
        if least <= question.floor {
            break;
        }
        if *left == 0 {
            return false;
        }
    }
    is_all
}
