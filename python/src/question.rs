//! A question to the library: the interpreter's lock is not held, and a refusal is an exception.

use crate::error::refused;
use pyo3::prelude::*;
use tiledesc_cli::{Source, Status, run_of};

/// Runs `work` without Python's lock; a refusal becomes an error.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, String> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(refused)
}

/// The text that a subcommand prints: a header, a figure, a notation.
pub(crate) fn printed(py: Python<'_>, words: &[&str], source: &Source) -> PyResult<String> {
    ask(py, || {
        let output = run_of(["tiledesc"].iter().chain(words), source);
        match output.status {
            Status::Invalid if output.err.is_empty() => Err(output.out),
            Status::Invalid => Err(output.err),
            _ => Ok(output.out),
        }
    })
}
