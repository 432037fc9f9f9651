//! The page of sources is the chips' tables, sorted by who says it.
//!
//! `BLESS=1 cargo test --test surface book::` rewrites `docs/src/sources.md`.

use core::fmt::Write;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tiledesc::chip::CHIPS;
use tiledesc::{Evidence, Instruction, Phases};

/// Where a source of the tables is found: by its key among the published figures, or by its address.
const FOUND: [(&str, &str); 10] = [
    ("nod-ai/amd-shark-ai, empirical-lds/cdna3info.md", "shark942"),
    ("nod-ai/amd-shark-ai, empirical-lds/cdna4info.md", "shark950"),
    ("nod-ai/amd-shark-ai, empirical-lds/rdna3info.md", "sharkr3"),
    ("nod-ai/amd-shark-ai, empirical-lds/rdna4info.md", "sharkr4"),
    ("CK Tile documentation, lds_bank_conflicts.rst", "ck-doc-banks"),
    (
        "HazyResearch/HipKittens, paper_experiments/phases",
        "https://github.com/HazyResearch/HipKittens/tree/f09e9685c4c6aaa41fb3ebd4fe4ca664938589e1/analysis/paper_experiments/phases",
    ),
    ("triton-lang/triton pull request 11365, of b96 and b128 on GFX12", "triton11365"),
    ("rocprof-compute documentation, ldsconflictrate.svg", "omni_svg_rate"),
    ("NVIDIA developer forum, thread 77228, of compute capability 7.0 to 7.5", "nv77228"),
    ("NVIDIA developer forum, thread 278716; bitsandbytes commit b64bb913", "bnb"),
];

/// Threads of NVIDIA's forum, where the table names no more.
const FORUM: &str = "https://forums.developer.nvidia.com/t/";

