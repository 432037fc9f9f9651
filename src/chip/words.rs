//! The documentation of each row, made from its tokens by `rows.rs`, beside the same sentence made from the row.

extern crate std;

use super::{CHIPS, Instruction, Phases, Service};
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
    let amd: [&[(Instruction, &str)]; 18] = [
        super::gfx906::WORDS,
        super::gfx908::WORDS,
        super::gfx90a::WORDS,
        super::gfx942::WORDS,
        super::gfx950::WORDS,
        super::gfx1030::WORDS,
        super::gfx1030::wave64::WORDS,
        super::gfx1100::WORDS,
        super::gfx1100::wave64::WORDS,
        super::gfx1101::WORDS,
        super::gfx1101::wave64::WORDS,
        super::gfx1151::WORDS,
        super::gfx1151::wave64::WORDS,
        super::gfx1200::WORDS,
        super::gfx1200::wave64::WORDS,
        super::gfx1201::WORDS,
        super::gfx1201::wave64::WORDS,
        super::gfx1250::WORDS,
    ];
    for (row, words) in amd.into_iter().flatten() {
        let rival = row.rival().map(|rival| format!(" Disputed: {}", says(row, rival)));
        let row_says = format!("`{}` of {}: {}", row.name(), row.chip(), says(row, row.service()));
        assert_eq!(*words, row_says + &rival.unwrap_or_default());
    }
    assert_eq!(amd.into_iter().flatten().count(), 8 * 18);

    let nvidia: [&[(Instruction, &str)]; 11] = [
        super::sm_70::WORDS,
        super::sm_75::WORDS,
        super::sm_80::WORDS,
        super::sm_86::WORDS,
        super::sm_87::WORDS,
        super::sm_89::WORDS,
        super::sm_90::WORDS,
        super::sm_100::WORDS,
        super::sm_103::WORDS,
        super::sm_120::WORDS,
        super::sm_121::WORDS,
    ];
    for (row, words) in nvidia.into_iter().flatten() {
        assert_eq!(*words, format!("`{}`: {}", row.name(), says(row, row.service())));
    }
    let rows = CHIPS[18..].iter().map(|chip| chip.rows().len()).sum::<usize>();
    assert_eq!(nvidia.into_iter().flatten().count(), rows);
}
