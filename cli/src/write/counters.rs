//! `counters`: the degree of a profile, and the accesses of a file that explain it.

use crate::answer::counters::{
    Beside, Cycles, Figure, Fit, alone, beside, counted_on, explained, instructions, measured,
};
use crate::answer::judge::{Judged, judge_all};
use crate::request::args::Counters;
use crate::request::chip;
use crate::request::fault::Source;
use crate::request::spelling::plural;
use crate::request::tile::Tile;
use crate::write::output::Output;
use std::fmt::Write;

pub(crate) fn run(
    counters: &Counters,
    input: Option<(&Source, &[Tile])>,
) -> Result<Output, Output> {
    let profile = counters.figures().map_err(Output::invalid)?;
    let one = alone(&profile).filter(|_| input.is_some());
    let both = one.is_none().then(|| measured(&profile)).transpose().map_err(Output::invalid)?;
    let (begins, whose) = counted_on(&profile);
    let head = counters.profile.as_ref();
    let kernels: Vec<_> = profile.kernels.iter().map(String::as_str).collect();
    let head = head.map(|path| format!("{}: {}\n", path.display(), kernels.join("; ")));
    let of_other = |but: String| Output::invalid(format!("{whose}, but {but}"));
    let lines = match input {
        None => {
            let chips = &counters.input.chip;
            if chips.iter().any(|name| is_of_other(name, begins)) {
                return Err(of_other(format!("--chip is {}", chips.join(", "))));
            }
            both.map_or(Ok(String::new()), |both| of_tables(counters, both))
                .map_err(Output::invalid)?
        }
        Some((source, tiles)) => {
            let all = judge_all(tiles).map_err(|faults| Output::faults(source, &faults))?;
            let (others, here): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|one| is_of_other(one.chip.name(), begins));
            if here.is_empty() && !others.is_empty() {
                let chips: Vec<_> = tiles.iter().map(Tile::on).collect();
                return Err(of_other(format!("{} is of {}", source.name, chips.join(", "))));
            }
            match (both, one) {
                (Some(both), _) => of_accesses(source, &here, both),
                (None, Some((figure, value, _))) => of_one(source, &here, figure, value),
                (None, None) => String::new(),
            }
        }
    };
    let degree = match (both, one) {
        (Some(both), _) => degree(both),
        (None, Some((figure, value, other))) => {
            format!("{value} {}; {other} beside it would tell the degree\n", figure.unit())
        }
        (None, None) => String::new(),
    };
    Ok(Output::done(head.unwrap_or_default() + &degree + &lines))
}

/// Returns whether a chip is of the other vendor than those whose names begin so.
fn is_of_other(name: &str, begins: &str) -> bool {
    !name.starts_with(begins)
}

/// The conclusions from the figures alone.
fn degree(measured: Cycles) -> String {
    let ratio = measured.ratio();
    let percent = 100.0 / (1.0 + ratio);
    let mut out = format!(
        "{} cycles of work, {} lost to conflicts: {ratio:.3} lost for each, LDS works {percent:.1} % of \
         its active time\n",
        measured.base, measured.conflict
    );
    let _ = match ratio {
        0.0 => writeln!(out, "no conflicts: if the kernel is slow, it is not for these"),
        _ => writeln!(
            out,
            "degree {:.2} on average: every access {:.2}-way, or some more and others free",
            1.0 + ratio,
            1.0 + ratio
        ),
    };
    if measured.instructions > 0 {
        let each = measured.base as f64 / measured.instructions as f64;
        let _ = writeln!(out, "{each:.2} cycles of work an instruction");
    }
    out
}

/// The instructions of a chip with the given number of phases, for a kernel that no file describes.
fn of_tables(counters: &Counters, measured: Cycles) -> Result<String, String> {
    let Some(name) = counters.input.chip.first() else {
        return Ok(
            "name a FILE for the accesses that explain it, or --chip for the instructions\n"
                .to_string(),
        );
    };
    let chip = chip::named(name)?;
    if measured.instructions == 0 {
        return Ok("give --insts too: cycles an instruction tell which instructions they are\n"
            .to_string());
    }
    let names = instructions(chip, measured.base as f64 / measured.instructions as f64);
    Ok(match names.is_empty() {
        true => format!("no one instruction of {name} takes that: it is a mixture\n"),
        false => format!("on {name} that is {}\n", names.join(", ")),
    })
}

