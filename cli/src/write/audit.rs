//! `audit`: what is said of compiled kernels in one of six formats, and the exit status that CI goes by.

use crate::answer::audit::{Against, Audited, Passes, Said, audited, findings, keeps, passes};
use crate::answer::judge::Demand;
use crate::answer::phases;
use crate::request::args::{Audit, AuditFormat};
use crate::request::fault::Source;
use crate::write::audit_page::page;
use crate::write::console::Console;
use crate::write::github::github;
use crate::write::json::pretty;
use crate::write::output::{Output, Status};
use crate::write::sarif::sarif;
use anstyle::AnsiColor;
use serde_json::{Value, json};
use std::fmt::Write as _;
use tiledesc_audit::{Advice, Better, Beyond, Comparison, Kept, Line, Outcome, Report};

pub(crate) fn run(
    audit: &Audit,
    sources: &[Source],
    against: Option<Against<'_>>,
    console: &Console<'_>,
) -> Output {
    let Audit { max_degree, strict, allow_races, .. } = *audit;
    let demand = Demand { max_degree, strict, allow_races };
    let options = audit.options();
    let all = sources.iter().map(|source| audited(source, &options, audit.all, against));
    let all: Vec<_> = match all.collect::<Result<_, _>>() {
        Ok(all) => all,
        Err(fault) => {
            let file = against.map(|(file, _)| file);
            return file.map_or_else(
                || Output::invalid(&fault.message),
                |file| Output::faults(file, std::slice::from_ref(&fault)),
            );
        }
    };
    let status = status(&all, demand);
    let refusals = all.iter().filter_map(|one| {
        let refusal = one.kernels.as_ref().err()?;
        Some(format!("{}: {refusal}\n", one.source.name))
    });
    let err: String = refusals.collect();
    if let Some(number) = audit.access {
        return drawn(&all, number, audit.format, err);
    }
    let found = || all.iter().map(|one| (one.source, findings(one, demand)));
    let name = against.map(|(file, _)| file.name.as_str());
    match audit.format {
        AuditFormat::Text => Output { status, out: text(&all, name, console), err },
        AuditFormat::Json => {
            let out = pretty(&in_json(&all, status, demand));
            Output { status, out, err: String::new() }
        }
        AuditFormat::Github => {
            let out = found().map(|(source, findings)| github(source, &findings)).collect();
            Output { status, out, err: String::new() }
        }
        AuditFormat::Sarif => Output { status, out: sarif(&found().collect::<Vec<_>>()), err },
        AuditFormat::Html => Output { status, out: page(&all, name), err },
        AuditFormat::Svg => Output::invalid(
            "--format svg is of one access: add --access N, a line of the list counted from 1",
        ),
    }
}

