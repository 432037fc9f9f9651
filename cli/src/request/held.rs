//! The elements that the lanes of an access touch: a pattern by its name, a distribution in the words of
//! `distribution!`, Triton's bases, or a distribution that the file names in its table `distribution`.
//!
//! ```text
//!   mfma-rows 16
//!   first mfma-rows 16
//!   split 2 4 mfma-rows 16                  two narrow accesses for each, crossed by lanes with bit 4; 0 crosses none
//!   m [again 4, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half)
//!   (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part)
//!   register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [0, 4]], warp = []
//!   #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
//!   ((_4,_8),(_2,_2)):((_32,_1),(_16,_8)) of (16, 8)        threads and values, as CuTe prints them
//!   a of v_mfma_f32_32x32x16_f16, waves 2x2
//! ```

use crate::request::data::Data;
use crate::request::fault::{Fault, kept as kept_fault};
use crate::request::operand::{self, Over, is_operand};
use crate::request::reader::{Reader, Syntax};
use crate::request::spelling::{did_you_mean, kebab, nearest, plain};
use crate::request::value::{Table, check_name, refused, text};
use tiledesc::distribution::{Encoding, NamedFactor};
use tiledesc::pattern::{Lanes, NAMED, Row};
use tiledesc::{Error as LayoutError, List};
use tiledesc_host::exchange::pattern;
use tiledesc_host::exchange::triton::distributed;
use tiledesc_host::exchange::tv;
use tiledesc_host::{Error, ErrorKind};

/// The most lanes of a block, on every chip here (CUDA C++ Programming Guide, technical specifications per compute capability;
/// HIP's `maxThreadsPerBlock`).
pub(crate) const MOST_LANES: u64 = 1024;

/// The elements that the lanes touch.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    Ready(Lanes<'static>),
    /// A distribution, with the names of its dimensions, if it has any.
    Distribution(Box<Encoding>, Vec<&'static str>),
    /// A distribution whose accesses are done in parts: how many, and the bit of the lane's number that crosses them.
    Split(Box<Encoding>, Vec<&'static str>, [u32; 2]),
    /// The byte of each lane, of each instruction.
    Addresses(Vec<Row>),
    /// The bytes of each lane of which data chooses one.
    Data(Box<Data>),
}

impl Held {
    /// Reads a text, in a file that names some distributions, or explains why it is refused. A layout of Triton's and an operand
    /// are those over the tile, if its lengths are known.
    pub(crate) fn read(by: &str, named: &[Named], over: Over<'_>) -> Result<Self, String> {
        let Some((parts, whole)) = split_of(by)? else { return Self::whole(by, named, over) };
        let refused = || {
            format!(
                "`split {} {}`: the parts are a power of two from 2 to 64, and the lane is 0 or one below 64",
                parts[0], parts[1]
            )
        };
        match Self::whole(whole, named, over)? {
            Self::Ready(lanes) => {
                lanes.split(parts[0], parts[1]).map(Self::Ready).ok_or_else(refused)
            }
            Self::Distribution(encoding, names) => {
                let is_split = Lanes::distributed(&encoding).split(parts[0], parts[1]).is_some();
                if is_split { Ok(Self::Split(encoding, names, parts)) } else { Err(refused()) }
            }
            _ => Err(refused()),
        }
    }

    /// Reads what whole accesses touch, not in parts.
    fn whole(by: &str, named: &[Named], over: Over<'_>) -> Result<Self, String> {
        if let Some(known) = named.iter().find(|known| known.is(by.trim())) {
            return match &known.meaning {
                Meaning::Held(held) => Ok(held.clone()),
                Meaning::OverTheTile => Self::whole(&known.words, &[], over),
                Meaning::Refused => {
                    Err(format!("the distribution `{}` is refused where it is named", known.name))
                }
            };
        }
        if is_operand(by) {
            return Self::of_a_block(operand::read(by, over)?, Vec::new());
        }
        if is_tv(by) {
            return Self::of_a_block(of_tv(by, over)?, Vec::new());
        }
        if !is_distribution(by) {
            let others: Vec<_> = named.iter().map(|known| known.name.as_str()).collect();
            return pattern(by, &others).map(Self::Ready);
        }
        let said =
            |fault: Syntax| format!("at byte {} of the distribution: {}", fault.at, fault.message);
        let (encoding, names) = parse(by, over.lengths).map_err(said)?;
        Self::of_a_block(encoding, names)
    }

    /// Refuses a distribution over more lanes than a block has.
    fn of_a_block(encoding: Encoding, names: Vec<&'static str>) -> Result<Self, String> {
        let (waves, lanes) = (encoding.waves(), encoding.lanes());
        let all = u64::from(waves) * u64::from(lanes);
        if all > MOST_LANES {
            return Err(format!(
                "the distribution has {waves} waves of {lanes} lanes, {all} in all; a block has at most {MOST_LANES}"
            ));
        }
        Ok(Self::Distribution(Box::new(encoding), names))
    }

    pub(crate) fn lanes(&self) -> Lanes<'_> {
        match self {
            Self::Ready(lanes) => *lanes,
            Self::Distribution(encoding, _) => Lanes::distributed(encoding),
            Self::Split(encoding, _, [parts, lane]) => {
                let whole = Lanes::distributed(encoding);
                // What was read can be split.
                whole.split(*parts, *lane).unwrap_or(whole)
            }
            Self::Addresses(rows) => Lanes::table(rows, 0),
            Self::Data(data) => data.lanes(0),
        }
    }

    /// Refuses dimensions that are not the tile's, in its order: `m [..], k [..]` of a tile `{ k = 64, m = 128 }`, and
    /// `rows [..]` of either. The library compares how many there are, with their lengths.
    pub(crate) fn check_names(&self, of_tile: &[Option<&str>]) -> Result<(), String> {
        let (Self::Distribution(_, names) | Self::Split(_, names, _)) = self else { return Ok(()) };
        let is = |(at, name): (usize, &&str)| match of_tile.get(at) {
            Some(Some(own)) => {
                let is_other = own != name && of_tile.contains(&Some(*name));
                own.eq_ignore_ascii_case(name) && !is_other
            }
            _ => !of_tile.contains(&Some(*name)),
        };
        match names.iter().enumerate().all(is) {
            true => Ok(()),
            false => {
                let of_tile = of_tile.iter().map(|name| name.unwrap_or("a dimension without name"));
                let (names, of_tile) = (names.join(", "), of_tile.collect::<Vec<_>>().join(", "));
                Err(format!(
                    "the distribution has the dimensions {names}, but the tile has {of_tile}: write those, in this order"
                ))
            }
        }
    }
}

