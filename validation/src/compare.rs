//! A record beside the model.
//!
//! For each instruction, cycles = a + b * wavefronts: `a` is the latency and the loop, the same for all patterns, and
//! `b` what a wavefront costs. Both are medians (of the slopes of all pairs, and of what is left: Theil and Sen), so
//! that up to 29 % of wrong patterns do not move them. A pattern disagrees where the wavefronts that follow from its
//! cycles differ from the model's by more than [`TOLERANCE`] of one, and by more than [`SHARE`] of them.

use crate::record::{Record, Timed};
use core::fmt;
use std::collections::BTreeMap;
use tiledesc::{access::AccessError, chip::Access};

/// A difference of so many wavefronts is noise: half of the least that can be wrong.
pub const TOLERANCE: f64 = 0.5;

/// A difference of this share of the wavefronts is noise, too: half of one at 10, and 1.6 at 32.
pub const SHARE: f64 = 0.05;

/// A pattern beside the model.
#[derive(Clone, Debug)]
pub struct Point {
    /// The pattern that was timed.
    pub timed: Timed,
    /// Wavefronts by the model.
    pub model: u64,
    /// Wavefronts that follow from the cycles.
    pub measured: f64,
}

impl Point {
    /// Returns whether the two are one, but for noise.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let model = self.model as f64;
        (self.measured - model).abs() <= TOLERANCE.max(SHARE * model)
    }
}

/// The line of an instruction.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The instruction.
    pub instruction: &'static str,
    /// Cycles that every access takes.
    pub latency: f64,
    /// Cycles of a wavefront.
    pub wavefront: f64,
    /// The patterns of the instruction.
    pub points: Vec<Point>,
}

/// A record beside the model: a line an instruction.
#[derive(Clone, Debug)]
pub struct Comparison<'r> {
    record: &'r Record,
    fits: Vec<Fit>,
}

/// An error of a comparison.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompareError {
    /// An instruction whose patterns all have the same wavefronts: there is no line.
    Flat {
        /// The instruction.
        instruction: &'static str,
    },
    /// An instruction whose cycles do not grow with the wavefronts: the program has not timed them.
    NoSlope {
        /// The instruction.
        instruction: &'static str,
        /// Cycles of a wavefront.
        wavefront: f64,
    },
    /// A pattern that does not fit its layout.
    Pattern(AccessError),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat { instruction } => {
                write!(f, "{instruction}: all its patterns have the same wavefronts")
            }
            Self::NoSlope { instruction, wavefront } => {
                write!(f, "{instruction}: a wavefront costs {wavefront:.3} cycles")
            }
            Self::Pattern(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for CompareError {}

/// The middle of some numbers; of two in the middle the upper. `NaN` of none.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Fit {
    fn new(instruction: &'static str, timed: Vec<Timed>) -> Result<Self, CompareError> {
        let counted = |timed: Timed| Ok((timed.pattern.wavefronts()?, timed));
        let counted: Result<Vec<_>, _> = timed.into_iter().map(counted).collect();
        let counted = counted.map_err(CompareError::Pattern)?;
        let (latency, wavefront) = line(&counted).ok_or(CompareError::Flat { instruction })?;
        if wavefront <= 0.0 {
            return Err(CompareError::NoSlope { instruction, wavefront });
        }
        let point = |(model, timed): (u64, Timed)| {
            let measured = (timed.cycles - latency) / wavefront;
            Point { timed, model, measured }
        };
        Ok(Self {
            instruction,
            latency,
            wavefront,
            points: counted.into_iter().map(point).collect(),
        })
    }

    /// The patterns that disagree.
    pub fn disagreements(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| !point.agrees())
    }
}

/// Latency and cycles of a wavefront.
fn line(counted: &[(u64, Timed)]) -> Option<(f64, f64)> {
    let mut slopes = Vec::new();
    for (i, (few, one)) in counted.iter().enumerate() {
        for (many, other) in counted[i + 1..].iter().filter(|(many, _)| many != few) {
            slopes.push((other.cycles - one.cycles) / (*many as f64 - *few as f64));
        }
    }
    if slopes.is_empty() {
        return None;
    }
    let wavefront = median(slopes);
    let rest = |(wavefronts, timed): &(u64, Timed)| timed.cycles - wavefront * *wavefronts as f64;
    Some((median(counted.iter().map(rest).collect()), wavefront))
}

