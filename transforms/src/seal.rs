//! What closes a trait: nobody outside can name the type of a constant it asks for.
//!
//! A stage is a tuple of our transforms, and a transform a row of [`Op`](crate::Op). An
//! implementation from outside would have no plan, no proof and no inverse. Open are
//! [`Number`](crate::Number), [`Index`](crate::Index) and [`Function`](crate::Function).

/// The type of the constant that a closed trait asks for.
#[derive(Clone, Copy, Debug)]
pub struct Seal;