/// A distribution that the file has given a name.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    name: String,
    /// The text of the file, in one line.
    pub(crate) words: String,
    meaning: Meaning,
}

#[derive(Clone, Debug)]
enum Meaning {
    Held(Held),
    /// A layout of Triton's or CuTe's, or an operand: read anew with the lengths of each tile.
    OverTheTile,
    /// Its fault is reported where it is named.
    Refused,
}

impl Named {
    /// Returns whether a text is the name.
    pub(crate) fn is(&self, by: &str) -> bool {
        self.name == by
    }
}

/// The table `distribution` of a file: `fetch = "m [again 4, wave 4, row 8], .."`.
pub(crate) fn read_named(table: &Table<'_>, faults: &mut Vec<Fault>) -> Vec<Named> {
    let Some(value) = table.get("distribution") else { return Vec::new() };
    let Some(table) = kept_fault(Table::from_value(value, "distribution"), faults) else {
        return Vec::new();
    };
    let mut named = Vec::new();
    for (name, span, value) in table.entries() {
        let is_pattern = || NAMED.iter().any(|known| plain(known.name()) == plain(name));
        let found = check_name(name, &span).and_then(|()| match is_pattern() {
            true => Err(Fault::new(span, format!("`{name}` is a pattern's name: take another"))),
            false => text(value, &format!("distribution.{name}")),
        });
        let found = found.and_then(|words| {
            let over_the_tile = is_operand(words) || is_tv(words);
            let held = (!over_the_tile).then(|| Held::read(words, &[], Over::default()));
            let held = held.transpose().map_err(refused(value))?.filter(|_| !is_triton(words));
            Ok((in_one_line(words), held.map_or(Meaning::OverTheTile, Meaning::Held)))
        });
        let (words, meaning) =
            kept_fault(found, faults).unwrap_or((String::new(), Meaning::Refused));
        named.push(Named { name: name.to_string(), words, meaning });
    }
    named
}

/// The number of parts in which the accesses of a text are done, the bit of the lane by which they are crossed, and the
/// text of the whole accesses: `split 2 4 mfma-rows 16`. `None` of accesses that are not in parts.
pub(crate) fn split_of(by: &str) -> Result<Option<([u32; 2], &str)>, String> {
    let word = |text: &'_ str| text.find(char::is_whitespace).unwrap_or(text.len());
    let by = by.trim_start();
    if &by[..word(by)] != "split" {
        return Ok(None);
    }
    let (mut rest, mut numbers) = (by["split".len()..].trim_start(), [0; 2]);
    for number in &mut numbers {
        let end = word(rest);
        *number = rest[..end].parse().map_err(|_| {
            format!("`{}`: write the parts and the lane that crosses them, as in `split 2 4 mfma-rows 16`", in_one_line(by))
        })?;
        rest = rest[end..].trim_start();
    }
    Ok(Some((numbers, rest)))
}

