//! The verdict on every access of a tile, on each of its chips.

use crate::answer::reading::{Needs, undecided};
use crate::answer::remedy::{Taken, remedies};
use crate::report::access::{self as report, Counters, Outcome, Ruling};
use crate::report::check::Demand;
use crate::request::access::{Access, word_of};
use crate::request::data::DRAWS;
use crate::request::fault::Fault;
use crate::request::held::Held;
use crate::request::spelling::{by_names, plural};
use crate::request::tile::Tile;
use tiledesc::access::Placed;
use tiledesc::bank::Verdict;
use tiledesc::chip::{Chip, Evidence, Instruction};
use tiledesc_host::counters::{Lds, Ncu};

/// One access on one chip.
#[derive(Debug)]
pub(crate) struct Judged<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) access: &'t Access,
    pub(crate) chip: &'static Chip,
    pub(crate) row: &'t Instruction,
    /// The place of the chip among those of the tile.
    pub(crate) at: usize,
    pub(crate) placed: Placed<'t, 't>,
    pub(crate) verdict: Verdict<'t>,
    /// The report on it; unwritten bytes of a read, and other orders, are added by `check` alone.
    pub(crate) report: report::Access,
}

/// The most instructions that are judged: a tile of 320 KiB, a byte at a time by single lanes, has fewer.
const MOST_INSTRUCTIONS: u64 = 1 << 20;

impl<'t> Judged<'t> {
    fn new(tile: &'t Tile, access: &'t Access, at: usize, demand: Demand) -> Result<Self, Fault> {
        let (chip, row) = (tile.chips[at], &access.rows[at]);
        let refuse = |error: tiledesc::access::AccessError| {
            let (op, by) = (&access.op, &access.by);
            let mut why = by_names(&error.to_string(), &tile.layout.dimensions);
            if matches!(error, tiledesc::access::AccessError::Rank { rank } if rank > 2) {
                why += "; for a pipeline, state one stage without its mode, or write the access as a distribution";
            }
            Fault::new(access.span.clone(), format!("{} {op} by {by}: {why}", chip.name()))
        };
        let (plan, bits) = (&tile.layout.plan, tile.element.bits);
        let placed = Placed::new(plan, bits, access.lanes_on(at), row).map_err(refuse)?;
        if placed.instructions() > MOST_INSTRUCTIONS {
            let (op, by, many) = (&access.op, &access.by, placed.instructions());
            let message = format!(
                "{} {op} by {by}: {many} instructions are too many: at most {MOST_INSTRUCTIONS} are judged",
                chip.name()
            );
            return Err(Fault::new(access.span.clone(), message));
        }
        let verdict = placed.verdict().map_err(refuse)?;
        let mut report = reported(access, chip, row, &placed, &verdict, demand);
        report.data = data(access, at);
        Ok(Self { tile, access, chip, row, at, placed, verdict, report })
    }

    /// Cycles of all executions, counted as the search counts them.
    fn taken(&self) -> Taken {
        let own = self.verdict.active_cycles();
        let rival = self.verdict.rival_cycles().filter(|_| !self.row.is_settled()).unwrap_or(own);
        let weight = own.saturating_add(self.verdict.disputed_cycles());
        let [cycles, rival, weight] =
            [own, rival, weight].map(|cycles| cycles.saturating_mul(self.access.times));
        Taken { cycles, rival, weight }
    }
}

