//! The formula of a number, as plain data: for numbers known only at run time.
//!
//! A lazy number such as `Mul<Div<K, P>, L>` is a formula that the compiler computes. The
//! same formula over [`Parameter`]s waits for its numbers:
//!
//! ```text
//!   Div<Lit<64>, Lit<8>>              N = 8
//!   Div<Parameter<0>, Parameter<1>>   FORMULA = [0] / [1]    given [64, 8]: 8
//! ```
//!
//! So one type is a layout of the compiler's and a constructor of the run time's, by the
//! same rules and with the same faults.

use crate::number::list::List;
use crate::number::{Number, NumberError, narrow};

/// A number with the name of its parameter in error texts, or "".
pub(crate) type Named = (u32, &'static str);

/// The way in which a number comes about.
#[derive(Clone, Copy, Debug)]
pub enum Formula {
    // No type that users meet has one of these names: see DESIGN, "What keeps compiler errors short?".
    /// Known to the compiler, by this name.
    Value(Result<u32, NumberError>, &'static str),
    /// The parameter at a position.
    Argument(usize),
    /// Two numbers joined by a rule.
    Operation(Rule, &'static Self, &'static Self),
}

/// The arithmetic of numbers, each rule once.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b` without remainder
    Div,
    /// `a / b` rounded down
    Quotient,
    /// `a` rounded up to a multiple of `b`
    AlignUp,
    /// the smaller
    Min,
    /// the larger
    Max,
}

impl Rule {
    pub(crate) const fn join(self, a: Named, b: Named) -> Result<u32, NumberError> {
        let (wide_a, wide_b) = (a.0 as u64, b.0 as u64);
        match self {
            Self::Add => narrow(wide_a + wide_b),
            Self::Sub => difference(a.0, b.0),
            Self::Mul => narrow(wide_a * wide_b),
            Self::Div => exact_quotient(a, b),
            Self::Quotient => or_zero_division(wide_a.checked_div(wide_b)),
            Self::AlignUp => or_zero_division(align_up(wide_a, wide_b)),
            Self::Min => Ok(if a.0 < b.0 { a.0 } else { b.0 }),
            Self::Max => Ok(if a.0 > b.0 { a.0 } else { b.0 }),
        }
    }
}

const fn exact_quotient(dividend: Named, divisor: Named) -> Result<u32, NumberError> {
    if divisor.0 == 0 {
        Err(NumberError::DivideByZero)
    } else if !dividend.0.is_multiple_of(divisor.0) {
        Err(NumberError::NotDivisible { dividend, divisor })
    } else {
        Ok(dividend.0 / divisor.0)
    }
}

const fn difference(from: u32, subtracted: u32) -> Result<u32, NumberError> {
    match from.checked_sub(subtracted) {
        Some(value) => Ok(value),
        None => Err(NumberError::Negative { from, subtracted }),
    }
}

const fn or_zero_division(value: Option<u64>) -> Result<u32, NumberError> {
    match value {
        Some(value) => narrow(value),
        None => Err(NumberError::DivideByZero),
    }
}

const fn align_up(value: u64, unit: u64) -> Option<u64> {
    if unit == 0 { None } else { Some(value.div_ceil(unit) * unit) }
}

/// The numbers of the run time, with the names of their parameters.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The numbers, in the order of the parameters.
    pub values: &'a [u32],
    /// The names of the parameters, one for each number.
    pub names: &'a [&'static str],
}

impl Given<'_> {
    const fn at(self, position: usize) -> Result<Named, NumberError> {
        if position < self.values.len() && position < self.names.len() {
            return Ok((self.values[position], self.names[position]));
        }
        let length = self.values.len() as u32;
        Err(NumberError::NoSuchPosition { position: position as u32, length })
    }
}

impl Formula {
    /// The number, with its name.
    const fn named(&self, given: Given<'_>) -> Result<Named, NumberError> {
        match *self {
            Self::Argument(position) => given.at(position),
            Self::Value(value, name) => Ok((attempt!(value), name)),
            Self::Operation(rule, a, b) => {
                let (a, b) = (attempt!(a.named(given)), attempt!(b.named(given)));
                Ok((attempt!(rule.join(a, b)), ""))
            }
        }
    }

    /// The number that a formula makes of the run time's.
    ///
    /// # Errors
    ///
    /// The fault that the type would have.
    #[doc(hidden)]
    pub const fn value(&self, given: Given<'_>) -> Result<u32, NumberError> {
        Ok(attempt!(self.named(given)).0)
    }
}

/// The formulas of a sequence.
#[derive(Clone, Copy, Debug)]
pub enum Formulas {
    /// Each by its own.
    Each(&'static [&'static Formula]),
    /// The values that the compiler knows.
    Known(Result<List, NumberError>),
}

impl Formulas {
    pub(crate) const fn values(&self, given: Given<'_>) -> Result<List, NumberError> {
        let items = match *self {
            Self::Known(list) => return list,
            Self::Each(items) => items,
        };
        let (mut list, mut i) = (List::EMPTY, 0);
        while i < items.len() {
            list = attempt!(list.push_back(attempt!(items[i].value(given))));
            i += 1;
        }
        Ok(list)
    }
}

/// The number at position `I` of those that only the run time knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameter<const I: usize>;

impl<const I: usize> Number for Parameter<I> {
    const N: u32 = 1;
    const FAULT: Option<NumberError> = Some(NumberError::NotKnown);
    const FORMULA: &'static Formula = &Formula::Argument(I);
}

/// The formula of a number that has no other.
pub(crate) const fn known<N: Number>() -> Formula {
    match N::FAULT {
        None => Formula::Value(Ok(N::N), N::NAME),
        Some(fault) => Formula::Value(Err(fault), N::NAME),
    }
}
