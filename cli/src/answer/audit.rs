//! Compiled kernels, judged and held to a file of tiles.

use crate::answer::trip::of_bound;
use crate::report::access::Ruling;
use crate::report::audit::{self as report, LineOutcome};
use crate::report::check::Demand;
use crate::report::status::Status;
use crate::request::access::{Access, word_of};
use crate::request::audit::Beside;
use crate::request::fault::{Fault, Source};
use crate::request::tile::Tile;
use std::cmp::Reverse;
use tiledesc::access::Placed;
use tiledesc::chip::{Chip, Evidence, Touched};
use tiledesc_audit::{
    Advice, Better, Beyond, Error, ErrorKind, GlobalLine, Kept, Kernel, Line, Options, Outcome,
    Place, Report, Resources, Search, Side, Stated, Unordered, Values, each,
};

/// A kernel, as figures of it need it.
pub(crate) struct Audited {
    pub(crate) kernel: Kernel,
    /// The advice for its accesses.
    pub(crate) better: Search,
    /// The report on it.
    pub(crate) report: report::Kernel,
}

/// A file of tiles that kernels are held to.
pub(crate) type Against<'s> = (&'s Source, &'s [Tile]);

/// The terms of an audit of a text's kernels.
pub(crate) struct Asked<'a> {
    pub(crate) options: Options,
    /// What stands beside each text, of those that were found in a folder: then the dearest come first, and what is no text
    /// of kernels is left out.
    pub(crate) beside: &'a [Option<Beside>],
    /// Files that cannot be read, and why.
    pub(crate) unread: &'a [(String, String)],
    /// Whether each instruction has a line of its own.
    pub(crate) all: bool,
    pub(crate) demand: Demand,
    pub(crate) against: Option<Against<'a>>,
}

/// The search that looks for nothing better.
const NOTHING: Search = Search { regions: Vec::new(), silence: None };

/// The most kernels of a text for which a better layout is looked for.
const MOST_SEARCHED: usize = 16;
const TOO_MANY: &str = "no better layout is looked for: the text has 16 kernels with conflicts before this one; \
                        name it with --kernel";

/// The kernels of each text in their order, and the report on all; the fault is one of the file that they are held to.
pub(crate) fn audited(
    sources: &[Source],
    asked: &Asked<'_>,
) -> Result<(Vec<Audited>, report::Audit), Fault> {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for (at, source) in sources.iter().enumerate() {
        let beside = asked.beside.get(at).and_then(Option::as_ref);
        match (kernels_of(source, &asked.options, beside), beside) {
            (Err(error), Some(_))
                if matches!(error.kind(), ErrorKind::Format | ErrorKind::NoKernel) =>
            {
                left_out.push(source.name.clone());
            }
            (kernels, _) => found.push(of_source(source, kernels, asked)?),
        }
    }
    if asked.beside.iter().any(Option::is_some) {
        let lost = |one: &Audited| Reverse(one.report.lost());
        found.iter_mut().for_each(|(kernels, _)| kernels.sort_by_key(lost));
        found.sort_by_key(|(kernels, _)| Reverse(kernels.first().map(|one| one.report.lost())));
    }
    let mut all = Vec::new();
    let unread = |(file, why): &(String, String)| report::File {
        file: file.clone(),
        kernels: None,
        refused: Vec::new(),
        // The sentence begins with the file's name.
        fault: Some(why.strip_prefix(&format!("{file}: ")).unwrap_or(why).to_string()),
    };
    let mut files: Vec<report::File> = asked.unread.iter().map(unread).collect();
    for (kernels, mut file) in found {
        file.kernels = file.kernels.map(|_| kernels.iter().map(|one| one.report.clone()).collect());
        all.extend(kernels);
        files.push(file);
    }
    let Demand { max_degree, strict, allow_races } = asked.demand;
    let mut report = report::Audit {
        schema: "tiledesc.audit/1",
        tool: "tiledesc",
        version: env!("CARGO_PKG_VERSION"),
        status: Status::Free,
        max_degree,
        strict,
        allow_races,
        files,
        baseline: None,
        left_out,
    };
    report.set_status();
    Ok((all, report))
}

/// The kernels of a text; the block, and of a text without a chip the chip, are those that stand beside it.
fn kernels_of(
    source: &Source,
    options: &Options,
    beside: Option<&Beside>,
) -> Result<Vec<Result<Kernel, Error>>, Error> {
    let Some(beside) = beside else { return each(&source.text, options) };
    let options = Options { block: options.block.or(beside.block), ..options.clone() };
    match each(&source.text, &options) {
        Err(error) if error.kind() == ErrorKind::NoChip => {
            each(&source.text, &Options { chip: beside.chip.clone(), ..options })
        }
        other => other,
    }
}

