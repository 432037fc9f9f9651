//! Why a pattern cannot be laid over a layout: each misfit with its numbers.
//!
//! [`AccessError`] has the table of its families. It is the widest of the errors above a layout: what is
//! wrong with the layout, the distribution or an address comes in it unchanged, and the search, emitted
//! code and figures pass it on.

use super::refusal::AddressError;
use crate::chip::instruction::Access;
use crate::distribution::{DimensionName, DistributionError};
use crate::element::ElementName;
use crate::pattern::operand_rows;
use tiledesc_transforms::{Error, List, Text, range, say};

/// The reason why a pattern cannot be laid over a layout.
///
/// Reported wherever an access is laid over a layout: by [`Placed`](super::Placed) and all its answers (verdicts, statements,
/// addressing), by [`Accesses`](super::Accesses) and [`Window`](super::Window) in kernels, and by the search for each access.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | what is laid over the tile does not suit it | `Rank`, `Along`, `Packs`, `Coordinates`, `Parts`, `OtherTile`, `Names`, `Lanes`, `Operand`, `OtherChip`, `OtherElement`, `OtherWidth` | [`Layout::placed`](crate::Layout::placed), [`Layout::verdict`](crate::Layout::verdict) |
/// | a lane leaves the tile or the memory | `Tile`, `Uneven`, `Padding`, `BeyondSpace`, `Memory` | [`Placed::touched`](super::Placed::touched), verdicts |
/// | a lane's elements are not one access | `Width`, `NotContiguous`, `WithinByte`, `Tail`, `Fragments`, `Scattered` | verdicts, [`Accesses`](super::Accesses) |
/// | a question about an instruction that does nothing, or is not there | `Step`, `Idle` | [`Placed::touched`](super::Placed::touched) |
/// | a view whose vectors are cut, or whose dimensions have other names | `View`, `ViewNames` | [`Window::new`](super::Window::new), [`Window::named`](super::Window::named) |
///
/// It wraps [`Error`] (`Layout`), [`AddressError`] (`Address`) and [`DistributionError`]
/// (`Distribution`), whose sentences it prints unchanged. [`SynthesisError`](crate::search::SynthesisError)
/// wraps it with the number of the access; errors of emitted code and of figures wrap it too.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::access::AccessError;
/// use tiledesc::distribution::DimensionName;
///
/// let printed = [
///     (AccessError::Rank { rank: 3 }, "the pattern needs a tile of 2 dimensions, but this one has 3"),
///     (
///         AccessError::Memory { bytes: 131_072, memory: 65_536 },
///         "the layout takes 131072 bytes, but a block has 65536",
///     ),
///     (
///         AccessError::Width { bytes: 16, bits: 6 },
///         "a lane moves 128 bits, which is not a multiple of an element's 6",
///     ),
///     (
///         AccessError::Operand { rows: 48, wave: 64 },
///         "no matrix instruction of a wave of 64 lanes has an operand of 48 rows: there are 4, 16, 32 and 64",
///     ),
///     (
///         AccessError::OtherChip { operand: "F16_32x32x16", chips: &["gfx950"], chip: "gfx942" },
///         "the operand is of F16_32x32x16, which gfx942 lacks; gfx950 has it",
///     ),
///     (
///         AccessError::Names { distribution: ["k", "m"], tile: ["M", "K"] },
///         "the distribution has the dimensions k, m, but the tile has M, K: write them in the tile's order, \
///          or the tile's lengths without names, as `U64`",
///     ),
///     (AccessError::Step { step: 4, instructions: 4 }, "instruction 4 does not exist: the pattern has 4, counted from 0"),
///     (
///         AccessError::View { vector: 8, along: DimensionName { name: "k", number: 1 }, whole: 4 },
///         "vectors of 8 along k do not all lie aligned and entirely inside or outside the view; vectors of 4 do",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the sentence of a variant says what its numbers are")]
pub enum AccessError {
    /// The layout itself is invalid.
    Layout(Error),
    /// The `bytes` that the instruction moves are not a multiple of an element's `bits`.
    Width { bytes: u32, bits: u32 },
    /// The tile has `rank` dimensions in place of two.
    Rank { rank: u32 },
    /// A table's packs run along dimension `along`, and the tile has only `rank`, numbered from 0.
    Along { along: u32, rank: u32 },
    /// Rows of `columns` elements are not a multiple of the `pack` that a lane moves.
    Packs { columns: u32, pack: u32 },
    /// The `tile` is too small for `lane`: its first `dimension` that ends before `coordinate` would have to be `enough` long
    /// to hold what all lanes of the instruction touch.
    Tile { tile: List, lane: u32, coordinate: List, dimension: u32, enough: u32 },
    /// The `tile` cannot be divided evenly into instructions that cover `covers`, rows and columns, or 0 and how many elements
    /// in order: instruction `step` leaves it at `coordinate`.
    Uneven { tile: List, covers: [u32; 2], step: u32, coordinate: List },
    /// The pattern of so many `instructions` has no instruction `step`, counted from 0; or there are more than the `step` that
    /// addresses are made for.
    Step { step: u64, instructions: u64 },
    /// No lane is active in instruction `step` of so many `instructions`: nothing would be checked.
    Idle { step: u64, instructions: u64 },
    /// The `coordinate` that `lane` would touch is in padding.
    Padding { lane: u32, coordinate: List },
    /// The pattern's coordinates have so many `indices`, and the tile has `rank` dimensions.
    Coordinates { indices: u32, rank: u32 },
    /// The accesses that [`Split`](crate::pattern::Split) divides in `parts`, of `pack` elements each along dimension `along`,
    /// do not cover the tile with each element in one of them, or no lane holds as many contiguous elements.
    Parts { parts: u32, pack: u32, along: u32 },
    /// The `pack` elements that `lane` moves from `coordinate` on are not contiguous in memory; along dimension `along` as many
    /// as `together` are.
    NotContiguous { lane: u32, coordinate: List, pack: u32, along: u32, together: u32 },
    /// The element of `lane` begins at `bit`, within a byte.
    WithinByte { lane: u32, bit: u64 },
    /// The second address of `lane` in instruction `step`, or its last byte, is after the layout's `space` in bytes: what it
    /// touches ends at `end`.
    BeyondSpace { lane: u32, end: u64, space: u64, step: u64 },
    /// The layout takes more `bytes` than the `memory` of a block has.
    Memory { bytes: u64, memory: u32 },
    /// The instruction cannot be issued with such addresses.
    Address(AddressError),
    /// The distribution itself is invalid.
    Distribution(DistributionError),
    /// The lengths of the `distribution` are not those of the layout's `tile`.
    OtherTile { distribution: List, tile: List },
    /// The `distribution` has the names of the `tile`'s dimensions at other places.
    Names { distribution: [&'static str; 2], tile: [&'static str; 2] },
    /// The `distribution` has the names of two dimensions of a `view` at other places.
    ViewNames { distribution: [&'static str; 2], view: [&'static str; 2] },
    /// The distribution has so many `lanes`, and the instruction `name` of a `chip`, or "", is of another `wave`, whose lanes up
    /// to `addressed` give it an address.
    Lanes { lanes: u32, name: &'static str, chip: &'static str, wave: u32, addressed: u32 },
    /// The pattern is an operand of `rows` rows, which no matrix instruction of a `wave` of so many lanes has.
    Operand { rows: u32, wave: u32 },
    /// The pattern is of the matrix instruction `operand`, which `chips` have and the `chip` of the access lacks.
    OtherChip { operand: &'static str, chips: &'static [&'static str], chip: &'static str },
    /// The pattern is of the matrix instruction `operand`, which takes `elements`, not those of the `tile`; these are without
    /// a name where only the width is known.
    OtherElement { operand: &'static str, elements: &'static [ElementName], tile: ElementName },
    /// The map's elements have `map` bits, and the question is about elements of `element`.
    OtherWidth { map: u32, element: ElementName },
    /// The instruction moves `pack` contiguous elements, and a lane holds at most `tail`, along `along`. The chip's
    /// instruction `instead`, or "", moves what it holds.
    Tail { pack: u32, along: DimensionName, tail: u32, instead: &'static str },
    /// A lane does not hold what the instruction `name`, a read or a write, hands to it from the addressed rows, or no source
    /// states what that is; the chip's instruction `instead`, or "", moves what it holds.
    Fragments { name: &'static str, access: Access, is_known: bool, instead: &'static str },
    /// The `pack` elements of an access along `along` are not in consecutive registers: one is `apart` after its neighbour.
    Scattered { pack: u32, along: DimensionName, apart: u32 },
    /// A vector of `vector` elements along `along` is neither wholly inside nor wholly outside a view, or is not aligned;
    /// vectors of `whole` elements would be.
    View { vector: u32, along: DimensionName, whole: u32 },
}

impl AccessError {
    /// Appends the sentence to a text.
    pub(crate) const fn explain(self, text: Text) -> Text {
        match self {
            Self::Layout(error) => error.explain(text),
            Self::Address(refusal) => refusal.explain(text),
            Self::Distribution(fault) => fault.explain(text),
            Self::OtherTile { distribution, tile } => say!(text:
                "the distribution covers a tile of ", list(distribution.as_slice()),
                ", but the layout's tile is ", list(tile.as_slice())
            ),
            Self::Names { distribution: [first, second], tile: [rows, columns] } => say!(text:
                "the distribution has the dimensions ", str(first), ", ", str(second), ", but the tile has ",
                str(rows), ", ", str(columns), ": write them in the tile's order, or the tile's lengths \
                 without names, as `U64`"
            ),
            Self::ViewNames { distribution: [first, second], view: [rows, columns] } => say!(text:
                "the distribution has the dimensions ", str(first), ", ", str(second), ", but the view has ",
                str(rows), ", ", str(columns), ": write them in the view's order"
            ),
            Self::Lanes { lanes, name, chip, wave, addressed } => {
                let text = say!(text: "the distribution has ", lanes, " lanes, but the wave of ", str(name));
                let text = if chip.is_empty() { text } else { say!(text: " on ", str(chip)) };
                let text = say!(text: " has ", wave, " lanes");
                if addressed == wave {
                    text
                } else {
                    say!(text: ", of which ", addressed, " give an address")
                }
            }
            Self::Operand { rows, wave } => {
                let known = operand_rows(wave);
                let mut text = say!(text:
                    "no matrix instruction of a wave of ", wave, " lanes has an operand of ", rows, " rows"
                );
                range!(i, 0..known.len(), {
                    let between =
                        if i == 0 { ": there are " } else { between(i, known.len(), " and ") };
                    text = say!(text: str(between), known[i]);
                });
                text
            }
            Self::OtherChip { operand, chips, chip } => {
                let mut text = say!(text: "the operand is of ", str(operand), ", which ", str(chip), " lacks; ");
                range!(i, 0..chips.len(), {
                    text = text.str(between(i, chips.len(), ", ")).str(chips[i]);
                });
                text.str(if chips.len() == 1 { " has it" } else { " have it" })
            }
            Self::OtherElement { operand, elements, tile } => {
                let mut text = say!(text: "the operand of ", str(operand), " is ");
                range!(i, 0..elements.len(), {
                    text = elements[i].explain(text.str(between(i, elements.len(), " or ")));
                });
                tile.explain(text.str(", but the tile is ")).str(
                    "; if the kernel converts what it reads, write `matrix::Converted<..>` around the operand",
                )
            }
            Self::OtherWidth { map, element } => {
                let text = say!(text: "the layout is of elements of ", map, " bits, but ");
                let text = element.explain(text);
                say!(text: " has ", element.bits)
            }
            Self::Tail { pack, along, tail, instead } => {
                let only = if tail < pack { "only " } else { "" };
                let text = say!(text:
                    "a lane moves ", pack, " elements but holds ", str(only), tail, " contiguous ones along "
                );
                let mut text = along.explain(text);
                if tail >= pack {
                    text = say!(text: ", in factors that packs of ", pack, " do not divide");
                }
                if instead.is_empty() {
                    text
                } else {
                    say!(text: "; ", str(instead), " moves what it holds")
                }
            }
            Self::Fragments { name, access, is_known, instead } => {
                let does = if access.is(Access::Read) { "bring" } else { "take" };
                let text = if is_known {
                    say!(text: str(name), " does not ", str(does), " what the distribution's lanes hold")
                } else {
                    say!(text: "no source says what each lane gets from ", str(name))
                };
                if instead.is_empty() {
                    return text.str("; to judge the addresses alone, state `LdmatrixRows`");
                }
                say!(text: "; ", str(instead), " does")
            }
            Self::Scattered { pack, along, apart } => {
                let text = along.explain(say!(text: "the ", pack, " elements of an access along "));
                say!(text: " are not in consecutive registers: one is ", apart, " registers after its neighbour")
            }
            Self::View { vector, along, whole } => {
                let text = along.explain(say!(text: "vectors of ", vector, " along "));
                say!(text:
                    " do not all lie aligned and entirely inside or outside the view; vectors of ", whole, " do"
                )
            }
            Self::Width { bytes, bits } => say!(text:
                "a lane moves ", bytes as u64 * 8, " bits, which is not a multiple of an element's ", bits
            ),
            Self::Rank { rank } => say!(text:
                "the pattern needs a tile of 2 dimensions, but this one has ", rank
            ),
            Self::Along { along, rank } => say!(text:
                "a lane takes its elements along dimension ", along, ", and the tile has ", rank,
                str(if rank == 1 { " dimension" } else { " dimensions" }), ", numbered from 0"
            ),
            Self::Packs { columns, pack } => say!(text:
                "rows of ", columns, " elements are not a multiple of packs of ", pack
            ),
            Self::Tile { tile, lane, coordinate, dimension, enough } => say!(text:
                "lane ", lane, " would touch ", coordinate(coordinate.as_slice()), ", outside the tile of ",
                list(tile.as_slice()), ": dimension ", dimension, " needs a length of ", enough, " or more"
            ),
            Self::Uneven { tile, covers, step, coordinate } => say!(text:
                "the tile of ", list(tile.as_slice()), " cannot be divided evenly into instructions of ",
                list(if covers[0] == 0 { covers.split_at(1).1 } else { &covers }), " elements: instruction ", step,
                " would touch ", coordinate(coordinate.as_slice()), str(FIRST_ALONE)
            ),
            Self::Step { step, instructions } if step < instructions => say!(text:
                "the pattern has ", instructions, " instructions; addresses are made for at most ", step
            ),
            Self::Step { step, instructions } => say!(text:
                "instruction ", step, " does not exist: the pattern has ", instructions, ", counted from 0"
            ),
            Self::Idle { instructions: 1, .. } => {
                text.str("no lane of the pattern is active, so nothing would be checked")
            }
            Self::Idle { step, instructions } => say!(text:
                "no lane is active in instruction ", step, " of the pattern's ", instructions,
                ", so nothing of it would be checked"
            ),
            Self::Padding { lane, coordinate } => say!(text:
                "lane ", lane, " would touch ", coordinate(coordinate.as_slice()), ", which is padding"
            ),
            Self::Coordinates { indices, rank } => say!(text:
                "the pattern has coordinates of ", indices, " indices, but the tile has ", rank, " dimensions"
            ),
            Self::Parts { parts, pack, along } => say!(text:
                "an access in ", parts, " parts moves ", pack, " elements along dimension ", along,
                ", and such accesses do not divide the tile: each element must be in exactly one of them, and all ",
                pack, " of an access with one lane"
            ),
            Self::NotContiguous { lane, coordinate, pack, along, together } => say!(text:
                "the ", pack, " elements of lane ", lane, " from ", coordinate(coordinate.as_slice()),
                " on are not contiguous: the vector length along dimension ", along, " is ", together
            ),
            Self::WithinByte { lane, bit } => say!(text:
                "the element of lane ", lane, " begins at bit ", bit, ", within a byte"
            ),
            Self::Memory { bytes, memory } => say!(text:
                "the layout takes ", bytes, " bytes, but a block has ", memory
            ),
            Self::BeyondSpace { lane, end, space, step } => {
                let text = say!(text: "lane ", lane);
                let text = if step == 0 { text } else { say!(text: " of instruction ", step) };
                say!(text:
                    " would touch byte ", end.saturating_sub(1), ", outside the layout's ", space, " bytes",
                    str(if step == 0 { "" } else { FIRST_ALONE })
                )
            }
        }
    }
}

/// The advice where instruction 0 fits and a later one does not.
const FIRST_ALONE: &str = "; write `first` before the pattern to state instruction 0 alone";

/// Returns the separator before word `i` of so many; the last word has one of its own.
const fn between(i: usize, count: usize, last: &'static str) -> &'static str {
    match i {
        0 => "",
        _ if i + 1 == count => last,
        _ => ", ",
    }
}

impl core::fmt::Display for AccessError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for AccessError {}

/// The fault of a layout, or of a view of a tensor: `Window::new(Naive::rows(m, k).whole()?)?`.
impl From<Error> for AccessError {
    fn from(error: Error) -> Self {
        Self::Layout(error)
    }
}
