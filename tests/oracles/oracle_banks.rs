//! Published bank conflicts, reproduced: counters, timings, lane groups.
//!
//! `tests/golden/published/README.md` has the schema and the meaning of every figure;
//! `cases.json` names the source of each. To check another file of the same schema:
//!
//! ```text
//! GOLDEN_PUBLISHED=<file> cargo test --release --test oracles oracle_banks:: -- --nocapture
//! ```
//!
//! | kind | what must agree |
//! |---|---|
//! | `access`, `series`, `bandwidth` | every figure, published or derived, to its last printed digit |
//! | `phase_partition` | lanes served together, and banks |
//! | `bank_period` | cycles grow up to the stride where latency saturates, and no further |
//! | `aggregate` | totals and quotients with each other, and with our row |
//! | `direct_load_plan` | every figure, formula and sample, in every lane; the reason of a refusal |
//!
//! Where a figure is less than exact:
//!
//! * `bank_conflict_rate_pct` was read off a plot, and agrees within 0.001.
//! * A case's own tolerance, of up to 3 %, applies to what its source states.
//!   `kernel_bank_conflicts` has none where the source also states `kernel_wavefronts`: the
//!   profiler's conflicts are its wavefronts less the ideal, noise included, and must be so to
//!   the last one.
//! * Times are in the source's own unit. From degree 4 on they are proportional to active
//!   cycles, within 2 %; below that, never faster. `time_vs_stride32` is the quotient
//!   of two times. With fewer than two times of degree 4 there is nothing to compare: the
//!   report lists them as not read. Latencies by stride do not fall by more than 3 % up to
//!   saturation, rise by more than 3 % to it, and stay within 3 % of it above.
//! * For an aggregate, the lanes are not known. A quotient must divide the total into whole
//!   instructions, the kernel's other instructions must move as many bytes in one width, and
//!   our row must have that quotient if `max_way` dwords share a bank in each phase. Without
//!   a quotient the total is only bounded, by the chip's worst instruction.
//! * If sources disagree on a row, lane groups and periods may be those of the other
//!   source; the report says so.
//! * A case marked `disputed` is printed with both figures and proves nothing.
//!
//! `reference_model` is ignored. A figure whose name this file does not know fails, and so does a
//! field of a case; text under the name of a figure is not a figure. A file without cases, a
//! case that publishes nothing, and a file of which nothing was checked fail.
//! `every_field_is_read` corrupts each field in turn; `IGNORED` lists those that may be wrong.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use support::LaneGroups;
use support::faults::{Corrupted, Fault, Faults, corruptions};
use support::formula::Formula;
use support::published::{Case, Expected, Figure, Read, Tally};
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::chip::{self, Access, Instruction};
use tiledesc_host::counters::{Lds, Ncu};

#[test]
fn every_case_of_the_file() {
    judged(&file()).report();
}

/// All figures of a file, and what is wrong with the file itself.
fn judged(file: &Value) -> Tally {
    let mut tally = Tally::default();
    let cases = file["cases"].as_array().filter(|cases| !cases.is_empty());
    let Some(cases) = cases else {
        tally.failures.push("the file has no cases".to_owned());
        return tally;
    };
    if file["schema_version"] != 1 {
        tally.failures.push(format!("schema_version {}", file["schema_version"]));
    }
    let mut ids = BTreeSet::new();
    for case in cases {
        if !ids.insert(Case(case).id()) {
            tally.failures.push(format!("{} twice", Case(case).id()));
        }
        tally.add(Case(case), all_of(Case(case), &file["sources"]));
    }
    timings(cases, &mut tally);
    tally
}

/// `GOLDEN_PUBLISHED`, or the committed file.
fn file() -> Value {
    std::env::var_os("GOLDEN_PUBLISHED").map_or_else(committed, |path| parsed(&PathBuf::from(path)))
}

/// The committed file, whose unread fields are known.
fn committed() -> Value {
    parsed(&support::root().join("tests/golden/published/cases.json"))
}

