//! A tile by keys and values in place of a file's text: of options, or of another language's arguments.
//!
//! ```text
//!   --element f16 --shape m=128,k=64      td.Tile("f16", {"m": 128, "k": 64})      element = "f16", shape = { m = 128, k = 64 }
//! ```
//!
//! So all are read in one place, and a fault has the name of an option or an argument where a file's has a line.

use std::fmt;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

/// A value of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string.
    Text(String),
    /// True or false.
    Flag(bool),
    /// The digits of a whole number, which may be as long as they like.
    Whole(String),
    /// A number with a point, as a file has it.
    Real(String),
    /// Values in their order.
    List(Vec<Self>),
    /// Values by their names, in their order.
    Table(Vec<(String, Self)>),
}

impl Value {
    /// Reads a value of TOML.
    ///
    /// # Errors
    ///
    /// The sentence on why the text is no value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = DeValue::parse(text);
        let value = value.map_err(|error| error.message().trim().replace('\n', "; "))?;
        Ok(Self::from_toml(value.get_ref()))
    }

    /// Reads the keys of a table without its braces: `recipe = "gemm-xor", kpack = 8`.
    ///
    /// # Errors
    ///
    /// The sentence on why the text is no table.
    pub fn keys(words: &str) -> Result<Vec<(String, Self)>, String> {
        match Self::parse(&format!("{{ {words} }}"))? {
            Self::Table(keys) => Ok(keys),
            _ => Err(format!("`{words}` is not a table")),
        }
    }

    fn from_toml(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Integer(digits) => {
                let plain = digits.as_str().replace('_', "");
                let number = i128::from_str_radix(&plain, digits.radix());
                Self::Whole(number.map_or(plain, |number| number.to_string()))
            }
            DeValue::Float(digits) => Self::Real(digits.as_str().to_string()),
            DeValue::Boolean(flag) => Self::Flag(*flag),
            DeValue::Datetime(date) => Self::Text(date.to_string()),
            DeValue::Array(items) => {
                Self::List(items.iter().map(|one| Self::from_toml(one.get_ref())).collect())
            }
            DeValue::Table(keys) => {
                let each = keys.iter();
                let pair = each
                    .map(|(key, one)| (key.get_ref().to_string(), Self::from_toml(one.get_ref())));
                Self::Table(pair.collect())
            }
        }
    }

    /// The value as the reader of files has it, where a file has it at a place.
    fn at(&self, place: usize) -> Spanned<DeValue<'_>> {
        let value = match self {
            Self::Text(text) => DeValue::String(text.into()),
            Self::Flag(flag) => DeValue::Boolean(*flag),
            Self::Whole(text) | Self::Real(text) => match DeValue::parse(text) {
                Ok(number) => number.into_inner(),
                Err(_) => DeValue::Integer(DeInteger::default()),
            },
            Self::List(items) => {
                let mut list = DeArray::new();
                items.iter().for_each(|one| list.push(one.at(place)));
                DeValue::Array(list)
            }
            Self::Table(keys) => {
                let mut table = DeTable::new();
                keys.iter().for_each(|(key, one)| set(&mut table, key, place, one.at(place)));
                DeValue::Table(table)
            }
        };
        Spanned::new(place..place, value)
    }
}

impl fmt::Display for Value {
    /// The value as a file has it, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Whole(digits) | Self::Real(digits) => f.write_str(digits),
            Self::List(items) => {
                let each: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", each.join(", "))
            }
            Self::Table(keys) => {
                let each: Vec<_> = keys.iter().map(|(name, one)| line(name, one)).collect();
                write!(f, "{{ {} }}", each.join(", "))
            }
        }
    }
}

/// `kpack = 8`
fn line(name: &str, value: &Value) -> String {
    format!("{} = {value}", key(name))
}

/// A key as TOML reads any text.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) { name.to_string() } else { quoted(name) }
}

/// A string on one line: JSON's escapes are TOML's, but for the delete character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn set<'k>(table: &mut DeTable<'k>, key: &'k str, place: usize, value: Spanned<DeValue<'k>>) {
    table.insert(Spanned::new(place..place, key.into()), value);
}

/// Keys that stand in a file, and not in one of its tiles.
const OF_FILE: [&str; 1] = ["matrix"];

/// The keys of one tile, each with the option or argument that gives it.
#[derive(Clone, Debug)]
pub struct Keys {
    name: String,
    /// The name in faults of the whole tile.
    whole: String,
    keys: Vec<(String, String, Value)>,
}

impl Keys {
    /// A tile of this name without any key; a fault of the whole names `whole`.
    pub fn new(name: impl Into<String>, whole: impl Into<String>) -> Self {
        Self { name: name.into(), whole: whole.into(), keys: Vec::new() }
    }

    /// Appends a key. The values of a key that is given several times are one list.
    pub fn push(&mut self, option: impl Into<String>, key: impl Into<String>, value: Value) {
        self.keys.push((option.into(), key.into(), value));
    }

    /// Returns whether a key is given.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|(_, known, _)| known == key)
    }

    /// The option of a place.
    pub(crate) fn option(&self, place: usize) -> &str {
        place.checked_sub(1).and_then(|at| self.keys.get(at)).map_or(&self.whole, |(one, ..)| one)
    }

    /// The equivalent file, as a table.
    pub(crate) fn table(&self) -> DeTable<'_> {
        let (mut tile, mut tiles, mut file) = (DeTable::new(), DeTable::new(), DeTable::new());
        for (at, (_, key, value)) in (1..).zip(&self.keys) {
            let table = if is_of_file(key) { &mut file } else { &mut tile };
            match (table.get_mut(key.as_str()).map(Spanned::get_mut), value) {
                (Some(DeValue::Array(all)), Value::List(more)) => {
                    more.iter().for_each(|one| all.push(one.at(at)));
                }
                _ => set(table, key, at, value.at(at)),
            }
        }
        set(&mut tiles, &self.name, 0, Spanned::new(0..0, DeValue::Table(tile)));
        let one =
            DeValue::parse("1").unwrap_or_else(|_| Spanned::new(0..0, DeValue::Boolean(true)));
        set(&mut file, "version", 0, Spanned::new(0..0, one.into_inner()));
        set(&mut file, "tile", 0, Spanned::new(0..0, DeValue::Table(tiles)));
        file
    }

    /// The lines of the file's own keys, or of the tile's.
    fn lines(&self, of_file: bool) -> Vec<String> {
        let mut all: Vec<(&str, Value)> = Vec::new();
        for (_, key, value) in self.keys.iter().filter(|(_, key, _)| is_of_file(key) == of_file) {
            let known = all.iter_mut().find(|(known, _)| known == key).map(|(_, value)| value);
            match (known, value) {
                (Some(Value::List(items)), Value::List(more)) => items.extend(more.iter().cloned()),
                _ => all.push((key, value.clone())),
            }
        }
        all.iter().map(|(key, value)| line(key, value)).collect()
    }
}

fn is_of_file(key: &str) -> bool {
    OF_FILE.contains(&key)
}

impl fmt::Display for Keys {
    /// Prints the text of the equivalent file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("version = 1")?;
        self.lines(true).iter().try_for_each(|line| write!(f, "\n{line}"))?;
        write!(f, "\n[tile.{}]", key(&self.name))?;
        self.lines(false).iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}
