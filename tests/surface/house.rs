//! The sources keep their order: the rooms form a stack, a file uses only files of its own
//! room or of rooms below, and no files use each other in a circle. The coordinate half knows
//! nothing about bytes, lanes or banks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of `transforms/src`, from the ground up: the way of a coordinate.
const COORDINATES: &[&str] = &[
    "attempt",
    "seal",
    "number",
    "sequence",
    "error",
    "index",
    "transform",
    "plan",
    "linear",
    "typed",
    "law",
    "strategy",
];

/// The rooms of `src`, from the ground up.
const HARDWARE: &[&str] = &[
    "element",
    "parameter",
    "layout",
    "recipe",
    "chip",
    "access",
    "bank",
    "search",
    "storage",
    "exchange",
    "emit",
    "plot",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The files of a crate by their modules, `plan` and `plan::compose`, and what each uses.
struct House {
    files: BTreeMap<String, PathBuf>,
}

impl House {
    fn of(root: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        let module = |file: &Path| {
            let inside = file.strip_prefix(&root).unwrap().with_extension("");
            let parts: Vec<_> = inside.iter().map(|part| part.to_str().unwrap()).collect();
            parts.join("::")
        };
        Self { files: files(&root).into_iter().map(|file| (module(&file), file)).collect() }
    }

    /// The file that holds what a path names: the longest part of it that is a file.
    fn holder(&self, path: &str) -> Option<&str> {
        let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
        ends.filter_map(|end| self.files.get_key_value(&path[..end]))
            .last()
            .map(|(k, _)| k.as_str())
    }

    /// The files that a file uses. A room that names its own files does not use them.
    fn uses(&self, module: &str) -> BTreeSet<&str> {
        let text = fs::read_to_string(&self.files[module]).unwrap();
        let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        let outer = parent.rsplit_once("::").map_or("", |(outer, _)| outer);
        let mut found = BTreeSet::new();
        for path in paths(&code(&text)) {
            let path = path.strip_prefix("$").unwrap_or(&path);
            let full = match path.strip_prefix("crate::") {
                Some(rest) => rest.to_owned(),
                None => match path.strip_prefix("super::super::") {
                    Some(rest) => format!("{outer}::{rest}"),
                    None => format!("{parent}::{}", path.trim_start_matches("super::")),
                },
            };
            found.extend(self.holder(full.trim_start_matches("::")));
        }
        found.retain(|other| *other != module && !other.starts_with(&format!("{module}::")));
        found
    }
}

/// The text without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// All paths that begin with `crate::` or `super::`, those in braces one by one.
fn paths(code: &str) -> Vec<String> {
    let starts = ["crate::", "super::"].iter().flat_map(|start| code.match_indices(start));
    let whole = |at: usize| {
        !code[..at].ends_with("super::") && !code[..at].ends_with(char::is_alphanumeric)
    };
    starts.filter(|(at, _)| whole(*at)).flat_map(|(at, _)| spread(&code[at..])).collect()
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn spread(code: &str) -> Vec<String> {
    let end =
        code.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(code.len());
    let (path, rest) = code.split_at(end);
    if !path.ends_with("::") || !rest.starts_with('{') {
        return vec![path.trim_end_matches(':').to_owned()];
    }
    let (mut depth, mut items, mut item) = (0, Vec::new(), String::new());
    for c in rest.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            '{' if depth == 1 => {}
            ',' if depth == 1 => items.push(core::mem::take(&mut item)),
            _ if depth == 0 => break,
            _ => item.push(c),
        }
    }
    items.push(item);
    let items = items.iter().map(|item| item.trim()).filter(|item| !item.is_empty());
    items.flat_map(spread).map(|item| format!("{path}{item}")).collect()
}

fn check_order(root: &str, rooms: &[&str]) {
    let house = House::of(root);
    let place = |module: &str| {
        let room = module.split("::").next().unwrap();
        rooms
            .iter()
            .position(|known| *known == room)
            .unwrap_or_else(|| panic!("{room} has no place"))
    };
    let inside =
        || house.files.keys().filter(|module| !["lib", "macros"].contains(&module.as_str()));
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in inside() {
        let uses = house.uses(module);
        for other in &uses {
            assert!(
                place(other) <= place(module),
                "{root}: {module} uses {other}, a room above it"
            );
        }
        left.insert(module, uses);
    }
    // Files that use none of the others leave; what stays is a circle or stands on one.
    while let Some(free) =
        left.iter().find(|(_, uses)| uses.is_disjoint(&left.keys().copied().collect()))
    {
        let free = *free.0;
        left.remove(free);
    }
    assert!(left.is_empty(), "{root}: files that use each other in a circle: {left:#?}");
}

#[test]
fn coordinates_in_order() {
    check_order("transforms/src", COORDINATES);
}

#[test]
fn hardware_in_order() {
    check_order("src", HARDWARE);
}

/// What the order is read from.
#[test]
fn paths_are_read() {
    let code = code(
        "use crate::a::{b, c::{D, e}}; // crate::no\nlet x = super::f::G::h(super::super::i);",
    );
    let found: BTreeSet<_> = paths(&code).into_iter().collect();
    let wanted =
        ["crate::a::b", "crate::a::c::D", "crate::a::c::e", "super::f::G::h", "super::super::i"];
    assert_eq!(found, wanted.map(String::from).into());
}

#[test]
fn coordinates_know_nothing_of_hardware() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("transforms/src");
    for file in files(&root) {
        for line in fs::read_to_string(&file).unwrap().lines() {
            let code = line.split("//").next().unwrap_or("").to_lowercase();
            for word in ["bank", "lane", "wave", "gfx"] {
                assert!(!code.contains(word), "{}: {line}", file.display());
            }
        }
    }
}

/// No `unsafe`, anywhere.
#[test]
fn nothing_unsafe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "transforms/src", "examples"] {
        for file in files(&root.join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert!(!code.into_iter().any(|line| line.contains("unsafe ")), "{}", file.display());
        }
    }
}
