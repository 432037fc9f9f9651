//! `show`: reports that stand alone and say all, figures as files, and Rust lines that compile.

use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tiledesc_cli::{Output, Status, run};

/// Names and texts of files.
const FILES: [(&str, &str); 7] = [
    ("slow", include_str!("cmd/tour.in/slow.toml")),
    ("kernel", include_str!("cmd/tour.in/kernel.toml")),
    ("plain", include_str!("cmd/tour.in/plain.toml")),
    ("padded", include_str!("cmd/tour.in/padded.toml")),
    ("disputed", include_str!("cmd/tour.in/disputed.toml")),
    ("race", include_str!("cmd/tour.in/race.toml")),
    ("odd", include_str!("show/odd.toml")),
];

/// The Rust lines that stand here compile, and so do the reports', which are the same.
mod pasted {
    #![allow(dead_code, unused_imports, unreachable_pub, reason = "pasted lines")]
    mod slow_a {
        include!("show/slow-0.rs");
    }
    mod kernel_a {
        include!("show/kernel-0.rs");
    }
    mod plain_a {
        include!("show/plain-0.rs");
    }
    mod plain_b {
        include!("show/plain-1.rs");
    }
    mod padded_s {
        include!("show/padded-1.rs");
    }
    mod odd_woven {
        include!("show/odd-0.rs");
    }
    mod odd_copies {
        include!("show/odd-1.rs");
    }
    mod odd_three {
        include!("show/odd-2.rs");
    }
}

/// Of which files the lines stand there, and of which tiles.
const PASTED: [(&str, usize); 8] = [
    ("slow", 0),
    ("kernel", 0),
    ("plain", 0),
    ("plain", 1),
    ("padded", 1),
    ("odd", 0),
    ("odd", 1),
    ("odd", 2),
];

fn tool(words: &[&str], text: &str) -> Output {
    run(["tiledesc"].iter().chain(words), &mut text.as_bytes())
}

fn report(text: &str) -> String {
    let output = tool(&["show", "-", "--format", "html"], text);
    assert_eq!((output.status, output.err.as_str()), (Status::Free, ""));
    output.out
}

fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap()
}

/// What a reader sees of a node.
fn words(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect()
}

fn with_class<'a, 'd>(
    document: &'a Document<'d>,
    class: &'a str,
) -> impl Iterator<Item = Node<'a, 'd>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

/// What a page would load, run or lead to.
fn faults(page: &str) -> Vec<String> {
    let document = parsed(page);
    let mut faults = Vec::new();
    for word in ["http://", "https://", "@import", "@font-face", "javascript:", "data:"] {
        if page.contains(word) {
            faults.push(word.to_string());
        }
    }
    if page.matches("url(").count() != page.matches("url(#").count() {
        faults.push("a far url".to_string());
    }
    let mut ids = BTreeSet::new();
    for node in document.descendants().filter(Node::is_element) {
        let tag = node.tag_name().name();
        if ["script", "img", "image", "iframe", "link", "object", "embed", "form", "base"]
            .contains(&tag)
        {
            faults.push(format!("<{tag}>"));
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            if name.starts_with("on") || name == "src" {
                faults.push(name.to_string());
            }
            if name == "id" && !ids.insert(attribute.value()) {
                faults.push(format!("two of {}", attribute.value()));
            }
        }
    }
    for node in document.descendants() {
        let Some(target) = node.attribute("href") else { continue };
        if !target.strip_prefix('#').is_some_and(|id| ids.contains(id)) {
            faults.push(format!("{target} leads nowhere"));
        }
    }
    for (at, _) in page.match_indices("url(#") {
        let id = page[at + 5..].split(')').next().unwrap();
        if !ids.contains(id) {
            faults.push(format!("url(#{id}) leads nowhere"));
        }
    }
    faults
}

#[test]
fn reports_stand_alone() {
    for (name, text) in FILES {
        let page = report(text);
        assert!(faults(&page).is_empty(), "{name}: {:?}", faults(&page));
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
        assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline';"));
        assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme:dark"));
        // One file is one report.
        assert_eq!(page, report(text));
    }
    // The judge sees what it is for.
    let bad =
        "<html><script/><a href=\"#a\" onclick=\"b\"/><p id=\"c\"/><p id=\"c\"/>https://x</html>";
    assert_eq!(faults(bad).len(), 5);
}

