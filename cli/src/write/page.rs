//! The report: a file's verdicts, counters, figures, code, Rust lines, evidence and sources, as one
//! page that loads nothing.

use crate::answer::check::Checked;
use crate::answer::emit;
use crate::answer::figure::{of_access, of_layout};
use crate::answer::find;
use crate::answer::refusal::Refusal;
use crate::report::access::{Access, Ruling};
use crate::report::check::summary;
use crate::report::find::Found;
use crate::request::fault::Source;
use crate::request::figure::Kind;
use crate::request::language::shown;
use crate::request::spelling::plural;
use crate::write::html::{CLOSED, inline, opened, table};
use crate::write::paste;
use std::fmt::Write;
use tiledesc_host::plot::{Figure, escaped};

/// The most accesses of a tile whose banks are drawn: each figure has up to 100 KB.
const MOST_DRAWN: usize = 32;

/// Figures of the worst access, and of the layout.
const OF_WORST: [Kind; 5] = [Kind::Grid, Kind::Timeline, Kind::Bits, Kind::Ladder, Kind::Addresses];
const OF_LAYOUT: [Kind; 3] = [Kind::Fields, Kind::Journey, Kind::Pads];

/// The page that is being written.
struct Page<'a> {
    source: &'a Source,
    /// The coordinate of the journey, if one is given.
    at: &'a [u32],
    text: String,
    /// Figures so far, whose names in the page are apart by it.
    figures: usize,
}

