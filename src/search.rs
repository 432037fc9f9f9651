//! What would be free: layouts that are tried, and the statement that demands one.

pub mod assertion;
mod claims;
mod descent;
mod masks;
pub mod remedy;
mod shape;
mod steps;
pub mod synthesis;
