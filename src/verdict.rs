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
//! model of one wave instruction: it says nothing of other waves, of
//! arbitration, or of the cycles to issue it. `SQ_LDS_BANK_CONFLICT` is the
//! judge.
//!
//! This is the first verdict: two-dimensional tiles, the two 16-byte DS
//! instructions of gfx942. The bank analyzer will extend it.

use crate::access::{Lanes, Pattern};
use crate::bank::{Addresses, Conflicts, conflicts};
use crate::element::Element;
use crate::instruction::{Instruction, Phases};
use crate::layout::Layout;
use tiledesc_transforms::{Descriptor, Plan, Text};

/// Why a pattern cannot be laid over a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The instruction moves no whole number of elements.
    Width,
    /// The tile is too small for the lanes, or not two-dimensional.
    Tile,
    /// A lane's elements do not lie behind each other in memory.
    NotContiguous {
        /// The lane.
        lane: usize,
    },
    /// A lane's address is not aligned to the access.
    Misaligned {
        /// The lane.
        lane: usize,
        /// Its byte address.
        address: u32,
    },
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
    let pack = instruction.bytes * 8 / bits;
    if pack * bits != instruction.bytes * 8 {
        return Err(Misfit::Width);
    }
    let mut addresses = [None; Phases::LANES];
    let mut lane = 0;
    while lane < Phases::LANES {
        let Some([row, column]) = lanes.coordinate(lane as u32, &plan.lengths(), pack) else {
            return Err(Misfit::Tile);
        };
        let first = plan.evaluate(&[row, column])[0];
        // Ends and middle suffice to see a pack torn apart by a swizzle or pad.
        let (middle, last) = (pack / 2, pack - 1);
        if plan.evaluate(&[row, column + middle])[0] != first + middle
            || plan.evaluate(&[row, column + last])[0] != first + last
        {
            return Err(Misfit::NotContiguous { lane });
        }
        let address = (first as u64 * bits as u64 / 8) as u32;
        if !address.is_multiple_of(instruction.bytes) {
            return Err(Misfit::Misaligned { lane, address });
        }
        addresses[lane] = Some(address);
        lane += 1;
    }
    Ok(addresses)
}

impl<E: Element, D: Descriptor + Default> Layout<E, D> {
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
    pub const fn conflicts<P: Pattern>(instruction: &Instruction) -> Result<Conflicts, Misfit> {
        match addresses(&Self::PLAN, E::BITS, P::LANES, instruction) {
            Ok(addresses) => Ok(conflicts(&addresses, instruction)),
            Err(misfit) => Err(misfit),
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
        instruction: &Instruction,
    ) {
        Self::check(layout);
        let text = Text::new().str(layout).str(": ").str(instruction.name).str(" on ").str(chip);
        let text = text.str(" by ").str(pattern).str(": ");
        let text = match addresses(&Self::PLAN, E::BITS, P::LANES, instruction) {
            Ok(addresses) => {
                let found = conflicts(&addresses, instruction);
                let Some(lanes) = found.lanes else { return };
                let text = text.number(found.degree as u64).str("-way in phase ");
                let text = text.number(found.phase as u64).str(": ");
                Self::two_lanes::<P>(text, lanes, &addresses, instruction)
                    .str(", bank ")
                    .number(found.bank as u64)
            }
            Err(misfit) => explain(text, misfit, instruction),
        };
        let sentence = text.as_str();
        panic!("{}", sentence)
    }

    const fn two_lanes<P: Pattern>(
        text: Text,
        [one, other]: [usize; 2],
        addresses: &Addresses,
        instruction: &Instruction,
    ) -> Text {
        let text = text.str("lanes ").number(one as u64).str(" and ").number(other as u64);
        let pack = instruction.bytes * 8 / E::BITS;
        let (tile, lanes) = (Self::LENGTHS, P::LANES);
        let places = (
            lanes.coordinate(one as u32, &tile, pack),
            lanes.coordinate(other as u32, &tile, pack),
        );
        let (Some(a), Some(b)) = places else { return text };
        let text = text.str(", ").coordinate(&a).str(" and ").coordinate(&b);
        match (addresses[one], addresses[other]) {
            (Some(a), Some(b)) => {
                text.str(", bytes ").number(a as u64).str(" and ").number(b as u64)
            }
            _ => text,
        }
    }
}

const fn explain(text: Text, misfit: Misfit, instruction: &Instruction) -> Text {
    let bytes = instruction.bytes as u64;
    match misfit {
        Misfit::Width => text.number(bytes).str(" bytes are no whole number of elements"),
        Misfit::Tile => {
            text.str("the tile is too small for 64 lanes of ").number(bytes).str(" bytes")
        }
        Misfit::NotContiguous { lane } => text
            .str("the ")
            .number(bytes)
            .str(" bytes of lane ")
            .number(lane as u64)
            .str(" do not lie behind each other (vector guarantee too small)"),
        Misfit::Misaligned { lane, address } => text
            .str("byte ")
            .number(address as u64)
            .str(" of lane ")
            .number(lane as u64)
            .str(" is not aligned to ")
            .number(bytes),
    }
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
/// // lanes 0 and 2, (0, 0) and (2, 0), bytes 0 and 256, bank 0
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
        $($($crate::assert_conflict_free! { @one $Layout $chip $access $instruction $Pattern })+)+
    };
    (@one $Layout:ident $chip:ident read $instruction:ident $Pattern:ty) => {
        $crate::assert_conflict_free! { @check $Layout $chip Read $instruction $Pattern }
    };
    (@one $Layout:ident $chip:ident write $instruction:ident $Pattern:ty) => {
        $crate::assert_conflict_free! { @check $Layout $chip Write $instruction $Pattern }
    };
    (@check $Layout:ident $chip:ident $access:ident $instruction:ident $Pattern:ty) => {
        const _: () = {
            assert!(
                matches!(
                    $crate::target::$chip::$instruction.access,
                    $crate::Access::$access
                ),
                concat!(stringify!($instruction), ": reads where `read` or `write` says otherwise"),
            );
            <$Layout>::refuse_conflicts::<$Pattern>(
                stringify!($Layout),
                stringify!($chip),
                stringify!($Pattern),
                &$crate::target::$chip::$instruction,
            )
        };
    };
}
