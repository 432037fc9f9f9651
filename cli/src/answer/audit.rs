//! What is said of compiled kernels, and what of it does not pass.

use crate::answer::finding::Finding;
use crate::answer::judge::Demand;
use crate::request::access::{Access, word_of};
use crate::request::fault::{Fault, Place, Source};
use crate::request::tile::Tile;
use tiledesc::access::Placed;
use tiledesc::chip::{Chip, Evidence};
use tiledesc_audit::{
    Comparison, Kernel, Line, Options, Outcome, Refusal, Report, Search, Stated, Values, audit,
};

/// A text with what is said of its kernels, or the reason that it cannot be judged.
pub(crate) struct Audited<'s> {
    pub(crate) source: &'s Source,
    pub(crate) kernels: Result<Vec<Said>, Refusal>,
}

/// What is said of a kernel.
pub(crate) struct Said {
    pub(crate) kernel: Kernel,
    pub(crate) report: Report,
    /// What would be better.
    pub(crate) better: Search,
    /// What becomes of the accesses that a file states.
    pub(crate) against: Option<Comparison>,
    /// What else the file states that the code does not tell, a sentence each.
    pub(crate) silent: Vec<String>,
}

impl Said {
    /// Of a kernel for which nothing better is looked for, which takes longer than all else.
    pub(crate) fn at_once(kernel: Kernel) -> Self {
        let report = kernel.report();
        Self { kernel, report, better: NOTHING, against: None, silent: Vec::new() }
    }

    /// The first line of the list, from 1, with the highest degree: a list is read from there.
    pub(crate) fn worst(&self) -> Option<usize> {
        let lines = self.report.lines.iter().enumerate();
        let judged = lines.filter_map(|(i, line)| Some((i + 1, line.verdict?.degree)));
        judged.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(number, _)| number)
    }
}

/// A file of tiles that kernels are held to.
pub(crate) type Against<'s> = (&'s Source, &'s [Tile]);

/// What becomes of a line of a report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passes {
    /// It is free, within the degree that is allowed, or only listed.
    Yes,
    /// It conflicts.
    No,
    /// Two lanes write different values to one byte.
    Races,
    /// It rests on weak evidence, is unknown, or may be a data race: with `--strict` it does not pass.
    Weakly,
}

/// Where nothing better is looked for.
const NOTHING: Search = Search { regions: Vec::new(), silence: None };

/// Kernels of a text for which a better layout is looked for.
const MOST_SEARCHED: usize = 16;
const TOO_MANY: &str = "no better layout is looked for: the text has 16 kernels with conflicts before this one; \
                        name it with --kernel";

/// The kernels of a text; the fault is one of the file that they are held to.
pub(crate) fn audited<'s>(
    source: &'s Source,
    options: &Options,
    all: bool,
    against: Option<Against<'_>>,
) -> Result<Audited<'s>, Fault> {
    let kernels = match audit(&source.text, options) {
        Ok(kernels) => kernels,
        Err(refusal) => return Ok(Audited { source, kernels: Err(refusal) }),
    };
    let (mut searched, held) = (0, against);
    let said = |kernel: Kernel| {
        let report = if all { kernel.report_all() } else { kernel.report() };
        // What races may conflict, too.
        let conflicts =
            report.lines.iter().any(|line| line.verdict.is_some_and(|one| one.degree > 1));
        let against = match against {
            Some((_, tiles)) => Some(kernel.against(&stated(tiles, kernel.chip)?)),
            None => None,
        };
        let silent = held.map_or(Vec::new(), |(_, tiles)| silent(tiles, kernel.chip));
        searched += usize::from(conflicts);
        let better = match conflicts {
            false => NOTHING,
            _ if searched > MOST_SEARCHED => {
                Search { silence: Some(TOO_MANY.to_string()), ..NOTHING }
            }
            _ => kernel.better(),
        };
        Ok(Said { kernel, report, better, against, silent })
    };
    let kernels = kernels.into_iter().map(said).collect::<Result<_, _>>()?;
    Ok(Audited { source, kernels: Ok(kernels) })
}

/// What a file states of a chip, each access as `A read mfma-rows 16`.
fn stated(tiles: &[Tile], chip: &Chip) -> Result<Vec<Stated>, Fault> {
    let mut all = Vec::new();
    for tile in tiles {
        let Some(at) = tile.chips.iter().position(|one| one.name() == chip.name()) else {
            continue;
        };
        for access in &tile.accesses {
            let name = name_of(tile, access);
            let lanes = access.lanes.lanes();
            let row = &access.rows[at];
            let placed = Placed::new(&tile.layout.plan, tile.element.bits, lanes, row);
            let one = placed.and_then(|placed| Stated::of(&name, &placed));
            all.push(
                one.map_err(|error| Fault::new(access.span.clone(), format!("{name}: {error}")))?,
            );
        }
    }
    if all.is_empty() {
        let mut names: Vec<_> =
            tiles.iter().flat_map(|tile| &tile.chips).map(|one| one.name()).collect();
        names.sort_unstable();
        names.dedup();
        let others = match &names[..] {
            [] => String::new(),
            names => format!("; its tiles are of {}", names.join(", ")),
        };
        let message = format!("no access is stated on {}{others}", chip.name());
        return Err(Fault::new(0..0, message));
    }
    Ok(all)
}

