//! Files that are written only when their text has changed, so that nothing is compiled anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A file that is to be written.
pub(crate) struct Made {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

pub(crate) fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

/// Writes what has changed, and says of each file whether it has.
pub(crate) fn write_all(made: &[Made]) -> Result<String, String> {
    let mut said = String::new();
    for one in made {
        let is_same = std::fs::read(&one.path).is_ok_and(|old| old == one.text.as_bytes());
        let _ = writeln!(
            said,
            "{}: {}",
            one.path.display(),
            if is_same { "unchanged" } else { "written" }
        );
        if !is_same {
            put(&one.path, &one.text)?;
        }
    }
    Ok(said)
}

pub(crate) fn put(path: &Path, text: &str) -> Result<(), String> {
    let said = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(said)?;
    }
    std::fs::write(path, text).map_err(said)
}
