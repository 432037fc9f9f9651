//! One side of a conversion: an instruction, its addresses, the order of its registers.
//!
//! The elements that are contiguous in LDS need not be in consecutive registers. So a side has the registers that an
//! instruction moves, in their order:
//!
//! ```text
//!   64x64 halves, held by rows, wanted by columns, on gfx942: ds_write_b128 x2
//!
//!   instruction 0   lane 0 at byte 0, lane 1 at byte 16   registers 0 4 1 5 2 6 3 7
//!   instruction 1                                         registers 8 12 9 13 10 14 11 15
//! ```

use super::held::Held;
use super::kind::Kind;
use super::numbers::NumberList;
use super::vectors::Tuples;
use tiledesc::Linear;
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::chip::Instruction;

/// The writes or the reads of a [`Conversion`](super::Conversion): what each lane moves.
///
/// ```
/// use tiledesc_host::conversion::Conversion;
/// use tiledesc::{chip::gfx942, prelude::*};
///
/// distribution! {
///     type Rows: m [again 2, wave 4, row 8], k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
///     type Columns: m [chunk 8, half 8], k [again 2, wave 4, column 8];
///         wave (wave), lane (column, chunk), thread (again, half);
/// }
/// let moved = Conversion::between(&Rows::ENCODING?, &Columns::ENCODING?, 16, &gfx942)?;
///
/// // ds_write_b128 x2: a lane has 16 registers of one element, and an instruction takes 8.
/// let write = moved.store();
/// assert_eq!((write.instructions(), write.tuple()), (2, 8));
/// assert_eq!((write.cycles(), write.conflicts()), (16, 0));
/// // The order of the registers belongs to the layout: after register 0 goes register 4, and the
/// // second instruction begins with register 8.
/// assert_eq!((write.register(0, 1), write.register(1, 0)), (4, 8));
/// // Lane 1 of wave 0 writes from byte 16 on, and all 64 lanes give an address.
/// assert_eq!(write.address(0, 1, 0), 16);
/// assert_eq!(write.addresses(0, 0).get(63), Some(write.address(0, 63, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Side<'i> {
    held: Held,
    instruction: &'i Instruction,
    /// The map from (place in the tuple, instruction, addressing lane, wave) to the byte.
    address: Linear,
    /// The map from (place in the tuple, instruction) to the register.
    order: Linear,
    /// Bits of a tuple's place, of the instruction's number, of the addressing lane's.
    parts: [usize; 3],
    conflicts: u32,
    floor: u64,
}

impl<'i> Side<'i> {
    pub(super) fn new(
        held: &Held,
        kind: &Kind<'i>,
        tuples: &Tuples,
        layout: &Linear,
        bits: u32,
    ) -> Option<Self> {
        let Tuples { tuple, steps, slots } = tuples;
        let numbers = tuple.iter().chain(steps.iter());
        let order = NumberList::new(numbers.map(|number| held.register_of(number)));
        let elements = steps.iter().chain(slots.iter()).chain(held.waves().iter().copied());
        let bytes =
            elements.map(|number| (u64::from(layout.apply(number)) * u64::from(bits) / 8) as u32);
        let mut side = Self {
            held: *held,
            instruction: kind.row,

            address: Linear::new(NumberList::new(bytes).as_slice(), 0).ok()?,
            order: Linear::new(order.as_slice(), 0).ok()?,
            parts: [tuple.len(), steps.len(), slots.len()],
            conflicts: 0,
            floor: kind.cycles(),
        };
        side.conflicts = bank::conflicts(&side.addresses(0, 0), kind.row).ok()?.conflict_cycles;
        Some(side)
    }

    /// The row of the instruction.
    #[must_use]
    pub fn instruction(&self) -> &'i Instruction {
        self.instruction
    }

    /// Instructions of one wave: each lane takes part in all of them.
    #[must_use]
    pub fn instructions(&self) -> u32 {
        1 << self.parts[1]
    }

    /// Registers, of one element each, that one instruction moves.
    #[must_use]
    pub fn tuple(&self) -> u32 {
        1 << self.parts[0]
    }

    /// Cycles of one wave, all its instructions with their conflicts. All are alike: another
    /// instruction or wave is an xor by a constant of whole dwords.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.floor + self.conflicts as u64 * self.instructions() as u64
    }

    /// The part of [`cycles`](Self::cycles) that conflicts add.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.conflicts as u64 * self.instructions() as u64
    }

    /// The register at a place of an instruction's tuple: of place 0 the lowest bits of the first
    /// 32-bit register. All registers together are an order of the lane's elements.
    #[must_use]
    pub fn register(&self, instruction: u32, place: u32) -> u32 {
        self.order.apply(instruction << self.parts[0] | place)
    }

    /// The byte that a lane supplies as its address: for a plain access that of its own elements, for matrices
    /// that of a row. Lanes after those that give one repeat them.
    #[must_use]
    pub fn address(&self, wave: u32, lane: u32, instruction: u32) -> u32 {
        let number = wave << self.parts[2] | lane & ((1 << self.parts[2]) - 1);
        self.address.apply(number << self.parts[1] | instruction)
    }

    /// The byte addresses of all lanes that give one, for [`conflicts`](fn@tiledesc::bank::conflicts).
    #[must_use]
    pub fn addresses(&self, wave: u32, instruction: u32) -> Addresses {
        let lanes = 1 << self.parts[2];
        Addresses::from_fn(|lane| (lane < lanes).then(|| self.address(wave, lane, instruction)))
    }

    /// The elements that the lanes hold.
    #[must_use]
    pub fn held(&self) -> &Held {
        &self.held
    }
}

impl core::fmt::Display for Side<'_> {
    /// `ds_write_b16 x16`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} x{}", self.instruction.name(), self.instructions())
    }
}
