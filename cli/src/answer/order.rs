//! What an access takes in another order, where the layout stays as it is: another kernel, a direct load or the tensor
//! memory accelerator may have written the tile.

use crate::answer::judge::Judged;
use crate::answer::remedy::{split_in_words, use_of};
use crate::request::spelling::plural;
use tiledesc_host::search::{Reordered, reorder};

/// An access in the order of the fewest cycles.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Its instruction.
    pub(crate) op: &'static str,
    /// In how many instructions lanes take what is together, and by which bit of a lane's number they are crossed.
    pub(crate) split: [u32; 2],
    pub(crate) cycles: u64,
    pub(crate) is_free: bool,
    /// `free with two ds_read_b64 in place of each ds_read_b128, ..: 128 cycles`
    pub(crate) sentence: String,
}

/// The order in which an access that conflicts takes fewer cycles on its layout, if there is one.
pub(crate) fn order(one: &Judged<'_>) -> Option<Order> {
    if one.is_free() || one.verdict.conflicts().race.is_some() {
        return None;
    }
    let own = use_of(one.access, one.row);
    let found = reorder(&one.tile.layout.plan, one.tile.element.bits, &own)?;
    let what = found.text(&own, split_in_words);
    let Reordered { with, split, cycles, is_free, .. } = found;
    let how = if is_free { "free" } else { "less" };
    let sentence = format!("{how} with {what}: {}", plural(cycles, "cycle"));
    Some(Order { op: with.instruction.name(), split, cycles, is_free, sentence })
}
