//! Texts of assembly, and the shape of a block.
//!
//! ```text
//!   ~/.triton/cache/BASE64/attention.ptx       read
//!                          attention.cubin     the same kernel: left out, since its text is there
//!                          attention.json      num_warps = 4, warp_size = 32: blocks of 128
//!                          attention.ttir      no kernel
//! ```

use crate::request::bytes;
use crate::request::fault::Source;
use crate::request::machine;
use crate::request::options::Given;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Reads the shape of a block: `256,1,1`; y and z may be left out.
///
/// # Errors
///
/// Another text, and a block of no lane or of more than 1024.
pub fn block(word: &str) -> Result<[u32; 3], String> {
    let numbers =
        word.split(',').map(|one| one.trim().parse::<u32>().ok()).collect::<Option<Vec<_>>>();
    let block = match numbers.as_deref() {
        Some([x]) => [*x, 1, 1],
        Some([x, y]) => [*x, *y, 1],
        Some([x, y, z]) => [*x, *y, *z],
        _ => return Err("a block is x, y and z, as in 256,1,1".to_string()),
    };
    let lanes = block.iter().try_fold(1_u32, |all, one| all.checked_mul(*one));
    match lanes {
        Some(1..=1024) => Ok(block),
        Some(lanes) => Err(format!("a block has from 1 to 1024 lanes, but this one has {lanes}")),
        None => Err("a block has from 1 to 1024 lanes".to_string()),
    }
}

/// Reads a symbol of assembly: `HQ=16`, `MASK=0xff`.
pub(crate) fn symbol(word: &str) -> Result<(String, i64), String> {
    let unread = || "a symbol is a name and an integer, as in HQ=16".to_string();
    let (name, number) = word.split_once('=').ok_or_else(unread)?;
    let (sign, digits) = number.strip_prefix('-').map_or((1, number), |rest| (-1, rest));
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    match number {
        Ok(number) if !name.is_empty() && !digits.contains(['+', '-']) => {
            Ok((name.to_string(), sign * number))
        }
        _ => Err(unread()),
    }
}

/// Texts of kernels, and what is known of them.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) sources: Vec<Source>,
    /// What stands beside each text, if it is of a folder.
    pub(crate) beside: Vec<Option<Beside>>,
    /// Files of folders that cannot be read, and why.
    pub(crate) unread: Vec<(String, String)>,
}

/// The facts about a kernel in Triton's `.json` beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) chip: Option<String>,
    pub(crate) block: Option<[u32; 3]>,
}

impl Beside {
    /// Facts of a text of JSON; none of another text.
    fn read(text: &str) -> Self {
        let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let target = &json["target"];
        let number =
            |value: &serde_json::Value| value.as_u64().and_then(|one| u32::try_from(one).ok());
        let chip = match &target["arch"] {
            serde_json::Value::String(name) => Some(name.clone()),
            other => number(other).map(|number| format!("sm_{number}")),
        };
        let lanes = number(&json["num_warps"]).zip(number(&target["warp_size"]));
        let lanes = lanes.and_then(|(warps, size)| warps.checked_mul(size));
        Self {
            chip,
            block: lanes.filter(|lanes| (1..=1024).contains(lanes)).map(|lanes| [lanes, 1, 1]),
        }
    }

    fn new(path: &Path) -> Self {
        let name = path.with_extension("json").to_string_lossy().into_owned();
        let text = bytes::of_file(&name, bytes::OF_TILES).unwrap_or_default();
        Self::read(&String::from_utf8_lossy(&text))
    }
}

/// The endings of texts of kernels, and of machine code.
const TEXTS: [&str; 4] = ["amdgcn", "ptx", "sass", "s"];
const CODE: [&str; 5] = ["hsaco", "cubin", "fatbin", "co", "out"];

/// Files of a folder at most, and folders inside each other.
const MOST_FILES: usize = 100_000;
const DEPTH: usize = 32;

