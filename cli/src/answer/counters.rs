//! The way from a profile back to a degree, and to the accesses that explain it.
//!
//! ```text
//!   SQ_LDS_BANK_CONFLICT 24000      3 cycles lost for each cycle of work: 4-way, if throughout
//!   SQ_LDS_IDX_ACTIVE    32000
//!   SQ_INSTS_LDS          1000      8 cycles of work an instruction: one of 8 phases, ds_read_b128
//! ```
//!
//! With a file, its accesses are summed up and laid beside the profile: first all of them, then the
//! smallest groups that have the measured ratio.

use crate::answer::judge::Judged;
use crate::request::profile::Profile;
use tiledesc::chip::Chip;
use tiledesc::chip::Instruction;

/// Cycles of LDS: what rocprof and Nsight Compute count, in one pair of words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cycles {
    pub(crate) instructions: u64,
    /// Without conflicts.
    pub(crate) base: u64,
    pub(crate) conflict: u64,
}

impl Cycles {
    fn plus(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_add(other.instructions),
            base: self.base.saturating_add(other.base),
            conflict: self.conflict.saturating_add(other.conflict),
        }
    }

    fn new(one: &Judged<'_>) -> Self {
        let (verdict, times) = (&one.verdict, one.access.times);
        Self {
            instructions: verdict.instructions() * times,
            base: verdict.base_cycles() * times,
            conflict: verdict.conflict_cycles() * times,
        }
    }

    /// Cycles lost for each cycle of work.
    pub(crate) fn ratio(self) -> f64 {
        self.conflict as f64 / self.base as f64
    }
}

/// One figure of a profile, which tells no degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Figure {
    /// Cycles lost to conflicts.
    Lost,
    /// All cycles.
    All,
    /// Cycles without conflicts.
    Base,
    /// Instructions.
    Instructions,
}

impl Figure {
    /// The figure of some cycles.
    pub(crate) fn value(self, cycles: Cycles) -> u64 {
        match self {
            Self::Lost => cycles.conflict,
            Self::All => cycles.base.saturating_add(cycles.conflict),
            Self::Base => cycles.base,
            Self::Instructions => cycles.instructions,
        }
    }

    /// `cycles lost to conflicts`
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Lost => "cycles lost to conflicts",
            Self::All => "cycles of work and of conflicts",
            Self::Base => "cycles of work",
            Self::Instructions => "instructions",
        }
    }
}

/// The figure of a profile that has one alone, and the option that would tell the degree beside it.
pub(crate) fn alone(profile: &Profile) -> Option<(Figure, u64, &'static str)> {
    let [lost, all, insts, wavefronts, ideal] = profile.sums;
    match (lost, all, insts, wavefronts, ideal, profile.conflicts) {
        (Some(one), None, None, None, None, None) => Some((Figure::Lost, one, "--idx-active")),
        (None, Some(one), None, None, None, None) => Some((Figure::All, one, "--bank-conflict")),
        (None, None, _, Some(one), None, None) => Some((Figure::All, one, "--ideal")),
        (None, None, _, None, Some(one), None) => Some((Figure::Base, one, "--wavefronts")),
        (None, None, _, None, None, Some(one)) => {
            Some((Figure::Lost, one, "l1tex__data_pipe_lsu_wavefronts_mem_shared"))
        }
        (None, None, Some(one), None, None, None) => {
            Some((Figure::Instructions, one, "--bank-conflict and --idx-active"))
        }
        (Some(one), None, Some(_), None, None, None) => Some((Figure::Lost, one, "--idx-active")),
        (None, Some(one), Some(_), None, None, None) => Some((Figure::All, one, "--bank-conflict")),
        _ => None,
    }
}

/// The executions that explain a figure alone: how often all accesses of a file would be done, and how often each would
/// be if it were the only one.
pub(crate) struct Explained<'j, 't> {
    pub(crate) chip: &'static str,
    /// Each access, its figure once, and the executions.
    pub(crate) accesses: Vec<(&'j Judged<'t>, u64, Option<f64>)>,
    pub(crate) sum: u64,
    pub(crate) times: Option<f64>,
}

/// As [`beside`], of one figure.
pub(crate) fn explained<'j, 't>(
    all: &'j [Judged<'t>],
    figure: Figure,
    value: u64,
) -> Vec<Explained<'j, 't>> {
    let times = |once: u64| (once > 0).then(|| value as f64 / once as f64);
    let of_chip = |chip: &'static str| {
        let here = all.iter().filter(|one| one.chip.name() == chip);
        let once = |one: &'j Judged<'t>| {
            let once = figure.value(Cycles::new(one));
            (one, once, times(once))
        };
        let accesses: Vec<_> = here.map(once).collect();
        let sum = accesses.iter().fold(0_u64, |sum, (_, once, _)| sum.saturating_add(*once));
        Explained { chip, accesses, sum, times: times(sum) }
    };
    chips_of(all).into_iter().map(of_chip).collect()
}

/// The share by which equal figures may differ: arbitration adds 1.8 % in a published case.
const NEAR: f64 = 0.02;

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= NEAR * other.abs().max(1.0)
}

/// The most accesses that are tried in groups: 2^12 groups are.
const MOST_GROUPED: usize = 12;