/// The kernels of a text that are judged, and the file without them.
fn of_source(
    source: &Source,
    kernels: Result<Vec<Result<Kernel, Error>>, Error>,
    asked: &Asked<'_>,
) -> Result<(Vec<Audited>, report::File), Fault> {
    let (file, refused) = (source.name.clone(), Vec::new());
    let none = |fault: String, refused| report::File {
        file: file.clone(),
        kernels: None,
        refused,
        fault: Some(fault),
    };
    let kernels = match kernels {
        Err(refusal) => return Ok((Vec::new(), none(refusal.to_string(), refused))),
        Ok(kernels) => kernels,
    };
    let (mut judged, mut refused) = (Vec::new(), Vec::new());
    for one in kernels {
        match one {
            Ok(kernel) => judged.push(kernel),
            Err(refusal) => refused.push(refusal.to_string()),
        }
    }
    if judged.is_empty() && !refused.is_empty() {
        let fault = refused.remove(0);
        return Ok((Vec::new(), none(fault, refused)));
    }
    let judged = of_text(judged, asked)?;
    Ok((judged, report::File { file, kernels: Some(Vec::new()), refused, fault: None }))
}

/// The line of the source, and the calls that led there.
fn frames(place: Option<&Place>) -> Vec<report::Frame> {
    let frames = place.into_iter().flat_map(Place::frames);
    frames.map(|one| report::Frame { path: one.path.clone(), line: one.line }).collect()
}

fn of_text(kernels: Vec<Kernel>, asked: &Asked<'_>) -> Result<Vec<Audited>, Fault> {
    let mut searched = 0;
    let one = |kernel: Kernel| {
        let report = if asked.all { kernel.report_all() } else { kernel.report() };
        // What races may conflict, too.
        let conflicts =
            report.lines.iter().any(|line| line.verdict.is_some_and(|one| one.degree > 1));
        let against = asked.against.map(|against| held(&kernel, against)).transpose()?;
        searched += usize::from(conflicts);
        let better = match conflicts {
            false => NOTHING,
            _ if searched > MOST_SEARCHED => {
                Search { silence: Some(TOO_MANY.to_string()), ..NOTHING }
            }
            _ => kernel.better(),
        };
        let report = of_kernel(&kernel, &report, &better, asked.demand);
        Ok(Audited { kernel, better, report: report::Kernel { against, ..report } })
    };
    kernels.into_iter().map(one).collect()
}

/// A kernel for which nothing better is looked for, which takes longer than all else.
pub(crate) fn at_once(kernel: Kernel) -> Audited {
    let report = of_kernel(&kernel, &kernel.report(), &NOTHING, Demand::FREE);
    Audited { kernel, better: NOTHING, report }
}

fn of_kernel(kernel: &Kernel, report: &Report, better: &Search, demand: Demand) -> report::Kernel {
    let [cycles, free] = report.cycles();
    report::Kernel {
        name: kernel.name.clone(),
        kernel: report.head.clone(),
        chip: kernel.chip.name(),
        compiled_for: kernel.compiled_for.clone(),
        worst_degree: report.worst(),
        cycles,
        cycles_without_conflicts: free,
        instructions: report.lines.iter().map(|line| of_line(line, demand)).collect(),
        resources: of_resources(kernel.resources),
        sum: report.sum(),
        bounds: report.bounds.iter().map(of_bound).collect(),
        said: report.said_bounds().len(),
        global: report.global.lines.iter().map(of_global).collect(),
        global_sum: report.global.sum.clone(),
        unordered: report.unordered.iter().map(of_unordered).collect(),
        better: better.regions.iter().map(of_region).collect(),
        silence: better.silence.clone(),
        against: None,
    }
}

fn of_resources(one: Resources) -> Option<report::Resources> {
    let Resources { registers, scalars, spilled, scratch, lds, occupancy } = one;
    let sentence = one.sentence()?;
    Some(report::Resources { registers, scalars, spilled, scratch, lds, occupancy, sentence })
}

fn of_line(line: &Line, demand: Demand) -> report::Line {
    let verdict = line.verdict;
    let meeting = verdict.and_then(|one| one.meeting);
    let race = verdict.and_then(|one| one.race);
    report::Line {
        ruling: ruling(line, demand),
        place: line.place.clone(),
        source: frames(line.source.as_deref()),
        opcode: line.opcode.clone(),
        lines: line.lines.clone(),
        loops: line.loops,
        outcome: match line.outcome {
            Outcome::Free => LineOutcome::Free,
            Outcome::Conflicts => LineOutcome::Conflict,
            Outcome::Races => LineOutcome::Race,
            Outcome::MayRace => LineOutcome::MayRace,
            Outcome::Unknown => LineOutcome::Unknown,
            Outcome::Listed => LineOutcome::Listed,
        },
        degree: verdict.map(|one| one.degree),
        rival_degree: verdict.and_then(|one| one.rival).map(|(degree, _)| degree),
        race: race.map(|race| report::Race { lanes: race.lanes, values: race.values.name() }),
        evidence: verdict.map(|one| one.evidence.name()),
        wave: verdict.map(|one| one.wave),
        lanes: meeting.map(|one| one.lanes),
        bytes: meeting.map(|one| one.bytes),
        cycles: line.cycles,
        cycles_without_conflicts: line.free,
        bound: line.bound,
        is_hidden: line.is_hidden,
        found: line.found.clone(),
        since: None,
        before: None,
    }
}

