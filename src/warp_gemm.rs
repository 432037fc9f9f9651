//! The matrix instructions of each chip: their operands, and the reads of LDS that bring them.
//!
//! Who holds what of A, B and C is a distribution of [`matrix`](crate::matrix) and the same on every chip that has the
//! instruction. This room joins both:
//!
//! ```text
//!   gfx942   v_mfma_f32_32x32x8_f16            A: mfma::F16_32x32x8::A, 4 halves of k a lane    ds_read_b64
//!   gfx1100  v_wmma_f32_16x16x16_f16           A: wmma::gfx11::Operand, 16 halves of k a lane   2 x ds_read_b128
//!   sm_80    mma.m16n8k16.f32.f16.f16.f32      A: mma::A<U16, U2>, 4 pairs a lane               ldmatrix.x4
//! ```
//!
//! | you know | you ask |
//! |---|---|
//! | a chip | [`instructions`] |
//! | a chip and the instruction's name | [`find`] |
//! | an instruction, and how long its SIMD is busy with it | [`MatrixInstruction::cycles`], [`rate`](MatrixInstruction::rate) |
//! | what lanes hold of A and of B | [`product!`](crate::product!), [`MatrixInstruction::product`] |
//! | the shape, in a kernel that is generic over its chip | [`A<Chip, F16, U16, U16, U32>`](A), [`B`], [`C`] |
//!
//! CK Tile picks an instruction by element types and shape, too (`WarpGemmDispatcher` in `warp_gemm_dispatcher.hpp`), for
//! the chip that it is compiled for.

mod amd;
mod cycles;
mod instruction;
mod named;
mod nvidia;
#[doc(hidden)]
pub mod product;
mod row;
mod shaped;
mod sought;

pub use cycles::{Cycles, Rate};
pub use instruction::{Feed, MatrixInstruction, NoMatrixInstruction, Operand, find, instructions};
pub use product::{Product, Registers};
pub use shaped::{A, B, C};
