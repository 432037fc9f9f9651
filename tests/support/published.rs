//! Cases of published figures: what a case states, how ours is set beside it, and the
//! tally (schema in `tests/golden/published/README.md`).

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tiledesc::chip::sm_90;
use tiledesc::chip::{self, Access, Instruction};

/// What was read, or why it cannot be.
pub type Read<T> = Result<T, String>;

/// A published figure beside ours.
pub struct Figure {
    pub key: String,
    pub published: String,
    pub ours: String,
    pub holds: bool,
    /// What a reader of the report should know.
    pub remark: Option<String>,
    /// Whether nothing of ours stands beside it; the remark says why.
    pub unread: bool,
}

impl Figure {
    pub fn new(key: &str, published: impl ToString, ours: impl ToString, holds: bool) -> Self {
        let (published, ours) = (published.to_string(), ours.to_string());
        Self { key: key.to_owned(), published, ours, holds, remark: None, unread: false }
    }

    /// What is not read, and why.
    pub fn unread(key: &str, published: impl ToString, reason: String) -> Self {
        let figure = Self::new(key, published, "-", true).remarked(Some(reason));
        Self { unread: true, ..figure }
    }

    pub fn remarked(self, remark: Option<String>) -> Self {
        Self { remark, ..self }
    }

    pub fn within(self, part: &str) -> Self {
        Self { key: format!("{part}: {}", self.key), ..self }
    }
}

impl core::fmt::Display for Figure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: published {}, ours {}", self.key, self.published, self.ours)
    }
}

/// Cases by kind and outcome, and what to print.
#[derive(Default)]
pub struct Tally {
    pub counts: BTreeMap<(String, &'static str), usize>,
    pub figures: usize,
    pub remarks: Vec<String>,
    /// What no figure of ours stands beside, with the reason.
    pub unread: Vec<String>,
    pub failures: Vec<String>,
}

impl Tally {
    /// Takes in the figures of a case; `None` if its kind is not covered.
    pub fn add(&mut self, case: Case<'_>, figures: Read<Option<Vec<Figure>>>) {
        let before = self.failures.len();
        let outcome = match figures {
            Ok(None) => {
                self.unread.push(format!("{}: of a kind that is not yet covered", case.id()));
                "not yet covered"
            }
            Ok(Some(figures)) => {
                figures.iter().for_each(|figure| self.figure(case, figure));
                if case.disputed() { "disputed, not asserted" } else { "held" }
            }
            Err(error) => {
                self.failures.push(format!("{}: {error}", case.id()));
                "failed"
            }
        };
        let outcome = if self.failures.len() > before { "failed" } else { outcome };
        let kind = case.text("kind").unwrap_or("without a kind").to_owned();
        *self.counts.entry((kind, outcome)).or_default() += 1;
    }

    pub fn figure(&mut self, case: Case<'_>, figure: &Figure) {
        let remarks = if figure.unread { &mut self.unread } else { &mut self.remarks };
        remarks.extend(figure.remark.iter().map(|remark| format!("{}: {remark}", case.id())));
        if figure.unread {
            // It proves nothing, and is no failure.
        } else if case.disputed() {
            self.remarks.push(format!("{}, disputed: {figure}", case.id()));
        } else {
            self.judge(figure.holds, || format!("{}: {figure}", case.id()));
        }
    }

    pub fn judge(&mut self, holds: bool, failure: impl FnOnce() -> String) {
        if holds { self.figures += 1 } else { self.failures.push(failure()) }
    }

