//! What a layout flips of an element's number, as a table of 64 entries.
//!
//! Of a layout that is known by the bits of a number, an offset is the xor of a column for each of up to 20 bits. But a
//! swizzle flips the bits of a pack by the few bits above them, and all others stay: one look in place of 20 steps.

use tiledesc_transforms::Digits;

/// What a layout flips of a number beside its own bits: by a few neighbouring bits, which others of it may be.
pub(crate) struct Flips {
    /// By the value of the bits from `from` on.
    pub(crate) table: [u32; 1 << Self::BITS],
    pub(crate) from: u32,
}

impl Flips {
    const BITS: usize = 6;
    /// The largest value of these bits.
    pub(crate) const LAST: u32 = (1 << Self::BITS) - 1;

    pub(super) const fn of(digits: &Digits) -> Option<Self> {
        if !digits.is_linear() {
            return None;
        }
        let (mut table, mut from, mut count, mut bit) =
            ([digits.constant(0); 1 << Self::BITS], 0, 0, 0);
        while bit < digits.bits(0) {
            let flip = digits.column(0, 0, bit) ^ 1 << bit;
            if flip != 0 && count == 0 {
                from = bit;
            }
            if flip != 0 || count > 0 && count < Self::BITS {
                count = bit + 1 - from;
                if count > Self::BITS {
                    return None;
                }
                let (half, mut i) = (1 << (count - 1), 0);
                while i < half {
                    table[half + i] = table[i] ^ flip;
                    i += 1;
                }
            }
            bit += 1;
        }
        // What the number does not reach flips nothing.
        let (reached, mut i) = (1 << count, 1 << count);
        while i < table.len() {
            table[i] = table[i - reached];
            i += 1;
        }
        Some(Self { table, from: from as u32 })
    }
}
