//! Scores in floats: rows of 64, added up down their columns, and rows of 100.

/// The byte of a score.
#[must_use]
pub fn score(m: u32, k: u32) -> u32 {
    (m * 65 + k) * 4
}

/// The byte of a score of 100 keys.
#[must_use]
pub fn wide(m: u32, k: u32) -> u32 {
    (m * 104 + k) * 4
}