impl<'r> Comparison<'r> {
    /// Fits each instruction.
    ///
    /// # Errors
    ///
    /// [`CompareError`].
    pub fn new(record: &'r Record) -> Result<Self, CompareError> {
        let mut each: BTreeMap<&'static str, Vec<Timed>> = BTreeMap::new();
        for timed in record.timed() {
            each.entry(timed.pattern.instruction().name()).or_default().push(timed.clone());
        }
        let fits = each.into_iter().map(|(name, timed)| Fit::new(name, timed));
        Ok(Self { record, fits: fits.collect::<Result<_, _>>()? })
    }

    /// The line of each instruction.
    #[must_use]
    pub fn fits(&self) -> &[Fit] {
        &self.fits
    }

    /// The patterns that disagree.
    pub fn disagreements(&self) -> impl Iterator<Item = &Point> {
        self.fits.iter().flat_map(Fit::disagreements)
    }

    /// The instructions whose wavefronts cost a quarter more or less than the median of the chip's reads, or of its
    /// writes: a hint that the row counts too few or too many phases throughout, for such a factor moves the line and
    /// no pattern.
    pub fn odd_slopes(&self) -> impl Iterator<Item = (&Fit, f64)> {
        self.fits.iter().filter_map(|fit| {
            let usual = self.usual(fit);
            ((fit.wavefront / usual - 1.0).abs() > 0.25).then_some((fit, usual))
        })
    }

    fn usual(&self, like: &Fit) -> f64 {
        let alike = self.fits.iter().filter(|fit| access(fit) == access(like));
        median(alike.map(|fit| fit.wavefront).collect())
    }
}

fn access(fit: &Fit) -> Option<Access> {
    fit.points.first().map(|point| point.timed.pattern.instruction().access())
}

impl fmt::Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = |name| self.record.header(name).unwrap_or("unknown");
        writeln!(f, "{}, {} ({})", header("chip"), header("device"), header("date"))?;
        let [driver, clock, compiler] = ["driver", "clock", "compiler"].map(header);
        writeln!(f, "driver {driver}, clock {clock}, {compiler}\n")?;
        writeln!(
            f,
            "{:<16} {:>8} {:>8} {:>10} {:>8}",
            "instruction", "patterns", "latency", "wavefront", "disagree"
        )?;
        for fit in &self.fits {
            let (all, wrong) = (fit.points.len(), fit.disagreements().count());
            let (latency, wavefront) = (fit.latency, fit.wavefront);
            writeln!(
                f,
                "{:<16} {all:>8} {latency:>8.2} {wavefront:>10.3} {wrong:>8}",
                fit.instruction
            )?;
        }
        for (fit, usual) in self.odd_slopes() {
            let (name, slope) = (fit.instruction, fit.wavefront);
            writeln!(
                f,
                "note: a wavefront of {name} costs {slope:.3} cycles, where {usual:.3} are usual"
            )?;
        }
        let all: usize = self.fits.iter().map(|fit| fit.points.len()).sum();
        match self.disagreements().count() {
            0 => writeln!(f, "\nall {all} patterns agree"),
            wrong => {
                writeln!(f, "\n{wrong} of {all} patterns disagree:")?;
                self.disagreements().try_for_each(|point| point.fmt(f))
            }
        }
    }
}

impl fmt::Display for Point {
    /// A line: what was measured, the model's phases, and what the model rests on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pattern, cycles) = (&self.timed.pattern, self.timed.cycles);
        let (measured, model) = (self.measured, self.model);
        write!(f, "{}: {cycles:.2} cycles, {measured:.2} wavefronts; model {model}", pattern.id())?;
        let (Ok(verdict), Ok(degrees)) = (pattern.verdict(), pattern.degrees()) else {
            return writeln!(f);
        };
        let merged = if verdict.conflicts().merged { ", merged" } else { "" };
        let degrees = degrees.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let service = verdict.service();
        let (evidence, source) = (service.evidence.name(), service.source);
        writeln!(f, " (phases of degree {degrees}{merged}; {evidence}: {source})")
    }
}
