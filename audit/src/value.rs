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
//! u + f again ([`Value::join`]). Where each lane may have the one or the other, only equal ones remain
//! ([`Value::either`]), and where it is known which has which, both if they are known ([`Value::within`]). Of others the low
//! bits in which they agree, or that each lane has of its own, are kept: a mask may take them out again.

mod lanes;

pub use lanes::Lanes;

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
    /// Unknown.
    Unknown(Reason),
}

use Value::{Nothing, Part, Sum, Unknown};

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

    /// Names the instruction that made it unknown anew.
    pub(crate) fn place_reason(&mut self, to: impl Fn(usize) -> usize) {
        if let Part { reason, .. } | Unknown(reason) = self {
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
        matches!(self, Sum { f: Lanes::Same(_), .. })
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
    fn lower(&self) -> Option<(u32, &Lanes)> {
        match self {
            Sum { k, f } => Some((*k, f)),
            Part { bits, f, .. } => Some((*bits, f)),
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

    /// The low bits in which two values agree in some lanes, where a lane has the one or the other.
    fn common(&self, other: &Self, lanes: u64, reason: Reason) -> Self {
        let (Some((k, f)), Some((l, g))) = (self.lower(), other.lower()) else {
            return Unknown(reason);
        };
        let apart = f.with(g, |a, b| a ^ b);
        let bits = (0..64).filter(|lane| lanes >> lane & 1 == 1).map(|lane| match &apart {
            Lanes::Same(bits) => bits.trailing_zeros(),
            Lanes::Each(all) => all.get(lane).map_or(32, |bits| bits.trailing_zeros()),
        });
        Self::part(bits.min().unwrap_or(32).min(k).min(l), f, reason)
    }

    /// Why one of two values is unknown, if one is.
    fn reason(&self, other: &Self) -> Option<Reason> {
        let of = |one: &Self| match one {
            Part { reason, .. } | Unknown(reason) => Some(*reason),
            _ => None,
        };
        of(self).into_iter().chain(of(other)).min()
    }

    /// The exponent of the power of two that divides a number which all lanes share: the trailing zeros of u + f.
    fn zeros(k: u32, f: u32) -> u32 {
        k.min(if f == 0 { 32 } else { f.trailing_zeros() })
    }

    /// The value of a result that no rule covers.
    fn of_others(all: &[&Self], at: usize) -> Self {
        let reasons = all.iter().filter_map(|one| match one {
            Part { reason, .. } | Unknown(reason) => Some(*reason),
            _ => None,
        });
        match reasons.min() {
            Some(reason) => Unknown(reason),
            None if all.iter().all(|one| one.is_shared()) => Self::shared(0),
            None => Unknown(Reason { at, why: Why::Computed }),
        }
    }

    /// Applies any function to operands: lane by lane if all are known.
    #[must_use]
    pub fn of<const N: usize>(all: [&Self; N], at: usize, op: impl Fn([u32; N]) -> u32) -> Self {
        let (mut known, mut count) = ([&Lanes::ZERO; N], 0);
        for (place, one) in known.iter_mut().zip(all) {
            let Some(lanes) = one.known() else { break };
            *place = lanes;
            count += 1;
        }
        if count == N {
            return Sum { k: 32, f: Lanes::of(known, op) };
        }
        Self::of_others(&all, at)
    }

    /// `a + b`.
    #[must_use]
    pub fn add(&self, b: &Self, at: usize) -> Self {
        match (self, b) {
            (Sum { k, f }, Sum { k: l, f: g }) => {
                Self::sum(*k.min(l), f.with(g, u32::wrapping_add))
            }
            _ => self.of_lower(b, at, u32::wrapping_add),
        }
    }

    /// `a - b`.
    #[must_use]
    pub fn sub(&self, b: &Self, at: usize) -> Self {
        match (self, b) {
            (Sum { k, f }, Sum { k: l, f: g }) => {
                Self::sum(*k.min(l), f.with(g, u32::wrapping_sub))
            }
            _ => self.of_lower(b, at, u32::wrapping_sub),
        }
    }

    /// The lower 32 bits of `a * b`.
    #[must_use]
    pub fn mul(&self, b: &Self, at: usize) -> Self {
        match (self, b) {
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
            (Part { bits, f, reason }, Sum { k: 32, f: Lanes::Same(c) })
            | (Sum { k: 32, f: Lanes::Same(c) }, Part { bits, f, reason }) => Self::part(
                bits + c.trailing_zeros(),
                &f.map(|number| number.wrapping_mul(*c)),
                *reason,
            ),
            _ => self.of_lower(b, at, u32::wrapping_mul),
        }
    }

    /// `a << (b & 31)`.
    #[must_use]
    pub fn shl(&self, b: &Self, at: usize) -> Self {
        match (self, b) {
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
            (Part { bits, f, reason }, Sum { k: 32, f: Lanes::Same(c) }) => {
                let c = c & 31;
                Self::part(bits + c, &f.map(|number| number << c), *reason)
            }
            // Zeros come in, whatever it is.
            (Nothing | Unknown(_), Sum { k: 32, f: Lanes::Same(c) }) => {
                match Self::of_others(&[self, b], at) {
                    Unknown(reason) => Self::part(c & 31, &Lanes::ZERO, reason),
                    others => others,
                }
            }
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
            // u and f have no bit in common, so each is shifted by itself; if all of f falls out, u is left.
            (Sum { k, f }, Sum { k: 32, f: Lanes::Same(c) })
                if *k < 32 && f.all(|number| number <= low(*k)) =>
            {
                let c = c & 31;
                Self::sum(k.saturating_sub(c), f.map(|number| number >> c))
            }
            (Part { bits, f, reason }, Sum { k: 32, f: Lanes::Same(c) }) => {
                let c = c & 31;
                Self::part(bits.saturating_sub(c), &f.map(|number| number >> c), *reason)
            }
            _ => Self::of([self, b], at, |[number, c]| shift(number, c)),
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
        Self::bits([self, b], at, |[a, b]| a & b)
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

    /// An operation on each bit by itself, the same on all bits.
    #[must_use]
    pub fn bits<const N: usize>(all: [&Self; N], at: usize, op: impl Fn([u32; N]) -> u32) -> Self {
        if all.iter().all(|one| one.known().is_some()) {
            return Self::of(all, at, op);
        }
        let parts = all.map(|one| match one {
            Sum { k, f } => (*k, f),
            Part { bits, f, .. } => (*bits, f),
            _ => (0, &Lanes::ZERO),
        });
        let k = parts.iter().map(|(k, _)| *k).min().unwrap_or(32);
        let lower = Lanes::of(parts.map(|(_, f)| f), |numbers| op(numbers) & low(k));
        let upper = all.map(|one| Upper::of(one, k));
        let whole = Self::of_upper(k, &lower, &upper, parts.map(|(_, f)| f), &op);
        whole.unwrap_or_else(|| match Self::of_others(&all, at) {
            Unknown(reason) => Self::of_free(parts, reason, op),
            others => others,
        })
    }

    /// Returns the low bits of a bitwise operation that are the same for any content of its operands' unknown bits.
    fn of_free<const N: usize>(
        parts: [(u32, &Lanes); N],
        reason: Reason,
        op: impl Fn([u32; N]) -> u32,
    ) -> Self {
        let (open, f) = (parts.map(|(k, _)| !low(k)), parts.map(|(_, f)| f));
        let of = |numbers: [u32; N], choice: u32| {
            op(std::array::from_fn(|i| {
                let free = if choice >> i & 1 == 1 { open[i] } else { 0 };
                numbers[i] & !open[i] | free
            }))
        };
        let apart = Lanes::of(f, |numbers| {
            (1..1 << N).fold(0, |all, choice| all | of(numbers, choice) ^ of(numbers, 0))
        });
        let bits = match &apart {
            Lanes::Same(bits) => bits.trailing_zeros(),
            Lanes::Each(all) => all.iter().map(|bits| bits.trailing_zeros()).min().unwrap_or(0),
        };
        Self::part(bits, &Lanes::of(f, |numbers| of(numbers, 0)), reason)
    }

    /// Applies a bitwise function of three numbers, by its table of 8 bits, whose entry 4 a + 2 b + c is the result for
    /// bits a, b and c: `v_bitop3_b32` and `lop3.b32`.
    #[must_use]
    pub fn by_table(table: u32, all: [&Self; 3], at: usize) -> Self {
        Self::bits(all, at, |[a, b, c]| {
            let minterm = |entry: u32| {
                let pick =
                    |number: u32, bit: u32| if entry >> bit & 1 == 1 { number } else { !number };
                pick(a, 2) & pick(b, 1) & pick(c, 0)
            };
            let entries = (0..8).filter(|entry| table >> entry & 1 == 1);
            entries.fold(0, |all, entry| all | minterm(entry))
        })
    }

    /// The bits above 2^k: what the operation makes of them is seen on one bit, for all that it may be.
    fn of_upper<const N: usize>(
        k: u32,
        lower: &Lanes,
        upper: &[Upper; N],
        f: [&Lanes; N],
        op: impl Fn([u32; N]) -> u32,
    ) -> Option<Self> {
        // The result for each choice of the operands' bits: bit i of the choice is that of operand i.
        let result = |choice: usize| {
            let bits = std::array::from_fn(|i| match upper[i] {
                Upper::Clear => 0,
                Upper::Set => u32::MAX,
                _ if choice >> i & 1 == 1 => u32::MAX,
                _ => 0,
            });
            op(bits) & 1 == 1
        };
        let depends =
            |i: usize| (0..1 << N).any(|choice| result(choice) != result(choice ^ 1 << i));
        let on: Vec<_> = (0..N).filter(|i| depends(*i)).collect();
        let with = |upper: Lanes| Some(Self::sum(k, upper.with(lower, u32::wrapping_add)));
        match on[..] {
            [] if result(0) => Some(Sum { k: 32, f: lower.map(|number| number | !low(k)) }),
            [] => Some(Sum { k: 32, f: lower.clone() }),
            _ if on.iter().all(|i| upper[*i] == Upper::Shared) => Some(Self::sum(k, lower.clone())),
            [i] if upper[i] == Upper::Sum => {
                let above = f[i].map(|number| number & !low(k));
                // All flipped it is -2^k - (u + f), and -u is as unknown as u.
                let flipped = || above.map(|number| (!low(k)).wrapping_sub(number));
                with(if result(0) { flipped() } else { above.clone() })
            }
            _ => None,
        }
    }

    /// The value where all lanes took one of two paths.
    #[must_use]
    pub fn join(&self, other: &Self, at: usize) -> Self {
        match (self, other) {
            (Nothing, known) | (known, Nothing) => known.clone(),
            _ if self == other => self.clone(),
            (Sum { k, f }, Sum { k: l, f: g }) => {
                let distance = g.get(0).wrapping_sub(f.get(0));
                match g.with(f, u32::wrapping_sub) {
                    Lanes::Same(_) => Self::sum(Self::zeros(*k.min(l), distance), f.clone()),
                    Lanes::Each(_) => self.common(other, u64::MAX, Reason { at, why: Why::Paths }),
                }
            }
            _ => {
                let reason = self.reason(other).unwrap_or(Reason { at, why: Why::Paths });
                self.common(other, u64::MAX, reason)
            }
        }
    }

    /// The value where each lane of a set has the new value or the old one, and the others the old one.
    #[must_use]
    pub fn either(&self, new: &Self, lanes: u64, at: usize) -> Self {
        match (self, new) {
            _ if lanes == 0 => self.clone(),
            (Nothing, known) | (known, Nothing) => known.clone(),
            (Sum { k: 32, f }, Sum { k: 32, f: g })
                if (0..64).filter(|lane| lanes >> lane & 1 == 1).all(|lane| f.agrees(g, lane)) =>
            {
                self.clone()
            }
            _ => {
                let reason = self.reason(new).unwrap_or(Reason { at, why: Why::Mask });
                self.common(new, lanes, reason)
            }
        }
    }

    /// The value where each lane of a set has the new value, and the others, of `wave` lanes, the old one.
    #[must_use]
    pub fn within(&self, new: &Self, lanes: u64, wave: usize, at: usize) -> Self {
        let all = u64::MAX >> (64 - wave);
        match (self, new) {
            _ if lanes & all == 0 => self.clone(),
            _ if lanes & all == all => new.clone(),
            (Nothing, known) | (known, Nothing) => known.clone(),
            _ => {
                let reason = self.reason(new).unwrap_or(Reason { at, why: Why::Mask });
                let (Some((k, f)), Some((l, g))) = (self.lower(), new.lower()) else {
                    return Unknown(reason);
                };
                let own = |lane: usize| {
                    if lanes >> lane & 1 == 1 { g.get(lane) } else { f.get(lane) }
                };
                Self::part(k.min(l), &Lanes::from_fn(wave, own), reason)
            }
        }
    }
}

/// The bits of an operand above 2^k, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upper {
    /// Bits that are all 0.
    Clear,
    /// Bits that are all 1.
    Set,
    /// Bits that are the same in all lanes.
    Shared,
    /// The bits of u + f.
    Sum,
    /// Bits that differ from lane to lane.
    Differ,
}

impl Upper {
    fn of(value: &Value, k: u32) -> Self {
        let above = |lanes: &Lanes| lanes.map(|number| number & !low(k)).same();
        match value {
            Sum { k: 32, f } => match above(f) {
                Some(0) => Self::Clear,
                Some(bits) if bits == !low(k) => Self::Set,
                Some(_) => Self::Shared,
                None => Self::Differ,
            },
            Sum { f, .. } if above(f).is_some() => Self::Shared,
            // Bits between this operand's k and a smaller one of another are known: they are part of f.
            Sum { .. } => Self::Sum,
            _ => Self::Differ,
        }
    }
}
