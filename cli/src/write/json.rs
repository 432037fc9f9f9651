//! Verdicts for machines: JSON of a stated schema, annotations of GitHub, SARIF 2.1.0.
//!
//! The schema is `schema/check.json`; a field is added without notice, and the number behind
//! `tiledesc.check/` grows when one changes its meaning or goes.

use crate::Status;
use crate::answer::check::{Checked, is_conflict};
use crate::answer::judge::{Demand, Judged, Ruling, is_disputed};
use crate::answer::remedy;
use crate::request::fault::{Fault, Source};
use serde::Serialize;
use serde_json::{Value, json};
use tiledesc::counters::{Lds, Ncu};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    tool: &'static str,
    version: &'static str,
    file: &'a str,
    status: u8,
    max_degree: u32,
    strict: bool,
    faults: Vec<FaultReport>,
    tiles: Vec<TileReport<'a>>,
}

#[derive(Serialize)]
struct FaultReport {
    line: usize,
    column: usize,
    message: String,
}

#[derive(Serialize)]
struct TileReport<'a> {
    name: &'a str,
    line: usize,
    element: &'a str,
    bits: u32,
    dimensions: &'a [String],
    lengths: Vec<u32>,
    /// Bytes of the element space.
    bytes: u64,
    accesses: Vec<AccessReport<'a>>,
    remedies: Vec<RemedyReport>,
}

#[derive(Serialize)]
struct RemedyReport {
    words: String,
    more_bytes: u64,
}

#[derive(Serialize)]
pub(crate) struct AccessReport<'a> {
    line: usize,
    column: usize,
    access: &'static str,
    chip: &'static str,
    op: &'a str,
    by: &'a str,
    times: u64,
    ruling: &'static str,
    free: bool,
    degree: u32,
    worst_degree: u32,
    instructions: u64,
    base_cycles: u64,
    conflict_cycles: u64,
    active_cycles: u64,
    /// Where lanes meet, or write one byte.
    meeting: Option<MeetingReport>,
    evidence: Evidence,
    counters: Counters,
    sentence: String,
}

#[derive(Serialize)]
struct MeetingReport {
    race: bool,
    /// The number of the instruction of the pattern.
    instruction: u64,
    phase: usize,
    bank: Option<u32>,
    lanes: [usize; 2],
    coordinates: [Vec<u32>; 2],
    bytes: [u32; 2],
}

#[derive(Serialize)]
struct Evidence {
    level: &'static str,
    source: &'static str,
    disputed: bool,
    rival_degree: Option<u32>,
}

/// What the profiler should print for `times` executions.
#[derive(Serialize)]
#[serde(untagged)]
enum Counters {
    Rocprof { sq_insts_lds: u64, sq_lds_idx_active: u64, sq_lds_bank_conflict: u64 },
    NsightCompute { requests: u64, wavefronts: u64, wavefronts_ideal: u64 },
}

fn counters(one: &Judged<'_>) -> Counters {
    if one.chip.name().starts_with("sm_") {
        let ncu = Ncu::of(&one.verdict).times(one.access.times);
        Counters::NsightCompute {
            requests: ncu.requests,
            wavefronts: ncu.wavefronts,
            wavefronts_ideal: ncu.ideal,
        }
    } else {
        let lds = Lds::of(&one.verdict).times(one.access.times);
        Counters::Rocprof {
            sq_insts_lds: lds.insts,
            sq_lds_idx_active: lds.idx_active,
            sq_lds_bank_conflict: lds.bank_conflict,
        }
    }
}

fn ruling(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Passes => "passes",
        Ruling::Conflicts => "conflicts",
        Ruling::Races => "races",
        Ruling::Weak => "weak",
    }
}

/// One access on one chip.
pub(crate) fn access<'a>(one: &'a Judged<'a>) -> AccessReport<'a> {
    let (verdict, weakest) = (&one.verdict, one.verdict.weakest());
    AccessReport {
        line: one.access.place.line,
        column: one.access.place.column,
        access: one.direction(),
        chip: one.chip.name(),
        op: &one.access.op,
        by: &one.access.by,
        times: one.access.times,
        ruling: ruling(one.ruling),
        free: verdict.is_free(),
        degree: verdict.degree(),
        worst_degree: verdict.worst_degree(),
        instructions: verdict.instructions(),
        base_cycles: verdict.base_cycles(),
        conflict_cycles: verdict.conflict_cycles(),
        active_cycles: verdict.active_cycles(),
        meeting: one.meeting().map(|meeting| MeetingReport {
            race: verdict.conflicts().race.is_some(),
            instruction: verdict.shown(),
            phase: verdict.conflicts().phase,
            bank: meeting.bank,
            lanes: meeting.lanes,
            coordinates: meeting.coordinates.map(|list| list.as_slice().to_vec()),
            bytes: meeting.bytes,
        }),
        evidence: Evidence {
            level: weakest.evidence.name(),
            source: weakest.source,
            disputed: is_disputed(verdict),
            rival_degree: verdict.rival_degree(),
        },
        counters: counters(one),
        sentence: verdict.found().as_str().to_string(),
    }
}

