//! The house keeps its order: a file uses only files before it, and the
//! coordinate half knows nothing of bytes, lanes or banks.

use std::fs;
use std::path::{Path, PathBuf};

/// The order in which a coordinate travels, files of `transforms/src`.
const COORDINATES: &[&str] = &[
    "text",
    "magic",
    "number",
    "list",
    "sequence",
    "index",
    "bits",
    "error",
    "transform",
    "plan",
    "compose",
    "graph",
    "inverse",
    "digits",
    "linear",
    "rank",
    "stage",
    "adaptor",
    "coordinate",
    "descriptor",
    "vector",
    "terms",
    "fused",
    "law",
    "strategy",
];
/// The same for `src`.
const HARDWARE: &[&str] = &[
    "element",
    "parameter",
    "layout",
    "recipe",
    "instruction",
    "target",
    "pattern",
    "bank",
    "touch",
    "verdict",
    "remedy",
    "assertion",
    "counters",
    "immediate",
    "exchange",
    "emit",
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

/// The module a file belongs to: its stem, or that of its folder's.
fn module(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules a line of code names as `crate::module`.
fn used(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or("");
    code.split("crate::")
        .skip(1)
        .map(|rest| rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect())
        .filter(|name: &String| !name.is_empty())
        .collect()
}

fn check_order(root: &str, order: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let place = |name: &str| order.iter().position(|known| *known == name);
    for file in files(&root) {
        let name = module(&root, &file);
        if ["lib", "macros"].contains(&name.as_str()) {
            continue;
        }
        let here = place(&name).unwrap_or_else(|| panic!("{name} has no place in the order"));
        let text = fs::read_to_string(&file).unwrap();
        for other in text.lines().flat_map(used) {
            let Some(there) = place(&other) else { continue };
            assert!(there <= here, "{} uses {other}, which comes later", file.display());
        }
    }
}

#[test]
fn coordinates_in_order() {
    check_order("transforms/src", COORDINATES);
}

#[test]
fn hardware_in_order() {
    check_order("src", HARDWARE);
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
