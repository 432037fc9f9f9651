//! Random loads from global memory: the lines and sectors of each lane's bytes, counted byte by byte, wherever the tile begins.

use super::File;
use super::tile::access;
use core::fmt::Write as _;
use serde_json::Value;
use std::collections::BTreeSet;
use support::fuzz::Dice;

/// A load on one chip, and what its worst accesses touch.
pub(super) struct Fetched {
    tile: String,
    chip: &'static str,
    /// Its place among the loads of the tile and chip.
    at: usize,
    worst: Vec<Touched>,
    at_most: Option<u64>,
}

/// What an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Touched {
    sectors: u64,
    lines: u64,
    least_sectors: u64,
    least_lines: u64,
    access: u64,
    wave: u64,
}

impl Fetched {
    /// Compares what `check` says, and returns whether it fails.
    pub(super) fn compare(&self, report: &Value, text: &str) -> bool {
        let tiles = report["tiles"].as_array().unwrap();
        let tile = tiles.iter().find(|tile| tile["name"] == self.tile).unwrap();
        let fetches = tile["fetches"].as_array().unwrap();
        let mut own = fetches.iter().filter(|one| one["chip"] == self.chip);
        let found = own.nth(self.at).unwrap();
        let number = |key: &str| found[key].as_u64().unwrap();
        let said = found["found"].as_str().unwrap();
        let named = said.split("in access ").nth(1).map(|rest| {
            let mut numbers = rest.split([' ', ';']).filter_map(|word| word.parse::<u64>().ok());
            [numbers.next().unwrap(), numbers.next().unwrap()]
        });
        let is_said = |one: &&Touched| {
            number("sectors") == one.sectors
                && number("lines") == one.lines
                && number("least_sectors") == one.least_sectors
                && number("least_lines") == one.least_lines
                && named.is_none_or(|named| named == [one.access, one.wave])
        };
        assert!(self.worst.iter().any(|one| is_said(&one)), "{found}\n{:?}\n{text}", self.worst);
        assert_eq!(named.is_none(), number("sectors") == number("least_sectors"), "{found}");
        let passes = self.at_most.is_none_or(|most| number("sectors") <= most);
        assert_eq!(found["passes"].as_bool(), Some(passes), "{found}\n{text}");
        !passes
    }
}

/// Bytes of a line and of a sector: rocprof-compute's of CDNA, NVIDIA's transactions, RDNA's white paper.
fn lines(chip: &str) -> [u64; 2] {
    match chip {
        "gfx906" | "gfx90a" => [64, 64],
        "sm_80" | "sm_90" | "sm_120" => [128, 32],
        _ => [128, 128],
    }
}

