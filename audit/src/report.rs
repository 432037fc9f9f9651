//! The report on a kernel: instructions that are alike in one line, what they cost now, and without conflicts.
//!
//! ```text
//!   attention.py:13  ds_read2_b64   x32  in 1 loop  16-way: lanes 0 and 1, 256 bytes apart, bank 0
//!   attention.py:13  ds_write_b128  x8   in 1 loop  free of conflicts
//! ```

use crate::atomic;
use crate::bound::{Bound, By, LEFT_OUT};
use crate::global::{GlobalLine, GlobalReport};
use crate::kernel::{Block, Kernel, Site, Unjudged};
use crate::place::Place;
use crate::stores::{Race, Values};
use crate::unordered::Unordered;
use crate::value::{Reason, Why};
use crate::verdict::{Ruling, Verdict};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use tiledesc::chip::Evidence;

/// The outcome of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Free of conflicts.
    Free,
    /// Lanes wait for each other.
    Conflicts,
    /// Two lanes write different values to one byte.
    Races,
    /// Two lanes write one byte, and whether the same value is not known; free of conflicts beside that.
    MayRace,
    /// Addresses that are not known, or that the instruction cannot have.
    Unknown,
    /// An instruction that no row describes, or that no wave gets to.
    Listed,
}

/// Instructions that are alike: of one name, one line of the source, one depth of loops, and one outcome.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line of the source, `attention.py:13`, or of the text.
    pub place: String,
    /// The line of the source with the calls that led there, if the text names it.
    pub source: Option<Arc<Place>>,
    /// The instruction.
    pub opcode: String,
    /// The number of loops that the instructions are in.
    pub loops: u32,
    /// The lines in the text, from 1.
    pub lines: Vec<usize>,
    /// The outcome of the instructions.
    pub outcome: Outcome,
    /// The verdict on the first of the worst, if there is one.
    pub verdict: Option<Verdict>,
    /// Cycles of all, each executed once.
    pub cycles: u64,
    /// Cycles of all without conflicts.
    pub free: u64,
    /// The innermost loop that they are in, by its place among the bounds.
    pub bound: Option<usize>,
    /// Whether they conflict in a loop that is matrix-bound with and without these conflicts.
    pub is_hidden: bool,
    /// The finding, as a sentence.
    pub found: String,
}

/// The report on a kernel.
#[derive(Clone, Debug)]
pub struct Report {
    /// `attn, gfx942, 4 waves of 64, 118 LDS instructions, all addresses known`
    pub head: String,
    /// The lines: those of loops first, the dearest first, then others in the order of the program.
    pub lines: Vec<Line>,
    /// What bounds each innermost loop, the dearest first, and then the kernel as a whole.
    pub bounds: Vec<Bound>,
    /// Writes and reads of one byte by two waves that no barrier orders.
    pub unordered: Vec<Unordered>,
    /// How it accesses global memory.
    pub global: GlobalReport,
}

impl Line {
    /// The line in a loop, by its place among the bounds.
    fn within(self, bound: Option<usize>, bounds: &[Bound]) -> Self {
        let is_hidden = self.outcome == Outcome::Conflicts
            && bound.is_some_and(|at| bounds[at].by() == By::Matrix);
        let hidden = if is_hidden { "; not what bounds its loop" } else { "" };
        Self { bound, is_hidden, found: self.found + hidden, ..self }
    }
}

impl Report {
    /// The bounds that are worth a line: the loops', or without any that of the whole kernel if it compares something.
    #[must_use]
    pub fn said_bounds(&self) -> &[Bound] {
        match self.bounds.split_last() {
            Some((_, loops @ [_, ..])) => loops,
            Some((whole, [])) if whole.by() != By::Nothing => &self.bounds,
            _ => &[],
        }
    }

    /// Instructions with this outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.lines.iter().filter(|line| line.outcome == outcome).map(|line| line.lines.len()).sum()
    }

    /// The highest degree, by the rows' own sources.
    #[must_use]
    pub fn worst(&self) -> u32 {
        self.lines.iter().filter_map(|line| line.verdict).map(|one| one.degree).max().unwrap_or(0)
    }

    /// Cycles now and without conflicts, each instruction executed once by one wave.
    #[must_use]
    pub fn cycles(&self) -> [u64; 2] {
        self.lines.iter().fold([0, 0], |[now, free], line| [now + line.cycles, free + line.free])
    }
}