fn parsed(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All that a case says, what nobody reads among it.
fn all_of(case: Case<'_>, sources: &Value) -> Read<Option<Vec<Figure>>> {
    case.known(sources)?;
    let figures = check(case)?;
    Ok(figures.map(|figures| figures.into_iter().chain(case.unread()).collect()))
}

fn check(case: Case<'_>) -> Read<Option<Vec<Figure>>> {
    match case.text("kind")? {
        "access" => access(case).map(Some),
        "series" => series(case, case.text("series_variable")?).map(Some),
        "bandwidth" => series(case, "N").map(Some),
        "phase_partition" => phase_partition(case).map(Some),
        "bank_period" => bank_period(case).map(Some),
        "aggregate" => aggregate(case).map(Some),
        "direct_load_plan" => support::direct_plans::figures(case).map(Some),
        other => Err(format!("a kind this test does not know: {other}")),
    }
}

/// Our figures for waves that issue the instruction once each.
#[derive(Default)]
struct Ours {
    lds: Lds,
    ncu: Ncu,
    /// Of all phases.
    degrees: BTreeSet<u32>,
    lane_bytes: u64,
    port_cycles: u64,
}

impl Ours {
    fn new(waves: &[Addresses], row: &Instruction) -> Read<Self> {
        let mut all = Self::default();
        for wave in waves {
            let found = conflicts(wave, row)?;
            all.lds = all.lds.plus(Lds::of_one(&found));
            all.ncu = all.ncu.plus(Ncu::of_one(&found));
            for phase in 0..found.base_cycles as usize {
                let crowd = bank::phase(wave, row, phase).map_err(|e| e.to_string())?;
                all.degrees.insert(crowd.degree);
            }
            all.lane_bytes += u64::from(wave.active().count_ones() * row.bytes());
            all.port_cycles += row.service().phases.wave() as u64 / lanes_per_clock(row);
        }
        Ok(all)
    }

    fn degree(&self) -> u32 {
        self.degrees.last().copied().unwrap_or(0)
    }

    /// The figure of a name, `None` for a name that is not known. `count` is the
    /// number of instructions of the kernel.
    fn figure(&self, key: &str, count: u64) -> Option<f64> {
        let Self { lds, ncu, .. } = self;
        Some(match key {
            "conflict_cycles_per_instr" => lds.bank_conflict as f64,
            "conflict_cycles_per_64_instr" => lds.times(64).bank_conflict as f64,
            "conflict" => f64::from(u8::from(lds.bank_conflict > 0)),
            "idx_active_per_instr" => lds.idx_active as f64,
            "bank_conflict_rate_pct" => lds.conflict_rate()?,
            "theoretical_bandwidth_bytes" => lds.theoretical_bytes() as f64,
            "effective_bytes" => self.lane_bytes as f64,
            "max_way" => f64::from(self.degree()),
            "effective_bandwidth_fraction" if self.degrees.len() > 1 => f64::NAN,
            "effective_bandwidth_fraction" => 1.0 / f64::from(self.degree()),
            "wavefronts_per_instr" => ncu.wavefronts as f64,
            "bank_conflicts_per_instr" => ncu.excessive() as f64,
            "kernel_wavefronts" => ncu.times(count).wavefronts as f64,
            "kernel_bank_conflicts" => ncu.times(count).excessive() as f64,
            "rocroller_model_cycles" => self.port_cycles.max(lds.idx_active) as f64,
            _ => return None,
        })
    }

    /// `None` for a sentence.
    fn compare(&self, case: Case<'_>, expected: Expected<'_>) -> Read<Option<Figure>> {
        let Expected { key, value, published } = expected;
        let count = if key.starts_with("kernel_") { case.number("instr_count")? } else { 1 };
        if key == "conflict_cycles_per_64_instr"
            && !matches!(case.0["instr_count"].as_u64(), None | Some(64))
        {
            return Err(format!("{key} of {} instructions", case.0["instr_count"]));
        }
        let Some(ours) = self.figure(key, count) else {
            return expected.unknown().map(|()| None);
        };
        let theirs = expected.number()?;
        if let ("kernel_bank_conflicts", Some(wavefronts)) = (key, case.wavefronts()) {
            let ours = wavefronts - self.ncu.times(count).ideal as f64;
            return Ok(Some(Figure::new(key, value, ours, exactly(theirs, ours))));
        }
        let of = |key: &str| case.0[key].as_f64().filter(|_| published).unwrap_or(0.0);
        let own = of("tolerance_abs") + of("tolerance_rel") * theirs.abs();
        let holds = (ours - theirs).abs() <= own.max(as_printed(key, value));
        Ok(Some(Figure::new(key, value, ours, holds)))
    }
}

fn conflicts(addresses: &Addresses, row: &Instruction) -> Read<bank::Conflicts> {
    bank::conflicts(addresses, row).map_err(|refusal| format!("{}: {refusal}", row.name()))
}

/// Two counts of a profiler.
fn exactly(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.5
}

/// Half of the last printed digit, nothing for a whole number; for a figure read off
/// a plot, what that leaves open.
fn as_printed(key: &str, value: &Value) -> f64 {
    match value.to_string().split_once('.') {
        _ if key == "bank_conflict_rate_pct" => 0.001,
        Some((_, digits)) if digits != "0" => 0.501 * 0.1f64.powi(digits.len() as i32),
        _ => 0.0,
    }
}

/// Lanes that the return port serves in a clock, by rocRoller's `LDSBankModel.cpp`.
fn lanes_per_clock(row: &Instruction) -> u64 {
    match (row.bytes(), row.chip() == "gfx950" && row.access() == Access::Read) {
        (..=4, _) | (8, true) => 16,
        (8, false) | (16, true) => 8,
        _ => 4,
    }
}

/// In units of the source's own, so that they are compared with each other only.
const TIMES: [&str; 2] = ["time_us", "time_vs_stride32"];

fn access(case: Case<'_>) -> Read<Vec<Figure>> {
    let row = case.row()?;
    let formula = Formula::of(case);
    let addresses = addresses(case.0, &formula, row)?;
    let ours = Ours::new(&[addresses], row)?;
    let mut figures: Vec<Figure> = formula.compare(&addresses).into_iter().collect();
    figures.extend(unlisted(case, row));
    let mut timed = false;
    for expected in case.expected()? {
        if TIMES.contains(&expected.key) {
            timed = true;
        } else {
            figures.extend(ours.compare(case, expected)?);
        }
    }
    some(figures, timed)
}

/// A list of lanes that ends before the wave does.
fn unlisted(case: Case<'_>, row: &Instruction) -> Option<Figure> {
    let (listed, wave) = (case.0["lane_addresses"].as_array()?.len(), row.service().phases.wave());
    let reason = || format!("lanes {listed} to {} are not listed: taken as inactive", wave - 1);
    (listed < wave).then(|| Figure::unread("lane_addresses", listed, reason()))
}

/// A case without a figure that is checked proves nothing.
fn some(figures: Vec<Figure>, timed: bool) -> Read<Vec<Figure>> {
    if figures.iter().all(|figure| figure.unread) && !timed {
        Err("no figure to check".to_owned())
    } else {
        Ok(figures)
    }
}

/// The lanes that are listed; where none are, all lanes of the wave, by the formula.
fn addresses(json: &Value, formula: &Formula<'_>, row: &Instruction) -> Read<Addresses> {
    let wave = row.service().phases.wave();
    let listed = json["lane_addresses"].as_array();
    if let Some(lanes) = listed.filter(|lanes| lanes.len() > wave) {
        return Err(format!("{} lanes, {wave} in a wave", lanes.len()));
    }
    let address = |lane: usize| match listed.map(|lanes| lanes.get(lane).unwrap_or(&Value::Null)) {
        None => formula.at(lane as u64),
        Some(Value::Null) => Ok(None),
        Some(address) => {
            let word = address.as_u64().and_then(|address| u32::try_from(address).ok());
            word.map(Some).ok_or_else(|| format!("lane {lane} at {address}"))
        }
    };
    (0..wave).try_fold(Addresses::NONE, |all, lane| {
        Ok(address(lane)?.map_or(all, |address| all.with(lane, address)))
    })
}

/// As an access, row by row: each gives a value of the variable and figures for it.
fn series(case: Case<'_>, variable: &str) -> Read<Vec<Figure>> {
    let mut figures = Vec::new();
    for expected in case.expected()? {
        for (value, row) in rows(expected, variable)? {
            let at = format!("{variable} = {value}");
            let found = series_row(case, &row, (variable, value), expected.published);
            let found = found.map_err(|error| format!("{at}: {error}"))?;
            figures.extend(found.into_iter().map(|figure| figure.within(&at)));
        }
    }
    some(figures, false)
}

fn series_row(
    case: Case<'_>,
    json: &Value,
    given: (&str, u64),
    published: bool,
) -> Read<Vec<Figure>> {
    let row = case.row()?;
    let formula = Formula { given: Some(given), ..Formula::of(case) };
    let listed = json["lane_addresses"].is_array();
    let waves = if listed || formula.uses(given.0) {
        vec![addresses(json, &formula, row)?]
    } else {
        work_items(given.1, &formula, row)?
    };
    let ours = Ours::new(&waves, row)?;
    let mut figures: Vec<Figure> =
        waves.iter().filter(|_| listed).filter_map(|wave| formula.compare(wave)).collect();
    for (key, value) in json.as_object().into_iter().flatten() {
        if ![given.0, "lane_addresses", "reference_model"].contains(&key.as_str()) {
            figures.extend(ours.compare(case, Expected { published, key, value })?);
        }
    }
    Ok(figures)
}

/// The rows of a series: `"rows": [{"N": 1, "max_way": 2}, ..]`. A figure by value,
/// `"max_way": {"1": 2, ..}`, and a list of it from 1 on are rows as well.
fn rows(expected: Expected<'_>, variable: &str) -> Read<Vec<(u64, Value)>> {
    let one = |value: u64, figure: &Value| {
        (value, Map::from_iter([(expected.key.to_owned(), figure.clone())]).into())
    };
    if let Some(by_value) = expected.value.as_object() {
        if by_value.is_empty() {
            return Err(format!("{} is empty", expected.key));
        }
        let value = |text: &str| text.parse().map_err(|_| format!("{variable} = {text}"));
        return by_value.iter().map(|(text, figure)| Ok(one(value(text)?, figure))).collect();
    }
    let Some(list) = expected.value.as_array() else {
        return expected.unknown().map(|()| Vec::new());
    };
    if list.is_empty() {
        return Err(format!("{} is empty", expected.key));
    }
    if expected.key != "rows" {
        return Ok((1..).zip(list).map(|(value, figure)| one(value, figure)).collect());
    }
    let value = |row: &Value| row[variable].as_u64().ok_or_else(|| format!("{variable} of {row}"));
    list.iter().map(|row| Ok((value(row)?, row.clone()))).collect()
}

/// The waves of so many work-items, the last one perhaps with inactive lanes.
fn work_items(count: u64, formula: &Formula<'_>, row: &Instruction) -> Read<Vec<Addresses>> {
    let items: Vec<u64> = (0..count).collect();
    let wave = |items: &[u64]| {
        items.iter().zip(0..).try_fold(Addresses::NONE, |all, (item, lane)| {
            Ok(all.with(lane, formula.at(*item)?.ok_or("an inactive work-item")?))
        })
    };
    items.chunks(row.service().phases.wave()).map(wave).collect()
}

/// Whether that holds of the row, or else of what a source says that disagrees with
/// it; then with a remark.
fn either_side(
    row: &Instruction,
    holds: impl Fn(&Instruction) -> Read<bool>,
) -> Read<(bool, Option<String>)> {
    match row.rival() {
        _ if holds(row)? => Ok((true, None)),
        Some(rival) if holds(&row.banks(rival.banks).phases(rival.phases))? => {
            let remark = format!("disputed row {}: this is {}", row.name(), rival.source);
            Ok((true, Some(remark)))
        }
        _ => Ok((false, None)),
    }
}

fn phase_partition(case: Case<'_>) -> Read<Vec<Figure>> {
    let row = case.row()?;
    let (mut groups, mut banks) = (None, None);
    for expected in case.expected()? {
        match expected.key {
            "phase_groups" => groups = Some(lane_groups(expected)?),
            "banks" => banks = Some(expected.natural()?),
            _ => expected.unknown()?,
        }
    }
    let groups = groups.ok_or("no phase_groups")?;
    let (holds, remark) = either_side(row, |row| {
        let service = row.service();
        let banked = banks.is_none_or(|banks| banks == u64::from(service.banks));
        Ok(banked && support::lane_groups(&service.phases) == groups)
    })?;
    let (theirs, ours) = (format!("{groups:?}, {banks:?} banks"), format!("{:?}", row.service()));
    Ok(vec![Figure::new("phase_groups", theirs, ours, holds).remarked(remark)])
}

fn lane_groups(expected: Expected<'_>) -> Read<LaneGroups> {
    let lane = |lane: &Value| u32::try_from(lane.as_u64()?).ok();
    let lanes = |group: &Value| group.as_array()?.iter().map(lane).collect();
    let groups: Option<_> = expected.list()?.iter().map(lanes).collect();
    groups.ok_or_else(|| format!("{} are not lists of lanes", expected.key))
}

fn bank_period(case: Case<'_>) -> Read<Vec<Figure>> {
    let row = case.row()?;
    let (mut saturation, mut latencies) = (None, None);
    for expected in case.expected()? {
        match expected.key {
            "saturation_stride_bytes" => saturation = Some(expected.natural()?),
            "latency_by_stride" => latencies = Some(by_stride(expected)?),
            _ => expected.unknown()?,
        }
    }
    let saturation = saturation.ok_or("no saturation_stride_bytes")?;
    let latencies = latencies.ok_or("no latency_by_stride")?;
    let text = Formula::of(case).text.or(Some("lane*stride"));
    let cycles = |row: &Instruction| cycles_by_stride(row, text, latencies.keys());
    let (holds, remark) = either_side(row, |row| Ok(grows_to(&cycles(row)?, saturation)))?;
    let ours = format!("cycles {:?}", cycles(row)?);
    let ordered =
        saturates(&latencies, saturation).ok_or("no latency of saturation_stride_bytes")?;
    Ok(vec![
        Figure::new("saturation_stride_bytes", saturation, &ours, holds).remarked(remark),
        Figure::new("latency_by_stride", format!("{latencies:?}"), ours, ordered),
    ])
}

/// Whether latencies rise up to that stride and stay there, within 3 %; `None` without one of it.
fn saturates(latencies: &BTreeMap<u64, f64>, saturation: u64) -> Option<bool> {
    let highest = *latencies.get(&saturation)?;
    let rises = latencies.range(..=saturation).zip(latencies.range(..=saturation).skip(1));
    let ordered = { rises }.all(|((_, before), (_, after))| *after >= 0.97 * before);
    let (_, before) = latencies.range(..saturation).next_back()?;
    let mut above = latencies.range(saturation..).map(|(_, latency)| latency / highest);
    Some(ordered && 1.03 * before < highest && above.all(|part| (0.97..=1.03).contains(&part)))
}

fn by_stride(expected: Expected<'_>) -> Read<BTreeMap<u64, f64>> {
    let entry =
        |(stride, latency): (&String, &Value)| Some((stride.parse().ok()?, latency.as_f64()?));
    let entries: Option<_> = expected.object()?.iter().map(entry).collect();
    entries.ok_or_else(|| format!("{} is not a latency by stride", expected.key))
}

/// Active cycles by stride, at the addresses of a formula over the lane and the stride.
fn cycles_by_stride<'a>(
    row: &Instruction,
    text: Option<&str>,
    strides: impl Iterator<Item = &'a u64>,
) -> Read<Vec<(u64, u32)>> {
    strides
        .map(|&stride| {
            let formula = Formula { text, given: Some(("stride", stride)) };
            let lanes = addresses(&Value::Null, &formula, row)?;
            Ok((stride, conflicts(&lanes, row)?.active_cycles()))
        })
        .collect()
}

