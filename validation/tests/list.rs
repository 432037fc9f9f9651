//! The patterns: what they touch and what the model counts, each a second time from the text of the
//! hardware table, with nothing of the library's arithmetic.

use std::collections::{BTreeMap, BTreeSet};
use tiledesc_validation::list::patterns;
use tiledesc_validation::pattern::Pattern;

const CHIPS: [&str; 4] = ["sm_80", "sm_90", "gfx942", "gfx90a"];

fn lanes_of(pattern: &Pattern) -> Vec<Option<u32>> {
    let addresses = pattern.addresses().unwrap();
    (0..64).map(|lane| addresses.get(lane)).collect()
}

/// Whether every lane's neighbour is idle or at the same address.
fn agree(lanes: &[Option<u32>], distance: usize) -> bool {
    (0..lanes.len()).all(|lane| match (lanes[lane], lanes[lane ^ distance]) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

/// NVIDIA: lanes of 128 bytes are a phase, of twice as many if they agree in pairs; a matrix is one.
fn nvidia(name: &str, lanes: &[Option<u32>]) -> Vec<Vec<usize>> {
    let bytes = if name.ends_with("b128") {
        16
    } else if name.ends_with("b64") {
        8
    } else {
        4
    };
    if let Some((_, count)) = name.split_once("matrix.x") {
        return consecutive(8, 8 * count.parse::<usize>().unwrap());
    }
    let together = 128 / bytes;
    let merged = bytes > 4 && (agree(lanes, 1) || agree(lanes, 2));
    consecutive(if merged { 2 * together } else { together }, 32)
}

fn consecutive(together: usize, lanes: usize) -> Vec<Vec<usize>> {
    (0..lanes).step_by(together).map(|first| (first..first + together).collect()).collect()
}

/// AMD, waves of 64.
fn amd(name: &str) -> Vec<Vec<usize>> {
    match name {
        "ds_read_b32" | "ds_write_b32" => consecutive(32, 64),
        "ds_read_b64" | "ds_write_b64" => consecutive(16, 64),
        "ds_write_b128" => consecutive(8, 64),
        "ds_read_b128" => {
            let firsts = [(0, 20), (4, 16), (8, 28), (12, 24)];
            let all = [0, 32].into_iter().flat_map(|half| {
                firsts.map(|(a, b)| {
                    (0..4).map(|i| half + a + i).chain((0..4).map(|i| half + b + i)).collect()
                })
            });
            all.collect()
        }
        other => panic!("{other}"),
    }
}

fn degree(lanes: &[Option<u32>], phase: &[usize], bytes: u32) -> u32 {
    let mut banks: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for address in phase.iter().filter_map(|lane| lanes[*lane]) {
        for dword in address / 4..(address + bytes) / 4 {
            banks.entry(dword % 32).or_default().insert(dword);
        }
    }
    banks.values().map(|dwords| dwords.len() as u32).max().unwrap_or(0)
}

#[test]
fn the_model_counts_what_brute_force_counts() {
    for chip in CHIPS {
        let mut seen = BTreeSet::new();
        for pattern in patterns(chip).unwrap() {
            let (name, lanes) = (pattern.instruction().name(), lanes_of(&pattern));
            let phases = if chip.starts_with("sm") { nvidia(name, &lanes) } else { amd(name) };
            let bytes = pattern.instruction().bytes();
            let degrees: Vec<_> = phases.iter().map(|phase| degree(&lanes, phase, bytes)).collect();
            let wavefronts = degrees.iter().map(|degree| u64::from(*degree.max(&1))).sum::<u64>();
            assert_eq!(pattern.degrees().unwrap(), degrees, "{chip} {}", pattern.id());
            assert_eq!(pattern.wavefronts().unwrap(), wavefronts, "{chip} {}", pattern.id());
            let verdict = pattern.verdict().unwrap();
            assert_eq!(Some(verdict.degree()), degrees.iter().max().copied(), "{}", pattern.id());
            seen.insert(verdict.degree());
        }
        assert!(seen.len() >= 6, "{chip}: degrees {seen:?}");
    }
}

#[test]
fn there_are_enough_and_names_are_unique() {
    for chip in CHIPS {
        let all = patterns(chip).unwrap();
        let names: BTreeSet<_> = all.iter().map(Pattern::id).collect();
        assert_eq!(names.len(), all.len(), "{chip}");
        assert!(all.len() >= 100, "{chip}: {}", all.len());
        println!("{chip}: {} patterns", all.len());
        // A line needs different wavefronts.
        let mut each: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for pattern in &all {
            let name = pattern.instruction().name();
            each.entry(name).or_default().insert(pattern.wavefronts().unwrap());
        }
        for (name, wavefronts) in each {
            assert!(wavefronts.len() >= 4, "{chip} {name}: {wavefronts:?}");
        }
    }
    assert!(patterns("sm_1").is_err());
}

/// The formulas of the table in `list`, in dwords.
fn formula(name: &str, lane: u32, pack: u32) -> Option<u32> {
    let number = |prefix: &str| name.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
    if let Some(stride) = number("stride") {
        return Some(lane * stride);
    }
    if let Some(pad) = number("column-pad") {
        return Some(lane * (64 + pad));
    }
    if let Some(rows) = number("broadcast") {
        return Some(lane % rows * 64);
    }
    if let Some(apart) = number("pairs") {
        return Some(lane / 2 * apart * pack);
    }
    if let Some((rows, pad)) = name.strip_prefix("rows").and_then(|n| n.split_once("-pad")) {
        let (rows, pad) = (rows.parse::<u32>().unwrap(), pad.parse::<u32>().unwrap());
        return Some(lane % rows * (64 + pad) + lane / rows * pack);
    }
    let packs = 64 / pack;
    let swizzled = |row: u32, chunk: u32| row * 64 + (chunk ^ (row % packs)) * pack;
    if let Some(rows) = name.strip_prefix("rows").and_then(|n| n.strip_suffix("-xor")) {
        let rows = rows.parse::<u32>().unwrap();
        return Some(swizzled(lane % rows, lane / rows));
    }
    match name {
        "diagonal" => Some(lane * 64 + lane % packs * pack),
        "column-xor" => Some(swizzled(lane, 0)),
        _ => None,
    }
}

#[test]
fn addresses_are_those_of_the_formulas() {
    let mut checked = 0;
    for pattern in CHIPS.iter().flat_map(|chip| patterns(chip).unwrap()) {
        let pack = pattern.instruction().bytes() / 4;
        for (lane, address) in lanes_of(&pattern).iter().enumerate() {
            if let (Some(address), Some(dword)) =
                (*address, formula(pattern.name(), lane as u32, pack))
            {
                assert_eq!(address, 4 * dword, "{} lane {lane}", pattern.id());
                checked += 1;
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

#[test]
fn writes_do_not_race_and_random_is_random() {
    for pattern in CHIPS.iter().flat_map(|chip| patterns(chip).unwrap()) {
        let active: Vec<_> = lanes_of(&pattern).into_iter().flatten().collect();
        let different: BTreeSet<_> = active.iter().collect();
        let may_share = ["broadcast", "pairs", "twins", "halves", "repeat"];
        let shares = may_share.iter().any(|prefix| pattern.name().starts_with(prefix));
        assert!(shares || different.len() == active.len(), "{}", pattern.id());
        assert!(pattern.verdict().unwrap().conflicts().race.is_none());
    }
    let seeds: BTreeSet<_> = patterns("sm_90")
        .unwrap()
        .iter()
        .filter(|pattern| pattern.id().starts_with("ld.shared.b32 random"))
        .map(|pattern| pattern.fingerprint().unwrap())
        .collect();
    assert_eq!(seeds.len(), 6);
}

/// What the README says of how many there are.
#[test]
fn the_readme_counts_right() {
    let readme = include_str!("../README.md");
    let count = |chip| patterns(chip).unwrap().len();
    let [hopper, ampere, mi300] = ["sm_90", "sm_80", "gfx942"].map(count);
    let said = format!("{hopper} patterns on sm_90, {ampere} on sm_80, {mi300} on gfx942");
    assert!(readme.contains(&said), "{said}");
}

/// Ways in which a wave could be served, other than the row's: each gives the phase of a lane.
fn ways(together: usize, lanes: usize) -> Vec<(&'static str, Vec<usize>)> {
    let bit = |lane: usize, bit: usize| lane >> bit & 1;
    let of = |phase: &dyn Fn(usize) -> usize| (0..lanes).map(phase).collect::<Vec<_>>();
    let mut ways = vec![
        ("consecutive", of(&|lane| lane / together)),
        ("interleaved", of(&|lane| lane % (lanes / together))),
        ("the whole wave", of(&|_| 0)),
        ("half as many lanes", of(&|lane| lane / (together / 2))),
    ];
    // Lanes 0-3 with 20-23, as MI300 reads 16 bytes; 0-3 with 12-15, 20-27, as MI350; and the same of 32 lanes.
    match together {
        8 => ways.push((
            "crossed",
            of(&|lane| (bit(lane, 5) << 1 | bit(lane, 4) ^ bit(lane, 2)) << 1 | bit(lane, 3)),
        )),
        16 => ways.push((
            "crossed",
            of(&|lane| bit(lane, 5) << 1 | bit(lane, 4) ^ bit(lane, 3) ^ bit(lane, 2)),
        )),
        32 => ways.push(("crossed", of(&|lane| bit(lane, 5) ^ bit(lane, 4)))),
        _ => {}
    }
    ways
}

/// Cycles of a pattern, if each lane is in the phase listed, on so many banks.
fn cycles(pattern: &Pattern, phases: &[usize], banks: u32) -> u32 {
    let (lanes, bytes) = (lanes_of(pattern), pattern.instruction().bytes());
    let mut found: BTreeMap<usize, BTreeMap<u32, BTreeSet<u32>>> = BTreeMap::new();
    for (lane, phase) in phases.iter().enumerate() {
        let banked = found.entry(*phase).or_default();
        for dword in lanes[lane].into_iter().flat_map(|at| at / 4..(at + bytes) / 4) {
            banked.entry(dword % banks).or_default().insert(dword);
        }
    }
    let degree = |banks: &BTreeMap<u32, BTreeSet<u32>>| {
        banks.values().map(|dwords| dwords.len() as u32).max().unwrap_or(0).max(1)
    };
    found.values().map(degree).sum()
}

/// A record of a chip can tell the row from every other way of serving it: some pattern takes other cycles, and not only
/// in sum, by which a constant per instruction could be fitted.
#[test]
fn the_patterns_tell_phases_and_banks_apart() {
    let (mut told, mut seen) = (0, BTreeSet::new());
    for chip in tiledesc::chip::CHIPS {
        let mut instructions: BTreeMap<&str, Vec<Pattern>> = BTreeMap::new();
        for pattern in patterns(chip.name()).unwrap() {
            instructions.entry(pattern.instruction().name()).or_default().push(pattern);
        }
        for (name, patterns) in instructions {
            let service = patterns[0].instruction().service();
            let lanes = service.phases.addressed();
            let (together, banks) = (service.phases.lanes(0).len(), service.banks);
            let row: Vec<usize> =
                (0..lanes).map(|lane| service.phases.phase_of(lane).unwrap()).collect();
            // Most chips share their rows with another.
            if !seen.insert((name, banks, row.clone())) {
                continue;
            }
            let of = |phases: &[usize], banks: u32| -> Vec<u32> {
                patterns.iter().map(|pattern| cycles(pattern, phases, banks)).collect()
            };
            let ours = of(&row, banks);
            let differs = |way: &str, other: Vec<u32>| {
                let offsets: BTreeSet<i64> =
                    ours.iter().zip(&other).map(|(a, b)| i64::from(*a) - i64::from(*b)).collect();
                assert!(
                    offsets.len() > 1,
                    "{chip:?} {name}: {way} cannot be told",
                    chip = chip.name()
                );
            };
            for (way, phases) in ways(together, lanes) {
                let groups = |of: &[usize]| -> BTreeSet<Vec<usize>> {
                    let keys: BTreeSet<usize> = of.iter().copied().collect();
                    keys.iter().map(|key| (0..lanes).filter(|l| of[*l] == *key).collect()).collect()
                };
                if groups(&phases) != groups(&row) {
                    differs(way, of(&phases, banks));
                    told += 1;
                }
            }
            differs("another number of banks", of(&row, 96 - banks));
            if let Some(rival) = patterns[0].instruction().rival() {
                let phases: Vec<usize> =
                    (0..lanes).map(|lane| rival.phases.phase_of(lane).unwrap()).collect();
                differs("the rival", of(&phases, rival.banks));
                told += 1;
            }
        }
    }
    println!("{told} ways told apart");
    assert!(told > 100);
}