impl fmt::Display for Report {
    /// The heading, the lines in columns, the total, unordered accesses, bounds and global memory.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.head)?;
        let cells = |line: &Line| {
            (row(&line.place, &line.opcode, line.lines.len(), line.loops), line.found.clone())
        };
        columns(f, self.lines.iter().map(cells).collect())?;
        writeln!(f, "{}", self.sum())?;
        self.unordered.iter().try_for_each(|one| writeln!(f, "{one}"))?;
        let said = self.said_bounds();
        said.iter().try_for_each(|one| writeln!(f, "{one}"))?;
        if !said.is_empty() {
            writeln!(f, "({LEFT_OUT})")?;
        }
        let cells = |line: &GlobalLine| {
            (row(&line.place, &line.opcode, line.lines.len(), line.loops), line.found.clone())
        };
        columns(f, self.global.lines.iter().filter(|line| line.is_listed()).map(cells).collect())?;
        self.global.sum.iter().try_for_each(|sum| writeln!(f, "{sum}"))
    }
}

/// Place, name, count and loops of a line.
fn row(place: &str, opcode: &str, many: usize, loops: u32) -> [String; 4] {
    let loops = match loops {
        0 => String::new(),
        1 => "in 1 loop".to_string(),
        n => format!("in {n} loops"),
    };
    [place.to_string(), opcode.to_string(), format!("x{many}"), loops]
}

