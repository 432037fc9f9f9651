//! CuTe's swizzle: some bits of an offset flip as many lower or higher ones.
//!
//! `Sw<3,3,3>` of a tile with rows of 64 elements: the 3 bits from 6 on, the row, flip
//! the 3 bits from 3 on, the chunk of 8 elements. 512 offsets, 9 columns:
//!
//! ```text
//!   bit      1  2  4  8  16  32  64  128  256
//!   becomes  1  2  4  8  16  32  72  144  288
//! ```

use crate::Error;
use tiledesc::Linear;

/// `Swizzle<B, M, S>`: `x ^ ((x & y) >> S)`, where `y` is the B bits from `M + max(S, 0)`
/// on; they flip the B bits from `M - min(S, 0)` on. With S below 0 it shifts left.
///
/// It counts in the units of the offset that it is applied to, elements or bytes, and is its own inverse. Source:
/// NVIDIA/cutlass, `include/cute/swizzle.hpp`.
///
/// ```
/// use tiledesc_host::exchange::cute::Swizzle;
///
/// let rows = Swizzle::new(3, 3, 3).unwrap();
/// assert_eq!(rows.apply(3 * 64 + 17), 201);
/// assert_eq!(rows.apply(201), 3 * 64 + 17);
/// assert_eq!(rows.to_string(), "Sw<3,3,3>");
/// // Bits 6 to 8, the row, flip bits 3 to 5, the chunk.
/// assert_eq!(rows.source_mask(), 0b111_000_000);
/// assert_eq!(rows.flipped_mask(), 0b111_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

impl Swizzle {
    /// The swizzle of no bits: every offset stays.
    pub const NONE: Self = Self { bits: 0, base: 0, shift: 0 };

    /// `bits` bits flip those `shift` below them; the lowest bit involved is `base`.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Swizzle;
    ///
    /// assert_eq!(
    ///     Swizzle::new(3, 4, 2).unwrap_err().to_string(),
    ///     "Sw<3,4,2>: the 3 bits that flip and the 3 that are flipped overlap; \
    ///      the shift must be at least 3 or at most -3",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// A shift that is smaller than the number of bits; bits that a 32-bit offset does not have.
    pub fn new(bits: u32, base: u32, shift: i32) -> Result<Self, Error> {
        let swizzle = Self { bits, base, shift };
        if shift.unsigned_abs() < bits {
            let below = -i64::from(bits);
            return Err(Error::number(format!(
                "{swizzle}: the {bits} bits that flip and the {bits} that are flipped overlap; the shift must be at least \
                 {bits} or at most {below}"
            )));
        }
        let reach = u64::from(base) + u64::from(bits) + u64::from(shift.unsigned_abs());
        if reach > 32 {
            return Err(Error::number(format!(
                "{swizzle} takes {reach} bits, but an offset has 32"
            )));
        }
        Ok(swizzle)
    }

