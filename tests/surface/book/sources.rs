//! The page of sources is the chips' tables, sorted by who says it.
//!
//! `BLESS=1 cargo test --test surface book::` rewrites `docs/src/sources.md`.

use core::fmt::Write;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tiledesc::chip::CHIPS;
use tiledesc::chip::{Evidence, Instruction, Phases};

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

/// What a source carries of an instruction: which lanes are served together, or only how many cycles they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Lanes,
    Cycles,
}

/// A source, the chips and instructions it speaks of, what of them, how sure it is, and by which method.
type Carried = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    (Fact, Evidence),
    &'static str,
);

/// What each source carries, as read in it. A row may name a source only for what stands here as lanes: that is
/// what a verdict uses.
const CARRIED: [Carried; 15] = [
    (
        "CK Tile documentation, lds_bank_conflicts.rst",
        &["gfx942"],
        &["ds_write_b128"],
        (Fact::Lanes, Evidence::Documented),
        "stated, 8 consecutive lanes",
    ),
    (
        "HazyResearch/HipKittens, paper_experiments/phases",
        &["gfx950"],
        &["ds_read_b64", "ds_read_b96", "ds_read_b128", "ds_write_b64"],
        (Fact::Lanes, Evidence::Measured),
        "two active lanes and a counter, all 2016 pairs; then the banks, dword by dword",
    ),
    (
        "NVIDIA developer forum, thread 278716; bitsandbytes commit b64bb913",
        &["sm_75"],
        &["ldmatrix.x4"],
        (Fact::Lanes, Evidence::Documented),
        "stated, lanes 0-7, 8-15, 16-23 and 24-31, each one transaction",
    ),
    (
        "NVIDIA developer forum, thread 373160, of A10 and H100",
        &["sm_86", "sm_90"],
        &["ld.shared.b128"],
        (Fact::Lanes, Evidence::Documented),
        "stated, quarters of a warp",
    ),
    (
        "NVIDIA developer forum, thread 373160, of A10 and H100",
        &["sm_86", "sm_90"],
        &["ld.shared.b128"],
        (Fact::Cycles, Evidence::Measured),
        "wavefronts by ncu, two patterns: 8, and 2 where lanes agree in pairs",
    ),
    (
        "NVIDIA developer forum, thread 77228, of compute capability 7.0 to 7.5",
        &["sm_70", "sm_75"],
        &["ld.shared.b128"],
        (Fact::Cycles, Evidence::Documented),
        "stated, 4 requests, and 2 where lanes agree in pairs",
    ),
    (
        "nod-ai/amd-shark-ai, empirical-lds/cdna3info.md",
        &["gfx942"],
        &["ds_read_b32", "ds_read_b64", "ds_read_b128"],
        (Fact::Lanes, Evidence::Measured),
        "lanes listed phase by phase, with the counter and the latency of 7 or 8 strides",
    ),
    (
        "nod-ai/amd-shark-ai, empirical-lds/cdna4info.md",
        &["gfx950"],
        &["ds_read_b32"],
        (Fact::Lanes, Evidence::Documented),
        "stated, one phase of 64 lanes",
    ),
    (
        "nod-ai/amd-shark-ai, empirical-lds/rdna3info.md",
        &["gfx1100"],
        &["ds_read_b64", "ds_read_b128"],
        (Fact::Lanes, Evidence::Measured),
        "the latency of pairs of lanes on one bank",
    ),
    (
        "nod-ai/amd-shark-ai, empirical-lds/rdna3info.md",
        &["gfx1100"],
        &["ds_read_b32"],
        (Fact::Lanes, Evidence::Measured),
        "one phase of the whole wave, by the latency of 8 strides",
    ),
    (
        "nod-ai/amd-shark-ai, empirical-lds/rdna4info.md",
        &["gfx1201"],
        &["ds_read_b64", "ds_read_b128"],
        (Fact::Lanes, Evidence::Measured),
        "the latency of pairs of lanes on one bank",
    ),
    (
        "nod-ai/amd-shark-ai, empirical-lds/rdna4info.md",
        &["gfx1201"],
        &["ds_read_b32"],
        (Fact::Lanes, Evidence::Measured),
        "one phase of the whole wave, by the latency of 8 strides",
    ),
    (
        "rocprof-compute documentation, ldsconflictrate.svg",
        &["gfx90a"],
        &["ds_read_b32"],
        (Fact::Lanes, Evidence::Measured),
        "a counter, with 1 to 64 active lanes on one bank: lane 32 begins the second phase",
    ),
    (
        "triton-lang/triton pull request 11365, of b96 and b128 on GFX12",
        &["gfx1201"],
        &["ds_read_b96"],
        (Fact::Lanes, Evidence::Documented),
        "stated, by a document of AMD's",
    ),
    (
        "triton-lang/triton pull request 11365, of b96 and b128 on GFX12",
        &["gfx1201"],
        &["ds_read_b128"],
        (Fact::Lanes, Evidence::Documented),
        "stated, by a document of AMD's",
    ),
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
    // A source of cycles alone has no row.
    for (source, ..) in CARRIED {
        sources.entry(source).or_default();
    }
    for (source, lines) in sources {
        writeln!(page, "\n### {}\n", link(source, published)).unwrap();
        for (_, chips, instructions, (fact, evidence), how) in
            CARRIED.iter().filter(|carried| carried.0 == source)
        {
            let names: Vec<String> = instructions.iter().map(|name| format!("`{name}`")).collect();
            let fact = match fact {
                Fact::Lanes => "which lanes",
                Fact::Cycles => "how many cycles, not which lanes",
            };
            let (chips, names, sure) = (chips.join(", "), names.join(", "), evidence.name());
            writeln!(page, "- {chips}, {names}: {fact}, {sure}: {how}.").unwrap();
        }
        if lines.is_empty() {
            continue;
        }
        writeln!(page).unwrap();
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
         \"0-3 20-23 of 8\" means that lanes 0 to 3 and 20 to 23 are the first of 8 phases. \"How sure\" is about which lanes\n\
         are served together. A source may carry less, how many cycles a pattern takes: then it is listed, and its row\n\
         is not measured by it.\n\n\
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

/// A row names a source for what the source carries, and is no surer than it.
#[test]
fn a_row_claims_no_more_than_its_source_carries() {
    let mut used = BTreeSet::new();
    for row in rows() {
        let services = [Some(row.service()), row.merged(), row.rival()].into_iter().flatten();
        for service in services.filter(|service| service.evidence > Evidence::Inferred) {
            let carries = |carried: &&Carried| {
                let (source, chips, instructions, (fact, evidence), _) = carried;
                *source == service.source
                    && chips.contains(&row.chip())
                    && instructions.contains(&row.name())
                    && *fact == Fact::Lanes
                    && *evidence >= service.evidence
            };
            let carried = CARRIED.iter().position(|carried| carries(&carried));
            let name = (row.chip(), row.name(), service.evidence.name(), service.source);
            used.insert(
                carried.unwrap_or_else(|| panic!("{name:?}: the source does not carry it")),
            );
        }
    }
    // What no row names: cycles alone, and what supports the source of a row.
    let unused = (0..CARRIED.len()).filter(|place| !used.contains(place));
    let unused: Vec<_> = unused.map(|place| (CARRIED[place].0, CARRIED[place].3.0)).collect();
    assert_eq!(
        unused,
        [
            ("NVIDIA developer forum, thread 373160, of A10 and H100", Fact::Cycles),
            (
                "NVIDIA developer forum, thread 77228, of compute capability 7.0 to 7.5",
                Fact::Cycles
            ),
            ("triton-lang/triton pull request 11365, of b96 and b128 on GFX12", Fact::Lanes),
        ],
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
