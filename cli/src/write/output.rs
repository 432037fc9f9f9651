//! The output of a run: two texts and an exit status.

use crate::report::status::Status;
use crate::request::fault::{Fault, Source};
use crate::request::spelling::one_line;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;

/// The texts that a run prints, and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The exit status.
    pub status: Status,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A file that could not be written.
pub(crate) struct Unwritten {
    pub(crate) path: PathBuf,
    pub(crate) error: io::Error,
}

impl Output {
    pub(crate) fn done(out: String) -> Self {
        Self { status: Status::Free, out, err: String::new() }
    }

    /// An output of a run that wrote files: the report on them is on standard error, and no output of the program.
    pub(crate) fn wrote(said: Result<String, Unwritten>) -> Self {
        match said {
            Ok(err) => Self { status: Status::Free, out: String::new(), err },
            Err(Unwritten { path, error }) => Self::unwritten(path.display(), &error),
        }
    }

    /// Something could not be written: a fault, unless its reader has read enough.
    pub fn unwritten(name: impl Display, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => {
                Self { status: Status::Closed, out: String::new(), err: String::new() }
            }
            _ => Self::invalid(format!("{name}: {error}")),
        }
    }

    pub(crate) fn invalid(message: impl Display) -> Self {
        Self::refused(format!("tiledesc: {}\n", one_line(&message.to_string())))
    }

    /// An output of lines that have their places themselves.
    pub(crate) fn refused(err: String) -> Self {
        Self { status: Status::Invalid, out: String::new(), err }
    }

    pub(crate) fn faults(source: &Source, faults: &[Fault]) -> Self {
        Self::refused(source.explain_all(faults))
    }
}
