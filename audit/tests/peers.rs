//! Beside `cuxray`, which reads NVIDIA's machine code, too: every access of 24 kernels, figure by figure (`peers/README.md`).
//!
//! Where the two differ, the table has both figures and the reasons, and the audit is asked again with cuxray's assumptions: then
//! it must say what cuxray says.

use flate2::read::GzDecoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use tiledesc::chip::Lines;
use tiledesc_audit::{
    Advice, Coalescing, Global, Kernel, Moved, Options, Reached, Ruling, Site, Unjudged, audit,
};

/// What cuxray takes for granted, by the words of the table.
#[derive(Clone, Copy, Default)]
struct Assumed {
    /// `off`: lanes that are off are judged as if they were on.
    all_on: bool,
    /// `warp`: the first warp stands for all.
    first: bool,
    /// `aligned`: the base of a vector is a multiple of 4 bytes, not of its own.
    by_dwords: bool,
}

impl Assumed {
    fn of(words: &[&str]) -> Self {
        let has = |word| words.contains(&word);
        Self { all_on: has("off"), first: has("warp"), by_dwords: has("aligned") }
    }

    fn reached<'r>(self, all: &'r [Reached]) -> impl Iterator<Item = Reached> + 'r {
        let of = move |one: &Reached| match self.all_on {
            true => Reached { on: Some(u64::from(u32::MAX)), ..one.clone() },
            false => one.clone(),
        };
        all.iter().filter(move |one| !self.first || one.wave == 0).map(of)
    }

    /// The degree of an access to shared memory.
    fn degree(self, site: &Site) -> String {
        let site = Site { reached: self.reached(&site.reached).collect(), ..site.clone() };
        match site.ruling(32) {
            Ruling::Judged(one) => one.degree.to_string(),
            _ => "unknown".to_string(),
        }
    }

    /// The fewest and the most sectors of an access to global memory, and the least for its bytes: `4-5/4`.
    fn sectors(self, site: &Global, lines: &Lines) -> String {
        let alignment = if self.by_dwords { 4 } else { site.access.alignment };
        let moved = Moved { alignment, ..site.access };
        let of = |one: Reached| {
            let found = Coalescing::new(moved, &one, 32, lines).ok()?;
            Some((found.worst.sectors, found.best.sectors, found.least.sectors))
        };
        let all: Option<Vec<_>> = self.reached(&site.reached).map(of).collect();
        match all.and_then(|all| all.into_iter().max()) {
            Some((worst, best, least)) => format!("{best}-{worst}/{least}"),
            None => "unknown".to_string(),
        }
    }
}

/// The kernels by name, and the line of each instruction by its address.
fn kernels() -> BTreeMap<String, (Kernel, BTreeMap<String, usize>)> {
    let folder = support::root().join("audit/tests/peers");
    let mut text = String::new();
    let file = fs::File::open(folder.join("peers.sass.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let address = |line: usize| {
        let (_, rest) = lines[line - 1].split_once("/*")?;
        Some(rest.split_once("*/")?.0.to_string())
    };
    let mut all = BTreeMap::new();
    for (name, block) in blocks() {
        let options =
            Options { block: Some(block), kernel: Some(name.clone()), ..Options::default() };
        let kernel = audit(&text, &options).unwrap().remove(0);
        let at = kernel.instructions.iter().filter_map(|(line, _)| Some((address(*line)?, *line)));
        let at = at.collect();
        all.insert(name, (kernel, at));
    }
    all
}

fn table(name: &str) -> String {
    fs::read_to_string(support::root().join("audit/tests/peers").join(name)).unwrap()
}

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect())
}

fn blocks() -> BTreeMap<String, [u32; 3]> {
    let table = table("figures.txt");
    let block = |word: &str| {
        let sizes = Vec::from_iter(word.split(',').map(|one| one.parse().unwrap()));
        <[u32; 3]>::try_from(sizes).unwrap()
    };
    rows(&table).map(|row| (row[0].to_string(), block(row[1]))).collect()
}

