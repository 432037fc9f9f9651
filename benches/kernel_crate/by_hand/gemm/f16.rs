//! Operands in fp16.

/// The byte of an element of `A`.
#[must_use]
pub fn a(m: u32, k: u32) -> u32 {
    (m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8) * 2
}

/// The byte of an element of `TallA`.
#[must_use]
pub fn tall_a(m: u32, k: u32) -> u32 {
    (m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8) * 2
}

/// The byte of an element of `B`.
#[must_use]
pub fn b(n: u32, k: u32) -> u32 {
    (n / 2 * 64 + ((n % 2 * 4 + k / 8) ^ (n / 2 % 8)) * 8 + k % 8) * 2
}

/// Stores what a thread has loaded of `A`.
pub fn store_a(lds: &mut [u16], tile: &[u16], wave: u32, lane: u32) {
    let address = a(wave * 8 + lane / 8, lane % 8 * 8) as usize / 2;
    for vector in 0..4 {
        let (at, first) = (address + vector * 32 * 64, vector * 8);
        lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
    }
}

/// Loads a thread's operands of `A`.
pub fn load_a(lds: &[u16], operands: &mut [u16], wave: u32, lane: u32) {
    for vector in 0..8 {
        let m = vector / 4 * 64 + wave / 2 * 32 + lane % 32;
        let at = a(m, vector % 4 * 16 + lane / 32 * 8) as usize / 2;
        let first = vector as usize * 8;
        operands[first..first + 8].copy_from_slice(&lds[at..at + 8]);
    }
}
