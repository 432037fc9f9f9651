//! Conversions: through LDS, from one distribution of a tile over lanes to another.
//!
//! Triton calls it `convert_layout`; where no element leaves its lane,
//! [`Encoding::exchange`](tiledesc::distribution::Encoding::exchange) does without LDS. Here the
//! instructions are chosen along with the layout: the store, the load and the layout that take the
//! fewest cycles together. 64x64 halves of 256 lanes on gfx942, held by rows and wanted by columns:
//!
//! ```text
//!                        write        read         cycles
//!   row by row           b128 x2      u16 x16      16 + 256   8 rows of 128 bytes begin in one bank
//!   Triton 3.9           b16 x16      u16 x16      32 + 32    by tests/golden/triton
//!   Conversion           b128 x2      u16 x16      16 + 32    and no linear layout takes fewer
//! ```
//!
//! | file | concept |
//! |---|---|
//! | [`Held`] | which element each bit of register, lane and wave brings |
//! | `kind` | what an instruction moves: contiguous bits, and who addresses a row |
//! | `vectors` | the lowest bits of offsets: registers of both sides, or of the wider |
//! | `place` | the bits above: in bank 0 nothing that a phase touches |
//! | `form` | the same cycles by fewer xors |
//! | `search` | pairs of kinds, the cheapest first |
//! | [`Side`] | an instruction, its addresses, the order of its registers |
//!
//! **What is proven.** A pair of kinds costs at least its cycles without conflicts. Its vectors fit exactly if their
//! lowest bits are registers of both sides. If they fit, and the narrower side's phase leaves room for the wider
//! vector, both accesses are free of conflicts: one space can always avoid two others that have no more dimensions than
//! the banks. So the cheapest pair that fits bounds all linear layouts, and is nearly always attained; [`Optimality`]
//! tells the two apart. `host/tests/conversion/searched.rs` compares with all linear layouts of small tiles.
//!
//! Instructions whose phases are not cosets of lane masks, of 12 bytes, or with two addresses are
//! left out. Sources: Triton, `lib/Tools/GenericSwizzling.cpp` (arXiv 2505.23819), for the question
//! and for vectors from registers of both sides; its answer excludes `.trans` of bytes and has the
//! narrower access on a side of its own choice.

mod form;
mod held;
mod kind;
mod numbers;
mod place;
mod search;
mod side;
mod vectors;

pub use held::Held;
pub use side::Side;

use crate::Error;
use crate::exchange::linear;
use kind::kinds;
use search::PairSearch;
use tiledesc::Mapping;
use tiledesc::chip::Chip;
use tiledesc::chip::{Access, Instruction};
use tiledesc::distribution::Encoding;
use tiledesc::{Linear, List, Plan};

/// A layout, and the accesses that write it as one distribution holds the tile and read it as
/// another is to.
///
/// ```
/// use tiledesc_host::conversion::{Conversion, Optimality};
/// use tiledesc::{chip::gfx942, prelude::*};
///
/// distribution! {
///     /// 64x64 halves: a lane has 8 of a row, twice.
///     type Rows: m [again 2, wave 4, row 8], k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
///     /// A lane has 8 of a column, twice.
///     type Columns: m [chunk 8, half 8], k [again 2, wave 4, column 8];
///         wave (wave), lane (column, chunk), thread (again, half);
/// }
/// let moved = Conversion::between(&Rows::ENCODING?, &Columns::ENCODING?, 16, &gfx942)?;
/// assert_eq!(
///     moved.to_string(),
///     "ds_write_b128 x2, ds_read_u16 x16: 16 + 32 cycles (floor 16 + 16: no register in common)",
/// );
/// assert_eq!((moved.cycles(), moved.optimality()), (48, Optimality::Vectors));
/// assert_eq!(moved.bytes(), 64 * 64 * 2);
/// // Lane 9 of wave 1 holds chunk 1 of row 9 first.
/// assert_eq!(moved.store().address(1, 9, 0), 2 * moved.plan()?.offset(&[9, 8])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'i> {
    lengths: List,
    bits: u32,
    layout: Linear,
    store: Side<'i>,
    load: Side<'i>,
    floor: [u64; 2],
    /// The cycles of the cheapest pair whose vectors fit.
    bound: Option<u64>,
    /// Bits of registers that both sides hold.
    common: usize,
}

/// The reason why nothing takes fewer cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Optimality {
    /// Each side is at its floor: no layout of any kind takes fewer with these instructions.
    Floor,
    /// No linear layout takes fewer: the lowest bits of a vector are registers that both sides
    /// hold, and the rest are not.
    Vectors,
    /// Conflicts are unavoidable in all linear layouts with as few cycles: a wide vector takes banks that a
    /// phase of the other side needs.
    Exhausted,
    /// Above the floor; for swizzles in registers not all vectors were tried.
    Tried,
}

impl Conversion<'static> {
    /// The conversion of the fewest cycles by a chip's instructions, for elements of `bits` bits.
    ///
    /// AMD's transposed reads are left out, since nobody has measured their phases; they take
    /// part in what is found [`by`](Conversion::by) `gfx950.rows()`.
    ///
    /// # Errors
    ///
    /// As [`Held::from_encoding`] and [`by`](Conversion::by); dimensions of other names, or in another order.
    pub fn between(from: &Encoding, to: &Encoding, bits: u32, chip: &Chip) -> Result<Self, Error> {
        let rows = chip.rows().iter().filter(|row| !kind::is_transposed_read(row));
        from.is_named_as(to)?;
        Self::by(&Held::from_encoding(from)?, &Held::from_encoding(to)?, bits, rows)
    }
}

