//! The page of sources is the chips' tables, sorted by who says it.
//!
//! `cargo xtask bless surface book::` rewrites `docs/src/sources.md`.

use super::carried::{Carried, Fact, SOURCES, Source, TODAY, carried};
use core::fmt::Write;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tiledesc::chip::CHIPS;
use tiledesc::chip::{Evidence, Instruction, Phases, Service};

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

/// Where a source is found.
fn address_of(source: &Source, published: &Value) -> String {
    let found = match source.at {
        address if address.starts_with("https:") => Some(address.to_owned()),
        key => address(&published["sources"][key]),
    };
    found.unwrap_or_else(|| panic!("{} has no address", source.name))
}

/// `0-3 20-23`.
fn ranges(lanes: &[u8]) -> String {
    let run = |run: &[u8]| format!("{}-{}", run[0], run[run.len() - 1]);
    lanes.chunk_by(|a, b| a + 1 == *b).map(run).collect::<Vec<_>>().join(" ")
}

fn first_phase(phases: &Phases) -> String {
    format!("{} of {}", ranges(phases.lanes(0)), phases.count())
}

/// What a row says, as a source does.
fn lanes(service: &Service) -> String {
    format!("{} banks, {}", service.banks, first_phase(&service.phases))
}

/// Whether a row says what a source carries; of cycles alone it cannot say.
fn agrees(fact: Fact, service: &Service) -> Option<bool> {
    match fact {
        Fact::Lanes(stated) => Some(stated == lanes(service)),
        Fact::Banks(banks) => Some(banks == service.banks),
        Fact::Cycles => None,
    }
}

fn row_of(chip: &str, name: &str) -> &'static Instruction {
    tiledesc::chip::find(chip).unwrap().instruction(name).unwrap()
}

fn of_source(name: &str) -> impl Iterator<Item = Carried> + '_ {
    carried().filter(move |carried| carried.source == name)
}

/// Where a source says otherwise than a row: who is for the row, and who is for the rival.
fn disagreements(page: &mut String) {
    for row in rows().filter(|row| row.rival().is_some()) {
        let says = |service: &Service| -> Vec<&str> {
            let of_row = carried().filter(|carried| {
                carried.chips.contains(&row.chip()) && carried.rows.contains(&row.name())
            });
            let agreeing = of_row.filter(|carried| agrees(carried.fact, service) == Some(true));
            agreeing.map(|carried| carried.source).collect()
        };
        let rival = row.rival().unwrap();
        let (ours, theirs) = (says(row.service()), says(rival));
        if !theirs.is_empty() {
            let by = |sources: Vec<&str>| format!("by {}: {}", sources.len(), sources.join("; "));
            let (ours, theirs) = (by(ours), by(theirs));
            writeln!(page, "- {}, `{}`", row.chip(), row.name()).unwrap();
            writeln!(page, "  - the row, {}, {ours}", lanes(row.service())).unwrap();
            writeln!(page, "  - the rival, {}, {theirs}", lanes(rival)).unwrap();
        }
    }
}

fn rows() -> impl Iterator<Item = &'static Instruction> {
    CHIPS.iter().flat_map(|chip| chip.rows())
}

/// An instruction, in bold where its row rests on the source; if that is so of some of the chips, with these.
fn marked(carried: &Carried, name: &str) -> String {
    let rests = |chip: &&str| {
        let row = row_of(chip, name);
        let services = [Some(row.service()), row.merged(), row.rival()].into_iter().flatten();
        let mut sources = services.map(|service| service.source);
        matches!(carried.fact, Fact::Lanes(_)) && sources.any(|source| source == carried.source)
    };
    let resting: Vec<&str> = carried.chips.iter().copied().filter(rests).collect();
    match resting.len() {
        0 => format!("`{name}`"),
        all if all == carried.chips.len() => format!("**`{name}`**"),
        _ => format!("**`{name}` ({})**", resting.join(", ")),
    }
}

