//! Elements between others: after each row, or after every power of two of bytes, wherever a row ends, as the tensor data
//! mover of gfx1250 writes tiles. Every pad up to one round of the banks, after which conflicts repeat.
//!
//! ```text
//!   128x96 halves on gfx942, written row by row, read by 32 rows
//!     pad after each row     0     8    16    24    32    40    48    56
//!     cycles               960   448   512   448   768   448   512   448     floor 384
//!
//!   128x32 halves on gfx1250, 64 banks, read by 16 rows in packs of 16 bytes
//!     16 bytes after each row of 64 bytes    free    2,032 bytes more
//!     16 bytes after every 256 bytes         free      496 bytes more
//! ```
//!
//! A pad changes how far intervals are apart and nothing else: phases are alike whose lanes are others', moved by whole
//! intervals; of rows by columns, too.

use super::answer::Extent;
use super::best::Best;
use super::phase::Element;
use super::question::Question;
use tiledesc::recipe::Spec;

/// Elements that are placed before the search gives up: some 50 ms.
const MOST_PADDED: usize = 4_000_000;

/// Intervals in bytes: those of the tensor data mover, but for the shortest, whose pads are half of the tile and more.
const INTERVALS: [u32; 5] = [1024, 512, 256, 128, 64];

/// The most intervals of a single row: of 16 bytes in 64 KiB.
const MOST_INTERVALS: u32 = 4096;

/// Searches pads after rows.
pub(super) fn rows(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    if question.is_one_row() {
        return Extent::Nothing;
    }
    search(question, best, question.recipe_tile.columns, &mut { MOST_PADDED })
}

/// Pads at intervals: the longest first, and of each the smallest pad, by bytes.
pub(super) fn intervals(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    let (bits, all, mut left) = (question.tile.bits, question.elements(), MOST_PADDED);
    let whole = INTERVALS.into_iter().filter(|bytes| (bytes * 8).is_multiple_of(bits));
    let lengths: Vec<_> = match question.is_one_row() {
        true => of_one_row(all),
        false => whole.map(|bytes| bytes * 8 / bits).collect(),
    };
    let lengths = lengths.into_iter().filter(|every| {
        // Of whole rows it is a pad behind each, which was tried.
        *every < all && all.is_multiple_of(*every) && *every != question.recipe_tile.columns
    });
    let of_interval = |every| search(question, best, every, &mut left);
    lengths.map(of_interval).reduce(Extent::and).unwrap_or(Extent::Nothing)
}

/// The intervals of a single row, the longest first: all that divide it, as there is no row to put a pad behind.
fn of_one_row(all: u32) -> Vec<u32> {
    let many = (2..=MOST_INTERVALS.min(all / 2)).filter(|many| all.is_multiple_of(*many));
    many.map(|many| all / many).collect()
}

/// Offers the pads of an interval; how many of them were counted.
fn search(question: &Question<'_>, best: &mut Best<'_>, every: u32, left: &mut usize) -> Extent {
    let is_of_rows = every == question.recipe_tile.columns;
    let place = |at| (question.number(at) / every, question.number(at) % every);
    // Lanes as seen from the first, and where in a unit that begins.
    let phases = question.alike(|phase| {
        let (interval, within) = place(phase.elements[0]);
        let unit = question.byte(within) & ((1 << phase.banks.shift) - 1);
        let from_first = |at: &Element| {
            let (other, number) = place(*at);
            [other.wrapping_sub(interval), number.wrapping_sub(within)]
        };
        phase.elements.iter().flat_map(from_first).chain([unit]).collect()
    });
    let (mut least, mut extent) = (u64::MAX, Extent::All);
    for pad in 1..question.round {
        let byte = |at| question.byte(question.number(at) + place(at).0 * pad);
        let recipe = match is_of_rows {
            true => Spec::row_pad(pad),
            false => Spec::interval_pad(every, pad),
        };
        // A larger pad at intervals is a choice only if it takes fewer cycles.
        let most = if is_of_rows { u64::MAX } else { least - 1 }.min(best.most(least));
        let cycles = phases.iter().try_fold(question.floor, |cycles, phase| {
            *left = left.saturating_sub(phase.elements.len());
            Some(cycles + phase.lost(byte)?).filter(|cycles| *cycles <= most)
        });
        if let Some(cycles) = cycles
            && let Some(judged) = best.offer(question, recipe)
        {
            least = least.min(judged);
            if judged != cycles {
                extent = Extent::Part;
            }
        }
        if least <= question.floor && !is_of_rows {
            break;
        }
        if *left == 0 {
            return Extent::Part;
        }
    }
    extent
}
