//! The refusals of a statement: an access that conflicts or is invalid, and a direct load that cannot fill the layout, each with
//! what would be free instead.
//!
//! ```text
//!   refuse_on_chips     one access of a statement, chip by chip
//!     is_free_by_outline  by the layout's outline alone; false means only that the outline cannot tell
//!     fault             by a plan: nothing is wrong with it, or the sentence that says what
//!       with_remedy     what would be free, in the words of `instead.rs`
//!   refuse_fill         the direct load, by its own plan
//! ```
//!
//! Most accesses are free by the outline, so mostly no plan is made. The remedy serves all accesses of the statement: a
//! pad that frees the read may break the write. `synthesize!` judges what it found by the functions of this file, too.

use super::instead::Copies;
use super::stated_access::StatedAccess;
use crate::access::error::AccessError;
use crate::access::placed::laid;
use crate::access::refusal::AddressError;
use crate::bank::outlined;
use crate::direct::Fill;
use crate::direct::statement::{head, row as transfer};
use crate::element::Element;
use crate::layout::{Tile, known};
use crate::recipe::Shape;
use crate::search::{MOST_USES, TO_REFUSE, Use};
use tiledesc_transforms::{Text, say};

/// Refuses a layout that conflicts in one access, on any chip, on the caller's line: what
/// [`assert_conflict_free!`](crate::assert_conflict_free!) does for each of its accesses. The
/// suggested layouts are free in all accesses.
///
/// # Panics
///
/// With the degree, the phase, the bank, and two lanes with their coordinates
/// and bytes, of the first chip on which it conflicts; and with what would be free.
#[track_caller]
pub(crate) const fn refuse_on_chips<T: Tile, const C: usize, const N: usize>(
    layout: &str,
    accesses: &[[StatedAccess<'_>; N]; C],
    access: usize,
    copies: Copies,
) {
    let mut chip = 0;
    while chip < C {
        // Mostly the outline tells, and a plan is never made.
        if !is_free_by_outline::<T>(&accesses[chip][access])
            && let Some(text) =
                fault::<T>(layout, accesses.as_flattened(), chip * N + access, copies)
        {
            text.refuse()
        }
        chip += 1;
    }
}

/// Returns whether an access is known to be free by the layout's outline, and nothing is wrong with it. A degree above 1 is no
/// answer: the plan finds it again, and names the lanes.
pub(crate) const fn is_free_by_outline<T: Tile>(stated: &StatedAccess<'_>) -> bool {
    stated.is_decided_by_degree()
        && stated.is_of_its_layout::<T>()
        && matches!(outlined::degree::<T>(&stated.uses.lanes, stated.uses.instruction), Some(1))
}

/// Returns the fault of an access.
#[track_caller]
pub(crate) const fn fault<T: Tile>(
    layout: &str,
    accesses: &[StatedAccess<'_>],
    i: usize,
    copies: Copies,
) -> Option<Text> {
    let (stated, instruction) = (&accesses[i], accesses[i].uses.instruction);
    if !instruction.is_absent() && !stated.is_of_its_verb() {
        let text = stated.head(layout);
        let text = say!(text:
            "the instruction ", str(instruction.access().verb()), ", the assertion says `",
            str(stated.says.name()), "`"
        );
        return Some(text);
    }
    if !instruction.is_absent() && !stated.is_of_its_width() {
        return Some(stated.other_width(stated.head(layout)));
    }
    if !stated.is_of_its_layout::<T>() {
        return Some(stated.other_layout::<T>(layout));
    }
    let placed = laid::<T>(stated.uses.lanes, instruction);
    let verdict = match &placed {
        Ok(placed) => placed.verdict(),
        Err(misfit) => Err(*misfit),
    };
    // The words come last: they are as much work as the verdict, and mostly nobody reads them.
    if let Ok(verdict) = &verdict
        && verdict.is_free()
    {
        let times = stated.times_written();
        return if times > 1 {
            let text = stated.head(layout);
            Some(say!(text:
                "each element would be written ", times, " times, by waves that hold the same: let one of them store, \
                 and state what it stores by a distribution without the repetition"
            ))
        } else if stated.is_weak(verdict) {
            Some(stated.weak(stated.head(layout), verdict))
        } else {
            None
        };
    }
    let text = stated.head(layout);
    match &verdict {
        Ok(verdict) if verdict.conflicts().race.is_some() => Some(verdict.finding(text)),
        Ok(verdict) => Some(with_remedy::<T>(stated.finding(text, verdict), accesses, copies)),
        Err(AccessError::Layout(error)) => error.refuse(layout),
        // Another layout may keep the elements together, and begin them where the instruction can.
        Err(
            misfit @ (AccessError::NotContiguous { .. }
            | AccessError::Address(AddressError::Misaligned { .. })),
        ) => Some(with_remedy::<T>(misfit.explain(text), accesses, copies)),
        Err(misfit) => Some(misfit.explain(text)),
    }
}

/// The cycles of an access that may conflict; `None` of one with which something else is wrong.
#[track_caller]
pub(super) const fn taken<T: Tile>(name: &str, stated: &StatedAccess<'_>) -> Option<u64> {
    let Use { lanes, instruction, times, .. } = stated.uses();
    let Ok(placed) = laid::<T>(lanes, instruction) else { return None };
    match placed.verdict_without_pair() {
        Ok(verdict)
            if verdict.conflicts().race.is_none()
                && stated.is_of_its_verb()
                && stated.is_of_its_width() =>
        {
            if stated.is_weak(&verdict) {
                stated.weak(stated.head(name), &verdict).refuse()
            }
            Some(verdict.active_cycles() * times as u64)
        }
        _ => None,
    }
}

/// The direct load that a statement names, on the chip of its rows; `says` is its text in the statement.
///
/// # Panics
///
/// If the chip has no such transfer.
#[doc(hidden)]
#[must_use]
#[track_caller]
pub const fn fill(
    chip: &'static str,
    says: &'static str,
    name: &'static str,
    waves: u32,
) -> Fill<'static> {
    // A row of the user's may be of no chip.
    let chip = if chip.is_empty() { says } else { chip };
    match transfer(chip, name) {
        Ok(transfer) => Fill::by(transfer, waves),
        Err(error) => error.explain(Text::new()).refuse(),
    }
}

/// Lines of a tile that a direct load fills.
#[doc(hidden)]
#[must_use]
pub const fn filled<'a, const N: usize>(
    mut accesses: [StatedAccess<'a>; N],
    fill: Fill<'a>,
) -> [StatedAccess<'a>; N] {
    let mut i = 0;
    while i < N {
        accesses[i].uses = accesses[i].uses.filled_by(fill);
        i += 1;
    }
    accesses
}

/// Refuses a layout that the direct load of its statement cannot fill, on some chip.
///
/// # Panics
///
/// With the byte, the lane and the reason.
#[track_caller]
pub const fn refuse_fill<T: Tile, const C: usize, const N: usize>(
    layout: &str,
    accesses: &[[StatedAccess<'_>; N]; C],
) {
    refuse_fills::<T>(layout, accesses.as_flattened(), N);
}

/// Refuses a layout that the direct load of its statement cannot fill, for accesses that are listed chip by chip, `of_chip` for
/// each.
#[track_caller]
pub(crate) const fn refuse_fills<T: Tile>(
    layout: &str,
    accesses: &[StatedAccess<'_>],
    of_chip: usize,
) {
    let mut i = 0;
    while i < accesses.len() {
        // Without a fill nobody asks for a plan, which may never be made.
        if let Some(fill) = accesses[i].uses.fill
            && let Ok(plan) = known::<T>()
            && let Err(error) = fill.plan(plan, T::Element::BITS)
        {
            let text = say!(Text::new(): str(layout), ": ");
            let text = head(text, fill.transfer().name(), accesses[i].chip(), fill.waves());
            with_remedy::<T>(error.explain(text), accesses, Copies::ONE).refuse()
        }
        i += of_chip;
    }
}

/// Appends what would be free.
const fn with_remedy<T: Tile>(text: Text, accesses: &[StatedAccess<'_>], copies: Copies) -> Text {
    let Some((shape, space, uses)) = asked::<T>(accesses) else { return text };
    shape.explain(text, T::Element::TYPE, space, uses.split_at(accesses.len()).0, copies)
}

/// Appends what would be free, if anything is.
pub(super) const fn with_free<T: Tile>(text: Text, accesses: &[StatedAccess<'_>]) -> Text {
    let Some((shape, space, all)) = asked::<T>(accesses) else { return text };
    let uses = all.split_at(accesses.len()).0;
    match shape.propose(uses, TO_REFUSE) {
        Ok((found, pad)) if found.is_free => {
            let free = (found.layout, pad);
            shape.explain_free(text, T::Element::TYPE, space, uses, Copies::ONE, free)
        }
        _ => text,
    }
}

/// What a search for a remedy is asked: the tile, the elements that the refused layout takes, and the uses. `None` of a tile that
/// has not two dimensions, of more accesses than a search takes, and of an instruction that the chip lacks, since nothing makes
/// that free.
const fn asked<'a, T: Tile>(
    accesses: &[StatedAccess<'a>],
) -> Option<(Shape, u64, [Use<'a>; MOST_USES])> {
    let Ok(plan) = known::<T>() else { return None };
    match Shape::from_plan(plan, T::Element::BITS) {
        Some(shape) if accesses.len() <= MOST_USES && !has_absent(accesses) => {
            Some((shape, plan.element_space(), uses_of(accesses)))
        }
        _ => None,
    }
}

const fn has_absent(accesses: &[StatedAccess<'_>]) -> bool {
    let mut i = 0;
    while i < accesses.len() {
        if accesses[i].uses.instruction.is_absent() {
            return true;
        }
        i += 1;
    }
    false
}

/// The uses of some accesses; of more than 64 the first.
pub(crate) const fn uses_of<'a>(accesses: &[StatedAccess<'a>]) -> [Use<'a>; MOST_USES] {
    let (mut uses, mut i) = ([accesses[0].uses; MOST_USES], 0);
    while i < accesses.len() && i < MOST_USES {
        uses[i] = accesses[i].uses;
        i += 1;
    }
    uses
}
