//! The tiles of a library of kernels: where they are in shared memory, and that no access to them conflicts.
//!
//! `by_hand` is this crate with formulas in place of `tiledesc`; a test compares their addresses.

pub mod attention;
pub mod gemm;
pub mod memory;
pub mod softmax;
pub mod threads;
