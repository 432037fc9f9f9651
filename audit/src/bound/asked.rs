//! What an access of a wave asks of the memory: as the banks judge it, or after its bytes were moved.
//!
//! | access | cycles of the banks |
//! |---|---|
//! | judged | those of its verdict; from those without conflicts on, if which lanes are on depends on data, or there are several addresses |
//! | of an unknown address | at least those without conflicts |
//! | a load straight to LDS | its bytes by 128 |
//! | a permutation, a barrier | none |
//! | an atomic | at least those of a write of its bytes |
//! | in LDS by a flat address | at least one |
//! | without a row | not known |

use super::direct;
use super::quarters::{Load, Loads};
use crate::atomic;
use crate::kernel::{Kernel, Reached, Row, Site, Unjudged};
use crate::moved::{Move, Touch, single};
use crate::span::Span;
use crate::verdict::Ruling;
use tiledesc::chip::Instruction;

impl Kernel {
    /// The cycles of an access whose bytes are moved; `None` if that would tear a vector.
    pub(super) fn moved(&self, site: usize, reached: &Reached, to: &Move) -> Option<Load> {
        let row = self.sites[site].access.as_ref().ok()?;
        let at = self.sites[site].reached.iter().position(|one| std::ptr::eq(one, reached))?;
        let issue = self.placed(site, at)?;
        let cost = Touch::new(&row.row, &issue).cost(self.chip, to)?;
        let port = if cost.is_split {
            let single = self.chip.instruction(&single(row.row.name())).ok()?;
            self.port(single, 2)
        } else {
            self.port(&row.row, row.times)
        };
        let cycles = cost.cycles * u64::from(row.times);
        let least = if reached.on.is_some() { cycles } else { base(row).min(cycles) };
        Some(Load::new(Span::between(least, cycles), port))
    }

    /// The cycles of a port, where pairs of SIMDs have one each.
    fn port(&self, row: &Instruction, times: u32) -> Option<u64> {
        let ports = self.chip.ports().filter(|ports| ports.count() > Some(1))?;
        Some(u64::from(ports.cycles(row)?) * u64::from(times))
    }

    /// The cycles that an access takes in one wave, from the ruling on the worst of its addresses and their number; `None` if no
    /// wave executes it.
    pub(super) fn loads(&self, site: &Site, ruling: Option<(&Ruling, usize)>) -> Loads {
        let row = match &site.access {
            Ok(row) => row,
            Err(why) => return Loads([Load::new(self.unjudged(why, site), None); 2]),
        };
        let port = self.port(&row.row, row.times);
        let (now, free) = match ruling {
            Some((Ruling::Judged(one), addresses)) => {
                let [cycles, free] = [one.cycles, one.free].map(u64::from);
                let least = match addresses {
                    1 if !one.masked => cycles,
                    1 => free,
                    _ => base(row).min(free),
                };
                (Span::between(least, cycles), free)
            }
            _ => (Span::at_least(base(row)), base(row)),
        };
        Loads([now, Span::exactly(free)].map(|banks| Load::new(banks, port)))
    }

    /// The cycles of an access without a row.
    fn unjudged(&self, why: &Unjudged, site: &Site) -> Span {
        match why {
            // No bank; operands by descriptors are counted with the instruction.
            Unjudged::Permute | Unjudged::Barrier | Unjudged::Descriptor | Unjudged::Joined => {
                Span::NONE
            }
            Unjudged::Direct => direct::cycles(&site.opcode, self.wave),
            Unjudged::Atomic => {
                atomic::least(&site.opcode, self.chip).map_or(Span::UNKNOWN, Span::at_least)
            }
            Unjudged::FlatLds => Span::at_least(1),
            _ => Span::UNKNOWN,
        }
    }
}

/// The cycles of an access without conflicts.
fn base(row: &Row) -> u64 {
    (row.row.service().phases.count() * row.row.parts()) as u64 * u64::from(row.times)
}
