//! A layout with what it costs: cycles, then bytes, then address instructions.
//!
//! ```text
//!   128x64 halves on gfx942, read by 16 rows   cycles   bytes   address instructions
//!   GemmXor                                   128       16384   4
//!   RowPad, Padding<16>                       128       20448   2
//!   RowPad, Padding<8>                        256       18416   2
//!   RowMajor                                  512       16384   2
//! ```

use super::address::address_instructions;
use tiledesc::Plan;
use tiledesc::access::Placed;
use tiledesc::direct::DirectError;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;

/// A layout with its costs, each confirmed by the library's verdict on every access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The layout.
    pub layout: Spec,
    /// Cycles of all accesses, by the rows' own sources.
    pub cycles: u64,
    /// The same by the sources that dispute rows; equal where no row is disputed or the others agree.
    pub rival_cycles: u64,
    /// What candidates are compared by: the cycles, and the conflicts that only the other sources count.
    pub weight: u64,
    /// Bytes of the layout.
    pub bytes: u64,
    /// Instructions that make the addresses of one lane, of all accesses together: a whole address takes as many as the
    /// offset has terms, one that is an xor away takes one, a constant of the instruction none. `None` if an access needs
    /// more than 64 address registers.
    pub address_instructions: Option<u32>,
}

/// Why a direct load of some uses cannot fill a layout.
pub(super) fn unfilled(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<DirectError> {
    let mut fills: Vec<_> = uses.iter().filter_map(|one| one.fill).collect();
    fills.dedup();
    fills.iter().find_map(|fill| fill.plan(plan, bits).err())
}

/// Cycles of one access, by the library's verdict.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) cycles: u64,
    pub(super) rival_cycles: u64,
    pub(super) weight: u64,
    /// What of that is lost to conflicts.
    pub(super) lost: u64,
}

impl Taken {
    /// `None` of an access that a layout does not hold, or in which lanes race.
    pub(super) fn of(plan: &Plan, bits: u32, one: &Use<'_>) -> Option<Self> {
        let placed = Placed::new(plan, bits, one.lanes, one.instruction).ok()?;
        let verdict = placed.untold().ok()?;
        if verdict.conflicts().race.is_some() {
            return None;
        }
        let (times, own) = (u64::from(one.times), verdict.active_cycles());
        let rival = verdict.rival_cycles().filter(|_| !one.instruction.is_settled());
        let disputed = verdict.disputed_cycles();
        Some(Self {
            cycles: own * times,
            rival_cycles: rival.unwrap_or(own) * times,
            weight: (own + disputed) * times,
            lost: (verdict.conflict_cycles() + disputed) * times,
        })
    }
}

impl Candidate {
    /// The costs of a layout; `None` of one that cannot be, that does not hold an access or is too large for a chip's
    /// memory, on which lanes race, or that a direct load cannot fill.
    #[must_use]
    pub fn judge(tile: Shape, layout: Spec, uses: &[Use<'_>]) -> Option<Self> {
        let plan = layout.plan(tile).ok()?;
        let bytes = (plan.element_space() * u64::from(tile.bits)).div_ceil(8);
        if unfilled(&plan, tile.bits, uses).is_some() {
            return None;
        }
        let mut sum = Taken::default();
        for one in uses {
            let taken = Taken::of(&plan, tile.bits, one)?;
            sum.cycles += taken.cycles;
            sum.rival_cycles += taken.rival_cycles;
            sum.weight += taken.weight;
        }
        let Taken { cycles, rival_cycles, weight, .. } = sum;
        let address_instructions = None;
        Some(Self { layout, cycles, rival_cycles, weight, bytes, address_instructions })
    }

    /// The same with its address instructions.
    pub(super) fn priced(self, tile: Shape, uses: &[Use<'_>]) -> Self {
        Self { address_instructions: address_instructions(tile, self.layout, uses), ..self }
    }

    /// The more of its own cycles and those by other sources.
    #[must_use]
    pub fn most_cycles(&self) -> u64 {
        self.cycles.max(self.rival_cycles)
    }

    /// What it is ordered by: addresses that nobody counts are the dearest.
    pub(super) fn costs(&self) -> (u64, u64, u32) {
        (self.weight, self.bytes, self.address_instructions.unwrap_or(u32::MAX))
    }

    /// Whether it is better than another in one cost, and no worse in the rest.
    pub(super) fn beats(&self, other: &Self) -> bool {
        let ((weight, bytes, address), than) = (self.costs(), other.costs());
        self.costs() != than && weight <= than.0 && bytes <= than.1 && address <= than.2
    }
}
