//! Values of Python as those of a file: `{"m": 128}` is `{ m = 128 }`. The reader of files decides which are allowed.
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
use tiledesc_cli::Value;

/// The deepest nesting: no key of a file is nested deeper, and a list may contain itself.
const DEEPEST: usize = 8;

/// The value of an argument, whose name is in a refusal.
pub(crate) fn extract(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    within(name, value, DEEPEST)
}

/// An element by its name; by a type or a dtype of numpy, torch, Triton or ml_dtypes, which have one.
///
/// ```text
///   "f16"    np.float16, np.dtype("float16"): float16    torch.bfloat16: bfloat16    tl.float8e4nv: fp8e4nv
/// ```
pub(crate) fn element(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.cast::<PyString>().is_ok() {
        return extract("element", value);
    }
    // A type has the first, a dtype the second; torch's has neither, but is printed as `torch.float16`.
    let called = ["__name__", "name"].into_iter().find_map(|name| value.getattr(name).ok());
    if let Some(called) = called.filter(|name| name.cast::<PyString>().is_ok()) {
        return extract("element", &called);
    }
    match value.str()?.to_cow()?.strip_prefix("torch.") {
        Some(name) => Ok(Value::Text(name.to_string())),
        None => extract("element", value),
    }
}

fn within(name: &str, value: &Bound<'_, PyAny>, deeper: usize) -> PyResult<Value> {
    let Some(deeper) = deeper.checked_sub(1) else {
        return Err(refused(format!("{name}: it is nested deeper than {DEEPEST} times")));
    };
    if let Ok(text) = value.cast::<PyString>() {
        let text =
            text.to_cow().map_err(|_| refused(format!("{name}: the text is not valid Unicode")))?;
        return Ok(Value::Text(text.into_owned()));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Flag(flag.is_true()));
    }
    if value.cast::<PyInt>().is_ok() {
        return whole(name, value);
    }
    if let Ok(real) = value.cast::<PyFloat>() {
        return Ok(Value::Real(toml_of(real.value())));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let each = table.iter().map(|(key, value)| {
            let key = key
                .cast::<PyString>()
                .map_err(|_| refused(format!("{name}: a key is not a string")))?;
            let key = key.to_cow()?.into_owned();
            let value = within(&format!("{name}.{key}"), &value, deeper)?;
            Ok((key, value))
        });
        return Ok(Value::Table(each.collect::<PyResult<_>>()?));
    }
    if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        let each = value.try_iter()?.map(|item| within(name, &item?, deeper));
        return Ok(Value::List(each.collect::<PyResult<_>>()?));
    }
    if value.hasattr("tolist")? {
        return within(name, &value.call_method0("tolist")?, deeper);
    }
    if value.hasattr("__index__")? {
        return whole(name, &value.call_method0("__index__")?);
    }
    let kind = value.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("{name}: a {kind} is not a value of a tile")))
}

fn whole(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let digits = value.str().map_err(|_| refused(format!("{name}: the number is too large")))?;
    Ok(Value::Whole(digits.to_cow()?.into_owned()))
}

/// A number with a point as a file has it.
fn toml_of(real: f64) -> String {
    if real.is_finite() { format!("{real:?}") } else { real.to_string().to_lowercase() }
}

/// A value as Python has it.
pub(crate) fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Whole(digits) => py.get_type::<PyInt>().call1((digits,))?,
        Value::Real(digits) => PyFloat::new(py, digits.parse().unwrap_or(f64::NAN)).into_any(),
        Value::List(items) => {
            let items = items.iter().map(|item| object(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(keys) => {
            let table = PyDict::new(py);
            keys.iter().try_for_each(|(key, value)| table.set_item(key, object(py, value)?))?;
            table.into_any()
        }
    })
}