/// The counts of a profiler, rocprof or Nsight Compute, as cycles.
pub(crate) fn measured(profile: &Profile) -> Result<Cycles, String> {
    let [bank_conflict, idx_active, insts, wavefronts, ideal] = profile.sums;
    let instructions = insts.unwrap_or(0);
    match ((bank_conflict, idx_active), (wavefronts, ideal)) {
        ((Some(conflict), Some(active)), (None, None)) => {
            let base = active.checked_sub(conflict).filter(|base| *base > 0).ok_or_else(|| {
                format!(
                    "--idx-active {active} holds the {conflict} cycles of --bank-conflict and at least \
                     one more"
                )
            })?;
            Ok(Cycles { instructions, base, conflict })
        }
        ((None, None), (Some(wavefronts), Some(ideal))) => {
            let conflict = wavefronts.checked_sub(ideal).filter(|_| ideal > 0).ok_or_else(|| {
                format!(
                    "--wavefronts {wavefronts} are at least the {ideal} of --ideal, and those at least 1"
                )
            })?;
            Ok(Cycles { instructions, base: ideal, conflict })
        }
        _ if profile.conflicts.is_some() => {
            Err("l1tex__data_bank_conflicts_pipe_lsu_mem_shared is in it alone: measure \
             l1tex__data_pipe_lsu_wavefronts_mem_shared beside it, or name a FILE"
                .to_string())
        }
        _ => Err(
            "give rocprof's --bank-conflict and --idx-active, Nsight Compute's --wavefronts and \
                  --ideal, or --profile with a table of these; one of them is enough beside a FILE"
                .to_string(),
        ),
    }
}

/// The beginning of the names of the chips that count what a profile has: rocprof's counters are AMD's.
pub(crate) fn counted_on(profile: &Profile) -> (&'static str, &'static str) {
    let [lost, all, _, wavefronts, ideal] = profile.sums;
    match (lost.or(all), wavefronts.or(ideal).or(profile.conflicts)) {
        (Some(_), _) => ("gfx", "rocprof's counters are of AMD's chips"),
        (None, Some(_)) => ("sm_", "Nsight Compute's metrics are of NVIDIA's chips"),
        // Both count instructions.
        (None, None) => ("", "instructions are counted on any chip"),
    }
}

/// The instructions of a chip that each take the given number of cycles of work.
pub(crate) fn instructions(chip: &Chip, each: f64) -> Vec<&'static str> {
    let phases = |row: &&Instruction| row.service().phases.count() * row.parts();
    let fits = |row: &&Instruction| is_near(each, phases(row) as f64);
    chip.rows().iter().filter(fits).map(Instruction::name).collect()
}

/// The accesses of a file on one chip, laid beside a profile.
pub(crate) struct Beside<'j, 't> {
    pub(crate) chip: &'static str,
    /// The accesses, each with the cycles of its executions.
    pub(crate) accesses: Vec<(&'j Judged<'t>, Cycles)>,
    pub(crate) sum: Cycles,
    pub(crate) fit: Fit<'j, 't>,
}

/// The accesses that have the ratio of the profile.
pub(crate) enum Fit<'j, 't> {
    /// All accesses, each executed so often.
    All(f64),
    /// The smallest groups, if any.
    Groups(Vec<Group<'j, 't>>),
}

/// Some accesses, and how often each was executed.
pub(crate) struct Group<'j, 't> {
    pub(crate) accesses: Vec<&'j Judged<'t>>,
    pub(crate) times: f64,
}

/// All accesses, chip by chip.
pub(crate) fn beside<'j, 't>(all: &'j [Judged<'t>], measured: Cycles) -> Vec<Beside<'j, 't>> {
    chips_of(all).into_iter().map(|chip| Beside::new(chip, all, measured)).collect()
}

/// The chips of accesses, in the order of their names.
fn chips_of(all: &[Judged<'_>]) -> Vec<&'static str> {
    let mut chips: Vec<_> = all.iter().map(|one| one.chip.name()).collect();
    chips.sort_unstable();
    chips.dedup();
    chips
}

impl<'j, 't> Beside<'j, 't> {
    fn new(chip: &'static str, all: &'j [Judged<'t>], measured: Cycles) -> Self {
        let here = all.iter().filter(|one| one.chip.name() == chip);
        let accesses: Vec<_> = here.map(|one| (one, Cycles::new(one))).collect();
        let sum = total(&accesses);
        let fit = match times(sum, measured) {
            Some(times) => Fit::All(times),
            None => Fit::Groups(groups(&accesses, measured)),
        };
        Self { chip, accesses, sum, fit }
    }
}

fn total(accesses: &[(&Judged<'_>, Cycles)]) -> Cycles {
    accesses.iter().fold(Cycles::default(), |sum, (_, cycles)| sum.plus(*cycles))
}

/// The number of times that accesses were executed, if the profile can be theirs: the ratio, and the instructions if
/// they were counted.
fn times(sum: Cycles, measured: Cycles) -> Option<f64> {
    let times = measured.base as f64 / sum.base as f64;
    let insts = sum.instructions as f64 * times;
    let is_counted =
        measured.instructions == 0 || is_near(insts / measured.instructions as f64, 1.0);
    (is_counted && is_near(sum.ratio(), measured.ratio())).then_some(times)
}

/// The smallest groups of accesses whose ratio is the profile's.
fn groups<'j, 't>(here: &[(&'j Judged<'t>, Cycles)], measured: Cycles) -> Vec<Group<'j, 't>> {
    let count = here.len().min(MOST_GROUPED);
    let mut found = Vec::new();
    for mask in 1u32..1 << count {
        let chosen: Vec<_> = (0..count).filter(|i| mask >> i & 1 == 1).map(|i| here[i]).collect();
        if let Some(times) = times(total(&chosen), measured) {
            found.push(Group { accesses: chosen.into_iter().map(|(one, _)| one).collect(), times });
        }
    }
    let least = found.iter().map(|group| group.accesses.len()).min().unwrap_or(0);
    found.retain(|group| group.accesses.len() == least);
    found
}
