//! What the user asks.

pub(crate) mod args;
pub(crate) mod fault;
pub(crate) mod fill;
pub(crate) mod held;
pub(crate) mod input;
pub(crate) mod layout;
pub(crate) mod profile;
pub(crate) mod reader;
pub(crate) mod stages;
pub(crate) mod value;
