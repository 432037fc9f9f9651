//! What a file or a row of options says: tiles, and what a kernel does to them.
//!
//! ```toml
//! version = 1
//! chips = ["gfx942", "gfx950"]
//! [tile.A]
//! element = "f16"
//! shape = { m = 128, k = 64 }
//! recipe = "gemm-xor"
//! kpack = 8
//! write = [{ op = "ds_write_b128", by = "row-major" }]
//! read = [{ op = "ds_read_b128", by = "mfma-rows 16", times = 4 }]
//! ```
//!
//! Everything is read, and all that is wrong is said, before anything is judged.

use crate::request::fault::{Fault, Place, Source, did_you_mean, nearest};
use crate::request::fill::{self, Fill};
use crate::request::held;
use crate::request::layout::{self, Dimension, Layout};
use crate::request::value::{Table, Value, flag, list, number, text, word};
use std::ops::Range;
use tiledesc::chip::Chip;
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, NAMED, PatternError};
use tiledesc::{Access as Direction, ELEMENTS, ElementName, Error, Evidence, Instruction};
use toml::de::DeTable;

/// The version of files that is read.
const VERSION: u64 = 1;

/// A tile and its accesses.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) element: ElementName,
    pub(crate) layout: Layout,
    pub(crate) chips: Vec<&'static Chip>,
    pub(crate) accesses: Vec<Access>,
    /// The direct load that fills it, if one does.
    pub(crate) fill: Option<Fill>,
}

/// One access of a tile, on each of its chips.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) place: Place,
    pub(crate) span: Range<usize>,
    pub(crate) direction: Direction,
    pub(crate) op: String,
    /// The pattern as the file has it.
    pub(crate) by: String,
    pub(crate) lanes: Held,
    pub(crate) times: u64,
    /// The least evidence, if the access says `as`.
    pub(crate) least: Option<Evidence>,
    /// The row of each chip.
    pub(crate) rows: Vec<Instruction>,
}

/// What the lanes touch.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    Ready(Lanes<'static>),
    Distribution(Box<Encoding>),
}

impl Held {
    pub(crate) fn lanes(&self) -> Lanes<'_> {
        match self {
            Self::Ready(lanes) => *lanes,
            Self::Distribution(encoding) => Lanes::distributed(encoding),
        }
    }
}

/// The word of a direction: `read`.
pub(crate) fn word_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "write",
    }
}

/// The tiles of a source, or all that is wrong with it.
///
/// `chips` are those to be asked instead of the file's, if any.
pub(crate) fn read(source: &Source, chips: &[&'static Chip]) -> Result<Vec<Tile>, Vec<Fault>> {
    let parsed = DeTable::parse(&source.text).map_err(|error| {
        let message = error.message().trim().replace('\n', "; ");
        vec![Fault::new(error.span().unwrap_or(0..0), message)]
    })?;
    let table = Table::new(parsed.get_ref(), 0..0, "the file");
    let mut faults = Vec::new();
    let tiles = tiles_of(source, &table, chips, &mut faults);
    faults.extend(table.refuse_unknown());
    faults.sort_by_key(|fault| fault.span.start);
    if faults.is_empty() { Ok(tiles) } else { Err(faults) }
}

/// What an `Option` is left of, with the fault kept.
fn kept<T>(result: Result<T, Fault>, faults: &mut Vec<Fault>) -> Option<T> {
    result.map_err(|fault| faults.push(fault)).ok()
}

fn tiles_of(
    source: &Source,
    table: &Table<'_>,
    instead: &[&'static Chip],
    faults: &mut Vec<Fault>,
) -> Vec<Tile> {
    kept(version(table), faults);
    let chips = table.get("chips").and_then(|value| kept(chips_of(value), faults));
    let asked = Asked { instead, of_file: chips.unwrap_or_default() };
    let none = "there is no tile: write a section `[tile.A]`";
    let Some(value) = table.get("tile") else {
        faults.push(Fault::new(table.span(), none));
        return Vec::new();
    };
    let Some(all) = kept(Table::of(value, "tile"), faults) else { return Vec::new() };
    let mut tiles = Vec::new();
    for (name, span, value) in all.entries() {
        let Some(table) = kept(Table::of(value, format!("tile {name}")), faults) else { continue };
        let place = source.place(span.start);
        kept(named(name, &span), faults);
        tiles.extend(tile_of(source, &table, (name, place), &asked, faults));
        faults.extend(table.refuse_unknown());
    }
    if all.entries().next().is_none() {
        faults.push(Fault::new(value.span(), none));
    }
    tiles
}

/// Refuses names that TOML would want in quotes: they are names of files and of functions too.
fn named(name: &str, span: &Range<usize>) -> Result<(), Fault> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_letter) {
        return Ok(());
    }
    let message = format!("`{name}` is no name: write letters, digits, `_` and `-`");
    Err(Fault::new(span.clone(), message))
}

