//! Raw addresses: the byte that each lane accesses, as a disassembly or a debugger gives it.
//!
//! ```toml
//! addresses = "lane % 16 * 128 + lane / 16 * 16"    # of `lane` and `wave`, in C's operators
//! addresses = "r = lane / 16; c = lane % 16; r * 128 + (c ^ r) * 16"
//! addresses = "lane < 48 ? lane * 16 : idle"        # the other lanes access nothing
//! addresses = "any bin < 256; bin * 4"              # data: of each lane any of 256
//! addresses = [0, 128, 256, "-"]                    # one a lane, idle lanes as "-"
//! addresses = [[0, 4], [8, 12]]                     # of several instructions
//! ```
//!
//! A formula is computed exactly: what C would wrap or leave undefined is refused, with the column and the lane.

use crate::request::data::Choices;
use crate::request::fault::Fault;
use crate::request::reader::{Reader, Syntax};
use crate::request::spelling::plural;
use crate::request::value::{Value, list, refused, word};
use tiledesc::List;
use tiledesc::pattern::Row;
use toml::de::DeValue;

/// The bytes of each instruction, and how the access is called.
pub(crate) struct Addresses {
    pub(crate) bytes: Bytes,
    pub(crate) called: String,
}

/// The bytes that lanes touch.
pub(crate) enum Bytes {
    Known(Vec<Row>),
    /// Of each lane those of which data chooses one.
    Open(Choices),
}

/// Reads the addresses of `waves` waves of `lanes` lanes each; a list fixes `waves` by its length.
pub(crate) fn read(value: &Value<'_>, waves: Option<u64>, lanes: u32) -> Result<Addresses, Fault> {
    match value.get_ref() {
        DeValue::String(text) => {
            let is_of_waves = text.split(|c: char| !is_of_name(c)).any(|word| word == "wave");
            if is_of_waves && waves.is_none() {
                let message = "the addresses depend on `wave`, but the number of waves is missing: write `waves = 4`";
                return Err(Fault::new(value.span(), message));
            }
            let waves = waves.unwrap_or(1);
            let said = |fault: Syntax| {
                let column = text[..fault.at].chars().count() + 1;
                format!("at column {column} of the addresses: {}", fault.message)
            };
            let refuse = |fault| refused(value)(said(fault));
            let open = declared(text).map_err(refuse)?;
            let wave = |wave| choices(text, &open, wave, lanes).map_err(refuse);
            let each = (0..waves).map(wave).collect::<Result<Vec<_>, _>>()?;
            let bytes = match open.names.is_empty() {
                true => Bytes::Known(each.iter().map(|lanes| known(lanes)).collect()),
                false => Bytes::Open(Choices(each)),
            };
            Ok(Addresses { bytes, called: text.split_whitespace().collect::<Vec<_>>().join(" ") })
        }
        _ => {
            let wanted = "a formula `\"lane * 16\"`, or a list of bytes, one a lane, `[0, 16]`";
            let items = list(value, "addresses", wanted)?;
            if items.is_empty() {
                return Err(Fault::new(
                    value.span(),
                    format!("addresses is empty: write {wanted}"),
                ));
            }
            let is_nested = items.iter().any(|item| matches!(item.get_ref(), DeValue::Array(_)));
            let each = if is_nested { items } else { vec![value] };
            let rows = each.into_iter().map(|one| of_list(one, lanes));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            if let Some(waves) = waves.filter(|waves| *waves != rows.len() as u64) {
                let message = format!(
                    "addresses lists {}, but waves = {waves}: leave `waves` out, or list each wave",
                    plural(rows.len() as u64, "wave")
                );
                return Err(Fault::new(value.span(), message));
            }
            Ok(Addresses { bytes: Bytes::Known(rows), called: "by its addresses".to_string() })
        }
    }
}

