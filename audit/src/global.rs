//! Lines and sectors of global memory that an instruction of a wave touches, beside the least for its bytes.
//!
//! ```text
//!   line 14  ld.global.f32     x4  in 1 loop  1024 bytes apart: 32 sectors in 32 lines, where 4 would do
//!   line 19  global_load_dword x1             gathered: its address was loaded from memory at line 17
//! ```
//!
//! An address is `base + u + f(lane)`. What aligns the base is rarely in the code, so that the fewest and the most of all bases
//! count: an instruction that touches the least for some base is not listed.

use crate::kernel::{Global, Kernel, Moved, Reached};
use crate::place::Place;
use crate::value::{Reason, Value, Why};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tiledesc::chip::{Evidence, Lines, Touched};

/// The lines and sectors that an instruction touches in the worst wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing {
    /// The least that holds the bytes.
    pub least: Touched,
    /// With the best base that its alignment allows.
    pub best: Touched,
    /// With the worst.
    pub worst: Touched,
    /// How the lanes' bytes lie.
    pub shape: Shape,
    /// Whether the lanes that are on depend on data: then all are taken to be.
    pub masked: bool,
}

/// How the bytes of lanes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All lanes have the same.
    Broadcast,
    /// They follow each other without a gap.
    Contiguous,
    /// As far apart from lane to lane.
    Strided(i64),
    /// In pieces without a gap, all of these bytes.
    Pieces(u64),
    /// In so many pieces of several sizes.
    Scattered(usize),
}

/// What is found of instructions on global memory that are alike.
#[derive(Clone, Debug)]
pub struct GlobalLine {
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
    /// The bytes of each lane.
    pub bytes: u32,
    /// Lines and sectors of one of them, if they are known.
    pub coalescing: Option<Coalescing>,
    /// The finding, as a sentence.
    pub found: String,
}

/// How a kernel accesses global memory.
#[derive(Clone, Debug, Default)]
pub struct GlobalReport {
    /// Instructions that are alike in one line, in the order of the program.
    pub lines: Vec<GlobalLine>,
    /// `global memory: 12 instructions: 10 touch the fewest sectors, 2 more`, if there are any.
    pub sum: Option<String>,
}

impl Coalescing {
    /// Returns whether no more is touched than the bytes need, for some base.
    #[must_use]
    pub fn is_least(&self) -> bool {
        self.best.sectors <= self.least.sectors
    }

    /// Returns whether no more is touched than the bytes need, for every base.
    #[must_use]
    pub fn is_always_least(&self) -> bool {
        self.worst.sectors <= self.least.sectors
    }

    /// The lines and sectors of one wave; the reason if its addresses are not known.
    ///
    /// # Errors
    ///
    /// The instruction that made them unknown.
    pub fn new(moved: Moved, one: &Reached, wave: usize, lines: &Lines) -> Result<Self, Reason> {
        let found = Pattern::new(moved, one, wave, lines)?.touched(lines);
        Ok(Self { masked: one.on.is_none(), ..found })
    }

    fn worse(self, other: Self) -> Self {
        let rank = |one: &Self| {
            let over = |touched: Touched| touched.sectors.saturating_sub(one.least.sectors);
            (over(one.best), over(one.worst), one.best.lines, one.worst.lines)
        };
        if rank(&other) > rank(&self) { other } else { self }
    }

    /// `8 bytes apart: 4 to 5 lines of 128 bytes, where 2 would do`
    fn said(&self, lines: &Lines) -> String {
        let span = |least: u32, most: u32, unit: &str| match (least, most) {
            (1, 1) => format!("1 {unit}"),
            _ if least == most => format!("{least} {unit}s"),
            _ => format!("{least} to {most} {unit}s"),
        };
        let (line, sector, best, worst) = (lines.bytes(), lines.sector(), self.best, self.worst);
        let of_lines = span(best.lines, worst.lines, "line");
        let touched = match line == sector {
            true => format!("{of_lines} of {line} bytes"),
            false => {
                let sectors = span(best.sectors, worst.sectors, "sector");
                format!("{sectors} of {sector} bytes in {of_lines}")
            }
        };
        let inferred = if lines.evidence() == Evidence::Inferred { " (inferred)" } else { "" };
        let masked =
            if self.masked { ", if all lanes are on: which are depends on data" } else { "" };
        let least = match self.is_least() {
            true => String::new(),
            false => format!(", where {} would do", self.least.sectors),
        };
        format!("{}: {touched}{least}{masked}{inferred}", self.shape.said())
    }
}

