//! The documentation of each row, made from its tokens by `rows.rs`, beside the same sentence made from the row.

extern crate std;

use super::{CHIPS, Instruction, Phases, Service, WORDS};
use std::format;
use std::string::String;
use std::vec::Vec;

/// `0-3 20-23`.
fn ranges(lanes: &[u8]) -> String {
    let runs = lanes.chunk_by(|a, b| a + 1 == *b);
    let run = |run: &[u8]| format!("{}-{}", run[0], run[run.len() - 1]);
    runs.map(run).collect::<Vec<_>>().join(" ")
}

fn order(phases: &Phases) -> String {
    let together = phases.lanes(0).len();
    let follows = |phase: usize| usize::from(phases.lanes(phase)[0]) == phase * together;
    if (0..phases.count()).all(follows) && phases.lanes(0)[together - 1] as usize == together - 1 {
        return format!("a phase is {together} consecutive lanes");
    }
    let half: Vec<String> = (0..32 / together).map(|phase| ranges(phases.lanes(phase))).collect();
    let (last, others) = half.split_last().unwrap();
    format!("a phase is lanes {} or {last} of 32", others.join(", "))
}

fn says(row: &Instruction, service: &Service) -> String {
    let Service { banks, evidence, source, phases, .. } = service;
    let pairs = row.merged().map(|merged| {
        assert_eq!((merged.evidence, merged.source), (*evidence, *source));
        format!(", {} if lanes agree in pairs", merged.phases.lanes(0).len())
    });
    let (order, pairs) = (order(phases), pairs.unwrap_or_default());
    format!("{banks} banks, {order}{pairs}; {}: {source}.", evidence.name())
}

/// The documentation of a row is made from its tokens; here it is made from the row.
#[test]
fn documentation_says_what_the_row_is() {
    assert_eq!(WORDS.len(), CHIPS.len());
    for (chip, words) in CHIPS.iter().zip(WORDS) {
        let is_amd = chip.name().starts_with("gfx");
        assert_eq!(words.len(), if is_amd { 8 } else { chip.rows().len() });
        for (row, words) in *words {
            let rival = row.rival().map(|rival| format!(" Disputed: {}", says(row, rival)));
            let of = if is_amd { format!(" of {}", row.chip()) } else { String::new() };
            let row_says = format!("`{}`{of}: {}", row.name(), says(row, row.service()));
            assert_eq!(*words, row_says + &rival.unwrap_or_default());
        }
    }
}
