//! What is said of compiled kernels, and what of it does not pass.

use crate::answer::finding::Finding;
use crate::answer::judge::Demand;
use crate::request::fault::{Place, Source};
use tiledesc_audit::{Line, Options, Outcome, Refusal, Report, audit};

/// A text with the reports on its kernels, or the reason that it cannot be judged.
pub(crate) struct Audited<'s> {
    pub(crate) source: &'s Source,
    pub(crate) reports: Result<Vec<Report>, Refusal>,
}

/// What becomes of a line of a report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passes {
    /// It is free, within the degree that is allowed, or only listed.
    Yes,
    /// It conflicts.
    No,
    /// It rests on weak evidence, is unknown, or two lanes write one byte: with `--strict` it does not pass.
    Weakly,
}

pub(crate) fn audited<'s>(source: &'s Source, options: &Options, all: bool) -> Audited<'s> {
    let kernels = audit(&source.text, options);
    let report =
        if all { tiledesc_audit::Kernel::report_all } else { tiledesc_audit::Kernel::report };
    let reports = kernels.map(|kernels| kernels.iter().map(report).collect());
    Audited { source, reports }
}

pub(crate) fn passes(line: &Line, demand: Demand) -> Passes {
    let worst = line.verdict.map_or(0, |one| one.worst());
    let is_weak = line.verdict.is_some_and(|one| one.is_weak());
    match line.outcome {
        Outcome::Free | Outcome::Conflicts | Outcome::Races if worst > demand.max_degree => {
            Passes::No
        }
        Outcome::Races | Outcome::Unknown => Passes::Weakly,
        Outcome::Free | Outcome::Conflicts if is_weak => Passes::Weakly,
        _ => Passes::Yes,
    }
}

/// What does not pass, each at its first line of the text.
pub(crate) fn findings(one: &Audited<'_>, demand: Demand) -> Vec<Finding> {
    let at = |line: usize| Place { line, column: 1 };
    let reports = match &one.reports {
        Ok(reports) => reports,
        Err(refusal) => {
            let message = refusal.to_string();
            return vec![Finding { place: at(1), is_error: true, title: "invalid input", message }];
        }
    };
    let lines = reports.iter().flat_map(|report| &report.lines);
    let failing = lines.filter_map(|line| {
        let passes = passes(line, demand);
        let is_error = passes == Passes::No;
        if passes == Passes::Yes || !is_error && line.outcome == Outcome::Free && !demand.strict {
            return None;
        }
        let title = match line.outcome {
            Outcome::Races => "data race",
            Outcome::Unknown => "unknown address",
            Outcome::Conflicts if is_error => "bank conflict",
            _ => "weak evidence",
        };
        let (place, many) = (at(*line.lines.first()?), line.lines.len());
        let message = format!("{} x{many} of {}: {}", line.opcode, line.place, line.found);
        Some(Finding { place, is_error, title, message })
    });
    failing.collect()
}
