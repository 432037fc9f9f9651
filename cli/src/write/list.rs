//! `list`: rows as columns of text, or as JSON.

use crate::answer::list::{self, Row, TABLES};
use crate::request::args::List;
use crate::request::spelling::{columns, did_you_mean, plural};
use crate::write::json::pretty;
use crate::write::output::Output;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt::Write;
use tiledesc::chip::{CHIPS, Tally};

pub(crate) fn run(asked: &List) -> Output {
    let Some(what) = &asked.what else { return everything(asked.json) };
    match list::rows(what) {
        Some(rows) if asked.json => Output::done(pretty(&rows)),
        Some(rows) => Output::done(list::page(what).unwrap_or_else(|| lines(&rows))),
        None => {
            let names = list::words_known();
            let near = did_you_mean(what, names.iter().map(String::as_str));
            Output::invalid(format!("list: there is no `{what}`{near}"))
        }
    }
}

/// All tables by name.
struct All<'a>(&'a [(&'static str, Vec<Row>)]);

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, rows)| (name, rows)))
    }
}

fn everything(as_json: bool) -> Output {
    if as_json {
        let all = TABLES.map(|(name, table)| (name, table()));
        return Output::done(pretty(&All(&all)));
    }
    let mut out = String::new();
    // Instructions are hundreds: they are listed by chip, with what fills tiles.
    let by_chip = ["instructions", "transfers"];
    for (name, table) in TABLES.iter().filter(|(name, _)| !by_chip.contains(name)) {
        let _ = writeln!(out, "{name}\n{}", lines(&table()));
    }
    let all = CHIPS.iter().fold(Tally::NONE, |all, chip| all.plus(chip.tally()));
    let _ = writeln!(out, "instructions: {all}\n`tiledesc list gfx942` prints those of a chip");
    Output::done(out)
}

/// Rows as columns of text; a long one would push what follows out of sight.
fn lines(rows: &[Row]) -> String {
    columns(&rows.iter().map(fields).collect::<Vec<_>>(), 40)
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
