//! Arrays of one dimension: what `find` prints is an index function in C, and no other of its kind costs less. Counted
//! here dword by dword, by all pads after all intervals and, of short arrays, all masks of index bits. A plain run tries
//! 25 arrays.

use serde_json::Value;
use std::collections::BTreeSet;
use support::formula::evaluate;
use support::fuzz::{Dice, cases, seed};
use tiledesc_cli::{Status, run};

const BANKS: u64 = 32;
const LANES: u64 = 32;

/// One instruction: the bytes of an element, and the elements that lanes read.
struct Reads {
    bytes: u64,
    instructions: Vec<Vec<u64>>,
}

impl Reads {
    /// Cycles where elements lie at other indices: of each instruction the distinct dwords of the fullest bank.
    fn cycles(&self, at: impl Fn(u64) -> u64) -> u64 {
        let of_one = |elements: &Vec<u64>| {
            let dwords: BTreeSet<u64> =
                elements.iter().map(|one| at(*one) * self.bytes / 4).collect();
            let of_bank =
                |bank| dwords.iter().filter(|dword| **dword % BANKS == bank).count() as u64;
            (0..BANKS).map(of_bank).max().unwrap()
        };
        self.instructions.iter().map(of_one).sum()
    }
}

/// An array, its access in the words of a file, and the access.
fn array(dice: &mut Dice) -> (u64, String, Reads) {
    let (element, bytes, op) = dice.of(&[("f32", 4, "ld.shared.b32"), ("f16", 2, "ld.shared.b16")]);
    let length = u64::from(dice.of(&[64u32, 96, 128, 128, 160, 256, 300, 512]));
    let first = if dice.one_in(2) { "" } else { "first " };
    let all: Vec<u64> = (1..length).filter(|one| length % (one * LANES) == 0).collect();
    let stride = match first {
        "" if !all.is_empty() => all[dice.below(all.len() as u32) as usize],
        _ => 1 + u64::from(dice.below((length / LANES) as u32)),
    };
    // A whole access goes on where an instruction ended, `stride` apart; the first alone may be of any stride.
    let is_whole = first.is_empty() && length.is_multiple_of(stride * LANES);
    let (first, steps) = if is_whole { ("", length / (stride * LANES)) } else { ("first ", 1) };
    let lanes = |step: u64| (0..LANES).map(move |lane| (step * LANES + lane) * stride).collect();
    let instructions = (0..steps).map(lanes).collect();
    let words = format!(
        "chips = [\"sm_80\"]\nelement = \"{element}\"\nshape = {{ x = {length} }}\n\
         read = [{{ op = \"{op}\", by = \"{first}strided {stride}\" }}]\n"
    );
    (length, words, Reads { bytes, instructions })
}

/// Every `x + x / every * pad`, with its costs: cycles and bytes.
fn pads(length: u64, reads: &Reads) -> Vec<(u64, u64)> {
    let whole = (2..length).filter(|every| length.is_multiple_of(*every));
    let each = whole.flat_map(|every| (0..=64).map(move |pad| (every, pad)));
    each.map(|(every, pad)| {
        let at = |x: u64| x + x / every * pad;
        (reads.cycles(at), (at(length - 1) + 1) * reads.bytes)
    })
    .collect()
}

/// Cycles of every xor of the dwords of a line of 128 bytes, a mask for each bit of the line's number; of few bits.
fn xors(length: u64, reads: &Reads) -> Vec<u64> {
    let per_dword = 4 / reads.bytes;
    let lines = length * reads.bytes / 128;
    if !length.is_power_of_two() || lines > 4 {
        return Vec::new();
    }
    let bits = lines.max(1).ilog2();
    let of = |masks: u64| {
        let flips = |line: u64| {
            (0..bits)
                .filter(|bit| line >> bit & 1 == 1)
                .fold(0, |all, bit| all ^ (masks >> (5 * bit) & 31))
        };
        reads.cycles(|x| x ^ (flips(x / per_dword / 32) * per_dword))
    };
    (0..1 << (5 * bits)).map(of).collect()
}

fn number(one: &Value, name: &str) -> u64 {
    one[name].as_u64().unwrap_or_else(|| panic!("{name} of {one}"))
}