/// Returns whether a character may be in a name.
fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The lanes of one instruction, those after the list idle.
fn of_list(value: &Value<'_>, lanes: u32) -> Result<Row, Fault> {
    let items = list(value, "addresses", "a list of bytes, one a lane, `[0, 16]`")?;
    if items.len() > lanes as usize {
        let message = format!("there are {} addresses, but a wave has {lanes} lanes", items.len());
        return Err(Fault::new(value.span(), message));
    }
    let mut row = [None; 64];
    for (lane, item) in items.into_iter().enumerate() {
        let is_idle = matches!(item.get_ref(), DeValue::String(text) if text == "-");
        if !is_idle {
            row[lane] = Some(List::new(&[word(item, "an address", 0)?]));
        }
    }
    Ok(row)
}

/// The word before a name whose value is data.
const ANY: &str = "any";

/// The most values of all data of a formula together.
const MOST_VALUES: u32 = 4096;

/// The names at the beginning of a formula whose values are data, each below a number, and where the rest begins.
struct Declared<'a> {
    names: Vec<(&'a str, u32)>,
    end: usize,
}

/// Reads `any bin < 256;`, as often as it is there.
fn declared(text: &str) -> Result<Declared<'_>, Syntax> {
    let mut reader = Reader::new(text);
    let (mut names, mut end, mut all): (Vec<(&str, u32)>, _, _) = (Vec::new(), 0, 1_u32);
    loop {
        reader.blanks();
        let name = match reader.name() {
            Some(ANY) => {
                reader.blanks();
                reader.name()
            }
            _ => None,
        };
        let Some(name) = name else { return Ok(Declared { names, end }) };
        let at = reader.at - name.len();
        if ["lane", "wave", IDLE].contains(&name) || names.iter().any(|known| known.0 == name) {
            return reader.here(at, format!("`{name}` has a value already"));
        }
        reader.wants("<")?;
        reader.blanks();
        let at = reader.at;
        let below = reader.literal("a number")?;
        all = all.saturating_mul(below);
        if !(1..=MOST_VALUES).contains(&all) {
            let message =
                format!("data may have from 1 to {MOST_VALUES} values in all, but this has {all}");
            return reader.here(at, message);
        }
        reader.wants(";")?;
        names.push((name, below));
        end = reader.at;
    }
}

/// The byte of each lane of a wave for each value of the data; without data one.
fn choices(
    text: &str,
    open: &Declared<'_>,
    wave: u64,
    lanes: u32,
) -> Result<Vec<Vec<Option<u32>>>, Syntax> {
    no_comment(text)?;
    let many: u32 = open.names.iter().map(|(_, below)| below).product();
    let of_value = |lane: u32, mut value: u32| {
        let mut names = vec![("lane", Some(i64::from(lane))), ("wave", Some(wave as i64))];
        for (name, below) in &open.names {
            names.push((name, Some(i64::from(value % below))));
            value /= below;
        }
        of_lane(text, open.end, lane, names)
    };
    let of_lane = |lane| (0..many).map(|value| of_value(lane, value)).collect();
    (0..lanes).map(of_lane).collect()
}

/// Refuses what elsewhere in a file of tiles begins a comment.
fn no_comment(text: &str) -> Result<(), Syntax> {
    match text.find("//") {
        Some(at) => Reader::new(text).here(at, "`//` is not an operator: `/` rounds down"),
        None => Ok(()),
    }
}

/// The lanes of a wave whose bytes no data chooses.
fn known(lanes: &[Vec<Option<u32>>]) -> Row {
    let byte = |lane: usize| *lanes.get(lane)?.first()?;
    core::array::from_fn(|lane| byte(lane).map(|byte| List::new(&[byte])))
}

/// The byte of a lane by a formula that begins at a place of the text, with the values of some names.
fn of_lane(
    text: &str,
    at: usize,
    lane: u32,
    names: Vec<(&str, Option<i64>)>,
) -> Result<Option<u32>, Syntax> {
    let mut reader = Reader::new(text);
    reader.at = at;
    let mut formula = Formula { reader, lane, names, depth: 0, not_chosen: 0 };
    let value = formula.value()?;
    if !formula.reader.is_at_end() {
        return Err(formula.reader.expected("an operator or the end"));
    }
    let Some(value) = value else { return Ok(None) };
    u32::try_from(value).map(Some).map_err(|_| Syntax {
        at: 0,
        message: format!("lane {lane} gets {value}, but a byte is from 0 to 4294967295"),
    })
}

