//! Operands of matrix instructions: which lane holds what of A, B and C.
//!
//! ```text
//!   mfma, A and B     m [row R],  k [part 64/R, pack P]          lane (part, row), thread (pack)
//!   mfma, C           m [again, part 64/N, group 4], n [column]  lane (part, column), thread (again, group)
//!   mfma, blocks      block [block B] before m and k or n        lane (part, block, row)
//!   wmma gfx11, A, B  m [row 16], k [pack 16], repeat [copy 2]   lane (copy, row), thread (pack)
//!   wmma gfx12, A, B  m [row 16], k [again, part 2, pack 8]      lane (part, row), thread (again, pack)
//!     in waves of 64  m [row 16], k [part 2, half 2, pack K/4]   lane (half, part, row), thread (pack)
//!   mma, A            m [half 2, row 8], k [deep, quad 4, pair]  lane (row, quad), thread (deep, half, pair)
//!   wgmma, D          m [wave 4, half 2, row 8], n [again N/8, quad 4, pair 2]  wave (wave), the rest as mma's C
//! ```
//!
//! A is m by k, B is n by k, C is m by n. Ct is the result of an instruction that was given B for A
//! and A for B: m and n are exchanged, and so is the direction of a lane's neighbours. An operand
//! with more k than one instruction takes is that of several instructions (CK Tile's IterateK): its
//! packs are longer, so that one read feeds several.
//!
//! | instruction | A and B | C |
//! |---|---|---|
//! | MFMA | [`mfma::Operand`] | [`mfma::Accumulator`], [`mfma::SwappedAccumulator`]; f64: [`mfma::AccumulatorF64`] |
//! | MFMA of several blocks | [`mfma::BlockedOperand`] | [`mfma::BlockedAccumulator`], [`mfma::SmallAccumulator`] |
//! | WMMA of gfx11 | [`wmma::gfx11::Operand`] | [`wmma::gfx11::C`] |
//! | WMMA of gfx12 and gfx1250 | [`wmma::gfx12::Operand`] | [`wmma::gfx12::C`] |
//! | `mma.m16n8k*` | [`mma::A`], [`mma::B`] | [`mma::C`] |
//! | `mma.m8n8k*` | [`mma::ShortA`], [`mma::B`]; sm_70: [`mma::quad_pair::Operand`] | [`mma::ShortC`] |
//! | `wgmma.m64nNk*` | A: [`wgmma::A`] | [`wgmma::Accumulator`] |
//!
//! Each module names its source. Sparse instructions are not here: an index in registers determines where their A is. Nor is
//! `tcgen05` of sm_100, whose operands and result are not in registers.
//!
//! A and B of an instruction are of its elements: laid over a tile of another, `mfma::F16_32x32x16::A` over bf16, they are
//! refused. An element of the user's own counts by its width. [`Converted`] is the operand of a tile that a kernel converts
//! before the instruction. C is stored as whatever the epilogue makes of it, so any tile takes it; and shapes by themselves,
//! [`mfma::Operand`], are those of several instructions, but for `mma` and `wgmma`, whose P gives the width of an element.
//!
//! [`Within`](crate::distribution::Within) puts waves and iterations around one.
//!
//! Which chip has which instruction, with the reads of LDS that bring its operands, is in [`warp_gemm`](crate::warp_gemm);
//! there a kernel that is generic over its chip names an operand by its shape.

mod converted;
pub(crate) mod kind;

pub mod mfma;
pub mod mma;
pub mod wgmma;
pub mod wmma;

pub use converted::Converted;
