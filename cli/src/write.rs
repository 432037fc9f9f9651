//! What is printed.

pub(crate) mod console;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod json;
pub(crate) mod page;
pub(crate) mod paste;
