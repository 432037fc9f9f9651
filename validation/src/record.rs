//! The record that a timing program printed: header lines, and a row a pattern.
//!
//! ```text
//! # date: 2026-11-22
//! # chip: sm_90
//! # device: NVIDIA H100
//! # driver: 13000
//! # clock: 1980 MHz
//! # compiler: nvcc 13.0
//! pattern,instruction,cycles_per_access,addresses
//! stride1,ld.shared.b32,29.000,2ff77d36
//! ```

use crate::list::patterns;
use crate::pattern::Pattern;
use core::fmt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The line above the rows.
pub const COLUMNS: &str = "pattern,instruction,cycles_per_access,addresses";

/// The headers that a record must have.
pub const HEADERS: [&str; 6] = ["date", "chip", "device", "driver", "clock", "compiler"];

/// A pattern and what it took.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The pattern of today's list.
    pub pattern: Pattern,
    /// Cycles of an access, with all that the loop adds.
    pub cycles: f64,
}

/// A record, its rows found in the list of its chip.
///
/// ```
/// use tiledesc_validation::record::Record;
///
/// let fault = Record::parse("# date: 2026-11-22\n# chip sm_90\n").unwrap_err();
/// assert_eq!(fault.to_string(), "line 2: a header is `# name: value`");
/// assert_eq!(fault.line, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    headers: BTreeMap<String, String>,
    timed: Vec<Timed>,
}

/// A line that is not a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line's number, from 1; the number after the last if something is missing at the end.
    pub line: usize,
    what: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl core::error::Error for RecordError {}

fn refused<T>(line: usize, what: impl Into<String>) -> Result<T, RecordError> {
    Err(RecordError { line, what: what.into() })
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// [`RecordError`], with the number of the line: a malformed line, a header that is missing, a
    /// pattern that the chip's list has not or whose addresses are others today, a pattern twice.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut lines = (1..).zip(text.lines().map(str::trim_end));
        let mut headers = BTreeMap::new();
        let columns = loop {
            match lines.next() {
                Some((line, text)) if text.starts_with('#') => header(&mut headers, line, text)?,
                Some((line, text)) if text == COLUMNS => break line,
                Some((line, _)) => return refused(line, format!("not a header, nor `{COLUMNS}`")),
                None => return refused(text.lines().count() + 1, format!("no line `{COLUMNS}`")),
            }
        };
        for name in HEADERS {
            if !headers.contains_key(name) {
                return refused(columns, format!("no header `# {name}: ..` above the columns"));
            }
        }
        let mut known = Known::find(&headers["chip"]).or_else(|what| refused(columns, what))?;
        let timed =
            lines.map(|(line, text)| known.timed(line, text).or_else(|what| refused(line, what)));
        let timed = timed.collect::<Result<Vec<_>, _>>()?;
        if timed.is_empty() {
            return refused(columns + 1, "no pattern was timed");
        }
        Ok(Self { headers, timed })
    }

    /// A header's value; those of [`HEADERS`] are there.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The rows.
    #[must_use]
    pub fn timed(&self) -> &[Timed] {
        &self.timed
    }
}

fn header(
    headers: &mut BTreeMap<String, String>,
    line: usize,
    text: &str,
) -> Result<(), RecordError> {
    let Some((name, value)) = text[1..].split_once(':') else {
        return refused(line, "a header is `# name: value`");
    };
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return refused(line, "a header is `# name: value`");
    }
    if name == "date" && !is_date(value) {
        return refused(line, format!("`{value}` is not a date like 2026-11-22"));
    }
    match headers.insert(name.into(), value.into()) {
        Some(_) => refused(line, format!("a second header `{name}`")),
        None => Ok(()),
    }
}

fn is_date(text: &str) -> bool {
    let form = |(i, c): (usize, char)| if i == 4 || i == 7 { c == '-' } else { c.is_ascii_digit() };
    text.len() == 10 && text.chars().enumerate().all(form)
}

/// A chip's patterns by name, and the line of each that was read.
struct Known {
    chip: String,
    patterns: BTreeMap<String, Pattern>,
    seen: BTreeMap<String, usize>,
}

impl Known {
    fn find(chip: &str) -> Result<Self, String> {
        let all = patterns(chip).map_err(|fault| format!("chip {chip}: {fault}"))?;
        let patterns = all.into_iter().map(|pattern| (pattern.id(), pattern)).collect();
        Ok(Self { chip: chip.into(), patterns, seen: BTreeMap::new() })
    }

    fn timed(&mut self, line: usize, text: &str) -> Result<Timed, String> {
        let fields: Vec<_> = text.split(',').collect();
        let [pattern, instruction, cycles, addresses] = fields[..] else {
            return Err(format!("{} fields, and not 4: {COLUMNS}", fields.len()));
        };
        let Some(cycles) = cycles.parse().ok().filter(|c: &f64| c.is_finite() && *c > 0.0) else {
            return Err(format!("`{cycles}` is not a number of cycles"));
        };
        let id = format!("{instruction} {pattern}");
        let Some(found) = self.patterns.get(&id) else {
            return Err(format!("no pattern `{id}` of {}", self.chip));
        };
        let today = found.fingerprint().map_err(|fault| fault.to_string())?;
        if u32::from_str_radix(addresses, 16) != Ok(today) {
            return Err(format!(
                "`{id}` has other addresses today: {today:08x}, and not {addresses}"
            ));
        }
        let pattern = found.clone();
        match self.seen.entry(id) {
            Entry::Occupied(first) => {
                Err(format!("`{}` is in line {} already", first.key(), first.get()))
            }
            Entry::Vacant(place) => {
                place.insert(line);
                Ok(Timed { pattern, cycles })
            }
        }
    }
}
