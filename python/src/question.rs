//! A question to the command line's engine: arguments as the text of a file in memory, the words of a subcommand, and what it prints.
//! So whatever Python is told is what `tiledesc` says of the same file.

use crate::error::refused;
use crate::value::{Value, key};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use tiledesc_cli::{Output, Source, Status, run_of};

/// The lines of one tile, each with the argument that it was made of.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    text: String,
    arguments: Vec<String>,
}

impl Lines {
    /// Those of a tile without a layout.
    pub(crate) fn new(name: &str) -> Self {
        let mut lines = Self { text: String::new(), arguments: Vec::new() };
        lines.push("version", "version = 1");
        lines.push("Tile", &format!("[tile.{}]", key(name)));
        lines
    }

    fn push(&mut self, argument: &str, line: &str) {
        self.text += line;
        self.text.push('\n');
        self.arguments.push(argument.to_string());
    }

    /// The same with one key more.
    pub(crate) fn with(mut self, name: &str, value: &Value) -> Self {
        self.push(name, &format!("{} = {value}", key(name)));
        self
    }

    pub(crate) fn source(&self) -> Source {
        Source {
            name: "<python>".to_string(),
            text: self.text.clone(),
            options: Some(self.arguments.clone()),
        }
    }
}

/// What a subcommand prints of a text; the interpreter's lock is not held.
pub(crate) fn ask(py: Python<'_>, words: &[&str], text: &Source) -> PyResult<Output> {
    let output = py.detach(|| run_of(["tiledesc"].iter().chain(words), text));
    match output.status {
        Status::Invalid => {
            Err(refused(if output.err.is_empty() { &output.out } else { &output.err }))
        }
        _ => Ok(output),
    }
}

/// What it prints as JSON.
pub(crate) fn ask_json<T: DeserializeOwned>(
    py: Python<'_>,
    words: &[&str],
    text: &Source,
) -> PyResult<T> {
    let output = ask(py, words, text)?;
    serde_json::from_str(&output.out)
        .map_err(|error| refused(format!("a fault of tiledesc, please report it: {error}")))
}