fn of_global(line: &GlobalLine) -> report::GlobalLine {
    let of = |touched: Touched| report::Touched { lines: touched.lines, sectors: touched.sectors };
    let one = line.coalescing;
    report::GlobalLine {
        place: line.place.clone(),
        source: frames(line.source.as_deref()),
        opcode: line.opcode.clone(),
        lines: line.lines.clone(),
        loops: line.loops,
        bytes: line.bytes,
        is_least: one.map(|one| one.is_least()),
        least: one.map(|one| of(one.least)),
        best: one.map(|one| of(one.best)),
        worst: one.map(|one| of(one.worst)),
        found: line.found.clone(),
        is_listed: line.is_listed(),
    }
}

fn of_unordered(one: &Unordered) -> report::Unordered {
    let side = |side: &Side| report::Side {
        place: side.place.clone(),
        source: frames(side.source.as_deref()),
        opcode: side.opcode.clone(),
        line: side.line,
        wave: side.wave,
        lane: side.lane,
    };
    report::Unordered {
        write: side(&one.write),
        read: side(&one.read),
        byte: one.byte,
        variable: one.variable.clone(),
        is_next_round: one.is_next_round,
        lines: one.lines.clone(),
        sentence: one.to_string(),
    }
}

pub(crate) fn of_region(one: &Better) -> report::Better {
    let (to, cycles) = match &one.advice {
        Advice::Move { to, cycles, .. } => (Some(to.to_string()), Some(*cycles)),
        _ => (None, None),
    };
    let pad = one.pad.as_ref().map(|(pad, _)| pad);
    let pad = pad.or(match &one.advice {
        Advice::Move { to, .. } => Some(to),
        _ => None,
    });
    report::Better {
        bytes: one.bytes,
        variable: one.array.as_ref().map(|array| array.name.clone()),
        declaration: pad.and_then(|pad| one.declared(pad)),
        to,
        cycles_now: one.now,
        cycles,
        cycles_without_conflicts: one.free,
        bounds: one.bounds.iter().map(|[_, then]| of_bound(then)).collect(),
        found: one.to_string(),
    }
}

/// Reports on the accesses that a file states.
fn held(kernel: &Kernel, (file, tiles): Against<'_>) -> Result<report::Against, Fault> {
    let found = kernel.against(&stated(tiles, kernel.chip)?);
    let beyond = |one: &Beyond| report::Beyond {
        place: one.place.clone(),
        opcode: one.opcode.clone(),
        lines: one.lines.clone(),
        sentence: one.to_string(),
    };
    let kept = |one: &Kept| report::Kept {
        access: one.name.clone(),
        opcode: one.opcode.clone(),
        stated: one.stated,
        found: one.found,
        begins: one.begins.clone(),
        missing: one.missing.as_ref().map(ToString::to_string),
        sentence: one.to_string(),
    };
    Ok(report::Against {
        file: file.name.clone(),
        is_kept: found.is_kept(),
        accesses: found.kept.iter().map(kept).collect(),
        not_stated: found.beyond.iter().map(beyond).collect(),
        not_known: found.unknown.iter().map(beyond).collect(),
        not_compared: silent(tiles, kernel.chip),
    })
}

/// The accesses that a file states on a chip, each as `A read mfma-rows 16`.
fn stated(tiles: &[Tile], chip: &Chip) -> Result<Vec<Stated>, Fault> {
    let mut all = Vec::new();
    for tile in tiles {
        let Some(at) = tile.chips.iter().position(|one| one.name() == chip.name()) else {
            continue;
        };
        for access in &tile.accesses {
            let name = name_of(tile, access);
            let lanes = access.lanes_on(at);
            let row = &access.rows[at];
            let placed = Placed::new(&tile.layout.plan, tile.element.bits, lanes, row);
            let one = placed.and_then(|placed| Stated::new(&name, &placed));
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

/// The terms of a file on a chip that the code cannot confirm: how often a loop runs, and where a direct load writes.
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

/// The ruling on a line: DESIGN.md, "What becomes of an access?".
fn ruling(line: &Line, demand: Demand) -> Ruling {
    let Some(verdict) = line.verdict else {
        return if line.outcome == Outcome::Unknown { Ruling::Weak } else { Ruling::Passes };
    };
    let values = verdict.race.map(|race| race.values).filter(|_| !demand.allow_races);
    let rival = verdict.rival.map_or(0, |(degree, _)| degree);
    let is_inferred = verdict.evidence == Evidence::Inferred;
    match values {
        Some(Values::Different) => Ruling::Races,
        _ if verdict.degree > demand.max_degree => Ruling::Conflicts,
        Some(Values::Unknown) => Ruling::Weak,
        _ if is_inferred || rival > demand.max_degree => Ruling::Weak,
        _ => Ruling::Passes,
    }
}
