//! Corrupts tables, one field at a time: what a check does not notice, it does not read.
//!
//! A field is a leaf, or a list or an object as a whole. Its path has `[]` for every place
//! of a list, so that `moves[].coords[].top[]` is one path of a table. Every path of every
//! table is corrupted in one place and one way, in turn; in a deep run in the first,
//! the middle and the last place, and in every way:
//!
//! ```text
//! cargo xtask test --deep 2 --test oracles corrupting
//! ```

use crate::Table;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A path, as the keys and places that lead to it.
type Place = Vec<Key>;

#[derive(Clone)]
enum Key {
    Field(String),
    At(usize),
}

/// A field that a check may ignore, and why.
pub struct Unread {
    pub kind: &'static str,
    pub path: &'static str,
    /// Where, if not everywhere.
    pub when: Option<fn(&Corrupted<'_>) -> bool>,
    pub reason: &'static str,
}

/// A table with a field corrupted.
pub struct Corrupted<'a> {
    pub original: &'a Value,
    pub copy: &'a Value,
    /// The list or object that holds the field, in the original.
    pub holder: &'a Value,
}

impl Unread {
    /// Returns whether it names this field, or the list that the field is in.
    fn is(&self, table: &Table, path: &str) -> bool {
        let within =
            path.strip_prefix(self.path).is_some_and(|rest| rest.replace("[]", "").is_empty());
        within && self.kind == table.kind()
    }
}

fn child<'a>(json: &'a Value, key: &Key) -> &'a Value {
    match key {
        Key::Field(name) => &json[name],
        Key::At(i) => &json[i],
    }
}

fn child_mut<'a>(json: &'a mut Value, key: &Key) -> &'a mut Value {
    match key {
        Key::Field(name) => &mut json[name],
        Key::At(i) => &mut json[i],
    }
}

fn spelled(place: &[Key]) -> String {
    let mut path = String::new();
    for key in place {
        match key {
            Key::Field(name) if path.is_empty() => path = name.clone(),
            Key::Field(name) => path = format!("{path}.{name}"),
            Key::At(_) => path += "[]",
        }
    }
    path
}

/// The places of every path below `place`.
fn visit(json: &Value, place: &mut Place, found: &mut BTreeMap<String, Vec<Place>>) {
    if !place.is_empty() {
        found.entry(spelled(place)).or_default().push(place.clone());
    }
    let mut below = |key: Key, value: &Value| {
        place.push(key);
        visit(value, place, found);
        place.pop();
    };
    match json {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| below(Key::At(i), value));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| below(Key::Field(name.clone()), value));
        }
        _ => {}
    }
}

/// Other values that could stand there by mistake.
fn corrupted(value: &Value) -> Vec<Value> {
    let mut others = match value {
        Value::Null => return vec![json!(0), json!([])],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(n) if n.is_i64() => {
            let n = n.as_i64().unwrap();
            vec![json!(n + 1), json!(n - 1), json!(n + 64)]
        }
        Value::Number(n) => vec![json!(n.as_f64().unwrap() + 1.0)],
        Value::String(text) => vec![json!(format!("{text}x")), json!(other_first(text))],
        Value::Array(list) if list.is_empty() => vec![json!([0])],
        // Of cases, one more or less is another good table.
        Value::Array(list) if list[0].is_array() || list[0].is_object() => vec![json!([])],
        Value::Array(list) => {
            let twice = list.iter().chain(list.last()).collect::<Vec<_>>();
            vec![json!([]), json!(list[1..]), json!(twice)]
        }
        Value::Object(_) => vec![json!({})],
    };
    others.push(Value::Null);
    others
}

/// Another first character: `0` for `1`, `1` for anything else.
fn other_first(text: &str) -> String {
    let rest: String = text.chars().skip(1).collect();
    if text.starts_with('1') { format!("0{rest}") } else { format!("1{rest}") }
}