fn published() -> Value {
    let path = super::root().join("tests/golden/published/cases.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The address of a published source, if it has one: of the commit that was read.
fn address(source: &Value) -> Option<String> {
    let text = |key: &str| source[key].as_str();
    // An archive of a mirror is nothing to read.
    if let Some(url) = text("url") {
        return (!url.ends_with(".zip")).then(|| url.to_owned());
    }
    let (repo, commit) = (text("repo")?, text("commit")?);
    Some(match text("path").filter(|path| !path.contains('{')) {
        Some(path) => format!("https://github.com/{repo}/blob/{commit}/{path}"),
        None => format!("https://github.com/{repo}/commit/{commit}"),
    })
}

/// A source of the tables as a link.
fn link(source: &str, published: &Value) -> String {
    let thread = source.split("thread ").nth(1).and_then(|rest| rest.split([',', ';']).next());
    let found = FOUND.iter().find(|(words, _)| *words == source).map(|(_, found)| *found);
    let address = match found {
        Some(address) if address.starts_with("https:") => Some(address.to_owned()),
        Some(key) => address(&published["sources"][key]),
        None => thread.map(|thread| format!("{FORUM}{thread}")),
    };
    let address = address.unwrap_or_else(|| panic!("{source} has no address"));
    format!("[{source}]({address})")
}

/// `0-3 20-23`.
fn ranges(lanes: &[u8]) -> String {
    let run = |run: &[u8]| format!("{}-{}", run[0], run[run.len() - 1]);
    lanes.chunk_by(|a, b| a + 1 == *b).map(run).collect::<Vec<_>>().join(" ")
}

fn first_phase(phases: &Phases) -> String {
    format!("{} of {}", ranges(phases.lanes(0)), phases.count())
}

fn rows() -> impl Iterator<Item = &'static Instruction> {
    CHIPS.iter().flat_map(|chip| chip.rows())
}

/// What a source states or measured: instructions of a chip that it says the same of are a line.
fn stated(page: &mut String, published: &Value) {
    let mut sources: BTreeMap<&str, Vec<(String, String, String)>> = BTreeMap::new();
    for row in rows() {
        let rival = row.rival().map(|rival| (rival, ", disputed"));
        for (service, word) in [(row.service(), "")].into_iter().chain(rival) {
            if service.evidence != Evidence::Inferred {
                let lines = sources.entry(service.source).or_default();
                let (phase, sure) = (first_phase(&service.phases), service.evidence.name());
                let facts = format!("{} | {phase} | {sure}{word} |", service.banks);
                let name = format!("`{}`", row.name());
                match lines
                    .last_mut()
                    .filter(|line| (&line.0, &line.2) == (&row.chip().into(), &facts))
                {
                    Some(line) => line.1 += &format!(", {name}"),
                    None => lines.push((row.chip().into(), name, facts)),
                }
            }
        }
    }
    for (source, lines) in sources {
        writeln!(page, "\n### {}\n", link(source, published)).unwrap();
        writeln!(page, "| chip | instruction | banks | lanes of phase 0 | how sure |").unwrap();
        writeln!(page, "|---|---|---|---|---|").unwrap();
        for (chip, names, facts) in lines {
            writeln!(page, "| {chip} | {names} | {facts}").unwrap();
        }
    }
}

/// The reasons of what no source states, and how many rows of which chip rest on each.
fn inferred(page: &mut String) {
    let mut reasons: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for row in rows() {
        let services = [Some(row.service()), row.rival()].into_iter().flatten();
        for service in services.filter(|service| service.evidence == Evidence::Inferred) {
            *reasons.entry(service.source).or_default().entry(row.chip()).or_default() += 1;
        }
    }
    writeln!(page, "| reason | rows |\n|---|---|").unwrap();
    for (reason, chips) in reasons {
        let order = CHIPS.iter().filter_map(|chip| Some((chip.name(), chips.get(chip.name())?)));
        let chips: Vec<String> = order.map(|(chip, count)| format!("{chip} {count}")).collect();
        writeln!(page, "| {reason} | {} |", chips.join(", ")).unwrap();
    }
}

/// Who published the figures that the rule is compared with, and how many cases of each.
fn compared(page: &mut String, published: &Value) {
    let cases = published["cases"].as_array().unwrap();
    writeln!(page, "| source | cases |\n|---|---|").unwrap();
    for (key, source) in published["sources"].as_object().unwrap() {
        let names =
            |case: &&Value| case["sources"].as_array().unwrap().iter().any(|name| name == key);
        let count = cases.iter().filter(names).count();
        let title = source["title"].as_str().unwrap().replace('|', "\\|");
        let title =
            address(source).map_or(title.clone(), |address| format!("[{title}]({address})"));
        if count > 0 {
            writeln!(page, "| {title} | {count} |").unwrap();
        }
    }
}

fn page() -> String {
    let published = published();
    let mut page = String::from(
        "# Sources\n\n<!-- Written by `BLESS=1 cargo test --test surface book::` from the chips' tables. -->\n\n\
         Who says how lanes are served, row by row; what follows from it; and whose figures the rule is compared\n\
         with. This page is written from the tables themselves, and a test fails if it is stale. The same stands in the\n\
         documentation of each constant (`tiledesc::chip::gfx942::ds_read_b128`), and `service()` returns it.\n\n\
         \"0-3 20-23 of 8\" means that lanes 0 to 3 and 20 to 23 are the first of 8 phases.\n\n\
         ## Measured or documented\n",
    );
    stated(&mut page, &published);
    page += "\n## Inferred\n\nRows that no source states, by the reason that they are given, and how many of each chip. \
             The narrow and\npaired forms of an AMD instruction are served as the plain one.\n\n";
    inferred(&mut page);
    page += "\n## Figures that tests compare with\n\nPublished counters, lane groups and statements, in \
             `tests/golden/published`; a case may have several sources.\n\n";
    compared(&mut page, &published);
    page
}

#[test]
fn the_page_of_sources_is_the_tables() {
    let path = super::root().join("docs/src/sources.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        page,
        "BLESS=1 cargo test --test surface book::"
    );
}

/// No row is lost on the way to the page.
#[test]
fn every_source_of_a_row_is_on_the_page() {
    let page = page();
    let services = rows().flat_map(|row| [Some(row.service()), row.merged(), row.rival()]);
    let sources: BTreeSet<&str> = services.flatten().map(|service| service.source).collect();
    for source in &sources {
        assert!(page.contains(source), "{source}");
    }
    assert!(sources.len() > 20);
}
