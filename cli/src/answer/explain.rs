//! One instruction of an access, lane by lane and phase by phase.

use crate::answer::judge::Judged;
use tiledesc::{
    List,
    access::{AccessError, AddressError, Addresses},
    bank,
    chip::{Instruction, Service},
};

/// The elements that the lanes of one instruction touch, and how the banks serve them.
pub(crate) struct Served<'j> {
    pub(crate) lanes: Vec<Lane>,
    /// Phases in their order; all phases of the first address come before those of the second.
    pub(crate) phases: Vec<Phase<'j>>,
    /// Banks of the memory.
    pub(crate) banks: u32,
}

/// A lane that is active.
pub(crate) struct Lane {
    pub(crate) lane: usize,
    /// The phase in which it is served, if it is.
    pub(crate) phase: Option<usize>,
    pub(crate) coordinate: List,
    /// The byte of its address.
    pub(crate) byte: u32,
    /// The first byte of each part: two of an instruction with two addresses.
    pub(crate) starts: Vec<u32>,
}

/// Lanes that are served together.
pub(crate) struct Phase<'j> {
    pub(crate) degree: u32,
    /// The first of the fullest banks, and how many are as full.
    pub(crate) bank: u32,
    pub(crate) fullest: u32,
    pub(crate) lanes: &'j [u8],
    /// The number of the address, where an instruction has two.
    pub(crate) part: usize,
}

impl<'j> Served<'j> {
    /// The instruction of this number.
    pub(crate) fn new(judged: &'j Judged<'_>, step: u64) -> Result<Self, AccessError> {
        let touched = judged.placed.touched(step)?;
        Self::from_addresses(judged.row, touched.addresses(), |lane| touched.coordinate(lane))
            .map_err(AccessError::Address)
    }

    /// Addresses, and the coordinate that each lane's belongs to.
    pub(crate) fn from_addresses(
        row: &'j Instruction,
        addresses: &Addresses,
        coordinate: impl Fn(usize) -> Option<List>,
    ) -> Result<Self, AddressError> {
        let service = service(row, addresses)?;
        let lane = |lane: usize| {
            let (coordinate, byte) = (coordinate(lane)?, addresses.get(lane)?);
            let starts = (0..row.parts()).map(|part| byte + row.part(part));
            let phase = service.phases.phase_of(lane);
            Some(Lane { lane, phase, coordinate, byte, starts: starts.collect() })
        };
        let count = service.phases.count();
        let phase = |phase: usize| {
            let crowd = bank::phase(addresses, row, phase)?;
            Ok(Phase {
                degree: crowd.degree,
                bank: crowd.bank,
                fullest: crowd.banks,
                lanes: service.phases.lanes(phase % count),
                part: phase / count,
            })
        };
        let phases = (0..count * row.parts()).map(phase).collect::<Result<_, _>>()?;
        let lanes = (0..service.phases.wave()).filter_map(lane).collect();
        Ok(Self { lanes, phases, banks: service.banks })
    }
}

/// The phases and banks of one instruction: of merged accesses others.
fn service<'r>(row: &'r Instruction, addresses: &Addresses) -> Result<&'r Service, AddressError> {
    let found = bank::conflicts(addresses, row)?;
    Ok(match row.merged() {
        Some(merged) if found.merged => merged,
        _ => row.service(),
    })
}