/// The accesses of a file beside the profile.
fn of_accesses(source: &Source, all: &[Judged<'_>], measured: Cycles) -> String {
    if all.is_empty() {
        return "there is no access to lay beside it\n".to_string();
    }
    let mut out = String::new();
    for of_chip in beside(all, measured) {
        summed_up(&mut out, source, &of_chip);
        fitted(&mut out, &of_chip.fit);
    }
    out
}

/// The accesses of a file beside one figure of the profile: how often each would be done to explain it.
fn of_one(source: &Source, all: &[Judged<'_>], figure: Figure, value: u64) -> String {
    if all.is_empty() {
        return "there is no access to lay beside it\n".to_string();
    }
    let mut out = String::new();
    let explains = |times: Option<f64>| match times {
        None if value == 0 => "as the profile says".to_string(),
        None => "it does not explain the profile".to_string(),
        Some(_) if value == 0 => "the profile has none of it".to_string(),
        Some(times) => format!("alone it would be done {}", often(times)),
    };
    for of_chip in explained(all, figure, value) {
        let count = plural(of_chip.accesses.len(), "access");
        let _ = writeln!(out, "\n{}: {count} of the file, executed once", of_chip.chip);
        for (one, once, times) in &of_chip.accesses {
            let (place, degree) = (source.line(one.access.place), one.verdict.degree());
            let (name, times) = (named(one), explains(*times));
            let _ = writeln!(out, "  {place}: {name}  {degree}-way, {once}: {times}");
        }
        let all = match of_chip.times {
            Some(times) => format!("the profile's {value} are all of them, {}", often(times)),
            None if value == 0 => "as the profile says".to_string(),
            None => "the profile's are of an access that the file does not state".to_string(),
        };
        let _ = writeln!(out, "  all: {} {}: {all}", of_chip.sum, figure.unit());
    }
    out
}

fn summed_up(
    out: &mut String,
    source: &Source,
    Beside { chip, accesses, sum, .. }: &Beside<'_, '_>,
) {
    let count = plural(accesses.len(), "access");
    let _ = writeln!(out, "\n{chip}: {count} of the file, executed once");
    for (one, cycles) in accesses {
        let share = 100.0 * cycles.conflict as f64 / (sum.conflict.max(1)) as f64;
        let _ = writeln!(
            out,
            "  {}: {}  {}-way, {} cycles of work, {} lost: {share:.0} % of what is lost",
            source.line(one.access.place),
            named(one),
            one.verdict.degree(),
            cycles.base,
            cycles.conflict,
        );
    }
    let _ =
        writeln!(out, "  all: {} lost for {} of work, {:.3}", sum.conflict, sum.base, sum.ratio());
}

fn fitted(out: &mut String, fit: &Fit<'_, '_>) {
    let groups = match fit {
        Fit::All(times) => {
            let _ = writeln!(out, "  that is the profile: all of them, {}", often(*times));
            return;
        }
        Fit::Groups(groups) => groups,
    };
    *out += match groups.is_empty() {
        true => {
            "  no group of them has the ratio of the profile: an access is missing, or `times` differ\n"
        }
        false => "  the profile's ratio have these, without the others:\n",
    };
    for group in groups {
        let names: Vec<_> = group.accesses.iter().map(|one| named(one)).collect();
        let _ = writeln!(out, "    {}, {}", names.join(" and "), often(group.times));
    }
}

/// `A ds_read_b128 mfma-rows 16`
fn named(one: &Judged<'_>) -> String {
    format!("{} {} {}", one.tile.name, one.access.op, one.access.by)
}

/// `once`, `12 times`; `2.40 times` where the ratio is not whole because the profile holds other work too.
fn often(times: f64) -> String {
    let rounded = times.round();
    match rounded {
        _ if (times - rounded).abs() > 0.02 * rounded.max(1.0) => format!("{times:.2} times"),
        1.0 => "once".to_string(),
        _ => format!("{rounded} times"),
    }
}
