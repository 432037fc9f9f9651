//! The sources of the command line keep their order: three layers, `request`, `answer` and `write`, and
//! in each the order of its table. A file uses only files before it, so that none use each other in a
//! circle, and a reader can stop at any row of the tables having understood all above it.
//!
//! ```text
//!   src/answer.rs              src/answer/judge.rs
//!   //! | `remedy` | ..        use crate::answer::remedy::..    a row above: well
//!   //! | `judge` | ..         use crate::answer::check::..     a row below: refused
//!   //! | `check`, .. | ..     use crate::write::json::..       a layer above: refused
//!                              use crate::Output                whatever the root exports: refused
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The layers, from the ground up. Each is `src/<layer>.rs`, which has the table, and a folder.
const LAYERS: [&str; 3] = ["request", "answer", "write"];

/// What stands beside the layers: the library's root, and the program with its line of progress.
const ABOVE: [&str; 3] = ["lib.rs", "main.rs", "progress.rs"];

/// Files by their modules, `answer::judge`, and the order that the tables state.
struct House {
    order: Vec<String>,
    files: BTreeMap<String, String>,
}

impl House {
    /// Of the text of each layer's head, and of files by their modules.
    fn new(heads: [&str; 3], files: &[(&str, &str)]) -> Self {
        let order = LAYERS.iter().zip(heads).flat_map(|(layer, head)| {
            table(head).into_iter().map(move |name| format!("{layer}::{name}"))
        });
        let files = files.iter().map(|(module, text)| (module.to_string(), text.to_string()));
        Self { order: order.collect(), files: files.collect() }
    }

    fn of_sources() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let names = |folder: &Path| {
            let names = fs::read_dir(folder).unwrap().map(|one| one.unwrap().file_name());
            names.map(|name| name.into_string().unwrap()).collect::<BTreeSet<_>>()
        };
        let expected = LAYERS.iter().flat_map(|layer| [layer.to_string(), format!("{layer}.rs")]);
        let expected: BTreeSet<_> = expected.chain(ABOVE.map(String::from)).collect();
        assert_eq!(names(&root), expected, "src holds the layers, and what stands above them");
        let read = |path: String| fs::read_to_string(root.join(path)).unwrap();
        let heads = LAYERS.map(|layer| read(format!("{layer}.rs")));
        for (layer, head) in LAYERS.iter().zip(&heads) {
            let code = code(head);
            let is_mod = |line: &str| line.trim().is_empty() || line.contains("mod ");
            assert!(code.lines().all(is_mod), "src/{layer}.rs names files and does nothing else");
        }
        let mut files = Vec::new();
        for layer in LAYERS {
            for file in names(&root.join(layer)) {
                files.push((format!("{layer}::{}", stem(&file)), read(format!("{layer}/{file}"))));
            }
        }
        let files: Vec<_> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        Self::new(heads.each_ref().map(String::as_str), &files)
    }

    /// Everything that is out of order, a sentence each.
    fn faults(&self) -> Vec<String> {
        let mut faults = BTreeSet::new();
        let listed: BTreeSet<_> = self.order.iter().collect();
        let there: BTreeSet<_> = self.files.keys().collect();
        if listed.len() != self.order.len() {
            faults.insert("a file has two rows in the tables".to_string());
        }
        for module in listed.symmetric_difference(&there) {
            let both = "has a file or a row in its layer's table, but not both";
            faults.insert(format!("{module} {both}"));
        }
        for module in there.intersection(&listed) {
            for path in self.used(module) {
                match self.holder(&path) {
                    None => {
                        let none = format!("crate::{path}, which is no file of a layer");
                        faults.insert(format!("{module} uses {none}"));
                    }
                    Some(other) => {
                        let why = self.is_wrong(module, other);
                        faults.extend(why.map(|why| format!("{module} uses {other}, {why}")));
                    }
                }
            }
        }
        faults.into_iter().collect()
    }

    /// Why a file may not use another.
    fn is_wrong(&self, module: &str, other: &str) -> Option<String> {
        let place = |module: &str| self.order.iter().position(|known| known == module);
        if place(other) <= place(module) {
            return None;
        }
        let layer = |module: &str| module.split("::").next().map(str::to_string);
        Some(match self.way(other, module) {
            _ if layer(other) != layer(module) => "a layer above it".to_string(),
            Some(way) => format!("in a circle: {module} -> {}", way.join(" -> ")),
            None => "a row below it".to_string(),
        })
    }

    /// The file that holds what a path names.
    fn holder(&self, path: &str) -> Option<&str> {
        let mut ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
        ends.find_map(|end| self.files.get_key_value(&path[..end]))
            .map(|(module, _)| module.as_str())
    }

    /// All paths into the package that a file names, from its root.
    fn used(&self, module: &str) -> BTreeSet<String> {
        paths(&code(&self.files[module]), module)
    }

    /// The files by which one uses another, both included.
    fn way(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut ways = vec![vec![from.to_string()]];
        let mut seen = BTreeSet::from([from.to_string()]);
        while let Some(way) = ways.pop() {
            let last = way.last()?;
            if last == to {
                return Some(way);
            }
            for path in self.used(last) {
                let Some(next) = self.holder(&path) else { continue };
                if seen.insert(next.to_string()) {
                    ways.push([&way[..], &[next.to_string()]].concat());
                }
            }
        }
        None
    }
}

