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
    /// Cycles of all accesses by the sources that dispute rows; equal to `cycles` where no row is disputed or the
    /// others agree.
    pub rival_cycles: u64,
    /// The cycles that candidates are compared by, with the conflicts that only the other sources count.
    pub weight: u64,
    /// Bytes of the layout.
    pub bytes: u64,
    /// Instructions that make the addresses of one lane, of all accesses together: a whole address takes as many as the
    /// offset has terms, one that is an xor away takes one, a constant of the instruction none. `None` if an access needs
    /// more than 64 address registers.
    pub address_instructions: Option<u32>,
}

impl Candidate {
    /// The costs of a layout; `None` of an invalid one, one that does not hold an access or is too large for a chip's
    /// memory, on which lanes race, or that a direct load cannot fill.
    #[must_use]
    pub fn judge(tile: Shape, layout: Spec, uses: &[Use<'_>]) -> Option<Self> {
        let taken = layout.weight(tile, uses)?;
        let [cycles, rival_cycles] = taken.by_source;
        let weight = taken.floor + taken.lost;
        let space = layout.plan(tile).ok()?.element_space();
        let bytes = (space * u64::from(tile.bits)).div_ceil(8);
        let address_instructions = None;
        Some(Self { layout, cycles, rival_cycles, weight, bytes, address_instructions })
    }

    /// The candidate with its address instructions.
    pub(super) fn priced(self, tile: Shape, uses: &[Use<'_>]) -> Self {
        Self { address_instructions: address_instructions(tile, self.layout, uses), ..self }
    }

    /// The more of its own cycles and those by other sources.
    #[must_use]
    pub fn most_cycles(&self) -> u64 {
        self.cycles.max(self.rival_cycles)
    }

    /// The key of the candidates' order: addresses that are not counted are the dearest.
    pub(super) fn costs(&self) -> (u64, u64, u32) {
        (self.weight, self.bytes, self.address_instructions.unwrap_or(u32::MAX))
    }

    /// Returns whether the candidate is better than another in one cost, and no worse in the rest.
    pub(super) fn beats(&self, other: &Self) -> bool {
        let ((weight, bytes, address), than) = (self.costs(), other.costs());
        self.costs() != than && weight <= than.0 && bytes <= than.1 && address <= than.2
    }
}
