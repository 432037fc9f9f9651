//! The layouts that are worth a change, in the words of the file and of the kernel: the least change first.
//!
//! ```text
//!   float s[16][33] of sm_80, read by columns in two rows         bytes more   address instructions
//!   float s[16][34], s[m][k], 34 in place of 33                   64           2      the kernel's own formula stays
//!   float s[528], s[(m << 5) + (k ^ ..)]                          0            4
//! ```
//!
//! What another beats in cycles, bytes, address instructions or change, and is beaten by in none, is no choice.

use crate::answer::convert;
use crate::answer::copied::Copied;
use crate::answer::question::Question;
use crate::request::layout::MOST_COMPARED;
use crate::request::spelling::plural;
use std::cmp::Ordering;
use tiledesc::Plan;
use tiledesc::recipe::{Scheme, Spec};
use tiledesc_host::search::Candidate;

/// A layout in place of the tile's own.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// The text for a file: `recipe = "gemm-xor", kpack = 8`.
    pub(crate) words: String,
    /// The array and an element of it in C++, where a formula says it.
    pub(crate) copied: Option<Copied>,
    /// The layout in the kernel's notation, where the tile is stated in one: `#ttg.padded_shared<[64:+8] ..>`.
    pub(crate) noted: Option<String>,
    /// The elements of a row, or of a pad, that take the place of the tile's own, if the layout is the tile's own but for
    /// these.
    pub(crate) pad: Option<[u32; 2]>,
    /// Bytes more than the tile takes now, or fewer.
    pub(crate) more: i64,
    pub(crate) cost: Candidate,
    pub(crate) plan: Plan,
}

impl Instead {
    fn new(question: &Question<'_>, own: Option<&Array>, mut cost: Candidate) -> Option<Self> {
        let (tile, layout) = (question.tile, cost.layout);
        let plan = question.plan(layout).ok()?;
        cost.address_instructions = question.address(layout);
        let pad = own.and_then(|own| own.with(Array::new(question, layout)?));
        let is_strides = tile.layout.notation == "strides" && layout.scheme() == Scheme::PaddedRows;
        let words = match own.filter(|_| pad.is_some() && is_strides) {
            Some(_) => strides(&plan),
            None => question.words(layout),
        };
        let more = tile.bytes_of(&plan) as i64 - tile.bytes() as i64;
        let bits = tile.element.bits;
        let noted = tile.layout.of_kernel.and_then(|one| convert::words(one, &plan, bits));
        Some(Self { words, copied: Copied::new(question, layout), noted, pad, more, cost, plan })
    }

    /// What it costs: cycles, by the weight that the search goes by, bytes, address instructions, and whether more
    /// changes than the extent of an array.
    pub(crate) fn costs(&self) -> [u64; 4] {
        let address = self.cost.address_instructions.map_or(u64::MAX, u64::from);
        [self.cost.weight, self.cost.bytes, address, u64::from(self.pad.is_none())]
    }

    /// `recipe = "row-pad", padding = 2: float s[16][34], s[m][k], 34 in place of 33, 64 bytes more`
    pub(crate) fn sentence(&self) -> String {
        let mut parts = Vec::new();
        match (&self.noted, &self.copied) {
            (Some(noted), _) => parts.push(noted.clone()),
            (None, Some(Copied { array, index, .. })) => {
                parts.extend([array.clone(), index.clone()]);
            }
            (None, None) => {}
        }
        if let Some([new, old]) = self.pad {
            parts.push(format!("{new} in place of {old}"));
        }
        let bytes = plural(self.more.unsigned_abs(), "byte");
        match self.more.cmp(&0) {
            Ordering::Greater => parts.push(format!("{bytes} more")),
            Ordering::Less => parts.push(format!("{bytes} fewer")),
            Ordering::Equal => {}
        }
        match parts.is_empty() {
            true => self.words.clone(),
            false => format!("{}: {}", self.words, parts.join(", ")),
        }
    }
}

