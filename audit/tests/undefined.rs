//! What a program makes of registers that it never wrote: LLVM says of some that any content will do, and of what depends on
//! it nothing can be claimed. A number and a set of lanes, each with whether, or where, it depends on such a content.

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// What it is in this run, and whether another content might have made it something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word<T = u32> {
    pub(crate) is: T,
    pub(crate) any: bool,
}

impl<T> Word<T> {
    pub(crate) fn map<U>(self, op: impl FnOnce(T) -> U) -> Word<U> {
        Word { is: op(self.is), any: self.any }
    }

    pub(crate) fn with<U, R>(self, other: Word<U>, op: impl FnOnce(T, U) -> R) -> Word<R> {
        Word { is: op(self.is, other.is), any: self.any || other.any }
    }

    /// Either, by a condition.
    pub(crate) fn or(self, other: Self, condition: Word<bool>) -> Self {
        let picked = if condition.is { self } else { other };
        Self { any: picked.any || condition.any, ..picked }
    }
}

impl<T> From<T> for Word<T> {
    fn from(is: T) -> Self {
        Self { is, any: false }
    }
}

/// Lanes: the ones of this run, and those that another content might have added or taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) is: u64,
    pub(crate) any: u64,
}

impl Mask {
    /// Whether a lane is one of them.
    pub(crate) fn has(self, lane: usize) -> Word<bool> {
        Word { is: self.is >> lane & 1 == 1, any: self.any >> lane & 1 == 1 }
    }

    pub(crate) fn set(&mut self, lane: usize, is: Word<bool>) {
        self.is |= u64::from(is.is) << lane;
        self.any |= u64::from(is.any) << lane;
    }

    /// Whether any lane is on.
    pub(crate) fn is_some(self) -> Word<bool> {
        Word { is: self.is != 0, any: self.any != 0 && self.is & !self.any == 0 }
    }

    /// The first lane that is on, or lane 0 if none is.
    pub(crate) fn first(self) -> Word<usize> {
        let of = |lanes: u64| if lanes == 0 { 64 } else { lanes.trailing_zeros() as usize };
        let any = of(self.any) < of(self.is & !self.any);
        Word { is: of(self.is) % 64, any }
    }

    /// What is the same whatever the content was.
    pub(crate) fn sure(self) -> Self {
        Self { is: self.is & !self.any, ..self }
    }
}

impl From<u64> for Mask {
    fn from(is: u64) -> Self {
        Self { is, any: 0 }
    }
}

impl From<Word> for Mask {
    /// A number as the lanes of its bits.
    fn from(number: Word) -> Self {
        Self { is: number.is.into(), any: if number.any { u32::MAX.into() } else { 0 } }
    }
}

impl Not for Mask {
    type Output = Self;

    fn not(self) -> Self {
        Self { is: !self.is, ..self }
    }
}

/// A bit that the other operand alone decides depends on no content.
impl BitAnd for Mask {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        let off = |one: Self| !one.is & !one.any;
        let any = (self.any | other.any) & !off(self) & !off(other);
        Self { is: self.is & other.is, any }
    }
}

impl BitOr for Mask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        !(!self & !other)
    }
}

impl BitXor for Mask {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self { is: self.is ^ other.is, any: self.any | other.any }
    }
}

impl BitAndAssign for Mask {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Mask {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for Mask {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}