/// The operators by how tightly they bind, as in C.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The word for a lane that accesses nothing.
const IDLE: &str = "idle";

/// The deepest nesting of parentheses, signs and choices: no formula needs more, and each is a call deeper.
const DEEPEST: usize = 64;

/// A formula of one lane, computed as it is read. A value is `None` for a lane that is idle.
struct Formula<'a> {
    reader: Reader<'a>,
    lane: u32,
    /// Names that are known so far, with their values.
    names: Vec<(&'a str, Option<i64>)>,
    depth: usize,
    /// The number of enclosing branches that the lane does not take. They are read, and what has no value in them is 0.
    not_chosen: usize,
}

impl Formula<'_> {
    /// Reads names with their values, one after the other, and the address.
    fn value(&mut self) -> Result<Option<i64>, Syntax> {
        loop {
            self.reader.blanks();
            let at = self.reader.at;
            match self.reader.name().filter(|_| self.takes("=")) {
                Some(name) if name == IDLE || self.names.iter().any(|known| known.0 == name) => {
                    return self.reader.here(at, format!("`{name}` has a value already"));
                }
                Some(name) => {
                    let value = self.choice()?;
                    self.names.push((name, value));
                    self.reader.wants(";")?;
                }
                None => {
                    self.reader.at = at;
                    return self.choice();
                }
            }
        }
    }

    /// A value, or `condition ? value : value`.
    fn choice(&mut self) -> Result<Option<i64>, Syntax> {
        let at = self.reader.at;
        let condition = self.binary(0)?;
        if !self.reader.takes("?") {
            return Ok(condition);
        }
        let holds = self.number(condition, at)? != 0;
        let one = self.branch(holds, Self::inner)?;
        self.reader.wants(":")?;
        let other = self.branch(!holds, Self::inner)?;
        Ok(if holds { one } else { other })
    }

    /// A value within another.
    fn inner(&mut self) -> Result<Option<i64>, Syntax> {
        self.deeper(Self::choice)
    }

    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Option<i64>, Syntax>,
    ) -> Result<Option<i64>, Syntax> {
        if self.depth == DEEPEST {
            let most =
                format!("at most {DEEPEST} parentheses, signs and choices within each other");
            return Err(self.reader.expected(&most));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Reads what the lane computes only if it `takes` this branch.
    fn branch<T>(
        &mut self,
        takes: bool,
        read: impl FnOnce(&mut Self) -> Result<T, Syntax>,
    ) -> Result<T, Syntax> {
        self.not_chosen += usize::from(!takes);
        let value = read(self);
        self.not_chosen -= usize::from(!takes);
        value
    }

    /// Operands between operators of at least this tightness, from the left.
    fn binary(&mut self, least: usize) -> Result<Option<i64>, Syntax> {
        self.reader.blanks();
        let begin = self.reader.at;
        let mut value = self.operand()?;
        while let Some((operator, tightness, at)) = self.operator(least) {
            let one = self.number(value, begin)?;
            let is_decided = matches!((operator, one), ("&&", 0)) || operator == "||" && one != 0;
            self.reader.blanks();
            let after = self.reader.at;
            let other = self.branch(!is_decided, |formula| formula.binary(tightness + 1))?;
            let other = self.number(other, after)?;
            let result = applied(operator, one, other);
            value = self.exact(result, at, || format!("{one} {operator} {other}"))?;
        }
        Ok(value)
    }

    /// Takes the operator that begins here if it is of at least this tightness; with its tightness and its place.
    fn operator(&mut self, least: usize) -> Option<(&'static str, usize, usize)> {
        self.reader.blanks();
        let at = self.reader.at;
        let (operator, tightness) = longest(self.reader.rest()).filter(|one| one.1 >= least)?;
        self.reader.at += operator.len();
        Some((operator, tightness, at))
    }

    /// The result of an operation, if C has one.
    fn exact(
        &self,
        result: Option<i64>,
        at: usize,
        operation: impl FnOnce() -> String,
    ) -> Result<Option<i64>, Syntax> {
        if result.is_some() || self.not_chosen > 0 {
            return Ok(Some(result.unwrap_or(0)));
        }
        self.reader.here(at, format!("`{}` of lane {} has no value", operation(), self.lane))
    }

    /// Takes a sign, unless a longer operator begins here.
    fn takes(&mut self, sign: &str) -> bool {
        self.reader.blanks();
        let is_longer = longest(self.reader.rest()).is_some_and(|one| one.0.len() > sign.len());
        !is_longer && self.reader.takes(sign)
    }

    /// The number of a value that is computed with.
    fn number(&self, value: Option<i64>, at: usize) -> Result<i64, Syntax> {
        match value {
            Some(value) => Ok(value),
            None if self.not_chosen > 0 => Ok(0),
            None => {
                let message = format!(
                    "lane {} is idle here: `{IDLE}` must be a whole branch, as in `lane < 48 ? lane * 16 : {IDLE}`",
                    self.lane
                );
                self.reader.here(at, message)
            }
        }
    }

    fn operand(&mut self) -> Result<Option<i64>, Syntax> {
        for sign in ["-", "~", "!"] {
            self.reader.blanks();
            let at = self.reader.at;
            if self.takes(sign) {
                let value = self.deeper(Self::operand)?;
                let value = self.number(value, at)?;
                let result = match sign {
                    "-" => value.checked_neg(),
                    "~" => Some(!value),
                    _ => Some(i64::from(value == 0)),
                };
                return self.exact(result, at, || format!("{sign}{value}"));
            }
        }
        if self.reader.takes("(") {
            let value = self.inner()?;
            self.reader.wants(")")?;
            return Ok(value);
        }
        self.reader.blanks();
        let at = self.reader.at;
        let Some(name) = self.reader.name() else {
            let number = self.reader.literal("`lane`, `wave`, a number or `(`")?;
            return Ok(Some(i64::from(number)));
        };
        if name == IDLE {
            return Ok(None);
        }
        match self.names.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => Ok(*value),
            None => {
                let all: Vec<_> =
                    self.names.iter().map(|(known, _)| format!("`{known}`")).collect();
                self.reader
                    .here(at, format!("`{name}` is unknown here: there are {}", all.join(", ")))
            }
        }
    }
}

