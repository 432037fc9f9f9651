//! `audit`: the report of `tiledesc audit` on a compiled kernel, of a Triton object, a file, a folder or a text.

use crate::bound::Limit;
use crate::check::Check;
use crate::error::{guarded, refused};
use crate::given::{Asked, Given, Texts, tiles};
use crate::html::{cell, marked, table};
use crate::question::ask;
use crate::tile::degree;
use crate::view::{view, word};
use pyo3::exceptions::PyAssertionError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use tiledesc_cli::report::audit as report;
use tiledesc_cli::report::check::Demand;
use tiledesc_cli::{Source, audit_folder, audit_json, audit_lines};

view! {
    /// Instructions of a compiled kernel that are alike: of one name, one line of the source and one outcome.
    Line(of: (&report::File, &report::Kernel, &report::Line)) {
        /// The file: of a folder one of many.
        file: String = of.0.file.clone(),
        /// The kernel.
        kernel: String = of.1.kernel.split(',').next().unwrap_or_default().to_string(),
        /// The line of the source, `"attention.py:13"`, or of the text, `"line 120"`.
        line: String = of.2.place.clone(),
        /// The lines in the text, from 1.
        text_lines: Vec<usize> = of.2.lines.clone(),
        /// The name of the instructions.
        instruction: String = of.2.opcode.clone(),
        /// The number of instructions.
        count: usize = of.2.lines.len(),
        /// The number of loops that the instructions are in.
        loops: u32 = of.2.loops,
        /// `"free"`, `"conflict"`, `"race"`, `"may_race"`, `"unknown"`, or `"listed"` without a verdict.
        outcome: String = word(of.2.outcome),
        /// The degree of the worst, if there is a verdict, by the row's own source.
        degree: Option<u32> = of.2.degree,
        /// The degree by the source that disputes the row, if there is one.
        rival_degree: Option<u32> = of.2.rival_degree,
        /// The values of two lanes that write one byte: `"same"`, `"different"` or `"unknown"`.
        race: Option<String> = of.2.race.as_ref().map(|race| race.values.to_string()),
        /// Two lanes that meet, if any do.
        lanes: Option<(usize, usize)> = of.2.lanes.map(Into::into),
        /// The bytes of the two lanes.
        bytes: Option<(u32, u32)> = of.2.bytes.map(Into::into),
        /// Cycles of all, each executed once by one wave.
        cycles: u64 = of.2.cycles,
        /// The cycles without any conflict.
        base_cycles: u64 = of.2.cycles_without_conflicts,
        /// The evidence for the row.
        evidence: Option<String> = of.2.evidence.map(str::to_string),
        /// Whether they conflict in a loop that its matrix instructions bound, conflicts or not.
        is_hidden: bool = of.2.is_hidden,
        /// The finding, as a sentence.
        found: String = of.2.found.clone(),
        /// The ruling, by the degree that was asked for: `"passes"`, `"conflicts"`, `"races"` or `"weak"`.
        ruling: String = word(of.2.ruling),
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        format!("<Line {self}>")
    }

    fn __str__(&self) -> String {
        self.to_string()
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {} x{}  {}", self.line, self.instruction, self.count, self.found)
    }
}

view! {
    /// An access that a file of tiles states, as far as a kernel has it.
    Stated(of: (&report::Kernel, &report::Kept)) {
        /// The kernel.
        kernel: String = of.0.kernel.split(',').next().unwrap_or_default().to_string(),
        /// The access: `"A read mfma-rows 16"`.
        access: String = of.1.access.clone(),
        /// The name of its instruction.
        instruction: String = of.1.opcode.clone(),
        /// Instructions of a wave for one tile.
        stated: usize = of.1.stated,
        /// Instructions in the code, of all waves.
        found: usize = of.1.found,
        /// Bytes at which the tile begins, where they are known.
        begins: Vec<u32> = of.1.begins.clone(),
        /// Where the code falls short, or `None`.
        missing: Option<String> = of.1.missing.clone(),
        /// All of this as a sentence.
        sentence: String = of.1.sentence.clone(),
    }
}

