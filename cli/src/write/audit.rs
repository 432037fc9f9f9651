//! `audit`: the report on compiled kernels in one of six formats, and the exit status for CI.

use crate::answer::audit::{Against, Asked, Audited, audited};
use crate::answer::baseline::of_audit;
use crate::answer::phases;
use crate::report::access::Ruling;
use crate::report::audit::{Audit as Report, File, GlobalLine, Kernel, Line, LineOutcome};
use crate::report::baseline::Baseline;
use crate::report::check::Demand;
use crate::report::finding::of_file;
use crate::request::args::{Audit, AuditFormat};
use crate::request::audit::Texts;
use crate::request::baseline;
use crate::request::fault::Fault;
use crate::request::spelling::{columns, plural};
use crate::write::audit_page::page;
use crate::write::console::Console;
use crate::write::github::github;
use crate::write::json::pretty;
use crate::write::output::Output;
use crate::write::sarif::sarif;
use anstyle::AnsiColor;
use std::fmt::Write as _;
use tiledesc_audit::{LEFT_OUT, Options, why};

pub(crate) fn run(
    audit: &Audit,
    texts: &Texts,
    against: Option<Against<'_>>,
    console: &Console<'_>,
) -> Result<Output, Output> {
    if let Some(at) = &audit.why {
        return reasons(texts, &audit.options(), at);
    }
    let Audit { max_degree, strict, allow_races, all, .. } = *audit;
    let demand = Demand { max_degree, strict, allow_races };
    let (options, beside, unread) = (audit.options(), &texts.beside[..], &texts.unread[..]);
    let asked = Asked { options, beside, unread, all, demand, against };
    let refused = |fault: Fault| match against {
        Some((file, _)) => Output::faults(file, &[fault]),
        None => Output::invalid(fault.message),
    };
    let (all, mut report) = audited(&texts.sources, &asked).map_err(refused)?;
    if let Some(file) = &audit.baseline {
        let earlier = baseline::read(file, "audit").map_err(Output::invalid)?;
        of_audit(&mut report, &earlier);
    }
    let err = refusals(&report);
    if let Some(number) = audit.access {
        return Ok(drawn(&all, number, audit.format, err));
    }
    let found = || report.files.iter().map(|file| (file.file.as_str(), of_file(file, &report)));
    let (out, err) = match audit.format {
        AuditFormat::Text => (text(&report, audit.quiet, console), err),
        AuditFormat::Json => (pretty(&report), String::new()),
        AuditFormat::Github => {
            (found().map(|(file, findings)| github(file, &findings)).collect(), String::new())
        }
        AuditFormat::Sarif => (sarif(&found().collect::<Vec<_>>()), err),
        AuditFormat::Html => (page(&report, &all), err),
        AuditFormat::Svg => {
            return Err(Output::invalid(
                "--format svg is of one access: add --access N, a line of the list counted from 1",
            ));
        }
    };
    Ok(Output { status: report.status, out, err })
}

/// What is said where no access stands.
pub(crate) const NOTHING_THERE: &str =
    "no access to LDS or shared memory stands there; `line` and a number name a line of the text";

/// The instructions that lead to an address.
fn reasons(texts: &Texts, options: &Options, at: &str) -> Result<Output, Output> {
    let [source] = &texts.sources[..] else {
        let many = texts.sources.len();
        return Err(Output::invalid(format!("--why is of one text, and there are {many}")));
    };
    match why(&source.text, options, at) {
        Ok(Some(reasons)) => Ok(Output::done(format!("{}: {reasons}", source.name))),
        Ok(None) => Err(Output::invalid(format!("--why {at}: {NOTHING_THERE}"))),
        Err(refusal) => Err(Output::refused(format!("{}: {refusal}\n", source.name))),
    }
}

/// The reasons why texts are not judged, a line each.
pub(crate) fn refusals(report: &Report) -> String {
    let of = |one: &File| -> String {
        let all = one.fault.iter().chain(&one.refused);
        all.map(|why| format!("{}: {why}\n", one.file)).collect()
    };
    report.files.iter().map(of).collect()
}

/// The figure of a line of the list.
fn drawn(all: &[Audited], number: u32, format: AuditFormat, err: String) -> Output {
    if !matches!(format, AuditFormat::Text | AuditFormat::Svg) {
        return Output::invalid("--access draws a figure: as --format text or svg");
    }
    let [one] = all else {
        return match all.len() {
            0 => Output::refused(err),
            many => Output::invalid(format!(
                "--access is of one kernel, and there are {many}: name it with --kernel"
            )),
        };
    };
    match phases::of_line(one, number as usize) {
        Ok(figure) if format == AuditFormat::Svg => Output::done(figure.svg()),
        Ok(figure) => Output::done(figure.text()),
        Err(why) => Output::invalid(format!("--access {number}: {why}")),
    }
}

