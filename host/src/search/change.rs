//! One access done in another order, where no layout is free in all that are asked for.
//!
//! ```text
//!   64x96 halves on gfx942, written row by row by ds_write_b128      floor   least   otherwise
//!   read by 16 rows and by 32                                          288     352   288: both by 32 rows
//!   read down columns by ds_read_u16                                   288     896   288: ds_write_b32
//! ```
//!
//! Each access is exchanged for others of its chip, in the order of the ways below, and the search is asked again.

use super::answer::Answer;
use super::find;
use tiledesc::chip::{CHIPS, Instruction};
use tiledesc::search::{Shape, Use};

/// One access done otherwise, and the answer with it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change<'a> {
    /// Which of the accesses, from 0.
    pub access: usize,
    /// What it becomes.
    pub with: Use<'a>,
    /// In how many instructions in place of one, and by which bit of a lane's number their order is crossed (0: not at
    /// all): as [`Lanes::split`](tiledesc::pattern::Lanes::split) has them.
    pub split: Option<[u32; 2]>,
    /// What is found then.
    pub answer: Answer,
}

impl Change<'_> {
    /// `two ds_read_b64 in place of each ds_read_b128`, `ds_read_b64 in place of ds_read_b128`, or `ds_read_b128 by 16 rows
    /// in place of 32`; `split` are the words for parts: `Split<_, 2, 4>` in Rust.
    #[must_use]
    pub fn text(&self, uses: &[Use<'_>], split: impl Fn([u32; 2]) -> String) -> String {
        let one = &uses[self.access];
        let (new, old) = (self.with.instruction.name(), one.instruction.name());
        let Some([parts, lane]) = self.split else {
            return match (self.with.lanes.operand_rows(), one.lanes.operand_rows()) {
                (Some(rows), Some(own)) if rows != own => {
                    format!("{new} by {rows} rows in place of {own}")
                }
                _ => format!("{new} in place of {old}"),
            };
        };
        let number = match parts {
            2 => "two",
            4 => "four",
            8 => "eight",
            _ => "sixteen",
        };
        let words = split([parts, lane]);
        let how = match (parts, lane) {
            (_, 0) if one.lanes.is_distributed() => String::new(),
            (_, 0) => format!(" (`{words}`)"),
            (2, _) => {
                format!(", where lanes with bit {lane} take the second half first (`{words}`)")
            }
            _ => format!(
                ", where lane l takes part i ^ l / {lane} % {parts} in the i-th (`{words}`)"
            ),
        };
        format!("{number} {new} in place of each {old}{how}")
    }
}

/// An access in place of another, and how it is split.
type Other<'a> = (Use<'a>, Option<[u32; 2]>);

/// The others of an access, by the rows of its chip.
type Way = for<'a> fn(Use<'a>, &'static [Instruction]) -> Vec<Other<'a>>;

/// Of as few cycles the first is said.
const WAYS: [Way; 4] = [other_rows, in_parts, crossed, narrower];

/// The change that leaves the fewest cycles, if these are fewer than what was found for the accesses as they are.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, search::{Shape, Use}};
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
    let rows = CHIPS.iter().find(|known| known.name() == chip)?.rows();
    let (mut best, mut most): (Option<Change<'a>>, _) = (None, found.best.weight);
    for way in WAYS {
        for (access, one) in uses.iter().enumerate().filter(|(_, one)| !one.lanes.is_first()) {
            for (with, split) in way(*one, rows) {
                let mut changed = uses.to_vec();
                changed[access] = with;
                if let Ok(answer) = find(tile, &changed)
                    && answer.best.weight < most
                {
                    most = answer.best.weight;
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

/// The same lanes by instructions of half the bytes, a quarter, down to a dword.
fn by_fewer_bytes<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Use<'a>> {
    let own = one.instruction;
    if own.parts() > 1 || own.hands_round() {
        return Vec::new();
    }
    let halves = core::iter::successors(Some(own.bytes() / 2), |bytes| Some(bytes / 2));
    let row_of = |bytes: u32| rows.iter().find(|row| row.bytes() == bytes && row.is_plain_as(own));
    let with = |instruction| Use { instruction, ..one };
    halves.take_while(|bytes| *bytes >= 4).filter_map(row_of).map(with).collect()
}

/// The same elements by narrower instructions, their order crossed in lanes with each of some bits.
fn split<'a>(one: Use<'a>, rows: &'static [Instruction], bits: &[u32]) -> Vec<Other<'a>> {
    let of_row = |with: Use<'a>| {
        let parts = one.instruction.bytes() / with.instruction.bytes();
        let by_bit = move |bit: &u32| {
            Some((Use { lanes: with.lanes.split(parts, *bit)?, ..with }, Some([parts, *bit])))
        };
        bits.iter().filter_map(by_bit).collect::<Vec<_>>()
    };
    by_fewer_bytes(one, rows).into_iter().flat_map(of_row).collect()
}

fn in_parts<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    split(one, rows, &[0])
}

fn crossed<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    split(one, rows, &[1, 2, 4, 8, 16, 32])
}

/// Other elements by a narrower instruction; the lanes of a distribution hold the same by either.
fn narrower<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    if one.lanes.is_distributed() {
        return Vec::new();
    }
    by_fewer_bytes(one, rows).into_iter().map(|with| (with, None)).collect()
}