#[test]
fn every_access_beside_cuxray() {
    let (table, kernels) = (table("figures.txt"), kernels());
    let lines = tiledesc::chip::sm_90.lines().unwrap();
    let (mut seen, mut same, mut reasons, mut wrong) =
        (BTreeSet::new(), 0, BTreeMap::new(), Vec::new());
    for row in rows(&table) {
        let [name, _, address, opcode, space, theirs, rest @ ..] = &row[..] else {
            panic!("{row:?}")
        };
        let (kernel, at) = &kernels[*name];
        // `LDS RZ, [RZ]` waits for what came before, and reads nothing.
        if *rest == ["-", "nothing"] {
            assert!(!at.contains_key(*address), "{row:?}");
            *reasons.entry("nothing".to_string()).or_insert(0) += 1;
            continue;
        }
        let Some(line) = at.get(*address).copied() else {
            wrong.push(format!("{} | not there", row.join(" ")));
            continue;
        };
        let is_shared = *space == "shared";
        assert!(seen.insert((*name, line, is_shared)), "twice: {row:?}");
        let site = kernel.sites.iter().find(|one| one.line == line);
        let global = kernel.globals.iter().find(|one| one.line == line);
        let figure = |assumed: Assumed| match is_shared {
            true => assumed.degree(site.unwrap()),
            false => assumed.sectors(global.unwrap(), &lines),
        };
        let named = if is_shared { &site.unwrap().opcode } else { &global.unwrap().opcode };
        assert_eq!(named, opcode, "{row:?}");
        let ours = figure(Assumed::default());
        let (said, words) = rest.split_first().unwrap_or((theirs, &[]));
        let is_told = match words {
            [] => ours == *theirs,
            ["here"] => ours == "unknown" && *theirs != "unknown",
            ["there"] => ours != "unknown" && *theirs == "unknown",
            _ => ours != *theirs && figure(Assumed::of(words)) == *theirs,
        };
        if ours != *said || !is_told {
            wrong.push(format!("{} | {ours}", row.join(" ")));
        }
        match words {
            [] => same += 1,
            _ => *reasons.entry(words.join(" ")).or_insert(0) += 1,
        }
    }
    println!("{same} figures equal; others: {reasons:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((same, reasons.values().sum()), (191, 29));
    // What the table lacks is no load and no store.
    for (name, (kernel, _)) in &kernels {
        let is_listed = |line, is_shared| seen.contains(&(name.as_str(), line, is_shared));
        for site in kernel.sites.iter().filter(|site| !is_listed(site.line, true)) {
            assert_eq!(site.access.as_ref().err(), Some(&Unjudged::Atomic), "{name}: {site:?}");
        }
        assert!(kernel.globals.iter().all(|site| is_listed(site.line, false)), "{name}");
    }
}

/// Whatever cuxray frees by a mask the audit frees, too, and one kernel more, whose first warp is free; of another it takes most.
#[test]
fn every_remedy_beside_cuxray() {
    let (table, kernels) = (table("remedies.txt"), kernels());
    let mut named = BTreeSet::new();
    for row in rows(&table) {
        let [name, theirs, cycles @ ..] = &row[..] else { panic!("{row:?}") };
        named.insert(*name);
        let search = kernels[*name].0.better();
        let [region] = &search.regions[..] else { panic!("{name}: {search:?}") };
        let then = match &region.advice {
            Advice::Move { cycles, .. } => *cycles,
            _ => region.now,
        };
        assert_eq!([region.now, then, region.free].map(|one| one.to_string()), cycles, "{name}");
        assert!(*theirs == "none" || then == region.free, "{name}: cuxray frees it");
    }
    // No other kernel waits.
    for (name, (kernel, _)) in &kernels {
        assert_eq!(named.contains(name.as_str()), !kernel.better().regions.is_empty(), "{name}");
    }
}
