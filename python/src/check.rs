//! The verdicts on a tile's accesses: what `tiledesc check` says, as objects.

use crate::error::refused;
use crate::html::{Cell, table};
use crate::question::{ask, ask_json};
use pyo3::prelude::*;
use serde::Deserialize;
use tiledesc_cli::Source;

/// The verdict on one access on one chip.
#[pyclass(frozen, get_all, module = "tiledesc")]
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// The chip.
    pub(crate) chip: String,
    /// The instruction.
    pub(crate) instruction: String,
    /// The pattern; of a verdict on addresses nothing.
    pub(crate) pattern: Option<String>,
    /// `"read"` or `"write"`; of a verdict on addresses nothing.
    pub(crate) access: Option<String>,
    /// Whether it is within what was asked for.
    pub(crate) passes: bool,
    /// Whether no lane waits, and no two write one byte.
    pub(crate) free: bool,
    /// The most distinct dwords of one bank in one phase: 1 is free.
    pub(crate) degree: u32,
    /// All cycles.
    pub(crate) cycles: u64,
    /// Cycles without conflicts.
    pub(crate) base_cycles: u64,
    /// Two lanes that meet, if any do.
    pub(crate) pair: Option<(usize, usize)>,
    /// The coordinates that these two address, where a tile has them.
    pub(crate) coordinates: Option<(Vec<u32>, Vec<u32>)>,
    /// Their bytes.
    pub(crate) bytes: Option<(u32, u32)>,
    /// The bank where they meet.
    pub(crate) bank: Option<u32>,
    /// The phase in which they meet.
    pub(crate) phase: Option<usize>,
    /// Whether they write the same byte.
    pub(crate) race: bool,
    /// `"measured"`, `"documented"` or `"inferred"`.
    pub(crate) evidence: String,
    /// Who says so, or from what it is inferred.
    pub(crate) source: String,
    /// The degree by the source that disputes the row, if there is one.
    pub(crate) rival_degree: Option<u32>,
    /// What is found, as a sentence.
    pub(crate) sentence: String,
    /// What takes fewer cycles in another order of the access, on the layout as it is:
    /// `"free with st.shared.b32 ..: 4 cycles"`.
    pub(crate) reordered: Option<String>,
    /// Bytes that a read finds and no stated write of the tile covers.
    pub(crate) unwritten: u64,
    /// The same as a sentence, if there are any.
    pub(crate) note: Option<String>,
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
        table(&[self.to_string()], &COLUMNS, &[self.row()])
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

const COLUMNS: [&str; 8] =
    ["chip", "access", "instruction", "pattern", "degree", "cycles", "without conflicts", "found"];

impl Verdict {
    /// The sentence, with the note if there is one.
    fn found(&self) -> String {
        let note = self.note.as_ref().map(|note| format!("; {note}"));
        self.sentence.clone() + &note.unwrap_or_default()
    }

    fn row(&self) -> Vec<Cell> {
        let text = |text: &Option<String>| Cell::of(text.clone().unwrap_or_default());
        vec![
            Cell::of(&self.chip),
            text(&self.access),
            Cell::of(&self.instruction),
            text(&self.pattern),
            Cell::of(self.degree).marked(!self.free),
            Cell::of(self.cycles),
            Cell::of(self.base_cycles),
            Cell::of(self.found()),
        ]
    }
}

/// What `tiledesc check --format json` prints, as far as it is shown here.
#[derive(Deserialize)]
struct Report {
    status: u8,
    tiles: Vec<TileReport>,
}

#[derive(Deserialize)]
struct TileReport {
    accesses: Vec<AccessReport>,
    remedies: Vec<Remedy>,
}

#[derive(Deserialize)]
struct Remedy {
    words: String,
}

#[derive(Deserialize)]
struct AccessReport {
    access: String,
    chip: String,
    op: String,
    by: String,
    ruling: String,
    free: bool,
    degree: u32,
    base_cycles: u64,
    active_cycles: u64,
    meeting: Option<Meeting>,
    unwritten: Option<Unwritten>,
    reordered: Option<Reordered>,
    evidence: Evidence,
    sentence: String,
}

#[derive(Deserialize)]
struct Reordered {
    sentence: String,
}

#[derive(Deserialize)]
struct Unwritten {
    bytes: u64,
    sentence: String,
}

#[derive(Deserialize)]
struct Meeting {
    race: bool,
    phase: usize,
    bank: Option<u32>,
    lanes: (usize, usize),
    coordinates: (Vec<u32>, Vec<u32>),
    bytes: (u32, u32),
}

