//! Bank conflicts from Python: the engine of the command line as an extension module.
//!
//! ```text
//!   td.Tile("f16", {"m": 128, "k": 64}, strides=[64, 1]).check("gfx942", read=[..])      arguments as the keys of a file
//!   tiledesc_cli::check(source, demand)                                                  the report that is made of them
//!   Check, Verdict                                                                       that report, as objects
//! ```
//!
//! Nothing is computed here that the library knows; the command line shows the same report.
//!
//! | file | concept |
//! |---|---|
//! | `error` | what is refused, and that no panic leaves |
//! | `value` | values of Python as those of a file |
//! | `question` | a question to the library, without the interpreter's lock |
//! | `view` | parts of a report as objects |
//! | `html` | tables for notebooks |
//! | `integers` | whole numbers in, arrays of any shape in and out |
//! | `offsets` | offsets of many coordinates |
//! | `bound` | what bounds a loop |
//! | `check` | verdicts, and what global accesses touch |
//! | `lanes` | the verdict on addresses |
//! | `tile` | a tile |
//! | `find` | layouts by what they cost |
//! | `given` | a compiled kernel as it is given |
//! | `audit` | compiled kernels |
//! | `why` | the instructions that lead to an address |

// The lints are of a library without std; this is an extension module.
#![allow(clippy::std_instead_of_core, clippy::alloc_instead_of_core)]
// A function has as many arguments as Python's has keywords.
#![allow(clippy::too_many_arguments)]

mod audit;
mod bound;
mod check;
mod error;
mod find;
mod given;
mod html;
mod integers;
mod lanes;
mod offsets;
mod question;
mod tile;
mod value;
mod view;
mod why;

use pyo3::prelude::*;

/// The command line in this process: its exit status, standard output and standard error. `stdin` is what `-` reads.
///
/// >>> import tiledesc as td
/// >>> status, out, err = td.run(["list", "chips"])
/// >>> status, "gfx942" in out
/// (0, True)
#[pyfunction]
#[pyo3(signature = (arguments, stdin=""))]
fn run(py: Python<'_>, arguments: Vec<String>, stdin: &str) -> PyResult<(u8, String, String)> {
    error::guarded(|| {
        let words = std::iter::once("tiledesc".to_string()).chain(arguments);
        let output = py.detach(|| tiledesc_cli::run(words, &mut stdin.as_bytes()));
        Ok((output.status as u8, output.out, output.err))
    })
}

/// All of the command line as JSON, for programs that write commands: subcommands with their options, chips with their
/// instructions, patterns, recipes, elements, and the schemas of what `check`, `audit` and `find` print as JSON.
///
/// >>> import json
/// >>> import tiledesc as td
/// >>> summary = json.loads(td.help_json())
/// >>> [command["name"] for command in summary["commands"]][:3]
/// ['check', 'audit', 'explain']
#[pyfunction]
fn help_json() -> PyResult<String> {
    error::guarded(|| Ok(tiledesc_cli::help_json()))
}

/// The command line on the standard streams of this process: its exit status.
#[pyfunction]
fn _program(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> PyResult<u8> {
    let words = std::iter::once("tiledesc".into()).chain(arguments);
    error::guarded(|| Ok(py.detach(|| tiledesc_cli::program(words))))
}

/// The extension module; its names are those of the package `tiledesc`.
#[pymodule]
mod _tiledesc {
    #[pymodule_export]
    use crate::audit::{Line, Report, Stated, assert_conflict_free, audit};
    #[pymodule_export]
    use crate::bound::{Limit, Trip};
    #[pymodule_export]
    use crate::check::{Check, Fetch, Verdict};
    #[pymodule_export]
    use crate::error::{_panic, TileError};
    #[pymodule_export]
    use crate::find::{Choice, Row, find};
    #[pymodule_export]
    use crate::lanes::verdict;
    #[pymodule_export]
    use crate::tile::{_tile, Tile};
    #[pymodule_export]
    use crate::why::{Reasons, Step, why};
    #[pymodule_export]
    use crate::{_program, help_json, run};

    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");
}
