//! The verdict on a layout, a pattern and an instruction of a chip.
//!
//! | fp16 tile 128x64 on gfx942 | write | 16-row read | 32-row read |
//! |---|---|---|---|
//! | row-major | 1 | **4** | **8** |
//! | rows padded by 8 | 1 | **2** | 1 |
//! | xor (GemmXor) | 1 | 1 | 1 |
//!
//! A verdict of 1 proves that no two lanes of a phase meet in one bank with
//! different dwords, by the phases stated for that instruction. It is a static
//! model of one wave instruction at the tile's origin: it says nothing of the
//! same instruction elsewhere in the tile, of other waves, of arbitration, or of
//! the cycles to issue it. `SQ_LDS_BANK_CONFLICT` is the judge.
//!
//! This is the first verdict: two-dimensional tiles, the two 16-byte DS
//! instructions of gfx942. The bank analyzer will extend it.

use crate::access::{Lanes, Pattern};
use crate::bank::{Addresses, Conflicts, conflicts};
use crate::element::Element;
use crate::instruction::{Access, Instruction, Phases};
use crate::layout::Layout;
use tiledesc_transforms::{Descriptor, Error, List, Plan, Text};

/// Why a pattern cannot be laid over a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The layout itself cannot be.
    Layout(Error),
    /// The instruction moves no whole number of elements.
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
    /// Rows are no whole number of packs.
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
        lane: usize,
        /// The coordinate it would touch.
        coordinate: [u32; 2],
    },
    /// A lane's elements do not lie behind each other in memory.
    NotContiguous {
        /// The lane.
        lane: usize,
        /// Its coordinate.
        coordinate: [u32; 2],
        /// The elements it moves.
        pack: u32,
        /// The elements that lie behind each other along the last dimension.
        together: u32,
    },
    /// A lane's address is not aligned to the access.
    Misaligned {
        /// The lane.
        lane: usize,
        /// Its byte address.
        address: u32,
        /// The alignment, in bytes.
        bytes: u32,
    },
}

impl Misfit {
    /// Appends the sentence to a text.
    const fn explain(self, text: Text) -> Text {
        match self {
            Self::Layout(error) => error.explain(text),
            Self::Width { bytes, bits } => {
                let text = text.number(bytes as u64).str(" bytes are no whole number of ");
                text.number(bits as u64).str("-bit elements")
            }
            Self::Rank { rank } => text
                .str("a pattern needs a tile of 2 dimensions, this one has ")
                .number(rank as u64),
            Self::Packs { columns, pack } => {
                let text = text.str("rows of ").number(columns as u64);
                text.str(" elements are no whole number of packs of ").number(pack as u64)
            }
            Self::Tile { tile, lane, coordinate } => {
                let text = text.str("lane ").number(lane as u64).str(" would touch ");
                let text = text.coordinate(&coordinate).str(", outside the tile of ");
                text.list(tile.as_slice())
            }
            Self::NotContiguous { lane, coordinate, pack, together } => {
                let text = text.str("the ").number(pack as u64).str(" elements of lane ");
                let text = text.number(lane as u64).str(" from ").coordinate(&coordinate);
                let text = text.str(
                    " on do not lie behind each other: the vector length along dimension 1 is ",
                );
                text.number(together as u64)
            }
            Self::Misaligned { lane, address, bytes } => {
                let text = text.str("byte ").number(address as u64).str(" of lane ");
                let text = text.number(lane as u64).str(" is not aligned to ");
                text.number(bytes as u64)
            }
        }
    }
}

impl core::fmt::Display for Misfit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for Misfit {}

/// What each lane touches: its coordinate and its byte address.
struct Touched {
    coordinates: [[u32; 2]; Phases::LANES],
    addresses: Addresses,
}

/// The byte address of each lane.
///
/// # Errors
///
/// [`Misfit`].
pub const fn addresses(
    plan: &Plan,
    bits: u32,
    lanes: Lanes,
    instruction: &Instruction,
) -> Result<Addresses, Misfit> {
    match touched(plan, bits, lanes, instruction) {
        Ok(touched) => Ok(touched.addresses),
        Err(misfit) => Err(misfit),
    }
}

const fn touched(
    plan: &Plan,
    bits: u32,
    lanes: Lanes,
    instruction: &Instruction,
) -> Result<Touched, Misfit> {
    let bytes = instruction.bytes;
    let width = bytes as u64 * 8;
    if bits == 0 || width == 0 || !width.is_multiple_of(bits as u64) {
        return Err(Misfit::Width { bytes, bits });
    }
    let pack = (width / bits as u64) as u32;
    let tile = plan.lengths();
    if tile.len() != 2 {
        return Err(Misfit::Rank { rank: tile.len() as u32 });
    }
    let columns = tile.as_slice()[1];
    if !columns.is_multiple_of(pack) {
        return Err(Misfit::Packs { columns, pack });
    }
    let together = contiguous(plan);
    let whole = together.is_multiple_of(pack);
    let mut found =
        Touched { coordinates: [[0; 2]; Phases::LANES], addresses: [None; Phases::LANES] };
    let mut lane = 0;
    while lane < Phases::LANES {
        let coordinate = lanes.coordinate(lane as u32, &tile, pack);
        let address = match address(plan, bits, coordinate, pack, whole) {
            Ok(address) => address,
            Err(Torn::Outside) => return Err(Misfit::Tile { tile, lane, coordinate }),
            Err(Torn::Apart) => {
                return Err(Misfit::NotContiguous { lane, coordinate, pack, together });
            }
        };
        if !address.is_multiple_of(bytes) {
            return Err(Misfit::Misaligned { lane, address, bytes });
        }
        found.coordinates[lane] = coordinate;
        found.addresses[lane] = Some(address);
        lane += 1;
    }
    Ok(found)
}

