//! An access: the instruction as the assembler calls it, what its lanes touch, and how often.
//!
//! ```text
//!   { op = "ds_read_b128", by = "mfma-rows 16", times = 4, as = "measured" }
//!   { op = "ds_read2_b32(0, 64)", by = "row-major" }            two addresses, with their offsets
//!   { op = "ds_read_b128", addresses = "lane * 16" }            bytes, of a tile of `bytes`
//!   { name = "fragments", op = .., by = .. }                    with a name, as read.fragments = { op = .., by = .. }
//!   { op = .., by = .., max_degree = 2, reason = "TMA" }        a conflict that is accepted
//! ```

use crate::request::addresses::{self, Addresses, Bytes};
use crate::request::atomic;
use crate::request::data::Data;
use crate::request::fault::{Fault, Place, Source, kept};
use crate::request::held::{self, Held, MOST_LANES, Named, in_one_line};
use crate::request::instruction::row;
use crate::request::operand::Over;
use crate::request::spelling::did_you_mean;
use crate::request::value::{Table, Value, check_name, list, number, refused, text};
use std::ops::Range;
use tiledesc::chip::Chip;
use tiledesc::chip::{Access as Direction, Evidence, Instruction};
use tiledesc::pattern::Lanes;
use toml::de::DeValue;

/// One access of a tile, on each of its chips.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) place: Place,
    pub(crate) span: Range<usize>,
    pub(crate) direction: Direction,
    /// The name that the file gives it: then its place in the list means nothing.
    pub(crate) name: Option<String>,
    pub(crate) op: String,
    /// The pattern as the file has it.
    pub(crate) by: String,
    /// The pattern with the words of a distribution in place of its name, and without the words that part it.
    pub(crate) words: String,
    pub(crate) lanes: Held,
    pub(crate) times: u64,
    /// The least evidence, if the access has `as`.
    pub(crate) least: Option<Evidence>,
    /// The highest degree that is accepted of it, and why.
    pub(crate) accepted: Option<(u32, String)>,
    /// The row of each chip.
    pub(crate) rows: Vec<Instruction>,
}

impl Access {
    /// What the lanes touch on a chip, by its place among those of the tile: where data chooses, what waits longest.
    pub(crate) fn lanes_on(&self, at: usize) -> Lanes<'_> {
        match &self.lanes {
            Held::Data(data) => data.lanes(at),
            held => held.lanes(),
        }
    }

    /// Returns whether data chooses what the lanes touch.
    pub(crate) fn is_of_data(&self) -> bool {
        matches!(self.lanes, Held::Data(_))
    }
}

/// The word of a direction: `read`.
pub(crate) fn word_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "write",
    }
}

/// The writes and reads of a tile, in the order of the file; those without `as` accept the evidence `least`.
pub(crate) fn read(
    source: &Source,
    table: &Table<'_>,
    (named, over, least): (&[Named], Over<'_>, Option<Evidence>),
    faults: &mut Vec<Fault>,
) -> Vec<Access> {
    let mut accesses: Vec<Access> = Vec::new();
    for direction in [Direction::Write, Direction::Read] {
        let key = word_of(direction);
        let Some(value) = table.get(key) else { continue };
        for (name, item) in kept(items_of(value, key), faults).unwrap_or_default() {
            let called = match name {
                Some(name) => format!("{key}.{name} of {}", table.called()),
                None => format!("a {key} of {}", table.called()),
            };
            let Some(one) = kept(Table::from_value(item, called), faults) else { continue };
            let place = source.place(item.span().start);
            let found = access_of(&one, (name, place), direction, (named, over));
            let unknown = one.refuse_unknown();
            // An unknown key may be the one that is missing.
            match found {
                Err(_) if !unknown.is_empty() => {}
                found => accesses.extend(
                    kept(found, faults).map(|one| Access { least: one.least.or(least), ..one }),
                ),
            }
            faults.extend(unknown);
        }
    }
    accesses.sort_by_key(|access| access.span.start);
    for (at, access) in accesses.iter().enumerate() {
        let is_same =
            |first: &Access| (&first.name, first.direction) == (&access.name, access.direction);
        // A write and a read of one name are told apart by what they do.
        if access.name.is_some() && accesses[..at].iter().any(is_same) {
            let name = access.name.as_deref().unwrap_or_default();
            let each = word_of(access.direction);
            let message = format!("two {each}s of {} are called `{name}`", table.called());
            faults.push(Fault::new(access.span.clone(), message));
        }
    }
    accesses
}

/// The accesses of a direction: a list, or a table of accesses by their names.
fn items_of<'a>(
    value: &'a Value<'a>,
    key: &str,
) -> Result<Vec<(Option<&'a str>, &'a Value<'a>)>, Fault> {
    let wanted = match key {
        "write" => "a list `[{ op = \"ds_write_b128\", by = \"row-major\" }]`",
        _ => "a list `[{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`",
    };
    if !matches!(value.get_ref(), DeValue::Table(_)) {
        let items = list(value, key, wanted)?;
        return Ok(items.into_iter().map(|item| (None, item)).collect());
    }
    let table = Table::from_value(value, key)?;
    if table.has("op") || table.has("by") {
        let message = format!(
            "{key} is one access: write {wanted}, or give it a name, `{key}.fragments = {{ op = .., by = .. }}`"
        );
        return Err(Fault::new(value.span(), message));
    }
    table
        .entries()
        .map(|(name, span, item)| check_name(name, &span).map(|()| (Some(name), item)))
        .collect()
}