fn version(table: &Table<'_>) -> Result<(), Fault> {
    let value = table.needs("version", "1")?;
    match number(value, "version", 0..=u64::MAX)? {
        VERSION => Ok(()),
        other => Err(Fault::new(
            value.span(),
            format!("version = {other}: this tiledesc reads version 1"),
        )),
    }
}

fn chips_of(value: &Value<'_>) -> Result<Vec<&'static Chip>, Fault> {
    let items = list(value, "chips", "a list of names `[\"gfx942\"]`")?;
    if items.is_empty() {
        return Err(Fault::new(value.span(), "chips is empty: name one, as in `[\"gfx942\"]`"));
    }
    items.into_iter().map(chip_of).collect()
}

fn chip_of(value: &Value<'_>) -> Result<&'static Chip, Fault> {
    chip(text(value, "a chip")?).map_err(|message| Fault::new(value.span(), message))
}

/// A chip by its name.
pub(crate) fn chip(name: &str) -> Result<&'static Chip, String> {
    tiledesc::chip::find(name).map_err(|error| format!("{name}: {error}"))
}

/// The chips that a tile is asked for, unless it has its own.
struct Asked<'a> {
    instead: &'a [&'static Chip],
    of_file: Vec<&'static Chip>,
}

fn tile_of(
    source: &Source,
    table: &Table<'_>,
    (name, place): (&str, Place),
    asked: &Asked<'_>,
    faults: &mut Vec<Fault>,
) -> Option<Tile> {
    let element = kept(element_of(table), faults);
    let shape = kept(shape_of(table), faults);
    let own = table.get("chips").map(|value| kept(chips_of(value), faults));
    let chips = match own {
        _ if !asked.instead.is_empty() => asked.instead.to_vec(),
        Some(own) => own?,
        None => asked.of_file.clone(),
    };
    let may_overlap = table.get("may_overlap").map(|value| flag(value, "may_overlap"));
    let may_overlap = may_overlap.map_or(Ok(false), |flag| flag);
    let may_overlap = kept(may_overlap, faults)?;
    // Without them nothing below has a meaning, and its keys are not known.
    let (element, shape) = match (element, shape) {
        (Some(element), Some(shape)) => (element, shape),
        _ => {
            let _ = layout_keys(table);
            return None;
        }
    };
    let found = layout::read(table, &element, shape.as_deref());
    let layout = kept(found.and_then(|layout| proven(layout, may_overlap)), faults);
    if layout.is_none() {
        let _ = layout_keys(table);
    }
    let accesses = accesses_of(source, table, &chips, faults);
    let fill = table.get("fill").map(|value| kept(fill::read(value, &chips), faults));
    let layout = layout?;
    if !accesses.is_empty() && chips.is_empty() {
        let message = format!("tile {name} has no chip: write `chips = [\"gfx942\"]`");
        faults.push(Fault::new(table.span(), message));
        return None;
    }
    let fill = match fill {
        Some(fill) => Some(fill?),
        None => None,
    };
    Some(Tile { name: name.to_string(), place, element, layout, chips, accesses, fill })
}

/// Marks all keys of layouts as known, where the layout itself was refused: one fault is enough.
fn layout_keys(table: &Table<'_>) -> usize {
    let parameters = layout::families(8).iter().flat_map(|family| family.parameters());
    let known = parameters.filter(|name| table.get_loose(name).is_some()).count();
    let others = ["columns", "fill", "lines", "masks", "read", "transposed", "write"]
        .into_iter()
        .chain(layout::NOTATIONS);
    known + others.filter(|name| table.has(name)).count()
}

fn element_of(table: &Table<'_>) -> Result<ElementName, Fault> {
    let value = table.needs("element", "\"f16\"")?;
    element(text(value, "element")?).map_err(|message| Fault::new(value.span(), message))
}

