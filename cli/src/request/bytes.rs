//! The bytes of a path or of standard input, and no more of them than a text of its kind has, so that nothing grows for
//! ever.

use std::fs::File;
use std::io::{ErrorKind, Read};

/// A file of tiles has some kilobytes, and a kernel's assembly or a profile some megabytes.
pub(crate) const OF_TILES: u64 = 16 << 20;
pub(crate) const OF_RECORDS: u64 = 1 << 30;

/// The name under which messages mention an input (`-` is standard input), and its bytes, up to a limit.
pub(crate) fn read(
    name: &str,
    most: u64,
    stdin: &mut dyn Read,
) -> Result<(String, Vec<u8>), String> {
    match name {
        "-" => Ok(("<stdin>".to_string(), all("<stdin>", most, stdin)?)),
        path => Ok((path.to_string(), of_file(path, most)?)),
    }
}

/// The bytes of a file, up to a limit.
pub(crate) fn of_file(path: &str, most: u64) -> Result<Vec<u8>, String> {
    let mut file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    all(path, most, &mut file)
}

fn all(name: &str, most: u64, from: &mut dyn Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    match from.take(most + 1).read_to_end(&mut bytes) {
        Ok(read) if read as u64 <= most => Ok(bytes),
        Ok(_) => Err(format!("{name}: longer than {} MiB, the most that is read", most >> 20)),
        Err(error) if error.kind() == ErrorKind::IsADirectory => {
            Err(format!("{name}: a folder, where a file belongs"))
        }
        Err(error) => Err(format!("{name}: {error}")),
    }
}
