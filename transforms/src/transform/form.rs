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

/// The next parameter, and those after it: by the type of the field, the value that its formula has of the numbers
/// `$given`, or `$old` where it is fixed or there is none.
macro_rules! field {
    (u32 $old:ident, $fields:ident, $given:ident) => {
        match $fields {
            [Field::Length(formula), rest @ ..] => (attempt!(formula.value($given)), rest),
            _ => ($old, $fields),
        }
    };
    (List $old:ident, $fields:ident, $given:ident) => {
        match $fields {
            [Field::Lengths(formulas), rest @ ..] => (attempt!(formulas.values($given)), rest),
            _ => ($old, $fields),
        }
    };
    ($fixed:ident $old:ident, $fields:ident, $given:ident) => {
        match $fields {
            [Field::Fixed, rest @ ..] => ($old, rest),
            _ => ($old, $fields),
        }
    };
}
pub(crate) use field;