impl<'i> Conversion<'i> {
    /// Finds the conversion of the fewest cycles by any rows, for what any linear maps hold.
    ///
    /// ```
    /// use tiledesc_host::conversion::{Conversion, Held};
    /// use tiledesc::{chip::{Instruction, Phases}, Linear, List};
    ///
    /// // Four lanes, four banks: rows of a 4x4 tile of dwords become columns.
    /// let four = Phases::contiguous(4).of_wave(4);
    /// let rows = [Instruction::write("st", 4), Instruction::read("ld", 4)];
    /// let rows = rows.map(|row| row.phases(four).banks(4));
    /// let held = |columns: [u32; 4]| {
    ///     Held::new(List::new(&[4, 4]), Linear::new(&columns, 0).unwrap(), 2, 2)
    /// };
    /// let moved = Conversion::by(&held([4, 8, 1, 2])?, &held([1, 2, 4, 8])?, 32, &rows)?;
    /// assert_eq!(moved.to_string(), "st x4, ld x4: 4 + 4 cycles, the floor");
    /// assert_eq!(moved.layout().columns(), [1, 2, 5, 10]);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Instructions of different chips; different tiles, or different numbers of waves; elements that are not a power of
    /// two of at most 128 bits; no instruction that writes or reads what a lane holds; a tile larger than the memory of a
    /// block.
    pub fn by(
        from: &Held,
        to: &Held,
        bits: u32,
        rows: impl IntoIterator<Item = &'i Instruction, IntoIter: Clone>,
    ) -> Result<Self, Error> {
        let rows = rows.into_iter();
        let mut chips = rows.clone().map(Instruction::chip).filter(|chip| !chip.is_empty());
        let one = chips.next().unwrap_or_default();
        if let Some(other) = chips.find(|other| *other != one) {
            return Err(Error::mismatch(format!(
                "the instructions are of {one} and {other}, but a conversion is on one chip"
            )));
        }
        if !from.lengths().is_same(&to.lengths()) {
            return Err(Error::mismatch(format!(
                "the tile written is {:?}, but the tile read is {:?}",
                from.lengths(),
                to.lengths()
            )));
        }
        let [writing, reading] = [from, to].map(|held| 1u64 << held.waves().len());
        if writing != reading {
            return Err(Error::mismatch(format!(
                "{writing} waves write the tile, but {reading} read it"
            )));
        }
        if !bits.is_power_of_two() || bits > 128 {
            return Err(Error::number(format!(
                "a conversion needs elements of a power of two of at most 128 bits, not {bits}"
            )));
        }
        let stores = kinds(rows.clone(), Access::Write, from, bits);
        let loads = kinds(rows, Access::Read, to, bits);
        PairSearch { held: [from, to], bits }.run(&stores, &loads)
    }

    /// The map from the number of an element in the tile, the last dimension fastest, to its offset, both in
    /// elements.
    #[must_use]
    pub fn layout(&self) -> &Linear {
        &self.layout
    }

    /// The layout as a plan of the tile: for verdicts, code, CuTe's and Triton's words.
    ///
    /// # Errors
    ///
    /// As [`linear::plan`](linear::plan()).
    pub fn plan(&self) -> Result<Plan, tiledesc::Error> {
        linear::plan(&self.layout, self.lengths.as_slice())
    }

    /// The writes.
    #[must_use]
    pub fn store(&self) -> &Side<'i> {
        &self.store
    }

    /// The reads.
    #[must_use]
    pub fn load(&self) -> &Side<'i> {
        &self.load
    }

    /// Bytes of LDS.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        ((self.bits as u64) << self.layout.inputs()).div_ceil(8)
    }

    /// Cycles of one wave, on both sides.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.store.cycles() + self.load.cycles()
    }

    /// The fewest cycles of the writes, and of the reads, that any of the instructions takes
    /// without conflicts.
    #[must_use]
    pub fn floor(&self) -> [u64; 2] {
        self.floor
    }

    /// The reason why nothing takes fewer cycles.
    #[must_use]
    pub fn optimality(&self) -> Optimality {
        let cycles = self.cycles();
        let of_factors = [&self.store, &self.load].iter().all(|side| side.held().is_of_factors());
        if cycles == self.floor[0] + self.floor[1] {
            Optimality::Floor
        } else if !of_factors {
            Optimality::Tried
        } else if Some(cycles) == self.bound {
            Optimality::Vectors
        } else {
            Optimality::Exhausted
        }
    }
}

impl Mapping for Conversion<'_> {
    fn to_plan(&self) -> Result<Plan, tiledesc::Error> {
        self.plan()
    }

    fn element_bits(&self) -> Option<u32> {
        Some(self.bits)
    }
}

impl core::fmt::Display for Conversion<'_> {
    /// Instructions and cycles of both sides; where they are not the floor, why.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (write, read) = (self.store.cycles(), self.load.cycles());
        write!(f, "{}, {}: {write} + {read} cycles", self.store, self.load)?;
        let [write, read] = self.floor;
        match self.optimality() {
            Optimality::Floor => return f.write_str(", the floor"),
            Optimality::Vectors => {
                write!(f, " (floor {write} + {read}: ")?;
                match self.common {
                    0 => f.write_str("no register in common")?,
                    bits => write!(f, "{} registers in common", 1u64 << bits)?,
                }
            }
            Optimality::Exhausted => write!(f, " (floor {write} + {read}: not without conflicts")?,
            Optimality::Tried => write!(f, " (floor {write} + {read}")?,
        }
        f.write_str(")")
    }
}
