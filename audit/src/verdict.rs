//! The verdict on an access that was found: what the banks make of the lanes' bytes.
//!
//! Where u is not known the answer does not depend on it: u is a multiple of 2^k, and with `k >= 2` it moves all lanes
//! by whole dwords, which turns the banks round. With a smaller k the worst of the remainders counts.
//!
//! ```text
//!   u + 0, u + 256, u + 512, ..      u = 0: banks 0, 0, 0, ..      u = 20: banks 5, 5, 5, ..
//! ```

use crate::data;
use crate::kernel::{Kernel, Reached, Row, Site, Unjudged};
use crate::stores::{Race, Values};
use crate::value::{Reason, Value};
use tiledesc::access::{AddressError, Addresses};
use tiledesc::bank::{self, Conflicts};
use tiledesc::chip::{Access, Evidence, Instruction};

/// The ruling on an instruction, in the worst of the waves that get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The banks' answer.
    Judged(Verdict),
    /// Addresses of a wave that are not known, and why.
    Unknown(Reason),
    /// An address that was written on no path.
    NoAddress,
    /// The instruction cannot have such addresses.
    Refused(AddressError),
    /// An instruction that no row describes.
    Unjudged(Unjudged),
    /// An instruction that no wave gets to.
    Unreached,
}

/// The banks' answer on one instruction of one wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The wave's number in its block.
    pub wave: usize,
    /// The most lanes that wait for one bank, 1 if none waits; 0 if no lane is on.
    pub degree: u32,
    /// The degree by the source that disputes the row, if there is one, and that source.
    pub rival: Option<(u32, &'static str)>,
    /// Cycles of the instruction.
    pub cycles: u32,
    /// Cycles without conflicts.
    pub free: u32,
    /// Two lanes that wait for each other, with their bytes and the bank.
    pub meeting: Option<Meeting>,
    /// Two lanes that write one byte, and whether they write the same.
    pub race: Option<Race>,
    /// Whether the lanes that are on depend on data: then all are taken to be.
    pub masked: bool,
    /// Whether the verdict holds only where x of the block is a multiple of the wave, which is not stated; of some kernels only
    /// where the block is [one such row](Kernel::is_one_row).
    pub in_rows: bool,
    /// The evidence for the row.
    pub evidence: Evidence,
}

/// Two lanes that wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The lanes.
    pub lanes: [usize; 2],
    /// The lanes' bytes, from some byte on if `is_known` is false.
    pub bytes: [u32; 2],
    /// The bank, where the bytes are known.
    pub bank: u32,
    /// Whether the bytes are known, or only their distance.
    pub is_known: bool,
}

impl Verdict {
    /// The degree by the source that disputes the row, if it is another one, and that source.
    #[must_use]
    pub fn disputed(&self) -> Option<(u32, &'static str)> {
        self.rival.filter(|(degree, _)| degree.max(&1) != &self.degree.max(1))
    }

    /// What decides which of two is slower.
    fn rank(&self) -> (u32, Option<(u32, &'static str)>, u32) {
        (self.degree, self.rival, self.cycles)
    }
}

impl Kernel {
    /// The rulings on the kernel's instructions.
    #[must_use]
    pub fn rulings(&self) -> Vec<Ruling> {
        self.sites.iter().map(|site| site.ruling(self.wave)).collect()
    }

    /// The rulings of each instruction, in the order of the waves that get there; none of one without a row.
    pub(crate) fn judged(&self) -> Vec<Vec<Ruling>> {
        self.sites.iter().map(|site| site.rulings(self.wave)).collect()
    }
}

impl Site {
    /// Judges the access in a wave of `wave` lanes, 32 or 64.
    #[must_use]
    pub fn ruling(&self, wave: usize) -> Ruling {
        self.worst(self.rulings(wave))
    }

    /// The rulings of the waves that get there, of each the worst.
    fn rulings(&self, wave: usize) -> Vec<Ruling> {
        let Ok(row) = &self.access else { return Vec::new() };
        let of_wave = |all: &[Reached]| match all {
            [one] => judge(row, one, wave),
            all => of_several(row, all, wave),
        };
        self.reached_by_wave().map(of_wave).collect()
    }

    /// Leaves out waves in which a lane would touch more than the memory has, where an earlier wave does not: where only the most
    /// lanes of a block are known, the last ones need not be there.
    pub(crate) fn leave_out_waves(&mut self, wave: usize) {
        let Ok(row) = &self.access else { return };
        let is_beyond =
            |ruling: &Ruling| matches!(ruling, Ruling::Refused(AddressError::BeyondMemory { .. }));
        if !self.reached.last().is_some_and(|last| is_beyond(&judge(row, last, wave))) {
            return;
        }
        let numbers = self.reached_by_wave().map(|all| all[0].wave);
        let rulings = self.rulings(wave);
        let waves = numbers.zip(&rulings).skip_while(|(_, ruling)| is_beyond(ruling));
        let gone = waves.filter(|(_, ruling)| is_beyond(ruling)).map(|(number, _)| number);
        let gone = Vec::from_iter(gone);
        self.reached.retain(|one| !gone.contains(&one.wave));
    }

