//! The sources keep their order. `CRATES` and the tables of the command line state it from the ground up: a file uses
//! only files of rows before its own, or of its own. `support::house` reads the sources, tests and macros included.
//! The coordinate half knows nothing about bytes, lanes or banks.

mod crates;
mod invented;

use crates::{PACKAGES, Package, in_rust};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use support::house::{Door, House, Order};

/// The rows of each crate, from the ground up: `bank` is `bank.rs` and its folder, `list.rs` a file.
const CRATES: &[(&str, &[&str])] = &[
    // The grammars of all macros.
    (
        "macros/src",
        &[
            "lib.rs",
            "template",
            "reader",
            "each",
            "phantom",
            "transform",
            "number",
            "descriptor",
            "layouts",
            "pattern",
            "distribution",
            "accesses",
            "statement",
            "declaration",
            "direct",
            "coalesced",
            "conversion",
            "product",
        ],
    ),
    // The way of a coordinate.
    (
        "transforms/src",
        &[
            "attempt",
            "loops",
            "seal",
            "number",
            "sequence",
            "error",
            "curve",
            "index",
            "transform",
            "plan",
            "linear",
            "typed",
            "law",
            "macros",
        ],
    ),
    (
        "src",
        &[
            "element",
            "parameter",
            "layout",
            "recipe",
            "distribution",
            "pattern",
            "matrix",
            "chip",
            "warp_gemm",
            "access",
            "direct",
            "bank",
            "search",
            "statement",
            "storage",
        ],
    ),
    (
        "tests/support",
        &[
            "lib.rs",
            "skip",
            "attempt",
            "bits",
            "count",
            "definition",
            "fuzz",
            "walked",
            "lists",
            "nearly",
            "asked",
            "literals",
            "model",
            "padded",
            "corrupt",
            "faults",
            "ck_rules",
            "distributions",
            "published",
            "formula",
            "direct_plans",
            "fragments",
            "house",
        ],
    ),
    ("proptest/src", &["lib.rs"]),
    // A person's machine.
    (
        "host/src",
        &[
            "error.rs",
            "counters",
            "search",
            "certificate",
            "exchange",
            "conversion",
            "emit",
            "plot",
        ],
    ),
    (
        "audit/src",
        &[
            "value",
            "graph",
            "pages",
            "loops",
            "text",
            "span",
            "width",
            "matrix",
            "atomic",
            "name",
            "place",
            "resources",
            "unordered",
            "error",
            "kernel",
            "target",
            "unroll",
            "issue",
            "stores",
            "between",
            "data",
            "verdict",
            "global",
            "against",
            "region",
            "moved",
            "bound",
            "better",
            "slice",
            "amdgpu",
            "ptx",
            "sass",
            "report",
        ],
    ),
    // A program of one file.
    ("explorer/src", &[]),
    ("xtask/src", &[]),
    (
        "python/src",
        &[
            "error", "value", "question", "view", "html", "bound", "integers", "offsets", "check",
            "lanes", "tile", "find", "given", "audit", "why",
        ],
    ),
    (
        "validation/src",
        &["pattern.rs", "list.rs", "record.rs", "source.rs", "ptx.rs", "compare.rs"],
    ),
    (
        "kernels/tiledesc-cubecl/src",
        &[
            "index.rs",
            "rank.rs",
            "tiled.rs",
            "known.rs",
            "rows.rs",
            "spread.rs",
            "window.rs",
            "judge.rs",
            "stage.rs",
            "through.rs",
        ],
    ),
    ("kernels/run/src", &["device.rs", "progress.rs", "table.rs", "gemm.rs", "attention.rs"]),
];

/// The types that rooms above their own add methods to, since that is what users write: `ABlock::verdict(..)`.
const DOORS: &[(&str, &[Door])] = &[
    (
        "src",
        &[
            ("Layout", &["access", "direct", "bank"]),
            ("Placed", &["bank"]),
            ("Encoding", &["access"]),
            ("Shape", &["search", "statement"]),
            ("Spec", &["search"]),
            ("Synthesis", &["statement"]),
            ("SynthesisError", &["statement"]),
        ],
    ),
    ("transforms/src", &[("Plan", &["linear", "typed", "law"])]),
    ("host/src", &[]),
];

/// The layers of the command line. Each is `cli/src/<layer>.rs`, whose table has the rows, and a folder.
const LAYERS: [&str; 4] = ["request", "report", "answer", "write"];

