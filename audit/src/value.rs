//! The value of a register, as far as it is known: one number that all lanes share, plus a number for each lane.
//!
//! A conflict depends on how far the lanes' addresses are apart, not on where they begin. So block, tile, buffer and
//! loop count may stay unknown, and the answer is still exact:
//!
//! ```text
//!   value(lane) = u + f(lane)   modulo 2^32
//!
//!   v0                 lane                 0 + lane            known: u is 0
//!   s4                 a kernel argument    u                   f is 0 in every lane
//!   s4 * 256           a row of 256 bytes   u + 0               2^8 divides u
//!   .. | v0 * 4        its dwords           u + 4 lane          or is as good as +: 4 * 63 is below 2^8
//!   load [v0]          memory               unknown             and why
//! ```
//!
//! | operation | rule |
//! |---|---|
//! | add, subtract, multiply or shift left by a constant | lane by lane; what divides u follows |
//! | and, or, xor | the bits below 2^k lane by lane; those above where the other operand keeps, clears or sets all of them, or where they are equal in all lanes |
//! | shift right | where f is below 2^k: both are shifted |
//! | anything of known operands | lane by lane |
//! | anything of operands that are equal in all lanes | u |
//! | else | the bits below 2^k, if they follow from those of the operands; or unknown |
//!
//! Two values can come together in two ways. Where all lanes took one of two paths, values whose f differ by one number are
//! u + f again, and of others a few are kept beside each other ([`Value::join`]). Where each lane may have the one or the other, only equal ones remain
//! ([`Value::either`]), and where it is known which has which, both if they are known ([`Value::within`]). Of others the low
//! bits in which they agree, or that each lane has of its own, are kept: a mask may take them out again. Bits that depend on
//! data and lie in known places, as those of `data & 15`, are kept beside `u + f` ([`Value::Among`]).

mod among;
mod bitwise;
mod lanes;
mod merge;
pub(crate) mod wide;

pub use lanes::Lanes;
use std::rc::Rc;

/// The reason why a value is unknown: the instruction, by its index in the program, and what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// The instruction.
    pub at: usize,
    /// The effect of the instruction.
    pub why: Why,
}

/// The way in which an instruction makes a value unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// A load from memory.
    Loaded,
    /// A result that is not followed: floating point, or an integer operation on unknown bits.
    Computed,
    /// A write of some lanes, which are not known.
    Mask,
    /// Paths meet here that bring different values.
    Paths,
    /// The value from before the program began.
    Start,
    /// An instruction that this crate does not know, which may write any register.
    Foreign,
}

/// The value of a register, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A register that was not written on any path so far, or whose content is no longer of use: any value will do for
    /// it. A result of it is known only where it is the same for any content: `0 & x` is 0.
    Nothing,
    /// `u + f(lane)`, where u is a multiple of 2^k. With k = 32, u is 0.
    Sum {
        /// Zeros at the end of u.
        k: u32,
        /// The number that each lane adds to u.
        f: Lanes,
    },
    /// A value of which only the bits below 2^bits are known, lane by lane.
    Part {
        /// The number of known bits.
        bits: u32,
        /// The known bits.
        f: Lanes,
        /// The reason why the others are unknown.
        reason: Reason,
    },
    /// `u + f(lane)` and some bits of `open`, which depend on data: each lane has its own. u is a multiple of 2^k.
    Among {
        /// Zeros at the end of u.
        k: u32,
        /// The places of the bits.
        open: u32,
        /// The number that each lane adds.
        f: Lanes,
        /// The reason why the bits are unknown.
        reason: Reason,
    },
    /// One of a few forms `u + f(lane)`, the same one in all lanes: two to four [`Sum`](Self::Sum)s.
    OneOf(Rc<[Self]>),
    /// Unknown.
    Unknown(Reason),
}

use Value::{Among, OneOf, Part, Sum, Unknown};

/// The bits below 2^k.
fn low(k: u32) -> u32 {
    if k >= 32 { u32::MAX } else { (1 << k) - 1 }
}

