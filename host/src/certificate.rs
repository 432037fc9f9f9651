//! The test of a declaration that carries its answer: whether a better layout exists, and with `BLESS=1` the better one
//! written into the source.
//!
//! ```text
//!   synthesize! { type Halves = F16 [64, 96] on gfx942: .. => recipe::RowMajor<..>; at most 640 cycles; }
//!
//!   cargo test            Error: Halves: 640 cycles; the best takes 352 cycles, floor 288: no masks over packs do better
//!   BLESS=1 cargo test    .. => recipe::DenseXor<..>; at most 352 cycles; }
//! ```
//!
//! `tiledesc::synthesize!` writes the test, in builds for tests. The crate with the declaration has `tiledesc-host`
//! among its dev-dependencies:
//!
//! ```toml
//! [dev-dependencies]
//! tiledesc-host = "0.1"
//! ```

mod source;

use crate::search::{Answer, find};
use crate::{Error, ErrorKind};
use std::fs::OpenOptions;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use tiledesc::statement::asked::Asked;

pub use source::{Written, rewritten};

/// The place of a declaration in a source file, as its macro sees it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The name that it declares.
    pub name: &'a str,
    /// `file!()`: from the package, or from the root of its workspace.
    pub file: &'a str,
    /// `line!()`: that of the macro's name.
    pub line: u32,
    /// The package's folder; `None` without cargo.
    pub package: Option<&'a str>,
}

impl Place<'_> {
    /// The file, from the package's folder or from one above it.
    fn path(&self) -> Option<PathBuf> {
        let folders = Path::new(self.package.unwrap_or(".")).ancestors();
        folders.map(|folder| folder.join(self.file)).find(|path| path.is_file())
    }
}

/// The change that a declaration needs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Need {
    /// No change: no layout that is found takes fewer cycles.
    Nothing,
    /// A change to another layout.
    Answer,
    /// A change to another limit: the declared layout takes more, and none takes fewer.
    Limit(u64),
}

/// Searches for a layout that takes fewer cycles than the one that is declared.
///
/// # Errors
///
/// If there is one, with the line to paste; with `BLESS` in the environment it is written instead, and an error is what
/// could not be written, or what is left to decide.
pub fn keep(asked: &Asked, limit: Option<u64>, place: &Place<'_>) -> Result<(), Error> {
    let said = |text: String| Error::new(ErrorKind::Declaration, format!("{}: {text}", place.name));
    let uses: Vec<_> = asked.uses().collect();
    let best = find(asked.tile, &uses).map_err(|error| said(error.to_string()))?;
    let need = need(asked.taken, limit, &best);
    if std::env::var_os("BLESS").is_none() {
        return match need {
            Need::Nothing => Ok(()),
            _ => Err(said(better(asked, limit, &best))),
        };
    }
    let cycles = match need {
        Need::Nothing | Need::Answer => best.best.most_cycles(),
        Need::Limit(taken) => taken,
    };
    let answer = line(asked, &best);
    match need {
        Need::Nothing => {}
        Need::Answer => write(place, Written { answer: Some(&answer), cycles }).map_err(said)?,
        Need::Limit(_) => write(place, Written { answer: None, cycles }).map_err(said)?,
    }
    if limit.is_none() && !best.is_free() {
        return Err(said(format!(
            "{answer} takes {}\nTo take it, add `at most {cycles} cycles;`",
            best.proof()
        )));
    }
    Ok(())
}

fn need(taken: Option<u64>, limit: Option<u64>, best: &Answer) -> Need {
    match (taken, limit) {
        (None, _) => Need::Answer,
        (Some(taken), _) if taken > best.best.most_cycles() => Need::Answer,
        (Some(taken), Some(limit)) if taken > limit => Need::Limit(taken),
        _ => Need::Nothing,
    }
}

/// The layout as a type, of the statement's element.
fn line(asked: &Asked, best: &Answer) -> String {
    best.best.layout.text(asked.element, asked.tile).as_str().to_owned()
}

/// "640 cycles; the best takes 352 cycles, floor 288: ..", and the line to paste.
fn better(asked: &Asked, limit: Option<u64>, best: &Answer) -> String {
    let taken =
        asked.taken.map_or_else(String::new, |taken| format!("{taken} cycles; the best takes "));
    let limit =
        limit.map_or_else(String::new, |_| format!(" at most {} cycles;", best.best.most_cycles()));
    let (proof, line) = (best.proof(), line(asked, best));
    format!("{taken}{proof}\n`BLESS=1 cargo test` writes\n=> {line};{limit}")
}

/// Writes what is new into the file of a place. Locked: the tests of a file run side by side.
fn write(place: &Place<'_>, new: Written<'_>) -> Result<(), String> {
    let file = place.file;
    let path = place.path().ok_or_else(|| format!("{file} is not found: write it by hand"))?;
    let failed = |error: std::io::Error| format!("{file}: {error}");
    let mut open = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
    open.lock().map_err(failed)?;
    let mut text = String::new();
    open.read_to_string(&mut text).map_err(failed)?;
    let text = rewritten(&text, place.name, place.line, new)
        .map_err(|lost| format!("{file}:{}: {lost}", place.line))?;
    open.rewind().map_err(failed)?;
    open.write_all(text.as_bytes()).map_err(failed)?;
    open.set_len(text.len() as u64).map_err(failed)
}