#[pymethods]
impl Stated {
    fn __repr__(&self) -> String {
        format!("<Stated {}>", self.sentence)
    }

    fn __str__(&self) -> String {
        self.sentence.clone()
    }
}

/// A report on compiled kernels.
#[pyclass(frozen, module = "tiledesc")]
pub(crate) struct Report {
    report: report::Audit,
    lines: Vec<Line>,
}

impl Report {
    fn new(
        py: Python<'_>,
        texts: &Texts,
        asked: &Asked,
        demand: Demand,
        against: Option<&Source>,
    ) -> PyResult<Self> {
        let Asked { options, all } = asked;
        let report = ask(py, || match texts {
            Texts::One(source) => tiledesc_cli::audit(source, options, *all, demand, against),
            Texts::Folder(path) => audit_folder(path, options, *all, demand, against),
        })?;
        let mut lines = Vec::new();
        for file in &report.files {
            for kernel in file.kernels.iter().flatten() {
                lines.extend(kernel.instructions.iter().map(|one| Line::new((file, kernel, one))));
            }
        }
        Ok(Self { report, lines })
    }
}

#[pymethods]
impl Report {
    /// Instructions that are alike, a line each: of loops first, the dearest first, then in the order of the program.
    #[getter]
    fn lines(&self) -> Vec<Line> {
        self.lines.clone()
    }

    /// What bounds each innermost loop, the dearest first, and after those of a kernel the kernel as a whole.
    #[getter]
    fn limits(&self) -> Vec<Limit> {
        let of = |kernel| move |one| Limit::new((kernel, one));
        self.report.kernels().flat_map(|kernel| kernel.bounds.iter().map(of(kernel))).collect()
    }

    /// The name of each kernel, its chip, its waves and the number of its instructions.
    #[getter]
    fn kernels(&self) -> Vec<String> {
        self.report.kernels().map(|kernel| kernel.kernel.clone()).collect()
    }

    /// Writes and reads of one byte by two waves that no barrier orders, a sentence each: perhaps data races.
    #[getter]
    fn unordered(&self) -> Vec<String> {
        let all = self.report.kernels().flat_map(|kernel| &kernel.unordered);
        all.map(|one| one.sentence.clone()).collect()
    }

    /// What would be better for accesses that share bytes, a sentence each.
    #[getter]
    fn better(&self) -> Vec<String> {
        let all = self.report.kernels().flat_map(|kernel| &kernel.better);
        all.map(|one| one.found.clone()).collect()
    }

    /// The accesses that `against` states, in their order, and whether the code has them; none without a file of tiles.
    #[getter]
    fn stated(&self) -> Vec<Stated> {
        let of = |kernel: &report::Kernel| {
            let kept = kernel.against.iter().flat_map(|against| &against.accesses);
            kept.map(|one| Stated::new((kernel, one))).collect::<Vec<_>>()
        };
        self.report.kernels().flat_map(of).collect()
    }

    /// Instructions that `against` does not state or whose bytes are not known, and statements that the code cannot answer, a
    /// sentence each.
    #[getter]
    fn not_stated(&self) -> Vec<String> {
        let all = self.report.kernels().filter_map(|kernel| kernel.against.as_ref());
        all.flat_map(report::Against::beside).collect()
    }

    /// The report as `tiledesc audit --format json` prints it.
    fn to_json(&self) -> String {
        audit_json(&self.report)
    }

    /// The first line of the highest degree, or `None` without a verdict.
    #[getter]
    fn worst(&self) -> Option<Line> {
        let judged = self.lines.iter().filter(|line| line.degree.is_some());
        judged.reduce(|worst, one| if one.degree > worst.degree { one } else { worst }).cloned()
    }

