//! `TileError`: what the library refuses, in its own sentence. Nothing else leaves Rust, no panic either.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

pyo3::create_exception!(
    tiledesc,
    TileError,
    PyValueError,
    "What the library refuses: a layout, an access, a chip or an argument, in one sentence with its numbers."
);

/// A refusal, without the name of the program and the hints of its command line.
pub(crate) fn refused(why: impl AsRef<str>) -> PyErr {
    let why = why.as_ref().trim();
    let why = why.strip_prefix("tiledesc: ").or(why.strip_prefix("error: ")).unwrap_or(why);
    let why = why.split("\n\nUsage:").next().unwrap_or(why);
    let why = why.split("\n\nFor more information").next().unwrap_or(why);
    TileError::new_err(why.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the result of `work`; a panic becomes the error that it is a fault of the library.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said =
            said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it says no more");
        Err(TileError::new_err(format!("a fault of tiledesc, please report it: {said}")))
    })
}

/// Panics inside a guard: for the test that no panic crosses into Python.
#[pyfunction]
pub(crate) fn _panic() -> PyResult<()> {
    guarded(|| panic!("on purpose"))
}