fn stem(file: &str) -> &str {
    file.strip_suffix(".rs").unwrap_or_else(|| panic!("{file}: a layer holds files alone"))
}

/// The names in the first column of a head's table, in their order.
fn table(head: &str) -> Vec<String> {
    let rows = head.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let cells = rows.map(|row| row.split(" | ").next().unwrap());
    cells.flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`').to_string())).collect()
}

/// The text without comments, and with empty strings: what a path stands in is code.
fn code(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map_or(0, |r| r.len() - r.trim_start_matches('#').len());
        let hashes = &"########"[..raw];
        let is_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if !is_word && rest.starts_with(&format!("r{hashes}\"")) {
            let begin = raw + 2;
            let end = rest[begin..].find(&format!("\"{hashes}")).expect("a raw string ends");
            begin + end + 1 + raw
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.expect("a string ends") + 2
        } else if rest.starts_with("'\\") {
            3 + rest[3..].find('\'').expect("a character ends") + 1
        } else if c == '\'' && rest.chars().nth(2) == Some('\'') {
            rest.char_indices().nth(3).map_or(rest.len(), |(end, _)| end)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.push(' ');
        rest = &rest[length..];
    }
    out
}

/// The paths that begin with `crate` or `super`, those in braces one by one, from the root of the
/// package. A `super` in a module of the file, as its tests are, is the file.
fn paths(code: &str, module: &str) -> BTreeSet<String> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let starts = ["crate", "super"].iter().flat_map(|word| code.match_indices(word));
    let whole = |at: usize, word: &str| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        !before.ends_with(is_letter)
            && !after.starts_with(is_letter)
            && !before.ends_with("super::")
            // `pub(crate)`, and `pub(in crate::..)` which uses nothing.
            && !before.trim_end_matches("in ").ends_with("pub(")
    };
    let starts = starts.filter(|(at, word)| whole(*at, word));
    let each = starts.flat_map(|(at, _)| {
        let inside: Vec<_> = module.split("::").map(String::from).collect();
        let inside = [inside, inner(code, at)].concat();
        spread(&code[at..]).into_iter().map(move |path| {
            let (mut base, mut rest) = (inside.clone(), path.as_str());
            while let Some(outer) = rest.strip_prefix("super") {
                base.pop();
                rest = outer.trim_start_matches("::");
            }
            match rest.strip_prefix("crate") {
                Some(rest) => rest.trim_start_matches("::").to_string(),
                None => format!("{}::{rest}", base.join("::")).trim_matches(':').to_string(),
            }
        })
    });
    each.collect()
}

/// The modules of a file that a place of its code stands in.
fn inner(code: &str, at: usize) -> Vec<String> {
    let mut open = Vec::new();
    for (i, c) in code[..at].char_indices() {
        match c {
            '{' => {
                let mut words = code[..i].split_whitespace().rev();
                let (name, word) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
                open.push((word == "mod").then(|| name.to_string()));
            }
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().flatten().collect()
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn spread(code: &str) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let (path, rest) = code.split_at(code.find(|c| !is_path(c)).unwrap_or(code.len()));
    if !path.ends_with("::") || !rest.starts_with('{') {
        return vec![path.trim_end_matches(':').to_string()];
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

#[test]
fn files_in_order() {
    let house = House::of_sources();
    let faults = house.faults();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    // An order that nothing is read from would be kept too.
    let edges: usize = house.files.keys().map(|module| house.used(module).len()).sum();
    assert!(edges > 3 * house.files.len(), "{edges} uses by {} files", house.files.len());
}

/// What is wrong in a house of four files whose `answer::judge` is this.
fn faults_of(judge: &str) -> Vec<String> {
    let head =
        |names: &str| format!("//! | file | concept |\n//! |---|---|\n//! | {names} | .. |\n");
    let heads = [head("`fault`"), head("`judge`, `check`"), head("`json`")];
    let files = [
        ("request::fault", "pub(crate) struct Fault;"),
        ("answer::judge", judge),
        ("answer::check", "use crate::answer::judge::Judged;"),
        ("write::json", "use crate::{answer::check::checked, request::fault::Fault};"),
    ];
    House::new(heads.each_ref().map(String::as_str), &files).faults()
}

#[test]
fn uses_of_what_comes_before_are_well() {
    for well in [
        "",
        "use crate::request::fault::{self, Fault};",
        "pub(crate) fn f() { crate::request::fault::Fault.explain() }",
        "// crate::write::json\nconst A: &str = \"use crate::write::json;\"; /* super::check */",
        "const A: &str = r#\"crate::\"write\"\"#; const B: [char; 3] = ['\"', '\\'', '{'];",
        "use tiledesc::{Plan, bank}; pub(in crate::answer) struct S<'a>(&'a str);",
        "fn f() {}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use super::f;\n}",
    ] {
        assert_eq!(faults_of(well), [""; 0], "{well}");
    }
}

#[test]
fn uses_of_what_comes_later_are_refused() {
    let above = ["answer::judge uses write::json, a layer above it"];
    let circle = [
        "answer::judge uses answer::check, in a circle: answer::judge -> answer::check -> answer::judge",
    ];
    for (wrong, wanted) in [
        ("use crate::write::json;", above),
        ("use crate::write::json::{pretty, access};", above),
        ("use crate::{request::fault::Fault, write::{json::pretty}};", above),
        ("fn f() { crate::write::json::pretty() }", above),
        ("const A: &str = \"https://\"; use super::super::write::json;", above),
        ("#[cfg(test)]\nmod tests {\n    use crate::write::json::pretty;\n}", above),
        ("#[cfg(test)]\nmod tests {}\nuse crate::write::json::pretty;", above),
        ("use crate::answer::check::Checked;", circle),
        ("use super::check::Checked;", circle),
        ("#[cfg(test)]\nmod tests {\n    use super::super::check::Checked;\n}", circle),
    ] {
        assert_eq!(faults_of(wrong), wanted, "{wrong}");
    }
    // By way of the root, or of a whole layer, anything could be meant.
    for (wrong, path) in [
        ("use crate::Output;", "Output"),
        ("use crate::*;", ""),
        ("use crate as all;", ""),
        ("use crate::answer;", "answer"),
        ("use super::*;", "answer"),
    ] {
        let wanted = format!("answer::judge uses crate::{path}, which is no file of a layer");
        assert_eq!(faults_of(wrong), [wanted], "{wrong}");
    }
}

#[test]
fn tables_name_all_files() {
    let head = "//! | `judge` | .. |";
    let files = [("answer::judge", ""), ("answer::check", "use crate::answer::judge::Judged;")];
    let faults = House::new(["", head, "//! | `json` | .. |"], &files).faults();
    let both = "has a file or a row in its layer's table, but not both";
    assert_eq!(faults, [format!("answer::check {both}"), format!("write::json {both}")]);
    let below = ("answer::judge", "use crate::answer::check::Checked;");
    let table = "//! | `judge` | .. |\n//! | `check` | .. |";
    let faults = House::new(["", table, ""], &[below, ("answer::check", "")]).faults();
    assert_eq!(faults, ["answer::judge uses answer::check, a row below it"]);
}
