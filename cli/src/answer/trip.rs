//! What bounds a loop; and of a file the trip that it states: its accesses beside its matrix instructions.

use crate::answer::judge::Judged;
use crate::report::bound::{self as report, BoundBy};
use crate::report::check::Trip;
use crate::request::matrix::Matrix;
use tiledesc::chip::Chip;
use tiledesc_audit::{Asked, Bound, By, Multiplied, Span};

/// The bound on each chip that has the matrix instructions; none where the file states none.
pub(crate) fn trips(matrix: &[Matrix], all: &[&Judged<'_>]) -> Vec<Trip> {
    let Some(waves) = matrix.iter().map(|one| one.waves).max() else { return Vec::new() };
    let mut chips: Vec<&'static Chip> = Vec::new();
    for one in all {
        if !chips.iter().any(|chip| chip.name() == one.chip.name()) {
            chips.push(one.chip);
        }
    }
    let ops: Vec<_> =
        matrix.iter().map(|one| Multiplied { op: &one.op, times: one.times }).collect();
    let of = |chip: &'static Chip| {
        let on = all.iter().filter(|one| one.chip.name() == chip.name());
        let asked: Vec<_> = on.map(|one| asked(one)).collect();
        let bound = of_bound(&Bound::stated(chip, waves, &asked, &ops)?);
        Some(Trip { chip: chip.name(), bound })
    };
    chips.into_iter().filter_map(of).collect()
}

/// An access, as often as the file says.
fn asked<'t>(one: &Judged<'t>) -> Asked<'t> {
    let of = |number: u64| number.saturating_mul(one.access.times);
    let (verdict, row) = (&one.verdict, one.row);
    let [cycles, free] = [verdict.active_cycles(), verdict.base_cycles()].map(of);
    Asked { row, instructions: of(verdict.instructions()), cycles, free }
}

pub(crate) fn of_bound(one: &Bound) -> report::Bound {
    let cycles = |span: Span| report::Cycles { least: span.least(), most: span.most() };
    let by = |by: By| match by {
        By::Memory => BoundBy::Memory,
        By::Matrix => BoundBy::Matrix,
        By::Open => BoundBy::Open,
        By::Nothing => BoundBy::Nothing,
    };
    report::Bound {
        place: one.place.clone(),
        memory: cycles(one.memory),
        memory_without_conflicts: cycles(one.free),
        matrix: cycles(one.matrix),
        by: by(one.by()),
        by_without_conflicts: by(one.by_without_conflicts()),
        is_inferred: one.is_inferred,
        sentence: one.to_string(),
    }
}