    pub fn report(&self) {
        for ((kind, outcome), count) in &self.counts {
            println!("{count:4} {kind}: {outcome}");
        }
        println!("{} figures agree", self.figures);
        for remark in &self.remarks {
            println!("  {remark}");
        }
        for unread in &self.unread {
            println!("  not read: {unread}");
        }
        let count = self.failures.len();
        assert!(self.failures.is_empty(), "{count} differ:\n{}", self.failures.join("\n"));
        assert!(self.figures > 0, "nothing was checked");
    }
}

/// Loads and stores of shared memory in SASS.
const NAMES: [&str; 2] = ["LDS", "STS"];

/// Bits of `128`, `U16` or `S8`.
fn width(part: &str) -> Option<u64> {
    part.trim_start_matches(['U', 'S']).parse().ok()
}

/// The fields of a case, of every kind.
const FIELDS: [&str; 29] = [
    "id",
    "kind",
    "title",
    "vendor",
    "arch",
    "device",
    "instruction",
    "op",
    "access_bytes",
    "wave_size",
    "address_formula",
    "lane_addresses",
    "series_variable",
    "expected",
    "evidence",
    "sources",
    "notes",
    "reference_model",
    "instr_count",
    "inferred_layout",
    "disputed",
    "tolerance_rel",
    "tolerance_abs",
    "tile_shape",
    "element_bytes",
    "workgroup_size",
    "subgroup_size",
    "transfer_bytes",
    "valid",
];

/// From the README of the tables.
const EVIDENCE: [&str; 7] = [
    "measured-counter",
    "measured-latency",
    "vendor-doc",
    "vendor-test",
    "vendor-forum",
    "third-party-analysis",
    "derived-from-doc",
];

/// The largest tolerance that a case may claim: with more, a figure proves little.
const MOST_TOLERANCE: f64 = 0.05;

/// One case of the file.
#[derive(Clone, Copy)]
pub struct Case<'a>(pub &'a Value);

impl<'a> Case<'a> {
    pub fn id(self) -> &'a str {
        self.0["id"].as_str().unwrap_or("a case without id")
    }

    pub fn disputed(self) -> bool {
        self.0["disputed"] == true
    }

    pub fn text(self, key: &str) -> Read<&'a str> {
        self.0[key].as_str().ok_or_else(|| format!("{key} is not a string: {}", self.0[key]))
    }

    pub fn number(self, key: &str) -> Read<u64> {
        self.0[key].as_u64().ok_or_else(|| format!("{key} is not a number: {}", self.0[key]))
    }

    /// The wavefronts of the kernel, if the source states them.
    pub fn wavefronts(self) -> Option<f64> {
        self.0["expected"]["published"]["kernel_wavefronts"].as_f64()
    }

    pub fn expected(self) -> Read<Vec<Expected<'a>>> {
        let groups = self.0["expected"].as_object().ok_or("nothing is expected")?;
        if groups.get("published").and_then(Value::as_object).is_none_or(Map::is_empty) {
            return Err("nothing is published".to_owned());
        }
        let mut all = Vec::new();
        for (group, figures) in groups {
            let published = match group.as_str() {
                "published" => true,
                "derived" => false,
                other => return Err(format!("expected.{other} is not known")),
            };
            let figures = figures.as_object().ok_or_else(|| format!("{group} is not an object"))?;
            all.extend(figures.iter().map(|(key, value)| Expected { published, key, value }));
        }
        Ok(all)
    }

    /// The fields that nobody reads.
    pub fn unread(self) -> Vec<Figure> {
        let fields = self.0.as_object().into_iter().flatten();
        let unknown = fields.filter(|(field, _)| !FIELDS.contains(&field.as_str()));
        let told = |(field, value): (&String, &Value)| {
            Figure::unread(field, value, format!("a field this test does not know: {field}"))
        };
        unknown.map(told).collect()
    }

    /// Refuses words that have no meaning.
    pub fn known(self, sources: &Value) -> Read<()> {
        let (vendor, arch) = (self.text("vendor")?, self.text("arch")?);
        let chip = chip::find(arch).map_err(|error| format!("{arch}: {error}"))?;
        let maker = if chip.name().starts_with("gfx") { "amd" } else { "nvidia" };
        if vendor != maker {
            return Err(format!("{arch} is of {maker}, in the case of {vendor}"));
        }
        let evidence = self.text("evidence")?;
        if !EVIDENCE.contains(&evidence) {
            return Err(format!("no evidence: {evidence}"));
        }
        let own = self.0["sources"].as_array().filter(|list| !list.is_empty());
        for source in own.ok_or("no source")? {
            let known = source.as_str().is_some_and(|key| sources[key].is_object());
            if !known {
                return Err(format!("no such source: {source}"));
            }
        }
        let tolerance = self.0.get("tolerance_rel").map_or(Some(0.0), Value::as_f64);
        match tolerance {
            Some(tolerance) if (0.0..=MOST_TOLERANCE).contains(&tolerance) => Ok(()),
            _ => Err(format!("tolerance_rel is not up to {MOST_TOLERANCE}")),
        }
    }

    /// The row of the instruction, which must be what the case says of it.
    pub fn row(self) -> Read<&'static Instruction> {
        let row = self.find(self.text("instruction")?)?;
        let op = if row.access() == Access::Read { "read" } else { "write" };
        let ours = (op, u64::from(row.bytes()), row.service().phases.wave() as u64);
        let theirs = (self.text("op")?, self.number("access_bytes")?, self.number("wave_size")?);
        if ours == theirs {
            return Ok(row);
        }
        Err(format!("{} of {} is {ours:?}, in the case {theirs:?}", row.name(), row.chip()))
    }

    pub fn find(self, instruction: &str) -> Read<&'static Instruction> {
        let chip = self.text("arch")?;
        // RDNA in waves of 64 is a chip of its own.
        let of_wave = match self.number("wave_size") {
            Ok(64) => chip::find(&format!("{chip}::wave64")).ok(),
            _ => None,
        };
        let found = of_wave.map_or_else(|| chip::find(chip), Ok);
        let found = found.map_err(|error| format!("{chip}: {error}"))?;
        let name = match self.text("vendor")? {
            "nvidia" => self.in_ptx(instruction)?,
            // A write has no sign.
            _ => instruction.replace("ds_write_u", "ds_write_b"),
        };
        // sm_80 stands for every chip from sm_70 on; stmatrix came with sm_90.
        let later = |error| if chip == "sm_80" { sm_90.instruction(&name) } else { Err(error) };
        let row = found.instruction(&name).or_else(later);
        row.map_err(|error| format!("{instruction} ({name}): {error}"))
    }

    /// PTX for SASS: `LDS.128` is `ld.shared.b128`, `LDSM.16.MT88.4` `ldmatrix.x4.trans`.
    pub fn in_ptx(self, instruction: &str) -> Read<String> {
        let parts: Vec<&str> = instruction.split('.').collect();
        let matrices = match parts[0] {
            "ldmatrix" | "LDSM" => "ldmatrix",
            "stmatrix" | "STSM" => "stmatrix",
            _ => {
                let verb = if self.text("op")? == "read" { "ld" } else { "st" };
                let bits = 8 * self.number("access_bytes")?;
                let widths = parts.iter().skip(1).filter_map(|part| width(part));
                let [first, ..] = parts[..] else { return Err("no instruction".to_owned()) };
                if !NAMES.contains(&first) || widths.clone().count() + 1 != parts.len() {
                    return Err(format!("{instruction} is not read"));
                }
                if widths.clone().next().unwrap_or(32) != bits {
                    return Err(format!("{instruction} moves other than {bits} bits"));
                }
                return Ok(format!("{verb}.shared.b{bits}"));
            }
        };
        let has = |count: &str| parts.iter().any(|part| part.trim_start_matches('x') == count);
        let count = ["4", "2"].into_iter().find(|count| has(count)).unwrap_or("1");
        let transposed = parts.iter().any(|part| *part == "trans" || part.starts_with("MT"));
        Ok(format!("{matrices}.x{count}{}", if transposed { ".trans" } else { "" }))
    }
}

