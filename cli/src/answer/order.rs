//! The cost of an access in another order, where the layout stays as it is: another kernel, a direct load or the tensor
//! memory accelerator may have written the tile.

use crate::answer::judge::Judged;
use crate::answer::question::use_of;
use crate::answer::remedy::split_in_words;
use crate::report::access::{Outcome, Reordered};
use crate::request::spelling::plural;
use tiledesc_host::search::reorder;

/// The order in which an access that conflicts takes fewer cycles on its layout, if there is one.
pub(crate) fn order(one: &Judged<'_>) -> Option<Reordered> {
    if one.report.outcome != Outcome::Conflict || one.access.is_of_data() {
        return None;
    }
    let own = use_of(one.access, one.row);
    let found = reorder(&one.tile.layout.plan, one.tile.element.bits, &own)?;
    let how = if found.is_free { "free" } else { "less" };
    let what = found.text(&own, split_in_words);
    Some(Reordered {
        op: found.with.instruction.name(),
        split: found.split,
        cycles: found.cycles,
        free: found.is_free,
        sentence: format!("{how} with {what}: {}", plural(found.cycles, "cycle")),
    })
}