    /// B: how many bits flip others.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// M: how many low bits are left alone.
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base
    }

    /// S: how far above the flipped bits those are that flip them.
    #[must_use]
    pub fn shift(&self) -> i32 {
        self.shift
    }

    /// The bits that flip others: CuTe's `yyy_msk`.
    #[must_use]
    pub fn source_mask(&self) -> u32 {
        self.mask(self.shift.max(0).unsigned_abs())
    }

    /// The bits that are flipped: CuTe's `zzz_msk`.
    #[must_use]
    pub fn flipped_mask(&self) -> u32 {
        self.mask(self.shift.min(0).unsigned_abs())
    }

    /// B bits above the base and `above`; 33 bits or more do not pass [`new`](Self::new).
    fn mask(&self, above: u32) -> u32 {
        (((1u64 << self.bits) - 1) << (self.base + above)) as u32
    }

    /// The offset that an offset is moved to.
    #[must_use]
    pub fn apply(&self, offset: u32) -> u32 {
        let (flipping, by) = ((offset & self.source_mask()) as u64, self.shift.unsigned_abs());
        let flips = if self.shift >= 0 { flipping >> by } else { flipping << by };
        offset ^ flips as u32
    }

    /// The swizzle of offsets in units of `to` bits, where those of `self` are in units of `from` bits: the base moves,
    /// the distance stays.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Swizzle;
    ///
    /// let bytes = Swizzle::new(3, 4, 3).unwrap();
    /// assert_eq!(bytes.recast(8, 16), Swizzle::new(3, 3, 3));
    /// assert_eq!(bytes.recast(8, 4), Swizzle::new(3, 5, 3));
    /// assert_eq!(
    ///     Swizzle::new(3, 0, 3).unwrap().recast(8, 16).unwrap_err().to_string(),
    ///     "Sw<3,0,3> over units of 8 bits moves parts of a unit of 16 bits: \
    ///      the base must be at least 1",
    /// );
    /// ```
    ///
    /// CuTe drops the bits that would fall inside an element, and with them what they
    /// flip; that is another layout, and refused. A swizzle of no bits stays as it is.
    ///
    /// # Errors
    ///
    /// A unit that the swizzle moves parts of; widths of which neither is the other times a power of two; bits that a
    /// 32-bit offset does not have.
    pub fn recast(&self, from: u32, to: u32) -> Result<Self, Error> {
        match (Self::doublings(from, to), Self::doublings(to, from)) {
            // Nothing moves in any unit; CuTe's tables leave its numbers alone, too.
            (Some(_), _) | (_, Some(_)) if self.bits == 0 => Ok(*self),
            (Some(up), _) if self.base >= up => Self::new(self.bits, self.base - up, self.shift),
            (Some(up), _) => Err(Error::no_form(format!(
                "{self} over units of {from} bits moves parts of a unit of {to} bits: the base must be at least {up}"
            ))),
            (_, Some(down)) => Self::new(self.bits, self.base + down, self.shift),
            (None, None) => Err(width(from, to)),
        }
    }

    /// The number of doublings from `small` to `large`.
    fn doublings(small: u32, large: u32) -> Option<u32> {
        let times = large.checked_div(small).filter(|times| times * small == large)?;
        times.is_power_of_two().then(|| times.ilog2())
    }

    /// The swizzle as columns of that many bits.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Swizzle;
    ///
    /// let map = Swizzle::new(2, 0, 2).unwrap().linear(4).unwrap();
    /// assert_eq!(map.columns(), [1, 2, 5, 10]);
    /// ```
    ///
    /// # Errors
    ///
    /// More than 32.
    pub fn linear(&self, inputs: usize) -> Result<Linear, Error> {
        if inputs > Linear::BITS {
            return Err(tiledesc::Error::TooManyBits { columns: inputs as u32 }.into());
        }
        let columns: Vec<_> = (0..inputs).map(|b| self.apply(1 << b)).collect();
        Ok(Linear::new(&columns, 0)?)
    }
}

impl core::fmt::Display for Swizzle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Sw<{},{},{}>", self.bits, self.base, self.shift)
    }
}

/// Every swizzle of one bit up to the given number of bits, fewest bits first.
pub(super) fn swizzles(width: u32) -> impl Iterator<Item = Swizzle> {
    let shifts = move |bits| (bits..=width - bits).map(move |shift| (bits, shift));
    let bases = move |(bits, shift)| {
        (0..=width - bits - shift).flat_map(move |base| {
            let ways = [shift as i32, -(shift as i32)];
            ways.map(|shift| Swizzle { bits, base, shift })
        })
    };
    (1..=width / 2).flat_map(shifts).flat_map(bases)
}

/// The error of a recast between widths whose ratio is not a power of two.
pub(in crate::exchange) fn width(from: u32, to: u32) -> Error {
    Error::number(format!(
        "units of {from} and of {to} bits: neither is the other times a power of two"
    ))
}