/// The report of a file.
pub(crate) fn page(source: &Source, all: &[Checked<'_>], at: &[u32]) -> String {
    let mut page = Page { source, at, text: String::new(), figures: 0 };
    page.head(all);
    for (i, one) in all.iter().enumerate() {
        page.tile(i, one);
    }
    page.evidence(all);
    page.text += CLOSED;
    page.text
}

impl Page<'_> {
    fn head(&mut self, all: &[Checked<'_>]) {
        self.text = opened(&self.source.name);
        let accesses = all.iter().flat_map(|one| &one.judged).map(|one| &one.report);
        let summary = summary(all.len(), &accesses.collect::<Vec<_>>());
        let _ = write!(self.text, "<p>{}.</p>\n<nav><ul>\n", escaped(&summary));
        for (i, one) in all.iter().enumerate() {
            let found = found(one);
            let _ = writeln!(
                self.text,
                "<li><a href=\"#tile-{i}\">{}</a>: {found}</li>",
                escaped(&one.tile.name)
            );
        }
        self.text += "<li><a href=\"#evidence\">Evidence and sources</a></li>\n</ul></nav>\n";
    }

    fn tile(&mut self, number: usize, one: &Checked<'_>) {
        let (tile, bytes) = (one.tile, one.tile.bytes());
        let _ = write!(
            self.text,
            "<section id=\"tile-{number}\" class=\"tile\">\n<h2>{}</h2>\n<p>{} of {}, {bytes} bytes, on {}.</p>\n",
            escaped(&tile.name),
            escaped(&tile.shape()),
            tile.element.name,
            escaped(&tile.on()),
        );
        if let Some(remedies) = &one.remedies {
            let lines: Vec<_> = remedies.lines().iter().map(|line| escaped(line)).collect();
            let lines = lines.join("<br/>\n");
            let _ = writeln!(self.text, "<p class=\"remedy\"><strong>{lines}</strong></p>");
        }
        self.accesses(one);
        let found = find::of_tile(tile);
        self.layouts(&found);
        self.figures(one);
        self.code(one);
        let rows = found.as_ref().map_or(&[][..], |found| &found.rows);
        let _ = write!(
            self.text,
            "<h3>In Rust</h3>\n<p>The compiler proves the same in each build.</p>\n<pre class=\"rust\"><code>{}</code></pre>\n",
            escaped(&paste::lines(one, rows))
        );
        self.text += "</section>\n";
    }

    /// The verdicts, and to each its banks by phase and the counters to expect.
    fn accesses(&mut self, one: &Checked<'_>) {
        self.text += "<h3>Accesses</h3>\n";
        if let Some(silence) = one.silence() {
            let sentence = escaped(&format!("{} {silence}", one.tile.name));
            let _ = writeln!(self.text, "<p>{sentence}.</p>");
        }
        for (i, access) in one.judged.iter().enumerate() {
            let report = &access.report;
            let open = if report.ruling == Ruling::Passes && i > 0 { "" } else { " open=\"open\"" };
            let place = self.source.line(access.access.place);
            let _ = writeln!(
                self.text,
                "<details{open}><summary><span class=\"ruling\">{}</span> {} <code>{}</code></summary>\n\
                 <p class=\"found\">{}</p>\n<p class=\"quiet\">{}</p>",
                ruling(report),
                report.access,
                escaped(&report.title),
                escaped(&report.text()),
                escaped(&place),
            );
            if let Some(note) = report.note() {
                let _ = writeln!(self.text, "<p class=\"found\">{}</p>", escaped(&note));
            }
            if i < MOST_DRAWN {
                self.figure(&of_access(Kind::Phases, one, access), Kind::Phases);
            }
            let times = plural(access.access.times, "execution");
            let _ = writeln!(
                self.text,
                "<div class=\"wide\"><table><caption class=\"quiet\">Counters of {times}</caption>"
            );
            for (name, value) in report.counters.named() {
                let _ = writeln!(
                    self.text,
                    "<tr><th scope=\"row\"><code>{name}</code></th><td class=\"n\">{value}</td></tr>"
                );
            }
            self.text += "</table></div>\n</details>\n";
        }
    }

    /// Layouts by what they cost.
    fn layouts(&mut self, found: &Result<Found, Refusal>) {
        self.text += "<h3>Layouts by what they cost</h3>\n";
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                let why = why.lines(self.source);
                let _ = writeln!(self.text, "<p>{}</p>", escaped(why.trim_end()));
                return;
            }
        };
        let _ = writeln!(self.text, "<p>{}.</p>", escaped(&found.proof));
        let rows = found.choices().into_iter().map(|row| {
            let label = format!("<code>{}</code>", escaped(&row.label()));
            vec![row.cycles.to_string(), row.bytes.to_string(), row.address(), label]
        });
        let columns = ["n:cycles", "n:bytes", "n:address instructions", "layout"];
        table(&mut self.text, &columns, rows);
    }

    fn figures(&mut self, one: &Checked<'_>) {
        self.text += "<h3>Figures</h3>\n";
        match one.worst() {
            Some(access) => {
                let _ = writeln!(
                    self.text,
                    "<p>Of the access that tells most: <code>{}</code>.</p>",
                    escaped(&access.report.title)
                );
                for kind in OF_WORST {
                    self.figure(&of_access(kind, one, access), kind);
                }
            }
            None => self.figure(&of_layout(Kind::Grid, one, self.at), Kind::Grid),
        }
        for kind in OF_LAYOUT {
            // A coordinate is of one tile; of others the journey is that of the last.
            let at = if self.at.len() == one.tile.layout.plan.rank() { self.at } else { &[] };
            if kind != Kind::Pads || !one.judged.is_empty() {
                self.figure(&of_layout(kind, one, at), kind);
            }
        }
    }

    fn figure(&mut self, figure: &Result<Figure, String>, kind: Kind) {
        inline(&mut self.text, &mut self.figures, figure, &kind.name());
    }

    fn code(&mut self, one: &Checked<'_>) {
        self.text += "<h3>Code</h3>\n";
        for (i, (language, form)) in shown().enumerate() {
            let open = if i == 0 { " open=\"open\"" } else { "" };
            let code = emit::of_tile(form, one.tile);
            let code = code.unwrap_or_else(|why| why.lines(self.source));
            let _ = writeln!(
                self.text,
                "<details{open}><summary>{language}</summary>\n<pre class=\"{language}\"><code>{}</code></pre></details>",
                escaped(&code)
            );
        }
    }

    /// Writes the evidence for the rows that were used, and its sources.
    fn evidence(&mut self, all: &[Checked<'_>]) {
        self.text += "<section id=\"evidence\">\n<h2>Evidence and sources</h2>\n\
            <p>A verdict is a static model of the instructions that the file states. Other waves and \
            arbitration are not modelled: the hardware counter is the judge.</p>\n";
        let (mut said, mut drawn) = (Vec::new(), Vec::new());
        for access in all.iter().flat_map(|one| &one.judged) {
            let evidence = &access.report.evidence;
            let disputed = if evidence.disputed { ", disputed" } else { "" };
            let row = vec![
                access.report.chip.to_string(),
                format!("<code>{}</code>", escaped(access.row.name())),
                access.verdict.weakest().banks.to_string(),
                format!("{}{disputed}", evidence.level),
                escaped(evidence.source),
            ];
            if !said.contains(&row) {
                said.push(row);
            }
            if drawn.len() < MOST_DRAWN && !drawn.contains(access.row) {
                drawn.push(*access.row);
            }
        }
        let columns = ["chip", "instruction", "n:banks", "evidence", "source"];
        table(&mut self.text, &columns, said);
        if !drawn.is_empty() {
            let rows: Vec<_> = drawn.iter().collect();
            self.figure(&Ok(tiledesc_host::plot::served(&rows)), Kind::Served);
        }
        let mut chips = Vec::new();
        for chip in all.iter().flat_map(|one| &one.tile.chips) {
            if !chips.contains(*chip) {
                chips.push(**chip);
            }
        }
        if !chips.is_empty() {
            self.figure(&Ok(tiledesc_host::plot::evidence(&chips)), Kind::Evidence);
        }
        self.text += "</section>\n";
    }
}

/// The finding on a tile, in a few words.
fn found(one: &Checked<'_>) -> String {
    match one.worst() {
        Some(access) => ruling(&access.report),
        None => "no access".to_string(),
    }
}

/// `free`, `4-way`, `data race`
fn ruling(one: &Access) -> String {
    match one.ruling {
        Ruling::Races => "data race".to_string(),
        _ if one.degree > 1 => format!("{}-way", one.degree),
        _ if one.is_open() => "free, disputed".to_string(),
        _ => "free".to_string(),
    }
}
