//! Values and keys of attention, whose heads have 64 and 96 columns.

/// The byte of an element of the values.
#[must_use]
pub fn value(m: u32, k: u32) -> u32 {
    (m * 80 + k) * 2
}

/// The byte of an element of the keys, padded.
#[cfg(not(feature = "dense"))]
#[must_use]
pub fn key(m: u32, k: u32) -> u32 {
    (m * 104 + k) * 2
}

/// The byte of an element of the keys, without a pad.
#[cfg(feature = "dense")]
#[must_use]
pub fn key(m: u32, k: u32) -> u32 {
    let n = m * 96 + k;
    (n ^ (n / 64 % 2 * 16)) * 2
}

/// Stores what a thread has loaded of the values.
pub fn store_values(lds: &mut [u16], tile: &[u16], wave: u32, lane: u32) {
    let address = value(wave * 32 + lane / 8 * 4, lane % 8 * 8) as usize / 2;
    for vector in 0..4 {
        let (at, first) = (address + vector * 80, vector * 8);
        lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
    }
}

/// Stores what a thread has loaded of the keys.
pub fn store_keys(lds: &mut [u16], tile: &[u16], wave: u32, lane: u32) {
    for vector in 0..3 {
        let at = key(lane, wave * 24 + vector * 8) as usize / 2;
        let first = vector as usize * 8;
        lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
    }
}
