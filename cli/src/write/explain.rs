//! `explain`: one access lane by lane and phase by phase, and the counters to expect.

use crate::Output;
use crate::answer::judge::{Judged, judge_all};
use crate::request::args::Explain;
use crate::request::fault::Source;
use crate::request::input::Tile;
use std::fmt::Write;
use tiledesc::counters::{Lds, Ncu};
use tiledesc::{AccessError, Service, Touched, bank};

pub(crate) fn run(explain: &Explain, source: &Source, tiles: &[Tile]) -> Output {
    let all = match judge_all(source, tiles) {
        Ok(all) => all,
        Err(invalid) => return invalid,
    };
    let wanted = |one: &&(&Tile, Judged<'_>)| {
        explain.line.is_none_or(|line| one.1.access.place.line == line)
    };
    let chosen: Vec<_> = all.iter().filter(wanted).collect();
    // The worst tells most.
    let worst = |one: &&&(&Tile, Judged<'_>)| {
        (one.1.verdict.conflicts().race.is_some(), one.1.verdict.worst_degree())
    };
    let Some(best) = chosen.iter().map(|one| worst(&one)).max() else {
        return Output::invalid(nothing(source, &all, explain));
    };
    let shown = chosen.iter().find(|one| worst(one) == best);
    let Some((tile, judged)) = shown else { return Output::invalid("there is no access") };
    match text(source, tile, judged, explain.step) {
        Ok(out) => Output::done(out),
        Err(error) => {
            let at = source.line(judged.access.place);
            Output::invalid(format!("{at}: {error}"))
        }
    }
}

/// Why no access is chosen.
fn nothing(source: &Source, all: &[(&Tile, Judged<'_>)], explain: &Explain) -> String {
    let mut lines: Vec<_> = all.iter().map(|one| one.1.access.place.line).collect();
    lines.dedup();
    match (explain.line, &lines[..]) {
        (Some(line), [_, ..]) => {
            format!("{}: no access stands in line {line}; there are some in {lines:?}", source.name)
        }
        _ => format!(
            "{}: there is no access: write `read = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }}]`",
            source.name
        ),
    }
}

fn text(
    source: &Source,
    tile: &Tile,
    judged: &Judged<'_>,
    step: Option<u64>,
) -> Result<String, AccessError> {
    let (verdict, step) = (&judged.verdict, step.unwrap_or(judged.verdict.shown()));
    let touched = judged.placed.touched(step)?;
    let mut out = String::new();
    let (place, name) = (source.line(judged.access.place), &tile.name);
    let _ = writeln!(out, "{place}: {name} {}\n", judged.line());
    let _ = writeln!(out, "{verdict}\n");
    if verdict.instructions() > 1 {
        let last = verdict.instructions() - 1;
        let _ = writeln!(out, "instruction {step} of 0 to {last} (--step N shows another)\n");
    }
    phases(&mut out, judged, &touched, step)?;
    lanes(&mut out, tile, judged, &touched)?;
    counters(&mut out, judged);
    Ok(out)
}

/// The phases and banks of one instruction: of merged accesses others.
pub(crate) fn service<'r>(
    judged: &'r Judged<'_>,
    touched: &Touched,
) -> Result<&'r Service, AccessError> {
    let found = bank::conflicts(touched.addresses(), judged.row).map_err(AccessError::Address)?;
    Ok(match judged.row.merged() {
        Some(merged) if found.merged => merged,
        _ => judged.row.service(),
    })
}

fn phases(
    out: &mut String,
    judged: &Judged<'_>,
    touched: &Touched,
    step: u64,
) -> Result<(), AccessError> {
    let service = service(judged, touched)?;
    let count = service.phases.count();
    let _ = writeln!(out, "phase  degree  fullest bank  lanes");
    for phase in 0..count * judged.row.parts() {
        let crowd = judged.placed.phase(step, phase)?;
        let bank = match crowd.banks {
            0 => "-".to_string(),
            1 => crowd.bank.to_string(),
            banks => format!("{} and {} more", crowd.bank, banks - 1),
        };
        let lanes = ranges(service.phases.lanes(phase % count));
        let _ = writeln!(out, "{phase:>5}  {:>6}  {bank:<12}  {lanes}", crowd.degree);
    }
    out.push('\n');
    Ok(())
}

