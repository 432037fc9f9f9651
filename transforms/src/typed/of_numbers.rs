//! The demands of a [`descriptor!`](crate::descriptor!)'s function on its type.

use crate::typed::adaptor::Adaptor;
use crate::typed::form::Form;

/// Every composition, as a bound that a function may have before it is known to hold: the bound that
/// [`descriptor!`](crate::descriptor!) puts on parameters that need not be numbers.
#[diagnostic::on_unimplemented(
    message = "this descriptor has a parameter that is not a number",
    note = "the run-time constructor takes numbers only; write out the type"
)]
pub trait OfNumbers<'a> {
    /// The composition.
    const FORM: &'static Form;
}

// Then the error is the sentence above, and not what is missing five types further down.
#[diagnostic::do_not_recommend]
impl<A: Adaptor> OfNumbers<'_> for A {
    const FORM: &'static Form = <A as Adaptor>::FORM;
}