/// The report on an access.
fn reported(
    access: &Access,
    chip: &Chip,
    row: &Instruction,
    placed: &Placed<'_, '_>,
    verdict: &Verdict<'_>,
    demand: Demand,
) -> report::Access {
    let (weakest, ruling) = (verdict.weakest(), ruling(verdict, access, demand));
    let outcome = match verdict.conflicts().race {
        Some(_) => Outcome::Race,
        None if verdict.degree() > 1 => Outcome::Conflict,
        None => Outcome::Free,
    };
    let name = access.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
    let reading = reading(access, row, placed);
    report::Access {
        line: access.place.line,
        column: access.place.column,
        access: word_of(access.direction),
        name: access.name.clone(),
        chip: chip.name(),
        op: access.op.clone(),
        by: access.by.clone(),
        times: access.times,
        outcome,
        ruling,
        free: outcome == Outcome::Free,
        degree: verdict.degree(),
        worst_degree: verdict.worst_degree(),
        instructions: verdict.instructions(),
        base_cycles: verdict.base_cycles(),
        conflict_cycles: verdict.conflict_cycles(),
        active_cycles: verdict.active_cycles(),
        meeting: meeting(placed, verdict),
        unwritten: None,
        reordered: None,
        evidence: report::Evidence {
            level: weakest.evidence.name(),
            source: weakest.source,
            disputed: is_disputed(verdict),
            rival_degree: verdict.rival_degree(),
        },
        counters: counters(verdict, chip, access.times),
        sentence: verdict.found().as_str().to_string(),
        title: format!("{name}{} {} {}{reading}", chip.name(), access.op, access.by),
        advice: (ruling == Ruling::Weak).then(|| advice(verdict, access)),
        accepted: access.accepted.as_ref().map(|(degree, reason)| report::Accepted {
            max_degree: *degree,
            reason: reason.clone(),
        }),
        since: None,
        before: None,
        data: None,
    }
}

/// A note on what `by` describes, what lanes hold or what they address, for an instruction that hands round what is
/// addressed.
fn reading(access: &Access, row: &Instruction, placed: &Placed<'_, '_>) -> &'static str {
    match access.lanes {
        Held::Addresses(_) | Held::Data(_) => "",
        _ if !row.hands_round() => "",
        Held::Distribution(..) | Held::Split(..) if placed.distribution().is_some() => {
            " (what lanes hold)"
        }
        _ => " (what lanes address)",
    }
}

/// What data comes to, where it chooses the bytes of the lanes.
fn data(access: &Access, at: usize) -> Option<report::Data> {
    let Held::Data(data) = &access.lanes else { return None };
    let settled = data.settled(at)?;
    Some(report::Data { best_degree: settled.best, draws: DRAWS, cycles_of_draws: settled.drawn })
}

/// Advice on how to accept evidence that is too weak.
fn advice(verdict: &Verdict<'_>, access: &Access) -> String {
    let evidence = verdict.weakest().evidence;
    match access.least {
        Some(least) if evidence < least => format!(" (the file says `as = \"{}\"`)", least.name()),
        None if evidence < Evidence::Documented => {
            ": to accept that, write `as = \"inferred\"` in the access, the tile or the file"
                .to_string()
        }
        _ => ": to go by the row, write `as = \"disputed\"`, by the other `as = \"rival\"`"
            .to_string(),
    }
}

/// Lanes that meet in the instruction that is shown.
fn meeting(placed: &Placed<'_, '_>, verdict: &Verdict<'_>) -> Option<report::Meeting> {
    let (lanes, found, instruction) = (verdict.pair()?, verdict.conflicts(), verdict.shown());
    let touched = placed.touched(instruction).ok()?;
    let [a, b] = lanes.map(|lane| (touched.coordinate(lane), touched.addresses().get(lane)));
    let bank = match found.race {
        Some(_) => None,
        None => Some(placed.phase(instruction, found.phase).ok()?.bank),
    };
    Some(report::Meeting {
        race: found.race.is_some(),
        instruction,
        phase: found.phase,
        bank,
        lanes,
        coordinates: [a.0?, b.0?].map(|at| at.as_slice().to_vec()),
        bytes: [a.1?, b.1?],
    })
}

/// The counters that a profiler should print for all executions.
fn counters(verdict: &Verdict<'_>, chip: &Chip, times: u64) -> Counters {
    if chip.name().starts_with("sm_") {
        let Ncu { requests, wavefronts, ideal } = Ncu::from_verdict(verdict).times(times);
        return Counters::NsightCompute { requests, wavefronts, wavefronts_ideal: ideal };
    }
    let Lds { insts, idx_active, bank_conflict } = Lds::from_verdict(verdict).times(times);
    Counters::Rocprof {
        sq_insts_lds: insts,
        sq_lds_idx_active: idx_active,
        sq_lds_bank_conflict: bank_conflict,
    }
}

