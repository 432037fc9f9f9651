//! The report on compiled kernels: instructions, figures of those that conflict, what would be better, and what becomes of
//! the accesses that a file states.

use crate::answer::audit::{Audited, Said};
use crate::answer::phases;
use crate::write::html::{CLOSED, inline, opened};
use std::fmt::Write;
use tiledesc_audit::{Line, Outcome};
use tiledesc_host::plot::escaped;

/// Lines of a kernel that are drawn: each figure has up to 100 KB.
const MOST_DRAWN: usize = 16;

/// The report on texts of assembly, held to a file of this name.
pub(crate) fn page(all: &[Audited<'_>], against: Option<&str>) -> String {
    let names: Vec<_> = all.iter().map(|one| one.source.name.as_str()).collect();
    let (mut text, mut figures) = (opened(&names.join(", ")), 0);
    for one in all {
        match &one.kernels {
            Ok(kernels) => {
                for said in kernels {
                    kernel(&mut text, &mut figures, said, against);
                }
            }
            Err(refusal) => {
                let fault = escaped(&format!("{}: {refusal}", one.source.name));
                let _ = writeln!(text, "<p class=\"fault\">{fault}</p>");
            }
        }
    }
    text += CLOSED;
    text
}

fn kernel(text: &mut String, figures: &mut usize, said: &Said, against: Option<&str>) {
    let (report, name) = (&said.report, escaped(&said.kernel.name));
    let (head, sum) = (escaped(&report.head), escaped(&report.sum()));
    let _ = writeln!(
        text,
        "<section class=\"kernel\">\n<h2>{name}</h2>\n<p>{head}.</p>\n<p>{sum}.</p>"
    );
    better(text, said);
    text.push_str(
        "<h3>Instructions</h3>\n<div class=\"wide\"><table>\n<tr><th class=\"n\">line</th><th>source</th>\
         <th>instruction</th><th class=\"n\">count</th><th class=\"n\">loops</th><th class=\"n\">cycles</th>\
         <th class=\"n\">without conflicts</th><th>found</th></tr>\n",
    );
    for (i, line) in report.lines.iter().enumerate() {
        let (place, opcode, found) =
            (escaped(&line.place), escaped(&line.opcode), escaped(&line.found));
        let (number, count) = (i + 1, line.lines.len());
        let Line { loops, cycles, free, .. } = line;
        let _ = writeln!(
            text,
            "<tr><td class=\"n\">{number}</td><td>{place}</td><td><code>{opcode}</code></td><td class=\"n\">{count}</td>\
             <td class=\"n\">{loops}</td><td class=\"n\">{cycles}</td><td class=\"n\">{free}</td><td>{found}</td></tr>"
        );
    }
    text.push_str("</table></div>\n");
    let waiting = report.lines.iter().enumerate().filter(|(_, line)| {
        matches!(line.outcome, Outcome::Conflicts | Outcome::Races | Outcome::MayRace)
    });
    for (i, line) in waiting.take(MOST_DRAWN) {
        let (number, opcode, place) = (i + 1, escaped(&line.opcode), escaped(&line.place));
        let _ = writeln!(text, "<h3>Line {number}: <code>{opcode}</code> of {place}</h3>");
        inline(text, figures, &phases::of(said, line), "phases");
    }
    stated(text, said, against);
    text.push_str("</section>\n");
}

fn better(text: &mut String, said: &Said) {
    if said.better.regions.is_empty() && said.better.silence.is_none() {
        return;
    }
    text.push_str("<h3>What would be better</h3>\n");
    let regions = said.better.regions.iter().map(ToString::to_string);
    for one in regions.chain(said.better.silence.clone()) {
        let _ = writeln!(text, "<p class=\"remedy\">{}.</p>", escaped(&one));
    }
}

fn stated(text: &mut String, said: &Said, against: Option<&str>) {
    let (Some(name), Some(found)) = (against, &said.against) else { return };
    let _ = writeln!(text, "<h3>Against {}</h3>\n<ul>", escaped(name));
    let beyond = found.beyond.iter().map(|one| format!("not stated: {one}"));
    let unknown = found.unknown.iter().map(|one| format!("not known: {one}"));
    let silent = said.silent.iter().map(|one| format!("not compared: {one}"));
    let all = found.kept.iter().map(ToString::to_string).chain(beyond).chain(unknown);
    for one in all.chain(silent) {
        let _ = writeln!(text, "<li>{}</li>", escaped(&one));
    }
    text.push_str("</ul>\n");
}