fn path(of: &str) -> PathBuf {
    support::root().join(of)
}

fn rows_of(folder: &str) -> Vec<String> {
    match CRATES.iter().find(|(other, _)| *other == folder) {
        Some((_, rows)) => rows.iter().map(|row| row.to_string()).collect(),
        None => rows_of_the_command_line(),
    }
}

/// Layer by layer: the head, and the files of its table.
fn rows_of_the_command_line() -> Vec<String> {
    let rows = LAYERS.iter().flat_map(|layer| {
        let head = fs::read_to_string(path(&format!("cli/src/{layer}.rs"))).unwrap();
        let files = table(&head).into_iter().map(move |name| format!("{layer}/{name}.rs"));
        [format!("{layer}.rs")].into_iter().chain(files)
    });
    // What the program says while it works.
    rows.chain(["progress.rs".to_string()]).collect()
}

/// The names in the first column of a head's table, in their order.
fn table(head: &str) -> Vec<String> {
    let rows = head.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let cells = rows.map(|row| row.split(" | ").next().unwrap());
    cells.flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`').to_string())).collect()
}

/// What the sources of a crate should keep to.
fn order(folder: &str) -> Order {
    let package = Package::of(folder);
    Order {
        name: in_rust(package.name),
        rows: rows_of(folder),
        crates: PACKAGES.iter().map(|one| in_rust(one.name)).collect(),
        may_name: package.may_name(),
    }
}

fn in_order(folder: &str) {
    let (order, house) = (order(folder), House::of(&path(folder)));
    let faults = order.faults(&house);
    assert!(faults.is_empty(), "{folder}:\n{}", faults.join("\n"));
    // An order that nothing is read from would be kept too. A file names others at least once, one with another.
    let (rows, paths) = (order.rows.len(), order.count(&house));
    assert!(rows < 2 || paths + 1 >= rows, "{folder}: {paths} paths to other files, {rows} rows");
}

#[test]
fn coordinates_in_order() {
    in_order("transforms/src");
    in_order("macros/src");
}

#[test]
fn hardware_in_order() {
    in_order("src");
}

#[test]
fn the_command_line_in_order() {
    in_order("cli/src");
}

#[test]
fn methods_are_where_their_types_are() {
    for (folder, doors) in DOORS {
        let faults = order(folder).impls(&House::of(&path(folder)), doors);
        assert!(faults.is_empty(), "{folder}:\n{}", faults.join("\n"));
    }
}

/// Methods of another room's type, in one line and in several, and a door that nobody uses.
#[test]
fn methods_elsewhere_are_refused() {
    let mut house = House::of(&path("src"));
    let text = house.text("access/misfit.rs").to_string();
    let line = text.lines().count();
    let planted = "impl Evidence {}\nimpl<'i, F: Fn(u32) -> u32>\n    Verdict<'i>\n{\n}\n";
    house.put("access/misfit.rs", format!("{text}{planted}impl Drop for Verdict {{}}\n"));
    let doors = [DOORS[0].1, &[("Chip", &["storage"])]].concat();
    let wanted = [
        format!("access/misfit.rs:{}: methods of `Evidence`, which is `chip`'s", line + 1),
        format!("access/misfit.rs:{}: methods of `Verdict`, which is `bank`'s", line + 2),
        "`storage` has no methods of `Chip`".to_string(),
    ];
    assert_eq!(order("src").impls(&house, &doors), wanted);
}

#[test]
fn what_measures_and_shows_in_order() {
    for folder in ["host/src", "explorer/src", "python/src", "validation/src", "audit/src"] {
        in_order(folder);
    }
}

#[test]
fn kernels_in_order() {
    in_order("kernels/tiledesc-cubecl/src");
    in_order("kernels/run/src");
}

#[test]
fn what_tests_share_in_order() {
    in_order("tests/support");
}

/// A line that does not belong into a source, and what is said of it.
struct Plant {
    folder: &'static str,
    file: &'static str,
    /// The line goes after the first one that begins so; after the last line, if this is empty.
    after: &'static str,
    line: &'static str,
    says: &'static str,
}

const PLANTS: &[Plant] = &[
    Plant {
        folder: "src",
        file: "element.rs",
        after: "use ",
        line: "use crate::bank::Verdict;",
        says: "`crate::bank::Verdict` leads to bank.rs and bank/verdict.rs, and `bank` comes after `element`",
    },
    // In a test module.
    Plant {
        folder: "src",
        file: "chip/target.rs",
        after: "mod tests {",
        line: "    use crate::bank::Verdict;",
        says: "`crate::bank::Verdict` leads to bank.rs and bank/verdict.rs, and `bank` comes after `chip`",
    },
    // After the first `#[cfg(test)]`, and outside of the module.
    Plant {
        folder: "src",
        file: "access/fast/columns.rs",
        after: "",
        line: "use crate::bank::Verdict;",
        says: "`crate::bank::Verdict` leads to bank.rs and bank/verdict.rs, and `bank` comes after `access`",
    },
    Plant {
        folder: "src",
        file: "chip.rs",
        after: "",
        line: "fn planted() { crate::assert_conflict_free! {} }",
        says: "`crate::assert_conflict_free` leads to statement/assertion.rs, and `statement` comes after `chip`",
    },
    Plant {
        folder: "src",
        file: "chip.rs",
        after: "",
        line: "macro_rules! planted { () => { $crate::bank::conflicts() } }",
        says: "`crate::bank::conflicts` leads to bank.rs and bank/conflicts.rs, and `bank` comes after `chip`",
    },
    Plant {
        folder: "src",
        file: "chip.rs",
        after: "",
        line: "use tiledesc_cli::Console;",
        says: "`tiledesc_cli::Console` names tiledesc_cli, which tiledesc may not",
    },
    Plant {
        folder: "transforms/src",
        file: "number.rs",
        after: "",
        line: "use tiledesc::Verdict;",
        says: "`tiledesc::Verdict` names tiledesc, which tiledesc_transforms may not",
    },
    Plant {
        folder: "transforms/src",
        file: "number/extent.rs",
        after: "",
        line: "use crate::Plan;",
        says: "`crate::Plan` leads to plan.rs, and `plan` comes after `number`",
    },
    Plant {
        folder: "cli/src",
        file: "answer/judge.rs",
        after: "",
        line: "use crate::write::json;",
        says: "`crate::write::json` leads to write/json.rs, and `write/json.rs` comes after `answer/judge.rs`",
    },
    Plant {
        folder: "cli/src",
        file: "answer/judge.rs",
        after: "",
        line: "use super::check;",
        says: "`super::check` leads to answer/check.rs, and `answer/check.rs` comes after `answer/judge.rs`",
    },
    Plant {
        folder: "cli/src",
        file: "write/json.rs",
        after: "",
        line: "use crate::run;",
        says: "`crate::run` leads to lib.rs, which stands above all rows",
    },
    Plant {
        folder: "kernels/tiledesc-cubecl/src",
        file: "rank.rs",
        after: "",
        line: "use crate::Stage;",
        says: "`crate::Stage` leads to stage.rs, and `stage.rs` comes after `rank.rs`",
    },
    Plant {
        folder: "kernels/run/src",
        file: "device.rs",
        after: "",
        line: "use crate::Table;",
        says: "`crate::Table` leads to table.rs, and `table.rs` comes after `device.rs`",
    },
    Plant {
        folder: "explorer/src",
        file: "main.rs",
        after: "",
        line: "use tiledesc::Plan;",
        says: "`tiledesc::Plan` names tiledesc, which tiledesc_explorer may not",
    },
    Plant {
        folder: "validation/src",
        file: "pattern.rs",
        after: "",
        line: "#[cfg(test)] mod planted { use super::super::list::patterns; }",
        says: "`super::super::list::patterns` leads to list.rs, and `list.rs` comes after `pattern.rs`",
    },
    Plant {
        folder: "tests/support",
        file: "published.rs",
        after: "",
        line: "use crate::formula::evaluate;",
        says: "`crate::formula::evaluate` leads to formula.rs, and `formula` comes after `published`",
    },
];

