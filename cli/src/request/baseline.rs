//! An earlier report: the JSON that `check` or `audit` printed, as far as a later run is compared with it.

use crate::request::bytes;
use serde_json::Value;
use std::cmp::Ordering;

/// The kind of what is found, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Free,
    /// Unknown, or on evidence that is not accepted, or of bytes that nothing has written.
    Weak,
    MayRace,
    Conflict,
    Race,
}

/// How bad an access is: by its kind, its degree, and the cycles that it loses for each cycle of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Badness {
    pub(crate) kind: Kind,
    pub(crate) degree: u64,
    pub(crate) lost: u64,
    pub(crate) base: u64,
}

impl Badness {
    /// `4-way`, `free`
    pub(crate) fn text(self) -> String {
        match self.kind {
            Kind::Free => "free".to_string(),
            Kind::Weak => "not sure".to_string(),
            Kind::MayRace => "a possible data race".to_string(),
            Kind::Conflict => format!("{}-way", self.degree),
            Kind::Race => "a data race".to_string(),
        }
    }
}

impl Ord for Badness {
    fn cmp(&self, other: &Self) -> Ordering {
        let lost = |one: &Self, by: &Self| u128::from(one.lost) * u128::from(by.base.max(1));
        let kind = (self.kind, self.degree).cmp(&(other.kind, other.degree));
        kind.then_with(|| lost(self, other).cmp(&lost(other, self)))
    }
}

impl PartialOrd for Badness {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Badness {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Badness {}

/// What an earlier report says of accesses.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    pub(crate) file: String,
    pub(crate) each: Vec<Item>,
}

/// Accesses that are alike, or instructions of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// What it is called in both reports, whatever became of it: `A read gfx942 ds_read_b128 mfma-rows 16`.
    pub(crate) key: String,
    pub(crate) badness: Badness,
    pub(crate) many: usize,
}

impl Item {
    /// What an access of a tile is called: by its name, or else by its instruction and its pattern.
    pub(crate) fn key_of_access(tile: &str, access: [&str; 4], name: Option<&str>) -> String {
        let [direction, chip, op, by] = access;
        match name {
            Some(name) => format!("{tile} {direction} {chip} {name}"),
            None => format!("{tile} {direction} {chip} {op} {by}"),
        }
    }

    /// What instructions of a kernel are called: lines of a text move.
    pub(crate) fn key_of_line(kernel: &str, chip: &str, opcode: &str) -> String {
        // Behind the name stand the chip and what is counted.
        let name = kernel.split(&format!(", {chip}")).next().unwrap_or(kernel);
        format!("{name} {chip} {opcode}")
    }
}

/// Reads an earlier report of a subcommand, `check` or `audit`.
///
/// # Errors
///
/// A file that cannot be read, and a text that is not what the subcommand prints.
pub(crate) fn read(file: &str, subcommand: &str) -> Result<Earlier, String> {
    let text = bytes::of_file(file, bytes::OF_RECORDS)?;
    let asked = format!("write one with `tiledesc {subcommand} .. --format json > {file}`");
    let report: Value = serde_json::from_slice(&text)
        .map_err(|error| format!("{file}: not a report of an earlier run: {error}; {asked}"))?;
    let wanted = format!("tiledesc.{subcommand}/1");
    match report["schema"].as_str() {
        Some(schema) if schema == wanted => {}
        Some(schema) => {
            return Err(format!("{file}: its schema is {schema}, not {wanted}; {asked}"));
        }
        None => return Err(format!("{file}: it has no schema {wanted}; {asked}")),
    }
    let each = match subcommand {
        "check" => of_check(&report),
        _ => of_audit(&report),
    };
    let each = each.ok_or_else(|| format!("{file}: it is incomplete; {asked}"))?;
    Ok(Earlier { file: file.to_string(), each })
}

fn of_check(report: &Value) -> Option<Vec<Item>> {
    let mut each = Vec::new();
    for tile in report["tiles"].as_array()? {
        for access in tile["accesses"].as_array()? {
            let words = [&access["access"], &access["chip"], &access["op"], &access["by"]];
            let [Some(direction), Some(chip), Some(op), Some(by)] = words.map(Value::as_str) else {
                return None;
            };
            let name = access["name"].as_str();
            each.push(Item {
                key: Item::key_of_access(tile["name"].as_str()?, [direction, chip, op, by], name),
                badness: badness(access, "base_cycles", "active_cycles")?,
                many: 1,
            });
        }
    }
    Some(each)
}

fn of_audit(report: &Value) -> Option<Vec<Item>> {
    let mut each = Vec::new();
    for file in report["files"].as_array()? {
        for kernel in file["kernels"].as_array().into_iter().flatten() {
            for line in kernel["instructions"].as_array()? {
                let words = [&kernel["kernel"], &kernel["chip"], &line["opcode"]];
                let [Some(name), Some(chip), Some(opcode)] = words.map(Value::as_str) else {
                    return None;
                };
                each.push(Item {
                    key: Item::key_of_line(name, chip, opcode),
                    badness: badness(line, "cycles_without_conflicts", "cycles")?,
                    many: line["lines"].as_array()?.len(),
                });
            }
        }
    }
    Some(each)
}

/// How bad something was. What an earlier baseline let pass is what its outcome says.
fn badness(one: &Value, base: &str, all: &str) -> Option<Badness> {
    let is_weak =
        matches!(one["ruling"].as_str()?, "weak" | "unwritten") || one["since"] == "known";
    let kind = match one["outcome"].as_str()? {
        "race" => Kind::Race,
        "conflict" => Kind::Conflict,
        "may_race" => Kind::MayRace,
        "unknown" => Kind::Weak,
        _ if is_weak => Kind::Weak,
        _ => Kind::Free,
    };
    let (base, all) = (one[base].as_u64()?, one[all].as_u64()?);
    let degree = one["degree"].as_u64().unwrap_or(0);
    Some(Badness { kind, degree, lost: all.saturating_sub(base), base })
}
