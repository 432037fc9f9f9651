//! Texts of assembly, and the shape of a block.

use crate::request::bytes;
use crate::request::fault::Source;
use crate::request::machine;
use crate::request::options::Given;

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
        Some(lanes) => Err(format!("a block has from 1 to 1024 lanes, and this one {lanes}")),
        None => Err("a block has from 1 to 1024 lanes".to_string()),
    }
}

/// The texts of files, disassembled where they are machine code, or which cannot be read. Symbols may be in any encoding: what is not UTF-8 is replaced.
pub(crate) fn texts(files: &[String], given: &mut Given<'_>) -> Result<Vec<Source>, String> {
    let decode = |name: &str, bytes: Vec<u8>| {
        if let Some(text) = machine::text(name, &bytes) {
            return text;
        }
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    };
    let read = |name: &String| given.source(name, bytes::OF_RECORDS, |bytes| decode(name, bytes));
    files.iter().map(read).collect()
}
