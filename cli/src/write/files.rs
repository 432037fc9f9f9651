//! Files, written whole or not at all: whoever reads a header while it is made sees the old one or the new one.
//!
//! | what `-o` names | how it is written |
//! |---|---|
//! | a file, or nothing yet | beside it under another name, which then takes its place |
//! | `-`, `/dev/stdout` | as standard output |
//! | a fifo, a device, the pipe of `>(..)` | at its end, and never read or replaced |

use crate::request::fault::Source;
use crate::write::output::Unwritten;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A file that is to be written.
pub(crate) struct Made {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

pub(crate) fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

/// The file or folder that an option names, unless that is standard output.
pub(crate) fn named(output: Option<&PathBuf>) -> Option<&Path> {
    let is_printed =
        |path: &Path| ["-", "/dev/stdout", "/dev/fd/1"].iter().any(|name| path == Path::new(name));
    output.map(PathBuf::as_path).filter(|path| !is_printed(path))
}

/// Writes all files, and reports each; with `if_changed` a file that has its text already keeps its time.
pub(crate) fn write_all(
    made: &[Made],
    source: &Source,
    if_changed: bool,
) -> Result<String, Unwritten> {
    let mut said = String::new();
    for one in made {
        let is_same = if_changed && holds(&one.path, &one.text);
        if !is_same {
            put(&one.path, &one.text, source)?;
        }
        let done = if is_same { "unchanged" } else { "written" };
        let _ = writeln!(said, "{}: {done}", one.path.display());
    }
    Ok(said)
}

/// Writes one file, but never the one that was read.
pub(crate) fn put(path: &Path, text: &str, source: &Source) -> Result<(), Unwritten> {
    let is_read = || {
        let read = fs::canonicalize(&source.name).ok();
        source.is_file() && read.is_some() && read == fs::canonicalize(path).ok()
    };
    let done = match is_special(path) {
        true => append(path, text),
        false if is_read() => Err(io::Error::other("it is the input: name another file with -o")),
        false => replace(path, text),
    };
    done.map_err(|error| Unwritten { path: path.to_path_buf(), error })
}

/// Returns whether a path is not a place on a disk: to read a fifo would wait for ever, and `/dev/full` has no end.
/// What a shell has opened is not replaced, file or not.
fn is_special(path: &Path) -> bool {
    let is_open = ["/dev/fd", "/dev/stderr", "/proc"].iter().any(|name| path.starts_with(name));
    is_open || fs::metadata(path).is_ok_and(|is| !is.is_file())
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}

/// Returns whether a file holds this text. Reads at most one byte more than the text has.
fn holds(path: &Path, text: &str) -> bool {
    let mut found = Vec::new();
    let most = text.len() as u64 + 1;
    let read = |file: fs::File| file.take(most).read_to_end(&mut found);
    !is_special(path) && fs::File::open(path).and_then(read).is_ok() && found == text.as_bytes()
}

/// A link stays a link, and a file keeps its permissions; one that may not be written is not replaced.
#[cfg(not(target_family = "wasm"))]
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    // By `File::create`, so that the user's mask says who may read it.
    let mut file = tempfile::Builder::new()
        .prefix(".tiledesc-")
        .make_in(folder, |path| OpenOptions::new().write(true).create_new(true).open(path))?;
    file.write_all(text.as_bytes())?;
    // A disk over a network says that it is full only here.
    file.as_file().sync_all()?;
    match OpenOptions::new().write(true).open(&path) {
        Ok(old) => file.as_file().set_permissions(old.metadata()?.permissions())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    file.persist(&path).map(|_| ()).map_err(|error| error.error)
}

/// The explorer has no files of its own.
#[cfg(target_family = "wasm")]
fn replace(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)
}
