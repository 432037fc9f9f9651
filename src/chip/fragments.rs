//! Fragments: what a lane gets of the rows that other lanes address.
//!
//! By most reads a lane gets the bytes at its own address. A matrix read hands them round: by `ldmatrix` lane 0 names 16 bytes
//! and gets 4 of them, and the other 12 go to lanes 1 to 3. So it has two maps, and a kernel needs both: the addresses, which the
//! banks see, and the fragments, which the matrix instruction takes.
//!
//! ```text
//!   ldmatrix.x4, halves     lane = row 8 . quarter 4     element = matrix 4 . pair 2
//!                           a lane gives the address of  (matrix, row) and its 8 elements are  quarter . pair
//!   ds_read_b64_tr_b16      lane = group 4 . of 16       element = 4 along k
//!                           a lane gives the address of  (group, k, chunk of m) and its 4 elements are along m
//! ```
//!
//! Both maps are digits of two numbers, the lane and the element, so one table gives either from the other: the digits that make
//! up the address, and those that are the elements at it.
//!
//! | what | a lane's elements | its number | source |
//! |---|---|---|---|
//! | `ldmatrix`, `stmatrix` | quarter, pair | matrix, row | PTX ISA, "Matrix fragments" of `ldmatrix` |
//! | the same with `.trans` | row | matrix, quarter, pair | the same |
//! | `ldmatrix.m16n16` | half, row | matrix, quarter, byte | NVIDIA/cutlass, `copy_sm100.hpp` and `copy_traits_sm100.hpp` |
//! | `stmatrix.m16n8` | half, row | matrix, quarter, pair | the same |
//! | gfx950 `tr_b16`, `tr_b8` | low bits of the lane | rest, k, chunk | triton-lang/triton, `MemoryOpToLLVM.cpp` of AMD |
//! | gfx950 `tr_b4` | the same | the same | triton-lang/triton, `LinearLayoutConversionsTest.cpp`; `tr_b6` inferred from it |
//! | gfx1250 `tr16` | low 3 bits of the lane | rest, k | `MemoryOpToLLVM.cpp` |
//! | gfx1250 `tr8` | low 3 bits of the lane | rest, k's upper bit, the lane's bit 3, k's lower bits | the same |
//!
//! No source was found for gfx1250's `tr4` and `tr6`.

use crate::distribution::shares::{NONE, Shares, element, lane};

/// The fragments that lanes get of the rows that lanes address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fragments {
    /// Each what it addresses.
    Own,
    /// 4 bytes of row l / 4 of each matrix of 8 rows of 16 bytes.
    Matrices,
    /// Column l / 4 of each matrix, of 16-bit elements.
    TransposedMatrices,
    /// Columns l / 4 and l / 4 + 8 of each matrix of 16 rows, of bytes.
    TallMatrices,
    /// Columns l / 4 and l / 4 + 8 of each matrix of 8 rows, of bytes.
    TransposedBytes,
    /// Column l % 16 of the rows that each 16 lanes address together, of elements of the given width in bits.
    Groups { bits: u32 },
    /// Column l % 8 of the rows that each 8 lanes address, of 16 bits.
    SmallGroups,
    /// Column l % 16 of the rows that each 16 lanes address, of bytes, but that lanes 0-3 and 8-11 address the rows of lanes 0-7.
    CrossedGroups,
    /// Something else, which no source states.
    Unknown,
}

impl Fragments {
    /// The digits for elements of the given width in bits, `pack` of them at an address and `addressed` lanes that give one.
    /// `None` where a lane gets what it addresses, for another width of elements, and where no source states them.
    pub(crate) const fn shares(self, bits: u32, pack: u32, addressed: u32) -> Option<Shares> {
        let matrices = addressed / 8;
        match self {
            Self::Own | Self::Unknown => None,
            Self::Matrices if bits <= 32 && 32 % bits == 0 => {
                let per = 32 / bits;
                Some(Shares {
                    address: [lane(4, 8), element(per, matrices), NONE, NONE],
                    elements: [element(1, per), lane(1, 4), NONE],
                })
            }
            Self::TransposedMatrices if bits == 16 => Some(Shares {
                address: [element(1, 2), lane(1, 4), element(2, matrices), NONE],
                elements: [lane(4, 8), NONE, NONE],
            }),
            Self::TallMatrices if bits == 8 => Some(Shares {
                address: [element(1, 4), lane(1, 4), element(8, matrices / 2), NONE],
                elements: [lane(4, 8), element(4, 2), NONE],
            }),
            Self::TransposedBytes if bits == 8 => Some(Shares {
                address: [element(1, 2), lane(1, 4), element(4, matrices), NONE],
                elements: [lane(4, 8), element(2, 2), NONE],
            }),
            Self::Groups { bits: of } if bits == of => Some(Shares {
                address: [lane(pack, 16 / pack), element(1, pack), lane(16, addressed / 16), NONE],
                elements: [lane(1, pack), NONE, NONE],
            }),
            Self::SmallGroups if bits == 16 => Some(Shares {
                address: [element(1, 8), lane(8, addressed / 8), NONE, NONE],
                elements: [lane(1, 8), NONE, NONE],
            }),
            Self::CrossedGroups if bits == 8 => Some(Shares {
                address: [element(1, 4), lane(8, 2), element(4, 2), lane(16, addressed / 16)],
                elements: [lane(1, 8), NONE, NONE],
            }),
            _ => None,
        }
    }

    /// Returns whether the elements of an address are in one lane's row of the operand.
    pub(crate) const fn keeps_rows(self) -> bool {
        matches!(self, Self::Matrices)
    }

    /// Returns whether they are of as many rows, or of columns.
    pub(crate) const fn transposes(self) -> bool {
        !matches!(self, Self::Own | Self::Matrices)
    }

    /// Returns whether a source states what a lane gets.
    pub(crate) const fn are_known(self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// Returns whether the same lanes get the same elements of a row, of whatever number of rows.
    pub(crate) const fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Groups { bits }, Self::Groups { bits: others }) => bits == others,
            (Self::Own, Self::Own)
            | (Self::Matrices, Self::Matrices)
            | (Self::TransposedMatrices, Self::TransposedMatrices)
            | (Self::TallMatrices, Self::TallMatrices)
            | (Self::TransposedBytes, Self::TransposedBytes)
            | (Self::SmallGroups, Self::SmallGroups)
            | (Self::CrossedGroups, Self::CrossedGroups)
            | (Self::Unknown, Self::Unknown) => true,
            _ => false,
        }
    }

    /// Returns whether a lane gets no more than what it addresses.
    pub(crate) const fn is_own(self) -> bool {
        matches!(self, Self::Own)
    }
}
