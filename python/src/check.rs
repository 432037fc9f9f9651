//! The verdicts on a tile's accesses: the report of `tiledesc check`, as objects.

use crate::bound::Trip;
use crate::html::{cell, marked, table};
use crate::question::{ask, printed};
use crate::view::view;
use pyo3::prelude::*;
use tiledesc_cli::report::access::{Access, Ruling};
use tiledesc_cli::report::check::{self as report, Check as Report, Demand};
use tiledesc_cli::{Source, Status, check, check_lines};

view! {
    /// The verdict on one access on one chip.
    Verdict(one: &Access) {
        /// The chip.
        chip: String = one.chip.to_string(),
        /// The instruction.
        instruction: String = one.op.clone(),
        /// The pattern; of a verdict on addresses nothing.
        pattern: Option<String> = Some(one.by.clone()),
        /// `"read"` or `"write"`; of a verdict on addresses nothing.
        access: Option<String> = Some(one.access.to_string()),
        /// Whether the access is within what was asked for.
        passes: bool = one.ruling == Ruling::Passes,
        /// Whether no lane waits, and no two write one byte.
        free: bool = one.free,
        /// The most distinct dwords of one bank in one phase: 1 is free.
        degree: u32 = one.degree,
        /// All cycles, with those that conflicts add.
        cycles: u64 = one.active_cycles,
        /// Cycles without conflicts.
        base_cycles: u64 = one.base_cycles,
        /// Two lanes that meet, if any do.
        pair: Option<(usize, usize)> = one.meeting.as_ref().map(|meeting| meeting.lanes.into()),
        /// The coordinates that these two address, where a tile has them.
        coordinates: Option<(Vec<u32>, Vec<u32>)> = one.meeting.as_ref().map(|meeting| meeting.coordinates.clone().into()),
        /// The bytes of the two lanes.
        bytes: Option<(u32, u32)> = one.meeting.as_ref().map(|meeting| meeting.bytes.into()),
        /// The bank where they meet.
        bank: Option<u32> = one.meeting.as_ref().and_then(|meeting| meeting.bank),
        /// The phase in which they meet.
        phase: Option<usize> = one.meeting.as_ref().map(|meeting| meeting.phase),
        /// Whether the two lanes write the same byte.
        race: bool = one.meeting.as_ref().is_some_and(|meeting| meeting.race),
        /// `"measured"`, `"documented"` or `"inferred"`.
        evidence: String = one.evidence.level.to_string(),
        /// The source of the row, or what it is inferred from.
        source: String = one.evidence.source.to_string(),
        /// The degree by the source that disputes the row, if there is one.
        rival_degree: Option<u32> = one.evidence.rival_degree,
        /// The finding, as a sentence.
        sentence: String = one.sentence.clone(),
        /// The order of the access that takes fewer cycles on the layout as it is: `"free with st.shared.b32 ..: 4
        /// cycles"`.
        reordered: Option<String> = one.reordered.as_ref().map(|reordered| reordered.sentence.clone()),
        /// Bytes that a read finds and no stated write of the tile covers.
        unwritten: u64 = one.unwritten.as_ref().map_or(0, |unwritten| unwritten.bytes),
        /// The place where the first of these bytes is read, as a sentence.
        note: Option<String> = one.unwritten.as_ref().map(|unwritten| unwritten.sentence.clone()),
    }
}

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        format!("<Verdict {self}>")
    }

    fn __str__(&self) -> String {
        self.to_string()
    }

    fn _repr_html_(&self) -> String {
        table(&[self.to_string()], &COLUMNS, vec![self.row()])
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.chip, self.instruction)?;
        if let Some(pattern) = &self.pattern {
            write!(f, " {pattern}")?;
        }
        write!(f, "  {}", self.found())
    }
}

view! {
    /// The cache lines that a load from global memory, or a store to it, touches on one chip: the most of all its accesses.
    Fetch(one: &report::Fetch) {
        /// The chip.
        chip: String = one.chip.to_string(),
        /// The instruction.
        instruction: String = one.op.clone(),
        /// What its lanes hold.
        pattern: String = one.by.clone(),
        /// Elements from row to row: `"8192"`, or `"multiples of 8"`.
        rows: String = one.rows.clone(),
        /// Lines that are touched.
        lines: u32 = one.lines,
        /// The fewest lines that hold its bytes.
        least_lines: u32 = one.least_lines,
        /// Sectors that are touched; lines without sectors are counted whole.
        sectors: u32 = one.sectors,
        /// The fewest sectors that hold its bytes.
        least_sectors: u32 = one.least_sectors,
        /// The most sectors that were allowed.
        at_most: Option<u32> = one.at_most,
        /// Whether it touches no more than was allowed.
        passes: bool = one.passes,
        /// The finding, as a sentence.
        sentence: String = one.found.clone(),
    }
}