/// Every tile, each line of `check`, the counters of `explain`, the rows of `find`, the code of `emit`.
#[test]
fn reports_say_what_the_other_commands_say() {
    for (name, text) in FILES {
        let page = report(text);
        let document = parsed(&page);
        let seen = words(document.root_element());
        let checked = tool(&["check", "-", "--format", "json"], text).out;
        let checked: serde_json::Value = serde_json::from_str(&checked).unwrap();
        let tiles = checked["tiles"].as_array().unwrap();
        let headings: Vec<_> =
            document.descendants().filter(|n| n.has_tag_name("h2")).map(words).collect();
        let names: Vec<_> = tiles.iter().map(|tile| tile["name"].as_str().unwrap()).collect();
        assert_eq!(headings[..names.len()], names, "{name}");
        for line in tool(&["check", "-"], text).out.lines() {
            let said = line.split_once(": ").filter(|(at, _)| at.starts_with('<'));
            let said = said.map_or(line, |(_, rest)| rest.split_once(' ').unwrap().1);
            assert!(seen.contains(said), "{name}: {said}");
        }
        let accesses = tiles.iter().flat_map(|tile| tile["accesses"].as_array().unwrap());
        let mut cells = with_class(&document, "n").map(words).collect::<Vec<_>>();
        for access in accesses {
            for (_, value) in access["counters"].as_object().unwrap() {
                let value = value.to_string();
                let at = cells.iter().position(|cell| *cell == value);
                // Each counter has a cell of its own.
                cells.swap_remove(at.unwrap_or_else(|| panic!("{name}: no counter {value}")));
            }
        }
        for tile in &names {
            for line in tool(&["find", "-", "--tile", tile], text).out.lines() {
                let layout = line.trim().rsplit("  ").next().unwrap();
                if layout.starts_with("recipe") {
                    assert!(seen.contains(layout), "{name}: {layout}");
                }
            }
            for language in ["hip", "cuda", "c", "wgsl"] {
                let made = tool(&["emit", "-", "--tile", tile, "--lang", language], text);
                // A name that the language does not have is refused in a sentence.
                let code = match made.status {
                    Status::Free => made.out.split_once("\n\n").unwrap().1.to_string(),
                    _ => made.err,
                };
                let code = code.split("\n#endif").next().unwrap().trim_end();
                assert!(!code.is_empty() && seen.contains(code), "{name}, {language}: {code}");
            }
        }
        // A picture of the phases for each access, and one of the rows' lanes and evidence.
        let count =
            |class| with_class(&document, class).filter(|n| n.has_tag_name("figure")).count();
        let accesses: usize =
            tiles.iter().map(|tile| tile["accesses"].as_array().unwrap().len()).sum();
        assert_eq!(
            (count("phases"), count("served"), count("evidence")),
            (accesses, 1, 1),
            "{name}"
        );
        assert_eq!(count("grid"), names.len(), "{name}");
    }
}

/// A name that is markup is read as a name.
#[test]
fn names_are_escaped() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("escaped");
    fs::create_dir_all(&folder).unwrap();
    let name = "<script>alert(1)<\u{2}b onclick='x'>&amp;\"'.toml";
    let path = folder.join(name);
    let Ok(()) = fs::write(&path, FILES[0].1) else { return };
    let output = tool(&["show", path.to_str().unwrap(), "--format", "html"], "");
    assert!(faults(&output.out).is_empty(), "{:?}", faults(&output.out));
    let document = parsed(&output.out);
    let heading = document.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert!(words(heading).ends_with(&name.replace('\u{2}', "\u{fffd}")), "{}", words(heading));
}

/// A report's Rust lines are those that are compiled here; `cargo xtask bless cli` writes them.
#[test]
fn the_lines_to_paste_compile() {
    for (name, tile) in PASTED {
        let text = FILES.iter().find(|(file, _)| *file == name).unwrap().1;
        let page = report(text);
        let document = parsed(&page);
        let lines = words(with_class(&document, "rust").nth(tile).unwrap());
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/show/{name}-{tile}.rs"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &lines).unwrap();
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            lines,
            "{name}: cargo xtask bless cli writes it"
        );
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|one| one.unwrap().path()).collect();
    files.sort();
    files
}

