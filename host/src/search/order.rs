//! The order in which lanes take what they hold, where the layout is fixed: by another kernel, a direct load, or the tensor
//! memory accelerator.
//!
//! A lane that holds several elements may take them by narrower instructions, and not all lanes need begin with the same:
//!
//! ```text
//!   8x32 floats in the 128-byte swizzle of sm_90, written from an accumulator: lane l has 2 floats of row l / 4
//!     st_shared_b64                                                            2-way   16 cycles
//!     two st_shared_b32 for each                                               2-way   16 cycles   `split 2 0`
//!     two, where lanes with bit 2 take the second half first                   free     8 cycles   `split 2 2`
//! ```
//!
//! | family | in the i-th instruction lane l takes |
//! |---|---|
//! | [`split`] | part i of its vector |
//! | [`halves`] | part i ^ l / d % n of it |
//! | [`rotate`] | vector i ^ l / d % n of its row |
//!
//! All of them are counted, each by the library's verdict. What is offered touches the same elements, lane by lane.

mod halves;
mod rotate;
mod split;

use super::candidate::Taken;
use tiledesc::Plan;
use tiledesc::access::Placed;
use tiledesc::chip::{CHIPS, Instruction};
use tiledesc::search::Use;

/// Lanes whose number has one of these bits begin elsewhere.
const BITS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// An access in place of another; its parts where lanes take the same in another order, as
/// [`Lanes::split`](tiledesc::pattern::Lanes::split) has them.
pub(super) type Other<'a> = (Use<'a>, Option<[u32; 2]>);

/// The others of an access, by the rows of its chip.
pub(super) type Way = for<'a> fn(Use<'a>, &'static [Instruction]) -> Vec<Other<'a>>;

/// Of as few cycles the first is said.
pub(super) const ORDERS: [Way; 3] = [split::orders, halves::orders, rotate::orders];

/// An access in the order of the fewest cycles on a layout that stays as it is.
///
/// ```
/// use tiledesc::{chip::sm_90::st_shared_b64, distribution::Encoding, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
/// use tiledesc_host::search::reorder;
///
/// // 8x32 floats as the 128-byte swizzle has them; lane l has two floats of row l / 4.
/// let plan = Spec::gemm_xor(4).plan(Shape { rows: 8, columns: 32, bits: 32 }).unwrap();
/// let (m, n) = ([("row", 8)], [("j", 4), ("part", 4), ("two", 2)]);
/// let held = Encoding::named(&[], &[("m", &m), ("n", &n)], &[], &["row", "part"], &["j", "two"]).unwrap();
/// let write = Use::new(Lanes::distributed(&held), &st_shared_b64);
/// let other = reorder(&plan, 32, &write).unwrap();
/// assert_eq!((other.with.instruction.name(), other.split), ("st.shared.b32", [2, 2]));
/// assert_eq!((other.cycles, other.is_free), (8, true));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reordered<'a> {
    /// What the access becomes.
    pub with: Use<'a>,
    /// In how many instructions each lane takes what is together, and by which bit of its number their order is crossed.
    pub split: [u32; 2],
    /// Cycles of the access, by the rows' own sources.
    pub cycles: u64,
    /// Whether no conflict is left, by any source.
    pub is_free: bool,
}

/// The order of an access that takes the fewest cycles on a layout, if these are fewer than it takes as it is: of all that
/// are counted, so where there is none, none is better. Of a table, whose rows are in an order of their own, there is none.
#[must_use]
pub fn reorder<'a>(plan: &'a Plan, bits: u32, one: &Use<'a>) -> Option<Reordered<'a>> {
    let rows = rows_of(one.instruction.chip())?;
    let (mut least, mut best) = (Taken::of(plan, bits, one)?.weight, None);
    for (with, split) in ORDERS.iter().flat_map(|orders| orders(*one, rows)) {
        let Some(taken) = Taken::of(plan, bits, &with).filter(|taken| taken.weight < least) else {
            continue;
        };
        if let Some(split) = split
            && touches_the_same(plan, bits, one, &with)
        {
            least = taken.weight;
            let (cycles, is_free) = (taken.cycles, taken.lost == 0);
            best = Some(Reordered { with, split, cycles, is_free });
        }
    }
    best
}

