//! Verdicts for programs: JSON of a stated schema.
//!
//! The schema is `schema/check.json`; a field is added without notice, and the number behind
//! `tiledesc.check/` grows when one changes its meaning or goes.

use crate::answer::check::Checked;
use crate::answer::expected::Expected;
use crate::answer::find::CostRow;
use crate::answer::judge::{Demand, Judged, Ruling, is_disputed};
use crate::answer::order::{Order, order};
use crate::answer::unwritten::Unwritten;
use crate::request::fault::{Fault, Source};
use crate::write::output::Status;
use serde::Serialize;
use serde_json::{Value, json};

/// The schema, as `tiledesc schema` prints it.
pub(crate) const SCHEMA: &str = include_str!("../../schema/check.json");

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    tool: &'static str,
    version: &'static str,
    file: &'a str,
    status: u8,
    max_degree: u32,
    strict: bool,
    faults: Vec<FaultReport>,
    tiles: Vec<TileReport<'a>>,
}

#[derive(Serialize)]
struct FaultReport {
    line: usize,
    column: usize,
    message: String,
}

#[derive(Serialize)]
struct TileReport<'a> {
    name: &'a str,
    line: usize,
    element: &'a str,
    bits: u32,
    dimensions: &'a [String],
    lengths: Vec<u32>,
    /// Bytes of the element space.
    bytes: u64,
    accesses: Vec<AccessReport<'a>>,
    remedies: Vec<RemedyReport>,
}

#[derive(Serialize)]
struct RemedyReport {
    words: String,
    more_bytes: u64,
}

#[derive(Serialize)]
pub(crate) struct AccessReport<'a> {
    line: usize,
    column: usize,
    access: &'static str,
    /// That the file gives it.
    name: Option<&'a str>,
    chip: &'static str,
    op: &'a str,
    by: &'a str,
    times: u64,
    outcome: &'static str,
    ruling: &'static str,
    free: bool,
    degree: u32,
    worst_degree: u32,
    instructions: u64,
    base_cycles: u64,
    conflict_cycles: u64,
    active_cycles: u64,
    /// Where lanes meet, or write one byte.
    meeting: Option<MeetingReport>,
    /// What a read finds that no stated write covers.
    unwritten: Option<UnwrittenReport>,
    /// On the layout as it is, what takes fewer cycles.
    reordered: Option<ReorderedReport>,
    evidence: Evidence,
    counters: ExpectedCounters,
    sentence: String,
}

#[derive(Serialize)]
struct MeetingReport {
    race: bool,
    /// The number of the instruction of the pattern.
    instruction: u64,
    phase: usize,
    bank: Option<u32>,
    lanes: [usize; 2],
    /// Of what they address.
    coordinates: [Vec<u32>; 2],
    bytes: [u32; 2],
}

#[derive(Serialize)]
struct UnwrittenReport {
    bytes: u64,
    instruction: u64,
    lane: usize,
    /// Where the lane begins, but in a tile of bytes.
    coordinate: Option<Vec<u32>>,
    byte: u64,
    sentence: String,
}

impl From<Unwritten> for UnwrittenReport {
    fn from(one: Unwritten) -> Self {
        let Unwritten { bytes, instruction, lane, coordinate, byte } = one;
        let coordinate = coordinate.map(|at| at.as_slice().to_vec());
        Self { bytes, instruction, lane, coordinate, byte, sentence: one.to_string() }
    }
}

#[derive(Serialize)]
struct ReorderedReport {
    op: &'static str,
    split: [u32; 2],
    cycles: u64,
    free: bool,
    sentence: String,
}

impl From<Order> for ReorderedReport {
    fn from(Order { op, split, cycles, is_free, sentence }: Order) -> Self {
        Self { op, split, cycles, free: is_free, sentence }
    }
}

#[derive(Serialize)]
struct Evidence {
    level: &'static str,
    source: &'static str,
    disputed: bool,
    rival_degree: Option<u32>,
}

/// What the profiler should print for `times` executions.
#[derive(Serialize)]
#[serde(untagged)]
enum ExpectedCounters {
    Rocprof { sq_insts_lds: u64, sq_lds_idx_active: u64, sq_lds_bank_conflict: u64 },
    NsightCompute { requests: u64, wavefronts: u64, wavefronts_ideal: u64 },
}

