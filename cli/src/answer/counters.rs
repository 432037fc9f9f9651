//! `counters`: from a profile back to a degree, and to the accesses that explain it.
//!
//! ```text
//!   SQ_LDS_BANK_CONFLICT 24000      3 cycles lost for each cycle of work: 4-way, if throughout
//!   SQ_LDS_IDX_ACTIVE    32000
//!   SQ_INSTS_LDS          1000      8 cycles of work an instruction: one of 8 phases, ds_read_b128
//! ```
//!
//! With a file, its accesses are summed up and laid beside the profile: first all of them, then the
//! smallest groups that have the measured ratio.

use crate::Output;
use crate::answer::check::plural;
use crate::answer::judge::{Judged, judge_all};
use crate::request::args::Counters;
use crate::request::fault::Source;
use crate::request::input::Tile;
use std::fmt::Write;
use tiledesc::Instruction;
use tiledesc::chip::Chip;

/// Cycles of LDS: what rocprof and Nsight Compute count, in one pair of words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cycles {
    instructions: u64,
    /// Without conflicts.
    base: u64,
    conflict: u64,
}

impl Cycles {
    fn plus(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_add(other.instructions),
            base: self.base.saturating_add(other.base),
            conflict: self.conflict.saturating_add(other.conflict),
        }
    }

    fn of(one: &Judged<'_>) -> Self {
        let (verdict, times) = (&one.verdict, one.access.times);
        Self {
            instructions: verdict.instructions() * times,
            base: verdict.base_cycles() * times,
            conflict: verdict.conflict_cycles() * times,
        }
    }

    /// Cycles lost for each cycle of work.
    fn ratio(self) -> f64 {
        self.conflict as f64 / self.base as f64
    }
}

/// Figures that differ by less are one: arbitration adds 1.8 % in a published case.
const NEAR: f64 = 0.02;

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= NEAR * other.abs().max(1.0)
}

/// More accesses are not tried in groups: 2^12 groups are.
const MOST_GROUPED: usize = 12;

pub(crate) fn run(counters: &Counters, input: Option<(&Source, &[Tile])>) -> Output {
    let (figures, mut out) = match figures(counters) {
        Ok(figures) => figures,
        Err(message) => return Output::invalid(message),
    };
    let measured = match measured(&figures) {
        Ok(measured) => measured,
        Err(message) => return Output::invalid(message),
    };
    out += &degree(measured);
    match input {
        None => match of_tables(counters, measured) {
            Ok(lines) => out += &lines,
            Err(message) => return Output::invalid(message),
        },
        Some((source, tiles)) => match judge_all(source, tiles) {
            Ok(all) => out += &of_accesses(source, &all, measured),
            Err(invalid) => return invalid,
        },
    }
    Output::done(out)
}

/// What a profiler counted, as far as it is given.
struct Figures {
    bank_conflict: Option<u64>,
    idx_active: Option<u64>,
    insts: Option<u64>,
    wavefronts: Option<u64>,
    ideal: Option<u64>,
}

/// The figures of the options or of a table, and what is said of that table.
fn figures(counters: &Counters) -> Result<(Figures, String), String> {
    let Some(path) = &counters.profile else {
        let Counters { bank_conflict, idx_active, insts, wavefronts, ideal, .. } = *counters;
        return Ok((
            Figures { bank_conflict, idx_active, insts, wavefronts, ideal },
            String::new(),
        ));
    };
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let profile = crate::request::profile::read(&text, counters.kernel.as_deref());
    let profile = profile.map_err(|why| format!("{name}: {why}"))?;
    let sum = |name: &str| profile.sum(name);
    let figures = Figures {
        bank_conflict: sum("bank_conflict"),
        idx_active: sum("idx_active"),
        insts: sum("insts"),
        wavefronts: sum("wavefronts"),
        ideal: sum("ideal"),
    };
    let kernels: Vec<_> = profile.kernels.iter().map(String::as_str).collect();
    Ok((figures, format!("{name}: {}\n", kernels.join("; "))))
}

/// The figures, which are rocprof's or Nsight Compute's, as cycles.
fn measured(figures: &Figures) -> Result<Cycles, String> {
    let instructions = figures.insts.unwrap_or(0);
    let rocprof = (figures.bank_conflict, figures.idx_active);
    let ncu = (figures.wavefronts, figures.ideal);
    match (rocprof, ncu) {
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
        _ => Err(
            "give rocprof's --bank-conflict and --idx-active, Nsight Compute's --wavefronts and \
                  --ideal, or --profile with a table of these"
                .to_string(),
        ),
    }
}

/// What the figures alone say.
fn degree(measured: Cycles) -> String {
    let ratio = measured.ratio();
    let percent = 100.0 / (1.0 + ratio);
    let mut out = format!(
        "{} cycles of work, {} lost to conflicts: {ratio:.3} lost for each, LDS works {percent:.1} % of \
         its active time\n",
        measured.base, measured.conflict
    );
    let _ = match ratio {
        0.0 => writeln!(out, "no conflicts: if the kernel is slow, it is not for these"),
        _ => writeln!(
            out,
            "degree {:.2} on average: every access {:.2}-way, or some more and others free",
            1.0 + ratio,
            1.0 + ratio
        ),
    };
    if measured.instructions > 0 {
        let each = measured.base as f64 / measured.instructions as f64;
        let _ = writeln!(out, "{each:.2} cycles of work an instruction");
    }
    out
}