/// Whether cycles never fall, and reach their highest at that stride.
fn grows_to(cycles: &[(u64, u32)], stride: u64) -> bool {
    let highest = cycles.iter().map(|(_, cycles)| *cycles).max();
    let first = cycles.iter().find(|(_, cycles)| Some(*cycles) == highest);
    cycles.is_sorted_by_key(|(_, cycles)| *cycles) && first.is_some_and(|(at, _)| *at == stride)
}

/// A kernel of which only totals are known.
#[derive(Default)]
struct Totals {
    conflicts: u64,
    instructions: u64,
    /// The degree of each phase of the instruction that conflicts.
    max_way: Option<u64>,
}

fn aggregate(case: Case<'_>) -> Read<Vec<Figure>> {
    let mut totals = Totals::default();
    let (all, mut quotients) = (case.expected()?, Vec::new());
    for expected in &all {
        match expected.key {
            "SQ_LDS_BANK_CONFLICT" => totals.conflicts = expected.natural()?,
            "SQ_INSTS_LDS" => totals.instructions = expected.natural()?,
            "max_way" => totals.max_way = Some(expected.natural()?),
            key if key.starts_with(PER) => quotients.push(expected),
            _ => expected.unknown()?,
        }
    }
    for key in ["SQ_LDS_BANK_CONFLICT", "SQ_INSTS_LDS"] {
        all.iter().find(|expected| expected.key == key).ok_or_else(|| format!("no {key}"))?;
    }
    let mut figures = vec![totals.bounded(case)];
    for expected in quotients {
        match expected.key.trim_start_matches(PER) {
            "instr" => figures.push(totals.average(*expected)?),
            name => figures.extend(totals.quotient(case.find(name)?, expected.natural()?)?),
        }
    }
    Ok(figures)
}

