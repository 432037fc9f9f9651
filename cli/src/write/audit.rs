//! `audit`: what is said of compiled kernels in one of four formats, and the exit status that CI goes by.

use crate::answer::audit::{Audited, Passes, audited, findings, passes};
use crate::answer::judge::Demand;
use crate::request::args::{Audit, Format};
use crate::request::fault::Source;
use crate::write::console::Console;
use crate::write::github::github;
use crate::write::json::pretty;
use crate::write::output::{Output, Status};
use crate::write::sarif::sarif;
use anstyle::AnsiColor;
use serde_json::{Value, json};
use tiledesc_audit::{Line, Outcome, Report};

pub(crate) fn run(audit: &Audit, sources: &[Source], console: &Console<'_>) -> Output {
    let demand = Demand { max_degree: audit.max_degree, strict: audit.strict };
    let options = audit.options();
    let all: Vec<_> = sources.iter().map(|source| audited(source, &options, audit.all)).collect();
    let status = status(&all, demand);
    let refusals = all.iter().filter_map(|one| {
        let refusal = one.reports.as_ref().err()?;
        Some(format!("{}: {refusal}\n", one.source.name))
    });
    let err: String = refusals.collect();
    let found = || all.iter().map(|one| (one.source, findings(one, demand)));
    match audit.format {
        Format::Text => Output { status, out: text(&all, console), err },
        Format::Json => {
            let out = pretty(&in_json(&all, status, demand));
            Output { status, out, err: String::new() }
        }
        Format::Github => {
            let out = found().map(|(source, findings)| github(source, &findings)).collect();
            Output { status, out, err: String::new() }
        }
        Format::Sarif => Output { status, out: sarif(&found().collect::<Vec<_>>()), err },
    }
}

/// The worst of all texts.
fn status(all: &[Audited<'_>], demand: Demand) -> Status {
    let lines =
        || all.iter().flat_map(|one| one.reports.iter().flatten()).flat_map(|one| &one.lines);
    let any = |what: Passes| lines().any(|line| passes(line, demand) == what);
    match () {
        () if all.iter().any(|one| one.reports.is_err()) => Status::Invalid,
        () if any(Passes::No) => Status::Conflict,
        () if demand.strict && any(Passes::Weakly) => Status::Weak,
        () => Status::Free,
    }
}

fn text(all: &[Audited<'_>], console: &Console<'_>) -> String {
    let mut out = String::new();
    for one in all {
        for report in one.reports.iter().flatten() {
            // A sentence that stands out is a line's last word.
            let coloured = report.lines.iter().map(|line| Line {
                found: console.coloured(&line.found, colour(line)),
                ..line.clone()
            });
            let report = Report { head: report.head.clone(), lines: coloured.collect() };
            out += &format!("{}: {report}", one.source.name);
        }
    }
    out
}

fn colour(line: &Line) -> AnsiColor {
    match line.outcome {
        Outcome::Conflicts | Outcome::Races => AnsiColor::Red,
        Outcome::Free => AnsiColor::Green,
        Outcome::Unknown | Outcome::Listed => AnsiColor::Yellow,
    }
}

fn in_json(all: &[Audited<'_>], status: Status, demand: Demand) -> Value {
    let files = all.iter().map(|one| match &one.reports {
        Ok(reports) => {
            let kernels: Vec<_> = reports.iter().map(|report| of_report(report, demand)).collect();
            json!({ "file": one.source.name, "kernels": kernels })
        }
        Err(refusal) => json!({ "file": one.source.name, "fault": refusal.to_string() }),
    });
    json!({
        "schema": "tiledesc.audit/1",
        "tool": "tiledesc",
        "version": env!("CARGO_PKG_VERSION"),
        "status": status as u8,
        "max_degree": demand.max_degree,
        "strict": demand.strict,
        "files": files.collect::<Vec<_>>(),
    })
}

fn of_report(report: &Report, demand: Demand) -> Value {
    let [cycles, free] = report.cycles();
    json!({
        "kernel": report.head,
        "worst_degree": report.worst(),
        "cycles": cycles,
        "cycles_without_conflicts": free,
        "instructions": report.lines.iter().map(|line| of_line(line, demand)).collect::<Vec<_>>(),
        "sum": report.sum(),
    })
}

fn of_line(line: &Line, demand: Demand) -> Value {
    let outcome = match line.outcome {
        Outcome::Free => "free",
        Outcome::Conflicts => "conflict",
        Outcome::Races => "race",
        Outcome::Unknown => "unknown",
        Outcome::Listed => "listed",
    };
    let ruling = match passes(line, demand) {
        Passes::Yes => "passes",
        Passes::No => "conflicts",
        Passes::Weakly => "weak",
    };
    json!({
        "ruling": ruling,
        "place": line.place,
        "opcode": line.opcode,
        "lines": line.lines,
        "loops": line.loops,
        "outcome": outcome,
        "degree": line.verdict.map(|one| one.degree),
        "evidence": line.verdict.map(|one| one.evidence.name()),
        "lanes": line.verdict.and_then(|one| one.meeting).map(|one| one.lanes),
        "bytes": line.verdict.and_then(|one| one.meeting).map(|one| one.bytes),
        "cycles": line.cycles,
        "cycles_without_conflicts": line.free,
        "found": line.found,
    })
}
