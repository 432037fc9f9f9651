//! Division by a number that only the run time knows, without dividing.
//!
//! A GPU has no integer divider: a 32-bit `/` is some forty instructions. For
//! a constant the compiler multiplies instead; for a run-time length CK Tile
//! does the same by hand (`magic_division32_bit_range`):
//!
//! ```text
//! shift = ceil(log2 d)          multiplier = ((2^shift - d) << 32) / d + 1
//! n / d = (((n * multiplier) >> 32) + n) >> shift
//! ```
//!
//! CK adds in 32 bits, so its quotient is right for n < 2^31 only. Here the
//! sum has 64 bits and the quotient is right for every 32-bit n and every
//! d >= 1 (Granlund and Montgomery, "Division by Invariant Integers using
//! Multiplication", 1994, section 4).

use crate::number::list::List;

/// The multiplier and shift that divide by one divisor.
///
/// ```
/// use tiledesc_transforms::Magic;
///
/// const BY_7: Magic = Magic::new(7);
/// assert_eq!((BY_7.multiplier(), BY_7.shift()), (613_566_757, 3));
/// assert_eq!(BY_7.quotient(u32::MAX), u32::MAX / 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    multiplier: u32,
    shift: u32,
}

impl Magic {
    /// The magic of `divisor`. A divisor of 0 divides like 1; lengths of 0 are
    /// refused wherever a length is used.
    #[must_use]
    pub const fn new(divisor: u32) -> Self {
        let divisor = if divisor == 0 { 1 } else { divisor as u64 };
        let shift = 64 - (divisor - 1).leading_zeros();
        let multiplier = (((1u64 << shift) - divisor) << 32) / divisor + 1;
        Self { multiplier: multiplier as u32, shift }
    }

    /// The low 32 bits of the multiplier; its bit 32 is always set.
    #[must_use]
    pub const fn multiplier(self) -> u32 {
        self.multiplier
    }

    /// The shift, 0 to 32.
    #[must_use]
    pub const fn shift(self) -> u32 {
        self.shift
    }

    /// `n / divisor`, for every 32-bit `n`.
    #[inline(always)]
    #[must_use]
    pub const fn quotient(self, n: u32) -> u32 {
        let high = (n as u64 * self.multiplier as u64) >> 32;
        ((high + n as u64) >> self.shift) as u32
    }
}

/// A number to multiply, divide or reduce by: a compile-time constant, or a
/// run-time value with its [`Magic`].
///
/// Index rules take extents, so one rule serves both: a constant is left to
/// the compiler, a run-time value divides by multiplication.
///
/// ```
/// use tiledesc_transforms::{Extent, Index, Magic};
///
/// let rows = |length: Extent| (100_u32.div(length), 100_u32.rem(length));
/// assert_eq!(rows(Extent::constant(7)), (14, 2));
/// // The same without a division.
/// assert_eq!(rows(Extent::with_magic(7, Magic::new(7))), (14, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub(crate) value: u32,
    pub(crate) magic: Option<Magic>,
}

impl Extent {
    /// A constant: the compiler divides by it.
    #[inline(always)]
    #[must_use]
    pub const fn constant(value: u32) -> Self {
        Self { value, magic: None }
    }

    /// A run-time value and its [`Magic`], which divides by it. That of another value gives wrong
    /// quotients.
    #[inline(always)]
    #[must_use]
    pub const fn with_magic(value: u32, magic: Magic) -> Self {
        Self { value, magic: Some(magic) }
    }

    /// The number itself.
    #[inline(always)]
    #[must_use]
    pub const fn value(self) -> u32 {
        self.value
    }

    /// The magic of a run-time value; `None` for a constant.
    #[inline(always)]
    #[must_use]
    pub const fn magic(self) -> Option<Magic> {
        self.magic
    }
}

/// Lengths as an index rule sees them.
pub(crate) struct Extents<'a>(pub(crate) &'a [Extent]);

impl Extents<'_> {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> Extent {
        self.0[i]
    }
}

/// Numbers as an index rule sees lengths. Not a slice, which is expensive in a constant: see DESIGN, "What the compiler pays
/// for".
pub(crate) struct Constants<'a>(pub(crate) &'a List);

impl Constants<'_> {
    pub(crate) const fn len(&self) -> usize {
        self.0.count as usize
    }

    pub(crate) const fn at(&self, i: usize) -> Extent {
        Extent { value: self.0.items[i], magic: None }
    }
}