#[pymethods]
impl Fetch {
    fn __repr__(&self) -> String {
        format!("<Fetch {self}>")
    }

    fn __str__(&self) -> String {
        self.to_string()
    }
}

impl std::fmt::Display for Fetch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { chip, instruction, pattern, rows, sentence, .. } = self;
        write!(f, "{chip} {instruction} {pattern}, rows of {rows}  {sentence}")
    }
}

const COLUMNS: [&str; 8] =
    ["chip", "access", "instruction", "pattern", "degree", "cycles", "without conflicts", "found"];

impl Verdict {
    /// The sentence, with the note if there is one.
    fn found(&self) -> String {
        let note = self.note.as_ref().map(|note| format!("; {note}"));
        self.sentence.clone() + &note.unwrap_or_default()
    }

    fn row(&self) -> Vec<String> {
        let text = |text: &Option<String>| cell(text.clone().unwrap_or_default());
        vec![
            cell(&self.chip),
            text(&self.access),
            cell(&self.instruction),
            text(&self.pattern),
            marked(self.degree, !self.free),
            cell(self.cycles),
            cell(self.base_cycles),
            cell(self.found()),
        ]
    }
}

/// The verdicts on all accesses of a tile.
#[pyclass(frozen, module = "tiledesc")]
pub(crate) struct Check {
    source: Source,
    report: Report,
}

impl Check {
    pub(crate) fn new(py: Python<'_>, source: Source, demand: Demand) -> PyResult<Self> {
        let report = ask(py, || check(&source, demand))?;
        Ok(Self { source, report })
    }

    /// What does not pass, a line each.
    pub(crate) fn failing(&self) -> Vec<String> {
        let verdicts = self.report.accesses().map(Verdict::new);
        let verdicts = verdicts.filter(|one| !one.passes).map(|one| one.to_string());
        let fetches = self.fetches().into_iter().filter(|one| !one.passes);
        verdicts.chain(fetches.map(|one| one.to_string())).collect()
    }

    /// The number of accesses that were judged, of shared and of global memory.
    pub(crate) fn judged(&self) -> usize {
        self.__len__() + self.fetches().len()
    }
}

#[pymethods]
impl Check {
    /// Returns whether every access is within what was asked for.
    #[getter]
    fn passes(&self) -> bool {
        self.report.status == Status::Free
    }

    /// The verdicts, each access on each chip.
    #[getter]
    fn verdicts(&self) -> Vec<Verdict> {
        self.report.accesses().map(Verdict::new).collect()
    }

    /// The lines of global memory that each stated load and store touches, on each chip.
    #[getter]
    fn fetches(&self) -> Vec<Fetch> {
        self.report.tiles.iter().flat_map(|tile| &tile.fetches).map(Fetch::new).collect()
    }

    /// What bounds a trip of the loop, on each chip that has its `matrix` instructions.
    #[getter]
    fn trips(&self) -> Vec<Trip> {
        self.report.trips.iter().map(Trip::new).collect()
    }

    /// The first of the highest degree, or `None` without an access.
    #[getter]
    fn worst(&self) -> Option<Verdict> {
        let accesses = self.report.accesses();
        accesses
            .reduce(|worst, one| if one.badness() > worst.badness() { one } else { worst })
            .map(Verdict::new)
    }

    /// Layouts that would be free, in the words of a file; a `Tile` of them is what `find` returns.
    #[getter]
    fn instead(&self) -> Vec<String> {
        let remedies = self.report.tiles.iter().flat_map(|tile| &tile.remedies);
        remedies.map(|one| one.words.clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.report.accesses().count()
    }

    fn __bool__(&self) -> bool {
        self.passes()
    }

    fn __str__(&self) -> String {
        check_lines(&self.source, &self.report).trim_end().to_string()
    }

    fn __repr__(&self) -> String {
        self.__str__()
    }

    fn _repr_html_(&self) -> String {
        let rows = self.verdicts().iter().map(Verdict::row).collect();
        let instead = self.instead().into_iter().take(1);
        let head = instead.map(|words| format!("free instead: {words}"));
        let fetches = self.fetches().into_iter().map(|one| one.to_string());
        let trips = self.trips().into_iter().map(|one| format!("{}: {}", one.chip, one.sentence));
        let head: Vec<_> = head.chain(fetches).chain(trips).collect();
        table(&head, &COLUMNS, rows)
    }

    /// Banks by phase of the worst access; beside it the layout that would be free.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        printed(py, &["show", "-", "--format", "svg"], &self.source).ok()
    }
}
