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


fn check(root: &str, name: &str, rows: &[&str]) {
    let t = std::time::Instant::now();
    let texts = support::house::House::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root));
    println!("read {:?}", t.elapsed());
    let order = support::house::Order{name, rows, crates: &[], may_name: &[]};
    let faults = order.faults(&texts);
    println!("{root}: {} uses, {:?}", order.count(&texts), t.elapsed());
    for f in &faults { println!("   {f}"); }
}
#[test]
fn look() {
    check("src", "tiledesc", &["element","parameter","chip","layout","recipe","distribution","pattern","distribution/matrix","access","direct","bank","search","conversion","statement","storage","exchange","emit","plot"]);
    check("transforms/src", "tiledesc_transforms", &["attempt","seal","number","error","index","transform","plan","linear","typed","law","strategy","macros"]);
    check("macros/src", "tiledesc_macros", &["lib.rs", "layouts.rs"]);
    check("validation/src", "tiledesc_validation", &["pattern.rs", "list.rs", "record.rs","source.rs", "ptx.rs","compare.rs"]);
    check("kernels/tiledesc-cubecl/src", "tiledesc_cubecl", &["index.rs","rank.rs","judge.rs","tiled.rs","known.rs","rows.rs","spread.rs","window.rs","stage.rs","through.rs"]);
    check("kernels/run/src", "run", &["device.rs","progress.rs","table.rs","gemm.rs","attention.rs"]);
    check("explorer/src", "tiledesc_explorer", &[]);
    check("tests/support", "tiledesc_support", &["lib.rs", "fuzz.rs"]);
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