/// The kernels of a folder, in the order of their names: of one kernel as text and as machine code the text.
fn of_folder(folder: &Path, depth: usize, all: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(named)?;
    let mut entries: Vec<PathBuf> =
        entries.map(|one| one.map(|one| one.path())).collect::<Result<_, _>>().map_err(named)?;
    entries.sort();
    let is = |path: &Path, endings: &[&str]| {
        path.extension().and_then(|end| end.to_str()).is_some_and(|end| endings.contains(&end))
    };
    let texts: BTreeSet<_> = entries
        .iter()
        .filter(|path| is(path, &TEXTS))
        .map(|path| path.with_extension(""))
        .collect();
    for path in entries {
        // Links are not followed: they may lead back.
        let is_folder = path.symlink_metadata().is_ok_and(|is| is.is_dir());
        if is_folder && depth < DEPTH {
            of_folder(&path, depth + 1, all)?;
        } else if !is_folder
            && (is(&path, &TEXTS) || is(&path, &CODE) && !texts.contains(&path.with_extension("")))
        {
            all.push(path);
        }
        if all.len() > MOST_FILES {
            return Err(format!("{}: more than {MOST_FILES} files", folder.display()));
        }
    }
    Ok(())
}

/// The texts of files and of folders, disassembled where they are machine code. Symbols may be in any encoding: what is not UTF-8 is
/// replaced.
pub(crate) fn texts(files: &[String], given: &mut Given<'_>) -> Result<Texts, String> {
    let decode = |name: &str, bytes: Vec<u8>| {
        if let Some(text) = machine::text(name, &bytes) {
            return text;
        }
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    };
    let mut read = |name: &str| given.source(name, bytes::OF_RECORDS, |bytes| decode(name, bytes));
    let mut texts = Texts::default();
    for name in files {
        if name == "-" || !Path::new(name).is_dir() {
            texts.sources.push(read(name)?);
            texts.beside.push(None);
            continue;
        }
        let mut paths = Vec::new();
        of_folder(Path::new(name), 0, &mut paths)?;
        if paths.is_empty() {
            let endings = TEXTS.iter().chain(&CODE).map(|end| format!(".{end}"));
            let endings = endings.collect::<Vec<_>>().join(", ");
            return Err(format!("{name}: no file of this folder ends in one of {endings}"));
        }
        for path in paths {
            let name = path.to_string_lossy().into_owned();
            match read(&name) {
                Ok(source) => {
                    texts.sources.push(source);
                    texts.beside.push(Some(Beside::new(&path)));
                }
                Err(why) => texts.unread.push((name, why)),
            }
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_names_and_integers() {
        let read = |word: &str| symbol(word).map(|(name, number)| format!("{name} {number}"));
        for (word, expected) in [("HQ=16", "HQ 16"), ("a.b=-3", "a.b -3"), ("M=0xff", "M 255")] {
            assert_eq!(read(word), Ok(expected.to_string()));
        }
        for word in
            ["HQ", "=1", "HQ=", "HQ=1x", "HQ=--1", "HQ=+1", "HQ=0x+1", "HQ=99999999999999999999"]
        {
            assert_eq!(
                read(word).unwrap_err(),
                "a symbol is a name and an integer, as in HQ=16",
                "{word}"
            );
        }
    }

    #[test]
    fn facts_of_triton() {
        let of = Beside::read;
        let (chip, block) = (Some("gfx942".to_string()), Some([256, 1, 1]));
        let text =
            r#"{"target": {"backend": "hip", "arch": "gfx942", "warp_size": 64}, "num_warps": 4}"#;
        assert_eq!(of(text), Beside { chip, block });
        let text =
            r#"{"target": {"backend": "cuda", "arch": 90, "warp_size": 32}, "num_warps": 4096}"#;
        assert_eq!(of(text), Beside { chip: Some("sm_90".to_string()), block: None });
        assert_eq!(of("no JSON"), Beside::default());
        assert_eq!(of("[1]"), Beside::default());
    }
}
