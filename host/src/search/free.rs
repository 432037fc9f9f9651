//! Linear layouts without any conflict: what the lanes of a phase forbid, bit by bit.
//!
//! Two units of a phase are in different groups exactly if the columns of the bits in which they differ do not add up to
//! group 0. So all accesses together are one list of differences, and one whose highest bit is the next to be chosen
//! forbids its column a single group:
//!
//! ```text
//!   64x96 halves on gfx942, read by 16 rows      differ by 16 bytes times   line ^ line   place ^ place   so
//!   rows 0 and 2, packs 0 and 24                 24                         3             0               the columns of lines 1 and 2 differ
//!   rows 2 and 3, packs 24 and 36                60                         7             4               the sum of both and that of line 4 is not 4
//! ```

use super::linear::{Descended, Form, Linear, Units, mask_of, place};
use super::phase::Banks;
use std::collections::BTreeMap;

/// Differences that are looked at before the search gives up: some 10 ms.
const MOST_LOOKS: usize = 1_000_000;

/// Bits of a tile whose differences are listed: 2^24 bytes.
const MOST_BITS: u32 = 24;

/// The banks that serve two units of a phase, and in which bytes these differ.
type Difference = (Banks, u32);

impl Linear {
    /// Columns by which no two units of a phase share a group.
    pub(super) fn free(&self, form: &dyn Form) -> Descended {
        let (mut all, is_cut) = self.all_free(form, 1);
        Descended { columns: all.pop(), is_cut }
    }

    /// As many of them as are asked for, or all that there are; and whether the search was given up before.
    pub(super) fn all_free(&self, form: &dyn Form, most: usize) -> (Vec<Vec<u32>>, bool) {
        if self.end > MOST_BITS {
            return (Vec::new(), true);
        }
        let chosen = mask_of(form.chosen());
        let (columns, mut differences) = (self.in_order(), vec![Vec::new(); self.end as usize]);
        for (banks, bytes) in self.differences() {
            match (bytes & chosen).checked_ilog2() {
                Some(bit) => differences[bit as usize].push((banks, bytes)),
                None if banks.group(place(&columns, bytes)) == 0 => return (Vec::new(), false),
                None => {}
            }
        }
        let (left, found) = (MOST_LOOKS, Vec::new());
        let mut free = Free { form, used: self.used, differences, columns, left, most, found };
        free.choose(form.chosen().start);
        (free.found, free.left == 0)
    }

    /// Each once, those of the same banks one after the other.
    fn differences(&self) -> Vec<Difference> {
        let mut seen: BTreeMap<Banks, Vec<bool>> = BTreeMap::new();
        for Units { banks, bytes, .. } in &self.phases {
            let seen = seen.entry(*banks).or_insert_with(|| vec![false; 1 << self.end]);
            for (i, one) in bytes.iter().enumerate() {
                bytes[..i].iter().for_each(|other| seen[(one ^ other) as usize] = true);
            }
        }
        let of_banks = |(banks, seen): (Banks, Vec<bool>)| {
            let differ =
                move |(bytes, is_seen): (usize, bool)| is_seen.then_some((banks, bytes as u32));
            seen.into_iter().enumerate().filter_map(differ)
        };
        seen.into_iter().flat_map(of_banks).collect()
    }
}

struct Free<'a> {
    form: &'a dyn Form,
    used: u32,
    /// By the highest of their bits whose columns are chosen.
    differences: Vec<Vec<Difference>>,
    columns: Vec<u32>,
    left: usize,
    /// So many are enough.
    most: usize,
    found: Vec<Vec<u32>>,
}

impl Free<'_> {
    /// Chooses the columns from a bit on.
    fn choose(&mut self, bit: u32) {
        if bit == self.form.chosen().end {
            return self.found.push(self.columns.clone());
        }
        let differences = &self.differences[bit as usize];
        self.left = self.left.saturating_sub(differences.len() + 1);
        let forbidden: Vec<(Banks, u64)> = differences
            .chunk_by(|one, other| one.0 == other.0)
            .map(|alike| (alike[0].0, self.forbidden(bit, alike)))
            .collect();
        for column in self.form.choices(bit, &self.columns, self.used >> bit & 1 == 1) {
            if self.left == 0 || self.found.len() == self.most {
                break;
            }
            let is_free = |(banks, groups): &(Banks, u64)| groups >> banks.group(column) & 1 == 0;
            if forbidden.iter().all(is_free) {
                self.columns[bit as usize] = column;
                self.choose(bit + 1);
            }
        }
        self.columns[bit as usize] = 1 << bit;
    }

    /// The groups in which the column of a bit must not be, as bits.
    fn forbidden(&self, bit: u32, alike: &[Difference]) -> u64 {
        let group =
            |(banks, bytes): &Difference| banks.group(place(&self.columns, bytes & !(1 << bit)));
        alike.iter().fold(0, |groups, difference| groups | 1 << group(difference))
    }
}
