//! The dimensions of a tile: names and lengths, `{ m = 128, k = 64 }`, the slowest first.

use crate::request::fault::Fault;
use crate::request::value::{Table, Value, check_name, word};
use std::ops::Range;

/// A dimension of a tile as the file names it.
#[derive(Clone, Debug)]
pub(crate) struct Dimension {
    pub(crate) name: String,
    pub(crate) length: u32,
    pub(crate) span: Range<usize>,
}

/// The shape that a tile states, if it states one.
pub(crate) fn read(table: &Table<'_>) -> Result<Option<Vec<Dimension>>, Fault> {
    read_key(table, "shape")
}

/// The shape that a key states, if it is there.
pub(crate) fn read_key(table: &Table<'_>, key: &str) -> Result<Option<Vec<Dimension>>, Fault> {
    let Some(value) = table.get(key) else { return Ok(None) };
    let shape = Table::from_value(value, key)?;
    let dimension = |(name, span, value): (&str, Range<usize>, &Value<'_>)| {
        check_name(name, &span)?;
        let length = word(value, &format!("{key}.{name}"), 1)?;
        Ok(Dimension { name: name.to_string(), length, span })
    };
    let dimensions = shape.entries().map(dimension).collect::<Result<Vec<_>, Fault>>()?;
    if dimensions.is_empty() || dimensions.len() > tiledesc::List::CAPACITY {
        let message = format!("{key} has from 1 to 12 dimensions, as in `{{ m = 128, k = 64 }}`");
        return Err(Fault::new(value.span(), message));
    }
    Ok(Some(dimensions))
}

/// The names of the dimensions.
pub(crate) fn names(shape: Option<&[Dimension]>) -> Vec<String> {
    shape.unwrap_or_default().iter().map(|dimension| dimension.name.clone()).collect()
}

/// The lengths, for a notation that has none.
pub(crate) fn lengths(
    shape: Option<&[Dimension]>,
    value: &Value<'_>,
    key: &str,
) -> Result<Vec<u32>, Fault> {
    let missing = || format!("`{key}` needs the shape: write `shape = {{ m = 128, k = 64 }}`");
    let shape = shape.ok_or_else(|| Fault::new(value.span(), missing()))?;
    Ok(shape.iter().map(|dimension| dimension.length).collect())
}
