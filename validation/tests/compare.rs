//! Records that the model itself makes, with noise, with faults, and with malformed lines.

use core::fmt::Write;
use support::fuzz::Dice;
use tiledesc::bank::conflicts;
use tiledesc::chip::{Evidence, Instruction, Phases};
use tiledesc::chip::{gfx942, sm_90};
use tiledesc_validation::compare::{CompareError, Comparison, Fit};
use tiledesc_validation::list::patterns;
use tiledesc_validation::pattern::Pattern;
use tiledesc_validation::record::{COLUMNS, Record};

const HEADERS: &str = "# date: 2026-11-22\n# chip: CHIP\n# device: none, synthetic\n# driver: 0\n\
                       # clock: 1000 MHz\n# compiler: none\n";

/// Between -1 and 1, the same in every run.
fn noise(dice: &mut Dice) -> f64 {
    f64::from(dice.below(u32::MAX)) / f64::from(u32::MAX) * 2.0 - 1.0
}

/// A record of a chip on which a pattern takes so many cycles.
fn record(chip: &str, mut cycles: impl FnMut(&Pattern) -> f64) -> String {
    let mut text = format!("{}{COLUMNS}\n", HEADERS.replace("CHIP", chip));
    for pattern in patterns(chip).unwrap() {
        let (name, cycles) = (pattern.instruction().name(), cycles(&pattern));
        let hash = pattern.fingerprint().unwrap();
        writeln!(text, "{},{name},{cycles:.3},{hash:08x}", pattern.name()).unwrap();
    }
    text
}

/// Latency and wavefront of an instruction: others for each width, as on a device.
fn line(pattern: &Pattern) -> (f64, f64) {
    let bytes = f64::from(pattern.instruction().bytes());
    (23.0 + bytes / 2.0, 2.0 + bytes / 64.0)
}

fn true_cycles(pattern: &Pattern, wavefronts: u64) -> f64 {
    let (latency, wavefront) = line(pattern);
    latency + wavefront * wavefronts as f64
}

#[test]
fn what_the_model_made_is_recovered_from_noise() {
    for (chip, seed) in [("sm_80", 1), ("sm_90", 2), ("gfx942", 3), ("gfx90a", 4)] {
        let mut dice = Dice(seed);
        let text = record(chip, |pattern| {
            let cycles = true_cycles(pattern, pattern.wavefronts().unwrap());
            cycles * (1.0 + 0.01 * noise(&mut dice))
        });
        let record = Record::parse(&text).unwrap();
        let comparison = Comparison::new(&record).unwrap();
        for fit in comparison.fits() {
            let (latency, wavefront) = line(&fit.points[0].timed.pattern);
            assert!((fit.wavefront / wavefront - 1.0).abs() < 0.02, "{chip} {}", fit.instruction);
            assert!(
                (fit.latency - latency).abs() < 0.6,
                "{chip} {} {}",
                fit.instruction,
                fit.latency
            );
        }
        assert_eq!(comparison.disagreements().count(), 0, "{comparison}");
        assert!(comparison.to_string().contains("patterns agree"));
    }
}

#[test]
fn a_wrong_pattern_is_named_and_no_other() {
    let wrong = ["ld.shared.b128 pairs8", "st.shared.b32 stride4", "ldmatrix.x4 rows8-pad4"];
    let text = record("sm_90", |pattern| {
        let extra = u64::from(wrong.contains(&pattern.id().as_str()));
        true_cycles(pattern, pattern.wavefronts().unwrap() + extra)
    });
    let record = Record::parse(&text).unwrap();
    let comparison = Comparison::new(&record).unwrap();
    let mut named: Vec<_> = comparison.disagreements().map(|p| p.timed.pattern.id()).collect();
    named.sort();
    let mut wanted = wrong.map(str::to_owned).to_vec();
    wanted.sort();
    assert_eq!(named, wanted);
    let text = comparison.to_string();
    for name in wrong {
        assert!(text.contains(&format!("\n{name}: ")), "{text}");
    }
    assert!(text.contains("3 of "), "{text}");
}