/// Elements that lie behind each other along the last dimension.
const fn contiguous(plan: &Plan) -> u32 {
    match plan.vector(1) {
        Ok(vector) if vector.stride == 1 => vector.length,
        _ => 1,
    }
}

enum Torn {
    Outside,
    Apart,
}

/// The byte address of `pack` elements along the last dimension. `whole`: blocks of
/// `pack` are known to lie behind each other.
const fn address(
    plan: &Plan,
    bits: u32,
    [row, column]: [u32; 2],
    pack: u32,
    whole: bool,
) -> Result<u32, Torn> {
    let Ok(first) = plan.offset(&[row, column]) else { return Err(Torn::Outside) };
    let mut element = if whole { pack - 1 } else { 1 };
    while element < pack {
        match plan.offset(&[row, column + element]) {
            Ok(offset) if offset == first + element => {}
            Ok(_) => return Err(Torn::Apart),
            Err(_) => return Err(Torn::Outside),
        }
        element += 1;
    }
    Ok((first as u64 * bits as u64 / 8) as u32)
}

impl<E, D> Layout<E, D> {
    /// The conflicts of one wave instruction over this layout.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc::target::gfx942;
    ///
    /// layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// const READ: u32 = match Rows::conflicts::<MfmaRows<16>>(&gfx942::ds_read_b128) {
    ///     Ok(conflicts) => conflicts.degree,
    ///     Err(_) => 0,
    /// };
    /// assert_eq!(READ, 4);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misfit`] if the pattern cannot be laid over the tile.
    pub const fn conflicts<P: Pattern>(instruction: &Instruction) -> Result<Conflicts, Misfit>
    where
        E: Element,
        D: Descriptor,
    {
        match Self::touched::<P>(instruction) {
            Ok(touched) => Ok(conflicts(&touched.addresses, instruction)),
            Err(misfit) => Err(misfit),
        }
    }

    const fn touched<P: Pattern>(instruction: &Instruction) -> Result<Touched, Misfit>
    where
        E: Element,
        D: Descriptor,
    {
        match Self::checked() {
            Ok(plan) => touched(&plan, E::BITS, P::LANES, instruction),
            Err(error) => Err(Misfit::Layout(error)),
        }
    }

    /// Refuses a layout that conflicts; see
    /// [`assert_conflict_free!`](crate::assert_conflict_free!).
    ///
    /// # Panics
    ///
    /// With the degree, the phase, the bank, and two lanes with their
    /// coordinates and bytes.
    #[track_caller]
    pub const fn refuse_conflicts<P: Pattern>(
        layout: &str,
        chip: &str,
        pattern: &str,
        access: Access,
        instruction: &Instruction,
    ) where
        E: Element,
        D: Descriptor,
    {
        let text = Text::new().str(layout).str(": ").str(instruction.name).str(" on ").str(chip);
        let text = text.str(" by ").str(pattern).str(": ");
        let text = if !access.is(instruction.access) {
            text.str("the instruction ")
                .str(instruction.access.verb())
                .str(", the assertion says `")
                .str(access.name())
                .str("`")
        } else {
            match Self::touched::<P>(instruction) {
                Err(Misfit::Layout(error)) => error.refuse(layout),
                Err(misfit) => misfit.explain(text),
                Ok(touched) => {
                    let found = conflicts(&touched.addresses, instruction);
                    let Some(lanes) = found.lanes else { return };
                    collision(text, &found, lanes, &touched)
                }
            }
        };
        let sentence = text.as_str();
        panic!("{}", sentence)
    }
}

/// "4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0".
const fn collision(
    text: Text,
    found: &Conflicts,
    [one, other]: [usize; 2],
    touched: &Touched,
) -> Text {
    let text = text.number(found.degree as u64).str("-way in phase ").number(found.phase as u64);
    let text = text.str(": lanes ").number(one as u64).str(" and ").number(other as u64);
    let text = text.str(", ").coordinate(&touched.coordinates[one]).str(" and ");
    let text = text.coordinate(&touched.coordinates[other]);
    let text = match (touched.addresses[one], touched.addresses[other]) {
        (Some(a), Some(b)) => text.str(", bytes ").number(a as u64).str(" and ").number(b as u64),
        _ => text,
    };
    text.str(", bank ").number(found.bank as u64)
}

/// Refuses, at compile time, layouts whose wave accesses conflict.
///
/// One statement for a layout, a chip and any number of accesses; the error
/// names the phase, the bank, and two lanes with coordinates and bytes:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
/// assert_conflict_free! { Plain on gfx942: read ds_read_b128 by MfmaRows<16> }
/// // Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0:
/// // lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0
/// ```
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     ABlock on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32>,
/// }
/// ```
#[macro_export]
macro_rules! assert_conflict_free {
    ($($Layout:ident on $chip:ident: $($access:ident $instruction:ident by $Pattern:ty),+ $(,)?);+ $(;)?) => {
        $($(const _: () = <$Layout>::refuse_conflicts::<$Pattern>(
            stringify!($Layout),
            stringify!($chip),
            stringify!($Pattern),
            $crate::__access!($access),
            &$crate::target::$chip::$instruction,
        );)+)+
    };
}

/// `read` or `write`.
#[doc(hidden)]
#[macro_export]
macro_rules! __access {
    (read) => {
        $crate::Access::Read
    };
    (write) => {
        $crate::Access::Write
    };
    ($other:ident) => {
        compile_error!(concat!("`", stringify!($other), "` is neither `read` nor `write`"))
    };
}
