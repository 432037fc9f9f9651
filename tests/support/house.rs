//! The order of a crate's files. Rows are stated from the ground up; a file uses only files of its own row or of
//! rows before it, and the files of a row do not use each other in a circle, so that a reader can stop at any row
//! having understood all before it. A file that has others by `mod` may use them.
//!
//! ```text
//!   rows: element.rs, access, bank              src/access/window.rs
//!   lib.rs:  pub use bank::Verdict;             use crate::element::Bits;     a row before: well
//!   bank.rs: pub use verdict::Verdict;          use crate::bank::Verdict;     a row after: refused
//!                                               use crate::Verdict;           the same, by way of lib.rs
//! ```
//!
//! `source` reads a file and `road` follows a path. `impls` has the second rule: a type's methods are in its own room.

mod impls;
mod road;
mod source;

pub use impls::Door;
use road::Roads;
use source::{Source, is_root, module};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The files of a crate, by their paths in its folder, `bank/verdict.rs`.
pub struct House {
    texts: BTreeMap<String, String>,
    sources: BTreeMap<String, Source>,
}

impl House {
    /// Of the texts of files.
    pub fn new(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        let texts: BTreeMap<_, _> = texts.into_iter().collect();
        let read =
            |(file, text): (&String, &String)| (file.clone(), Source::read(text, module(file)));
        Self { sources: texts.iter().map(read).collect(), texts }
    }

    /// Of all `.rs` files of a folder.
    pub fn of(folder: &Path) -> Self {
        let mut texts = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(inner) = folders.pop() {
            for entry in std::fs::read_dir(&inner).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let file = path.strip_prefix(folder).unwrap().to_str().unwrap();
                    texts.push((file.replace('\\', "/"), std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
        Self::new(texts)
    }

    pub fn text(&self, file: &str) -> &str {
        &self.texts[file]
    }

    /// Another text of a file.
    pub fn put(&mut self, file: &str, text: String) {
        self.sources.insert(file.to_string(), Source::read(&text, module(file)));
        self.texts.insert(file.to_string(), text);
    }
}

/// What the files of a crate should keep to.
#[derive(Clone, Debug)]
pub struct Order {
    /// What the crate is called in Rust.
    pub name: String,
    /// From the ground up: `bank` is `bank.rs` and the folder `bank`, `bank.rs` is that file alone. The roots `lib.rs`,
    /// `main.rs` and `bin/..` stand above all rows, unless they have one.
    pub rows: Vec<String>,
    /// The crates of the repository, and those of them that this one may name.
    pub crates: Vec<String>,
    pub may_name: Vec<String>,
}

/// A path, and what it leads to.
struct Use {
    line: usize,
    path: String,
    others: BTreeSet<String>,
}

impl Order {
    /// Everything that is out of order, a sentence each.
    pub fn faults(&self, house: &House) -> Vec<String> {
        let roads = Roads::new(&self.name, &house.sources);
        let mut faults = self.rows_and_files(house);
        let mut inside: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (file, source) in &house.sources {
            for path in &source.paths {
                let (own, foreign) = uses(&roads, file, path);
                faults.extend(self.foreign_fault(file, &foreign));
                faults.extend(self.fault(file, &own));
                let row = self.row(file);
                let beside = own.others.into_iter().filter(|o| row.is_some() && self.row(o) == row);
                inside.entry(file).or_default().extend(beside.filter(|o| !is_child(o, file)));
            }
        }
        faults.extend(circles(&inside));
        faults
    }

    /// How many paths to other files there are: an order that nothing is read from would be kept too.
    pub fn count(&self, house: &House) -> usize {
        let roads = Roads::new(&self.name, &house.sources);
        let all = house.sources.iter().flat_map(|(file, s)| s.paths.iter().map(move |p| (file, p)));
        all.filter(|(file, path)| !uses(&roads, file, path).0.others.is_empty()).count()
    }

    fn row(&self, file: &str) -> Option<usize> {
        let is_in = |row: &String| match row.ends_with(".rs") {
            true => file == row,
            false => file.strip_prefix(&row[..]).is_some_and(|r| r == ".rs" || r.starts_with('/')),
        };
        let rows = (0..self.rows.len()).filter(|at| is_in(&self.rows[*at]));
        // A folder of a room may have a row of its own.
        rows.max_by_key(|at| self.rows[*at].len())
    }

    /// Files without a row, and rows without a file.
    fn rows_and_files(&self, house: &House) -> Vec<String> {
        let without = house.texts.keys().filter(|file| self.row(file).is_none() && !is_root(file));
        let mut faults: Vec<_> = without.map(|file| format!("{file} has no row")).collect();
        for (at, row) in self.rows.iter().enumerate() {
            if !house.texts.keys().any(|file| self.row(file) == Some(at)) {
                faults.push(format!("`{row}` is a row without a file, or a second row of one"));
            }
        }
        faults
    }

    /// What is wrong with a use. A root may use all; what has no row of its own is a root, which nobody may use.
    fn fault(&self, file: &str, one: &Use) -> Option<String> {
        let Use { line, path, others } = one;
        let own = self.row(file)?;
        let wrong: Vec<_> =
            others.iter().filter(|o| self.row(o).is_none_or(|row| row > own)).collect();
        let last = wrong.last()?;
        let why = match self.row(last) {
            None => "which stands above all rows".to_string(),
            Some(row) => format!("and `{}` comes after `{}`", self.rows[row], self.rows[own]),
        };
        let to: Vec<_> = wrong.iter().map(|other| other.as_str()).collect();
        Some(format!("{file}:{line}: `{path}` leads to {}, {why}", to.join(" and ")))
    }

    fn foreign_fault(&self, file: &str, one: &Use) -> Option<String> {
        let Use { line, path, others } = one;
        let is_wrong =
            |other: &&String| self.crates.contains(other) && !self.may_name.contains(other);
        let other = others.iter().find(is_wrong)?;
        Some(format!("{file}:{line}: `{path}` names {other}, which {} may not", self.name))
    }
}

/// What a path leads to in its crate, and in others. A root has all files below it by `mod`.
fn uses<'a>(roads: &Roads<'a>, file: &'a str, path: &'a source::Path) -> (Use, Use) {
    let end = roads.end(file, path);
    let to = |others| Use { line: path.line, path: path.names.join("::"), others };
    let others = end.files.into_iter().filter(|other| other != file && !is_root(file));
    (to(others.collect()), to(end.foreign.into_iter().collect()))
}

/// Returns whether a file is in the folder of another, which has it by `mod`.
fn is_child(file: &str, of: &str) -> bool {
    file.strip_prefix(of.trim_end_matches(".rs")).is_some_and(|rest| rest.starts_with('/'))
}

/// A sentence for each circle of files, by the shortest way around.
fn circles(edges: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    let mut told = BTreeSet::new();
    let mut faults = Vec::new();
    for file in edges.keys() {
        let Some(way) = way_back(edges, file) else { continue };
        // The same circle is found from each of its files.
        if told.insert(way.iter().cloned().collect::<BTreeSet<_>>()) {
            faults.push(format!("a circle: {}", way.join(" -> ")));
        }
    }
    faults
}

/// The shortest way from a file to itself, both ends included.
fn way_back(edges: &BTreeMap<&str, BTreeSet<String>>, file: &str) -> Option<Vec<String>> {
    let mut ways = std::collections::VecDeque::from([vec![file.to_string()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in edges.get(way.last()?.as_str())? {
            let longer = [&way[..], core::slice::from_ref(next)].concat();
            if next == file {
                return Some(longer);
            }
            if edges.contains_key(next.as_str()) && seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
}
