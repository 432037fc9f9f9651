//! TOML values with their places: a table that knows which keys it may have, and numbers in range.

use crate::request::fault::Fault;
use crate::request::spelling::{did_you_mean, nearest, plain};
use std::cell::RefCell;
use std::fmt::Display;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its bytes in the text.
pub(crate) type Value<'a> = Spanned<DeValue<'a>>;

/// The most known keys that are listed.
const MOST_NAMED: usize = 28;

/// A table, and the keys that were read: any other key is refused.
pub(crate) struct Table<'a> {
    table: &'a DeTable<'a>,
    span: Range<usize>,
    /// The name in sentences: `tile A`.
    name: String,
    known: RefCell<Vec<String>>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(table: &'a DeTable<'a>, span: Range<usize>, name: impl Into<String>) -> Self {
        Self { table, span, name: name.into(), known: RefCell::new(Vec::new()) }
    }

    /// A value that must be a table.
    pub(crate) fn from_value(value: &'a Value<'a>, name: impl Into<String>) -> Result<Self, Fault> {
        let name = name.into();
        match value.get_ref() {
            DeValue::Table(table) => Ok(Self::new(table, value.span(), name)),
            other => Err(wrong(value, &name, "a table `{ .. }`", other)),
        }
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The name in sentences.
    pub(crate) fn called(&self) -> &str {
        &self.name
    }

    /// The place of a key.
    pub(crate) fn key_span(&self, key: &str) -> Option<Range<usize>> {
        self.entries().find(|(name, ..)| *name == key).map(|(_, span, _)| span)
    }

    /// The keys, in the order of the file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'a str, Range<usize>, &'a Value<'a>)> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value))
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value<'a>> {
        self.known.borrow_mut().push(key.to_string());
        self.entries().find(|(name, ..)| *name == key).map(|(.., value)| value)
    }

    /// The value of a key that is compared without case, `-` and `_`: a parameter of a recipe.
    pub(crate) fn get_loose(&self, key: &str) -> Option<&'a Value<'a>> {
        let (found, mut known) = (self.find_loose(key), self.known.borrow_mut());
        known.push(found.map_or_else(|| key.to_lowercase(), |(name, _)| name.to_string()));
        found.map(|(_, value)| value)
    }

    fn find_loose(&self, key: &str) -> Option<(&'a str, &'a Value<'a>)> {
        let found = self.entries().find(|(name, ..)| plain(name) == plain(key));
        found.map(|(name, _, value)| (name, value))
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key that must be there.
    pub(crate) fn needs(&self, key: &str, example: &str) -> Result<&'a Value<'a>, Fault> {
        let missing = || format!("{} has no `{key}`: write `{key} = {example}`", self.name);
        self.get(key).ok_or_else(|| Fault::new(self.span(), missing()))
    }

    /// Refuses keys that were not read, with the known ones if they fit a line.
    pub(crate) fn refuse_unknown(&self) -> Vec<Fault> {
        let mut known = self.known.borrow().clone();
        known.sort_unstable();
        known.dedup();
        let unknown = self.entries().filter(|(name, ..)| !known.iter().any(|key| key == name));
        let explain = |name: &str| {
            let names = || known.iter().map(String::as_str);
            let near = match nearest(name, names()) {
                None if known.len() > MOST_NAMED => String::new(),
                _ => did_you_mean(name, names()),
            };
            format!("unknown key `{name}` of {}{near}", self.name)
        };
        unknown.map(|(name, span, _)| Fault::new(span, explain(name))).collect()
    }

    /// Returns whether an unknown key is nearly one that is known: then it may be the one that is missing.
    pub(crate) fn has_slip(&self) -> bool {
        let known = self.known.borrow();
        let names = || known.iter().map(String::as_str);
        let is_slip =
            |name: &str| names().all(|key| key != name) && nearest(name, names()).is_some();
        self.entries().any(|(name, ..)| is_slip(name))
    }

    /// Refuses the first unknown key, where one fault is enough.
    pub(crate) fn has_no_more(&self) -> Result<(), Fault> {
        self.refuse_unknown().into_iter().next().map_or(Ok(()), Err)
    }
}

/// The fault of a value whose type is not the one that belongs here.
fn wrong(value: &Value<'_>, name: &str, wanted: &str, given: &DeValue<'_>) -> Fault {
    let given = match given {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a floating-point number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Fault::new(value.span(), format!("{name} is {given}: write {wanted}"))
}

/// Whatever refuses a value, at its place.
pub(crate) fn refused<E: Display>(value: &Value<'_>) -> impl Fn(E) -> Fault + use<E> {
    let span = value.span();
    move |error| Fault::new(span.clone(), error)
}

/// A string.
pub(crate) fn text<'a>(value: &'a Value<'a>, name: &str) -> Result<&'a str, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        other => Err(wrong(value, name, "a string in quotes", other)),
    }
}

/// True or false.
pub(crate) fn flag(value: &Value<'_>, name: &str) -> Result<bool, Fault> {
    match value.get_ref() {
        DeValue::Boolean(flag) => Ok(*flag),
        other => Err(wrong(value, name, "`true` or `false`", other)),
    }
}

/// A whole number in a range.
pub(crate) fn number(
    value: &Value<'_>,
    name: &str,
    range: std::ops::RangeInclusive<u64>,
) -> Result<u64, Fault> {
    let (least, most) = (range.start(), range.end());
    let wanted = format!("a whole number from {least} to {most}");
    let DeValue::Integer(digits) = value.get_ref() else {
        return Err(wrong(value, name, &wanted, value.get_ref()));
    };
    let plain = digits.as_str().replace('_', "");
    match u64::from_str_radix(&plain, digits.radix()) {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(Fault::new(value.span(), format!("{name} = {plain}: write {wanted}"))),
    }
}

/// A whole number of 32 bits, from `least` on.
pub(crate) fn word(value: &Value<'_>, name: &str, least: u32) -> Result<u32, Fault> {
    number(value, name, u64::from(least)..=u64::from(u32::MAX)).map(|number| number as u32)
}

/// A list.
pub(crate) fn list<'a>(
    value: &'a Value<'a>,
    name: &str,
    wanted: &str,
) -> Result<Vec<&'a Value<'a>>, Fault> {
    match value.get_ref() {
        DeValue::Array(items) => Ok(items.iter().collect()),
        other => Err(wrong(value, name, wanted, other)),
    }
}

/// A list of numbers.
pub(crate) fn words(value: &Value<'_>, name: &str, least: u32) -> Result<Vec<u32>, Fault> {
    let items = list(value, name, "a list of numbers `[64, 1]`")?;
    items.into_iter().map(|item| word(item, &format!("a number of {name}"), least)).collect()
}

/// Refuses names that TOML would want in quotes: they are names of files and of functions too.
pub(crate) fn check_name(name: &str, span: &Range<usize>) -> Result<(), Fault> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_letter) {
        return Ok(());
    }
    let message = format!("`{name}` is not a valid name: use letters, digits, `_` and `-`");
    Err(Fault::new(span.clone(), message))
}
