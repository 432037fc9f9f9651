//! `explain`: one access as tables of phases and of lanes, and the counters to expect.

use crate::answer::explain::Served;
use crate::answer::judge::{Judged, judge_all, worst};
use crate::request::args::Explain;
use crate::request::fault::Source;
use crate::request::spelling::{coordinate, plural};
use crate::request::tile::Tile;
use crate::write::output::Output;
use std::fmt::Write;
use tiledesc::access::AccessError;

pub(crate) fn run(explain: &Explain, source: &Source, tiles: &[Tile]) -> Output {
    let all = match judge_all(tiles) {
        Ok(all) => all,
        Err(faults) => return Output::faults(source, &faults),
    };
    let wanted = |one: &&Judged<'_>| explain.line.is_none_or(|line| one.access.place.line == line);
    // The worst tells most.
    let Some(shown) = worst(all.iter().filter(wanted)) else {
        return Output::invalid(nothing(source, &all, explain));
    };
    match text(source, shown, explain.step) {
        Ok(out) => Output::done(out),
        Err(error) => {
            let at = source.line(shown.access.place);
            Output::invalid(format!("{at}: {error}"))
        }
    }
}

/// The reason why no access is chosen.
fn nothing(source: &Source, all: &[Judged<'_>], explain: &Explain) -> String {
    let mut lines: Vec<_> = all.iter().map(|one| one.access.place.line).collect();
    lines.dedup();
    match (explain.line, &lines[..]) {
        (Some(line), [_, ..]) => {
            let lines: Vec<_> = lines.iter().map(usize::to_string).collect();
            format!(
                "{}: there is no access in line {line}; there are accesses in lines {}",
                source.name,
                lines.join(", ")
            )
        }
        _ => format!(
            "{}: there is no access: write `read = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }}]`",
            source.name
        ),
    }
}

fn text(source: &Source, judged: &Judged<'_>, step: Option<u64>) -> Result<String, AccessError> {
    let (verdict, step) = (&judged.verdict, step.unwrap_or(judged.verdict.shown()));
    let served = Served::new(judged, step)?;
    let mut out = String::new();
    let (place, name) = (source.line(judged.access.place), &judged.tile.name);
    let _ = writeln!(out, "{place}: {name} {}\n", judged.report.text());
    let _ = writeln!(out, "{verdict}\n");
    if verdict.instructions() > 1 {
        let last = verdict.instructions() - 1;
        let _ = writeln!(out, "instruction {step} of 0 to {last} (--step N shows another)\n");
    }
    phases(&mut out, &served);
    lanes(&mut out, judged, &served);
    counters(&mut out, judged);
    Ok(out)
}

fn phases(out: &mut String, served: &Served<'_>) {
    let _ = writeln!(out, "phase  degree  fullest bank  lanes");
    for (number, phase) in served.phases.iter().enumerate() {
        let bank = match phase.fullest {
            0 => "-".to_string(),
            1 => phase.bank.to_string(),
            banks => format!("{} and {} more", phase.bank, banks - 1),
        };
        let lanes = ranges(phase.lanes);
        let _ = writeln!(out, "{number:>5}  {:>6}  {bank:<12}  {lanes}", phase.degree);
    }
    out.push('\n');
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

fn lanes(out: &mut String, judged: &Judged<'_>, served: &Served<'_>) {
    let head = format!("({})", judged.tile.layout.dimensions.join(", "));
    let _ = writeln!(out, "lane  phase  {head:<14}  byte   banks");
    for lane in &served.lanes {
        let phase = lane.phase.map_or_else(|| "-".to_string(), |phase| phase.to_string());
        let banks = lane.starts.iter().map(|byte| banks(*byte, judged.row.bytes(), served.banks));
        let (number, byte, at) = (lane.lane, lane.byte, coordinate(lane.coordinate.as_slice()));
        let banks = banks.collect::<Vec<_>>().join(" and ");
        let _ = writeln!(out, "{number:>4}  {phase:>5}  {at:<14}  {byte:<5}  {banks}");
    }
    out.push('\n');
}

/// The banks of some bytes: `8-11`.
fn banks(byte: u32, bytes: u32, banks: u32) -> String {
    let (first, last) = (byte / 4 % banks, (byte + bytes - 1) / 4 % banks);
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// Writes what the profiler should print for all executions.
fn counters(out: &mut String, judged: &Judged<'_>) {
    let times = plural(judged.access.times, "execution");
    let _ = writeln!(out, "counters to expect, for {times} of the pattern");
    let all = judged.report.counters.named();
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in all {
        let _ = writeln!(out, "  {name:<width$}  {value}");
    }
}
