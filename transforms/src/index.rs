//! The language of index rules: a few operations on an index.
//!
//! A transform's rule (`u1 xor (u0 mod L1)`) is written once in its file, and `transform!` (`macros/src/transform.rs`) pastes it
//! five times: over any [`Index`], for kernels and for what prints a plan; and over [`Word`], `Bits` and `Many`, whose methods are
//! `const fn`, for the compiler. All have the same method names, so the same tokens mean the same thing.
//!
//! [`Index`] is implemented for every unsigned integer of 32 bits or more
//! (through `num-traits`). Implement it for a type of your own and every
//! descriptor prints HIP, builds a graph, or runs inside another DSL's kernel.
//!
//! Indices are unsigned: CK Tile's signed ones cost 1.5 to 1.7 times the
//! instructions, because `/` and `%` must then round towards zero. A
//! coordinate left of a pad wraps around, as it does in hardware, and is
//! reported as invalid.

pub(crate) mod bits;
pub(crate) mod many;

pub(crate) use bits::Bits;
pub(crate) use many::Many;

use crate::number::extent::Extent;
use num_traits::ops::wrapping::{WrappingAdd, WrappingMul, WrappingSub};
use num_traits::{PrimInt, Unsigned};
use tiledesc_macros::each;

/// An index that transforms can compute with.
///
/// All operations take references, so that an index may be an expression or a
/// handle as well as an integer. Arithmetic wraps around.
///
/// ```
/// use tiledesc_transforms::Index;
/// use tiledesc_transforms::Extent;
///
/// assert_eq!(21u32.rem(Extent::constant(8)), 5);
/// assert_eq!(21u64.xor(&7), 18);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index",
    note = "indices are unsigned integers of 32 bits or more: `u32`, `u64`, `usize`",
    note = "an integer literal needs a suffix here: `[3u32, 17]`"
)]
pub trait Index: Clone {
    /// The result of a comparison of indices: `bool` for an integer, an expression for an expression, a predicate register for a
    /// compiler's value.
    type Mask: Clone;
    /// Returns whether `self < bound`: the one question of a pad.
    #[must_use]
    fn below(&self, bound: Extent) -> Self::Mask;
    /// Returns whether both hold.
    #[must_use]
    fn both(one: &Self::Mask, other: &Self::Mask) -> Self::Mask;
    /// `self + other`.
    #[must_use]
    fn add(&self, other: &Self) -> Self;
    /// `self - other`.
    #[must_use]
    fn sub(&self, other: &Self) -> Self;
    /// `self xor other`, bit by bit.
    #[must_use]
    fn xor(&self, other: &Self) -> Self;
    /// `self * by`.
    #[must_use]
    fn mul(&self, by: Extent) -> Self;
    /// `self / by`, rounded down.
    #[must_use]
    fn div(&self, by: Extent) -> Self;
    /// `self % by`.
    #[must_use]
    fn rem(&self, by: Extent) -> Self;
    /// The constant `value`, in the context of `self` (an expression tree
    /// needs one to build a constant in; an integer ignores it).
    #[must_use]
    fn constant(&self, value: Extent) -> Self;
    /// `table[self]`, or the last entry after the end; 0 of an empty table.
    #[must_use]
    fn lookup(&self, table: &'static [u32]) -> Self;

    /// The number, of an index that is one: what a debug build checks. An expression or a
    /// handle is none.
    #[must_use]
    #[inline(always)]
    fn number(&self) -> Option<u64> {
        None
    }

    /// `self % length` for a length that is a power of two: its low bits.
    #[must_use]
    #[inline(always)]
    fn low_bits(&self, length: Extent) -> Self {
        self.rem(length)
    }

    // By value and by plain numbers: what the fused offset is written in. A reference is memory,
    // which LLVM has to remove in every layout once more.

    /// `self / length` for a length that is a power of two.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn over(self, length: u32) -> Self {
        if length == 1 { self } else { self.div(Extent::constant(length)) }
    }

