//! The verdict on addresses without a pattern: a byte for each lane of one instruction.
//!
//! ```text
//!   gfx942 ds_read_b128, lane l at byte 128 l:  8-way in phase 0: lanes 0 and 1, bytes 0 and 128, bank 0
//! ```

use crate::request::chip::named;
use crate::request::instruction::row;
use std::fmt;
use tiledesc::access::Addresses;
use tiledesc::bank::{conflicts, phase};
use tiledesc::chip::{Evidence, Instruction};

/// The banks' verdict on one instruction whose lanes' bytes are given.
///
/// ```
/// use tiledesc_cli::Lanes;
///
/// let bytes: Vec<_> = (0..64).map(|lane| Some(128 * lane)).collect();
/// let found = Lanes::judge("gfx942", "ds_read_b128", &bytes).unwrap();
/// assert_eq!((found.degree, found.cycles, found.pair), (8, 64, Some([0, 1])));
/// let said = "8-way in phase 0: lanes 0 and 1, bytes 0 and 128, bank 0";
/// assert_eq!(found.to_string(), said);
///
/// let odd = Lanes::judge("gfx942", "ds_read_b128", &bytes[..32]).unwrap_err();
/// assert_eq!(odd, "gfx942 has waves of 64 lanes, but 32 addresses are given: an inactive lane has none, and its place");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The most distinct dwords of a bank in a phase: 1 is free, 0 that no lane is active.
    pub degree: u32,
    /// Cycles of the instruction.
    pub cycles: u32,
    /// Cycles without conflicts: the number of phases.
    pub base_cycles: u32,
    /// The first phase of the highest degree.
    pub phase: usize,
    /// Two lanes that meet in a bank, if any do; of a data race those that write one byte.
    pub pair: Option<[usize; 2]>,
    /// The bytes of these two.
    pub bytes: Option<[u32; 2]>,
    /// The bank where they meet.
    pub bank: Option<u32>,
    /// Two lanes that write the same byte, if any do.
    pub race: Option<[usize; 2]>,
    /// The evidence for the row of the instruction.
    pub evidence: Evidence,
    /// The source of the row, or what it is inferred from.
    pub source: &'static str,
    /// The degree by the source that disputes the row, if there is one.
    pub rival_degree: Option<u32>,
}

impl Lanes {
    /// Judges an instruction of a chip: a byte for each lane of a wave, `None` of an inactive one.
    ///
    /// # Errors
    ///
    /// A sentence: an unknown chip or instruction, another number of lanes, a byte that the instruction cannot have.
    pub fn judge(chip: &str, op: &str, bytes: &[Option<u32>]) -> Result<Self, String> {
        let chip = named(chip)?;
        let row = row(op, chip)?;
        if bytes.len() != chip.wave() as usize {
            let (name, wave, given) = (chip.name(), chip.wave(), bytes.len());
            return Err(format!(
                "{name} has waves of {wave} lanes, but {given} addresses are given: an inactive lane has none, and its place"
            ));
        }
        let lanes = Addresses::from_fn(|lane| bytes.get(lane as usize).copied().flatten());
        let said = |error| format!("{} {op}: {error}", chip.name());
        Self::new(&lanes, &row).map_err(said)
    }

    fn new(lanes: &Addresses, row: &Instruction) -> Result<Self, tiledesc::access::AddressError> {
        let found = conflicts(lanes, row)?;
        let crowd = phase(lanes, row, found.phase)?;
        let rival_degree = match row.rival() {
            Some(_) => Some(conflicts(lanes, &row.as_rival())?.degree()),
            None => None,
        };
        let part = row.part(found.phase / row.service().phases.count());
        let pair = found.race.or(crowd.pair());
        let byte = |lane| lanes.get(lane).map(|byte| byte.wrapping_add(part));
        let bytes = pair.and_then(|[a, b]| Some([byte(a)?, byte(b)?]));
        let service = match (found.merged, row.merged()) {
            (true, Some(merged)) => merged,
            _ => row.service(),
        };
        Ok(Self {
            degree: found.degree(),
            cycles: found.active_cycles(),
            base_cycles: found.base_cycles,
            phase: found.phase,
            pair,
            bytes,
            bank: (found.race.is_none() && pair.is_some()).then_some(crowd.bank),
            race: found.race,
            evidence: service.evidence,
            source: service.source,
            rival_degree,
        })
    }

    /// Returns whether no lane waits, by the row's own source, and no two write one byte.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.degree <= 1 && self.race.is_none()
    }
}

impl fmt::Display for Lanes {
    /// `8-way in phase 0: lanes 0 and 1, bytes 0 and 128, bank 0`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (degree, phase) = (self.degree, self.phase);
        match (self.race, self.pair, self.bytes, self.bank) {
            (Some([a, b]), ..) => {
                write!(f, "data race: lanes {a} and {b} write the same byte")?;
                if degree > 1 {
                    write!(f, "; {degree}-way")?;
                }
            }
            (_, Some([a, b]), Some([x, y]), Some(bank)) => {
                write!(
                    f,
                    "{degree}-way in phase {phase}: lanes {a} and {b}, bytes {x} and {y}, bank {bank}"
                )?;
            }
            _ if degree == 0 => f.write_str("no lane is active")?,
            _ => f.write_str("free of conflicts")?,
        }
        if self.evidence == Evidence::Inferred {
            write!(f, " (phases inferred: {})", self.source)?;
        }
        match self.rival_degree {
            Some(rival) if rival == degree => Ok(()),
            Some(0 | 1) => f.write_str(" (disputed: free)"),
            Some(rival) => write!(f, " (disputed: {rival}-way)"),
            None => Ok(()),
        }
    }
}