/// A figure of a case: its name and value.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// Whether the source itself states it.
    pub published: bool,
    pub key: &'a str,
    pub value: &'a Value,
}

impl<'a> Expected<'a> {
    pub fn list(self) -> Read<&'a Vec<Value>> {
        self.value.as_array().ok_or_else(|| format!("{} is not a list: {}", self.key, self.value))
    }

    pub fn object(self) -> Read<&'a Map<String, Value>> {
        self.value
            .as_object()
            .ok_or_else(|| format!("{} is not an object: {}", self.key, self.value))
    }

    /// A number; a flag is 0 or 1.
    pub fn number(self) -> Read<f64> {
        let flag = self.value.as_bool().map(|flag| f64::from(u8::from(flag)));
        let number = flag.or(self.value.as_f64());
        number.ok_or_else(|| format!("{} is not a number: {}", self.key, self.value))
    }

    pub fn natural(self) -> Read<u64> {
        let natural = self.value.as_u64();
        natural.ok_or_else(|| format!("{} is not a natural number: {}", self.key, self.value))
    }

    /// Of a name that this file does not know: a sentence at most.
    pub fn unknown(self) -> Read<()> {
        if self.value.is_string() {
            return Ok(());
        }
        Err(format!("a figure this test does not know: {}", self.key))
    }
}