/// The longest operator that the text begins with, and its place among [`OPERATORS`].
fn longest(text: &str) -> Option<(&'static str, usize)> {
    let of = |(tightness, row): (usize, &'static [&'static str])| {
        row.iter().map(move |one| (*one, tightness))
    };
    let all = OPERATORS.into_iter().enumerate().flat_map(of);
    all.filter(|(one, _)| text.starts_with(one)).max_by_key(|(one, _)| one.len())
}

/// A result that C has, too: no division by 0, no shift by 64 or more, nothing too large.
fn applied(operator: &str, one: i64, other: i64) -> Option<i64> {
    let truth = |holds: bool| Some(i64::from(holds));
    match operator {
        "||" => truth(one != 0 || other != 0),
        "&&" => truth(one != 0 && other != 0),
        "==" => truth(one == other),
        "!=" => truth(one != other),
        "<" => truth(one < other),
        "<=" => truth(one <= other),
        ">" => truth(one > other),
        ">=" => truth(one >= other),
        "|" => Some(one | other),
        "^" => Some(one ^ other),
        "&" => Some(one & other),
        "<<" => {
            one.checked_mul(1_i64.checked_shl(u32::try_from(other).ok()?)?).filter(|_| other < 63)
        }
        ">>" => one.checked_shr(u32::try_from(other).ok()?),
        "+" => one.checked_add(other),
        "-" => one.checked_sub(other),
        "*" => one.checked_mul(other),
        "/" => one.checked_div(other),
        _ => one.checked_rem(other),
    }
}