    /// `self % length` for a length that is a power of two; for 0 itself.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn low(self, length: u32) -> Self {
        if length == 0 { self } else { self.low_bits(Extent::constant(length)) }
    }

    /// `self * by`.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn times(self, by: u32) -> Self {
        if by == 1 { self } else { self.mul(Extent::constant(by)) }
    }

    /// `self + other`.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.add(&other)
    }

    /// `self xor other`.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    fn exclusive_or(self, other: Self) -> Self {
        self.xor(&other)
    }
}

/// Returns whether both hold; either may be no question at all.
#[inline(always)]
pub(crate) fn both<I: Index>(one: Option<I::Mask>, other: Option<I::Mask>) -> Option<I::Mask> {
    match (one, other) {
        (Some(one), Some(other)) => Some(I::both(&one, &other)),
        (one, other) => one.or(other),
    }
}

/// An unsigned integer of at least 32 bits: what a caller may bring as an index.
///
/// Implemented for `u32`, `u64`, `u128` and `usize`. An integer type of another
/// crate that has the `num-traits` below needs one line.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index",
    note = "indices are unsigned integers of 32 bits or more: `u32`, `u64`, `usize`",
    note = "an integer literal needs a suffix here: `[3u32, 17]`"
)]
pub trait WideUnsigned: PrimInt + Unsigned + WrappingAdd + WrappingSub + WrappingMul {
    // What a fused offset is made of. Through the traits above each is a call in every layout: see
    // DESIGN, "What the compiler pays for".

    /// `self / length` for a length that is a power of two.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn high_of(self, length: u32) -> Self {
        self.unsigned_shr(length.trailing_zeros())
    }
    /// `self % length` for a length that is a power of two; for 0 itself.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn low_of(self, length: u32) -> Self {
        self & integer::<Self>(length).wrapping_sub(&Self::one())
    }
    /// `self * by`.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn product(self, by: u32) -> Self {
        self.wrapping_mul(&integer(by))
    }
    /// `self + other`.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn sum(self, other: Self) -> Self {
        self.wrapping_add(&other)
    }
    /// `self xor other`.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn difference(self, other: Self) -> Self {
        self ^ other
    }
}

// The integers of the language, by their own operations.
each! { u32, u64, u128, usize:
    impl WideUnsigned for # {
        #[inline(always)]
        fn high_of(self, length: u32) -> Self {
            self >> length.trailing_zeros()
        }
        #[inline(always)]
        fn low_of(self, length: u32) -> Self {
            self & (length as Self).wrapping_sub(1)
        }
        #[inline(always)]
        fn product(self, by: u32) -> Self {
            self.wrapping_mul(by as Self)
        }
        #[inline(always)]
        fn sum(self, other: Self) -> Self {
            self.wrapping_add(other)
        }
        #[inline(always)]
        fn difference(self, other: Self) -> Self {
            self ^ other
        }
    }
}

#[inline(always)]
fn integer<T: WideUnsigned>(value: u32) -> T {
    // Cannot fail: every 32-bit value fits into a wide integer.
    T::from(value).unwrap_or_else(T::zero)
}

// Then `u16` is "not an index", and not what `WideUnsigned` would ask of it.
#[diagnostic::do_not_recommend]
impl<T: WideUnsigned> Index for T {
    type Mask = bool;

