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

use super::form::Form;
use super::linear::{Linear, Units, Work, mask_of, place};
use super::phase::Banks;
use std::collections::BTreeMap;

/// Differences that are looked at before the search gives up: some 5 ms.
const MOST_LOOKS: usize = 1_000_000;

/// Bits of a tile whose differences are listed: 2^24 bytes.
const MOST_BITS: u32 = 24;

impl Linear {
    /// Columns by which no two units of a phase share a group, as many as are asked for or all that there are; and whether
    /// the search was given up before.
    pub(super) fn free(&self, form: &dyn Form, most: usize) -> (Vec<Vec<u32>>, bool) {
        if self.end > MOST_BITS {
            return (Vec::new(), true);
        }
        let chosen = mask_of(form.chosen());
        let (columns, mut differences) = (self.columns.clone(), Vec::new());
        for (banks, seen) in self.differences() {
            let mut by_bit = vec![Vec::new(); self.end as usize];
            for bytes in (0..1 << self.end).filter(|bytes| seen[*bytes as usize]) {
                match u32::checked_ilog2(bytes & chosen) {
                    Some(bit) => by_bit[bit as usize].push(bytes),
                    None if banks.group(place(&columns, bytes)) == 0 => return (Vec::new(), false),
                    None => {}
                }
            }
            differences.push((banks, by_bit));
        }
        let (work, found) = (self.work(MOST_LOOKS), Vec::new());
        let mut free = Free { form, used: self.used, differences, columns, work, most, found };
        free.choose(form.chosen().start);
        (free.found, work.is_spent())
    }

    /// Which bytes two units of the same banks differ in.
    fn differences(&self) -> BTreeMap<Banks, Vec<bool>> {
        let mut all: BTreeMap<Banks, Vec<bool>> = BTreeMap::new();
        for Units { banks, bytes, .. } in &self.phases {
            let seen = all.entry(*banks).or_insert_with(|| vec![false; 1 << self.end]);
            for (i, one) in bytes.iter().enumerate() {
                bytes[..i].iter().for_each(|other| seen[(one ^ other) as usize] = true);
            }
        }
        all
    }
}

struct Free<'a> {
    form: &'a dyn Form,
    used: u32,
    /// Of each banks, by the highest of their bits whose columns are chosen.
    differences: Vec<(Banks, Vec<Vec<u32>>)>,
    columns: Vec<u32>,
    work: Work<'a>,
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
        // The groups in which the column must not be, as bits.
        let mut forbidden = Vec::new();
        for (banks, by_bit) in &self.differences {
            let (mut groups, all) = (0u64, u64::MAX >> (64 - banks.groups));
            for bytes in &by_bit[bit as usize] {
                groups |= 1 << banks.group(place(&self.columns, bytes & !(1 << bit)));
                self.work.spend(1);
                if groups == all {
                    return;
                }
            }
            forbidden.push((*banks, groups));
        }
        for column in self.form.choices(bit, &self.columns, self.used >> bit & 1 == 1) {
            if self.work.is_spent() || self.found.len() == self.most {
                break;
            }
            if forbidden.iter().all(|(banks, groups)| groups >> banks.group(column) & 1 == 0) {
                self.columns[bit as usize] = column;
                self.choose(bit + 1);
            }
        }
        self.columns[bit as usize] = 1 << bit;
    }
}
