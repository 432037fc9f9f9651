//! Every linear layout that keeps packs whole: which bits of a pack's number are its bank, and what flips them.
//!
//! Masks keep the lowest bits of a line as the banks. Here each bit, from the lowest up, either becomes the next bank bit,
//! or goes above the banks and flips some of the bank bits so far. Where some accesses have 64 banks and others 32, one
//! bank bit belongs to the first alone:
//!
//! ```text
//!   128x32 floats on gfx950, packs of 4, 8 to a row; read by 16 bytes (64 banks) and by 4 (32 banks)
//!
//!   bit of a pack's number   0  1  2    3     4     5   6
//!   its place                1  2  4  8^4  16^8^2  32  64     banks: 1 2 4, and 8 for the wide read
//! ```

use super::answer::Extent;
use super::best::Best;
use super::columns;
use super::form::Form;
use super::linear::{Linear, mask_of, sums_of};
use super::question::Question;
use core::ops::Range;
use tiledesc::List;
use tiledesc::recipe::Spec;

/// Columns that a layout holds.
const MOST_COLUMNS: u32 = List::CAPACITY as u32;

/// The bits that are placed, and where the bank bits end: of all accesses, and of those with the most banks.
#[derive(Clone, Debug)]
pub(super) struct Packs {
    pub(super) placed: Range<u32>,
    bank_ends: [u32; 2],
    /// The sums that a bit above the banks may flip, fewer bits first.
    sums: Vec<u32>,
}

pub(super) fn search(question: &Question<'_>, best: &mut Best<'_>) -> Extent {
    let Some(linear) = question.linear() else { return Extent::Nothing };
    let packs = Packs::new(question, linear);
    packs.map_or(Extent::Nothing, |packs| columns::search(question, linear, &packs, best))
}

impl Packs {
    /// Returns `None` if a length is not a power of two, if the tile is smaller than one round of the banks, or if the
    /// accesses have three different numbers of banks.
    pub(super) fn new(question: &Question<'_>, linear: &Linear) -> Option<Self> {
        let tile = question.recipe_tile;
        if !tile.rows.is_power_of_two() || !tile.columns.is_power_of_two() {
            return None;
        }
        let bank_ends = match question.bank_ends()[..] {
            [all] => [all, all],
            [most, fewest] => [fewest, most],
            _ => return None,
        };
        let placed = linear.pack_bits..linear.end.min(linear.pack_bits + MOST_COLUMNS);
        let can_be = placed.start <= bank_ends[0] && bank_ends[1] <= placed.end;
        let sums = sums_of(mask_of(placed.start..bank_ends[1]));
        can_be.then_some(Self { placed, bank_ends, sums })
    }
}

/// Returns whether no column is a sum of others.
fn is_bijective(columns: &[u32]) -> bool {
    let mut basis = Vec::<u32>::new();
    columns.iter().all(|column| {
        let rest = basis.iter().fold(*column, |rest, one| rest.min(rest ^ one));
        basis.push(rest);
        rest != 0
    })
}

impl Form for Packs {
    fn chosen(&self) -> Range<u32> {
        self.placed.clone()
    }

    fn flipped(&self) -> Range<u32> {
        self.placed.start..self.bank_ends[1]
    }

    /// The next bank bit of all, the next of the most banks alone, or the next place above the banks.
    fn choices(&self, bit: u32, columns: &[u32], is_used: bool) -> Vec<u32> {
        let (low, [ends, ends_of_most]) = (self.placed.start, self.bank_ends);
        let kinds = [low..ends, ends..ends_of_most, ends_of_most..32];
        let next = kinds.clone().map(|kind| {
            let placed = columns[low as usize..bit as usize].iter();
            kind.start + placed.filter(|column| kind.contains(&column.ilog2())).count() as u32
        });
        let [missing, missing_of_most] = [0, 1].map(|kind| kinds[kind].end - next[kind]);
        let [banks, of_most] = [0, 1].map(|kind| mask_of(kinds[kind].start..next[kind]));
        let mut choices = Vec::new();
        let mut add = |place: u32, flipped: u32| {
            let flipped = if is_used { flipped } else { 0 };
            let sums = self.sums.iter().filter(|sum| *sum & !flipped == 0);
            choices.extend(sums.map(|flips| 1 << place | flips));
        };
        if missing > 0 {
            add(next[0], 0);
        }
        if missing_of_most > 0 {
            add(next[1], banks);
        }
        if self.placed.end - bit > missing + missing_of_most {
            add(next[2], banks | of_most);
        }
        choices
    }

    fn recipe(&self, question: &Question<'_>, columns: &[u32]) -> Spec {
        let placed = &columns[self.placed.start as usize..self.placed.end as usize];
        let mut packs: Vec<u32> = placed.iter().map(|column| column >> self.placed.start).collect();
        while packs.last().is_some_and(|last| *last == 1 << (packs.len() - 1)) {
            packs.pop();
        }
        Spec::linear_packs(question.pack, List::new(&packs))
    }

    fn step(&self, columns: &mut [u32], random: u64) -> bool {
        let placed = &mut columns[self.placed.start as usize..self.placed.end as usize];
        let [one, other] = [33, 45].map(|shift| (random >> shift) as usize % placed.len());
        match random >> 63 {
            0 => placed[one] ^= 1 << (self.placed.start as usize + other),
            _ => placed.swap(one, other),
        }
        is_bijective(placed)
    }
}