/// The figure of a line of the list.
fn drawn(all: &[Audited<'_>], number: u32, format: AuditFormat, err: String) -> Output {
    if !matches!(format, AuditFormat::Text | AuditFormat::Svg) {
        return Output::invalid("--access draws a figure: as --format text or svg");
    }
    let kernels: Vec<_> = all.iter().flat_map(|one| one.kernels.iter().flatten()).collect();
    let [said] = kernels[..] else {
        return match kernels.len() {
            0 => Output::refused(err),
            many => Output::invalid(format!(
                "--access is of one kernel, and there are {many}: name it with --kernel"
            )),
        };
    };
    match phases::of_line(said, number as usize) {
        Ok(figure) if format == AuditFormat::Svg => Output::done(figure.svg()),
        Ok(figure) => Output::done(figure.text()),
        Err(why) => Output::invalid(format!("--access {number}: {why}")),
    }
}

/// The worst of all texts.
fn status(all: &[Audited<'_>], demand: Demand) -> Status {
    let kernels = || all.iter().flat_map(|one| one.kernels.iter().flatten());
    let any = |what: Passes| {
        kernels().any(|said| {
            keeps(said) == what || said.report.lines.iter().any(|line| passes(line, demand) == what)
        })
    };
    match () {
        () if all.iter().any(|one| one.kernels.is_err()) => Status::Invalid,
        () if any(Passes::No) || any(Passes::Races) => Status::Conflict,
        () if demand.strict && any(Passes::Weakly) => Status::Weak,
        () => Status::Free,
    }
}

fn text(all: &[Audited<'_>], against: Option<&str>, console: &Console<'_>) -> String {
    let mut out = String::new();
    for one in all {
        for said in one.kernels.iter().flatten() {
            // A sentence that stands out is a line's last word.
            let coloured = said.report.lines.iter().map(|line| Line {
                found: console.coloured(&line.found, colour(line)),
                ..line.clone()
            });
            let report = Report { head: said.report.head.clone(), lines: coloured.collect() };
            let _ = write!(out, "{}: {report}", one.source.name);
            better(said, &mut out);
            if let (Some(name), Some(found)) = (against, &said.against) {
                kept(name, found, console, &mut out);
                for one in &said.silent {
                    let line = format!("not compared: {one}");
                    let _ = writeln!(out, "  {}", console.coloured(&line, AnsiColor::Yellow));
                }
            }
        }
    }
    out
}

/// What would be better, a region each, its parts on lines of their own.
fn better(said: &Said, out: &mut String) {
    for one in &said.better.regions {
        let _ = writeln!(out, "better: {}", one.to_string().replace("; ", ";\n  "));
    }
    said.better.silence.iter().for_each(|why| {
        let _ = writeln!(out, "{why}");
    });
}

/// What becomes of the accesses that are stated.
fn kept(name: &str, found: &Comparison, console: &Console<'_>, out: &mut String) {
    let _ = writeln!(out, "against {name}, instructions of all waves, and of one tile:");
    for one in &found.kept {
        let colour = if one.missing.is_none() { AnsiColor::Green } else { AnsiColor::Red };
        let _ = writeln!(out, "  {}", console.coloured(&one.to_string(), colour));
    }
    for (word, list) in [("not stated", &found.beyond), ("not known", &found.unknown)] {
        for one in list {
            let _ = writeln!(
                out,
                "  {}",
                console.coloured(&format!("{word}: {one}"), AnsiColor::Yellow)
            );
        }
    }
}

fn colour(line: &Line) -> AnsiColor {
    match line.outcome {
        Outcome::Conflicts | Outcome::Races => AnsiColor::Red,
        Outcome::Free => AnsiColor::Green,
        Outcome::MayRace | Outcome::Unknown | Outcome::Listed => AnsiColor::Yellow,
    }
}

fn in_json(all: &[Audited<'_>], status: Status, demand: Demand) -> Value {
    let files = all.iter().map(|one| match &one.kernels {
        Ok(kernels) => {
            let kernels: Vec<_> = kernels.iter().map(|said| of_kernel(said, demand)).collect();
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

fn of_kernel(said: &Said, demand: Demand) -> Value {
    let report = &said.report;
    let [cycles, free] = report.cycles();
    json!({
        "kernel": report.head,
        "chip": said.kernel.chip.name(),
        "compiled_for": said.kernel.compiled_for,
        "worst_degree": report.worst(),
        "cycles": cycles,
        "cycles_without_conflicts": free,
        "instructions": report.lines.iter().map(|line| of_line(line, demand)).collect::<Vec<_>>(),
        "sum": report.sum(),
        "better": said.better.regions.iter().map(of_better).collect::<Vec<_>>(),
        "against": said.against.as_ref().map(|found| of_comparison(found, &said.silent)),
    })
}

pub(crate) fn of_better(one: &Better) -> Value {
    let (to, cycles) = match &one.advice {
        Advice::Move { to, cycles, .. } => (Some(to.to_string()), Some(*cycles)),
        _ => (None, None),
    };
    json!({
        "bytes": one.bytes,
        "move": to,
        "cycles_now": one.now,
        "cycles": cycles,
        "cycles_without_conflicts": one.free,
        "found": one.to_string(),
    })
}

fn of_comparison(found: &Comparison, silent: &[String]) -> Value {
    let kept = |one: &Kept| {
        json!({
            "access": one.name,
            "opcode": one.opcode,
            "stated": one.stated,
            "found": one.found,
            "begins": one.begins,
            "missing": one.missing.as_ref().map(ToString::to_string),
        })
    };
    let beyond =
        |one: &Beyond| json!({ "place": one.place, "opcode": one.opcode, "lines": one.lines });
    json!({
        "is_kept": found.is_kept(),
        "accesses": found.kept.iter().map(kept).collect::<Vec<_>>(),
        "not_stated": found.beyond.iter().map(beyond).collect::<Vec<_>>(),
        "not_known": found.unknown.iter().map(beyond).collect::<Vec<_>>(),
        "not_compared": silent,
    })
}

pub(crate) fn of_line(line: &Line, demand: Demand) -> Value {
    let outcome = match line.outcome {
        Outcome::Free => "free",
        Outcome::Conflicts => "conflict",
        Outcome::Races => "race",
        Outcome::MayRace => "may_race",
        Outcome::Unknown => "unknown",
        Outcome::Listed => "listed",
    };
    let ruling = match passes(line, demand) {
        Passes::Yes => "passes",
        Passes::No => "conflicts",
        Passes::Races => "races",
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
        "rival_degree": line.verdict.and_then(|one| one.rival).map(|(degree, _)| degree),
        "race": line.verdict.and_then(|one| one.race).map(|race| json!({
            "lanes": race.lanes, "values": race.values.name(),
        })),
        "evidence": line.verdict.map(|one| one.evidence.name()),
        "lanes": line.verdict.and_then(|one| one.meeting).map(|one| one.lanes),
        "bytes": line.verdict.and_then(|one| one.meeting).map(|one| one.bytes),
        "cycles": line.cycles,
        "cycles_without_conflicts": line.free,
        "found": line.found,
    })
}