/// The words of a text with one blank between them.
pub(crate) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A ready-made pattern by its name; `others` are names that the file gives.
fn pattern(by: &str, others: &[&str]) -> Result<Lanes<'static>, String> {
    pattern::parse(by).map_err(|error| match (error.kind(), pattern::named(by)) {
        (ErrorKind::Unknown, _) => {
            let names: Vec<_> = NAMED.iter().map(|named| kebab(named.name())).collect();
            // `mfma rows 16` is meant as `mfma-rows 16`.
            let is_word = |word: &&str| *word != "first" && word.parse::<u32>().is_err();
            let words: Vec<_> = by.split_whitespace().filter(is_word).collect();
            let known = || names.iter().map(String::as_str).chain(others.iter().copied());
            match nearest(&words.join("-"), known()) {
                Some(near) => format!("no pattern is called `{by}`; did you mean `{near}`?"),
                None => format!(
                    "no pattern is called `{by}`{}; a distribution is `m [row 16], k [part 4, half 8]; lane (part, row), thread (half)`, or the name of one in `[distribution]`",
                    did_you_mean(by, known().collect::<Vec<_>>())
                ),
            }
        }
        (ErrorKind::Number, Some(named)) => {
            let (name, parameter) = (kebab(named.name()), named.parameter().unwrap_or("number"));
            format!("`{by}` needs {parameter}, a whole number from 1 to 4294967295: write `{name} 16`")
        }
        _ => format!("`{by}`: {error}"),
    })
}

/// Returns whether a text is a distribution, and not the name of a pattern.
fn is_distribution(text: &str) -> bool {
    text.contains('[') || is_triton(text)
}

/// Returns whether a text is a layout as Triton's IR or Gluon prints it, or its bases.
fn is_triton(text: &str) -> bool {
    let begin = text.trim_start();
    begin.starts_with('#') || begin.starts_with("register") || begin.contains("Layout(")
}

/// The distribution of a text, and the names of its dimensions.
fn parse(text: &str, tile: Option<List>) -> Result<(Encoding, Vec<&'static str>), Syntax> {
    if is_triton(text) {
        return of_triton(text, tile).map(|encoding| (encoding, Vec::new()));
    }
    let mut reader = Reader::new(text);
    if reader.takes("type ") {
        reader.name().ok_or_else(|| reader.expected("a name"))?;
        reader.wants(":")?;
    }
    let dimensions = reader.until(";", dimension)?;
    if dimensions.is_empty() {
        return Err(no_dimension(&mut reader));
    }
    let owners = owners(&mut reader)?;
    let slices: Vec<_> = dimensions.iter().map(|of| (of.counted, of.factors.as_slice())).collect();
    let [wave, lane, thread] = &owners.lists;
    let whole = Encoding::named(&owners.repeat, &slices, wave, lane, thread);
    let parts: Vec<_> = dimensions.iter().map(|of| Ok(List::new(&of.lengths))).collect();
    let names: Vec<_> = dimensions.iter().map(|of| of.names.as_slice()).collect();
    Encoding::of_parts(whole, &parts, &names)
        .map(|encoding| (encoding, names.concat()))
        .map_err(|fault| Syntax { at: 0, message: fault.to_string() })
}

/// A dimension, or several that are counted as one number.
struct Dimension {
    names: Vec<&'static str>,
    /// The name of what the factors count, for sentences.
    counted: &'static str,
    factors: Vec<NamedFactor>,
    /// The lengths, where the factors only cover them.
    lengths: Vec<u32>,
}

/// `m [row 16]`, `m [again 4, row 8] of 31`, `(m, k) [lane 64, part 4] of (6, 40)`
fn dimension(reader: &mut Reader<'_>) -> Result<Dimension, Syntax> {
    let names = match reader.name() {
        Some(name) => vec![kept(name)],
        None if reader.takes("(") => names_to_end(reader, "the name of a dimension")?,
        None => return Err(no_dimension(reader)),
    };
    let counted =
        if let [one] = names[..] { one } else { kept(&format!("({})", names.join(", "))) };
    let factors = factors(reader)?;
    let lengths = match reader.takes("of") {
        false => vec![],
        true if names.len() == 1 => vec![reader.number()?],
        true => reader.numbers("(", ")")?,
    };
    Ok(Dimension { names, counted, factors, lengths })
}

fn no_dimension(reader: &mut Reader<'_>) -> Syntax {
    reader.expected("a dimension, as in `m [row 16]`")
}