/// What quotients are named by, before the instruction.
const PER: &str = "conflict_cycles_per_";

/// The most conflict cycles of any instruction of the chip: all lanes of every phase
/// in one bank.
fn most_conflicts(case: Case<'_>) -> u64 {
    let chips = chip::CHIPS.iter().filter(|chip| case.0["arch"] == chip.name());
    let rows = chips.flat_map(|chip| chip.rows().iter().map(|row| &row.service().phases));
    rows.map(|phases| phases.wave() - phases.count()).max().unwrap_or(0) as u64
}

impl Totals {
    fn bounded(&self, case: Case<'_>) -> Figure {
        let most = self.instructions * most_conflicts(case);
        let told = format!("at most {most}");
        Figure::new("SQ_LDS_BANK_CONFLICT", self.conflicts, told, self.conflicts <= most)
    }

    fn average(&self, expected: Expected<'_>) -> Read<Figure> {
        let Expected { key, value, .. } = expected;
        let ours = self.conflicts as f64 / self.instructions as f64;
        let holds = (ours - expected.number()?).abs() <= as_printed(key, value);
        Ok(Figure::new(key, value, ours, holds))
    }

    /// If all conflicts are those of one instruction, so many to each.
    fn quotient(&self, row: &Instruction, quotient: u64) -> Read<Vec<Figure>> {
        let Self { conflicts, instructions, max_way } = *self;
        let name = row.name();
        if quotient == 0 {
            return Ok(vec![Figure::new(name, conflicts, 0, conflicts == 0)]);
        }
        let count = conflicts / quotient;
        let whole = count * quotient == conflicts && count <= instructions;
        let told = format!("{count} of {quotient} cycles among {instructions}");
        let mut figures = vec![Figure::new(name, conflicts, told, whole)];
        // What one side moves the other moves too: 262,144 times 2 bytes is 32,768
        // times 16.
        let (bytes, others) = (count * u64::from(row.bytes()), instructions.saturating_sub(count));
        let fits = others == 0 || [1, 2, 4, 8, 16].iter().any(|width| others * width == bytes);
        let told = format!("{others} others move {bytes} bytes a lane");
        figures.push(Figure::new("SQ_INSTS_LDS", instructions, told, fits));
        if let Some(way) = max_way {
            let ours = conflicts_of_way(row, way)?;
            figures.push(Figure::new("max_way", quotient, ours, ours == quotient));
        }
        Ok(figures)
    }
}