    /// Cycles of all instructions, each executed once by one wave.
    #[getter]
    fn cycles(&self) -> u64 {
        self.lines.iter().map(|line| line.cycles).sum()
    }

    /// Cycles of all instructions without any conflict.
    #[getter]
    fn base_cycles(&self) -> u64 {
        self.lines.iter().map(|line| line.base_cycles).sum()
    }

    fn __len__(&self) -> usize {
        self.lines.len()
    }

    /// True: a report of no instruction is one, too.
    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        audit_lines(&self.report).trim_end().to_string()
    }

    fn __repr__(&self) -> String {
        self.__str__()
    }

    fn _repr_html_(&self) -> String {
        let columns = [
            "line",
            "instruction",
            "count",
            "loops",
            "degree",
            "cycles",
            "without conflicts",
            "found",
        ];
        let cells = |line: &Line| {
            vec![
                cell(&line.line),
                cell(&line.instruction),
                cell(line.count),
                cell(line.loops),
                marked(
                    line.degree.map_or_else(|| "-".to_string(), |degree| degree.to_string()),
                    line.degree.is_some_and(|degree| degree > 1),
                ),
                cell(line.cycles),
                cell(line.base_cycles),
                cell(&line.found),
            ]
        };
        let rows = self.lines.iter().map(cells).collect();
        let sums = self.report.kernels().map(|kernel| kernel.sum.clone()).collect();
        table(&[self.kernels(), sums].concat(), &columns, rows)
    }
}

/// Judges every shared-memory instruction of a compiled kernel.
///
/// A kernel is what `triton.compile`, `kernel.warmup(..)` and `kernel[grid](..)` return (its `asm` and `metadata` are
/// read), a path, or the text of assembly. A folder is all kernels in it, the dearest first: `~/.triton/cache`, say, where
/// `.json` beside a text has its block. `block` is the shape of a block, `chip` the chip, where the object or the
/// text does not have it; `kernel` chooses one of several by its name, and with `all` no instructions share a line.
/// `against` is a file of tiles, its path or its text: the report's `stated` says whether the code does what the file states.
/// `defsym`, such as `{"HQ": 16}`, has symbols that assembly by hand leaves open.
///
/// >>> import tiledesc as td
/// >>> report = td.audit('''
/// ...     .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
/// ...     .type column,@function
/// ... column:
/// ...     v_lshlrev_b32_e32 v1, 7, v0     ; 128 bytes from lane to lane
/// ...     ds_read_b32 v2, v1
/// ...     s_endpgm
/// ... ''', block=64)
/// >>> report.worst.instruction, report.worst.degree, report.worst.lanes
/// ('ds_read_b32', 32, (0, 1))
#[pyfunction]
#[pyo3(signature = (kernel_or_text, *, chip=None, block=None, kernel=None, all=false, against=None, defsym=None))]
pub(crate) fn audit(
    kernel_or_text: &Bound<'_, PyAny>,
    chip: Option<&str>,
    block: Option<&Bound<'_, PyAny>>,
    kernel: Option<&str>,
    all: bool,
    against: Option<&Bound<'_, PyAny>>,
    defsym: Option<BTreeMap<String, i64>>,
) -> PyResult<Report> {
    guarded(|| {
        let given = Given::new(kernel_or_text)?;
        let asked = Asked::new(&given, chip, block, kernel, all)?.with(defsym);
        let against = against.map(tiles).transpose()?;
        Report::new(kernel_or_text.py(), &given.texts, &asked, Demand::FREE, against.as_ref())
    })
}

