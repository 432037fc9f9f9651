//! Addresses that depend on data, `any bin < 256; bin * 4`: the worst is exact and the average near, counted here over all that
//! data can be; and atomics by their names. A plain run tries 40 accesses.

use serde_json::Value;
use std::collections::BTreeSet;
use support::fuzz::Dice;
use tiledesc_cli::{Output, Status, run};

fn check(words: &[&str]) -> Output {
    run([&["tiledesc", "check"], words].concat(), &mut std::io::empty())
}

/// The lanes that are active, of both halves of a wave of 64.
const LANES: [u32; 4] = [0, 1, 32, 33];

/// An access of lanes of two phases: bytes by lane and value.
struct Access {
    values: u32,
    by_value: u32,
    by_lane: u32,
    by_half: u32,
}

impl Access {
    fn byte(&self, lane: u32, value: u32) -> u32 {
        (value * self.by_value + lane % 32 * self.by_lane + lane / 32 * self.by_half) * 4
    }

    /// Cycles of the two phases, and the degree, where a pad of 4 bytes follows every 128 if `is_padded`.
    fn cost(&self, values: [u32; 4], is_padded: bool) -> (u64, u64) {
        let dword = |at: usize| {
            let byte = self.byte(LANES[at], values[at]);
            byte / 4 + if is_padded { byte / 128 } else { 0 }
        };
        let degree = |lanes: [usize; 2]| {
            let dwords: BTreeSet<u32> = lanes.map(dword).into_iter().collect();
            let banks: BTreeSet<u32> = dwords.iter().map(|dword| dword % 32).collect();
            if banks.len() == dwords.len() { 1 } else { 2 }
        };
        let [one, other] = [degree([0, 1]), degree([2, 3])];
        (one + other, one.max(other))
    }
}

#[test]
fn the_worst_is_exact_and_the_average_near() {
    let mut dice = Dice(0xda7a);
    let (mut conflicts, mut missed) = (0, 0);
    for number in 0..40 {
        let one = Access {
            values: 1 + dice.below(5),
            by_value: dice.of(&[1, 8, 16, 31, 32, 33]),
            by_lane: dice.of(&[0, 1, 16, 32, 64]),
            by_half: dice.of(&[0, 5, 32]),
        };
        let is_padded = dice.one_in(2);
        let Access { values, by_value, by_lane, by_half } = one;
        let read = format!(
            "ds_read_b32 at any v < {values}; lane % 32 < 2 ? (v * {by_value} + lane % 32 * {by_lane} + lane / 32 * {by_half}) * 4 : idle"
        );
        let pad = ["--recipe", "interval-pad", "--with", "every=128", "--with", "padding=4"];
        let words = ["--chip", "gfx942", "--bytes", "8192", "--read", &read, "--format", "json"];
        let pad = if is_padded { &pad[..] } else { &[] };
        let output = check(&[&words, pad].concat());
        let report: Value = serde_json::from_str(&output.out).unwrap();
        let found = &report["tiles"][0]["accesses"][0];
        let all: Vec<_> = (0..values.pow(4))
            .map(|id| [0, 1, 2, 3].map(|at| id / values.pow(at) % values))
            .map(|values| one.cost(values, is_padded))
            .collect();
        let worst = all.iter().max().unwrap().0;
        let degree = all.iter().map(|cost| cost.1).max().unwrap();
        assert_eq!(found["active_cycles"].as_u64(), Some(worst), "{number}: {read}\n{found}");
        assert_eq!(found["degree"].as_u64(), Some(degree), "{number}: {read}");
        let best = all.iter().map(|cost| cost.1).min().unwrap();
        let told = found["data"]["best_degree"].as_u64().unwrap();
        assert!(told >= best, "{number}: {read}");
        missed += usize::from(told != best);
        let count = all.len() as f64;
        let mean = all.iter().map(|cost| cost.0 as f64).sum::<f64>() / count;
        let square = all.iter().map(|cost| (cost.0 as f64 - mean).powi(2)).sum::<f64>() / count;
        let drawn = found["data"]["cycles_of_draws"].as_u64().unwrap() as f64 / 1000.0;
        assert!(
            (drawn - mean).abs() <= 5.0 * (square / 1000.0).sqrt() + 1e-9,
            "{number}: {read} {drawn} {mean}"
        );
        conflicts += usize::from(degree > 1);
        // Not by data alone: the other lanes are idle.
        assert_eq!(found["free"], degree == 1, "{number}: {read}");
    }
    assert!(conflicts > 10 && missed == 0, "{conflicts} {missed}");
}

