//! Layouts that are linear in the bits of a byte's number, and what accesses cost on them.
//!
//! Such a layout has a column for each bit of a byte's number in order: where that bit goes, with the bits that it flips.
//! Two units of a phase share a bank exactly if the columns of the bits in which they differ add up, by xor, to no bank
//! bit. So phases whose units differ by an xor are alike, whatever the lanes do and however long the rows are:
//!
//! ```text
//!   128x64 halves, packs of 16 bytes, lines of 128    bit      4    5    6      7      8       9   10 ..
//!   GemmXor                                           column  16   32   64  128^16 256^32  512^64  1024 ..
//!
//!   read by 16 rows, a phase: units 0 128 256 384 528 656 784 912 are at 0 144 288 432 576 720 864 1008, each in a
//!   different one of the 8 groups of banks
//! ```

use super::address::distances;
use super::answer::Extent;
use super::best::Best;
use super::climb::climb;
use super::phase::{Banks, Phase};
use super::question::Question;
use core::ops::Range;
use tiledesc::recipe::Spec;

/// Which columns a family of layouts chooses, and from what.
pub(super) trait Form {
    /// The bits whose columns are chosen; all others stay where they are.
    fn chosen(&self) -> Range<u32>;

    /// The bits that a chosen column may flip.
    fn flipped(&self) -> Range<u32>;

    /// The columns that a bit may have, given those of the bits below it: the simplest first, and one of each kind if no
    /// two units of a phase differ in the bit.
    fn choices(&self, bit: u32, columns: &[u32], is_used: bool) -> Vec<u32>;

    /// What is pasted.
    fn recipe(&self, question: &Question<'_>, columns: &[u32]) -> Spec;

    /// A step of a climb by a random number; whether it leads to a layout.
    fn step(&self, columns: &mut [u32], random: u64) -> bool;

    /// Columns from which a climb begins, beside those that a descent found.
    fn start(&self, _: &Linear) -> Option<Vec<u32>> {
        None
    }
}

/// Layouts of the same cycles that are compared.
const MOST_COMPARED: usize = 256;

/// Searches the layouts of a form: a descent, and a climb where that was cut.
pub(super) fn search(
    question: &Question<'_>,
    linear: &Linear,
    form: &dyn Form,
    best: &mut Best<'_>,
) -> Extent {
    let (found, is_cut) = linear.descend(form, best.below());
    // What a second address costs only the verdict knows.
    let is_whole = form.chosen().end == linear.end && !question.has_second_address();
    let (mut is_all, mut starts) = (is_whole && !is_cut, vec![linear.in_order()]);
    if let Some(columns) = found {
        let cycles = linear.cycles(&columns, u64::MAX);
        let judged = best.offer(question, form.recipe(question, &columns));
        is_all &= judged == Some(cycles);
        if judged.is_some() {
            if let Some(simplest) = linear.simplest(form, cycles)
                && terms(&simplest) < terms(&columns)
            {
                best.offer(question, form.recipe(question, &simplest));
            }
            starts = vec![columns];
        }
    }
    if is_all {
        return Extent::All;
    }
    for from in starts.into_iter().chain(form.start(linear)) {
        let layout = |columns: &[u32]| form.recipe(question, columns);
        let is_held = |columns: &[u32]| best.holds(question, layout(columns));
        if let Some(columns) = climb(linear, from, form, best.below(), is_held) {
            best.offer(question, layout(&columns));
        }
    }
    Extent::Part
}

/// The phases of a question, as units in order.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) phases: Vec<Units>,
    pub(super) floor: u64,
    /// Packs of `1 << pack_bits` bytes stay whole.
    pub(super) pack_bits: u32,
    /// The bits of a byte's number within the tile end here.
    pub(super) end: u32,
    /// The bits in which two units of a phase differ.
    pub(super) used: u32,
}

/// The units of a phase by their bytes in order, as xors of the first.
#[derive(Debug)]
pub(super) struct Units {
    pub(super) banks: Banks,
    pub(super) times: u64,
    pub(super) bytes: Vec<u32>,
}

