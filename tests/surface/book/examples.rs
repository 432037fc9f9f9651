//! What a user calls has an example: in its own documentation, or in that of its file, which is its
//! type's page or its module's.
//!
//! Read from the source text: what a macro declares has the examples of the macro.

use std::fs;
use std::path::{Path, PathBuf};

/// What needs none, and why.
fn reason(name: &str, body: &str) -> Option<&'static str> {
    let is_part = |expression: &str| {
        let plain = expression.trim_start_matches('&').trim_end_matches(".as_slice()");
        plain.strip_prefix("self.").is_some_and(|part| {
            part.split('.').all(|one| {
                let one = one.trim_end_matches("()");
                !one.is_empty() && one.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            })
        })
    };
    match name {
        "explain" | "text" | "found" => {
            Some("the sentence of a verdict or an error, as Display writes it")
        }
        name if name.starts_with("refuse") || name.starts_with("or_refuse") => {
            Some("the compiler's stop, which the pages of refusals show")
        }
        _ if is_part(body) => Some("hands back a part, as its own sentence says"),
        _ => None,
    }
}

/// A public function or macro, with its documentation and the first lines of its body.
#[derive(Debug)]
struct Item {
    line: usize,
    name: String,
    page: String,
    body: String,
}

fn name_of(line: &str) -> Option<String> {
    let rest = line.strip_prefix("pub ")?;
    let rest = rest.strip_prefix("const ").unwrap_or(rest);
    let rest = rest.strip_prefix("fn ")?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    // A name that a macro makes is not a name here.
    (end > 0).then(|| rest[..end].to_string())
}

fn macro_of(line: &str, page: &str) -> Option<String> {
    let rest = line.strip_prefix("macro_rules! ")?;
    page.contains("#[macro_export]").then(|| rest.trim_end_matches(" {").to_string())
}

/// The items of a file, and all lines of its examples.
fn read(text: &str) -> (Vec<Item>, String) {
    let (mut items, mut examples, mut page, mut inside) =
        (Vec::new(), String::new(), String::new(), false);
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    // Whether a `#[doc = ..` of several lines is open.
    let mut open = false;
    for (i, line) in lines.iter().enumerate() {
        let words = ["///", "//!"].iter().find_map(|mark| line.strip_prefix(mark));
        if let Some(words) = words {
            if words.trim_start().starts_with("```") {
                inside = !inside;
            } else if inside {
                examples += words;
                examples.push('\n');
            }
        }
        if let Some(name) = name_of(line).or_else(|| macro_of(line, &page)) {
            let body = lines[i..].iter().skip_while(|line| !line.ends_with('{')).nth(1);
            let body = body.copied().unwrap_or_default().to_string();
            items.push(Item { line: i + 1, name, page: core::mem::take(&mut page), body });
        } else if open || line.starts_with("///") || line.starts_with("#[") {
            open = match open {
                true => !line.ends_with("\")]"),
                false => line.starts_with("#[doc") && !line.ends_with(']'),
            };
            page += line;
            page.push('\n');
        } else if !line.is_empty() && !line.ends_with(")]") {
            page.clear();
        }
    }
    (items, examples)
}

/// Whether a text calls a function or macro, or names it by its path: `on` is a word of statements,
/// too.
fn calls(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_called = ["(", "!", "::<"].iter().any(|mark| after.starts_with(mark));
        let is_path = before.ends_with("::") && !after.starts_with(is_part);
        !before.ends_with(is_part) && (is_called || is_path)
    })
}

/// Those of a file that have none, and how many there are in all.
fn without(text: &str) -> (Vec<Item>, usize) {
    let (items, examples) = read(text);
    let hidden = |item: &Item| item.page.contains("doc(hidden)");
    let items: Vec<_> = items.into_iter().filter(|item| !hidden(item)).collect();
    let all = items.len();
    let is_without = |item: &Item| {
        let own = item.page.contains("```") || item.page.contains("example!");
        !own && !calls(&examples, &item.name) && reason(&item.name, &item.body).is_none()
    };
    (items.into_iter().filter(is_without).collect(), all)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn what_a_user_calls_has_an_example() {
    let mut files = Vec::new();
    sources(&super::root().join("src"), &mut files);
    sources(&super::root().join("transforms/src"), &mut files);
    for room in ["conversion", "exchange", "emit", "plot"] {
        files.push(super::root().join(format!("host/src/{room}.rs")));
        sources(&super::root().join(format!("host/src/{room}")), &mut files);
    }
    files.sort();
    let (mut missing, mut all) = (Vec::new(), 0);
    for path in files {
        let (items, count) = without(&fs::read_to_string(&path).unwrap());
        let place = path.strip_prefix(super::root()).unwrap().display().to_string();
        missing.extend(items.iter().map(|item| format!("{place}:{}: {}", item.line, item.name)));
        all += count;
    }
    println!(
        "{all} functions and macros, {} without an example:\n{}",
        missing.len(),
        missing.join("\n")
    );
    assert!(all > 500, "{all}: the reader has gone blind");
    assert_eq!(missing, [""; 0], "an example is wanted");
}

#[test]
fn the_reader_sees() {
    let text = "//! Of a file.\n//! ```\n//! let a = shown() on bare;\n//! ```\n\
        /// Says.\npub fn shown() {\n}\n\
        /// Says.\n///\n/// ```\n/// assert_eq!(1, 1);\n/// ```\n#[must_use]\npub const fn own(&self) -> u32 {\n1\n}\n\
        /// Says nothing.\n#[must_use]\npub fn bare(a: u32) -> u32 {\na + 1\n}\n\
        /// A part.\npub const fn part(&self) -> &[u32] {\nself.part.as_slice()\n}\n\
        #[doc = example!(Tile \"```\nlet a = [1];\n```\")]\n#[must_use]\npub fn made() -> u32 {\n1\n}\n\
        #[doc(hidden)]\npub fn __inner() {\n}\n\
        fn private() {\n}\npub(crate) fn ours() {\n}\n\
        #[macro_export]\nmacro_rules! naked {\n}\nmacro_rules! inner {\n}\n";
    let (items, all) = without(text);
    let names: Vec<_> = items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!((names, all), (vec!["bare", "naked"], 6));
}
