//! The order of a crate's files. Rows are stated from the ground up; a file uses only files of its own row or of
//! rows before it, and no files use each other in a circle, so that a reader can stop at any row having understood
//! all before it.
//!
//! ```text
//!   rows: element.rs, access, bank              src/access/window.rs
//!   lib.rs:  pub use bank::Verdict;             use crate::element::Bits;     a row before: well
//!   bank.rs: pub use verdict::Verdict;          use crate::bank::Verdict;     a row after: refused
//!                                               use crate::Verdict;           the same, by way of lib.rs
//! ```
//!
//! `source` reads a file and `road` follows a path. What no path says is not seen: a method of a type, say, that a
//! later file implements.

mod road;
mod source;

use road::Roads;
use source::{Names, Source};
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
        let read = |(file, text): (&String, &String)| (file.clone(), Source::read(text, module(file)));
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
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// What the crate is called in Rust.
    pub name: &'a str,
    /// From the ground up: `bank` is `bank.rs` and the folder `bank`, `bank.rs` is that file alone. The roots `lib.rs`,
    /// `main.rs` and `bin/..` stand above all rows, unless they have one.
    pub rows: &'a [&'a str],
    /// The crates of the repository, and those of them that this one may name.
    pub crates: &'a [&'a str],
    pub may_name: &'a [&'a str],
}

/// A file uses another.
struct Use {
    line: usize,
    path: String,
    other: String,
}

impl Order<'_> {
    /// Everything that is out of order, a sentence each.
    pub fn faults(&self, house: &House) -> Vec<String> {
        let roads = Roads::new(self.name, &house.sources);
        let mut faults = self.rows_and_files(house);
        let mut edges: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (file, source) in &house.sources {
            let (uses, foreign) = uses(&roads, file, source);
            faults.extend(foreign.iter().filter_map(|one| self.foreign_fault(file, one)));
            if self.row(file).is_none() {
                continue;
            }
            faults.extend(uses.iter().filter_map(|one| self.fault(file, one)));
            edges.insert(file, uses.into_iter().map(|one| one.other).collect());
        }
        faults.extend(circles(&edges));
        faults
    }

    /// How many uses of other files there are: an order that nothing is read from would be kept too.
    pub fn count(&self, house: &House) -> usize {
        let roads = Roads::new(self.name, &house.sources);
        house.sources.iter().map(|(file, source)| uses(&roads, file, source).0.len()).sum()
    }

    fn row(&self, file: &str) -> Option<usize> {
        let is_in = |row: &&str| match row.strip_suffix(".rs") {
            Some(_) => file == *row,
            None => file.strip_prefix(*row).is_some_and(|r| r == ".rs" || r.starts_with('/')),
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

    fn fault(&self, file: &str, one: &Use) -> Option<String> {
        let Use { line, path, other } = one;
        let why = match (self.row(file)?, self.row(other)) {
            (_, None) => "which stands above all rows".to_string(),
            (own, Some(row)) if row > own => {
                format!("and `{}` comes after `{}`", self.rows[row], self.rows[own])
            }
            _ => return None,
        };
        Some(format!("{file}:{line}: `{path}` leads to {other}, {why}"))
    }

    fn foreign_fault(&self, file: &str, one: &Use) -> Option<String> {
        let Use { line, path, other } = one;
        let is_ours = self.crates.contains(&other.as_str());
        (is_ours && !self.may_name.contains(&other.as_str()))
            .then(|| format!("{file}:{line}: `{path}` names {other}, which {} may not", self.name))
    }
}

/// What a file uses of its crate, and of others. Its own folder is no other file to it.
fn uses(roads: &Roads<'_>, file: &str, source: &Source) -> (Vec<Use>, Vec<Use>) {
    let (mut own, mut foreign) = (Vec::new(), Vec::new());
    let folder = match is_root(file) {
        true => String::new(),
        false => format!("{}/", file.trim_end_matches(".rs")),
    };
    for path in &source.paths {
        let end = roads.end(file, path);
        let to = |other: String| Use { line: path.line, path: path.names.join("::"), other };
        let others = end.files.into_iter().filter(|o| o != file && !o.starts_with(&folder));
        own.extend(others.map(to));
        foreign.extend(end.foreign.map(to));
    }
    (own, foreign)
}

/// Whether a file is the root of a library or of a program.
fn is_root(file: &str) -> bool {
    file == "lib.rs" || file == "main.rs" || file.starts_with("bin/")
}

/// The module that a file is, from the root of its crate.
fn module(file: &str) -> Names {
    match is_root(file) {
        true => Names::new(),
        false => file.trim_end_matches(".rs").split('/').map(String::from).collect(),
    }
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
            let longer = [&way[..], std::slice::from_ref(next)].concat();
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
