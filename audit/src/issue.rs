//! One wave at one instruction, with the byte of each lane: the unit of comparisons and searches.
//!
//! ```text
//!   ds_read_b128 v[2:5], v1 offset:4096      wave 2: lane 0 at byte 4352, lane 1 at byte 4368, ..
//! ```

use crate::kernel::{Kernel, Reached, Row};
use crate::value::Value;
use tiledesc::chip::Instruction;

/// One wave at one instruction.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    /// The instruction, by its place among the kernel's.
    pub(crate) site: usize,
    /// The byte of each lane that is on and supplies an address, up to u.
    pub(crate) bytes: Vec<Option<u32>>,
    /// Zeros at the end of u; 32 where it is 0.
    pub(crate) zeros: u32,
    /// Whether the lanes that are on are known.
    pub(crate) is_certain: bool,
    /// The variable from whose begin on bytes are counted.
    pub(crate) array: Option<usize>,
}

impl Issue {
    /// The access of one wave of `wave` lanes; `None` if its address is not known.
    pub(crate) fn new(site: usize, row: &Row, reached: &Reached, wave: usize) -> Option<Self> {
        let Value::Sum { k, f } = &reached.address else { return None };
        let (on, last) = (reached.on.unwrap_or(u64::MAX), row.row.service().phases.addressed());
        let byte = |lane: usize| {
            let is_on = lane < last && on >> lane & 1 == 1;
            is_on.then(|| f.get(lane).wrapping_add(row.offset))
        };
        let bytes = (0..wave).map(byte).collect();
        Some(Self { site, bytes, zeros: *k, is_certain: reached.on.is_some(), array: None })
    }

    /// The byte of the first lane that is on.
    pub(crate) fn first(&self) -> Option<u32> {
        self.bytes.iter().find_map(|byte| *byte)
    }
}

impl Kernel {
    /// The row of an instruction, with its offsets.
    pub(crate) fn row(&self, site: usize) -> Option<&Instruction> {
        self.sites[site].access.as_ref().ok().map(|row| &row.row)
    }

    /// The accesses of the kernel's waves, as far as they are known: instructions that have a row, in the order of the
    /// program.
    pub(crate) fn issues(&self) -> Vec<Issue> {
        let sites = self.sites.iter().enumerate();
        let rows = sites.filter_map(|(at, site)| Some((at, site, site.access.as_ref().ok()?)));
        rows.flat_map(|(at, site, row)| {
            site.reached.iter().filter_map(move |one| Issue::new(at, row, one, self.wave))
        })
        .collect()
    }

    /// An access of a wave with its bytes from the begin of its variable on, if it is known to be in one: one of `reached`, which
    /// are the site's.
    pub(crate) fn placed(&self, site: usize, reached: usize) -> Option<Issue> {
        let row = self.sites[site].access.as_ref().ok()?;
        let Some(Some(within)) = self.within.get(site) else {
            return Issue::new(site, row, self.sites[site].reached.get(reached)?, self.wave);
        };
        let issue = Issue::new(site, row, within.reached.get(reached)?, self.wave)?;
        Some(Issue { array: Some(within.array), ..issue })
    }
}