/// Fails unless every shared-memory instruction of a compiled kernel, or every access of a `Check`, is free.
///
/// `max_degree` lets as many lanes wait for a bank; `lines` looks at these lines of the source only,
/// `["attention.py:13"]`. An address that is not known fails too, unless `allow_unknown`, and lanes that write one byte and not
/// provably the same value, unless `allow_races`; with `strict` so does inferred evidence, and a dispute by which a line would
/// not pass. With `against`, so does a stated access that the code does not have. Other arguments are those of `audit`.
///
/// >>> import tiledesc as td
/// >>> a = td.Tile("f16", {"m": 128, "k": 64}, strides=[64, 1])
/// >>> td.assert_conflict_free(a.check("gfx942", read=[("ds_read_b128", "mfma-rows 16")]))
/// Traceback (most recent call last):
///   ..
/// AssertionError: 1 of 1 accesses does not pass:
///   gfx942 ds_read_b128 mfma-rows 16  4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0
#[pyfunction]
#[pyo3(signature = (kernel_or_text, *, max_degree=None, lines=None, strict=false, allow_unknown=false, allow_races=false, chip=None, block=None, kernel=None, against=None, defsym=None))]
pub(crate) fn assert_conflict_free(
    kernel_or_text: &Bound<'_, PyAny>,
    max_degree: Option<&Bound<'_, PyAny>>,
    lines: Option<Vec<String>>,
    strict: bool,
    allow_unknown: bool,
    allow_races: bool,
    chip: Option<&str>,
    block: Option<&Bound<'_, PyAny>>,
    kernel: Option<&str>,
    against: Option<&Bound<'_, PyAny>>,
    defsym: Option<BTreeMap<String, i64>>,
) -> PyResult<()> {
    guarded(|| {
        if let Ok(check) = kernel_or_text.cast::<Check>() {
            let check = check.get();
            return fails("access", "accesses", &check.failing(), check.judged());
        }
        let given = Given::new(kernel_or_text)?;
        let asked = Asked::new(&given, chip, block, kernel, false)?.with(defsym);
        let demand = Demand { max_degree: degree(max_degree)?, strict, allow_races };
        let against = against.map(tiles).transpose()?;
        let py = kernel_or_text.py();
        let report = Report::new(py, &given.texts, &asked, demand, against.as_ref())?;
        let stated = report.stated();
        let missing = stated.iter().filter(|one| one.missing.is_some());
        let missing: Vec<_> = missing.map(|one| one.sentence.clone()).collect();
        fails("stated access", "stated accesses", &missing, stated.len())?;
        let chosen = chosen(&report, lines.as_deref())?;
        let may_race = |line: &Line| line.race.as_deref() == Some("unknown") && !allow_races;
        let failing = chosen.iter().filter(|line| match line.ruling.as_str() {
            "passes" => false,
            "conflicts" | "races" => true,
            _ if line.outcome == "unknown" => !allow_unknown,
            _ => strict || may_race(line),
        });
        let failing: Vec<_> = failing.map(|line| line.to_string()).collect();
        fails("line", "lines", &failing, chosen.len())
    })
}

/// The chosen lines of a report; a line that has no instruction is a mistake.
fn chosen<'r>(report: &'r Report, lines: Option<&[String]>) -> PyResult<Vec<&'r Line>> {
    let Some(lines) = lines else { return Ok(report.lines.iter().collect()) };
    let mut there: Vec<_> = report.lines.iter().map(|line| line.line.as_str()).collect();
    there.dedup();
    if let Some(missing) = lines.iter().find(|line| !there.contains(&line.as_str())) {
        let there = there.join(", ");
        return Err(refused(format!("no instruction is of line `{missing}`; there are {there}")));
    }
    Ok(report.lines.iter().filter(|line| lines.contains(&line.line)).collect())
}

fn fails(one: &str, many: &str, failing: &[String], all: usize) -> PyResult<()> {
    if failing.is_empty() {
        return Ok(());
    }
    let count = failing.len();
    let (does, of) = (
        if count == 1 { "does" } else { "do" },
        if all == 1 && one != "access" { one } else { many },
    );
    let lines: String = failing.iter().map(|line| format!("\n  {line}")).collect();
    Err(PyAssertionError::new_err(format!("{count} of {all} {of} {does} not pass:{lines}")))
}