/// An element by its name in code or in reports.
pub(crate) fn element(name: &str) -> Result<ElementName, String> {
    let is = |known: &&ElementName| {
        known.code.eq_ignore_ascii_case(name) || known.name.eq_ignore_ascii_case(name)
    };
    ELEMENTS.iter().find(is).copied().ok_or_else(|| {
        let names: Vec<_> = ELEMENTS.iter().map(|known| known.code.to_lowercase()).collect();
        let near = did_you_mean(name, names.iter().map(String::as_str));
        format!("no element is called `{name}`{near}")
    })
}

fn shape_of(table: &Table<'_>) -> Result<Option<Vec<Dimension>>, Fault> {
    let Some(value) = table.get("shape") else { return Ok(None) };
    let shape = Table::of(value, "shape")?;
    let dimension = |(name, span, value): (&str, Range<usize>, &Value<'_>)| {
        named(name, &span)?;
        let length = word(value, &format!("shape.{name}"), 1)?;
        Ok(Dimension { name: name.to_string(), length, span })
    };
    let dimensions = shape.entries().map(dimension).collect::<Result<Vec<_>, Fault>>()?;
    if dimensions.is_empty() || dimensions.len() > tiledesc::List::CAPACITY {
        let message = "shape has from 1 to 12 dimensions, as in `{ m = 128, k = 64 }`";
        return Err(Fault::new(value.span(), message));
    }
    Ok(Some(dimensions))
}

/// The most coordinates of which all are tried, where structure does not decide whether two
/// share an offset: about a second.
const MOST_TRIED: u64 = 1 << 22;

/// Refuses a layout of which two coordinates share an offset.
fn proven(layout: Layout, may_overlap: bool) -> Result<Layout, Fault> {
    if may_overlap {
        return Ok(layout);
    }
    let proof = match layout.plan.prove_injective() {
        Err(Error::Undecided { .. } | Error::TooManyToTry { .. })
            if layout.plan.elements() <= MOST_TRIED =>
        {
            layout.plan.injective()
        }
        decided => decided,
    };
    match proof {
        Ok(()) => Ok(layout),
        Err(error) => {
            let message = format!("{error}; `may_overlap = true` allows it");
            Err(Fault::new(layout.span, message))
        }
    }
}