/// What a file states of a chip and the code does not tell: how often a loop runs, and where a direct load writes.
fn silent(tiles: &[Tile], chip: &Chip) -> Vec<String> {
    let mut all = Vec::new();
    for tile in tiles {
        let Some(at) = tile.chips.iter().position(|one| one.name() == chip.name()) else {
            continue;
        };
        for access in tile.accesses.iter().filter(|access| access.times > 1) {
            let (name, times) = (name_of(tile, access), access.times);
            all.push(format!(
                "times = {times} of {name}: the code does not say how often a loop runs"
            ));
        }
        if let Some(fill) = &tile.fill {
            let (name, op) = (&tile.name, fill.name(at));
            all.push(format!("fill of {name}: where {op} writes is not followed"));
        }
    }
    all
}

/// `A read mfma-rows 16`
fn name_of(tile: &Tile, access: &Access) -> String {
    let by = access.name.as_ref().unwrap_or(&access.by);
    format!("{} {} {by}", tile.name, word_of(access.direction))
}

/// Whether a kernel does what is stated, and nothing beside it.
pub(crate) fn keeps(said: &Said) -> Passes {
    match &said.against {
        Some(against) if !against.is_kept() => Passes::No,
        Some(against) if !against.beyond.is_empty() || !against.unknown.is_empty() => {
            Passes::Weakly
        }
        _ => Passes::Yes,
    }
}

/// What becomes of a line: DESIGN.md, "What becomes of an access?".
pub(crate) fn passes(line: &Line, demand: Demand) -> Passes {
    let Some(verdict) = line.verdict else {
        return if line.outcome == Outcome::Unknown { Passes::Weakly } else { Passes::Yes };
    };
    let values = verdict.race.map(|race| race.values).filter(|_| !demand.allow_races);
    let rival = verdict.rival.map_or(0, |(degree, _)| degree);
    let is_inferred = verdict.evidence == Evidence::Inferred;
    match values {
        Some(Values::Different) => Passes::Races,
        _ if verdict.degree > demand.max_degree => Passes::No,
        Some(Values::Unknown) => Passes::Weakly,
        _ if is_inferred || rival > demand.max_degree => Passes::Weakly,
        _ => Passes::Yes,
    }
}

/// Whether two lanes may write different values to one byte.
fn may_race(line: &Line, demand: Demand) -> bool {
    let race = line.verdict.and_then(|one| one.race);
    race.is_some_and(|race| race.values == Values::Unknown) && !demand.allow_races
}

/// What does not pass, each at its first line of the text.
pub(crate) fn findings(one: &Audited<'_>, demand: Demand) -> Vec<Finding> {
    let at = |line: usize| Place { line, column: 1 };
    let kernels = match &one.kernels {
        Ok(kernels) => kernels,
        Err(refusal) => {
            let message = refusal.to_string();
            return vec![Finding { place: at(1), is_error: true, title: "invalid input", message }];
        }
    };
    let lines = kernels.iter().flat_map(|said| &said.report.lines);
    let failing = lines.filter_map(|line| {
        let passes = passes(line, demand);
        let title = match (passes, line.outcome) {
            (Passes::Yes, _) => return None,
            (Passes::No, _) => "bank conflict",
            (Passes::Races, _) => "data race",
            (Passes::Weakly, Outcome::Unknown) => "unknown address",
            (Passes::Weakly, _) if may_race(line, demand) => "possible data race",
            // What it rests on matters only to who asks.
            (Passes::Weakly, _) if !demand.strict => return None,
            (Passes::Weakly, _) => "weak evidence",
        };
        let is_error = matches!(passes, Passes::No | Passes::Races);
        let (place, many) = (at(*line.lines.first()?), line.lines.len());
        let message = format!("{} x{many} of {}: {}", line.opcode, line.place, line.found);
        Some(Finding { place, is_error, title, message })
    });
    let missing = kernels.iter().filter_map(|said| said.against.as_ref());
    let missing = missing.flat_map(|against| &against.kept).filter(|kept| kept.missing.is_some());
    let missing = missing.map(|kept| Finding {
        place: at(1),
        is_error: true,
        title: "missing access",
        message: kept.to_string(),
    });
    failing.chain(missing).collect()
}
