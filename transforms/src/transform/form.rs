//! A transform of numbers known only at run time: its variant, and how each number comes
//! about.

use crate::number::NumberError;
use crate::number::formula::{Formula, Formulas, Given};
use crate::transform::Op;

/// One parameter of a transform.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// A length.
    Length(&'static Formula),
    /// A sequence of lengths.
    Lengths(Formulas),
    /// A parameter that is not a number, and stays as it is.
    Fixed,
}

/// A transform with formulas for numbers.
#[derive(Clone, Copy, Debug)]
pub struct OpForm {
    /// The variant; its numbers mean nothing.
    pub op: Op,
    /// The parameters, in order.
    pub fields: &'static [Field],
}

impl OpForm {
    pub(crate) const fn op(&self, given: Given<'_>) -> Result<Op, NumberError> {
        self.op.filled(self.fields, given)
    }
}
