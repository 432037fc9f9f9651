//! Raw addresses: the byte that each lane accesses, as a disassembly or a debugger gives it.
//!
//! ```toml
//! addresses = "lane % 16 * 128 + lane / 16 * 16"    # of `lane` and `wave`, in C's operators
//! addresses = "r = lane / 16; c = lane % 16; r * 128 + (c ^ r) * 16"
//! addresses = [0, 128, 256, "-"]                    # one a lane, idle lanes as "-"
//! addresses = [[0, 4], [8, 12]]                     # of several instructions
//! ```
//!
//! A formula is computed exactly: what C would wrap or leave undefined is refused, with the column and the lane.

use crate::request::fault::Fault;
use crate::request::reader::{Reader, Syntax};
use crate::request::spelling::plural;
use crate::request::value::{Value, list, refused, word};
use tiledesc::List;
use tiledesc::pattern::Row;
use toml::de::DeValue;

/// The bytes of each instruction, and how the access is called.
pub(crate) struct Addresses {
    pub(crate) rows: Vec<Row>,
    pub(crate) called: String,
}

/// Reads the addresses of `waves` waves of `lanes` lanes each; a list fixes `waves` by its length.
pub(crate) fn read(value: &Value<'_>, waves: Option<u64>, lanes: u32) -> Result<Addresses, Fault> {
    match value.get_ref() {
        DeValue::String(text) => {
            let is_of_waves = text.split(|c: char| !is_of_name(c)).any(|word| word == "wave");
            if is_of_waves && waves.is_none() {
                let message = "the addresses depend on `wave`, and their number is missing: write `waves = 4`";
                return Err(Fault::new(value.span(), message));
            }
            let waves = waves.unwrap_or(1);
            let said = |fault: Syntax| {
                let column = text[..fault.at].chars().count() + 1;
                format!("at column {column} of the addresses: {}", fault.message)
            };
            let wave = |wave| formula(text, wave, lanes).map_err(said).map_err(refused(value));
            let rows = (0..waves).map(wave).collect::<Result<_, _>>()?;
            Ok(Addresses { rows, called: text.split_whitespace().collect::<Vec<_>>().join(" ") })
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
            Ok(Addresses { rows, called: "by its addresses".to_string() })
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
        let message = format!("{} addresses, and a wave has {lanes} lanes", items.len());
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

fn formula(text: &str, wave: u64, lanes: u32) -> Result<Row, Syntax> {
    // Elsewhere in a file of tiles it begins a comment.
    if let Some(at) = text.find("//") {
        return Reader::new(text).here(at, "`//` is not an operator: `/` rounds down");
    }
    let mut row = [None; 64];
    for lane in 0..lanes {
        let names = vec![("lane", i64::from(lane)), ("wave", wave as i64)];
        let mut formula = Formula { reader: Reader::new(text), lane, names, depth: 0 };
        let value = formula.value()?;
        if !formula.reader.is_at_end() {
            return Err(formula.reader.expected("an operator, or the end,"));
        }
        let byte = u32::try_from(value).map_err(|_| Syntax {
            at: 0,
            message: format!("of lane {lane} it is {value}: a byte is from 0 to 4294967295"),
        })?;
        row[lane as usize] = Some(List::new(&[byte]));
    }
    Ok(row)
}

/// The operators by how tightly they bind, as in C, and longer ones before their beginnings.
const OPERATORS: [&[&str]; 6] =
    [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

/// The deepest nesting of parentheses: no formula needs more, and each is a call deeper.
const MOST_PARENTHESES: usize = 64;

/// A formula of one lane, computed as it is read.
struct Formula<'a> {
    reader: Reader<'a>,
    lane: u32,
    /// Names that are known so far, with their values.
    names: Vec<(&'a str, i64)>,
    depth: usize,
}

impl Formula<'_> {
    /// Reads names with their values, one after the other, and the address.
    fn value(&mut self) -> Result<i64, Syntax> {
        loop {
            self.reader.blanks();
            let at = self.reader.at;
            match self.reader.name().filter(|_| self.reader.takes("=")) {
                Some(name) if self.names.iter().any(|(known, _)| *known == name) => {
                    return self.reader.here(at, format!("`{name}` has a value already"));
                }
                Some(name) => {
                    let value = self.binary(0)?;
                    self.names.push((name, value));
                    self.reader.wants(";")?;
                }
                None => {
                    self.reader.at = at;
                    return self.binary(0);
                }
            }
        }
    }

    /// Operands between operators of at least this tightness, from the left.
    fn binary(&mut self, tightness: usize) -> Result<i64, Syntax> {
        let Some(operators) = OPERATORS.get(tightness) else { return self.operand() };
        let mut value = self.binary(tightness + 1)?;
        loop {
            self.reader.blanks();
            let at = self.reader.at;
            let Some(operator) = operators.iter().find(|one| self.reader.takes(one)) else {
                return Ok(value);
            };
            let other = self.binary(tightness + 1)?;
            value = applied(operator, value, other).ok_or_else(|| Syntax {
                at,
                message: format!("`{value} {operator} {other}` of lane {} has no value", self.lane),
            })?;
        }
    }

    fn operand(&mut self) -> Result<i64, Syntax> {
        if self.reader.takes("(") {
            if self.depth == MOST_PARENTHESES {
                return Err(self.reader.expected("at most 64 open parentheses"));
            }
            self.depth += 1;
            let value = self.binary(0)?;
            self.depth -= 1;
            self.reader.wants(")")?;
            return Ok(value);
        }
        self.reader.blanks();
        let at = self.reader.at;
        let Some(name) = self.reader.name() else {
            return self.reader.literal("`lane`, `wave`, a number or `(`").map(i64::from);
        };
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

/// A result that C has, too: no division by 0, no shift by 64 or more, nothing too large.
fn applied(operator: &str, one: i64, other: i64) -> Option<i64> {
    match operator {
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
