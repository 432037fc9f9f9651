//! What a sentence names exists: the paths and macros in the string literals of the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The string literals of all sources, outside of comments.
fn literals() -> String {
    let mut found = String::new();
    for_each_source(&mut |text| {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            // Every second piece; an escaped quote is none.
            let line = line.replace("\\\"", "'");
            found.extend(line.split('"').skip(1).step_by(2).flat_map(|piece| [piece, "\n"]));
        }
    });
    found
}

fn for_each_source(visit: &mut dyn FnMut(&str)) {
    fn walk(folder: &Path, visit: &mut dyn FnMut(&str)) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, visit);
            } else {
                visit(&fs::read_to_string(path).unwrap());
            }
        }
    }
    for folder in ["src", "transforms/src"] {
        walk(&support::root().join(folder), visit);
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names that stand right after `before` in the literals.
fn named(before: &str) -> BTreeSet<String> {
    let literals = literals();
    let after =
        literals.match_indices(before).filter(|(at, _)| !literals[..*at].ends_with(is_name));
    after
        .map(|(at, _)| literals[at + before.len()..].chars().take_while(|c| is_name(*c)).collect())
        .filter(|name: &String| !name.is_empty())
        .collect()
}

fn exists(definition: &str) -> bool {
    let mut found = false;
    for_each_source(&mut |text| {
        found |= text
            .match_indices(definition)
            .any(|(at, _)| !text[at + definition.len()..].starts_with(is_name));
    });
    found
}

#[test]
fn laws_exist() {
    // The sentence is composed: `use law::`, and the law that stands in the error.
    let mut laws = BTreeSet::new();
    for_each_source(&mut |text| {
        for (at, before) in text.match_indices("Undecided { law: \"") {
            let law = text[at + before.len()..].split('"').next().unwrap();
            laws.insert(law.replace(' ', "_"));
        }
    });
    assert!(laws.len() >= 3 && laws.contains("injective"), "{laws:?}");
    for law in laws.iter().chain(&named("law::")) {
        assert!(exists(&format!("pub fn {law}")), "law::{law} is named and does not exist");
    }
}

#[test]
fn recipes_and_items_exist() {
    let recipes = named("recipe::");
    assert!(recipes.len() >= 3 && recipes.contains("GemmXor"), "{recipes:?}");
    for recipe in recipes {
        assert!(
            exists(&format!("pub struct {recipe}")) || exists(&format!("pub type {recipe}")),
            "recipe::{recipe} is named and does not exist"
        );
    }
    for item in named("tiledesc::") {
        assert!(exists(&format!("mod {item}")), "tiledesc::{item} is named and does not exist");
    }
}

/// `layout!`, `descriptor!`: a name right before an exclamation mark.
#[test]
fn macros_exist() {
    let literals = literals();
    let macros: BTreeSet<&str> = literals
        .match_indices('!')
        .map(|(at, _)| literals[..at].rsplit(|c| !is_name(c)).next().unwrap())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(macros.contains("layout") && macros.contains("descriptor"), "{macros:?}");
    // Examples are written with core's too.
    for name in macros.into_iter().filter(|name| !["assert", "assert_eq"].contains(name)) {
        assert!(exists(&format!("macro_rules! {name}")), "{name}! is named and does not exist");
    }
}