/// The rows of a chip.
pub(super) fn rows_of(chip: &str) -> Option<&'static [Instruction]> {
    CHIPS.iter().find(|known| known.name() == chip).map(|chip| chip.rows())
}

/// Whether each lane touches the same elements by two accesses.
pub(super) fn touches_the_same(plan: &Plan, bits: u32, one: &Use<'_>, other: &Use<'_>) -> bool {
    let touched = |one| touched(plan, bits, one);
    touched(one).is_some_and(|own| touched(other) == Some(own))
}

/// The elements that each lane touches, by their numbers, and how often.
fn touched(plan: &Plan, bits: u32, one: &Use<'_>) -> Option<Vec<Vec<u64>>> {
    let placed = Placed::new(plan, bits, one.lanes, one.instruction).ok()?;
    let lengths = plan.lengths();
    let number = |at: &[u32]| {
        at.iter()
            .zip(lengths.as_slice())
            .fold(0, |number, (at, length)| number * u64::from(*length) + u64::from(*at))
    };
    let apart: u64 =
        lengths.as_slice()[placed.along() + 1..].iter().map(|n| u64::from(*n)).product();
    let of_lane = |lane| {
        let first = (0..placed.instructions()).filter_map(|step| placed.coordinate(step, lane));
        let all = first.flat_map(|first| {
            let first = number(first.as_slice());
            (0..u64::from(placed.pack())).map(move |further| first + further * apart)
        });
        let mut all: Vec<_> = all.collect();
        all.sort_unstable();
        all
    };
    Some((0..one.instruction.service().phases.addressed()).map(of_lane).collect())
}

/// An access by instructions of fewer bytes: a half, a quarter, down to a byte; how many take the place of one.
pub(super) fn by_fewer_bytes<'a>(
    one: Use<'a>,
    rows: &'static [Instruction],
) -> impl Iterator<Item = (Use<'a>, u32)> {
    let own = one.instruction;
    let is_plain = own.parts() == 1 && !own.hands_round();
    let halves = core::iter::successors(Some(own.bytes() / 2), |bytes| Some(bytes / 2));
    let row_of =
        move |bytes: u32| rows.iter().find(|row| row.bytes() == bytes && row.is_plain_as(own));
    let with = move |row: &'static Instruction| {
        (Use { instruction: row, ..one }, own.bytes() / row.bytes())
    };
    halves.take_while(move |bytes| is_plain && *bytes > 0).filter_map(row_of).map(with)
}

/// An access in some parts of what each lane has together, crossed by each of some bits.
fn in_parts<'a>(one: Use<'a>, parts: u32, bits: &'static [u32]) -> impl Iterator<Item = Other<'a>> {
    let by_bit = move |bit: &u32| {
        let lanes = one.lanes.split(parts, *bit)?;
        Some((Use { lanes, ..one }, Some([parts, *bit])))
    };
    bits.iter().filter_map(by_bit)
}

/// `two ds_read_b64 in place of each ds_read_b128, where lanes with bit 4 take the second half first (`split 2 4`)`;
/// `words` are those of the parts.
pub(super) fn text(one: &Use<'_>, with: &Use<'_>, [parts, lane]: [u32; 2], words: &str) -> String {
    let (new, old) = (with.instruction.name(), one.instruction.name());
    let each = one.instruction.bytes() / with.instruction.bytes();
    let turn = if lane == 1 { format!("l % {parts}") } else { format!("l / {lane} % {parts}") };
    let how = match (parts, lane) {
        (_, 0) if one.lanes.is_distributed() => String::new(),
        (_, 0) => format!(" (`{words}`)"),
        (2, _) if each == 2 => {
            format!(", where lanes with bit {lane} take the second half first (`{words}`)")
        }
        _ => format!(", where lane l takes part i ^ {turn} in the i-th (`{words}`)"),
    };
    let number = match each {
        1 => return format!("{new} in another order{how}"),
        2 => "two",
        4 => "four",
        8 => "eight",
        _ => "sixteen",
    };
    format!("{number} {new} in place of each {old}{how}")
}

impl Reordered<'_> {
    /// `two ds_read_b64 in place of each ds_read_b128, ..`; `split` are the words for parts: `Split<_, 2, 4>` in Rust.
    #[must_use]
    pub fn text(&self, one: &Use<'_>, split: impl Fn([u32; 2]) -> String) -> String {
        text(one, &self.with, self.split, &split(self.split))
    }
}