#[test]
fn no_other_costs_less() {
    let mut dice = Dice(seed(0x1d));
    let (mut conflicts, mut mended, mut formulas, mut choices) = (0, 0, 0, 0);
    for _ in 0..cases("index functions") {
        let (length, words, reads) = array(&mut dice);
        let text = format!("version = 1\n[tile.s]\nstrides = [1]\n{words}");
        let output = run(["tiledesc", "find", "-", "--json"], &mut text.as_bytes());
        assert_ne!(output.status, Status::Invalid, "{text}\n{}", output.err);
        let found: Value = serde_json::from_str(&output.out).unwrap();
        let rows = found["tiles"][0]["rows"].as_array().unwrap();
        let costs: Vec<_> =
            rows.iter().map(|row| (number(row, "cycles"), number(row, "bytes"))).collect();
        let own = reads.cycles(|x| x);
        let (pads, xors) = (pads(length, &reads), xors(length, &reads));
        for (one, other) in pads.iter().zip(1..) {
            let is_met = costs.iter().any(|row| row.0 <= one.0 && row.1 <= one.1);
            assert!(is_met, "pad {other}, {one:?}: {text}\n{}", output.out);
        }
        let all_costs = |row: &Value| {
            let address = row["address"].as_u64().unwrap_or(u64::MAX);
            [number(row, "cycles"), number(row, "bytes"), address]
        };
        for row in rows.iter().filter(|row| row["choice"] == true) {
            let own = all_costs(row);
            let is_beaten =
                |other: &[u64; 3]| *other != own && (0..3).all(|at| other[at] <= own[at]);
            assert!(
                !rows.iter().map(all_costs).any(|other| is_beaten(&other)),
                "{row}: {text}\n{}",
                output.out
            );
            choices += 1;
        }
        let least = costs.iter().map(|row| row.0).min().unwrap();
        assert!(xors.iter().all(|cycles| least <= *cycles), "{text}\n{}", output.out);
        // What `check` names: as few cycles in as few bytes as any of these, and of all that take more than the least none
        // where something is free.
        let output = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
        let checked: Value = serde_json::from_str(&output.out).unwrap();
        let named = |list: &str| {
            let each = checked["tiles"][0][list].as_array().unwrap().iter();
            each.map(|one| (number(one, "cycles"), number(one, "bytes"))).collect::<Vec<_>>()
        };
        let (free, less) = (named("remedies"), named("less"));
        let xors = xors.into_iter().map(|cycles| (cycles, length * reads.bytes));
        for one in pads.into_iter().chain(xors).filter(|one| one.0 < own) {
            let mut each = free.iter().chain(&less);
            let is_met = each.any(|named| named.0 <= one.0 && named.1 <= one.1);
            assert!(is_met || !free.is_empty() && one.0 > least, "{one:?}: {text}\n{checked}");
        }
        for row in rows.iter().filter(|row| !row["index"].is_null()) {
            let index = row["index"].as_str().unwrap();
            let formula = index.strip_prefix("s[").unwrap().strip_suffix(']').unwrap();
            let at = |x: u64| evaluate(formula, &[("x", x as i64)]).unwrap() as u64;
            let places: BTreeSet<_> = (0..length).map(at).collect();
            assert_eq!(places.len() as u64, length, "{index}");
            assert_eq!((places.last().unwrap() + 1) * reads.bytes, number(row, "bytes"), "{index}");
            assert_eq!(reads.cycles(at), number(row, "cycles"), "{index}: {text}");
            formulas += 1;
        }
        conflicts += usize::from(own > reads.instructions.len() as u64);
        mended += usize::from(own > least);
    }
    println!(
        "{conflicts} conflict, {mended} of them mended, {formulas} formulas, {choices} choices"
    );
    assert!(
        mended > 5 && formulas > 150 && choices > 30,
        "{conflicts} {mended} {formulas} {choices}"
    );
}

/// What a row says in the words of a file is the same function there: `check` prints its formula where it mends.
#[test]
fn remedies_are_index_functions() {
    let check = |words: &[&str]| {
        let head = ["tiledesc", "check", "--chip", "sm_80"];
        run([&head, words].concat(), &mut std::io::empty()).out
    };
    let array = ["--element", "f32", "--shape", "x=1024", "--read", "ld.shared.b32 by strided 32"];
    let out = check(&[&array[..], &["--strides", "1"]].concat());
    let free = "free instead: recipe = \"dense-xor\", kpack = 1, linepacks = 32, masks = [1, 2, 4, 8, 16]: float tile[1024], tile[x ^ x >> 5]\n";
    assert!(out.contains(free), "{out}");
    let pad = ["--recipe", "interval-pad", "--with", "every=32", "--with", "padding=1"];
    let out = check(&[&array[..], &pad].concat());
    assert!(out.contains("free of conflicts"), "{out}");

    // Bytes: 8 * lane is 2-way, and is not where every 128 bytes another 4 lie.
    let bytes = ["--bytes", "1024", "--read", "ld.shared.b32 at 8 * lane"];
    let out = check(&bytes);
    assert!(
        out.contains("masks = [1]: unsigned char tile[1024], tile[byte ^ (byte >> 7 & 1) << 2]\n"),
        "{out}"
    );
    let pad = ["--recipe", "interval-pad", "--with", "every=128", "--with", "padding=4"];
    let out = check(&[&bytes[..], &pad].concat());
    assert!(out.contains("free of conflicts"), "{out}");
}