/// Conflict cycles where `way` dwords of one bank meet in each phase.
fn conflicts_of_way(row: &Instruction, way: u64) -> Read<u64> {
    let service = row.service();
    let wave = service.phases.wave() as u32;
    let address = |lane| (lane < wave).then(|| lane % way as u32 * service.banks * 4);
    Ok(Lds::of_one(&conflicts(&Addresses::from_fn(address), row)?).bank_conflict)
}

/// A timing of a case, and the cycles that it should follow.
struct Timing<'a> {
    case: Case<'a>,
    time: f64,
    cycles: f64,
    degree: u32,
}

/// Timings of one source and instruction against each other.
fn timings(cases: &[Value], tally: &mut Tally) {
    let mut groups: BTreeMap<String, [Vec<Timing<'_>>; 2]> = BTreeMap::new();
    for case in cases.iter().map(Case).filter(|case| !case.disputed()) {
        let group = format!("{} of {}", case.0["instruction"], case.0["sources"]);
        for (i, key) in TIMES.iter().enumerate() {
            if let Some(timing) = timing(case, key) {
                groups.entry(group.clone()).or_default()[i].push(timing);
            }
        }
    }
    for (group, [times, quotients]) in &groups {
        proportional(group, TIMES[0], times, tally);
        proportional(group, TIMES[1], quotients, tally);
        quotients_of_times(times, quotients, tally);
    }
}

/// `None` without a timing, and where the case itself has failed already.
fn timing<'a>(case: Case<'a>, key: &str) -> Option<Timing<'a>> {
    let expected = case.expected().ok()?.into_iter().find(|expected| expected.key == key)?;
    let (row, time) = (case.row().ok()?, expected.number().ok()?);
    let ours = Ours::new(&[addresses(case.0, &Formula::of(case), row).ok()?], row).ok()?;
    Some(Timing { case, time, cycles: ours.lds.idx_active as f64, degree: ours.degree() })
}

/// From degree 4 on, banks set the pace; below, something else that is slower.
fn proportional(group: &str, key: &str, timings: &[Timing<'_>], tally: &mut Tally) {
    let pace = |timing: &&Timing<'_>| timing.time / timing.cycles;
    let of_banks = timings.iter().filter(|timing| timing.degree >= 4);
    let mut of_banks: Vec<&Timing<'_>> = of_banks.collect();
    of_banks.sort_by(|one, other| pace(one).total_cmp(&pace(other)));
    let [first, .., last] = of_banks[..] else {
        let alone = |timing: &Timing<'_>| {
            format!(
                "{}: {key}, with no second one of degree 4 to compare it with",
                timing.case.id()
            )
        };
        tally.unread.extend(timings.iter().map(alone));
        return;
    };
    let (low, high) = (pace(&first), pace(&last));
    let paces = format!("{low:.4} ({}) to {high:.4} ({})", first.case.id(), last.case.id());
    let told = format!("{group}: {key} by cycle {paces}, {} cases", of_banks.len());
    tally.judge(high <= 1.02 * low, || told.clone());
    tally.remarks.push(told);
    for timing in timings {
        let banks = 0.98 * low * timing.cycles;
        let told = || format!("{}: {key} {}, banks take {banks}", timing.case.id(), timing.time);
        tally.judge(timing.time >= banks, told);
    }
}

/// The time of stride 32 that a quotient implies, to its four decimals, must be one
/// that all others allow.
fn quotients_of_times(times: &[Timing<'_>], quotients: &[Timing<'_>], tally: &mut Tally) {
    let (mut least, mut most) = ((0f64, ""), (f64::INFINITY, ""));
    for quotient in quotients {
        let id = quotient.case.id();
        let Some(time) = times.iter().find(|time| time.case.id() == id) else { continue };
        let from = time.time / (quotient.time + 0.5e-4);
        let to = time.time / (quotient.time - 0.5e-4);
        least = if from > least.0 { (from, id) } else { least };
        most = if to < most.0 { (to, id) } else { most };
    }
    let told = || format!("{}: {} differs from that of {}", least.1, TIMES[1], most.1);
    tally.judge(least.0 <= most.0, told);
}