fn ruling(verdict: &Verdict<'_>, access: &Access, demand: Demand) -> Ruling {
    if verdict.conflicts().race.is_some() {
        return Ruling::Races;
    }
    let accepted = access.accepted.as_ref().map_or(1, |(degree, _)| *degree);
    let most = demand.max_degree.max(accepted);
    if verdict.degree() > most {
        return Ruling::Conflicts;
    }
    let evidence = verdict.weakest().evidence;
    // What an access says of itself goes before what the command line says of all.
    let strictest = if demand.strict { Evidence::Documented } else { Evidence::Inferred };
    let is_weak = evidence < access.least.unwrap_or(strictest);
    // A dispute that does not change the verdict is ignored.
    let is_open = demand.strict && verdict.worst_degree() > most;
    if is_weak || is_open { Ruling::Weak } else { Ruling::Passes }
}

/// The cycles of all accesses together.
pub(crate) fn taken(all: &[Judged<'_>]) -> Taken {
    all.iter().map(Judged::taken).fold(Taken::default(), Taken::and)
}

/// The worst access, the first of several.
pub(crate) fn worst<'j, 't>(all: impl IntoIterator<Item = &'j Judged<'t>>) -> Option<&'j Judged<'t>>
where
    't: 'j,
{
    all.into_iter().reduce(
        |worst, one| if one.report.badness() > worst.report.badness() { one } else { worst },
    )
}

/// Returns whether sources disagree on the row, and the file does not choose one.
fn is_disputed(verdict: &Verdict<'_>) -> bool {
    let row = verdict.instruction();
    row.rival().is_some() && *row != row.as_disputed()
}

/// The fault that the direct load of a tile cannot fill it, with what could be filled instead.
fn unfilled(tile: &Tile) -> Option<Fault> {
    let fill = tile.fill.as_ref()?;
    let (plan, bits) = (&tile.layout.plan, tile.element.bits);
    tile.chips.iter().enumerate().find_map(|(at, chip)| {
        let one = fill.on(at);
        let error = one.plan(plan, bits).err()?;
        let (chip, name) = (chip.name(), one.transfer().name());
        let by = plural(one.waves(), "wave");
        let instead = remedies(tile, Taken::MOST).map(|found| format!("; {}", found.brief()));
        let instead = instead.unwrap_or_default();
        let error = by_names(&error.to_string(), &tile.layout.dimensions);
        let message = format!("{chip} {name} by {by}: {error}{instead}");
        Some(Fault::new(fill.span.clone(), message))
    })
}

/// The faults of a layout that a consumer of the tile does not take.
fn untaken(tile: &Tile) -> impl Iterator<Item = Fault> + '_ {
    tile.consumers.iter().filter_map(|one| {
        let form = tile.taken_by(one, &tile.layout.plan);
        form.err().map(|why| Fault::new(one.span.clone(), why))
    })
}

/// All accesses of a tile, in the order of the file, or what is wrong with one.
pub(crate) fn judge(tile: &Tile, demand: Demand) -> Result<Vec<Judged<'_>>, Vec<Fault>> {
    if let Some(fault) = undecided(tile, Needs::Verdicts) {
        return Err(vec![fault]);
    }
    let (mut judged, mut faults) = (Vec::new(), Vec::from_iter(unfilled(tile)));
    faults.extend(untaken(tile));
    for access in &tile.accesses {
        for at in 0..tile.chips.len() {
            match Judged::new(tile, access, at, demand) {
                Ok(one) => judged.push(one),
                Err(fault) => faults.push(fault),
            }
        }
    }
    if faults.is_empty() { Ok(judged) } else { Err(faults) }
}

/// All accesses of all tiles, by degrees alone, or all that is wrong with them.
pub(crate) fn judge_all(tiles: &[Tile]) -> Result<Vec<Judged<'_>>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for tile in tiles {
        match judge(tile, Demand::FREE) {
            Ok(judged) => all.extend(judged),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}