/// Up to two loads of the tile from a tensor of as many dimensions, one or two.
pub(super) fn fetch(
    dice: &mut Dice,
    file: &mut File,
    (name, chips, lanes): (&str, &[&'static str], u64),
    (names, lengths, bits): (&[&str], &[u64], u64),
) {
    let last = lengths.len() - 1;
    let sizes: Vec<_> = [(4, "global_load_dword"), (8, "load_b64"), (16, "global_load_dwordx4")]
        .into_iter()
        .filter(|(bytes, _)| bytes * 8 >= bits && lengths[last] * bits % (bytes * 8) == 0)
        .collect();
    if lengths.len() > 2 || sizes.is_empty() {
        return;
    }
    let mut items = Vec::new();
    for _ in 0..dice.below(3) {
        let (bytes, op) = dice.of(&sizes);
        let vector = bytes * 8 / bits;
        let pitch = (lengths[last] / vector + u64::from(dice.below(9))) * vector;
        let is_multiple = dice.one_in(4);
        let step = if is_multiple { vector * (1 + u64::from(dice.below(9))) } else { pitch };
        // The distribution is the same whatever the pitch.
        let seed = dice.0;
        let sent = |pitch: u64| {
            access(&mut Dice(seed), names, lengths, (lanes, vector), &|at| {
                let row = if last == 0 { 0 } else { at[0] };
                ((row * pitch + at[last]) * bits / 8) as u32
            })
        };
        dice.below(2);
        let (by, _) = sent(pitch);
        // A wave of this name may take more than its rows, which a load refuses.
        if by == "row-major" {
            continue;
        }
        let pitches: Vec<u64> = match is_multiple {
            // Each remainder of a line once, of rows that do not meet in one.
            true => {
                let first = (lengths[last] * bits + 2048).div_ceil(step * bits);
                (first..first + 1024 / gcd(step * bits, 1024)).map(|k| k * step).collect()
            }
            false => vec![pitch],
        };
        let accesses: Vec<_> =
            pitches.iter().map(|pitch| (*pitch, all_bytes(sent(*pitch).1, bytes))).collect();
        let waves = waves(&by);
        let found = chips.iter().map(|chip| worst(&accesses, lengths, bits, waves, lines(chip)));
        let found: Vec<_> = found.collect();
        let most = found.iter().map(|worst| worst[0].sectors).max().unwrap();
        let at_most = dice.one_in(2).then(|| 1 + u64::from(dice.below(2 * most as u32)).min(127));
        let limit = at_most.map_or(String::new(), |most| format!(", at_most = {most}"));
        let rows = if is_multiple { format!("\"multiples of {step}\"") } else { pitch.to_string() };
        items.push(format!("{{ op = \"{op}\", by = \"{by}\", rows = {rows}{limit} }}"));
        for (chip, worst) in chips.iter().zip(found) {
            let at = items.len() - 1;
            file.fetched.push(Fetched { tile: name.to_string(), chip, at, worst, at_most });
        }
    }
    if !items.is_empty() {
        writeln!(file.toml, "fetch = [{}]", items.join(", ")).unwrap();
    }
}

/// The waves of a distribution's text: the product of its digits `w0 2`.
fn waves(by: &str) -> u64 {
    let digits = by.split(['[', ',', ']']).map(str::trim).filter(|one| one.starts_with('w'));
    digits.filter_map(|one| one.split(' ').nth(1)?.parse::<u64>().ok()).product()
}

/// Every byte of each lane, access by access.
fn all_bytes(sent: Vec<Vec<Option<u32>>>, bytes: u64) -> Vec<BTreeSet<u64>> {
    let of = |one: Vec<Option<u32>>| {
        one.into_iter().flatten().flat_map(|at| (0..bytes).map(move |byte| u64::from(at) + byte))
    };
    sent.into_iter().map(|one| of(one).collect()).collect()
}

/// The accesses of most sectors, wherever the tile begins at multiples of its lengths.
fn worst(
    accesses: &[(u64, Vec<BTreeSet<u64>>)],
    lengths: &[u64],
    bits: u64,
    waves: u64,
    [line, sector]: [u64; 2],
) -> Vec<Touched> {
    let mut all = BTreeSet::new();
    for (pitch, accesses) in accesses {
        let rows = if lengths.len() == 1 { 0 } else { lengths[0] * pitch };
        let steps = [rows, lengths[lengths.len() - 1]].map(|elements| elements * bits / 8);
        let begins: BTreeSet<_> =
            (0..line * line).map(|n| (n % line * steps[0] + n / line * steps[1]) % line).collect();
        for (number, bytes) in (0..).zip(accesses) {
            let most = |unit: u64| {
                let touched = |begin: u64| {
                    let mut units: Vec<_> =
                        bytes.iter().map(|byte| (byte + begin) / unit).collect();
                    units.dedup();
                    units.len() as u64
                };
                begins.iter().map(|begin| touched(*begin)).max().unwrap()
            };
            let (per_wave, held) = (accesses.len() as u64 / waves, bytes.len() as u64);
            all.insert(Touched {
                sectors: most(sector),
                lines: most(line),
                least_sectors: held.div_ceil(sector),
                least_lines: held.div_ceil(line),
                access: number % per_wave,
                wave: number / per_wave,
            });
        }
    }
    let most = all.last().unwrap().sectors;
    all.into_iter().filter(|one| one.sectors == most).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