#[derive(Deserialize)]
struct Evidence {
    level: String,
    source: String,
    rival_degree: Option<u32>,
}

impl From<AccessReport> for Verdict {
    fn from(one: AccessReport) -> Self {
        let meeting = one.meeting.as_ref();
        Self {
            passes: one.ruling == "passes",
            free: one.free,
            degree: one.degree,
            cycles: one.active_cycles,
            base_cycles: one.base_cycles,
            pair: meeting.map(|meeting| meeting.lanes),
            coordinates: meeting.map(|meeting| meeting.coordinates.clone()),
            bytes: meeting.map(|meeting| meeting.bytes),
            bank: meeting.and_then(|meeting| meeting.bank),
            phase: meeting.map(|meeting| meeting.phase),
            race: meeting.is_some_and(|meeting| meeting.race),
            reordered: one.reordered.map(|reordered| reordered.sentence),
            unwritten: one.unwritten.as_ref().map_or(0, |unwritten| unwritten.bytes),
            note: one.unwritten.map(|unwritten| unwritten.sentence),
            chip: one.chip,
            instruction: one.op,
            pattern: Some(one.by),
            access: Some(one.access),
            evidence: one.evidence.level,
            source: one.evidence.source,
            rival_degree: one.evidence.rival_degree,
            sentence: one.sentence,
        }
    }
}

/// The verdicts on all accesses of a tile.
#[pyclass(frozen, module = "tiledesc")]
pub(crate) struct Check {
    text: Source,
    words: Vec<String>,
    report: Report,
    verdicts: Vec<Verdict>,
}

impl Check {
    pub(crate) fn of(
        py: Python<'_>,
        text: Source,
        max_degree: &str,
        strict: bool,
    ) -> PyResult<Self> {
        let mut words: Vec<_> =
            ["check", "-", "--max-degree", max_degree].map(str::to_string).to_vec();
        if strict {
            words.push("--strict".to_string());
        }
        let mut asked: Vec<_> = words.iter().map(String::as_str).collect();
        asked.extend(["--format", "json"]);
        let mut report: Report = ask_json(py, &asked, &text)?;
        let Some(tile) = report.tiles.first_mut() else { return Err(refused("there is no tile")) };
        let verdicts = tile.accesses.drain(..).map(Verdict::from).collect();
        Ok(Self { text, words, report, verdicts })
    }

    /// The lines that `tiledesc check` prints.
    fn lines(&self, py: Python<'_>) -> PyResult<String> {
        let words: Vec<_> = self.words.iter().map(String::as_str).collect();
        Ok(ask(py, &words, &self.text)?.out.trim_end().to_string())
    }

    /// What does not pass, a line each.
    pub(crate) fn failing(&self) -> Vec<String> {
        self.verdicts.iter().filter(|one| !one.passes).map(ToString::to_string).collect()
    }
}

#[pymethods]
impl Check {
    /// Whether every access is within what was asked for.
    #[getter]
    fn passes(&self) -> bool {
        self.report.status == 0
    }

    /// The verdicts, each access on each chip.
    #[getter]
    fn verdicts(&self) -> Vec<Verdict> {
        self.verdicts.clone()
    }

    /// The first of the highest degree, or `None` without an access.
    #[getter]
    fn worst(&self) -> Option<Verdict> {
        let degree = |one: &Verdict| (one.race, one.degree, one.rival_degree);
        let worst = self
            .verdicts
            .iter()
            .reduce(|worst, one| if degree(one) > degree(worst) { one } else { worst });
        worst.cloned()
    }

    /// Layouts that would be free, in the words of a file; a `Tile` of them is what `find` returns.
    #[getter]
    fn instead(&self) -> Vec<String> {
        self.report
            .tiles
            .iter()
            .flat_map(|tile| &tile.remedies)
            .map(|one| one.words.clone())
            .collect()
    }

    fn __len__(&self) -> usize {
        self.verdicts.len()
    }

    fn __bool__(&self) -> bool {
        self.passes()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.lines(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.lines(py)
    }

    fn _repr_html_(&self) -> String {
        let rows: Vec<_> = self.verdicts.iter().map(Verdict::row).collect();
        let mut head = vec![];
        if let [instead, ..] = &self.instead()[..] {
            head.push(format!("free instead: {instead}"));
        }
        table(&head, &COLUMNS, &rows)
    }

    /// Banks by phase of the worst access; beside it the layout that would be free.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        ask(py, &["show", "-", "--format", "svg"], &self.text).ok().map(|output| output.out)
    }
}