/// `#ttg.blocked<{sizePerThread = [1, 8], ..}>`, `register = [[0, 1]], lane = ..`
fn of_triton(text: &str, tile: Option<List>) -> Result<Encoding, Syntax> {
    let said = |fault: Error| match fault.kind() {
        ErrorKind::Syntax { at, expected } => {
            Syntax { at, message: format!("expected {expected}") }
        }
        _ => Syntax { at: 0, message: fault.to_string() },
    };
    distributed(text, tile).map_err(said)?.encoding().map_err(said)
}

/// Returns whether a text is a TV layout of CuTe's, `((_4,_8),(_2,_2)):((_32,_1),(_16,_8)) of (16, 8)`, or a copy that has
/// one.
fn is_tv(text: &str) -> bool {
    let is_printed =
        text.trim_start().starts_with('(') && text.contains(':') && !text.contains('[');
    is_printed || tv::of_copy(text).is_some()
}

/// A TV layout over the tile, of which it covers a part again and again.
fn of_tv(text: &str, over: Over<'_>) -> Result<Encoding, String> {
    let of_copy = tv::of_copy(text).transpose().map_err(|error| error.to_string())?;
    let tile = over.lengths.ok_or("a TV layout needs a tile")?;
    if let Some((words, covered)) = of_copy {
        return of_threads(&words, covered, tile, over);
    }
    let (words, part) = match text.rsplit_once(" of ") {
        Some((words, part)) => (words, Some(part)),
        None => (text, None),
    };
    let covered = match part {
        Some(part) => {
            let numbers = Reader::new(part)
                .numbers("(", ")")
                .map_err(|fault| format!("of {}: {}", part.trim(), fault.message))?;
            List::from_slice(&numbers).map_err(|error| LayoutError::Number(error).to_string())?
        }
        None => tile,
    };
    of_threads(words, covered, tile, over)
}

fn of_threads(words: &str, covered: List, tile: List, over: Over<'_>) -> Result<Encoding, String> {
    let mut waves = over.chips.iter().map(|chip| chip.wave());
    let lanes = waves.next().unwrap_or(32);
    if let Some(other) = waves.find(|wave| *wave != lanes) {
        return Err(format!(
            "the chips have waves of {lanes} and of {other} lanes, and a TV layout has one number of threads: write a tile for each"
        ));
    }
    let registers =
        tv::registers(words, covered, tile, lanes).map_err(|error| error.to_string())?;
    registers.encoding().map_err(|error| error.to_string())
}

/// `[row 16, half 8]`
fn factors(reader: &mut Reader<'_>) -> Result<Vec<NamedFactor>, Syntax> {
    reader.wants("[")?;
    reader.until("]", |reader| {
        let name = reader.name().ok_or_else(|| reader.expected("a factor, as in `row 16`"))?;
        Ok((kept(name), reader.number()?))
    })
}

/// The owners of factors: the factors of wave, lane and thread.
struct Owners {
    repeat: Vec<NamedFactor>,
    lists: [Vec<&'static str>; 3],
}

/// `repeat [copy 2], wave (wave), lane (row, chunk), thread (half)`
fn owners(reader: &mut Reader<'_>) -> Result<Owners, Syntax> {
    let mut owners = Owners { repeat: Vec::new(), lists: Default::default() };
    let mut next = 0;
    while !reader.is_at_end() && !reader.takes(";") {
        if next > 0 && !reader.takes(",") {
            return Err(reader.expected("`,` or the end"));
        }
        if next == 0 && reader.takes("repeat") {
            (owners.repeat, next) = (factors(reader)?, 1);
            continue;
        }
        let names = ["wave", "lane", "thread"];
        let found = (0..3).find(|i| i + 1 >= next && reader.takes(names[*i]));
        let Some(owner) = found else {
            let order =
                "an owner, in the order `repeat [..]`, `wave (..)`, `lane (..)`, `thread (..)`";
            return Err(reader.expected(order));
        };
        reader.wants("(")?;
        (owners.lists[owner], next) = (names_to_end(reader, "the name of a factor")?, owner + 2);
    }
    if reader.is_at_end() { Ok(owners) } else { Err(reader.expected("the end")) }
}

/// Reads the names of a list to its `)`; the `(` was read.
fn names_to_end(reader: &mut Reader<'_>, what: &str) -> Result<Vec<&'static str>, Syntax> {
    reader.until(")", |reader| reader.name().map(kept).ok_or_else(|| reader.expected(what)))
}

/// A name that lives as long as the program: an [`Encoding`] holds such, for constants.
fn kept(name: &str) -> &'static str {
    Box::leak(name.to_string().into_boxed_str())
}