/// SVGs are a file each, and are written once.
#[test]
fn figures_are_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures");
    let _ = fs::remove_dir_all(&folder);
    let to = format!("{}/", folder.display());
    let figures = "phases,grid,timeline,bits,ladder,journey,fields,addresses,pads,keys,compare,served,evidence";
    let words = ["show", "-", "--figure", figures, "--tile", "A", "--format", "svg", "-o", &to];
    let written = tool(&words, FILES[2].1);
    assert_eq!((written.status, written.out.as_str()), (Status::Free, ""));
    assert!(written.err.lines().all(|line| line.ends_with(": written")), "{}", written.err);
    let files = files(&folder);
    let names: BTreeSet<_> =
        files.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    let wanted = figures.split(',').map(|one| match one {
        "evidence" => one.to_string(),
        one => format!("A-{one}"),
    });
    assert_eq!(names.into_iter().map(str::to_string).collect::<BTreeSet<_>>(), wanted.collect());
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        assert!(
            Document::parse(&text)
                .unwrap()
                .root_element()
                .has_tag_name(("http://www.w3.org/2000/svg", "svg"))
        );
    }
    let again = tool(&words, FILES[2].1).err;
    assert!(again.lines().all(|line| line.ends_with(": written")), "{again}");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let said = |words: &[&str], file: usize| {
        let output = tool(&[&["show", "-"], words].concat(), FILES[file].1);
        assert_eq!((output.status, output.out.as_str()), (Status::Invalid, ""), "{words:?}");
        output.err
    };
    assert_eq!(
        said(&["--figure", "phases,grid", "--format", "svg"], 0),
        "tiledesc: 2 figures are 2 files: name a folder, `-o figures/`\n"
    );
    assert_eq!(
        said(&["--figure", "distribution"], 0),
        "tiledesc: <stdin>:4: no distribution of tile A: `mfma-rows 16` is a pattern, not a distribution\n"
    );
    assert_eq!(
        said(&["--figure", "journey", "--at", "3"], 0),
        "tiledesc: <stdin>:4: no journey of tile A: --at has 1 number, but the tile has 2 dimensions\n"
    );
    assert!(said(&["--figure", "journey", "--at", "128,0"], 0).contains("no journey of tile A: "));
    assert_eq!(
        said(&["--line", "3"], 0),
        "tiledesc: <stdin>:4: no phases of tile A: there is no access in line 3\n"
    );
    // 33 columns are not bits.
    assert!(said(&["--figure", "fields", "--tile", "B"], 2).contains("no fields of tile B: "));
    assert!(
        said(&["--figure", "bits", "--tile", "Copies"], 6).contains("it has no access: write ")
    );
    for figure in ["pads", "keys", "compare"] {
        // `compare` takes it as rows of its last dimension.
        if figure != "compare" {
            let why = said(&["--figure", figure, "--tile", "3d"], 6);
            assert!(why.contains("3 dimensions"), "{why}");
        }
        let why = said(&["--figure", figure, "--tile", "Copies"], 6);
        assert!(why.contains("it has no access: write "), "{why}");
    }
    // 33 columns are not bits that a key could have.
    assert!(said(&["--figure", "keys", "--tile", "B"], 2).contains("no keys of tile B: "));
    assert!(said(&["--figure", "direct"], 0).contains("it has no fill: write `fill = "));
    assert!(said(&["--format", "html", "--figure", "bits"], 0).contains("leave out --figure"));
    assert!(said(&["--figure", "phase"], 0).contains("possible values: phases, grid"));
}