/// The product of executions and judged instructions fits in 64 bits.
const MOST_TIMES: u64 = 1 << 30;

fn access_of(
    table: &Table<'_>,
    (name, place): (Option<&str>, Place),
    direction: Direction,
    (named, over): (&[Named], Over<'_>),
) -> Result<Access, Fault> {
    let chips = over.chips;
    let name = match name {
        Some(name) => Some(name),
        None => table.get("name").map(name_of).transpose()?,
    };
    let (op, by, addresses) = (table.get("op"), table.get("by"), table.get("addresses"));
    let waves = addresses.and_then(|_| table.get("waves"));
    let waves = waves.map(|value| number(value, "waves", 1..=MOST_WAVES)).transpose()?;
    let times = table.get("times").map_or(Ok(1), |value| number(value, "times", 1..=MOST_TIMES))?;
    let terms = table.get("as").map_or(Ok(Terms::default()), terms_of)?;
    let accepted = accepted_of(table)?;
    let op = op.map_or_else(|| table.needs("op", "\"ds_read_b128\""), Ok)?;
    let rows = chips.iter().map(|chip| row_of(op, chip, direction, terms));
    let rows = rows.collect::<Result<Vec<_>, _>>();
    // What is wrong with the lanes comes first.
    let over = Over { rows: rows.as_deref().unwrap_or_default(), ..over };
    let (by, lanes) = match (by, addresses) {
        (Some(_), Some(value)) => {
            let message = "`by` and `addresses` both say what lanes touch: leave one of them out";
            return Err(Fault::new(value.span(), message));
        }
        (None, Some(value)) => {
            let Addresses { bytes, called } =
                addresses::read(value, waves, lanes_of(value, chips)?)?;
            let lanes = match bytes {
                Bytes::Known(rows) => Held::Addresses(rows),
                Bytes::Open(choices) => Held::Data(Box::new(Data::new(choices))),
            };
            (called, lanes)
        }
        (by, None) => {
            let by = by.map_or_else(|| table.needs("by", "\"mfma-rows 16\""), Ok)?;
            let words = text(by, "by")?;
            (in_one_line(words), Held::read(words, named, over).map_err(refused(by))?)
        }
    };
    let whole = held::split_of(&by).ok().flatten().map_or(by.as_str(), |(_, whole)| whole);
    let words = named.iter().find(|known| known.is(whole)).map_or(whole, |known| &known.words);
    let words = words.to_string();
    let rows = rows?;
    Ok(Access {
        place,
        span: table.span(),
        direction,
        name: name.map(str::to_string),
        op: one_word(text(op, "op")?),
        by,
        words,
        lanes,
        times,
        least: terms.least,
        accepted,
        rows,
    })
}

/// A degree that is accepted of an access, and why: `max_degree = 4, reason = "TMA writes it"`.
fn accepted_of(table: &Table<'_>) -> Result<Option<(u32, String)>, Fault> {
    let (degree, reason) = (table.get("max_degree"), table.get("reason"));
    let Some(value) = degree else {
        return match reason {
            None => Ok(None),
            Some(reason) => Err(Fault::new(
                reason.span(),
                "`reason` says why a degree is accepted: write `max_degree = 2` beside it",
            )),
        };
    };
    let degree = number(value, "max_degree", 2..=64)?;
    let why = reason.map_or(Ok(""), |reason| text(reason, "reason"))?.trim();
    if why.is_empty() {
        let message =
            format!("max_degree = {degree} accepts a conflict: write `reason = \"..\"` beside it");
        return Err(Fault::new(value.span(), message));
    }
    Ok(Some((degree as u32, why.to_string())))
}

/// The most waves of a block: of 32 lanes.
const MOST_WAVES: u64 = MOST_LANES / 32;

/// The lanes of a wave, each of which has one address.
fn lanes_of(value: &Value<'_>, chips: &[&'static Chip]) -> Result<u32, Fault> {
    let lanes = chips.first().map_or(64, |chip| chip.wave());
    match chips.iter().find(|chip| chip.wave() != lanes) {
        None => Ok(lanes),
        Some(other) => {
            let (first, other) = (chips[0].name(), other.name());
            let message = format!(
                "addresses are one a lane, and the waves of {first} and {other} differ: write a tile for each"
            );
            Err(Fault::new(value.span(), message))
        }
    }
}

