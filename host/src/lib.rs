//! The part of `tiledesc` for a person's machine, where a compiler would be too slow: ordinary Rust with lists and
//! sorting.
//!
//! The compiler's interpreter is about a thousand times slower than the machine: it judges a layout in milliseconds, and
//! takes seconds to look for one. So `tiledesc` has what the compiler and kernels need, without std, and this crate the rest.
//!
//! | module | answers |
//! |---|---|
//! | [`search`] | which layout of a tile takes the fewest cycles, and what was searched |
//! | [`certificate`] | whether the layout that a declaration carries is still the best |
//! | [`conversion`] | from one distribution to another through LDS: instructions and layout |
//! | [`exchange`] | the same layout in the words of CuTe, TMA, GMMA, Triton and CK, in and out |
//! | [`emit`] | offsets, addresses and masks as code of another language: HIP, CUDA, C, WGSL, GLSL, MSL, formulas |
//! | [`counters`] | what a profiler should print of a verdict: rocprof's counters and Nsight Compute's |
//! | [`plot`] | figures of layouts, accesses and chips: SVG, and the same as text |
//!
//! What cannot be answered is one [`Error`], whose sentence says why.

// An error says all about the access that does not fit; it is rare, and nothing waits for it.
#![allow(clippy::result_large_err)]

pub mod certificate;
pub mod conversion;
pub mod counters;
pub mod emit;
mod error;
pub mod exchange;
pub mod plot;
pub mod search;

pub use error::{Error, ErrorKind};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
