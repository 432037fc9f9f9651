//! The crate of kernels with formulas in place of layouts, and without a proof.

pub mod attention;
pub mod gemm;
pub mod memory;
pub mod softmax;