fn tile<'a>(checked: &'a Checked<'a>) -> TileReport<'a> {
    let (tile, plan) = (checked.tile, &checked.tile.layout.plan);
    let remedies = checked.remedies.iter().flat_map(|found| &found.free);
    TileReport {
        name: &tile.name,
        line: tile.place.line,
        element: tile.element.name,
        bits: tile.element.bits,
        dimensions: &tile.layout.dimensions,
        lengths: plan.lengths().as_slice().to_vec(),
        bytes: (plan.element_space() * u64::from(tile.element.bits)).div_ceil(8),
        accesses: checked.judged.iter().map(access).collect(),
        remedies: remedies
            .map(|one| RemedyReport { words: one.words.clone(), more_bytes: one.more })
            .collect(),
    }
}

fn fault(source: &Source, fault: &Fault) -> FaultReport {
    let place = source.place(fault.span.start);
    FaultReport { line: place.line, column: place.column, message: fault.message.clone() }
}

/// One object of the schema `tiledesc.check/1`.
pub(crate) fn json(
    source: &Source,
    all: &[Checked<'_>],
    faults: &[Fault],
    status: Status,
    demand: Demand,
) -> String {
    let report = Report {
        schema: "tiledesc.check/1",
        tool: "tiledesc",
        version: env!("CARGO_PKG_VERSION"),
        file: &source.name,
        status: status as u8,
        max_degree: demand.max_degree,
        strict: demand.strict,
        faults: faults.iter().map(|one| fault(source, one)).collect(),
        tiles: all.iter().map(tile).collect(),
    };
    pretty(&report)
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

// GitHub.

/// `::error file=kernel.toml,line=15,col=3,title=..::message`
fn annotation(
    level: &str,
    source: &Source,
    [line, column]: [usize; 2],
    title: &str,
    message: &str,
) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let file = property(&source.name);
    format!(
        "::{level} file={file},line={line},col={column},title={}::{}\n",
        property(title),
        data(message)
    )
}

/// What does not pass, with its place and its sentence, and that of what would be free.
fn failing<'c>(
    checked: &'c Checked<'_>,
) -> impl Iterator<Item = (&'c Judged<'c>, [usize; 2], String)> {
    let sentence = remedy::sentence(checked.remedies.as_ref());
    let failing = checked.judged.iter().filter(|one| one.ruling != Ruling::Passes);
    failing.map(move |one| {
        let mut message = format!("{} {}", checked.tile.name, one.line());
        if let (true, Some(sentence)) = (is_conflict(one.ruling), &sentence) {
            message += &format!("\n{sentence}");
        }
        (one, [one.access.place.line, one.access.place.column], message)
    })
}

/// What does not pass, as annotations.
pub(crate) fn github(source: &Source, all: &[Checked<'_>]) -> String {
    let mut out = String::new();
    for checked in all {
        for (one, at, message) in failing(checked) {
            let level = if is_conflict(one.ruling) { "error" } else { "warning" };
            out += &annotation(level, source, at, title(one), &message);
        }
    }
    out
}

pub(crate) fn github_faults(source: &Source, faults: &[Fault]) -> String {
    let one = |fault: &Fault| {
        let place = source.place(fault.span.start);
        annotation("error", source, [place.line, place.column], "invalid input", &fault.message)
    };
    faults.iter().map(one).collect()
}

fn title(one: &Judged<'_>) -> &'static str {
    match one.ruling {
        Ruling::Races => "data race",
        Ruling::Weak => "weak evidence",
        _ => "bank conflict",
    }
}

// SARIF.

/// The rules, by the titles of findings.
const RULES: [(&str, &str); 4] = [
    (
        "bank-conflict",
        "Lanes of a phase access different words of one bank and wait for each other.",
    ),
    ("data-race", "Two lanes of one instruction write the same byte."),
    ("weak-evidence", "The verdict rests on inferred or disputed phases and banks."),
    ("invalid-input", "The file, a layout or an access is not valid."),
];

/// A log of SARIF 2.1.0 with one run.
pub(crate) fn sarif(source: &Source, all: &[Checked<'_>], faults: &[Fault]) -> String {
    let mut results = Vec::new();
    for fault in faults {
        let place = source.place(fault.span.start);
        let at = [place.line, place.column];
        results.push(result(source, ("invalid-input", "error"), at, &fault.message));
    }
    for checked in all {
        for (one, at, message) in failing(checked) {
            let rule = title(one).replace(' ', "-");
            let level = if is_conflict(one.ruling) { "error" } else { "warning" };
            results.push(result(source, (&rule, level), at, &message));
        }
    }
    let rules = RULES.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tiledesc",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "results": results,
        }],
    }))
}

fn result(
    source: &Source,
    (rule, level): (&str, &str),
    [line, column]: [usize; 2],
    message: &str,
) -> Value {
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": source.name },
            "region": { "startLine": line, "startColumn": column },
        }}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_escape_what_would_end_them() {
        let (name, text) = ("a:b,c.toml".to_string(), String::new());
        let source = Source { name, text, options: None };
        assert_eq!(
            annotation("error", &source, [2, 3], "t", "50 %, a\nb"),
            "::error file=a%3Ab%2Cc.toml,line=2,col=3,title=t::50 %25, a%0Ab\n"
        );
    }
}