#[test]
fn formulas() {
    #[track_caller]
    fn case(text: &str, lane: u64, expected: Option<u32>) {
        let formula = Formula { text: Some(text), given: Some(("N", 5)) };
        assert_eq!(formula.at(lane), Ok(expected), "{text}");
    }
    case("lane*128", 3, Some(384));
    case("work_item*4", 70, Some(280));
    case("lane*N + 2*3%4", 2, Some(12));
    case("(lane/8)*128 + (lane%8)*16", 13, Some(208));
    case("i=lane%16; j=lane/16; (i*32 + (j ^ i))*8", 18, Some((64 + 3) * 8));
    case("lane ^ 1+2", 4, Some(7));
    case("100 - 7 - lane", 3, Some(90));
    case("lane*128, lanes below N active", 2, Some(256));
    case("lane 0 -> 0, lane 12 -> 256, other lanes inactive", 12, Some(256));
    case("lane 0 -> 0, lane 12 -> 256, other lanes inactive", 11, None);
    case("lanes 0-3 -> 0, lanes 4-7 -> 16*lane", 5, Some(80));
}

#[test]
fn formulas_that_say_nothing() {
    #[track_caller]
    fn case(text: &str) {
        let formula = Formula { text: Some(text), given: None };
        assert!(formula.at(1).is_err(), "{text}: {:?}", formula.at(1));
    }
    case("");
    case("lane*stride");
    case("(lane*4");
    case("lane*4 bytes");
    case("lane/0");
    case("0 - lane");
    case("lane 0 -> 0, lane 1 at 4");
}

/// A case to change: all lanes read one bank.
fn column() -> Value {
    json!({
        "id": "column", "kind": "access", "vendor": "amd", "arch": "gfx90a",
        "instruction": "ds_read_b32", "op": "read", "access_bytes": 4, "wave_size": 64,
        "address_formula": "lane*128", "expected": { "published": { "max_way": 32 } },
    })
}

#[test]
fn names_of_instructions() {
    #[track_caller]
    fn case(chip: &str, instruction: &str, op: &str, bytes: u64, expected: &str) {
        let vendor = if chip.starts_with("sm") { "nvidia" } else { "amd" };
        let json = json!({ "vendor": vendor, "arch": chip, "op": op, "access_bytes": bytes });
        let row = Case(&json).find(instruction).unwrap_or_else(|e| panic!("{instruction}: {e}"));
        assert_eq!(row.name(), expected, "{instruction} of {chip}");
    }
    case("gfx942", "ds_read_b128", "read", 16, "ds_read_b128");
    case("gfx942", "ds_write_u16", "write", 2, "ds_write_b16");
    case("gfx1201", "ds_load_b64", "read", 8, "ds_load_b64");
    case("sm_80", "LDS.U16", "read", 2, "ld.shared.b16");
    case("sm_80", "STS.128", "write", 16, "st.shared.b128");
    case("sm_75", "ldmatrix.x4.trans", "read", 16, "ldmatrix.x4.trans");
    case("sm_75", "LDSM.16.MT88.2", "read", 16, "ldmatrix.x2.trans");
    case("sm_80", "stmatrix.sync.aligned.m8n8.x4.shared.b16", "write", 16, "stmatrix.x4");
}

#[test]
fn series_of_every_shape() {
    #[track_caller]
    fn case(formula: &str, figures: usize, published: Value) {
        let mut json = column();
        json["kind"] = "series".into();
        json["series_variable"] = "N".into();
        json["address_formula"] = formula.into();
        json["expected"] = json!({ "published": published });
        let mut tally = Tally::default();
        tally.add(Case(&json), check(Case(&json)));
        assert_eq!((tally.figures, tally.failures), (figures, vec![]), "{json}");
    }
    let rows = json!([
        { "N": 1, "idx_active_per_instr": 2, "conflict_cycles_per_instr": 0 },
        { "N": 33, "bank_conflict_rate_pct": 48.4375 },
        { "N": 65, "idx_active_per_instr": 66 },
        { "N": 3, "lane_addresses": [null, 128, 256, 384], "max_way": 3 },
    ]);
    case("lane*128", 5, json!({ "rows": rows, "note": "plotted" }));
    case("lane*128", 2, json!({ "max_way": { "20": 20, "64": 32 } }));
    case("lane*128, lanes below N active", 3, json!({ "conflict_cycles_per_instr": [0, 1, 2] }));
    case("lane*N*4", 3, json!({ "max_way": [1, 2, 1] }));
}

#[test]
fn what_must_fail() {
    #[track_caller]
    fn case(key: &str, value: Value, failure: &str) {
        let mut json = column();
        json[key] = value;
        let mut tally = Tally::default();
        tally.add(Case(&json), check(Case(&json)));
        let failures = tally.failures.join(" ");
        assert!(failures.contains("column: ") && failures.contains(failure), "{key}: {failures}");
    }
    let with_derived = |key: &str, value: Value| json!({ "published": { "max_way": 32 }, "derived": { key: value } });
    case(
        "expected",
        json!({ "published": {}, "derived": { "max_way": 32 } }),
        "nothing is published",
    );
    case("expected", json!({ "published": { "note": "free" } }), "no figure to check");
    case("kind", json!("acess"), "a kind this test does not know: acess");
    case("arch", json!("gfx1152"), "there are no rows for this chip");
    case("instruction", json!("ds_read_b256"), "has no such row");
    case("access_bytes", json!(8), "is (\"read\", 4, 64), in the case (\"read\", 8, 64)");
    case("wave_size", json!(32), "in the case (\"read\", 4, 32)");
    case("lane_addresses", json!([0, 128, 260]), "lane 2 at Ok(Some(256)), listed at Some(260)");
    case("lane_addresses", json!([0, -128]), "lane 1 at -128");
    case("address_formula", json!("lane*2"), "byte 2 of lane 1 is not aligned to 4");
    case("address_formula", json!("lane*width"), "no value: width");
    case("expected", json!({ "published": { "max_way": 31 } }), "max_way: published 31, ours 32");
    case("expected", with_derived("max_ways", json!(32)), "does not know: max_ways");
    case("expected", with_derived("max_way", json!("32")), "max_way is not a number");
    case(
        "expected",
        json!({ "published": { "max_way": 32 }, "plotted": { "max_way": 32 } }),
        "expected.plotted",
    );
    case("expected", with_derived("kernel_wavefronts", json!(1)), "instr_count");
}