/// The instructions of a chip that have so many phases, where no file says what the kernel does.
fn of_tables(counters: &Counters, measured: Cycles) -> Result<String, String> {
    let Some(name) = counters.input.chip.first() else {
        return Ok(
            "name a FILE for the accesses that explain it, or --chip for the instructions\n"
                .to_string(),
        );
    };
    let chip: &Chip = crate::request::input::chip(name)?;
    if measured.instructions == 0 {
        return Ok("give --insts too: cycles an instruction tell which instructions they are\n"
            .to_string());
    }
    let each = measured.base as f64 / measured.instructions as f64;
    let phases = |row: &&Instruction| row.service().phases.count() * row.parts();
    let fits = |row: &&Instruction| is_near(each, phases(row) as f64);
    let names: Vec<_> = chip.rows().iter().filter(fits).map(Instruction::name).collect();
    Ok(match names.is_empty() {
        true => format!("no one instruction of {name} takes that: it is a mixture\n"),
        false => format!("on {name} that is {}\n", names.join(", ")),
    })
}

type Named<'a> = (&'a Tile, Judged<'a>);

/// The accesses of a file beside the profile, chip by chip.
fn of_accesses(source: &Source, all: &[Named<'_>], measured: Cycles) -> String {
    let mut chips: Vec<_> = all.iter().map(|(_, one)| one.chip.name()).collect();
    chips.dedup();
    chips.sort_unstable();
    chips.dedup();
    let mut out = String::new();
    for chip in chips {
        let here: Vec<_> = all.iter().filter(|(_, one)| one.chip.name() == chip).collect();
        out += &of_chip(source, chip, &here, measured);
    }
    if out.is_empty() { "there is no access to lay beside it\n".to_string() } else { out }
}

fn of_chip(source: &Source, chip: &str, here: &[&Named<'_>], measured: Cycles) -> String {
    let sum = here.iter().fold(Cycles::default(), |sum, (_, one)| sum.plus(Cycles::of(one)));
    let mut out =
        format!("\n{chip}: {} of the file, executed once\n", plural(here.len(), "access"));
    for (tile, one) in here {
        let cycles = Cycles::of(one);
        let share = 100.0 * cycles.conflict as f64 / (sum.conflict.max(1)) as f64;
        let _ = writeln!(
            out,
            "  {}: {} {} {}  {}-way, {} cycles of work, {} lost: {share:.0} % of what is lost",
            source.line(one.access.place),
            tile.name,
            one.access.op,
            one.access.by,
            one.verdict.degree(),
            cycles.base,
            cycles.conflict,
        );
    }
    let _ =
        writeln!(out, "  all: {} lost for {} of work, {:.3}", sum.conflict, sum.base, sum.ratio());
    if is_near(sum.ratio(), measured.ratio()) {
        let times = measured.base as f64 / sum.base as f64;
        let _ = writeln!(out, "  that is the profile: all of them, {}", often(times));
        return out;
    }
    let groups = groups(here, measured);
    match groups.first() {
        None => {
            out += "  no group of them has the ratio of the profile: an access is missing, or `times` differ\n";
        }
        Some(_) => out += "  the profile's ratio have these, without the others:\n",
    }
    for (group, times) in groups {
        let name =
            |(tile, one): &&Named<'_>| format!("{} {} {}", tile.name, one.access.op, one.access.by);
        let names: Vec<_> = group.iter().map(name).collect();
        let _ = writeln!(out, "    {}, {}", names.join(" and "), often(times));
    }
    out
}

/// `once`, `12 times`
fn often(times: f64) -> String {
    let rounded = times.round();
    if rounded == 1.0 { "once".to_string() } else { format!("{rounded} times") }
}

/// The smallest groups of accesses whose ratio is the profile's, and how often each was executed.
fn groups<'a, 'n>(here: &[&'a Named<'n>], measured: Cycles) -> Vec<(Vec<&'a Named<'n>>, f64)> {
    let count = here.len().min(MOST_GROUPED);
    let mut found = Vec::new();
    for mask in 1u32..1 << count {
        let chosen: Vec<_> = (0..count).filter(|i| mask >> i & 1 == 1).map(|i| here[i]).collect();
        let sum = chosen.iter().fold(Cycles::default(), |sum, (_, one)| sum.plus(Cycles::of(one)));
        let times = measured.base as f64 / sum.base as f64;
        let insts = sum.instructions as f64 * times;
        let counted =
            measured.instructions == 0 || is_near(insts / measured.instructions as f64, 1.0);
        if counted && is_near(sum.ratio(), measured.ratio()) {
            found.push((chosen, times));
        }
    }
    let least = found.iter().map(|(group, _)| group.len()).min().unwrap_or(0);
    found.retain(|(group, _)| group.len() == least);
    found
}