    #[inline(always)]
    fn below(&self, bound: Extent) -> bool {
        *self < integer(bound.value())
    }
    /// Without a branch: both are computed.
    #[inline(always)]
    fn both(one: &bool, other: &bool) -> bool {
        *one & *other
    }
    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn xor(&self, other: &Self) -> Self {
        *self ^ *other
    }
    #[inline(always)]
    fn mul(&self, by: Extent) -> Self {
        self.wrapping_mul(&integer(by.value()))
    }
    #[inline(always)]
    fn div(&self, by: Extent) -> Self {
        match by.magic() {
            None => *self / integer(by.value()),
            Some(magic) => match self.to_u32() {
                Some(narrow) => integer(magic.quotient(narrow)),
                // A wider index divides, by 1 where the length is 0.
                None => *self / integer(if by.value() == 0 { 1 } else { by.value() }),
            },
        }
    }
    #[inline(always)]
    fn rem(&self, by: Extent) -> Self {
        match by.magic() {
            Some(_) => Index::sub(self, &Index::mul(&Index::div(self, by), by)),
            None => *self % integer(by.value()),
        }
    }
    #[inline(always)]
    fn constant(&self, value: Extent) -> Self {
        integer(value.value())
    }
    #[inline(always)]
    fn number(&self) -> Option<u64> {
        self.to_u64().or(Some(u64::MAX))
    }
    #[inline]
    fn lookup(&self, table: &'static [u32]) -> Self {
        let entry = self.to_usize().and_then(|i| table.get(i)).or(table.last());
        integer(entry.copied().unwrap_or(0))
    }
    #[inline(always)]
    fn low_bits(&self, length: Extent) -> Self {
        self.low_of(length.value())
    }
    #[inline(always)]
    fn over(self, length: u32) -> Self {
        self.high_of(length)
    }
    #[inline(always)]
    fn low(self, length: u32) -> Self {
        self.low_of(length)
    }
    #[inline(always)]
    fn times(self, by: u32) -> Self {
        self.product(by)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.sum(other)
    }
    #[inline(always)]
    fn exclusive_or(self, other: Self) -> Self {
        self.difference(other)
    }
}

/// The index of compile-time evaluation: a `u32` with the methods of [`Index`]
/// as `const fn`s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word(pub(crate) u32);

impl Word {
    pub(crate) const ZERO: Self = Self(0);

    pub(crate) const fn new(value: u32) -> Self {
        Self(value)
    }
    pub(crate) const fn clone(&self) -> Self {
        *self
    }
    pub(crate) const fn below(&self, bound: Extent) -> bool {
        self.0 < bound.value()
    }
    pub(crate) const fn add(&self, other: &Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
    pub(crate) const fn sub(&self, other: &Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
    pub(crate) const fn xor(&self, other: &Self) -> Self {
        Self(self.0 ^ other.0)
    }
    pub(crate) const fn mul(&self, by: Extent) -> Self {
        Self(self.0.wrapping_mul(by.value()))
    }
    pub(crate) const fn div(&self, by: Extent) -> Self {
        Self(self.0 / by.value())
    }
    pub(crate) const fn rem(&self, by: Extent) -> Self {
        Self(self.0 % by.value())
    }
    pub(crate) const fn constant(&self, value: Extent) -> Self {
        Self(value.value())
    }
    pub(crate) const fn lookup(&self, table: &'static [u32]) -> Self {
        let i = self.0 as usize;
        match table.len() {
            0 => Self(0),
            len => Self(table[if i < len { i } else { len - 1 }]),
        }
    }
    pub(crate) const fn low_bits(&self, length: Extent) -> Self {
        Self(self.0 & length.value().wrapping_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // An integer as of another crate: one line, and what it does not say for itself.
    impl WideUnsigned for u16 {}

    #[test]
    fn an_integer_of_another_crate() {
        for value in (0..=u16::MAX).step_by(7) {
            let wide = u32::from(value);
            for by in [0, 1, 3, 8, 512, 0x8000] {
                let other = (by as u16).wrapping_mul(77);
                assert_eq!(value.low(by), wide.low(by) as u16, "{value} % {by}");
                assert_eq!(value.times(by), wide.times(by) as u16, "{value} * {by}");
                assert_eq!(value.plus(other), wide.plus(other.into()) as u16);
                assert_eq!(value.exclusive_or(other), value ^ other);
                if by.is_power_of_two() {
                    assert_eq!(u32::from(value.over(by)), wide / by, "{value} / {by}");
                    assert_eq!(u32::from(value.low(by)), wide % by, "{value} % {by}");
                }
            }
        }
    }
}