impl Linear {
    /// Without what a second address touches, which is no xor away. `None` unless packs are a power of two of bytes of
    /// which a row has a whole number.
    pub(super) fn new(question: &Question<'_>) -> Option<Self> {
        let (columns, pack) = (question.recipe_tile.columns, question.byte(question.pack));
        if !pack.is_power_of_two() || !columns.is_multiple_of(question.pack) {
            return None;
        }
        let in_order = |phase: &Phase| units_in_order(question, phase);
        let one_address =
            question.alike(in_order).into_iter().filter(|phase| phase.banks.offset == 0);
        let phases: Vec<_> = one_address
            .map(|phase| Units { banks: phase.banks, times: phase.times, bytes: in_order(&phase) })
            .filter(|units| units.bytes.len() > 1)
            .collect();
        let used = phases.iter().flat_map(|units| &units.bytes).fold(0, |used, byte| used | byte);
        let end = question.byte(question.elements()).next_power_of_two().ilog2();
        let is_within = used.checked_shr(end).unwrap_or(0) == 0;
        let (floor, pack_bits) = (question.floor, pack.ilog2());
        (is_within && pack_bits < end).then_some(Self { phases, floor, pack_bits, end, used })
    }

    /// Each bit where it is.
    pub(super) fn in_order(&self) -> Vec<u32> {
        (0..self.end).map(|bit| 1 << bit).collect()
    }

    /// Of columns of such cycles, some of them, those of the fewest distances between a bit and where it goes, then of the
    /// fewest bits: an address takes an instruction or more for each distance.
    pub(super) fn simplest(&self, form: &dyn Form, cycles: u64) -> Option<Vec<u32>> {
        let all = match cycles <= self.floor {
            true => self.free(form, MOST_COMPARED).0,
            false => self.all_of(form, cycles, MOST_COMPARED),
        };
        all.into_iter().min_by_key(|columns| terms(columns))
    }

    /// The cycles of all accesses, or some number from `below` on if they are not less.
    pub(super) fn cycles(&self, columns: &[u32], below: u64) -> u64 {
        let mut cycles = self.floor;
        for units in self.phases.iter() {
            if cycles >= below {
                break;
            }
            cycles += units.times * (units.banks.fullest_at(columns, &units.bytes) - 1);
        }
        cycles
    }
}

impl Banks {
    /// The most of some units in one group where columns place them, each by a byte in order.
    pub(super) fn fullest_at(self, columns: &[u32], bytes: &[u32]) -> u64 {
        self.fullest(bytes.iter().map(|byte| place(columns, *byte) >> self.shift))
    }
}

fn units_in_order(question: &Question<'_>, phase: &Phase) -> Vec<u32> {
    let begins = phase.elements.iter().map(|at| question.byte(question.number(*at)));
    let units: Vec<u32> = phase.banks.units(begins.collect()).collect();
    let mut bytes: Vec<_> =
        units.iter().map(|unit| (unit ^ units[0]) << phase.banks.shift).collect();
    bytes.sort_unstable();
    bytes
}

/// Where a byte of the tile in order goes.
pub(super) fn place(columns: &[u32], byte: u32) -> u32 {
    let (mut place, mut rest) = (0, byte);
    while rest != 0 {
        place ^= columns[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    place
}

/// How many different distances bits move or reach, and how many bits columns have.
fn terms(columns: &[u32]) -> (u32, u32) {
    let bits = columns.iter().enumerate();
    let all = bits.fold(0, |all, (bit, column)| all | distances(bit, *column));
    (all.count_ones(), columns.iter().map(|column| column.count_ones()).sum())
}

/// Some bits as a number.
pub(super) fn mask_of(bits: Range<u32>) -> u32 {
    bits.fold(0, |mask, bit| mask | 1 << bit)
}

/// All sums of some bits, those of fewer first.
pub(super) fn sums_of(bits: u32) -> Vec<u32> {
    let mut all: Vec<u32> = (0..=bits).filter(|sum| sum & !bits == 0).collect();
    all.sort_by_key(|sum| sum.count_ones());
    all
}