/// Rows in columns, each with its sentence.
fn columns(f: &mut fmt::Formatter<'_>, rows: Vec<([String; 4], String)>) -> fmt::Result {
    let width = |i: usize| rows.iter().map(|(row, _)| row[i].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    for (row, found) in rows {
        write!(f, " ")?;
        for (cell, width) in row.iter().zip(widths).filter(|(_, width)| *width > 0) {
            write!(f, " {cell:width$} ")?;
        }
        writeln!(f, " {found}")?;
    }
    Ok(())
}

impl Report {
    /// `118 LDS instructions: 40 with conflicts; 4672 cycles where 768 would do, each executed once`
    #[must_use]
    pub fn sum(&self) -> String {
        let all: usize = self.lines.iter().map(|line| line.lines.len()).sum();
        let parts = [
            (Outcome::Free, "free"),
            (Outcome::Conflicts, "with conflicts"),
            (Outcome::Races, "with data races"),
            (Outcome::MayRace, "that may be a data race"),
            (Outcome::Unknown, "unknown"),
            (Outcome::Listed, "without a verdict"),
        ];
        let parts = parts.iter().map(|(outcome, word)| (self.count(*outcome), word));
        let parts: Vec<_> =
            parts.filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        let [now, free] = self.cycles();
        let cycles = match now.cmp(&free) {
            std::cmp::Ordering::Greater => {
                format!("; {now} cycles where {free} would do, each executed once by one wave")
            }
            _ => String::new(),
        };
        let head = plural(all, "instruction");
        if parts.is_empty() { head } else { format!("{head}: {}{cycles}", parts.join(", ")) }
    }
}

fn plural(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

impl Kernel {
    /// Reports on the kernel, instructions that are alike in one line.
    #[must_use]
    pub fn report(&self) -> Report {
        self.report_by(|_| 0)
    }

    /// Reports on the kernel, each instruction in a line of its own.
    #[must_use]
    pub fn report_all(&self) -> Report {
        self.report_by(|site| site.line)
    }

    fn report_by(&self, apart: impl Fn(&Site) -> usize) -> Report {
        let mut lines: Vec<Line> = Vec::new();
        let mut index = BTreeMap::new();
        let judged = self.judged();
        let bounds = self.bounds_of(&judged);
        for (at, (site, rulings)) in self.sites.iter().zip(judged).enumerate() {
            let ruling = site.worst(rulings);
            let inside = |one: &Bound| one.place.is_some() && one.sites.binary_search(&at).is_ok();
            let line = self.line(site, &ruling).within(bounds.iter().position(inside), &bounds);
            let degree = line.verdict.map_or((0, 0, None), |one| {
                (
                    one.degree,
                    one.rival.map_or(0, |(rival, _)| rival),
                    one.race.map(|race| race.values),
                )
            });
            // Reasons are told apart, pairs of lanes are not.
            let found = line.verdict.is_none().then(|| line.found.clone());
            let place = site.place.as_ref().map(|_| line.place.clone());
            let key = (place, line.opcode.clone(), line.loops, line.outcome, degree, found);
            let key = (key, line.bound, apart(site));
            match index.get(&key) {
                Some(at) => {
                    let known: &mut Line = &mut lines[*at];
                    known.cycles += line.cycles;
                    known.free += line.free;
                    known.lines.extend(line.lines);
                }
                None => {
                    index.insert(key, lines.len());
                    lines.push(line);
                }
            }
        }
        // What a trip of a loop costs most comes first.
        lines.sort_by_key(|line| match line.bound {
            Some(at) => (at, Reverse(line.cycles)),
            None => (usize::MAX, Reverse(0)),
        });
        let (head, unordered) = (self.head(&lines), self.unordered.clone());
        Report { head, lines, bounds, unordered, global: self.global_report() }
    }

    fn head(&self, lines: &[Line]) -> String {
        let memory = if self.chip.name().starts_with("gfx") { "LDS" } else { "shared-memory" };
        let (name, chip, wave) = (self.title(), self.chip.product(), self.wave);
        let compiled = self.compiled_for.as_ref();
        let compiled = compiled.map_or(String::new(), |text| format!(" (compiled for {text})"));
        let waves = self.block.lanes().map_or(1, |lanes| (lanes as usize).div_ceil(wave));
        let judged = lines.iter().filter(|line| line.outcome != Outcome::Listed);
        let all: usize = judged.clone().map(|line| line.lines.len()).sum();
        let unknown = judged.filter(|line| line.outcome == Outcome::Unknown);
        let unknown: usize = unknown.map(|line| line.lines.len()).sum();
        let known = match (all, unknown) {
            (0, _) => String::new(),
            (_, 0) => ", all addresses known".to_string(),
            (_, n) => format!(", {n} of unknown addresses"),
        };
        let shape = match self.block {
            Block::Stated(_) => String::new(),
            Block::Line(lanes) => {
                format!(" (taking blocks as {lanes},1,1; --block states another shape)")
            }
            Block::Unknown if self.is_one_row => format!(
                " (taking a block as one row of a multiple of {wave}; --block states its shape)"
            ),
            Block::Unknown => {
                format!(" (taking x of a block as a multiple of {wave}; --block states its shape)")
            }
        };
        let waves = format!("{waves} wave{} of {wave}", if waves == 1 { "" } else { "s" });
        format!(
            "{name}, {chip}{compiled}, {waves}{shape}, {}{known}",
            plural(all, &format!("{memory} instruction"))
        )
    }

    /// What a verdict rests on, if it does: `, if x of the block is a multiple of 64`.
    pub(crate) fn if_in_rows(&self, in_rows: bool) -> String {
        match (in_rows, self.is_one_row) {
            (false, _) => String::new(),
            (true, false) => format!(", if x of the block is a multiple of {}", self.wave),
            (true, true) => format!(", if the block is one row of a multiple of {}", self.wave),
        }
    }

    fn line(&self, site: &Site, ruling: &Ruling) -> Line {
        let place = site.said_place();
        let (outcome, verdict, found) = match ruling {
            Ruling::Judged(one) => {
                let if_in_rows = self.if_in_rows(one.in_rows);
                (outcome(one), Some(*one), said(one) + &joined(site) + &if_in_rows)
            }
            Ruling::Unknown(reason) => {
                (Outcome::Unknown, None, format!("unknown: {}", self.why(*reason)))
            }
            Ruling::NoAddress => {
                (Outcome::Unknown, None, "unknown: its address is not written before".to_string())
            }
            Ruling::Refused(error) => (Outcome::Unknown, None, format!("no verdict: {error}")),
            Ruling::Unjudged(why @ Unjudged::Unread { .. }) => {
                (Outcome::Unknown, None, format!("cannot tell: {why}"))
            }
            Ruling::Unjudged(why @ Unjudged::Atomic) => {
                let least = atomic::least(&site.opcode, self.chip);
                let least = least.map_or(String::new(), |least| {
                    format!(", beyond {} at least", plural(least as usize, "cycle"))
                });
                (Outcome::Listed, None, format!("{why}{least}"))
            }
            Ruling::Unjudged(why) => (Outcome::Listed, None, why.to_string()),
            Ruling::Unreached => (Outcome::Listed, None, "no wave gets there".to_string()),
        };
        let [cycles, free] = verdict.map_or([0, 0], |one| [one.cycles.into(), one.free.into()]);
        let (opcode, loops) = (site.opcode.clone(), site.loops);
        let (lines, bound, is_hidden) = (vec![site.line], None, false);
        Line {
            place,
            source: site.place.clone(),
            opcode,
            loops,
            lines,
            outcome,
            verdict,
            cycles,
            free,
            bound,
            is_hidden,
            found,
        }
    }

    /// The reason why an address is not known.
    pub(crate) fn why(&self, reason: Reason) -> String {
        let at = match self.instructions.get(reason.at) {
            Some((_, Some(place))) => place.to_string(),
            Some((line, None)) => format!("line {line}"),
            None => "the end".to_string(),
        };
        match reason.why {
            Why::Loaded => format!("its address was loaded from memory at {at}"),
            Why::Computed => {
                format!("its address was computed at {at} in a way that is not followed")
            }
            Why::Mask => format!(
                "its address was written at {at} by some lanes, and by which depends on data"
            ),
            Why::Paths => format!("two paths that meet at {at} bring different addresses"),
            Why::Start => {
                "its address depends on the shape of the block: state it with --block X,Y,Z"
                    .to_string()
            }
            Why::Foreign => format!("an instruction at {at} may write any register"),
        }
    }
}

/// `, as one of 16 bytes: ptxas joins 4`
fn joined(site: &Site) -> String {
    match &site.access {
        Ok(row) if row.joined > 1 => {
            format!(", as one of {} bytes: ptxas joins {}", row.row.bytes(), row.joined)
        }
        _ => String::new(),
    }
}

fn outcome(one: &Verdict) -> Outcome {
    match one.race.map(|race| race.values) {
        Some(Values::Different) => Outcome::Races,
        _ if one.degree > 1 => Outcome::Conflicts,
        Some(Values::Unknown) => Outcome::MayRace,
        _ => Outcome::Free,
    }
}

/// The sentence of a verdict: what decides first, then what else there is, then its evidence: `16-way: lanes 0 and 1,
/// 256 bytes apart (inferred)`.
fn said(one: &Verdict) -> String {
    let race = one.race.map(|race| raced(&race, one));
    let waits = waits(one);
    let mut found = match (race, outcome(one)) {
        (Some(race), Outcome::Races | Outcome::MayRace) if one.degree <= 1 => race,
        (Some(race), Outcome::Races) => format!("{race}; {waits}"),
        (Some(race), _) => format!("{waits}; {race}"),
        (None, _) => waits,
    };
    if one.masked {
        found += ", if all lanes are on: which are depends on data";
    }
    found
}

/// `may be a data race: lanes 0 and 1 write one byte, and whether the same value is not known`
fn raced(race: &Race, one: &Verdict) -> String {
    let [a, b] = race.lanes;
    let wave = if race.wave > 0 { format!(" of wave {}", race.wave) } else { String::new() };
    match race.values {
        Values::Different => {
            format!("data race: lanes {a} and {b}{wave} write different values to one byte")
        }
        Values::Unknown if one.masked => {
            format!("may be a data race: lanes {a} and {b}{wave} write one byte")
        }
        Values::Unknown => format!(
            "may be a data race: lanes {a} and {b}{wave} write one byte, and whether the same value is not known"
        ),
        Values::Same => format!("lanes {a} and {b}{wave} write the same value to one byte"),
    }
}

/// `16-way: lanes 0 and 1, 256 bytes apart (inferred), in wave 1`
fn waits(one: &Verdict) -> String {
    let mut found = match (one.degree, &one.meeting) {
        (degree @ 2.., Some(meeting)) => {
            let ([a, b], [x, y]) = (meeting.lanes, meeting.bytes);
            match meeting.is_known {
                true => format!(
                    "{degree}-way: lanes {a} and {b}, bytes {x} and {y}, bank {}",
                    meeting.bank
                ),
                false => format!("{degree}-way: lanes {a} and {b}, {} bytes apart", x.abs_diff(y)),
            }
        }
        (0, _) => "no lane is on".to_string(),
        _ => "free of conflicts".to_string(),
    };
    if let Some((rival, source)) = one.disputed() {
        let degree = if rival > 1 { format!("{rival}-way") } else { "free".to_string() };
        found += &format!(" (disputed: {degree} by {source})");
    }
    if one.evidence == Evidence::Inferred {
        found += " (inferred)";
    }
    if one.wave > 0 && one.degree > 1 {
        found += &format!(", in wave {}", one.wave);
    }
    found
}