fn accesses_of(
    source: &Source,
    table: &Table<'_>,
    chips: &[&'static Chip],
    faults: &mut Vec<Fault>,
) -> Vec<Access> {
    let mut accesses = Vec::new();
    for direction in [Direction::Write, Direction::Read] {
        let key = word_of(direction);
        let Some(value) = table.get(key) else { continue };
        let wanted = "a list `[{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`";
        let items = kept(list(value, key, wanted), faults).unwrap_or_default();
        for item in items {
            let name = format!("a {key} of {}", table.called());
            let Some(one) = kept(Table::of(item, name), faults) else { continue };
            let place = source.place(item.span().start);
            let found = access_of(&one, place, direction, chips);
            let unknown = one.refuse_unknown();
            // An unknown key may be the one that is missing.
            match found {
                Err(_) if !unknown.is_empty() => {}
                found => accesses.extend(kept(found, faults)),
            }
            faults.extend(unknown);
        }
    }
    accesses.sort_by_key(|access| access.span.start);
    accesses
}

/// So many executions of so many instructions as are judged are counted in 64 bits.
const MOST_TIMES: u64 = 1 << 30;

fn access_of(
    table: &Table<'_>,
    place: Place,
    direction: Direction,
    chips: &[&'static Chip],
) -> Result<Access, Fault> {
    let (op, by) = (table.get("op"), table.get("by"));
    let times = table.get("times").map_or(Ok(1), |value| number(value, "times", 1..=MOST_TIMES))?;
    let terms = table.get("as").map_or(Ok(Terms::default()), terms_of)?;
    let op = op.map_or_else(|| table.needs("op", "\"ds_read_b128\""), Ok)?;
    let by = by.map_or_else(|| table.needs("by", "\"mfma-rows 16\""), Ok)?;
    let lanes = held_of(by)?;
    let rows = chips.iter().map(|chip| row_of(op, chip, direction, terms));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(Access {
        place,
        span: table.span(),
        direction,
        op: text(op, "op")?.split_whitespace().collect(),
        by: text(by, "by")?.split_whitespace().collect::<Vec<_>>().join(" "),
        lanes,
        times,
        least: terms.least,
        rows,
    })
}

/// What an access demands of its rows, as the words after `as` of a statement.
#[derive(Clone, Copy, Default)]
struct Terms {
    least: Option<Evidence>,
    own: bool,
    rival: bool,
}

fn terms_of(value: &Value<'_>) -> Result<Terms, Fault> {
    let mut terms = Terms::default();
    for word in text(value, "as")?.split_whitespace() {
        match word {
            "inferred" => terms.least = Some(Evidence::Inferred),
            "documented" => terms.least = Some(Evidence::Documented),
            "measured" => terms.least = Some(Evidence::Measured),
            "disputed" => terms.own = true,
            "rival" => terms.rival = true,
            other => {
                let words = ["inferred", "documented", "measured", "disputed", "rival"];
                let near = did_you_mean(other, words);
                return Err(Fault::new(
                    value.span(),
                    format!("`as` does not take `{other}`{near}"),
                ));
            }
        }
    }
    Ok(terms)
}

fn held_of(value: &Value<'_>) -> Result<Held, Fault> {
    let by = text(value, "by")?;
    if held::is_distribution(by) {
        let said = |fault: crate::request::reader::Syntax| {
            let message = format!("at byte {} of the distribution: {}", fault.at, fault.message);
            Fault::new(value.span(), message)
        };
        return held::parse(by)
            .map(|encoding| Held::Distribution(Box::new(encoding)))
            .map_err(said);
    }
    lanes(by).map(Held::Ready).map_err(|message| Fault::new(value.span(), message))
}

/// What lanes touch by its words: the name of a pattern, or a distribution.
pub(crate) fn held(by: &str) -> Option<Held> {
    match held::is_distribution(by) {
        true => held::parse(by).ok().map(|encoding| Held::Distribution(Box::new(encoding))),
        false => lanes(by).ok().map(Held::Ready),
    }
}

/// A ready-made pattern by its name.
fn lanes(by: &str) -> Result<Lanes<'static>, String> {
    Lanes::parse(by).map_err(|error| match error {
        PatternError::Unknown => {
            let names: Vec<_> = NAMED.iter().map(|named| layout::kebab(named.name())).collect();
            let word = by.split_whitespace().find(|word| *word != "whole").unwrap_or(by);
            let near = did_you_mean(word, names.iter().map(String::as_str));
            format!("no pattern is called `{by}`{near}; a distribution is `m [row 16], k [part 4, half 8]; lane (part, row), thread (half)`")
        }
        PatternError::Number { name, parameter } => {
            let name = layout::kebab(name);
            format!("`{by}`: write `{name} 16`, with {parameter} a whole number from 1 to 4294967295")
        }
        other => format!("`{by}`: {other}"),
    })
}

/// The row of an instruction on a chip: `ds_read_b128`, `ds_read2_b32(0, 64)`.
fn row_of(
    value: &Value<'_>,
    chip: &'static Chip,
    direction: Direction,
    terms: Terms,
) -> Result<Instruction, Fault> {
    let refuse = |message: String| Fault::new(value.span(), message);
    let op = text(value, "op")?;
    let mut row = row(op, chip).map_err(refuse)?;
    if row.access() != direction {
        let (is, says) = (word_of(row.access()), word_of(direction));
        let message = format!("{op} is a {is}, and stands under `{says}`");
        return Err(refuse(message));
    }
    if terms.rival {
        row = row.as_rival();
    } else if terms.own {
        row = row.as_disputed();
    }
    Ok(row)
}

/// The row of an instruction by its name, with the offsets of its two addresses if it has any.
pub(crate) fn row(op: &str, chip: &Chip) -> Result<Instruction, String> {
    let (name, offsets) = match op.split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.trim_end().trim_end_matches(')'))),
        None => (op.trim(), None),
    };
    let Ok(row) = chip.instruction(name) else {
        let all = chip.rows().iter().chain(chip.renamed()).map(Instruction::name);
        let near = match nearest(&name.replace('.', "_"), all) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => format!("; `tiledesc list {}` prints those there are", chip.name()),
        };
        return Err(format!("{} has no instruction `{name}`{near}", chip.name()));
    };
    let Some(offsets) = offsets else {
        if row.parts() > 1 {
            return Err(format!("{name} has two addresses: write their offsets, `{name}(0, 64)`"));
        }
        return Ok(*row);
    };
    let numbers: Vec<_> = offsets.split(',').map(|one| one.trim().parse::<u8>()).collect();
    match (row.parts(), &numbers[..]) {
        (2, [Ok(first), Ok(second)]) => Ok(row.offsets(*first, *second)),
        (2, _) => Err(format!("{op}: two offsets from 0 to 255 belong here, `{name}(0, 64)`")),
        _ => Err(format!("{name} has one address, and takes no offsets")),
    }
}
