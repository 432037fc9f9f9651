//! Values of Python as those of a file: `{"m": 128}` is `{ m = 128 }`. What they may be the reader of files says.
//!
//! | Python | TOML |
//! |---|---|
//! | `str`, `bool`, `int`, `float` | the same |
//! | `list`, `tuple`, an array's `tolist()` | a list |
//! | `dict` | a table, in its order |

use crate::error::refused;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::fmt;

/// A value of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Flag(bool),
    /// Its digits: Python's are as long as they like.
    Whole(String),
    Real(f64),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

/// No key of a file is nested deeper, and a list may hold itself.
const DEEPEST: usize = 8;

impl Value {
    /// The value of an argument, whose name stands in a refusal.
    pub(crate) fn of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::within(name, value, DEEPEST)
    }

    fn within(name: &str, value: &Bound<'_, PyAny>, deeper: usize) -> PyResult<Self> {
        let Some(deeper) = deeper.checked_sub(1) else {
            return Err(refused(format!("{name}: it is nested deeper than {DEEPEST} times")));
        };
        if let Ok(text) = value.cast::<PyString>() {
            let text = text
                .to_cow()
                .map_err(|_| refused(format!("{name}: the text is not valid Unicode")))?;
            return Ok(Self::Text(text.into_owned()));
        }
        if let Ok(flag) = value.cast::<PyBool>() {
            return Ok(Self::Flag(flag.is_true()));
        }
        if value.cast::<PyInt>().is_ok() {
            return Self::whole(name, value);
        }
        if let Ok(real) = value.cast::<PyFloat>() {
            return Ok(Self::Real(real.value()));
        }
        if let Ok(table) = value.cast::<PyDict>() {
            let each = table.iter().map(|(key, value)| {
                let key = key
                    .cast::<PyString>()
                    .map_err(|_| refused(format!("{name}: a key is not a string")))?;
                let key = key.to_cow()?.into_owned();
                let value = Self::within(&format!("{name}.{key}"), &value, deeper)?;
                Ok((key, value))
            });
            return Ok(Self::Table(each.collect::<PyResult<_>>()?));
        }
        if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
            let each = value.try_iter()?.map(|item| Self::within(name, &item?, deeper));
            return Ok(Self::List(each.collect::<PyResult<_>>()?));
        }
        if value.hasattr("tolist")? {
            return Self::within(name, &value.call_method0("tolist")?, deeper);
        }
        if value.hasattr("__index__")? {
            return Self::whole(name, &value.call_method0("__index__")?);
        }
        let kind = value.get_type().name()?.to_string();
        Err(PyTypeError::new_err(format!("{name}: a {kind} is not a value of a tile")))
    }

    fn whole(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let digits =
            value.str().map_err(|_| refused(format!("{name}: the number is too large")))?;
        Ok(Self::Whole(digits.to_cow()?.into_owned()))
    }

    /// The values of a TOML text, as the library writes layouts: `recipe = "gemm-xor", kpack = 8`.
    pub(crate) fn table(words: &str) -> Result<Vec<(String, Self)>, String> {
        let line = format!("x = {{ {words} }}");
        let parsed =
            toml::de::DeTable::parse(&line).map_err(|error| error.message().to_string())?;
        match parsed.get_ref().iter().next().map(|(_, value)| Self::parsed(value.get_ref())) {
            Some(Self::Table(keys)) => Ok(keys),
            _ => Err(format!("`{words}` is not a table")),
        }
    }

    fn parsed(value: &toml::de::DeValue<'_>) -> Self {
        use toml::de::DeValue;
        match value {
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Integer(digits) => Self::Whole(digits.as_str().replace('_', "")),
            DeValue::Float(digits) => Self::Real(digits.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => Self::Flag(*flag),
            DeValue::Datetime(date) => Self::Text(date.to_string()),
            DeValue::Array(items) => {
                Self::List(items.iter().map(|one| Self::parsed(one.get_ref())).collect())
            }
            DeValue::Table(table) => {
                let each = table
                    .iter()
                    .map(|(key, value)| (key.get_ref().to_string(), Self::parsed(value.get_ref())));
                Self::Table(each.collect())
            }
        }
    }

    /// The value as Python has it.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::Text(text) => PyString::new(py, text).into_any(),
            Self::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
            Self::Whole(digits) => py.get_type::<PyInt>().call1((digits,))?,
            Self::Real(real) => PyFloat::new(py, *real).into_any(),
            Self::List(items) => {
                let items =
                    items.iter().map(|item| item.object(py)).collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, items)?.into_any()
            }
            Self::Table(keys) => {
                let table = PyDict::new(py);
                keys.iter().try_for_each(|(key, value)| table.set_item(key, value.object(py)?))?;
                table.into_any()
            }
        })
    }
}

/// A key as TOML reads any text.
pub(crate) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) { name.to_string() } else { quoted(name) }
}

/// A string on one line: JSON's escapes are TOML's, but for the delete character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

impl fmt::Display for Value {
    /// As a file has it, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Whole(digits) => f.write_str(digits),
            Self::Real(real) if real.is_finite() => write!(f, "{real:?}"),
            Self::Real(real) if real.is_nan() => f.write_str("nan"),
            Self::Real(real) => f.write_str(if *real > 0.0 { "inf" } else { "-inf" }),
            Self::List(items) => {
                let each: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", each.join(", "))
            }
            Self::Table(keys) => {
                let each: Vec<_> =
                    keys.iter().map(|(name, value)| format!("{} = {value}", key(name))).collect();
                write!(f, "{{ {} }}", each.join(", "))
            }
        }
    }
}
