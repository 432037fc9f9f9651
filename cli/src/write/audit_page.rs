//! The report on compiled kernels: instructions, figures of those that conflict, what would be better, and what becomes of
//! the accesses that a file states.

use crate::answer::audit::Audited;
use crate::answer::phases;
use crate::report::audit::{Audit, Kernel, Line, LineOutcome};
use crate::write::html::{CLOSED, inline, opened, table};
use std::fmt::Write;
use tiledesc_host::plot::escaped;

/// The most lines of a kernel that are drawn: each figure has up to 100 KB.
const MOST_DRAWN: usize = 16;

/// The report on texts of assembly, with figures of their kernels.
pub(crate) fn page(report: &Audit, all: &[Audited]) -> String {
    let names: Vec<_> = report.files.iter().map(|one| one.file.as_str()).collect();
    let (mut text, mut figures, mut kernels) = (opened(&names.join(", ")), 0, all.iter());
    for file in &report.files {
        for fault in file.fault.iter().chain(&file.refused) {
            let fault = escaped(&format!("{}: {fault}", file.file));
            let _ = writeln!(text, "<p class=\"fault\">{fault}</p>");
        }
        for one in kernels.by_ref().take(file.kernels.as_ref().map_or(0, Vec::len)) {
            kernel(&mut text, &mut figures, one);
        }
    }
    text += CLOSED;
    text
}

fn kernel(text: &mut String, figures: &mut usize, one: &Audited) {
    let (report, name) = (&one.report, escaped(&one.kernel.name));
    let (head, sum) = (escaped(&report.kernel), escaped(&report.sum));
    let _ = writeln!(
        text,
        "<section class=\"kernel\">\n<h2>{name}</h2>\n<p>{head}.</p>\n<p>{sum}.</p>"
    );
    if let Some(one) = &report.resources {
        let _ = writeln!(text, "<p class=\"bound\">{}.</p>", escaped(&one.sentence));
    }
    for one in &report.unordered {
        let _ = writeln!(text, "<p class=\"bound\">{}.</p>", escaped(&one.sentence));
    }
    for one in report.said_bounds() {
        let _ = writeln!(text, "<p class=\"bound\">{}.</p>", escaped(one));
    }
    for one in report.said_global() {
        let many = one.lines.len();
        let line = format!("{} x{many} of {}: {}", one.opcode, one.place, one.found);
        let _ = writeln!(text, "<p class=\"bound\">{}.</p>", escaped(&line));
    }
    if let Some(one) = &report.global_sum {
        let _ = writeln!(text, "<p class=\"bound\">{}.</p>", escaped(one));
    }
    better(text, report);
    text.push_str("<h3>Instructions</h3>\n");
    let columns = [
        "n:line",
        "source",
        "instruction",
        "n:count",
        "n:loops",
        "n:cycles",
        "n:without conflicts",
        "found",
    ];
    let rows = report.instructions.iter().enumerate().map(|(at, line)| {
        let Line { place, opcode, lines, loops, cycles, cycles_without_conflicts, found, .. } =
            line;
        let numbers = [lines.len() as u64, u64::from(*loops), *cycles, *cycles_without_conflicts];
        let mut cells =
            vec![(at + 1).to_string(), escaped(place), format!("<code>{}</code>", escaped(opcode))];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.push(escaped(found));
        cells
    });
    table(text, &columns, rows);
    let waiting = report.instructions.iter().enumerate().filter(|(_, line)| {
        matches!(line.outcome, LineOutcome::Conflict | LineOutcome::Race | LineOutcome::MayRace)
    });
    for (i, line) in waiting.take(MOST_DRAWN) {
        let (number, opcode, place) = (i + 1, escaped(&line.opcode), escaped(&line.place));
        let _ = writeln!(text, "<h3>Line {number}: <code>{opcode}</code> of {place}</h3>");
        inline(text, figures, &phases::figure(one, line), "phases");
    }
    stated(text, report);
    text.push_str("</section>\n");
}

fn better(text: &mut String, report: &Kernel) {
    let regions = report.better.iter().map(|one| &one.found);
    let all: Vec<_> = regions.chain(&report.silence).collect();
    if !all.is_empty() {
        text.push_str("<h3>What would be better</h3>\n");
    }
    for one in all {
        let _ = writeln!(text, "<p class=\"remedy\">{}.</p>", escaped(one));
    }
}

fn stated(text: &mut String, report: &Kernel) {
    let Some(against) = &report.against else { return };
    let _ = writeln!(text, "<h3>Against {}</h3>\n<ul>", escaped(&against.file));
    for one in against.kept().map(|(_, kept)| kept.to_string()).chain(against.beside()) {
        let _ = writeln!(text, "<li>{}</li>", escaped(&one));
    }
    text.push_str("</ul>\n");
}