fn counters(one: &Judged<'_>) -> ExpectedCounters {
    match Expected::of(one) {
        Expected::NsightCompute(ncu) => ExpectedCounters::NsightCompute {
            requests: ncu.requests,
            wavefronts: ncu.wavefronts,
            wavefronts_ideal: ncu.ideal,
        },
        Expected::Rocprof(lds) => ExpectedCounters::Rocprof {
            sq_insts_lds: lds.insts,
            sq_lds_idx_active: lds.idx_active,
            sq_lds_bank_conflict: lds.bank_conflict,
        },
    }
}

fn ruling(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Passes => "passes",
        Ruling::Conflicts => "conflicts",
        Ruling::Races => "races",
        Ruling::Weak => "weak",
        Ruling::Unwritten => "unwritten",
    }
}

fn meeting(one: &Judged<'_>) -> Option<MeetingReport> {
    let (verdict, meeting) = (&one.verdict, one.meeting()?);
    Some(MeetingReport {
        race: verdict.conflicts().race.is_some(),
        instruction: verdict.shown(),
        phase: verdict.conflicts().phase,
        bank: meeting.bank,
        lanes: meeting.lanes,
        coordinates: meeting.coordinates.map(|list| list.as_slice().to_vec()),
        bytes: meeting.bytes,
    })
}

/// One access on one chip.
pub(crate) fn access<'a>(one: &'a Judged<'a>) -> AccessReport<'a> {
    let (verdict, weakest) = (&one.verdict, one.verdict.weakest());
    AccessReport {
        line: one.access.place.line,
        column: one.access.place.column,
        access: one.direction(),
        name: one.access.name.as_deref(),
        chip: one.chip.name(),
        op: &one.access.op,
        by: &one.access.by,
        times: one.access.times,
        outcome: one.outcome(),
        ruling: ruling(one.ruling),
        free: one.is_free(),
        degree: verdict.degree(),
        worst_degree: verdict.worst_degree(),
        instructions: verdict.instructions(),
        base_cycles: verdict.base_cycles(),
        conflict_cycles: verdict.conflict_cycles(),
        active_cycles: verdict.active_cycles(),
        meeting: meeting(one),
        unwritten: one.unwritten.map(UnwrittenReport::from),
        reordered: order(one).map(ReorderedReport::from),
        evidence: Evidence {
            level: weakest.evidence.name(),
            source: weakest.source,
            disputed: is_disputed(verdict),
            rival_degree: verdict.rival_degree(),
        },
        counters: counters(one),
        sentence: verdict.found().as_str().to_string(),
    }
}

fn tile<'a>(checked: &'a Checked<'a>) -> TileReport<'a> {
    let (tile, plan) = (checked.tile, &checked.tile.layout.plan);
    TileReport {
        name: &tile.name,
        line: tile.place.line,
        element: tile.element.name,
        bits: tile.element.bits,
        dimensions: &tile.layout.dimensions,
        lengths: plan.lengths().as_slice().to_vec(),
        bytes: tile.bytes(),
        accesses: checked.judged.iter().map(access).collect(),
        remedies: checked
            .free()
            .iter()
            .map(|one| RemedyReport { words: one.words.clone(), more_bytes: one.more })
            .collect(),
    }
}

fn fault(source: &Source, fault: &Fault) -> FaultReport {
    let place = source.place(fault.span.start);
    FaultReport { line: place.line, column: place.column, message: fault.message.clone() }
}

/// One object of the schema `tiledesc.check/1`.
pub(crate) fn json(
    source: &Source,
    all: &[Checked<'_>],
    faults: &[Fault],
    status: Status,
    demand: Demand,
) -> String {
    let report = Report {
        schema: "tiledesc.check/1",
        tool: "tiledesc",
        version: env!("CARGO_PKG_VERSION"),
        file: &source.name,
        status: status as u8,
        max_degree: demand.max_degree,
        strict: demand.strict,
        faults: faults.iter().map(|one| fault(source, one)).collect(),
        tiles: all.iter().map(tile).collect(),
    };
    pretty(&report)
}

/// A layout and what it costs. Its words are a tile's lines in a file, `null` of a layout that has none.
pub(crate) fn cost_row(row: &CostRow) -> Value {
    let copied = row.copied.as_ref();
    json!({
        "declaration": copied.map(|copied| &copied.declaration),
        "index": copied.map(|copied| &copied.index),
        "words": row.words, "cycles": row.taken.cycles, "bytes": row.bytes,
        "address": row.address, "free": row.is_free, "disputed": row.is_disputed, "own": row.is_own,
    })
}

/// On one line, for a program: a tile is thousands of numbers.
pub(crate) fn line(value: &Value) -> String {
    format!("{value}\n")
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
