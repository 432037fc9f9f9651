//! Why two distributions are not multiplied by a matrix instruction.

use crate::element::ElementName;
use tiledesc_transforms::{Text, say};

/// The reason why a matrix instruction does not multiply what lanes hold; see [`product!`](crate::product!).
///
/// `operand` is A or B, as the product states them.
///
/// ```
/// use tiledesc::distribution::{DistributionError, ProductFault};
/// use tiledesc::{matrix::mfma, prelude::*, warp_gemm};
///
/// // 8 neighbours of k a lane, or twice 4 of them: the instruction would multiply k = 8 of A by k = 4 of B.
/// let (a, b) = (mfma::Operand::<U32, U16>::ENCODING?, mfma::Halved::<U32, U16>::ENCODING?);
/// let mfma = warp_gemm::find(&tiledesc::chip::gfx942, "v_mfma_f32_32x32x8_f16").unwrap();
/// assert_eq!(
///     mfma.product(&a, &b).unwrap_err().to_string(),
///     "v_mfma_f32_32x32x8_f16 would multiply k = 8 of A by k = 4 of B",
/// );
/// # Ok::<(), DistributionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the sentence of a variant says what its numbers are")]
pub enum ProductFault {
    /// No row of the chip has this name; those of `chips` have one.
    NoInstruction { chip: &'static str, name: &'static str, chips: &'static [&'static str] },
    /// The instruction reads B from memory by itself.
    NoRegisters { name: &'static str },
    /// The instruction returns another result if it is given B for A.
    Unswappable { name: &'static str },
    /// The instruction does not take such elements.
    Element { operand: &'static str, element: ElementName, name: &'static str, taken: ElementName },
    /// An operand of other dimensions than the instruction's.
    Rank { operand: &'static str, rank: u32, name: &'static str, wanted: u32 },
    /// An operand in waves of another size.
    Lanes { operand: &'static str, lanes: u32, name: &'static str, wanted: u32 },
    /// A lane's elements are not a multiple of those that the instruction takes from it.
    Elements { operand: &'static str, elements: u32, name: &'static str, wanted: u32 },
    /// A lane's elements go on along another dimension than the instruction's, or with another length.
    NotHeld {
        operand: &'static str,
        what: &'static str,
        number: u32,
        held: [u32; 3],
        name: &'static str,
        wanted: [u32; 3],
        rank: u32,
    },
    /// The last dimensions, along which products are summed, have other names.
    Names { a: &'static str, b: &'static str },
    /// Dimension `of` is of other lengths in A and in B.
    Lengths { of: &'static str, a: u32, b: u32 },
    /// The instruction meets other places of dimension `of` in A and in B.
    Order { of: &'static str, name: &'static str, a: u32, b: u32 },
    /// The digits of `of` end at numbers of which neither divides the other.
    Digits { of: &'static str, first: u32, second: u32 },
    /// A wave begins elsewhere along k, where each must have all of it.
    WaveSums { wave: u32, a: u32, b: u32 },
    /// A wave begins elsewhere in both, so that some rows never meet some columns.
    WavesApart { wave: u32, a: [u32; 3], b: [u32; 3], rank: u32 },
}

impl ProductFault {
    /// Appends the sentence.
    pub(super) const fn explain(self, text: Text) -> Text {
        match self {
            Self::NoInstruction { chip, name, chips } => {
                let mut text = say!(text: str(chip), " has no matrix instruction ", str(name));
                let mut i = 0;
                while i < chips.len() {
                    text = text.str(if i == 0 { "; " } else { ", " }).str(chips[i]);
                    i += 1;
                }
                text.str(match chips.len() {
                    0 => "",
                    1 => " has it",
                    _ => " have it",
                })
            }
            Self::NoRegisters { name } => say!(text:
                str(name), " reads B from shared memory by itself, so no registers hold it"
            ),
            Self::Unswappable { name } => say!(text:
                str(name), " has operands of two shapes, which cannot be swapped: leave out `swapped`"
            ),
            Self::Element { operand, element, name, taken } => {
                let text = element.explain(say!(text: str(operand), " is "));
                taken.explain(say!(text: ", but ", str(name), " takes "))
            }
            Self::Rank { operand, rank, name, wanted } => say!(text:
                str(operand), " has ", rank, " dimensions, but an operand of ", str(name), " has ", wanted
            ),
            Self::Lanes { operand, lanes, name, wanted } => say!(text:
                str(operand), " is held by waves of ", lanes, " lanes, but ", str(name), " is of waves of ", wanted
            ),
            Self::Elements { operand, elements, name, wanted } => say!(text:
                "a lane holds ", elements, str(if elements == 1 { " element of " } else { " elements of " }), str(operand), ", but ", str(name), " takes ", wanted,
                " at a time"
            ),
            Self::NotHeld { operand, what, number, held, name, wanted, rank } => {
                let (held, wanted) =
                    (held.split_at(rank as usize).0, wanted.split_at(rank as usize).0);
                say!(text:
                    str(what), " ", number, " is ", coordinate(held), " of ", str(operand), ", but ", str(name), " takes ",
                    coordinate(wanted), " from it"
                )
            }
            Self::Names { a, b } => say!(text:
                "products are summed along the last dimension, which is ", str(a), " of A, but ", str(b),
                " of B: B is n by k"
            ),
            Self::Lengths { of, a, b } => say!(text:
                "A has a length of ", a, " along ", str(of), ", but B of ", b
            ),
            Self::Order { of, name, a, b } => say!(text:
                str(name), " would multiply ", str(of), " = ", a, " of A by ", str(of), " = ", b, " of B"
            ),
            Self::Digits { of, first, second } => say!(text:
                str(of), " are counted in steps of ", first, " and of ", second, ", of which neither divides the other"
            ),
            Self::WaveSums { wave, a, b } => say!(text:
                "wave ", wave, " begins at k = ", a, " of A and at k = ", b, " of B, but each wave must hold all of k"
            ),
            Self::WavesApart { wave, a, b, rank } => {
                let (a, b) = (a.split_at(rank as usize).0, b.split_at(rank as usize).0);
                say!(text:
                    "wave ", wave, " begins at ", coordinate(a), " of A and at ", coordinate(b),
                    " of B: no wave would multiply the first rows of A by these of B"
                )
            }
        }
    }
}