impl Plant {
    fn put(&self, house: &mut House) {
        let mut lines: Vec<_> = house.text(self.file).lines().collect();
        let before = |line: &&str| line.starts_with(self.after);
        let at = match self.after {
            "" => lines.len(),
            _ => 1 + lines.iter().position(before).expect("the line before it"),
        };
        lines.insert(at, self.line);
        house.put(self.file, lines.join("\n"));
    }

    /// What the check says of it.
    fn sentence(&self, house: &House) -> String {
        let line = house.text(self.file).lines().position(|line| line == self.line).unwrap();
        format!("{}:{}: {}", self.file, line + 1, self.says)
    }
}

#[test]
fn plants_are_refused() {
    let folders: BTreeSet<_> = PLANTS.iter().map(|plant| plant.folder).collect();
    for folder in folders {
        let mut house = House::of(&path(folder));
        let plants = || PLANTS.iter().filter(|plant| plant.folder == folder);
        plants().for_each(|plant| plant.put(&mut house));
        let wanted: BTreeSet<_> = plants().map(|plant| plant.sentence(&house)).collect();
        let found: BTreeSet<_> = order(folder).faults(&house).into_iter().collect();
        assert_eq!(found, wanted);
    }
}

/// The root's own names change; whichever it re-exports, the road by it is followed.
#[test]
fn a_plant_by_way_of_the_root_is_refused() {
    let mut house = House::of(&path("src"));
    let root = format!("{}\npub use bank::Verdict as Planted;", house.text("lib.rs"));
    house.put("lib.rs", root);
    let element = format!("{}\nuse crate::Planted;", house.text("element.rs"));
    let line = element.lines().count();
    house.put("element.rs", element);
    let says =
        "`crate::Planted` leads to bank.rs and bank/verdict.rs, and `bank` comes after `element`";
    assert_eq!(order("src").faults(&house), [format!("element.rs:{line}: {says}")]);
}

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