/// A device that serves an instruction in other phases than the model's row: the row is found.
#[test]
fn a_wrong_row_is_found() {
    let reads = gfx942::ds_read_b128;
    let straight = Instruction::read("ds_read_b128", 16).banks(32).phases(Phases::contiguous(8));
    let warp = |lanes: usize| Phases::contiguous(lanes).of_wave(32);
    let plain = Instruction::read("ld.shared.b64", 8).banks(32).phases(warp(16));
    let fours = Instruction::read("ld.shared.b128", 16).banks(32).phases(warp(4));
    let wide = Instruction::write("ds_write_b64", 8).banks(64).phases(Phases::contiguous(32));
    let never_merging = plain;
    let cases = [
        ("gfx942", reads.name(), straight),
        ("gfx942", "ds_write_b64", wide),
        ("sm_90", "ld.shared.b64", never_merging),
        ("sm_90", sm_90::ld_shared_b128.name(), fours),
    ];
    for (chip, name, truth) in cases {
        let mut differ = 0;
        let text = record(chip, |pattern| {
            let mut wavefronts = pattern.wavefronts().unwrap();
            if pattern.instruction().name() == name {
                let addresses = pattern.addresses().unwrap();
                let real = u64::from(conflicts(&addresses, &truth).unwrap().active_cycles());
                differ += usize::from(real != wavefronts);
                wavefronts = real;
            }
            true_cycles(pattern, wavefronts)
        });
        let record = Record::parse(&text).unwrap();
        let comparison = Comparison::new(&record).unwrap();
        let named = |fit: &&Fit| fit.disagreements().count() > 0;
        let rows: Vec<_> = comparison.fits().iter().filter(named).map(|f| f.instruction).collect();
        assert_eq!(rows, [name], "{chip}: {differ} patterns differ\n{comparison}");
        println!("{chip} {name}: {differ} differ, {} disagree", comparison.disagreements().count());
    }
    assert_eq!(reads.service().evidence, Evidence::Measured);
}

#[test]
fn a_factor_on_a_whole_row_is_noted() {
    let text = record("gfx942", |pattern| {
        let factor = if pattern.instruction().name() == "ds_read_b128" { 2 } else { 1 };
        20.0 + 2.0 * (factor * pattern.wavefronts().unwrap()) as f64
    });
    let record = Record::parse(&text).unwrap();
    let comparison = Comparison::new(&record).unwrap();
    assert_eq!(comparison.disagreements().count(), 0);
    let odd: Vec<_> = comparison.odd_slopes().map(|(fit, _)| fit.instruction).collect();
    assert_eq!(odd, ["ds_read_b128"]);
    let note = "note: a wavefront of ds_read_b128 costs 4.000 cycles, where 2.000 are usual";
    assert!(comparison.to_string().contains(note), "{comparison}");
}

#[test]
fn what_has_no_line_is_refused() {
    let text = record("sm_80", |_| 30.0);
    let same = Record::parse(&text).unwrap();
    let fault = Comparison::new(&same).unwrap_err();
    assert!(matches!(fault, CompareError::NoSlope { wavefront: 0.0, .. }), "{fault}");
    let one: Vec<_> = text.lines().take(8).collect();
    let single = Record::parse(&one.join("\n")).unwrap();
    assert!(matches!(Comparison::new(&single).unwrap_err(), CompareError::Flat { .. }));
}

#[test]
fn malformed_lines_are_refused_by_number() {
    let good = record("sm_80", |pattern| true_cycles(pattern, pattern.wavefronts().unwrap()));
    assert!(Record::parse(&good.replace('\n', "\r\n")).is_ok());
    let lines: Vec<_> = good.lines().collect();
    let row = lines[9];
    let fields: Vec<_> = row.split(',').collect();
    let replaced = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at - 1] = line;
        lines.join("\n")
    };
    let with = |field: usize, value: &str| {
        let mut fields = fields.clone();
        fields[field] = value;
        replaced(10, &fields.join(","))
    };
    let cases = [
        (replaced(1, "# date: yesterday"), 1, "not a date"),
        (replaced(2, "# chip sm_80"), 2, "`# name: value`"),
        (replaced(2, "# chip: sm_1"), 7, "chip sm_1"),
        (replaced(4, "# clock: 1 MHz"), 5, "second header `clock`"),
        (replaced(4, "# note: none"), 7, "no header `# driver: ..`"),
        (replaced(7, "pattern,cycles"), 7, "not a header"),
        (replaced(10, "stride1,30.0"), 10, "2 fields"),
        (replaced(10, ""), 10, "1 fields"),
        (with(2, "fast"), 10, "`fast` is not a number of cycles"),
        (with(2, "-3.0"), 10, "`-3.0` is not a number"),
        (with(2, "NaN"), 10, "`NaN` is not a number"),
        (with(2, "inf"), 10, "`inf` is not a number"),
        (with(0, "stride7"), 10, "no pattern"),
        (with(1, "ds_read_b32"), 10, "no pattern"),
        (with(3, "00000000"), 10, "other addresses today"),
        (with(3, "no"), 10, "other addresses today"),
        (format!("{good}{row}\n"), lines.len() + 1, "is in line 10 already"),
        (lines[..6].join("\n"), 7, "no line `pattern,"),
        (lines[..7].join("\n"), 8, "no pattern was timed"),
        (String::new(), 1, "no line `pattern,"),
    ];
    for (text, line, what) in cases {
        let fault = Record::parse(&text).unwrap_err();
        assert_eq!(fault.line, line, "{fault}");
        assert!(fault.to_string().contains(what), "{fault} has not {what}");
    }
}
