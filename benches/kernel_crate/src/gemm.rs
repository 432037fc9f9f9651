//! Operands of matrix products: xor-ed packs of 16 bytes.

pub mod bf16;
pub mod f16;
pub mod f8;
