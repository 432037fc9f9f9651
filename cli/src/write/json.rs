//! Reports for programs, as JSON.

use serde::Serialize;
use serde_json::Value;

/// A value on one line, for a program: a tile is thousands of numbers.
pub(crate) fn line(value: &Value) -> String {
    format!("{value}\n")
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
