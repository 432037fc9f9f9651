//! A composition of numbers known only at run time: the facts of its type, without the numbers.
//!
//! ```text
//!   Swapped<Lit<64>, Lit<128>, Lit<8>, Lit<1>>               PLAN: computed by the compiler
//!   Swapped<Parameter<0>, .., Parameter<3>>                  FORM: the same stages, of formulas
//!   Form::plan given [64, 128, 8, 1]                         the same plan, at run time or in a constant
//! ```

use crate::error::Error;
use crate::number::NumberError;
use crate::number::formula::{Formula, Formulas, Given};
use crate::number::list::{List, head};
use crate::plan::Plan;
use crate::plan::compose::{Wires, aligned_strides};
use crate::transform::{Op, OpForm};

/// The way in which a plan is built: a base, and stage upon stage, in place. The types that a composition is made of have steps
/// and no plans of their own, each of which the compiler would copy, check and keep: see DESIGN, "What the compiler pays for".
#[derive(Debug)]
pub enum Steps {
    /// The plan of a type that has one.
    Plan(&'static Result<Plan, Error>),
    /// A transform over memory, with the offset of its first element.
    Base {
        /// The transform.
        op: Result<Op, NumberError>,
        /// The offset, in elements.
        start: Result<Option<u32>, NumberError>,
    },
    /// A stage over another composition.
    Stage {
        /// The other.
        below: &'static Self,
        /// The transforms.
        ops: &'static [Result<Op, NumberError>],
        /// The ids that each takes.
        lower: Wires<'static>,
        /// The ids that each gives.
        upper: Wires<'static>,
    },
}

impl Steps {
    /// The plan.
    ///
    /// # Errors
    ///
    /// What is wrong with the composition.
    pub const fn plan(&self) -> Result<Plan, Error> {
        let mut plan = Plan::memory();
        match self.build(&mut plan) {
            Ok(()) => Ok(plan),
            Err(error) => Err(error),
        }
    }

    const fn build(&self, plan: &mut Plan) -> Result<(), Error> {
        match self {
            Self::Plan(Ok(known)) => {
                *plan = *known;
                Ok(())
            }
            Self::Plan(Err(error)) => Err(*error),
            Self::Base { op: Ok(op), start: Ok(start) } => plan.add_base(*op, *start),
            Self::Base { op: Err(fault), .. } | Self::Base { start: Err(fault), .. } => {
                Err(Error::Number(*fault))
            }
            Self::Stage { below, ops, lower, upper } => {
                attempt!(below.build(plan));
                plan.add_stage(ops, lower, upper)
            }
        }
    }
}

/// A composition with formulas for numbers.
#[derive(Debug)]
pub enum Form {
    /// The plan that the compiler knows.
    Plan(&'static Result<Plan, Error>),
    /// A transform over memory, with the offset of its first element.
    Base {
        /// The transform.
        op: OpForm,
        /// The offset, in elements.
        offset: Option<&'static Formula>,
    },
    /// Rows that are a multiple of some elements apart.
    Aligned {
        /// The lengths.
        lengths: Formulas,
        /// The multiple.
        align: &'static Formula,
    },
    /// A stage over another composition.
    Stage {
        /// The other.
        below: &'static Self,
        /// The transforms.
        ops: &'static [OpForm],
        /// The ids that each takes.
        lower: &'static [List],
        /// The ids that each gives.
        upper: &'static [List],
    },
}

impl Form {
    /// The composition of the numbers `values`, which errors call by `names`.
    ///
    /// # Errors
    ///
    /// The errors of the type with these numbers.
    #[doc(hidden)]
    pub const fn plan_of<const N: usize>(
        &self,
        values: [u32; N],
        names: [&'static str; N],
    ) -> Result<Plan, Error> {
        self.plan(Given { values: &values, names: &names })
    }

    const fn plan(&self, given: Given<'_>) -> Result<Plan, Error> {
        let mut plan = Plan::memory();
        attempt!(self.build(&mut plan, given));
        Ok(plan)
    }

    /// Stage upon stage, in place.
    const fn build(&self, plan: &mut Plan, given: Given<'_>) -> Result<(), Error> {
        match self {
            Self::Plan(Ok(known)) => {
                *plan = *known;
                Ok(())
            }
            Self::Plan(Err(error)) => Err(*error),
            Self::Base { op, offset } => {
                let op = attempt!(op.op(given) => Error::Number);
                plan.add_base(op, attempt!(value(*offset, given) => Error::Number))
            }
            Self::Aligned { lengths, align } => {
                let lengths = attempt!(lengths.values(given) => Error::Number);
                let align = attempt!(align.value(given) => Error::Number);
                let strides = attempt!(aligned_strides(&lengths, align) => Error::Number);
                plan.add_base(Op::Embed { lengths, strides }, None)
            }
            Self::Stage { below, ops, lower, upper } => {
                attempt!(below.build(plan, given));
                let made = made(ops, given);
                plan.add_stage(head(&made, ops.len()), &Wires::new(lower), &Wires::new(upper))
            }
        }
    }
}

const fn value(
    formula: Option<&'static Formula>,
    given: Given<'_>,
) -> Result<Option<u32>, NumberError> {
    match formula {
        Some(formula) => Ok(Some(attempt!(formula.value(given)))),
        None => Ok(None),
    }
}

/// The transforms of a stage; a stage has at most as many as a list has elements.
const fn made(ops: &[OpForm], given: Given<'_>) -> [Result<Op, NumberError>; List::CAPACITY] {
    let mut made = [Err(NumberError::NotKnown); List::CAPACITY];
    let mut i = 0;
    while i < ops.len() {
        made[i] = ops[i].op(given);
        i += 1;
    }
    made
}