/// A file in which one thing is wrong.
#[track_caller]
fn refused_file(change: impl FnOnce(&mut Value), failure: &str) {
    let mut json = json!({
        "schema_version": 1, "sources": { "here": {} },
        "cases": [column(), { "id": "other" }],
    });
    let cases = json["cases"].as_array_mut().unwrap();
    cases[1] = column();
    cases[1]["id"] = "other".into();
    for case in cases {
        case["sources"] = json!(["here"]);
        case["evidence"] = "measured-counter".into();
    }
    assert_eq!(judged(&json).failures, Vec::<String>::new());
    change(&mut json);
    let failures = judged(&json).failures.join(" ");
    assert!(failures.contains(failure), "{failure}: {failures}");
}

#[test]
fn files_that_must_fail() {
    refused_file(|file| file["cases"] = json!([]), "no cases");
    refused_file(|file| file["schema_version"] = json!(2), "schema_version 2");
    refused_file(|file| file["cases"][1]["id"] = json!("column"), "column twice");
    refused_file(|file| file["cases"][0]["sources"] = json!(["there"]), "no such source");
    refused_file(|file| file["cases"][0]["sources"] = json!([]), "no source");
    refused_file(|file| file["cases"][0]["evidence"] = json!("hearsay"), "no evidence");
    refused_file(|file| file["cases"][0]["tolerance_rel"] = json!(0.5), "tolerance_rel");
    // The profiler's conflicts are its wavefronts less the ideal, to the last one.
    let kernel = |conflicts: u64| json!({ "published": { "kernel_wavefronts": 1_064_088, "kernel_bank_conflicts": conflicts } });
    let change = |conflicts: u64| {
        move |file: &mut Value| {
            let case = &mut file["cases"][0];
            case["instr_count"] = json!(32 * 1024);
            case["tolerance_rel"] = json!(0.03);
            case["expected"] = kernel(conflicts);
        }
    };
    refused_file(change(1_000_000), "kernel_bank_conflicts: published 1000000, ours 998552");
}

/// A plan that says more of the lanes than it knows.
#[test]
fn direct_loads_that_are_wrong() {
    let text = |figures: Value| {
        let case = json!({
            "id": "copy", "kind": "direct_load_plan", "vendor": "amd", "arch": "gfx942",
            "tile_shape": [16, 64], "element_bytes": 4, "workgroup_size": 256,
            "subgroup_size": 64, "transfer_bytes": 4, "valid": true,
            "sources": ["here"], "evidence": "vendor-doc",
            "expected": { "published": figures },
        });
        judged(&json!({ "schema_version": 1, "sources": { "here": {} }, "cases": [case] }))
    };
    assert!(text(json!({ "lds_base_formula": "s*1024 + j*256" })).failures.is_empty());
    let wrong = text(json!({ "lds_base_formula": "s*1024 + j*512" })).failures;
    assert!(wrong[0].contains("ours not at [0, 1, 0]"), "{wrong:?}");
    let wrong = text(json!({ "source_index_formula": "[4*s + j, lane^1]" })).failures;
    assert!(wrong[0].contains("ours not at [0, 0, 0]"), "{wrong:?}");
    assert_eq!(text(json!({ "loads_per_lane": 3 })).failures.len(), 1);
}

/// One time has nothing to be proportional to, and says so; two of them are compared.
#[test]
fn a_time_alone_is_listed() {
    let timed = |id: &str, formula: &str, way: u32, time: f64| {
        let mut json = column();
        json["id"] = id.into();
        json["address_formula"] = formula.into();
        json["expected"] = json!({ "published": { "max_way": way, "time_us": time } });
        json["sources"] = json!(["here"]);
        json["evidence"] = "measured-latency".into();
        json
    };
    let judge = |cases: Vec<Value>| {
        judged(&json!({ "schema_version": 1, "sources": { "here": {} }, "cases": cases }))
    };
    let one = judge(vec![timed("one", "lane*128", 32, 64.0)]);
    assert_eq!((one.unread.len(), one.failures.len()), (1, 0), "{:?}", one.unread);
    let half =
        |time| judge(vec![timed("one", "lane*128", 32, 64.0), timed("half", "lane*64", 16, time)]);
    assert_eq!((half(32.0).unread.len(), half(32.0).failures.len()), (0, 0));
    assert_eq!(half(33.0).failures.len(), 1);
}

#[test]
fn latencies_above_saturation() {
    let of = |above: f64| BTreeMap::from([(64, 10.0), (128, 20.0), (256, 40.0), (512, above)]);
    assert_eq!(
        [30.0, 40.5, 60.0].map(|above| saturates(&of(above), 256)),
        [Some(false), Some(true), Some(false),]
    );
    // It is reached before, or not stated.
    assert_eq!(saturates(&of(40.0), 512), Some(false));
    assert_eq!(saturates(&of(40.0), 1024), None);
}