    /// The worst of the waves' rulings.
    pub(crate) fn worst(&self, rulings: Vec<Ruling>) -> Ruling {
        if let Err(why) = &self.access {
            return Ruling::Unjudged(why.clone());
        }
        match rulings.into_iter().reduce(worse).unwrap_or(Ruling::Unreached) {
            Ruling::Judged(verdict) => Ruling::Judged(Verdict { in_rows: self.in_rows, ..verdict }),
            other => other,
        }
    }
}

/// Returns the worst ruling on the addresses that a wave may have.
///
/// A loop, for example, may have an unknown number of rounds; a round in which a lane would leave the memory does not happen.
/// If it is not known which lanes are on, only lanes that lie within the memory together can be.
fn of_several(row: &Row, all: &[Reached], wave: usize) -> Ruling {
    let rulings = Vec::from_iter(all.iter().map(|one| judge(row, one, wave)));
    let possible = all.iter().zip(&rulings).filter_map(|(one, ruling)| match ruling {
        Ruling::Refused(AddressError::BeyondMemory { memory, .. }) => {
            within(row, one, wave, *memory)
        }
        other => Some(other.clone()),
    });
    possible.reduce(worse).or_else(|| rulings.into_iter().next()).unwrap_or(Ruling::Unreached)
}

/// Returns the worst ruling on lanes that lie within the memory together; `None` if it is known which are on.
fn within(row: &Row, reached: &Reached, wave: usize, memory: u64) -> Option<Ruling> {
    let (Value::Sum { f, .. }, None) = (&reached.address, reached.on) else { return None };
    // The lanes from one on; many have the same ones behind them.
    let together = |first: usize| {
        let distance = |lane: usize| f.get(lane).wrapping_sub(f.get(first));
        let is_near = |lane: &usize| u64::from(distance(*lane)) + u64::from(row.offset) < memory;
        (0..wave).filter(is_near).fold(0, |on, lane| on | 1 << lane)
    };
    let mut all = Vec::from_iter((0..wave).map(together));
    all.dedup();
    let of_lanes = |on: u64| match judge(row, &Reached { on: Some(on), ..reached.clone() }, wave) {
        Ruling::Judged(verdict) => {
            let race = verdict.race.map(|race| Race {
                values: if race.values == Values::Different {
                    Values::Unknown
                } else {
                    race.values
                },
                ..race
            });
            Some(Ruling::Judged(Verdict { race, masked: true, ..verdict }))
        }
        _ => None,
    };
    all.into_iter().filter_map(of_lanes).reduce(worse)
}

/// The worse of two rulings: unknown is worse than known, and of two that are known the slower one, with the race of
/// both that is surer.
fn worse(a: Ruling, b: Ruling) -> Ruling {
    let rank = |one: &Ruling| match one {
        Ruling::Judged(_) => 0,
        Ruling::Refused(_) => 1,
        Ruling::NoAddress => 2,
        _ => 3,
    };
    match (a, b) {
        (Ruling::Judged(a), Ruling::Judged(b)) => Ruling::Judged(slower(a, b)),
        (a, b) => {
            if rank(&b) > rank(&a) {
                b
            } else {
                a
            }
        }
    }
}

fn slower(a: Verdict, b: Verdict) -> Verdict {
    let race = match (a.race, b.race) {
        (Some(one), Some(two)) if two.values > one.values => Some(two),
        (one, two) => one.or(two),
    };
    Verdict { race, ..if b.rank() > a.rank() { b } else { a } }
}

/// The bytes of the lanes, if u were a certain multiple of 2^k.
#[must_use]
pub fn bytes(
    address: &Value,
    offset: u32,
    on: Option<u64>,
    wave: usize,
) -> Option<Vec<Option<u32>>> {
    each_byte(address, offset, on, wave).map(|all| all[..wave.min(64)].to_vec())
}

/// The bytes of 64 lanes; a wave of 32 has none in its upper half.
fn each_byte(
    address: &Value,
    offset: u32,
    on: Option<u64>,
    wave: usize,
) -> Option<[Option<u32>; 64]> {
    let Value::Sum { k, f } = address else { return None };
    let on = on.unwrap_or(u64::MAX);
    let lanes = || (0..wave.min(64)).filter(|lane| on >> lane & 1 == 1);
    let of = |lane: usize| f.get(lane).wrapping_add(offset);
    let mut all = [None; 64];
    if *k == 32 {
        lanes().for_each(|lane| all[lane] = Some(of(lane)));
        return Some(all);
    }
    let Some(first) = lanes().next() else { return Some(all) };
    let distance = |lane: usize| of(lane).wrapping_sub(of(first)).cast_signed();
    let lowest = lanes().min_by_key(|lane| distance(*lane)).unwrap_or(first);
    // Whole rounds of 64 banks less.
    let begin = of(lowest) % 256;
    lanes()
        .for_each(|lane| all[lane] = Some(of(lane).wrapping_sub(of(lowest)).wrapping_add(begin)));
    Some(all)
}

fn judge(row: &Row, reached: &Reached, wave: usize) -> Ruling {
    let k = match &reached.address {
        Value::Sum { k, .. } => *k,
        Value::Nothing => return Ruling::NoAddress,
        Value::OneOf(forms) => {
            let of = |form: &Value| Reached { address: form.clone(), ..reached.clone() };
            return of_several(row, &Vec::from_iter(forms.iter().map(of)), wave);
        }
        // Open bits that are all clear are as free as others, and a multiple of 16 stands for any u.
        Value::Among { f, .. } | Value::Part { f, .. } if data::is_free(row, reached, wave) => {
            let address = Value::Sum { k: 4, f: f.clone() };
            return judge(row, &Reached { address, ..reached.clone() }, wave);
        }
        Value::Part { reason, .. } | Value::Among { reason, .. } | Value::Unknown(reason) => {
            return Ruling::Unknown(*reason);
        }
    };
    let Some(bytes) = each_byte(&reached.address, row.offset, reached.on, wave) else {
        return Ruling::NoAddress;
    };
    let looser = row.looser();
    // What u may be beside multiples of 16, the widest access, or of what all lanes may be moved by.
    let end = if looser.is_none() { row.row.alignment().max(4) } else { 16 };
    let (step, end) = if k >= 4 { (16, 16) } else { (1 << k, end) };
    let (mut worst, mut refused): (Option<Counted<'_>>, _) = (None, None);
    for remainder in (0..end).step_by(step) {
        let lanes = Addresses::from_fn(|lane| {
            let byte = bytes[lane as usize % 64]?;
            // Of bytes that are known u is 0.
            Some(byte.wrapping_add(remainder))
        });
        let counted = Counted::new(lanes, &row.row, reached);
        let counted = match (&counted, &looser) {
            (Err(AddressError::Misaligned { .. }), Some(row)) => Counted::new(lanes, row, reached),
            _ => counted,
        };
        match counted {
            Ok(one) => {
                worst = Some(match worst {
                    Some(worst) => worst.or(one),
                    None => one,
                });
                // Whole dwords turn the banks round, unless others are served in other phases.
                if k >= 2 && looser.is_none() {
                    break;
                }
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let Some(worst) = worst else {
        return refused.map_or(Ruling::NoAddress, Ruling::Refused);
    };
    match worst.meeting(k == 32) {
        Ok(meeting) => {
            let Verdict { cycles, free, .. } = worst.verdict;
            let (cycles, free) = (row.times * cycles, row.times * free);
            Ruling::Judged(Verdict { cycles, free, meeting, ..worst.verdict })
        }
        Err(error) => Ruling::Refused(error),
    }
}

/// The verdict on lanes at one place, without two that meet: they are sought only in the worst place.
struct Counted<'r> {
    lanes: Addresses,
    row: &'r Instruction,
    found: Conflicts,
    verdict: Verdict,
}

impl<'r> Counted<'r> {
    fn new(
        lanes: Addresses,
        row: &'r Instruction,
        reached: &Reached,
    ) -> Result<Self, AddressError> {
        let found = bank::conflicts(&lanes, row)?;
        let rival = match row.rival() {
            Some(rival) => Some((bank::conflicts(&lanes, &row.as_rival())?.degree(), rival.source)),
            None => None,
        };
        let writes = row.access() == Access::Write && found.race.is_some();
        let begins = || Vec::from_iter((0..64).map(|lane| lanes.get(lane)));
        let race = if writes { Race::worst(row, &begins(), reached) } else { None };
        let verdict = Verdict {
            wave: reached.wave,
            degree: found.degree(),
            rival,
            cycles: found.active_cycles(),
            free: found.base_cycles,
            meeting: None,
            race,
            masked: reached.on.is_none(),
            in_rows: false,
            evidence: row.service().evidence,
        };
        Ok(Self { lanes, row, found, verdict })
    }

    /// The slower of two places, with the race of both that is surer.
    fn or(self, other: Self) -> Self {
        let verdict = slower(self.verdict, other.verdict);
        let slower = if other.verdict.rank() > self.verdict.rank() { other } else { self };
        Self { verdict, ..slower }
    }

    fn meeting(&self, is_known: bool) -> Result<Option<Meeting>, AddressError> {
        let (row, phase) = (self.row, self.found.phase);
        if self.found.degree() < 2 {
            return Ok(None);
        }
        let crowd = bank::phase(&self.lanes, row, phase)?;
        let part = row.part(phase / row.service().phases.count());
        let Some(pair) = crowd.pair() else { return Ok(None) };
        let [Some(a), Some(b)] = pair.map(|lane| self.lanes.get(lane)) else { return Ok(None) };
        Ok(Some(Meeting { lanes: pair, bytes: [a + part, b + part], bank: crowd.bank, is_known }))
    }
}