/// A statement in words, without its chips and its method.
fn in_words(carried: &Carried) -> String {
    let names: Vec<String> = carried.rows.iter().map(|name| marked(carried, name)).collect();
    let names = names.join(", ");
    match carried.fact {
        Fact::Lanes(lanes) => format!("{names} {lanes}"),
        Fact::Banks(banks) => format!("{names} {banks} banks, lanes not stated"),
        Fact::Cycles => format!("{names} cycles, lanes not stated"),
    }
}

/// Each source: what it is, when it was read if not with the others, and a line for each of its methods.
fn by_source(page: &mut String, published: &Value) {
    for source in &SOURCES {
        let (address, is) = (address_of(source, published), source.is);
        let read = match source.read {
            TODAY => String::new(),
            read if read.starts_with("not") => format!("; {read}"),
            read => format!("; read {read}"),
        };
        let is = is[..1].to_uppercase() + &is[1..];
        // A heading that is a link would be blank in the sidebar of the book.
        writeln!(page, "\n### {}\n\n{is}{read} ([source]({address})).\n", source.name).unwrap();
        let all: Vec<Carried> = of_source(source.name).collect();
        let method = |carried: &Carried| (carried.chips, carried.evidence, carried.how);
        for group in all.chunk_by(|a, b| method(a) == method(b)) {
            let (chips, evidence, how) = method(&group[0]);
            let (chips, sure) = (chips.join(", "), evidence.name());
            let facts: Vec<String> = group.iter().map(in_words).collect();
            writeln!(page, "- {chips}, {sure} ({how}): {}.", facts.join("; ")).unwrap();
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
    for (reason, chips) in reasons {
        let order = CHIPS.iter().filter_map(|chip| Some((chip.name(), chips.get(chip.name())?)));
        let (count, all) = (chips.values().sum::<usize>(), chips.len());
        let chips: Vec<String> = order.map(|(chip, count)| format!("{chip} {count}")).collect();
        // Of many chips each constant says it; a list of them would be half of the page.
        let rows = if all > 5 { format!("{count} of {all} chips") } else { chips.join(", ") };
        writeln!(page, "* {reason}: {rows}").unwrap();
    }
}

/// The lines and sectors of global memory, by what says so.
fn lines(page: &mut String) {
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for chip in CHIPS.iter().filter(|chip| chip.name() == chip.product()) {
        let said = match chip.lines() {
            Some(lines) => {
                let (bytes, sector) = (lines.bytes(), lines.sector());
                let sectors = match bytes == sector {
                    true => String::new(),
                    false => format!(" in sectors of {sector}"),
                };
                let (evidence, source) = (lines.evidence().name(), lines.source());
                format!("{bytes} bytes{sectors}, {evidence}, {source}")
            }
            None => "no source was found".to_owned(),
        };
        all.entry(said).or_default().push(chip.name());
    }
    for (said, chips) in all {
        writeln!(page, "* {said}: {}", chips.join(", ")).unwrap();
    }
}

/// Who published the figures that the rule is compared with, and how many cases of each.
fn compared(page: &mut String, published: &Value) {
    let cases = published["cases"].as_array().unwrap();
    for (key, source) in published["sources"].as_object().unwrap() {
        let names =
            |case: &&Value| case["sources"].as_array().unwrap().iter().any(|name| name == key);
        let count = cases.iter().filter(names).count();
        let title = source["title"].as_str().unwrap().to_owned();
        let title =
            address(source).map_or(title.clone(), |address| format!("[{title}]({address})"));
        if count > 0 {
            writeln!(page, "* {title}: {count}").unwrap();
        }
    }
}

fn page() -> String {
    let published = published();
    let mut page = format!(
        "# How we know\n\n<!-- Written by `cargo xtask bless surface book::` from the chips' tables. -->\n\n\
         Which source says how lanes are served, row by row; what is inferred; and whose published figures the tests\n\
         compare with. The page is generated from the chips' tables. A test fails if it is stale, if a row is surer than its\n\
         source, or if a source contradicts a row and is not its rival. Each constant\n\
         (`tiledesc::chip::gfx942::ds_read_b128`) documents the same, and `service()` returns it.\n\n\
         \"32 banks, 0-3 20-23 of 8\" means that lanes 0 to 3 and 20 to 23 are the first of 8 phases, on 32 banks.\n\
         \"Measured\" is about which lanes are served together: a source that carries only banks or cycles is listed, but its\n\
         row is not measured by it. Instructions in bold are the rows that name the source. Sources were last read on\n\
         {TODAY} unless their line says otherwise; one that could not be reached made no row surer.\n\n\
         ## Where sources disagree\n\nThe verdict follows the row and says what the rival would make of it. The \
         narrow and paired forms follow.\n\n",
    );
    disagreements(&mut page);
    page += "\n## Measured or documented\n";
    by_source(&mut page, &published);
    page += "\n## Inferred\n\nRows that no source states, by reason, with their number. The narrow and paired forms of an AMD\n\
             instruction are served as the plain one.\n\n";
    inferred(&mut page);
    page += "\n## Lines of global memory\n\n";
    lines(&mut page);
    page += "\n## Figures that tests compare with\n\nPublished counters, lane groups and statements, in \
             `tests/golden/published`, with the\nnumber of cases. A case may have several sources.\n\n";
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
    // Not both in full, which are 60,000 characters.
    let written = fs::read_to_string(&path).unwrap();
    let stale = page.lines().find(|line| !written.contains(line));
    assert!(
        written == page,
        "cargo xtask bless surface book:: writes docs/src/sources.md with {stale:?}"
    );
}

/// A row names a source for what the source carries, and is no surer than it.
#[test]
fn a_row_claims_no_more_than_its_source_carries() {
    for row in rows() {
        let services = [Some(row.service()), row.merged(), row.rival()].into_iter().flatten();
        for service in services.filter(|service| service.evidence > Evidence::Inferred) {
            let carries = |carried: Carried| {
                carried.chips.contains(&row.chip())
                    && carried.rows.contains(&row.name())
                    && matches!(carried.fact, Fact::Lanes(_))
                    && carried.evidence >= service.evidence
            };
            let name = (row.chip(), row.name(), service.evidence.name(), service.source);
            assert!(
                of_source(service.source).any(carries),
                "{name:?}: the source does not carry it"
            );
        }
    }
}

/// A source that says of a row something else than the row is its rival.
#[test]
fn what_a_source_carries_is_the_row_or_its_rival() {
    let mut compared = 0;
    for carried in carried() {
        for (chip, name) in
            carried.chips.iter().flat_map(|chip| carried.rows.iter().map(move |row| (chip, row)))
        {
            let row = row_of(chip, name);
            let services = [Some(row.service()), row.rival()].into_iter().flatten();
            let said: Vec<Option<bool>> =
                services.map(|service| agrees(carried.fact, service)).collect();
            let (source, fact) = (carried.source, carried.fact);
            assert!(
                said.iter().any(|said| *said != Some(false)),
                "{chip} {name}: {source} has {fact:?}"
            );
            compared += usize::from(said[0].is_some());
        }
    }
    println!("{compared} statements compared with rows");
    assert!(compared > 80);
}

/// Each is in the list once, and says something.
#[test]
fn every_source_is_listed_once_and_carries_something() {
    for source in &SOURCES {
        assert_eq!(SOURCES.iter().filter(|other| other.name == source.name).count(), 1);
        assert!(of_source(source.name).next().is_some(), "{} carries nothing", source.name);
        assert!(source.read.contains("2026-"), "{}: when was it read?", source.name);
    }
    for carried in carried() {
        assert!(SOURCES.iter().any(|source| source.name == carried.source), "{}", carried.source);
    }
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
