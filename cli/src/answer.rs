//! What is found.

pub(crate) mod check;
pub(crate) mod choices;
pub(crate) mod convert;
pub(crate) mod counters;
pub(crate) mod emit;
pub(crate) mod figure;
pub(crate) mod find;
pub(crate) mod judge;
pub(crate) mod list;
pub(crate) mod remedy;
