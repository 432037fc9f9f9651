//! One access done in another order, where no layout is free in all the accesses.
//!
//! ```text
//!   64x96 halves on gfx942, written row by row by ds_write_b128      floor   least   otherwise
//!   read by 16 rows and by 32                                          288     352   288: both by 32 rows
//!   read down columns by ds_read_u16                                   288     896   288: ds_write_b32
//! ```
//!
//! Each access is exchanged for others of its chip, in the order of the ways below, and the search is run again.

use super::answer::Answer;
use super::find;
use super::order::{self, Other, Way, by_fewer_bytes, rows_of, touches_the_same};
use tiledesc::chip::Instruction;
use tiledesc::recipe::Shape;
use tiledesc::search::Use;

/// One access done otherwise, and the answer with it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The number of the access, from 0.
    pub access: usize,
    /// The access in its place.
    pub with: Use<'a>,
    /// The number of instructions in which each lane takes what is together, and the bit of its number by which their
    /// order is crossed (0: not at all): as [`Lanes::split`](tiledesc::pattern::Lanes::split) has them. `None` where
    /// lanes move other elements.
    pub split: Option<[u32; 2]>,
    /// The answer with the changed access.
    pub answer: Answer,
}

impl Change<'_> {
    /// `two ds_read_b64 in place of each ds_read_b128`, `ds_read_b64 in place of ds_read_b128`, or `ds_read_b128 by 16 rows
    /// in place of 32`; `split` are the words for parts: `Split<_, 2, 4>` in Rust.
    #[must_use]
    pub fn text(&self, uses: &[Use<'_>], split: impl Fn([u32; 2]) -> String) -> String {
        let one = &uses[self.access];
        let (new, old) = (self.with.instruction.name(), one.instruction.name());
        match (self.split, self.with.lanes.operand_rows(), one.lanes.operand_rows()) {
            (Some(parts), ..) => order::text(one, &self.with, parts, &split(parts)),
            (None, Some(rows), Some(own)) if rows != own => {
                format!("{new} by {rows} rows in place of {own}")
            }
            _ => format!("{new} in place of {old}"),
        }
    }
}

/// The ways in which an access is changed: another operand, parts in order and crossed, other elements. Among those of
/// as few cycles the first is reported. Rotations are counted only on a layout that stays: each way needs a search, and
/// they would be a hundred more.
const WAYS: [Way; 4] = [other_rows, order::split, order::halves, narrower];

/// Bytes of an instruction in place of a wider one: a dword.
const FEWEST_BYTES: u32 = 4;

/// The change that leaves the fewest cycles, if these are fewer than what was found for the accesses as they are.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, recipe::Shape, search::Use};
/// use tiledesc_host::search::{change, find};
///
/// let tile = Shape { rows: 64, columns: 96, bits: 16 };
/// let write = Use::new(Lanes::row_major(), &gfx942::ds_write_b128);
/// let uses = [write, Use::new(Lanes::rows(16), &gfx942::ds_read_b128), Use::new(Lanes::rows(32), &gfx942::ds_read_b128)];
/// let change = change(tile, &uses, &find(tile, &uses)?).unwrap();
/// let text = change.text(&uses, |[parts, lane]| format!("Split<_, {parts}, {lane}>"));
/// assert_eq!(text, "ds_read_b128 by 32 rows in place of 16");
/// assert!(change.answer.is_free());
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[must_use]
pub fn change<'a>(tile: Shape, uses: &[Use<'a>], found: &Answer) -> Option<Change<'a>> {
    let chip = uses.first()?.instruction.chip();
    if found.is_free() || uses.iter().any(|one| one.instruction.chip() != chip) {
        return None;
    }
    let (rows, mut best) = (rows_of(chip)?, None::<Change<'a>>);
    for way in WAYS {
        for (access, one) in uses.iter().enumerate().filter(|(_, one)| !one.lanes.is_first()) {
            let others = way(*one, rows);
            let is_wide = |with: &Use<'_>| with.instruction.bytes() >= FEWEST_BYTES;
            for (with, split) in others.into_iter().filter(|(with, _)| is_wide(with)) {
                let mut changed = uses.to_vec();
                changed[access] = with;
                let most = best.as_ref().map_or(found, |best| &best.answer).best.weight;
                let is_same =
                    |plan| split.is_none() || touches_the_same(&plan, tile.bits, one, &with);
                if let Ok(answer) = find(tile, &changed)
                    && answer.best.weight < most
                    && answer.best.layout.plan(tile).is_ok_and(is_same)
                {
                    best = Some(Change { access, with, split, answer });
                }
                if best.as_ref().is_some_and(|best| best.answer.is_free()) {
                    return best;
                }
            }
        }
    }
    best
}

/// The operand of the other matrix instruction.
fn other_rows<'a>(one: Use<'a>, _: &'static [Instruction]) -> Vec<Other<'a>> {
    let other = match one.lanes.operand_rows() {
        Some(16) => 32,
        Some(32) => 16,
        _ => return Vec::new(),
    };
    vec![(Use { lanes: one.lanes.with_operand_rows(other), ..one }, None)]
}

/// Other elements by a narrower instruction; the lanes of a distribution hold the same by either.
fn narrower<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    if one.lanes.is_distributed() {
        return Vec::new();
    }
    by_fewer_bytes(one, rows).map(|(with, _)| (with, None)).collect()
}