fn name_of<'a>(value: &'a Value<'a>) -> Result<&'a str, Fault> {
    let name = text(value, "name")?;
    check_name(name, &value.span()).map(|()| name)
}

/// The demands of an access on its rows, as the words after `as` of a statement.
#[derive(Clone, Copy, Default)]
struct Terms {
    least: Option<Evidence>,
    own: bool,
    rival: bool,
}

/// The evidence that a tile or a file accepts for all its accesses: `as = "inferred"`.
pub(crate) fn least_of(table: &Table<'_>) -> Result<Option<Evidence>, Fault> {
    let Some(value) = table.get("as") else { return Ok(None) };
    let terms = terms_of(value)?;
    if terms.own || terms.rival {
        let message =
            "`disputed` and `rival` choose a source for one access: write them in that access";
        return Err(Fault::new(value.span(), message));
    }
    Ok(terms.least)
}

fn terms_of(value: &Value<'_>) -> Result<Terms, Fault> {
    let mut terms = Terms::default();
    let twice = |first: &str, second: &str, one: &str| {
        let message = format!("`as` has both `{first}` and `{second}`: {one}");
        Fault::new(value.span(), message)
    };
    let sure = "write one word for how sure a row must be, `measured`, `documented` or `inferred`";
    let counts =
        "where two sources disagree, write `disputed` for the row's own or `rival` for the other";
    let mut source = None;
    for word in text(value, "as")?.split_whitespace() {
        let evidence = [Evidence::Inferred, Evidence::Documented, Evidence::Measured];
        if let Some(least) = evidence.into_iter().find(|evidence| evidence.name() == word) {
            if let Some(first) = terms.least.replace(least) {
                return Err(twice(first.name(), word, sure));
            }
        } else if matches!(word, "disputed" | "rival") {
            if let Some(first) = source.replace(word) {
                return Err(twice(first, word, counts));
            }
        } else {
            let words = ["inferred", "documented", "measured", "disputed", "rival"];
            let near = did_you_mean(word, words);
            return Err(Fault::new(value.span(), format!("`as` does not take `{word}`{near}")));
        }
    }
    (terms.own, terms.rival) = (source == Some("disputed"), source == Some("rival"));
    Ok(terms)
}

/// An instruction without blanks, but for the one before the bytes of `cp.async.cg.shared.global 16`.
fn one_word(op: &str) -> String {
    let between = if op.trim_start().starts_with("cp.") { " " } else { "" };
    op.split_whitespace().collect::<Vec<_>>().join(between)
}

/// The row of an instruction on a chip: `ds_read_b128`, `ds_read2_b32(0, 64)`.
fn row_of(
    value: &Value<'_>,
    chip: &'static Chip,
    direction: Direction,
    terms: Terms,
) -> Result<Instruction, Fault> {
    let refuse = refused(value);
    let op = text(value, "op")?;
    if let Some(row) = atomic::row(op, chip) {
        return Ok(row);
    }
    let mut row = row(op, chip).map_err(&refuse)?;
    if row.access() != direction {
        let (is, says) = (word_of(row.access()), word_of(direction));
        let message = format!("{op} is a {is}, but it is listed under `{says}`");
        return Err(refuse(message));
    }
    if terms.rival {
        row = row.as_rival();
    } else if terms.own {
        row = row.as_disputed();
    }
    Ok(row)
}
