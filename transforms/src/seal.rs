//! Sealed traits: code outside cannot name the type of a constant that they require.
//!
//! A stage is a tuple of our transforms, and a transform a row of [`Op`](crate::Op). An
//! implementation from outside would have no plan, no proof and no inverse.
//! [`Number`](crate::Number), [`Index`](crate::Index) and [`Function`](crate::Function) are open.

/// The type of the constant that a sealed trait requires.
#[derive(Clone, Copy, Debug)]
pub struct Seal;