/// A field that nobody knows is listed.
#[test]
fn fields_that_nobody_reads_are_listed() {
    let mut json = column();
    json["max_way"] = 1.into();
    json["sources"] = json!(["here"]);
    json["evidence"] = "vendor-doc".into();
    let tally = judged(&json!({ "schema_version": 1, "sources": { "here": {} }, "cases": [json] }));
    assert_eq!(tally.unread, ["column: a field this test does not know: max_way"]);
    assert_eq!((tally.figures, tally.failures.len()), (1, 0));
}

/// Fields that may be wrong unnoticed, the faults (all, if none is listed), and why.
const IGNORED: &[(&str, &[Fault], &str)] = &[
    ("id", &[], "a name; no two cases have the same"),
    ("title", &[], "words for a reader"),
    ("notes", &[], "words for a reader"),
    ("device", &[], "words for a reader: the chip is `arch`"),
    ("inferred_layout", &[], "words for a reader"),
    ("sources", &[Fault::Shortened], "one source is enough; each must be in the file's list"),
    ("expected.derived", &[Fault::Emptied], "figures that somebody computed: there may be none"),
    ("expected.derived.rows", &[Fault::Shortened], "a row less is a figure less"),
    ("expected.published.latency_by_stride.*", &[Fault::OneMore], "a latency holds within 3 %"),
    ("expected.published.SQ_INSTS_LDS", &[], BOUNDED),
    ("expected.published.SQ_LDS_BANK_CONFLICT", &[], BOUNDED),
    ("expected.derived.note", &[], "words for a reader"),
    ("expected.derived.samples", &[Fault::Shortened], "a sample less is a figure less"),
    ("reference_model", &[], MODEL),
    ("reference_model.banks", &[], MODEL),
    ("reference_model.base_cycles", &[], MODEL),
    ("reference_model.conflict_cycles", &[], MODEL),
    ("reference_model.max_way", &[], MODEL),
    ("reference_model.total_cycles", &[], MODEL),
];

const BOUNDED: &str = "without lanes and quotient a total is only bounded by the worst instruction";
const MODEL: &str = "somebody's model, for convenience; by the README never an oracle";

/// A case of RDNA in waves of 64: rows of 72 bytes are free as in waves of 32, in twice the cycles.
#[test]
fn waves_of_64_on_rdna() {
    let lanes = |wave: u32| -> Vec<u32> {
        (0..wave).map(|lane| lane % 16 * 72 + lane / 16 % 2 * 8 + lane / 32 * 1152).collect()
    };
    let case = |wave: u32, cycles: u32| {
        json!({"id": "rows", "kind": "access", "title": "rows of 72 bytes", "vendor": "amd", "arch": "gfx1151",
            "device": "gfx1151", "instruction": "ds_read_b64", "op": "read", "access_bytes": 8, "wave_size": wave,
            "address_formula": "lane % 16 * 72 + lane / 16 % 2 * 8 + lane / 32 * 1152",
            "lane_addresses": lanes(wave), "evidence": "third-party-analysis", "sources": ["s"],
            "expected": {"published": {"conflict": false, "idx_active_per_instr": cycles}, "derived": {}},
            "reference_model": {}})
    };
    for (wave, cycles, holds) in [(32, 2, true), (64, 4, true), (64, 2, false)] {
        let file = json!({"schema_version": 1, "conventions": {}, "sources": {"s": {"title": "s"}},
            "cases": [case(wave, cycles)]});
        let failures = judged(&file).failures;
        assert_eq!(failures.is_empty(), holds, "{wave}: {failures:?}");
    }
}

/// What a reader does not notice he does not read: every field of every case, corrupted.
#[test]
fn every_field_is_read() {
    let file = committed();
    let cases = file["cases"].as_array().unwrap();
    let mut faults = Faults::default();
    let seen = |case: Case<'_>| {
        let mut tally = Tally::default();
        tally.add(case, all_of(case, &file["sources"]));
        tally
    };
    for (i, case) in cases.iter().enumerate() {
        // Printed with both figures.
        if Case(case).disputed() {
            continue;
        }
        let unread = seen(Case(case)).unread.len();
        let mut all = cases.clone();
        for fault in corruptions(case) {
            let mut tally = seen(Case(&fault.json));
            let listed = tally.unread.len() > unread;
            if tally.failures.is_empty() && !listed {
                all[i].clone_from(&fault.json);
                timings(&all, &mut tally);
            }
            faults.judge(Case(case).id(), &fault, listed || !tally.failures.is_empty());
        }
    }
    faults.report(IGNORED);
}

/// The fields of the file besides its cases.
#[test]
fn every_field_of_the_file_is_read() {
    let mut file = committed();
    file["cases"].as_array_mut().unwrap().truncate(2);
    let mut faults = Faults::default();
    // Cases have their own test. What a source is called stands there for a reader: cases name
    // it by its key.
    let inner = |path: &str| path.starts_with("cases.") || path.starts_with("sources.");
    let shallow = |fault: &Corrupted| !inner(&fault.path);
    for fault in corruptions(&file).filter(shallow) {
        faults.judge("the file", &fault, !judged(&fault.json).failures.is_empty());
    }
    faults.report(&[
        ("generated_from", &[], "words for a reader"),
        ("conventions", &[], "words for a reader"),
        ("conventions.bank", &[], "words for a reader"),
        ("conventions.byte_addresses", &[], "words for a reader"),
        ("conventions.inactive_lane", &[], "words for a reader"),
        ("cases", &[Fault::Shortened], "a file may have fewer cases"),
        ("sources", &[Fault::Widened], "a source that no case names"),
    ]);
}