#[test]
fn coordinates_know_nothing_of_hardware() {
    let root = path("transforms/src");
    for file in files(&root) {
        for line in fs::read_to_string(&file).unwrap().lines() {
            let code = line.split("//").next().unwrap_or("").to_lowercase();
            for word in ["bank", "lane", "wave", "gfx"] {
                assert!(!code.contains(word), "{}: {line}", file.display());
            }
        }
    }
}

/// Returns whether a source defines a name: a function, a constant, a trait or a macro; or `fn #up_to_` of `up_to_4`, in an
/// `each!`.
fn defines(text: &str, name: &str) -> bool {
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let numbered = format!("#{}", name.trim_end_matches(|c: char| c.is_ascii_digit()));
    ["fn ", "const ", "trait ", "macro_rules! "].iter().any(|kind| {
        [name, &numbered].iter().any(|name| {
            let defined = format!("{kind}{name}");
            text.match_indices(&defined).any(|(at, _)| is_end(&text[at + defined.len()..]))
        })
    })
}

/// Heads of files say by tables how a call goes on, and where the methods of a type are: each name is defined in the file
/// beside it.
#[test]
fn tables_of_paths_lead_to_what_they_name() {
    let mut names = 0;
    for file in ["src", "transforms/src"].iter().flat_map(|folder| files(&path(folder))) {
        let text = fs::read_to_string(&file).unwrap();
        let is_head = |line: &&str| line.starts_with("//! | ") && line.contains(" | by | file |");
        let lines = text.lines().skip_while(|line| !is_head(line));
        for row in lines.skip(2).map_while(|line| line.strip_prefix("//! | ")) {
            let cells: Vec<_> =
                row.split(" | ").map(|cell| cell.trim_matches([' ', '|', '`'])).collect();
            let name = cells[1].trim_end_matches('!').rsplit("::").next().unwrap();
            let text = fs::read_to_string(path(cells[2])).unwrap_or_default();
            assert!(defines(&text, name), "{}: {row}", file.display());
            names += 1;
        }
    }
    assert!(names > 45, "{names}");
}

/// No `unsafe`, anywhere.
#[test]
fn nothing_unsafe() {
    for folder in ["src", "transforms/src", "examples"] {
        for file in files(&path(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert!(!code.into_iter().any(|line| line.contains("unsafe ")), "{}", file.display());
        }
    }
}

/// The packages whose tests are one program list its modules in `main.rs`: a file that is not listed would never run.
#[test]
fn every_test_file_runs() {
    for package in ["audit", "cli", "validation"] {
        let folder = path(package).join("tests");
        let main = fs::read_to_string(folder.join("main.rs")).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let file = entry.unwrap().path();
            let stem = file.file_stem().unwrap().to_str().unwrap();
            if file.extension().is_some_and(|of| of == "rs") && stem != "main" {
                assert!(main.contains(&format!("\nmod {stem};\n")), "{}", file.display());
            }
        }
    }
}