/// The first, the middle and the last.
fn few<T>(list: &[T]) -> Vec<&T> {
    let places = BTreeSet::from([0, list.len() / 2, list.len().saturating_sub(1)]);
    places.into_iter().filter_map(|i| list.get(i)).collect()
}

/// The paths of a table, each with its places.
fn paths(table: &Table) -> BTreeMap<String, Vec<Place>> {
    let mut found = BTreeMap::new();
    visit(&table.json, &mut Vec::new(), &mut found);
    found
}

/// Returns whether everything is to be corrupted, in every way.
pub fn everything() -> bool {
    crate::fuzz::is_deep()
}

/// One of a list in turn, or all of it.
fn some<T>(list: Vec<T>, turn: &mut usize) -> Vec<T> {
    *turn += 1;
    let one = *turn % list.len().max(1);
    let picked = |(i, item)| (everything() || i == one).then_some(item);
    list.into_iter().enumerate().filter_map(picked).collect()
}

/// What corrupting has shown.
#[derive(Default)]
struct Seen {
    turn: usize,
    noticed: usize,
    ignored: BTreeSet<usize>,
    failures: BTreeSet<String>,
}

/// Corrupts the fields of the tables in turn. `check` fails on a corrupted table, or else
/// the field must be among those that may be ignored.
pub fn every_field_is_read<T>(
    tables: &[Table],
    unread: &[Unread],
    check: impl Fn(&Table) -> Result<T, String>,
) {
    let mut seen = Seen::default();
    for table in tables {
        for (path, places) in paths(table) {
            // Whoever reads nothing of it in one table need not be asked in all.
            let asked = |i: usize| unread[i].when.is_none() && unread[i].is(table, &path);
            if !everything() && seen.ignored.iter().any(|i| asked(*i)) {
                continue;
            }
            for place in some(few(&places), &mut seen.turn) {
                every_way(table, &path, place, unread, &check, &mut seen);
            }
        }
    }
    report(unread, &seen);
}

fn every_way<T>(
    table: &Table,
    path: &str,
    place: &Place,
    unread: &[Unread],
    check: &impl Fn(&Table) -> Result<T, String>,
    seen: &mut Seen,
) {
    let holder = place[..place.len() - 1].iter().fold(&table.json, child);
    let original = child(holder, &place[place.len() - 1]);
    let mut copy = table.copy();
    for other in some(corrupted(original), &mut seen.turn) {
        *place.iter().fold(&mut copy.json, child_mut) = other.clone();
        let what = || format!("{}: {path}: {} for {}", table.name, short(&other), short(original));
        let known = |unread: &Unread| {
            let case = Corrupted { original: &table.json, copy: &copy.json, holder };
            unread.is(table, path) && unread.when.is_none_or(|when| when(&case))
        };
        match check(&copy) {
            Err(sentence) if of_the_library(&sentence) => {
                seen.failures.insert(format!("{}: a panic at {sentence}", what()));
            }
            Err(_) => seen.noticed += 1,
            Ok(_) => match unread.iter().position(known) {
                Some(i) => drop(seen.ignored.insert(i)),
                None => drop(seen.failures.insert(what())),
            },
        }
    }
}

/// Returns whether a panic was raised by the library, which must refuse instead.
fn of_the_library(sentence: &str) -> bool {
    ["src/", "transforms/"].iter().any(|folder| sentence.starts_with(folder))
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

fn report(unread: &[Unread], seen: &Seen) {
    println!("{} corruptions noticed; not read, and why:", seen.noticed);
    for (i, Unread { kind, path, reason, .. }) in unread.iter().enumerate() {
        println!("  {kind} {path}: {reason}");
        assert!(seen.ignored.contains(&i) || !everything(), "{kind} {path} is read after all");
    }
    assert!(seen.noticed + seen.failures.len() > 0, "nothing was corrupted");
    let list: Vec<&str> = seen.failures.iter().map(String::as_str).collect();
    assert!(list.is_empty(), "{} are not noticed:\n{}", list.len(), list.join("\n"));
}