/// The choices among candidates, the least change first: then fewer cycles, fewer address instructions, fewer bytes.
pub(crate) fn choices(
    question: &Question<'_>,
    candidates: impl IntoIterator<Item = Candidate>,
) -> Vec<Instead> {
    let own = Array::of_tile(question);
    let each = candidates.into_iter().filter_map(|one| Instead::new(question, own.as_ref(), one));
    let mut kept: Vec<Instead> = Vec::new();
    for one in each {
        let is_met = |other: &Instead, by: &Instead| {
            other.costs().iter().zip(by.costs()).all(|(other, by)| by <= *other)
        };
        if !kept.iter().any(|other| is_met(&one, other)) {
            kept.retain(|other| !is_met(other, &one));
            kept.push(one);
        }
    }
    kept.sort_by_key(|one| {
        let [cycles, bytes, address, change] = one.costs();
        (change, cycles, address, bytes)
    });
    kept
}

/// An array whose elements lie in order but for a pad after every so many: after each row, or at intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Array {
    /// Whether columns are contiguous.
    is_transposed: bool,
    /// Whether the pads lie behind rows, so that the array is one of rows.
    is_of_rows: bool,
    every: u32,
    pad: u32,
}

impl Array {
    /// The array that a candidate is.
    fn new(question: &Question<'_>, layout: Spec) -> Option<Self> {
        let (is_transposed, pad) = (layout.is_transposed(), layout.pad());
        let every = match layout.scheme() {
            _ if layout.lines() > 1 => return None,
            Scheme::InOrder | Scheme::PaddedRows => row_of(question, is_transposed),
            Scheme::PaddedIntervals => layout.every(),
            _ => return None,
        };
        let is_of_rows = layout.scheme() != Scheme::PaddedIntervals;
        Some(Self { is_transposed, is_of_rows, every, pad })
    }

    /// The array that the tile is as it is, if it is one.
    fn of_tile(question: &Question<'_>) -> Option<Self> {
        let plan = &question.tile.layout.plan;
        if plan.elements() > MOST_COMPARED {
            return None;
        }
        [false, true].into_iter().find_map(|is_transposed| {
            if is_transposed && plan.rank() != 2 {
                return None;
            }
            let row = row_of(question, is_transposed);
            let offset = |at: u64| {
                let index = match is_transposed {
                    true => plan.nth(
                        at % u64::from(row) * u64::from(question.shape.columns)
                            + at / u64::from(row),
                    ),
                    false => plan.nth(at),
                };
                plan.offset(index.as_slice()).ok().map(u64::from)
            };
            let first = (0..plan.elements()).find(|at| offset(*at) != Some(*at));
            let Some(every) = first else {
                return Some(Self { is_transposed, is_of_rows: true, every: row, pad: 0 });
            };
            let pad = offset(every)?.checked_sub(every)?;
            let is_it = every > 0
                && (0..plan.elements()).all(|at| offset(at) == Some(at + at / every * pad));
            let (every, pad) = (u32::try_from(every).ok()?, u32::try_from(pad).ok()?);
            is_it.then_some(Self { is_transposed, is_of_rows: every == row, every, pad })
        })
    }

    /// The elements that take the place of others if another array is this one with another pad: of rows their lengths,
    /// at intervals those of the pads.
    fn with(&self, other: Self) -> Option<[u32; 2]> {
        let is_alike = Self { pad: self.pad, ..other } == *self && other.pad != self.pad;
        let number = |one: &Self| if one.is_of_rows { one.every + one.pad } else { one.pad };
        is_alike.then(|| [number(&other), number(self)])
    }
}

/// The elements of a row, or of a column where these are contiguous.
fn row_of(question: &Question<'_>, is_transposed: bool) -> u32 {
    let shape = question.shape;
    if is_transposed { shape.rows } else { shape.columns }
}

/// `strides = [34, 1]`: the distance of each dimension's second element from its first.
fn strides(plan: &Plan) -> String {
    let lengths = plan.lengths();
    let stride = |at: usize| {
        let mut index = vec![0; lengths.len()];
        index[at] = u32::from(lengths.as_slice()[at] > 1);
        plan.offset(&index).unwrap_or(0)
    };
    let each: Vec<_> = (0..lengths.len()).map(stride).collect();
    format!("strides = {each:?}")
}
