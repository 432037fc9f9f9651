//! Packs rotated by the row, where the number of packs in a row is not a power of two: no xor keeps those in the row.
//!
//! ```text
//!   64x96 halves: 12 packs of 8 to a row     row 0    0  1  2  3 .. 11
//!                                            row 3    9 10 11  0 ..  8
//! ```

use super::answer::Extent;
use super::best::Best;
use super::question::Question;
use tiledesc::recipe::Spec;

pub(super) fn search(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    let (pack, columns) = (question.widest, question.recipe_tile.columns);
    let packs = columns.checked_div(pack).unwrap_or(0);
    if question.is_one_row()
        || packs == 0
        || !columns.is_multiple_of(pack)
        || packs.is_power_of_two()
    {
        return Extent::Nothing;
    }
    best.offer(question, Spec::row_shift(pack));
    Extent::All
}
