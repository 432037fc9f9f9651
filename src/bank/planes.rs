//! Counting in planes: how many meet in each bank, all banks at once.
//!
//! ```text
//!   words of banks                   plane 0 (ones)   plane 1 (twos)
//!   add bank 3                       . . . 1 . .      . . . . . .
//!   add bank 5                       . . . 1 . 1      . . . . . .
//!   add bank 3                       . . . . . 1      . . . 1 . .     bank 3: two, bank 5: one
//! ```
//!
//! An addition is a carry through a few words, mostly through none: what is free never leaves plane 0.

/// Planes above the first: counts of less than 128.
pub(crate) const PLANES: usize = 6;

/// Adds a word to the planes; tells whether some bank had one. A macro, not a function: calls are expensive in a
/// constant (see DESIGN).
macro_rules! add_word {
    ($ones:ident, $planes:ident, $word:expr) => {{
        let (word, before) = ($word, $ones);
        $ones ^= word;
        let mut carry = before & word;
        let meets = carry != 0;
        let mut plane = 0;
        while carry != 0 {
            let both = $planes[plane] & carry;
            $planes[plane] ^= carry;
            carry = both;
            plane += 1;
        }
        meets
    }};
}
pub(crate) use add_word;

/// The most in a bank, by plane 0 and the others.
pub(crate) const fn fullest(ones: u64, planes: &[u64; PLANES]) -> u32 {
    let (mut places, mut most, mut plane) = (u64::MAX, 0, PLANES);
    while plane > 0 {
        plane -= 1;
        let full = planes[plane] & places;
        if full != 0 {
            places = full;
            most |= 2 << plane;
        }
    }
    most | (ones & places != 0) as u32
}