/// Text is what the library draws.
#[test]
fn figures_are_the_library_s() {
    use tiledesc::prelude::*;
    use tiledesc_host::plot::Draw as _;
    let plain = Plan::naive(&[128, 64], &[64, 1]).unwrap();
    let subject = plain.figure().with_element(F16).named("A");
    let read = &tiledesc::chip::gfx942::ds_read_b128;
    let shown = |words: &[&str]| {
        let file = FILES[0].1;
        tool(&[&["show", "-", "--figure"], words].concat(), file).out
    };
    assert_eq!(shown(&["bits"]), subject.bits(read).unwrap().text());
    assert_eq!(shown(&["bits", "--format", "svg"]), subject.bits(read).unwrap().svg());
    assert_eq!(shown(&["journey", "--at", "3,17"]), subject.journey(&[3, 17]).unwrap().text());
    // Line 8 is the write, which is free: nothing stands beside it.
    let write = &tiledesc::chip::gfx942::ds_write_b128;
    let phases = subject.phases(write, tiledesc::pattern::Lanes::row_major()).unwrap();
    assert_eq!(shown(&["phases", "--line", "8"]), phases.text());
    assert_eq!(
        shown(&["phases"]).lines().nth(2).map(|line| line.starts_with("A: 4-way, 512 cycles")),
        Some(true)
    );
}

/// `compare` has the costs of `find`, which are those of `check`.
#[test]
fn comparisons_cost_what_find_says() {
    let mut rows = 0;
    for (name, text) in FILES {
        for tile in ["A", "B", "S", "woven-block"] {
            let shown = tool(&["show", "-", "--tile", tile, "--figure", "compare"], text);
            let found = tool(&["find", "-", "--tile", tile], text);
            if shown.status == Status::Invalid {
                continue;
            }
            for line in found.out.lines().skip(2).filter(|line| !line.ends_with("--all")) {
                let mut words = line.split_whitespace();
                let (cycles, bytes) = (words.next().unwrap(), words.next().unwrap());
                let label = line.split_once("  recipe").map(|(_, rest)| format!("recipe{rest}"));
                let label = label.unwrap_or_else(|| "as it is".to_string());
                let row = shown.out.lines().find(|row| {
                    let rest = row.strip_prefix(&label);
                    rest.is_some_and(|rest| {
                        rest.starts_with("  ") || rest.starts_with(" (conflicts)  ")
                    })
                });
                let row = row.unwrap_or_else(|| panic!("{name} {tile}: {label}\n{}", shown.out));
                let costs: Vec<_> = row[label.len()..].split_whitespace().rev().collect();
                assert_eq!(costs[3], cycles, "{name} {tile}: {line}\n{row}");
                assert_eq!(costs[2], bytes, "{name} {tile}: {line}\n{row}");
                rows += 1;
            }
        }
    }
    println!("{rows} layouts");
    assert!(rows > 20, "{rows}");
}

/// A key is a recipe of CK's where it is `m % 8`, and row by row where CK has no such recipe.
#[test]
fn keys_conflict_as_recipes_do() {
    let (_, text) = FILES[1];
    let shown = tool(&["show", "-", "--figure", "keys"], text).out;
    let degrees = |key: &str| {
        let row = shown.lines().find(|row| row.starts_with(&format!("{key}  "))).unwrap();
        row[key.len()..].split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<u64>>()
    };
    let judged = |layout: &str| {
        let text = text.replace("recipe = \"gemm-xor\"", layout);
        let text = if layout.contains("row-major") { text.replace("kpack = 8", "") } else { text };
        let report = tool(&["check", "-", "--format", "json"], &text).out;
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let accesses = report["tiles"][0]["accesses"].as_array().unwrap();
        accesses.iter().map(|one| one["worst_degree"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(degrees("m % 8"), judged("recipe = \"gemm-xor\""));
    assert_eq!(degrees("A"), degrees("m % 8"));
    assert_eq!(degrees("no key"), judged("recipe = \"row-major\""));
    assert_ne!(degrees("no key"), degrees("A"));
}

/// Lane 9 of the first load brings the second pack of row 1, which the xor exchanged with the first.
#[test]
fn direct_loads_are_the_first() {
    let fill = "fill = { op = \"global_load_lds_b128\", waves = 4 }\nkpack = 8";
    let text = FILES[1].1.replace("kpack = 8", fill);
    let words = ["show", "-", "--chip", "gfx950", "--figure", "direct", "--format", "svg"];
    let svg = tool(&words, &text).out;
    assert!(svg.contains("lane 9: LDS byte 144, from (1, 0)"), "{svg}");
}
