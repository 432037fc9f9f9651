//! `list`: what there is, with evidence and source, from the library's tables.

use crate::Output;
use crate::answer::check::plural;
use crate::request::args::List;
use crate::request::fault::did_you_mean;
use crate::request::input::word_of;
use crate::request::layout::{families, kebab};
use crate::request::value::plain;
use crate::write::json::pretty;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt::Write;
use tiledesc::chip::{CHIPS, Chip, Tally};
use tiledesc::pattern::{NAMED, Named};
use tiledesc::recipe::Family;
use tiledesc::{ELEMENTS, ElementName, Instruction, emit};

/// Bits of the elements that recipes are listed for; their names do not depend on it.
const BITS: u32 = 16;

/// What can be listed, and how.
type Table = (&'static str, fn() -> Vec<Row>);

/// Names and values, in their order.
#[derive(Default)]
struct Row(Vec<(&'static str, Value)>);

impl Row {
    fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((name, value.into()));
        self
    }
}

/// All tables by name.
struct All<'a>(&'a [(&'static str, Vec<Row>)]);

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, rows)| (name, rows)))
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

const TABLES: [Table; 6] = [
    ("chips", chips),
    ("instructions", instructions),
    ("patterns", patterns),
    ("recipes", recipes),
    ("elements", elements),
    ("languages", languages),
];

pub(crate) fn run(list: &List) -> Output {
    let Some(what) = &list.what else { return everything(list.json) };
    let found = match TABLES.iter().find(|(name, _)| name == what) {
        Some((_, table)) => Some(table()),
        None => one(what),
    };
    match found {
        Some(rows) if list.json => Output::done(pretty(&rows)),
        Some(rows) => Output::done(page(what).unwrap_or_else(|| lines(&rows))),
        None => {
            let mut names: Vec<_> = TABLES.iter().map(|(name, _)| name.to_string()).collect();
            names.extend(CHIPS.iter().map(|chip| chip.name().to_string()));
            names.extend(families(BITS).iter().map(|family| kebab(family.name())));
            let near = did_you_mean(what, names.iter().map(String::as_str));
            Output::invalid(format!("list: there is no `{what}`{near}"))
        }
    }
}

/// The instructions of a chip, or one recipe with its page.
fn one(what: &str) -> Option<Vec<Row>> {
    if let Some(chip) = CHIPS.iter().find(|chip| chip.name() == what) {
        return Some(chip.rows().iter().map(instruction).collect());
    }
    let family = families(BITS).iter().find(|one| plain(one.name()) == plain(what))?;
    Some(vec![recipe(family, true)])
}

/// The page of one recipe, as its documentation has it, but for the example.
fn page(what: &str) -> Option<String> {
    let family = families(BITS).iter().find(|one| plain(one.name()) == plain(what))?;
    let names = family.parameters().iter().map(|name| name.to_lowercase());
    let keys: Vec<_> = names.chain(family.list().map(str::to_lowercase)).collect();
    let mut out = format!("{}: {}\n", kebab(family.name()), keys.join(", "));
    for line in family.page().iter().take_while(|line| !line.contains("```")) {
        let _ = writeln!(out, "{}", unmarked(line).trim_end());
    }
    Some(out.trim_end().to_string() + "\n")
}

fn everything(as_json: bool) -> Output {
    if as_json {
        let all = TABLES.map(|(name, table)| (name, table()));
        return Output::done(pretty(&All(&all)));
    }
    let mut out = String::new();
    // Instructions are hundreds: they are listed by chip.
    for (name, table) in TABLES.iter().filter(|(name, _)| *name != "instructions") {
        let _ = writeln!(out, "{name}\n{}", lines(&table()));
    }
    let all = CHIPS.iter().fold(Tally::NONE, |all, chip| all.plus(chip.tally()));
    let _ = writeln!(out, "instructions: {all}\n`tiledesc list gfx942` prints those of a chip");
    Output::done(out)
}

fn chips() -> Vec<Row> {
    let chip = |chip: &Chip| {
        Row::default()
            .with("chip", chip.name())
            .with("lanes", chip.wave())
            .with("bytes", chip.lds())
            .with("banks", chip.banks())
            .with("rows", chip.tally().to_string())
    };
    CHIPS.iter().map(chip).collect()
}

fn instructions() -> Vec<Row> {
    CHIPS.iter().flat_map(|chip| chip.rows()).map(instruction).collect()
}

fn instruction(row: &Instruction) -> Row {
    let service = row.service();
    let rival = row.rival().map(|rival| {
        format!("{} banks, {} phases by {}", rival.banks, rival.phases.count(), rival.source)
    });
    Row::default()
        .with("chip", row.chip())
        .with("instruction", row.name())
        .with("access", word_of(row.access()))
        .with("bytes", row.bytes() * row.parts() as u32)
        .with("banks", service.banks)
        .with("phases", service.phases.count())
        .with("evidence", service.evidence.name())
        .with("source", service.source)
        .with("disputed", rival)
}

fn patterns() -> Vec<Row> {
    let pattern = |named: &Named| {
        let parameter = named.parameter().map(|name| format!(" {name}")).unwrap_or_default();
        Row::default()
            .with("pattern", kebab(named.name()) + &parameter)
            .with("touches", words(named.page().iter().copied()))
    };
    NAMED.iter().map(pattern).collect()
}

fn recipes() -> Vec<Row> {
    families(BITS).iter().map(|family| recipe(family, false)).collect()
}

fn recipe(family: &Family, with_page: bool) -> Row {
    let names = family.parameters().iter().map(|name| name.to_lowercase());
    let names: Vec<_> = names.chain(family.list().map(str::to_lowercase)).collect();
    let page = family.page().iter().copied();
    let about = match with_page {
        true => words(page.take_while(|line| !line.contains("```"))),
        false => words(page.take_while(|line| !line.trim().is_empty())),
    };
    Row::default()
        .with("recipe", kebab(family.name()))
        .with("parameters", names.join(" "))
        .with("about", about)
        .with("source", family.source().map(unmarked))
}

fn elements() -> Vec<Row> {
    let element = |one: &ElementName| {
        Row::default()
            .with("element", one.code.to_lowercase())
            .with("also", one.name)
            .with("bits", one.bits)
    };
    ELEMENTS.iter().map(element).collect()
}

fn languages() -> Vec<Row> {
    let language = |form: &emit::Form| {
        Row::default()
            .with("language", form.language().to_lowercase())
            .with("extension", form.extension())
    };
    emit::FORMS.iter().map(language).collect()
}

/// Lines of a page as one, without Markdown's marks.
fn words<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let text = lines.map(unmarked).collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `struct@super::GemmXor` links and code marks as plain words.
pub(crate) fn unmarked(line: &str) -> String {
    let mut text = line.replace('`', "");
    while let (Some(begin), Some(end)) = (text.find("]("), text.find(')')) {
        if end < begin {
            break;
        }
        text.replace_range(begin..=end, "");
        text = text.replacen('[', "", 1);
    }
    text
}

/// Rows as columns of text: the first fields aligned, the last as it is.
fn lines(rows: &[Row]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(fields).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|row| row.get(i)).map(String::len).max();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (i, field) in row.iter().enumerate() {
            // A long column would push what follows out of sight.
            let width = if i + 1 == columns { 0 } else { width(i).unwrap_or(0).min(40) };
            let _ = write!(line, "  {field:width$}");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn fields(row: &Row) -> Vec<String> {
    let field = |(name, value): &(&'static str, Value)| match (*name, value) {
        ("bytes" | "banks" | "phases" | "lanes" | "bits", Value::Number(n)) => {
            let count = n.as_u64().unwrap_or(0) as usize;
            plural(count, name.trim_end_matches('s'))
        }
        ("disputed", Value::String(text)) => format!("disputed: {text}"),
        ("also", Value::String(text)) => text.clone(),
        ("extension", Value::String(text)) => format!(".{text}"),
        (_, Value::String(text)) => text.clone(),
        (_, Value::Null) => String::new(),
        (_, other) => other.to_string(),
    };
    row.0.iter().map(field).collect()
}