/// A base for lanes that lie below the first.
const FAR: u64 = 1 << 40;

/// What the lines that a wave touches depend on: of many waves and instructions it is the same, and counted once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pattern {
    /// Of each lane that is on, up to a base.
    addresses: Vec<Option<u64>>,
    /// Of each lane.
    bytes: u32,
    /// A number that divides the base.
    alignment: u32,
}

/// The patterns that were counted, with their lines.
type Counted = HashMap<Pattern, Coalescing>;

impl Pattern {
    fn new(moved: Moved, one: &Reached, wave: usize, lines: &Lines) -> Result<Self, Reason> {
        let reason = Reason { at: usize::MAX, why: Why::Computed };
        let Value::Sum { k, f } = &one.address else {
            return Err(one.address.why().unwrap_or(reason));
        };
        let on = one.on.unwrap_or(u64::MAX);
        let first = (0..wave).find(|lane| on >> lane & 1 == 1).unwrap_or(0);
        let distance =
            |lane: usize| i64::from(f.get(lane).wrapping_sub(f.get(first)).cast_signed());
        // Of u the bits below 2^k are zeros; or only that the first lane's address is aligned.
        let known = 1_u64 << k;
        let (begin, alignment) = match known > u64::from(moved.alignment) {
            true => (u64::from(f.get(first)), known.min(u64::from(lines.bytes())) as u32),
            false => (0, moved.alignment),
        };
        let at = |lane: usize| (FAR + begin).wrapping_add_signed(distance(lane));
        let of = |lane: usize| (on >> lane & 1 == 1).then(|| at(lane));
        Ok(Self { addresses: (0..wave).map(of).collect(), bytes: moved.bytes, alignment })
    }

    /// Lines and sectors, with the lanes that are on taken as known.
    fn touched(&self, lines: &Lines) -> Coalescing {
        let Self { addresses, bytes, alignment } = self;
        let (best, worst) = lines.over_bases(addresses, *bytes, *alignment);
        Coalescing {
            least: lines.least(addresses, *bytes),
            best,
            worst,
            shape: Shape::new(addresses, u64::from(*bytes)),
            masked: false,
        }
    }
}

impl Shape {
    fn new(addresses: &[Option<u64>], bytes: u64) -> Self {
        let mut begins: Vec<u64> = addresses.iter().flatten().copied().collect();
        let step = |two: &[u64]| two[1].wrapping_sub(two[0]).cast_signed();
        let steps: Vec<i64> = begins.windows(2).map(step).collect();
        if steps.iter().all(|step| *step == 0) {
            return Self::Broadcast;
        }
        let stride = steps.iter().all(|step| *step == steps[0]).then(|| steps[0]);
        begins.sort_unstable();
        let mut pieces: Vec<(u64, u64)> = Vec::new();
        for begin in begins {
            match pieces.last_mut() {
                Some((_, end)) if begin <= *end => *end = (*end).max(begin + bytes),
                _ => pieces.push((begin, begin + bytes)),
            }
        }
        let size = |(begin, end): &(u64, u64)| end - begin;
        let first = size(&pieces[0]);
        match (pieces.len(), stride) {
            (1, _) => Self::Contiguous,
            (_, Some(stride)) => Self::Strided(stride),
            (_, None) if pieces.iter().all(|one| size(one) == first) => Self::Pieces(first),
            (many, None) => Self::Scattered(many),
        }
    }

    fn said(self) -> String {
        match self {
            Self::Broadcast => "one address".to_string(),
            Self::Contiguous => "contiguous".to_string(),
            Self::Strided(by) => format!("{} bytes apart", by.unsigned_abs()),
            Self::Pieces(bytes) => format!("in pieces of {bytes} bytes"),
            Self::Scattered(many) => format!("in {many} pieces"),
        }
    }
}

/// Of lanes whose distance is not known; no instruction is named, so that a tile's accesses stay one line.
const UNKNOWN: &str = "unknown: how far lanes are apart is computed in a way that is not followed, as from a pitch of the \
                       run time";