/// A histogram of 256 bins: eight of them are in each bank, and 32 lanes may be in one bin.
#[test]
fn a_histogram() {
    let read = |at: &str| {
        check(&["--chip", "sm_80", "--bytes", "65536", "--read", &format!("ld.shared.b32 at {at}")])
    };
    let found = read("any bin < 256; bin * 4");
    assert_eq!(found.status, Status::Conflict);
    assert!(found.out.contains("at worst 8-way in phase 0"), "{}", found.out);
    assert!(found.out.contains("; at best free; on average 3."), "{}", found.out);
    assert!(!found.out.contains("instead"), "{}", found.out);
    // Two values at once; a copy for each lane is free, and then nothing is said of data.
    let two = read("any hi < 16; any lo < 16; (hi * 16 + lo) * 4").out;
    assert!(two.contains("at worst 8-way"), "{two}");
    let copies = read("any bin < 256; bin * 128 + lane * 4");
    assert!(
        copies.status == Status::Free
            && copies.out.contains("bin * 128 + lane * 4  free of conflicts\n"),
        "{}",
        copies.out
    );
    let words = [
        "tiledesc",
        "find",
        "--chip",
        "sm_80",
        "--bytes",
        "1024",
        "--read",
        "ld.shared.b32 at any bin < 256; bin * 4",
    ];
    let find = run(words, &mut std::io::empty());
    assert!(
        find.err.contains("data chooses what the lanes of ld.shared.b32 touch, in any layout"),
        "{}",
        find.err
    );
}

#[test]
fn what_data_cannot_be() {
    let refused = |at: &str, wanted: &str| {
        let read = format!("ds_read_b32 at {at}");
        let err = check(&["--chip", "gfx942", "--bytes", "1024", "--read", &read]).err;
        assert!(err.contains(wanted), "{at}: {err}");
    };
    refused("any lane < 4; lane", "column 5 of the addresses: `lane` has a value already");
    refused("any b < 4; any b < 4; b", "`b` has a value already");
    refused("any b < 0; b", "data may have from 1 to 4096 values in all, but this has 0");
    refused("any b < 64; any c < 65; b", "but this has 4160");
    refused("any b < lane; b", "expected a number");
    refused("any b 4; b", "expected `<`");
    // Of all values, and not of the first alone.
    refused("any b < 2; b * 2", "byte 2 of lane 0 is not aligned to 4");
    refused("any b < 300; b * 4", "outside");
    refused("any b < 4; b / lane", "has no value");
    let two = check(&[
        "--chip",
        "gfx942",
        "--bytes",
        "1024",
        "--read",
        "ds_read2_b32(0, 1) at any b < 4; b * 4",
    ]);
    assert!(two.err.contains("has two addresses, and data chooses one"), "{}", two.err);
}

/// Atomics are judged as reads of their width, whatever they do; on evidence that --strict refuses.
#[test]
fn atomics_are_accesses() {
    let all = [
        ("gfx942", "ds_add_u32", "ds_read_b32"),
        ("gfx942", "ds_add_rtn_u32", "ds_read_b32"),
        ("gfx942", "ds_max_f32", "ds_read_b32"),
        ("gfx942", "ds_pk_add_f16", "ds_read_b32"),
        ("gfx90a", "ds_add_f64", "ds_read_b64"),
        ("gfx1100", "ds_cmpstore_b64", "ds_read_b64"),
        ("gfx950", "ds_add_u64", "ds_read_b64"),
        ("sm_80", "atom.shared.add.u32", "ld.shared.b32"),
        ("sm_90", "atom.relaxed.cta.shared::cta.add.f32", "ld.shared.b32"),
        ("sm_90", "red.shared.max.s64", "ld.shared.b64"),
        ("sm_75", "ATOMS.ADD", "ld.shared.b32"),
        ("sm_75", "ATOMS.CAS.64", "ld.shared.b64"),
    ];
    for (chip, op, read) in all {
        let bytes = if read.ends_with("64") { 8 } else { 4 };
        for stride in [bytes, 2 * bytes, 128] {
            let of = |direction: &str, op: &str, words: &[&str]| {
                let access = format!("{op} at lane % 32 * {stride}");
                check(&[&["--chip", chip, "--bytes", "8192", direction, &access], words].concat())
            };
            let cost = |output: Output| {
                let report: Value = serde_json::from_str(&output.out).unwrap();
                let one = &report["tiles"][0]["accesses"][0];
                ["degree", "active_cycles", "outcome"].map(|key| one[key].clone())
            };
            let wanted = cost(of("--read", read, &["--format", "json"]));
            for direction in ["--write", "--read"] {
                assert_eq!(cost(of(direction, op, &["--format", "json"])), wanted, "{chip} {op}");
            }
            let strict = of("--write", op, &["--strict"]);
            let status = if wanted[0] == 1 { Status::Weak } else { Status::Conflict };
            assert_eq!(strict.status, status, "{chip} {op} {}", strict.out);
            assert!(strict.out.contains("no source says how atomics are served"), "{}", strict.out);
        }
    }
    for (chip, op) in [
        ("gfx942", "ds_add"),
        ("gfx942", "ds_read_b48"),
        ("sm_80", "atom.global.add.u32"),
        ("gfx942", "atom.shared.add.u32"),
    ] {
        let err =
            check(&["--chip", chip, "--bytes", "64", "--write", &format!("{op} at lane * 4")]).err;
        assert!(err.contains("has no instruction"), "{chip} {op}: {err}");
    }
}