impl Value {
    /// A number that every lane has.
    #[must_use]
    pub fn constant(number: u32) -> Self {
        Sum { k: 32, f: Lanes::Same(number) }
    }

    /// A known number for each lane.
    #[must_use]
    pub fn lanes(wave: usize, number: impl FnMut(usize) -> u32) -> Self {
        Sum { k: 32, f: Lanes::from_fn(wave, number) }
    }

    /// An unknown number that all lanes share, a multiple of 2^k.
    #[must_use]
    pub fn shared(k: u32) -> Self {
        Sum { k: k.min(32), f: Lanes::Same(0) }
    }

    /// The lanes of a wave in a row of whole waves: an unknown multiple of their number, and each lane's own.
    pub(crate) fn in_row(wave: usize) -> Self {
        Sum { k: wave.ilog2(), f: Lanes::from_fn(wave, |lane| lane as u32) }
    }

    /// The numbers, if all are known.
    #[must_use]
    pub fn known(&self) -> Option<&Lanes> {
        match self {
            Sum { k: 32, f } => Some(f),
            _ => None,
        }
    }

    /// Gives each of `wave` lanes the value of another lane.
    pub(crate) fn between(&self, wave: usize, source: &dyn Fn(usize) -> usize) -> Self {
        let moved = |f: &Lanes| Lanes::from_fn(wave, |lane| f.get(source(lane)));
        match self {
            Sum { k, f } => Sum { k: *k, f: moved(f) },
            Part { bits, f, reason } => Part { bits: *bits, f: moved(f), reason: *reason },
            Among { k, open, f, reason } => {
                Among { k: *k, open: *open, f: moved(f), reason: *reason }
            }
            OneOf(all) => OneOf(all.iter().map(|one| one.between(wave, source)).collect()),
            other => other.clone(),
        }
    }

    /// Names the instruction that made it unknown anew.
    pub(crate) fn place_reason(&mut self, to: impl Fn(usize) -> usize) {
        if let Part { reason, .. } | Among { reason, .. } | Unknown(reason) = self {
            reason.at = to(reason.at);
        }
    }

