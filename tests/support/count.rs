//! What holds of a layout, found by trying every coordinate, and what an instruction does to
//! the banks, found by sets of bytes: nothing of the library's reasoning is used.

use std::collections::{BTreeMap, BTreeSet};
use tiledesc::access::Addresses;
use tiledesc::bank::Conflicts;
use tiledesc::{
    Plan,
    chip::{Access, Instruction},
};

/// Returns whether every aligned block of `length` along a dimension is evenly spaced by
/// `stride`, and wholly in memory or wholly in padding.
pub fn every_block_is_even(plan: &Plan, dimension: usize, length: u32, stride: i64) -> bool {
    (0..plan.elements()).all(|id| {
        let index = plan.nth(id);
        let mut first = index.as_slice().to_vec();
        let within = first[dimension] % length;
        first[dimension] -= within;
        let (here, block) = (plan.evaluate(index.as_slice()), plan.evaluate(&first));
        let distance = i64::from(here[0].wrapping_sub(block[0]).cast_signed());
        let (here, block) = (plan.accepts(&here), plan.accepts(&block));
        here == block && (!here || distance == i64::from(within) * stride)
    })
}

/// What an instruction does to the banks.
#[derive(Debug, PartialEq, Eq)]
pub struct Counted {
    pub degree: u32,
    pub base_cycles: u32,
    pub conflict_cycles: u32,
    /// Whether two lanes write one byte.
    pub race: bool,
}

impl Counted {
    /// What the library says.
    pub fn of(found: &Conflicts) -> Self {
        Self {
            degree: found.degree(),
            base_cycles: found.base_cycles,
            conflict_cycles: found.conflict_cycles,
            race: found.race.is_some(),
        }
    }
}

/// Lanes that are served together, and the banks that serve them.
#[derive(Clone, Debug)]
pub struct Service {
    pub phases: Vec<Vec<usize>>,
    pub banks: u32,
}

/// A row of a chip as numbers, of whichever build of the library: the library's own tests know it as another type than
/// those that use it from outside. [`row!`](crate::row!) makes one.
#[derive(Clone, Debug)]
pub struct Row {
    pub is_write: bool,
    pub needs_whole_wave: bool,
    pub bytes: u32,
    pub alignment: u32,
    pub memory: Option<u32>,
    /// What is added to a lane's address, for each of its addresses.
    pub parts: Vec<u32>,
    pub service: Service,
    pub merged: Option<Service>,
    pub rival: Option<Service>,
}

/// The numbers of an `Instruction`.
#[macro_export]
macro_rules! row {
    ($row:expr, $Write:path) => {{
        let row = $row;
        let lanes = |lanes: &[u8]| lanes.iter().map(|lane| usize::from(*lane)).collect();
        $crate::count::Row {
            is_write: row.access() == $Write,
            needs_whole_wave: row.needs_whole_wave(),
            bytes: row.bytes(),
            alignment: row.alignment(),
            memory: row.memory(),
            parts: (0..row.parts()).map(|part| row.part(part)).collect(),
            service: $crate::row!(@ row.service(), lanes),
            merged: row.merged().map(|service| $crate::row!(@ service, lanes)),
            rival: row.rival().map(|service| $crate::row!(@ service, lanes)),
        }
    }};
    (@ $service:expr, $lanes:ident) => {
        $crate::count::Service {
            phases: (0..$service.phases.count()).map(|p| $lanes($service.phases.lanes(p))).collect(),
            banks: $service.banks,
        }
    };
}

impl Row {
    /// How many lanes supply an address.
    pub fn addressed(&self) -> usize {
        self.service.phases.iter().map(Vec::len).sum()
    }

    /// The phases that serve these addresses: the merged ones where lanes agree in pairs.
    pub fn served(&self, addresses: &[Option<u32>]) -> &Service {
        let supplied = &addresses[..self.addressed()];
        let agree = |distance: usize| {
            supplied.iter().enumerate().all(|(lane, at)| {
                match (at, supplied.get(lane ^ distance).copied().flatten()) {
                    (Some(one), Some(other)) => *one == other,
                    _ => true,
                }
            })
        };
        match &self.merged {
            Some(merged) if agree(1) || agree(2) => merged,
            _ => &self.service,
        }
    }

    /// **The rule.** Distinct dwords per (address of a lane, phase, bank); the degree of a phase is the fullest bank's.
    pub fn count(&self, service: &Service, addresses: &[Option<u32>]) -> Counted {
        let mut degrees: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        let mut writers: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for (part, offset) in self.parts.iter().enumerate() {
            for (phase, lanes) in service.phases.iter().enumerate() {
                let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
                for lane in lanes {
                    let Some(address) = addresses[*lane] else { continue };
                    let first = u64::from(address) + u64::from(*offset);
                    let bytes = first..first + u64::from(self.bytes);
                    for dword in bytes.start / 4..bytes.end.div_ceil(4) {
                        banks.entry(dword % u64::from(service.banks)).or_default().insert(dword);
                    }
                    for byte in bytes.filter(|_| self.is_write) {
                        writers.entry(byte).or_default().insert(*lane);
                    }
                }
                let fullest = banks.values().map(BTreeSet::len).max();
                degrees.extend(fullest.map(|degree| ((part, phase), degree as u32)));
            }
        }
        Counted {
            degree: degrees.values().copied().max().unwrap_or(0),
            base_cycles: (service.phases.len() * self.parts.len()) as u32,
            conflict_cycles: degrees.values().map(|degree| degree - 1).sum(),
            race: writers.values().any(|lanes| lanes.len() > 1),
        }
    }
}

/// The count of lanes' addresses, by the row's own source.
pub fn counted(addresses: &Addresses, row: &Instruction) -> Counted {
    let row = crate::row!(row, Access::Write);
    let addresses: Vec<_> = (0..64).map(|lane| addresses.get(lane)).collect();
    row.count(row.served(&addresses), &addresses)
}
