//! Who waits for whom in one phase.
//!
//! A degree is the time that a phase takes; to mend it one must know which lanes meet, and where:
//!
//! ```text
//!   64 lanes read one dword each, 64 bytes apart, on gfx942; phase 0 is lanes 0 to 31
//!
//!   bank  0     lanes 0, 2, 4 .. 30     16 dwords: 16-way
//!   bank 16     lanes 1, 3, 5 .. 31     16 dwords, too
//! ```

/// The lanes that wait for each other in one phase.
///
/// ```
/// use tiledesc::{access::Addresses, bank::phase, chip::gfx942::ds_read_b32};
///
/// let crowd = phase(&Addresses::from_fn(|lane| Some(64 * lane)), &ds_read_b32, 0).unwrap();
/// assert_eq!((crowd.degree, crowd.bank, crowd.banks), (16, 0, 2));
/// assert_eq!(crowd.pair(), Some([0, 2]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    /// The most distinct dwords in one bank; 1 is conflict-free, 0 means that no
    /// lane is active.
    pub degree: u32,
    /// The first bank with that many.
    pub bank: u32,
    /// The number of banks with that many.
    pub banks: u32,
    /// Lanes that meet in that bank, one for each dword; lane 0 in bit 0. Of lanes
    /// with the same dword it is the first of the phase. None if the degree is
    /// below 2.
    pub lanes: u64,
}

impl Crowd {
    /// Two lanes that meet in different dwords, if the degree exceeds 1.
    #[must_use]
    pub const fn pair(&self) -> Option<[usize; 2]> {
        if self.degree < 2 {
            return None;
        }
        let one = self.lanes.trailing_zeros() as usize;
        let other = (self.lanes & (self.lanes - 1)).trailing_zeros() as usize;
        Some([one, other])
    }
}
