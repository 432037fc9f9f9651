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

/// Why a pattern cannot be laid over a layout.
///
/// Reported wherever an access is laid over a layout: by [`Placed`](super::Placed) and all that is asked of it
/// (verdicts, statements, addressing), by [`Accesses`](super::Accesses) and [`Window`](super::Window) in
/// kernels, and by the search for each access.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | what is laid over the tile does not suit it | `Rank`, `Along`, `Packs`, `Coordinates`, `Parts`, `OtherTile`, `Names`, `Lanes`, `Operand`, `OtherChip`, `OtherElement`, `OtherWidth` | [`Layout::placed`](crate::Layout::placed), [`Layout::verdict`](crate::Layout::verdict) |
/// | a lane leaves the tile or the memory | `Tile`, `Uneven`, `Padding`, `BeyondSpace`, `Memory` | [`Placed::touched`](super::Placed::touched), verdicts |
/// | a lane's elements are not one access | `Width`, `NotContiguous`, `WithinByte`, `Tail`, `Fragments`, `Scattered` | verdicts, [`Accesses`](super::Accesses) |
/// | a question about an instruction that does nothing, or is not there | `Step`, `Idle` | [`Placed::touched`](super::Placed::touched) |
/// | a view whose vectors are cut | `View` | [`Window::new`](super::Window::new) |
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
pub enum AccessError {
    /// The layout itself is invalid.
    Layout(Error),
    /// What the instruction moves is not a multiple of an element.
    Width {
        /// Bytes each lane moves.
        bytes: u32,
        /// Bits of an element.
        bits: u32,
    },
    /// The tile is not two-dimensional.
    Rank {
        /// Its number of dimensions.
        rank: u32,
    },
    /// A table's packs lie along a dimension that the tile does not have.
    Along {
        /// That dimension.
        along: u32,
        /// The tile's number of dimensions.
        rank: u32,
    },
    /// Rows are not a multiple of packs.
    Packs {
        /// Elements of a row.
        columns: u32,
        /// Elements a lane moves.
        pack: u32,
    },
    /// The tile is too small for a lane.
    Tile {
        /// The tile, in elements.
        tile: List,
        /// The lane.
        lane: u32,
        /// The coordinate it would touch.
        coordinate: List,
        /// The first dimension that ends before it.
        dimension: u32,
        /// The length of that dimension that would hold what all lanes of the instruction
        /// touch.
        enough: u32,
    },
    /// The tile cannot be divided evenly into the pattern's instructions: one after the first leaves it.
    Uneven {
        /// The tile, in elements.
        tile: List,
        /// What one instruction covers: rows and columns; 0 and how many elements, if they are in order.
        covers: [u32; 2],
        /// The number of the instruction, from 1.
        step: u32,
        /// The coordinate that one of its lanes would touch.
        coordinate: List,
    },
    /// The pattern has no such instruction, or more than addresses are made for.
    Step {
        /// The number of the instruction, from 0.
        step: u64,
        /// The number of instructions.
        instructions: u64,
    },
    /// No lane is active in an instruction: nothing would be checked.
    Idle {
        /// The number of the instruction, from 0.
        step: u64,
        /// The number of instructions.
        instructions: u64,
    },
    /// A lane's coordinate is in padding.
    Padding {
        /// The lane.
        lane: u32,
        /// The coordinate it would touch.
        coordinate: List,
    },
    /// The pattern's coordinates have another rank than the tile.
    Coordinates {
        /// Indices of a coordinate.
        indices: u32,
        /// The tile's number of dimensions.
        rank: u32,
    },
    /// The accesses that [`Split`](crate::pattern::Split) divides do not cover the tile with each element in one of them,
    /// or no lane holds as many contiguous elements.
    Parts {
        /// The parts of an access.
        parts: u32,
        /// The elements of a whole access.
        pack: u32,
        /// The dimension along which they lie.
        along: u32,
    },
    /// A lane's elements are not contiguous in memory.
    NotContiguous {
        /// The lane.
        lane: u32,
        /// Its coordinate.
        coordinate: List,
        /// The elements it moves.
        pack: u32,
        /// The dimension along which it does.
        along: u32,
        /// The elements that are contiguous along that dimension.
        together: u32,
    },
    /// A lane's element does not begin at a byte.
    WithinByte {
        /// The lane.
        lane: u32,
        /// Where it begins, in bits.
        bit: u64,
    },
    /// A lane's second address, or its last byte, is after the layout's space.
    BeyondSpace {
        /// The lane.
        lane: u32,
        /// The end of what it touches, in bytes.
        end: u64,
        /// The layout's bytes.
        space: u64,
        /// The number of the instruction, from 0.
        step: u64,
    },
    /// The layout is larger than the memory of a block.
    Memory {
        /// The layout's bytes.
        bytes: u64,
        /// The memory's.
        memory: u32,
    },
    /// The instruction cannot be issued with such addresses.
    Address(AddressError),
    /// The distribution itself is invalid.
    Distribution(DistributionError),
    /// The distribution is of another tile.
    OtherTile {
        /// Its lengths.
        distribution: List,
        /// The layout's.
        tile: List,
    },
    /// The distribution has the names of the tile's dimensions at other places.
    Names {
        /// Its names.
        distribution: [&'static str; 2],
        /// The layout's.
        tile: [&'static str; 2],
    },
    /// The distribution is of another wave.
    Lanes {
        /// Its lanes.
        lanes: u32,
        /// The instruction.
        name: &'static str,
        /// Its chip, or "".
        chip: &'static str,
        /// The lanes of its wave.
        wave: u32,
        /// Those that give it an address.
        addressed: u32,
    },
    /// The pattern is an operand that no matrix instruction of such a wave has.
    Operand {
        /// Its rows.
        rows: u32,
        /// The lanes of the wave.
        wave: u32,
    },
    /// The pattern is an operand of a matrix instruction that the chip lacks.
    OtherChip {
        /// The matrix instruction.
        operand: &'static str,
        /// Chips that have it.
        chips: &'static [&'static str],
        /// The chip of the access.
        chip: &'static str,
    },
    /// The pattern is an operand of other elements than the tile has.
    OtherElement {
        /// The matrix instruction.
        operand: &'static str,
        /// The elements that its operand may have.
        elements: &'static [ElementName],
        /// The tile's; without a name where only the width is known.
        tile: ElementName,
    },
    /// The map knows how wide its elements are, and is asked as one of others.
    OtherWidth {
        /// Bits of an element by the map.
        map: u32,
        /// The element that it is asked with.
        element: ElementName,
    },
    /// A lane holds too few contiguous elements.
    Tail {
        /// The elements that the instruction moves.
        pack: u32,
        /// The dimension along which a lane holds most.
        along: DimensionName,
        /// How many it holds there.
        tail: u32,
        /// An instruction of the chip that moves what it holds, or "".
        instead: &'static str,
    },
    /// A lane does not hold what the instruction delivers from the addressed rows.
    Fragments {
        /// The instruction.
        name: &'static str,
        /// Whether it reads or writes.
        access: Access,
        /// Whether a source says what it hands to whom.
        is_known: bool,
        /// An instruction of the chip that moves what lanes hold, or "".
        instead: &'static str,
    },
    /// The elements of an access are not in consecutive registers of the lane.
    Scattered {
        /// The elements of an access.
        pack: u32,
        /// The dimension along which they lie.
        along: DimensionName,
        /// How many registers further than its neighbour one of them is.
        apart: u32,
    },
    /// A vector of a view is neither wholly inside nor wholly outside it, or is not aligned.
    View {
        /// The elements of a vector.
        vector: u32,
        /// The dimension along which they lie.
        along: DimensionName,
        /// How many there would be.
        whole: u32,
    },
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
            Self::Lanes { lanes, name, chip, wave, addressed } => {
                let text = say!(text: "the distribution has ", lanes, " lanes, but the wave of ", str(name));
                let text = if chip.is_empty() { text } else { say!(text: " on ", str(chip)) };
                let text = say!(text: " has ", wave, " lanes");
                if addressed == wave {
                    return text;
                }
                say!(text: ", of which ", addressed, " give an address")
            }
            Self::Operand { rows, wave } => {
                let text = say!(text:
                    "no matrix instruction of a wave of ", wave, " lanes has an operand of ", rows, " rows"
                );
                let (known, mut text) = (operand_rows(wave), text);
                range!(i, 0..known.len(), {
                    let between = if i == 0 {
                        ": there are "
                    } else if i + 1 == known.len() {
                        " and "
                    } else {
                        ", "
                    };
                    text = say!(text: str(between), known[i]);
                });
                text
            }
            Self::OtherChip { operand, chips, chip } => {
                let text = say!(text: "the operand is of ", str(operand), ", which ", str(chip), " lacks; ");
                let mut text = text;
                range!(i, 0..chips.len(), {
                    text = text.str(if i == 0 { "" } else { ", " }).str(chips[i]);
                });
                text.str(if chips.len() == 1 { " has it" } else { " have it" })
            }
            Self::OtherElement { operand, elements, tile } => {
                other_element(text, operand, elements, tile)
            }
            Self::OtherWidth { map, element } => {
                let text = element
                    .explain(say!(text: "the layout is of elements of ", map, " bits, but "));
                say!(text: " has ", element.bits)
            }
            Self::Tail { pack, along, tail, instead } => {
                let text = say!(text:
                    "a lane moves ", pack, " elements but holds ", str(if tail < pack { "only " } else { "" }),
                    tail, " contiguous ones along "
                );
                let text = along.explain(text);
                let text = if tail < pack {
                    text
                } else {
                    say!(text: ", in factors that packs of ", pack, " do not divide")
                };
                if instead.is_empty() {
                    return text;
                }
                say!(text: "; ", str(instead), " moves what it holds")
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
                    " do not all lie aligned and entirely inside or outside the view; vectors of ",
                    whole, " do"
                )
            }
            Self::Width { bytes, bits } => {
                say!(text:
                    "a lane moves ", bytes as u64 * 8,
                    " bits, which is not a multiple of an element's ", bits
                )
            }
            Self::Rank { rank } => say!(text:
                "the pattern needs a tile of 2 dimensions, but this one has ", rank
            ),
            Self::Along { along, rank } => say!(text:
                "a lane takes its elements along dimension ", along, ", and the tile has ", rank,
                str(if rank == 1 { " dimension" } else { " dimensions" }), ", numbered from 0"
            ),
            Self::Packs { columns, pack } => {
                say!(text: "rows of ", columns, " elements are not a multiple of packs of ", pack)
            }
            Self::Tile { tile, lane, coordinate, dimension, enough } => {
                say!(text:
                    "lane ", lane, " would touch ", coordinate(coordinate.as_slice()),
                    ", outside the tile of ", list(tile.as_slice()), ": dimension ", dimension,
                    " needs a length of ", enough, " or more"
                )
            }
            Self::Uneven { tile, covers, step, coordinate } => say!(text:
                "the tile of ", list(tile.as_slice()), " cannot be divided evenly into instructions of ",
                list(if covers[0] == 0 { covers.split_at(1).1 } else { &covers }), " elements: instruction ", step, " would touch ",
                coordinate(coordinate.as_slice()), "; write `first` before the pattern to state instruction 0 alone"
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
            Self::Padding { lane, coordinate } => {
                say!(text:
                    "lane ", lane, " would touch ", coordinate(coordinate.as_slice()),
                    ", which is padding"
                )
            }
            Self::Coordinates { indices, rank } => {
                say!(text:
                    "the pattern has coordinates of ", indices, " indices, but the tile has ", rank,
                    " dimensions"
                )
            }
            Self::Parts { parts, pack, along } => {
                say!(text:
                    "an access in ", parts, " parts moves ", pack, " elements along dimension ", along,
                    ", and such accesses do not divide the tile: each element must be in exactly one of them, and all ",
                    pack, " of an access with one lane"
                )
            }
            Self::NotContiguous { lane, coordinate, pack, along, together } => {
                say!(text:
                    "the ", pack, " elements of lane ", lane, " from ",
                    coordinate(coordinate.as_slice()),
                    " on are not contiguous: the vector length along dimension ", along, " is ",
                    together
                )
            }
            Self::WithinByte { lane, bit } => {
                say!(text: "the element of lane ", lane, " begins at bit ", bit, ", within a byte")
            }
            Self::Memory { bytes, memory } => {
                say!(text: "the layout takes ", bytes, " bytes, but a block has ", memory)
            }
            Self::BeyondSpace { lane, end, space, step } => {
                let text = say!(text: "lane ", lane);
                let text = if step == 0 { text } else { say!(text: " of instruction ", step) };
                let text = say!(text:
                    " would touch byte ", end.saturating_sub(1), ", outside the layout's ", space, " bytes"
                );
                if step == 0 {
                    return text;
                }
                text.str("; write `first` before the pattern to state instruction 0 alone")
            }
        }
    }
}

/// "the operand of mfma::F8_32x32x16 is F8 or BF8, but the tile is F16: .."
const fn other_element(
    text: Text,
    operand: &str,
    elements: &[ElementName],
    tile: ElementName,
) -> Text {
    let mut text = say!(text: "the operand of ", str(operand), " is ");
    range!(i, 0..elements.len(), {
        let between = match (i, i + 1 == elements.len()) {
            (0, _) => "",
            (_, true) => " or ",
            _ => ", ",
        };
        text = elements[i].explain(text.str(between));
    });
    let text = tile.explain(text.str(", but the tile is "));
    text.str(
        "; if the kernel converts what it reads, write `matrix::Converted<..>` around the operand",
    )
}

impl core::fmt::Display for AccessError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for AccessError {}
