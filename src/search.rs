//! What would be free: layouts that are tried, and the statement that demands one.

pub mod assertion;
pub mod candidates;
mod claims;
pub mod conversion;
#[doc(hidden)]
pub mod declaration;
mod descent;
mod instead;
mod masks;
pub mod remedy;
mod shape;
mod steps;
pub mod synthesis;