    /// The number, if it is known and the same in all lanes.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        self.known()?.same()
    }

    /// Returns whether the value is the same in all lanes, known or not.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        match self {
            Sum { f: Lanes::Same(_), .. } => true,
            OneOf(all) => all.iter().all(Self::is_shared),
            _ => false,
        }
    }

    /// u takes all of f that 2^k divides in lane 0, so that equal values are equal.
    fn sum(k: u32, f: Lanes) -> Self {
        if k >= 32 {
            return Sum { k: 32, f };
        }
        let above = f.get(0) & !low(k);
        let f = if above == 0 { f } else { f.map(|number| number.wrapping_sub(above)) };
        Sum { k, f }
    }

    /// How many low bits are known, and what they are in each lane.
    pub(crate) fn lower(&self) -> Option<(u32, &Lanes)> {
        match self {
            Sum { k, f } => Some((*k, f)),
            Part { bits, f, .. } => Some((*bits, f)),
            Among { k, open, f, .. } => Some((*k.min(&open.trailing_zeros()), f)),
            _ => None,
        }
    }

    /// What is left where only some low bits are known.
    fn part(bits: u32, f: &Lanes, reason: Reason) -> Self {
        match bits {
            0 => Unknown(reason),
            1..32 => Part { bits, f: f.map(|number| number & low(bits)), reason },
            _ => Sum { k: 32, f: f.clone() },
        }
    }

    /// What is known of the low bits of a result whose low bits are a function of those of two operands.
    fn of_lower(&self, b: &Self, at: usize, op: impl Fn(u32, u32) -> u32) -> Self {
        match (self.lower(), b.lower(), Self::of_others(&[self, b], at)) {
            (Some((k, f)), Some((l, g)), Unknown(reason)) => {
                Self::part(k.min(l), &f.with(g, op), reason)
            }
            (_, _, others) => others,
        }
    }

    /// Why it is unknown, if it is.
    pub(crate) const fn why(&self) -> Option<Reason> {
        match self {
            Part { reason, .. } | Among { reason, .. } | Unknown(reason) => Some(*reason),
            _ => None,
        }
    }

    /// Why one of two values is unknown, if one is.
    fn reason(&self, other: &Self) -> Option<Reason> {
        self.why().into_iter().chain(other.why()).min()
    }

    /// The exponent of the power of two that divides a number which all lanes share: the trailing zeros of u + f.
    fn zeros(k: u32, f: u32) -> u32 {
        k.min(if f == 0 { 32 } else { f.trailing_zeros() })
    }

    /// The value of a result that no rule covers.
    fn of_others(all: &[&Self], at: usize) -> Self {
        match all.iter().filter_map(|one| one.why()).min() {
            Some(reason) => Unknown(reason),
            None if all.iter().all(|one| one.is_shared()) => Self::shared(0),
            None => Unknown(Reason { at, why: Why::Computed }),
        }
    }

    /// Applies any function to operands: lane by lane if all are known.
    #[must_use]
    pub fn apply<const N: usize>(all: [&Self; N], at: usize, op: impl Fn([u32; N]) -> u32) -> Self {
        Self::of_dyn(all, at, &op)
    }

    /// [`apply`](Self::apply), compiled once for as many operands.
    fn of_dyn<const N: usize>(all: [&Self; N], at: usize, op: &dyn Fn([u32; N]) -> u32) -> Self {
        let (mut known, mut count) = ([&Lanes::ZERO; N], 0);
        for (place, one) in known.iter_mut().zip(all) {
            let Some(lanes) = one.known() else { break };
            *place = lanes;
            count += 1;
        }
        if count == N {
            return Sum { k: 32, f: Lanes::apply(known, op) };
        }
        if Self::has_forms(all) {
            return Self::each(all, at, &|all| Self::of_dyn(all, at, op));
        }
        Self::of_others(&all, at)
    }

    /// `a + b`.
    #[must_use]
    pub fn add(&self, b: &Self, at: usize) -> Self {
        self.sum_with(b, false, at)
    }

    /// `a - b`.
    #[must_use]
    pub fn sub(&self, b: &Self, at: usize) -> Self {
        self.sum_with(b, true, at)
    }

    fn sum_with(&self, b: &Self, subtracts: bool, at: usize) -> Self {
        let op = if subtracts { u32::wrapping_sub } else { u32::wrapping_add };
        match (self, b) {
            _ if Self::has_forms([self, b]) => {
                Self::each([self, b], at, &|[a, b]| a.sum_with(b, subtracts, at))
            }
            (Sum { k, f }, Sum { k: l, f: g }) => Self::sum(*k.min(l), f.with(g, op)),
            _ => self.sum_of_open(b, subtracts).unwrap_or_else(|| self.of_lower(b, at, op)),
        }
    }

    /// The lower 32 bits of `a * b`.
    #[must_use]
    pub fn mul(&self, b: &Self, at: usize) -> Self {
        match (self, b) {
            _ if Self::has_forms([self, b]) => Self::each([self, b], at, &|[a, b]| a.mul(b, at)),
            (Sum { k: 32, f }, Sum { k: 32, f: g }) => {
                Sum { k: 32, f: f.with(g, u32::wrapping_mul) }
            }
            (_, Sum { k: 32, f: Lanes::Same(0) }) | (Sum { k: 32, f: Lanes::Same(0) }, _) => {
                Self::constant(0)
            }
            (Sum { k, f }, Sum { k: 32, f: Lanes::Same(c) })
            | (Sum { k: 32, f: Lanes::Same(c) }, Sum { k, f }) => {
                Self::sum(k + c.trailing_zeros(), f.map(|number| number.wrapping_mul(*c)))
            }
            (Sum { k, f: Lanes::Same(f) }, Sum { k: l, f: Lanes::Same(g) }) => {
                Self::shared(Self::zeros(*k, *f) + Self::zeros(*l, *g))
            }
            (open, Sum { k: 32, f: Lanes::Same(c) }) | (Sum { k: 32, f: Lanes::Same(c) }, open) => {
                open.times(*c).unwrap_or_else(|| self.of_lower(b, at, u32::wrapping_mul))
            }
            _ => self.of_lower(b, at, u32::wrapping_mul),
        }
    }

    /// `a << (b & 31)`.
    #[must_use]
    pub fn shl(&self, b: &Self, at: usize) -> Self {
        match (self, b) {
            _ if Self::has_forms([self, b]) => Self::each([self, b], at, &|[a, b]| a.shl(b, at)),
            (Sum { k, f }, Sum { k: 32, f: Lanes::Same(c) }) => {
                let c = c & 31;
                if *k == 32 {
                    return Sum { k: 32, f: f.map(|number| number << c) };
                }
                Self::sum(k + c, f.map(|number| number << c))
            }
            (Sum { k: 32, f }, Sum { k: 32, f: g }) => {
                Sum { k: 32, f: f.with(g, |number, c| number << (c & 31)) }
            }
            // However far: no zero is lost.
            (Sum { k, f: Lanes::Same(f) }, Sum { f: Lanes::Same(_), .. }) => {
                Self::shared(Self::zeros(*k, *f).min(31))
            }
            // Zeros come in, whatever it is.
            (_, Sum { k: 32, f: Lanes::Same(c) }) => match Self::of_others(&[self, b], at) {
                Unknown(reason) => {
                    let part = || Self::part(c & 31, &Lanes::ZERO, reason);
                    self.times(1 << (c & 31)).unwrap_or_else(part)
                }
                others => others,
            },
            _ => Self::of_others(&[self, b], at),
        }
    }

    /// `a >> (b & 31)`, of signed numbers or of unsigned ones.
    #[must_use]
    pub fn shr(&self, b: &Self, signed: bool, at: usize) -> Self {
        let shift = |number: u32, c: u32| match signed {
            true => (number as i32 >> (c & 31)) as u32,
            false => number >> (c & 31),
        };
        match (self, b) {
            _ if Self::has_forms([self, b]) => {
                Self::each([self, b], at, &|[a, b]| a.shr(b, signed, at))
            }
            // u and f have no bit in common, so each is shifted by itself; if all of f falls out, u is left.
            (Sum { k, f }, Sum { k: 32, f: Lanes::Same(c) })
                if *k < 32 && f.all(|number| number <= low(*k)) =>
            {
                let c = c & 31;
                Self::sum(k.saturating_sub(c), f.map(|number| number >> c))
            }
            _ => match (Self::apply([self, b], at, |[number, c]| shift(number, c)), b.number()) {
                (Unknown(reason), Some(c)) => self.shifted_right(c & 31, signed, reason),
                (found, _) => found,
            },
        }
    }

    /// `~a`.
    #[must_use]
    pub fn not(&self, at: usize) -> Self {
        Self::constant(u32::MAX).sub(self, at)
    }

    /// `a & b`.
    #[must_use]
    pub fn and(&self, b: &Self, at: usize) -> Self {
        let of = |a: &Self, b: &Self| Self::bits([a, b], at, |[a, b]| a & b);
        match (self.below(b), b.below(self)) {
            (Some(sum), _) => of(&sum, b),
            (_, Some(sum)) => of(self, &sum),
            _ => of(self, b),
        }
    }

    /// What is added to open bits that a mask takes out: it reaches up to their lowest at most, and nothing is carried down.
    fn below(&self, mask: &Self) -> Option<Self> {
        match (self, mask.number()) {
            (Among { k, open, f, .. }, Some(mask)) if mask & !low(open.trailing_zeros()) == 0 => {
                Some(Self::sum(*k, f.clone()))
            }
            _ => None,
        }
    }

    /// `a | b`.
    #[must_use]
    pub fn or(&self, b: &Self, at: usize) -> Self {
        Self::bits([self, b], at, |[a, b]| a | b)
    }

    /// `a ^ b`.
    #[must_use]
    pub fn xor(&self, b: &Self, at: usize) -> Self {
        Self::bits([self, b], at, |[a, b]| a ^ b)
    }
}
