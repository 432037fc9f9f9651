//! Lanes that are served together, by chip and instruction.
//!
//! ```text
//!   gfx942 ds_read_b128       0  1  2  3 | 4  5  6 ..      the number is the phase
//!   lane 0                    0  0  0  0   1  1  1 ..
//!   lane 16                   1  1  1  1   0  0  0 ..
//! ```

use super::palette::Ink;
use super::scene::{Block, Figure};
use super::table::{Entry, Table};
use super::wording::{named, number};
use tiledesc::chip::{Instruction, Service};

/// Lanes of a row.
const ACROSS: usize = 16;

fn block(instruction: &Instruction, service: &Service, who: &str) -> Block {
    let phases = &service.phases;
    let (count, banks) = (phases.count() as u64, service.banks);
    let evidence = service.evidence.name();
    let title = format!(
        "{}{who}: {}, {banks} banks, {evidence}",
        named(instruction),
        number(count, "phase")
    );
    let mut table = Table { title, ..Table::new("lane") }.numbered(ACROSS, 1);
    let cell = |lane: usize| match phases.phase_of(lane) {
        Some(phase) => {
            let (title, ink) =
                (format!("lane {lane}: phase {phase}"), Ink::nth(phase, phases.count()));
            Entry::new(lane % ACROSS, format!("{phase}"), title, ink)
        }
        None => Entry::nothing(lane % ACROSS, format!("lane {lane} supplies no address")),
    };
    table.wrapped(ACROSS, (0..phases.wave()).map(cell));
    table.block()
}

/// The lanes that are served together, of each instruction; where sources disagree, by both.
///
/// ```
/// use tiledesc::chip::{gfx942, gfx950};
/// use tiledesc_host::plot;
///
/// let figure = plot::served(&[&gfx942::ds_read_b128, &gfx950::ds_read_b128]);
/// assert_eq!(figure.cells().nth(20).unwrap().title(), "lane 20: phase 0");
/// assert_eq!(figure.cells().nth(64 + 12).unwrap().title(), "lane 12: phase 0");
/// println!("{figure}");
/// ```
#[must_use]
pub fn served(instructions: &[&Instruction]) -> Figure {
    let names: Vec<_> = instructions.iter().map(|one| named(one)).collect();
    let summary =
        format!("Which lanes of a wave are served in the same phase: {}.", names.join(", "));
    let mut figure = Figure::new("Lanes served together".into(), summary);
    for instruction in instructions {
        figure = figure.block(block(instruction, instruction.service(), ""));
        if let Some(merged) = instruction.merged() {
            figure = figure.block(block(instruction, merged, ", lanes that agree in pairs"));
        }
        if let Some(rival) = instruction.rival() {
            figure = figure.block(block(instruction, rival, ", by another source"));
        }
    }
    figure.note(
        "A cell is a lane, its number the phase: lanes with one number must not meet in a bank.",
    )
}
