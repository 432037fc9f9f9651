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

use core::iter::successors;
use tiledesc::Plan;
use tiledesc::access::Placed;
use tiledesc::chip::{CHIPS, Instruction};
use tiledesc::search::{Use, Weight};

/// Lanes whose number has one of these bits begin elsewhere.
const BITS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// The numbers of vectors of a lane that are exchanged.
const VECTORS: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// An access in place of another; its parts where lanes take the same in another order, as
/// [`Lanes::split`](tiledesc::pattern::Lanes::split) has them.
pub(super) type Other<'a> = (Use<'a>, Option<[u32; 2]>);

/// The others of an access, by the rows of its chip.
pub(super) type Way = for<'a> fn(Use<'a>, &'static [Instruction]) -> Vec<Other<'a>>;

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
    /// The access in its place.
    pub with: Use<'a>,
    /// The number of instructions in which each lane takes what is together, and the bit of its number by which their
    /// order is crossed.
    pub split: [u32; 2],
    /// Cycles of the access, by the rows' own sources.
    pub cycles: u64,
    /// Whether no conflict is left, by any source.
    pub is_free: bool,
}

/// Returns the order of an access that takes the fewest cycles on a layout that stays. All orders are counted, so
/// `None` means that no other takes fewer than the access as it is. Lanes with a table take the rows of some
/// instructions in turns.
#[must_use]
pub fn reorder<'a>(plan: &'a Plan, bits: u32, one: &Use<'a>) -> Option<Reordered<'a>> {
    let rows = rows_of(one.instruction.chip())?;
    let of_all = |weight: Weight| weight.floor + weight.lost;
    let (mut least, mut best) = (of_all(weight(plan, bits, one)?), None);
    // Of as few cycles the first is said.
    for (with, split) in [split, halves, rotate].iter().flat_map(|orders| orders(*one, rows)) {
        if let Some(split) = split
            && let Some(taken) = weight(plan, bits, &with)
            && of_all(taken) < least
            && touches_the_same(plan, bits, one, &with)
        {
            least = of_all(taken);
            let (cycles, is_free) = (taken.by_source[0], taken.lost == 0);
            best = Some(Reordered { with, split, cycles, is_free });
        }
    }
    best
}

/// The weight of an access; `None` where a layout does not hold it, or where lanes race.
fn weight(plan: &Plan, bits: u32, one: &Use<'_>) -> Option<Weight> {
    let verdict =
        Placed::new(plan, bits, one.lanes, one.instruction).ok()?.verdict_without_pair().ok()?;
    verdict.conflicts().race.is_none().then(|| Weight::new(&verdict, one.times))
}

/// The rows of a chip.
pub(super) fn rows_of(chip: &str) -> Option<&'static [Instruction]> {
    CHIPS.iter().find(|known| known.name() == chip).map(|chip| chip.rows())
}

/// Returns whether each lane touches the same elements by two accesses.
pub(super) fn touches_the_same(plan: &Plan, bits: u32, one: &Use<'_>, other: &Use<'_>) -> bool {
    let touched = |one| touched(plan, bits, one);
    touched(one).is_some_and(|own| touched(other) == Some(own))
}

/// The elements that each lane touches, as often as it does.
fn touched(plan: &Plan, bits: u32, one: &Use<'_>) -> Option<Vec<Vec<Vec<u32>>>> {
    let placed = Placed::new(plan, bits, one.lanes, one.instruction).ok()?;
    let of_lane = |lane| {
        let mut all = Vec::new();
        for first in (0..placed.instructions()).filter_map(|step| placed.coordinate(step, lane)) {
            for further in 0..placed.pack() {
                let mut at = first.as_slice().to_vec();
                at[placed.along()] += further;
                all.push(at);
            }
        }
        all.sort_unstable();
        all
    };
    Some((0..one.instruction.service().phases.addressed()).map(of_lane).collect())
}

/// Narrower instructions, in order: what was served together no longer is, as the phases of a chip's rows differ.
///
/// ```text
///   gfx942, ds_read_b128: lanes 0-3 and 20-23, 16 bytes each    two ds_read_b64 for each: 8 bytes each of other lanes
/// ```
///
/// On the same layout that seldom takes fewer cycles; it is of use where a layout is sought with it.
pub(super) fn split<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    by_fewer_bytes(one, rows).flat_map(|(with, parts)| in_parts(with, parts, &[0])).collect()
}

/// Narrower instructions, where some lanes begin with another part than the rest: each instruction then touches every part.
///
/// ```text
///   128x64 halves, 72 to a row, gfx942, 16 rows read by                                    cycles
///     ds_read_b128                                                                   2-way    256
///     two ds_read_b64 for each, where lanes with bit 8 take the second half first     free    128   `split 2 8`
/// ```
pub(super) fn halves<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    by_fewer_bytes(one, rows).flat_map(|(with, parts)| in_parts(with, parts, &BITS)).collect()
}

/// Lanes that begin at different vectors of what they hold in a row.
///
/// ```text
///   32x32 floats row by row on sm_90, each lane reads a row by 32 ld_shared_b32     cycles
///     lane l takes column i in the i-th: all are in bank i                            1024
///     lane l takes column i ^ l % 32: each is in a bank of its own                      32     `split 32 1 column`
/// ```
///
/// A row of n vectors meets gcd(n, groups of banks) at a time, a power of two: so many are crossed.
fn rotate<'a>(one: Use<'a>, rows: &'static [Instruction]) -> Vec<Other<'a>> {
    let own = is_whole(one.instruction).then_some((one, 1));
    let more = |(with, parts)| {
        let more = VECTORS.into_iter().filter(move |all| *all > parts);
        more.flat_map(move |all| in_parts(with, all, &BITS))
    };
    own.into_iter().chain(by_fewer_bytes(one, rows)).flat_map(more).collect()
}

/// Returns whether each lane moves what is at one address for itself.
fn is_whole(row: &Instruction) -> bool {
    row.parts() == 1 && !row.hands_round()
}

/// An access by instructions of fewer bytes: a half, a quarter, down to a byte; how many take the place of one.
pub(super) fn by_fewer_bytes<'a>(
    one: Use<'a>,
    rows: &'static [Instruction],
) -> impl Iterator<Item = (Use<'a>, u32)> {
    let own = one.instruction;
    let half = |bytes: &u32| Some(bytes / 2).filter(|half| *half > 0);
    let halves = successors(half(&own.bytes()).filter(|_| is_whole(own)), half);
    let row_of =
        move |bytes: u32| rows.iter().find(|row| row.bytes() == bytes && row.is_plain_as(own));
    halves
        .filter_map(row_of)
        .map(move |row| (Use { instruction: row, ..one }, own.bytes() / row.bytes()))
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
