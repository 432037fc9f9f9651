//! A table with one fault in it: every field of a JSON value, corrupted in every way that its
//! kind allows. What a reader does not notice, he does not read.
//!
//! ```text
//! for fault in corruptions(&table) {
//!     let noticed = read(&fault.json).is_err();   // or a list of failures that is not empty
//!     faults.judge("its name", &fault, noticed);
//! }
//! faults.report(&[("cases.*.title", &[], "words for a reader")]);
//! ```

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A copy of a table with one fault.
pub struct Corrupted {
    /// Where: `expected.published.max_way`, `lane_addresses.17`.
    pub path: String,
    /// The same without numbers of items: `lane_addresses.*`.
    pub field: String,
    /// What was done.
    pub how: Fault,
    pub json: Value,
}

/// What is done to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A number, one larger.
    OneMore,
    /// A number, doubled and one more, so that 0 changes too.
    Doubled,
    /// A truth value, its opposite.
    Flipped,
    /// A text with a letter more.
    Misspelt,
    /// Something where nothing was, 1.
    Given,
    /// A list or an object without its items.
    Emptied,
    /// A list without its last item.
    Shortened,
    /// An object with a field that nobody knows.
    Widened,
}

/// Every corruption of every field of a value, one at a time, in the order of the file.
pub fn corruptions(json: &Value) -> impl Iterator<Item = Corrupted> + '_ {
    places(json).into_iter().flat_map(move |place| {
        let here = at(json, &place).cloned().unwrap_or_default();
        faults_of(&here).into_iter().map(move |(how, value)| {
            let mut copy = json.clone();
            if let Some(field) = at_mut(&mut copy, &place) {
                *field = value;
            }
            let path = place.join(".");
            let is_item = |step: &String| step.bytes().all(|byte| byte.is_ascii_digit());
            let general = place.iter().map(|step| if is_item(step) { "*" } else { step });
            let field = general.collect::<Vec<_>>().join(".");
            Corrupted { path, field, how, json: copy }
        })
    })
}

/// The way to each field, the table itself excluded.
fn places(json: &Value) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut open: Vec<(Vec<String>, &Value)> = vec![(Vec::new(), json)];
    while let Some((place, value)) = open.pop() {
        let inner: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(key, v)| (key.clone(), v)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect()
            }
            _ => Vec::new(),
        };
        open.extend(inner.into_iter().rev().map(|(step, value)| {
            let mut inner = place.clone();
            inner.push(step);
            (inner, value)
        }));
        if !place.is_empty() {
            all.push(place);
        }
    }
    all
}

fn at<'a>(json: &'a Value, place: &[String]) -> Option<&'a Value> {
    place.iter().try_fold(json, |value, step| match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        other => other.get(step),
    })
}

fn at_mut<'a>(json: &'a mut Value, place: &[String]) -> Option<&'a mut Value> {
    place.iter().try_fold(json, |value, step| match value {
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        other => other.get_mut(step),
    })
}

/// What can be wrong with a value, and the value that it then is.
fn faults_of(value: &Value) -> Vec<(Fault, Value)> {
    match value {
        Value::Null => vec![(Fault::Given, Value::from(1))],
        Value::Bool(flag) => vec![(Fault::Flipped, Value::from(!flag))],
        Value::String(text) => vec![(Fault::Misspelt, Value::from(format!("{text}x")))],
        Value::Number(_) => vec![
            (Fault::OneMore, changed(value, |n| n + 1, |n| n + 1.0)),
            (Fault::Doubled, changed(value, |n| 2 * n + 1, |n| 2.0 * n + 1.0)),
        ],
        Value::Array(items) if items.is_empty() => vec![(Fault::Given, vec![1].into())],
        Value::Array(items) => vec![
            (Fault::Emptied, Vec::<Value>::new().into()),
            (Fault::Shortened, items[..items.len() - 1].to_vec().into()),
        ],
        Value::Object(fields) => {
            let mut wide = fields.clone();
            wide.insert("a_field_nobody_knows".to_owned(), Value::from(1));
            let mut all = vec![(Fault::Widened, wide.into())];
            if !fields.is_empty() {
                all.push((Fault::Emptied, Map::new().into()));
            }
            all
        }
    }
}

/// A whole number stays whole.
fn changed(value: &Value, whole: fn(i64) -> i64, real: fn(f64) -> f64) -> Value {
    match value.as_i64() {
        Some(number) => whole(number).into(),
        None => real(value.as_f64().unwrap_or(0.0)).into(),
    }
}

/// Which faults were noticed.
#[derive(Default)]
pub struct Faults {
    noticed: usize,
    /// By field and fault: where.
    unnoticed: BTreeMap<(String, Fault), Vec<String>>,
}

impl Faults {
    pub fn judge(&mut self, table: &str, fault: &Corrupted, noticed: bool) {
        if noticed {
            self.noticed += 1;
        } else {
            let at = format!("{table}: {}", fault.path);
            self.unnoticed.entry((fault.field.clone(), fault.how)).or_default().push(at);
        }
    }

    /// Prints the tally, and fails on a fault that went unnoticed in a field that may not be
    /// ignored, or where a field need not be. `may` is a field, the faults (all, if none is
    /// listed) and the reason.
    pub fn report(&self, may: &[(&str, &[Fault], &str)]) {
        let allows = |(field, faults, _): &(&str, &[Fault], &str), (at, how): &(String, Fault)| {
            field == at && (faults.is_empty() || faults.contains(how))
        };
        let count: usize = self.unnoticed.values().map(Vec::len).sum();
        println!("{} faults noticed, {count} in fields that may be ignored:", self.noticed);
        for entry in may {
            let of = self.unnoticed.iter().filter(|(at, _)| allows(entry, at));
            println!("{:5} {}: {}", of.map(|(_, all)| all.len()).sum::<usize>(), entry.0, entry.2);
        }
        let unread: Vec<String> = self
            .unnoticed
            .iter()
            .filter(|(at, _)| !may.iter().any(|entry| allows(entry, at)))
            .map(|((field, how), all)| format!("{field} {how:?}, {} times: {}", all.len(), all[0]))
            .collect();
        assert!(unread.is_empty(), "not read:\n{}", unread.join("\n"));
        let used =
            |entry: &&(&str, &[Fault], &str)| !self.unnoticed.keys().any(|at| allows(entry, at));
        let stale: BTreeSet<&str> = may.iter().filter(used).map(|(field, ..)| *field).collect();
        assert!(stale.is_empty(), "read, though listed as ignored: {stale:?}");
        assert!(self.noticed > 0, "no fault was noticed");
    }
}
