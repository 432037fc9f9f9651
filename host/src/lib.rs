//! What `tiledesc` does on a person's machine, where a compiler would be too slow: ordinary Rust with lists and sorting.
//!
//! The compiler judges a layout in milliseconds, and takes seconds to look for one: its interpreter is about a thousand
//! times slower than the machine. So a layout is searched for here, and verified there.
//!
//! | module | what it answers |
//! |---|---|
//! | [`search`] | which layout of a tile takes the fewest cycles, and what was searched X error says all about the access that does not fit; it is rare, and nothing waits for it.
#![allow(clippy::result_large_err)]

pub mod certificate;
pub mod search;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