/// Each kernel as a list, with what would be better, and the comparison with the accesses that are stated; if `quiet`, only
/// what does not pass.
pub(crate) fn text(report: &Report, quiet: bool, console: &Console<'_>) -> String {
    let (mut out, mut is_bound) = (String::new(), false);
    for file in &report.files {
        let (told, others) = file.told();
        for kernel in told {
            let is_silent =
                |one: Ruling| quiet && matches!(one, Ruling::Passes | Ruling::Unwritten);
            if kernel.rulings().all(is_silent) && quiet {
                continue;
            }
            let lines = kernel.instructions.iter().filter(|line| !is_silent(line.ruling));
            let lines =
                columns(&lines.map(|line| cells(line, console)).collect::<Vec<_>>(), usize::MAX);
            let _ = writeln!(out, "{}: {}\n{lines}{}", file.file, kernel.kernel, kernel.sum);
            if let Some(one) = kernel.resources.as_ref().filter(|_| !quiet) {
                let _ = writeln!(out, "{}", one.sentence);
            }
            for one in kernel.unordered.iter().filter(|_| !quiet && !report.allow_races) {
                let _ = writeln!(out, "{}", console.coloured(&one.sentence, AnsiColor::Yellow));
            }
            bounds(kernel, &mut is_bound, &mut out);
            if !quiet {
                global(kernel, console, &mut out);
            }
            for one in &kernel.better {
                let _ = writeln!(out, "better: {}", one.found.replace("; ", ";\n  "));
            }
            kernel.silence.iter().for_each(|why| out += &format!("{why}\n"));
            against(kernel, console, &mut out);
        }
        if others > 0 && !quiet {
            let (file, others) = (&file.file, plural(others as u32, "kernel"));
            let _ = writeln!(
                out,
                "{file}: {others} without LDS or shared memory, and with the fewest lines of global memory"
            );
        }
    }
    if !report.left_out.is_empty() && !quiet {
        let (many, first) = (plural(report.left_out.len() as u32, "file"), &report.left_out[0]);
        let _ = writeln!(out, "{many} without a kernel that is wanted, such as {first}");
    }
    out + &report.baseline.as_ref().map_or_else(String::new, Baseline::text)
}

/// Writes what bounds the loops, and what that leaves out below the first.
fn bounds(kernel: &Kernel, is_bound: &mut bool, out: &mut String) {
    let before = out.len();
    kernel.said_bounds().for_each(|one| *out += &format!("{one}\n"));
    if out.len() > before && !std::mem::replace(is_bound, true) {
        *out += &format!("({LEFT_OUT})\n");
    }
}

/// Writes the accesses of global memory that touch more than they need, or may, and the sum of all.
fn global(kernel: &Kernel, console: &Console<'_>, out: &mut String) {
    let cells = |line: &GlobalLine| {
        let colour = if line.is_least.is_some() { AnsiColor::Red } else { AnsiColor::Yellow };
        let found = console.coloured(&line.found, colour);
        row(&line.place, &line.opcode, line.lines.len(), line.loops, found)
    };
    *out += &columns(&kernel.said_global().map(cells).collect::<Vec<_>>(), usize::MAX);
    kernel.global_sum.iter().for_each(|sum| *out += &format!("{sum}\n"));
}

/// Instructions that are alike, their sentence standing out.
fn cells(line: &Line, console: &Console<'_>) -> Vec<String> {
    let colour = match line.outcome {
        LineOutcome::Conflict if line.is_hidden => AnsiColor::BrightBlack,
        LineOutcome::Conflict | LineOutcome::Race => AnsiColor::Red,
        LineOutcome::Free => AnsiColor::Green,
        LineOutcome::MayRace | LineOutcome::Unknown | LineOutcome::Listed => AnsiColor::Yellow,
    };
    let found = console.coloured(&line.said(), colour);
    row(&line.place, &line.opcode, line.lines.len(), line.loops, found)
}

fn row(place: &str, opcode: &str, many: usize, loops: u32, found: String) -> Vec<String> {
    let loops = match loops {
        0 => String::new(),
        loops => format!("in {}", plural(loops, "loop")),
    };
    vec![place.to_string(), opcode.to_string(), format!("x{many}"), loops, found]
}

/// Writes the comparison with the accesses that are stated.
fn against(kernel: &Kernel, console: &Console<'_>, out: &mut String) {
    let Some(against) = &kernel.against else { return };
    let file = &against.file;
    let _ = writeln!(out, "against {file}, instructions of all waves, and of one tile:");
    let mut line = |text: &str, colour| {
        let _ = writeln!(out, "  {}", console.coloured(text, colour));
    };
    for (is_kept, kept) in against.kept() {
        line(kept, if is_kept { AnsiColor::Green } else { AnsiColor::Red });
    }
    against.beside().for_each(|one| line(&one, AnsiColor::Yellow));
}