/// `0-3, 20-23`
fn ranges(lanes: &[u8]) -> String {
    let mut runs: Vec<[u8; 2]> = Vec::new();
    for lane in lanes {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 == *lane => *last = *lane,
            _ => runs.push([*lane, *lane]),
        }
    }
    let run = |[first, last]: &[u8; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

fn lanes(
    out: &mut String,
    tile: &Tile,
    judged: &Judged<'_>,
    touched: &Touched,
) -> Result<(), AccessError> {
    let service = service(judged, touched)?;
    let dimensions = tile.layout.dimensions.join(", ");
    let head = format!("({dimensions})");
    let _ = writeln!(out, "lane  phase  {head:<14}  byte   banks");
    for lane in 0..service.phases.wave() {
        let Some(coordinate) = touched.coordinate(lane) else { continue };
        let index: Vec<_> = coordinate.as_slice().iter().map(u32::to_string).collect();
        let phase =
            service.phases.of(lane).map_or_else(|| "-".to_string(), |phase| phase.to_string());
        let byte = touched.addresses().get(lane).unwrap_or(0);
        let banks: Vec<_> = (0..judged.row.parts())
            .map(|part| banks(byte + judged.row.part(part), judged.row.bytes(), service.banks))
            .collect();
        let at = format!("({})", index.join(", "));
        let _ =
            writeln!(out, "{lane:>4}  {phase:>5}  {at:<14}  {byte:<5}  {}", banks.join(" and "));
    }
    out.push('\n');
    Ok(())
}

/// The banks of some bytes: `8-11`.
fn banks(byte: u32, bytes: u32, banks: u32) -> String {
    let (first, last) = (byte / 4 % banks, (byte + bytes - 1) / 4 % banks);
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// `1 execution`
fn plural_of(times: u64) -> String {
    crate::answer::check::plural(usize::try_from(times).unwrap_or(usize::MAX), "execution")
}

/// What the profiler should print for all executions.
fn counters(out: &mut String, judged: &Judged<'_>) {
    let times = judged.access.times;
    let _ = writeln!(out, "counters to expect, for {} of the pattern", plural_of(times));
    let all = expected(judged);
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in all {
        let _ = writeln!(out, "  {name:<width$}  {value}");
    }
}

/// The counters of the chip's profiler by their names.
pub(crate) fn expected(judged: &Judged<'_>) -> Vec<(&'static str, String)> {
    let times = judged.access.times;
    if judged.chip.name().starts_with("sm_") {
        let ncu = Ncu::of(&judged.verdict).times(times);
        return vec![
            ("smsp__inst_executed_op_shared", ncu.requests.to_string()),
            ("memory_l1_wavefronts_shared", ncu.wavefronts.to_string()),
            ("memory_l1_wavefronts_shared_ideal", ncu.ideal.to_string()),
            ("excessive wavefronts", ncu.excessive().to_string()),
        ];
    }
    let lds = Lds::of(&judged.verdict).times(times);
    vec![
        ("SQ_INSTS_LDS", lds.insts.to_string()),
        ("SQ_LDS_IDX_ACTIVE", lds.idx_active.to_string()),
        ("SQ_LDS_BANK_CONFLICT", lds.bank_conflict.to_string()),
        ("Bank Conflicts/Access", format!("{:.3}", lds.conflicts_per_access().unwrap_or(0.0))),
        ("Bank Conflict Rate", format!("{:.3} %", lds.conflict_rate().unwrap_or(0.0))),
    ]
}