impl Kernel {
    /// Reports on the kernel's global memory, instructions that are alike in one line.
    #[must_use]
    pub fn global_report(&self) -> GlobalReport {
        let Some(lines) = self.chip.lines() else { return self.without_lines() };
        let mut all: Vec<GlobalLine> = Vec::new();
        let (mut index, mut counted) = (BTreeMap::new(), Counted::new());
        for site in &self.globals {
            let line = self.global_line(site, &lines, &mut counted);
            let place = site.place.as_ref().map(|_| line.place.clone());
            let key = (place, line.opcode.clone(), line.loops, line.found.clone());
            match index.get(&key) {
                Some(at) => {
                    let known: &mut GlobalLine = &mut all[*at];
                    known.lines.extend(line.lines);
                }
                None => {
                    index.insert(key, all.len());
                    all.push(line);
                }
            }
        }
        let sum = (!all.is_empty()).then(|| sum(&all, &lines));
        GlobalReport { lines: all, sum }
    }

    fn without_lines(&self) -> GlobalReport {
        let said = || {
            let chip = self.chip.product();
            format!("global memory: no source says what lines {chip} fetches")
        };
        GlobalReport { lines: Vec::new(), sum: (!self.globals.is_empty()).then(said) }
    }

    fn global_line(&self, site: &Global, lines: &Lines, counted: &mut Counted) -> GlobalLine {
        let of = |one: &Reached| {
            let pattern = Pattern::new(site.access, one, self.wave, lines)?;
            let found = match counted.get(&pattern) {
                Some(found) => *found,
                None => *counted.entry(pattern.clone()).or_insert(pattern.touched(lines)),
            };
            Ok(Coalescing { masked: one.on.is_none(), ..found })
        };
        let worst = site.reached.iter().map(of).reduce(|a, b| match (a, b) {
            (Ok(a), Ok(b)) => Ok(a.worse(b)),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        });
        let if_in_rows = self.if_in_rows(site.in_rows);
        let (coalescing, found) = match worst {
            Some(Ok(one)) => (Some(one), one.said(lines) + &if_in_rows),
            Some(Err(reason)) if reason.why == Why::Loaded => {
                (None, format!("gathered: {}", self.why(reason)))
            }
            Some(Err(Reason { why: Why::Computed, .. })) => (None, UNKNOWN.to_string()),
            Some(Err(reason)) => (None, format!("unknown: {}", self.why(reason))),
            None => (None, "no wave gets there".to_string()),
        };
        GlobalLine {
            place: site.said_place(),
            source: site.place.clone(),
            opcode: site.opcode.clone(),
            loops: site.loops,
            lines: vec![site.line],
            bytes: site.access.bytes,
            coalescing,
            found,
        }
    }
}

impl GlobalLine {
    /// Returns whether it touches more than its bytes need, or may.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.coalescing.is_none_or(|one| !one.is_least())
    }
}

/// `global memory: 12 instructions: 10 of the fewest sectors, if their bases are aligned to 128 bytes; 2 of more`
fn sum(all: &[GlobalLine], lines: &Lines) -> String {
    let count = |is: &dyn Fn(&Coalescing) -> bool| -> usize {
        let known = all.iter().filter(|line| line.coalescing.as_ref().is_some_and(is));
        known.map(|line| line.lines.len()).sum()
    };
    let many: usize = all.iter().map(|line| line.lines.len()).sum();
    let (least, more) = (count(&Coalescing::is_least), count(&|one| !one.is_least()));
    let is_open = count(&|one| one.is_least() && !one.is_always_least()) > 0;
    let unit = if lines.bytes() == lines.sector() { "lines" } else { "sectors" };
    let bases = match is_open {
        true => format!(" if their bases are aligned to {} bytes", lines.bytes()),
        false => String::new(),
    };
    let parts = [
        (least, format!("{least} touch the fewest {unit}{bases}")),
        (more, format!("{more} more than the fewest")),
        (many - least - more, format!("{} unknown", many - least - more)),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, said)| said).collect();
    let plural = if many == 1 { "" } else { "s" };
    format!("global memory: {many} instruction{plural}: {}", parts.join(", "))
}
